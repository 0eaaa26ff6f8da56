/* SPDX-License-Identifier: MIT */
/* Covariance matrix adaptation (Hansen2016, with positive weights only). The matrix is
   decomposed by Jacobi rotations (GolubVanLoan2013, 8.5), which give the same bits on every
   machine. */
#include "common/assert_internal.h"
#include "evolution/algorithms/cma_internal.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "common/symmetric_eigen_internal.h"
#include "common/trig_internal.h"

enum { HEAD = 4 };

/* Parts of the state, which is one array of numbers. */
typedef struct cma {
    uint32_t n;
    double *generation; /* number of updates, and the update at which the matrix was last
                           decomposed */
    double *decomposed;
    double *sigma;
    double *mean, *path_c, *path_s, *axis; /* (n) each; axis: lengths of the ellipsoid's axes */
    double *matrix, *basis;                /* (n, n) each; columns of basis are the axes */
} cma;

static cma parts_of(const vxe_genome *memory)
{
    double *genes = memory->genes;
    const uint32_t n = (uint32_t)genes[0];
    VXE_ASSERT(n > 0 && n <= VXE_CMA_MAX && memory->count == HEAD + 4ull * n + 2ull * n * n);
    double *rows = genes + HEAD;
    return (cma){n,
                 genes + 1,
                 genes + 2,
                 genes + 3,
                 rows,
                 rows + n,
                 rows + 2 * (size_t)n,
                 rows + 3 * (size_t)n,
                 rows + 4 * (size_t)n,
                 rows + 4 * (size_t)n + (size_t)n * n};
}

static uint64_t row_length(uint32_t n)
{
    return HEAD + 4ull * n + 2ull * n * n;
}

vxe_status vxe_cma_begin(vxe_genome *memory, uint32_t n, double mean, double sigma,
                         vxe_error *error)
{
    const vxe_status status = vxe_genome_take(memory, row_length(n), error);
    if (status) {
        return status;
    }
    memory->genes[0] = n;
    const cma c = parts_of(memory);
    *c.sigma = sigma;
    for (size_t i = 0; i < n; i++) {
        c.mean[i] = mean;
        c.axis[i] = 1;
        c.matrix[i * n + i] = 1;
        c.basis[i * n + i] = 1;
    }
    return VXE_OK;
}

bool vxe_cma_valid(const vxe_genome *memory, uint32_t n)
{
    bool good = memory->count == row_length(n) && memory->genes[0] == n;
    for (uint32_t i = 0; i < memory->count && good; i++) {
        good = isfinite(memory->genes[i]);
    }
    return good;
}

void vxe_cma_sample(const vxe_genome *memory, vxe_stream *stream, double *point, double *workspace)
{
    const cma c = parts_of(memory);
    for (uint32_t i = 0; i < c.n; i++) {
        workspace[i] = c.axis[i] * vxe_stream_normal(stream);
    }
    for (size_t i = 0; i < c.n; i++) {
        double sum = 0;
        for (size_t k = 0; k < c.n; k++) {
            sum += c.basis[i * c.n + k] * workspace[k];
        }
        point[i] = c.mean[i] + *c.sigma * sum;
    }
}

/* Constants of Hansen2016, table 1, for positive weights. */
typedef struct constants {
    double effective; /* mu_eff */
    double c_s, d_s, c_c, c_1, c_mu;
    double length; /* expected length of a standard normal vector */
} constants;

/* Recombination weight of rank i (counted from 0) among lambda, not normalised; 0 in the worse
   half. */
static double weight_of(uint32_t lambda, uint32_t i)
{
    const double weight = vxe_logarithm(0.5 * (lambda + 1.0)) - vxe_logarithm(i + 1.0);
    return weight > 0 ? weight : 0;
}

static constants constants_of(uint32_t n, uint32_t lambda, uint32_t count, double *sum)
{
    double squares = 0;
    constants k;
    *sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double weight = weight_of(lambda, i);
        *sum += weight;
        squares += weight * weight;
    }
    const double mu = *sum * *sum / squares;
    k.effective = mu;
    k.c_s = (mu + 2) / (n + mu + 5);
    const double excess = sqrt((mu - 1) / (n + 1.0)) - 1;
    k.d_s = 1 + 2 * (mu > 1 && excess > 0 ? excess : 0) + k.c_s;
    k.c_c = (4 + mu / n) / (n + 4 + 2 * mu / n);
    k.c_1 = 2 / ((n + 1.3) * (n + 1.3) + mu);
    const double rank_mu = 2 * (mu - 2 + 1 / mu) / ((n + 2.0) * (n + 2.0) + mu);
    k.c_mu = fmax(0, fmin(1 - k.c_1, rank_mu));
    k.length = sqrt(n) * (1 - 1 / (4.0 * n) + 1 / (21.0 * n * n));
    return k;
}

