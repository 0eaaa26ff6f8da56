/* SPDX-License-Identifier: MIT */
/* Parses the options that run, batch and info share (design_options.h). */
#include "cli/design_options.h"

#include <math.h>
#include <string.h>

#include "cli/command.h"

const char *const design_options_help =
    "  --conventions NAME   auto (default: the simulator that the file was written for), native, "
    "or\n"
    "                       voxelyze, evosoro, land-water, recorg, voxcraft (those in double\n"
    "                       precision); a choice alone: native+floor_pulls ('voxelastic\n"
    "                       conventions' lists them)\n"
    "  --threads N|auto     threads (default auto: by the size of the body; one for most robots "
    "under\n"
    "                       a published simulator's law)\n"
    "  --precision P        mixed (default: float, positions as two floats each) or double "
    "(reference)\n"
    "  --timestep RULE      auto (default), source = DtFrac/(2 pi w0), or seconds\n"
    "  --accuracy LEVEL     of the step auto: normal (default), fast (as long as is stable) or "
    "fine "
    "(a\n"
    "                       quarter of normal)\n"
    "  --step-scale F       that many times the step of the rule (0.5 shows what it costs)\n"
    "  --damping SCHEME     auto (default), explicit, or sweep (stable for any damping ratio)\n"
    "  --damping-form FORM  source (default): c = xi sqrt(m k), or pair: c = 2 zeta sqrt(m_r k)\n"
    "  --torsion CONSTANT   stvenant (native) or polar (as published)\n"
    "  --composite RULE     bonds of two materials: harmonic (default) or condensed\n"
    "  --shear RULE         beam (default) or bulk: shear spring E a/(1+nu)\n"
    "  --bonds KIND         beam (default) or bar\n"
    "  --ledger             energy audit: account for every joule dissipated and received (some "
    "50\n"
    "                       times slower)\n";

bool option_number(const char *command, const char *name, const char *value, double low,
                   double *number)
{
    if (vxe_number_read(value, number) || !(*number > low && *number < 1e300)) {
        command_misused(command, "--%s '%s': expected a number above %g and below 1e300", name,
                        value, low);
        return false;
    }
    return true;
}

bool option_whole(const char *command, const char *name, const char *value, uint64_t *number)
{
    double real = 0;
    if (vxe_number_read(value, &real) || !(real >= 1 && real <= 1e15) || real != floor(real)) {
        command_misused(command, "--%s '%s': expected a whole number from 1 to 1e15", name, value);
        return false;
    }
    *number = (uint64_t)real;
    return true;
}

int option_choice(const char *command, const char *name, const char *value, const char *a,
                  const char *b, const char *c)
{
    const char *const words[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        if (words[i] && strcmp(words[i], value) == 0) {
            return i;
        }
    }
    command_misused(command, "--%s '%s': expected %s%s%s%s%s", name, value, a, c ? ", " : " or ", b,
                    c ? " or " : "", c ? c : "");
    return -1;
}

static int set_threads(const char *command, const char *value, vxe_world_def *def)
{
    double threads = 0;
    if (strcmp(value, "auto") == 0) {
        def->threads = 0;
        return 0;
    }
    if (vxe_number_read(value, &threads) || !(threads >= 1 && threads <= 1024) ||
        threads != floor(threads)) {
        return command_misused(
            command, "--threads '%s': expected a whole number from 1 to 1024, or auto", value);
    }
    def->threads = (uint32_t)threads;
    return 0;
}

static int set_timestep(const char *command, const char *value, vxe_world_def *def)
{
    if (strcmp(value, "auto") == 0 || strcmp(value, "source") == 0) {
        def->step_rule = value[0] == 'a' ? VXE_STEP_AUTO : VXE_STEP_SOURCE;
        return 0;
    }
    def->step_rule = VXE_STEP_SECONDS;
    return option_number(command, "timestep", value, 0, &def->step_seconds) ? 0 : EXIT_USAGE;
}

