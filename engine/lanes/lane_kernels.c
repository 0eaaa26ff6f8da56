/* SPDX-License-Identifier: MIT */
/* A pass over the union of a group: for each voxel first its bonds upwards, then the voxel itself,
   with all lanes at once. In scan order the lower neighbours of a voxel come before it, so that
   their forces on it are complete in a ring of accumulators when the voxel is reached.

   This file is compiled once per instruction set and precision, see real.h. VXE_LANES is the number
   of robots in a vector (robots_per_vector.h). */
#include <stddef.h>
#include <string.h>

#include "common/assert_internal.h"
#include "engine/bonds/bond_force_law.h"
#include "engine/lanes/lane_ends.h"
#include "engine/lanes/lane_voxels.h"
#include "lattice/design.h"

_Static_assert(VXE_LANES >= 1 && VXE_LANES <= VXE_MAX_LANES, "a bit and a place for each lane");
_Static_assert(VXE_MAX_LANES < 32, "failed lanes are bits of 32");

/* The arrays of a group, with their type. */
typedef struct lane_fields {
    vxe_real *restrict state;
    vxe_real *restrict carried;
    vxe_real *restrict upper_force;
    vxe_real *restrict geometry;
    const vxe_real *restrict poisson_tension; /* null where bonds are proportional */
    const vxe_real *restrict rows;
    const vxe_real *restrict property_rows;
    const vxe_real *restrict numbers;
} lane_fields;

/* Sum of a voxel's bonds upwards: force and moment, and in row FAILED the number of failed bonds.
 */
enum { FAILED = 6 };
typedef struct sums {
    vxe_real at[(FAILED + 1) * VXE_LANES];
} sums;

VXE_INLINE lane_fields fields_of(const vxe_lane_group *group, vxe_reals *upper_force)
{
    return (lane_fields){.state = reals(group->state),
                         .carried = reals(group->carried),
                         .upper_force = reals(upper_force),
                         .geometry = reals(group->geometry),
                         .poisson_tension = reals(group->poisson_tension),
                         .rows = reals_const(group->rows),
                         .property_rows = reals_const(group->property_rows),
                         .numbers = reals(group->numbers)};
}

/* The state of a voxel. */
VXE_INLINE vxe_real *voxel_at(const lane_fields *g, uint32_t voxel)
{
    return g->state + (ptrdiff_t)voxel * (VXE_LANE_FIELDS * LANES);
}

/* What the bonds of a voxel read and write. */
typedef struct bond_places {
    const vxe_real *lo;
    const vxe_real *hi[3];
    const vxe_real *k[3];
    vxe_real *upper_force[3];
    vxe_real *geometry;        /* of the three bonds */
    const vxe_real *across_lo; /* Poisson tension of the lower voxel; null where proportional */
    const vxe_real *across_hi[3];
} bond_places;

/* The dashpots of a bond in a lane, by the geometry that the springs of this step have kept. */
VXE_INLINE vxe_bond_force lane_dash(int axis, int law, const lane_fields *g, const bond_places *at,
                                    ptrdiff_t lane)
{
    const vxe_real *lo = at->lo;
    const vxe_real *hi = at->hi[axis];
    const vxe_multiples by = lane_multiples(g->numbers, lane);
    const vxe_bond_geometry geometry =
        load_geometry(at->geometry + axis * (VXE_GEOMETRY_VALUES * LANES) + lane, LANES);
    const vxe_bond_ends ends = {
        .dv = vec_sub(field3(hi, VXE_LANE_V, lane), field3(lo, VXE_LANE_V, lane)),
        .w1 = field3(lo, VXE_LANE_W, lane),
        .w2 = field3(hi, VXE_LANE_W, lane)};
    return damp_action(law, &geometry, &ends, dashes_of_row(law, at->k[axis] + lane, LANES, &by));
}

