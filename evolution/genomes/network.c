/* SPDX-License-Identifier: MIT */
/* Networks in genomes: the weights of a controller stand behind the numbers of the body, if bodies
   are searched. A weight of an input is per edge of the lattice where the sensor has a length or a
   velocity, and per weight of a voxel where it has a load, so that robots of any size begin
   alike. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/genomes/genome_internal.h"

/* Part of the weights that a mutation changes. */
#define CHANGED 0.1
/* m/s^2: weight on the earth, in which loads are counted. */
#define EARTH 9.80665
/* A mutation changes the body, or the weights. */
#define BODY 0.5

static uint32_t weights_of(const vxe_experiment *e)
{
    return (uint32_t)vxe_network_weights(&e->network.shape);
}

/* The numbers of the body. */
static vxe_genome body_of(const vxe_experiment *e, const vxe_genome *genome)
{
    VXE_ASSERT(genome->count >= weights_of(e));
    return (vxe_genome){genome->genes, genome->count - weights_of(e)};
}

static void draw(const vxe_experiment *e, vxe_stream *stream, double *weights)
{
    for (uint32_t i = 0; i < weights_of(e); i++) {
        weights[i] = e->network.deviation * vxe_stream_normal(stream);
    }
}

/* Changes some weights, one at least. */
static void change(const vxe_experiment *e, vxe_stream *stream, double *weights)
{
    const uint32_t count = weights_of(e);
    const uint32_t sure = vxe_stream_below(stream, count);
    for (uint32_t i = 0; i < count; i++) {
        if (vxe_stream_unit(stream) < CHANGED || i == sure) {
            weights[i] += e->network.deviation * vxe_stream_normal(stream);
        }
    }
}

static bool are_weights(const double *weights, uint32_t count)
{
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        good = good && isfinite(weights[i]);
    }
    return good;
}

static vxe_status make_weights(const vxe_experiment *e, vxe_stream *stream, vxe_genome *genome,
                               vxe_error *error)
{
    const vxe_status status = vxe_genome_take(genome, weights_of(e), error);
    if (!status) {
        draw(e, stream, genome->genes);
    }
    return status;
}

static vxe_status mutate_weights(const vxe_experiment *e, vxe_stream *stream,
                                 const vxe_genome *parent, vxe_genome *child, vxe_error *error)
{
    const vxe_status status = vxe_genome_copy(child, parent, error);
    if (!status) {
        change(e, stream, child->genes);
    }
    return status;
}

static vxe_status keep_body(const vxe_experiment *e, const vxe_genome *genome, vxe_design *design,
                            vxe_error *error)
{
    (void)e;
    (void)genome;
    (void)design;
    (void)error;
    return VXE_OK;
}

static bool valid_weights(const vxe_experiment *e, const vxe_genome *genome)
{
    return genome->count == weights_of(e) && are_weights(genome->genes, genome->count);
}

const vxe_encoding vxe_encoding_weights = {
    .make = make_weights, .mutate = mutate_weights, .apply = keep_body, .valid = valid_weights};

/* Puts weights behind the numbers of a body, which it takes over even when it fails. */
static vxe_status join(vxe_genome *body, const double *weights, uint32_t count, vxe_genome *genome,
                       vxe_error *error)
{
    const vxe_status status = vxe_genome_take(genome, (uint64_t)body->count + count, error);
    if (!status) {
        memcpy(genome->genes, body->genes, body->count * sizeof *body->genes);
        memcpy(genome->genes + body->count, weights, count * sizeof *weights);
    }
    vxe_genome_clear(body);
    return status;
}

static vxe_status make_both(const vxe_experiment *e, vxe_stream *stream, vxe_genome *genome,
                            vxe_error *error)
{
    vxe_genome body = {0};
    vxe_genome weights = {0};
    vxe_status status = vxe_body_encoding_of(e)->make(e, stream, &body, error);
    status = status ? status : make_weights(e, stream, &weights, error);
    status = status ? status : join(&body, weights.genes, weights.count, genome, error);
    vxe_genome_clear(&body);
    vxe_genome_clear(&weights);
    return status;
}

static vxe_status mutate_both(const vxe_experiment *e, vxe_stream *stream, const vxe_genome *parent,
                              vxe_genome *child, vxe_error *error)
{
    const vxe_genome old = body_of(e, parent);
    vxe_genome body = {0};
    if (vxe_stream_unit(stream) < BODY) {
        const vxe_status status = vxe_body_encoding_of(e)->mutate(e, stream, &old, &body, error);
        if (status) {
            vxe_genome_clear(&body);
            return status;
        }
        return join(&body, parent->genes + old.count, weights_of(e), child, error);
    }
    const vxe_status status = vxe_genome_copy(child, parent, error);
    if (!status) {
        change(e, stream, child->genes + old.count);
    }
    return status;
}

static void express_body(const vxe_experiment *e, const vxe_genome *genome,
                         vxe_blueprint *blueprint, double *workspace)
{
    const vxe_genome body = body_of(e, genome);
    vxe_body_encoding_of(e)->express(e, &body, blueprint, workspace);
}

static uint64_t workspace_of_body(const vxe_experiment *e, const vxe_genome *genome)
{
    const vxe_genome body = body_of(e, genome);
    return vxe_body_encoding_of(e)->workspace(e, &body);
}

