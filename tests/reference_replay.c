/* SPDX-License-Identifier: MIT */
/* reference_replay DIR: replays DIR/scene.json, an experiment that was measured on another
 * simulator, and compares by the checks of DIR/../tolerances.json. One line per check: got, want,
 * error, tolerance, pass or FAIL. Exit 0 only if all pass, 2 on wrong use, 3 if a scene needs what
 * this release does not support. */
#include <fnmatch.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <voxelastic/voxelastic.h>

enum { EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_UNABLE = 3 };

/* A run sampled as the scene says: columns by name, rows by sample. */
typedef struct replay {
    json_t *scene;
    vxe_design *design;
    vxe_world *world;
    double *poses;        /* (voxels, 3) */
    double *orientations; /* (voxels, 4) */
    size_t columns;
    size_t rows;
    double *values; /* (rows, columns) */
} replay;

static const char *column_name(const replay *r, size_t column)
{
    return json_string_value(json_array_get(json_object_get(r->scene, "columns"), column));
}

/* Value of "link2_3_stress" and similar columns; NAN if there is no such column. */
static double link_value(const replay *r, const char *name)
{
    unsigned first = 0;
    unsigned second = 0;
    char what[16] = "";
    double strain = 0;
    double stress = 0;
    vxe_error error;
    if (sscanf(name, "link%u_%u_%15s", &first, &second, what) != 3 ||
        vxe_world_bond_strain(r->world, first, second, &strain, &stress, &error)) {
        return (double)NAN;
    }
    return strcmp(what, "stress") == 0 ? stress : strain;
}

/* Value of "v19_z" or "v19_rx". */
static double voxel_value(const replay *r, const char *name)
{
    unsigned voxel = 0;
    char what[8] = "";
    if (sscanf(name, "v%u_%7s", &voxel, what) != 2) {
        return (double)NAN;
    }
    const char axis = what[0] == 'r' ? what[1] : what[0];
    const int c = axis - 'x';
    if (c < 0 || c > 2) {
        return (double)NAN;
    }
    if (what[0] != 'r') {
        return r->poses[3 * voxel + (unsigned)c] - r->design->file_origin[c];
    }
    const double *q = r->orientations + 4 * (size_t)voxel;
    const double s = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return s > 0 ? 2 * atan2(s, q[0]) / s * q[1 + c] : 0;
}

/* Value of "body0_com_x". */
static double body_value(const replay *r, const char *name)
{
    unsigned body = 0;
    char axis = 'x';
    if (sscanf(name, "body%u_com_%c", &body, &axis) != 2) {
        return (double)NAN;
    }
    const json_t *voxels = json_array_get(json_object_get(r->scene, "bodies"), body);
    double sum = 0;
    for (size_t i = 0; i < json_array_size(voxels); i++) {
        sum += r->poses[3 * (size_t)json_integer_value(json_array_get(voxels, i)) +
                        (size_t)(axis - 'x')];
    }
    return sum / (double)json_array_size(voxels) - r->design->file_origin[axis - 'x'];
}

static double value_now(const replay *r, const char *name)
{
    double position[3];
    double velocity[3];
    vxe_world_center_of_mass(r->world, position, velocity);
    if (strcmp(name, "t") == 0) {
        return vxe_world_time(r->world);
    }
    if (strcmp(name, "kinetic_J") == 0) {
        return vxe_world_energy(r->world).kinetic;
    }
    if (strncmp(name, "com_", 4) == 0) {
        return position[name[4] - 'x'] - r->design->file_origin[name[4] - 'x'];
    }
    if (strncmp(name, "comv_", 5) == 0) {
        return velocity[name[5] - 'x'];
    }
    return name[0] == 'v'   ? voxel_value(r, name)
           : name[0] == 'b' ? body_value(r, name)
                            : link_value(r, name);
}

static void sample(replay *r, size_t row)
{
    vxe_world_poses(r->world, r->poses, r->orientations);
    for (size_t c = 0; c < r->columns; c++) {
        r->values[row * r->columns + c] = value_now(r, column_name(r, c));
    }
}

static double at(const replay *r, size_t row, size_t column)
{
    return r->values[row * r->columns + column];
}

