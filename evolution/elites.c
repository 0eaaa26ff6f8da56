/* SPDX-License-Identifier: MIT */
#include "evolution/elites.h"

#include <stdio.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/experiment/experiment_internal.h"
#include "evolution/search_internal.h"
#include "evolution/storage/search_table_internal.h"

/* Puts a row where it belongs, if it is better than who is there. */
static vxe_status place(vxe_elites *elites, const vxe_experiment *e, const vxe_table *t,
                        const double *cells, vxe_error *error)
{
    vxe_outcome outcome = {0};
    bool whole = t->columns > VXE_ROW_HEIGHT && vxe_is_whole(cells[VXE_ROW_ID], 1e15) &&
                 vxe_is_whole(cells[VXE_ROW_VOXELS], vxe_cell_count(e)) &&
                 vxe_is_whole(cells[VXE_ROW_ACTUATED], cells[VXE_ROW_VOXELS]);
    for (int c = 0; c < 3; c++) {
        whole = whole && vxe_is_whole(cells[VXE_ROW_LENGTH + c], e->size[c]);
        outcome.extent[c] = whole ? (uint32_t)cells[VXE_ROW_LENGTH + c] : 0;
    }
    if (!whole) {
        return vxe_table_damaged(t, "an individual that does not fit the experiment", error);
    }
    const double fitness = cells[VXE_ROW_FITNESS];
    outcome.voxels = (uint32_t)cells[VXE_ROW_VOXELS];
    outcome.actuated = (uint32_t)cells[VXE_ROW_ACTUATED];
    if (fitness == fitness && outcome.voxels > 0) {
        vxe_elite *cell = &elites->cells[vxe_cell_of(e, &outcome)];
        if (cell->id == 0 || fitness > cell->fitness) {
            *cell = (vxe_elite){(uint64_t)cells[VXE_ROW_ID], fitness};
        }
    }
    return VXE_OK;
}

static vxe_status fill(vxe_elites *elites, const vxe_experiment *e, const char *folder,
                       vxe_error *error)
{
    vxe_table t;
    bool more = true;
    vxe_status status = vxe_table_open(&t, folder, "individuals.csv", "id,", error);
    while (!status && more) {
        double cells[VXE_TABLE_COLUMNS] = {0};
        status = vxe_table_row(&t, cells, &more, error);
        status = status || !more ? status : place(elites, e, &t, cells, error);
    }
    vxe_table_close(&t);
    return status;
}

vxe_elites *vxe_elites_read(const char *folder, vxe_error *error)
{
    char path[1024];
    const int length = snprintf(path, sizeof path, "%s/config.json", folder);
    if (length < 0 || (size_t)length >= sizeof path) {
        (void)vxe_error_fill(error, VXE_ERROR_ARGUMENT, "%.60s...: the path is too long", folder);
        return NULL;
    }
    vxe_experiment *e = vxe_experiment_read(path, error);
    vxe_elites *elites = e ? vxe_memory_take(1, sizeof *elites) : NULL;
    if (elites) {
        const vxe_algorithm_settings *settings = &e->algorithm;
        elites->bins[0] = (uint32_t)settings->first_bins;
        elites->bins[1] = (uint32_t)settings->second_bins;
        elites->descriptors[0] = vxe_descriptor_name(settings->first_descriptor);
        elites->descriptors[1] = vxe_descriptor_name(settings->second_descriptor);
        elites->cells =
            vxe_memory_take((uint64_t)elites->bins[0] * elites->bins[1], sizeof *elites->cells);
    }
    bool there = elites && elites->cells;
    if (e && e->encoding.name == VXE_ENCODING_CONTROLLER) {
        (void)vxe_error_fill(error, VXE_ERROR_UNSUPPORTED, "all bodies are the same one");
        there = false;
    } else if (e && !there) {
        (void)vxe_error_memory(error, sizeof *elites);
    }
    if (!there || fill(elites, e, folder, error)) {
        vxe_elites_destroy(elites);
        elites = NULL;
    }
    vxe_experiment_destroy(e);
    return elites;
}

void vxe_elites_destroy(vxe_elites *elites)
{
    if (elites) {
        vxe_memory_release(elites->cells);
        vxe_memory_release(elites);
    }
}
