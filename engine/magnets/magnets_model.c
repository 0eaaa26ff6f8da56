/* SPDX-License-Identifier: MIT */
/* Compiles the magnets of a design: moments and susceptibilities by voxel, the external field and
   its fastest change, and a bound for the time step (docs/magnets.md, Time step). */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/messages_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/magnets/magnets.h"
#include "engine/model/model.h"

/* Maximum number of dipoles that act on each other, without and with a reach. */
#define MAX_DIPOLES (1u << 18)
#define MAX_WITHIN_REACH (1u << 24)
/* Number of times at which the external field is sampled before a run, and the time span (s) of a
 * design without a duration. */
#define SAMPLES 4096
#define USUAL_DURATION 10.0
/* Fractional part of the golden ratio: its multiples modulo 1 fill an interval evenly and never
   repeat, so no period of the field is missed. */
#define GOLDEN 0.61803398874989485
/* Sums of r^-5 and r^-4 over a cubic lattice (r in edges) without its own point. */
#define SUM_5 10.4
#define SUM_4 16.6
/* The sum of r^-3 grows as 4 pi/3 times the logarithm of the number of points: by this with each
   doubling. */
#define SUM_3_BY_DOUBLING 2.91
/* Minimum damping ratio of bonds below which loads in every k-th step resonate. */
#define MIN_DAMPED 0.1
/* Safety factor for a lattice that is compressed as a whole. */
#define NEARER 1.5
/* Distance, in the smallest edges, to which touching voxels may come: two magnets that contact
 * holds apart stay above 0.8 (docs/magnets.md, Near dipoles), those that fall onto each other get
 * nearer. Nearer ones end the run. */
#define NEAREST 0.7
/* Voxels that may be that near to one. */
#define NEAR_ONES 6
/* Bodies whose dipoles may pass through each other swing about each other at all amplitudes: at the
   bound of linear theory they heat up. */
#define MEETING 8.0
/* A single voxel that is thrown over in a field, w^2 = m B/I, is a pendulum, and its steps are
   those of the standard map with K = (w h)^2, which wanders through all energies from K = .97 on
   (Chirikov1979, Greene1979). At the bound of linear theory K is 1.9; by so much less it stays in a
   layer. */
#define TUMBLING 16.0
/* Largest second derivative of the energy of two softened dipoles, which is where they meet: by k
 * m^2/e^5. */
#define SOFTENED_5 9.0

static const char *const time_name[1] = {"t"};

void vxe_magnets_release(vxe_magnets *magnets)
{
    if (!magnets) {
        return;
    }
    for (int c = 0; c < 3; c++) {
        vxe_expression_clear(&magnets->field[c]);
    }
    for (int c = 0; c < VXE_GRADIENT_PARTS; c++) {
        vxe_expression_clear(&magnets->gradient[c]);
    }
    vxe_memory_release(magnets->slot);
    vxe_memory_release(magnets->moment);
    vxe_memory_release(magnets->soft);
    vxe_memory_release(magnets);
}

/* Value of a formula at a time; 0 without a formula. */
static double value_of(const vxe_expression *expression, double time)
{
    const double *variables[1] = {&time};
    double value = 0;
    if (expression->count > 0) {
        vxe_expression_run(expression, variables, 1, &value);
    }
    return value;
}

vxe_magnet_field vxe_magnets_field_at(const vxe_magnets *magnets, double time)
{
    vxe_magnet_field field;
    double g[VXE_GRADIENT_PARTS];
    for (int c = 0; c < 3; c++) {
        field.uniform[c] = value_of(&magnets->field[c], time);
        field.reference[c] = magnets->reference[c];
    }
    for (int c = 0; c < VXE_GRADIENT_PARTS; c++) {
        g[c] = value_of(&magnets->gradient[c], time);
    }
    const double rows[3][3] = {{g[0], g[2], g[3]}, {g[2], g[1], g[4]}, {g[3], g[4], -g[0] - g[1]}};
    memcpy(field.gradient, rows, sizeof rows);
    return field;
}

