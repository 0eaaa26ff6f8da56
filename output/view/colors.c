/* SPDX-License-Identifier: MIT */
#include "output/view/colors.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "common/trig_internal.h"

enum { STOPS = 5 };

/* Viridis, and a scale of two sides. Source: Viridis. */
static const float viridis[STOPS][3] = {{0.267f, 0.005f, 0.329f},
                                        {0.231f, 0.322f, 0.546f},
                                        {0.128f, 0.567f, 0.551f},
                                        {0.369f, 0.789f, 0.383f},
                                        {0.993f, 0.906f, 0.144f}};
static const float cool_warm[STOPS][3] = {{0.13f, 0.36f, 0.75f},
                                          {0.55f, 0.70f, 0.93f},
                                          {0.87f, 0.87f, 0.87f},
                                          {0.94f, 0.60f, 0.48f},
                                          {0.75f, 0.10f, 0.15f}};
static const float idle[3] = {0.6f, 0.6f, 0.6f};

/* Affine bodies have no material: soft colours, one after the other. Source: ColorBrewer, Set2. */
static const float bodies[][3] = {{0.40f, 0.76f, 0.65f}, {0.99f, 0.55f, 0.38f},
                                  {0.55f, 0.63f, 0.80f}, {0.91f, 0.54f, 0.76f},
                                  {0.65f, 0.85f, 0.33f}, {0.90f, 0.77f, 0.58f}};

const float *vxe_body_color(uint32_t body)
{
    return bodies[body % (sizeof bodies / sizeof bodies[0])];
}

static const char *const names[VXE_COLORINGS] = {"material", "strain", "phase", "contact",
                                                 "energy"};

const char *vxe_coloring_name(vxe_coloring coloring)
{
    return coloring < VXE_COLORINGS ? names[coloring] : "";
}

vxe_coloring vxe_coloring_find(const char *name)
{
    int i = 0;
    while (i < VXE_COLORINGS && strcmp(names[i], name) != 0) {
        i++;
    }
    return (vxe_coloring)i;
}

double vxe_largest_strain(const vxe_frame *frame, uint32_t voxel)
{
    double max = 0;
    for (size_t c = 0; c < 3; c++) {
        const double strain = frame->strain[3 * (size_t)voxel + c];
        max = fabs(strain) > fabs(max) ? strain : max;
    }
    return max;
}

double vxe_phase_of(const vxe_design *design, uint32_t voxel)
{
    const vxe_layer *layer = vxe_design_find_layer(design, "PhaseOffset");
    const double own = layer ? layer->values[(size_t)voxel * layer->width] : 0;
    const double phase = design->materials[design->voxels[voxel].material].phase / VXE_TAU + own;
    return phase - floor(phase);
}

static void ramp(const float stops[STOPS][3], double part, float color[3])
{
    const double at = fmin(fmax(part, 0), 1) * (STOPS - 1);
    const int low = at < STOPS - 2 ? (int)at : STOPS - 2;
    for (int c = 0; c < 3; c++) {
        color[c] = stops[low][c] + (float)(at - low) * (stops[low + 1][c] - stops[low][c]);
    }
}

static void hue(double cycle, float color[3])
{
    for (int c = 0; c < 3; c++) {
        double sine = 0;
        double cosine = 0;
        vxe_sincos_cycles(cycle - c / 3.0, &sine, &cosine);
        color[c] = (float)(0.5 + 0.4 * cosine);
    }
}

void vxe_color_of(const vxe_design *design, const vxe_frame *frame, const vxe_view *view,
                  vxe_coloring coloring, uint32_t voxel, float color[3])
{
    if (voxel >= design->voxel_count) {
        const float *own =
            coloring == VXE_COLOR_MATERIAL ? vxe_body_color(voxel - design->voxel_count) : idle;
        memcpy(color, own, 3 * sizeof *color);
        return;
    }
    const vxe_material *m = &design->materials[design->voxels[voxel].material];
    switch (coloring) {
    case VXE_COLOR_STRAIN:
        ramp(cool_warm, 0.5 + 0.5 * vxe_largest_strain(frame, voxel) / view->strain, color);
        return;
    case VXE_COLOR_PHASE:
        if (m->thermal_expansion != 0) {
            hue(vxe_phase_of(design, voxel), color);
        } else {
            memcpy(color, idle, sizeof idle);
        }
        return;
    case VXE_COLOR_CONTACT:
        ramp(viridis, frame->contact[voxel] / view->contact, color);
        return;
    case VXE_COLOR_ENERGY:
        ramp(viridis, frame->energy[voxel] / view->energy, color);
        return;
    case VXE_COLOR_MATERIAL:
    case VXE_COLORINGS:
        break;
    }
    memcpy(color, m->color, 3 * sizeof *color);
}
