/* SPDX-License-Identifier: MIT */
/* The folder of a tuning. Files appear whole or not at all; tuning.json comes last when the folder
   is made, so that a folder with one is complete. */
#define _DEFAULT_SOURCE /* for flock */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/shared/output_file.h"
#include "cli/tune/tune.h"

#define CHOICES "tuning.json"
#define START "before.json"
#define STATE "state.bin"

/* Longest file of choices, and of a state, bytes. */
#define MAX_STATE (8ll << 30)

static vxe_status refused(const char *path, const char *what, vxe_error *error)
{
    *error = (vxe_error){.status = errno == ENOMEM ? VXE_ERROR_MEMORY : VXE_ERROR_SYSTEM};
    snprintf(error->file, sizeof error->file, "%.500s", path);
    snprintf(error->message, sizeof error->message, "%s: %s", what, strerror(errno));
    return error->status;
}

static vxe_status wrong(const char *path, const char *what, vxe_error *error)
{
    *error = (vxe_error){.status = VXE_ERROR_INPUT};
    snprintf(error->file, sizeof error->file, "%.500s", path);
    snprintf(error->message, sizeof error->message, "%s", what);
    return error->status;
}

char *tune_folder_name(const tune_folder *folder, const char *name, char text[TUNE_PATH])
{
    snprintf(text, TUNE_PATH, "%s/%s", folder->path, name);
    return text;
}

/* The kinds that are tuned, as words. */
static json_t *kinds_of(const vxe_tuner_def *def)
{
    json_t *list = json_array();
    for (uint32_t kind = 0; vxe_tuned_name(kind); kind++) {
        if (def->by >> kind & 1) {
            json_array_append_new(list, json_string(vxe_tuned_name(kind)));
        }
    }
    return list;
}

vxe_status tune_folder_put_choices(const tune_folder *folder, const tune_choices *c,
                                   vxe_error *error)
{
    char path[TUNE_PATH];
    vxe_file_writer file;
    const uint64_t failures = vxe_json_watch();
    json_t *all = json_pack(
        "{s:s, s:i, s:s, s:o, s:o, s:I, s:f, s:f, s:I, s:I, s:f, s:o, s:s, s:f, s:b}", "format",
        "voxelastic tuning", "version", 1, "voxelastic", VXE_VERSION, "by", kinds_of(&c->def),
        "for", json_text(c->formula[0] ? c->formula : "walk"), "iterations",
        (json_int_t)c->iterations, "time_s", c->def.seconds, "forget_s", c->def.forget, "copies",
        (json_int_t)c->def.copies, "seed", (json_int_t)c->def.seed, "longer_s", c->longer,
        "conventions", json_text(c->conventions), "precision",
        vxe_precision_name(c->def.world.precision), "step_s", c->def.world.step_seconds,
        "no_self_collision", c->no_collision);
    char *text = all ? json_dumps(all, JSON_INDENT(1)) : NULL;
    json_decref(all);
    vxe_status status = text ? vxe_memory_check(failures, error) : command_no_memory(error);
    status =
        status ? status : vxe_file_begin(&file, tune_folder_name(folder, CHOICES, path), error);
    if (!status) {
        fprintf(file.stream, "%s\n", text);
        status = vxe_file_commit(&file, error);
    }
    free(text);
    return status;
}

/* Locks the folder for this process, by the file of its choices; the system lets go when the
   process ends. */
