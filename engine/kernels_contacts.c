/* SPDX-License-Identifier: MIT */
/* See contact_kernels_internal.h. This file is compiled once per instruction set and precision, see
   real_internal.h. */
#include "engine/contact_kernels_internal.h"
#include "engine/contact_law_internal.h"
#include "engine/contact_rows_internal.h"

#define BITS VXE_TOUCH_BITS

/* Pairs whose rows are taken before any of them is computed: what has just been written number by
   number is read back as vectors only after a while. */
#define VIEW (4 * VXE_NEAR_BATCH)

/* Pairs that may touch, and computed together. */
typedef struct batch {
    row pose[2][VXE_NEAR_BATCH];
    row motion[2][VXE_NEAR_BATCH];
    row rest[2][VXE_NEAR_BATCH];
    vxe_real_mask faces[2][VXE_NEAR_BATCH];
    vxe_real load[2][6][VXE_NEAR_BATCH]; /* N, N m */
    vxe_real energy[VXE_NEAR_BATCH];     /* J */
} batch;

typedef struct touching {
    uint32_t count;
    size_t pair[VIEW];
    uint32_t of[2][VIEW]; /* places in the surface's list */
    batch batches[VIEW / VXE_NEAR_BATCH];
} touching;

/* The last of them may be filled with pairs that do not count. */
VXE_INLINE uint32_t batches_of(uint32_t pairs)
{
    return (pairs + VXE_NEAR_BATCH - 1) / VXE_NEAR_BATCH;
}

VXE_INLINE vxe_contact_end end_at(const batch *restrict pairs, int end, uint32_t i)
{
    const row *motion = &pairs->motion[end][i];
    const row *rest = &pairs->rest[end][i];
    return (vxe_contact_end){.q = turn_of(&pairs->pose[end][i]),
                             .v = three(motion, AT_V),
                             .w = three(motion, AT_W),
                             .faces = pairs->faces[end][i],
                             .inverse = motion->at[AT_INVERSE],
                             .softness = rest->at[AT_SOFTNESS],
                             .dashpot = rest->at[AT_DASHPOT],
                             .static_friction = rest->at[AT_STATIC],
                             .dynamic_friction = rest->at[AT_DYNAMIC]};
}

VXE_INLINE vxe_lane3 chord_at(const batch *restrict pairs, uint32_t i)
{
    vxe_lane3 r = lane_sub(three(&pairs->pose[1][i], AT_X), three(&pairs->pose[0][i], AT_X));
#ifdef VXE_MIXED
    const vxe_lane3 low =
        lane_sub(three(&pairs->rest[1][i], AT_X_LOW), three(&pairs->rest[0][i], AT_X_LOW));
    r = lane_add_scaled(r, 1, low);
#endif
    return r;
}

VXE_INLINE void put_load(batch *pairs, int end, uint32_t i, vxe_contact_load load)
{
    pairs->load[end][0][i] = load.force.x;
    pairs->load[end][1][i] = load.force.y;
    pairs->load[end][2][i] = load.force.z;
    pairs->load[end][3][i] = load.moment.x;
    pairs->load[end][4][i] = load.moment.y;
    pairs->load[end][5][i] = load.moment.z;
}

/* What the pairs of a batch feel. spheres: by the peer's law; known where this is compiled. */
VXE_INLINE void find_loads(batch *restrict pairs, vxe_real edge, vxe_real h, bool spheres)
{
#pragma omp simd
    for (uint32_t i = 0; i < VXE_NEAR_BATCH; i++) {
        const vxe_contact_end one = end_at(pairs, 0, i);
        const vxe_contact_end two = end_at(pairs, 1, i);
        const vxe_lane3 r = chord_at(pairs, i);
        const vxe_real length = mean_edge(&pairs->pose[0][i], &pairs->pose[1][i], edge);
        const vxe_contact_push push = spheres ? contact_by_spheres(r, length, one, two)
                                              : contact_by_faces(r, length, one, two, h);
        pairs->energy[i] = push.energy;
        put_load(pairs, 0, i, load_on_first(r, push));
        put_load(pairs, 1, i, load_on_second(r, push));
    }
}

static void find_loads_by_faces(batch *pairs, vxe_real edge, vxe_real h)
{
    find_loads(pairs, edge, h, false);
}

static void find_loads_by_spheres(batch *pairs, vxe_real edge, vxe_real h)
{
    find_loads(pairs, edge, h, true);
}

static size_t place_of_slot(const vxe_body_view *body, uint32_t slot)
{
    return body->place ? body->place[slot] : slot;
}

