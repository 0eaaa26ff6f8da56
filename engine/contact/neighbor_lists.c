/* SPDX-License-Identifier: MIT */
/* The lists of what is near what on a surface: sorted into boxes here, searched in
   kernels_near.c. */
#include "engine/contact/neighbor_lists.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"

/* Edges that voxels may come closer to each other by before the lists are made again: their
   centres, and their faces, which turning brings closer as well. Wider ones cost longer lists.
   Those for surfaces whose pairs two cells apart are in the constant lists, and for others, where
   these would crowd the lists. */
#define SKIN 0.7
#define FACE_SKIN 1.15
#define NARROW_SKIN 0.4
/* See vxe_near. */
#define ARM 3.1
/* Edges from one notch of a wheel to the next. */
#define NOTCH 0.03
/* Likewise, so many that what is no nearer than that sleeps for one notch, whatever floats round.
 */
#define NEXT_NOTCH (1.01 * NOTCH)
/* Steps within which pairs may touch that are computed rather than looked at in each of them; but
   not if they are so many edges from that. */
#define CLOSE_STEPS 2.0
#define CLOSE 0.15
/* What a batch of candidates reads behind the last. */
#define PADDING VXE_NEAR_BATCH
/* m, whose square is a float yet. */
#define FAR_AWAY 1e18f
/* Bonds between voxels that touch at rest, and the most that conventions pass over. */
#define TOUCHING_BONDS 3
#define MOST_BONDS 5
#define BONDED_WIDTH (2 * MOST_BONDS + 1)
/* Floats of places round less than that part of them away, in two voxels and twice each; those of
   orientations and rooms, that part of an edge. */
#define ROUNDING 2.4e-7
#define FINE_ROUNDING 2e-6
/* Edges that a surface may travel from where lists were made, beside as far as it was from where
   its places count from: those are rounded by as much then as is counted on. */
#define TRAVEL 100.0

static void clear_standing(vxe_standing *standing)
{
    for (int c = 0; c < 3; c++) {
        vxe_memory_release(standing->x[c]);
        vxe_memory_release(standing->cell[c]);
    }
    for (int c = 0; c < 4; c++) {
        vxe_memory_release(standing->q[c]);
    }
    vxe_memory_release(standing->size);
    vxe_memory_release(standing->open);
}

void vxe_contacts_clear(vxe_contacts *contacts)
{
    vxe_near *near = &contacts->near;
    if (near->side > 1) {
        clear_standing(&near->sorted);
    }
    clear_standing(&near->standing);
    for (int kind = 0; kind < VXE_PAIRS_KINDS; kind++) {
        vxe_pairs_clear(&near->pairs[kind]);
    }
    void *blocks[] = {near->rest,       near->load,      near->faces,     near->spot,
                      near->stands,     near->found[0],  near->found[1],  near->pose,
                      near->box[0],     near->box[1],    near->box[2],    near->low[0],
                      near->low[1],     near->low[2],    near->high[0],   near->high[1],
                      near->high[2],    near->from,      near->place,     near->first_of,
                      near->count,      near->pushed,    near->is_pushed, near->woken,
                      contacts->linked, contacts->joined};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        vxe_memory_release(blocks[i]);
    }
    *contacts = (vxe_contacts){0};
}

static bool take_standing(vxe_standing *standing, uint64_t count)
{
    bool complete = true;
    for (int c = 0; c < 3; c++) {
        complete = complete && (standing->x[c] = vxe_memory_take(count, sizeof *standing->x[c])) &&
                   (standing->cell[c] = vxe_memory_take(count, sizeof *standing->cell[c]));
    }
    for (int c = 0; c < 4; c++) {
        complete = complete && (standing->q[c] = vxe_memory_take(count, sizeof *standing->q[c]));
    }
    standing->size = vxe_memory_take(count, sizeof *standing->size);
    standing->open = vxe_memory_take(count, sizeof *standing->open);
    return complete && standing->size && standing->open;
}

