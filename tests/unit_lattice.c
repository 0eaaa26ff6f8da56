/* SPDX-License-Identifier: MIT */
/* Lattices and designs: bonds, surfaces and chunks of a set of cells, regions, layers, and what a
 * design refuses. */
#include <math.h>
#include <string.h>

#include "common/messages_internal.h"
#include "engine/solver/compile.h"
#include "lattice/topology_internal.h"
#include "support.h"

static void topology_of(const vxe_design *design, vxe_topology *topology)
{
    vxe_error error = {0};
    if (vxe_topology_init(topology, design, &error)) {
        fail_msg("%s", error.message);
    }
}

/* A full n^3 has 3 n^2 (n-1) bonds and n^3 - (n-2)^3 surface voxels. */
static void full_cube_has_its_bonds_and_surface(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    for (int n = 1; n < 8; n++) {
        vxe_design *design = block_design(&m, n, n, n);
        vxe_topology t;
        topology_of(design, &t);
        const int inner = n > 2 ? (n - 2) * (n - 2) * (n - 2) : 0;
        assert_int_equal(t.bond_count, 3 * n * n * (n - 1));
        assert_int_equal(t.surface_count, n * n * n - inner);
        assert_int_equal(t.body_count, 1);
        vxe_topology_clear(&t);
        vxe_design_destroy(design);
    }
}

/* Voxels given in reverse order, with any sign, 4e9 cells apart: order, neighbours and parts are
 * right, and memory grows with the voxels, not with the box. */
static void spread_voxels_in_any_order_find_their_neighbours(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 1, 1, 1);
    const int32_t places[6][3] = {{INT32_MAX, INT32_MAX, INT32_MAX},
                                  {INT32_MIN, 0, 0},
                                  {INT32_MIN + 1, 0, 0},
                                  {5, -7, -1000000000},
                                  {5, -6, -1000000000},
                                  {0, 0, 1}};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(
            vxe_design_add_voxel(design, places[i][0], places[i][1], places[i][2], 0, NULL),
            VXE_OK);
    }
    vxe_topology t;
    topology_of(design, &t);
    assert_int_equal(t.bond_count, 3); /* the pair in x, the pair in y, and (0,0,0)-(0,0,1) */
    assert_int_equal(t.body_count, 4);
    assert_int_equal(t.order[0], 4); /* lowest z, lower y */
    assert_int_equal(t.up[1][0], 1);
    assert_int_equal(t.up[0][t.place[2]], t.place[3]);
    assert_int_equal(t.up[2][t.place[0]], t.place[6]);
    assert_int_equal(t.low[0], INT32_MIN);
    assert_int_equal(t.high[2], INT32_MAX);
    vxe_topology_clear(&t);
    vxe_design_destroy(design);
}

static void two_voxels_in_a_cell_are_refused(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 2, 1, 1);
    assert_int_equal(vxe_design_add_voxel(design, 1, 0, 0, 0, NULL), VXE_OK);
    vxe_topology t;
    vxe_error error;
    assert_int_equal(vxe_topology_init(&t, design, &error), VXE_ERROR_INPUT);
    assert_non_null(strstr(error.message, "(1, 0, 0)"));
    vxe_design_destroy(design);
}

