/* SPDX-License-Identifier: MIT */
/* Medians, and the rank test of two samples (MannWhitney1947). */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/trig_internal.h"
#include "evolution/analysis.h"
#include "evolution/statistics_internal.h"

/* Largest number of pairs for which the distribution of U is computed exactly. */
#define MAX_EXACT 400u

int vxe_compare_numbers(const void *first, const void *second)
{
    const double *a = first;
    const double *b = second;
    return *a < *b ? -1 : *a > *b;
}

double vxe_quantile(const double *values, uint32_t count, double part)
{
    VXE_ASSERT(count > 0 && part >= 0 && part <= 1);
    const double at = part * (count - 1);
    const uint32_t below = (uint32_t)at;
    const uint32_t above = below + 1 < count ? below + 1 : below;
    return values[below] + (at - below) * (values[above] - values[below]);
}

double vxe_median(double *values, uint32_t count)
{
    qsort(values, count, sizeof *values, vxe_compare_numbers);
    if (count == 0) {
        return (double)NAN;
    }
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

/* Probability that U is at most u, for m and n values without ties. The number of orders with
   U = k is the number of partitions of k into at most m parts of at most n each (MannWhitney1947,
   section 3). */
static double part_at_most(uint32_t m, uint32_t n, uint32_t u)
{
    VXE_ASSERT(m > 0 && n > 0 && m * n <= MAX_EXACT && u <= m * n);
    double ways[MAX_EXACT + 1] = {1};
    double all = 0;
    double counted = 0;
    const uint32_t pairs = m * n;
    /* coefficients of the product of (1 - x^(n+i)) / (1 - x^i) for i = 1 ... m */
    for (uint32_t i = 1; i <= m; i++) {
        for (uint32_t k = pairs; k >= n + i; k--) {
            ways[k] -= ways[k - n - i];
        }
        for (uint32_t k = i; k <= pairs; k++) {
            ways[k] += ways[k - i];
        }
    }
    for (uint32_t k = 0; k <= pairs; k++) {
        all += ways[k];
        counted += k <= u ? ways[k] : 0;
    }
    return counted / all;
}

/* Sum of t^3 - t over groups of t equal values. */
static double tie_sum(const double *a, uint32_t m, const double *b, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < m + n; i++) {
        const double value = i < m ? a[i] : b[i - m];
        double equal = 0;
        for (uint32_t k = 0; k < m + n; k++) {
            equal += (k < m ? a[k] : b[k - m]) == value;
        }
        sum += equal * equal - 1; /* each of the t values of a group adds t^2 - 1 */
    }
    return sum;
}

vxe_comparison vxe_compare(const double *first, uint32_t first_count, const double *second,
                           uint32_t second_count)
{
    const double pairs = (double)first_count * second_count;
    const double all = (double)first_count + second_count;
    vxe_comparison c = {.p = 1, .effect = (double)NAN};
    if (!(pairs > 0)) {
        return c;
    }
    for (uint32_t i = 0; i < first_count; i++) {
        for (uint32_t k = 0; k < second_count; k++) {
            c.u += first[i] > second[k] ? 1 : first[i] == second[k] ? 0.5 : 0;
        }
    }
    c.effect = c.u / pairs;
    const double smaller = fmin(c.u, pairs - c.u);
    const double ties = tie_sum(first, first_count, second, second_count);
    if (ties == 0 && pairs <= MAX_EXACT) {
        c.p = fmin(1, 2 * part_at_most(first_count, second_count, (uint32_t)smaller));
        return c;
    }
    const double variance = pairs / 12 * (all + 1 - ties / (all * (all - 1)));
    const double z = (smaller + 0.5 - 0.5 * pairs) / sqrt(variance);
    c.p = variance > 0 ? fmin(1, 2 * vxe_normal_cdf(z)) : 1;
    return c;
}
