/* SPDX-License-Identifier: MIT */
/* Compositional pattern-producing networks (Stanley2007;
   for soft robots Cheney2013): a network without loops is asked about each cell's
   place, and answers whether it is filled, of what, and with which phase and stiffness. It grows by
   structural mutations as in NEAT (StanleyMiikkulainen2002); there is
   no crossover.

   Genes: nodes N, links L, N functions, L times (from, to, weight). Nodes stand in the order in
   which they are computed: inputs, hidden ones, outputs; links go upwards. */
#include <math.h>
#include <string.h>

#include "common/trig_internal.h"
#include "evolution/genomes/genome_internal.h"

enum { INPUT_X, INPUT_Y, INPUT_Z, INPUT_DISTANCE, INPUT_BIAS, INPUTS };

typedef enum function {
    SIGMOID,
    SINE,
    GAUSSIAN,
    ABSOLUTE,
    MINUS_ABSOLUTE,
    SQUARE,
    MINUS_SQUARE,
    ROOT,
    MINUS_ROOT,
    IDENTITY,
    FUNCTIONS
} function;

enum { HEAD = 2, LINK = 3 };

/* What grows beyond is cut: squares of squares leave the numbers' range. */
#define MAX_VALUE 1e6
#define MAX_NODES 10000u
#define MAX_LINKS 100000u
/* Values of all nodes for all cells: 128 MiB. */
#define MAX_VALUES (1ull << 24)

/* A genome's parts. */
typedef struct network {
    uint32_t nodes, links;
    double *function; /* (nodes) */
    double *link;     /* (links, 3) from, to, weight */
} network;

static network parts_of(const vxe_genome *genome)
{
    network net = {.nodes = (uint32_t)genome->genes[0], .links = (uint32_t)genome->genes[1]};
    net.function = genome->genes + HEAD;
    net.link = net.function + net.nodes;
    return net;
}

static uint64_t gene_count(uint32_t nodes, uint32_t links)
{
    return HEAD + nodes + (uint64_t)LINK * links;
}

static vxe_status take_network(vxe_genome *genome, uint32_t nodes, uint32_t links, network *net,
                               vxe_error *error)
{
    const vxe_status status = vxe_genome_take(genome, gene_count(nodes, links), error);
    if (!status) {
        genome->genes[0] = nodes;
        genome->genes[1] = links;
        *net = parts_of(genome);
    }
    return status;
}

/* Whether it is filled; one for each of several materials, the largest of which wins; phase and
   stiffness where they are searched. */
static uint32_t output_count(const vxe_experiment *e)
{
    const uint32_t materials = e->world->material_count;
    return 1 + (materials > 1 ? materials : 0) + e->encoding.phase +
           (e->encoding.max_stiffness > 0);
}

static double draw_function(vxe_stream *stream)
{
    return vxe_stream_below(stream, FUNCTIONS);
}

static double draw_weight(const vxe_experiment *e, vxe_stream *stream)
{
    return 2 * e->encoding.weight_deviation * vxe_stream_normal(stream);
}

static void put_link(const network *net, uint32_t at, uint32_t from, uint32_t to, double weight)
{
    net->link[(size_t)LINK * at] = from;
    net->link[(size_t)LINK * at + 1] = to;
    net->link[(size_t)LINK * at + 2] = weight;
}

/* The network with another node, which stands in the middle of a link: that keeps its weight on the
   way in, and has 1 on the way out. */
static vxe_status add_node(vxe_stream *stream, const network *old, vxe_genome *child,
                           vxe_error *error)
{
    network net;
    const uint32_t split = vxe_stream_below(stream, old->links);
    const double *on = old->link + (size_t)LINK * split;
    const uint32_t first = (uint32_t)on[0] + 1;
    const uint32_t place = first > INPUTS ? first : INPUTS;
    const vxe_status status = take_network(child, old->nodes + 1, old->links + 1, &net, error);
    if (status) {
        return status;
    }
    for (uint32_t n = 0; n < net.nodes; n++) {
        net.function[n] = n < place ? old->function[n] : n > place ? old->function[n - 1] : 0;
    }
    net.function[place] = draw_function(stream);
    for (uint32_t k = 0; k < old->links; k++) {
        const double *link = old->link + (size_t)LINK * k;
        const uint32_t from = (uint32_t)link[0];
        const uint32_t to = (uint32_t)link[1];
        put_link(&net, k, from + (from >= place), to + (to >= place), link[2]);
    }
    const uint32_t end = (uint32_t)net.link[(size_t)LINK * split + 1];
    net.link[(size_t)LINK * split + 1] = place;
    put_link(&net, old->links, place, end, 1);
    return VXE_OK;
}

