/* SPDX-License-Identifier: MIT */
/* Largest eigenvalues of M^-1 K and M^-1 C, from which the time step follows: Lanczos' iteration
   (Lanczos1950) on the bond law linearised at rest. Vectors and products within a chunk are floats,
   sums over chunks are doubles, whatever the run's precision: a time step needs three digits, and
   the iteration of a large body is bound by memory. All quantities are without units: masses are
   relative to the lightest voxel, lengths to the edge, springs and dashpots to the largest one, so
   that no product leaves the range of floats whatever the design's scale.

   An iteration goes over the body twice: to the next vector of the basis, and, chunk by chunk as in
   a step, to the product of the matrix with it. The body is cut into parts by its size alone, and
   all sums go over the parts in their order, so that an eigenvalue, and the step that follows from
   it, has the same bits for any number of threads. */
#include "engine/timestep/spectrum.h"

#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"
#include "engine/core/accumulators.h"

/* Slots of a part, at least, and the least multiple of how far bonds reach up: then a part gets
   sums from the part before it alone, and only a small head of it has to wait for those. */
#define PART_SLOTS 65536u
#define PART_REACHES 6u
/* Products are sums of floats: a remainder of the image below this part of alpha is rounding, and
   ends the iteration. */
#define END_OF_SPACE 1e-3
#define MAX_ITERATIONS 400u

/* A range of chunks that one thread computes. */
typedef struct part {
    uint32_t first_chunk, last_chunk;
    uint32_t first, last; /* slots */
    uint32_t head;        /* slots [first, head) also get sums from the part before */
    uint32_t reach;       /* slots from the first one of a chunk to the last that its bonds reach */
    uint32_t capacity;    /* slots of sums.upper_force */
    vxe_bond_target sums;
    void *lower_block;
    void *upper_block;
    vxe_krylov_products products; /* of the latest phase */
} part;

typedef struct spectrum {
    const vxe_spectrum_body *body;
    vxe_linear_bonds matrix;
    vxe_krylov krylov;
    double mass;    /* kg: of the lightest voxel */
    double spring;  /* N/m: the largest, of bonds and floor */
    double dashpot; /* N s/m: the largest, of bonds, floor and drag */
    float *rows;
    void *blocks[3];
    float *root[6];     /* arrays that are owned; null where a freedom shares the one before */
    float *diagonal[4]; /* by group of freedoms (group_of); null where nothing acts */
    part *parts;
    uint32_t part_count;
    uint32_t threads;
    double alpha; /* diagonal coefficient of the previous iteration */
    double beta;  /* off-diagonal coefficient of the previous iteration */
    double unit;  /* factor that makes the basis exactly of unit length, near 1 */
} spectrum;

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

/* Runs a phase over all parts; returns the sums of their products, added in the order of parts. */
static vxe_krylov_products for_parts(spectrum *s, part_work work)
{
    parts_job job = {s, work};
    vxe_krylov_products all = {0};
    for (uint32_t i = 0; i < s->part_count; i++) {
        s->parts[i].products = (vxe_krylov_products){0};
    }
    vxe_parallel_run(s->threads, run_parts, &job);
    for (uint32_t i = 0; i < s->part_count; i++) {
        all.image_basis += s->parts[i].products.image_basis;
        all.image_image += s->parts[i].products.image_image;
        all.basis_basis += s->parts[i].products.basis_basis;
    }
    return all;
}

/* Advances the basis of a part to the next vector; its squared length is added chunk by chunk. */
static void advance_part(spectrum *s, part *own)
{
    VXE_ASSERT(own->first_chunk < own->last_chunk && s->beta > 0);
    const uint32_t *chunk_first = s->body->chunks->chunk_first;
    for (uint32_t chunk = own->first_chunk; chunk < own->last_chunk; chunk++) {
        s->body->kernels->advance(&s->krylov, chunk_first[chunk], chunk_first[chunk + 1],
                                  (float)(s->alpha * s->unit), (float)(1 / s->beta),
                                  (float)(-s->beta * s->unit), &own->products);
    }
}

