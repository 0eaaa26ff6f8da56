/* SPDX-License-Identifier: MIT */
/* A group of robots forwards and backwards. Forwards, a state is kept at the start of every
   segment. Backwards, segments are run again from the last one on, with every state kept, and
   reversed. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/gradient/gradient_data.h"

/* Steps of a segment, at least and at most; and bytes of its states, which nearer caches hold. */
#define SHORTEST 8u
#define LONGEST 64u
#define SEGMENT_BYTES (4ull << 20)
/* Steps whose sums stay in the precision of kernels. They end at the same steps whatever the length
   of segments, so that bits do not depend on memory, lanes and batch neighbours. */
#define SUMMED_STEPS 64u
/* Bytes of the states that a group keeps, where the definition does not say. */
#define USUAL_MEMORY (1ull << 30)

/* Sums of a line through the logarithm of the size of adjoints over time. */
typedef struct adjoint_growth {
    double count, t, t2, l, tl;
} adjoint_growth;

/* A group, and the memory of its run. V: voxels of the union. */
struct vxe_gradient_group {
    vxe_gradient *gradient;
    vxe_gradient_robot *robots[VXE_MAX_LANES]; /* (count) by lane */
    uint32_t count;
    vxe_lanes *lanes;
    uint32_t width;        /* lanes of a vector */
    uint64_t state_bytes;  /* of a state of the group */
    uint64_t segment;      /* steps between two states that are kept of the run forwards */
    char *kept;            /* (segments) states at their starts */
    char *states;          /* (segment + 1) states of a segment */
    uint32_t iterations;   /* of damping */
    uint64_t tape_numbers; /* VXE_TAPE_... */
    vxe_reals *tape;       /* (segment, V, tape_numbers, lanes) */
    uint8_t *touching;     /* (segment, V) */
    double *clock;         /* (VXE_CLOCK_NUMBERS, lanes) */
    vxe_reals *sources;    /* (6, lanes) */
    vxe_reals *keeps;      /* (lanes) */
    vxe_reals *adjoint;    /* (V, VXE_ADJOINT_NUMBERS, lanes) */
    vxe_reals *moves;      /* (V, 6, lanes) */
    vxe_reals *changes;    /* (lanes) of branches, in SUMMED_STEPS */
    double *by_load;       /* (V, 3, lanes) */
    double *by_wave;       /* (V, 2, lanes) */
    vxe_reals *by_bond;    /* (V, 3, VXE_BOND_SLOPES, lanes) sums of SUMMED_STEPS; null, as the
                              next, where nothing asks for them */
    vxe_reals *by_voxel;   /* (V, VXE_VOXEL_SLOPES, lanes) */
    vxe_reals *within;     /* as in vxe_reverse_step; null, as the next, without iterations */
    vxe_reals *middle;
    vxe_reals *force;
    adjoint_growth growth[VXE_MAX_LANES];
};

/* States of a run of so many steps in segments of such a length. */
static uint64_t states_of(uint64_t steps, uint64_t segment)
{
    return (steps + segment - 1) / segment + segment + 1;
}

/* Steps of a segment: what nearer caches hold, and more where the states that are kept would take
   too much memory, down to the fewest that there can be. Bits do not depend on it. */
static uint64_t segment_of(const vxe_gradient_group *run)
{
    const vxe_gradient_def *def = &run->gradient->def;
    const uint64_t memory = def->memory > 0 ? def->memory : USUAL_MEMORY;
    uint64_t segment = SEGMENT_BYTES / run->state_bytes;
    segment = segment < SHORTEST ? SHORTEST : segment > LONGEST ? LONGEST : segment;
    while (states_of(def->steps, segment) > memory / run->state_bytes &&
           states_of(def->steps, 2 * segment) < states_of(def->steps, segment)) {
        segment *= 2;
    }
    return segment;
}

