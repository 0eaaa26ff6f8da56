/* SPDX-License-Identifier: MIT */
/* Plans, runs and takes back the wavefront of passes that wavefront.h draws. */
#include "engine/solver/wavefront.h"

#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"
#include "engine/core/accumulators.h"
#include "engine/solver/step.h"

/* Largest number of passes that a thread has in flight: those of a step with damping iterations,
   or of several explicit steps. Measured with bond_throughput on cube_64: one thread is a tenth
   faster with 4 than with 1, some percent than with 3, and as fast with 6; two threads are as
   fast with 4 as with 3, and on another machine hindered each other with 5 and 9. */
#define MAX_PASSES_IN_FLIGHT VXE_MAX_PASSES
#define MAX_TRAILING_THREADS 4u
/* Bytes of cache that the passes of all threads may take. */
#define CACHE_BYTES (8u << 20)
/* Numbers of a slot that a pass reads and writes, roughly. */
#define SLOT_NUMBERS 46u
/* Largest number of chunks by which a thread falls back further when it has come so close to the
   previous one that it had to wait: by then these chunks have left that thread's cache. Two
   threads with damping iterations on cube_64 are 6 % faster so, with 4 as with 16, and no longer
   half as fast in every other run. */
#define MAX_EXTRA_LAG 8u
/* Steps of a block, after which failures are checked, and the fewest steps that are worth a copy
   of the state. With damping iterations a single step is run by one thread. */
#define BLOCK_STEPS 256u
#define MIN_STEPS 16u
#define MIN_ITERATED_STEPS 2u
/* Bodies of at most this many voxels stay in a cache. */
#define SMALL_BODY 4096u

/* Largest number of bond vectors in a chunk. */
static uint32_t max_vectors(const vxe_model *model, int axis)
{
    const uint32_t *in_rows = model->chunks.vector_first[axis];
    const uint32_t *packed =
        model->arrays.packed[axis].count > 0 ? model->arrays.packed[axis].first : in_rows;
    uint32_t max = 0;
    for (uint32_t chunk = 0; chunk < model->chunks.chunk_count; chunk++) {
        const uint32_t rows = in_rows[chunk + 1] - in_rows[chunk];
        const uint32_t packing = packed[chunk + 1] - packed[chunk];
        max = rows > max ? rows : max;
        max = packing > max ? packing : max;
    }
    return max;
}

/* Whether nothing needs the whole body between two steps. */
static bool steps_are_independent(const vxe_model *model, const vxe_workspace_def *def)
{
    return !def->singly && model->surface.count == 0 && !model->particles && !model->magnets &&
           !model->voxelyze && !model->stiffening && !model->poisson &&
           model->yield.law_count == 0 && model->group_count == 0;
}

/* Chunks over which a thread's passes extend; one more than bonds reach is being fetched. */
static uint64_t spread(uint64_t passes, uint32_t lag)
{
    return passes * lag + 1;
}

/* Whether the passes of so many threads leave a quarter of the body free, so that the last one
   need not wait for the first. */
static bool leaves_spare_chunks(const vxe_chunks *chunks, uint32_t threads, uint64_t passes,
                                uint32_t lag)
{
    return 4 * threads * spread(passes, lag) <= 3ull * chunks->chunk_count;
}

/* Plans the passes of a step with damping iterations: by one thread, or by several threads with
   a step each where steps are independent. */
static void plan_iterations(vxe_wavefront *wavefront, const vxe_model *model,
                            const vxe_workspace_def *def)
{
    VXE_ASSERT(def->damping_iterations >= 1 &&
               def->damping_iterations <= VXE_MAX_DAMPING_ITERATIONS);
    const vxe_chunks *chunks = &model->chunks;
    const uint32_t passes = def->damping_iterations + 1;
    const uint32_t window_chunks = def->damping_iterations * wavefront->lag + 1;
    /* a time step planned anew for targets of groups may need more iterations than are planned
       for here */
    if (model->topology.voxel_count <= SMALL_BODY || model->group_count > 0) {
        return;
    }
    wavefront->spans_steps = def->partitions > 1 && vxe_chunks_are_large(chunks) &&
                             steps_are_independent(model, def) &&
                             leaves_spare_chunks(chunks, def->partitions, passes, wavefront->lag);
    if (def->partitions > 1 && !wavefront->spans_steps) {
        return;
    }
    wavefront->depth = passes;
    wavefront->window_chunks =
        window_chunks < chunks->chunk_count ? window_chunks : chunks->chunk_count;
    for (int axis = 0; axis < 3; axis++) {
        wavefront->window_vectors[axis] = max_vectors(model, axis);
    }
}

