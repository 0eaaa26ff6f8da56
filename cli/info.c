/* SPDX-License-Identifier: MIT */
/* voxelastic info: prints what a design contains, with which time step it would run and why, and
   which parts of the file have no effect. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/design_options.h"
#include "cli/info_affine.h"
#include "cli/info_records.h"
#include "cli/shared/design_settings.h"
#include "cli/shared/frame_source.h"
#include "cli/shared/options.h"
#include "cli/shared/output_file.h"
#include "common/memory.h"

enum { OPTION_JSON = OPTION_OWN, OPTION_SET };

static const char *const help =
    "usage: voxelastic info DESIGN [options]\n"
    "       voxelastic info RECORDING\n"
    "       voxelastic info RESULT [RESULT]\n\n"
    "Prints what is in DESIGN (.vxa, .vxc, .vxd, .json, .vox, .npy, .npz), in a record of\n"
    "Voxelastic (.vxr) or a history (.history, .hist), or in result files of\n"
    "evosoro or voxcraft (.xml, .vxr), two of them side by side.\n\n"
    "  --json               as JSON\n" DESIGN_SETTINGS_HELP;

/* Prints when a material yields and breaks. */
static void print_yield(const vxe_material *m)
{
    if (m->model == VXE_MATERIAL_BILINEAR) {
        printf("    yields at %.4g Pa, then %.4g Pa\n", m->yield_stress, m->plastic_modulus);
    }
    if (m->model == VXE_MATERIAL_MEASURED) {
        printf("    yields along a measured curve of %u points, to strain %.4g\n", m->curve_count,
               m->curve_strain[m->curve_count - 1]);
    }
    if (m->model != VXE_MATERIAL_LINEAR && m->fail_stress > 0) {
        printf("    breaks at %.4g Pa\n", m->fail_stress);
    }
    if (m->model != VXE_MATERIAL_LINEAR && m->fail_strain > 0) {
        printf("    breaks at strain %.4g\n", m->fail_strain);
    }
}

static void print_stickiness(const vxe_material *m)
{
    if (m->sticky && m->detach_stress > 0) {
        printf("    sticks to voxels of the same material, lets go at %.4g Pa\n", m->detach_stress);
    } else if (m->sticky) {
        printf("    sticks to voxels of the same material for good\n");
    }
}

static void print_magnetization(const vxe_material *m)
{
    const double *a = m->magnetization;
    if (a[0] != 0 || a[1] != 0 || a[2] != 0) {
        printf("  %16s magnetised by (%.4g, %.4g, %.4g) A/m\n", "", a[0], a[1], a[2]);
    }
    if (m->susceptibility > 0) {
        printf("  %16s susceptibility %.4g\n", "", m->susceptibility);
    }
}

static void print_materials(const vxe_design *design)
{
    uint32_t used = 0;
    uint32_t *voxels_of = vxe_memory_take(design->material_count, sizeof *voxels_of);
    for (uint32_t v = 0; v < design->voxel_count && voxels_of; v++) {
        voxels_of[design->voxels[v].material]++;
    }
    for (uint32_t i = 0; i < design->material_count && voxels_of; i++) {
        const vxe_material *m = &design->materials[i];
        const uint32_t voxels = voxels_of[i];
        if (voxels == 0) {
            continue;
        }
        used++;
        printf("  %-16.16s %7u voxels  E %.4g Pa  rho %.4g kg/m^3  nu %.3g  mu %.3g/%.3g  xi %.3g  "
               "CTE %.3g 1/K  phase %.3g rad\n",
               m->name, voxels, m->youngs_modulus, m->density, m->poissons_ratio,
               m->static_friction, m->dynamic_friction, m->bond_damping, m->thermal_expansion,
               m->phase);
        print_yield(m);
        print_stickiness(m);
        print_magnetization(m);
        if (m->sphere) {
            printf("  %16s spheres\n", "");
        }
    }
    vxe_memory_release(voxels_of);
    if (used < design->material_count) {
        printf("  and %u unused\n", design->material_count - used);
    }
}

