/* SPDX-License-Identifier: MIT */
/* Genomes and the bodies that they describe: networks and parts worked out by hand, symmetry and
 * constraints by their definitions, mutations by counting. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/trial.h"
#include "evolution/genomes/development_internal.h"
#include "support.h"

#define FILE_NAME "evolution_bodies_test.json"

/* An experiment from a file with these settings and a world of three materials, the last of which
 * is passive. */
static vxe_experiment *read_experiment(const char *size, const char *encoding,
                                       const char *constraints, const char *task)
{
    FILE *stream = fopen(FILE_NAME, "w");
    assert_non_null(stream);
    fprintf(stream,
            "{\"format\": \"voxelastic experiment\", \"version\": 1, \"size\": %s, \"world\": "
            "{\"materials\": [{\"thermal_expansion_per_K\": 0.01}, {\"thermal_expansion_per_K\": "
            "-0.01}, {\"name\": \"tissue\"}]}, \"encoding\": %s, \"constraints\": %s, \"task\": "
            "%s}",
            size, encoding, constraints, task);
    fclose(stream);
    vxe_error error = {0};
    vxe_experiment *experiment = vxe_experiment_read(FILE_NAME, &error);
    if (!experiment) {
        fail_msg("%s", error.message);
    }
    unlink(FILE_NAME);
    return experiment;
}

static vxe_phenotype develop(const vxe_experiment *experiment, const vxe_genome *genome)
{
    vxe_phenotype phenotype;
    vxe_error error;
    assert_true(vxe_encoding_of(experiment)->valid(experiment, genome));
    assert_int_equal(vxe_develop(experiment, genome, &phenotype, &error), VXE_OK);
    return phenotype;
}

/* The material of a cell (0: empty) of a design. */
static uint32_t material_at(const vxe_design *design, int x, int y, int z)
{
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const int32_t *at = design->voxels[v].position;
        if (at[0] == x && at[1] == y && at[2] == z) {
            return design->voxels[v].material + 1;
        }
    }
    return 0;
}

/* A direct genome of 5 x 1 x 4 cells: a part of five voxels (materials 1 and 3) from the second
 * layer up, and one of three. */
static vxe_genome two_pieces(void)
{
    static const int layout[4][5] = {
        {0, 0, 0, 0, 2}, {1, 0, 0, 0, 2}, {1, 3, 0, 0, 2}, {0, 3, 3, 0, 0}};
    vxe_genome genome;
    vxe_error error;
    assert_int_equal(vxe_genome_take(&genome, 60, &error), VXE_OK);
    for (int i = 0; i < 20; i++) {
        genome.genes[3 * i] = layout[i / 5][i % 5];
        genome.genes[3 * i + 1] = 0.01 * i;
        genome.genes[3 * i + 2] = i == 5 ? 0 : i == 10 ? 1 : 0.5;
    }
    return genome;
}

static void pieces_are_kept_or_rejected(void **state)
{
    (void)state;
    const struct {
        const char *constraints;
        uint32_t voxels, actuated;
    } rows[] = {{"{\"pieces\": \"largest\"}", 5, 2}, {"{\"pieces\": \"all\"}", 8, 5},
                {"{\"pieces\": \"reject\"}", 0, 0},  {"{\"least_voxels\": 5}", 5, 2},
                {"{\"least_voxels\": 6}", 0, 0},     {"{\"least_actuated\": 0.4}", 5, 2},
                {"{\"least_actuated\": 0.41}", 0, 0}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        vxe_experiment *e =
            read_experiment("[5, 1, 4]", "{\"name\": \"direct\"}", rows[row].constraints, "{}");
        vxe_genome genome = two_pieces();
        vxe_phenotype phenotype = develop(e, &genome);
        assert_int_equal(phenotype.design != NULL, rows[row].voxels > 0);
        if (phenotype.design) {
            assert_int_equal(phenotype.voxels, rows[row].voxels);
            assert_int_equal(phenotype.actuated, rows[row].actuated);
            assert_int_equal(phenotype.design->voxel_count, rows[row].voxels);
        }
        vxe_phenotype_clear(&phenotype);
        vxe_genome_clear(&genome);
        vxe_experiment_destroy(e);
    }
}

/* The larger part is moved to the floor, together with the numbers of its cells; stiffness spans
 * its range logarithmically. */