/* Computes the axes of the ellipsoid from the covariance matrix; workspace: (n, n). */
static void decompose(const cma *c, double *workspace)
{
    const size_t n = c->n;
    memcpy(workspace, c->matrix, n * n * sizeof *workspace);
    vxe_symmetric_eigen(workspace, c->basis, n);
    for (size_t i = 0; i < n; i++) {
        const double square = workspace[i * n + i];
        c->axis[i] = sqrt(square > 1e-30 ? square : 1e-30);
    }
}

/* Computes C^(-1/2) step; workspace: n numbers. */
static void whiten(const cma *c, const double *step, double *whitened, double *workspace)
{
    const size_t n = c->n;
    for (size_t k = 0; k < n; k++) {
        workspace[k] = 0;
        for (size_t i = 0; i < n; i++) {
            workspace[k] += c->basis[i * n + k] * step[i];
        }
        workspace[k] /= c->axis[k];
    }
    for (size_t i = 0; i < n; i++) {
        whitened[i] = 0;
        for (size_t k = 0; k < n; k++) {
            whitened[i] += c->basis[i * n + k] * workspace[k];
        }
    }
}

/* Updates the evolution paths and the step size. Returns h_sigma: false where the path of the step
   size is so long that the path of the matrix must wait. */
static bool move_paths(const cma *c, const constants *k, const double *step, double *whitened,
                       double *workspace)
{
    double square = 0;
    whiten(c, step, whitened, workspace);
    for (uint32_t i = 0; i < c->n; i++) {
        c->path_s[i] =
            (1 - k->c_s) * c->path_s[i] + sqrt(k->c_s * (2 - k->c_s) * k->effective) * whitened[i];
        square += c->path_s[i] * c->path_s[i];
    }
    const double length = sqrt(square);
    const double settled =
        1 - vxe_exponential(2 * (*c->generation + 1) * vxe_logarithm(1 - k->c_s));
    const bool goes_on = length / sqrt(settled) < (1.4 + 2 / (c->n + 1.0)) * k->length;
    for (uint32_t i = 0; i < c->n; i++) {
        c->path_c[i] = (1 - k->c_c) * c->path_c[i] +
                       (goes_on ? sqrt(k->c_c * (2 - k->c_c) * k->effective) * step[i] : 0);
    }
    const double change = k->c_s / k->d_s * (length / k->length - 1);
    *c->sigma *= vxe_exponential(change < 1 ? change : 1);
    return goes_on;
}

/* Updates the covariance matrix by its path (rank one) and by the steps of the points from the mean
   (rank mu). */
static void learn_matrix(const cma *c, const constants *k, bool goes_on, uint32_t lambda,
                         const double *const *points, uint32_t count, const double *mean,
                         double sum, double sigma)
{
    const size_t n = c->n;
    const double correction = goes_on ? 0 : k->c_1 * k->c_c * (2 - k->c_c);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double value = (1 - k->c_1 - k->c_mu + correction) * c->matrix[i * n + j] +
                           k->c_1 * c->path_c[i] * c->path_c[j];
            double steps = 0;
            for (uint32_t p = 0; p < count; p++) {
                steps += weight_of(lambda, p) * (points[p][i] - mean[i]) * (points[p][j] - mean[j]);
            }
            value += k->c_mu * steps / (sum * sigma * sigma);
            c->matrix[i * n + j] = value;
            c->matrix[j * n + i] = value;
        }
    }
}

vxe_status vxe_cma_update(vxe_genome *memory, uint32_t lambda, const double *const *points,
                          uint32_t count, vxe_error *error)
{
    const cma c = parts_of(memory);
    const size_t n = c.n;
    const uint32_t better = count < lambda / 2 ? count : lambda / 2;
    VXE_ASSERT(count <= lambda && *c.sigma >= 0);
    double sum = 0;
    if (better == 0) {
        return VXE_OK; /* no point has a value */
    }
    double *workspace = vxe_memory_take(n * n + 4 * n, sizeof *workspace);
    if (!workspace) {
        return vxe_error_memory(error, (n * n + 4 * n) * sizeof *workspace);
    }
    double *mean = workspace + n * n;
    double *step = mean + n;
    const constants k = constants_of(c.n, lambda, better, &sum);
    const double sigma = *c.sigma;
    for (size_t i = 0; i < n; i++) {
        double moved = 0;
        for (uint32_t p = 0; p < better; p++) {
            moved += weight_of(lambda, p) * (points[p][i] - c.mean[i]);
        }
        mean[i] = c.mean[i];
        step[i] = moved / (sum * sigma);
        c.mean[i] += moved / sum;
    }
    const bool goes_on = move_paths(&c, &k, step, step + n, step + 2 * n);
    learn_matrix(&c, &k, goes_on, lambda, points, better, mean, sum, sigma);
    *c.generation += 1;
    if (*c.generation - *c.decomposed > 1 / (10 * (double)n * (k.c_1 + k.c_mu))) {
        decompose(&c, workspace);
        *c.decomposed = *c.generation;
    }
    vxe_memory_release(workspace);
    return VXE_OK;
}
