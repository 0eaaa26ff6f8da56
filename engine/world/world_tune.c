/* SPDX-License-Identifier: MIT */
/* Numbers of a world that its caller changes while it runs: gravity, friction, drag, and the
   actuation's wave, which goes on where it is. The model belongs to the world, and is constant in
   between. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/hash_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/world/world_data.h"

/* Bounds of a tuning: m/s^2, factors, and 1/s. */
#define MAX_GRAVITY 1e6
#define MAX_AMPLITUDE 10.0
#define MAX_FREQUENCY 100.0
#define MAX_FRICTION 1000.0
#define MAX_DRAG 1e6
/* Numbers of voxels are rounded by less than this part. */
#define ROUNDED 1e-6

vxe_tuning vxe_world_tuning(const vxe_world *world)
{
    const vxe_model *model = &world->simulation.model;
    const double *g = model->arrays.gravity;
    return (vxe_tuning){.gravity = {g[0], g[1], g[2]},
                        .amplitude = model->tuned.amplitude,
                        .frequency = model->tuned.frequency,
                        .friction = world->tuned ? world->tuned->friction : 1,
                        .drag = world->tuned ? world->tuned->drag : 0};
}

/* The part of what the step allows that a drag (1/s) takes: with explicit dashpots, h^2 lambda_k +
   2 h lambda_c < 4. The step of the plan, h, is below that of the limit, H, so that at least
   4 (1 - h/H) is left. None with damping iterations, where drag is an exact decay. */
static double drag_part(const vxe_world *world, double drag)
{
    const vxe_step_plan *plan = &world->simulation.plan;
    const double left = 1 - plan->time_step / plan->stable_step;
    return drag > 0 && plan->damping_iterations == 0 ? drag * plan->time_step / (2 * fmax(left, 0))
                                                     : 0;
}

double vxe_world_drag_part(const vxe_world *world)
{
    return drag_part(world, world->tuned ? world->tuned->drag : 0);
}

/* Refuses a drag that is too large for the present step, beside hands, which a new one may also
   leave too little room. */
static vxe_status check_stability(const vxe_world *world, const vxe_tuning *next, vxe_error *error)
{
    const double left = vxe_world_hands_leave(world);
    const double taken = drag_part(world, next->drag);
    if (left < 0) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "hands that pull are too stiff for what this wave leaves of the time "
                              "step of %g s",
                              world->simulation.plan.time_step);
    }
    return taken <= left
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                "a drag of %g 1/s is too large for the time step of %g s; "
                                "at most %g beside the hands that pull",
                                next->drag, world->simulation.plan.time_step,
                                next->drag * left / taken);
}

static bool within(double value, double max)
{
    return value >= 0 && value <= max;
}

static vxe_status check_numbers(const vxe_tuning *next, vxe_error *error)
{
    bool good = within(next->amplitude, MAX_AMPLITUDE) && within(next->frequency, MAX_FREQUENCY) &&
                within(next->friction, MAX_FRICTION) && within(next->drag, MAX_DRAG);
    for (int c = 0; c < 3; c++) {
        good = good && fabs(next->gravity[c]) <= MAX_GRAVITY;
    }
    return good ? VXE_OK
                : vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                 "a tuning needs gravity within %g m/s^2, an amplitude from 0 to "
                                 "%g, a frequency to %g, friction to %g and drag to %g 1/s",
                                 MAX_GRAVITY, MAX_AMPLITUDE, MAX_FREQUENCY, MAX_FRICTION, MAX_DRAG);
}

/* Whether bodies fall and slide otherwise. */
static bool changes_weight(const vxe_tuning *now, const vxe_tuning *next)
{
    bool changes = now->friction != next->friction;
    for (int c = 0; c < 3; c++) {
        changes = changes || now->gravity[c] != next->gravity[c];
    }
    return changes;
}

