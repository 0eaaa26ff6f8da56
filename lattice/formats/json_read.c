/* SPDX-License-Identifier: MIT */
/* Reads JSON files. All of them are named .json, so that the format is recognised by its keys. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/messages_internal.h"
#include "common/status_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/scene/scene_internal.h"

/* Reads a VXL file with a closing brace added, since Voxelyze does not write the last brace of
   files without externals; null if the file is another one or has other mistakes. */
static json_t *load_mended(const vxe_text *source)
{
    json_error_t trouble;
    char *mended = vxe_memory_take(source->size + 1, 1);
    if (!mended) {
        return NULL;
    }
    memcpy(mended, source->text, source->size);
    mended[source->size] = '}';
    json_t *root = json_loadb(mended, (size_t)source->size + 1, JSON_REJECT_DUPLICATES, &trouble);
    vxe_memory_release(mended);
    if (root && !json_object_get(root, "voxelSize")) {
        json_decref(root);
        root = NULL;
    }
    return root;
}

json_t *vxe_json_load(const vxe_text *source, bool *cut, vxe_error *error)
{
    json_error_t trouble;
    const uint64_t failures = vxe_json_watch();
    json_t *root = json_loadb(source->text, (size_t)source->size, JSON_REJECT_DUPLICATES, &trouble);
    *cut = false;
    if (vxe_memory_check(failures, error)) { /* keys may be missing without an error */
        json_decref(root);
        return NULL;
    }
    *cut = !root && json_error_code(&trouble) == json_error_premature_end_of_input;
    if (!root) {
        vxe_error_at(error, VXE_ERROR_INPUT, source->file,
                     trouble.line > 0 ? (uint32_t)trouble.line : 1,
                     trouble.column > 0 ? (uint32_t)trouble.column : 1, "not readable as JSON: %s",
                     trouble.text);
    }
    return root;
}

/* Fills a design by the reader of the format that has such keys, from a file of so many bytes. */
static vxe_status fill(vxe_design *design, json_t *root, uint64_t bytes, vxe_error *error)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    if (format && strcmp(format, "voxelastic experiment") == 0) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "an experiment: use evolve");
    }
    if (json_object_get(root, "voxels_ijk_mat")) {
        return vxe_reference_scene_read(design, root, error);
    }
    if (json_object_get(root, "voxelSize")) {
        return vxe_vxl_fill(design, root, error);
    }
    if ((json_object_get(root, "voxels") && json_object_get(root, "materials")) ||
        json_object_get(root, "affine_bodies")) {
        return vxe_scene_fill(design, root, error);
    }
    if (json_object_get(root, "grid_width")) {
        return vxe_evogym_fill(design, root, bytes, error);
    }
    return vxe_error_fill(error, VXE_ERROR_INPUT,
                          "not a scene: it has neither \"voxels\" and \"materials\" nor "
                          "\"affine_bodies\"");
}

vxe_design *vxe_json_read(const vxe_text *source, vxe_error *error)
{
    bool mended = false;
    VXE_ASSERT(source->text);
    json_t *root = vxe_json_load(source, &mended, error);
    root = mended ? load_mended(source) : root;
    if (!root) {
        return NULL;
    }
    vxe_design *design = vxe_design_create();
    vxe_error inner = {0};
    vxe_status status = design ? VXE_OK : vxe_error_memory(&inner, sizeof *design);
    status = status ? status : fill(design, root, source->size, &inner);
    status = status ? status : vxe_limit_check_design(design, source->size, &inner);
    json_decref(root);
    if (status) {
        vxe_error_at(error, status, source->file, 0, 0, "%s", inner.message);
        vxe_design_destroy(design);
        return NULL;
    }
    if (mended) {
        vxe_messages_add(design->notes, "the last brace was missing");
    }
    return design;
}
