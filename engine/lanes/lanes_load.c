/* SPDX-License-Identifier: MIT */
/* Loads robots into lanes: finds the union of their voxels, copies their bonds, properties and
   states into vectors, and stores equal rows once. Copies states back when robots leave. */
#include "engine/lanes/lanes.h"

#include <string.h>

#include "common/assert_internal.h"
#include "common/float_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"

/* Bits of each coordinate in the number of a cell. */
#define CELL_BITS 21
/* Larger bodies run alone: the single-body solver is as fast for them. */
#define MAX_VOXELS 8192u
/* Robots on floors of more points run alone: each lane may need a floor of its own. */
#define MAX_POINTS (1u << 22)

_Static_assert(3 * CELL_BITS < 64, "the number of a cell fits 64 bits");

/* m: level of a floor that no voxel of a lane reaches, and of one that may be anywhere. */
#define NO_FLOOR (-1e30)
#define ANY_FLOOR 1e15

const char *vxe_lanes_refusal(const vxe_model *model)
{
    const vxe_topology *topology = &model->topology;
    for (int c = 0; c < 3; c++) {
        if ((int64_t)topology->high[c] - topology->low[c] >= 1 << CELL_BITS) {
            return "too wide";
        }
    }
    if (topology->voxel_count > MAX_VOXELS) {
        return "large";
    }
    if (model->yield.law_count > 0) {
        return "bonds that yield or break";
    }
    if (model->stiffening) {
        return "stiffness that changes";
    }
    if (model->detach_stress) {
        return "voxels that stick";
    }
    if (model->field.acts) {
        return "force field";
    }
    if (model->has_schedules) {
        return "schedules of groups";
    }
    if (model->terrain && model->terrain->count > MAX_POINTS) {
        return "large heightfield";
    }
    if (model->bars) {
        return "bond law";
    }
    return model->voxelyze || model->conventions.voxelyze_dashpots || model->arrays.floor_rule
               ? "conventions"
               : NULL;
}

uint32_t vxe_lanes_key(const vxe_robot *robot)
{
    const vxe_bond_parts law = vxe_spring_law(&robot->simulation->model, true,
                                              robot->simulation->plan.damping_iterations > 0);
    const uint32_t swims = robot->simulation->model.arrays.faces != NULL;
    const uint32_t climbs = robot->simulation->model.terrain != NULL;
    const uint32_t grows = robot->simulation->model.arrays.size[0] != NULL;
    const uint32_t dithers = robot->simulation->model.arrays.dithers;
    VXE_ASSERT(law < VXE_BOND_LAWS);
    return 16 * (robot->simulation->plan.damping_iterations * VXE_BOND_LAWS + law) + 8 * dithers +
           4 * grows + 2 * climbs + swims;
}

void vxe_lanes_cells(const vxe_model *model, const vxe_design *design, uint64_t *cells)
{
    const vxe_topology *topology = &model->topology;
    for (uint32_t slot = 0; slot < topology->voxel_count; slot++) {
        const int32_t *at = design->voxels[topology->order[slot]].position;
        uint64_t cell = 0;
        for (int c = 2; c >= 0; c--) {
            cell = cell << CELL_BITS | (uint64_t)((int64_t)at[c] - topology->low[c]);
        }
        VXE_ASSERT(vxe_topology_rank(topology, slot) < topology->voxel_count);
        cells[vxe_topology_rank(topology, slot)] = cell;
    }
}

static uint32_t bytes_of(const vxe_lanes *lanes)
{
    return vxe_real_bytes(lanes->kernels->precision);
}

static uint32_t lane_count(const vxe_lanes *lanes)
{
    return vxe_lane_kernels_of(lanes->kernels)->lanes;
}

/* Number `at` of an array of vectors, in a lane. */
static double vector_at(const vxe_lanes *lanes, const vxe_reals *array, uint64_t at, uint32_t lane)
{
    return vxe_real_at(lanes->kernels->precision, array, at * lane_count(lanes) + lane);
}

