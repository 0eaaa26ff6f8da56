/* SPDX-License-Identifier: MIT */
#include "engine/solver/wavefront.h"

#include <string.h>

#include "common/memory.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"
#include "engine/core/accumulators.h"
#include "engine/solver/step.h"

/* Passes that a thread has in flight at most: those of a step with sweeps, and of several steps.
 * Measured with bond_throughput on cube_64: one thread is a tenth faster with 4 than with 1, some
 * percent than with 3, and as fast with 6; two threads are as fast with 4 as with 3, and on another
 * machine hindered each other with 5 and 9. */
#define MOST_FRONTS VXE_MOST_PASSES
#define MOST_FOLLOWERS 4u
/* Bytes of cache that those of all threads may take. */
#define FRONT_CACHE (8u << 20)
/* Numbers of a slot that a pass reads and writes, about. */
#define FRONT_NUMBERS 46u
/* Chunks that a thread falls back at most when it has come so near to the one before that it had to
 * wait: by then they have left that one's cache. Two threads with sweeps on cube_64 are 6 % faster
 * so, with 4 as with 16, and no longer half as fast every other time. */
#define MOST_CATCH_UP 8u
/* Steps between two looks at whether all went well, and the fewest that are worth a copy of the
 * state: with sweeps single ones are run by one thread. */
#define BLOCK_STEPS 256u
#define FEWEST_STEPS 16u
#define FEWEST_SWEPT_STEPS 2u
/* Bodies of so few voxels stay in a cache. */
#define SMALL_BODY 4096u

/* Bond vectors of a chunk at most. */
static uint32_t most_vectors(const vxe_model *model, int axis)
{
    const uint32_t *in_rows = model->schedule.vector_first[axis];
    const uint32_t *woven =
        model->arrays.woven[axis].count > 0 ? model->arrays.woven[axis].first : in_rows;
    uint32_t most = 0;
    for (uint32_t chunk = 0; chunk < model->schedule.chunk_count; chunk++) {
        const uint32_t rows = in_rows[chunk + 1] - in_rows[chunk];
        const uint32_t weft = woven[chunk + 1] - woven[chunk];
        most = rows > most ? rows : most;
        most = weft > most ? weft : most;
    }
    return most;
}

/* Whether nothing looks at the whole body between two steps. */
static bool runs_freely(const vxe_model *model, const vxe_scratch_def *def)
{
    return !def->singly && model->surface.count == 0 && !model->grains && !model->magnets &&
           !model->peer && !model->stiffening && !model->poisson && model->yield.law_count == 0 &&
           model->group_count == 0;
}

/* Chunks that a thread's passes lie over: one more than bonds reach is being fetched. */
static uint64_t spread(uint64_t passes, uint32_t lag)
{
    return passes * lag + 1;
}

/* Whether the passes of so many threads leave a quarter of the body over, so that the last need not
 * wait for the first. */
static bool leaves_over(const vxe_schedule *schedule, uint32_t threads, uint64_t passes,
                        uint32_t lag)
{
    return 4 * threads * spread(passes, lag) <= 3ull * schedule->chunk_count;
}

/* The passes of a step with sweeps: by one thread, or by several a step each where they may. */
static void plan_sweeps(vxe_fronts *fronts, const vxe_model *model, const vxe_scratch_def *def)
{
    const vxe_schedule *schedule = &model->schedule;
    const uint32_t passes = def->sweeps + 1;
    const uint32_t held = def->sweeps * fronts->lag + 1;
    /* targets of groups may ask for more sweeps than are planned for here */
    if (model->topology.voxel_count <= SMALL_BODY || model->group_count > 0) {
        return;
    }
    fronts->follow = def->slabs > 1 && vxe_schedule_is_large(schedule) && runs_freely(model, def) &&
                     leaves_over(schedule, def->slabs, passes, fronts->lag);
    if (def->slabs > 1 && !fronts->follow) {
        return;
    }
    fronts->depth = passes;
    fronts->held = held < schedule->chunk_count ? held : schedule->chunk_count;
    for (int axis = 0; axis < 3; axis++) {
        fronts->held_vectors[axis] = most_vectors(model, axis);
    }
}

