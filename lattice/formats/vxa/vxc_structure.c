/* SPDX-License-Identifier: MIT */
/* Reads the structure: cells layer by layer (lowest z first, x fastest), and layers of numbers for
 * each cell, of which those of occupied cells are kept. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "common/status_internal.h"
#include "lattice/formats/layer_codec_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/vxa/vxc_internal.h"

static vxe_status read_size(vxe_vxc_reader *reader, vxe_xml_node *structure, vxe_error *error)
{
    static const char *const names[3] = {"X_Voxels", "Y_Voxels", "Z_Voxels"};
    uint64_t cells = 1;
    vxe_error inner;
    for (int c = 0; c < 3; c++) {
        const double size = vxe_xml_whole(structure, names[c], 1, 1e9, &reader->wrong);
        if (size < 1) {
            const vxe_xml_node *node = vxe_xml_child(structure, names[c]);
            return vxe_xml_error(error, VXE_ERROR_INPUT, node,
                                 "<%s> holds \"%.40s\": expected a number of cells from 1",
                                 names[c], node->text);
        }
        reader->cells[c] = (int32_t)size;
        cells = cells > UINT32_MAX ? cells : cells * (uint64_t)size;
    }
    if (vxe_limit_check(VXE_LIMIT_CELLS, cells, reader->bytes, &inner)) {
        return vxe_xml_error(error, VXE_ERROR_INPUT, structure, "a box of %d x %d x %d: %s",
                             reader->cells[0], reader->cells[1], reader->cells[2], inner.message);
    }
    return VXE_OK;
}

static uint32_t count_layers(vxe_xml_node *node)
{
    uint32_t count = 0;
    for (vxe_xml_node *layer = vxe_xml_child(node, "Layer"); layer; layer = vxe_xml_next(layer)) {
        count++;
    }
    return count;
}

/* Error: another number of layers than Z_Voxels. */
static vxe_status wrong_layer_count(const vxe_vxc_reader *reader, const vxe_xml_node *node,
                                    uint32_t found, vxe_error *error)
{
    return vxe_xml_error(error, VXE_ERROR_INPUT, node,
                         "<%s> holds %u layers, expected %d (Z_Voxels)", node->name, found,
                         reader->cells[2]);
}

/* Refuses a layer whose occupied cells are too many for the size of the file. */
static vxe_status check_voxel_count(const vxe_vxc_reader *reader, const uint32_t *ids,
                                    const vxe_xml_node *layer, vxe_error *error)
{
    const uint64_t plane = (uint64_t)reader->cells[0] * (uint64_t)reader->cells[1];
    uint64_t count = reader->design->voxel_count;
    vxe_error inner;
    for (uint64_t i = 0; i < plane; i++) {
        count += ids[i] != 0;
    }
    return vxe_limit_check(VXE_LIMIT_VOXELS, count, reader->bytes, &inner)
               ? vxe_xml_error(error, VXE_ERROR_INPUT, layer, "%s", inner.message)
               : VXE_OK;
}

/* Adds the occupied cells of one decoded layer. */
static vxe_status add_cells(vxe_vxc_reader *reader, const uint32_t *ids, uint32_t z,
                            const vxe_xml_node *layer, vxe_error *error)
{
    const uint32_t width = (uint32_t)reader->cells[0];
    for (uint64_t i = 0; i < (uint64_t)width * (uint32_t)reader->cells[1]; i++) {
        if (ids[i] == 0) {
            continue;
        }
        const uint32_t x = (uint32_t)(i % width);
        const uint32_t y = (uint32_t)(i / width);
        if (ids[i] > reader->design->material_count && reader->lenient) {
            reader->left_out++;
            continue;
        }
        if (ids[i] > reader->design->material_count) {
            return vxe_xml_error(error, VXE_ERROR_INPUT, layer,
                                 "voxel (%u, %u, %u) has material %u, but the palette holds %u", x,
                                 y, z, ids[i], reader->design->material_count);
        }
        if (vxe_design_add_voxel(reader->design, (int32_t)x, (int32_t)y, (int32_t)z, ids[i] - 1,
                                 error)) {
            return VXE_ERROR_MEMORY;
        }
    }
    return VXE_OK;
}

/* Adds to an error the place of a layer, and the tag whose layer it is. */
static vxe_status in_layer(const vxe_xml_node *layer, vxe_error *error)
{
    vxe_error inner = *error;
    return vxe_xml_error(error, inner.status, layer, "a layer of <%s>: %s",
                         layer->parent ? layer->parent->name : layer->name, inner.message);
}

