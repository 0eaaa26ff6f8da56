/* SPDX-License-Identifier: MIT */
/* Contacts of a group's robots on both ways. What pairs in contact remember is kept beside the
   states at the starts of segments, and of every step of a segment that runs again; backwards, the
   adjoints of what they remember go from step to step, and from segment to segment. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/gradient/gradient_data.h"

/* Room for so many pairs at first. */
#define FIRST_CAPACITY 256u

static void clear_lists(vxe_touch_lists *lists)
{
    vxe_memory_release(lists->touch);
    vxe_memory_release(lists->first);
    *lists = (vxe_touch_lists){0};
}

/* Lists of no pairs. */
static bool take_lists(vxe_touch_lists *lists, uint64_t count)
{
    lists->touch = vxe_memory_take(FIRST_CAPACITY, sizeof *lists->touch);
    lists->first = vxe_memory_take(count + 1, sizeof *lists->first);
    lists->capacity = lists->touch ? FIRST_CAPACITY : 0;
    return lists->touch && lists->first;
}

/* Room for another pair at the end of list n; null without memory. */
static vxe_reverse_touch *one_more(vxe_touch_lists *lists, uint64_t n)
{
    const uint64_t at = lists->first[n + 1];
    if (at == lists->capacity) {
        vxe_reverse_touch *grown = vxe_memory_grow(lists->touch, at, 2 * at, sizeof *lists->touch);
        if (!grown) {
            return NULL;
        }
        lists->touch = grown;
        lists->capacity = 2 * at;
    }
    lists->first[n + 1]++;
    return &lists->touch[at];
}

/* Whether robots of a group collide. */
static bool collide(const vxe_gradient_group *run)
{
    return run->lanes->group.load[VXE_LANE_CONTACTS] != NULL;
}

vxe_status vxe_gradient_contacts_take(vxe_gradient_group *run, vxe_error *error)
{
    const uint64_t segments = (run->gradient->def.steps + run->segment - 1) / run->segment;
    const uint64_t pairs = 2ull * FIRST_CAPACITY * sizeof(vxe_reverse_touch);
    return !collide(run) || (take_lists(&run->kept_touches, segments) &&
                             take_lists(&run->touches, run->segment + 1))
               ? VXE_OK
               : vxe_error_memory(error, pairs + (segments + run->segment) * sizeof(uint64_t));
}

void vxe_gradient_contacts_clear(vxe_gradient_group *run)
{
    clear_lists(&run->kept_touches);
    clear_lists(&run->touches);
}

/* The number within its list of a pair like this one, or VXE_NONE. from: where to look first; lists
   are in the order of lanes and lower voxels, so that it only goes on. */
static uint32_t number_in(const vxe_touch_lists *lists, uint64_t n, uint64_t *from,
                          const vxe_reverse_touch *like)
{
    const uint64_t last = lists->first[n + 1];
    const vxe_reverse_touch *touch = lists->touch;
    while (*from < last &&
           (touch[*from].lane < like->lane ||
            (touch[*from].lane == like->lane && touch[*from].place[0] < like->place[0]))) {
        ++*from;
    }
    for (uint64_t at = *from;
         at < last && touch[at].lane == like->lane && touch[at].place[0] == like->place[0]; at++) {
        if (touch[at].place[1] == like->place[1]) {
            return (uint32_t)(at - lists->first[n]);
        }
    }
    return VXE_NONE;
}

/* Adds the pairs of a lane's robot that were in contact in the last step to list n. */
static bool note_lane(const vxe_gradient_group *run, uint32_t lane, vxe_touch_lists *lists,
                      uint64_t n)
{
    const vxe_simulation *simulation = &run->robots[lane]->simulation;
    const vxe_state *state = &simulation->state;
    const vxe_kept_contacts *kept = &state->kept_contacts[state->step & 1];
    const uint32_t *slot = simulation->model.surface.slot;
    for (uint32_t k = 0; k < state->touching; k++) {
        for (uint32_t at = kept->first[k]; at != VXE_NONE; at = kept->entry[at].next) {
            vxe_reverse_touch *touch = one_more(lists, n);
            if (!touch) {
                return false;
            }
            const uint32_t upper = kept->entry[at].upper;
            *touch = (vxe_reverse_touch){
                .lane = lane,
                .place = {k, upper},
                .at = {run->lanes->place[lane][slot[k]], run->lanes->place[lane][slot[upper]]},
                .before = VXE_NONE,
                .kept = kept->entry[at]};
        }
    }
    return true;
}

