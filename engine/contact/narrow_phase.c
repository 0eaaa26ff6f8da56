/* SPDX-License-Identifier: MIT */
/* The narrow phase: geometry and forces of the pairs that may touch, and the loads of voxels.

   Pairs are gathered into rows, computed in batches of 16 by the penalty law, and added to the
   loads of their voxels one by one, in the order of the lists: each voxel sums in one order,
   whatever the parts and threads. This file is compiled once per instruction set and precision, see
   real.h. */
#include "engine/contact/contact_gather.h"
#include "engine/contact/contact_kernels.h"
#include "engine/contact/kept_contacts.h"
#include "engine/contact/pair_batch.h"
#include "engine/contact/pair_wakeup.h"
#include "engine/contact/penalty_law.h"

/* The loads of the pairs of a batch, and what they remember. spheres: by the Voxelyze family's law;
   a constant where this is compiled, as are the choices of `when`. */
VXE_INLINE void find_loads(batch *restrict pairs, vxe_real edge, vxe_contact_when when,
                           bool spheres)
{
#pragma omp simd
    for (uint32_t i = 0; i < VXE_NEIGHBOR_BATCH; i++) {
        const vxe_contact_end one = end_at(pairs, 0, i);
        const vxe_contact_end two = end_at(pairs, 1, i);
        const vxe_vec3 r = chord_at(pairs, i);
        const vxe_real length = mean_edge(&pairs->pose[0][i], &pairs->pose[1][i], edge);
        const vxe_touch_memory before = memory_at(pairs, i);
        const vxe_contact_push push = spheres ? contact_by_spheres(r, length, one, two)
                                              : contact_by_faces(r, length, one, two, when, before);
        pairs->energy[i] = push.energy;
        put_memory(pairs, i, push.after);
        put_load(pairs, 0, i, load_on_first(r, push));
        put_load(pairs, 1, i, load_on_second(r, push));
    }
}

/* The same, with each of the choices as constants. */
static void find_loads_in(batch *pairs, vxe_real edge, vxe_contact_when when, bool spheres)
{
    const vxe_contact_when plain = {.h = when.h, .step = when.step, .ground = when.ground};
    vxe_contact_when chosen = plain;
    if (spheres) {
        find_loads(pairs, edge, plain, true);
    } else if (when.averages && when.opens) {
        chosen.averages = chosen.opens = true;
        find_loads(pairs, edge, chosen, false);
    } else if (when.averages) {
        chosen.averages = true;
        find_loads(pairs, edge, chosen, false);
    } else if (when.opens) {
        chosen.opens = true;
        find_loads(pairs, edge, chosen, false);
    } else {
        find_loads(pairs, edge, plain, false);
    }
}

/* A kick of h seconds in a step. */
static vxe_contact_when when_of(const vxe_contact_job *job, double h)
{
    return (vxe_contact_when){.h = (vxe_real)h,
                              .step = (vxe_real)job->step,
                              .opens = job->opens,
                              .averages = job->neighbors->surface->loose,
                              .ground = (vxe_real)vxe_contact_ground(job->model)};
}

/* Place of a slot in the arrays of a body. */
static size_t place_of_slot(const vxe_body_view *body, uint32_t slot)
{
    return body->place ? body->place[slot] : slot;
}

/* Adds the load of one end of pair i to the sum of its voxel k. */
static void add_load(const vxe_neighbor_list *neighbors, vxe_neighbor_part *part, uint32_t k,
                     const batch *pairs, int end, uint32_t i)
{
    row *sum = rows_of(neighbors->load) + k;
    VXE_ASSERT(k >= part->first && k < part->last);
    if (!neighbors->is_pushed[k]) {
        VXE_ASSERT(part->pushed < part->last - part->first);
        neighbors->is_pushed[k] = 1;
        neighbors->pushed[part->first + part->pushed++] = k;
        *sum = (row){{0}};
    }
    for (int c = 0; c < 6; c++) {
        sum->at[c] += pairs->load[end][c][i];
    }
}

/* Writes a load to a place of the body. */
VXE_INLINE void write_load(const vxe_body_view *body, size_t place, const row *load)
{
    for (int c = 0; c < 6; c++) {
        reals(body->load[c])[place * body->load_stride] = load->at[c];
    }
}