/* Sets number `at` of an array of vectors, in a lane. */
static void put_vector(const vxe_lanes *lanes, vxe_reals *array, uint64_t at, uint32_t lane,
                       double value)
{
    vxe_real_put(lanes->kernels->precision, array, at * lane_count(lanes) + lane, value);
}

vxe_status vxe_lanes_init(vxe_lanes *lanes, const vxe_kernels *kernels, vxe_error *error)
{
    *lanes = (vxe_lanes){.kernels = kernels};
    VXE_ASSERT(lane_count(lanes) > 0 && lane_count(lanes) <= VXE_MAX_LANES);
    const uint64_t vector = (uint64_t)lane_count(lanes) * bytes_of(lanes);
    lanes->group.numbers = vxe_memory_take(VXE_LANE_NUMBERS, vector);
    lanes->kicks = vxe_memory_take(VXE_MAX_PASSES, vector);
    return lanes->group.numbers && lanes->kicks
               ? VXE_OK
               : vxe_error_memory(error, VXE_LANE_NUMBERS * vector);
}

/* Releases all memory that depends on the size of the union. */
static void release_voxels(vxe_lanes *lanes)
{
    for (uint32_t lane = 0; lane < VXE_MAX_LANES; lane++) {
        vxe_memory_release(lanes->place[lane]);
        lanes->place[lane] = NULL;
    }
    vxe_memory_release(lanes->cells);
    vxe_memory_release(lanes->voxel);
    vxe_memory_release(lanes->sizes);
    vxe_memory_release(lanes->vectors);
    vxe_memory_release(lanes->group.geometry);
    vxe_memory_release(lanes->group.touching);
    lanes->cells = NULL;
    lanes->voxel = NULL;
    lanes->vectors = NULL;
    lanes->bond_values = lanes->property_values = lanes->waves = lanes->sizes = NULL;
    lanes->group.state = lanes->group.carried = lanes->group.geometry = NULL;
    lanes->group.touching = NULL;
    vxe_lanes_poisson_clear(lanes);
    vxe_memory_release(lanes->wavefront.before);
    lanes->wavefront.before = NULL;
    lanes->capacity = lanes->max_row_values = 0;
}

void vxe_lanes_clear(vxe_lanes *lanes)
{
    release_voxels(lanes);
    vxe_lanes_contacts_clear(lanes);
    vxe_lanes_forces_clear(lanes);
    vxe_lanes_loads_clear(lanes);
    vxe_lanes_terrain_clear(lanes);
    vxe_lanes_boundary_clear(lanes);
    vxe_unique_rows_clear(&lanes->rows);
    vxe_unique_rows_clear(&lanes->property_rows);
    vxe_lanes_wavefront_clear(lanes);
    vxe_memory_release(lanes->group.numbers);
    vxe_memory_release(lanes->kicks);
    *lanes = (vxe_lanes){0};
}

/* Takes the arrays that passes go over, as one block of memory. */
static bool take_vectors(vxe_lanes *lanes, uint32_t voxels, uint32_t row_values)
{
    vxe_reals **arrays[] = {&lanes->group.state, &lanes->waves, &lanes->group.carried,
                            &lanes->property_values, &lanes->bond_values};
    const uint32_t numbers[] = {VXE_LANE_FIELDS, 2, VXE_LANE_CARRIED, VXE_LANE_PROPERTY_VALUES,
                                3 * row_values};
    const uint64_t each = voxels * vxe_lanes_vector_bytes(lanes);
    uint64_t all = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        all += numbers[i];
    }
    lanes->vectors = vxe_memory_take_huge(all, each);
    vxe_reals *next = lanes->vectors;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && next; i++) {
        *arrays[i] = next;
        next = vxe_lanes_vectors_at(lanes, next, (uint64_t)numbers[i] * voxels);
    }
    return lanes->vectors != NULL;
}

/* Makes sure that there is memory for a union of so many voxels, with row_values numbers per bond.
 */
