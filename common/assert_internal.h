/* SPDX-License-Identifier: MIT */
/* VXE_ASSERT(condition): what must hold whatever files and callers give; a failure is a fault of
   this library. Checked in builds with VOXELASTIC_ASSERTS (presets debug, asan, tsan, fuzz and
   coverage), where a failure names the place and aborts; elsewhere the condition is compiled but
   never evaluated. What the outside world can cause is a vxe_status instead. */
#ifndef VXE_COMMON_ASSERT_INTERNAL_H
#define VXE_COMMON_ASSERT_INTERNAL_H

#ifdef VXE_ASSERTS
/* Writes file, line and condition to standard error and aborts. */
_Noreturn void vxe_assert_failed(const char *condition, const char *file, int line);
#define VXE_ASSERT(condition)                                                                      \
    ((condition) ? (void)0 : vxe_assert_failed(#condition, __FILE__, __LINE__))
#else
#define VXE_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#endif

#endif
