/* SPDX-License-Identifier: MIT */
/* The virtual experiments by which a surrogate is fitted: breathing (frequency and damping of a
   small stretch that is let go), sag (compression under its own weight) and drop (bounce after a
   fall). Each runs a copy of the design, in double and with one thread. */
#include "engine/world/surrogate_experiments.h"

#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/world/fitness_variables.h"
#include "engine/world/world_data.h"

/* Relative stretch that breathing starts from, and zeros of its oscillation that are awaited. */
#define STRETCH 1e-3
#define ZEROS 13
/* Longest experiment, in times that sound takes along the height of the body. */
#define PATIENCE 400
#define MAX_STEPS 4000000ull
/* A body is at rest when its kinetic energy is below this part of weight times height. */
#define AT_REST 1e-12

vxe_bulk vxe_bulk_of(const vxe_design *design)
{
    vxe_bulk bulk = {.low = HUGE_VAL};
    const double a = design->voxel_size;
    const vxe_densities densities = vxe_densities_of(design);
    VXE_ASSERT(design->voxel_count > 0 && a > 0);
    double high = -HUGE_VAL;
    double modulus = 0;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const vxe_voxel *voxel = &design->voxels[v];
        const vxe_material *material = &design->materials[voxel->material];
        const double mass = vxe_voxel_density(&densities, v) * a * a * a;
        bulk.mass += mass;
        modulus += material->youngs_modulus / design->voxel_count;
        for (int c = 0; c < 3; c++) {
            bulk.center[c] += mass * a * (voxel->position[c] + 0.5);
        }
        bulk.low = fmin(bulk.low, a * voxel->position[2]);
        high = fmax(high, a * (voxel->position[2] + 1));
    }
    for (int c = 0; c < 3; c++) {
        bulk.center[c] /= bulk.mass;
    }
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const vxe_voxel *voxel = &design->voxels[v];
        const double mass = vxe_voxel_density(&densities, v) * a * a * a;
        double arm[3];
        for (int c = 0; c < 3; c++) {
            arm[c] = a * (voxel->position[c] + 0.5) - bulk.center[c];
            bulk.euler[4 * c] += mass * a * a / 12;
        }
        for (int i = 0; i < 9; i++) {
            bulk.euler[i] += mass * arm[i / 3] * arm[i % 3];
        }
    }
    bulk.height = high - bulk.low;
    bulk.speed = sqrt(modulus * a * a * a * design->voxel_count / bulk.mass);
    return bulk;
}

/* A copy of a design without actuation, on a level floor at its bottom if it has a floor. */
static vxe_design *experiment_of(const vxe_design *design, const vxe_bulk *bulk, vxe_error *error)
{
    vxe_design *copy = vxe_design_copy(design, error);
    if (copy) {
        copy->actuation.enabled = false;
        vxe_memory_release(copy->floor.heights.heights);
        copy->floor = (vxe_floor){
            .enabled = design->floor.enabled, .sticky = design->floor.sticky, .height = bulk->low};
        for (int i = 0; i < 9 && copy->affine_count > 0; i++) {
            vxe_memory_release(copy->affine[0].formulas[VXE_AFFINE_GROWTH + i]);
            copy->affine[0].formulas[VXE_AFFINE_GROWTH + i] = NULL;
            copy->affine[0].kind = VXE_AFFINE_ELASTIC;
        }
    }
    return copy;
}

double vxe_box_height(const vxe_affine_body *body, const double deformation[9])
{
    double height = 0;
    for (int c = 0; c < 3; c++) {
        height += fabs(deformation[6 + c]) * body->shape.size[c];
    }
    return height;
}

/* How a body stands. */
typedef struct stance {
    double center; /* m: height of the centre */
    double bottom; /* m: mean height of the lowest layer, or of an affine body's bottom */
    double spread; /* m^2: mean square of heights about the centre */
} stance;

static stance stance_of(const vxe_world *world, const vxe_design *design, const vxe_bulk *bulk)
{
    const vxe_densities densities = vxe_densities_of(design);
    stance now = {0, 0, 0};
    double center[3];
    vxe_world_center_of_mass(world, center, NULL);
    now.center = center[2];
    if (design->affine_count > 0) {
        const vxe_affine *body = &world->affine.bodies[0];
        const double *p = world->affine.states[0].deformation;
        double moved[9];
        double euler[9];
        vxe_m3_times(p, body->euler, moved);
        vxe_m3_times_transposed(moved, p, euler);
        now.spread = euler[8] / body->own.mass;
        now.bottom = now.center - vxe_box_height(&design->affine[0], p) / 2;
        return now;
    }
    uint32_t lowest = 0;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        double at[3];
        vxe_simulation_place(&world->simulation, v, at);
        const double mass = vxe_voxel_density(&densities, v) * design->voxel_size *
                            design->voxel_size * design->voxel_size / bulk->mass;
        now.spread += mass * (at[2] - now.center) * (at[2] - now.center);
        if (design->voxels[v].position[2] * design->voxel_size < bulk->low + 1e-9) {
            now.bottom += at[2];
            lowest++;
        }
    }
    VXE_ASSERT(lowest > 0);
    now.bottom /= lowest;
    return now;
}

