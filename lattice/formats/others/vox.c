/* SPDX-License-Identifier: MIT */
/* Reads MagicaVoxel .vox files: chunks with a four-letter name, the sizes of their content and of
   their children, and the content, little-endian. Models (SIZE, XYZI) are placed by the scene graph
   (nTRN, nGRP, nSHP); z is up. Each colour in use becomes a material, since a colour says nothing
   of stiffness; vxe_design_read_materials can replace them. Other chunks are skipped. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/messages_internal.h"
#include "common/number_internal.h"
#include "common/status_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/others/vox_internal.h"

#define COLORS 256u
#define MAX_MODELS 4096u
#define MAX_NODES 65536u
/* Maximum of nodes of the scene graph between the root and a model. */
#define MAX_DEPTH 64u

typedef struct model {
    int32_t size[3];
    const unsigned char *voxels; /* (count, 4) x y z colour */
    uint32_t count;
    uint32_t occupied; /* of these, those whose colour is not 0, which is an empty cell */
} model;

typedef enum node_kind { NODE_NONE, NODE_TRANSFORM, NODE_GROUP, NODE_SHAPE } node_kind;

typedef struct node {
    node_kind kind;
    const unsigned char *children; /* (count, 4): numbers of nodes; of models if it is a shape */
    uint32_t stride;               /* bytes from one to the next */
    uint32_t count;
    int32_t rotation[3][3];
    int32_t translation[3];
} node;

/* Position and orientation of a node in the world. */
typedef struct placement {
    int32_t rotation[3][3];
    int64_t translation[3];
} placement;

typedef struct reader {
    const vxe_text *source;
    vxe_design *design;
    model *models; /* (MAX_MODELS) */
    uint32_t model_count;
    node *nodes; /* (node_count) by number */
    uint32_t node_count;
    const unsigned char
        *palette; /* (256, 4) red green blue alpha, or null; entry k is colour k+1 */
    uint32_t material_of[COLORS]; /* material of a colour; VXE_NONE until the colour occurs */
    uint32_t skipped;             /* number of chunks that were skipped */
    uint32_t hidden;              /* number of hidden nodes */
    uint64_t visits;              /* number of nodes that were visited to place models */
    uint64_t cells;               /* number of cells that were placed, empty ones too */
} reader;

/* A part of the file that is read from its beginning. */
typedef struct piece {
    const unsigned char *at;
    uint64_t left;
} piece;

static vxe_status truncated(const reader *r, const char *what, vxe_error *error)
{
    return vxe_error_at(error, VXE_ERROR_INPUT, r->source->file, 0, 0, "%s is cut short", what);
}

/* Reads the next number; false at the end. */
static bool take_number(piece *p, uint32_t *number)
{
    if (p->left < 4) {
        return false;
    }
    *number =
        p->at[0] | (uint32_t)p->at[1] << 8 | (uint32_t)p->at[2] << 16 | (uint32_t)p->at[3] << 24;
    p->at += 4;
    p->left -= 4;
    return true;
}

/* Takes the next size bytes; false if there are fewer. */
static bool take_bytes(piece *p, uint64_t size, piece *taken)
{
    if (p->left < size) {
        return false;
    }
    *taken = (piece){p->at, size};
    p->at += size;
    p->left -= size;
    return true;
}

/* Reads a text of a dictionary: its length, then its characters. */
static bool take_text(piece *p, piece *text)
{
    uint32_t length = 0;
    return take_number(p, &length) && take_bytes(p, length, text);
}

/* Whether a text is a word. */
static bool is(const piece *text, const char *word)
{
    return text->left == strlen(word) && memcmp(text->at, word, text->left) == 0;
}

/* Copies a text into a string, as far as it fits. */
static void print(const piece *text, char *into, size_t size)
{
    snprintf(into, size, "%.*s", (int)(text->left < size ? text->left : size - 1),
             (const char *)text->at);
}

/* Unpacks a rotation by quarter turns: the columns of the ones in the first two rows, and three
   signs. */