static bool take_near(vxe_near *near, uint64_t count, vxe_precision precision)
{
    const bool grid = near->side > 1;
    const uint64_t batches = grid ? 0 : count / VXE_NEAR_BATCH + VXE_NEAR_BATCH;
    bool complete = take_standing(&near->standing, count + PADDING) &&
                    (!grid || take_standing(&near->sorted, count + PADDING));
    for (int c = 0; c < 3; c++) {
        complete = complete && (near->low[c] = vxe_memory_take(batches, sizeof *near->low[c])) &&
                   (near->high[c] = vxe_memory_take(batches, sizeof *near->high[c])) &&
                   (near->box[c] = vxe_memory_take(grid ? count : 0, sizeof *near->box[c]));
    }
    near->spot = vxe_memory_take(count, sizeof *near->spot);
    near->stands = vxe_memory_take(count, sizeof *near->stands);
    near->pose = vxe_memory_take(count, VXE_ROW * vxe_real_bytes(precision));
    near->rest = vxe_memory_take(count, VXE_ROW * vxe_real_bytes(precision));
    near->load = vxe_memory_take(count, VXE_ROW * vxe_real_bytes(precision));
    near->from = vxe_memory_take(count, sizeof *near->from);
    near->place = vxe_memory_take(grid ? count : 0, sizeof *near->place);
    near->faces = vxe_memory_take(count, sizeof *near->faces);
    const uint64_t most_found = grid ? 0 : count * VXE_MOST_NEAR;
    near->found[0] = vxe_memory_take(most_found, sizeof *near->found[0]);
    near->found[1] = vxe_memory_take(most_found, sizeof *near->found[1]);
    near->count = vxe_memory_take(count, sizeof *near->count);
    near->pushed = vxe_memory_take(count, sizeof *near->pushed);
    near->is_pushed = vxe_memory_take(count, sizeof *near->is_pushed);
    const uint64_t boxes = (uint64_t)near->side * near->side * near->side;
    near->first_of = vxe_memory_take(boxes + 1, sizeof *near->first_of);
    return complete && near->found[0] && near->found[1] && near->spot && near->stands &&
           near->pose && near->rest && near->load && near->from && near->place && near->faces &&
           near->count && near->pushed && near->is_pushed && near->first_of;
}

/* Room for the lists that are made again and again. */
static bool take_listed(vxe_near *near, vxe_near_part *parts, uint32_t part_count)
{
    uint64_t words = 0;
    for (uint32_t p = 0; p < part_count; p++) {
        parts[p].pairs[VXE_PAIRS_LISTED].touched = words;
        words += vxe_words_of_touched((uint64_t)(parts[p].last - parts[p].first) * VXE_MOST_NEAR);
    }
    return vxe_pairs_take(&near->pairs[VXE_PAIRS_LISTED],
                          (uint64_t)near->surface->count * VXE_MOST_NEAR, words);
}

/* Room for all bundles to be awake at once. */
static bool take_woken(vxe_near *near, const vxe_near_part *last_part)
{
    uint64_t bundles = (uint64_t)near->surface->count * VXE_MOST_NEAR / VXE_BUNDLE;
    for (int kind = 0; kind < VXE_PAIRS_LISTED; kind++) {
        const vxe_pair_range *range = &last_part->pairs[kind];
        bundles += range->first / VXE_BUNDLE + vxe_bundles_of(range);
    }
    near->woken = vxe_memory_take(bundles, sizeof *near->woken);
    return near->woken;
}

/* The voxel of the surface's list that is somewhere in the standing. */
static uint32_t standing_at(const vxe_near *near, uint32_t at)
{
    return near->side == 1 ? near->from[at] : at;
}

/* What of a surface's standing is the same whatever moves, but for bonds that break. */
static void fill_fixed(vxe_near *near)
{
    for (uint32_t at = 0; at < near->stood; at++) {
        const uint32_t k = standing_at(near, at);
        for (uint32_t c = 0; c < 3; c++) {
            near->standing.cell[c][at] = near->surface->cell[3ull * k + c];
        }
        near->standing.open[at] = near->faces[k] != 0;
    }
}

/* What stands behind the last is near nothing. */
static void fill_behind(const vxe_near *near)
{
    for (uint32_t i = 0; i < PADDING; i++) {
        for (int c = 0; c < 3; c++) {
            near->standing.x[c][near->stood + i] = FAR_AWAY;
        }
    }
}

