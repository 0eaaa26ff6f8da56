/* SPDX-License-Identifier: MIT */
/* Contacts and fluid of the Voxelyze family, and the memory of a run. One thread computes them,
   since robots of these simulators are small. Source: contact as it was measured (docs/accuracy.md,
   Compatibility presets). */
#include <math.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/model/workspace.h"
#include "engine/voxelyze/voxelyze.h"

/* Voxels touch if their centres are nearer than 1.5 mean edges. Pairs are listed within two edges,
   and again once the fastest voxels may have moved by half an edge in total (CollisionHorizon 2,
   ColSystem 3). */
#define TOUCHING 0.75
#define HORIZON 2.0

vxe_status vxe_voxelyze_workspace_init(vxe_workspace *workspace, vxe_error *error)
{
    const vxe_model *model = workspace->model;
    const vxe_voxelyze_model *voxelyze = model->voxelyze;
    if (!voxelyze) {
        return VXE_OK;
    }
    const uint64_t slots = model->slots;
    const uint64_t points = voxelyze->surface_count;
    const uint64_t corners = voxelyze->mesh.corner_count;
    const bool pushed = points > 0 || corners > 0;
    const uint64_t parts = corners ? 8 * slots : 0;
    const uint64_t numbers = 3 * ((pushed ? slots : 0) + points + parts + corners);
    vxe_voxelyze_workspace *own = vxe_memory_take(1, sizeof *own);
    if (!own) {
        return vxe_error_memory(error, sizeof *own);
    }
    workspace->voxelyze = own;
    own->view = voxelyze->view;
    own->block = vxe_memory_take(numbers, sizeof *own->block);
    own->found = vxe_memory_take(points + VXE_VOXELYZE_WIDTH, sizeof *own->found);
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
    VXE_ASSERT((uint64_t)(next - own->block) + 3 * (parts + corners) == numbers);
    own->flow = (vxe_voxelyze_flow){slots, next, next + 3 * parts};
    return VXE_OK;
}

void vxe_voxelyze_workspace_clear(vxe_workspace *workspace)
{
    if (workspace->voxelyze) {
        vxe_memory_release(workspace->voxelyze->block);
        vxe_memory_release(workspace->voxelyze->found);
        vxe_memory_release(workspace->voxelyze);
    }
}

void vxe_voxelyze_workspace_bind(vxe_workspace *workspace, vxe_state *state)
{
    vxe_voxelyze_workspace *own = workspace->voxelyze;
    if (own) {
        for (int axis = 0; axis < 3; axis++) {
            own->view.memory[axis] = state->voxelyze->bonds[axis];
        }
        workspace->arrays.voxelyze = &own->view;
        if (workspace->model->voxelyze->steps) {
            workspace->arrays.edge_growth =
                vxe_reals_of_doubles(workspace->model->precision, state->voxelyze->edge_growth);
        }
    }
}

/* Copies the positions of the surface voxels into contiguous arrays. */
static vxe_voxelyze_points pack(const vxe_workspace *workspace)
{
    const vxe_voxelyze_model *voxelyze = workspace->model->voxelyze;
    vxe_voxelyze_workspace *own = workspace->voxelyze;
    for (uint32_t i = 0; i < voxelyze->surface_count; i++) {
        const uint32_t slot = voxelyze->surface[i];
        for (int c = 0; c < 3; c++) {
            own->point[c][i] =
                vxe_doubles(workspace->model->precision, workspace->arrays.x[c])[slot];
        }
    }
    return (vxe_voxelyze_points){{own->point[0], own->point[1], own->point[2]},
                                 voxelyze->surface_count};
}

