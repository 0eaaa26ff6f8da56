/* SPDX-License-Identifier: MIT */
/* Largest eigenvalues of stiffness and dashpots against mass, by Lanczos' iteration on the bond law
   linearised at rest. Vectors are floats, sums doubles, whatever the run's precision: a time step
   needs three digits, and a large body's iteration is bound by memory.

   A body is cut into parts by its size alone, and all sums go over the parts in their order: the
   step that follows from an eigenvalue has the same bits for any number of threads. */
#include "engine/spectrum_internal.h"

#include <math.h>
#include <string.h>

#include "common/hash_internal.h"
#include "common/memory.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"

/* Chunks of a part, at least; and at least so many times what its bonds reach up, so that the sums
 * beyond its own slots are few. */
#define PART_CHUNKS 256u
#define PART_REACHES 6u
#define MOST_ITERATIONS 400u
/* Iterations up to which vectors' lengths are taken as 1. */
#define SHORT_RUN 24u

/* A vector over the six freedoms of every slot. */
typedef struct krylov {
    float *at[6];
    float *block;
} krylov;

/* Chunks whose bonds are summed together, and the sums: for its own slots and the upper ones. */
typedef struct part {
    uint32_t first_chunk, last_chunk;
    uint32_t first, last; /* slots */
    uint32_t reach;       /* slots of sum, from first on */
    krylov sum;
    double product; /* of a phase */
    double square;
} part;

typedef struct spectrum {
    const vxe_spectrum_body *body;
    vxe_linear_bonds matrix;
    part *parts;
    uint32_t part_count;
    uint32_t threads;
    bool floor; /* springs or dashpots of the floor, and drag, are part of the matrix */
    krylov u, previous, next;
    double alpha; /* of the iteration before */
    double beta;
    double unit; /* what u is to be multiplied with to be of unit length: floats leave it near */
    double previous_unit;
} spectrum;

static bool take_krylov(krylov *vector, uint64_t slots)
{
    vector->block = vxe_memory_take(6 * slots, sizeof *vector->block);
    for (uint64_t c = 0; c < 6 && vector->block; c++) {
        vector->at[c] = vector->block + c * slots;
    }
    return vector->block != NULL;
}

typedef void (*part_work)(spectrum *s, part *own);

typedef struct parts_job {
    spectrum *s;
    part_work work;
} parts_job;

static void run_parts(void *context, uint32_t thread, uint32_t threads)
{
    const parts_job *job = context;
    for (uint32_t i = thread; i < job->s->part_count; i += threads) {
        job->work(job->s, &job->s->parts[i]);
    }
}

static void for_parts(spectrum *s, part_work work)
{
    parts_job job = {s, work};
    vxe_parallel_run(s->threads, run_parts, &job);
}

/* Mass or inertia of a freedom, over the mass of the voxel. */
static double by_mass(const spectrum *s, int c)
{
    return c < 3 ? 1 : s->matrix.edge * s->matrix.edge / 6;
}

/* Sums over a part of mass times x y and of mass times x x, x and y being component c of vectors.
 * In eight running sums, so that none waits for another; their order is fixed. */
static void add_products(const spectrum *s, int c, const float *restrict x, const float *restrict y,
                         part *own)
{
    const double *restrict inverse = s->body->inverse[c];
    const double *restrict mass = s->body->mass;
    double product[8] = {0};
    double square[8] = {0};
    uint32_t i = own->first;
    for (; i + 8 <= own->last; i += 8) {
        for (uint32_t k = 0; k < 8; k++) {
            const double weight = inverse[i + k] > 0 ? mass[i + k] : 0;
            const double value = weight * (double)x[i + k];
            product[k] += value * (double)y[i + k];
            square[k] += value * (double)x[i + k];
        }
    }
    for (; i < own->last; i++) {
        const double value = inverse[i] > 0 ? mass[i] * (double)x[i] : 0;
        product[0] += value * (double)y[i];
        square[0] += value * (double)x[i];
    }
    for (int k = 0; k < 8; k++) {
        own->product += by_mass(s, c) * product[k];
        own->square += by_mass(s, c) * square[k];
    }
}

/* Whether vectors' lengths are measured: floats take them from 1 by some 1e-6 an iteration, which a
 * short run bears. */
static bool measures_length(const spectrum *s)
{
    return s->body->iterations > SHORT_RUN;
}

/* next = (next - alpha u)/beta: the next vector of the basis, and its true length. */
static void scale_part(spectrum *s, part *own)
{
    const float alpha = (float)(s->alpha * s->unit);
    const float scale = (float)(1 / s->beta);
    own->product = 0;
    own->square = 0;
    for (int c = 0; c < 6; c++) {
        float *restrict next = s->next.at[c];
        const float *restrict u = s->u.at[c];
        for (uint32_t i = own->first; i < own->last; i++) {
            next[i] = scale * (next[i] - alpha * u[i]);
        }
        if (measures_length(s)) {
            add_products(s, c, next, next, own);
        }
    }
}

