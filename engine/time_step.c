/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/step_internal.h"

/* Lanczos estimates from below, within about 1 %; physics of the rule asks for 1.05. */
#define SPECTRUM_MARGIN 1.05
/* Dashpot eigenvalues grow with the square of a stretched bond's length; the sweeps' polynomial
 * leaves that much room. */
#define SWEEP_MARGIN 1.6
/* Steps per shortest actuation period. */
#define STEPS_PER_PERIOD 100.0
/* Step of a body that nothing drives, s. */
#define IDLE_STEP 1e-3
/* Voxels above which fewer Lanczos iterations are made: each costs a step, and bulk bodies'
 * estimates are within 2 % after twenty. */
#define LARGE_BODY 30000u
/* Largest shortfall of the sweeps' polynomial that is accepted. */
#define SWEEP_SHORTFALL 0.5
/* Work of each sweep in explicit steps. Measured with bond_throughput on cube_20. */
#define WORK_SWEEP 0.6
/* Sweeps damp more exactly and step further: they are taken unless explicit dashpots simulate that
 * much more time per work. */
#define SWEEP_PREFERENCE 1.4

double vxe_explicit_limit(double lambda_k, double lambda_c)
{
    return lambda_k > 0 ? (sqrt(lambda_c * lambda_c + 4 * lambda_k) - lambda_c) / lambda_k
                        : (lambda_c > 0 ? 2 / lambda_c : HUGE_VAL);
}

/* Coefficients of T_m(x0 - k y) in powers of y, by the recurrence. */
static void shifted_chebyshev(uint32_t m, double x0, double k, double *coefficients)
{
    double older[VXE_MOST_SWEEPS + 2] = {1};
    double newer[VXE_MOST_SWEEPS + 2] = {x0, -k};
    for (uint32_t n = 1; n < m; n++) {
        double next[VXE_MOST_SWEEPS + 2];
        for (uint32_t i = 0; i <= m; i++) {
            next[i] = 2 * x0 * newer[i] - (i > 0 ? 2 * k * newer[i - 1] : 0) - older[i];
        }
        memcpy(older, newer, sizeof older);
        memcpy(newer, next, sizeof newer);
    }
    memcpy(coefficients, newer, sizeof newer);
}

double vxe_sweep_polynomial(uint32_t sweeps, double reach, double *nested)
{
    const uint32_t m = sweeps + 1;
    double sine = 0;
    double x0 = 0;
    double r[VXE_MOST_SWEEPS + 2];
    double q[VXE_MOST_SWEEPS + 1];
    vxe_sincos_cycles(0.5 / m, &sine, &x0);
    shifted_chebyshev(m, x0, (1 + x0) / reach, r);
    double top = 0; /* T_m at y = -1 */
    for (uint32_t i = 0; i <= m; i++) {
        top += i % 2 ? -r[i] : r[i];
    }
    const double a = 2 / (1 + top);
    if (!(top > 1)) {
        return 2;
    }
    /* 1 - R, divided by 1 + y from the constant up */
    for (uint32_t i = 0; i < m; i++) {
        const double numerator = (i == 0 ? 1 - a / 2 : 0) - a / 2 * r[i];
        q[i] = numerator - (i > 0 ? q[i - 1] : 0);
    }
    for (uint32_t i = 0; i < sweeps; i++) {
        nested[i] = -q[i + 1] / q[i];
    }
    return a;
}

/* A vector over the six freedoms of every voxel, weighted by the square root of mass and inertia.
 */
typedef struct krylov {
    double *at[6];
    double *block;
} krylov;

static bool krylov_take(krylov *vector, uint32_t slots)
{
    vector->block = vxe_memory_take(6ull * slots, sizeof(double));
    for (int c = 0; c < 6 && vector->block; c++) {
        vector->at[c] = vector->block + (uint64_t)c * slots;
    }
    return vector->block != NULL;
}

static double krylov_dot(const krylov *a, const krylov *b, uint32_t count)
{
    double sum = 0;
    for (int c = 0; c < 6; c++) {
        for (uint32_t i = 0; i < count; i++) {
            sum += a->at[c][i] * b->at[c][i];
        }
    }
    return sum;
}

/* One problem: the scratch bound to a trial state, and which matrix. */
typedef struct problem {
    vxe_scratch *scratch;
    vxe_state *state;
    bool springs; /* K with floor springs, else C */
    bool floor;   /* C: with floor and global dashpots */
} problem;

/* result = M^-1/2 (K or C) M^-1/2 z. K by the force at rest displaced by a small multiple of z:
   forces are exactly zero at rest, so one evaluation serves, and the displacement (1e-7 of a voxel)
   keeps both rounding and curvature below 1e-6. */
