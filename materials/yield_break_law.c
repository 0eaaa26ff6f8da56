/* SPDX-License-Identifier: MIT */
/* Plasticity and breaking of the axial spring of a bond: return mapping with isotropic hardening in
   one dimension (SimoHughes1998; docs/physics.md, Plasticity and breaking). */
#include "materials/yield_break_law.h"

#include <math.h>

#include "common/assert_internal.h"

/* Maximum of the hardening modulus, as a multiple of E: a curve that is as steep as at first does
   not yield. */
#define MAX_HARDENING 1e9

/* Yield curve of one material: stress as a function of its plastic strain. */
typedef struct curve {
    uint32_t count; /* points; 0: the material never yields */
    double plastic_strain[VXE_CURVE_POINTS];
    double stress[VXE_CURVE_POINTS];
    double softness; /* 1/Pa: plastic strain per stress beyond the last point; infinite: perfectly
                        plastic */
} curve;

/* Curve from bilinear moduli: 1/Ep = 1/E + 1/H. */
static curve bilinear(const vxe_material *m, double modulus)
{
    const double plastic = m->plastic_modulus;
    return (curve){.count = 1,
                   .stress = {m->yield_stress},
                   .softness = plastic >= modulus ? 0
                               : plastic > 0      ? 1 / plastic - 1 / modulus
                                                  : HUGE_VAL};
}

/* Curve from measured points: plastic strain is strain minus stress/E, E being the first slope. */
static curve measured(const vxe_material *m)
{
    curve c = {0};
    VXE_ASSERT(m->curve_count >= 2 && m->curve_count <= VXE_CURVE_POINTS);
    const double modulus = m->curve_stress[1] / m->curve_strain[1];
    for (uint32_t i = 1; i < m->curve_count; i++) {
        const double plastic_strain = m->curve_strain[i] - m->curve_stress[i] / modulus;
        const double before = c.count > 0 ? c.plastic_strain[c.count - 1] : 0;
        c.plastic_strain[c.count] = plastic_strain > before && i > 1
                                        ? plastic_strain
                                        : before; /* as steep as at first: no plastic strain */
        c.stress[c.count++] = m->curve_stress[i];
    }
    const uint32_t last = c.count - 1;
    const double rise = last > 0 ? c.stress[last] - c.stress[last - 1] : 0;
    c.softness = rise > 0 ? (c.plastic_strain[last] - c.plastic_strain[last - 1]) / rise : HUGE_VAL;
    return c;
}

/* Yield curve of a material. */
static curve curve_of(const vxe_material *m, double modulus)
{
    if (m->model == VXE_MATERIAL_BILINEAR && m->yield_stress > 0) {
        return bilinear(m, modulus);
    }
    return m->model == VXE_MATERIAL_MEASURED && m->curve_count > 2 ? measured(m) : (curve){0};
}

/* Plastic strain at a stress. */
static double plastic_strain_at(const curve *c, double stress)
{
    if (c->count == 0 || stress <= c->stress[0]) {
        return 0;
    }
    for (uint32_t i = 1; i < c->count; i++) {
        if (stress <= c->stress[i]) {
            const double part = (stress - c->stress[i - 1]) / (c->stress[i] - c->stress[i - 1]);
            return c->plastic_strain[i - 1] +
                   part * (c->plastic_strain[i] - c->plastic_strain[i - 1]);
        }
    }
    return c->plastic_strain[c->count - 1] + c->softness * (stress - c->stress[c->count - 1]);
}

/* Highest stress that a curve reaches: finite if it ends flat. */
static double ceiling_of(const curve *c)
{
    return c->count > 0 && isinf(c->softness) ? c->stress[c->count - 1] : HUGE_VAL;
}

bool vxe_material_yields(const vxe_material *m)
{
    return m->model != VXE_MATERIAL_LINEAR &&
           (m->fail_stress > 0 || m->fail_strain > 0 ||
            (m->model == VXE_MATERIAL_BILINEAR && m->yield_stress > 0) ||
            (m->model == VXE_MATERIAL_MEASURED && m->curve_count > 1));
}

/* The smaller of two limits; 0 means none. */
static double weaker(double first, double second)
{
    const double a = first > 0 ? first : HUGE_VAL;
    const double b = second > 0 ? second : HUGE_VAL;
    return a < b ? a : b;
}

/* Strain at which a material breaks, 0 for none. Without a stated failure, a measured curve breaks
   at its last point. */
static double fail_strain_of(const vxe_material *m)
{
    const bool ends = m->model == VXE_MATERIAL_MEASURED && m->curve_count > 1;
    return m->model == VXE_MATERIAL_LINEAR ? 0
           : m->fail_strain > 0            ? m->fail_strain
           : ends && !(m->fail_stress > 0) ? m->curve_strain[m->curve_count - 1]
                                           : 0;
}

/* Adds a point: the bond's plastic strain at a stress is the mean of its two halves. */
static void add_point(vxe_yield_law *law, const curve *first, const curve *second, double stress)
{
    VXE_ASSERT(law->count < VXE_YIELD_POINTS);
    VXE_ASSERT(law->count == 0 || stress >= law->stress[law->count - 1]);
    law->plastic_strain[law->count] =
        0.5 * (plastic_strain_at(first, stress) + plastic_strain_at(second, stress));
    law->stress[law->count++] = stress;
}