/* The force of a bond in a lane; failed counts up if it is beyond the bounds of the law. */
VXE_INLINE vxe_bond_force lane_bond(int axis, int law, const lane_fields *g, const bond_places *at,
                                    ptrdiff_t lane, vxe_real *failed)
{
    const vxe_real *lo = at->lo;
    const vxe_real *hi = at->hi[axis];
    const vxe_real *k = at->k[axis];
    const vxe_multiples by = lane_multiples(g->numbers, lane);
    vxe_springs springs = springs_of_row(law, k + lane, LANES, &by);
    const vxe_dashes dashes = dashes_of_row(law, k + lane, LANES, &by);
    const vxe_real some = k[VXE_AXIAL * LANES + lane];
    vxe_bond_ends ends = {.chord = lane_chord(axis, law, g->numbers, lo, hi, lane),
                          .q1 = orientation(lo, lane),
                          .q2 = orientation(hi, lane),
                          .exists = -(vxe_real_mask)(some > 0)};
    if (law & VXE_BOND_FREE) {
        const vxe_real poisson_tension = bond_tension_across(
            k[VXE_LOWER_PART * LANES + lane], at->across_lo[axis * LANES + lane],
            at->across_hi[axis][axis * LANES + lane]);
        springs.poisson_tension = keep_bits(poisson_tension, ends.exists);
    }
    if (law & VXE_BOND_DASHPOTS) {
        ends.dv = vec_sub(field3(hi, VXE_LANE_V, lane), field3(lo, VXE_LANE_V, lane));
        ends.w1 = field3(lo, VXE_LANE_W, lane);
        ends.w2 = field3(hi, VXE_LANE_W, lane);
    }
    vxe_bond_geometry geometry;
    const vxe_bond_force act = beam_action(axis, law, &ends, springs, dashes, &geometry, failed);
    if (law & VXE_BOND_KEEP) {
        store_geometry(&geometry, at->geometry + axis * (VXE_GEOMETRY_VALUES * LANES) + lane,
                       LANES);
    }
    return act;
}

/* Sum of a voxel's bonds upwards in one lane, and how many of them failed. */
typedef struct lower_sum {
    vxe_force_sum bonds;
    vxe_real failed;
} lower_sum;

/* Adds the force of a bond to the accumulator of its upper voxel. */
VXE_INLINE void add_upper_force(const vxe_bond_force *act, vxe_real *upper_force, ptrdiff_t lane)
{
    put3(upper_force, 0, lane, vec_sub(field3(upper_force, 0, lane), act->force));
    put3(upper_force, 3, lane, vec_add(field3(upper_force, 3, lane), vec_sub(act->a, act->b)));
}

/* The sum with the bond of an axis added; adds its force to the upper voxel too. */
VXE_INLINE lower_sum with_bond(int axis, int law, const lane_fields *g, const bond_places *at,
                               ptrdiff_t lane, lower_sum sum)
{
    vxe_real failed = 0;
    const vxe_bond_force act = law & VXE_BOND_SPRINGS ? lane_bond(axis, law, g, at, lane, &failed)
                                                      : lane_dash(axis, law, g, at, lane);
    add_upper_force(&act, at->upper_force[axis], lane);
    sum.bonds = with_action(sum.bonds, act);
    sum.failed += failed;
    return sum;
}

/* The bonds of one lane along z, y and x, in this order, where axes has their bit. */
VXE_INLINE lower_sum lane_bonds(int axes, int law, const lane_fields *g, const bond_places *at,
                                ptrdiff_t lane)
{
    lower_sum sum = {{{0, 0, 0}, {0, 0, 0}}, 0};
    if (axes & 4) {
        sum = with_bond(2, law, g, at, lane, sum);
    }
    if (axes & 2) {
        sum = with_bond(1, law, g, at, lane, sum);
    }
    if (axes & 1) {
        sum = with_bond(0, law, g, at, lane, sum);
    }
    return sum;
}

/* Writes the sum of a voxel's bonds along axes, all lanes, into own. axes is a constant here. */
VXE_INLINE void bonds_of(int axes, int law, const lane_fields *g, const bond_places *at, sums *own)
{
    vxe_real *restrict into = own->at;
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const lower_sum sum = lane_bonds(axes, law, g, at, lane);
        into[lane] = sum.bonds.force.x;
        into[LANES + lane] = sum.bonds.force.y;
        into[2 * LANES + lane] = sum.bonds.force.z;
        into[3 * LANES + lane] = sum.bonds.moment.x;
        into[4 * LANES + lane] = sum.bonds.moment.y;
        into[5 * LANES + lane] = sum.bonds.moment.z;
        into[FAILED * LANES + lane] = sum.failed;
    }
}

