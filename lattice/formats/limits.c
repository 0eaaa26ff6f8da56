/* SPDX-License-Identifier: MIT */
/* The bounds on what is made of a file, in one table: the default, what else the size of a file
   allows, and the words for it. */
#include "lattice/formats/limits_internal.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/closest_name.h"
#include "common/number_internal.h"
#include "common/status_internal.h"

/* Bytes from which on a file may stand for more. */
#define LARGE_FILE 1000000u

typedef struct row {
    const char *name;
    uint64_t standard;
    uint64_t per_byte; /* allowed for each byte of a large file, where that is more; 0: none */
    uint64_t max;      /* whatever is asked for: readers count by 32 bits; 0: none */
    const char *what;
} row;

static const row rows[VXE_LIMIT_COUNT] = {
    [VXE_LIMIT_DESIGN_BYTES] = {"design_bytes", 512ull << 20, 0, 0, "bytes of a design or history"},
    [VXE_LIMIT_RESULT_BYTES] = {"result_bytes", 64ull << 20, 0, 0,
                                "bytes of a result, job or experiment"},
    [VXE_LIMIT_RECORD_BYTES] = {"record_bytes", 16ull << 30, 0, 0, "bytes of a record"},
    [VXE_LIMIT_UNPACKED_BYTES] = {"unpacked_bytes", 1ull << 23, 8, UINT32_MAX,
                                  "bytes of an unpacked part"},
    [VXE_LIMIT_CELLS] = {"cells", 1ull << 26, 1, 1ull << 31, "cells"},
    [VXE_LIMIT_VOXELS] = {"voxels", 1ull << 19, 1, 1ull << 30, "voxels"},
    [VXE_LIMIT_NUMBERS] = {"numbers", 1ull << 22, 1, 0, "numbers in layers"},
    [VXE_LIMIT_LAYERS] = {"layers", 1024, 0, 0, "layers of numbers"},
    [VXE_LIMIT_MATERIALS] = {"materials", 1ull << 14, 0, 1ull << 30, "materials"},
    [VXE_LIMIT_BODIES] = {"bodies", 2048, 0, 0, "affine bodies, walls or observations"},
    [VXE_LIMIT_REFERENCES] = {"references", 1ull << 16, 0, UINT32_MAX,
                              "nodes visited in the scene graph"},
    [VXE_LIMIT_REPLACEMENTS] = {"replacements", 1024, 0, 0, "elements that replace one"},
    [VXE_LIMIT_REGION_VOXELS] = {"region_voxels", 1ull << 27, 0, 0, "voxels times regions"},
    [VXE_LIMIT_CONTACT_PAIRS] = {"contact_pairs", 1ull << 26, 0, 0,
                                 "pairs of materials times contact rules"}};

_Static_assert(sizeof(vxe_limits) == VXE_LIMIT_COUNT * sizeof(uint64_t), "a row for each bound");

static uint64_t current[VXE_LIMIT_COUNT];
static bool is_changed;

vxe_limits vxe_limits_default(void)
{
    uint64_t standard[VXE_LIMIT_COUNT];
    vxe_limits limits;
    for (int i = 0; i < VXE_LIMIT_COUNT; i++) {
        standard[i] = rows[i].standard;
    }
    memcpy(&limits, standard, sizeof limits);
    return limits;
}

void vxe_limits_use(const vxe_limits *limits)
{
    is_changed = limits != NULL;
    if (limits) {
        memcpy(current, limits, sizeof current);
    }
}

const char *vxe_limits_name(uint32_t index)
{
    return index < VXE_LIMIT_COUNT ? rows[index].name : NULL;
}

/* The names of bounds in turn; a vxe_name_at. */
static const char *name_at(const void *names, unsigned index)
{
    (void)names;
    return vxe_limits_name(index);
}

/* Reads one bound, such as voxels=4e6. */
static vxe_status parse_one(uint64_t *limits, const char *text, vxe_error *error)
{
    const size_t length = strcspn(text, "=");
    double value = -1;
    int found = -1;
    for (int i = 0; i < VXE_LIMIT_COUNT; i++) {
        found =
            strlen(rows[i].name) == length && strncmp(rows[i].name, text, length) == 0 ? i : found;
    }
    if (found < 0) {
        char name[40];
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1),
                 text);
        const char *meant = vxe_closest_name(name, name_at, NULL);
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "there is no bound '%s'%s%s%s", name,
                              meant ? ": did you mean " : "", meant ? meant : "", meant ? "?" : "");
    }
    if (!text[length] || vxe_number_read(text + length + 1, &value) ||
        !(value >= 0 && value <= 1e18) || value != floor(value)) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "'%.60s': expected %s=N, a whole number from 0 to 1e18", text,
                              rows[found].name);
    }
    limits[found] = (uint64_t)value;
    return VXE_OK;
}

vxe_status vxe_limits_parse(vxe_limits *limits, const char *text, vxe_error *error)
{
    uint64_t read[VXE_LIMIT_COUNT];
    vxe_status status = VXE_OK;
    memcpy(read, limits, sizeof read);
    while (!status) {
        char one[80];
        const size_t length = strcspn(text, ",");
        snprintf(one, sizeof one, "%.*s", (int)(length < sizeof one ? length : sizeof one - 1),
                 text);
        status = parse_one(read, one, error);
        if (!text[length]) {
            break;
        }
        text += length + 1;
    }
    if (!status) {
        memcpy(limits, read, sizeof read);
    }
    return status;
}

uint64_t vxe_limit_for(vxe_limit which, uint64_t bytes)
{
    VXE_ASSERT(which < VXE_LIMIT_COUNT);
    const uint64_t bound = is_changed ? current[which] : rows[which].standard;
    const uint64_t more = bytes >= LARGE_FILE ? rows[which].per_byte * bytes : 0;
    const uint64_t wanted = more > bound ? more : bound;
    return rows[which].max && wanted > rows[which].max ? rows[which].max : wanted;
}

vxe_status vxe_limit_check(vxe_limit which, uint64_t count, uint64_t bytes, vxe_error *error)
{
    const uint64_t bound = vxe_limit_for(which, bytes);
    char size[60] = "";
    if (rows[which].per_byte && bytes) {
        snprintf(size, sizeof size, " from a file of %" PRIu64 " bytes", bytes);
    }
    return count <= bound
               ? VXE_OK
               : vxe_error_fill(error, VXE_ERROR_INPUT,
                                "%" PRIu64 " %s%s; at most %" PRIu64
                                " are read ('voxelastic --limits %s=N COMMAND' allows N)",
                                count, rows[which].what, size, bound, rows[which].name);
}

vxe_status vxe_limit_check_design(const vxe_design *design, uint64_t bytes, vxe_error *error)
{
    uint64_t shapes = 0;
    for (uint32_t i = 0; i < design->region_count; i++) {
        shapes += design->regions[i].shape != VXE_REGION_VOXELS;
    }
    const vxe_status status =
        vxe_limit_check(VXE_LIMIT_REGION_VOXELS, shapes * design->voxel_count, bytes, error);
    return status ? status : vxe_design_check(design, error);
}
