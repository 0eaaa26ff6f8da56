/* SPDX-License-Identifier: MIT */
/* The tasks: how each changes the world, and its formula of fitness. Lengths are in m. */
#include <math.h>
#include <stdio.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/random_internal.h"
#include "common/status_internal.h"
#include "engine/trial.h"
#include "evolution/experiment/experiment_internal.h"

/* Width of the rough ground beyond the box on each side, voxels; largest number of its points along
   an axis. */
#define ROUGH_BEYOND 40.0
#define MAX_POINTS 1000.0
/* Points of the grid per stair. Heights rise linearly between two points, so a stair's face is
   steep but not vertical. */
#define POINTS_PER_STEP 8u
/* Density of water, kg/m^3. */
#define WATER_DENSITY 1000.0
#define CUBE_DRAG 1.05 /* Hoerner1965, 3-16: cube, face forward */

static const char *horizontal_distance(uint32_t direction)
{
    return direction == VXE_DIRECTION_X   ? "x"
           : direction == VXE_DIRECTION_Y ? "y"
                                          : "sqrt(x*x + y*y)";
}

/* The same of an object, as long as it is at least the edge of a voxel above the floor. */
static const char *carried_distance(const vxe_experiment *e, char text[80])
{
    snprintf(text, 80, "%s*(center_z > %.17g)", horizontal_distance(e->task.direction),
             (0.5 * (double)e->task.object_size + 1) * e->ground->voxel_size);
    return text;
}

static vxe_status take_heights(vxe_heightfield *field, vxe_error *error)
{
    const uint64_t points = (uint64_t)field->columns * field->rows;
    VXE_ASSERT(field->columns >= 2 && field->rows >= 2 && field->spacing > 0);
    field->heights = vxe_memory_take(points, sizeof *field->heights);
    return field->heights ? VXE_OK : vxe_error_memory(error, points * sizeof(double));
}

/* Builds stairs along x that begin one voxel in front of the box. */
static vxe_status build_stairs(const vxe_experiment *e, vxe_design *ground, vxe_error *error)
{
    const double edge = ground->voxel_size;
    const double height = e->task.step_height > 0 ? e->task.step_height : 0.5 * edge;
    const double depth = e->task.step_depth > 0 ? e->task.step_depth : 3 * edge;
    vxe_heightfield field = {.columns = (uint32_t)e->task.steps * POINTS_PER_STEP + 2,
                             .rows = 2,
                             .spacing = depth / POINTS_PER_STEP,
                             .origin = {(e->size[0] + 1.0) * edge, 0}};
    vxe_status status = take_heights(&field, error);
    for (uint32_t j = 0; j < field.rows && !status; j++) {
        for (uint32_t i = 0; i < field.columns; i++) {
            /* the first point of a stair is at the foot of its face */
            const uint32_t climbed = i == 0 ? 0 : (i - 1) / POINTS_PER_STEP + 1;
            const uint32_t steps = climbed < e->task.steps ? climbed : (uint32_t)e->task.steps;
            field.heights[(size_t)j * field.columns + i] = steps * height;
        }
    }
    status = status ? status : vxe_design_set_heights(ground, &field, error);
    vxe_memory_release(field.heights);
    return status;
}

/* Builds random heights, also below the box; bodies settle on them first. */
static vxe_status build_rough(const vxe_experiment *e, vxe_design *ground, vxe_error *error)
{
    const double edge = ground->voxel_size;
    const double rough = e->task.roughness > 0 ? e->task.roughness : edge;
    const double spacing = e->task.spacing > 0 ? e->task.spacing : 2 * edge;
    double points[2];
    for (int c = 0; c < 2; c++) {
        points[c] = ceil((e->size[c] + 2 * ROUGH_BEYOND) * edge / spacing) + 1;
        points[c] = points[c] < 2 ? 2 : points[c];
        if (points[c] > MAX_POINTS) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "task: \"spacing_m\" of %g is too fine for this box", spacing);
        }
    }
    vxe_heightfield field = {.columns = (uint32_t)points[0],
                             .rows = (uint32_t)points[1],
                             .spacing = spacing,
                             .origin = {-ROUGH_BEYOND * edge, -ROUGH_BEYOND * edge}};
    vxe_status status = take_heights(&field, error);
    vxe_stream stream = vxe_stream_open(e->seed, 0, 0, UINT32_MAX);
    for (size_t i = 0; i < (size_t)field.columns * field.rows && !status; i++) {
        field.heights[i] = rough * (vxe_stream_unit(&stream) - 1);
    }
    status = status ? status : vxe_design_set_heights(ground, &field, error);
    vxe_memory_release(field.heights);
    return status;
}

