/* SPDX-License-Identifier: MIT */
/* Passes over large bodies that advance as a wavefront, and polynomial damping by blocks: bits and
 * failures are those of passes one after another and of axes one after another. Tolerances: none,
 * hashes are equal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/world/world_data.h"
#include "support.h"

/* A box of two materials that walks on the floor; if holes > 0, one in so many voxels of its lower
 * half is left out. */
static vxe_design *box(const int size[3], int holes, double damping)
{
    vxe_design *design = bare_walker(damping, 2, standard_material().poissons_ratio);
    vxe_error error;
    for (int i = 0; i < size[0] * size[1] * size[2]; i++) {
        const int at[3] = {i % size[0], i / size[0] % size[1], i / (size[0] * size[1])};
        const bool hole = holes > 0 && 2 * at[2] < size[2] && (i * 7 + at[1]) % holes == 0;
        if (!hole) {
            assert_int_equal(
                vxe_design_add_voxel(design, at[0], at[1], at[2], at[0] * 2 > size[0], &error),
                VXE_OK);
        }
    }
    return design;
}

/* How a world runs: so many steps per call. */
typedef struct course {
    vxe_damping_scheme damping;
    double step_scale;
    uint64_t steps;
    uint64_t stride;
} course;

/* The result of a run. */
typedef struct outcome {
    uint64_t hash;
    bool follows; /* passes of several steps ran at once */
    uint32_t depth;
    uint64_t steps; /* number of steps taken */
    bool failed;
    vxe_error error;
} outcome;

static outcome run(const vxe_design *design, const course *how, uint32_t threads)
{
    vxe_world_def def = vxe_world_def_default();
    def.threads = threads;
    def.damping = how->damping;
    def.step_scale = how->step_scale;
    vxe_world *world = make_world(design, &def);
    vxe_error error = {0};
    vxe_status status = VXE_OK;
    for (uint64_t done = 0; done < how->steps && !status; done += how->stride) {
        status = vxe_world_advance(world, how->stride, &error);
    }
    outcome it = {.hash = vxe_world_hash(world),
                  .follows = world->workspace.wavefront.spans_steps,
                  .depth = world->workspace.wavefront.depth,
                  .steps = world->simulation.state.step,
                  .failed = status == VXE_ERROR_DIVERGED};
    assert_true(!status || it.failed);
    it.error = error;
    vxe_world_destroy(world);
    return it;
}

/* Single steps run pass by pass. Many steps in one call, if the body has several blocks, run as a
 * wavefront, on one thread, on several, and on more than the machine has. */
static void steps_run_as_wavefront(void **state)
{
    (void)state;
    const int size[3] = {26, 27, 110};
    for (int holes = 0; holes < 20; holes += 19) {
        vxe_design *design = box(size, holes, 0.1);
        const uint64_t steps = holes ? 40 : 270;
        const course single = {VXE_DAMPING_EXPLICIT, 1, steps, 1};
        const course at_once = {VXE_DAMPING_EXPLICIT, 1, steps, steps};
        const outcome one = run(design, &single, 1);
        assert_false(one.failed);
        for (uint32_t threads = holes ? 2 : 1; threads <= 5; threads += 2) {
            const outcome other = run(design, &at_once, threads);
            print_message("  %u threads: depth %u\n", threads, other.depth);
            assert_true(other.follows);
            assert_true(other.hash == one.hash);
        }
        vxe_design_destroy(design);
    }
}

/* A body that is crushed in its third call, or in one call after a whole block of steps, or in the
 * second step of a block: steps that had been started beyond the failure are undone. */
static void failures_are_those_of_single_steps(void **state)
{
    (void)state;
    const int size[3] = {26, 27, 110};
    const uint64_t strides[2] = {30, 990};
    for (int i = 0; i < 2; i++) {
        vxe_design *design = box(size, 0, 0.1);
        design->gravity[2] = -4.5e3;
        const double scale = i ? 0.25 : 1;
        const course single = {VXE_DAMPING_EXPLICIT, scale, 990, 1};
        const course at_once = {VXE_DAMPING_EXPLICIT, scale, 990, strides[i]};
        const outcome one = run(design, &single, 1);
        assert_true(one.failed);
        print_message("  %s\n", one.error.message);
        const course at_last = {VXE_DAMPING_EXPLICIT, scale, 990, one.steps - 2};
        for (int j = 0; j < 4; j++) {
            const outcome other = run(design, j % 2 ? &at_last : &at_once, j < 2 ? 1 : 3);
            assert_true(other.failed && other.follows && other.steps == one.steps);
            assert_string_equal(other.error.message, one.error.message);
            assert_true(other.hash == one.hash);
        }
        vxe_design_destroy(design);
    }
}

/* Steps with polynomial damping run as a wavefront on several threads, one step each; single steps
 * run on one thread. The same where the body is crushed. */
