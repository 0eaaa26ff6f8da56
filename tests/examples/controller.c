/* SPDX-License-Identifier: MIT */
/* A custom controller in closed loop: a block on two feet, each half of it a group whose size the
 * program sets. A hundred times a second it reads the floor load of each foot: the rear half grows
 * while its foot is loaded and shrinks while it is not, so that the block hops by its sensors. The
 * run is recorded for a browser. */
#include <stdio.h>
#include <voxelastic/voxelastic.h>

#define LENGTH 8
#define WIDTH 3
#define HEIGHT 4
#define TICK 0.01 /* s */

static int is_ahead(const vxe_design *design, uint32_t voxel)
{
    return design->voxels[voxel].position[0] >= LENGTH / 2;
}

/* A block whose halves are groups 0 (rear) and 1; its feet are the lowest cells at its ends. */
static vxe_design *make_block(vxe_error *error)
{
    vxe_material flesh = vxe_material_default();
    vxe_design *design = vxe_design_create();
    vxe_status status = VXE_OK;
    uint32_t material = 0;
    flesh.youngs_modulus = 2e5; /* Pa */
    flesh.density = 1000;       /* kg/m^3 */
    flesh.bond_damping = 0.3;
    flesh.static_friction = 1;
    flesh.dynamic_friction = 0.8;
    if (!design || vxe_design_add_material(design, &flesh, &material, error)) {
        return NULL;
    }
    for (int i = 0; i < LENGTH * WIDTH * HEIGHT && !status; i++) {
        const int x = i % LENGTH;
        const int z = i / (LENGTH * WIDTH);
        if (z > 0 || x < 2 || x >= LENGTH - 2) {
            status = vxe_design_add_voxel(design, x, i / LENGTH % WIDTH, z, material, error);
        }
    }
    vxe_layer *group = status ? NULL : vxe_design_layer(design, "Group", 1);
    for (uint32_t v = 0; group && v < design->voxel_count; v++) {
        group->values[v] = is_ahead(design, v);
    }
    return group ? design : NULL;
}

/* Floor load of each half, N. */
static void measure_floor_load(const vxe_world *world, const vxe_design *design, double load[2])
{
    double floor[LENGTH * WIDTH * HEIGHT];
    vxe_world_sense(world, &(vxe_sensors){.floor = floor});
    load[0] = load[1] = 0;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        load[is_ahead(design, v)] += floor[v];
    }
}

int main(void)
{
    vxe_error error = {0};
    char text[VXE_ERROR_TEXT];
    vxe_world_def def = vxe_world_def_default();
    vxe_design *design = make_block(&error);
    vxe_world *world = design ? vxe_world_create(design, &def, &error) : NULL;
    vxe_recorder *recorder = world ? vxe_recorder_create(design, "controller.html", &error) : NULL;
    vxe_frame *frame =
        recorder ? vxe_frame_create(design->voxel_count, design->affine_count, &error) : NULL;
    vxe_status status = frame ? VXE_OK : error.status;
    double from[3];
    double to[3];
    for (int tick = 0; tick < 400 && !status; tick++) {
        double load[2];
        measure_floor_load(world, design, load);
        if (tick == 0) {
            vxe_world_center_of_mass(world, from, NULL);
        }
        status = vxe_world_set_target(world, 0, load[0] > 0 ? 1.2 : 0.9, &error);
        status = status ? status : vxe_world_advance_to(world, TICK * (tick + 1), &error);
        if (!status && tick % 3 == 0) {
            vxe_frame_take(frame, world);
            status = vxe_recorder_add(recorder, frame, &error);
        }
    }
    status = status ? status : vxe_recorder_close(recorder, &error);
    if (status) {
        return fprintf(stderr, "%s\n", vxe_error_text(&error, text, sizeof text)), 1;
    }
    vxe_world_center_of_mass(world, to, NULL);
    const double way = to[0] - from[0];
    /* the direction is chance: the smallest change of the body or the step reverses it */
    printf("hopped %.3g m in 4 s; controller.html shows it\n", way < 0 ? -way : way);
    vxe_frame_destroy(frame);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return 0;
}
