/* SPDX-License-Identifier: MIT */
/* A body at rest, read from a simulation, and moved. */
#include "engine/statics/static_body.h"

#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "common/rotation_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/solver/solver.h"

/* A distance that differs from the lattice's by less than this part of the places (edges) differs
   by rounding. */
#define ROUNDING 1e-15

/* What of a model has no statics here, in words; null where all has. */
static const char *beyond_statics(const vxe_workspace *workspace)
{
    const vxe_model *model = workspace->model;
    const char *what = NULL;
    what = model->conventions.law != VXE_LAW_MID_FRAME
               ? "the bond law of its conventions (the native one has: --conventions native)"
               : what;
    what = model->bars ? "bars, which leave voxels free to turn" : what;
    what = model->terrain ? "a floor that is not level" : what;
    what = model->magnets ? "magnets" : what;
    what = model->particles ? "contact models" : what;
    what = model->field.acts ? "a force field" : what;
    what = workspace->arrays.faces && workspace->arrays.fluid_lift > 0 ? "buoyancy" : what;
    return what;
}

static vxe_status take_arrays(vxe_static_body *body, const vxe_workspace *workspace,
                              vxe_error *error)
{
    const uint64_t n = body->voxels;
    const bool floor = workspace->arrays.floor_stiffness;
    const bool driven = workspace->model->driven_count > 0;
    const bool poisson = workspace->model->poisson;
    body->bond = vxe_memory_take(body->bonds, sizeof *body->bond);
    body->act = vxe_memory_take(body->bonds, sizeof *body->act);
    body->bond_at = vxe_memory_take(n * VXE_DIRECTIONS, sizeof *body->bond_at);
    body->start = vxe_memory_take(3 * n, sizeof *body->start);
    body->moved = vxe_memory_take(3 * n, sizeof *body->moved);
    body->q = vxe_memory_take(n, sizeof *body->q);
    body->load = vxe_memory_take(n * VXE_FREEDOMS, sizeof *body->load);
    body->mass = vxe_memory_take(n * VXE_FREEDOMS, sizeof *body->mass);
    body->fixed = vxe_memory_take(n, sizeof *body->fixed);
    body->push = floor ? vxe_memory_take(n, sizeof *body->push) : NULL;
    body->height = floor ? vxe_memory_take(n, sizeof *body->height) : NULL;
    body->driven = driven ? vxe_memory_take(n * VXE_FREEDOMS, sizeof *body->driven) : NULL;
    body->coupling = poisson ? vxe_memory_take(3 * n, sizeof *body->coupling) : NULL;
    body->tension = poisson ? vxe_memory_take(3 * n, sizeof *body->tension) : NULL;
    body->strain = poisson ? vxe_memory_take(body->bonds, sizeof *body->strain) : NULL;
    body->slope =
        poisson ? vxe_memory_take(2ull * VXE_FREEDOMS * body->bonds, sizeof *body->slope) : NULL;
    const bool coupled = !poisson || (body->coupling && body->tension &&
                                      (body->bonds == 0 || (body->strain && body->slope)));
    const bool complete = coupled && (body->bonds == 0 || (body->bond && body->act)) &&
                          body->bond_at && body->start && body->moved && body->q && body->load &&
                          body->mass && body->fixed && (!floor || (body->push && body->height)) &&
                          (!driven || body->driven);
    return complete ? VXE_OK : vxe_error_memory(error, n * 40 * sizeof(double));
}

void vxe_static_body_clear(vxe_static_body *body)
{
    vxe_memory_release(body->bond);
    vxe_memory_release(body->act);
    vxe_memory_release(body->bond_at);
    vxe_memory_release(body->start);
    vxe_memory_release(body->moved);
    vxe_memory_release(body->q);
    vxe_memory_release(body->load);
    vxe_memory_release(body->push);
    vxe_memory_release(body->height);
    vxe_memory_release(body->mass);
    vxe_memory_release(body->driven);
    vxe_memory_release(body->coupling);
    vxe_memory_release(body->tension);
    vxe_memory_release(body->strain);
    vxe_memory_release(body->slope);
    vxe_memory_release(body->fixed);
    *body = (vxe_static_body){0};
}

