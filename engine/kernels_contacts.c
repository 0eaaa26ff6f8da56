/* SPDX-License-Identifier: MIT */
/* See contact_kernels_internal.h. This file is compiled once per instruction set and precision, see
   real_internal.h. */
#include "engine/contact_kernels_internal.h"
#include "engine/contact_law_internal.h"

static vxe_real at(const vxe_reals *array, size_t index)
{
    return ((const vxe_real *)array)[index];
}

static vxe_lane3 at3(vxe_reals *const array[3], size_t index)
{
    return (vxe_lane3){at(array[0], index), at(array[1], index), at(array[2], index)};
}

static vxe_real largest3(vxe_real a, vxe_real b, vxe_real c)
{
    const vxe_real ab = a > b ? a : b;
    return ab > c ? ab : c;
}

static vxe_contact_end *ends_of(const vxe_contact_job *job)
{
    return job->ends;
}

/* Collects what a voxel of the surface brings into its pairs. */
static void fill_end(const vxe_contact_job *job, uint32_t k)
{
    const vxe_kernel_arrays *m = job->model;
    const vxe_body_view *body = job->body;
    const uint32_t slot = job->near->surface->slot[k];
    const size_t here = (body->place ? body->place[slot] : slot) * body->stride;
    ends_of(job)[k] = (vxe_contact_end){.x = at3(body->x, here),
#ifdef VXE_MIXED
                                        .x_low = at3(body->x_low, here),
#endif
                                        .swell = at(body->swell, here),
                                        .q = {at(body->q[0], here), at(body->q[1], here),
                                              at(body->q[2], here), at(body->q[3], here)},
                                        .v = at3(body->v, here),
                                        .w = at3(body->w, here),
                                        .faces = job->near->faces[k],
                                        .inverse = largest3(at(m->inverse_mass[0], slot),
                                                            at(m->inverse_mass[1], slot),
                                                            at(m->inverse_mass[2], slot)),
                                        .softness = 1 / at(m->contact_stiffness, slot),
                                        .dashpot = at(m->contact_dashpot, slot),
                                        .static_friction = at(m->static_friction, slot),
                                        .dynamic_friction = at(m->dynamic_friction, slot)};
}

static vxe_lane3 chord_between(const vxe_contact_end *one, const vxe_contact_end *two)
{
    vxe_lane3 r = lane_sub(two->x, one->x);
#ifdef VXE_MIXED
    r = lane_add_scaled(r, 1, lane_sub(two->x_low, one->x_low));
#endif
    return r;
}

/* What two voxels near each other feel, the lower one as the first; false where they do not touch.
 */
static bool loads_between(const vxe_contact_job *job, uint32_t one, uint32_t two, vxe_real edge,
                          vxe_contact_load loads[2])
{
    const vxe_contact_end *first = &ends_of(job)[one];
    const vxe_contact_end *second = &ends_of(job)[two];
    const vxe_lane3 r = chord_between(first, second);
    const vxe_real length = vxe_fma(R(0.5), first->swell + second->swell, edge);
    if (!(lane_dot(r, r) < 3 * (length * length))) { /* beyond the corners of their cells */
        return false;
    }
    const vxe_contact_push push =
        job->near->surface->spheres ? contact_by_spheres(r, length, first, second)
                                    : contact_by_faces(r, length, first, second, (vxe_real)job->h);
    loads[0] = load_on_first(r, &push);
    loads[1] = load_on_second(r, &push);
    return push.energy > 0;
}

static void add_load(const vxe_contact_job *job, uint32_t k, const vxe_contact_load *load)
{
    const vxe_body_view *body = job->body;
    const uint32_t slot = job->near->surface->slot[k];
    const size_t place = body->place ? body->place[slot] : slot;
    const vxe_real six[6] = {load->force.x,  load->force.y,  load->force.z,
                             load->moment.x, load->moment.y, load->moment.z};
    for (int c = 0; c < 6; c++) {
        ((vxe_real *)body->load[c])[place * body->load_stride] += six[c];
    }
    body->loaded[place >> body->shift] = 1;
}

