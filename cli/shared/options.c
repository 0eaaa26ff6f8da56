/* SPDX-License-Identifier: MIT */
/* getopt_long with messages of our own. */
#include "cli/shared/options.h"

#include <stdio.h>
#include <string.h>
#include <voxelastic/voxelastic.h>

#include "cli/command.h"

enum { LONGEST_OPTION = 64, MAX_LETTERS = 32 };

static const char *row_name(const void *rows, unsigned index)
{
    return ((const struct option *)rows)[index].name;
}

/* Says that a word is no option, or may be one of several. */
static void refuse_unknown(const char *command, const char *word, const struct option *rows)
{
    char name[LONGEST_OPTION];
    const size_t length = strcspn(word, "=");
    const char *fits[2] = {NULL, NULL};
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    for (int i = 0; rows[i].name; i++) {
        if (strncmp(rows[i].name, name, strlen(name)) == 0) {
            fits[fits[0] != NULL] = rows[i].name;
        }
    }
    const char *meant = vxe_closest_name(name, row_name, rows);
    if (fits[1]) {
        command_misused(command, "option '--%s' may be --%s or --%s", name, fits[0], fits[1]);
    } else if (meant) {
        command_misused(command, "unknown option '--%s': did you mean --%s?", name, meant);
    } else {
        command_misused(command, "unknown option '--%s'", name);
    }
}

int options_next(const char *command, int count, char **words, const char *letters,
                 const struct option *rows)
{
    char all[MAX_LETTERS];
    const size_t ordered = letters[0] == '-'; /* words that are no options come as values, too */
    snprintf(all, sizeof all, "%.*s:%s", (int)ordered, letters, letters + ordered);
    opterr = 0;
    const int option = getopt_long(count, words, all, rows, NULL);
    const char *word = optind > 0 && optind <= count ? words[optind - 1] : "";
    if (option == ':') {
        command_misused(command, "option '%s' needs a value", word);
        return '?';
    }
    if (option == '?' && optopt == 0) {
        refuse_unknown(command, word + strspn(word, "-"), rows);
    } else if (option == '?' && strncmp(word, "--", 2) == 0) {
        command_misused(command, "option '%.*s' takes no value", (int)strcspn(word, "="), word);
    } else if (option == '?') {
        command_misused(command, "unknown option '-%c'", optopt);
    }
    return option;
}
