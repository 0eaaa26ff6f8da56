/* SPDX-License-Identifier: MIT */
/* Reads the XML result files of other simulators into a list of numbers, each with the robot and
   the tag that it belongs to. */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena_internal.h"
#include "common/assert_internal.h"
#include "common/file_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/vxa/xml_tree_internal.h"
#include "output/foreign/simulator_results_parse.h"

/* Stands, with two hexadecimal digits, for a character of a tag that XML forbids in names. A colon
   is allowed in names, and no such file uses it. */
#define MARK ':'

typedef struct reader {
    vxe_scores *into;
    uint64_t capacity;
    vxe_error *error;
} reader;

/* Returns the end of the tag whose name begins at `text`; null where that is no tag, or one with
   attributes. */
static const char *name_end(const char *text, const char *end)
{
    const char *stop = text;
    while (stop < end && *stop != '>' && *stop != '<' && *stop != '=') {
        stop++; /* no further than the next tag, so that a file is walked through twice at most */
    }
    const bool is_name = stop < end && *stop == '>' && stop > text && *text != '?' &&
                         *text != '!' && stop[-1] != '/';
    return is_name ? stop : NULL;
}

static bool is_allowed(char c, bool first)
{
    const unsigned char byte = (unsigned char)c;
    const bool later = isdigit(byte) || c == '-' || c == '.';
    return byte >= 0x80 || (byte < 0x80 && isalpha(byte)) || c == '_' || (later && !first);
}

/* Copies the text with forbidden characters of tags escaped. Reports name tags after robots' files,
   and such a name need not be a valid XML name. Returns null without memory. */
static char *allow_names(const vxe_text *source, uint64_t *size)
{
    static const char digits[] = "0123456789abcdef";
    const char *end = source->text + source->size;
    char *copy = vxe_memory_take(3 * source->size + 1, 1); /* every character may be escaped to
                                                              three */
    char *to = copy;
    const char *name = NULL; /* name of the present tag, which ends at `stop` */
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
    VXE_ASSERT(*size <= 3 * source->size);
    return copy;
}

static int digit_of(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Restores an escaped name, in the memory of the scores. Returns null without memory. */
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

/* Whether a text is what other simulators print for a result that is not finite; *value is then
   that. */
static bool is_not_finite(const char *text, double *value)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {
        {"nan", (double)NAN}, {"-nan", -(double)NAN}, {"inf", HUGE_VAL}, {"-inf", -HUGE_VAL}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(text, words[i].word) == 0) {
            *value = words[i].value;
            return true;
        }
    }
    return false;
}

/* Whether a text that begins as a number does is none all the same: the name of a file, or a list
   of voxels, whose items end with semicolons. */
static bool is_name_or_list(const vxe_xml_node *node)
{
    return strcmp(node->name, "filename") == 0 || strcmp(node->name, "inputdir") == 0 ||
           strchr(node->text, ';');
}

static vxe_status add(reader *r, const char *robot, const char *tag, const vxe_xml_node *node)
{
    vxe_scores *scores = r->into;
    double value = 0;
    const char *expected = vxe_number_read(node->text, &value);
    if (expected && !is_not_finite(node->text, &value)) {
        const char *end = NULL;
        (void)vxe_number_scan(node->text, &end);
        return end == node->text || is_name_or_list(node)
                   ? VXE_OK
                   : vxe_xml_error(r->error, VXE_ERROR_INPUT, node, "<%s> holds \"%.40s\": %s",
                                   node->name, node->text, expected);
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
    VXE_ASSERT(scores->count <= r->capacity);
    return VXE_OK;
}

/* Adds the numbers below a node. A number one level deeper is named by both tags, as in
   currentCenterOfMass/x. */
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

/* Adds the robots of a report. */
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
    if (strcmp(root->name, "bestfit") == 0) { /* format of gpuVoxels in early 2020 */
        return add_all(r, "", root);
    }
    if (!fitness && !detail) {
        return vxe_xml_error(
            r->error, VXE_ERROR_INPUT, root,
            "<%s> holds neither <Fitness> nor <detail>: not a result of a simulator", root->name);
    }
    return fitness ? add_all(r, "", fitness) : add_robots(r, detail);
}

/* -1, 0 or 1 if an entry comes before a robot's tag, is of it, or comes after it. */
static int compare_names(const vxe_score_entry *e, const char *robot, const char *tag)
{
    const int order = strcmp(e->robot, robot);
    return order ? order : strcmp(e->tag, tag);
}

/* Names in order; entries of one name in that of the file. */
static int by_name(const void *one, const void *two)
{
    const vxe_score_entry *a = *(const vxe_score_entry *const *)one;
    const vxe_score_entry *b = *(const vxe_score_entry *const *)two;
    const int order = compare_names(a, b->robot, b->tag);
    return order ? order : (a > b) - (a < b);
}

static vxe_status sort_names(vxe_scores *scores, vxe_error *error)
{
    scores->by_name = vxe_memory_take(scores->count, sizeof(vxe_score_entry *));
    if (!scores->by_name) {
        return vxe_error_memory(error, scores->count * sizeof(vxe_score_entry *));
    }
    for (uint32_t i = 0; i < scores->count; i++) {
        scores->by_name[i] = &scores->entries[i];
    }
    qsort(scores->by_name, scores->count, sizeof(vxe_score_entry *), by_name);
    return VXE_OK;
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
        status = status ? status : sort_names(scores, error);
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
    vxe_error unwanted; /* the readers complete an error with file and line, so they need one */
    error = error ? error : &unwanted;
    char *text = NULL;
    uint64_t size = 0;
    if (vxe_file_read(path, vxe_limit_for(VXE_LIMIT_RESULT_BYTES, 0), &text, &size, error)) {
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
        vxe_memory_release(scores->by_name);
        vxe_memory_release(scores);
    }
}

double vxe_scores_find(const vxe_scores *scores, const char *robot, const char *tag,
                       double fallback)
{
    /* the last of its name: where a tag is repeated it counts, as for the programs that read these
       files */
    uint32_t low = 0;
    uint32_t high = scores->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const bool behind = compare_names(scores->by_name[middle], robot, tag) > 0;
        low = behind ? low : middle + 1;
        high = behind ? middle : high;
    }
    const vxe_score_entry *last = low > 0 ? scores->by_name[low - 1] : NULL;
    return last && compare_names(last, robot, tag) == 0 ? last->value : fallback;
}
