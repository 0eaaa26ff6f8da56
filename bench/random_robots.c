/* SPDX-License-Identifier: MIT */
/* random_robots: looks for robots for which the default time step is too long. It counts how many
   robots with random bodies, materials and actuation are stable at the default step, and how many
   of the others at a shorter one. A robot that diverges is listed with its bond, and no result may
   be NaN. Robots are numbered, and a robot of a number is always the same. */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bodies.h"
#include "clock.h"
#include "engine/batch.h"
#include "numbers.h"
#include "words.h"

/* Robots in one batch, which limits the memory. */
#define BATCH 500u
#define RETRIES 4u
#define MAX_EDGE 64u

typedef struct options {
    uint32_t first, robots;
    uint32_t edge;  /* voxels along the edge of the box */
    double seconds; /* simulated time */
    uint32_t threads;
    bool collide; /* with self-collision */
    bool poisson; /* with volume effects */
    bool help;
} options;

/* Numbers of robots: done at the default step, done at a shorter one, diverged, refused, with NaN.
 */
typedef struct tally {
    uint32_t done, recovered, lost, refused, strange;
    double updates;
} tally;

/* Random between low and high, uniform in the logarithm. */
static double spread(uint64_t *state, double low, double high)
{
    return low * pow(high / low, bench_random(state));
}

/* A random body with random materials and actuation, of everything that batches compute in lanes;
   edges change by up to 40 %. */
static vxe_design *random_robot(const options *o, uint32_t number, vxe_error *error)
{
    uint64_t state = 7919ull * number + 1;
    vxe_design *design = bench_evolved_body((int)o->edge, number, error);
    if (!design) {
        return NULL;
    }
    design->actuation =
        (vxe_actuation){.enabled = true, .amplitude = 40, .period = spread(&state, 0.1, 1)};
    for (uint32_t i = 0; i < design->material_count; i++) {
        vxe_material *m = &design->materials[i];
        m->youngs_modulus = spread(&state, 1e5, 1e7);
        m->density = spread(&state, 300, 3000);
        m->poissons_ratio = 0.45 * bench_random(&state);
        m->dynamic_friction = bench_random(&state);
        m->static_friction = m->dynamic_friction + bench_random(&state);
        m->bond_damping = spread(&state, 0.02, 1);
        m->collision_damping = bench_random(&state);
        m->thermal_expansion = 0.02 * bench_random(&state) - 0.01;
        m->phase = 6.28 * bench_random(&state);
    }
    design->self_collision = o->collide;
    design->volume_effects = o->poisson;
    design->stop.settle_time = 0;
    return design;
}

/* Whether a result is NaN or infinite. */
static bool is_strange(const vxe_batch_result *r)
{
    return r->status == VXE_ROBOT_DONE &&
           !(isfinite(r->center[0] + r->center[1] + r->center[2]) && isfinite(r->displacement));
}

static void count(const vxe_batch *batch, uint32_t first, tally *sum)
{
    for (uint32_t i = 0; i < vxe_batch_count(batch); i++) {
        const vxe_batch_result r = vxe_batch_result_of(batch, i);
        sum->strange += is_strange(&r);
        sum->done += r.status == VXE_ROBOT_DONE && r.retries == 0;
        sum->recovered += r.status == VXE_ROBOT_DONE && r.retries > 0;
        sum->lost += r.status == VXE_ROBOT_DIVERGED || r.status == VXE_ROBOT_UNPHYSICAL;
        sum->refused += r.status == VXE_ROBOT_REFUSED;
        if (r.retries > 0 || r.status != VXE_ROBOT_DONE) {
            printf("robot %" PRIu32 ": %s after %" PRIu32 " retries, step %g s%s%s\n", first + i,
                   r.status == VXE_ROBOT_DONE ? "done" : "not done", r.retries, r.time_step,
                   r.message[0] ? ": " : "", r.message);
        }
    }
    sum->updates += vxe_batch_describe(batch).bond_updates;
}