/* Multiplies the matrix of the part's bonds with the basis. The head of a part is completed by
   finish_part, and its products are taken there. */
static void multiply_part(spectrum *s, part *own)
{
    VXE_ASSERT(own->first <= own->head && own->head <= own->last);
    const vxe_chunks *chunks = s->body->chunks;
    const vxe_linear_kernels *kernels = s->body->kernels;
    vxe_krylov_products ignored = {0};
    own->sums.upper_first = own->first;
    for (uint32_t chunk = own->first_chunk; chunk < own->last_chunk; chunk++) {
        const uint32_t first = chunks->chunk_first[chunk];
        const uint32_t last = chunks->chunk_first[chunk + 1];
        const uint32_t head = own->head < first ? first : own->head < last ? own->head : last;
        own->sums.lower_first = first;
        vxe_sums_slide(&own->sums, first, own->reach, own->capacity, s->body->slots,
                       VXE_PRECISION_MIXED);
        for (int axis = 0; axis < 3; axis++) {
            kernels->apply(&s->matrix, axis, s->krylov.plain, &own->sums,
                           chunks->vector_first[axis][chunk],
                           chunks->vector_first[axis][chunk + 1]);
        }
        kernels->gather(&s->krylov, &own->sums, first, head, (float)s->unit, &ignored);
        kernels->gather(&s->krylov, &own->sums, head, last, (float)s->unit, &own->products);
    }
}

/* Adds the sums that the part before has left behind its end to the head of this part. */
static void finish_part(spectrum *s, part *own)
{
    VXE_ASSERT(own->head == own->first || own > s->parts);
    vxe_krylov bonds_alone = s->krylov;
    memset(bonds_alone.diagonal, 0, sizeof bonds_alone.diagonal);
    for (uint32_t first = own->first; first < own->head; first += s->body->chunks->chunk_slots) {
        const uint32_t end = first + s->body->chunks->chunk_slots;
        vxe_bond_target sums = own[-1].sums;
        memcpy(sums.lower_force, own->sums.lower_force,
               sizeof sums.lower_force); /* these are zero again by now */
        sums.lower_first = first;
        s->body->kernels->gather(&bonds_alone, &sums, first, end < own->head ? end : own->head,
                                 (float)s->unit, &own->products);
    }
}

/* Largest eigenvalue of the symmetric tridiagonal matrix, by bisection on Sturm sequences, to a
   relative error of `within`. low: a lower bound, the eigenvalue of the matrix without its last
   row. */
static double largest_ritz(const double *alpha, const double *beta, uint32_t n, double low,
                           double within)
{
    VXE_ASSERT(n >= 1 && n <= MAX_ITERATIONS && low >= 0 && within > 0);
    double high = 0;
    for (uint32_t i = 0; i < n; i++) {
        high = fmax(high,
                    alpha[i] + (i > 0 ? fabs(beta[i - 1]) : 0) + (i + 1 < n ? fabs(beta[i]) : 0));
    }
    for (int turn = 0; turn < 100 && high - low > within * high; turn++) {
        const double middle = 0.5 * (low + high);
        bool below = true; /* all eigenvalues are below middle if all pivots are negative */
        double pivot = 1;
        for (uint32_t i = 0; i < n && below; i++) {
            pivot = alpha[i] - middle - (i > 0 ? beta[i - 1] * beta[i - 1] / pivot : 0);
            below = pivot < 0;
        }
        *(below ? &high : &low) = middle;
    }
    return high;
}

/* Fills the start vector with reproducible noise, one number for each freedom, so that no symmetry
   hides the highest mode; fixed freedoms get zero. */
