/* SPDX-License-Identifier: MIT */
/* Coefficients of bonds, from the materials of their voxels (docs/physics.md, Beam bonds, Two
   materials and Dashpots). The coefficients of a vector are a row; equal rows are stored once,
   so that a body of few materials reads them from the nearest cache. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/hash_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "engine/bonds/bonds.h"
#include "engine/core/unique_rows.h"
#include "engine/model/density.h"
#include "engine/model/model.h"
#include "engine/model/modulus.h"

/* Entries of the table of pairs of materials, moduli and densities. A pair finds its entry by a
   hash of its numbers and overwrites another one there: most designs have few pairs, and the table
   stays small for those that have many. */
enum { PAIRS = 4096 };

/* Bonds are proportional where their ratios differ by rounding only. */
#define PROPORTIONAL_WITHIN 1e-13

/* What the coefficients of a bond depend on: of its lower voxel, then of its upper one. */
typedef struct pair_key {
    uint32_t m1, m2;
    uint32_t shape; /* what Poisson's law depends on in addition: the axis, and the faces of both */
    double e1, e2;  /* Pa */
    double d1, d2;  /* kg/m^3; 0 without the layer Density, where the materials tell */
} pair_key;

typedef struct material_pair {
    bool known;
    pair_key key;
    double values[VXE_FREE_VALUES];
    uint32_t law; /* index of its yield law, or VXE_NONE where it neither yields nor breaks */
} material_pair;

typedef struct builder {
    vxe_model *model;
    const vxe_design *design;
    vxe_moduli moduli;
    vxe_densities densities;
    material_pair *pairs; /* (PAIRS) */
    double w2;            /* rad^2/s^2: w0 squared, the highest frequency of a single bond */
    bool any_bond;        /* whether there has been a bond so far */
    bool any_spring;
    bool any_dashpot;
    bool proportional;
    bool one_torsion; /* torsion is a fixed multiple of axial too */
    bool yields;      /* whether some material yields or breaks */
    bool short_of_memory;
    vxe_unique_rows rows;
    vxe_unique_rows laws;
} builder;

/* Accounts for a value that may be a fixed multiple of another one. */
static void account_ratio(bool *fixed, bool known, double *ratio, double value, double by)
{
    const double here = by > 0 ? value / by : 0;
    *ratio = known ? *ratio : here;
    *fixed = *fixed && fabs(here - *ratio) <= PROPORTIONAL_WITHIN * *ratio;
}

/* Accounts for a pair of materials that occurs. */
static void account_pair(builder *b, const vxe_material *first, const vxe_material *second,
                         const double *k)
{
    vxe_model *model = b->model;
    const double volume = model->edge * model->edge * model->edge;
    const double mass1 = first->density * volume;
    const double mass2 = second->density * volume;
    const double w2 = k[VXE_AXIAL] / (mass1 < mass2 ? mass1 : mass2);
    const double ratio = 0.5 * (first->bond_damping + second->bond_damping);
    vxe_bond_ratios *ratios = &model->arrays.ratios;
    model->min_ratio = ratio < model->min_ratio ? ratio : model->min_ratio;
    model->max_ratio = ratio > model->max_ratio ? ratio : model->max_ratio;
    b->w2 = w2 > b->w2 ? w2 : b->w2;
    b->proportional = b->proportional && k[VXE_COUPLE] == 0;
    const double spring = k[VXE_AXIAL];
    b->any_bond = true;
    if (spring > 0) { /* a bond without stiffness fits any ratio */
        const bool any = b->any_spring;
        account_ratio(&b->proportional, any, &ratios->shear, k[VXE_SHEAR], spring);
        account_ratio(&b->proportional, any, &ratios->bending, k[VXE_BENDING], spring);
        account_ratio(&b->one_torsion, any, &ratios->torsion, k[VXE_TORSION], spring);
        b->any_spring = true;
    }
    if (k[VXE_DASH_AXIAL] > 0) {
        const double dash = k[VXE_DASH_AXIAL];
        const bool any = b->any_dashpot;
        account_ratio(&b->proportional, any, &ratios->dash_shear, k[VXE_DASH_SHEAR], dash);
        account_ratio(&b->proportional, any, &ratios->dash_bending, k[VXE_DASH_BENDING], dash);
        account_ratio(&b->one_torsion, any, &ratios->dash_torsion, k[VXE_DASH_TORSION], dash);
        b->any_dashpot = true;
    }
}

