/* SPDX-License-Identifier: MIT */
/* The arrays that the inner loops (kernels) of a step read and write for one body. Kernels are
   plain functions over ranges of slots, built once per instruction set and precision and reached
   through tables.

   Voxels stand in the arrays in scan order, one slot each, without gaps. Bonds of one axis stand
   in vectors of up to VXE_VECTOR bonds whose lower voxels are consecutive slots and whose upper
   voxels are consecutive slots (absent bonds have zero stiffness and are blended out), so that
   every load and store is contiguous and no gather is needed. A chunk is a range of slots; no
   vector has bonds of two chunks.

   A voxel sums its six bonds in one order, whatever the chunks, threads and lanes: ((up z + up
   y) + up x) + ((down z + down y) + down x). The bonds that reach up from it are summed in its
   lower force accumulator, in which it is the lower voxel; the bonds that reach down from it in
   its upper force accumulator. Within a chunk bonds run axis by axis. Across chunks a scan of z,
   y, x visits a voxel's lower neighbours in just that order, so that one array gathers them. A
   body of one chunk may use another scan order. */
#ifndef VXE_ENGINE_CORE_ARRAYS_H
#define VXE_ENGINE_CORE_ARRAYS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/core/array_lists.h"
#include "engine/core/real_array.h"

struct vxe_terrain;         /* floor.h */
struct vxe_prefetch;        /* prefetch.h */
struct vxe_voxelyze_arrays; /* voxelyze.h */

/* Numbers of a voxel from which its edge follows (actuation_law.h). */
enum {
    VXE_SIZE_STRAIN,    /* strain amplitude of the wave */
    VXE_SIZE_FREQUENCY, /* factor on the actuation's */
    VXE_SIZE_PHASE,     /* cycles */
    VXE_SIZE_INITIAL,   /* factor at birth, less 1 */
    VXE_SIZE_GROWTH,    /* factor by which it grows beyond that */
    VXE_SIZE_START,     /* s */
    VXE_SIZE_RATE,      /* 1/s */
    VXE_SIZE_GROUP,
    VXE_ACTUATION_VALUES
};

/* Numbers of a moment, for all voxels, from which their edges follow. */
enum {
    VXE_CLOCK_SINE, /* of the wave's phase, times the envelope */
    VXE_CLOCK_COSINE,
    VXE_CLOCK_TIME,     /* s */
    VXE_CLOCK_CYCLES,   /* of the actuation */
    VXE_CLOCK_ENVELOPE, /* of the wave, 0 to 1 */
    VXE_CLOCK_MIN,      /* bounds of 1 + strain */
    VXE_CLOCK_MAX,
    VXE_CLOCK_WARMEST, /* upper bound of the wave's value, before it is scaled by a voxel's
                          amplitude */
    VXE_CLOCK_BORN,    /* part of the initial size that is reached, 0 to 1 */
    VXE_CLOCK_EDGE,    /* m */
    VXE_CLOCK_NUMBERS
};

/* Bonds of a vector, whatever the instruction set, so that one layout of bonds serves all. */
#define VXE_VECTOR 16u
/* Slots after the last voxel that vectors may read and write. */
#define VXE_SLOT_PADDING VXE_VECTOR
/* Slots of a chunk, and of a chunk of large bodies (chunks.c). A window of accumulators holds
   the larger one and a vector. */
#define VXE_CHUNK_SLOTS 256u
#define VXE_LARGE_CHUNK_SLOTS 512u
#define VXE_WINDOW (VXE_LARGE_CHUNK_SLOTS + VXE_VECTOR)

_Static_assert((VXE_VECTOR & (VXE_VECTOR - 1)) == 0, "kernels halve vectors and mask lanes");
_Static_assert(VXE_VECTOR <= 16, "vxe_bond_vectors.present has 16 bits");
_Static_assert(VXE_CHUNK_SLOTS % VXE_VECTOR == 0, "chunks are whole vectors");
_Static_assert(VXE_LARGE_CHUNK_SLOTS % VXE_CHUNK_SLOTS == 0, "large chunks are whole chunks");

