/* SPDX-License-Identifier: MIT */
/* Reads the tables of searches and computes curves with bootstrap bands. */
#include "evolution/analysis.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/random_internal.h"
#include "common/status_internal.h"
#include "evolution/experiment/experiment_internal.h"
#include "evolution/statistics_internal.h"
#include "evolution/storage/search_table_internal.h"

#define RESAMPLES 2000u

typedef struct run {
    uint32_t generations;
    double *curves; /* (generations, VXE_CURVES) */
    vxe_ancestor *lineage;
    uint32_t ancestors;
    uint64_t champion; /* 0: no champion */
} run;

struct vxe_analysis {
    run *runs; /* (count) */
    uint32_t count;
    uint32_t generations;
    vxe_unit unit;
};

/* Columns of generations.csv. */
enum { GENERATION, EVALUATIONS, BEST, BEST_FITNESS, LIVING, MEDIAN, FAILED, CELLS };

static vxe_status read_curves(run *r, const char *folder, vxe_error *error)
{
    vxe_table t;
    bool more = true;
    uint32_t capacity = 0;
    vxe_status status = vxe_table_open(&t, folder, "generations.csv", "generation,", error);
    while (!status && more) {
        double cells[VXE_TABLE_COLUMNS] = {0};
        status = vxe_table_row(&t, cells, &more, error);
        if (status || !more) {
            break;
        }
        const bool named = cells[BEST] == cells[BEST];
        if (cells[GENERATION] != r->generations || t.columns <= CELLS ||
            !vxe_is_whole(cells[EVALUATIONS], 1e15) ||
            (named && !(vxe_is_whole(cells[BEST], cells[EVALUATIONS]) && cells[BEST] > 0))) {
            status = vxe_table_damaged(&t, "the numbers of generations are not consecutive", error);
            break;
        }
        if (r->generations == capacity) {
            const uint32_t larger = capacity ? 2 * capacity : 128;
            double *curves =
                vxe_memory_grow(r->curves, capacity, larger, VXE_CURVES * sizeof *curves);
            if (!curves) {
                status = vxe_error_memory(error, larger * VXE_CURVES * sizeof *curves);
                break;
            }
            r->curves = curves;
            capacity = larger;
        }
        double *row = r->curves + (size_t)VXE_CURVES * r->generations++;
        row[VXE_CURVE_BEST] = cells[BEST_FITNESS];
        row[VXE_CURVE_MEDIAN] = cells[MEDIAN];
        row[VXE_CURVE_CELLS] = cells[CELLS];
        row[VXE_CURVE_FAILED] = cells[FAILED];
        r->champion = named ? (uint64_t)cells[BEST] : 0;
    }
    if (!status && r->generations == 0) {
        status = vxe_table_damaged(&t, "holds no generation yet", error);
    }
    vxe_table_close(&t);
    return status;
}

/* Reads all individuals up to the champion, by id. */
static vxe_status read_individuals(vxe_ancestor *all, uint64_t champion, const char *folder,
                                   vxe_error *error)
{
    vxe_table t;
    bool more = true;
    vxe_status status = vxe_table_open(&t, folder, "individuals.csv", "id,", error);
    for (uint64_t id = 1; id <= champion && !status; id++) {
        double cells[VXE_TABLE_COLUMNS] = {0};
        status = vxe_table_row(&t, cells, &more, error);
        if (!status && (!more || cells[VXE_ROW_ID] != (double)id || t.columns <= VXE_ROW_VOXELS ||
                        cells[VXE_ROW_PARENT] >= (double)id ||
                        !vxe_is_whole(cells[VXE_ROW_BORN], UINT32_MAX) ||
                        !vxe_is_whole(cells[VXE_ROW_VOXELS], UINT32_MAX))) {
            status = vxe_table_damaged(&t, "the ids of individuals are not consecutive", error);
        }
        if (!status) {
            all[id - 1] =
                (vxe_ancestor){id, cells[VXE_ROW_PARENT] > 0 ? (uint64_t)cells[VXE_ROW_PARENT] : 0,
                               (uint32_t)cells[VXE_ROW_BORN], cells[VXE_ROW_FITNESS],
                               (uint32_t)cells[VXE_ROW_VOXELS]};
        }
    }
    vxe_table_close(&t);
    return status;
}

static vxe_status read_lineage(run *r, const char *folder, vxe_error *error)
{
    if (r->champion == 0) {
        return VXE_OK;
    }
    vxe_ancestor *all = vxe_memory_take(r->champion, sizeof *all);
    vxe_status status = all ? read_individuals(all, r->champion, folder, error)
                            : vxe_error_memory(error, r->champion * sizeof *all);
    for (uint64_t id = r->champion; id > 0 && !status; id = all[id - 1].parent) {
        r->ancestors++;
    }
    r->lineage = status ? NULL : vxe_memory_take(r->ancestors, sizeof *r->lineage);
    if (!status && !r->lineage) {
        status = vxe_error_memory(error, r->ancestors * sizeof *r->lineage);
    }
    uint32_t left = r->ancestors;
    for (uint64_t id = r->champion; id > 0 && !status; id = all[id - 1].parent) {
        r->lineage[--left] = all[id - 1];
    }
    VXE_ASSERT(status || left == 0);
    vxe_memory_release(all);
    return status;
}