/* Prints the formulas `first` to `last`. */
static void print_formulas(const vxe_design *design, int first, int last, const char *unit)
{
    for (int i = first; i <= last; i++) {
        if (design->formulas[i]) {
            printf("%s: %s%s\n", vxe_formula_name((vxe_formula)i), design->formulas[i], unit);
        }
    }
}

static void print_magnetics(const vxe_design *design, uint32_t magnets)
{
    const vxe_magnetics *m = &design->magnetics;
    if (magnets == 0) {
        return;
    }
    printf("%u magnets: %s%s", magnets,
           m->alone ? "the external field alone acts on dipoles" : "all dipoles act",
           m->induces ? ", susceptibility acts" : "");
    if (m->dipole_cap > 0) {
        printf(", distances below %.4g m count as that", m->dipole_cap);
    }
    if (m->dipole_soften > 0) {
        printf(", softened by %.4g m", m->dipole_soften);
    }
    if (m->dipole_d > 0) {
        printf(", over gaps up to %.4g m", m->dipole_d);
    }
    if (m->divisions > 1) {
        printf(", %u^3 of each voxel", m->divisions);
    }
    if (m->every > 1) {
        printf(", in every %u. step", m->every);
    }
    printf("\n");
    print_formulas(design, VXE_FORMULA_FIELD_X, VXE_FORMULA_FIELD_Z, " T");
    print_formulas(design, VXE_FORMULA_GRADIENT_XX, VXE_FORMULA_GRADIENT_YZ, " T/m");
}

/* Name of a material in a contact rule, or of what stands in its place. */
static const char *side_name(const vxe_design *design, uint32_t side)
{
    return side == VXE_CONTACT_ANY     ? "any"
           : side == VXE_CONTACT_FLOOR ? "the floor"
                                       : design->materials[side].name;
}

/* Prints contact models with the parameters that differ from their defaults. */
static void print_contacts(const vxe_design *design)
{
    for (uint32_t i = 0; i < design->contact_rule_count; i++) {
        const vxe_contact_rule *rule = &design->contact_rules[i];
        uint32_t count = 0;
        const vxe_law_number *numbers = vxe_contact_law_numbers(rule->law.kind, &count);
        printf("contact %s %s", rule->second == VXE_CONTACT_PIECE ? "of" : "between",
               side_name(design, rule->first));
        if (rule->second != VXE_CONTACT_PIECE) {
            printf(" and %s", side_name(design, rule->second));
        }
        printf(": law %s", vxe_contact_kind_name(rule->law.kind));
        for (uint32_t k = 0; k < count; k++) {
            if (rule->law.number[k] != numbers[k].standard) {
                printf(", %s %.6g%s%s", numbers[k].name, rule->law.number[k],
                       numbers[k].unit[0] ? " " : "", numbers[k].unit);
            }
        }
        printf("\n");
    }
}

static void print_stop(const vxe_design *design)
{
    const vxe_stop *stop = &design->stop;
    const bool lasts = stop->duration > 0 || stop->steps > 0 || stop->periods > 0;
    printf("stop rule: ");
    if (stop->duration > 0) {
        printf("%.6g s", stop->duration);
    } else if (stop->steps > 0) {
        printf("%llu steps", (unsigned long long)stop->steps);
    } else if (stop->periods > 0) {
        printf("%.6g actuation periods", stop->periods);
    } else if (!design->formulas[VXE_FORMULA_STOP]) {
        printf("none (give --duration or --steps)");
    }
    if (design->formulas[VXE_FORMULA_STOP]) {
        printf("%swhen %s > 0", lasts ? ", or " : "", design->formulas[VXE_FORMULA_STOP]);
    }
    printf("%s", stop->settle_time > 0 ? ", " : "\n");
    if (stop->settle_time > 0) {
        printf("settling %.6g s first\n", stop->settle_time);
    }
}

static void print_layer(const vxe_design *design, const vxe_layer *layer)
{
    double min = layer->values[0];
    double max = min;
    for (uint64_t i = 1; i < (uint64_t)design->voxel_count * layer->width; i++) {
        min = fmin(min, layer->values[i]);
        max = fmax(max, layer->values[i]);
    }
    printf("layer %s, %u number%s per voxel, %.6g to %.6g\n", layer->name, layer->width,
           layer->width == 1 ? "" : "s", min, max);
}

