/* SPDX-License-Identifier: MIT */
/* Writes free text, such as names of robots, into XML and HTML: markup is escaped, and bytes that
   are not UTF-8 are replaced, since parsers refuse a whole file because of one. */
#include "common/markup.h"

#include <string.h>

#include "common/assert_internal.h"

size_t vxe_markup_character(const char *text)
{
    VXE_ASSERT(text);
    const unsigned char first = (unsigned char)*text;
    if (first < 0x80) {
        return first >= 0x20 && first != 0x7f;
    }
    const size_t length = first >= 0xc2 && first < 0xe0   ? 2
                          : first >= 0xe0 && first < 0xf0 ? 3
                          : first >= 0xf0 && first < 0xf5 ? 4
                                                          : 0;
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

void vxe_markup_put(FILE *stream, const char *text)
{
    static const char marks[] = "<>&\"";
    static const char *const words[] = {"&lt;", "&gt;", "&amp;", "&quot;"};
    VXE_ASSERT(stream && text);
    _Static_assert(sizeof marks - 1 == sizeof words / sizeof words[0], "one word for each mark");
    while (*text) {
        const size_t length = vxe_markup_character(text);
        const char *mark = strchr(marks, *text);
        if (mark) {
            fputs(words[mark - marks], stream);
        } else if (length > 0) {
            fwrite(text, 1, length, stream);
        } else {
            fputc('?', stream);
        }
        text += length > 0 ? length : 1;
    }
}