static void fill_part(spectrum *s, part *own)
{
    /* the spare lanes of the last vector too: an earlier iteration may have left anything there */
    const uint32_t last = (own->last + VXE_VECTOR - 1) / VXE_VECTOR * VXE_VECTOR;
    double square = 0;
    for (uint32_t i = own->first; i < last; i++) {
        float noise[6] = {0};
        if (i < s->body->voxels) {
            vxe_start_vector_at(s->body->start, i, noise);
        }
        for (int c = 0; c < 6; c++) {
            s->krylov.image[c][i] = s->krylov.root[c][i] > 0 ? noise[c] : 0;
            s->krylov.basis[c][i] = 0;
            square += (double)s->krylov.image[c][i] * (double)s->krylov.image[c][i];
        }
    }
    own->products.image_image = square;
}

/* One iteration: the next vector of the basis, and the product of the matrix with it, less its part
   along the vector before. Gives the next coefficients of the tridiagonal matrix; false where there
   is no further vector. */
static bool next_vector(spectrum *s, double *alpha, double *beta)
{
    VXE_ASSERT(s->beta > 0 && s->unit > 0);
    vxe_krylov *krylov = &s->krylov;
    const vxe_krylov_products length = for_parts(s, advance_part);
    for (int c = 0; c < 6; c++) {
        float *old = krylov->basis[c];
        krylov->basis[c] = krylov->image[c];
        krylov->image[c] = old;
    }
    if (!(length.basis_basis > 0.25 && length.basis_basis < 4)) { /* 1 but for rounding */
        return false;
    }
    s->unit = 1 / sqrt(length.basis_basis);
    const vxe_krylov_products inner = for_parts(s, multiply_part);
    const vxe_krylov_products heads = for_parts(s, finish_part);
    s->alpha = (inner.image_basis + heads.image_basis) * s->unit;
    /* |image - alpha basis|^2, where the basis is of unit length */
    s->beta = sqrt(fmax(inner.image_image + heads.image_image - s->alpha * s->alpha, 0));
    *alpha = s->alpha;
    *beta = s->beta;
    return true;
}

/* Largest eigenvalue of the matrix over the masses, by Lanczos' iteration (Lanczos1950). Ends when
   the estimate grows by less than the tolerance, or at the limit of iterations. */
static double lanczos(spectrum *s)
{
    double alpha[MAX_ITERATIONS];
    double beta[MAX_ITERATIONS];
    double estimate = 0;
    s->alpha = 0;
    s->unit = 1;
    s->beta = sqrt(for_parts(s, fill_part).image_image);
    bool more = s->beta > 0;
    for (uint32_t n = 0; n < s->body->iterations && n < MAX_ITERATIONS && more; n++) {
        if (!next_vector(s, &alpha[n], &beta[n])) {
            break;
        }
        const double before = estimate;
        estimate = largest_ritz(alpha, beta, n + 1, before, 0.001 * s->body->tolerance);
        more = beta[n] > END_OF_SPACE * fabs(alpha[n]) &&
               !(n > 8 && estimate - before < s->body->tolerance * estimate);
    }
    return estimate;
}

/* Freedoms that share a diagonal: x, y, z each, and all rotations. */
static int group_of(int c)
{
    return c < 3 ? c : 3;
}

/* The largest of so_far and an array, which may be null. */
static double larger(double so_far, const double *values, uint64_t count)
{
    for (uint64_t i = 0; i < count && values; i++) {
        so_far = values[i] > so_far ? values[i] : so_far;
    }
    return so_far;
}

/* The diagonal value of one contact of a voxel, such that K (1/m1 + 1/m2) of every pair is at most
   the larger of the values of its two voxels over their masses. Native law (penalty_law.h): K is at
   most twice the smaller spring, or root 2 times the smaller dashpot. Spheres of the Voxelyze
   family: the dashpot of a pair is the mean of both, hence at most the strongest. */
static double contact_of_pair(const vxe_spectrum_body *body, bool dashpots, double strongest,
                              uint32_t i)
{
    if (!dashpots) {
        return 2 * body->contact_stiffness[i];
    }
    return body->contact_spheres ? 2 * strongest : sqrt(2) * body->contact_dashpot[i];
}

