/* SPDX-License-Identifier: MIT */
/* Changes single values of a design by their keys in a scene: the design becomes its scene, values
   are put into it, and the scene is read again. So every key of a scene can be set, with the checks
   and the messages of a file. */
#include <stdlib.h>
#include <string.h>

#include "common/closest_name.h"
#include "common/memory.h"
#include "common/number.h"
#include "common/status_internal.h"
#include "lattice/formats/format.h"
#include "lattice/formats/scene/scene_internal.h"
#include "lattice/formats/scene/scene_table_internal.h"

/* Longest part of a key between dots, with its end; and most parts. */
#define KEY_PART 128
#define MAX_PARTS 16
/* Numbers of a voxel in the widest layers that have an effect. */
#define MAX_WIDTH 3

/* Where a setting stands in a scene. */
typedef struct setting_place {
    const char *key;   /* the whole key, for messages */
    const char *rest;  /* what is left of it; empty: the value goes here */
    json_t *value;     /* borrowed */
    uint32_t voxels;   /* of the design */
    uint32_t parts;    /* of the key so far */
    bool among_layers; /* a number stands for all voxels */
} setting_place;

/* Takes the next part of a key. */
static vxe_status next_part(setting_place *at, char part[KEY_PART], vxe_error *error)
{
    const size_t length = strcspn(at->rest, ".");
    const char *after = at->rest + length;
    if (length == 0 || length >= KEY_PART || (after[0] && !after[1]) || ++at->parts > MAX_PARTS) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "'%.80s' is no key of a scene: expected names or numbers with a dot "
                              "between them, such as floor.slope.0",
                              at->key);
    }
    memcpy(part, at->rest, length);
    part[length] = '\0';
    at->rest = after[0] ? after + 1 : after;
    return VXE_OK;
}

/* A layer in which all voxels have the same numbers: a number, or some in a list. */
static json_t *layer_of(const json_t *numbers, uint32_t voxels)
{
    const size_t width = json_is_array(numbers) ? json_array_size(numbers) : 1;
    json_t *values = json_array();
    for (size_t i = 0; i < width * voxels; i++) {
        json_array_append_new(
            values,
            json_deep_copy(json_is_array(numbers) ? json_array_get(numbers, i % width) : numbers));
    }
    return values;
}

/* Whether a value of a layer stands for all voxels: as many numbers as the widest layers have. */
static bool stands_for_all(const setting_place *at)
{
    const size_t count = json_array_size(at->value);
    return json_is_number(at->value) || (count > 0 && count <= MAX_WIDTH && count < at->voxels);
}

static vxe_status put(json_t *into, const setting_place *at, vxe_error *error);

/* Goes on within a value that is there. */
static vxe_status put_within(json_t *into, const setting_place *at, bool layers, vxe_error *error)
{
    setting_place below = *at;
    below.among_layers = layers;
    return put(into, &below, error);
}

/* Fails for a layer that no reader knows, and that the design does not have: it would have no
   effect. within: for one that is not there, too. */
static vxe_status expect_layer(const json_t *layers, const char *name, bool within,
                               vxe_error *error)
{
    char text[200];
    if (json_object_get(layers, name) || (vxe_layer_acts(name) && !within)) {
        return VXE_OK;
    }
    if (vxe_layer_acts(name)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "there is no layer \"%s\"; set it for all voxels first", name);
    }
    vxe_unknown_key(text, sizeof text, name, vxe_scene_key_at,
                    vxe_scene_section_of(VXE_SCENE_LAYERS));
    return vxe_error_fill(error, VXE_ERROR_INPUT, "layers: %s", text);
}

static vxe_status put_into_object(json_t *object, const setting_place *at, const char *name,
                                  vxe_error *error)
{
    if (at->among_layers && expect_layer(object, name, at->rest[0], error)) {
        return VXE_ERROR_INPUT;
    }
    if (at->rest[0]) {
        if (!json_object_get(object, name)) { /* read like one in a file: unknown keys are told */
            json_object_set_new(object, name, json_object());
        }
        return put_within(json_object_get(object, name), at, strcmp(name, "layers") == 0, error);
    }
    if (json_is_null(at->value)) {
        (void)json_object_del(object, name);
    } else if (at->among_layers && stands_for_all(at)) {
        json_object_set_new(object, name, layer_of(at->value, at->voxels));
    } else {
        json_object_set_new(object, name, json_deep_copy(at->value));
    }
    return VXE_OK;
}

