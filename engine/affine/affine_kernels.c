/* SPDX-License-Identifier: MIT */
/* Independent affine bodies in the lanes of a register; see affine_lanes.h. A lane holds one body
   in the middle of a step of its own; a lane that has reached its end is refilled with the next
   body, so that all lanes stay busy. This file is compiled once per instruction set: its numbers
   are as wide as a register. */
#define VXE_WIDE

#include <string.h>

#include "common/assert_internal.h"
#include "engine/affine/affine_lanes.h"
#include "engine/affine/affine_motion.h"
#include "engine/core/real.h"

/* Bodies in lanes, each in the middle of a step of its own. */
typedef struct group {
    vxe_affine_own own;
    vxe_affine_end ends[2]; /* the two ends of a part */
    int now;                /* index of the end where the bodies are, 0 or 1 */
    vxe_number left;        /* s: rest of the step */
    vxe_number parts;       /* parts of this step so far */
    vxe_number taken;       /* parts of all steps */
    vxe_number step, until, base_step, base_time, step_time;
    vxe_affine_way *way[VXE_NUMBER_LANES]; /* null: an idle lane, whose results are not used */
} group;

static void put(vxe_number *number, int lane, double value)
{
    *vxe_lane(number, lane) = value;
}

/* Loads a body into a lane. */
static void load(group *c, int lane, const vxe_affine_way *way)
{
    vxe_number *own = (vxe_number *)&c->own;
    vxe_number *state = (vxe_number *)&c->ends[c->now].state;
    for (size_t i = 0; i < VXE_AFFINE_OWN_NUMBERS; i++) {
        put(&own[i], lane, way->own[i]);
    }
    for (size_t i = 0; i < VXE_AFFINE_STATE_NUMBERS; i++) {
        put(&state[i], lane, way->state[i]);
    }
    c->own.formulas[lane] = way->formulas;
    c->own.is = way->is;
    put(&c->taken, lane, 0);
    put(&c->step, lane, (double)way->step);
    put(&c->until, lane, (double)way->until);
    put(&c->base_step, lane, (double)way->clock.base_step);
    put(&c->base_time, lane, way->clock.base_time);
    put(&c->step_time, lane, way->clock.step_time);
}

/* Stores a lane's step, parts and, unless the body failed, its state. */
static void unload(group *c, int lane)
{
    vxe_affine_way *way = c->way[lane];
    VXE_ASSERT(way && lane < VXE_NUMBER_LANES);
    vxe_number *state = (vxe_number *)&c->ends[c->now].state;
    way->step = (uint64_t)*vxe_lane(&c->step, lane);
    way->parts = (uint64_t)*vxe_lane(&c->taken, lane);
    for (size_t i = 0; i < VXE_AFFINE_STATE_NUMBERS && way->fate == VXE_AFFINE_GOES_ON; i++) {
        way->state[i] = *vxe_lane(&state[i], lane);
    }
}

/* s: time of a step. */
VXE_INLINE vxe_number time_at(const group *c, vxe_number step)
{
    return c->base_time + (step - c->base_step) * c->step_time;
}

/* Computes the load at an end: forces by formulas, nothing else. */
VXE_INLINE void sample(const group *c, vxe_affine_end *end)
{
    if (c->own.is.forced) {
        memset(end->load.given, 0, sizeof end->load.given);
        vxe_affine_run_formulas(&c->own, VXE_AFFINE_FORCE, 3, end->time, end->load.given);
        memcpy(end->load.force, end->load.given, sizeof end->load.force);
    }
}

/* Starts the clocks of the steps of some lanes; returns the time (s) at which they start. */
VXE_INLINE vxe_number start_clock(group *c, vxe_truth which)
{
    const vxe_number time = time_at(c, c->step);
    c->left = vxe_choose(which, time_at(c, c->step + 1.0) - time, c->left);
    c->parts = vxe_choose(which, vxe_number_of(0), c->parts);
    return time;
}

/* Starts the steps of some lanes: load, growth and stress at their first end. */
static void start_steps(group *c, vxe_truth which)
{
    vxe_affine_end fresh = {.state = c->ends[c->now].state, .time = start_clock(c, which)};
    sample(c, &fresh);
    if (!c->own.is.rigid) {
        vxe_affine_grow_by_formulas(&c->own, &fresh);
        vxe_affine_measure(&fresh);
        vxe_affine_stand(&c->own, &fresh);
        vxe_affine_strain(&c->own, &fresh, false);
    }
    vxe_number *now = (vxe_number *)&c->ends[c->now];
    const vxe_number *from = (const vxe_number *)&fresh;
    for (size_t i = 0; i < sizeof fresh / sizeof *from; i++) {
        now[i] = vxe_choose(which, from[i], now[i]);
    }
}

