/* SPDX-License-Identifier: MIT */
/* Data and kernels of a step for many robots at once, one robot in each lane of a vector. The
   robots of a group share a list of voxels, the union of their bodies in scan order; a voxel or
   bond that a robot lacks has zero inverse mass or stiffness in its lane. Every number is computed
   as by the single-body solver and summed in the same order, so that a robot has the same bits
   alone and beside batch neighbours. */
#ifndef VXE_ENGINE_LANES_LANE_KERNELS_H
#define VXE_ENGINE_LANES_LANE_KERNELS_H

#include "engine/bonds/bonds.h"
#include "engine/contact/contact.h"
#include "engine/core/dispatch.h"
#include "engine/model/driven_law.h"

/* Lanes of a vector, at most. How many each variant has: robots_per_vector.h. */
#define VXE_MAX_LANES 16u

/* Voxels that a pass advances before the next pass has its turn. */
#define VXE_LANE_TURN 16u

/* Fields of the state of a voxel, each a vector of lanes: those of VXE_STATE_FIELDS, as in mixed
   precision, and the growth of the edge (m). */
/* clang-format off */
enum {
#define VXE_LANE_FIELD(name, NAME, in_double, in_mixed, reader, unit)                              \
    VXE_LANE_##NAME, VXE_LANE_LAST_##NAME = VXE_LANE_##NAME + (in_mixed) - 1,
    VXE_STATE_FIELDS(VXE_LANE_FIELD)
#undef VXE_LANE_FIELD
    VXE_LANE_EDGE_GROWTH,
    VXE_LANE_FIELDS
};
/* clang-format on */

/* Numbers of a voxel that are carried from pass to pass of a step. */
enum {
    VXE_LANE_KEPT,                         /* 6: v and w after the kick by springs */
    VXE_LANE_IMPULSE = VXE_LANE_KEPT + 6,  /* N s of the floor */
    VXE_LANE_KICKED,                       /* N s of it in the kick, before damping iterations */
    VXE_LANE_BEFORE,                       /* 3: m/s along the floor and off it, before the kick */
    VXE_LANE_RUBBED = VXE_LANE_BEFORE + 3, /* 3: N s of friction in the kick, before iterations */
    VXE_LANE_MIDDLE = VXE_LANE_RUBBED + 3, /* 6: v and w half way through that kick; with three or
                                              more damping iterations only */
    VXE_LANE_CARRIED = VXE_LANE_MIDDLE + 6
};

/* Constants of a voxel that lanes copy from a model. F(NAME, array of the model) */
#define VXE_LANE_PROPERTIES(F)                                                                     \
    F(MASS, mass)                                                                                  \
    F(INVERSE_MASS, inverse_mass[0])                                                               \
    F(INVERSE_INERTIA, inverse_inertia[0])                                                         \
    F(FLOOR_STIFFNESS, floor_stiffness)                                                            \
    F(FLOOR_DASHPOT, floor_dashpot)                                                                \
    F(STATIC_FRICTION, floor_friction[0])                                                          \
    F(DYNAMIC_FRICTION, floor_friction[1])                                                         \
    F(DRAG, drag)                                                                                  \
    F(SPIN_DRAG, spin_drag)                                                                        \
    F(FACES, faces)

/* Numbers of a property row of voxels; equal rows are stored once. */
/* clang-format off */
enum {
#define VXE_LANE_PROPERTY(NAME, array) VXE_LANE_##NAME,
    VXE_LANE_PROPERTIES(VXE_LANE_PROPERTY)
#undef VXE_LANE_PROPERTY
    VXE_LANE_DRAG_DECAY, /* the two decays: factors of half a step, less 1 */
    VXE_LANE_SPIN_DECAY,
    VXE_LANE_PROPERTY_VALUES
};
/* clang-format on */

/* Numbers of a robot. */
enum {
    VXE_LANE_STEP,                         /* s */
    VXE_LANE_GRAVITY,                      /* 3: m/s^2 */
    VXE_LANE_LEVEL = VXE_LANE_GRAVITY + 3, /* 2: m, high and low part of the height at which a voxel
                                              of the lattice's edge touches the floor */
    VXE_LANE_EDGE = VXE_LANE_LEVEL + 2,    /* 2: m, high and low part of the lattice's edge */
    VXE_LANE_LIFT = VXE_LANE_EDGE + 2,     /* of the floor, at most; 1 where it is level */
    VXE_LANE_BOND_PULL,                    /* as in vxe_kernel_arrays */
    VXE_LANE_SHEAR,                        /* from here on as in vxe_bond_ratios */
    VXE_LANE_TORSION,
    VXE_LANE_BENDING,
    VXE_LANE_DASH_SHEAR,
    VXE_LANE_DASH_TORSION,
    VXE_LANE_DASH_BENDING,
    VXE_LANE_FLUID_DRAG,
    VXE_LANE_FLUID_LIFT,
    VXE_LANE_NUMBERS
};