/* Prints how the floor differs from a level plane. */
static void print_floor(const vxe_floor *floor)
{
    const vxe_heightfield *field = &floor->heights;
    if (!floor->enabled) {
        return;
    }
    if (floor->slope[0] != 0 || floor->slope[1] != 0) {
        printf("floor rises by %.6g along x and %.6g along y\n", floor->slope[0], floor->slope[1]);
    }
    if (floor->sticky) {
        printf("floor is sticky: what touches it does not slide\n");
    }
    if (floor->radius > 0) {
        printf("floor ends %.6g m from (%.6g, %.6g) m\n", floor->radius, floor->center[0],
               floor->center[1]);
    }
    if (field->columns > 0) {
        printf("floor has heights at %u x %u points, %.6g m apart, from (%.6g, %.6g) m\n",
               field->columns, field->rows, field->spacing, field->origin[0], field->origin[1]);
    }
}

/* Prints what actuates voxels. */
static void print_actuation(const vxe_design *design)
{
    const vxe_actuation *heat = &design->actuation;
    if (heat->enabled) {
        printf("actuation %.6g K around %.6g C, period %.6g s", heat->amplitude, heat->base,
               heat->period);
        if (heat->start > 0) {
            printf(", from %.6g s on", heat->start);
        }
        if (heat->min > 0) {
            printf(", sizes from %.6g", heat->min);
        }
        if (heat->max > 0) {
            printf(", sizes to %.6g", heat->max);
        }
        putchar('\n');
    }
    if (design->stiffening_count > 0) {
        const double *rows = design->stiffening;
        printf("stiffness goes to the layer FinalStiffness from %.4g s to %.4g s, by %u rows\n",
               rows[0], rows[2 * (size_t)design->stiffening_count - 2], design->stiffening_count);
    }
    for (uint32_t i = 0; i < design->schedule_count; i++) {
        const vxe_group_schedule *schedule = &design->schedules[i];
        printf("group %u has a schedule of %u sizes, to %.6g s\n", schedule->group,
               schedule->table_count, schedule->table[2 * (size_t)schedule->table_count - 2]);
    }
}

/* Prints the controller: its network, and what it senses. */
static void print_controller(const vxe_controller *c)
{
    if (!(c->interval > 0)) {
        return;
    }
    printf("controller: every %.4g s a network of ", c->interval);
    for (uint32_t i = 0; i < c->network.layers; i++) {
        printf("%s%u", i > 0 ? "-" : "", c->network.width[i]);
    }
    printf(" moves groups by %.4g to %.4g; it senses ", c->min_target, c->max_target);
    for (uint32_t i = 0; i < c->sensor_count; i++) {
        printf("%s%s", i > 0 ? ", " : "", vxe_sensor_name(c->sensors[i]));
    }
    putchar('\n');
}

/* Prints each body where there are several, at most 20. */
static void print_bodies(const vxe_world *world)
{
    enum { MAX = 20 };
    const uint32_t count = vxe_world_describe(world).bodies;
    vxe_body *bodies = count > 1 ? vxe_memory_take(count, sizeof *bodies) : NULL;
    if (!bodies) {
        return;
    }
    vxe_world_bodies(world, bodies);
    for (uint32_t b = 0; b < count && b < MAX; b++) {
        const double *at = bodies[b].center;
        printf("body %u: %u voxel%s, %.6g kg, centre (%.6g, %.6g, %.6g) m\n", b, bodies[b].voxels,
               bodies[b].voxels == 1 ? "" : "s", bodies[b].mass, at[0], at[1], at[2]);
    }
    if (count > MAX) {
        printf("and %u more\n", count - MAX);
    }
    vxe_memory_release(bodies);
}

/* The time step, and where there are bonds what it follows from. */
static void print_step(const vxe_world_facts *f)
{
    printf("time step %.6g s (%s rule", f->time_step, vxe_step_rule_name(f->step_rule));
    if (f->voxels == 0) {
        printf(")\n");
        return;
    }
    printf(
        ", %s damping, %u iterations): w_max %.6g rad/s, w0 %.6g rad/s, %.3g times 1/(2 pi w0)\n",
        vxe_damping_scheme_name(f->damping), f->damping_sweeps, f->highest_frequency,
        f->source_frequency, f->time_step * f->source_frequency * 6.283185307179586);
}

