/* SPDX-License-Identifier: MIT */
/* Which voxels a box, a cylinder or a sphere contains (docs/physics.md, Boundary conditions). */
#include "lattice/region_internal.h"

#include <math.h>
#include <string.h>

#include "common/assert_internal.h"

bool vxe_region_touches(const vxe_region *region, const double center[3], double edge)
{
    VXE_ASSERT(region->shape != VXE_REGION_VOXELS);
    double distance2 = 0;
    for (int c = 0; c < 3; c++) {
        if (region->shape == VXE_REGION_BOX) {
            /* a millionth of a voxel is no overlap: files give faces as rounded fractions */
            const double reach = edge * (0.5 - 1e-6);
            if (!(center[c] + reach > region->low[c] && center[c] - reach < region->high[c])) {
                return false;
            }
        } else if (region->shape == VXE_REGION_SPHERE) {
            distance2 += (center[c] - region->low[c]) * (center[c] - region->low[c]);
        } else if (region->low[c] != region->high[c]) { /* the cylinder's axis */
            if (!(center[c] > region->low[c] && center[c] < region->high[c])) {
                return false;
            }
        } else {
            distance2 += (center[c] - region->low[c]) * (center[c] - region->low[c]);
        }
    }
    const double radius =
        region->radius + (region->shape == VXE_REGION_SPHERE ? edge * sqrt(3.0) / 2 : 0);
    return region->shape == VXE_REGION_BOX || distance2 <= radius * radius;
}

uint32_t vxe_design_region_voxels(const vxe_design *design, uint32_t region, uint8_t *inside)
{
    VXE_ASSERT(region < design->region_count);
    const vxe_region *of = &design->regions[region];
    uint32_t count = 0;
    memset(inside, 0, design->voxel_count);
    for (uint32_t i = 0; of->shape == VXE_REGION_VOXELS && i < of->voxel_count; i++) {
        count += !inside[of->voxels[i]];
        inside[of->voxels[i]] = 1;
    }
    for (uint32_t v = 0; of->shape != VXE_REGION_VOXELS && v < design->voxel_count; v++) {
        double center[3];
        for (int c = 0; c < 3; c++) {
            center[c] = (design->voxels[v].position[c] + 0.5) * design->voxel_size;
        }
        inside[v] = vxe_region_touches(of, center, design->voxel_size);
        count += inside[v];
    }
    return count;
}