static vxe_status read_cells(vxe_vxc_reader *reader, vxe_xml_node *structure, const char *version,
                             vxe_error *error)
{
    vxe_xml_node *data = vxe_xml_child(structure, "Data");
    if (!data) {
        return vxe_xml_error(error, VXE_ERROR_INPUT, structure, "<Structure> has no <Data>");
    }
    const char *name = vxe_xml_attribute(structure, "Compression");
    const bool blob = !name && strcmp(version, "0.92") == 0;
    const uint32_t layers = count_layers(data);
    if (!blob && layers != (uint32_t)reader->cells[2]) {
        return wrong_layer_count(reader, data, layers, error);
    }
    const uint64_t plane = (uint64_t)reader->cells[0] * (uint64_t)reader->cells[1];
    const uint64_t cells = blob ? plane * (uint64_t)reader->cells[2] : plane;
    const vxe_layer_encoding encoding = blob ? VXE_LAYER_RAW : vxe_layer_encoding_of(name);
    const vxe_xml_node *shortest = blob ? data : vxe_xml_child(data, "Layer");
    if (shortest->length < vxe_layer_min_length(encoding, cells)) {
        return vxe_xml_error(error, VXE_ERROR_INPUT, shortest,
                             "layer of %" PRIu64
                             " characters is too short for its cells, expected %" PRIu64,
                             shortest->length, cells);
    }
    uint32_t *ids = vxe_memory_take(cells, sizeof *ids);
    if (!ids) {
        return vxe_error_memory(error, cells * sizeof *ids);
    }
    vxe_status status = VXE_OK;
    uint32_t z = 0;
    for (const vxe_xml_node *layer = blob ? data : vxe_xml_child(data, "Layer"); layer && !status;
         layer = blob ? NULL : vxe_xml_next(layer)) {
        if (vxe_layer_decode(encoding, layer->text, layer->length, ids, cells, error)) {
            status = in_layer(layer, error);
        }
        for (uint32_t k = 0; k < cells / plane && !status; k++) {
            status = check_voxel_count(reader, ids + k * plane, layer, error);
            status = status ? status : add_cells(reader, ids + k * plane, z++, layer, error);
        }
    }
    vxe_memory_release(ids);
    return status;
}

/* Copies the numbers of one z-layer that belong to occupied cells into the design's layer. *next is
 * the next voxel. */
static vxe_status keep_numbers(vxe_vxc_reader *reader, vxe_layer *kept, const double *numbers,
                               uint32_t z, uint32_t *next)
{
    const vxe_design *design = reader->design;
    for (; *next < design->voxel_count && design->voxels[*next].position[2] == (int32_t)z;
         (*next)++) {
        const int32_t *at = design->voxels[*next].position;
        VXE_ASSERT(at[0] >= 0 && at[0] < reader->cells[0] && at[1] >= 0 &&
                   at[1] < reader->cells[1]);
        const uint64_t cell = (uint64_t)at[1] * (uint64_t)reader->cells[0] + (uint64_t)at[0];
        memcpy(kept->values + (uint64_t)*next * kept->width, numbers + cell * kept->width,
               kept->width * sizeof(double));
    }
    return VXE_OK;
}

/* Finds how many numbers each cell has, from the first z-layer; forces of cilia always have three.
 */
static vxe_status find_width(const vxe_vxc_reader *reader, const vxe_xml_node *node,
                             const vxe_xml_node *first, uint32_t *width, vxe_error *error)
{
    const uint64_t plane = (uint64_t)reader->cells[0] * (uint64_t)reader->cells[1];
    uint64_t found = 0;
    if (vxe_numbers_decode(first->text, first->length, NULL, 0, &found, error)) {
        return in_layer(first, error);
    }
    if (strstr(node->name, "CiliaForce")) {
        *width = 3;
    } else if (found == 0 || found % plane || found / plane > 4096) {
        return vxe_xml_error(error, VXE_ERROR_INPUT, first,
                             "a layer of <%s> holds %" PRIu64 " numbers, expected %" PRIu64,
                             node->name, found, plane);
    } else {
        *width = (uint32_t)(found / plane);
    }
    return VXE_OK;
}

