/* SPDX-License-Identifier: MIT */
/* Multigrid by groups that move as rigid bodies (multigrid.h): the cycle, and the conjugate
   gradients around it. The levels are made in coarsening.c. */
#include "engine/statics/multigrid.h"

#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "engine/core/arrays.h"

/* The range of eigenvalues that smoothing takes, of at most 2 and somewhat more where loads stiffen
   or soften. */
#define LARGEST 2.04
#define SMALLEST (LARGEST / 4)
#define MAX_ITERATIONS 5000u
/* Iterations without progress that end them: the loads cannot be balanced. */
#define PATIENCE 300u
/* A first correction that leaves less than this needs no second one. */
#define GOOD 0.25

/* Vectors of a level. */
enum { OF_X, OF_RESIDUAL, OF_STEP, OF_FIRST, OF_IMAGE, OF_SECOND, OF_SECOND_IMAGE, OF_B };

static size_t numbers_of(const vxe_grid_level *level)
{
    return (size_t)level->matrix.rows * VXE_FREEDOMS;
}

static double *vector_of(const vxe_grid_level *level, int which)
{
    return level->vectors + (size_t)which * numbers_of(level);
}

/* x += two steps of Chebyshev's iteration for matrix x = b; where `first`, from x = 0. */
static void smooth(const vxe_grid_level *level, const double *b, double *x, bool first)
{
    const size_t n = numbers_of(level);
    const double middle = 0.5 * (LARGEST + SMALLEST);
    const double half = 0.5 * (LARGEST - SMALLEST);
    const double sigma = middle / half;
    const double rho = 1 / (2 * sigma - 1 / sigma);
    double *residual = vector_of(level, OF_RESIDUAL);
    double *step = vector_of(level, OF_STEP);
    if (first) {
        memset(x, 0, n * sizeof *x);
        memcpy(residual, b, n * sizeof *residual);
    } else {
        vxe_block_matrix_residual(&level->matrix, b, x, residual);
    }
    vxe_blocks_apply(level->inverses, level->matrix.rows, 1 / middle, residual, step);
    vxe_add_scaled(x, 1, step, n);
    vxe_block_matrix_residual(&level->matrix, b, x, residual);
    vxe_blocks_apply(level->inverses, level->matrix.rows, 2 * rho / half, residual, residual);
    for (size_t i = 0; i < n; i++) {
        x[i] += rho / sigma * step[i] + residual[i];
    }
}

/* What the rows of a group push together: forces, and moments about the group's place. */
static void restrict_to(const vxe_grid_level *level, const vxe_grid_level *next,
                        const double *residual, double *into)
{
    memset(into, 0, numbers_of(next) * sizeof *into);
    for (uint32_t row = 0; row < level->matrix.rows; row++) {
        const uint32_t group = level->group[row];
        if (group == VXE_NONE) {
            continue;
        }
        const double *f = residual + (size_t)row * VXE_FREEDOMS;
        const double *at = level->place + 3 * (size_t)row;
        const double *about = next->place + 3 * (size_t)group;
        const double r[3] = {at[0] - about[0], at[1] - about[1], at[2] - about[2]};
        double *sum = into + (size_t)group * VXE_FREEDOMS;
        for (int c = 0; c < 3; c++) {
            const int a = (c + 1) % 3;
            const int b = (c + 2) % 3;
            sum[c] += f[c];
            sum[3 + c] += f[3 + c] + (r[a] * f[b] - r[b] * f[a]);
        }
    }
}

/* Adds the rigid motion of each group to its rows. */
static void add_motion(const vxe_grid_level *level, const vxe_grid_level *next,
                       const double *motion, double *x)
{
    for (uint32_t row = 0; row < level->matrix.rows; row++) {
        const uint32_t group = level->group[row];
        if (group == VXE_NONE) {
            continue;
        }
        const double *at = level->place + 3 * (size_t)row;
        const double *about = next->place + 3 * (size_t)group;
        const double r[3] = {at[0] - about[0], at[1] - about[1], at[2] - about[2]};
        const double *m = motion + (size_t)group * VXE_FREEDOMS;
        double *moved = x + (size_t)row * VXE_FREEDOMS;
        for (int c = 0; c < 3; c++) {
            const int a = (c + 1) % 3;
            const int b = (c + 2) % 3;
            moved[c] += m[c] + (m[3 + a] * r[b] - m[3 + b] * r[a]);
            moved[3 + c] += m[3 + c];
        }
    }
}

static void cycle(vxe_multigrid *grid, uint32_t at, const double *b, double *x);

/* Solves roughly on a coarse level: one cycle, or two as inner conjugate gradients. b is
   overwritten. */
