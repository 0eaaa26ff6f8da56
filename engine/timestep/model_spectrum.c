/* SPDX-License-Identifier: MIT */
/* The largest eigenvalues of a model: what spectrum.c reads of it, and the rounding of what it
 * finds.
 */
#include <math.h>

#include "engine/timestep/known_spectra.h"

/* Estimates that differ by rounding alone, 4e-8 of them, become one number on a grid so fine. */
#define GRID 4096
/* Bodies of more voxels are not compared with those before: their keys, some 200 bytes a voxel,
   would fill the cache. */
#define LARGEST_KNOWN 4096u

/* The next number of the grid, of 12 binary digits, at or above a value. */
static double rounded_up(double value)
{
    int exponent = 0;
    const double digits = frexp(value, &exponent);
    return ldexp(ceil(digits * GRID) / GRID, exponent);
}

void vxe_spectrum_round(vxe_spectrum *found)
{
    found->lambda_k = rounded_up(found->lambda_k);
    found->lambda_c = rounded_up(found->lambda_c);
    found->lambda_c_all = rounded_up(found->lambda_c_all);
}

/* The spectrum of a body, if it is known already. */
static vxe_status find(const vxe_spectrum_body *body, vxe_known_spectra *known, vxe_spectrum *found,
                       vxe_error *error)
{
    vxe_bytes key = {0};
    if (!known || body->voxels > LARGEST_KNOWN) {
        return vxe_spectrum_find(found, body, error);
    }
    vxe_spectrum_body_key(body, &key);
    vxe_status status = VXE_OK;
    if (!vxe_known_spectra_find(known, &key, found)) {
        status = vxe_spectrum_find(found, body, error);
        if (!status) {
            vxe_known_spectra_keep(known, &key, found);
        }
    }
    vxe_bytes_clear(&key);
    return status;
}

vxe_status vxe_model_spectrum(const vxe_model *model, const vxe_design *design,
                              const vxe_spectrum_effort *effort, vxe_spectrum *found,
                              vxe_error *error)
{
    vxe_start_vector start;
    const vxe_status none = vxe_start_vector_init(&start, &model->topology, design, error);
    if (none) {
        return none;
    }
    const vxe_precision precision = model->precision;
    const vxe_kernel_arrays *arrays = &model->arrays;
    const vxe_spectrum_body body = {
        .chunks = &model->chunks,
        .kernels = vxe_linear_kernels_of(model->kernels),
        .bonds = arrays->bonds,
        .rows = vxe_doubles_const(precision, model->rows),
        .row_count = model->row_count,
        .row_values = arrays->row_values,
        .ratios = arrays->ratios,
        .edge = model->edge,
        .bars = model->bars,
        .voxels = model->topology.voxel_count,
        .start = &start,
        .slots = model->slots,
        .mass = vxe_doubles_const(precision, arrays->mass),
        .gyration = vxe_doubles_const(precision, arrays->gyration),
        .inverse = {vxe_doubles_const(precision, arrays->inverse_mass[0]),
                    vxe_doubles_const(precision, arrays->inverse_mass[1]),
                    vxe_doubles_const(precision, arrays->inverse_mass[2]),
                    vxe_doubles_const(precision, arrays->inverse_inertia[0]),
                    vxe_doubles_const(precision, arrays->inverse_inertia[1]),
                    vxe_doubles_const(precision, arrays->inverse_inertia[2])},
        .floor_stiffness = vxe_doubles_const(precision, arrays->floor_stiffness),
        .floor_dashpot = vxe_doubles_const(precision, arrays->floor_dashpot),
        .contact_stiffness = vxe_doubles_const(precision, arrays->contact_stiffness),
        .contact_dashpot = vxe_doubles_const(precision, arrays->contact_dashpot),
        .contact_spheres = model->conventions.contact_spheres,
        .detach_stress = model->detach_stress,
        .faces = model->topology.faces,
        .drag = vxe_doubles_const(precision, arrays->drag),
        .spin_drag = vxe_doubles_const(precision, arrays->spin_drag),
        .damped = model->max_ratio > 0,
        .bonds_alone = model->conventions.damping == VXE_DAMPING_SWEEP ||
                       (model->conventions.damping == VXE_DAMPING_AUTO &&
                        model->topology.voxel_count <= VXE_GIANT_BODY),
        .dashpots_all = model->conventions.damping != VXE_DAMPING_SWEEP || model->max_ratio == 0,
        .iterations = effort->iterations,
        .tolerance = effort->tolerance,
        .threads = effort->threads};
    const vxe_status status = find(&body, effort->known, found, error);
    vxe_start_vector_clear(&start);
    return status;
}
