/* SPDX-License-Identifier: MIT */
/* Converts voxcraft's trees of tags into text: each tag becomes the words before, between and
   behind its values, and a buffer collects them. */
#include "lattice/formats/math_tree_internal.h"

#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"

/* Maximum of tags of a formula, the same as in voxcraft. */
#define MAX_TOKENS 1024u
/* Maximum of characters of a number. */
#define LONGEST_TOKEN 64u

typedef struct builder {
    char *text;
    uint64_t length, capacity;
    uint32_t tokens;
    const vxe_math_name *names;
    uint32_t name_count;
    vxe_error *error;
} builder;

/* How an operation is written: what stands before, between and behind its values. */
typedef struct spelling {
    const char *tag;
    int values;
    const char *before, *between, *behind;
} spelling;

static const spelling spellings[] = {
    {"mtE", 0, "exp(1)", "", ""},       {"mtPI", 0, "pi", "", ""},
    {"mtSIN", 1, "sin(", "", ")"},      {"mtCOS", 1, "cos(", "", ")"},
    {"mtTAN", 1, "tan(", "", ")"},      {"mtATAN", 1, "atan(", "", ")"},
    {"mtLOG", 1, "log(", "", ")"},      {"mtINT", 1, "round(", "", ")"},
    {"mtABS", 1, "abs(", "", ")"},      {"mtNOT", 1, "not(", "", ")"},
    {"mtSQRT", 1, "sqrt(", "", ")"},    {"mtNORMALCDF", 1, "normcdf(", "", ")"},
    {"mtADD", 2, "(", " + ", ")"},      {"mtSUB", 2, "(", " - ", ")"},
    {"mtMUL", 2, "(", "*", ")"},        {"mtDIV", 2, "(", "/", ")"},
    {"mtPOW", 2, "((", ")^(", "))"},    {"mtGREATERTHAN", 2, "(", " > ", ")"},
    {"mtLESSTHAN", 2, "(", " < ", ")"}, {"mtAND", 2, "and(", ", ", ")"},
    {"mtOR", 2, "or(", ", ", ")"},
};

/* Appends a text to the buffer. */
static vxe_status add(builder *b, const char *text)
{
    VXE_ASSERT(b->length < b->capacity || b->capacity == 0);
    const uint64_t length = strlen(text);
    if (b->length + length + 1 > b->capacity) {
        const uint64_t larger = 2 * (b->capacity + length) + 64;
        char *grown = vxe_memory_grow(b->text, b->capacity, larger, 1);
        if (!grown) {
            return vxe_error_memory(b->error, larger);
        }
        b->text = grown;
        b->capacity = larger;
    }
    memcpy(b->text + b->length, text, length + 1);
    b->length += length;
    VXE_ASSERT(b->length < b->capacity && b->text[b->length] == '\0');
    return VXE_OK;
}

static vxe_status add_number(builder *b, const vxe_xml_node *node)
{
    char text[LONGEST_TOKEN];
    double number = 0;
    const char *expected = vxe_number_read(node->text, &number);
    if (expected) {
        return vxe_xml_error(b->error, VXE_ERROR_INPUT, node, "<%s> holds \"%.40s\": %s",
                             node->name, node->text, expected);
    }
    vxe_number_shortest(text, sizeof text, fabs(number));
    vxe_status status = add(b, number < 0 ? "(-" : "");
    status = status ? status : add(b, text);
    return status ? status : add(b, number < 0 ? ")" : "");
}

static vxe_status add_variable(builder *b, const vxe_xml_node *node)
{
    for (uint32_t i = 0; i < b->name_count; i++) {
        if (strcmp(node->text, b->names[i].theirs) == 0) {
            return add(b, b->names[i].ours);
        }
    }
    return vxe_xml_error(b->error, VXE_ERROR_INPUT, node, "no variable \"%.40s\" is known here",
                         node->text);
}

static const spelling *spelling_of(const char *tag)
{
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        if (strcmp(spellings[i].tag, tag) == 0) {
            return &spellings[i];
        }
    }
    return NULL;
}

static vxe_status add_tree(builder *b, vxe_xml_node *node);

static vxe_status add_operation(builder *b, vxe_xml_node *node, const spelling *as)
{
    int values = 0;
    vxe_status status = add(b, as->before);
    for (vxe_xml_node *child = node->first_child; child && !status; child = child->next) {
        values++;
        status = values > 1 && values <= as->values ? add(b, as->between) : VXE_OK;
        status = status || values > as->values ? status : add_tree(b, child);
    }
    if (!status && values != as->values) {
        return vxe_xml_error(b->error, VXE_ERROR_INPUT, node, "<%s> takes %d value%s, not %d",
                             node->name, as->values, as->values == 1 ? "" : "s", values);
    }
    return status ? status : add(b, as->behind);
}

static vxe_status add_tree(builder *b, vxe_xml_node *node)
{
    node->used = true;
    if (++b->tokens > MAX_TOKENS) {
        return vxe_xml_error(b->error, VXE_ERROR_INPUT, node,
                             "a formula of more than %u tags is not read", MAX_TOKENS);
    }
    if (strcmp(node->name, "mtCONST") == 0) {
        return add_number(b, node);
    }
    if (strcmp(node->name, "mtVAR") == 0) {
        return add_variable(b, node);
    }
    const spelling *as = spelling_of(node->name);
    if (!as) {
        return vxe_xml_error(b->error, VXE_ERROR_INPUT, node, "<%s> is no part of a formula",
                             node->name);
    }
    return add_operation(b, node, as);
}

vxe_status vxe_math_tree_read(vxe_xml_node *node, const vxe_math_name *names, uint32_t name_count,
                              char **text, vxe_error *error)
{
    *text = NULL;
    if (!node || !node->first_child) {
        return VXE_OK;
    }
    if (node->first_child->next) {
        return vxe_xml_error(error, VXE_ERROR_INPUT, node->first_child->next,
                             "<%s> holds more than one formula", node->name);
    }
    builder b = {.names = names, .name_count = name_count, .error = error};
    const vxe_status status = add_tree(&b, node->first_child);
    if (status) {
        vxe_memory_release(b.text);
        return status;
    }
    *text = b.text;
    return VXE_OK;
}

double vxe_math_tree_crossing(vxe_xml_node *node, const char *variable, double fallback)
{
    vxe_xml_node *difference = node ? node->first_child : NULL;
    vxe_xml_node *first = difference ? difference->first_child : NULL;
    vxe_xml_node *second = first ? first->next : NULL;
    if (!second || second->next || difference->next || strcmp(difference->name, "mtSUB") != 0 ||
        strcmp(first->name, "mtVAR") != 0 || strcmp(first->text, variable) != 0 ||
        strcmp(second->name, "mtCONST") != 0) {
        return fallback;
    }
    double number = 0;
    if (vxe_number_read(second->text, &number)) {
        return fallback; /* told where the formula is read as a whole */
    }
    vxe_xml_mark(difference);
    return number;
}
