/* SPDX-License-Identifier: MIT */
/* Reads simulator and environment of a VXA. The defaults of a missing element and of an empty one
   differ as in other simulators: without the element Gravity, gravity and floor are on; with an
   empty one, both are off. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "lattice/formats/vxa/vxc_internal.h"

/* Degrees: the range to which other simulators clamp the slope. */
#define STEEPEST_SLOPE 89.0

/* Reads the damping ratios, which all materials have in common. */
static void read_damping(vxe_vxc_reader *reader, vxe_xml_node *damping)
{
    vxe_error *wrong = &reader->wrong;
    const double bond = vxe_xml_number(damping, "BondDampingZ", 0.1, wrong);
    const double collision = vxe_xml_number(damping, "ColDampingZ", 1, wrong);
    const double global = vxe_xml_number(damping, "SlowDampingZ", damping ? 1 : 0, wrong);
    for (uint32_t i = 0; i < reader->design->material_count; i++) {
        reader->design->materials[i].bond_damping = bond;
        reader->design->materials[i].collision_damping = collision;
        reader->design->materials[i].global_damping = global;
    }
}

static void read_stop(vxe_vxc_reader *reader, vxe_xml_node *node)
{
    vxe_messages *notes = reader->design->notes;
    vxe_error *wrong = &reader->wrong;
    vxe_stop *stop = &reader->design->stop;
    const double type = vxe_xml_number(node, "StopConditionType", 0, wrong);
    const double value = vxe_xml_number(node, "StopConditionValue", 0, wrong);
    const double afterlife = vxe_xml_number(node, "AfterlifeTime", 0, wrong);
    reader->afterlife = afterlife;
    reader->design->actuation.start = vxe_xml_number(node, "ActuationStartTime", 0, wrong);
    stop->settle_time = vxe_xml_number(node, "InitCmTime", 0, wrong);
    (void)vxe_xml_number(node, "MidLifeFreezeTime", 0, wrong);
    if (!(value > 0)) {
        return;
    }
    if (type == 1) {
        stop->steps = value < 1e18 ? (uint64_t)value : UINT64_MAX;
    } else if (type == 2) {
        stop->duration = value + afterlife;
    } else if (type == 3) {
        stop->periods = value;
    } else if (type == 7 || type == 8) {
        stop->duration = value + afterlife;
        vxe_messages_add(notes, "stop condition %g: only its time, %g s, is used", type,
                         stop->duration);
    } else if (type != 0) {
        vxe_messages_add(notes, "ignored: stop condition %g (give --duration or --steps)", type);
    }
}

/* Reads voxcraft's rules of attachment: sticky voxels stick only if it is enabled, and let go at
   the stress at which their bonds would fail. */
static void read_attachment(vxe_vxc_reader *reader, vxe_xml_node *attachment)
{
    vxe_design *design = reader->design;
    const bool attaches = vxe_xml_flag(attachment, "EnableAttach", false, &reader->wrong);
    const bool detaches = vxe_xml_flag(attachment, "EnableDetach", false, &reader->wrong);
    const bool collides = vxe_xml_flag(attachment, "EnableCollision", true, &reader->wrong);
    for (uint32_t i = 0; i < design->material_count; i++) {
        vxe_material *m = &design->materials[i];
        m->sticky = m->sticky && attaches;
        const bool lets_go = detaches && m->fail_stress > 0 && m->fail_stress <= VXE_STIFFEST;
        m->detach_stress = m->sticky && lets_go ? m->fail_stress : 0;
    }
    /* voxcraft has no other switch for collisions, and they are on by default */
    if (strcmp(design->written_for, "voxcraft") == 0) {
        design->self_collision = collides;
    }
}

vxe_status vxe_vxa_read_simulator(vxe_vxc_reader *reader, vxe_xml_node *simulator, vxe_error *error)
{
    vxe_error *wrong = &reader->wrong;
    vxe_xml_node *attachment = vxe_xml_child(simulator, "AttachDetach");
    vxe_xml_node *integration = vxe_xml_child(simulator, "Integration");
    (void)vxe_xml_child(integration, "Integrator");
    reader->design->time_step.fraction = vxe_xml_number(integration, "DtFrac", 0.9, wrong);
    read_damping(reader, vxe_xml_child(simulator, "Damping"));
    read_stop(reader, vxe_xml_child(simulator, "StopCondition"));
    vxe_xml_node *collisions = vxe_xml_child(simulator, "Collisions");
    reader->design->self_collision = vxe_xml_flag(collisions, "SelfColEnabled", false, wrong);
    read_attachment(reader, attachment);
    reader->design->volume_effects =
        vxe_xml_flag(vxe_xml_child(simulator, "Features"), "VolumeEffectsEnabled", false, wrong);
    if (vxe_xml_flag(simulator, "EnableExpansion", false, wrong)) {
        reader->design->actuation.room = VXE_LARGEST_SIZE;
    }
    if (vxe_xml_flag(vxe_xml_child(simulator, "EquilibriumMode"), "EquilibriumModeEnabled", false,
                     wrong)) {
        vxe_messages_add(reader->design->notes,
                         "ignored: EquilibriumMode (runs keep their motion; 'voxelastic statics' "
                         "finds the equilibrium)");
    }
    vxe_xml_mark(vxe_xml_child(simulator, "SurfMesh")); /* display */
    return vxe_vxa_read_attach_conditions(reader, vxe_xml_child(attachment, "AttachCondition"),
                                          error);
}