static bool unpack_rotation(const char *text, int32_t rotation[3][3])
{
    double number = 0;
    if (vxe_number_read(text, &number) || !(number >= 0 && number <= 127) ||
        number != floor(number)) {
        return false;
    }
    const uint32_t bits = (uint32_t)number;
    const uint32_t first = bits & 3;
    const uint32_t second = bits >> 2 & 3;
    if (first > 2 || second > 2 || first == second) {
        return false;
    }
    memset(rotation, 0, 9 * sizeof rotation[0][0]);
    rotation[0][first] = bits >> 4 & 1 ? -1 : 1;
    rotation[1][second] = bits >> 5 & 1 ? -1 : 1;
    rotation[2][3 - first - second] = bits >> 6 & 1 ? -1 : 1;
    return true;
}

static bool unpack_translation(const char *text, int32_t translation[3])
{
    for (int c = 0; c < 3; c++) {
        const char *end = text;
        const double value = vxe_number_scan(text, &end);
        const size_t blanks = strspn(end, VXE_BLANKS);
        if (end == text || (blanks == 0 && *end) || !(fabs(value) <= 1 << 24) ||
            value != floor(value)) {
            return false;
        }
        translation[c] = (int32_t)value;
        text = end + blanks;
    }
    return *text == '\0';
}

/* Reads a dictionary. If n is not null, _r and _t are its rotation and translation. */
static vxe_status read_dictionary(reader *r, piece *p, node *n, vxe_error *error)
{
    uint32_t pairs = 0;
    if (!take_number(p, &pairs)) {
        return truncated(r, "a dictionary of the scene graph", error);
    }
    for (uint32_t i = 0; i < pairs; i++) {
        piece key;
        piece value;
        char text[64];
        if (!take_text(p, &key) || !take_text(p, &value)) {
            return truncated(r, "a dictionary of the scene graph", error);
        }
        print(&value, text, sizeof text);
        r->hidden += is(&key, "_hidden") && is(&value, "1");
        const bool good = !n               ? true
                          : is(&key, "_r") ? unpack_rotation(text, n->rotation)
                          : is(&key, "_t") ? unpack_translation(text, n->translation)
                                           : true;
        if (!good) {
            return vxe_error_at(error, VXE_ERROR_INPUT, r->source->file, 0, 0,
                                "a node of the scene graph is placed by '%.40s', which is no %s",
                                text, is(&key, "_r") ? "rotation" : "translation");
        }
    }
    return VXE_OK;
}

/* The node of that number, which is created if it is new; null without memory or beyond MAX_NODES.
 */
static node *node_at(reader *r, uint32_t number)
{
    if (number >= MAX_NODES) {
        return NULL;
    }
    if (number >= r->node_count) {
        const uint32_t count = number < 64 ? 64 : 2 * number;
        node *grown = vxe_memory_grow(r->nodes, r->node_count, count, sizeof *grown);
        if (!grown) {
            return NULL;
        }
        r->nodes = grown;
        memset(grown + r->node_count, 0, (count - r->node_count) * sizeof *grown);
        r->node_count = count;
    }
    VXE_ASSERT(number < r->node_count);
    return &r->nodes[number];
}

