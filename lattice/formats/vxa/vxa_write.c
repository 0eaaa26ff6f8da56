/* SPDX-License-Identifier: MIT */
/* Writes a design as a VXA for other simulators: cells as characters, layers by their names. What a
   VXA cannot express is left out; vxe_design_differences lists it. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/file_internal.h"
#include "common/markup.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "common/status_internal.h"
#include "lattice/formats/limits_internal.h"
#include "lattice/formats/vxa/vxa_boxes_internal.h"
#include "lattice/formats/vxa/vxc_internal.h"
#include "lattice/topology_internal.h"

#define DEGREES 57.295779513082323
/* Ids are characters from '1' on if there are so few that none is a bracket, which could end the
   section; bytes in base64, which every reader knows, if there are more; else decimal numbers. */
#define MAX_CHARACTERS 44u
#define MAX_BYTES 255u
/* A box for listed voxels is smaller than their cells by this part of the edge on each side, so
   that rounding adds no neighbour. */
#define MARGIN 0.25
/* Cells for each voxel that a box may have where the bound on numbers is less. */
#define EMPTY_CELLS 64u

typedef struct writer {
    FILE *out;
    const vxe_design *design;
    const vxe_topology *scan;
    int32_t low[3];       /* cell in the corner of the workspace */
    uint64_t cells[3];    /* size of the workspace */
    uint32_t *bits;       /* three bytes that are being encoded */
    vxe_list_boxes lists; /* of an experiment's regions */
    double life;          /* s: duration in parts of which growth is timed; 0: nothing grows */
} writer;

static void put_tag(const writer *w, const char *name, double value)
{
    char text[40];
    fprintf(w->out, "<%s>%s</%s>\n", name, vxe_number_shortest(text, sizeof text, value), name);
}

static void put_flag(const writer *w, const char *name, bool value)
{
    fprintf(w->out, "<%s>%d</%s>\n", name, value ? 1 : 0, name);
}

static void put_text(const writer *w, const char *name, const char *text)
{
    fprintf(w->out, "<%s>", name);
    vxe_markup_put(w->out, text);
    fprintf(w->out, "</%s>\n", name);
}

/* Refuses a box of more cells than are read, or one that is almost empty: a file has numbers for
   each cell of it. */
static vxe_status check_cell_count(const writer *w, uint64_t cells, vxe_error *error)
{
    uint64_t width = 1; /* numbers of a cell, its material among them */
    for (uint32_t i = 0; i < w->design->layer_count; i++) {
        width += w->design->layers[i].width;
    }
    const uint64_t held = w->design->voxel_count * width;
    const uint64_t max = vxe_limit_for(VXE_LIMIT_NUMBERS, EMPTY_CELLS * held);
    return cells <= vxe_limit_for(VXE_LIMIT_CELLS, w->design->voxel_count) && cells <= max / width
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                                "the box around the voxels has %" PRIu64 " x %" PRIu64 " x %" PRIu64
                                " cells with %" PRIu64
                                " numbers each, which are too many for a VXA of %u voxels (the "
                                "bounds 'cells' and 'numbers' of 'voxelastic --limits')",
                                w->cells[0], w->cells[1], w->cells[2], width,
                                w->design->voxel_count);
}

/* Finds the workspace: from the corner of the lattice, or from lower voxels, to the last voxel.
   Empty layers below the voxels are part of it, since the floor is at its bottom. */
static vxe_status find_workspace(writer *w, vxe_error *error)
{
    uint64_t cells = 1;
    for (int c = 0; c < 3; c++) {
        w->low[c] = w->scan->low[c] < 0 ? w->scan->low[c] : 0;
        w->cells[c] = (uint64_t)((int64_t)w->scan->high[c] - w->low[c]) + 1;
        cells = cells > UINT32_MAX ? cells : cells * w->cells[c];
    }
    if (w->low[2] < 0 && w->design->floor.enabled) {
        return vxe_error_fill(error, VXE_ERROR_UNSUPPORTED,
                              "voxels lie %lld cells below the floor, which a VXA cannot express",
                              -(long long)w->low[2]);
    }
    return check_cell_count(w, cells, error);
}

