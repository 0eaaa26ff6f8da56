/* SPDX-License-Identifier: MIT */
/* Compiles a design into a model: calls the modules in the order in which they build on each
   other, and warns of what has no effect. */
#include "engine/solver/compile.h"

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/parallel_internal.h"
#include "common/status_internal.h"
#include "engine/bonds/bonds.h"
#include "engine/contact/contact.h"
#include "engine/contact_models/contact_models.h"
#include "engine/external/external.h"
#include "engine/magnets/magnets.h"
#include "engine/timestep/timestep.h"
#include "engine/voxelyze/voxelyze.h"

/* Bodies of more voxels get fewer Lanczos iterations: each costs as much as a step, and in bulk
   bodies estimates of an eigenvalue are within 2 % after a dozen. */
#define LARGE_BODY 30000u
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

uint32_t vxe_model_threads(const vxe_model *model, uint32_t wanted)
{
    VXE_ASSERT(model->topology.voxel_count > 0);
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

vxe_state_size vxe_model_state_size(const vxe_model *model)
{
    return (vxe_state_size){
        .slots = model->slots,
        .yields = model->yield.law_count > 0,
        .groups = model->group_count,
        .sticky_links = model->detach_stress ? VXE_MAX_STICKY_LINKS * model->surface.count : 0,
        .particles = model->particles ? VXE_MAX_PARTICLE_CONTACTS * model->particles->count : 0,
        .touching = model->surface.spheres ? 0 : model->surface.count,
        .voxelyze = vxe_voxelyze_size_of(model)};
}

/* Warns of everything in the design that has no effect, or an unexpected one. */
static void warn_of_inert(const vxe_model *model, const vxe_design *design, vxe_messages *warnings)
{
    VXE_ASSERT(!model->stiffening || design->stiffening_count > 0);
    for (uint32_t i = 0; i < design->material_count; i++) {
        const vxe_material *m = &design->materials[i];
        if (model->bars && vxe_material_yields(m)) {
            vxe_messages_add(
                warnings, "material '%s' has a yield or failure limit, which bars do not support",
                m->name);
        }
        if (m->sticky && !design->self_collision) {
            vxe_messages_add(warnings,
                             "material '%s' is sticky, but collisions are off in this design",
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
            vxe_messages_add(warnings, "layer %s is kept but has no effect", name);
        }
    }
    if (design->stiffening_count > 0 && !model->stiffening) {
        vxe_messages_add(warnings, "`stiffening` has no effect without a layer FinalStiffness");
    }
    if (design->stiffening_count == 0 && vxe_design_find_layer(design, "FinalStiffness")) {
        vxe_messages_add(warnings,
                         "layer FinalStiffness has no effect without `stiffening`, which says "
                         "when");
    }
    if (model->surface.spheres && vxe_design_find_layer(design, "Part")) {
        vxe_messages_add(warnings,
                         "parts that touch at rest overlap by a quarter of an edge as spheres "
                         "of these conventions: expect them to fly apart");
    }
    if (model->poisson && model->yield.law_count > 0) {
        vxe_messages_add(warnings,
                         "with volume effects a bond yields and breaks by its own strain only, and "
                         "the neighbours of a broken bond keep their stiffness");
    }
    const uint32_t below = design->floor.enabled ? vxe_model_sunk(model, design) : 0;
    if (below) {
        vxe_messages_add(warnings, "%u voxels start below the floor and will be pushed out", below);
    }
}

static vxe_status resolve_choices(vxe_model *model, const vxe_world_def *def,
                                  const char *written_for, vxe_error *error)
{
    const vxe_status status =
        vxe_conventions_choose(def->conventions, written_for, &model->conventions, error);
    const vxe_conventions *row = &model->conventions;
    if (status) {
        return status;
    }
    if (def->torsion >= 0) {
        model->conventions.torsion = (vxe_torsion)def->torsion;
    }
    if (def->step_rule != VXE_STEP_AUTO) {
        model->conventions.step_rule = def->step_rule;
    }
    if (def->damping != VXE_DAMPING_AUTO) {
        model->conventions.damping = def->damping;
    }
#ifdef VXE_WITHOUT_DOUBLE
    if (row->voxelyze_dashpots) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "this build lacks the dashpots of conventions '%s'", row->name);
    }
#endif
    if (row->voxelyze_dashpots && def->damping == VXE_DAMPING_SWEEP) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "conventions '%s' damp explicitly; use --damping explicit or auto",
                              row->name);
    }
    if (row->voxelyze_dashpots && def->damping_form != VXE_DAMPING_SOURCE) {
        return vxe_error_fill(
            error, VXE_ERROR_ARGUMENT,
            "conventions '%s' have dashpots of their own; leave out the damping form", row->name);
    }
    model->damping_form = row->voxelyze_dashpots ? VXE_DAMPING_VOXELYZE : def->damping_form;
    model->composite = def->composite;
    model->shear = def->shear;
    model->bars = def->bond_kind == VXE_BOND_BAR;
    const bool chosen = def->composite != VXE_COMPOSITE_HARMONIC || def->shear != VXE_SHEAR_BEAM;
    if (row->law == VXE_LAW_EVOSORO && chosen) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "conventions '%s' fix shear and bonds of two materials", row->name);
    }
    if (row->law == VXE_LAW_EVOSORO && model->bars) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "conventions '%s' have beams only",
                              row->name);
    }
    return VXE_OK;
}

