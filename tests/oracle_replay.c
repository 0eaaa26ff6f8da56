/* SPDX-License-Identifier: MIT */
/* oracle_replay FOLDER [--native|--auto]: runs published robots under the preset of the simulator
 * that they were written for, with that simulator's own step, and compares their final places with
 * the simulator's answers. FOLDER/INDEX.csv lists the runs; their files, answers and tolerances
 * (the spread of the simulator itself under changes of its step) are in folders beside it. --native
 * also prints the result of our own law for each robot. --auto chooses no conventions: runs count
 * where the rules that a file gets are those of the index. Exit 0 if all are within tolerance, 77
 * if the folder is missing. */
#define _POSIX_C_SOURCE 200809L
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <voxelastic/voxelastic.h>

enum { EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_SKIP = 77, MAX_COLUMNS = 40, MAX_RUNS = 200 };

/* Static runs compare heights at rest and edge factors, in voxels. */
#define STATIC_TOLERANCE 1e-4

typedef struct run {
    const char *folder;
    const char *simulator;
    bool is_static;
    uint64_t steps;
    double time_step;     /* s */
    double tolerance;     /* voxels */
    double displacement;  /* voxels, horizontal; the simulator's answer */
    double end[3];        /* m, its final centre of mass */
    double start[3];      /* m, the start from which its displacement is measured */
    double cpu_seconds;   /* the simulator's own */
    double settle_height; /* largest difference of a voxel's height or scale, voxels; static runs */
    double our_end[3], our_start[3];
    double our_seconds;
    double our_step;
    double voxel_size;
    uint32_t voxels;
    char failure[1024];
    char chosen[VXE_CONVENTIONS_NAME]; /* rules that it ran under */
} run;

/* Splits a line of the index; fields in quotes may hold commas. */
static int split(char *line, char *field[MAX_COLUMNS])
{
    int count = 0;
    char *at = line;
    while (count < MAX_COLUMNS) {
        const bool quoted = *at == '"';
        field[count++] = at + quoted;
        at = strchr(at + quoted, quoted ? '"' : ',');
        if (!at) {
            break;
        }
        if (quoted) {
            *at++ = '\0';
        }
        if (*at != ',') {
            break;
        }
        *at++ = '\0';
    }
    return count;
}

static const char *value_of(char *const titles[], char *const field[], int count, const char *title)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(titles[i], title) == 0) {
            return field[i];
        }
    }
    fprintf(stderr, "the index has no column %s\n", title);
    exit(EXIT_FAILED);
}

static const char *conventions_of(const char *simulator)
{
    return strstr(simulator, "land_water")       ? "land-water"
           : strstr(simulator, "reconfigurable") ? "recorg"
                                                 : "evosoro";
}

/* Both centres of mass, from the answer beside the trace. */
static bool read_answer(run *r, const char *folder, const char *trace)
{
    char path[1024];
    const char *suffix = strcmp(trace, "trace_rec.csv") == 0 ? "_rec" : "";
    snprintf(path, sizeof path, "%s/%s/result%s.json", folder, r->folder, suffix);
    json_t *answer = json_load_file(path, 0, NULL);
    for (size_t c = 0; c < 3 && answer; c++) {
        r->end[c] = json_number_value(json_array_get(json_object_get(answer, "com_end"), c));
        r->start[c] =
            json_number_value(json_array_get(json_object_get(answer, "com_reference"), c));
    }
    json_decref(answer);
    return answer != NULL;
}

static void fail(run *r, const char *why)
{
    snprintf(r->failure, sizeof r->failure, "%s", why);
}

/* Largest difference of a voxel's height or edge from its row of final_voxels, in voxels. */
static double settled(const vxe_world *world, const char *path)
{
    const uint32_t voxels = vxe_world_describe(world).voxels;
    const double size = vxe_world_describe(world).voxel_size;
    double *places = calloc(3ull * voxels, sizeof *places);
    double *edges = calloc(voxels, sizeof *edges);
    FILE *file = fopen(path, "r");
    char line[512];
    double max = file ? 0 : HUGE_VAL;
    vxe_world_poses(world, places, NULL);
    vxe_world_sense(world, &(vxe_sensors){.edge = edges});
    while (file && fgets(line, sizeof line, file)) {
        unsigned voxel = 0;
        double z = 0;
        double edge = 0;
        if (sscanf(line, "%u,%*d,%*f,%*f,%*f,%*f,%*f,%lf,%lf", &voxel, &z, &edge) == 3 &&
            voxel < voxels) {
            max = fmax(max, fmax(fabs(places[3ull * voxel + 2] - z), fabs(edges[voxel] - edge)));
        }
    }
    if (file) {
        fclose(file);
    }
    free(places);
    free(edges);
    return max / size;
}

