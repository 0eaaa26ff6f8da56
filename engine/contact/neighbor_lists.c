/* SPDX-License-Identifier: MIT */
/* Neighbour lists: takes a snapshot of the surface and sorts it into boxes for the search of
   broad_phase.c, drops pairs that never collide because of their bonds, and keeps the clocks that
   say when bundles of pairs must be checked and when lists must be made again. */
#include "engine/contact/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/cell_list_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"

/* Skins in edges: how far two voxels may approach each other before the lists are made again. SKIN
   is for centres, FACE_SKIN for faces, which turning brings closer as well. Wider skins mean longer
   lists. NARROW_SKIN replaces both where pairs two cells apart are not in the constant lists and
   would crowd the others. */
#define SKIN 0.7
#define FACE_SKIN 1.15
#define NARROW_SKIN 0.4
/* Arm of the clock of faces in edges, see vxe_neighbor_list. */
#define ARM 3.1
/* Approach from one tick of a wheel to the next, in edges. */
#define TICK 0.03
/* A pair that is farther apart than this many edges can wait for one tick, whatever floats round
   away. */
#define NEXT_TICK (1.01 * TICK)
/* Pairs that may touch within so many steps are computed in every step instead of being checked
   again and again, if they are not farther apart than CLOSE edges. */
#define CLOSE_STEPS 2.0
#define CLOSE 0.15
/* Entries behind the last voxel that a batch of candidates may read. */
#define PADDING VXE_NEIGHBOR_BATCH
/* m: out of reach of everything, and its square is still a float. */
#define FAR_AWAY 1e18f
/* Relative rounding of places in floats, for two voxels that are rounded twice each; and rounding
   of orientations and gaps, in edges. */
#define ROUNDING 2.4e-7
#define FINE_ROUNDING 2e-6
/* Edges that a surface may travel before lists are made again, beyond its distance from the origin
   of coordinates: `slack` allows for the rounding of places out to there. */
#define TRAVEL 100.0

static void clear_snapshot(vxe_surface_snapshot *snapshot)
{
    for (int c = 0; c < 3; c++) {
        vxe_memory_release(snapshot->x[c]);
        vxe_memory_release(snapshot->cell[c]);
    }
    for (int c = 0; c < 4; c++) {
        vxe_memory_release(snapshot->q[c]);
    }
    vxe_memory_release(snapshot->size);
    vxe_memory_release(snapshot->open);
}

void vxe_contacts_clear(vxe_contacts *contacts)
{
    vxe_neighbor_list *neighbors = &contacts->neighbors;
    if (neighbors->side > 1) {
        clear_snapshot(&neighbors->sorted);
    }
    clear_snapshot(&neighbors->snapshot);
    for (int kind = 0; kind < VXE_PAIRS_KINDS; kind++) {
        vxe_pairs_clear(&neighbors->pairs[kind]);
    }
    void *blocks[] = {neighbors->rest,         neighbors->load,         neighbors->faces,
                      neighbors->state_index,  neighbors->stands,       neighbors->found[0],
                      neighbors->found[1],     neighbors->pose,         neighbors->box[0],
                      neighbors->box[1],       neighbors->box[2],       neighbors->low[0],
                      neighbors->low[1],       neighbors->low[2],       neighbors->high[0],
                      neighbors->high[1],      neighbors->high[2],      neighbors->from,
                      neighbors->place,        neighbors->first_of,     neighbors->count,
                      neighbors->pushed,       neighbors->is_pushed,    neighbors->woken,
                      neighbors->kept_pair[0], neighbors->kept_pair[1], contacts->linked};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        vxe_memory_release(blocks[i]);
    }
    *contacts = (vxe_contacts){0};
}

static bool take_snapshot(vxe_surface_snapshot *snapshot, uint64_t count)
{
    bool complete = true;
    for (int c = 0; c < 3; c++) {
        complete = complete && (snapshot->x[c] = vxe_memory_take(count, sizeof *snapshot->x[c])) &&
                   (snapshot->cell[c] = vxe_memory_take(count, sizeof *snapshot->cell[c]));
    }
    for (int c = 0; c < 4; c++) {
        complete = complete && (snapshot->q[c] = vxe_memory_take(count, sizeof *snapshot->q[c]));
    }
    snapshot->size = vxe_memory_take(count, sizeof *snapshot->size);
    snapshot->open = vxe_memory_take(count, sizeof *snapshot->open);
    return complete && snapshot->size && snapshot->open;
}

