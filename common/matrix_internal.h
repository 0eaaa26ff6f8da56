/* SPDX-License-Identifier: MIT */
/* Arrows of three numbers, and matrices of three by three, row after row. into may not be one of
   the others. */
#ifndef VXE_COMMON_MATRIX_INTERNAL_H
#define VXE_COMMON_MATRIX_INTERNAL_H

static inline double vxe_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void vxe_m3_identity(double into[9])
{
    for (int i = 0; i < 9; i++) {
        into[i] = i % 4 == 0;
    }
}

/* into += times a */
static inline void vxe_m3_add(double into[9], double times, const double a[9])
{
    for (int i = 0; i < 9; i++) {
        into[i] += times * a[i];
    }
}

/* a b */
static inline void vxe_m3_times(const double a[9], const double b[9], double into[9])
{
    for (int i = 0; i < 9; i++) {
        const double *row = a + 3 * (i / 3);
        into[i] = row[0] * b[i % 3] + row[1] * b[i % 3 + 3] + row[2] * b[i % 3 + 6];
    }
}

static inline void vxe_m3_transposed(const double a[9], double into[9])
{
    for (int i = 0; i < 9; i++) {
        into[i] = a[3 * (i % 3) + i / 3];
    }
}

/* a b^T */
static inline void vxe_m3_times_transposed(const double a[9], const double b[9], double into[9])
{
    for (int i = 0; i < 9; i++) {
        const double *row = a + 3 * (i / 3);
        const double *other = b + 3 * (i % 3);
        into[i] = row[0] * other[0] + row[1] * other[1] + row[2] * other[2];
    }
}

/* a^T b */
static inline void vxe_m3_transposed_times(const double a[9], const double b[9], double into[9])
{
    for (int i = 0; i < 9; i++) {
        const double *one = a + i / 3;
        const double *other = b + i % 3;
        into[i] = one[0] * other[0] + one[3] * other[3] + one[6] * other[6];
    }
}

/* a v */
static inline void vxe_m3_apply(const double a[9], const double v[3], double into[3])
{
    for (int i = 0; i < 3; i++) {
        into[i] = a[3 * i] * v[0] + a[3 * i + 1] * v[1] + a[3 * i + 2] * v[2];
    }
}

/* a^T v */
static inline void vxe_m3_apply_transposed(const double a[9], const double v[3], double into[3])
{
    for (int i = 0; i < 3; i++) {
        into[i] = a[i] * v[0] + a[i + 3] * v[1] + a[i + 6] * v[2];
    }
}

/* a : b */
static inline double vxe_m3_dot(const double a[9], const double b[9])
{
    double sum = 0;
    for (int i = 0; i < 9; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static inline double vxe_m3_trace(const double a[9])
{
    return a[0] + a[4] + a[8];
}

/* Determinant times the transposed inverse. */
static inline void vxe_m3_cofactors(const double a[9], double into[9])
{
    for (int i = 0; i < 3; i++) {
        const double *b = a + 3 * ((i + 1) % 3);
        const double *c = a + 3 * ((i + 2) % 3);
        for (int j = 0; j < 3; j++) {
            const int k = (j + 1) % 3;
            const int l = (j + 2) % 3;
            into[3 * i + j] = b[k] * c[l] - b[l] * c[k];
        }
    }
}

static inline double vxe_m3_determinant(const double a[9])
{
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}

/* Transposed inverse of a matrix that has one; its determinant. */
static inline double vxe_m3_inverse_transposed(const double a[9], double into[9])
{
    vxe_m3_cofactors(a, into);
    const double determinant = a[0] * into[0] + a[1] * into[1] + a[2] * into[2];
    for (int i = 0; i < 9; i++) {
        into[i] /= determinant;
    }
    return determinant;
}

/* Of a sum of b c^T that of c x b: what forces b at arms c turn about. */
static inline void vxe_m3_axial(const double a[9], double into[3])
{
    into[0] = a[7] - a[5];
    into[1] = a[2] - a[6];
    into[2] = a[3] - a[1];
}

/* (a + a^T)/2 */
static inline void vxe_m3_symmetric(const double a[9], double into[9])
{
    for (int i = 0; i < 9; i++) {
        into[i] = 0.5 * (a[i] + a[3 * (i % 3) + i / 3]);
    }
}

#endif
