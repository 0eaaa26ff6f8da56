/* SPDX-License-Identifier: MIT */
/* The lowest vibrations of a body, K x = w^2 M x, by LOBPCG (Knyazev2001): in each iteration the
   block of vectors goes on to the lowest combinations of itself, of its residuals through
   multigrid, and of the last way, whose basis is kept orthonormal over the masses
   (HetmaniukLehoucq2006). Small bodies are solved directly. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/random_internal.h"
#include "common/status_internal.h"
#include "common/symmetric_eigen_internal.h"
#include "engine/core/arrays.h"
#include "engine/statics/multigrid.h"
#include "engine/statics/statics.h"

/* A body of so many free freedoms is solved directly. */
#define DIRECT_FREEDOMS 180u
#define MAX_ITERATIONS 400u
/* Iterations with one cycle of multigrid for each residual. Where these do not do, as between
   materials that differ much, residuals are solved for down to a part of them. */
#define PLAIN_ITERATIONS 40u
#define SOLVED_TO 0.01
/* Residual of a vector over its eigenvalue, whose error goes with the square; and over the stiffest
   motion's, where rounding ends it. */
#define TOLERANCE 1e-5
#define ROUNDING 2e-13
/* Mass that is added for multigrid alone, as a part of the stiffest motion's: where whole bodies
   may move; and where the body is not stable, by how many times the most unstable square. */
#define LOOSE_MASS 1e-9
#define BEYOND 4.0
/* Trials with more and more of it. */
#define TRIALS 6
/* A vector of which the others leave less than this part is one of them. */
#define DEPENDENT 1e-9
/* Vectors beside those that are wanted: the last ones converge slowly. */
#define GUARDS(count) (4 + (count) / 3)

/* The basis: blocks of m vectors, and K times each. */
typedef struct modes {
    const vxe_static_body *body;
    double stiffest;
    double added; /* rad^2/s^2: so much times the masses is in the matrix besides K */
    vxe_block_matrix matrix;
    vxe_multigrid grid;
    size_t numbers; /* of a vector */
    size_t m;       /* vectors of the block */
    size_t wanted;
    size_t used;    /* vectors of the basis: m, then the others */
    double *vector; /* (3 m, numbers) */
    double *image;  /* (3 m, numbers) */
    double *square; /* (m) eigenvalues */
    double *small;  /* (3 m, 3 m) */
    double *basis;  /* (3 m, 3 m) */
    size_t *order;  /* (3 m) eigenvectors of the small matrix, the lowest first */
    double *solver; /* (4, numbers) for solutions */
    double *mixed;  /* (3 m + 4 m) one freedom of all vectors before, and of all images and after */
} modes;

static double *vector_at(const modes *s, size_t i)
{
    return s->vector + i * s->numbers;
}

static double *image_at(const modes *s, size_t i)
{
    return s->image + i * s->numbers;
}

static bool is_free(const modes *s, size_t number)
{
    return !vxe_static_is_fixed(s->body, number);
}

/* into = K x; x is zero on fixed freedoms. */
static void multiply(const modes *s, const double *x, double *into)
{
    vxe_block_matrix_apply(&s->matrix, x, into);
    if (s->body->coupling) {
        vxe_static_add_poisson(s->body, x, into);
    }
    for (size_t i = 0; i < s->numbers && s->added > 0; i++) {
        into[i] -= s->added * s->body->mass[i] * x[i];
    }
}