/* The same for axes that are known only now: a function is compiled for each combination. */
VXE_INLINE void any_bonds(uint32_t axes, int law, const lane_fields *g, const bond_places *at,
                          sums *own)
{
    switch (axes) {
    case 1:
        bonds_of(1, law, g, at, own);
        break;
    case 2:
        bonds_of(2, law, g, at, own);
        break;
    case 3:
        bonds_of(3, law, g, at, own);
        break;
    case 4:
        bonds_of(4, law, g, at, own);
        break;
    case 5:
        bonds_of(5, law, g, at, own);
        break;
    case 6:
        bonds_of(6, law, g, at, own);
        break;
    case 7:
        bonds_of(7, law, g, at, own);
        break;
    default:
        VXE_ASSERT(axes == 0);
        memset(own, 0, sizeof *own);
    }
}

/* Adds the loads of contacts, contact models and magnets to the accumulator of a voxel. */
static void add_loads(const vxe_lane_group *group, uint32_t index, vxe_real *restrict upper_force)
{
    for (uint32_t kind = 0; kind < VXE_LANE_LOADS; kind++) {
        if (group->loaded[index] >> kind & 1) {
            const vxe_real *load = reals_const(group->load[kind]) + (ptrdiff_t)index * (6 * LANES);
#pragma omp simd
            for (ptrdiff_t i = 0; i < 6 * LANES; i++) {
                upper_force[i] += load[i];
            }
        }
    }
}

VOXEL_MOVES(VOXEL_MOVE_FUNCTIONS, 0)
VOXEL_MOVES(VOXEL_TRY_FUNCTIONS, 0)

static voxel_mover *const movers[MOVES][GROUND + 1] = {VOXEL_MOVES(VOXEL_MOVERS, 0)};
static voxel_trier *const triers[MOVES] = {VOXEL_MOVES(VOXEL_TRIERS, 0)};

/* Voxels whose bonds are done, and which wait for the mean forces of a level floor, for a turn at
   most: so long the ring keeps their forces. Nothing else in the pass reads or writes them. */
typedef struct waiting_voxels {
    uint32_t count;
    uint32_t index[VXE_LANE_TURN];
    sums own[VXE_LANE_TURN];
} waiting_voxels;

/* What a pass reads and writes of voxels, but for the places of each. */
VXE_INLINE voxel_places begin_places(const vxe_lane_group *group, const lane_fields *g,
                                     const vxe_lane_pass *pass)
{
    return (voxel_places){
        .group = group, .numbers = g->numbers, .h = reals(pass->h), .dither = reals(pass->dither)};
}

/* The places of a voxel. */
VXE_INLINE void place_voxel(voxel_places *at, const vxe_lane_group *group, const lane_fields *g,
                            uint32_t index, const sums *own)
{
    const ptrdiff_t at_index = (ptrdiff_t)index;
    at->voxel = voxel_at(g, index);
    at->carried = g->carried + at_index * (group->carried_numbers * LANES);
    at->upper_force = g->upper_force + (ptrdiff_t)(index & group->ring_mask) * (6 * LANES);
    at->property = g->property_rows +
                   (ptrdiff_t)group->voxel[index].property_row * (VXE_LANE_PROPERTY_VALUES * LANES);
    at->lower_force = own->at;
}

/* Sets the edge of a voxel at the end of a step. */
VXE_INLINE void end_voxel(const voxel_places *at, const vxe_lane_group *group,
                          const vxe_lane_pass *pass, uint32_t index)
{
    if ((pass->stages & VXE_STAGE_RESIZE) && (group->waves || group->sizes)) {
        resize(group, pass->clock, (ptrdiff_t)index, at->voxel + VXE_LANE_EDGE_GROWTH * LANES);
    }
}

/* Finds the mean forces of a queue, and puts them where they belong. */
static void solve_pushes(floor_queue *queue, vxe_real *restrict push)
{
    VXE_ASSERT(queue->count + VXE_LANES <= QUEUE_LENGTH);
    for (int c = 0; c < 8; c++) { /* the last vector is filled up with what pushes nothing */
        memset(queue->number[c] + queue->count, 0, VXE_LANES * sizeof(vxe_real));
    }
    for (uint32_t first = 0; first < queue->count; first += VXE_LANES) {
        vxe_real force[VXE_LANES];
#pragma omp simd
        for (uint32_t lane = 0; lane < VXE_LANES; lane++) {
            const uint32_t i = first + lane;
            const floor_case one = {{queue->number[0][i], queue->number[1][i], queue->number[2][i],
                                     queue->number[3][i], queue->number[4][i]},
                                    queue->number[5][i],
                                    queue->number[6][i],
                                    queue->number[7][i]};
            force[lane] = case_solved(one);
        }
        for (uint32_t lane = 0; lane < VXE_LANES && first + lane < queue->count; lane++) {
            push[queue->into[first + lane]] = force[lane];
        }
    }
}

