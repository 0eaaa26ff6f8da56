/* SPDX-License-Identifier: MIT */
/* A group of robots backwards: segments are run again from the last one on, with every state kept,
   and reversed; then what robots have got is copied. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/gradient/gradient_data.h"

/* Steps whose sums stay in the precision of kernels. They end at the same steps whatever the length
   of segments, so that bits do not depend on memory, lanes and batch neighbours. */
#define SUMMED_STEPS 64u

/* Sets what the objective adds to the adjoints at a step. */
static void set_sources(vxe_gradient_group *run, uint64_t step)
{
    const uint32_t sample = vxe_gradient_sample_at(run->gradient, step);
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
    vxe_gradient_recall_contacts(run, first);
}

/* Runs a segment again, with all that its reverse needs. */
static void run_again(vxe_gradient_group *run, uint64_t first, uint64_t last)
{
    const vxe_lane_group *group = &run->lanes->group;
    const uint64_t vector = vxe_lanes_vector_bytes(run->lanes);
    go_back(run, first);
    for (uint64_t step = first; step < last; step++) {
        const uint64_t at = step - first;
        vxe_gradient_put_targets(run, step, step == first);
        if (step == first) { /* the start of a run has not been sized */
            vxe_lanes_resize(run->lanes);
        }
        memcpy(run->states + at * run->state_bytes, group->state, run->state_bytes);
        const uint64_t done = vxe_lanes_run(run->lanes, 1);
        VXE_ASSERT(done == 1);
        (void)done;
        vxe_gradient_note_contacts(run, at + 1);
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
    const uint32_t sample = vxe_gradient_sample_at(run->gradient, step);
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
    vxe_reverse_step one = {
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
        .by_growth = run->by_growth,
        .by_frequency = run->gradient->def.by >> VXE_BY_FREQUENCY & 1,
        .by_bond = run->by_bond,
        .by_voxel = run->by_voxel,
        .iterations = run->iterations,
        .kicks = run->lanes->kicks,
        .within = run->within,
        .middle = run->middle,
        .force = run->force};
    const vxe_reverse_kernels *kernels = vxe_reverse_kernels_of(run->gradient->kernels);
    vxe_gradient_show_contacts(run, at, step, &one);
    if (run->iterations > 0) {
        vxe_reverse_iterations_of(run->gradient->kernels)->reverse(&one);
    } else if (run->by_bond) {
        add_samples_masses(run, at + 1, step + 1);
        kernels->reverse_with_slopes(&one);
    } else {
        kernels->reverse(&one);
    }
    vxe_reverse_contacts_of(run->gradient->kernels)->reverse(&one);
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
        vxe_gradient_reverse_ticks(run, step, run->states + (step - first) * run->state_bytes);
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
         last > 0 && vxe_gradient_any_left(run) && vxe_gradient_goes_on(run->gradient, asks);) {
        const uint64_t first = (last - 1) / run->segment * run->segment;
        run_again(run, first, last);
        vxe_gradient_begin_contacts(run, last);
        reverse_segment(run, first, last, asks);
        vxe_gradient_end_contacts(run, first);
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
        double growth[VXE_GROWTH_SUMS];
        for (uint32_t c = 0; c < VXE_GROWTH_SUMS; c++) {
            growth[c] = run->by_growth[(VXE_GROWTH_SUMS * at + c) * run->width + lane];
        }
        vxe_gradient_chain_growth(robot, v, growth);
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
        finite = finite && vxe_gradient_all_finite(
                               robot->by[by], vxe_gradient_width_of(robot, (vxe_gradient_by)by));
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
    if (vxe_gradient_any_left(run)) {
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

VXE_KERNELS_BY_PRECISION(vxe_reverse_kernels)
VXE_KERNELS_BY_PRECISION(vxe_reverse_iterations)
