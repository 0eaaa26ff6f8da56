/* SPDX-License-Identifier: MIT */
/* Layers of a VXA that say how voxels grow: the field counts sizes from -1 to 1 and times in parts
   of a life; ours are factors and seconds. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/status_internal.h"
#include "lattice/formats/vxa/vxc_internal.h"

/* The layer of that name, which the design owns; null if it has none. */
static vxe_layer *own_layer(vxe_design *design, const char *name)
{
    const vxe_layer *found = vxe_design_find_layer(design, name);
    return found ? &design->layers[found - design->layers] : NULL;
}

/* Gives a layer another name and its numbers, clamped from below, another scale. */
static void translate(vxe_design *design, const char *name, const char *to, double offset,
                      double scale, double min)
{
    vxe_layer *layer = own_layer(design, name);
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
    const bool grows = own_layer(design, "InitialVoxelSize") || own_layer(design, "FinalVoxelSize");
    const double life = design->stop.duration - reader->afterlife - design->stop.settle_time;
    const char *const times[2] = {"StartGrowthTime", "GrowthTime"};
    translate(design, "TempAmpDamp", "Amplitude", 0, 1, -HUGE_VAL);
    if (!grows || !(life > 0)) {
        if (grows) {
            vxe_messages_add(notes,
                             "voxels do not grow: growth is timed in parts of a life, and the "
                             "file gives it no duration");
        }
        for (int i = 0; i < 2; i++) { /* parts of a life, and no seconds */
            vxe_layer *layer = own_layer(design, times[i]);
            if (layer) {
                snprintf(layer->name, sizeof layer->name, "%sOfLife", times[i]);
            }
        }
        return VXE_OK;
    }
    const double amplitude = vxe_xml_number(environment, "GrowthAmplitude", 0, notes);
    const double shortest = vxe_xml_number(environment, "MinGrowthTime", 0, notes);
    const double smallest = vxe_xml_number(simulator, "MinTempFact", 0.1, notes);
    translate(design, "InitialVoxelSize", "InitialSize", 1, amplitude, smallest);
    translate(design, "FinalVoxelSize", "FinalSize", 1, amplitude, smallest);
    translate(design, "GrowthTime", "GrowthTime", 0, life, shortest);
    if (!vxe_design_layer(design, "StartGrowthTime", 1)) { /* without one growth starts with life */
        return vxe_error_memory(error, design->voxel_count * sizeof(double));
    }
    translate(design, "StartGrowthTime", "GrowthStart", design->stop.settle_time, life, 0);
    return VXE_OK;
}
