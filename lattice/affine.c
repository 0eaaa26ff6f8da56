/* SPDX-License-Identifier: MIT */
/* Affine bodies as a design describes them: standard values, checks and copies. The engine computes
   how they move (engine/affine/). */
#include "lattice/affine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/expression_internal.h"
#include "common/matrix_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"

static const vxe_law_number numbers[VXE_AFFINE_NUMBERS] = {
    {"density_kg_per_m3", "kg/m^3", 1000, 1e-3, 1e6, false},
    {"c1_Pa", "Pa", 8000, 0, 1e12, false},
    {"c2_Pa", "Pa", 2000, 0, 1e12, false},
    {"viscosity_Pa_s", "Pa s", 0, 0, 1e9, false},
    {"bulk_Pa", "Pa", 0, 0, 1e14, false},
    {"growth_viscosity_Pa_s", "Pa s", 0, 0, 1e12, false}};

const char *vxe_affine_kind_name(vxe_affine_kind kind)
{
    static const char *const names[VXE_AFFINE_KINDS] = {"rigid", "elastic", "contractile"};
    return kind >= 0 && kind < VXE_AFFINE_KINDS ? names[kind] : NULL;
}

const vxe_law_number *vxe_affine_numbers(void)
{
    return numbers;
}

vxe_affine_body vxe_affine_body_default(void)
{
    vxe_affine_body body = {.name = "body",
                            .kind = VXE_AFFINE_ELASTIC,
                            .shape = {.size = {0.1, 0.1, 0.1}, .sides = 48},
                            .orientation = {1, 0, 0, 0},
                            .contact = vxe_contact_law_default(VXE_CONTACT_POWER)};
    vxe_m3_identity(body.deformation);
    for (int i = 0; i < VXE_AFFINE_NUMBERS; i++) {
        body.number[i] = numbers[i].standard;
    }
    VXE_ASSERT(vxe_m3_determinant(body.deformation) == 1);
    return body;
}

static bool all_finite(const double *values, int count)
{
    bool finite = true;
    for (int i = 0; i < count; i++) {
        finite = finite && isfinite(values[i]);
    }
    return finite;
}

/* Whether a velocity or rate is not zero. */
static bool is_moving(const double *values, int count)
{
    bool moves = false;
    for (int i = 0; i < count; i++) {
        moves = moves || values[i] != 0;
    }
    return moves;
}

static vxe_status check_shape(const vxe_affine_shape *shape, vxe_error *error)
{
    double volume;
    double moments[9];
    for (int c = 0; c < 3 && shape->kind != VXE_AFFINE_POLYHEDRON; c++) {
        if (!(shape->size[c] > 1e-9 && shape->size[c] < 1e6)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "an edge, diameter or height is %g m; it must be from 1e-9 to "
                                  "1e6",
                                  shape->size[c]);
        }
    }
    if (shape->kind == VXE_AFFINE_CYLINDER && (shape->sides < 3 || shape->sides > VXE_MAX_SIDES)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "a cylinder of %u sides; from 3 to %u",
                              shape->sides, VXE_MAX_SIDES);
    }
    if (shape->kind != VXE_AFFINE_POLYHEDRON) {
        return VXE_OK;
    }
    if (shape->vertex_count < 4 || shape->face_count < 4 ||
        shape->corner_count > VXE_MAX_AFFINE_CORNERS || shape->vertex_count > shape->corner_count ||
        shape->face_count > shape->corner_count / 3 ||
        !all_finite(shape->vertices, 3 * (int)shape->vertex_count)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "a polyhedron has at least 4 vertices (finite) and 4 faces of 3, and "
                              "at most %u corners of faces",
                              VXE_MAX_AFFINE_CORNERS);
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < shape->face_count; i++) {
        sum += shape->face_sizes[i];
        if (shape->face_sizes[i] < 3) {
            return vxe_error_fill(error, VXE_ERROR_INPUT, "face %u (from 0) has %u corners", i,
                                  shape->face_sizes[i]);
        }
    }
    for (uint32_t i = 0; i < shape->corner_count; i++) {
        if (shape->corners[i] >= shape->vertex_count) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "a face has vertex %u (from 0), but there are %u",
                                  shape->corners[i], shape->vertex_count);
        }
    }
    return sum == shape->corner_count
               ? vxe_affine_shape_moments(shape, &volume, moments, error)
               : vxe_error_fill(error, VXE_ERROR_INPUT, "faces have %llu corners, but %u are given",
                                (unsigned long long)sum, shape->corner_count);
}

static vxe_status check_formulas(const vxe_affine_body *body, vxe_error *error)
{
    static const char *const names[] = {"t"};
    for (int i = 0; i < VXE_AFFINE_FORMULAS; i++) {
        vxe_expression expression = {0};
        vxe_error inner;
        if (!body->formulas[i]) {
            continue;
        }
        const vxe_status status =
            vxe_expression_parse(&expression, body->formulas[i], names, 1, &inner);
        vxe_expression_clear(&expression);
        if (status) {
            return vxe_error_fill(error, status, "formula \"%s\", %s", body->formulas[i],
                                  inner.message);
        }
    }
    return VXE_OK;
}

