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
void vxe_gradient_chain_wave(vxe_gradient_robot *robot, uint32_t voxel, double by_sine,
                             double by_cosine)
{
    const vxe_design *design = robot->design;
    const vxe_layer *phase = vxe_design_find_layer(design, "PhaseOffset");
    const vxe_layer *amplitude = vxe_design_find_layer(design, "Amplitude");
    const vxe_material *m = &design->materials[design->voxels[voxel].material];
    const bool waves = design->actuation.enabled && design->actuation.period > 0;
    const double whole =
        waves ? robot->simulation.model.edge * m->thermal_expansion * design->actuation.amplitude
              : 0;
    const double part = amplitude ? amplitude->values[voxel] : 1;
    const double cycles = m->phase / TURN + (phase ? phase->values[voxel] : 0);
    double sine;
    double cosine;
    vxe_sincos_cycles(cycles, &sine, &cosine);
    robot->by[VXE_BY_AMPLITUDE][voxel] = whole * (by_sine * cosine + by_cosine * sine);
    robot->by[VXE_BY_PHASE][voxel] = TURN * whole * part * (by_cosine * cosine - by_sine * sine);
}