static uint32_t place_of_pair(const pair_key *key, bool by_density)
{
    uint64_t bits[2];
    uint64_t start = 0;
    if (by_density) {
        memcpy(&bits[0], &key->d1, sizeof key->d1);
        memcpy(&bits[1], &key->d2, sizeof key->d2);
        start = vxe_hash_mix(vxe_hash_mix(bits[0]) + bits[1]);
    }
    memcpy(&bits[0], &key->e1, sizeof key->e1);
    memcpy(&bits[1], &key->e2, sizeof key->e2);
    const uint64_t first = vxe_hash_mix(start ^ bits[0] ^ key->m1 ^ (uint64_t)key->shape << 32);
    return (uint32_t)(vxe_hash_mix(first + (bits[1] ^ key->m2)) % PAIRS);
}

static bool same_pair(const pair_key *one, const pair_key *two)
{
    return one->m1 == two->m1 && one->m2 == two->m2 && one->e1 == two->e1 && one->e2 == two->e2 &&
           one->shape == two->shape && one->d1 == two->d1 && one->d2 == two->d2;
}

/* Index of a pair's yield law, or VXE_NONE. */
static uint32_t law_of(builder *b, const vxe_material *first, const vxe_material *second)
{
    if (!b->yields || !(vxe_material_yields(first) || vxe_material_yields(second))) {
        return VXE_NONE;
    }
    const vxe_yield_law law =
        vxe_yield_law_of(first, first->youngs_modulus, second, second->youngs_modulus,
                         b->model->conventions.yields_in_tension);
    const uint32_t place = vxe_unique_rows_add(&b->laws, &law);
    b->short_of_memory = b->short_of_memory || place == VXE_NONE;
    return place;
}

/* The axial spring of a bond; see VXE_LOWER_PART and VXE_AXIAL_BOUND. */
typedef struct axial_spring {
    double stiffness, bound, lower_part;
} axial_spring;

/* With Poisson's ratio a bond has the axial springs of its two voxels' halves, each with its
   part of the strain, 2 Ej/(Ei + Ej). */
static axial_spring axial_of(const builder *b, int axis, const uint32_t slots[2],
                             const double moduli[2], double stiffness)
{
    const double sum = moduli[0] + moduli[1];
    const double half_edge = 0.5 * b->model->edge;
    axial_spring spring = {stiffness, stiffness, sum > 0 ? 2 * moduli[1] / sum : 1};
    if (!b->model->poisson) {
        return spring;
    }
    spring.stiffness = spring.bound = 0;
    for (int end = 0; end < 2; end++) {
        const double part = end == 0 ? spring.lower_part : 2 - spring.lower_part;
        const vxe_poisson_law law = vxe_model_poisson_law(b->model, b->design, slots[end]);
        spring.stiffness += half_edge * part * part * law.along[axis];
        spring.bound += half_edge * part * part * law.bound[axis];
    }
    return spring;
}

