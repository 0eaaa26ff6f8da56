/* SPDX-License-Identifier: MIT */
/* Reads numpy's arrays. After a magic word, version and length, the head is the text of a Python
   dictionary: {'descr': '<f8', 'fortran_order': False, 'shape': (5, 5), }. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/status_internal.h"
#include "lattice/formats/others/npy_internal.h"

#define MAX_DIMENSIONS 8
/* Larger sides are refused, so that products do not overflow. */
#define MAX_SIDE (1ull << 30)

/* The text of a head. */
typedef struct head {
    const char *at, *end;
    const char *name; /* of the array, in messages */
    char type[24];    /* descr; "" before it is read */
    uint64_t shape[MAX_DIMENSIONS];
    uint32_t dimensions;
    bool has_shape, by_columns, has_order;
} head;

/* Refuses what comes next; the message shows the rest of its line. */
static vxe_status wrong_head(const head *h, const char *expected, vxe_error *error)
{
    int shown = 0;
    while (shown < 20 && shown < h->end - h->at && h->at[shown] >= ' ' && h->at[shown] <= '~') {
        shown++;
    }
    return vxe_error_fill(error, VXE_ERROR_INPUT, "%s: expected %s at '%.*s' of its head", h->name,
                          expected, shown, h->at);
}

static void skip_spaces(head *h)
{
    while (h->at < h->end && (*h->at == ' ' || *h->at == '\n')) {
        h->at++;
    }
}

/* Takes a character behind spaces, if it is the next one. */
static bool take(head *h, char wanted)
{
    skip_spaces(h);
    const bool there = h->at < h->end && *h->at == wanted;
    h->at += there;
    return there;
}

/* Takes a text in quotes of fewer than size bytes. */
static bool take_text(head *h, char *text, size_t size)
{
    skip_spaces(h);
    const char quote = h->at < h->end ? *h->at : '\0';
    const char *from = h->at + 1;
    const char *to = quote == '\'' || quote == '"' ? from : NULL;
    while (to && to < h->end && *to != quote) {
        to++;
    }
    if (!to || to >= h->end || (size_t)(to - from) >= size) {
        return false;
    }
    snprintf(text, size, "%.*s", (int)(to - from), from);
    h->at = to + 1;
    return true;
}

static bool take_word(head *h, const char *word)
{
    const size_t length = strlen(word);
    skip_spaces(h);
    const bool there = (size_t)(h->end - h->at) >= length && strncmp(h->at, word, length) == 0;
    h->at += there ? length : 0;
    return there;
}

/* Takes a whole number, behind which Python 2 wrote an L. */
static bool take_side(head *h, uint64_t *side)
{
    skip_spaces(h);
    const char *from = h->at;
    *side = 0;
    for (; h->at < h->end && *h->at >= '0' && *h->at <= '9' && *side < MAX_SIDE; h->at++) {
        *side = 10 * *side + (uint64_t)(*h->at - '0');
    }
    const bool good = h->at > from && *side < MAX_SIDE;
    (void)(good && take(h, 'L'));
    return good;
}

static vxe_status take_shape(head *h, vxe_error *error)
{
    if (!take(h, '(')) {
        return wrong_head(h, "the shape in parentheses", error);
    }
    h->dimensions = 0;
    h->has_shape = true;
    while (!take(h, ')')) {
        if (h->dimensions == MAX_DIMENSIONS || !take_side(h, &h->shape[h->dimensions++])) {
            return wrong_head(h, "the sides of at most 8 dimensions, each below 2^30,", error);
        }
        if (!take(h, ',')) {
            return take(h, ')') ? VXE_OK : wrong_head(h, "',' or ')'", error);
        }
    }
    return VXE_OK;
}

static vxe_status take_value(head *h, const char *key, vxe_error *error)
{
    if (strcmp(key, "shape") == 0) {
        return take_shape(h, error);
    }
    if (strcmp(key, "descr") == 0) {
        return take_text(h, h->type, sizeof h->type)
                   ? VXE_OK
                   : wrong_head(h, "the type of one number (not of several)", error);
    }
    if (strcmp(key, "fortran_order") == 0) {
        h->has_order = true;
        h->by_columns = take_word(h, "True");
        return h->by_columns || take_word(h, "False") ? VXE_OK
                                                      : wrong_head(h, "True or False", error);
    }
    return vxe_error_fill(error, VXE_ERROR_INPUT,
                          "%s: its head has the key '%s'; expected descr, fortran_order and shape",
                          h->name, key);
}

static vxe_status parse_head(head *h, vxe_error *error)
{
    if (!take(h, '{')) {
        return wrong_head(h, "'{'", error);
    }
    while (!take(h, '}')) {
        char key[24] = "";
        if (!take_text(h, key, sizeof key) || !take(h, ':')) {
            return wrong_head(h, "a key in quotes and ':'", error);
        }
        if (take_value(h, key, error)) {
            return VXE_ERROR_INPUT;
        }
        if (!take(h, ',')) {
            if (!take(h, '}')) {
                return wrong_head(h, "',' or '}'", error);
            }
            break;
        }
    }
    if (!h->type[0] || !h->has_order || !h->has_shape) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "%s: its head lacks descr, fortran_order or shape", h->name);
    }
    return VXE_OK;
}