/* First local maximum after the first local minimum. */
static double first_peak(const replay *r, size_t c)
{
    bool fallen = false;
    for (size_t i = 1; i + 1 < r->rows; i++) {
        const double now = at(r, i, c);
        fallen = fallen || (now < at(r, i - 1, c) && now <= at(r, i + 1, c));
        if (fallen && now > at(r, i - 1, c) && now >= at(r, i + 1, c)) {
            return now;
        }
    }
    return (double)NAN;
}

/* Upward zero crossings, linearly interpolated. */
static double frequency(const replay *r, size_t c)
{
    double first = 0;
    double last = 0;
    int count = 0;
    for (size_t i = 1; i < r->rows; i++) {
        const double a = at(r, i - 1, c);
        const double b = at(r, i, c);
        if (a < 0 && b >= 0) {
            last = at(r, i, 0) - (at(r, i, 0) - at(r, i - 1, 0)) * b / (b - a);
            first = count++ == 0 ? last : first;
        }
    }
    return count > 1 ? (count - 1) / (last - first) : (double)NAN;
}

/* Damping ratio from the logarithmic decrement over all positive peaks, each by a parabola through
 * three samples. */
static double damping_ratio(const replay *r, size_t c)
{
    double first = 0;
    double last = 0;
    int count = 0;
    for (size_t i = 1; i + 1 < r->rows; i++) {
        const double a = at(r, i - 1, c);
        const double b = at(r, i, c);
        const double d = at(r, i + 1, c);
        if (b > 0 && b > a && b >= d) {
            last = b + (a - d) * (a - d) / (8 * (2 * b - a - d));
            first = count++ == 0 ? last : first;
        }
    }
    const double decrement = log(first / last) / (count - 1);
    return decrement / sqrt(4 * 9.869604401089358 + decrement * decrement);
}

static double rate_ratio(const replay *r, size_t c)
{
    const size_t n = r->rows;
    return -(at(r, n - 1, c) - at(r, n - 2, c)) / (at(r, 1, c) - at(r, 0, c));
}

static double metric_of(const replay *r, const char *metric, size_t c, double threshold)
{
    double max = -HUGE_VAL;
    double sum = 0;
    double above = (double)NAN;
    for (size_t i = 0; i < r->rows; i++) {
        max = fmax(max, at(r, i, c));
        sum += at(r, i, c);
        above = isnan(above) && at(r, i, c) > threshold ? at(r, i, 0) : above;
    }
    const double last = at(r, r->rows - 1, c);
    return strcmp(metric, "final") == 0           ? last
           : strcmp(metric, "change") == 0        ? last - at(r, 0, c)
           : strcmp(metric, "max") == 0           ? max
           : strcmp(metric, "mean") == 0          ? sum / (double)r->rows
           : strcmp(metric, "first_peak") == 0    ? first_peak(r, c)
           : strcmp(metric, "frequency") == 0     ? frequency(r, c)
           : strcmp(metric, "damping_ratio") == 0 ? damping_ratio(r, c)
           : strcmp(metric, "time_above") == 0    ? above
           : strcmp(metric, "rate_ratio") == 0    ? rate_ratio(r, c)
                                                  : (double)NAN;
}

/* Mean of the last values over all columns that match a pattern; one column is the common case. */
static double measured(const replay *r, const char *metric, const char *pattern, double threshold)
{
    const bool mean_final = strcmp(metric, "mean_final") == 0;
    double sum = 0;
    size_t count = 0;
    for (size_t c = 0; c < r->columns; c++) {
        if (fnmatch(pattern, column_name(r, c), 0) == 0) {
            sum += metric_of(r, mean_final ? "final" : metric, c, threshold);
            count++;
        }
    }
    return count ? sum / (double)count : (double)NAN;
}

static bool check(const replay *r, const json_t *item)
{
    const char *metric = json_string_value(json_object_get(item, "metric"));
    const char *column = json_string_value(json_object_get(item, "column"));
    const double want = json_number_value(json_object_get(item, "value"));
    const json_t *relative = json_object_get(item, "tol_rel");
    const double tolerance = relative ? json_number_value(relative) * fabs(want)
                                      : json_number_value(json_object_get(item, "tol_abs"));
    const double got =
        measured(r, metric, column, json_number_value(json_object_get(item, "threshold")));
    const bool passed = fabs(got - want) <= tolerance;
    printf("%-14s %-16s got %.9g want %.9g error %.3g tolerance %.3g %s\n", metric, column, got,
           want, fabs(got - want), tolerance, passed ? "pass" : "FAIL");
    return passed;
}

