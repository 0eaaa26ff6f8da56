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
#include "engine/floor/terrain.h"
#include "engine/voxels/actuation.h"

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
        *floor_friction[2];     /* (2, S) coefficients of static and dynamic friction there */
    const vxe_terrain *terrain; /* null where the floor is level */
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

struct vxe_prefetch; /* prefetch.h */

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

/* Which law a bond kernel computes. Free: all coefficients of each bond are its own, and bonds may
   be coupled (condensed). */
typedef enum vxe_bond_kernel {
    VXE_BOND_ELASTIC, /* springs alone */
    VXE_BOND_ELASTIC_FREE,
    VXE_BOND_ELASTIC_EVEN, /* two channels */
    VXE_BOND_EXPLICIT,     /* springs and dashpots, four channels */
    VXE_BOND_EXPLICIT_FREE,
    VXE_BOND_EXPLICIT_EVEN,     /* springs and dashpots, two channels */
    VXE_BOND_EXPLICIT_VOXELYZE, /* same, moment of the shear dashpot halved (conventions voxelyze)
                                 */
    VXE_BOND_EXPLICIT_FREE_VOXELYZE,
    VXE_BOND_SWEPT, /* springs alone, and keep the geometry for sweeps */
    VXE_BOND_SWEPT_FREE,
    VXE_BOND_SWEPT_EVEN,
    VXE_BOND_DAMP, /* dashpots alone, with the geometry kept */
    VXE_BOND_DAMP_FREE,
    VXE_BOND_DAMP_EVEN,
    VXE_BOND_ELASTIC_SET, /* free ones with permanent strain, tension from strains across, and
                             broken ones left out */
    VXE_BOND_EXPLICIT_SET,
    VXE_BOND_EXPLICIT_SET_VOXELYZE,
    VXE_BOND_SWEPT_SET,
    VXE_BOND_DAMP_SET,
    VXE_BOND_BAR_ELASTIC, /* bars: force along the chord, no moments */
    VXE_BOND_BAR_EXPLICIT,
    VXE_BOND_BAR_DAMP,
    VXE_BOND_KERNELS,
    VXE_BOND_VOXELYZE = VXE_BOND_KERNELS /* the peers' law, which has a table of its own */
} vxe_bond_kernel;

/* What a kick applies beside the bonds. */
enum {
    VXE_KICK_EXTERNAL = 1,      /* gravity and loads */
    VXE_KICK_FLOOR = 2,         /* floor springs */
    VXE_KICK_EXPLICIT_DRAG = 4, /* global and floor dashpots as forces */
    /* what the kick of a sweep starts from, if not from the velocities at hand */
    VXE_KICK_FROM_KEPT = 8,
    VXE_KICK_FROM_MIDDLE = 16,
    VXE_KICK_TO_MIDDLE = 32, /* those at hand are put there first */
    VXE_KICK_ITERATION = VXE_KICK_FROM_KEPT | VXE_KICK_FROM_MIDDLE | VXE_KICK_TO_MIDDLE,
    /* velocities are kept first; or, where nothing is to come between, halved at once */
    VXE_KICK_HALVE = 64
};

/* What a kick has found and done. */
enum {
    VXE_KICKED_TOUCHING = 1, /* a voxel touches the floor or is stuck to it */
    VXE_KICKED_HALVED = 2
};

/* What a pass does to its voxels: before their bonds velocities are kept; after them come drive,
 * decay, halving, friction, drift, resizing. Or all that the peers' step does. */
enum {
    VXE_STAGE_DRIVE = 1,
    VXE_STAGE_DECAY = 2,
    VXE_STAGE_FRICTION = 4,
    VXE_STAGE_DRIFT = 8,
    VXE_STAGE_RESIZE = 16,
    VXE_STAGE_KEEP = 32,
    VXE_STAGE_HALVE = 64,
    VXE_STAGE_VOXELYZE = 128
};

/* What is felt of a vector's bonds; anything where there is none, or a broken one. */
typedef struct vxe_bond_vector_sample {
    double strain[VXE_VECTOR];  /* axial, of the rest length without permanent strain */
    double tension[VXE_VECTOR]; /* N, with what strains across add */
    double energy[VXE_VECTOR];  /* J */
} vxe_bond_vector_sample;

typedef struct vxe_bond_kernels {
    /* Bonds of vectors [first, last) of an axis, added to target. Returns the lanes in which some
     * existing bond failed the divergence check, a bit each. */
    uint32_t (*run[VXE_BOND_KERNELS][3])(const vxe_kernel_arrays *arrays,
                                         const vxe_bond_target *target, uint32_t first,
                                         uint32_t last);
    /* Axial strains of a vector's bonds. Returns whether one of them, less its permanent strain, is
     * beyond its range either way. */
    bool (*strain)(const vxe_kernel_arrays *arrays, int axis, uint32_t vector, vxe_reals *strain);
    void (*sample)(const vxe_kernel_arrays *arrays, int axis, uint32_t vector, bool bars,
                   vxe_bond_vector_sample *into);
    /* Elastic strains of the bonds of vectors [first, last), to those of their voxels that are in
     * slots [begin, end), each by its part: strain_up and strain_down. */
    void (*part_strains)(const vxe_kernel_arrays *arrays, int axis, uint32_t first, uint32_t last,
                         uint32_t begin, uint32_t end);
    /* Adds what vectors [first, last) have put packed to the sums of their lower voxels; */
    void (*add_lower)(const vxe_bond_vectors *bonds, const vxe_bond_target *contiguous,
                      uint32_t first, uint32_t last, const vxe_bond_target *sums);
    /* and to those of the upper voxels in slots [begin, end). */
    void (*add_upper)(const vxe_bond_vectors *bonds, const vxe_bond_target *contiguous,
                      uint32_t first, uint32_t last, const vxe_bond_target *sums, uint32_t begin,
                      uint32_t end);
} vxe_bond_kernels;

