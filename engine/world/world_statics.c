/* SPDX-License-Identifier: MIT */
/* A world at rest: equilibrium, reactions and vibrations by statics/. */
#include <math.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/statics/statics.h"
#include "engine/world/world_data.h"

vxe_settle_def vxe_settle_def_default(void)
{
    return (vxe_settle_def){.time = (double)NAN, .tolerance = 1e-12, .steps = 1000};
}

/* Reads the lattice of a world at its present poses and edges. */
static vxe_status read_body(const vxe_world *world, double time, vxe_static_body *body,
                            vxe_error *error)
{
    const char *what = NULL;
    what = world->hand_count > 0 ? "hands that hold voxels" : what;
    what = world->affine.count > 0 ? "affine bodies" : what;
    if (what) {
        (void)vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                             "statics cannot do %s; run the design until it rests", what);
        return VXE_ERROR_UNSUPPORTED;
    }
    return vxe_static_body_init(body, &world->workspace, time, world->workspace.partition_count,
                                error);
}

/* About the square of the stiffest motion's frequency (rad^2/s^2), above 0. */
static double stiffest_of(const vxe_world *world)
{
    return fmax(world->simulation.model.spectrum.lambda_k, 1);
}

/* Takes over the poses of a body, all at rest. */
static void take_poses(vxe_world *world, const vxe_static_body *body, vxe_settled *settled)
{
    vxe_state *state = &world->simulation.state;
    double farthest = -1;
    for (uint32_t v = 0; v < body->voxels; v++) {
        const double *moved = body->moved + 3 * (size_t)v;
        const vxe_quat q = body->q[v];
        const double orientation[4] = {q.w, q.x, q.y, q.z};
        const double square = moved[0] * moved[0] + moved[1] * moved[1] + moved[2] * moved[2];
        for (int c = 0; c < 3; c++) {
            vxe_state_put_position(state, c, v,
                                   vxe_state_position(state, c, v) + moved[c] * body->edge);
            vxe_state_put_velocity(state, c, v, 0);
            vxe_state_put_spin(state, c, v, 0);
        }
        for (int c = 0; c < 4; c++) {
            vxe_state_put_orientation(state, c, v, orientation[c]);
        }
        if (square > farthest) {
            farthest = square;
            settled->largest_voxel = world->simulation.model.topology.order[v];
        }
    }
    settled->largest_move = sqrt(farthest) * body->edge;
    vxe_workspace_contacts_forget(&world->workspace);
    vxe_energy_guard_restart(&world->guard);
}

static vxe_status check_def(const vxe_settle_def *def, vxe_error *error)
{
    if (!(def->tolerance > 0 && def->tolerance <= 1e-3)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a tolerance of %g: it is above 0 and at most 0.001", def->tolerance);
    }
    if (def->steps == 0 || isinf(def->time)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "%s",
                              def->steps == 0 ? "no steps" : "an infinite time");
    }
    return VXE_OK;
}

vxe_status vxe_world_settle(vxe_world *world, const vxe_settle_def *def, vxe_settled *settled,
                            vxe_error *error)
{
    const double now = vxe_state_time(&world->simulation.state);
    const double time = isnan(def->time) ? now : def->time;
    vxe_settled found = {0};
    vxe_static_body body;
    vxe_status status = check_def(def, error);
    if (status) {
        return status;
    }
    vxe_workspace_resize(&world->workspace, time);
    status = read_body(world, time, &body, error);
    if (!status) {
        status = vxe_static_body_settle(&body, def, stiffest_of(world), &found, error);
        if (!status) {
            take_poses(world, &body, &found);
        }
        vxe_static_body_clear(&body);
    }
    if (status) {
        vxe_workspace_resize(&world->workspace, now);
    }
    if (settled) {
        *settled = found;
    }
    return status;
}

vxe_status vxe_world_reactions(const vxe_world *world, double *forces, double *moments,
                               vxe_error *error)
{
    vxe_static_body body;
    vxe_status status = read_body(world, 0, &body, error);
    if (status) {
        return status;
    }
    const uint64_t numbers = (uint64_t)body.voxels * VXE_FREEDOMS;
    double *left = vxe_memory_take(numbers, sizeof *left);
    if (!left) {
        status = vxe_error_memory(error, numbers * sizeof *left);
    } else {
        vxe_static_size size;
        (void)vxe_static_forces(&body, 1, false, left, &size);
        for (uint32_t slot = 0; slot < body.voxels; slot++) {
            const size_t voxel = world->simulation.model.topology.order[slot];
            const double *own = left + (size_t)slot * VXE_FREEDOMS;
            for (size_t c = 0; c < 3; c++) {
                const unsigned fixed = (unsigned)body.fixed[slot] >> c;
                forces[3 * voxel + c] = fixed & 1 ? -own[c] / body.edge : 0;
                moments[3 * voxel + c] = fixed >> 3 & 1 ? -own[3 + c] : 0;
            }
        }
    }
    vxe_memory_release(left);
    vxe_static_body_clear(&body);
    return status;
}

/* Writes a shape in design order, scaled to a largest displacement of one edge; or, where nothing
   is displaced, to a largest rotation of 1 rad. */
static void write_shape(const vxe_world *world, const vxe_static_body *body, const double *from,
                        double *into)
{
    double largest[2] = {0, 0};
    for (size_t i = 0; i < body->voxels; i++) {
        for (size_t part = 0; part < 2; part++) {
            const double *v = from + i * VXE_FREEDOMS + 3 * part;
            largest[part] = fmax(largest[part], sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
        }
    }
    const double by = largest[0] > 1e-9 * largest[1] ? 1 / largest[0] : 1 / largest[1];
    for (uint32_t slot = 0; slot < body->voxels; slot++) {
        const size_t voxel = world->simulation.model.topology.order[slot];
        for (size_t c = 0; c < VXE_FREEDOMS; c++) {
            into[voxel * VXE_FREEDOMS + c] =
                from[(size_t)slot * VXE_FREEDOMS + c] * by * (c < 3 ? body->edge : 1);
        }
    }
}

vxe_status vxe_world_modes(const vxe_world *world, uint32_t count, double *frequencies,
                           double *shapes, vxe_error *error)
{
    vxe_static_body body;
    vxe_status status = read_body(world, 0, &body, error);
    if (status) {
        return status;
    }
    const uint64_t numbers = (uint64_t)body.voxels * VXE_FREEDOMS;
    /* where a whole body may move, squares below this are those of such motions */
    const double none = body.loose ? 1e-13 * stiffest_of(world) : 0;
    const uint64_t all = (count <= numbers ? count : 1) * numbers; /* more are refused there */
    double *found = vxe_memory_take(all, sizeof *found);
    status =
        found ? vxe_static_body_modes(&body, count, stiffest_of(world), frequencies, found, error)
              : vxe_error_memory(error, all * sizeof *found);
    for (uint32_t i = 0; i < count && !status; i++) {
        const double square = frequencies[i];
        const double root = sqrt(fabs(square)) / VXE_TAU;
        frequencies[i] = fabs(square) < none ? 0 : square < 0 ? -root : root;
        if (shapes) {
            write_shape(world, &body, found + i * numbers, shapes + i * numbers);
        }
    }
    vxe_memory_release(found);
    vxe_static_body_clear(&body);
    return status;
}
