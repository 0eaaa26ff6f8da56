/* SPDX-License-Identifier: MIT */
/* The files of the command `statics`: numbers, poses, pictures, and a record in which vibrations
   swing slowly. */
#include "cli/statics/statics.h"

#include <math.h>
#include <stdio.h>

#include "cli/command.h"
#include "cli/shared/output_file.h"
#include "cli/shared/studio_page.h"
#include "common/memory.h"

#define PI 3.14159265358979323846
/* s: the equilibrium in a record, and each vibration; swings and frames in a second. */
#define SHOWN 1.0
#define SWINGS 2.0
#define RATE 30
/* The largest displacement of a vibration that is shown, as a part of the body's extent, and its
   largest rotation (rad): of voxels against each other it may be twice that. */
#define SHOWN_WAY 0.1
#define SHOWN_TURN 0.4

static json_t *three(const double v[3])
{
    return json_pack("[f, f, f]", v[0], v[1], v[2]);
}

static json_t *region_json(const region_facts *r)
{
    json_t *object = json_object();
    json_object_set_new(object, "voxels", json_integer(r->voxels));
    if (r->voxels > 0) {
        json_object_set_new(object, "moved_m", three(r->moved));
    }
    if (r->fixed) {
        json_object_set_new(object, "reaction_N", three(r->force));
        json_object_set_new(object, "reaction_Nm", three(r->moment));
    }
    if (!isnan(r->stiffness)) {
        json_object_set_new(object, "stiffness_N_per_m", json_real(r->stiffness));
    }
    return object;
}

static json_t *result_json(const statics *s)
{
    const vxe_world_facts facts = vxe_world_describe(s->world);
    const vxe_energy energy = vxe_world_energy(s->world);
    json_t *root = json_object();
    json_t *regions = json_array();
    json_t *modes = json_array();
    for (uint32_t i = 0; i < s->design->region_count; i++) {
        json_array_append_new(regions, region_json(&s->regions[i]));
    }
    for (uint32_t i = 0; i < s->modes; i++) {
        json_array_append_new(modes, json_real(s->frequencies[i]));
    }
    json_object_set_new(root, "design", json_text(s->options->design));
    json_object_set_new(root, "linear", json_boolean(s->options->settle.linear));
    json_object_set_new(root, "time_s", json_real(s->options->settle.time));
    json_object_set_new(root, "voxels", json_integer(facts.voxels));
    json_object_set_new(root, "bonds", json_integer((json_int_t)facts.bonds));
    json_object_set_new(root, "mass_kg", json_real(facts.mass));
    json_object_set_new(root, "precision", json_string(facts.precision));
    json_object_set_new(root, "steps", json_integer(s->settled.steps));
    json_object_set_new(root, "iterations", json_integer((json_int_t)s->settled.iterations));
    json_object_set_new(root, "residual", json_real(s->settled.residual));
    json_object_set_new(root, "largest_move_m", json_real(s->settled.largest_move));
    json_object_set_new(root, "largest_move_voxel", json_integer(s->settled.largest_voxel));
    json_object_set_new(root, "max_strain", json_real(vxe_world_max_strain(s->world)));
    json_object_set_new(root, "elastic_J", json_real(energy.elastic));
    json_object_set_new(root, "floor_J", json_real(energy.floor));
    json_object_set_new(root, "gravity_J", json_real(energy.gravity));
    json_object_set_new(root, "regions", regions);
    if (s->modes > 0) {
        json_object_set_new(root, "frequencies_Hz", modes);
    } else {
        json_decref(modes);
    }
    return root;
}

