/* SPDX-License-Identifier: MIT */
/* The folder of a search. It is made under a name of its own (FOLDER.01234567.partial), locked, and
   renamed when it is complete; tables are cut to the last checkpoint when a search is resumed. */
#define _DEFAULT_SOURCE /* for flock */
#include "common/assert_internal.h"
#include "evolution/storage/search_folder_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <voxelastic/voxelastic.h>

#include "common/file_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "common/status_internal.h"
#include "engine/precision.h"
#include "engine/trial.h"
#include "evolution/statistics_internal.h"
#include "lattice/formats/scene/scene_internal.h"

/* Largest table whose rows are counted, bytes. */
#define MAX_TABLE (1ull << 30)

/* How often a folder is taken anew whose config.json was replaced meanwhile. */
#define MAX_TRIES 10

/* Capacity for the first line of a table. */
#define HEAD 320

static const char *const table_names[VXE_TABLES] = {"individuals.csv", "generations.csv"};
_Static_assert(sizeof(((vxe_folder *)0)->path) + 64 < 1024, "paths of files in it fit");

void vxe_folder_expect(vxe_folder *folder, const vxe_experiment *e)
{
    folder->spreads = e->evaluation.copies > 1;
    folder->learns = e->learning.iterations > 0;
}

/* The first line of a table, into text. */
static const char *head_of(const vxe_folder *folder, const vxe_experiment *e, int table,
                           char text[HEAD])
{
    const char *unit = vxe_design_fitness_unit(e->ground).suffix;
    if (table == VXE_TABLE_GENERATIONS) {
        snprintf(text, HEAD,
                 "generation,evaluations,best,best_fitness%s,living,median_fitness%s,failed,"
                 "archive_cells,best_at_half_step%s\n",
                 unit, unit, unit);
        return text;
    }
    const int length =
        snprintf(text, HEAD,
                 "id,generation,parent,operator,age,status,fitness%s,voxels,actuated,length_cells,"
                 "width_cells,height_cells,body_hash",
                 unit);
    snprintf(text + length, HEAD - (size_t)length, "%s%s%s%s%s\n",
             folder->spreads ? ",fitness_deviation" : "", folder->spreads ? unit : "",
             folder->learns ? ",fitness_before" : "", folder->learns ? unit : "",
             folder->learns ? ",learning_runs" : "");
    return text;
}

char *vxe_folder_name(const vxe_folder *folder, const char *name, char *text, size_t size)
{
    snprintf(text, size, "%s/%s", folder->path, name);
    return text;
}

static vxe_status set_path(vxe_folder *folder, const char *path, vxe_error *error)
{
    *folder = (vxe_folder){.path = ""};
    const size_t capacity = sizeof folder->path - VXE_FILE_MORE;
    if (strlen(path) >= capacity || path[0] == '\0') {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "a folder's name has 1 to %zu characters, not %zu", capacity - 1,
                              strlen(path));
    }
    snprintf(folder->path, sizeof folder->path, "%s", path);
    for (size_t end = strlen(folder->path); end > 1 && folder->path[end - 1] == '/'; end--) {
        folder->path[end - 1] = '\0';
    }
    return VXE_OK;
}

vxe_status vxe_folder_make(const vxe_folder *folder, const char *name, vxe_error *error)
{
    char path[1024];
    vxe_folder_name(folder, name, path, sizeof path);
    return mkdir(path, 0777) && errno != EEXIST
               ? vxe_file_refused(path, "cannot make the folder", error)
               : VXE_OK;
}

/* Whether a name is one that vxe_folder_put_design gives to an individual. */
static bool is_of_individual(const char *name)
{
    const size_t digits = strspn(name, "0123456789");
    return digits >= 8 && strcmp(name + digits, ".json") == 0;
}

vxe_status vxe_folder_empty(const vxe_folder *folder, const char *name, vxe_error *error)
{
    char path[1024];
    vxe_folder_name(folder, name, path, sizeof path);
    DIR *entries = opendir(path);
    bool good = entries;
    for (const struct dirent *entry = NULL; good && (entry = readdir(entries));) {
        good = !is_of_individual(entry->d_name) || unlinkat(dirfd(entries), entry->d_name, 0) == 0;
    }
    const vxe_status status = good ? VXE_OK : vxe_file_refused(path, "cannot empty", error);
    if (entries) {
        closedir(entries);
    }
    return status;
}

