/* SPDX-License-Identifier: MIT */
/* The C library reads and prints numbers with the decimal sign of the locale. These functions
   replace that sign by a point, so that files are the same in every country. */
#define _GNU_SOURCE
#include "common/number_internal.h"

#include <locale.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/assert_internal.h"

/* Characters of the longest number that is read, and of the longest decimal sign. */
#define LONGEST 127u
#define LONGEST_SIGN 8u

/* The decimal sign that this process's locale prints and reads. */
static const char *decimal_sign(void)
{
    const struct lconv *convention = localeconv();
    const char *sign = convention ? convention->decimal_point : NULL;
    return sign && *sign && strlen(sign) <= LONGEST_SIGN ? sign : ".";
}

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* Length of the number that a text begins with; 0: it begins with none. An exponent counts if it
   has digits. */
static size_t length_of(const char *text)
{
    const size_t first = *text == '+' || *text == '-';
    const size_t whole = count_digits(text + first);
    const bool point = text[first + whole] == '.';
    const size_t decimals = point ? count_digits(text + first + whole + 1) : 0;
    if (whole + decimals == 0) {
        return 0;
    }
    const size_t length = first + whole + point + decimals;
    if (text[length] != 'e' && text[length] != 'E') {
        return length;
    }
    const size_t sign = length + 1 + (text[length + 1] == '+' || text[length + 1] == '-');
    const size_t exponent = count_digits(text + sign);
    return exponent > 0 ? sign + exponent : length;
}

/* Reads the number that a text begins with; *end is behind it. Returns null, or what was expected
   instead of the text. */
static const char *scan(const char *text, double *value, const char **end)
{
    const char *start = text + strspn(text, VXE_BLANKS);
    const size_t length = length_of(start);
    if (length == 0) {
        return "expected a number";
    }
    if (length > LONGEST) { /* refused, rather than read in part */
        return "expected a number of at most 127 characters";
    }
    char copy[LONGEST + LONGEST_SIGN + 1]; /* with the sign that strtod reads */
    const char *point = memchr(start, '.', length);
    const int before = (int)(point ? point - start : (ptrdiff_t)length);
    const int behind = (int)length - before - (point != NULL);
    snprintf(copy, sizeof copy, "%.*s%s%.*s", before, start, point ? decimal_sign() : "",
             point ? behind : 0, point ? point + 1 : "");
    char *stop = copy;
    const double read = strtod(copy, &stop);
    VXE_ASSERT(*stop == '\0');
    if (!isfinite(read)) {
        return "expected a number below 1.8e308";
    }
    *value = read;
    *end = start + length;
    return NULL;
}

double vxe_number_scan(const char *text, const char **end)
{
    double value = 0;
    VXE_ASSERT(text && end);
    *end = text;
    (void)scan(text, &value, end);
    return value;
}

const char *vxe_number_read(const char *text, double *value)
{
    double read = 0;
    const char *end = text;
    VXE_ASSERT(text && value);
    const char *expected = scan(text, &read, &end);
    if (!expected && end[strspn(end, VXE_BLANKS)] != '\0') {
        expected = "expected a number";
    }
    *value = expected ? *value : read;
    return expected;
}

/* Replaces the locale's decimal sign by a point. */
static char *with_point(char *text)
{
    const char *sign = decimal_sign();
    char *at = strcmp(sign, ".") == 0 ? NULL : strstr(text, sign);
    if (at) {
        *at = '.';
        memmove(at + 1, at + strlen(sign), strlen(at + strlen(sign)) + 1);
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
