/* SPDX-License-Identifier: MIT */
/* Reads and writes the affine bodies, walls and observations of a scene. */
#include <stddef.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/scene/scene_internal.h"
#include "lattice/formats/scene/scene_table_internal.h"

/* A vector or matrix of a body: its key, and how many numbers it has. */
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

/* Address of the numbers of a field. */
static double *numbers_of(const field *f, const vxe_affine_body *body)
{
    return (double *)((char *)(size_t)body + f->offset);
}

/* Reads vertices and faces of a polyhedron; vxe_affine_body_check checks the indices. */
static vxe_status read_polyhedron(const vxe_scene_item *body, json_t *object,
                                  vxe_affine_shape *shape, vxe_error *error)
{
    const char *where = body->where;
    const vxe_scene_item item =
        vxe_scene_item_of(body->design, VXE_SCENE_POLYHEDRON, object, where);
    if (vxe_scene_read(&item, NULL, error)) {
        return VXE_ERROR_INPUT;
    }
    const json_t *vertices = vxe_scene_get(&item, "vertices_m");
    const json_t *faces = vxe_scene_get(&item, "faces");
    uint64_t corners = 0;
    for (size_t f = 0; f < json_array_size(faces); f++) {
        corners += json_array_size(json_array_get(faces, f));
    }
    if (json_array_size(vertices) == 0 || corners == 0 || corners > VXE_MAX_AFFINE_CORNERS ||
        json_array_size(vertices) > corners || json_array_size(faces) > corners) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "%s: a polyhedron needs \"vertices_m\": [[x, y, z], ...] and "
                              "\"faces\": [[vertex, ...], ...] of at most %u corners",
                              where, VXE_MAX_AFFINE_CORNERS);
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
            VXE_ASSERT(shape->corner_count < corners);
            shape->corners[shape->corner_count++] =
                value >= 0 && value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
        }
        shape->face_sizes[shape->face_count++] = (uint32_t)json_array_size(face);
    }
    return VXE_OK;
}

static vxe_status read_cylinder(vxe_design *design, json_t *object, vxe_affine_shape *shape,
                                vxe_error *error)
{
    const vxe_scene_item item = vxe_scene_item_of(design, VXE_SCENE_CYLINDER, object, "cylinder_m");
    const vxe_status status = vxe_scene_read(&item, shape, error);
    shape->kind = VXE_AFFINE_CYLINDER;
    shape->size[1] = shape->size[0];
    return status;
}

/* Reads the shape: one of "box_m", which has been read already, "cylinder_m" and "polyhedron". */
static vxe_status read_shape(const vxe_scene_item *item, vxe_affine_shape *shape, vxe_error *error)
{
    json_t *cylinder = vxe_scene_get(item, "cylinder_m");
    json_t *polyhedron = vxe_scene_get(item, "polyhedron");
    const int given =
        (vxe_scene_get(item, "box_m") != NULL) + (cylinder != NULL) + (polyhedron != NULL);
    if (given != 1) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "%s: needs one of \"box_m\": [x, y, z], \"cylinder_m\": "
                              "{\"diameter\", \"height\"} and \"polyhedron\"",
                              item->where);
    }
    return polyhedron ? read_polyhedron(item, polyhedron, shape, error)
           : cylinder ? read_cylinder(item->design, cylinder, shape, error)
                      : VXE_OK;
}

/* Reads a list of formulas, or numbers; null means the default. */
static vxe_status read_formulas(const vxe_scene_item *item, const formulas_of *list,
                                vxe_affine_body *body, vxe_error *error)
{
    const json_t *array = vxe_scene_get(item, list->key);
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
                                  "%s: \"%s\" must be an array of %d formulas of t, by rows (null: "
                                  "the identity in growth, else 0)",
                                  item->where, list->key, list->count);
        }
        if (nothing) {
            continue;
        }
        char *copy = vxe_memory_take(strlen(text) + 1, 1);
        if (!copy) {
            return vxe_error_memory(error, strlen(text) + 1);
        }
        memcpy(copy, text, strlen(text) + 1);
        VXE_ASSERT(list->first + i < VXE_AFFINE_FORMULAS);
        body->formulas[list->first + i] = copy;
    }
    return VXE_OK;
}

