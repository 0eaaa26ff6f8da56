/* SPDX-License-Identifier: MIT */
/* What the module offers to JavaScript (engine.js): one design, one world, one surface. Functions
   that may fail return a vxe_status; vxw_message then says why. Addresses are valid until the next
   call that makes the same thing, and views of memory until any call, since memory may grow. */
#ifndef VXE_WEB_MODULE_WEB_H
#define VXE_WEB_MODULE_WEB_H

#include <stdint.h>

#define VXW_EXPORT(name) __attribute__((export_name(#name)))

/* What a frame holds for each voxel. */
typedef enum vxw_values {
    VXW_NONE = 0,
    VXW_STRAIN = 1,  /* axial strain of largest magnitude along the voxel's axes, with its sign */
    VXW_STRESS = 2,  /* Pa; likewise */
    VXW_CONTACT = 3, /* N */
    VXW_ENERGY = 4,  /* J */
    VXW_PHASE = 5    /* cycles, 0 to 1: the phase offset of its actuation */
} vxw_values;

/* Numbers that do not change about a world, but for the step, which tuning may shorten. */
typedef enum vxw_fact {
    VXW_VOXELS,
    VXW_BONDS,
    VXW_BODIES,
    VXW_MASS,   /* kg */
    VXW_STEP,   /* s */
    VXW_EDGE,   /* m: of a voxel at rest */
    VXW_GROUPS, /* of voxels, for targets */
    VXW_QUADS,
    VXW_NATIVE, /* 1 where it runs by our own law in the place of the one that the design asks for,
                   which needs double precision */
    VXW_FACTS
} vxw_fact;

/* Numbers of a frame. */
typedef enum vxw_number {
    VXW_TIME, /* s */
    VXW_STEPS,
    VXW_CENTER_X, /* m: centre of mass */
    VXW_CENTER_Y,
    VXW_CENTER_Z,
    VXW_LOWEST,  /* m: z of the lowest corner */
    VXW_KINETIC, /* J */
    VXW_ELASTIC, /* J */
    VXW_FITNESS, /* NaN where the design has no formula of it */
    VXW_NUMBERS
} vxw_number;

/* Memory for what JavaScript hands over; null if there is none. */
VXW_EXPORT(vxw_take) void *vxw_take(uint32_t size);
VXW_EXPORT(vxw_release) void vxw_release(void *block);

/* Why the last call failed. */
VXW_EXPORT(vxw_message) const char *vxw_message(void);

/* The release of the library, such as "0.1.0". */
VXW_EXPORT(vxw_version) const char *vxw_version(void);

/* The bytes that vxw_read and vxw_write make, and lines of text beside them: notes or warnings. */
VXW_EXPORT(vxw_result) const char *vxw_result(void);
VXW_EXPORT(vxw_result_size) uint32_t vxw_result_size(void);
VXW_EXPORT(vxw_lines) const char *vxw_lines(void);

/* Reads a file of any format, by its name; the result is the text of a scene, the lines are what
   was ignored or assumed. */
VXW_EXPORT(vxw_read) int vxw_read(const char *name, const void *bytes, uint32_t size);

/* Writes the text of a scene as a file of the format that the name says; the lines are what that
   format lost. */
VXW_EXPORT(vxw_write) int vxw_write(const char *name, const char *scene, uint32_t size);

/* Compiles a world of the text of a scene, at rest; step_scale is a factor on the time step. The
   lines are warnings. After a failure there is no world. */
VXW_EXPORT(vxw_open) int vxw_open(const char *scene, uint32_t size, double step_scale);

/* Puts a new world of the same scene in the place of the present one. */
VXW_EXPORT(vxw_rest) int vxw_rest(void);

/* What follows needs a world. (VXW_FACTS) numbers; (quads) voxel of each quadrilateral, affine
   bodies counted behind the voxels. */
VXW_EXPORT(vxw_facts) const double *vxw_facts(void);
VXW_EXPORT(vxw_quad_voxels) const uint32_t *vxw_quad_voxels(void);

/* Advances by a number of steps. After VXE_ERROR_DIVERGED, (2) voxels that failed in vxw_failed. */
VXW_EXPORT(vxw_advance) int vxw_advance(uint32_t steps);
VXW_EXPORT(vxw_failed) const uint32_t *vxw_failed(void);

/* Takes a frame: (VXW_NUMBERS) numbers; corners (quads, 4, 3) m; values (voxels) as asked. */
VXW_EXPORT(vxw_frame) const double *vxw_frame(int values);
VXW_EXPORT(vxw_corners) const float *vxw_corners(void);
VXW_EXPORT(vxw_voxel_values) const float *vxw_voxel_values(void);

/* Pulls the voxel by a hand, 0 to 9, to a place (m); lets go. */
VXW_EXPORT(vxw_pull)
int vxw_pull(uint32_t hand, uint32_t voxel, double x, double y, double z);
VXW_EXPORT(vxw_let_go) int vxw_let_go(uint32_t hand);

/* Seven numbers of the present tuning: gravity (3), amplitude, frequency, friction, drag; and a new
   tuning of such numbers. */
VXW_EXPORT(vxw_tuning) double *vxw_tuning(void);
VXW_EXPORT(vxw_tune) int vxw_tune(const double *numbers);

/* Sets the target of a group of voxels, as a factor on their edges. */
VXW_EXPORT(vxw_target) int vxw_target(uint32_t group, double factor);

/* The hash of the state: its lower (0) or upper (1) half. */
VXW_EXPORT(vxw_hash) uint32_t vxw_hash(int upper);

#endif
