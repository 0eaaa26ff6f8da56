/* SPDX-License-Identifier: MIT */
/* Compiles the affine bodies of a design: faces cut into patches, moments, mobility, initial state,
   walls, memory for steps. Checks that bodies start apart. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/rotation_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/affine/affine_group.h"
#include "engine/affine/affine_lanes.h"
#include "engine/affine/affine_motion.h"

/* s: maximum step of a world of affine bodies alone. */
#define LONGEST_STEP 1e-3
/* A start is corrected with a warning where its volume is off by more than this fraction, or its
   rates change the volume by more than this per second (1/s). */
#define OFF 1e-9

void vxe_affine_group_clear(vxe_affine_group *group)
{
    for (uint32_t i = 0; i < group->count && group->bodies; i++) {
        vxe_affine *body = &group->bodies[i];
        vxe_memory_release(body->patches);
        vxe_memory_release(body->normals);
        vxe_memory_release(body->face_of);
        for (int f = 0; f < VXE_AFFINE_FORMULAS; f++) {
            vxe_expression_clear(&body->formulas[f]);
        }
    }
    for (uint32_t i = 0; i < group->count && group->hulls; i++) {
        vxe_hull_clear(&group->hulls[i]);
    }
    vxe_memory_release(group->bodies);
    vxe_memory_release(group->states);
    vxe_memory_release(group->hulls);
    vxe_memory_release(group->pushes);
    vxe_memory_release(group->by_voxels);
    vxe_memory_release(group->now);
    vxe_memory_release(group->next);
    vxe_memory_release(group->taken);
    vxe_memory_release(group->members);
    vxe_memory_release(group->cluster);
    vxe_memory_release(group->ways);
    vxe_memory_release(group->planes);
    *group = (vxe_affine_group){.count = 0};
}

/* Cuts faces into patches of four corners, a fan around their first corner; the last patch of a
   face may have three. */
static vxe_status cut_faces(vxe_affine *body, const vxe_affine_shape *faces, vxe_error *error)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < faces->face_count; f++) {
        count += (faces->face_sizes[f] - 1) / 2;
    }
    body->patches = vxe_memory_take(count, sizeof *body->patches);
    body->normals = vxe_memory_take(3ull * count, sizeof *body->normals);
    body->face_of = vxe_memory_take(count, sizeof *body->face_of);
    if (!body->patches || !body->normals || !body->face_of) {
        return vxe_error_memory(error, count * (uint64_t)sizeof *body->patches);
    }
    uint32_t at = 0;
    for (uint32_t f = 0; f < faces->face_count; f++) {
        const uint32_t n = faces->face_sizes[f];
        for (uint32_t i = 1; i + 1 < n; i += 2) {
            const uint32_t last = i + 2 < n ? i + 2 : i + 1;
            const uint32_t which[4] = {0, i, i + 1, last};
            const double *corner[4];
            for (int k = 0; k < 4; k++) {
                corner[k] = faces->vertices + 3 * (size_t)faces->corners[at + which[k]];
            }
            double *normal = body->normals + 3 * (size_t)body->patch_count;
            vxe_power_patch *patch = &body->patches[body->patch_count];
            vxe_affine_make_patch(corner, patch);
            vxe_cross3(patch->side[0], patch->side[1], normal);
            body->face_of[body->patch_count] = f;
            /* corners may lie on one line: such a patch has no area and is dropped */
            body->patch_count += hypot(hypot(normal[0], normal[1]), normal[2]) > 0;
        }
        at += n;
    }
    VXE_ASSERT(at == faces->corner_count && body->patch_count <= count);
    return VXE_OK;
}

/* m: distance at which each pressure of the power law has fallen to 1e-12 of its value at d0;
   bodies farther apart than this do not act on each other. */
