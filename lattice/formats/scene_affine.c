/* SPDX-License-Identifier: MIT */
/* Affine bodies and walls of a scene, read and written. */
#include <stddef.h>
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/scene_internal.h"

/* What a body's places, turns and rates are called, and how many numbers they have. */
typedef struct field {
    const char *key;
    size_t offset;
    size_t count;
} field;

static const field fields[] = {
    {"center_m", offsetof(vxe_affine_body, center), 3},
    {"orientation", offsetof(vxe_affine_body, orientation), 4},
    {"deformation", offsetof(vxe_affine_body, deformation), 9},
    {"velocity_m_per_s", offsetof(vxe_affine_body, velocity), 3},
    {"spin_rad_per_s", offsetof(vxe_affine_body, spin), 3},
    {"rate_1_per_s", offsetof(vxe_affine_body, rate), 9},
};
static const char *const holds[] = {"nothing", "center", "deformation", "both"};

typedef struct formulas_of {
    const char *key;
    int first, count;
} formulas_of;

static const formulas_of formula_lists[] = {{"growth", VXE_AFFINE_GROWTH, 9},
                                            {"drive_Pa", VXE_AFFINE_DRIVE, 9},
                                            {"force_N", VXE_AFFINE_FORCE, 3}};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static double *numbers_of(const field *f, const vxe_affine_body *body)
{
    return (double *)((char *)(size_t)body + f->offset);
}

/* Vertices and faces of a polyhedron. */
static vxe_status read_polyhedron(const json_t *object, const char *where, vxe_affine_shape *shape,
                                  vxe_error *error)
{
    const json_t *vertices = json_object_get(object, "vertices_m");
    const json_t *faces = json_object_get(object, "faces");
    uint64_t corners = 0;
    for (size_t f = 0; f < json_array_size(faces); f++) {
        corners += json_array_size(json_array_get(faces, f));
    }
    if (json_array_size(vertices) == 0 || corners == 0 || corners > VXE_MOST_AFFINE_CORNERS ||
        json_array_size(vertices) > corners || json_array_size(faces) > corners) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "%s: a polyhedron needs \"vertices_m\": [[x, y, z], ...] and "
                              "\"faces\": [[vertex, ...], ...] of at most %u corners",
                              where, VXE_MOST_AFFINE_CORNERS);
    }
    shape->kind = VXE_AFFINE_POLYHEDRON;
    shape->vertices = vxe_memory_take(3 * json_array_size(vertices), sizeof *shape->vertices);
    shape->corners = vxe_memory_take(corners, sizeof *shape->corners);
    shape->face_sizes = vxe_memory_take(json_array_size(faces), sizeof *shape->face_sizes);
    if (!shape->vertices || !shape->corners || !shape->face_sizes) {
        return vxe_error_memory(error, corners * 32);
    }
    shape->vertex_count = (uint32_t)json_array_size(vertices);
    for (size_t i = 0; i < 3 * json_array_size(vertices); i++) {
        const json_t *number = json_array_get(json_array_get(vertices, i / 3), i % 3);
        if (!json_is_number(number) || json_array_size(json_array_get(vertices, i / 3)) != 3) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "%s: vertex %zu (from 0) is not [x, y, z]", where, i / 3);
        }
        shape->vertices[i] = json_number_value(number);
    }
    for (size_t f = 0; f < json_array_size(faces); f++) {
        const json_t *face = json_array_get(faces, f);
        for (size_t i = 0; i < json_array_size(face); i++) {
            const json_t *corner = json_array_get(face, i);
            const json_int_t value = json_is_integer(corner) ? json_integer_value(corner) : -1;
            shape->corners[shape->corner_count++] =
                value >= 0 && value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
        }
        shape->face_sizes[shape->face_count++] = (uint32_t)json_array_size(face);
    }
    return VXE_OK;
}