/* Each bond is in exactly one lane, and no vector leaves its chunk. */
static void chunks_hold_each_bond_once(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 1, 1, 1);
    uint64_t seed = 99;
    for (int z = 0; z < 9; z++) {
        for (int y = 0; y < 13; y++) {
            for (int x = 0; x < 31; x++) {
                if ((x || y || z) && random_unit(&seed) < 0.3) {
                    assert_int_equal(vxe_design_add_voxel(design, x, y, z, 0, NULL), VXE_OK);
                }
            }
        }
    }
    for (int x = 100; x < 500; x++) { /* a row longer than a chunk */
        assert_int_equal(vxe_design_add_voxel(design, x, 0, 0, 0, NULL), VXE_OK);
    }
    vxe_world_def def = vxe_world_def_default();
    def.precision = VXE_PRECISION_DOUBLE;
    vxe_model model;
    vxe_messages warnings = {0};
    vxe_error error;
    assert_int_equal(vxe_model_init(&model, design, &def, &warnings, &error), VXE_OK);
    uint64_t bonds = 0;
    for (int axis = 0; axis < 3; axis++) {
        const vxe_bond_vectors *b = &model.arrays.bonds[axis];
        for (uint32_t chunk = 0; chunk < model.chunks.chunk_count; chunk++) {
            assert_true(model.chunks.chunk_first[chunk + 1] - model.chunks.chunk_first[chunk] <=
                        VXE_CHUNK_SLOTS);
            for (uint32_t v = model.chunks.vector_first[axis][chunk];
                 v < model.chunks.vector_first[axis][chunk + 1]; v++) {
                for (uint32_t lane = 0; lane < VXE_VECTOR; lane++) {
                    if (b->present[v] >> lane & 1) {
                        bonds++;
                        assert_int_equal(model.topology.up[axis][b->lower[v] + lane],
                                         b->upper[v] + lane);
                        assert_true(b->lower[v] + lane < model.chunks.chunk_first[chunk + 1]);
                    }
                }
            }
        }
    }
    assert_int_equal(bonds, model.topology.bond_count);
    vxe_model_clear(&model);
    vxe_messages_clear(&warnings);
    vxe_design_destroy(design);
}

