/* SPDX-License-Identifier: MIT */
/* Reads objects of a scene by the table of keys: checks types, stores values that have a place in a
   structure, and notes unknown keys. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/closest_name.h"
#include "common/status_internal.h"
#include "lattice/formats/scene/scene_internal.h"
#include "lattice/formats/scene/scene_table_internal.h"

vxe_scene_item vxe_scene_item_of(vxe_design *design, vxe_scene_part part, json_t *object,
                                 const char *where)
{
    return (vxe_scene_item){vxe_scene_section_of(part), object, where, design};
}

/* The value of a key by its present or its earlier name; null if it is missing. */
static json_t *value_of(const json_t *object, const vxe_scene_key *key)
{
    json_t *value = json_object_get(object, key->key);
    return value || !key->old ? value : json_object_get(object, key->old);
}

static const vxe_scene_key *find_key(const vxe_scene_section *section, const char *name)
{
    for (size_t i = 0; i < section->key_count; i++) {
        if (strcmp(section->keys[i].key, name) == 0) {
            return &section->keys[i];
        }
    }
    return NULL;
}

/* The key of that name, present or earlier, in a section and those with more keys of its object. */
static const vxe_scene_key *find_any(const vxe_scene_section *section, const char *name)
{
    for (; section; section = section->also) {
        for (size_t i = 0; i < section->key_count; i++) {
            const vxe_scene_key *key = &section->keys[i];
            if (strcmp(key->key, name) == 0 || (key->old && strcmp(key->old, name) == 0)) {
                return key;
            }
        }
    }
    return NULL;
}

const char *vxe_scene_key_at(const void *names, unsigned index)
{
    for (const vxe_scene_section *section = names; section; section = section->also) {
        if (index < section->key_count) {
            return section->keys[index].key;
        }
        index -= (unsigned)section->key_count;
    }
    return NULL;
}

void vxe_scene_note(const vxe_scene_item *item)
{
    const char *name = NULL;
    json_t *value = NULL;
    vxe_messages *notes = item->design->notes;
    json_object_foreach(item->object, name, value)
    {
        const vxe_scene_key *key = find_any(item->section, name);
        if (!key && vxe_messages_are_full(notes)) { /* what was meant takes long to find */
            vxe_messages_add_mistake(notes, "%s: an unknown key", item->section->note);
        } else if (!key) {
            char text[200];
            vxe_unknown_key(text, sizeof text, name, vxe_scene_key_at, item->section);
            vxe_messages_add_mistake(notes, "%s: %s", item->section->note, text);
        } else if (strcmp(key->key, name) != 0 && json_object_get(item->object, key->key)) {
            vxe_messages_add_mistake(notes,
                                     "%s: \"%s\" is not read: it is the earlier name of \"%s\", "
                                     "which is there too",
                                     item->section->note, name, key->key);
        }
    }
}

/* The words for a value of that type in messages; null if the reader checks the type itself. */
static const char *name_of(const vxe_scene_key *key, char *text, size_t size)
{
    switch (key->type) {
    case VXE_SCENE_NUMBER:
        return "a number";
    case VXE_SCENE_WHOLE:
        return "a whole number from 0";
    case VXE_SCENE_NUMBERS:
        snprintf(text, size, "an array of %u numbers", key->count);
        return text;
    case VXE_SCENE_FLAG:
        return "true or false";
    case VXE_SCENE_TEXT:
    case VXE_SCENE_CHOICE:
        return "a string";
    case VXE_SCENE_FORMULA:
        return "a formula in quotes";
    case VXE_SCENE_OBJECT:
        return "an object";
    case VXE_SCENE_LIST:
        snprintf(text, size, "an array of %s", key->form);
        return text;
    case VXE_SCENE_ANY:
        break;
    }
    return NULL;
}

static bool all_numbers(const json_t *array, size_t count)
{
    bool good = json_is_array(array) && json_array_size(array) == count;
    for (size_t i = 0; i < count && good; i++) {
        good = json_is_number(json_array_get(array, i));
    }
    return good;
}

static bool is_whole(const json_t *value)
{
    const double number = json_number_value(value);
    return json_is_number(value) && number >= 0 && number <= UINT32_MAX && number == floor(number);
}

static bool has_type(const vxe_scene_key *key, const json_t *value)
{
    switch (key->type) {
    case VXE_SCENE_NUMBER:
        return json_is_number(value);
    case VXE_SCENE_WHOLE:
        return is_whole(value);
    case VXE_SCENE_NUMBERS:
        return all_numbers(value, key->count);
    case VXE_SCENE_FLAG:
        return json_is_boolean(value);
    case VXE_SCENE_TEXT:
    case VXE_SCENE_CHOICE:
    case VXE_SCENE_FORMULA:
        return json_is_string(value);
    case VXE_SCENE_OBJECT:
        return json_is_object(value);
    case VXE_SCENE_LIST:
        return json_is_array(value);
    case VXE_SCENE_ANY:
        break;
    }
    return true;
}

