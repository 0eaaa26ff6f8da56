/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/arena_internal.h"
#include "common/file_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "engine/record/scores_internal.h"
#include "lattice/formats/xml_tree_internal.h"

#define LARGEST_FILE (512ull << 20)

/* Put before names that XML forbids: it may begin a name, and no file uses it. */
#define MARK ':'

typedef struct reader {
    vxe_scores *into;
    uint64_t room;
    vxe_error *error;
} reader;

/* A copy in which tags that begin with a digit are marked: <5> is <:5>. Null without memory. */
static char *allow_numbers(const vxe_text *source, uint64_t *size)
{
    uint64_t marks = 0;
    for (int writing = 0; writing < 2; writing++) {
        char *copy = writing ? vxe_memory_take(source->size + marks + 1, 1) : NULL;
        if (writing && !copy) {
            return NULL;
        }
        uint64_t length = 0;
        for (uint64_t i = 0; i < source->size; i++) {
            const char c = source->text[i];
            const char before = i > 0 ? source->text[i - 1] : ' ';
            const bool opens =
                before == '<' || (before == '/' && i > 1 && source->text[i - 2] == '<');
            if (opens && isdigit((unsigned char)c)) {
                if (writing) {
                    copy[length++] = MARK;
                }
                marks += !writing;
            }
            if (writing) {
                copy[length++] = c;
            }
        }
        if (writing) {
            *size = length;
            return copy;
        }
    }
    return NULL;
}

static vxe_status add(reader *r, const char *robot, const char *tag, const vxe_xml_node *node)
{
    vxe_scores *scores = r->into;
    const char *end = NULL;
    const double value = vxe_number_scan(node->text, &end);
    if (end == node->text || *end) { /* a name, or places of voxels */
        return VXE_OK;
    }
    if (scores->count == r->room) {
        const uint64_t larger = r->room ? 2 * r->room : 64;
        vxe_score_entry *grown = larger < VXE_NONE ? vxe_memory_grow(scores->entries, scores->count,
                                                                     larger, sizeof *grown)
                                                   : NULL;
        if (!grown) {
            return vxe_error_memory(r->error, larger * sizeof *grown);
        }
        scores->entries = grown;
        r->room = larger;
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
        const char *name = node->name + (node->name[0] == MARK);
        const char *copy = vxe_arena_text(r->into->names, name, strlen(name));
        status = copy ? add_all(r, copy, node) : vxe_error_memory(r->error, strlen(name));
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
    char *text = allow_numbers(source, &size);
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