/* A region selects the right voxels, by its shape. */
static void regions_select_their_voxels(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    const struct {
        vxe_region region;
        uint32_t voxels;
    } cases[] = {
        {{.shape = VXE_REGION_BOX, .low = {0, 0, 0}, .high = {0.05, 0.05, 0.005}}, 25},
        {{.shape = VXE_REGION_BOX, .low = {0, 0, 0}, .high = {0.05, 0.05, 0.01}},
         25}, /* open bounds: a voxel that only touches the region does not overlap it */
        {{.shape = VXE_REGION_SPHERE, .low = {0.025, 0.025, 0.025}, .radius = 0.0015},
         7}, /* reach 10.16 mm: six neighbours */
        {{.shape = VXE_REGION_CYLINDER,
          .low = {0.025, 0.025, 0},
          .high = {0.025, 0.025, 0.05},
          .radius = 0.001},
         5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vxe_design *design = block_design(&m, 5, 5, 5);
        vxe_region region = cases[i].region;
        region.force[0] = 1;
        assert_int_equal(vxe_design_add_region(design, &region, NULL), VXE_OK);
        vxe_world_def def = vxe_world_def_default();
        def.precision = VXE_PRECISION_DOUBLE;
        vxe_model model;
        vxe_messages warnings = {0};
        vxe_error error;
        assert_int_equal(vxe_model_init(&model, design, &def, &warnings, &error), VXE_OK);
        uint32_t touched = 0;
        double force = 0;
        for (uint32_t s = 0; s < 125; s++) {
            const double load = vxe_real_at(model.precision, model.arrays.load[0], s);
            touched += load > 0;
            force += load;
        }
        assert_int_equal(touched, cases[i].voxels);
        check_near("total force, N", force, 1, 1e-12);
        vxe_model_clear(&model);
        vxe_messages_clear(&warnings);
        vxe_design_destroy(design);
    }
}

/* Designs that are refused. */
static void wrong_designs_are_refused(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    for (int i = 0; i < 11; i++) {
        vxe_design *design = block_design(&m, 2, 2, 2);
        vxe_error error = {0};
        double bad[4] = {0, 0, -1, 1};
        uint32_t far = 99;
        const vxe_region table = {.shape = VXE_REGION_BOX, .table = bad, .table_count = 2};
        const vxe_region list = {.shape = VXE_REGION_VOXELS, .voxels = &far, .voxel_count = 1};
        assert_int_equal(vxe_design_check(design, &error), VXE_OK);
        switch (i) {
        case 0:
            design->voxel_size = 0;
            break;
        case 1:
            design->voxels[3].material = 1;
            break;
        case 2:
            design->materials[0].density = -1;
            break;
        case 3:
            design->gravity[1] = (double)NAN;
            break;
        case 4:
            design->actuation =
                (vxe_actuation){.enabled = true, .base = 0, .amplitude = 1, .period = -1};
            break;
        case 5:
            design->time_step.fraction = 0;
            break;
        case 6:
            assert_int_equal(vxe_design_add_region(design, &table, NULL), VXE_OK);
            break;
        case 7:
            assert_int_equal(vxe_design_add_region(design, &list, NULL), VXE_OK);
            break;
        case 8: /* its steps would be of 1e-31 s */
            vxe_design_set_velocity(design, 1, (const double[3]){1e28, 0, 0}, NULL, NULL);
            break;
        case 9:
            vxe_design_set_velocity(design, 1, NULL, (const double[3]){0, (double)NAN, 0}, NULL);
            break;
        default:
            vxe_design_layer(design, "PhaseOffset", 1)->values[1] = (double)INFINITY;
        }
        assert_int_equal(vxe_design_check(design, &error), VXE_ERROR_INPUT);
        vxe_world_def def = vxe_world_def_default();
        def.precision = VXE_PRECISION_DOUBLE;
        assert_null(vxe_world_create(design, &def, &error));
        assert_true(strlen(error.message) > 10);
        vxe_design_destroy(design);
    }
    vxe_design *empty = vxe_design_create();
    vxe_error error;
    assert_int_equal(vxe_design_check(empty, &error), VXE_ERROR_INPUT);
    assert_int_equal(vxe_design_set_velocity(empty, 0, NULL, NULL, &error), VXE_ERROR_INPUT);
    vxe_design_destroy(empty);
}

/* Layers and velocities stay with their voxels when voxels are added after them. */
static void voxels_may_be_added_behind_layers(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 3, 1, 1);
    vxe_error error;
    const double velocity[3] = {1, 2, 3};
    vxe_design_layer(design, "Amplitude", 1)->values[2] = 7;
    assert_int_equal(vxe_design_set_velocity(design, 2, velocity, NULL, &error), VXE_OK);
    for (int i = 3; i < 100; i++) {
        assert_int_equal(vxe_design_add_voxel(design, i, 0, 0, 0, &error), VXE_OK);
    }
    const vxe_layer *layer = vxe_design_find_layer(design, "Amplitude");
    for (int i = 0; i < 100; i++) {
        assert_true(layer->values[i] == (i == 2 ? 7 : 0));
        assert_true(design->velocity[6 * i + 1] == (i == 2 ? 2 : 0));
    }
    assert_int_equal(vxe_design_check(design, &error), VXE_OK);
    vxe_design_destroy(design);
}

/* The body of another design comes with all that acts on its voxels; where only one of the two has
   a layer, the other's voxels get numbers that do nothing. */
