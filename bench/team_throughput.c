/* SPDX-License-Identifier: MIT */
/* team_throughput: a tick of robots in closed loop, side by side in lanes and one by one, or with
   networks. Both teams tick in turns, so that a change of the machine's speed affects both. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "engine/team.h"
#include "numbers.h"
#include "words.h"

#define MAX_REPEATS 1000u
#define MAX_ROBOTS 256u
/* Part of the cells of a box that a body fills. */
#define FILLED 0.8
/* Of material and actuation: about 38 steps in a tick of 1/60 s. */
#define YOUNGS_MODULUS 6e4

typedef struct options {
    uint32_t repeats;
    uint32_t threads;
    bool different; /* each robot has a body of its own */
    bool network;   /* what networks cost, in lanes, instead */
    bool help;
} options;

/* Teams of so many robots, of bodies in a box, with groups of voxels by columns. */
typedef struct row {
    uint32_t robots;
    int box[3];
    uint32_t groups;
} row;

static const row rows[] = {{64, {5, 5, 2}, 4}, {64, {6, 5, 5}, 9}, {16, {10, 10, 10}, 10}};

static vxe_design *make_body(const row *r, uint64_t seed, vxe_error *error)
{
    vxe_design *design = vxe_design_create();
    vxe_material material = vxe_material_default();
    material.youngs_modulus = YOUNGS_MODULUS;
    if (!design || vxe_design_add_material(design, &material, NULL, error)) {
        return design;
    }
    for (int cell = 0; cell < r->box[0] * r->box[1] * r->box[2]; cell++) {
        const int x = cell % r->box[0];
        const int y = cell / r->box[0] % r->box[1];
        const int z = cell / (r->box[0] * r->box[1]);
        if (bench_random(&seed) < FILLED && vxe_design_add_voxel(design, x, y, z, 0, error)) {
            return design;
        }
    }
    vxe_layer *layer = vxe_design_layer(design, "Group", 1);
    for (uint32_t v = 0; v < design->voxel_count && layer; v++) {
        const int32_t *at = design->voxels[v].position;
        layer->values[v] = (at[0] + at[1]) % (int)r->groups;
    }
    return design;
}

/* Smooth targets, other ones for each group and robot. */
static void fill_targets(float *targets, uint32_t robots, uint32_t groups, uint32_t tick)
{
    for (uint32_t i = 0; i < robots * groups; i++) {
        targets[i] = 1 + 0.2f * sinf(0.3f * (float)tick + (float)i);
    }
}

/* Two teams of one set of designs: in lanes and alone. */
typedef struct pair {
    vxe_design *designs[MAX_ROBOTS];
    vxe_team *team[2];
    float *targets;
    float *observations;
    double seconds[2][MAX_REPEATS];
    double ratio[MAX_REPEATS];
} pair;

/* Gives the second team networks of 32 x 32, each robot weights of its own. */
static vxe_status give_networks(pair *p, const row *r, uint32_t width, vxe_error *error)
{
    const vxe_network network = {4, {width, 32, 32, r->groups}, VXE_ACTIVATION_TANH};
    const uint64_t count = r->robots * vxe_network_weights(&network);
    float *weights = calloc(count, sizeof *weights);
    uint64_t seed = 1;
    for (uint64_t i = 0; i < count && weights; i++) {
        weights[i] = 0.1f * (float)(bench_random(&seed) - 0.5);
    }
    const vxe_status status =
        weights ? vxe_team_set_network(p->team[1], &network, weights, error) : VXE_ERROR_MEMORY;
    free(weights);
    return status;
}

static bool open_pair(pair *p, const row *r, const options *o, vxe_error *error)
{
    static const vxe_sensor_kind sensors[] = {VXE_SENSOR_VELOCITY, VXE_SENSOR_UP,
                                              VXE_SENSOR_GROUP_PLACE};
    uint32_t width = 0;
    for (uint32_t i = 0; i < r->robots; i++) {
        p->designs[i] = i == 0 || o->different ? make_body(r, 1 + i, error) : p->designs[0];
    }
    for (int t = 0; t < 2; t++) {
        vxe_team_def def = vxe_team_def_default();
        def.world.threads = o->threads;
        def.schedule = t == 0 || o->network ? VXE_BATCH_LANES : VXE_BATCH_ALONE;
        p->team[t] = vxe_team_create((const vxe_design *const *)p->designs, r->robots, &def, error);
        if (!p->team[t] || vxe_team_observe(p->team[t], sensors, 3, &width, error)) {
            return false;
        }
    }
    if (o->network && give_networks(p, r, width, error)) {
        return false;
    }
    p->targets = calloc((size_t)r->robots * r->groups, sizeof *p->targets);
    p->observations = calloc((size_t)r->robots * width, sizeof *p->observations);
    return p->targets && p->observations;
}

