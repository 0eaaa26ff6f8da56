/* SPDX-License-Identifier: MIT */
/* Vibrations about equilibria (vxe_world_modes) against closed forms, and against a direct
 * solution.
 */
#include <math.h>
#include <stdlib.h>

#include "common/symmetric_eigen_internal.h"
#include "static_bodies.h"

/* The frequencies of a body against those of the direct matrix over the masses, all of them by
   Jacobi rotations. */
static void check_frequencies(const vxe_design *design, uint32_t count)
{
    const size_t n = 6 * design->voxel_count;
    direct d = direct_of(design);
    double *small = calloc(n * n, sizeof *small);
    double *basis = calloc(n * n, sizeof *basis);
    double *found = calloc(count, sizeof *found);
    assert_true(small && basis && found);
    size_t free_ones = 0;
    for (size_t i = 0; i < n; i++) {
        free_ones += !direct_is_fixed(&d, i);
    }
    size_t row = 0;
    for (size_t i = 0; i < n; i++) {
        size_t column = 0;
        for (size_t j = 0; j < n && !direct_is_fixed(&d, i); j++) {
            if (!direct_is_fixed(&d, j)) {
                small[row * free_ones + column++] =
                    d.matrix[i * n + j] /
                    sqrt((i % 6 < 3 ? MASS : INERTIA) * (j % 6 < 3 ? MASS : INERTIA));
            }
        }
        row += !direct_is_fixed(&d, i);
    }
    vxe_symmetric_eigen(small, basis, free_ones);
    vxe_error error;
    vxe_world *world = make_world_in(design, NULL, VXE_PRECISION_DOUBLE);
    if (vxe_world_modes(world, count, found, NULL, &error)) {
        fail_msg("%s", error.message);
    }
    for (uint32_t k = 0; k < count; k++) {
        size_t least = 0;
        for (size_t i = 0; i < free_ones; i++) {
            least = small[i * (free_ones + 1)] < small[least * (free_ones + 1)] ? i : least;
        }
        const double square = small[least * (free_ones + 1)];
        /* a motion of the whole has a square of rounding here, 1e-16 of the largest */
        check_near("frequency, Hz", found[k], sqrt(fmax(square, 0)) / (2 * PI),
                   found[k] > 0 ? 1e-6 * found[k] : 1e-4);
        small[least * (free_ones + 1)] = (double)INFINITY;
    }
    vxe_world_destroy(world);
    direct_release(&d);
    free(small);
    free(basis);
    free(found);
}

/* Small bodies are solved directly, the others by iteration: n below and above 30 free voxels. */
static void frequencies_match_the_direct_solution(void **state)
{
    (void)state;
    const double none[3] = {0, 0, 0};
    vxe_design *design = clamped_bar(12, 1, none, NULL);
    check_frequencies(design, 10);
    vxe_design_destroy(design);
    design = portal_frame(12, 14, 0);
    check_frequencies(design, 10);
    vxe_design_destroy(design);
    for (uint64_t seed = 1; seed < 3; seed++) {
        design = irregular_body(50, seed);
        check_frequencies(design, 10);
        vxe_design_destroy(design);
    }
    design = irregular_body(50, 7);
    design->regions[0].fixed = 0; /* six motions of the whole */
    check_frequencies(design, 12);
    vxe_design_destroy(design);
}

/* Among the modes of a rod of 40 voxels, which are iterated, is the first axial one of a chain of
   39 masses and springs, 2 w0 sin(pi/(4 39 + 2)); its largest displacement, an edge, is at the tip.
 */
static void a_rod_rings_as_a_chain(void **state)
{
    (void)state;
    vxe_error error;
    const double none[3] = {0, 0, 0};
    vxe_design *design = clamped_bar(40, 2, none, NULL);
    vxe_world *world = make_world_in(design, NULL, VXE_PRECISION_DOUBLE);
    double found[20];
    double shapes[20 * 40 * 6];
    assert_int_equal(vxe_world_modes(world, 20, found, shapes, &error), VXE_OK);
    const double axial = 2 * W0 * sin(PI / (4 * 39 + 2)) / (2 * PI);
    int matches = 0;
    for (int k = 0; k < 20; k++) {
        const double *tip = shapes + k * 240 + 39 * 6;
        if (fabs(found[k] / axial - 1) < 1e-8) {
            matches++;
            check_near("tip of the shape, m", fabs(tip[2]), EDGE, 1e-9);
        }
    }
    assert_int_equal(matches, 1);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A column under its weight buckles where its height is above (7.8373 EI/(m g/a))^(1/3)
   (TimoshenkoGere1961, 2.12). Weights here are lumped, which is worth less than the 5 % on either
   side. A column that is too high has modes that grow. */
static void a_column_that_is_too_high_is_not_stable(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    const double critical = cbrt(7.8373 * MODULUS * SECOND_MOMENT * EDGE / (MASS * 9.81));
    for (int side = -1; side < 2; side += 2) {
        vxe_design *design = block_design(&m, 1, 1, 20);
        vxe_error error;
        double found[2];
        hold_plane(design, 2, 0, VXE_FIX_ALL, NULL, NULL);
        const double off = pow(1 + 0.05 * side, 3); /* 5 % too low, or too high */
        design->gravity[2] = -9.81 * off * pow(critical / (19 * EDGE), 3);
        vxe_world *world = make_world_in(design, NULL, VXE_PRECISION_DOUBLE);
        settle_world(world, false);
        assert_int_equal(vxe_world_modes(world, 2, found, NULL, &error), VXE_OK);
        assert_true(side < 0 ? found[0] > 0 : found[1] < 0);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Voxels that nothing joins, beside a block on the floor: all motions of the whole are found, 3 of
   the block and 5 of the voxel, since a floor holds a voxel's height alone. */
static void loose_voxels_have_their_motions(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    vxe_error error;
    double found[9];
    vxe_design *design = block_design(&m, 4, 4, 4);
    const int low[3] = {8, 0, 0};
    const int size[3] = {1, 1, 1};
    add_block(design, low, size, 0);
    design->gravity[2] = -9.81;
    design->floor.enabled = true;
    vxe_world *world = make_world_in(design, NULL, VXE_PRECISION_DOUBLE);
    settle_world(world, false);
    assert_int_equal(vxe_world_modes(world, 9, found, NULL, &error), VXE_OK);
    for (int i = 0; i < 9; i++) {
        assert_true(i < 8 ? found[i] == 0 : found[i] > 1);
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies_match_the_direct_solution),
        cmocka_unit_test(a_rod_rings_as_a_chain),
        cmocka_unit_test(a_column_that_is_too_high_is_not_stable),
        cmocka_unit_test(loose_voxels_have_their_motions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
