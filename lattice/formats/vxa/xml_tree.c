/* SPDX-License-Identifier: MIT */
/* Builds the tree of an XML file from the events of the parser expat. Nodes and texts are in one
   arena, whose limit follows from the size of the file. */
#include "lattice/formats/vxa/vxa_ignored_internal.h"
#include "lattice/formats/vxa/xml_tree_internal.h"

#include <expat.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"

#define MAX_ATTRIBUTES 256u
/* Maximum bytes of the tree for each byte of the file: a tag of 4 characters needs about 150 bytes.
 */
#define TREE_PER_BYTE 64u

typedef struct builder {
    vxe_xml_tree *tree;
    XML_Parser parser;
    vxe_xml_node *open; /* innermost open tag */
    vxe_xml_node *last_child[VXE_XML_DEEPEST + 1];
    uint32_t depth;
    char *text[VXE_XML_DEEPEST + 1]; /* text of each open tag so far */
    uint64_t length[VXE_XML_DEEPEST + 1];
    uint64_t capacity[VXE_XML_DEEPEST + 1];
    const char *file;
    uint32_t line_offset;
    const char *trouble; /* why this code stopped the parser; null: it did not */
} builder;

static void stop(builder *b, const char *trouble)
{
    b->trouble = trouble;
    XML_StopParser(b->parser, XML_FALSE);
}

/* Copies the attributes of an element into the arena; null without memory or if there are too many.
 */
static const char **copy_attributes(builder *b, const char **attributes)
{
    uint32_t count = 0;
    while (attributes[count]) {
        count++;
    }
    if (count > 2 * MAX_ATTRIBUTES) {
        return NULL;
    }
    const char **copies = vxe_arena_take(&b->tree->arena, (count + 1) * sizeof *copies);
    for (uint32_t i = 0; copies && i < count; i++) {
        copies[i] = vxe_arena_text(&b->tree->arena, attributes[i], strlen(attributes[i]));
        if (!copies[i]) {
            return NULL;
        }
    }
    return copies;
}

static void XMLCALL on_start(void *user, const char *name, const char **attributes)
{
    builder *b = user;
    if (b->depth >= VXE_XML_DEEPEST) {
        stop(b, "tags are nested deeper than 200");
        return;
    }
    vxe_xml_node *node = vxe_arena_take(&b->tree->arena, sizeof *node);
    if (node) {
        node->name = vxe_arena_text(&b->tree->arena, name, strlen(name));
        node->attributes = copy_attributes(b, attributes);
    }
    if (!node || !node->name || !node->attributes) {
        stop(b, "the tree is too large for the size of the file");
        return;
    }
    node->text = "";
    node->file = b->file;
    node->parent = b->open;
    node->line = (uint32_t)XML_GetCurrentLineNumber(b->parser) + b->line_offset;
    node->column = (uint32_t)XML_GetCurrentColumnNumber(b->parser) + 1;
    if (!b->open) {
        b->tree->root = node;
    } else if (b->last_child[b->depth]) {
        b->last_child[b->depth]->next = node;
    } else {
        b->open->first_child = node;
    }
    b->last_child[b->depth] = node;
    b->depth++;
    VXE_ASSERT(b->depth <= VXE_XML_DEEPEST);
    b->last_child[b->depth] = NULL;
    b->length[b->depth] = 0;
    b->open = node;
}

/* What expat takes comes from the C library, and is counted where it fails. */
static void *take(size_t size)
{
    return vxe_memory_counted(malloc(size));
}

static void *resize(void *block, size_t size)
{
    return vxe_memory_counted(realloc(block, size));
}

static const XML_Memory_Handling_Suite counted = {take, resize, free};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void XMLCALL on_end(void *user, const char *name)
{
    builder *b = user;
    (void)name;
    if (b->trouble) { /* expat still ends a tag that was refused */
        return;
    }
    VXE_ASSERT(b->depth > 0 && b->open);
    const char *text = b->text[b->depth];
    uint64_t first = 0;
    uint64_t last = b->length[b->depth];
    while (first < last && is_blank(text[first])) {
        first++;
    }
    while (last > first && is_blank(text[last - 1])) {
        last--;
    }
    if (last > first) {
        b->open->text = vxe_arena_text(&b->tree->arena, text + first, last - first);
        b->open->length = last - first;
        if (!b->open->text) {
            b->open->text = "";
            stop(b, "the tree is too large for the size of the file");
            return;
        }
    }
    b->open = b->open->parent;
    b->depth--;
}

