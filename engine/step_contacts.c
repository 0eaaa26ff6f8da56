/* SPDX-License-Identifier: MIT */
/* Contacts of a body at the start of a step: old lists are made again, then the loads are computed
   that the step's first kick adds to the bonds'. Every slab has its own part of the surface. */
#include <string.h>

#include "common/memory.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"
#include "engine/step_internal.h"

/* The part of the surface that is in a slab. */
static void cut_surface(vxe_scratch *scratch)
{
    const vxe_surface *surface = &scratch->model->surface;
    const uint32_t *chunk_first = scratch->model->schedule.chunk_first;
    uint32_t k = 0;
    for (uint32_t s = 0; s < scratch->slab_count; s++) {
        vxe_slab *slab = &scratch->slabs[s];
        slab->first_face = k;
        while (k < surface->count && surface->slot[k] < chunk_first[slab->last_chunk]) {
            k++;
        }
        slab->last_face = k;
    }
}

vxe_status vxe_scratch_contacts_init(vxe_scratch *scratch, vxe_error *error)
{
    const vxe_model *model = scratch->model;
    if (model->surface.count == 0) {
        return VXE_OK;
    }
    vxe_contact_scratch *contacts = vxe_memory_take(1, sizeof *contacts);
    scratch->contacts = contacts;
    if (!contacts) {
        return vxe_error_memory(error, sizeof *contacts);
    }
    vxe_status status = vxe_contacts_init(&contacts->lists, model, error);
    bool complete = !status;
    for (int f = 0; f < 8 && complete; f++) {
        complete = (contacts->were[f] = vxe_scratch_take(scratch)) != NULL;
    }
    for (int c = 0; c < 6 && complete; c++) {
        complete = (contacts->body.load[c] = vxe_scratch_take(scratch)) != NULL;
    }
    contacts->body.loaded = vxe_memory_take(model->schedule.chunk_count, 1);
    contacts->body.stride = contacts->body.load_stride = 1;
    while (1u << contacts->body.shift < model->schedule.chunk_slots) {
        contacts->body.shift++; /* chunks have a power of two of slots */
    }
    cut_surface(scratch);
    return status                              ? status
           : complete && contacts->body.loaded ? VXE_OK
                                               : vxe_error_memory(error, 60ull * model->slots);
}

void vxe_scratch_contacts_clear(vxe_scratch *scratch)
{
    vxe_contact_scratch *contacts = scratch->contacts;
    if (contacts) {
        vxe_memory_release(contacts->body.loaded);
        vxe_contacts_clear(&contacts->lists);
    }
    vxe_memory_release(contacts);
    scratch->contacts = NULL;
}

void vxe_scratch_contacts_bind(vxe_scratch *scratch)
{
    const vxe_kernel_arrays *arrays = &scratch->arrays;
    if (!scratch->contacts) {
        return;
    }
    vxe_body_view *body = &scratch->contacts->body;
    for (int c = 0; c < 3; c++) {
        body->x[c] = arrays->x[c];
        body->x_low[c] = arrays->x_low[c];
        body->v[c] = arrays->v[c];
        body->w[c] = arrays->w[c];
    }
    for (int c = 0; c < 4; c++) {
        body->q[c] = arrays->q[c];
    }
    body->swell = arrays->swell;
    if (scratch->state->yields) {
        vxe_contacts_break(&scratch->contacts->lists, scratch->state);
    }
    scratch->contacts->lists.made = false;
}

