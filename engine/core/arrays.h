/* SPDX-License-Identifier: MIT */
/* The inner loops of a step for one body: plain functions over ranges, built once per instruction
   set and precision, reached through tables.

   Voxels stand in the arrays in scan order, one slot each, without padding. Bonds of one axis stand
   in vectors of up to VXE_VECTOR bonds whose lower voxels are consecutive slots and whose upper
   voxels are consecutive slots (absent bonds have zero stiffness and are blended out), so that
   every load and store is contiguous and no gather is needed. A chunk is a range of slots; no
   vector has bonds of two chunks.

   A voxel sums its six bonds in one order whatever the chunks, threads and lanes:
   ((own z + own y) + own x) + ((-z + -y) + -x), where own bonds reach up from it and the others
   come from its lower neighbours through `pull`. Axis by axis within a chunk, and across chunks
   because a scan of z, y, x meets a voxel's lower neighbours in just that order, so that one array
   gathers them. A body of one chunk may stand in another scan. */
#ifndef VXE_ENGINE_CORE_ARRAYS_H
#define VXE_ENGINE_CORE_ARRAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/core/real_array.h"

struct vxe_terrain;         /* floor.h */
struct vxe_prefetch;        /* prefetch.h */
struct vxe_voxelyze_arrays; /* voxelyze.h */

/* The numbers that the edge of a voxel follows from: of a voxel, */
enum {
    VXE_SIZE_STRAIN,    /* amplitude of the wave */
    VXE_SIZE_FREQUENCY, /* factor on the actuation's */
    VXE_SIZE_PHASE,     /* cycles */
    VXE_SIZE_INITIAL,   /* factor at birth, less 1 */
    VXE_SIZE_GROWTH,    /* what it grows by beyond that */
    VXE_SIZE_START,     /* s */
    VXE_SIZE_RATE,      /* 1/s */
    VXE_SIZE_GROUP,
    VXE_ACTUATION_VALUES
};

/* and of a time, for all voxels. */
enum {
    VXE_CLOCK_SINE, /* of the wave, times the envelope */
    VXE_CLOCK_COSINE,
    VXE_CLOCK_TIME,     /* s */
    VXE_CLOCK_CYCLES,   /* of the actuation */
    VXE_CLOCK_ENVELOPE, /* of the wave, 0 to 1 */
    VXE_CLOCK_MIN,      /* bounds of 1 + strain */
    VXE_CLOCK_MAX,
    VXE_CLOCK_WARMEST, /* bound of the wave, whatever it does to a voxel */
    VXE_CLOCK_BORN,    /* part of the initial size that is reached */
    VXE_CLOCK_EDGE,    /* m */
    VXE_CLOCK_NUMBERS
};

/* Bonds of a vector, whatever the instruction set: a schedule serves all. */
#define VXE_VECTOR 16u
/* Slots behind the last voxel that vectors may read and write. */
#define VXE_SLOT_PADDING VXE_VECTOR
/* Slots of a chunk, and of those of large bodies (chunks.c): the most that there are. */
#define VXE_CHUNK_SLOTS 256u
#define VXE_LARGE_CHUNK_SLOTS 512u
#define VXE_WINDOW (VXE_LARGE_CHUNK_SLOTS + VXE_VECTOR)

/* Coefficients of a bond. The first four stand for all where a body's bonds are proportional: their
   other stiffnesses and dashpots are fixed multiples (vxe_bond_ratios). The first two do where they
   are even: shear is as axial and torsion a multiple too, as in a body of one Poisson's ratio. */
enum {
    VXE_AXIAL,      /* k_a, N/m */
    VXE_DASH_AXIAL, /* N s/m */
    VXE_EVEN_VALUES,
    VXE_TORSION = VXE_EVEN_VALUES, /* k_t, N m/rad */
    VXE_DASH_TORSION,              /* N m s/rad */
    VXE_PROPORTIONAL_VALUES,
    VXE_SHEAR = VXE_PROPORTIONAL_VALUES, /* k_s, N/m */
    VXE_BENDING,                         /* k_b, N m/rad */
    VXE_DASH_SHEAR,                      /* N s/m */
    VXE_DASH_BENDING,                    /* N m s/rad */
    VXE_COUPLE,      /* k_c, N/rad: zero but in condensed bonds of unlike materials */
    VXE_LOWER_PART,  /* strain of the lower voxel by the bond's; the upper one's is 2 less that */
    VXE_AXIAL_BOUND, /* N/m: with it for k_a, and nothing across, a bond is no softer */
    VXE_FREE_VALUES
};

