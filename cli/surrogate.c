/* SPDX-License-Identifier: MIT */
/* voxelastic surrogate: fits one affine body that stands for a voxel design. */
#include <math.h>
#include <stdio.h>
#include <voxelastic/voxelastic.h>

#include "cli/command.h"
#include "cli/shared/options.h"
#include "cli/shared/output_file.h"

static const char *const help =
    "usage: voxelastic surrogate DESIGN [-o FILE.json]\n\n"
    "Makes the affine body that stands for a voxel design: with its mass and Euler tensor, with a\n"
    "modulus and a viscosity by which it breathes and sags as the design does, with a floor that\n"
    "returns as much energy, and with the actuation as growth. Prints how its motion compares "
    "with\n"
    "that of the lattice.\n\n"
    "  -o, --output FILE    the body as a scene (.json) for 'voxelastic run'\n";

static void compare(const char *what, double lattice, double body, const char *unit)
{
    if (isnan(lattice) || isnan(body)) {
        printf("%-34s nothing to compare\n", what);
    } else {
        printf("%-34s lattice %-12.6g surrogate %-12.6g %s (%+.2f %%)\n", what, lattice, body, unit,
               lattice != 0 ? 100 * (body / lattice - 1) : 0);
    }
}

static void print_report(const vxe_design *design, const vxe_surrogate_report *r)
{
    printf("%s: %u voxels become one body of 12 numbers, %.6g kg, a box of %.6g x %.6g x %.6g m\n",
           design->name, design->voxel_count, r->mass, r->size[0], r->size[1], r->size[2]);
    printf("Euler tensor (kg m^2) %.6g %.6g %.6g, %.6g %.6g %.6g (xx yy zz, xy yz zx)\n",
           r->euler[0], r->euler[4], r->euler[8], r->euler[1], r->euler[5], r->euler[2]);
    printf("E %.6g Pa, viscosity %.6g Pa s\n", r->modulus, r->viscosity);
    const double swing = hypot(r->growth[1], r->growth[2]);
    if (swing > 1e-9) {
        printf("growth %.6g, swinging by %.6g every %.6g s\n", r->growth[0], swing, r->period);
    } else if (r->period > 0) {
        printf("no growth: voxels grow in turns, their mean size stays\n");
    }
    compare("breathing", r->lattice.breathing, r->body.breathing, "Hz");
    compare("damping ratio of that", r->lattice.decay, r->body.decay, "");
    compare("sag of the centre", r->lattice.sag, r->body.sag, "m");
    compare("height after a fall", r->lattice.drop, r->body.drop, "m");
}

int command_surrogate(int count, char **words)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    const char *output = NULL;
    for (int option = 0;
         (option = options_next("surrogate", count, words, "ho:", options)) != -1;) {
        if (option == 'h') {
            printf("%s", help);
            return EXIT_OK;
        }
        if (option == '?') {
            return EXIT_USAGE;
        }
        output = optarg;
    }
    if (optind + 1 != count) {
        return command_misused("surrogate",
                               optind < count ? "one design at a time" : "which design?");
    }
    vxe_error error;
    vxe_surrogate_report report;
    if (output && !output_possible(output, &error)) {
        return command_fail(&error);
    }
    vxe_design *design = vxe_design_read(words[optind], &error);
    vxe_design *made = design ? vxe_surrogate_create(design, &report, &error) : NULL;
    int status = made ? EXIT_OK : command_fail_of(words[optind], &error);
    if (made) {
        print_report(design, &report);
        status = output && vxe_design_write(made, output, &error) ? command_fail(&error) : EXIT_OK;
    }
    vxe_design_destroy(made);
    vxe_design_destroy(design);
    return status;
}
