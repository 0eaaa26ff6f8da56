/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/model_internal.h"

double *vxe_model_array(vxe_model *model)
{
    if (model->voxel_arrays == sizeof model->voxel / sizeof model->voxel[0]) {
        return NULL;
    }
    double *array = vxe_memory_take(model->slots, sizeof *array);
    model->voxel[model->voxel_arrays] = array;
    model->voxel_arrays += array != NULL;
    return array;
}

void vxe_model_clear(vxe_model *model)
{
    vxe_topology_clear(&model->topology);
    vxe_schedule_clear(&model->schedule);
    for (uint32_t i = 0; i < model->voxel_arrays; i++) {
        vxe_memory_release(model->voxel[i]);
    }
    for (int axis = 0; axis < 3; axis++) {
        vxe_bond_vectors *bonds = &model->arrays.bonds[axis];
        vxe_memory_release(bonds->coefficients);
        vxe_memory_release(bonds->lower);
        vxe_memory_release(bonds->upper);
        vxe_memory_release(bonds->present);
    }
    for (uint32_t i = 0; i < model->table_count; i++) {
        vxe_memory_release(model->tables[i].rows);
    }
    vxe_memory_release(model->tables);
    vxe_memory_release(model->driven);
    vxe_memory_release(model->driven_first);
    *model = (vxe_model){0};
}

/* Takes count arrays at once; false without memory. */
static bool take_arrays(vxe_model *model, double **arrays[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        *arrays[i] = vxe_model_array(model);
        if (!*arrays[i]) {
            return false;
        }
    }
    return true;
}

/* Mass, floor and drag of every voxel. Source 001: m = rho a^3, I = m a^2/6; floor spring E a times
   the conventions' factor; dashpots 2 zeta sqrt(m E a), for spin 2 zeta sqrt(I E a^3). */
static vxe_status fill_voxels(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    double *mass = NULL;
    double *im = NULL;
    double *ii = NULL;
    double *floor_k = NULL;
    double *floor_c = NULL;
    double *mu_s = NULL;
    double *mu_d = NULL;
    double *drag = NULL;
    double *spin_drag = NULL;
    double **base[] = {&mass, &im, &ii};
    double **floor[] = {&floor_k, &floor_c, &mu_s, &mu_d};
    double **drags[] = {&drag, &spin_drag};
    bool dragged = false;
    for (uint32_t i = 0; i < design->material_count; i++) {
        dragged = dragged || design->materials[i].global_damping > 0;
    }
    if (!take_arrays(model, base, 3) || (design->floor.enabled && !take_arrays(model, floor, 4)) ||
        (dragged && !take_arrays(model, drags, 2))) {
        return vxe_error_memory(error, 8ull * model->slots);
    }
    const double a = model->edge;
    for (uint32_t i = 0; i < model->slots; i++) {
        const uint32_t voxel =
            i < design->voxel_count ? model->topology.order[i] : model->topology.order[0];
        const vxe_material *m = &design->materials[design->voxels[voxel].material];
        const double inertia = m->density * a * a * a * a * a / 6;
        mass[i] = m->density * a * a * a;
        im[i] = i < design->voxel_count ? 1 / mass[i] : 0;
        ii[i] = i < design->voxel_count ? 1 / inertia : 0;
        model->total_mass += i < design->voxel_count ? mass[i] : 0;
        if (floor_k) {
            floor_k[i] = model->conventions.floor_stiffness * m->youngs_modulus * a;
            floor_c[i] = 2 * m->collision_damping * sqrt(mass[i] * m->youngs_modulus * a);
            mu_s[i] =
                m->static_friction > m->dynamic_friction ? m->static_friction : m->dynamic_friction;
            mu_d[i] = m->dynamic_friction;
        }
        if (drag) {
            drag[i] = 2 * m->global_damping * sqrt(mass[i] * m->youngs_modulus * a);
            spin_drag[i] = 2 * m->global_damping * sqrt(inertia * m->youngs_modulus * a * a * a);
        }
    }
    vxe_kernel_arrays *arrays = &model->arrays;
    arrays->mass = mass;
    for (int c = 0; c < 3; c++) {
        arrays->inverse_mass[c] = im;
        arrays->inverse_inertia[c] = ii;
    }
    arrays->floor_stiffness = floor_k;
    arrays->floor_dashpot = floor_c;
    arrays->static_friction = mu_s;
    arrays->dynamic_friction = mu_d;
    arrays->drag = drag;
    arrays->spin_drag = spin_drag;
    return VXE_OK;
}