/* Coefficients of a bond. Where a body's bonds are proportional, the first four stand for all:
   the other stiffnesses and dashpots are fixed multiples of them (vxe_bond_ratios). Where they
   are even, the first two do: shear equals axial and torsion is a multiple too, as in a body of
   one Poisson's ratio. */
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
    VXE_COUPLE,      /* k_c, N/rad: zero except in condensed bonds of two materials */
    VXE_LOWER_PART,  /* strain of the lower voxel as a multiple of the bond's; the upper one's
                        multiple is 2 less that */
    VXE_AXIAL_BOUND, /* N/m: with this as k_a, and no Poisson coupling, a bond is at least as
                        stiff as it is */
    VXE_FREE_VALUES
};

/* Fixed multiples in a body with proportional bonds. */
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

/* How packed bonds of an axis are added to the accumulators of their voxels: in groups of 16
   slots, whose bonds follow each other among those of the chunk. */
typedef struct vxe_packed_sums {
    uint32_t *first; /* (chunks + 1) */
    uint32_t *slot;  /* first slot of a group of 16 */
    uint16_t *bond;  /* index among the chunk's bonds of the first that belongs to the group */
    uint16_t *mask;  /* one bit for each slot of the group: the slot has a bond */
} vxe_packed_sums;

/* Packed bonds: the bonds of one axis of a body with gaps, stored one after another in full
   vectors. Each voxel lies in a window of two vectors of slots, from which a shuffle brings it
   into its lane (bond_kernels_packed.c; for the Voxelyze family voxelyze_kernels_packed.c). A
   body of one partition runs them where they are few beside the vectors of consecutive slots and
   where a kernel for them exists; the bits are the same. Everything else uses the vectors of
   consecutive slots. */
typedef struct vxe_packed_bonds {
    uint32_t width;    /* lanes of a vector: VXE_VECTOR, or VXE_VOXELYZE_WIDTH for the Voxelyze
                          family */
    uint32_t count;    /* vectors; 0 where the bonds of this axis are not packed */
    uint32_t *first;   /* (chunks + 1) first vector of each chunk */
    uint32_t *lower;   /* (count) first slot of the window of lower voxels */
    uint32_t *upper;   /* (count) first slot of the window of upper voxels */
    uint32_t *row;     /* (count) row of coefficients; native law only */
    uint16_t *bond;    /* (count) index among the chunk's bonds of the bond in the first lane */
    uint8_t *lanes;    /* (count) number of lanes that have a bond; these come first */
    uint8_t *lower_at; /* (count, width) places in the windows; unused lanes have the place of
                          the first lane */
    uint8_t *upper_at;
    vxe_packed_sums lower_force; /* sums of lower voxels */
    vxe_packed_sums upper_force; /* sums of upper voxels */
} vxe_packed_bonds;

/* What the floor's dashpot does, and what friction sees of the floor. All but the first take the
   floor's force where the step begins. */
typedef enum vxe_floor_rule {
    VXE_FLOOR_NATIVE = 0,     /* the mean force of the step, which never pulls; all of it */
    VXE_FLOOR_PULLS,          /* may pull; the spring alone: the Voxelyze family's floor */
    VXE_FLOOR_PULLS_WHOLE,    /* may pull; the whole force */
    VXE_FLOOR_SPRING_FRICTION /* never pulls; the spring alone */
} vxe_floor_rule;

/* Everything a kernel reads or writes, by slot (S = voxels + padding): pointers to the arrays of
   array_lists.h, and what is not by voxel. */