/* Parses the formulas of the external field. */
static vxe_status parse_field(vxe_magnets *magnets, const vxe_design *design, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (int i = 0; i < 3 + VXE_GRADIENT_PARTS && !status; i++) {
        const vxe_formula which = (vxe_formula)(VXE_FORMULA_FIELD_X + i);
        const char *text = design->formulas[which];
        vxe_expression *into = i < 3 ? &magnets->field[i] : &magnets->gradient[i - 3];
        vxe_error inner;
        if (text && vxe_expression_parse(into, text, time_name, 1, &inner)) {
            status = vxe_error_fill(error, inner.status, "%s: %s", vxe_formula_name(which),
                                    inner.message);
        }
    }
    return status;
}

/* Euclidean norm. */
static double size_of(const double *numbers, int count)
{
    double square = 0;
    for (int i = 0; i < count; i++) {
        square += numbers[i] * numbers[i];
    }
    return sqrt(square);
}

/* Bounds on the external field at the magnets. */
typedef struct field_sizes {
    double field;    /* T */
    double change;   /* T/s */
    double gradient; /* T/m */
} field_sizes;

/* T: bound on the difference of two fields within a distance (m) from the reference. */
static double way_between(const vxe_magnet_field *a, const vxe_magnet_field *b, double farthest)
{
    double uniform[3];
    double gradient[9];
    for (int i = 0; i < 9; i++) {
        uniform[i % 3] = b->uniform[i % 3] - a->uniform[i % 3];
        gradient[i] = b->gradient[i / 3][i % 3] - a->gradient[i / 3][i % 3];
    }
    return size_of(uniform, 3) + farthest * size_of(gradient, 9);
}

/* Bounds at a time; later is a short span (s). A jump of the field is no rate of change, and falls
   into one of two adjacent spans at most: the smaller of their rates counts. */
static field_sizes sizes_at(const vxe_magnets *magnets, double time, double later, double farthest)
{
    vxe_magnet_field at[3];
    const vxe_magnet_field none = {{0}, {{0}}, {0}};
    for (int i = 0; i < 3; i++) {
        at[i] = vxe_magnets_field_at(magnets, time + i * later);
    }
    const double first = way_between(&at[0], &at[1], farthest);
    const double second = way_between(&at[1], &at[2], farthest);
    return (field_sizes){way_between(&none, &at[0], farthest),
                         (first < second ? first : second) / later,
                         size_of(&at[0].gradient[0][0], 9)};
}

/* m: maximum distance of magnets from the reference at the start, plus the length of the body as an
 * allowance for motion. */
static double farthest_of(const vxe_magnets *magnets, const vxe_model *model,
                          const vxe_design *design)
{
    double farthest = 0;
    for (uint32_t k = 0; k < magnets->count; k++) {
        double way[3];
        for (int c = 0; c < 3; c++) {
            way[c] = vxe_model_rest(model, design, c, (uint32_t)magnets->slot[k]) -
                     magnets->reference[c];
        }
        farthest = fmax(farthest, size_of(way, 3));
    }
    return farthest + size_of(model->extent, 3);
}

/* Rounds a period down by at most 1/32, so that small differences in sampling do not change the
   time step. */
static double rounded_down(double period)
{
    int exponent = 0;
    const double part = frexp(period, &exponent);
    return ldexp(floor(part * 32) / 32, exponent);
}