void vxe_gradient_group_destroy(vxe_gradient_group *run)
{
    vxe_memory_release(run->tape);
    vxe_memory_release(run->touching);
    vxe_memory_release(run->clock);
    vxe_memory_release(run->sources);
    vxe_memory_release(run->keeps);
    vxe_memory_release(run->adjoint);
    vxe_memory_release(run->moves);
    vxe_memory_release(run->changes);
    vxe_memory_release(run->by_load);
    vxe_memory_release(run->by_wave);
    vxe_memory_release(run->by_bond);
    vxe_memory_release(run->by_voxel);
    vxe_memory_release(run->within);
    vxe_memory_release(run->middle);
    vxe_memory_release(run->force);
    if (run->lanes) {
        vxe_lanes_clear(run->lanes);
    }
    vxe_memory_release(run->lanes);
    vxe_memory_release(run);
}

/* The memory for states; larger than before where that is too small. */
static vxe_status take_states(vxe_gradient_group *run, vxe_gradient_store *store, vxe_error *error)
{
    const uint64_t count = states_of(run->gradient->def.steps, run->segment);
    const uint64_t size = count * run->state_bytes;
    if (store->size < size) {
        vxe_memory_release(store->data);
        store->data = vxe_memory_take_huge(count, run->state_bytes);
        store->size = store->data ? size : 0;
    }
    if (!store->data) {
        return vxe_error_memory(error, size);
    }
    run->states = store->data;
    run->kept = store->data + (run->segment + 1) * run->state_bytes;
    return VXE_OK;
}

static vxe_status take(vxe_gradient_group *run, vxe_gradient_store *store, vxe_error *error)
{
    const uint64_t vector = vxe_lanes_vector_bytes(run->lanes);
    const uint64_t voxels = run->lanes->group.voxels;
    const uint64_t width = run->width;
    run->state_bytes = VXE_LANE_FIELDS * voxels * vector;
    run->segment = segment_of(run);
    run->iterations = run->robots[0]->simulation.plan.damping_iterations;
    run->tape_numbers = run->iterations > 0 ? VXE_TAPE_ITERATED : VXE_TAPE_EXPLICIT;
    run->tape = vxe_memory_take(run->segment * voxels * run->tape_numbers, vector);
    run->touching = vxe_memory_take(run->segment, voxels);
    run->clock = vxe_memory_take(VXE_CLOCK_NUMBERS * width, sizeof *run->clock);
    run->sources = vxe_memory_take(6, vector);
    run->keeps = vxe_memory_take(1, vector);
    run->adjoint = vxe_memory_take(VXE_ADJOINT_NUMBERS * voxels, vector);
    run->moves = vxe_memory_take(6 * voxels, vector);
    run->changes = vxe_memory_take(1, vector);
    run->by_load = vxe_memory_take(3 * voxels * width, sizeof *run->by_load);
    run->by_wave = vxe_memory_take(2 * voxels * width, sizeof *run->by_wave);
    bool complete = run->tape && run->touching && run->clock && run->sources && run->keeps &&
                    run->adjoint && run->moves && run->changes && run->by_load && run->by_wave;
    if (vxe_gradient_needs_slopes(run->gradient)) {
        run->by_bond = vxe_memory_take(3 * VXE_BOND_SLOPES * voxels, vector);
        run->by_voxel = vxe_memory_take(VXE_VOXEL_SLOPES * voxels, vector);
        complete = complete && run->by_bond && run->by_voxel;
    }
    if (run->iterations > 0) {
        run->within = vxe_memory_take(VXE_ITERATION_NUMBERS * voxels, vector);
        run->middle = vxe_memory_take(6 * voxels * run->iterations, vector);
        run->force = vxe_memory_take(6 * voxels, vector);
        complete = complete && run->within && run->middle && run->force;
    }
    return complete ? take_states(run, store, error)
                    : vxe_error_memory(error, run->segment * voxels * vector);
}

