/* SPDX-License-Identifier: MIT */
/* voxelastic statics: where a design rests under its loads, what holds it there, and how it
   vibrates about that. */
#include "cli/statics/statics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/design_options.h"
#include "cli/shared/options.h"
#include "cli/shared/output_file.h"
#include "common/memory.h"

static const char *const help =
    "usage: voxelastic statics DESIGN [options]\n\n"
    "Finds where DESIGN rests under its weight, loads and fixed regions, by solving equations "
    "instead\n"
    "of running until motion dies away; what holds it there; and how it vibrates about that.\n\n"
    "  --modes N            the N lowest vibrations, at most 64\n"
    "  --at S               time of actuation, growth, schedules and prescribed motion (default "
    "0)\n"
    "  --linear             small displacements: one linear solution; vibrations are then those of "
    "the\n"
    "                       body without loads\n" DESIGN_SETTINGS_HELP
    "  --result FILE.json   all numbers\n"
    "  --poses FILE         places and orientations of all voxels, as .csv or .npy (numpy)\n"
    "  --picture FILE       .png or .svg: the equilibrium, and each vibration at its largest\n"
    "  --record FILE        .html, .vxr, .pvd, .glb or .history: the equilibrium, and the "
    "vibrations,\n"
    "                       slowed to one swing a second; 'voxelastic view' makes pictures and "
    "movies\n"
    "                       of a .vxr\n"
    "  --quiet              no summary\n";

enum {
    OPTION_MODES = OPTION_OWN,
    OPTION_AT,
    OPTION_LINEAR,
    OPTION_SET,
    OPTION_RESULT,
    OPTION_POSES,
    OPTION_PICTURE,
    OPTION_RECORD,
    OPTION_QUIET
};

static const struct option long_options[] = {{"modes", required_argument, NULL, OPTION_MODES},
                                             {"at", required_argument, NULL, OPTION_AT},
                                             {"linear", no_argument, NULL, OPTION_LINEAR},
                                             {"set", required_argument, NULL, OPTION_SET},
                                             {"result", required_argument, NULL, OPTION_RESULT},
                                             {"poses", required_argument, NULL, OPTION_POSES},
                                             {"picture", required_argument, NULL, OPTION_PICTURE},
                                             {"record", required_argument, NULL, OPTION_RECORD},
                                             {"quiet", no_argument, NULL, OPTION_QUIET},
                                             {"help", no_argument, NULL, 'h'},
                                             DESIGN_OPTIONS,
                                             {NULL, 0, NULL, 0}};

/* Takes one option of this command. Returns 0 or an exit status. */
static int own_option(statics_options *options, int option, const char *value)
{
    switch (option) {
    case OPTION_MODES:
        if (!option_whole("statics", "modes", value, &options->modes)) {
            return EXIT_USAGE;
        }
        return options->modes <= MAX_MODES
                   ? 0
                   : command_misused("statics", "--modes %s: at most %d", value, MAX_MODES);
    case OPTION_AT:
        return !vxe_number_read(value, &options->settle.time) && options->settle.time >= 0
                   ? 0
                   : command_misused("statics", "--at '%s': expected seconds, from 0 on", value);
    case OPTION_LINEAR:
        options->settle.linear = true;
        return 0;
    case OPTION_SET:
        return design_settings_add(&options->settings, "statics", "set", value);
    case OPTION_RESULT:
        options->result = value;
        return 0;
    case OPTION_POSES:
        options->poses = value;
        return 0;
    case OPTION_PICTURE:
        options->picture = value;
        return vxe_picture_is_one(value)
                   ? 0
                   : command_misused("statics", "--picture '%s': expected a name in .png or .svg",
                                     value);
    case OPTION_RECORD:
        options->record = value;
        return vxe_recorder_knows(value)
                   ? 0
                   : command_misused(
                         "statics",
                         "--record '%s': expected a name in .html, .vxr, .pvd, .glb or .history",
                         value);
    case OPTION_QUIET:
        options->quiet = true;
        return 0;
    default:
        return command_misused("statics", "wrong option");
    }
}