static void apply(const problem *p, const krylov *z, krylov *result)
{
    const vxe_model *model = p->scratch->model;
    const vxe_kernel_arrays *arrays = &p->scratch->arrays;
    const uint32_t count = model->topology.voxel_count;
    const double *inverse[6] = {arrays->inverse_mass[0],    arrays->inverse_mass[1],
                                arrays->inverse_mass[2],    arrays->inverse_inertia[0],
                                arrays->inverse_inertia[1], arrays->inverse_inertia[2]};
    double largest = 0;
    for (int c = 0; c < 6; c++) {
        const double to_length = c < 3 ? 1 : model->edge;
        for (uint32_t i = 0; i < count; i++) {
            largest = fmax(largest, fabs(z->at[c][i]) * sqrt(inverse[c][i]) * to_length);
        }
    }
    const double scale = p->springs ? 1e-7 * model->edge / largest : 1;
    for (uint32_t i = 0; i < count; i++) {
        double u[6];
        for (int c = 0; c < 6; c++) {
            u[c] = scale * z->at[c][i] * sqrt(inverse[c][i]);
        }
        for (int c = 0; c < 3; c++) {
            p->state->x[c][i] = model->rest[c][i] + (p->springs ? u[c] : 0);
            p->state->q[c + 1][i] = p->springs ? 0.5 * u[c + 3] : 0;
            p->state->v[c][i] = p->springs ? 0 : u[c];
            p->state->w[c][i] = p->springs ? 0 : u[c + 3];
        }
        p->state->q[0][i] = 1 - 0.125 * (p->springs ? u[3] * u[3] + u[4] * u[4] + u[5] * u[5] : 0);
    }
    const vxe_pass pass = {.kernel = vxe_bond_kernel_for(model, p->springs, !p->springs), .h = 1};
    vxe_scratch_pass(p->scratch, &pass);
    for (int c = 0; c < 6; c++) {
        const double *rate = c < 3 ? p->state->v[c] : p->state->w[c - 3];
        const double *drag = c < 3 ? arrays->drag : arrays->spin_drag;
        for (uint32_t i = 0; i < count; i++) {
            const double root = sqrt(inverse[c][i]);
            const double before = p->springs ? 0 : z->at[c][i] * root;
            double value = root > 0 ? -(rate[i] - before) / (scale * root) : 0;
            if (c == 2 && arrays->floor_stiffness && (p->springs || p->floor)) {
                value += (p->springs ? arrays->floor_stiffness : arrays->floor_dashpot)[i] *
                         inverse[c][i] * z->at[c][i];
            }
            if (!p->springs && p->floor && drag) {
                value += drag[i] * inverse[c][i] * z->at[c][i];
            }
            result->at[c][i] = value;
        }
    }
}

/* Largest eigenvalue of the symmetric tridiagonal matrix by bisection on Sturm sequences. */
static double largest_ritz(const double *alpha, const double *beta, uint32_t n)
{
    double high = 0;
    for (uint32_t i = 0; i < n; i++) {
        high = fmax(high,
                    alpha[i] + (i > 0 ? fabs(beta[i - 1]) : 0) + (i + 1 < n ? fabs(beta[i]) : 0));
    }
    double low = 0;
    for (int turn = 0; turn < 100 && high - low > 1e-13 * high; turn++) {
        const double middle = 0.5 * (low + high);
        bool below = true; /* all eigenvalues below middle: all pivots negative */
        double pivot = 1;
        for (uint32_t i = 0; i < n && below; i++) {
            pivot = alpha[i] - middle - (i > 0 ? beta[i - 1] * beta[i - 1] / pivot : 0);
            below = pivot < 0;
        }
        *(below ? &high : &low) = middle;
    }
    return high;
}

/* Start of the iteration: reproducible noise, so that no symmetry hides the highest mode; zero on
 * fixed freedoms. */
static void fill_noise(const vxe_model *model, krylov *z)
{
    uint64_t seed = 0x243f6a8885a308d3ULL; /* digits of pi */
    for (int c = 0; c < 6; c++) {
        const double *inverse =
            c < 3 ? model->arrays.inverse_mass[c] : model->arrays.inverse_inertia[c - 3];
        for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
            seed =
                seed * 6364136223846793005ULL + 1442695040888963407ULL; /* Knuth's MMIX generator */
            z->at[c][i] = inverse[i] > 0 ? (double)(seed >> 11) * 0x1p-53 - 0.5 : 0;
        }
    }
}

/* vectors: z, previous, applied. Ends when the estimate grows by less than the tolerance, or at the
 * limit of iterations. */
