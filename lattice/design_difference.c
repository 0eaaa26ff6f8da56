/* SPDX-License-Identifier: MIT */
/* Differences of two designs, in words. Writers use it: they read their own file back and report
   what the format cannot express. Voxels are compared in scan order, numbers up to rounding. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/design.h"
#include "lattice/region_internal.h"
#include "lattice/topology_internal.h"

/* Relative tolerance: numbers may be multiplied and divided by a unit on their way. */
#define ROUNDING 1e-12
/* Tolerance of a colour: half a step of 256, and rounding. */
#define BYTE (0.5001 / 255)

/* Who receives the differences. */
typedef struct listener {
    vxe_design_difference *tell;
    void *user;
} listener;

/* A field of a design or a material, with the name by which it is reported. */
typedef struct field {
    const char *name;
    size_t offset;
} field;

static const field numbers[] = {
    {"voxel size, m", offsetof(vxe_design, voxel_size)},
    {"gravity along x, m/s^2", offsetof(vxe_design, gravity[0])},
    {"gravity along y, m/s^2", offsetof(vxe_design, gravity[1])},
    {"gravity along z, m/s^2", offsetof(vxe_design, gravity[2])},
    {"file's frame, x, m", offsetof(vxe_design, file_origin[0])},
    {"file's frame, y, m", offsetof(vxe_design, file_origin[1])},
    {"file's frame, z, m", offsetof(vxe_design, file_origin[2])},
    {"duration, s", offsetof(vxe_design, stop.duration)},
    {"periods", offsetof(vxe_design, stop.periods)},
    {"settling, s", offsetof(vxe_design, stop.settle_time)},
    {"time of reference, s", offsetof(vxe_design, stop.reference_time)},
    {"distance of pairs", offsetof(vxe_design, pair_distance)},
    {"fraction of the time step", offsetof(vxe_design, time_step.fraction)},
    {"time step, s", offsetof(vxe_design, time_step.seconds)}};
static const field floor_numbers[] = {
    {"height of the floor, m", offsetof(vxe_design, floor.height)},
    {"slope along x", offsetof(vxe_design, floor.slope[0])},
    {"slope along y", offsetof(vxe_design, floor.slope[1])},
    {"radius of the floor, m", offsetof(vxe_design, floor.radius)}};
static const field rim_numbers[] = {
    {"centre of the floor, x, m", offsetof(vxe_design, floor.center[0])},
    {"centre of the floor, y, m", offsetof(vxe_design, floor.center[1])}};
static const field fluid_numbers[] = {
    {"density of the fluid, kg/m^3", offsetof(vxe_design, fluid.density)},
    {"drag coefficient", offsetof(vxe_design, fluid.drag_coefficient)}};
static const field magnetic_numbers[] = {
    {"dipole_cap, m", offsetof(vxe_design, magnetics.dipole_cap)},
    {"dipole_soften, m", offsetof(vxe_design, magnetics.dipole_soften)},
    {"dipole_d, m", offsetof(vxe_design, magnetics.dipole_d)},
    {"reference of the gradient, x, m", offsetof(vxe_design, magnetics.reference[0])},
    {"reference of the gradient, y, m", offsetof(vxe_design, magnetics.reference[1])},
    {"reference of the gradient, z, m", offsetof(vxe_design, magnetics.reference[2])}};
static const field heat_numbers[] = {
    {"base temperature, C", offsetof(vxe_design, actuation.base)},
    {"amplitude of actuation, K", offsetof(vxe_design, actuation.amplitude)},
    {"period of actuation, s", offsetof(vxe_design, actuation.period)},
    {"start of actuation, s", offsetof(vxe_design, actuation.start)},
    {"least size", offsetof(vxe_design, actuation.min)},
    {"most size", offsetof(vxe_design, actuation.max)},
    {"room of the actuation", offsetof(vxe_design, actuation.room)}};
static const field flags[] = {{"floor", offsetof(vxe_design, floor.enabled)},
                              {"sticky floor", offsetof(vxe_design, floor.sticky)},
                              {"fluid", offsetof(vxe_design, fluid.enabled)},
                              {"buoyancy", offsetof(vxe_design, fluid.buoyancy)},
                              {"magnetics", offsetof(vxe_design, magnetics.enabled)},
                              {"dipoles alone", offsetof(vxe_design, magnetics.alone)},
                              {"induction", offsetof(vxe_design, magnetics.induces)},
                              {"volume effects", offsetof(vxe_design, volume_effects)},
                              {"self-collision", offsetof(vxe_design, self_collision)},
                              {"actuation", offsetof(vxe_design, actuation.enabled)}};
