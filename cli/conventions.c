/* SPDX-License-Identifier: MIT */
/* voxelastic conventions: lists the compatibility presets and the switches that change one of their
   choices. */
#include <stdio.h>
#include <string.h>
#include <voxelastic/voxelastic.h>

#include "cli/command.h"

int command_conventions(int count, char **words)
{
    if (count > 1 && (strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0)) {
        puts("usage: voxelastic conventions\n\nLists what --conventions takes: a preset, and "
             "switches behind it: native+floor_pulls.");
        return EXIT_OK;
    }
    if (count > 1) {
        return command_misused("conventions", "'%s': it takes no arguments", words[1]);
    }
    puts("presets:\n  auto                 the one that the file was written for");
    for (unsigned i = 0; vxe_conventions_at(i); i++) {
        printf("  %-20s %s\n", vxe_conventions_at(i)->name, vxe_conventions_at(i)->summary);
    }
    puts("switches, behind a preset and a +, as in native+floor_pulls:");
    for (unsigned i = 0; vxe_convention_switch_at(i); i++) {
        printf("  %-20s %s\n", vxe_convention_switch_at(i)->name,
               vxe_convention_switch_at(i)->summary);
    }
    return EXIT_OK;
}