static const material_pair *pair_of(builder *b, int axis, uint32_t lower, uint32_t upper)
{
    const vxe_model *model = b->model;
    const uint32_t v1 = model->topology.order[lower];
    const uint32_t v2 = model->topology.order[upper];
    VXE_ASSERT(lower < upper && upper < model->topology.voxel_count);
    const uint8_t *faces = model->topology.faces;
    const double *own = b->densities.layer;
    const pair_key key = {.m1 = b->design->voxels[v1].material,
                          .m2 = b->design->voxels[v2].material,
                          .e1 = vxe_voxel_modulus(&b->moduli, v1),
                          .e2 = vxe_voxel_modulus(&b->moduli, v2),
                          .d1 = own ? own[v1] : 0,
                          .d2 = own ? own[v2] : 0,
                          .shape = model->poisson ? 1u + (uint32_t)axis + 4u * faces[lower] +
                                                        256u * faces[upper] +
                                                        16384u * model->clamped_faces[lower] +
                                                        1048576u * model->clamped_faces[upper]
                                                  : 0};
    material_pair *pair = &b->pairs[place_of_pair(&key, own)];
    if (!pair->known || !same_pair(&pair->key, &key)) {
        vxe_material ends[2] = {b->design->materials[key.m1], b->design->materials[key.m2]};
        ends[0].youngs_modulus = key.e1;
        ends[1].youngs_modulus = key.e2;
        ends[0].density = vxe_voxel_density(&b->densities, v1);
        ends[1].density = vxe_voxel_density(&b->densities, v2);
        const vxe_material *first = &ends[0];
        const vxe_material *second = &ends[1];
        const double volume = model->edge * model->edge * model->edge;
        const double ratio = 0.5 * (first->bond_damping + second->bond_damping);
        vxe_bond_stiffness k = vxe_bond_stiffness_of(
            first, second, model->edge, model->conventions.torsion, model->composite, model->shear);
        const axial_spring axial = axial_of(b, axis, (const uint32_t[2]){lower, upper},
                                            (const double[2]){key.e1, key.e2}, k.axial);
        k.axial = axial.stiffness;
        const vxe_bond_dashpots c =
            vxe_bond_dashpots_of(&k, first->density * volume, second->density * volume, model->edge,
                                 ratio, model->damping_form);
        *pair = (material_pair){.known = true,
                                .key = key,
                                .values = {[VXE_AXIAL] = k.axial,
                                           [VXE_TORSION] = k.torsion,
                                           [VXE_DASH_AXIAL] = c.axial,
                                           [VXE_DASH_TORSION] = c.torsion,
                                           [VXE_SHEAR] = k.shear,
                                           [VXE_BENDING] = k.bending,
                                           [VXE_DASH_SHEAR] = c.shear,
                                           [VXE_DASH_BENDING] = c.bending,
                                           [VXE_COUPLE] = k.couple,
                                           [VXE_LOWER_PART] = axial.lower_part,
                                           [VXE_AXIAL_BOUND] = axial.bound},
                                .law = law_of(b, first, second)};
        VXE_ASSERT(k.axial >= 0 && c.axial >= 0 && axial.lower_part >= 0 && axial.lower_part <= 2);
        account_pair(b, first, second, pair->values);
    }
    return pair;
}

/* Number of stages of stiffness whose coefficients are kept: the stiffest, and both ends where
   stiffness changes. */
static int stages_of(const builder *b)
{
    return b->moduli.last ? VXE_STIFFNESS_STAGES : 1;
}

/* Visits all bonds, to find out which coefficients rows must hold. */
static void survey(builder *b)
{
    vxe_model *model = b->model;
    b->proportional = true;
    b->one_torsion = true;
    model->min_ratio = HUGE_VAL;
    for (int i = 0; i < 3 * stages_of(b); i++) {
        const int axis = i % 3;
        b->moduli.stage = (vxe_stiffness_stage)(i / 3);
        for (uint32_t slot = 0; slot < model->topology.voxel_count; slot++) {
            const uint32_t upper = model->topology.up[axis][slot];
            if (upper != VXE_NONE) {
                pair_of(b, axis, slot, upper);
            }
        }
    }
    model->min_ratio = b->any_bond ? model->min_ratio : 0;
    model->w0 = sqrt(b->w2);
    vxe_bond_ratios *ratios = &model->arrays.ratios;
    /* one kernel serves all bonds that are not simply elastic */
    b->proportional = b->proportional && !b->yields && !model->poisson;
    const bool even = b->proportional && b->one_torsion && !model->conventions.voxelyze_dashpots &&
                      fabs(ratios->shear - 1) <= PROPORTIONAL_WITHIN &&
                      (!b->any_dashpot || fabs(ratios->dash_shear - 1) <= PROPORTIONAL_WITHIN);
    model->arrays.row_values = even              ? VXE_EVEN_VALUES
                               : b->proportional ? VXE_PROPORTIONAL_VALUES
                                                 : VXE_FREE_VALUES;
    if (even) {
        ratios->shear = 1;
        ratios->dash_shear = 1;
    }
}

/* Writes a bond's coefficients at the builder's stage into its lane of a row. */
static void fill_lane(builder *b, int axis, uint32_t lower, uint32_t upper, double *lane)
{
    const material_pair *pair = pair_of(b, axis, lower, upper);
    for (uint32_t c = 0; c < b->model->arrays.row_values; c++) {
        lane[c * VXE_VECTOR] = pair->values[c];
    }
    if (b->yields) {
        b->model->yield.law_of[axis][lower] = pair->law;
    }
}