static double reach_of(const double contact[VXE_POWER_NUMBERS])
{
    static const double sampled = 1e-12;
    static const int kinds[4][2] = {{VXE_POWER_ALPHA_R, VXE_POWER_NU_R},
                                    {VXE_POWER_BETA_D, VXE_POWER_NU_D},
                                    {VXE_POWER_BETA_F, VXE_POWER_NU_F},
                                    {VXE_POWER_BETA_A, VXE_POWER_NU_AA}};
    double reach = 0;
    for (int i = 0; i < 4; i++) {
        if (contact[kinds[i][0]] > 0) {
            reach = fmax(reach, vxe_exponential(-vxe_logarithm(sampled) / contact[kinds[i][1]]));
        }
    }
    return reach * contact[VXE_POWER_D0];
}

/* 1/kg: maximum acceleration of a vertex by a unit force at it: 1/m, plus the largest eigenvalue of
   [x]^T I^-1 [x] over the vertices for a rigid body, or of x J^-1 x for one that deforms. */
static double mobility_of(const vxe_affine *body, const vxe_affine_shape *faces)
{
    double max = 0;
    for (uint32_t v = 0; v < faces->vertex_count; v++) {
        const double *x = faces->vertices + 3 * (size_t)v;
        double by[3];
        double arm[3]; /* m: from the pin or centroid, along the principal axes */
        double values[3];
        double axes[9];
        for (int c = 0; c < 3; c++) {
            by[c] = x[c] + body->own.arm[c];
        }
        vxe_m3_apply_transposed(body->own.axes, by, arm);
        const double cross[9] = {0, -arm[2], arm[1], arm[2], 0, -arm[0], -arm[1], arm[0], 0};
        double scaled[9];
        double answer[9];
        for (int i = 0; i < 9; i++) {
            scaled[i] = cross[i] / body->moments[i / 3];
        }
        vxe_m3_transposed_times(cross, scaled, answer);
        vxe_principal_axes(answer, axes, values);
        vxe_m3_apply(body->own.inverse_euler, x, by);
        const double turned = fmax(values[0], fmax(values[1], values[2]));
        max = fmax(max, body->own.is.rigid ? turned : vxe_dot3(x, by));
    }
    return (body->own.is.pinned ? 0 : 1 / body->own.mass) + max;
}

/* Parses a body's formulas and sets the traits that follow from them. */
static vxe_status parse(vxe_affine *body, const vxe_affine_body *from, vxe_error *error)
{
    static const char *const names[] = {"t"};
    vxe_status status = VXE_OK;
    for (int i = 0; i < VXE_AFFINE_FORMULAS && !status; i++) {
        if (from->formulas[i]) {
            status = vxe_expression_parse(&body->formulas[i], from->formulas[i], names, 1, error);
            body->own.is.grows = body->own.is.grows || i < VXE_AFFINE_DRIVE;
            body->own.is.forced = body->own.is.forced || i >= VXE_AFFINE_FORCE;
        }
    }
    body->own.is.driven = from->number[VXE_AFFINE_GROWTH_VISCOSITY] > 0;
    return status;
}

/* Extends bounds (lower and upper corner, m) by a body at its start. */
static void widen(const vxe_affine_body *from, const vxe_affine_shape *faces, double bounds[2][3])
{
    for (uint32_t v = 0; v < faces->vertex_count; v++) {
        double at[3];
        vxe_m3_apply(from->deformation, faces->vertices + 3 * (size_t)v, at);
        vxe_rotate(from->orientation, at, at);
        for (int c = 0; c < 3; c++) {
            bounds[0][c] = fmin(bounds[0][c], from->center[c] + at[c]);
            bounds[1][c] = fmax(bounds[1][c], from->center[c] + at[c]);
        }
    }
}

