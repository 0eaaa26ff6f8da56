/* SPDX-License-Identifier: MIT */
/* Compiles the part of a model that only the Voxelyze family needs: coefficients of bonds, sizes,
   floor, surface voxels, stiffness of contact, bounds of the large-angle mode (docs/accuracy.md,
   Compatibility presets). */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/float_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/bonds/bonds.h"
#include "engine/model/model.h"
#include "engine/model/workspace.h"
#include "engine/voxelyze/voxelyze.h"

/* Bounds of the large-angle mode: rad between the voxels (evosoro), deflection by length, and
 * length of the chord by the length without stress. The mode is left within them and entered beyond
 * WIDER times them. The original Voxelyze has bounds of its own for the stretch. */
#define TURN 0.01732
#define ACROSS 0.05
#define STRETCH 1.3
#define WIDER 1.1
#define VOXELYZE_STRETCH 0.5
#define VOXELYZE_WIDER 1.2
/* Voxels within so many bonds do not push each other. */
#define APART_BONDS 3
/* Capacity of the contact list, in pairs per surface voxel. */
#define PAIRS_PER_VOXEL 64u
/* Time of a packed vector by that of a group of as many lanes in rows; 1.0 to 1.25 were measured
 * for the kernels alone (AVX-512, Zen 5). */
#define PACKED_COST 1.15
/* Lanes of the lower of both groups of a vector in rows. */
#define LOWER_LANES ((1u << VXE_VOXELYZE_WIDTH) - 1)

void vxe_voxelyze_model_release(vxe_voxelyze_model *voxelyze)
{
    if (!voxelyze) {
        return;
    }
    for (uint32_t i = 0; i < voxelyze->block_count; i++) {
        vxe_memory_release(voxelyze->block[i]);
    }
    vxe_memory_release(voxelyze->mesh.part_first);
    vxe_memory_release(voxelyze->mesh.part);
    vxe_memory_release(voxelyze->mesh.share);
    vxe_memory_release(voxelyze->mesh.facet_slot);
    vxe_memory_release(voxelyze->mesh.facet_corner);
    vxe_memory_release(voxelyze->surface);
    vxe_memory_release(voxelyze->bonded_first);
    vxe_memory_release(voxelyze->bonded);
    vxe_memory_release(voxelyze);
}

/* Takes count numbers that the model owns; null without memory. */
static double *take(vxe_voxelyze_model *voxelyze, uint64_t count)
{
    VXE_ASSERT(voxelyze->block_count < sizeof voxelyze->block / sizeof voxelyze->block[0]);
    double *block = vxe_memory_take(count, sizeof *block);
    if (block) {
        voxelyze->block[voxelyze->block_count++] = block;
    }
    return block;
}

/* Fills the coefficients of a bond into its lane; width: lanes of its vector. */
static void fill_bond(const vxe_model *model, const vxe_moduli *moduli,
                      const vxe_densities *densities, const vxe_voxelyze_ends *ends, double *row,
                      uint32_t width)
{
    const vxe_design *design = moduli->design;
    const vxe_material *m[2];
    double modulus[2];
    double density[2];
    for (int end = 0; end < 2; end++) {
        const uint32_t voxel = model->topology.order[end ? ends->upper : ends->lower];
        m[end] = &design->materials[design->voxels[voxel].material];
        modulus[end] = vxe_voxel_modulus(moduli, voxel);
        density[end] = vxe_voxel_density(densities, voxel);
    }
    const double a = model->edge;
    const double sum = modulus[0] + modulus[1];
    const double e = sum > 0 ? 2 * modulus[0] * modulus[1] / sum : 0;
    const double nu = 0.5 * (m[0]->poissons_ratio + m[1]->poissons_ratio);
    const double spring = e * a;
    const double polar = spring * a * a / (12 * (1 + nu)); /* G J/a with J = a^4/6 */
    const bool as_polar = model->conventions.torsion == VXE_TORSION_POLAR;
    const double twist = as_polar ? polar : 6 * VXE_STVENANT_SQUARE * polar;
    row[VXE_VOXELYZE_SPRING * width] = spring;
    row[VXE_VOXELYZE_TWIST * width] = twist;
    for (uint32_t end = 0; end < 2; end++) {
        const vxe_material *own = m[end];
        const double mass = density[end] * a * a * a;
        row[(VXE_VOXELYZE_DASH_LOWER + end) * width] = own->bond_damping * sqrt(mass * spring);
        row[(VXE_VOXELYZE_TWIST_LOWER + end) * width] =
            own->bond_damping * sqrt(mass * a * a / 6 * twist);
    }
}

