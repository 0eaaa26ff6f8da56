/* SPDX-License-Identifier: MIT */
/* static_cost: how long equilibria and vibrations take. Bodies of one material hang from a wall or
   stand on their lowest layer under their weight: cubes, a slim bar, and an irregular body of four
   materials. Each is solved several times; the fastest and the median are told. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "bodies.h"
#include "clock.h"
#include "engine/statics.h"
#include "numbers.h"
#include "words.h"

#define MAX_REPEATS 101u
#define MODES 3u

/* A body of so many voxels along x, y and z, fixed in the layer of an axis; or an irregular one in
   a cube of that edge. */
typedef struct row {
    const char *name;
    int size[3];
    int wall; /* axis */
    bool irregular;
} row;

static const row rows[] = {
    {"cube_10", {10, 10, 10}, 2, false}, {"cube_20", {20, 20, 20}, 2, false},
    {"cube_40", {40, 40, 40}, 2, false}, {"cube_40_wall", {40, 40, 40}, 0, false},
    {"bar_200", {200, 2, 2}, 0, false},  {"irregular_20", {20, 20, 20}, 2, true}};

typedef struct options {
    uint32_t repeats, threads;
    bool help;
} options;

static vxe_design *block(const int size[3])
{
    vxe_design *design = vxe_design_create();
    const vxe_material m = vxe_material_default();
    bool good = design && !vxe_design_add_material(design, &m, NULL, NULL);
    for (int z = 0; z < size[2] && good; z++) {
        for (int y = 0; y < size[1]; y++) {
            for (int x = 0; x < size[0] && good; x++) {
                good = !vxe_design_add_voxel(design, x, y, z, 0, NULL);
            }
        }
    }
    if (good) {
        return design;
    }
    vxe_design_destroy(design);
    return NULL;
}

/* A row's body, fixed in its lowest layer. */
static vxe_design *design_of(const row *r, vxe_error *error)
{
    vxe_design *design = r->irregular ? bench_evolved_body(r->size[0], 1, error) : block(r->size);
    vxe_region region = {.shape = VXE_REGION_BOX,
                         .low = {-1e3, -1e3, -1e3},
                         .high = {1e3, 1e3, 1e3},
                         .fixed = VXE_FIX_ALL};
    if (!design) {
        return NULL;
    }
    int low = design->voxels[0].position[r->wall];
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const int at = design->voxels[v].position[r->wall];
        low = at < low ? at : low;
    }
    region.high[r->wall] = (low + 0.5) * design->voxel_size;
    design->gravity[2] = -9.81;
    design->floor.enabled = false;
    if (vxe_design_add_region(design, &region, error)) {
        vxe_design_destroy(design);
        return NULL;
    }
    return design;
}

static bool run(const row *r, const options *o, vxe_error *error)
{
    double seconds[2][MAX_REPEATS] = {{0}};
    vxe_settled settled = {0};
    uint32_t voxels = 0;
    vxe_world_def def = vxe_world_def_default();
    def.precision = VXE_PRECISION_DOUBLE;
    def.threads = o->threads;
    vxe_design *design = design_of(r, error);
    bool good = design != NULL;
    for (uint32_t i = 0; i < o->repeats && good; i++) {
        const vxe_settle_def how = vxe_settle_def_default();
        double frequencies[MODES];
        vxe_world *world = vxe_world_create(design, &def, error);
        double start = bench_seconds();
        good = world && !vxe_world_settle(world, &how, &settled, error);
        seconds[0][i] = bench_seconds() - start;
        start = bench_seconds();
        good = good && !vxe_world_modes(world, MODES, frequencies, NULL, error);
        seconds[1][i] = bench_seconds() - start;
        voxels = good ? vxe_world_describe(world).voxels : 0;
        vxe_world_destroy(world);
    }
    if (good) {
        const int n = (int)o->repeats;
        printf("%-14s %7u %6u %6llu  %9.3f %9.3f  %9.3f %9.3f\n", r->name, voxels, settled.steps,
               (unsigned long long)settled.iterations, bench_quantile(seconds[0], n, 0),
               bench_quantile(seconds[0], n, 0.5), bench_quantile(seconds[1], n, 0),
               bench_quantile(seconds[1], n, 0.5));
        fflush(stdout);
    }
    vxe_design_destroy(design);
    return good;
}

static bool read_options(int count, char **words, options *o)
{
    static const struct option names[] = {{"repeats", required_argument, NULL, 'r'},
                                          {"threads", required_argument, NULL, 't'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    bool good = true;
    for (int option = 0; good && (option = getopt_long(count, words, "h", names, NULL)) != -1;) {
        o->help = o->help || option == 'h';
        good = option == 'r'   ? bench_whole(optarg, 1, MAX_REPEATS, &o->repeats)
               : option == 't' ? bench_whole(optarg, 1, 1024, &o->threads)
                               : option == 'h';
    }
    return good && optind == count;
}

int main(int count, char **words)
{
    options o = {.repeats = 5};
    const bool understood = read_options(count, words, &o);
    if (!understood || o.help) {
        fprintf(understood ? stdout : stderr,
                "usage: static_cost [--repeats N] [--threads N]\n"
                "  --repeats times that each body is solved (5), at most %u\n"
                "  --threads by the size of the body and the machine where it is not given\n",
                MAX_REPEATS);
        return understood ? 0 : 2;
    }
    vxe_error error = {0};
    printf("body            voxels  steps  iterations  equilibrium, s: fastest, median  %u lowest "
           "vibrations, s\n",
           MODES);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!run(&rows[i], &o, &error)) {
            fprintf(stderr, "static_cost: %s\n", error.message[0] ? error.message : "no memory");
            return 1;
        }
    }
    return 0;
}
