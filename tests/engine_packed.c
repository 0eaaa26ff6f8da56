/* SPDX-License-Identifier: MIT */
/* Packed bonds of bodies with gaps: each bond is packed once and its force is added at the right
 * voxels, and packing does not change bits. */
#include <string.h>

#include "engine/bonds/bond_packing.h"
#include "engine/solver/step.h"
#include "support.h"

/* Each bond of a chunk is in one lane, the windows stay within the arrays, and the bond is added to
 * its lower voxel by one group and to its upper voxel by another. Returns how many vectors end
 * early because a window ends. */
static uint32_t check_chunk(const vxe_packed_bonds *packed, const vxe_topology *t, int axis,
                            uint32_t chunk, uint32_t begin, uint32_t end)
{
    uint32_t lower[VXE_CHUNK_SLOTS] = {0};
    uint32_t upper[VXE_CHUNK_SLOTS] = {0};
    const uint32_t window = 2 * packed->width;
    uint32_t count = 0;
    uint32_t short_ones = 0;
    for (uint32_t v = packed->first[chunk]; v < packed->first[chunk + 1]; v++) {
        short_ones += v + 1 < packed->first[chunk + 1] && packed->lanes[v] < packed->width;
        assert_int_equal(packed->bond[v], count);
        assert_in_range(packed->lanes[v], 1, packed->width);
        assert_true(packed->lower[v] + window <= t->voxel_count + VXE_SLOT_PADDING);
        assert_true(packed->upper[v] + window <= t->voxel_count + VXE_SLOT_PADDING);
        for (uint32_t lane = 0; lane < packed->width; lane++) {
            const uint64_t at = (uint64_t)v * packed->width + lane;
            assert_in_range(packed->lower_at[at], 0, window - 1);
            assert_in_range(packed->upper_at[at], 0, window - 1);
            if (lane >= packed->lanes[v]) { /* the window starts at the first bond */
                assert_int_equal(packed->lower_at[at], packed->lower_at[at - lane]);
                assert_int_equal(packed->upper_at[at], packed->upper_at[at - lane]);
                continue;
            }
            lower[count] = packed->lower[v] + packed->lower_at[at];
            upper[count++] = packed->upper[v] + packed->upper_at[at];
        }
    }
    uint32_t bonds = 0;
    for (uint32_t slot = begin; slot < end; slot++) {
        if (t->up[axis][slot] != VXE_NONE) {
            assert_int_equal(lower[bonds], slot);
            assert_int_equal(upper[bonds++], t->up[axis][slot]);
        }
    }
    assert_int_equal(bonds, count);
    for (int side = 0; side < 2; side++) {
        const vxe_packed_sums *sums = side ? &packed->upper_force : &packed->lower_force;
        uint32_t next = 0;
        for (uint32_t i = sums->first[chunk]; i < sums->first[chunk + 1]; i++) {
            assert_int_equal(sums->bond[i], next);
            for (uint32_t lane = 0; lane < VXE_VECTOR; lane++) {
                if (sums->mask[i] >> lane & 1) {
                    assert_int_equal((side ? upper : lower)[next++], sums->slot[i] + lane);
                }
            }
        }
        assert_int_equal(next, count);
    }
    return short_ones;
}

/* Packs the axes of a design into vectors of width lanes and checks them. Returns how many axes are
 * packed. */
static uint32_t check_axes(const vxe_design *design, uint32_t width, uint32_t *short_ones)
{
    vxe_topology t;
    vxe_chunks chunks = {0};
    vxe_bond_vectors bonds[3];
    memset(bonds, 0, sizeof bonds);
    vxe_error error;
    uint32_t packed_axes = 0;
    assert_int_equal(vxe_topology_init(&t, design, &error), VXE_OK);
    assert_int_equal(vxe_chunks_init(&chunks, bonds, &t, &error), VXE_OK);
    for (int axis = 0; axis < 3; axis++) {
        vxe_packed_bonds packed;
        const double rows = (double)bonds[axis].count * VXE_VECTOR / width;
        const vxe_packing packing = {width, rows / VXE_PACKED_COST};
        assert_int_equal(vxe_packed_init(&packed, &chunks, &t, axis, &packing, &error), VXE_OK);
        assert_true(packed.count == 0 || VXE_PACKED_COST * packed.count < rows);
        for (uint32_t chunk = 0; chunk < chunks.chunk_count && packed.count > 0; chunk++) {
            *short_ones += check_chunk(&packed, &t, axis, chunk, chunks.chunk_first[chunk],
                                       chunks.chunk_first[chunk + 1]);
        }
        packed_axes += packed.count > 0;
        assert_true(packed.count == 0 || t.voxel_count >= 2 * width);
        vxe_packed_clear(&packed);
    }
    vxe_bond_vectors_clear(bonds);
    vxe_chunks_clear(&chunks);
    vxe_topology_clear(&t);
    return packed_axes;
}