/* Reads the contact model of a body, a powerlaw. */
static vxe_status read_contact(const vxe_scene_item *body, vxe_contact_law *law, vxe_error *error)
{
    const vxe_scene_item item = vxe_scene_item_of(body->design, VXE_SCENE_BODY_CONTACT,
                                                  vxe_scene_get(body, "contact"), body->where);
    return vxe_scene_read(&item, law, error);
}

static vxe_status read_body(vxe_design *design, json_t *object, const char *where,
                            vxe_affine_body *body, vxe_error *error)
{
    const vxe_scene_item item = vxe_scene_item_of(design, VXE_SCENE_BODY, object, where);
    uint32_t kind = body->kind;
    uint32_t hold = 0;
    vxe_status status = vxe_scene_read(&item, body, error);
    status = status ? status : vxe_scene_choose(&item, "kind", &kind, error);
    status = status ? status : vxe_scene_choose(&item, "hold", &hold, error);
    if (status) {
        return status;
    }
    body->kind = (vxe_affine_kind)kind;
    body->hold_center = hold & 1;
    body->hold_deformation = hold & 2;
    body->pinned = vxe_scene_get(&item, "pin_m") != NULL;
    body->touches = vxe_scene_get(&item, "contact") != NULL;
    status = read_shape(&item, &body->shape, error);
    for (size_t i = 0; i < COUNT(formula_lists) && !status; i++) {
        status = read_formulas(&item, &formula_lists[i], body, error);
    }
    return status ? status : read_contact(&item, &body->contact, error);
}

static vxe_status read_wall(vxe_design *design, json_t *object, size_t index, vxe_error *error)
{
    vxe_wall wall = {{0, 0, 0}, {0, 0, 1}};
    char where[64];
    snprintf(where, sizeof where, "wall %zu (from 0)", index);
    const vxe_scene_item item = vxe_scene_item_of(design, VXE_SCENE_WALL, object, where);
    const vxe_status status = vxe_scene_read(&item, &wall, error);
    return status ? status : vxe_design_add_wall(design, &wall, error);
}

vxe_status vxe_scene_read_affine(vxe_design *design, const json_t *bodies, const json_t *walls,
                                 vxe_error *error)
{
    vxe_status status = vxe_limit_check(VXE_LIMIT_BODIES, json_array_size(bodies), 0, error);
    status = status ? status : vxe_limit_check(VXE_LIMIT_BODIES, json_array_size(walls), 0, error);
    for (size_t i = 0; i < json_array_size(bodies) && !status; i++) {
        vxe_affine_body body = vxe_affine_body_default();
        char where[64];
        snprintf(where, sizeof where, "affine body %zu (from 0)", i);
        status = read_body(design, json_array_get(bodies, i), where, &body, error);
        status = status ? status : vxe_design_add_affine(design, &body, error);
        vxe_affine_body_release(&body);
    }
    for (size_t i = 0; i < json_array_size(walls) && !status; i++) {
        status = read_wall(design, json_array_get(walls, i), i, error);
    }
    return status;
}

/* Finds a body by its name or number (from 0); UINT32_MAX if there is none. */
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

static vxe_status read_observation(vxe_design *design, json_t *object, size_t index,
                                   vxe_error *error)
{
    vxe_observation observation = {.name = ""};
    uint32_t gives = 0;
    char where[64];
    snprintf(where, sizeof where, "observation %zu (from 0)", index);
    const vxe_scene_item item = vxe_scene_item_of(design, VXE_SCENE_OBSERVATION, object, where);
    vxe_status status = vxe_scene_read(&item, &observation, error);
    status = status ? status : vxe_scene_choose(&item, "gives", &gives, error);
    if (status) {
        return status;
    }
    observation.body = find_body(design, vxe_scene_get(&item, "body"));
    observation.gives = (vxe_observation_kind)gives;
    observation.of = (char *)(uintptr_t)json_string_value(vxe_scene_get(&item, "of"));
    observation.when = (char *)(uintptr_t)json_string_value(vxe_scene_get(&item, "when"));
    return vxe_design_add_observation(design, &observation, error);
}

vxe_status vxe_scene_read_observations(vxe_design *design, const json_t *array, vxe_error *error)
{
    vxe_status status = vxe_limit_check(VXE_LIMIT_BODIES, json_array_size(array), 0, error);
    for (size_t i = 0; i < json_array_size(array) && !status; i++) {
        status = read_observation(design, json_array_get(array, i), i, error);
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