/* Writes damping ratios, which a VXA has once: those of the first voxel's material. */
static void put_damping(const writer *w)
{
    VXE_ASSERT(w->design->voxel_count > 0);
    const vxe_material *m = &w->design->materials[w->design->voxels[0].material];
    fputs("<Damping>\n", w->out);
    put_tag(w, "BondDampingZ", m->bond_damping);
    put_tag(w, "ColDampingZ", m->collision_damping);
    put_tag(w, "SlowDampingZ", m->global_damping);
    fputs("</Damping>\n", w->out);
}

/* Whether a design is for voxcraft, with switches or without. */
static bool is_voxcraft(const vxe_design *design)
{
    return strncmp(design->written_for, "voxcraft", strlen("voxcraft")) == 0;
}

static void put_stop(const writer *w)
{
    const vxe_stop *stop = &w->design->stop;
    const int type = stop->duration > 0 ? 2 : stop->steps > 0 ? 1 : stop->periods > 0 ? 3 : 0;
    const double values[4] = {0, (double)stop->steps, stop->duration, stop->periods};
    fputs("<StopCondition>\n", w->out);
    fprintf(w->out, "<StopConditionType>%d</StopConditionType>\n", type);
    put_tag(w, "StopConditionValue", values[type]);
    put_tag(w, "InitCmTime", stop->settle_time);
    put_tag(w, "ActuationStartTime", w->design->actuation.start);
    if (stop->duration > 0 && is_voxcraft(w->design)) {
        /* the only condition that voxcraft reads */
        fputs("<StopConditionFormula>\n<mtSUB>\n<mtVAR>t</mtVAR>\n", w->out);
        put_tag(w, "mtCONST", stop->duration);
        fputs("</mtSUB>\n</StopConditionFormula>\n", w->out);
    }
    fputs("</StopCondition>\n", w->out);
}

static void put_simulator(const writer *w)
{
    const vxe_design *d = w->design;
    bool sticks = false;
    bool detaches = false;
    for (uint32_t i = 0; i < d->material_count; i++) {
        sticks = sticks || d->materials[i].sticky;
        detaches = detaches || (d->materials[i].sticky && d->materials[i].detach_stress > 0);
    }
    fputs("<Simulator>\n<Integration>\n<Integrator>0</Integrator>\n", w->out);
    put_tag(w, "DtFrac", d->time_step.fraction);
    fputs("</Integration>\n", w->out);
    put_damping(w);
    fputs("<Collisions>\n", w->out);
    put_flag(w, "SelfColEnabled", d->self_collision);
    fputs("</Collisions>\n<Features>\n", w->out);
    put_flag(w, "VolumeEffectsEnabled", d->volume_effects);
    fputs("</Features>\n", w->out);
    put_stop(w);
    if (sticks || is_voxcraft(d)) {
        fputs("<AttachDetach>\n", w->out);
        put_flag(w, "EnableCollision", d->self_collision);
        put_flag(w, "EnableAttach", sticks);
        put_flag(w, "EnableDetach", detaches);
        fputs("</AttachDetach>\n", w->out);
        /* without this flag, voxels of voxcraft only contract */
        put_flag(w, "EnableExpansion", d->actuation.max != 1);
    }
    fputs("</Simulator>\n", w->out);
}

/* Writes a boundary condition with its corners in parts of the workspace, and a part of its force.
 */
