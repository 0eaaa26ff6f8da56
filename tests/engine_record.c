/* SPDX-License-Identifier: MIT */
/* Records: what is read equals what was written within half of the resolution that the file states,
 * and writing it again gives the same bytes. Truncated or damaged records are recognised. Surfaces
 * enclose the volume of their voxels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/bytes_internal.h"
#include "common/pack_internal.h"
#include "common/random_internal.h"
#include "lattice/formats/format.h"
#include "output/foreign/voxcraft_history_read.h"
#include "output/page/page.h"
#include "output/record/vxr.h"
#include "output/view/mesh.h"
#include "output/view/recorder.h"
#include "output/view/surface.h"
#include "support.h"

#define FRAMES 70u
#define BODY_SIZE 0.1 /* m, of the default affine body */

/* A random signed number of a width in bits. */
static int64_t draw(vxe_stream *stream, uint32_t width)
{
    const uint64_t high = vxe_stream_word(stream);
    const uint64_t word = high << 32 | vxe_stream_word(stream);
    return width == 0 ? 0 : (int64_t)(word << (64 - width)) >> (64 - width);
}

static void numbers_come_back(void **state)
{
    (void)state;
    vxe_stream stream = vxe_stream_open(7, 0, 0, 0);
    for (uint32_t width = 0; width <= 64; width++) {
        for (uint32_t count = 1; count <= VXE_PACK_GROUP; count++) {
            int64_t put[VXE_PACK_GROUP];
            int64_t got[VXE_PACK_GROUP];
            vxe_bytes bytes = {0};
            for (uint32_t i = 0; i < count; i++) {
                put[i] = draw(&stream, width);
            }
            uint64_t folded[VXE_PACK_GROUP] = {0};
            uint64_t all = 0;
            for (uint32_t i = 0; i < count; i++) {
                folded[i] = vxe_pack_fold(put[i]);
                all |= folded[i];
            }
            assert_true(vxe_bytes_reserve(&bytes, VXE_PACK_ROOM));
            bytes.size = (uint64_t)(vxe_pack_group(folded, count, all, bytes.data) - bytes.data);
            vxe_bytes_put_signed(&bytes, put[0]);
            vxe_bytes_put_u32(&bytes, 0xfedcba98u);
            vxe_bytes_put_double(&bytes, -0.1);
            vxe_bytes_view view = {.data = bytes.data, .size = bytes.size};
            vxe_bytes_get_group(&view, got, count);
            assert_memory_equal(put, got, count * sizeof put[0]);
            assert_true(vxe_bytes_get_signed(&view) == put[0]);
            assert_true(vxe_bytes_get_u32(&view) == 0xfedcba98u);
            assert_true(vxe_bytes_get_double(&view) == -0.1);
            assert_true(!view.bad && view.at == view.size);
            (void)vxe_bytes_get_u64(&view);
            assert_true(view.bad);
            vxe_bytes_clear(&bytes);
        }
    }
}

static vxe_design *read_asset(const char *name)
{
    char path[1024];
    vxe_error error;
    snprintf(path, sizeof path, "%s/assets/%s", VXE_SOURCE_FOLDER, name);
    vxe_design *design = vxe_design_read(path, &error);
    if (!design) {
        fail_msg("%s", error.message);
    }
    return design;
}

/* Frames of a run of the hopper, which is also recorded to path. */
static vxe_frame **record_hopper(const vxe_design *design, const char *path)
{
    vxe_error error;
    vxe_frame **frames = malloc(FRAMES * sizeof *frames);
    vxe_world *world = make_world(design, NULL);
    vxe_recorder *recorder = vxe_recorder_create(design, path, &error);
    assert_non_null(frames);
    if (!recorder) {
        fail_msg("%s", error.message);
    }
    for (uint32_t i = 0; i < FRAMES; i++) {
        frames[i] = vxe_frame_create(design->voxel_count, design->affine_count, &error);
        assert_non_null(frames[i]);
        vxe_frame_take(frames[i], world);
        assert_int_equal(vxe_recorder_add(recorder, frames[i], &error), VXE_OK);
        assert_int_equal(vxe_world_advance(world, 100, &error), VXE_OK);
    }
    assert_int_equal(vxe_recorder_close(recorder, &error), VXE_OK);
    vxe_world_destroy(world);
    return frames;
}

static void release(vxe_frame **frames)
{
    for (uint32_t i = 0; i < FRAMES; i++) {
        vxe_frame_destroy(frames[i]);
    }
    free(frames);
}

