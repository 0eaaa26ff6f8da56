/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/contact_models/contact_models.h"
#include "engine/magnets/magnets.h"
#include "engine/model/model.h"
#include "engine/timestep/time_step.h"
#include "engine/voxelyze/voxelyze.h"

/* Lanczos estimates from below, within about 1 %, and 3 % where a large body has few iterations;
 * the rule therefore takes 1.05 times the estimate (docs/physics.md, Time step). */
#define SPECTRUM_MARGIN 1.05
/* Dashpot eigenvalues grow with the square of a stretched bond's length; the damping iterations'
 * polynomial leaves that much room. */
#define DAMPING_MARGIN 1.6
/* Steps per shortest actuation period. */
#define STEPS_PER_PERIOD 100.0
/* Step of a body that nothing drives, s. */
#define IDLE_STEP 1e-3
/* What dashpots and friction of contacts, which stay forces with damping iterations, may take of 2
   in h lambda_c: a pair's dashpot takes less than all of its rate, 0.6 of it where it is critical,
   its friction a quarter of it where it slides (penalty_law.h); of a voxel between two others twice
   that, less what its neighbours do. Stability asks for h^2 lambda_k + 2 h lambda_c < 4. */
#define CONTACT_PART 1.0
/* What dashpots of links take as well, see sticky_links.c. */
#define LINK_PART 0.5
/* Permanent strains that the step allows for: of bonds that yield without end, and of any. */
#define USUAL_SET 0.3
#define MAX_SET 1.0
/* Work of each damping iteration in explicit steps, and of what a step has beside them. Measured
 * with bond_throughput on cube_20 and cube_64: one damping iteration 1.4 and 1.4, two 1.9 and 2.0,
 * three 2.4 and 2.5 explicit steps. */
#define WORK_ITERATION 0.5
#define WORK_BESIDE 0.95
/* Damping iterations step further, and whatever else a step costs is paid less often: they are
 * taken unless explicit dashpots simulate that much more time per work. */
#define SWEEP_PREFERENCE 1.25

double vxe_explicit_limit(double lambda_k, double lambda_c)
{
    return lambda_k > 0 ? (sqrt(lambda_c * lambda_c + 4 * lambda_k) - lambda_c) / lambda_k
                        : (lambda_c > 0 ? 2 / lambda_c : HUGE_VAL);
}

/* Permanent strain that bonds may come to: as far as they hold, or a fair amount. */
static double expected_set(const vxe_model *model)
{
    double set = 0;
    for (uint32_t i = 0; i < model->yield.law_count; i++) {
        const vxe_yield_law *law = &model->yield.laws[i];
        const double max = isfinite(law->fail_strain) ? fmin(law->fail_strain, MAX_SET) : USUAL_SET;
        set = law->count > 0 ? fmax(set, max) : set;
    }
    return set;
}

/* Factor on eigenvalues for actuation: those of rotation grow with the square of the edges as these
   lengthen. Measured: a body at 20 % amplitude loses stability at 1.19 of its rest value. */
static double widening(const vxe_model *model)
{
    const double wide = model->widest * (1 + expected_set(model));
    return wide * wide;
}

/* Step of the explicit scheme: 0.9 of rule (TS), 0.7 where a bond is hardly damped. */
static double explicit_step(const vxe_model *model, const vxe_step_plan *plan)
{
    const double sticky_links = model->detach_stress ? 4 / (4 - 2 * LINK_PART) : 1;
    const double wide = sticky_links * widening(model);
    const double limit =
        vxe_explicit_limit(SPECTRUM_MARGIN * wide * plan->lambda_k, wide * plan->lambda_c_all);
    return (model->min_ratio < 0.02 ? 0.7 : 0.9) * limit;
}

/* The fewest damping iterations that cover the dashpots with the margin; 0 where none do. */
static uint32_t choose_iterations(const vxe_model *model, const vxe_step_plan *plan,
                                  double time_step, double *coefficient)
{
    const double max = 0.5 * widening(model) * time_step * plan->lambda_c;
    return vxe_damping_fewest_iterations(max, DAMPING_MARGIN * max, coefficient);
}

/* Largest stable step of the polynomial damping iteration for springs of an eigenvalue. */
static double iteration_limit(const vxe_model *model, double lambda_k)
{
    const double part =
        (model->surface.count > 0 ? CONTACT_PART : 0) + (model->detach_stress ? LINK_PART : 0);
    const double forces = model->particles ? model->particles->lambda_c : 0;
    const double rest = forces * forces + (4 - 2 * part) * lambda_k;
    return forces > 0 ? (sqrt(rest) - forces) / lambda_k : sqrt((4 - 2 * part) / lambda_k);
}

/* Step of the polynomial damping iteration: 2/w_max, 0.9 or 0.7 of it where a bond is weakly damped
 * or not at all.
 */
