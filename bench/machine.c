/* SPDX-License-Identifier: MIT */
/* See machine.h. Linux describes its processors in /proc/cpuinfo, with "key : value" on each line.
 */
#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define PROCESSORS "/proc/cpuinfo"

/* The value in a line with that key, or null. */
static const char *value_of(const char *line, const char *key)
{
    const char *colon = strchr(line, ':');
    if (strncmp(line, key, strlen(key)) != 0 || !colon) {
        return NULL;
    }
    return colon + 1 + strspn(colon + 1, " \t");
}

const char *machine_processor(void)
{
    static char name[128];
    char line[512];
    FILE *file = fopen(PROCESSORS, "r");
    while (file && !name[0] && fgets(line, sizeof line, file)) {
        const char *value = value_of(line, "model name");
        if (value) {
            snprintf(name, sizeof name, "%.*s", (int)strcspn(value, "\n"), value);
        }
    }
    if (file) {
        fclose(file);
    }
    return name[0] ? name : "unknown";
}

unsigned machine_logical_processors(void)
{
    unsigned count = 0;
    char line[512];
    FILE *file = fopen(PROCESSORS, "r");
    while (file && fgets(line, sizeof line, file)) {
        count += value_of(line, "processor\t") != NULL;
    }
    if (file) {
        fclose(file);
    }
    return count;
}

const char *machine_compiler(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown";
#endif
}

const char *machine_date(void)
{
    static char text[32];
    const time_t now = time(NULL);
    const struct tm *utc = gmtime(&now);
    if (!utc || strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", utc) == 0) {
        return "unknown";
    }
    return text;
}
