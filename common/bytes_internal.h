/* SPDX-License-Identifier: MIT */
/* Bytes of a binary file in memory: a buffer that grows while it is written, and a view that is
   read from its beginning. Numbers are little-endian. An error sets a flag that stays set, so that
   callers check once, at the end. */
#ifndef VXE_COMMON_BYTES_INTERNAL_H
#define VXE_COMMON_BYTES_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct vxe_bytes {
    uint8_t *data; /* (size) */
    uint64_t size, capacity;
    bool bad; /* memory ran out: what was appended since then is lost */
} vxe_bytes;

/* Makes sure that more bytes can be appended; false without memory. */
bool vxe_bytes_reserve(vxe_bytes *bytes, uint64_t more);

/* Append data, or one number. */
void vxe_bytes_put(vxe_bytes *bytes, const void *data, uint64_t size);
void vxe_bytes_put_u32(vxe_bytes *bytes, uint32_t value);
void vxe_bytes_put_u64(vxe_bytes *bytes, uint64_t value);
void vxe_bytes_put_float(vxe_bytes *bytes, double value); /* rounded to 32 bits */
void vxe_bytes_put_double(vxe_bytes *bytes, double value);

/* Appends a number of variable length: seven bits in each byte, the lowest bits first. The top bit
   of a byte says that more bytes follow. The sign is the lowest bit of the number. */
void vxe_bytes_put_signed(vxe_bytes *bytes, int64_t value);

/* Releases the data. */
void vxe_bytes_clear(vxe_bytes *bytes);

typedef struct vxe_bytes_view {
    const uint8_t *data; /* (size) */
    uint64_t size, at;
    bool bad; /* something beyond the end was asked for: 0 was returned */
} vxe_bytes_view;

/* The next size bytes, or null if there are fewer. The functions below return 0 then. */
const uint8_t *vxe_bytes_get(vxe_bytes_view *view, uint64_t size);
uint32_t vxe_bytes_get_u32(vxe_bytes_view *view);
uint64_t vxe_bytes_get_u64(vxe_bytes_view *view);
double vxe_bytes_get_double(vxe_bytes_view *view);
int64_t vxe_bytes_get_signed(vxe_bytes_view *view);

/* Reads a group of count signed numbers, at most 32, that vxe_pack_group wrote. */
void vxe_bytes_get_group(vxe_bytes_view *view, int64_t *values, uint32_t count);

#endif
