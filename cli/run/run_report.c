/* SPDX-License-Identifier: MIT */
/* What a run tells its user: see run.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/design_options.h"
#include "cli/info_affine.h"
#include "cli/run/run.h"

/* voxels: what moves by less stays. */
#define SHOWN_DISPLACEMENT 0.05
/* Part of the way from which a shorter step is worth trying. */
#define LARGE_STEP_ERROR 0.02

double run_expected_time(const run *r)
{
    const double by_steps = r->limits.steps == UINT64_MAX
                                ? HUGE_VAL
                                : (double)r->limits.steps * vxe_world_describe(r->world).time_step;
    return fmin(r->limits.time, by_steps);
}

/* Warns of unknown keys in full, and counts what else was ignored or assumed. */
static void print_notes(const run *r)
{
    const uint32_t mistakes = print_mistakes(stdout, r->options->design, r->design);
    const uint32_t others = vxe_design_note_count(r->design) - mistakes;
    if (others > 0) {
        printf("%u note%s on the file; 'voxelastic info' lists %s\n", others,
               others == 1 ? "" : "s", others == 1 ? "it" : "them");
    }
}

void run_print_setup(const run *r)
{
    const vxe_world_facts f = vxe_world_describe(r->world);
    char iterations[48] = "";
    if (f.damping_sweeps) {
        snprintf(iterations, sizeof iterations, ", %u damping iterations", f.damping_sweeps);
    }
    print_conventions(stdout, r->design, &r->def, &f);
    printf("%s: ", r->design->name);
    if (f.voxels > 0) {
        printf("%u voxels, %llu bonds, %u bod%s, ", f.voxels, (unsigned long long)f.bonds, f.bodies,
               f.bodies == 1 ? "y" : "ies");
    }
    if (f.affine > 0) {
        printf("%u affine bod%s, ", f.affine, f.affine == 1 ? "y" : "ies");
    }
    printf("%.4g kg\n", f.mass);
    printf("time step %.6g s (%s", f.time_step, vxe_step_rule_name(f.step_rule));
    if (f.voxels > 0) { /* affine bodies alone have neither bonds nor a spectrum */
        printf(", %s damping%s), w_max %.4g rad/s", vxe_damping_scheme_name(f.damping), iterations,
               f.highest_frequency);
    } else {
        printf(")");
    }
    printf(", %s precision, %u thread%s, %s\n", f.precision, f.threads, f.threads == 1 ? "" : "s",
           f.isa);
    for (uint32_t i = 0; i < vxe_world_warning_count(r->world); i++) {
        printf("warning: %s\n", vxe_world_warning(r->world, i));
    }
    if (f.actuation_full > run_expected_time(r)) {
        printf("warning: actuation acts in full from %g s on, but the run ends at %g s\n",
               f.actuation_full, run_expected_time(r));
    }
    if (r->recorder && f.affine > 0 && !vxe_recorder_holds_bodies(r->options->record)) {
        printf("warning: this record holds voxels only; affine bodies are in .html, .vxr and "
               ".pvd\n");
    }
    print_notes(r);
}

/* What the energy audit says of the whole run. */
static void print_audit(const run *r)
{
    const vxe_energy energy = vxe_world_energy(r->world);
    const double gain = vxe_energy_gain(&energy);
    printf("energy audit: the balance %s by %.2g of what was put in%s\n",
           gain < 0 ? "fell" : "rose", fabs(gain),
           vxe_result_failed(&r->result) ? "; try --step-scale 0.5" : "");
}

/* Decimals that show two digits of a part as a percentage, at most two. */
static int decimals(double part)
{
    return part < 0.01 ? 2 : part < 0.1 ? 1 : 0;
}

/* What the shadow says, of a robot that gets anywhere. */
static void print_step_error(const run *r)
{
    const vxe_step_error *e = &r->step_error;
    if (e->periods < 2) {
        return;
    }
    const bool large = e->part - e->deviation > LARGE_STEP_ERROR;
    const bool finer = r->def.step_rule == VXE_STEP_AUTO && r->def.accuracy != VXE_ACCURACY_FINE;
    printf("step error: about %.*f +- %.*f %% of the way, by %u periods run again at half the "
           "step%s\n",
           decimals(e->part), 100 * e->part, decimals(e->deviation), 100 * e->deviation, e->periods,
           large && finer ? "; try --accuracy fine" : "");
}

/* What stays where it is may bend: the voxel that is furthest from where it settled. */
static void print_bent(const run *r, const vxe_world_facts *f)
{
    double *now = r->places + 3 * (size_t)f->voxels;
    double largest = -1;
    uint32_t tip = 0;
    vxe_world_poses(r->world, now, NULL);
    for (uint32_t v = 0; v < f->voxels; v++) {
        const double *from = r->places + 3 * (size_t)v;
        const double *to = now + 3 * (size_t)v;
        const double way = hypot(hypot(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
        tip = way > largest ? v : tip;
        largest = fmax(largest, way);
    }
    const double *from = r->places + 3 * (size_t)tip;
    const double *to = now + 3 * (size_t)tip;
    const int32_t *cell = r->design->voxels[tip].position;
    printf("it stays; voxel (%d, %d, %d) moved furthest, by (%.4g, %.4g, %.4g) m = %.3g voxels; "
           "largest axial strain %.3g\n",
           cell[0], cell[1], cell[2], to[0] - from[0], to[1] - from[1], to[2] - from[2],
           largest / f->voxel_size, r->result.max_strain);
}

void run_print_summary(const run *r)
{
    const vxe_world_facts f = vxe_world_describe(r->world);
    const vxe_result *result = &r->result;
    printf("%s %.6g s in %llu steps, %.3g s of wall time",
           strcmp(result->status, "ok") == 0 ? "simulated" : result->status,
           vxe_world_time(r->world), (unsigned long long)vxe_world_steps(r->world),
           result->wall_seconds);
    if (f.voxels > 0) {
        printf(": %.1f M bond updates/s", 1e-6 * vxe_result_bond_rate(result, r->world));
    }
    printf("\n");
    print_observations(r->world);
    if (r->def.audit && strcmp(result->status, "diverged") != 0) {
        print_audit(r);
    }
    if (!vxe_result_failed(result) && f.voxels > 0) {
        const double moved = vxe_result_displacement(result, r->world) / f.voxel_size;
        if (moved < SHOWN_DISPLACEMENT && r->places) {
            print_bent(r, &f);
        } else {
            printf("horizontal displacement %.6g m = %.4g voxels, speed %.4g body lengths/s, "
                   "largest axial strain %.3g\n",
                   moved * f.voxel_size, moved,
                   vxe_result_body_lengths_per_second(result, r->world), result->max_strain);
            print_step_error(r);
        }
        if (result->fitness) {
            printf("fitness %.9g%s\n", *result->fitness, vxe_design_fitness_unit(r->design).behind);
        }
    }
}
