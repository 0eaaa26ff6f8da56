/* SPDX-License-Identifier: MIT */
/* The bond law of Voxelyze, and the whole step of evosoro, of its land-water fork and of
   reconfigurable_organisms: bond law, floor, contact and fluid, in double. Published robots score
   by it as they did. It is chosen by conventions alone; see engine/conventions.h. Source: what
   their simulators were measured to do, voxel by voxel, with published robots (docs/accuracy.md,
   Compatibility presets).

   Order of a step: forces of bonds, contacts and fluid in the poses and sizes at hand -> momentum
   -> friction, by the velocity of the last step -> places and orientations -> sizes at the time at
   which the step began. */
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

/* Coefficients of a bond: its axial spring (bending and shear are multiples) and torsion, and the
 * dashpots that its two ends feel, each by its own mass. */
enum {
    VXE_VOXELYZE_SPRING,     /* E a, N/m */
    VXE_VOXELYZE_TWIST,      /* G J/a, N m/rad */
    VXE_VOXELYZE_DASH_LOWER, /* zeta sqrt(m E a), N s/m */
    VXE_VOXELYZE_DASH_UPPER,
    VXE_VOXELYZE_TWIST_LOWER, /* zeta sqrt(I GJ/a), N m s/rad */
    VXE_VOXELYZE_TWIST_UPPER,
    VXE_VOXELYZE_ROW
};

/* Voxelyze takes strains of the length that a bond has without stress, and remembers every step;
 * evosoro takes them of the nominal length, and leaves out steps that change the mode. */
typedef enum vxe_voxelyze_law {
    VXE_VOXELYZE_ORIGINAL,
    VXE_VOXELYZE_EVOSORO,
    VXE_VOXELYZE_LAWS
} vxe_voxelyze_law;

/* The large-angle mode is left within these bounds, or entered beyond them. */
typedef struct vxe_voxelyze_bounds {
    double cosine;  /* of half the angle between both voxels, at least */
    double across;  /* (|y| + |z|)/x, at most */
    double shrink;  /* x by the length, at least (Voxelyze alone), */
    double stretch; /* and at most */
} vxe_voxelyze_bounds;

typedef struct vxe_voxelyze_floor {
    double slope;     /* rise over run along x; it pushes straight up all the same */
    double rim2;      /* m^2: there is none farther from the middle than its root */
    double center[2]; /* m, about the body's origin */
    double origin_x;  /* m: of the body, where the slope counts from 0 */
    bool sticky;
} vxe_voxelyze_floor;

/* Lanes of a vector of packed bonds. */
#define VXE_VOXELYZE_WIDTH 8u

/* Vectors of an axis as these conventions keep rows and memory of its bonds. */
typedef struct vxe_voxelyze_lanes {
    uint32_t vectors, width;
} vxe_voxelyze_lanes;

vxe_voxelyze_lanes vxe_voxelyze_lanes_of(const vxe_kernel_arrays *arrays, int axis);

/* A bond's voxels, as slots. */
typedef struct vxe_voxelyze_ends {
    uint32_t lower, upper;
} vxe_voxelyze_ends;

/* Those of a lane of a vector; false where there is no bond. */
bool vxe_voxelyze_ends_of(const vxe_kernel_arrays *arrays, int axis, uint32_t vector, uint32_t lane,
                          vxe_voxelyze_ends *ends);

/* The law on a vector's bonds, what they do thrown away; they remember it, or not. Returns the
 * lanes that failed. */
uint32_t vxe_voxelyze_search(const struct vxe_model *model, const vxe_kernel_arrays *arrays,
                             int axis, uint32_t vector, bool remembers);

/* What kernels of these conventions read beside the arrays of all. Width is VXE_VOXELYZE_WIDTH and
 * vectors are packed where bonds of an axis are (vxe_packed_bonds), else VXE_VECTOR and in rows. */
