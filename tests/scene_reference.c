/* SPDX-License-Identifier: MIT */
/* scene_reference: prints docs/scene-reference.md, the keys of a scene, from the table by which
 * scenes are read. scene_reference --write FILE.md: writes it. scene_reference FILE.md: compares
 * the file with what it would print; the status is 0 if they are equal, else 1 with the first line
 * that differs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lattice/formats/scene/scene_table_internal.h"

static const char opening[] =
    "# Scene reference\n\n"
    "All keys of a scene, our JSON format of a design; [designs](designs.md) explains it with "
    "examples. This page is printed\n"
    "from the table by which the program reads scenes: `cmake --build build/release --target "
    "scene_page` writes it anew.\n\n"
    "A scene is one JSON object. Keys that are missing take their defaults; an unknown key is an "
    "error for `voxelastic check`\n"
    "and a warning for `run`. Quantities are in SI units, which their keys name. `a[]` is an "
    "object of the list `a`; the formulas' language is in\n"
    "[designs](designs.md#formulas). What is out of range is refused, with the file and the "
    "reason. \"needed\": the object is refused without the key.\n";

/* The shortest text that reads back as the same number: 1e15, 0.999999, 1048575. */
static const char *number_text(double value, char *text, size_t size)
{
    snprintf(text, size, "%g", value);
    if (!(strtod(text, NULL) <= value && strtod(text, NULL) >= value)) {
        snprintf(text, size, "%.15g", value);
    }
    char *exponent = strchr(text, 'e');
    if (exponent) {
        const int power = atoi(exponent + 1);
        snprintf(exponent, size - (size_t)(exponent - text), "e%d", power);
    }
    return text;
}

static void print_number(FILE *out, double value)
{
    char text[40];
    fputs(number_text(value, text, sizeof text), out);
}

/* New structures of all types that sections fill. */
typedef struct defaults {
    vxe_design *design;
    vxe_material material;
    vxe_region region;
    vxe_affine_body body;
    vxe_contact_law law;
} defaults;

static const void *structure_of(defaults *d, const vxe_scene_section *section)
{
    switch (section->subject) {
    case VXE_SCENE_OF_DESIGN:
        return d->design;
    case VXE_SCENE_OF_FLOOR:
        return &d->design->floor;
    case VXE_SCENE_OF_FLUID:
        return &d->design->fluid;
    case VXE_SCENE_OF_MAGNETICS:
        return &d->design->magnetics;
    case VXE_SCENE_OF_ACTUATION:
        return &d->design->actuation;
    case VXE_SCENE_OF_STOP:
        return &d->design->stop;
    case VXE_SCENE_OF_TIME_STEP:
        return &d->design->time_step;
    case VXE_SCENE_OF_MATERIAL:
        return &d->material;
    case VXE_SCENE_OF_REGION:
        return &d->region;
    case VXE_SCENE_OF_BODY:
        return &d->body;
    case VXE_SCENE_OF_SHAPE:
        return &d->body.shape;
    case VXE_SCENE_OF_LAW:
        d->law = vxe_contact_law_default((vxe_contact_kind)section->law);
        return &d->law;
    case VXE_SCENE_OF_NOTHING:
        break;
    }
    return NULL;
}

static void print_place(FILE *out, const vxe_scene_key *key, const void *place)
{
    const double *numbers = place;
    switch (key->type) {
    case VXE_SCENE_NUMBER:
        print_number(out, *numbers);
        break;
    case VXE_SCENE_NUMBERS:
        for (uint32_t i = 0; i < key->count; i++) {
            fputs(i == 0 ? "[" : ", ", out);
            print_number(out, numbers[i]);
        }
        fputc(']', out);
        break;
    case VXE_SCENE_WHOLE:
        fprintf(out, "%u", *(const uint32_t *)place);
        break;
    case VXE_SCENE_FLAG:
        fputs(*(const bool *)place ? "true" : "false", out);
        break;
    default:
        fprintf(out, "\"%s\"", (const char *)place);
    }
}

static void print_default(FILE *out, const vxe_scene_section *section, const vxe_scene_key *key,
                          const void *structure)
{
    if (key->needed) {
        fputs("needed", out);
    } else if (key->standard) {
        fputs(key->standard, out);
    } else if (structure && key->offset != VXE_SCENE_BY_HAND) {
        print_place(out, key, (const char *)structure + key->offset);
    } else {
        fprintf(stderr, "%s: no default is known of \"%s\"\n", section->path, key->key);
        exit(1);
    }
}

static void print_choices(FILE *out, const char *words)
{
    size_t length = 0;
    for (uint32_t i = 0; vxe_scene_word(words, i, &length); i++) {
        const char *word = vxe_scene_word(words, i, &length);
        fprintf(out, "%s`%.*s`", i == 0 ? "" : ", ", (int)length, word);
    }
}

