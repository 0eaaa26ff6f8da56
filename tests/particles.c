/* SPDX-License-Identifier: MIT */
/* Designs of spheres with contact models, shared by the tests of particles. */
#include "particles.h"

#include <stdio.h>

vxe_material ball_material(void)
{
    vxe_material material = standard_material();
    snprintf(material.name, sizeof material.name, "ball");
    material.sphere = true;
    material.youngs_modulus = 1e7;
    material.density = 1200;
    return material;
}

vxe_design *balls(const vxe_material *material, int nx, int ny, int nz, double above)
{
    vxe_design *design = block_design(material, nx, ny, nz);
    design->voxel_size = 2 * RADIUS;
    design->floor.enabled = above >= 0;
    design->floor.height = -above;
    return design;
}

void add_rule(vxe_design *design, uint32_t first, uint32_t second, vxe_contact_law law)
{
    const vxe_contact_rule rule = {first, second, law};
    vxe_error error;
    assert_int_equal(vxe_design_add_contact_rule(design, &rule, &error), VXE_OK);
}

vxe_contact_law linear(double kn, double ks, double fric)
{
    vxe_contact_law law = vxe_contact_law_default(VXE_CONTACT_LINEAR);
    law.number[VXE_LINEAR_KN] = kn;
    law.number[VXE_LINEAR_KS] = ks;
    law.number[VXE_LINEAR_FRIC] = fric;
    return law;
}

vxe_contact_law hertz(double c_n, double fric)
{
    vxe_contact_law law = vxe_contact_law_default(VXE_CONTACT_HERTZ);
    law.number[VXE_HERTZ_C_N] = c_n;
    law.number[VXE_HERTZ_FRIC] = fric;
    return law;
}

void throw_voxel(vxe_design *design, uint32_t voxel, double vx, double vz)
{
    const double v[3] = {vx, 0, vz};
    const double w[3] = {0, 0, 0};
    vxe_error error;
    assert_int_equal(vxe_design_set_velocity(design, voxel, v, w, &error), VXE_OK);
}

vxe_world *world_of_step(const vxe_design *design, double step)
{
    vxe_world_def def = vxe_world_def_default();
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = step;
    def.audit = true;
    return make_world(design, &def);
}