/* Runs to a step and stores the centre of mass at the start of the displacement, after settling. */
static bool advance(run *r, vxe_world *world, double settle, uint64_t steps)
{
    const vxe_world_facts facts = vxe_world_describe(world);
    const uint64_t first = (uint64_t)floor(settle / facts.time_step) + 1;
    const uint64_t settling = first < steps ? first : steps;
    vxe_error error;
    struct timespec begin;
    struct timespec end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    if (vxe_world_advance(world, settling, &error)) {
        fail(r, error.message);
        return false;
    }
    vxe_world_center_of_mass(world, r->our_start, NULL);
    if (vxe_world_advance(world, steps - settling, &error)) {
        fail(r, error.message);
        return false;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    vxe_world_center_of_mass(world, r->our_end, NULL);
    r->our_seconds =
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    r->voxels = facts.voxels;
    r->voxel_size = facts.voxel_size;
    r->our_step = facts.time_step;
    return true;
}

static void replay(run *r, const char *folder, const char *conventions)
{
    char path[1024];
    vxe_error error;
    snprintf(path, sizeof path, "%s/%s/design.vxa", folder, r->folder);
    vxe_design *design = vxe_design_read_leniently(path, &error);
    vxe_world_def def = vxe_world_def_default();
    def.conventions = conventions;
    def.threads = 1;
    vxe_world *world = design ? vxe_world_create(design, &def, &error) : NULL;
    if (!world) {
        fail(r, error.message);
    } else {
        const double time_step = vxe_world_describe(world).time_step;
        snprintf(r->chosen, sizeof r->chosen, "%s", vxe_world_describe(world).conventions);
        const bool native = strcmp(r->chosen, "native") == 0;
        const double end = (double)r->steps * r->time_step;
        const uint64_t steps = native ? (uint64_t)ceil(end / time_step) : r->steps;
        if (advance(r, world, design->stop.settle_time, steps) && r->is_static && !native) {
            snprintf(path, sizeof path, "%s/%s/final_voxels.csv", folder, r->folder);
            r->settle_height = settled(world, path);
        }
    }
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

static double apart(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* Prints a run and returns whether it is within its tolerance. */
static bool report(const run *r, const run *native)
{
    const char *conventions = conventions_of(r->simulator);
    const size_t length = strlen(r->folder);
    printf("%-10s %-34s ", conventions, r->folder + (length > 34 ? length - 34 : 0));
    if (r->failure[0]) {
        printf("FAILED: %s\n", r->failure);
        return false;
    }
    const double error =
        r->is_static ? r->settle_height : apart(r->our_end, r->end) / r->voxel_size;
    const double bound = r->is_static ? STATIC_TOLERANCE : r->tolerance;
    const double moved = hypot(r->our_end[0] - r->our_start[0], r->our_end[1] - r->our_start[1]);
    printf("%5u vox  theirs %9.5f  ours %9.5f  off %9.3g  tolerance %9.3g %s  %5.1f x", r->voxels,
           r->displacement, moved / r->voxel_size, error, bound, error <= bound ? "pass" : "FAIL",
           r->cpu_seconds / r->our_seconds);
    if (native && !native->failure[0]) {
        const double own = hypot(native->our_end[0] - native->our_start[0],
                                 native->our_end[1] - native->our_start[1]);
        printf("  native %9.5f %6.1f x", own / native->voxel_size,
               native->cpu_seconds / native->our_seconds);
    } else if (native) {
        printf("  native failed: %s", native->failure);
    }
    printf("\n");
    return error <= bound;
}

static int compare(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return count == 0 ? 0 : 0.5 * (values[count / 2] + values[(count - 1) / 2]);
}

/* How many times faster than each simulator: the median over robots of at least 80 voxels. */
static void report_speed(const run *runs, const run *natives, int count)
{
    static const char *const names[] = {"evosoro", "land-water", "recorg"};
    for (int n = 0; n < 3; n++) {
        double voxelyze[MAX_RUNS];
        double own[MAX_RUNS];
        int of_voxelyze = 0;
        int of_own = 0;
        for (int i = 0; i < count; i++) {
            if (strcmp(conventions_of(runs[i].simulator), names[n]) != 0 || runs[i].voxels < 80) {
                continue;
            }
            if (!runs[i].failure[0]) {
                voxelyze[of_voxelyze++] = runs[i].cpu_seconds / runs[i].our_seconds;
            }
            if (natives && !natives[i].failure[0]) {
                own[of_own++] = natives[i].cpu_seconds / natives[i].our_seconds;
            }
        }
        printf("%-10s %d robots of 80 voxels or more: %.1f x the speed of the simulator at its own "
               "step",
               names[n], of_voxelyze, median(voxelyze, of_voxelyze));
        if (natives) {
            printf(", native at its own step %.1f x", median(own, of_own));
        }
        printf("\n");
    }
}

/* Reads all runs of the index. Returns their number, or -1. The lines stay allocated, because runs
 * point into them. */
static int read_index(const char *folder, run *runs)
{
    static char text[1 << 20];
    char path[1024];
    char *titles[MAX_COLUMNS];
    int count = 0;
    snprintf(path, sizeof path, "%s/INDEX.csv", folder);
    FILE *file = fopen(path, "r");
    if (!file) {
        return -1;
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char *next = NULL;
    const int columns = split(strtok_r(text, "\n", &next), titles);
    for (char *line = strtok_r(NULL, "\n", &next); line && count < MAX_RUNS;
         line = strtok_r(NULL, "\n", &next)) {
        char *field[MAX_COLUMNS] = {NULL};
        split(line, field);
#define VALUE(title) value_of(titles, field, columns, title)
        runs[count] = (run){.folder = VALUE("folder"),
                            .simulator = VALUE("simulator"),
                            .is_static = atoi(VALUE("static")) != 0,
                            .steps = strtoull(VALUE("steps"), NULL, 10),
                            .time_step = atof(VALUE("dt_s")),
                            .tolerance = atof(VALUE("tolerance_vox")),
                            .displacement = atof(VALUE("final_disp_horizontal_vox")),
                            .cpu_seconds = atof(VALUE("cpu_s"))};
        if (!read_answer(&runs[count], folder, VALUE("trace"))) {
            fail(&runs[count], "its answer can not be read");
        }
#undef VALUE
        count++;
    }
    return count;
}

int main(int count, char **words)
{
    static run runs[MAX_RUNS];
    static run natives[MAX_RUNS];
    const bool with_native = count == 3 && strcmp(words[2], "--native") == 0;
    const bool by_file = count == 3 && strcmp(words[2], "--auto") == 0;
    if (count < 2 || (count > 2 && !with_native && !by_file)) {
        fprintf(stderr, "usage: oracle_replay FOLDER [--native|--auto]\n");
        return EXIT_USAGE;
    }
    const int found = read_index(words[1], runs);
    if (found < 0) {
        printf("no oracle at %s\n", words[1]);
        return EXIT_SKIP;
    }
    int passed = 0;
    int others = 0; /* runs by another simulator than the file's */
    for (int i = 0; i < found; i++) {
        natives[i] = runs[i];
        if (!runs[i].failure[0]) {
            replay(&runs[i], words[1], by_file ? NULL : conventions_of(runs[i].simulator));
        }
        if (by_file && strcmp(runs[i].chosen, conventions_of(runs[i].simulator)) != 0) {
            printf("%-10s %s: runs as %s\n", conventions_of(runs[i].simulator), runs[i].folder,
                   runs[i].chosen);
            others++;
            continue;
        }
        if (with_native) {
            replay(&natives[i], words[1], "native");
        }
        passed += report(&runs[i], with_native ? &natives[i] : NULL);
        fflush(stdout);
    }
    report_speed(runs, with_native ? natives : NULL, found);
    printf("%d of %d within tolerance\n", passed, found - others);
    return passed == found - others ? 0 : EXIT_FAILED;
}
