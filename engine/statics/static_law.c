/* SPDX-License-Identifier: MIT */
/* Forces of a body at rest, and how they change with its poses: the bond law and its tangent, bond
   by bond, and sums in a fixed order. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"
#include "engine/bonds/bond_tangent_law.h"
#include "engine/statics/static_body.h"

#define ALL_BITS ((vxe_real_mask)-1)
#define BOND_FREEDOMS 12
/* Roundings of a number on its way to a sum. */
#define ROUNDINGS 4

/* The mid frame and the chord of a bond now. */
typedef struct bond_pose {
    vxe_mid_frame frame;
    vxe_chord chord;
} bond_pose;

static bond_pose pose_of(const vxe_static_body *body, const vxe_static_bond *bond)
{
    const double *lower = body->moved + 3 * (size_t)bond->lower;
    const double *upper = body->moved + 3 * (size_t)bond->upper;
    const vxe_vec3 apart = {upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]};
    return (bond_pose){mid_frame(bond->axis, body->q[bond->lower], body->q[bond->upper], ALL_BITS),
                       {.r = vec_add(bond->rest, apart),
                        .length = bond->length,
                        .excess = (component(bond->axis, bond->rest) - bond->length) +
                                  component(bond->axis, apart)}};
}

/* The springs of a bond, with the tension that its voxels' other bonds add. */
static vxe_springs springs_of(const vxe_static_body *body, const vxe_static_bond *bond)
{
    vxe_springs k = bond->spring;
    if (body->coupling) {
        const double *lower = body->tension + 3 * (size_t)bond->lower;
        const double *upper = body->tension + 3 * (size_t)bond->upper;
        k.poisson_tension = bond_tension_across(bond->part, lower[bond->axis], upper[bond->axis]);
    }
    return k;
}

/* A piece of work over bonds or voxels, with what it finds in each thread. */
typedef struct law_job {
    const vxe_static_body *body;
    double part;
    bool free_only;
    double *into;
    vxe_block_matrix *matrix;
    double by_mass;
    double *upper; /* (voxels, 3, VXE_BLOCK) what bonds up from a voxel add to the voxel above */
} law_job;

static void run_strains(void *context, uint32_t thread, uint32_t threads)
{
    const law_job *job = context;
    const vxe_static_body *body = job->body;
    const uint32_t end = (uint32_t)((uint64_t)body->bonds * (thread + 1) / threads);
    for (uint32_t i = (uint32_t)((uint64_t)body->bonds * thread / threads); i < end; i++) {
        const bond_pose pose = pose_of(body, &body->bond[i]);
        body->strain[i] = axial_strain(body->bond[i].axis, &pose.frame, &pose.chord, 1);
    }
}

/* What voxels add to the tensions of their bonds, by the strains of all bonds (docs/physics.md,
   Poisson's ratio). */
static void add_up_tensions(const vxe_static_body *body)
{
    for (size_t v = 0; v < body->voxels; v++) {
        double sum[3] = {0, 0, 0};
        const double *coupling = body->coupling + 3 * v;
        for (size_t d = 0; d < VXE_DIRECTIONS; d++) {
            const uint32_t at = body->bond_at[v * VXE_DIRECTIONS + d];
            if (at != VXE_NONE) {
                const double part = body->bond[at].part;
                sum[d % 3] += (d < 3 ? part : 2 - part) * body->strain[at];
            }
        }
        for (size_t a = 0; a < 3; a++) {
            const size_t b = (a + 1) % 3;
            const size_t c = (a + 2) % 3;
            body->tension[3 * v + a] = tension_across(coupling[c], sum[b], coupling[b], sum[c]);
        }
    }
}

/* Sum of the sizes of numbers from which a bond's deformation is computed. */
static double numbers_of(const vxe_static_body *body, const vxe_static_bond *bond)
{
    const double *lower = body->moved + 3 * (size_t)bond->lower;
    const double *upper = body->moved + 3 * (size_t)bond->upper;
    const vxe_quat q1 = body->q[bond->lower];
    const vxe_quat q2 = body->q[bond->upper];
    double sum = fabs(bond->length - 1) + 2 * (fabs(q1.x) + fabs(q1.y) + fabs(q1.z)) +
                 2 * (fabs(q2.x) + fabs(q2.y) + fabs(q2.z));
    for (int c = 0; c < 3; c++) {
        sum += fabs(lower[c]) + fabs(upper[c]);
    }
    return sum;
}

