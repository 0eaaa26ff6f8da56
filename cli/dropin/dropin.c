/* SPDX-License-Identifier: MIT */
/* The list of drop-in programs and their names. */
#include "cli/dropin/dropin.h"

#include <string.h>

static const struct {
    const char *name;
    dropin_program *run;
} programs[] = {{"voxelyze", dropin_voxelyze},
                {"voxelyze-land-water", dropin_voxelyze},
                {"voxelyze-recorg", dropin_voxelyze},
                {"voxcraft-sim", dropin_voxcraft},
                {"vx3_node_worker", dropin_voxcraft}};

dropin_program *dropin_find(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        if (strcmp(base, programs[i].name) == 0) {
            *name = programs[i].name;
            return programs[i].run;
        }
    }
    return NULL;
}
