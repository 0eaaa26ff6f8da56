/* SPDX-License-Identifier: MIT */
/* Materials by name, for designs of formats that tell voxels apart and say nothing else of them. */
#include <string.h>

#include "common/status_internal.h"
#include "lattice/formats/scene_internal.h"

/* Puts a material in the place of those of its name; false where there is none. */
static bool give(vxe_design *design, const vxe_material *given, bool colored)
{
    bool any = false;
    for (uint32_t i = 0; i < design->material_count; i++) {
        vxe_material *m = &design->materials[i];
        if (strcmp(m->name, given->name) == 0) {
            float color[4];
            memcpy(color, m->color, sizeof color);
            *m = *given;
            memcpy(m->color, colored ? given->color : color, sizeof color);
            any = true;
        }
    }
    return any;
}

static vxe_status give_all(vxe_design *design, const json_t *root, const char *path,
                           vxe_error *error)
{
    vxe_error inner = {0};
    vxe_design *holder = vxe_design_create();
    vxe_status status = holder ? VXE_OK : vxe_error_memory(&inner, sizeof *holder);
    const json_t *list = json_object_get(root, "materials");
    if (!status && !json_is_array(list)) {
        status = vxe_error_fill(&inner, VXE_ERROR_INPUT,
                                "\"materials\", a list of materials, is missing");
    }
    status = status ? status : vxe_scene_materials(holder, list, &inner);
    for (uint32_t i = 0; !status && i < holder->material_count; i++) {
        const bool colored = json_object_get(json_array_get(list, i), "color") != NULL;
        if (!give(design, &holder->materials[i], colored)) {
            status = vxe_error_fill(&inner, VXE_ERROR_INPUT,
                                    "material %u (from 0), '%.63s': the design has none of that "
                                    "name",
                                    i, holder->materials[i].name);
        }
    }
    vxe_design_destroy(holder);
    return status ? vxe_error_at(error, status, path, 0, 0, "%s", inner.message) : VXE_OK;
}

vxe_status vxe_materials_read(vxe_design *design, const vxe_text *source, vxe_error *error)
{
    bool cut = false;
    json_t *root = vxe_json_load(source, &cut, error);
    if (!root) {
        return VXE_ERROR_INPUT;
    }
    const vxe_status status = give_all(design, root, source->file, error);
    json_decref(root);
    return status;
}
