/* SPDX-License-Identifier: MIT */
/* Finds the contact model that a design's rules give to two materials, or to one and the floor
   (docs/contact-models.md, Rules). */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "engine/model/model.h"

static bool names(uint32_t side, uint32_t kind)
{
    return side == kind || (side == VXE_CONTACT_ANY && kind != VXE_CONTACT_FLOOR);
}

/* The last rule for a pair of materials or a material and the floor, or the last rule for one
   piece where other is VXE_CONTACT_PIECE; null if there is none. */
static const vxe_contact_rule *rule_of(const vxe_design *design, uint32_t one, uint32_t other)
{
    const vxe_contact_rule *found = NULL;
    for (uint32_t i = 0; i < design->contact_rule_count; i++) {
        const vxe_contact_rule *rule = &design->contact_rules[i];
        const bool forth =
            names(rule->first, one) && (rule->second == other || names(rule->second, other));
        const bool back = names(rule->first, other) && names(rule->second, one);
        const bool of_piece = rule->second == VXE_CONTACT_PIECE;
        found = of_piece == (other == VXE_CONTACT_PIECE) && (forth || back) ? rule : found;
    }
    return found;
}

bool vxe_design_contact_law(const vxe_design *design, uint32_t one, uint32_t other,
                            vxe_contact_law *law)
{
    VXE_ASSERT(law && one < design->material_count);
    const vxe_contact_rule *rule = rule_of(design, one, other);
    if (rule) {
        *law = rule->law;
        return true;
    }
    const vxe_contact_rule *first = rule_of(design, one, VXE_CONTACT_PIECE);
    const vxe_contact_rule *second = rule_of(design, other, VXE_CONTACT_PIECE);
    if (first && second) {
        *law = vxe_linear_inherited(&first->law, &second->law);
    }
    return first && second;
}

bool vxe_design_is_particle(const vxe_design *design, uint32_t material)
{
    vxe_contact_law law;
    bool found = false;
    for (uint32_t other = 0;
         other < design->material_count && design->contact_rule_count > 0 && !found; other++) {
        found = vxe_design_contact_law(design, material, other, &law);
    }
    return found;
}

bool vxe_design_is_particle_on_floor(const vxe_design *design, uint32_t material)
{
    vxe_contact_law law;
    return design->floor.enabled &&
           vxe_design_contact_law(design, material, VXE_CONTACT_FLOOR, &law);
}

double vxe_sphere_diameter(const vxe_design *design, uint32_t voxel)
{
    const vxe_layer *size = vxe_design_find_layer(design, "InitialSize");
    return design->voxel_size * (size ? size->values[voxel] : 1);
}