/* Where a run is next looked at: at a sample or the start of a segment. */
static uint64_t next_look(const vxe_gradient_group *run, uint64_t step)
{
    const vxe_gradient *gradient = run->gradient;
    const uint64_t every = gradient->def.sample_every;
    const uint64_t segment = (step / run->segment + 1) * run->segment;
    const uint64_t sample = every > 0 ? (step / every + 1) * every : gradient->def.steps;
    const uint64_t next = segment < sample ? segment : sample;
    return next < gradient->def.steps ? next : gradient->def.steps;
}

/* The sample of a step, or VXE_NONE. */
static uint32_t sample_at(const vxe_gradient *gradient, uint64_t step)
{
    const uint64_t every = gradient->def.sample_every;
    if (step == gradient->def.steps) {
        return gradient->sample_count - 1;
    }
    const bool sampled = every > 0 ? step % every == 0 : step == 0;
    return sampled ? (uint32_t)(every > 0 ? step / every : 0) : VXE_NONE;
}

static void take_samples(vxe_gradient_group *run, uint64_t step)
{
    const uint32_t sample = sample_at(run->gradient, step);
    for (uint32_t i = 0; i < run->count && sample != VXE_NONE; i++) {
        vxe_gradient_robot *robot = run->robots[i];
        vxe_gradient_sample *into = &robot->samples[sample];
        vxe_lanes_store_one(run->lanes, i);
        into->time = vxe_state_time(&robot->simulation.state);
        vxe_simulation_center(&robot->simulation, into->center, into->velocity);
    }
}

/* The robots that failed, or have numbers that are not finite, leave their lanes. */
static void leave(vxe_gradient_group *run)
{
    for (uint32_t i = 0; i < run->count; i++) {
        vxe_gradient_robot *robot = run->robots[i];
        vxe_lanes_store_one(run->lanes, i);
        if (run->lanes->robot[i] &&
            (robot->simulation.failure.kind ||
             !vxe_state_is_finite(&robot->simulation.state,
                                  robot->simulation.model.topology.voxel_count))) {
            vxe_simulation_diverged(&robot->simulation, &robot->error);
            vxe_lanes_release(run->lanes, &robot->robot);
        }
    }
}

static bool any_left(const vxe_gradient_group *run)
{
    bool left = false;
    for (uint32_t i = 0; i < run->count; i++) {
        left = left || run->lanes->robot[i];
    }
    return left;
}

void vxe_gradient_group_forwards(vxe_gradient_group *run, bool asks)
{
    vxe_gradient *gradient = run->gradient;
    uint64_t step = 0;
    take_samples(run, 0);
    while (step < gradient->def.steps && any_left(run) && vxe_gradient_goes_on(gradient, asks)) {
        if (step % run->segment == 0) {
            memcpy(run->kept + step / run->segment * run->state_bytes, run->lanes->group.state,
                   run->state_bytes);
        }
        const uint64_t to = next_look(run, step);
        while (step < to && any_left(run)) {
            const uint64_t done = vxe_lanes_run(run->lanes, to - step);
            step += done;
            if (step < to || step == gradient->def.steps) {
                leave(run);
            }
        }
        take_samples(run, step);
    }
}

static bool all_finite(const double *numbers, uint64_t count)
{
    bool finite = true;
    for (uint64_t i = 0; i < count; i++) {
        finite = finite && isfinite(numbers[i]);
    }
    return finite;
}

/* Looks at what the objective said of a robot. */
static void check_answer(vxe_gradient_robot *robot, uint32_t number, uint32_t count)
{
    bool finite = true;
    for (uint32_t i = 0; i < count; i++) {
        const vxe_gradient_sample *weight = &robot->weights[i];
        finite = finite && all_finite(weight->center, 3) && all_finite(weight->velocity, 3);
    }
    if (!isfinite(robot->value)) {
        vxe_error_fill(&robot->error, VXE_ERROR_ARGUMENT,
                       "robot %u: the objective is %g, which is no finite number", number,
                       robot->value);
    } else if (!finite) {
        vxe_error_fill(&robot->error, VXE_ERROR_ARGUMENT,
                       "robot %u: a weight of the objective is no finite number", number);
    }
}

