/* SPDX-License-Identifier: MIT */
/* From a genome to a design: blueprint, symmetry, connected pieces, constraints, voxels. A body
   that is given skips all but the last. */
#include "common/assert_internal.h"
#include "evolution/genomes/development_internal.h"

#include <stddef.h>

#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"

/* Memory for the development of a genome. */
typedef struct workplace {
    const vxe_experiment *experiment;
    vxe_blueprint blueprint;
    double *workspace; /* for the encoding */
    uint32_t *piece;   /* (cells) number of the connected piece; 0: none yet */
    uint32_t *waiting; /* (cells) queue of the flood fill */
} workplace;

static vxe_status take(workplace *w, const vxe_experiment *e, const vxe_genome *genome,
                       vxe_error *error)
{
    const uint64_t cells = vxe_cell_count(e);
    const uint64_t workspace = vxe_encoding_of(e)->workspace(e, genome);
    vxe_blueprint *blueprint = &w->blueprint;
    *w = (workplace){.experiment = e, .blueprint.cells = (uint32_t)cells};
    blueprint->material = vxe_memory_take(cells, sizeof *blueprint->material);
    blueprint->phase = vxe_memory_take(cells, sizeof *blueprint->phase);
    blueprint->stiffness = vxe_memory_take(cells, sizeof *blueprint->stiffness);
    w->workspace = vxe_memory_take(workspace, sizeof *w->workspace);
    w->piece = vxe_memory_take(cells, sizeof *w->piece);
    w->waiting = vxe_memory_take(cells, sizeof *w->waiting);
    return blueprint->material && blueprint->phase && blueprint->stiffness && w->workspace &&
                   w->piece && w->waiting
               ? VXE_OK
               : vxe_error_memory(error, cells * 28 + workspace * sizeof(double));
}

static void release(workplace *w)
{
    vxe_memory_release(w->blueprint.material);
    vxe_memory_release(w->blueprint.phase);
    vxe_memory_release(w->blueprint.stiffness);
    vxe_memory_release(w->workspace);
    vxe_memory_release(w->piece);
    vxe_memory_release(w->waiting);
}

static void cell_at(const vxe_experiment *e, uint32_t cell, uint32_t at[3])
{
    at[0] = cell % e->size[0];
    at[1] = cell / e->size[0] % e->size[1];
    at[2] = cell / (e->size[0] * e->size[1]);
}

static uint32_t cell_of(const vxe_experiment *e, const uint32_t at[3])
{
    VXE_ASSERT(at[0] < e->size[0] && at[1] < e->size[1] && at[2] < e->size[2]);
    return (at[2] * e->size[1] + at[1]) * e->size[0] + at[0];
}

/* Mirrors the half with the lower coordinates onto the other. */
static void mirror(workplace *w)
{
    const vxe_experiment *e = w->experiment;
    const uint32_t symmetry = e->encoding.symmetry;
    const bool mirrors[2] = {symmetry == VXE_SYMMETRY_X || symmetry == VXE_SYMMETRY_XY,
                             symmetry == VXE_SYMMETRY_Y || symmetry == VXE_SYMMETRY_XY};
    for (uint32_t i = 0; i < w->blueprint.cells; i++) {
        uint32_t at[3];
        cell_at(e, i, at);
        for (int c = 0; c < 2; c++) {
            const uint32_t other = e->size[c] - 1 - at[c];
            at[c] = mirrors[c] && other < at[c] ? other : at[c];
        }
        const uint32_t from = cell_of(e, at);
        w->blueprint.material[i] = w->blueprint.material[from];
        w->blueprint.phase[i] = w->blueprint.phase[from];
        w->blueprint.stiffness[i] = w->blueprint.stiffness[from];
    }
}

