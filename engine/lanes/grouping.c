/* SPDX-License-Identifier: MIT */
/* Grouping of robots by their bodies, as sets of bits: one for each cell of a box; and whether a
   group is worth its lanes. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/bonds/bonds.h"
#include "engine/lanes/lanes.h"

/* Words of 64 cells of the largest box in which bodies are compared; in larger ones robots keep
   their order. */
#define MAX_WORDS 1024u
/* The cells that robots fill of a box that holds each of them, a bit each. */
typedef struct shapes {
    uint64_t *bits;  /* (count, words) of each robot */
    uint64_t *joint; /* (words) union of the present group */
    bool *taken;     /* (count) the robot is in a group */
    uint32_t words;
} shapes;

/* The box (cells) that holds every robot, each moved to its corner. */
static void find_box(vxe_robot *const *robots, uint32_t count, uint64_t box[3])
{
    for (int c = 0; c < 3; c++) {
        box[c] = 1;
        for (uint32_t r = 0; r < count; r++) {
            const vxe_topology *t = &robots[r]->simulation->model.topology;
            const uint64_t cells = (uint64_t)((int64_t)t->high[c] - t->low[c]) + 1;
            box[c] = cells > box[c] ? cells : box[c];
        }
    }
}

/* Sets the bits of a robot's cells. */
static void draw(const vxe_robot *robot, const uint64_t box[3], uint64_t *bits)
{
    const vxe_topology *t = &robot->simulation->model.topology;
    for (uint32_t slot = 0; slot < t->voxel_count; slot++) {
        const int32_t *at = robot->simulation->design->voxels[t->order[slot]].position;
        uint64_t cell = 0;
        for (int c = 2; c >= 0; c--) {
            cell = cell * box[c] + (uint64_t)((int64_t)at[c] - t->low[c]);
        }
        VXE_ASSERT(cell < box[0] * box[1] * box[2]);
        bits[cell / 64] |= 1ull << cell % 64;
    }
}

/* The number of cells that a robot would add to the union of the group. */
static uint32_t growth(const shapes *s, uint32_t robot)
{
    const uint64_t *bits = s->bits + (uint64_t)robot * s->words;
    uint32_t cells = 0;
    for (uint32_t i = 0; i < s->words; i++) {
        cells += (uint32_t)__builtin_popcountll(bits[i] & ~s->joint[i]);
    }
    return cells;
}

/* The robot that adds the fewest cells, of those that are in no group yet. */
static uint32_t closest(const shapes *s, uint32_t count)
{
    uint32_t best = VXE_NONE;
    uint32_t min = UINT32_MAX;
    for (uint32_t r = 0; r < count && min > 0; r++) {
        const uint32_t cells = s->taken[r] ? UINT32_MAX : growth(s, r);
        if (cells < min) {
            min = cells;
            best = r;
        }
    }
    return best;
}

/* Forms the groups one after another, and orders the robots by them. */
static void arrange(shapes *s, vxe_robot **robots, vxe_robot **ordered, uint32_t count,
                    uint32_t batch_neighbors)
{
    uint32_t first = 0; /* the first robot that is not taken: seed of the next group */
    for (uint32_t n = 0; n < count; n++) {
        if (n % batch_neighbors == 0) {
            memset(s->joint, 0, s->words * sizeof *s->joint);
            while (s->taken[first]) {
                first++;
            }
        }
        const uint32_t next = n % batch_neighbors == 0 ? first : closest(s, count);
        VXE_ASSERT(next < count && !s->taken[next]);
        const uint64_t *bits = s->bits + (uint64_t)next * s->words;
        s->taken[next] = true;
        ordered[n] = robots[next];
        for (uint32_t i = 0; i < s->words; i++) {
            s->joint[i] |= bits[i];
        }
    }
    memcpy(robots, ordered, count * sizeof(vxe_robot *));
}

vxe_status vxe_grouping_order(vxe_robot **robots, uint32_t count, uint32_t batch_neighbors,
                              vxe_error *error)
{
    uint64_t box[3];
    VXE_ASSERT(count > 0 && batch_neighbors > 0);
    find_box(robots, count, box);
    if (count <= batch_neighbors || box[0] > 64ull * MAX_WORDS || box[1] > 64ull * MAX_WORDS ||
        box[0] * box[1] * box[2] > 64ull * MAX_WORDS) {
        return VXE_OK;
    }
    shapes s = {.words = (uint32_t)(box[0] * box[1] * box[2] / 64 + 1)};
    s.bits = vxe_memory_take((uint64_t)count * s.words, sizeof *s.bits);
    s.joint = vxe_memory_take(s.words, sizeof *s.joint);
    s.taken = vxe_memory_take(count, sizeof *s.taken);
    vxe_robot **ordered = vxe_memory_take(count, sizeof(vxe_robot *));
    const bool complete = s.bits && s.joint && s.taken && ordered;
    for (uint32_t r = 0; r < count && complete; r++) {
        draw(robots[r], box, s.bits + (uint64_t)r * s.words);
    }
    if (complete) {
        arrange(&s, robots, ordered, count, batch_neighbors);
    }
    vxe_memory_release(s.bits);
    vxe_memory_release(s.joint);
    vxe_memory_release(s.taken);
    vxe_memory_release(ordered);
    return complete ? VXE_OK
                    : vxe_error_memory(error, (uint64_t)count * s.words * sizeof(uint64_t));
}

/* The part of lanes that hold a bond, 0 to 1, if the single-body solver computes a robot; vectors
   of packed bonds count by what they cost. */
static double use_alone(const vxe_model *model)
{
    const vxe_kernel_arrays *arrays = &model->arrays;
    double held = 0;
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t packed = arrays->packed[axis].count;
        held += VXE_VECTOR * (packed > 0 ? VXE_PACKED_COST * packed : arrays->bonds[axis].count);
    }
    return held > 0 ? (double)model->topology.bond_count / held : 0;
}

/* The part of the threads that run groups while they run the one at a place of the queue. Robots
   that no full round of groups takes leave some threads without one. */
static double busy_threads(uint32_t place, uint32_t count, uint32_t threads, uint32_t width)
{
    const uint32_t groups = (count + width - 1) / width;
    const uint32_t in_rounds = groups / threads * threads;
    return place / width < in_rounds ? 1 : (double)(groups - in_rounds) / threads;
}

/* How much faster a vector of lanes is than one of the single-body solver, whose robots fit any
   cache. Measured with search_throughput and bond_throughput, by which choice was the fastest:
   bodies of walk (0.8 MB), batch_mixed_10 (1.3 MB), xenobot (1.7 MB) and gait (3.8 MB). */
static double gain_of(const vxe_lanes *lanes)
{
    const double megabytes = 1e-6 * (double)(lanes->group.voxels * vxe_lanes_voxel_bytes(lanes));
    return megabytes < 1.4 ? 1.4 : megabytes < 2 ? 1.15 : 1;
}

bool vxe_lanes_are_worth(const vxe_lanes *lanes, uint32_t place, uint32_t count, uint32_t threads)
{
    const uint32_t width = vxe_lane_kernels_of(lanes->kernels)->lanes;
    double alone = 0;
    uint32_t robots = 0;
    VXE_ASSERT(place < count && threads > 0);
    for (uint32_t lane = 0; lane < width; lane++) {
        if (lanes->robot[lane]) {
            alone += use_alone(&lanes->robot[lane]->simulation->model);
            robots++;
        }
    }
    const double busy = busy_threads(place, count, threads, width);
    return robots == 0 || gain_of(lanes) * busy * vxe_lanes_use(lanes) >= alone / robots;
}
