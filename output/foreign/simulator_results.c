/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/arena_internal.h"
#include "common/file_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "lattice/formats/vxa/xml_tree_internal.h"
#include "output/foreign/simulator_results_parse.h"

#define LARGEST_FILE (64ull << 20)

/* Characters that XML forbids in names are written as this and two hexadecimal digits: it may stand
 * in a name, and no file uses it. */
#define MARK ':'

typedef struct reader {
    vxe_scores *into;
    uint64_t capacity;
    vxe_error *error;
} reader;

/* Where a tag ends whose name begins at text; null where it is none, or has attributes. */
static const char *name_end(const char *text, const char *end)
{
    const char *stop = memchr(text, '>', (size_t)(end - text));
    const bool is_name = stop && stop > text && *text != '?' && *text != '!' &&
                         !memchr(text, '=', (size_t)(stop - text)) &&
                         !memchr(text, '<', (size_t)(stop - text)) && stop[-1] != '/';
    return is_name ? stop : NULL;
}

static bool is_allowed(char c, bool first)
{
    const unsigned char byte = (unsigned char)c;
    const bool later = isdigit(byte) || c == '-' || c == '.';
    return byte >= 0x80 || (byte < 0x80 && isalpha(byte)) || c == '_' || (later && !first);
}

/* A copy in which names of tags may stand: robots are called as their files. Null without memory.
 */
static char *allow_names(const vxe_text *source, uint64_t *size)
{
    static const char digits[] = "0123456789abcdef";
    const char *end = source->text + source->size;
    char *copy = vxe_memory_take(3 * source->size + 1, 1); /* at worst */
    char *to = copy;
    const char *name = NULL; /* that of the tag at hand, until stop */
    const char *stop = NULL;
    for (const char *c = source->text; copy && c < end; c++) {
        if (stop && c >= name && c < stop && !is_allowed(*c, c == name)) {
            *to++ = MARK;
            *to++ = digits[(unsigned char)*c >> 4];
            *to++ = digits[(unsigned char)*c & 15];
        } else {
            *to++ = *c;
        }
        if (*c == '<' && c + 1 < end) {
            name = c + 1 + (c[1] == '/');
            stop = name < end ? name_end(name, end) : NULL;
        }
    }
    *size = copy ? (uint64_t)(to - copy) : 0;
    return copy;
}

