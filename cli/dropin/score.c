/* SPDX-License-Identifier: MIT */
#include "cli/dropin/score.h"

#include <math.h>
#include <stdlib.h>

/* Materials that drivers know by their place in the palette, from 0. */
enum { OBSTACLE = 4, NEEDLE = 6 };

/* Poses and sensors of all voxels, by design order. */
typedef struct snapshot {
    uint32_t count;
    double *places; /* (count, 3) m */
    double *edges;  /* (count) m */
    double *floor;  /* (count) N */
} snapshot;

static void release(snapshot *shot)
{
    free(shot->places);
    *shot = (snapshot){0};
}

static bool take(snapshot *shot, const score_view *view)
{
    shot->count = view->design->voxel_count;
    shot->places = calloc(5ull * shot->count, sizeof *shot->places);
    if (!shot->places) {
        return false;
    }
    shot->edges = shot->places + 3ull * shot->count;
    shot->floor = shot->edges + shot->count;
    vxe_world_poses(view->world, shot->places, NULL);
    vxe_world_sense(view->world, &(vxe_sensors){.edge = shot->edges, .floor = shot->floor});
    return true;
}

/* The file's frame. */
static double place(const score_view *view, const snapshot *shot, uint32_t voxel, int c)
{
    return shot->places[3ull * voxel + (unsigned)c] - view->design->file_origin[c];
}

static double volume_of(const score_view *view, const snapshot *shot)
{
    double volume = 0;
    for (uint32_t v = 0; v < shot->count; v++) {
        const double edge = shot->edges[v] / view->design->voxel_size;
        volume += edge * edge * edge;
    }
    return volume;
}

static double hull_of(const score_view *view)
{
    const double size = view->design->voxel_size;
    return vxe_world_hull_volume(view->world, NULL) / (size * size * size);
}

static uint32_t count_touching(const snapshot *shot)
{
    uint32_t touching = 0;
    for (uint32_t v = 0; v < shot->count; v++) {
        touching += shot->floor[v] > 0;
    }
    return touching;
}

/* The last voxel of the needle, or the count. */
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
    snapshot shot = {0};
    if (!take(&shot, view)) {
        return false;
    }
    const uint32_t needle = needle_of(view);
    s->voxels = shot.count;
    s->first_volume = volume_of(view, &shot);
    s->first_hull = hull_of(view);
    vxe_world_center_of_mass(view->world, s->start, NULL);
    for (int c = 0; c < 3 && needle < shot.count; c++) {
        s->pushed[c] = place(view, &shot, needle, c);
    }
    release(&shot);
    return true;
}

/* Least and most y of voxels that are no obstacles. */
static void find_y(const score_view *view, const snapshot *shot, double *least, double *most)
{
    *least = HUGE_VAL;
    *most = -HUGE_VAL;
    for (uint32_t v = 0; v < shot->count; v++) {
        if (view->design->voxels[v].material != OBSTACLE) {
            const double y = place(view, shot, v, 1) / view->design->voxel_size;
            *least = fmin(*least, y);
            *most = fmax(*most, y);
        }
    }
}

bool score_end_of_life(score *s, const score_view *view)
{
    snapshot shot = {0};
    double most = 0;
    if (!take(&shot, view)) {
        return false;
    }
    find_y(view, &shot, &s->end_of_life_least_y, &most);
    release(&shot);
    return true;
}

bool score_add(score *s, const score_view *view)
{
    snapshot shot = {0};
    if (s->sample_count == s->sample_room) {
        const uint32_t room = s->sample_room ? 2 * s->sample_room : 64;
        score_sample *samples = realloc(s->samples, room * sizeof *samples);
        if (!samples) {
            return false;
        }
        s->samples = samples;
        s->sample_room = room;
    }
    if (!take(&shot, view)) {
        return false;
    }
    score_sample *sample = &s->samples[s->sample_count++];
    *sample = (score_sample){.time = vxe_world_time(view->world),
                             .volume = volume_of(view, &shot),
                             .touching = count_touching(&shot)};
    vxe_world_center_of_mass(view->world, sample->center, NULL);
    if (s->sample_count > 1) {
        const score_sample *before = sample - 1;
        const double mean = 0.5 * (before->volume + sample->volume);
        s->by_volume += (sample->center[1] - before->center[1]) / view->design->voxel_size /
                        pow(mean, view->task->exponent);
    }
    release(&shot);
    return true;
}

/* As it was published, though squares were meant. */
static double block_of(const score_view *view, const snapshot *shot)
{
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t v = 0; v < shot->count; v++) {
        if (view->design->voxels[v].material + 1 == view->task->block) {
            const double at =
                place(view, shot, v, 0) + place(view, shot, v, 1) + place(view, shot, v, 2);
            sum += at > 0 ? sqrt(at) : 0;
            count++;
        }
    }
    return count > 0 ? sum / count : 0;
}

bool score_finish(score *s, const score_view *view)
{
    snapshot shot = {0};
    const double size = view->design->voxel_size;
    const uint32_t needle = needle_of(view);
    if (!take(&shot, view)) {
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
    s->last_volume = volume_of(view, &shot);
    s->last_hull = hull_of(view);
    s->touching = count_touching(&shot);
    s->nearest = HUGE_VAL;
    find_y(view, &shot, &s->least_y, &s->most_y);
    for (uint32_t v = 0; v < shot.count; v++) {
        const double x = place(view, &shot, v, 0) - (s->start[0] - view->design->file_origin[0]);
        const double y = place(view, &shot, v, 1) - (s->start[1] - view->design->file_origin[1]);
        s->farthest = fmax(s->farthest, hypot(x, y) / size);
        s->nearest = fmin(s->nearest, hypot(x, y) / size);
    }
    s->block = block_of(view, &shot);
    if (needle < shot.count && view->task->needle) {
        s->push = hypot(place(view, &shot, needle, 0) - s->pushed[0],
                        place(view, &shot, needle, 1) - s->pushed[1]) /
                  size;
    }
    release(&shot);
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