/* Finds the mean forces on the voxels that wait, and moves these. */
static void move_waiting(const vxe_lane_group *group, const vxe_lane_pass *pass,
                         waiting_voxels *waiting)
{
    const lane_fields g = fields_of(group, pass->upper_force);
    const uint32_t move = move_of(pass, group);
    vxe_real push[VXE_LANE_TURN * VXE_LANES];
    floor_queue queue;
    voxel_places at = begin_places(group, &g, pass);
    VXE_ASSERT(waiting->count <= VXE_LANE_TURN && triers[move]);
    queue.count = 0;
    for (uint32_t i = 0; i < waiting->count; i++) {
        place_voxel(&at, group, &g, waiting->index[i], &waiting->own[i]);
        at.push = push + (size_t)i * VXE_LANES;
        triers[move](&at, i * VXE_LANES, &queue);
    }
    solve_pushes(&queue, push);
    for (uint32_t i = 0; i < waiting->count; i++) {
        place_voxel(&at, group, &g, waiting->index[i], &waiting->own[i]);
        at.push = push + (size_t)i * VXE_LANES;
        movers[move][LEVEL_FLOOR](&at);
        end_voxel(&at, group, pass, waiting->index[i]);
    }
    waiting->count = 0;
}

/* What a voxel may touch in the step that it is in; found in the kick by outer forces. */
VXE_INLINE int floor_below(const vxe_lane_group *group, const vxe_lane_pass *pass, uint32_t index,
                           const voxel_places *at, vxe_real *terrain)
{
    if (pass->kick_flags & VXE_KICK_FLOOR) {
        group->touching[index] = touches(at->voxel, at->numbers);
        if (terrain && group->touching[index]) {
            group->touching[index] = sample_ground(group, at->voxel, terrain);
        }
    }
    return !group->touching[index] ? CLEAR : terrain ? GROUND : LEVEL_FLOOR;
}

/* Kicks and moves a voxel after its bonds, all lanes at once, or lets it wait. A voxel clear of the
   floor in all lanes takes a shorter way; one lane that touches sends all lanes through the floor's
   law. */
VXE_INLINE void move_voxel(voxel_places *at, uint32_t move, const vxe_lane_group *group,
                           const lane_fields *g, const vxe_lane_pass *pass, uint32_t index,
                           const sums *own, waiting_voxels *waiting)
{
    vxe_real *terrain =
        group->terrain ? reals(group->terrain) + (ptrdiff_t)index * (VXE_LANE_TOUCH * LANES) : NULL;
    place_voxel(at, group, g, index, own);
    at->terrain = terrain;
    if ((pass->kick_flags & VXE_KICK_EXTERNAL) && group->loaded && group->loaded[index]) {
        add_loads(group, index, at->upper_force);
    }
    const int floor = floor_below(group, pass, index, at, terrain);
    if (group->bound_at && group->bound_at[index] != VXE_NONE) {
        VXE_VARIANT(vxe_lanes_move_bound)(floor, pass, group, *at, group->bound_at[index]);
    } else if (floor == LEVEL_FLOOR && triers[move]) {
        waiting->own[waiting->count] = *own;
        waiting->index[waiting->count++] = index;
        return;
    } else {
        movers[move][floor](at);
    }
    end_voxel(at, group, pass, index);
}

/* Finds which bond of a voxel failed, for lanes in which none has failed before: computes the bonds
   again axis by axis, and discards their forces. Returns the failed lanes, a bit each. */
VXE_INLINE uint32_t note_failures(int law, vxe_lane_group *group, const lane_fields *g,
                                  const bond_places *places, uint32_t axes, uint32_t index,
                                  uint32_t known)
{
    uint32_t failed_lanes = known;
    vxe_real away[6 * VXE_LANES];
    bond_places at = *places;
    at.upper_force[0] = at.upper_force[1] = at.upper_force[2] = away;
    for (uint32_t axis = 0; axis < 3; axis++) {
        sums single;
        memset(away, 0, sizeof away);
        any_bonds(axes & 1u << axis, law, g, &at, &single);
        for (uint32_t lane = 0; lane < VXE_LANES; lane++) {
            if (single.at[FAILED * LANES + lane] > 0 && !(failed_lanes >> lane & 1)) {
                group->failure[lane] = (vxe_lane_failure){index, axis};
                failed_lanes |= 1u << lane;
            }
        }
    }
    return failed_lanes;
}

