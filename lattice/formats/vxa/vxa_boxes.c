/* SPDX-License-Identifier: MIT */
/* Covers lists of voxels by boxes: a row of cells is cut where a voxel that is not listed stands,
   equal pieces of neighbouring rows are joined, then equal pieces of neighbouring planes. A piece
   reaches over empty cells, up to the next voxel that is not listed, so that a list of all voxels
   is one box whatever the shape of the body. */
#include "lattice/formats/vxa/vxa_boxes_internal.h"

#include <stdlib.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/limits_internal.h"

/* A part of a list. */
typedef struct piece {
    vxe_cell_box box;
    int32_t reach[2][2];  /* along x and y: the first and the last cell that it could have */
    uint32_t plane;       /* in which it is joined: among those with voxels, by z; 0 in the end */
    uint32_t first, last; /* rows that are joined, among those with voxels, then planes */
} piece;

/* What all lists of a design share. */
typedef struct cover {
    const vxe_design *design;
    const vxe_topology *scan;
    uint8_t *listed; /* (V) by voxel: it is in the list */
    int32_t *row_y;  /* (rows with voxels, at most V) */
    uint32_t *plane; /* (rows with voxels) */
    uint32_t rows;
} cover;

/* Finds the rows with voxels. */
static void find_rows(cover *c)
{
    const int32_t *last = NULL;
    uint32_t plane = 0;
    for (uint32_t place = 0; place < c->scan->voxel_count; place++) {
        const int32_t *at = c->design->voxels[c->scan->order[place]].position;
        plane += last && at[2] != last[2];
        if (!last || at[2] != last[2] || at[1] != last[1]) {
            c->row_y[c->rows] = at[1];
            c->plane[c->rows++] = plane;
        }
        last = at;
    }
}

/* Cuts the rows into pieces of a list. Returns their number. */
static uint32_t cut_rows(const cover *c, piece *pieces)
{
    const int32_t *last = NULL;
    uint32_t count = 0;
    uint32_t row = 0;
    int32_t free = INT32_MIN; /* the first cell behind voxels that are not listed */
    bool open = false;        /* the last piece goes on */
    for (uint32_t place = 0; place < c->scan->voxel_count; place++) {
        const uint32_t voxel = c->scan->order[place];
        const int32_t *at = c->design->voxels[voxel].position;
        if (last && (at[2] != last[2] || at[1] != last[1])) {
            row++;
            free = INT32_MIN;
            open = false;
        }
        last = at;
        if (!c->listed[voxel]) {
            if (open) {
                pieces[count - 1].reach[0][1] = at[0] - 1;
            }
            free = at[0] < INT32_MAX ? at[0] + 1 : INT32_MAX;
            open = false;
            continue;
        }
        if (!open) {
            pieces[count++] = (piece){
                .reach = {{free, INT32_MAX}}, .plane = c->plane[row], .first = row, .last = row};
            memcpy(pieces[count - 1].box.low, at, sizeof pieces->box.low);
            memcpy(pieces[count - 1].box.high, at, sizeof pieces->box.high);
        }
        pieces[count - 1].box.high[0] = at[0];
        pieces[count - 1].box.voxels++;
        open = true;
    }
    return count;
}

