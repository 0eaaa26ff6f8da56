/* SPDX-License-Identifier: MIT */
/* A hash table of rows of numbers. Equal rows get one index; chains of equal hashes are linked
   by index, so that the rows stay one array. */
#include "engine/core/unique_rows.h"

#include <stdbool.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/export.h"
#include "common/hash_internal.h"
#include "common/memory.h"

void vxe_unique_rows_begin(vxe_unique_rows *table, uint64_t bytes)
{
    VXE_ASSERT(bytes > 0 && bytes % sizeof(uint64_t) == 0);
    if (table->bytes != bytes) {
        vxe_unique_rows_clear(table);
    }
    table->bytes = bytes;
    table->count = 0;
    if (table->heads) {
        memset(table->heads, 0xff, table->head_count * sizeof *table->heads);
    }
}

void vxe_unique_rows_clear(vxe_unique_rows *table)
{
    vxe_memory_release(table->rows);
    vxe_memory_release(table->next);
    vxe_memory_release(table->heads);
    *table = (vxe_unique_rows){0};
}

void *vxe_unique_rows_take(vxe_unique_rows *table)
{
    void *rows = table->rows;
    table->rows = NULL;
    vxe_unique_rows_clear(table);
    return rows;
}

/* Words that are hashed side by side: each chain of multiplications waits for itself alone. */
enum { CHAINS = 4 };

/* Not one of the hashes that are shown: rows are found by it within a run only, and are told apart
   by their numbers. */
static uint64_t hash_of(const void *row, uint64_t bytes)
{
    uint64_t chain[CHAINS] = {0};
    for (uint64_t i = 0; i < bytes / sizeof(uint64_t); i++) {
        uint64_t word;
        memcpy(&word, (const char *)row + i * sizeof word, sizeof word);
        chain[i % CHAINS] = (chain[i % CHAINS] ^ word ^ word >> 32) * 0x9e3779b97f4a7c15ULL;
    }
    return vxe_hash_mix(vxe_hash_mix(chain[0] + 3 * chain[1]) + chain[2] + 5 * chain[3]);
}

static void *row_at(const vxe_unique_rows *table, uint32_t index)
{
    VXE_ASSERT(index < table->capacity);
    return (char *)table->rows + index * table->bytes;
}

static void link_row(vxe_unique_rows *table, uint32_t index, uint64_t hash)
{
    VXE_ASSERT(index < table->capacity && (table->head_count & (table->head_count - 1)) == 0);
    uint32_t *head = &table->heads[hash & (table->head_count - 1)];
    table->next[index] = *head;
    *head = index;
}

/* Doubles the capacity. */
static bool grow(vxe_unique_rows *table)
{
    const uint32_t capacity = table->capacity ? 2 * table->capacity : 64;
    void *rows = vxe_memory_grow(table->rows, table->count, capacity, table->bytes);
    table->rows = rows ? rows : table->rows;
    uint32_t *next = vxe_memory_grow(table->next, table->count, capacity, sizeof *next);
    table->next = next ? next : table->next;
    uint32_t *heads = vxe_memory_take(2ull * capacity, sizeof *heads);
    if (!rows || !next || !heads) {
        vxe_memory_release(heads);
        return false;
    }
    vxe_memory_release(table->heads);
    table->heads = heads;
    table->head_count = 2 * capacity;
    table->capacity = capacity;
    memset(heads, 0xff, 2ull * capacity * sizeof *heads);
    for (uint32_t i = 0; i < table->count; i++) {
        link_row(table, i, hash_of(row_at(table, i), table->bytes));
    }
    return true;
}

uint32_t vxe_unique_rows_add(vxe_unique_rows *table, const void *row)
{
    VXE_ASSERT(table->bytes > 0 && table->count <= table->capacity);
    const uint64_t hash = hash_of(row, table->bytes);
    uint32_t at = table->head_count ? table->heads[hash & (table->head_count - 1)] : VXE_NONE;
    while (at != VXE_NONE) {
        if (memcmp(row_at(table, at), row, table->bytes) == 0) {
            return at;
        }
        at = table->next[at];
    }
    if (table->count == table->capacity && !grow(table)) {
        return VXE_NONE;
    }
    memcpy(row_at(table, table->count), row, table->bytes);
    link_row(table, table->count, hash);
    return table->count++;
}
