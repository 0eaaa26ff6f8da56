/* SPDX-License-Identifier: MIT */
/* A cluster over MPI. The manager sends all workers the text of the experiment. It then sends
   pieces of work, several genomes each, to whichever worker is free, and receives verdicts. Workers
   develop the bodies themselves. Messages are arrays of doubles. */
#define _POSIX_C_SOURCE 200809L
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "evolution/cluster_internal.h"
#include "evolution/external/external_internal.h"

enum { TAG_WORK = 1, TAG_STOP, TAG_END, TAG_RESULT };

/* Numbers at the head of a piece: individuals, step scale; at the head of a result: status, runs,
   bond updates, runs of learning, bodies that could not learn; and numbers per individual in a
   result: verdict, fitness, spread, fitness before learning, its cost, and how many numbers were
   learned, which stand behind those of all individuals. */
enum { WORK_HEAD = 2, RESULT_HEAD = 5, RESULT_EACH = 6 };

/* Numbers behind the head of a result that failed, whose bytes are the message of the error. */
enum { RESULT_TEXT = 96 };
_Static_assert(RESULT_TEXT * sizeof(double) == sizeof(((vxe_error *)0)->message), "it fits");

/* Status of a piece that was stopped. */
#define STOPPED (-1.0)

/* Largest number of individuals in a piece, and pieces per worker, so that all workers finish at
   about the same time. */
#define MAX_IN_PIECE 256u
#define PIECES_EACH 4u

static int rank_of(void)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

bool vxe_cluster_join(void)
{
    int given = 0;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given);
    return rank_of() == 0;
}

uint32_t vxe_cluster_workers(void)
{
    int joined = 0;
    int size = 1;
    MPI_Initialized(&joined);
    if (joined) {
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    }
    return (uint32_t)size - 1;
}

void vxe_cluster_abort(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
}

