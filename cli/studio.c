/* SPDX-License-Identifier: MIT */
/* voxelastic studio: writes the studio, a page, with a design in it. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/shared/options.h"
#include "cli/shared/studio_page.h"

#include <voxelastic/voxelastic.h>

static const char *const help =
    "usage: voxelastic studio [DESIGN] -o FILE.html\n\n"
    "Writes the studio: a page that opens in any browser, without a network and from disk, in\n"
    "which robots are drawn, played with, and shared. DESIGN (.vxa .vxc .vxd .json .vox .npy "
    ".npz)\n"
    "is in it when it opens; without, it opens empty.\n\n"
    "  -o, --output FILE.html  the page\n\n"
    "What is done to a robot there can be saved as a session, which 'voxelastic run --session'\n"
    "replays to the bit.\n";

/* Writes a scene as an element. A tag within its texts must not end it. */
static void put_design(FILE *out, const char *scene)
{
    fputs("\n<script type=\"application/json\" id=\"design\">", out);
    for (; *scene; scene++) {
        if (*scene == '<') {
            fputs("\\u003c", out);
        } else {
            fputc(*scene, out);
        }
    }
    fputs("</script>", out);
}

static vxe_status write_page(const char *page, const char *scene, const char *path,
                             vxe_error *error)
{
    vxe_file_writer writer;
    const vxe_status status = vxe_file_begin(&writer, path, error);
    if (status) {
        return status;
    }
    const char *body = strstr(page, STUDIO_BODY) + strlen(STUDIO_BODY);
    fwrite(page, 1, (size_t)(body - page), writer.stream);
    if (scene) {
        put_design(writer.stream, scene);
    }
    fputs(body, writer.stream);
    return vxe_file_commit(&writer, error);
}

/* The text of the design at path. Null, and error filled, on failure. */
static char *read_scene(const char *path, vxe_error *error)
{
    vxe_design *design = vxe_design_read(path, error);
    char *scene = design ? vxe_design_text(design, NULL, error) : NULL;
    for (uint32_t i = 0; scene && i < vxe_design_note_count(design); i++) {
        fprintf(stderr, "voxelastic: note: %s\n", vxe_design_note(design, i));
    }
    vxe_design_destroy(design);
    return scene;
}

/* Returns -1 to go on, else an exit status. */
static int parse(int count, char **words, const char **design, const char **out)
{
    static const struct option names[] = {{"output", required_argument, NULL, 'o'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    for (int option = 0; (option = options_next("studio", count, words, "o:h", names)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return EXIT_OK;
        }
        if (option != 'o') {
            return EXIT_USAGE;
        }
        *out = optarg;
    }
    if (!*out) {
        return command_misused("studio", "where to? -o FILE.html");
    }
    const size_t length = strlen(*out);
    if (length < 6 || strcmp(*out + length - 5, ".html") != 0) {
        return command_misused("studio", "-o '%s': expected a name in .html", *out);
    }
    if (optind + 1 < count) {
        return command_misused("studio", "one design at a time");
    }
    *design = optind < count ? words[optind] : NULL;
    return -1;
}

int command_studio(int count, char **words)
{
    const char *path = NULL;
    const char *out = NULL;
    const int ended = parse(count, words, &path, &out);
    if (ended >= 0) {
        return ended;
    }
    vxe_error error = {.status = VXE_OK};
    char *scene = path ? read_scene(path, &error) : NULL;
    if (path && !scene) {
        return command_fail_of(path, &error);
    }
    char *page = studio_page_read(&error);
    const vxe_status status = page ? write_page(page, scene, out, &error) : error.status;
    if (!status) {
        printf("%s: the studio%s%s; open it in a browser\n", out, path ? " with " : "",
               path ? path : "");
    }
    vxe_memory_release(page);
    vxe_memory_release(scene);
    return status ? command_fail(&error) : EXIT_OK;
}
