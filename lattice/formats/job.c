/* SPDX-License-Identifier: MIT */
/* Reads the jobs that voxcraft's main program gives to its workers: XML, often without a root
   element. */
#include "lattice/formats/job_internal.h"

#include <string.h>

#include "common/assert_internal.h"
#include "common/file_internal.h"
#include "common/memory.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/vxa/xml_tree_internal.h"

/* Copies the text of a node, "" if there is no node. */
static vxe_status copy(char **to, const vxe_xml_node *node, vxe_error *error)
{
    const uint64_t length = node ? node->length : 0;
    *to = vxe_memory_take(length + 1, 1);
    if (!*to) {
        return vxe_error_memory(error, length);
    }
    if (length > 0) {
        memcpy(*to, node->text, length);
    }
    return VXE_OK;
}

static vxe_status read_tree(vxe_job *job, vxe_xml_node *root, vxe_error *error)
{
    vxe_xml_node *list = vxe_xml_child(root, "vxd");
    vxe_xml_node *base = vxe_xml_child(root, "vxa");
    uint32_t count = 0;
    for (const vxe_xml_node *f = list ? list->first_child : NULL; f; f = f->next) {
        count++;
    }
    if (!base || base->length == 0 || count == 0) {
        return vxe_xml_error(error, VXE_ERROR_INPUT, root,
                             "<%s> names no %s, so that it is not a job", root->name,
                             count ? "base (vxa)" : "robots (vxd)");
    }
    vxe_status status = copy(&job->base, base, error);
    status = status ? status : copy(&job->folder, vxe_xml_child(root, "input_dir"), error);
    job->overlays = vxe_memory_take(count, sizeof *job->overlays);
    if (!status && !job->overlays) {
        status = vxe_error_memory(error, count * sizeof *job->overlays);
    }
    for (const vxe_xml_node *f = list->first_child; f && !status; f = f->next) {
        VXE_ASSERT(job->overlay_count < count);
        status = copy(&job->overlays[job->overlay_count], f, error);
        job->overlay_count += !status;
    }
    return status;
}

/* A copy of the text within a root element, which XML requires and jobs may lack; the prolog is
 * left out. Null without memory. */
static char *with_root(const vxe_text *source, uint64_t *size)
{
    static const char open[] = "<job>";
    static const char close[] = "</job>";
    const char *prolog = strncmp(source->text, "<?xml", 5) == 0 ? strstr(source->text, "?>") : NULL;
    const uint64_t skip = prolog ? (uint64_t)(prolog + 2 - source->text) : 0;
    VXE_ASSERT(skip <= source->size);
    *size = source->size - skip + sizeof open + sizeof close - 2;
    char *text = vxe_memory_take(*size + 1, 1);
    if (text) {
        memcpy(text, open, sizeof open - 1);
        memcpy(text + sizeof open - 1, source->text + skip, source->size - skip);
        memcpy(text + *size - (sizeof close - 1), close, sizeof close - 1);
    }
    return text;
}

vxe_status vxe_job_scan(vxe_job *job, const vxe_text *source, vxe_error *error)
{
    uint64_t size = 0;
    vxe_xml_tree tree;
    *job = (vxe_job){0};
    char *text = with_root(source, &size);
    vxe_status status = text ? vxe_xml_tree_init(&tree, source->file, text, size, error)
                             : vxe_error_memory(error, source->size);
    if (!status) {
        vxe_xml_node *inner = tree.root->first_child;
        const bool has_root = inner && !inner->next && inner->first_child;
        status = read_tree(job, has_root ? inner : tree.root, error);
        vxe_xml_tree_clear(&tree);
    }
    vxe_memory_release(text);
    if (status) {
        vxe_job_clear(job);
    }
    return status;
}

vxe_status vxe_job_read(vxe_job *job, const char *path, vxe_error *error)
{
    vxe_error unwanted; /* readers extend errors by places, so they need one */
    error = error ? error : &unwanted;
    char *text = NULL;
    uint64_t size = 0;
    *job = (vxe_job){0};
    vxe_status status =
        vxe_file_read(path, vxe_limit_for(VXE_LIMIT_RESULT_BYTES, 0), &text, &size, error);
    if (!status) {
        status = vxe_job_scan(job, &(vxe_text){path, text, size, false}, error);
        vxe_memory_release(text);
    }
    return status;
}

void vxe_job_clear(vxe_job *job)
{
    for (uint32_t i = 0; i < job->overlay_count; i++) {
        vxe_memory_release(job->overlays[i]);
    }
    vxe_memory_release(job->overlays);
    vxe_memory_release(job->base);
    vxe_memory_release(job->folder);
    *job = (vxe_job){0};
}
