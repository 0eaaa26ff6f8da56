/* SPDX-License-Identifier: MIT */
/* Frame codec: packs frames as whole numbers into blocks. Records (.vxr) and replay pages both
   store their frames this way. A block can be read without the blocks before it.

   A frame in a block begins with its step and the bits of its time, each as the difference from the
   frame before (signed, 7 bits a byte). Then each stored field follows, one component after the
   other: the values of the voxels (or affine bodies) as whole numbers, less those of the frame
   before, in groups of 32; a group uses as many bits for each number as its largest one needs. The
   whole number of a value is the value divided by the resolution of its field, rounded.

   Before the first frame of a block, step and time are 0, each voxel is where the design has it,
   not rotated, with the edge of the lattice and without load, and each body has its centroid where
   the design has it and no deformation. README.md beside this file describes the bytes. */
#ifndef VXE_OUTPUT_RECORD_FRAME_CODEC_H
#define VXE_OUTPUT_RECORD_FRAME_CODEC_H

#include "common/bytes_internal.h"
#include "lattice/design.h"
#include "output/record/frame.h"

typedef enum vxe_frame_codec_field {
    VXE_CODEC_POSITION,
    VXE_CODEC_ORIENTATION,
    VXE_CODEC_EDGE,
    VXE_CODEC_STRAIN,
    VXE_CODEC_STRESS,
    VXE_CODEC_ENERGY,
    VXE_CODEC_CONTACT,
    VXE_CODEC_PLACE, /* this field and the next are of affine bodies */
    VXE_CODEC_DEFORMATION,
    VXE_CODEC_FIELDS
} vxe_frame_codec_field;

extern const char *const vxe_frame_codec_names[VXE_CODEC_FIELDS];
extern const char *const vxe_frame_codec_units[VXE_CODEC_FIELDS];
extern const uint32_t vxe_frame_codec_components[VXE_CODEC_FIELDS];

/* The unit of each field's whole numbers; 0 where the field is not stored. */
typedef struct vxe_frame_codec_scale {
    double resolution[VXE_CODEC_FIELDS];
} vxe_frame_codec_scale;

/* Derives resolutions from the size and stiffness of a design: each field's part, times the voxel
   edge (for bodies: the size of the smallest one), 1, the largest Young's modulus of a voxel, or a
   product of these. Fields of affine bodies get 0 where the design has no bodies. */
vxe_frame_codec_scale vxe_frame_codec_scale_of(const vxe_design *design,
                                               const double parts[VXE_CODEC_FIELDS]);

struct vxe_frame_codec_kernels; /* frame_codec_kernels.h */

/* The state of a block that is being written or read. */
typedef struct vxe_frame_codec {
    const struct vxe_frame_codec_kernels *kernels; /* null when reading */
    vxe_frame_codec_scale scale;
    double max; /* bound on the whole number of a value */
    uint32_t voxels, bodies;
    int64_t *rest;   /* (values) whole numbers of the design as it is built */
    int64_t *before; /* (values) whole numbers of the previous frame */
    uint64_t values; /* number of values in a frame */
    uint64_t step, time;
} vxe_frame_codec;

/* Number of voxels or bodies that have the field. */
static inline uint32_t vxe_frame_codec_count(const vxe_frame_codec *codec, int field)
{
    return field < VXE_CODEC_PLACE ? codec->voxels : codec->bodies;
}

static inline double *vxe_frame_codec_array(const vxe_frame *frame, int field)
{
    double *const arrays[VXE_CODEC_FIELDS] = {
        frame->position, frame->orientation, frame->edge,  frame->strain,     frame->stress,
        frame->energy,   frame->contact,     frame->place, frame->deformation};
    return arrays[field];
}

/* Prepares a codec for reading. */
vxe_status vxe_frame_codec_init(vxe_frame_codec *codec, const vxe_design *design,
                                const vxe_frame_codec_scale *scale, vxe_error *error);
/* Prepares a codec for writing. Returns VXE_ERROR_UNSUPPORTED where the machine lacks the
   instruction set that was asked for. */
vxe_status vxe_frame_codec_begin(vxe_frame_codec *codec, const vxe_design *design,
                                 const vxe_frame_codec_scale *scale, vxe_error *error);
void vxe_frame_codec_clear(vxe_frame_codec *codec);

/* Starts a new block: the next frame is stored relative to the design as it is built. */
void vxe_frame_codec_restart(vxe_frame_codec *codec);

/* Appends a frame to the block. Fails, and appends nothing, where a number is not finite or too
   large. */
vxe_status vxe_frame_codec_put(vxe_frame_codec *codec, const vxe_frame *frame, vxe_bytes *block,
                               vxe_error *error);

/* Reads the next frame of the block. Fields that are not stored stay as they are. Returns false
   where the block ends too early. */
bool vxe_frame_codec_get(vxe_frame_codec *codec, vxe_bytes_view *block, vxe_frame *frame);

#endif