/* Edges: l_i(t) = a (1 + alpha_i (T_i(t) - T_0)); T_i - T_0 = A sin(2 pi t/P + phase_i), split into
   its sine and cosine at time t so that a step needs two numbers for all voxels. Phase: material's
   (rad) plus the layer PhaseOffset (cycles). */
static vxe_status fill_sizes(vxe_model *model, const vxe_design *design, vxe_messages *warnings,
                             vxe_error *error)
{
    const vxe_actuation *heat = &design->actuation;
    double *base = vxe_model_array(model);
    double *by_sine = NULL;
    double *by_cosine = NULL;
    double **waves[] = {&by_sine, &by_cosine};
    bool moves = false;
    for (uint32_t i = 0; i < design->material_count; i++) {
        moves = moves || design->materials[i].thermal_expansion != 0;
    }
    moves = moves && heat->enabled && heat->period > 0 && heat->amplitude != 0;
    if (heat->enabled && heat->period <= 0 && heat->amplitude != 0) {
        vxe_messages_add(warnings, "actuation has period 0: nothing moves");
    }
    if (!base || (moves && !take_arrays(model, waves, 2))) {
        return vxe_error_memory(error, 8ull * model->slots);
    }
    const vxe_layer *offset = vxe_design_find_layer(design, "PhaseOffset");
    const double a = model->edge;
    model->widest = 1;
    for (uint32_t i = 0; i < model->slots; i++) {
        base[i] = a;
        if (!moves || i >= design->voxel_count) {
            continue;
        }
        const uint32_t voxel = model->topology.order[i];
        const vxe_material *m = &design->materials[design->voxels[voxel].material];
        const double strain = m->thermal_expansion * heat->amplitude;
        double sine = 0;
        double cosine = 0;
        vxe_sincos_cycles(m->phase / VXE_TAU + (offset ? offset->values[voxel] : 0), &sine,
                          &cosine);
        by_sine[i] = a * strain * cosine;
        by_cosine[i] = a * strain * sine;
        if (!(fabs(strain) < 0.9)) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "actuation of material '%s' changes its size by a factor 1 +- "
                                  "%g: it would reach zero (at most 0.9)",
                                  m->name, fabs(strain));
        }
        model->widest = 1 + fabs(strain) > model->widest ? 1 + fabs(strain) : model->widest;
    }
    model->arrays.base_size = base;
    model->arrays.size_sine = by_sine;
    model->arrays.size_cosine = by_cosine;
    return VXE_OK;
}

static vxe_status fill_rest(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    double **rest[] = {&model->rest[0], &model->rest[1], &model->rest[2]};
    if (!take_arrays(model, rest, 3)) {
        return vxe_error_memory(error, 24ull * model->slots);
    }
    for (int c = 0; c < 3; c++) {
        model->origin[c] = (model->topology.low[c] + 0.5) * model->edge;
        model->extent[c] =
            ((double)model->topology.high[c] - model->topology.low[c] + 1) * model->edge;
        for (uint32_t i = 0; i < design->voxel_count; i++) {
            const int32_t at = design->voxels[model->topology.order[i]].position[c];
            model->rest[c][i] = ((double)at - model->topology.low[c]) * model->edge;
        }
        model->arrays.gravity[c] = design->gravity[c];
    }
    model->arrays.floor_height = design->floor.height - model->origin[2];
    model->arrays.floor_pulls = model->conventions.floor_pulls;
    return VXE_OK;
}

/* Stiffness and dashpots of pairs of materials, kept in a table that a pair finds by its numbers
   and may take over from another: most designs have few pairs, and none pays for all. */
enum { BOND_ROWS = 4096 };

typedef struct bond_kind_row {
    bool known;
    uint32_t m1, m2;
    double w2; /* rad^2/s^2 */
    double ratio;
    vxe_bond_stiffness k;
    vxe_bond_dashpots c;
} bond_kind_row;

