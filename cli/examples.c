/* SPDX-License-Identifier: MIT */
/* voxelastic examples: lists commands to try with the designs and experiments that come with the
   program. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/shared/installed.h"
#include "cli/shared/options.h"

static const char *const help =
    "usage: voxelastic examples\n\n"
    "Lists commands to try with the designs and experiments that come with Voxelastic, ready to\n"
    "paste. VOXELASTIC_ASSETS names another folder of them.\n";

static const struct option long_options[] = {{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};

static const installed_file list_file = {"VOXELASTIC_ASSETS", VXE_ASSETS_FROM_PROGRAM,
                                         VXE_ASSETS_OF_SOURCE, "examples.txt"};

/* Prints one line of the list: a command, then " | ", then what the example shows. Words of the
   command that are files of the folder are printed with it, but for those behind an option, which
   are to be written. */
static void print_line(const char *folder, char *line)
{
    char *bar = strstr(line, " | ");
    char *rest = NULL;
    if (!bar) {
        return;
    }
    *bar = '\0';
    bar[strcspn(bar + 3, "\n") + 3] = '\0';
    printf("%s:\n  voxelastic", bar + 3);
    bool is_value = false;
    for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char path[INSTALLED_PATH + 1024];
        snprintf(path, sizeof path, "%s/%s", folder, word);
        printf(" %s", !is_value && access(path, R_OK) == 0 ? path : word);
        is_value = word[0] == '-';
    }
    putchar('\n');
}

int command_examples(int count, char **words)
{
    char folder[INSTALLED_PATH];
    char line[1024];
    const int option = options_next("examples", count, words, "h", long_options);
    if (option == 'h') {
        printf("%s", help);
        return EXIT_OK;
    }
    if (option == '?') {
        return EXIT_USAGE;
    }
    if (optind < count) {
        return command_misused("examples", "no arguments expected");
    }
    FILE *list = installed_open(&list_file, folder);
    if (!list) {
        vxe_error error = {.status = VXE_ERROR_SYSTEM,
                           .message = "no examples found; set VOXELASTIC_ASSETS to their folder"};
        if (errno == ENOMEM) {
            (void)command_no_memory(&error);
        }
        return command_fail(&error);
    }
    *strrchr(folder, '/') = '\0';
    while (fgets(line, sizeof line, list)) {
        print_line(folder, line);
    }
    fclose(list);
    return EXIT_OK;
}
