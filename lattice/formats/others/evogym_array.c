/* SPDX-License-Identifier: MIT */
/* Reads bodies of EvoGym from numpy's arrays (Bhatia2021): a number for the type of each cell, the
   first row on top; and pairs of cells that are bonded, by their numbers from the first row on.
   Such a body comes without a world, so that it is put on our floor. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/memory.h"
#include "common/messages_internal.h"
#include "common/status_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/others/evogym_internal.h"
#include "lattice/formats/others/npy_internal.h"

/* The arrays of a body, and the blocks in which they lie. */
typedef struct body {
    vxe_npy cells;
    vxe_npy pairs; /* of shape (2, k) */
    bool has_pairs;
    uint8_t *blocks[2];
    uint64_t bytes; /* of the file */
} body;

/* Refuses a body of more voxels than a file of its size may have. */
static vxe_status check_voxel_count(const body *b, vxe_error *error)
{
    uint64_t count = 0;
    for (uint64_t row = 0; row < b->cells.rows; row++) {
        for (uint64_t column = 0; column < b->cells.columns; column++) {
            count += vxe_npy_number(&b->cells, row, column) != 0;
        }
    }
    return vxe_limit_check(VXE_LIMIT_VOXELS, count, b->bytes, error);
}

/* Adds the voxels from the lowest row up, each from left to right. */
static vxe_status add_cells(vxe_evogym_world *w, const vxe_npy *cells, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (int32_t cell = 0; cell < w->width * w->height && !status; cell++) {
        const uint64_t row = (uint64_t)(w->height - 1 - cell / w->width);
        const uint64_t column = (uint64_t)(cell % w->width);
        const double type = vxe_npy_number(cells, row, column);
        if (!(type >= 0 && type < VXE_EVOGYM_TYPES) || type != floor(type)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "row %" PRIu64 ", column %" PRIu64
                                  " (from 0) holds %g, expected the type of a cell, 0 to %d",
                                  row, column, type, VXE_EVOGYM_TYPES - 1);
        }
        status = type > 0 ? vxe_evogym_add(w, cell, (int32_t)type, error) : VXE_OK;
    }
    return status ? status : vxe_evogym_end_cells(w, 0, error);
}

/* The cell of a number in a pair, which counts from the first row, on top; -1 if it is none. */
static int32_t cell_of(const vxe_evogym_world *w, double number)
{
    if (!(number >= 0 && number < w->width * w->height) || number != floor(number)) {
        return -1;
    }
    const int32_t place = (int32_t)number;
    return (w->height - 1 - place / w->width) * w->width + place % w->width;
}

static vxe_status join_pairs(vxe_evogym_world *w, const vxe_npy *pairs, vxe_error *error)
{
    for (uint64_t i = 0; i < pairs->columns; i++) {
        const double numbers[2] = {vxe_npy_number(pairs, 0, i), vxe_npy_number(pairs, 1, i)};
        const int32_t cells[2] = {cell_of(w, numbers[0]), cell_of(w, numbers[1])};
        const char *wrong = cells[0] < 0 || cells[1] < 0        ? "there is no such cell"
                            : w->voxel_at[cells[0]] == VXE_NONE ? "the first is empty"
                                                                : NULL;
        const char *second = wrong ? NULL : vxe_evogym_join(w, cells[0], cells[1], 0);
        if (wrong || second) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "connection %" PRIu64 " (from 0) is of cells %g and %g: %s%s", i,
                                  numbers[0], numbers[1], wrong ? wrong : "the second is ",
                                  wrong ? "" : second);
        }
    }
    vxe_evogym_count_unbonded(w, 0);
    return VXE_OK;
}

/* Fills a design. */
static vxe_status fill(vxe_design *design, const body *b, vxe_error *error)
{
    static const char *const names[2] = {"the number of columns", "the number of rows"};
    const double size[2] = {(double)b->cells.columns, (double)b->cells.rows};
    vxe_evogym_world w = {.design = design, .bytes = b->bytes};
    vxe_status status = vxe_evogym_size(&w, names, size, error);
    status = status ? status : check_voxel_count(b, error);
    status = status ? status : vxe_evogym_begin(&w, error);
    status = status ? status : add_cells(&w, &b->cells, error);
    if (!status && b->has_pairs) {
        status = join_pairs(&w, &b->pairs, error);
    } else if (!status) {
        vxe_evogym_join_all(&w, 0);
    }
    status = status ? status : vxe_evogym_finish(&w, "row by row from the lowest", error);
    if (!status) {
        vxe_messages_add(design->notes, "a body without a world: it stands on a floor");
    }
    if (!status && b->cells.behind > 0) {
        vxe_messages_add(design->notes, "ignored: %" PRIu64 " bytes behind the array",
                         b->cells.behind);
    }
    vxe_evogym_clear(&w);
    return status;
}