/* Compiles one body and extends the bounds of all. */
static vxe_status compile(vxe_affine *body, const vxe_affine_body *from, double bounds[2][3],
                          vxe_error *error)
{
    vxe_affine_shape faces = {.kind = VXE_AFFINE_BOX};
    double inverse[9];
    memcpy(body->name, from->name, sizeof body->name);
    body->own.formulas[0] = body->formulas;
    VXE_ASSERT(from->kind < VXE_AFFINE_KINDS);
    body->own.is.rigid = from->kind == VXE_AFFINE_RIGID;
    body->own.is.viscous = from->number[VXE_AFFINE_VISCOSITY] > 0;
    body->own.is.isochoric = from->isochoric;
    body->own.is.pinned = from->pinned;
    body->own.is.hold_center = from->hold_center;
    body->own.is.hold_deformation = from->hold_deformation;
    memcpy(body->own.number, from->number, sizeof body->own.number);
    memcpy(body->contact, from->contact.number, sizeof body->contact);
    body->reach = reach_of(body->contact);
    body->own.is.keeps_volume =
        from->kind != VXE_AFFINE_RIGID && from->number[VXE_AFFINE_BULK] == 0;
    vxe_status status =
        vxe_affine_shape_moments(&from->shape, &body->own.volume, body->euler, error);
    status = status ? status : parse(body, from, error);
    status = status ? status : vxe_affine_shape_faces(&from->shape, &faces, error);
    if (status) {
        return status;
    }
    if (body->own.is.grows) {
        double growth[9];
        double flow[9];
        vxe_affine_growth_at(&body->own, 0, growth, flow);
        const double grown = vxe_m3_determinant(growth);
        if (!(grown > 1e-6 && grown < 1e6)) {
            vxe_affine_shape_release(&faces);
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "affine body '%s': the determinant of its growth is %g at t = 0; "
                                  "it must be from 1e-6 to 1e6",
                                  body->name, grown);
        }
    }
    VXE_ASSERT(body->own.volume > 0 && from->number[VXE_AFFINE_DENSITY] > 0);
    body->own.mass = from->number[VXE_AFFINE_DENSITY] * body->own.volume;
    body->own.inverse_mass = 1 / body->own.mass;
    for (int i = 0; i < 9; i++) {
        body->euler[i] *= from->number[VXE_AFFINE_DENSITY];
    }
    vxe_m3_inverse_transposed(body->euler, inverse);
    vxe_m3_transposed(inverse, body->own.inverse_euler);
    vxe_rigid_prepare(body, from->pin);
    body->mobility = mobility_of(body, &faces);
    widen(from, &faces, bounds);
    status = from->touches ? cut_faces(body, &faces, error) : VXE_OK;
    vxe_affine_shape_release(&faces);
    return status;
}