/* The memory of kept_pair; spheres remember nothing. */
static bool take_kept_pairs(vxe_neighbor_list *neighbors)
{
    const uint64_t count = neighbors->surface->spheres
                               ? 0
                               : VXE_MAX_KEPT_CONTACTS * (uint64_t)neighbors->surface->count;
    for (int parity = 0; parity < 2; parity++) {
        neighbors->kept_pair[parity] = vxe_memory_take(count, sizeof *neighbors->kept_pair[0]);
    }
    return neighbors->kept_pair[0] && neighbors->kept_pair[1];
}

static bool take_neighbors(vxe_neighbor_list *neighbors, uint64_t count, vxe_precision precision)
{
    const bool grid = neighbors->side > 1;
    const uint64_t batches = grid ? 0 : count / VXE_NEIGHBOR_BATCH + VXE_NEIGHBOR_BATCH;
    bool complete = take_snapshot(&neighbors->snapshot, count + PADDING) &&
                    (!grid || take_snapshot(&neighbors->sorted, count + PADDING));
    for (int c = 0; c < 3; c++) {
        complete =
            complete && (neighbors->low[c] = vxe_memory_take(batches, sizeof *neighbors->low[c])) &&
            (neighbors->high[c] = vxe_memory_take(batches, sizeof *neighbors->high[c])) &&
            (neighbors->box[c] = vxe_memory_take(grid ? count : 0, sizeof *neighbors->box[c]));
    }
    neighbors->state_index = vxe_memory_take(count, sizeof *neighbors->state_index);
    neighbors->stands = vxe_memory_take(count, sizeof *neighbors->stands);
    neighbors->pose = vxe_memory_take(count, VXE_ROW * vxe_real_bytes(precision));
    neighbors->rest = vxe_memory_take(count, VXE_ROW * vxe_real_bytes(precision));
    neighbors->load = vxe_memory_take(count, VXE_ROW * vxe_real_bytes(precision));
    neighbors->from = vxe_memory_take(count, sizeof *neighbors->from);
    neighbors->place = vxe_memory_take(grid ? count : 0, sizeof *neighbors->place);
    neighbors->faces = vxe_memory_take(count, sizeof *neighbors->faces);
    const uint64_t max_found = grid ? 0 : count * VXE_MAX_NEIGHBORS;
    neighbors->found[0] = vxe_memory_take(max_found, sizeof *neighbors->found[0]);
    neighbors->found[1] = vxe_memory_take(max_found, sizeof *neighbors->found[1]);
    neighbors->count = vxe_memory_take(count, sizeof *neighbors->count);
    neighbors->pushed = vxe_memory_take(count, sizeof *neighbors->pushed);
    neighbors->is_pushed = vxe_memory_take(count, sizeof *neighbors->is_pushed);
    const uint64_t boxes = (uint64_t)neighbors->side * neighbors->side * neighbors->side;
    neighbors->first_of = vxe_memory_take(boxes + 1, sizeof *neighbors->first_of);
    return complete && neighbors->found[0] && neighbors->found[1] && neighbors->state_index &&
           neighbors->stands && neighbors->pose && neighbors->rest && neighbors->load &&
           neighbors->from && neighbors->place && neighbors->faces && neighbors->count &&
           neighbors->pushed && neighbors->is_pushed && neighbors->first_of;
}