static void run_bonds(void *context, uint32_t thread, uint32_t threads)
{
    const law_job *job = context;
    const vxe_static_body *body = job->body;
    const uint32_t end = (uint32_t)((uint64_t)body->bonds * (thread + 1) / threads);
    for (uint32_t i = (uint32_t)((uint64_t)body->bonds * thread / threads); i < end; i++) {
        const vxe_static_bond *bond = &body->bond[i];
        const bond_pose pose = pose_of(body, bond);
        const vxe_elastic elastic =
            elastic_response(bond->axis, 0, 1, &pose.frame, &pose.chord, springs_of(body, bond));
        const vxe_vec3 lever = vec_scaled(0.5, vec_cross(pose.chord.r, elastic.force));
        body->act[i] = (vxe_static_load){
            elastic.force, vec_add(lever, elastic.moment), vec_sub(lever, elastic.moment),
            beyond_bounds(pose.chord.r, bond->length, pose.frame.scalar), numbers_of(body, bond)};
    }
}

static void add_load(double *sum, double sign, vxe_vec3 force, vxe_vec3 moment)
{
    sum[0] += sign * force.x;
    sum[1] += sign * force.y;
    sum[2] += sign * force.z;
    sum[3] += moment.x;
    sum[4] += moment.y;
    sum[5] += moment.z;
}

/* How deep a voxel is in the floor; below 0 above it. */
static double depth_of(const vxe_static_body *body, uint32_t voxel)
{
    return body->push ? -(body->height[voxel] + body->moved[3 * (size_t)voxel + 2]) : -1;
}

static void run_voxels(void *context, uint32_t thread, uint32_t threads)
{
    const law_job *job = context;
    const vxe_static_body *body = job->body;
    const uint32_t end = (uint32_t)((uint64_t)body->voxels * (thread + 1) / threads);
    for (uint32_t v = (uint32_t)((uint64_t)body->voxels * thread / threads); v < end; v++) {
        double *sum = job->into + (size_t)v * VXE_FREEDOMS;
        for (size_t c = 0; c < VXE_FREEDOMS; c++) {
            sum[c] = job->part * body->load[(size_t)v * VXE_FREEDOMS + c];
        }
        for (size_t d = 0; d < VXE_DIRECTIONS; d++) {
            const uint32_t at = body->bond_at[(size_t)v * VXE_DIRECTIONS + d];
            if (at != VXE_NONE) {
                const vxe_static_load *act = &body->act[at];
                add_load(sum, d < 3 ? 1 : -1, act->force, d < 3 ? act->lower : act->upper);
            }
        }
        const double depth = depth_of(body, v);
        if (depth > 0) {
            sum[2] += body->push[v] * depth;
        }
        for (size_t c = 0; c < VXE_FREEDOMS && job->free_only; c++) {
            sum[c] = body->fixed[v] >> c & 1 ? 0 : sum[c];
        }
    }
}

/* Adds the squares of what bonds have of each size. Returns false where one is beyond its bounds.
 */
static bool add_sizes_of_bonds(const vxe_static_body *body, vxe_static_size *size)
{
    double failures = 0;
    for (uint32_t i = 0; i < body->bonds; i++) {
        const double axial = body->bond[i].spring.axial;
        const vxe_static_load *act = &body->act[i];
        const double off = axial * act->numbers;
        size->bonds += vec_dot(act->force, act->force) + vec_dot(act->lower, act->lower) +
                       vec_dot(act->upper, act->upper);
        size->stiffness += axial * axial;
        size->rounding += off * off;
        failures += act->beyond;
    }
    return failures == 0;
}

