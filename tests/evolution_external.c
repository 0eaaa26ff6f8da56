/* SPDX-License-Identifier: MIT */
/* Fitness by programs, small ones of the shell's: answers come back to the bodies that they are
   about, whoever is faster, and no program can stop or end us. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "evolution/external/external_internal.h"
#include "evolution/external/worker_internal.h"
#include "support.h"

#define BODIES 40

static vxe_experiment *experiment(const char *script, double limit)
{
    char text[1000];
    vxe_error error = {0};
    snprintf(text, sizeof text,
             "{\"format\": \"voxelastic experiment\", \"version\": 1, \"size\": [2, 2, 2], "
             "\"world\": {\"materials\": [{}]}, \"task\": {\"name\": \"program\", \"command\": "
             "[\"sh\", \"-c\", \"%s\"], \"time_limit_s\": %g}}",
             script, limit);
    vxe_experiment *made = vxe_experiment_parse("test.json", text, strlen(text), &error);
    if (!made) {
        fail_msg("%s", error.message);
    }
    return made;
}

/* Bars of 1, 2, ... voxels. */
static void fill(vxe_individual *bars, const vxe_individual **asked)
{
    vxe_error error;
    for (int i = 0; i < BODIES; i++) {
        const vxe_material material = standard_material();
        bars[i] = (vxe_individual){.body = block_design(&material, i + 1, 1, 1)};
        asked[i] = &bars[i];
        assert_int_equal(vxe_design_check(bars[i].body, &error), VXE_OK);
    }
}

static bool is_patient(const vxe_batch_progress *progress, void *user)
{
    int *calls = user;
    assert_true(progress->robots == BODIES && progress->finished <= BODIES);
    return --*calls > 0;
}

/* Runs all bodies by a script; calls: how often the watch says yes. */
static vxe_status run(const char *script, uint32_t threads, double limit, int calls,
                      vxe_outcome *outcomes, bool *stopped, vxe_error *error)
{
    vxe_individual bars[BODIES];
    const vxe_individual *asked[BODIES];
    vxe_experiment *e = experiment(script, limit);
    vxe_external *external = NULL;
    vxe_effort effort = {0};
    fill(bars, asked);
    assert_int_equal(vxe_external_create(e, threads, &external, error), VXE_OK);
    const vxe_runner runner = {e, threads, 1, is_patient, &calls, external};
    const vxe_status status =
        vxe_run_here(&runner, asked, BODIES, outcomes, NULL, stopped, &effort, error);
    assert_true(effort.runs == (status ? 0 : BODIES));
    vxe_external_destroy(external);
    vxe_experiment_destroy(e);
    for (int i = 0; i < BODIES; i++) {
        vxe_design_destroy(bars[i].body);
    }
    errno = 0; /* all have been waited for */
    assert_true(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
    return status;
}

/* Each body has the length of its own line, whether workers take turns or not. */
static void answers_come_back_to_their_bodies(void **state)
{
    (void)state;
    vxe_outcome one[BODIES] = {0};
    for (uint32_t threads = 1; threads <= 4; threads++) {
        vxe_outcome outcomes[BODIES] = {0};
        vxe_error error = {0};
        bool stopped = true;
        /* every other worker is slow */
        const vxe_status status =
            run("while read line; do test $(($$ % 2)) = 1 && sleep 0.01; echo ${#line}; done",
                threads, 0, 1000000, outcomes, &stopped, &error);
        if (status) {
            fail_msg("%s", error.message);
        }
        assert_false(stopped);
        for (int i = 0; i < BODIES; i++) {
            one[i] = threads == 1 ? outcomes[i] : one[i];
            assert_int_equal(outcomes[i].verdict, VXE_VERDICT_DONE);
            assert_true(outcomes[i].fitness == one[i].fitness);
            assert_true(i == 0 || outcomes[i].fitness > outcomes[i - 1].fitness);
        }
    }
}

/* Blanks, forms of numbers, and nan. */
static void numbers_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *answer;
        double fitness;
    } cases[] = {{"echo ' -1.5e3 '", -1500},
                 {"printf '7\\\\r\\\\n'", 7},
                 {"echo nan", (double)NAN},
                 {"echo ' NaN '", (double)NAN}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char script[100];
        vxe_outcome outcomes[BODIES] = {0};
        vxe_error error = {0};
        bool stopped = false;
        snprintf(script, sizeof script, "while read line; do %s; done", cases[i].answer);
        assert_int_equal(run(script, 2, 0, 1000000, outcomes, &stopped, &error), VXE_OK);
        const bool has = !isnan(cases[i].fitness);
        assert_int_equal(outcomes[5].verdict, has ? VXE_VERDICT_DONE : VXE_VERDICT_UNDEFINED);
        assert_true(has ? outcomes[5].fitness == cases[i].fitness : isnan(outcomes[5].fitness));
    }
}

