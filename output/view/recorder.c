/* SPDX-License-Identifier: MIT */
/* Chooses a recording format by the ending of the file name. A table has one row per format. */
#include "output/view/recorder.h"

#include "common/assert_internal.h"
#include "common/file_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "output/foreign/voxcraft_history_write.h"
#include "output/page/page.h"
#include "output/record/vxr.h"
#include "output/view/gltf.h"
#include "output/view/paraview.h"

/* A recording format. `thing` is the writer that create returns. */
typedef struct kind {
    const char *ending;
    bool bodies; /* holds affine bodies */
    void *(*create)(const vxe_design *design, const char *path, vxe_error *error);
    vxe_status (*add)(void *thing, const vxe_frame *frame, vxe_error *error);
    vxe_status (*close)(void *thing, vxe_error *error);
    void (*abandon)(void *thing);
    /* may be null */
    void (*note)(void *thing, const char *note);
    vxe_status (*put_studio)(void *thing, const char *html, uint64_t size, vxe_error *error);
} kind;

struct vxe_recorder {
    const kind *kind;
    void *thing;
};

static void *create_vxr(const vxe_design *design, const char *path, vxe_error *error)
{
    return vxe_vxr_create(design, path, error);
}

static vxe_status add_to_vxr(void *thing, const vxe_frame *frame, vxe_error *error)
{
    return vxe_vxr_add(thing, frame, error);
}

static vxe_status close_vxr(void *thing, vxe_error *error)
{
    return vxe_vxr_close(thing, error);
}

static void abandon_vxr(void *thing)
{
    vxe_vxr_abandon(thing);
}

static void *create_page(const vxe_design *design, const char *path, vxe_error *error)
{
    vxe_page *page = vxe_page_create(path, design->name, error);
    if (page && vxe_page_begin_robot(page, design, design->name, error)) {
        vxe_page_abandon(page);
        return NULL;
    }
    return page;
}

static vxe_status add_to_page(void *thing, const vxe_frame *frame, vxe_error *error)
{
    return vxe_page_add(thing, frame, error);
}

static vxe_status close_page(void *thing, vxe_error *error)
{
    return vxe_page_close(thing, error);
}

static vxe_status studio_on_page(void *thing, const char *html, uint64_t size, vxe_error *error)
{
    return vxe_page_put_studio(thing, html, size, error);
}

static void note_on_page(void *thing, const char *note)
{
    vxe_page_note(thing, note);
}

static void abandon_page(void *thing)
{
    vxe_page_abandon(thing);
}

static void *create_paraview(const vxe_design *design, const char *path, vxe_error *error)
{
    return vxe_paraview_create(design, path, error);
}

static vxe_status add_to_paraview(void *thing, const vxe_frame *frame, vxe_error *error)
{
    return vxe_paraview_add(thing, frame, error);
}

static vxe_status close_paraview(void *thing, vxe_error *error)
{
    return vxe_paraview_close(thing, error);
}

static void abandon_paraview(void *thing)
{
    vxe_paraview_abandon(thing);
}

static void *create_gltf(const vxe_design *design, const char *path, vxe_error *error)
{
    return vxe_gltf_create(design, path, error);
}

static vxe_status add_to_gltf(void *thing, const vxe_frame *frame, vxe_error *error)
{
    return vxe_gltf_add(thing, frame, error);
}

static vxe_status close_gltf(void *thing, vxe_error *error)
{
    return vxe_gltf_close(thing, error);
}

static void abandon_gltf(void *thing)
{
    vxe_gltf_abandon(thing);
}

/* A history together with its file. */
typedef struct history_file {
    vxe_file_writer file;
    vxe_history *history;
} history_file;

static void abandon_history(void *thing)
{
    history_file *h = thing;
    if (h) {
        vxe_history_destroy(h->history);
        vxe_file_abandon(&h->file);
        vxe_memory_release(h);
    }
}

