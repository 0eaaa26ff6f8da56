/* SPDX-License-Identifier: MIT */
/* Readers and writers of our JSON scene and of other JSON formats. docs/designs.md describes
 * scenes, and docs/scene-reference.md lists their keys. */
#ifndef VXE_LATTICE_FORMATS_SCENE_SCENE_INTERNAL_H
#define VXE_LATTICE_FORMATS_SCENE_SCENE_INTERNAL_H

#include <jansson.h>

#include "common/messages_internal.h"
#include "lattice/design.h"
#include "lattice/formats/json_memory.h"
#include "lattice/formats/sink_internal.h"
#include "lattice/formats/text_internal.h"
#include "lattice/topology_internal.h"

/* Parses a JSON file; null, and error filled, if it is not valid (VXE_ERROR_INPUT) or there is no
   memory. *cut: the file ends too early. */
json_t *vxe_json_load(const vxe_text *source, bool *cut, vxe_error *error);

/* Reads a .json file of any format. */
vxe_design *vxe_json_read(const vxe_text *source, vxe_error *error);

/* Fills a design from a scene, which has "voxels" and "materials" or "affine_bodies". */
vxe_status vxe_scene_fill(vxe_design *design, json_t *root, vxe_error *error);

/* See vxe_design_read_materials. */
vxe_status vxe_materials_read(vxe_design *design, const vxe_text *source, vxe_error *error);

/* Adds the materials of a scene's list. */
vxe_status vxe_scene_materials(vxe_design *design, const json_t *array, vxe_error *error);

/* Fills a design from an EvoGym world, which has "grid_width". */
vxe_status vxe_evogym_fill(vxe_design *design, json_t *root, uint64_t bytes, vxe_error *error);

/* Fills a design from a VXL of Voxelyze, which has "voxelSize"; and writes one. */
vxe_status vxe_vxl_fill(vxe_design *design, json_t *root, vxe_error *error);
vxe_status vxe_vxl_write(const vxe_design *design, const vxe_topology *scan, vxe_sink *sink,
                         vxe_error *error);

/* m/s^2: unit of gravity in a VXL. */
#define VXE_VXL_GRAVITY 9.80665

/* Writes an EvoGym world. */
vxe_status vxe_evogym_write(const vxe_design *design, const vxe_topology *scan, vxe_sink *sink,
                            vxe_error *error);

/* The JSON object of a scene; and one without voxels, layers and initial velocities. Null without
   memory. */
json_t *vxe_scene_object(const vxe_design *design);
json_t *vxe_scene_object_without_voxels(const vxe_design *design);

/* Writes a scene. */
vxe_status vxe_scene_write(const vxe_design *design, const vxe_topology *scan, vxe_sink *sink,
                           vxe_error *error);

/* Fills a design from a reference scene, which has "voxels_ijk_mat". */
vxe_status vxe_reference_scene_read(vxe_design *design, const json_t *root, vxe_error *error);

/* Reads the floor of a scene (object may be null); and its JSON object. */
vxe_status vxe_scene_read_floor(vxe_design *design, json_t *object, vxe_error *error);
json_t *vxe_scene_floor(const vxe_floor *floor);

/* Reads the controller of a scene (object may be null); and its JSON object. */
vxe_status vxe_scene_read_controller(vxe_design *design, json_t *object, vxe_error *error);
json_t *vxe_scene_controller(const vxe_controller *controller);

/* Reads the magnets of a scene (object may be null); and their JSON object. */
vxe_status vxe_scene_read_magnetics(vxe_design *design, json_t *object, vxe_error *error);
json_t *vxe_scene_magnetics(const vxe_design *design);

/* Reads contact rules, after the materials (array may be null); and their JSON array. */
vxe_status vxe_scene_read_contacts(vxe_design *design, const json_t *array, vxe_error *error);
json_t *vxe_scene_contacts(const vxe_design *design);

/* Reads affine bodies and walls. */
vxe_status vxe_scene_read_affine(vxe_design *design, const json_t *bodies, const json_t *walls,
                                 vxe_error *error);

/* Reads observations, after the affine bodies. */
vxe_status vxe_scene_read_observations(vxe_design *design, const json_t *array, vxe_error *error);

/* Adds affine bodies, walls and observations to a scene. */
void vxe_scene_put_affine(json_t *root, const vxe_design *design);

/* Adds a formula under a key if the design has it. */
void vxe_scene_put_formula(json_t *object, const char *key, const vxe_design *design,
                           vxe_formula which);

