/* SPDX-License-Identifier: MIT */
/* See bodies.h. A body is the largest connected part of the cells in which smoothed noise is above
   a threshold; two more fields of noise choose the materials. Compositional pattern producing
   networks (Stanley2007), a common genome of soft robots, give such shapes. */
#include "bodies.h"

#include <stdlib.h>
#include <string.h>

#include "numbers.h"

/* Part of the box that is filled before separate parts are removed. */
#define FILL 0.6
/* Number of smoothings by (1 2 1)/4 along each axis, which gives patches of about three voxels. */
enum { SMOOTHINGS = 3 };

/* Numbers for each cell of a box, x fastest. */
typedef struct box {
    int edge;
    int cells;
    double *field[3]; /* (cells) noise for the shape; for passive or muscle; for which of the two */
    double *other;    /* (cells) temporary, for smoothing and sorting */
    int32_t *part;    /* (cells) connected part, from 1; 0: empty or not visited yet */
    int32_t *queue;   /* (cells) temporary, of a breadth-first search */
} box;

static int stride_of(const box *b, int axis)
{
    return axis == 0 ? 1 : axis == 1 ? b->edge : b->edge * b->edge;
}

/* The neighbour of a cell in one of six directions, or -1 outside. */
static int neighbour(const box *b, int cell, int direction)
{
    const int stride = stride_of(b, direction / 2);
    const int at = cell / stride % b->edge;
    if (direction % 2) {
        return at + 1 < b->edge ? cell + stride : -1;
    }
    return at > 0 ? cell - stride : -1;
}

/* Fills a field with smoothed noise, mirrored at the walls. */
static void fill_field(box *b, int index, uint64_t *state)
{
    for (int i = 0; i < b->cells; i++) {
        b->field[index][i] = bench_random(state);
    }
    for (int pass = 0; pass < 3 * SMOOTHINGS; pass++) {
        const double *from = b->field[index];
        for (int i = 0; i < b->cells; i++) {
            const int low = neighbour(b, i, 2 * (pass % 3));
            const int high = neighbour(b, i, 2 * (pass % 3) + 1);
            b->other[i] =
                0.5 * from[i] + 0.25 * (from[low < 0 ? i : low] + from[high < 0 ? i : high]);
        }
        double *smoothed = b->other;
        b->other = b->field[index];
        b->field[index] = smoothed;
    }
}

/* The value below which a part (0 to 1) of the cells of a field is. */
static double quantile(box *b, int index, double part)
{
    memcpy(b->other, b->field[index], (size_t)b->cells * sizeof *b->other);
    return bench_quantile(b->other, b->cells, part);
}

/* Marks the cells at or above the threshold that are connected by faces to a cell; returns their
   number. */
static int mark_part(box *b, int start, int32_t number, double threshold)
{
    int found = 0;
    b->part[start] = number;
    b->queue[found++] = start;
    for (int next = 0; next < found; next++) {
        for (int direction = 0; direction < 6; direction++) {
            const int cell = neighbour(b, b->queue[next], direction);
            if (cell >= 0 && !b->part[cell] && b->field[0][cell] >= threshold) {
                b->part[cell] = number;
                b->queue[found++] = cell;
            }
        }
    }
    return found;
}

/* Number of the largest connected part. */
static int32_t largest_part(box *b)
{
    const double threshold = quantile(b, 0, 1 - FILL);
    int32_t parts = 0;
    int32_t largest = 0;
    int max = 0;
    for (int i = 0; i < b->cells; i++) {
        if (!b->part[i] && b->field[0][i] >= threshold) {
            const int size = mark_part(b, i, ++parts, threshold);
            largest = size > max ? parts : largest;
            max = size > max ? size : max;
        }
    }
    return largest;
}

/* Adds soft and stiff tissue and two muscles in opposite phase, as stiff as those of the benchmark
   robots in assets/benchmark, but with a tenth of their density: under the full weight thin legs
   buckle and bodies collapse. */
static vxe_status add_materials(vxe_design *design, vxe_error *error)
{
    static const struct {
        double modulus;   /* Pa */
        double expansion; /* 1/K */
    } rows[4] = {{5e6, 0}, {5e8, 0}, {5e6, 0.01}, {5e6, -0.01}};
    vxe_status status = VXE_OK;
    for (int i = 0; i < 4 && !status; i++) {
        vxe_material material = vxe_material_default();
        material.youngs_modulus = rows[i].modulus;
        material.thermal_expansion = rows[i].expansion;
        material.density = 1e5; /* kg/m^3 */
        material.poissons_ratio = 0.35;
        material.global_damping = 0.01;
        status = vxe_design_add_material(design, &material, NULL, error);
    }
    return status;
}

/* Adds the voxels of a part, its lowest layer on the floor. */
static vxe_status add_voxels(vxe_design *design, box *b, int32_t part, vxe_error *error)
{
    const double muscle = quantile(b, 1, 0.5);
    const double second = quantile(b, 2, 0.5);
    const int layer = stride_of(b, 2);
    int lowest = 0;
    while (b->part[lowest] != part) {
        lowest++;
    }
    vxe_status status = VXE_OK;
    for (int i = lowest; i < b->cells && !status; i++) {
        const uint32_t material =
            (b->field[1][i] >= muscle ? 2u : 0u) + (b->field[2][i] >= second ? 1u : 0u);
        if (b->part[i] == part) {
            status = vxe_design_add_voxel(design, i % b->edge, i / b->edge % b->edge,
                                          i / layer - lowest / layer, material, error);
        }
    }
    return status;
}

static vxe_design *design_of(box *b, uint32_t number, vxe_error *error)
{
    uint64_t state = number;
    for (int i = 0; i < 3; i++) {
        fill_field(b, i, &state);
    }
    vxe_design *design = vxe_design_create();
    vxe_status status = design ? add_materials(design, error) : VXE_ERROR_MEMORY;
    status = status ? status : add_voxels(design, b, largest_part(b), error);
    if (status) {
        vxe_design_destroy(design);
        return NULL;
    }
    design->actuation = (vxe_actuation){.enabled = true,
                                        .base = 25,
                                        .amplitude = 14,
                                        .period = 0.25}; /* C, K: 14 % of an edge, s */
    return design;
}

vxe_design *bench_evolved_body(int edge, uint32_t number, vxe_error *error)
{
    box b = {.edge = edge, .cells = edge * edge * edge};
    const size_t cells = (size_t)b.cells;
    for (int i = 0; i < 3; i++) {
        b.field[i] = malloc(cells * sizeof *b.field[i]);
    }
    b.other = malloc(cells * sizeof *b.other);
    b.part = calloc(cells, sizeof *b.part);
    b.queue = malloc(cells * sizeof *b.queue);
    const int whole = b.field[0] && b.field[1] && b.field[2] && b.other && b.part && b.queue;
    vxe_design *design = whole ? design_of(&b, number, error) : NULL;
    for (int i = 0; i < 3; i++) {
        free(b.field[i]);
    }
    free(b.other);
    free(b.part);
    free(b.queue);
    return design;
}