static vxe_status read_cylinder(json_t *object, vxe_affine_shape *shape, vxe_messages *notes,
                                vxe_error *error)
{
    static const char *const known[] = {"diameter", "height", "sides", NULL};
    double sides = shape->sides;
    const vxe_scene_place places[] = {
        {"diameter", &shape->size[0]}, {"height", &shape->size[2]}, {"sides", &sides}};
    const vxe_status status = vxe_scene_places(object, "cylinder_m", places, 3, error);
    vxe_scene_note_unknown(object, "cylinder_m", known, notes);
    shape->kind = VXE_AFFINE_CYLINDER;
    shape->size[1] = shape->size[0];
    shape->sides = sides >= 0 && sides <= UINT32_MAX ? (uint32_t)sides : 0;
    return status;
}

/* One of "box_m", "cylinder_m" and "polyhedron". */
static vxe_status read_shape(json_t *item, const char *where, vxe_affine_shape *shape,
                             vxe_messages *notes, vxe_error *error)
{
    json_t *cylinder = json_object_get(item, "cylinder_m");
    json_t *polyhedron = json_object_get(item, "polyhedron");
    const int given =
        (json_object_get(item, "box_m") != NULL) + (cylinder != NULL) + (polyhedron != NULL);
    if (given != 1) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "%s: needs one of \"box_m\": [x, y, z], \"cylinder_m\": "
                              "{\"diameter\", \"height\"} and \"polyhedron\"",
                              where);
    }
    vxe_status status = vxe_scene_expect(item, where, "cylinder_m", JSON_OBJECT, error);
    status = status ? status : vxe_scene_expect(item, where, "polyhedron", JSON_OBJECT, error);
    if (status) {
        return status;
    }
    return polyhedron ? read_polyhedron(polyhedron, where, shape, error)
           : cylinder ? read_cylinder(cylinder, shape, notes, error)
                      : vxe_scene_vector(item, where, "box_m", shape->size, error);
}

/* Formulas, or numbers, of a list; null where it says nothing. */
static vxe_status read_formulas(const json_t *item, const char *where, const formulas_of *list,
                                vxe_affine_body *body, vxe_error *error)
{
    const json_t *array = json_object_get(item, list->key);
    if (!array) {
        return VXE_OK;
    }
    for (int i = 0; i < list->count; i++) {
        const json_t *value = json_array_get(array, (size_t)i);
        char number[40];
        const char *text = json_string_value(value);
        if (json_is_number(value)) {
            snprintf(number, sizeof number, "%.17g", json_number_value(value));
            text = number;
        }
        const bool nothing = json_is_null(value);
        if ((!text && !nothing) || json_array_size(array) != (size_t)list->count) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "%s: \"%s\" must be an array of %d formulas of t, row after row "
                                  "(null: that of 1 in growth, else 0)",
                                  where, list->key, list->count);
        }
        if (nothing) {
            continue;
        }
        char *copy = vxe_memory_take(strlen(text) + 1, 1);
        if (!copy) {
            return vxe_error_memory(error, strlen(text) + 1);
        }
        memcpy(copy, text, strlen(text) + 1);
        body->formulas[list->first + i] = copy;
    }
    return VXE_OK;
}

static vxe_status read_names(const json_t *item, const char *where, vxe_affine_body *body,
                             vxe_error *error)
{
    char kind[32] = "elastic";
    char hold[32] = "nothing";
    int which = 0;
    int held = 0;
    vxe_status status = vxe_scene_text(item, where, "name", body->name, sizeof body->name, error);
    status = status ? status : vxe_scene_text(item, where, "kind", kind, sizeof kind, error);
    status = status ? status : vxe_scene_text(item, where, "hold", hold, sizeof hold, error);
    while (which < VXE_AFFINE_KINDS &&
           strcmp(kind, vxe_affine_kind_name((vxe_affine_kind)which)) != 0) {
        which++;
    }
    while (held < (int)COUNT(holds) && strcmp(hold, holds[held]) != 0) {
        held++;
    }
    if (!status && which == VXE_AFFINE_KINDS) {
        status =
            vxe_error_fill(error, VXE_ERROR_INPUT,
                           "%s: \"kind\" must be \"rigid\", \"elastic\" or \"contractile\"", where);
    }
    if (!status && held == (int)COUNT(holds)) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                "%s: \"hold\" must be \"nothing\", \"center\", \"deformation\" or "
                                "\"both\"",
                                where);
    }
    body->kind = (vxe_affine_kind)which;
    body->hold_center = held & 1;
    body->hold_deformation = held & 2;
    return status;
}