/* Numbers of a voxel on a floor that is not level: depth (m), normal (3), gain of the stiffness. */
#define VXE_LANE_TOUCH 5

/* Numbers of a voxel that a boundary condition of some robot binds, six each: of translations, then
   of rotations. */
enum {
    VXE_BOUND_INVERSE,                      /* 1/kg and 1/(kg m^2): 0 where held or prescribed */
    VXE_BOUND_LOAD = VXE_BOUND_INVERSE + 6, /* N and N m */
    VXE_BOUND_DRIVEN = VXE_BOUND_LOAD + 6,  /* 1 where motion is prescribed, else 0 */
    VXE_BOUND_RATE = VXE_BOUND_DRIVEN + 6,  /* m/s and rad/s that prescribed motion takes in the
                                               step that the voxel is in */
    VXE_BOUND_VALUES = VXE_BOUND_RATE + 6
};

/* Kinds of loads other than those of bonds, in the order in which a voxel sums them. */
enum { VXE_LANE_CONTACTS, VXE_LANE_PARTICLES, VXE_LANE_MAGNETS, VXE_LANE_LOADS };

_Static_assert(1u << VXE_LANE_CONTACTS == VXE_LOADED_BY_CONTACTS, "the bit that contacts set");

/* The voxels of a robot that contact models or magnets need, and the arrays of its own state to
   which their fields are copied. */
typedef struct vxe_gather_map {
    uint32_t count;
    uint32_t *slot;                    /* (count) slot of the robot */
    uint32_t *place;                   /* (count) index in the union */
    vxe_reals *field[VXE_LANE_FIELDS]; /* by slot; null where the field is not needed */
} vxe_gather_map;

/* The bonds and properties of a voxel of the union. */
typedef struct vxe_lane_voxel {
    uint32_t up[3];  /* index of the neighbour, or VXE_NONE where no robot has that bond */
    uint32_t row[3]; /* of bond coefficients */
    uint32_t property_row;
} vxe_lane_voxel;

/* One freedom with prescribed motion of a lane's robot. */
typedef struct vxe_lane_driven {
    vxe_driven_freedom freedom;
    uint32_t lane;
    uint32_t table; /* among those of all lanes */
} vxe_lane_driven;

/* The first bond of a robot that failed. */
typedef struct vxe_lane_failure {
    uint32_t voxel; /* its lower voxel, in the union */
    uint32_t axis;
} vxe_lane_failure;

