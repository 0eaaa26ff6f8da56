/* SPDX-License-Identifier: MIT */
/* The option --set KEY=VALUE: values of a design, by their keys in a scene. */
#ifndef VXE_CLI_SHARED_DESIGN_SETTINGS_H
#define VXE_CLI_SHARED_DESIGN_SETTINGS_H

#include <voxelastic/voxelastic.h>

typedef struct design_settings {
    vxe_setting *list; /* (count) with keys of their own */
    uint32_t count;
} design_settings;

/* Takes KEY=VALUE, of which the value stays the caller's. Returns 0, or an exit status after a
   message. option: without its dashes. */
int design_settings_add(design_settings *settings, const char *command, const char *option,
                        const char *text);

void design_settings_clear(design_settings *settings);

/* Changes a design by settings; messages begin with `from`, the options that they came by. */
vxe_status design_settings_apply(const design_settings *settings, const char *from,
                                 vxe_design *design, vxe_error *error);

/* Help for the option. */
#define DESIGN_SETTINGS_HELP                                                                       \
    "  --set KEY=VALUE      a value of the design by its key in a scene, as often as you like:\n"  \
    "                       gravity_m_per_s2=[0,0,-3.7], materials.*.dynamic_friction=0.3;\n"      \
    "                       null takes it out\n"

#endif
