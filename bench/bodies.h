/* SPDX-License-Identifier: MIT */
/* Bodies like those that evolution finds: irregular, connected, with patches of four materials. A
   body follows from a number by a random generator of our own, so that each machine measures the
   same bodies. */
#ifndef VXE_BENCH_BODIES_H
#define VXE_BENCH_BODIES_H

#include <stdint.h>

#include "lattice/design.h"

/* The body of a number, in a box of edge^3 cells of which about 60 % are filled. Null on failure,
 * with error filled unless there is no memory. */
vxe_design *bench_evolved_body(int edge, uint32_t number, vxe_error *error);

#endif
