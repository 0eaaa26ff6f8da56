/* SPDX-License-Identifier: MIT */
/* Contacts of a body at the start of a step: lists that are no longer complete are made again, then
   the loads are computed that the first kick of the step adds to those of bonds. Every partition
   has its own part of the surface, so that each voxel is written by one thread only. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"
#include "engine/contact/contact.h"

/* Cuts the surface into the parts that lie in the partitions. */
static void cut_surface(const vxe_workspace *workspace)
{
    const vxe_surface *surface = &workspace->model->surface;
    const uint32_t *chunk_first = workspace->model->chunks.chunk_first;
    uint32_t k = 0;
    for (uint32_t s = 0; s < workspace->partition_count; s++) {
        vxe_neighbor_part *part = &workspace->contacts->parts[s];
        *part =
            (vxe_neighbor_part){.first = k, .crowded = VXE_NONE, .crossed = {VXE_NONE, VXE_NONE}};
        while (k < surface->count &&
               surface->slot[k] < chunk_first[workspace->partitions[s].last_chunk]) {
            k++;
        }
        part->last = k;
    }
    VXE_ASSERT(k == surface->count);
}

vxe_status vxe_workspace_contacts_init(vxe_workspace *workspace, vxe_error *error)
{
    const vxe_model *model = workspace->model;
    if (model->surface.count == 0) {
        return VXE_OK;
    }
    vxe_contact_workspace *contacts = vxe_memory_take(1, sizeof *contacts);
    workspace->contacts = contacts;
    if (!contacts) {
        return vxe_error_memory(error, sizeof *contacts);
    }
    contacts->parts = vxe_memory_take(workspace->partition_count, sizeof *contacts->parts);
    contacts->body.loaded = vxe_memory_take(model->chunks.chunk_count, 1);
    contacts->pressed = vxe_memory_take(model->surface.count, sizeof *contacts->pressed);
    bool complete = contacts->parts && contacts->body.loaded && contacts->pressed;
    for (int c = 0; c < 6 && complete; c++) {
        complete = (contacts->body.load[c] = vxe_workspace_take(workspace)) != NULL;
    }
    if (!complete) {
        return vxe_error_memory(error, 30ull * model->slots);
    }
    contacts->body.stride = contacts->body.load_stride = 1;
    while (1u << contacts->body.shift < model->chunks.chunk_slots) {
        contacts->body.shift++; /* a chunk has a power of two of slots */
    }
    VXE_ASSERT(1u << contacts->body.shift == model->chunks.chunk_slots);
    cut_surface(workspace);
    return vxe_contacts_init(&contacts->lists, model, contacts->parts, workspace->partition_count,
                             error);
}

void vxe_workspace_contacts_clear(vxe_workspace *workspace)
{
    vxe_contact_workspace *contacts = workspace->contacts;
    if (contacts) {
        vxe_memory_release(contacts->parts);
        vxe_memory_release(contacts->body.loaded);
        vxe_memory_release(contacts->pressed);
        vxe_contacts_clear(&contacts->lists);
    }
    vxe_memory_release(contacts);
    workspace->contacts = NULL;
}

void vxe_workspace_contacts_bind(vxe_workspace *workspace)
{
    const vxe_kernel_arrays *arrays = &workspace->arrays;
    if (!workspace->contacts) {
        return;
    }
    vxe_body_view *body = &workspace->contacts->body;
    for (int c = 0; c < 3; c++) {
        body->x[c] = arrays->x[c];
        body->x_low[c] = arrays->x_low[c];
        body->v[c] = arrays->v[c];
        body->w[c] = arrays->w[c];
    }
    for (int c = 0; c < 4; c++) {
        body->q[c] = arrays->q[c];
    }
    body->edge_growth = arrays->edge_growth;
    if (workspace->state->yields) {
        vxe_contacts_break(&workspace->contacts->lists, workspace->state);
    }
    vxe_contacts_bind(&workspace->contacts->lists, body, arrays);
    workspace->contacts->sticky_links_full = false;
}

void vxe_workspace_contacts_forget(const vxe_workspace *workspace)
{
    if (workspace->contacts) {
        workspace->contacts->lists.made = false;
    }
}