/* Counts a layer and its numbers, and refuses it where they are too many. */
static vxe_status count_numbers(vxe_vxc_reader *reader, const vxe_xml_node *node, uint32_t width,
                                vxe_error *error)
{
    const uint64_t cells =
        (uint64_t)reader->cells[0] * (uint64_t)reader->cells[1] * (uint64_t)reader->cells[2];
    vxe_error inner;
    reader->numbers += cells * width;
    const bool many = vxe_limit_check(VXE_LIMIT_NUMBERS, reader->numbers, reader->bytes, &inner) ||
                      vxe_limit_check(VXE_LIMIT_LAYERS, reader->design->layer_count + 1ull,
                                      reader->bytes, &inner);
    return many ? vxe_xml_error(error, VXE_ERROR_INPUT, node, "<%s>: %s", node->name, inner.message)
                : VXE_OK;
}

static vxe_status read_numbers(vxe_vxc_reader *reader, vxe_xml_node *node, vxe_error *error)
{
    const uint32_t layers = count_layers(node);
    /* voxcraft takes missing numbers of vectors as zeros */
    const bool short_allowed = strstr(node->name, "CiliaForce") != NULL;
    if (layers > (uint32_t)reader->cells[2] ||
        (layers < (uint32_t)reader->cells[2] && !short_allowed)) {
        return wrong_layer_count(reader, node, layers, error);
    }
    uint32_t width = 1;
    if (find_width(reader, node, vxe_xml_child(node, "Layer"), &width, error) ||
        count_numbers(reader, node, width, error)) {
        return VXE_ERROR_INPUT;
    }
    const vxe_xml_node *first = vxe_xml_child(node, "Layer");
    if (first->length < (uint64_t)reader->cells[0] * (uint64_t)reader->cells[1] / 1024) {
        return vxe_xml_error(error, VXE_ERROR_INPUT, first,
                             "a layer of <%s> holds %" PRIu64 " characters for %d x %d cells",
                             node->name, first->length, reader->cells[0], reader->cells[1]);
    }
    const uint64_t expected = (uint64_t)reader->cells[0] * (uint64_t)reader->cells[1] * width;
    vxe_layer *kept = vxe_design_layer(reader->design, node->name, width);
    double *numbers = vxe_memory_take(expected, sizeof *numbers);
    if (!kept || !numbers) {
        vxe_memory_release(numbers);
        return vxe_error_memory(error, expected * sizeof *numbers);
    }
    vxe_status status = VXE_OK;
    uint32_t z = 0;
    uint32_t next = 0;
    for (vxe_xml_node *layer = vxe_xml_child(node, "Layer"); layer && !status;
         layer = vxe_xml_next(layer), z++) {
        uint64_t found = 0;
        memset(numbers, 0, expected * sizeof *numbers);
        if (vxe_numbers_decode(layer->text, layer->length, numbers, expected, &found, error)) {
            status = in_layer(layer, error);
        } else if (found > expected || (found < expected && !short_allowed)) {
            status = vxe_xml_error(error, VXE_ERROR_INPUT, layer,
                                   "layer %u of <%s> holds %" PRIu64 " numbers, expected %" PRIu64,
                                   z + 1, node->name, found, expected);
        } else {
            status = keep_numbers(reader, kept, numbers, z, &next);
        }
    }
    vxe_memory_release(numbers);
    return status;
}

/* Whether a layer has no numbers at all. */
static bool is_empty(vxe_xml_node *node)
{
    bool empty = true;
    for (vxe_xml_node *layer = vxe_xml_child(node, "Layer"); layer; layer = vxe_xml_next(layer)) {
        empty = empty && layer->length == 0;
    }
    return empty;
}

vxe_status vxe_vxc_read_structure(vxe_vxc_reader *reader, vxe_xml_node *structure,
                                  const char *version, vxe_error *error)
{
    vxe_status status = read_size(reader, structure, error);
    status = status ? status : read_cells(reader, structure, version, error);
    if (!status && reader->design->voxel_count == 0) {
        status = vxe_xml_error(error, VXE_ERROR_INPUT, structure,
                               "no voxels: every cell of the structure is empty");
    }
    for (vxe_xml_node *child = structure->first_child; child && !status; child = child->next) {
        if (strcmp(child->name, "Data") != 0 && vxe_xml_child(child, "Layer")) {
            child->used = true;
            if (is_empty(child)) {
                vxe_messages_add(reader->design->notes, "layers of <%s> are empty", child->name);
                vxe_xml_mark(child);
                continue;
            }
            if (vxe_design_find_layer(reader->design, child->name)) {
                vxe_messages_add(reader->design->notes, "a second <%s> is ignored", child->name);
                vxe_xml_mark(child);
                continue;
            }
            status = read_numbers(reader, child, error);
        }
    }
    return status;
}
