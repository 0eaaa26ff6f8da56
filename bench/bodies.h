/* SPDX-License-Identifier: MIT */
/* Bodies such as evolution finds: irregular, connected, of four materials in patches. Made from a
   number by a small generator of our own, so that every machine measures the same ones. */
#ifndef VXE_BENCH_BODIES_H
#define VXE_BENCH_BODIES_H

#include <stdint.h>

#include "lattice/design.h"

/* The body of a number in a box of edge^3 cells, of which about 60 % are filled. Null on failure,
 * with error filled unless memory was short. */
vxe_design *bench_evolved_body(int edge, uint32_t number, vxe_error *error);

#endif