/* Samples the external field over the run: its maximum and its fastest change. */
static vxe_status sample_field(vxe_magnets *magnets, const vxe_model *model,
                               const vxe_design *design, field_sizes *largest, vxe_error *error)
{
    const double duration = design->stop.duration > 0 ? design->stop.duration : USUAL_DURATION;
    const double farthest = farthest_of(magnets, model, design);
    *largest = (field_sizes){0};
    for (int i = 0; i <= SAMPLES; i++) {
        const double cycles = i * GOLDEN;
        const double time = duration * (cycles - floor(cycles));
        const field_sizes at = sizes_at(magnets, time, 1e-7 * duration, farthest);
        if (!isfinite(at.field + at.change + at.gradient)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "the external magnetic field has no value at t = %g s", time);
        }
        largest->field = fmax(largest->field, at.field);
        largest->change = fmax(largest->change, at.change);
        largest->gradient = fmax(largest->gradient, at.gradient);
    }
    magnets->largest = largest->field;
    magnets->shortest =
        largest->change > 0 ? rounded_down(VXE_TAU * largest->field / largest->change) : 0;
    return VXE_OK;
}

/* Smallest factor on an edge. */
static double narrowest_of(const vxe_model *model)
{
    double narrowest = 1;
    for (uint32_t g = 0; g < model->group_count && model->bounds; g++) {
        narrowest = fmin(narrowest, model->bounds[g].min);
    }
    return narrowest;
}

/* Whether a softening or a cap keeps forces bounded wherever the dipoles are. */
static bool is_bounded(const vxe_magnets *magnets)
{
    return fmax(magnets->soften, magnets->cap) * magnets->divisions >= VXE_SAFE_SOFTENING;
}

/* Smallest distance of dipoles that the step resolves, in edges: the softening or the cap, or the
   distance to which contact lets those of two voxels come. */
static double resolved_distance(const vxe_magnets *magnets, const vxe_model *model)
{
    return is_bounded(magnets) ? fmax(magnets->soften, magnets->cap)
                               : NEAREST * narrowest_of(model) / magnets->divisions;
}

/* Whether a magnet has no bonds, or may lose them. */
static bool may_tumble(const vxe_magnets *magnets, const vxe_model *model)
{
    bool alone = vxe_model_breaks(model);
    for (uint32_t k = 0; k < magnets->count && !alone; k++) {
        alone = vxe_topology_is_alone(&model->topology, (uint32_t)magnets->slot[k]);
    }
    return alone;
}

/* A bound on what magnets add to the largest eigenvalue of M^-1 K (Gershgorin1931): each pair's
   second derivatives are at most 24 k m^2/r^5 by two places, 6 k m^2/r^4 by place and angle, 2 k
   m^2/r^3 by two angles, some of them as near as the step resolves; in the external field m B by
   angles and m G by place and angle. */
static double bound_of(vxe_magnets *magnets, const vxe_model *model, double moment,
                       const field_sizes *outside)
{
    VXE_ASSERT(magnets->count > 0 && magnets->every > 0);
    const double a = model->edge;
    const double others = magnets->count - 1.0;
    double lightest = HUGE_VAL;
    for (uint32_t k = 0; k < magnets->count; k++) {
        lightest = fmin(lightest, vxe_real_at(model->precision, model->arrays.mass,
                                              (uint32_t)magnets->slot[k]));
    }
    const double closest = fmin(others, NEAR_ONES);
    const double r = resolved_distance(magnets, model) * magnets->divisions; /* of their spacing */
    const bool softened = r == magnets->soften * magnets->divisions;
    const bool meets = model->topology.body_count > 1 || vxe_model_breaks(model);
    const double allowance = is_bounded(magnets) && meets ? MEETING : 1;
    const double by_5 =
        allowance * magnets->divisions * (softened ? SOFTENED_5 / 24 : 1) / pow(r, 5);
    const double by_4 = closest * (allowance * pow(r, -4) - NEARER);
    const double sum_4 = NEARER * fmin(others, SUM_4) + fmax(by_4, 0);
    const double sum_5 = closest * by_5 + NEARER * (fmin(others, SUM_5) - closest);
    const double parts = magnets->parts;
    magnets->at_an_edge = 48 * VXE_MU0 / (2 * VXE_TAU) * moment * moment * magnets->divisions *
                          magnets->divisions / (parts * parts * pow(a, 5) * lightest);
    const double inertia = lightest * a * a / 6;
    const double mixed = sqrt(lightest * inertia);
    const double k = VXE_MU0 / (2 * VXE_TAU) * moment * moment;
    int doublings = 0;
    (void)frexp(1 + others, &doublings); /* the logarithm is less than ln 2 times that */
    const double sum_3 = NEARER * fmin(others, SUM_4 + SUM_3_BY_DOUBLING * doublings) +
                         fmax(closest * (allowance * pow(r, -3) - NEARER), 0);
    const double a3 = a * a * a;
    const double by_pairs = 2 * 24 * k * sum_5 / (a3 * a * a) / lightest +
                            2 * 6 * k * sum_4 / (a3 * a) / mixed + 2 * 2 * k * sum_3 / a3 / inertia;
    const double tumbles = may_tumble(magnets, model) ? TUMBLING : 1;
    const double by_field =
        moment * (tumbles * outside->field / inertia + outside->gradient / mixed);
    /* k-fold loads in every k-th step are like a step k times as long */
    const double times = (double)magnets->every * magnets->every;
    return (magnets->pairs ? times * by_pairs : 0) + by_field;
}