/* Adds what pair i of a batch does to one of its ends to the other loads of that voxel. */
static void add_load(const vxe_near *near, vxe_near_part *part, uint32_t k, const batch *pairs,
                     int end, uint32_t i)
{
    row *sum = (row *)near->load + k;
    if (!near->is_pushed[k]) {
        near->is_pushed[k] = 1;
        near->pushed[part->first + part->pushed++] = k;
        *sum = (row){{0}};
    }
    for (int c = 0; c < 6; c++) {
        sum->at[c] += pairs->load[end][c][i];
    }
}

/* Writes a voxel's load to where the body has it. */
VXE_INLINE void write_load(const vxe_body_view *body, size_t place, const row *load)
{
    for (int c = 0; c < 6; c++) {
        ((vxe_real *)body->load[c])[place * body->load_stride] = load->at[c];
    }
}

/* Writes the loads of a part's voxels to where the body has them. */
static void spread_loads(const vxe_contact_job *job, const vxe_near_part *part)
{
    const vxe_near *near = job->near;
    const vxe_body_view *body = job->body;
    for (uint32_t i = 0; i < part->pushed; i++) {
        const uint32_t k = near->pushed[part->first + i];
        const size_t place = place_of_slot(body, near->surface->slot[k]);
        write_load(body, place, (const row *)near->load + k);
        body->loaded[place >> body->shift] |= VXE_LOADED_BY_CONTACTS;
    }
}

static void clear_loads(const vxe_contact_job *job, vxe_near_part *part)
{
    const vxe_near *near = job->near;
    const vxe_body_view *body = job->body;
    for (uint32_t i = 0; i < part->pushed; i++) {
        const uint32_t k = near->pushed[part->first + i];
        const size_t place = place_of_slot(body, near->surface->slot[k]);
        near->is_pushed[k] = 0;
        write_load(body, place, &(const row){{0}});
    }
    part->pushed = 0;
}

/* The next pairs of a range that may touch, from *at on, VIEW at most; false if there is none. */
static bool take_touching(const vxe_pairs *lists, const vxe_pair_range *range, size_t *at,
                          touching *pairs)
{
    const size_t end = range->first + range->count;
    pairs->count = 0;
    while (pairs->count < VIEW && (*at = vxe_pair_touching(lists, range, *at)) < end) {
        pairs->pair[pairs->count++] = (*at)++;
    }
    return pairs->count > 0;
}

/* The voxel at one end of a pair, as it is in this step. */
static void take_end(const vxe_contact_job *job, uint32_t k, int end, uint32_t i, batch *into)
{
    const vxe_near *near = job->near;
    const vxe_body_view *body = job->body;
    const size_t spot = (size_t)near->spot[k];
    const row *kept = (const row *)near->rest + k;
    row *restrict motion = &into->motion[end][i];
    row *restrict rest = &into->rest[end][i];
    into->faces[end][i] = near->faces[k];
    into->pose[end][i] = ((const row *)near->pose)[k];
    *rest = *kept;
    motion->at[AT_INVERSE] = kept->at[AT_KEPT_INVERSE];
    for (int c = 0; c < 3; c++) {
        motion->at[AT_V + c] = ((const vxe_real *)body->v[c])[spot];
        motion->at[AT_W + c] = ((const vxe_real *)body->w[c])[spot];
#ifdef VXE_MIXED
        rest->at[AT_X_LOW + c] = ((const vxe_real *)body->x_low[c])[spot];
#endif
    }
}

/* Takes what pairs need of their voxels; the last batch is filled up with the first pair. */
static void gather_pairs(const vxe_contact_job *job, const vxe_pairs *lists, touching *pairs)
{
    for (uint32_t i = 0; i < batches_of(pairs->count) * VXE_NEAR_BATCH; i++) {
        const size_t p = pairs->pair[i < pairs->count ? i : 0];
        for (int end = 0; end < 2; end++) {
            pairs->of[end][i] = lists->of[end][p];
            take_end(job, lists->of[end][p], end, i % VXE_NEAR_BATCH,
                     &pairs->batches[i / VXE_NEAR_BATCH]);
        }
    }
}