void vxe_cluster_leave(void)
{
    if (rank_of() == 0 && vxe_cluster_workers() > 0) {
        uint64_t none = 0;
        MPI_Bcast(&none, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}

vxe_status vxe_cluster_share(const vxe_experiment *experiment, vxe_error *error)
{
    if (vxe_cluster_workers() == 0) {
        return VXE_OK;
    }
    char *text = vxe_experiment_text(experiment);
    uint64_t size = text ? strlen(text) : 0;
    if (!text || size > INT_MAX) {
        free(text);
        return vxe_error_memory(error, size);
    }
    MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    MPI_Bcast(text, (int)size, MPI_CHAR, 0, MPI_COMM_WORLD);
    free(text);
    return VXE_OK;
}

void vxe_cluster_dismiss(void)
{
    for (uint32_t w = 1; w <= vxe_cluster_workers(); w++) {
        MPI_Send(NULL, 0, MPI_DOUBLE, (int)w, TAG_END, MPI_COMM_WORLD);
    }
}

/* Tests whether a message has arrived. Sleeps briefly where none has, so that several processes may
   share a core. */
static bool has_come(int source, MPI_Status *facts)
{
    int come = 0;
    MPI_Iprobe(source, MPI_ANY_TAG, MPI_COMM_WORLD, &come, facts);
    if (!come) {
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    }
    return come;
}

/* Receives a message. Returns null without memory. */
static double *receive(const MPI_Status *facts, uint64_t *count)
{
    int numbers = 0;
    MPI_Get_count(facts, MPI_DOUBLE, &numbers);
    double *message = vxe_memory_take((uint64_t)numbers + 1, sizeof *message);
    if (message) {
        MPI_Recv(message, numbers, MPI_DOUBLE, facts->MPI_SOURCE, facts->MPI_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    }
    *count = (uint64_t)numbers;
    return message;
}

/* Individuals that are being distributed to the workers. */
typedef struct dispatch {
    const vxe_individual *const *individuals;
    uint32_t count, next;
    uint32_t piece;           /* individuals per piece */
    uint32_t *first, *length; /* (workers + 1) range that each worker is running; length 0: idle */
    uint32_t busy;
    uint32_t lost; /* individuals in pieces that were stopped */
    double step_scale;
} dispatch;

/* Sends the next piece to a worker. */
static vxe_status send_piece(dispatch *d, uint32_t worker, vxe_error *error)
{
    VXE_ASSERT(worker > 0 && d->length[worker] == 0 && d->next < d->count);
    const uint32_t left = d->count - d->next;
    const uint32_t length = left < d->piece ? left : d->piece;
    uint64_t numbers = WORK_HEAD;
    for (uint32_t i = 0; i < length; i++) {
        numbers += 1 + (uint64_t)d->individuals[d->next + i]->genome.count;
    }
    double *message = numbers < INT_MAX ? vxe_memory_take(numbers, sizeof *message) : NULL;
    if (!message) {
        return vxe_error_memory(error, numbers * sizeof *message);
    }
    double *at = message + WORK_HEAD;
    message[0] = length;
    message[1] = d->step_scale;
    for (uint32_t i = 0; i < length; i++) {
        const vxe_genome *genome = &d->individuals[d->next + i]->genome;
        *at++ = genome->count;
        memcpy(at, genome->genes, genome->count * sizeof *at);
        at += genome->count;
    }
    MPI_Send(message, (int)numbers, MPI_DOUBLE, (int)worker, TAG_WORK, MPI_COMM_WORLD);
    vxe_memory_release(message);
    d->first[worker] = d->next;
    d->length[worker] = length;
    d->next += length;
    d->busy++;
    return VXE_OK;
}

/* Takes the outcomes of a worker's piece, and what its individuals learned. */
static vxe_status take_outcomes(const dispatch *d, uint32_t worker, const double *message,
                                vxe_outcome *outcomes, vxe_genome *learned, vxe_error *error)
{
    const double *numbers = message + RESULT_HEAD + RESULT_EACH * (size_t)d->length[worker];
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < d->length[worker] && !status; i++) {
        const double *each = message + RESULT_HEAD + RESULT_EACH * (size_t)i;
        const uint32_t at = d->first[worker] + i;
        outcomes[at].verdict = (vxe_verdict)(int)each[0];
        outcomes[at].fitness = each[1];
        outcomes[at].spread = each[2];
        outcomes[at].before = each[3];
        outcomes[at].learning_runs = each[4];
        if (each[5] > 0) {
            status = vxe_genome_take(&learned[at], (uint64_t)each[5], error);
        }
        for (uint32_t k = 0; k < learned[at].count; k++) {
            learned[at].genes[k] = *numbers++;
        }
    }
    return status;
}

/* Whether a result has as many numbers as it says. */
static bool is_whole(const double *message, uint64_t count, uint32_t individuals)
{
    uint64_t expected = RESULT_HEAD + RESULT_EACH * (uint64_t)individuals;
    for (uint64_t i = 0; i < individuals && count >= expected; i++) {
        expected += (uint64_t)message[RESULT_HEAD + RESULT_EACH * i + 5];
    }
    return count == expected;
}

/* Receives a worker's result. */
static vxe_status take_result(dispatch *d, const MPI_Status *facts, vxe_outcome *outcomes,
                              vxe_genome *learned, vxe_effort *effort, vxe_error *error)
{
    uint64_t count = 0;
    const uint32_t worker = (uint32_t)facts->MPI_SOURCE;
    VXE_ASSERT(worker > 0 && d->length[worker] <= MAX_IN_PIECE && d->busy > 0);
    double *message = receive(facts, &count);
    vxe_status status = VXE_OK;
    if (!message) {
        status = vxe_error_memory(error, count * sizeof *message);
    } else if (message[0] == STOPPED) {
        d->lost += d->length[worker];
    } else if (message[0] != VXE_OK || !is_whole(message, count, d->length[worker])) {
        char text[RESULT_TEXT * sizeof(double)];
        const uint64_t told = count > RESULT_HEAD ? (count - RESULT_HEAD) * sizeof(double) : 0;
        memset(text, 0, sizeof text);
        memcpy(text, message + RESULT_HEAD, told < sizeof text ? told : sizeof text);
        text[sizeof text - 1] = '\0';
        status = vxe_error_fill(error, VXE_ERROR_SYSTEM,
                                "process %u could not run its part (%s): %.600s", worker,
                                vxe_status_name((vxe_status)(int)message[0]), text);
    } else {
        effort->runs += (uint64_t)message[1];
        effort->bond_updates += message[2];
        effort->learning_runs += message[3];
        effort->unable += (uint64_t)message[4];
        status = take_outcomes(d, worker, message, outcomes, learned, error);
    }
    vxe_memory_release(message);
    d->length[worker] = 0;
    d->busy--;
    return status;
}

/* Reports progress to the watcher. Returns false where the watcher stops the search. */
static bool goes_on(const vxe_runner *runner, const dispatch *d, const vxe_effort *spent)
{
    uint32_t away = 0;
    for (uint32_t w = 1; w <= vxe_cluster_workers(); w++) {
        away += d->length[w];
    }
    VXE_ASSERT(away <= d->next && d->next <= d->count);
    const uint32_t back = d->next - away;
    const vxe_batch_progress progress = {back, d->count, spent->bond_updates,
                                         back > 0 ? spent->bond_updates * d->count / back : 0};
    return !runner->watch || runner->watch(&progress, runner->user);
}

static vxe_status run_pieces(const vxe_runner *runner, dispatch *d, vxe_outcome *outcomes,
                             vxe_genome *learned, bool *stopped, vxe_effort *spent,
                             vxe_error *error)
{
    const uint32_t workers = vxe_cluster_workers();
    vxe_status status = VXE_OK;
    while (d->busy > 0 || (d->next < d->count && !*stopped && !status)) {
        MPI_Status facts;
        for (uint32_t w = 1; w <= workers && d->next < d->count && !*stopped && !status; w++) {
            status = d->length[w] == 0 ? send_piece(d, w, error) : VXE_OK;
        }
        if (d->busy > 0 && has_come(MPI_ANY_SOURCE, &facts)) {
            vxe_error ours;
            const vxe_status taken = take_result(d, &facts, outcomes, learned, spent, &ours);
            if (taken && !status) {
                *error = ours;
                status = taken;
            }
        }
        if (!*stopped && !goes_on(runner, d, spent)) {
            *stopped = true;
            for (uint32_t w = 1; w <= workers; w++) {
                if (d->length[w] > 0) {
                    MPI_Send(NULL, 0, MPI_DOUBLE, (int)w, TAG_STOP, MPI_COMM_WORLD);
                }
            }
        }
    }
    *stopped = d->next < d->count || d->lost > 0;
    return status;
}

vxe_status vxe_cluster_run(const vxe_runner *runner, const vxe_individual *const *individuals,
                           uint32_t count, vxe_outcome *outcomes, vxe_genome *learned,
                           bool *stopped, vxe_effort *effort, vxe_error *error)
{
    const uint32_t workers = vxe_cluster_workers();
    if (workers == 0) {
        return vxe_run_here(runner, individuals, count, outcomes, learned, stopped, effort, error);
    }
    const uint32_t even = (count + workers * PIECES_EACH - 1) / (workers * PIECES_EACH);
    vxe_effort spent = {0};
    dispatch d = {.individuals = individuals,
                  .count = count,
                  .piece = even < MAX_IN_PIECE ? even : MAX_IN_PIECE,
                  .step_scale = runner->step_scale,
                  .first = vxe_memory_take(workers + 1ull, sizeof *d.first),
                  .length = vxe_memory_take(workers + 1ull, sizeof *d.length)};
    *stopped = false;
    vxe_status status = d.first && d.length
                            ? run_pieces(runner, &d, outcomes, learned, stopped, &spent, error)
                            : vxe_error_memory(error, workers * 8ull);
    effort->runs += spent.runs;
    effort->bond_updates += spent.bond_updates;
    effort->learning_runs += spent.learning_runs;
    effort->unable += spent.unable;
    vxe_memory_release(d.first);
    vxe_memory_release(d.length);
    return status;
}

/* Develops the bodies of a piece. Returns false where the message is not a valid piece. */
static bool make_bodies(const vxe_experiment *e, double *message, uint64_t numbers,
                        vxe_population *into, vxe_error *error)
{
    uint64_t at = WORK_HEAD;
    bool good = numbers >= WORK_HEAD;
    for (double i = 0; good && i < message[0]; i++) {
        vxe_individual member = {0};
        vxe_phenotype phenotype = {0};
        const uint64_t genes = at < numbers ? (uint64_t)message[at] : 0;
        vxe_genome genome = {.genes = message + at + 1, .count = (uint32_t)genes};
        good = at < numbers && genes <= numbers - at - 1 && vxe_encoding_of(e)->valid(e, &genome) &&
               !vxe_develop(e, &genome, &phenotype, error) && phenotype.design;
        member.body = phenotype.design;
        good = good && !vxe_genome_copy(&member.genome, &genome, error) &&
               !vxe_population_add(into, &member, error);
        at += 1 + genes;
    }
    return good;
}

/* True unless the manager has stopped this piece. */
static bool is_wanted(const vxe_batch_progress *progress, void *user)
{
    int come = 0;
    (void)progress;
    (void)user;
    MPI_Iprobe(0, TAG_STOP, MPI_COMM_WORLD, &come, MPI_STATUS_IGNORE);
    return !come;
}

/* Sends the result of a piece. */
static vxe_status send_result(const vxe_outcome *outcomes, const vxe_genome *learned,
                              uint64_t count, bool stopped, const vxe_effort *effort,
                              vxe_error *error)
{
    uint64_t numbers = RESULT_HEAD + RESULT_EACH * count;
    for (uint64_t i = 0; i < count; i++) {
        numbers += learned[i].count;
    }
    double *result = numbers < INT_MAX ? vxe_memory_take(numbers, sizeof *result) : NULL;
    if (!result) {
        return vxe_error_memory(error, numbers * sizeof *result);
    }
    double *at = result + RESULT_HEAD + RESULT_EACH * count;
    result[0] = stopped ? STOPPED : (double)VXE_OK;
    result[1] = (double)effort->runs;
    result[2] = effort->bond_updates;
    result[3] = effort->learning_runs;
    result[4] = (double)effort->unable;
    for (uint64_t i = 0; i < count; i++) {
        double *each = result + RESULT_HEAD + RESULT_EACH * i;
        each[0] = outcomes[i].verdict;
        each[1] = outcomes[i].fitness;
        each[2] = outcomes[i].spread;
        each[3] = outcomes[i].before;
        each[4] = outcomes[i].learning_runs;
        each[5] = learned[i].count;
        for (uint32_t k = 0; k < learned[i].count; k++) {
            *at++ = learned[i].genes[k];
        }
    }
    MPI_Send(result, (int)numbers, MPI_DOUBLE, 0, TAG_RESULT, MPI_COMM_WORLD);
    vxe_memory_release(result);
    return VXE_OK;
}

/* Runs a piece and sends the result. */
static vxe_status answer(const vxe_runner *runner, double *message, uint64_t numbers,
                         vxe_error *error)
{
    vxe_population bodies = {0};
    vxe_effort effort = {0};
    bool stopped = false;
    *error = (vxe_error){.status = VXE_ERROR_INPUT};
    vxe_status status =
        make_bodies(runner->experiment, message, numbers, &bodies, error) ? VXE_OK : error->status;
    const uint64_t count = bodies.count;
    const vxe_individual **asked = vxe_memory_take(count, sizeof(vxe_individual *));
    vxe_outcome *outcomes = vxe_memory_take(count, sizeof *outcomes);
    vxe_genome *learned = vxe_memory_take(count, sizeof *learned);
    if (!status && !(asked && outcomes && learned)) {
        status = vxe_error_memory(error, count * sizeof *outcomes);
    }
    if (!status) {
        const vxe_runner own = {runner->experiment, runner->threads, message[1], is_wanted, NULL,
                                runner->external};
        for (uint64_t i = 0; i < count; i++) {
            asked[i] = &bodies.members[i];
        }
        status =
            vxe_run_here(&own, asked, (uint32_t)count, outcomes, learned, &stopped, &effort, error);
    }
    status = status ? status : send_result(outcomes, learned, count, stopped, &effort, error);
    if (status) {
        double refusal[RESULT_HEAD + RESULT_TEXT] = {status};
        memcpy(refusal + RESULT_HEAD, error->message, sizeof error->message);
        MPI_Send(refusal, RESULT_HEAD + RESULT_TEXT, MPI_DOUBLE, 0, TAG_RESULT, MPI_COMM_WORLD);
    }
    for (uint64_t i = 0; learned && i < count; i++) {
        vxe_genome_clear(&learned[i]);
    }
    vxe_memory_release(learned);
    vxe_memory_release(asked);
    vxe_memory_release(outcomes);
    vxe_population_clear(&bodies);
    return VXE_OK;
}

/* Serves one search of the manager. */
static vxe_status serve_search(const vxe_runner *runner, vxe_error *error)
{
    vxe_status status = VXE_OK;
    for (bool ended = false; !ended && !status;) {
        MPI_Status facts;
        uint64_t numbers = 0;
        if (!has_come(0, &facts)) {
            continue;
        }
        double *message = receive(&facts, &numbers);
        ended = facts.MPI_TAG == TAG_END;
        if (!message) {
            status = vxe_error_memory(error, numbers * sizeof *message);
        } else if (facts.MPI_TAG == TAG_WORK) { /* a stop may arrive after its piece has ended */
            status = answer(runner, message, numbers, error);
        }
        vxe_memory_release(message);
    }
    return status;
}

vxe_status vxe_cluster_serve(uint32_t threads, vxe_error *error)
{
    vxe_status status = VXE_OK;
    while (!status) {
        uint64_t size = 0;
        MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
        if (size == 0) {
            return VXE_OK;
        }
        char *text = vxe_memory_take(size + 1, 1);
        if (!text) {
            return vxe_error_memory(error, size + 1);
        }
        MPI_Bcast(text, (int)size, MPI_CHAR, 0, MPI_COMM_WORLD);
        vxe_experiment *experiment = vxe_experiment_parse("the manager", text, size, error);
        vxe_memory_release(text);
        if (!experiment) {
            return error->status;
        }
        vxe_external *external = NULL;
        status = vxe_external_create(experiment, threads, &external, error);
        const vxe_runner runner = {experiment, threads, 1, NULL, NULL, external};
        status = status ? status : serve_search(&runner, error);
        vxe_external_destroy(external);
        vxe_experiment_destroy(experiment);
    }
    return status;
}
