/* SPDX-License-Identifier: MIT */
/* Affine bodies in scenes: what is written can be read again, and errors are refused with a reason.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "affine.h"
#include "common/memory.h"
#include "engine/batch.h"
#include "lattice/formats/format.h"

static void scenes_are_written_and_read(void **state)
{
    (void)state;
    static const char *const names[] = {"bouncing_block",    "crawler",           "detaching_block",
                                        "dice_throw",        "oscillating_block", "pulsating_block",
                                        "remodelling_block", "rocking_block",     "rolling_disk",
                                        "spinning_top"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[512];
        vxe_error error;
        differences told = {.count = 0};
        snprintf(path, sizeof path, "%s/assets/affine_%s.json", VXE_SOURCE_FOLDER, names[i]);
        vxe_design *design = vxe_design_read(path, &error);
        if (!design) {
            fail_msg("%s", error.message);
        }
        vxe_design *copy = vxe_design_copy(design, &error);
        vxe_design *again = write_and_read(design, "affine_again.json", &told);
        assert_int_equal(told.count, 0);
        assert_int_equal(vxe_design_note_count(design), 0);
        assert_true(vxe_design_hash(design) == vxe_design_hash(again));
        assert_true(vxe_design_hash(design) == vxe_design_hash(copy));
        vxe_design_destroy(design);
        vxe_design_destroy(again);
        vxe_design_destroy(copy);
    }
}

/* A tetrahedron of known moments: about the centroid m/80 times (3 l^2 on the diagonal, -l^2 beside
 * it) for corners at 0 and l along the axes; its faces are given inside out. */