/* The diagonal value of a sticky link for each coordinate of a voxel, in contacts: at their
   surfaces the voxels of a pair yield 2.5 times as easily as at their centres, and k a^2/12 between
   their rotations counts as half a spring more; k is at most that of contact_of_pair. The links of
   a whole face add up to one. See sticky_links.c. */
#define STICKY_LINK_WEIGHT 3

/* N/m: the diagonal value of all sticky links of a voxel, one for each free face. */
static double sticky_link_stiffness(const vxe_spectrum_body *body, uint32_t i)
{
    VXE_ASSERT(i < body->voxels);
    double faces = 0;
    for (uint32_t f = 0; f < 6; f++) {
        faces += body->faces[i] >> f & 1;
    }
    const bool sticks = body->detach_stress && body->detach_stress[i] > 0;
    return sticks ? faces * STICKY_LINK_WEIGHT * 2 * body->contact_stiffness[i] : 0;
}

/* The diagonal value of what may push at a voxel's faces along a coordinate: each free face may
   touch another voxel, and along z the floor may push instead. */
static double push_at_faces(const double *floor, double of_pair, uint32_t faces, int c, uint32_t i)
{
    const uint32_t free_ones = (faces >> 2 * c & 1) + (faces >> (2 * c + 1) & 1);
    const double by_floor = c == 2 && floor ? floor[i] : 0;
    return free_ones * of_pair > by_floor ? free_ones * of_pair : by_floor;
}

/* Fills the diagonal, over the masses, with what floor, contacts and drag add. Values of fixed
   freedoms do not matter: their root is zero. others: whether anything is added to the bonds. */
static void fill_diagonal(spectrum *s, bool dashpots, bool others)
{
    const vxe_spectrum_body *body = s->body;
    const double *floor = dashpots ? body->floor_dashpot : body->floor_stiffness;
    const double *contact = dashpots ? body->contact_dashpot : body->contact_stiffness;
    const double *drag = dashpots ? body->drag : NULL;
    const double *spin_drag = dashpots ? body->spin_drag : NULL;
    const double strongest = larger(0, body->contact_dashpot, body->voxels);
    for (int c = 0; c < 6; c++) {
        const double *first = c < 3 ? drag : spin_drag;
        const bool pushed = c < 3 && (contact || (c == 2 && floor));
        const bool sticks = !dashpots && body->detach_stress;
        s->krylov.diagonal[c] =
            others && (first || pushed || sticks) ? s->diagonal[group_of(c)] : NULL;
        if (c > 3 || !s->krylov.diagonal[c]) {
            continue;
        }
        const double unit = dashpots ? s->dashpot : s->spring;
        const double by_mass = s->mass / unit * (c < 3 ? 1 : 6 / (body->edge * body->edge));
        const double by_place = c < 3 ? 1 : body->edge * body->edge / 6;
        for (uint32_t i = 0; i < body->voxels; i++) {
            const double sum =
                (first ? first[i] : 0) + (sticks ? sticky_link_stiffness(body, i) * by_place : 0) +
                (pushed ? push_at_faces(floor,
                                        contact ? contact_of_pair(body, dashpots, strongest, i) : 0,
                                        body->faces[i], c, i)
                        : 0);
            const double as_cube = c < 3 || !body->gyration ? 1 : by_place / body->gyration[i];
            s->diagonal[group_of(c)][i] = (float)(sum * by_mass / body->mass[i] * as_cube);
        }
    }
}

/* The largest eigenvalue of springs (1/s^2) or dashpots (1/s), of bonds alone or with the others.
 */
static double find_largest(spectrum *s, bool dashpots, bool others)
{
    s->matrix.dashpots = dashpots;
    fill_diagonal(s, dashpots, others);
    return lanczos(s) * ((dashpots ? s->dashpot : s->spring) / s->mass);
}