void vxe_fronts_plan(vxe_fronts *fronts, const vxe_model *model, const vxe_scratch_def *def,
                     uint32_t reach)
{
    const vxe_schedule *schedule = &model->schedule;
    const uint64_t bytes = (uint64_t)reach * FRONT_NUMBERS * vxe_real_bytes(model->precision);
    const uint64_t most = FRONT_CACHE / (bytes * def->slabs);
    const uint32_t room = (uint32_t)(most < 1 ? 1 : most > MOST_FOLLOWERS ? MOST_FOLLOWERS : most);
    /* when a pass begins with a chunk, the one before has done so many beyond that chunk */
    const uint32_t lag = (reach - 1) / schedule->chunk_slots;
    *fronts = (vxe_fronts){.depth = 1, .lag = lag};
    if (def->apart) {
        return;
    }
    if (def->sweeps > 0) {
        plan_sweeps(fronts, model, def);
    } else if (vxe_schedule_is_large(schedule)) {
        fronts->follow = room * def->slabs > 1 && runs_freely(model, def) &&
                         leaves_over(schedule, def->slabs, room, lag);
        fronts->depth = fronts->follow ? room : 1;
    }
    if (fronts->follow) { /* threads share what is left over */
        const uint64_t spare = schedule->chunk_count / def->slabs - spread(fronts->depth, lag);
        fronts->catch_up = spare < MOST_CATCH_UP ? (uint32_t)spare : MOST_CATCH_UP;
    }
}

/* Slabs that are the whole body: that of one thread, or one for each. */
static vxe_status take_wholes(vxe_scratch *scratch, vxe_error *error)
{
    vxe_fronts *fronts = &scratch->fronts;
    const vxe_schedule *schedule = &scratch->model->schedule;
    fronts->whole = scratch->slabs;
    if (scratch->slab_count == 1) {
        return VXE_OK;
    }
    fronts->whole = vxe_memory_take(scratch->slab_count, sizeof *fronts->whole);
    if (!fronts->whole) {
        return vxe_error_memory(error, scratch->slab_count * sizeof *fronts->whole);
    }
    for (uint32_t t = 0; t < scratch->slab_count; t++) {
        fronts->whole[t].last_chunk = schedule->chunk_count;
        for (int axis = 0; axis < 3; axis++) {
            vxe_crossing *crossing = &fronts->whole[t].crossing[axis];
            crossing->first = crossing->last = schedule->vector_first[axis][schedule->chunk_count];
        }
    }
    return VXE_OK;
}

vxe_status vxe_fronts_take(vxe_scratch *scratch, vxe_error *error)
{
    vxe_fronts *fronts = &scratch->fronts;
    const vxe_model *model = scratch->model;
    const uint32_t threads = scratch->slab_count;
    if (!fronts->held && !fronts->follow) {
        return VXE_OK;
    }
    fronts->count = threads * fronts->depth;
    fronts->front = vxe_memory_take(fronts->count, sizeof *fronts->front);
    fronts->marks = vxe_memory_take(threads, sizeof *fronts->marks);
    if (!fronts->front || !fronts->marks) {
        return vxe_error_memory(error, fronts->count * sizeof *fronts->front);
    }
    vxe_status status = take_wholes(scratch, error);
    for (uint32_t i = 0; i < fronts->count && !status; i++) {
        vxe_front *front = &fronts->front[i];
        const vxe_slab *slab = &scratch->slabs[i / fronts->depth];
        memcpy(front->sums.own, slab->sums.own, sizeof front->sums.own);
        front->sums.ahead = &fronts->whole[i / fronts->depth].ahead;
        status = vxe_six_take(scratch->pull_room, vxe_real_bytes(model->precision),
                              &front->pull_block, front->sums.pull, error);
    }
    if (!status && fronts->follow) {
        status = vxe_state_init(&fronts->before, model->precision,
                                (vxe_state_size){.slots = model->slots}, error);
    }
    return status;
}

void vxe_fronts_clear(vxe_scratch *scratch)
{
    vxe_fronts *fronts = &scratch->fronts;
    for (uint32_t i = 0; i < fronts->count && fronts->front; i++) {
        vxe_memory_release(fronts->front[i].pull_block);
    }
    vxe_memory_release(fronts->front);
    if (fronts->whole != scratch->slabs) {
        vxe_memory_release(fronts->whole);
    }
    vxe_memory_release(fronts->marks);
    vxe_state_clear(&fronts->before);
    *fronts = (vxe_fronts){0};
}

/* Passes that follow each other over a body: pass_count to a step, from the first of a step on. */
typedef struct front_job {
    vxe_scratch *scratch;
    const vxe_state *state;
    const vxe_pass *passes;
    uint32_t pass_count;
    uint64_t first_step;
    uint64_t total; /* passes */
    bool keeps;     /* the body as it is before the first */
    vxe_parallel_stop stop;
} front_job;

/* What one pass in flight needs beside its front. */
typedef struct flight {
    vxe_pass pass;
    double clock[VXE_CLOCK_NUMBERS];
} flight;

static void begin_flight(const front_job *job, uint64_t number, flight *into)
{
    into->pass = job->passes[number % job->pass_count];
    vxe_passes_begin(&into->pass, 1, job->state, job->first_step + number / job->pass_count);
    if ((into->pass.acts & VXE_ACT_RESIZE) && vxe_model_resizes(job->scratch->model)) {
        vxe_model_clock(job->scratch->model, into->pass.end, into->clock);
    }
}