void vxe_workspace_contacts_moved(const vxe_workspace *workspace, vxe_partition *partition,
                                  uint32_t chunk, double h)
{
    const uint32_t *chunk_first = workspace->model->chunks.chunk_first;
    if (workspace->contacts) {
        const vxe_motion_bound motion =
            vxe_contact_kernels_of(workspace->model->kernels)
                ->motion(&workspace->arrays, h, workspace->contacts->lists.about,
                         chunk_first[chunk], chunk_first[chunk + 1]);
        vxe_motion_bound_add(&partition->motion, &motion);
    }
}

/* Takes a snapshot of the body for new lists. broke: some bond has broken since. */
static void begin_lists(const vxe_workspace *workspace, bool broke)
{
    vxe_contact_workspace *contacts = workspace->contacts;
    if (broke) {
        vxe_contacts_break(&contacts->lists, workspace->state);
        for (uint32_t s = 0; s < workspace->partition_count; s++) {
            workspace->partitions[s].broke = false;
        }
    }
    vxe_contacts_sort(&contacts->lists, &contacts->body);
}

/* The motion bound of the body: that of all partitions. */
static vxe_motion_bound motion_of(const vxe_workspace *workspace)
{
    vxe_motion_bound max = vxe_motion_bound_of_none();
    for (uint32_t s = 0; s < workspace->partition_count; s++) {
        vxe_motion_bound_add(&max, &workspace->partitions[s].motion);
    }
    return max;
}

/* Whether a bond has broken since lists were made. */
static bool any_broke(const vxe_workspace *workspace)
{
    bool broke = false;
    for (uint32_t s = 0; s < workspace->partition_count; s++) {
        broke = broke || workspace->partitions[s].broke;
    }
    return broke;
}

/* Makes sure that lists are complete, and that poses are stored where bundles are due. Called by
   every thread of a team; it has two barriers. */
static void renew_lists(const vxe_workspace *workspace, uint32_t thread, uint32_t threads)
{
    vxe_contact_workspace *contacts = workspace->contacts;
    const vxe_motion_bound motion = motion_of(workspace);
    const bool broke = any_broke(workspace);
    const bool old = broke || vxe_contacts_are_old(&contacts->lists, &motion);
    const bool due = old || vxe_contacts_are_due(&contacts->lists, &motion);
    VXE_ASSERT(thread < threads);
    vxe_parallel_meet(threads); /* barrier: all threads have decided before anything changes */
    if (thread == 0) {
        vxe_contacts_spend(&contacts->lists, &motion);
        for (uint32_t s = 0; s < workspace->partition_count; s++) {
            workspace->partitions[s].motion = vxe_motion_bound_of_none();
        }
        if (old) {
            begin_lists(workspace, broke);
        }
    }
    /* poses of all parts are needed before any part checks bundles: pairs cross their borders */
    for (uint32_t s = thread; s < workspace->partition_count; s += threads) {
        const vxe_contact_kernels *kernels = vxe_contact_kernels_of(workspace->model->kernels);
        const vxe_neighbor_part *part = &contacts->parts[s];
        if (due) {
            kernels->stand(&contacts->lists.neighbors, &contacts->body, part->first, part->last);
        }
        if (workspace->model->stiffening) {
            kernels->settle(&contacts->lists.neighbors, &workspace->arrays, part->first,
                            part->last);
        }
    }
    vxe_parallel_meet(threads);
    for (uint32_t s = thread; s < workspace->partition_count && old; s += threads) {
        vxe_contacts_list(&contacts->lists, &contacts->parts[s]);
    }
}

bool vxe_workspace_contacts_open(const vxe_workspace *workspace, uint64_t step)
{
    bool opens = step == 0;
    for (uint32_t s = 0; s < workspace->partition_count; s++) {
        opens = opens || workspace->partitions[s].broke_in == step + 1;
    }
    return opens;
}

