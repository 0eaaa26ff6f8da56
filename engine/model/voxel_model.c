/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "common/memory.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/core/bond_packing.h"
#include "engine/model/model.h"
#include "engine/model/modulus.h"

/* Voxels above which fewer Lanczos iterations are made: each costs a step, and bulk bodies'
 * estimates of an eigenvalue are within 2 % after a dozen. */
#define LARGE_BODY 30000u
/* Voxels above which it is a dozen, and the dashpots of bonds and floor are taken as one: that asks
 * for a sweep too many at worst. */
#define GIANT_BODY 1000000u
/* Cells between a small body and the origin of its positions, with mixed precision. */
#define MIN_OFFSET 256.0
/* Coefficient of friction of a sticky floor: more than any push along it needs, and its square is a
 * float. */
#define STICKY 1e15

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
    vxe_surface_clear(&model->surface);
    vxe_voxelyze_model_release(model->voxelyze);
    vxe_terrain_release(model->terrain);
    vxe_field_clear(&model->field);
    vxe_particles_release(model->particles);
    vxe_magnets_release(model->magnets);
    vxe_memory_release(model->clamped_faces);
    vxe_stiffening_release(model->stiffening);
    vxe_memory_release(model->detach_stress);
    vxe_memory_release(model->sticky_material);
    vxe_memory_release(model->yield.laws);
    for (int axis = 0; axis < 3; axis++) {
        vxe_memory_release(model->yield.law_of[axis]);
    }
    vxe_chunks_clear(&model->chunks);
    vxe_bond_vectors_clear(model->arrays.bonds);
    for (int axis = 0; axis < 3; axis++) {
        vxe_packed_clear(&model->arrays.packed[axis]);
    }
    for (uint32_t i = 0; i < model->voxel_arrays; i++) {
        vxe_memory_release(model->voxel[i]);
    }
    vxe_memory_release(model->rows);
    for (uint32_t i = 0; i < model->table_count; i++) {
        vxe_time_table_clear(&model->tables[i]);
    }
    vxe_memory_release(model->tables);
    for (uint32_t i = 0; i < model->group_count && model->schedules; i++) {
        vxe_time_table_clear(&model->schedules[i]);
    }
    vxe_memory_release(model->schedules);
    vxe_memory_release(model->bounds);
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

/* What a voxel's face is to others. */
typedef struct face_law {
    double *stiffness, *dashpot, *static_friction, *dynamic_friction;
} face_law;

/* A voxel's face is to other voxels what it is to the floor, but that a floor may be sticky. */
static vxe_status share_floor(vxe_model *model, const vxe_design *design, const face_law *face,
                              vxe_error *error)
{
    vxe_kernel_arrays *arrays = &model->arrays;
    const double *clamped_faces[2] = {face->static_friction, face->dynamic_friction};
    if (design->floor.sticky && design->floor.enabled) {
        double *sticky = vxe_model_array(model);
        if (!sticky) {
            return vxe_error_memory(error, 8ull * model->slots);
        }
        for (uint32_t i = 0; i < model->slots; i++) {
            sticky[i] = STICKY;
        }
        clamped_faces[0] = clamped_faces[1] = sticky;
    }
    if (design->floor.enabled) {
        arrays->floor_stiffness = face->stiffness;
        arrays->floor_dashpot = face->dashpot;
        arrays->floor_friction[0] = clamped_faces[0];
        arrays->floor_friction[1] = clamped_faces[1];
    }
    if (design->self_collision) {
        arrays->contact_stiffness = face->stiffness;
        arrays->contact_dashpot = face->dashpot;
        arrays->static_friction = face->static_friction;
        arrays->dynamic_friction = face->dynamic_friction;
    }
    return VXE_OK;
}

vxe_voxel_face vxe_voxel_face_of(const vxe_material *material, double mass, double modulus,
                                 double edge)
{
    return (vxe_voxel_face){
        .stiffness = modulus * edge,
        .dashpot = 2 * material->collision_damping * sqrt(mass * modulus * edge),
        .static_friction = fmax(material->static_friction, material->dynamic_friction),
        .dynamic_friction = material->dynamic_friction};
}