/* Whether the bonds of a model may be packed. The body must be small enough for one thread, since
 * history is stored in the order of vectors and that order must not depend on the number of
 * threads. And every bond must have a stiffness: kernels over rows take a lane without stiffness as
 * one without a bond, kernels over packed bonds do not test it. */
static bool may_pack(const vxe_model *model, const vxe_moduli *moduli)
{
    bool stiff = true;
    for (uint32_t slot = 0; slot < model->topology.voxel_count; slot++) {
        stiff = stiff && vxe_voxel_modulus(moduli, model->topology.order[slot]) > 0;
    }
    return stiff && model->topology.voxel_count < VXE_VOXELS_PER_THREAD;
}

/* Packs bonds if that takes less time than groups of VXE_VOXELYZE_WIDTH lanes in rows. */
static vxe_status pack(vxe_model *model, int axis, vxe_error *error)
{
    const vxe_bond_vectors *bonds = &model->arrays.bonds[axis];
    uint32_t groups = 0;
    for (uint32_t v = 0; v < bonds->count; v++) {
        groups += (bonds->present[v] & LOWER_LANES) != 0;
        groups += (bonds->present[v] & ~LOWER_LANES) != 0;
    }
    const vxe_packing packing = {VXE_VOXELYZE_WIDTH, groups / PACKED_COST};
    return vxe_packed_init(&model->arrays.packed[axis], &model->chunks, &model->topology, axis,
                           &packing, error);
}

/* Fills the coefficients of all bonds. */
static vxe_status fill_rows(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    const vxe_moduli moduli = vxe_bond_moduli_of(design, &model->conventions);
    const vxe_densities densities = vxe_densities_of(design);
    const bool packs = may_pack(model, &moduli);
    for (int axis = 0; axis < 3; axis++) {
        const vxe_status status = packs ? pack(model, axis, error) : VXE_OK;
        if (status) {
            return status;
        }
        const vxe_voxelyze_lanes lanes = vxe_voxelyze_lanes_of(&model->arrays, axis);
        const uint64_t numbers = (uint64_t)lanes.vectors * lanes.width * VXE_VOXELYZE_ROW;
        double *rows = take(model->voxelyze, numbers);
        if (!rows) {
            return vxe_error_memory(error, numbers * sizeof *rows);
        }
        for (uint32_t vector = 0; vector < lanes.vectors; vector++) {
            double *row = rows + (uint64_t)vector * lanes.width * VXE_VOXELYZE_ROW;
            for (uint32_t lane = 0; lane < lanes.width; lane++) {
                vxe_voxelyze_ends ends;
                if (vxe_voxelyze_ends_of(&model->arrays, axis, vector, lane, &ends)) {
                    fill_bond(model, &moduli, &densities, &ends, row + lane, lanes.width);
                }
            }
        }
        model->voxelyze->view.row[axis] = rows;
    }
    return VXE_OK;
}

/* Value of a layer at a voxel, or a default without the layer. */
static double layer_value(const vxe_layer *layer, uint32_t voxel, double otherwise)
{
    return layer ? layer->values[voxel] : otherwise;
}

/* Fills actuation, growth and the bounds of sizes. The numbers of the waveform are rounded to
   float, as in those simulators. */