/* Refuses what the rest of the design does not allow. */
static vxe_status check(const vxe_world *world, const vxe_tuning *next, vxe_error *error)
{
    const vxe_model *model = &world->simulation.model;
    const vxe_tuning now = vxe_world_tuning(world);
    if (check_numbers(next, error)) {
        return VXE_ERROR_ARGUMENT;
    }
    if (world->affine.count > 0 || model->voxelyze) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "worlds of voxels alone can be tuned, under our own law");
    }
    if (model->particles && changes_weight(&now, next)) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "gravity and friction stay as they are beside contact models, whose "
                              "step is planned for them");
    }
    if (model->magnets && next->amplitude > 1) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "an amplitude above 1 would bring magnets nearer than planned for");
    }
    if (model->stiffening && next->drag > 0) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "a design whose stiffness changes keeps its drag");
    }
    return VXE_OK;
}

/* The arrays of the model that are tuned: coefficients of friction, and drag; null where it has
   none. */
static void find_arrays(const vxe_model *model, vxe_reals *found[VXE_TUNED_ARRAYS])
{
    const vxe_kernel_arrays *arrays = &model->arrays;
    const vxe_reals *const all[VXE_TUNED_ARRAYS] = {arrays->floor_friction[0],
                                                    arrays->floor_friction[1],
                                                    arrays->static_friction,
                                                    arrays->dynamic_friction,
                                                    arrays->drag,
                                                    arrays->spin_drag};
    for (int i = 0; i < VXE_TUNED_ARRAYS; i++) {
        found[i] = NULL;
        for (uint32_t k = 0; all[i] && k < model->voxel_arrays; k++) {
            found[i] = model->voxel[k] == all[i] ? model->voxel[k] : found[i];
        }
        VXE_ASSERT(!found[i] == !all[i]);
    }
}

/* Copies what the design says. */
static bool copy_design(vxe_tuned *tuned, const vxe_model *model)
{
    const uint64_t bytes = model->slots * vxe_real_bytes(model->precision);
    vxe_reals *from[VXE_TUNED_ARRAYS];
    bool complete = true;
    find_arrays(model, from);
    for (int i = 0; i < VXE_TUNED_ARRAYS && complete; i++) {
        tuned->design[i] = from[i] ? vxe_memory_take(1, bytes) : NULL;
        complete = !from[i] || tuned->design[i];
        if (tuned->design[i]) {
            memcpy(tuned->design[i], from[i], bytes);
        }
    }
    tuned->bounds = vxe_memory_take(model->group_count + 1ull, sizeof *tuned->bounds);
    for (uint32_t g = 0; g < model->group_count && tuned->bounds; g++) {
        tuned->bounds[g] = model->bounds[g];
    }
    return complete && tuned->bounds;
}

/* Keeps what the design says. */
static vxe_status keep(vxe_world *world, vxe_error *error)
{
    const vxe_model *model = &world->simulation.model;
    if (world->tuned) {
        return VXE_OK;
    }
    vxe_tuned *tuned = vxe_memory_take(1, sizeof *tuned);
    if (!tuned || !copy_design(tuned, model)) {
        vxe_world_release_tuned(tuned);
        return vxe_error_memory(error, VXE_TUNED_ARRAYS * 8ull * model->slots);
    }
    tuned->friction = 1;
    tuned->dithers = model->arrays.dithers;
    tuned->shortest_period = model->shortest_period;
    world->tuned = tuned;
    return VXE_OK;
}

void vxe_world_release_tuned(vxe_tuned *tuned)
{
    for (int i = 0; i < VXE_TUNED_ARRAYS && tuned; i++) {
        vxe_memory_release(tuned->design[i]);
    }
    if (tuned) {
        vxe_memory_release(tuned->bounds);
    }
    vxe_memory_release(tuned);
}