/* The world of a copy. Without one the copy is destroyed, null is returned and error is filled. */
static vxe_world *world_of(vxe_design *copy, vxe_error *error)
{
    vxe_world_def def = vxe_world_def_default();
    def.conventions = "native"; /* affine bodies move by our own laws alone */
    def.precision = VXE_PRECISION_DOUBLE;
    def.threads = 1;
    vxe_world *world = vxe_world_create(copy, &def, error);
    if (!world) {
        vxe_design_destroy(copy);
    }
    return world;
}

/* Stretches a lattice along z about its centre by STRETCH. */
static void stretch(vxe_world *world, uint32_t voxels)
{
    double center[3];
    vxe_world_center_of_mass(world, center, NULL);
    for (uint32_t v = 0; v < voxels; v++) {
        double at[3];
        vxe_error unwanted;
        vxe_simulation_place(&world->simulation, v, at);
        at[2] = center[2] + (1 + STRETCH) * (at[2] - center[2]);
        (void)vxe_world_place(world, v, at, NULL, NULL, NULL, &unwanted);
    }
}

/* Lets a stretched body oscillate; its frequency (Hz) and damping ratio follow from the zeros of
   its spread about the value at rest, and from the peaks between them. */
static vxe_status swing(vxe_world *world, const vxe_design *design, const vxe_bulk *bulk,
                        double rest, double *frequency, double *decay, vxe_error *error)
{
    const double step = vxe_world_describe(world).time_step;
    const double patience = PATIENCE * bulk->height / bulk->speed;
    double zero[2] = {0, 0};
    double peak[ZEROS + 1] = {0};
    double before = stance_of(world, design, bulk).spread - rest;
    int count = 0;
    for (uint64_t n = 0; count < ZEROS && vxe_world_time(world) < patience && n < MAX_STEPS; n++) {
        const vxe_status status = vxe_world_advance(world, 1, error);
        if (status) {
            return status;
        }
        const double now = stance_of(world, design, bulk).spread - rest;
        if (before * now < 0) {
            zero[count > 0] = vxe_world_time(world) - step * now / (now - before);
            count++;
        }
        VXE_ASSERT(count <= ZEROS);
        peak[count] = fmax(peak[count], fabs(now));
        before = now;
    }
    if (count < 3) {
        *frequency = (double)NAN;
        *decay = 1;
        return VXE_OK;
    }
    *frequency = 0.5 * (count - 1) / (zero[1] - zero[0]);
    const double fall = log(peak[1] / peak[count - 1]) / (count - 2); /* logarithmic decrement of
                                                                         half a period */
    *decay = fall > 0 ? fall / sqrt(VXE_PI * VXE_PI + fall * fall) : 0;
    return VXE_OK;
}

/* Frequency (Hz) and damping ratio of breathing, with the design's damping or without any. */
static vxe_status breathe(const vxe_design *design, const vxe_bulk *bulk, bool damped,
                          double *frequency, double *decay, vxe_error *error)
{
    vxe_design *copy = experiment_of(design, bulk, error);
    if (!copy) {
        return VXE_ERROR_MEMORY;
    }
    memset(copy->gravity, 0, sizeof copy->gravity);
    copy->floor.enabled = false;
    for (uint32_t i = 0; i < copy->material_count && !damped; i++) {
        copy->materials[i].bond_damping = copy->materials[i].global_damping = 0;
    }
    if (copy->affine_count > 0) {
        for (int c = 6; c < 9; c++) {
            copy->affine[0].deformation[c] *= 1 + STRETCH;
        }
        copy->affine[0].number[VXE_AFFINE_VISCOSITY] *= damped;
    }
    vxe_world *world = world_of(copy, error);
    if (!world) {
        return error->status;
    }
    double rest = stance_of(world, copy, bulk).spread;
    rest /= copy->affine_count > 0 ? (1 + STRETCH) * (1 + STRETCH) : 1;
    stretch(world, copy->voxel_count);
    const vxe_status status = swing(world, copy, bulk, rest, frequency, decay, error);
    vxe_world_destroy(world);
    vxe_design_destroy(copy);
    return status;
}

