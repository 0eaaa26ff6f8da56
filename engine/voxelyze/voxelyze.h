/* SPDX-License-Identifier: MIT */
/* The public header of voxelyze/: the bond law of Voxelyze, and the whole step of evosoro, of its
   land-water fork and of reconfigurable_organisms (bond law, floor, contact and fluid), in double,
   so that published robots score as they were published. A compatibility preset chooses it; see
   engine/conventions.h. Source: what these simulators were measured to do, voxel by voxel, with
   published robots (docs/accuracy.md, Compatibility presets).

   Order of a step: forces of bonds, contacts and fluid at the present poses and sizes -> momentum
   -> friction, by the velocity of the last step -> positions and orientations -> sizes at the time
   at which the step began. */
#ifndef VXE_ENGINE_VOXELYZE_VOXELYZE_H
#define VXE_ENGINE_VOXELYZE_VOXELYZE_H

#include "common/messages_internal.h"
#include "common/status.h"
#include "engine/core/arrays.h"
#include "engine/core/dispatch.h"
#include "engine/core/voxelyze_state.h"

struct vxe_design;
struct vxe_model;
struct vxe_workspace;
struct vxe_state;

/* Coefficients of a bond: axial spring (bending and shear are multiples of it), torsion spring, and
 * the dashpots of its two ends, each by the mass m and moment of inertia I of its own voxel. */
enum {
    VXE_VOXELYZE_SPRING,     /* E a, N/m */
    VXE_VOXELYZE_TWIST,      /* G J/a, N m/rad */
    VXE_VOXELYZE_DASH_LOWER, /* zeta sqrt(m E a), N s/m */
    VXE_VOXELYZE_DASH_UPPER,
    VXE_VOXELYZE_TWIST_LOWER, /* zeta sqrt(I GJ/a), N m s/rad */
    VXE_VOXELYZE_TWIST_UPPER,
    VXE_VOXELYZE_ROW
};

/* Voxelyze's law relates strains to the length that a bond has without stress and updates history
 * in every step. Evosoro's relates them to the nominal length and does not update history in steps
 * that change the mode. */
typedef enum vxe_voxelyze_law {
    VXE_VOXELYZE_ORIGINAL,
    VXE_VOXELYZE_EVOSORO,
    VXE_VOXELYZE_LAWS
} vxe_voxelyze_law;

/* Bounds of the large-angle mode: it is left within one set of bounds and entered beyond another.
 */
typedef struct vxe_voxelyze_bounds {
    double cosine;  /* minimum cosine of half the angle between the voxels (evosoro only) */
    double across;  /* maximum of (|y| + |z|)/x */
    double shrink;  /* minimum of x by the length (Voxelyze only) */
    double stretch; /* maximum of x by the length */
} vxe_voxelyze_bounds;

/* The floor of these simulators. */
typedef struct vxe_voxelyze_floor {
    double slope;     /* rise over run along x; the floor still pushes straight up */
    double rim2;      /* m^2: squared radius of the floor; infinite if it has no rim */
    double center[2]; /* m: centre of the rim, about the body's origin */
    double origin_x;  /* m: of the body's origin; the slope is 0 m high at x = 0 */
    bool sticky;      /* a voxel that touches the floor does not slide */
    bool pulls;       /* the dashpot acts also where it exceeds the spring */
    bool by_spring;   /* friction depends on the spring alone */
} vxe_voxelyze_floor;

/* Lanes of a vector of packed bonds. */
#define VXE_VOXELYZE_WIDTH 8u

/* Layout of coefficients and history of the bonds along an axis: number of vectors, and lanes of
 * each. */
typedef struct vxe_voxelyze_lanes {
    uint32_t vectors, width;
} vxe_voxelyze_lanes;

vxe_voxelyze_lanes vxe_voxelyze_lanes_of(const vxe_kernel_arrays *arrays, int axis);

/* A bond's voxels, as slots. */
typedef struct vxe_voxelyze_ends {
    uint32_t lower, upper;
} vxe_voxelyze_ends;

/* Fills the voxels of the bond in a lane of a vector; false if the lane has no bond. */
bool vxe_voxelyze_ends_of(const vxe_kernel_arrays *arrays, int axis, uint32_t vector, uint32_t lane,
                          vxe_voxelyze_ends *ends);

/* Runs the law on the bonds of a vector and discards the forces. remembers: history is updated.
 * Returns the lanes that failed. */
uint32_t vxe_voxelyze_search(const struct vxe_model *model, const vxe_kernel_arrays *arrays,
                             int axis, uint32_t vector, bool remembers);

