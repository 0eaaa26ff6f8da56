/* SPDX-License-Identifier: MIT */
/* Boundary conditions of a design: fixed degrees of freedom lose their inverse mass, loads
   become a force per voxel, and prescribed motions a list sorted by slot (docs/physics.md,
   Boundary conditions). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/model/model.h"
#include "lattice/region_internal.h"

/* Writes the slots that the region contains into slots, which has capacity for all voxels;
   returns their number. */
static uint32_t touched_slots(const vxe_model *model, const vxe_design *design,
                              const vxe_region *region, uint32_t *slots)
{
    uint32_t count = 0;
    if (region->shape == VXE_REGION_VOXELS) {
        VXE_ASSERT(region->voxel_count <= model->topology.voxel_count);
        for (uint32_t i = 0; i < region->voxel_count; i++) {
            slots[count++] = model->topology.place[region->voxels[i]];
        }
        return count;
    }
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        const double center[3] = {model->origin[0] + vxe_model_rest(model, design, 0, i),
                                  model->origin[1] + vxe_model_rest(model, design, 1, i),
                                  model->origin[2] + vxe_model_rest(model, design, 2, i)};
        if (vxe_region_touches(region, center, model->edge)) {
            slots[count++] = i;
        }
    }
    return count;
}

/* Adds the freedoms that regions fix to held, one bit each, by slot: those of `freedoms` only. */
static void find_fixed(const vxe_model *model, const vxe_design *design, unsigned freedoms,
                       uint32_t *slots, uint8_t *held)
{
    for (uint32_t i = 0; i < design->region_count; i++) {
        const uint32_t count = touched_slots(model, design, &design->regions[i], slots);
        for (uint32_t k = 0; k < count; k++) {
            held[slots[k]] |= (uint8_t)(design->regions[i].fixed & freedoms);
        }
    }
}

vxe_status vxe_model_unbond_fixed(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    const uint32_t count = model->topology.voxel_count;
    if (!model->conventions.fixed_unbonded || design->region_count == 0) {
        return VXE_OK;
    }
    uint32_t *slots = vxe_memory_take(count, sizeof *slots);
    uint8_t *held = vxe_memory_take(count, 1);
    const bool complete = slots && held;
    if (complete) {
        find_fixed(model, design, VXE_FIX_ALL, slots, held);
        for (uint32_t slot = 0; slot < count; slot++) {
            held[slot] = held[slot] == VXE_FIX_ALL;
        }
        vxe_topology_unbond(&model->topology, held);
    }
    vxe_memory_release(slots);
    vxe_memory_release(held);
    return complete ? VXE_OK : vxe_error_memory(error, 5ull * count);
}

/* Marks both ends of a lateral bond as not clamped where one of two open faces side by side is
   not held: the face continues beyond the clamp. */
static void open_shared_faces(const vxe_topology *topology, uint32_t axis, uint32_t one,
                              uint32_t two, uint8_t *clamped_faces)
{
    VXE_ASSERT(axis < 3 && one < two && two < topology->voxel_count);
    const uint32_t both = topology->faces[one] & topology->faces[two] & 3u << 2 * axis;
    if (both && (clamped_faces[one] ^ clamped_faces[two]) >> axis & 1) {
        clamped_faces[one] &= (uint8_t) ~(1u << axis);
        clamped_faces[two] &= (uint8_t) ~(1u << axis);
    }
}