static void XMLCALL on_text(void *user, const char *text, int length)
{
    builder *b = user;
    if (b->trouble) {
        return;
    }
    const uint32_t d = b->depth;
    VXE_ASSERT(length >= 0 && d <= VXE_XML_DEEPEST && b->length[d] <= b->capacity[d]);
    const uint64_t needed = b->length[d] + (uint64_t)length;
    if (needed > b->capacity[d]) {
        const uint64_t capacity = needed < 256 ? 256 : 2 * needed;
        char *grown = vxe_memory_grow(b->text[d], b->length[d], capacity, 1);
        if (!grown) {
            stop(b, "there is no memory");
            return;
        }
        b->text[d] = grown;
        b->capacity[d] = capacity;
    }
    memcpy(b->text[d] + b->length[d], text, (size_t)length);
    b->length[d] = needed;
}

/* Refuses entities: a few lines of them can stand for gigabytes, and no design has any. */
static void XMLCALL on_entity(void *user, const char *name, int of_parameter, const char *value,
                              int length, const char *base, const char *system,
                              const char *published, const char *notation)
{
    (void)name, (void)of_parameter, (void)value, (void)length;
    (void)base, (void)system, (void)published, (void)notation;
    stop(user, "it declares an entity of its own");
}

/* Whether lead and tail bytes are those of UTF-8. */
static bool is_utf8(const char *text, uint64_t size)
{
    uint64_t i = 0;
    while (i < size) {
        const unsigned char c = (unsigned char)text[i++];
        const int tail = c < 0x80             ? 0
                         : (c & 0xe0) == 0xc0 ? 1
                         : (c & 0xf0) == 0xe0 ? 2
                         : (c & 0xf8) == 0xf0 ? 3
                                              : -1;
        if (tail < 0) {
            return false;
        }
        for (int k = 0; k < tail; k++, i++) {
            if (i >= size || ((unsigned char)text[i] & 0xc0) != 0x80) {
                return false;
            }
        }
    }
    return true;
}

/* Feeds the text to the parser in parts of 1 MiB, since its lengths are of type int. */
static vxe_status parse(builder *b, const char *file, const char *text, uint64_t size,
                        vxe_error *error)
{
    enum XML_Status result = XML_STATUS_OK;
    const uint64_t piece = 1u << 20;
    const uint64_t failures = vxe_memory_failures();
    for (uint64_t at = 0; result == XML_STATUS_OK && (at < size || at == 0); at += piece) {
        const uint64_t length = size - at < piece ? size - at : piece;
        result = XML_Parse(b->parser, text + at, (int)length, at + length == size);
        if (size == 0) {
            break;
        }
    }
    if (result == XML_STATUS_OK || vxe_memory_check(failures, error)) {
        return result == XML_STATUS_OK ? VXE_OK : VXE_ERROR_MEMORY;
    }
    return vxe_error_at(error, VXE_ERROR_INPUT, file,
                        (uint32_t)XML_GetCurrentLineNumber(b->parser) + b->line_offset,
                        (uint32_t)XML_GetCurrentColumnNumber(b->parser) + 1,
                        "not readable as XML: %s",
                        b->trouble ? b->trouble : XML_ErrorString(XML_GetErrorCode(b->parser)));
}

vxe_status vxe_xml_tree_init(vxe_xml_tree *tree, const char *file, const char *text, uint64_t size,
                             vxe_error *error)
{
    *tree = (vxe_xml_tree){.arena = {.limit = TREE_PER_BYTE * size + 65536}};
    builder *b = vxe_memory_take(1, sizeof *b);
    if (!b) {
        return vxe_error_memory(error, sizeof *b);
    }
    b->tree = tree;
    b->file = file;
    /* many files begin with empty lines, which XML does not allow before a prolog */
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        size -= 3;
    }
    while (size > 0 && is_blank(*text)) {
        b->line_offset += *text == '\n';
        text++;
        size--;
    }
    b->parser = XML_ParserCreate_MM(is_utf8(text, size) ? NULL : "ISO-8859-1", &counted, NULL);
    vxe_status status = VXE_OK;
    if (!b->parser) {
        status = vxe_error_memory(error, 65536);
    } else if (size == 0) {
        status = vxe_error_at(error, VXE_ERROR_INPUT, file, 1, 1, "the file is empty");
    } else {
        XML_SetUserData(b->parser, b);
        XML_SetElementHandler(b->parser, on_start, on_end);
        XML_SetCharacterDataHandler(b->parser, on_text);
        XML_SetEntityDeclHandler(b->parser, on_entity);
        status = parse(b, file, text, size, error);
    }
    if (b->parser) {
        XML_ParserFree(b->parser);
    }
    for (uint32_t i = 0; i <= VXE_XML_DEEPEST; i++) {
        vxe_memory_release(b->text[i]);
    }
    vxe_memory_release(b);
    if (status) {
        vxe_xml_tree_clear(tree);
    }
    return status;
}

