/* SPDX-License-Identifier: MIT */
/* Each reader of files with bytes in memory as its source. What can be read must be a sound design,
 * history or record. */
#define _POSIX_C_SOURCE 200809L
#include "readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evolution/experiment/experiment_internal.h"
#include "lattice/formats/job_internal.h"
#include "lattice/formats/others/npy_internal.h"
#include "lattice/formats/others/vox_internal.h"
#include "lattice/formats/scene/scene_internal.h"
#include "lattice/formats/vxa/vxc_internal.h"
#include "output/foreign/simulator_results_parse.h"
#include "output/foreign/voxcraft_history_parse.h"
#include "output/record/vxr_format.h"

static void never_told(void *user, const char *text)
{
    (void)user;
    (void)text;
    abort();
}

static bool is_sound(vxe_design *design)
{
    vxe_error error;
    if (design) {
        (void)vxe_design_hash(design);
        (void)vxe_design_differences(design, design, never_told, NULL, &error);
    }
    vxe_design_destroy(design);
    return design != NULL;
}

static vxe_text source_of(const char *file, const char *bytes, uint64_t size)
{
    return (vxe_text){file, bytes, size, false};
}

bool read_as_vxa(const char *bytes, uint64_t size)
{
    const vxe_text source = source_of("damaged.vxa", bytes, size);
    vxe_error error;
    return is_sound(vxe_vxa_read(&source, &error));
}

bool read_as_vxd(const char *bytes, uint64_t size)
{
    static const char base[] =
        "<VXA><VXC><Lattice><Lattice_Dim>0.01</Lattice_Dim></"
        "Lattice><Palette><Material><Mechanical>"
        "<Elastic_Mod>1e6</Elastic_Mod><Density>1000</Density></Mechanical></Material></Palette>"
        "<Structure Compression=\"ASCII_READABLE\"><X_Voxels>2</X_Voxels><Data><Layer>11</Layer>"
        "</Data></Structure></VXC></VXA>";
    const vxe_text below = source_of("base.vxa", base, sizeof base - 1);
    const vxe_text source = source_of("damaged.vxd", bytes, size);
    vxe_error error;
    return is_sound(vxe_vxd_read(&below, &source, &error));
}

bool read_as_json(const char *bytes, uint64_t size)
{
    const vxe_text source = source_of("damaged.json", bytes, size);
    vxe_error error;
    return is_sound(vxe_json_read(&source, &error));
}

bool read_as_vox(const char *bytes, uint64_t size)
{
    const vxe_text source = source_of("damaged.vox", bytes, size);
    vxe_error error;
    return is_sound(vxe_vox_read(&source, &error));
}

bool read_as_npy(const char *bytes, uint64_t size)
{
    const vxe_text source = source_of("damaged.npy", bytes, size);
    vxe_error error;
    return is_sound(vxe_npy_read(&source, &error));
}

bool read_as_npz(const char *bytes, uint64_t size)
{
    const vxe_text source = source_of("damaged.npz", bytes, size);
    vxe_error error;
    return is_sound(vxe_npz_read(&source, &error));
}

bool read_as_history(const char *bytes, uint64_t size)
{
    const vxe_text source = source_of("damaged.history", bytes, size);
    vxe_error error;
    vxe_history_reader *recording = vxe_history_reader_scan(&source, &error);
    vxe_history_reader_destroy(recording);
    return recording != NULL;
}

/* Reads each frame; there must be at least one. */
bool read_as_vxr(const char *bytes, uint64_t size)
{
    vxe_error error;
    char *copy = size > 0 ? malloc(size) : NULL; /* members of a stream are not const */
    if (!copy) {
        return false;
    }
    memcpy(copy, bytes, size);
    FILE *file = fmemopen(copy, size, "rb");
    vxe_vxr *record = file ? vxe_vxr_open_stream(file, size, "damaged.vxr", &error) : NULL;
    bool good = false;
    vxe_frame *frame = record ? vxe_frame_create(vxe_vxr_design(record)->voxel_count,
                                                 vxe_vxr_design(record)->affine_count, &error)
                              : NULL;
    for (uint64_t i = 0; frame && i < vxe_vxr_frame_count(record); i++) {
        good = !vxe_vxr_read(record, i, frame, &error) || good;
    }
    vxe_frame_destroy(frame);
    vxe_vxr_destroy(record);
    free(copy);
    return good;
}

bool read_as_scores(const char *bytes, uint64_t size)
{
    const vxe_text source = source_of("damaged.xml", bytes, size);
    vxe_error error;
    vxe_scores *scores = vxe_scores_scan(&source, &error);
    vxe_scores_destroy(scores);
    return scores != NULL;
}

/* An experiment that is read is written and read again with the same result, because a search is
 * resumed from what was written. */
bool read_as_experiment(const char *bytes, uint64_t size)
{
    vxe_error error;
    vxe_experiment *first = vxe_experiment_parse("damaged.json", bytes, size, &error);
    if (!first) {
        return false;
    }
    char *text = vxe_experiment_text(first);
    vxe_experiment *second =
        text ? vxe_experiment_parse("config.json", text, strlen(text), &error) : NULL;
    char *again = second ? vxe_experiment_text(second) : NULL;
    if (!again || strcmp(text, again) != 0) {
        abort();
    }
    free(text);
    free(again);
    vxe_experiment_destroy(first);
    vxe_experiment_destroy(second);
    return true;
}

bool read_as_job(const char *bytes, uint64_t size)
{
    const vxe_text source = source_of("damaged.vxt", bytes, size);
    vxe_error error;
    vxe_job job;
    const bool read = vxe_job_scan(&job, &source, &error) == VXE_OK;
    vxe_job_clear(&job);
    return read;
}
