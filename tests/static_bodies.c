/* SPDX-License-Identifier: MIT */
/* Bodies for tests of statics, and the direct solution. */
#include "static_bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TORSION_CONSTANT (0.1405770 * EDGE * EDGE * EDGE * EDGE) /* TimoshenkoGoodier1970, 109 */

vxe_settled settle_world(vxe_world *world, bool linear)
{
    vxe_error error;
    vxe_settled settled;
    vxe_settle_def def = vxe_settle_def_default();
    def.linear = linear;
    if (vxe_world_settle(world, &def, &settled, &error)) {
        fail_msg("%s", error.message);
    }
    return settled;
}

vxe_design *bar_design(const vxe_material *m, int n, int axis, const double force[3],
                       const double moment[3])
{
    vxe_design *design = block_design(m, axis == 0 ? n : 1, axis == 1 ? n : 1, axis == 2 ? n : 1);
    hold_plane(design, axis, 0, VXE_FIX_ALL, NULL, NULL);
    hold_plane(design, axis, n - 1, 0, force, moment);
    return design;
}

vxe_design *clamped_bar(int n, int axis, const double force[3], const double moment[3])
{
    const vxe_material m = standard_material();
    return bar_design(&m, n, axis, force, moment);
}

vxe_design *irregular_body(uint32_t voxels, uint64_t seed)
{
    vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 2, 2, 1);
    vxe_error error;
    m.youngs_modulus *= 5;
    assert_int_equal(vxe_design_add_material(design, &m, NULL, &error), VXE_OK);
    while (design->voxel_count < voxels) {
        const double pick = 0.5 * (random_unit(&seed) + 1);
        const uint32_t from = (uint32_t)(pick * design->voxel_count) % design->voxel_count;
        const uint32_t way = (uint32_t)(2.5 * (random_unit(&seed) + 1)) % 5; /* never down */
        int cell[3];
        bool taken = false;
        for (int c = 0; c < 3; c++) {
            cell[c] = design->voxels[from].position[c];
        }
        cell[way % 3] += way < 3 ? 1 : -1;
        for (uint32_t v = 0; v < design->voxel_count; v++) {
            taken = taken || memcmp(design->voxels[v].position, cell, sizeof cell) == 0;
        }
        if (!taken) {
            const int one[3] = {1, 1, 1};
            add_block(design, cell, one, design->voxel_count % 2);
        }
    }
    hold_plane(design, 2, 0, VXE_FIX_ALL, NULL, NULL);
    return design;
}

vxe_design *portal_frame(int w, int h, double load)
{
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, w, 1, 1);
    for (int i = 0; i < w; i++) {
        design->voxels[i].position[2] = h;
    }
    for (int side = 0; side < 2; side++) {
        const int low[3] = {side ? w - 1 : 0, 0, 0};
        const int size[3] = {1, 1, h};
        add_block(design, low, size, 0);
    }
    const double force[3] = {0.5 * load, 0.2 * load, -load};
    hold_plane(design, 2, 0, VXE_FIX_ALL, NULL, NULL);
    hold_plane(design, 0, w / 2, 0, force, NULL);
    return design;
}

/* Adds a beam of length and edge a between two voxels along an axis: the textbook's 12 x 12, local
   x along the beam; the other axes follow in turn. */
static void add_beam(direct *d, size_t lower, size_t upper, int axis, double modulus)
{
    const double a = EDGE;
    const double ei = modulus * SECOND_MOMENT;
    const double ea = modulus * a * a;
    const double gj = modulus / (2 * (1 + RATIO)) * TORSION_CONSTANT;
    double k[12][12] = {{0}};
    k[0][0] = k[6][6] = ea / a;
    k[0][6] = -ea / a;
    k[1][1] = k[7][7] = k[2][2] = k[8][8] = 12 * ei / (a * a * a);
    k[1][7] = k[2][8] = -12 * ei / (a * a * a);
    k[3][3] = k[9][9] = gj / a;
    k[3][9] = -gj / a;
    k[4][4] = k[5][5] = k[10][10] = k[11][11] = 4 * ei / a;
    k[4][10] = k[5][11] = 2 * ei / a;
    k[1][5] = k[1][11] = 6 * ei / (a * a);
    k[2][4] = k[2][10] = -6 * ei / (a * a);
    k[5][7] = k[7][11] = -6 * ei / (a * a);
    k[4][8] = k[8][10] = 6 * ei / (a * a);
    size_t at[12];
    for (int i = 0; i < 12; i++) {
        const size_t voxel = i < 6 ? lower : upper;
        at[i] = 6 * voxel + (size_t)(3 * (i % 6 / 3) + (i % 3 + axis) % 3);
        for (int j = 0; j < i; j++) {
            k[i][j] = k[j][i];
        }
    }
    for (int i = 0; i < 12; i++) {
        for (int j = 0; j < 12; j++) {
            d->matrix[at[i] * 6 * d->n + at[j]] += k[i][j];
        }
    }
}

direct direct_of(const vxe_design *design)
{
    direct d = {design, design->voxel_count, NULL, NULL};
    d.matrix = calloc(36 * d.n * d.n, sizeof *d.matrix);
    d.fixed = calloc(d.n, 1);
    uint8_t *inside = calloc(d.n, 1);
    assert_true(d.matrix && d.fixed && inside);
    for (size_t i = 0; i < d.n; i++) {
        for (size_t j = 0; j < d.n; j++) {
            for (int axis = 0; axis < 3; axis++) {
                const int32_t *p = design->voxels[i].position;
                const int32_t *q = design->voxels[j].position;
                if (q[axis] == p[axis] + 1 && q[(axis + 1) % 3] == p[(axis + 1) % 3] &&
                    q[(axis + 2) % 3] == p[(axis + 2) % 3]) {
                    const double e1 = design->materials[design->voxels[i].material].youngs_modulus;
                    const double e2 = design->materials[design->voxels[j].material].youngs_modulus;
                    add_beam(&d, i, j, axis, 2 * e1 * e2 / (e1 + e2));
                }
            }
        }
    }
    for (uint32_t r = 0; r < design->region_count; r++) {
        vxe_design_region_voxels(design, r, inside);
        for (size_t i = 0; i < d.n; i++) {
            d.fixed[i] |= inside[i] ? (uint8_t)design->regions[r].fixed : 0;
        }
    }
    free(inside);
    return d;
}

bool direct_is_fixed(const direct *d, size_t freedom)
{
    return d->fixed[freedom / 6] >> freedom % 6 & 1;
}

/* By Cholesky's factors. */
void direct_solve(direct *d, double *x)
{
    const size_t n = 6 * d->n;
    double *k = d->matrix;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (direct_is_fixed(d, i) || direct_is_fixed(d, j)) {
                k[i * n + j] = i == j;
            }
        }
        x[i] = direct_is_fixed(d, i) ? 0 : x[i];
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            double sum = k[i * n + j];
            for (size_t m = 0; m < j; m++) {
                sum -= k[i * n + m] * k[j * n + m];
            }
            k[i * n + j] = i == j ? sqrt(sum) : sum / k[j * n + j];
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t m = 0; m < i; m++) {
            x[i] -= k[i * n + m] * x[m];
        }
        x[i] /= k[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t m = i + 1; m < n; m++) {
            x[i] -= k[m * n + i] * x[m];
        }
        x[i] /= k[i * n + i];
    }
}

void direct_release(direct *d)
{
    free(d->matrix);
    free(d->fixed);
}
