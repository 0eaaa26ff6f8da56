/* SPDX-License-Identifier: MIT */
/* Contacts of a body at the start of a step: old lists are made again, then the loads are computed
   that the step's first kick adds to the bonds'. Every slab has its own part of the surface. */
#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"
#include "engine/contact/sticky_links.h"
#include "engine/solver/step.h"

/* The parts of the surface that are in the slabs. */
static void cut_surface(const vxe_scratch *scratch)
{
    const vxe_surface *surface = &scratch->model->surface;
    const uint32_t *chunk_first = scratch->model->schedule.chunk_first;
    uint32_t k = 0;
    for (uint32_t s = 0; s < scratch->slab_count; s++) {
        vxe_near_part *part = &scratch->contacts->parts[s];
        *part = (vxe_near_part){.first = k, .crowded = VXE_NONE};
        while (k < surface->count && surface->slot[k] < chunk_first[scratch->slabs[s].last_chunk]) {
            k++;
        }
        part->last = k;
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
    contacts->parts = vxe_memory_take(scratch->slab_count, sizeof *contacts->parts);
    contacts->body.loaded = vxe_memory_take(model->schedule.chunk_count, 1);
    contacts->pressed = vxe_memory_take(model->surface.count, sizeof *contacts->pressed);
    bool complete = contacts->parts && contacts->body.loaded && contacts->pressed;
    for (int c = 0; c < 6 && complete; c++) {
        complete = (contacts->body.load[c] = vxe_scratch_take(scratch)) != NULL;
    }
    if (!complete) {
        return vxe_error_memory(error, 30ull * model->slots);
    }
    contacts->body.stride = contacts->body.load_stride = 1;
    while (1u << contacts->body.shift < model->schedule.chunk_slots) {
        contacts->body.shift++; /* chunks have a power of two of slots */
    }
    cut_surface(scratch);
    return vxe_contacts_init(&contacts->lists, model, contacts->parts, scratch->slab_count, error);
}

void vxe_scratch_contacts_clear(vxe_scratch *scratch)
{
    vxe_contact_scratch *contacts = scratch->contacts;
    if (contacts) {
        vxe_memory_release(contacts->parts);
        vxe_memory_release(contacts->body.loaded);
        vxe_memory_release(contacts->pressed);
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
    vxe_contacts_bind(&scratch->contacts->lists, body, arrays);
    scratch->contacts->links_full = false;
}

void vxe_scratch_contacts_forget(const vxe_scratch *scratch)
{
    if (scratch->contacts) {
        scratch->contacts->lists.made = false;
    }
}

void vxe_scratch_contacts_moved(const vxe_scratch *scratch, vxe_slab *slab, uint32_t chunk,
                                double h)
{
    const uint32_t *chunk_first = scratch->model->schedule.chunk_first;
    if (scratch->contacts) {
        const vxe_pace pace = scratch->model->kernels->contacts->pace(
            &scratch->arrays, h, scratch->contacts->lists.about, chunk_first[chunk],
            chunk_first[chunk + 1]);
        vxe_pace_add(&slab->pace, &pace);
    }
}

/* Takes how the body stands, for new lists. */
static void begin_lists(const vxe_scratch *scratch, bool broke)
{
    vxe_contact_scratch *contacts = scratch->contacts;
    if (broke) {
        vxe_contacts_break(&contacts->lists, scratch->state);
        for (uint32_t s = 0; s < scratch->slab_count; s++) {
            scratch->slabs[s].broke = false;
        }
    }
    vxe_contacts_sort(&contacts->lists, &contacts->body);
}

static vxe_pace pace_of(const vxe_scratch *scratch)
{
    vxe_pace most = vxe_pace_of_none();
    for (uint32_t s = 0; s < scratch->slab_count; s++) {
        vxe_pace_add(&most, &scratch->slabs[s].pace);
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
    const vxe_pace pace = pace_of(scratch);
    const bool broke = any_broke(scratch);
    const bool old = broke || vxe_contacts_are_old(&contacts->lists, &pace);
    const bool due = old || vxe_contacts_are_due(&contacts->lists, &pace);
    vxe_parallel_meet(threads); /* all have decided before anything changes */
    if (thread == 0) {
        vxe_contacts_spend(&contacts->lists, &pace);
        for (uint32_t s = 0; s < scratch->slab_count; s++) {
            scratch->slabs[s].pace = vxe_pace_of_none();
        }
        if (old) {
            begin_lists(scratch, broke);
        }
    }
    /* of all parts before one of them looks: pairs cross their borders */
    for (uint32_t s = thread; s < scratch->slab_count; s += threads) {
        const vxe_contact_kernels *kernels = scratch->model->kernels->contacts;
        const vxe_near_part *part = &contacts->parts[s];
        if (due) {
            kernels->stand(&contacts->lists.near, &contacts->body, part->first, part->last);
        }
        if (scratch->model->stiffening) {
            kernels->settle(&contacts->lists.near, &scratch->arrays, part->first, part->last);
        }
    }
    vxe_parallel_meet(threads);
    for (uint32_t s = thread; s < scratch->slab_count && old; s += threads) {
        vxe_contacts_list(&contacts->lists, &contacts->parts[s]);
    }
}

static vxe_contact_job job_of(const vxe_scratch *scratch, double h)
{
    return (vxe_contact_job){.model = &scratch->arrays,
                             .near = &scratch->contacts->lists.near,
                             .body = &scratch->contacts->body,
                             .h = h};
}

void vxe_scratch_contacts_renew(const vxe_scratch *scratch)
{
    if (!scratch->contacts) {
        return;
    }
    renew_lists(scratch, 0, 1);
    const vxe_contact_job job = job_of(scratch, 0);
    for (uint32_t s = 0; s < scratch->slab_count; s++) {
        scratch->model->kernels->contacts->look(&job, &scratch->contacts->parts[s]);
    }
}

const double *vxe_scratch_contacts_feel(const vxe_scratch *scratch)
{
    const vxe_contact_job job = job_of(scratch, 0);
    double *pressed = scratch->contacts->pressed;
    memset(pressed, 0, scratch->model->surface.count * sizeof *pressed);
    vxe_scratch_contacts_renew(scratch);
    for (uint32_t s = 0; s < scratch->slab_count; s++) {
        scratch->model->kernels->contacts->feel(&job, &scratch->contacts->parts[s], pressed);
    }
    return pressed;
}

void vxe_scratch_contacts_load(const vxe_scratch *scratch, uint32_t place, const double six[6])
{
    const vxe_contact_scratch *contacts = scratch->contacts;
    const vxe_near *near = &contacts->lists.near;
    const vxe_precision precision = scratch->model->precision;
    const uint32_t slot = near->surface->slot[place];
    vxe_near_part *part = contacts->parts;
    while (place >= part->last) {
        part++;
    }
    for (int c = 0; c < 6; c++) {
        vxe_reals *load = contacts->body.load[c];
        vxe_real_put(precision, load, slot, vxe_real_at(precision, load, slot) + six[c]);
    }
    if (!near->is_pushed[place]) {
        near->is_pushed[place] = 1;
        near->pushed[part->first + part->pushed++] = place;
        contacts->body.loaded[slot >> contacts->body.shift] = 1;
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
    const vxe_contact_job job = job_of(scratch, h);
    for (uint32_t s = thread; s < scratch->slab_count; s += threads) {
        const vxe_slab *slab = &scratch->slabs[s];
        memset(contacts->body.loaded + slab->first_chunk, 0, slab->last_chunk - slab->first_chunk);
        model->kernels->contacts->push(&job, &contacts->parts[s]);
    }
    if (model->detach_stress) {
        vxe_parallel_meet(threads);
        if (thread == 0) {
            vxe_scratch_stick(scratch, h);
        }
    }
}