/* Whether a part of a key means an item of a list: its number from 0, its name, or all. */
static bool is_meant(const json_t *item, size_t index, const char *part)
{
    char *end = NULL;
    const unsigned long long number = strtoull(part, &end, 10);
    const char *name = json_string_value(json_object_get(item, "name"));
    const bool is_number = part[0] >= '0' && part[0] <= '9' && !end[0];
    return strcmp(part, "*") == 0 || (is_number && number == index) ||
           (!is_number && name && strcmp(name, part) == 0);
}

static vxe_status put_into_list(json_t *list, const setting_place *at, const char *part,
                                vxe_error *error)
{
    const size_t count = json_array_size(list);
    size_t meant = 0;
    for (size_t i = 0; i < count; i++) {
        json_t *item = json_array_get(list, i);
        if (!is_meant(item, i, part)) {
            continue;
        }
        meant++;
        if (at->rest[0]) {
            const vxe_status status = put_within(item, at, false, error);
            if (status) {
                return status;
            }
        } else {
            json_array_set_new(list, i, json_deep_copy(at->value));
        }
    }
    return meant > 0 ? VXE_OK
                     : vxe_error_fill(error, VXE_ERROR_INPUT,
                                      "'%.80s': '%.60s' is none of %zu items; expected a number "
                                      "from 0, the name of an item, or * for all",
                                      at->key, part, count);
}

/* Puts the value of a setting into an object or a list. */
static vxe_status put(json_t *into, const setting_place *at, vxe_error *error)
{
    char part[KEY_PART];
    setting_place below = *at;
    const vxe_status status = next_part(&below, part, error);
    if (status) {
        return status;
    }
    if (json_is_object(into)) {
        return put_into_object(into, &below, part, error);
    }
    if (json_is_array(into)) {
        return put_into_list(into, &below, part, error);
    }
    return vxe_error_fill(error, VXE_ERROR_INPUT, "'%.80s': there is nothing within '%.*s'",
                          at->key, (int)(at->rest - at->key) - 1, at->key);
}

/* The value of a text: JSON, a number as elsewhere on a command line (.5), or else the text itself.
 */
static json_t *value_of(const char *text, json_error_t *trouble)
{
    double number = 0;
    json_t *value = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, trouble);
    const bool plain = text[0] != '[' && text[0] != '{';
    return value                             ? value
           : !vxe_number_read(text, &number) ? json_real(number) /* null for what is not finite */
           : plain                           ? json_string(text)
                                             : NULL;
}

static vxe_status put_setting(json_t *scene, const vxe_design *design, const vxe_setting *setting,
                              vxe_error *error)
{
    json_error_t trouble = {.text = ""};
    json_t *value = value_of(setting->value, &trouble);
    const setting_place at = {setting->key, setting->key, value, design->voxel_count, 0, false};
    const vxe_status status = value ? put(scene, &at, error)
                                    : vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                                     "'%.80s': the value is neither JSON (%s) "
                                                     "nor a plain text",
                                                     setting->key, trouble.text);
    json_decref(value);
    return status;
}

/* Whether a setting is of a top-level key, or within it. */
static bool is_of(const vxe_setting *setting, const char *key)
{
    const size_t length = strlen(key);
    return strncmp(setting->key, key, length) == 0 &&
           (setting->key[length] == '.' || setting->key[length] == '\0');
}

static bool any_of(const vxe_setting *settings, uint32_t count, const char *key)
{
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        any = any || is_of(&settings[i], key);
    }
    return any;
}

