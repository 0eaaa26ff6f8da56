/* SPDX-License-Identifier: MIT */
/* A tuner as bytes: 64-bit words of this machine, with a hash of all of them at the end. */
#include <math.h>
#include <string.h>
#include <voxelastic/voxelastic.h>

#include "common/hash_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/tuning/tuning_internal.h"

#define MAGIC 0x314e555445585600ull /* "\0VXETUN1" */
enum { HEAD = 7, ROW = 7 };         /* words */

static uint64_t hash_of_words(const uint64_t *words, uint64_t count)
{
    vxe_hash hash = {0};
    for (uint64_t i = 0; i < count; i++) {
        vxe_hash_word(&hash, words[i]);
    }
    return vxe_hash_end(&hash);
}

static void add_text(vxe_hash *hash, const char *text)
{
    for (; *text; text++) {
        vxe_hash_word(hash, (unsigned char)*text);
    }
    vxe_hash_word(hash, 0);
}

/* Everything that the bits of a tuning follow from, but its length and its threads. */
static uint64_t identity_of(const vxe_tuner *tuner)
{
    const vxe_tuner_def *def = &tuner->def;
    vxe_hash hash = {0};
    add_text(&hash, VXE_VERSION);
    add_text(&hash, tuner->formula);
    add_text(&hash, def->world.conventions ? def->world.conventions : "");
    vxe_hash_word(&hash, vxe_design_hash(tuner->design));
    const uint64_t words[] = {def->by,
                              def->copies,
                              def->seed,
                              tuner->steps,
                              tuner->sample_every,
                              (uint64_t)def->world.precision,
                              (uint64_t)def->world.torsion,
                              (uint64_t)def->world.composite,
                              (uint64_t)def->world.shear,
                              (uint64_t)def->world.damping_form};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        vxe_hash_word(&hash, words[i]);
    }
    vxe_hash_double(&hash, def->world.step_seconds);
    vxe_hash_double(&hash, tuner->forget);
    vxe_hash_double(&hash, def->kept[0]);
    vxe_hash_double(&hash, def->kept[1]);
    for (uint32_t kind = 0; kind < VXE_TUNED_KINDS; kind++) {
        vxe_hash_double(&hash, def->kind[kind].low);
        vxe_hash_double(&hash, def->kind[kind].high);
        vxe_hash_double(&hash, def->kind[kind].rate);
        vxe_hash_double(&hash, def->kind[kind].spread);
    }
    return vxe_hash_end(&hash);
}

/* Words of a tuner with so many iterations and designs that are kept. */
static uint64_t size_of(const vxe_tuner *tuner, uint64_t iterations, uint64_t kept)
{
    const uint64_t count = tuner->numbers.count;
    return HEAD + 3 * count + ROW * iterations + kept * (2 + count) + 1;
}

static uint64_t *put(uint64_t *to, const void *from, uint64_t words)
{
    memcpy(to, from, words * sizeof *to);
    return to + words;
}

static const uint64_t *get(void *to, const uint64_t *from, uint64_t words)
{
    memcpy(to, from, words * sizeof *from);
    return from + words;
}

/* Numbers of a row, for reading and writing. */
static void row_numbers(const vxe_tuner_row *row, double numbers[ROW])
{
    const double all[ROW] = {row->score,          row->smooth,   row->best, row->growth,
                             row->branch_changes, row->diverged, row->runs};
    memcpy(numbers, all, sizeof all);
}

char *vxe_tuner_save(const vxe_tuner *tuner, uint64_t *size, vxe_error *error)
{
    const vxe_tuned_numbers *n = &tuner->numbers;
    const uint64_t words = size_of(tuner, tuner->iterations, tuner->kept);
    uint64_t *all = vxe_memory_take(words, sizeof *all);
    if (!all) {
        vxe_error_memory(error, words * sizeof *all);
        return NULL;
    }
    const uint64_t head[HEAD] = {
        MAGIC,          identity_of(tuner), n->count,       tuner->iterations,
        tuner->moments, tuner->kept,        tuner->diverged};
    uint64_t *at = put(all, head, HEAD);
    at = put(at, n->value, n->count);
    at = put(at, n->mean, n->count);
    at = put(at, n->square, n->count);
    for (uint32_t i = 0; i < tuner->iterations; i++) {
        double numbers[ROW];
        row_numbers(&tuner->rows[i], numbers);
        at = put(at, numbers, ROW);
    }
    for (uint32_t k = 0; k < tuner->kept; k++) {
        at = put(at, &tuner->best[k].score, 1);
        *at++ = tuner->best[k].iteration;
        at = put(at, tuner->best[k].value, n->count);
    }
    *at = hash_of_words(all, words - 1);
    *size = words * sizeof *all;
    return (char *)all;
}

/* Checks words before anything is read from them. */
static vxe_status check(const vxe_tuner *tuner, const uint64_t *all, uint64_t words,
                        vxe_error *error)
{
    if (words <= HEAD || all[0] != MAGIC || all[words - 1] != hash_of_words(all, words - 1)) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "is no whole state of a tuning, or is damaged");
    }
    if (all[1] != identity_of(tuner) || all[2] != tuner->numbers.count) {
        return vxe_error_fill(error, VXE_ERROR_INPUT,
                              "is of another design, of other choices or of another release");
    }
    return all[3] <= UINT32_MAX && all[5] <= VXE_TUNER_KEPT &&
                   words == size_of(tuner, all[3], all[5])
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_INPUT, "has another length than it says");
}

static void read_words(vxe_tuner *tuner, const uint64_t *all, vxe_tuner_row *rows)
{
    const vxe_tuned_numbers *n = &tuner->numbers;
    const uint64_t *at = all + HEAD;
    at = get(n->value, at, n->count);
    at = get(n->mean, at, n->count);
    at = get(n->square, at, n->count);
    for (uint64_t i = 0; i < all[3]; i++) {
        double numbers[ROW];
        at = get(numbers, at, ROW);
        rows[i] = (vxe_tuner_row){numbers[0], numbers[1],           numbers[2], numbers[3],
                                  numbers[4], (uint32_t)numbers[5], numbers[6]};
    }
    tuner->kept = (uint32_t)all[5];
    for (uint32_t k = 0; k < tuner->kept; k++) {
        at = get(&tuner->best[k].score, at, 1);
        tuner->best[k].iteration = (uint32_t)*at++;
        at = get(tuner->best[k].value, at, n->count);
    }
    tuner->iterations = (uint32_t)all[3];
    tuner->moments = (uint32_t)all[4];
    tuner->diverged = all[6];
}

vxe_status vxe_tuner_restore(vxe_tuner *tuner, const char *bytes, uint64_t size, vxe_error *error)
{
    const uint64_t words = size / sizeof(uint64_t);
    uint64_t *all = vxe_memory_take(words + 1, sizeof *all);
    if (!all) {
        return vxe_error_memory(error, size);
    }
    memcpy(all, bytes, words * sizeof *all);
    vxe_status status = check(tuner, all, words, error);
    vxe_tuner_row *rows = status ? NULL : vxe_memory_take(all[3] + 1, sizeof *rows);
    if (!status && !rows) {
        status = vxe_error_memory(error, (all[3] + 1) * sizeof *rows);
    }
    if (!status) {
        vxe_memory_release(tuner->rows);
        read_words(tuner, all, rows);
        tuner->rows = rows;
        tuner->row_capacity = (uint32_t)all[3] + 1;
    }
    vxe_memory_release(all);
    return status;
}