vxe_yield_law vxe_yield_law_of(const vxe_material *first, double first_modulus,
                               const vxe_material *second, double second_modulus, bool tension_only)
{
    const double sum = first_modulus + second_modulus;
    const curve a = curve_of(first, first_modulus);
    const curve b = curve_of(second, second_modulus);
    vxe_yield_law law = {.modulus = sum > 0 ? 2 * first_modulus * second_modulus / sum : 0,
                         .fail_stress =
                             weaker(first->model != VXE_MATERIAL_LINEAR ? first->fail_stress : 0,
                                    second->model != VXE_MATERIAL_LINEAR ? second->fail_stress : 0),
                         .fail_strain = weaker(fail_strain_of(first), fail_strain_of(second)),
                         .tension_only = tension_only};
    const double ceiling = fmin(ceiling_of(&a), ceiling_of(&b));
    uint32_t i = 0;
    uint32_t j = 0;
    while (i < a.count || j < b.count) { /* merge: both are sorted by stress */
        const double next_a = i < a.count ? a.stress[i] : HUGE_VAL;
        const double next_b = j < b.count ? b.stress[j] : HUGE_VAL;
        const double stress = fmin(next_a, next_b);
        i += next_a == stress;
        j += next_b == stress;
        if (stress <= ceiling) {
            add_point(&law, &a, &b, stress);
        }
    }
    if (law.count > 0 && isinf(ceiling)) {
        const double softness =
            0.5 * ((a.count > 0 ? a.softness : 0) + (b.count > 0 ? b.softness : 0));
        const double max = MAX_HARDENING * law.modulus;
        law.hardening = softness * max > 1 ? 1 / softness : max;
    }
    return law;
}

/* Stress at which a bond yields after a plastic strain. */
static double stress_at(const vxe_yield_law *law, double plastic_strain)
{
    for (uint64_t i = 1; i < law->count; i++) {
        if (plastic_strain < law->plastic_strain[i]) {
            const double part = (plastic_strain - law->plastic_strain[i - 1]) /
                                (law->plastic_strain[i] - law->plastic_strain[i - 1]);
            return law->stress[i - 1] + part * (law->stress[i] - law->stress[i - 1]);
        }
    }
    VXE_ASSERT(law->count > 0 && law->count <= VXE_YIELD_POINTS);
    const uint64_t last = law->count - 1;
    return law->stress[last] + law->hardening * (plastic_strain - law->plastic_strain[last]);
}

/* Return mapping: the plastic strain w at which the trial stress, reduced by E for each further
   plastic strain, is on the curve S: trial - E (w - plastic_strain) = S(w), solved segment by
   segment. */
static double return_to_curve(const vxe_yield_law *law, double trial, double plastic_strain)
{
    const double e = law->modulus;
    VXE_ASSERT(law->count > 0 && e > 0);
    for (uint64_t i = 0; i < law->count; i++) {
        if (law->plastic_strain[i] > plastic_strain &&
            trial - e * (law->plastic_strain[i] - plastic_strain) <= law->stress[i]) {
            const double begin = i > 0 && law->plastic_strain[i - 1] > plastic_strain
                                     ? law->plastic_strain[i - 1]
                                     : plastic_strain;
            const double low = stress_at(law, begin);
            if (!(law->plastic_strain[i] > begin)) {
                return begin; /* a vertical part of the curve: stress rises at one plastic strain */
            }
            const double slope = (law->stress[i] - low) / (law->plastic_strain[i] - begin);
            return begin + (trial - e * (begin - plastic_strain) - low) / (e + slope);
        }
    }
    const uint64_t last = law->count - 1;
    const double begin =
        law->plastic_strain[last] > plastic_strain ? law->plastic_strain[last] : plastic_strain;
    const double low = stress_at(law, begin);
    return begin + (trial - e * (begin - plastic_strain) - low) / (e + law->hardening);
}

bool vxe_yield_update(const vxe_yield_law *law, double strain, vxe_yield_state *state)
{
    VXE_ASSERT(law->count <= VXE_YIELD_POINTS);
    VXE_ASSERT(state->plastic_strain >= 0);
    if (state->broken) {
        return false;
    }
    bool changed = false;
    const double trial = law->modulus * (strain - state->permanent_strain);
    const double size = fabs(trial);
    if (law->count > 0 && size > stress_at(law, state->plastic_strain) &&
        (trial > 0 || law->tension_only == 0)) {
        const double plastic_strain = return_to_curve(law, size, state->plastic_strain);
        state->permanent_strain += trial > 0 ? plastic_strain - state->plastic_strain
                                             : state->plastic_strain - plastic_strain;
        state->plastic_strain = plastic_strain;
        changed = true;
    }
    if (law->modulus * (strain - state->permanent_strain) >= law->fail_stress ||
        strain >= law->fail_strain) {
        state->broken = true;
        changed = true;
    }
    return changed;
}

double vxe_yield_range(const vxe_yield_law *law, const vxe_yield_state *state)
{
    if (state->broken || law->modulus <= 0) {
        return HUGE_VAL;
    }
    double range =
        fmin(law->fail_stress / law->modulus, law->fail_strain - state->permanent_strain);
    if (law->count > 0) {
        range = fmin(range, stress_at(law, state->plastic_strain) / law->modulus);
    }
    return range > 0 ? range : 0;
}
