/* SPDX-License-Identifier: MIT */
/* Our JSON scene, and the dialect of the reference scenes measured on Voxelyze. The format is
 * described in docs/designs.md, its keys in docs/scene-reference.md. */
#ifndef VXE_LATTICE_FORMATS_SCENE_SCENE_INTERNAL_H
#define VXE_LATTICE_FORMATS_SCENE_SCENE_INTERNAL_H

#include <jansson.h>

#include "common/messages_internal.h"
#include "lattice/design.h"
#include "lattice/formats/text_internal.h"
#include "lattice/topology_internal.h"

/* The value in a JSON file; null and an error where it holds none. *cut: it ends too early. */
json_t *vxe_json_load(const vxe_text *source, bool *cut, vxe_error *error);

/* A .json file of any kind that we read. */
vxe_design *vxe_json_read(const vxe_text *source, vxe_error *error);

/* Fills design from a scene (it has "voxels" and "materials"). */
vxe_status vxe_scene_fill(vxe_design *design, json_t *root, vxe_error *error);

/* See vxe_design_read_materials. */
vxe_status vxe_materials_read(vxe_design *design, const vxe_text *source, vxe_error *error);

/* Adds the materials of a scene's list. */
vxe_status vxe_scene_materials(vxe_design *design, const json_t *array, vxe_error *error);

/* Fills design from an EvoGym world (it has "grid_width"). */
vxe_status vxe_evogym_fill(vxe_design *design, json_t *root, vxe_error *error);

/* Fills design from a Voxelyze VXL (it has "voxelSize"). */
vxe_status vxe_vxl_fill(vxe_design *design, json_t *root, vxe_error *error);
vxe_status vxe_vxl_write(const vxe_design *design, const vxe_topology *scan, const char *path,
                         vxe_error *error);

/* m/s^2 of gravity 1 in a VXL. */
#define VXE_VXL_GRAVITY 9.80665

vxe_status vxe_evogym_write(const vxe_design *design, const vxe_topology *scan, const char *path,
                            vxe_error *error);

/* A design as a scene's object; null for want of memory. */
json_t *vxe_scene_object(const vxe_design *design);

vxe_status vxe_scene_write(const vxe_design *design, const vxe_topology *scan, const char *path,
                           vxe_error *error);

/* Fills design from a reference scene (it has "voxels_ijk_mat"). */
vxe_status vxe_reference_scene_read(vxe_design *design, const json_t *root, vxe_error *error);

/* The floor of a scene; object may be null. */
vxe_status vxe_scene_read_floor(vxe_design *design, json_t *object, vxe_error *error);
json_t *vxe_scene_floor(const vxe_floor *floor);

/* Magnets of a scene; object may be null. */
vxe_status vxe_scene_read_magnetics(vxe_design *design, json_t *object, vxe_error *error);
json_t *vxe_scene_magnetics(const vxe_design *design);

/* Laws of contacts, behind the materials; array may be null. */
vxe_status vxe_scene_read_contacts(vxe_design *design, const json_t *array, vxe_error *error);
json_t *vxe_scene_contacts(const vxe_design *design);

/* Affine bodies and walls. */
vxe_status vxe_scene_read_affine(vxe_design *design, const json_t *bodies, const json_t *walls,
                                 vxe_error *error);
/* What is told of them, behind them. */
vxe_status vxe_scene_read_observations(vxe_design *design, const json_t *array, vxe_error *error);
void vxe_scene_put_affine(json_t *root, const vxe_design *design);

void vxe_scene_put_formula(json_t *object, const char *key, const vxe_design *design,
                           vxe_formula which);

json_t *vxe_scene_array(const double *values, size_t count);

/* Names may hold bytes that are not UTF-8, which JSON can not say. */
json_t *vxe_scene_string(const char *text);

/* Writes a value with 17 digits, so that what is read back is the same to the last bit, and lets go
 * of it. The file appears whole or not at all. */
vxe_status vxe_json_write(json_t *root, const char *path, vxe_error *error);

/* Notes keys that the reader does not know. known ends with null. */
void vxe_scene_note_unknown(json_t *object, const char *where, const char *const known[],
                            vxe_messages *notes);

/* Helpers of other dialects than our own, whose keys are read by their table
   (scene_table_internal.h). where names the object in messages. All leave *value alone where the
 * key is missing. */
vxe_status vxe_scene_number(const json_t *object, const char *where, const char *key, double *value,
                            vxe_error *error);
/* Where the number of a key goes. */
typedef struct vxe_scene_place {
    const char *key;
    double *value;
} vxe_scene_place;

vxe_status vxe_scene_places(const json_t *object, const char *where, const vxe_scene_place *places,
                            size_t count, vxe_error *error);
vxe_status vxe_scene_flag(const json_t *object, const char *where, const char *key, bool *value,
                          vxe_error *error);
vxe_status vxe_scene_vector(const json_t *object, const char *where, const char *key,
                            double value[3], vxe_error *error);
vxe_status vxe_scene_numbers(const json_t *object, const char *where, const char *key,
                             double *values, size_t count, vxe_error *error);
vxe_status vxe_scene_text(const json_t *object, const char *where, const char *key, char *value,
                          uint64_t size, vxe_error *error);

/* Fails where the key is there with another type. */
vxe_status vxe_scene_expect(const json_t *object, const char *where, const char *key,
                            json_type type, vxe_error *error);

/* An array of voxel indices as a new block; *count is 0 and *indices null where the key is missing.
 */
vxe_status vxe_scene_indices(const json_t *object, const char *where, const char *key,
                             uint32_t **indices, uint32_t *count, vxe_error *error);
/* Likewise of the value of a key; null: it is missing. */
vxe_status vxe_scene_indices_of(const json_t *value, const char *where, const char *key,
                                uint32_t **indices, uint32_t *count, vxe_error *error);

/* Voxels from [[i, j, k, material], ...]. */
vxe_status vxe_scene_voxels(vxe_design *design, const json_t *array, const char *key,
                            vxe_error *error);

/* Initial velocities from [{"voxels": [...], "velocity" key: [..], spin key: [..]}, ...]. */
vxe_status vxe_scene_velocities(vxe_design *design, const json_t *array, const char *velocity,
                                const char *spin, vxe_error *error);

/* A table [[t, value], ...] as a new block of (count, 2). */
vxe_status vxe_scene_table(const json_t *array, const char *where, double **table, uint32_t *count,
                           vxe_error *error);
json_t *vxe_scene_rows(const double *table, uint32_t count);

/* What sizes of voxels follow; object and array may be null. */
vxe_status vxe_scene_read_actuation(vxe_design *design, json_t *object, vxe_error *error);
vxe_status vxe_scene_read_stiffening(vxe_design *design, const json_t *table, vxe_error *error);
vxe_status vxe_scene_read_schedules(vxe_design *design, const json_t *array, vxe_error *error);
json_t *vxe_scene_actuation(const vxe_actuation *heat);
json_t *vxe_scene_schedules(const vxe_design *design);

#endif