void vxe_xml_tree_clear(vxe_xml_tree *tree)
{
    vxe_arena_clear(&tree->arena);
    tree->root = NULL;
}

vxe_xml_node *vxe_xml_child(vxe_xml_node *node, const char *name)
{
    for (vxe_xml_node *child = node ? node->first_child : NULL; child; child = child->next) {
        if (strcmp(child->name, name) == 0) {
            child->used = true;
            return child;
        }
    }
    return NULL;
}

vxe_xml_node *vxe_xml_next(const vxe_xml_node *node)
{
    for (vxe_xml_node *sibling = node->next; sibling; sibling = sibling->next) {
        if (strcmp(sibling->name, node->name) == 0) {
            sibling->used = true;
            return sibling;
        }
    }
    return NULL;
}

const char *vxe_xml_attribute(const vxe_xml_node *node, const char *name)
{
    VXE_ASSERT(node->attributes);
    for (const char **a = node->attributes; *a; a += 2) {
        if (strcmp(a[0], name) == 0) {
            return a[1];
        }
    }
    return NULL;
}

vxe_status vxe_xml_error(vxe_error *error, vxe_status status, const vxe_xml_node *node,
                         const char *format, ...)
{
    char message[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return vxe_error_at(error, status, node->file, node->line, node->column, "%s", message);
}

/* Keeps the first wrong value of a file. */
static void refuse(const vxe_xml_node *node, const char *expected, vxe_error *wrong)
{
    if (!wrong->status) {
        (void)vxe_xml_error(wrong, VXE_ERROR_INPUT, node, "<%s> holds \"%.40s\": %s", node->name,
                            node->text, expected);
    }
}

double vxe_xml_value(const vxe_xml_node *node, double fallback, vxe_error *wrong)
{
    double value = fallback;
    const char *expected = node ? vxe_number_read(node->text, &value) : NULL;
    if (expected) {
        refuse(node, expected, wrong);
    }
    return value;
}

double vxe_xml_number(vxe_xml_node *node, const char *name, double fallback, vxe_error *wrong)
{
    return vxe_xml_value(vxe_xml_child(node, name), fallback, wrong);
}

double vxe_xml_whole(vxe_xml_node *node, const char *name, double fallback, double max,
                     vxe_error *wrong)
{
    const vxe_xml_node *child = vxe_xml_child(node, name);
    const double value = vxe_xml_value(child, fallback, wrong);
    if (child && (!(value >= 0 && value <= max) || value != floor(value))) {
        char expected[80];
        snprintf(expected, sizeof expected, "expected a whole number from 0 to %.0f", max);
        refuse(child, expected, wrong);
        return fallback;
    }
    return value;
}

bool vxe_xml_flag(vxe_xml_node *node, const char *name, bool fallback, vxe_error *wrong)
{
    const vxe_xml_node *child = vxe_xml_child(node, name);
    double value = fallback;
    if (!child || strcmp(child->text, "true") == 0 || strcmp(child->text, "false") == 0) {
        return child ? child->text[0] == 't' : fallback;
    }
    if (vxe_number_read(child->text, &value) || (value != 0 && value != 1)) {
        refuse(child, "expected 0 or 1", wrong);
        return fallback;
    }
    return value != 0;
}

/* Writes the names of a node and of those around it, separated by slashes. */
static void write_path(const vxe_xml_node *node, char *path, size_t size)
{
    char above[160] = "";
    if (node->parent) {
        write_path(node->parent, above, sizeof above);
    }
    snprintf(path, size, "%s%s%s", above, above[0] ? "/" : "", node->name);
}

void vxe_xml_note_unused(const vxe_xml_node *node, vxe_messages *notes)
{
    for (const vxe_xml_node *child = node ? node->first_child : NULL; child; child = child->next) {
        if (child->used) {
            vxe_xml_note_unused(child, notes);
        } else {
            char path[160];
            write_path(child, path, sizeof path);
            const char *why = vxe_vxa_why_ignored(child->name);
            vxe_messages_add(notes, "ignored: %s%s%s%s", path, why ? " (" : "", why ? why : "",
                             why ? ")" : "");
        }
    }
}

void vxe_xml_mark(vxe_xml_node *node)
{
    if (node) {
        node->used = true;
        for (vxe_xml_node *child = node->first_child; child; child = child->next) {
            vxe_xml_mark(child);
        }
    }
}