/* The memory of the lists that are made again and again: VXE_MAX_NEIGHBORS pairs for each voxel. */
static bool take_listed(vxe_neighbor_list *neighbors, vxe_neighbor_part *parts, uint32_t part_count)
{
    uint64_t words = 0;
    for (uint32_t p = 0; p < part_count; p++) {
        parts[p].pairs[VXE_PAIRS_LISTED].touched = words;
        words +=
            vxe_words_of_touched((uint64_t)(parts[p].last - parts[p].first) * VXE_MAX_NEIGHBORS);
    }
    return vxe_pairs_take(&neighbors->pairs[VXE_PAIRS_LISTED],
                          (uint64_t)neighbors->surface->count * VXE_MAX_NEIGHBORS, words);
}

/* The memory of `woken`: all bundles may be due at once. */
static bool take_woken(vxe_neighbor_list *neighbors, const vxe_neighbor_part *last_part)
{
    uint64_t bundles = (uint64_t)neighbors->surface->count * VXE_MAX_NEIGHBORS / VXE_BUNDLE;
    for (int kind = 0; kind < VXE_PAIRS_LISTED; kind++) {
        const vxe_pair_range *range = &last_part->pairs[kind];
        bundles += range->first / VXE_BUNDLE + vxe_bundles_of(range);
    }
    neighbors->woken = vxe_memory_take(bundles, sizeof *neighbors->woken);
    return neighbors->woken;
}

/* The place in the surface's list of entry `at` of the snapshot. */
static uint32_t snapshot_at(const vxe_neighbor_list *neighbors, uint32_t at)
{
    VXE_ASSERT(at < neighbors->stood && neighbors->stood <= neighbors->surface->count);
    return neighbors->side == 1 ? neighbors->from[at] : at;
}

/* Fills the part of the snapshot that changes only when bonds break. */
static void fill_fixed(vxe_neighbor_list *neighbors)
{
    for (uint32_t at = 0; at < neighbors->stood; at++) {
        const uint32_t k = snapshot_at(neighbors, at);
        for (uint32_t c = 0; c < 3; c++) {
            neighbors->snapshot.cell[c][at] = neighbors->surface->cell[3ull * k + c];
        }
        neighbors->snapshot.open[at] = neighbors->faces[k] != 0;
    }
}

/* Puts the entries behind the last voxel of the snapshot out of reach. */
static void fill_behind(const vxe_neighbor_list *neighbors)
{
    for (uint32_t i = 0; i < PADDING; i++) {
        for (int c = 0; c < 3; c++) {
            neighbors->snapshot.x[c][neighbors->stood + i] = FAR_AWAY;
        }
    }
}

vxe_status vxe_contacts_init(vxe_contacts *contacts, const vxe_model *model,
                             vxe_neighbor_part *parts, uint32_t part_count, vxe_error *error)
{
    const uint64_t count = model->surface.count;
    vxe_neighbor_list *neighbors = &contacts->neighbors;
    VXE_ASSERT(count > 0 && part_count > 0 && parts[0].first == 0);
    VXE_ASSERT(parts[part_count - 1].last == count);
    *contacts = (vxe_contacts){.model = model};
    neighbors->surface = &model->surface;
    neighbors->side = count > VXE_MAX_WITHOUT_GRID ? 4 : 1;
    while (neighbors->side > 1 &&
           (uint64_t)neighbors->side * neighbors->side * neighbors->side < 2 * count) {
        neighbors->side *= 2;
    }
    const bool bonds_matter = model->surface.spheres || model->surface.breaks;
    contacts->skin = (bonds_matter ? NARROW_SKIN : SKIN) * model->edge;
    contacts->face_skin = (bonds_matter ? NARROW_SKIN : FACE_SKIN) * model->edge;
    bool complete = take_neighbors(neighbors, count, model->precision) &&
                    take_kept_pairs(neighbors) && take_listed(neighbors, parts, part_count) &&
                    (bonds_matter || vxe_contacts_pair(neighbors, parts, part_count)) &&
                    take_woken(neighbors, &parts[part_count - 1]) &&
                    (neighbors->side > 1 || vxe_contacts_order(neighbors));
    neighbors->stood = neighbors->side > 1 ? (uint32_t)count : neighbors->stood;
    if (bonds_matter) {
        contacts->linked = vxe_topology_neighbours(&model->topology);
        complete = complete && contacts->linked;
    }
    if (!complete) {
        vxe_contacts_clear(contacts);
        return vxe_error_memory(error, count * (300 + 17 * VXE_MAX_NEIGHBORS));
    }
    memcpy(neighbors->faces, model->surface.faces, count);
    fill_fixed(neighbors);
    fill_behind(neighbors);
    if (neighbors->side == 1) {
        neighbors->sorted = neighbors->snapshot;
    }
    return VXE_OK;
}