/* Returns 0 to go on, -1 where help was shown, else an exit status. */
static int parse(statics_options *options, int count, char **words)
{
    options->def = vxe_world_def_default();
    options->def.precision = VXE_PRECISION_DOUBLE;
    options->settle = vxe_settle_def_default();
    options->settle.time = 0;
    for (int option = 0;
         (option = options_next("statics", count, words, "h", long_options)) != -1;) {
        if (option == 'h') {
            printf("%s%s", help, design_options_help);
            return -1;
        }
        if (option == '?') {
            return EXIT_USAGE;
        }
        int status = design_option("statics", option, optarg, &options->def);
        status = status < 0 ? own_option(options, option, optarg) : status;
        if (status) {
            return status;
        }
    }
    if (optind + 1 != count) {
        return command_misused("statics",
                               optind < count ? "one design at a time" : "which design?");
    }
    options->design = words[optind];
    return 0;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* What a region does: how far it moved, and what holds it. inside: (voxels). */
static void sum_region(const statics *s, const vxe_region *region, const uint8_t *inside,
                       const double *forces, const double *moments, region_facts *facts)
{
    double middle[3] = {0, 0, 0};
    for (uint32_t v = 0; v < s->design->voxel_count; v++) {
        for (int c = 0; c < 3 && inside[v]; c++) {
            middle[c] += s->rest[3 * v + (unsigned)c] / facts->voxels;
            facts->moved[c] +=
                (s->place[3 * v + (unsigned)c] - s->rest[3 * v + (unsigned)c]) / facts->voxels;
        }
    }
    for (uint32_t v = 0; v < s->design->voxel_count; v++) {
        const double *f = forces + 3 * (size_t)v;
        for (int c = 0; c < 3 && inside[v]; c++) {
            const int a = (c + 1) % 3;
            const int b = (c + 2) % 3;
            const double *at = s->place + 3 * (size_t)v;
            facts->force[c] += f[c];
            facts->moment[c] += moments[3 * v + (unsigned)c] + (at[a] - middle[a]) * f[b] -
                                (at[b] - middle[b]) * f[a];
        }
    }
    const double load = sqrt(dot(region->force, region->force));
    const double along = load > 0 ? dot(facts->moved, region->force) / load : 0;
    facts->fixed = region->fixed != 0;
    facts->stiffness = load > 0 && along > 0 ? load / along : (double)NAN;
}

static vxe_status sum_regions(statics *s, vxe_error *error)
{
    const uint32_t n = s->design->voxel_count;
    uint8_t *inside = vxe_memory_take(n, 1);
    double *forces = vxe_memory_take(6ull * n, sizeof *forces);
    s->regions = vxe_memory_take(s->design->region_count + 1ull, sizeof *s->regions);
    vxe_status status = VXE_OK;
    if (!inside || !forces || !s->regions) {
        (void)command_no_memory(error);
        status = VXE_ERROR_MEMORY;
    }
    status = status ? status : vxe_world_reactions(s->world, forces, forces + 3 * (size_t)n, error);
    for (uint32_t i = 0; i < s->design->region_count && !status; i++) {
        s->regions[i].voxels = vxe_design_region_voxels(s->design, i, inside);
        if (s->regions[i].voxels > 0) {
            sum_region(s, &s->design->regions[i], inside, forces, forces + 3 * (size_t)n,
                       &s->regions[i]);
        }
    }
    vxe_memory_release(inside);
    vxe_memory_release(forces);
    return status;
}

/* Finds the vibrations about the present poses. */
static vxe_status find_modes(statics *s, vxe_error *error)
{
    const uint32_t count = (uint32_t)s->options->modes;
    if (count == 0) {
        return VXE_OK;
    }
    s->frequencies = vxe_memory_take(count, sizeof *s->frequencies);
    s->shapes = vxe_memory_take(6ull * count * s->design->voxel_count, sizeof *s->shapes);
    if (!s->frequencies || !s->shapes) {
        (void)command_no_memory(error);
        return VXE_ERROR_MEMORY;
    }
    const vxe_status status =
        vxe_world_modes(s->world, count, s->frequencies, s->shapes, &s->without_modes);
    if (status == VXE_ERROR_UNPHYSICAL) { /* the equilibrium is worth having all the same */
        return VXE_OK;
    }
    s->modes = status ? 0 : count;
    if (status) {
        *error = s->without_modes;
    }
    return status;
}

static vxe_status solve(statics *s, vxe_error *error)
{
    const uint32_t n = s->design->voxel_count;
    s->rest = vxe_memory_take(3ull * n, sizeof *s->rest);
    s->place = vxe_memory_take(3ull * n, sizeof *s->place);
    s->turn = vxe_memory_take(4ull * n, sizeof *s->turn);
    s->at_rest = vxe_frame_create(n, s->design->affine_count, error);
    s->at_equilibrium = vxe_frame_create(n, s->design->affine_count, error);
    if (!s->rest || !s->place || !s->turn || !s->at_rest || !s->at_equilibrium) {
        (void)command_no_memory(error);
        return VXE_ERROR_MEMORY;
    }
    vxe_world_poses(s->world, s->rest, NULL);
    vxe_frame_take(s->at_rest, s->world);
    vxe_status status = s->options->settle.linear ? find_modes(s, error) : VXE_OK;
    status = status ? status : vxe_world_settle(s->world, &s->options->settle, &s->settled, error);
    status = status || s->options->settle.linear ? status : find_modes(s, error);
    if (!status) {
        vxe_world_poses(s->world, s->place, s->turn);
        vxe_frame_take(s->at_equilibrium, s->world);
        status = sum_regions(s, error);
    }
    return status;
}

static void print_region(uint32_t number, const region_facts *r)
{
    printf("region %-3u   %u voxel%s", number, r->voxels, r->voxels == 1 ? "" : "s");
    if (r->voxels == 0) {
        printf("\n");
        return;
    }
    printf(", moved %.6g %.6g %.6g m", r->moved[0], r->moved[1], r->moved[2]);
    if (!isnan(r->stiffness)) {
        printf(", stiffness %.6g N/m", r->stiffness);
    }
    printf("\n");
    if (r->fixed) {
        printf("             held by %.6g %.6g %.6g N, %.6g %.6g %.6g N m\n", r->force[0],
               r->force[1], r->force[2], r->moment[0], r->moment[1], r->moment[2]);
    }
}

static void print_summary(const statics *s)
{
    const vxe_world_facts facts = vxe_world_describe(s->world);
    const vxe_settled *settled = &s->settled;
    const vxe_energy energy = vxe_world_energy(s->world);
    printf("%s: %u voxels, %llu bonds, %.4g kg\n", s->options->design, facts.voxels,
           (unsigned long long)facts.bonds, facts.mass);
    printf("%s  %u step%s, %llu iterations; %.1g of the loads are left\n",
           s->options->settle.linear ? "linear     " : "equilibrium", settled->steps,
           settled->steps == 1 ? "" : "s", (unsigned long long)settled->iterations,
           settled->residual);
    printf("farthest     voxel %u, %.6g m from where it was\n", settled->largest_voxel,
           settled->largest_move);
    printf("energy       %.6g J elastic, %.6g J in the floor; largest strain %.4g\n",
           energy.elastic, energy.floor, vxe_world_max_strain(s->world));
    for (uint32_t i = 0; i < s->design->region_count; i++) {
        print_region(i + 1, &s->regions[i]);
    }
    for (uint32_t i = 0; i < s->modes; i++) {
        const double f = s->frequencies[i];
        printf("vibration %-2u %.8g Hz%s\n", i + 1, fabs(f),
               f == 0  ? ", the body moves as a whole"
               : f < 0 ? " of growth: not stable"
                       : "");
    }
    if (s->design->self_collision) {
        printf("voxels that are not bonded do not push each other here\n");
    }
}

/* Writes the files that were asked for. */
static vxe_status write_files(statics *s, vxe_error *error)
{
    const statics_options *o = s->options;
    vxe_status status = o->result ? statics_write_result(s, o->result, error) : VXE_OK;
    status = status || !o->poses ? status : statics_write_poses(s, o->poses, error);
    status = status || !o->picture ? status : statics_write_picture(s, o->picture, error);
    return status || !o->record ? status : statics_write_record(s, o->record, error);
}

static vxe_status check_files(const statics_options *o, vxe_error *error)
{
    const char *files[] = {o->result, o->poses, o->picture, o->record};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (files[i] && !output_possible(files[i], error)) {
            return error->status;
        }
    }
    return VXE_OK;
}