/* Asks the objective of the robots that got to their ends. One of which it says no numbers has no
   gradient, and leaves its lane. */
void vxe_gradient_group_ask(vxe_gradient_group *run, vxe_objective objective, void *user)
{
    const uint32_t count = run->gradient->sample_count;
    for (uint32_t i = 0; i < run->count; i++) {
        vxe_gradient_robot *robot = run->robots[i];
        if (run->lanes->robot[i]) {
            const uint32_t number = (uint32_t)(robot - run->gradient->robots);
            memset(robot->weights, 0, count * sizeof *robot->weights);
            robot->value = objective(user, number, robot->samples, count, robot->weights);
            check_answer(robot, number, count);
            if (robot->error.status) {
                vxe_lanes_release(run->lanes, &robot->robot);
            }
        }
    }
}

/* Sets what the objective adds to the adjoints at a step. */
static void set_sources(vxe_gradient_group *run, uint64_t step)
{
    const uint32_t sample = sample_at(run->gradient, step);
    for (uint32_t i = 0; i < run->count; i++) {
        const vxe_gradient_robot *robot = run->robots[i];
        const vxe_precision precision = run->gradient->kernels->precision;
        for (uint32_t c = 0; c < 6; c++) {
            const vxe_gradient_sample *w = &robot->weights[sample == VXE_NONE ? 0 : sample];
            const double by = c < 3 ? w->center[c] : w->velocity[c - 3];
            const bool acts = sample != VXE_NONE && run->lanes->robot[i];
            vxe_real_put(precision, run->sources, (uint64_t)c * run->width + i,
                         acts ? by / robot->simulation.model.total_mass : 0);
        }
    }
}

/* Sets the clock of all lanes to the start of a step. */
static void set_clock(vxe_gradient_group *run, uint64_t step)
{
    for (uint32_t i = 0; i < run->count; i++) {
        double now[VXE_CLOCK_NUMBERS];
        const vxe_simulation *simulation = &run->robots[i]->simulation;
        vxe_model_clock(&simulation->model, vxe_state_time_at(&simulation->state, step), now);
        for (uint32_t c = 0; c < VXE_CLOCK_NUMBERS; c++) {
            run->clock[c * run->width + i] = now[c];
        }
    }
}

/* Goes back to the start of a segment, in the robots that are left. */
static void go_back(vxe_gradient_group *run, uint64_t first)
{
    memcpy(run->lanes->group.state, run->kept + first / run->segment * run->state_bytes,
           run->state_bytes);
    for (uint32_t i = 0; i < run->count; i++) {
        if (run->lanes->robot[i]) {
            run->robots[i]->simulation.state.step = first;
        }
    }
}

/* Runs a segment again, with all that its reverse needs. */
static void run_again(vxe_gradient_group *run, uint64_t first, uint64_t last)
{
    const vxe_lane_group *group = &run->lanes->group;
    const uint64_t vector = vxe_lanes_vector_bytes(run->lanes);
    go_back(run, first);
    for (uint64_t step = first; step < last; step++) {
        const uint64_t at = step - first;
        memcpy(run->states + at * run->state_bytes, group->state, run->state_bytes);
        const uint64_t done = vxe_lanes_run(run->lanes, 1);
        VXE_ASSERT(done == 1);
        (void)done;
        memcpy(run->touching + at * group->voxels, group->touching, group->voxels);
        const uint64_t from = run->iterations > 0 ? 0 : VXE_LANE_IMPULSE;
        for (uint64_t v = 0; v < group->voxels; v++) {
            memcpy((char *)run->tape + (at * group->voxels + v) * run->tape_numbers * vector,
                   (const char *)group->carried + (v * group->carried_numbers + from) * vector,
                   run->tape_numbers * vector);
        }
    }
    memcpy(run->states + (last - first) * run->state_bytes, group->state, run->state_bytes);
}