static vxe_status reserve(vxe_lanes *lanes, uint32_t voxels, vxe_error *error)
{
    if (voxels <= lanes->capacity && lanes->row_values <= lanes->max_row_values) {
        return VXE_OK;
    }
    voxels = voxels > lanes->capacity ? voxels : lanes->capacity;
    const uint32_t row_values =
        lanes->row_values > lanes->max_row_values ? lanes->row_values : lanes->max_row_values;
    release_voxels(lanes);
    const uint64_t vector = (uint64_t)lane_count(lanes) * bytes_of(lanes);
    bool complete = true;
    for (uint32_t lane = 0; lane < lane_count(lanes); lane++) {
        lanes->place[lane] = vxe_memory_take(voxels, sizeof *lanes->place[lane]);
        complete = complete && lanes->place[lane];
    }
    lanes->cells = vxe_memory_take(2ull * voxels, sizeof *lanes->cells);
    lanes->voxel = vxe_memory_take(voxels, sizeof *lanes->voxel);
    lanes->group.touching = vxe_memory_take(voxels, 1);
    complete = take_vectors(lanes, voxels, row_values) && complete;
    if (!complete || !lanes->cells || !lanes->voxel || !lanes->group.touching) {
        release_voxels(lanes);
        return vxe_error_memory(error, 60 * vector * voxels);
    }
    lanes->capacity = voxels;
    lanes->max_row_values = row_values;
    return VXE_OK;
}

/* Merges two ascending lists of cells into the first one, each cell once; returns their number.
   cells must have memory for count + more_count cells. */
static uint32_t merge_cells(uint64_t *cells, uint32_t count, const uint64_t *more,
                            uint32_t more_count)
{
    /* count the new cells first; then merge from the back, which needs no further memory */
    uint32_t fresh = 0;
    for (uint32_t i = 0, j = 0; j < more_count; j++) {
        while (i < count && cells[i] < more[j]) {
            i++;
        }
        fresh += i == count || cells[i] != more[j];
    }
    uint32_t i = count;
    uint32_t j = more_count;
    VXE_ASSERT(fresh <= more_count);
    for (uint32_t to = count + fresh; to-- > 0;) {
        const bool from_more = j > 0 && (i == 0 || more[j - 1] >= cells[i - 1]);
        const bool both = from_more && i > 0 && more[j - 1] == cells[i - 1];
        cells[to] = from_more ? more[j - 1] : cells[i - 1];
        j -= from_more;
        i -= !from_more || both;
    }
    return count + fresh;
}

/* Finds the union of the cells of all robots, in scan order. */
static vxe_status find_union(vxe_lanes *lanes, vxe_robot *const *robots, uint32_t count,
                             vxe_error *error)
{
    uint64_t capacity = 0;
    uint32_t max = 0;
    for (uint32_t lane = 0; lane < count; lane++) {
        const uint32_t voxels = robots[lane]->simulation->model.topology.voxel_count;
        capacity += voxels;
        max = voxels > max ? voxels : max;
    }
    uint64_t *cells = vxe_memory_take(capacity + max, sizeof *cells);
    if (!cells) {
        return vxe_error_memory(error, (capacity + max) * sizeof *cells);
    }
    uint32_t voxels = 0;
    for (uint32_t lane = 0; lane < count; lane++) {
        vxe_lanes_cells(&robots[lane]->simulation->model, robots[lane]->simulation->design,
                        cells + capacity);
        voxels = merge_cells(cells, voxels, cells + capacity,
                             robots[lane]->simulation->model.topology.voxel_count);
    }
    VXE_ASSERT(voxels >= max && voxels <= capacity);
    vxe_status status = reserve(lanes, voxels, error);
    if (!status) {
        lanes->group.voxels = voxels;
        memcpy(lanes->cells, cells, voxels * sizeof *cells);
    }
    vxe_memory_release(cells);
    return status;
}

/* Finds the index in the union of each slot of a lane's robot, and adds its bonds to those of the
   union. */