static void bodies_stand_and_carry_their_numbers(void **state)
{
    (void)state;
    vxe_experiment *e = read_experiment("[5, 1, 4]",
                                        "{\"name\": \"direct\", \"phase\": true, "
                                        "\"least_stiffness_Pa\": 1e5, \"most_stiffness_Pa\": 1e7}",
                                        "{}", "{}");
    vxe_genome genome = two_pieces();
    vxe_phenotype phenotype = develop(e, &genome);
    const vxe_design *design = phenotype.design;
    const vxe_layer *phase = vxe_design_find_layer(design, "PhaseOffset");
    const vxe_layer *stiffness = vxe_design_find_layer(design, "Stiffness");
    static const int cells[5][4] = {
        {0, 0, 1, 5}, {0, 1, 1, 10}, {1, 1, 3, 11}, {1, 2, 3, 16}, {2, 2, 3, 17}};
    for (int v = 0; v < 5; v++) {
        assert_int_equal(material_at(design, cells[v][0], 0, cells[v][1]), cells[v][2]);
        check_near("phase", phase->values[v], 0.01 * cells[v][3], 1e-15);
        check_relative("stiffness", stiffness->values[v], v == 0 ? 1e5 : v == 1 ? 1e7 : 1e6, 1e-13);
    }
    assert_int_equal(phenotype.extent[0], 3);
    assert_int_equal(phenotype.extent[1], 1);
    assert_int_equal(phenotype.extent[2], 3);
    /* equal bodies have equal hashes, whatever the genomes say of empty cells */
    const uint64_t hash = phenotype.hash;
    vxe_phenotype_clear(&phenotype);
    genome.genes[4] = 0.77;
    phenotype = develop(e, &genome);
    assert_true(phenotype.hash == hash);
    vxe_phenotype_clear(&phenotype);
    genome.genes[3 * 10 + 1] = 0.77;
    phenotype = develop(e, &genome);
    assert_true(phenotype.hash != hash);
    vxe_phenotype_clear(&phenotype);
    vxe_genome_clear(&genome);
    vxe_experiment_destroy(e);
}

static void symmetric_bodies_are_their_mirror_images(void **state)
{
    (void)state;
    static const char *const names[4] = {"none", "x", "y", "xy"};
    for (int symmetry = 0; symmetry < 4; symmetry++) {
        char encoding[80];
        snprintf(encoding, sizeof encoding, "{\"name\": \"direct\", \"symmetry\": \"%s\"}",
                 names[symmetry]);
        vxe_experiment *e = read_experiment("[5, 4, 3]", encoding, "{\"pieces\": \"all\"}", "{}");
        vxe_stream stream = vxe_stream_open(7, 0, 0, 0);
        vxe_genome genome;
        vxe_error error;
        assert_int_equal(vxe_encoding_direct.make(e, &stream, &genome, &error), VXE_OK);
        vxe_phenotype phenotype = develop(e, &genome);
        bool same[2] = {true, true};
        for (int i = 0; i < 60; i++) {
            const int at[3] = {i % 5, i / 5 % 4, i / 20};
            const uint32_t here = material_at(phenotype.design, at[0], at[1], at[2]);
            same[0] &= here == material_at(phenotype.design, 4 - at[0], at[1], at[2]);
            same[1] &= here == material_at(phenotype.design, at[0], 3 - at[1], at[2]);
        }
        assert_true(same[0] == (symmetry == 1 || symmetry == 3));
        assert_true(same[1] == (symmetry == 2 || symmetry == 3));
        vxe_phenotype_clear(&phenotype);
        vxe_genome_clear(&genome);
        vxe_experiment_destroy(e);
    }
}

/* A network by hand (inputs x y z distance bias are nodes 0 to 4; a hidden node |y| is 5; outputs
 * are filled, three materials, phase): filled where x + 0.25 > 0, material 1 where z is lowest, 3
 * where it is highest, else 2, phase |y|/2 cycles. Functions: 9 is the identity, 3 the absolute
 * value. */
static void a_network_answers_as_it_is_wired(void **state)
{
    (void)state;
    static const double links[][3] = {{0, 6, 1}, {4, 6, 0.25}, {2, 7, -1}, {4, 8, 0.5},
                                      {2, 9, 1}, {1, 5, -1},   {5, 10, 1}};
    vxe_experiment *e = read_experiment("[5, 5, 3]", "{\"name\": \"cppn\", \"phase\": true}",
                                        "{\"pieces\": \"all\"}", "{}");
    vxe_genome genome;
    vxe_error error;
    assert_int_equal(vxe_genome_take(&genome, 2 + 11 + 3 * 7, &error), VXE_OK);
    genome.genes[0] = 11;
    genome.genes[1] = 7;
    for (int n = 0; n < 11; n++) {
        genome.genes[2 + n] = n == 5 ? 3 : 9;
    }
    memcpy(genome.genes + 13, links, sizeof links);
    vxe_phenotype phenotype = develop(e, &genome);
    const vxe_layer *phase = vxe_design_find_layer(phenotype.design, "PhaseOffset");
    assert_int_equal(phenotype.voxels, 45); /* x = -1 and -1/2 of five columns are empty */
    for (uint32_t v = 0; v < phenotype.voxels; v++) {
        const vxe_voxel *voxel = &phenotype.design->voxels[v];
        const double y = 0.5 * voxel->position[1] - 1;
        assert_true(voxel->position[0] >= 2);
        assert_int_equal(voxel->material, voxel->position[2]);
        check_near("phase", phase->values[v], 0.5 * fabs(y), 1e-15);
    }
    vxe_phenotype_clear(&phenotype);
    vxe_genome_clear(&genome);
    vxe_experiment_destroy(e);
}

