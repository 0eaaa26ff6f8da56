/* SPDX-License-Identifier: MIT */
/* Largest eigenvalues of stiffness and dashpots against mass, by Lanczos' iteration on the bond law
   linearised at rest. All in double, whatever the run's precision.

   A body is cut into parts by its size alone, and all sums go over the parts in their order: the
   step that follows from an eigenvalue has the same bits for any number of threads. */
#include "engine/spectrum_internal.h"

#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"

/* Chunks of a part. */
#define PART_CHUNKS 256u
#define MOST_ITERATIONS 400u

/* A vector over the six freedoms of every slot, weighted by the square root of mass and inertia. */
typedef struct krylov {
    double *at[6];
    double *block;
} krylov;

/* Chunks whose bonds are summed together, and the sums: for its own slots and the upper ones. */
typedef struct part {
    uint32_t first_chunk, last_chunk;
    uint32_t first, last; /* slots */
    uint32_t reach;       /* slots of sum, from first on */
    krylov sum;
} part;

typedef struct spectrum {
    const vxe_spectrum_body *body;
    vxe_linear_bonds matrix;
    part *parts;
    uint32_t part_count;
    uint32_t threads;
    bool floor; /* springs or dashpots of the floor, and drag, are part of the matrix */
    krylov z, previous, next, u;
    double *partial; /* (part_count) sums of parts */
    double factor;   /* of the present phase */
    double other_factor;
} spectrum;

static bool take_krylov(krylov *vector, uint64_t slots)
{
    vector->block = vxe_memory_take(6 * slots, sizeof(double));
    for (uint64_t c = 0; c < 6 && vector->block; c++) {
        vector->at[c] = vector->block + c * slots;
    }
    return vector->block != NULL;
}

typedef void (*part_work)(spectrum *s, part *own, uint32_t index);

typedef struct parts_job {
    spectrum *s;
    part_work work;
} parts_job;

static void run_parts(void *context, uint32_t thread, uint32_t threads)
{
    const parts_job *job = context;
    for (uint32_t i = thread; i < job->s->part_count; i += threads) {
        job->work(job->s, &job->s->parts[i], i);
    }
}

static void for_parts(spectrum *s, part_work work)
{
    parts_job job = {s, work};
    vxe_parallel_run(s->threads, run_parts, &job);
}

static double total(const spectrum *s)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->part_count; i++) {
        sum += s->partial[i];
    }
    return sum;
}

static double inverse_at(const spectrum *s, int c, uint32_t slot)
{
    return s->body->inverse[c][slot];
}

/* z /= factor; u = M^-1/2 z. */
static void scale_part(spectrum *s, part *own, uint32_t index)
{
    (void)index;
    for (int c = 0; c < 6; c++) {
        for (uint32_t i = own->first; i < own->last; i++) {
            s->z.at[c][i] /= s->factor;
            s->u.at[c][i] = s->z.at[c][i] * sqrt(inverse_at(s, c, i));
        }
    }
}

static void multiply_part(spectrum *s, part *own, uint32_t index)
{
    (void)index;
    memset(own->sum.block, 0, 6ull * own->reach * sizeof(double));
    const vxe_schedule *schedule = s->body->schedule;
    for (uint32_t chunk = own->first_chunk; chunk < own->last_chunk; chunk++) {
        for (int axis = 0; axis < 3; axis++) {
            s->body->kernels->apply(&s->matrix, axis, s->u.at, own->sum.at, own->first,
                                    schedule->vector_first[axis][chunk],
                                    schedule->vector_first[axis][chunk + 1]);
        }
    }
}

/* What floor and drag add on the diagonal, over the freedom's mass. */
static double diagonal(const spectrum *s, int c, uint32_t slot)
{
    const vxe_spectrum_body *body = s->body;
    double value = 0;
    if (s->floor && c == 2) {
        const double *floor = s->matrix.dashpots ? body->floor_dashpot : body->floor_stiffness;
        value += floor ? floor[slot] * inverse_at(s, c, slot) : 0;
    }
    if (s->floor && s->matrix.dashpots && body->drag) {
        value += (c < 3 ? body->drag : body->spin_drag)[slot] * inverse_at(s, c, slot);
    }
    return value;
}

