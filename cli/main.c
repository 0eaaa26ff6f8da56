/* SPDX-License-Identifier: MIT */
/* The program voxelastic: chooses a command by its first argument, or a drop-in program by the
   name under which it was called. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <voxelastic/voxelastic.h>

#include "cli/command.h"
#include "cli/dropin/dropin.h"
#include "cli/shared/terminal.h"

static const struct {
    const char *name;
    const char *summary;
    int (*run)(int count, char **words);
} commands[] = {
    {"run", "simulate a design", command_run},
    {"batch", "simulate many designs, a row of results each", command_batch},
    {"evolve", "search designs, generation by generation", command_evolve},
    {"tune", "improve numbers of a design by gradients through its runs", command_tune},
    {"statics", "where a design rests under its loads, and how it vibrates", command_statics},
    {"analyze", "what searches have found, over seeds and against others", command_analyze},
    {"compare", "how far a score can be trusted, and why two simulators differ", command_compare},
    {"view", "replay pages and pictures of designs, records and searches", command_view},
    {"studio", "a page to draw robots, play with them and share them", command_studio},
    {"info", "what is in a design", command_info},
    {"check", "strict validation of designs", command_check},
    {"examples", "what to try with the designs that come with it", command_examples},
    {"conventions", "the rules that a run can follow: presets and switches", command_conventions},
    {"surrogate", "one affine body in the place of a voxel design", command_surrogate},
    {"convert", "a design from one format to another", command_convert},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

int command_fail(const vxe_error *error)
{
    char text[VXE_ERROR_TEXT];
    fprintf(stderr, "voxelastic: error: %s\n", vxe_error_text(error, text, sizeof text));
    switch (error->status) {
    case VXE_ERROR_ARGUMENT:
        return EXIT_USAGE;
    case VXE_ERROR_DIVERGED:
    case VXE_ERROR_UNPHYSICAL:
        return EXIT_DIVERGED;
    case VXE_ERROR_SYSTEM:
    case VXE_ERROR_MEMORY:
        return EXIT_SYSTEM;
    case VXE_OK:
    case VXE_ERROR_INPUT:
    case VXE_ERROR_UNSUPPORTED:
        break;
    }
    return EXIT_INPUT;
}

int command_fail_of(const char *path, vxe_error *error)
{
    vxe_error_name_file(error, path);
    return command_fail(error);
}

vxe_status command_no_memory(vxe_error *error)
{
    *error = (vxe_error){.status = VXE_ERROR_MEMORY, .message = "out of memory"};
    return error->status;
}

int command_starved(void)
{
    vxe_error error;
    (void)command_no_memory(&error);
    return command_fail(&error);
}

int command_misused(const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("voxelastic: ", stderr);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nTry 'voxelastic %s%s--help'.\n", command, command[0] ? " " : "");
    return EXIT_USAGE;
}

static const char *command_at(const void *names, unsigned index)
{
    (void)names;
    return index < COMMANDS ? commands[index].name : NULL;
}

static void print_help(FILE *out)
{
    fputs("Voxelastic " VXE_VERSION
          ": voxel soft robots, simulated in parallel with the same answer every time.\n\n"
          "usage: voxelastic COMMAND [options]\n"
          "       voxelastic --limits NAME=N,... COMMAND [options]\n\n",
          out);
    for (int i = 0; i < COMMANDS; i++) {
        fprintf(out, "  %-11s %s\n", commands[i].name, commands[i].summary);
    }
    fputs("\n'voxelastic COMMAND --help' lists a command's options.\n"
          "--limits raises or lowers bounds on what is made of a file, such as voxels=4e6:",
          out);
    for (uint32_t i = 0; vxe_limits_name(i); i++) {
        fprintf(out, "%s%s", i == 0 ? "\n" : i % 7 ? ", " : ",\n", vxe_limits_name(i));
    }
    fputs(".\nExit status: 0 ok, 2 usage, 3 invalid input, 4 diverged or unphysical, 5 file or "
          "system "
          "error, 75 "
          "suspended (--resume goes on), 130 interrupted.\n",
          out);
}

/* Flushes standard output: a full disk is an error like any other, and so is memory that was not
   there for something that was to be printed. */
