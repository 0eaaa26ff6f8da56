/* SPDX-License-Identifier: MIT */
/* Reads and writes the contact rules of a scene. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/status_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/scene/scene_internal.h"
#include "lattice/formats/scene/scene_table_internal.h"

/* Words that stand for a material. */
static const char any[] = "any";
static const char the_floor[] = "floor";

/* Finds a material by its name or number (from 0), or "any" or "floor"; false if there is none. */
static bool find_side(const vxe_design *design, const json_t *value, uint32_t *side)
{
    const json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
    const char *name = json_is_string(value) ? json_string_value(value) : NULL;
    *side = number >= 0 && number < (json_int_t)design->material_count ? (uint32_t)number
                                                                       : VXE_CONTACT_PIECE;
    for (uint32_t i = 0; i < design->material_count && name && *side == VXE_CONTACT_PIECE; i++) {
        *side = strcmp(design->materials[i].name, name) == 0 ? i : *side;
    }
    if (name && *side == VXE_CONTACT_PIECE) {
        *side = strcmp(name, any) == 0         ? VXE_CONTACT_ANY
                : strcmp(name, the_floor) == 0 ? VXE_CONTACT_FLOOR
                                               : VXE_CONTACT_PIECE;
    }
    return *side != VXE_CONTACT_PIECE;
}

/* Reads what a rule is for: "between" two materials, or "of" one. */
static vxe_status read_sides(const vxe_scene_item *item, vxe_contact_rule *rule, vxe_error *error)
{
    const json_t *between = vxe_scene_get(item, "between");
    const json_t *of = vxe_scene_get(item, "of");
    if (!between == !of || (between && json_array_size(between) != 2)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "%s: needs \"between\": [one, another], or \"of\": one", item->where);
    }
    rule->second = VXE_CONTACT_PIECE;
    const bool first = find_side(item->design, of ? of : json_array_get(between, 0), &rule->first);
    const bool second = of || find_side(item->design, json_array_get(between, 1), &rule->second);
    if (!first || !second) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "%s: expected names or numbers (from 0) of materials, \"any\" or "
                              "\"floor\"",
                              item->where);
    }
    if (between && rule->first == VXE_CONTACT_FLOOR) {
        rule->first = rule->second;
        rule->second = VXE_CONTACT_FLOOR;
    }
    return VXE_OK;
}

/* Reads the contact model, whose numbers are in the same object as its name. */
static vxe_status read_law(const vxe_scene_item *rule, vxe_contact_law *law, vxe_error *error)
{
    uint32_t kind = VXE_CONTACT_LINEAR;
    const vxe_status status = vxe_scene_choose(rule, "law", &kind, error);
    VXE_ASSERT(kind < VXE_CONTACT_KINDS);
    *law = vxe_contact_law_default((vxe_contact_kind)kind);
    vxe_scene_item numbers = *rule;
    numbers.section = vxe_scene_section_of((vxe_scene_part)(VXE_SCENE_LINEAR + kind));
    return status ? status : vxe_scene_read(&numbers, law, error);
}

vxe_status vxe_scene_read_contacts(vxe_design *design, const json_t *array, vxe_error *error)
{
    const uint64_t sides = (uint64_t)design->material_count + 1; /* and the floor */
    const uint64_t rules = json_array_size(array);
    /* few rules count as more, since each pair has numbers of its own */
    const uint64_t looks = rules == 0 ? 0 : sides * sides * (rules > 64 ? rules : 64);
    vxe_status status = vxe_limit_check(VXE_LIMIT_CONTACT_PAIRS, looks, 0, error);
    for (size_t i = 0; i < rules && !status; i++) {
        vxe_contact_rule rule = {0};
        char where[64];
        snprintf(where, sizeof where, "contact rule %zu (from 0)", i);
        const vxe_scene_item item =
            vxe_scene_item_of(design, VXE_SCENE_CONTACT, json_array_get(array, i), where);
        status = vxe_scene_read(&item, NULL, error);
        status = status ? status : read_sides(&item, &rule, error);
        status = status ? status : read_law(&item, &rule.law, error);
        status = status ? status : vxe_design_add_contact_rule(design, &rule, error);
    }
    return status;
}

static json_t *side_value(uint32_t side)
{
    return side == VXE_CONTACT_ANY     ? json_string(any)
           : side == VXE_CONTACT_FLOOR ? json_string(the_floor)
                                       : json_integer((json_int_t)side);
}

json_t *vxe_scene_contacts(const vxe_design *design)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < design->contact_rule_count; i++) {
        const vxe_contact_rule *rule = &design->contact_rules[i];
        json_t *object = json_object();
        if (rule->second == VXE_CONTACT_PIECE) {
            json_object_set_new(object, "of", side_value(rule->first));
        } else {
            json_t *between = json_array();
            json_array_append_new(between, side_value(rule->first));
            json_array_append_new(between, side_value(rule->second));
            json_object_set_new(object, "between", between);
        }
        json_object_set_new(object, "law", json_string(vxe_contact_kind_name(rule->law.kind)));
        uint32_t count = 0;
        const vxe_law_number *numbers = vxe_contact_law_numbers(rule->law.kind, &count);
        for (uint32_t k = 0; k < count; k++) {
            json_object_set_new(object, numbers[k].name, json_real(rule->law.number[k]));
        }
        json_array_append_new(array, object);
    }
    return array;
}