/* What the kernels work on in a step of this number. */
static vxe_contact_job job_of(const vxe_workspace *workspace, uint64_t step, double h)
{
    return (vxe_contact_job){.model = &workspace->arrays,
                             .neighbors = &workspace->contacts->lists.neighbors,
                             .body = &workspace->contacts->body,
                             .before = &workspace->state->kept_contacts[step & 1],
                             .after = &workspace->state->kept_contacts[~step & 1],
                             .number = step,
                             .h = h,
                             .step = workspace->state->time_step,
                             .spread = workspace->contacts->lists.spread_rate *
                                       workspace->state->time_step,
                             .sound = workspace->model->voxel_w0 * workspace->model->edge,
                             .apart = vxe_contact_apart(workspace->model),
                             .opens = vxe_workspace_contacts_open(workspace, step)};
}

void vxe_workspace_contacts_renew(const vxe_workspace *workspace)
{
    if (!workspace->contacts) {
        return;
    }
    renew_lists(workspace, 0, 1);
    const vxe_contact_job job = job_of(workspace, workspace->state->step, 0);
    for (uint32_t s = 0; s < workspace->partition_count; s++) {
        vxe_contact_kernels_of(workspace->model->kernels)
            ->check_bundles(&job, &workspace->contacts->parts[s]);
    }
}

const double *vxe_workspace_contacts_sample(const vxe_workspace *workspace)
{
    const vxe_contact_job job = job_of(workspace, workspace->state->step, 0);
    double *pressed = workspace->contacts->pressed;
    memset(pressed, 0, workspace->model->surface.count * sizeof *pressed);
    vxe_workspace_contacts_renew(workspace);
    for (uint32_t s = 0; s < workspace->partition_count; s++) {
        vxe_contact_kernels_of(workspace->model->kernels)
            ->sample(&job, &workspace->contacts->parts[s], pressed);
    }
    return pressed;
}

void vxe_workspace_contacts_load(const vxe_workspace *workspace, uint32_t place,
                                 const double six[6])
{
    const vxe_contact_workspace *contacts = workspace->contacts;
    const vxe_neighbor_list *neighbors = &contacts->lists.neighbors;
    const vxe_precision precision = workspace->model->precision;
    VXE_ASSERT(place < neighbors->surface->count);
    const uint32_t slot = neighbors->surface->slot[place];
    vxe_neighbor_part *part = contacts->parts;
    while (place >= part->last) {
        part++;
    }
    for (int c = 0; c < 6; c++) {
        vxe_reals *load = contacts->body.load[c];
        vxe_real_put(precision, load, slot, vxe_real_at(precision, load, slot) + six[c]);
    }
    if (!neighbors->is_pushed[place]) {
        VXE_ASSERT(place >= part->first && part->pushed < part->last - part->first);
        neighbors->is_pushed[place] = 1;
        neighbors->pushed[part->first + part->pushed++] = place;
        contacts->body.loaded[slot >> contacts->body.shift] = 1;
    }
}

vxe_failure vxe_contacts_failure(const vxe_surface *surface, const vxe_neighbor_part *part)
{
    if (part->crowded != VXE_NONE) {
        return (vxe_failure){.kind = VXE_FAILURE_CROWD, .lower = surface->slot[part->crowded]};
    }
    if (part->crossed[0] != VXE_NONE) {
        return (vxe_failure){.kind = VXE_FAILURE_CROSSED,
                             .lower = surface->slot[part->crossed[0]],
                             .upper = surface->slot[part->crossed[1]]};
    }
    return (vxe_failure){.kind = VXE_FAILURE_NONE};
}

void vxe_workspace_contacts(const vxe_workspace *workspace, uint32_t thread, uint32_t threads,
                            uint64_t step, double h)
{
    const vxe_contact_workspace *contacts = workspace->contacts;
    const vxe_model *model = workspace->model;
    if (!contacts) {
        return;
    }
    VXE_ASSERT(h > 0);
    renew_lists(workspace, thread, threads);
    const vxe_contact_job job = job_of(workspace, step, h);
    for (uint32_t s = thread; s < workspace->partition_count; s += threads) {
        const vxe_partition *partition = &workspace->partitions[s];
        memset(contacts->body.loaded + partition->first_chunk, 0,
               partition->last_chunk - partition->first_chunk);
        vxe_contact_kernels_of(model->kernels)->push(&job, &contacts->parts[s]);
    }
    if (model->detach_stress) {
        vxe_parallel_meet(threads);
        if (thread == 0) {
            vxe_workspace_stick(workspace, h);
        }
    }
}
