/* SPDX-License-Identifier: MIT */
/* Rows of numbers of surface voxels, for narrow_phase.c: a pair loads all that it needs of a voxel
   from one place in memory. */
#ifndef VXE_ENGINE_CONTACT_CONTACT_GATHER_H
#define VXE_ENGINE_CONTACT_CONTACT_GATHER_H

#include "engine/contact/contact_kernels.h"
#include "engine/contact/penalty_law.h"

/* Eight numbers of a voxel side by side. A batch of rows is transposed into columns by shuffles,
   which takes half as long as gathering scattered numbers. */
typedef struct row {
    vxe_real at[VXE_ROW];
} row;

/* Places in the rows of a voxel. Rows have a power of two of numbers, and loops over pairs read the
   last of them: else the compiler would compute the last pairs one by one. */
enum { /* in rows of poses */
       AT_X = VXE_POSE_X,
       AT_Q = VXE_POSE_Q,
       AT_EDGE_GROWTH = VXE_POSE_EDGE_GROWTH
};
enum { AT_V = 0, AT_W = 3, AT_X_LOW = 6 }; /* in rows of motion; x and y of the low part */
/* in rows of properties; the low part of z comes with a pair */
enum {
    AT_INVERSE = VXE_REST_INVERSE,
    AT_SOFTNESS = VXE_REST_SOFTNESS,
    AT_DASHPOT = VXE_REST_DASHPOT,
    AT_STATIC = VXE_REST_STATIC_FRICTION,
    AT_Z_LOW,
    AT_DYNAMIC = VXE_REST_DYNAMIC_FRICTION
};
/* rows of what pairs remember: a number of all pairs side by side */
enum { AT_KNOWN = 0, AT_SHARE, AT_KEPT_REST, AT_AGE, AT_SHEAR, MEMORY_WIDTH = AT_SHEAR + 3 };

_Static_assert(AT_EDGE_GROWTH == VXE_ROW - 1 && AT_X_LOW + 1 == VXE_ROW - 1 &&
                   AT_DYNAMIC == VXE_ROW - 1,
               "loops read the last number of a row");

/* The rows of an array. */
VXE_INLINE row *rows_of(vxe_reals *array)
{
    return (row *)array;
}

/* Fills rows of poses of `count` voxels that are consecutive in the body, from state_index on. */
VXE_INLINE void take_poses(const vxe_body_view *body, size_t state_index, row *restrict rows,
                           uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++) {
            rows[i].at[AT_X + c] = reals_const(body->x[c])[state_index + i];
        }
        for (int c = 0; c < 4; c++) {
            rows[i].at[AT_Q + c] = reals_const(body->q[c])[state_index + i];
        }
        rows[i].at[AT_EDGE_GROWTH] = reals_const(body->edge_growth)[state_index + i];
    }
}

/* A batch of VXE_NEIGHBOR_BATCH consecutive voxels of the body is read as vectors if at least so
   many of them are on the surface. */
#define WORTH_A_BATCH 4u

/* Stores the poses of voxels [first, last) of a surface. */
static void stand(const vxe_neighbor_list *neighbors, const vxe_body_view *body, uint32_t first,
                  uint32_t last)
{
    const int32_t *state_index = neighbors->state_index;
    row *rows = rows_of(neighbors->pose);
    row batch[VXE_NEIGHBOR_BATCH];
    VXE_ASSERT(first <= last && last <= neighbors->surface->count);
    for (uint32_t k = first; k < last;) {
        if (body->stride == 1 && last - k >= VXE_NEIGHBOR_BATCH &&
            state_index[k + VXE_NEIGHBOR_BATCH - 1] - state_index[k] <
                (int32_t)VXE_NEIGHBOR_BATCH) {
            take_poses(body, (size_t)state_index[k], rows + k, VXE_NEIGHBOR_BATCH);
            k += VXE_NEIGHBOR_BATCH;
            continue;
        }
        const bool beside =
            body->stride == 1 && last - k >= WORTH_A_BATCH &&
            state_index[k + WORTH_A_BATCH - 1] - state_index[k] < (int32_t)VXE_NEIGHBOR_BATCH;
        if (!beside) {
            take_poses(body, (size_t)state_index[k], rows + k, 1);
            k++;
            continue;
        }
        take_poses(body, (size_t)state_index[k], batch,
                   VXE_NEIGHBOR_BATCH); /* arrays are padded by a vector */
        for (const int32_t begin = state_index[k];
             k < last && state_index[k] - begin < (int32_t)VXE_NEIGHBOR_BATCH; k++) {
            rows[k] = batch[state_index[k] - begin];
        }
    }
}

VXE_INLINE vxe_real largest3(vxe_real a, vxe_real b, vxe_real c)
{
    const vxe_real ab = a > b ? a : b;
    return ab > c ? ab : c;
}

VXE_INLINE vxe_vec3 three(const row *of, int from)
{
    return (vxe_vec3){of->at[from], of->at[from + 1], of->at[from + 2]};
}

VXE_INLINE vxe_quat orientation_of(const row *pose)
{
    return (vxe_quat){pose->at[AT_Q], pose->at[AT_Q + 1], pose->at[AT_Q + 2], pose->at[AT_Q + 3]};
}

/* m: the mean edge of two voxels. */
VXE_INLINE vxe_real mean_edge(const row *one, const row *two, vxe_real edge)
{
    return vxe_fma(R(0.5), one->at[AT_EDGE_GROWTH] + two->at[AT_EDGE_GROWTH], edge);
}

/* Stores the properties of voxels [first, last) of a surface that do not depend on their motion. */
static void settle(const vxe_neighbor_list *neighbors, const vxe_kernel_arrays *m, uint32_t first,
                   uint32_t last)
{
    VXE_ASSERT(first <= last && last <= neighbors->surface->count);
    for (uint32_t k = first; k < last; k++) {
        row *rest = rows_of(neighbors->rest) + k;
        const uint32_t slot = neighbors->surface->slot[k];
        *rest = (row){{0}};
        rest->at[AT_INVERSE] =
            largest3(reals_const(m->inverse_mass[0])[slot], reals_const(m->inverse_mass[1])[slot],
                     reals_const(m->inverse_mass[2])[slot]);
        rest->at[AT_SOFTNESS] = 1 / reals_const(m->contact_stiffness)[slot];
        rest->at[AT_DASHPOT] = reals_const(m->contact_dashpot)[slot];
        rest->at[AT_STATIC] = reals_const(m->static_friction)[slot];
        rest->at[AT_DYNAMIC] = reals_const(m->dynamic_friction)[slot];
    }
}

#endif
