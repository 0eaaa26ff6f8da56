/* SPDX-License-Identifier: MIT */
/* Distance between words, by dynamic programming over their beginnings. */
#include "common/closest_name.h"

#include <stdio.h>
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

/* The only name that begins with a word and `_`; null where there are several, or none. */
static const char *longer_name(const char *word, vxe_name_at *name_at, const void *names)
{
    const char *longer = NULL;
    const size_t letters = strlen(word);
    for (unsigned i = 0; name_at(names, i); i++) {
        const char *name = name_at(names, i);
        if (strncmp(name, word, letters) == 0 && name[letters] == '_') {
            if (longer) {
                return NULL;
            }
            longer = name;
        }
    }
    return longer;
}

const char *vxe_closest_name(const char *word, vxe_name_at *name_at, const void *names)
{
    const char *nearest = NULL;
    const size_t letters = strlen(word);
    unsigned bound = (unsigned)letters / 3 + 1;
    for (unsigned i = 0; name_at(names, i) && letters <= MAX_LETTERS; i++) {
        const char *name = name_at(names, i);
        if (strlen(name) > MAX_LETTERS) {
            continue;
        }
        const unsigned edits = distance(word, name);
        if (edits < bound) {
            bound = edits;
            nearest = name;
        }
    }
    return nearest ? nearest : longer_name(word, name_at, names);
}

const char *vxe_name_in_list(const void *names, unsigned index)
{
    return ((const char *const *)names)[index];
}

const char *vxe_unknown_key(char *text, size_t size, const char *word, vxe_name_at *name_at,
                            const void *names)
{
    const char *nearest = vxe_closest_name(word, name_at, names);
    snprintf(text, size, "unknown key \"%.60s\"%s%s%s", word, nearest ? "; did you mean " : "",
             nearest ? nearest : "", nearest ? "?" : "");
    return nearest;
}
