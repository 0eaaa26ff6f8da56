/* SPDX-License-Identifier: MIT */
/* Energy of magnets from the fields at their dipoles (Griffiths2017; docs/magnets.md, Equations).
   With p the permanent part of a moment, s the induced part, B the field of all other dipoles and
   B0 the external field,
       U = sum -p.B/2 - p.B0 - s.B0/2.
   Reason: for linear induction sum s.Bp = sum p.Bs, and half of -s.(Bp + B0) is spent to polarise.
 */
#include "common/assert_internal.h"
#include "engine/magnets/magnets.h"
#include "engine/model/workspace.h"

/* T: external field at x (m about the body's origin). */
static void outside_at(const vxe_magnet_field *f, const double x[3], double field[3])
{
    for (int c = 0; c < 3; c++) {
        field[c] = f->uniform[c];
        for (int e = 0; e < 3; e++) {
            field[c] += f->gradient[c][e] * (x[e] - f->reference[e]);
        }
    }
}

/* Adds the energy (J) of one dipole. */
static void add_dipole(const vxe_workspace *workspace, const vxe_magnet_field *outside, uint32_t i,
                       vxe_magnet_energy *energy)
{
    const vxe_precision precision = workspace->model->precision;
    const vxe_dipoles *d = &workspace->magnets->dipoles;
    VXE_ASSERT(i < d->count);
    double x[3];
    double by_outside[3];
    for (int c = 0; c < 3; c++) {
        x[c] = vxe_real_at(precision, d->x[c], i) + vxe_real_at(precision, d->x_low[c], i);
    }
    outside_at(outside, x, by_outside);
    for (int c = 0; c < 3; c++) {
        const double whole = d->unit * vxe_real_at(precision, d->m[c], i);
        const double own = d->own[c] ? d->unit * vxe_real_at(precision, d->own[c], i) : whole;
        const double by_pairs = d->field_unit * vxe_real_at(precision, d->field[c], i);
        energy->pairs -= workspace->model->magnets->pairs ? 0.5 * own * by_pairs : 0;
        energy->outside -= 0.5 * (own + whole) * by_outside[c];
    }
}

vxe_magnet_energy vxe_magnets_energy(const vxe_workspace *workspace, double time)
{
    vxe_magnet_energy energy = {0, 0};
    if (!workspace->magnets) {
        return energy;
    }
    const vxe_magnet_field outside = vxe_magnets_field_at(workspace->model->magnets, time);
    vxe_magnets_measure(workspace, time);
    for (uint32_t i = 0; i < workspace->magnets->dipoles.count; i++) {
        add_dipole(workspace, &outside, i, &energy);
    }
    return energy;
}
