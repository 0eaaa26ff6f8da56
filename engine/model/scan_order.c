/* SPDX-License-Identifier: MIT */
/* Chooses the scan whose rows fill vectors best. A body of one chunk sums its bonds in the same
   order whatever the scan (arrays.h), so that its bits do not depend on the choice; in a larger
   body rows are long anyway. */
#include "common/assert_internal.h"
#include "engine/model/model.h"

vxe_status vxe_model_scan(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    VXE_ASSERT(design->voxel_count > 0);
    static const uint8_t others[5][3] = {{2, 0, 1}, {1, 2, 0}, {1, 0, 2}, {0, 2, 1}, {0, 1, 2}};
    vxe_status status = vxe_topology_init(&model->topology, design, error);
    if (status || design->voxel_count > VXE_CHUNK_SLOTS) {
        return status;
    }
    uint32_t min = vxe_chunks_vectors(&model->topology);
    for (int i = 0; i < 5 && !status; i++) {
        vxe_topology other;
        status = vxe_topology_init_along(&other, design, others[i], error);
        if (!status) {
            const uint32_t vectors = vxe_chunks_vectors(&other);
            vxe_topology *worse = vectors < min ? &model->topology : &other;
            vxe_topology_clear(worse);
            if (vectors < min) {
                model->topology = other;
                min = vectors;
            }
        }
    }
    if (status) {
        vxe_topology_clear(&model->topology);
    }
    return status;
}
