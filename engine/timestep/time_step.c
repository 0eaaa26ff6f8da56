/* SPDX-License-Identifier: MIT */
/* Chooses the time step: the largest one that linear theory allows for the spectrum of the body at
   rest, with margins for what the spectrum does not see (stretched bonds, contacts, sticky links),
   and bounded by the periods of actuation and fields. Source: docs/physics.md, Time step. */
#include <math.h>
#include <stddef.h>

#include "common/assert_internal.h"
#include "common/float_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/contact_models/contact_models.h"
#include "engine/floor/impact_law.h"
#include "engine/magnets/magnets.h"
#include "engine/model/model.h"
#include "engine/timestep/step_plan.h"
#include "engine/voxelyze/voxelyze.h"

/* Lanczos' iteration estimates from below, within about 1 %, and within 3 % for a large body that
   gets few iterations; the rule therefore takes 1.05 times the estimate. */
#define SPECTRUM_MARGIN 1.05
/* Eigenvalues of dashpots grow with the square of a stretched bond's length; the polynomial of the
   damping iteration must stay stable up to this many times the value at rest. */
#define DAMPING_MARGIN 1.6
/* Steps per shortest actuation period, and at the accuracy `fast`. */
#define STEPS_PER_PERIOD 100.0
#define FAST_STEPS_PER_PERIOD 25.0
/* Step of the accuracy `fine`, in normal ones. */
#define FINE_STEP 0.25
/* s: step of a body without stiffness that nothing drives. */
#define IDLE_STEP 1e-3
/* With damping iterations the dashpots and friction of contacts stay explicit. Stability asks for
   h^2 lambda_k + 2 h lambda_c < 4, and contacts may take this part of h lambda_c: the dashpot of a
   pair takes less than all of its rate, 0.6 of it where it is critical, and friction that slides a
   quarter of it (penalty_law.h); of a voxel between two others it is twice that, less what the
   neighbours do. */
#define CONTACT_PART 1.0
/* The part that the dashpots of sticky links take as well, see sticky_links.c. */
#define STICKY_LINK_PART 0.5
/* Permanent strain that the step allows for: of bonds that yield and never break, and the largest
   of any. */
#define USUAL_PERMANENT_STRAIN 0.3
#define MAX_PERMANENT_STRAIN 1.0
/* Work of one damping iteration, and of the rest of a step, in explicit steps. Measured with
   bond_throughput on cube_20 and cube_64: a step with one damping iteration takes 1.4 and 1.4
   explicit steps, with two 1.9 and 2.0, with three 2.4 and 2.5. */
#define WORK_ITERATION 0.5
#define WORK_BESIDE 0.95
/* With damping iterations steps are longer, so that whatever else a step costs is paid less often:
   they are chosen unless explicit dashpots simulate this many times as much time per work. */
#define ITERATION_PREFERENCE 1.25

/* The part of h lambda_c that the dashpots of a voxel on the floor are, by half a step: they are
   those of five bonds, and lambda_c of a lattice is that of twelve. */
#define BOND_PULL_PART 0.2

double vxe_explicit_limit(double lambda_k, double lambda_c)
{
    VXE_ASSERT(!(lambda_k < 0) && !(lambda_c < 0));
    return lambda_k > 0 ? (sqrt(lambda_c * lambda_c + 4 * lambda_k) - lambda_c) / lambda_k
                        : (lambda_c > 0 ? 2 / lambda_c : HUGE_VAL);
}

/* The permanent strain that bonds may reach: the strain at which they break, within bounds. */
static double expected_permanent_strain(const vxe_model *model)
{
    double set = 0;
    for (uint32_t i = 0; i < model->yield.law_count; i++) {
        const vxe_yield_law *law = &model->yield.laws[i];
        const double max = isfinite(law->fail_strain) ? fmin(law->fail_strain, MAX_PERMANENT_STRAIN)
                                                      : USUAL_PERMANENT_STRAIN;
        set = law->count > 0 ? fmax(set, max) : set;
    }
    return set;
}

/* Factor on eigenvalues for actuation and yielding: those of rotation grow with the square of the
   edges. Measured: a body at 20 % amplitude loses stability at 1.19 of its rest value. */
static double widening(const vxe_model *model)
{
    const double wide = model->widest * (1 + expected_permanent_strain(model));
    return wide * wide;
}

/* s: step with explicit dashpots: 0.9 of rule (TS), 0.7 of it where some bond is hardly damped. */
static double explicit_step(const vxe_model *model, const vxe_step_plan *plan)
{
    const double sticky_links = model->detach_stress ? 4 / (4 - 2 * STICKY_LINK_PART) : 1;
    const double wide = sticky_links * widening(model);
    const double limit =
        vxe_explicit_limit(SPECTRUM_MARGIN * wide * plan->lambda_k, wide * plan->lambda_c_all);
    return (model->min_ratio >= 0.02 ? 0.9 : model->poisson ? 0.5 : 0.7) * limit;
}