static void print_text(const vxe_design *design, const vxe_world *world)
{
    const vxe_world_facts f = vxe_world_describe(world);
    printf("%s: %u voxels of %.6g m, %" PRIu64
           " bonds, %u bod%s, %u surface voxels, %.6g x %.6g x %.6g m, %.6g kg\n",
           design->name, f.voxels, f.voxel_size, f.bonds, f.bodies, f.bodies == 1 ? "y" : "ies",
           f.surface_voxels, f.extent[0], f.extent[1], f.extent[2], f.mass);
    print_bodies(world);
    print_affine(design, world);
    if (design->material_count > 0) {
        printf("materials:\n");
        print_materials(design);
    }
    for (uint32_t i = 0; i < design->layer_count; i++) {
        print_layer(design, &design->layers[i]);
    }
    printf("gravity (%.6g, %.6g, %.6g) m/s^2, floor %s, self-collision %s, volume effects %s, "
           "%u region%s\n",
           design->gravity[0], design->gravity[1], design->gravity[2],
           design->floor.enabled ? "on" : "off", design->self_collision ? "on" : "off",
           design->volume_effects ? "on" : "off", design->region_count,
           design->region_count == 1 ? "" : "s");
    print_floor(&design->floor);
    print_formulas(design, VXE_FORMULA_FORCE_X, VXE_FORMULA_FORCE_Z, " N");
    print_contacts(design);
    print_magnetics(design, f.magnets);
    print_formulas(design, VXE_FORMULA_FITNESS, VXE_FORMULA_FITNESS, "");
    if (design->fluid.enabled) {
        printf("fluid of %.6g kg/m^3, drag coefficient %.6g, buoyancy %s\n", design->fluid.density,
               design->fluid.drag_coefficient, design->fluid.buoyancy ? "on" : "off");
    }
    print_actuation(design);
    print_controller(&design->controller);
    print_stop(design);
    print_step(&f);
    printf("runs with %s precision, %s kernels, %u thread%s\n", f.precision, f.isa, f.threads,
           f.threads == 1 ? "" : "s");
    for (uint32_t i = 0; i < vxe_world_warning_count(world); i++) {
        printf("warning: %s\n", vxe_world_warning(world, i));
    }
    for (uint32_t i = 0; i < vxe_design_note_count(design); i++) {
        printf("note: %s\n", vxe_design_note(design, i));
    }
}

static json_t *texts(uint32_t count, const char *(*text)(const void *from, uint32_t index),
                     const void *from)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_array_append_new(array, json_text(text(from, i)));
    }
    return array;
}

static const char *warning_text(const void *world, uint32_t index)
{
    return vxe_world_warning(world, index);
}

static const char *note_text(const void *design, uint32_t index)
{
    return vxe_design_note(design, index);
}

