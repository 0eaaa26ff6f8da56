/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "common/number_internal.h"

#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The decimal sign that this process's locale prints and reads. */
static char decimal_sign(void)
{
    const struct lconv *convention = localeconv();
    return convention && convention->decimal_point ? convention->decimal_point[0] : '.';
}

double vxe_number_scan(const char *text, const char **end)
{
    /* A copy with the locale's decimal sign, ended at the first character that no number holds. */
    char copy[128];
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
    if (n + 1 == sizeof copy) { /* longer than any number: not one, rather than a part of one */
        *end = text;
        return 0;
    }
    copy[n] = '\0';
    char *stop = copy;
    double value = strtod(copy, &stop);
    *end = stop == copy ? text : text + skip + (stop - copy);
    return value;
}

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
    snprintf(text, (size_t)size, "%.*g", digits, value);
    return with_point(text);
}

char *vxe_number_fixed(char *text, uint64_t size, double value, int decimals)
{
    snprintf(text, (size_t)size, "%.*f", decimals, value);
    return with_point(text);
}

char *vxe_number_shortest(char *text, uint64_t size, double value)
{
    for (int digits = 15; digits <= 17; digits++) {
        const char *end = vxe_number_print(text, size, value, digits);
        if (vxe_number_scan(text, &end) == value) {
            break;
        }
    }
    return text;
}