/* The fewest damping iterations that cover the dashpots with the margin; 0 where no number does. */
static uint32_t choose_iterations(const vxe_model *model, const vxe_step_plan *plan,
                                  double time_step, const vxe_damping_usual *usual,
                                  double *coefficient)
{
    const double max = 0.5 * widening(model) * time_step * plan->lambda_c;
    return vxe_damping_fewest_iterations(max, DAMPING_MARGIN * max, usual, coefficient);
}

/* What h^2 lambda_k may be with damping iterations beside the dashpots of contacts. */
static double for_springs(const vxe_model *model)
{
    return 4 - 2 * ((model->surface.count > 0 ? CONTACT_PART : 0) +
                    (model->detach_stress ? STICKY_LINK_PART : 0));
}

/* s: largest stable step with damping iterations, for springs of eigenvalue lambda_k. */
static double iteration_limit(const vxe_model *model, double lambda_k)
{
    const double max = for_springs(model);
    const double forces = model->particles ? model->particles->lambda_c : 0;
    return forces > 0 ? (sqrt(forces * forces + max * lambda_k) - forces) / lambda_k
                      : sqrt(max / lambda_k);
}

/* s: step with damping iterations: 2/w_max, 0.9 of it where a bond is weakly damped, 0.7 where one
   is not damped at all. */
static double iteration_step(const vxe_model *model, const vxe_step_plan *plan)
{
    const double limit = iteration_limit(model, SPECTRUM_MARGIN * widening(model) * plan->lambda_k);
    const double factor = model->min_ratio == 0 ? 0.7 : model->min_ratio < 0.05 ? 0.9 : 1;
    double step = factor * limit;
    double coefficient[VXE_MAX_DAMPING_ITERATIONS];
    /* no number of iterations covers the dashpots: shorten the step until one does */
    while (step > 0 && choose_iterations(model, plan, step, NULL, coefficient) == 0) {
        step *= 0.9;
    }
    return step;
}

/* s: the step by a rule and a scheme, before the bounds that hold for all; infinite where nothing
   has stiffness. */
static double rule_step(const vxe_model *model, const vxe_step_plan *plan, vxe_step_rule rule,
                        bool damping_iterations, double seconds)
{
    if (rule == VXE_STEP_SECONDS) {
        return seconds;
    }
    if (rule == VXE_STEP_SOURCE) {
        /* a body without bonds: the frequency of its voxels on the floor, if anything acts on them
         */
        const double own = plan->lambda_k > 0 ? model->voxel_w0 : 0;
        const double w0 = model->w0 > 0 ? model->w0 : own;
        const double turn = model->conventions.pi > 0 ? 2 * model->conventions.pi : VXE_TAU;
        return w0 > 0 ? model->source_fraction / (turn * w0) : HUGE_VAL;
    }
    return damping_iterations ? iteration_step(model, plan) : explicit_step(model, plan);
}

/* Whether damping iterations simulate more time per work than explicit dashpots; where the step is
   given, whether explicit dashpots are unstable at it. */
static bool prefer_iteration(const vxe_model *model, const vxe_step_plan *plan, vxe_step_rule rule,
                             double seconds)
{
    if (plan->lambda_c <= 0 || model->conventions.voxelyze_dashpots) {
        return false;
    }
    const double by_explicit = rule_step(model, plan, rule, false, seconds);
    if (rule != VXE_STEP_AUTO) {
        return by_explicit > explicit_step(model, plan);
    }
    const double by_iteration = iteration_step(model, plan);
    double coefficient[VXE_MAX_DAMPING_ITERATIONS];
    const double work = WORK_BESIDE + WORK_ITERATION * choose_iterations(model, plan, by_iteration,
                                                                         NULL, coefficient);
    return ITERATION_PREFERENCE * by_iteration / work > by_explicit;
}

/* Chooses the damping iterations of the plan's step. usual: s, the step without its scale. Where it
   is longer, or auto's is, accuracy decides as well: a shorter step never damps a mode worse. */
static uint32_t iterations_for(const vxe_model *model, vxe_step_plan *plan, double usual)
{
    double coefficient[VXE_MAX_DAMPING_ITERATIONS];
    const double longest = plan->rule == VXE_STEP_SECONDS ? iteration_step(model, plan) : usual;
    vxe_damping_usual base = {coefficient, 0, plan->time_step / longest};
    if (base.part < 0.999) {
        base.iterations = choose_iterations(model, plan, longest, NULL, coefficient);
    }
    return choose_iterations(model, plan, plan->time_step, base.iterations > 0 ? &base : NULL,
                             plan->coefficient);
}

/* 1/s^2: the most that a floor stiffer than a level one adds to the largest eigenvalue (Weyl1912).
 */
static double stiffer_floor(const vxe_model *model)
{
    return model->terrain ? model->terrain->stiffer * model->voxel_w0 * model->voxel_w0 : 0;
}

/* s: the shortest period of actuation and external field; infinite where nothing drives the body.
 */