static vxe_status remove_node(vxe_stream *stream, const network *old, uint32_t outputs,
                              vxe_genome *child, vxe_error *error)
{
    network net;
    const uint32_t place = INPUTS + vxe_stream_below(stream, old->nodes - INPUTS - outputs);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < old->links; k++) {
        const double *link = old->link + (size_t)LINK * k;
        kept += (uint32_t)link[0] != place && (uint32_t)link[1] != place;
    }
    const vxe_status status = take_network(child, old->nodes - 1, kept, &net, error);
    if (status) {
        return status;
    }
    for (uint32_t n = 0; n < net.nodes; n++) {
        net.function[n] = old->function[n + (n >= place)];
    }
    kept = 0;
    for (uint32_t k = 0; k < old->links; k++) {
        const double *link = old->link + (size_t)LINK * k;
        const uint32_t from = (uint32_t)link[0];
        const uint32_t to = (uint32_t)link[1];
        if (from != place && to != place) {
            put_link(&net, kept++, from - (from > place), to - (to > place), link[2]);
        }
    }
    return VXE_OK;
}

static bool has_link(const network *net, uint32_t from, uint32_t to)
{
    for (uint32_t k = 0; k < net->links; k++) {
        const double *link = net->link + (size_t)LINK * k;
        if ((uint32_t)link[0] == from && (uint32_t)link[1] == to) {
            return true;
        }
    }
    return false;
}

/* The same network where the two nodes that are drawn are linked already, or both outputs. */
static vxe_status add_link(const vxe_experiment *e, vxe_stream *stream, const network *old,
                           uint32_t outputs, vxe_genome *child, vxe_error *error)
{
    network net;
    const uint32_t to = INPUTS + vxe_stream_below(stream, old->nodes - INPUTS);
    const uint32_t below = old->nodes - outputs;
    const uint32_t from = vxe_stream_below(stream, to < below ? to : below);
    const bool more = !has_link(old, from, to);
    const vxe_status status = take_network(child, old->nodes, old->links + more, &net, error);
    if (!status) {
        memcpy(net.function, old->function, old->nodes * sizeof *net.function);
        memcpy(net.link, old->link, (size_t)LINK * old->links * sizeof *net.link);
        if (more) {
            put_link(&net, old->links, from, to, draw_weight(e, stream));
        }
    }
    return status;
}

static vxe_status remove_link(vxe_stream *stream, const network *old, vxe_genome *child,
                              vxe_error *error)
{
    network net;
    const uint32_t gone = vxe_stream_below(stream, old->links);
    const vxe_status status = take_network(child, old->nodes, old->links - 1, &net, error);
    if (!status) {
        memcpy(net.function, old->function, old->nodes * sizeof *net.function);
        for (uint32_t k = 0; k < net.links; k++) {
            memcpy(net.link + (size_t)LINK * k, old->link + (size_t)LINK * (k + (k >= gone)),
                   LINK * sizeof *net.link);
        }
    }
    return status;
}

/* Another weight, or another function. */
static vxe_status change_number(const vxe_experiment *e, vxe_stream *stream,
                                const vxe_genome *parent, bool weight, vxe_genome *child,
                                vxe_error *error)
{
    const vxe_status status = vxe_genome_copy(child, parent, error);
    if (status) {
        return status;
    }
    const network net = parts_of(child);
    /* drawn one by one: C would leave their order open */
    if (weight) {
        const size_t which = vxe_stream_below(stream, net.links);
        net.link[LINK * which + 2] += e->encoding.weight_deviation * vxe_stream_normal(stream);
    } else {
        const uint32_t which = INPUTS + vxe_stream_below(stream, net.nodes - INPUTS);
        net.function[which] = draw_function(stream);
    }
    return VXE_OK;
}