/* next = M^-1/2 (sums of the parts) + diagonal z, and its product with z. */
static void gather_part(spectrum *s, part *own, uint32_t index)
{
    double product = 0;
    for (int c = 0; c < 6; c++) {
        double *next = s->next.at[c];
        memset(next + own->first, 0, (own->last - own->first) * sizeof *next);
        for (const part *from = s->parts; from <= own; from++) {
            const uint32_t end = from->first + from->reach;
            const uint32_t last = end < own->last ? end : own->last;
            const double *sum = from->sum.at[c] - from->first;
            for (uint32_t i = own->first; i < last; i++) {
                next[i] += sum[i];
            }
        }
        for (uint32_t i = own->first; i < own->last; i++) {
            const double z = s->z.at[c][i];
            next[i] = next[i] * sqrt(inverse_at(s, c, i)) + diagonal(s, c, i) * z;
            product += next[i] * z;
        }
    }
    s->partial[index] = product;
}

/* next -= factor z + other_factor previous, and its square. */
static void reduce_part(spectrum *s, part *own, uint32_t index)
{
    double square = 0;
    for (int c = 0; c < 6; c++) {
        double *next = s->next.at[c];
        for (uint32_t i = own->first; i < own->last; i++) {
            next[i] -= s->factor * s->z.at[c][i] + s->other_factor * s->previous.at[c][i];
            square += next[i] * next[i];
        }
    }
    s->partial[index] = square;
}

/* Largest eigenvalue of the symmetric tridiagonal matrix by bisection on Sturm sequences. */
static double largest_ritz(const double *alpha, const double *beta, uint32_t n)
{
    double high = 0;
    for (uint32_t i = 0; i < n; i++) {
        high = fmax(high,
                    alpha[i] + (i > 0 ? fabs(beta[i - 1]) : 0) + (i + 1 < n ? fabs(beta[i]) : 0));
    }
    double low = 0;
    for (int turn = 0; turn < 100 && high - low > 1e-13 * high; turn++) {
        const double middle = 0.5 * (low + high);
        bool below = true; /* all eigenvalues below middle: all pivots negative */
        double pivot = 1;
        for (uint32_t i = 0; i < n && below; i++) {
            pivot = alpha[i] - middle - (i > 0 ? beta[i - 1] * beta[i - 1] / pivot : 0);
            below = pivot < 0;
        }
        *(below ? &high : &low) = middle;
    }
    return high;
}

/* Start of the iteration: reproducible noise, so that no symmetry hides the highest mode; zero on
 * fixed freedoms. Returns its length. */
static double fill_noise(spectrum *s)
{
    uint64_t seed = 0x243f6a8885a308d3ULL; /* digits of pi */
    double square = 0;
    memset(s->previous.block, 0, 6ull * s->body->slots * sizeof(double));
    for (int c = 0; c < 6; c++) {
        for (uint32_t i = 0; i < s->body->voxels; i++) {
            seed =
                seed * 6364136223846793005ULL + 1442695040888963407ULL; /* Knuth's MMIX generator */
            s->z.at[c][i] = inverse_at(s, c, i) > 0 ? (double)(seed >> 11) * 0x1p-53 - 0.5 : 0;
            square += s->z.at[c][i] * s->z.at[c][i];
        }
    }
    return sqrt(square);
}

