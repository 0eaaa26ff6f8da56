/* SPDX-License-Identifier: MIT */
/* The C library reads and prints numbers with the decimal sign of the locale. These functions
   replace that sign by a point, so that files are the same in every country. */
#define _GNU_SOURCE
#include "common/number_internal.h"

#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/assert_internal.h"

/* The decimal sign that this process's locale prints and reads. */
static char decimal_sign(void)
{
    const struct lconv *convention = localeconv();
    return convention && convention->decimal_point ? convention->decimal_point[0] : '.';
}

double vxe_number_scan(const char *text, const char **end)
{
    /* a copy with the locale's decimal sign, up to the first character that no number contains */
    char copy[128];
    VXE_ASSERT(text && end);
    const char sign = decimal_sign();
    size_t skip = strspn(text, " \t\r\n\f\v");
    size_t n = 0;
    for (; n + 1 < sizeof copy; n++) {
        char c = text[skip + n];
        if (!(isalnum((unsigned char)c) || c == '+' || c == '-' || c == '.')) {
            break;
        }
        copy[n] = c == '.' ? sign : c;
    }
    if (n + 1 == sizeof copy) { /* longer than any number: refused, rather than read in part */
        *end = text;
        return 0;
    }
    VXE_ASSERT(n < sizeof copy - 1);
    copy[n] = '\0';
    char *stop = copy;
    double value = strtod(copy, &stop);
    *end = stop == copy ? text : text + skip + (stop - copy);
    return value;
}

/* Replaces the locale's decimal sign by a point. */
static char *with_point(char *text)
{
    const char sign = decimal_sign();
    char *at = sign == '.' ? NULL : strchr(text, sign);
    if (at) {
        *at = '.';
    }
    return text;
}

char *vxe_number_print(char *text, uint64_t size, double value, int digits)
{
    VXE_ASSERT(digits >= 1 && digits <= 17);
    VXE_ASSERT(size > 0);
    snprintf(text, (size_t)size, "%.*g", digits, value);
    return with_point(text);
}

char *vxe_number_fixed(char *text, uint64_t size, double value, int decimals)
{
    VXE_ASSERT(decimals >= 0);
    VXE_ASSERT(size > 0);
    snprintf(text, (size_t)size, "%.*f", decimals, value);
    return with_point(text);
}

char *vxe_number_shortest(char *text, uint64_t size, double value)
{
    VXE_ASSERT(size >= 25); /* 17 digits, sign, point, exponent of 5 and the end */
    for (int digits = 15; digits <= 17; digits++) {
        const char *end = vxe_number_print(text, size, value, digits);
        if (vxe_number_scan(text, &end) == value) {
            break;
        }
    }
    return text;
}
