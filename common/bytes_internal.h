/* SPDX-License-Identifier: MIT */
/* Bytes of a file in memory: a row that grows, and a view that is read from its beginning. Numbers
   have their little end first. Errors stick, so that they are looked at once, at the end. */
#ifndef VXE_COMMON_BYTES_INTERNAL_H
#define VXE_COMMON_BYTES_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct vxe_bytes {
    uint8_t *data; /* (size) */
    uint64_t size, capacity;
    bool bad; /* there was no memory: what was put since is lost */
} vxe_bytes;

/* Room for so many bytes more. */
bool vxe_bytes_reserve(vxe_bytes *bytes, uint64_t more);
void vxe_bytes_put(vxe_bytes *bytes, const void *data, uint64_t size);
void vxe_bytes_put_u32(vxe_bytes *bytes, uint32_t value);
void vxe_bytes_put_u64(vxe_bytes *bytes, uint64_t value);
void vxe_bytes_put_float(vxe_bytes *bytes, double value); /* in 32 bits */
void vxe_bytes_put_double(vxe_bytes *bytes, double value);

/* Seven bits a byte, the least first; the top bit says that more follow. The sign is the lowest
   bit. */
void vxe_bytes_put_signed(vxe_bytes *bytes, int64_t value);

void vxe_bytes_clear(vxe_bytes *bytes);

typedef struct vxe_bytes_view {
    const uint8_t *data; /* (size) */
    uint64_t size, at;
    bool bad; /* read beyond the end: 0 was given */
} vxe_bytes_view;

/* The next bytes, or null. */
const uint8_t *vxe_bytes_get(vxe_bytes_view *view, uint64_t size);
uint32_t vxe_bytes_get_u32(vxe_bytes_view *view);
uint64_t vxe_bytes_get_u64(vxe_bytes_view *view);
double vxe_bytes_get_double(vxe_bytes_view *view);
int64_t vxe_bytes_get_signed(vxe_bytes_view *view);

/* A group as pack_internal.h puts it. */
void vxe_bytes_get_group(vxe_bytes_view *view, int64_t *values, uint32_t count);

#endif