/* Writes the loads of a part's voxels to the body, and marks them as loaded. */
static void spread_loads(const vxe_contact_job *job, const vxe_neighbor_part *part)
{
    const vxe_neighbor_list *neighbors = job->neighbors;
    const vxe_body_view *body = job->body;
    for (uint32_t i = 0; i < part->pushed; i++) {
        const uint32_t k = neighbors->pushed[part->first + i];
        const size_t place = place_of_slot(body, neighbors->surface->slot[k]);
        write_load(body, place, rows_of(neighbors->load) + k);
        body->loaded[place >> body->shift] |= VXE_LOADED_BY_CONTACTS;
    }
}

/* Sets the loads that the last step wrote to zero. */
static void clear_loads(const vxe_contact_job *job, vxe_neighbor_part *part)
{
    const vxe_neighbor_list *neighbors = job->neighbors;
    const vxe_body_view *body = job->body;
    for (uint32_t i = 0; i < part->pushed; i++) {
        const uint32_t k = neighbors->pushed[part->first + i];
        const size_t place = place_of_slot(body, neighbors->surface->slot[k]);
        neighbors->is_pushed[k] = 0;
        write_load(body, place, &(const row){{0}});
    }
    part->pushed = 0;
}

/* A place among the pairs of a part, which follow kind by kind. */
typedef struct pair_place {
    uint32_t kind; /* vxe_pairs_kind */
    uint32_t pair; /* counted from the first of the range */
} pair_place;

/* A number for each pair of a part, in the order in which pairs are taken. */
static uint32_t number_of_pair(uint32_t kind, uint32_t pair)
{
    VXE_ASSERT(kind < VXE_PAIRS_KINDS && pair < UINT32_MAX / VXE_PAIRS_KINDS);
    return kind * (UINT32_MAX / VXE_PAIRS_KINDS) + pair;
}

/* Takes the next pairs of a part that may touch, at most VIEW; false if there are none left. */
static bool take_touching(const vxe_neighbor_list *neighbors, const vxe_neighbor_part *part,
                          pair_place *place, touching *pairs)
{
    pairs->count = 0;
    for (; place->kind < VXE_PAIRS_KINDS; *place = (pair_place){.kind = place->kind + 1}) {
        const vxe_pairs *lists = &neighbors->pairs[place->kind];
        const vxe_pair_range *range = &part->pairs[place->kind];
        uint32_t at = place->pair;
        while (pairs->count < VIEW && (at = vxe_pair_touching(lists, range, at)) < range->count) {
            pairs->number[pairs->count] = number_of_pair(place->kind, at);
            pairs->of[0][pairs->count] = lists->of[0][range->first + at];
            pairs->of[1][pairs->count++] = lists->of[1][range->first + at++];
        }
        if (pairs->count == VIEW) {
            place->pair = at;
            break;
        }
    }
    VXE_ASSERT(pairs->count <= VIEW);
    return pairs->count > 0;
}

/* Gathers the voxels of all pairs. */
static void gather_pairs(const vxe_contact_job *job, const vxe_neighbor_part *part, touching *pairs)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        batch *into = &pairs->batches[i / VXE_NEIGHBOR_BATCH];
        for (int end = 0; end < 2; end++) {
            take_end(job, pairs->of[end][i], end, i % VXE_NEIGHBOR_BATCH, into);
        }
    }
    if (!job->neighbors->surface->spheres) {
        recall(job, part, pairs);
    }
    if (pairs->count % VXE_NEIGHBOR_BATCH != 0) {
        fill_batch(&pairs->batches[pairs->count / VXE_NEIGHBOR_BATCH],
                   pairs->count % VXE_NEIGHBOR_BATCH);
    }
}