/* How hard the springs of a batch of pairs push, N, into the first of their loads. */
VXE_INLINE void find_springs(batch *restrict pairs, vxe_real edge, bool spheres)
{
#pragma omp simd
    for (uint32_t i = 0; i < VXE_NEAR_BATCH; i++) {
        const vxe_contact_end one = end_at(pairs, 0, i);
        const vxe_contact_end two = end_at(pairs, 1, i);
        const vxe_real length = mean_edge(&pairs->pose[0][i], &pairs->pose[1][i], edge);
        const vxe_contact_push push =
            spheres ? contact_by_spheres(chord_at(pairs, i), length, one, two)
                    : contact_by_faces(chord_at(pairs, i), length, one, two, 1);
        const vxe_lane3 spring = lane_add_scaled(push.first, 1, push.second);
        pairs->load[0][0][i] = vxe_root(lane_dot(spring, spring));
    }
}

static const batch *batch_of(const touching *pairs, uint32_t i)
{
    return &pairs->batches[i / VXE_NEAR_BATCH];
}

static void feel_touching(const vxe_contact_job *job, const vxe_near_part *part,
                          const vxe_pairs *lists, touching *pairs, double *pressed)
{
    gather_pairs(job, lists, pairs);
    for (uint32_t b = 0; b < batches_of(pairs->count); b++) {
        if (job->near->surface->spheres) {
            find_springs(&pairs->batches[b], (vxe_real)job->model->edge, true);
        } else {
            find_springs(&pairs->batches[b], (vxe_real)job->model->edge, false);
        }
    }
    for (uint32_t i = 0; i < pairs->count; i++) {
        /* a pair with a voxel below the part is another part's too */
        const double size = pairs->of[0][i] < part->first
                                ? 0
                                : (double)batch_of(pairs, i)->load[0][0][i % VXE_NEAR_BATCH];
        pressed[pairs->of[0][i]] += size;
        pressed[pairs->of[1][i]] += size;
    }
}

static void feel_range(const vxe_contact_job *job, const vxe_near_part *part,
                       const vxe_pairs *lists, const vxe_pair_range *range, double *pressed)
{
    touching pairs;
    for (size_t at = range->first; take_touching(lists, range, &at, &pairs);) {
        feel_touching(job, part, lists, &pairs, pressed);
    }
}

static void feel(const vxe_contact_job *job, const vxe_near_part *part, double *pressed)
{
    feel_range(job, part, &job->near->constant, &part->constant, pressed);
    feel_range(job, part, &job->near->listed, &part->listed, pressed);
}

VXE_INLINE vxe_real largest_component(vxe_lane3 a)
{
    return largest3(magnitude(a.x), magnitude(a.y), magnitude(a.z));
}

/* How far pairs are from touching, m: by the law's own measure of depth, and by distance alone. */
static void find_room(const row *restrict one, const row *restrict two, vxe_real edge, vxe_real arm,
                      bool spheres, float *restrict by_faces, float *restrict by_distance)
{
    const vxe_real by_length = spheres ? R(VXE_SPHERE) : R(VXE_CORNERS);
    const vxe_real faceless = spheres ? R(1e30) : R(0);
#pragma omp simd
    for (uint32_t i = 0; i < VXE_NEAR_BATCH; i++) {
        const vxe_lane3 r = lane_sub(three(&two[i], AT_X), three(&one[i], AT_X));
        const vxe_real length = mean_edge(&one[i], &two[i], edge);
        const vxe_real by_one = largest_component(turned_by(turn_of(&one[i]), -1, r));
        const vxe_real by_two = largest_component(turned_by(turn_of(&two[i]), -1, r));
        const vxe_real apart = (by_one < by_two ? by_one : by_two) - length - faceless;
        const vxe_real distance = vxe_root(lane_dot(r, r));
        by_faces[i] = (float)(arm - distance < apart ? arm - distance : apart);
        by_distance[i] = (float)(distance - by_length * length);
    }
}

/* Looks at a batch of pairs of a range, whose voxels stand so: those that do not touch go to sleep,
   the others are marked. */
static void judge(const vxe_contact_job *job, const vxe_pairs *pairs, vxe_pair_range *range,
                  const uint32_t *those, uint32_t count, const row *one, const row *two)
{
    const vxe_near *near = job->near;
    float by_faces[VXE_NEAR_BATCH];
    float by_distance[VXE_NEAR_BATCH];
    uint32_t notch[VXE_NEAR_BATCH];
    find_room(one, two, (vxe_real)job->model->edge, (vxe_real)near->arm, near->surface->spheres,
              by_faces, by_distance);
#pragma omp simd
    for (uint32_t i = 0; i < VXE_NEAR_BATCH; i++) {
        notch[i] = vxe_notch_of(near, by_faces[i], by_distance[i]);
    }
    for (uint32_t i = 0; i < count && i < VXE_NEAR_BATCH; i++) {
        const size_t p = range->first + those[i];
        if (by_faces[i] > near->slack || by_distance[i] > near->slack) {
            vxe_pair_to_notch(near, pairs, range, those[i], notch[i]);
        } else {
            pairs->touch[p / BITS] |= (uint64_t)1 << p % BITS;
        }
    }
}

