/* SPDX-License-Identifier: MIT */
/* Statistics that several files need. */
#ifndef VXE_EVOLUTION_STATISTICS_INTERNAL_H
#define VXE_EVOLUTION_STATISTICS_INTERNAL_H

#include <stdint.h>

/* Comparison of doubles for qsort. */
int vxe_compare_numbers(const void *first, const void *second);

/* Value below which a part (0 to 1) of sorted values lies, linear between two of them; count above
   0. */
double vxe_quantile(const double *values, uint32_t count, double part);

/* Median of the values, which are sorted; NaN where there is none. */
double vxe_median(double *values, uint32_t count);

#endif