/* Gives all cells connected to `first` a number (flood fill). Returns how many there are. */
static uint32_t number_piece(workplace *w, uint32_t first, uint32_t number)
{
    VXE_ASSERT(w->blueprint.material[first] && !w->piece[first] && number > 0);
    const vxe_experiment *e = w->experiment;
    uint32_t count = 1;
    w->piece[first] = number;
    w->waiting[0] = first;
    for (uint32_t next = 0; next < count; next++) {
        for (uint32_t way = 0; way < 6; way++) {
            uint32_t at[3];
            cell_at(e, w->waiting[next], at);
            const uint32_t axis = way / 2;
            at[axis] += way % 2 ? 1 : UINT32_MAX; /* below 0 this wraps to an index outside the
                                                     box */
            const uint32_t cell = at[axis] < e->size[axis] ? cell_of(e, at) : 0;
            if (at[axis] < e->size[axis] && w->blueprint.material[cell] && !w->piece[cell]) {
                w->piece[cell] = number;
                w->waiting[count++] = cell;
            }
        }
    }
    return count;
}

/* Empties all cells outside the largest piece (the first of equal ones), unless all pieces are
   kept. Returns the number of pieces. */
static uint32_t keep_largest(workplace *w)
{
    const bool all = w->experiment->constraints.pieces == VXE_PIECES_ALL;
    uint32_t pieces = 0;
    uint32_t largest = 0;
    uint32_t max = 0;
    for (uint32_t i = 0; i < w->blueprint.cells; i++) {
        if (w->blueprint.material[i] && !w->piece[i]) {
            const uint32_t count = number_piece(w, i, ++pieces);
            largest = count > max ? pieces : largest;
            max = count > max ? count : max;
        }
    }
    for (uint32_t i = 0; i < w->blueprint.cells; i++) {
        w->blueprint.material[i] = all || w->piece[i] == largest ? w->blueprint.material[i] : 0;
    }
    return pieces;
}