/* A line of a hundred thousand mutations keeps the network valid; it includes the addition and
 * removal of nodes. */
static void networks_stay_whole(void **state)
{
    (void)state;
    vxe_experiment *e = read_experiment("[3, 3, 3]",
                                        "{\"name\": \"cppn\", \"phase\": true, "
                                        "\"least_stiffness_Pa\": 1e5, \"most_stiffness_Pa\": 1e7}",
                                        "{\"pieces\": \"all\", \"least_voxels\": 1}", "{}");
    vxe_stream stream = vxe_stream_open(3, 0, 0, 0);
    vxe_genome genome;
    vxe_error error;
    double max = 0;
    int shrinks = 0;
    assert_int_equal(vxe_encoding_cppn.make(e, &stream, &genome, &error), VXE_OK);
    for (int i = 0; i < 100000; i++) {
        vxe_genome child;
        assert_int_equal(vxe_encoding_cppn.mutate(e, &stream, &genome, &child, &error), VXE_OK);
        assert_true(vxe_encoding_cppn.valid(e, &child));
        shrinks += child.genes[0] < genome.genes[0];
        max = fmax(max, child.genes[0]);
        vxe_genome_clear(&genome);
        genome = child;
        if (i % 1000 == 0) {
            vxe_phenotype phenotype = develop(e, &genome);
            vxe_phenotype_clear(&phenotype);
        }
    }
    print_message("  up to %.0f nodes\n", max);
    assert_true(max > 15 && shrinks > 100);
    vxe_genome_clear(&genome);
    vxe_experiment_destroy(e);
}

/* The number of cells that a mutation draws again has the mean that was asked for (binomial, five
 * standard errors); with three materials, one in four of these is empty. */
static void mutations_change_what_they_should(void **state)
{
    (void)state;
    enum { MUTATIONS = 2000, CELLS = 1000 };
    vxe_experiment *e =
        read_experiment("[10, 10, 10]", "{\"name\": \"direct\", \"mutated_cells\": 7}", "{}", "{}");
    vxe_stream stream = vxe_stream_open(5, 0, 0, 0);
    vxe_genome parent;
    vxe_error error;
    double changed = 0;
    double emptied = 0;
    assert_int_equal(vxe_genome_take(&parent, 3 * CELLS, &error), VXE_OK);
    for (int i = 0; i < CELLS; i++) {
        parent.genes[3 * i] = 1;
        parent.genes[3 * i + 1] = 0.5;
    }
    for (int m = 0; m < MUTATIONS; m++) {
        vxe_genome child;
        assert_int_equal(vxe_encoding_direct.mutate(e, &stream, &parent, &child, &error), VXE_OK);
        for (int i = 0; i < CELLS; i++) {
            changed += child.genes[3 * i + 1] != 0.5;
            emptied += child.genes[3 * i] == 0;
        }
        vxe_genome_clear(&child);
    }
    check_near("cells drawn anew", changed / MUTATIONS, 7, 5 * sqrt(7.0 / MUTATIONS));
    check_near("a quarter empty", emptied / changed, 0.25, 5 * sqrt(0.1875 / changed));
    vxe_genome_clear(&parent);
    vxe_experiment_destroy(e);
}

/* What tasks add to the world. */
static void tasks_build_their_ground(void **state)
{
    (void)state;
    vxe_experiment *e = read_experiment("[6, 6, 6]", "{}", "{}",
                                        "{\"name\": \"climb\", \"step_height_m\": 0.004, "
                                        "\"step_depth_m\": 0.03, \"steps\": 3}");
    /* the first step is one voxel beyond the box, at x = 0.07; a face is an eighth of a step */
    static const double heights[5][2] = {
        {0.069, 0}, {0.08, 0.004}, {0.1, 0.004}, {0.12, 0.008}, {0.3, 0.012}};
    for (int i = 0; i < 5; i++) {
        check_near("stairs", vxe_floor_level(&e->ground->floor, heights[i][0], 0.02), heights[i][1],
                   1e-15);
    }
    assert_string_equal(e->ground->formulas[VXE_FORMULA_FITNESS], "z");
    vxe_experiment_destroy(e);
    e = read_experiment("[6, 6, 6]", "{}", "{}",
                        "{\"name\": \"rough\", \"roughness_m\": 0.002, \"direction\": \"y\"}");
    double low = 0;
    double high = -1;
    for (int i = 0; i < 100; i++) {
        const double level =
            vxe_floor_level(&e->ground->floor, 0.02 * (i % 10), 0.02 * (i / 10 - 5));
        low = fmin(low, level);
        high = fmax(high, level);
    }
    assert_true(low > -0.002 && low < -0.0015 && high <= 0 && high > -0.0005);
    assert_string_equal(e->ground->formulas[VXE_FORMULA_FITNESS], "y");
    vxe_experiment_destroy(e);
    e = read_experiment("[6, 6, 6]", "{}", "{}", "{\"name\": \"swim\"}");
    assert_true(e->ground->fluid.enabled && !e->ground->floor.enabled);
    assert_true(e->ground->gravity[2] == 0 && e->ground->fluid.density == 1000);
    vxe_experiment_destroy(e);
}