/* What the floor and other voxels meet of one, unless it has laws of contact. */
static void fill_face(vxe_model *model, const vxe_material *m, double mass, double modulus,
                      bool free_of_floor, const face_law *face, uint32_t slot)
{
    const vxe_voxel_face own = vxe_voxel_face_of(m, mass, free_of_floor ? 0 : modulus, model->edge);
    face->stiffness[slot] = model->conventions.floor_stiffness * own.stiffness;
    face->dashpot[slot] = own.dashpot;
    face->static_friction[slot] = own.static_friction;
    face->dynamic_friction[slot] = own.dynamic_friction;
    model->voxel_w0 = fmax(model->voxel_w0, sqrt(face->stiffness[slot] / mass));
}

/* Inertia by mass, where some voxels are spheres; null as well without memory. */
static double *take_gyration(vxe_model *model, const vxe_design *design)
{
    bool any = false;
    for (uint32_t i = 0; i < design->material_count; i++) {
        any = any || design->materials[i].sphere;
    }
    return any ? vxe_model_array(model) : NULL;
}

/* Mass, floor and drag of every voxel. Source 001: m = rho a^3, I = m a^2/6; floor spring E a times
   the conventions' factor; dashpots 2 zeta sqrt(m E a), for spin 2 zeta sqrt(I E a^3). Spheres: m =
   rho pi d^3/6, I = m d^2/10. */
static vxe_status fill_voxels(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    double *mass = NULL;
    double *im = NULL;
    double *ii = NULL;
    face_law face = {0};
    double *drag = NULL;
    double *spin_drag = NULL;
    double **base[] = {&mass, &im, &ii};
    double **faces[] = {&face.stiffness, &face.dashpot, &face.static_friction,
                        &face.dynamic_friction};
    double **drags[] = {&drag, &spin_drag};
    bool dragged = false;
    for (uint32_t i = 0; i < design->material_count; i++) {
        dragged = dragged || design->materials[i].global_damping > 0;
    }
    const bool touches = design->floor.enabled || design->self_collision;
    if (!take_arrays(model, base, 3) || (touches && !take_arrays(model, faces, 4)) ||
        (dragged && !take_arrays(model, drags, 2))) {
        return vxe_error_memory(error, 8ull * model->slots);
    }
    const double a = model->edge;
    double *gyration = take_gyration(model, design);
    const vxe_moduli moduli = vxe_moduli_of(design);
    for (uint32_t i = 0; i < model->slots; i++) {
        const uint32_t voxel =
            i < design->voxel_count ? model->topology.order[i] : model->topology.order[0];
        const vxe_material *m = &design->materials[design->voxels[voxel].material];
        const double modulus = vxe_voxel_modulus(&moduli, voxel);
        const double d = m->sphere ? vxe_sphere_diameter(design, voxel) : a;
        mass[i] = m->sphere ? m->density * (VXE_TAU / 12) * d * d * d : m->density * a * a * a;
        const double inertia =
            m->sphere ? mass[i] * d * d / 10 : m->density * a * a * a * a * a / 6;
        if (gyration) {
            gyration[i] = inertia / mass[i];
        }
        im[i] = i < design->voxel_count ? 1 / mass[i] : 0;
        ii[i] = i < design->voxel_count ? 1 / inertia : 0;
        model->total_mass += i < design->voxel_count ? mass[i] : 0;
        if (touches) {
            const uint32_t material = design->voxels[voxel].material;
            fill_face(model, m, mass[i], modulus, vxe_design_is_particle_on_floor(design, material),
                      &face, i);
        }
        if (drag) {
            drag[i] = 2 * m->global_damping * sqrt(mass[i] * modulus * a);
            spin_drag[i] = 2 * m->global_damping * sqrt(inertia * modulus * a * a * a);
        }
    }
    vxe_kernel_arrays *arrays = &model->arrays;
    arrays->mass = mass;
    arrays->gyration = gyration;
    for (int c = 0; c < 3; c++) {
        arrays->inverse_mass[c] = im;
        arrays->inverse_inertia[c] = ii;
    }
    arrays->drag = drag;
    arrays->spin_drag = spin_drag;
    return share_floor(model, design, &face, error);
}

double vxe_model_rest(const vxe_model *model, const vxe_design *design, int c, uint32_t slot)
{
    const int32_t at = design->voxels[model->topology.order[slot]].position[c];
    return ((double)at - model->topology.low[c] + model->offset) * model->edge;
}

/* Positions count from a corner of the body. With mixed precision that corner is put away from it,
   by four times the body's extent or more: then the leading floats of neighbours are within a
   factor of two of each other, and their difference is exact (Sterbenz). */