/* Finds what the bonds of a voxel read and write; returns the axes on which it has one, a bit each.
 */
VXE_INLINE uint32_t find_bonds(int law, const vxe_lane_group *group, const lane_fields *g,
                               uint32_t index, bond_places *at)
{
    const ptrdiff_t row_values = law & VXE_BOND_EVEN   ? VXE_EVEN_VALUES
                                 : law & VXE_BOND_FREE ? VXE_FREE_VALUES
                                                       : VXE_PROPORTIONAL_VALUES;
    const vxe_lane_voxel *voxel = &group->voxel[index];
    uint32_t axes = 0;
    *at = (bond_places){.lo = voxel_at(g, index)};
    if ((law & VXE_BOND_KEEP) ||
        (law & (VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS)) == VXE_BOND_DASHPOTS) {
        at->geometry = g->geometry + (ptrdiff_t)index * (3 * VXE_GEOMETRY_VALUES * LANES);
    }
    if (law & VXE_BOND_FREE) {
        at->across_lo = g->poisson_tension + (ptrdiff_t)index * (3 * LANES);
    }
    for (int axis = 0; axis < 3; axis++) {
        const bool exists = voxel->up[axis] != VXE_NONE;
        const uint32_t up = exists ? voxel->up[axis] : index;
        axes |= (uint32_t)exists << axis;
        at->hi[axis] = voxel_at(g, up);
        at->k[axis] = g->rows + (ptrdiff_t)voxel->row[axis] * (row_values * LANES);
        if (law & (VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS)) {
            at->upper_force[axis] =
                g->upper_force + (ptrdiff_t)(up & group->ring_mask) * (6 * LANES);
        }
        if (law & VXE_BOND_FREE) {
            at->across_hi[axis] = g->poisson_tension + (ptrdiff_t)up * (3 * LANES);
        }
    }
    return axes;
}

/* A pass over voxels [first, last); law is a constant where this is compiled. */
VXE_INLINE void run_pass(int law, vxe_lane_group *group, vxe_lane_pass *pass, uint32_t first,
                         uint32_t last)
{
    const lane_fields g = fields_of(group, pass->upper_force);
    const uint32_t move = move_of(pass, group);
    voxel_places places = begin_places(group, &g, pass);
    waiting_voxels waiting;
    waiting.count = 0;
    for (uint32_t index = first; index < last; index++) {
        bond_places at;
        const uint32_t axes = find_bonds(law, group, &g, index, &at);
        if (waiting.count > 0 && index - waiting.index[0] == VXE_LANE_TURN) {
            move_waiting(group, pass, &waiting);
        }
        sums own;
        any_bonds(axes, law, &g, &at, &own);
        if ((law & VXE_BOND_SPRINGS) && any_positive(own.at + FAILED * LANES)) {
            pass->failed = note_failures(law, group, &g, &at, axes, index, pass->failed);
        }
        move_voxel(&places, move, group, &g, pass, index, &own, &waiting);
    }
    if (waiting.count > 0) {
        move_waiting(group, pass, &waiting);
    }
}