static double shortest_period(const vxe_model *model)
{
    const double sizes = model->shortest_period;
    const double field = model->magnets ? model->magnets->shortest : 0;
    return fmin(sizes > 0 ? sizes : HUGE_VAL, field > 0 ? field : HUGE_VAL);
}

/* s: the longest step at which a voxel alone leaves the floor as its damping says (impact_law.h).
 */
static double impact_step(const vxe_model *model)
{
    const double stiffer = 1 + (model->terrain ? model->terrain->stiffer : 0);
    const bool on_floor = model->arrays.floor_stiffness && !model->arrays.floor_rule;
    return on_floor ? VXE_IMPACT_STEP / (model->voxel_w0 * sqrt(stiffer)) : HUGE_VAL;
}

/* s: the longest step that resolves what happens to the body, where stability does not ask for a
   shorter one. */
static double accurate_step(const vxe_model *model, vxe_accuracy accuracy)
{
    const double period = shortest_period(model);
    const double longest = model->longest_step;
    return accuracy == VXE_ACCURACY_FAST
               ? fmin(period / FAST_STEPS_PER_PERIOD, longest)
               : fmin(fmin(period / STEPS_PER_PERIOD, impact_step(model)), longest);
}

double vxe_step_factor(const vxe_step_choice *choice)
{
    return choice->scale * (choice->accuracy == VXE_ACCURACY_FINE ? FINE_STEP : 1);
}

/* Refuses what the rule of a preset cannot follow, and a scale that copies and retries have brought
   out of range. */
static vxe_status check(const vxe_step_choice *choice, vxe_step_rule rule, vxe_error *error)
{
    if (!(choice->scale > 0 && choice->scale < 1e6)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a time step of %g times the rule's: it must be above 0",
                              choice->scale);
    }
    return rule == VXE_STEP_AUTO || choice->accuracy == VXE_ACCURACY_NORMAL
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                "accuracy: the step is that of the published simulator, and leaves "
                                "no choice; native rules do");
}

/* Rounds the step to a number that the run's precision holds exactly, so that its clock and its
   positions agree. */
static double representable(const vxe_model *model, double step)
{
    return model->precision == VXE_PRECISION_DOUBLE ? step : vxe_as_float(step);
}

vxe_status vxe_step_plan_make(vxe_step_plan *plan, const vxe_model *model,
                              const vxe_step_choice *choice, vxe_error *error)
{
    const vxe_step_rule rule = model->conventions.step_rule;
    const vxe_damping_scheme damping = model->conventions.damping;
    *plan = (vxe_step_plan){.rule = rule,
                            .lambda_k = model->spectrum.lambda_k + stiffer_floor(model) +
                                        (model->particles ? model->particles->lambda_k : 0) +
                                        (model->magnets ? model->magnets->lambda : 0) +
                                        model->external_lambda,
                            .lambda_c = model->spectrum.lambda_c,
                            .lambda_c_all = model->spectrum.lambda_c_all +
                                            (model->particles ? model->particles->lambda_c : 0)};
    const vxe_status status = check(choice, rule, error);
    if (status) {
        return status;
    }
    const double seconds = choice->seconds;
    const bool damping_iterations =
        damping == VXE_DAMPING_SWEEP
            ? plan->lambda_c > 0
            : damping == VXE_DAMPING_AUTO && prefer_iteration(model, plan, rule, seconds);
    double step = rule_step(model, plan, rule, damping_iterations, seconds);
    if (rule == VXE_STEP_AUTO) {
        step = fmin(step, accurate_step(model, choice->accuracy));
        step = fmin(step, model->particles ? model->particles->longest : HUGE_VAL);
    }
    if (!(step > 0)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "no time step above 0 s suits this design");
    }
    plan->time_step =
        representable(model, vxe_step_factor(choice) * (isfinite(step) ? step : IDLE_STEP));
    if (!(plan->time_step > 0)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a time step of %g s is too short to be told from 0",
                              vxe_step_factor(choice) * step);
    }
    plan->damping = damping_iterations ? VXE_DAMPING_SWEEP : VXE_DAMPING_EXPLICIT;
    if (damping_iterations) {
        plan->damping_iterations = iterations_for(model, plan, step);
        if (plan->damping_iterations == 0) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "the bonds' dashpots are too strong for a time step of %g s; "
                                  "choose a shorter one or auto",
                                  plan->time_step);
        }
        VXE_ASSERT(plan->damping_iterations <= VXE_MAX_DAMPING_ITERATIONS);
        plan->bond_pull = BOND_PULL_PART * plan->time_step * plan->lambda_c;
    }
    if (model->voxelyze &&
        model->voxelyze->steps) { /* the limit is unknown: dashpots there are a step late */
        plan->stable_step = HUGE_VAL;
        return VXE_OK;
    }
    const double wide = widening(model);
    plan->for_springs = damping_iterations ? for_springs(model) : 4;
    plan->stable_step = damping_iterations
                            ? iteration_limit(model, wide * plan->lambda_k)
                            : vxe_explicit_limit(wide * plan->lambda_k, wide * plan->lambda_c_all);
    return VXE_OK;
}