static const field material_numbers[] = {
    {"Young's modulus", offsetof(vxe_material, youngs_modulus)},
    {"density", offsetof(vxe_material, density)},
    {"Poisson's ratio", offsetof(vxe_material, poissons_ratio)},
    {"static friction", offsetof(vxe_material, static_friction)},
    {"dynamic friction", offsetof(vxe_material, dynamic_friction)},
    {"bond damping", offsetof(vxe_material, bond_damping)},
    {"collision damping", offsetof(vxe_material, collision_damping)},
    {"global damping", offsetof(vxe_material, global_damping)},
    {"thermal expansion", offsetof(vxe_material, thermal_expansion)},
    {"phase", offsetof(vxe_material, phase)},
    {"plastic modulus", offsetof(vxe_material, plastic_modulus)},
    {"yield stress", offsetof(vxe_material, yield_stress)},
    {"fail stress", offsetof(vxe_material, fail_stress)},
    {"fail strain", offsetof(vxe_material, fail_strain)},
    {"detach stress", offsetof(vxe_material, detach_stress)},
    {"magnetisation along x", offsetof(vxe_material, magnetization[0])},
    {"magnetisation along y", offsetof(vxe_material, magnetization[1])},
    {"magnetisation along z", offsetof(vxe_material, magnetization[2])},
    {"susceptibility", offsetof(vxe_material, susceptibility)}};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

VXE_PRINTF(2, 3) static void tell(const listener *l, const char *format, ...)
{
    char text[240];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    l->tell(l->user, text);
}

static bool same(double a, double b)
{
    return a == b || fabs(a - b) <= ROUNDING * fmax(fabs(a), fabs(b));
}

static bool all_same(const double *a, const double *b, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (!same(a[i], b[i])) {
            return false;
        }
    }
    return true;
}

/* Reports fields that differ. prefix says what the fields belong to, or is empty. */
static void compare_fields(const listener *l, const char *prefix, const void *a, const void *b,
                           const field *fields, size_t count)
{
    VXE_ASSERT(a && b && prefix);
    for (size_t i = 0; i < count; i++) {
        double x = 0;
        double y = 0;
        memcpy(&x, (const char *)a + fields[i].offset, sizeof x);
        memcpy(&y, (const char *)b + fields[i].offset, sizeof y);
        if (!same(x, y)) {
            tell(l, "%s%s: %.9g is %.9g", prefix, fields[i].name, x, y);
        }
    }
}

static void compare_flags(const listener *l, const vxe_design *a, const vxe_design *b)
{
    for (size_t i = 0; i < COUNT(flags); i++) {
        bool x = false;
        bool y = false;
        memcpy(&x, (const char *)a + flags[i].offset, sizeof x);
        memcpy(&y, (const char *)b + flags[i].offset, sizeof y);
        if (x != y) {
            tell(l, "%s: %s is %s", flags[i].name, x ? "on" : "off", y ? "on" : "off");
        }
    }
}

static bool same_rules(const vxe_design *a, const vxe_design *b)
{
    bool equal = a->contact_rule_count == b->contact_rule_count;
    for (uint32_t i = 0; i < a->contact_rule_count && equal; i++) {
        const vxe_contact_rule *x = &a->contact_rules[i];
        const vxe_contact_rule *y = &b->contact_rules[i];
        uint32_t count = 0;
        (void)vxe_contact_law_numbers(x->law.kind, &count);
        equal = x->first == y->first && x->second == y->second && x->law.kind == y->law.kind &&
                all_same(x->law.number, y->law.number, count);
    }
    return equal;
}

static bool same_schedules(const vxe_design *a, const vxe_design *b)
{
    bool equal = a->schedule_count == b->schedule_count;
    for (uint32_t i = 0; i < a->schedule_count && equal; i++) {
        const vxe_group_schedule *x = &a->schedules[i];
        const vxe_group_schedule *y = &b->schedules[i];
        equal = x->group == y->group && x->table_count == y->table_count &&
                all_same(x->table, y->table, 2 * (uint64_t)x->table_count);
    }
    return equal;
}

static bool same_controllers(const vxe_controller *a, const vxe_controller *b)
{
    bool equal = same(a->interval, b->interval) && same(a->min_target, b->min_target) &&
                 same(a->max_target, b->max_target) && a->sensor_count == b->sensor_count &&
                 a->network.layers == b->network.layers &&
                 a->network.activation == b->network.activation;
    for (uint32_t i = 0; i < a->sensor_count && equal; i++) {
        equal = a->sensors[i] == b->sensors[i];
    }
    for (uint32_t layer = 0; layer < a->network.layers && equal; layer++) {
        equal = a->network.width[layer] == b->network.width[layer];
    }
    const uint64_t weights = a->interval > 0 && equal ? vxe_network_weights(&a->network) : 0;
    for (uint64_t i = 0; i < weights && equal; i++) {
        equal = a->weights[i] == b->weights[i];
    }
    return equal;
}

