/* SPDX-License-Identifier: MIT */
/* Overlays one XML tree on another: elements with an attribute replace="A.B.C" take the place of
   the element at that path. */
#include <string.h>

#include "common/assert_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/vxa/xml_tree_internal.h"

/* The child whose name is the first length characters of name, which is created behind its siblings
 * if it is missing; null without memory. */
static vxe_xml_node *child_at(vxe_xml_tree *tree, vxe_xml_node *parent, const char *name,
                              uint64_t length)
{
    vxe_xml_node **end = &parent->first_child;
    for (; *end; end = &(*end)->next) {
        if (strlen((*end)->name) == length && strncmp((*end)->name, name, length) == 0) {
            return *end;
        }
    }
    vxe_xml_node *node = vxe_arena_take(&tree->arena, sizeof *node);
    const char **attributes = vxe_arena_take(&tree->arena, sizeof *attributes);
    char *copy = vxe_arena_text(&tree->arena, name, length);
    if (!node || !attributes || !copy) {
        return NULL;
    }
    *node = (vxe_xml_node){.name = copy,
                           .text = "",
                           .attributes = attributes,
                           .parent = parent,
                           .file = parent->file,
                           .line = parent->line,
                           .column = parent->column};
    *end = node;
    return node;
}

/* Moves everything but name, parent and sibling to another node. */
static void take_over(vxe_xml_node *to, const vxe_xml_node *from)
{
    VXE_ASSERT(to != from);
    to->text = from->text;
    to->length = from->length;
    to->attributes = from->attributes;
    to->first_child = from->first_child;
    to->file = from->file;
    to->line = from->line;
    to->column = from->column;
    for (vxe_xml_node *child = to->first_child; child; child = child->next) {
        child->parent = to;
    }
}

/* Depth of the tags inside a tag; at most VXE_XML_DEEPEST, since trees are read no deeper. */
static uint32_t depth_of(const vxe_xml_node *node)
{
    uint32_t max = 0;
    for (const vxe_xml_node *child = node->first_child; child; child = child->next) {
        const uint32_t depth = 1 + depth_of(child);
        max = depth > max ? depth : max;
    }
    return max;
}

/* Replaces the element at a path of base. */
static vxe_status replace(vxe_xml_tree *base, vxe_xml_node *from, const char *path,
                          vxe_error *error)
{
    uint64_t length = strcspn(path, ".");
    if (strlen(base->root->name) != length || strncmp(base->root->name, path, length) != 0) {
        return vxe_xml_error(error, VXE_ERROR_INPUT, from,
                             "replace=\"%.60s\" does not begin with <%s>, the root of %s", path,
                             base->root->name, base->root->file);
    }
    vxe_xml_node *to = base->root;
    path += length;
    uint32_t depth = 1;
    while (*path == '.') {
        path++;
        length = strcspn(path, ".");
        if (length == 0) {
            return vxe_xml_error(error, VXE_ERROR_INPUT, from,
                                 "replace=\"%.60s\" names an element with no name",
                                 vxe_xml_attribute(from, "replace"));
        }
        to = child_at(base, to, path, length);
        if (!to) {
            return vxe_error_memory(error, sizeof *to);
        }
        path += length;
        depth++;
        if (depth > VXE_XML_DEEPEST) {
            break;
        }
    }
    if (depth > VXE_XML_DEEPEST || depth + depth_of(from) > VXE_XML_DEEPEST) {
        return vxe_xml_error(error, VXE_ERROR_INPUT, from,
                             "tags are nested deeper than %u at that path", VXE_XML_DEEPEST);
    }
    take_over(to, from);
    from->used = true;
    from->first_child = NULL; /* the children belong to `to` now */
    return VXE_OK;
}

vxe_status vxe_xml_overlay(vxe_xml_tree *base, vxe_xml_node *overlay, vxe_error *error)
{
    vxe_status status = VXE_OK;
    uint64_t count = 0;
    for (vxe_xml_node *child = overlay->first_child; child && !status; child = child->next) {
        const char *path = vxe_xml_attribute(child, "replace");
        vxe_error inner;
        if (path && vxe_limit_check(VXE_LIMIT_REPLACEMENTS, ++count, 0, &inner)) {
            status = vxe_xml_error(error, VXE_ERROR_INPUT, child, "%s", inner.message);
        } else if (path) {
            status = replace(base, child, path, error);
        }
    }
    return status;
}