/* Kinds of mutation; each is as likely as another, and one that can not be is a change of weight,
   or of a function where there is no link. */
typedef enum change {
    ADD_NODE,
    REMOVE_NODE,
    ADD_LINK,
    REMOVE_LINK,
    CHANGE_WEIGHT,
    CHANGE_FUNCTION,
    CHANGES
} change;

static vxe_status mutate(const vxe_experiment *e, vxe_stream *stream, const vxe_genome *parent,
                         vxe_genome *child, vxe_error *error)
{
    const network old = parts_of(parent);
    const uint32_t outputs = output_count(e);
    const bool capacity = old.nodes < MAX_NODES && old.links < MAX_LINKS &&
                          (old.nodes + 1ull) * vxe_cell_count(e) <= MAX_VALUES;
    switch ((change)vxe_stream_below(stream, CHANGES)) {
    case ADD_NODE:
        if (old.links > 0 && capacity) {
            return add_node(stream, &old, child, error);
        }
        break;
    case REMOVE_NODE:
        if (old.nodes > INPUTS + outputs) {
            return remove_node(stream, &old, outputs, child, error);
        }
        break;
    case ADD_LINK:
        if (capacity) {
            return add_link(e, stream, &old, outputs, child, error);
        }
        break;
    case REMOVE_LINK:
        if (old.links > 0) {
            return remove_link(stream, &old, child, error);
        }
        break;
    case CHANGE_FUNCTION:
        return change_number(e, stream, parent, false, child, error);
    case CHANGE_WEIGHT:
    case CHANGES:
        break;
    }
    return change_number(e, stream, parent, old.links > 0, child, error);
}

/* Every input linked to every output, and some changes of that. */
static vxe_status make(const vxe_experiment *e, vxe_stream *stream, vxe_genome *genome,
                       vxe_error *error)
{
    network net;
    const uint32_t outputs = output_count(e);
    vxe_status status = take_network(genome, INPUTS + outputs, INPUTS * outputs, &net, error);
    for (uint32_t k = 0; k < INPUTS * outputs && !status; k++) {
        put_link(&net, k, k % INPUTS, INPUTS + k / INPUTS, draw_weight(e, stream));
    }
    for (uint32_t n = INPUTS; n < INPUTS + outputs && !status; n++) {
        net.function[n] = draw_function(stream);
    }
    for (uint64_t i = 0; i < e->encoding.first_changes && !status; i++) {
        vxe_genome changed = {0};
        status = mutate(e, stream, genome, &changed, error);
        if (!status) {
            vxe_genome_clear(genome);
            *genome = changed;
        }
    }
    return status;
}

static double value_of(function which, double x)
{
    double sine = 0;
    double cosine = 0;
    switch (which) {
    case SIGMOID:
        return 2 / (1 + vxe_exponential(-x)) - 1;
    case SINE:
        vxe_sincos_cycles(x / VXE_TAU, &sine, &cosine);
        return sine;
    case GAUSSIAN:
        return 2 * vxe_exponential(-x * x) - 1;
    case ABSOLUTE:
        return fabs(x);
    case MINUS_ABSOLUTE:
        return -fabs(x);
    case SQUARE:
        return x * x;
    case MINUS_SQUARE:
        return -(x * x);
    case ROOT:
        return sqrt(fabs(x));
    case MINUS_ROOT:
        return -sqrt(fabs(x));
    case IDENTITY:
    case FUNCTIONS:
        break;
    }
    return x;
}

/* Within the bounds of what networks compute with. */
static double bounded(double x, double max)
{
    return x > max ? max : x < -max ? -max : x;
}