/* Product over the masses. */
static double mass_product(const modes *s, const double *a, const double *b)
{
    double sum[4] = {0};
    for (size_t i = 0; i < s->numbers; i++) {
        sum[i % 4] += s->body->mass[i] * a[i] * b[i];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void scale(double *vector, double factor, size_t numbers)
{
    for (size_t i = 0; i < numbers; i++) {
        vector[i] *= factor;
    }
}

/* Makes vector `at` orthonormal to those before it. images: its image is kept in step. Returns
   false where nothing of it is left. */
static bool make_orthonormal(modes *s, size_t at, bool images)
{
    double *vector = vector_at(s, at);
    const double size = sqrt(mass_product(s, vector, vector));
    if (!(size > 0)) {
        return false;
    }
    scale(vector, 1 / size, s->numbers);
    if (images) {
        scale(image_at(s, at), 1 / size, s->numbers);
    }
    for (int pass = 0; pass < 2; pass++) { /* the second takes what rounding left of the first */
        for (size_t i = 0; i < at; i++) {
            const double part = -mass_product(s, vector, vector_at(s, i));
            vxe_add_scaled(vector, part, vector_at(s, i), s->numbers);
            if (images) {
                vxe_add_scaled(image_at(s, at), part, image_at(s, i), s->numbers);
            }
        }
        const double left = sqrt(mass_product(s, vector, vector));
        if (!(left > DEPENDENT)) {
            return false;
        }
        scale(vector, 1 / left, s->numbers);
        if (images) {
            scale(image_at(s, at), 1 / left, s->numbers);
        }
    }
    return true;
}

static int by_square(const void *a, const void *b)
{
    const double *one = *(const double *const *)a;
    const double *other = *(const double *const *)b;
    return *one < *other ? -1 : *one > *other;
}

/* The order of n eigenvalues on a diagonal, the lowest first. pointer: (n) to work with. */
static void sort_diagonal(const double *matrix, size_t n, const double **pointer, size_t *order)
{
    for (size_t i = 0; i < n; i++) {
        pointer[i] = matrix + i * (n + 1);
    }
    qsort(pointer, n, sizeof *pointer, by_square);
    for (size_t i = 0; i < n; i++) {
        order[i] = (size_t)(pointer[i] - matrix) / (n + 1);
    }
}

/* The lowest combinations of the basis become the block, and the parts beside the block before
   become the last way, behind it. Every vector of the basis has its image. */
static void combine(modes *s)
{
    const size_t n = s->used;
    const size_t m = s->m;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k <= i; k++) {
            const double value = vxe_product(vector_at(s, i), image_at(s, k), s->numbers);
            s->small[i * n + k] = value;
            s->small[k * n + i] = value;
        }
    }
    vxe_symmetric_eigen(s->small, s->basis, n);
    sort_diagonal(s->small, n, (const double **)s->mixed, s->order);
    for (size_t i = 0; i < m; i++) {
        s->square[i] = s->small[s->order[i] * (n + 1)];
    }
    for (int images = 0; images < 2; images++) {
        double *all = images ? s->image : s->vector;
        for (size_t i = 0; i < s->numbers; i++) {
            double *into = s->mixed + n;
            for (size_t k = 0; k < n; k++) {
                s->mixed[k] = all[k * s->numbers + i];
            }
            for (size_t v = 0; v < m; v++) {
                double way = 0;
                double block = 0;
                for (size_t k = 0; k < n; k++) {
                    const double part = s->basis[k * n + s->order[v]] * s->mixed[k];
                    block += part;
                    way += k < m ? 0 : part;
                }
                into[v] = block;
                into[m + v] = way;
            }
            for (size_t v = 0; v < (n > m ? 2 * m : m); v++) {
                all[v * s->numbers + i] = into[v];
            }
        }
    }
    s->used = n > m ? 2 * m : m;
}

/* Puts the residuals through multigrid behind the block and the last way; or, where `solves`,
   solutions for them. Returns how many of the wanted vectors have not converged. */
static size_t add_residuals(modes *s, bool solves)
{
    size_t left = 0;
    double *residual = image_at(s, 3 * s->m - 1);
    for (size_t v = 0; v < s->m; v++) {
        double square = 0;
        for (size_t i = 0; i < s->numbers; i++) {
            residual[i] = is_free(s, i) ? image_at(s, v)[i] -
                                              s->square[v] * s->body->mass[i] * vector_at(s, v)[i]
                                        : 0;
            square += residual[i] * residual[i] / s->body->mass[i];
        }
        const bool open =
            !(sqrt(square) <= fmax(TOLERANCE * fabs(s->square[v]), ROUNDING * s->stiffest));
        left += open && v < s->wanted;
        if (open && solves) {
            (void)vxe_solve(&s->grid, residual, SOLVED_TO, vector_at(s, s->used++), s->solver);
        } else if (open) {
            vxe_multigrid_apply(&s->grid, residual, vector_at(s, s->used++));
        }
    }
    VXE_ASSERT(s->used <= 3 * s->m);
    return left;
}

/* Makes the basis behind the block orthonormal, and drops what depends on the others. Images of the
   last way are kept in step, those of residuals are computed. */
