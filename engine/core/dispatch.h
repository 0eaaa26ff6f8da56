/* SPDX-License-Identifier: MIT */
/* Kernels are compiled once per instruction set and precision (cmake/kernels.cmake); a run
   chooses among them when it starts. Every module defines the tables of its own kernels with the
   macros below; this file knows none of them. */
#ifndef VXE_ENGINE_CORE_DISPATCH_H
#define VXE_ENGINE_CORE_DISPATCH_H

#include <stddef.h>
#include <stdint.h>

#include "common/assert_internal.h"
#include "engine/precision.h"

/* An instruction set and a precision. */
typedef struct vxe_kernels {
    const char *isa;
    vxe_precision precision;
    uint32_t set; /* index of the instruction set among those of this build */
} vxe_kernels;

/* The kernels of a precision for this machine: of the newest instruction set that the processor
   has, or of the one that the environment variable VOXELASTIC_ISA names. Null if there are none;
   then *why says the reason. */
const vxe_kernels *vxe_kernels_for_machine(vxe_precision precision, const char **why);

/* The same for voxels, whose kernels in double precision a build may leave out
   (VXE_WITHOUT_DOUBLE). Affine bodies and what else has one table for both precisions need none of
   them. */
const vxe_kernels *vxe_kernels_for_voxels(vxe_precision precision, const char **why);

/* The instruction sets of this build, newest first: F(identifier, name). */
#ifdef VXE_BUILDS_x86_64_v4
#define VXE_V4(F, ...) F(x86_64_v4, "x86-64-v4", __VA_ARGS__)
#else
#define VXE_V4(F, ...)
#endif
#ifdef VXE_BUILDS_x86_64_v3
#define VXE_V3(F, ...) F(x86_64_v3, "x86-64-v3", __VA_ARGS__)
#else
#define VXE_V3(F, ...)
#endif
#ifdef VXE_BUILDS_x86_64
#define VXE_V1(F, ...) F(x86_64, "x86-64", __VA_ARGS__)
#else
#define VXE_V1(F, ...)
#endif
#ifdef VXE_BUILDS_portable
#ifdef __wasm__
#define VXE_PORTABLE(F, ...) F(portable, "wasm32", __VA_ARGS__)
#else
#define VXE_PORTABLE(F, ...) F(portable, "portable", __VA_ARGS__)
#endif
#else
#define VXE_PORTABLE(F, ...)
#endif
#define VXE_ISAS(F, ...)                                                                           \
    VXE_V4(F, __VA_ARGS__)                                                                         \
    VXE_V3(F, __VA_ARGS__) VXE_V1(F, __VA_ARGS__) VXE_PORTABLE(F, __VA_ARGS__)

/* Defines TABLE_of(kernels), which returns a module's kernels for the instruction set and
   precision of `kernels`, from the tables that the kernel files define under the names of their
   variants. Three forms: one table per precision, one that serves both precisions, and one in
   double precision only (null otherwise). */
#ifdef VXE_WITHOUT_DOUBLE
#define VXE_LIST_DOUBLE(isa, name, table) NULL,
#else
#define VXE_LIST_DOUBLE(isa, name, table) &table##_##isa##_double,
#endif
#define VXE_DECLARE_VARIANTS(isa, name, table)                                                     \
    extern const table table##_##isa##_mixed;                                                      \
    extern const table table##_##isa##_double;
#define VXE_LIST_VARIANTS(isa, name, table)                                                        \
    {&table##_##isa##_mixed, VXE_LIST_DOUBLE(isa, name, table)},
#define VXE_KERNELS_BY_PRECISION(table)                                                            \
    VXE_ISAS(VXE_DECLARE_VARIANTS, table)                                                          \
    static const table *const table##_variants[][2] = {VXE_ISAS(VXE_LIST_VARIANTS, table)};        \
    const table *table##_of(const vxe_kernels *kernels)                                            \
    {                                                                                              \
        VXE_ASSERT(kernels->set < sizeof table##_variants / sizeof table##_variants[0]);           \
        return table##_variants[kernels->set][kernels->precision == VXE_PRECISION_DOUBLE];         \
    }

#define VXE_DECLARE_VARIANT(isa, name, table) extern const table table##_##isa;
#define VXE_LIST_VARIANT(isa, name, table) &table##_##isa,
#define VXE_KERNELS_BY_ISA(table)                                                                  \
    VXE_ISAS(VXE_DECLARE_VARIANT, table)                                                           \
    static const table *const table##_variants[] = {VXE_ISAS(VXE_LIST_VARIANT, table)};            \
    const table *table##_of(const vxe_kernels *kernels)                                            \
    {                                                                                              \
        VXE_ASSERT(kernels->set < sizeof table##_variants / sizeof table##_variants[0]);           \
        return table##_variants[kernels->set];                                                     \
    }

#define VXE_DECLARE_DOUBLE(isa, name, table) extern const table table##_##isa##_double;
#define VXE_KERNELS_IN_DOUBLE(table)                                                               \
    VXE_ISAS(VXE_DECLARE_DOUBLE, table)                                                            \
    static const table *const table##_variants[] = {VXE_ISAS(VXE_LIST_DOUBLE, table)};             \
    const table *table##_of(const vxe_kernels *kernels)                                            \
    {                                                                                              \
        VXE_ASSERT(kernels->set < sizeof table##_variants / sizeof table##_variants[0]);           \
        return kernels->precision == VXE_PRECISION_DOUBLE ? table##_variants[kernels->set] : NULL; \
    }

#endif