/* Finds the unit of the fitness in all folders. What is not known to one has none; fails without
   memory only. */
static vxe_status find_unit(const char *const *folders, uint32_t count, vxe_unit *unit,
                            vxe_error *error)
{
    *unit = (vxe_unit){"", "", ""};
    for (uint32_t i = 0; i < count; i++) {
        char path[1024];
        vxe_error inner = {.status = VXE_OK};
        const int length = snprintf(path, sizeof path, "%s/config.json", folders[i]);
        vxe_experiment *e =
            length > 0 && (size_t)length < sizeof path ? vxe_experiment_read(path, &inner) : NULL;
        if (inner.status == VXE_ERROR_MEMORY) {
            *error = inner;
            return VXE_ERROR_MEMORY;
        }
        const vxe_unit own = e ? vxe_design_fitness_unit(e->ground) : (vxe_unit){"", "", ""};
        vxe_experiment_destroy(e);
        *unit = i > 0 ? vxe_unit_of_both(*unit, own) : own;
    }
    return VXE_OK;
}

vxe_analysis *vxe_analysis_open(const char *const *folders, uint32_t count, vxe_error *error)
{
    vxe_analysis *a = vxe_memory_take(1, sizeof *a);
    vxe_status status = VXE_OK;
    if (!a || !(a->runs = vxe_memory_take(count, sizeof *a->runs))) {
        status = vxe_error_memory(error, count * sizeof(run));
    }
    for (uint32_t i = 0; i < count && !status; i++) {
        run *r = &a->runs[a->count++];
        status = read_curves(r, folders[i], error);
        status = status ? status : read_lineage(r, folders[i], error);
        a->generations =
            i == 0 || r->generations < a->generations ? r->generations : a->generations;
    }
    const uint64_t failures = vxe_memory_failures();
    if (!status) {
        status = find_unit(folders, count, &a->unit, error);
        status = vxe_memory_check(failures, error) ? VXE_ERROR_MEMORY : status;
    }
    if (status) {
        vxe_analysis_close(a);
        return NULL;
    }
    return a;
}

void vxe_analysis_close(vxe_analysis *analysis)
{
    if (!analysis) {
        return;
    }
    for (uint32_t i = 0; analysis->runs && i < analysis->count; i++) {
        vxe_memory_release(analysis->runs[i].curves);
        vxe_memory_release(analysis->runs[i].lineage);
    }
    vxe_memory_release(analysis->runs);
    vxe_memory_release(analysis);
}

uint32_t vxe_analysis_runs(const vxe_analysis *analysis)
{
    return analysis->count;
}

vxe_unit vxe_analysis_unit(const vxe_analysis *analysis)
{
    return analysis->unit;
}

uint32_t vxe_analysis_generations(const vxe_analysis *analysis)
{
    return analysis->generations;
}

double vxe_analysis_value(const vxe_analysis *analysis, vxe_curve curve, uint32_t index,
                          uint32_t generation)
{
    if (index >= analysis->count || generation >= analysis->runs[index].generations ||
        (unsigned)curve >= VXE_CURVES) {
        return (double)NAN;
    }
    return analysis->runs[index].curves[(size_t)VXE_CURVES * generation + (size_t)curve];
}

const vxe_ancestor *vxe_analysis_lineage(const vxe_analysis *analysis, uint32_t index,
                                         uint32_t *count)
{
    const bool known = index < analysis->count;
    *count = known ? analysis->runs[index].ancestors : 0;
    return known ? analysis->runs[index].lineage : NULL;
}

vxe_band vxe_analysis_band(const vxe_analysis *analysis, vxe_curve curve, uint32_t generation)
{
    const uint32_t count = analysis->count;
    vxe_band band = {(double)NAN, (double)NAN, (double)NAN};
    double *values = vxe_memory_take(2ull * count, sizeof *values);
    double *medians = vxe_memory_take(RESAMPLES, sizeof *medians);
    bool whole = values && medians;
    for (uint32_t i = 0; i < count && whole; i++) {
        values[i] = vxe_analysis_value(analysis, curve, i, generation);
        whole = values[i] == values[i];
    }
    if (whole) {
        vxe_stream stream = vxe_stream_open(0, generation, (uint32_t)curve, count);
        for (uint32_t k = 0; k < RESAMPLES; k++) {
            for (uint32_t i = 0; i < count; i++) {
                values[count + i] = values[vxe_stream_below(&stream, count)];
            }
            medians[k] = vxe_median(values + count, count);
        }
        qsort(medians, RESAMPLES, sizeof *medians, vxe_compare_numbers);
        band = (vxe_band){vxe_median(values, count), medians[RESAMPLES / 40],
                          medians[RESAMPLES - 1 - RESAMPLES / 40]};
    }
    vxe_memory_release(values);
    vxe_memory_release(medians);
    return band;
}