/* Bytes of a file; the caller frees them. */
static char *bytes_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_true(fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

static void check_values(const double *got, const double *want, size_t count, double bound)
{
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(got[i] - want[i]) <= bound)) {
            fail_msg("value %zu is %.17g, was %.17g: more than %g apart", i, got[i], want[i],
                     bound);
        }
    }
}

/* Half a resolution, plus the rounding of numbers in double. */
static void check_frame(const vxe_frame *got, const vxe_frame *want, const vxe_design *design)
{
    const size_t n = want->voxels;
    const double half = 0.50001 / 16384;
    const double modulus = 1e6; /* upper bound, of the hopper's stiffest material */
    assert_true(got->step == want->step && got->time == want->time);
    check_values(got->position, want->position, 3 * n, half * design->voxel_size);
    check_values(got->orientation, want->orientation, 4 * n, half);
    check_values(got->edge, want->edge, n, half * design->voxel_size);
    check_values(got->strain, want->strain, 3 * n, 0.50001e-5);
    check_values(got->stress, want->stress, 3 * n, 0.50001e-5 * modulus);
    check_values(got->energy, want->energy, n, 0.50001e-8 * modulus * pow(design->voxel_size, 3));
    check_values(got->contact, want->contact, n, 0.50001e-7 * modulus * pow(design->voxel_size, 2));
    check_values(got->place, want->place, 3 * (size_t)want->bodies, half * BODY_SIZE);
    check_values(got->deformation, want->deformation, 9 * (size_t)want->bodies, half);
}

static void check_record(const vxe_design *design)
{
    vxe_error error;
    vxe_frame **frames = record_hopper(design, "record_test.vxr");
    vxe_vxr *record = vxe_vxr_open("record_test.vxr", &error);
    assert_non_null(record);
    assert_true(vxe_vxr_frame_count(record) == FRAMES && !vxe_vxr_is_cut(record));
    assert_true(vxe_design_hash(vxe_vxr_design(record)) == vxe_design_hash(design));
    check_relative("resolution, m", vxe_vxr_resolution(record), design->voxel_size / 16384, 1e-12);
    vxe_frame *frame = vxe_frame_create(design->voxel_count, design->affine_count, &error);
    vxe_vxr_writer *again = vxe_vxr_create(vxe_vxr_design(record), "record_again.vxr", &error);
    assert_true(frame && again);
    for (uint32_t i = 0; i < FRAMES; i++) {
        assert_int_equal(vxe_vxr_read(record, i, frame, &error), VXE_OK);
        check_frame(frame, frames[i], design);
        assert_int_equal(vxe_vxr_add(again, frame, &error), VXE_OK);
    }
    assert_int_equal(vxe_vxr_close(again, &error), VXE_OK);
    for (uint32_t i = 0; i < 3 * FRAMES; i++) { /* in arbitrary order */
        const uint32_t index = i * 31 % FRAMES;
        assert_int_equal(vxe_vxr_read(record, index, frame, &error), VXE_OK);
        check_frame(frame, frames[index], design);
    }
    assert_int_equal(vxe_vxr_read(record, FRAMES, frame, &error), VXE_ERROR_ARGUMENT);
    size_t size[2];
    char *first = bytes_of("record_test.vxr", &size[0]);
    char *second = bytes_of("record_again.vxr", &size[1]);
    assert_true(size[0] == size[1]);
    assert_memory_equal(first, second, size[0]);
    free(first);
    free(second);
    unlink("record_test.vxr");
    unlink("record_again.vxr");
    vxe_frame_destroy(frame);
    vxe_vxr_destroy(record);
    release(frames);
}

/* Also with an affine body that turns and breathes beside the voxels. */
static void a_record_comes_back(void **state)
{
    (void)state;
    vxe_design *design = read_asset("hopper.vxa");
    check_record(design);
    vxe_affine_body body = vxe_affine_body_default();
    vxe_error error;
    body.touches = false;
    body.center[0] = 1;
    body.spin[0] = 3;
    body.deformation[8] = 1.1;
    body.number[VXE_AFFINE_BULK] = 1e5;
    assert_int_equal(vxe_design_add_affine(design, &body, &error), VXE_OK);
    check_record(design);
    vxe_design_destroy(design);
}

