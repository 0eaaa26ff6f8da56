/* SPDX-License-Identifier: MIT */
/* Affine-voxel coupling: contact loads of voxels and affine bodies on each other, and their energy
   audit; see affine_voxels.h. */
#include "engine/affine/affine_voxels.h"

#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/model/model.h"
#include "engine/solver/solver.h"

/* Maximum dashpot, as a fraction of the one that would stop a voxel in one step. */
#define STOPPING_PART 0.5
/* Capacity of the list of contacts: so many bodies per voxel. */
#define MAX_BODIES 2u

void vxe_affine_voxels_clear(vxe_affine_voxels *of)
{
    vxe_memory_release(of->voxels);
    vxe_memory_release(of->touching);
    vxe_memory_release(of->couplings);
    vxe_memory_release(of->before);
    *of = (vxe_affine_voxels){.count = 0};
}

/* Counts the bonds of each voxel; a voxel with six has no free face. */
static void count_bonds(const vxe_model *model, uint8_t *bonds)
{
    vxe_bond_place place = {.at = UINT64_MAX};
    while (vxe_bond_next(model, &place)) {
        bonds[place.lower]++;
        bonds[place.upper]++;
    }
}

/* The contact constants of a voxel. */
static vxe_coupling_voxel voxel_of(const vxe_model *model, const vxe_design *design,
                                   const vxe_moduli *moduli, uint32_t slot)
{
    VXE_ASSERT(slot < model->topology.voxel_count);
    const uint32_t voxel = model->topology.order[slot];
    const vxe_material *m = &design->materials[design->voxels[voxel].material];
    const double mass = vxe_real_at(model->precision, model->arrays.mass, slot);
    return (vxe_coupling_voxel){
        .slot = slot,
        .face = vxe_voxel_face_of(m, mass, vxe_voxel_modulus(moduli, voxel), model->edge),
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
    of->capacity = voxels * (group->count < MAX_BODIES ? group->count : MAX_BODIES);
    of->couplings = vxe_memory_take(of->capacity, sizeof *of->couplings);
    of->before = vxe_memory_take(of->capacity, sizeof *of->before);
    if (!bonds || !of->couplings || !of->before || !of->voxels || !group->by_voxels ||
        !of->touching) {
        vxe_memory_release(bonds);
        return vxe_error_memory(error, voxels * (uint64_t)sizeof *of->voxels);
    }
    count_bonds(model, bonds);
    for (uint32_t slot = 0; slot < voxels; slot++) {
        if (bonds[slot] < 6 || model->yield.law_count > 0) {
            of->voxels[of->count++] = voxel_of(model, design, &moduli, slot);
        }
    }
    vxe_memory_release(bonds);
    return VXE_OK;
}

/* 1/kg: mobility of a body; 0 if it is held. */
static double mobility_of(const vxe_affine *body)
{
    return body->own.is.hold_center && body->own.is.hold_deformation ? 0 : body->mobility;
}

double vxe_affine_voxels_lambda(const vxe_affine_voxels *of, const vxe_affine_group *group,
                                const vxe_model *model)
{
    double max = 0;
    double stiffest = 0;
    double own = 0;
    for (uint32_t i = 0; i < of->count; i++) {
        stiffest = fmax(stiffest, of->voxels[i].face.stiffness);
        own = fmax(own, of->voxels[i].face.stiffness * of->voxels[i].inverse);
    }
    for (uint32_t b = 0; b < group->count && of->count > 0; b++) {
        const double across = 2 * group->hulls[b].radius / model->edge + 1;
        const double beside = fmin(of->count, across * across); /* voxels that one side can touch */
        const bool touches = group->hulls[b].count > 0;
        max = fmax(max, touches ? own + beside * stiffest * mobility_of(&group->bodies[b]) : 0);
    }
    return max;
}

/* Friction at the end of a step of h seconds under a normal force (N): a spring along the surface
   with a dashpot, capped by Coulomb's law (CundallStrack1979; other friction rules:
   floor/friction_law.h). before: the same contact a step ago, or null. */
static void add_friction(vxe_coupling *m, const vxe_coupling *before, double normal, double h)
{
    const vxe_coupling_voxel *voxel = m->voxel;
    const double rise = vxe_dot3(m->rate, m->n);
    const double out = before ? vxe_dot3(before->shear, m->n) : 0;
    const double max = STOPPING_PART / (m->inverse * h);
    const double dashpot = fmin(2 * sqrt(voxel->face.stiffness / m->inverse), max);
    const bool slipped = before && before->slips;
    double size = 0;
    for (int c = 0; c < 3; c++) {
        const double along = m->rate[c] - rise * m->n[c];
        const double shear = before ? before->shear[c] - out * m->n[c] : 0;
        m->shear[c] = shear - voxel->face.stiffness * h * along;
        m->across[c] = m->shear[c] - dashpot * along;
        size += m->across[c] * m->across[c];
    }
    size = sqrt(size);
    m->slips =
        size > (slipped ? voxel->face.dynamic_friction : voxel->face.static_friction) * normal;
    for (int c = 0; c < 3 && m->slips; c++) {
        m->shear[c] = m->across[c] *= voxel->face.dynamic_friction * normal / size;
    }
}

/* The forces of a contact. first: nothing has moved yet, and there is no friction. */
static void push_of(vxe_coupling *m, const vxe_coupling *before, double h, bool first)
{
    const vxe_coupling_voxel *voxel = m->voxel;
    const double rise = vxe_dot3(m->rate, m->n);
    const double dashpot = fmin(voxel->face.dashpot, STOPPING_PART / (m->inverse * h));
    m->spring = voxel->face.stiffness * m->depth;
    m->dash = fmin(dashpot * rise, m->spring);
    if (!first) {
        add_friction(m, before, m->spring - m->dash, h);
    }
}

/* N: force on the voxel without the spring along the normal. */
static double loss_of(const vxe_coupling *m, int c)
{
    return m->across[c] - m->dash * m->n[c];
}

/* Adds the reaction on the body: of the normal spring at the foot, of all else at the voxel's
   centre. */
static void react(const vxe_coupling *m, const vxe_affine_hull *hull, vxe_power_sum *sum)
{
    for (int c = 0; c < 3; c++) {
        const double push = m->spring * m->n[c];
        const double loss = loss_of(m, c);
        sum->push[c] -= push;
        sum->loss[c] -= loss;
        for (int d = 0; d < 3; d++) {
            const double arm = m->at[d] - hull->frame.place[d];
            const double foot = arm - (m->radius - m->depth) * m->n[d];
            sum->push_by_arm[3 * c + d] -= push * foot;
            sum->loss_by_arm[3 * c + d] -= loss * arm;
        }
    }
}

/* Whether a voxel touches a body; fills the geometry of the contact. */
static bool find_contact(const vxe_affine_hull *hull, const vxe_workspace *workspace,
                         vxe_coupling *m)
{
    const uint32_t slot = m->voxel->slot;
    const double radius = m->radius;
    double way2 = 0;
    for (int c = 0; c < 3; c++) {
        m->at[c] = vxe_state_position(workspace->state, c, slot) + workspace->model->origin[c];
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
    vxe_hull_velocity(hull, m->at, m->rate);
    for (int c = 0; c < 3; c++) {
        m->v[c] = vxe_state_velocity(workspace->state, c, slot);
        m->rate[c] = m->v[c] - m->rate[c];
    }
    return true;
}

/* Adds half of the work that is done in a step of h seconds, at one of its ends: by voxels with
   prescribed motion, at velocity v, and by voxels whose radius has changed by widened (m). */
static void take_given(vxe_affine_voxels *of, const vxe_workspace *workspace, const vxe_coupling *m,
                       const double v[3], double widened, double h)
{
    const vxe_model *model = workspace->model;
    for (int c = 0; c < 3; c++) {
        const bool is_free =
            vxe_real_at(model->precision, workspace->arrays.inverse_mass[c], m->voxel->slot) > 0;
        const double force = m->spring * m->n[c] + loss_of(m, c);
        of->energy.moved -= is_free ? 0 : 0.5 * h * force * v[c];
    }
    of->energy.swelled += 0.5 * m->spring * widened;
}

/* m: current radius of a voxel, half its edge. */
static double radius_of(const vxe_workspace *workspace, uint32_t slot)
{
    const double edge_growth =
        vxe_real_at(workspace->model->precision, workspace->arrays.edge_growth, slot);
    return 0.5 * (workspace->arrays.edge + edge_growth);
}

/* Stores a contact and adds its force to the external load of its voxel. */
static void keep(vxe_affine_voxels *of, vxe_workspace *workspace, const vxe_coupling *m)
{
    const vxe_precision precision = workspace->model->precision;
    const uint32_t slot = m->voxel->slot;
    VXE_ASSERT(of->coupling_count <= of->capacity);
    VXE_ASSERT(slot < workspace->model->topology.voxel_count);
    vxe_external_loads *load = &workspace->external_loads;
    of->full = of->full || of->coupling_count == of->capacity;
    if (!of->full) {
        of->couplings[of->coupling_count++] = *m;
    }
    if (m->depth / m->radius > of->deepest) {
        of->deepest = m->depth / m->radius;
        of->inside = m->body;
    }
    of->energy.contact += 0.5 * m->spring * m->depth;
    load->loaded[slot / workspace->model->chunks.chunk_slots] = 1;
    for (int c = 0; c < 3; c++) {
        const double before = vxe_real_at(precision, load->load[c], slot);
        const double more = m->spring * m->n[c] + loss_of(m, c);
        vxe_real_put(precision, load->load[c], slot, before + more);
    }
}

/* Clears all loads; the contacts of the last step become those before. */
static void clear_loads(vxe_affine_voxels *of, vxe_workspace *workspace)
{
    const vxe_model *model = workspace->model;
    vxe_coupling *couplings = of->before;
    of->before = of->couplings;
    of->before_count = of->coupling_count;
    of->couplings = couplings;
    of->coupling_count = 0;
    of->energy.contact = 0;
    of->stiffest = 0;
    of->deepest = 0;
    for (uint32_t i = 0; i < of->count; i++) {
        for (int c = 0; c < 3; c++) {
            vxe_real_put(model->precision, workspace->external_loads.load[c], of->voxels[i].slot,
                         0);
        }
    }
    memset(workspace->external_loads.loaded, 0, model->chunks.chunk_count);
}

/* The contact of the same voxel and body in the last step, or null. Both lists are sorted by body
   and voxel, so the search goes on from *next. */
static const vxe_coupling *find_before(const vxe_affine_voxels *of, const vxe_coupling *m,
                                       uint32_t *next)
{
    VXE_ASSERT(*next <= of->before_count);
    while (*next < of->before_count &&
           (of->before[*next].body < m->body ||
            (of->before[*next].body == m->body && of->before[*next].voxel < m->voxel))) {
        ++*next;
    }
    const vxe_coupling *found = &of->before[*next];
    return *next < of->before_count && found->body == m->body && found->voxel == m->voxel ? found
                                                                                          : NULL;
}

void vxe_affine_voxels_load(vxe_affine_voxels *of, const vxe_affine_group *group,
                            vxe_workspace *workspace, double h, bool first)
{
    uint32_t next = 0;
    VXE_ASSERT(group->hulls && group->by_voxels && h > 0);
    clear_loads(of, workspace);
    for (uint32_t b = 0; b < group->count; b++) {
        vxe_affine_hull *hull = &group->hulls[b];
        const double mobility = mobility_of(&group->bodies[b]);
        const double among = fmax(of->touching[b], 1);
        double steep = 0;
        group->by_voxels[b] = (vxe_power_sum){.energy = 0};
        of->touching[b] = 0;
        if (hull->count == 0) {
            continue;
        }
        vxe_hull_put(hull, &group->bodies[b], &group->states[b]);
        for (uint32_t i = 0; i < of->count; i++) {
            const vxe_coupling_voxel *voxel = &of->voxels[i];
            vxe_coupling m = {
                .voxel = voxel, .body = b, .radius = radius_of(workspace, voxel->slot)};
            if (!find_contact(hull, workspace, &m)) {
                continue;
            }
            m.inverse = voxel->inverse + among * mobility;
            push_of(&m, find_before(of, &m, &next), h, first);
            if (!first) {
                take_given(of, workspace, &m, m.v, m.radius - voxel->radius, h);
            }
            react(&m, hull, &group->by_voxels[b]);
            keep(of, workspace, &m);
            of->touching[b]++;
            steep += voxel->face.stiffness;
            of->stiffest =
                fmax(of->stiffest, voxel->face.stiffness * voxel->inverse + steep * mobility);
        }
    }
    for (uint32_t i = 0; i < of->count; i++) {
        of->voxels[i].radius = radius_of(workspace, of->voxels[i].slot);
    }
}

double vxe_affine_voxels_lose(vxe_affine_voxels *of, const vxe_affine_group *group,
                              const vxe_workspace *workspace, double h)
{
    double damped = 0;
    double rubbed = 0;
    for (uint32_t b = 0; b < group->count; b++) {
        if (of->touching[b] > 0) {
            vxe_hull_put(&group->hulls[b], &group->bodies[b], &group->states[b]);
        }
    }
    for (uint32_t i = 0; i < of->coupling_count; i++) {
        const vxe_coupling *m = &of->couplings[i];
        double now[3];
        double rate[3];
        vxe_hull_velocity(&group->hulls[m->body], m->at, rate);
        for (int c = 0; c < 3; c++) {
            now[c] = vxe_state_velocity(workspace->state, c, m->voxel->slot);
            rate[c] = 0.5 * (m->v[c] + now[c]) - rate[c];
        }
        damped += h * m->dash * vxe_dot3(rate, m->n);
        rubbed -= h * vxe_dot3(rate, m->across);
        take_given(of, workspace, m, now, radius_of(workspace, m->voxel->slot) - m->radius, h);
    }
    of->energy.damped += damped;
    of->energy.rubbed += rubbed;
    return damped + rubbed;
}

void vxe_affine_voxels_kick(const vxe_affine_voxels *of, const vxe_affine_group *group, double time,
                            double h)
{
    for (uint32_t b = 0; b < group->count; b++) {
        if (of->touching[b] > 0) {
            vxe_affine_impulse(&group->bodies[b], &group->states[b], &group->by_voxels[b], time,
                               0.5 * h);
        }
    }
}
