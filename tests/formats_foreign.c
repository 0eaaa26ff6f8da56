/* SPDX-License-Identifier: MIT */
/* voxcraft's overlays, Voxelyze's VXL and EvoGym worlds: their contents are read and written again;
 * errors are refused with their place. The files are made here. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lattice/formats/format.h"
#include "lattice/formats/scene/scene_internal.h"
#include "lattice/formats/vxa/vxc_internal.h"
#include "lattice/topology_internal.h"
#include "support.h"

#define MATERIAL                                                                                   \
    "<Material><Mechanical><Elastic_Mod>1e6</Elastic_Mod><Density>1000</Density></Mechanical>"     \
    "</Material>"
#define BASE                                                                                       \
    "<VXA>\n<Simulator><StopCondition><StopConditionValue>1</StopConditionValue>"                  \
    "</StopCondition></Simulator>\n<VXC><Lattice><Lattice_Dim>0.01</Lattice_Dim></Lattice>"        \
    "<Palette>" MATERIAL MATERIAL "</Palette>\n"                                                   \
    "<Structure "                                                                                  \
    "Compression=\"ASCII_READABLE\"><X_Voxels>9</X_Voxels><Data/></Structure></VXC></VXA>"
#define OVERLAY                                                                                    \
    "<VXD>\n<Structure replace=\"VXA.VXC.Structure\" Compression=\"ASCII_READABLE\">"              \
    "<X_Voxels>2</X_Voxels><Y_Voxels>1</Y_Voxels><Z_Voxels>2</Z_Voxels>"                           \
    "<Data><Layer>12</Layer><Layer>01</Layer></Data>"                                              \
    "<PhaseOffset><Layer>0.1, 0.2, </Layer><Layer>0.3, 0.4, </Layer></PhaseOffset></Structure>\n"  \
    "<Anything replace=\"VXA.Environment.Gravity.GravAcc\">-1.5</Anything>\n"                      \
    "<GravEnabled replace=\"VXA.Environment.Gravity.GravEnabled\">1</GravEnabled>\n"               \
    "<Genotype>of no effect</Genotype></VXD>"

static vxe_design *over(const char *base, const char *overlay, vxe_error *error)
{
    const vxe_text below = {"base.vxa", base, strlen(base), false};
    const vxe_text above = {"robot.vxd", overlay, strlen(overlay), false};
    return vxe_vxd_read(&below, &above, error);
}

static void overlay_replaces_by_path(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_design *design = over(BASE, OVERLAY, &error);
    if (!design) {
        fail_msg("%s:%u: %s", error.file, error.line, error.message);
    }
    assert_int_equal(design->voxel_count, 3);
    assert_int_equal(design->voxels[1].material, 1);
    assert_int_equal(design->voxels[2].position[2], 1);
    const vxe_layer *phase = vxe_design_find_layer(design, "PhaseOffset");
    assert_non_null(phase);
    check_near("phase of the third voxel, cycles", phase->values[2], 0.4, 0);
    check_near("gravity, made and put in place, m/s^2", design->gravity[2], -1.5, 0);
    assert_true(is_noted(design, "VXD/Genotype"));
    vxe_design_destroy(design);
    design = over(BASE, "<VXD></VXD>", &error); /* the file as it is: its structure is missing */
    assert_null(design);
    assert_string_equal(error.file, "base.vxa");
    assert_int_equal(error.line, 4);
}