static void correct(vxe_multigrid *grid, uint32_t at, double *b, double *x)
{
    const vxe_grid_level *level = &grid->level[at];
    const size_t n = numbers_of(level);
    if (at + 1 == grid->levels) {
        cycle(grid, at, b, x);
        return;
    }
    double *first = vector_of(level, OF_FIRST);
    double *image = vector_of(level, OF_IMAGE);
    double *second = vector_of(level, OF_SECOND);
    double *second_image = vector_of(level, OF_SECOND_IMAGE);
    const double before = sqrt(vxe_product(b, b, n));
    cycle(grid, at, b, first);
    vxe_block_matrix_apply(&level->matrix, first, image);
    const double energy = vxe_product(first, image, n);
    const double alpha = energy > 0 ? vxe_product(first, b, n) / energy : 1;
    vxe_add_scaled(b, -alpha, image, n);
    double of_first = alpha;
    double of_second = 0;
    if (energy > 0 && sqrt(vxe_product(b, b, n)) > GOOD * before) {
        cycle(grid, at, b, second);
        vxe_block_matrix_apply(&level->matrix, second, second_image);
        const double both = vxe_product(second, image, n);
        const double rest = vxe_product(second, second_image, n) - both * both / energy;
        if (rest > 0) {
            of_second = vxe_product(second, b, n) / rest;
            of_first -= both / energy * of_second;
        }
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = of_first * first[i] + (of_second != 0 ? of_second * second[i] : 0);
    }
}

/* x = one cycle for matrix x = b, from zero. */
static void cycle(vxe_multigrid *grid, uint32_t at, const double *b, double *x)
{
    const vxe_grid_level *level = &grid->level[at];
    const size_t n = numbers_of(level);
    VXE_ASSERT(at < grid->levels && (level->factors || level->inverses));
    if (level->factors) {
        memcpy(x, b, n * sizeof *x);
        vxe_dense_solve(level->factors, n, x);
        return;
    }
    smooth(level, b, x, true);
    if (at + 1 < grid->levels) {
        const vxe_grid_level *next = &grid->level[at + 1];
        double *residual = vector_of(level, OF_RESIDUAL);
        vxe_block_matrix_residual(&level->matrix, b, x, residual);
        restrict_to(level, next, residual, vector_of(next, OF_B));
        correct(grid, at + 1, vector_of(next, OF_B), vector_of(next, OF_X));
        add_motion(level, next, vector_of(next, OF_X), x);
    }
    smooth(level, b, x, false);
}

void vxe_multigrid_apply(vxe_multigrid *grid, const double *b, double *into)
{
    const vxe_grid_level *level = &grid->level[0];
    cycle(grid, 0, b, into);
    for (size_t row = 0; row < level->matrix.rows; row++) { /* freedoms without stiffness stay */
        const double *diagonal = level->matrix.block + (size_t)level->matrix.first[row] * VXE_BLOCK;
        for (size_t c = 0; c < VXE_FREEDOMS; c++) {
            if (diagonal[c * VXE_FREEDOMS + c] == 0) {
                into[row * VXE_FREEDOMS + c] = 0;
            }
        }
    }
}

void vxe_multigrid_product(const vxe_multigrid *grid, const double *x, double *into)
{
    vxe_block_matrix_apply(&grid->level[0].matrix, x, into);
    if (grid->add) {
        grid->add(grid->what, x, into);
    }
}

vxe_solution vxe_solve(vxe_multigrid *grid, const double *b, double tolerance, double *x,
                       double *vectors)
{
    const size_t n = numbers_of(&grid->level[0]);
    double *residual = vectors;
    double *preconditioned = vectors + n;
    double *direction = vectors + 2 * n;
    double *image = vectors + 3 * n;
    const double size = sqrt(vxe_product(b, b, n));
    vxe_solution solution = {.residual = size > 0 ? 1 : 0};
    memset(x, 0, n * sizeof *x);
    memcpy(residual, b, n * sizeof *residual);
    double energy = 0;
    double best = solution.residual;
    uint32_t improved = 0;
    while (solution.residual > tolerance && solution.iterations < MAX_ITERATIONS &&
           solution.iterations - improved < PATIENCE) {
        vxe_multigrid_apply(grid, residual, preconditioned);
        const double back = energy > 0 ? vxe_product(preconditioned, image, n) / energy : 0;
        for (size_t i = 0; i < n; i++) {
            direction[i] = preconditioned[i] - (energy > 0 ? back * direction[i] : 0);
        }
        vxe_multigrid_product(grid, direction, image);
        energy = vxe_product(direction, image, n);
        if (!(energy > 0)) {
            solution.indefinite = true;
            return solution;
        }
        const double alpha = vxe_product(direction, residual, n) / energy;
        vxe_add_scaled(x, alpha, direction, n);
        vxe_add_scaled(residual, -alpha, image, n);
        solution.residual = sqrt(vxe_product(residual, residual, n)) / size;
        solution.iterations++;
        if (solution.residual < 0.9 * best) {
            best = solution.residual;
            improved = solution.iterations;
        }
    }
    return solution;
}