/* The scratch as a thread sees it: what sweeps keep goes to a ring of its own. */
static vxe_scratch seen_by(const vxe_scratch *scratch, uint32_t thread)
{
    vxe_scratch seen = *scratch;
    vxe_kernel_arrays *arrays = &seen.arrays;
    const vxe_fronts *fronts = &scratch->fronts;
    const uint64_t chunks = (uint64_t)thread * fronts->held;
    const uint32_t bytes = vxe_real_bytes(scratch->model->precision);
    for (int c = 0; c < 6 && chunks > 0; c++) {
        const uint64_t ahead = chunks * scratch->model->schedule.chunk_slots * bytes;
        arrays->kept[c] = (char *)arrays->kept[c] + ahead;
        arrays->middle[c] = arrays->middle[c] ? (char *)arrays->middle[c] + ahead : NULL;
    }
    for (int axis = 0; axis < 3 && chunks > 0; axis++) {
        arrays->geometry[axis] = (char *)arrays->geometry[axis] +
                                 chunks * fronts->held_vectors[axis] * 6 * VXE_VECTOR * bytes;
    }
    return seen;
}

/* Where what sweeps keep of a chunk is, if only that of some chunks is held. */
static void hold_chunk(vxe_scratch *scratch, const vxe_slab *slab, const vxe_pass *pass,
                       uint32_t chunk)
{
    const vxe_schedule *schedule = &scratch->model->schedule;
    const uint32_t place = chunk % scratch->fronts.held;
    scratch->arrays.kept_first = schedule->chunk_first[chunk] - place * schedule->chunk_slots;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const uint32_t *first = vxe_slab_is_woven(scratch, slab, pass, axis)
                                    ? scratch->arrays.woven[axis].first
                                    : schedule->vector_first[axis];
        scratch->arrays.geometry_first[axis] =
            first[chunk] - place * scratch->fronts.held_vectors[axis];
    }
}

/* Waits until the thread with the stage before has done what a chunk's bonds reach, and one chunk
 * more: that is fetched meanwhile. */
static bool follow(const front_job *job, uint64_t stage, uint32_t chunk,
                   const vxe_parallel_mark *ahead)
{
    const uint64_t chunks = job->scratch->model->schedule.chunk_count;
    const uint64_t needed = chunk + job->scratch->fronts.lag + 2ull;
    const uint64_t further = needed + job->scratch->fronts.catch_up;
    const uint64_t before = (stage - 1) * chunks;
    return vxe_parallel_follow(ahead, before + (needed < chunks ? needed : chunks),
                               before + (further < chunks ? further : chunks), &job->stop);
}

/* Keeps a chunk as it is before a block of steps. */
static void keep_chunk(vxe_fronts *fronts, const vxe_scratch *scratch, uint32_t chunk)
{
    const vxe_schedule *schedule = &scratch->model->schedule;
    const bool last = chunk + 1 == schedule->chunk_count;
    vxe_state_copy_slots(&fronts->before, scratch->state, schedule->chunk_first[chunk],
                         last ? scratch->model->slots : schedule->chunk_first[chunk + 1]);
}

/* What a thread has to do of a job. */
typedef struct front_part {
    uint32_t thread, threads; /* it has the stages thread, thread + threads, ... */
    uint64_t stages;
} front_part;

/* Begins the passes of a stage; returns how many these are. */
static uint32_t begin_flights(const front_job *job, const front_part *part, uint64_t stage,
                              vxe_front *front, flight flights[MOST_FRONTS])
{
    const uint64_t first = stage * job->total / part->stages;
    const uint64_t last = (stage + 1) * job->total / part->stages;
    for (uint64_t number = first; number < last; number++) {
        begin_flight(job, number, &flights[number - first]);
        front[number - first].sums.pull_first = 0;
    }
    return (uint32_t)(last - first);
}

