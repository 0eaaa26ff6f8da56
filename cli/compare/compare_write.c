/* SPDX-License-Identifier: MIT */
/* Comparisons as text, CSV and JSON. */
#include "cli/compare/compare_write.h"
#include "cli/command.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "cli/shared/design_list.h"
#include "cli/shared/output_file.h"

/* Differences below this part of the displacement are not told. */
#define TOLD 0.02
/* Of rows that change one choice, so many are told. */
#define MAX_TOLD 3

bool compare_failed(const compare_row *row)
{
    return !row->ensemble || row->facts.done == 0;
}

void compare_print_head(FILE *out)
{
    fprintf(out, "%-42s %6s %19s %9s %8s %9s  %s\n", "rules", "copies", "displacement, voxels",
            "path", "turns", "growth", "verdict");
}

void compare_print_row(FILE *out, const compare_row *row)
{
    const vxe_ensemble_facts *f = &row->facts;
    if (compare_failed(row)) {
        const char *why = row->ensemble ? f->message : row->error.message;
        fprintf(out, "%-42s %s\n", row->what, why);
        return;
    }
    char done[24];
    snprintf(done, sizeof done, f->done < f->copies ? "%u/%u" : "%u", f->done, f->copies);
    fprintf(out, "%-42s %6s %9.4g +- %7.2g %9.4g %+7.0f° %7.3g/s  %s\n", row->what, done,
            f->displacement.mean, f->displacement.deviation, f->way.mean,
            COMPARE_DEGREES * f->turned.mean, f->growth, vxe_trust_name(f->verdict));
}

/* Whether two means differ by more than their spreads and by more than is told. */
static bool differ(const compare_row *a, const compare_row *b)
{
    const vxe_spread *x = &a->facts.displacement;
    const vxe_spread *y = &b->facts.displacement;
    const double apart = fabs(x->mean - y->mean);
    return apart > TOLD * fmax(x->mean, y->mean) && apart > 2 * (x->deviation + y->deviation);
}

/* Tells whether the default step is short enough: against an eighth of it. */
static void tell_step(FILE *out, const comparison *c)
{
    const compare_row *native = compare_find(c, COMPARE_NATIVE);
    const compare_row *fine = compare_finest(c);
    if (!native || !fine || compare_failed(native) || compare_failed(fine)) {
        return;
    }
    const double d = native->facts.displacement.mean;
    const double e = fine->facts.displacement.mean;
    const double part = fabs(d - e) / fmax(fmax(d, e), 1e-9);
    fprintf(out, "step: %s: %.4g voxels at the default step, %.4g at %g of it (%.2g %% off)\n",
            differ(native, fine) ? "not converged" : "converged, to 2 % or its spread", d, e,
            fine->scale, 100 * part);
}

/* Tells the rows of a kind that are furthest from their base, in order. */
static void tell_choices(FILE *out, const comparison *c, compare_kind kind)
{
    bool told[COMPARE_MAX_ROWS] = {false};
    for (int n = 0; n < MAX_TOLD; n++) {
        const compare_row *far = NULL;
        double largest = 0;
        for (uint32_t i = 0; i < c->count; i++) {
            const compare_row *row = &c->rows[i];
            const compare_row *base = compare_base(c, row);
            if (row->kind != kind || told[i] || compare_failed(row) || !base ||
                compare_failed(base) || !differ(row, base)) {
                continue;
            }
            const double apart = fabs(row->facts.displacement.mean - base->facts.displacement.mean);
            far = apart > largest ? row : far;
            largest = fmax(largest, apart);
        }
        if (!far) {
            break;
        }
        told[far - c->rows] = true;
        const compare_row *base = compare_base(c, far);
        fprintf(out, "%s %s: %.4g becomes %.4g",
                n                           ? ";"
                : kind == COMPARE_TO_NATIVE ? "from published:"
                                            : "from native:",
                far->conventions + strlen(base->conventions), base->facts.displacement.mean,
                far->facts.displacement.mean);
    }
    fputs("\n", out);
}

void compare_print_words(FILE *out, const comparison *c)
{
    const compare_row *published = compare_find(c, COMPARE_PUBLISHED);
    const compare_row *native = compare_find(c, COMPARE_NATIVE);
    tell_step(out, c);
    if (published && !compare_failed(published) && native && !compare_failed(native)) {
        fprintf(out, "law: %s %.4g voxels, native %.4g\n", published->conventions,
                published->facts.displacement.mean, native->facts.displacement.mean);
        tell_choices(out, c, COMPARE_TO_NATIVE);
        tell_choices(out, c, COMPARE_TO_PUBLISHED);
    }
}

