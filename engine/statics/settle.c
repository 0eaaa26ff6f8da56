/* SPDX-License-Identifier: MIT */
/* Equilibrium by Newton's method on the tangent of the bond law, each step solved by conjugate
   gradients with multigrid.

   A body that is held takes whole steps at once. Where these lead astray, loads come in parts; and
   where that fails too, and for bodies that nothing holds, a step is that of a heavy body in honey:
   so much times the masses is added to the stiffness, less with each step that goes well and more
   with each that goes too far (pseudo-transient continuation, KelleyKeyes1998). Such a step is good
   where the forces behind it, added to those before, still do work along it: then energy fell. */
#include "engine/statics/statics.h"

#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/core/arrays.h"
#include "engine/statics/multigrid.h"

/* Steps without parts of loads, at most, before loads are halved. */
#define PLAIN_STEPS 25u
#define MIN_PART (1.0 / 64)
/* Residual of the equations of one step. */
#define STEP_TOLERANCE 1e-4
/* Where forces fall no more, what is left is rounding if it is so many times an estimate of that.
 */
#define ROUNDINGS 30
/* Loads count as no less than what bonds have at this strain. */
#define MIN_STRAIN 1e-12
/* Added mass at first, at least and at most, as parts of the stiffest motion's. */
#define FIRST_MASS 1e-4
#define MIN_MASS 1e-12
#define MAX_MASS 1e4
/* Edges by which a step with added mass may move neighbours apart, and rad by which it may turn
   them. */
#define LONGEST 0.5
/* Edges or rad of prescribed motion that such a step takes along. */
#define DRIVEN 0.25
/* So many edges lead nowhere. */
#define ENDLESS 1e5

typedef struct search {
    vxe_static_body *body;
    const vxe_settle_def *def;
    vxe_settled *settled;
    size_t numbers;
    double stiffest;
    vxe_block_matrix matrix;
    vxe_multigrid grid;
    double *force; /* (numbers) what is left */
    double left;   /* its size, and what rounding may leave */
    double rounding;
    double *step; /* (numbers) */
    double *vectors;
    double *place; /* (voxels, 3) */
    int32_t *cell; /* (voxels, 3) */
    double *moved; /* (voxels, 3) kept poses */
    vxe_quat *q;
} search;

static void clear_search(search *s)
{
    vxe_multigrid_clear(&s->grid);
    vxe_block_matrix_clear(&s->matrix);
    vxe_memory_release(s->force);
    vxe_memory_release(s->step);
    vxe_memory_release(s->vectors);
    vxe_memory_release(s->place);
    vxe_memory_release(s->cell);
    vxe_memory_release(s->moved);
    vxe_memory_release(s->q);
}

static vxe_status take_search(search *s, vxe_error *error)
{
    const uint64_t n = s->body->voxels;
    s->force = vxe_memory_take(s->numbers, sizeof(double));
    s->step = vxe_memory_take(s->numbers, sizeof(double));
    s->vectors = vxe_memory_take(4 * s->numbers, sizeof(double));
    s->place = vxe_memory_take(3 * n, sizeof(double));
    s->cell = vxe_memory_take(3 * n, sizeof(int32_t));
    s->moved = vxe_memory_take(3 * n, sizeof(double));
    s->q = vxe_memory_take(n, sizeof(vxe_quat));
    if (!s->force || !s->step || !s->vectors || !s->place || !s->cell || !s->moved || !s->q) {
        return vxe_error_memory(error, (8 * s->numbers + 16 * n) * sizeof(double));
    }
    return vxe_static_matrix_init(s->body, &s->matrix, error);
}

static void keep_poses(search *s)
{
    memcpy(s->moved, s->body->moved, 3 * (size_t)s->body->voxels * sizeof *s->moved);
    memcpy(s->q, s->body->q, s->body->voxels * sizeof *s->q);
}

static void restore_poses(search *s)
{
    memcpy(s->body->moved, s->moved, 3 * (size_t)s->body->voxels * sizeof *s->moved);
    memcpy(s->body->q, s->q, s->body->voxels * sizeof *s->q);
}

/* The forces that are left, as the tolerance counts them; infinite beyond a bond's bounds. */
static double residual_of(search *s, double part)
{
    vxe_static_size size;
    if (!vxe_static_forces(s->body, part, true, s->force, &size)) {
        return HUGE_VAL;
    }
    const double scale = fmax(fmax(size.bonds, size.outside), MIN_STRAIN * size.stiffness);
    s->left = sqrt(vxe_product(s->force, s->force, s->numbers));
    s->rounding = size.rounding;
    return scale > 0 ? s->left / scale : 0;
}

/* Solves for a step by the present forces; driven: the part of prescribed motion that it takes
   along. *stable tells whether all its stiffness is positive. */
