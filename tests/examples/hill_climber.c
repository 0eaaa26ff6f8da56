/* SPDX-License-Identifier: MIT */
/* Evolution in a program of one's own: a (1 + 16) strategy over bodies of 4 x 4 x 4 cells made of
 * two muscles in antiphase, tissue, or nothing. All bodies of a generation run in one batch; a
 * formula in the design gives the fitness. */
#include <stdio.h>
#include <string.h>
#include <voxelastic/voxelastic.h>

#define CELLS 64
#define CHILDREN 16
#define GENERATIONS 15

/* xorshift64* (Vigna2016); any random numbers will do. */
static unsigned draw(uint64_t *state, unsigned count)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (unsigned)(*state * 2685821657736338717u >> 33) % count;
}

/* A body of cells 0 (nothing) to 3 that walks for two seconds. */
static vxe_design *make_body(const unsigned char *cells, vxe_error *error)
{
    vxe_material m = vxe_material_default();
    vxe_design *design = vxe_design_create();
    vxe_status status = design ? VXE_OK : VXE_ERROR_MEMORY;
    m.youngs_modulus = 1e6; /* Pa */
    m.density = 1000;       /* kg/m^3 */
    m.bond_damping = 1;
    m.static_friction = 1;
    m.dynamic_friction = 0.5;
    for (int i = 0; i < 3 && !status; i++) {
        m.thermal_expansion = i == 0 ? 0.01 : i == 1 ? -0.01 : 0;
        status = vxe_design_add_material(design, &m, NULL, error);
    }
    for (int i = 0; i < CELLS && !status; i++) {
        if (cells[i] > 0) {
            status = vxe_design_add_voxel(design, i % 4, i / 4 % 4, i / 16, cells[i] - 1u, error);
        }
    }
    status = status ? status
                    : vxe_design_set_formula(design, VXE_FORMULA_FITNESS, "sqrt(x*x + y*y)", error);
    if (status) {
        vxe_design_destroy(design);
        return NULL;
    }
    design->actuation = (vxe_actuation){.enabled = true, .amplitude = 14, .period = 0.25};
    design->stop = (vxe_stop){.duration = 2, .settle_time = 0.4};
    return design;
}

/* Runs the children; the best replaces the parent if it is better. */
static vxe_status step(unsigned char parent[CELLS], double *fitness, uint64_t *random,
                       vxe_error *error)
{
    static unsigned char cells[CHILDREN][CELLS];
    vxe_design *bodies[CHILDREN] = {NULL};
    vxe_batch_def def = vxe_batch_def_default();
    vxe_batch *batch = vxe_batch_create(&def, error);
    vxe_status status = batch ? VXE_OK : error->status;
    for (int k = 0; k < CHILDREN && !status; k++) {
        do {
            memcpy(cells[k], parent, CELLS);
            for (int change = 0; change < 4; change++) {
                cells[k][draw(random, CELLS)] = (unsigned char)draw(random, 4);
            }
        } while (memchr(cells[k], 0, CELLS) && !memcmp(cells[k], cells[k] + 1, CELLS - 1));
        bodies[k] = make_body(cells[k], error);
        status = bodies[k] ? vxe_batch_add(batch, bodies[k], error) : error->status;
    }
    status = status ? status : vxe_batch_run(batch, NULL, NULL, error);
    for (uint32_t k = 0; k < CHILDREN && !status; k++) {
        const vxe_batch_result result = vxe_batch_result_of(batch, k);
        if (result.status == VXE_ROBOT_DONE && result.fitness > *fitness) {
            *fitness = result.fitness;
            memcpy(parent, cells[k], CELLS);
        }
    }
    vxe_batch_destroy(batch);
    for (int k = 0; k < CHILDREN; k++) {
        vxe_design_destroy(bodies[k]);
    }
    return status;
}

int main(void)
{
    unsigned char best[CELLS];
    uint64_t random = 1;
    double fitness = -1;
    vxe_error error;
    char text[VXE_ERROR_TEXT];
    for (int i = 0; i < CELLS; i++) {
        best[i] = (unsigned char)draw(&random, 4);
    }
    for (int generation = 0; generation < GENERATIONS; generation++) {
        if (step(best, &fitness, &random, &error)) {
            return fprintf(stderr, "%s\n", vxe_error_text(&error, text, sizeof text)), 1;
        }
    }
    vxe_design *champion = make_body(best, &error);
    if (!champion || vxe_design_write(champion, "champion.json", &error)) {
        return fprintf(stderr, "%s\n", vxe_error_text(&error, text, sizeof text)), 1;
    }
    printf("%d bodies; the best walks %.3g m in 1.6 s: voxelastic run champion.json\n",
           CHILDREN * GENERATIONS, fitness);
    vxe_design_destroy(champion);
    return 0;
}
