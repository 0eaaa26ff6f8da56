/* SPDX-License-Identifier: MIT */
/* Reads a design as the simulators of the Voxelyze family do: they lack some of its parts, and read
   others differently. What is dropped is reported as a warning. */
#include "engine/model/workspace.h"
#include "engine/voxelyze/voxelyze.h"

/* A part of a design that a preset does not read, if it is there. */
typedef struct unread {
    bool there;
    const char *what;
} unread;

static void warn_of(const unread *parts, size_t count, const vxe_conventions *conventions,
                    vxe_messages *warnings)
{
    for (size_t i = 0; i < count; i++) {
        if (parts[i].there) {
            vxe_messages_add(warnings, "%s: has no effect under conventions '%s'", parts[i].what,
                             conventions->name);
        }
    }
}

/* Warns of the parts of a design that only others of these simulators read. */
static void warn_of_others(const vxe_conventions *conventions, const vxe_design *design,
                           vxe_messages *warnings)
{
    const vxe_actuation *heat = &design->actuation;
    const unread parts[] = {
        {design->volume_effects, "volume effects (Poisson's ratio)"},
        {design->floor.slope[0] != 0 && !conventions->floor_slopes, "a floor that slopes along x"},
        {design->floor.sticky && !conventions->floor_sticks, "a sticky floor"},
        {design->floor.radius > 0 && !conventions->floor_ends, "the radius of the floor"},
        {heat->enabled && (heat->min > 0 || heat->max > 0) && !conventions->bounded,
         "bounds of the actuation"},
        {heat->enabled && heat->start > 0 && !conventions->starts_later,
         "the start of the actuation"},
        {design->fluid.enabled && conventions->fluid == VXE_FLUID_IGNORED, "the fluid"},
        {design->fluid.enabled && conventions->fluid == VXE_FLUID_FLOATS && design->floor.enabled,
         "the floor (a design with a fluid floats)"}};
    warn_of(parts, sizeof parts / sizeof parts[0], conventions, warnings);
}

/* Warns of the parts of a design that these simulators do not have. */
static void warn_of_native(const vxe_conventions *conventions, const vxe_design *design,
                           vxe_messages *warnings)
{
    bool yields = false;
    bool sticks = false;
    bool phased = false;
    for (uint32_t i = 0; i < design->material_count; i++) {
        phased = phased || (design->materials[i].phase != 0 && design->actuation.enabled);
        yields = yields || vxe_material_yields(&design->materials[i]);
        sticks = sticks || design->materials[i].sticky;
    }
    const unread native[] = {
        {yields, "materials that yield or break"},
        {sticks, "sticky materials"},
        {phased, "phases of materials"},
        {design->stiffening_count > 0, "stiffness that changes"},
        {design->schedule_count > 0, "schedules of sizes"},
        {design->floor.heights.columns > 0, "a heightfield"},
        {design->floor.slope[1] != 0, "a floor that slopes along y"},
        {design->formulas[VXE_FORMULA_FORCE_X] || design->formulas[VXE_FORMULA_FORCE_Y] ||
             design->formulas[VXE_FORMULA_FORCE_Z],
         "a field of force"},
        {vxe_design_find_layer(design, "BodyForce") != NULL, "layer BodyForce"},
        {design->magnetics.enabled, "magnets"},
        {design->fluid.enabled && design->fluid.buoyancy, "buoyancy"},
        {vxe_design_find_layer(design, "Frequency") != NULL, "layer Frequency"},
        {vxe_design_find_layer(design, "Group") != NULL, "groups"},
        {vxe_design_find_layer(design, "Part") != NULL && design->self_collision,
         "contact of parts that are side by side"}};
    const bool grows =
        vxe_design_find_layer(design, "InitialSize") || vxe_design_find_layer(design, "FinalSize");
    if (grows) {
        vxe_messages_add(warnings, "voxels grow as in native runs, not as under conventions '%s'",
                         conventions->name);
    }
    warn_of(native, sizeof native / sizeof native[0], conventions, warnings);
}

void vxe_voxelyze_read_design(const vxe_conventions *conventions, const vxe_design *design,
                              vxe_design *read, vxe_messages *warnings)
{
    const bool floats = conventions->fluid == VXE_FLUID_FLOATS && design->fluid.enabled;
    *read = *design;
    if (floats) {
        read->floor = (vxe_floor){.height = design->floor.height};
        read->gravity[0] = read->gravity[1] = read->gravity[2] = 0;
    }
    read->fluid.enabled = design->fluid.enabled && conventions->fluid != VXE_FLUID_IGNORED;
    if (conventions->law != VXE_LAW_EVOSORO) {
        return;
    }
    warn_of_native(conventions, design, warnings);
    warn_of_others(conventions, design, warnings);
    read->floor = (vxe_floor){.enabled = read->floor.enabled, .height = design->floor.height};
    for (int c = 0; c < 3; c++) {
        read->formulas[VXE_FORMULA_FORCE_X + c] = NULL;
    }
    read->fluid.enabled = false;  /* its own mesh is made from the design */
    read->self_collision = false; /* replaced by the contact of that family */
    read->volume_effects = false;
    read->magnetics.enabled = false;
    read->stiffening_count = 0;
    read->schedule_count = 0;
}
