/* SPDX-License-Identifier: MIT */
#ifndef VXE_EVOLUTION_STATISTICS_INTERNAL_H
#define VXE_EVOLUTION_STATISTICS_INTERNAL_H

#include <stdint.h>

/* For qsort of doubles. */
int vxe_compare_numbers(const void *first, const void *second);

/* Sorts values; NaN of none. */
double vxe_median(double *values, uint32_t count);

#endif
