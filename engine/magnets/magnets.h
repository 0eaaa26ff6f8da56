/* SPDX-License-Identifier: MIT */
/* Voxels with a magnetic moment. Each step: the voxels put their dipoles in place (place), every
   dipole sums what all others do to it (act), is magnetised by it where it is soft (polarise, over
   and over), and the voxels sum force and moment over their dipoles and the external field
   (collect). Each dipole sums in one order, so that threads change no bit. */
#ifndef VXE_ENGINE_MAGNETS_MAGNETS_H
#define VXE_ENGINE_MAGNETS_MAGNETS_H

#include "common/expression_internal.h"
#include "engine/core/arrays.h"
#include "engine/core/dispatch.h"
#include "lattice/design.h"

struct vxe_model;
struct vxe_workspace;
struct vxe_messages;

/* T m/A */
#define VXE_MU0 (4e-7 * 3.14159265358979323846)

/* The external field at a time: B at a place is uniform + gradient (place - reference). */
typedef struct vxe_magnet_field {
    double uniform[3];     /* T */
    double gradient[3][3]; /* T/m */
    double reference[3];   /* m about the body's origin */
} vxe_magnet_field;

/* What of a design's magnets does not change. */
typedef struct vxe_magnets {
    uint32_t count;     /* N: voxels that have a moment, or may be given one */
    uint32_t parts;     /* dipoles of each, divisions^3 */
    uint32_t divisions; /* n */
    uint32_t every;     /* steps */
    bool pairs;         /* dipoles act on each other */
    bool induced;       /* and are magnetised by it */
    int32_t *slot;      /* (N) ascending */
    double *moment;     /* (N, 3) A m^2, along the voxel's own axes */
    double *soft;    /* (N) A m^2/T: moment that a field induces in a voxel; null unless induced */
    double unit;     /* A m^2: the largest moment of a dipole that is expected */
    double cap;      /* edges; 0: none */
    double soften;   /* edges; 0: none */
    double reach;    /* edges: pairs farther apart do nothing; infinite: all act */
    double lambda;   /* 1/s^2: what it all adds to the largest eigenvalue at most */
    double shortest; /* s: period of the external field, by the fastest change found; 0: none */
    double largest;  /* T: of the external field, over the times sampled */
    vxe_expression field[3];
    vxe_expression gradient[VXE_GRADIENT_PARTS];
    double reference[3]; /* m about the body's origin */
} vxe_magnets;

/* Dipoles sorted into boxes at least as wide as their reach, x fastest: those that a dipole feels
   are in its box and the 26 around it, nine rows of them side by side. */
typedef struct vxe_dipole_grid {
    uint32_t sides[3];   /* boxes along each axis */
    uint32_t *box;       /* (D) of each dipole */
    uint32_t *rank;      /* (D) where a dipole is sorted to */
    uint32_t *first_of;  /* (boxes + 1) the first sorted dipole of a box */
    vxe_reals *x[3];     /* (3, D) sorted, as all below; see vxe_dipoles */
    vxe_reals *x_low[3]; /* (3, D) */
    vxe_reals *m[3];     /* (3, D) */
    vxe_reals *owner;    /* (D) */
} vxe_dipole_grid;

/* Most boxes along an axis. */
#define VXE_MAX_BOXES 48u

