/* SPDX-License-Identifier: MIT */
/* Reads what a .vxa or .vxd asks of a run besides the design: where the result goes, how it is
   scored, what is recorded. */
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/file_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/task.h"
#include "lattice/formats/vxa/vxc_internal.h"

/* s: unit of RecordStepSize. */
#define RECORD_UNIT 1e-4

static vxe_status read_tree(vxe_task *task, vxe_xml_tree *tree, vxe_error *error)
{
    vxe_error wrong = {0};
    vxe_xml_node *simulator = vxe_xml_child(tree->root, "Simulator");
    vxe_xml_node *environment = vxe_xml_child(tree->root, "Environment");
    vxe_xml_node *stop = vxe_xml_child(simulator, "StopCondition");
    vxe_xml_node *file = vxe_xml_child(vxe_xml_child(simulator, "GA"), "FitnessFileName");
    const char *name = file ? file->text : "";
    if (strlen(name) >= sizeof task->result_file) {
        return vxe_xml_error(error, VXE_ERROR_INPUT, file, "a path of %zu characters is too long",
                             strlen(name));
    }
    vxe_xml_node *record = vxe_xml_child(simulator, "RecordHistory");
    const double interval = vxe_xml_number(record, "RecordStepSize", 0, &wrong) * RECORD_UNIT;
    *task =
        (vxe_task){.stop_value = vxe_xml_number(stop, "StopConditionValue", 0, &wrong),
                   .afterlife = vxe_xml_number(stop, "AfterlifeTime", 0, &wrong),
                   .by_volume = vxe_xml_flag(environment, "NormDistByVol", false, &wrong),
                   .exponent = vxe_xml_number(environment, "NormalizationExponent", 1, &wrong),
                   .traces = vxe_xml_flag(environment, "SaveTraces", false, &wrong),
                   .trace_interval = vxe_xml_number(environment, "TimeBetweenTraces", 0, &wrong),
                   .needle = vxe_xml_flag(environment, "NeedleInHaystack", false, &wrong),
                   .falls = vxe_xml_flag(environment, "FallingProhibited", false, &wrong),
                   .freezes = vxe_xml_number(stop, "MidLifeFreezeTime", 0, &wrong) > 0,
                   .frame_interval = interval > 0 ? interval : 0,
                   .records_voxels = vxe_xml_flag(record, "RecordVoxel", true, &wrong),
                   .records_bonds = vxe_xml_flag(record, "RecordLink", false, &wrong),
                   .signals = vxe_xml_flag(simulator, "EnableSignals", false, &wrong),
                   .places = vxe_xml_flag(simulator, "SavePositionOfAllVoxels", false, &wrong)};
    const double block = vxe_xml_whole(environment, "BlockMaterial", 0, VXE_NONE - 1.0, &wrong);
    task->block = vxe_xml_flag(environment, "BlockPushing", false, &wrong) ? (uint32_t)block : 0;
    if (wrong.status) {
        *error = wrong;
        return error->status;
    }
    snprintf(task->result_file, sizeof task->result_file, "%s", name);
    const vxe_xml_node *print = vxe_xml_child(tree->root, "RawPrint");
    if (print && print->length > 0) {
        task->raw_print = vxe_memory_take(print->length + 1, 1);
        if (!task->raw_print) {
            return vxe_error_memory(error, print->length);
        }
        memcpy(task->raw_print, print->text, print->length);
    }
    return VXE_OK;
}

/* Reads a file as a tree. Its text is *text, to be released with the tree. */
static vxe_status read_file(vxe_xml_tree *tree, const char *path, char **text, vxe_error *error)
{
    uint64_t size = 0;
    *text = NULL;
    vxe_status status =
        vxe_file_read(path, vxe_limit_for(VXE_LIMIT_DESIGN_BYTES, 0), text, &size, error);
    status = status ? status : vxe_xml_tree_init(tree, path, *text, size, error);
    if (status) {
        vxe_memory_release(*text);
    }
    return status;
}

vxe_status vxe_task_read(vxe_task *task, const char *base, const char *path, vxe_error *error)
{
    VXE_ASSERT(task && path);
    vxe_error unwanted; /* readers extend errors by places, so they need one */
    error = error ? error : &unwanted;
    char *text = NULL;
    char *above = NULL;
    vxe_xml_tree tree;
    vxe_xml_tree over;
    *task = (vxe_task){.exponent = 1};
    vxe_status status = read_file(&tree, base ? base : path, &text, error);
    if (status) {
        return status;
    }
    const bool has_overlay = base && !(status = read_file(&over, path, &above, error));
    if (has_overlay) {
        status = vxe_xml_overlay(&tree, over.root, error);
    }
    status = status ? status : read_tree(task, &tree, error);
    if (has_overlay) {
        vxe_xml_tree_clear(&over);
        vxe_memory_release(above);
    }
    vxe_xml_tree_clear(&tree);
    vxe_memory_release(text);
    return status;
}

void vxe_task_clear(vxe_task *task)
{
    vxe_memory_release(task->raw_print);
    task->raw_print = NULL;
}
