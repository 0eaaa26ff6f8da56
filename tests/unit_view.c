/* SPDX-License-Identifier: MIT */
/* What pictures tell by their colours and their legend. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "output/picture/legend.h"
#include "output/picture/stroke_font.h"
#include "output/view/colors.h"
#include "support.h"

enum { COLORLESS = 12 };

static double apart(const float *one, const float *two)
{
    double most = 0;
    for (int c = 0; c < 3; c++) {
        most = fmax(most, fabs((double)one[c] - (double)two[c]));
    }
    return most;
}

/* A row of voxels, one of each of so many materials without a colour, and of one that is orange as
   the first of the list. */
static vxe_design *colorless_design(uint32_t materials)
{
    vxe_error error = {0};
    vxe_material m = vxe_material_default();
    vxe_design *design = vxe_design_create();
    for (uint32_t i = 0; i <= materials; i++) {
        const float orange[3] = {0.9f, 0.6f, 0.05f};
        if (i == materials) {
            memcpy(m.color, orange, sizeof orange);
        }
        snprintf(m.name, sizeof m.name, "tissue %u", i);
        assert_int_equal(vxe_design_add_material(design, &m, NULL, &error), VXE_OK);
        assert_int_equal(vxe_design_add_voxel(design, (int32_t)i, 0, 0, i, &error), VXE_OK);
    }
    return design;
}

static void materials_without_a_colour_have_distinct_ones(void **state)
{
    (void)state;
    vxe_error error = {0};
    vxe_design *design = colorless_design(COLORLESS);
    float *colors = vxe_material_colors(design, &error);
    assert_non_null(colors);
    assert_memory_equal(colors + 3 * COLORLESS, design->materials[COLORLESS].color,
                        3 * sizeof *colors);
    for (uint32_t i = 0; i <= COLORLESS; i++) {
        for (uint32_t j = 0; j < i; j++) {
            assert_true(apart(colors + 3 * i, colors + 3 * j) >= 0.12);
        }
    }
    vxe_memory_release(colors);
    vxe_design_destroy(design);
}

/* The legend of one frame at rest. */
static void legend_of(vxe_legend *legend, vxe_design *design, const vxe_picture_def *def,
                      double *spacing, double *scale)
{
    vxe_error error = {0};
    vxe_mesh mesh;
    vxe_world *world = make_world(design, NULL);
    vxe_frame *frame = vxe_frame_create(design->voxel_count, 0, &error);
    assert_non_null(frame);
    vxe_frame_take(frame, world);
    assert_int_equal(vxe_mesh_init(&mesh, design, false, &error), VXE_OK);
    vxe_view view = vxe_view_of(&mesh, (const vxe_frame *const *)&frame, 1);
    view.materials = vxe_material_colors(design, &error);
    assert_int_equal(vxe_legend_init(legend, design, &view, def, 1, &error), VXE_OK);
    *spacing = vxe_view_spacing(&view);
    *scale = vxe_view_pixels_per_meter(
        &view, (const uint32_t[2]){def->width, def->height - legend->height});
    vxe_memory_release(view.materials);
    vxe_mesh_clear(&mesh);
    vxe_frame_destroy(frame);
    vxe_world_destroy(world);
}

/* The mark with a text, or null. */
static const vxe_mark *find_text(const vxe_legend *legend, const char *text)
{
    for (uint32_t i = 0; i < legend->count; i++) {
        if (strcmp(legend->marks[i].text, text) == 0) {
            return &legend->marks[i];
        }
    }
    return NULL;
}

static void legends_name_materials_beside_their_colours(void **state)
{
    (void)state;
    vxe_legend legend;
    vxe_design *design = colorless_design(2);
    vxe_picture_def def = vxe_picture_def_default();
    double spacing = 0;
    double scale = 0;
    design->voxels[0].material = 1; /* nobody has material 0 now */
    legend_of(&legend, design, &def, &spacing, &scale);
    assert_null(find_text(&legend, "tissue 0"));
    const vxe_mark *name = find_text(&legend, "tissue 2");
    assert_true(name && name > legend.marks);
    assert_true(apart(name[-1].color, design->materials[2].color) < 1e-6);
    assert_true(name[-1].x + name[-1].width < name->x && name[-1].y < name->y);
    for (uint32_t i = 0; i < legend.count; i++) { /* below the panel, within the picture */
        assert_true(legend.marks[i].y >= (float)(def.height - legend.height));
        assert_true(legend.marks[i].y + legend.marks[i].height < (float)def.height);
        assert_true(legend.marks[i].x + legend.marks[i].width < (float)def.width);
    }
    vxe_legend_clear(&legend);
    vxe_design_destroy(design);
}

/* Two points of the floor that are as far apart as the bar says, through the middle and across the
   view, are as many pixels apart, within what perspective does to them. */