static const int32_t upright[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static vxe_status read_node(reader *r, node_kind kind, piece content, vxe_error *error)
{
    uint32_t number = 0;
    uint32_t ignored = 0;
    if (!take_number(&content, &number)) {
        return truncated(r, "a node of the scene graph", error);
    }
    node *n = node_at(r, number);
    if (!n) {
        return vxe_error_at(error, VXE_ERROR_INPUT, r->source->file, 0, 0,
                            "node %" PRIu32 " of the scene graph; at most %u are read", number,
                            MAX_NODES);
    }
    *n = (node){.kind = kind, .count = 1, .stride = 4};
    memcpy(n->rotation, upright, sizeof upright);
    if (read_dictionary(r, &content, NULL, error)) {
        return VXE_ERROR_INPUT;
    }
    if (kind == NODE_TRANSFORM) { /* child, reserved, layer, number of frames */
        n->children = content.at;
        for (int i = 0; i < 4; i++) {
            if (!take_number(&content, &ignored)) {
                return truncated(r, "a node of the scene graph", error);
            }
        }
        return ignored > 0 ? read_dictionary(r, &content, n, error) : VXE_OK;
    }
    if (!take_number(&content, &n->count)) {
        return truncated(r, "a node of the scene graph", error);
    }
    n->children = content.at;
    if (kind == NODE_SHAPE) { /* models are the frames of an animation; the first one is read */
        n->count = n->count > 0 ? 1 : 0;
    }
    if (content.left / 4 < n->count) {
        return truncated(r, "a node of the scene graph", error);
    }
    return VXE_OK;
}

static vxe_status read_size(reader *r, piece content, vxe_error *error)
{
    if (r->model_count == MAX_MODELS) {
        return vxe_error_at(error, VXE_ERROR_INPUT, r->source->file, 0, 0, "more than %u models",
                            MAX_MODELS);
    }
    VXE_ASSERT(r->model_count < MAX_MODELS);
    model *m = &r->models[r->model_count++];
    for (int c = 0; c < 3; c++) {
        uint32_t size = 0;
        if (!take_number(&content, &size)) {
            return truncated(r, "a chunk SIZE", error);
        }
        if (size < 1 || size > 256) { /* positions are bytes */
            return vxe_error_at(error, VXE_ERROR_INPUT, r->source->file, 0, 0,
                                "a model of %" PRIu32 " voxels along an axis, expected 1 to 256",
                                size);
        }
        m->size[c] = (int32_t)size;
    }
    return VXE_OK;
}

static vxe_status read_voxels(reader *r, piece content, vxe_error *error)
{
    model *m = r->model_count > 0 ? &r->models[r->model_count - 1] : NULL;
    uint32_t count = 0;
    if (!m || m->voxels) {
        return vxe_error_at(error, VXE_ERROR_INPUT, r->source->file, 0, 0,
                            "a chunk XYZI without a chunk SIZE before it");
    }
    if (!take_number(&content, &count) || content.left / 4 < count) {
        return truncated(r, "a chunk XYZI", error);
    }
    if (count > (uint64_t)m->size[0] * (uint64_t)m->size[1] * (uint64_t)m->size[2]) {
        return vxe_error_at(error, VXE_ERROR_INPUT, r->source->file, 0, 0,
                            "a model of %d x %d x %d holds %" PRIu32 " voxels", m->size[0],
                            m->size[1], m->size[2], count);
    }
    m->voxels = content.at;
    m->count = count;
    for (uint32_t i = 0; i < count; i++) {
        m->occupied += m->voxels[4 * (uint64_t)i + 3] != 0;
    }
    return VXE_OK;
}

static vxe_status read_chunk(reader *r, const piece *name, piece content, vxe_error *error)
{
    if (is(name, "SIZE")) {
        return read_size(r, content, error);
    }
    if (is(name, "XYZI")) {
        return read_voxels(r, content, error);
    }
    if (is(name, "nTRN")) {
        return read_node(r, NODE_TRANSFORM, content, error);
    }
    if (is(name, "nGRP")) {
        return read_node(r, NODE_GROUP, content, error);
    }
    if (is(name, "nSHP")) {
        return read_node(r, NODE_SHAPE, content, error);
    }
    if (is(name, "RGBA")) {
        r->palette = content.left >= 4 * COLORS ? content.at : NULL;
        return VXE_OK;
    }
    r->skipped += !is(name, "PACK"); /* the number of models, which is not needed */
    return VXE_OK;
}

static vxe_status read_chunks(reader *r, piece all, vxe_error *error)
{
    while (all.left > 0) {
        piece name;
        piece content;
        uint32_t bytes = 0;
        uint32_t children = 0;
        if (!take_bytes(&all, 4, &name) || !take_number(&all, &bytes) ||
            !take_number(&all, &children) || !take_bytes(&all, bytes, &content)) {
            return truncated(r, "a chunk", error);
        }
        /* children are read as if they were siblings */
        const vxe_status status = read_chunk(r, &name, content, error);
        if (status) {
            return status;
        }
    }
    return VXE_OK;
}

/* The material of a colour, which is created when the colour first occurs. */
static vxe_status material_of(reader *r, uint32_t color, uint32_t *material, vxe_error *error)
{
    VXE_ASSERT(color < COLORS);
    if (r->material_of[color] == VXE_NONE) {
        vxe_material m = vxe_material_default();
        snprintf(m.name, sizeof m.name, "colour %u", color);
        for (int c = 0; c < 4 && r->palette && color > 0; c++) {
            m.color[c] = (float)r->palette[4 * (color - 1) + (uint32_t)c] / 255;
        }
        if (vxe_design_add_material(r->design, &m, &r->material_of[color], error)) {
            return VXE_ERROR_MEMORY;
        }
    }
    *material = r->material_of[color];
    return VXE_OK;
}

/* Adds the voxels of a model. A model is rotated and translated about the middle of its box,
 * rounded down. */
static vxe_status place_model(reader *r, uint32_t number, const placement *where, vxe_error *error)
{
    if (number >= r->model_count) {
        return vxe_error_at(error, VXE_ERROR_INPUT, r->source->file, 0, 0,
                            "the scene graph names model %" PRIu32 " of %" PRIu32, number,
                            r->model_count);
    }
    const model *m = &r->models[number];
    vxe_error inner;
    r->cells += m->count;
    if (vxe_limit_check(VXE_LIMIT_CELLS, r->cells, r->source->size, &inner) ||
        vxe_limit_check(VXE_LIMIT_VOXELS, (uint64_t)r->design->voxel_count + m->occupied,
                        r->source->size, &inner)) {
        return vxe_error_at(error, VXE_ERROR_INPUT, r->source->file, 0, 0, "%s", inner.message);
    }
    for (uint32_t i = 0; i < m->count && m->occupied > 0; i++) {
        const unsigned char *voxel = m->voxels + 4 * (uint64_t)i;
        int64_t at[3];
        uint32_t material = 0;
        if (voxel[3] == 0) {
            continue;
        }
        for (int row = 0; row < 3; row++) {
            int64_t twice = 0; /* twice the position of the voxel's centre from the pivot */
            for (int c = 0; c < 3; c++) {
                const int32_t pivot = m->size[c] / 2;
                twice += where->rotation[row][c] * (2 * (voxel[c] - pivot) + 1);
            }
            at[row] = (twice - 1) / 2 + where->translation[row];
        }
        if (material_of(r, voxel[3], &material, error) ||
            vxe_design_add_voxel(r->design, (int32_t)at[0], (int32_t)at[1], (int32_t)at[2],
                                 material, error)) {
            return VXE_ERROR_MEMORY;
        }
    }
    return VXE_OK;
}

/* The placement of a node inside another one. */
static placement placed(const placement *outer, const node *n)
{
    placement inner = {
        .translation = {outer->translation[0], outer->translation[1], outer->translation[2]}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            inner.translation[i] += outer->rotation[i][j] * n->translation[j];
            for (int k = 0; k < 3; k++) {
                inner.rotation[i][j] += outer->rotation[i][k] * n->rotation[k][j];
            }
        }
    }
    return inner;
}