static void wrong_programs_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *script, *text;
        vxe_status status;
    } cases[] = {
        {"read line; exit 7", "ended with status 7 before it had answered", VXE_ERROR_SYSTEM},
        {"exit 0", "ended with status 0 before it had answered", VXE_ERROR_SYSTEM},
        {"read line; kill -9 $$", "was ended by signal 9", VXE_ERROR_SYSTEM},
        {"exec 1>&-; sleep 20", "closed its output before it had answered", VXE_ERROR_SYSTEM},
        {"exec 0<&-; sleep 20", "has not answered within \"time_limit_s\"", VXE_ERROR_SYSTEM},
        {"read line; sleep 20", "has not answered within \"time_limit_s\"", VXE_ERROR_SYSTEM},
        {"read line; echo five; sleep 20", "it wrote \"five\"", VXE_ERROR_INPUT},
        {"read line; echo infinity; sleep 20", "finite number", VXE_ERROR_INPUT},
        {"read line; echo 1 2; sleep 20", "it wrote \"1 2\"", VXE_ERROR_INPUT},
        {"read line; echo nano; sleep 20", "it wrote \"nano\"", VXE_ERROR_INPUT},
        {"read line; echo; sleep 20", "an empty line", VXE_ERROR_INPUT},
        {"read line; printf '1\\\\n2\\\\n'; sleep 20", "more than", VXE_ERROR_INPUT},
        {"read line; printf %2000d 1; sleep 20", "more than a line with a number",
         VXE_ERROR_INPUT}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        vxe_outcome outcomes[BODIES] = {0};
        vxe_error error = {0};
        bool stopped = false;
        const bool is_slow = strstr(cases[i].text, "time_limit_s") != NULL;
        assert_int_equal(
            run(cases[i].script, 2, is_slow ? 0.2 : 0, 1000000, outcomes, &stopped, &error),
            cases[i].status);
        if (!strstr(error.message, cases[i].text) || !strstr(error.message, "sh -c ")) {
            fail_msg("%s: %s", cases[i].script, error.message);
        }
    }
}

/* A worker that was stopped while it computed does not answer the next bodies with that. */
static void late_answers_are_not_taken(void **state)
{
    (void)state;
    vxe_individual bars[BODIES];
    const vxe_individual *asked[BODIES];
    vxe_outcome outcomes[BODIES] = {0};
    vxe_error error = {0};
    vxe_effort effort = {0};
    vxe_external *external = NULL;
    bool stopped = false;
    int calls = 3;
    vxe_experiment *e = experiment("while read line; do sleep 0.1; echo ${#line}; done", 0);
    fill(bars, asked);
    assert_int_equal(vxe_external_create(e, 1, &external, &error), VXE_OK);
    const vxe_runner runner = {e, 1, 1, is_patient, &calls, external};
    assert_int_equal(
        vxe_run_here(&runner, asked, BODIES, outcomes, NULL, &stopped, &effort, &error), VXE_OK);
    assert_true(stopped && outcomes[0].verdict == VXE_VERDICT_NONE);
    const vxe_runner patient = {.experiment = e, .threads = 1, .external = external};
    for (int i = 0; i < 2; i++) { /* the last two, then the first two */
        assert_int_equal(vxe_run_here(&patient, asked + (1 - i) * (BODIES - 2), 2, outcomes + 2 * i,
                                      NULL, &stopped, &effort, &error),
                         VXE_OK);
    }
    assert_true(outcomes[1].fitness > outcomes[0].fitness);
    assert_true(outcomes[0].fitness > outcomes[3].fitness);
    vxe_external_destroy(external);
    vxe_experiment_destroy(e);
    for (int i = 0; i < BODIES; i++) {
        vxe_design_destroy(bars[i].body);
    }
}

/* The watch ends what would take for ever. */
static void watches_stop_programs(void **state)
{
    (void)state;
    vxe_outcome outcomes[BODIES] = {0};
    vxe_error error = {0};
    bool stopped = false;
    assert_int_equal(run("read line; sleep 1000", 3, 0, 3, outcomes, &stopped, &error), VXE_OK);
    assert_true(stopped);
}

/* Writing to a worker that is gone neither ends us nor leaves a signal, and what the caller has set
 * for SIGPIPE stays. */
static void a_broken_pipe_is_no_signal(void **state)
{
    (void)state;
    char there[] = "true";
    char nowhere[] = "/no/such/program";
    char *words[] = {there, NULL};
    char how[100];
    char line[] = "line\n";
    vxe_error error;
    sigset_t waiting;
    vxe_worker worker = {.pid = 0};
    assert_int_equal(vxe_worker_start(&worker, words, "/", &error), VXE_OK);
    while (vxe_worker_read(&worker) == VXE_WORKER_SILENT) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    for (int i = 0; i < 2; i++) {
        worker.line = line;
        worker.size = sizeof line - 1;
        vxe_worker_write(&worker);
        assert_int_equal(worker.input, -1);
        assert_int_equal(worker.sent, 0);
    }
    worker.line = NULL;
    sigpending(&waiting);
    assert_false(sigismember(&waiting, SIGPIPE));
    vxe_worker_bury(&worker, how, sizeof how);
    assert_string_equal(how, "ended with status 0");
    assert_int_equal(worker.pid, 0);
    assert_int_equal(vxe_worker_start(&worker, words, "/nowhere", &error), VXE_ERROR_SYSTEM);
    words[0] = nowhere;
    assert_int_equal(vxe_worker_start(&worker, words, "/", &error), VXE_ERROR_SYSTEM);
    assert_non_null(strstr(error.message, "/no/such/program"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_come_back_to_their_bodies),
                                       cmocka_unit_test(numbers_are_read),
                                       cmocka_unit_test(wrong_programs_are_told),
                                       cmocka_unit_test(late_answers_are_not_taken),
                                       cmocka_unit_test(watches_stop_programs),
                                       cmocka_unit_test(a_broken_pipe_is_no_signal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
