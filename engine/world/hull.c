/* SPDX-License-Identifier: MIT */
/* The volume of the convex hull of voxels. */
#include <math.h>

#include "common/assert_internal.h"
#include "common/convex_hull_internal.h"
#include "common/memory.h"
#include "common/rotation_internal.h"
#include "engine/world/world_data.h"

/* The corners of the cube of a voxel in its present pose: into (8, 3) m. half: of its edge, m. */
static void put_corners(const vxe_simulation *simulation, uint32_t voxel, double half, double *into)
{
    double at[3];
    double q[4];
    VXE_ASSERT(half > 0);
    vxe_simulation_place(simulation, voxel, at);
    vxe_simulation_orientation(simulation, voxel, q);
    for (int corner = 0; corner < 8; corner++) {
        const double arm[3] = {corner & 1 ? half : -half, corner & 2 ? half : -half,
                               corner & 4 ? half : -half};
        double turned[3];
        vxe_rotate(q, arm, turned);
        for (int c = 0; c < 3; c++) {
            into[3 * corner + c] = at[c] + turned[c];
        }
    }
}

double vxe_world_hull_volume(const vxe_world *world, const double *which)
{
    const uint32_t voxels = world->simulation.model.topology.voxel_count;
    double *edges = vxe_memory_take(voxels, sizeof *edges);
    double *corners = vxe_memory_take(24ull * voxels, sizeof *corners);
    double volume = (double)NAN;
    uint32_t count = 0;
    if (edges && corners) {
        vxe_world_sense(world, &(vxe_sensors){.edge = edges});
        for (uint32_t v = 0; v < voxels; v++) {
            if (!which || which[v] != 0) {
                put_corners(&world->simulation, v, 0.5 * edges[v], corners + 3 * (size_t)count);
                count += 8;
            }
        }
        volume = vxe_hull_volume(corners, count);
    }
    vxe_memory_release(edges);
    vxe_memory_release(corners);
    return volume;
}
