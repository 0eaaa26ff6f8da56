/* SPDX-License-Identifier: MIT */
/* From the numbers that kernels read to those of a design: the chain rule, in double, once at the
   end of a reverse run. */
#include <math.h>

#include "common/assert_internal.h"
#include "common/trig_internal.h"
#include "engine/gradient/gradient_data.h"

#define TURN 6.28318530717958647693

/* Edges grow by A (cos(p) sin(wt) + sin(p) cos(wt)), with A = a alpha amplitude layer and p the
   phases of material (rad) and layer (cycles): see model/actuation_model.c. */
void vxe_gradient_chain_wave(vxe_gradient_robot *robot, const double *by_sine,
                             const double *by_cosine)
{
    const vxe_design *design = robot->design;
    const vxe_model *model = &robot->simulation.model;
    const vxe_layer *phase = vxe_design_find_layer(design, "PhaseOffset");
    const vxe_layer *amplitude = vxe_design_find_layer(design, "Amplitude");
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const uint32_t slot = model->topology.place[v];
        const vxe_material *m = &design->materials[design->voxels[v].material];
        const bool waves = design->actuation.enabled && design->actuation.period > 0;
        const double whole =
            waves ? model->edge * m->thermal_expansion * design->actuation.amplitude : 0;
        const double part = amplitude ? amplitude->values[v] : 1;
        const double cycles = m->phase / TURN + (phase ? phase->values[v] : 0);
        double sine;
        double cosine;
        vxe_sincos_cycles(cycles, &sine, &cosine);
        robot->by[VXE_BY_AMPLITUDE][v] = whole * (by_sine[slot] * cosine + by_cosine[slot] * sine);
        robot->by[VXE_BY_PHASE][v] =
            TURN * whole * part * (by_cosine[slot] * cosine - by_sine[slot] * sine);
    }
}
