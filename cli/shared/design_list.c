/* SPDX-License-Identifier: MIT */
/* Collects the design files that a command's arguments stand for. */
#define _DEFAULT_SOURCE
#include "cli/shared/design_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <voxelastic/voxelastic.h>

#include "cli/command.h"

bool path_has_suffix(const char *path, const char *suffix)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, suffix) == 0;
}

/* Appends folder/name (the folder may be empty). Returns 0 or an exit status. */
static int append(design_list *list, const char *folder, const char *name)
{
    if (list->count == list->capacity) {
        const uint32_t capacity = list->capacity ? 2 * list->capacity : 64;
        char **paths = realloc(list->paths, capacity * sizeof *paths);
        if (!paths) {
            return command_starved();
        }
        list->paths = paths;
        list->capacity = capacity;
    }
    const size_t length = strlen(folder);
    const char *slash = length && folder[length - 1] != '/' ? "/" : "";
    const size_t size = length + strlen(slash) + strlen(name) + 1;
    char *path = malloc(size);
    if (!path) {
        return command_starved();
    }
    snprintf(path, size, "%s%s%s", folder, slash, name);
    list->paths[list->count++] = path;
    return 0;
}

static bool is_same_file(const struct stat *facts, const char *path)
{
    struct stat other;
    return path && stat(path, &other) == 0 && other.st_dev == facts->st_dev &&
           other.st_ino == facts->st_ino;
}

/* True where a folder's entry has the name of a design. Hidden files are leftovers of editors and
   systems. */
static int is_named_like_design(const struct dirent *entry)
{
    return vxe_design_is_readable(entry->d_name) && entry->d_name[0] != '.';
}

/* Compares bytes, so that the order is the same in every locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Drops the last path where it is a folder, or the file that will be written. */
static void drop_if_no_design(design_list *list, const char *output)
{
    struct stat facts;
    char *path = list->paths[list->count - 1];
    if (stat(path, &facts) == 0 && (S_ISDIR(facts.st_mode) || is_same_file(&facts, output))) {
        free(path);
        list->count--;
    }
}

/* Appends the design files of a folder. Returns 0 or an exit status. */
static int collect_folder(design_list *list, const char *command, const char *folder,
                          const char *output)
{
    struct dirent **entries = NULL;
    const int found = scandir(folder, &entries, is_named_like_design, by_name);
    if (found < 0) {
        vxe_error error = {.status = VXE_ERROR_SYSTEM};
        snprintf(error.message, sizeof error.message, "cannot list: %s", strerror(errno));
        snprintf(error.file, sizeof error.file, "%s", folder);
        return command_fail(&error);
    }
    const uint32_t before = list->count;
    int status = 0;
    bool overlays = false; /* with overlays (.vxd), base.vxa is their base and not a robot */
    for (int i = 0; i < found; i++) {
        const size_t length = strlen(entries[i]->d_name);
        overlays = overlays || (length > 4 && strcmp(entries[i]->d_name + length - 4, ".vxd") == 0);
    }
    for (int i = 0; i < found; i++) {
        const bool is_base = overlays && strcmp(entries[i]->d_name, "base.vxa") == 0;
        if (!status && !is_base) {
            status = append(list, folder, entries[i]->d_name);
        }
        if (!status && !is_base) {
            drop_if_no_design(list, output);
        }
        free(entries[i]);
    }
    free(entries);
    if (!status && list->count == before) {
        return command_misused(
            command, "no design file (.vxa, .vxc, .vxd, .json, .vox, .npy, .npz) in the folder %s",
            folder);
    }
    return status;
}

int design_list_collect(design_list *list, const char *command, int count, char **words,
                        const char *output)
{
    int status = 0;
    for (int i = 0; i < count && !status; i++) {
        struct stat facts;
        const bool exists = stat(words[i], &facts) == 0;
        if (exists && S_ISDIR(facts.st_mode)) {
            status = collect_folder(list, command, words[i], output);
        } else if (exists && is_same_file(&facts, output)) {
            status = command_misused(command, "the output %s is one of the designs", output);
        } else if (!exists && !vxe_design_is_readable(words[i])) {
            vxe_error error = {.status = VXE_ERROR_SYSTEM,
                               .message = "no such file or folder, and no name of a design"};
            snprintf(error.file, sizeof error.file, "%s", words[i]);
            status = command_fail(&error);
        } else {
            status = append(list, "", words[i]);
        }
    }
    return status;
}

void design_list_clear(design_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        free(list->paths[i]);
    }
    free(list->paths);
    *list = (design_list){0};
}