/* Places the models below a node. The number of visits is limited, since a graph may have cycles.
 */
static vxe_status place_node(reader *r, uint32_t number, const placement *outer, uint32_t depth,
                             vxe_error *error)
{
    vxe_error inner;
    if (vxe_limit_check(VXE_LIMIT_REFERENCES, ++r->visits, r->source->size, &inner)) {
        return vxe_error_at(error, VXE_ERROR_INPUT, r->source->file, 0, 0, "%s", inner.message);
    }
    if (number >= r->node_count || r->nodes[number].kind == NODE_NONE || depth > MAX_DEPTH) {
        return vxe_error_at(error, VXE_ERROR_INPUT, r->source->file, 0, 0,
                            number >= r->node_count || r->nodes[number].kind == NODE_NONE
                                ? "the scene graph names node %" PRIu32 ", which is not there"
                                : "the scene graph is too deep or runs in circles at node %" PRIu32,
                            number);
    }
    const node *n = &r->nodes[number];
    VXE_ASSERT(n->children || n->count == 0);
    const placement here = placed(outer, n);
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < n->count && !status; i++) {
        piece child = {n->children + 4 * (uint64_t)i, 4};
        uint32_t next = 0;
        take_number(&child, &next);
        status = n->kind == NODE_SHAPE ? place_model(r, next, &here, error)
                                       : place_node(r, next, &here, depth + 1, error);
    }
    return status;
}