static vxe_status solve_step(search *s, double by_mass, double driven, double tolerance,
                             bool *stable, vxe_error *error)
{
    vxe_static_body *body = s->body;
    vxe_status status = vxe_static_tangent(body, by_mass * s->stiffest, &s->matrix, error);
    if (status) {
        return status;
    }
    if (driven != 0) { /* what it pulls at its neighbours */
        memset(s->step, 0, s->numbers * sizeof *s->step);
        vxe_add_scaled(s->step, driven, body->driven, s->numbers);
        vxe_block_matrix_apply(&s->matrix, s->step, s->vectors);
        if (body->coupling) {
            vxe_static_add_poisson(body, s->step, s->vectors);
        }
        vxe_add_scaled(s->force, -1, s->vectors, s->numbers);
        for (size_t i = 0; i < s->numbers; i++) {
            s->force[i] = vxe_static_is_fixed(body, i) ? 0 : s->force[i];
        }
    }
    vxe_static_hold(body, &s->matrix);
    vxe_static_places(body, s->place, s->cell);
    status = vxe_multigrid_init(&s->grid, &s->matrix, s->place, s->cell, error);
    if (!status) {
        s->grid.add = body->coupling ? vxe_static_add_poisson : NULL;
        s->grid.what = body;
        const vxe_solution solution = vxe_solve(&s->grid, s->force, tolerance, s->step, s->vectors);
        *stable = !solution.indefinite;
        s->settled->iterations += solution.iterations;
        s->settled->steps++;
        if (s->def->linear) {
            s->settled->residual = solution.residual;
        }
        vxe_multigrid_clear(&s->grid);
        if (driven != 0) {
            vxe_add_scaled(s->step, driven, body->driven, s->numbers);
        }
    }
    return status;
}

static double largest_of(const double *numbers, size_t count)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(numbers[i]));
    }
    return largest;
}

/* Whether some voxel has gone so far that it falls without end. */
static bool falls(const search *s)
{
    return !(largest_of(s->body->moved, 3 * (size_t)s->body->voxels) < ENDLESS);
}

static bool is_done(const search *s, double residual, double before)
{
    return residual <= s->def->tolerance || s->left <= s->rounding ||
           (s->left <= ROUNDINGS * s->rounding && residual > 0.5 * before);
}

/* Whole steps for a part of the loads, from kept poses, with `driven` more of prescribed motion.
 *found tells whether they led to an equilibrium. */
static vxe_status step_wholly(search *s, double part, double driven, bool *found, vxe_error *error)
{
    double before = HUGE_VAL;
    double motion = s->body->driven ? driven : 0;
    *found = false;
    for (uint32_t i = 0; i < PLAIN_STEPS && s->settled->steps < s->def->steps; i++) {
        const double residual = residual_of(s, part);
        s->settled->residual = residual;
        if (!isfinite(residual)) {
            return VXE_OK;
        }
        if (motion == 0 && is_done(s, residual, before)) {
            *found = true;
            return VXE_OK;
        }
        bool stable = true;
        const vxe_status status = solve_step(s, 0, motion, STEP_TOLERANCE, &stable, error);
        if (status || !stable || !(largest_of(s->step, s->numbers) < ENDLESS)) {
            return status;
        }
        vxe_static_move(s->body, s->step);
        before = residual;
        motion = 0;
    }
    return VXE_OK;
}

/* Loads in parts, each from the equilibrium of the one before; *reached is the part that has one.
 */
static vxe_status settle_in_parts(search *s, double *reached, vxe_error *error)
{
    double done = 0;
    double part = 1;
    vxe_status status = VXE_OK;
    while (!status && done < 1 && part >= MIN_PART && s->settled->steps < s->def->steps) {
        bool good = false;
        keep_poses(s);
        status = step_wholly(s, done + part, part, &good, error);
        if (good) {
            done += part;
            part = fmin(2 * part, 1 - done);
        } else {
            restore_poses(s);
            part *= 0.5;
        }
    }
    *reached = done;
    return status;
}

/* How far a step moves neighbours apart (edges), or turns a voxel (rad). */
static double longest_of(const search *s)
{
    double longest = 0;
    for (uint32_t i = 0; i < s->body->bonds; i++) {
        const double *lower = s->step + (size_t)s->body->bond[i].lower * VXE_FREEDOMS;
        const double *upper = s->step + (size_t)s->body->bond[i].upper * VXE_FREEDOMS;
        for (int c = 0; c < 3; c++) {
            longest = fmax(longest, fabs(upper[c] - lower[c]));
        }
    }
    for (size_t i = 0; i < s->numbers; i++) {
        longest = i % VXE_FREEDOMS < 3 ? longest : fmax(longest, fabs(s->step[i]));
    }
    return longest;
}