static void multiply_part(spectrum *s, part *own)
{
    memset(own->sum.block, 0, 6ull * own->reach * sizeof(float));
    const vxe_schedule *schedule = s->body->schedule;
    for (uint32_t chunk = own->first_chunk; chunk < own->last_chunk; chunk++) {
        for (int axis = 0; axis < 3; axis++) {
            s->body->kernels->apply(&s->matrix, axis, s->u.at, own->sum.at, own->first,
                                    schedule->vector_first[axis][chunk],
                                    schedule->vector_first[axis][chunk + 1]);
        }
    }
}

/* What floor and drag add on the diagonal, already over the freedom's mass. */
static void add_diagonal(const spectrum *s, int c, const part *own)
{
    const vxe_spectrum_body *body = s->body;
    const double *inverse = body->inverse[c];
    const double *floor = s->matrix.dashpots ? body->floor_dashpot : body->floor_stiffness;
    const double *drag = c < 3 ? body->drag : body->spin_drag;
    const float unit = (float)s->unit;
    float *restrict next = s->next.at[c];
    const float *restrict u = s->u.at[c];
    for (uint32_t i = own->first; i < own->last && c == 2 && floor; i++) {
        next[i] += unit * (float)(floor[i] * inverse[i]) * u[i];
    }
    for (uint32_t i = own->first; i < own->last && s->matrix.dashpots && drag; i++) {
        next[i] += unit * (float)(drag[i] * inverse[i]) * u[i];
    }
}

/* next = M^-1 (sums of the parts) unit - beta previous, with its products in the norm of mass. */
static void gather_part(spectrum *s, part *own)
{
    own->product = 0;
    own->square = 0;
    for (int c = 0; c < 6; c++) {
        float *restrict next = s->next.at[c];
        const float *restrict previous = s->previous.at[c];
        const double *restrict inverse = s->body->inverse[c];
        const float beta = (float)(s->beta * s->previous_unit);
        const float unit = (float)s->unit;
        memset(next + own->first, 0, (own->last - own->first) * sizeof *next);
        for (const part *from = s->parts; from <= own; from++) {
            const uint32_t end = from->first + from->reach;
            const uint32_t last = end < own->last ? end : own->last;
            const float *restrict sum = from->sum.at[c] - from->first;
            for (uint32_t i = own->first; i < last; i++) {
                next[i] += sum[i];
            }
        }
        for (uint32_t i = own->first; i < own->last; i++) {
            next[i] = unit * (float)inverse[i] * next[i] - beta * previous[i];
        }
        if (s->floor) {
            add_diagonal(s, c, own);
        }
        add_products(s, c, next, s->u.at[c], own);
    }
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

static void add_up(const spectrum *s, double *product, double *square)
{
    *product = 0;
    *square = 0;
    for (uint32_t i = 0; i < s->part_count; i++) {
        *product += s->parts[i].product;
        *square += s->parts[i].square;
    }
}

/* Reproducible noise, a number for each freedom, so that no symmetry hides the highest mode; zero
 * on fixed freedoms. */
static void fill_part(spectrum *s, part *own)
{
    const vxe_spectrum_body *body = s->body;
    own->product = 0;
    own->square = 0;
    for (int c = 0; c < 6; c++) {
        float *next = s->next.at[c];
        for (uint32_t i = own->first; i < own->last; i++) {
            const uint64_t bits = vxe_hash_mix((uint64_t)c << 32 | i);
            const float noise = (float)((double)(bits >> 11) * 0x1p-53 - 0.5);
            next[i] = body->inverse[c][i] > 0 ? noise : 0;
        }
        add_products(s, c, next, next, own);
    }
}

/* Start of the iteration; returns the noise's length. */
static double fill_noise(spectrum *s)
{
    double product = 0;
    double square = 0;
    memset(s->u.block, 0, 6ull * s->body->slots * sizeof(float));
    memset(s->previous.block, 0, 6ull * s->body->slots * sizeof(float));
    for_parts(s, fill_part);
    add_up(s, &product, &square);
    return sqrt(square);
}

/* The next vector of the basis becomes u; then next is the matrix' image of it, less what is along
   the vector before. Gives the coefficients of the tridiagonal matrix; false at its end. */
static bool next_vector(spectrum *s, bool first, double *alpha, double *beta)
{
    double product = 0;
    double square = 0;
    for_parts(s, scale_part);
    const krylov spare = s->previous;
    s->previous = s->u;
    s->u = s->next;
    s->next = spare;
    add_up(s, &product, &square);
    s->previous_unit = first ? 0 : s->unit;
    s->unit = measures_length(s) ? 1 / sqrt(square) : 1;
    for_parts(s, multiply_part);
    for_parts(s, gather_part);
    add_up(s, &product, &square);
    *alpha = product * s->unit;
    s->alpha = *alpha;
    /* |next - alpha u|^2, u being of unit length */
    s->beta = sqrt(fmax(square - *alpha * *alpha, 0));
    *beta = s->beta;
    return s->beta > 1e-6 * fabs(*alpha);
}

/* Lanczos' iteration for M^-1 (matrix), which is symmetric in the inner product of mass. Ends when
 * the estimate grows by less than the tolerance, or at the limit of iterations. */
static double lanczos(spectrum *s, bool dashpots, bool floor)
{
    double alpha[MOST_ITERATIONS];
    double beta[MOST_ITERATIONS];
    double estimate = 0;
    s->matrix.dashpots = dashpots;
    s->floor = floor;
    s->alpha = 0;
    s->beta = fill_noise(s);
    bool more = s->beta > 0;
    for (uint32_t n = 0; n < s->body->iterations && n < MOST_ITERATIONS && more; n++) {
        more = next_vector(s, n == 0, &alpha[n], &beta[n]);
        const double before = estimate;
        estimate = largest_ritz(alpha, beta, n + 1);
        more = more && !(n > 8 && estimate - before < s->body->tolerance * estimate);
    }
    return estimate;
}

/* Slots from the first one of some chunks to the highest upper voxel of their bonds, and a vector's
 * spare lanes. */
static uint32_t reach_of(const spectrum *s, uint32_t first_chunk, uint32_t last_chunk)
{
    const vxe_schedule *schedule = s->body->schedule;
    uint32_t end = schedule->chunk_first[last_chunk];
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t *vector_first = schedule->vector_first[axis];
        for (uint32_t v = vector_first[first_chunk]; v < vector_first[last_chunk]; v++) {
            const uint32_t upper = s->matrix.bonds[axis].upper[v];
            end = upper > end ? upper : end;
        }
    }
    return end - schedule->chunk_first[first_chunk] + VXE_VECTOR;
}