/* One past the last slot that the bond vectors of a range of chunks write. */
static uint32_t end_of(const spectrum *s, uint32_t first_chunk, uint32_t last_chunk)
{
    const vxe_chunks *chunks = s->body->chunks;
    VXE_ASSERT(first_chunk < last_chunk && last_chunk <= chunks->chunk_count);
    uint32_t end = chunks->chunk_first[last_chunk];
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t *vector_first = chunks->vector_first[axis];
        for (uint32_t v = vector_first[first_chunk]; v < vector_first[last_chunk]; v++) {
            const uint32_t upper = s->matrix.bonds[axis].upper[v] + VXE_VECTOR;
            end = upper > end ? upper : end;
        }
    }
    return end;
}

/* The farthest that the vectors of any chunk reach from its first slot, rounded up to vectors. */
static uint32_t farthest_reach(const spectrum *s)
{
    const vxe_chunks *chunks = s->body->chunks;
    uint32_t max = 0;
    for (uint32_t chunk = 0; chunk < chunks->chunk_count; chunk++) {
        const uint32_t reach = end_of(s, chunk, chunk + 1) - chunks->chunk_first[chunk];
        max = reach > max ? reach : max;
    }
    return (max + VXE_VECTOR - 1) / VXE_VECTOR * VXE_VECTOR + VXE_VECTOR;
}

/* The slots and the accumulators of a part. */
static vxe_status take_part(spectrum *s, part *own, uint32_t reach, vxe_error *error)
{
    VXE_ASSERT(reach > 0 && reach % VXE_VECTOR == 0);
    own->first = s->body->chunks->chunk_first[own->first_chunk];
    own->last = s->body->chunks->chunk_first[own->last_chunk];
    own->reach = reach;
    own->capacity = vxe_sums_capacity(reach, s->body->slots);
    own->head = own->first;
    if (own > s->parts) {
        const uint32_t end = end_of(s, own[-1].first_chunk, own[-1].last_chunk);
        const uint32_t vectors = (end - own->first + VXE_VECTOR - 1) / VXE_VECTOR;
        own->head = own->first + vectors * VXE_VECTOR;
        own->head = own->head < own->last ? own->head : own->last;
    }
    vxe_status status = vxe_six_take(VXE_WINDOW, VXE_PRECISION_MIXED, &own->lower_block,
                                     own->sums.lower_force, error);
    return status ? status
                  : vxe_six_take(own->capacity, VXE_PRECISION_MIXED, &own->upper_block,
                                 own->sums.upper_force, error);
}

/* Cuts the body into parts, by its size and the reach of its bonds alone. */
static vxe_status take_parts(spectrum *s, vxe_error *error)
{
    const vxe_chunks *chunks = s->body->chunks;
    VXE_ASSERT(chunks->chunk_count > 0 && chunks->chunk_slots <= PART_SLOTS);
    const uint32_t reach = farthest_reach(s);
    const uint64_t enough = (uint64_t)PART_REACHES * reach;
    const uint64_t slots = enough > PART_SLOTS ? enough : PART_SLOTS;
    const uint32_t size = (uint32_t)(slots / chunks->chunk_slots);
    s->part_count = (chunks->chunk_count + size - 1) / size;
    s->parts = vxe_memory_take(s->part_count, sizeof *s->parts);
    if (!s->parts) {
        return vxe_error_memory(error, s->part_count * sizeof *s->parts);
    }
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < s->part_count && !status; i++) {
        part *own = &s->parts[i];
        const uint32_t last = (i + 1) * size;
        own->first_chunk = i * size;
        own->last_chunk = last < chunks->chunk_count ? last : chunks->chunk_count;
        status = take_part(s, own, reach, error);
    }
    return status;
}

