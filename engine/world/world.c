/* SPDX-License-Identifier: MIT */
/* A world from its creation to its destruction: compiles the lattice and the affine bodies of a
   design, advances both, and answers questions about the present state. */
#include "engine/world.h"

#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/trial.h"
#include "engine/world/world_data.h"

void vxe_world_destroy(vxe_world *world)
{
    if (world) {
        vxe_world_release_control(world);
        vxe_world_release_tuned(world->tuned);
        vxe_affine_voxels_clear(&world->couplings);
        vxe_affine_group_clear(&world->affine);
        vxe_observers_clear(&world->observers);
        vxe_energy_audit_clear(&world->audit);
        vxe_energy_guard_clear(&world->guard);
        vxe_workspace_clear(&world->workspace);
        vxe_simulation_clear(&world->simulation);
        vxe_messages_clear(&world->warnings);
        vxe_memory_release(world);
    }
}

static void warn_of_matter(vxe_world *world, const vxe_design *design)
{
    char doubt[sizeof world->warnings.items->text];
    if (vxe_design_doubt(design, doubt, sizeof doubt)) {
        vxe_messages_add(&world->warnings, "%s", doubt);
    }
}

/* A world of affine bodies alone: its model has no voxels. */
static vxe_status prepare_empty(vxe_world *world, const vxe_world_def *def, vxe_error *error)
{
    vxe_simulation *simulation = &world->simulation;
    const bool by_seconds = def->step_rule == VXE_STEP_SECONDS;
    if (def->step_rule == VXE_STEP_SOURCE) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "the step rule `source` needs bonds, and the design has none; use "
                              "`auto` or a number of seconds");
    }
    const char *why = NULL;
    simulation->model.kernels = vxe_kernels_for_machine(VXE_PRECISION_DOUBLE, &why);
    if (!simulation->model.kernels) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED, "%s", why);
    }
    simulation->model.precision = VXE_PRECISION_DOUBLE;
    simulation->model.conventions = *vxe_conventions_find("native");
    simulation->state.precision = VXE_PRECISION_DOUBLE;
    simulation->plan.rule = by_seconds ? VXE_STEP_SECONDS : VXE_STEP_AUTO;
    simulation->plan.time_step =
        by_seconds ? def->step_seconds * def->step_scale : world->affine.step;
    simulation->plan.damping = VXE_DAMPING_EXPLICIT;
    simulation->state.time_step = simulation->plan.time_step;
    world->workspace.model = &simulation->model;
    world->workspace.state = &simulation->state;
    return VXE_OK;
}

/* Prepares everything of a lattice that follows the model: step, state, workspace, audit. */
static vxe_status prepare(vxe_world *world, const vxe_design *design, const vxe_world_def *def,
                          vxe_error *error)
{
    vxe_simulation *simulation = &world->simulation;
    const vxe_model *model = &simulation->model;
    simulation->design = design;
    simulation->controlled = world->controlled;
    vxe_status status = vxe_simulation_start(simulation, def, error);
    simulation->design = NULL; /* the caller may destroy it from now on */
    const vxe_workspace_def use = {vxe_model_threads(model, def->threads),
                                   simulation->plan.damping_iterations, .apart = def->audit,
                                   .singly = world->affine.count > 0};
    status = status ? status : vxe_workspace_init(&world->workspace, model, &use, error);
    if (!status && def->audit) {
        world->has_audit = true;
        status = vxe_energy_audit_init(&world->audit, model, error);
    }
    status = status ? status : vxe_energy_guard_init(&world->guard, model, error);
    if (status) {
        return status;
    }
    VXE_ASSERT(simulation->plan.time_step > 0 && world->workspace.partition_count > 0);
    vxe_workspace_set_decay(&world->workspace, simulation->plan.time_step);
    vxe_workspace_bind(&world->workspace, &simulation->state);
    vxe_workspace_resize(&world->workspace, 0);
    vxe_world_warn_of_step(world);
    return VXE_OK;
}

/* Warns of what acts on voxels only, and refuses formulas that read voxels, in a design that has
   none. */