static int complain(const char *what, const char *where)
{
    fprintf(stderr, "reference_replay: %s%s%s\n", where, where[0] ? ": " : "", what);
    return EXIT_UNABLE;
}

/* Runs the scene under its preset: with the step of the scene for a preset of another simulator,
 * with our own for native. */
static int simulate(replay *r, const char *conventions)
{
    const json_t *time = json_object_get(r->scene, "time");
    const double duration = json_number_value(json_object_get(time, "duration_s"));
    const double interval = json_number_value(json_object_get(time, "sample_interval_s"));
    vxe_world_def def = vxe_world_def_default();
    vxe_error error = {0};
    def.conventions = conventions;
    if (strcmp(conventions, "native") != 0) {
        def.step_rule = VXE_STEP_SECONDS;
        def.step_seconds = r->design->time_step.seconds;
    }
    r->world = vxe_world_create(r->design, &def, &error);
    if (!r->world) {
        return complain(error.message, "");
    }
    const vxe_world_facts facts = vxe_world_describe(r->world);
    r->columns = json_array_size(json_object_get(r->scene, "columns"));
    r->rows = (size_t)floor(duration / interval + 0.5) + 1;
    r->poses = calloc(facts.voxels, 3 * sizeof *r->poses);
    r->orientations = calloc(facts.voxels, 4 * sizeof *r->orientations);
    r->values = calloc(r->rows * r->columns, sizeof *r->values);
    if (!r->poses || !r->orientations || !r->values) {
        return complain("out of memory", "");
    }
    for (size_t row = 0; row < r->rows; row++) {
        if (vxe_world_advance_to(r->world, (double)row * interval, &error)) {
            return complain(error.message, "");
        }
        sample(r, row);
    }
    printf("%s: %s conventions, time step %.6g s, %llu steps\n", r->design->name, facts.conventions,
           facts.time_step, (unsigned long long)vxe_world_steps(r->world));
    return 0;
}

/* Prints the warnings about settings of the scene that have no effect, beside its checks. */
static void print_warnings(const replay *r)
{
    for (uint32_t i = 0; i < vxe_world_warning_count(r->world); i++) {
        printf("note: %s\n", vxe_world_warning(r->world, i));
    }
}

static int run(replay *r, const char *folder)
{
    char path[1200];
    json_error_t trouble;
    vxe_error error = {0};
    snprintf(path, sizeof path, "%s/scene.json", folder);
    r->scene = json_load_file(path, 0, &trouble);
    r->design = r->scene ? vxe_design_read(path, &error) : NULL;
    if (!r->design) {
        return complain(r->scene ? error.message : trouble.text, path);
    }
    snprintf(path, sizeof path, "%s/../tolerances.json", folder);
    json_t *tolerances = json_load_file(path, 0, &trouble);
    const json_t *entry = json_object_get(json_object_get(tolerances, "scenes"), r->design->name);
    if (!entry) {
        json_decref(tolerances);
        return complain(tolerances ? "the scene has no entry" : trouble.text, path);
    }
    int status = simulate(r, json_string_value(json_object_get(entry, "conventions")));
    if (!status) {
        print_warnings(r);
        const json_t *checks = json_object_get(entry, "checks");
        for (size_t i = 0; i < json_array_size(checks); i++) {
            status = check(r, json_array_get(checks, i)) ? status : EXIT_FAILED;
        }
    }
    json_decref(tolerances);
    return status;
}

int main(int count, char **words)
{
    if (count != 2 || words[1][0] == '-') {
        fputs("usage: reference_replay DIR\nReplays DIR/scene.json and compares by "
              "DIR/../tolerances.json.\n",
              stderr);
        return EXIT_USAGE;
    }
    replay r = {0};
    const int status = run(&r, words[1]);
    free(r.poses);
    free(r.orientations);
    free(r.values);
    vxe_world_destroy(r.world);
    vxe_design_destroy(r.design);
    json_decref(r.scene);
    return status;
}