void vxe_wavefront_plan(vxe_wavefront *wavefront, const vxe_model *model,
                        const vxe_workspace_def *def, uint32_t reach)
{
    VXE_ASSERT(def->partitions >= 1 && reach >= VXE_WINDOW);
    const vxe_chunks *chunks = &model->chunks;
    const uint64_t bytes = (uint64_t)reach * SLOT_NUMBERS * vxe_real_bytes(model->precision);
    const uint64_t max = CACHE_BYTES / (bytes * def->partitions);
    const uint32_t capacity = (uint32_t)(max < 1                      ? 1
                                         : max > MAX_TRAILING_THREADS ? MAX_TRAILING_THREADS
                                                                      : max);
    /* when a pass begins a chunk, the previous pass has done this many chunks beyond it */
    const uint32_t lag = (reach - 1) / chunks->chunk_slots;
    *wavefront = (vxe_wavefront){.depth = 1, .lag = lag};
    if (def->apart) {
        return;
    }
    if (def->damping_iterations > 0) {
        plan_iterations(wavefront, model, def);
    } else if (vxe_chunks_are_large(chunks)) {
        wavefront->spans_steps = capacity * def->partitions > 1 &&
                                 steps_are_independent(model, def) &&
                                 leaves_spare_chunks(chunks, def->partitions, capacity, lag);
        wavefront->depth = wavefront->spans_steps ? capacity : 1;
    }
    if (wavefront->spans_steps) { /* threads share the chunks that are left over */
        const uint64_t spare =
            chunks->chunk_count / def->partitions - spread(wavefront->depth, lag);
        wavefront->extra_lag = spare < MAX_EXTRA_LAG ? (uint32_t)spare : MAX_EXTRA_LAG;
    }
}

/* Partitions that are the whole body: that of the only thread, or one for each thread. */
static vxe_status take_wholes(vxe_workspace *workspace, vxe_error *error)
{
    vxe_wavefront *wavefront = &workspace->wavefront;
    const vxe_chunks *chunks = &workspace->model->chunks;
    wavefront->whole = workspace->partitions;
    if (workspace->partition_count == 1) {
        return VXE_OK;
    }
    wavefront->whole = vxe_memory_take(workspace->partition_count, sizeof *wavefront->whole);
    if (!wavefront->whole) {
        return vxe_error_memory(error, workspace->partition_count * sizeof *wavefront->whole);
    }
    for (uint32_t t = 0; t < workspace->partition_count; t++) {
        wavefront->whole[t].last_chunk = chunks->chunk_count;
        for (int axis = 0; axis < 3; axis++) {
            vxe_halo_bonds *halo = &wavefront->whole[t].halo[axis];
            halo->first = halo->last = chunks->vector_first[axis][chunks->chunk_count];
        }
    }
    return VXE_OK;
}

vxe_status vxe_wavefront_take(vxe_workspace *workspace, vxe_error *error)
{
    VXE_ASSERT(workspace->wavefront.depth >= 1 &&
               workspace->wavefront.depth <= MAX_PASSES_IN_FLIGHT);
    vxe_wavefront *wavefront = &workspace->wavefront;
    const vxe_model *model = workspace->model;
    const uint32_t threads = workspace->partition_count;
    if (!wavefront->window_chunks && !wavefront->spans_steps) {
        return VXE_OK;
    }
    wavefront->count = threads * wavefront->depth;
    wavefront->in_flight = vxe_memory_take(wavefront->count, sizeof *wavefront->in_flight);
    wavefront->marks = vxe_memory_take(threads, sizeof *wavefront->marks);
    if (!wavefront->in_flight || !wavefront->marks) {
        return vxe_error_memory(error, wavefront->count * sizeof *wavefront->in_flight);
    }
    vxe_status status = take_wholes(workspace, error);
    for (uint32_t i = 0; i < wavefront->count && !status; i++) {
        vxe_pass_in_flight *in_flight = &wavefront->in_flight[i];
        const vxe_partition *partition = &workspace->partitions[i / wavefront->depth];
        memcpy(in_flight->sums.lower_force, partition->sums.lower_force,
               sizeof in_flight->sums.lower_force);
        in_flight->sums.prefetch = &wavefront->whole[i / wavefront->depth].prefetch;
        status = vxe_six_take(workspace->upper_capacity, vxe_real_bytes(model->precision),
                              &in_flight->upper_block, in_flight->sums.upper_force, error);
    }
    if (!status && wavefront->spans_steps) {
        status = vxe_state_init(&wavefront->before, model->precision,
                                (vxe_state_size){.slots = model->slots}, error);
    }
    return status;
}