/* Measures the body. Returns its lowest layer. */
static uint32_t measure(const workplace *w, vxe_phenotype *phenotype)
{
    const vxe_experiment *e = w->experiment;
    uint32_t low[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    uint32_t high[3] = {0, 0, 0};
    for (uint32_t i = 0; i < w->blueprint.cells; i++) {
        const uint32_t material = w->blueprint.material[i];
        if (material) {
            uint32_t at[3];
            cell_at(e, i, at);
            phenotype->voxels++;
            phenotype->actuated += e->world->materials[material - 1].thermal_expansion != 0;
            for (int c = 0; c < 3; c++) {
                low[c] = at[c] < low[c] ? at[c] : low[c];
                high[c] = at[c] > high[c] ? at[c] : high[c];
            }
        }
    }
    for (int c = 0; c < 3 && phenotype->voxels > 0; c++) {
        phenotype->extent[c] = high[c] - low[c] + 1;
    }
    return low[2];
}

static bool is_allowed(const vxe_experiment *e, const vxe_phenotype *phenotype, uint32_t pieces)
{
    const vxe_constraint_settings *c = &e->constraints;
    return phenotype->voxels >= c->min_voxels &&
           phenotype->actuated >= c->min_actuated * phenotype->voxels &&
           (pieces == 1 || c->pieces != VXE_PIECES_REJECT);
}

/* Stiffness (Pa) at a part of the logarithmic range. */
static double stiffness_of(const vxe_encoding_settings *encoding, double part)
{
    VXE_ASSERT(encoding->min_stiffness > 0 && part >= 0 && part <= 1);
    const double min = vxe_logarithm(encoding->min_stiffness);
    const double max = vxe_logarithm(encoding->max_stiffness);
    return vxe_exponential(min + part * (max - min));
}

/* Adds a layer to the design. */
static vxe_status take_layer(vxe_design *design, const char *name, double **values,
                             vxe_error *error)
{
    const vxe_layer *layer = vxe_design_layer(design, name, 1);
    *values = layer ? layer->values : NULL;
    return layer ? VXE_OK : vxe_error_memory(error, design->voxel_count * sizeof **values);
}

/* Adds the cells as voxels, the lowest on the floor. */
static vxe_status build(const workplace *w, uint32_t lowest, vxe_design *design, vxe_error *error)
{
    const vxe_experiment *e = w->experiment;
    const vxe_blueprint *blueprint = &w->blueprint;
    const bool stiff = e->encoding.max_stiffness > 0;
    const uint32_t first = design->voxel_count; /* an object may be there already */
    vxe_status status = VXE_OK;
    for (uint32_t i = 0; i < blueprint->cells && !status; i++) {
        uint32_t at[3];
        cell_at(e, i, at);
        if (blueprint->material[i]) {
            status =
                vxe_design_add_voxel(design, (int32_t)at[0], (int32_t)at[1],
                                     (int32_t)(at[2] - lowest), blueprint->material[i] - 1, error);
        }
    }
    double *phase = NULL;
    double *stiffness = NULL;
    status =
        status || !e->encoding.phase ? status : take_layer(design, "PhaseOffset", &phase, error);
    status = status || !stiff ? status : take_layer(design, "Stiffness", &stiffness, error);
    for (uint32_t v = 0; v < first && stiffness; v++) {
        stiffness[v] = design->materials[design->voxels[v].material].youngs_modulus;
    }
    uint32_t v = first;
    for (uint32_t i = 0; i < blueprint->cells && !status; i++) {
        if (blueprint->material[i]) {
            if (phase) {
                phase[v] = blueprint->phase[i];
            }
            if (stiffness) {
                stiffness[v] = stiffness_of(&e->encoding, blueprint->stiffness[i]);
            }
            v++;
        }
    }
    VXE_ASSERT(status || v == design->voxel_count);
    return status;
}

/* Copies a given body and applies the genome to it. */
static vxe_status apply(const vxe_experiment *e, const vxe_genome *genome, vxe_phenotype *phenotype,
                        vxe_error *error)
{
    phenotype->design = vxe_design_copy(e->ground, error);
    vxe_status status = phenotype->design
                            ? vxe_encoding_of(e)->apply(e, genome, phenotype->design, error)
                            : VXE_ERROR_MEMORY;
    status = status ? status : vxe_network_install(e, genome, phenotype->design, error);
    phenotype->voxels = e->world->voxel_count;
    for (uint32_t v = 0; v < phenotype->voxels; v++) {
        const vxe_material *m = &e->world->materials[e->world->voxels[v].material];
        phenotype->actuated += m->thermal_expansion != 0;
    }
    for (int c = 0; c < 3; c++) {
        phenotype->extent[c] = e->size[c];
    }
    phenotype->hash = status ? 0 : vxe_design_hash(phenotype->design);
    return status;
}

vxe_status vxe_develop(const vxe_experiment *e, const vxe_genome *genome, vxe_phenotype *phenotype,
                       vxe_error *error)
{
    workplace w;
    *phenotype = (vxe_phenotype){0};
    VXE_ASSERT(vxe_encoding_of(e)->valid(e, genome));
    if (vxe_encoding_of(e)->apply) {
        const vxe_status applied = apply(e, genome, phenotype, error);
        if (applied) {
            vxe_phenotype_clear(phenotype);
        }
        return applied;
    }
    vxe_status status = take(&w, e, genome, error);
    if (!status) {
        vxe_encoding_of(e)->express(e, genome, &w.blueprint, w.workspace);
        mirror(&w);
        const uint32_t pieces = keep_largest(&w);
        phenotype->lowest = measure(&w, phenotype);
        if (is_allowed(e, phenotype, pieces)) {
            phenotype->design = vxe_design_copy(e->ground, error);
            status = phenotype->design ? build(&w, phenotype->lowest, phenotype->design, error)
                                       : VXE_ERROR_MEMORY;
            status = status ? status : vxe_network_install(e, genome, phenotype->design, error);
            phenotype->hash = status ? 0 : vxe_design_hash(phenotype->design);
        }
    }
    release(&w);
    if (status) {
        vxe_phenotype_clear(phenotype);
    }
    return status;
}

void vxe_phenotype_clear(vxe_phenotype *phenotype)
{
    vxe_design_destroy(phenotype->design);
    *phenotype = (vxe_phenotype){0};
}