/* Lists the pairs of surface voxels within reach, except those within three bonds of each other. */
static void list_pairs(const vxe_workspace *workspace)
{
    const vxe_voxelyze_points points = pack(workspace);
    const vxe_voxelyze_model *voxelyze = workspace->model->voxelyze;
    vxe_voxelyze_memory *memory = workspace->state->voxelyze;
    const double reach = HORIZON * workspace->model->edge;
    VXE_ASSERT(workspace->voxelyze && voxelyze->bonded_first[0] == 0);
    memory->pair_count = 0;
    memory->full = false;
    for (uint32_t one = 0; one < points.count; one++) {
        const uint32_t count = vxe_voxelyze_kernels_of(workspace->model->kernels)
                                   ->near(&points, one, reach, workspace->voxelyze->found);
        uint32_t bonded = voxelyze->bonded_first[one];
        for (uint32_t i = 0; i < count && !memory->full; i++) {
            const uint32_t two = workspace->voxelyze->found[i];
            while (bonded < voxelyze->bonded_first[one + 1] && voxelyze->bonded[bonded] < two) {
                bonded++;
            }
            if (bonded < voxelyze->bonded_first[one + 1] && voxelyze->bonded[bonded] == two) {
                continue;
            }
            memory->full = memory->pair_count == memory->pair_capacity;
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

/* A pair of the contact list. */
typedef struct pair {
    uint32_t slot[2];
    double apart[3]; /* m: position of the second relative to the first */
    double d2;       /* m^2: squared distance */
    double reach;    /* m: distance below which they touch */
} pair;

/* A pair by its index in the list. */
static pair pair_of(const vxe_workspace *workspace, uint64_t index)
{
    VXE_ASSERT(index < workspace->state->voxelyze->pair_count);
    const uint32_t *places = workspace->state->voxelyze->pairs + 2 * index;
    const uint32_t *surface = workspace->model->voxelyze->surface;
    const vxe_kernel_arrays *arrays = &workspace->arrays;
    const vxe_precision precision = workspace->model->precision;
    pair p = {.slot = {surface[places[0]], surface[places[1]]}};
    for (int c = 0; c < 3; c++) {
        const double *x = vxe_doubles(precision, arrays->x[c]);
        p.apart[c] = x[p.slot[1]] - x[p.slot[0]];
        p.d2 += p.apart[c] * p.apart[c];
    }
    const double *edge_growth = vxe_doubles(precision, arrays->edge_growth);
    p.reach = TOUCHING *
              ((arrays->edge + edge_growth[p.slot[0]]) + (arrays->edge + edge_growth[p.slot[1]]));
    return p;
}

/* Adds the contact force k (1.5 mean edges - d) along the line of centres, with k the harmonic mean
   of both stiffnesses. */
static void push_pair(const vxe_workspace *workspace, const pair *p)
{
    if (p->d2 < p->reach * p->reach && p->d2 > 0) {
        const double d = sqrt(p->d2);
        const double k1 = workspace->model->voxelyze->modulus[p->slot[0]];
        const double k2 = workspace->model->voxelyze->modulus[p->slot[1]];
        const double sum = k1 + k2;
        const double by = sum > 0 ? 2 * k1 * k2 / sum * (p->reach - d) / d : 0;
        for (int c = 0; c < 3; c++) {
            workspace->voxelyze->push[c][p->slot[0]] -= by * p->apart[c];
            workspace->voxelyze->push[c][p->slot[1]] += by * p->apart[c];
        }
    }
}

void vxe_voxelyze_step(vxe_workspace *workspace, double h)
{
    const vxe_model *model = workspace->model;
    vxe_voxelyze_memory *memory = workspace->state->voxelyze;
    VXE_ASSERT(model->voxelyze && memory && h >= 0);
    if (model->voxelyze->surface_count > 0) {
        if (!memory->listed || memory->moved > 0.5 * (HORIZON - 1) * model->edge) {
            list_pairs(workspace);
        }
        for (uint64_t i = 0; i < memory->pair_count; i++) {
            const pair near = pair_of(workspace, i);
            push_pair(workspace, &near);
        }
        memory->moved += h * sqrt(vxe_voxelyze_kernels_of(model->kernels)
                                      ->fastest(&workspace->arrays, model->topology.voxel_count));
    }
    if (model->voxelyze->mesh.facet_count > 0) {
        vxe_fluid_mesh_kernels_of(model->kernels)
            ->flow(&workspace->arrays, model->topology.voxel_count, &model->voxelyze->mesh,
                   &workspace->voxelyze->flow, model->voxelyze->drag);
    }
}

void vxe_voxelyze_touches(const vxe_workspace *workspace, const vxe_topology *topology,
                          uint8_t *touched)
{
    for (uint64_t i = 0; i < workspace->state->voxelyze->pair_count; i++) {
        const pair near = pair_of(workspace, i);
        if (near.d2 < near.reach * near.reach) {
            touched[topology->order[near.slot[0]]] = 1;
            touched[topology->order[near.slot[1]]] = 1;
        }
    }
}

double vxe_voxelyze_depth(const vxe_workspace *workspace, uint32_t slot)
{
    VXE_ASSERT(slot < workspace->model->topology.voxel_count);
    const vxe_voxelyze_floor *ground = &workspace->model->voxelyze->view.ground;
    const vxe_kernel_arrays *arrays = &workspace->arrays;
    const vxe_precision precision = workspace->model->precision;
    const double x = vxe_real_at(precision, arrays->x[0], slot);
    const double y = vxe_real_at(precision, arrays->x[1], slot);
    const double z = vxe_real_at(precision, arrays->x[2], slot);
    const double half = 0.5 * (arrays->edge + vxe_real_at(precision, arrays->edge_growth, slot));
    const double from_x = x - ground->center[0];
    const double from_y = y - ground->center[1];
    const bool on_it = from_x * from_x + from_y * from_y <= ground->rim2;
    const double level = arrays->floor_height + ground->slope * (x + ground->origin_x);
    return on_it ? half - (z - level) : -HUGE_VAL;
}