/* Adds what the masses of voxels get by the means of a sample; at: of its state in the segment. */
static void add_samples_masses(vxe_gradient_group *run, uint64_t at, uint64_t step)
{
    const uint32_t sample = sample_at(run->gradient, step);
    if (sample == VXE_NONE) {
        return;
    }
    memcpy(run->lanes->group.state, run->states + at * run->state_bytes, run->state_bytes);
    for (uint32_t i = 0; i < run->count; i++) {
        vxe_gradient_robot *robot = run->robots[i];
        if (run->lanes->robot[i]) {
            vxe_lanes_store_one(run->lanes, i);
            vxe_gradient_add_sample_masses(robot, sample);
        }
    }
}

/* Reverses a step of a segment that was run again. */
static void reverse(vxe_gradient_group *run, uint64_t first, uint64_t step)
{
    const vxe_lane_group *group = &run->lanes->group;
    const uint64_t at = step - first;
    set_sources(run, step + 1);
    set_clock(run, step);
    const vxe_reverse_step one = {
        .group = group,
        .law = run->lanes->passes[0].law,
        .now = (const vxe_reals *)(run->states + at * run->state_bytes),
        .next = (const vxe_reals *)(run->states + (at + 1) * run->state_bytes),
        .tape = vxe_lanes_vectors_at(run->lanes, run->tape, at * group->voxels * run->tape_numbers),
        .touching = run->touching + at * group->voxels,
        .sources = run->sources,
        .keeps = run->keeps,
        .clock = run->clock,
        .adjoint = run->adjoint,
        .moves = run->moves,
        .changes = run->changes,
        .by_load = run->by_load,
        .by_wave = run->by_wave,
        .by_bond = run->by_bond,
        .by_voxel = run->by_voxel,
        .iterations = run->iterations,
        .kicks = run->lanes->kicks,
        .within = run->within,
        .middle = run->middle,
        .force = run->force};
    const vxe_reverse_kernels *kernels = vxe_reverse_kernels_of(run->gradient->kernels);
    if (run->iterations > 0) {
        vxe_reverse_iterations_of(run->gradient->kernels)->reverse(&one);
    } else if (run->by_bond) {
        add_samples_masses(run, at + 1, step + 1);
        kernels->reverse_with_slopes(&one);
    } else {
        kernels->reverse(&one);
    }
    kernels->add_parameters(&one);
}

/* Notes the size of the adjoints at a step, and the branches that changed since the last note. */
static void note_facts(vxe_gradient_group *run, uint64_t step)
{
    const vxe_precision precision = run->gradient->kernels->precision;
    for (uint32_t i = 0; i < run->count; i++) {
        vxe_gradient_robot *robot = run->robots[i];
        const uint32_t voxels = robot->simulation.model.topology.voxel_count;
        const double t = (double)step * robot->simulation.plan.time_step;
        double sum = 0;
        for (uint32_t slot = 0; slot < voxels && run->lanes->robot[i]; slot++) {
            const uint64_t vector =
                (uint64_t)VXE_ADJOINT_NUMBERS * run->lanes->place[i][slot] + VXE_ADJOINT_V;
            for (uint32_t c = 0; c < 3; c++) {
                const double lv =
                    vxe_real_at(precision, run->adjoint, (vector + c) * run->width + i);
                sum += lv * lv;
            }
        }
        adjoint_growth *g = &run->growth[i];
        if (sum > 0) {
            const double size = 0.5 * log(sum);
            *g = (adjoint_growth){g->count + 1, g->t + t, g->t2 + t * t, g->l + size,
                                  g->tl + t * size};
        }
        robot->facts.branch_changes += (uint64_t)vxe_real_at(precision, run->changes, i);
        vxe_real_put(precision, run->changes, i, 0);
    }
}

