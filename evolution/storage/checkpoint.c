/* SPDX-License-Identifier: MIT */
/* Checkpoints: 64-bit words, little-endian, with a hash of all of them at the end. The previous
   checkpoint is kept beside the last one, so that one of them is complete whenever a search is
   killed. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <voxelastic/voxelastic.h>

#include "common/assert_internal.h"
#include "common/file_internal.h"
#include "common/hash_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/search_internal.h"

#define MAGIC 0x32544b4345585600ull /* "\0VXECKT2" */
/* The same without the hashes of tables, which an earlier build wrote. */
#define MAGIC_UNHASHED 0x31544b4345585600ull /* "\0VXECKT1" */
#define LAST "checkpoint.bin"
#define BEFORE "checkpoint.previous.bin"
#define MAX_BYTES (8ull << 30)

/* An array of words that is appended to, or read from its beginning. */
typedef struct tape {
    uint64_t *words; /* (count) */
    uint64_t count, capacity, at;
    bool bad; /* no memory, or read beyond the end */
} tape;

static void put(tape *t, uint64_t word)
{
    if (t->count == t->capacity && !t->bad) {
        const uint64_t capacity = t->capacity ? 2 * t->capacity : 4096;
        uint64_t *words = vxe_memory_grow(t->words, t->count, capacity, sizeof *words);
        t->bad = !words;
        t->words = words ? words : t->words;
        t->capacity = words ? capacity : t->capacity;
    }
    if (!t->bad) {
        t->words[t->count++] = word;
    }
}

static void put_double(tape *t, double number)
{
    uint64_t word = 0;
    memcpy(&word, &number, sizeof word);
    put(t, word);
}

static uint64_t get(tape *t)
{
    t->bad = t->bad || t->at >= t->count;
    return t->bad ? 0 : t->words[t->at++];
}

static double get_double(tape *t)
{
    const uint64_t word = get(t);
    double number = 0;
    memcpy(&number, &word, sizeof number);
    return number;
}

static uint64_t hash_of(const tape *t, uint64_t count)
{
    VXE_ASSERT(count <= t->count);
    vxe_hash hash = {0};
    for (uint64_t i = 0; i < count; i++) {
        vxe_hash_word(&hash, t->words[i]);
    }
    return vxe_hash_end(&hash);
}

static uint64_t hash_of_text(const char *text)
{
    vxe_hash hash = {0};
    for (; *text; text++) {
        vxe_hash_word(&hash, (unsigned char)*text);
    }
    return vxe_hash_end(&hash);
}

/* Hash of the text of the experiment with so many generations. */
static uint64_t hash_of_generations(const vxe_experiment *e, uint64_t generations)
{
    vxe_experiment of = *e;
    of.algorithm.generations = generations;
    char *text = vxe_experiment_identity(&of);
    const uint64_t hash = text ? hash_of_text(text) : 0;
    free(text);
    return hash;
}

/* Hash of the text of the experiment, of how many generations ever: a search that is extended finds
   its checkpoint, whether or not it was killed in between. */
static uint64_t hash_of_experiment(const vxe_experiment *e)
{
    return hash_of_generations(e, 0);
}

/* Whether a hash is that of the search's experiment; or, as earlier builds have it, with its
   generations, or of config.json to the letter: these may have written some keys by other names. */
static bool is_of_experiment(const vxe_search *search, uint64_t hash)
{
    const vxe_experiment *e = search->experiment;
    if (hash == hash_of_experiment(e) || hash == hash_of_generations(e, e->algorithm.generations)) {
        return true;
    }
    char path[1024];
    char *text = NULL;
    uint64_t size = 0;
    vxe_error unread;
    vxe_folder_name(&search->folder, "config.json", path, sizeof path);
    const bool same =
        !vxe_file_read(path, MAX_BYTES, &text, &size, &unread) && hash == hash_of_text(text);
    vxe_memory_release(text);
    return same;
}

static void put_genes(tape *t, const vxe_genome *genome)
{
    put(t, genome->count);
    for (uint32_t i = 0; i < genome->count; i++) {
        put_double(t, genome->genes[i]);
    }
}

static void put_individual(tape *t, const vxe_experiment *e, const vxe_individual *member)
{
    const vxe_outcome *outcome = &member->outcome;
    put(t, member->id);
    put(t, member->parent);
    put(t, (uint64_t)member->made_by);
    put(t, member->generation);
    put(t, member->origin);
    put(t, (uint64_t)outcome->verdict);
    put_double(t, outcome->fitness);
    put(t, outcome->voxels);
    put(t, outcome->actuated);
    for (int c = 0; c < 3; c++) {
        put(t, outcome->extent[c]);
    }
    put(t, outcome->hash);
    put_genes(t, &member->genome);
    if (e->learning.iterations > 0) {
        put_genes(t, &member->learned);
    }
}