/* Takes the arrays that drag needs in a design that has none: all of them or none. */
static vxe_status take_drag(vxe_world *world, vxe_error *error)
{
    vxe_model *model = &world->simulation.model;
    vxe_kernel_arrays *arrays = &world->workspace.arrays;
    const uint64_t bytes = vxe_real_bytes(model->precision);
    const bool decays = world->simulation.plan.damping_iterations > 0;
    if (model->arrays.drag) {
        return VXE_OK; /* and with it what its decay needs */
    }
    VXE_ASSERT(!arrays->drag_decay);
    const bool holds = model->voxel_arrays + 2 <= sizeof model->voxel / sizeof model->voxel[0];
    vxe_reals *drag = holds ? vxe_memory_take(model->slots, bytes) : NULL;
    vxe_reals *spin = holds ? vxe_memory_take(model->slots, bytes) : NULL;
    vxe_reals *drag_decay = decays ? vxe_workspace_take(&world->workspace) : NULL;
    vxe_reals *spin_decay = decays ? vxe_workspace_take(&world->workspace) : NULL;
    if (!drag || !spin || (decays && (!drag_decay || !spin_decay))) {
        vxe_memory_release(drag);
        vxe_memory_release(spin);
        return vxe_error_memory(error, 4 * bytes * model->slots);
    }
    model->voxel[model->voxel_arrays++] = drag;
    model->voxel[model->voxel_arrays++] = spin;
    model->arrays.drag = arrays->drag = drag;
    model->arrays.spin_drag = arrays->spin_drag = spin;
    arrays->drag_decay = drag_decay;
    arrays->spin_decay = spin_decay;
    return VXE_OK;
}

/* Makes the workspace anew where another number of damping iterations needs other memory. */
static vxe_status rebuild(vxe_world *world, vxe_error *error)
{
    vxe_workspace old = world->workspace;
    const vxe_workspace_def use = {old.partition_count, world->simulation.plan.damping_iterations,
                                   .apart = world->has_audit};
    vxe_status status =
        vxe_workspace_init(&world->workspace, &world->simulation.model, &use, error);
    if (!status && old.external_loads.loaded) {
        status = vxe_workspace_take_external_loads(&world->workspace, error);
        world->workspace.external_loads.by_hand = old.external_loads.by_hand;
    }
    if (status) {
        vxe_workspace_clear(&world->workspace);
        world->workspace = old;
        return status;
    }
    vxe_workspace_bind(&world->workspace, &world->simulation.state);
    vxe_world_reopen(world);
    vxe_workspace_clear(&old);
    return VXE_OK;
}

/* Plans the step anew; the old plan stays where the new one is refused. */
static vxe_status replan(vxe_world *world, const vxe_tuning *next, double widest, double period,
                         vxe_error *error)
{
    vxe_simulation *simulation = &world->simulation;
    vxe_model *model = &simulation->model;
    vxe_state *state = &simulation->state;
    const vxe_step_plan plan = simulation->plan;
    const double before[2] = {model->widest, model->shortest_period};
    const double base_time = state->base_time;
    const uint64_t base_step = state->base_step;
    vxe_status status = vxe_simulation_plan_for(simulation, widest, period, error);
    if (status) {
        return status;
    }
    status = check_stability(world, next, error);
    if (!status && simulation->plan.damping_iterations != plan.damping_iterations &&
        model->group_count == 0) { /* with groups there is memory for any number */
        status = rebuild(world, error);
    }
    if (status) {
        simulation->plan = plan;
        model->widest = before[0];
        model->shortest_period = before[1];
        if (model->terrain) {
            vxe_terrain_bound(model->terrain, 0.5 * model->widest * model->edge);
        }
        state->base_time = base_time;
        state->base_step = base_step;
        state->time_step = plan.time_step;
    }
    return status;
}

/* Finds the bounds of edges, by the design up to its own amplitude. Refuses what makes them too
   short or too long. */
