/* SPDX-License-Identifier: MIT */
/* Custom forces. A field, by formulas of place and time, acts on every voxel: here a wind that
 * turns about z and a spring to a post, so that a soft cube circles the post. A single impulse is
 * given between two steps. */
#include <stdio.h>
#include <voxelastic/voxelastic.h>

int main(void)
{
    vxe_error error;
    char text[VXE_ERROR_TEXT];
    vxe_design *design = vxe_design_create();
    vxe_world_def def = vxe_world_def_default();
    vxe_material jelly = vxe_material_default();
    uint32_t material = 0;
    jelly.youngs_modulus = 2e4; /* Pa */
    jelly.density = 1000;       /* kg/m^3 */
    jelly.bond_damping = 1;
    vxe_status status = vxe_design_add_material(design, &jelly, &material, &error);
    for (int i = 0; i < 64 && !status; i++) { /* a cube 10 cm from the post */
        status = vxe_design_add_voxel(design, 10 + i % 4, i / 4 % 4, i / 16, material, &error);
    }
    design->floor.enabled = false;
    design->gravity[2] = 0;
    /* N on each voxel of 1 g: towards the post, and around it while the wind blows */
    status = status ? status
                    : vxe_design_set_formula(design, VXE_FORMULA_FORCE_X,
                                             "-0.05*x - 0.002*y*(t < 2)/0.1", &error);
    status = status ? status
                    : vxe_design_set_formula(design, VXE_FORMULA_FORCE_Y,
                                             "-0.05*y + 0.002*x*(t < 2)/0.1", &error);
    vxe_world *world = status ? NULL : vxe_world_create(design, &def, &error);
    status = world ? vxe_world_advance_to(world, 2, &error) : error.status;
    for (uint32_t v = 0; v < 64 && !status; v++) { /* an impulse upwards: 1 mN s on each voxel */
        double linear[3 * 64];
        vxe_world_velocities(world, linear, NULL);
        const double kicked[3] = {linear[3 * v], linear[3 * v + 1], linear[3 * v + 2] + 1};
        status = vxe_world_place(world, v, NULL, NULL, kicked, NULL, &error);
    }
    status = status ? status : vxe_world_advance_to(world, 2.1, &error);
    if (status) {
        return fprintf(stderr, "%s\n", vxe_error_text(&error, text, sizeof text)), 1;
    }
    double at[3];
    double velocity[3];
    vxe_world_center_of_mass(world, at, velocity);
    printf("at (%.3g, %.3g, %.3g) m, %.3g m/s upwards\n", at[0], at[1], at[2], velocity[2]);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return 0;
}