static void put_region(const writer *w, const vxe_region *region, const double low[3],
                       const double high[3], double share)
{
    const double edge = w->design->voxel_size;
    double largest = 0;
    fprintf(w->out, "<FRegion>\n<PrimType>%d</PrimType>\n",
            region->shape == VXE_REGION_VOXELS ? VXE_REGION_BOX : (int)region->shape);
    for (int c = 0; c < 3; c++) {
        const double workspace = (double)w->cells[c] * edge;
        largest = workspace > largest ? workspace : largest;
        const double numbers[VXE_REGION_NUMBERS] = {
            [VXE_REGION_CORNER] = (low[c] - w->low[c] * edge) / workspace,
            [VXE_REGION_EXTENT] = (high[c] - low[c]) / workspace,
            [VXE_REGION_FORCE] = share * region->force[c],
            [VXE_REGION_MOMENT] = share * region->moment[c],
            [VXE_REGION_DISPLACEMENT] = region->displacement[c],
            [VXE_REGION_ROTATION] = region->rotation[c]};
        for (int i = 0; i < VXE_REGION_NUMBERS; i++) {
            put_tag(w, vxe_vxa_region_tags[i][c], numbers[i]);
        }
    }
    put_tag(w, "Radius", region->radius / largest);
    fprintf(w->out, "<DofFixed>%" PRIu32 "</DofFixed>\n</FRegion>\n", region->fixed);
}

/* Writes a list of voxels as boxes, with the part of its force that their voxels have. */
static void put_list(const writer *w, uint32_t index)
{
    const vxe_region *region = &w->design->regions[index];
    for (uint32_t i = w->lists.first[index]; i < w->lists.first[index + 1]; i++) {
        const vxe_cell_box *box = &w->lists.boxes[i];
        double low[3];
        double high[3];
        for (int c = 0; c < 3; c++) {
            low[c] = (box->low[c] + MARGIN) * w->design->voxel_size;
            high[c] = (box->high[c] + 1.0 - MARGIN) * w->design->voxel_size;
        }
        put_region(w, region, low, high, (double)box->voxels / region->voxel_count);
    }
}

static void put_regions(const writer *w)
{
    const uint32_t regions = w->design->region_count;
    uint64_t count = w->lists.first[regions];
    for (uint32_t i = 0; i < regions; i++) {
        count += w->design->regions[i].shape != VXE_REGION_VOXELS;
    }
    fprintf(w->out, "<Boundary_Conditions>\n<NumBCs>%" PRIu64 "</NumBCs>\n", count);
    for (uint32_t i = 0; i < regions; i++) {
        const vxe_region *region = &w->design->regions[i];
        if (region->shape == VXE_REGION_VOXELS) {
            put_list(w, i);
        } else {
            put_region(w, region, region->low, region->high, 1);
        }
    }
    fputs("</Boundary_Conditions>\n", w->out);
}

static void put_gravity(const writer *w)
{
    const vxe_design *d = w->design;
    fputs("<Gravity>\n", w->out);
    put_flag(w, "GravEnabled", d->gravity[2] != 0);
    put_tag(w, "GravAcc", d->gravity[2]);
    put_flag(w, "FloorEnabled", d->floor.enabled);
    if (d->floor.slope[0] != 0) {
        put_tag(w, "FloorSlope", atan(d->floor.slope[0]) * DEGREES);
    }
    fputs("</Gravity>\n", w->out);
}

/* The amplitude by which the numbers of the layers become sizes: 1 + amplitude x. */
static double growth_amplitude(const writer *w)
{
    return w->design->actuation.room > 0 ? w->design->actuation.room : 1;
}