void vxe_wavefront_clear(vxe_workspace *workspace)
{
    vxe_wavefront *wavefront = &workspace->wavefront;
    for (uint32_t i = 0; i < wavefront->count && wavefront->in_flight; i++) {
        vxe_memory_release(wavefront->in_flight[i].upper_block);
    }
    vxe_memory_release(wavefront->in_flight);
    if (wavefront->whole != workspace->partitions) {
        vxe_memory_release(wavefront->whole);
    }
    vxe_memory_release(wavefront->marks);
    vxe_state_clear(&wavefront->before);
    *wavefront = (vxe_wavefront){0};
}

/* Passes that trail each other over a body: pass_count per step, from the first pass of a step
   on. */
typedef struct wavefront_job {
    vxe_workspace *workspace;
    const vxe_state *state;
    const vxe_pass *passes;
    uint32_t pass_count;
    uint64_t first_step;
    uint64_t total; /* number of passes */
    bool keeps;     /* whether the first pass copies the body as it was */
    vxe_parallel_stop stop;
} wavefront_job;

/* Numbers of one pass in flight. */
typedef struct flight {
    vxe_pass pass;
    double clock[VXE_CLOCK_NUMBERS];
} flight;

static void begin_flight(const wavefront_job *job, uint64_t number, flight *into)
{
    into->pass = job->passes[number % job->pass_count];
    vxe_passes_begin(&into->pass, 1, job->state, job->first_step + number / job->pass_count);
    if ((into->pass.stages & VXE_STAGE_RESIZE) && vxe_model_resizes(job->workspace->model)) {
        vxe_model_clock(job->workspace->model, into->pass.end, into->clock);
    }
}

/* The workspace as a thread sees it: damping data go to a ring of its own. */
static vxe_workspace thread_view(const vxe_workspace *workspace, uint32_t thread)
{
    vxe_workspace view = *workspace;
    vxe_kernel_arrays *arrays = &view.arrays;
    const vxe_wavefront *wavefront = &workspace->wavefront;
    const uint64_t chunks = (uint64_t)thread * wavefront->window_chunks;
    const uint32_t bytes = vxe_real_bytes(workspace->model->precision);
    for (int c = 0; c < 6 && chunks > 0; c++) {
        const uint64_t ahead = chunks * workspace->model->chunks.chunk_slots * bytes;
        arrays->kept[c] = (char *)arrays->kept[c] + ahead;
        arrays->middle[c] = arrays->middle[c] ? (char *)arrays->middle[c] + ahead : NULL;
    }
    for (int axis = 0; axis < 3 && chunks > 0; axis++) {
        arrays->geometry[axis] = (char *)arrays->geometry[axis] +
                                 chunks * wavefront->window_vectors[axis] * 6 * VXE_VECTOR * bytes;
    }
    return view;
}

/* Sets the place of a chunk's damping data in the ring, where only those of some chunks are
   kept. */
static void place_in_window(vxe_workspace *workspace, const vxe_partition *partition,
                            const vxe_pass *pass, uint32_t chunk)
{
    VXE_ASSERT(chunk < workspace->model->chunks.chunk_count);
    const vxe_chunks *chunks = &workspace->model->chunks;
    const uint32_t place = chunk % workspace->wavefront.window_chunks;
    workspace->arrays.kept_first = chunks->chunk_first[chunk] - place * chunks->chunk_slots;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const uint32_t *first = vxe_partition_is_packed(workspace, partition, pass, axis)
                                    ? workspace->arrays.packed[axis].first
                                    : chunks->vector_first[axis];
        workspace->arrays.geometry_first[axis] =
            first[chunk] - place * workspace->wavefront.window_vectors[axis];
    }
}

