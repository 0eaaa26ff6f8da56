/* SPDX-License-Identifier: MIT */
/* Number of robots side by side in a vector: each robot has one lane. Kernels only, since it
   differs between instruction sets and precisions; other code asks vxe_lane_kernels.lanes. */
#ifndef VXE_ENGINE_BATCH_ROBOTS_PER_VECTOR_H
#define VXE_ENGINE_BATCH_ROBOTS_PER_VECTOR_H

/* Floats: one register with AVX (8) or AVX-512 (16), two registers with SSE or NEON. */
#ifdef __AVX512F__
#define VXE_FLOAT_LANES 16
#else
#define VXE_FLOAT_LANES 8
#endif

/* A register holds half as many doubles. */
#ifdef VXE_MIXED
#define VXE_LANES VXE_FLOAT_LANES
#else
#define VXE_LANES (VXE_FLOAT_LANES / 2)
#endif

#endif