/* The units of mass (the lightest voxel), springs and dashpots (the largest ones). */
static void find_units(spectrum *s)
{
    const vxe_spectrum_body *body = s->body;
    s->mass = body->mass[0];
    for (uint32_t i = 0; i < body->voxels; i++) {
        s->mass = body->mass[i] < s->mass ? body->mass[i] : s->mass;
    }
    s->spring = larger(0, body->floor_stiffness, body->voxels);
    s->spring = larger(s->spring, body->contact_stiffness, body->voxels);
    s->dashpot = larger(larger(0, body->floor_dashpot, body->voxels), body->drag, body->voxels);
    s->dashpot = larger(s->dashpot, body->contact_dashpot, body->voxels);
    for (uint32_t row = 0; row < body->row_count; row++) {
        const double *values = body->rows + (uint64_t)row * body->row_values * VXE_VECTOR;
        s->spring = larger(s->spring, values + VXE_AXIAL * VXE_VECTOR, VXE_VECTOR);
        s->dashpot = larger(s->dashpot, values + VXE_DASH_AXIAL * VXE_VECTOR, VXE_VECTOR);
    }
    s->spring = s->spring > 0 ? s->spring : 1;
    s->dashpot = s->dashpot > 0 ? s->dashpot : 1;
    VXE_ASSERT(s->mass > 0);
}

/* The coefficients of the bonds, without units. */
static vxe_status take_rows(spectrum *s, vxe_error *error)
{
    const vxe_spectrum_body *body = s->body;
    const double l = body->edge;
    const double units[VXE_FREE_VALUES] = {
        [VXE_AXIAL] = s->spring,           [VXE_DASH_AXIAL] = s->dashpot,
        [VXE_TORSION] = s->spring * l * l, [VXE_DASH_TORSION] = s->dashpot * l * l,
        [VXE_SHEAR] = s->spring,           [VXE_BENDING] = s->spring * l * l,
        [VXE_DASH_SHEAR] = s->dashpot,     [VXE_DASH_BENDING] = s->dashpot * l * l,
        [VXE_COUPLE] = s->spring * l,      [VXE_LOWER_PART] = 1,
        [VXE_AXIAL_BOUND] = s->spring};
    const uint32_t values = body->bars ? VXE_EVEN_VALUES : body->row_values;
    const uint64_t count = (uint64_t)body->row_count * values * VXE_VECTOR;
    VXE_ASSERT(values <= body->row_values && body->row_values <= VXE_FREE_VALUES);
    s->rows = vxe_memory_take(count, sizeof *s->rows);
    for (uint64_t i = 0; i < count && s->rows; i++) {
        const uint64_t row = i / VXE_VECTOR / values;
        const uint64_t value = i / VXE_VECTOR % values;
        /* the bound stands for the axial spring with Poisson coupling */
        const bool bounded = value == VXE_AXIAL && body->row_values == VXE_FREE_VALUES;
        const uint64_t from =
            (row * body->row_values + (bounded ? VXE_AXIAL_BOUND : value)) * VXE_VECTOR +
            i % VXE_VECTOR;
        s->rows[i] = (float)(body->rows[from] / units[value]);
    }
    const vxe_bond_ratios *by = &body->ratios;
    s->matrix = (vxe_linear_bonds){.bonds = body->bonds, .rows = s->rows, .row_values = values};
    if (!body->bars) {
        s->matrix.ratios = (vxe_bond_ratios){
            by->shear,      by->torsion / (l * l),      by->bending / (l * l),
            by->dash_shear, by->dash_torsion / (l * l), by->dash_bending / (l * l)};
    }
    return s->rows ? VXE_OK : vxe_error_memory(error, count * sizeof *s->rows);
}

