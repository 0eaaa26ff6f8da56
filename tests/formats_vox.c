/* SPDX-License-Identifier: MIT */
/* MagicaVoxel files, made here: models are placed as the scene graph says, and truncated or wrong
 * files are refused. */
#include <stdio.h>
#include <string.h>

#include "lattice/formats/format.h"
#include "lattice/formats/others/vox_internal.h"
#include "support.h"

/* A file to which numbers and names are appended, little-endian. */
typedef struct maker {
    char bytes[4096];
    size_t size;
} maker;

static void add_number(maker *m, uint32_t number)
{
    for (int i = 0; i < 4; i++) {
        m->bytes[m->size++] = (char)(number >> 8 * i & 255);
    }
}

static void add_text(maker *m, const char *text)
{
    memcpy(m->bytes + m->size, text, strlen(text));
    m->size += strlen(text);
}

static void add_chunk(maker *m, const char *name, uint32_t bytes)
{
    add_text(m, name);
    add_number(m, bytes);
    add_number(m, 0);
}

/* A dictionary of one entry, or an empty one. */
static void add_entry(maker *m, const char *key, const char *value)
{
    add_number(m, key ? 1 : 0);
    if (key) {
        add_number(m, (uint32_t)strlen(key));
        add_text(m, key);
        add_number(m, (uint32_t)strlen(value));
        add_text(m, value);
    }
}

static void add_model(maker *m, uint32_t x, uint32_t y, uint32_t z, const char *voxels,
                      uint32_t count)
{
    add_chunk(m, "SIZE", 12);
    add_number(m, x);
    add_number(m, y);
    add_number(m, z);
    add_chunk(m, "XYZI", 4 + 4 * count);
    add_number(m, count);
    memcpy(m->bytes + m->size, voxels, 4 * (size_t)count);
    m->size += 4 * (size_t)count;
}

static void begin_vox(maker *m)
{
    m->size = 0;
    add_text(m, "VOX ");
    add_number(m, 150);
    add_chunk(m, "MAIN", 0);
}

/* A transform of one frame. */
static void add_transform(maker *m, uint32_t number, uint32_t child, const char *key,
                          const char *value)
{
    const uint32_t entry = key ? 8 + (uint32_t)(strlen(key) + strlen(value)) : 0;
    add_chunk(m, "nTRN", 4 + 4 + 16 + 4 + entry);
    add_number(m, number);
    add_entry(m, NULL, NULL);
    add_number(m, child);
    add_number(m, UINT32_MAX);
    add_number(m, 0);
    add_number(m, 1);
    add_entry(m, key, value);
}

/* Two models under a group: one in place, one rotated by a quarter turn about z and translated. */
static void make_scene(maker *m)
{
    begin_vox(m);
    add_model(m, 2, 1, 1, "\0\0\0\1\1\0\0\2", 2);
    add_model(m, 3, 1, 1, "\0\0\0\3\2\0\0\3", 2);
    add_transform(m, 0, 1, NULL, NULL);
    add_chunk(m, "nGRP", 4 + 4 + 4 + 8);
    add_number(m, 1);
    add_entry(m, NULL, NULL);
    add_number(m, 2);
    add_number(m, 2);
    add_number(m, 4);
    for (uint32_t model = 0; model < 2; model++) {
        /* 1 | 0 << 2 | 1 << 4: x' = -y, y' = x */
        add_transform(m, 2 + 2 * model, 3 + 2 * model, model ? "_r" : "_t", model ? "17" : "5 0 2");
        add_chunk(m, "nSHP", 4 + 4 + 4 + 8);
        add_number(m, 3 + 2 * model);
        add_entry(m, NULL, NULL);
        add_number(m, 1);
        add_number(m, model);
        add_entry(m, NULL, NULL);
    }
    add_chunk(m, "RGBA", 1024);
    for (uint32_t i = 0; i < 256; i++) {
        add_number(m, 51 * (i % 6) | 0xff000000u);
    }
    add_chunk(m, "NOTE", 0);
}

static vxe_design *vox(const maker *m, vxe_error *error)
{
    return vxe_vox_read(&(vxe_text){"test.vox", m->bytes, m->size, false}, error);
}