/* What kernels read and write of a group. */
typedef struct vxe_lane_group {
    uint32_t voxels;             /* V: of the union */
    const vxe_lane_voxel *voxel; /* (V) in scan order */
    vxe_reals *state;            /* (V, VXE_LANE_FIELDS, lanes) */
    vxe_reals *carried;          /* (V, carried_numbers, lanes) */
    uint32_t carried_numbers;    /* VXE_LANE_CARRIED, or up to VXE_LANE_MIDDLE */
    vxe_reals *geometry;   /* (V, 3, VXE_GEOMETRY_VALUES, lanes) of the bonds upwards, which springs
                              keep for the damping iterations of a step; null without */
    uint8_t *touching;     /* (V) 1 where the voxel of some robot touches the floor in the step that
                              the voxel is in */
    const vxe_reals *rows; /* (rows, row_values, lanes) coefficients of bonds */
    const vxe_reals *property_rows; /* (property rows, VXE_LANE_PROPERTY_VALUES, lanes) */
    const vxe_reals *waves; /* (V, 2, lanes) m: edge growth by sine and cosine; null if no robot has
                               it */
    const vxe_reals *sizes; /* (V, VXE_ACTUATION_VALUES, lanes), the target of a voxel's group in
                               the place of the group; null where all follow one wave */
    vxe_reals *strain;      /* (ring_mask + 1, 3, lanes) of the bonds down, by index of the voxel in
                               a ring */
    uint32_t ring_mask;     /* voxels of a ring, a power of two, less one */
    vxe_reals *poisson_tension; /* (V, 3, lanes) N: what a voxel adds to the tension of its bonds;
                                   null where bonds are proportional */
    const vxe_reals *poisson_coupling; /* (V, 3, lanes) N: couples strains of the two axes other
                                          than x, y, z; null without Poisson's ratio */
    vxe_reals *numbers;                /* (VXE_LANE_NUMBERS, lanes) */
    bool drags;                        /* some robot has global drag */
    bool swims;                        /* all robots are in a fluid */
    bool dithers;                      /* as in the arrays of all robots */
    vxe_reals *load[VXE_LANE_LOADS];   /* (V, 6, lanes) N and N m; null where no robot has any */
    uint8_t *loaded; /* (V) a bit for each kind of load on the voxel of some robot; null if none */
    vxe_reals *kept_edge_growth; /* (V, lanes) m: a step ago */
    uint32_t *surface_at; /* (V, VXE_MAX_LANES) place of a voxel in the surface's list of a lane's
                             robot, or VXE_NONE; null where no robot collides */
    double about[3][VXE_MAX_LANES]; /* m/s: velocity against which a robot's motion is measured */
    vxe_reals *terrain;      /* (V, VXE_LANE_TOUCH, lanes); null where all floors are level */
    double *terrain_numbers; /* (VXE_TERRAIN_NUMBERS, lanes) */
    double *terrain_points;  /* points of the floors of all robots, one floor after another */
    vxe_lane_failure failure[VXE_MAX_LANES];
    uint32_t *bound_at;      /* (V) index among the B voxels that boundary conditions bind,
                                or VXE_NONE; null where there are none */
    vxe_reals *bound;        /* (B, VXE_BOUND_VALUES, lanes) */
    vxe_lane_driven *driven; /* by bound voxel; null where nothing is prescribed */
    uint32_t *driven_first;  /* (B + 1) */
} vxe_lane_group;

/* One pass over a group, with the flags of a pass of the single-body solver. Several passes may be
   in flight, each behind the one before it. */
typedef struct vxe_lane_pass {
    vxe_bond_parts law;
    uint32_t kick_flags;
    uint32_t stages;
    vxe_reals *h;      /* (lanes) s of the kick */
    double *clock;     /* (VXE_CLOCK_NUMBERS, lanes) at the end of the step */
    vxe_reals *dither; /* (2, lanes) the numbers of vxe_dither of the robots' steps */
    vxe_reals
        *upper_force; /* (ring_mask + 1, 6, lanes) forces by lower neighbours, by index in a ring */
    uint32_t failed;  /* lanes in which a bond failed, a bit each. The first failed bond is written
                         into the group, by the last of the passes in flight */
    const vxe_driven_factors *factors; /* (tables of all lanes); null where nothing is prescribed */
} vxe_lane_pass;

/* The kernels of lane_kernels.c, for each instruction set and precision. */
typedef struct vxe_lane_kernels {
    uint32_t lanes; /* robots in a vector */
    /* Runs a pass over the voxels [first, last) of the union. */
    void (*pass)(vxe_lane_group *group, vxe_lane_pass *pass, uint32_t first, uint32_t last);
    /* Motion bounds of each robot, per second, except for growth (m) since the last call. */
    void (*motion)(vxe_lane_group *group, vxe_motion_bound *motions);
    /* Stores the poses of the surfaces of lanes' robots in rows, as `stand` of contact_kernels.h
       does for one body. poses: (lanes) rows of each robot; null where none are asked for. */
    void (*stand)(const vxe_lane_group *group, vxe_reals *const poses[VXE_MAX_LANES]);
    /* Tensions that voxels add to their bonds by Poisson's ratio, at the present poses. */
    void (*poisson_coupling)(vxe_lane_group *group);
    /* Copies state of a lane's robot to where its gather map says. */
    void (*gather)(const vxe_lane_group *group, uint32_t lane, const vxe_gather_map *gather_map);
    /* Copies poses back into the lane. */
    void (*scatter_pose)(const vxe_lane_group *group, uint32_t lane,
                         const vxe_gather_map *gather_map);
    /* Copies loads of a kind, given by slot, into the lane. */
    void (*scatter_load)(const vxe_lane_group *group, uint32_t lane,
                         const vxe_gather_map *gather_map, uint32_t kind, vxe_reals *const load[6]);
    /* Sets edge growth to that of a clock. */
    void (*resize)(vxe_lane_group *group, const double *clock);
} vxe_lane_kernels;

/* The kernels in an instruction set and precision. */
const vxe_lane_kernels *vxe_lane_kernels_of(const vxe_kernels *kernels);

#endif