static vxe_status find_bounds(const vxe_world *world, double amplitude, vxe_size_bounds *of_groups,
                              double *widest, vxe_error *error)
{
    const vxe_model *model = &world->simulation.model;
    *widest = model->widest;
    if (amplitude <= 1) {
        memcpy(of_groups, world->tuned->bounds, model->group_count * sizeof *of_groups);
        return VXE_OK;
    }
    vxe_size_bounds bounds = vxe_model_bounds_at(model, amplitude, of_groups);
    for (uint32_t g = 0; g < model->group_count; g++) {
        bounds.min = fmin(bounds.min, of_groups[g].min * world->simulation.state.target[g]);
        bounds.max = fmax(bounds.max, of_groups[g].max * world->simulation.state.target[g]);
    }
    /* numbers of voxels are rounded */
    if (!(bounds.min >= VXE_SMALLEST_SIZE * (1 - ROUNDED) &&
          bounds.max <= VXE_LARGEST_SIZE * (1 + ROUNDED))) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "an amplitude of %g times the design's makes edges %g to %g times "
                              "the lattice's; they must stay between 0.1 and 10",
                              amplitude, bounds.min, bounds.max);
    }
    *widest = bounds.max > model->widest * (1 + ROUNDED) ? bounds.max : model->widest;
    return VXE_OK;
}

/* Plans the step for the edges and the period of a tuning, where it needs a shorter one than any
   before it. of_groups: (groups) memory for their bounds. */
static vxe_status plan(vxe_world *world, const vxe_tuning *next, vxe_size_bounds *of_groups,
                       vxe_error *error)
{
    const vxe_model *model = &world->simulation.model;
    double widest = 0;
    vxe_status status = find_bounds(world, next->amplitude, of_groups, &widest, error);
    if (status) {
        return status;
    }
    const double period = next->frequency > 0 ? world->tuned->shortest_period / next->frequency : 0;
    const bool faster = period > 0 && period < model->shortest_period * (1 - ROUNDED);
    if (!faster && widest <= model->widest) {
        return next->drag > world->tuned->drag ? check_stability(world, next, error) : VXE_OK;
    }
    if (world->control) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "the controller's ticks keep the time step, and this wave needs a "
                              "shorter one");
    }
    status = replan(world, next, widest, faster ? period : model->shortest_period, error);
    if (!status) {
        vxe_workspace_set_decay(&world->workspace, world->simulation.plan.time_step);
        vxe_world_warn_of_step(world);
    }
    return status;
}

/* Writes friction and drag into the arrays of the model: those of the design times a factor, or
   plus the rate times mass or inertia. */
static void fill_arrays(vxe_world *world, const vxe_tuning *next)
{
    const vxe_model *model = &world->simulation.model;
    const vxe_precision precision = model->precision;
    vxe_reals *into[VXE_TUNED_ARRAYS];
    find_arrays(model, into);
    for (int i = 0; i < VXE_TUNED_ARRAYS; i++) {
        const vxe_reals *design = world->tuned->design[i];
        for (uint32_t slot = 0; into[i] && slot < model->slots; slot++) {
            const double own = design ? vxe_real_at(precision, design, slot) : 0;
            const double mass = vxe_real_at(precision, model->arrays.mass, slot);
            const double inertia =
                i == VXE_TUNED_SPIN ? mass * vxe_gyration(precision, &model->arrays, slot) : mass;
            vxe_real_put(precision, into[i], slot,
                         i < VXE_TUNED_DRAG ? own * next->friction : own + next->drag * inertia);
        }
    }
}