static double lanczos(const problem *p, krylov vectors[3], uint32_t iterations, double tolerance)
{
    enum { MOST = 400 };
    double alpha[MOST];
    double beta[MOST];
    const uint32_t count = p->scratch->model->topology.voxel_count;
    krylov *z = &vectors[0];
    krylov *previous = &vectors[1];
    krylov *next = &vectors[2];
    fill_noise(p->scratch->model, z);
    memset(previous->block, 0, 6ull * p->scratch->model->slots * sizeof(double));
    double norm = sqrt(krylov_dot(z, z, count));
    double estimate = 0;
    double last_beta = 0;
    for (uint32_t n = 0; n < iterations && n < MOST && norm > 0; n++) {
        for (int c = 0; c < 6; c++) {
            for (uint32_t i = 0; i < count; i++) {
                z->at[c][i] /= norm;
            }
        }
        apply(p, z, next);
        alpha[n] = krylov_dot(z, next, count);
        for (int c = 0; c < 6; c++) {
            for (uint32_t i = 0; i < count; i++) {
                next->at[c][i] -= alpha[n] * z->at[c][i] + last_beta * previous->at[c][i];
            }
        }
        const double before = estimate;
        estimate = largest_ritz(alpha, beta, n + 1);
        norm = sqrt(krylov_dot(next, next, count));
        if (!(norm > 1e-12 * estimate) || (n > 8 && estimate - before < tolerance * estimate)) {
            break;
        }
        beta[n] = norm;
        last_beta = norm;
        krylov *spare = previous;
        previous = z;
        z = next;
        next = spare;
    }
    return estimate;
}

vxe_status vxe_spectrum(vxe_scratch *scratch, uint32_t iterations, double tolerance,
                        double *lambda_k, double *lambda_c, double *lambda_c_all, vxe_error *error)
{
    const vxe_model *model = scratch->model;
    krylov vectors[3] = {{{0}, NULL}, {{0}, NULL}, {{0}, NULL}};
    vxe_state state;
    vxe_status status = vxe_state_init(&state, model->slots, error);
    if (!status &&
        !(krylov_take(&vectors[0], model->slots) && krylov_take(&vectors[1], model->slots) &&
          krylov_take(&vectors[2], model->slots))) {
        status = vxe_error_memory(error, 18ull * model->slots * sizeof(double));
    }
    if (!status) {
        vxe_scratch_bind(scratch, &state);
        memcpy(scratch->arrays.size, model->arrays.base_size, model->slots * sizeof(double));
        for (int c = 0; c < 3; c++) {
            memcpy(state.x[c], model->rest[c], model->slots * sizeof(double));
        }
        const problem springs = {scratch, &state, true, false};
        const problem dashpots = {scratch, &state, false, false};
        const problem all_dashpots = {scratch, &state, false, true};
        const bool more = model->arrays.floor_dashpot || model->arrays.drag;
        *lambda_k = lanczos(&springs, vectors, iterations, tolerance);
        *lambda_c = model->most_ratio > 0 ? lanczos(&dashpots, vectors, iterations, tolerance) : 0;
        *lambda_c_all = more ? lanczos(&all_dashpots, vectors, iterations, tolerance) : *lambda_c;
    }
    for (int i = 0; i < 3; i++) {
        vxe_memory_release(vectors[i].block);
    }
    vxe_state_clear(&state);
    return status;
}

/* Factor on eigenvalues for actuation: those of rotation grow with the square of the edges as these
   lengthen. Measured: a body at 20 % amplitude loses stability at 1.19 of its rest value. */
static double widening(const vxe_model *model)
{
    return model->widest * model->widest;
}

/* Step of the explicit scheme: 0.9 of rule (TS), 0.7 where a bond is hardly damped. */
static double explicit_step(const vxe_model *model, const vxe_step_plan *plan)
{
    const double limit = vxe_explicit_limit(SPECTRUM_MARGIN * widening(model) * plan->lambda_k,
                                            widening(model) * plan->lambda_c_all);
    return (model->least_ratio < 0.02 ? 0.7 : 0.9) * limit;
}

/* The fewest sweeps (1 or even: beyond their reach those fail gently) that cover the dashpots with
 * the margin; 0 where none do. */
static uint32_t choose_sweeps(const vxe_model *model, const vxe_step_plan *plan, double time_step,
                              double *nested)
{
    const double reach = 0.5 * SWEEP_MARGIN * widening(model) * time_step * plan->lambda_c;
    for (uint32_t sweeps = 1; sweeps <= VXE_MOST_SWEEPS; sweeps += sweeps == 1 ? 1 : 2) {
        if (vxe_sweep_polynomial(sweeps, reach, nested) <= SWEEP_SHORTFALL) {
            return sweeps;
        }
    }
    return 0;
}

