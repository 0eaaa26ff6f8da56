/* SPDX-License-Identifier: MIT */
/* Makes a surrogate: one affine body with the mass and Euler tensor of a voxel design, whose
   modulus, viscosity and floor are fitted so that it breathes, sags and bounces as the design does
   (surrogate_experiments.h). What both do is reported, so that a user sees how well the body stands
   for the design. */
#include "engine/surrogate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/affine/affine.h"
#include "engine/world/surrogate_experiments.h"
#include "engine/world/world_data.h"

/* Samples of a period of actuation. */
#define SAMPLES 64
/* Gap of the floor's power law at rest, and the largest that is tried, in edges of the lattice. */
#define REST_GAP 0.02
#define MAX_GAP 2.0
/* Bulk modulus, in E, of a body that may change its volume freely: 0 would mean a kept volume. */
#define COMPRESSIBLE 1e-6
/* Speed from which friction along the floor is Coulomb's, in sqrt(g height). */
#define SLIDING_SPEED 0.01
/* Steps of bisection for the floor. */
#define HALVINGS 12

/* Poisson's ratio of the lattice for long waves: the mean of its materials, or 0. */
static double ratio_of(const vxe_design *design)
{
    VXE_ASSERT(design->voxel_count > 0);
    double sum = 0;
    for (uint32_t v = 0; v < design->voxel_count && design->volume_effects; v++) {
        sum += design->materials[design->voxels[v].material].poissons_ratio;
    }
    return sum / design->voxel_count;
}

/* Sets the constants of a body from E (Pa) and Poisson's ratio. */
static void set_modulus(vxe_affine_body *body, double modulus, double ratio)
{
    VXE_ASSERT(ratio >= 0 && ratio < 0.5);
    body->number[VXE_AFFINE_C1] = modulus / (4 * (1 + ratio));
    body->number[VXE_AFFINE_C2] = 0;
    body->number[VXE_AFFINE_BULK] =
        fmax(modulus * ratio / ((1 + ratio) * (1 - 2 * ratio)), COMPRESSIBLE * modulus);
}

/* A box with the mass and Euler tensor of the voxels; its deformation turns it to their axes. */
static void shape_body(const vxe_bulk *bulk, vxe_affine_body *body, vxe_surrogate_report *report)
{
    double values[3];
    double volume = 1;
    snprintf(body->name, sizeof body->name, "surrogate");
    vxe_principal_axes(bulk->euler, body->deformation, values);
    for (int c = 0; c < 3; c++) {
        body->shape.size[c] = sqrt(12 * values[c] / bulk->mass);
        body->center[c] = bulk->center[c];
        volume *= body->shape.size[c];
        report->size[c] = body->shape.size[c];
    }
    body->number[VXE_AFFINE_DENSITY] = bulk->mass / volume;
    report->mass = bulk->mass;
    memcpy(report->euler, bulk->euler, sizeof report->euler);
}

/* Puts the box above the bottom of the voxels, by the gap of its floor. */
static void stand(vxe_affine_body *body, const vxe_bulk *bulk)
{
    body->center[2] = bulk->low + 0.5 * vxe_box_height(body, body->deformation) +
                      body->contact.number[VXE_POWER_D0];
}

/* Contact with the floor by the power law: the gap at rest is d0 under the weight, and friction is
   the mean of the materials. */
static void set_contact(const vxe_design *design, const vxe_bulk *bulk, vxe_affine_body *body)
{
    double *number = body->contact.number;
    const double g = -design->gravity[2];
    double friction = 0;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        friction += design->materials[design->voxels[v].material].dynamic_friction;
    }
    body->touches = design->floor.enabled && g > 0;
    if (!body->touches) {
        return;
    }
    const double *size = body->shape.size;
    const double area = size[0] * size[1] * size[2] / vxe_box_height(body, body->deformation);
    number[VXE_POWER_D0] = REST_GAP * design->voxel_size;
    number[VXE_POWER_ALPHA_R] = bulk->mass * g / area;
    number[VXE_POWER_BETA_F] = number[VXE_POWER_ALPHA_R] / (SLIDING_SPEED * sqrt(g * bulk->height));
    number[VXE_POWER_FRIC] = friction / design->voxel_count;
    number[VXE_POWER_FACING] = 1;
    stand(body, bulk);
}

/* Mean edge of the voxels, in edges of the lattice, over a period of actuation: its mean and first
   harmonic. */
