/* SPDX-License-Identifier: MIT */
/* Vectors of three numbers and 3 x 3 matrices, stored by rows. In a file that defines VXE_WIDE each
   number holds several bodies side by side (wide_internal.h). The output, into, may not be one of
   the inputs. */
#ifndef VXE_COMMON_MATRIX_INTERNAL_H
#define VXE_COMMON_MATRIX_INTERNAL_H

#include "common/wide_internal.h"

VXE_NUMBER_INLINE vxe_number vxe_dot3(const vxe_number a[3], const vxe_number b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* a x b */
VXE_NUMBER_INLINE void vxe_cross3(const vxe_number a[3], const vxe_number b[3], vxe_number into[3])
{
    into[0] = a[1] * b[2] - a[2] * b[1];
    into[1] = a[2] * b[0] - a[0] * b[2];
    into[2] = a[0] * b[1] - a[1] * b[0];
}

VXE_NUMBER_INLINE void vxe_m3_identity(vxe_number into[9])
{
    for (int i = 0; i < 9; i++) {
        into[i] = vxe_number_of(i % 4 == 0);
    }
}

/* into += times a */
VXE_NUMBER_INLINE void vxe_m3_add(vxe_number into[9], vxe_number times, const vxe_number a[9])
{
    for (int i = 0; i < 9; i++) {
        into[i] += times * a[i];
    }
}

/* a b */
VXE_NUMBER_INLINE void vxe_m3_times(const vxe_number a[9], const vxe_number b[9],
                                    vxe_number into[9])
{
    for (int i = 0; i < 9; i++) {
        const vxe_number *row = a + 3 * (i / 3);
        into[i] = row[0] * b[i % 3] + row[1] * b[i % 3 + 3] + row[2] * b[i % 3 + 6];
    }
}

VXE_NUMBER_INLINE void vxe_m3_transposed(const vxe_number a[9], vxe_number into[9])
{
    for (int i = 0; i < 9; i++) {
        into[i] = a[3 * (i % 3) + i / 3];
    }
}

/* a b^T */
VXE_NUMBER_INLINE void vxe_m3_times_transposed(const vxe_number a[9], const vxe_number b[9],
                                               vxe_number into[9])
{
    for (int i = 0; i < 9; i++) {
        const vxe_number *row = a + 3 * (i / 3);
        const vxe_number *other = b + 3 * (i % 3);
        into[i] = row[0] * other[0] + row[1] * other[1] + row[2] * other[2];
    }
}

/* a^T b */
VXE_NUMBER_INLINE void vxe_m3_transposed_times(const vxe_number a[9], const vxe_number b[9],
                                               vxe_number into[9])
{
    for (int i = 0; i < 9; i++) {
        const vxe_number *one = a + i / 3;
        const vxe_number *other = b + i % 3;
        into[i] = one[0] * other[0] + one[3] * other[3] + one[6] * other[6];
    }
}

/* a^T a */
VXE_NUMBER_INLINE void vxe_m3_square(const vxe_number a[9], vxe_number into[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            into[3 * i + j] = into[3 * j + i] =
                a[i] * a[j] + a[i + 3] * a[j + 3] + a[i + 6] * a[j + 6];
        }
    }
}

/* a v */
VXE_NUMBER_INLINE void vxe_m3_apply(const vxe_number a[9], const vxe_number v[3],
                                    vxe_number into[3])
{
    for (int i = 0; i < 3; i++) {
        into[i] = a[3 * i] * v[0] + a[3 * i + 1] * v[1] + a[3 * i + 2] * v[2];
    }
}

/* a^T v */
VXE_NUMBER_INLINE void vxe_m3_apply_transposed(const vxe_number a[9], const vxe_number v[3],
                                               vxe_number into[3])
{
    for (int i = 0; i < 3; i++) {
        into[i] = a[i] * v[0] + a[i + 3] * v[1] + a[i + 6] * v[2];
    }
}

/* a : b */
VXE_NUMBER_INLINE vxe_number vxe_m3_dot(const vxe_number a[9], const vxe_number b[9])
{
    vxe_number sum = a[0] * b[0];
    for (int i = 1; i < 9; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

VXE_NUMBER_INLINE vxe_number vxe_m3_trace(const vxe_number a[9])
{
    return a[0] + a[4] + a[8];
}

/* Matrix of cofactors: determinant times the transposed inverse. */
VXE_NUMBER_INLINE void vxe_m3_cofactors(const vxe_number a[9], vxe_number into[9])
{
    for (int i = 0; i < 3; i++) {
        const vxe_number *b = a + 3 * ((i + 1) % 3);
        const vxe_number *c = a + 3 * ((i + 2) % 3);
        for (int j = 0; j < 3; j++) {
            const int k = (j + 1) % 3;
            const int l = (j + 2) % 3;
            into[3 * i + j] = b[k] * c[l] - b[l] * c[k];
        }
    }
}

VXE_NUMBER_INLINE vxe_number vxe_m3_determinant(const vxe_number a[9])
{
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}

/* Transposed inverse of a regular matrix; returns the determinant. */
VXE_NUMBER_INLINE vxe_number vxe_m3_inverse_transposed(const vxe_number a[9], vxe_number into[9])
{
    vxe_m3_cofactors(a, into);
    const vxe_number determinant = a[0] * into[0] + a[1] * into[1] + a[2] * into[2];
    const vxe_number by = 1.0 / determinant;
    for (int i = 0; i < 9; i++) {
        into[i] *= by;
    }
    return determinant;
}

/* Axial vector: for a sum of products b c^T, the sum of c x b. For forces b at positions c it is
   their torque. */
VXE_NUMBER_INLINE void vxe_m3_axial(const vxe_number a[9], vxe_number into[3])
{
    into[0] = a[7] - a[5];
    into[1] = a[2] - a[6];
    into[2] = a[3] - a[1];
}

/* (a + a^T)/2 */
VXE_NUMBER_INLINE void vxe_m3_symmetric(const vxe_number a[9], vxe_number into[9])
{
    for (int i = 0; i < 9; i++) {
        into[i] = 0.5 * (a[i] + a[3 * (i % 3) + i / 3]);
    }
}

/* Rotates columns p and q of a matrix by an angle, given by its sine and cosine. */
VXE_NUMBER_INLINE void vxe_m3_turn_columns(vxe_number a[9], int p, int q, vxe_number sine,
                                           vxe_number cosine)
{
    for (int r = 0; r < 3; r++) {
        const vxe_number x = a[3 * r + p];
        const vxe_number y = a[3 * r + q];
        a[3 * r + p] = cosine * x + sine * y;
        a[3 * r + q] = cosine * y - sine * x;
    }
}

#endif
