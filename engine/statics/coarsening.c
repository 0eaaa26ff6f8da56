/* SPDX-License-Identifier: MIT */
/* The levels of a multigrid (multigrid.h): which rows become a group, and the matrix of groups. */
#include <stdbool.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/core/arrays.h"
#include "engine/statics/multigrid.h"

/* A level of so many rows is solved directly. */
#define DIRECT_ROWS 48u
#define VECTORS 8u

static bool same_cube(const int32_t *a, const int32_t *b)
{
    return a[0] / 2 == b[0] / 2 && a[1] / 2 == b[1] / 2 && a[2] / 2 == b[2] / 2;
}

/* Finds the groups of a level: rows that are connected within a cube, by search over the blocks. A
   row without neighbours is solved by smoothing, and is in none. Returns how many there are. */
static uint32_t find_groups(vxe_grid_level *level, uint32_t *queue)
{
    const vxe_block_matrix *m = &level->matrix;
    uint32_t groups = 0;
    memset(level->group, 0xff, m->rows * sizeof *level->group);
    for (uint32_t start = 0; start < m->rows; start++) {
        if (level->group[start] != VXE_NONE || m->first[start + 1] - m->first[start] < 2) {
            continue;
        }
        uint32_t count = 1;
        queue[0] = start;
        level->group[start] = groups;
        for (uint32_t done = 0; done < count; done++) {
            const uint32_t row = queue[done];
            for (uint32_t k = m->first[row]; k < m->first[row + 1]; k++) {
                const uint32_t other = m->column[k];
                if (level->group[other] == VXE_NONE &&
                    same_cube(level->cell + 3 * (size_t)row, level->cell + 3 * (size_t)other)) {
                    level->group[other] = groups;
                    queue[count++] = other;
                }
            }
        }
        groups++;
    }
    return groups;
}

static vxe_status take_level(vxe_grid_level *level, uint32_t rows, vxe_error *error)
{
    level->place = vxe_memory_take(3ull * rows, sizeof(double));
    level->cell = vxe_memory_take(3ull * rows, sizeof(int32_t));
    level->group = vxe_memory_take(rows, sizeof(uint32_t));
    level->vectors = vxe_memory_take((uint64_t)VECTORS * rows * VXE_FREEDOMS, sizeof(double));
    const bool complete = level->place && level->cell && level->group && level->vectors;
    return complete ? VXE_OK : vxe_error_memory(error, (uint64_t)VECTORS * rows * VXE_FREEDOMS * 8);
}

/* The groups' places, means of those of their rows, and cubes. count: (groups). */
static void place_groups(const vxe_grid_level *level, vxe_grid_level *next, uint32_t groups,
                         uint32_t *count)
{
    memset(count, 0, groups * sizeof *count);
    for (uint32_t row = 0; row < level->matrix.rows; row++) {
        const uint32_t group = level->group[row];
        if (group != VXE_NONE) {
            count[group]++;
            for (size_t c = 0; c < 3; c++) {
                next->place[3 * (size_t)group + c] += level->place[3 * (size_t)row + c];
                next->cell[3 * (size_t)group + c] = level->cell[3 * (size_t)row + c] / 2;
            }
        }
    }
    for (uint32_t group = 0; group < groups; group++) {
        for (size_t c = 0; c < 3; c++) {
            next->place[3 * (size_t)group + c] /= count[group];
        }
    }
}

/* Columns 3 to 5 get what rotations about a place r away do: block [1, -r x; 0, 1]. */
static void times_motion(double block[VXE_BLOCK], const double r[3])
{
    for (int i = 0; i < VXE_FREEDOMS; i++) {
        double *k = block + (ptrdiff_t)i * VXE_FREEDOMS;
        k[3] += k[2] * r[1] - k[1] * r[2];
        k[4] += k[0] * r[2] - k[2] * r[0];
        k[5] += k[1] * r[0] - k[0] * r[1];
    }
}

static void transpose(double block[VXE_BLOCK])
{
    for (int i = 0; i < VXE_FREEDOMS; i++) {
        for (int k = 0; k < i; k++) {
            const double kept = block[i * VXE_FREEDOMS + k];
            block[i * VXE_FREEDOMS + k] = block[k * VXE_FREEDOMS + i];
            block[k * VXE_FREEDOMS + i] = kept;
        }
    }
}