static void compare_floors(const listener *l, const vxe_design *a, const vxe_design *b)
{
    const vxe_heightfield *x = &a->floor.heights;
    const vxe_heightfield *y = &b->floor.heights;
    compare_fields(l, "", a, b, floor_numbers, COUNT(floor_numbers));
    if (a->floor.radius > 0) {
        compare_fields(l, "", a, b, rim_numbers, COUNT(rim_numbers));
    }
    const uint64_t points = (uint64_t)x->columns * x->rows;
    if (x->columns != y->columns || x->rows != y->rows ||
        !all_same(x->heights, y->heights, points) ||
        (points > 0 && (!same(x->spacing, y->spacing) || !all_same(x->origin, y->origin, 2)))) {
        tell(l, "heights of the floor");
    }
}

static void compare_world(const listener *l, const vxe_design *a, const vxe_design *b)
{
    compare_fields(l, "", a, b, numbers, COUNT(numbers));
    compare_flags(l, a, b);
    if (strcmp(a->written_for, b->written_for) != 0) {
        tell(l, "written for %s: is %s", a->written_for, b->written_for);
    }
    if (a->floor.enabled) {
        compare_floors(l, a, b);
    }
    if (a->fluid.enabled) {
        compare_fields(l, "", a, b, fluid_numbers, COUNT(fluid_numbers));
    }
    if (a->magnetics.enabled) {
        compare_fields(l, "", a, b, magnetic_numbers, COUNT(magnetic_numbers));
        if (a->magnetics.divisions != b->magnetics.divisions ||
            a->magnetics.every != b->magnetics.every) {
            tell(l, "divisions or steps of dipoles");
        }
    }
    if (a->actuation.enabled) {
        compare_fields(l, "", a, b, heat_numbers, COUNT(heat_numbers));
    }
    if (a->stop.steps != b->stop.steps) {
        tell(l, "steps: %" PRIu64 " is %" PRIu64, a->stop.steps, b->stop.steps);
    }
    for (int i = 0; i < VXE_FORMULAS; i++) {
        const char *x = a->formulas[i] ? a->formulas[i] : "";
        const char *y = b->formulas[i] ? b->formulas[i] : "";
        if (strcmp(x, y) != 0) {
            tell(l, "%s", vxe_formula_name((vxe_formula)i));
        }
    }
    if (!same_schedules(a, b)) {
        tell(l, "schedules of sizes");
    }
    if (a->affine_count + a->wall_count + a->observation_count + b->affine_count + b->wall_count +
                b->observation_count >
            0 &&
        vxe_design_affine_hash(a) != vxe_design_affine_hash(b)) {
        tell(l, "affine bodies or walls");
    }
    if (!same_rules(a, b)) {
        tell(l, "contact rules");
    }
    if (a->stiffening_count != b->stiffening_count ||
        !all_same(a->stiffening, b->stiffening, 2 * (uint64_t)a->stiffening_count)) {
        tell(l, "stiffening");
    }
    if (!same_controllers(&a->controller, &b->controller)) {
        tell(l, "controller");
    }
}

static void compare_materials(const listener *l, const vxe_design *a, const vxe_design *b)
{
    if (a->material_count != b->material_count) {
        tell(l, "materials: %" PRIu32 " are %" PRIu32, a->material_count, b->material_count);
        return;
    }
    for (uint32_t i = 0; i < a->material_count; i++) {
        const vxe_material *x = &a->materials[i];
        const vxe_material *y = &b->materials[i];
        char prefix[120];
        snprintf(prefix, sizeof prefix, "material %" PRIu32 " '%s': ", i + 1, x->name);
        compare_fields(l, prefix, x, y, material_numbers, COUNT(material_numbers));
        if (x->model != y->model || x->sphere != y->sphere || x->sticky != y->sticky ||
            x->target != y->target || x->unmeasured != y->unmeasured ||
            x->curve_count != y->curve_count ||
            !all_same(x->curve_strain, y->curve_strain, x->curve_count) ||
            !all_same(x->curve_stress, y->curve_stress, x->curve_count)) {
            tell(l, "%slaw", prefix);
        }
        for (int c = 0; c < 4; c++) {
            if (fabs((double)x->color[c] - (double)y->color[c]) > BYTE) {
                tell(l, "%scolour", prefix);
                break;
            }
        }
        if (strcmp(x->name, y->name) != 0) {
            tell(l, "%sname", prefix);
        }
    }
}