static void models_stand_where_the_scene_puts_them(void **state)
{
    (void)state;
    static maker m;
    vxe_error error = {0};
    make_scene(&m);
    vxe_design *design = vox(&m, &error);
    if (!design) {
        fail_msg("%s", error.message);
    }
    /* first: pivot (1, 0, 0), translated by (5, 0, 2). Second: pivot (1, 0, 0), a row along x from
     * -1 to 1 becomes one along y; half a voxel behind the pivot becomes half a voxel before it */
    const int32_t want[4][3] = {{4, 0, 2}, {5, 0, 2}, {-1, -1, 0}, {-1, 1, 0}};
    assert_int_equal(design->voxel_count, 4);
    for (int v = 0; v < 4; v++) {
        for (int c = 0; c < 3; c++) {
            assert_int_equal(design->voxels[v].position[c], want[v][c]);
        }
    }
    assert_int_equal(design->material_count, 3);
    assert_string_equal(design->materials[2].name, "colour 3");
    check_near("red of colour 3", (double)design->materials[2].color[0], 102.0 / 255, 1e-7);
    assert_true(is_noted(design, "1 chunks"));
    vxe_design_destroy(design);
    begin_vox(&m); /* an old file: one model, no scene, no palette */
    add_model(&m, 3, 2, 1, "\0\0\0\1\2\1\0\1", 2);
    design = vox(&m, &error);
    assert_non_null(design);
    assert_int_equal(design->voxels[0].position[0], 0);
    assert_int_equal(design->voxels[1].position[0], 2);
    assert_int_equal(design->voxels[1].position[1], 1);
    vxe_design_destroy(design);
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    static maker m;
    vxe_error error = {0};
    begin_vox(&m);
    assert_null(vox(&m, &error));
    assert_non_null(strstr(error.message, "no model"));
    add_model(&m, 0, 1, 1, "", 0);
    assert_null(vox(&m, &error));
    assert_non_null(strstr(error.message, "1 to 256"));
    begin_vox(&m);
    add_model(&m, 1, 1, 1, "\0\0\0\1\0\0\0\1", 2);
    assert_null(vox(&m, &error));
    assert_non_null(strstr(error.message, "holds 2 voxels"));
    begin_vox(&m);
    add_model(&m, 1, 1, 1, "\0\0\0\1", 1);
    add_transform(&m, 0, 0, NULL, NULL);
    assert_null(vox(&m, &error));
    assert_non_null(strstr(error.message, "circles"));
    begin_vox(&m);
    add_model(&m, 1, 1, 1, "\0\0\0\1", 1);
    add_transform(&m, 0, 7, "_r", "5");
    assert_null(vox(&m, &error));
    assert_non_null(strstr(error.message, "no rotation"));
    static const char *const places[][2] = {{"_r", "17x"},     {"_r", ""},      {"_r", "17.5"},
                                            {"_t", "5 0 2m"},  {"_t", "5 0"},   {"_t", "5 0 2 1"},
                                            {"_t", "5 0 2.5"}, {"_t", "5,0,2"}, {"_t", "5 0x1 2"}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        begin_vox(&m);
        add_model(&m, 1, 1, 1, "\0\0\0\1", 1);
        add_transform(&m, 0, 7, places[i][0], places[i][1]);
        assert_null(vox(&m, &error));
        assert_non_null(strstr(error.message, "placed by '"));
    }
    memcpy(m.bytes, "RIFF", 4);
    assert_null(vox(&m, &error));
    assert_non_null(strstr(error.message, "not a MagicaVoxel file"));
}

static void models_are_written(void **state)
{
    (void)state;
    static maker m;
    static differences told;
    vxe_error error = {0};
    make_scene(&m);
    vxe_design *design = vox(&m, &error);
    vxe_design_destroy(write_and_read(design, "written.vox", &told));
    assert_int_equal(told.count, 1); /* its box begins at the corner */
    assert_string_equal(told.lines[0], "frame: all voxels are shifted by (1, 1, 0) cells");
    design->voxels[0].position[1] = 300;
    assert_int_equal(vxe_design_write(design, "written.vox", &error), VXE_ERROR_UNSUPPORTED);
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_stand_where_the_scene_puts_them),
                                       cmocka_unit_test(wrong_files_are_refused),
                                       cmocka_unit_test(models_are_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