/* The box of a coordinate. Places of a body that has diverged may be very large or no numbers:
   they go into box 0. */
static int32_t box_of(double x, double width)
{
    const double box = floor(x / width);
    return fabs(box) < 1e9 ? (int32_t)box : 0;
}

/* Sorts the voxels by their boxes; within a box they stay in the order of the surface's list. */
static void sort_boxes(vxe_neighbor_list *neighbors)
{
    const uint32_t wrap = neighbors->side - 1;
    const uint64_t boxes = (uint64_t)neighbors->side * neighbors->side * neighbors->side;
    for (uint32_t k = 0; k < neighbors->surface->count; k++) {
        uint64_t box = 0;
        for (int c = 2; c >= 0; c--) {
            const int32_t along =
                box_of((double)neighbors->snapshot.x[c][k], (double)neighbors->reach);
            box = box * neighbors->side + ((uint32_t)along & wrap);
        }
        VXE_ASSERT(box < boxes);
        neighbors->place[k] = (uint32_t)box; /* vxe_cell_list_sort replaces it by the place */
    }
    vxe_cell_list_sort(neighbors->place, neighbors->surface->count, boxes, neighbors->first_of,
                       neighbors->from, neighbors->place);
}

/* Copies the snapshot in the order of boxes. */
static void fill_sorted(vxe_neighbor_list *neighbors)
{
    const vxe_surface_snapshot *by_list = &neighbors->snapshot;
    const vxe_surface_snapshot *sorted = &neighbors->sorted;
    for (uint32_t to = 0; to < neighbors->surface->count; to++) {
        const uint32_t k = neighbors->from[to];
        for (int c = 0; c < 3; c++) {
            sorted->x[c][to] = by_list->x[c][k];
            sorted->cell[c][to] = by_list->cell[c][k];
            neighbors->box[c][to] = box_of((double)by_list->x[c][k], (double)neighbors->reach);
        }
        for (int c = 0; c < 4; c++) {
            sorted->q[c][to] = by_list->q[c][k];
        }
        sorted->size[to] = by_list->size[k];
        sorted->open[to] = by_list->open[k];
    }
}

void vxe_contacts_bind(vxe_contacts *contacts, const vxe_body_view *body,
                       const vxe_kernel_arrays *arrays)
{
    const vxe_neighbor_list *neighbors = &contacts->neighbors;
    for (uint32_t k = 0; k < neighbors->surface->count; k++) {
        const uint32_t slot = neighbors->surface->slot[k];
        neighbors->state_index[k] =
            (int32_t)((body->place ? body->place[slot] : slot) * body->stride);
    }
    for (uint32_t at = 0; at < neighbors->stood; at++) {
        neighbors->stands[at] = neighbors->state_index[snapshot_at(neighbors, at)];
    }
    vxe_contact_kernels_of(contacts->model->kernels)
        ->settle(neighbors, arrays, 0, neighbors->surface->count);
    contacts->made = false;
}

/* Sets `since` from `beyond`. */
static void set_since(vxe_neighbor_list *neighbors)
{
    for (int approach = 0; approach < VXE_APPROACHES; approach++) {
        neighbors->since[approach] = (float)neighbors->beyond[approach] - neighbors->slack;
    }
}