/* An object lies beyond the box or above it. It alone is measured, it is not bonded, and it keeps
 * the stiffness of its material where bodies have a stiffness per voxel. */
static void objects_lie_where_they_should(void **state)
{
    (void)state;
    for (int on_top = 0; on_top < 2; on_top++) {
        char task[80];
        snprintf(task, sizeof task, "{\"name\": \"%s\", \"object_density_kg_per_m3\": 70}",
                 on_top ? "carry" : "push");
        vxe_experiment *e = read_experiment("[5, 1, 4]",
                                            "{\"name\": \"direct\", \"least_stiffness_Pa\": 1e5, "
                                            "\"most_stiffness_Pa\": 1e7}",
                                            "{}", task);
        vxe_genome genome = two_pieces();
        vxe_phenotype phenotype = develop(e, &genome);
        const vxe_design *design = phenotype.design;
        const vxe_layer *part = vxe_design_find_layer(design, "Part");
        const vxe_layer *stiffness = vxe_design_find_layer(design, "Stiffness");
        assert_int_equal(design->voxel_count, 8 + 5);
        assert_int_equal(phenotype.voxels, 5);
        assert_true(design->self_collision && design->materials[3].density == 70);
        for (uint32_t v = 0; v < 13; v++) {
            const vxe_voxel *voxel = &design->voxels[v];
            const bool object = v < 8;
            assert_int_equal(voxel->material == 3, object);
            assert_true(part->values[v] == object);
            assert_true(design->materials[voxel->material].unmeasured == !object);
            assert_true(!object || stiffness->values[v] == design->materials[3].youngs_modulus);
            assert_true(!object || voxel->position[0] >= (on_top ? 1 : 6));
            assert_true(!object || voxel->position[2] >= (on_top ? 4 : 0));
        }
        vxe_phenotype_clear(&phenotype);
        vxe_genome_clear(&genome);
        vxe_experiment_destroy(e);
    }
}

/* Four targets, which alone are measured, at the corners of a square beyond the box; 1/distance
 * summed over their pairs is 4/s + 2/(s root 2). */
static void objects_are_scattered(void **state)
{
    (void)state;
    vxe_experiment *e = read_experiment("[5, 1, 4]", "{\"name\": \"direct\"}", "{}",
                                        "{\"name\": \"gather\", \"duration_s\": 1}");
    vxe_genome genome = two_pieces();
    vxe_phenotype phenotype = develop(e, &genome);
    vxe_world_def def = vxe_world_def_default();
    vxe_error error;
    assert_int_equal(phenotype.design->voxel_count, 4 + 5);
    vxe_world *world = make_world(phenotype.design, &def);
    vxe_trial *trial = vxe_trial_create(phenotype.design, world, &error);
    assert_non_null(trial);
    assert_int_equal(vxe_trial_describe(trial).measured, 4);
    const double side = 3 * 0.01;
    check_relative("closeness", vxe_trial_fitness(trial), 4 / side + sqrt(2) / side, 1e-9);
    vxe_trial_destroy(trial);
    vxe_world_destroy(world);
    vxe_phenotype_clear(&phenotype);
    vxe_genome_clear(&genome);
    vxe_experiment_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_are_kept_or_rejected),
                                       cmocka_unit_test(bodies_stand_and_carry_their_numbers),
                                       cmocka_unit_test(symmetric_bodies_are_their_mirror_images),
                                       cmocka_unit_test(a_network_answers_as_it_is_wired),
                                       cmocka_unit_test(networks_stay_whole),
                                       cmocka_unit_test(mutations_change_what_they_should),
                                       cmocka_unit_test(objects_lie_where_they_should),
                                       cmocka_unit_test(objects_are_scattered),
                                       cmocka_unit_test(tasks_build_their_ground)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