static void wrong_overlays_are_refused_where_they_are(void **state)
{
    (void)state;
    const struct {
        const char *overlay, *file, *says;
        uint32_t line;
    } rows[] = {
        {"<VXD>\n<a replace=\"Other.VXC\"/></VXD>", "robot.vxd", "does not begin with <VXA>", 2},
        {"<VXD>\n\n<a replace=\"VXA..b\"/></VXD>", "robot.vxd", "no name", 3},
        {"<VXD>\n<a replace=\"VXA.VXC.Structure\"><X_Voxels>0</X_Voxels></a></VXD>", "robot.vxd",
         "X_Voxels", 2},
        {"<VXD>\n<a></VXD>", "robot.vxd", "not readable as XML", 2},
        {"", "robot.vxd", "empty", 1}};
    static char deep[2000];
    int length = snprintf(deep, sizeof deep, "<VXD><a replace=\"VXA");
    for (int i = 0; i < 300; i++) {
        length += snprintf(deep + length, sizeof deep - (size_t)length, ".a");
    }
    snprintf(deep + length, sizeof deep - (size_t)length, "\"/></VXD>");
    vxe_error too_deep = {0};
    assert_null(over(BASE, deep, &too_deep));
    assert_non_null(strstr(too_deep.message, "deeper than 200"));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vxe_error error = {0};
        assert_null(over(BASE, rows[i].overlay, &error));
        assert_string_equal(error.file, rows[i].file);
        assert_int_equal(error.line, rows[i].line);
        assert_non_null(strstr(error.message, rows[i].says));
    }
}

static void put_file(const char *path, const char *text)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

/* A .vxd finds base.vxa in its own folder, here the folder of the test. */
static void overlay_finds_its_base(void **state)
{
    (void)state;
    vxe_error error = {0};
    put_file("foreign.vxd", OVERLAY);
    unlink("base.vxa");
    assert_null(vxe_design_read("foreign.vxd", &error));
    assert_string_equal(error.file, "base.vxa");
    assert_int_equal(error.status, VXE_ERROR_SYSTEM);
    put_file("base.vxa", BASE);
    vxe_design *design = vxe_design_read("./foreign.vxd", &error);
    assert_non_null(design);
    assert_string_equal(design->name, "foreign");
    vxe_design_destroy(design);
    unlink("base.vxa");
    unlink("foreign.vxd");
}

#define VXL                                                                                        \
    "{\"voxelSize\": 0.02, \"gravityAcceleration\": 1, \"floorEnabled\": true,\n"                  \
    "\"collisionsEnabled\": true, \"relativeAmbientTemperature\": 10,\n"                           \
    "\"materials\": [{\"name\": \"m\", \"youngsModulus\": 2e6, \"density\": 500, \"red\": 51,\n"   \
    "  \"poissonsRatio\": 0.3, \"CTE\": 0.01, \"staticFriction\": 1, \"kineticFriction\": 0.5,\n"  \
    "  \"internalDamping\": 0.4, \"globalDamping\": 0.01, \"collisionDamping\": 0.7},\n"           \
    "  {\"youngsModulus\": 1e6, \"epsilonFail\": 0.2}],\n"                                         \
    "\"voxels\": [-1, 0, 0, 0,  0, 0, 0, 0,  1, 0, 0, 1]"
#define EXTERNALS                                                                                  \
    ",\n\"externals\": [{\"fixed\": [true, true, true, false, false, true],\n"                     \
    "\"translate\": [0, 0, 0.001], \"force\": [0, 0, 2], \"voxelIndices\": [0, 1]}]}"

static vxe_design *json(const char *text, vxe_error *error)
{
    return vxe_json_read(&(vxe_text){"test.json", text, strlen(text), false}, error);
}