static void read_voxel(vxe_static_body *body, const vxe_workspace *workspace, uint32_t v)
{
    const vxe_kernel_arrays *s = &workspace->arrays;
    const vxe_precision precision = workspace->model->precision;
    const double mass = vxe_real_at(precision, s->mass, v);
    const double edge = body->edge;
    for (int c = 0; c < 3; c++) {
        const size_t move = (size_t)v * VXE_FREEDOMS + (size_t)c;
        const double load = s->load[c] ? vxe_real_at(precision, s->load[c], v) : 0;
        if (body->coupling) {
            body->coupling[3 * (size_t)v + (size_t)c] =
                vxe_real_at(precision, s->poisson_coupling[c], v) * edge;
        }
        body->start[3 * (size_t)v + (size_t)c] = vxe_state_position(workspace->state, c, v) / edge;
        body->load[move] = (mass * s->gravity[c] + load) * edge;
        body->load[move + 3] = s->load[3 + c] ? vxe_real_at(precision, s->load[3 + c], v) : 0;
        body->mass[move] = mass * edge * edge;
        body->mass[move + 3] = mass * vxe_gyration(precision, s, v);
        const bool fixed = !(vxe_real_at(precision, s->inverse_mass[c], v) > 0);
        const bool turns_not = !(vxe_real_at(precision, s->inverse_inertia[c], v) > 0);
        body->fixed[v] |= (uint8_t)((unsigned)fixed << c | (unsigned)turns_not << (3 + c));
    }
    body->q[v] = (vxe_quat){vxe_state_orientation(workspace->state, 0, v),
                            vxe_state_orientation(workspace->state, 1, v),
                            vxe_state_orientation(workspace->state, 2, v),
                            vxe_state_orientation(workspace->state, 3, v)};
    if (body->push) {
        const double growth = vxe_real_at(precision, s->edge_growth, v);
        body->push[v] = vxe_real_at(precision, s->floor_stiffness, v) * edge * edge;
        body->height[v] =
            body->start[3 * (size_t)v + 2] - s->floor_height / edge - 0.5 * (1 + growth / edge);
    }
}

/* A distance between places of a size, without rounding. */
static double unrounded(double distance, double lattice, double size)
{
    return fabs(distance - lattice) < ROUNDING * (1 + size) ? lattice : distance;
}

static void read_bonds(vxe_static_body *body, const vxe_workspace *workspace)
{
    vxe_bond_place place = {.at = UINT64_MAX};
    const double edge = body->edge;
    body->bonds = 0;
    memset(body->bond_at, 0xff, (size_t)body->voxels * VXE_DIRECTIONS * sizeof *body->bond_at);
    while (vxe_bond_next(workspace->model, &place)) {
        vxe_springs k = vxe_bond_springs(workspace, &place);
        if (!(k.axial > 0)) {
            continue;
        }
        k = (vxe_springs){
            k.axial * edge * edge, k.shear * edge * edge, k.torsion, k.bending, k.couple * edge, 0};
        double rest[3];
        for (size_t c = 0; c < 3; c++) {
            const double lower = body->start[3 * (size_t)place.lower + c];
            const double upper = body->start[3 * (size_t)place.upper + c];
            rest[c] = unrounded(upper - lower, c == place.axis, fabs(lower) + fabs(upper));
        }
        body->bond_at[(size_t)place.lower * VXE_DIRECTIONS + place.axis] = body->bonds;
        body->bond_at[(size_t)place.upper * VXE_DIRECTIONS + 3 + place.axis] = body->bonds;
        body->bond[body->bonds++] =
            (vxe_static_bond){.lower = place.lower,
                              .upper = place.upper,
                              .axis = (int)place.axis,
                              .rest = {rest[0], rest[1], rest[2]},
                              .length = unrounded(vxe_bond_rest(workspace, &place) / edge, 1, 0),
                              .spring = k,
                              .part = vxe_bond_lower_part(workspace, &place)};
    }
}

/* The rotation vector of a unit quaternion (rad). */
static void rotation_vector(vxe_quat q, double into[3])
{
    const double size = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    const double side = q.w < 0 ? -1 : 1;
    const double by = size > 1e-9 ? 2 * vxe_angle_of(side * q.w, size) / size : 2;
    into[0] = side * by * q.x;
    into[1] = side * by * q.y;
    into[2] = side * by * q.z;
}