static int digit_of(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A name as it was, in the scores' memory; null without. */
static const char *name_of(const vxe_scores *scores, const char *marked)
{
    char *name = vxe_arena_text(scores->names, marked, strlen(marked));
    char *to = name;
    for (const char *c = marked; name && *c; c++) {
        const int high = *c == MARK && c[1] ? digit_of(c[1]) : -1;
        const int low = high >= 0 ? digit_of(c[2]) : -1;
        *to++ = low >= 0 ? (char)(16 * high + low) : *c;
        c += low >= 0 ? 2 : 0;
    }
    if (name) {
        *to = '\0';
    }
    return name;
}

static vxe_status add(reader *r, const char *robot, const char *tag, const vxe_xml_node *node)
{
    vxe_scores *scores = r->into;
    const char *end = NULL;
    const double value = vxe_number_scan(node->text, &end);
    if (end == node->text || *end) { /* a name, or places of voxels */
        return VXE_OK;
    }
    if (scores->count == r->capacity) {
        const uint64_t larger = r->capacity ? 2 * r->capacity : 64;
        vxe_score_entry *grown = larger < VXE_NONE ? vxe_memory_grow(scores->entries, scores->count,
                                                                     larger, sizeof *grown)
                                                   : NULL;
        if (!grown) {
            return vxe_error_memory(r->error, larger * sizeof *grown);
        }
        scores->entries = grown;
        r->capacity = larger;
    }
    const char *copy = vxe_arena_text(scores->names, tag, strlen(tag));
    if (!copy) {
        return vxe_error_memory(r->error, strlen(tag));
    }
    scores->entries[scores->count++] = (vxe_score_entry){robot, copy, value};
    return VXE_OK;
}

/* The numbers under a node; those one level deeper are called by both tags. */
static vxe_status add_all(reader *r, const char *robot, vxe_xml_node *parent)
{
    vxe_status status = VXE_OK;
    for (vxe_xml_node *node = parent->first_child; node && !status; node = node->next) {
        const bool trace =
            strcmp(node->name, "CMTrace") == 0 || strcmp(node->name, "VolumeTrace") == 0;
        if (!node->first_child) {
            status = add(r, robot, node->name, node);
        }
        for (vxe_xml_node *c = trace ? NULL : node->first_child; c && !status; c = c->next) {
            char tag[256];
            snprintf(tag, sizeof tag, "%.120s/%.120s", node->name, c->name);
            status = add(r, robot, tag, c);
        }
    }
    return status;
}

/* The robots of a report. */
static vxe_status add_robots(reader *r, vxe_xml_node *detail)
{
    vxe_status status = VXE_OK;
    for (vxe_xml_node *node = detail->first_child; node && !status; node = node->next) {
        const char *name = name_of(r->into, node->name);
        status = name ? add_all(r, name, node) : vxe_error_memory(r->error, strlen(node->name));
    }
    return status;
}

static vxe_status read_tree(reader *r, vxe_xml_node *root)
{
    vxe_xml_node *fitness = vxe_xml_child(root, "Fitness");
    vxe_xml_node *detail = vxe_xml_child(root, "detail");
    if (strcmp(root->name, "bestfit") == 0) { /* gpuVoxels', of early 2020 */
        return add_all(r, "", root);
    }
    if (!fitness && !detail) {
        return vxe_xml_error(r->error, VXE_ERROR_INPUT, root,
                             "<%s> holds neither <Fitness> nor <detail>: no result of a simulator",
                             root->name);
    }
    return fitness ? add_all(r, "", fitness) : add_robots(r, detail);
}

vxe_scores *vxe_scores_scan(const vxe_text *source, vxe_error *error)
{
    uint64_t size = 0;
    vxe_xml_tree tree;
    vxe_scores *scores = vxe_memory_take(1, sizeof *scores);
    char *text = allow_names(source, &size);
    if (scores) {
        scores->names = vxe_memory_take(1, sizeof *scores->names);
    }
    vxe_status status =
        scores && scores->names && text ? VXE_OK : vxe_error_memory(error, source->size);
    status = status ? status : vxe_xml_tree_init(&tree, source->file, text, size, error);
    if (!status) {
        reader r = {.into = scores, .error = error};
        status = read_tree(&r, tree.root);
        vxe_xml_tree_clear(&tree);
    }
    vxe_memory_release(text);
    if (status) {
        vxe_scores_destroy(scores);
        return NULL;
    }
    return scores;
}

vxe_scores *vxe_scores_read(const char *path, vxe_error *error)
{
    vxe_error unwanted; /* readers add places to errors, so they need one to write in */
    error = error ? error : &unwanted;
    char *text = NULL;
    uint64_t size = 0;
    if (vxe_file_read(path, LARGEST_FILE, &text, &size, error)) {
        return NULL;
    }
    vxe_scores *scores = vxe_scores_scan(&(vxe_text){path, text, size, false}, error);
    vxe_memory_release(text);
    return scores;
}

void vxe_scores_destroy(vxe_scores *scores)
{
    if (scores) {
        if (scores->names) {
            vxe_arena_clear(scores->names);
        }
        vxe_memory_release(scores->names);
        vxe_memory_release(scores->entries);
        vxe_memory_release(scores);
    }
}

double vxe_scores_find(const vxe_scores *scores, const char *robot, const char *tag,
                       double fallback)
{
    double value = fallback; /* the last of a tag counts, as to drivers */
    for (uint32_t i = 0; i < scores->count; i++) {
        const vxe_score_entry *e = &scores->entries[i];
        value = strcmp(e->robot, robot) == 0 && strcmp(e->tag, tag) == 0 ? e->value : value;
    }
    return value;
}
