/* SPDX-License-Identifier: MIT */
/* Scan order of small bodies: what a good order saves, and that no result depends on it. */
#include <string.h>

#include "common/memory.h"
#include "engine/batch.h"
#include "engine/model/model.h"
#include "support.h"

static const uint8_t scans[6][3] = {{2, 1, 0}, {2, 0, 1}, {1, 2, 0},
                                    {1, 0, 2}, {0, 2, 1}, {0, 1, 2}};

/* A body with gaps, of which every fourth cell is empty, in several parts. */
static vxe_design *ragged(int nx, int ny, int nz)
{
    vxe_design *design = vxe_design_create();
    vxe_error error;
    const vxe_material m = standard_material();
    assert_int_equal(vxe_design_add_material(design, &m, NULL, &error), VXE_OK);
    uint64_t seed = 5;
    for (int i = nx - 1; i >= 0; i--) { /* in an order of no scan */
        for (int k = 0; k < nz; k++) {
            for (int j = 0; j < ny; j++) {
                if (random_unit(&seed) < 0.3) {
                    assert_int_equal(vxe_design_add_voxel(design, i, j, k, 0, &error), VXE_OK);
                }
            }
        }
    }
    return design;
}

/* Neighbours, free faces and parts are those of a scan of z, y, x, whatever the scan order. */
static void scans_see_the_same(void **state)
{
    (void)state;
    vxe_error error;
    vxe_design *design = ragged(5, 6, 7);
    vxe_topology plain;
    assert_int_equal(vxe_topology_init(&plain, design, &error), VXE_OK);
    assert_in_range(plain.body_count, 2, 100);
    for (int s = 0; s < 6; s++) {
        vxe_topology t;
        assert_int_equal(vxe_topology_init_along(&t, design, scans[s], &error), VXE_OK);
        assert_int_equal(t.bond_count, plain.bond_count);
        assert_int_equal(t.body_count, plain.body_count);
        assert_int_equal(t.surface_count, plain.surface_count);
        for (uint32_t i = 0; i < t.voxel_count; i++) {
            const uint32_t v = t.order[i];
            const uint32_t there = plain.place[v];
            assert_int_equal(t.place[v], i);
            assert_int_equal(vxe_topology_rank(&t, i), there);
            assert_int_equal(t.faces[i], plain.faces[there]);
            assert_int_equal(t.body[i], plain.body[there]);
            for (int axis = 0; axis < 3; axis++) {
                const uint32_t up = t.up[axis][i];
                const uint32_t want = plain.up[axis][there];
                assert_true(up == VXE_NONE || up > i);
                assert_int_equal(up == VXE_NONE ? VXE_NONE : t.order[up],
                                 want == VXE_NONE ? VXE_NONE : plain.order[want]);
            }
            if (i > 0) {
                const int32_t *before = design->voxels[t.order[i - 1]].position;
                const int32_t *own = design->voxels[v].position;
                const int64_t cell[3] = {own[0], own[1], own[2]};
                assert_true(vxe_scan_ahead(scans[s], before, cell));
            }
        }
        vxe_topology_clear(&t);
    }
    vxe_topology_clear(&plain);
    vxe_design_destroy(design);
}

/* Posts of 2 x 2 voxels along each axis: 3 vectors of 16 bonds and a remainder if rows run along
 * the post. */
static void posts_stand_along_their_rows(void **state)
{
    (void)state;
    vxe_error error;
    for (int along = 0; along < 3; along++) {
        const vxe_material m = standard_material();
        vxe_design *design =
            block_design(&m, along == 0 ? 40 : 2, along == 1 ? 40 : 2, along == 2 ? 40 : 2);
        vxe_model model = {.edge = EDGE};
        vxe_topology plain;
        assert_int_equal(vxe_topology_init(&plain, design, &error), VXE_OK);
        assert_int_equal(vxe_model_scan(&model, design, &error), VXE_OK);
        const uint32_t before = vxe_chunks_vectors(&plain);
        const uint32_t now = vxe_chunks_vectors(&model.topology);
        print_message("  along %c: %u vectors, %u by the plain scan\n", 'x' + along, now, before);
        assert_true(now <= before);
        assert_in_range(now, 20, 22); /* 316 bonds fill 19.75 */
        assert_int_equal(model.topology.axes[2], along);
        vxe_topology_clear(&plain);
        vxe_topology_clear(&model.topology);
        vxe_design_destroy(design);
    }
}

/* A horseshoe along one axis, whose two arms, 3 cells apart, are driven into each other. */
static vxe_design *horseshoe(int turn)
{
    vxe_material m = standard_material();
    m.bond_damping = 0.5;
    m.static_friction = m.dynamic_friction = 0.5;
    vxe_design *design = vxe_design_create();
    vxe_error error;
    assert_int_equal(vxe_design_add_material(design, &m, NULL, &error), VXE_OK);
    for (int a = 0; a < 9; a++) {
        for (int b = 0; b < 5; b++) {
            for (int c = 0; c < 1 + turn % 2; c++) {
                if (a > 0 && b > 0 && b < 4) {
                    continue;
                }
                int32_t at[3];
                at[turn % 3] = a;
                at[(turn + 1) % 3] = b;
                at[(turn + 2) % 3] = c;
                assert_int_equal(vxe_design_add_voxel(design, at[0], at[1], at[2], 0, &error),
                                 VXE_OK);
                double velocity[3] = {0, 0, 0};
                const double still[3] = {0, 0, 0};
                velocity[(turn + 1) % 3] = (b == 0 ? 2 : b == 4 ? -2 : 0) * a / 9.0;
                assert_int_equal(vxe_design_set_velocity(design, design->voxel_count - 1, velocity,
                                                         still, &error),
                                 VXE_OK);
            }
        }
    }
    design->self_collision = true;
    design->floor.enabled = turn < 3;
    return design;
}

/* The bits are the same alone, in a batch, and for any number of threads, although each robot has
 * its own scan order. */
static void scans_keep_the_bits(void **state)
{
    (void)state;
    check_same_bits(horseshoe, 6, 400);
}

/* A collision that bodies of all six scan orders detect in the same step. */
static void all_collide(void **state)
{
    (void)state;
    vxe_error error;
    for (int turn = 0; turn < 6; turn++) {
        vxe_design *design = horseshoe(turn);
        design->floor.enabled = false;
        design->gravity[2] = 0;
        vxe_world_def def = vxe_world_def_default();
        def.step_rule = VXE_STEP_SECONDS;
        def.step_seconds = 5e-5;
        vxe_world *world = make_world(design, &def);
        uint8_t *touched = test_calloc(design->voxel_count, 1);
        uint64_t steps = 0;
        int touching = 0;
        while (!touching && steps < 4000) {
            assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
            steps++;
            vxe_world_sense(world, &(vxe_sensors){.touched = touched});
            for (uint32_t v = 0; v < design->voxel_count; v++) {
                touching += touched[v];
            }
        }
        /* arms of one voxel and of two have the same ratio of mass to stiffness */
        static uint64_t first[2];
        first[turn % 2] = turn < 2 ? steps : first[turn % 2];
        print_message("  turn %d: step %d, %d voxels\n", turn, (int)steps, touching);
        assert_in_range(steps, 10, 3999);
        assert_int_equal(steps, first[turn % 2]);
        test_free(touched);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scans_see_the_same), cmocka_unit_test(posts_stand_along_their_rows),
        cmocka_unit_test(scans_keep_the_bits), cmocka_unit_test(all_collide)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