/* A pass by the law of its bonds. */
static void pass_of(vxe_lane_group *group, vxe_lane_pass *pass, uint32_t first, uint32_t last)
{
    VXE_ASSERT(first < last && last <= group->voxels);
    VXE_ASSERT((group->ring_mask & (group->ring_mask + 1)) == 0);
    switch (pass->law & ~(vxe_bond_parts)VXE_BOND_YIELDING) { /* none of their bonds yields */
    case VXE_BOND_SPRINGS:
        run_pass(VXE_BOND_SPRINGS, group, pass, first, last);
        break;
    case VXE_BOND_SPRINGS | VXE_BOND_EVEN:
        run_pass(VXE_BOND_SPRINGS | VXE_BOND_EVEN, group, pass, first, last);
        break;
    case VXE_BOND_SPRINGS | VXE_BOND_FREE:
        run_pass(VXE_BOND_SPRINGS | VXE_BOND_FREE, group, pass, first, last);
        break;
    case VXE_BOND_SPRINGS | VXE_BOND_KEEP:
        run_pass(VXE_BOND_SPRINGS | VXE_BOND_KEEP, group, pass, first, last);
        break;
    case VXE_BOND_SPRINGS | VXE_BOND_EVEN | VXE_BOND_KEEP:
        run_pass(VXE_BOND_SPRINGS | VXE_BOND_EVEN | VXE_BOND_KEEP, group, pass, first, last);
        break;
    case VXE_BOND_SPRINGS | VXE_BOND_FREE | VXE_BOND_KEEP:
        run_pass(VXE_BOND_SPRINGS | VXE_BOND_FREE | VXE_BOND_KEEP, group, pass, first, last);
        break;
    case VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS:
        run_pass(VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS, group, pass, first, last);
        break;
    case VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_EVEN:
        run_pass(VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_EVEN, group, pass, first, last);
        break;
    case VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_FREE:
        run_pass(VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_FREE, group, pass, first, last);
        break;
    case VXE_BOND_DASHPOTS:
        run_pass(VXE_BOND_DASHPOTS, group, pass, first, last);
        break;
    case VXE_BOND_DASHPOTS | VXE_BOND_EVEN:
        run_pass(VXE_BOND_DASHPOTS | VXE_BOND_EVEN, group, pass, first, last);
        break;
    case VXE_BOND_DASHPOTS | VXE_BOND_FREE:
        run_pass(VXE_BOND_DASHPOTS | VXE_BOND_FREE, group, pass, first, last);
        break;
    default:
        VXE_ASSERT(false); /* robots of another law do not run in lanes: vxe_lanes_refusal */
    }
}

/* Strain of the bond upwards along an axis; zero where there is none. by_edge: 1/m for each lane.
 */
VXE_INLINE vxe_real lane_strain(int axis, const lane_fields *g, const bond_places *at,
                                const vxe_real *by_edge, ptrdiff_t lane)
{
    const vxe_real some = at->k[axis][VXE_AXIAL * LANES + lane];
    const vxe_real_mask exists = -(vxe_real_mask)(some > 0);
    const vxe_chord chord =
        lane_chord(axis, VXE_BOND_SPRINGS, g->numbers, at->lo, at->hi[axis], lane);
    const vxe_mid_frame frame =
        mid_frame(axis, orientation(at->lo, lane), orientation(at->hi[axis], lane), exists);
    return keep_bits(axial_strain(axis, &frame, &chord, by_edge[lane]), exists);
}

/* Distributes the strain of a bond to both of its voxels, by their parts. */
VXE_INLINE void part_strain(int axis, const lane_fields *g, const bond_places *at,
                            const vxe_real *by_edge, vxe_real *restrict own,
                            vxe_real *restrict other)
{
#pragma omp simd
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        const vxe_real part = at->k[axis][VXE_LOWER_PART * LANES + lane];
        const vxe_real strain = lane_strain(axis, g, at, by_edge, lane);
        own[axis * LANES + lane] += part * strain;
        other[axis * LANES + lane] = (2 - part) * strain;
    }
}

/* Turns the sums of a voxel's strains into tensions, and clears the sums. */
static void poisson_tensions(const vxe_real *restrict poisson_coupling, vxe_real *restrict strains,
                             vxe_real *restrict poisson_tension)
{
    for (int a = 0; a < 3; a++) {
        const ptrdiff_t b = (a + 1) % 3 * LANES;
        const ptrdiff_t c = (a + 2) % 3 * LANES;
#pragma omp simd
        for (ptrdiff_t lane = 0; lane < LANES; lane++) {
            poisson_tension[a * LANES + lane] =
                tension_across(poisson_coupling[c + lane], strains[b + lane],
                               poisson_coupling[b + lane], strains[c + lane]);
        }
    }
    memset(strains, 0, 3 * VXE_LANES * sizeof *strains);
}

/* Poisson tensions of all voxels. The lower neighbours of a voxel come before it, so that the
   strains of all its bonds are summed when it is reached. */
