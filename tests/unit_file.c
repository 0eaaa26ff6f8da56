/* SPDX-License-Identifier: MIT */
/* Files that appear whole or not at all: their names in the making, modes, links, limits. Each test
   has a folder of its own, which is empty again at its end. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/file_internal.h"
#include "common/memory.h"
#include "support.h"

#define FOLDER "unit_file"

static int enter(void **state)
{
    (void)state;
    umask(022);
    return system("rm -rf " FOLDER " && mkdir " FOLDER) || chdir(FOLDER);
}

/* Fails where a test has left anything. */
static int leave(void **state)
{
    (void)state;
    return chdir("..") || rmdir(FOLDER);
}

static void put(const char *path, const char *text)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

/* The file at path holds this text. */
static void holds(const char *path, const char *text)
{
    char *found = NULL;
    uint64_t size = 0;
    vxe_error error;
    assert_int_equal(vxe_file_read(path, 1000, &found, &size, &error), VXE_OK);
    assert_string_equal(found, text);
    vxe_memory_release(found);
}

/* Writes a file through the writer. */
static void write_whole(const char *path, const char *text)
{
    vxe_file_writer writer;
    vxe_error error;
    assert_int_equal(vxe_file_begin(&writer, path, &error), VXE_OK);
    fputs(text, writer.stream);
    assert_int_equal(vxe_file_commit(&writer, &error), VXE_OK);
}

static mode_t mode_of(const char *path)
{
    struct stat facts;
    assert_int_equal(lstat(path, &facts), 0);
    return facts.st_mode & 0777;
}

static void a_file_of_a_likely_name_is_not_touched(void **state)
{
    (void)state;
    put("x.csv.partial", "of the user");
    put("other", "behind a link");
    write_whole("x.csv", "one");
    holds("x.csv.partial", "of the user");
    assert_int_equal(unlink("x.csv.partial") || symlink("other", "x.csv.partial"), 0);
    write_whole("x.csv", "two");
    holds("other", "behind a link");
    holds("x.csv", "two");
    assert_int_equal(unlink("x.csv") || unlink("other") || unlink("x.csv.partial"), 0);
}

static void writers_of_one_file_share_nothing(void **state)
{
    (void)state;
    vxe_file_writer writers[3];
    vxe_error error;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(vxe_file_begin(&writers[i], "x.csv", &error), VXE_OK);
    }
    for (int i = 2; i >= 0; i--) {
        fprintf(writers[i].stream, "whole %d", i);
    }
    assert_int_equal(vxe_file_commit(&writers[1], &error), VXE_OK);
    holds("x.csv", "whole 1");
    assert_int_equal(vxe_file_commit(&writers[0], &error), VXE_OK);
    vxe_file_abandon(&writers[2]);
    vxe_file_abandon(&writers[2]);
    holds("x.csv", "whole 0");
    assert_int_equal(unlink("x.csv"), 0);
}

static void modes_stay(void **state)
{
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0660, 0755, 0444};
    write_whole("x.csv", "new");
    assert_int_equal(mode_of("x.csv"), 0644);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        vxe_file_writer writer;
        vxe_error error;
        assert_int_equal(chmod("x.csv", modes[i]), 0);
        assert_int_equal(vxe_file_begin(&writer, "x.csv", &error), VXE_OK);
        assert_int_equal(mode_of(writer.temporary), modes[i]); /* at no time wider */
        assert_int_equal(vxe_file_commit(&writer, &error), VXE_OK);
        assert_int_equal(mode_of("x.csv"), modes[i]);
    }
    assert_int_equal(unlink("x.csv"), 0);
}

static void links_stay_and_their_targets_are_replaced(void **state)
{
    (void)state;
    char text[20];
    vxe_file_writer writer;
    vxe_error error;
    assert_int_equal(mkdir("far", 0777), 0);
    put("far/x.csv", "old");
    assert_int_equal(symlink("far/y.csv", "link.csv") || symlink("x.csv", "far/y.csv"), 0);
    write_whole("link.csv", "new");
    assert_true(readlink("link.csv", text, sizeof text) == 9);
    assert_true(readlink("far/y.csv", text, sizeof text) == 5);
    holds("far/x.csv", "new");
    /* a link to what does not exist yet, and one that leads nowhere */
    assert_int_equal(unlink("far/x.csv"), 0);
    write_whole("link.csv", "made");
    holds("far/x.csv", "made");
    assert_int_equal(unlink("far/x.csv") || symlink("y.csv", "far/x.csv"), 0);
    assert_int_equal(vxe_file_begin(&writer, "link.csv", &error), VXE_ERROR_SYSTEM);
    assert_int_equal(unlink("far/x.csv") || unlink("far/y.csv") || rmdir("far"), 0);
    assert_int_equal(unlink("link.csv"), 0);
}