static void fill_frame(vxe_model *model, const vxe_design *design, vxe_precision precision)
{
    model->arrays.edge = model->edge;
    model->offset = precision == VXE_PRECISION_MIXED ? MIN_OFFSET : 0;
    for (int c = 0; c < 3; c++) {
        const double cells = (double)model->topology.high[c] - model->topology.low[c] + 1;
        while (model->offset > 0 && model->offset < 4 * cells) {
            model->offset *= 2;
        }
    }
    for (int c = 0; c < 3; c++) {
        model->origin[c] = (model->topology.low[c] + 0.5 - model->offset) * model->edge;
        model->extent[c] =
            ((double)model->topology.high[c] - model->topology.low[c] + 1) * model->edge;
        model->arrays.gravity[c] = design->gravity[c];
    }
    model->arrays.floor_height = design->floor.height - model->origin[2];
    model->arrays.floor_pulls = model->conventions.floor_pulls;
}

vxe_status vxe_model_spectrum(const vxe_model *model, uint32_t iterations, double tolerance,
                              uint32_t threads, vxe_spectrum *found, vxe_error *error)
{
    const vxe_kernel_arrays *arrays = &model->arrays;
    const vxe_spectrum_body body = {
        .chunks = &model->chunks,
        .kernels = model->kernels->linear,
        .bonds = arrays->bonds,
        .rows = model->rows,
        .row_count = model->row_count,
        .row_values = arrays->row_values,
        .ratios = arrays->ratios,
        .edge = model->edge,
        .bars = model->bars,
        .voxels = model->topology.voxel_count,
        .slots = model->slots,
        .mass = arrays->mass,
        .gyration = arrays->gyration,
        .inverse = {arrays->inverse_mass[0], arrays->inverse_mass[1], arrays->inverse_mass[2],
                    arrays->inverse_inertia[0], arrays->inverse_inertia[1],
                    arrays->inverse_inertia[2]},
        .floor_stiffness = arrays->floor_stiffness,
        .floor_dashpot = arrays->floor_dashpot,
        .contact_stiffness = arrays->contact_stiffness,
        .contact_dashpot = arrays->contact_dashpot,
        .contact_spheres = model->conventions.contact_spheres,
        .detach_stress = model->detach_stress,
        .faces = model->topology.faces,
        .drag = arrays->drag,
        .spin_drag = arrays->spin_drag,
        .damped = model->max_ratio > 0,
        .bonds_alone = model->conventions.damping == VXE_DAMPING_SWEEP ||
                       (model->conventions.damping == VXE_DAMPING_AUTO &&
                        model->topology.voxel_count <= GIANT_BODY),
        .dashpots_all = model->conventions.damping != VXE_DAMPING_SWEEP || model->max_ratio == 0,
        .iterations = iterations,
        .tolerance = tolerance,
        .threads = threads};
    return vxe_spectrum_find(found, &body, error);
}

uint32_t vxe_model_threads(const vxe_model *model, uint32_t wanted)
{
    if (vxe_voxelyze_packs(model)) {
        return 1;
    }
    if (wanted > 0) {
        return wanted;
    }
    const uint32_t useful = model->topology.voxel_count / VXE_VOXELS_PER_THREAD;
    const uint32_t available = vxe_parallel_available();
    return useful < 1 ? 1 : useful < available ? useful : available;
}

/* What links hold, where voxels of the design stick. */
static vxe_status fill_stickiness(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    bool sticks = false;
    for (uint32_t v = 0; v < design->voxel_count && design->self_collision; v++) {
        sticks = sticks || design->materials[design->voxels[v].material].sticky;
    }
    if (!sticks) {
        return VXE_OK;
    }
    model->detach_stress = vxe_memory_take(model->slots, sizeof *model->detach_stress);
    model->sticky_material = vxe_memory_take(model->slots, sizeof *model->sticky_material);
    if (!model->detach_stress || !model->sticky_material) {
        return vxe_error_memory(error, 12ull * model->slots);
    }
    for (uint32_t slot = 0; slot < design->voxel_count; slot++) {
        const uint32_t voxel = model->topology.order[slot];
        const vxe_material *m = &design->materials[design->voxels[voxel].material];
        const double holds = m->detach_stress > 0 ? m->detach_stress : (double)INFINITY;
        model->detach_stress[slot] = m->sticky ? holds : 0;
        model->sticky_material[slot] = m->sticky ? design->voxels[voxel].material : VXE_NONE;
    }
    return VXE_OK;
}

