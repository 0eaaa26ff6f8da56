/* SPDX-License-Identifier: MIT */
/* Chooses the instruction set of a run: the newest of this build that the processor has, or the
   one that VOXELASTIC_ISA names. */
#include "engine/core/dispatch.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/assert_internal.h"

#define NAME(isa, name, unused) " " name
#define NAMES VXE_ISAS(NAME, )
#define PLACE(isa, name, unused) SET_##isa,
enum { VXE_ISAS(PLACE, ) };
#define ROWS(isa, name, unused)                                                                    \
    {name, VXE_PRECISION_MIXED, SET_##isa}, {name, VXE_PRECISION_DOUBLE, SET_##isa},
static const vxe_kernels rows[] = {VXE_ISAS(ROWS, )};

static bool machine_has(const char *isa)
{
#if defined(__x86_64__)
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi2");
    if (strcmp(isa, "x86-64-v4") == 0) {
        return v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
    }
    return strcmp(isa, "x86-64-v3") != 0 || v3;
#else
    (void)isa;
    return true;
#endif
}

const vxe_kernels *vxe_kernels_for_machine(vxe_precision precision, const char **why)
{
    VXE_ASSERT(why && (precision == VXE_PRECISION_MIXED || precision == VXE_PRECISION_DOUBLE));
    const char *wanted = getenv("VOXELASTIC_ISA");
    bool known = false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const bool named = !wanted || !*wanted || strcmp(wanted, rows[i].isa) == 0;
        known = known || named;
        if (named && rows[i].precision == precision && machine_has(rows[i].isa)) {
            return &rows[i];
        }
    }
    *why = !wanted || !*wanted
               ? "this processor has none of the instruction sets of this build:" NAMES
           : known ? "this processor lacks the instruction set that VOXELASTIC_ISA names"
                   : "VOXELASTIC_ISA names none of the instruction sets of this build:" NAMES;
    return NULL;
}

const vxe_kernels *vxe_kernels_for_voxels(vxe_precision precision, const char **why)
{
#ifdef VXE_WITHOUT_DOUBLE
    if (precision == VXE_PRECISION_DOUBLE) {
        *why = "this build has no double precision for voxels";
        return NULL;
    }
#endif
    return vxe_kernels_for_machine(precision, why);
}

const char *vxe_instruction_set(vxe_precision precision)
{
    const char *why = NULL;
    const vxe_kernels *kernels = vxe_kernels_for_machine(precision, &why);
    return kernels ? kernels->isa : "none";
}

const char *vxe_precision_name(vxe_precision precision)
{
    VXE_ASSERT(precision == VXE_PRECISION_MIXED || precision == VXE_PRECISION_DOUBLE);
    return precision == VXE_PRECISION_DOUBLE ? "double" : "mixed";
}
