/* SPDX-License-Identifier: MIT */
/* Grouping: which robots of a queue share the lanes of a vector. All lanes compute the union of the
   robots' voxels, so robots of similar bodies make small unions. */
#ifndef VXE_ENGINE_LANES_GROUPING_H
#define VXE_ENGINE_LANES_GROUPING_H

#include "engine/lanes/robot.h"

/* Orders robots so that each `batch_neighbors` of them in a row have a small union: greedily, each
   group takes the robot that adds the fewest cells to its union. Robots that add equally many keep
   their order. */
vxe_status vxe_grouping_order(vxe_robot **robots, uint32_t count, uint32_t batch_neighbors,
                              vxe_error *error);

#endif