static void find_poisson_tensions(vxe_lane_group *group)
{
    const lane_fields g = fields_of(group, NULL);
    const vxe_real *poisson_coupling = reals_const(group->poisson_coupling);
    vxe_real *strain = reals(group->strain);
    vxe_real by_edge[VXE_LANES];
    for (ptrdiff_t lane = 0; lane < LANES; lane++) {
        by_edge[lane] = 1 / g.numbers[VXE_LANE_EDGE * LANES + lane];
    }
    for (uint32_t index = 0; index < group->voxels; index++) {
        const vxe_lane_voxel *voxel = &group->voxel[index];
        vxe_real *own = strain + (ptrdiff_t)(index & group->ring_mask) * (3 * LANES);
        vxe_real *other[3];
        bond_places at;
        const uint32_t axes = find_bonds(VXE_BOND_FREE, group, &g, index, &at);
        for (int axis = 0; axis < 3; axis++) {
            other[axis] = strain + (ptrdiff_t)(voxel->up[axis] & group->ring_mask) * (3 * LANES);
        }
        if (axes & 1) {
            part_strain(0, &g, &at, by_edge, own, other[0]);
        }
        if (axes & 2) {
            part_strain(1, &g, &at, by_edge, own, other[1]);
        }
        if (axes & 4) {
            part_strain(2, &g, &at, by_edge, own, other[2]);
        }
        poisson_tensions(poisson_coupling + (ptrdiff_t)index * (3 * LANES), own,
                         reals(group->poisson_tension) + (ptrdiff_t)index * (3 * LANES));
    }
}

/* Copies the state of a lane's robot to the arrays of its gather map. */
static void gather(const vxe_lane_group *group, uint32_t lane, const vxe_gather_map *gather_map)
{
    for (uint32_t field = 0; field < VXE_LANE_FIELDS; field++) {
        vxe_real *restrict into = reals(gather_map->field[field]);
        for (uint32_t i = 0; i < gather_map->count && into; i++) {
            const vxe_real *voxel = state_of(group, gather_map->place[i]);
            into[gather_map->slot[i]] = voxel[field * LANES + lane];
        }
    }
}

/* Copies poses from the arrays of a gather map back into the lane. */
static void scatter_pose(const vxe_lane_group *group, uint32_t lane,
                         const vxe_gather_map *gather_map)
{
    for (uint32_t field = 0; field < VXE_LANE_V; field++) {
        const vxe_real *restrict from = reals(gather_map->field[field]);
        for (uint32_t i = 0; i < gather_map->count && from; i++) {
            vxe_real *voxel = state_of(group, gather_map->place[i]);
            voxel[field * LANES + lane] = from[gather_map->slot[i]];
        }
    }
}

/* Copies loads (by slot) of a kind into the lane. */
static void scatter_load(const vxe_lane_group *group, uint32_t lane,
                         const vxe_gather_map *gather_map, uint32_t kind, vxe_reals *const load[6])
{
    for (uint32_t i = 0; i < gather_map->count; i++) {
        vxe_real *into =
            reals(group->load[kind]) + (ptrdiff_t)gather_map->place[i] * (6 * LANES) + lane;
        for (ptrdiff_t c = 0; c < 6; c++) {
            into[c * LANES] = reals_const(load[c])[gather_map->slot[i]];
        }
    }
}

/* max = max(max, |a - about|^2) for each lane, where a has three fields. */
static void grow_square(vxe_real *restrict max, const vxe_real *restrict a,
                        vxe_real about[restrict 3][VXE_LANES])
{
#pragma omp simd
    for (int lane = 0; lane < LANES; lane++) {
        const vxe_real x = a[lane] - about[0][lane];
        const vxe_real y = a[LANES + lane] - about[1][lane];
        const vxe_real z = a[2 * LANES + lane] - about[2][lane];
        const vxe_real square = vxe_fma(x, x, vxe_fma(y, y, z * z));
        max[lane] = square > max[lane] ? square : max[lane];
    }
}

/* Widens the bounds of velocities by those of a voxel. */
static void bound_speeds(const vxe_real *restrict v, vxe_real *restrict slowest,
                         vxe_real *restrict fastest)
{
#pragma omp simd
    for (int i = 0; i < 3 * LANES; i++) {
        slowest[i] = v[i] < slowest[i] ? v[i] : slowest[i];
        fastest[i] = v[i] > fastest[i] ? v[i] : fastest[i];
    }
}

/* Finds the largest growth of an edge since the last call. */
static void grow_edges(const vxe_real *restrict edge_growth, vxe_real *restrict kept,
                       vxe_real *restrict grown)
{
#pragma omp simd
    for (int lane = 0; lane < LANES; lane++) {
        const vxe_real more = edge_growth[lane] - kept[lane];
        grown[lane] = more > grown[lane] ? more : grown[lane];
        kept[lane] = edge_growth[lane];
    }
}