/* Waits until the thread of the previous stage has done every chunk that this chunk's bonds
   reach, and one more, which is being fetched meanwhile. */
static bool wait_for_previous(const wavefront_job *job, uint64_t stage, uint32_t chunk,
                              const vxe_parallel_mark *ahead)
{
    const uint64_t chunks = job->workspace->model->chunks.chunk_count;
    const uint64_t needed = chunk + job->workspace->wavefront.lag + 2ull;
    const uint64_t further = needed + job->workspace->wavefront.extra_lag;
    const uint64_t before = (stage - 1) * chunks;
    return vxe_parallel_wait_for(ahead, before + (needed < chunks ? needed : chunks),
                                 before + (further < chunks ? further : chunks), &job->stop);
}

/* Copies a chunk as it is before a block of steps. */
static void keep_chunk(vxe_wavefront *wavefront, const vxe_workspace *workspace, uint32_t chunk)
{
    const vxe_chunks *chunks = &workspace->model->chunks;
    const bool last = chunk + 1 == chunks->chunk_count;
    vxe_state_copy_slots(&wavefront->before, workspace->state, chunks->chunk_first[chunk],
                         last ? workspace->model->slots : chunks->chunk_first[chunk + 1]);
}

/* The stages of a job that one thread has. */
typedef struct wavefront_part {
    uint32_t thread, threads; /* the thread has the stages thread, thread + threads, ... */
    uint64_t stages;
} wavefront_part;

/* Begins the passes of a stage; returns their number. */
static uint32_t begin_flights(const wavefront_job *job, const wavefront_part *part, uint64_t stage,
                              vxe_pass_in_flight *in_flight, flight flights[MAX_PASSES_IN_FLIGHT])
{
    VXE_ASSERT(stage < part->stages &&
               (stage + 1) * job->total / part->stages - stage * job->total / part->stages <=
                   MAX_PASSES_IN_FLIGHT);
    const uint64_t first = stage * job->total / part->stages;
    const uint64_t last = (stage + 1) * job->total / part->stages;
    for (uint64_t number = first; number < last; number++) {
        begin_flight(job, number, &flights[number - first]);
        in_flight[number - first].sums.upper_first = 0;
    }
    return (uint32_t)(last - first);
}

/* Runs a stage: some passes, each `lag` chunks behind the one before. */
static bool run_stage(wavefront_job *job, vxe_partition *partition, uint64_t stage,
                      const wavefront_part *part)
{
    vxe_workspace view = thread_view(job->workspace, part->thread);
    vxe_wavefront *wavefront = &job->workspace->wavefront;
    const uint32_t chunks = view.model->chunks.chunk_count;
    vxe_pass_in_flight *in_flight =
        &wavefront->in_flight[(uint64_t)part->thread * wavefront->depth];
    flight flights[MAX_PASSES_IN_FLIGHT];
    const uint32_t count = begin_flights(job, part, stage, in_flight, flights);
    VXE_ASSERT(count >= 1 && count <= wavefront->depth && part->thread < part->threads);
    const uint32_t behind = (count - 1) * wavefront->lag;
    const vxe_parallel_mark *ahead =
        &wavefront->marks[(part->thread + part->threads - 1) % part->threads];
    for (uint32_t at = 0; at < chunks + behind; at++) {
        if (part->threads > 1 && stage > 0 && !wait_for_previous(job, stage, at, ahead)) {
            return false;
        }
        if (at < chunks) {
            vxe_prefetch_begin(&partition->prefetch, job->workspace, at, chunks);
            if (stage == 0 && job->keeps) {
                keep_chunk(wavefront, &view, at);
            }
        }
        for (uint32_t k = 0; k < count && k * wavefront->lag <= at; k++) {
            const uint32_t chunk = at - k * wavefront->lag;
            if (chunk < chunks) {
                if (wavefront->window_chunks > 0) {
                    place_in_window(&view, partition, &flights[k].pass, chunk);
                }
                vxe_partition_chunk(&view, partition, &in_flight[k].sums, &flights[k].pass, chunk,
                                    flights[k].clock);
            }
        }
        if (at >= behind) {
            vxe_parallel_reach(&wavefront->marks[part->thread], stage * chunks + at - behind + 1);
        }
    }
    return true;
}

