/* SPDX-License-Identifier: MIT */
/* Prints records, histories and result files for `voxelastic info`. */
#include "cli/info_records.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <voxelastic/voxelastic.h>

#include "cli/command.h"
#include "cli/shared/design_list.h"

bool is_history(const char *path)
{
    return path_has_suffix(path, ".history") || path_has_suffix(path, ".hist");
}

bool is_result(const char *path)
{
    return path_has_suffix(path, ".xml") || path_has_suffix(path, ".vxr");
}

int info_record(const char *path)
{
    vxe_error error;
    vxe_vxr *record = vxe_vxr_open(path, &error);
    if (!record) {
        return command_fail(&error);
    }
    const vxe_design *design = vxe_vxr_design(record);
    const uint64_t count = vxe_vxr_frame_count(record);
    vxe_frame *frame = vxe_frame_create(design->voxel_count, design->affine_count, &error);
    vxe_status status = frame ? vxe_vxr_read(record, 0, frame, &error) : error.status;
    const uint64_t first_step = frame ? frame->step : 0;
    const double first_time = frame ? frame->time : 0;
    status = status ? status : vxe_vxr_read(record, count - 1, frame, &error);
    if (!status && frame) {
        printf("record of %" PRIu64 " frames, steps %" PRIu64 " to %" PRIu64 ", %.6g to %.6g s%s\n",
               count, first_step, frame->step, first_time, frame->time,
               vxe_vxr_is_cut(record) ? "; cut short or damaged at its end" : "");
        printf("%s: ", design->name);
        if (design->voxel_count > 0) {
            printf("%" PRIu32 " voxels of %.6g m, ", design->voxel_count, design->voxel_size);
        }
        if (design->affine_count > 0) {
            printf("%" PRIu32 " affine bod%s, ", design->affine_count,
                   design->affine_count == 1 ? "y" : "ies");
        }
        printf("places to %.2g m\n", vxe_vxr_resolution(record));
    }
    vxe_frame_destroy(frame);
    vxe_vxr_destroy(record);
    return status ? command_fail(&error) : EXIT_OK;
}

/* Computes the mean position of a frame's voxels. */
static void middle_of(const vxe_history_reader *r, const vxe_recorded_frame *frame,
                      double middle[3])
{
    for (int c = 0; c < 3; c++) {
        middle[c] = 0;
        for (uint64_t i = 0; i < frame->voxels; i++) {
            middle[c] += r->voxels[frame->first_voxel + i].place[c] / (double)frame->voxels;
        }
    }
}

int info_history(const char *path)
{
    vxe_error error;
    vxe_history_reader *r = vxe_history_reader_read(path, &error);
    if (!r) {
        return command_fail(&error);
    }
    const vxe_recorded_frame *first = &r->frames[0];
    const vxe_recorded_frame *last = &r->frames[r->frame_count - 1];
    double start[3];
    double end[3];
    middle_of(r, first, start);
    middle_of(r, last, end);
    printf("recording of %" PRIu64 " frames, steps %" PRIu64 " to %" PRIu64 ", %.6g to %.6g s\n",
           r->frame_count, first->number, last->number, first->time, last->time);
    printf("%" PRIu64 " voxels on the surface at first, %" PRIu64 " at last, %" PRIu64
           " bonds at last; voxel size %.6g m, %" PRIu32 " colours\n",
           first->voxels, last->voxels, last->bonds, r->voxel_size, r->color_count);
    if (first->voxels > 0 && last->voxels > 0) {
        printf("their centre moves from (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) m, %.6g m "
               "horizontally\n",
               start[0], start[1], start[2], end[0], end[1], end[2],
               hypot(end[0] - start[0], end[1] - start[1]));
    }
    if (r->left_out > 0) {
        printf("note: %" PRIu64 " voxels, bonds, frames or settings could not be read\n",
               r->left_out);
    }
    vxe_history_reader_destroy(r);
    return EXIT_OK;
}

static void print_results(const vxe_scores *a, const vxe_scores *b)
{
    const char *robot = "";
    for (uint32_t i = 0; i < a->count; i++) {
        const vxe_score_entry *e = &a->entries[i];
        if (strcmp(e->robot, robot) != 0) {
            robot = e->robot;
            printf("%s\n", robot);
        }
        printf("  %-36s %16.9g", e->tag, e->value);
        if (b) {
            const double other = vxe_scores_find(b, e->robot, e->tag, (double)NAN);
            printf(" %16.9g %12.3g", other, other - e->value);
        }
        putchar('\n');
    }
}

int info_results(const char *path, const char *other)
{
    vxe_error error;
    vxe_scores *a = vxe_scores_read(path, &error);
    vxe_scores *b = a && other ? vxe_scores_read(other, &error) : NULL;
    int status = EXIT_OK;
    if (!a || (other && !b)) {
        status = command_fail(&error);
    } else {
        if (b) {
            printf("%s\nbeside %s: values and differences; nan: missing there\n", path, other);
        }
        print_results(a, b);
    }
    vxe_scores_destroy(a);
    vxe_scores_destroy(b);
    return status;
}