/* Reads a count and that many numbers. */
static vxe_status get_genes(tape *t, vxe_genome *genome, vxe_error *error)
{
    const uint64_t genes = get(t);
    t->bad = t->bad || genes > t->count - t->at;
    const vxe_status status = vxe_genome_take(genome, t->bad ? 0 : genes, error);
    for (uint32_t i = 0; i < genome->count; i++) {
        genome->genes[i] = get_double(t);
    }
    return status;
}

/* Reads what an individual learned. */
static vxe_status get_learned(tape *t, const vxe_experiment *e, vxe_individual *member,
                              vxe_error *error)
{
    vxe_phenotype phenotype = {0};
    vxe_status status = get_genes(t, &member->learned, error);
    status = status ? status : vxe_develop(e, &member->genome, &phenotype, error);
    t->bad = t->bad || status || !vxe_learned_fits(e, &member->learned, phenotype.design);
    vxe_phenotype_clear(&phenotype);
    return status;
}

static vxe_status get_individual(tape *t, const vxe_experiment *e, vxe_individual *member,
                                 vxe_error *error)
{
    vxe_outcome *outcome = &member->outcome;
    *member = (vxe_individual){.id = get(t), .parent = get(t)};
    member->made_by = (vxe_operator)get(t);
    member->generation = (uint32_t)get(t);
    member->origin = (uint32_t)get(t);
    outcome->verdict = (vxe_verdict)get(t);
    outcome->fitness = get_double(t);
    outcome->voxels = (uint32_t)get(t);
    outcome->actuated = (uint32_t)get(t);
    for (int c = 0; c < 3; c++) {
        outcome->extent[c] = (uint32_t)get(t);
    }
    outcome->hash = get(t);
    vxe_status status = get_genes(t, &member->genome, error);
    t->bad = t->bad || status || !vxe_encoding_of(e)->valid(e, &member->genome);
    return t->bad || e->learning.iterations == 0 ? status : get_learned(t, e, member, error);
}

static void put_search(tape *t, const vxe_search *search)
{
    put(t, MAGIC);
    put(t, hash_of_text(VXE_VERSION));
    const uint64_t experiment = hash_of_experiment(search->experiment);
    t->bad = t->bad || experiment == 0;
    put(t, experiment);
    put(t, search->generation);
    put(t, search->next_id);
    put(t, search->evaluations);
    put(t, search->failed);
    for (int i = 0; i < VXE_TABLES; i++) {
        put(t, search->folder.marks[i].bytes);
        put(t, search->folder.marks[i].hash.value);
    }
    put(t, search->living.count);
    for (uint32_t k = 0; k < search->living.count; k++) {
        put_individual(t, search->experiment, &search->living.members[k]);
    }
    put(t, search->champion.id > 0);
    if (search->champion.id > 0) {
        put_individual(t, search->experiment, &search->champion);
        put_double(t, search->champion_at_half);
    }
    put_genes(t, &search->memory);
    put(t, hash_of(t, t->count));
}

/* Writes the words to a new file, syncs it to the disk, renames the last checkpoint to the previous
   one, and the new file to the last. */
static vxe_status write_tape(const vxe_folder *folder, const tape *t, vxe_error *error)
{
    char last[1024];
    char before[1024];
    vxe_file_writer writer;
    vxe_folder_name(folder, LAST, last, sizeof last);
    vxe_folder_name(folder, BEFORE, before, sizeof before);
    vxe_status status = vxe_file_begin(&writer, last, error);
    if (status) {
        return status;
    }
    errno = 0;
    if (fwrite(t->words, sizeof *t->words, t->count, writer.stream) != t->count ||
        fflush(writer.stream) || fsync(fileno(writer.stream)) ||
        (rename(last, before) && errno != ENOENT)) {
        status = vxe_file_refused(last, "cannot write", error);
        vxe_file_abandon(&writer);
        return status;
    }
    status = vxe_file_commit(&writer, error);
    return status ? status : vxe_file_settle(folder->path, error);
}

vxe_status vxe_checkpoint_write(vxe_search *search, vxe_error *error)
{
    tape t = {0};
    vxe_status status = vxe_folder_settle(&search->folder, error);
    if (!status) {
        put_search(&t, search);
        status = t.bad ? vxe_error_memory(error, t.count * sizeof *t.words)
                       : write_tape(&search->folder, &t, error);
    }
    vxe_memory_release(t.words);
    return status;
}

