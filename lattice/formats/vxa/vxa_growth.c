/* SPDX-License-Identifier: MIT */
/* Converts the layers of a VXA that describe growth. Files have sizes from -1 to 1 and times in
   parts of the duration of life; designs have factors on the edge and seconds. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/status_internal.h"
#include "lattice/formats/vxa/vxc_internal.h"

/* The layer of that name, which may be changed; null if the design has none. */
static vxe_layer *layer_of(vxe_design *design, const char *name)
{
    const vxe_layer *found = vxe_design_find_layer(design, name);
    return found ? &design->layers[found - design->layers] : NULL;
}

/* Renames a layer and replaces its numbers x by offset + scale x, but at least min. */
static void translate(vxe_design *design, const char *name, const char *to, double offset,
                      double scale, double min)
{
    vxe_layer *layer = layer_of(design, name);
    for (uint32_t v = 0; layer && v < design->voxel_count * layer->width; v++) {
        layer->values[v] = fmax(min, offset + scale * layer->values[v]);
    }
    if (layer) {
        snprintf(layer->name, sizeof layer->name, "%s", to);
    }
}

vxe_status vxe_vxa_read_growth(vxe_vxc_reader *reader, vxe_xml_node *simulator,
                               vxe_xml_node *environment, vxe_error *error)
{
    vxe_design *design = reader->design;
    vxe_messages *notes = design->notes;
    const bool grows = layer_of(design, "InitialVoxelSize") || layer_of(design, "FinalVoxelSize");
    const double life = design->stop.duration - reader->afterlife - design->stop.settle_time;
    const char *const times[2] = {"StartGrowthTime", "GrowthTime"};
    translate(design, "TempAmpDamp", "Amplitude", 0, 1, -HUGE_VAL);
    if (!grows || !(life > 0)) {
        if (grows) {
            vxe_messages_add(notes,
                             "voxels do not grow: growth is timed in parts of the duration, and "
                             "the file gives none");
        }
        for (int i = 0; i < 2; i++) { /* another name, since these are no seconds */
            vxe_layer *layer = layer_of(design, times[i]);
            if (layer) {
                snprintf(layer->name, sizeof layer->name, "%sOfLife", times[i]);
            }
        }
        return VXE_OK;
    }
    const double amplitude = vxe_xml_number(environment, "GrowthAmplitude", 0, &reader->wrong);
    const double shortest = vxe_xml_number(environment, "MinGrowthTime", 0, &reader->wrong);
    const double smallest = vxe_xml_number(simulator, "MinTempFact", 0.1, &reader->wrong);
    translate(design, "InitialVoxelSize", "InitialSize", 1, amplitude, smallest);
    translate(design, "FinalVoxelSize", "FinalSize", 1, amplitude, smallest);
    translate(design, "GrowthTime", "GrowthTime", 0, life, shortest);
    if (!vxe_design_layer(design, "StartGrowthTime", 1)) { /* zeros if the file has none */
        return vxe_error_memory(error, design->voxel_count * sizeof(double));
    }
    translate(design, "StartGrowthTime", "GrowthStart", design->stop.settle_time, life, 0);
    return VXE_OK;
}