static void read_thermal(vxe_vxc_reader *reader, vxe_xml_node *thermal)
{
    vxe_messages *notes = reader->design->notes;
    vxe_error *wrong = &reader->wrong;
    vxe_actuation *heat = &reader->design->actuation;
    heat->enabled = vxe_xml_flag(thermal, "TempEnabled", false, wrong);
    heat->base = vxe_xml_number(thermal, "TempBase", 25, wrong);
    heat->amplitude = vxe_xml_number(thermal, "TempAmp", heat->base, wrong) - heat->base;
    heat->amplitude = vxe_xml_number(thermal, "TempAmplitude", heat->amplitude, wrong);
    heat->period = vxe_xml_number(thermal, "TempPeriod", 0.1, wrong);
    const bool varies = vxe_xml_flag(thermal, "VaryTempEnabled", false, wrong);
    const bool ignores_vary = strcmp(reader->design->written_for, "native") != 0;
    if (strcmp(reader->design->written_for, "voxcraft") == 0) { /* it reads only this switch */
        heat->enabled = varies && heat->period > 0;
    }
    if (heat->enabled && !varies && !ignores_vary) {
        heat->enabled = false;
        if (heat->amplitude != 0) {
            vxe_messages_add(
                notes,
                "temperature is constant (VaryTempEnabled 0): its expansion, %g K, is ignored",
                heat->amplitude);
        }
    }
}

static void read_gravity(vxe_vxc_reader *reader, vxe_xml_node *gravity)
{
    vxe_messages *notes = reader->design->notes;
    vxe_error *wrong = &reader->wrong;
    const bool missing = gravity == NULL;
    const bool on = vxe_xml_flag(gravity, "GravEnabled", missing, wrong);
    const double acceleration = vxe_xml_number(gravity, "GravAcc", -9.81, wrong);
    reader->design->gravity[2] = on ? acceleration : 0;
    vxe_floor *floor = &reader->design->floor;
    floor->enabled = vxe_xml_flag(gravity, "FloorEnabled", missing, wrong);
    const double slope = vxe_xml_number(gravity, "FloorSlope", 0, wrong);
    const double clamped = fmin(fmax(slope, -STEEPEST_SLOPE), STEEPEST_SLOPE);
    double sine = 0;
    double cosine = 1;
    vxe_sincos_cycles(clamped / 360, &sine, &cosine);
    floor->slope[0] = sine / cosine;
    if (clamped != slope) {
        vxe_messages_add(notes, "FloorSlope of %g degrees is taken as %g", slope, clamped);
    }
}

/* Reads the end of the floor: a disc of FloorRadius in the middle of the workspace. */
static void read_floor_rim(vxe_vxc_reader *reader, vxe_xml_node *environment)
{
    vxe_error *wrong = &reader->wrong;
    vxe_floor *floor = &reader->design->floor;
    floor->sticky = vxe_xml_flag(environment, "StickyFloor", false, wrong);
    floor->radius = vxe_xml_number(environment, "FloorRadius", 0, wrong);
    for (int c = 0; c < 2; c++) {
        floor->center[c] = 0.5 * reader->cells[c] * reader->design->voxel_size;
    }
}

/* Reads limits of the expansion that the file sets; those that a simulator always has belong to its
   compatibility preset. */
static void read_bounds(vxe_vxc_reader *reader, vxe_xml_node *environment)
{
    vxe_error *wrong = &reader->wrong;
    vxe_actuation *heat = &reader->design->actuation;
    heat->max = vxe_xml_flag(environment, "ContractOnly", false, wrong) ? 1 : 0;
    heat->min = vxe_xml_flag(environment, "ExpandOnly", false, wrong) ? 1 : 0;
    heat->room = fmax(heat->room, vxe_xml_number(environment, "GrowthAmplitude", 0, wrong));
}

/* Reads the fluid of voxelyze-land-water. Its coefficient is the product rho C_d/2; C_d follows
   with the density of water. */