vxe_status vxe_model_find_clamped_faces(vxe_model *model, const vxe_design *design,
                                        vxe_error *error)
{
    const vxe_topology *topology = &model->topology;
    uint32_t *slots = vxe_memory_take(topology->voxel_count, sizeof *slots);
    model->clamped_faces = vxe_memory_take(topology->voxel_count, 1);
    if (!slots || !model->clamped_faces) {
        vxe_memory_release(slots);
        return vxe_error_memory(error, 5ull * topology->voxel_count);
    }
    find_fixed(model, design, VXE_FIX_X | VXE_FIX_Y | VXE_FIX_Z, slots, model->clamped_faces);
    vxe_memory_release(slots);
    for (uint32_t axis = 0; axis < 3; axis++) {
        for (uint32_t slot = 0; slot < topology->voxel_count; slot++) {
            const uint32_t missing = topology->faces[slot] >> 2 * axis & 3;
            const bool held = model->clamped_faces[slot] >> axis & 1;
            if (missing == 3 && held) { /* no strain along this axis */
                model->clamped_faces[slot] |= (uint8_t)(VXE_CLAMPED_PLANE << axis);
            }
            if (missing == 0 || missing == 3) {
                model->clamped_faces[slot] &= (uint8_t) ~(1u << axis);
            }
        }
        for (uint32_t slot = 0; slot < 3 * topology->voxel_count; slot++) {
            const uint32_t lateral = slot / topology->voxel_count;
            const uint32_t one = slot % topology->voxel_count;
            const uint32_t two = topology->up[lateral][one];
            if (lateral != axis && two != VXE_NONE) {
                open_shared_faces(topology, axis, one, two, model->clamped_faces);
            }
        }
    }
    return VXE_OK;
}

static int by_slot(const void *a, const void *b)
{
    const vxe_driven_freedom *first = a;
    const vxe_driven_freedom *second = b;
    if (first->slot != second->slot) {
        return first->slot < second->slot ? -1 : 1;
    }
    if (first->freedom != second->freedom) {
        return first->freedom < second->freedom ? -1 : 1;
    }
    return first->region < second->region ? -1 : first->region > second->region;
}

/* Writable arrays for the effects of all regions; null where no degree of freedom is fixed or
   loaded. */
typedef struct boundary {
    double *inverse[6]; /* writable inverse mass and inertia */
    double *load[6];
    uint32_t *slots;
} boundary;

static vxe_status take_boundary(vxe_model *model, const vxe_design *design, boundary *own,
                                vxe_error *error)
{
    bool fixes = false;
    bool loads = false;
    for (uint32_t i = 0; i < design->region_count; i++) {
        const vxe_region *region = &design->regions[i];
        fixes = fixes || region->fixed;
        for (int c = 0; c < 3; c++) {
            loads = loads || region->force[c] != 0 || region->moment[c] != 0;
        }
    }
    own->slots = vxe_memory_take(design->voxel_count, sizeof *own->slots);
    bool complete = own->slots != NULL;
    for (int c = 0; c < 6 && complete; c++) {
        const vxe_reals **field =
            c < 3 ? &model->arrays.inverse_mass[c] : &model->arrays.inverse_inertia[c - 3];
        own->inverse[c] = fixes ? vxe_model_array(model) : NULL;
        own->load[c] = loads ? vxe_model_array(model) : NULL;
        complete = (!fixes || own->inverse[c]) && (!loads || own->load[c]);
        if (own->inverse[c]) {
            memcpy(own->inverse[c], *field, model->slots * sizeof *own->inverse[c]);
            *field = vxe_reals_of_doubles(model->precision, own->inverse[c]);
        }
        model->arrays.load[c] = vxe_reals_of_doubles(model->precision, own->load[c]);
    }
    return complete ? VXE_OK : vxe_error_memory(error, 12ull * model->slots * sizeof(double));
}

/* Adds the prescribed motion of one degree of freedom. */
static vxe_status drive(vxe_model *model, const vxe_driven_freedom *freedom, vxe_error *error)
{
    VXE_ASSERT(freedom->slot < model->topology.voxel_count && freedom->freedom < 6);
    if ((model->driven_count & (model->driven_count - 1)) == 0) {
        const uint64_t capacity = model->driven_count ? 2ull * model->driven_count : 1;
        vxe_driven_freedom *driven =
            vxe_memory_grow(model->driven, model->driven_count, capacity, sizeof *driven);
        if (!driven) {
            return vxe_error_memory(error, capacity * sizeof *driven);
        }
        model->driven = driven;
    }
    model->driven[model->driven_count++] = *freedom;
    return VXE_OK;
}

