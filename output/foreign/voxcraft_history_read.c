/* SPDX-License-Identifier: MIT */
/* Reads voxcraft's history. Each line is one of these: a setting, {{{setting}}}<tag>...</tag>; a
   frame, <<<Step N Time:T>>>voxel;voxel;...<<<>>>, with or without bonds behind it,
   |[[[N]]]bond;...[[[]]]; anything else that the simulator printed, which is skipped. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/file_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "lattice/formats/layer_codec_internal.h"
#include "lattice/formats/limits_internal.h"
#include "output/foreign/voxcraft_history_parse.h"

/* Numbers per voxel and per bond. Files from before voxcraft had signals have one less per
   voxel. */
enum { OF_VOXEL = 15, OF_OLD_VOXEL = 14, OF_BOND = 6 };

typedef struct scanner {
    vxe_history_reader *into;
    uint64_t frame_capacity, voxel_capacity, bond_capacity, color_capacity;
    double rescale; /* m per unit of the file's lengths */
    vxe_error *error;
    bool failed; /* no memory */
} scanner;

/* Ensures capacity for one more item after `count`. Returns null without memory. */
static void *grow_for_one(scanner *s, void *items, uint64_t count, uint64_t *capacity,
                          uint64_t size)
{
    VXE_ASSERT(count <= *capacity && size > 0);
    if (count < *capacity) {
        return items;
    }
    const uint64_t larger = *capacity ? 2 * *capacity : 64;
    void *grown = vxe_memory_grow(items, count, larger, size);
    if (!grown) {
        s->failed = true;
        (void)vxe_error_memory(s->error, larger * size);
        return NULL;
    }
    *capacity = larger;
    return grown;
}

/* Reads the number that the text from `at` to `end` is. Returns false where it is anything else. */
static bool is_number(const char *at, const char *end, double *number)
{
    const char *stop = at;
    *number = vxe_number_scan(at, &stop);
    return stop > at && stop <= end && stop + strspn(stop, VXE_BLANKS) >= end;
}

/* Reads one record: numbers separated by commas, up to ';' or end. The first `max` of them are
   stored. Returns how many there are, or -1 where something else stands among them; *at is then
   behind the record. */
static int scan_record(const char **at, const char *end, double *numbers, int max)
{
    VXE_ASSERT(*at < end && max > 0);
    const char *stop = memchr(*at, ';', (size_t)(end - *at));
    stop = stop ? stop : end;
    uint64_t count = 0;
    const bool good =
        !vxe_numbers_decode(*at, (uint64_t)(stop - *at), numbers, (uint64_t)max, &count, NULL);
    *at = stop < end ? stop + 1 : end;
    return good && count < INT32_MAX ? (int)count : -1;
}

/* The numbers of a voxel: position, angle in degrees, axis (the vector part of the quaternion), two
   opposite corners, material, signal. */
static void add_voxel(scanner *s, const double n[OF_VOXEL])
{
    vxe_history_reader *r = s->into;
    vxe_recorded_voxel *voxels =
        grow_for_one(s, r->voxels, r->voxel_count, &s->voxel_capacity, sizeof *voxels);
    if (!voxels) {
        return;
    }
    r->voxels = voxels;
    vxe_recorded_voxel *v = &voxels[r->voxel_count++];
    const double length = sqrt(n[4] * n[4] + n[5] * n[5] + n[6] * n[6]);
    double sine = 0;
    double cosine = 1;
    vxe_sincos_cycles(n[3] / 720, &sine, &cosine); /* n[3] / 720 cycles are half of n[3] degrees */
    for (int c = 0; c < 3; c++) {
        v->place[c] = s->rescale * n[c];
        v->orientation[1 + c] = length > 0 ? sine * n[4 + c] / length : 0;
        v->low[c] = s->rescale * n[7 + c];
        v->high[c] = s->rescale * n[10 + c];
    }
    v->orientation[0] = length > 0 ? cosine : 1;
    v->material = n[13] >= 0 && n[13] < 1e9 ? (uint32_t)n[13] : 0;
    v->signal = n[14];
}

static void add_bond(scanner *s, const double n[OF_BOND])
{
    vxe_history_reader *r = s->into;
    vxe_recorded_bond *bonds =
        grow_for_one(s, r->bonds, r->bond_count, &s->bond_capacity, sizeof *bonds);
    if (bonds) {
        r->bonds = bonds;
        memcpy(bonds[r->bond_count++].end, n, OF_BOND * sizeof *n);
    }
}

/* Reads the records, of voxels or of bonds, from `at` to `end`. */
static void scan_records(scanner *s, const char *at, const char *end, bool bonds)
{
    while (at < end && !s->failed) {
        double numbers[OF_VOXEL] = {0};
        const int count = scan_record(&at, end, numbers, OF_VOXEL);
        if (bonds && count == OF_BOND) {
            add_bond(s, numbers);
        } else if (!bonds && (count == OF_VOXEL || count == OF_OLD_VOXEL)) {
            add_voxel(s, numbers);
        } else {
            s->into->left_out += count != 0;
        }
    }
}

/* Returns the first place of `what` in the text before `end`; null where there is none. */
static const char *find(const char *text, const char *end, const char *what)
{
    const size_t length = strlen(what);
    for (; text + length <= end; text++) {
        text = memchr(text, what[0], (size_t)(end - text));
        if (!text || text + length > end) {
            return NULL;
        }
        if (memcmp(text, what, length) == 0) {
            return text;
        }
    }
    return NULL;
}

