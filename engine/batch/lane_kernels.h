/* SPDX-License-Identifier: MIT */
/* The inner loops of a step for many robots at once, one robot in each lane of a vector. The robots
   of a group share a list of voxels, the union of their bodies in scan order; a voxel or bond that
   a robot lacks has neither mass nor stiffness there. Every number is computed as by the
   single-body solver and summed in the same order, so that a robot has the same bits alone and
   beside batch neighbours. */
#ifndef VXE_ENGINE_BATCH_LANE_KERNELS_H
#define VXE_ENGINE_BATCH_LANE_KERNELS_H

#include "engine/bonds/bonds.h"
#include "engine/contact/contact.h"
#include "engine/core/dispatch.h"

/* Most lanes of any variant. */
#define VXE_MAX_LANES 16u

/* What changes of a voxel, each a vector of lanes. */
enum {
    VXE_LANE_X,                      /* 3: m about each body's origin */
    VXE_LANE_X_LOW = VXE_LANE_X + 3, /* 3: m, with mixed precision */
    VXE_LANE_Q = VXE_LANE_X_LOW + 3, /* 4: w x y z */
    VXE_LANE_V = VXE_LANE_Q + 4,     /* 3: m/s */
    VXE_LANE_W = VXE_LANE_V + 3,     /* 3: rad/s */
    VXE_LANE_STUCK = VXE_LANE_W + 3, /* 1 while static friction holds */
    VXE_LANE_EDGE_GROWTH,            /* m */
    VXE_LANE_FIELDS
};

/* What the damping iterations carry from pass to pass. */
enum {
    VXE_LANE_KEPT,                        /* 6: v and w behind the kick by springs */
    VXE_LANE_IMPULSE = VXE_LANE_KEPT + 6, /* N s of the floor */
    VXE_LANE_BEFORE,                      /* 2: m/s, tangential, ahead of the kick */
    VXE_LANE_MIDDLE =
        VXE_LANE_BEFORE + 2, /* 6: v and w half way to there; of three damping iterations or more */
    VXE_LANE_CARRIED = VXE_LANE_MIDDLE + 6
};

/* What a voxel is made of; equal rows are kept once. */
enum {
    VXE_LANE_MASS,
    VXE_LANE_INVERSE_MASS,
    VXE_LANE_INVERSE_INERTIA,
    VXE_LANE_FLOOR_STIFFNESS,
    VXE_LANE_FLOOR_DASHPOT,
    VXE_LANE_STATIC_FRICTION,
    VXE_LANE_DYNAMIC_FRICTION,
    VXE_LANE_DRAG,
    VXE_LANE_SPIN_DRAG,
    VXE_LANE_DRAG_DECAY, /* factors of half a step */
    VXE_LANE_SPIN_DECAY,
    VXE_LANE_FLOOR_DECAY,
    VXE_LANE_FACES, /* free ones, as bits */
    VXE_LANE_PROPERTY_VALUES
};

/* What each robot has of its own. */
enum {
    VXE_LANE_STEP,                         /* s */
    VXE_LANE_GRAVITY,                      /* 3: m/s^2 */
    VXE_LANE_LEVEL = VXE_LANE_GRAVITY + 3, /* 2: m, high and low part of the height at which an
                                              unswollen voxel touches the floor */
    VXE_LANE_EDGE = VXE_LANE_LEVEL + 2,    /* 2: m, high and low part */
    VXE_LANE_SHEAR = VXE_LANE_EDGE + 2,    /* as vxe_bond_ratios */
    VXE_LANE_TORSION,
    VXE_LANE_BENDING,
    VXE_LANE_DASH_SHEAR,
    VXE_LANE_DASH_TORSION,
    VXE_LANE_DASH_BENDING,
    VXE_LANE_FLUID_DRAG,
    VXE_LANE_FLUID_LIFT,
    VXE_LANE_NUMBERS
};

/* A voxel on a floor that is not level: depth (m), normal, and gain of the stiffness. */
#define VXE_LANE_TOUCH 5

/* Loads beside those of bonds, in the order in which a voxel sums them. */
enum { VXE_LANE_CONTACTS, VXE_LANE_PARTICLES, VXE_LANE_MAGNETS, VXE_LANE_LOADS };

/* Voxels of one robot that are seen from outside, and where that is put. */
typedef struct vxe_gather_map {
    uint32_t count;
    uint32_t *slot;                    /* (count) of the robot, */
    uint32_t *place;                   /* (count) and in the union */
    vxe_reals *field[VXE_LANE_FIELDS]; /* by slot; null where nobody looks */
} vxe_gather_map;

typedef struct vxe_lane_voxel {
    uint32_t up[3];  /* index of the neighbour, or VXE_NONE where no robot has that bond */
    uint32_t row[3]; /* of bond coefficients */
    uint32_t property_row;
} vxe_lane_voxel;