/* Runs robots first ... last - 1 in one batch; false after a message. */
static bool run(const options *o, uint32_t first, uint32_t last, tally *sum)
{
    vxe_design *designs[BATCH] = {NULL};
    vxe_error error = {0};
    vxe_batch_def def = vxe_batch_def_default();
    def.duration = o->seconds;
    def.retries = RETRIES;
    def.world.threads = o->threads;
    vxe_batch *batch = vxe_batch_create(&def, &error);
    bool good = batch != NULL;
    for (uint32_t i = first; i < last && good; i++) {
        designs[i - first] = random_robot(o, i, &error);
        good = designs[i - first] && !vxe_batch_add(batch, designs[i - first], &error);
    }
    good = good && !vxe_batch_run(batch, NULL, NULL, &error);
    if (good) {
        count(batch, first, sum);
    } else {
        fprintf(stderr, "random_robots: %s\n", error.message[0] ? error.message : "no memory");
    }
    vxe_batch_destroy(batch);
    for (uint32_t i = 0; i < BATCH; i++) {
        vxe_design_destroy(designs[i]);
    }
    return good;
}

static bool read_options(int count, char **words, options *o)
{
    static const struct option names[] = {{"first", required_argument, NULL, 'f'},
                                          {"robots", required_argument, NULL, 'r'},
                                          {"edge", required_argument, NULL, 'e'},
                                          {"seconds", required_argument, NULL, 's'},
                                          {"threads", required_argument, NULL, 't'},
                                          {"collide", no_argument, NULL, 'c'},
                                          {"poisson", no_argument, NULL, 'p'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    bool good = true;
    for (int option = 0; good && (option = getopt_long(count, words, "h", names, NULL)) != -1;) {
        o->collide = o->collide || option == 'c';
        o->poisson = o->poisson || option == 'p';
        o->help = o->help || option == 'h';
        good = option == 'f'   ? bench_whole(optarg, 0, UINT32_MAX, &o->first)
               : option == 'r' ? bench_whole(optarg, 1, UINT32_MAX, &o->robots)
               : option == 'e' ? bench_whole(optarg, 1, MAX_EDGE, &o->edge)
               : option == 's' ? bench_number(optarg, BENCH_SHORTEST, BENCH_LONGEST, &o->seconds)
               : option == 't' ? bench_whole(optarg, 0, BENCH_MAX_THREADS, &o->threads)
                               : option != '?';
    }
    return good && optind == count && o->robots <= UINT32_MAX - o->first;
}

int main(int count_of_words, char **words)
{
    options o = {.robots = 1000, .edge = 10, .seconds = 2};
    const bool understood = read_options(count_of_words, words, &o);
    if (!understood || o.help) {
        fprintf(
            understood ? stdout : stderr,
            "usage: random_robots [--first N] [--robots N] [--edge N] [--seconds S]\n"
            "                     [--threads N] [--collide] [--poisson]\n"
            "  --first N    number of the first robot; a robot of a number is always the same (0)\n"
            "  --robots N   number of robots (1000)\n"
            "  --edge N     voxels along the edge of the box that bodies are in, at most %u (10)\n"
            "  --seconds S  simulated time of each (2)\n"
            "  --threads N  number of threads, 0: all (0)\n"
            "  --collide    with self-collision\n"
            "  --poisson    with volume effects by Poisson's ratio\n",
            MAX_EDGE);
        return understood ? 0 : 2;
    }
    tally sum = {0};
    const double start = bench_seconds();
    for (uint32_t done = 0; done < o.robots; done += BATCH) {
        const uint32_t more = done + BATCH < o.robots ? BATCH : o.robots - done;
        if (!run(&o, o.first + done, o.first + done + more, &sum)) {
            return 5;
        }
    }
    printf("%" PRIu32 " robots in %" PRIu32 "^3, %g s each%s%s: %" PRIu32
           " done at the default step, %" PRIu32 " with a shorter one, %" PRIu32
           " diverged still, %" PRIu32 " refused; %" PRIu32
           " results with NaN; %.3g M bond updates/s\n",
           o.robots, o.edge, o.seconds, o.collide ? ", colliding" : "",
           o.poisson ? ", Poisson's ratios acting" : "", sum.done, sum.recovered, sum.lost,
           sum.refused, sum.strange, 1e-6 * sum.updates / (bench_seconds() - start));
    return sum.lost || sum.strange ? 4 : 0;
}
