/* SPDX-License-Identifier: MIT */
/* Sparse symmetric matrices of 6 x 6 blocks: products, inverses of the diagonal, and dense factors
   (GolubVanLoan2013, 4.2) for small systems. */
#include "engine/statics/block_matrix.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"

/* With fewer rows a thread's work is shorter than the start of a team. */
#define ROWS_PER_THREAD 512u
/* A pivot below this part of its diagonal number is rounding. */
#define LOST 1e-11

vxe_status vxe_block_matrix_init(vxe_block_matrix *matrix, uint32_t rows, uint32_t blocks,
                                 uint32_t threads, vxe_error *error)
{
    const uint64_t numbers = (uint64_t)blocks * VXE_BLOCK;
    const uint32_t useful = 1 + rows / ROWS_PER_THREAD;
    *matrix = (vxe_block_matrix){.rows = rows,
                                 .first = vxe_memory_take(rows + 1ull, sizeof(uint32_t)),
                                 .column = vxe_memory_take(blocks, sizeof(uint32_t)),
                                 .block = vxe_memory_take(numbers, sizeof(double)),
                                 .threads = threads < useful ? threads : useful};
    if (!matrix->first || !matrix->column || !matrix->block) {
        vxe_block_matrix_clear(matrix);
        return vxe_error_memory(error, numbers * sizeof(double));
    }
    return VXE_OK;
}

void vxe_block_matrix_clear(vxe_block_matrix *matrix)
{
    vxe_memory_release(matrix->first);
    vxe_memory_release(matrix->column);
    vxe_memory_release(matrix->block);
    *matrix = (vxe_block_matrix){0};
}

/* sum += block x */
static inline void add_product(const double *block, const double *x, double sum[VXE_FREEDOMS])
{
    for (int i = 0; i < VXE_FREEDOMS; i++) {
        double one = 0;
        for (int k = 0; k < VXE_FREEDOMS; k++) {
            one += block[i * VXE_FREEDOMS + k] * x[k];
        }
        sum[i] += one;
    }
}

/* into = offset + sign matrix x */
typedef struct product_job {
    const vxe_block_matrix *matrix;
    const double *x;
    const double *offset; /* null: zero */
    double sign;
    double *into;
} product_job;

static void run_product(void *context, uint32_t thread, uint32_t threads)
{
    const product_job *job = context;
    const vxe_block_matrix *m = job->matrix;
    const uint32_t begin = (uint32_t)((uint64_t)m->rows * thread / threads);
    const uint32_t end = (uint32_t)((uint64_t)m->rows * (thread + 1) / threads);
    for (uint32_t row = begin; row < end; row++) {
        double sum[VXE_FREEDOMS] = {0};
        for (uint32_t k = m->first[row]; k < m->first[row + 1]; k++) {
            add_product(m->block + (size_t)k * VXE_BLOCK,
                        job->x + (size_t)m->column[k] * VXE_FREEDOMS, sum);
        }
        for (int i = 0; i < VXE_FREEDOMS; i++) {
            const size_t at = (size_t)row * VXE_FREEDOMS + (size_t)i;
            job->into[at] = (job->offset ? job->offset[at] : 0) + job->sign * sum[i];
        }
    }
}

void vxe_block_matrix_apply(const vxe_block_matrix *matrix, const double *x, double *into)
{
    product_job job = {matrix, x, NULL, 1, into};
    VXE_ASSERT(x != into);
    vxe_parallel_run(matrix->threads, run_product, &job);
}

void vxe_block_matrix_residual(const vxe_block_matrix *matrix, const double *b, const double *x,
                               double *into)
{
    product_job job = {matrix, x, b, -1, into};
    VXE_ASSERT(x != into);
    vxe_parallel_run(matrix->threads, run_product, &job);
}

void vxe_dense_factorize(double *matrix, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        const double diagonal = matrix[j * n + j];
        double pivot = diagonal;
        for (size_t k = 0; k < j; k++) {
            pivot -= matrix[j * n + k] * matrix[j * n + k] * matrix[k * n + k];
        }
        const bool lost = !(fabs(pivot) > LOST * fabs(diagonal));
        matrix[j * n + j] = lost ? 0 : pivot;
        for (size_t i = j + 1; i < n; i++) {
            double sum = matrix[i * n + j];
            for (size_t k = 0; k < j; k++) {
                sum -= matrix[i * n + k] * matrix[j * n + k] * matrix[k * n + k];
            }
            matrix[i * n + j] = lost ? 0 : sum / pivot;
        }
    }
}

void vxe_dense_solve(const double *factors, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) {
            x[i] -= factors[i * n + k] * x[k];
        }
    }
    for (size_t i = n; i-- > 0;) {
        const double pivot = fabs(factors[i * n + i]);
        x[i] = pivot > 0 ? x[i] / pivot : 0;
        for (size_t k = i + 1; k < n; k++) {
            x[i] -= factors[k * n + i] * (factors[i * n + i] != 0 ? x[k] : 0);
        }
    }
}

void vxe_block_matrix_invert_diagonal(const vxe_block_matrix *matrix, double *inverses)
{
    for (uint32_t row = 0; row < matrix->rows; row++) {
        double factors[VXE_BLOCK];
        double *inverse = inverses + (size_t)row * VXE_BLOCK;
        memcpy(factors, matrix->block + (size_t)matrix->first[row] * VXE_BLOCK, sizeof factors);
        vxe_dense_factorize(factors, VXE_FREEDOMS);
        for (size_t i = 0; i < VXE_FREEDOMS; i++) { /* the rows of a symmetric matrix */
            double *unit = inverse + i * VXE_FREEDOMS;
            memset(unit, 0, VXE_FREEDOMS * sizeof *unit);
            unit[i] = 1;
            vxe_dense_solve(factors, VXE_FREEDOMS, unit);
        }
    }
}

void vxe_blocks_apply(const double *inverses, uint32_t rows, double factor, const double *b,
                      double *into)
{
    for (uint32_t row = 0; row < rows; row++) {
        double sum[VXE_FREEDOMS] = {0};
        const size_t at = (size_t)row * VXE_FREEDOMS;
        add_product(inverses + (size_t)row * VXE_BLOCK, b + at, sum);
        for (size_t i = 0; i < VXE_FREEDOMS; i++) {
            into[at + i] = factor * sum[i];
        }
    }
}

double vxe_product(const double *a, const double *b, size_t count)
{
    enum { SUMS = 8 };
    double sum[SUMS] = {0};
    size_t i = 0;
    for (; i + SUMS <= count; i += SUMS) {
        for (size_t k = 0; k < SUMS; k++) {
            sum[k] += a[i + k] * b[i + k];
        }
    }
    for (; i < count; i++) {
        sum[i % SUMS] += a[i] * b[i];
    }
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

void vxe_add_scaled(double *into, double factor, const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        into[i] += factor * x[i];
    }
}