static void open_descriptors_are_written_in_place(void **state)
{
    (void)state;
    char path[40];
    const int file = open("x.csv", O_RDWR | O_CREAT | O_EXCL, 0666);
    assert_true(file >= 0);
    assert_int_equal(write(file, "before ", 7), 7);
    snprintf(path, sizeof path, "/dev/fd/%d", file);
    write_whole(path, "it");
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    assert_int_equal(symlink(path, "link"), 0); /* as /dev/stdout is one */
    write_whole("link", ", again");
    assert_int_equal(write(file, ", behind", 8), 8);
    holds("x.csv", "before it, again, behind");
    assert_int_equal(close(file) || unlink("x.csv") || unlink("link"), 0);
}

static void a_limit_on_the_size_leaves_the_old_file(void **state)
{
    (void)state;
    struct rlimit before;
    vxe_file_writer writer;
    vxe_error error;
    put("x.csv", "old");
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit low = {.rlim_cur = 10000, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    assert_int_equal(vxe_file_begin(&writer, "x.csv", &error), VXE_OK);
    char much[20000];
    memset(much, 'x', sizeof much);
    fwrite(much, 1, sizeof much, writer.stream);
    errno = ENOTDIR; /* of something else */
    const vxe_status status = vxe_file_commit(&writer, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, VXE_ERROR_SYSTEM);
    assert_string_equal(error.message, "cannot write: File too large");
    holds("x.csv", "old");
    assert_int_equal(unlink("x.csv"), 0);
}

static void names_may_have_255_bytes(void **state)
{
    (void)state;
    char name[256];
    vxe_file_writer writer;
    vxe_error error;
    memset(name, 'n', 255);
    name[255] = '\0';
    write_whole(name, "long");
    write_whole(name, "again");
    holds(name, "again");
    assert_int_equal(unlink(name), 0);
    assert_int_equal(vxe_file_begin(&writer, "", &error), VXE_ERROR_ARGUMENT);
}

static void files_in_the_making_are_swept(void **state)
{
    (void)state;
    static const char *const others[] = {"x.csv.partial", "x.0123456z.partial",
                                         "x.012345678.partial", ".01234567.partial",
                                         "x.01234567.partial2"};
    char made[100];
    vxe_error error;
    put("x.01234567.partial", "");
    put("x.csv.89abcdef.partial", "");
    assert_int_equal(vxe_file_make_folder("y", made, sizeof made, &error), VXE_OK);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        put(others[i], "");
    }
    vxe_file_sweep(".");
    vxe_file_sweep("no such folder");
    assert_true(access("x.01234567.partial", F_OK) && access("x.csv.89abcdef.partial", F_OK));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_int_equal(unlink(others[i]), 0);
    }
    assert_true(strncmp(made, "y.", 2) == 0 && vxe_file_has_ending(made, ".partial"));
    assert_int_equal(rmdir(made), 0);
    assert_int_equal(vxe_file_make_folder("no/y", made, sizeof made, &error), VXE_ERROR_SYSTEM);
}

static void a_file_may_be_made_in_the_folder_above(void **state)
{
    (void)state;
    vxe_file_writer writer;
    vxe_error error;
    assert_int_equal(mkdir("watched", 0777), 0);
    put("watched/x.xml", "old");
    assert_int_equal(vxe_file_begin_above(&writer, "watched/x.xml", &error), VXE_OK);
    assert_true(strncmp(writer.temporary, "watched/../x.xml.", 17) == 0);
    fputs("new", writer.stream);
    assert_int_equal(vxe_file_commit(&writer, &error), VXE_OK);
    holds("watched/x.xml", "new");
    assert_int_equal(unlink("watched/x.xml") || rmdir("watched"), 0);
}

int main(void)
{
#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(a_file_of_a_likely_name_is_not_touched),
        IN_A_FOLDER(writers_of_one_file_share_nothing),
        IN_A_FOLDER(modes_stay),
        IN_A_FOLDER(links_stay_and_their_targets_are_replaced),
        IN_A_FOLDER(open_descriptors_are_written_in_place),
        IN_A_FOLDER(a_limit_on_the_size_leaves_the_old_file),
        IN_A_FOLDER(names_may_have_255_bytes),
        IN_A_FOLDER(files_in_the_making_are_swept),
        IN_A_FOLDER(a_file_may_be_made_in_the_folder_above),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