/* The power law that a body meets walls with. */
static vxe_status read_contact(json_t *item, const char *where, vxe_affine_body *body,
                               vxe_messages *notes, vxe_error *error)
{
    json_t *contact = json_object_get(item, "contact");
    const char *known[VXE_MOST_LAW_NUMBERS + 1] = {NULL};
    uint32_t count = 0;
    const vxe_law_number *numbers = vxe_contact_law_numbers(VXE_CONTACT_POWER, &count);
    vxe_status status = vxe_scene_expect(item, where, "contact", JSON_OBJECT, error);
    if (!contact || status) {
        return status;
    }
    body->touches = true;
    for (uint32_t i = 0; i < count && !status; i++) {
        known[i] = numbers[i].name;
        status = vxe_scene_number(contact, where, numbers[i].name, &body->contact.number[i], error);
    }
    vxe_scene_note_unknown(contact, "contact of affine bodies", known, notes);
    return status;
}

static vxe_status read_body(json_t *item, const char *where, vxe_affine_body *body,
                            vxe_messages *notes, vxe_error *error)
{
    const vxe_law_number *numbers = vxe_affine_numbers();
    vxe_status status = read_names(item, where, body, error);
    status = status ? status : read_shape(item, where, &body->shape, notes, error);
    for (int i = 0; i < VXE_AFFINE_NUMBERS && !status; i++) {
        status = vxe_scene_number(item, where, numbers[i].name, &body->number[i], error);
    }
    for (size_t i = 0; i < COUNT(fields) && !status; i++) {
        status = vxe_scene_numbers(item, where, fields[i].key, numbers_of(&fields[i], body),
                                   fields[i].count, error);
    }
    status = status ? status : vxe_scene_flag(item, where, "isochoric", &body->isochoric, error);
    body->pinned = json_object_get(item, "pin_m") != NULL;
    status = status ? status : vxe_scene_vector(item, where, "pin_m", body->pin, error);
    for (size_t i = 0; i < COUNT(formula_lists) && !status; i++) {
        status = read_formulas(item, where, &formula_lists[i], body, error);
    }
    return status ? status : read_contact(item, where, body, notes, error);
}

static void note_unknown(json_t *item, vxe_messages *notes)
{
    const char *known[40] = {"name",       "kind",      "hold",  "box_m",  "cylinder_m",
                             "polyhedron", "isochoric", "pin_m", "contact"};
    size_t at = 9;
    for (size_t i = 0; i < COUNT(fields); i++) {
        known[at++] = fields[i].key;
    }
    for (size_t i = 0; i < COUNT(formula_lists); i++) {
        known[at++] = formula_lists[i].key;
    }
    for (size_t i = 0; i < VXE_AFFINE_NUMBERS; i++) {
        known[at++] = vxe_affine_numbers()[i].name;
    }
    vxe_scene_note_unknown(item, "affine_bodies", known, notes);
}