bool vxe_static_forces(const vxe_static_body *body, double part, bool free_only, double *into,
                       vxe_static_size *size)
{
    law_job job = {.body = body, .part = part, .free_only = free_only, .into = into};
    if (body->coupling) {
        vxe_parallel_run(body->threads, run_strains, &job);
        add_up_tensions(body);
    }
    vxe_parallel_run(body->threads, run_bonds, &job);
    vxe_parallel_run(body->threads, run_voxels, &job);
    *size = (vxe_static_size){0};
    const bool whole = add_sizes_of_bonds(body, size);
    for (size_t i = 0; i < (size_t)body->voxels * VXE_FREEDOMS; i++) {
        const double load = vxe_static_is_fixed(body, i) ? 0 : part * body->load[i];
        size->outside += load * load;
    }
    for (uint32_t v = 0; v < body->voxels; v++) {
        if (depth_of(body, v) > 0) {
            const double off =
                body->push[v] * (fabs(body->height[v]) + fabs(body->moved[3 * (size_t)v + 2]));
            size->rounding += off * off;
        }
    }
    size->bonds = sqrt(size->bonds);
    size->outside = sqrt(size->outside);
    size->stiffness = sqrt(size->stiffness);
    size->rounding = ROUNDINGS * DBL_EPSILON * sqrt(size->rounding + size->outside * size->outside);
    return whole && isfinite(size->bonds) && isfinite(size->outside);
}

/* What the springs of a bond take back of a motion: a column of its matrix, freedoms of the lower
   voxel first. */
static void bond_column(const vxe_static_bond *bond, const bond_pose *pose, vxe_springs springs,
                        const vxe_bond_motion *motion, double column[BOND_FREEDOMS])
{
    const vxe_bond_adjoint back =
        spring_adjoint(bond->axis, 0, 1, &pose->frame, &pose->chord, springs, motion);
    memset(column, 0, BOND_FREEDOMS * sizeof *column);
    add_load(column, -1, back.place, vec_scaled(-1, back.turn1));
    add_load(column + VXE_FREEDOMS, 1, back.place, vec_scaled(-1, back.turn2));
}

/* The matrix of a bond, symmetric as it is where moments balance. */
static void bond_matrix(const vxe_static_body *body, const vxe_static_bond *bond,
                        double matrix[BOND_FREEDOMS][BOND_FREEDOMS])
{
    const bond_pose pose = pose_of(body, bond);
    const vxe_springs springs = springs_of(body, bond);
    double column[BOND_FREEDOMS][BOND_FREEDOMS];
    for (int c = 0; c < 3; c++) {
        const vxe_vec3 unit = {c == 0, c == 1, c == 2};
        const vxe_vec3 zero = {0, 0, 0};
        bond_column(bond, &pose, springs, &(vxe_bond_motion){unit, zero, zero}, column[6 + c]);
        bond_column(bond, &pose, springs, &(vxe_bond_motion){zero, unit, zero}, column[3 + c]);
        bond_column(bond, &pose, springs, &(vxe_bond_motion){zero, zero, unit}, column[9 + c]);
        for (int i = 0; i < BOND_FREEDOMS; i++) {
            column[c][i] = -column[6 + c][i];
        }
    }
    for (int i = 0; i < BOND_FREEDOMS; i++) {
        for (int k = 0; k < BOND_FREEDOMS; k++) {
            matrix[i][k] = 0.5 * (column[i][k] + column[k][i]);
        }
    }
}

/* How a bond's strain changes with the freedoms of its voxels, the lower one first. */
static void find_slope(const vxe_static_body *body, const vxe_static_bond *bond,
                       double slope[BOND_FREEDOMS])
{
    const bond_pose pose = pose_of(body, bond);
    for (int c = 0; c < 3; c++) {
        const vxe_vec3 unit = {c == 0, c == 1, c == 2};
        const vxe_vec3 zero = {0, 0, 0};
        const vxe_bond_motion motions[3] = {
            {unit, zero, zero}, {zero, unit, zero}, {zero, zero, unit}};
        double by[3];
        for (int i = 0; i < 3; i++) { /* a tension's work is less that */
            by[i] =
                -spring_slopes(bond->axis, &pose.frame, &pose.chord, &motions[i]).poisson_tension;
        }
        slope[c] = -by[0];
        slope[3 + c] = by[1];
        slope[6 + c] = by[0];
        slope[9 + c] = by[2];
    }
}

