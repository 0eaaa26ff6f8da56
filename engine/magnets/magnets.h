/* SPDX-License-Identifier: MIT */
/* The public header of magnets/: voxels with a magnetic moment (docs/magnets.md). In each step the
   dipoles are moved with their voxels (place), the field and force at each dipole are summed over
   all others (act), soft dipoles are magnetised iteratively (polarise), and the voxels sum force
   and moment over their dipoles and the external field (collect). Each dipole sums in one order, so
   the result does not depend on the number of threads. */
#ifndef VXE_ENGINE_MAGNETS_MAGNETS_H
#define VXE_ENGINE_MAGNETS_MAGNETS_H

#include "common/expression_internal.h"
#include "engine/core/arrays.h"
#include "engine/core/dispatch.h"
#include "lattice/design.h"

struct vxe_model;
struct vxe_workspace;
struct vxe_messages;

/* T m/A: magnetic constant. */
#define VXE_MU0 (4e-7 * 3.14159265358979323846)

/* Softening or cap, in distances of dipoles at rest, from which on forces stay so bounded that the
   time step resolves dipoles wherever they are. */
#define VXE_SAFE_SOFTENING 0.4

/* The external field at a time: B(x) = uniform + gradient (x - reference). */
typedef struct vxe_magnet_field {
    double uniform[3];     /* T */
    double gradient[3][3]; /* T/m */
    double reference[3];   /* m about the body's origin */
} vxe_magnet_field;

/* The constants of a design's magnets. */
typedef struct vxe_magnets {
    uint32_t count;     /* N: voxels with a permanent moment or a susceptibility */
    uint32_t parts;     /* dipoles per voxel, divisions^3 */
    uint32_t divisions; /* dipoles along an edge */
    uint32_t every;     /* dipoles act on each other in every such step */
    bool pairs;         /* dipoles act on each other */
    bool induced;       /* moments are induced by fields */
    int32_t *slot;      /* (N) ascending */
    double *moment;     /* (N, 3) A m^2, along the voxel's own axes */
    double *soft;    /* (N) A m^2/T: moment that a field induces in a voxel; null unless induced */
    double unit;     /* A m^2: expected maximum moment of a dipole */
    double cap;      /* edges; 0: none */
    double soften;   /* edges; 0: none */
    double reach;    /* edges: pairs farther apart do not interact; infinite: all interact */
    double steepest; /* edges^-10: the square of r^-5 of the nearest largest moments that the step
                        resolves; infinite where no pair can be steeper */
    double at_an_edge; /* 1/s^2: what dipoles an edge apart add to the largest eigenvalue */
    double lambda;     /* 1/s^2: maximum that magnets add to the largest eigenvalue */
    double shortest; /* s: shortest period of the external field, by its fastest change; 0: none */
    double largest;  /* T: maximum of the external field over the times sampled */
    vxe_expression field[3];
    vxe_expression gradient[VXE_GRADIENT_PARTS];
    double reference[3]; /* m about the body's origin */
} vxe_magnets;

/* Cell list: dipoles sorted into boxes at least as wide as their reach, x fastest. Those that act
   on a dipole are in its box and the 26 around it, that is in nine contiguous rows of three boxes.
 */
typedef struct vxe_dipole_grid {
    uint32_t sides[3];   /* boxes along each axis */
    uint32_t *box;       /* (D) of each dipole */
    uint32_t *rank;      /* (D) index of a dipole in sorted order */
    uint32_t *first_of;  /* (boxes + 1) index of the first dipole of a box in sorted order */
    vxe_reals *x[3];     /* (3, D) this and the arrays below are sorted; see vxe_dipoles */
    vxe_reals *x_low[3]; /* (3, D) */
    vxe_reals *m[3];     /* (3, D) */
    vxe_reals *owner;    /* (D) */
} vxe_dipole_grid;

/* Maximum number of boxes along an axis. */
#define VXE_MAX_BOXES 48u

/* Dipoles at their present positions: D = N parts of them, voxel after voxel, and padding. Numbers
   have the run's precision. */
typedef struct vxe_dipoles {
    uint32_t count; /* D */
    uint32_t parts;
    uint32_t divisions;
    const int32_t *slot;  /* (N) of each voxel */
    vxe_reals *x[3];      /* (3, D) m about the body's origin: position of the voxel */
    vxe_reals *x_low[3];  /* (3, D) m: position of the dipole less x */
    vxe_reals *m[3];      /* (3, D) moment by the unit, world axes */
    vxe_reals *own[3];    /* (3, D) permanent part of it; null unless induced */
    vxe_reals *owner;     /* (D) voxel 0 to N - 1, as vxe_real_mask; -1 in the padding */
    vxe_reals *force[3];  /* (3, D) see dipole_law.h */
    vxe_reals *field[3];  /* (3, D) */
    vxe_reals *moment[3]; /* (3, N) moment of a dipole by the unit, in the voxel's own axes */
    vxe_reals *soft;      /* (N) of a dipole, per field in units of k/edge^3; null unless induced */
    double by_edge;       /* 1/m */
    double cap;           /* edges */
    double soft2;         /* edges squared: e^2 of the law */
    double reach;         /* edges */
    double unit;          /* A m^2 */
    double field_unit;    /* T: k unit/edge^3 */
    double force_unit;    /* N: 3 k unit^2/edge^4 */
    vxe_dipole_grid *grid; /* null where all pairs are computed */
} vxe_dipoles;