/* Where a robot's bond failed first. */
typedef struct vxe_lane_failure {
    uint32_t voxel; /* the lower one */
    uint32_t axis;
} vxe_lane_failure;

typedef struct vxe_lane_group {
    uint32_t voxels;             /* V: of the union */
    const vxe_lane_voxel *voxel; /* (V) in scan order */
    vxe_reals *state;            /* (V, VXE_LANE_FIELDS, lanes) */
    vxe_reals *carried;          /* (V, carried_numbers, lanes) */
    uint32_t carried_numbers;    /* VXE_LANE_CARRIED, or up to VXE_LANE_MIDDLE */
    uint8_t *touching;     /* (V) 1 where some robot's voxel touches the floor in the step that
                              it is in */
    const vxe_reals *rows; /* (rows, row_values, lanes) */
    const vxe_reals *property_rows; /* (kinds, VXE_LANE_PROPERTY_VALUES, lanes) */
    const vxe_reals
        *waves; /* (V, 2, lanes) m: edge growth by sine and cosine; null if none moves so */
    const vxe_reals *sizes; /* (V, VXE_ACTUATION_VALUES, lanes); null where all follow one wave */
    vxe_reals *strain;      /* (ring_mask + 1, 3, lanes) of the bonds down, by voxel index in a
                               ring */
    uint32_t ring_mask;     /* a power of two less one */
    vxe_reals *poisson_tension; /* (V, 3, lanes) N: what a voxel adds to the tension of its bonds;
                          null where bonds are proportional */
    const vxe_reals *poisson_coupling; /* (V, 3, lanes) N: what couples the strains of the two other
                               axes than x, y, z; null without Poisson's ratio */
    vxe_reals *numbers;                /* (VXE_LANE_NUMBERS, lanes) */
    bool drags;                        /* some robot has global drag */
    bool swims;                        /* all robots are in a fluid */
    vxe_reals *load[VXE_LANE_LOADS];   /* (V, 6, lanes) N and N m; null where no robot has such */
    uint8_t *loaded; /* (V) a bit each where a voxel of some robot has one; null if none has */
    vxe_reals *kept_edge_growth;    /* (V, lanes) m: a step ago */
    double about[3][VXE_MAX_LANES]; /* m/s: velocities from which those of robots differ little */
    vxe_reals *terrain;      /* (V, VXE_LANE_TOUCH, lanes); null where all floors are level */
    double *terrain_numbers; /* (VXE_TERRAIN_NUMBERS, lanes) */
    double *terrain_points;  /* of all robots' floors, one after the other */
    vxe_lane_failure failure[VXE_MAX_LANES];
} vxe_lane_group;

/* One pass over a group; flags as those of a pass of the single-body solver. Several may be under
   way, each behind the one before it. */
typedef struct vxe_lane_pass {
    vxe_bond_parts law; /* of bonds that are even or proportional */
    uint32_t kick_flags;
    uint32_t stages;
    vxe_reals *h;  /* (lanes) s of the kick */
    double *clock; /* (VXE_CLOCK_NUMBERS, lanes) at the end of the step */
    vxe_reals *
        upper_force; /* (ring_mask + 1, 6, lanes) from lower neighbours, by voxel index in a ring */
    uint32_t failed; /* lanes in which a bond failed, a bit each; where first is put into the group,
                        by whichever pass under way comes last */
} vxe_lane_pass;

typedef struct vxe_lane_kernels {
    uint32_t lanes;
    /* A pass over the voxels of [first, last). */
    void (*pass)(vxe_lane_group *group, vxe_lane_pass *pass, uint32_t first, uint32_t last);
    /* What each robot has done in a step, per second but for the growth; keeps the grows. */
    void (*motion)(vxe_lane_group *group, vxe_motion_bound *motions);
    /* What voxels add to the tension of their bonds at the poses at hand. */
    void (*poisson_coupling)(vxe_lane_group *group);
    /* Puts the voxels of a lane where its sight says, */
    void (*gather)(const vxe_lane_group *group, uint32_t lane, const vxe_gather_map *gather_map);
    /* puts them where that is changed, and as they are turned there, */
    void (*scatter_pose)(const vxe_lane_group *group, uint32_t lane,
                         const vxe_gather_map *gather_map);
    /* and loads on them, by slot, among those of a kind. */
    void (*scatter_load)(const vxe_lane_group *group, uint32_t lane,
                         const vxe_gather_map *gather_map, uint32_t kind, vxe_reals *const load[6]);
    /* Swells at the time of a clock. */
    void (*resize)(vxe_lane_group *group, const double *clock);
} vxe_lane_kernels;

const vxe_lane_kernels *vxe_lane_kernels_of(const vxe_kernels *kernels);

#endif
