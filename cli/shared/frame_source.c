/* SPDX-License-Identifier: MIT */
/* Frames of a record, or the one frame of a design at rest, for `voxelastic view`. */
#define _POSIX_C_SOURCE 200809L
#include "cli/shared/frame_source.h"

#include "cli/shared/design_list.h"
#include "cli/shared/gallery.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool frame_source_is_record(const char *path)
{
    char mark[8] = "";
    struct stat facts;
    const bool regular = stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
    const int file = regular ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    const bool read_it = file >= 0 && read(file, mark, sizeof mark) == (ssize_t)sizeof mark;
    if (file >= 0) {
        close(file);
    }
    return read_it && memcmp(mark, "VXELREC", 7) == 0;
}

static vxe_status open_record(frame_source *source, const char *path, vxe_error *error)
{
    source->record = vxe_vxr_open(path, error);
    if (!source->record) {
        return error->status;
    }
    source->design = vxe_vxr_design(source->record);
    source->count = vxe_vxr_frame_count(source->record);
    if (vxe_vxr_is_cut(source->record)) {
        fprintf(stderr,
                "voxelastic: %s is cut short or damaged: only its first %" PRIu64
                " frames are used\n",
                path, source->count);
    }
    return VXE_OK;
}

/* Takes the frame of a design at rest from a world that has not moved. */
static vxe_status take_rest(frame_source *source, vxe_error *error)
{
    const vxe_world_def def = vxe_world_def_default();
    vxe_world *world = vxe_world_create(source->design, &def, error);
    if (!world) {
        vxe_error_name_file(error, source->path);
        return error->status;
    }
    vxe_frame_take(source->frame, world);
    vxe_world_destroy(world);
    return VXE_OK;
}

vxe_status frame_source_open(frame_source *source, const char *path, vxe_error *error)
{
    vxe_status status = VXE_OK;
    *source = (frame_source){.path = path, .count = 1};
    if (path_has_suffix(path, ".vxr") || frame_source_is_record(path)) {
        status = open_record(source, path, error);
    } else if (gallery_is_search(path)) {
        *error = (vxe_error){.status = VXE_ERROR_ARGUMENT};
        snprintf(error->message, sizeof error->message,
                 "%.200s: a search can only be shown alone, as a gallery: -o FILE.html", path);
        status = VXE_ERROR_ARGUMENT;
    } else {
        source->owned = vxe_design_read(path, error);
        source->design = source->owned;
        status = source->owned ? VXE_OK : error->status;
    }
    if (!status && source->design) {
        source->frame =
            vxe_frame_create(source->design->voxel_count, source->design->affine_count, error);
        status = source->frame ? VXE_OK : error->status;
    }
    return status;
}

void frame_source_close(frame_source *source)
{
    vxe_frame_destroy(source->frame);
    vxe_vxr_destroy(source->record);
    vxe_design_destroy(source->owned);
    *source = (frame_source){0};
}

vxe_status frame_source_read(frame_source *source, uint64_t index, vxe_error *error)
{
    return source->record ? vxe_vxr_read(source->record, index, source->frame, error)
                          : take_rest(source, error);
}

bool frame_source_skips(frame_source *source, vxe_status status, const vxe_error *error)
{
    if (status != VXE_ERROR_INPUT || !source->record) {
        return false;
    }
    if (!source->warned) {
        char text[VXE_ERROR_TEXT];
        fprintf(stderr, "voxelastic: %s: frames of this block are left out\n",
                vxe_error_text(error, text, sizeof text));
        source->warned = true;
    }
    return true;
}

uint64_t frame_source_nearest(frame_source *source, double time)
{
    uint64_t best = 0;
    double min = HUGE_VAL;
    vxe_error error;
    for (uint64_t i = 0; i < source->count; i++) {
        if (!frame_source_read(source, i, &error) && fabs(source->frame->time - time) < min) {
            min = fabs(source->frame->time - time);
            best = i;
        }
    }
    return best;
}
