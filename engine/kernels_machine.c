/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "engine/kernels_internal.h"

const vxe_kernels *vxe_kernels_for_machine(const char **why)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2")) {
        return &vxe_kernels_x86_64_v3;
    }
    *why = "this processor lacks AVX2 and FMA (x86-64-v3), which this release's kernels need";
#else
    *why = "this release's kernels are built for x86-64-v3 only";
#endif
    return NULL;
}