vxe_status vxe_scene_read_affine(vxe_design *design, const json_t *root, vxe_error *error)
{
    const json_t *bodies = json_object_get(root, "affine_bodies");
    const json_t *walls = json_object_get(root, "walls");
    vxe_status status = VXE_OK;
    for (size_t i = 0; i < json_array_size(bodies) && !status; i++) {
        json_t *item = json_array_get(bodies, i);
        char where[64];
        snprintf(where, sizeof where, "affine body %zu (from 0)", i);
        if (!json_is_object(item)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: must be an object", where);
        }
        vxe_affine_body body = vxe_affine_body_default();
        status = read_body(item, where, &body, design->notes, error);
        status = status ? status : vxe_design_add_affine(design, &body, error);
        vxe_affine_body_release(&body);
        note_unknown(item, design->notes);
    }
    for (size_t i = 0; i < json_array_size(walls) && !status; i++) {
        static const char *const known[] = {"point_m", "normal", NULL};
        vxe_wall wall = {{0, 0, 0}, {0, 0, 1}};
        json_t *item = json_array_get(walls, i);
        char where[64];
        snprintf(where, sizeof where, "wall %zu (from 0)", i);
        status = json_is_object(item)
                     ? vxe_scene_vector(item, where, "point_m", wall.point, error)
                     : vxe_error_fill(error, VXE_ERROR_INPUT, "%s: must be an object", where);
        status = status ? status : vxe_scene_vector(item, where, "normal", wall.normal, error);
        status = status ? status : vxe_design_add_wall(design, &wall, error);
        if (!status) {
            vxe_scene_note_unknown(item, "walls", known, design->notes);
        }
    }
    return status;
}

/* A body by its name or number (from 0). */
static uint32_t find_body(const vxe_design *design, const json_t *value)
{
    const json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
    uint32_t found = !value                               ? 0
                     : number >= 0 && number < UINT32_MAX ? (uint32_t)number
                                                          : UINT32_MAX;
    for (uint32_t i = 0; i < design->affine_count && json_is_string(value); i++) {
        found = strncmp(design->affine[i].name, json_string_value(value),
                        sizeof design->affine[i].name - 1) == 0
                    ? i
                    : found;
    }
    return found;
}

vxe_status vxe_scene_read_observations(vxe_design *design, const json_t *array, vxe_error *error)
{
    static const char *const known[] = {"name", "gives", "body", "of", "when", NULL};
    vxe_status status = VXE_OK;
    for (size_t i = 0; i < json_array_size(array) && !status; i++) {
        json_t *item = json_array_get(array, i);
        char gives[32] = "";
        char where[64];
        int kind = 0;
        vxe_observation observation = {.body = find_body(design, json_object_get(item, "body"))};
        snprintf(where, sizeof where, "observation %zu (from 0)", i);
        status =
            vxe_scene_text(item, where, "name", observation.name, sizeof observation.name, error);
        status = status ? status : vxe_scene_text(item, where, "gives", gives, sizeof gives, error);
        status = status ? status : vxe_scene_expect(item, where, "of", JSON_STRING, error);
        status = status ? status : vxe_scene_expect(item, where, "when", JSON_STRING, error);
        while (kind < VXE_OBSERVATION_KINDS &&
               strcmp(gives, vxe_observation_kind_name((vxe_observation_kind)kind)) != 0) {
            kind++;
        }
        if (!status && kind == VXE_OBSERVATION_KINDS) {
            status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                    "%s: \"gives\" must be last, most, least, mean, rate, period, "
                                    "peaks or first",
                                    where);
        }
        observation.gives = (vxe_observation_kind)kind;
        observation.of = (char *)(uintptr_t)json_string_value(json_object_get(item, "of"));
        observation.when = (char *)(uintptr_t)json_string_value(json_object_get(item, "when"));
        status = status ? status : vxe_design_add_observation(design, &observation, error);
        if (!status) {
            vxe_scene_note_unknown(item, "observations", known, design->notes);
        }
    }
    return status;
}

static json_t *observations_of(const vxe_design *design)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < design->observation_count; i++) {
        const vxe_observation *observation = &design->observations[i];
        json_t *object = json_object();
        json_object_set_new(object, "name", vxe_scene_string(observation->name));
        json_object_set_new(object, "body", json_integer(observation->body));
        json_object_set_new(object, "gives",
                            json_string(vxe_observation_kind_name(observation->gives)));
        json_object_set_new(object, "of", json_string(observation->of));
        if (observation->when) {
            json_object_set_new(object, "when", json_string(observation->when));
        }
        json_array_append_new(array, object);
    }
    return array;
}