/* Lets a tuning act: nothing fails from here on. */
static void apply(vxe_world *world, const vxe_tuning *next, const vxe_size_bounds *of_groups)
{
    vxe_model *model = &world->simulation.model;
    vxe_kernel_arrays *arrays = &world->workspace.arrays;
    vxe_tuned *tuned = world->tuned;
    const double time = vxe_state_time(&world->simulation.state);
    if (tuned->friction != next->friction || tuned->drag != next->drag) {
        fill_arrays(world, next);
        tuned->friction = next->friction;
        tuned->drag = next->drag;
        vxe_workspace_set_decay(&world->workspace, world->simulation.plan.time_step);
    }
    for (int c = 0; c < 3; c++) {
        model->arrays.gravity[c] = arrays->gravity[c] = next->gravity[c];
    }
    const bool dithers =
        tuned->dithers || next->gravity[0] != 0 || next->gravity[1] != 0 || next->drag > 0;
    model->arrays.dithers = dithers;
    arrays->dithers = dithers || world->workspace.external_loads.loaded;
    if (model->tuned.frequency != next->frequency && model->actuation.period > 0) {
        model->tuned.base_cycles = vxe_model_cycles(model, time);
        model->tuned.base_time = time;
    }
    tuned->acts = true;
    model->tuned.frequency = next->frequency;
    model->tuned.amplitude = next->amplitude;
    model->narrowest = next->amplitude > 1 ? VXE_SMALLEST_SIZE : model->narrowest;
    for (uint32_t g = 0; g < model->group_count; g++) {
        model->bounds[g] = of_groups[g];
    }
    vxe_workspace_resize(&world->workspace, time);
    vxe_energy_guard_forget(&world->guard);
}

/* J: what the audit knows to be held, weight included. */
static double held(vxe_world *world)
{
    return vxe_energy_audit_held(&world->audit, &world->workspace,
                                 world->simulation.plan.time_step) +
           vxe_potential_energy(&world->workspace).gravity;
}

/* Lets a tuning act, and accounts for what it does: the work of a change of the wave is that of
   actuation, all else is external. */
static void apply_with_audit(vxe_world *world, const vxe_tuning *next,
                             const vxe_size_bounds *of_groups)
{
    const vxe_model *model = &world->simulation.model;
    vxe_tuning weight = *next; /* all but the wave */
    weight.amplitude = model->tuned.amplitude;
    weight.frequency = model->tuned.frequency;
    const double place = vxe_potential_energy(&world->workspace).gravity;
    const double before = held(world);
    apply(world, &weight, of_groups);
    const double between = held(world);
    world->audit.energy.work_external += between - before;
    world->audit.freed[0] -= vxe_potential_energy(&world->workspace).gravity - place;
    apply(world, next, of_groups);
    world->audit.energy.work_actuation += held(world) - between;
}

vxe_status vxe_world_tune(vxe_world *world, const vxe_tuning *next, vxe_error *error)
{
    vxe_model *model = &world->simulation.model;
    if (world->diverged) {
        return vxe_error_fill(error, VXE_ERROR_DIVERGED, "%s", world->divergence.message);
    }
    vxe_status status = check(world, next, error);
    status = status ? status : keep(world, error);
    status = status || next->drag == 0 ? status : take_drag(world, error);
    vxe_size_bounds *of_groups =
        status ? NULL : vxe_memory_take(model->group_count + 1ull, sizeof *of_groups);
    if (!status && !of_groups) {
        status = vxe_error_memory(error, model->group_count * sizeof *of_groups);
    }
    status = status ? status : plan(world, next, of_groups, error);
    if (!status && world->has_audit && world->audit.started) {
        apply_with_audit(world, next, of_groups);
    } else if (!status) {
        apply(world, next, of_groups);
    }
    vxe_memory_release(of_groups);
    return status;
}

uint64_t vxe_world_tuning_hash(const vxe_world *world, uint64_t rest)
{
    vxe_hash hash = {0};
    if (!world->tuned || !world->tuned->acts) {
        return rest;
    }
    const vxe_tuning now = vxe_world_tuning(world);
    const vxe_wave_tuning *wave = &world->simulation.model.tuned;
    const double numbers[] = {now.gravity[0], now.gravity[1],  now.gravity[2],
                              now.amplitude,  now.frequency,   now.friction,
                              now.drag,       wave->base_time, wave->base_cycles};
    vxe_hash_word(&hash, rest);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        vxe_hash_double(&hash, numbers[i]);
    }
    return vxe_hash_end(&hash);
}
