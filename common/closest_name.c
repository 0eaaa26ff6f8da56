/* SPDX-License-Identifier: MIT */
/* Distance between words, by dynamic programming over their beginnings. */
#include "common/closest_name.h"

#include <string.h>

/* Longer words are not compared. */
#define MAX_LETTERS 64

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Edits from a to b; both have at most MAX_LETTERS letters. row[i]: from the beginnings of a, of
   every length, to the first letters of b. */
static unsigned distance(const char *a, const char *b)
{
    unsigned rows[3][MAX_LETTERS + 1];
    const size_t m = strlen(a);
    const size_t n = strlen(b);
    for (size_t j = 0; j <= n; j++) {
        unsigned *now = rows[j % 3];
        const unsigned *last = rows[(j + 2) % 3];
        const unsigned *before = rows[(j + 1) % 3];
        now[0] = (unsigned)j;
        for (size_t i = 1; i <= m; i++) {
            if (j == 0) {
                now[i] = (unsigned)i;
                continue;
            }
            const unsigned replaced = last[i - 1] + (a[i - 1] != b[j - 1]);
            now[i] = smaller(replaced, smaller(last[i], now[i - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                now[i] = smaller(now[i], before[i - 2] + 1);
            }
        }
    }
    return rows[n % 3][m];
}

const char *vxe_closest_name(const char *word, const char *(*name_at)(unsigned index))
{
    const char *nearest = NULL;
    const size_t letters = strlen(word);
    unsigned bound = (unsigned)letters / 3 + 1;
    for (unsigned i = 0; name_at(i) && letters <= MAX_LETTERS; i++) {
        if (strlen(name_at(i)) > MAX_LETTERS) {
            continue;
        }
        const unsigned edits = distance(word, name_at(i));
        if (edits < bound) {
            bound = edits;
            nearest = name_at(i);
        }
    }
    return nearest;
}