static int set_conventions(const char *command, const char *value, vxe_world_def *def)
{
    vxe_conventions rules;
    vxe_error error;
    if (!vxe_conventions_left_open(value) && vxe_conventions_parse(value, &rules, &error)) {
        return command_misused(command, "--conventions: %s", error.message);
    }
    def->conventions = value;
    return 0;
}

void print_conventions(FILE *out, const vxe_design *design, const vxe_world_def *def,
                       const vxe_world_facts *facts)
{
    const bool open = vxe_conventions_left_open(def->conventions);
    const char *why = design->written_for_by[0] ? design->written_for_by
                                                : "nothing says for which simulator it was made";
    fprintf(out, "conventions: %s", facts->conventions);
    if (!open && strcmp(facts->conventions, design->written_for) != 0) {
        fprintf(out,
                ", as asked; the file was %swritten for %s (%s): '--conventions auto' scores "
                "it so\n",
                design->written_for_guessed ? "likely " : "", design->written_for, why);
        return;
    }
    fprintf(out, "%s (%s)", design->written_for_guessed ? ", likely" : "", why);
    if (facts->rules->cost[0]) {
        fprintf(out, ", as published; %s", facts->rules->cost);
    }
    fputs(strncmp(facts->conventions, "native", 6) == 0 ? "\n"
                                                        : "; '--conventions native' is our own\n",
          out);
}

uint32_t print_mistakes(FILE *out, const char *path, const vxe_design *design)
{
    uint32_t mistakes = 0;
    for (uint32_t i = 0; i < vxe_design_note_count(design); i++) {
        if (vxe_design_note_is_mistake(design, i)) {
            fprintf(out, "warning: %s: %s\n", path, vxe_design_note(design, i));
            mistakes++;
        }
    }
    return mistakes;
}

int design_option(const char *command, int option, const char *value, vxe_world_def *def)
{
    int index = 0;
    switch (option) {
    case OPTION_CONVENTIONS:
        return set_conventions(command, value, def);
    case OPTION_THREADS:
        return set_threads(command, value, def);
    case OPTION_PRECISION:
        index = option_choice(command, "precision", value, "mixed", "double", NULL);
        def->precision = index == 1 ? VXE_PRECISION_DOUBLE : VXE_PRECISION_MIXED;
        break;
    case OPTION_TIMESTEP:
        return set_timestep(command, value, def);
    case OPTION_ACCURACY:
        index = option_choice(command, "accuracy", value, "normal", "fast", "fine");
        def->accuracy = (vxe_accuracy)(index < 0 ? 0 : index);
        break;
    case OPTION_STEP_SCALE:
        return option_number(command, "step-scale", value, 0, &def->step_scale) ? 0 : EXIT_USAGE;
    case OPTION_DAMPING:
        index = option_choice(command, "damping", value, "auto", "explicit", "sweep");
        def->damping = (vxe_damping_scheme)(index < 0 ? 0 : index);
        break;
    case OPTION_DAMPING_FORM:
        index = option_choice(command, "damping-form", value, "source", "pair", NULL);
        def->damping_form = index == 1 ? VXE_DAMPING_PAIR : VXE_DAMPING_SOURCE;
        break;
    case OPTION_TORSION:
        index = option_choice(command, "torsion", value, "stvenant", "polar", NULL);
        def->torsion = index;
        break;
    case OPTION_COMPOSITE:
        index = option_choice(command, "composite", value, "harmonic", "condensed", NULL);
        def->composite = index == 1 ? VXE_COMPOSITE_CONDENSED : VXE_COMPOSITE_HARMONIC;
        break;
    case OPTION_SHEAR:
        index = option_choice(command, "shear", value, "beam", "bulk", NULL);
        def->shear = index == 1 ? VXE_SHEAR_BULK : VXE_SHEAR_BEAM;
        break;
    case OPTION_BONDS:
        index = option_choice(command, "bonds", value, "beam", "bar", NULL);
        def->bond_kind = index == 1 ? VXE_BOND_BAR : VXE_BOND_BEAM;
        break;
    case OPTION_LEDGER:
        def->audit = true;
        break;
    default:
        return -1;
    }
    return index < 0 ? EXIT_USAGE : 0;
}