static void close_pair(pair *p, const row *r, const options *o)
{
    for (int t = 0; t < 2; t++) {
        vxe_team_destroy(p->team[t]);
    }
    for (uint32_t i = 0; i < (o->different ? r->robots : 1); i++) {
        vxe_design_destroy(p->designs[i]);
    }
    free(p->targets);
    free(p->observations);
    free(p);
}

/* Ticks both teams in turns. */
static bool tick_pair(pair *p, const row *r, const options *o, vxe_error *error)
{
    for (uint32_t tick = 0; tick < o->repeats; tick++) {
        fill_targets(p->targets, r->robots, r->groups, tick);
        for (int t = 0; t < 2; t++) {
            const double start = bench_seconds();
            const float *targets = t == 1 && o->network ? NULL : p->targets;
            if (vxe_team_step(p->team[t], targets, p->observations, NULL, error)) {
                return false;
            }
            p->seconds[t][tick] = bench_seconds() - start;
        }
        p->ratio[tick] = p->seconds[1][tick] / p->seconds[0][tick];
    }
    return true;
}

static bool run(const row *r, const options *o, vxe_error *error)
{
    pair *p = calloc(1, sizeof *p);
    if (!p || !open_pair(p, r, o, error) || !tick_pair(p, r, o, error)) {
        return false;
    }
    const int count = (int)o->repeats;
    const vxe_team_robot robot = vxe_team_describe_robot(p->team[0], 0);
    const double best[2] = {bench_quantile(p->seconds[0], count, 0),
                            bench_quantile(p->seconds[1], count, 0)};
    printf("%4u x %4u  %6u %6u  %9.1f %9.1f %9.1f %9.1f  %5.2f  %5.2f (%.2f to %.2f)\n", r->robots,
           robot.voxels, robot.steps, robot.groups, 1e6 * best[0],
           1e6 * bench_quantile(p->seconds[0], count, 0.5), 1e6 * best[1],
           1e6 * bench_quantile(p->seconds[1], count, 0.5), best[1] / best[0],
           bench_quantile(p->ratio, count, 0.5), bench_quantile(p->ratio, count, 0.25),
           bench_quantile(p->ratio, count, 0.75));
    close_pair(p, r, o);
    return true;
}

static bool read_options(int count, char **words, options *o)
{
    static const struct option names[] = {
        {"repeats", required_argument, NULL, 'r'}, {"threads", required_argument, NULL, 't'},
        {"different", no_argument, NULL, 'd'},     {"network", no_argument, NULL, 'n'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};
    bool good = true;
    for (int option = 0; good && (option = getopt_long(count, words, "h", names, NULL)) != -1;) {
        o->help = o->help || option == 'h';
        o->different = o->different || option == 'd';
        o->network = o->network || option == 'n';
        good = option == 'r'   ? bench_whole(optarg, 1, MAX_REPEATS, &o->repeats)
               : option == 't' ? bench_whole(optarg, 0, BENCH_MAX_THREADS, &o->threads)
                               : option == 'h' || option == 'd' || option == 'n';
    }
    return good && optind == count;
}

int main(int count, char **words)
{
    options o = {.repeats = 200, .threads = 1};
    const bool understood = read_options(count, words, &o);
    if (!understood || o.help) {
        fprintf(
            understood ? stdout : stderr,
            "usage: team_throughput [--repeats N] [--threads N] [--different] [--network]\n"
            "  --repeats   ticks that are measured (200), at most %u\n"
            "  --threads   threads of each team, 0: all (1)\n"
            "  --different each robot has a body of its own (all have one)\n"
            "  --network   what networks of 32 x 32 cost: the second team is in lanes too, and\n"
            "              has them\n",
            MAX_REPEATS);
        return understood ? 0 : 2;
    }
    vxe_error error = {0};
    printf(
        "robots x voxels  steps groups  us a tick: in lanes best, median; %s best, median; their "
        "ratio best, median (quartiles)\n",
        o.network ? "with networks" : "alone");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!run(&rows[i], &o, &error)) {
            fprintf(stderr, "team_throughput: %s\n",
                    error.message[0] ? error.message : "no memory");
            return 1;
        }
    }
    return 0;
}