static void vxl_says_it_all(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_design *design = json(VXL EXTERNALS, &error);
    if (!design) {
        fail_msg("%s", error.message);
    }
    const vxe_material *m = &design->materials[0];
    const double got[] = {design->voxel_size,     design->gravity[2],
                          m->youngs_modulus,      m->density,
                          m->poissons_ratio,      m->thermal_expansion,
                          m->static_friction,     m->dynamic_friction,
                          m->bond_damping,        m->global_damping,
                          m->collision_damping,   (double)m->color[0],
                          design->file_origin[1], design->materials[1].fail_strain};
    const double want[] = {0.02, -9.80665, 2e6,  500, 0.3, 0.01, 1,
                           0.5,  0.4,      0.01, 0.7, 0.2, 0.01, 0.2};
    for (size_t i = 0; i < sizeof got / sizeof got[0]; i++) {
        check_near("number of the VXL", got[i], want[i], 1e-8); /* colours are floats */
    }
    assert_true(design->floor.enabled && design->self_collision && design->volume_effects);
    assert_string_equal(design->written_for, "voxelyze");
    assert_int_equal(design->voxels[0].position[0], -1);
    assert_int_equal(design->materials[1].model, VXE_MATERIAL_LINEAR_FAILING);
    assert_int_equal(design->regions[0].fixed, VXE_FIX_X | VXE_FIX_Y | VXE_FIX_Z | VXE_FIX_RZ);
    check_near("force of both, N", design->regions[0].force[2], 4, 0);
    check_near("size of a warm voxel", vxe_design_find_layer(design, "InitialSize")->values[0], 1.1,
               1e-15);
    vxe_design_destroy(design);
    design = json(VXL, &error); /* the writer omits the brace where there are no externals */
    assert_non_null(design);
    assert_true(is_noted(design, "brace"));
    vxe_design_destroy(design);
}

typedef struct refusal {
    const char *text, *says;
} refusal;

static void expect_refusals(const refusal *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        vxe_error error = {0};
        assert_null(json(rows[i].text, &error));
        if (!strstr(error.message, rows[i].says)) {
            fail_msg("'%s' does not say '%s'", error.message, rows[i].says);
        }
    }
}

/* The point (0, 0) may be omitted at the begin of a curve; a curve with a single further point is a
 * line that ends there. */
static void vxl_curves_begin_at_zero(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_design *design = json("{\"voxelSize\": 1, \"voxels\": [0, 0, 0, 0], \"materials\": ["
                              "{\"strainData\": [0.1, 0.2], \"stressData\": [1e5, 1.5e5]}, "
                              "{\"strainData\": [0.1], \"stressData\": [5e4]}]}",
                              &error);
    assert_non_null(design);
    const vxe_material *m = design->materials;
    assert_int_equal(m[0].model, VXE_MATERIAL_MEASURED);
    assert_int_equal(m[0].curve_count, 3);
    check_near("E of the curve, Pa", m[0].youngs_modulus, 1e6, 1e-9);
    assert_int_equal(m[1].model, VXE_MATERIAL_LINEAR_FAILING);
    check_near("E of the line, Pa", m[1].youngs_modulus, 5e5, 1e-9);
    check_near("where it ends", m[1].fail_strain, 0.1, 0);
    vxe_design_destroy(design);
}

static void wrong_vxl_is_refused(void **state)
{
    (void)state;
#define RUBBER "\"materials\": [{\"youngsModulus\": 1e6}], "
    const refusal rows[] = {
        {"{\"voxelSize\": 0.01, " RUBBER "\"voxels\": [0, 0, 0]}", "material of each voxel"},
        {"{\"voxelSize\": 0.01, " RUBBER "\"voxels\": [0, 0, 0.5, 0]}", "place 2"},
        {"{\"voxelSize\": 0.01, " RUBBER "\"voxels\": [0, 0, 0, 3]}", "material 3"},
        {"{\"voxelSize\": 0.01, " RUBBER "\"voxels\": [0, 0, 0, 0], \"externals\": [{\"fixed\": "
         "[1]}]}",
         "six of true and false"},
        {"{\"voxelSize\": 0.01, " RUBBER "\"voxels\": [0, 0, 0, 0], \"externals\": "
         "[{\"voxelIndices\": [7]}]}",
         "voxel 7"},
        {"{\"voxelSize\": 0.01, \"materials\": [{\"strainData\": [0, 1], \"stressData\": [0]}]}",
         "2 and 1"},
        {"{\"voxelSize\": 0.01, \"materials\": [{\"poissonsRatio\": 0.5}], \"voxels\": [0, 0, 0, "
         "0]}",
         "where volume effects act it must be below 0.5"},
        {"{\"voxelSize\": 0.01, \"materials\": [{\"red\": 1e308}], \"voxels\": [0, 0, 0, 0]}",
         "red of the colour"},
        {"{\"voxelSize\": 0.01}", "no voxels"},
        {"{\"voxelSize\": -1, " RUBBER "\"voxels\": [0, 0, 0, 0]}", "voxel size"},
        {"{\"cut\": [1, 2", "not readable as JSON"}};
#undef RUBBER
    expect_refusals(rows, sizeof rows / sizeof rows[0]);
}