static void bodies_are_put_side_by_side(void **state)
{
    (void)state;
    vxe_error error = {0};
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 2, 1, 1);
    vxe_design *other = block_design(&m, 1, 3, 1);
    uint32_t list[1] = {2};
    const double velocity[3] = {1, 2, 3};
    const int32_t at[3] = {5, -1, 0};
    const vxe_region region = {
        .shape = VXE_REGION_VOXELS, .voxels = list, .voxel_count = 1, .fixed = VXE_FIX_X};
    const vxe_contact_rule rule = {0, VXE_CONTACT_FLOOR,
                                   vxe_contact_law_default(VXE_CONTACT_HERTZ)};
    other->materials[0].youngs_modulus = 2e6;
    vxe_design_layer(design, "Amplitude", 1)->values[0] = 7;
    vxe_design_layer(other, "Stiffness", 1)->values[1] = 3e6;
    for (int v = 0; v < 3; v++) {
        vxe_design_layer(other, "Density", 1)->values[v] = 2000 + v;
    }
    assert_int_equal(vxe_design_set_velocity(other, 2, velocity, NULL, &error), VXE_OK);
    assert_int_equal(vxe_design_add_region(other, &region, &error), VXE_OK);
    assert_int_equal(vxe_design_add_contact_rule(other, &rule, &error), VXE_OK);
    assert_int_equal(vxe_design_add_design(design, other, at, &error), VXE_OK);
    assert_int_equal(design->voxel_count, 5);
    assert_int_equal(design->voxels[4].position[0], 5);
    assert_int_equal(design->voxels[4].position[1], 1);
    assert_int_equal(design->voxels[4].material, 1);
    assert_true(design->materials[1].youngs_modulus == 2e6);
    const double *amplitude = vxe_design_find_layer(design, "Amplitude")->values;
    const double *stiffness = vxe_design_find_layer(design, "Stiffness")->values;
    assert_true(amplitude[0] == 7 && amplitude[1] == 0 && amplitude[2] == 1 && amplitude[4] == 1);
    const double *density = vxe_design_find_layer(design, "Density")->values;
    assert_true(density[1] == m.density && density[2] == 2000 && density[4] == 2002);
    assert_true(stiffness[0] == m.youngs_modulus && stiffness[2] == 0 && stiffness[3] == 3e6);
    assert_true(design->velocity[6 * 4 + 1] == 2 && design->velocity[1] == 0);
    assert_int_equal(design->regions[0].voxels[0], 4);
    assert_int_equal(design->contact_rules[0].first, 1);
    assert_true(design->contact_rules[0].second == VXE_CONTACT_FLOOR);
    assert_int_equal(vxe_design_add_design(design, design, (const int32_t[3]){0, 9, 0}, &error),
                     VXE_OK); /* itself */
    assert_int_equal(design->voxel_count, 10);
    assert_int_equal(design->voxels[9].material, 3);
    assert_true(vxe_design_find_layer(design, "Amplitude")->values[5] == 7);
    if (vxe_design_check(design, &error)) {
        fail_msg("%s", error.message);
    }
    vxe_design_destroy(other);
    vxe_design_destroy(design);
}

/* What cannot be added leaves the design as it was. */
static void bodies_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    vxe_error error = {0};
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 2, 1, 1);
    vxe_design *other = block_design(&m, 1, 1, 1);
    const int32_t at[3] = {0, 0, 5};
    const int32_t beyond[3] = {INT32_MAX, 0, 0};
    other->voxels[0].position[0] = 1;
    vxe_design_layer(design, "BodyForce", 3);
    const uint64_t hash = vxe_design_hash(design);
    assert_int_equal(vxe_design_add_design(design, other, beyond, &error), VXE_ERROR_ARGUMENT);
    other->voxel_size *= 2;
    assert_int_equal(vxe_design_add_design(design, other, at, &error), VXE_ERROR_INPUT);
    other->voxel_size = design->voxel_size;
    other->voxels[0].material = 1;
    assert_int_equal(vxe_design_add_design(design, other, at, &error), VXE_ERROR_INPUT);
    other->voxels[0].material = 0;
    vxe_design_layer(other, "BodyForce", 1);
    assert_int_equal(vxe_design_add_design(design, other, at, &error), VXE_ERROR_INPUT);
    assert_true(vxe_design_hash(design) == hash);
    vxe_design_destroy(other);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(voxels_may_be_added_behind_layers),
        cmocka_unit_test(bodies_are_put_side_by_side),
        cmocka_unit_test(bodies_that_do_not_fit_are_refused),
        cmocka_unit_test(full_cube_has_its_bonds_and_surface),
        cmocka_unit_test(spread_voxels_in_any_order_find_their_neighbours),
        cmocka_unit_test(two_voxels_in_a_cell_are_refused),
        cmocka_unit_test(chunks_hold_each_bond_once),
        cmocka_unit_test(regions_select_their_voxels),
        cmocka_unit_test(wrong_designs_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
