/* SPDX-License-Identifier: MIT */
/* Loaded before a program (LD_PRELOAD), makes its n-th allocation fail, or all from the n-th on:
   VXE_FAIL_AT=n or VXE_FAIL_FROM=n. Allocations are counted from the start of main, on all threads:
   what the loader takes before is out of a program's hands. VXE_FAIL_COUNT=FILE writes how many
   there were when the program ends. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int main_function(int count, char **words, char **environment);

static void *(*next_malloc)(size_t size);
static void *(*next_calloc)(size_t count, size_t size);
static void *(*next_realloc)(void *block, size_t size);
static void *(*next_aligned)(size_t alignment, size_t size);
static int (*next_posix)(void **block, size_t alignment, size_t size);
static main_function *real_main;
static atomic_ullong counted;
static unsigned long long fail_at, fail_from;
static atomic_bool counting;

/* Looking up a function allocates, at times: this is handed out until all are known, and never
   taken back. */
static _Alignas(64) char early[1 << 16];
static size_t early_used;

static void *take_early(size_t size)
{
    void *block = early + early_used;
    early_used += (size + 63) / 64 * 64;
    return early_used <= sizeof early ? block : NULL;
}

static bool is_early(const void *block)
{
    return (const char *)block >= early && (const char *)block < early + sizeof early;
}

static void find(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

static void find_all(void)
{
    static bool begun;
    if (!begun) {
        begun = true;
        find("calloc", &next_calloc);
        find("realloc", &next_realloc);
        find("aligned_alloc", &next_aligned);
        find("posix_memalign", &next_posix);
        find("malloc", &next_malloc);
    }
}

/* Whether the present allocation fails. */
static bool fails(void)
{
    if (!atomic_load(&counting)) {
        return false;
    }
    const unsigned long long number = atomic_fetch_add(&counted, 1) + 1;
    const bool failing = number == fail_at || (fail_from && number >= fail_from);
    if (failing) {
        errno = ENOMEM;
    }
    return failing;
}

void *malloc(size_t size)
{
    find_all();
    return fails() ? NULL : next_malloc ? next_malloc(size) : take_early(size);
}

void *calloc(size_t count, size_t size)
{
    find_all();
    return fails()                      ? NULL
           : next_calloc && next_malloc ? next_calloc(count, size)
                                        : take_early(count * size);
}

void *realloc(void *block, size_t size)
{
    find_all();
    if (is_early(block)) {
        const size_t left = (size_t)(early + sizeof early - (char *)block);
        void *moved = malloc(size);
        return moved ? memcpy(moved, block, size < left ? size : left) : NULL;
    }
    return fails() ? NULL : next_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    find_all();
    return fails() ? NULL : next_aligned(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    find_all();
    return fails() ? ENOMEM : next_posix(block, alignment, size);
}

static unsigned long long number_of(const char *name)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : 0;
}

static int counted_main(int count, char **words, char **environment)
{
    fail_at = number_of("VXE_FAIL_AT");
    fail_from = number_of("VXE_FAIL_FROM");
    atomic_store(&counting, true);
    return real_main(count, words, environment);
}

__attribute__((destructor)) static void tell(void)
{
    atomic_store(&counting, false);
    const char *path = getenv("VXE_FAIL_COUNT");
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (file >= 0) {
        dprintf(file, "%llu\n", atomic_load(&counted));
        close(file);
    }
}

/* What starts main: the way in which a library gets hold of it. */
int __libc_start_main(main_function *begin, int count, char **words, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack);

int __libc_start_main(main_function *begin, int count, char **words, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack)
{
    int (*next)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void),
                void *) = NULL;
    find("__libc_start_main", &next);
    find_all();
    real_main = begin;
    return next(counted_main, count, words, init, fini, loader_fini, stack);
}