/* A record that is cut anywhere gives the frames of its complete blocks, or is refused. */
static void a_cut_record_has_its_whole_blocks(void **state)
{
    (void)state;
    vxe_error error;
    size_t size = 0;
    vxe_design *design = read_asset("hopper.vxa");
    vxe_frame **frames = record_hopper(design, "record_whole.vxr");
    char *bytes = bytes_of("record_whole.vxr", &size);
    vxe_frame *frame = vxe_frame_create(design->voxel_count, design->affine_count, &error);
    uint64_t seen[4] = {0};
    assert_non_null(frame);
    for (size_t left = 0; left < size; left += 1 + size / 300) {
        FILE *file = fopen("record_cut.vxr", "wb");
        assert_non_null(file);
        assert_true(fwrite(bytes, 1, left, file) == left && fclose(file) == 0);
        vxe_vxr *record = vxe_vxr_open("record_cut.vxr", &error);
        const uint64_t count = record ? vxe_vxr_frame_count(record) : 0;
        assert_true(count == 0 || count == 32 || count == 64 || count == FRAMES);
        assert_true(record ? vxe_vxr_is_cut(record) : error.status == VXE_ERROR_INPUT);
        for (uint64_t i = 0; i < count; i++) {
            assert_int_equal(vxe_vxr_read(record, i, frame, &error), VXE_OK);
            check_frame(frame, frames[i], design);
        }
        seen[count == FRAMES ? 3 : count / 32]++;
        vxe_vxr_destroy(record);
    }
    assert_true(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
    unlink("record_whole.vxr");
    unlink("record_cut.vxr");
    free(bytes);
    vxe_frame_destroy(frame);
    release(frames);
    vxe_design_destroy(design);
}

/* What voxcraft's viewer needs: positions to a tenth of a millimetre, and the steps of the frames.
 */
static void a_history_is_recorded(void **state)
{
    (void)state;
    vxe_error error;
    vxe_design *design = read_asset("hopper.vxa");
    vxe_frame **frames = record_hopper(design, "record_test.history");
    vxe_history_reader *r = vxe_history_reader_read("record_test.history", &error);
    assert_non_null(r);
    assert_true(r->frame_count == FRAMES && r->frames[3].number == 300);
    const vxe_recorded_voxel *v = &r->voxels[r->frames[FRAMES - 1].first_voxel];
    check_values(v->place, frames[FRAMES - 1]->position, 3, 0.51e-4);
    vxe_history_reader_destroy(r);
    unlink("record_test.history");
    release(frames);
    vxe_design_destroy(design);
}

/* Volume enclosed by a surface, by the divergence of x/3 over both triangles of each face. */
static double volume_of(const vxe_mesh *mesh, const double *places)
{
    double volume = 0;
    for (uint32_t i = 0; i < mesh->quad_count; i++) {
        for (int half = 0; half < 2; half++) {
            const double *a = places + 3 * (size_t)mesh->quads[i].vertex[0];
            const double *b = places + 3 * (size_t)mesh->quads[i].vertex[1 + half];
            const double *c = places + 3 * (size_t)mesh->quads[i].vertex[2 + half];
            volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                       a[2] * (b[0] * c[1] - b[1] * c[0])) /
                      6;
        }
    }
    return volume;
}

/* m^3: enclosed by the public surface, whose corners are float. */
static double volume_of_corners(const vxe_design *design, const vxe_world *world, uint32_t quads)
{
    vxe_error error;
    vxe_surface *surface = vxe_surface_create(design, &error);
    assert_non_null(surface);
    assert_int_equal(vxe_surface_quads(surface), quads);
    float *corners = malloc(12 * quads * sizeof *corners);
    assert_non_null(corners);
    vxe_surface_place(surface, world, corners);
    double volume = 0;
    for (uint32_t q = 0; q < quads; q++) {
        assert_true(vxe_surface_voxels(surface)[q] < design->voxel_count);
        for (int half = 0; half < 2; half++) {
            double at[3][3];
            for (uint32_t c = 0; c < 9; c++) {
                const uint32_t corner = c < 3 ? 0 : c / 3 + (uint32_t)half;
                at[c / 3][c % 3] = (double)corners[12 * q + 3 * corner + c % 3];
            }
            volume += (at[0][0] * (at[1][1] * at[2][2] - at[1][2] * at[2][1]) +
                       at[0][1] * (at[1][2] * at[2][0] - at[1][0] * at[2][2]) +
                       at[0][2] * (at[1][0] * at[2][1] - at[1][1] * at[2][0])) /
                      6;
        }
    }
    free(corners);
    vxe_surface_destroy(surface);
    return volume;
}

