/* SPDX-License-Identifier: MIT */
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

static void release(snapshot *projection)
{
    free(projection->places);
    *projection = (snapshot){0};
}

static bool take(snapshot *projection, const score_view *view)
{
    projection->count = view->design->voxel_count;
    projection->places = calloc(5ull * projection->count, sizeof *projection->places);
    if (!projection->places) {
        return false;
    }
    projection->edges = projection->places + 3ull * projection->count;
    projection->floor = projection->edges + projection->count;
    vxe_world_poses(view->world, projection->places, NULL);
    vxe_world_sense(view->world,
                    &(vxe_sensors){.edge = projection->edges, .floor = projection->floor});
    return true;
}

/* A coordinate of a voxel in the frame of the file, m. */
static double place(const score_view *view, const snapshot *projection, uint32_t voxel, int c)
{
    return projection->places[3ull * voxel + (unsigned)c] - view->design->file_origin[c];
}

static double volume_of(const score_view *view, const snapshot *projection)
{
    double volume = 0;
    for (uint32_t v = 0; v < projection->count; v++) {
        const double edge = projection->edges[v] / view->design->voxel_size;
        volume += edge * edge * edge;
    }
    return volume;
}

static double hull_of(const score_view *view)
{
    const double size = view->design->voxel_size;
    return vxe_world_hull_volume(view->world, NULL) / (size * size * size);
}

static uint32_t count_touching(const snapshot *projection)
{
    uint32_t touching = 0;
    for (uint32_t v = 0; v < projection->count; v++) {
        touching += projection->floor[v] > 0;
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
    snapshot projection = {0};
    if (!take(&projection, view)) {
        return false;
    }
    const uint32_t needle = needle_of(view);
    s->voxels = projection.count;
    s->first_volume = volume_of(view, &projection);
    s->first_hull = hull_of(view);
    vxe_world_center_of_mass(view->world, s->start, NULL);
    for (int c = 0; c < 3 && needle < projection.count; c++) {
        s->pushed[c] = place(view, &projection, needle, c);
    }
    release(&projection);
    return true;
}

/* Finds the smallest and the largest y of voxels that are not obstacles. */
static void find_y(const score_view *view, const snapshot *projection, double *min, double *max)
{
    *min = HUGE_VAL;
    *max = -HUGE_VAL;
    for (uint32_t v = 0; v < projection->count; v++) {
        if (view->design->voxels[v].material != OBSTACLE) {
            const double y = place(view, projection, v, 1) / view->design->voxel_size;
            *min = fmin(*min, y);
            *max = fmax(*max, y);
        }
    }
}

bool score_end_of_life(score *s, const score_view *view)
{
    snapshot projection = {0};
    double max = 0;
    if (!take(&projection, view)) {
        return false;
    }
    find_y(view, &projection, &s->end_of_life_least_y, &max);
    release(&projection);
    return true;
}

bool score_add(score *s, const score_view *view)
{
    snapshot projection = {0};
    if (s->sample_count == s->sample_capacity) {
        const uint32_t capacity = s->sample_capacity ? 2 * s->sample_capacity : 64;
        score_sample *samples = realloc(s->samples, capacity * sizeof *samples);
        if (!samples) {
            return false;
        }
        s->samples = samples;
        s->sample_capacity = capacity;
    }
    if (!take(&projection, view)) {
        return false;
    }
    score_sample *sample = &s->samples[s->sample_count++];
    *sample = (score_sample){.time = vxe_world_time(view->world),
                             .volume = volume_of(view, &projection),
                             .touching = count_touching(&projection)};
    vxe_world_center_of_mass(view->world, sample->center, NULL);
    if (s->sample_count > 1) {
        const score_sample *before = sample - 1;
        const double mean = 0.5 * (before->volume + sample->volume);
        s->by_volume += (sample->center[1] - before->center[1]) / view->design->voxel_size /
                        pow(mean, view->task->exponent);
    }
    release(&projection);
    return true;
}

/* Mean root of x + y + z over the block, as published, although squares were probably meant. */
static double block_of(const score_view *view, const snapshot *projection)
{
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t v = 0; v < projection->count; v++) {
        if (view->design->voxels[v].material + 1 == view->task->block) {
            const double at = place(view, projection, v, 0) + place(view, projection, v, 1) +
                              place(view, projection, v, 2);
            sum += at > 0 ? sqrt(at) : 0;
            count++;
        }
    }
    return count > 0 ? sum / count : 0;
}

bool score_finish(score *s, const score_view *view)
{
    snapshot projection = {0};
    const double size = view->design->voxel_size;
    const uint32_t needle = needle_of(view);
    if (!take(&projection, view)) {
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
    s->last_volume = volume_of(view, &projection);
    s->last_hull = hull_of(view);
    s->touching = count_touching(&projection);
    s->nearest = HUGE_VAL;
    find_y(view, &projection, &s->least_y, &s->most_y);
    for (uint32_t v = 0; v < projection.count; v++) {
        const double x =
            place(view, &projection, v, 0) - (s->start[0] - view->design->file_origin[0]);
        const double y =
            place(view, &projection, v, 1) - (s->start[1] - view->design->file_origin[1]);
        s->farthest = fmax(s->farthest, hypot(x, y) / size);
        s->nearest = fmin(s->nearest, hypot(x, y) / size);
    }
    s->block = block_of(view, &projection);
    if (needle < projection.count && view->task->needle) {
        s->push = hypot(place(view, &projection, needle, 0) - s->pushed[0],
                        place(view, &projection, needle, 1) - s->pushed[1]) /
                  size;
    }
    release(&projection);
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
