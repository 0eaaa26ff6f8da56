/* SPDX-License-Identifier: MIT */
#include "cli/shared/studio_page.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/shared/installed.h"

static const installed_file page_file = {"VOXELASTIC_STUDIO", VXE_SHARE_FROM_PROGRAM,
                                         VXE_STUDIO_OF_BUILD, "studio.html"};

/* Reads the rest of a stream, with a zero byte behind it. Null, and error filled, on failure. */
static char *read_all(FILE *stream, vxe_error *error)
{
    uint64_t capacity = 1 << 20;
    uint64_t size = 0;
    char *text = vxe_memory_take(capacity, 1);
    while (text) {
        size += fread(text + size, 1, (size_t)(capacity - 1 - size), stream);
        if (size < capacity - 1) {
            break;
        }
        char *more = vxe_memory_grow(text, capacity, 2 * capacity, 1);
        if (!more) {
            vxe_memory_release(text);
        }
        text = more;
        capacity *= 2;
    }
    if (!text) {
        (void)command_no_memory(error);
    } else if (ferror(stream)) {
        *error = (vxe_error){.status = VXE_ERROR_SYSTEM, .message = "cannot be read"};
        vxe_memory_release(text);
        return NULL;
    }
    return text;
}

char *studio_page_read(vxe_error *error)
{
    char path[INSTALLED_PATH];
    FILE *stream = installed_open(&page_file, path);
    if (!stream && errno == ENOMEM) {
        (void)command_no_memory(error);
        return NULL;
    }
    if (!stream) {
        *error = (vxe_error){.status = VXE_ERROR_SYSTEM};
        snprintf(error->message, sizeof error->message,
                 "this build has no studio, which needs clang for WebAssembly (web/README.md); "
                 "VOXELASTIC_STUDIO names the folder of a studio.html from elsewhere");
        return NULL;
    }
    char *page = read_all(stream, error);
    fclose(stream);
    if (page && !strstr(page, STUDIO_BODY)) {
        *error = (vxe_error){.status = VXE_ERROR_INPUT, .message = "is no studio"};
        vxe_memory_release(page);
        page = NULL;
    }
    vxe_error_name_file(error, path);
    return page;
}

/* The page; null without an error where this build has none. */
static char *read_if_there(vxe_error *error)
{
    vxe_error inner = {.status = VXE_OK};
    char *page = studio_page_read(&inner);
    *error = (vxe_error){.status = VXE_OK};
    if (!page && inner.status == VXE_ERROR_MEMORY) {
        *error = inner;
    }
    return page;
}

vxe_status studio_page_give(vxe_page *page, vxe_error *error)
{
    char *html = read_if_there(error);
    const vxe_status status =
        html ? vxe_page_put_studio(page, html, strlen(html), error) : error->status;
    vxe_memory_release(html);
    return status;
}

vxe_status studio_page_give_recorder(vxe_recorder *recorder, vxe_error *error)
{
    char *html = read_if_there(error);
    const vxe_status status =
        html ? vxe_recorder_put_studio(recorder, html, strlen(html), error) : error->status;
    vxe_memory_release(html);
    return status;
}
