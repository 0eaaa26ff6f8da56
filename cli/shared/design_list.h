/* SPDX-License-Identifier: MIT */
/* Turns the arguments of a command into design files: a file stands for itself, a folder for the
   design files in it, by name. */
#ifndef VXE_CLI_SHARED_DESIGN_LIST_H
#define VXE_CLI_SHARED_DESIGN_LIST_H

#include <stdbool.h>
#include <stdint.h>

typedef struct design_list {
    char **paths; /* (count) */
    uint32_t count;
    uint32_t capacity;
} design_list;

/* Appends the files that `count` words stand for. output (may be null) is a file that will be
   written, so it is not taken for a design. Returns 0, or an exit status after a message. */
int design_list_collect(design_list *list, const char *command, int count, char **words,
                        const char *output);

void design_list_clear(design_list *list);

/* True where path has this ending (with its dot), in upper or lower case. */
bool path_has_suffix(const char *path, const char *suffix);

#endif