/* A fixed ground of three cells, and a robot of 2 x 2 on it. */
#define WORLD                                                                                      \
    "{\"grid_width\": 4, \"grid_height\": 3, \"objects\": {\n"                                     \
    "\"ground\": {\"indices\": [0, 1, 2], \"types\": [5, 5, 5],\n"                                 \
    "  \"neighbors\": {\"0\": [1], \"1\": [0, 2], \"2\": [1]}},\n"                                 \
    "\"robot\": {\"indices\": [8, 9, 4, 5], \"types\": [3, 2, 4, 1],\n"                            \
    "  \"neighbors\": {\"8\": [9, 4], \"9\": [8, 5], \"4\": [8], \"5\": [9]}}}}"

static void evogym_objects_are_parts(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_topology topology;
    vxe_design *design = json(WORLD, &error);
    if (!design) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(vxe_topology_init(&topology, design, &error), VXE_OK);
    assert_int_equal(topology.voxel_count, 7);
    assert_int_equal(topology.bond_count, 6); /* 2 and 4: none from the robot to the ground */
    assert_int_equal(topology.body_count, 2);
    vxe_topology_clear(&topology);
    const vxe_layer *group = vxe_design_find_layer(design, "Group");
    const double groups[7] = {0, 0, 0, 1, 0, 2, 0};
    for (int v = 0; v < 7; v++) {
        check_near("group", group->values[v], groups[v], 0);
    }
    assert_int_equal(design->voxels[3].position[0], 0);
    assert_int_equal(design->voxels[3].position[2], 2);
    assert_false(design->floor.enabled);
    assert_true(is_noted(design, "1 pairs side by side")); /* 4 and 5 */
    assert_int_equal(vxe_design_extrude(design, 3, &error), VXE_OK);
    assert_int_equal(design->voxel_count, 21);
    assert_int_equal(design->regions[0].voxel_count, 9);
    assert_int_equal(design->voxels[design->regions[0].voxels[8]].material, 4);
    check_near("group of a copy", vxe_design_find_layer(design, "Group")->values[14 + 5], 2, 0);
    assert_int_equal(vxe_design_extrude(design, 2, &error), VXE_ERROR_INPUT);
    vxe_design_destroy(design);
    design =
        json("{\"grid_width\": 2, \"grid_height\": 2, \"objects\": {\"a\": {\"indices\": [0, 1, 2, "
             "3], \"types\": [1, 1, 1, 1]}}}",
             &error); /* without lists all adjacent voxels are bonded */
    assert_int_equal(vxe_topology_init(&topology, design, &error), VXE_OK);
    assert_int_equal(topology.bond_count, 4);
    vxe_topology_clear(&topology);
    const vxe_region shape = {.shape = VXE_REGION_BOX, .high = {1, 0.01, 1}, .fixed = VXE_FIX_X};
    assert_int_equal(vxe_design_add_region(design, &shape, &error), VXE_OK);
    assert_int_equal(vxe_design_extrude(design, 2, &error), VXE_ERROR_UNSUPPORTED);
    vxe_design_destroy(design);
}

/* EvoGym finds the place of a cell by the width alone, so that worlds state heights below their
   objects: such a world is the same as one that states enough. */