static void put_environment(const writer *w)
{
    const vxe_design *d = w->design;
    const vxe_actuation *heat = &d->actuation;
    fputs("<Environment>\n", w->out);
    if (w->life > 0) {
        put_tag(w, "GrowthAmplitude", growth_amplitude(w));
        put_tag(w, "MinGrowthTime", 0);
    } else if (heat->room > 0) {
        put_tag(w, "GrowthAmplitude", heat->room);
    }
    put_regions(w);
    put_gravity(w);
    if (d->floor.sticky) {
        put_flag(w, "StickyFloor", true);
    }
    if (d->floor.radius > 0) {
        put_tag(w, "FloorRadius", d->floor.radius);
    }
    if (d->fluid.enabled) {
        put_flag(w, "FluidEnvironment", true);
        put_tag(w, "AggregateDragCoefficient", 0.5 * d->fluid.density * d->fluid.drag_coefficient);
    }
    if (heat->max == 1) {
        put_flag(w, "ContractOnly", true);
    }
    if (heat->min == 1) {
        put_flag(w, "ExpandOnly", true);
    }
    fputs("<Thermal>\n", w->out);
    put_flag(w, "TempEnabled", heat->enabled);
    put_flag(w, "VaryTempEnabled", heat->enabled);
    put_tag(w, "TempBase", heat->base);
    put_tag(w, "TempAmp", heat->base + heat->amplitude); /* some simulators read the maximum, */
    put_tag(w, "TempAmplitude", heat->amplitude);        /* others the amplitude */
    put_tag(w, "TempPeriod", heat->period);
    fputs("</Thermal>\n</Environment>\n", w->out);
}

static void put_curve(const writer *w, const vxe_material *m)
{
    fprintf(w->out, "<SSData>\n<NumDataPts>%" PRIu32 "</NumDataPts>\n<StrainData>\n",
            m->curve_count);
    for (uint32_t i = 0; i < m->curve_count; i++) {
        put_tag(w, "Strain", m->curve_strain[i]);
    }
    fputs("</StrainData>\n<StressData>\n", w->out);
    for (uint32_t i = 0; i < m->curve_count; i++) {
        put_tag(w, "Stress", m->curve_stress[i]);
    }
    fputs("</StressData>\n</SSData>\n", w->out);
}

static void put_material(const writer *w, const vxe_material *m, uint32_t id)
{
    static const char *const colors[4] = {"Red", "Green", "Blue", "Alpha"};
    const bool lets_go = m->sticky && m->detach_stress > 0;
    fprintf(w->out, "<Material ID=\"%" PRIu32 "\">\n<MatType>0</MatType>\n", id);
    put_text(w, "Name", m->name);
    fputs("<Display>\n", w->out);
    for (int c = 0; c < 4; c++) {
        put_tag(w, colors[c], (double)m->color[c]);
    }
    fprintf(w->out, "</Display>\n<Mechanical>\n<MatModel>%d</MatModel>\n", (int)m->model);
    put_tag(w, "Elastic_Mod", m->youngs_modulus);
    put_tag(w, "Plastic_Mod", m->plastic_modulus);
    put_tag(w, "Yield_Stress", m->yield_stress);
    put_tag(w, "FailModel", m->fail_stress == 0 && m->fail_strain != 0 ? 1 : 0);
    put_tag(w, "Fail_Stress", lets_go ? m->detach_stress : m->fail_stress);
    put_tag(w, "Fail_Strain", m->fail_strain);
    put_tag(w, "Density", m->density);
    put_tag(w, "Poissons_Ratio", m->poissons_ratio);
    put_tag(w, "CTE", m->thermal_expansion);
    put_tag(w, "MaterialTempPhase", m->phase);
    put_tag(w, "uStatic", m->static_friction);
    put_tag(w, "uDynamic", m->dynamic_friction);
    if (m->sticky) {
        put_flag(w, "Sticky", true);
    }
    if (m->target) {
        put_flag(w, "isTarget", true);
    }
    if (m->unmeasured) {
        put_flag(w, "isMeasured", false);
    }
    if (m->model == VXE_MATERIAL_MEASURED) {
        put_curve(w, m);
    }
    fputs("</Mechanical>\n</Material>\n", w->out);
}

/* Calls put for each cell of the workspace in the order of the file, with the voxel in it or
 * VXE_NONE. */