static vxe_status check_without_voxels(vxe_world *world, const vxe_design *design, vxe_error *error)
{
    bool acts = design->fluid.enabled || design->magnetics.enabled || design->actuation.enabled;
    for (int i = VXE_FORMULA_FORCE_X; i <= VXE_FORMULA_FORCE_Z; i++) {
        acts = acts || design->formulas[i];
    }
    if (acts) {
        vxe_messages_add(&world->warnings, "fluid, force fields, magnets and actuation act on "
                                           "voxels only, and the design has none");
    }
    if (design->formulas[VXE_FORMULA_STOP] || design->formulas[VXE_FORMULA_FITNESS]) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "formulas of the stop and of fitness read voxels, and the design has "
                              "none; use observations for affine bodies");
    }
    return VXE_OK;
}

/* Prepares affine bodies, and the rest of the world where the design has no voxels. */
static vxe_status prepare_affine(vxe_world *world, const vxe_design *design,
                                 const vxe_world_def *def, vxe_error *error)
{
    if (design->affine_count == 0) {
        return VXE_OK;
    }
    const vxe_step_choice step = {def->step_seconds, def->step_scale, def->accuracy};
    vxe_status status = vxe_design_check(design, error);
    vxe_conventions rules = {.name = ""};
    status = status ? status
                    : vxe_conventions_choose(def->conventions, design->written_for, &rules, error);
    if (!status && strcmp(rules.name, "native") != 0) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                "affine bodies move under our own conventions alone");
    }
    status = status ? status
                    : vxe_affine_group_init(&world->affine, design, vxe_step_factor(&step),
                                            &world->warnings, error);
    if (!status && design->voxel_count == 0) {
        status = check_without_voxels(world, design, error);
    }
    if (!status && design->voxel_count == 0) {
        world->simulation.model.edge = design->voxel_size;
        status = prepare_empty(world, def, error);
    }
    return status ? status : vxe_observers_init(&world->observers, design, error);
}

/* Prepares the lattice, and its coupling with affine bodies. */
static vxe_status prepare_lattice(vxe_world *world, const vxe_design *design,
                                  const vxe_world_def *def, vxe_error *error)
{
    vxe_model *model = &world->simulation.model;
    vxe_status status = vxe_model_init(model, design, def, &world->warnings, error);
    if (!status && world->affine.count > 0) {
        status = vxe_affine_voxels_init(&world->couplings, &world->affine, model, design, error);
        model->external_lambda = vxe_affine_voxels_lambda(&world->couplings, &world->affine, model);
    }
    return status ? status : prepare(world, design, def, error);
}

vxe_world *vxe_world_make(const vxe_design *design, const vxe_world_def *def, bool controlled,
                          vxe_error *error)
{
    const bool empty = design->voxel_count == 0 && design->affine_count == 0;
    if (vxe_world_def_check(def, error) || (empty && vxe_design_check(design, error))) {
        return NULL;
    }
    vxe_world *world = vxe_memory_take(1, sizeof *world);
    if (!world) {
        vxe_error_memory(error, sizeof *world);
        return NULL;
    }
    world->materials = design->material_count;
    world->controlled = controlled && design->controller.interval > 0;
    const uint64_t failures = vxe_memory_failures();
    if (prepare_affine(world, design, def, error)) {
        vxe_world_destroy(world);
        return NULL;
    }
    warn_of_matter(world, design);
    if ((design->voxel_count > 0 && prepare_lattice(world, design, def, error)) ||
        vxe_world_take_control(world, design, error) ||
        (world->affine.count > 0 && vxe_world_affine_start(world, error)) ||
        vxe_memory_check(failures, error)) { /* a warning was lost */
        vxe_world_destroy(world);
        return NULL;
    }
    return world;
}

vxe_world *vxe_world_create(const vxe_design *design, const vxe_world_def *def, vxe_error *error)
{
    return vxe_world_make(design, def, true, error);
}

/* Keeps why the lattice diverged or became unphysical, and says so. */
static vxe_status report_failure(vxe_world *world, vxe_error *error)
{
    world->diverged = true;
    const vxe_status status = vxe_simulation_diverged(&world->simulation, &world->divergence);
    if (error) {
        *error = world->divergence;
    }
    return status;
}