static void steps_with_polynomial_damping_run_as_wavefront(void **state)
{
    (void)state;
    const int size[3] = {26, 27, 110};
    for (int i = 0; i < 3; i++) {
        vxe_design *design = box(size, i == 1 ? 19 : 0, i == 1 ? 0.3 : 1);
        design->gravity[2] = i == 2 ? -1e4 : design->gravity[2];
        const uint64_t steps = i == 2 ? 300 : 40;
        const course single = {VXE_DAMPING_SWEEP, 1, steps, 1};
        const outcome one = run(design, &single, 1);
        print_message("  depth %u %s\n", one.depth, one.error.message);
        assert_true(one.failed == (i == 2) && !one.follows && one.depth > (i == 1 ? 2 : 3));
        assert_true(i > 0 || run(design, &single, 2).hash == one.hash);
        for (uint32_t threads = 2; threads <= 3; threads++) {
            const course at_once = {VXE_DAMPING_SWEEP, 1, steps, threads == 2 ? steps : 5};
            const outcome other = run(design, &at_once, threads);
            assert_true(other.follows && other.depth == one.depth);
            assert_true(other.failed == one.failed && other.hash == one.hash);
            assert_string_equal(other.error.message, one.error.message);
        }
        vxe_design_destroy(design);
    }
}

/* The same run by the kernels of AVX2, which damp axis by axis, where the machine has them. */
static void check_by_axes(const vxe_design *design, const course *how, uint64_t expected)
{
    if (choose_isa("x86-64-v3", test_precision())) {
        assert_true(run(design, how, 1).hash == expected);
    }
    choose_isa_of_before();
}

/* Polynomial damping of: bodies that fit a cache, also of one chunk, whose scan order may differ;
 * thin ones, whose neighbours are less than a block away; large ones, whose passes run as a
 * wavefront; full ones, whose chunks are made of blocks except for an incomplete last one; and ones
 * with holes. One thread is compared with several, at whose borders the axes are damped one by one
 * (except for the large body without groups, whose steps run as a wavefront), with the energy
 * audit, for which passes run separately, and with kernels without blocks. */
