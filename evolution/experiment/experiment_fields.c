/* SPDX-License-Identifier: MIT */
/* Reads and writes sections of an experiment's file by tables of fields. */
#include "common/assert_internal.h"
#include "evolution/experiment/experiment_fields_internal.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/closest_name.h"
#include "common/status_internal.h"

/* Largest number of fields in a section. */
#define MAX_FIELDS 40u

/* Appends a word to a list. */
static void append_word(char *list, size_t size, const char *word)
{
    const size_t length = strlen(list);
    snprintf(list + length, size - length, "%s%s", length ? ", " : "", word);
}

/* Refuses a key, and says which one was meant or which there are. */
static vxe_status refuse_key(const char *where, const char *key, const char *const known[],
                             vxe_error *error)
{
    char text[200];
    char list[400] = "";
    const char *nearest = vxe_unknown_key(text, sizeof text, key, vxe_name_in_list, known);
    for (size_t i = 0; known[i] && !nearest; i++) {
        append_word(list, sizeof list, known[i]);
    }
    return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: %s%s%s", where, text,
                          nearest ? "" : "; known are ", list);
}

vxe_status vxe_fields_known(json_t *object, const char *where, const char *const known[],
                            vxe_error *error)
{
    void *place = json_object_iter(object);
    for (; place; place = json_object_iter_next(object, place)) {
        const char *key = json_object_iter_key(place);
        bool found = false;
        for (size_t i = 0; known[i] && !found; i++) {
            found = strcmp(known[i], key) == 0;
        }
        if (!found) {
            return refuse_key(where, key, known, error);
        }
    }
    return VXE_OK;
}

static vxe_status read_number(const json_t *item, const char *where, const vxe_field *field,
                              void *place, vxe_error *error)
{
    const double value = json_number_value(item);
    const bool whole = field->kind == VXE_FIELD_WHOLE;
    if (!(whole ? json_is_integer(item) : json_is_number(item)) ||
        !(value >= field->min && value <= field->max)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: \"%s\" must be a %s from %.15g to %.15g",
                              where, field->key, whole ? "whole number" : "number", field->min,
                              field->max);
    }
    if (whole) {
        *(uint64_t *)place = (uint64_t)json_integer_value(item);
    } else {
        *(double *)place = value;
    }
    return VXE_OK;
}

static vxe_status read_choice(const json_t *item, const char *where, const vxe_field *field,
                              uint32_t *choice, vxe_error *error)
{
    VXE_ASSERT(field->choices);
    const char *word = json_string_value(item);
    char list[400] = "";
    for (uint32_t i = 0; field->choices[i]; i++) {
        if (word && strcmp(word, field->choices[i]) == 0) {
            *choice = i;
            return VXE_OK;
        }
        append_word(list, sizeof list, field->choices[i]);
    }
    return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: \"%s\" is %s%.60s%s; expected one of %s",
                          where, field->key, word ? "\"" : "", word ? word : "no text",
                          word ? "\"" : "", list);
}

static vxe_status read_text(const json_t *item, const char *where, const vxe_field *field,
                            char *text, vxe_error *error)
{
    const size_t capacity = (size_t)field->max;
    VXE_ASSERT(capacity > 0);
    if (!json_is_string(item) || json_string_length(item) >= capacity) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "%s: \"%s\" must be a text of fewer than %zu bytes", where,
                              field->key, capacity);
    }
    snprintf(text, capacity, "%s", json_string_value(item));
    return VXE_OK;
}

static vxe_status read_words(const json_t *item, const char *where, const vxe_field *field,
                             char *words, vxe_error *error)
{
    const size_t capacity = (size_t)field->max;
    size_t used = 0;
    bool good = json_is_array(item);
    for (size_t i = 0; good && i < json_array_size(item); i++) {
        const json_t *word = json_array_get(item, i);
        const size_t size = json_string_length(word) + 1;
        good = json_is_string(word) && size > 1 && used + size < capacity;
        if (good) {
            memcpy(words + used, json_string_value(word), size);
            used += size;
        }
    }
    words[good ? used : 0] = '\0';
    return good ? VXE_OK
                : vxe_error_fill(error, VXE_ERROR_INPUT,
                                 "%s: \"%s\" must be a list of texts, none of them empty, of "
                                 "fewer than %zu bytes in all",
                                 where, field->key, capacity);
}

static vxe_status read_field(const json_t *item, const char *where, const vxe_field *field,
                             void *place, vxe_error *error)
{
    switch (field->kind) {
    case VXE_FIELD_CHOICE:
        return read_choice(item, where, field, place, error);
    case VXE_FIELD_TEXT:
        return read_text(item, where, field, place, error);
    case VXE_FIELD_WORDS:
        return read_words(item, where, field, place, error);
    case VXE_FIELD_FLAG:
        if (!json_is_boolean(item)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: \"%s\" must be true or false", where,
                                  field->key);
        }
        *(bool *)place = json_is_true(item);
        return VXE_OK;
    case VXE_FIELD_NUMBER:
    case VXE_FIELD_WHOLE:
        break;
    }
    return read_number(item, where, field, place, error);
}

vxe_status vxe_fields_fill(const json_t *object, const char *where, const vxe_field *fields,
                           size_t count, void *into, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (size_t i = 0; i < count && !status; i++) {
        const json_t *item = json_object_get(object, fields[i].key);
        if (item) {
            status = read_field(item, where, &fields[i], (char *)into + fields[i].offset, error);
        }
    }
    return status;
}

vxe_status vxe_fields_read(json_t *object, const char *where, const vxe_field *fields, size_t count,
                           void *into, vxe_error *error)
{
    const char *known[MAX_FIELDS + 1];
    VXE_ASSERT(count <= MAX_FIELDS);
    if (object && !json_is_object(object)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: must be an object", where);
    }
    for (size_t i = 0; i < count && i < MAX_FIELDS; i++) {
        known[i] = fields[i].key;
    }
    known[count < MAX_FIELDS ? count : MAX_FIELDS] = NULL;
    const vxe_status status = vxe_fields_known(object, where, known, error);
    return status ? status : vxe_fields_fill(object, where, fields, count, into, error);
}

static json_t *write_words(const char *words)
{
    json_t *list = json_array();
    for (const char *word = words; *word; word += strlen(word) + 1) {
        json_array_append_new(list, json_string(word)); /* the caller counts failures */
    }
    return list;
}

static json_t *write_field(const vxe_field *field, const void *place)
{
    switch (field->kind) {
    case VXE_FIELD_WHOLE:
        return json_integer((json_int_t) * (const uint64_t *)place);
    case VXE_FIELD_FLAG:
        return json_boolean(*(const bool *)place);
    case VXE_FIELD_CHOICE:
        return json_string(field->choices[*(const uint32_t *)place]);
    case VXE_FIELD_TEXT:
        return json_string(place);
    case VXE_FIELD_WORDS:
        return write_words(place);
    case VXE_FIELD_NUMBER:
        break;
    }
    return json_real(*(const double *)place);
}

json_t *vxe_fields_write(const vxe_field *fields, size_t count, const void *from)
{
    json_t *object = json_object();
    bool good = object;
    for (size_t i = 0; i < count && good; i++) {
        good = json_object_set_new(
                   object, fields[i].key,
                   write_field(&fields[i], (const char *)from + fields[i].offset)) == 0;
    }
    if (!good) {
        json_decref(object);
    }
    return good ? object : NULL;
}