typedef struct vxe_kernel_arrays {
    /* state: (components, S); null where the state has none */
#define VXE_MEMBER(name, NAME, in_double, in_mixed, reader, unit) vxe_reals *name[in_mixed];
    VXE_STATE_FIELDS(VXE_MEMBER)
#undef VXE_MEMBER
#define VXE_MEMBER(name, reader, unit) vxe_reals *name[3];
    VXE_STATE_BOND_FIELDS(VXE_MEMBER)
#undef VXE_MEMBER
    /* model: (S) or (components, S) */
#define VXE_ONE(name, reader, unit) const vxe_reals *name;
#define VXE_MANY(name, count, reader, unit) const vxe_reals *name[count];
    VXE_MODEL_ARRAYS(VXE_ONE, VXE_MANY)
#undef VXE_ONE
#undef VXE_MANY
    const struct vxe_terrain *terrain; /* null where the floor is level */
    vxe_bond_vectors bonds[3];
    vxe_packed_bonds packed[3];
    const vxe_reals *rows; /* (rows, row_values, VXE_VECTOR); zero for absent bonds */
    uint32_t row_values;   /* VXE_EVEN_VALUES, VXE_PROPORTIONAL_VALUES or VXE_FREE_VALUES */
    vxe_bond_ratios ratios;
    /* workspace: (S) or (components, S) */
#define VXE_ONE(name, need, reader, unit) vxe_reals *name;
#define VXE_MANY(name, count, need, reader, unit) vxe_reals *name[count];
    VXE_WORKSPACE_ARRAYS(VXE_ONE, VXE_MANY)
#undef VXE_ONE
#undef VXE_MANY
    vxe_reals *kept[6];         /* by slot from kept_first on: v and w after the kick by springs;
                                   with the polynomial damping iteration */
    vxe_reals *middle[6];       /* by slot from kept_first on: v and w half way to those; with three
                                   damping iterations or more, or where a time step set later may
                                   need as many */
    vxe_reals *geometry[3];     /* (3, vectors, 6, VXE_VECTOR) half chord (m) and axis of each bond,
                                   by vector from geometry_first on; with the polynomial damping
                                   iteration */
    uint32_t kept_first;        /* 0, or such that the current chunk lies within the arrays */
    uint32_t geometry_first[3]; /* the same for vectors (wavefront.c); wraps below zero as unsigned
                                   numbers do */
    const struct vxe_voxelyze_arrays *voxelyze; /* null under the native law */
    /* numbers */
    double edge;         /* m: edge of the lattice */
    double gravity[3];   /* m/s^2 */
    double floor_height; /* m about the body's origin */
    double fluid_drag;   /* rho C_d/2, kg/m^3 */
    double fluid_lift;   /* kg/m^3: the fluid's density where there is buoyancy, else 0 */
    vxe_floor_rule floor_rule;
    double bond_pull; /* of the bonds' dashpots on a voxel in a step (floor/friction_law.h); 0 where
                    they are explicit */
    bool dithers;     /* more than weight along z pushes from outside, or voxels are loose: all
                         velocities and turns need the dither (voxels/dither_law.h) */
} vxe_kernel_arrays;

/* Whether some component needs the dither; without `dithers` only that of weight along z. */
static inline bool vxe_dithers(const vxe_kernel_arrays *arrays)
{
    return arrays->dithers || arrays->gravity[2] != 0;
}

/* Inertia of a voxel divided by its mass, m^2. */
static inline double vxe_gyration(vxe_precision precision, const vxe_kernel_arrays *arrays,
                                  uint32_t slot)
{
    return arrays->gyration ? vxe_real_at(precision, arrays->gyration, slot)
                            : arrays->edge * arrays->edge / 6;
}

/* Where a bond kernel adds the forces and moments on the lower voxels and on the upper ones. */
typedef struct vxe_bond_target {
    vxe_reals *lower_force[6]; /* by slot from lower_first on */
    vxe_reals *upper_force[6]; /* by slot from upper_first on */
    uint32_t lower_first;
    uint32_t upper_first;
    struct vxe_prefetch *prefetch; /* memory to prefetch meanwhile; null: none */
    bool contiguous;               /* both arrays are filled vector after vector instead, whatever
                                      the slots */
    uint32_t contiguous_first;     /* the vector that the arrays begin with then */
    bool probe;                    /* dry run: bond history is not updated */
} vxe_bond_target;

#endif