typedef struct vxe_packed_kernels {
    /* Woven bonds of a chunk, added to target, which is not packed; null where a kernel does not
     * know them. Returns as vxe_bond_kernels.run. */
    uint32_t (*run[VXE_BOND_KERNELS][3])(const vxe_kernel_arrays *arrays,
                                         const vxe_bond_target *target, uint32_t chunk);
} vxe_packed_kernels;

/* What a damping sweep goes over in a chunk whose bonds stand block by block. */
typedef struct vxe_damping_range {
    struct {
        uint32_t first, last;
    } vector[3];          /* (3) bond vectors of each axis */
    uint32_t first, last; /* slots: whole blocks */
} vxe_damping_range;

/* A damping sweep over the chunks whose bonds stand block by block (vxe_chunks): the same sums,
   with what a voxel's own bonds do kept in registers. By kernel less VXE_BOND_DAMP; null where
   sweeps go axis by axis alone. */
#define VXE_SWEEP_LAWS 3
typedef struct vxe_damping_kernels {
    /* Bonds in z and y. */
    void (*across[VXE_SWEEP_LAWS])(const vxe_kernel_arrays *arrays, const vxe_bond_target *target,
                                   const vxe_damping_range *range);
    /* Bonds in x, which all reach to the next slot, and the kick over h seconds from the velocities
     * that flags name (VXE_KICK_ITERATION): of whole blocks. */
    void (*close[VXE_SWEEP_LAWS])(const vxe_kernel_arrays *arrays, const vxe_bond_target *target,
                                  const vxe_damping_range *range, double h, uint32_t flags);
} vxe_damping_kernels;

typedef struct vxe_voxel_kernels {
    /* v, w of slots [first, last) over h seconds from the sums of own and pull, which are cleared.
       Returns a bit for each of VXE_KICKED_TOUCHING and VXE_KICKED_HALVED. */
    uint32_t (*kick)(const vxe_kernel_arrays *arrays, const vxe_bond_target *sums, uint32_t first,
                     uint32_t last, double h, uint32_t flags);
    /* Keeps v and w; */
    void (*keep)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last);
    /* and later keeps those of then, and puts v and w half way from the former to them. */
    void (*halve)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last);
    /* Half a step h/2 of exact decay of v and w by drag and, where touching, floor dashpots. */
    void (*decay)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last, double h,
                  bool touching);
    /* Coulomb impulse of the step. */
    void (*friction)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last);
    void (*drift)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last, double h);
    /* Tensions that the strains of the other axes make. */
    void (*poisson_coupling)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last);
    /* Swell at a time, whose numbers (VXE_CLOCK_) and factors by group are given; returns by how
       much some edge has grown at most, m. */
    double (*resize)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last,
                     const double *clock, const double *factors);
} vxe_voxel_kernels;

struct vxe_affine_kernels;      /* affine_lanes.h */
struct vxe_power_kernels;       /* power_law.h */
struct vxe_frame_codec_kernels; /* frame_codec.h */
struct vxe_linear_kernels;      /* linearized.h */
struct vxe_lane_kernels;        /* lane_kernels.h */
struct vxe_contact_kernels;     /* contact_kernels.h, as the next */
struct vxe_broad_phase_kernels;
struct vxe_magnet_kernels;   /* magnets.h */
struct vxe_voxelyze_kernels; /* voxelyze.h, as the next */
struct vxe_voxelyze_packed_kernels;
struct vxe_fluid_mesh_kernels;

typedef struct vxe_kernels {
    const char *isa;
    vxe_precision precision;
    const vxe_bond_kernels *bonds;
    const vxe_packed_kernels *packed;
    const vxe_damping_kernels *damping;
    const vxe_voxel_kernels *voxels;
    const struct vxe_lane_kernels *lanes;
    const struct vxe_contact_kernels *contacts;
    const struct vxe_magnet_kernels *magnets;
    const struct vxe_broad_phase_kernels *broad_phase;
    const struct vxe_linear_kernels *linear;
    const struct vxe_affine_kernels *affine;
    const struct vxe_power_kernels *power;
    const struct vxe_frame_codec_kernels *codec;
    const struct vxe_voxelyze_kernels *voxelyze; /* null but in double, as the next */
    const struct vxe_voxelyze_packed_kernels *voxelyze_packed;
    const struct vxe_fluid_mesh_kernels *fluid_mesh;
} vxe_kernels;

/* The kernels of a precision for this machine: of the newest instruction set that it has, or of the
   one that the environment variable VOXELASTIC_ISA names. Null where it has none such; then *why
   says so. */
const vxe_kernels *vxe_kernels_for_machine(vxe_precision precision, const char **why);

#endif
