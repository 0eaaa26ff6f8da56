/* SPDX-License-Identifier: MIT */
/* The design files that a command's arguments mean: files as they are named, folders as the design
   files in them, in the order of their names. */
#ifndef VXE_CLI_SHARED_DESIGN_LIST_H
#define VXE_CLI_SHARED_DESIGN_LIST_H

#include <stdbool.h>
#include <stdint.h>

typedef struct design_list {
    char **paths; /* (count) */
    uint32_t count;
    uint32_t capacity;
} design_list;

/* Appends what count words mean. output, where not null, is a file that will be written: it is no
   design, even if it lies among them. Returns 0, or an exit status after a message. */
int design_list_collect(design_list *list, const char *command, int count, char **words,
                        const char *output);

void design_list_clear(design_list *list);

/* Whether path ends in suffix (with its dot), in any case of letters. */
bool path_has_suffix(const char *path, const char *suffix);

#endif
