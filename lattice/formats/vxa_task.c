/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "common/file_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/task.h"
#include "lattice/formats/vxc_internal.h"

#define LARGEST_TASK (512ull << 20)

static vxe_status read_tree(vxe_task *task, vxe_xml_tree *tree, vxe_error *error)
{
    vxe_messages ignored = {0};
    vxe_messages *notes = &ignored;
    vxe_xml_node *simulator = vxe_xml_child(tree->root, "Simulator");
    vxe_xml_node *environment = vxe_xml_child(tree->root, "Environment");
    vxe_xml_node *stop = vxe_xml_child(simulator, "StopCondition");
    vxe_xml_node *file = vxe_xml_child(vxe_xml_child(simulator, "GA"), "FitnessFileName");
    const char *name = file ? file->text : "";
    if (strlen(name) >= sizeof task->result_file) {
        return vxe_xml_error(error, VXE_ERROR_INPUT, file, "a path of %zu characters is too long",
                             strlen(name));
    }
    *task = (vxe_task){.stop_value = vxe_xml_number(stop, "StopConditionValue", 0, notes),
                       .afterlife = vxe_xml_number(stop, "AfterlifeTime", 0, notes),
                       .by_volume = vxe_xml_flag(environment, "NormDistByVol", false, notes),
                       .exponent = vxe_xml_number(environment, "NormalizationExponent", 1, notes),
                       .traces = vxe_xml_flag(environment, "SaveTraces", false, notes),
                       .trace_interval = vxe_xml_number(environment, "TimeBetweenTraces", 0, notes),
                       .needle = vxe_xml_flag(environment, "NeedleInHaystack", false, notes),
                       .falls = vxe_xml_flag(environment, "FallingProhibited", false, notes),
                       .freezes = vxe_xml_number(stop, "MidLifeFreezeTime", 0, notes) > 0};
    vxe_messages_clear(notes);
    snprintf(task->result_file, sizeof task->result_file, "%s", name);
    return VXE_OK;
}

vxe_status vxe_task_read(vxe_task *task, const char *path, vxe_error *error)
{
    char *text = NULL;
    uint64_t size = 0;
    vxe_xml_tree tree;
    vxe_status status = vxe_file_read(path, LARGEST_TASK, &text, &size, error);
    if (status) {
        return status;
    }
    status = vxe_xml_tree_init(&tree, path, text, size, error);
    if (!status) {
        status = read_tree(task, &tree, error);
        vxe_xml_tree_clear(&tree);
    }
    vxe_memory_release(text);
    return status;
}