/* sum += P1^T block P2, the motions P of rows at r1 and r2 from their groups' places. */
static void add_as_motion(double *sum, const double *block, const double r1[3], const double r2[3])
{
    double product[VXE_BLOCK];
    memcpy(product, block, sizeof product);
    times_motion(product, r2);
    transpose(product);
    times_motion(product, r1);
    for (int i = 0; i < VXE_FREEDOMS; i++) {
        for (int k = 0; k < VXE_FREEDOMS; k++) {
            sum[i * VXE_FREEDOMS + k] += product[k * VXE_FREEDOMS + i];
        }
    }
}

/* The rows of each group, one group after another: rows[first[group]] and on. */
typedef struct members {
    uint32_t *first; /* (groups + 1) */
    uint32_t *row;   /* (rows) */
    uint32_t *seen;  /* (groups) block of the present row of groups, or VXE_NONE */
} members;

static void list_members(const vxe_grid_level *level, uint32_t groups, const members *m)
{
    memset(m->first, 0, (groups + 1ull) * sizeof *m->first);
    for (uint32_t row = 0; row < level->matrix.rows; row++) {
        if (level->group[row] != VXE_NONE) {
            m->first[level->group[row] + 1]++;
        }
    }
    for (uint32_t group = 0; group < groups; group++) {
        m->first[group + 1] += m->first[group];
        m->seen[group] = m->first[group];
    }
    for (uint32_t row = 0; row < level->matrix.rows; row++) {
        if (level->group[row] != VXE_NONE) {
            m->row[m->seen[level->group[row]]++] = row;
        }
    }
    memset(m->seen, 0xff, groups * sizeof *m->seen);
}

/* Adds the blocks of a group's rows to the row of the next level's matrix that begins at block
   `begin`. Returns the block behind it. matrix null: only counts. */
static uint32_t gather_row(const vxe_grid_level *level, const vxe_grid_level *next,
                           const members *m, uint32_t group, uint32_t begin,
                           vxe_block_matrix *matrix)
{
    const vxe_block_matrix *fine = &level->matrix;
    uint32_t end = begin + 1;
    m->seen[group] = begin;
    for (uint32_t i = m->first[group]; i < m->first[group + 1]; i++) {
        const uint32_t row = m->row[i];
        double r1[3];
        for (size_t c = 0; c < 3; c++) {
            r1[c] = level->place[3 * (size_t)row + c] - next->place[3 * (size_t)group + c];
        }
        for (uint32_t k = fine->first[row]; k < fine->first[row + 1]; k++) {
            const uint32_t other = level->group[fine->column[k]];
            VXE_ASSERT(other != VXE_NONE);
            if (m->seen[other] == VXE_NONE || m->seen[other] < begin) {
                m->seen[other] = end++;
            }
            double r2[3];
            for (size_t c = 0; c < 3; c++) {
                r2[c] = level->place[3 * (size_t)fine->column[k] + c] -
                        next->place[3 * (size_t)other + c];
            }
            if (matrix) {
                matrix->column[m->seen[other]] = other;
                add_as_motion(matrix->block + (size_t)m->seen[other] * VXE_BLOCK,
                              fine->block + (size_t)k * VXE_BLOCK, r1, r2);
            }
        }
    }
    return end;
}

static vxe_status make_matrix(const vxe_grid_level *level, vxe_grid_level *next, uint32_t groups,
                              const members *m, vxe_error *error)
{
    uint32_t blocks = 0;
    list_members(level, groups, m);
    for (uint32_t group = 0; group < groups; group++) {
        blocks = gather_row(level, next, m, group, blocks, NULL);
    }
    memset(m->seen, 0xff, groups * sizeof *m->seen);
    const vxe_status status =
        vxe_block_matrix_init(&next->matrix, groups, blocks, level->matrix.threads, error);
    uint32_t at = 0;
    for (uint32_t group = 0; group < groups && !status; group++) {
        next->matrix.first[group] = at;
        at = gather_row(level, next, m, group, at, &next->matrix);
    }
    if (!status) {
        next->matrix.first[groups] = at;
    }
    return status;
}