void vxe_contacts_sort(vxe_contacts *contacts, const vxe_body_view *body)
{
    vxe_neighbor_list *neighbors = &contacts->neighbors;
    const vxe_model *model = contacts->model;
    double largest = 0;
    double farthest = 0;
    vxe_contact_kernels_of(model->kernels)->take(neighbors, body, model->edge, &largest, &farthest);
    contacts->may_travel = farthest + TRAVEL * model->edge;
    const double slack = ROUNDING * (farthest + contacts->may_travel) + FINE_ROUNDING * model->edge;
    const double touching = (double)(neighbors->surface->spheres ? VXE_SPHERE : VXE_CORNERS);
    neighbors->slack = (float)slack;
    neighbors->reach = (float)(touching * largest + contacts->skin + slack);
    neighbors->face_reach = (float)(contacts->face_skin + slack);
    neighbors->arm = (float)(ARM * model->edge);
    neighbors->tick = (float)(TICK * model->edge);
    neighbors->per_meter = 1 / neighbors->tick;
    VXE_ASSERT(neighbors->tick > 0 && !(slack < 0) && !(farthest < 0));
    set_since(neighbors);
    neighbors->waits = contacts->made;
    neighbors->due = true;
    contacts->nearer = 0;
    contacts->faces_nearer = 0;
    contacts->travelled = 0;
    contacts->made = true;
    if (neighbors->side > 1) {
        sort_boxes(neighbors);
        fill_sorted(neighbors);
    } else {
        vxe_broad_phase_kernels_of(model->kernels)->bound(neighbors);
    }
}

/* Whether the place `apart` (cells from a voxel) is marked. */
static bool is_bonded(const vxe_bonded *to, const int64_t apart[3])
{
    bool close = true;
    for (int c = 0; c < 3; c++) {
        close = close && apart[c] >= -VXE_MAX_BONDS && apart[c] <= VXE_MAX_BONDS;
    }
    return close &&
           to->at[apart[0] + VXE_MAX_BONDS][apart[1] + VXE_MAX_BONDS][apart[2] + VXE_MAX_BONDS];
}

/* The bonded neighbours of one voxel. */
typedef struct bonded_pairs {
    uint32_t of; /* place in the surface's list, or VXE_NONE */
    vxe_bonded found;
} bonded_pairs;

/* Finds the bonded neighbours of voxel `one` of the surface's list. */
static void find_bonded_pairs(const vxe_contacts *contacts, uint32_t one,
                              bonded_pairs *bonded_neighbors)
{
    const vxe_surface *surface = contacts->neighbors.surface;
    const int max =
        surface->spheres ? contacts->model->conventions.contact_bonds : VXE_TOUCHING_BONDS;
    bonded_neighbors->of = one;
    vxe_bonded_find(&bonded_neighbors->found, contacts->linked, surface->slot[one], max);
}

/* Whether two voxels never collide. Under presets with spheres: if they are within contact_bonds
   bonds of each other. Native, where bonds may break: if they touch at rest and are within three
   bonds of each other, still. */
static bool never_collide(const vxe_surface *surface, const bonded_pairs *bonded_neighbors,
                          uint32_t other)
{
    const int32_t *cell = surface->cell;
    int64_t apart[3];
    bool touch = true;
    for (size_t c = 0; c < 3; c++) {
        apart[c] =
            (int64_t)cell[3 * (size_t)other + c] - cell[3 * (size_t)bonded_neighbors->of + c];
        touch = touch && apart[c] >= -1 && apart[c] <= 1;
    }
    return (surface->spheres || touch) && is_bonded(&bonded_neighbors->found, apart);
}

/* Removes the pairs that never collide from the list of a part. */
static void drop_bonded(const vxe_contacts *contacts, vxe_neighbor_part *part)
{
    const vxe_neighbor_list *neighbors = &contacts->neighbors;
    const vxe_pairs *pairs = &neighbors->pairs[VXE_PAIRS_LISTED];
    vxe_pair_range *listed = &part->pairs[VXE_PAIRS_LISTED];
    const size_t begin = listed->first;
    bonded_pairs bonded_neighbors = {.of = VXE_NONE};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < listed->count; i++) {
        const uint32_t lower = pairs->of[0][begin + i];
        const uint32_t upper = pairs->of[1][begin + i];
        /* the voxel by which the list is sorted, so that its bonded neighbours are found once */
        const uint32_t own = neighbors->side > 1 && lower < part->first ? upper : lower;
        if (own != bonded_neighbors.of) {
            find_bonded_pairs(contacts, own, &bonded_neighbors);
        }
        pairs->of[0][begin + kept] = lower;
        pairs->of[1][begin + kept] = upper;
        kept += !never_collide(neighbors->surface, &bonded_neighbors, own == lower ? upper : lower);
    }
    listed->count = kept;
}