static void tidy(modes *s, size_t ways)
{
    size_t kept = s->m;
    for (size_t i = s->m; i < s->used; i++) {
        if (kept != i) {
            memcpy(vector_at(s, kept), vector_at(s, i), s->numbers * sizeof(double));
            memcpy(image_at(s, kept), image_at(s, i), s->numbers * sizeof(double));
        }
        if (make_orthonormal(s, kept, i < ways)) {
            if (i >= ways) {
                multiply(s, vector_at(s, kept), image_at(s, kept));
            }
            kept++;
        }
    }
    s->used = kept;
}

/* A block of random motions, made smooth by multigrid. Returns false where it does not come to
   enough of them. */
static bool start_block(modes *s)
{
    vxe_stream stream = vxe_stream_open(0x766962726174ull, 0, 0, 0);
    double *noise = image_at(s, 0);
    s->used = 0;
    for (size_t trial = 0; s->used < s->m && trial < 4 * s->m; trial++) {
        for (size_t i = 0; i < s->numbers; i++) {
            noise[i] = is_free(s, i) ? s->body->mass[i] * vxe_stream_around(&stream, 1) : 0;
        }
        vxe_multigrid_apply(&s->grid, noise, vector_at(s, s->used));
        s->used += make_orthonormal(s, s->used, false);
    }
    for (size_t i = 0; i < s->used; i++) {
        multiply(s, vector_at(s, i), image_at(s, i));
    }
    return s->used == s->m;
}

/* Iterates until the wanted vectors have converged. Returns false where they do not, or where a
   square is so far below 0 that more mass must be added: *unstable is that square then, else 0. */
static bool iterate(modes *s, double *unstable)
{
    *unstable = 0;
    if (!start_block(s)) {
        return false;
    }
    combine(s);
    for (uint32_t i = 0; i < MAX_ITERATIONS; i++) {
        const size_t ways = s->used;
        if (s->square[0] < -s->added) {
            *unstable = s->square[0];
            return false;
        }
        if (add_residuals(s, i >= PLAIN_ITERATIONS) == 0) {
            return true;
        }
        tidy(s, ways);
        combine(s);
    }
    *unstable = fmin(s->square[0], 0);
    return false;
}

static vxe_status take_modes(modes *s, vxe_error *error)
{
    const size_t all = 3 * s->m;
    s->vector = vxe_memory_take(all * s->numbers, sizeof(double));
    s->image = vxe_memory_take(all * s->numbers, sizeof(double));
    s->square = vxe_memory_take(s->m, sizeof(double));
    s->small = vxe_memory_take(all * all, sizeof(double));
    s->basis = vxe_memory_take(all * all, sizeof(double));
    s->order = vxe_memory_take(all, sizeof(size_t));
    s->solver = vxe_memory_take(4 * s->numbers, sizeof(double));
    s->mixed = vxe_memory_take(all + 4 * s->m, sizeof(double));
    const bool complete = s->vector && s->image && s->square && s->small && s->basis && s->order &&
                          s->solver && s->mixed;
    return complete ? VXE_OK : vxe_error_memory(error, 2 * all * s->numbers * sizeof(double));
}

static void clear_modes(modes *s)
{
    vxe_multigrid_clear(&s->grid);
    vxe_block_matrix_clear(&s->matrix);
    vxe_memory_release(s->vector);
    vxe_memory_release(s->image);
    vxe_memory_release(s->square);
    vxe_memory_release(s->small);
    vxe_memory_release(s->basis);
    vxe_memory_release(s->order);
    vxe_memory_release(s->solver);
    vxe_memory_release(s->mixed);
}

/* The matrix with what is added, and its multigrid. */
static vxe_status prepare(modes *s, vxe_error *error)
{
    const uint32_t n = s->body->voxels;
    double *place = vxe_memory_take(3ull * n, sizeof *place);
    int32_t *cell = vxe_memory_take(3ull * n, sizeof *cell);
    vxe_status status = place && cell ? vxe_static_tangent(s->body, s->added, &s->matrix, error)
                                      : vxe_error_memory(error, 36ull * n);
    vxe_multigrid_clear(&s->grid);
    if (!status) {
        vxe_static_hold(s->body, &s->matrix);
        vxe_static_places(s->body, place, cell);
        status = vxe_multigrid_init(&s->grid, &s->matrix, place, cell, error);
        s->grid.add = s->body->coupling ? vxe_static_add_poisson : NULL;
        s->grid.what = s->body;
    }
    vxe_memory_release(place);
    vxe_memory_release(cell);
    return status;
}