/* Writes the row of a vector of consecutive slots. */
static void fill_row(builder *b, int axis, uint32_t vector, double *row)
{
    VXE_ASSERT(vector < b->model->arrays.bonds[axis].count);
    const vxe_bond_vectors *bonds = &b->model->arrays.bonds[axis];
    for (uint32_t lane = 0; lane < VXE_VECTOR; lane++) {
        if (bonds->present[vector] >> lane & 1) {
            fill_lane(b, axis, bonds->lower[vector] + lane, bonds->upper[vector] + lane,
                      row + lane);
        }
    }
}

/* Writes the row of a vector of packed bonds. */
static void fill_packed_row(builder *b, int axis, uint32_t vector, double *row)
{
    VXE_ASSERT(vector < b->model->arrays.packed[axis].count &&
               b->model->arrays.packed[axis].lanes[vector] <= VXE_VECTOR);
    const vxe_packed_bonds *packed = &b->model->arrays.packed[axis];
    const uint64_t at = (uint64_t)vector * VXE_VECTOR;
    for (uint32_t lane = 0; lane < packed->lanes[vector]; lane++) {
        fill_lane(b, axis, packed->lower[vector] + packed->lower_at[at + lane],
                  packed->upper[vector] + packed->upper_at[at + lane], row + lane);
    }
}

typedef void (*row_filler)(builder *b, int axis, uint32_t vector, double *row);

/* Finds the rows of vectors. A row holds all stages one after another, so that vectors share it
   only where all of them are equal. */
static vxe_status fill_rows(builder *b, int axis, row_filler fill, uint32_t count, uint32_t *rows,
                            vxe_error *error)
{
    VXE_ASSERT(b->model->arrays.row_values > 0 && b->model->arrays.row_values <= VXE_FREE_VALUES);
    const uint32_t values = b->model->arrays.row_values * VXE_VECTOR;
    for (uint32_t vector = 0; vector < count; vector++) {
        double row[VXE_STIFFNESS_STAGES * VXE_FREE_VALUES * VXE_VECTOR] = {0};
        for (int stage = 0; stage < stages_of(b); stage++) {
            b->moduli.stage = (vxe_stiffness_stage)stage;
            fill(b, axis, vector, row + (uint32_t)stage * values);
        }
        rows[vector] = vxe_unique_rows_add(&b->rows, row);
        if (rows[vector] == VXE_NONE) {
            return vxe_error_memory(error, 2ull * b->rows.capacity * sizeof row);
        }
    }
    return VXE_OK;
}

/* Packs bonds where the kernels of their law support packed bonds. */
static vxe_status pack_axis(builder *b, int axis, vxe_error *error)
{
    vxe_model *model = b->model;
    vxe_packed_bonds *packed = &model->arrays.packed[axis];
    const bool simple = !b->yields && !model->poisson && !model->bars &&
                        !model->conventions.voxelyze_dashpots &&
                        model->conventions.law == VXE_LAW_MID_FRAME;
    if (!simple || !vxe_packed_runs(model->kernels, VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS)) {
        return VXE_OK;
    }
    const vxe_packing packing = {VXE_VECTOR, model->arrays.bonds[axis].count / VXE_PACKED_COST};
    const vxe_status status =
        vxe_packed_init(packed, &model->chunks, &model->topology, axis, &packing, error);
    return status ? status : fill_rows(b, axis, fill_packed_row, packed->count, packed->row, error);
}

static vxe_status fill_axes(builder *b, vxe_error *error)
{
    const uint64_t values = (uint64_t)b->model->arrays.row_values * VXE_VECTOR;
    vxe_status status = VXE_OK;
    vxe_unique_rows_begin(&b->rows, (uint64_t)stages_of(b) * values * sizeof(double));
    for (int axis = 0; axis < 3 && !status; axis++) {
        const vxe_bond_vectors *bonds = &b->model->arrays.bonds[axis];
        status = fill_rows(b, axis, fill_row, bonds->count, bonds->row, error);
        status = status ? status : pack_axis(b, axis, error);
    }
    return status;
}