static void *create_history(const vxe_design *design, const char *path, vxe_error *error)
{
    history_file *h = vxe_memory_take(1, sizeof *h);
    if (!h) {
        (void)vxe_error_memory(error, sizeof *h);
        return NULL;
    }
    if (!vxe_file_begin(&h->file, path, error)) {
        h->history = vxe_history_create(design, true, false, h->file.stream, error);
    }
    if (!h->history) {
        abandon_history(h);
        return NULL;
    }
    return h;
}

static vxe_status add_to_history(void *thing, const vxe_frame *frame, vxe_error *error)
{
    history_file *h = thing;
    const vxe_status status = vxe_history_add_frame(h->history, frame, frame->step, error);
    const vxe_status unwritten = vxe_file_check(&h->file, error);
    return unwritten ? unwritten : status;
}

static vxe_status close_history(void *thing, vxe_error *error)
{
    history_file *h = thing;
    const vxe_status status = vxe_file_commit(&h->file, error);
    abandon_history(h);
    return status;
}

static const kind kinds[] = {
    {".vxr", true, create_vxr, add_to_vxr, close_vxr, abandon_vxr, NULL, NULL},
    {".html", true, create_page, add_to_page, close_page, abandon_page, note_on_page,
     studio_on_page},
    {".pvd", true, create_paraview, add_to_paraview, close_paraview, abandon_paraview, NULL, NULL},
    {".glb", false, create_gltf, add_to_gltf, close_gltf, abandon_gltf, NULL, NULL},
    {".history", false, create_history, add_to_history, close_history, abandon_history, NULL,
     NULL}};

static const kind *kind_of(const char *path)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (vxe_file_has_ending(path, kinds[i].ending)) {
            return &kinds[i];
        }
    }
    return NULL;
}

bool vxe_recorder_knows(const char *path)
{
    return kind_of(path) != NULL;
}

bool vxe_recorder_holds_bodies(const char *path)
{
    const kind *found = kind_of(path);
    return found && found->bodies;
}

bool vxe_recorder_is_page(const char *path)
{
    const kind *found = kind_of(path);
    return found && found->put_studio;
}

vxe_recorder *vxe_recorder_create(const vxe_design *design, const char *path, vxe_error *error)
{
    const kind *found = kind_of(path);
    if (!found) {
        (void)vxe_error_at(error, VXE_ERROR_ARGUMENT, path, 0, 0,
                           "expected a name in .html, .vxr, .pvd, .glb or .history");
        return NULL;
    }
    if (design->voxel_count == 0 && !found->bodies) {
        (void)vxe_error_at(error, VXE_ERROR_UNSUPPORTED, path, 0, 0,
                           "no voxels; affine bodies alone are recorded in .html, .vxr and .pvd");
        return NULL;
    }
    vxe_recorder *recorder = vxe_memory_take(1, sizeof *recorder);
    if (!recorder) {
        (void)vxe_error_memory(error, sizeof *recorder);
        return NULL;
    }
    recorder->kind = found;
    VXE_ASSERT(found->create && found->add && found->close && found->abandon);
    recorder->thing = found->create(design, path, error);
    if (!recorder->thing) {
        vxe_memory_release(recorder);
        return NULL;
    }
    return recorder;
}

vxe_status vxe_recorder_add(vxe_recorder *recorder, const vxe_frame *frame, vxe_error *error)
{
    VXE_ASSERT(recorder->thing);
    return recorder->kind->add(recorder->thing, frame, error);
}

vxe_status vxe_recorder_close(vxe_recorder *recorder, vxe_error *error)
{
    const vxe_status status = recorder->kind->close(recorder->thing, error);
    vxe_memory_release(recorder);
    return status;
}

vxe_status vxe_recorder_put_studio(vxe_recorder *recorder, const char *html, uint64_t size,
                                   vxe_error *error)
{
    return recorder->kind->put_studio
               ? recorder->kind->put_studio(recorder->thing, html, size, error)
               : VXE_OK;
}

void vxe_recorder_note(vxe_recorder *recorder, const char *note)
{
    if (recorder->kind->note) {
        recorder->kind->note(recorder->thing, note);
    }
}

void vxe_recorder_abandon(vxe_recorder *recorder)
{
    if (recorder) {
        recorder->kind->abandon(recorder->thing);
        vxe_memory_release(recorder);
    }
}