static int compare_slots(const void *one, const void *two)
{
    const uint32_t a = *(const uint32_t *)one;
    const uint32_t b = *(const uint32_t *)two;
    return a < b ? -1 : a > b;
}

/* Opens a face of the voxel of a slot, if the voxel is in the surface's list; particles are not. */
static void open_face(vxe_neighbor_list *neighbors, uint32_t slot, uint32_t face)
{
    const vxe_surface *surface = neighbors->surface;
    VXE_ASSERT(face < 6);
    const uint32_t *found =
        bsearch(&slot, surface->slot, surface->count, sizeof slot, compare_slots);
    if (found) {
        neighbors->faces[found - surface->slot] |= (uint8_t)(1u << face);
    }
}

void vxe_contacts_break(vxe_contacts *contacts, const vxe_state *state)
{
    const vxe_topology *topology = &contacts->model->topology;
    vxe_neighbor_list *neighbors = &contacts->neighbors;
    memcpy(neighbors->faces, neighbors->surface->faces, neighbors->surface->count);
    for (uint32_t axis = 0; axis < 3 && neighbors->surface->breaks; axis++) {
        for (uint32_t slot = 0; slot < topology->voxel_count; slot++) {
            const uint32_t up = topology->up[axis][slot];
            if (up != VXE_NONE && vxe_real_at(state->precision, state->broken[axis], slot) > 0) {
                if (!neighbors->surface->spheres) {
                    contacts->linked[6ull * slot + 2 * axis] = VXE_NONE;
                    contacts->linked[6ull * up + 2 * axis + 1] = VXE_NONE;
                }
                open_face(neighbors, slot, 2 * axis);
                open_face(neighbors, up, 2 * axis + 1);
            }
        }
    }
    fill_fixed(neighbors);
    contacts->made = false;
}

void vxe_contacts_list(const vxe_contacts *contacts, vxe_neighbor_part *part)
{
    const vxe_neighbor_list *neighbors = &contacts->neighbors;
    VXE_ASSERT(contacts->made);
    vxe_broad_phase_kernels_of(contacts->model->kernels)->search(neighbors, part);
    if (contacts->linked) {
        drop_bonded(contacts, part);
    }
    for (int kind = neighbors->waits ? VXE_PAIRS_LISTED : 0; kind < VXE_PAIRS_KINDS; kind++) {
        vxe_pairs_wake(neighbors, &neighbors->pairs[kind], &part->pairs[kind]);
    }
}

/* m: bound of how much closer a pair may have come with a motion: twice the motion of a voxel, its
   rotation times the arm (m) to the other voxel, and growth. Arm 0: without rotation. */
static double approach(const vxe_contacts *contacts, const vxe_motion_bound *motion, double arm)
{
    const bool spheres = contacts->neighbors.surface->spheres;
    const double grown = spheres ? (double)VXE_SPHERE : (double)VXE_CORNERS;
    return 2 * motion->moved + (spheres ? 0 : motion->turned * arm) + grown * motion->grown;
}

/* m: no listed pair can be farther apart than this while the lists are valid. */
static double longest_arm(const vxe_contacts *contacts)
{
    return (double)contacts->neighbors.reach + contacts->skin;
}

bool vxe_contacts_are_old(const vxe_contacts *contacts, const vxe_motion_bound *motion)
{
    const double nearer = contacts->nearer + approach(contacts, motion, 0);
    const double faces_nearer =
        contacts->faces_nearer + approach(contacts, motion, longest_arm(contacts));
    return !(contacts->made && nearer < contacts->skin &&
             contacts->travelled + motion->travelled < contacts->may_travel &&
             (contacts->neighbors.surface->spheres || faces_nearer < contacts->face_skin));
}