/* Compares cells and materials of voxels. All cells may be shifted by one vector, which is
   reported. Returns whether the cells are the same otherwise. */
static bool compare_voxels(const listener *l, const vxe_design *a, const vxe_design *b,
                           const uint32_t *order_a, const uint32_t *order_b)
{
    if (a->voxel_count != b->voxel_count) {
        tell(l, "voxels: %" PRIu32 " are %" PRIu32, a->voxel_count, b->voxel_count);
        return false;
    }
    int64_t way[3] = {0, 0, 0};
    bool moved = false;
    bool materials = false;
    for (uint32_t i = 0; i < a->voxel_count; i++) {
        const vxe_voxel *x = &a->voxels[order_a[i]];
        const vxe_voxel *y = &b->voxels[order_b[i]];
        for (int c = 0; c < 3; c++) {
            const int64_t here = (int64_t)y->position[c] - x->position[c];
            way[c] = i == 0 ? here : way[c];
            moved = moved || here != way[c];
        }
        materials = materials || x->material != y->material;
    }
    if (moved) {
        tell(l, "positions of voxels");
    } else if (way[0] || way[1] || way[2]) {
        tell(l, "frame: all voxels are shifted by (%" PRId64 ", %" PRId64 ", %" PRId64 ") cells",
             way[0], way[1], way[2]);
    }
    if (materials) {
        tell(l, "materials of voxels");
    }
    return !moved;
}

static void compare_layers(const listener *l, const vxe_design *a, const vxe_design *b,
                           const uint32_t *order_a, const uint32_t *order_b)
{
    for (uint32_t k = 0; k < a->layer_count; k++) {
        const vxe_layer *x = &a->layers[k];
        const vxe_layer *y = vxe_design_find_layer(b, x->name);
        bool equal = y && y->width == x->width;
        for (uint32_t i = 0; i < a->voxel_count && equal; i++) {
            equal = all_same(x->values + (uint64_t)order_a[i] * x->width,
                             y->values + (uint64_t)order_b[i] * x->width, x->width);
        }
        if (!equal) {
            tell(l, "layer %s", x->name);
        }
    }
    for (uint32_t k = 0; k < b->layer_count; k++) {
        if (!vxe_design_find_layer(a, b->layers[k].name)) {
            tell(l, "layer %s: added", b->layers[k].name);
        }
    }
}

/* Whether two regions do the same to voxels that they contain, but for loads. */
static bool same_motion(const vxe_region *x, const vxe_region *y)
{
    return x->fixed == y->fixed && x->table_count == y->table_count &&
           all_same(x->displacement, y->displacement, 3) && all_same(x->rotation, y->rotation, 3) &&
           all_same(x->table, y->table, 2 * (uint64_t)x->table_count);
}

/* Whether two regions have the same effect on the same voxels, which are compared by their place in
   the scan. */
static bool same_region(const vxe_region *x, const vxe_region *y, const vxe_topology scan[2])
{
    if (x->shape != y->shape || x->voxel_count != y->voxel_count || !same_motion(x, y) ||
        !all_same(x->force, y->force, 3) || !all_same(x->moment, y->moment, 3)) {
        return false;
    }
    for (uint32_t i = 0; i < x->voxel_count; i++) {
        VXE_ASSERT(x->voxels[i] < scan[0].voxel_count && y->voxels[i] < scan[1].voxel_count);
        if (scan[0].place[x->voxels[i]] != scan[1].place[y->voxels[i]]) {
            return false;
        }
    }
    return x->shape == VXE_REGION_VOXELS ||
           (all_same(x->low, y->low, 3) && all_same(x->high, y->high, 3) &&
            (x->shape == VXE_REGION_BOX || same(x->radius, y->radius)));
}

/* Takes the voxels of a shape out of a list, given by the places of the scan. Returns how many
   there are; 0 if one of them is not in it, or if the shape has not their part of the list's loads.
 */