typedef struct vxe_voxelyze_arrays {
    const double *row[3];    /* (vectors, VXE_VOXELYZE_ROW, width) */
    double *memory[3];       /* (vectors, VXE_VOXELYZE_MEMORY, width) */
    double *push[3];         /* (S) N: of contacts and fluid in this step; null where neither is */
    const double *strain;    /* (S) of actuation */
    const double *phase;     /* (S) cycles */
    const double *growth[4]; /* (4, S) initial size less 1, growth, its start (s) and rate (1/s);
                                null where nothing grows */
    double min;     /* times the nominal edge: steps that would shrink below are dropped, */
    double max;     /* and those that would grow beyond */
    double by_step; /* 1/s */
    vxe_voxelyze_bounds enter, leave;
    vxe_voxelyze_floor ground;
} vxe_voxelyze_arrays;

/* Places of surface voxels, packed. */
typedef struct vxe_voxelyze_points {
    const double *x[3]; /* (count) m */
    uint32_t count;
} vxe_voxelyze_points;

/* Sizes of one time. */
typedef struct vxe_voxelyze_clock {
    double time;   /* s */
    double cycles; /* of the actuation, as that simulator counts them */
    double turn;   /* 2 pi of theirs by 2 pi */
    double born;   /* how far initial sizes have come, 0 to 1 */
    bool waves;    /* actuation acts */
} vxe_voxelyze_clock;

/* Free faces and their corners, which a fluid sees: corners are shared by all voxels around them.
 */
typedef struct vxe_fluid_mesh {
    uint32_t corner_count, part_count, facet_count;
    uint32_t *part_first;   /* (corner_count + 1) */
    uint32_t *part;         /* (part_count) of a corner, as places in a flow's: corner k of
                               slot i at k S + i */
    double *share;          /* (corner_count) 1 by their number */
    uint32_t *facet_slot;   /* (facet_count) of a free face's voxel */
    uint32_t *facet_corner; /* (facet_count, 4) around it */
} vxe_fluid_mesh;

/* What a step's flow needs. */
typedef struct vxe_voxelyze_flow {
    uint64_t stride; /* S */
    double *part;    /* (3, 8, S) m: corners of each voxel */
    double *corner;  /* (corner_count, 3) m */
} vxe_voxelyze_flow;

typedef struct vxe_fluid_mesh_kernels {
    /* Adds what a fluid does to the faces of voxels (the first so many slots) to their push. */
    void (*flow)(const vxe_kernel_arrays *arrays, uint32_t voxels, const vxe_fluid_mesh *mesh,
                 const vxe_voxelyze_flow *flow, double drag);
} vxe_fluid_mesh_kernels;

typedef struct vxe_voxelyze_kernels {
    /* As those of vxe_bond_kernels, of Voxelyze's law and of evosoro's. */
    uint32_t (*run[VXE_VOXELYZE_LAWS][3])(const vxe_kernel_arrays *arrays,
                                          const vxe_bond_target *target, uint32_t first,
                                          uint32_t last);
    /* Moves slots [first, last) by a step of h seconds; sums are cleared. */
    void (*advance)(const vxe_kernel_arrays *arrays, const vxe_bond_target *sums, uint32_t first,
                    uint32_t last, double h);
    void (*resize)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last,
                   const vxe_voxelyze_clock *clock);
    /* Squared speed of the fastest voxel of the first count slots. */
    double (*fastest)(const vxe_kernel_arrays *arrays, uint32_t count);
    /* Points behind point one that are nearer to it than reach (m), into found, which has room for
     * VXE_VOXELYZE_WIDTH more; returns how many. */
    uint32_t (*near)(const vxe_voxelyze_points *points, uint32_t one, double reach,
                     uint32_t *found);
} vxe_voxelyze_kernels;

typedef struct vxe_voxelyze_packed_kernels {
    /* Packed bonds of a chunk, added to target. Where that is packed only vector packed_first of
     * the axis is looked at, whatever the chunk, and nothing is put into target. */
    uint32_t (*run[VXE_VOXELYZE_LAWS][3])(const vxe_kernel_arrays *arrays,
                                          const vxe_bond_target *target, uint32_t chunk);
} vxe_voxelyze_packed_kernels;