static void print_type(FILE *out, const vxe_scene_key *key)
{
    switch (key->type) {
    case VXE_SCENE_NUMBER:
        fputs("number", out);
        break;
    case VXE_SCENE_NUMBERS:
        fprintf(out, "%u numbers", key->count);
        break;
    case VXE_SCENE_WHOLE:
        fputs("whole number", out);
        break;
    case VXE_SCENE_FLAG:
        fputs("true, false", out);
        break;
    case VXE_SCENE_TEXT:
        fputs(key->form ? key->form : "text", out);
        break;
    case VXE_SCENE_FORMULA:
        fputs("formula", out);
        break;
    case VXE_SCENE_CHOICE:
        print_choices(out, key->form);
        break;
    case VXE_SCENE_LIST:
        fprintf(out, "list of %s", key->form);
        break;
    case VXE_SCENE_OBJECT:
        fputs("object", out);
        break;
    case VXE_SCENE_ANY:
        fputs(key->form, out);
        break;
    }
}

static void print_range(FILE *out, const vxe_scene_key *key, const vxe_law_number *number)
{
    const double low = number ? number->min : key->low;
    const double high = number ? number->max : key->high;
    const bool bounded = low < high;
    if (bounded) {
        print_number(out, low);
        fputs(" to ", out);
        print_number(out, high);
    }
    if (number && number->whole) {
        fputs(", whole", out);
    }
    if (key->also) {
        fprintf(out, "%s%s", bounded ? "; " : "", key->also);
    }
}

static void print_section(FILE *out, const vxe_scene_section *section, defaults *d)
{
    const void *structure = structure_of(d, section);
    fprintf(out, "\n## %s\n\n", section->path);
    if (section->about) {
        fprintf(out, "%s\n\n", section->about);
    }
    fputs("| key | value | unit | default | range | meaning |\n|---|---|---|---|---|---|\n", out);
    for (size_t i = 0; i < section->key_count; i++) {
        const vxe_scene_key *key = &section->keys[i];
        const vxe_law_number *number = vxe_scene_law_number(section, key);
        const char *unit = number ? number->unit : key->unit;
        fprintf(out, "| `%s` | ", key->key);
        print_type(out, key);
        fprintf(out, " | %s | ", unit ? unit : "");
        print_default(out, section, key, structure);
        fputs(" | ", out);
        print_range(out, key, number);
        fprintf(out, " | %s", key->meaning);
        if (key->old) {
            fprintf(out, "; read by its earlier name `%s`, too", key->old);
        }
        fputs(" |\n", out);
    }
}

static bool print_page(FILE *out)
{
    defaults d = {.design = vxe_design_create(),
                  .material = vxe_material_default(),
                  .body = vxe_affine_body_default()};
    if (d.design) {
        fputs(opening, out);
        for (int part = 0; part < VXE_SCENE_PARTS; part++) {
            print_section(out, vxe_scene_section_of((vxe_scene_part)part), &d);
        }
    }
    vxe_affine_body_release(&d.body);
    vxe_design_destroy(d.design);
    return d.design && !ferror(out);
}

/* Returns 0 if both are equal, else 1. */
static int compare(FILE *page, FILE *printed, const char *path)
{
    char said[4096] = "";
    char meant[4096] = "";
    int line = 0;
    bool more = true;
    while (more && strcmp(said, meant) == 0) {
        line++;
        const bool in_page = fgets(said, sizeof said, page);
        const bool in_print = fgets(meant, sizeof meant, printed);
        more = in_page && in_print;
        if (in_page != in_print) {
            snprintf(in_page ? meant : said, sizeof said, "(the end)\n");
        }
    }
    if (strcmp(said, meant) == 0) {
        return 0;
    }
    printf("%s:%d: is not what the table of keys says; `cmake --build BUILD --target scene_page` "
           "writes it anew\n- %s+ %s",
           path, line, said, meant);
    return 1;
}

/* Compares the page and returns the program's exit status. */
static int check_page(const char *path)
{
    FILE *page = fopen(path, "r");
    FILE *printed = page ? tmpfile() : NULL;
    int status = 2;
    if (printed && print_page(printed)) {
        rewind(printed);
        status = compare(page, printed, path);
    } else {
        printf("%s: can not be read, or nothing be printed\n", path);
    }
    if (page) {
        fclose(page);
    }
    if (printed) {
        fclose(printed);
    }
    return status;
}

static int write_page(const char *path)
{
    FILE *page = fopen(path, "w");
    const bool good = page && print_page(page);
    return page && fclose(page) == 0 && good ? 0 : 2;
}

int main(int count, char **words)
{
    if (count == 3 && strcmp(words[1], "--write") == 0) {
        return write_page(words[2]);
    }
    return count == 2 ? check_page(words[1]) : print_page(stdout) ? 0 : 2;
}
