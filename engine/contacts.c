/* SPDX-License-Identifier: MIT */
/* The surface of a model, and the lists of what is near what on it: sorted into boxes here,
   searched in kernels_near.c. */
#include "engine/contacts_internal.h"

#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"

/* Edges that voxels may approach each other by before the lists are made again. On a hopping
   quadruped 0.3 to 0.5 cost alike: longer lists beside rarer ones. */
#define SKIN 0.4
/* Surfaces above are sorted into a grid. */
#define MOST_UNSORTED 512u
/* What a batch of candidates reads behind the last. */
#define PADDING VXE_NEAR_BATCH
/* Bonds between voxels that the peer's law passes over, and between voxels that touch at rest. */
#define PEER_BONDS 5
#define TOUCHING_BONDS 3
#define MOST_BONDS PEER_BONDS
#define BONDED_WIDTH (2 * MOST_BONDS + 1)
/* The peer's spheres reach that many edges. */
#define PEER_REACH 1.25
#define ROOT_OF_3 1.7320508075688772
/* Floats of places round less than that part of them away, in two voxels and twice each. */
#define ROUNDING 2.4e-7

/* Whether some bond can break: any voxel may come to the surface then. */
static bool can_break(const vxe_model *model)
{
    bool breaks = false;
    for (uint32_t i = 0; i < model->yield.law_count; i++) {
        const vxe_yield_law *law = &model->yield.laws[i];
        breaks = breaks || isfinite(law->fail_stress) || isfinite(law->fail_strain);
    }
    return breaks;
}

vxe_status vxe_model_fill_surface(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    const vxe_topology *topology = &model->topology;
    vxe_surface *surface = &model->surface;
    if (!design->self_collision) {
        return VXE_OK;
    }
    const uint64_t count = can_break(model) ? topology->voxel_count : topology->surface_count;
    surface->slot = vxe_memory_take(count, sizeof *surface->slot);
    surface->cell = vxe_memory_take(3 * count, sizeof *surface->cell);
    surface->faces = vxe_memory_take(count, sizeof *surface->faces);
    if (!surface->slot || !surface->cell || !surface->faces) {
        return vxe_error_memory(error, 17 * count);
    }
    surface->spheres = model->conventions.contact_spheres;
    surface->breaks = can_break(model);
    for (uint32_t slot = 0; slot < topology->voxel_count; slot++) {
        if (topology->faces[slot] || surface->breaks) {
            const uint32_t k = surface->count++;
            surface->slot[k] = slot;
            surface->faces[k] = topology->faces[slot];
            memcpy(surface->cell + 3ull * k, design->voxels[topology->order[slot]].position,
                   3 * sizeof *surface->cell);
        }
    }
    return VXE_OK;
}

void vxe_surface_clear(vxe_surface *surface)
{
    vxe_memory_release(surface->slot);
    vxe_memory_release(surface->cell);
    vxe_memory_release(surface->faces);
    *surface = (vxe_surface){0};
}

void vxe_contacts_clear(vxe_contacts *contacts)
{
    vxe_near *near = &contacts->near;
    void *blocks[] = {
        contacts->about[0], contacts->about[1], contacts->about[2], near->x[0],    near->x[1],
        near->x[2],         near->q[0],         near->q[1],         near->q[2],    near->q[3],
        near->size,         near->box[0],       near->box[1],       near->box[2],  near->sorted,
        near->place,        near->first_of,     near->count,        near->list,    contacts->linked,
        contacts->joined,   contacts->ends,     near->faces,        near->cell[0], near->cell[1],
        near->cell[2],      near->open,         near->low[0],       near->low[1],  near->low[2],
        near->high[0],      near->high[1],      near->high[2]};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        vxe_memory_release(blocks[i]);
    }
    *contacts = (vxe_contacts){0};
}

/* Slots of every voxel's six neighbours: up, down of each axis. */
static uint32_t *link_voxels(const vxe_topology *topology)
{
    uint32_t *linked = vxe_memory_take(6ull * topology->voxel_count, sizeof *linked);
    for (uint64_t i = 0; i < 6ull * topology->voxel_count && linked; i++) {
        linked[i] = VXE_NONE;
    }
    for (uint32_t slot = 0; slot < topology->voxel_count && linked; slot++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            const uint32_t up = topology->up[axis][slot];
            if (up != VXE_NONE) {
                linked[6ull * slot + 2 * axis] = up;
                linked[6ull * up + 2 * axis + 1] = slot;
            }
        }
    }
    return linked;
}

