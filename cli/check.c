/* SPDX-License-Identifier: MIT */
/* voxelastic check: tells in one line per design whether it can be read and compiled. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"

#include <voxelastic/voxelastic.h>

/* Refuses a design for each key that no reader knows. Returns 0 or an exit status. */
static int check_keys(const char *path, const vxe_design *design)
{
    int status = EXIT_OK;
    for (uint32_t i = 0; i < vxe_design_note_count(design); i++) {
        if (vxe_design_note_is_mistake(design, i)) {
            vxe_error error = {.status = VXE_ERROR_INPUT};
            snprintf(error.message, sizeof error.message, "%s", vxe_design_note(design, i));
            status = command_fail_of(path, &error);
        }
    }
    return status;
}

/* Checks one design. Returns 0 or an exit status. */
static int check_one(const char *path)
{
    vxe_error error;
    vxe_design *design = vxe_design_read(path, &error);
    const vxe_world_def def = vxe_world_def_default();
    vxe_world *world = design ? vxe_world_create(design, &def, &error) : NULL;
    int status = design ? check_keys(path, design) : EXIT_OK;
    if (!world) {
        status = command_fail_of(path, &error);
    } else if (status == EXIT_OK) {
        const uint32_t notes = vxe_design_note_count(design) + vxe_world_warning_count(world);
        printf("%s: ok, %u voxels, %u note%s\n", path, vxe_world_describe(world).voxels, notes,
               notes == 1 ? "" : "s");
        for (uint32_t i = 0; i < vxe_world_warning_count(world); i++) {
            printf("  warning: %s\n", vxe_world_warning(world, i));
        }
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return status;
}

int command_check(int count, char **words)
{
    if (count > 1 && (strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0)) {
        puts("usage: voxelastic check DESIGN...\n\nReads and compiles each design; says ok, or "
             "what is wrong and where.\nA key of a scene that is not known is an error.\n"
             "'voxelastic info' lists the notes.");
        return EXIT_OK;
    }
    if (count < 2) {
        return command_misused("check", "which designs?");
    }
    int worst = EXIT_OK;
    for (int i = 1; i < count; i++) {
        if (words[i][0] == '-') {
            return command_misused("check", "unknown option '%s'", words[i]);
        }
        const int status = check_one(words[i]);
        worst = worst ? worst : status;
    }
    return worst;
}