/* What of a model these conventions compile. */
typedef struct vxe_voxelyze_model {
    vxe_voxelyze_law law;
    vxe_voxelyze_arrays view; /* its model part */
    double *block[16];
    uint32_t block_count;
    bool steps;    /* it is the whole step, and not bonds alone: all below is of that */
    double period; /* s, of the actuation: as that simulator rounds it; 0 without one */
    double drag;   /* N s^2/m^4 of a face, 0 without a fluid */
    vxe_fluid_mesh mesh;
    uint32_t *surface; /* (surface_count) slots that collide */
    uint32_t surface_count;
    uint32_t *bonded_first; /* (surface_count + 1) */
    uint32_t *bonded; /* places in surface that a voxel does not touch, those behind it, sorted */
    double *modulus;  /* (S) E a, N/m: of contact */
} vxe_voxelyze_model;

/* Compiles a design, as its file has it, for a model that is complete but for this; nothing where
 * conventions have our law. */
vxe_status vxe_voxelyze_model_init(struct vxe_model *model, const struct vxe_design *design,
                                   vxe_error *error);
void vxe_voxelyze_model_release(vxe_voxelyze_model *voxelyze);
vxe_status vxe_fluid_mesh_init(struct vxe_model *model, const struct vxe_design *design,
                               vxe_error *error);

/* Whether bonds of a model under the Voxelyze family's law are packed: one thread runs it then. */
bool vxe_voxelyze_packs(const struct vxe_model *model);

/* A design as conventions read it: a shallow copy, whose arrays are the design's own. */
struct vxe_conventions;
void vxe_voxelyze_read_design(const struct vxe_conventions *conventions,
                              const struct vxe_design *design, struct vxe_design *read,
                              vxe_messages *warnings);

const vxe_voxelyze_kernels *vxe_voxelyze_kernels_of(const vxe_kernels *kernels);
const vxe_voxelyze_packed_kernels *vxe_voxelyze_packed_kernels_of(const vxe_kernels *kernels);
const vxe_fluid_mesh_kernels *vxe_fluid_mesh_kernels_of(const vxe_kernels *kernels);

vxe_voxelyze_size vxe_voxelyze_size_of(const struct vxe_model *model);

/* What a run needs. */
typedef struct vxe_voxelyze_workspace {
    vxe_voxelyze_arrays view;
    double *block;    /* of all below */
    double *push[3];  /* (S) */
    double *point[3]; /* (3, surface_count) m, places */
    vxe_voxelyze_flow flow;
    uint32_t *found; /* (surface_count + VXE_VOXELYZE_WIDTH) */
} vxe_voxelyze_workspace;

vxe_status vxe_voxelyze_workspace_init(struct vxe_workspace *workspace, vxe_error *error);
void vxe_voxelyze_workspace_clear(struct vxe_workspace *workspace);
void vxe_voxelyze_workspace_bind(struct vxe_workspace *workspace, struct vxe_state *state);

/* A voxel was put somewhere by hand: its bonds remember that it has always been there, and who
 * touches whom is looked for anew. */
void vxe_voxelyze_placed(struct vxe_workspace *workspace, uint32_t slot);

/* Marks (1) the voxels, in design order, that another pushes in the bound state. */
struct vxe_topology;
void vxe_voxelyze_touches(const struct vxe_workspace *workspace,
                          const struct vxe_topology *topology, uint8_t *touched);

/* How deep (m) a voxel is in the floor of these conventions, negative above it or beyond its rim.
 */
double vxe_voxelyze_depth(const struct vxe_workspace *workspace, uint32_t slot);

/* Forces of contacts and fluid at the start of a step; by one thread, before any voxel moves. */
void vxe_voxelyze_step(struct vxe_workspace *workspace, double h);

/* Numbers that sizes follow. */
vxe_voxelyze_clock vxe_voxelyze_clock_at(const struct vxe_model *model, double time);

#endif