static json_t *spread_json(const vxe_spread *s)
{
    return json_pack("{s:f, s:f, s:f, s:f}", "mean", s->mean, "deviation", s->deviation, "min",
                     s->min, "max", s->max);
}

static json_t *row_json(const compare_row *row)
{
    const vxe_ensemble_facts *f = &row->facts;
    json_t *object = json_object();
    json_object_set_new(object, "rules", json_text(row->what));
    json_object_set_new(object, "conventions", json_text(row->conventions));
    json_object_set_new(object, "step_scale", json_real(row->scale));
    json_object_set_new(object, "copies", json_integer(f->copies));
    json_object_set_new(object, "done", json_integer(f->done));
    json_object_set_new(object, "message",
                        json_text(row->ensemble ? f->message : row->error.message));
    json_object_set_new(object, "verdict",
                        json_text(row->ensemble ? vxe_trust_name(f->verdict) : "refused"));
    if (!compare_failed(row)) {
        json_object_set_new(object, "timestep_s", json_real(f->time_step));
        json_object_set_new(object, "displacement_voxels", spread_json(&f->displacement));
        json_object_set_new(object, "path_voxels", spread_json(&f->way));
        json_object_set_new(object, "turned_rad", spread_json(&f->turned));
        json_object_set_new(object, "speed_voxels_per_s", spread_json(&f->speed));
        json_object_set_new(object, "apart_voxels", json_real(f->apart));
        json_object_set_new(object, "growth_per_s", json_real(f->growth));
    }
    return object;
}

static bool write_json(const comparison *c, uint32_t count, FILE *out)
{
    const uint64_t failures = vxe_json_watch();
    json_t *root = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_t *rows = json_array();
        for (uint32_t k = 0; k < c[i].count; k++) {
            json_array_append_new(rows, row_json(&c[i].rows[k]));
        }
        json_array_append_new(root, json_pack("{s:o, s:o, s:o}", "design", json_text(c[i].path),
                                              "written_for", json_text(c[i].design->written_for),
                                              "rows", rows));
    }
    const bool good = json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(12)) == 0 &&
                      !vxe_memory_check(failures, NULL);
    json_decref(root);
    fputc('\n', out);
    return good;
}

static void write_csv(const comparison *c, uint32_t count, FILE *out)
{
    fputs("design,rules,conventions,step_scale,copies,done,verdict,timestep_s,displacement_voxels,"
          "displacement_deviation,path_voxels,path_deviation,turned_rad,turned_deviation,"
          "speed_voxels_per_s,speed_deviation,apart_voxels,growth_per_s\n",
          out);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < c[i].count; k++) {
            const compare_row *row = &c[i].rows[k];
            const vxe_ensemble_facts *f = &row->facts;
            csv_path(out, c[i].path);
            fputc(',', out);
            csv_text(out, row->what);
            fprintf(out, ",%s,%g,%u,%u,%s", row->conventions, row->scale, f->copies, f->done,
                    row->ensemble ? vxe_trust_name(f->verdict) : "refused");
            if (compare_failed(row)) {
                fputs(",,,,,,,,,,,\n", out);
                continue;
            }
            fprintf(out, ",%.9g,%.9g,%.6g,%.9g,%.6g,%.9g,%.6g,%.9g,%.6g,%.6g,%.6g\n", f->time_step,
                    f->displacement.mean, f->displacement.deviation, f->way.mean, f->way.deviation,
                    f->turned.mean, f->turned.deviation, f->speed.mean, f->speed.deviation,
                    f->apart, f->growth);
        }
    }
}

bool compare_knows(const char *path)
{
    return path_has_suffix(path, ".csv") || path_has_suffix(path, ".json") ||
           path_has_suffix(path, ".svg") || path_has_suffix(path, ".html");
}

bool compare_write(const comparison *c, uint32_t count, const char *path, vxe_error *error)
{
    vxe_file_writer file;
    if (path_has_suffix(path, ".html")) {
        return compare_write_page(c, count, path, error);
    }
    if (vxe_file_begin(&file, path, error)) {
        return false;
    }
    bool good = true;
    if (path_has_suffix(path, ".json")) {
        good = write_json(c, count, file.stream);
    } else if (path_has_suffix(path, ".csv")) {
        write_csv(c, count, file.stream);
    } else {
        compare_draw(file.stream, &c[0]);
    }
    if (!good && !ferror(file.stream)) {
        vxe_file_abandon(&file);
        (void)command_no_memory(error);
        return false;
    }
    return vxe_file_commit(&file, error) == VXE_OK;
}