/* Makes the next level; *groups is 0 where there is nothing left to correct. */
static vxe_status coarsen(vxe_grid_level *level, vxe_grid_level *next, uint32_t *groups,
                          vxe_error *error)
{
    const uint32_t rows = level->matrix.rows;
    members m = {vxe_memory_take(rows + 1ull, sizeof(uint32_t)),
                 vxe_memory_take(rows, sizeof(uint32_t)), vxe_memory_take(rows, sizeof(uint32_t))};
    vxe_status status = m.first && m.row && m.seen ? VXE_OK : vxe_error_memory(error, 12ull * rows);
    *groups = status ? 0 : find_groups(level, m.row);
    if (*groups > 0) {
        status = take_level(next, *groups, error);
        if (!status) {
            place_groups(level, next, *groups, m.seen);
            status = make_matrix(level, next, *groups, &m, error);
        }
    }
    vxe_memory_release(m.first);
    vxe_memory_release(m.row);
    vxe_memory_release(m.seen);
    return status;
}

/* What a level is solved with: the inverses of its diagonal's blocks, or its factors. */
static vxe_status prepare(vxe_grid_level *level, bool direct, vxe_error *error)
{
    const vxe_block_matrix *m = &level->matrix;
    const uint64_t n = (uint64_t)m->rows * VXE_FREEDOMS;
    if (!direct) {
        level->inverses = vxe_memory_take((uint64_t)m->rows * VXE_BLOCK, sizeof(double));
        if (!level->inverses) {
            return vxe_error_memory(error, (uint64_t)m->rows * VXE_BLOCK * sizeof(double));
        }
        vxe_block_matrix_invert_diagonal(m, level->inverses);
        return VXE_OK;
    }
    level->factors = vxe_memory_take(n * n, sizeof(double));
    if (!level->factors) {
        return vxe_error_memory(error, n * n * sizeof(double));
    }
    for (uint32_t row = 0; row < m->rows; row++) {
        for (uint32_t k = m->first[row]; k < m->first[row + 1]; k++) {
            for (size_t i = 0; i < VXE_FREEDOMS; i++) {
                memcpy(level->factors + ((size_t)row * VXE_FREEDOMS + i) * n +
                           (size_t)m->column[k] * VXE_FREEDOMS,
                       m->block + (size_t)k * VXE_BLOCK + i * VXE_FREEDOMS,
                       VXE_FREEDOMS * sizeof(double));
            }
        }
    }
    vxe_dense_factorize(level->factors, n);
    return VXE_OK;
}

vxe_status vxe_multigrid_init(vxe_multigrid *grid, const vxe_block_matrix *matrix,
                              const double *place, const int32_t *cell, vxe_error *error)
{
    *grid = (vxe_multigrid){.levels = 1};
    vxe_grid_level *finest = &grid->level[0];
    finest->matrix = *matrix;
    vxe_status status = take_level(finest, matrix->rows, error);
    if (!status) {
        memcpy(finest->place, place, 3ull * matrix->rows * sizeof *place);
        memcpy(finest->cell, cell, 3ull * matrix->rows * sizeof *cell);
    }
    while (!status) {
        vxe_grid_level *level = &grid->level[grid->levels - 1];
        const bool direct = level->matrix.rows <= DIRECT_ROWS;
        status = prepare(level, direct, error);
        uint32_t groups = 0;
        if (!status && !direct && grid->levels < VXE_MAX_LEVELS) {
            status = coarsen(level, level + 1, &groups, error);
            grid->levels += groups > 0;
        }
        if (groups == 0) {
            break;
        }
    }
    if (status) {
        vxe_multigrid_clear(grid);
    }
    return status;
}

void vxe_multigrid_clear(vxe_multigrid *grid)
{
    for (uint32_t i = 0; i < VXE_MAX_LEVELS; i++) {
        vxe_grid_level *level = &grid->level[i];
        if (i > 0) {
            vxe_block_matrix_clear(&level->matrix);
        }
        vxe_memory_release(level->inverses);
        vxe_memory_release(level->place);
        vxe_memory_release(level->cell);
        vxe_memory_release(level->group);
        vxe_memory_release(level->vectors);
        vxe_memory_release(level->factors);
    }
    *grid = (vxe_multigrid){0};
}