static bool take_near(vxe_near *near, uint64_t count)
{
    const uint64_t padded = count + PADDING;
    const uint64_t batches = near->side > 1 ? 0 : count / VXE_NEAR_BATCH + VXE_NEAR_BATCH;
    bool complete = true;
    for (int c = 0; c < 3; c++) {
        complete = complete && (near->x[c] = vxe_memory_take(padded, sizeof *near->x[c])) &&
                   (near->cell[c] = vxe_memory_take(padded, sizeof *near->cell[c])) &&
                   (near->low[c] = vxe_memory_take(batches, sizeof *near->low[c])) &&
                   (near->high[c] = vxe_memory_take(batches, sizeof *near->high[c])) &&
                   (near->box[c] = vxe_memory_take(count, sizeof *near->box[c]));
    }
    for (int c = 0; c < 4; c++) {
        complete = complete && (near->q[c] = vxe_memory_take(padded, sizeof *near->q[c]));
    }
    near->size = vxe_memory_take(padded, sizeof *near->size);
    near->open = vxe_memory_take(padded, sizeof *near->open);
    near->sorted = vxe_memory_take(count, sizeof *near->sorted);
    near->place = vxe_memory_take(count, sizeof *near->place);
    near->count = vxe_memory_take(count, sizeof *near->count);
    near->faces = vxe_memory_take(count, sizeof *near->faces);
    near->list = vxe_memory_take(count * VXE_MOST_NEAR, sizeof *near->list);
    const uint64_t boxes = (uint64_t)near->side * near->side * near->side;
    near->first_of = vxe_memory_take(boxes + 1, sizeof *near->first_of);
    return complete && near->size && near->open && near->sorted && near->place && near->count &&
           near->faces && near->list && near->first_of;
}

vxe_status vxe_contacts_init(vxe_contacts *contacts, const vxe_model *model, vxe_error *error)
{
    const uint64_t count = model->surface.count;
    vxe_near *near = &contacts->near;
    *contacts = (vxe_contacts){.model = model};
    near->surface = &model->surface;
    near->skin = (float)(SKIN * model->edge);
    near->side = count > MOST_UNSORTED ? 4 : 1;
    while (near->side > 1 && (uint64_t)near->side * near->side * near->side < 2 * count) {
        near->side *= 2;
    }
    contacts->ends = vxe_memory_take(count, model->kernels->contacts->end_bytes);
    bool complete = take_near(near, count) && contacts->ends;
    for (int c = 0; c < 3; c++) {
        contacts->about[c] = vxe_memory_take(count, sizeof *contacts->about[c]);
        complete = complete && contacts->about[c];
    }
    if (model->surface.spheres || model->surface.breaks) {
        contacts->linked = link_voxels(&model->topology);
        complete = complete && contacts->linked;
    }
    if (model->surface.breaks) {
        contacts->joined = link_voxels(&model->topology);
        complete = complete && contacts->joined;
    }
    if (complete) {
        memcpy(near->faces, model->surface.faces, count);
    } else {
        vxe_contacts_clear(contacts);
        return vxe_error_memory(error, count * (80 + 4 * VXE_MOST_NEAR));
    }
    return VXE_OK;
}

/* A place of a body that has diverged may be anywhere, or nowhere. */
static int32_t box_of(double x, double width)
{
    const double box = floor(x / width);
    return fabs(box) < 1e9 ? (int32_t)box : 0;
}

static uint64_t index_of(const vxe_body_view *body, uint32_t slot)
{
    return (uint64_t)(body->place ? body->place[slot] : slot) * body->stride;
}

/* Places (m) of the surface's voxels about the first one, in the order of the surface's list, the
 * largest edge, and how far something is from a place that it counts from. */
static void take_places(vxe_contacts *contacts, const vxe_body_view *body, double *largest,
                        double *farthest)
{
    const vxe_precision precision = contacts->model->precision;
    const vxe_surface *surface = &contacts->model->surface;
    double first[3];
    *largest = 0;
    *farthest = 0;
    for (uint32_t k = 0; k < surface->count; k++) {
        const uint64_t at = index_of(body, surface->slot[k]);
        const double edge = contacts->model->edge + vxe_real_at(precision, body->swell, at);
        *largest = edge > *largest ? edge : *largest;
        for (int c = 0; c < 3; c++) { /* those that are kept count from the body's origin */
            const double x = vxe_real_at(precision, body->x[c], at);
            first[c] = k == 0 ? x : first[c];
            const double about = x - first[c];
            const double far = fmax(fabs(x), fabs(about));
            *farthest = far > *farthest ? far : *farthest;
            contacts->about[c][k] = (float)about;
        }
    }
}

/* How far near voxels may be: the largest edge, and what floats round away. */
static void find_reach(vxe_contacts *contacts, double largest, double farthest)
{
    vxe_near *near = &contacts->near;
    near->skin = (float)(SKIN * contacts->model->edge + ROUNDING * farthest);
    near->reach = (float)(near->surface->spheres ? PEER_REACH * largest + (double)near->skin
                                                 : ROOT_OF_3 * (largest + (double)near->skin));
}