/* What a place of the lattice is to a network: -1 to 1 from one side of the box to the other. */
static void fill_inputs(const vxe_experiment *e, uint32_t cell, double *value, uint32_t cells)
{
    const uint32_t at[3] = {cell % e->size[0], cell / e->size[0] % e->size[1],
                            cell / (e->size[0] * e->size[1])};
    double square = 0;
    for (uint32_t c = 0; c < 3; c++) {
        const double x = e->size[c] > 1 ? 2.0 * at[c] / (e->size[c] - 1) - 1 : 0;
        value[(size_t)(INPUT_X + c) * cells] = x;
        square += x * x;
    }
    value[(size_t)INPUT_DISTANCE * cells] = sqrt(square);
    value[(size_t)INPUT_BIAS * cells] = 1;
}

/* The answers for one cell, from outputs that stand `cells` numbers apart. */
static void read_answers(const vxe_experiment *e, const double *output, uint32_t cells,
                         vxe_blueprint *blueprint, uint32_t cell)
{
    const uint32_t materials = e->world->material_count;
    const double *of_material = output + cells;
    uint32_t best = 0;
    for (uint32_t m = 1; m < materials; m++) {
        best = of_material[(size_t)m * cells] > of_material[(size_t)best * cells] ? m : best;
    }
    const double *phase = of_material + (materials > 1 ? (size_t)materials * cells : 0);
    const double *stiffness = phase + (e->encoding.phase ? cells : 0);
    blueprint->material[cell] = output[0] > 0 ? best + 1 : 0;
    blueprint->phase[cell] = e->encoding.phase ? 0.5 * bounded(*phase, 1) : 0;
    blueprint->stiffness[cell] =
        e->encoding.max_stiffness > 0 ? 0.5 + 0.5 * bounded(*stiffness, 1) : 0;
}

static uint64_t workspace_of(const vxe_experiment *e, const vxe_genome *genome)
{
    return (uint64_t)parts_of(genome).nodes * vxe_cell_count(e);
}

static void express(const vxe_experiment *e, const vxe_genome *genome, vxe_blueprint *blueprint,
                    double *workspace)
{
    const network net = parts_of(genome);
    const uint32_t cells = blueprint->cells;
    for (uint32_t i = 0; i < cells; i++) {
        fill_inputs(e, i, workspace + i, cells);
    }
    for (uint32_t n = INPUTS; n < net.nodes; n++) {
        double *value = workspace + (size_t)n * cells;
        memset(value, 0, cells * sizeof *value);
        for (uint32_t k = 0; k < net.links; k++) {
            const double *link = net.link + (size_t)LINK * k;
            const double *from = workspace + (size_t)link[0] * cells;
            for (uint32_t i = 0; i < cells && (uint32_t)link[1] == n; i++) {
                value[i] += link[2] * from[i];
            }
        }
        for (uint32_t i = 0; i < cells; i++) {
            value[i] = bounded(
                value_of((function)(int)net.function[n], bounded(value[i], MAX_VALUE)), MAX_VALUE);
        }
    }
    const double *output = workspace + (size_t)(net.nodes - output_count(e)) * cells;
    for (uint32_t i = 0; i < cells; i++) {
        read_answers(e, output + i, cells, blueprint, i);
    }
}

static bool valid(const vxe_experiment *e, const vxe_genome *genome)
{
    const uint32_t outputs = output_count(e);
    const double *genes = genome->genes;
    if (genome->count < HEAD || !(genes[0] >= INPUTS + outputs && genes[0] <= MAX_NODES + 1) ||
        !(genes[1] >= 0 && genes[1] <= MAX_LINKS + 1) ||
        genome->count != gene_count((uint32_t)genes[0], (uint32_t)genes[1])) {
        return false;
    }
    const network net = parts_of(genome);
    bool good = true;
    for (uint32_t n = 0; n < net.nodes; n++) {
        good = good && net.function[n] >= 0 && net.function[n] < FUNCTIONS;
    }
    for (uint32_t k = 0; k < net.links; k++) {
        const double *link = net.link + (size_t)LINK * k;
        good = good && link[0] >= 0 && link[0] < net.nodes - outputs && link[1] >= INPUTS &&
               link[1] < net.nodes && link[0] < link[1] && isfinite(link[2]);
    }
    return good;
}

const vxe_encoding vxe_encoding_cppn = {
    .make = make, .mutate = mutate, .express = express, .workspace = workspace_of, .valid = valid};