/* A body's orientation as a rotation matrix. */
static void rotation_of(const vxe_affine_body *from, double turn[9])
{
    const double *q = from->orientation;
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    VXE_ASSERT(fabs(length - 1) < 1e-3); /* the design has been checked */
    const double unit[4] = {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
    for (int c = 0; c < 3; c++) {
        double axis[3] = {c == 0, c == 1, c == 2};
        vxe_rotate(unit, axis, axis);
        for (int r = 0; r < 3; r++) {
            turn[3 * r + c] = axis[r];
        }
    }
}

/* Sets a rigid body's angular momentum from its spin, and its rates from that. */
static void start_rigid(const vxe_affine *body, const double spin[3], vxe_affine_state *state)
{
    double axes[9];
    double own[3];
    vxe_m3_times(state->deformation, body->own.axes, axes);
    vxe_m3_apply_transposed(axes, spin, own);
    for (int c = 0; c < 3; c++) {
        own[c] *= body->moments[c];
    }
    vxe_m3_apply(axes, own, state->spin);
    vxe_rigid_update(&body->own, state);
}

/* Scales a deformation that does not keep the volume and projects rates that do not, with a
   warning. */
static void correct_volume(const vxe_affine *body, const double flow[9], vxe_affine_state *state,
                           vxe_messages *warnings)
{
    double inverse[9];
    double way[9];
    const double volume = vxe_m3_inverse_transposed(state->deformation, inverse);
    const double scale = vxe_m3_determinant(state->growth) / volume;
    if (fabs(scale - 1) > OFF) {
        const double by = vxe_exponential(vxe_logarithm(scale) / 3);
        vxe_messages_add(warnings,
                         "affine body '%s' keeps its volume but starts with %.6g times that "
                         "volume: its deformation is scaled by %.6g",
                         body->name, 1 / scale, by);
        for (int i = 0; i < 9; i++) {
            state->deformation[i] *= by;
            inverse[i] /= by;
        }
    }
    vxe_m3_times(inverse, body->own.inverse_euler, way);
    const double off = vxe_m3_dot(inverse, state->rate) - vxe_m3_trace(flow);
    if (fabs(off) > OFF && !body->own.is.hold_deformation) {
        vxe_messages_add(warnings,
                         "affine body '%s' keeps its volume but its rates would change it by %.4g "
                         "per second: they are projected",
                         body->name, off);
        vxe_m3_add(state->rate, -off / vxe_m3_dot(inverse, way), way);
    }
}

/* Sets the initial state of a body. */
static void start(vxe_affine *body, const vxe_affine_body *from, vxe_affine_state *state,
                  vxe_messages *warnings)
{
    const double *w = from->spin;
    const double turning[9] = {0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0};
    double turn[9];
    double flow[9] = {0};
    rotation_of(from, turn);
    memcpy(state->place, from->center, sizeof state->place);
    memcpy(state->v, from->velocity, sizeof state->v);
    vxe_m3_times(turn, from->deformation, state->deformation);
    vxe_m3_times(turning, state->deformation, state->rate);
    vxe_m3_add(state->rate, 1, from->rate);
    vxe_m3_apply(state->deformation, from->pin, body->own.pivot);
    for (int c = 0; c < 3; c++) {
        body->own.pivot[c] += state->place[c];
    }
    vxe_m3_identity(state->growth);
    if (body->own.is.grows) {
        vxe_affine_growth_at(&body->own, 0, state->growth, flow);
    }
    if (body->own.is.rigid) {
        start_rigid(body, w, state);
    } else if (body->own.is.keeps_volume) {
        correct_volume(body, flow, state, warnings);
    }
}

/* Takes the planes of the floor, which comes first, and of the walls. */
static vxe_status take_planes(vxe_affine_group *group, const vxe_design *design,
                              vxe_messages *warnings, vxe_error *error)
{
    const vxe_floor *floor = &design->floor;
    group->planes = vxe_memory_take(design->wall_count + 1ull, sizeof *group->planes);
    if (!group->planes) {
        return vxe_error_memory(error, (design->wall_count + 1ull) * sizeof *group->planes);
    }
    if (floor->enabled) {
        const double n[3] = {-floor->slope[0], -floor->slope[1], 1};
        const double length = sqrt(n[0] * n[0] + n[1] * n[1] + 1);
        vxe_plane *plane = &group->planes[group->plane_count++];
        for (int c = 0; c < 3; c++) {
            plane->n[c] = n[c] / length;
        }
        plane->level = floor->height / length;
        if (floor->radius > 0 || floor->heights.columns > 0) {
            vxe_messages_add(warnings, "for affine bodies the floor is an infinite plane: its "
                                       "heights and radius do not apply to them");
        }
    }
    for (uint32_t i = 0; i < design->wall_count; i++) {
        const vxe_wall *wall = &design->walls[i];
        vxe_plane *plane = &group->planes[group->plane_count++];
        memcpy(plane->n, wall->normal, sizeof plane->n);
        plane->level = wall->normal[0] * wall->point[0] + wall->normal[1] * wall->point[1] +
                       wall->normal[2] * wall->point[2];
    }
    return VXE_OK;
}

/* Takes memory for bodies and for their steps. */
static vxe_status take_memory(vxe_affine_group *group, uint32_t count, vxe_error *error)
{
    group->bodies = vxe_memory_take(count, sizeof *group->bodies);
    group->states = vxe_memory_take(count, sizeof *group->states);
    group->pushes = vxe_memory_take(count, sizeof *group->pushes);
    group->now = vxe_memory_take(count, sizeof *group->now);
    group->next = vxe_memory_take(count, sizeof *group->next);
    group->taken = vxe_memory_take(count, sizeof *group->taken);
    group->members = vxe_memory_take(count, sizeof *group->members);
    group->cluster = vxe_memory_take(count, sizeof *group->cluster);
    return group->bodies && group->states && group->pushes && group->now && group->next &&
                   group->taken && group->members && group->cluster
               ? VXE_OK
               : vxe_error_memory(error, count * (uint64_t)sizeof *group->bodies);
}

/* Takes hulls if bodies can touch each other or voxels; walls do not need them. */
static vxe_status take_hulls(vxe_affine_group *group, const vxe_design *design, vxe_error *error)
{
    uint32_t touching = 0;
    uint32_t max = 0;
    vxe_status status = VXE_OK;
    for (uint32_t b = 0; b < group->count; b++) {
        const vxe_affine *body = &group->bodies[b];
        touching += body->patch_count > 0;
        if (body->patch_count > 0 && body->face_of[body->patch_count - 1] >= max) {
            max = body->face_of[body->patch_count - 1] + 1;
        }
    }
    if (touching < 2 && (touching == 0 || design->voxel_count == 0)) {
        return VXE_OK;
    }
    if (max > VXE_MAX_COUPLING_FACES) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "an affine body has %u faces; one that can touch other bodies or "
                              "voxels may have at most %u",
                              max, VXE_MAX_COUPLING_FACES);
    }
    group->hulls = vxe_memory_take(group->count, sizeof *group->hulls);
    if (!group->hulls) {
        return vxe_error_memory(error, group->count * (uint64_t)sizeof *group->hulls);
    }
    for (uint32_t b = 0; b < group->count && !status; b++) {
        status = vxe_hull_init(&group->hulls[b], &group->bodies[b], error);
    }
    return status;
}