vxe_state_size vxe_model_state_size(const vxe_model *model)
{
    return (vxe_state_size){
        .slots = model->slots,
        .yields = model->yield.law_count > 0,
        .groups = model->group_count,
        .sticky_links = model->detach_stress ? VXE_MAX_STICKY_LINKS * model->surface.count : 0,
        .particles = model->particles ? VXE_MAX_PARTICLE_CONTACTS * model->particles->count : 0,
        .voxelyze = vxe_voxelyze_size_of(model)};
}

/* What of the design does not act is said once. */
static void warn_of_inert(const vxe_model *model, const vxe_design *design, vxe_messages *warnings)
{
    for (uint32_t i = 0; i < design->material_count; i++) {
        const vxe_material *m = &design->materials[i];
        if (model->bars && vxe_material_yields(m)) {
            vxe_messages_add(warnings, "material '%s' would yield or break; bars do not", m->name);
        }
        if (m->sticky && !design->self_collision) {
            vxe_messages_add(warnings,
                             "material '%s' is sticky, but voxels of this design do not collide",
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
        const char *name = design->layers[i].name;
        if (!vxe_layer_acts(name)) {
            vxe_messages_add(warnings, "layer %s is kept but does not act", name);
        }
    }
    if (design->stiffening_count > 0 && !model->stiffening) {
        vxe_messages_add(warnings, "stiffness would change in time, but there is no layer "
                                   "FinalStiffness to say to what");
    }
    if (design->stiffening_count == 0 && vxe_design_find_layer(design, "FinalStiffness")) {
        vxe_messages_add(warnings, "layer FinalStiffness does not act: nothing says when "
                                   "(`stiffening`)");
    }
    if (model->conventions.contact_spheres && model->surface.part) {
        vxe_messages_add(warnings,
                         "parts that touch at rest overlap by a quarter of an edge as the "
                         "spheres of these conventions, and fly apart");
    }
    if (model->poisson && model->yield.law_count > 0) {
        vxe_messages_add(
            warnings, "with volume effects a bond yields and breaks by its own strain alone, and "
                      "the neighbours of a broken one stay as stiff as beside a whole one");
    }
    const uint32_t below = design->floor.enabled ? vxe_model_sunk(model, design) : 0;
    if (below) {
        vxe_messages_add(warnings, "%u voxels start below the floor and will be pushed out", below);
    }
}

static vxe_status resolve_choices(vxe_model *model, const vxe_world_def *def, vxe_error *error)
{
    const vxe_conventions *row =
        vxe_conventions_find(def->conventions ? def->conventions : "native");
    if (!row) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "unknown conventions '%s'; use native, voxelyze, evosoro, "
                              "land-water, recorg or voxcraft",
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
    if (row->voxelyze_dashpots && def->damping == VXE_DAMPING_SWEEP) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "conventions '%s' damp explicitly; damping sweeps are native",
                              row->name);
    }
    model->damping_form = row->voxelyze_dashpots ? VXE_DAMPING_VOXELYZE : def->damping_form;
    model->composite = def->composite;
    model->shear = def->shear;
    model->bars = def->bond_kind == VXE_BOND_BAR;
    const bool chosen = def->torsion >= 0 || def->composite != VXE_COMPOSITE_HARMONIC ||
                        def->shear != VXE_SHEAR_BEAM;
    if (row->law == VXE_LAW_EVOSORO && chosen) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "conventions '%s' fix torsion, shear and bonds of two materials",
                              row->name);
    }
    if (row->law == VXE_LAW_EVOSORO && model->bars) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "conventions '%s' have beams alone",
                              row->name);
    }
    return VXE_OK;
}

/* Everything that a model has of a design as its conventions read it, in double. */
static vxe_status compile(vxe_model *model, const vxe_design *design, vxe_messages *warnings,
                          vxe_error *error)
{
    vxe_status status = VXE_OK;
    if (model->poisson) {
        status = vxe_model_find_clamped_faces(model, design, error);
    }
    status = status ? status
                    : vxe_chunks_init(&model->chunks, model->arrays.bonds, &model->topology, error);
    status = status ? status : vxe_model_fill_bonds(model, design, error);
    status = status ? status : fill_voxels(model, design, error);
    if (model->conventions.law != VXE_LAW_EVOSORO) { /* they have sizes of their own */
        status = status ? status : vxe_model_fill_actuation(model, design, warnings, error);
    }
    status = status ? status : vxe_model_fill_terrain(model, design, error);
    status = status ? status : vxe_model_fill_field(model, design, error);
    status = status ? status : vxe_model_fill_magnets(model, design, warnings, error);
    status = status ? status : vxe_model_fill_particles(model, design, warnings, error);
    status = status ? status : vxe_model_fill_fluid(model, design, error);
    status = status ? status : vxe_model_fill_surface(model, design, error);
    status = status ? status : fill_stickiness(model, design, error);
    status = status ? status : vxe_model_fill_stiffening(model, design, error);
    status = status ? status : vxe_model_fill_poisson(model, design, error);
    return status ? status : vxe_model_apply_boundary_conditions(model, design, warnings, error);
}