static int finish(int status)
{
    vxe_error error;
    if (status == EXIT_OK && vxe_memory_check(0, &error)) {
        return command_fail(&error);
    }
    if ((fflush(stdout) || ferror(stdout)) && status == EXIT_OK) {
        fputs("voxelastic: error: cannot write to standard output\n", stderr);
        return EXIT_SYSTEM;
    }
    return status;
}

/* The number of a command, or -1. */
static int find(const char *name)
{
    int found = -1;
    for (int i = 0; i < COMMANDS; i++) {
        found = strcmp(name, commands[i].name) == 0 ? i : found;
    }
    return found;
}

static int refuse(const char *name)
{
    const char *meant = vxe_closest_name(name, command_at, NULL);
    return meant ? command_misused("", "unknown command '%s': did you mean %s?", name, meant)
                 : command_misused("", "unknown command '%s'", name);
}

/* Makes sure that descriptors 0 to 2 are open: a file that is opened later would otherwise take the
   place of a closed one, and receive what is printed. They are opened for the wrong direction, so
   that reading and writing fail as on a closed one. */
static bool hold_descriptors(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++) {
        if (fcntl(i, F_GETFD) < 0 &&
            open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY) != i) {
            return false;
        }
    }
    return true;
}

/* Uses the bounds of a text such as voxels=4e6; says where it came from if it is wrong. */
static bool use_limits(const char *text, const char *from)
{
    vxe_limits limits = vxe_limits_default();
    vxe_error error;
    if (vxe_limits_parse(&limits, text, &error)) {
        command_misused("", "%s: %s", from, error.message);
        return false;
    }
    vxe_limits_use(&limits);
    return true;
}

/* Takes the option --limits in front of the command. Returns the number of its words, or -1 after a
   message. */
static int take_limits(int count, char **words)
{
    static const char option[] = "--limits";
    const size_t length = sizeof option - 1;
    if (count < 2 || strncmp(words[1], option, length) != 0) {
        return 0;
    }
    if (words[1][length] == '=') {
        return use_limits(words[1] + length + 1, option) ? 1 : -1;
    }
    if (words[1][length]) {
        return 0;
    }
    if (count < 3) {
        command_misused("", "option '%s' needs a value", option);
        return -1;
    }
    return use_limits(words[2], option) ? 2 : -1;
}

int main(int count, char **words)
{
    if (!hold_descriptors()) {
        return EXIT_SYSTEM;
    }
    terminal_guard();
    signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is an error like a full disk */
    const char *limits = getenv("VOXELASTIC_LIMITS"); /* for drop-in programs, too */
    if (limits && limits[0] && !use_limits(limits, "VOXELASTIC_LIMITS")) {
        return EXIT_USAGE;
    }
    const char *name = NULL;
    dropin_program *program = count > 0 ? dropin_find(words[0], &name) : NULL;
    if (program) {
        return program(name, count, words);
    }
    const int options = take_limits(count, words);
    if (options < 0) {
        return EXIT_USAGE;
    }
    count -= options;
    words += options;
    if (count < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    const int command = find(words[1]);
    if (command >= 0) {
        return finish(commands[command].run(count - 1, words + 1));
    }
    if (strcmp(words[1], "help") == 0 && count > 2) {
        static char asked[] = "--help";
        char *of_command[] = {words[2], asked, NULL};
        const int other = find(words[2]);
        return other >= 0 ? finish(commands[other].run(2, of_command)) : refuse(words[2]);
    }
    if (strcmp(words[1], "help") == 0 || strcmp(words[1], "--help") == 0 ||
        strcmp(words[1], "-h") == 0) {
        print_help(stdout);
        return EXIT_OK;
    }
    if (strcmp(words[1], "--version") == 0) {
        puts("voxelastic " VXE_VERSION);
        return EXIT_OK;
    }
    return refuse(words[1]);
}
