/* SPDX-License-Identifier: MIT */
/* Colours of voxels and bodies by material, strain, phase, contact or energy. */
#include "output/view/colors.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"

enum { STOPS = 5 };

/* Colour scales: Viridis (docs/references.md), and a diverging scale for signed values. */
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
const float vxe_idle_color[3] = {0.6f, 0.6f, 0.6f};

/* Affine bodies have no material, so they take the colours of ColorBrewer's set Set2 in turn. */
static const float bodies[][3] = {{0.40f, 0.76f, 0.65f}, {0.99f, 0.55f, 0.38f},
                                  {0.55f, 0.63f, 0.80f}, {0.91f, 0.54f, 0.76f},
                                  {0.65f, 0.85f, 0.33f}, {0.90f, 0.77f, 0.58f}};

const float *vxe_body_color(uint32_t body)
{
    return bodies[body % (sizeof bodies / sizeof bodies[0])];
}

/* Materials without a colour take those of Okabe and Ito in turn (OkabeIto2008), which the
   colour-blind tell apart; without their black, in which edges are drawn. Behind the last one come
   the same colours darker, then lighter. */
static const float okabe_ito[][3] = {
    {0.90f, 0.62f, 0.00f}, {0.34f, 0.71f, 0.91f}, {0.00f, 0.62f, 0.45f}, {0.94f, 0.89f, 0.26f},
    {0.00f, 0.45f, 0.70f}, {0.84f, 0.37f, 0.00f}, {0.80f, 0.47f, 0.65f}};
enum { HUES = sizeof okabe_ito / sizeof okabe_ito[0], OWN_COLORS = 3 * HUES };
#define DARKER 0.55f
#define TO_WHITE 0.5f
/* Two colours are told apart where red, green or blue differ by this. */
#define APART 0.12f

/* The colours of the list, from 0 to OWN_COLORS. */
static void listed_color(uint32_t number, float color[3])
{
    VXE_ASSERT(number < OWN_COLORS);
    for (int c = 0; c < 3; c++) {
        const float pure = okabe_ito[number % HUES][c];
        color[c] = number < HUES       ? pure
                   : number < 2 * HUES ? DARKER * pure
                                       : pure + TO_WHITE * (1 - pure);
    }
}

/* Whether a material has no colour of its own, but the default one. */
static bool is_colorless(const vxe_material *m)
{
    const vxe_material none = vxe_material_default();
    return memcmp(m->color, none.color, 3 * sizeof *m->color) == 0;
}

static bool is_taken(const vxe_design *design, const float color[3])
{
    for (uint32_t i = 0; i < design->material_count; i++) {
        const float *other = design->materials[i].color;
        if (!is_colorless(&design->materials[i]) && fabsf(other[0] - color[0]) < APART &&
            fabsf(other[1] - color[1]) < APART && fabsf(other[2] - color[2]) < APART) {
            return true;
        }
    }
    return false;
}

vxe_status vxe_material_colors(const vxe_design *design, float **colors, vxe_error *error)
{
    float list[OWN_COLORS][3];
    uint32_t free_count = 0;
    uint32_t next = 0;
    *colors = vxe_memory_take(design->material_count, 3 * sizeof **colors);
    if (!*colors) {
        return vxe_error_memory(error, 3ull * design->material_count * sizeof **colors);
    }
    for (uint32_t k = 0; k < OWN_COLORS; k++) {
        listed_color(k, list[free_count]);
        free_count += !is_taken(design, list[free_count]);
    }
    for (uint32_t i = 0; i < design->material_count; i++) {
        const vxe_material *m = &design->materials[i];
        const bool chosen = is_colorless(m) && free_count > 0;
        memcpy(*colors + 3 * (size_t)i, chosen ? list[next++ % free_count] : m->color,
               3 * sizeof **colors);
    }
    return VXE_OK;
}

static const char *const names[VXE_COLORINGS] = {"material", "strain", "phase", "contact",
                                                 "energy"};
_Static_assert(sizeof names / sizeof names[0] == VXE_COLORINGS, "each colouring has a name");

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
    VXE_ASSERT(voxel < frame->voxels);
    double max = 0;
    for (size_t c = 0; c < 3; c++) {
        const double strain = frame->strain[3 * (size_t)voxel + c];
        max = fabs(strain) > fabs(max) ? strain : max;
    }
    return max;
}

double vxe_phase_of(const vxe_design *design, uint32_t voxel)
{
    VXE_ASSERT(voxel < design->voxel_count);
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

void vxe_scale_color(vxe_coloring coloring, double part, float color[3])
{
    VXE_ASSERT(coloring > VXE_COLOR_MATERIAL && coloring < VXE_COLORINGS);
    if (coloring == VXE_COLOR_PHASE) {
        hue(part, color);
    } else {
        ramp(coloring == VXE_COLOR_STRAIN ? cool_warm : viridis, part, color);
    }
}

void vxe_color_of(const vxe_design *design, const vxe_frame *frame, const vxe_view *view,
                  vxe_coloring coloring, uint32_t voxel, float color[3])
{
    VXE_ASSERT(voxel < design->voxel_count + design->affine_count);
    VXE_ASSERT(coloring < VXE_COLORINGS);
    VXE_ASSERT(view->strain > 0 && view->contact > 0 && view->energy > 0 && view->materials);
    if (voxel >= design->voxel_count) {
        const float *own = coloring == VXE_COLOR_MATERIAL
                               ? vxe_body_color(voxel - design->voxel_count)
                               : vxe_idle_color;
        memcpy(color, own, 3 * sizeof *color);
        return;
    }
    const vxe_material *m = &design->materials[design->voxels[voxel].material];
    switch (coloring) {
    case VXE_COLOR_STRAIN:
        vxe_scale_color(coloring, 0.5 + 0.5 * vxe_largest_strain(frame, voxel) / view->strain,
                        color);
        return;
    case VXE_COLOR_PHASE:
        if (m->thermal_expansion != 0) {
            vxe_scale_color(coloring, vxe_phase_of(design, voxel), color);
        } else {
            memcpy(color, vxe_idle_color, sizeof vxe_idle_color);
        }
        return;
    case VXE_COLOR_CONTACT:
        vxe_scale_color(coloring, frame->contact[voxel] / view->contact, color);
        return;
    case VXE_COLOR_ENERGY:
        vxe_scale_color(coloring, frame->energy[voxel] / view->energy, color);
        return;
    case VXE_COLOR_MATERIAL:
    case VXE_COLORINGS:
        break;
    }
    memcpy(color, view->materials + 3 * (size_t)design->voxels[voxel].material, 3 * sizeof *color);
}