/* Bonds that are not simply elastic, and bars, follow our law under Voxelyze's conventions too. */
static void keep_our_law(vxe_model *model, const vxe_design *design, vxe_messages *warnings)
{
    bool yields = false;
    for (uint32_t i = 0; i < design->material_count; i++) {
        yields = yields || vxe_material_yields(&design->materials[i]);
    }
    const bool poisson = vxe_design_has_poisson(design);
    if (model->conventions.law == VXE_LAW_NODE_FRAME && (model->bars || yields || poisson)) {
        model->conventions.law = VXE_LAW_MID_FRAME;
        vxe_messages_add(warnings,
                         "bonds follow our own law: that of conventions '%s' is not built for %s",
                         model->conventions.name,
                         model->bars ? "bars"
                         : yields    ? "materials that yield or break"
                                     : "Poisson's ratio");
    }
}

vxe_status vxe_model_init(vxe_model *model, const vxe_design *design, const vxe_world_def *def,
                          vxe_messages *warnings, vxe_error *error)
{
    *model = (vxe_model){.edge = design->voxel_size,
                         .slots = design->voxel_count + VXE_SLOT_PADDING,
                         .actuation = design->actuation,
                         .stop = design->stop,
                         .precision = VXE_PRECISION_DOUBLE,
                         .has_regions = design->region_count > 0,
                         .widest = 1,
                         .source_fraction = design->time_step.fraction};
    vxe_design read;
    vxe_status status = vxe_design_check(design, error);
    if (!status && design->voxel_count == 0) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT, "no voxels: the design is empty");
    }
    status = status ? status : resolve_choices(model, def, error);
    if (status) {
        return status;
    }
    keep_our_law(model, design, warnings);
    if (model->conventions.law != VXE_LAW_MID_FRAME && def->audit) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "the ledger accounts by our own bond law: conventions '%s' have none",
                              model->conventions.name);
    }
    const vxe_precision precision =
        model->conventions.law == VXE_LAW_MID_FRAME ? def->precision : VXE_PRECISION_DOUBLE;
    const char *why = NULL;
    model->kernels = vxe_kernels_for_machine(precision, &why);
    if (!model->kernels) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED, "%s", why);
    }
    vxe_voxelyze_read_design(&model->conventions, design, &read, warnings);
    model->poisson = !model->bars && vxe_design_has_poisson(&read);
    model->shear = model->poisson ? VXE_SHEAR_BULK : model->shear; /* isotropic at long waves */
    status = vxe_model_scan(model, design, error);
    if (!status) {
        fill_frame(model, &read, precision);
    }
    status = status ? status : compile(model, &read, warnings, error);
    status = status ? status : vxe_voxelyze_model_init(model, design, error);
    const bool large = design->voxel_count > LARGE_BODY;
    const uint32_t iterations = design->voxel_count > GIANT_BODY ? 12 : large ? 20 : 60;
    status = status ? status
                    : vxe_model_spectrum(model, iterations, large ? 1e-3 : 1e-4,
                                         vxe_model_threads(model, def->threads), &model->spectrum,
                                         error);
    status = status ? status : vxe_model_narrow(model, precision, error);
    if (status) {
        vxe_model_clear(model);
        return status;
    }
    warn_of_inert(model, &read, warnings);
    return VXE_OK;
}

void vxe_model_rest_state(const vxe_model *model, const vxe_design *design, vxe_state *state)
{
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        const size_t voxel = model->topology.order[i];
        const double *rates = design->velocity ? design->velocity + 6 * voxel : NULL;
        for (int c = 0; c < 3; c++) {
            vxe_state_put_position(state, c, i, vxe_model_rest(model, design, c, i));
            if (rates && vxe_real_at(model->precision, model->arrays.inverse_mass[c], i) > 0) {
                vxe_state_put_velocity(state, c, i, rates[c]);
            }
            if (rates && vxe_real_at(model->precision, model->arrays.inverse_inertia[c], i) > 0) {
                vxe_state_put_spin(state, c, i, rates[c + 3]);
            }
        }
    }
}