/* The sizes (N) of the spring forces of a batch, stored in place of the first load. */
VXE_INLINE void find_springs(batch *restrict pairs, vxe_real edge, vxe_contact_when when,
                             bool spheres)
{
#pragma omp simd
    for (uint32_t i = 0; i < VXE_NEIGHBOR_BATCH; i++) {
        const vxe_contact_end one = end_at(pairs, 0, i);
        const vxe_contact_end two = end_at(pairs, 1, i);
        const vxe_vec3 r = chord_at(pairs, i);
        const vxe_real length = mean_edge(&pairs->pose[0][i], &pairs->pose[1][i], edge);
        const vxe_touch_memory before = memory_at(pairs, i);
        const vxe_contact_push push = spheres ? contact_by_spheres(r, length, one, two)
                                              : contact_by_faces(r, length, one, two, when, before);
        const vxe_vec3 spring = vec_add(push.first, push.second);
        pairs->load[0][0][i] = vxe_root(vec_dot(spring, spring));
    }
}

/* Adds the sizes of the spring forces of some pairs to both of their voxels. */
static void sample_touching(const vxe_contact_job *job, const vxe_neighbor_part *part,
                            touching *pairs, double *pressed)
{
    const vxe_contact_when when = when_of(job, job->step);
    gather_pairs(job, part, pairs);
    for (uint32_t b = 0; b < batches_of(pairs->count); b++) {
        if (job->neighbors->surface->spheres) {
            find_springs(&pairs->batches[b], (vxe_real)job->model->edge, when, true);
        } else {
            find_springs(&pairs->batches[b], (vxe_real)job->model->edge, when, false);
        }
    }
    for (uint32_t i = 0; i < pairs->count; i++) {
        /* a pair with a voxel below the part is counted by the other part */
        const double size = pairs->of[0][i] < part->first
                                ? 0
                                : (double)batch_of(pairs, i)->load[0][0][i % VXE_NEIGHBOR_BATCH];
        pressed[pairs->of[0][i]] += size;
        pressed[pairs->of[1][i]] += size;
    }
}

/* Spring forces of all pairs of a part that may touch. */
static void sample(const vxe_contact_job *job, const vxe_neighbor_part *part, double *pressed)
{
    touching pairs;
    pairs.recalled = 0;
    for (pair_place at = {0, 0}; take_touching(job->neighbors, part, &at, &pairs);) {
        sample_touching(job, part, &pairs, pressed);
    }
}

/* Computes the loads of some pairs, and adds them pair by pair to the voxels of the part. */
static void push_touching(const vxe_contact_job *job, vxe_neighbor_part *part, touching *pairs)
{
    const vxe_neighbor_list *neighbors = job->neighbors;
    const vxe_real edge = (vxe_real)job->model->edge;
    const vxe_contact_when when = when_of(job, job->h);
    gather_pairs(job, part, pairs);
    for (uint32_t b = 0; b < batches_of(pairs->count); b++) {
        find_loads_in(&pairs->batches[b], edge, when, neighbors->surface->spheres);
    }
    for (uint32_t i = 0; i < pairs->count; i++) {
        const batch *those = batch_of(pairs, i);
        const uint32_t at = i % VXE_NEIGHBOR_BATCH;
        if (those->memory[AT_KNOWN][at] > 0 && pairs->of[0][i] >= part->first) {
            keep(job, part, pairs, i);
        }
        if (!(those->energy[at] > 0 || those->memory[AT_KNOWN][at] > 0)) {
            continue;
        }
        if (pairs->of[0][i] >= part->first) {
            add_load(neighbors, part, pairs->of[0][i], those, 0, at);
        }
        if (pairs->of[1][i] < part->last) {
            add_load(neighbors, part, pairs->of[1][i], those, 1, at);
        }
    }
}

/* Where voxels move against each other by less than so many edges in a step, and slower than this
   part of the speed of sound, contacts stop them before they cross. */
#define SLOW_EDGES 0.25
#define SLOW_SOUND 0.25
/* Centres of voxels that cross come as close as this, in edges; those of voxels in contact do not.
 */
#define CROSSING_EDGES R(0.7)

/* m: the least way in a step against each other on which voxels may cross. */
static double slow_way(const vxe_contact_job *job)
{
    return fmin(SLOW_EDGES * job->model->edge, SLOW_SOUND * job->sound * job->step);
}

/* Whether the two voxels of a pair went through each other in the last step: the way from one to
   the other has turned round, and passed close by zero. */
