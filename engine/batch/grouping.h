/* SPDX-License-Identifier: MIT */
#ifndef VXE_ENGINE_BATCH_GROUPING_H
#define VXE_ENGINE_BATCH_GROUPING_H

#include "engine/batch/robot.h"

/* Orders robots so that each run of `batch neighbours` of them has few cells that only some of them
   fill: greedily, each group of the robots that add least to its union. Order of equals is kept. */
vxe_status vxe_grouping_order(vxe_robot **robots, uint32_t count, uint32_t batch_neighbors,
                              vxe_error *error);

#endif