/* Arrays that the kernels of this module read beside the common ones. If the bonds of an axis are
 * packed (vxe_packed_bonds), vectors have VXE_VOXELYZE_WIDTH lanes; else they are those of rows and
 * have VXE_VECTOR lanes. */
typedef struct vxe_voxelyze_arrays {
    const double *row[3];    /* (vectors, VXE_VOXELYZE_ROW, width) */
    double *memory[3];       /* (vectors, VXE_VOXELYZE_MEMORY, width) */
    double *push[3];         /* (S) N: by contacts and fluid in this step; null without both */
    const double *strain;    /* (S) amplitude of actuation */
    const double *phase;     /* (S) cycles */
    const double *growth[4]; /* (4, S) initial size less 1, growth, its start (s) and rate (1/s);
                                null if nothing grows */
    double min;              /* minimum size by the nominal edge: smaller sizes are not applied */
    double max;              /* maximum size by the nominal edge: growth beyond is not applied */
    double by_step;          /* 1/s: 1 by the time step */
    vxe_voxelyze_bounds enter, leave;
    vxe_voxelyze_floor ground;
    double spin_drag; /* factor on the global damping of rotation */
} vxe_voxelyze_arrays;

/* Positions of surface voxels, contiguous. */
typedef struct vxe_voxelyze_points {
    const double *x[3]; /* (count) m */
    uint32_t count;
} vxe_voxelyze_points;

/* What sizes depend on at one time. */
typedef struct vxe_voxelyze_clock {
    double time;   /* s */
    double cycles; /* of the actuation, as that simulator counts them */
    double turn;   /* the simulator's value of pi, divided by pi */
    double born;   /* progress of initial sizes, 0 to 1 */
    double waves;  /* how far actuation acts, 0 to 1 */
} vxe_voxelyze_clock;

/* The surface mesh on which a fluid acts: free faces, with corners that all voxels around them
 * share. */
typedef struct vxe_fluid_mesh {
    uint32_t corner_count, part_count, facet_count;
    uint32_t *part_first;   /* (corner_count + 1) index of a corner's first part */
    uint32_t *part;         /* (part_count) voxel corners that make up a corner, as indices in the
                               flow's array: corner k of slot i has k S + i */
    double *share;          /* (corner_count) 1 by the corner's number of parts */
    uint32_t *facet_slot;   /* (facet_count) slot of a free face's voxel */
    uint32_t *facet_corner; /* (facet_count, 4) corners around it */
} vxe_fluid_mesh;

/* Workspace of the fluid. */
typedef struct vxe_voxelyze_flow {
    uint64_t stride; /* S */
    double *part;    /* (3, 8, S) m: corners of each voxel */
    double *corner;  /* (corner_count, 3) m */
} vxe_voxelyze_flow;

typedef struct vxe_fluid_mesh_kernels {
    /* Adds the drag on the free faces of the first `voxels` slots to their push. */
    void (*flow)(const vxe_kernel_arrays *arrays, uint32_t voxels, const vxe_fluid_mesh *mesh,
                 const vxe_voxelyze_flow *flow, double drag);
} vxe_fluid_mesh_kernels;

typedef struct vxe_voxelyze_kernels {
    /* Bond kernels by law and axis, see vxe_bond_kernels. */
    uint32_t (*run[VXE_VOXELYZE_LAWS][3])(const vxe_kernel_arrays *arrays,
                                          const vxe_bond_target *target, uint32_t first,
                                          uint32_t last);
    /* Moves slots [first, last) by a step of h seconds and clears the sums. */
    void (*advance)(const vxe_kernel_arrays *arrays, const vxe_bond_target *sums, uint32_t first,
                    uint32_t last, double h);
    /* Computes the sizes of slots [first, last). */
    void (*resize)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last,
                   const vxe_voxelyze_clock *clock);
    /* Maximum squared speed (m^2/s^2) of the first count slots. */
    double (*fastest)(const vxe_kernel_arrays *arrays, uint32_t count);
    /* Lists the points of higher index than one that are nearer to it than reach (m). found must
     * have capacity for VXE_VOXELYZE_WIDTH more. Returns their number. */
    uint32_t (*near)(const vxe_voxelyze_points *points, uint32_t one, double reach,
                     uint32_t *found);
} vxe_voxelyze_kernels;

