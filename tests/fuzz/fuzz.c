/* SPDX-License-Identifier: MIT */
/* A fuzz target per reader (libFuzzer): FUZZ_READER is an error or a design for any bytes. A design
   that is read has a hash, and is told from itself in nothing. */
#include <stdlib.h>
#include <string.h>

#include "lattice/formats/scene_internal.h"
#include "lattice/formats/vox_internal.h"
#include "lattice/formats/vxc_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An overlay lies on a body of its own, with room for paths that go deep. */
__attribute__((unused)) static vxe_design *read_overlay(const vxe_text *overlay, vxe_error *error)
{
    static const char base[] =
        "<VXA><VXC><Lattice><Lattice_Dim>0.01</Lattice_Dim></"
        "Lattice><Palette><Material><Mechanical>"
        "<Elastic_Mod>1e6</Elastic_Mod><Density>1000</Density></Mechanical></Material></Palette>"
        "<Structure Compression=\"ASCII_READABLE\"><X_Voxels>2</X_Voxels><Data><Layer>11</Layer>"
        "</Data></Structure></VXC></VXA>";
    return vxe_vxd_read(&(vxe_text){"base.vxa", base, sizeof base - 1, false}, overlay, error);
}

static void never_told(void *user, const char *text)
{
    (void)user;
    (void)text;
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    vxe_error error;
    if (!text) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    vxe_design *design = FUZZ_READER(&(vxe_text){"fuzz", text, size, false}, &error);
    if (design) {
        (void)vxe_design_hash(design);
        (void)vxe_design_differences(design, design, never_told, NULL, &error);
    }
    vxe_design_destroy(design);
    free(text);
    return 0;
}