/* Reads a type such as <f8: order of bytes, kind, bytes of a number. */
static vxe_status read_type(vxe_npy *array, const head *h, vxe_error *error)
{
    const char *type = h->type;
    const char order = type[0];
    const char kind = order ? type[1] : '\0';
    const int bytes = kind && type[2] >= '1' && type[2] <= '8' && !type[3] ? type[2] - '0' : 0;
    const bool power = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    const bool known = (kind == 'b' && bytes == 1) || ((kind == 'i' || kind == 'u') && power) ||
                       (kind == 'f' && power && bytes > 1);
    if (!known || !(order == '<' || order == '>' || (order == '|' && bytes == 1))) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "%s has numbers of type '%s'; whole numbers of 1, 2, 4 or 8 bytes, "
                              "floats of 2, 4 or 8 and truth values can be read",
                              h->name, type);
    }
    array->kind = kind;
    array->bytes = (uint8_t)bytes;
    array->big_endian = order == '>';
    array->by_columns = h->by_columns;
    return VXE_OK;
}

/* Writes a shape as Python does: (5, 5). */
static const char *shape_text(const head *h, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "(");
    for (uint32_t i = 0; i < h->dimensions && used < size; i++) {
        used +=
            (size_t)snprintf(text + used, size - used, "%s%" PRIu64, i ? ", " : "", h->shape[i]);
    }
    if (used < size) {
        snprintf(text + used, size - used, ")");
    }
    return text;
}

/* Checks the shape, and that all numbers are there. */
static vxe_status place_numbers(vxe_npy *array, const head *h, const uint8_t *data, uint64_t size,
                                vxe_error *error)
{
    char text[160];
    if (h->dimensions != 2) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "%s has the shape %s; expected two dimensions", h->name,
                              shape_text(h, text, sizeof text));
    }
    array->rows = h->shape[0];
    array->columns = h->shape[1];
    VXE_ASSERT(array->rows < MAX_SIDE && array->columns < MAX_SIDE && array->bytes <= 8);
    const uint64_t numbers = array->rows * array->columns;
    if (numbers > size / array->bytes) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "%s is cut short: %" PRIu64
                              " bytes of numbers, the shape %s needs %" PRIu64 " numbers of %u",
                              h->name, size, shape_text(h, text, sizeof text), numbers,
                              array->bytes);
    }
    array->data = data;
    array->behind = size - numbers * array->bytes;
    return VXE_OK;
}

vxe_status vxe_npy_parse(vxe_npy *array, const uint8_t *bytes, uint64_t size, const char *name,
                         vxe_error *error)
{
    static const uint8_t magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    if (size < 12 || memcmp(bytes, magic, sizeof magic) != 0) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s is no array of numpy", name);
    }
    if ((bytes[6] != 1 && bytes[6] != 2) || bytes[7] != 0) {
        return vxe_error_fill(
            error, VXE_ERROR_INPUT,
            "%s is an array in version %u.%u of numpy's format; 1.0 and 2.0 can be "
            "read",
            name, bytes[6], bytes[7]);
    }
    const uint64_t begin = bytes[6] == 1 ? 10 : 12;
    const uint64_t length =
        bytes[8] | (uint64_t)bytes[9] << 8 |
        (bytes[6] == 1 ? 0 : (uint64_t)bytes[10] << 16 | (uint64_t)bytes[11] << 24);
    if (length > size - begin) {
        return vxe_error_fill(error, VXE_ERROR_INPUT, "%s is cut short in its head", name);
    }
    const char *text = (const char *)bytes + begin;
    head h = {.at = text, .end = text + length, .name = name};
    *array = (vxe_npy){0};
    vxe_status status = parse_head(&h, error);
    status = status ? status : read_type(array, &h, error);
    return status ? status
                  : place_numbers(array, &h, bytes + begin + length, size - begin - length, error);
}

/* The value of a float of 16 bits: sign, 5 bits of exponent, 10 of mantissa (IEEE 754). */
static double half_value(uint64_t bits)
{
    const int exponent = (int)(bits >> 10 & 31);
    const double mantissa = (double)(bits & 1023);
    const double sign = bits >> 15 ? -1 : 1;
    if (exponent == 31) {
        return mantissa > 0 ? (double)NAN : sign * (double)INFINITY;
    }
    return sign * (exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24));
}

static double float_value(uint64_t bits, uint8_t bytes)
{
    if (bytes == 2) {
        return half_value(bits);
    }
    if (bytes == 4) {
        const uint32_t low = (uint32_t)bits;
        float value = 0;
        memcpy(&value, &low, sizeof value);
        return (double)value;
    }
    double value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double vxe_npy_number(const vxe_npy *array, uint64_t row, uint64_t column)
{
    VXE_ASSERT(row < array->rows && column < array->columns);
    const uint64_t place =
        array->by_columns ? column * array->rows + row : row * array->columns + column;
    const uint8_t *from = array->data + place * array->bytes;
    uint64_t bits = 0;
    for (unsigned i = 0; i < array->bytes; i++) {
        bits |= (uint64_t)from[i] << 8 * (array->big_endian ? array->bytes - 1u - i : i);
    }
    const uint64_t sign = 1ull << (8u * array->bytes - 1);
    switch (array->kind) {
    case 'f':
        return float_value(bits, array->bytes);
    case 'b':
        return bits != 0;
    case 'i':
        return bits & sign ? -(double)(~bits & (sign - 1)) - 1 : (double)bits;
    default:
        return (double)bits;
    }
}