static uint32_t take_out(const vxe_region *list, const vxe_region *shape, const vxe_design *b,
                         const vxe_topology *scan, uint8_t *listed)
{
    uint32_t count = 0;
    for (uint32_t place = 0; place < scan->voxel_count; place++) {
        const int32_t *at = b->voxels[scan->order[place]].position;
        const double center[3] = {(at[0] + 0.5) * b->voxel_size, (at[1] + 0.5) * b->voxel_size,
                                  (at[2] + 0.5) * b->voxel_size};
        if (vxe_region_touches(shape, center, b->voxel_size)) {
            if (!listed[place]) {
                return 0;
            }
            listed[place] = 0;
            count++;
        }
    }
    for (int c = 0; c < 3; c++) {
        if (!same(list->force[c] * count / list->voxel_count, shape->force[c]) ||
            !same(list->moment[c] * count / list->voxel_count, shape->moment[c])) {
            return 0;
        }
    }
    return count;
}

/* Whether regions of b from *next on, which are shapes, are together the same as a list of a. */
static bool same_as_shapes(const vxe_region *list, const vxe_design *b, uint32_t *next,
                           const vxe_topology scan[2], uint8_t *listed)
{
    uint32_t left = list->voxel_count;
    memset(listed, 0, scan[1].voxel_count);
    for (uint32_t i = 0; i < list->voxel_count; i++) {
        listed[scan[0].place[list->voxels[i]]] = 1;
    }
    while (left > 0 && *next < b->region_count) {
        const vxe_region *shape = &b->regions[(*next)++];
        if (shape->shape == VXE_REGION_VOXELS || !same_motion(list, shape)) {
            return false;
        }
        const uint32_t count = take_out(list, shape, b, &scan[1], listed);
        if (count == 0) {
            return false;
        }
        left -= count;
    }
    return left == 0;
}

/* Whether all regions have the same effects, though lists may have become several shapes. */
static bool same_regions(const vxe_design *a, const vxe_design *b, const vxe_topology scan[2])
{
    uint8_t *listed = vxe_memory_take((uint64_t)b->voxel_count + 1, 1);
    bool equal = listed != NULL;
    uint32_t next = 0;
    for (uint32_t i = 0; i < a->region_count && equal; i++) {
        const vxe_region *region = &a->regions[i];
        if (next < b->region_count && same_region(region, &b->regions[next], scan)) {
            next++;
        } else {
            equal = region->shape == VXE_REGION_VOXELS &&
                    same_as_shapes(region, b, &next, scan, listed);
        }
    }
    vxe_memory_release(listed);
    return equal && next == b->region_count;
}

/* Number of regions with a table of motion. */
static uint32_t tables_of(const vxe_design *design)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < design->region_count; i++) {
        count += design->regions[i].table_count > 0;
    }
    return count;
}

static void compare_regions(const listener *l, const vxe_design *a, const vxe_design *b,
                            const vxe_topology scan[2])
{
    if (same_regions(a, b, scan)) {
        return;
    }
    if (a->region_count != b->region_count) {
        tell(l, "regions: %" PRIu32 " are %" PRIu32, a->region_count, b->region_count);
    }
    for (uint32_t i = 0; i < a->region_count && a->region_count == b->region_count; i++) {
        if (!same_region(&a->regions[i], &b->regions[i], scan)) {
            tell(l, "region %" PRIu32, i + 1);
        }
    }
    if (a->region_count != b->region_count && tables_of(a) > 0 && tables_of(b) == 0) {
        tell(l, "tables of regions");
    }
}

/* Compares initial velocities; a design without any has zeros. */
static void compare_velocities(const listener *l, const vxe_design *a, const vxe_design *b,
                               const vxe_topology scan[2])
{
    static const double none[6] = {0};
    bool differ = false;
    for (uint32_t i = 0; i < a->voxel_count && !differ; i++) {
        const double *x = a->velocity ? a->velocity + 6 * (size_t)scan[0].order[i] : none;
        const double *y = b->velocity ? b->velocity + 6 * (size_t)scan[1].order[i] : none;
        differ = !all_same(x, y, 6);
    }
    if (differ) {
        tell(l, "initial velocities");
    }
}

vxe_status vxe_design_differences(const vxe_design *a, const vxe_design *b,
                                  vxe_design_difference *told, void *user, vxe_error *error)
{
    const listener l = {told, user};
    vxe_topology scan[2];
    vxe_status status = vxe_topology_init(&scan[0], a, error);
    if (status) {
        return status;
    }
    status = vxe_topology_init(&scan[1], b, error);
    if (!status) {
        compare_world(&l, a, b);
        compare_materials(&l, a, b);
        if (compare_voxels(&l, a, b, scan[0].order, scan[1].order)) {
            compare_layers(&l, a, b, scan[0].order, scan[1].order);
            compare_regions(&l, a, b, scan);
            compare_velocities(&l, a, b, scan);
        }
        vxe_topology_clear(&scan[1]);
    }
    vxe_topology_clear(&scan[0]);
    return status;
}