static vxe_status find_growth(const vxe_design *design, vxe_surrogate_report *report,
                              vxe_error *error)
{
    const vxe_actuation *a = &design->actuation;
    if (!a->enabled || !(a->period > 0)) {
        return VXE_OK;
    }
    vxe_world_def def = vxe_world_def_default();
    def.conventions = "native"; /* affine bodies move by our own laws alone */
    def.precision = VXE_PRECISION_DOUBLE;
    def.threads = 1;
    double *edge = vxe_memory_take(design->voxel_count, sizeof *edge);
    vxe_world *world = edge ? vxe_world_create(design, &def, error) : NULL;
    const double begun = fmax(a->start, design->stop.settle_time);
    const double start = a->period * (ceil(begun / a->period) + 1); /* after the fade-in */
    for (int n = 0; n < SAMPLES && world; n++) {
        double mean = 0;
        double sine;
        double cosine;
        vxe_sincos_cycles((double)n / SAMPLES, &sine, &cosine);
        vxe_workspace_resize(&world->workspace, start + a->period * n / SAMPLES);
        vxe_world_sense(world, &(vxe_sensors){.edge = edge});
        for (uint32_t v = 0; v < design->voxel_count; v++) {
            mean += edge[v] / design->voxel_size / design->voxel_count;
        }
        report->growth[0] += mean / SAMPLES;
        report->growth[1] += 2 * mean * sine / SAMPLES;
        report->growth[2] += 2 * mean * cosine / SAMPLES;
    }
    report->period = a->period;
    vxe_memory_release(edge);
    if (!world) {
        return edge ? error->status : vxe_error_memory(error, 8ull * design->voxel_count);
    }
    vxe_world_destroy(world);
    return VXE_OK;
}

/* Makes the body grow by a formula of the mean and first harmonic. */
static vxe_status set_growth(const vxe_surrogate_report *report, vxe_affine_body *body,
                             vxe_error *error)
{
    const double *g = report->growth;
    char text[200];
    if (!(hypot(g[1], g[2]) > 1e-9)) {
        return VXE_OK;
    }
    snprintf(text, sizeof text, "%.9g + %.9g*sin(2*pi*t/%.17g) + %.9g*cos(2*pi*t/%.17g)", g[0],
             g[1], report->period, g[2], report->period);
    body->kind = VXE_AFFINE_CONTRACTILE;
    for (int i = 0; i < 9; i += 4) {
        char *copy = vxe_memory_take(strlen(text) + 1, 1);
        if (!copy) {
            return vxe_error_memory(error, strlen(text) + 1);
        }
        memcpy(copy, text, strlen(text) + 1);
        body->formulas[VXE_AFFINE_GROWTH + i] = copy;
    }
    return VXE_OK;
}

/* Chooses E such that breathing and sag deviate by the same part, and the viscosity that gives the
   lattice's damping ratio. */
static vxe_status fit_body(vxe_design *made, const vxe_bulk *bulk, double ratio,
                           vxe_surrogate_report *report, vxe_error *error)
{
    vxe_affine_body *body = &made->affine[0];
    const vxe_surrogate_motion *want = &report->lattice;
    vxe_surrogate_motion *got = &report->body;
    double modulus = bulk->speed * bulk->speed * body->number[VXE_AFFINE_DENSITY];
    set_modulus(body, modulus, ratio);
    vxe_status status = vxe_measure_breathing(made, bulk, got, error);
    status = status ? status : vxe_measure_sag(made, bulk, got, error);
    if (status) {
        return status;
    }
    const double by_swing = pow(want->breathing / got->breathing, 2);
    const double by_sag = got->sag / want->sag;
    /* frequencies go with the root of E and sags with its inverse: this makes both deviate by one
       part */
    modulus *= isfinite(by_sag) ? cbrt(by_swing * by_sag * by_sag) : by_swing;
    if (!(modulus > 0 && modulus < 1e12)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "the design neither swings nor sags as one body would: no modulus "
                              "between 0 and 1e12 Pa fits both");
    }
    set_modulus(body, modulus, ratio);
    report->modulus = modulus;
    report->viscosity = 2 * modulus * want->decay / (VXE_TAU * want->breathing);
    body->number[VXE_AFFINE_VISCOSITY] = report->viscosity;
    return VXE_OK;
}

/* Sets the gap of the floor (reach, in edges of the lattice) and its damping (relative to a speed
   after a fall through the body's height). */
static void set_floor(vxe_design *made, const vxe_bulk *bulk, double reach, double damping)
{
    vxe_affine_body *body = &made->affine[0];
    double *number = body->contact.number;
    const double fast = sqrt(-made->gravity[2] * bulk->height);
    number[VXE_POWER_D0] = reach * made->voxel_size;
    number[VXE_POWER_BETA_D] = damping * number[VXE_POWER_ALPHA_R] / fast;
    stand(body, bulk);
}

