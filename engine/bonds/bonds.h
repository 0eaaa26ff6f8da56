/* SPDX-License-Identifier: MIT */
/* The interface of bonds/: which parts of the bond law a kernel computes, and the tables through
   which solvers reach the kernels. The law itself is in bond_law.h. */
#ifndef VXE_ENGINE_BONDS_BONDS_H
#define VXE_ENGINE_BONDS_BONDS_H

#include "engine/bonds/bond_packing.h"
#include "engine/bonds/damping_polynomial.h"
#include "engine/bonds/linearized.h"
#include "engine/core/arrays.h"
#include "engine/core/dispatch.h"

/* Parts of the bond law that a kernel computes, as bits of a vxe_bond_parts. */
enum {
    VXE_BOND_SPRINGS = 1,
    VXE_BOND_DASHPOTS = 2,
    VXE_BOND_EVEN = 4,        /* rows of VXE_EVEN_VALUES: two coefficients */
    VXE_BOND_HALF_MOMENT = 8, /* the moment of the shear dashpot is halved, as in Voxelyze */
    VXE_BOND_FREE = 16,       /* rows of VXE_FREE_VALUES: each bond has all coefficients */
    VXE_BOND_BARS = 32,       /* a force along the chord, and no moments */
    VXE_BOND_KEEP = 64,       /* springs keep the geometry that dashpots need afterwards */
    VXE_BOND_YIELDING = 128,  /* permanent strain, Poisson tension, broken bonds */
    VXE_BOND_LAWS = 256,      /* combinations of the bits above; kernels exist for some of them */
    VXE_BOND_VOXELYZE = 256   /* the law of the Voxelyze family, which has tables of its own */
};
typedef uint32_t vxe_bond_parts;

/* Numbers of the geometry that springs keep of a bond. */
#define VXE_GEOMETRY_VALUES 6

/* Samples of a vector's bonds, for sensors; undefined where there is no bond, or a broken one. */
typedef struct vxe_bond_vector_sample {
    double strain[VXE_VECTOR];  /* axial, relative to the rest length without permanent strain */
    double tension[VXE_VECTOR]; /* N, Poisson tension included */
    double energy[VXE_VECTOR];  /* J */
} vxe_bond_vector_sample;

typedef struct vxe_bond_kernels {
    /* Adds the forces of the bonds of vectors [first, last) of an axis to target. Returns one
       bit for each lane in which some existing bond failed the divergence check. */
    uint32_t (*run[VXE_BOND_LAWS][3])(const vxe_kernel_arrays *arrays,
                                      const vxe_bond_target *target, uint32_t first, uint32_t last);
    /* Axial strains of a vector's bonds. Returns whether the elastic strain of one of them,
       which is less its permanent strain, is beyond its range either way. */
    bool (*strain)(const vxe_kernel_arrays *arrays, int axis, uint32_t vector, vxe_reals *strain);
    void (*sample)(const vxe_kernel_arrays *arrays, int axis, uint32_t vector, bool bars,
                   vxe_bond_vector_sample *into);
    /* Writes the elastic strains of the bonds of vectors [first, last) to strain_up and
       strain_down of those of their voxels that are in slots [begin, end), each voxel's part of
       them. */
    void (*part_strains)(const vxe_kernel_arrays *arrays, int axis, uint32_t first, uint32_t last,
                         uint32_t begin, uint32_t end);
    /* Adds the contiguous results of vectors [first, last) to the accumulators of their lower
       voxels. */
    void (*add_lower)(const vxe_bond_vectors *bonds, const vxe_bond_target *contiguous,
                      uint32_t first, uint32_t last, const vxe_bond_target *sums);
    /* Adds the contiguous results of vectors [first, last) to the accumulators of their upper
       voxels in slots [begin, end). */
    void (*add_upper)(const vxe_bond_vectors *bonds, const vxe_bond_target *contiguous,
                      uint32_t first, uint32_t last, const vxe_bond_target *sums, uint32_t begin,
                      uint32_t end);
} vxe_bond_kernels;

