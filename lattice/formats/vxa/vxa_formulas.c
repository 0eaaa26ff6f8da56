/* SPDX-License-Identifier: MIT */
/* Reads voxcraft's formulas, which give the force field, the stop condition and the fitness, and
   the forces of its cilia. */
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "lattice/formats/math_tree_internal.h"
#include "lattice/formats/vxa/vxc_internal.h"

/* Variables of a run, which have the same names in voxcraft and here. */
#define OF_A_RUN                                                                                   \
    {"t", "t"}, {"hit", "hit"}, {"angle", "angle"}, {"targetCloseness", "targetCloseness"},        \
        {"numClosePairs", "numClosePairs"},                                                        \
    {                                                                                              \
        "num_voxel", "num_voxel"                                                                   \
    }

/* Conditions under which voxels attach, at most. */
#define ATTACH_CONDITIONS 5

/* A coordinate in voxcraft's frame, whose origin is the centre of voxel (0, 0, 0), as a formula of
   our variable. */
static const char *voxcraft_coordinate(char *text, size_t size, const char *ours, double voxel_size)
{
    char half[40];
    snprintf(text, size, "(%s - %s)", ours,
             vxe_number_shortest(half, sizeof half, 0.5 * voxel_size));
    return text;
}

/* Reads a formula into the design. */
static vxe_status read_one(vxe_vxc_reader *reader, vxe_xml_node *node, vxe_formula which,
                           const vxe_math_name *names, uint32_t name_count, vxe_error *error)
{
    char *text = NULL;
    vxe_status status = vxe_math_tree_read(node, names, name_count, &text, error);
    if (!status && text) {
        status = vxe_design_set_formula(reader->design, which, text, error);
    }
    vxe_memory_release(text);
    return status;
}

static vxe_status read_field(vxe_vxc_reader *reader, vxe_xml_node *field, vxe_error *error)
{
    static const char *const tags[3][2] = {{"x_forcefield", "x_force_field"},
                                           {"y_forcefield", "y_force_field"},
                                           {"z_forcefield", "z_force_field"}};
    const double edge = reader->design->voxel_size;
    char x[3][80];
    const vxe_math_name names[] = {{"x", voxcraft_coordinate(x[0], sizeof x[0], "x", edge)},
                                   {"y", voxcraft_coordinate(x[1], sizeof x[1], "y", edge)},
                                   {"z", voxcraft_coordinate(x[2], sizeof x[2], "z", edge)},
                                   {"t", "t"}};
    vxe_status status = VXE_OK;
    for (int c = 0; c < 3 && !status; c++) {
        vxe_xml_node *node = vxe_xml_child(field, tags[c][0]);
        node = node ? node : vxe_xml_child(field, tags[c][1]);
        status = read_one(reader, node, (vxe_formula)(VXE_FORMULA_FORCE_X + c), names,
                          sizeof names / sizeof names[0], error);
        const char *text = reader->design->formulas[VXE_FORMULA_FORCE_X + c];
        if (!status && text && strcmp(text, "0") == 0) { /* no formula is faster, and the same */
            status = vxe_design_set_formula(reader->design, (vxe_formula)(VXE_FORMULA_FORCE_X + c),
                                            NULL, error);
        }
    }
    return status;
}

/* Reads voxcraft's stop condition, which replaces the older tags. */
static vxe_status read_stop(vxe_vxc_reader *reader, vxe_xml_node *node, vxe_error *error)
{
    vxe_stop *stop = &reader->design->stop;
    if (!node || !node->first_child) {
        return VXE_OK;
    }
    stop->steps = 0;
    stop->periods = 0;
    stop->duration = vxe_math_tree_crossing(node, "t", 0);
    if (stop->duration > 0) {
        return VXE_OK;
    }
    stop->duration = 0;
    const double edge = reader->design->voxel_size;
    char x[3][80];
    const vxe_math_name names[] = {{"x", voxcraft_coordinate(x[0], sizeof x[0], "center_x", edge)},
                                   {"y", voxcraft_coordinate(x[1], sizeof x[1], "center_y", edge)},
                                   {"z", voxcraft_coordinate(x[2], sizeof x[2], "center_z", edge)},
                                   OF_A_RUN};
    return read_one(reader, node, VXE_FORMULA_STOP, names, sizeof names / sizeof names[0], error);
}