/* Surface of a body at rest: faces and vertices counted by hand, volume that of its voxels. */
static void check_surface(const vxe_design *design, uint32_t quads, uint32_t vertices)
{
    vxe_error error;
    vxe_mesh mesh;
    vxe_world *world = make_world(design, NULL);
    vxe_frame *frame = vxe_frame_create(design->voxel_count, design->affine_count, &error);
    assert_int_equal(vxe_mesh_init(&mesh, design, false, &error), VXE_OK);
    double *places = malloc(3 * mesh.vertex_count * sizeof *places);
    assert_true(frame && places);
    vxe_frame_take(frame, world);
    vxe_mesh_place(&mesh, frame, places);
    assert_int_equal(mesh.quad_count, quads);
    assert_int_equal(mesh.vertex_count, vertices);
    check_relative("volume, m^3", volume_of(&mesh, places), design->voxel_count * pow(EDGE, 3),
                   1e-9);
    /* corners are rounded to float: 3e-8 of a place each, of which the volume is a product */
    check_relative("volume by corners, m^3", volume_of_corners(design, world, quads),
                   design->voxel_count * pow(EDGE, 3), 1e-6);
    free(places);
    vxe_mesh_clear(&mesh);
    vxe_frame_destroy(frame);
    vxe_world_destroy(world);
}

static void surfaces_enclose_their_voxels(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    vxe_error error;
    vxe_design *one = block_design(&m, 1, 1, 1);
    vxe_design *bar = block_design(&m, 2, 1, 1);
    vxe_design *block = block_design(&m, 3, 3, 3);
    vxe_design *two = block_design(&m, 1, 1, 1);
    check_surface(one, 6, 8);
    check_surface(bar, 10, 12);
    check_surface(block, 54, 56);
    /* joined at an edge: no bond, and so no shared corner */
    assert_int_equal(vxe_design_add_voxel(two, 1, 1, 0, 0, &error), VXE_OK);
    check_surface(two, 12, 16);
    vxe_design_destroy(one);
    vxe_design_destroy(bar);
    vxe_design_destroy(block);
    vxe_design_destroy(two);
}

static void what_can_not_be_recorded_is_refused(void **state)
{
    (void)state;
    vxe_error error;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 2, 1, 1);
    vxe_frame *frame = vxe_frame_create(2, 0, &error);
    vxe_frame *other = vxe_frame_create(3, 0, &error);
    assert_true(frame && other);
    frame->stress[4] = (double)NAN;
    vxe_vxr_writer *writer = vxe_vxr_create(design, "record_bad.vxr", &error);
    assert_non_null(writer);
    assert_int_equal(vxe_vxr_add(writer, frame, &error), VXE_ERROR_INPUT);
    assert_non_null(strstr(error.message, "stress of voxel 1"));
    assert_int_equal(vxe_vxr_add(writer, other, &error), VXE_ERROR_ARGUMENT);
    vxe_vxr_abandon(writer);
    assert_int_not_equal(access("record_bad.vxr", F_OK), 0);
    assert_null(vxe_recorder_create(design, "record_bad.avi", &error));
    assert_null(vxe_recorder_create(design, "no/such/folder.vxr", &error));
    assert_int_equal(error.status, VXE_ERROR_SYSTEM);
    vxe_page *page = vxe_page_create("record_bad.html", "none", &error);
    assert_non_null(page);
    assert_int_equal(vxe_page_close(page, &error), VXE_ERROR_ARGUMENT);
    assert_int_not_equal(access("record_bad.html", F_OK), 0);
    vxe_frame_destroy(frame);
    vxe_frame_destroy(other);
    vxe_design_destroy(design);
    vxe_design *large = block_design(&m, 60, 60, 60);
    page = vxe_page_create("record_bad.html", "large", &error);
    assert_non_null(page);
    assert_int_equal(vxe_page_begin_robot(page, large, "large", &error), VXE_ERROR_UNSUPPORTED);
    vxe_page_abandon(page);
    vxe_design_destroy(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_come_back),
                                       cmocka_unit_test(a_record_comes_back),
                                       cmocka_unit_test(a_cut_record_has_its_whole_blocks),
                                       cmocka_unit_test(a_history_is_recorded),
                                       cmocka_unit_test(surfaces_enclose_their_voxels),
                                       cmocka_unit_test(what_can_not_be_recorded_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