static const bond_kind_row *bond_row(const vxe_model *model, const vxe_design *design,
                                     bond_kind_row *rows, uint32_t lower, uint32_t upper)
{
    const uint32_t m1 = design->voxels[model->topology.order[lower]].material;
    const uint32_t m2 = design->voxels[model->topology.order[upper]].material;
    bond_kind_row *row = &rows[(m1 * 64u + m2) % BOND_ROWS];
    if (!row->known || row->m1 != m1 || row->m2 != m2) {
        const vxe_material *first = &design->materials[m1];
        const vxe_material *second = &design->materials[m2];
        const double volume = model->edge * model->edge * model->edge;
        const double mass1 = first->density * volume;
        const double mass2 = second->density * volume;
        row->known = true;
        row->m1 = m1;
        row->m2 = m2;
        row->ratio = 0.5 * (first->bond_damping + second->bond_damping);
        row->k = vxe_bond_stiffness_of(first, second, model->edge, model->conventions.torsion,
                                       model->composite, model->shear);
        row->c = vxe_bond_dashpots_of(&row->k, mass1, mass2, model->edge, row->ratio,
                                      model->damping_form);
        row->w2 = row->k.axial / (mass1 < mass2 ? mass1 : mass2);
    }
    return row;
}

vxe_status vxe_model_fill_bonds(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    const uint32_t lanes = model->kernels->lanes;
    bond_kind_row *rows = vxe_memory_take(BOND_ROWS, sizeof *rows);
    if (!rows) {
        return vxe_error_memory(error, BOND_ROWS * sizeof *rows);
    }
    model->condensed = model->composite == VXE_COMPOSITE_CONDENSED && !model->bars;
    model->even_dashpots = true;
    model->least_ratio = HUGE_VAL;
    double w2 = 0;
    vxe_status status = VXE_OK;
    for (int axis = 0; axis < 3 && !status; axis++) {
        vxe_bond_vectors *bonds = &model->arrays.bonds[axis];
        const uint64_t size = (uint64_t)bonds->count * VXE_COEFFICIENTS * lanes;
        bonds->coefficients = vxe_memory_take(size, sizeof(double));
        status = bonds->coefficients ? VXE_OK : vxe_error_memory(error, size * sizeof(double));
        for (uint64_t at = 0; at < (uint64_t)bonds->count * lanes && !status; at++) {
            const uint32_t vector = (uint32_t)(at / lanes);
            const uint32_t lane = (uint32_t)(at % lanes);
            if (!(bonds->present[vector] >> lane & 1)) {
                continue;
            }
            const bond_kind_row *row = bond_row(model, design, rows, bonds->lower[vector] + lane,
                                                bonds->upper[vector] + lane);
            double *k = bonds->coefficients + (uint64_t)vector * VXE_COEFFICIENTS * lanes + lane;
            k[VXE_AXIAL * lanes] = row->k.axial;
            k[VXE_SHEAR * lanes] = row->k.shear;
            k[VXE_TORSION * lanes] = row->k.torsion;
            k[VXE_BENDING * lanes] = row->k.bending;
            k[VXE_DASH_AXIAL * lanes] = row->c.axial;
            k[VXE_DASH_SHEAR * lanes] = row->c.shear;
            k[VXE_DASH_TORSION * lanes] = row->c.torsion;
            k[VXE_DASH_BENDING * lanes] = row->c.bending;
            k[VXE_COUPLE * lanes] = model->condensed ? row->k.couple : 0;
            model->even_dashpots = model->even_dashpots && row->c.axial == row->c.shear;
            model->least_ratio = row->ratio < model->least_ratio ? row->ratio : model->least_ratio;
            model->most_ratio = row->ratio > model->most_ratio ? row->ratio : model->most_ratio;
            w2 = row->w2 > w2 ? row->w2 : w2;
        }
    }
    vxe_memory_release(rows);
    model->w0 = sqrt(w2);
    if (model->topology.bond_count == 0) {
        model->least_ratio = 0;
    }
    return status;
}

