/* SPDX-License-Identifier: MIT */
/* See affine_lanes.h. This file is compiled once per instruction set: its numbers are as
   wide as a register. */
#define VXE_WIDE

#include <string.h>

#include "engine/affine/affine_lanes.h"
#include "engine/affine/affine_motion.h"
#include "engine/core/real.h"

/* Bodies side by side, each in the middle of a step of its own. */
typedef struct group {
    vxe_affine_own own;
    vxe_affine_end ends[2]; /* of the part before, */
    int now;                /* which ends at this one */
    vxe_number left;        /* s: of the step */
    vxe_number parts;       /* of the step, so far */
    vxe_number taken;       /* parts in all */
    vxe_number step, until, base_step, base_time, step_time;
    vxe_affine_way *way[VXE_NUMBER_LANES]; /* null: idle, whatever is computed there */
} group;

static void put(vxe_number *number, int lane, double value)
{
    *vxe_lane(number, lane) = value;
}

/* Puts a body into a lane, idle or not. */
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

static void unload(group *c, int lane)
{
    vxe_affine_way *way = c->way[lane];
    vxe_number *state = (vxe_number *)&c->ends[c->now].state;
    way->step = (uint64_t)*vxe_lane(&c->step, lane);
    way->parts = (uint64_t)*vxe_lane(&c->taken, lane);
    for (size_t i = 0; i < VXE_AFFINE_STATE_NUMBERS && way->fate == VXE_AFFINE_GOES_ON; i++) {
        way->state[i] = *vxe_lane(&state[i], lane);
    }
}

VXE_INLINE vxe_number time_at(const group *c, vxe_number step)
{
    return c->base_time + (step - c->base_step) * c->step_time;
}

/* What acts from outside: forces by formulas. */
VXE_INLINE void sample(const group *c, vxe_affine_end *end)
{
    if (c->own.is.forced) {
        memset(end->load.given, 0, sizeof end->load.given);
        vxe_affine_run_formulas(&c->own, VXE_AFFINE_FORCE, 3, end->time, end->load.given);
        memcpy(end->load.force, end->load.given, sizeof end->load.force);
    }
}

/* Where steps of some lanes start, and how long they are. */
VXE_INLINE vxe_number start_clock(group *c, vxe_truth which)
{
    const vxe_number time = time_at(c, c->step);
    c->left = vxe_choose(which, time_at(c, c->step + 1.0) - time, c->left);
    c->parts = vxe_choose(which, vxe_number_of(0), c->parts);
    return time;
}

/* Starts the steps of some lanes. */
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

/* A part of all bodies' steps; which of them it has ruined. */
VXE_INLINE vxe_truth run_part(group *c)
{
    const vxe_affine_end *now = &c->ends[c->now];
    vxe_affine_end *next = &c->ends[1 - c->now];
    vxe_number h = c->own.part_scale * vxe_affine_own_part(&c->own, now);
    h = vxe_smaller(h, c->left);
    /* no last one that is tiny */
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

/* Who cannot go on says why. */
static void note_fates(group *c, vxe_truth ruined)
{
    /* the part has been counted */
    const vxe_truth many = vxe_less(vxe_number_of((double)VXE_AFFINE_MAX_PARTS), c->parts);
    for (int lane = 0; lane < VXE_NUMBER_LANES; lane++) {
        if (ruined[lane] && c->way[lane]) {
            c->way[lane]->fate = many[lane] ? VXE_AFFINE_TOO_MANY_PARTS : VXE_AFFINE_COLLAPSED;
            c->way[lane]->time = *vxe_lane(&c->ends[c->now].time, lane);
        }
    }
}

/* The next way into each of some lanes; those for which there is none do as a lane that is in use
   does, and never come to an end. Returns whether any is in use. */
static bool change(group *c, vxe_truth which, vxe_affine_way *ways, uint32_t *first, uint32_t count)
{
    const vxe_affine_way *any = NULL;
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

static void run(vxe_affine_way *ways, uint32_t count)
{
    group c = {.left = {0}};
    uint32_t first = 0;
    vxe_truth all = vxe_equal(c.left, c.left);
    bool used = change(&c, all, ways, &first, count);
    /* stresses of bodies that neither resist nor grow are those of where they stand */
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