/* Advances the lattice by some steps between two halves of looks, or one within a look. */
static void advance_between(vxe_world *world, uint64_t steps)
{
    vxe_simulation *simulation = &world->simulation;
    vxe_energy_guard *guard = &world->guard;
    vxe_failure *failure = &simulation->failure;
    if (vxe_energy_guard_opens(guard, simulation->state.step)) {
        vxe_energy_guard_open(guard, &world->workspace,
                              (world->affine.count > 0 ? vxe_world_affine_sum(world) : 0) -
                                  world->hand_work,
                              world->couplings.energy.contact);
    }
    if (world->has_audit) {
        for (uint64_t i = 0; i < steps && !failure->kind; i++) {
            vxe_energy_audit_step(&world->audit, &world->workspace, &simulation->state,
                                  &simulation->plan, failure);
        }
    } else {
        vxe_workspace_steps(&world->workspace, &simulation->state, &simulation->plan, steps,
                            failure);
    }
    if (!failure->kind && vxe_energy_guard_closes(guard, simulation->state.step)) {
        vxe_energy_guard_close(guard, &world->workspace, failure);
    }
}

/* Advances a lattice that has numbers which are not finite to the end of the next look, where every
   run finds them, however it is cut into calls. */
static void go_on_to_look(vxe_world *world)
{
    const vxe_state *state = &world->simulation.state;
    for (bool opened = false; !opened && !world->simulation.failure.kind;) {
        opened = vxe_energy_guard_opens(&world->guard, state->step);
        advance_between(world, vxe_energy_guard_stride(&world->guard, state->step,
                                                       vxe_world_control(world, UINT64_MAX)));
    }
}

/* Advances the lattice, if there is one; else counts the steps only. */
static vxe_status advance_lattice(vxe_world *world, uint64_t steps, vxe_error *error)
{
    vxe_simulation *simulation = &world->simulation;
    vxe_failure *failure = &simulation->failure;
    VXE_ASSERT(!world->diverged && world->workspace.state == &simulation->state);
    if (simulation->model.topology.voxel_count == 0) {
        simulation->state.step += steps;
        return VXE_OK;
    }
    for (uint64_t done = 0; done < steps && !failure->kind;) {
        const uint64_t left = world->hand_count > 0 ? 1 : steps - done;
        const uint64_t stride = vxe_energy_guard_stride(&world->guard, simulation->state.step,
                                                        vxe_world_control(world, left));
        vxe_world_hands_load(world);
        advance_between(world, stride);
        vxe_world_hands_moved(world);
        done += stride;
    }
    const bool finite =
        vxe_state_is_finite(&simulation->state, simulation->model.topology.voxel_count);
    if (!failure->kind && !finite && world->affine.count == 0) {
        go_on_to_look(world);
    }
    return failure->kind || !finite ? report_failure(world, error) : VXE_OK;
}

vxe_status vxe_world_advance(vxe_world *world, uint64_t steps, vxe_error *error)
{
    if (world->diverged) {
        if (error) {
            *error = world->divergence;
        }
        return world->divergence.status;
    }
    if (world->affine.count == 0) {
        return advance_lattice(world, steps, error);
    }
    vxe_status status = VXE_OK;
    uint64_t stride = vxe_world_affine_stride(world, steps);
    for (uint64_t done = 0; done < steps && !status;) {
        stride = steps - done < stride ? steps - done : stride;
        VXE_ASSERT(stride >= 1);
        vxe_world_affine_before(world);
        status = advance_lattice(world, stride, error);
        if (!status && vxe_world_affine_steps(world, stride, &world->divergence)) {
            if (stride > 1) { /* repeat one by one, to end at the step that fails */
                world->simulation.state.step -= stride;
                stride = 1;
                continue;
            }
            status = VXE_ERROR_DIVERGED;
            world->diverged = true;
            if (error) {
                *error = world->divergence;
            }
        }
        done += stride;
    }
    return status;
}

/* Whether a failure of the lattice has a place: one voxel, or two of them. */
static bool has_place(const vxe_failure *failure)
{
    switch (failure->kind) {
    case VXE_FAILURE_BOND:
    case VXE_FAILURE_CROWD:
    case VXE_FAILURE_TURN:
    case VXE_FAILURE_ENERGY:
        return true;
    default: /* where both are one, it says how fast voxels are */
        return failure->kind == VXE_FAILURE_CROSSED && failure->lower != failure->upper;
    }
}

