/* SPDX-License-Identifier: MIT */
/* Rows of a batch: each design becomes cells, which are written as CSV or as JSON. */
#include "cli/batch/batch_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shared/output_file.h"

/* Names of the columns, in order, with units. */
#define COLUMNS(X)                                                                                 \
    X(design)                                                                                      \
    X(status)                                                                                      \
    X(message)                                                                                     \
    X(voxels)                                                                                      \
    X(bonds)                                                                                       \
    X(mass_kg)                                                                                     \
    X(steps)                                                                                       \
    X(time_s)                                                                                      \
    X(timestep_s)                                                                                  \
    X(retries)                                                                                     \
    X(damping_sweeps)                                                                              \
    X(displacement_m)                                                                              \
    X(displacement_voxels)                                                                         \
    X(speed_body_lengths_per_s)                                                                    \
    X(fitness)                                                                                     \
    X(center_x_m)                                                                                  \
    X(center_y_m)                                                                                  \
    X(center_z_m)                                                                                  \
    X(conventions)                                                                                 \
    X(schedule)                                                                                    \
    X(state_hash)

#define COLUMN_NUMBER(name) COLUMN_##name,
enum { COLUMNS(COLUMN_NUMBER) COLUMN_COUNT };

#define COLUMN_NAME(name) #name,
static const char *const column_names[COLUMN_COUNT] = {COLUMNS(COLUMN_NAME)};

typedef enum cell_kind {
    CELL_EMPTY = 0,
    CELL_TEXT,
    CELL_PATH,
    CELL_WHOLE,
    CELL_REAL,
    CELL_NUMBER
} cell_kind;

typedef struct cell {
    cell_kind kind;
    const char *text;
    uint64_t whole;
    double real;
} cell;

typedef struct row {
    cell cells[COLUMN_COUNT];
    char hash[24];
} row;

bool batch_table_has_column(const char *name)
{
    bool found = false;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        found = found || strcmp(column_names[i], name) == 0;
    }
    return found;
}

static cell text_cell(const char *text)
{
    return (cell){.kind = text[0] ? CELL_TEXT : CELL_EMPTY, .text = text};
}

static cell path_cell(const char *path)
{
    return (cell){.kind = CELL_PATH, .text = path};
}

static cell whole_cell(uint64_t whole)
{
    return (cell){.kind = CELL_WHOLE, .whole = whole};
}

static cell real_cell(double real)
{
    return (cell){.kind = isfinite(real) ? CELL_REAL : CELL_EMPTY, .real = real};
}

/* A value of a sweep: a number, which keeps its digits, or a text. */
static cell value_cell(const char *text)
{
    cell value = {.kind = CELL_TEXT, .text = text};
    if (!vxe_number_read(text, &value.real) && isfinite(value.real)) {
        value.kind = CELL_NUMBER;
    }
    return value;
}

/* Columns of a table that its sweep adds. */
static uint32_t swept(const batch_table *table)
{
    return table->sweep ? table->sweep->count : 0;
}

static cell swept_cell(const batch_table *table, const batch_entry *entry, uint32_t axis)
{
    return value_cell(batch_sweep_value(table->sweep, axis, entry->combination));
}

/* Result of a design in the batch; of another one, a result that says why it is not in it. */
static vxe_batch_result result_of(const batch_table *table, const batch_entry *entry)
{
    if (entry->design) {
        return vxe_batch_result_of(table->batch, entry->robot);
    }
    return (vxe_batch_result){.status = entry->refusal ? VXE_ROBOT_REFUSED : VXE_ROBOT_WAITING,
                              .message = entry->refusal ? entry->refusal : "",
                              .conventions = ""};
}

static const char *status_name(vxe_simulation_status status)
{
    switch (status) {
    case VXE_ROBOT_DONE:
        return "done";
    case VXE_ROBOT_DIVERGED:
        return "diverged";
    case VXE_ROBOT_UNPHYSICAL:
        return "unphysical";
    case VXE_ROBOT_REFUSED:
        return "refused";
    case VXE_ROBOT_WAITING:
        break;
    }
    return "stopped";
}

