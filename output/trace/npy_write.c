/* SPDX-License-Identifier: MIT */
/* Heads of arrays of numpy. */
#include "output/trace/npy_write.h"

#include <inttypes.h>
#include <string.h>

/* Bytes of a head, a multiple of 64 as numpy asks for, and of what stands before its text. */
enum { HEAD = 768, BEFORE = 10 };

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ORDER "<"
#else
#define ORDER ">"
#endif

void vxe_npy_write_head(FILE *stream, const char *const *names, int count, int whole, uint64_t rows,
                        uint64_t items)
{
    char text[HEAD - BEFORE + 1];
    const unsigned length = HEAD - BEFORE;
    int used = snprintf(text, sizeof text, "{'descr': [");
    for (int i = 0; i < count; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "('%s', '" ORDER "%s'), ",
                         names[i], i == whole ? "i8" : "f8");
    }
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "], 'fortran_order': False, 'shape': (%" PRIu64 ",", rows);
    used += items > 0 ? snprintf(text + used, sizeof text - (size_t)used, " %" PRIu64 "), }", items)
                      : snprintf(text + used, sizeof text - (size_t)used, "), }");
    memset(text + used, ' ', length - (size_t)used);
    text[length - 1] = '\n';
    fwrite("\x93NUMPY\x01\x00", 1, 8, stream);
    putc((int)(length & 0xff), stream);
    putc((int)(length >> 8), stream);
    fwrite(text, 1, length, stream);
}