static void clear_load(const vxe_contact_job *job, uint32_t k)
{
    const vxe_body_view *body = job->body;
    const uint32_t slot = job->near->surface->slot[k];
    const size_t place = body->place ? body->place[slot] : slot;
    for (int c = 0; c < 6; c++) {
        ((vxe_real *)body->load[c])[place * body->load_stride] = 0;
    }
}

static void fill(const vxe_contact_job *job, uint32_t first, uint32_t last)
{
    for (uint32_t k = first; k < last; k++) {
        if (job->near->count[k] > 0) {
            fill_end(job, k);
        }
    }
}

/* A voxel's loads are added in the order of the others, whatever the range: those below the range
   first, which another range computes as well, then those before it in the range, whose turn comes
   earlier, then those behind it. */
static void push(const vxe_contact_job *job, uint32_t first, uint32_t last)
{
    const vxe_near *near = job->near;
    const vxe_real edge = (vxe_real)job->model->edge;
    vxe_contact_load loads[2];
    for (uint32_t k = first; k < last; k++) {
        const uint32_t *list = near->list + (size_t)k * VXE_MOST_NEAR;
        if (near->count[k] > 0) {
            clear_load(job, k);
        }
        for (uint32_t n = 0; n < near->count[k] && list[n] < first; n++) {
            if (loads_between(job, list[n], k, edge, loads)) {
                add_load(job, k, &loads[1]);
            }
        }
    }
    for (uint32_t k = first; k < last; k++) {
        const uint32_t *list = near->list + (size_t)k * VXE_MOST_NEAR;
        for (uint32_t n = 0; n < near->count[k]; n++) {
            if (list[n] > k && loads_between(job, k, list[n], edge, loads)) {
                add_load(job, k, &loads[0]);
                if (list[n] < last) {
                    add_load(job, list[n], &loads[1]);
                }
            }
        }
    }
}

/* The largest square of a range's change, summed over some fields. */
static double largest_change(vxe_reals *const now[], vxe_reals *const were[], int fields,
                             uint32_t first, ptrdiff_t count)
{
    vxe_real most = 0;
    const vxe_real *a[4];
    const vxe_real *b[4];
    for (int f = 0; f < fields; f++) {
        a[f] = (const vxe_real *)now[f] + first;
        b[f] = (const vxe_real *)were[f] + first;
    }
    for (int f = fields; f < 4; f++) { /* nothing: added as often as it takes to make four */
        a[f] = a[0];
        b[f] = a[0];
    }
#pragma omp simd reduction(max : most)
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_real d0 = a[0][i] - b[0][i];
        const vxe_real d1 = a[1][i] - b[1][i];
        const vxe_real d2 = a[2][i] - b[2][i];
        const vxe_real d3 = a[3][i] - b[3][i];
        const vxe_real sum = vxe_fma(d0, d0, vxe_fma(d1, d1, vxe_fma(d2, d2, d3 * d3)));
        most = sum > most ? sum : most;
    }
    return (double)most;
}

static vxe_stray stray(const vxe_kernel_arrays *arrays, vxe_reals *const were[8], uint32_t first,
                       uint32_t last)
{
    const ptrdiff_t count = (ptrdiff_t)last - first;
    return (vxe_stray){largest_change(arrays->x, were, 3, first, count),
                       largest_change(arrays->q, were + 3, 4, first, count),
                       largest_change(&arrays->swell, were + 7, 1, first, count)};
}

static void add(vxe_reals *const load[6], const vxe_bond_target *sums, uint32_t first,
                uint32_t last)
{
    const ptrdiff_t count = (ptrdiff_t)last - first;
    for (int c = 0; c < 6; c++) {
        vxe_real *restrict pull = (vxe_real *)sums->pull[c] + (first - sums->pull_first);
        const vxe_real *restrict more = (const vxe_real *)load[c] + first;
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            pull[i] += more[i];
        }
    }
}

extern const vxe_contact_kernels VXE_VARIANT(vxe_contact_kernels);

const vxe_contact_kernels VXE_VARIANT(vxe_contact_kernels) = {
    .end_bytes = sizeof(vxe_contact_end), .fill = fill, .push = push, .stray = stray, .add = add};