void vxe_wavefront_step(vxe_workspace *workspace, const vxe_pass *passes, uint32_t count)
{
    VXE_ASSERT(count >= 1 && count <= workspace->wavefront.depth);
    wavefront_job job = {.workspace = workspace,
                         .state = workspace->state,
                         .passes = passes,
                         .pass_count = count,
                         .first_step = passes[0].number,
                         .total = count};
    vxe_partition *whole = &workspace->wavefront.whole[0];
    vxe_failure *failure = &workspace->partitions[0].failure[passes[0].number & 1];
    whole->failure[passes[0].number & 1] = *failure;
    run_stage(&job, whole, 0, &(wavefront_part){.threads = 1, .stages = 1});
    *failure = whole->failure[passes[0].number & 1];
}

static bool has_failed(const vxe_partition *partition)
{
    return partition->failure[0].kind || partition->failure[1].kind;
}

/* Number of stages of a job: as few as possible, but equally many for each thread; with damping
   iterations one for each step. */
static uint64_t count_stages(const wavefront_job *job, uint32_t threads)
{
    const vxe_wavefront *wavefront = &job->workspace->wavefront;
    const uint64_t fewest = (job->total + wavefront->depth - 1) / wavefront->depth;
    const uint64_t even = (fewest + threads - 1) / threads * threads;
    return wavefront->window_chunks > 0 || even > job->total ? fewest : even;
}

static void run_stages(void *context, uint32_t thread, uint32_t threads)
{
    wavefront_job *job = context;
    vxe_partition *partition = &job->workspace->wavefront.whole[thread];
    const wavefront_part part = {thread, threads, count_stages(job, threads)};
    for (uint64_t stage = thread; stage < part.stages; stage += threads) {
        if (!run_stage(job, partition, stage, &part)) {
            return;
        }
        if (has_failed(partition)) {
            vxe_parallel_end(&job->stop);
            return;
        }
    }
}

/* Begins a block: no thread has done anything yet, and nothing has failed. The first pass copies
   the chunks as they were. */
static void begin_block(vxe_workspace *workspace, uint32_t threads)
{
    vxe_wavefront *wavefront = &workspace->wavefront;
    vxe_state_copy_beside(&wavefront->before, workspace->state);
    for (uint32_t t = 0; t < threads; t++) {
        vxe_parallel_reach(&wavefront->marks[t], 0);
        memset(wavefront->whole[t].failure, 0, sizeof wavefront->whole[t].failure);
    }
}

/* Restores the state before a block that failed. */
static void undo_block(vxe_workspace *workspace)
{
    vxe_wavefront *wavefront = &workspace->wavefront;
    const uint64_t bytes =
        6ull * workspace->upper_capacity * vxe_real_bytes(workspace->model->precision);
    vxe_state_copy(workspace->state, &wavefront->before);
    for (uint32_t i = 0; i < wavefront->count; i++) {
        memset(wavefront->in_flight[i].upper_block, 0, bytes);
    }
    vxe_workspace_resize(workspace, vxe_state_time(workspace->state));
}

uint64_t vxe_wavefront_steps(vxe_workspace *workspace, vxe_state *state, const vxe_pass *passes,
                             uint32_t count, uint64_t steps)
{
    VXE_ASSERT(count >= 1 && workspace->state == state);
    uint64_t done = 0;
    const uint64_t fewest = workspace->wavefront.window_chunks ? MIN_ITERATED_STEPS : MIN_STEPS;
    while (workspace->wavefront.spans_steps && steps - done >= fewest) {
        const uint64_t block = steps - done < BLOCK_STEPS ? steps - done : BLOCK_STEPS;
        wavefront_job job = {.workspace = workspace,
                             .state = state,
                             .passes = passes,
                             .pass_count = count,
                             .first_step = state->step,
                             .total = block * count,
                             .keeps = true};
        begin_block(workspace, workspace->partition_count);
        vxe_parallel_run(workspace->partition_count, run_stages, &job);
        for (uint32_t t = 0; t < workspace->partition_count; t++) {
            if (has_failed(&workspace->wavefront.whole[t])) {
                undo_block(workspace);
                return done;
            }
        }
        state->step += block;
        done += block;
    }
    return done;
}