/* Multiples of a body with proportional bonds. */
typedef struct vxe_bond_ratios {
    double shear;        /* k_s / k_a */
    double torsion;      /* k_t / k_a, m^2, of even bonds */
    double bending;      /* k_b / k_a, m^2 */
    double dash_shear;   /* of the axial dashpot */
    double dash_torsion; /* of the axial dashpot, m^2, of even bonds */
    double dash_bending; /* of the axial dashpot, m^2 */
} vxe_bond_ratios;

/* Bonds of one axis. */
typedef struct vxe_bond_vectors {
    uint32_t count;    /* vectors */
    uint32_t *lower;   /* (count) slot of the first lower voxel */
    uint32_t *upper;   /* (count) slot of the first upper voxel */
    uint32_t *row;     /* (count) row of coefficients; many vectors may share one */
    uint16_t *present; /* (count) bit per lane: a bond is there */
} vxe_bond_vectors;

/* How the bonds of an axis are added to the sums of their voxels: 16 slots at a time, whose bonds
   follow each other among those of the chunk. */
typedef struct vxe_packed_sums {
    uint32_t *first; /* (chunks + 1) */
    uint32_t *slot;  /* the first of 16 */
    uint16_t *bond;  /* of the chunk's, the first that belongs to one of them */
    uint16_t *mask;  /* a bit each: that slot has one */
} vxe_packed_sums;

/* Bonds of one axis of a body with gaps, one behind the other, a width of them to a vector: each
   voxel is one of a window of two widths of slots, from where a shuffle brings it into its lane
   (bond_kernels_packed.c; by the peers' law, voxelyze_kernels_packed.c). Where these are few beside
   vectors whose voxels stand in rows, a body of one slab runs them instead, with the kernels that
   know them; the bits are the same. All else goes by the vectors in rows. */
typedef struct vxe_packed_bonds {
    uint32_t width;    /* lanes of a vector: VXE_VECTOR, by the peers' law VXE_VOXELYZE_WIDTH */
    uint32_t count;    /* vectors; 0: the bonds of this axis are not woven */
    uint32_t *first;   /* (chunks + 1) vector */
    uint32_t *lower;   /* (count) first slot of the window of lower voxels */
    uint32_t *upper;   /* (count) likewise of upper ones */
    uint32_t *row;     /* (count) row of coefficients, of our own law */
    uint16_t *bond;    /* (count) of the chunk's, that in the first lane */
    uint8_t *lanes;    /* (count) that have a bond: the first ones */
    uint8_t *lower_at; /* (count, width) places in the windows; lanes without have the first's */
    uint8_t *upper_at;
    vxe_packed_sums lower_force; /* of lower voxels */
    vxe_packed_sums upper_force; /* of upper ones */
} vxe_packed_bonds;