static vxe_status apply_region(vxe_model *model, const vxe_design *design, uint32_t index,
                               const boundary *own, vxe_messages *warnings, vxe_error *error)
{
    VXE_ASSERT(index < design->region_count);
    const vxe_region *region = &design->regions[index];
    const uint32_t count = touched_slots(model, design, region, own->slots);
    if (count == 0) {
        vxe_messages_add(warnings, "region %u contains no voxel", index + 1);
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = own->slots[i];
        for (uint32_t c = 0; c < 6; c++) {
            if (own->load[c]) {
                own->load[c][slot] += (c < 3 ? region->force[c] : region->moment[c - 3]) / count;
            }
            if (!(region->fixed >> c & 1)) {
                continue;
            }
            own->inverse[c][slot] = 0;
            const double amount = c < 3 ? region->displacement[c] : region->rotation[c - 3];
            const double rest = c < 3 ? vxe_model_rest(model, design, (int)c, slot) : 0;
            const vxe_driven_freedom driven = {slot, c, index, amount, rest};
            if (amount != 0 && drive(model, &driven, error)) {
                return VXE_ERROR_MEMORY;
            }
        }
    }
    return VXE_OK;
}

/* Sorts the prescribed degrees of freedom and finds the first one of each chunk. */
static vxe_status index_driven(vxe_model *model, vxe_error *error)
{
    if (model->driven_count == 0) {
        return VXE_OK;
    }
    qsort(model->driven, model->driven_count, sizeof *model->driven, by_slot);
    uint32_t kept = 0; /* where several regions prescribe a degree of freedom, the last one
                          applies */
    for (uint32_t i = 1; i < model->driven_count; i++) {
        const bool same = model->driven[i].slot == model->driven[kept].slot &&
                          model->driven[i].freedom == model->driven[kept].freedom;
        kept += !same;
        model->driven[kept] = model->driven[i];
    }
    model->driven_count = kept + 1;
    const vxe_chunks *chunks = &model->chunks;
    model->driven_first = vxe_memory_take(chunks->chunk_count + 1ull, sizeof *model->driven_first);
    if (!model->driven_first) {
        return vxe_error_memory(error, (chunks->chunk_count + 1ull) * sizeof *model->driven_first);
    }
    uint32_t at = 0;
    for (uint32_t chunk = 0; chunk < chunks->chunk_count; chunk++) {
        model->driven_first[chunk] = at;
        while (at < model->driven_count &&
               model->driven[at].slot < chunks->chunk_first[chunk + 1]) {
            at++;
        }
    }
    VXE_ASSERT(at == model->driven_count);
    model->driven_first[chunks->chunk_count] = at;
    return VXE_OK;
}

static vxe_status copy_tables(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    model->tables = vxe_memory_take(design->region_count, sizeof *model->tables);
    if (!model->tables) {
        return vxe_error_memory(error, design->region_count * sizeof *model->tables);
    }
    model->table_count = design->region_count;
    for (uint32_t i = 0; i < design->region_count; i++) {
        const vxe_region *region = &design->regions[i];
        if (vxe_time_table_copy(&model->tables[i], region->table, region->table_count, error)) {
            return VXE_ERROR_MEMORY;
        }
    }
    return VXE_OK;
}

vxe_status vxe_model_apply_boundary_conditions(vxe_model *model, const vxe_design *design,
                                               vxe_messages *warnings, vxe_error *error)
{
    if (design->region_count == 0) {
        return VXE_OK;
    }
    boundary own = {0};
    vxe_status status = take_boundary(model, design, &own, error);
    for (uint32_t i = 0; i < design->region_count && !status; i++) {
        status = apply_region(model, design, i, &own, warnings, error);
    }
    vxe_memory_release(own.slots);
    status = status ? status : index_driven(model, error);
    return status ? status : copy_tables(model, design, error);
}