/* Dipoles in place, D = N parts of them and padding, voxel after voxel. Numbers are vxe_real. */
typedef struct vxe_dipoles {
    uint32_t count; /* D */
    uint32_t parts;
    uint32_t divisions;
    const int32_t *slot;  /* (N) of each voxel */
    vxe_reals *x[3];      /* (3, D) m about the body's origin: of the voxel; */
    vxe_reals *x_low[3];  /* (3, D) m: the rest of it */
    vxe_reals *m[3];      /* (3, D) of the unit, world axes */
    vxe_reals *own[3];    /* (3, D) likewise the permanent part; null unless induced */
    vxe_reals *owner;     /* (D) voxel 0 to N - 1, as a mask's number; -1 behind the last */
    vxe_reals *force[3];  /* (3, D) see dipole_law.h */
    vxe_reals *field[3];  /* (3, D) */
    vxe_reals *moment[3]; /* (3, N) of the unit, of a dipole along the voxel's own axes */
    vxe_reals *soft;      /* (N) of a dipole, per field by k/edge^3; null unless induced */
    double by_edge;       /* 1/m */
    double cap;           /* edges */
    double soft2;         /* edges squared, of the law */
    double reach;
    double unit;           /* A m^2 */
    double field_unit;     /* T: k unit/edge^3 */
    double force_unit;     /* N: 3 k unit^2/edge^4 */
    vxe_dipole_grid *grid; /* null where all pairs are looked at */
} vxe_dipoles;

/* Sorts dipoles that are in place, */
void vxe_dipole_grid_sort(const vxe_dipoles *dipoles, vxe_precision precision);
/* and takes the moments of dipoles [first, last) anew. */
void vxe_dipole_grid_update(const vxe_dipoles *dipoles, vxe_precision precision, uint32_t first,
                            uint32_t last);

/* What dipoles do in a workspace. */
typedef struct vxe_magnet_workspace {
    vxe_dipoles dipoles;
    vxe_reals *load[6]; /* (6, S) N and N m on the voxels */
    uint8_t *loaded;    /* (chunks) 1 where some voxel is a magnet */
    double *change;     /* (threads) the largest that an induced moment has changed by */
    bool unsettled;     /* induced moments did not come to rest */
    vxe_dipole_grid grid;
    vxe_reals *block[48];
    uint32_t blocks;
} vxe_magnet_workspace;

typedef struct vxe_magnet_kernels {
    /* Dipoles of voxels [first, last) where they are now. */
    void (*place)(const vxe_kernel_arrays *body, const vxe_dipoles *dipoles, uint32_t first,
                  uint32_t last);
    /* What all do to dipoles [first, last). */
    void (*act)(const vxe_dipoles *dipoles, uint32_t first, uint32_t last);
    /* Takes the moments of the dipoles of voxels [first, last) a part of their way to those in the
     * fields that act has found; the largest change, of the unit. */
    double (*polarise)(const vxe_dipoles *dipoles, const vxe_magnet_field *outside, double part,
                       uint32_t first, uint32_t last);
    /* Loads (6, S) of voxels [first, last): what dipoles do to each other, so many times, and the
     * field outside. */
    void (*collect)(const vxe_dipoles *dipoles, const vxe_magnet_field *outside, double times,
                    vxe_reals *const load[6], uint32_t first, uint32_t last);
} vxe_magnet_kernels;

/* Magnets of a design; none where it has none. */
vxe_status vxe_model_fill_magnets(struct vxe_model *model, const vxe_design *design,
                                  struct vxe_messages *warnings, vxe_error *error);
void vxe_magnets_release(vxe_magnets *magnets);

vxe_magnet_field vxe_magnets_field_at(const vxe_magnets *magnets, double time);

vxe_status vxe_workspace_magnets_init(struct vxe_workspace *workspace, vxe_error *error);
void vxe_workspace_magnets_clear(struct vxe_workspace *workspace);

/* Loads of a thread's share of the magnets at the start of a step; done when all have met. */
void vxe_workspace_magnets(struct vxe_workspace *workspace, uint64_t step, double time,
                           uint32_t thread, uint32_t threads);

/* Energy (J) of the dipoles in each other's fields and in the external one at a time; induced ones
   hold half of what permanent ones would. */
typedef struct vxe_magnet_energy {
    double pairs, outside;
} vxe_magnet_energy;

vxe_magnet_energy vxe_magnets_energy(const struct vxe_workspace *workspace, double time);

/* Puts the loads that act at these poses and that time into the workspace. */
void vxe_magnets_measure(const struct vxe_workspace *workspace, double time);

const vxe_magnet_kernels *vxe_magnet_kernels_of(const vxe_kernels *kernels);

#endif