/* A stage: some passes, one behind the other. */
static bool run_stage(front_job *job, vxe_slab *slab, uint64_t stage, const front_part *part)
{
    vxe_scratch seen = seen_by(job->scratch, part->thread);
    vxe_fronts *fronts = &job->scratch->fronts;
    const uint32_t chunks = seen.model->schedule.chunk_count;
    vxe_front *front = &fronts->front[(uint64_t)part->thread * fronts->depth];
    flight flights[MOST_FRONTS];
    const uint32_t count = begin_flights(job, part, stage, front, flights);
    const uint32_t behind = (count - 1) * fronts->lag;
    const vxe_parallel_mark *ahead =
        &fronts->marks[(part->thread + part->threads - 1) % part->threads];
    for (uint32_t at = 0; at < chunks + behind; at++) {
        if (part->threads > 1 && stage > 0 && !follow(job, stage, at, ahead)) {
            return false;
        }
        if (at < chunks) {
            vxe_ahead_begin(&slab->ahead, job->scratch, at, chunks);
            if (stage == 0 && job->keeps) {
                keep_chunk(fronts, &seen, at);
            }
        }
        for (uint32_t k = 0; k < count && k * fronts->lag <= at; k++) {
            const uint32_t chunk = at - k * fronts->lag;
            if (chunk < chunks) {
                if (fronts->held > 0) {
                    hold_chunk(&seen, slab, &flights[k].pass, chunk);
                }
                vxe_slab_chunk(&seen, slab, &front[k].sums, &flights[k].pass, chunk,
                               flights[k].clock);
            }
        }
        if (at >= behind) {
            vxe_parallel_reach(&fronts->marks[part->thread], stage * chunks + at - behind + 1);
        }
    }
    return true;
}

void vxe_fronts_step(vxe_scratch *scratch, const vxe_pass *passes, uint32_t count)
{
    front_job job = {.scratch = scratch,
                     .state = scratch->state,
                     .passes = passes,
                     .pass_count = count,
                     .first_step = passes[0].number,
                     .total = count};
    vxe_slab *whole = &scratch->fronts.whole[0];
    vxe_failure *failure = &scratch->slabs[0].failure[passes[0].number & 1];
    whole->failure[passes[0].number & 1] = *failure;
    run_stage(&job, whole, 0, &(front_part){.threads = 1, .stages = 1});
    *failure = whole->failure[passes[0].number & 1];
}

static bool has_failed(const vxe_slab *slab)
{
    return slab->failure[0].kind || slab->failure[1].kind;
}

/* Stages of a job: as few as go, but as many for each thread, and with sweeps a step each. */
static uint64_t count_stages(const front_job *job, uint32_t threads)
{
    const vxe_fronts *fronts = &job->scratch->fronts;
    const uint64_t fewest = (job->total + fronts->depth - 1) / fronts->depth;
    const uint64_t even = (fewest + threads - 1) / threads * threads;
    return fronts->held > 0 || even > job->total ? fewest : even;
}

static void run_stages(void *context, uint32_t thread, uint32_t threads)
{
    front_job *job = context;
    vxe_slab *slab = &job->scratch->fronts.whole[thread];
    const front_part part = {thread, threads, count_stages(job, threads)};
    for (uint64_t stage = thread; stage < part.stages; stage += threads) {
        if (!run_stage(job, slab, stage, &part)) {
            return;
        }
        if (has_failed(slab)) {
            vxe_parallel_end(&job->stop);
            return;
        }
    }
}

/* Begins a block: nobody is anywhere yet, and nothing has failed. Its first pass keeps the chunks
 * as they were. */
static void begin_block(vxe_scratch *scratch, uint32_t threads)
{
    vxe_fronts *fronts = &scratch->fronts;
    vxe_state_copy_beside(&fronts->before, scratch->state);
    for (uint32_t t = 0; t < threads; t++) {
        vxe_parallel_reach(&fronts->marks[t], 0);
        memset(fronts->whole[t].failure, 0, sizeof fronts->whole[t].failure);
    }
}

/* Takes a block back. */
static void undo_block(vxe_scratch *scratch)
{
    vxe_fronts *fronts = &scratch->fronts;
    const uint64_t bytes = 6ull * scratch->pull_room * vxe_real_bytes(scratch->model->precision);
    vxe_state_copy(scratch->state, &fronts->before);
    for (uint32_t i = 0; i < fronts->count; i++) {
        memset(fronts->front[i].pull_block, 0, bytes);
    }
    vxe_scratch_resize(scratch, vxe_state_time(scratch->state));
}

uint64_t vxe_fronts_steps(vxe_scratch *scratch, vxe_state *state, const vxe_pass *passes,
                          uint32_t count, uint64_t steps)
{
    uint64_t done = 0;
    const uint64_t fewest = scratch->fronts.held ? FEWEST_SWEPT_STEPS : FEWEST_STEPS;
    while (scratch->fronts.follow && steps - done >= fewest) {
        const uint64_t block = steps - done < BLOCK_STEPS ? steps - done : BLOCK_STEPS;
        front_job job = {.scratch = scratch,
                         .state = state,
                         .passes = passes,
                         .pass_count = count,
                         .first_step = state->step,
                         .total = block * count,
                         .keeps = true};
        begin_block(scratch, scratch->slab_count);
        vxe_parallel_run(scratch->slab_count, run_stages, &job);
        for (uint32_t t = 0; t < scratch->slab_count; t++) {
            if (has_failed(&scratch->fronts.whole[t])) {
                undo_block(scratch);
                return done;
            }
        }
        state->step += block;
        done += block;
    }
    return done;
}
