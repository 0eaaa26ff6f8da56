/* SPDX-License-Identifier: MIT */
/* The door of affine/: bodies of twelve numbers each. */
#ifndef VXE_ENGINE_AFFINE_AFFINE_H
#define VXE_ENGINE_AFFINE_AFFINE_H

#include "engine/affine/affine_group.h"
#include "engine/affine/affine_lanes.h"
#include "engine/affine/affine_observations.h"
#include "engine/affine/affine_voxels.h"

#endif