static void put_shape(json_t *object, const vxe_affine_shape *shape)
{
    if (shape->kind == VXE_AFFINE_BOX) {
        json_object_set_new(object, "box_m", vxe_scene_array(shape->size, 3));
        return;
    }
    json_t *inner = json_object();
    if (shape->kind == VXE_AFFINE_CYLINDER) {
        json_object_set_new(inner, "diameter", json_real(shape->size[0]));
        json_object_set_new(inner, "height", json_real(shape->size[2]));
        json_object_set_new(inner, "sides", json_integer(shape->sides));
        json_object_set_new(object, "cylinder_m", inner);
        return;
    }
    json_t *vertices = json_array();
    json_t *faces = json_array();
    uint32_t at = 0;
    for (uint32_t v = 0; v < shape->vertex_count; v++) {
        json_array_append_new(vertices, vxe_scene_array(shape->vertices + 3 * (size_t)v, 3));
    }
    for (uint32_t f = 0; f < shape->face_count; f++) {
        json_t *face = json_array();
        for (uint32_t i = 0; i < shape->face_sizes[f]; i++) {
            json_array_append_new(face, json_integer(shape->corners[at++]));
        }
        json_array_append_new(faces, face);
    }
    json_object_set_new(inner, "vertices_m", vertices);
    json_object_set_new(inner, "faces", faces);
    json_object_set_new(object, "polyhedron", inner);
}

static json_t *body_object(const vxe_affine_body *body)
{
    json_t *object = json_object();
    json_object_set_new(object, "name", vxe_scene_string(body->name));
    json_object_set_new(object, "kind", json_string(vxe_affine_kind_name(body->kind)));
    json_object_set_new(object, "hold",
                        json_string(holds[body->hold_center + 2 * body->hold_deformation]));
    put_shape(object, &body->shape);
    for (int i = 0; i < VXE_AFFINE_NUMBERS; i++) {
        json_object_set_new(object, vxe_affine_numbers()[i].name, json_real(body->number[i]));
    }
    for (size_t i = 0; i < COUNT(fields); i++) {
        json_object_set_new(object, fields[i].key,
                            vxe_scene_array(numbers_of(&fields[i], body), fields[i].count));
    }
    json_object_set_new(object, "isochoric", json_boolean(body->isochoric));
    if (body->pinned) {
        json_object_set_new(object, "pin_m", vxe_scene_array(body->pin, 3));
    }
    for (size_t i = 0; i < COUNT(formula_lists); i++) {
        const formulas_of *list = &formula_lists[i];
        json_t *array = json_array();
        bool any = false;
        for (int k = 0; k < list->count; k++) {
            const char *text = body->formulas[list->first + k];
            any = any || text;
            json_array_append_new(array, text ? json_string(text) : json_null());
        }
        if (any) {
            json_object_set_new(object, list->key, array);
        } else {
            json_decref(array);
        }
    }
    if (body->touches) {
        uint32_t count = 0;
        const vxe_law_number *numbers = vxe_contact_law_numbers(VXE_CONTACT_POWER, &count);
        json_t *contact = json_object();
        for (uint32_t i = 0; i < count; i++) {
            json_object_set_new(contact, numbers[i].name, json_real(body->contact.number[i]));
        }
        json_object_set_new(object, "contact", contact);
    }
    return object;
}

void vxe_scene_put_affine(json_t *root, const vxe_design *design)
{
    if (design->affine_count + design->wall_count == 0) {
        return;
    }
    json_t *bodies = json_array();
    json_t *walls = json_array();
    for (uint32_t i = 0; i < design->affine_count; i++) {
        json_array_append_new(bodies, body_object(&design->affine[i]));
    }
    for (uint32_t i = 0; i < design->wall_count; i++) {
        json_t *object = json_object();
        json_object_set_new(object, "point_m", vxe_scene_array(design->walls[i].point, 3));
        json_object_set_new(object, "normal", vxe_scene_array(design->walls[i].normal, 3));
        json_array_append_new(walls, object);
    }
    json_object_set_new(root, "affine_bodies", bodies);
    json_object_set_new(root, "walls", walls);
    json_object_set_new(root, "observations", observations_of(design));
}
