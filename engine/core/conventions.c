/* SPDX-License-Identifier: MIT */
/* The table of compatibility presets: which rules another simulator scored its robots by.
   Source: those simulators as they were measured to behave (docs/accuracy.md, Compatibility
   presets). */
#include "engine/conventions.h"

#include <string.h>

#include "common/assert_internal.h"

/* What all simulators of the Voxelyze family share. */
#define VOXELYZE                                                                                   \
    .torsion = VXE_TORSION_POLAR, .step_rule = VXE_STEP_SOURCE, .damping = VXE_DAMPING_EXPLICIT,   \
    .voxelyze_dashpots = true, .floor_stiffness = 2, .floor_pulls = true, .contact_spheres = true

/* Voxelyze and voxcraft share a bond law; so do evosoro, its land-water fork and
   reconfigurable_organisms. */
#define VOXELYZE_BONDS VOXELYZE, .law = VXE_LAW_NODE_FRAME, .yields_in_tension = true
#define EVOSORO_BONDS VOXELYZE, .law = VXE_LAW_EVOSORO, .pi = 3.1415926, .fixed_unbonded = true

static const vxe_conventions table[] = {
    {.name = "native",
     .summary = "Voxelastic's own",
     .torsion = VXE_TORSION_STVENANT,
     .floor_stiffness = 1,
     .actuation_fades_in = true},
    {.name = "voxelyze",
     .summary = "Voxelyze library: bond law, floor, damping and actuation",
     VOXELYZE_BONDS,
     .contact_bonds = 5},
    {.name = "evosoro",
     .summary = "evosoro _voxcad: its bond law, floor, contact and actuation, contraction only",
     EVOSORO_BONDS,
     .widest = 1,
     .grows = true,
     .floor_sticks = true,
     .floor_ends = true,
     .fluid = VXE_FLUID_IGNORED},
    {.name = "land-water",
     .summary =
         "evosoro _voxcad_land_water: as evosoro, both ways; swims without gravity and floor",
     EVOSORO_BONDS,
     .layer_stiffens_bonds = true,
     .fluid = VXE_FLUID_FLOATS},
    {.name = "recorg",
     .summary = "reconfigurable_organisms _voxcad: as evosoro, both ways; floors slope",
     EVOSORO_BONDS,
     .widest = 3,
     .grows = true,
     .starts_later = true,
     .bounded = true,
     .layer_stiffens_bonds = true,
     .floor_slopes = true,
     .fluid = VXE_FLUID_DRAGS},
    {.name = "voxcraft",
     .summary =
         "voxcraft-sim: as Voxelyze; muscles only contract where a file does not let them expand",
     VOXELYZE_BONDS,
     .contact_bonds = 1,
     .stop_by_cycle = true,
     .cold_only = true},
};

const vxe_conventions *vxe_conventions_at(unsigned index)
{
    return index < sizeof table / sizeof table[0] ? &table[index] : NULL;
}

const vxe_conventions *vxe_conventions_find(const char *name)
{
    VXE_ASSERT(name);
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(table[i].name, name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}