static vxe_status find_by_iteration(modes *s, uint32_t count, double *squares, double *shapes,
                                    vxe_error *error)
{
    vxe_status status = take_modes(s, error);
    bool found = false;
    s->added = s->body->loose ? LOOSE_MASS * s->stiffest : 0;
    double unstable = -1;
    for (int trial = 0; trial < TRIALS && !found && !status && (trial < 2 || unstable < 0);
         trial++) {
        status = prepare(s, error);
        found = !status && iterate(s, &unstable);
        s->added =
            found ? s->added : fmax(BEYOND * fmax(s->added, -unstable), LOOSE_MASS * s->stiffest);
    }
    if (!status && !found) {
        return vxe_error_fill(error, VXE_ERROR_UNPHYSICAL,
                              "the %zu lowest vibrations were not found in %u iterations",
                              s->wanted, MAX_ITERATIONS);
    }
    if (!status) {
        memcpy(squares, s->square, count * sizeof *squares);
        memcpy(shapes, s->vector, count * s->numbers * sizeof *shapes);
    }
    return status;
}

/* Solves M^-1/2 K M^-1/2 as a dense matrix over the free freedoms. list: (freedoms) their numbers.
 */
static void solve_directly(const modes *s, const size_t *list, size_t n, double *dense,
                           uint32_t count, double *squares, double *shapes)
{
    double *basis = dense + n * n;
    const double **pointer = (const double **)(dense + 2 * n * n);
    size_t *order = (size_t *)(dense + 2 * n * n + n);
    double *unit = dense + 2 * n * n + 2 * n;
    double *image = unit + s->numbers;
    for (size_t j = 0; j < n; j++) {
        unit[list[j]] = 1;
        multiply(s, unit, image);
        unit[list[j]] = 0;
        for (size_t i = 0; i < n; i++) {
            dense[i * n + j] =
                image[list[i]] / sqrt(s->body->mass[list[i]] * s->body->mass[list[j]]);
        }
    }
    vxe_symmetric_eigen(dense, basis, n);
    sort_diagonal(dense, n, pointer, order);
    for (size_t v = 0; v < count; v++) {
        squares[v] = dense[order[v] * (n + 1)];
        for (size_t i = 0; i < n; i++) {
            shapes[v * s->numbers + list[i]] =
                basis[i * n + order[v]] / sqrt(s->body->mass[list[i]]);
        }
    }
}

static vxe_status find_directly(const modes *s, size_t n, uint32_t count, double *squares,
                                double *shapes, vxe_error *error)
{
    const uint64_t size = 2ull * n * n + 2 * n + 2 * s->numbers;
    double *dense = vxe_memory_take(size, sizeof *dense);
    size_t *list = vxe_memory_take(n, sizeof *list);
    const bool complete = dense && list;
    if (complete) {
        size_t found = 0;
        for (size_t i = 0; i < s->numbers; i++) {
            if (is_free(s, i)) {
                list[found++] = i;
            }
        }
        solve_directly(s, list, n, dense, count, squares, shapes);
    }
    vxe_memory_release(dense);
    vxe_memory_release(list);
    return complete ? VXE_OK : vxe_error_memory(error, size * sizeof *dense);
}

vxe_status vxe_static_body_modes(const vxe_static_body *body, uint32_t count, double stiffest,
                                 double *squares, double *shapes, vxe_error *error)
{
    modes s = {.body = body,
               .stiffest = stiffest,
               .numbers = (size_t)body->voxels * VXE_FREEDOMS,
               .m = count + GUARDS(count),
               .wanted = count};
    size_t n = 0;
    for (size_t i = 0; i < s.numbers; i++) {
        n += is_free(&s, i);
    }
    if (count == 0 || count > n) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "%u vibrations of a body that has %zu freedoms", count, n);
    }
    const bool direct = n <= DIRECT_FREEDOMS || n < 4 * s.m;
    vxe_status status = vxe_static_matrix_init(body, &s.matrix, error);
    if (!status && direct) {
        status = vxe_static_tangent(body, 0, &s.matrix, error);
        vxe_static_hold(body, &s.matrix);
        status = status ? status : find_directly(&s, n, count, squares, shapes, error);
    } else if (!status) {
        status = find_by_iteration(&s, count, squares, shapes, error);
    }
    clear_modes(&s);
    return status;
}