static vxe_status fill_sizes(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    vxe_voxelyze_model *voxelyze = model->voxelyze;
    vxe_voxelyze_arrays *view = &voxelyze->view;
    const vxe_actuation *heat = &design->actuation;
    const vxe_layer *phase = vxe_design_find_layer(design, "PhaseOffset");
    const vxe_layer *damp = vxe_design_find_layer(design, "Amplitude");
    const vxe_layer *initial = vxe_design_find_layer(design, "InitialSize");
    const vxe_layer *final = vxe_design_find_layer(design, "FinalSize");
    const vxe_layer *start = vxe_design_find_layer(design, "GrowthStart");
    const vxe_layer *time = vxe_design_find_layer(design, "GrowthTime");
    const bool grows = (initial || final) && model->conventions.grows;
    double *strains = take(voxelyze, model->slots);
    double *phases = take(voxelyze, model->slots);
    double *growth[4] = {NULL, NULL, NULL, NULL};
    bool complete = strains && phases;
    for (int c = 0; c < 4 && grows; c++) {
        view->growth[c] = growth[c] = take(voxelyze, model->slots);
        complete = complete && growth[c];
    }
    if (!complete) {
        return vxe_error_memory(error, 48ull * model->slots);
    }
    const bool waves = heat->enabled && heat->period > 0;
    voxelyze->period = waves ? vxe_as_float(heat->period) : 0;
    for (uint32_t slot = 0; slot < model->topology.voxel_count; slot++) {
        const uint32_t voxel = model->topology.order[slot];
        const vxe_material *m = &design->materials[design->voxels[voxel].material];
        strains[slot] = waves ? vxe_as_float(heat->amplitude) * m->thermal_expansion *
                                    layer_value(damp, voxel, 1)
                              : 0;
        phases[slot] = vxe_as_float(layer_value(phase, voxel, 0));
        if (grows) {
            const double first = layer_value(initial, voxel, 1);
            const double lasts = layer_value(time, voxel, 0);
            growth[0][slot] = first - 1;
            growth[1][slot] = layer_value(final, voxel, first) - first;
            growth[2][slot] = layer_value(start, voxel, 0);
            growth[3][slot] = lasts > 0 ? 1 / lasts : 1e30;
        }
    }
    view->strain = strains;
    view->phase = phases;
    const bool bounded = model->conventions.bounded;
    view->min = bounded ? fmax(VXE_SMALLEST_SIZE, heat->min) : VXE_SMALLEST_SIZE;
    view->max = model->conventions.widest == 0 ? HUGE_VAL : model->conventions.widest;
    view->max = bounded && heat->max > 0 ? fmin(view->max, heat->max) : view->max;
    if (model->conventions.widest == 1) { /* growth raises the maximum */
        view->max += heat->room;
    }
    return VXE_OK;
}

/* Fills the floor: slope, rim and stickiness as far as the conventions have them. */
static void fill_ground(vxe_model *model, const vxe_design *design)
{
    const vxe_conventions *conventions = &model->conventions;
    const vxe_floor *floor = &design->floor;
    const bool ends = conventions->floor_ends && floor->radius > 0;
    model->voxelyze->view.ground =
        (vxe_voxelyze_floor){.slope = conventions->floor_slopes ? floor->slope[0] : 0,
                             .rim2 = ends ? floor->radius * floor->radius : HUGE_VAL,
                             .center = {ends ? floor->center[0] - model->origin[0] : 0,
                                        ends ? floor->center[1] - model->origin[1] : 0},
                             .origin_x = model->origin[0],
                             .sticky = conventions->floor_sticks && floor->sticky,
                             .pulls = conventions->floor_pulls,
                             .by_spring = conventions->spring_friction};
    model->voxelyze->view.spin_drag = conventions->spin_drag;
}

/* Writes the indices of the bonded neighbours of a surface voxel that are above its own, sorted;
   returns their number. */