vxe_status statics_write_result(const statics *s, const char *path, vxe_error *error)
{
    const uint64_t failures = vxe_json_watch();
    vxe_file_writer writer;
    json_t *root = result_json(s);
    vxe_status status = vxe_memory_check(failures, error);
    status = status ? status : vxe_file_begin(&writer, path, error);
    if (!status) {
        json_dumpf(root, writer.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
        fputc('\n', writer.stream);
        status = vxe_memory_check(failures, error);
        if (status) {
            vxe_file_abandon(&writer);
        } else {
            status = vxe_file_commit(&writer, error);
        }
    }
    json_decref(root);
    return status;
}

vxe_status statics_write_poses(const statics *s, const char *path, vxe_error *error)
{
    const vxe_trace_def def = {.subject = VXE_TRACE_VOXELS};
    vxe_trace *trace = vxe_trace_create(path, &def, s->world, error);
    if (!trace) {
        return error->status;
    }
    const vxe_status status = vxe_trace_add(trace, s->world, error);
    if (status) {
        vxe_trace_abandon(trace);
        return status;
    }
    return vxe_trace_close(trace, error);
}

/* How many times its shape a vibration is shown as. */
static double shown_part(const statics *s, const double *shape)
{
    const vxe_world_facts facts = vxe_world_describe(s->world);
    const double extent = fmax(facts.extent[0], fmax(facts.extent[1], facts.extent[2]));
    double turn = 0;
    for (size_t v = 0; v < s->design->voxel_count; v++) {
        const double *w = shape + 6 * v + 3;
        turn = fmax(turn, sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
    }
    const double by_way = SHOWN_WAY * extent / facts.voxel_size;
    return turn * by_way > SHOWN_TURN ? SHOWN_TURN / turn : by_way;
}

/* Puts the voxels where the equilibrium and so much of a shape have them, and takes a frame. */
static vxe_status take_swing(statics *s, const double *shape, double part, double time,
                             vxe_frame *frame, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (uint32_t v = 0; v < s->design->voxel_count && !status; v++) {
        const double *by = shape + 6 * (size_t)v;
        const double *q = s->turn + 4 * (size_t)v;
        double place[3];
        double half[3];
        for (int c = 0; c < 3; c++) {
            place[c] = s->place[3 * (size_t)v + (size_t)c] + part * by[c];
            half[c] = 0.5 * part * by[3 + c];
        }
        /* q' = (1, half) q, to unit length: rotations of at most 0.4 rad */
        const double turned[4] = {q[0] - half[0] * q[1] - half[1] * q[2] - half[2] * q[3],
                                  q[1] + half[0] * q[0] + half[1] * q[3] - half[2] * q[2],
                                  q[2] + half[1] * q[0] + half[2] * q[1] - half[0] * q[3],
                                  q[3] + half[2] * q[0] + half[0] * q[2] - half[1] * q[1]};
        const double length = sqrt(turned[0] * turned[0] + turned[1] * turned[1] +
                                   turned[2] * turned[2] + turned[3] * turned[3]);
        const double unit[4] = {turned[0] / length, turned[1] / length, turned[2] / length,
                                turned[3] / length};
        status = vxe_world_place(s->world, v, place, unit, NULL, NULL, error);
    }
    vxe_frame_take(frame, s->world);
    frame->time = time;
    return status;
}

static vxe_status add_swings(statics *s, vxe_recorder *recorder, vxe_frame *frame, uint32_t mode,
                             vxe_error *error)
{
    const double *shape = s->shapes + 6 * (size_t)mode * s->design->voxel_count;
    const double part = shown_part(s, shape);
    vxe_status status = VXE_OK;
    for (int i = 0; i < (int)(SWINGS * RATE) && !status; i++) {
        const double time = SHOWN + SWINGS * mode + (i + 1.0) / RATE;
        status = take_swing(s, shape, part * sin(2 * PI * i / RATE), time, frame, error);
        status = status ? status : vxe_recorder_add(recorder, frame, error);
    }
    return status;
}

vxe_status statics_write_record(statics *s, const char *path, vxe_error *error)
{
    vxe_frame *frame = vxe_frame_create(s->design->voxel_count, s->design->affine_count, error);
    vxe_recorder *recorder = frame ? vxe_recorder_create(s->design, path, error) : NULL;
    vxe_status status = recorder ? VXE_OK : error->status;
    if (recorder && vxe_recorder_is_page(path)) {
        status = studio_page_give_recorder(recorder, error);
    }
    status = status ? status : vxe_recorder_add(recorder, s->at_rest, error);
    s->at_equilibrium->time = SHOWN;
    status = status ? status : vxe_recorder_add(recorder, s->at_equilibrium, error);
    for (uint32_t mode = 0; mode < s->modes && !status; mode++) {
        status = add_swings(s, recorder, frame, mode, error);
    }
    vxe_frame_destroy(frame);
    if (status) {
        vxe_recorder_abandon(recorder);
        return status;
    }
    return vxe_recorder_close(recorder, error);
}

vxe_status statics_write_picture(statics *s, const char *path, vxe_error *error)
{
    vxe_frame *frames[MAX_MODES + 1] = {NULL};
    vxe_picture_def def = vxe_picture_def_default();
    vxe_status status = VXE_OK;
    const uint32_t modes =
        s->modes < MAX_MODES ? (uint32_t)s->modes : MAX_MODES - 1; /* 64 panels in all */
    for (uint32_t mode = 0; mode < modes && !status; mode++) {
        const double *shape = s->shapes + 6 * (size_t)mode * s->design->voxel_count;
        frames[1 + mode] = vxe_frame_create(s->design->voxel_count, s->design->affine_count, error);
        status = frames[1 + mode]
                     ? take_swing(s, shape, shown_part(s, shape), 0, frames[1 + mode], error)
                     : error->status;
    }
    frames[0] = s->at_equilibrium;
    def.caption = modes == 0;
    def.coloring = VXE_COLOR_STRAIN;
    def.width = modes == 0 ? def.width : def.width / 2;
    def.height = modes == 0 ? def.height : def.height / 2;
    status = status ? status
                    : vxe_picture_write(s->design, (const vxe_frame *const *)frames, 1 + modes,
                                        &def, path, error);
    for (uint32_t mode = 0; mode < modes; mode++) {
        vxe_frame_destroy(frames[1 + mode]);
    }
    return status;
}