vxe_status vxe_measure_breathing(const vxe_design *design, const vxe_bulk *bulk,
                                 vxe_surrogate_motion *into, vxe_error *error)
{
    double unwanted;
    const vxe_status status = breathe(design, bulk, false, &into->breathing, &unwanted, error);
    return status ? status : breathe(design, bulk, true, &unwanted, &into->decay, error);
}

/* Brings a lattice to rest fast: stops all voxels whenever the kinetic energy is past a peak, until
   there is none (kinetic damping). */
static vxe_status relax(vxe_world *world, const vxe_design *design, const vxe_bulk *bulk,
                        vxe_error *error)
{
    static const double still[3] = {0, 0, 0};
    const double scale = bulk->mass * fabs(design->gravity[2]) * bulk->height;
    const double patience = PATIENCE * bulk->height / bulk->speed;
    double before = 0;
    double min = HUGE_VAL;
    for (uint64_t n = 0; vxe_world_time(world) < patience && min > AT_REST * scale && n < MAX_STEPS;
         n += 4) {
        const vxe_status status = vxe_world_advance(world, 4, error);
        if (status) {
            return status;
        }
        const double now = vxe_kinetic_energy(&world->simulation.model, &world->simulation.state,
                                              &world->simulation.state);
        const bool past = now < before;
        min = past ? before : min;
        before = past ? 0 : now;
        for (uint32_t v = 0; v < design->voxel_count && past; v++) {
            (void)vxe_world_place(world, v, NULL, NULL, still, still, error);
        }
    }
    return VXE_OK;
}

/* Whether the design has a floor and weight. */
static bool stands(const vxe_design *design)
{
    return design->floor.enabled && design->gravity[2] < 0;
}

vxe_status vxe_measure_sag(const vxe_design *design, const vxe_bulk *bulk,
                           vxe_surrogate_motion *into, vxe_error *error)
{
    into->sag = (double)NAN;
    if (!stands(design)) {
        return VXE_OK;
    }
    vxe_design *copy = experiment_of(design, bulk, error);
    if (!copy) {
        return VXE_ERROR_MEMORY;
    }
    if (copy->affine_count > 0) { /* as much damping as brings it to rest fastest */
        vxe_affine_body *body = &copy->affine[0];
        body->number[VXE_AFFINE_VISCOSITY] =
            body->number[VXE_AFFINE_DENSITY] * bulk->speed * bulk->height / VXE_PI;
        body->contact.number[VXE_POWER_BETA_D] =
            body->contact.number[VXE_POWER_ALPHA_R] / sqrt(-design->gravity[2] * bulk->height);
    }
    vxe_world *world = world_of(copy, error);
    if (!world) {
        return error->status;
    }
    const double step = vxe_world_describe(world).time_step;
    const double enough =
        fmin(0.25 * PATIENCE * bulk->height / bulk->speed, step * (double)MAX_STEPS);
    const stance first = stance_of(world, copy, bulk);
    const vxe_status status = copy->affine_count > 0 ? vxe_world_advance_to(world, enough, error)
                                                     : relax(world, copy, bulk, error);
    const stance last = stance_of(world, copy, bulk);
    into->sag = first.center - first.bottom - last.center + last.bottom;
    vxe_world_destroy(world);
    vxe_design_destroy(copy);
    return status;
}

vxe_status vxe_measure_drop(const vxe_design *design, const vxe_bulk *bulk,
                            vxe_surrogate_motion *into, vxe_error *error)
{
    const double fall = 0.5 * bulk->height;
    into->drop = (double)NAN;
    if (!stands(design)) {
        return VXE_OK;
    }
    vxe_design *copy = experiment_of(design, bulk, error);
    if (!copy) {
        return VXE_ERROR_MEMORY;
    }
    copy->floor.height -= fall;
    vxe_world *world = world_of(copy, error);
    if (!world) {
        return error->status;
    }
    vxe_status status = VXE_OK;
    const double end = 3 * sqrt(2 * fall / -design->gravity[2]);
    const double standing = stance_of(world, copy, bulk).center - fall; /* it starts undeformed */
    double lowest = HUGE_VAL;
    double highest = -HUGE_VAL;
    for (uint64_t n = 0; !status && vxe_world_time(world) < end; n++) {
        if (n == MAX_STEPS) {
            status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                    "a fall from half the design's height takes more than %llu "
                                    "steps",
                                    (unsigned long long)MAX_STEPS);
            break;
        }
        double center[3];
        status = vxe_world_advance(world, 1, error);
        vxe_world_center_of_mass(world, center, NULL);
        highest = center[2] < lowest ? center[2] : fmax(highest, center[2]);
        lowest = fmin(lowest, center[2]);
    }
    into->drop = highest - standing;
    vxe_world_destroy(world);
    vxe_design_destroy(copy);
    return status;
}