/* How far prescribed motions take their voxels from where they are. */
static void read_driven(vxe_static_body *body, const vxe_model *model, double time)
{
    for (uint32_t i = 0; i < model->driven_count; i++) {
        const vxe_driven_freedom *driven = &model->driven[i];
        const size_t v = driven->slot;
        const double amount =
            driven->amount * vxe_time_table_at(&model->tables[driven->region], time);
        double turned[3];
        rotation_vector(body->q[v], turned);
        body->driven[v * VXE_FREEDOMS + driven->freedom] =
            driven->freedom < 3
                ? (driven->rest + amount) / body->edge - body->start[3 * v + driven->freedom]
                : amount - turned[driven->freedom - 3];
    }
}

/* Whether some voxel is joined to none that is fixed in all freedoms: the body may move as a
   whole. queue: (voxels); reached: (voxels), zero. */
static bool is_loose(const vxe_static_body *body, uint32_t *queue, uint8_t *reached)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < body->voxels; v++) {
        if (body->fixed[v] == VXE_FIX_ALL) {
            reached[v] = 1;
            queue[count++] = v;
        }
    }
    for (uint32_t done = 0; done < count; done++) {
        for (size_t d = 0; d < VXE_DIRECTIONS; d++) {
            const uint32_t at = body->bond_at[(size_t)queue[done] * VXE_DIRECTIONS + d];
            const uint32_t other = at == VXE_NONE ? VXE_NONE
                                   : d < 3        ? body->bond[at].upper
                                                  : body->bond[at].lower;
            if (other != VXE_NONE && !reached[other]) {
                reached[other] = 1;
                queue[count++] = other;
            }
        }
    }
    return count < body->voxels;
}

vxe_status vxe_static_body_init(vxe_static_body *body, const vxe_workspace *workspace, double time,
                                uint32_t threads, vxe_error *error)
{
    const vxe_model *model = workspace->model;
    const char *what = beyond_statics(workspace);
    *body = (vxe_static_body){.voxels = model->topology.voxel_count,
                              .bonds = (uint32_t)model->topology.bond_count,
                              .threads = threads,
                              .edge = model->edge};
    if (what) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "statics cannot do %s; run the design until it rests", what);
    }
    uint32_t *queue = vxe_memory_take(body->voxels, sizeof *queue);
    uint8_t *reached = vxe_memory_take(body->voxels, 1);
    vxe_status status = queue && reached ? take_arrays(body, workspace, error)
                                         : vxe_error_memory(error, 5ull * body->voxels);
    if (!status) {
        for (uint32_t v = 0; v < body->voxels; v++) {
            read_voxel(body, workspace, v);
        }
        read_bonds(body, workspace);
        if (body->driven) {
            read_driven(body, model, time);
        }
        body->loose = is_loose(body, queue, reached);
    }
    vxe_memory_release(queue);
    vxe_memory_release(reached);
    if (status) {
        vxe_static_body_clear(body);
    }
    return status;
}

void vxe_static_move(vxe_static_body *body, const double *step)
{
    for (size_t v = 0; v < body->voxels; v++) {
        const double *by = step + v * VXE_FREEDOMS;
        const double square = by[3] * by[3] + by[4] * by[4] + by[5] * by[5];
        const double angle = sqrt(square);
        double sine = 0;
        double cosine = 1;
        vxe_sincos_cycles(0.5 * angle / VXE_TAU, &sine, &cosine);
        const double half = square < 1e-12 ? 0.5 : sine / angle;
        const double turn[4] = {cosine, half * by[3], half * by[4], half * by[5]};
        const double old[4] = {body->q[v].w, body->q[v].x, body->q[v].y, body->q[v].z};
        double q[4];
        vxe_quaternion_times(turn, old, q);
        const double by_length = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        body->q[v] =
            (vxe_quat){by_length * q[0], by_length * q[1], by_length * q[2], by_length * q[3]};
        for (size_t c = 0; c < 3; c++) {
            body->moved[3 * v + c] += by[c];
        }
    }
}

void vxe_static_places(const vxe_static_body *body, double *place, int32_t *cell)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (size_t i = 0; i < 3 * (size_t)body->voxels; i++) {
        place[i] = body->start[i] + body->moved[i];
        low[i % 3] = fmin(low[i % 3], body->start[i]);
    }
    for (size_t i = 0; i < 3 * (size_t)body->voxels; i++) {
        const double at = body->start[i] - low[i % 3] + 0.5;
        cell[i] = at < 1e9 ? (int32_t)at : 1000000000;
    }
}