static void damping_iterations_keep_the_bits(void **state)
{
    (void)state;
    const int sizes[8][3] = {{10, 10, 10}, {7, 5, 11}, {3, 3, 40},   {6, 6, 6},
                             {3, 12, 7},   {12, 3, 7}, {17, 19, 29}, {41, 40, 43}};
    for (int i = 0; i < 16; i++) {
        vxe_design *design = box(sizes[i / 2], i % 2 && i < 15 ? 9 : 0, i % 4 < 2 ? 1 : 0.4);
        const uint64_t steps = i < 12 ? 120 : i < 14 ? 60 : 8;
        if (i == 15) { /* steps of bodies with groups never run as a wavefront */
            vxe_layer *group = vxe_design_layer(design, "Group", 1);
            group->values[0] = 1;
        }
        const course how = {VXE_DAMPING_SWEEP, 1, steps, steps};
        const outcome one = run(design, &how, 1);
        print_message("  %u voxels: depth %u\n", design->voxel_count, one.depth);
        assert_true(i < 12 || i == 15 ? one.depth == 1 : one.depth > 1);
        for (uint32_t threads = 2; threads <= 4; threads += 2) {
            assert_true(run(design, &how, threads).hash == one.hash);
        }
        check_by_axes(design, &how, one.hash);
        vxe_world_def def = vxe_world_def_default();
        def.damping = VXE_DAMPING_SWEEP;
        def.audit = true;
        vxe_world *world = make_world(design, &def);
        vxe_error error;
        assert_int_equal(vxe_world_advance(world, steps, &error), VXE_OK);
        assert_true(vxe_world_hash(world) == one.hash);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Vectors of blocks hold each bond once, and begin where blocks do. */
static void blocks_hold_every_bond(void **state)
{
    (void)state;
    const int sizes[3][3] = {{10, 10, 10}, {17, 19, 29}, {41, 40, 43}};
    uint32_t in_blocks = 0;
    for (int i = 0; i < 5; i++) {
        vxe_design *design = box(sizes[i / 2], i % 2 ? 9 : 0, 1);
        vxe_world *world = make_world(design, NULL);
        const vxe_model *model = &world->simulation.model;
        const vxe_chunks *chunks = &model->chunks;
        uint64_t bonds = 0;
        for (int axis = 0; axis < 3; axis++) {
            const vxe_bond_vectors *vectors = &model->arrays.bonds[axis];
            for (uint32_t chunk = 0; chunk < chunks->chunk_count; chunk++) {
                const uint32_t first = chunks->vector_first[axis][chunk];
                const bool by_blocks = chunks->in_blocks[chunk] >> axis & 1;
                in_blocks += by_blocks;
                for (uint32_t v = first; v < chunks->vector_first[axis][chunk + 1]; v++) {
                    const uint32_t lower = vectors->lower[v] - chunks->chunk_first[chunk];
                    bonds += (uint32_t)__builtin_popcount(vectors->present[v]);
                    assert_true(!by_blocks || lower % VXE_VECTOR == 0);
                    assert_true(!by_blocks || v == first ||
                                vectors->lower[v] > vectors->lower[v - 1]);
                }
            }
        }
        assert_int_equal(bonds, model->topology.bond_count);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
    print_message("  %u axes of chunks stand in blocks\n", in_blocks);
    assert_true(in_blocks > 500);
}

/* Runs all prefetches that go with a chunk and counts, for the slots before that of chunk end, how
 * often each slot of an array that bonds read and of one that only voxels read is prefetched. */
static void count_fetched(const vxe_workspace *workspace, uint32_t chunk, uint32_t end,
                          uint8_t *of_bonds, uint8_t *of_voxels)
{
    const vxe_chunks *chunks = &workspace->model->chunks;
    const uint32_t bytes = vxe_real_bytes(workspace->model->precision);
    const uintptr_t by_bonds = (uintptr_t)workspace->arrays.q[2];
    const uintptr_t by_voxels = (uintptr_t)workspace->arrays.inverse_mass[2];
    vxe_prefetch prefetch;
    vxe_prefetch_begin(&prefetch, workspace, chunk, end);
    while (prefetch.block < prefetch.end) {
        const uintptr_t array = prefetch.first[prefetch.block >> prefetch.blocks_log];
        const bool voxel_array = array == by_voxels + (uintptr_t)chunks->chunk_slots * bytes;
        const uintptr_t at = vxe_prefetch_next(&prefetch);
        if (voxel_array || array == by_bonds + (uintptr_t)workspace->upper_reach * bytes) {
            uint8_t *count = voxel_array ? of_voxels : of_bonds;
            const uint64_t slot = (at - (voxel_array ? by_voxels : by_bonds)) / bytes;
            for (uint32_t i = 0; i < VXE_PREFETCH_BLOCK / bytes; i++) {
                count[slot + i]++;
            }
        }
    }
}

/* In a large body each line is prefetched once, except for what the first chunk reaches, the end of
 * the last chunks, and what another thread may own. Smaller bodies prefetch nothing. */
static void large_bodies_are_fetched_once(void **state)
{
    (void)state;
    const int sizes[2][3] = {{41, 40, 43}, {25, 20, 20}};
    for (int i = 0; i < 2; i++) {
        vxe_design *design = box(sizes[i], 0, 0.1);
        vxe_world *world = make_world(design, NULL);
        const vxe_workspace *workspace = &world->workspace;
        const vxe_chunks *chunks = &workspace->model->chunks;
        const uint32_t capacity = workspace->model->slots + VXE_LARGE_CHUNK_SLOTS;
        uint8_t *of_bonds = test_malloc(capacity);
        uint8_t *of_voxels = test_malloc(capacity);
        for (uint32_t end = chunks->chunk_count; end > 0; end /= 2) {
            memset(of_bonds, 0, capacity);
            memset(of_voxels, 0, capacity);
            for (uint32_t chunk = 0; chunk < end; chunk++) {
                count_fetched(workspace, chunk, end, of_bonds, of_voxels);
            }
            const uint32_t last = chunks->chunk_first[end];
            for (uint32_t slot = 0; slot < capacity; slot++) {
                const bool of_last = slot + chunks->chunk_slots > last && slot < last;
                const bool reached = slot >= workspace->upper_reach && slot < last;
                const bool beyond_first = slot >= chunks->chunk_slots && slot < last;
                assert_true(of_bonds[slot] == (i == 0 && reached) || (of_last && !of_bonds[slot]));
                assert_true(of_voxels[slot] == (i == 0 && beyond_first) || slot >= last);
            }
        }
        test_free(of_bonds);
        test_free(of_voxels);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Velocities are prefetched for the upper voxels of bonds where these are damped, and for a chunk's
 * own voxels where polynomial damping follows. */
static void velocities_are_fetched_where_they_are_read(void **state)
{
    (void)state;
    const int size[3] = {41, 40, 43};
    vxe_design *design = box(size, 0, 0.1);
    for (int i = 0; i < 2; i++) {
        vxe_world_def def = vxe_world_def_default();
        def.damping = i ? VXE_DAMPING_SWEEP : VXE_DAMPING_EXPLICIT;
        vxe_world *world = make_world(design, &def);
        const vxe_workspace *workspace = &world->workspace;
        const vxe_prefetch_arrays *prefetch_arrays = &workspace->prefetch_arrays;
        const uint32_t slots = i ? workspace->model->chunks.chunk_slots : workspace->upper_reach;
        const uintptr_t wanted = (uintptr_t)workspace->arrays.w[1] +
                                 (uintptr_t)slots * vxe_real_bytes(workspace->model->precision);
        uint32_t found = 0;
        for (uint32_t s = i ? prefetch_arrays->upper_count : 0;
             s < (i ? prefetch_arrays->count : prefetch_arrays->upper_count); s++) {
            found += prefetch_arrays->first[s] == wanted;
        }
        assert_int_equal(found, 1);
        vxe_world_destroy(world);
    }
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_run_as_wavefront),
        cmocka_unit_test(failures_are_those_of_single_steps),
        cmocka_unit_test(steps_with_polynomial_damping_run_as_wavefront),
        cmocka_unit_test(damping_iterations_keep_the_bits),
        cmocka_unit_test(blocks_hold_every_bond),
        cmocka_unit_test(large_bodies_are_fetched_once),
        cmocka_unit_test(velocities_are_fetched_where_they_are_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