static void place_robot(vxe_lanes *lanes, uint32_t lane)
{
    const vxe_model *model = &lanes->robot[lane]->simulation->model;
    const vxe_topology *topology = &model->topology;
    uint32_t *place = lanes->place[lane];
    uint64_t *own = lanes->cells + lanes->capacity; /* the second half of cells is free memory */
    vxe_lanes_cells(model, lanes->robot[lane]->simulation->design, own);
    uint32_t at = 0;
    for (uint32_t rank = 0; rank < topology->voxel_count; rank++) {
        while (lanes->cells[at] != own[rank]) {
            at++;
        }
        VXE_ASSERT(at < lanes->group.voxels);
        own[rank] = at;
    }
    for (uint32_t slot = 0; slot < topology->voxel_count; slot++) {
        place[slot] = (uint32_t)own[vxe_topology_rank(topology, slot)];
    }
    for (uint32_t slot = 0; slot < topology->voxel_count; slot++) {
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t up = topology->up[axis][slot];
            if (up != VXE_NONE) {
                VXE_ASSERT(place[slot] < place[up]); /* a bond belongs to its lower voxel */
                lanes->voxel[place[slot]].up[axis] = place[up];
            }
        }
    }
}

/* Copies the coefficients of a robot's bonds into its lane. */
static void put_bonds(vxe_lanes *lanes, uint32_t lane)
{
    const vxe_model *model = &lanes->robot[lane]->simulation->model;
    const uint32_t *place = lanes->place[lane];
    const uint32_t row_values = model->arrays.row_values;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const vxe_bond_vectors *bonds = &model->arrays.bonds[axis];
        for (uint64_t at = 0; at < (uint64_t)bonds->count * VXE_VECTOR; at++) {
            const uint64_t vector = at / VXE_VECTOR;
            const uint32_t bit = (uint32_t)(at % VXE_VECTOR);
            if (!(bonds->present[vector] >> bit & 1)) {
                continue;
            }
            const uint64_t from = (uint64_t)bonds->row[vector] * row_values;
            const uint64_t to = (place[bonds->lower[vector] + bit] * 3ull + axis) * row_values;
            for (uint32_t c = 0; c < row_values; c++) {
                put_vector(
                    lanes, lanes->bond_values, to + c, lane,
                    vxe_real_at(model->precision, model->rows, (from + c) * VXE_VECTOR + bit));
            }
        }
    }
}

/* m, about the origin: the height at which a voxel of the lattice's edge touches the floor; above a
   floor that is not level, a height at which no voxel touches yet. */
static double level_of(const vxe_model *model)
{
    const vxe_terrain *terrain = model->terrain;
    const double edge = model->arrays.edge;
    if (!model->arrays.floor_stiffness) {
        return NO_FLOOR;
    }
    if (!terrain) {
        return model->arrays.floor_height + 0.5 * edge;
    }
    const double level = terrain->top + terrain->max_lift * model->widest * edge;
    return level < ANY_FLOOR ? level : ANY_FLOOR;
}