/* Whether the bodies need the dither in all components (voxels/dither_law.h): where more than
   weight along z acts from outside, or voxels are loose, or may become so. */
static bool needs_dither(const vxe_model *model)
{
    const vxe_kernel_arrays *s = &model->arrays;
    bool needed = s->gravity[0] != 0 || s->gravity[1] != 0 || s->load[0] || s->faces || s->drag ||
                  model->field.acts || model->magnets || model->yield.law_count > 0;
    for (uint32_t i = 0; i < model->topology.voxel_count && !needed; i++) {
        needed = vxe_topology_is_alone(&model->topology, i);
    }
    return needed;
}

/* Compiles everything of a design as its compatibility preset reads it, in double. */
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
    status = status ? status : vxe_model_fill_voxels(model, design, error);
    vxe_model_fill_longest_step(model, design);
    if (model->conventions.law != VXE_LAW_EVOSORO) { /* under that law edges follow rules of
                                                        their own */
        status = status ? status : vxe_model_fill_actuation(model, design, warnings, error);
    }
    status = status ? status : vxe_model_fill_terrain(model, design, error);
    status = status ? status : vxe_model_fill_field(model, design, error);
    status = status ? status : vxe_model_fill_magnets(model, design, warnings, error);
    status = status ? status : vxe_model_fill_particles(model, design, warnings, error);
    status = status ? status : vxe_model_fill_fluid(model, design, error);
    status = status ? status : vxe_model_fill_surface(model, design, error);
    status = status ? status : vxe_model_fill_stickiness(model, design, error);
    status = status ? status : vxe_model_fill_stiffening(model, design, error);
    status = status ? status : vxe_model_fill_poisson(model, design, error);
    status = status ? status : vxe_model_apply_boundary_conditions(model, design, warnings, error);
    model->arrays.dithers = needs_dither(model);
    return status;
}

/* Falls back to the native bond law, also under Voxelyze's presets, for bonds that are not
   simply elastic and for bars. */
static void keep_our_law(vxe_model *model, const vxe_design *design, vxe_messages *warnings)
{
    bool yields = false;
    for (uint32_t i = 0; i < design->material_count; i++) {
        yields = yields || vxe_material_yields(&design->materials[i]);
    }
    const bool poisson = vxe_design_has_poisson(design);
    if (model->conventions.law == VXE_LAW_NODE_FRAME && (model->bars || yields || poisson)) {
        model->conventions.law = VXE_LAW_MID_FRAME;
        vxe_messages_add(
            warnings, "bonds follow the native law: that of conventions '%s' does not support %s",
            model->conventions.name,
            model->bars ? "bars"
            : yields    ? "materials that yield or break"
                        : "Poisson's ratio");
    }
}