/* Looks at pairs of a range, VIEW at most. */
static void look(const vxe_contact_job *job, const vxe_pairs *pairs, vxe_pair_range *range,
                 const uint32_t *those, uint32_t count)
{
    const row *poses = job->near->pose;
    row ends[2][VIEW];
    const uint32_t filled = batches_of(count) * VXE_NEAR_BATCH;
    for (uint32_t i = 0; i < filled; i++) {
        const size_t p = range->first + those[i < count ? i : 0];
        ends[0][i] = poses[pairs->of[0][p]];
        ends[1][i] = poses[pairs->of[1][p]];
    }
    for (uint32_t b = 0; b < filled; b += VXE_NEAR_BATCH) {
        judge(job, pairs, range, those + b, count - b, ends[0] + b, ends[1] + b);
    }
}

/* Lists that are walked side by side: each step of one waits for the memory of the one before. */
#define WALKS 4

/* Takes the pairs of some notches, from `first` on, off one of a range's wheels into awake; returns
 * how many there are then. */
VXE_INLINE uint32_t take_notches(const vxe_pairs *pairs, vxe_pair_range *range, uint32_t *wheel,
                                 uint64_t first, uint64_t notches, uint32_t count)
{
    uint32_t *restrict awake = pairs->awake + range->first;
    const uint32_t *restrict next = pairs->next + range->first;
    uint32_t at[WALKS];
    bool any = false;
    for (uint32_t n = 0; n < WALKS; n++) {
        uint32_t *head = &wheel[(first + n) % VXE_NOTCHES];
        at[n] = n < notches ? *head : VXE_NONE;
        *head = n < notches ? VXE_NONE : *head;
        any = any || at[n] != VXE_NONE;
    }
    while (any) {
        any = false;
        for (uint32_t n = 0; n < WALKS; n++) {
            if (at[n] != VXE_NONE) {
                awake[count++] = at[n];
                at[n] = next[at[n]];
                any = true;
            }
        }
    }
    return count;
}

/* Looks at all pairs whose notches have come. */
static void look_at_woken(const vxe_contact_job *job, const vxe_pairs *pairs, vxe_pair_range *range)
{
    const vxe_near *near = job->near;
    const uint32_t *awake = pairs->awake + range->first;
    uint32_t count = 0;
    for (uint32_t clock = 0; clock < VXE_CLOCKS; clock++) {
        const uint64_t done = range->done[clock];
        const uint64_t passed = near->turn[clock] - done;
        const uint64_t notches = passed < VXE_NOTCHES ? passed + 1 : VXE_NOTCHES;
        uint32_t *wheel = range->wheel + clock * VXE_NOTCHES;
        for (uint64_t n = 0; n < notches; n += WALKS) {
            count = take_notches(pairs, range, wheel, done + n, notches - n, count);
        }
        range->done[clock] = near->turn[clock];
    }
    for (uint32_t i = 0; i < count; i += VIEW) {
        const uint32_t left = count - i;
        look(job, pairs, range, awake + i, left < VIEW ? left : VIEW);
    }
}

/* Computes what touching pairs of a range feel, and adds it pair by pair. Those that do not touch
   are looked at in the next step. */
static void push_touching(const vxe_contact_job *job, vxe_near_part *part, const vxe_pairs *lists,
                          vxe_pair_range *range, touching *pairs)
{
    const vxe_near *near = job->near;
    const vxe_real edge = (vxe_real)job->model->edge;
    gather_pairs(job, lists, pairs);
    for (uint32_t b = 0; b < batches_of(pairs->count); b++) {
        if (near->surface->spheres) {
            find_loads_by_spheres(&pairs->batches[b], edge, (vxe_real)job->h);
        } else {
            find_loads_by_faces(&pairs->batches[b], edge, (vxe_real)job->h);
        }
    }
    for (uint32_t i = 0; i < pairs->count; i++) {
        const size_t p = pairs->pair[i];
        const batch *those = batch_of(pairs, i);
        const uint32_t at = i % VXE_NEAR_BATCH;
        if (!(those->energy[at] > 0)) {
            lists->touch[p / BITS] &= ~((uint64_t)1 << p % BITS);
            vxe_pair_to_notch(near, lists, range, (uint32_t)(p - range->first), 0);
            continue;
        }
        if (pairs->of[0][i] >= part->first) {
            add_load(near, part, pairs->of[0][i], those, 0, at);
        }
        if (pairs->of[1][i] < part->last) {
            add_load(near, part, pairs->of[1][i], those, 1, at);
        }
    }
}

