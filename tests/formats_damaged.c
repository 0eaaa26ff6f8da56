/* SPDX-License-Identifier: MIT */
/* Every reader, given files of the fuzzers' corpus that are cut at each byte or changed at random:
 * the result is an error or the content of the file, within bounded time and memory. Reads beyond
 * the end are found by the sanitizers. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "readers.h"
#include "support.h"

/* Number of changed copies of each file. */
#define TRIALS 10000
/* Memory limit of one reading. */
#define MAX_BYTES (256ull << 20)

static char *bytes_of(const char *path, uint64_t *size)
{
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    char *bytes = test_malloc(1 << 16);
    *size = fread(bytes, 1, 1 << 16, in);
    fclose(in);
    assert_in_range(*size, 1, (1 << 16) - 1);
    return bytes;
}

/* Reads a separate block for each cut, so that reading beyond the end is detected. */
static void check_cuts(file_reader *read, const char *bytes, uint64_t size)
{
    for (uint64_t n = 0; n < size; n++) {
        char *cut = test_malloc(n + 1);
        memcpy(cut, bytes, n);
        cut[n] = '\0';
        (void)read(cut, n);
        test_free(cut);
    }
}

/* Changes one to four bytes, to printable ones and to any in turns. Returns how many copies could
 * be read. */
static int check_changes(file_reader *read, const char *bytes, uint64_t size)
{
    uint64_t seed = 4;
    int good = 0;
    char *copy = test_malloc(size + 1);
    for (int trial = 0; trial < TRIALS; trial++) {
        memcpy(copy, bytes, size);
        copy[size] = '\0';
        for (int k = 0; k < 1 + trial % 4; k++) {
            const uint64_t where = (uint64_t)((random_unit(&seed) + 1) / 2 * (double)size) % size;
            const double byte = (random_unit(&seed) + 1) / 2;
            copy[where] = (char)(trial % 8 < 4 ? 32 + (int)(byte * 94) : (int)(byte * 255.9));
        }
        good += read(copy, size);
    }
    test_free(copy);
    return good;
}

/* All files of a folder of the corpus; there must be three or more. */
static void check_folder(const char *name, file_reader *read)
{
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/%s", SOURCE_FOLDER, name);
    DIR *list = opendir(folder);
    assert_non_null(list);
    int files = 0;
    for (const struct dirent *entry = readdir(list); entry; entry = readdir(list)) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        char path[2048];
        uint64_t size = 0;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        char *bytes = bytes_of(path, &size);
        bytes[size] = '\0';
        if (!read(bytes, size)) {
            fail_msg("%s can not be read", path);
        }
        memory_count memory;
        count_memory(&memory);
        check_cuts(read, bytes, size);
        const int good = check_changes(read, bytes, size);
        vxe_memory_use(NULL);
        print_message("  %-24s %5d of %d changed files could still be read, %.1f MiB at most\n",
                      entry->d_name, good, TRIALS, (double)memory.max / (1 << 20));
        assert_in_range(
            good, 1, TRIALS - 1); /* otherwise the changes have no effect, or nothing checks them */
        assert_in_range(memory.max, 1, MAX_BYTES);
        assert_int_equal(memory.bytes, 0);
        test_free(bytes);
        files++;
    }
    closedir(list);
    assert_true(files >= 3);
}

#define FOLDER(name)                                                                               \
    static void damaged_##name(void **state)                                                       \
    {                                                                                              \
        (void)state;                                                                               \
        check_folder(#name, read_as_##name);                                                       \
    }

FOLDER(vxa)
FOLDER(vxd)
FOLDER(json)
FOLDER(vox)
FOLDER(npy)
FOLDER(npz)
FOLDER(history)
FOLDER(scores)
FOLDER(vxr)
FOLDER(job)
FOLDER(experiment)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_vxa),       cmocka_unit_test(damaged_vxd),
        cmocka_unit_test(damaged_json),      cmocka_unit_test(damaged_vox),
        cmocka_unit_test(damaged_npy),       cmocka_unit_test(damaged_npz),
        cmocka_unit_test(damaged_history),   cmocka_unit_test(damaged_scores),
        cmocka_unit_test(damaged_job),       cmocka_unit_test(damaged_vxr),
        cmocka_unit_test(damaged_experiment)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