/* The spectrum of a model that is compiled; known may be null. */
static vxe_status find_spectrum(vxe_model *model, const vxe_design *design,
                                const vxe_world_def *def, vxe_known_spectra *known,
                                vxe_error *error)
{
    const bool large = design->voxel_count > LARGE_BODY;
    const vxe_spectrum_effort effort = {.iterations = design->voxel_count > VXE_GIANT_BODY ? 12
                                                      : large                              ? 20
                                                                                           : 60,
                                        .tolerance = large ? 1e-3 : 1e-4,
                                        .threads = vxe_model_threads(model, def->threads),
                                        .known = known};
    return vxe_model_spectrum(model, design, &effort, &model->spectrum, error);
}

vxe_status vxe_model_init(vxe_model *model, const vxe_design *design, const vxe_world_def *def,
                          vxe_messages *warnings, vxe_error *error)
{
    return vxe_model_init_among(model, design, def, NULL, warnings, error);
}

vxe_status vxe_model_init_among(vxe_model *model, const vxe_design *design,
                                const vxe_world_def *def, struct vxe_known_spectra *known,
                                vxe_messages *warnings, vxe_error *error)
{
    *model = (vxe_model){.edge = design->voxel_size,
                         .slots = design->voxel_count + VXE_SLOT_PADDING,
                         .actuation = design->actuation,
                         .stop = design->stop,
                         .precision = VXE_PRECISION_DOUBLE,
                         .widest = 1,
                         .tuned = {.amplitude = 1, .frequency = 1},
                         .source_fraction = design->time_step.fraction};
    vxe_design read;
    vxe_status status = vxe_design_check(design, error);
    if (!status && design->voxel_count == 0) {
        status = vxe_error_fill(error, VXE_ERROR_INPUT, "no voxels: the design is empty");
    }
    status = status ? status : resolve_choices(model, def, design->written_for, error);
    if (status) {
        return status;
    }
    keep_our_law(model, design, warnings);
    if (model->conventions.law != VXE_LAW_MID_FRAME && def->audit) {
        return vxe_error_fill(
            error, VXE_ERROR_ARGUMENT,
            "the energy audit needs the native bond law: conventions '%s' have another",
            model->conventions.name);
    }
    const vxe_precision precision =
        model->conventions.law == VXE_LAW_MID_FRAME ? def->precision : VXE_PRECISION_DOUBLE;
    const char *why = NULL;
    model->kernels = vxe_kernels_for_voxels(precision, &why);
    if (!model->kernels) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED, "%s", why);
    }
    vxe_voxelyze_read_design(&model->conventions, design, &read, warnings);
    model->poisson = !model->bars && vxe_design_has_poisson(&read);
    model->shear = model->poisson ? VXE_SHEAR_BULK : model->shear; /* sound is isotropic at long
                                                                      waves then */
    status = vxe_model_scan(model, design, error);
    if (!status) {
        vxe_model_fill_frame(model, &read, precision);
        status = vxe_model_unbond_fixed(model, &read, error);
    }
    status = status ? status : compile(model, &read, warnings, error);
    status = status ? status : vxe_voxelyze_model_init(model, design, error);
    status = status ? status : find_spectrum(model, design, def, known, error);
    vxe_spectrum_round(&model->spectrum);
    status = status ? status : vxe_model_narrow(model, precision, error);
    if (status) {
        vxe_model_clear(model);
        return status;
    }
    VXE_ASSERT(model->precision == precision &&
               model->chunks.chunk_first[model->chunks.chunk_count] == model->topology.voxel_count);
    warn_of_inert(model, &read, warnings);
    return VXE_OK;
}
