/* SPDX-License-Identifier: MIT */
#include "cli/shared/frame_source.h"

#include "cli/shared/design_list.h"
#include "cli/shared/gallery.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static vxe_status open_record(frame_source *m, const char *path, vxe_error *error)
{
    m->record = vxe_vxr_open(path, error);
    if (!m->record) {
        return error->status;
    }
    m->design = vxe_vxr_design(m->record);
    m->count = vxe_vxr_frame_count(m->record);
    if (vxe_vxr_is_cut(m->record)) {
        fprintf(stderr, "voxelastic: %s is cut short or damaged: its first %" PRIu64 " frames\n",
                path, m->count);
    }
    return VXE_OK;
}

/* A world that has not begun to move tells how the voxels stand. */
static vxe_status take_rest(frame_source *m, vxe_error *error)
{
    const vxe_world_def def = vxe_world_def_default();
    vxe_world *world = vxe_world_create(m->design, &def, error);
    if (!world) {
        return error->status;
    }
    vxe_frame_take(m->frame, world);
    vxe_world_destroy(world);
    return VXE_OK;
}

vxe_status frame_source_open(frame_source *m, const char *path, vxe_error *error)
{
    vxe_status status = VXE_OK;
    *m = (frame_source){.count = 1};
    if (path_has_suffix(path, ".vxr")) {
        status = open_record(m, path, error);
    } else if (gallery_is_search(path)) {
        *error = (vxe_error){.status = VXE_ERROR_ARGUMENT};
        snprintf(error->message, sizeof error->message,
                 "%.200s: a search is shown alone, as a gallery: -o FILE.html", path);
        status = VXE_ERROR_ARGUMENT;
    } else {
        m->own = vxe_design_read(path, error);
        m->design = m->own;
        status = m->own ? VXE_OK : error->status;
    }
    if (!status && m->design) {
        m->frame = vxe_frame_create(m->design->voxel_count, m->design->affine_count, error);
        status = m->frame ? VXE_OK : error->status;
    }
    return status;
}

void frame_source_close(frame_source *m)
{
    vxe_frame_destroy(m->frame);
    vxe_vxr_destroy(m->record);
    vxe_design_destroy(m->own);
    *m = (frame_source){0};
}

vxe_status frame_source_read(frame_source *m, uint64_t index, vxe_error *error)
{
    return m->record ? vxe_vxr_read(m->record, index, m->frame, error) : take_rest(m, error);
}

bool frame_source_skips(frame_source *m, vxe_status status, const vxe_error *error)
{
    if (status != VXE_ERROR_INPUT || !m->record) {
        return false;
    }
    if (!m->warned) {
        char text[1400];
        fprintf(stderr, "voxelastic: %s: its frames are left out\n",
                vxe_error_text(error, text, sizeof text));
        m->warned = true;
    }
    return true;
}

uint64_t frame_source_nearest(frame_source *m, double time)
{
    uint64_t best = 0;
    double min = HUGE_VAL;
    vxe_error error;
    for (uint64_t i = 0; i < m->count; i++) {
        if (!frame_source_read(m, i, &error) && fabs(m->frame->time - time) < min) {
            min = fabs(m->frame->time - time);
            best = i;
        }
    }
    return best;
}