static int print_json(const vxe_design *design, const vxe_world *world)
{
    const vxe_world_facts f = vxe_world_describe(world);
    const uint64_t failures = vxe_json_watch();
    json_t *root = json_pack(
        "{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:[f,f,f], s:f, s:s, s:s, s:I, s:f, "
        "s:f, "
        "s:s, "
        "s:s, s:s, s:b, s:s, s:s, s:f, s:f, s:o, s:o, s:I}",
        "name", json_text(design->name), "voxels", (json_int_t)f.voxels, "bonds",
        (json_int_t)f.bonds, "bodies", (json_int_t)f.bodies, "surface_voxels",
        (json_int_t)f.surface_voxels, "materials", (json_int_t)f.materials, "grains",
        (json_int_t)f.particles, "magnets", (json_int_t)f.magnets, "mass_kg", f.mass,
        "voxel_size_m", f.voxel_size, "extent_m", f.extent[0], f.extent[1], f.extent[2],
        "timestep_s", f.time_step, "timestep_rule", vxe_step_rule_name(f.step_rule),
        "damping_scheme", vxe_damping_scheme_name(f.damping), "damping_sweeps",
        (json_int_t)f.damping_sweeps, "highest_frequency_rad_per_s", f.highest_frequency,
        "source_frequency_rad_per_s", f.source_frequency, "conventions", f.conventions,
        "written_for", design->written_for, "written_for_by", design->written_for_by,
        "written_for_guessed", design->written_for_guessed, "precision", f.precision, "isa", f.isa,
        "stop_duration_s", design->stop.duration, "settle_time_s", design->stop.settle_time,
        "warnings", texts(vxe_world_warning_count(world), warning_text, world), "notes",
        texts(vxe_design_note_count(design), note_text, design), "affine_bodies",
        (json_int_t)f.affine);
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    vxe_error error = {.status = VXE_ERROR_SYSTEM, .message = "cannot write this design as JSON"};
    const bool whole = !vxe_memory_check(failures, &error) && text;
    if (whole) {
        puts(text);
    }
    free(text);
    json_decref(root);
    return whole ? EXIT_OK : command_fail(&error);
}

/* What info was asked. */
typedef struct info_options {
    vxe_world_def def;
    design_settings settings;
    bool json;
} info_options;

/* Tells of a design. Returns an exit status. */
static int info_design(const info_options *options, const char *path)
{
    vxe_error error;
    vxe_design *design = vxe_design_read(path, &error);
    vxe_world *world = design && !design_settings_apply(&options->settings, "--set", design, &error)
                           ? vxe_world_create(design, &options->def, &error)
                           : NULL;
    int status = world ? EXIT_OK : command_fail_of(path, &error);
    if (world && options->json) {
        status = print_json(design, world);
    } else if (world) {
        const vxe_world_facts facts = vxe_world_describe(world);
        print_conventions(stdout, design, &options->def, &facts);
        print_text(design, world);
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return status;
}

/* Takes one option. Returns 0 or an exit status. */
static int take_option(info_options *options, int option, const char *value)
{
    switch (option) {
    case '?':
        return EXIT_USAGE;
    case OPTION_JSON:
        options->json = true;
        return 0;
    case OPTION_SET:
        return design_settings_add(&options->settings, "info", "set", value);
    default:
        return design_option("info", option, value, &options->def);
    }
}

/* Returns 0 to go on, -1 where help was shown, else an exit status. */
static int parse(info_options *options, int count, char **words)
{
    static const struct option long_options[] = {{"json", no_argument, NULL, OPTION_JSON},
                                                 {"set", required_argument, NULL, OPTION_SET},
                                                 {"help", no_argument, NULL, 'h'},
                                                 DESIGN_OPTIONS,
                                                 {NULL, 0, NULL, 0}};
    options->def = vxe_world_def_default();
    for (int option = 0; (option = options_next("info", count, words, "h", long_options)) != -1;) {
        if (option == 'h') {
            printf("%s%s", help, design_options_help);
            return -1;
        }
        const int status = take_option(options, option, optarg);
        if (status) {
            return status;
        }
    }
    return 0;
}

/* Tells of a file, or of two. Returns an exit status. */
static int tell(const info_options *options, int count, char **words)
{
    const char *path = count > 0 ? words[0] : "";
    if (count == 2 && is_result(path) && options->settings.count == 0) {
        return info_results(path, words[1]);
    }
    if (count != 1) {
        return command_misused("info", count > 0 ? "one design at a time" : "which design?");
    }
    const bool design = !frame_source_is_record(path) && !is_history(path) && !is_result(path);
    if (!design && options->settings.count > 0) {
        return command_misused("info", "%s is no design: --set is for designs", path);
    }
    return design                         ? info_design(options, path)
           : frame_source_is_record(path) ? info_record(path)
           : is_history(path)             ? info_history(path)
                                          : info_results(path, NULL);
}

int command_info(int count, char **words)
{
    info_options options = {0};
    int status = parse(&options, count, words);
    status = status < 0 ? EXIT_OK
             : status   ? status
                        : tell(&options, count - optind, words + optind);
    design_settings_clear(&options.settings);
    return status;
}