static void evogym_worlds_grow_to_their_objects(void **state)
{
    (void)state;
    static const char stated[] = "\"grid_height\": 3";
    char low[sizeof WORLD] = WORLD;
    char *height = strstr(low, stated);
    assert_non_null(height);
    height[sizeof stated - 2] = '1';
    vxe_error error = {0};
    vxe_design *grown = json(low, &error);
    if (!grown) {
        fail_msg("%s", error.message);
    }
    vxe_design *whole = json(WORLD, &error);
    assert_non_null(whole);
    assert_true(vxe_design_hash(grown) == vxe_design_hash(whole));
    assert_true(is_noted(grown, "objects are up to 3 rows high, grid_height is 1"));
    assert_false(is_noted(whole, "rows high"));
    assert_int_equal(grown->voxel_count, whole->voxel_count);
    assert_memory_equal(grown->voxels, whole->voxels, whole->voxel_count * sizeof *whole->voxels);
    vxe_design_destroy(grown);
    vxe_design_destroy(whole);
}

static void wrong_worlds_are_refused(void **state)
{
    (void)state;
#define GRID "{\"grid_width\": 2, \"grid_height\": 2, \"objects\": "
    const refusal rows[] = {
        {"{\"grid_width\": 2.5, \"grid_height\": 2, \"objects\": {}}", "grid_width is 2.5"},
        {"{\"grid_width\": 2, \"objects\": {}}", "grid_height is 0"},
        {"{\"grid_width\": 60000, \"grid_height\": 60000, \"objects\": {}}", "2^24"},
        {"{\"grid_width\": 2, \"grid_height\": 2}", "\"objects\" is missing"},
        {GRID "{}}", "no voxels"},
        {GRID "{\"a\": {\"indices\": [-1], \"types\": [1]}}}", "indices holds -1"},
        {GRID "{\"a\": {\"indices\": [131072], \"types\": [1]}}}", "numbers from 0 to 131071"},
        {"{\"grid_width\": 60000, \"grid_height\": 1, \"objects\": {\"a\": {\"indices\": "
         "[16740000], \"types\": [1]}}}",
         "numbers from 0 to 16739999"},
        {GRID "{\"a\": {\"indices\": [4], \"types\": [1], \"neighbors\": {\"4\": [6]}}}}",
         "neighbors holds 6"},
        {GRID "{\"a\": {\"indices\": [1], \"types\": [6]}}}", "types holds 6"},
        {GRID "{\"a\": {\"indices\": [1], \"types\": []}}}", "1 indices and 0 types"},
        {GRID "{\"a\": {\"indices\": [1, 1], \"types\": [1, 1]}}}", "cell 1 (1, 0) is taken"},
        {GRID "{\"a\": {\"indices\": [1], \"types\": [1], \"neighbors\": {\"x\": []}}}}",
         "cell 1 has no list of neighbors"},
        {GRID "{\"a\": {\"indices\": [1], \"types\": [1], \"neighbors\": [1]}}}",
         "object of lists"},
        {GRID "{\"a\": {\"indices\": [0, 3], \"types\": [1, 1], \"neighbors\": {\"0\": [3], \"3\": "
              "[]}}}}",
         "not beside"},
        {GRID
         "{\"a\": {\"indices\": [0], \"types\": [1]}, \"b\": {\"indices\": [1], \"types\": [1], "
         "\"neighbors\": {\"1\": [0]}}}}",
         "another object's"},
        {GRID "{\"a\": {\"indices\": [1], \"types\": [1], \"neighbors\": {\"1\": [0]}}}}",
         "is empty"}};
#undef GRID
    expect_refusals(rows, sizeof rows / sizeof rows[0]);
}

