/* SPDX-License-Identifier: MIT */
/* See affine_voxels_internal.h. */
#include "engine/affine/affine_voxels_internal.h"

#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/measure_internal.h"
#include "engine/voxel_modulus_internal.h"

/* Part of what stops the sliding in one step that friction uses at most, and of a dashpot. */
#define STOPPING_PART 0.5
/* A contact that carries less than its neighbours is stopped as they are, and still holds. */
#define HOLDING_BAND 3.0
/* Bodies that there is room for, of those that a voxel may touch, if all voxels do. */
#define MOST_BODIES 2u

void vxe_affine_voxels_clear(vxe_affine_voxels *of)
{
    vxe_memory_release(of->voxels);
    vxe_memory_release(of->touching);
    vxe_memory_release(of->meetings);
    *of = (vxe_affine_voxels){.count = 0};
}

/* Marks voxels that have a bond at each of their faces. */
static void mark_inner(const vxe_model *model, uint8_t *bonds)
{
    vxe_bond_place place = {.at = UINT64_MAX};
    while (vxe_bond_next(model, &place)) {
        bonds[place.lower]++;
        bonds[place.upper]++;
    }
}

static vxe_meeting_voxel voxel_of(const vxe_model *model, const vxe_design *design,
                                  const vxe_moduli *moduli, uint32_t slot)
{
    const uint32_t voxel = model->topology.order[slot];
    const vxe_material *m = &design->materials[design->voxels[voxel].material];
    const double mass = vxe_real_at(model->precision, model->arrays.mass, slot);
    const double stiffness = vxe_voxel_modulus(moduli, voxel) * model->edge;
    return (vxe_meeting_voxel){.slot = slot,
                               .stiffness = stiffness,
                               .dashpot = 2 * m->collision_damping * sqrt(mass * stiffness),
                               .static_friction = fmax(m->static_friction, m->dynamic_friction),
                               .dynamic_friction = m->dynamic_friction,
                               .inverse = 1 / mass};
}

vxe_status vxe_affine_voxels_init(vxe_affine_voxels *of, vxe_affine_group *group,
                                  const vxe_model *model, const vxe_design *design,
                                  vxe_error *error)
{
    const uint32_t voxels = model->topology.voxel_count;
    const vxe_moduli moduli = vxe_moduli_of(design);
    *of = (vxe_affine_voxels){.count = 0};
    if (!group->hulls) {
        return VXE_OK;
    }
    uint8_t *bonds = vxe_memory_take(voxels, 1);
    of->voxels = vxe_memory_take(voxels, sizeof *of->voxels);
    group->by_voxels = vxe_memory_take(group->count, sizeof *group->by_voxels);
    of->touching = vxe_memory_take(group->count, sizeof *of->touching);
    of->room = voxels * (group->count < MOST_BODIES ? group->count : MOST_BODIES);
    of->meetings = vxe_memory_take(of->room, sizeof *of->meetings);
    if (!bonds || !of->meetings || !of->voxels || !group->by_voxels || !of->touching) {
        vxe_memory_release(bonds);
        return vxe_error_memory(error, voxels * (uint64_t)sizeof *of->voxels);
    }
    mark_inner(model, bonds);
    for (uint32_t slot = 0; slot < voxels; slot++) {
        if (bonds[slot] < 6 || model->yield.law_count > 0) {
            of->voxels[of->count++] = voxel_of(model, design, &moduli, slot);
        }
    }
    vxe_memory_release(bonds);
    return VXE_OK;
}

/* 1/kg: how a push moves a body, at most. */
static double lever_of(const vxe_affine *body)
{
    return body->hold_center && body->hold_deformation ? 0 : body->lever;
}

