/* SPDX-License-Identifier: MIT */
/* Designs of one affine body, with the observations that the tests of affine bodies share. */
#include "affine.h"

#include <math.h>
#include <string.h>

#include "common/memory.h"

void add_body(vxe_design *design, const vxe_affine_body *body)
{
    vxe_error error;
    if (vxe_design_add_affine(design, body, &error)) {
        fail_msg("%s", error.message);
    }
}

vxe_design *affine_design(const vxe_affine_body *body, double g)
{
    vxe_design *design = vxe_design_create();
    assert_non_null(design);
    design->gravity[2] = -g;
    design->floor.enabled = false;
    add_body(design, body);
    return design;
}

vxe_world *affine_world(vxe_design *design, double step)
{
    vxe_world_def def = vxe_world_def_default();
    def.step_rule = step > 0 ? VXE_STEP_SECONDS : VXE_STEP_AUTO;
    def.step_seconds = step;
    vxe_world *world = make_world(design, &def);
    vxe_design_destroy(design);
    return world;
}

void advance_steps(vxe_world *world, uint64_t steps)
{
    vxe_error error;
    if (vxe_world_advance(world, steps, &error)) {
        fail_msg("%s", error.message);
    }
}

vxe_affine_pose pose_of(const vxe_world *world)
{
    vxe_affine_pose pose;
    vxe_world_affine(world, 0, &pose);
    return pose;
}

void add_contact(vxe_affine_body *body, double alpha, double d0)
{
    body->touches = true;
    body->contact.number[VXE_POWER_ALPHA_R] = alpha;
    body->contact.number[VXE_POWER_D0] = d0;
    body->contact.number[VXE_POWER_FACING] = 1;
}

void set_body_formula(vxe_affine_body *body, int which, const char *text)
{
    vxe_memory_release(body->formulas[which]);
    body->formulas[which] = vxe_memory_take(strlen(text) + 1, 1);
    assert_non_null(body->formulas[which]);
    memcpy(body->formulas[which], text, strlen(text) + 1);
}

double balance_drift(vxe_world *world, uint64_t steps)
{
    double min[5] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double max[5] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double stray = 0;
    double exchanged = 0;
    for (uint64_t n = 0; n <= steps; n++) {
        const vxe_energy e = vxe_world_energy(world);
        const double stores[5] = {e.kinetic, e.elastic, e.contact, e.gravity,
                                  e.work_actuation + e.work_external};
        for (int i = 0; i < 5; i++) {
            min[i] = fmin(min[i], stores[i]);
            max[i] = fmax(max[i], stores[i]);
            exchanged = fmax(exchanged, max[i] - min[i]);
        }
        stray = fmax(stray, fabs(e.balance - e.balance_start));
        if (n < steps) {
            advance_steps(world, 1);
        }
    }
    return stray / exchanged;
}
