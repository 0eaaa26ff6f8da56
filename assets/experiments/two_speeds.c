/* SPDX-License-Identifier: MIT */
/* A fitness in C, for two_speeds.json: how far a body comes along x, at the period of its
   muscles or at twice that, whichever is less. Several threads call it at once. */
#include <math.h>
#include <voxelastic/voxelastic.h>

/* m; NaN, which is no fitness, where the run fails. */
static double run(const vxe_design *body)
{
    vxe_world_def def = vxe_world_def_default();
    def.threads = 1;
    double start[3];
    double end[3];
    double way = (double)NAN;
    vxe_world *world = vxe_world_create(body, &def, NULL);
    if (world) {
        vxe_status status = vxe_world_advance_to(world, body->stop.settle_time, NULL);
        vxe_world_center_of_mass(world, start, NULL);
        status = status ? status : vxe_world_advance_to(world, body->stop.duration, NULL);
        vxe_world_center_of_mass(world, end, NULL);
        way = status == VXE_OK ? end[0] - start[0] : way;
    }
    vxe_world_destroy(world);
    return way;
}

static double fitness(const vxe_design *body)
{
    vxe_design *slower = vxe_design_copy(body, NULL);
    double least = (double)NAN;
    if (slower) {
        slower->actuation.period *= 2;
        const double ways[2] = {run(body), run(slower)};
        least = isnan(ways[0]) || ways[0] < ways[1] ? ways[0] : ways[1];
    }
    vxe_design_destroy(slower);
    return least;
}

VXE_FITNESS(fitness)
