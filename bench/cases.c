/* SPDX-License-Identifier: MIT */
#include "cases.h"

#include <stdio.h>

#include "lattice/formats/format.h"

static const bench_case cases[] = {
    {"cube_10", 10, NULL}, {"cube_20", 20, NULL},   {"cube_40", 40, NULL},
    {"cube_64", 64, NULL}, {"cube_100", 100, NULL}, {"quadruped", 0, "benchmark/quad10.vxa"}};

const bench_case *bench_case_at(unsigned index)
{
    return index < sizeof cases / sizeof cases[0] ? &cases[index] : NULL;
}

/* A full cube of soft rubber, 5 mm voxels, breathing by 3 % at 4 Hz while it stands on the floor.
 */
static vxe_design *cube_design(int edge, vxe_error *error)
{
    vxe_design *design = vxe_design_create();
    vxe_material material = vxe_material_default();
    material.thermal_expansion = 0.01;
    vxe_status status =
        design ? vxe_design_add_material(design, &material, NULL, error) : VXE_ERROR_MEMORY;
    for (int i = 0; i < edge * edge * edge && !status; i++) {
        status =
            vxe_design_add_voxel(design, i % edge, i / edge % edge, i / (edge * edge), 0, error);
    }
    if (status) {
        vxe_design_destroy(design);
        return NULL;
    }
    design->voxel_size = 0.005;
    design->actuation = (vxe_actuation){true, 25, 3, 0.25};
    return design;
}

vxe_design *bench_case_design(const bench_case *which, double ratio, vxe_error *error)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", VXE_ASSETS, which->design ? which->design : "");
    vxe_design *design =
        which->design ? vxe_design_read(path, error) : cube_design(which->edge, error);
    if (design) {
        design->stop.settle_time = 0; /* moving from the start */
    }
    for (uint32_t i = 0; design && ratio >= 0 && i < design->material_count; i++) {
        design->materials[i].bond_damping = ratio;
    }
    return design;
}
