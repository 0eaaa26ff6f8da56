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
#include "output/view/picture.h"
#include "support.h"

enum { COLORLESS = 12 };

static double apart(const float *one, const float *two)
{
    double max = 0;
    for (int c = 0; c < 3; c++) {
        max = fmax(max, fabs((double)one[c] - (double)two[c]));
    }
    return max;
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
    float *colors = NULL;
    assert_int_equal(vxe_material_colors(design, &colors, &error), VXE_OK);
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

/* A picture of a row of voxels at rest. */
typedef struct picture {
    vxe_picture_def def;
    vxe_design *design;
    vxe_frame *frame;
    vxe_mesh mesh;
    vxe_view view;
    vxe_legend legend;
} picture;

static picture picture_of(uint32_t materials)
{
    vxe_error error = {0};
    picture p = {.def = vxe_picture_def_default(), .design = colorless_design(materials)};
    vxe_world *world = make_world(p.design, NULL);
    p.frame = vxe_frame_create(p.design->voxel_count, 0, &error);
    assert_non_null(p.frame);
    vxe_frame_take(p.frame, world);
    vxe_world_destroy(world);
    assert_int_equal(vxe_mesh_init(&p.mesh, p.design, false, &error), VXE_OK);
    p.view = vxe_view_of(&p.mesh, (const vxe_frame *const *)&p.frame, 1);
    assert_int_equal(vxe_material_colors(p.design, &p.view.materials, &error), VXE_OK);
    return p;
}

/* Makes the legend of the picture's design and choices as they are now. */
static void make_legend(picture *p)
{
    vxe_error error = {0};
    vxe_legend_clear(&p->legend);
    assert_int_equal(vxe_legend_init(&p->legend, p->design, &p->view, &p->def, 1, &error), VXE_OK);
}

static void clear(picture *p)
{
    vxe_legend_clear(&p->legend);
    vxe_memory_release(p->view.materials);
    vxe_mesh_clear(&p->mesh);
    vxe_frame_destroy(p->frame);
    vxe_design_destroy(p->design);
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
    picture p = picture_of(2);
    p.design->voxels[0].material = 1; /* nobody has material 0 now */
    make_legend(&p);
    assert_null(find_text(&p.legend, "tissue 0"));
    const vxe_mark *name = find_text(&p.legend, "tissue 2");
    assert_true(name && name > p.legend.marks);
    assert_true(apart(name[-1].color, p.design->materials[2].color) < 1e-6);
    assert_true(name[-1].x + name[-1].width < name->x && name[-1].y < name->y);
    for (uint32_t i = 0; i < p.legend.count; i++) { /* below the panel, within the picture */
        const vxe_mark *mark = &p.legend.marks[i];
        assert_true(mark->y >= (float)(p.def.height - p.legend.height));
        assert_true(mark->y + mark->height < (float)p.def.height);
        assert_true(mark->x + mark->width < (float)p.def.width);
    }
    clear(&p);
}

/* Two points of the floor that are as far apart as the bar says, through the middle and across the
   view, are as many pixels apart, within what perspective does to them. */
static void the_bar_of_lengths_is_as_long_as_it_says(void **state)
{
    (void)state;
    vxe_error error = {0};
    picture p = picture_of(2);
    make_legend(&p);
    const uint32_t size[2] = {p.def.width, p.def.height - p.legend.height};
    const double spacing = vxe_view_spacing(&p.view);
    const double scale = vxe_view_pixels_per_meter(&p.view, size);
    char text[60];
    snprintf(text, sizeof text, "%g m%s", spacing, p.design->floor.enabled ? ", as the grid" : "");
    assert_non_null(find_text(&p.legend, text));
    check_near("the bar, pixels", (double)p.legend.marks[2].width, spacing * scale, 1e-3);
    /* seen from above, an edge of the row of three voxels has its length in the picture */
    vxe_projection projection;
    p.def.elevation = 90;
    assert_int_equal(
        vxe_projection_take(&projection, p.design, &p.mesh, p.frame, &p.view, &p.def, size, &error),
        VXE_OK);
    const vxe_point *corner = projection.patches[projection.patch_count - 1].corner;
    const double edge =
        hypot((double)corner[1].x - (double)corner[0].x, (double)corner[1].y - (double)corner[0].y);
    /* the upper faces are half an edge of the twelve edges nearer to the camera */
    check_relative("an edge, pixels", edge, p.design->voxel_size * scale, 0.1);
    vxe_projection_clear(&projection);
    clear(&p);
}

static void strain_has_a_bar_of_colours_with_both_ends(void **state)
{
    (void)state;
    picture p = picture_of(2);
    p.def.coloring = VXE_COLOR_STRAIN;
    make_legend(&p);
    const vxe_mark *low = find_text(&p.legend, "-1"); /* at rest the range is 1 */
    const vxe_mark *high = find_text(&p.legend, "1");
    assert_true(low && high && find_text(&p.legend, "axial strain"));
    assert_true(high - low > 10);
    assert_true(low[1].color[2] > low[1].color[0] && high[-1].color[0] > high[-1].color[2]);
    assert_true(low->x < low[1].x && high[-1].x < high->x);
    p.def.caption = false;
    make_legend(&p);
    assert_true(p.legend.count == 0 && p.legend.height == 0);
    clear(&p);
}

/* Of more materials than there is space for, the legend says how many are not shown: one whose name
   is too long for its row, and all behind it, short or not. */
static void long_legends_say_what_is_missing(void **state)
{
    (void)state;
    picture p = picture_of(60);
    p.def.width = 320;
    p.def.height = 240;
    for (int longer = 0; longer < 2; longer++) {
        uint32_t shown = 0;
        uint32_t missing = 0;
        make_legend(&p);
        for (uint32_t i = 0; i < p.legend.count; i++) {
            shown += strncmp(p.legend.marks[i].text, "tissue", 6) == 0;
            (void)sscanf(p.legend.marks[i].text, "and %u more", &missing);
        }
        assert_true(shown > 0 && missing > 0);
        assert_int_equal(shown + missing, 61);
        /* a quarter of the panel, the space below the rows, and rounding up */
        assert_true(p.legend.height <= 0.25 * p.def.height + 0.4 * (double)p.legend.size + 1);
        /* the first that is left out gets a name which no row has a place for */
        memset(p.design->materials[shown - 1].name, 'x', 60);
        memcpy(p.design->materials[shown - 1].name, "tissue", 6);
    }
    p.def.width = p.def.height = 16;
    make_legend(&p);
    assert_true(p.legend.count == 0 && p.legend.height == 0);
    clear(&p);
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

/* The first pixel is paper, that in the middle the orange body seen from above; the bytes behind
   the picture stay as they are. */
static void a_frame_becomes_an_array_of_pixels(void **state)
{
    (void)state;
    enum { WIDTH = 48, HEIGHT = 32, GUARD = 16 };
    static uint8_t pixels[3 * WIDTH * HEIGHT + GUARD];
    vxe_error error = {0};
    picture p = picture_of(0);       /* one voxel, orange */
    p.design->floor.enabled = false; /* else its lines are drawn */
    p.def.width = WIDTH;
    p.def.height = HEIGHT;
    p.def.elevation = 90;
    p.def.edges = p.def.caption = false;
    memset(pixels, 7, sizeof pixels);
    assert_int_equal(vxe_picture_draw(p.design, p.frame, &p.def, pixels, &error), VXE_OK);
    const uint8_t *middle = pixels + 3 * (WIDTH * HEIGHT / 2 + WIDTH / 2);
    assert_true(middle[0] > middle[1] + 20 && middle[1] > middle[2] + 20);
    for (int c = 0; c < 3; c++) {
        assert_int_equal(pixels[c], lrintf(255 * vxe_paper[c]));
    }
    for (size_t i = sizeof pixels - GUARD; i < sizeof pixels; i++) {
        assert_int_equal(pixels[i], 7);
    }
    p.def.width = 1;
    assert_int_equal(vxe_picture_draw(p.design, p.frame, &p.def, pixels, &error),
                     VXE_ERROR_ARGUMENT);
    clear(&p);
}

/* How many pixels of the middle row, 48 of a picture 32 high, show the orange voxel from above. */
static int orange_pixels(const picture *p)
{
    enum { WIDTH = 48, HEIGHT = 32 };
    static uint8_t pixels[3 * WIDTH * HEIGHT];
    vxe_error error = {0};
    int count = 0;
    assert_int_equal(vxe_picture_draw(p->design, p->frame, &p->def, pixels, &error), VXE_OK);
    for (const uint8_t *at = pixels + 3 * WIDTH * HEIGHT / 2, *end = at + 3 * WIDTH; at < end;
         at += 3) {
        count += at[0] > at[2] + 40;
    }
    return count;
}

/* How many pixels of a picture show the orange voxel; at least one of them must be within the
   picture, not on its border, where a part may be cut off. */
static int orange_pixels_of_all(const picture *p)
{
    const size_t width = p->def.width;
    const size_t height = p->def.height;
    uint8_t *pixels = vxe_memory_take(width * height, 3);
    vxe_error error = {0};
    int count = 0;
    assert_non_null(pixels);
    assert_int_equal(vxe_picture_draw(p->design, p->frame, &p->def, pixels, &error), VXE_OK);
    for (size_t i = 0; i < width * height; i++) {
        const bool inner =
            i % width > 0 && i % width < width - 1 && i / width > 0 && i / width < height - 1;
        const bool orange = pixels[3 * i] > pixels[3 * i + 2] + 40;
        assert_true(inner || !orange);
        count += orange;
    }
    vxe_memory_release(pixels);
    return count;
}

/* A picture shows as much as it is asked to, of the place that it is asked for. The upper face is
   nearer than the voxel's middle, so that it looks larger. */
static void a_picture_reaches_as_far_as_it_is_asked_to(void **state)
{
    (void)state;
    vxe_error error = {0};
    picture p = picture_of(0); /* one voxel, orange */
    const double edge = p.design->voxel_size;
    p.design->floor.enabled = false;
    p.def.width = 48;
    p.def.height = 32;
    p.def.azimuth = 0;
    p.def.elevation = 90;
    p.def.edges = p.def.caption = false;
    for (int c = 0; c < 3; c++) {
        p.def.middle[c] = 0.5 * edge;
    }
    for (int times = 1; times <= 4; times *= 2) {
        p.def.reach = times * edge;
        check_near("an edge, pixels", orange_pixels(&p), 16.0 / times, 1 + 4.0 / times);
    }
    p.def.reach = edge;
    p.def.middle[0] += 5 * edge;
    assert_int_equal(orange_pixels(&p), 0);
    p.def.reach = 1e-3 * edge; /* the camera is inside, or beside it: nothing is drawn */
    assert_int_equal(orange_pixels(&p), 0);
    for (int wrong = 0; wrong < 2; wrong++) {
        p.def.reach = wrong ? (double)NAN : -1;
        assert_int_equal(vxe_picture_draw(p.design, p.frame, &p.def, &(uint8_t){0}, &error),
                         VXE_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "reach"));
    }
    clear(&p);
}

/* A camera that holds what was seen of a motion shows it all, from wherever it looks: of a voxel
   that goes one metre along y, both ends. */
static void a_camera_holds_a_whole_motion(void **state)
{
    (void)state;
    vxe_error error = {0};
    picture p = picture_of(0);
    const double edge = p.design->voxel_size;
    const double start[3] = {p.frame->position[0], p.frame->position[1], p.frame->position[2]};
    const double strains[2] = {-0.25, 0.125};
    vxe_picture_bounds bounds = {0};
    p.design->floor.enabled = false;
    for (int i = 0; i < 2; i++) {
        p.frame->position[1] = start[1] + i;
        p.frame->strain[0] = strains[i];
        assert_int_equal(vxe_picture_look(p.design, p.frame, &bounds, &error), VXE_OK);
    }
    for (int c = 0; c < 3; c++) {
        check_near("low end, m", bounds.low[c], start[c] - 0.5 * edge, 1e-15);
        check_near("high end, m", bounds.high[c], start[c] + 0.5 * edge + (c == 1), 1e-15);
    }
    assert_int_equal(bounds.frames, 2);
    check_near("radius, m", vxe_picture_radius(&bounds),
               0.5 * sqrt(2 * edge * edge + (1 + edge) * (1 + edge)), 1e-14);
    check_near("largest strain", bounds.strain, 0.25, 0);
    p.def.coloring = VXE_COLOR_STRAIN;
    vxe_picture_hold(&bounds, vxe_picture_radius(&bounds), &p.def);
    check_near("end of the colours", p.def.range, 0.25, 0);
    p.def.range = 0.5;
    vxe_picture_hold(&bounds, vxe_picture_radius(&bounds), &p.def);
    check_near("an end that was asked for", p.def.range, 0.5, 0);
    p.def.coloring = VXE_COLOR_MATERIAL;
    p.def.caption = false;
    for (int i = 0; i < 8; i++) {
        p.def.width = i % 2 ? 300 : 800;
        p.def.height = i % 2 ? 800 : 300;
        p.def.azimuth = 45 * i;
        p.def.elevation = i < 4 ? 25 : 80;
        vxe_picture_hold(&bounds, vxe_picture_radius(&bounds), &p.def);
        for (int k = 0; k < 2; k++) {
            p.frame->position[1] = start[1] + k;
            assert_true(orange_pixels_of_all(&p) > 0);
        }
    }
    clear(&p);
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
        cmocka_unit_test(a_frame_becomes_an_array_of_pixels),
        cmocka_unit_test(a_picture_reaches_as_far_as_it_is_asked_to),
        cmocka_unit_test(a_camera_holds_a_whole_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