/* Moves the sums of kernels to the robots. */
static void move_slopes(vxe_gradient_group *run)
{
    const vxe_precision precision = run->gradient->kernels->precision;
    const uint64_t voxels = run->lanes->group.voxels;
    const uint64_t vector = vxe_lanes_vector_bytes(run->lanes);
    enum { OF_BONDS = 3 * VXE_BOND_SLOPES };
    for (uint32_t i = 0; i < run->count; i++) {
        vxe_gradient_robot *robot = run->robots[i];
        const uint32_t slots = robot->simulation.model.topology.voxel_count;
        for (uint32_t slot = 0; slot < slots && run->lanes->robot[i]; slot++) {
            const uint64_t at = run->lanes->place[i][slot];
            for (uint64_t n = 0; n < OF_BONDS; n++) {
                robot->of_bonds[OF_BONDS * slot + n] +=
                    vxe_real_at(precision, run->by_bond, (OF_BONDS * at + n) * run->width + i);
            }
            for (uint64_t n = 0; n < VXE_VOXEL_SLOPES; n++) {
                robot->of_voxels[VXE_VOXEL_SLOPES * slot + n] += vxe_real_at(
                    precision, run->by_voxel, (VXE_VOXEL_SLOPES * at + n) * run->width + i);
            }
        }
    }
    memset(run->by_bond, 0, OF_BONDS * voxels * vector);
    memset(run->by_voxel, 0, VXE_VOXEL_SLOPES * voxels * vector);
}

/* The slope of the line, towards the start. */
static double growth_of(const adjoint_growth *g)
{
    const double spread = g->count * g->t2 - g->t * g->t;
    return spread > 0 ? (g->t * g->l - g->count * g->tl) / spread : 0;
}

/* Reverses the steps of a segment, the last one first. */
static void reverse_segment(vxe_gradient_group *run, uint64_t first, uint64_t last, bool asks)
{
    for (uint64_t step = last; step > first && vxe_gradient_goes_on(run->gradient, asks);) {
        reverse(run, first, --step);
        if (step % SUMMED_STEPS == 0) {
            note_facts(run, step);
        }
        if (step % SUMMED_STEPS == 0 && run->by_bond) {
            move_slopes(run);
        }
    }
}

static void reverse_all(vxe_gradient_group *run, bool asks)
{
    const double forget = run->gradient->def.forget;
    for (uint32_t i = 0; i < run->count; i++) {
        const double h = run->robots[i]->simulation.plan.time_step;
        vxe_real_put(run->gradient->kernels->precision, run->keeps, i,
                     forget > 0 ? vxe_exponential(-h / forget) : 1);
        vxe_gradient_clear_slopes(run->robots[i]);
    }
    for (uint64_t last = run->gradient->def.steps;
         last > 0 && vxe_gradient_goes_on(run->gradient, asks);) {
        const uint64_t first = (last - 1) / run->segment * run->segment;
        run_again(run, first, last);
        reverse_segment(run, first, last, asks);
        last = first;
    }
}