static vxe_status check_motion(const vxe_affine_body *body, vxe_error *error)
{
    const double *q = body->orientation;
    const double turned = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double determinant = vxe_m3_determinant(body->deformation);
    if (!all_finite(body->center, 3) || !all_finite(body->velocity, 3) ||
        !all_finite(body->spin, 3) || !all_finite(body->rate, 9) || !all_finite(body->pin, 3)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "a position, velocity, spin or rate is not finite");
    }
    const bool stays = body->hold_center || body->pinned;
    if ((stays && is_moving(body->velocity, 3)) ||
        (body->hold_deformation && (is_moving(body->spin, 3) || is_moving(body->rate, 9)))) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "a body that is pinned or whose center is held can have no velocity, "
                              "and one whose deformation is held no spin and no rate");
    }
    if (!(fabs(turned - 1) < 1e-6)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "the orientation must be a unit quaternion; its square is %g",
                              turned);
    }
    if (!(determinant > 1e-6 && determinant < 1e6)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "the determinant of the deformation is %g; it must be from 1e-6 to "
                              "1e6",
                              determinant);
    }
    double square[9];
    vxe_m3_times_transposed(body->deformation, body->deformation, square);
    for (int i = 0; i < 9 && body->kind == VXE_AFFINE_RIGID; i++) {
        if (fabs(square[i] - (i % 4 == 0)) > 1e-6 || body->rate[i] != 0) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "a rigid body can have no deformation and no rate; it has an "
                                  "orientation and a spin");
        }
    }
    return VXE_OK;
}

vxe_status vxe_affine_body_check(const vxe_affine_body *body, vxe_error *error)
{
    if (!vxe_affine_kind_name(body->kind)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "unknown kind %d", (int)body->kind);
    }
    for (int i = 0; i < VXE_AFFINE_NUMBERS; i++) {
        if (!(body->number[i] >= numbers[i].min && body->number[i] <= numbers[i].max)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT, "%s is %g; it must be from %g to %g %s",
                                  numbers[i].name, body->number[i], numbers[i].min, numbers[i].max,
                                  numbers[i].unit);
        }
    }
    bool grows = false;
    bool driven = false;
    for (int i = 0; i < 9; i++) {
        grows = grows || body->formulas[VXE_AFFINE_GROWTH + i];
        driven = driven || body->formulas[VXE_AFFINE_DRIVE + i];
    }
    const bool can_grow = body->kind == VXE_AFFINE_CONTRACTILE;
    const bool flows = body->number[VXE_AFFINE_GROWTH_VISCOSITY] > 0;
    if ((grows || driven || flows) && !can_grow) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "only contractile bodies grow");
    }
    if (can_grow && grows == flows) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "a contractile body has either growth by formulas or a growth "
                              "viscosity, with which it is driven");
    }
    if (flows && !body->isochoric && body->number[VXE_AFFINE_BULK] == 0) {
        return vxe_error_fill(
            error, VXE_ERROR_INPUT,
            "driven growth of a body that keeps its volume exactly (bulk_Pa 0) is "
            "isochoric: say so, or give bulk_Pa");
    }
    if (driven && grows) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "growth by formulas is not driven");
    }
    if (body->kind != VXE_AFFINE_RIGID &&
        !(body->number[VXE_AFFINE_C1] + body->number[VXE_AFFINE_C2] > 0)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "c1 and c2 are both 0");
    }
    if (body->pinned && body->kind != VXE_AFFINE_RIGID) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "only rigid bodies can be pinned");
    }
    vxe_status status = check_shape(&body->shape, error);
    status = status ? status : check_motion(body, error);
    status = status ? status : check_formulas(body, error);
    if (!status && body->touches && body->contact.kind != VXE_CONTACT_POWER) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT,
                                "the contact of affine bodies must be a powerlaw");
    }
    return status || !body->touches ? status : vxe_contact_law_check(&body->contact, error);
}

/* A copy of count items, or null for none; complete becomes false without memory. */
static void *copied(const void *from, uint64_t count, uint64_t size, bool *complete)
{
    VXE_ASSERT(from || count == 0);
    void *copy = count > 0 && *complete ? vxe_memory_take(count, size) : NULL;
    *complete = *complete && (copy || count == 0);
    if (copy) {
        memcpy(copy, from, (size_t)(count * size));
    }
    return copy;
}

vxe_status vxe_affine_body_copy(const vxe_affine_body *body, vxe_affine_body *copy,
                                vxe_error *error)
{
    VXE_ASSERT(body != copy);
    const vxe_affine_shape *from = &body->shape;
    vxe_affine_shape *into = &copy->shape;
    bool complete = true;
    *copy = *body;
    into->vertices =
        copied(from->vertices, 3ull * from->vertex_count, sizeof *from->vertices, &complete);
    into->corners = copied(from->corners, from->corner_count, sizeof *from->corners, &complete);
    into->face_sizes =
        copied(from->face_sizes, from->face_count, sizeof *from->face_sizes, &complete);
    for (int i = 0; i < VXE_AFFINE_FORMULAS; i++) {
        const char *text = body->formulas[i];
        copy->formulas[i] = text ? copied(text, strlen(text) + 1, 1, &complete) : NULL;
    }
    if (!complete) {
        vxe_affine_body_release(copy);
        return vxe_error_memory(error, 32ull * from->corner_count);
    }
    return VXE_OK;
}

void vxe_affine_body_release(vxe_affine_body *body)
{
    vxe_affine_shape_release(&body->shape);
    for (int i = 0; i < VXE_AFFINE_FORMULAS; i++) {
        vxe_memory_release(body->formulas[i]);
        body->formulas[i] = NULL;
    }
}