/* Adds a step that is cut to its longest; tells whether it goes too far, and then takes it back. */
static bool step_carefully(search *s, double *residual)
{
    const double longest = longest_of(s);
    const double cut = longest > LONGEST ? LONGEST / longest : 1;
    for (size_t i = 0; i < s->numbers; i++) {
        s->step[i] *= cut;
    }
    const double work = vxe_product(s->step, s->force, s->numbers);
    keep_poses(s);
    vxe_static_move(s->body, s->step);
    const double behind = residual_of(s, 1);
    const double more = isfinite(behind) ? vxe_product(s->step, s->force, s->numbers) : -HUGE_VAL;
    if (work + more > 0 || behind < 0.5 * *residual) {
        *residual = behind;
        return true;
    }
    restore_poses(s);
    return false;
}

/* Goes on by the rest of prescribed motion, of which a part is done, in short steps. *found tells
   whether all of it was gone. */
static vxe_status drive_slowly(search *s, double done, double by_mass, bool *found,
                               vxe_error *error)
{
    const double way = s->body->driven ? largest_of(s->body->driven, s->numbers) : 0;
    const double first = way > DRIVEN ? DRIVEN / way : 1;
    double longest = first;
    double left = way > 0 ? 1 - done : 0;
    vxe_status status = VXE_OK;
    while (left > 0 && longest > MIN_PART * first && !status && s->settled->steps < s->def->steps &&
           isfinite(residual_of(s, 1))) {
        const double part = fmin(left, longest);
        bool stable = true;
        status = solve_step(s, by_mass, part, STEP_TOLERANCE, &stable, error);
        keep_poses(s);
        if (!status) {
            vxe_static_move(s->body, s->step);
        }
        if (!status && stable && isfinite(residual_of(s, 1))) {
            left = part < left ? left - part : 0;
        } else {
            restore_poses(s);
            longest *= 0.5;
            by_mass *= 10;
        }
    }
    *found = left == 0;
    return status;
}

/* Steps with added mass, from where a part `done` of loads and prescribed motion has led. */
static vxe_status settle_slowly(search *s, double done, bool *found, vxe_error *error)
{
    double by_mass = FIRST_MASS;
    double before = HUGE_VAL;
    const vxe_status driven = drive_slowly(s, done, by_mass, found, error);
    if (driven || !*found) {
        return driven;
    }
    double residual = residual_of(s, 1);
    *found = false;
    while (isfinite(residual) && !falls(s) && s->settled->steps < s->def->steps &&
           by_mass < MAX_MASS) {
        s->settled->residual = residual;
        if (is_done(s, residual, by_mass <= FIRST_MASS ? before : HUGE_VAL)) {
            *found = true;
            return VXE_OK;
        }
        bool stable = true;
        const vxe_status status = solve_step(s, by_mass, 0, STEP_TOLERANCE, &stable, error);
        if (status) {
            return status;
        }
        const double kept = residual;
        if (stable && step_carefully(s, &residual)) {
            before = kept;
            by_mass = fmax(0.2 * by_mass, MIN_MASS);
        } else {
            (void)residual_of(s, 1);
            by_mass *= 10;
        }
    }
    return VXE_OK;
}

static vxe_status settle_linearly(search *s, bool *found, vxe_error *error)
{
    *found = false;
    if (!isfinite(residual_of(s, 1))) {
        return VXE_OK;
    }
    bool stable = true;
    const double motion = s->body->driven ? 1 : 0;
    const vxe_status status = solve_step(s, 0, motion, s->def->tolerance, &stable, error);
    if (!status && stable && s->settled->residual <= s->def->tolerance &&
        largest_of(s->step, s->numbers) < ENDLESS) {
        vxe_static_move(s->body, s->step);
        *found = true;
        return VXE_OK;
    }
    return status ? status
                  : vxe_error_fill(error, VXE_ERROR_UNPHYSICAL,
                                   "no linear solution: it needs a body that regions hold "
                                   "against its loads in all directions");
}

static vxe_status settle(search *s, bool *found, vxe_error *error)
{
    if (s->def->linear) {
        return settle_linearly(s, found, error);
    }
    double reached = 0;
    const vxe_status status = s->body->loose ? VXE_OK : settle_in_parts(s, &reached, error);
    *found = !status && reached >= 1;
    return status || *found ? status : settle_slowly(s, reached, found, error);
}

vxe_status vxe_static_body_settle(vxe_static_body *body, const vxe_settle_def *def, double stiffest,
                                  vxe_settled *settled, vxe_error *error)
{
    bool found = false;
    search s = {.body = body,
                .def = def,
                .settled = settled,
                .numbers = (size_t)body->voxels * VXE_FREEDOMS,
                .stiffest = stiffest};
    vxe_status status = take_search(&s, error);
    status = status ? status : settle(&s, &found, error);
    clear_search(&s);
    if (status || found) {
        return status;
    }
    return vxe_error_fill(
        error, VXE_ERROR_UNPHYSICAL,
        "no equilibrium found in %u steps of at most %u: %.2g of the loads are "
        "left%s",
        settled->steps, def->steps, isfinite(settled->residual) ? settled->residual : 1,
        body->loose ? ", and some voxels are not joined to a region that is fixed" : "");
}