/* Makes the design of a body and releases its blocks; status and inner say how its reading went. */
static vxe_design *finish(vxe_design *design, body *b, vxe_status status, const vxe_text *source,
                          vxe_error *inner, vxe_error *error)
{
    status = status ? status : fill(design, b, inner);
    status = status ? status : vxe_design_check(design, inner);
    for (int i = 0; i < 2; i++) {
        vxe_memory_release(b->blocks[i]);
    }
    if (status) {
        vxe_error_at(error, status, source->file, 0, 0, "%s", inner->message);
        vxe_design_destroy(design);
        return NULL;
    }
    return design;
}

vxe_design *vxe_npy_read(const vxe_text *source, vxe_error *error)
{
    vxe_error inner = {0};
    body b = {.bytes = source->size};
    vxe_design *design = vxe_design_create();
    const vxe_status status = design ? vxe_npy_parse(&b.cells, (const uint8_t *)source->text,
                                                     source->size, "the file", &inner)
                                     : vxe_error_memory(&inner, sizeof *design);
    return finish(design, &b, status, source, &inner, error);
}

/* What an archive holds. */
typedef struct contents {
    vxe_npz_member cells;  /* the array with a name of a body, or the last other one */
    vxe_npz_member pairs;  /* connections */
    vxe_npz_member second; /* arr_1, which numpy.savez calls what is given as the second array */
    uint32_t named, others;
    bool has_pairs, has_second;
} contents;

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0) {
        names++;
    }
    return *names != NULL;
}

/* Sorts the files of an archive. */
static vxe_status survey(contents *found, const vxe_text *source, vxe_error *error)
{
    static const char *const names[] = {"structure", "body", "robot", "arr_0", NULL};
    vxe_npz archive;
    vxe_status status = vxe_npz_open(&archive, (const uint8_t *)source->text, source->size, error);
    while (!status && archive.left > 0) {
        vxe_npz_member member;
        status = vxe_npz_next(&archive, &member, error);
        if (status || !member.is_array) {
            continue;
        }
        if (is_one_of(member.name, names)) {
            found->cells = member;
            found->named++;
        } else if (strcmp(member.name, "connections") == 0) {
            found->pairs = member;
            found->has_pairs = true;
        } else {
            const bool second = strcmp(member.name, "arr_1") == 0;
            found->second = second ? member : found->second;
            found->has_second = found->has_second || second;
            found->cells = found->named ? found->cells : member;
            found->others++;
        }
    }
    return status;
}

/* Unpacks and parses an array. */
static vxe_status take_array(const vxe_npz_member *member, uint64_t bytes, vxe_npy *array,
                             uint8_t **block, vxe_error *error)
{
    const vxe_status status = vxe_npz_unpack(member, bytes, block, error);
    return status ? status : vxe_npy_parse(array, *block, member->size, member->name, error);
}

static vxe_status take_arrays(body *b, const contents *found, vxe_messages *notes, vxe_error *error)
{
    if (found->named != 1 && !(found->named == 0 && found->others == 1)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "%u arrays that may be the body; expected one named structure, body, "
                              "robot or arr_0, or a single one",
                              found->named ? found->named : found->others);
    }
    const bool second = !found->has_pairs && found->has_second && found->named &&
                        strcmp(found->cells.name, "arr_0") == 0;
    const vxe_npz_member *pairs = second ? &found->second : &found->pairs;
    vxe_status status = take_array(&found->cells, b->bytes, &b->cells, &b->blocks[0], error);
    b->has_pairs = second || found->has_pairs;
    if (!status && b->has_pairs) {
        status = take_array(pairs, b->bytes, &b->pairs, &b->blocks[1], error);
    }
    if (!status && b->has_pairs && b->pairs.rows != 2) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "%s has %" PRIu64 " rows; expected connections in two", pairs->name,
                              b->pairs.rows);
    }
    const uint32_t left = found->named ? found->others - second : 0;
    if (!status && left > 0) {
        vxe_messages_add(notes, "ignored: %u other array%s", left, left == 1 ? "" : "s");
    }
    return status;
}

vxe_design *vxe_npz_read(const vxe_text *source, vxe_error *error)
{
    vxe_error inner = {0};
    contents found = {.named = 0};
    body b = {.bytes = source->size};
    vxe_design *design = vxe_design_create();
    vxe_status status =
        design ? survey(&found, source, &inner) : vxe_error_memory(&inner, sizeof *design);
    status = status ? status : take_arrays(&b, &found, design->notes, &inner);
    return finish(design, &b, status, source, &inner, error);
}