/* Stores a value of the right type. */
static void store(const vxe_scene_key *key, const json_t *value, void *place)
{
    switch (key->type) {
    case VXE_SCENE_NUMBER:
        *(double *)place = json_number_value(value);
        break;
    case VXE_SCENE_WHOLE:
        *(uint32_t *)place = (uint32_t)json_number_value(value);
        break;
    case VXE_SCENE_NUMBERS:
        for (size_t i = 0; i < key->count; i++) {
            ((double *)place)[i] = json_number_value(json_array_get(value, i));
        }
        break;
    case VXE_SCENE_FLAG:
        *(bool *)place = json_is_true(value);
        break;
    case VXE_SCENE_TEXT:
        snprintf(place, key->count, "%s", json_string_value(value));
        break;
    default:
        VXE_ASSERT(false); /* a key of another type has no place */
    }
}

static vxe_status read_key(const vxe_scene_item *item, const vxe_scene_key *key, void *into,
                           vxe_error *error)
{
    const json_t *value = value_of(item->object, key);
    char text[160];
    if (!value) {
        return key->needed ? vxe_error_fill(error, VXE_ERROR_INPUT, "%s: \"%s\" is missing",
                                            item->where, key->key)
                           : VXE_OK;
    }
    if (!has_type(key, value)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: \"%s\" must be %s", item->where,
                              key->key, name_of(key, text, sizeof text));
    }
    if (key->type == VXE_SCENE_FORMULA) {
        return vxe_design_set_formula(item->design, (vxe_formula)key->count,
                                      json_string_value(value), error);
    }
    if (key->offset != VXE_SCENE_BY_HAND) {
        VXE_ASSERT(into);
        store(key, value, (char *)into + key->offset);
    }
    return VXE_OK;
}

vxe_status vxe_scene_read(const vxe_scene_item *item, void *into, vxe_error *error)
{
    vxe_status status = VXE_OK;
    VXE_ASSERT(item->section && item->where && item->design);
    if (item->object && !json_is_object(item->object)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: must be an object", item->where);
    }
    for (size_t i = 0; i < item->section->key_count && item->object && !status; i++) {
        status = read_key(item, &item->section->keys[i], into, error);
    }
    if (!status && !item->section->partial) {
        vxe_scene_note(item);
    }
    return status;
}

json_t *vxe_scene_get(const vxe_scene_item *item, const char *key)
{
    const vxe_scene_key *found = find_key(item->section, key);
    VXE_ASSERT(found); /* the reader asks for a key that the table lacks */
    return found ? value_of(item->object, found) : NULL;
}

const char *vxe_scene_word(const char *words, uint32_t place, size_t *length)
{
    for (uint32_t i = 0; words && i < place; i++) {
        words = strchr(words, '|');
        words = words ? words + 1 : NULL;
    }
    *length = words ? strcspn(words, "|") : 0;
    return words;
}

/* Lists the words of a choice in a sentence: "box, cylinder, sphere or voxels". */
static const char *list_words(const char *words, char *text, size_t size)
{
    size_t length = 0;
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; vxe_scene_word(words, i, &length) && used < size; i++) {
        size_t after = 0;
        const char *word = vxe_scene_word(words, i, &length);
        const bool last = !vxe_scene_word(words, i + 1, &after);
        used += (size_t)snprintf(text + used, size - used, "%s%.*s",
                                 i == 0 ? ""
                                 : last ? " or "
                                        : ", ",
                                 (int)length, word);
    }
    return text;
}

vxe_status vxe_scene_choose(const vxe_scene_item *item, const char *key, uint32_t *choice,
                            vxe_error *error)
{
    const vxe_scene_key *found = find_key(item->section, key);
    const char *said = json_string_value(vxe_scene_get(item, key));
    char text[160];
    size_t length = 0;
    VXE_ASSERT(found && found->type == VXE_SCENE_CHOICE);
    if (!said) {
        return VXE_OK;
    }
    for (uint32_t i = 0; vxe_scene_word(found->form, i, &length); i++) {
        const char *word = vxe_scene_word(found->form, i, &length);
        if (strlen(said) == length && strncmp(said, word, length) == 0) {
            *choice = i;
            return VXE_OK;
        }
    }
    return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: \"%s\" is \"%.40s\"; expected %s",
                          item->where, key, said, list_words(found->form, text, sizeof text));
}
