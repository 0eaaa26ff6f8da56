/* SPDX-License-Identifier: MIT */
/* A thousand robots in one batch: the quadruped with a thousand different sets of leg phases. */
#include <stdio.h>
#include <voxelastic/voxelastic.h>

#define ROBOTS 1000

/* Adds a phase offset to each leg (cycles), by the voxels' quarter of the body. */
static void shift_phases(vxe_design *design, const double legs[4])
{
    vxe_layer *phase = vxe_design_layer(design, "PhaseOffset", 1);
    int32_t max[2] = {0, 0};
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        for (int c = 0; c < 2; c++) {
            const int32_t at = design->voxels[v].position[c];
            max[c] = at > max[c] ? at : max[c];
        }
    }
    for (uint32_t v = 0; phase && v < design->voxel_count; v++) {
        const int32_t *at = design->voxels[v].position;
        phase->values[v] += legs[2 * (2 * at[0] > max[0]) + (2 * at[1] > max[1])];
    }
}

int main(void)
{
    vxe_error error;
    char text[VXE_ERROR_TEXT];
    static vxe_design *robots[ROBOTS];
    vxe_batch_def def = vxe_batch_def_default();
    vxe_design *quadruped = vxe_design_read("assets/quadruped.vxa", &error);
    vxe_batch *batch = NULL;
    def.duration = 1; /* s */
    batch = quadruped ? vxe_batch_create(&def, &error) : NULL;
    vxe_status status = batch ? VXE_OK : error.status;
    for (int i = 0; i < ROBOTS && !status; i++) {
        const double legs[4] = {0, i % 10 * 0.1, i / 10 % 10 * 0.1, i / 100 * 0.1};
        robots[i] = vxe_design_copy(quadruped, &error);
        if (robots[i]) {
            shift_phases(robots[i], legs);
        }
        status = robots[i] ? vxe_batch_add(batch, robots[i], &error) : error.status;
    }
    status = status ? status : vxe_batch_run(batch, NULL, NULL, &error);
    if (status) {
        return fprintf(stderr, "%s\n", vxe_error_text(&error, text, sizeof text)), 1;
    }
    uint32_t best = 0;
    uint32_t done = 0;
    for (uint32_t i = 0; i < ROBOTS; i++) {
        const vxe_batch_result one = vxe_batch_result_of(batch, i);
        const vxe_batch_result other = vxe_batch_result_of(batch, best);
        done += one.status == VXE_ROBOT_DONE;
        best = one.status == VXE_ROBOT_DONE && one.displacement > other.displacement ? i : best;
    }
    const vxe_batch_result result = vxe_batch_result_of(batch, best);
    printf("%u of %d ran; robot %u came farthest, %.3g m in %g s\n", done, ROBOTS, best,
           result.displacement, result.time);
    vxe_batch_destroy(batch);
    for (int i = 0; i < ROBOTS; i++) {
        vxe_design_destroy(robots[i]);
    }
    vxe_design_destroy(quadruped);
    return 0;
}
