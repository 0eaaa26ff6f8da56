/* SPDX-License-Identifier: MIT */
/* The public header of affine/: bodies of twelve numbers each, a centroid and a matrix of
   deformation (Contento2009; docs/affine-bodies.md). Other modules include this file only. */
#ifndef VXE_ENGINE_AFFINE_AFFINE_H
#define VXE_ENGINE_AFFINE_AFFINE_H

#include "engine/affine/affine_group.h"
#include "engine/affine/affine_lanes.h"
#include "engine/affine/affine_observations.h"
#include "engine/affine/affine_voxels.h"

#endif