/* Fills moments and susceptibilities of the voxels that have one. */
static vxe_status fill_moments(vxe_magnets *magnets, const vxe_model *model,
                               const vxe_design *design, vxe_error *error)
{
    const vxe_layer *layer = vxe_design_find_layer(design, "Magnetization");
    const double cell = model->edge * model->edge * model->edge;
    const uint32_t voxels = design->voxel_count;
    magnets->slot = vxe_memory_take(voxels, sizeof *magnets->slot);
    magnets->moment = vxe_memory_take(3ull * voxels, sizeof *magnets->moment);
    magnets->soft = magnets->induced ? vxe_memory_take(voxels, sizeof *magnets->soft) : NULL;
    if (!magnets->slot || !magnets->moment || (magnets->induced && !magnets->soft)) {
        return vxe_error_memory(error, 40ull * voxels);
    }
    for (uint32_t slot = 0; slot < voxels; slot++) {
        const uint32_t voxel = model->topology.order[slot];
        const vxe_material *material = &design->materials[design->voxels[voxel].material];
        const double *m = layer ? layer->values + 3ull * voxel : material->magnetization;
        const double chi = magnets->induced ? material->susceptibility : 0;
        const uint32_t k = magnets->count;
        if (m[0] == 0 && m[1] == 0 && m[2] == 0 && chi == 0) {
            continue;
        }
        magnets->slot[k] = (int32_t)slot;
        for (int c = 0; c < 3; c++) {
            magnets->moment[3 * (size_t)k + (size_t)c] = m[c] * cell;
        }
        if (magnets->induced) { /* of a sphere: M = chi H with H = H0 - M/3 */
            magnets->soft[k] = cell * chi / (VXE_MU0 * (1 + chi / 3));
        }
        magnets->count++;
    }
    return VXE_OK;
}

/* Expected maximum moment (A m^2) of a voxel. */
static double largest_moment(const vxe_magnets *magnets)
{
    double largest = 0;
    for (uint32_t k = 0; k < magnets->count; k++) {
        const double soft = magnets->soft ? magnets->soft[k] * magnets->largest : 0;
        largest = fmax(largest, size_of(magnets->moment + 3 * (size_t)k, 3) + soft);
    }
    return largest;
}