static void fill_row(row *r, const batch_table *table, const batch_entry *entry)
{
    const vxe_batch_result result = result_of(table, entry);
    *r = (row){0};
    r->cells[COLUMN_design] = path_cell(entry->path);
    r->cells[COLUMN_status] = text_cell(status_name(result.status));
    r->cells[COLUMN_message] = text_cell(result.message);
    if (result.status != VXE_ROBOT_DONE) {
        return;
    }
    snprintf(r->hash, sizeof r->hash, "%016" PRIx64, result.hash);
    r->cells[COLUMN_voxels] = whole_cell(result.voxels);
    r->cells[COLUMN_bonds] = whole_cell(result.bonds);
    r->cells[COLUMN_mass_kg] = real_cell(result.mass);
    r->cells[COLUMN_steps] = whole_cell(result.steps);
    r->cells[COLUMN_time_s] = real_cell(result.time);
    r->cells[COLUMN_timestep_s] = real_cell(result.time_step);
    r->cells[COLUMN_retries] = whole_cell(result.retries);
    r->cells[COLUMN_damping_sweeps] = whole_cell(result.damping_sweeps);
    r->cells[COLUMN_displacement_m] = real_cell(result.displacement);
    r->cells[COLUMN_displacement_voxels] =
        real_cell(result.displacement / entry->design->voxel_size);
    r->cells[COLUMN_speed_body_lengths_per_s] = real_cell(result.body_lengths_per_second);
    r->cells[COLUMN_fitness] = real_cell(result.fitness);
    r->cells[COLUMN_center_x_m] = real_cell(result.center[0]);
    r->cells[COLUMN_center_y_m] = real_cell(result.center[1]);
    r->cells[COLUMN_center_z_m] = real_cell(result.center[2]);
    r->cells[COLUMN_conventions] = text_cell(result.conventions);
    r->cells[COLUMN_schedule] = text_cell(result.in_lanes ? "lanes" : "alone");
    r->cells[COLUMN_state_hash] = text_cell(r->hash);
}

const char *batch_table_conventions(const batch_table *table, uint32_t entry)
{
    return result_of(table, &table->entries[entry]).conventions;
}

batch_counts batch_table_count(const batch_table *table)
{
    batch_counts counts = {0};
    for (uint32_t i = 0; i < table->count; i++) {
        const vxe_simulation_status status = result_of(table, &table->entries[i]).status;
        counts.done += status == VXE_ROBOT_DONE;
        counts.diverged += status == VXE_ROBOT_DIVERGED;
        counts.unphysical += status == VXE_ROBOT_UNPHYSICAL;
        counts.refused += status == VXE_ROBOT_REFUSED;
        counts.stopped += status == VXE_ROBOT_WAITING;
    }
    return counts;
}

double batch_table_bond_rate(const batch_table *table)
{
    const double updates = vxe_batch_describe(table->batch).bond_updates;
    return table->wall_seconds > 0 ? updates / table->wall_seconds : 0;
}

static void print_cell(FILE *stream, const cell *c)
{
    switch (c->kind) {
    case CELL_TEXT:
        csv_text(stream, c->text);
        break;
    case CELL_PATH:
        csv_path(stream, c->text);
        break;
    case CELL_WHOLE:
        fprintf(stream, "%" PRIu64, c->whole);
        break;
    case CELL_REAL:
        fprintf(stream, "%.17g", c->real);
        break;
    case CELL_NUMBER:
        fputs(c->text, stream);
        break;
    case CELL_EMPTY:
        break;
    }
}

/* The unit of the fitness of all designs that have one; empty where they differ. */
static vxe_unit unit_of(const batch_table *table)
{
    vxe_unit unit = {"", "", ""};
    bool found = false;
    for (uint32_t i = 0; i < table->count; i++) {
        const vxe_design *design = table->entries[i].design;
        if (!design || !design->formulas[VXE_FORMULA_FITNESS]) {
            continue;
        }
        const vxe_unit own = vxe_design_fitness_unit(design);
        unit = found ? vxe_unit_of_both(unit, own) : own;
        found = true;
    }
    return unit;
}

static void print_header(const batch_table *table, const char *unit, FILE *stream)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        fprintf(stream, "%s%s%s", i ? "," : "", column_names[i], i == COLUMN_fitness ? unit : "");
        for (uint32_t axis = 0; i == COLUMN_design && axis < swept(table); axis++) {
            putc(',', stream);
            csv_text(stream, table->sweep->axes[axis].key);
        }
    }
    putc('\n', stream);
}