/* Copies what a lane's robot has got into its gradients. */
static void write_gradients(const vxe_gradient_group *run, uint32_t lane)
{
    vxe_gradient_robot *robot = run->robots[lane];
    const vxe_model *model = &robot->simulation.model;
    const vxe_precision precision = run->gradient->kernels->precision;
    const uint32_t voxels = robot->design->voxel_count;
    const vxe_gradient_sample *first = &robot->weights[0]; /* of the start itself */
    for (uint32_t v = 0; v < voxels; v++) {
        const uint32_t slot = model->topology.place[v];
        const uint64_t at = run->lanes->place[lane][slot];
        const double part = vxe_real_at(precision, model->arrays.mass, slot) / model->total_mass;
        for (uint32_t c = 0; c < 3; c++) {
            robot->by[VXE_BY_LOAD][3 * v + c] = run->by_load[(3 * at + c) * run->width + lane];
        }
        for (uint32_t c = 0; c < 12; c++) {
            const double at_start = c < 3             ? part * first->center[c]
                                    : c >= 6 && c < 9 ? part * first->velocity[c - 6]
                                                      : 0;
            const uint64_t vector = VXE_ADJOINT_NUMBERS * at + VXE_ADJOINT_PLACE + c;
            robot->by[VXE_BY_START][12 * v + c] =
                at_start + vxe_real_at(precision, run->adjoint, vector * run->width + lane);
        }
        const double *wave = run->by_wave + 2 * at * run->width + lane;
        vxe_gradient_chain_wave(robot, v, wave[0], wave[run->width]);
    }
    if (robot->of_bonds) {
        vxe_lanes_store_one(run->lanes, lane);
        vxe_gradient_add_sample_masses(robot, 0);
        vxe_gradient_chain_materials(robot);
    }
    robot->facts.growth = growth_of(&run->growth[lane]);
}

/* Where adjoints grew beyond all numbers there is no gradient. */
static void check_gradients(vxe_gradient_robot *robot, uint32_t number)
{
    bool finite = true;
    for (uint32_t by = 0; by < VXE_GRADIENT_BYS; by++) {
        const uint64_t each = vxe_gradient_numbers((vxe_gradient_by)by);
        finite = finite && all_finite(robot->by[by], each * robot->design->voxel_count);
    }
    if (!finite) {
        vxe_error_fill(&robot->error, VXE_ERROR_ARGUMENT,
                       "robot %u: its adjoints grew beyond all numbers: forget, or run fewer steps",
                       number);
        robot->facts = (vxe_gradient_facts){0};
    }
}

void vxe_gradient_group_backwards(vxe_gradient_group *run, bool asks)
{
    if (any_left(run)) {
        reverse_all(run, asks);
        memcpy(run->lanes->group.state, run->kept, run->state_bytes);
    }
    for (uint32_t i = 0; i < run->count; i++) {
        if (run->lanes->robot[i]) {
            write_gradients(run, i);
            check_gradients(run->robots[i], (uint32_t)(run->robots[i] - run->gradient->robots));
        } else {
            run->robots[i]->facts = (vxe_gradient_facts){0};
        }
    }
}

vxe_gradient_group *vxe_gradient_group_create(vxe_gradient *gradient, vxe_gradient_store *store,
                                              vxe_gradient_robot *const *robots, uint32_t count,
                                              vxe_error *error)
{
    vxe_robot *loaded[VXE_MAX_LANES];
    vxe_gradient_group *run = vxe_memory_take(1, sizeof *run);
    vxe_lanes *lanes = vxe_memory_take(1, sizeof *lanes);
    if (!run || !lanes) {
        vxe_memory_release(run);
        vxe_memory_release(lanes);
        vxe_error_memory(error, sizeof *run + sizeof *lanes);
        return NULL;
    }
    run->gradient = gradient;
    run->count = count;
    run->lanes = lanes;
    run->width = vxe_lane_kernels_of(gradient->kernels)->lanes;
    for (uint32_t i = 0; i < count; i++) {
        run->robots[i] = robots[i];
        loaded[i] = &robots[i]->robot;
    }
    vxe_status status = vxe_lanes_init(lanes, gradient->kernels, error);
    status = status ? status : vxe_lanes_load(lanes, loaded, count, error);
    status = status ? status : take(run, store, error);
    if (status) {
        vxe_gradient_group_destroy(run);
    }
    return status ? NULL : run;
}

VXE_KERNELS_BY_PRECISION(vxe_reverse_kernels)
VXE_KERNELS_BY_PRECISION(vxe_reverse_iterations)
