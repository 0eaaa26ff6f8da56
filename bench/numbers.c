/* SPDX-License-Identifier: MIT */
/* Random numbers and quantiles. See numbers.h. */
#include "numbers.h"

#include <stdlib.h>

double bench_random(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-53;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_quantile(double *values, int count, double part)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    const int at = (int)(part * count);
    return values[at < count ? at : count - 1];
}
