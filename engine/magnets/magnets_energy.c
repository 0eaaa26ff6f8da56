/* SPDX-License-Identifier: MIT */
/* Energy of magnets, in double, pair by pair. */
#include <math.h>

#include "common/trig_internal.h"
#include "engine/magnets/magnets_internal.h"
#include "engine/step_internal.h"

/* A dipole as a scratch has put it in place. */
typedef struct dipole {
    double x[3]; /* m about the body's origin */
    double m[3]; /* A m^2: the permanent part */
    double induced[3];
} dipole;

static dipole dipole_at(const vxe_scratch *scratch, uint32_t i)
{
    const vxe_precision precision = scratch->model->precision;
    const vxe_dipoles *d = &scratch->magnets->dipoles;
    dipole it;
    for (int c = 0; c < 3; c++) {
        const double whole = vxe_real_at(precision, d->m[c], i);
        const double own = d->own[c] ? vxe_real_at(precision, d->own[c], i) : whole;
        it.x[c] = vxe_real_at(precision, d->x[c], i) + vxe_real_at(precision, d->x_low[c], i);
        it.m[c] = d->unit * own;
        it.induced[c] = d->unit * (whole - own);
    }
    return it;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Field (T) of the permanent part of one dipole at another. */
static void add_field(const vxe_scratch *scratch, const dipole *at, const dipole *of,
                      double field[3])
{
    const vxe_magnets *magnets = scratch->model->magnets;
    const double edge = scratch->model->edge;
    double n[3];
    for (int c = 0; c < 3; c++) {
        n[c] = at->x[c] - of->x[c];
    }
    if (!(sqrt(dot(n, n)) <= magnets->reach * edge)) {
        return;
    }
    const double distance =
        edge * sqrt(dot(n, n) / (edge * edge) + scratch->magnets->dipoles.soft2);
    const double r = fmax(distance, magnets->cap * edge);
    const double along = dot(of->m, n) / distance;
    for (int c = 0; c < 3; c++) {
        field[c] +=
            VXE_MU0 / (2 * VXE_TAU) * (3 * along * n[c] / distance - of->m[c]) / (r * r * r);
    }
}

static void outside_at(const vxe_magnet_field *f, const double x[3], double field[3])
{
    for (int c = 0; c < 3; c++) {
        field[c] = f->uniform[c];
        for (int e = 0; e < 3; e++) {
            field[c] += f->gradient[c][e] * (x[e] - f->reference[e]);
        }
    }
}

vxe_magnet_energy vxe_magnets_energy(const vxe_scratch *scratch, double time)
{
    const vxe_magnets *magnets = scratch->model->magnets;
    vxe_magnet_energy energy = {0, 0};
    if (!magnets) {
        return energy;
    }
    const vxe_magnet_field outside = vxe_magnets_field_at(magnets, time);
    const vxe_dipoles *d = &scratch->magnets->dipoles;
    vxe_magnets_measure(scratch, time);
    for (uint32_t i = 0; i < d->count; i++) {
        const dipole at = dipole_at(scratch, i);
        double by_pairs[3] = {0, 0, 0};
        double by_outside[3];
        outside_at(&outside, at.x, by_outside);
        for (uint32_t j = 0; j < d->count && magnets->pairs; j++) {
            if (i / d->parts != j / d->parts) {
                const dipole of = dipole_at(scratch, j);
                add_field(scratch, &at, &of, by_pairs);
            }
        }
        energy.pairs -= 0.5 * (dot(at.m, by_pairs) + dot(at.induced, by_pairs));
        energy.outside -= dot(at.m, by_outside) + 0.5 * dot(at.induced, by_outside);
    }
    return energy;
}
