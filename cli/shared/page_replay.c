/* SPDX-License-Identifier: MIT */
/* Advances a world from frame to frame, as the command `run` does, for a page. */
#include "cli/shared/page_replay.h"

#include <math.h>

vxe_status page_replay(vxe_page *page, const vxe_design *design, vxe_world *world,
                       const page_replay_def *def, double *fitness, vxe_error *error)
{
    vxe_trial *trial = vxe_trial_create(design, world, error);
    vxe_frame *frame =
        trial ? vxe_frame_create(design->voxel_count, design->affine_count, error) : NULL;
    vxe_status status = frame ? VXE_OK : error->status;
    const double step = vxe_world_describe(world).time_step;
    for (uint64_t k = 0; !status; k++) {
        const double now = vxe_world_time(world) + 1e-6 * step;
        if (now >= (double)k * def->interval || now >= def->end) {
            vxe_frame_take(frame, world);
            status = vxe_page_add(page, frame, error);
        }
        if (status || now >= def->end || vxe_trial_ended(trial) || (def->stop && def->stop())) {
            break;
        }
        const double next = fmin(def->end, (double)(k + 1) * def->interval);
        const double steps = ceil((next - now) / step);
        status = vxe_trial_advance(trial, steps > 1 ? (uint64_t)steps : 1, error);
    }
    if (fitness) {
        *fitness = status ? (double)NAN : vxe_trial_fitness(trial);
    }
    vxe_frame_destroy(frame);
    vxe_trial_destroy(trial);
    return status;
}
