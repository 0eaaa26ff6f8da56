/* SPDX-License-Identifier: MIT */
/* Whether what was tuned over a short run also does well over a longer one. */
#include <math.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/shared/interrupt.h"
#include "cli/tune/tune.h"

/* The longer run is so many times as long, where nothing is said. */
#define LONGER 4.0

vxe_status tune_check_design(const vxe_tuner *tuner, uint32_t check, vxe_design **design,
                             vxe_error *error)
{
    return check == 0 ? vxe_tuner_before(tuner, design, error)
                      : vxe_tuner_design(tuner, check - 1, design, NULL, NULL, error);
}

static bool watch(const vxe_batch_progress *progress, void *user)
{
    (void)progress;
    (void)user;
    return !interrupted();
}

/* Runs all designs for one of the times. */
static vxe_status run_all(tune_checks *checks, vxe_design *const *designs, const vxe_tuner *tuner,
                          int which, vxe_error *error)
{
    vxe_batch_def def = vxe_batch_def_default();
    def.world = vxe_tuner_world(tuner);
    def.duration = checks->seconds[which];
    vxe_batch *batch = vxe_batch_create(&def, error);
    vxe_status status = batch ? VXE_OK : error->status;
    for (uint32_t k = 0; k < checks->count && !status; k++) {
        status = vxe_batch_add(batch, designs[k], error);
    }
    status = status ? status : vxe_batch_run(batch, watch, NULL, error);
    status = status ? status : interrupted_status(error);
    for (uint32_t k = 0; k < checks->count && !status; k++) {
        const vxe_batch_result result = vxe_batch_result_of(batch, k);
        checks->list[k].score[which] =
            result.status == VXE_ROBOT_DONE ? result.fitness : (double)NAN;
    }
    vxe_batch_destroy(batch);
    return status;
}

/* The one that did best over the longer run; the first where none got to its end. */
static uint32_t choose(const tune_checks *checks)
{
    uint32_t chosen = checks->count > 1 ? 1 : 0;
    for (uint32_t k = chosen; k < checks->count; k++) {
        const double score = checks->list[k].score[1];
        const double best = checks->list[chosen].score[1];
        chosen = score > best || (isnan(best) && !isnan(score)) ? k : chosen;
    }
    return chosen;
}

vxe_status tune_check_run(tune_checks *checks, const vxe_tuner *tuner, double longer,
                          vxe_error *error)
{
    const vxe_tuner_facts facts = vxe_tuner_describe(tuner);
    vxe_design *designs[1 + VXE_TUNER_KEPT] = {NULL};
    vxe_status status = VXE_OK;
    *checks =
        (tune_checks){.count = 1 + facts.kept,
                      .seconds = {facts.seconds, longer > 0 ? longer : LONGER * facts.seconds}};
    for (uint32_t k = 0; k < checks->count && !status; k++) {
        tune_check *check = &checks->list[k];
        status = tune_check_design(tuner, k, &designs[k], error);
        snprintf(check->file, sizeof check->file, k == 0 ? "before.json" : "best/%u.json", k);
        if (k > 0 && !status) {
            vxe_design *same = NULL;
            status = vxe_tuner_design(tuner, k - 1, &same, NULL, &check->iteration, error);
            vxe_design_destroy(same);
        }
    }
    for (int which = 0; which < 2 && !status; which++) {
        status = run_all(checks, designs, tuner, which, error);
    }
    if (!status) {
        checks->unit = vxe_design_fitness_unit(designs[0]);
        checks->chosen = choose(checks);
    }
    for (uint32_t k = 0; k < checks->count; k++) {
        vxe_design_destroy(designs[k]);
    }
    return status;
}

static void put_score(FILE *stream, double score)
{
    if (!isnan(score)) {
        fprintf(stream, "%.17g", score);
    }
}

vxe_status tune_check_write(const tune_checks *checks, const vxe_tuner *tuner,
                            const tune_folder *folder, vxe_error *error)
{
    char path[TUNE_PATH];
    vxe_file_writer file;
    vxe_design *design = NULL;
    vxe_status status = vxe_file_begin(&file, tune_folder_name(folder, "checks.csv", path), error);
    if (!status) {
        fprintf(file.stream, "design,iteration,score%s,longer_score%s,seconds_s,longer_s,chosen\n",
                checks->unit.suffix, checks->unit.suffix);
        for (uint32_t k = 0; k < checks->count; k++) {
            const tune_check *check = &checks->list[k];
            fprintf(file.stream, "%s,%u,", check->file, check->iteration);
            put_score(file.stream, check->score[0]);
            putc(',', file.stream);
            put_score(file.stream, check->score[1]);
            fprintf(file.stream, ",%.10g,%.10g,%d\n", checks->seconds[0], checks->seconds[1],
                    k == checks->chosen);
        }
        status = vxe_file_commit(&file, error);
    }
    status = status ? status : tune_check_design(tuner, checks->chosen, &design, error);
    status = status ? status
                    : vxe_design_write(design, tune_folder_name(folder, "best.json", path), error);
    vxe_design_destroy(design);
    return status;
}