static bool has_crossed(const vxe_contact_job *job, uint32_t one, uint32_t two)
{
    const double slow = slow_way(job);
    batch pair;
    take_end(job, one, 0, 0, &pair);
    take_end(job, two, 1, 0, &pair);
    const vxe_vec3 r = chord_at(&pair, 0);
    const vxe_vec3 rate = vec_sub(three(&pair.motion[1][0], AT_V), three(&pair.motion[0][0], AT_V));
    const vxe_vec3 way = vec_scaled((vxe_real)job->step, rate);
    const vxe_vec3 before = vec_sub(r, way);
    const vxe_real length = vec_dot(way, way);
    if (!(vec_dot(r, before) < 0 && length > (vxe_real)(slow * slow))) {
        return false;
    }
    const vxe_vec3 closest = vec_add_scaled(before, -vec_dot(before, way) / length, way);
    const vxe_real close = CROSSING_EDGES * (vxe_real)job->model->edge;
    return vec_dot(closest, closest) < close * close;
}

/* The first pair of a part that went through each other, among those that may touch, or among all
   of them; false if none did. */
static bool find_crossed_among(bool all, const vxe_contact_job *job, const vxe_neighbor_part *part,
                               uint32_t pair[2])
{
    for (int kind = 0; kind < VXE_PAIRS_KINDS; kind++) {
        const vxe_pairs *pairs = &job->neighbors->pairs[kind];
        const vxe_pair_range *range = &part->pairs[kind];
        uint32_t at = 0;
        while ((at = all ? at : vxe_pair_touching(pairs, range, at)) < range->count) {
            const size_t p = range->first + at++;
            if (has_crossed(job, pairs->of[0][p], pairs->of[1][p])) {
                pair[0] = pairs->of[0][p];
                pair[1] = pairs->of[1][p];
                return true;
            }
        }
    }
    return false;
}

/* Looks for pairs of a part that went through each other, if voxels are fast enough. The way of
   such a pair is longer than the distance that it has now: where voxels are slower than pairs that
   do not touch are apart, only those that may touch can have crossed. */
static void find_crossed(const vxe_contact_job *job, vxe_neighbor_part *part)
{
    if (job->spread < slow_way(job)) {
        return;
    }
    if (job->spread > VXE_MISSED_EDGES * job->model->edge) {
        part->crossed[0] = part->crossed[1] = part->first;
        return;
    }
    uint32_t pair[2];
    const bool crossed = find_crossed_among(job->spread > job->apart, job, part, pair);
    VXE_ASSERT(crossed == find_crossed_among(true, job, part, (uint32_t[2]){0, 0}));
    if (crossed) {
        part->crossed[0] = pair[0];
        part->crossed[1] = pair[1];
    }
}

/* The contacts of a part in a step. A voxel's loads are added in one order, whatever the parts:
   kind by kind, and in each list pairs with lower voxels first. */
static void push(const vxe_contact_job *job, vxe_neighbor_part *part)
{
    touching pairs;
    VXE_ASSERT(part->last <= job->neighbors->surface->count);
    check_due_bundles(job, part);
    clear_loads(job, part);
    part->crossed[0] = part->crossed[1] = VXE_NONE;
    if (!job->neighbors->surface->spheres) {
        forget(job, part);
        find_crossed(job, part);
    }
    pairs.recalled = 0;
    for (pair_place at = {0, 0}; take_touching(job->neighbors, part, &at, &pairs);) {
        push_touching(job, part, &pairs);
    }
    part->kept_in = job->number + 1;
    spread_loads(job, part);
}