/* Boxes, and how many voxels each has. */
static void count_boxes(vxe_contacts *contacts)
{
    vxe_near *near = &contacts->near;
    const uint32_t wrap = near->side - 1;
    const uint64_t boxes = (uint64_t)near->side * near->side * near->side;
    memset(near->first_of, 0, (boxes + 1) * sizeof *near->first_of);
    for (uint32_t k = 0; k < near->surface->count; k++) {
        uint64_t box = 0;
        for (int c = 2; c >= 0; c--) {
            const int32_t along = box_of((double)contacts->about[c][k], (double)near->reach);
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
    }
    /* first_of[b + 1] is where box b begins now */
    memmove(near->first_of, near->first_of + 1, boxes * sizeof *near->first_of);
    near->first_of[boxes] = near->surface->count;
}

void vxe_contacts_sort(vxe_contacts *contacts, const vxe_body_view *body)
{
    vxe_near *near = &contacts->near;
    const vxe_precision precision = contacts->model->precision;
    double largest = 0;
    double farthest = 0;
    take_places(contacts, body, &largest, &farthest);
    find_reach(contacts, largest, farthest);
    contacts->made = true;
    if (near->side > 1) {
        count_boxes(contacts);
        sort_boxes(near);
    }
    for (uint32_t k = 0; k < near->surface->count; k++) {
        const uint64_t from = index_of(body, near->surface->slot[k]);
        const uint32_t to = near->side > 1 ? near->place[k] : k;
        near->place[k] = to;
        near->sorted[to] = k;
        for (int c = 0; c < 3; c++) {
            near->x[c][to] = contacts->about[c][k];
            near->cell[c][to] = near->surface->cell[3ull * k + (uint32_t)c];
        }
        for (int c = 0; c < 3 && near->side > 1; c++) {
            near->box[c][to] = box_of((double)contacts->about[c][k], (double)near->reach);
        }
        for (int c = 0; c < 4; c++) {
            near->q[c][to] = (float)vxe_real_at(precision, body->q[c], from);
        }
        near->size[to] = (float)(contacts->model->edge + vxe_real_at(precision, body->swell, from));
        near->open[to] = near->faces[k] != 0;
    }
    if (near->side == 1) {
        contacts->model->kernels->near->bound(near);
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

/* Takes those from a voxel's list that never collide with it. Peer: within five bonds. Native,
   where bonds break: those that touch at rest, but not if they were bonded by three bonds or fewer
   and are no more. */
static void drop_bonded(vxe_contacts *contacts, uint32_t one)
{
    vxe_near *near = &contacts->near;
    const bool peer = near->surface->spheres;
    const int32_t *cell = near->surface->cell;
    const int most = peer ? PEER_BONDS : TOUCHING_BONDS;
    uint32_t *list = near->list + (uint64_t)one * VXE_MOST_NEAR;
    uint8_t kept = 0;
    bonded then;
    bonded now;
    find_bonded(contacts->linked, near->surface->slot[one], most, &then);
    if (!peer) {
        find_bonded(contacts->joined, near->surface->slot[one], most, &now);
    }
    for (uint32_t i = 0; i < near->count[one]; i++) {
        int64_t apart[3];
        bool touch = true;
        for (size_t c = 0; c < 3; c++) {
            apart[c] = (int64_t)cell[3 * (size_t)list[i] + c] - cell[3 * (size_t)one + c];
            touch = touch && apart[c] >= -1 && apart[c] <= 1;
        }
        const bool was = is_bonded(&then, apart);
        const bool drop = peer ? was : touch && (!was || is_bonded(&now, apart));
        list[kept] = list[i];
        kept = (uint8_t)(kept + !drop);
    }
    near->count[one] = kept;
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
                /* where bonds break the surface's list holds every voxel */
                near->faces[slot] |= (uint8_t)(1u << 2 * axis);
                near->faces[up] |= (uint8_t)(2u << 2 * axis);
            }
        }
    }
    contacts->made = false;
}

uint32_t vxe_contacts_list(vxe_contacts *contacts, uint32_t first, uint32_t last)
{
    const uint32_t crowded = contacts->model->kernels->near->search(&contacts->near, first, last);
    for (uint32_t one = first; one < last && contacts->linked; one++) {
        drop_bonded(contacts, one);
    }
    return crowded;
}

bool vxe_contacts_are_old(const vxe_contacts *contacts, const vxe_stray *stray)
{
    /* a voxel that turns by an angle carries what is in reach along by that angle; the change of a
       quaternion is half of it, or a little less */
    const double turned = 2.1 * sqrt(stray->turned) * (double)contacts->near.reach;
    const double grown = contacts->near.surface->spheres ? PEER_REACH : 1;
    const double nearer = 2 * sqrt(stray->moved) + turned + grown * sqrt(stray->swollen);
    return !contacts->made || !(nearer < SKIN * contacts->model->edge);
}