static double iteration_step(const vxe_model *model, const vxe_step_plan *plan)
{
    const double limit = iteration_limit(model, SPECTRUM_MARGIN * widening(model) * plan->lambda_k);
    const double factor = model->min_ratio == 0 ? 0.7 : model->min_ratio < 0.05 ? 0.9 : 1;
    double step = factor * limit;
    double coefficient[VXE_MAX_DAMPING_ITERATIONS];
    /* dashpots beyond every reach: shorter steps */
    while (step > 0 && choose_iterations(model, plan, step, coefficient) == 0) {
        step *= 0.9;
    }
    return step;
}

/* The step of a rule and scheme before the bounds that hold for all; infinite where nothing has
 * stiffness. */
static double rule_step(const vxe_model *model, const vxe_step_plan *plan, vxe_step_rule rule,
                        bool damping_iterations, double seconds)
{
    if (rule == VXE_STEP_SECONDS) {
        return seconds;
    }
    if (rule == VXE_STEP_SOURCE) {
        /* a body without bonds: its voxels' own, if anything acts on them */
        const double own = plan->lambda_k > 0 ? model->voxel_w0 : 0;
        const double w0 = model->w0 > 0 ? model->w0 : own;
        const double turn = model->conventions.pi > 0 ? 2 * model->conventions.pi : VXE_TAU;
        return w0 > 0 ? model->source_fraction / (turn * w0) : HUGE_VAL;
    }
    return damping_iterations ? iteration_step(model, plan) : explicit_step(model, plan);
}

/* Whether the polynomial damping iteration simulates more time per work than explicit dashpots; for
 * a given step, whether explicit is unstable. */
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
    const double work =
        WORK_BESIDE + WORK_ITERATION * choose_iterations(model, plan, by_iteration, coefficient);
    return SWEEP_PREFERENCE * by_iteration / work > by_explicit;
}

/* What a floor stiffer than a level one adds to the largest eigenvalue at most (Weyl1912). */
static double steeper_floor(const vxe_model *model)
{
    return model->terrain ? model->terrain->stiffer * model->voxel_w0 * model->voxel_w0 : 0;
}

/* s, of what drives the body from outside; infinite where nothing does. */
static double shortest_period(const vxe_model *model)
{
    const double sizes = model->shortest_period;
    const double field = model->magnets ? model->magnets->shortest : 0;
    return fmin(sizes > 0 ? sizes : HUGE_VAL, field > 0 ? field : HUGE_VAL);
}

/* The step that the run's numbers hold exactly, so that its clock and its positions agree. */
static double representable(const vxe_model *model, double step)
{
    return model->precision == VXE_PRECISION_DOUBLE ? step : (double)(float)step;
}

vxe_status vxe_step_plan_make(vxe_step_plan *plan, const vxe_model *model, double seconds,
                              double scale, vxe_error *error)
{
    const vxe_step_rule rule = model->conventions.step_rule;
    const vxe_damping_scheme damping = model->conventions.damping;
    *plan = (vxe_step_plan){.rule = rule,
                            .lambda_k = model->spectrum.lambda_k + steeper_floor(model) +
                                        (model->particles ? model->particles->lambda_k : 0) +
                                        (model->magnets ? model->magnets->lambda : 0) +
                                        model->external_lambda,
                            .lambda_c = model->spectrum.lambda_c,
                            .lambda_c_all = model->spectrum.lambda_c_all +
                                            (model->particles ? model->particles->lambda_c : 0)};
    if (!(scale > 0 && scale < 1e6) ||
        (rule == VXE_STEP_SECONDS && !(seconds > 0 && seconds < 1e6))) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "time step of %g s times %g: both must be above 0", seconds, scale);
    }
    const bool damping_iterations =
        damping == VXE_DAMPING_SWEEP
            ? plan->lambda_c > 0
            : damping == VXE_DAMPING_AUTO && prefer_iteration(model, plan, rule, seconds);
    double step = rule_step(model, plan, rule, damping_iterations, seconds);
    if (rule == VXE_STEP_AUTO) {
        step = fmin(step, shortest_period(model) / STEPS_PER_PERIOD);
        step = fmin(step, model->particles ? model->particles->longest : HUGE_VAL);
    }
    if (!(step > 0)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "no time step above 0 s suits this design");
    }
    plan->time_step = representable(model, scale * (isfinite(step) ? step : IDLE_STEP));
    plan->damping = damping_iterations ? VXE_DAMPING_SWEEP : VXE_DAMPING_EXPLICIT;
    if (damping_iterations) {
        plan->damping_iterations =
            choose_iterations(model, plan, plan->time_step, plan->coefficient);
        if (plan->damping_iterations == 0) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "the bonds' dashpots are too strong for a time step of %g s; "
                                  "choose a shorter one or auto",
                                  plan->time_step);
        }
    }
    if (model->voxelyze &&
        model->voxelyze->steps) { /* nobody knows: dashpots there are a step late */
        plan->stable_step = HUGE_VAL;
        return VXE_OK;
    }
    const double wide = widening(model);
    plan->stable_step = damping_iterations
                            ? iteration_limit(model, wide * plan->lambda_k)
                            : vxe_explicit_limit(wide * plan->lambda_k, wide * plan->lambda_c_all);
    return VXE_OK;
}
