/* SPDX-License-Identifier: MIT */
/* What pushes voxels beside bonds and floor under the peers' conventions: other voxels, and the
   fluid. By one thread: robots are small. */
#include <math.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/solver/step.h"

/* Of voxels that touch: 1.5 mean edges between centres. Pairs are listed within two edges, and
   again once the fastest have come half an edge (CollisionHorizon 2, ColSystem 3). */
#define TOUCHING 0.75
#define HORIZON 2.0

vxe_status vxe_peer_scratch_init(vxe_scratch *scratch, vxe_error *error)
{
    const vxe_model *model = scratch->model;
    const vxe_peer_model *peer = model->peer;
    if (!peer) {
        return VXE_OK;
    }
    const uint64_t slots = model->slots;
    const uint64_t points = peer->surface_count;
    const uint64_t corners = peer->hull.corner_count;
    const bool pushed = points > 0 || corners > 0;
    const uint64_t parts = corners ? 8 * slots : 0;
    const uint64_t numbers = 3 * ((pushed ? slots : 0) + points + parts + corners);
    vxe_peer_scratch *own = vxe_memory_take(1, sizeof *own);
    if (!own) {
        return vxe_error_memory(error, sizeof *own);
    }
    scratch->peer = own;
    own->view = peer->view;
    own->block = vxe_memory_take(numbers, sizeof *own->block);
    own->found = vxe_memory_take(points + VXE_PEER_WIDTH, sizeof *own->found);
    if (!own->block || !own->found) {
        return vxe_error_memory(error, numbers * sizeof *own->block);
    }
    double *next = own->block;
    for (int c = 0; c < 3 && pushed; c++) {
        own->push[c] = own->view.push[c] = next;
        next += slots;
    }
    for (int c = 0; c < 3; c++) {
        own->point[c] = next;
        next += points;
    }
    own->flow = (vxe_peer_flow){slots, next, next + 3 * parts};
    return VXE_OK;
}

void vxe_peer_scratch_clear(vxe_scratch *scratch)
{
    if (scratch->peer) {
        vxe_memory_release(scratch->peer->block);
        vxe_memory_release(scratch->peer->found);
        vxe_memory_release(scratch->peer);
    }
}

void vxe_peer_scratch_bind(vxe_scratch *scratch, vxe_state *state)
{
    vxe_peer_scratch *own = scratch->peer;
    if (own) {
        for (int axis = 0; axis < 3; axis++) {
            own->view.memory[axis] = state->peer->bonds[axis];
        }
        scratch->arrays.peer = &own->view;
        if (scratch->model->peer->steps) {
            scratch->arrays.swell = state->peer->swell;
        }
    }
}

/* Places of the surface, packed. */
static vxe_peer_points pack(const vxe_scratch *scratch)
{
    const vxe_peer_model *peer = scratch->model->peer;
    vxe_peer_scratch *own = scratch->peer;
    for (uint32_t i = 0; i < peer->surface_count; i++) {
        const uint32_t slot = peer->surface[i];
        for (int c = 0; c < 3; c++) {
            own->point[c][i] = ((const double *)scratch->arrays.x[c])[slot];
        }
    }
    return (vxe_peer_points){{own->point[0], own->point[1], own->point[2]}, peer->surface_count};
}

/* Lists the pairs that are near each other, but those within three bonds. */
static void list_pairs(const vxe_scratch *scratch)
{
    const vxe_peer_points points = pack(scratch);
    const vxe_peer_model *peer = scratch->model->peer;
    vxe_peer_memory *memory = scratch->state->peer;
    const double reach = HORIZON * scratch->model->edge;
    memory->pair_count = 0;
    memory->full = false;
    for (uint32_t one = 0; one < points.count; one++) {
        const uint32_t count =
            scratch->model->kernels->peer->near(&points, one, reach, scratch->peer->found);
        uint32_t kin = peer->kin_first[one];
        for (uint32_t i = 0; i < count && !memory->full; i++) {
            const uint32_t two = scratch->peer->found[i];
            while (kin < peer->kin_first[one + 1] && peer->kin[kin] < two) {
                kin++;
            }
            if (kin < peer->kin_first[one + 1] && peer->kin[kin] == two) {
                continue;
            }
            memory->full = memory->pair_count == memory->pair_room;
            if (!memory->full) {
                memory->pairs[2 * memory->pair_count] = one;
                memory->pairs[2 * memory->pair_count + 1] = two;
                memory->pair_count++;
            }
        }
    }
    memory->listed = true;
    memory->moved = 0;
}