/* Fills the world with water without gravity, unless the world defines a fluid. */
static void fill_water(vxe_design *ground)
{
    ground->floor.enabled = false;
    if (!ground->fluid.enabled) {
        ground->fluid =
            (vxe_fluid){.enabled = true, .density = WATER_DENSITY, .drag_coefficient = CUBE_DRAG};
        for (int c = 0; c < 3; c++) {
            ground->gravity[c] = 0;
        }
    }
}

/* Adds the material of objects. Only this material is measured, and formulas call its voxels
   targets. */
static vxe_status add_material(const vxe_experiment *e, vxe_design *ground, uint32_t *number,
                               vxe_error *error)
{
    vxe_material object = ground->materials[0];
    for (uint32_t i = 0; i < ground->material_count; i++) {
        ground->materials[i].unmeasured = true;
        ground->materials[i].target = false;
    }
    snprintf(object.name, sizeof object.name, "object");
    object.thermal_expansion = 0;
    object.unmeasured = false;
    object.target = true;
    object.density = e->task.object_density > 0 ? e->task.object_density : object.density;
    ground->self_collision = true;
    return vxe_design_add_material(ground, &object, number, error);
}

/* Gives the voxels from `first` on another part, so that they are not bonded to the robot. */
static vxe_status part_from(vxe_design *ground, uint32_t first, vxe_error *error)
{
    VXE_ASSERT(first <= ground->voxel_count);
    const vxe_layer *part = vxe_design_layer(ground, "Part", 1);
    if (!part) {
        return vxe_error_memory(error, ground->voxel_count * sizeof(double));
    }
    for (uint32_t v = first; v < ground->voxel_count; v++) {
        part->values[v] = 1;
    }
    return VXE_OK;
}

/* Puts four voxels in front of the box along x, as far apart as it is wide. */
static vxe_status scatter_objects(const vxe_experiment *e, vxe_design *ground, vxe_error *error)
{
    const uint32_t first = ground->voxel_count;
    const int32_t wide = (int32_t)e->size[1] > 3 ? (int32_t)e->size[1] - 1 : 3;
    uint32_t number = 0;
    vxe_status status = add_material(e, ground, &number, error);
    for (int32_t i = 0; i < 4 && !status; i++) {
        status = vxe_design_add_voxel(ground, (int32_t)e->size[0] + 1 + i / 2 * wide, i % 2 * wide,
                                      0, number, error);
    }
    ground->pair_distance = 1e3; /* m; all of them count as pairs */
    return status ? status : part_from(ground, first, error);
}

/* Adds an object in front of the box along x, or on top of it. */
static vxe_status add_object(const vxe_experiment *e, vxe_design *ground, bool on_top,
                             vxe_error *error)
{
    const int32_t side = (int32_t)e->task.object_size;
    const uint32_t first = ground->voxel_count; /* a given body may be there already */
    uint32_t number = 0;
    vxe_status status = add_material(e, ground, &number, error);
    for (int32_t i = 0; i < side * side * side && !status; i++) {
        const int32_t at[3] = {i % side, i / side % side, i / (side * side)};
        const int32_t middle[2] = {((int32_t)e->size[0] - side) / 2,
                                   ((int32_t)e->size[1] - side) / 2};
        status = vxe_design_add_voxel(
            ground, at[0] + (on_top ? middle[0] : (int32_t)e->size[0] + 1), at[1] + middle[1],
            at[2] + (on_top ? (int32_t)e->size[2] : 0), number, error);
    }
    return status ? status : part_from(ground, first, error);
}