typedef struct vxe_packed_kernels {
    /* Adds the forces of a chunk's packed bonds to target, which must not be contiguous; null
       where there is no kernel for a law. Returns as vxe_bond_kernels.run. */
    uint32_t (*run[VXE_BOND_LAWS][3])(const vxe_kernel_arrays *arrays,
                                      const vxe_bond_target *target, uint32_t chunk);
} vxe_packed_kernels;

/* What a kick applies beside the forces of bonds. */
enum {
    VXE_KICK_EXTERNAL = 1,      /* gravity and loads */
    VXE_KICK_FLOOR = 2,         /* floor springs */
    VXE_KICK_EXPLICIT_DRAG = 4, /* global and floor dashpots as forces */
    /* the velocities that the kick of a damping iteration starts from, if not the current ones */
    VXE_KICK_FROM_KEPT = 8,
    VXE_KICK_FROM_MIDDLE = 16,
    VXE_KICK_TO_MIDDLE = 32, /* the current velocities are stored as the middle ones first */
    VXE_KICK_ITERATION = VXE_KICK_FROM_KEPT | VXE_KICK_FROM_MIDDLE | VXE_KICK_TO_MIDDLE,
    /* velocities are kept first; where nothing comes between, they are halved at once */
    VXE_KICK_HALVE = 64
};

/* What a damping iteration covers in a chunk whose bonds stand block by block. */
typedef struct vxe_damping_range {
    struct {
        uint32_t first, last;
    } vector[3];          /* (3) bond vectors of each axis */
    uint32_t first, last; /* slots: whole blocks */
} vxe_damping_range;

/* A damping iteration over the chunks whose bonds stand block by block (vxe_chunks): the same
   sums as axis by axis, with the lower force accumulators kept in registers. Indexed by
   vxe_damping_law_of; null where an iteration goes axis by axis only. */
#define VXE_DAMPING_LAWS 3
typedef struct vxe_damping_kernels {
    /* Bonds in z and y. */
    void (*across[VXE_DAMPING_LAWS])(const vxe_kernel_arrays *arrays, const vxe_bond_target *target,
                                     const vxe_damping_range *range);
    /* Bonds in x, which all reach to the next slot, and the kick over h seconds of whole blocks,
       from the velocities that flags name (VXE_KICK_ITERATION). */
    void (*close[VXE_DAMPING_LAWS])(const vxe_kernel_arrays *arrays, const vxe_bond_target *target,
                                    const vxe_damping_range *range, double h, uint32_t flags);
} vxe_damping_kernels;

/* Index of a damping law in vxe_damping_kernels; VXE_DAMPING_LAWS where these have no kernel for
   it. */
static inline uint32_t vxe_damping_law_of(vxe_bond_parts law)
{
    return law == VXE_BOND_DASHPOTS                     ? 0
           : law == (VXE_BOND_DASHPOTS | VXE_BOND_FREE) ? 1
           : law == (VXE_BOND_DASHPOTS | VXE_BOND_EVEN) ? 2
                                                        : VXE_DAMPING_LAWS;
}

/* The tables of an instruction set and precision. */
const vxe_bond_kernels *vxe_bond_kernels_of(const vxe_kernels *kernels);
const vxe_packed_kernels *vxe_packed_kernels_of(const vxe_kernels *kernels);
const vxe_damping_kernels *vxe_damping_kernels_of(const vxe_kernels *kernels);
const vxe_linear_kernels *vxe_linear_kernels_of(const vxe_kernels *kernels);

/* Whether packed bonds have a kernel of this law. */
static inline bool vxe_packed_runs(const vxe_kernels *kernels, vxe_bond_parts law)
{
    return law < VXE_BOND_LAWS && vxe_packed_kernels_of(kernels)->run[law][0];
}

#endif