/* Ends when the estimate grows by less than the tolerance, or at the limit of iterations. */
static double lanczos(spectrum *s, bool dashpots, bool floor)
{
    double alpha[MOST_ITERATIONS];
    double beta[MOST_ITERATIONS];
    double estimate = 0;
    double last_beta = 0;
    s->matrix.dashpots = dashpots;
    s->floor = floor;
    double norm = fill_noise(s);
    for (uint32_t n = 0; n < s->body->iterations && n < MOST_ITERATIONS && norm > 0; n++) {
        s->factor = norm;
        for_parts(s, scale_part);
        for_parts(s, multiply_part);
        for_parts(s, gather_part);
        alpha[n] = total(s);
        s->factor = alpha[n];
        s->other_factor = last_beta;
        for_parts(s, reduce_part);
        const double before = estimate;
        estimate = largest_ritz(alpha, beta, n + 1);
        norm = sqrt(total(s));
        if (!(norm > 1e-12 * estimate) ||
            (n > 8 && estimate - before < s->body->tolerance * estimate)) {
            break;
        }
        beta[n] = norm;
        last_beta = norm;
        const krylov spare = s->previous;
        s->previous = s->z;
        s->z = s->next;
        s->next = spare;
    }
    return estimate;
}

/* Slots of a part's sums: up to the highest upper voxel of its bonds, and a vector's spare lanes.
 */
static uint32_t reach_of(const spectrum *s, const part *own)
{
    uint32_t end = own->last;
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t *vector_first = s->body->schedule->vector_first[axis];
        for (uint32_t v = vector_first[own->first_chunk]; v < vector_first[own->last_chunk]; v++) {
            const uint32_t upper = s->matrix.bonds[axis].upper[v];
            end = upper > end ? upper : end;
        }
    }
    return end - own->first + VXE_VECTOR;
}

static vxe_status take_parts(spectrum *s, vxe_error *error)
{
    const vxe_schedule *schedule = s->body->schedule;
    s->part_count = (schedule->chunk_count + PART_CHUNKS - 1) / PART_CHUNKS;
    s->parts = vxe_memory_take(s->part_count, sizeof *s->parts);
    s->partial = vxe_memory_take(s->part_count, sizeof *s->partial);
    if (!s->parts || !s->partial) {
        return vxe_error_memory(error, s->part_count * (sizeof *s->parts + sizeof *s->partial));
    }
    for (uint32_t i = 0; i < s->part_count; i++) {
        part *own = &s->parts[i];
        const uint32_t last = (i + 1) * PART_CHUNKS;
        own->first_chunk = i * PART_CHUNKS;
        own->last_chunk = last < schedule->chunk_count ? last : schedule->chunk_count;
        own->first = schedule->chunk_first[own->first_chunk];
        own->last = schedule->chunk_first[own->last_chunk];
        own->reach = reach_of(s, own);
        if (!take_krylov(&own->sum, own->reach)) {
            return vxe_error_memory(error, 48ull * own->reach);
        }
    }
    return VXE_OK;
}

static void clear(spectrum *s)
{
    krylov *vectors[4] = {&s->z, &s->previous, &s->next, &s->u};
    for (int i = 0; i < 4; i++) {
        vxe_memory_release(vectors[i]->block);
    }
    for (uint32_t i = 0; i < s->part_count && s->parts; i++) {
        vxe_memory_release(s->parts[i].sum.block);
    }
    vxe_memory_release(s->parts);
    vxe_memory_release(s->partial);
}

vxe_status vxe_spectrum_find(vxe_spectrum *found, const vxe_spectrum_body *body, vxe_error *error)
{
    spectrum s = {.body = body, .matrix = body->bonds, .threads = body->threads};
    vxe_status status = take_parts(&s, error);
    if (!status && !(take_krylov(&s.z, body->slots) && take_krylov(&s.previous, body->slots) &&
                     take_krylov(&s.next, body->slots) && take_krylov(&s.u, body->slots))) {
        status = vxe_error_memory(error, 192ull * body->slots);
    }
    if (!status) {
        s.threads = s.threads < s.part_count ? s.threads : s.part_count;
        const bool more = body->floor_dashpot || body->drag;
        found->lambda_k = lanczos(&s, false, true);
        found->lambda_c = body->damped ? lanczos(&s, true, false) : 0;
        found->lambda_c_all = more ? lanczos(&s, true, true) : found->lambda_c;
    }
    clear(&s);
    return status;
}