static vxe_affine_body tetrahedron(void)
{
    static const double vertices[12] = {5, 5, 5, 5.1, 5, 5, 5, 5.1, 5, 5, 5, 5.1};
    static const uint32_t corners[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    static const uint32_t sizes[4] = {3, 3, 3, 3};
    vxe_affine_body body = vxe_affine_body_default();
    vxe_affine_shape *shape = &body.shape;
    shape->kind = VXE_AFFINE_POLYHEDRON;
    shape->vertices = vxe_memory_take(12, sizeof *shape->vertices);
    shape->corners = vxe_memory_take(12, sizeof *shape->corners);
    shape->face_sizes = vxe_memory_take(4, sizeof *shape->face_sizes);
    memcpy(shape->vertices, vertices, sizeof vertices);
    memcpy(shape->corners, corners, sizeof corners);
    memcpy(shape->face_sizes, sizes, sizeof sizes);
    shape->vertex_count = shape->face_count = 4;
    shape->corner_count = 12;
    return body;
}

static void polyhedra_have_moments(void **state)
{
    (void)state;
    vxe_affine_body body = tetrahedron();
    double volume;
    double moments[9];
    vxe_error error;
    const double l = 0.1;
    assert_int_equal(vxe_affine_shape_moments(&body.shape, &volume, moments, &error), VXE_OK);
    check_relative("volume, m^3", volume, l * l * l / 6, 1e-9);
    check_relative("second moment, m^5", moments[0], volume * 3 * l * l / 80, 1e-9);
    check_relative("mixed moment, m^5", moments[1], -volume * l * l / 80, 1e-9);
    vxe_affine_body_release(&body);
}

/* Prism and box of a cylinder have the moments of their formulas. */
static void prisms_are_closed_and_convex(void **state)
{
    (void)state;
    vxe_affine_body body = vxe_affine_body_default();
    for (int kind = 0; kind < 2; kind++) {
        vxe_affine_shape faces;
        double volume[2];
        double moments[2][9];
        vxe_error error;
        body.shape.kind = (vxe_affine_shape_kind)kind;
        body.shape.size[2] = 0.25;
        body.shape.sides = 200;
        assert_int_equal(vxe_affine_shape_faces(&body.shape, &faces, &error), VXE_OK);
        assert_int_equal(vxe_affine_shape_moments(&body.shape, &volume[0], moments[0], &error),
                         VXE_OK);
        assert_int_equal(vxe_affine_shape_moments(&faces, &volume[1], moments[1], &error), VXE_OK);
        check_relative("volume of the faces", volume[1], volume[0], kind ? 2e-4 : 1e-12);
        check_relative("their moment across", moments[1][0], moments[0][0], kind ? 4e-4 : 1e-12);
        check_relative("and along", moments[1][8], moments[0][8], kind ? 2e-4 : 1e-12);
        vxe_affine_shape_release(&faces);
    }
}

/* Making a world of the body fails with this reason. */
static void refused(const vxe_affine_body *body, const char *says)
{
    vxe_design *design = affine_design(body, 0);
    check_refused(design, says);
    vxe_design_destroy(design);
}

static void wrong_bodies_are_refused(void **state)
{
    (void)state;
    const vxe_affine_body good = vxe_affine_body_default();
    vxe_affine_body body = good;
    body.deformation[0] = -1;
    refused(&body, "determinant of the deformation is -1; it must be from 1e-6 to 1e6");
    body = good;
    body.shape.size[1] = 0;
    refused(&body, "is 0 m; it must be from 1e-9 to 1e6");
    body = good;
    body.number[VXE_AFFINE_C1] = -1;
    refused(&body, "c1_Pa is -1; it must be from 0 to 1e+12 Pa");
    body = good;
    body.number[VXE_AFFINE_C1] = body.number[VXE_AFFINE_C2] = 0;
    refused(&body, "c1 and c2 are both 0");
    body = good;
    body.orientation[1] = 1;
    refused(&body, "must be a unit quaternion");
    body = good;
    body.kind = VXE_AFFINE_CONTRACTILE;
    refused(&body, "either growth by formulas or a growth viscosity");
    body.number[VXE_AFFINE_GROWTH_VISCOSITY] = 1;
    body.kind = VXE_AFFINE_ELASTIC;
    refused(&body, "only contractile bodies grow");
    body = good;
    body.kind = VXE_AFFINE_CONTRACTILE;
    set_body_formula(&body, VXE_AFFINE_GROWTH, "sin(t)");
    refused(&body, "the determinant of its growth is 0 at t = 0");
    set_body_formula(&body, VXE_AFFINE_GROWTH, "sin(x)");
    refused(&body, "no such variable");
    vxe_affine_body_release(&body);
    body = good;
    body.kind = VXE_AFFINE_RIGID;
    body.deformation[0] = 1.1;
    refused(&body, "a rigid body can have no deformation");
    body = good;
    body.pinned = true;
    refused(&body, "only rigid bodies can be pinned");
    body = good;
    body.kind = VXE_AFFINE_CONTRACTILE;
    body.number[VXE_AFFINE_GROWTH_VISCOSITY] = 1e4;
    refused(&body, "is isochoric: say so, or give bulk_Pa");
    body = good;
    body.hold_center = true;
    body.velocity[0] = 1;
    refused(&body, "can have no velocity");
    body = good;
    add_contact(&body, -1, 1e-3);
    refused(&body, "alpha_r");
    add_contact(&body, 1, 1e-3);
    vxe_design *design = affine_design(&body, 0);
    design->floor.enabled = true;
    check_refused(design, "affine body 'body' starts in the floor, a wall or another body");
    vxe_design_destroy(design);
}

static void wrong_polyhedra_are_refused(void **state)
{
    (void)state;
    vxe_affine_body body = tetrahedron();
    body.shape.vertices[9] = 5.05; /* move the last corner into the plane of others */
    body.shape.vertices[11] = 5;
    refused(&body, "has no volume");
    body.shape.vertices[9] = 5;
    body.shape.vertices[11] = 5.1;
    body.shape.corners[0] = 3;
    refused(&body, "the polyhedron is not closed");
    body.shape.corners[0] = 7;
    refused(&body, "a face has vertex 7 (from 0), but there are 4");
    vxe_affine_body_release(&body);
    /* a box with a corner pushed in */
    vxe_affine_shape faces;
    vxe_error error;
    body = vxe_affine_body_default();
    assert_int_equal(vxe_affine_shape_faces(&body.shape, &faces, &error), VXE_OK);
    faces.vertices[2] += 0.02;
    body.shape = faces;
    refused(&body, "is not convex, or a face is not plane");
    vxe_affine_body_release(&body);
}

/* Initial rates or deformations that do not keep the volume are corrected, with a warning. */
static void starts_are_mended(void **state)
{
    (void)state;
    vxe_affine_body body = vxe_affine_body_default();
    body.deformation[0] = 1.1;
    body.rate[4] = 3;
    vxe_world *world = affine_world(affine_design(&body, 0), 0);
    const vxe_affine_pose pose = pose_of(world);
    const double *p = pose.deformation;
    assert_int_equal(vxe_world_warning_count(world), 2);
    assert_non_null(strstr(vxe_world_warning(world, 0), "its deformation is scaled by 0.9687"));
    assert_non_null(strstr(vxe_world_warning(world, 1), "they are projected"));
    check_near("volume", p[0] * p[4] * p[8], 1, 1e-12);
    check_near("its rate, 1/s", pose.rate[0] / p[0] + pose.rate[4] / p[4] + pose.rate[8] / p[8], 0,
               1e-12);
    vxe_world_destroy(world);
}

static void scenes_alone_hold_them(void **state)
{
    (void)state;
    const vxe_affine_body body = vxe_affine_body_default();
    vxe_design *design = affine_design(&body, 0);
    vxe_error error;
    assert_int_not_equal(vxe_design_write(design, "affine.vxa", &error), VXE_OK);
    assert_non_null(strstr(error.message, "scenes (.json) alone hold affine bodies"));
    vxe_world_def def = vxe_world_def_default();
    def.conventions = "voxelyze";
    assert_null(vxe_world_create(design, &def, &error));
    assert_non_null(strstr(error.message, "under our own conventions alone"));
    vxe_design_destroy(design);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_are_written_and_read),  cmocka_unit_test(polyhedra_have_moments),
        cmocka_unit_test(prisms_are_closed_and_convex), cmocka_unit_test(wrong_bodies_are_refused),
        cmocka_unit_test(wrong_polyhedra_are_refused),  cmocka_unit_test(starts_are_mended),
        cmocka_unit_test(scenes_alone_hold_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
