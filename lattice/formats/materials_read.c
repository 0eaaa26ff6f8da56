/* SPDX-License-Identifier: MIT */
/* Replaces materials by name, for designs of formats that only distinguish voxels (colours, types)
   and say nothing of their stiffness. */
#include <string.h>

#include "common/closest_name.h"
#include "common/messages_internal.h"
#include "common/status_internal.h"
#include "lattice/formats/scene/scene_internal.h"

/* Whether the first count materials of a design have one of that name. */
static bool has(const vxe_design *design, uint32_t count, const char *name)
{
    bool found = false;
    for (uint32_t i = 0; i < count && !found; i++) {
        found = strcmp(design->materials[i].name, name) == 0;
    }
    return found;
}

/* Checks that each name is in the design, and once in the list. */
static vxe_status check_names(const vxe_design *design, const vxe_design *given, vxe_error *error)
{
    for (uint32_t i = 0; i < given->material_count; i++) {
        const char *name = given->materials[i].name;
        if (!has(design, design->material_count, name) || has(given, i, name)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT, "material %u (from 0), '%.63s': %s", i,
                                  name,
                                  has(given, i, name) ? "it is there twice"
                                                      : "the design has no material of that name");
        }
    }
    return VXE_OK;
}

/* Replaces the materials of that name; colored: the colour, too. */
static void give(vxe_design *design, const vxe_material *given, bool colored)
{
    for (uint32_t i = 0; i < design->material_count; i++) {
        vxe_material *m = &design->materials[i];
        if (strcmp(m->name, given->name) == 0) {
            float color[4];
            memcpy(color, m->color, sizeof color);
            *m = *given;
            memcpy(m->color, colored ? given->color : color, sizeof color);
        }
    }
}

/* Notes keys beside the list. */
static void note_unknown(json_t *root, vxe_messages *notes)
{
    static const char *const known[] = {"materials", NULL};
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(root, name, value)
    {
        if (strcmp(name, known[0]) != 0) {
            char text[200];
            vxe_unknown_key(text, sizeof text, name, vxe_name_in_list, known);
            vxe_messages_add_mistake(notes, "materials file: %s", text);
        }
    }
}

/* Reads the list of materials and replaces those of the design. */
static vxe_status give_all(vxe_design *design, json_t *root, const char *path, vxe_error *error)
{
    vxe_error inner = {0};
    vxe_design *given = vxe_design_create();
    vxe_status status = given ? VXE_OK : vxe_error_memory(&inner, sizeof *given);
    const json_t *list = json_object_get(root, "materials");
    if (!status && !json_is_array(list)) {
        status = vxe_error_fill(&inner, VXE_ERROR_INPUT,
                                "\"materials\", a list of materials, is missing");
    }
    status = status ? status : vxe_scene_materials(given, list, &inner);
    status = status ? status : check_names(design, given, &inner);
    for (uint32_t i = 0; !status && i < given->material_count; i++) {
        give(design, &given->materials[i],
             json_object_get(json_array_get(list, i), "color") != NULL);
    }
    if (!status) {
        vxe_messages_join(design->notes, given->notes);
        note_unknown(root, design->notes);
    }
    vxe_design_destroy(given);
    return status ? vxe_error_at(error, status, path, 0, 0, "%s", inner.message) : VXE_OK;
}

vxe_status vxe_materials_read(vxe_design *design, const vxe_text *source, vxe_error *error)
{
    bool cut = false;
    json_t *root = vxe_json_load(source, &cut, error);
    if (!root) {
        return error->status;
    }
    const vxe_status status = give_all(design, root, source->file, error);
    json_decref(root);
    return status;
}
