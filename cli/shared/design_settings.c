/* SPDX-License-Identifier: MIT */
/* Values of a design that a command line sets. */
#define _POSIX_C_SOURCE 200809L
#include "cli/shared/design_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"

/* Makes room for one more. Returns false without memory. */
static bool make_room(design_settings *settings)
{
    vxe_setting *list = realloc(settings->list, (settings->count + 1) * sizeof *list);
    settings->list = list ? list : settings->list;
    return list;
}

int design_settings_add(design_settings *settings, const char *command, const char *option,
                        const char *text)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        return command_misused(command, "--%s '%s': expected KEY=VALUE, with a key of a scene",
                               option, text);
    }
    char *key = strndup(text, (size_t)(equals - text));
    if (!key || !make_room(settings)) {
        free(key);
        return command_starved();
    }
    settings->list[settings->count++] = (vxe_setting){.key = key, .value = equals + 1};
    return 0;
}

void design_settings_clear(design_settings *settings)
{
    for (uint32_t i = 0; i < settings->count; i++) {
        free((char *)(uintptr_t)settings->list[i].key);
    }
    free(settings->list);
    *settings = (design_settings){0};
}

vxe_status design_settings_apply(const design_settings *settings, const char *from,
                                 vxe_design *design, vxe_error *error)
{
    if (settings->count == 0) {
        return VXE_OK;
    }
    const vxe_status status = vxe_design_set(design, settings->list, settings->count, error);
    if (status == VXE_ERROR_INPUT || status == VXE_ERROR_ARGUMENT) {
        const vxe_error inner = *error;
        snprintf(error->message, sizeof error->message, "%s: %.*s", from,
                 (int)sizeof error->message - 40, inner.message);
    }
    return status;
}