/* Reads a search from words whose hash is right. */
static vxe_status get_search(tape *t, vxe_search *search, const char *path, vxe_error *error)
{
    vxe_status status = VXE_OK;
    const uint64_t magic = get(t);
    if ((magic != MAGIC && magic != MAGIC_UNHASHED) || get(t) != hash_of_text(VXE_VERSION)) {
        return vxe_error_at(error, VXE_ERROR_UNSUPPORTED, path, 0, 0,
                            "is not a checkpoint of release %s; only the release that wrote a "
                            "checkpoint continues it with the same results",
                            VXE_VERSION);
    }
    if (!is_of_experiment(search, get(t))) {
        return vxe_error_at(error, VXE_ERROR_INPUT, path, 0, 0,
                            "is of another experiment than config.json: was that changed?");
    }
    search->generation = (uint32_t)get(t);
    if (search->generation > search->experiment->algorithm.generations) {
        return vxe_error_at(error, VXE_ERROR_INPUT, path, 0, 0,
                            "is of %" PRIu32 " generations, and config.json plans %" PRIu64
                            ": was that changed?",
                            search->generation, search->experiment->algorithm.generations);
    }
    search->next_id = get(t);
    search->evaluations = get(t);
    search->failed = (uint32_t)get(t);
    for (int i = 0; i < VXE_TABLES; i++) {
        vxe_table_mark *mark = &search->folder.marks[i];
        mark->bytes = get(t);
        mark->unhashed = magic == MAGIC_UNHASHED;
        mark->hash.value = mark->unhashed ? 0 : get(t);
    }
    const uint64_t living = get(t);
    for (uint64_t k = 0; k < living && !t->bad && !status; k++) {
        vxe_individual member;
        status = get_individual(t, search->experiment, &member, error);
        status = status ? status : vxe_population_add(&search->living, &member, error);
    }
    if (get(t) > 0 && !status) {
        status = get_individual(t, search->experiment, &search->champion, error);
        search->champion_at_half = get_double(t);
    }
    status = status ? status : get_genes(t, &search->memory, error);
    if (search->memory.count > 0) {
        const vxe_algorithm *algorithm = vxe_algorithm_of(search->experiment);
        t->bad = t->bad || !algorithm->remembers || !algorithm->remembers(search);
    }
    if (!status && t->bad) {
        status = vxe_error_at(error, VXE_ERROR_INPUT, path, 0, 0, "is not a complete checkpoint");
    }
    return status ? status : vxe_folder_open(&search->folder, error);
}

/* Reads the words of a file without the hash at its end; *whole tells whether the hash is right. */
static vxe_status load(tape *t, const char *path, bool *whole, vxe_error *error)
{
    char *bytes = NULL;
    uint64_t size = 0;
    const vxe_status status = vxe_file_read(path, MAX_BYTES, &bytes, &size, error);
    *t = (tape){.words = (uint64_t *)(void *)bytes, .count = status ? 0 : size / sizeof(uint64_t)};
    *whole = !status && t->count > 1 && size % sizeof(uint64_t) == 0 &&
             t->words[t->count - 1] == hash_of(t, t->count - 1);
    t->count -= *whole;
    return status;
}

vxe_status vxe_checkpoint_read(vxe_search *search, bool *found, vxe_error *error)
{
    static const char *const names[] = {LAST, BEFORE};
    vxe_status status = VXE_OK;
    bool damaged = false;
    char path[1024];
    const uint64_t failures = vxe_memory_failures();
    *found = false;
    for (int i = 0; i < 2 && !*found && !status; i++) {
        tape t;
        bool whole = false;
        vxe_folder_name(&search->folder, names[i], path, sizeof path);
        if (access(path, F_OK)) {
            status = errno == ENOENT ? VXE_OK : vxe_file_refused(path, "cannot read", error);
            continue;
        }
        status = load(&t, path, &whole, error);
        if (!status && whole) {
            *found = true;
            status = get_search(&t, search, path, error);
        }
        damaged = damaged || (!status && !whole);
        vxe_memory_release(t.words);
        if (*found && !status && damaged) { /* otherwise the next checkpoint would rename the
                                               damaged one over the whole one */
            char last[1024];
            unlink(vxe_folder_name(&search->folder, LAST, last, sizeof last));
        }
    }
    if (!status && damaged && !*found) {
        vxe_folder_name(&search->folder, LAST, path, sizeof path);
        status = vxe_error_at(error, VXE_ERROR_INPUT, path, 0, 0,
                              "is damaged, and there is no complete previous one");
    }
    /* without memory an experiment has no text to be known by */
    return vxe_memory_check(failures, error) ? VXE_ERROR_MEMORY : status;
}