double vxe_affine_voxels_lambda(const vxe_affine_voxels *of, const vxe_affine_group *group,
                                const vxe_model *model)
{
    double most = 0;
    double stiffest = 0;
    double own = 0;
    for (uint32_t i = 0; i < of->count; i++) {
        stiffest = fmax(stiffest, of->voxels[i].stiffness);
        own = fmax(own, of->voxels[i].stiffness * of->voxels[i].inverse);
    }
    for (uint32_t b = 0; b < group->count && of->count > 0; b++) {
        const double across = 2 * group->hulls[b].radius / model->edge + 1;
        const double beside = fmin(of->count, across * across); /* voxels on one side of it */
        const bool meets = group->hulls[b].count > 0;
        most = fmax(most, meets ? own + beside * stiffest * lever_of(&group->bodies[b]) : 0);
    }
    return most;
}

/* Velocity of what would be at a place if it moved with the body. */
static void velocity_at(const vxe_hull *hull, const double at[3], double v[3])
{
    double arm[3];
    for (int c = 0; c < 3; c++) {
        arm[c] = at[c] - hull->frame.place[c];
    }
    vxe_power_velocity(&hull->frame, arm, v);
}

/* The law; adds its energy. */
static void push_of(vxe_meeting *m, double h, vxe_affine_voxels *of)
{
    const vxe_meeting_voxel *voxel = m->voxel;
    const double rise = vxe_dot3(m->rate, m->n);
    const double spring = voxel->stiffness * m->depth;
    const double most = STOPPING_PART / (m->inverse * h);
    const double dash = fmin(voxel->dashpot, most) * rise;
    const double normal = fmax(spring - dash, 0);
    double along[3];
    for (int c = 0; c < 3; c++) {
        along[c] = m->rate[c] - rise * m->n[c];
    }
    const double slide = sqrt(vxe_dot3(along, along));
    const double stop = most * slide;
    const double held = voxel->static_friction * normal;
    const double slips = stop > HOLDING_BAND * held ? voxel->dynamic_friction * normal : held;
    const double friction = fmin(stop, slips);
    for (int c = 0; c < 3; c++) {
        m->push[c] = normal * m->n[c];
        m->across[c] = slide > 0 ? -friction * along[c] / slide : 0;
    }
    m->dash = spring - normal;
    of->energy.contact += 0.5 * spring * m->depth;
}

/* The opposite on the body: the push at its nearest point, what is across at the voxel's centre. */
static void react(const vxe_meeting *m, const vxe_hull *hull, double radius, vxe_power_sum *sum)
{
    for (int c = 0; c < 3; c++) {
        sum->push[c] -= m->push[c];
        sum->loss[c] -= m->across[c];
        for (int d = 0; d < 3; d++) {
            const double arm = m->at[d] - hull->frame.place[d];
            const double foot = arm - (radius - m->depth) * m->n[d];
            sum->push_by_arm[3 * c + d] -= m->push[c] * foot;
            sum->loss_by_arm[3 * c + d] -= m->across[c] * arm;
        }
    }
}

/* Whether a voxel touches a body, and how. */
static bool meets(const vxe_hull *hull, const vxe_scratch *scratch, double radius, vxe_meeting *m)
{
    const uint32_t slot = m->voxel->slot;
    double way2 = 0;
    for (int c = 0; c < 3; c++) {
        m->at[c] = vxe_state_position(scratch->state, c, slot) + scratch->model->origin[c];
        const double way = m->at[c] - hull->frame.place[c];
        way2 += way * way;
    }
    if (way2 > (hull->radius + radius) * (hull->radius + radius)) {
        return false;
    }
    vxe_hull_point nearest;
    vxe_hull_nearest(hull, m->at, &nearest);
    m->depth = radius - nearest.distance;
    memcpy(m->n, nearest.n, sizeof m->n);
    if (!(m->depth > 0)) {
        return false;
    }
    velocity_at(hull, m->at, m->rate);
    for (int c = 0; c < 3; c++) {
        m->v[c] = vxe_state_velocity(scratch->state, c, slot);
        m->rate[c] = m->v[c] - m->rate[c];
    }
    return true;
}