/* Keeps how the body stands, and begins the new lists. */
static void begin_lists(const vxe_scratch *scratch, bool broke)
{
    vxe_contact_scratch *contacts = scratch->contacts;
    if (broke) {
        vxe_contacts_break(&contacts->lists, scratch->state);
        for (uint32_t s = 0; s < scratch->slab_count; s++) {
            scratch->slabs[s].broke = false;
        }
    }
    const vxe_model *model = scratch->model;
    const size_t bytes = (size_t)model->slots * vxe_real_bytes(model->precision);
    const vxe_body_view *body = &contacts->body;
    for (int c = 0; c < 3; c++) {
        memcpy(contacts->were[c], body->x[c], bytes);
    }
    for (int c = 0; c < 4; c++) {
        memcpy(contacts->were[3 + c], body->q[c], bytes);
    }
    memcpy(contacts->were[7], body->swell, bytes);
    for (int c = 0; c < 6; c++) {
        memset(body->load[c], 0, bytes); /* of those that leave the lists */
    }
    vxe_contacts_sort(&contacts->lists, body);
}

static vxe_stray stray_of(const vxe_scratch *scratch)
{
    vxe_stray most = {0, 0, 0};
    for (uint32_t s = 0; s < scratch->slab_count; s++) {
        const vxe_stray *stray = &scratch->slabs[s].stray;
        most.moved = stray->moved > most.moved ? stray->moved : most.moved;
        most.turned = stray->turned > most.turned ? stray->turned : most.turned;
        most.swollen = stray->swollen > most.swollen ? stray->swollen : most.swollen;
    }
    return most;
}

static bool any_broke(const vxe_scratch *scratch)
{
    bool broke = false;
    for (uint32_t s = 0; s < scratch->slab_count; s++) {
        broke = broke || scratch->slabs[s].broke;
    }
    return broke;
}

/* Lists that are complete, whatever has moved. */
static void renew_lists(const vxe_scratch *scratch, uint32_t thread, uint32_t threads)
{
    vxe_contact_scratch *contacts = scratch->contacts;
    const uint32_t *chunk_first = scratch->model->schedule.chunk_first;
    for (uint32_t s = thread; s < scratch->slab_count; s += threads) {
        vxe_slab *slab = &scratch->slabs[s];
        slab->stray = scratch->model->kernels->contacts->stray(&scratch->arrays, contacts->were,
                                                               chunk_first[slab->first_chunk],
                                                               chunk_first[slab->last_chunk]);
    }
    vxe_parallel_meet(threads);
    const vxe_stray stray = stray_of(scratch);
    const bool broke = any_broke(scratch);
    const bool old = broke || vxe_contacts_are_old(&contacts->lists, &stray);
    vxe_parallel_meet(threads); /* all have decided before anything changes */
    if (old) {
        if (thread == 0) {
            begin_lists(scratch, broke);
        }
        vxe_parallel_meet(threads);
        for (uint32_t s = thread; s < scratch->slab_count; s += threads) {
            vxe_slab *slab = &scratch->slabs[s];
            slab->crowded = vxe_contacts_list(&contacts->lists, slab->first_face, slab->last_face);
        }
        vxe_parallel_meet(threads);
    }
}

void vxe_scratch_contacts_renew(const vxe_scratch *scratch)
{
    if (scratch->contacts) {
        renew_lists(scratch, 0, 1);
    }
}

void vxe_scratch_contacts(const vxe_scratch *scratch, uint32_t thread, uint32_t threads, double h)
{
    const vxe_contact_scratch *contacts = scratch->contacts;
    const vxe_model *model = scratch->model;
    if (!contacts) {
        return;
    }
    renew_lists(scratch, thread, threads);
    const vxe_contact_job job = {.model = &scratch->arrays,
                                 .near = &contacts->lists.near,
                                 .body = &contacts->body,
                                 .ends = contacts->lists.ends,
                                 .h = h};
    for (uint32_t s = thread; s < scratch->slab_count; s += threads) {
        const vxe_slab *slab = &scratch->slabs[s];
        model->kernels->contacts->fill(&job, slab->first_face, slab->last_face);
    }
    vxe_parallel_meet(threads);
    for (uint32_t s = thread; s < scratch->slab_count; s += threads) {
        const vxe_slab *slab = &scratch->slabs[s];
        memset(contacts->body.loaded + slab->first_chunk, 0, slab->last_chunk - slab->first_chunk);
        model->kernels->contacts->push(&job, slab->first_face, slab->last_face);
    }
}