static vxe_status lock_folder(tune_folder *folder, vxe_error *error)
{
    char path[TUNE_PATH];
    folder->lock = open(folder->path, O_RDONLY | O_CLOEXEC);
    if (folder->lock < 0) {
        return refused(folder->path, "cannot open", error);
    }
    if (flock(folder->lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
        (void)wrong(folder->path, "is in use by another process", error);
        error->status = VXE_ERROR_SYSTEM;
        return error->status;
    }
    return access(tune_folder_name(folder, CHOICES, path), F_OK) == 0 ? VXE_OK : VXE_ERROR_SYSTEM;
}

void tune_folder_close(tune_folder *folder)
{
    if (folder->lock >= 0) {
        close(folder->lock);
    }
    folder->lock = -1;
}

vxe_status tune_folder_create(tune_folder *folder, const char *path, const vxe_design *design,
                              const tune_choices *choices, vxe_error *error)
{
    char name[TUNE_PATH];
    *folder = (tune_folder){.path = path, .lock = -1};
    if (strlen(path) + 64 > TUNE_PATH || path[0] == '\0') {
        return wrong(path, "a folder's name has 1 to 4500 characters", error);
    }
    if (mkdir(path, 0777)) {
        if (errno != EEXIST) {
            return refused(path, "cannot make the folder", error);
        }
        (void)wrong(path, "exists; a tuning never overwrites a folder (--resume continues it)",
                    error);
        error->status = VXE_ERROR_ARGUMENT;
        return error->status;
    }
    vxe_status status = mkdir(tune_folder_name(folder, "best", name), 0777)
                            ? refused(name, "cannot make the folder", error)
                            : VXE_OK;
    status =
        status ? status : vxe_design_write(design, tune_folder_name(folder, START, name), error);
    status = status ? status : tune_folder_put_choices(folder, choices, error);
    status = status ? status : lock_folder(folder, error);
    if (status) {
        tune_folder_close(folder);
        unlink(tune_folder_name(folder, CHOICES, name));
        unlink(tune_folder_name(folder, START, name));
        rmdir(tune_folder_name(folder, "best", name));
        rmdir(path);
    }
    return status;
}

/* Takes the kinds from words. */
static bool take_kinds(vxe_tuner_def *def, const json_t *list)
{
    size_t i;
    const json_t *word;
    def->by = 0;
    json_array_foreach(list, i, word)
    {
        const char *name = json_string_value(word);
        for (uint32_t kind = 0; name && vxe_tuned_name(kind); kind++) {
            def->by |= strcmp(name, vxe_tuned_name(kind)) == 0 ? 1u << kind : 0;
        }
    }
    return def->by != 0;
}

/* Takes the choices from a file's object. */
static bool take_choices(tune_choices *c, json_t *all)
{
    const char *format = NULL;
    const char *formula = NULL;
    const char *conventions = NULL;
    const char *precision = NULL;
    const json_t *by = NULL;
    json_int_t iterations = 0;
    json_int_t copies = 0;
    json_int_t seed = 0;
    int no_collision = 0;
    vxe_tuner_def *def = &c->def;
    if (!all ||
        json_unpack(all, "{s:s, s:o, s:s, s:I, s:F, s:F, s:I, s:I, s:F, s:s, s:s, s:F, s:b}",
                    "format", &format, "by", &by, "for", &formula, "iterations", &iterations,
                    "time_s", &def->seconds, "forget_s", &def->forget, "copies", &copies, "seed",
                    &seed, "longer_s", &c->longer, "conventions", &conventions, "precision",
                    &precision, "step_s", &def->world.step_seconds, "no_self_collision",
                    &no_collision) ||
        strcmp(format, "voxelastic tuning") != 0 || !take_kinds(def, by) || iterations < 1 ||
        copies < 1 || copies > UINT32_MAX || seed < 0 || strlen(formula) >= sizeof c->formula ||
        strlen(conventions) >= sizeof c->conventions) {
        return false;
    }
    snprintf(c->formula, sizeof c->formula, "%s", strcmp(formula, "walk") == 0 ? "" : formula);
    snprintf(c->conventions, sizeof c->conventions, "%s", conventions);
    c->iterations = (uint64_t)iterations;
    c->no_collision = no_collision;
    def->copies = (uint32_t)copies;
    def->seed = (uint64_t)seed;
    def->world.precision =
        strcmp(precision, "double") == 0 ? VXE_PRECISION_DOUBLE : VXE_PRECISION_MIXED;
    def->world.step_rule = def->world.step_seconds > 0 ? VXE_STEP_SECONDS : VXE_STEP_AUTO;
    return true;
}

vxe_status tune_folder_open(tune_folder *folder, const char *path, vxe_design **design,
                            tune_choices *choices, vxe_error *error)
{
    char name[TUNE_PATH];
    json_error_t where;
    *folder = (tune_folder){.path = path, .lock = -1};
    tune_folder_name(folder, CHOICES, name);
    if (strlen(path) + 64 > TUNE_PATH || access(name, R_OK)) {
        (void)wrong(path, "holds no tuning: no " CHOICES " can be read in it", error);
        error->status = VXE_ERROR_SYSTEM;
        return error->status;
    }
    const vxe_status status = lock_folder(folder, error);
    if (status) {
        return status;
    }
    const uint64_t failures = vxe_json_watch();
    errno = 0;
    json_t *all = json_load_file(name, JSON_REJECT_DUPLICATES, &where);
    if (!all && errno == ENOMEM) { /* for the stream */
        return command_no_memory(error);
    }
    const bool taken = take_choices(choices, all);
    json_decref(all);
    if (vxe_memory_check(failures, error)) {
        return error->status;
    }
    if (!taken) {
        return wrong(name, "is not what a tuning writes: was it changed?", error);
    }
    *design = vxe_design_read(tune_folder_name(folder, START, name), error);
    return *design ? VXE_OK : error->status;
}

vxe_status tune_folder_restore(const tune_folder *folder, vxe_tuner *tuner, vxe_error *error)
{
    char path[TUNE_PATH];
    struct stat facts;
    FILE *file = fopen(tune_folder_name(folder, STATE, path), "rb");
    if (!file) {
        return errno == ENOENT ? VXE_OK : refused(path, "cannot open", error);
    }
    vxe_status status = VXE_OK;
    char *bytes = NULL;
    if (fstat(fileno(file), &facts) || facts.st_size > MAX_STATE) {
        status = wrong(path, "is no state of a tuning", error);
    } else if (!(bytes = vxe_memory_take((uint64_t)facts.st_size + 1, 1))) {
        status = command_no_memory(error);
    } else if (fread(bytes, 1, (size_t)facts.st_size, file) != (size_t)facts.st_size) {
        status = refused(path, "cannot read", error);
    } else {
        status = vxe_tuner_restore(tuner, bytes, (uint64_t)facts.st_size, error);
        vxe_error_name_file(status ? error : NULL, path);
    }
    vxe_memory_release(bytes);
    fclose(file);
    return status;
}

static vxe_status put_state(const tune_folder *folder, const vxe_tuner *tuner, vxe_error *error)
{
    char path[TUNE_PATH];
    vxe_file_writer file;
    uint64_t size = 0;
    char *bytes = vxe_tuner_save(tuner, &size, error);
    vxe_status status = bytes ? vxe_file_begin(&file, tune_folder_name(folder, STATE, path), error)
                              : VXE_ERROR_MEMORY;
    if (!status) {
        fwrite(bytes, 1, size, file.stream);
        status = vxe_file_commit(&file, error);
    }
    vxe_memory_release(bytes);
    return status;
}

static void put_number(FILE *stream, double number)
{
    if (number == number) {
        fprintf(stream, "%.17g", number);
    }
}

static vxe_status put_curve(const tune_folder *folder, const vxe_tuner *tuner, const char *suffix,
                            vxe_error *error)
{
    char path[TUNE_PATH];
    vxe_file_writer file;
    const vxe_status status =
        vxe_file_begin(&file, tune_folder_name(folder, "curve.csv", path), error);
    if (status) {
        return status;
    }
    fprintf(file.stream,
            "iteration,runs,score%s,smooth_score%s,best_score%s,growth_per_s,branch_changes,"
            "diverged\n",
            suffix, suffix, suffix);
    for (uint32_t i = 1; i <= vxe_tuner_describe(tuner).iterations; i++) {
        const vxe_tuner_row row = vxe_tuner_row_of(tuner, i);
        fprintf(file.stream, "%" PRIu32 ",%.10g,", i, row.runs);
        put_number(file.stream, row.score);
        putc(',', file.stream);
        put_number(file.stream, row.smooth);
        putc(',', file.stream);
        put_number(file.stream, row.best);
        putc(',', file.stream);
        put_number(file.stream, row.growth);
        putc(',', file.stream);
        put_number(file.stream, row.branch_changes);
        fprintf(file.stream, ",%" PRIu32 "\n", row.diverged);
    }
    return vxe_file_commit(&file, error);
}

static vxe_status put_picture(const tune_folder *folder, const vxe_tuner *tuner, const char *unit,
                              vxe_error *error)
{
    char path[TUNE_PATH];
    vxe_file_writer file;
    const vxe_status status =
        vxe_file_begin(&file, tune_folder_name(folder, "curve.svg", path), error);
    if (status) {
        return status;
    }
    tune_picture_draw(file.stream, tuner, unit);
    return vxe_file_commit(&file, error);
}

vxe_status tune_folder_save(const tune_folder *folder, const vxe_tuner *tuner, vxe_error *error)
{
    vxe_status status = put_state(folder, tuner, error);
    const uint32_t kept = vxe_tuner_describe(tuner).kept;
    vxe_unit unit = {"", "", ""};
    for (uint32_t k = 0; k < kept && !status; k++) {
        char name[32];
        char path[TUNE_PATH];
        vxe_design *design = NULL;
        status = vxe_tuner_design(tuner, k, &design, NULL, NULL, error);
        snprintf(name, sizeof name, "best/%u.json", k + 1);
        status =
            status ? status : vxe_design_write(design, tune_folder_name(folder, name, path), error);
        status = status || k > 0
                     ? status
                     : vxe_design_write(design, tune_folder_name(folder, "best.json", path), error);
        unit = design ? vxe_design_fitness_unit(design) : unit;
        vxe_design_destroy(design);
    }
    status = status ? status : put_curve(folder, tuner, unit.suffix, error);
    return status ? status : put_picture(folder, tuner, unit.name, error);
}