static void materials_come_by_name(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_design *design = json(WORLD, &error);
    put_file("foreign_materials.json",
             "{\"materials\": [{\"name\": \"soft\", \"youngs_modulus_Pa\": 12345}]}");
    assert_int_equal(vxe_design_read_materials(design, "foreign_materials.json", &error), VXE_OK);
    check_near("E, Pa", design->materials[1].youngs_modulus, 12345, 0);
    check_near("its colour stays", (double)design->materials[1].color[0], 0.75, 0);
    put_file("foreign_materials.json",
             "{\"materials\": [{\"name\": \"soft\", \"mass\": 1}, {\"name\": \"softer\"}]}");
    assert_int_equal(vxe_design_read_materials(design, "foreign_materials.json", &error),
                     VXE_ERROR_INPUT);
    assert_non_null(strstr(error.message, "'softer'"));
    check_near("nothing has changed: E, Pa", design->materials[1].youngs_modulus, 12345, 0);
    put_file("foreign_materials.json",
             "{\"materials\": [{\"name\": \"soft\", \"mass\": 1}, {\"name\": \"soft\"}]}");
    assert_int_equal(vxe_design_read_materials(design, "foreign_materials.json", &error),
                     VXE_ERROR_INPUT);
    assert_non_null(strstr(error.message, "twice"));
    put_file("foreign_materials.json", "{\"materials\": [{\"name\": \"soft\", \"mass\": 1}]}");
    assert_int_equal(vxe_design_read_materials(design, "foreign_materials.json", &error), VXE_OK);
    assert_true(is_noted(design, "materials: unknown key \"mass\""));
    put_file("foreign_materials.json", "[]");
    assert_int_equal(vxe_design_read_materials(design, "foreign_materials.json", &error),
                     VXE_ERROR_INPUT);
    unlink("foreign_materials.json");
    assert_int_equal(vxe_design_read_materials(design, "foreign_materials.json", &error),
                     VXE_ERROR_SYSTEM);
    vxe_design_destroy(design);
}

/* All of them, written as scenes and read back, are equal to the last bit. */
static void scenes_carry_them_all(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_design *designs[3] = {over(BASE, OVERLAY, &error), json(VXL EXTERNALS, &error),
                              json(WORLD, &error)};
    for (int i = 0; i < 3; i++) {
        assert_non_null(designs[i]);
        assert_int_equal(vxe_design_write(designs[i], "foreign_scene.json", &error), VXE_OK);
        vxe_design *again = vxe_design_read("foreign_scene.json", &error);
        assert_non_null(again);
        if (!designs[i]->name[0]) {
            again->name[0] = '\0'; /* a file without a name is named after its path */
        }
        assert_true(vxe_design_hash(again) == vxe_design_hash(designs[i]));
        again->voxels[0].position[1]++;
        assert_true(vxe_design_hash(again) != vxe_design_hash(designs[i]));
        vxe_design_destroy(again);
        vxe_design_destroy(designs[i]);
    }
    unlink("foreign_scene.json");
}

static void each_is_written_as_what_it_was(void **state)
{
    (void)state;
    static differences told;
    vxe_error error = {0};
    vxe_design *design = json(VXL EXTERNALS, &error);
    vxe_design_destroy(write_and_read(design, "foreign.vxl.json", &told));
    assert_int_equal(told.count, 1);
    assert_string_equal(
        told.lines[0],
        "layer InitialSize"); /* there, temperatures of voxels are written as sizes */
    vxe_design_destroy(design);
    design = json(WORLD, &error);
    vxe_design_destroy(write_and_read(design, "foreign.evogym.json", &told));
    assert_int_equal(told.count, 0);
    design->voxels[0].material = 1;
    snprintf(design->materials[1].name, sizeof design->materials[1].name, "jelly");
    assert_int_equal(vxe_design_write(design, "foreign.evogym.json", &error),
                     VXE_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "'jelly'"));
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(overlay_replaces_by_path),
                                       cmocka_unit_test(wrong_overlays_are_refused_where_they_are),
                                       cmocka_unit_test(overlay_finds_its_base),
                                       cmocka_unit_test(vxl_says_it_all),
                                       cmocka_unit_test(vxl_curves_begin_at_zero),
                                       cmocka_unit_test(wrong_vxl_is_refused),
                                       cmocka_unit_test(evogym_objects_are_parts),
                                       cmocka_unit_test(evogym_worlds_grow_to_their_objects),
                                       cmocka_unit_test(wrong_worlds_are_refused),
                                       cmocka_unit_test(materials_come_by_name),
                                       cmocka_unit_test(scenes_carry_them_all),
                                       cmocka_unit_test(each_is_written_as_what_it_was)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
