/* SPDX-License-Identifier: MIT */
/* Sixteen robots in closed loop, each with a policy of its own: a block of two by two columns,
 * whose targets follow the clock and the speed that the robot feels. A hill climber on the numbers
 * of the policies keeps the best one and tries variations of it. */
#include <stdio.h>
#include <string.h>
#include <voxelastic/voxelastic.h>

#define ROBOTS 16
#define GROUPS 4
#define TICKS 180 /* of 1/60 s */
#define GENERATIONS 8
#define NUMBERS (3 * GROUPS) /* of a policy: for each group a part of sine, cosine and speed */

/* A number from -1 to 1; the same sequence on every machine. */
static float draw(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (float)(*seed >> 8) / 8388608.0f - 1;
}

static vxe_design *make_block(vxe_error *error)
{
    vxe_material flesh = vxe_material_default();
    vxe_design *design = vxe_design_create();
    vxe_status status = design ? VXE_OK : VXE_ERROR_MEMORY;
    flesh.youngs_modulus = 2e5; /* Pa */
    flesh.density = 1000;       /* kg/m^3 */
    flesh.bond_damping = 0.3;
    status = status ? status : vxe_design_add_material(design, &flesh, NULL, error);
    for (int i = 0; i < 6 * 2 * 3 && !status; i++) {
        status = vxe_design_add_voxel(design, i % 6, i / 6 % 2, i / 12, 0, error);
    }
    if (!status) {
        design->actuation = (vxe_actuation){.enabled = true, .period = 0.5}; /* of the clock */
    }
    vxe_layer *group = status ? NULL : vxe_design_layer(design, "Group", 1);
    for (uint32_t v = 0; group && v < design->voxel_count; v++) {
        group->values[v] = design->voxels[v].position[0] * GROUPS / 6;
    }
    return group ? design : NULL;
}

/* A target stays between 0.7 and 1.3, whatever the policy says. */
static float target_of(const float *policy, const float *seen)
{
    const float sum = policy[0] * seen[4] + policy[1] * seen[5] + policy[2] * seen[0];
    return 1 + 0.3f * sum / (1 + (sum < 0 ? -sum : sum));
}

/* Runs a generation from the start; fills how far each robot came in x (m). */
static vxe_status walk(vxe_team *team, float policies[ROBOTS][NUMBERS], double way[ROBOTS],
                       vxe_error *error)
{
    float seen[ROBOTS][6]; /* velocity, then the clock */
    float targets[ROBOTS][GROUPS];
    double from[ROBOTS];
    double at[3];
    vxe_status status = vxe_team_reset(team, NULL, NULL, seen[0], error);
    for (uint32_t i = 0; i < ROBOTS && !status; i++) {
        vxe_world_center_of_mass(vxe_team_world(team, i), at, NULL);
        from[i] = at[0];
    }
    for (int tick = 0; tick < TICKS && !status; tick++) {
        for (int i = 0; i < ROBOTS; i++) {
            for (int g = 0; g < GROUPS; g++) {
                targets[i][g] = target_of(policies[i] + 3 * g, seen[i]);
            }
        }
        status = vxe_team_step(team, targets[0], seen[0], NULL, error);
    }
    for (uint32_t i = 0; i < ROBOTS && !status; i++) {
        vxe_world_center_of_mass(vxe_team_world(team, i), at, NULL);
        way[i] = vxe_team_message(team, i)[0] ? 0 : at[0] - from[i]; /* 0: it diverged */
    }
    return status;
}

int main(void)
{
    static const vxe_sensor_kind sensors[] = {VXE_SENSOR_VELOCITY, VXE_SENSOR_CLOCK};
    float policies[ROBOTS][NUMBERS];
    double way[ROBOTS];
    double best = 0;
    unsigned seed = 1;
    vxe_error error = {0};
    char text[VXE_ERROR_TEXT];
    vxe_team_def def = vxe_team_def_default();
    vxe_design *design = make_block(&error);
    const vxe_design *designs[ROBOTS];
    for (int i = 0; i < ROBOTS; i++) {
        designs[i] = design;
        for (int n = 0; n < NUMBERS; n++) {
            policies[i][n] = draw(&seed);
        }
    }
    vxe_team *team = design ? vxe_team_create(designs, ROBOTS, &def, &error) : NULL;
    vxe_status status = team ? vxe_team_observe(team, sensors, 2, NULL, &error) : error.status;
    for (int generation = 0; generation < GENERATIONS && !status; generation++) {
        int champion = 0;
        status = walk(team, policies, way, &error);
        for (int i = 1; i < ROBOTS && !status; i++) {
            champion = way[i] > way[champion] ? i : champion;
        }
        best = status ? 0 : way[champion];
        memcpy(policies[0], policies[champion], sizeof policies[0]);
        for (int i = 1; i < ROBOTS; i++) {
            for (int n = 0; n < NUMBERS; n++) {
                policies[i][n] = policies[0][n] + 0.3f * draw(&seed);
            }
        }
    }
    if (status) {
        return fprintf(stderr, "%s\n", vxe_error_text(&error, text, sizeof text)), 1;
    }
    printf("the best of %d policies moves by %.3g m in 3 s, %u robots side by side\n",
           ROBOTS * GENERATIONS, best, vxe_team_describe(team).robots_in_lanes);
    vxe_team_destroy(team);
    vxe_design_destroy(design);
    return 0;
}