/* Step of the sweep scheme: 2/w_max, 0.9 or 0.7 of it where a bond is weakly damped or not at all.
 */
static double sweep_step(const vxe_model *model, const vxe_step_plan *plan)
{
    const double limit = 2 / sqrt(SPECTRUM_MARGIN * widening(model) * plan->lambda_k);
    const double factor = model->least_ratio == 0 ? 0.7 : model->least_ratio < 0.05 ? 0.9 : 1;
    double step = factor * limit;
    double nested[VXE_MOST_SWEEPS];
    while (choose_sweeps(model, plan, step, nested) ==
           0) { /* dashpots beyond every reach: shorter steps */
        step *= 0.9;
    }
    return step;
}

/* The step of a rule and scheme before the bounds that hold for all; infinite where nothing has
 * stiffness. */
static double rule_step(const vxe_model *model, const vxe_step_plan *plan, vxe_step_rule rule,
                        bool sweeps, double seconds)
{
    if (rule == VXE_STEP_SECONDS) {
        return seconds;
    }
    if (rule == VXE_STEP_SOURCE) {
        /* a body without bonds: its voxels' own E a / m, which the floor spring knows */
        const double w0 = model->w0 > 0 ? model->w0 : sqrt(plan->lambda_k);
        return w0 > 0 ? model->source_fraction / (VXE_TAU * w0) : HUGE_VAL;
    }
    return sweeps ? sweep_step(model, plan) : explicit_step(model, plan);
}

/* Whether the sweep scheme simulates more time per work than explicit dashpots; for a given step,
 * whether explicit is unstable. */
static bool prefer_sweeps(const vxe_model *model, const vxe_step_plan *plan, vxe_step_rule rule,
                          double seconds)
{
    if (plan->lambda_c <= 0 || model->conventions.peer_dashpots) {
        return false;
    }
    const double by_explicit = rule_step(model, plan, rule, false, seconds);
    if (rule != VXE_STEP_AUTO) {
        return by_explicit > explicit_step(model, plan);
    }
    const double by_sweeps = sweep_step(model, plan);
    double nested[VXE_MOST_SWEEPS];
    const double work = 1 + WORK_SWEEP * choose_sweeps(model, plan, by_sweeps, nested);
    return SWEEP_PREFERENCE * by_sweeps / work > by_explicit;
}

vxe_status vxe_step_plan_make(vxe_step_plan *plan, vxe_scratch *scratch, vxe_step_rule rule,
                              vxe_damping_scheme damping, double seconds, double scale,
                              vxe_error *error)
{
    const vxe_model *model = scratch->model;
    *plan = (vxe_step_plan){.rule = rule};
    if (!(scale > 0 && scale < 1e6) ||
        (rule == VXE_STEP_SECONDS && !(seconds > 0 && seconds < 1e6))) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "time step of %g s times %g: both must be above 0", seconds, scale);
    }
    const uint32_t iterations = model->topology.voxel_count > LARGE_BODY ? 24 : 60;
    vxe_status status = vxe_spectrum(scratch, iterations, 1e-4, &plan->lambda_k, &plan->lambda_c,
                                     &plan->lambda_c_all, error);
    if (status) {
        return status;
    }
    const bool sweeps =
        damping == VXE_DAMPING_SWEEP
            ? plan->lambda_c > 0
            : damping == VXE_DAMPING_AUTO && prefer_sweeps(model, plan, rule, seconds);
    double step = scale * rule_step(model, plan, rule, sweeps, seconds);
    if (rule == VXE_STEP_AUTO && model->arrays.size_sine) {
        step = fmin(step, model->actuation.period / STEPS_PER_PERIOD);
    }
    if (!(step > 0)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "no time step above 0 s suits this design");
    }
    plan->time_step = isfinite(step) ? step : IDLE_STEP;
    plan->damping = sweeps ? VXE_DAMPING_SWEEP : VXE_DAMPING_EXPLICIT;
    if (sweeps) {
        plan->sweeps = choose_sweeps(model, plan, plan->time_step, plan->nested);
        if (plan->sweeps == 0) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "the bonds' dashpots are too strong for a time step of %g s; "
                                  "choose a shorter one or auto",
                                  plan->time_step);
        }
    }
    plan->stable_step =
        sweeps ? 2 / sqrt(plan->lambda_k) : vxe_explicit_limit(plan->lambda_k, plan->lambda_c_all);
    return VXE_OK;
}