static uint32_t sort_bonded(const uint32_t *place, uint32_t one, const vxe_bonded *found,
                            uint32_t *bonded)
{
    uint32_t kept = 0;
    for (uint32_t i = 1; i < found->count; i++) {
        const uint32_t other = place[found->voxel[i].place];
        if (other == VXE_NONE || other < one) {
            continue;
        }
        uint32_t at = kept++;
        for (; at > 0 && bonded[at - 1] > other; at--) {
            bonded[at] = bonded[at - 1];
        }
        bonded[at] = other;
    }
    return kept;
}

/* Lists the voxels with a free face, and for each the bonded neighbours with which it makes no
   contact. */
static vxe_status fill_surface(vxe_model *model, vxe_error *error)
{
    const vxe_topology *topology = &model->topology;
    vxe_voxelyze_model *voxelyze = model->voxelyze;
    const uint32_t count = topology->voxel_count;
    uint32_t *beside = vxe_topology_neighbours(topology);
    uint32_t *place = vxe_memory_take(count, sizeof *place);
    voxelyze->surface = vxe_memory_take(topology->surface_count, sizeof *voxelyze->surface);
    voxelyze->bonded_first =
        vxe_memory_take(topology->surface_count + 1ull, sizeof *voxelyze->bonded_first);
    voxelyze->bonded = vxe_memory_take(64ull * topology->surface_count, sizeof *voxelyze->bonded);
    const bool complete =
        beside && place && voxelyze->surface && voxelyze->bonded_first && voxelyze->bonded;
    for (uint32_t slot = 0; slot < count && complete; slot++) {
        place[slot] = topology->faces[slot] ? voxelyze->surface_count : VXE_NONE;
        if (topology->faces[slot]) {
            voxelyze->surface[voxelyze->surface_count++] = slot;
        }
    }
    for (uint32_t one = 0; one < voxelyze->surface_count && complete; one++) {
        vxe_bonded found;
        vxe_bonded_find(&found, beside, voxelyze->surface[one], APART_BONDS);
        uint32_t *into = voxelyze->bonded + voxelyze->bonded_first[one];
        voxelyze->bonded_first[one + 1] =
            voxelyze->bonded_first[one] + sort_bonded(place, one, &found, into);
    }
    vxe_memory_release(beside);
    vxe_memory_release(place);
    return complete ? VXE_OK : vxe_error_memory(error, 300ull * count);
}

/* Fills the stiffness of contact, E a, of every voxel. */
static vxe_status fill_moduli(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    const vxe_moduli moduli = vxe_moduli_of(design);
    model->voxelyze->modulus = take(model->voxelyze, model->slots);
    if (!model->voxelyze->modulus) {
        return vxe_error_memory(error, 8ull * model->slots);
    }
    for (uint32_t slot = 0; slot < model->topology.voxel_count; slot++) {
        model->voxelyze->modulus[slot] =
            model->edge * vxe_voxel_modulus(&moduli, model->topology.order[slot]);
    }
    return VXE_OK;
}

/* Sets w0 of a design without bonds. These simulators take it as sqrt(E/m) there, without a length;
   the time step follows from it. */
static void find_frequency(vxe_model *model, const vxe_design *design)
{
    const vxe_densities densities = vxe_densities_of(design);
    double fastest = model->w0 * model->w0;
    for (uint32_t v = 0; v < design->voxel_count && model->topology.bond_count == 0; v++) {
        const vxe_material *m = &design->materials[design->voxels[v].material];
        const double density = vxe_voxel_density(&densities, v);
        const double mass = density * model->edge * model->edge * model->edge;
        fastest = fmax(fastest, m->youngs_modulus / mass);
    }
    model->w0 = sqrt(fastest);
}