static int by_number(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

/* Compares what two pieces that can be joined have in common. */
static int compare_reach(const piece *a, const piece *b)
{
    int order = by_number(a->plane, b->plane);
    for (int i = 0; i < 4 && order == 0; i++) {
        order = by_number(a->reach[i / 2][i % 2], b->reach[i / 2][i % 2]);
    }
    return order;
}

static int compare_pieces(const void *one, const void *two)
{
    const piece *a = one;
    const piece *b = two;
    const int order = compare_reach(a, b);
    return order ? order : by_number(a->first, b->first);
}

static int compare_boxes(const void *one, const void *two)
{
    const vxe_cell_box *a = one;
    const vxe_cell_box *b = two;
    int order = 0;
    for (int c = 2; c >= 0 && order == 0; c--) {
        order = by_number(a->low[c], b->low[c]);
    }
    return order;
}

/* Joins pieces of equal reach in rows, or planes, that follow each other. Returns their number. */
static uint32_t join(piece *pieces, uint32_t count)
{
    uint32_t kept = 0;
    qsort(pieces, count, sizeof *pieces, compare_pieces);
    for (uint32_t i = 0; i < count; i++) {
        const piece *next = &pieces[i];
        piece *into = kept ? &pieces[kept - 1] : NULL;
        if (!into || compare_reach(into, next) != 0 || next->first != into->last + 1) {
            pieces[kept++] = *next;
            continue;
        }
        for (int c = 0; c < 3; c++) {
            into->box.low[c] =
                next->box.low[c] < into->box.low[c] ? next->box.low[c] : into->box.low[c];
            into->box.high[c] =
                next->box.high[c] > into->box.high[c] ? next->box.high[c] : into->box.high[c];
        }
        into->box.voxels += next->box.voxels;
        into->last = next->last;
    }
    return kept;
}

/* Lets joined rows reach along y up to the next rows with voxels, and numbers them by planes. */
static void turn_to_planes(const cover *c, piece *p)
{
    const uint32_t plane = p->plane;
    VXE_ASSERT(p->last < c->rows && c->plane[p->first] == plane && c->plane[p->last] == plane);
    const bool before = p->first > 0 && c->plane[p->first - 1] == plane;
    const bool behind = p->last + 1 < c->rows && c->plane[p->last + 1] == plane;
    p->reach[1][0] = before ? c->row_y[p->first - 1] + 1 : INT32_MIN;
    p->reach[1][1] = behind ? c->row_y[p->last + 1] - 1 : INT32_MAX;
    p->first = plane;
    p->last = plane;
    p->plane = 0;
}

/* Appends the boxes of one list to those of the lists before. */
static vxe_status cover_list(cover *c, const vxe_region *region, vxe_cell_box **boxes,
                             uint32_t *box_count, vxe_error *error)
{
    if (region->voxel_count == 0) {
        return VXE_OK;
    }
    piece *pieces = vxe_memory_take(region->voxel_count, sizeof *pieces);
    if (!pieces) {
        return vxe_error_memory(error, region->voxel_count * sizeof *pieces);
    }
    for (uint32_t i = 0; i < region->voxel_count; i++) {
        c->listed[region->voxels[i]] = 1;
    }
    uint32_t count = join(pieces, cut_rows(c, pieces));
    for (uint32_t i = 0; i < count; i++) {
        turn_to_planes(c, &pieces[i]);
    }
    count = join(pieces, count);
    const uint64_t all = (uint64_t)*box_count + count;
    vxe_cell_box *more =
        all < VXE_NONE ? vxe_memory_grow(*boxes, *box_count, all, sizeof *more) : NULL;
    if (more) {
        for (uint32_t i = 0; i < count; i++) {
            more[*box_count + i] = pieces[i].box;
        }
        qsort(more + *box_count, count, sizeof *more, compare_boxes);
        *boxes = more;
        *box_count = (uint32_t)all;
    }
    for (uint32_t i = 0; i < region->voxel_count; i++) {
        c->listed[region->voxels[i]] = 0;
    }
    vxe_memory_release(pieces);
    return more ? VXE_OK : vxe_error_memory(error, all * sizeof *more);
}

vxe_status vxe_list_boxes_init(vxe_list_boxes *lists, const vxe_design *design,
                               const vxe_topology *scan, vxe_error *error)
{
    const uint64_t voxels = design->voxel_count;
    cover c = {.design = design,
               .scan = scan,
               .listed = vxe_memory_take(voxels, sizeof *c.listed),
               .row_y = vxe_memory_take(voxels, sizeof *c.row_y),
               .plane = vxe_memory_take(voxels, sizeof *c.plane)};
    VXE_ASSERT(voxels > 0 && voxels == scan->voxel_count && scan->axes[0] == 2);
    uint64_t count_lists = 0;
    for (uint32_t i = 0; i < design->region_count; i++) {
        count_lists += design->regions[i].shape == VXE_REGION_VOXELS;
    }
    *lists = (vxe_list_boxes){
        .first = vxe_memory_take((uint64_t)design->region_count + 1, sizeof *lists->first)};
    vxe_status status = c.listed && c.row_y && c.plane && lists->first
                            ? VXE_OK
                            : vxe_error_memory(error, 9 * voxels + 4ull * design->region_count);
    uint32_t count = 0;
    /* all voxels are walked through for each list */
    status =
        status ? status : vxe_limit_check(VXE_LIMIT_REGION_VOXELS, count_lists * voxels, 0, error);
    if (!status) {
        find_rows(&c);
    }
    for (uint32_t i = 0; i < design->region_count && !status; i++) {
        const vxe_region *region = &design->regions[i];
        if (region->shape == VXE_REGION_VOXELS) {
            status = cover_list(&c, region, &lists->boxes, &count, error);
        }
        lists->first[i + 1] = count;
    }
    vxe_memory_release(c.listed);
    vxe_memory_release(c.row_y);
    vxe_memory_release(c.plane);
    if (status) {
        vxe_list_boxes_clear(lists);
    }
    return status;
}

void vxe_list_boxes_clear(vxe_list_boxes *lists)
{
    vxe_memory_release(lists->boxes);
    vxe_memory_release(lists->first);
    *lists = (vxe_list_boxes){0};
}