static void walk_cells(const writer *w,
                       void (*put)(const writer *w, const vxe_layer *layer, uint64_t cell,
                                   uint32_t voxel),
                       const vxe_layer *layer)
{
    const vxe_voxel *voxels = w->design->voxels;
    uint32_t next = 0;
    for (uint64_t z = 0; z < w->cells[2]; z++) {
        fputs("<Layer><![CDATA[", w->out);
        for (uint64_t cell = 0; cell < w->cells[0] * w->cells[1]; cell++) {
            const uint32_t voxel = next < w->design->voxel_count ? w->scan->order[next] : VXE_NONE;
            const int32_t *at = voxel == VXE_NONE ? NULL : voxels[voxel].position;
            const bool here = at && at[0] - w->low[0] == (int64_t)(cell % w->cells[0]) &&
                              at[1] - w->low[1] == (int64_t)(cell / w->cells[0]) &&
                              at[2] - w->low[2] == (int64_t)z;
            put(w, layer, cell, here ? voxel : VXE_NONE);
            next += here;
        }
        fputs("]]></Layer>\n", w->out);
    }
    VXE_ASSERT(next == w->design->voxel_count);
}

static uint32_t id_at(const writer *w, uint32_t voxel)
{
    return voxel == VXE_NONE ? 0 : w->design->voxels[voxel].material + 1;
}

static void put_id(const writer *w, const vxe_layer *layer, uint64_t cell, uint32_t voxel)
{
    (void)layer;
    if (w->design->material_count <= MAX_CHARACTERS) {
        fputc((int)('0' + id_at(w, voxel)), w->out);
    } else {
        fprintf(w->out, "%s%" PRIu32, cell > 0 ? "," : "", id_at(w, voxel));
    }
}

/* Writes a byte for each cell in base64, three bytes as four letters. */
static void put_packed_id(const writer *w, const vxe_layer *layer, uint64_t cell, uint32_t voxel)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint64_t cells = w->cells[0] * w->cells[1];
    const uint32_t byte = (uint32_t)(cell % 3);
    (void)layer;
    VXE_ASSERT(id_at(w, voxel) <= MAX_BYTES);
    *w->bits = (byte == 0 ? 0 : *w->bits) | id_at(w, voxel) << 8 * (2 - byte);
    if (byte < 2 && cell + 1 < cells) {
        return;
    }
    for (uint32_t i = 0; i < 4; i++) {
        fputc(i <= byte + 1 ? digits[*w->bits >> 6 * (3 - i) & 63] : '=', w->out);
    }
}

/* Name of a layer in a VXA, and its numbers: offset + scale times ours. */
typedef struct translation {
    const char *ours, *theirs;
    double offset, scale;
} translation;

static translation translation_of(const writer *w, const char *name)
{
    const double by = 1 / growth_amplitude(w);
    const double settle = w->design->stop.settle_time;
    const translation growth[] = {
        {"InitialSize", "InitialVoxelSize", -by, by},
        {"FinalSize", "FinalVoxelSize", -by, by},
        {"GrowthStart", "StartGrowthTime", -settle / w->life, 1 / w->life},
        {"GrowthTime", "GrowthTime", 0, 1 / w->life}};
    for (size_t i = 0; i < sizeof growth / sizeof growth[0] && w->life > 0; i++) {
        if (strcmp(name, growth[i].ours) == 0) {
            return growth[i];
        }
    }
    if (strcmp(name, "Amplitude") == 0) {
        return (translation){name, "TempAmpDamp", 0, 1};
    }
    return (translation){name, name, 0, 1};
}

static void put_numbers(const writer *w, const vxe_layer *layer, uint64_t cell, uint32_t voxel)
{
    const translation said = translation_of(w, layer->name);
    (void)cell;
    for (uint32_t i = 0; i < layer->width; i++) {
        char text[40];
        const double value =
            voxel == VXE_NONE
                ? 0
                : said.offset + said.scale * layer->values[(uint64_t)voxel * layer->width + i];
        fputs(vxe_number_shortest(text, sizeof text, value), w->out);
        fputs(", ", w->out);
    }
}

/* Whether the name of a layer can be the name of a tag, and is not that of another tag in a
   structure. */
