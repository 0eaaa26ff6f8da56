/* SPDX-License-Identifier: MIT */
/* voxelastic convert: reads a design in one format and writes it in another. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/shared/design_settings.h"
#include "cli/shared/options.h"

#include <voxelastic/voxelastic.h>

typedef struct options {
    design_settings settings;
    const char *base;
    const char *materials;
    uint32_t depth; /* 0: unchanged */
    const char *from;
    const char *to;
} options;

static void print_help(void)
{
    puts("usage: voxelastic convert [options] DESIGN OUT\n\n"
         "Reads a design (.vxa .vxc .vxd .json .vox .npy .npz) and writes it as a scene (.json), "
         "with\n"
         "every digit, or as .vxa, .vxc, .vxl.json (Voxelyze), .evogym.json or .vox. Lists on "
         "standard error what "
         "was not read,\n"
         "and what the new file cannot hold.\n\n"
         "  --depth N         repeats a flat design (EvoGym) N times along y\n"
         "  --base FILE       what a .vxd is laid over (default: base.vxa in its folder)\n"
         "  --set KEY=VALUE   a value of the design by its key in a scene, as often as you like; "
         "after\n"
         "                    --materials and --depth\n"
         "  --materials FILE  a .json of {\"materials\": [...]} as in scenes: each replaces "
         "the design's\n"
         "                    material of that name ('colour 12' is colour 12 of a .vox file's "
         "palette)");
}

static bool read_depth(const char *text, uint32_t *depth)
{
    double value = 0;
    if (vxe_number_read(text, &value) || !(value >= 1 && value <= 1 << 20) ||
        value != floor(value)) {
        return false;
    }
    *depth = (uint32_t)value;
    return true;
}

/* Returns -1 to go on, else an exit status. */
static int parse(int count, char **words, options *o)
{
    static const struct option names[] = {
        {"base", required_argument, NULL, 'b'},  {"materials", required_argument, NULL, 'm'},
        {"depth", required_argument, NULL, 'd'}, {"set", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},        {NULL, 0, NULL, 0}};
    int ended = 0;
    for (int option = 0; (option = options_next("convert", count, words, "h", names)) != -1;) {
        switch (option) {
        case 'b':
            o->base = optarg;
            break;
        case 'm':
            o->materials = optarg;
            break;
        case 'd':
            if (!read_depth(optarg, &o->depth)) {
                return command_misused(
                    "convert", "--depth '%s': expected a number of voxels, 1 to 1048576", optarg);
            }
            break;
        case 's':
            ended = design_settings_add(&o->settings, "convert", "set", optarg);
            if (ended) {
                return ended;
            }
            break;
        case 'h':
            print_help();
            return EXIT_OK;
        default:
            return EXIT_USAGE;
        }
    }
    if (count - optind != 2) {
        return command_misused("convert", "expected a design and the file to write");
    }
    o->from = words[optind];
    o->to = words[optind + 1];
    return -1;
}

static void tell_difference(void *user, const char *text)
{
    (void)user;
    fprintf(stderr, "voxelastic: note: not carried: %s\n", text);
}

/* Reads the written file and lists what it lacks. */
static vxe_status compare(const vxe_design *design, const char *path, vxe_error *error)
{
    vxe_design *again = vxe_design_read(path, error);
    if (!again) {
        return error->status;
    }
    const vxe_status status = vxe_design_differences(design, again, tell_difference, NULL, error);
    vxe_design_destroy(again);
    return status;
}

static int carry_out(const options *o)
{
    vxe_error error;
    vxe_design *design = o->base ? vxe_design_read_over(o->base, o->from, false, &error)
                                 : vxe_design_read(o->from, &error);
    if (!design) {
        return command_fail(&error);
    }
    vxe_status status = VXE_OK;
    if (o->materials) {
        status = vxe_design_read_materials(design, o->materials, &error);
    }
    if (!status && o->depth) {
        status = vxe_design_extrude(design, o->depth, &error);
    }
    status = status ? status : design_settings_apply(&o->settings, "--set", design, &error);
    status = status ? status : vxe_design_write(design, o->to, &error);
    status = status ? status : compare(design, o->to, &error);
    for (uint32_t i = 0; !status && i < vxe_design_note_count(design); i++) {
        fprintf(stderr, "voxelastic: note: %s\n", vxe_design_note(design, i));
    }
    if (!status) {
        printf("%s: %" PRIu32 " voxels, %" PRIu32 " materials, hash %016" PRIx64 "\n", o->to,
               design->voxel_count, design->material_count, vxe_design_hash(design));
    }
    vxe_design_destroy(design);
    return status ? command_fail_of(o->from, &error) : EXIT_OK;
}

int command_convert(int count, char **words)
{
    options o = {0};
    const int ended = parse(count, words, &o);
    const int status = ended >= 0 ? ended : carry_out(&o);
    design_settings_clear(&o.settings);
    return status;
}
