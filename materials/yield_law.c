/* SPDX-License-Identifier: MIT */
#include "materials/yield_law.h"

#include <math.h>

/* Of E: what is as steep as at first does not yield. */
#define MAX_HARDENING 1e9

/* Plastic strain of one material at a stress beyond its first yield, and the points of its curve.
 */
typedef struct curve {
    uint32_t count; /* 0: it never yields */
    double plastic_strain[VXE_CURVE_POINTS];
    double stress[VXE_CURVE_POINTS];
    double softness; /* 1/Pa: plastic strain by stress beyond the last point; infinite: perfect */
} curve;

/* From bilinear moduli: 1/Ep = 1/E + 1/H. */
static curve bilinear(const vxe_material *m, double modulus)
{
    const double plastic = m->plastic_modulus;
    return (curve){.count = 1,
                   .stress = {m->yield_stress},
                   .softness = plastic >= modulus ? 0
                               : plastic > 0      ? 1 / plastic - 1 / modulus
                                                  : HUGE_VAL};
}

/* From a measured curve: plastic strain is strain less stress/E, E its first slope. */
static curve measured(const vxe_material *m)
{
    curve c = {0};
    const double modulus = m->curve_stress[1] / m->curve_strain[1];
    for (uint32_t i = 1; i < m->curve_count; i++) {
        const double plastic_strain = m->curve_strain[i] - m->curve_stress[i] / modulus;
        const double before = c.count > 0 ? c.plastic_strain[c.count - 1] : 0;
        c.plastic_strain[c.count] = plastic_strain > before && i > 1
                                        ? plastic_strain
                                        : before; /* as steep as at first: none */
        c.stress[c.count++] = m->curve_stress[i];
    }
    const uint32_t last = c.count - 1;
    const double rise = last > 0 ? c.stress[last] - c.stress[last - 1] : 0;
    c.softness = rise > 0 ? (c.plastic_strain[last] - c.plastic_strain[last - 1]) / rise : HUGE_VAL;
    return c;
}

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

/* Highest stress that a curve reaches: where it ends flat. */
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

/* The weaker of two limits, 0 standing for none. */
static double weaker(double first, double second)
{
    const double a = first > 0 ? first : HUGE_VAL;
    const double b = second > 0 ? second : HUGE_VAL;
    return a < b ? a : b;
}

/* Where a material breaks; a measured curve ends where its virtual experiment did. */
static double fail_strain_of(const vxe_material *m)
{
    const bool ends = m->model == VXE_MATERIAL_MEASURED && m->curve_count > 1;
    return m->model == VXE_MATERIAL_LINEAR ? 0
           : m->fail_strain > 0            ? m->fail_strain
           : ends && !(m->fail_stress > 0) ? m->curve_strain[m->curve_count - 1]
                                           : 0;
}

static void add_point(vxe_yield_law *law, const curve *first, const curve *second, double stress)
{
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
    while (i < a.count || j < b.count) { /* both are sorted */
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
    const uint64_t last = law->count - 1;
    return law->stress[last] + law->hardening * (plastic_strain - law->plastic_strain[last]);
}

/* Plastic strain at which a stress that falls from trial at worn by E per plastic strain meets the
   curve: trial - E (w - worn) = S(w), segment by segment. */
static double meet_curve(const vxe_yield_law *law, double trial, double plastic_strain)
{
    const double e = law->modulus;
    for (uint64_t i = 0; i < law->count; i++) {
        if (law->plastic_strain[i] > plastic_strain &&
            trial - e * (law->plastic_strain[i] - plastic_strain) <= law->stress[i]) {
            const double begin = i > 0 && law->plastic_strain[i - 1] > plastic_strain
                                     ? law->plastic_strain[i - 1]
                                     : plastic_strain;
            const double low = stress_at(law, begin);
            if (!(law->plastic_strain[i] >
                  begin)) { /* the curve rises there at one plastic strain */
                return begin;
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
    if (state->broken) {
        return false;
    }
    bool changed = false;
    const double trial = law->modulus * (strain - state->permanent_strain);
    const double size = fabs(trial);
    if (law->count > 0 && size > stress_at(law, state->plastic_strain) &&
        (trial > 0 || law->tension_only == 0)) {
        const double plastic_strain = meet_curve(law, size, state->plastic_strain);
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