vxe_status vxe_contacts_init(vxe_contacts *contacts, const vxe_model *model, vxe_near_part *parts,
                             uint32_t part_count, vxe_error *error)
{
    const uint64_t count = model->surface.count;
    vxe_near *near = &contacts->near;
    *contacts = (vxe_contacts){.model = model};
    near->surface = &model->surface;
    near->side = count > VXE_MOST_WITHOUT_GRID ? 4 : 1;
    while (near->side > 1 && (uint64_t)near->side * near->side * near->side < 2 * count) {
        near->side *= 2;
    }
    const bool bonds_matter = model->surface.spheres || model->surface.breaks;
    contacts->skin = (bonds_matter ? NARROW_SKIN : SKIN) * model->edge;
    contacts->face_skin = (bonds_matter ? NARROW_SKIN : FACE_SKIN) * model->edge;
    bool complete =
        take_near(near, count, model->precision) && take_listed(near, parts, part_count) &&
        (bonds_matter || vxe_contacts_pair(near, parts, part_count)) &&
        take_woken(near, &parts[part_count - 1]) && (near->side > 1 || vxe_contacts_order(near));
    near->stood = near->side > 1 ? (uint32_t)count : near->stood;
    if (bonds_matter) {
        contacts->linked = vxe_topology_neighbours(&model->topology);
        complete = complete && contacts->linked;
    }
    if (model->surface.breaks) {
        contacts->joined = vxe_topology_neighbours(&model->topology);
        complete = complete && contacts->joined;
    }
    if (!complete) {
        vxe_contacts_clear(contacts);
        return vxe_error_memory(error, count * (300 + 17 * VXE_MOST_NEAR));
    }
    memcpy(near->faces, model->surface.faces, count);
    fill_fixed(near);
    fill_behind(near);
    if (near->side == 1) {
        near->sorted = near->standing;
    }
    return VXE_OK;
}

/* A place of a body that has diverged may be anywhere, or nowhere. */
static int32_t box_of(double x, double width)
{
    const double box = floor(x / width);
    return fabs(box) < 1e9 ? (int32_t)box : 0;
}

/* Boxes, and how many voxels each has. */
static void count_boxes(vxe_near *near)
{
    const uint32_t wrap = near->side - 1;
    const uint64_t boxes = (uint64_t)near->side * near->side * near->side;
    memset(near->first_of, 0, (boxes + 1) * sizeof *near->first_of);
    for (uint32_t k = 0; k < near->surface->count; k++) {
        uint64_t box = 0;
        for (int c = 2; c >= 0; c--) {
            const int32_t along = box_of((double)near->standing.x[c][k], (double)near->reach);
            box = box * near->side + ((uint32_t)along & wrap);
        }
        near->place[k] = (uint32_t)box; /* for now */
        near->first_of[box + 1]++;
    }
    for (uint64_t b = 0; b < boxes; b++) {
        near->first_of[b + 1] += near->first_of[b];
    }
}

/* Where every voxel is sorted to: in the order of boxes. */
static void sort_boxes(vxe_near *near)
{
    const uint64_t boxes = (uint64_t)near->side * near->side * near->side;
    for (uint32_t k = near->surface->count; k-- > 0;) { /* ends of boxes move to their beginnings */
        near->place[k] = --near->first_of[near->place[k] + 1];
        near->from[near->place[k]] = k;
    }
    /* first_of[b + 1] is where box b begins now */
    memmove(near->first_of, near->first_of + 1, boxes * sizeof *near->first_of);
    near->first_of[boxes] = near->surface->count;
}