static void the_bar_of_lengths_is_as_long_as_it_says(void **state)
{
    (void)state;
    vxe_legend legend;
    vxe_design *design = colorless_design(2);
    vxe_picture_def def = vxe_picture_def_default();
    double spacing = 0;
    double scale = 0;
    legend_of(&legend, design, &def, &spacing, &scale);
    char text[60];
    snprintf(text, sizeof text, "%g m%s", spacing, design->floor.enabled ? ", as the grid" : "");
    assert_non_null(find_text(&legend, text));
    check_near("the bar, pixels", (double)legend.marks[2].width, spacing * scale, 1e-3);
    /* seen from above, an edge of the row of three voxels has its length in the picture */
    vxe_error error = {0};
    vxe_mesh mesh;
    vxe_projection projection;
    vxe_world *world = make_world(design, NULL);
    vxe_frame *frame = vxe_frame_create(design->voxel_count, 0, &error);
    assert_non_null(frame);
    vxe_frame_take(frame, world);
    assert_int_equal(vxe_mesh_init(&mesh, design, false, &error), VXE_OK);
    vxe_view view = vxe_view_of(&mesh, (const vxe_frame *const *)&frame, 1);
    view.materials = vxe_material_colors(design, &error);
    def.elevation = 90;
    const uint32_t size[2] = {def.width, def.height - legend.height};
    assert_int_equal(
        vxe_projection_take(&projection, design, &mesh, frame, &view, &def, size, &error), VXE_OK);
    const vxe_point *corner = projection.patches[projection.patch_count - 1].corner;
    const double edge =
        hypot((double)corner[1].x - (double)corner[0].x, (double)corner[1].y - (double)corner[0].y);
    /* the upper faces are half an edge of the twelve edges nearer to the camera */
    check_relative("an edge, pixels", edge, design->voxel_size * scale, 0.1);
    vxe_projection_clear(&projection);
    vxe_memory_release(view.materials);
    vxe_mesh_clear(&mesh);
    vxe_frame_destroy(frame);
    vxe_world_destroy(world);
    vxe_legend_clear(&legend);
    vxe_design_destroy(design);
}

static void strain_has_a_bar_of_colours_with_both_ends(void **state)
{
    (void)state;
    vxe_legend legend;
    vxe_design *design = colorless_design(2);
    vxe_picture_def def = vxe_picture_def_default();
    double spacing = 0;
    double scale = 0;
    def.coloring = VXE_COLOR_STRAIN;
    legend_of(&legend, design, &def, &spacing, &scale);
    const vxe_mark *low = find_text(&legend, "-1"); /* at rest the range is 1 */
    const vxe_mark *high = find_text(&legend, "1");
    assert_true(low && high && find_text(&legend, "axial strain"));
    assert_true(high - low > 10);
    assert_true(low[1].color[2] > low[1].color[0] && high[-1].color[0] > high[-1].color[2]);
    assert_true(low->x < low[1].x && high[-1].x < high->x);
    vxe_legend_clear(&legend);
    def.caption = false;
    legend_of(&legend, design, &def, &spacing, &scale);
    assert_true(legend.count == 0 && legend.height == 0);
    vxe_legend_clear(&legend);
    vxe_design_destroy(design);
}

/* Of more materials than there is space for, the legend says how many are not shown. */
static void long_legends_say_what_is_missing(void **state)
{
    (void)state;
    vxe_legend legend;
    vxe_design *design = colorless_design(60);
    vxe_picture_def def = vxe_picture_def_default();
    double spacing = 0;
    double scale = 0;
    def.width = 320;
    def.height = 240;
    legend_of(&legend, design, &def, &spacing, &scale);
    uint32_t shown = 0;
    uint32_t missing = 0;
    for (uint32_t i = 0; i < legend.count; i++) {
        shown += strncmp(legend.marks[i].text, "tissue", 6) == 0;
        (void)sscanf(legend.marks[i].text, "and %u more", &missing);
    }
    assert_int_equal(shown + missing, 61);
    assert_true(legend.height <= 0.35 * def.height);
    vxe_legend_clear(&legend);
    def.width = def.height = 16;
    legend_of(&legend, design, &def, &spacing, &scale);
    assert_true(legend.count == 0 && legend.height == 0);
    vxe_legend_clear(&legend);
    vxe_design_destroy(design);
}

static void every_character_has_a_shape_of_its_own(void **state)
{
    (void)state;
    static vxe_glyph glyphs[127];
    for (char letter = ' '; letter < 127; letter++) {
        const char text[2] = {letter, '\0'};
        vxe_glyph *glyph = &glyphs[(int)letter];
        const char *behind = vxe_glyph_take(text, glyph);
        assert_true(behind == text + 1 && glyph->advance > 0.1f);
        assert_true((glyph->count > 0) == (letter != ' '));
        for (char other = '!'; other < letter; other++) {
            assert_false(glyphs[(int)other].count == glyph->count &&
                         memcmp(glyphs[(int)other].line, glyph->line,
                                glyph->count * sizeof glyph->line[0]) == 0);
        }
    }
    vxe_glyph box;
    const char *name = "\xc3\xbc\x62"; /* u with two dots, b */
    assert_int_equal(vxe_glyph_count(name), 2);
    assert_true(vxe_glyph_take(name, &box) == name + 2 && box.count == 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(materials_without_a_colour_have_distinct_ones),
        cmocka_unit_test(legends_name_materials_beside_their_colours),
        cmocka_unit_test(the_bar_of_lengths_is_as_long_as_it_says),
        cmocka_unit_test(strain_has_a_bar_of_colours_with_both_ends),
        cmocka_unit_test(long_legends_say_what_is_missing),
        cmocka_unit_test(every_character_has_a_shape_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