static vxe_status write_text(const vxe_folder *folder, const char *name, const char *text,
                             vxe_error *error)
{
    char path[1024];
    vxe_file_writer writer;
    vxe_status status =
        vxe_file_begin(&writer, vxe_folder_name(folder, name, path, sizeof path), error);
    if (!status) {
        fputs(text, writer.stream);
        status = vxe_file_commit(&writer, error);
    }
    return status ? status : vxe_file_settle(path, error);
}

/* Reads the name of the processor from Linux, whose first lines have it. Without a stream, which
   takes memory. */
static void name_processor(char *name, size_t size)
{
    char text[2048];
    const int file = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    const ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    text[length > 0 ? length : 0] = '\0';
    const char *line = strstr(text, "model name");
    const char *value = line ? strstr(line, ": ") : NULL;
    snprintf(name, size, "%.*s", value ? (int)strcspn(value + 2, "\n") : 7,
             value ? value + 2 : "unknown");
    if (file >= 0) {
        close(file);
    }
}

/* Writes manifest.json: what the search was begun with. */
static vxe_status write_manifest(const vxe_folder *folder, const vxe_experiment *e,
                                 vxe_error *error)
{
    char path[1024];
    char processor[256];
    name_processor(processor, sizeof processor);
    const uint64_t failures = vxe_json_watch();
    json_t *manifest = json_pack(
        "{s:s, s:s, s:o, s:s, s:s, s:I}", "voxelastic", VXE_VERSION, "compiler", __VERSION__,
        "processor", vxe_scene_string(processor), "isa", vxe_instruction_set(VXE_PRECISION_MIXED),
        "precision", vxe_precision_name(VXE_PRECISION_MIXED), "seed", (json_int_t)e->seed);
    return vxe_json_write(manifest, failures,
                          vxe_folder_name(folder, "manifest.json", path, sizeof path), error);
}

/* Writes the first contents of a folder, before it gets its final name. */
static vxe_status furnish(const vxe_folder *folder, const vxe_experiment *e, vxe_error *error)
{
    const uint64_t failures = vxe_memory_failures();
    char *config = vxe_experiment_text(e);
    vxe_status status = config ? VXE_OK : vxe_error_memory(error, 1 << 16);
    status = status ? status : vxe_folder_make(folder, "best", error);
    for (int t = 0; t < VXE_TABLES && !status; t++) {
        char head[HEAD];
        status = write_text(folder, table_names[t], head_of(folder, e, t, head), error);
    }
    status = status ? status : write_manifest(folder, e, error);
    status = status ? status : write_text(folder, "config.json", config, error);
    free(config);
    status = status ? status : vxe_memory_check(failures, error); /* a unit may be missing */
    return status ? status : vxe_file_settle(folder->path, error);
}

/* Opens config.json for its lock. */
static int open_config(const char *path)
{
    const int file = open(path, O_RDWR | O_CLOEXEC);
    return file < 0 && errno == EACCES ? open(path, O_RDONLY | O_CLOEXEC) : file;
}

/* Whether an open file still has this name: a search that is extended replaces config.json. */
static bool has_name(int file, const char *path)
{
    struct stat facts;
    struct stat named;
    return !fstat(file, &facts) && !stat(path, &named) && facts.st_dev == named.st_dev &&
           facts.st_ino == named.st_ino;
}

/* Locks the folder, so that no other process writes to it; the system lets go when this process
   ends, however it does. The file must be open for writing, since servers of network disks (NFS)
   lock no other. Where a disk has no locks, the search goes on without. */
static vxe_status take_folder(vxe_folder *folder, vxe_error *error)
{
    char path[1024];
    vxe_folder_name(folder, "config.json", path, sizeof path);
    for (int tries = 0; tries < MAX_TRIES; tries++) {
        const int file = open_config(path);
        if (file < 0) {
            return vxe_file_refused(path, "cannot open", error);
        }
        if (flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
            close(file);
            break;
        }
        if (has_name(file, path)) {
            folder->lock = file;
            return VXE_OK;
        }
        close(file); /* it was replaced between */
    }
    return vxe_error_at(error, VXE_ERROR_SYSTEM, folder->path, 0, 0,
                        "is in use by another process");
}

/* The lock must be that of the file that has the name: the new one is locked before it gets it. It
   is on the disk by then, too: there is no other copy of the experiment. */