/* A JSON array of numbers. */
json_t *vxe_scene_array(const double *values, size_t count);

/* A JSON string; a text that is not UTF-8, which JSON requires, becomes "unnamed". */
json_t *vxe_scene_string(const char *text);

/* Writes a value with 17 digits, so that numbers are read back to the last bit, and releases it. A
   file is written completely or not at all. failures: of vxe_json_watch, called before the
   value was built; where an allocation has failed since, the value lacks something, and nothing is
   written (VXE_ERROR_MEMORY). */
vxe_status vxe_json_put(json_t *root, uint64_t failures, vxe_sink *sink, vxe_error *error);

/* The same into a file. */
vxe_status vxe_json_write(json_t *root, uint64_t failures, const char *path, vxe_error *error);

/* The same as a text in memory, which ends with a zero byte that *size (may be null) does not
   count; vxe_memory_release takes it. Null, and error filled, without memory. */
char *vxe_json_text(json_t *root, uint64_t failures, uint64_t *size, vxe_error *error);

/* Adds a note for each key of a file of others that is not in known, which ends with null. No
   mistake: other programs write more keys than we read. */
void vxe_scene_note_unknown(json_t *object, const char *where, const char *const known[],
                            vxe_messages *notes);

/* Helpers for JSON formats of others; keys of our scenes are read by their table instead
   (scene_table_internal.h). Messages name the object by where. If the key is missing, *value is not
   changed. */
vxe_status vxe_scene_number(const json_t *object, const char *where, const char *key, double *value,
                            vxe_error *error);

/* A key, and where its number is stored. */
typedef struct vxe_scene_place {
    const char *key;
    double *value;
} vxe_scene_place;

vxe_status vxe_scene_places(const json_t *object, const char *where, const vxe_scene_place *places,
                            size_t count, vxe_error *error);
vxe_status vxe_scene_flag(const json_t *object, const char *where, const char *key, bool *value,
                          vxe_error *error);
/* Adds to *fixed the freedoms of a list of six of true and false. */
vxe_status vxe_scene_freedoms(const json_t *object, const char *where, const char *key,
                              uint32_t *fixed, vxe_error *error);
vxe_status vxe_scene_vector(const json_t *object, const char *where, const char *key,
                            double value[3], vxe_error *error);
vxe_status vxe_scene_numbers(const json_t *object, const char *where, const char *key,
                             double *values, size_t count, vxe_error *error);
vxe_status vxe_scene_text(const json_t *object, const char *where, const char *key, char *value,
                          uint64_t size, vxe_error *error);

/* Fails if the key has another type. */
vxe_status vxe_scene_expect(const json_t *object, const char *where, const char *key,
                            json_type type, vxe_error *error);

/* Reads an array of voxel indices into a new block; *count is 0 and *indices null if the key is
 * missing. */
vxe_status vxe_scene_indices(const json_t *object, const char *where, const char *key,
                             uint32_t **indices, uint32_t *count, vxe_error *error);

/* The same for the value of a key, which is null if the key is missing. */
vxe_status vxe_scene_indices_of(const json_t *value, const char *where, const char *key,
                                uint32_t **indices, uint32_t *count, vxe_error *error);

/* Adds voxels from [[i, j, k, material], ...]. */
vxe_status vxe_scene_voxels(vxe_design *design, const json_t *array, const char *key,
                            vxe_error *error);

/* Sets initial velocities from [{"voxels": [...], VELOCITY: [..], SPIN: [..]}, ...], where the
   arguments velocity and spin are these keys. */
vxe_status vxe_scene_velocities(vxe_design *design, const json_t *array, const char *velocity,
                                const char *spin, vxe_error *error);

/* Reads a table [[time, value], ...] into a new block (count, 2). */
vxe_status vxe_scene_table(const json_t *array, const char *where, double **table, uint32_t *count,
                           vxe_error *error);

/* A table as a JSON array. */
json_t *vxe_scene_rows(const double *table, uint32_t count);

/* Read actuation, stiffening and schedules (object, table and array may be null); and their JSON
   values. */
vxe_status vxe_scene_read_actuation(vxe_design *design, json_t *object, vxe_error *error);
vxe_status vxe_scene_read_stiffening(vxe_design *design, const json_t *table, vxe_error *error);
vxe_status vxe_scene_read_schedules(vxe_design *design, const json_t *array, vxe_error *error);
json_t *vxe_scene_actuation(const vxe_actuation *heat);
json_t *vxe_scene_schedules(const vxe_design *design);

#endif