vxe_voxelyze_size vxe_voxelyze_size_of(const vxe_model *model)
{
    const vxe_voxelyze_model *voxelyze = model->voxelyze;
    vxe_voxelyze_size size = {.needed = voxelyze != NULL,
                              .slots = voxelyze && voxelyze->steps ? model->slots : 0};
    for (int axis = 0; axis < 3; axis++) {
        const vxe_voxelyze_lanes lanes = vxe_voxelyze_lanes_of(&model->arrays, axis);
        size.lanes[axis] = (uint64_t)lanes.vectors * lanes.width;
    }
    size.pairs = voxelyze ? (uint64_t)PAIRS_PER_VOXEL * voxelyze->surface_count : 0;
    return size;
}

vxe_voxelyze_clock vxe_voxelyze_clock_at(const vxe_model *model, double time)
{
    const double start = model->conventions.starts_later
                             ? fmax(model->stop.settle_time, model->actuation.start)
                             : model->stop.settle_time;
    const double half_settled = 0.5 * model->stop.settle_time;
    const double period = model->voxelyze->period;
    const bool fades = model->conventions.actuation_fades_in;
    const double faded = fades && period > 0 ? 4 * (time - start) / period : 1;
    const double waves = period > 0 && time >= start ? fmin(faded, 1) : 0;
    return (vxe_voxelyze_clock){.time = time,
                                .cycles = period > 0 ? time / period : 0,
                                .turn = model->conventions.pi / VXE_PI,
                                .born = time < half_settled ? time / half_settled : 1,
                                .waves = waves};
}

/* Fills the bounds of the large-angle mode. */
static void fill_bounds(vxe_voxelyze_model *voxelyze)
{
    vxe_voxelyze_arrays *view = &voxelyze->view;
    double sine = 0;
    vxe_sincos_cycles(TURN / 2 / VXE_TAU, &sine, &view->enter.cosine);
    vxe_sincos_cycles(WIDER * TURN / 2 / VXE_TAU, &sine, &view->leave.cosine);
    view->enter.across = ACROSS;
    view->leave.across = WIDER * ACROSS;
    view->enter.stretch = STRETCH;
    view->leave.stretch = WIDER * STRETCH;
    if (voxelyze->law == VXE_VOXELYZE_ORIGINAL) {
        view->leave.across = VOXELYZE_WIDER * ACROSS;
        view->enter.stretch = 1 + VOXELYZE_STRETCH;
        view->leave.stretch = 1 + VOXELYZE_WIDER * VOXELYZE_STRETCH;
        view->enter.shrink = 1 - VOXELYZE_STRETCH;
        view->leave.shrink = 1 - VOXELYZE_WIDER * VOXELYZE_STRETCH;
    }
}

/* Compiles what only the whole step needs. */
static vxe_status fill_step(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    model->voxelyze->steps = true;
    find_frequency(model, design);
    fill_ground(model, design);
    vxe_status status = fill_sizes(model, design, error);
    status = status ? status : fill_moduli(model, design, error);
    if (!status && design->self_collision) {
        status = fill_surface(model, error);
    }
    const double drag = 0.5 * design->fluid.density * design->fluid.drag_coefficient;
    if (!status && design->fluid.enabled && drag > 0 &&
        model->conventions.fluid != VXE_FLUID_IGNORED) {
        model->voxelyze->drag = drag;
        status = vxe_fluid_mesh_init(model, design, error);
    }
    return status;
}

vxe_status vxe_voxelyze_model_init(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    const bool steps = model->conventions.law == VXE_LAW_EVOSORO;
    VXE_ASSERT(!model->voxelyze);
    if (model->conventions.law == VXE_LAW_MID_FRAME) {
        return VXE_OK;
    }
    model->voxelyze = vxe_memory_take(1, sizeof *model->voxelyze);
    if (!model->voxelyze) {
        return vxe_error_memory(error, sizeof *model->voxelyze);
    }
    model->voxelyze->law = steps ? VXE_VOXELYZE_EVOSORO : VXE_VOXELYZE_ORIGINAL;
    fill_bounds(model->voxelyze);
    const vxe_status status = fill_rows(model, design, error);
    return status || !steps ? status : fill_step(model, design, error);
}
