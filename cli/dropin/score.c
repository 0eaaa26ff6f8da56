/* SPDX-License-Identifier: MIT */
/* Computes the numbers that the drivers of evosoro and related simulators read: displacements,
   volumes, contacts, traces. */
#include "cli/dropin/score.h"

#include <math.h>
#include <stdlib.h>

/* Indices of materials, from 0, to which the drivers give a meaning. */
enum { OBSTACLE = 4, NEEDLE = 6 };

/* State of all voxels, in design order. */
typedef struct snapshot {
    uint32_t count;
    double *places; /* (count, 3) m */
    double *edges;  /* (count) m */
    double *floor;  /* (count) N, force of the floor */
} snapshot;

static void release(snapshot *snap)
{
    free(snap->places);
    *snap = (snapshot){0};
}

static bool take(snapshot *snap, const score_view *view)
{
    snap->count = view->design->voxel_count;
    snap->places = calloc(5ull * snap->count, sizeof *snap->places);
    if (!snap->places) {
        return false;
    }
    snap->edges = snap->places + 3ull * snap->count;
    snap->floor = snap->edges + snap->count;
    vxe_world_poses(view->world, snap->places, NULL);
    vxe_world_sense(view->world, &(vxe_sensors){.edge = snap->edges, .floor = snap->floor});
    return true;
}

/* A coordinate of a voxel in the frame of the file, m. */
static double place(const score_view *view, const snapshot *snap, uint32_t voxel, int c)
{
    return snap->places[3ull * voxel + (unsigned)c] - view->design->file_origin[c];
}

static double volume_of(const score_view *view, const snapshot *snap)
{
    double volume = 0;
    for (uint32_t v = 0; v < snap->count; v++) {
        const double edge = snap->edges[v] / view->design->voxel_size;
        volume += edge * edge * edge;
    }
    return volume;
}

static double hull_of(const score_view *view)
{
    const double size = view->design->voxel_size;
    return vxe_world_hull_volume(view->world, NULL) / (size * size * size);
}

static uint32_t count_touching(const snapshot *snap)
{
    uint32_t touching = 0;
    for (uint32_t v = 0; v < snap->count; v++) {
        touching += snap->floor[v] > 0;
    }
    return touching;
}

/* Index of the last needle voxel; the number of voxels where there is none. */
static uint32_t needle_of(const score_view *view)
{
    const vxe_design *design = view->design;
    for (uint32_t v = design->voxel_count; v-- > 0;) {
        if (design->voxels[v].material == NEEDLE) {
            return v;
        }
    }
    return design->voxel_count;
}

bool score_start(score *s, const score_view *view)
{
    snapshot snap = {0};
    if (!take(&snap, view)) {
        return false;
    }
    const uint32_t needle = needle_of(view);
    s->voxels = snap.count;
    s->first_volume = volume_of(view, &snap);
    s->first_hull = hull_of(view);
    vxe_world_center_of_mass(view->world, s->start, NULL);
    for (int c = 0; c < 3 && needle < snap.count; c++) {
        s->pushed[c] = place(view, &snap, needle, c);
    }
    release(&snap);
    return true;
}

/* Finds the smallest and the largest y of voxels that are not obstacles. */
static void find_y(const score_view *view, const snapshot *snap, double *min, double *max)
{
    *min = HUGE_VAL;
    *max = -HUGE_VAL;
    for (uint32_t v = 0; v < snap->count; v++) {
        if (view->design->voxels[v].material != OBSTACLE) {
            const double y = place(view, snap, v, 1) / view->design->voxel_size;
            *min = fmin(*min, y);
            *max = fmax(*max, y);
        }
    }
}

bool score_end_of_life(score *s, const score_view *view)
{
    snapshot snap = {0};
    double max = 0;
    if (!take(&snap, view)) {
        return false;
    }
    find_y(view, &snap, &s->end_of_life_min_y, &max);
    release(&snap);
    return true;
}

bool score_add(score *s, const score_view *view)
{
    snapshot snap = {0};
    if (s->sample_count == s->sample_capacity) {
        const uint32_t capacity = s->sample_capacity ? 2 * s->sample_capacity : 64;
        score_sample *samples = realloc(s->samples, capacity * sizeof *samples);
        if (!samples) {
            return false;
        }
        s->samples = samples;
        s->sample_capacity = capacity;
    }
    if (!take(&snap, view)) {
        return false;
    }
    score_sample *sample = &s->samples[s->sample_count++];
    *sample = (score_sample){.time = vxe_world_time(view->world),
                             .volume = volume_of(view, &snap),
                             .touching = count_touching(&snap)};
    vxe_world_center_of_mass(view->world, sample->center, NULL);
    if (s->sample_count > 1) {
        const score_sample *before = sample - 1;
        const double mean = 0.5 * (before->volume + sample->volume);
        s->by_volume += (sample->center[1] - before->center[1]) / view->design->voxel_size /
                        pow(mean, view->task->exponent);
    }
    release(&snap);
    return true;
}

/* Mean root of x + y + z over the block, as published, although squares were probably meant. */
static double block_of(const score_view *view, const snapshot *snap)
{
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t v = 0; v < snap->count; v++) {
        if (view->design->voxels[v].material + 1 == view->task->block) {
            const double at =
                place(view, snap, v, 0) + place(view, snap, v, 1) + place(view, snap, v, 2);
            sum += at > 0 ? sqrt(at) : 0;
            count++;
        }
    }
    return count > 0 ? sum / count : 0;
}

bool score_finish(score *s, const score_view *view)
{
    snapshot snap = {0};
    const double size = view->design->voxel_size;
    const uint32_t needle = needle_of(view);
    if (!take(&snap, view)) {
        return false;
    }
    double end[3];
    vxe_world_center_of_mass(view->world, end, NULL);
    for (int c = 0; c < 3; c++) {
        s->moved[c] = (end[c] - s->start[c]) / size;
    }
    s->far = hypot(s->moved[0], s->moved[1]);
    s->whole = hypot(s->far, s->moved[2]);
    const double afterlife = s->has_afterlife ? view->task->afterlife : 0;
    s->lifetime = vxe_world_time(view->world) - afterlife;
    s->last_volume = volume_of(view, &snap);
    s->last_hull = hull_of(view);
    s->touching = count_touching(&snap);
    s->nearest = HUGE_VAL;
    find_y(view, &snap, &s->min_y, &s->max_y);
    for (uint32_t v = 0; v < snap.count; v++) {
        const double x = place(view, &snap, v, 0) - (s->start[0] - view->design->file_origin[0]);
        const double y = place(view, &snap, v, 1) - (s->start[1] - view->design->file_origin[1]);
        s->farthest = fmax(s->farthest, hypot(x, y) / size);
        s->nearest = fmin(s->nearest, hypot(x, y) / size);
    }
    s->block = block_of(view, &snap);
    if (needle < snap.count && view->task->needle) {
        s->push = hypot(place(view, &snap, needle, 0) - s->pushed[0],
                        place(view, &snap, needle, 1) - s->pushed[1]) /
                  size;
    }
    release(&snap);
    return true;
}

void score_average(score *s, const score *other)
{
    s->diverged = s->diverged || other->diverged;
    s->far = 0.5 * (s->far + other->far);
    s->whole = 0.5 * (s->whole + other->whole);
    for (int c = 0; c < 3; c++) {
        s->moved[c] = 0.5 * (s->moved[c] + other->moved[c]);
    }
}

void score_clear(score *s)
{
    free(s->samples);
    s->samples = NULL;
}
