/* SPDX-License-Identifier: MIT */
/* See words.h. */
#include "words.h"

#include <ctype.h>
#include <stdlib.h>

#include "common/number.h"

bool bench_whole(const char *word, uint32_t min, uint32_t max, uint32_t *value)
{
    char *end = NULL;
    const unsigned long long read = strtoull(word, &end, 10); /* too large: ULLONG_MAX */
    *value = read < UINT32_MAX ? (uint32_t)read : UINT32_MAX;
    return isdigit((unsigned char)word[0]) && *end == '\0' && read >= min && read <= max;
}

bool bench_number(const char *word, double min, double max, double *value)
{
    return !vxe_number_read(word, value) && *value >= min && *value <= max;
}