vxe_world_failure vxe_world_failed(const vxe_world *world)
{
    const vxe_failure *failure = &world->simulation.failure;
    const vxe_state *state = &world->simulation.state;
    const uint32_t *order = world->simulation.model.topology.order;
    vxe_world_failure told = {
        world->divergence.status, state->step, vxe_state_time(state), {VXE_NONE, VXE_NONE}};
    if (failure->kind && failure->kind != VXE_FAILURE_NUMBER) {
        told.step--;
        told.time -= state->time_step;
    }
    if (has_place(failure)) {
        told.voxels[0] = order[failure->lower];
    }
    if (has_place(failure) && failure->kind != VXE_FAILURE_CROWD &&
        failure->kind != VXE_FAILURE_TURN) {
        told.voxels[1] = order[failure->upper];
    }
    return told;
}

void vxe_world_sense(const vxe_world *world, const vxe_sensors *into)
{
    vxe_voxels_sense(&world->simulation, &world->workspace, into);
}

void vxe_world_ends_at(vxe_world *world, uint64_t step)
{
    world->guard.end = step;
}

vxe_status vxe_world_advance_to(vxe_world *world, double time, vxe_error *error)
{
    const vxe_state *state = &world->simulation.state;
    const uint64_t steps =
        vxe_run_step_at(time - vxe_state_time(state), state->time_step, VXE_ARRIVAL_AT);
    if (steps == UINT64_MAX) {
        return vxe_error_fill(
            error, VXE_ERROR_ARGUMENT,
            "cannot advance to t = %g s: more than 1e18 steps away, or not a number", time);
    }
    return steps > 0 ? vxe_world_advance(world, steps, error) : VXE_OK;
}

vxe_world_facts vxe_world_describe(const vxe_world *world)
{
    const vxe_model *model = &world->simulation.model;
    vxe_world_facts facts = {
        .voxels = model->topology.voxel_count,
        .bonds = model->topology.bond_count,
        .bodies = model->topology.body_count,
        .surface_voxels = model->topology.surface_count,
        .materials = world->materials,
        .particles = model->particles ? model->particles->count : 0,
        .magnets = model->magnets ? model->magnets->count : 0,
        .threads = world->workspace.partition_count ? world->workspace.partition_count : 1,
        .mass = model->total_mass,
        .voxel_size = model->edge,
        .extent = {model->extent[0], model->extent[1], model->extent[2]},
        .time_step = world->simulation.plan.time_step,
        .highest_frequency = sqrt(world->simulation.plan.lambda_k),
        .source_frequency = model->w0,
        .actuation_full = vxe_model_actuation_full(model),
        .damping_sweeps = world->simulation.plan.damping_iterations,
        .damping = world->simulation.plan.damping,
        .step_rule = world->simulation.plan.rule,
        .conventions = model->conventions.name,
        .rules = &model->conventions,
        .precision = vxe_precision_name(model->precision),
        .isa = model->kernels->isa};
    vxe_world_affine_facts(world, &facts);
    return facts;
}

double vxe_world_time_at(const vxe_world *world, uint64_t step)
{
    return vxe_state_time_at(&world->simulation.state, step);
}

double vxe_world_time(const vxe_world *world)
{
    return vxe_state_time(&world->simulation.state);
}

uint64_t vxe_world_steps(const vxe_world *world)
{
    return world->simulation.state.step;
}

void vxe_world_center_of_mass(const vxe_world *world, double position[3], double velocity[3])
{
    const vxe_model *model = &world->simulation.model;
    double v[3] = {0};
    if (model->topology.voxel_count > 0) {
        vxe_simulation_center(&world->simulation, position, v);
    }
    if (world->affine.count > 0) {
        double mass = model->total_mass;
        for (int c = 0; c < 3; c++) {
            position[c] = mass > 0 ? mass * position[c] : 0;
            v[c] *= mass;
        }
        vxe_world_affine_center(world, &mass, position, v);
        for (int c = 0; c < 3; c++) {
            position[c] /= mass;
            v[c] /= mass;
        }
    }
    if (velocity) {
        memcpy(velocity, v, sizeof v);
    }
}

