/* SPDX-License-Identifier: MIT */
/* The inner loops of a step: plain functions over ranges, built once per instruction set, reached
   through one table.

   Voxels stand in the arrays in scan order, one slot each, without padding. Bonds of one axis stand
   in vectors of `lanes` bonds whose lower voxels are consecutive slots and whose upper voxels are
   consecutive slots (absent bonds have zero stiffness and are blended out), so that every load and
   store is contiguous and no gather is needed. A chunk is a range of slots; no vector has bonds of
   two chunks.

   A voxel sums its six bonds in one fixed order whatever the chunks and threads: own bonds +x, +y,
   +z, then those of its lower neighbours -x, -y, -z (which wait in `pull`). So results do not
   depend on chunking or on the number of threads. */
#ifndef VXE_ENGINE_KERNELS_INTERNAL_H
#define VXE_ENGINE_KERNELS_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

/* Slots behind the last voxel that vectors may read and write; at least lanes of the widest
 * instruction set. */
#define VXE_SLOT_PADDING 16u
/* Longest chunk. */
#define VXE_CHUNK_SLOTS 128u
#define VXE_WINDOW (VXE_CHUNK_SLOTS + 2 * VXE_SLOT_PADDING)

/* Coefficients of a bond, each a lane of a vector. Dashpots belong to the same four channels. */
enum {
    VXE_AXIAL,        /* k_a, N/m */
    VXE_SHEAR,        /* k_s, N/m */
    VXE_TORSION,      /* k_t, N m/rad */
    VXE_BENDING,      /* k_b, N m/rad */
    VXE_DASH_AXIAL,   /* N s/m */
    VXE_DASH_SHEAR,   /* N s/m */
    VXE_DASH_TORSION, /* N m s/rad */
    VXE_DASH_BENDING, /* N m s/rad */
    VXE_COUPLE,       /* k_c, N/rad: zero but in condensed bonds of unlike materials */
    VXE_COEFFICIENTS
};

/* Bonds of one axis. */
typedef struct vxe_bond_vectors {
    uint32_t count;       /* vectors */
    uint32_t *lower;      /* (count) slot of the first lower voxel */
    uint32_t *upper;      /* (count) slot of the first upper voxel */
    uint32_t *present;    /* (count) bit per lane: a bond is there */
    double *coefficients; /* (count, VXE_COEFFICIENTS, lanes): one stream; zero for absent bonds */
} vxe_bond_vectors;

/* Everything a kernel reads or writes, by slot (S = voxels + padding). */
typedef struct vxe_kernel_arrays {
    /* state */
    double *x[3];  /* (3, S) m, about the body's origin */
    double *q[4];  /* (4, S) w x y z */
    double *v[3];  /* (3, S) m/s */
    double *w[3];  /* (3, S) rad/s */
    double *stuck; /* (S) 1 while static friction holds */
    double *size;  /* (S) m, current edge */
    /* model */
    const double *mass;            /* (S) kg */
    const double *inverse_mass[3]; /* (3, S) 1/kg, 0 where the freedom is fixed */
    const double *inverse_inertia[3];
    const double *base_size; /* (S) m: edge without actuation */
    const double *size_sine; /* (S) m: times sin(2 pi t/P); null without actuation */
    const double *size_cosine;
    const double *load[6];         /* (6, S) constant force N and moment N m; null if none */
    const double *drag;            /* (S) N s/m, null without global damping */
    const double *spin_drag;       /* (S) N m s/rad */
    const double *floor_stiffness; /* (S) N/m; null without a floor */
    const double *floor_dashpot;   /* (S) N s/m */
    const double *static_friction; /* (S) */
    const double *dynamic_friction;
    vxe_bond_vectors bonds[3];
    /* scratch */
    double *pull[3][6];     /* (6, S) force and moment from the lower neighbour in y and z; x has a
                               window */
    double *normal_impulse; /* (S) N s of the floor in this step; null without a floor */
    double *before[2];      /* (2, S) m/s: tangential velocity before the kick */
    double *kept[6];        /* (6, S) v and w as the damping sweeps found them */
    double *drag_decay;     /* (S) factor of half a step, with the sweep scheme */
    double *spin_decay;
    double *floor_decay;
    /* numbers */
    double gravity[3];   /* m/s^2 */
    double dash_share;   /* part of the dashpots that kernels with springs apply */
    double floor_height; /* m about the body's origin */
    bool floor_pulls; /* the peer's floor: the dashpot is not clamped, and friction sees the spring
                         alone */
} vxe_kernel_arrays;