/* Puts the numbers and passes of a robot into its lane. */
static void put_numbers(vxe_lanes *lanes, uint32_t lane)
{
    const vxe_robot *robot = lanes->robot[lane];
    const vxe_kernel_arrays *a = &robot->simulation->model.arrays;
    const double level = level_of(&robot->simulation->model);
    const double high =
        lanes->kernels->precision == VXE_PRECISION_MIXED ? vxe_as_float(level) : level;
    const double edge =
        lanes->kernels->precision == VXE_PRECISION_MIXED ? vxe_as_float(a->edge) : a->edge;
    const vxe_terrain *terrain = robot->simulation->model.terrain;
    const double lift = terrain ? terrain->max_lift : 1;
    const double values[VXE_LANE_NUMBERS] = {[VXE_LANE_STEP] = robot->simulation->plan.time_step,
                                             [VXE_LANE_GRAVITY] = a->gravity[0],
                                             [VXE_LANE_GRAVITY + 1] = a->gravity[1],
                                             [VXE_LANE_GRAVITY + 2] = a->gravity[2],
                                             [VXE_LANE_LEVEL] = high,
                                             [VXE_LANE_LEVEL + 1] = level - high,
                                             [VXE_LANE_EDGE] = edge,
                                             [VXE_LANE_LIFT] = lift,
                                             [VXE_LANE_BOND_PULL] =
                                                 robot->simulation->plan.bond_pull,
                                             [VXE_LANE_EDGE + 1] = a->edge - edge,
                                             [VXE_LANE_SHEAR] = a->ratios.shear,
                                             [VXE_LANE_TORSION] = a->ratios.torsion,
                                             [VXE_LANE_BENDING] = a->ratios.bending,
                                             [VXE_LANE_DASH_SHEAR] = a->ratios.dash_shear,
                                             [VXE_LANE_DASH_TORSION] = a->ratios.dash_torsion,
                                             [VXE_LANE_DASH_BENDING] = a->ratios.dash_bending,
                                             [VXE_LANE_FLUID_DRAG] = a->fluid_drag,
                                             [VXE_LANE_FLUID_LIFT] = a->fluid_lift};
    for (uint32_t c = 0; c < VXE_LANE_NUMBERS; c++) {
        put_vector(lanes, lanes->group.numbers, c, lane, values[c]);
    }
    vxe_pass passes[VXE_MAX_PASSES];
    const uint32_t count =
        vxe_step_passes(&robot->simulation->model, &robot->simulation->plan, passes);
    for (uint32_t p = 0; p < count; p++) {
        put_vector(lanes, lanes->kicks, p, lane, passes[p].h);
    }
    VXE_ASSERT(count > 0 && count <= VXE_MAX_PASSES);
    memcpy(lanes->passes, passes, sizeof passes);
    lanes->pass_count = count;
    lanes->group.carried_numbers = count > 3 ? VXE_LANE_CARRIED : VXE_LANE_MIDDLE;
}

/* An array of a state, and the field of the lanes that holds it. */
typedef struct state_place {
    vxe_reals *array;
    uint32_t at;
} state_place;