vxe_status vxe_folder_put_config(vxe_folder *folder, const vxe_experiment *e, vxe_error *error)
{
    char path[1024];
    vxe_file_writer writer;
    vxe_folder_name(folder, "config.json", path, sizeof path);
    char *config = vxe_experiment_text(e);
    vxe_status status = config ? VXE_OK : vxe_error_memory(error, 1 << 16);
    status = status ? status : vxe_file_begin(&writer, path, error);
    if (status) {
        free(config);
        return status;
    }
    fputs(config, writer.stream);
    free(config);
    const int lock = fcntl(fileno(writer.stream), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (lock < 0 || (flock(lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) ||
        fflush(writer.stream) || fsync(lock)) {
        status = vxe_file_refused(path, "cannot write", error);
        vxe_file_abandon(&writer);
    } else {
        status = vxe_file_commit(&writer, error);
    }
    const int old = status ? lock : folder->lock;
    folder->lock = status ? folder->lock : lock;
    if (old > 0) {
        close(old);
    }
    return status ? status : vxe_file_settle(folder->path, error);
}

/* Removes what furnish makes. */
static void remove_folder(const vxe_folder *folder)
{
    static const char *const files[] = {"config.json", "manifest.json"};
    char path[1024];
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        unlink(vxe_folder_name(folder, files[i], path, sizeof path));
    }
    for (int t = 0; t < VXE_TABLES; t++) {
        unlink(vxe_folder_name(folder, table_names[t], path, sizeof path));
    }
    rmdir(vxe_folder_name(folder, "best", path, sizeof path));
    rmdir(folder->path);
}

static vxe_status exists_already(const vxe_folder *folder, vxe_error *error)
{
    return vxe_error_at(error, VXE_ERROR_ARGUMENT, folder->path, 0, 0,
                        "exists; a search never overwrites a folder (--resume continues it)");
}

vxe_status vxe_folder_create(vxe_folder *folder, const char *path, const vxe_experiment *e,
                             vxe_error *error)
{
    struct stat facts;
    vxe_folder made;
    vxe_status status = set_path(folder, path, error);
    if (status) {
        return status;
    }
    if (lstat(folder->path, &facts) == 0) {
        return exists_already(folder, error);
    }
    vxe_folder_expect(folder, e);
    made = *folder;
    status = vxe_file_make_folder(folder->path, made.path, sizeof made.path, error);
    if (status) {
        return status;
    }
    status = furnish(&made, e, error);
    status = status ? status : take_folder(&made, error);
    folder->lock = made.lock;
    /* where another search has made the folder meanwhile, it is not empty, and this fails */
    if (!status && rename(made.path, folder->path)) {
        status = errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR
                     ? exists_already(folder, error)
                     : vxe_file_refused(folder->path, "cannot make the folder", error);
    }
    if (status) {
        remove_folder(&made);
    }
    return status;
}

vxe_status vxe_folder_find(vxe_folder *folder, const char *path, vxe_error *error)
{
    static const char *const inner[] = {".", "best", "archive"};
    char name[1024];
    vxe_status status = set_path(folder, path, error);
    if (!status && access(vxe_folder_name(folder, "config.json", name, sizeof name), R_OK)) {
        return vxe_error_at(error, VXE_ERROR_SYSTEM, folder->path, 0, 0,
                            "holds no search: no config.json can be read in it");
    }
    status = status ? status : take_folder(folder, error);
    for (size_t i = 0; i < sizeof inner / sizeof inner[0] && !status; i++) {
        vxe_file_sweep(vxe_folder_name(folder, inner[i], name, sizeof name));
    }
    return status;
}

vxe_status vxe_folder_is_new(const vxe_folder *folder, uint64_t interval, vxe_error *error)
{
    char path[1024];
    char *text = NULL;
    uint64_t size = 0;
    uint64_t rows = 0;
    vxe_folder_name(folder, table_names[VXE_TABLE_GENERATIONS], path, sizeof path);
    const vxe_status status = vxe_file_read(path, MAX_TABLE, &text, &size, error);
    for (uint64_t i = 0; i < size; i++) {
        rows += text[i] == '\n';
    }
    vxe_memory_release(text);
    return status || rows <= interval + 1
               ? status
               : vxe_error_at(error, VXE_ERROR_INPUT, path, 0, 0,
                              "holds %" PRIu64 " generations, but there is no checkpoint to go on "
                              "from; was it not copied?",
                              rows - 1);
}

/* Bytes of the first line of a table, whatever release wrote it; 0 where there is none. */
static uint64_t measure_head(FILE *table)
{
    char head[HEAD];
    return fgets(head, sizeof head, table) && strchr(head, '\n') ? strlen(head) : 0;
}

/* Moves a mark over the bytes of its table up to `end`. Returns false, with errno, where they
   cannot be read. */
static bool move_mark(vxe_table_mark *mark, int table, uint64_t end)
{
    unsigned char bytes[1 << 14];
    errno = 0;
    while (mark->bytes < end) {
        const uint64_t left = end - mark->bytes;
        const ssize_t got =
            pread(table, bytes, left < sizeof bytes ? left : sizeof bytes, (off_t)mark->bytes);
        if (got <= 0) {
            return false;
        }
        for (ssize_t i = 0; i < got; i++) {
            vxe_hash_word(&mark->hash, bytes[i]);
        }
        mark->bytes += (uint64_t)got;
    }
    return true;
}

/* Opens a table, and cuts it to its mark. */
static vxe_status open_table(vxe_folder *folder, int t, vxe_error *error)
{
    char path[1024];
    struct stat facts;
    const vxe_table_mark *mark = &folder->marks[t];
    folder->table[t] = fopen(vxe_folder_name(folder, table_names[t], path, sizeof path), "r+b");
    if (!folder->table[t] || fstat(fileno(folder->table[t]), &facts)) {
        return vxe_file_refused(path, "cannot open", error);
    }
    const uint64_t length = mark->bytes > 0 ? mark->bytes : measure_head(folder->table[t]);
    if (length == 0) {
        return vxe_error_at(error, VXE_ERROR_INPUT, path, 1, 1, "has lost its first line");
    }
    if ((uint64_t)facts.st_size < length) {
        return vxe_error_at(error, VXE_ERROR_INPUT, path, 0, 0,
                            "is shorter than at the last checkpoint: %" PRIu64
                            " bytes instead of %" PRIu64,
                            (uint64_t)facts.st_size, length);
    }
    vxe_table_mark found = {0};
    if (!move_mark(&found, fileno(folder->table[t]), mark->bytes)) {
        return vxe_file_refused(path, "cannot read", error);
    }
    if (!mark->unhashed && found.hash.value != mark->hash.value) {
        return vxe_error_at(error, VXE_ERROR_INPUT, path, 0, 0,
                            "was changed since the last checkpoint: its rows are not those that "
                            "the search wrote");
    }
    folder->marks[t] = found;
    if (ftruncate(fileno(folder->table[t]), (off_t)length) ||
        fseeko(folder->table[t], (off_t)length, SEEK_SET)) {
        return vxe_file_refused(path, "cannot cut", error);
    }
    return VXE_OK;
}

vxe_status vxe_folder_open(vxe_folder *folder, vxe_error *error)
{
    vxe_status status = VXE_OK;
    VXE_ASSERT(!folder->table[0]);
    for (int t = 0; t < VXE_TABLES && !status; t++) {
        status = open_table(folder, t, error);
    }
    return status;
}

void vxe_folder_close(vxe_folder *folder)
{
    for (int t = 0; t < VXE_TABLES; t++) {
        if (folder->table[t]) {
            fclose(folder->table[t]);
            folder->table[t] = NULL;
        }
    }
    if (folder->lock > 0) {
        close(folder->lock);
        folder->lock = 0;
    }
}

/* Writes a number, or an empty cell for NaN. */
static void put_number(FILE *stream, double value)
{
    char text[40];
    fputs(value == value ? vxe_number_shortest(text, sizeof text, value) : "", stream);
}

void vxe_folder_add_individuals(const vxe_folder *folder, const vxe_population *members,
                                uint32_t generation)
{
    FILE *stream = folder->table[VXE_TABLE_INDIVIDUALS];
    VXE_ASSERT(stream);
    for (uint32_t k = 0; k < members->count; k++) {
        const vxe_individual *member = &members->members[k];
        const vxe_outcome *outcome = &member->outcome;
        char parent[24] = "";
        if (member->parent > 0) {
            snprintf(parent, sizeof parent, "%" PRIu64, member->parent);
        }
        fprintf(stream, "%" PRIu64 ",%" PRIu32 ",%s,%s,%" PRIu32 ",%s,", member->id,
                member->generation, parent, vxe_operator_name(member->made_by),
                generation - member->origin, vxe_verdict_name(outcome->verdict));
        put_number(stream, outcome->fitness);
        fprintf(stream, ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%016" PRIx64,
                outcome->voxels, outcome->actuated, outcome->extent[0], outcome->extent[1],
                outcome->extent[2], outcome->hash);
        if (folder->spreads) {
            putc(',', stream);
            put_number(stream, vxe_is_fit(member) ? outcome->spread : (double)NAN);
        }
        if (folder->learns) {
            putc(',', stream);
            put_number(stream, outcome->before);
            putc(',', stream);
            put_number(stream, outcome->learning_runs);
        }
        putc('\n', stream);
    }
}

/* Median fitness; NaN without any individual. */
static vxe_status find_median(const vxe_population *living, double *median, vxe_error *error)
{
    double *values = vxe_memory_take(living->count, sizeof *values);
    if (!values) {
        return vxe_error_memory(error, living->count * sizeof *values);
    }
    for (uint32_t k = 0; k < living->count; k++) {
        values[k] = living->members[k].outcome.fitness;
    }
    *median = vxe_median(values, living->count);
    vxe_memory_release(values);
    return VXE_OK;
}

vxe_status vxe_folder_add_generation(const vxe_folder *folder, const vxe_generation_row *row,
                                     vxe_error *error)
{
    FILE *stream = folder->table[VXE_TABLE_GENERATIONS];
    VXE_ASSERT(stream && folder->table[VXE_TABLE_INDIVIDUALS]);
    double median = 0;
    const vxe_status status = find_median(row->living, &median, error);
    if (status) {
        return status;
    }
    fprintf(stream, "%" PRIu32 ",%" PRIu64 ",", row->generation, row->evaluations);
    if (row->champion->id > 0) {
        fprintf(stream, "%" PRIu64 ",", row->champion->id);
        put_number(stream, row->champion->outcome.fitness);
    } else {
        fputs(",", stream);
    }
    fprintf(stream, ",%" PRIu32 ",", row->living->count);
    put_number(stream, median);
    fprintf(stream, ",%" PRIu32 ",", row->failed);
    if (row->filled > 0) {
        fprintf(stream, "%" PRIu32, row->filled);
    }
    putc(',', stream);
    put_number(stream, row->at_half);
    fputs("\n", stream);
    /* in this order, so that individuals named in generations.csv are in individuals.csv;
       vxe_folder_settle reports failures */
    fflush(folder->table[VXE_TABLE_INDIVIDUALS]);
    fflush(stream);
    return VXE_OK;
}

vxe_status vxe_folder_settle(vxe_folder *folder, vxe_error *error)
{
    for (int t = 0; t < VXE_TABLES; t++) {
        FILE *stream = folder->table[t];
        char path[1024];
        errno = 0;
        if (fflush(stream) || ferror(stream) || fsync(fileno(stream))) {
            return vxe_file_refused(vxe_folder_name(folder, table_names[t], path, sizeof path),
                                    "cannot write", error);
        }
        if (!move_mark(&folder->marks[t], fileno(stream), (uint64_t)ftello(stream))) {
            return vxe_file_refused(vxe_folder_name(folder, table_names[t], path, sizeof path),
                                    "cannot read", error);
        }
    }
    return VXE_OK;
}

vxe_status vxe_individual_design(const vxe_experiment *e, const vxe_individual *individual,
                                 vxe_design **design, vxe_error *error)
{
    vxe_phenotype phenotype;
    vxe_status status = vxe_develop(e, &individual->genome, &phenotype, error);
    if (!status && phenotype.design) {
        status = vxe_learned_apply(e, &individual->learned, phenotype.design, error);
    }
    if (status) {
        vxe_phenotype_clear(&phenotype);
    }
    *design = phenotype.design;
    if (*design) {
        snprintf((*design)->name, sizeof(*design)->name, "%s%sindividual %" PRIu64, e->name,
                 e->name[0] ? ", " : "", individual->id);
    }
    return status;
}

vxe_status vxe_folder_put_design(const vxe_folder *folder, const char *where, const char *name,
                                 const vxe_experiment *e, const vxe_individual *individual,
                                 vxe_error *error)
{
    char path[1024];
    vxe_design *design = NULL;
    vxe_status status = vxe_individual_design(e, individual, &design, error);
    if (status || !design) {
        return status;
    }
    if (name) {
        snprintf(path, sizeof path, "%s/%s/%s.json", folder->path, where, name);
    } else {
        snprintf(path, sizeof path, "%s/%s/%08" PRIu64 ".json", folder->path, where,
                 individual->id);
    }
    status = vxe_design_write(design, path, error);
    status = status ? status : vxe_file_settle(path, error);
    vxe_design_destroy(design);
    return status;
}