void vxe_static_add_poisson(const void *context, const double *x, double *into)
{
    const vxe_static_body *body = context;
    for (size_t i = 0; i < body->bonds; i++) {
        const vxe_static_bond *bond = &body->bond[i];
        const double *slope = body->slope + i * BOND_FREEDOMS;
        body->strain[i] =
            vxe_product(slope, x + (size_t)bond->lower * VXE_FREEDOMS, VXE_FREEDOMS) +
            vxe_product(slope + VXE_FREEDOMS, x + (size_t)bond->upper * VXE_FREEDOMS, VXE_FREEDOMS);
    }
    add_up_tensions(body);
    for (size_t i = 0; i < body->bonds; i++) {
        const vxe_static_bond *bond = &body->bond[i];
        const double tension = springs_of(body, bond).poisson_tension;
        for (size_t c = 0; c < BOND_FREEDOMS; c++) {
            const size_t voxel = c < VXE_FREEDOMS ? bond->lower : bond->upper;
            const size_t number = voxel * VXE_FREEDOMS + c % VXE_FREEDOMS;
            into[number] += vxe_static_is_fixed(body, number)
                                ? 0
                                : tension * body->slope[i * BOND_FREEDOMS + c];
        }
    }
}

/* sum += the block of a bond's matrix that begins at a row and a column. */
static void add_block(double *sum, double matrix[BOND_FREEDOMS][BOND_FREEDOMS], int row, int column)
{
    for (int i = 0; i < VXE_FREEDOMS; i++) {
        for (int k = 0; k < VXE_FREEDOMS; k++) {
            sum[i * VXE_FREEDOMS + k] += matrix[row + i][column + k];
        }
    }
}

/* The blocks of bonds up from voxels, and of what acts on voxels alone. Blocks of a row: its
   diagonal, those up, those down. */
static void run_tangent(void *context, uint32_t thread, uint32_t threads)
{
    const law_job *job = context;
    const vxe_static_body *body = job->body;
    const uint32_t end = (uint32_t)((uint64_t)body->voxels * (thread + 1) / threads);
    for (uint32_t v = (uint32_t)((uint64_t)body->voxels * thread / threads); v < end; v++) {
        double *block = job->matrix->block + (size_t)job->matrix->first[v] * VXE_BLOCK;
        double *diagonal = block;
        memset(diagonal, 0, VXE_BLOCK * sizeof *diagonal);
        for (size_t c = 0; c < VXE_FREEDOMS; c++) {
            diagonal[c * (VXE_FREEDOMS + 1)] =
                job->by_mass * body->mass[(size_t)v * VXE_FREEDOMS + c];
        }
        if (depth_of(body, v) > 0) {
            diagonal[2 * (VXE_FREEDOMS + 1)] += body->push[v];
        }
        for (size_t d = 0; d < 3; d++) {
            const uint32_t at = body->bond_at[(size_t)v * VXE_DIRECTIONS + d];
            if (at != VXE_NONE) {
                double matrix[BOND_FREEDOMS][BOND_FREEDOMS];
                double *above = job->upper + (3 * (size_t)v + d) * VXE_BLOCK;
                bond_matrix(body, &body->bond[at], matrix);
                block += VXE_BLOCK;
                memset(block, 0, VXE_BLOCK * sizeof *block);
                memset(above, 0, VXE_BLOCK * sizeof *above);
                add_block(diagonal, matrix, 0, 0);
                add_block(block, matrix, 0, VXE_FREEDOMS);
                add_block(above, matrix, VXE_FREEDOMS, VXE_FREEDOMS);
            }
        }
    }
}

/* The place of the block up along an axis in a voxel's row. */
static size_t block_up(const vxe_static_body *body, const vxe_block_matrix *matrix, uint32_t voxel,
                       size_t axis)
{
    size_t at = matrix->first[voxel] + 1;
    for (size_t d = 0; d < axis; d++) {
        at += body->bond_at[(size_t)voxel * VXE_DIRECTIONS + d] != VXE_NONE;
    }
    return at;
}