/* Checks that there is a formula exactly where the task needs one. */
static vxe_status check_formula(const vxe_task_settings *task, vxe_error *error)
{
    const bool wanted = task->name == VXE_TASK_FORMULA;
    if (wanted && !task->fitness[0]) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "task: \"formula\" needs a \"fitness\", such as \"x - abs(y)\"");
    }
    return wanted || !task->fitness[0]
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_INPUT,
                                "task: \"fitness\" is for the task \"formula\"");
}

static vxe_status shape_ground(vxe_experiment *e, vxe_error *error)
{
    vxe_design *ground = e->ground;
    char carried[80];
    const char *fitness =
        vxe_task_is_external(&e->task) ? NULL : horizontal_distance(e->task.direction);
    vxe_status status = VXE_OK;
    switch ((vxe_task_name)e->task.name) {
    case VXE_TASK_CLIMB:
        fitness = "z";
        status = build_stairs(e, ground, error);
        break;
    case VXE_TASK_ROUGH:
        status = build_rough(e, ground, error);
        break;
    case VXE_TASK_SWIM:
        fitness = e->task.direction == VXE_DIRECTION_ANY ? "sqrt(x*x + y*y + z*z)" : fitness;
        fill_water(ground);
        break;
    case VXE_TASK_JUMP:
        fitness = "peak";
        break;
    case VXE_TASK_FLIP:
        fitness = "(1 - up)/2";
        break;
    case VXE_TASK_TURN:
        fitness = "abs(turn)";
        break;
    case VXE_TASK_TALL:
        fitness = "top";
        break;
    case VXE_TASK_VOLUME:
        fitness = "volume";
        break;
    case VXE_TASK_PUSH:
    case VXE_TASK_THROW:
        status = add_object(e, ground, e->task.name == VXE_TASK_THROW, error);
        break;
    case VXE_TASK_GATHER:
        fitness = "targetCloseness";
        status = scatter_objects(e, ground, error);
        break;
    case VXE_TASK_CARRY:
        fitness = carried_distance(e, carried);
        status = add_object(e, ground, true, error);
        break;
    case VXE_TASK_FORMULA:
        fitness = e->task.fitness;
        break;
    case VXE_TASK_PROGRAM:
    case VXE_TASK_LIBRARY:
    case VXE_TASK_TOLD:
    case VXE_TASK_WALK:
        break;
    }
    status = status ? status : check_formula(&e->task, error);
    return status || !fitness ? status
                              : vxe_design_set_formula(ground, VXE_FORMULA_FITNESS, fitness, error);
}

/* Checks the world before the search begins, with one voxel in place of a body. */
static vxe_status check_ground(const vxe_design *ground, bool is_shaped, vxe_error *error)
{
    vxe_design *probe = vxe_design_copy(ground, error);
    /* bodies have no cells below 0 */
    vxe_status status = probe ? vxe_design_add_voxel(probe, -1, 0, 0, 0, error) : VXE_ERROR_MEMORY;
    status = status ? status : vxe_design_check(probe, error);
    if (!status && is_shaped) {
        status = vxe_design_formula_check(probe, VXE_FORMULA_FITNESS, error);
    }
    vxe_design_destroy(probe);
    return status;
}

vxe_status vxe_task_prepare(vxe_experiment *e, vxe_error *error)
{
    VXE_ASSERT(e->world && !e->ground);
    e->ground = vxe_design_copy(e->world, error);
    if (!e->ground) {
        return VXE_ERROR_MEMORY;
    }
    e->ground->stop = (vxe_stop){.duration = e->task.duration, .settle_time = e->task.settle_time};
    vxe_status status = check_ground(e->ground, false, error); /* tasks rely on numbers of the
                                                                  world */
    status = status ? status : shape_ground(e, error);
    return status ? status : check_ground(e->ground, true, error);
}