/* Exchanges the voxels of two designs, with layers and velocities. */
static void exchange_voxels(vxe_design *design, vxe_design *from)
{
    const vxe_design old = *from;
    from->voxels = design->voxels;
    from->voxel_count = design->voxel_count;
    from->voxel_capacity = design->voxel_capacity;
    from->layers = design->layers;
    from->layer_count = design->layer_count;
    from->layer_capacity = design->layer_capacity;
    from->velocity = design->velocity;
    design->voxels = old.voxels;
    design->voxel_count = old.voxel_count;
    design->voxel_capacity = old.voxel_capacity;
    design->layers = old.layers;
    design->layer_count = old.layer_count;
    design->layer_capacity = old.layer_capacity;
    design->velocity = old.velocity;
}

/* Whether a text is UTF-8, as scenes are. */
static bool is_utf8(const char *text)
{
    json_t *string = json_string(text);
    const bool is = string;
    json_decref(string);
    return is;
}

/* What a scene does not hold: notes, the reason of the conventions, and names that are not UTF-8.
 */
static void take_rest(vxe_design *design, vxe_design *from, const vxe_setting *settings,
                      uint32_t count)
{
    struct vxe_messages *notes = from->notes;
    from->notes = design->notes;
    design->notes = notes;
    if (!any_of(settings, count, "conventions")) {
        vxe_design_mark(design, from->written_for, from->written_for_by, from->written_for_guessed);
    }
    if (!any_of(settings, count, "name")) {
        memcpy(design->name, from->name, sizeof design->name);
    }
    for (uint32_t i = 0; i < design->material_count && i < from->material_count; i++) {
        if (strcmp(design->materials[i].name, "unnamed") == 0 &&
            !is_utf8(from->materials[i].name)) {
            memcpy(design->materials[i].name, from->materials[i].name,
                   sizeof design->materials[i].name);
        }
    }
}

/* The first mistake that reading a scene has noted; null: none. */
static const char *first_mistake(const vxe_design *design)
{
    for (uint32_t i = 0; i < vxe_design_note_count(design); i++) {
        if (vxe_design_note_is_mistake(design, i)) {
            return vxe_design_note(design, i);
        }
    }
    return NULL;
}

/* Reads a design from a scene with settings. whole: else the scene has no voxels, and the design
   gets those of `from`. */
static vxe_status fill(vxe_design *made, vxe_design *from, json_t *scene,
                       const vxe_setting *settings, uint32_t count, bool whole, vxe_error *error)
{
    const uint64_t failures = vxe_memory_failures();
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        status = put_setting(scene, from, &settings[i], error);
    }
    status = status ? status : vxe_scene_fill(made, scene, error);
    const char *mistake = status ? NULL : first_mistake(made);
    if (mistake) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s", mistake);
    }
    if (status) {
        return status;
    }
    if (!whole) {
        exchange_voxels(made, from);
    }
    status = vxe_design_check(made, error);
    status = status ? status : vxe_memory_check(failures, error);
    if (status && !whole) {
        exchange_voxels(made, from);
    }
    return status;
}

vxe_status vxe_design_set(vxe_design *design, const vxe_setting *settings, uint32_t count,
                          vxe_error *error)
{
    const uint64_t failures = vxe_json_watch();
    bool whole = any_of(settings, count, "voxels");
    whole = whole || any_of(settings, count, "layers");
    whole = whole || any_of(settings, count, "initial_velocities");
    vxe_error inner = {0};
    vxe_design *made = vxe_design_create();
    json_t *scene = whole ? vxe_scene_object(design) : vxe_scene_object_without_voxels(design);
    vxe_status status = made && !vxe_memory_check(failures, error)
                            ? fill(made, design, scene, settings, count, whole, &inner)
                            : VXE_ERROR_MEMORY;
    json_decref(scene);
    if (!status) {
        take_rest(made, design, settings, count);
        const vxe_design old = *design;
        *design = *made;
        *made = old;
    } else if (!vxe_memory_check(failures, error)) {
        vxe_error_fill(error, status, "%s", inner.message);
    } else { /* what could not be stored may look like a mistake */
        status = VXE_ERROR_MEMORY;
    }
    vxe_design_destroy(made);
    return status;
}