/* Two voxels of the surface beside each other. */
typedef struct pair {
    uint32_t slot[2];
    double apart[3]; /* m: where the second is for the first */
    double d2;       /* m^2 */
    double reach;    /* m, between centres of voxels that touch */
} pair;

static pair pair_of(const vxe_scratch *scratch, uint64_t index)
{
    const uint32_t *places = scratch->state->peer->pairs + 2 * index;
    const uint32_t *surface = scratch->model->peer->surface;
    const vxe_kernel_arrays *arrays = &scratch->arrays;
    pair p = {.slot = {surface[places[0]], surface[places[1]]}};
    for (int c = 0; c < 3; c++) {
        const double *x = arrays->x[c];
        p.apart[c] = x[p.slot[1]] - x[p.slot[0]];
        p.d2 += p.apart[c] * p.apart[c];
    }
    const double *swell = arrays->swell;
    p.reach = TOUCHING * ((arrays->edge + swell[p.slot[0]]) + (arrays->edge + swell[p.slot[1]]));
    return p;
}

/* F = k (1.5 mean edges - d), along the line of centres, k the harmonic mean of both. */
static void push_pair(const vxe_scratch *scratch, const pair *p)
{
    if (p->d2 < p->reach * p->reach && p->d2 > 0) {
        const double d = sqrt(p->d2);
        const double k1 = scratch->model->peer->modulus[p->slot[0]];
        const double k2 = scratch->model->peer->modulus[p->slot[1]];
        const double sum = k1 + k2;
        const double by = sum > 0 ? 2 * k1 * k2 / sum * (p->reach - d) / d : 0;
        for (int c = 0; c < 3; c++) {
            scratch->peer->push[c][p->slot[0]] -= by * p->apart[c];
            scratch->peer->push[c][p->slot[1]] += by * p->apart[c];
        }
    }
}

void vxe_peer_push(vxe_scratch *scratch, double h)
{
    const vxe_model *model = scratch->model;
    vxe_peer_memory *memory = scratch->state->peer;
    if (model->peer->surface_count > 0) {
        if (!memory->listed || memory->moved > 0.5 * (HORIZON - 1) * model->edge) {
            list_pairs(scratch);
        }
        for (uint64_t i = 0; i < memory->pair_count; i++) {
            const pair near = pair_of(scratch, i);
            push_pair(scratch, &near);
        }
        memory->moved +=
            h * sqrt(model->kernels->peer->fastest(&scratch->arrays, model->topology.voxel_count));
    }
    if (model->peer->hull.facet_count > 0) {
        model->kernels->hull->flow(&scratch->arrays, model->topology.voxel_count,
                                   &model->peer->hull, &scratch->peer->flow, model->peer->drag);
    }
}

void vxe_peer_touches(const vxe_scratch *scratch, const vxe_topology *topology, uint8_t *touched)
{
    for (uint64_t i = 0; i < scratch->state->peer->pair_count; i++) {
        const pair near = pair_of(scratch, i);
        if (near.d2 < near.reach * near.reach) {
            touched[topology->order[near.slot[0]]] = 1;
            touched[topology->order[near.slot[1]]] = 1;
        }
    }
}

double vxe_peer_depth(const vxe_scratch *scratch, uint32_t slot)
{
    const vxe_peer_ground *ground = &scratch->model->peer->view.ground;
    const vxe_kernel_arrays *arrays = &scratch->arrays;
    const double x = ((const double *)arrays->x[0])[slot];
    const double y = ((const double *)arrays->x[1])[slot];
    const double z = ((const double *)arrays->x[2])[slot];
    const double half = 0.5 * (arrays->edge + ((const double *)arrays->swell)[slot]);
    const double from_x = x - ground->center[0];
    const double from_y = y - ground->center[1];
    const bool on_it = from_x * from_x + from_y * from_y <= ground->rim2;
    const double level = arrays->floor_height + ground->slope * (x + ground->origin_x);
    return on_it ? half - (z - level) : -HUGE_VAL;
}