/* Without memory all robots leave, and say so. */
static void give_up(vxe_gradient_group *run, const vxe_touch_lists *lists)
{
    for (uint32_t i = 0; i < run->count; i++) {
        vxe_gradient_robot *robot = run->robots[i];
        if (run->lanes->robot[i]) {
            vxe_error_memory(&robot->error, 2 * lists->capacity * sizeof *lists->touch);
            vxe_lanes_release(run->lanes, &robot->robot);
        }
    }
}

/* Makes list n of the pairs that were in contact in the last step; those before it are there. */
static void note(vxe_gradient_group *run, vxe_touch_lists *lists, uint64_t n)
{
    bool complete = true;
    lists->first[n + 1] = lists->first[n];
    for (uint32_t i = 0; i < run->count && complete; i++) {
        complete = !run->lanes->robot[i] || note_lane(run, i, lists, n);
    }
    if (!complete) {
        lists->first[n + 1] = lists->first[n];
        give_up(run, lists);
    }
}

void vxe_gradient_keep_contacts(vxe_gradient_group *run, uint64_t step)
{
    if (collide(run)) {
        note(run, &run->kept_touches, step / run->segment);
    }
}

void vxe_gradient_note_contacts(vxe_gradient_group *run, uint64_t at)
{
    vxe_touch_lists *lists = &run->touches;
    if (!collide(run)) {
        return;
    }
    note(run, lists, at);
    uint64_t from = at > 0 ? lists->first[at - 1] : 0;
    for (uint64_t i = lists->first[at]; i < lists->first[at + 1] && at > 0; i++) {
        lists->touch[i].before = number_in(lists, at - 1, &from, &lists->touch[i]);
    }
}

/* Gives a robot's state what its pairs remembered at the start of a segment. */
static void remember(const vxe_gradient_group *run, uint32_t lane, uint64_t n)
{
    const vxe_touch_lists *lists = &run->kept_touches;
    const vxe_state *state = &run->robots[lane]->simulation.state;
    const vxe_kept_contacts *kept = &state->kept_contacts[state->step & 1];
    uint32_t count = 0;
    for (uint32_t k = 0; k < state->touching; k++) {
        kept->first[k] = VXE_NONE;
    }
    /* from the last one on, since each is put before those of its lower voxel */
    for (uint64_t i = lists->first[n + 1]; i-- > lists->first[n];) {
        const vxe_reverse_touch *touch = &lists->touch[i];
        if (touch->lane == lane) {
            kept->entry[count] = touch->kept;
            kept->entry[count].next = kept->first[touch->place[0]];
            kept->first[touch->place[0]] = count++;
        }
    }
}

void vxe_gradient_recall_contacts(vxe_gradient_group *run, uint64_t first)
{
    if (!collide(run)) {
        return;
    }
    for (uint32_t i = 0; i < run->count; i++) {
        if (run->lanes->robot[i]) {
            remember(run, i, first / run->segment);
        }
    }
    vxe_lanes_contacts_forget(run->lanes);
    vxe_gradient_note_contacts(run, 0);
}

/* Copies the adjoints of list n to the pairs of another one that are like them. */
static void copy_adjoints(const vxe_touch_lists *from, uint64_t n, vxe_touch_lists *into,
                          uint64_t m)
{
    uint64_t at = from->first[n];
    for (uint64_t i = into->first[m]; i < into->first[m + 1]; i++) {
        const uint32_t number = number_in(from, n, &at, &into->touch[i]);
        if (number != VXE_NONE) {
            memcpy(into->touch[i].by, from->touch[from->first[n] + number].by,
                   sizeof into->touch[i].by);
        }
    }
}

void vxe_gradient_begin_contacts(vxe_gradient_group *run, uint64_t last)
{
    const uint64_t segment = last / run->segment;
    if (collide(run) && last < run->gradient->def.steps) {
        copy_adjoints(&run->kept_touches, segment, &run->touches, run->segment);
    }
}

void vxe_gradient_end_contacts(vxe_gradient_group *run, uint64_t first)
{
    if (collide(run)) {
        copy_adjoints(&run->touches, 0, &run->kept_touches, first / run->segment);
    }
}

void vxe_gradient_show_contacts(const vxe_gradient_group *run, uint64_t at, uint64_t step,
                                vxe_reverse_step *into)
{
    const vxe_touch_lists *lists = &run->touches;
    if (collide(run)) {
        into->touches = lists->touch + lists->first[at + 1];
        into->touched = lists->touch + lists->first[at];
        into->touch_count = (uint32_t)(lists->first[at + 2] - lists->first[at + 1]);
        into->opens = step == 0;
        for (uint32_t i = 0; i < run->count; i++) {
            into->contact_rows[i] = run->lanes->contacts[i].neighbors.rest;
        }
    }
}

VXE_KERNELS_BY_PRECISION(vxe_reverse_contacts)