/* Reads the forces of cilia: they push surface voxels along the axes of the voxel by the force in a
 * layer times a factor of the material. Their control by signals is not built. */
static vxe_status read_cilia(vxe_vxc_reader *reader, bool enabled, vxe_error *error)
{
    vxe_design *design = reader->design;
    vxe_layer *base = enabled && vxe_design_find_layer(design, "BaseCiliaForce")
                          ? vxe_design_layer(design, "BaseCiliaForce", 3)
                          : NULL;
    vxe_topology scan;
    if (!base || vxe_design_find_layer(design, "BodyForce")) {
        return VXE_OK;
    }
    const vxe_status status = vxe_topology_init(&scan, design, error);
    if (status) {
        return status;
    }
    snprintf(base->name, sizeof base->name, "BodyForce");
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        VXE_ASSERT(design->voxels[v].material < design->material_count);
        const bool outer = scan.faces[scan.place[v]] != 0;
        const double factor = outer ? reader->cilia[design->voxels[v].material] : 0;
        for (size_t i = 3 * (size_t)v; i < 3 * (size_t)v + 3; i++) {
            base->values[i] *= factor;
        }
    }
    vxe_topology_clear(&scan);
    return VXE_OK;
}

vxe_status vxe_vxa_read_attach_conditions(vxe_vxc_reader *reader, vxe_xml_node *conditions,
                                          vxe_error *error)
{
    static const vxe_math_name names[] = {{"x", "x"}, {"y", "y"}, {"z", "z"}, {"t", "t"}};
    vxe_design *design = reader->design;
    vxe_status status = VXE_OK;
    for (int i = 0; i < ATTACH_CONDITIONS && !status; i++) {
        char tag[16];
        char *text = NULL;
        double value = 1;
        snprintf(tag, sizeof tag, "Condition_%d", i);
        status = vxe_math_tree_read(vxe_xml_child(conditions, tag), names,
                                    sizeof names / sizeof names[0], &text, error);
        if (text && vxe_number_read(text, &value)) {
            vxe_messages_add(design->notes,
                             "ignored: %s of attaching, %s (only constants are simulated)", tag,
                             text);
        }
        for (uint32_t m = 0; m < design->material_count && !(value > 0); m++) {
            design->materials[m].sticky = false;
        }
        vxe_memory_release(text);
    }
    return status;
}

vxe_status vxe_vxa_read_formulas(vxe_vxc_reader *reader, vxe_xml_node *simulator, vxe_error *error)
{
    static const vxe_math_name names[] = {{"x", "x"}, {"y", "y"}, {"z", "z"}, OF_A_RUN};
    vxe_design *design = reader->design;
    vxe_xml_node *stop = vxe_xml_child(simulator, "StopCondition");
    vxe_status status = read_field(reader, vxe_xml_child(simulator, "ForceField"), error);
    status =
        status ? status : read_stop(reader, vxe_xml_child(stop, "StopConditionFormula"), error);
    status = status ? status
                    : read_one(reader, vxe_xml_child(simulator, "FitnessFunction"),
                               VXE_FORMULA_FITNESS, names, sizeof names / sizeof names[0], error);
    const bool cilia = vxe_xml_flag(simulator, "EnableCilia", false, &reader->wrong);
    status = status ? status : read_cilia(reader, cilia, error);
    const double pairs =
        vxe_xml_number(simulator, "MaxDistInVoxelLengthsToCountAsPair", 0, &reader->wrong);
    design->pair_distance = pairs > 0 ? pairs : 0;
    if (vxe_xml_flag(simulator, "SecondaryExperiment", false, &reader->wrong)) {
        design->stop.reference_time = vxe_xml_number(
            simulator, "ReinitializeInitialPositionAfterThisManySeconds", 0, &reader->wrong);
    }
    return status;
}