static void print_row(const batch_table *table, const batch_entry *entry, FILE *stream)
{
    row r;
    fill_row(&r, table, entry);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (i) {
            putc(',', stream);
        }
        print_cell(stream, &r.cells[i]);
        for (uint32_t axis = 0; i == COLUMN_design && axis < swept(table); axis++) {
            const cell value = swept_cell(table, entry, axis);
            putc(',', stream);
            print_cell(stream, &value);
        }
    }
    putc('\n', stream);
}

bool batch_table_write_csv(const batch_table *table, FILE *stream)
{
    const uint64_t failures = vxe_memory_failures();
    const vxe_unit unit = unit_of(table);
    if (vxe_memory_check(failures, NULL)) {
        return false;
    }
    print_header(table, unit.suffix, stream);
    for (uint32_t robot = 0; robot < table->count; robot++) {
        print_row(table, &table->entries[robot], stream);
    }
    return true;
}

static json_t *json_of(const cell *c)
{
    switch (c->kind) {
    case CELL_TEXT:
    case CELL_PATH:
        return json_text(c->text);
    case CELL_WHOLE:
        return json_integer((json_int_t)c->whole);
    case CELL_REAL:
    case CELL_NUMBER:
        return json_real(c->real);
    case CELL_EMPTY:
        break;
    }
    return json_null();
}

/* Writes the object on one line and releases it. Returns false, and writes nothing, where an
   allocation has failed since there were so many failures. */
static bool dump(json_t *object, uint64_t failures, FILE *stream)
{
    char *text = json_dumps(object, JSON_REAL_PRECISION(17));
    const bool whole = text && !vxe_memory_check(failures, NULL);
    if (whole) {
        fputs(text, stream);
    }
    free(text);
    json_decref(object);
    return whole;
}

static json_t *summary_of(const batch_table *table)
{
    const batch_counts counts = batch_table_count(table);
    const vxe_batch_facts facts = vxe_batch_describe(table->batch);
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:s, s:f, s:f}", "robots",
                     (json_int_t)table->count, "done", (json_int_t)counts.done, "diverged",
                     (json_int_t)counts.diverged, "refused", (json_int_t)counts.refused, "stopped",
                     (json_int_t)counts.stopped, "unphysical", (json_int_t)counts.unphysical,
                     "in_lanes", (json_int_t)facts.robots_in_lanes, "threads",
                     (json_int_t)facts.threads, "precision", facts.precision, "isa", facts.isa,
                     "wall_s", table->wall_seconds, "bond_updates_per_s",
                     batch_table_bond_rate(table));
}

bool batch_row_write_json(const batch_table *table, const batch_entry *entry, FILE *stream)
{
    row r;
    const uint64_t failures = vxe_json_watch();
    json_t *object = json_object();
    fill_row(&r, table, entry);
    const cell unit =
        text_cell(r.cells[COLUMN_fitness].kind ? vxe_design_fitness_unit(entry->design).name : "");
    for (int i = 0; i < COLUMN_COUNT; i++) {
        json_object_set_new(object, column_names[i], json_of(&r.cells[i]));
        for (uint32_t axis = 0; i == COLUMN_design && axis < swept(table); axis++) {
            const cell value = swept_cell(table, entry, axis);
            json_object_set_new(object, table->sweep->axes[axis].key, json_of(&value));
        }
        if (i == COLUMN_fitness) {
            json_object_set_new(object, "fitness_unit", json_of(&unit));
        }
    }
    return dump(object, failures, stream);
}

/* Writes each robot's line as it is made, so that a large table takes no memory. */
bool batch_table_write_json(const batch_table *table, FILE *stream)
{
    bool good = true;
    fputs("{\n \"robots\": [", stream);
    for (uint32_t robot = 0; robot < table->count; robot++) {
        fputs(robot ? ",\n  " : "\n  ", stream);
        good = batch_row_write_json(table, &table->entries[robot], stream) && good;
    }
    fputs("\n ],\n \"summary\": ", stream);
    const uint64_t failures = vxe_json_watch();
    good = dump(summary_of(table), failures, stream) && good;
    fputs("\n}\n", stream);
    return good;
}
