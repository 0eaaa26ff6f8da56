/* SPDX-License-Identifier: MIT */
/* The table of cases, and their designs. See cases.h. */
#include "cases.h"

#include <stdio.h>

#include "bodies.h"
#include "lattice/formats/format.h"
#include "numbers.h"

static const bench_case cases[BENCH_CASES] = {
    {"cube_10", BENCH_CUBE, 10, 1, NULL, BENCH_PLAIN},
    {"cube_10_poisson", BENCH_CUBE, 10, 1, NULL, BENCH_POISSON},
    {"cube_20", BENCH_CUBE, 20, 1, NULL, BENCH_PLAIN},
    {"cube_40", BENCH_CUBE, 40, 1, NULL, BENCH_PLAIN},
    {"cube_64", BENCH_CUBE, 64, 1, NULL, BENCH_PLAIN},
    {"cube_100", BENCH_CUBE, 100, 1, NULL, BENCH_PLAIN},
    {"cube_200", BENCH_CUBE, 200, 1, NULL, BENCH_PLAIN},
    {"quadruped", BENCH_FILE, 0, 1, "benchmark/quad10.vxa", BENCH_PLAIN},
    {"quadruped_contacts", BENCH_FILE, 0, 1, "benchmark/quad10.vxa", BENCH_COLLIDES},
    {"dipoles_4096", BENCH_CUBE, 16, 1, NULL, BENCH_DIPOLES},
    {"sparse_10", BENCH_EVOLVED, 10, 1, NULL, BENCH_PLAIN},
    {"batch_cube_6", BENCH_CUBE, 6, 1000, NULL, BENCH_PLAIN},
    {"batch_cube_10", BENCH_CUBE, 10, 1000, NULL, BENCH_PLAIN},
    {"batch_cube_10_poisson", BENCH_CUBE, 10, 1000, NULL, BENCH_POISSON},
    {"batch_mixed_10", BENCH_EVOLVED, 10, 1000, NULL, BENCH_PLAIN}};

const bench_case *bench_case_at(unsigned index)
{
    return index < BENCH_CASES ? &cases[index] : NULL;
}

/* Gives a robot the phases of a random wave through its body, of at most one wavelength along each
   axis. Robot 0 has no wave: all of it moves in phase. */
static vxe_status give_wave(vxe_design *design, int edge, uint32_t robot)
{
    vxe_layer *layer = robot ? vxe_design_layer(design, "PhaseOffset", 1) : NULL;
    if (!layer) {
        return robot ? VXE_ERROR_MEMORY : VXE_OK;
    }
    uint64_t state = robot;
    double cycles[3]; /* per voxel */
    for (int c = 0; c < 3; c++) {
        cycles[c] = (2 * bench_random(&state) - 1) / edge;
    }
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const int32_t *at = design->voxels[v].position;
        layer->values[v] = cycles[0] * at[0] + cycles[1] * at[1] + cycles[2] * at[2];
    }
    return VXE_OK;
}

/* A full cube of soft rubber with voxels of 5 mm, on the floor, whose edges change by 3 % at 4 Hz.
 */
static vxe_design *cube_design(int edge, uint32_t robot, vxe_error *error)
{
    vxe_design *design = vxe_design_create();
    vxe_material material = vxe_material_default();
    material.thermal_expansion = 0.01; /* 1/K */
    vxe_status status =
        design ? vxe_design_add_material(design, &material, NULL, error) : VXE_ERROR_MEMORY;
    for (int i = 0; i < edge * edge * edge && !status; i++) {
        status =
            vxe_design_add_voxel(design, i % edge, i / edge % edge, i / (edge * edge), 0, error);
    }
    status = status ? status : give_wave(design, edge, robot);
    if (status) {
        vxe_design_destroy(design);
        return NULL;
    }
    design->voxel_size = 0.005; /* m */
    design->actuation =
        (vxe_actuation){.enabled = true, .base = 25, .amplitude = 3, .period = 0.25}; /* C, K, s */
    return design;
}

static vxe_design *file_design(const char *name, vxe_error *error)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", VXE_ASSETS, name);
    vxe_design *design = vxe_design_read(path, error);
    if (design) {
        design->stop.settle_time = 0; /* moving from the start */
    }
    return design;
}

vxe_design *bench_case_design(const bench_case *which, uint32_t robot, double ratio,
                              vxe_error *error)
{
    vxe_design *design = which->body == BENCH_FILE ? file_design(which->path, error)
                         : which->body == BENCH_CUBE
                             ? cube_design(which->edge, robot, error)
                             : bench_evolved_body(which->edge, robot, error);
    if (design) {
        design->self_collision = which->law == BENCH_COLLIDES;
        design->volume_effects = which->law == BENCH_POISSON;
        design->magnetics.enabled = which->law == BENCH_DIPOLES;
    }
    for (uint32_t i = 0; design && which->law == BENCH_DIPOLES && i < design->material_count; i++) {
        design->materials[i].magnetization[0] = 1e4; /* A/m */
    }
    for (uint32_t i = 0; design && ratio >= 0 && i < design->material_count; i++) {
        design->materials[i].bond_damping = ratio;
    }
    if (!design && !error->message[0]) {
        snprintf(error->message, sizeof error->message, "no memory for a design");
    }
    return design;
}