void vxe_world_bodies(const vxe_world *world, vxe_body *bodies)
{
    const vxe_model *model = &world->simulation.model;
    const vxe_state *state = &world->simulation.state;
    memset(bodies, 0, model->topology.body_count * sizeof *bodies);
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        VXE_ASSERT(model->topology.body[i] < model->topology.body_count);
        vxe_body *body = &bodies[model->topology.body[i]];
        const double mass = vxe_real_at(model->precision, model->arrays.mass, i);
        body->voxels++;
        body->mass += mass;
        for (int c = 0; c < 3; c++) {
            body->center[c] += mass * vxe_state_position(state, c, i);
            body->velocity[c] += mass * vxe_state_velocity(state, c, i);
        }
    }
    for (uint32_t b = 0; b < model->topology.body_count; b++) {
        for (int c = 0; c < 3; c++) {
            bodies[b].center[c] = bodies[b].center[c] / bodies[b].mass + model->origin[c];
            bodies[b].velocity[c] /= bodies[b].mass;
        }
    }
}

void vxe_world_momentum(const vxe_world *world, double linear[3], double angular[3])
{
    const vxe_model *model = &world->simulation.model;
    const vxe_state *s = &world->simulation.state;
    double p[3] = {0};
    double l[3] = {0};
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        const double m = vxe_real_at(model->precision, model->arrays.mass, i);
        const double inertia = m * vxe_gyration(model->precision, &model->arrays, i);
        double x[3];
        double v[3];
        double lever[3];
        for (int c = 0; c < 3; c++) {
            x[c] = vxe_state_position(s, c, i) + model->origin[c];
            v[c] = vxe_state_velocity(s, c, i);
        }
        vxe_cross3(x, v, lever);
        for (int c = 0; c < 3; c++) {
            p[c] += m * v[c];
            l[c] += m * lever[c] + inertia * vxe_state_spin(s, c, i);
        }
    }
    vxe_world_affine_momentum(world, p, l);
    memcpy(linear, p, sizeof p);
    memcpy(angular, l, sizeof l);
}

void vxe_world_poses(const vxe_world *world, double *positions, double *orientations)
{
    for (uint32_t v = 0; v < world->simulation.model.topology.voxel_count; v++) {
        if (positions) {
            vxe_simulation_place(&world->simulation, v, positions + 3 * (size_t)v);
        }
        if (orientations) {
            vxe_simulation_orientation(&world->simulation, v, orientations + 4 * (size_t)v);
        }
    }
}

void vxe_world_velocities(const vxe_world *world, double *linear, double *angular)
{
    for (uint32_t v = 0; v < world->simulation.model.topology.voxel_count; v++) {
        const uint32_t i = world->simulation.model.topology.place[v];
        for (int c = 0; c < 3; c++) {
            if (linear) {
                linear[3 * (size_t)v + (size_t)c] =
                    vxe_state_velocity(&world->simulation.state, c, i);
            }
            if (angular) {
                angular[3 * (size_t)v + (size_t)c] = vxe_state_spin(&world->simulation.state, c, i);
            }
        }
    }
}

uint32_t vxe_world_group_count(const vxe_world *world)
{
    return world->simulation.state.groups;
}

uint32_t vxe_world_stuck_pairs(const vxe_world *world)
{
    return world->simulation.state.sticky_link_count;
}

uint64_t vxe_world_hash(const vxe_world *world)
{
    const vxe_topology *topology = &world->simulation.model.topology;
    const uint64_t lattice =
        vxe_state_hash(&world->simulation.state, topology->place, topology->voxel_count);
    return vxe_world_tuning_hash(
        world, vxe_world_hands_hash(world, vxe_world_affine_hash(world, lattice)));
}

void vxe_world_listen(vxe_world *world, vxe_contact_listener *listener, void *user)
{
    vxe_particle_workspace *particles = world->workspace.particles;
    if (particles) {
        particles->listener = listener;
        particles->user = user;
    }
}

void vxe_world_contact_events(const vxe_world *world, uint64_t counts[VXE_CONTACT_EVENTS])
{
    memcpy(counts, world->simulation.state.particle_events,
           sizeof world->simulation.state.particle_events);
}

uint32_t vxe_world_contacts(const vxe_world *world)
{
    uint32_t closed = 0;
    for (uint32_t i = 0; i < world->simulation.state.particle_count; i++) {
        closed += !world->simulation.state.particles[i].over_faces; /* a law over faces acts at
                                                                       any distance */
    }
    return closed;
}

uint32_t vxe_world_warning_count(const vxe_world *world)
{
    return world->warnings.count;
}

const char *vxe_world_warning(const vxe_world *world, uint32_t index)
{
    return index < world->warnings.count ? world->warnings.items[index].text : "";
}