static void add_frame(scanner *s, const char *line, const char *end)
{
    vxe_history_reader *r = s->into;
    const char *number = line + strlen("<<<Step");
    const char *time = find(number, end, "Time:");
    const char *body = find(number, end, ">>>");
    const char *stop = body ? find(body, end, "<<<>>>") : NULL;
    const char *bonds = stop ? find(stop, end, "]]]") : NULL;
    const char *bonds_stop = bonds ? find(bonds, end, "[[[]]]") : NULL;
    double step = 0;
    double at = 0;
    if (!time || !stop || time > body || (bonds && !bonds_stop) ||
        !is_number(number, time, &step) || !is_number(time + strlen("Time:"), body, &at) ||
        !(step >= 0 && step < 1e18)) {
        r->left_out++;
        return;
    }
    vxe_recorded_frame *frames =
        grow_for_one(s, r->frames, r->frame_count, &s->frame_capacity, sizeof *frames);
    if (!frames) {
        return;
    }
    r->frames = frames;
    vxe_recorded_frame f = {.number = (uint64_t)step,
                            .time = at,
                            .first_voxel = r->voxel_count,
                            .first_bond = r->bond_count};
    scan_records(s, body + strlen(">>>"), stop, false);
    if (bonds) {
        scan_records(s, bonds + strlen("]]]"), bonds_stop, true);
    }
    f.voxels = r->voxel_count - f.first_voxel;
    f.bonds = r->bond_count - f.first_bond;
    VXE_ASSERT(f.first_voxel <= r->voxel_count && f.first_bond <= r->bond_count);
    frames[r->frame_count++] = f;
}

/* Returns the number behind <tag>; `fallback` where there is none. */
static double setting(scanner *s, const char *line, const char *end, const char *tag,
                      double fallback)
{
    const char *at = find(line, end, tag);
    if (!at) {
        return fallback;
    }
    double number = 0;
    at += strlen(tag);
    const char *stop = memchr(at, '<', (size_t)(end - at));
    if (!is_number(at, stop ? stop : end, &number)) {
        s->into->left_out++;
        return fallback;
    }
    return number;
}

static void read_setting(scanner *s, const char *line, const char *end)
{
    vxe_history_reader *r = s->into;
    const double rescale = setting(s, line, end, "<rescale>", 0);
    s->rescale = rescale > 0 ? rescale : s->rescale;
    const double size = setting(s, line, end, "<voxel_size>", 0);
    r->voxel_size = size > 0 ? size : r->voxel_size;
    const double id = setting(s, line, end, "<id>", -1);
    if (!find(line, end, "<matcolor>") || !(id >= 0 && id < 1e9)) {
        return;
    }
    vxe_recorded_color *colors =
        grow_for_one(s, r->colors, r->color_count, &s->color_capacity, sizeof *colors);
    if (colors) {
        static const char *const tags[4] = {"<r>", "<g>", "<b>", "<a>"};
        r->colors = colors;
        vxe_recorded_color *color = &colors[r->color_count++];
        color->material = (uint32_t)id;
        for (int c = 0; c < 4; c++) {
            const double part = setting(s, line, end, tags[c], 1);
            const bool good = part >= 0 && part <= 1;
            color->rgba[c] = good ? (float)part : 1;
            r->left_out += !good;
        }
    }
}

static bool starts(const char *line, const char *end, const char *with)
{
    const size_t length = strlen(with);
    return (size_t)(end - line) >= length && memcmp(line, with, length) == 0;
}

vxe_history_reader *vxe_history_reader_scan(const vxe_text *source, vxe_error *error)
{
    const char *at = source->text;
    const char *end = source->text + source->size;
    scanner s = {.into = vxe_memory_take(1, sizeof *s.into), .rescale = 1, .error = error};
    if (!s.into) {
        (void)vxe_error_memory(error, sizeof *s.into);
        return NULL;
    }
    while (at < end && !s.failed) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        if (starts(at, stop, "<<<Step")) {
            add_frame(&s, at, stop);
        } else if (starts(at, stop, "{{{setting}}}")) {
            read_setting(&s, at, stop);
        }
        at = stop < end ? stop + 1 : end;
    }
    if (!s.failed && s.into->frame_count == 0) {
        s.failed = true;
        (void)vxe_error_at(error, VXE_ERROR_INPUT, source->file, 0, 0,
                           "no frame (<<<Step...>>>...<<<>>>): not a history");
    }
    if (s.failed) {
        vxe_history_reader_destroy(s.into);
        return NULL;
    }
    return s.into;
}

vxe_history_reader *vxe_history_reader_read(const char *path, vxe_error *error)
{
    char *text = NULL;
    uint64_t size = 0;
    if (vxe_file_read(path, vxe_limit_for(VXE_LIMIT_DESIGN_BYTES, 0), &text, &size, error)) {
        return NULL;
    }
    vxe_history_reader *history =
        vxe_history_reader_scan(&(vxe_text){path, text, size, false}, error);
    vxe_memory_release(text);
    return history;
}

void vxe_history_reader_destroy(vxe_history_reader *history)
{
    if (history) {
        vxe_memory_release(history->frames);
        vxe_memory_release(history->voxels);
        vxe_memory_release(history->bonds);
        vxe_memory_release(history->colors);
        vxe_memory_release(history);
    }
}