/* All arrays of a state that lanes hold; returns their number. */
static uint32_t state_places(const vxe_state *state, state_place places[VXE_LANE_FIELDS])
{
    uint32_t count = 0;
#define PLACE(name, NAME, in_double, in_mixed, reader, unit)                                       \
    for (uint32_t c = 0; c < (in_mixed) && state->name[c]; c++) {                                  \
        places[count++] = (state_place){state->name[c], VXE_LANE_##NAME + c};                      \
    }
    VXE_STATE_FIELDS(PLACE)
#undef PLACE
    VXE_ASSERT(count <= VXE_LANE_FIELDS);
    return count;
}

/* Puts the voxels that a robot lacks clear of its floor: one touching lane would send all lanes
   down the slow path. */
static void put_absent(vxe_lanes *lanes, uint32_t lane)
{
    const vxe_kernel_arrays *a = &lanes->robot[lane]->simulation->model.arrays;
    const double level = level_of(&lanes->robot[lane]->simulation->model);
    const double clear = !a->floor_stiffness ? 0
                         : level < ANY_FLOOR ? level + 2 * a->edge
                                             : a->floor_height;
    for (uint64_t v = 0; v < lanes->group.voxels; v++) {
        put_vector(lanes, lanes->group.state, v * VXE_LANE_FIELDS + VXE_LANE_X + 2, lane, clear);
    }
}

/* Copies the state of a robot into its lane. */
static void put_state(vxe_lanes *lanes, uint32_t lane)
{
    const vxe_robot *robot = lanes->robot[lane];
    state_place places[VXE_LANE_FIELDS];
    const uint32_t count = state_places(&robot->simulation->state, places);
    for (uint32_t p = 0; p < count; p++) {
        for (uint32_t slot = 0; slot < robot->simulation->model.topology.voxel_count; slot++) {
            put_vector(lanes, lanes->group.state,
                       (uint64_t)lanes->place[lane][slot] * VXE_LANE_FIELDS + places[p].at, lane,
                       vxe_real_at(robot->simulation->state.precision, places[p].array, slot));
        }
    }
}

void vxe_lanes_store_one(vxe_lanes *lanes, uint32_t lane)
{
    const vxe_robot *robot = lanes->robot[lane];
    state_place places[VXE_LANE_FIELDS];
    const uint32_t count = robot ? state_places(&robot->simulation->state, places) : 0;
    for (uint32_t p = 0; p < count; p++) {
        for (uint32_t slot = 0; slot < robot->simulation->model.topology.voxel_count; slot++) {
            vxe_real_put(
                robot->simulation->state.precision, places[p].array, slot,
                vector_at(lanes, lanes->group.state,
                          (uint64_t)lanes->place[lane][slot] * VXE_LANE_FIELDS + places[p].at,
                          lane));
        }
    }
}

void vxe_lanes_store(vxe_lanes *lanes)
{
    for (uint32_t lane = 0; lane < lane_count(lanes); lane++) {
        vxe_lanes_store_one(lanes, lane);
    }
}

/* Stores equal rows of bonds and of properties once, at the beginning of the memory that had all of
   them, so that they stay in the nearest cache. */
static vxe_status share_rows(vxe_lanes *lanes, vxe_error *error)
{
    const uint64_t vector = (uint64_t)lane_count(lanes) * bytes_of(lanes);
    const uint64_t bond_bytes = lanes->row_values * vector;
    const uint64_t property_bytes = VXE_LANE_PROPERTY_VALUES * vector;
    bool complete = true;
    vxe_unique_rows_begin(&lanes->rows, bond_bytes);
    vxe_unique_rows_begin(&lanes->property_rows, property_bytes);
    for (uint32_t v = 0; v < lanes->group.voxels && complete; v++) {
        vxe_lane_voxel *voxel = &lanes->voxel[v];
        voxel->property_row = vxe_unique_rows_add(
            &lanes->property_rows, vxe_lanes_vectors_at(lanes, lanes->property_values,
                                                        (uint64_t)v * VXE_LANE_PROPERTY_VALUES));
        complete = voxel->property_row != VXE_NONE;
        for (uint32_t axis = 0; axis < 3 && complete; axis++) {
            voxel->row[axis] = vxe_unique_rows_add(
                &lanes->rows, vxe_lanes_vectors_at(lanes, lanes->bond_values,
                                                   (3ull * v + axis) * lanes->row_values));
            complete = voxel->row[axis] != VXE_NONE;
        }
    }
    if (!complete) {
        return vxe_error_memory(error, 2 * lanes->rows.capacity * bond_bytes);
    }
    VXE_ASSERT(lanes->rows.count <= 3 * lanes->group.voxels &&
               lanes->property_rows.count <= lanes->group.voxels);
    memcpy(lanes->bond_values, lanes->rows.rows, lanes->rows.count * bond_bytes);
    memcpy(lanes->property_values, lanes->property_rows.rows,
           lanes->property_rows.count * property_bytes);
    lanes->group.rows = lanes->bond_values;
    lanes->group.property_rows = lanes->property_values;
    return VXE_OK;
}

/* Clears the group: where a lane has no voxel or no robot, it has unit orientations and no inverse
   mass. */
static void blank(vxe_lanes *lanes)
{
    const uint64_t vector = (uint64_t)lane_count(lanes) * bytes_of(lanes);
    const uint64_t voxels = lanes->group.voxels;
    memset(lanes->group.state, 0, VXE_LANE_FIELDS * voxels * vector);
    memset(lanes->group.carried, 0, VXE_LANE_CARRIED * voxels * vector);
    memset(lanes->bond_values, 0, 3 * lanes->row_values * voxels * vector);
    memset(lanes->property_values, 0, VXE_LANE_PROPERTY_VALUES * voxels * vector);
    memset(lanes->group.numbers, 0, VXE_LANE_NUMBERS * vector);
    memset(lanes->kicks, 0, VXE_MAX_PASSES * vector);
    for (uint64_t v = 0; v < voxels; v++) {
        lanes->voxel[v] = (vxe_lane_voxel){.up = {VXE_NONE, VXE_NONE, VXE_NONE}};
        for (uint32_t lane = 0; lane < lane_count(lanes); lane++) {
            put_vector(lanes, lanes->group.state, v * VXE_LANE_FIELDS + VXE_LANE_Q, lane, 1);
        }
    }
    for (uint32_t lane = 0; lane < lane_count(lanes); lane++) {
        put_vector(lanes, lanes->group.numbers, VXE_LANE_LEVEL, lane, NO_FLOOR);
        put_vector(lanes, lanes->group.numbers, VXE_LANE_EDGE, lane, 1);
    }
}

/* Takes the memory of what damping iterations need of bonds, for robots that have any. */
static vxe_status take_geometry(vxe_lanes *lanes, vxe_error *error)
{
    const uint64_t vectors = 3ull * VXE_GEOMETRY_VALUES * lanes->capacity;
    if (lanes->pass_count > 1 && !lanes->group.geometry) {
        lanes->group.geometry = vxe_memory_take_huge(vectors, vxe_lanes_vector_bytes(lanes));
    }
    return lanes->pass_count == 1 || lanes->group.geometry
               ? VXE_OK
               : vxe_error_memory(error, vectors * vxe_lanes_vector_bytes(lanes));
}

vxe_status vxe_lanes_load(vxe_lanes *lanes, vxe_robot *const *robots, uint32_t count,
                          vxe_error *error)
{
    lanes->row_values = robots[0]->simulation->model.arrays.row_values;
    VXE_ASSERT(count > 0 && count <= lane_count(lanes));
    vxe_status status = find_union(lanes, robots, count, error);
    if (status) {
        return status;
    }
    blank(lanes);
    lanes->group.voxel = lanes->voxel;
    lanes->group.drags = false;
    lanes->group.swims = robots[0]->simulation->model.arrays.faces != NULL;
    lanes->group.dithers = robots[0]->simulation->model.arrays.dithers;
    for (uint32_t lane = 0; lane < lane_count(lanes); lane++) {
        lanes->robot[lane] = lane < count ? robots[lane] : NULL;
        if (lanes->robot[lane]) {
            VXE_ASSERT(vxe_lanes_key(robots[lane]) == vxe_lanes_key(robots[0]));
            VXE_ASSERT(robots[lane]->simulation->model.arrays.row_values == lanes->row_values);
            place_robot(lanes, lane);
            put_bonds(lanes, lane);
            vxe_lanes_put_properties(lanes, lane);
            put_numbers(lanes, lane);
            put_absent(lanes, lane);
            put_state(lanes, lane);
        }
    }
    status = take_geometry(lanes, error);
    status = status ? status : share_rows(lanes, error);
    status = status ? status : vxe_lanes_sizes_load(lanes, error);
    status = status ? status : vxe_lanes_poisson_load(lanes, error);
    vxe_lanes_loads_clear(lanes);
    status = status ? status : vxe_lanes_contacts_load(lanes, error);
    status = status ? status : vxe_lanes_forces_load(lanes, error);
    status = status ? status : vxe_lanes_terrain_load(lanes, error);
    status = status ? status : vxe_lanes_boundary_load(lanes, error);
    return status ? status : vxe_lanes_wavefront_load(lanes, error);
}

double vxe_lanes_use(const vxe_lanes *lanes)
{
    uint64_t union_bonds = 0;
    uint64_t used = 0;
    for (uint32_t v = 0; v < lanes->group.voxels; v++) {
        for (int axis = 0; axis < 3; axis++) {
            union_bonds += lanes->voxel[v].up[axis] != VXE_NONE;
        }
    }
    for (uint32_t lane = 0; lane < lane_count(lanes); lane++) {
        used += lanes->robot[lane] ? lanes->robot[lane]->simulation->model.topology.bond_count : 0;
    }
    return union_bonds ? (double)used / (double)(union_bonds * lane_count(lanes)) : 0;
}

VXE_KERNELS_BY_PRECISION(vxe_lane_kernels)