/* Sorts dipoles by their present positions. */
void vxe_dipole_grid_sort(const vxe_dipoles *dipoles, vxe_precision precision);
/* Copies the moments of dipoles [first, last) to the sorted arrays. */
void vxe_dipole_grid_update(const vxe_dipoles *dipoles, vxe_precision precision, uint32_t first,
                            uint32_t last);

/* The memory of magnets in a workspace. */
typedef struct vxe_magnet_workspace {
    vxe_dipoles dipoles;
    vxe_reals *load[6]; /* (6, S) N and N m on the voxels */
    uint8_t *loaded;    /* (chunks) 1 if a voxel of the chunk is a magnet */
    double *change;     /* (threads) maximum change of an induced moment, by the unit */
    bool unsettled;     /* the iteration of induced moments did not converge */
    uint8_t
        *too_close; /* (threads) 1 if dipoles were nearer to each other than the step resolves */
    vxe_dipole_grid grid;
    vxe_reals *block[48]; /* all arrays, to release them */
    uint32_t blocks;
} vxe_magnet_workspace;

typedef struct vxe_magnet_kernels {
    /* Moves the dipoles of voxels [first, last) to their present positions. */
    void (*place)(const vxe_kernel_arrays *body, const vxe_dipoles *dipoles, uint32_t first,
                  uint32_t last);
    /* Computes field and force at dipoles [first, last) by all dipoles. Returns the largest
     * steepness of a pair, see dipole_law.h. */
    double (*act)(const vxe_dipoles *dipoles, uint32_t first, uint32_t last);
    /* Relaxes the moments of the dipoles of voxels [first, last) by a fraction (part) towards those
     * that the fields of act induce. Returns the maximum change, by the unit. */
    double (*polarise)(const vxe_dipoles *dipoles, const vxe_magnet_field *outside, double part,
                       uint32_t first, uint32_t last);
    /* Computes the loads (6, S) of voxels [first, last): those of dipoles on each other, multiplied
     * by times, and those of the external field. */
    void (*collect)(const vxe_dipoles *dipoles, const vxe_magnet_field *outside, double times,
                    vxe_reals *const load[6], uint32_t first, uint32_t last);
} vxe_magnet_kernels;

/* Compiles the magnets of a design; a design may have none. */
vxe_status vxe_model_fill_magnets(struct vxe_model *model, const vxe_design *design,
                                  struct vxe_messages *warnings, vxe_error *error);
void vxe_magnets_release(vxe_magnets *magnets);

/* edges^-10: the steepest pair that a time step (s) resolves, in the units of dipole_law.h. */
static inline double vxe_magnets_steepest(const vxe_magnets *magnets, double time_step)
{
    const double by_5 = 1 / (time_step * time_step * magnets->at_an_edge);
    return by_5 * by_5 > magnets->steepest ? by_5 * by_5 : magnets->steepest;
}

/* The external field at a time (s). */
vxe_magnet_field vxe_magnets_field_at(const vxe_magnets *magnets, double time);

/* Takes and releases the memory of magnets in a workspace; nothing if there are none. */
vxe_status vxe_workspace_magnets_init(struct vxe_workspace *workspace, vxe_error *error);
void vxe_workspace_magnets_clear(struct vxe_workspace *workspace);

/* Computes the loads of a thread's share of the magnets at the start of a step. Called by all
   threads; the results are complete after the next barrier. */
void vxe_workspace_magnets(struct vxe_workspace *workspace, uint64_t step, double time,
                           uint32_t thread, uint32_t threads);

/* Whether dipoles came nearer to each other than the time step resolves. */
bool vxe_workspace_magnets_near(const struct vxe_workspace *workspace);

/* Energy (J) of the dipoles in each other's fields (pairs) and in the external field (outside) at a
   time. An induced moment has half of the energy of an equal permanent one. */
typedef struct vxe_magnet_energy {
    double pairs, outside;
} vxe_magnet_energy;

vxe_magnet_energy vxe_magnets_energy(const struct vxe_workspace *workspace, double time);

/* Computes the loads at the present poses and a time (s) into the workspace. */
void vxe_magnets_measure(const struct vxe_workspace *workspace, double time);

/* The kernels of an instruction set and precision. */
const vxe_magnet_kernels *vxe_magnet_kernels_of(const vxe_kernels *kernels);

#endif
