/* SPDX-License-Identifier: MIT */
/* Which rules and steps a design is compared under, and how many copies each row can afford. */
#include "cli/compare/compare_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/shared/interrupt.h"

/* Bond updates that a row may take, under our own law and under others; of rows that change one
   choice, a part. A robot in contact does some 2e7 of them in a second on a core. */
#define NATIVE_WORK 4e7
#define OTHER_WORK 4e7
#define CHOICE_PART 0.125
/* A main row has no fewer copies. */
#define FEWEST 3u

static compare_row *add(comparison *c, compare_kind kind, const char *conventions)
{
    if (c->count == COMPARE_MAX_ROWS) {
        return NULL;
    }
    compare_row *row = &c->rows[c->count++];
    *row = (compare_row){.kind = kind, .scale = 1};
    snprintf(row->conventions, sizeof row->conventions, "%.*s", VXE_CONVENTIONS_NAME - 1,
             conventions);
    snprintf(row->what, sizeof row->what, "%.*s", VXE_CONVENTIONS_NAME - 1, conventions);
    return row;
}

/* Adds native at shorter steps and with the other damping scheme than its own. */
static void add_steps(comparison *c, vxe_damping_scheme damping)
{
    static const struct {
        double scale;
        const char *what;
    } steps[] = {{0.5, "native, half the step"},
                 {0.25, "native, a quarter of it"},
                 {0.125, "native, an eighth of it"}};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        compare_row *row = add(c, COMPARE_STEP, "native");
        row->scale = steps[i].scale;
        snprintf(row->what, sizeof row->what, "%s", steps[i].what);
    }
    compare_row *row = add(c, COMPARE_STEP, "native");
    row->damping = damping == VXE_DAMPING_SWEEP ? VXE_DAMPING_EXPLICIT : VXE_DAMPING_SWEEP;
    snprintf(row->what, sizeof row->what, "native, %s",
             damping == VXE_DAMPING_SWEEP ? "explicit damping" : "damping iteration");
}

/* Whether a design has what a choice is about. */
static bool matters(const vxe_design *d, const char *name)
{
    bool yields = false;
    bool damped = false;
    for (uint32_t i = 0; i < d->material_count; i++) {
        yields = yields || d->materials[i].model != VXE_MATERIAL_LINEAR;
        damped = damped || d->materials[i].global_damping > 0;
    }
    const struct {
        const char *part; /* of the names */
        bool there;
    } parts[] = {{"floor", d->floor.enabled},
                 {"friction", d->floor.enabled},
                 {"contact", d->self_collision},
                 {"contracts", d->actuation.enabled},
                 {"yields", yields},
                 {"both_ways", d->actuation.enabled},
                 {"fades_in", d->actuation.enabled},
                 {"jumps_in", d->actuation.enabled},
                 {"spin_drag", damped},
                 {"fixed", d->region_count > 0},
                 {"fluid", d->fluid.enabled},
                 {"damping", false} /* has its own row */};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strstr(name, parts[i].part)) {
            return parts[i].there;
        }
    }
    return true;
}

/* Adds `from` with each single choice in which `to` differs from it. A choice that the step of
   `from` cannot follow is made with native bonds, or left out. */
static void add_choices(comparison *c, compare_kind kind, const vxe_conventions *from,
                        const vxe_conventions *to)
{
    for (unsigned i = 0; vxe_convention_switch_at(i); i++) {
        const char *name = vxe_convention_switch_at(i)->name;
        char text[2 * VXE_CONVENTIONS_NAME];
        vxe_conventions rules;
        vxe_error unwanted;
        if (vxe_convention_is_on(from, i) || !vxe_convention_is_on(to, i) ||
            !matters(c->design, name)) {
            continue;
        }
        snprintf(text, sizeof text, "%s+%s", from->name, name);
        if (vxe_conventions_parse(text, &rules, &unwanted)) {
            snprintf(text, sizeof text, "%s+native_bonds+%s", from->name, name);
        }
        if (!vxe_conventions_parse(text, &rules, &unwanted)) {
            add(c, kind, text);
        }
    }
}

/* The damping scheme that native runs of the design have. */
static vxe_damping_scheme own_damping(const comparison *c)
{
    vxe_error unwanted;
    vxe_world_def def = c->def.batch.world;
    def.conventions = "native";
    def.threads = 1;
    vxe_world *world = vxe_world_create(c->design, &def, &unwanted);
    const vxe_damping_scheme damping =
        world ? vxe_world_describe(world).damping : VXE_DAMPING_EXPLICIT;
    vxe_world_destroy(world);
    return damping;
}