/* The standing, box by box. */
static void fill_sorted(vxe_near *near)
{
    const vxe_standing *by_list = &near->standing;
    const vxe_standing *sorted = &near->sorted;
    for (uint32_t to = 0; to < near->surface->count; to++) {
        const uint32_t k = near->from[to];
        for (int c = 0; c < 3; c++) {
            sorted->x[c][to] = by_list->x[c][k];
            sorted->cell[c][to] = by_list->cell[c][k];
            near->box[c][to] = box_of((double)by_list->x[c][k], (double)near->reach);
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
    const vxe_near *near = &contacts->near;
    for (uint32_t k = 0; k < near->surface->count; k++) {
        const uint32_t slot = near->surface->slot[k];
        near->spot[k] = (int32_t)((body->place ? body->place[slot] : slot) * body->stride);
    }
    for (uint32_t at = 0; at < near->stood; at++) {
        near->stands[at] = near->spot[standing_at(near, at)];
    }
    contacts->model->kernels->contacts->settle(near, arrays, 0, near->surface->count);
    contacts->made = false;
}

static void set_since(vxe_near *near)
{
    for (int clock = 0; clock < VXE_CLOCKS; clock++) {
        near->since[clock] = (float)near->beyond[clock] - near->slack;
    }
}

void vxe_contacts_sort(vxe_contacts *contacts, const vxe_body_view *body)
{
    vxe_near *near = &contacts->near;
    const vxe_model *model = contacts->model;
    double largest = 0;
    double farthest = 0;
    model->kernels->contacts->take(near, body, model->edge, &largest, &farthest);
    contacts->may_travel = farthest + TRAVEL * model->edge;
    const double slack = ROUNDING * (farthest + contacts->may_travel) + FINE_ROUNDING * model->edge;
    const double touching = (double)(near->surface->spheres ? VXE_SPHERE : VXE_CORNERS);
    near->slack = (float)slack;
    near->reach = (float)(touching * largest + contacts->skin + slack);
    near->face_reach = (float)(contacts->face_skin + slack);
    near->arm = (float)(ARM * model->edge);
    near->notch = (float)(NOTCH * model->edge);
    near->by_notch = 1 / near->notch;
    set_since(near);
    near->sleeps = contacts->made;
    near->due = true;
    contacts->nearer = 0;
    contacts->faces_nearer = 0;
    contacts->travelled = 0;
    contacts->made = true;
    if (near->side > 1) {
        count_boxes(near);
        sort_boxes(near);
        fill_sorted(near);
    } else {
        model->kernels->near->bound(near);
    }
}

/* Voxels within some bonds of one, by their place in the lattice about it. */
typedef struct bonded {
    bool at[BONDED_WIDTH][BONDED_WIDTH][BONDED_WIDTH];
} bonded;

typedef struct bonded_step {
    uint32_t slot;
    int32_t at[3];
} bonded_step;

static void find_bonded(const uint32_t *linked, uint32_t slot, int most, bonded *found)
{
    bonded_step queue[BONDED_WIDTH * BONDED_WIDTH * BONDED_WIDTH];
    uint32_t end = 1;
    uint32_t begin = 0;
    memset(found, 0, sizeof *found);
    queue[0] = (bonded_step){slot, {MOST_BONDS, MOST_BONDS, MOST_BONDS}};
    found->at[MOST_BONDS][MOST_BONDS][MOST_BONDS] = true;
    for (int bonds = 0; bonds < most; bonds++) {
        for (const uint32_t last = end; begin < last; begin++) {
            for (uint32_t way = 0; way < 6; way++) {
                bonded_step next = queue[begin];
                next.slot = linked[6ull * next.slot + way];
                next.at[way / 2] += way % 2 ? -1 : 1;
                bool *seen = &found->at[next.at[0]][next.at[1]][next.at[2]];
                if (next.slot != VXE_NONE && !*seen) {
                    *seen = true;
                    queue[end++] = next;
                }
            }
        }
    }
}

/* Whether a place of the lattice, so far from a voxel, is among those bonded to it. */
static bool is_bonded(const bonded *to, const int64_t apart[3])
{
    bool close = true;
    for (int c = 0; c < 3; c++) {
        close = close && apart[c] >= -MOST_BONDS && apart[c] <= MOST_BONDS;
    }
    return close && to->at[apart[0] + MOST_BONDS][apart[1] + MOST_BONDS][apart[2] + MOST_BONDS];
}

/* Voxels that collide with one or not, by the bonds between them. */
typedef struct kinship {
    uint32_t of; /* place in the surface's list, or VXE_NONE */
    bonded then; /* at rest */
    bonded now;
} kinship;

static void find_kinship(const vxe_contacts *contacts, uint32_t one, kinship *kin)
{
    const vxe_surface *surface = contacts->near.surface;
    const int most = surface->spheres ? contacts->model->conventions.contact_bonds : TOUCHING_BONDS;
    kin->of = one;
    find_bonded(contacts->linked, surface->slot[one], most, &kin->then);
    if (!surface->spheres) {
        find_bonded(contacts->joined, surface->slot[one], most, &kin->now);
    }
}

/* Whether two voxels never collide. Peer: they are within five bonds. Native, where bonds break:
   they touch at rest, but not if they were bonded by three bonds or fewer and are no more. */
static bool never_collide(const vxe_surface *surface, const kinship *kin, uint32_t other)
{
    const int32_t *cell = surface->cell;
    int64_t apart[3];
    bool touch = !vxe_surface_parted(surface, kin->of, other);
    for (size_t c = 0; c < 3; c++) {
        apart[c] = (int64_t)cell[3 * (size_t)other + c] - cell[3 * (size_t)kin->of + c];
        touch = touch && apart[c] >= -1 && apart[c] <= 1;
    }
    const bool was = is_bonded(&kin->then, apart);
    return surface->spheres ? was : touch && (!was || is_bonded(&kin->now, apart));
}

/* Takes those from a part's lists that never collide. */
static void drop_bonded(const vxe_contacts *contacts, vxe_near_part *part)
{
    const vxe_near *near = &contacts->near;
    const vxe_pairs *pairs = &near->pairs[VXE_PAIRS_LISTED];
    vxe_pair_range *listed = &part->pairs[VXE_PAIRS_LISTED];
    const size_t begin = listed->first;
    kinship kin = {.of = VXE_NONE};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < listed->count; i++) {
        const uint32_t lower = pairs->of[0][begin + i];
        const uint32_t upper = pairs->of[1][begin + i];
        /* they stand by that one */
        const uint32_t own = near->side > 1 && lower < part->first ? upper : lower;
        if (own != kin.of) {
            find_kinship(contacts, own, &kin);
        }
        pairs->of[0][begin + kept] = lower;
        pairs->of[1][begin + kept] = upper;
        kept += !never_collide(near->surface, &kin, own == lower ? upper : lower);
    }
    listed->count = kept;
}

static int compare_slots(const void *one, const void *two)
{
    const uint32_t a = *(const uint32_t *)one;
    const uint32_t b = *(const uint32_t *)two;
    return a < b ? -1 : a > b;
}

/* Opens a face of the voxel of a slot, if it is one that can collide: grains are none. */
static void open_face(vxe_near *near, uint32_t slot, uint32_t face)
{
    const vxe_surface *surface = near->surface;
    const uint32_t *found =
        bsearch(&slot, surface->slot, surface->count, sizeof slot, compare_slots);
    if (found) {
        near->faces[found - surface->slot] |= (uint8_t)(1u << face);
    }
}

void vxe_contacts_break(vxe_contacts *contacts, const vxe_state *state)
{
    const vxe_topology *topology = &contacts->model->topology;
    vxe_near *near = &contacts->near;
    memcpy(near->faces, near->surface->faces, near->surface->count);
    for (uint32_t axis = 0; axis < 3 && contacts->joined; axis++) {
        for (uint32_t slot = 0; slot < topology->voxel_count; slot++) {
            const uint32_t up = topology->up[axis][slot];
            if (up != VXE_NONE && vxe_real_at(state->precision, state->broken[axis], slot) > 0) {
                contacts->joined[6ull * slot + 2 * axis] = VXE_NONE;
                contacts->joined[6ull * up + 2 * axis + 1] = VXE_NONE;
                open_face(near, slot, 2 * axis);
                open_face(near, up, 2 * axis + 1);
            }
        }
    }
    fill_fixed(near);
    contacts->made = false;
}

void vxe_contacts_list(const vxe_contacts *contacts, vxe_near_part *part)
{
    const vxe_near *near = &contacts->near;
    contacts->model->kernels->near->search(near, part);
    if (contacts->linked) {
        drop_bonded(contacts, part);
    }
    for (int kind = near->sleeps ? VXE_PAIRS_LISTED : 0; kind < VXE_PAIRS_KINDS; kind++) {
        vxe_pairs_wake(near, &near->pairs[kind], &part->pairs[kind]);
    }
}

/* How much closer a pair may have come in a step: an arm that a turning voxel carries moves by the
   angle. 0: by moving and growing alone. */
static double approach(const vxe_contacts *contacts, const vxe_pace *pace, double arm)
{
    const bool spheres = contacts->near.surface->spheres;
    const double grown = spheres ? (double)VXE_SPHERE : (double)VXE_CORNERS;
    return 2 * pace->moved + (spheres ? 0 : pace->turned * arm) + grown * pace->grown;
}

/* Farther apart than this no pair comes while lists hold that was in reach when they were made. */
static double longest_arm(const vxe_contacts *contacts)
{
    return (double)contacts->near.reach + contacts->skin;
}

bool vxe_contacts_are_old(const vxe_contacts *contacts, const vxe_pace *pace)
{
    const double nearer = contacts->nearer + approach(contacts, pace, 0);
    const double faces_nearer =
        contacts->faces_nearer + approach(contacts, pace, longest_arm(contacts));
    return !(contacts->made && nearer < contacts->skin &&
             contacts->travelled + pace->travelled < contacts->may_travel &&
             (contacts->near.surface->spheres || faces_nearer < contacts->face_skin));
}

/* Where a clock is past its last notch, m, once pairs may have come closer by so much. */
static double beyond_notch(const vxe_near *near, vxe_clock clock, double nearer)
{
    const double most = (double)VXE_NOTCHES * (double)near->notch; /* all wake then */
    return near->beyond[clock] + (nearer < most ? nearer : most);
}

bool vxe_contacts_are_due(const vxe_contacts *contacts, const vxe_pace *pace)
{
    const vxe_near *near = &contacts->near;
    const double notch = (double)near->notch;
    return !(beyond_notch(near, VXE_CLOCK_FACES, approach(contacts, pace, (double)near->arm)) <
                 notch &&
             beyond_notch(near, VXE_CLOCK_DISTANCE, approach(contacts, pace, 0)) < notch);
}

/* Turns a clock on by what pairs may have come closer by. */
static void turn_clock(vxe_near *near, vxe_clock clock, double nearer)
{
    const double beyond = beyond_notch(near, clock, nearer);
    const double notches = floor(beyond / (double)near->notch);
    near->turn[clock] += (uint64_t)notches;
    near->beyond[clock] = beyond - notches * (double)near->notch;
}

vxe_pace vxe_pace_of_none(void)
{
    return (vxe_pace){.slowest = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                      .fastest = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
}

void vxe_pace_add(vxe_pace *most, const vxe_pace *part)
{
    most->moved = fmax(most->moved, part->moved);
    most->turned = fmax(most->turned, part->turned);
    most->travelled = fmax(most->travelled, part->travelled);
    most->grown = fmax(most->grown, part->grown);
    for (int c = 0; c < 3; c++) {
        most->slowest[c] = fmin(most->slowest[c], part->slowest[c]);
        most->fastest[c] = fmax(most->fastest[c], part->fastest[c]);
    }
}

/* The middle of all velocities: theirs differ least from it. */
static void find_common_velocity(vxe_contacts *contacts, const vxe_pace *pace)
{
    for (int c = 0; c < 3; c++) {
        const double middle = 0.5 * (pace->slowest[c] + pace->fastest[c]);
        contacts->about[c] = isfinite(middle) ? middle : 0;
    }
}

void vxe_contacts_spend(vxe_contacts *contacts, const vxe_pace *pace)
{
    vxe_near *near = &contacts->near;
    const double faces = approach(contacts, pace, (double)near->arm);
    const double distance = approach(contacts, pace, 0);
    near->due = vxe_contacts_are_due(contacts, pace);
    contacts->nearer += distance;
    contacts->faces_nearer += approach(contacts, pace, longest_arm(contacts));
    contacts->travelled += pace->travelled;
    near->close =
        (float)(contacts->model->edge *
                fmax(NEXT_NOTCH, fmin(CLOSE_STEPS * faces / contacts->model->edge, CLOSE)));
    near->haste = distance > 0 && isfinite(faces / distance) ? (float)(faces / distance) : 1;
    if (near->notch > 0) {
        turn_clock(near, VXE_CLOCK_FACES, faces);
        turn_clock(near, VXE_CLOCK_DISTANCE, distance);
        set_since(near);
    }
    find_common_velocity(contacts, pace);
}
