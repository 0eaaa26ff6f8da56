/* SPDX-License-Identifier: MIT */
#ifndef VXE_ENGINE_LIKENESS_INTERNAL_H
#define VXE_ENGINE_LIKENESS_INTERNAL_H

#include "engine/robot_internal.h"

/* Orders robots so that each run of `company` of them has few cells that only some of them fill:
   greedily, each group of the robots that add least to its union. Order of equals is kept. */
vxe_status vxe_likeness_order(vxe_robot **robots, uint32_t count, uint32_t company,
                              vxe_error *error);

#endif
