/* SPDX-License-Identifier: MIT */
/* Prints affine bodies, walls and observations. */
#include "cli/info_affine.h"

#include <math.h>
#include <stdio.h>

static void print_shape(const vxe_affine_shape *shape)
{
    switch (shape->kind) {
    case VXE_AFFINE_BOX:
        printf("box of %.6g x %.6g x %.6g m", shape->size[0], shape->size[1], shape->size[2]);
        break;
    case VXE_AFFINE_CYLINDER:
        printf("cylinder of %.6g m across and %.6g m high (%u sides)", shape->size[0],
               shape->size[2], shape->sides);
        break;
    default:
        printf("polyhedron of %u vertices and %u faces", shape->vertex_count, shape->face_count);
    }
}

/* Prints `count` formulas of a body from `first` on, where it has any. */
static void print_formulas(const vxe_affine_body *body, int first, int count, const char *what)
{
    bool any = false;
    for (int i = 0; i < count; i++) {
        const char *text = body->formulas[first + i];
        if (text) {
            printf("%s%s %d: %s", any ? "; " : "  ", what, i, text);
            any = true;
        }
    }
    if (any) {
        printf("\n");
    }
}

static void print_body(const vxe_affine_body *body, const vxe_affine_pose *pose)
{
    const vxe_law_number *names = vxe_affine_numbers();
    printf("affine body '%s': %s ", body->name, vxe_affine_kind_name(body->kind));
    print_shape(&body->shape);
    printf(", %.6g kg, center (%.6g, %.6g, %.6g) m", pose->mass, pose->center[0], pose->center[1],
           pose->center[2]);
    for (int i = VXE_AFFINE_C1; i < VXE_AFFINE_NUMBERS && body->kind != VXE_AFFINE_RIGID; i++) {
        if (body->number[i] > 0) {
            printf(", %s %.6g", names[i].name, body->number[i]);
        }
    }
    printf("%s%s%s\n", body->pinned ? ", pinned" : "", body->hold_center ? ", center held" : "",
           body->hold_deformation ? ", deformation held" : "");
    if (body->touches) {
        uint32_t count = 0;
        const vxe_law_number *numbers = vxe_contact_law_numbers(VXE_CONTACT_POWER, &count);
        printf("  touches the floor, walls and other bodies by the contact model %s",
               vxe_contact_kind_name(VXE_CONTACT_POWER));
        for (uint32_t i = 0; i < count; i++) {
            if (body->contact.number[i] != numbers[i].standard) {
                printf(", %s %.6g%s%s", numbers[i].name, body->contact.number[i],
                       numbers[i].unit[0] ? " " : "", numbers[i].unit);
            }
        }
        printf("\n");
    }
    print_formulas(body, VXE_AFFINE_GROWTH, 9, "growth");
    print_formulas(body, VXE_AFFINE_DRIVE, 9, "drive");
    print_formulas(body, VXE_AFFINE_FORCE, 3, "force");
}

void print_affine(const vxe_design *design, const vxe_world *world)
{
    for (uint32_t i = 0; i < design->affine_count; i++) {
        vxe_affine_pose pose;
        vxe_world_affine(world, i, &pose);
        print_body(&design->affine[i], &pose);
    }
    for (uint32_t i = 0; i < design->wall_count; i++) {
        const vxe_wall *wall = &design->walls[i];
        printf("wall through (%.6g, %.6g, %.6g) m, normal (%.6g, %.6g, %.6g)\n", wall->point[0],
               wall->point[1], wall->point[2], wall->normal[0], wall->normal[1], wall->normal[2]);
    }
    for (uint32_t i = 0; i < design->observation_count; i++) {
        const vxe_observation *o = &design->observations[i];
        printf("observes %s: %s of %s%s%s\n", o->name, vxe_observation_kind_name(o->gives), o->of,
               o->when ? " when " : "", o->when ? o->when : "");
    }
}

void print_observations(const vxe_world *world)
{
    for (uint32_t i = 0; i < vxe_world_observation_count(world); i++) {
        vxe_observed observed;
        vxe_world_observed(world, i, &observed);
        printf("%s:", observed.name);
        if (observed.gives != VXE_OBSERVE_PEAKS) {
            if (isnan(observed.value)) {
                printf(" nothing yet");
            } else {
                printf(" %.6g", observed.value);
            }
        }
        for (uint32_t k = 0;
             observed.gives == VXE_OBSERVE_PEAKS && k < observed.peaks && k < VXE_MAX_PEAKS; k++) {
            printf(" %.6g", observed.peak[k]);
        }
        printf("\n");
    }
}