/* Checks that bodies start apart from walls and from each other. */
static vxe_status check_start(const vxe_affine_group *group, vxe_error *error)
{
    for (uint32_t b = 0; b < group->count; b++) {
        vxe_affine_load load;
        vxe_affine_load_of(group, b, 0, &load);
        if (!(load.nearest > 0)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "affine body '%s' starts in the floor, a wall or another body",
                                  group->bodies[b].name);
        }
    }
    return VXE_OK;
}

vxe_status vxe_affine_group_init(vxe_affine_group *group, const vxe_design *design,
                                 double part_scale, vxe_messages *warnings, vxe_error *error)
{
    VXE_ASSERT(part_scale > 0);
    double bounds[2][3] = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    *group = (vxe_affine_group){.step = LONGEST_STEP * part_scale};
    if (design->affine_count == 0) {
        return VXE_OK;
    }
    const char *why = NULL;
    group->kernels = vxe_kernels_for_machine(VXE_PRECISION_DOUBLE, &why);
    if (!group->kernels) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED, "%s", why);
    }
    vxe_status status = take_memory(group, design->affine_count, error);
    status = status ? status : take_planes(group, design, warnings, error);
    for (uint32_t i = 0; i < design->affine_count && !status; i++) {
        vxe_affine *body = &group->bodies[i];
        group->count = i + 1;
        status = compile(body, &design->affine[i], bounds, error);
        if (status) {
            break;
        }
        body->own.part_scale = part_scale;
        memcpy(body->own.gravity, design->gravity, sizeof body->own.gravity);
        start(body, &design->affine[i], &group->states[i], warnings);
        if (!body->own.is.rigid) {
            static const double still[9] = {0};
            const double part = vxe_affine_inner_part(&body->own, &group->states[i], still);
            group->step = fmin(group->step, part_scale * part);
        }
    }
    status = status ? status : take_hulls(group, design, error);
    status = status ? status : check_start(group, error);
    if (!status && vxe_affine_go_alone(group)) {
        group->ways = vxe_memory_take(group->count, sizeof *group->ways);
        status = group->ways ? VXE_OK : vxe_error_memory(error, group->count * sizeof *group->ways);
    }
    for (int c = 0; c < 3; c++) {
        group->extent[c] = bounds[1][c] - bounds[0][c];
    }
    if (status) {
        vxe_affine_group_clear(group);
    }
    return status;
}