/* Adds the loads of the pairs of a range that touch, in its order. */
static void push_range(const vxe_contact_job *job, vxe_near_part *part, const vxe_pairs *lists,
                       vxe_pair_range *range)
{
    touching pairs;
    for (size_t at = range->first; take_touching(lists, range, &at, &pairs);) {
        push_touching(job, part, lists, range, &pairs);
    }
}

static void look_around(const vxe_contact_job *job, vxe_near_part *part)
{
    look_at_woken(job, &job->near->constant, &part->constant);
    look_at_woken(job, &job->near->listed, &part->listed);
}

/* A voxel's loads are added in one order, whatever the part: by the others two cells from it, and
   then by the others near it; in each of these lists those below it come first. */
static void push(const vxe_contact_job *job, vxe_near_part *part)
{
    look_around(job, part);
    clear_loads(job, part);
    push_range(job, part, &job->near->constant, &part->constant);
    push_range(job, part, &job->near->listed, &part->listed);
    spread_loads(job, part);
}

static void take(const vxe_near *near, const vxe_body_view *body, double edge, double *largest,
                 double *farthest)
{
    const vxe_standing *standing = &near->standing;
    const int32_t *spot = near->spot;
    const ptrdiff_t count = near->surface->count;
    const vxe_real *swell = body->swell;
    float most = 0;
    float far = 0;
    for (int c = 0; c < 3; c++) {
        const vxe_real *from = body->x[c];
        const vxe_real first = from[spot[0]];
        float *x = standing->x[c];
#pragma omp simd reduction(max : far)
        for (ptrdiff_t k = 0; k < count; k++) {
            const float place = (float)from[spot[k]];
            const float about = (float)(from[spot[k]] - first);
            const float out = fabsf(place);
            const float off = fabsf(about);
            x[k] = about;
            far = out > far ? out : far;
            far = off > far ? off : far;
        }
    }
    for (int c = 0; c < 4; c++) {
        const vxe_real *from = body->q[c];
        float *q = standing->q[c];
#pragma omp simd
        for (ptrdiff_t k = 0; k < count; k++) {
            q[k] = (float)from[spot[k]];
        }
    }
#pragma omp simd reduction(max : most)
    for (ptrdiff_t k = 0; k < count; k++) {
        const float size = (float)((vxe_real)edge + swell[spot[k]]);
        standing->size[k] = size;
        most = size > most ? size : most;
    }
    *largest = (double)most;
    *farthest = (double)far;
}

/* The largest square of a vector's length over a range. */
static double largest_square(vxe_reals *const field[3], uint32_t first, ptrdiff_t count)
{
    const vxe_real *a = (const vxe_real *)field[0] + first;
    const vxe_real *b = (const vxe_real *)field[1] + first;
    const vxe_real *c = (const vxe_real *)field[2] + first;
    vxe_real most = 0;
#pragma omp simd reduction(max : most)
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_real square = vxe_fma(a[i], a[i], vxe_fma(b[i], b[i], c[i] * c[i]));
        most = square > most ? square : most;
    }
    return (double)most;
}

static vxe_pace pace(const vxe_kernel_arrays *arrays, double h, uint32_t first, uint32_t last)
{
    const ptrdiff_t count = (ptrdiff_t)last - first;
    return (vxe_pace){.moved = h * sqrt(largest_square(arrays->v, first, count)),
                      .turned = h * sqrt(largest_square(arrays->w, first, count))};
}

static double grown(const vxe_kernel_arrays *arrays, vxe_reals *kept, uint32_t first, uint32_t last)
{
    const vxe_real *now = (const vxe_real *)arrays->swell + first;
    vxe_real *before = (vxe_real *)kept + first;
    const ptrdiff_t count = (ptrdiff_t)last - first;
    vxe_real most = 0;
#pragma omp simd reduction(max : most)
    for (ptrdiff_t i = 0; i < count; i++) {
        const vxe_real more = now[i] - before[i];
        most = more > most ? more : most;
        before[i] = now[i];
    }
    return (double)most;
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

const vxe_contact_kernels VXE_VARIANT(vxe_contact_kernels) = {.take = take,
                                                              .settle = settle,
                                                              .stand = stand,
                                                              .look = look_around,
                                                              .push = push,
                                                              .feel = feel,
                                                              .pace = pace,
                                                              .grown = grown,
                                                              .add = add};