/* m: reading of a clock beyond its last tick, after a further approach by nearer (m). */
static double beyond_tick(const vxe_neighbor_list *neighbors, vxe_approach approach, double nearer)
{
    const double max = (double)VXE_WHEEL_TICKS * (double)neighbors->tick; /* then all are due */
    return neighbors->beyond[approach] + (nearer < max ? nearer : max);
}

bool vxe_contacts_are_due(const vxe_contacts *contacts, const vxe_motion_bound *motion)
{
    const vxe_neighbor_list *neighbors = &contacts->neighbors;
    const double tick = (double)neighbors->tick;
    return !(beyond_tick(neighbors, VXE_APPROACH_FACES,
                         approach(contacts, motion, (double)neighbors->arm)) < tick &&
             beyond_tick(neighbors, VXE_APPROACH_DISTANCE, approach(contacts, motion, 0)) < tick);
}

/* Advances a clock by an approach (m), and counts its ticks. */
static void turn_clock(vxe_neighbor_list *neighbors, vxe_approach approach, double nearer)
{
    const double beyond = beyond_tick(neighbors, approach, nearer);
    const double ticks = floor(beyond / (double)neighbors->tick);
    VXE_ASSERT(ticks >= 0 && ticks <= VXE_WHEEL_TICKS + 1);
    neighbors->turn[approach] += (uint64_t)ticks;
    neighbors->beyond[approach] = beyond - ticks * (double)neighbors->tick;
}

vxe_motion_bound vxe_motion_bound_of_none(void)
{
    return (vxe_motion_bound){.slowest = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                              .fastest = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
}

void vxe_motion_bound_add(vxe_motion_bound *max, const vxe_motion_bound *part)
{
    max->moved = fmax(max->moved, part->moved);
    max->turned = fmax(max->turned, part->turned);
    max->travelled = fmax(max->travelled, part->travelled);
    max->grown = fmax(max->grown, part->grown);
    for (int c = 0; c < 3; c++) {
        max->slowest[c] = fmin(max->slowest[c], part->slowest[c]);
        max->fastest[c] = fmax(max->fastest[c], part->fastest[c]);
    }
}

/* Sets `about` to the middle of all velocities, from which they differ least, and the bound of
   their differences. */
static void find_common_velocity(vxe_contacts *contacts, const vxe_motion_bound *motion)
{
    double square = 0;
    for (int c = 0; c < 3; c++) {
        const double apart = motion->fastest[c] - motion->slowest[c];
        square += apart * apart;
    }
    const bool moved = motion->fastest[0] >= motion->slowest[0]; /* else nothing has moved since */
    contacts->spread_rate = moved ? sqrt(square) : contacts->spread_rate;
    for (int c = 0; c < 3; c++) {
        const double middle = 0.5 * (motion->slowest[c] + motion->fastest[c]);
        contacts->about[c] = isfinite(middle) ? middle : 0;
    }
}

void vxe_contacts_spend(vxe_contacts *contacts, const vxe_motion_bound *motion)
{
    vxe_neighbor_list *neighbors = &contacts->neighbors;
    const double faces = approach(contacts, motion, (double)neighbors->arm);
    const double distance = approach(contacts, motion, 0);
    neighbors->due = vxe_contacts_are_due(contacts, motion);
    contacts->nearer += distance;
    contacts->faces_nearer += approach(contacts, motion, longest_arm(contacts));
    contacts->travelled += motion->travelled;
    neighbors->close =
        (float)(contacts->model->edge *
                fmax(NEXT_TICK, fmin(CLOSE_STEPS * faces / contacts->model->edge, CLOSE)));
    neighbors->rate_ratio =
        distance > 0 && isfinite(faces / distance) ? (float)(faces / distance) : 1;
    if (neighbors->tick > 0) {
        turn_clock(neighbors, VXE_APPROACH_FACES, faces);
        turn_clock(neighbors, VXE_APPROACH_DISTANCE, distance);
        set_since(neighbors);
    }
    find_common_velocity(contacts, motion);
}

VXE_KERNELS_BY_PRECISION(vxe_contact_kernels)

VXE_KERNELS_BY_ISA(vxe_broad_phase_kernels)