/* Compiles all of the magnets. */
static vxe_status fill(vxe_magnets *magnets, const vxe_model *model, const vxe_design *design,
                       vxe_error *error)
{
    const vxe_magnetics *m = &design->magnetics;
    field_sizes outside = {0};
    /* without pairs, one dipole per voxel is exact: the external field is linear in space */
    magnets->divisions = m->divisions > 1 && !m->alone ? m->divisions : 1;
    magnets->parts = magnets->divisions * magnets->divisions * magnets->divisions;
    magnets->every = m->every > 1 && model->min_ratio >= MIN_DAMPED ? m->every : 1;
    magnets->pairs = !m->alone;
    magnets->induced = m->induces;
    magnets->cap = m->dipole_cap / model->edge;
    magnets->soften = m->dipole_soften / model->edge;
    magnets->reach = m->dipole_d > 0 ? 1 + m->dipole_d / model->edge : HUGE_VAL;
    for (int c = 0; c < 3; c++) {
        magnets->reference[c] = m->reference[c] - model->origin[c];
    }
    vxe_status status = parse_field(magnets, design, error);
    status = status ? status : fill_moments(magnets, model, design, error);
    status = status ? status : sample_field(magnets, model, design, &outside, error);
    const uint32_t max = magnets->reach < HUGE_VAL ? MAX_WITHIN_REACH : MAX_DIPOLES;
    if (!status && magnets->pairs && (uint64_t)magnets->count * magnets->parts > max) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "%u voxels of %u dipoles each: at most %u dipoles act on each other, "
                              "or %u within a dipole_d (\"alone\" leaves them the external field)",
                              magnets->count, magnets->parts, MAX_DIPOLES, MAX_WITHIN_REACH);
    }
    if (!status && magnets->count > 0) {
        const double moment = largest_moment(magnets);
        magnets->unit = moment > 0 ? moment / magnets->parts : 1;
        magnets->lambda = bound_of(magnets, model, moment, &outside);
        magnets->steepest =
            is_bounded(magnets) ? HUGE_VAL : pow(resolved_distance(magnets, model), -10);
    }
    return status;
}

/* Warns of combinations that users may not expect. */
static void warn(const vxe_model *model, const vxe_design *design, vxe_messages *warnings)
{
    const vxe_magnetics *m = &design->magnetics;
    bool soft = false;
    for (uint32_t i = 0; i < design->material_count; i++) {
        soft = soft || design->materials[i].susceptibility > 0;
    }
    if (soft && !m->induces) {
        vxe_messages_add(warnings,
                         "susceptibility has no effect: \"induces\" of the magnetics is not set");
    }
    if (!m->alone && !design->self_collision && !is_bounded(model->magnets) &&
        model->topology.body_count > 1) {
        vxe_messages_add(warnings, "a run ends where magnetic bodies meet: set self_collision, or "
                                   "soften the dipoles by 0.4 edges");
    }
    if (!m->alone && m->dipole_cap > 0) {
        vxe_messages_add(warnings, "capped dipoles have no potential: the energy guard can not "
                                   "tell gains of theirs; soften them by as much instead");
    }
    if (!m->alone && m->every > model->magnets->every) {
        vxe_messages_add(
            warnings,
            "dipoles act in every step: in every %u. only they would make bonds resonate that are "
            "damped by less than %g",
            m->every, MIN_DAMPED);
    }
}

vxe_status vxe_model_fill_magnets(vxe_model *model, const vxe_design *design,
                                  vxe_messages *warnings, vxe_error *error)
{
    bool magnetised = vxe_design_find_layer(design, "Magnetization") != NULL;
    for (uint32_t i = 0; i < design->material_count; i++) {
        magnetised = magnetised || size_of(design->materials[i].magnetization, 3) > 0;
    }
    if (!design->magnetics.enabled) {
        if (magnetised && model->conventions.law != VXE_LAW_EVOSORO) {
            vxe_messages_add(warnings, "voxels are magnetised, but the design's magnetics are off");
        }
        return VXE_OK;
    }
    vxe_magnets *magnets = vxe_memory_take(1, sizeof *magnets);
    if (!magnets) {
        return vxe_error_memory(error, sizeof *magnets);
    }
    const vxe_status status = fill(magnets, model, design, error);
    if (status || magnets->count == 0) {
        vxe_magnets_release(magnets);
        if (!status) {
            vxe_messages_add(warnings, "magnetics act on nothing: no voxel is magnetised");
        }
        return status;
    }
    model->magnets = magnets;
    warn(model, design, warnings);
    return VXE_OK;
}