/* Fills the snapshot with places, orientations and sizes, in floats. */
static void take(const vxe_neighbor_list *neighbors, const vxe_body_view *body, double edge,
                 double *largest, double *farthest)
{
    const vxe_surface_snapshot *snapshot = &neighbors->snapshot;
    const int32_t *state_index = neighbors->stands;
    const ptrdiff_t count = neighbors->stood;
    const vxe_real *edge_growth = reals(body->edge_growth);
    VXE_ASSERT(neighbors->stood > 0 && neighbors->stood <= neighbors->surface->count);
    float max = 0;
    float far = 0;
    for (int c = 0; c < 3; c++) {
        const vxe_real *from = reals(body->x[c]);
        const vxe_real first = from[state_index[0]];
        float *x = snapshot->x[c];
#pragma omp simd reduction(max : far)
        for (ptrdiff_t k = 0; k < count; k++) {
            const float place = (float)from[state_index[k]];
            const float about = (float)(from[state_index[k]] - first);
            const float out = fabsf(place);
            const float off = fabsf(about);
            x[k] = about;
            far = out > far ? out : far;
            far = off > far ? off : far;
        }
    }
    for (int c = 0; c < 4; c++) {
        const vxe_real *from = reals(body->q[c]);
        float *q = snapshot->q[c];
#pragma omp simd
        for (ptrdiff_t k = 0; k < count; k++) {
            q[k] = (float)from[state_index[k]];
        }
    }
#pragma omp simd reduction(max : max)
    for (ptrdiff_t k = 0; k < count; k++) {
        const float size = (float)((vxe_real)edge + edge_growth[state_index[k]]);
        snapshot->size[k] = size;
        max = size > max ? size : max;
    }
    *largest = (double)max;
    *farthest = (double)far;
}

/* The largest motion, rotation and velocities of slots [first, last) in a drift of h seconds. */
static vxe_motion_bound motion(const vxe_kernel_arrays *arrays, double h, const double about[3],
                               uint32_t first, uint32_t last)
{
    const vxe_real *v[3] = REALS_3(arrays->v);
    const vxe_real *w[3] = REALS_3(arrays->w);
    VXE_ASSERT(first < last && h > 0);
    const vxe_vec3 common = {(vxe_real)about[0], (vxe_real)about[1], (vxe_real)about[2]};
    vxe_real x0 = v[0][first], y0 = v[1][first], z0 = v[2][first];
    vxe_real x1 = x0, y1 = y0, z1 = z0;
    vxe_real moved = 0;
    vxe_real turned = 0;
#pragma omp simd reduction(max : moved, turned, x1, y1, z1) reduction(min : x0, y0, z0)
    for (ptrdiff_t i = first; i < (ptrdiff_t)last; i++) {
        const vxe_vec3 by_v = {v[0][i], v[1][i], v[2][i]};
        const vxe_vec3 by_w = {w[0][i], w[1][i], w[2][i]};
        const vxe_vec3 apart = vec_sub(by_v, common);
        const vxe_real v2 = vec_dot(apart, apart);
        const vxe_real w2 = vec_dot(by_w, by_w);
        moved = v2 > moved ? v2 : moved;
        turned = w2 > turned ? w2 : turned;
        x0 = by_v.x < x0 ? by_v.x : x0;
        y0 = by_v.y < y0 ? by_v.y : y0;
        z0 = by_v.z < z0 ? by_v.z : z0;
        x1 = by_v.x > x1 ? by_v.x : x1;
        y1 = by_v.y > y1 ? by_v.y : y1;
        z1 = by_v.z > z1 ? by_v.z : z1;
    }
    vxe_motion_bound max = {.moved = h * sqrt((double)moved),
                            .turned = h * sqrt((double)turned),
                            .slowest = {(double)x0, (double)y0, (double)z0},
                            .fastest = {(double)x1, (double)y1, (double)z1}};
    max.travelled = vxe_motion_bound_travel(&max, h);
    return max;
}

/* Adds the loads of slots [first, last) to the upper force accumulators. */
static void add(vxe_reals *const load[6], const vxe_bond_target *sums, uint32_t first,
                uint32_t last)
{
    const ptrdiff_t count = (ptrdiff_t)last - first;
    VXE_ASSERT(first <= last && first >= sums->upper_first);
    for (int c = 0; c < 6; c++) {
        vxe_real *restrict upper_force = reals(sums->upper_force[c]) + (first - sums->upper_first);
        const vxe_real *restrict more = reals_const(load[c]) + first;
#pragma omp simd
        for (ptrdiff_t i = 0; i < count; i++) {
            upper_force[i] += more[i];
        }
    }
}

extern const vxe_contact_kernels VXE_VARIANT(vxe_contact_kernels);

const vxe_contact_kernels VXE_VARIANT(vxe_contact_kernels) = {.take = take,
                                                              .settle = settle,
                                                              .stand = stand,
                                                              .check_bundles = check_due_bundles,
                                                              .push = push,
                                                              .sample = sample,
                                                              .motion = motion,
                                                              .add = add};