/* The blocks of bonds down from voxels, from what those below have. */
static void run_tangent_down(void *context, uint32_t thread, uint32_t threads)
{
    const law_job *job = context;
    const vxe_static_body *body = job->body;
    const uint32_t end = (uint32_t)((uint64_t)body->voxels * (thread + 1) / threads);
    for (uint32_t v = (uint32_t)((uint64_t)body->voxels * thread / threads); v < end; v++) {
        double *diagonal = job->matrix->block + (size_t)job->matrix->first[v] * VXE_BLOCK;
        double *block = job->matrix->block + block_up(body, job->matrix, v, 3) * VXE_BLOCK;
        for (size_t d = 0; d < 3; d++) {
            const uint32_t at = body->bond_at[(size_t)v * VXE_DIRECTIONS + 3 + d];
            if (at == VXE_NONE) {
                continue;
            }
            const uint32_t below = body->bond[at].lower;
            const double *above = job->upper + (3 * (size_t)below + d) * VXE_BLOCK;
            const double *up =
                job->matrix->block + block_up(body, job->matrix, below, d) * VXE_BLOCK;
            vxe_add_scaled(diagonal, 1, above, VXE_BLOCK);
            for (size_t i = 0; i < VXE_BLOCK; i++) {
                block[i] = up[i % VXE_FREEDOMS * VXE_FREEDOMS + i / VXE_FREEDOMS];
            }
            block += VXE_BLOCK;
        }
    }
}

vxe_status vxe_static_matrix_init(const vxe_static_body *body, vxe_block_matrix *matrix,
                                  vxe_error *error)
{
    const vxe_status status = vxe_block_matrix_init(
        matrix, body->voxels, body->voxels + 2 * body->bonds, body->threads, error);
    uint32_t at = 0;
    for (uint32_t v = 0; v < body->voxels && !status; v++) {
        matrix->first[v] = at;
        matrix->column[at++] = v;
        for (size_t d = 0; d < VXE_DIRECTIONS; d++) {
            const uint32_t bond = body->bond_at[(size_t)v * VXE_DIRECTIONS + d];
            if (bond != VXE_NONE) {
                matrix->column[at++] = d < 3 ? body->bond[bond].upper : body->bond[bond].lower;
            }
        }
    }
    if (!status) {
        matrix->first[body->voxels] = at;
    }
    return status;
}

vxe_status vxe_static_tangent(const vxe_static_body *body, double by_mass, vxe_block_matrix *matrix,
                              vxe_error *error)
{
    const uint64_t numbers = 3ull * body->voxels * VXE_BLOCK;
    law_job job = {.body = body,
                   .matrix = matrix,
                   .by_mass = by_mass,
                   .upper = vxe_memory_take(numbers, sizeof(double))};
    if (!job.upper) {
        return vxe_error_memory(error, numbers * sizeof(double));
    }
    if (body->coupling) {
        vxe_parallel_run(body->threads, run_strains, &job);
        add_up_tensions(body);
        for (size_t i = 0; i < body->bonds; i++) {
            find_slope(body, &body->bond[i], body->slope + i * BOND_FREEDOMS);
        }
    }
    vxe_parallel_run(body->threads, run_tangent, &job);
    vxe_parallel_run(body->threads, run_tangent_down, &job);
    vxe_memory_release(job.upper);
    return VXE_OK;
}

void vxe_static_hold(const vxe_static_body *body, vxe_block_matrix *matrix)
{
    for (uint32_t v = 0; v < body->voxels; v++) {
        for (uint32_t k = matrix->first[v]; k < matrix->first[v + 1]; k++) {
            const unsigned rows = body->fixed[v];
            const unsigned columns = body->fixed[matrix->column[k]];
            double *block = matrix->block + (size_t)k * VXE_BLOCK;
            for (unsigned i = 0; i < VXE_BLOCK && (rows | columns); i++) {
                const bool gone = (rows >> i / VXE_FREEDOMS | columns >> i % VXE_FREEDOMS) & 1;
                block[i] = gone ? 0 : block[i];
            }
        }
    }
}