static vxe_status place_all(reader *r, vxe_error *error)
{
    placement where = {.translation = {0, 0, 0}};
    memcpy(where.rotation, upright, sizeof upright);
    if (r->node_count > 0) {
        return place_node(r, 0, &where, 0, error);
    }
    /* old files have no scene graph: their model is in the corner */
    if (r->model_count > 1) {
        vxe_messages_add(r->design->notes,
                         "no scene graph: %" PRIu32 " of %" PRIu32
                         " models are left out, the first is read",
                         r->model_count - 1, r->model_count);
    }
    for (int c = 0; c < 3 && r->model_count > 0; c++) {
        where.translation[c] = r->models[0].size[c] / 2;
    }
    return place_model(r, 0, &where, error);
}

static vxe_status read_file(reader *r, vxe_error *error)
{
    piece all = {(const unsigned char *)r->source->text, r->source->size};
    piece name;
    uint32_t version = 0;
    uint32_t bytes = 0;
    uint32_t children = 0;
    if (!take_bytes(&all, 4, &name) || !is(&name, "VOX ") || !take_number(&all, &version) ||
        !take_bytes(&all, 4, &name) || !is(&name, "MAIN") || !take_number(&all, &bytes) ||
        !take_number(&all, &children) || !take_bytes(&all, bytes, &name)) {
        return vxe_error_at(error, VXE_ERROR_INPUT, r->source->file, 0, 0,
                            "not a MagicaVoxel file: it does not begin with VOX and MAIN");
    }
    vxe_status status = read_chunks(r, all, error);
    if (!status && r->model_count == 0) {
        status = vxe_error_at(error, VXE_ERROR_INPUT, r->source->file, 0, 0, "it has no model");
    }
    status = status ? status : place_all(r, error);
    if (!status && r->design->voxel_count == 0) {
        status = vxe_error_at(error, VXE_ERROR_INPUT, r->source->file, 0, 0, "it has no voxel");
    }
    if (!status) {
        vxe_messages_add(
            r->design->notes,
            "colours say nothing of stiffness: all materials are the default material%s",
            r->palette ? "" : "; the file has no palette");
    }
    if (!status && r->hidden > 0) {
        vxe_messages_add(r->design->notes, "%" PRIu32 " hidden nodes are read like the others",
                         r->hidden);
    }
    if (!status && r->skipped > 0) {
        vxe_messages_add(r->design->notes, "ignored: %" PRIu32 " chunks other than voxels",
                         r->skipped);
    }
    return status;
}

vxe_design *vxe_vox_read(const vxe_text *source, vxe_error *error)
{
    reader r = {.source = source, .design = vxe_design_create()};
    r.models = vxe_memory_take(MAX_MODELS, sizeof *r.models);
    memset(r.material_of, 0xff, sizeof r.material_of);
    vxe_status status = r.design && r.models
                            ? read_file(&r, error)
                            : vxe_error_memory(error, MAX_MODELS * sizeof *r.models);
    if (!status && vxe_design_check(r.design, error)) {
        vxe_error inner = *error;
        status = vxe_error_at(error, inner.status, source->file, 0, 0, "%s", inner.message);
    }
    vxe_memory_release(r.models);
    vxe_memory_release(r.nodes);
    if (status) {
        vxe_design_destroy(r.design);
        return NULL;
    }
    return r.design;
}
