/* SPDX-License-Identifier: MIT */
/* The quadruped walks for five seconds. */
#include <stdio.h>
#include <voxelastic/voxelastic.h>

int main(void)
{
    vxe_error error;
    char text[VXE_ERROR_TEXT];
    vxe_world_def def = vxe_world_def_default();
    vxe_design *design = vxe_design_read("assets/quadruped.vxa", &error);
    vxe_world *world = design ? vxe_world_create(design, &def, &error) : NULL;
    double at[3];
    if (!world || vxe_world_advance_to(world, 5.0, &error)) {
        return fprintf(stderr, "%s\n", vxe_error_text(&error, text, sizeof text)), 1;
    }
    vxe_world_center_of_mass(world, at, NULL);
    printf("after %g s at (%g, %g, %g) m\n", vxe_world_time(world), at[0], at[1], at[2]);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return 0;
}