static void read_fluid(vxe_vxc_reader *reader, vxe_xml_node *environment)
{
    vxe_messages *notes = reader->design->notes;
    vxe_error *wrong = &reader->wrong;
    vxe_fluid *fluid = &reader->design->fluid;
    fluid->enabled = vxe_xml_flag(environment, "FluidEnvironment", false, wrong);
    fluid->density = 1000; /* kg/m^3 */
    fluid->drag_coefficient =
        vxe_xml_number(environment, "AggregateDragCoefficient", 0, wrong) / (0.5 * fluid->density);
    if (fluid->enabled) {
        vxe_messages_add(notes, "fluid: gravity and floor stay as their own tags say; the "
                                "simulator that the file was written for turns both off");
    }
}

const char *const vxe_vxa_region_tags[VXE_REGION_NUMBERS][3] = {
    [VXE_REGION_CORNER] = {"X", "Y", "Z"},
    [VXE_REGION_EXTENT] = {"dX", "dY", "dZ"},
    [VXE_REGION_FORCE] = {"ForceX", "ForceY", "ForceZ"},
    [VXE_REGION_MOMENT] = {"TorqueX", "TorqueY", "TorqueZ"},
    [VXE_REGION_DISPLACEMENT] = {"DisplaceX", "DisplaceY", "DisplaceZ"},
    [VXE_REGION_ROTATION] = {"AngDisplaceX", "AngDisplaceY", "AngDisplaceZ"}};

/* Reads a boundary condition; its numbers are in parts of the workspace. */
static vxe_status read_region(vxe_vxc_reader *reader, vxe_xml_node *node, vxe_error *error)
{
    vxe_messages *notes = reader->design->notes;
    vxe_error *wrong = &reader->wrong;
    vxe_region region = {0};
    const double shape = vxe_xml_number(node, "PrimType", 0, wrong);
    double largest = 0;
    for (int c = 0; c < 3; c++) {
        const double workspace = reader->cells[c] * reader->design->voxel_size;
        double numbers[VXE_REGION_NUMBERS];
        for (int i = 0; i < VXE_REGION_NUMBERS; i++) {
            numbers[i] = vxe_xml_number(node, vxe_vxa_region_tags[i][c], 0, wrong);
        }
        largest = workspace > largest ? workspace : largest;
        region.low[c] = numbers[VXE_REGION_CORNER] * workspace;
        region.high[c] = region.low[c] + numbers[VXE_REGION_EXTENT] * workspace;
        region.force[c] = numbers[VXE_REGION_FORCE];
        region.moment[c] = numbers[VXE_REGION_MOMENT];
        region.displacement[c] = numbers[VXE_REGION_DISPLACEMENT];
        region.rotation[c] = numbers[VXE_REGION_ROTATION];
    }
    region.radius = vxe_xml_number(node, "Radius", 0, wrong) * largest;
    const double all = vxe_xml_flag(node, "Fixed", false, wrong) ? VXE_FIX_ALL : 0;
    region.fixed = (uint32_t)vxe_xml_whole(node, "DofFixed", all, VXE_FIX_ALL, wrong);
    if (!(shape == 0 || shape == 1 || shape == 2)) {
        vxe_messages_add(
            notes,
            "ignored: a region of type %g at line %u (boxes, cylinders and spheres are read)",
            shape, node->line);
        vxe_xml_mark(node);
        return VXE_OK;
    }
    region.shape = (vxe_region_shape)(int)shape;
    for (int c = 0; c < 4; c++) {
        static const char *const display[4] = {"R", "G", "B", "alpha"};
        (void)vxe_xml_child(node, display[c]);
    }
    return vxe_design_add_region(reader->design, &region, error);
}

static vxe_status read_regions(vxe_vxc_reader *reader, vxe_xml_node *list, const char *count,
                               vxe_error *error)
{
    vxe_status status = VXE_OK;
    (void)vxe_xml_child(list, count);
    for (vxe_xml_node *node = vxe_xml_child(list, "FRegion"); node && !status;
         node = vxe_xml_next(node)) {
        status = read_region(reader, node, error);
    }
    return status;
}

vxe_status vxe_vxa_read_environment(vxe_vxc_reader *reader, vxe_xml_node *environment,
                                    vxe_error *error)
{
    vxe_xml_node *conditions = vxe_xml_child(environment, "Boundary_Conditions");
    vxe_status status = VXE_OK;
    if (conditions) {
        status = read_regions(reader, conditions, "NumBCs", error);
    } else {
        status =
            read_regions(reader, vxe_xml_child(environment, "Fixed_Regions"), "NumFixed", error);
        status = status ? status
                        : read_regions(reader, vxe_xml_child(environment, "Forced_Regions"),
                                       "NumForced", error);
    }
    read_gravity(reader, vxe_xml_child(environment, "Gravity"));
    read_floor_rim(reader, environment);
    read_fluid(reader, environment);
    read_thermal(reader, vxe_xml_child(environment, "Thermal"));
    read_bounds(reader, environment);
    return status;
}