/* The arrays of roots of inverse mass; freedoms with the same inverse masses share one. */
static vxe_status take_roots(spectrum *s, vxe_error *error)
{
    const vxe_spectrum_body *body = s->body;
    for (int c = 0; c < 6; c++) {
        if (c > 0 && body->inverse[c] == body->inverse[c - 1]) {
            s->krylov.root[c] = s->krylov.root[c - 1];
            continue;
        }
        s->root[c] = vxe_memory_take(body->slots, sizeof *s->root[c]);
        if (!s->root[c]) {
            return vxe_error_memory(error, 4ull * body->slots);
        }
        const double by_length = c < 3 ? 1 : body->edge;
        for (uint32_t i = 0; i < body->voxels; i++) {
            s->root[c][i] = (float)(by_length * sqrt(s->mass * body->inverse[c][i]));
        }
        s->krylov.root[c] = s->root[c];
    }
    return VXE_OK;
}

/* The arrays of the diagonals that fill_diagonal may need. */
static vxe_status take_diagonals(spectrum *s, vxe_error *error)
{
    const vxe_spectrum_body *body = s->body;
    const bool collides = body->contact_stiffness != NULL;
    const bool used[4] = {body->drag || collides, body->drag || collides,
                          body->drag || collides || body->floor_stiffness,
                          body->drag || body->detach_stress};
    for (int group = 0; group < 4; group++) {
        if (used[group] &&
            !(s->diagonal[group] = vxe_memory_take(body->slots, sizeof *s->diagonal[group]))) {
            return vxe_error_memory(error, 4ull * body->slots);
        }
    }
    return VXE_OK;
}

/* The vectors of Lanczos' iteration: basis, image and plain, six components each. */
static vxe_status take_vectors(spectrum *s, vxe_error *error)
{
    float **six[3] = {s->krylov.basis, s->krylov.image, s->krylov.plain};
    vxe_status status = VXE_OK;
    for (int i = 0; i < 3 && !status; i++) {
        vxe_reals *taken[6] = {NULL};
        status = vxe_six_take(s->body->slots, VXE_PRECISION_MIXED, &s->blocks[i], taken, error);
        for (int c = 0; c < 6; c++) {
            six[i][c] = vxe_floats(VXE_PRECISION_MIXED, taken[c]);
        }
    }
    return status;
}

static void clear(spectrum *s)
{
    for (int i = 0; i < 3; i++) {
        vxe_memory_release(s->blocks[i]);
    }
    for (int group = 0; group < 4; group++) {
        vxe_memory_release(s->diagonal[group]);
    }
    for (int c = 0; c < 6; c++) {
        vxe_memory_release(s->root[c]);
    }
    for (uint32_t i = 0; i < s->part_count && s->parts; i++) {
        vxe_memory_release(s->parts[i].lower_block);
        vxe_memory_release(s->parts[i].upper_block);
    }
    vxe_memory_release(s->parts);
    vxe_memory_release(s->rows);
}

vxe_status vxe_spectrum_find(vxe_spectrum *found, const vxe_spectrum_body *body, vxe_error *error)
{
    VXE_ASSERT(body->voxels > 0 && body->voxels <= body->slots && body->edge > 0);
    VXE_ASSERT(body->iterations > 0 && body->tolerance > 0);
    spectrum s = {.body = body, .threads = body->threads};
    find_units(&s);
    vxe_status status = take_rows(&s, error);
    status = status ? status : take_parts(&s, error);
    status = status ? status : take_roots(&s, error);
    status = status ? status : take_diagonals(&s, error);
    status = status ? status : take_vectors(&s, error);
    if (!status) {
        s.threads = s.threads < s.part_count ? s.threads : s.part_count;
        const bool more = body->floor_dashpot || body->contact_dashpot || body->drag;
        found->lambda_k = find_largest(&s, false, true);
        found->lambda_c =
            body->damped && (body->bonds_alone || !more) ? find_largest(&s, true, false) : 0;
        found->lambda_c_all =
            more && body->dashpots_all ? find_largest(&s, true, true) : found->lambda_c;
        found->lambda_c = body->bonds_alone || !more ? found->lambda_c : found->lambda_c_all;
    }
    clear(&s);
    return status;
}