/* Advances all lanes by a part of their steps; returns the lanes whose body has collapsed or has
   used up its parts. */
VXE_INLINE vxe_truth run_part(group *c)
{
    const vxe_affine_end *now = &c->ends[c->now];
    vxe_affine_end *next = &c->ends[1 - c->now];
    vxe_number h = c->own.part_scale * vxe_affine_own_part(&c->own, now);
    h = vxe_smaller(h, c->left);
    /* the rest is halved rather than leaving a tiny last part */
    const vxe_truth last = vxe_both(vxe_less(c->left, 2.0 * h), vxe_less(h, c->left));
    h = vxe_choose(last, 0.5 * c->left, h);
    const vxe_number taken = vxe_affine_begin(&c->own, now, next, h);
    sample(c, next);
    vxe_affine_finish(&c->own, next, h, taken);
    vxe_affine_account(&c->own, now, next, h);
    const vxe_truth ruined = vxe_not(vxe_affine_is_whole(&c->own, next));
    const vxe_truth many = vxe_equal(c->parts, vxe_number_of((double)VXE_AFFINE_MAX_PARTS));
    c->left -= h;
    c->parts += 1.0;
    c->taken += 1.0;
    return vxe_either(ruined, many);
}

/* Records why the bodies of some lanes cannot go on. */
static void note_fates(group *c, vxe_truth ruined)
{
    /* run_part has counted the part already, hence less, not equal */
    const vxe_truth many = vxe_less(vxe_number_of((double)VXE_AFFINE_MAX_PARTS), c->parts);
    for (int lane = 0; lane < VXE_NUMBER_LANES; lane++) {
        if (ruined[lane] && c->way[lane]) {
            c->way[lane]->fate = many[lane] ? VXE_AFFINE_TOO_MANY_PARTS : VXE_AFFINE_COLLAPSED;
            c->way[lane]->time = *vxe_lane(&c->ends[c->now].time, lane);
        }
    }
}

/* Refills some lanes with the next bodies. A lane without one becomes idle: it computes what some
   busy lane computes, so that it stays finite, and has no end. Returns whether any lane is busy. */
static bool change(group *c, vxe_truth which, vxe_affine_way *ways, uint32_t *first, uint32_t count)
{
    const vxe_affine_way *any = NULL;
    VXE_ASSERT(*first <= count);
    for (int lane = 0; lane < VXE_NUMBER_LANES; lane++) {
        if (which[lane]) {
            if (c->way[lane]) {
                unload(c, lane);
            }
            c->way[lane] = *first < count ? &ways[(*first)++] : NULL;
            if (c->way[lane]) {
                load(c, lane, c->way[lane]);
            }
        }
        any = c->way[lane] ? c->way[lane] : any;
    }
    for (int lane = 0; lane < VXE_NUMBER_LANES && any; lane++) {
        if (which[lane] && !c->way[lane]) {
            load(c, lane, any);
            put(&c->until, lane, HUGE_VAL);
        }
    }
    return any != NULL;
}

/* Advances bodies of the same traits from their steps to their ends. */
static void run(vxe_affine_way *ways, uint32_t count)
{
    VXE_ASSERT(ways && count > 0);
    group c = {.left = {0}};
    uint32_t first = 0;
    vxe_truth all = vxe_equal(c.left, c.left);
    bool used = change(&c, all, ways, &first, count);
    /* the stress of a body without viscosity and growth depends on its position alone, so the end
       of a step serves as the start of the next one */
    const bool steady = !c.own.is.viscous && !c.own.is.grows && !c.own.is.driven;
    if (used) {
        start_steps(&c, all);
    }
    while (used) {
        const vxe_truth ruined = run_part(&c);
        const vxe_truth ended = vxe_either(ruined, vxe_not(vxe_less(vxe_number_of(0), c.left)));
        if (vxe_any(ruined)) {
            note_fates(&c, ruined);
        }
        c.now = 1 - c.now;
        if (!vxe_any(ended)) {
            continue;
        }
        c.step = vxe_choose(ended, c.step + 1.0, c.step);
        const vxe_truth there = vxe_either(ruined, vxe_less_or_equal(c.until, c.step));
        bool changed = vxe_any(there);
        if (changed) {
            used = change(&c, there, ways, &first, count);
        }
        if (changed || !steady || c.own.is.forced) {
            start_steps(&c, ended);
        } else {
            vxe_affine_end *now = &c.ends[c.now];
            now->time = vxe_choose(ended, start_clock(&c, ended), now->time);
        }
    }
}

const vxe_affine_kernels VXE_VARIANT(vxe_affine_kernels) = {run};