/* Forces on the voxels of a chunk, by place in the window: acc from own bonds, x_pull from the
 * lower neighbour in x. */
typedef struct vxe_window {
    double acc[6][VXE_WINDOW];
    double x_pull[6][VXE_WINDOW];
} vxe_window;

/* Where a bond kernel puts what acts on the lower voxels (own) and on the upper ones (pull). */
typedef struct vxe_bond_target {
    double *own[6];
    double *pull[6];
    uint32_t own_first;  /* slot of own[0] */
    uint32_t pull_first; /* slot of pull[0] */
    bool packed;         /* both are filled vector after vector instead, whatever the slots */
} vxe_bond_target;

/* Which law a bond kernel computes. */
typedef enum vxe_bond_kernel {
    VXE_BOND_ELASTIC, /* springs alone */
    VXE_BOND_ELASTIC_CONDENSED,
    VXE_BOND_EXPLICIT, /* springs and dashpots, four channels */
    VXE_BOND_EXPLICIT_CONDENSED,
    VXE_BOND_EXPLICIT_EVEN, /* same with equal axial and shear dashpots: no frame needed for them */
    VXE_BOND_EXPLICIT_PEER, /* same, moment of the shear dashpot halved (conventions voxelyze) */
    VXE_BOND_DAMP,          /* dashpots alone */
    VXE_BOND_DAMP_EVEN,
    VXE_BOND_BAR_ELASTIC, /* bars: force along the chord, no moments */
    VXE_BOND_BAR_EXPLICIT,
    VXE_BOND_BAR_DAMP,
    VXE_BOND_KERNELS
} vxe_bond_kernel;

/* What a kick applies beside the bonds. */
enum {
    VXE_KICK_EXTERNAL = 1,      /* gravity and loads */
    VXE_KICK_FLOOR = 2,         /* floor springs */
    VXE_KICK_EXPLICIT_DRAG = 4, /* global and floor dashpots as forces */
    VXE_KICK_FROM_KEPT = 8 /* the kick starts from the velocities kept, not from those at hand */
};

typedef struct vxe_kernels {
    const char *isa;
    uint32_t lanes;
    /* Bonds of vectors [first, last) of an axis, added to target. Returns how many existing bonds
     * failed the divergence check. */
    double (*bonds[VXE_BOND_KERNELS][3])(const vxe_kernel_arrays *arrays,
                                         const vxe_bond_target *target, uint32_t first,
                                         uint32_t last);
    /* v, w of slots [first, last) from the window and pull over h seconds; clears what it read.
       Returns how many voxels touch the floor or are stuck to it. */
    double (*kick)(const vxe_kernel_arrays *arrays, vxe_window *window, uint32_t first,
                   uint32_t last, double h, uint32_t flags);
    /* Keeps v and w for kicks that start from them. */
    void (*keep)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last);
    /* Half a step h/2 of exact decay of v and w by drag and, where touching, floor dashpots. */
    void (*decay)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last, double h,
                  bool touching);
    /* Coulomb impulse of the step. */
    void (*friction)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last);
    void (*drift)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last, double h);
    /* Edge lengths where the actuation's sine and cosine have these values. */
    void (*resize)(const vxe_kernel_arrays *arrays, uint32_t first, uint32_t last, double sine,
                   double cosine);
} vxe_kernels;

/* The kernels for this machine, or null where it has none (then *why says so). */
const vxe_kernels *vxe_kernels_for_machine(const char **why);

extern const vxe_kernels vxe_kernels_x86_64_v3;

#endif