/* Chunks of a part. */
static uint32_t part_size(const spectrum *s)
{
    uint32_t most = 0;
    for (uint32_t chunk = 0; chunk < s->body->schedule->chunk_count; chunk++) {
        const uint32_t reach = reach_of(s, chunk, chunk + 1);
        most = reach > most ? reach : most;
    }
    const uint32_t chunks =
        (uint32_t)((uint64_t)PART_REACHES * most / s->body->schedule->chunk_slots);
    return chunks > PART_CHUNKS ? chunks : PART_CHUNKS;
}

static vxe_status take_parts(spectrum *s, vxe_error *error)
{
    const vxe_schedule *schedule = s->body->schedule;
    const uint32_t size = part_size(s);
    s->part_count = (schedule->chunk_count + size - 1) / size;
    s->parts = vxe_memory_take(s->part_count, sizeof *s->parts);
    if (!s->parts) {
        return vxe_error_memory(error, s->part_count * sizeof *s->parts);
    }
    for (uint32_t i = 0; i < s->part_count; i++) {
        part *own = &s->parts[i];
        const uint32_t last = (i + 1) * size;
        own->first_chunk = i * size;
        own->last_chunk = last < schedule->chunk_count ? last : schedule->chunk_count;
        own->first = schedule->chunk_first[own->first_chunk];
        own->last = schedule->chunk_first[own->last_chunk];
        own->reach = reach_of(s, own->first_chunk, own->last_chunk);
        if (!take_krylov(&own->sum, own->reach)) {
            return vxe_error_memory(error, 24ull * own->reach);
        }
    }
    return VXE_OK;
}

static void clear(spectrum *s)
{
    krylov *vectors[] = {&s->u, &s->previous, &s->next};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        vxe_memory_release(vectors[i]->block);
    }
    for (uint32_t i = 0; i < s->part_count && s->parts; i++) {
        vxe_memory_release(s->parts[i].sum.block);
    }
    vxe_memory_release(s->parts);
}

vxe_status vxe_spectrum_find(vxe_spectrum *found, const vxe_spectrum_body *body, vxe_error *error)
{
    spectrum s = {.body = body, .matrix = body->bonds, .threads = body->threads};
    vxe_status status = take_parts(&s, error);
    if (!status && !(take_krylov(&s.u, body->slots) && take_krylov(&s.previous, body->slots) &&
                     take_krylov(&s.next, body->slots))) {
        status = vxe_error_memory(error, 72ull * body->slots);
    }
    if (!status) {
        s.threads = s.threads < s.part_count ? s.threads : s.part_count;
        const bool more = body->floor_dashpot || body->drag;
        found->lambda_k = lanczos(&s, false, true);
        found->lambda_c =
            body->damped && (body->bonds_alone || !more) ? lanczos(&s, true, false) : 0;
        found->lambda_c_all =
            more && body->dashpots_all ? lanczos(&s, true, true) : found->lambda_c;
        found->lambda_c = body->bonds_alone || !more ? found->lambda_c : found->lambda_c_all;
    }
    clear(&s);
    return status;
}
