/* SPDX-License-Identifier: MIT */
/* What pushes voxels beside bonds and floor under the peers' conventions: other voxels, and the
   fluid. By one thread: robots are small. */
#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/step_internal.h"

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
    const uint64_t facets = peer->hull.facet_count;
    const uint64_t parts = corners ? 8 * slots + 1 : 0;
    const uint64_t numbers = (pushed ? 3 * slots : 0) + 4 * points + 3 * (parts + corners + facets);
    vxe_peer_scratch *own = vxe_memory_take(1, sizeof *own);
    if (!own) {
        return vxe_error_memory(error, sizeof *own);
    }
    scratch->peer = own;
    own->view = peer->view;
    own->block = vxe_memory_take(numbers, sizeof *own->block);
    own->found = vxe_memory_take(points, sizeof *own->found);
    if (!own->block || !own->found) {
        return vxe_error_memory(error, numbers * sizeof *own->block);
    }
    double *next = own->block;
    for (int c = 0; c < 3 && pushed; c++) {
        own->push[c] = own->view.push[c] = next;
        next += slots;
    }
    for (int c = 0; c < 4; c++) {
        own->point[c] = next;
        next += points;
    }
    own->flow.stride = slots;
    for (int c = 0; c < 3; c++) {
        own->flow.part[c] = next;
        own->flow.corner[c] = next + parts;
        own->flow.force[c] = next + parts + corners;
        next += parts + corners + facets;
    }
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
        own->point[3][i] = scratch->arrays.edge + ((const double *)scratch->arrays.swell)[slot];
    }
    return (vxe_peer_points){
        {own->point[0], own->point[1], own->point[2]}, own->point[3], peer->surface_count};
}

/* Lists the pairs that are near each other, but those within three bonds. */
static void list_pairs(const vxe_scratch *scratch, const vxe_peer_points *points)
{
    const vxe_peer_model *peer = scratch->model->peer;
    vxe_peer_memory *memory = scratch->state->peer;
    const double reach = HORIZON * scratch->model->edge;
    memory->pair_count = 0;
    memory->full = false;
    for (uint32_t one = 0; one < points->count; one++) {
        const uint32_t count =
            scratch->model->kernels->peer->near(points, one, reach, scratch->peer->found);
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

/* How far two voxels' centres are apart, squared (m^2), and where the second is for the first. */
static double apart_squared(const vxe_peer_points *points, uint32_t one, uint32_t two,
                            double apart[3])
{
    double d2 = 0;
    for (int c = 0; c < 3; c++) {
        apart[c] = points->x[c][two] - points->x[c][one];
        d2 += apart[c] * apart[c];
    }
    return d2;
}

static double reach_of(const vxe_peer_points *points, uint32_t one, uint32_t two)
{
    return TOUCHING * (points->edge[one] + points->edge[two]);
}

/* F = k (1.5 mean edges - d), along the line of centres, k the harmonic mean of both. */
static void push_pair(const vxe_scratch *scratch, const vxe_peer_points *points, uint32_t one,
                      uint32_t two)
{
    double apart[3];
    const double d2 = apart_squared(points, one, two, apart);
    const double reach = reach_of(points, one, two);
    if (d2 < reach * reach && d2 > 0) {
        const vxe_peer_model *peer = scratch->model->peer;
        const double d = sqrt(d2);
        const double k1 = peer->modulus[peer->surface[one]];
        const double k2 = peer->modulus[peer->surface[two]];
        const double sum = k1 + k2;
        const double by = sum > 0 ? 2 * k1 * k2 / sum * (reach - d) / d : 0;
        for (int c = 0; c < 3; c++) {
            scratch->peer->push[c][peer->surface[one]] -= by * apart[c];
            scratch->peer->push[c][peer->surface[two]] += by * apart[c];
        }
    }
}

void vxe_peer_push(vxe_scratch *scratch, double h)
{
    const vxe_model *model = scratch->model;
    vxe_peer_memory *memory = scratch->state->peer;
    if (model->peer->surface_count > 0) {
        const vxe_peer_points points = pack(scratch);
        if (!memory->listed || memory->moved > 0.5 * (HORIZON - 1) * model->edge) {
            list_pairs(scratch, &points);
        }
        for (uint64_t pair = 0; pair < memory->pair_count; pair++) {
            push_pair(scratch, &points, memory->pairs[2 * pair], memory->pairs[2 * pair + 1]);
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
    const vxe_peer_model *peer = scratch->model->peer;
    if (peer->surface_count == 0) {
        return;
    }
    const vxe_peer_points points = pack(scratch);
    const vxe_peer_memory *memory = scratch->state->peer;
    for (uint64_t pair = 0; pair < memory->pair_count; pair++) {
        const uint32_t one = memory->pairs[2 * pair];
        const uint32_t two = memory->pairs[2 * pair + 1];
        double apart[3];
        const double reach = reach_of(&points, one, two);
        if (apart_squared(&points, one, two, apart) < reach * reach) {
            touched[topology->order[peer->surface[one]]] = 1;
            touched[topology->order[peer->surface[two]]] = 1;
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

/* Runs the law on a vector's bonds twice, what they do thrown away: whatever their mode was, they
 * then remember the pose that they are in. */
static void look_again(const vxe_scratch *scratch, uint32_t axis, uint32_t vector)
{
    const vxe_model *model = scratch->model;
    double away[12][VXE_VECTOR] = {{0}};
    vxe_bond_target target = {.packed = true, .packed_first = vector};
    for (int c = 0; c < 6; c++) {
        target.own[c] = away[c];
        target.pull[c] = away[c + 6];
    }
    for (int again = 0; again < 2; again++) {
        model->kernels->peer->run[model->peer->law][axis](&scratch->arrays, &target, vector,
                                                          vector + 1);
    }
}

void vxe_peer_placed(vxe_scratch *scratch, uint32_t slot)
{
    if (!scratch->peer) {
        return;
    }
    vxe_peer_memory *memory = scratch->state->peer;
    memory->listed = false;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const vxe_bond_vectors *bonds = &scratch->arrays.bonds[axis];
        for (uint32_t v = 0; v < bonds->count; v++) {
            const uint32_t low = slot - bonds->lower[v];
            const uint32_t high = slot - bonds->upper[v];
            uint32_t own = low < VXE_VECTOR ? 1u << low : 0;
            own |= high < VXE_VECTOR ? 1u << high : 0;
            own &= bonds->present[v];
            if (!own) {
                continue;
            }
            double *now = memory->bonds[axis] + (uint64_t)v * VXE_PEER_MEMORY * VXE_VECTOR;
            double before[VXE_PEER_MEMORY * VXE_VECTOR];
            memcpy(before, now, sizeof before);
            look_again(scratch, axis, v);
            for (uint32_t i = 0; i < VXE_PEER_MEMORY * VXE_VECTOR; i++) {
                now[i] = own >> i % VXE_VECTOR & 1 ? now[i] : before[i];
            }
        }
    }
}