typedef struct vxe_voxelyze_packed_kernels {
    /* Adds the forces of the packed bonds of a chunk to target. If target is contiguous, only
     * vector contiguous_first of the axis is computed, whatever the chunk, and target is not
     * written. */
    uint32_t (*run[VXE_VOXELYZE_LAWS][3])(const vxe_kernel_arrays *arrays,
                                          const vxe_bond_target *target, uint32_t chunk);
} vxe_voxelyze_packed_kernels;

/* The part of a model that this module compiles. */
typedef struct vxe_voxelyze_model {
    vxe_voxelyze_law law;
    vxe_voxelyze_arrays view; /* constant arrays and numbers */
    double *block[16];        /* memory of the arrays */
    uint32_t block_count;
    bool steps;    /* this module has the whole step, not bonds only; the members below need it */
    double period; /* s: of the actuation, as that simulator rounds it; 0 without actuation */
    double drag;   /* N s^2/m^4: of a face, by area and squared speed; 0 without a fluid */
    vxe_fluid_mesh mesh;
    uint32_t *surface; /* (surface_count) slots that collide */
    uint32_t surface_count;
    uint32_t *bonded_first; /* (surface_count + 1) */
    uint32_t *bonded; /* indices in surface of bonded neighbours of higher index, which make no
                         contact, sorted */
    double *modulus;  /* (S) E a, N/m: stiffness of contact */
} vxe_voxelyze_model;

/* Compiles a design, as its file has it, for a model that is complete but for this. Does nothing
 * under the native bond law. */
vxe_status vxe_voxelyze_model_init(struct vxe_model *model, const struct vxe_design *design,
                                   vxe_error *error);
void vxe_voxelyze_model_release(vxe_voxelyze_model *voxelyze);
vxe_status vxe_fluid_mesh_init(struct vxe_model *model, const struct vxe_design *design,
                               vxe_error *error);

/* Whether the bonds of a model of the Voxelyze family are packed; such a model runs on one thread.
 */
bool vxe_voxelyze_packs(const struct vxe_model *model);

/* Copies a design as the simulators of the Voxelyze family read it: a shallow copy, which shares
 * the design's arrays. Warns of what they do not have. */
struct vxe_conventions;
void vxe_voxelyze_read_design(const struct vxe_conventions *conventions,
                              const struct vxe_design *design, struct vxe_design *read,
                              vxe_messages *warnings);

/* The kernels of an instruction set. */
const vxe_voxelyze_kernels *vxe_voxelyze_kernels_of(const vxe_kernels *kernels);
const vxe_voxelyze_packed_kernels *vxe_voxelyze_packed_kernels_of(const vxe_kernels *kernels);
const vxe_fluid_mesh_kernels *vxe_fluid_mesh_kernels_of(const vxe_kernels *kernels);

/* Sizes of the state of a model. */
vxe_voxelyze_size vxe_voxelyze_size_of(const struct vxe_model *model);

/* The memory of a run. */
typedef struct vxe_voxelyze_workspace {
    vxe_voxelyze_arrays view;
    double *block;    /* memory of push, point and flow */
    double *push[3];  /* (S) N: by contacts and fluid in this step */
    double *point[3]; /* (3, surface_count) m: positions of surface voxels */
    vxe_voxelyze_flow flow;
    uint32_t *found; /* (surface_count + VXE_VOXELYZE_WIDTH) points near one */
} vxe_voxelyze_workspace;

/* Takes, releases and binds to a state the memory of a run. */
vxe_status vxe_voxelyze_workspace_init(struct vxe_workspace *workspace, vxe_error *error);
void vxe_voxelyze_workspace_clear(struct vxe_workspace *workspace);
void vxe_voxelyze_workspace_bind(struct vxe_workspace *workspace, struct vxe_state *state);

/* To be called when a caller has set the pose of a voxel: the history of its bonds becomes that of
 * a voxel at rest there, and the contact list is made again. */
void vxe_voxelyze_placed(struct vxe_workspace *workspace, uint32_t slot);

/* Marks (1) the voxels, in design order, that touch another voxel in the bound state. */
struct vxe_topology;
void vxe_voxelyze_touches(const struct vxe_workspace *workspace,
                          const struct vxe_topology *topology, uint8_t *touched);

/* Depth (m) of a voxel in the floor of these simulators; negative above it and beyond its rim. */
double vxe_voxelyze_depth(const struct vxe_workspace *workspace, uint32_t slot);

/* Computes the forces of contacts and fluid at the start of a step. Called by one thread before any
 * voxel moves. */
void vxe_voxelyze_step(struct vxe_workspace *workspace, double h);

/* What sizes depend on at a time (s). */
vxe_voxelyze_clock vxe_voxelyze_clock_at(const struct vxe_model *model, double time);

#endif