/* Carries out the command. Returns 0 or an exit status. */
static int execute(statics *s)
{
    vxe_error error;
    const statics_options *options = s->options;
    if (check_files(options, &error)) {
        return command_fail(&error);
    }
    s->design = vxe_design_read(options->design, &error);
    if (!s->design || design_settings_apply(&options->settings, "--set", s->design, &error)) {
        return command_fail_of(options->design, &error);
    }
    print_mistakes(stderr, options->design, s->design);
    s->world = vxe_world_create(s->design, &options->def, &error);
    if (!s->world || solve(s, &error)) {
        return command_fail_of(options->design, &error);
    }
    if (!options->quiet) {
        print_summary(s);
    }
    if (write_files(s, &error)) {
        return command_fail(&error);
    }
    return s->without_modes.status ? command_fail_of(options->design, &s->without_modes) : EXIT_OK;
}

int command_statics(int count, char **words)
{
    statics_options options = {0};
    int status = parse(&options, count, words);
    if (status == 0) {
        statics s = {.options = &options};
        status = execute(&s);
        vxe_memory_release(s.regions);
        vxe_memory_release(s.rest);
        vxe_memory_release(s.place);
        vxe_memory_release(s.turn);
        vxe_memory_release(s.frequencies);
        vxe_memory_release(s.shapes);
        vxe_frame_destroy(s.at_rest);
        vxe_frame_destroy(s.at_equilibrium);
        vxe_world_destroy(s.world);
        vxe_design_destroy(s.design);
    }
    design_settings_clear(&options.settings);
    return status < 0 ? EXIT_OK : status;
}
