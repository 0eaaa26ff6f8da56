/* SPDX-License-Identifier: MIT */
/* Frames as whole numbers, in blocks: what both our records and
   replay pages hold. A block is read without those before it.

   A block's bytes: of each frame its step and the bits of its time as their
   differences from the frame before (signed, 7 bits a byte), and of each field that is kept and
   each component how far the numbers of the voxels (or affine bodies) are from those of the frame
   before, in groups of 32 with as many bits as the largest of them takes. Before the first frame of
   a block each voxel stands where the design has it, unturned, with the lattice's edge, and bears
   nothing, and each body has its centroid where the design has it and no deformation; step and time
   are 0. A number is the value by the field's resolution, rounded. */
#ifndef VXE_OUTPUT_RECORD_FRAME_CODEC_H
#define VXE_OUTPUT_RECORD_FRAME_CODEC_H

#include "common/bytes_internal.h"
#include "lattice/design.h"
#include "output/record/frame.h"

typedef enum vxe_frame_codec_field {
    VXE_TRACK_POSITION,
    VXE_TRACK_ORIENTATION,
    VXE_TRACK_EDGE,
    VXE_TRACK_STRAIN,
    VXE_TRACK_STRESS,
    VXE_TRACK_ENERGY,
    VXE_TRACK_CONTACT,
    VXE_TRACK_PLACE, /* of affine bodies, as the next */
    VXE_TRACK_DEFORMATION,
    VXE_TRACK_FIELDS
} vxe_frame_codec_field;

extern const char *const vxe_frame_codec_names[VXE_TRACK_FIELDS];
extern const char *const vxe_frame_codec_units[VXE_TRACK_FIELDS];
extern const uint32_t vxe_frame_codec_components[VXE_TRACK_FIELDS];

/* How fine: the unit of each field's numbers; 0 where it is not kept. */
typedef struct vxe_frame_codec_scale {
    double resolution[VXE_TRACK_FIELDS];
} vxe_frame_codec_scale;

/* Parts of what a design's own sizes make of each field: of its voxels' edge or its smallest body's
   size, of 1, of the largest Young's modulus of a voxel, and of products of them; 0 for what the
   design has none of. */
vxe_frame_codec_scale vxe_frame_codec_scale_of(const vxe_design *design,
                                               const double parts[VXE_TRACK_FIELDS]);

struct vxe_frame_codec_kernels; /* frame_codec.h */

/* A block that is being written or read. */
typedef struct vxe_frame_codec {
    const struct vxe_frame_codec_kernels *kernels; /* for writing */
    vxe_frame_codec_scale scale;
    double max; /* largest number that a value may become */
    uint32_t voxels, bodies;
    int64_t *rest;   /* (values) of a body that nothing has happened to */
    int64_t *before; /* (values) of the frame before */
    uint64_t values; /* of a frame */
    uint64_t step, time;
} vxe_frame_codec;

/* How many voxels or bodies have a field. */
static inline uint32_t vxe_frame_codec_count(const vxe_frame_codec *codec, int field)
{
    return field < VXE_TRACK_PLACE ? codec->voxels : codec->bodies;
}

static inline double *vxe_frame_codec_array(const vxe_frame *frame, int field)
{
    double *const arrays[VXE_TRACK_FIELDS] = {
        frame->position, frame->orientation, frame->edge,  frame->strain,     frame->stress,
        frame->energy,   frame->contact,     frame->place, frame->deformation};
    return arrays[field];
}

/* For reading. */
vxe_status vxe_frame_codec_init(vxe_frame_codec *codec, const vxe_design *design,
                                const vxe_frame_codec_scale *scale, vxe_error *error);
/* For writing; VXE_ERROR_UNSUPPORTED where the machine lacks the instruction set asked for. */
vxe_status vxe_frame_codec_begin(vxe_frame_codec *codec, const vxe_design *design,
                                 const vxe_frame_codec_scale *scale, vxe_error *error);
void vxe_frame_codec_clear(vxe_frame_codec *codec);

/* A block begins. */
void vxe_frame_codec_restart(vxe_frame_codec *codec);

/* Puts a frame behind those that are in the block; fails where a number is not finite or too large,
   and then nothing is put. */
vxe_status vxe_frame_codec_put(vxe_frame_codec *codec, const vxe_frame *frame, vxe_bytes *block,
                               vxe_error *error);

/* Takes the next frame out; fields that are not kept stay as they are. False where the block ends
   too early. */
bool vxe_frame_codec_get(vxe_frame_codec *codec, vxe_bytes_view *block, vxe_frame *frame);

#endif