static bool can_be_tag(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char behind[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.-";
    return name[0] && strchr(letters, name[0]) && name[strspn(name, behind)] == '\0' &&
           strcmp(name, "Data") != 0;
}

static void put_structure(const writer *w)
{
    const vxe_design *d = w->design;
    const bool packed = d->material_count > MAX_CHARACTERS && d->material_count <= MAX_BYTES;
    fprintf(w->out,
            "<Structure Compression=\"%s\">\n<X_Voxels>%" PRIu64 "</X_Voxels>\n<Y_Voxels>%" PRIu64
            "</Y_Voxels>\n<Z_Voxels>%" PRIu64 "</Z_Voxels>\n<Data>\n",
            d->material_count <= MAX_CHARACTERS ? "ASCII_READABLE"
            : packed                            ? "BASE64"
                                                : "LONG_READABLE",
            w->cells[0], w->cells[1], w->cells[2]);
    walk_cells(w, packed ? put_packed_id : put_id, NULL);
    fputs("</Data>\n", w->out);
    for (uint32_t i = 0; i < d->layer_count; i++) {
        if (!can_be_tag(d->layers[i].name)) {
            continue;
        }
        const char *name = translation_of(w, d->layers[i].name).theirs;
        fprintf(w->out, "<%s>\n", name);
        walk_cells(w, put_numbers, &d->layers[i]);
        fprintf(w->out, "</%s>\n", name);
    }
    fputs("</Structure>\n", w->out);
}

static void put_object(const writer *w)
{
    fputs("<VXC Version=\"0.94\">\n<Lattice>\n", w->out);
    put_tag(w, "Lattice_Dim", w->design->voxel_size);
    fputs("</Lattice>\n<Voxel>\n<Vox_Name>BOX</Vox_Name>\n</Voxel>\n<Palette>\n", w->out);
    for (uint32_t i = 0; i < w->design->material_count; i++) {
        put_material(w, &w->design->materials[i], i + 1);
    }
    fputs("</Palette>\n", w->out);
    put_structure(w);
    fputs("</VXC>\n", w->out);
}

static void put_experiment(const writer *w)
{
    fputs("<VXA Version=\"1.1\">\n<Voxelastic>\n", w->out);
    put_text(w, "Conventions", w->design->written_for);
    fputs("</Voxelastic>\n", w->out);
    put_simulator(w);
    put_environment(w);
    put_object(w);
    fputs("</VXA>\n", w->out);
}

/* Writes a file whose content put writes. */
static vxe_status write_file(const vxe_design *design, const vxe_topology *scan, vxe_sink *sink,
                             void (*put)(const writer *w), vxe_error *error)
{
    uint32_t bits = 0;
    writer w = {.design = design, .scan = scan, .bits = &bits};
    vxe_file_writer file;
    const bool grows =
        vxe_design_find_layer(design, "InitialSize") || vxe_design_find_layer(design, "FinalSize");
    const double life = design->stop.duration - design->stop.settle_time;
    w.life = grows && life > 0 ? life : 0;
    vxe_status status = find_workspace(&w, error);
    if (!status && put == put_experiment) {
        status = vxe_list_boxes_init(&w.lists, design, scan, error);
    }
    status = status ? status : vxe_sink_begin(sink, &file, error);
    if (!status) {
        w.out = file.stream;
        fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", w.out);
        put(&w);
        status = vxe_file_commit(&file, error);
    }
    vxe_list_boxes_clear(&w.lists);
    return status;
}

vxe_status vxe_vxa_write(const vxe_design *design, const vxe_topology *scan, vxe_sink *sink,
                         vxe_error *error)
{
    return write_file(design, scan, sink, put_experiment, error);
}

vxe_status vxe_vxc_write(const vxe_design *design, const vxe_topology *scan, vxe_sink *sink,
                         vxe_error *error)
{
    return write_file(design, scan, sink, put_object, error);
}