/* What of the design does not act yet is said once. */
static void warn_of_inert(const vxe_design *design, vxe_messages *warnings)
{
    for (uint32_t i = 0; i < design->material_count; i++) {
        const vxe_material *m = &design->materials[i];
        if (m->model != VXE_MATERIAL_LINEAR) {
            vxe_messages_add(
                warnings, "material '%s' asks for a plastic or failing law; it runs linear elastic",
                m->name);
        }
        if (m->static_friction < m->dynamic_friction) {
            vxe_messages_add(warnings,
                             "material '%s': static friction %g below dynamic %g; the dynamic "
                             "value is used for both",
                             m->name, m->static_friction, m->dynamic_friction);
        }
    }
    for (uint32_t i = 0; i < design->layer_count; i++) {
        if (strcmp(design->layers[i].name, "PhaseOffset") != 0) {
            vxe_messages_add(warnings, "layer %s is kept but does not act", design->layers[i].name);
        }
    }
    uint32_t below = 0;
    for (uint32_t v = 0; v < design->voxel_count && design->floor.enabled; v++) {
        below += design->voxels[v].position[2] * design->voxel_size <
                 design->floor.height - 0.01 * design->voxel_size;
    }
    if (below) {
        vxe_messages_add(warnings, "%u voxels start below the floor and will be pushed out", below);
    }
    if (design->self_collision) {
        vxe_messages_add(warnings,
                         "self-collision is asked for; voxels do not collide with each other yet");
    }
}

static vxe_status resolve_choices(vxe_model *model, const vxe_world_def *def, vxe_error *error)
{
    const vxe_conventions *row =
        vxe_conventions_find(def->conventions ? def->conventions : "native");
    if (!row || !row->supported) {
        return vxe_error_fill(
            error, VXE_ERROR_ARGUMENT,
            row ? "conventions '%s' come with the drop-in programs; use native or voxelyze"
                : "unknown conventions '%s'; use native or voxelyze",
            def->conventions);
    }
    model->conventions = *row;
    if (def->torsion >= 0) {
        model->conventions.torsion = (vxe_torsion)def->torsion;
    }
    if (def->step_rule != VXE_STEP_AUTO) {
        model->conventions.step_rule = def->step_rule;
    }
    if (def->damping != VXE_DAMPING_AUTO) {
        model->conventions.damping = def->damping;
    }
    if (row->peer_dashpots && def->damping == VXE_DAMPING_SWEEP) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "conventions '%s' damp explicitly; damping sweeps are native",
                              row->name);
    }
    model->damping_form = row->peer_dashpots ? VXE_DAMPING_PEER : def->damping_form;
    model->composite = def->composite;
    model->shear = def->shear;
    model->bars = def->bond_kind == VXE_BOND_BAR;
    return VXE_OK;
}

vxe_status vxe_model_init(vxe_model *model, const vxe_design *design, const vxe_world_def *def,
                          vxe_messages *warnings, vxe_error *error)
{
    *model = (vxe_model){.edge = design->voxel_size,
                         .slots = design->voxel_count + VXE_SLOT_PADDING,
                         .actuation = design->actuation,
                         .stop = design->stop,
                         .source_fraction = design->time_step.fraction};
    const char *why = NULL;
    model->kernels = vxe_kernels_for_machine(&why);
    if (!model->kernels) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED, "%s", why);
    }
    vxe_status status = vxe_design_check(design, error);
    status = status ? status : resolve_choices(model, def, error);
    status = status ? status : vxe_topology_init(&model->topology, design, error);
    status = status ? status : vxe_schedule_init(model, error);
    status = status ? status : vxe_model_fill_bonds(model, design, error);
    status = status ? status : fill_voxels(model, design, error);
    status = status ? status : fill_sizes(model, design, warnings, error);
    status = status ? status : fill_rest(model, design, error);
    status = status ? status : vxe_model_apply_regions(model, design, warnings, error);
    if (status) {
        vxe_model_clear(model);
        return status;
    }
    warn_of_inert(design, warnings);
    return VXE_OK;
}

void vxe_model_rest_state(const vxe_model *model, const vxe_design *design, vxe_state *state)
{
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        const uint32_t voxel = model->topology.order[i];
        for (int c = 0; c < 3; c++) {
            state->x[c][i] = model->rest[c][i];
            const bool has_velocity = design->velocity != NULL;
            const double v = has_velocity ? design->velocity[6 * (size_t)voxel + (size_t)c] : 0;
            const double w = has_velocity ? design->velocity[6 * (size_t)voxel + 3 + (size_t)c] : 0;
            state->v[c][i] = model->arrays.inverse_mass[c][i] > 0 ? v : 0;
            state->w[c][i] = model->arrays.inverse_inertia[c][i] > 0 ? w : 0;
        }
    }
}