void vxe_affine_voxels_feel(vxe_affine_voxels *of, const vxe_affine_group *group,
                            vxe_scratch *scratch, double h)
{
    const vxe_model *model = scratch->model;
    vxe_guests *load = &scratch->guests;
    of->energy.contact = 0;
    of->stiffest = 0;
    of->meeting_count = 0;
    for (uint32_t i = 0; i < of->count; i++) {
        for (int c = 0; c < 3; c++) {
            vxe_real_put(model->precision, load->load[c], of->voxels[i].slot, 0);
        }
    }
    memset(load->loaded, 0, model->schedule.chunk_count);
    for (uint32_t b = 0; b < group->count; b++) {
        const vxe_affine *body = &group->bodies[b];
        vxe_hull *hull = &group->hulls[b];
        const double among = fmax(of->touching[b], 1);
        uint32_t touching = 0;
        double steep = 0;
        group->by_voxels[b] = (vxe_power_sum){.energy = 0};
        if (hull->count == 0) {
            continue;
        }
        vxe_hull_put(hull, body, &group->states[b]);
        for (uint32_t i = 0; i < of->count; i++) {
            vxe_meeting m = {.voxel = &of->voxels[i], .body = b};
            const uint32_t slot = m.voxel->slot;
            const double swell = vxe_real_at(model->precision, scratch->arrays.swell, slot);
            const double radius = 0.5 * (scratch->arrays.edge + swell);
            if (!meets(hull, scratch, radius, &m)) {
                continue;
            }
            m.inverse = m.voxel->inverse + among * lever_of(body);
            push_of(&m, h, of);
            react(&m, hull, radius, &group->by_voxels[b]);
            touching++;
            of->full = of->full || of->meeting_count == of->room;
            if (!of->full) {
                of->meetings[of->meeting_count++] = m;
            }
            steep += m.voxel->stiffness;
            of->stiffest =
                fmax(of->stiffest, m.voxel->stiffness * m.voxel->inverse + steep * lever_of(body));
            load->loaded[slot / model->schedule.chunk_slots] = 1;
            for (int c = 0; c < 3; c++) {
                const double before = vxe_real_at(model->precision, load->load[c], slot);
                vxe_real_put(model->precision, load->load[c], slot,
                             before + m.push[c] + m.across[c]);
            }
        }
        of->touching[b] = touching;
    }
}

double vxe_affine_voxels_lose(vxe_affine_voxels *of, const vxe_affine_group *group,
                              const vxe_scratch *scratch, double h)
{
    double damped = 0;
    double rubbed = 0;
    for (uint32_t b = 0; b < group->count; b++) {
        if (of->touching[b] > 0) {
            vxe_hull_put(&group->hulls[b], &group->bodies[b], &group->states[b]);
        }
    }
    for (uint32_t i = 0; i < of->meeting_count; i++) {
        const vxe_meeting *m = &of->meetings[i];
        double rate[3];
        velocity_at(&group->hulls[m->body], m->at, rate);
        for (int c = 0; c < 3; c++) {
            const double now = vxe_state_velocity(scratch->state, c, m->voxel->slot);
            rate[c] = 0.5 * (m->v[c] + now) - rate[c];
        }
        damped += h * m->dash * vxe_dot3(rate, m->n);
        rubbed -= h * vxe_dot3(rate, m->across);
    }
    of->energy.damped += damped;
    of->energy.rubbed += rubbed;
    return damped + rubbed;
}

void vxe_affine_voxels_kick(const vxe_affine_voxels *of, const vxe_affine_group *group, double h)
{
    for (uint32_t b = 0; b < group->count; b++) {
        if (of->touching[b] > 0) {
            vxe_affine_impulse(&group->bodies[b], &group->states[b], &group->by_voxels[b], 0.5 * h);
        }
    }
}