/* Fits the floor such that the body bounces as high as the lattice. A stiff floor leaves energy in
   the breathing of the body, which a lattice gives back, because its faces come to rest before its
   middle does: the farther the floor reaches, the higher the bounce. Where the bounce is too high
   even with the smallest gap, damping is fitted instead. */
static vxe_status fit_floor(vxe_design *made, const vxe_bulk *bulk, vxe_surrogate_report *report,
                            vxe_error *error)
{
    const double want = report->lattice.drop;
    if (isnan(want)) {
        return VXE_OK;
    }
    set_floor(made, bulk, REST_GAP, 0);
    vxe_status status = vxe_measure_drop(made, bulk, &report->body, error);
    const bool too_high = report->body.drop > want;
    double low = too_high ? 1e-6 : REST_GAP; /* bounds of the damping, or of the gap */
    double high = too_high ? 1e3 : MAX_GAP;
    for (int n = 0; n < HALVINGS && !status; n++) {
        const double middle = sqrt(low * high);
        VXE_ASSERT(low > 0 && low <= high);
        set_floor(made, bulk, too_high ? REST_GAP : middle, too_high ? middle : 0);
        status = vxe_measure_drop(made, bulk, &report->body, error);
        *((report->body.drop > want) == too_high ? &low : &high) = middle;
    }
    return status;
}

/* A design with the body alone in it, on the same floor but without uneven heights. */
static vxe_design *make(const vxe_design *design, const vxe_affine_body *body, vxe_error *error)
{
    vxe_design *made = vxe_design_create();
    if (!made) {
        (void)vxe_error_memory(error, sizeof *made);
        return NULL;
    }
    snprintf(made->name, sizeof made->name, "surrogate of %.100s", design->name);
    memcpy(made->gravity, design->gravity, sizeof made->gravity);
    made->voxel_size = design->voxel_size;
    made->floor = design->floor;
    made->floor.heights = (vxe_heightfield){.columns = 0};
    made->stop.duration = design->stop.duration;
    if (vxe_design_add_affine(made, body, error)) {
        vxe_design_destroy(made);
        return NULL;
    }
    return made;
}

vxe_design *vxe_surrogate_create(const vxe_design *design, vxe_surrogate_report *report,
                                 vxe_error *error)
{
    vxe_error unwanted = {.status = VXE_OK};
    error = error ? error : &unwanted;
    *report = (vxe_surrogate_report){.growth = {0, 0, 0}};
    if (design->voxel_count == 0 || design->affine_count > 0) {
        (void)vxe_error_fill(error, VXE_ERROR_INPUT,
                             "a surrogate stands for voxels: the design must have voxels and no "
                             "affine bodies");
        return NULL;
    }
    if (vxe_design_check(design, error)) {
        return NULL;
    }
    const vxe_bulk bulk = vxe_bulk_of(design);
    if (!isfinite(bulk.height / bulk.speed)) {
        (void)vxe_error_fill(error, VXE_ERROR_INPUT,
                             "the design has no stiffness: its materials need a Young's modulus "
                             "above 0");
        return NULL;
    }
    vxe_affine_body body = vxe_affine_body_default();
    shape_body(&bulk, &body, report);
    set_contact(design, &bulk, &body);
    vxe_status status = vxe_measure_breathing(design, &bulk, &report->lattice, error);
    status = status ? status : vxe_measure_sag(design, &bulk, &report->lattice, error);
    status = status ? status : vxe_measure_drop(design, &bulk, &report->lattice, error);
    status = status ? status : find_growth(design, report, error);
    if (!status && !(report->lattice.breathing > 0)) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                "the design does not swing when it is stretched along z; it needs "
                                "more than one layer of voxels");
    }
    vxe_design *made = status ? NULL : make(design, &body, error);
    status = status ? status : made ? VXE_OK : VXE_ERROR_MEMORY;
    status = status ? status : fit_body(made, &bulk, ratio_of(design), report, error);
    status = status ? status : fit_floor(made, &bulk, report, error);
    status = status ? status : vxe_measure_breathing(made, &bulk, &report->body, error);
    status = status ? status : vxe_measure_sag(made, &bulk, &report->body, error);
    status = status ? status : set_growth(report, &made->affine[0], error);
    if (status) {
        vxe_design_destroy(made);
        return NULL;
    }
    return made;
}