/* The motion bound of every lane's robot. */
static void motion(vxe_lane_group *group, vxe_motion_bound *motions)
{
    VXE_ASSERT(group->voxels > 0 && group->kept_edge_growth);
    const vxe_real *first = reals_const(group->state) + (ptrdiff_t)VXE_LANE_V * LANES;
    vxe_real moved[VXE_LANES] = {0};
    vxe_real turned_by[VXE_LANES] = {0};
    vxe_real grown[VXE_LANES] = {0};
    vxe_real about[3][VXE_LANES];
    vxe_real nothing[3][VXE_LANES] = {{0}};
    vxe_real slowest[3 * VXE_LANES];
    vxe_real fastest[3 * VXE_LANES];
    memcpy(slowest, first, sizeof slowest);
    memcpy(fastest, first, sizeof fastest);
    for (uint32_t i = 0; i < 3 * VXE_LANES; i++) {
        about[i / VXE_LANES][i % VXE_LANES] = (vxe_real)group->about[i / VXE_LANES][i % VXE_LANES];
    }
    for (uint32_t index = 0; index < group->voxels; index++) {
        const vxe_real *now = state_of(group, index);
        grow_square(moved, now + VXE_LANE_V * LANES, about);
        grow_square(turned_by, now + VXE_LANE_W * LANES, nothing);
        bound_speeds(now + VXE_LANE_V * LANES, slowest, fastest);
        grow_edges(now + VXE_LANE_EDGE_GROWTH * LANES,
                   reals(group->kept_edge_growth) + (ptrdiff_t)index * LANES, grown);
    }
    for (uint32_t lane = 0; lane < VXE_LANES; lane++) {
        motions[lane] = (vxe_motion_bound){.moved = sqrt((double)moved[lane]),
                                           .turned = sqrt((double)turned_by[lane]),
                                           .grown = (double)grown[lane]};
        for (uint32_t c = 0; c < 3; c++) {
            motions[lane].slowest[c] = (double)slowest[c * VXE_LANES + lane];
            motions[lane].fastest[c] = (double)fastest[c * VXE_LANES + lane];
        }
    }
}

/* The pose of a voxel of one lane's robot, by VXE_POSE_X and so on. */
typedef struct pose_row {
    vxe_real at[VXE_ROW];
} pose_row;

/* Turns the poses of a voxel into a row for each lane. */
static void turn_into_rows(const vxe_real *restrict voxel, pose_row rows[restrict VXE_LANES])
{
    for (int lane = 0; lane < LANES; lane++) {
        for (int c = 0; c < 3; c++) {
            rows[lane].at[VXE_POSE_X + c] = voxel[(VXE_LANE_X + c) * LANES + lane];
        }
        for (int c = 0; c < 4; c++) {
            rows[lane].at[VXE_POSE_Q + c] = voxel[(VXE_LANE_Q + c) * LANES + lane];
        }
        rows[lane].at[VXE_POSE_EDGE_GROWTH] = voxel[VXE_LANE_EDGE_GROWTH * LANES + lane];
    }
}

/* Rows of the poses of the surfaces of several robots: all lanes of a voxel at once. */
static void stand(const vxe_lane_group *group, vxe_reals *const poses[VXE_MAX_LANES])
{
    VXE_ASSERT(group->surface_at);
    for (uint32_t index = 0; index < group->voxels; index++) {
        const uint32_t *at = group->surface_at + (size_t)index * VXE_MAX_LANES;
        pose_row rows[VXE_LANES];
        uint32_t wanted = 0;
        for (uint32_t lane = 0; lane < VXE_LANES; lane++) {
            wanted |= (uint32_t)(poses[lane] && at[lane] != VXE_NONE) << lane;
        }
        if (wanted) {
            turn_into_rows(state_of(group, index), rows);
        }
        for (; wanted; wanted &= wanted - 1) {
            const int lane = __builtin_ctz(wanted);
            ((pose_row *)(void *)poses[lane])[at[lane]] = rows[lane];
        }
    }
}

extern const vxe_lane_kernels VXE_VARIANT(vxe_lane_kernels);

const vxe_lane_kernels VXE_VARIANT(vxe_lane_kernels) = {.lanes = VXE_LANES,
                                                        .pass = pass_of,
                                                        .motion = motion,
                                                        .stand = stand,
                                                        .poisson_coupling = find_poisson_tensions,
                                                        .gather = gather,
                                                        .scatter_pose = scatter_pose,
                                                        .scatter_load = scatter_load,
                                                        .resize = resize_all};