static vxe_status take_laws(vxe_model *model, vxe_error *error)
{
    for (int axis = 0; axis < 3; axis++) {
        uint32_t *law_of_slot = vxe_memory_take(model->slots, sizeof *law_of_slot);
        if (!law_of_slot) {
            return vxe_error_memory(error, 4ull * model->slots);
        }
        for (uint32_t slot = 0; slot < model->slots; slot++) {
            law_of_slot[slot] = VXE_NONE;
        }
        model->yield.law_of[axis] = law_of_slot;
    }
    return VXE_OK;
}

/* Separates the rows of the stages into one array each. */
static vxe_status part_stages(vxe_model *model, vxe_error *error)
{
    VXE_ASSERT(model->rows && !model->stiffening);
    const size_t values = (size_t)model->arrays.row_values * VXE_VECTOR;
    const vxe_precision precision = model->precision;
    vxe_reals *stage[VXE_STIFFNESS_STAGES];
    bool complete = true;
    for (int i = 0; i < VXE_STIFFNESS_STAGES; i++) {
        stage[i] = vxe_memory_take(model->row_count * values, vxe_real_bytes(precision));
        complete = complete && stage[i];
    }
    for (uint32_t row = 0; row < model->row_count && complete; row++) {
        for (int i = 0; i < VXE_STIFFNESS_STAGES; i++) {
            const size_t from = (VXE_STIFFNESS_STAGES * row + (size_t)i) * values;
            memcpy(vxe_reals_at(precision, stage[i], row * values),
                   vxe_reals_at(precision, model->rows, from), values * vxe_real_bytes(precision));
        }
    }
    vxe_memory_release(model->rows);
    model->rows = stage[VXE_STIFFNESS_MAX];
    model->stiffening = vxe_memory_take(1, sizeof *model->stiffening);
    if (!model->stiffening) {
        vxe_memory_release(stage[VXE_STIFFNESS_FIRST]);
        vxe_memory_release(stage[VXE_STIFFNESS_LAST]);
        return vxe_error_memory(error, sizeof *model->stiffening);
    }
    model->stiffening->rows[0] = stage[VXE_STIFFNESS_FIRST];
    model->stiffening->rows[1] = stage[VXE_STIFFNESS_LAST];
    return complete ? VXE_OK : vxe_error_memory(error, 24 * model->row_count * values);
}

vxe_status vxe_model_fill_bonds(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    VXE_ASSERT(model->chunks.chunk_first && !model->rows);
    builder b = {.model = model,
                 .design = design,
                 .moduli = vxe_bond_moduli_of(design, &model->conventions),
                 .densities = vxe_densities_of(design)};
    b.pairs = vxe_memory_take(PAIRS, sizeof *b.pairs);
    if (!b.pairs) {
        return vxe_error_memory(error, PAIRS * sizeof *b.pairs);
    }
    const bool may_yield = !model->bars && model->conventions.law != VXE_LAW_EVOSORO;
    for (uint32_t v = 0; v < design->voxel_count && may_yield && !b.yields; v++) {
        b.yields = vxe_material_yields(&design->materials[design->voxels[v].material]);
    }
    vxe_unique_rows_begin(&b.laws, sizeof(vxe_yield_law));
    vxe_status status = b.yields ? take_laws(model, error) : VXE_OK;
    if (!status) {
        survey(&b);
        status = fill_axes(&b, error);
    }
    if (!status && b.short_of_memory) {
        status = vxe_error_memory(error, 2ull * b.laws.capacity * sizeof(vxe_yield_law));
    }
    vxe_memory_release(b.pairs);
    model->yield.law_count = b.laws.count;
    model->yield.laws = vxe_unique_rows_take(&b.laws);
    model->row_count = b.rows.count;
    model->rows = vxe_unique_rows_take(&b.rows);
    if (!status && b.moduli.last) {
        status = part_stages(model, error);
    }
    model->arrays.rows = model->rows;
    return status;
}

bool vxe_model_breaks(const vxe_model *model)
{
    bool breaks = false;
    for (uint32_t i = 0; i < model->yield.law_count; i++) {
        const vxe_yield_law *law = &model->yield.laws[i];
        breaks = breaks || isfinite(law->fail_stress) || isfinite(law->fail_strain);
    }
    return breaks;
}