static bool valid_both(const vxe_experiment *e, const vxe_genome *genome)
{
    if (genome->count < weights_of(e)) {
        return false;
    }
    const vxe_genome body = body_of(e, genome);
    return vxe_body_encoding_of(e)->valid(e, &body) &&
           are_weights(genome->genes + body.count, weights_of(e));
}

const vxe_encoding vxe_encoding_both = {.make = make_both,
                                        .mutate = mutate_both,
                                        .express = express_body,
                                        .workspace = workspace_of_body,
                                        .valid = valid_both};

/* The unit of a sensor's numbers in which weights count. */
static double unit_of(const vxe_experiment *e, vxe_sensor_kind sensor)
{
    const double edge = e->world->voxel_size;
    switch (sensor) {
    case VXE_SENSOR_CENTER:
    case VXE_SENSOR_VELOCITY:
    case VXE_SENSOR_GROUP_PLACE:
    case VXE_SENSOR_GROUP_VELOCITY:
    case VXE_SENSOR_VOXEL_PLACE:
    case VXE_SENSOR_VOXEL_VELOCITY:
    case VXE_SENSOR_FLOOR_AHEAD:
    case VXE_SENSOR_PART_CENTER:
    case VXE_SENSOR_PART_VELOCITY:
        return edge;
    case VXE_SENSOR_GROUP_LOAD: /* a world need not have weight */
        return EARTH * e->world->materials[0].density * edge * edge * edge;
    default:
        return 1;
    }
}

/* Puts the weights into a network: those of the inputs by the units of the sensors. */
static void put_weights(const vxe_experiment *e, const double *genes, const vxe_design *design,
                        uint32_t parts, float *weights)
{
    const vxe_network_settings *settings = &e->network;
    const uint32_t width = settings->shape.width[1];
    const uint32_t count = weights_of(e);
    const double largest = 0.999 * (double)VXE_LARGEST_WEIGHT;
    for (uint32_t i = 0; i < count; i++) { /* a search in which weights grow so far has failed */
        weights[i] = (float)fmax(-largest, fmin(largest, genes[i]));
    }
    uint32_t at = width; /* behind the biases of the first layer */
    for (uint32_t s = 0; s < settings->sensor_count; s++) {
        const double unit = unit_of(e, settings->sensors[s]);
        const uint32_t numbers =
            vxe_sensor_width(settings->sensors[s], settings->moved, parts, design->voxel_count);
        for (uint32_t i = 0; i < numbers * width; i++, at++) {
            weights[at] = (float)fmax(-largest, fmin(largest, genes[at] / unit));
        }
    }
    VXE_ASSERT(at == width * (settings->shape.width[0] + 1));
}

/* The group of a voxel at some cell: by its place in the box. */
static uint32_t group_at(const vxe_experiment *e, const int32_t cell[3])
{
    uint32_t place[3];
    for (int c = 0; c < 3; c++) {
        const uint32_t at = cell[c] > 0 ? (uint32_t)cell[c] : 0;
        const uint32_t group = (uint32_t)((uint64_t)at * e->network.groups[c] / e->size[c]);
        place[c] = group < e->network.groups[c] ? group : e->network.groups[c] - 1;
    }
    return place[0] + e->network.groups[0] * (place[1] + e->network.groups[1] * place[2]);
}

/* Gives voxels their groups: muscles by their place, unless the body has groups already; what does
   not move is in the last one. */
static vxe_status put_groups(const vxe_experiment *e, vxe_design *design, vxe_error *error)
{
    const uint32_t body = e->network.by_layer ? e->world->voxel_count : 0;
    const vxe_layer *group = vxe_design_layer(design, "Group", 1);
    if (!group) {
        return vxe_error_memory(error, design->voxel_count * sizeof(double));
    }
    for (uint32_t v = body; v < design->voxel_count; v++) {
        const vxe_voxel *voxel = &design->voxels[v];
        const bool moves =
            !e->network.by_layer && design->materials[voxel->material].thermal_expansion != 0;
        group->values[v] = moves ? group_at(e, voxel->position) : e->network.moved;
    }
    return VXE_OK;
}

vxe_status vxe_network_install(const vxe_experiment *e, const vxe_genome *genome,
                               vxe_design *design, vxe_error *error)
{
    const vxe_network_settings *settings = &e->network;
    if (settings->sensor_count == 0) {
        return VXE_OK;
    }
    vxe_controller c = {.interval = settings->interval,
                        .min_target = settings->min_target,
                        .max_target = settings->max_target,
                        .sensor_count = settings->sensor_count,
                        .network = settings->shape,
                        .weights = vxe_memory_take(weights_of(e), sizeof *c.weights)};
    if (!c.weights) {
        return vxe_error_memory(error, weights_of(e) * sizeof *c.weights);
    }
    memcpy(c.sensors, settings->sensors, sizeof c.sensors);
    put_weights(e, genome->genes + genome->count - weights_of(e), design, settings->parts,
                c.weights);
    vxe_status status = put_groups(e, design, error);
    status = status ? status : vxe_design_set_controller(design, &c, error);
    vxe_memory_release(c.weights);
    return status;
}