/* Everything a kernel reads or writes, by slot (S = voxels + padding). */
typedef struct vxe_kernel_arrays {
    /* state */
    vxe_reals *x[3];     /* (3, S) m, about the body's origin */
    vxe_reals *x_low[3]; /* (3, S) m, to be added to x; with mixed precision only */
    vxe_reals *q[4];     /* (4, S) w x y z */
    vxe_reals *v[3];     /* (3, S) m/s */
    vxe_reals *w[3];     /* (3, S) rad/s */
    vxe_reals *stuck;    /* (S) 1 while static friction holds */
    vxe_reals
        *permanent_strain[3]; /* (3, S) permanent strain of the bonds up; null where none yields */
    vxe_reals *broken[3];     /* (3, S) 1 of broken ones */
    vxe_reals *edge_growth;   /* (S) m, current edge less the lattice's */
    /* model */
    const vxe_reals *mass;            /* (S) kg */
    const vxe_reals *inverse_mass[3]; /* (3, S) 1/kg, 0 where the freedom is fixed */
    const vxe_reals *inverse_inertia[3];
    const vxe_reals *gyration;         /* (S) m^2: inertia by mass; null where all are cubes */
    const vxe_reals *edge_growth_sine; /* (S) m: swell times sin(2 pi t/P); null where not all
                                    voxels follow that wave */
    const vxe_reals *edge_growth_cosine;
    const vxe_reals *size[VXE_ACTUATION_VALUES]; /* (VXE_ACTUATION_VALUES, S) null where all do */
    const vxe_reals *load[6];         /* (6, S) constant force N and moment N m; null if none */
    const vxe_reals *drag;            /* (S) N s/m, null without global damping */
    const vxe_reals *spin_drag;       /* (S) N m s/rad */
    const vxe_reals *floor_stiffness; /* (S) N/m; null without a floor */
    const vxe_reals *floor_dashpot;   /* (S) N s/m */
    const vxe_reals
        *floor_friction[2]; /* (2, S) coefficients of static and dynamic friction there */
    const struct vxe_terrain *terrain;    /* null where the floor is level */
    const vxe_reals *poisson_coupling[3]; /* (3, S) N: of the strains of the two other axes than x,
                                   y, z; null without Poisson's ratio */
    const vxe_reals *contact_stiffness;   /* (S) N/m; null where nothing collides */
    const vxe_reals *contact_dashpot;     /* (S) N s/m */
    const vxe_reals *static_friction;     /* (S) between voxels; null where nothing collides */
    const vxe_reals *dynamic_friction;
    const vxe_reals *faces; /* (S) free faces of a voxel, a bit each: +x -x +y -y +z -z; null
                               without a fluid */
    vxe_bond_vectors bonds[3];
    vxe_packed_bonds packed[3];
    const vxe_reals *rows; /* (rows, row_values, VXE_VECTOR); zero for absent bonds */
    uint32_t row_values;   /* VXE_EVEN_VALUES, VXE_PROPORTIONAL_VALUES or VXE_FREE_VALUES */
    vxe_bond_ratios ratios;
    /* scratch */
    vxe_reals *field[3]; /* (3, S) N: of a field of force in this step; null where none acts */
    vxe_reals *normal_impulse;    /* (S) N s of the floor in this step; null without a floor */
    vxe_reals *before[2];         /* (2, S) m/s: tangential velocity before the kick */
    vxe_reals *terrain_depth;     /* (S) m, along the normal; null where the floor is level */
    vxe_reals *terrain_normal[3]; /* (3, S) */
    vxe_reals *terrain_gain;      /* (S) factor on the floor's stiffness */
    vxe_reals *kept[6];           /* by slot from kept_first on: v and w behind the kick by springs;
                                     with the sweep scheme */
    vxe_reals *middle[6];         /* likewise, half way to there; with three sweeps or more,
                                     or where targets may ask for those */
    vxe_reals *geometry[3];     /* (3, vectors, 6, VXE_VECTOR) half chord (m) and axis of each bond,
                                   by vector from geometry_first on; with the sweep scheme */
    uint32_t kept_first;        /* of all, or so that the chunk in hand has its place */
    uint32_t geometry_first[3]; /* likewise (wavefront.c); below zero as unsigned numbers are */
    vxe_reals *drag_decay;      /* (S) factor of half a step, with the sweep scheme */
    vxe_reals *spin_decay;
    vxe_reals *floor_decay;
    vxe_reals *strain_up[3];       /* (3, S) of the bond up from a voxel, its part; 0 if none */
    vxe_reals *strain_down[3];     /* (3, S) likewise down */
    vxe_reals *poisson_tension[3]; /* (3, S) N: what a voxel adds to the tension of its bonds */
    vxe_reals *range[3];           /* (3, S) strain below which a bond neither yields nor breaks */
    const struct vxe_voxelyze_arrays *voxelyze; /* null under our own law */
    /* numbers */
    double edge;         /* m: of the lattice */
    double gravity[3];   /* m/s^2 */
    double floor_height; /* m about the body's origin */
    double fluid_drag;   /* rho C_d/2, kg/m^3 */
    double fluid_lift;   /* kg/m^3: the fluid's density where it has buoyancy */
    bool floor_pulls; /* the peer's floor: the dashpot is not clamped, and friction sees the spring
                         alone */
} vxe_kernel_arrays;

/* Inertia of a voxel by its mass, m^2. */
static inline double vxe_gyration(vxe_precision precision, const vxe_kernel_arrays *arrays,
                                  uint32_t slot)
{
    return arrays->gyration ? vxe_real_at(precision, arrays->gyration, slot)
                            : arrays->edge * arrays->edge / 6;
}

/* Where a bond kernel puts what acts on the lower voxels (own) and on the upper ones (pull). */
typedef struct vxe_bond_target {
    vxe_reals *lower_force[6]; /* by slot from lower_first on */
    vxe_reals *upper_force[6]; /* by slot from upper_first on */
    uint32_t lower_first;
    uint32_t upper_first;
    struct vxe_prefetch *prefetch; /* what is fetched meanwhile; null: nothing */
    bool contiguous;           /* both are filled vector after vector instead, whatever the slots */
    uint32_t contiguous_first; /* the first vector of those */
    bool probe;                /* bonds are only looked at: they remember nothing of it */
} vxe_bond_target;

#endif
