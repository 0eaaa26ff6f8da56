/* SPDX-License-Identifier: MIT */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "engine/core/arrays.h"

/* The variants that this build has, newest instruction set first. */
#ifdef VXE_BUILDS_x86_64_v4
#define VXE_V4(F) F(x86_64_v4, "x86-64-v4")
#else
#define VXE_V4(F)
#endif
#ifdef VXE_BUILDS_x86_64_v3
#define VXE_V3(F) F(x86_64_v3, "x86-64-v3")
#else
#define VXE_V3(F)
#endif
#ifdef VXE_BUILDS_x86_64
#define VXE_V1(F) F(x86_64, "x86-64")
#else
#define VXE_V1(F)
#endif
#ifdef VXE_BUILDS_portable
#define VXE_PORTABLE(F) F(portable, "portable")
#else
#define VXE_PORTABLE(F)
#endif
#define VXE_ISAS(F) VXE_V4(F) VXE_V3(F) VXE_V1(F) VXE_PORTABLE(F)
#define NAME(isa, name) " " name
#define NAMES VXE_ISAS(NAME)

#define DECLARE_PRECISION(variant)                                                                 \
    extern const vxe_bond_kernels vxe_bond_kernels_##variant;                                      \
    extern const vxe_packed_kernels vxe_packed_kernels_##variant;                                  \
    extern const vxe_damping_kernels vxe_damping_kernels_##variant;                                \
    extern const vxe_voxel_kernels vxe_voxel_kernels_##variant;                                    \
    extern const struct vxe_lane_kernels vxe_lane_kernels_##variant;                               \
    extern const struct vxe_contact_kernels vxe_contact_kernels_##variant;                         \
    extern const struct vxe_magnet_kernels vxe_magnet_kernels_##variant;
#define DECLARE(isa, name)                                                                         \
    extern const struct vxe_voxelyze_kernels vxe_voxelyze_kernels_##isa##_double;                  \
    extern const struct vxe_voxelyze_packed_kernels vxe_voxelyze_packed_kernels_##isa##_double;    \
    extern const struct vxe_fluid_mesh_kernels vxe_fluid_mesh_kernels_##isa##_double;              \
    DECLARE_PRECISION(isa##_mixed)                                                                 \
    DECLARE_PRECISION(isa##_double)                                                                \
    extern const struct vxe_broad_phase_kernels vxe_broad_phase_kernels_##isa;                     \
    extern const struct vxe_linear_kernels vxe_linear_kernels_##isa;                               \
    extern const struct vxe_affine_kernels vxe_affine_kernels_##isa;                               \
    extern const struct vxe_power_kernels vxe_power_kernels_##isa;                                 \
    extern const struct vxe_frame_codec_kernels vxe_frame_codec_kernels_##isa;
VXE_ISAS(DECLARE)

#define ROW(set, title, variant, number, peers, weaver, hulls)                                     \
    {.isa = title,                                                                                 \
     .precision = number,                                                                          \
     .bonds = &vxe_bond_kernels_##variant,                                                         \
     .packed = &vxe_packed_kernels_##variant,                                                      \
     .damping = &vxe_damping_kernels_##variant,                                                    \
     .voxels = &vxe_voxel_kernels_##variant,                                                       \
     .lanes = &vxe_lane_kernels_##variant,                                                         \
     .contacts = &vxe_contact_kernels_##variant,                                                   \
     .magnets = &vxe_magnet_kernels_##variant,                                                     \
     .broad_phase = &vxe_broad_phase_kernels_##set,                                                \
     .linear = &vxe_linear_kernels_##set,                                                          \
     .power = &vxe_power_kernels_##set,                                                            \
     .affine = &vxe_affine_kernels_##set,                                                          \
     .codec = &vxe_frame_codec_kernels_##set,                                                      \
     .voxelyze = peers,                                                                            \
     .voxelyze_packed = weaver,                                                                    \
     .fluid_mesh = hulls},
#define ROWS(set, title)                                                                           \
    ROW(set, title, set##_mixed, VXE_PRECISION_MIXED, NULL, NULL, NULL)                            \
    ROW(set, title, set##_double, VXE_PRECISION_DOUBLE, &vxe_voxelyze_kernels_##set##_double,      \
        &vxe_voxelyze_packed_kernels_##set##_double, &vxe_fluid_mesh_kernels_##set##_double)
static const vxe_kernels rows[] = {VXE_ISAS(ROWS)};

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
