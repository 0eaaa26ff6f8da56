/* SPDX-License-Identifier: MIT */
/* Marks what the shared library exports; everything else is hidden. */
#ifndef VXE_COMMON_EXPORT_H
#define VXE_COMMON_EXPORT_H

#if defined(__GNUC__)
#define VXE_API __attribute__((visibility("default")))
#else
#define VXE_API
#endif

/* The index that means "none". */
#define VXE_NONE UINT32_MAX

#endif
