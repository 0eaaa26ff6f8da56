/* SPDX-License-Identifier: MIT */
/* The unit of a fitness, by those of the variables of its formula. */
#include <stddef.h>
#include <string.h>

#include "engine/trial.h"
#include "engine/world/fitness_variables.h"

/* Powers of m, s, rad and voxels, of the variables; those that are not listed are pure numbers. */
static const vxe_dimension of_variable[VXE_FITNESS_VARIABLES] = {
    [VXE_READ_T] = {{0, 1, 0, 0}},          [VXE_READ_X] = {{1, 0, 0, 0}},
    [VXE_READ_Y] = {{1, 0, 0, 0}},          [VXE_READ_Z] = {{1, 0, 0, 0}},
    [VXE_READ_CENTER_X] = {{1, 0, 0, 0}},   [VXE_READ_CENTER_Y] = {{1, 0, 0, 0}},
    [VXE_READ_CENTER_Z] = {{1, 0, 0, 0}},   [VXE_READ_ANGLE] = {{0, 0, 1, 0}},
    [VXE_READ_CLOSENESS] = {{-1, 0, 0, 0}}, [VXE_READ_TOP] = {{1, 0, 0, 0}},
    [VXE_READ_TURN] = {{0, 0, 1, 0}},       [VXE_READ_PEAK] = {{1, 0, 0, 0}},
    [VXE_READ_VOLUME] = {{3, 0, 0, 0}}};

static const vxe_unit none = {"", "", ""};

/* The units that have a name, by the same powers. */
#define UNIT(name, suffix)                                                                         \
    {                                                                                              \
        name, " " name, suffix                                                                     \
    }
static const struct {
    vxe_dimension of;
    vxe_unit unit;
} units[] = {{{{1, 0, 0, 0}}, UNIT("m", "_m")},
             {{{2, 0, 0, 0}}, UNIT("m^2", "_m2")},
             {{{3, 0, 0, 0}}, UNIT("m^3", "_m3")},
             {{{-1, 0, 0, 0}}, UNIT("1/m", "_per_m")},
             {{{1, -1, 0, 0}}, UNIT("m/s", "_m_per_s")},
             {{{0, 1, 0, 0}}, UNIT("s", "_s")},
             {{{0, -1, 0, 0}}, UNIT("1/s", "_per_s")},
             {{{0, 0, 1, 0}}, UNIT("rad", "_rad")},
             {{{0, -1, 1, 0}}, UNIT("rad/s", "_rad_per_s")},
             {{{0, 0, 0, 1}}, UNIT("voxels", "_voxels")},
             {{{0, -1, 0, 1}}, UNIT("voxels/s", "_voxels_per_s")}};

vxe_unit vxe_unit_of_both(vxe_unit a, vxe_unit b)
{
    return strcmp(a.name, b.name) == 0 ? a : none;
}

vxe_unit vxe_design_fitness_unit(const vxe_design *design)
{
    vxe_unit unit = none;
    vxe_expression formula = {0};
    vxe_dimension found;
    vxe_error ignored;
    if (!vxe_formula_parse(&formula, design, VXE_FORMULA_FITNESS, &ignored) &&
        vxe_expression_dimension(&formula, of_variable, design->voxel_size, &found)) {
        for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
            unit = vxe_dimension_equal(&units[i].of, &found) ? units[i].unit : unit;
        }
    }
    vxe_expression_clear(&formula);
    return unit;
}