bool compare_list(comparison *c, vxe_error *error)
{
    vxe_conventions native;
    vxe_conventions published;
    const uint64_t failures = vxe_memory_failures();
    c->count = 0;
    if (vxe_conventions_choose("native", NULL, &native, error) ||
        vxe_conventions_choose(NULL, c->design->written_for, &published, error)) {
        return false;
    }
    const bool other = strcmp(published.name, native.name) != 0 && !c->own_rules;
    if (other) {
        add(c, COMPARE_PUBLISHED, published.name);
    }
    add(c, COMPARE_NATIVE, native.name);
    add_steps(c, own_damping(c));
    if (other) {
        add_choices(c, COMPARE_TO_NATIVE, &published, &native);
        add_choices(c, COMPARE_TO_PUBLISHED, &native, &published);
    }
    return !vxe_memory_check(failures, error);
}

/* How many copies a row can afford; 0 without memory. A row that can not run is found out later. */
static uint32_t copies_for(const comparison *c, const compare_row *row, const vxe_world_def *def,
                           vxe_error *error)
{
    vxe_world *world = c->all_copies ? NULL : vxe_world_create(c->design, def, error);
    if (!world) {
        return !c->all_copies && error->status == VXE_ERROR_MEMORY ? 0 : c->def.copies;
    }
    const vxe_world_facts facts = vxe_world_describe(world);
    const vxe_run_limits limits =
        vxe_run_limits_of(c->design, c->def.batch.duration, c->def.batch.steps);
    const double steps = fmin(limits.time / facts.time_step, (double)limits.steps);
    const double one = steps * ((double)facts.bonds + facts.voxels);
    const bool choice = row->kind == COMPARE_TO_NATIVE || row->kind == COMPARE_TO_PUBLISHED;
    const double work = (facts.rules->law == VXE_LAW_MID_FRAME ? NATIVE_WORK : OTHER_WORK) *
                        (choice ? CHOICE_PART : 1);
    vxe_world_destroy(world);
    const uint32_t least = choice ? 1 : FEWEST;
    const double affordable = one > 0 && one < 1e15 ? fmax(floor(work / one), least) : least;
    return affordable < c->def.copies ? (uint32_t)affordable : c->def.copies;
}

static bool go_on(const vxe_batch_progress *so_far, void *user)
{
    (void)so_far;
    (void)user;
    return !interrupted();
}

bool compare_run(const comparison *c, compare_row *row, vxe_error *error)
{
    vxe_ensemble_def def = c->def;
    def.batch.world.conventions = row->conventions;
    def.batch.world.step_scale *= row->scale;
    def.batch.world.damping = row->damping ? row->damping : def.batch.world.damping;
    vxe_world_def alone = def.batch.world;
    alone.threads = 1;
    def.copies = copies_for(c, row, &alone, error);
    if (def.copies == 0) {
        return false;
    }
    row->ensemble = vxe_ensemble_run(c->design, &def, go_on, NULL, &row->error);
    if (row->ensemble) {
        row->facts = vxe_ensemble_describe(row->ensemble);
        return true;
    }
    *error = row->error;
    return !interrupted() && row->error.status != VXE_ERROR_MEMORY;
}

void compare_clear(comparison *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        vxe_ensemble_destroy(c->rows[i].ensemble);
    }
    c->count = 0;
}

const compare_row *compare_find(const comparison *c, compare_kind kind)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->rows[i].kind == kind) {
            return &c->rows[i];
        }
    }
    return NULL;
}

const compare_row *compare_finest(const comparison *c)
{
    const compare_row *fine = NULL;
    for (uint32_t i = 0; i < c->count; i++) {
        const bool finer = c->rows[i].kind == COMPARE_STEP && c->rows[i].scale < 1;
        fine = finer && (!fine || c->rows[i].scale < fine->scale) ? &c->rows[i] : fine;
    }
    return fine;
}

const compare_row *compare_base(const comparison *c, const compare_row *row)
{
    return row->kind == COMPARE_TO_NATIVE ? compare_find(c, COMPARE_PUBLISHED)
           : row->kind == COMPARE_STEP || row->kind == COMPARE_TO_PUBLISHED
               ? compare_find(c, COMPARE_NATIVE)
               : NULL;
}