/* In vectors of 16, and of 8 as for the law of the Voxelyze family. */
static void every_bond_is_packed_once(void **state)
{
    (void)state;
    const int edges[5] = {3, 4, 6, 9, 16};
    for (uint32_t width = VXE_VECTOR; width >= VXE_VOXELYZE_WIDTH; width /= 2) {
        uint32_t packed_axes = 0;
        uint32_t short_ones = 0;
        for (int i = 0; i < 15; i++) {
            vxe_design *design = holed_walker(edges[i / 3], 0.3 + 0.2 * (i % 3), 0.3, 1);
            packed_axes += check_axes(design, width, &short_ones);
            vxe_design_destroy(design);
        }
        print_message("  %u of 45 axes are packed, %u vectors end with a window\n", packed_axes,
                      short_ones);
        assert_in_range(packed_axes, 20, 39);
        assert_in_range(short_ones, 20, 10000);
    }
}

/* Whether the single-body solver packs bonds of this design, in the test's precision. */
static bool is_packed(const vxe_design *design)
{
    vxe_world_def def = vxe_world_def_default();
    def.precision = test_precision();
    vxe_messages warnings = {0};
    vxe_model model;
    vxe_error error;
    assert_int_equal(vxe_model_init(&model, design, &def, &warnings, &error), VXE_OK);
    vxe_messages_clear(&warnings);
    const bool known = vxe_packed_runs(model.kernels, VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS);
    bool packed = false;
    for (int axis = 0; axis < 3; axis++) {
        packed = packed || model.arrays.packed[axis].count > 0;
    }
    assert_true(packed == known);
    vxe_model_clear(&model);
    return packed;
}

/* One thread packs bonds, several do not. Coefficient rows: of two numbers (one Poisson's ratio),
 * of eleven, without dashpots, with explicit ones, and with polynomial damping; bodies of one chunk
 * and of many. */
static void packing_keeps_the_bits(void **state)
{
    (void)state;
    const int edges[3] = {6, 10, 24};
    const double ratios[2] = {0.35, 0.1};
    const double dampings[3] = {0, 0.05, 1};
    int packed = 0;
    for (int i = 0; i < 18; i++) {
        vxe_design *design = holed_walker(edges[i / 6], 0.6, ratios[i % 2], dampings[i / 2 % 3]);
        design->stop.settle_time = 0;
        packed += is_packed(design);
        const uint64_t one = hash_after(design, 1, 100, false);
        assert_true(hash_after(design, 2, 100, false) == one);
        assert_true(hash_after(design, 3, 100, false) == one);
        vxe_design_destroy(design);
    }
    print_message("  %d of 18 bodies are packed\n", packed);
}

/* The bond that fails first is the same, and so is the final state. The bodies are crushed by their
 * own weight; their numbers are still finite at that time. */
static void failures_are_the_same(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        vxe_design *design = holed_walker(10, 0.6, 0.1, i ? 1 : 0.05);
        design->gravity[2] = -1e5;
        vxe_error errors[2];
        uint64_t hashes[2];
        for (uint32_t k = 0; k < 2; k++) {
            vxe_world_def def = vxe_world_def_default();
            def.damping = i ? VXE_DAMPING_SWEEP : VXE_DAMPING_EXPLICIT;
            def.threads = k + 1;
            vxe_world *world = make_world(design, &def);
            assert_int_equal(vxe_world_advance(world, 20000, &errors[k]), VXE_ERROR_DIVERGED);
            hashes[k] = vxe_world_hash(world);
            vxe_world_destroy(world);
        }
        print_message("  %s\n", errors[0].message);
        assert_string_equal(errors[0].message, errors[1].message);
        assert_true(hashes[0] == hashes[1]);
        vxe_design_destroy(design);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_bond_is_packed_once),
                                       cmocka_unit_test(packing_keeps_the_bits),
                                       cmocka_unit_test(failures_are_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
