/* SPDX-License-Identifier: MIT */
/* A design: what is simulated, in plain data. Readers fill it, writers write it, evolution makes
   it, vxe_world_create compiles it. Voxel (i, j, k) has its centre at ((i+1/2)a, (j+1/2)a,
   (k+1/2)a) with a = voxel_size; the floor is z = 0 unless said otherwise. Arrays are owned by the
   design and taken with vxe_memory_take (the vxe_design_add functions do so). */
#ifndef VXE_LATTICE_DESIGN_H
#define VXE_LATTICE_DESIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"
#include "lattice/affine.h"
#include "materials/contact_law.h"
#include "materials/material.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_voxel {
    int32_t position[3]; /* lattice coordinates, any sign and spread */
    uint32_t material;   /* index into materials, from 0 */
} vxe_voxel;

/* Temperature of actuation: T(t) = base + amplitude sin(2 pi t / period + phase), expansion follows
 * T - base. An edge is the lattice's times (1 + expansion), times its growth, times the factor of
 * its group. */
typedef struct vxe_actuation {
    bool enabled;
    double base;      /* degrees Celsius; only T - base acts */
    double amplitude; /* K */
    double period;    /* s; 0: none */
    double start;     /* s: nothing of it acts before */
    double min;       /* 1 + expansion is never below, */
    double max;       /* nor above that; 0: no bound */
    double room; /* conventions that let voxels only contract let 1 + expansion come to 1 + room
                    (GrowthAmplitude) */
} vxe_actuation;

/* Edges stay in that range, in edges of the lattice: much smaller voxels have no stiffness left,
 * much larger ones no shape. */
#define VXE_SMALLEST_SIZE 0.1
#define VXE_LARGEST_SIZE 10.0

/* Factor on the edges of the voxels of a group (layer Group), by time: linear between the rows,
 * held outside. */
typedef struct vxe_group_schedule {
    uint32_t group;
    double *table; /* (table_count, 2): time s, factor; times increase */
    uint32_t table_count;
} vxe_group_schedule;

/* Heights on a grid of points, bilinear between them; beyond its rim those of the rim go on. */
typedef struct vxe_heightfield {
    uint32_t columns; /* points along x and y, 2 or more each; 0: there is none */
    uint32_t rows;
    double spacing;   /* m from point to point */
    double origin[2]; /* m: x and y of the first point */
    double *heights;  /* (rows, columns) m */
} vxe_heightfield;

/* z = height + slope[0] x + slope[1] y + heights(x, y). It pushes along its normal. */
typedef struct vxe_floor {
    bool enabled;
    bool sticky;      /* what touches it does not slide */
    double height;    /* m, at x = y = 0 of the design's frame */
    double slope[2];  /* rise over run along x and y */
    double radius;    /* m: there is none farther than that from its centre; 0: it has no end */
    double center[2]; /* m: x and y */
    vxe_heightfield heights;
} vxe_floor;

/* A fluid at rest around the bodies. Free faces that move ahead feel rho C_d A v_n^2/2 against
 * their normal, A and v_n being the face's area and speed along the normal; buoyancy is the weight
 * of the fluid in the place of each voxel. */
typedef struct vxe_fluid {
    bool enabled;
    bool buoyancy;
    double density;          /* rho, kg/m^3 */
    double drag_coefficient; /* C_d */
} vxe_fluid;

/* Magnets: voxels with a moment, as dipoles at their centres. Two act on each other as
   docs/magnets.md says (Thomaszewski2008), and the external field B(x, t) = B0(t) + G(t) (x -
   reference) on all: G m and m x B. B0 and G are formulas (VXE_FORMULA_FIELD_X and on). */
typedef struct vxe_magnetics {
    bool enabled;
    bool alone;           /* dipoles feel the external field, and not each other */
    bool induces;         /* susceptibility acts */
    double dipole_cap;    /* m: nearer pairs feel each other as at that distance; 0: none */
    double dipole_soften; /* m: e, a pair's distance is (r^2 + e^2)^1/2: as near as dipoles come,
                             with a potential; 0: it is r */
    double dipole_d;      /* m: pairs with a wider gap (distance less an edge) do not; 0: all do */
    uint32_t divisions;   /* n: a voxel's moment is spread over n^3 dipoles; 0 is as 1 */
    uint32_t every;       /* steps: dipoles act on each other, so many times as hard, in every such
                             step; 0 is as 1 */
    double reference[3];  /* m, design frame: where the gradient adds nothing */
} vxe_magnetics;

/* Most of either. */
#define VXE_MAX_DIVISIONS 16u
#define VXE_MAX_BLOCK_STEPS 20u

/* In place of a material: all of them; the floor; or a piece that makes its contacts with other
 * such pieces, see vxe_linear_inherited. */
#define VXE_CONTACT_ANY UINT32_MAX
#define VXE_CONTACT_FLOOR (UINT32_MAX - 1)
#define VXE_CONTACT_PIECE (UINT32_MAX - 2)

/* Voxels of two materials, or of a material and the floor, push each other by a law, as spheres as
   wide as their edges, or by their faces. The last rule for a pair counts, but a rule of a pair
   before one of pieces. Where a material has rules, nothing else pushes its voxels: neither
   self-collision nor, with a rule for it, the floor's own springs. */
typedef struct vxe_contact_rule {
    uint32_t first, second; /* materials from 0, or one of those above */
    vxe_contact_law law;
} vxe_contact_rule;

typedef enum vxe_region_shape {
    VXE_REGION_BOX = 0, /* voxels whose cube overlaps [low, high] (open) */
    VXE_REGION_CYLINDER =
        1, /* centres within radius of the axis from low to high (along one coordinate) */
    VXE_REGION_SPHERE = 2, /* centres within radius + half the voxel's diagonal of low */
    VXE_REGION_VOXELS = 3  /* a list */
} vxe_region_shape;

/* Freedoms, or'ed: translations and rotations about the world axes. */
enum {
    VXE_FIX_X = 1,
    VXE_FIX_Y = 2,
    VXE_FIX_Z = 4,
    VXE_FIX_RX = 8,
    VXE_FIX_RY = 16,
    VXE_FIX_RZ = 32,
    VXE_FIX_ALL = 63
};

/* A boundary condition on the voxels that it touches. Where several regions touch a voxel, all
   hold. Prescribed motion of a fixed freedom: displacement at time t = factor(t) * displacement,
   with factor from the table (linear between points, held outside; without a table 1 from the
   start). */
typedef struct vxe_region {
    vxe_region_shape shape;
    double low[3],
        high[3];      /* m, design frame; cylinder: ends of the axis, sphere: low is the centre */
    double radius;    /* m */
    uint32_t *voxels; /* (voxel_count) indices in design order */
    uint32_t voxel_count;
    uint32_t fixed;         /* VXE_FIX_ bits */
    double force[3];        /* N, total, shared equally by the voxels touched; world axes */
    double moment[3];       /* N m, likewise */
    double displacement[3]; /* m, along fixed translations */
    double rotation[3];     /* rad, along fixed rotations (a rotation vector) */
    double *table;          /* (table_count, 2): time s, factor; times increase */
    uint32_t table_count;
} vxe_region;

/* A layer of numbers per voxel under its file's name (PhaseOffset, Stiffness, ...). */
typedef struct vxe_layer {
    char name[48];
    uint32_t width; /* numbers per voxel */
    double *values; /* (voxel_count, width) in design order */
} vxe_layer;

/* When a run ends. The first condition met counts; none set: the caller must say. */
typedef struct vxe_stop {
    double duration;    /* s, 0: not set; a formula may end a run too */
    uint64_t steps;     /* 0: not set */
    double periods;     /* actuation periods, 0: not set */
    double settle_time; /* s without actuation at the start (InitCmTime); displacement counts from
                           its end, */
    double reference_time; /* or from that (s), if it is later */
} vxe_stop;

/* T/m: parts of the gradient tensor of the external field, which is symmetric and, its divergence
 * being 0, has no trace: zz is -xx - yy. */
enum { VXE_GRADIENT_PARTS = 5 };

/* Formulas of a design, as text: numbers, variables, pi, + - * / ^ < > and brackets, sin cos tan
   (rad) atan exp log sqrt abs floor round normcdf min max, not, and, or. */
typedef enum vxe_formula {
    VXE_FORMULA_FORCE_X, /* N on each voxel, of its place x, y, z (m, design frame) and the time t
                            (s) */
    VXE_FORMULA_FORCE_Y,
    VXE_FORMULA_FORCE_Z,
    VXE_FORMULA_STOP,    /* a run ends where it is above 0; of the variables of engine/trial.h */
    VXE_FORMULA_FITNESS, /* what a run is worth, likewise */
    VXE_FORMULA_FIELD_X, /* T: external magnetic field, of the time t (s) */
    VXE_FORMULA_FIELD_Y,
    VXE_FORMULA_FIELD_Z,
    VXE_FORMULA_GRADIENT_XX, /* T/m: its gradient, likewise */
    VXE_FORMULA_GRADIENT_YY,
    VXE_FORMULA_GRADIENT_XY,
    VXE_FORMULA_GRADIENT_XZ,
    VXE_FORMULA_GRADIENT_YZ,
    VXE_FORMULAS
} vxe_formula;

typedef struct vxe_time_step {
    double fraction; /* of the step 1/(2 pi w0) of Hiller2014, for the rule `source` (DtFrac) */
    double seconds;  /* the step that the file asks for, 0: none */
} vxe_time_step;

typedef struct vxe_design {
    char name[128];
    char written_for[32];  /* the conventions that the file was made for, "native" if ours; see
                              engine/conventions.h */
    double voxel_size;     /* a, m */
    double file_origin[3]; /* m: what to subtract from our coordinates to speak the file's frame */
    vxe_material *materials; /* (material_count) */
    uint32_t material_count;
    uint32_t material_capacity;
    vxe_voxel *voxels; /* (voxel_count) in file order */
    uint32_t voxel_count;
    uint32_t voxel_capacity;
    vxe_layer *layers; /* (layer_count) */
    uint32_t layer_count;
    uint32_t layer_capacity;
    vxe_region *regions; /* (region_count) */
    uint32_t region_count;
    uint32_t region_capacity;
    vxe_contact_rule *contact_rules; /* (contact_rule_count) */
    uint32_t contact_rule_count;
    uint32_t contact_rule_capacity;
    vxe_affine_body *affine; /* (affine_count) bodies beside the lattice */
    uint32_t affine_count;
    uint32_t affine_capacity;
    vxe_observation *observations; /* (observation_count) that a run tells of them */
    uint32_t observation_count;
    uint32_t observation_capacity;
    vxe_wall *walls; /* (wall_count) that those meet */
    uint32_t wall_count;
    uint32_t wall_capacity;
    double *velocity;  /* (voxel_count, 6) initial linear m/s and angular rad/s, or null */
    double gravity[3]; /* m/s^2 */
    vxe_floor floor;
    vxe_fluid fluid;
    vxe_magnetics magnetics;
    char *formulas[VXE_FORMULAS]; /* see vxe_formula; null: none */
    bool volume_effects;  /* Poisson's ratio acts on bonds that cross, and not on torsion alone */
    bool self_collision;  /* voxels that are not neighbours at rest push each other apart */
    double pair_distance; /* edges of the lattice: targets nearer to each other are pairs to
                             formulas; 0: none are */
    vxe_actuation actuation;
    double *stiffening; /* (stiffening_count, 2): time s, part of its way to the layer
                           FinalStiffness that the stiffness has gone, 0 to 1; times increase */
    uint32_t stiffening_count;
    vxe_group_schedule *schedules; /* (schedule_count), at most one for each group */
    uint32_t schedule_count;
    uint32_t schedule_capacity;
    vxe_stop stop;
    vxe_time_step time_step;
    struct vxe_messages *notes; /* what the file says and we ignore, and what we had to assume */
} vxe_design;

/* An empty design: 10 mm voxels, gravity 9.81 m/s^2 down, floor at 0, no actuation. Null without
 * memory. */
VXE_API vxe_design *vxe_design_create(void);

VXE_API void vxe_design_destroy(vxe_design *design);

/* A design that says the same and shares nothing. Null and error filled without memory. */
VXE_API vxe_design *vxe_design_copy(const vxe_design *design, vxe_error *error);

/* Appends a copy; *index (may be null) is its place. */
VXE_API vxe_status vxe_design_add_material(vxe_design *design, const vxe_material *material,
                                           uint32_t *index, vxe_error *error);

VXE_API vxe_status vxe_design_add_voxel(vxe_design *design, int32_t x, int32_t y, int32_t z,
                                        uint32_t material, vxe_error *error);

/* Appends a region; its arrays are copied. */
VXE_API vxe_status vxe_design_add_region(vxe_design *design, const vxe_region *region,
                                         vxe_error *error);

/* Appends a rule of contacts. */
VXE_API vxe_status vxe_design_add_contact_rule(vxe_design *design, const vxe_contact_rule *rule,
                                               vxe_error *error);

/* Appends an affine body, which is copied with what it points to; what is told of one; or a wall
 * for such bodies. */
VXE_API vxe_status vxe_design_add_affine(vxe_design *design, const vxe_affine_body *body,
                                         vxe_error *error);
VXE_API vxe_status vxe_design_add_observation(vxe_design *design,
                                              const vxe_observation *observation, vxe_error *error);
VXE_API vxe_status vxe_design_add_wall(vxe_design *design, const vxe_wall *wall, vxe_error *error);

/* Appends a schedule; its table is copied. */
VXE_API vxe_status vxe_design_add_schedule(vxe_design *design, const vxe_group_schedule *schedule,
                                           vxe_error *error);

/* When the stiffness of the voxels changes: linear between the rows, (count, 2) s and part, 0 to 1;
 * the table is copied, instead of the one it had. */
VXE_API vxe_status vxe_design_set_stiffening(vxe_design *design, const double *table,
                                             uint32_t count, vxe_error *error);

/* The layer of that name, until another is made; made (zero) if missing; null without memory or if
 * it exists with another width. Voxels that are added later have zeros. */
VXE_API vxe_layer *vxe_design_layer(vxe_design *design, const char *name, uint32_t width);

/* Whether layers of that name act: PhaseOffset (cycles, of the actuation), Amplitude and Frequency
   (factors on it); InitialSize and FinalSize (factors on the edge; the first is reached half way
   through settling, and a sphere has the mass of that size; the second grows from GrowthStart (s)
   on for GrowthTime (s), 0: at once); Group (a number from 0: the actuator that a voxel belongs
   to); Part (a number from 0: voxels of different parts are not bonded); Stiffness (Pa, instead of
   the material's Young's modulus); FinalStiffness (Pa, to which it goes as `stiffening` says);
   BodyForce (3 numbers, N, along the voxel's own axes, which turn with it); Magnetization (3
   numbers, A/m, instead of the material's). */
VXE_API bool vxe_layer_acts(const char *name);

/* The layer of that name, or null. */
VXE_API const vxe_layer *vxe_design_find_layer(const vxe_design *design, const char *name);

/* Sets the initial velocity (m/s) and spin (rad/s) of a voxel. */
VXE_API vxe_status vxe_design_set_velocity(vxe_design *design, uint32_t voxel,
                                           const double linear[3], const double angular[3],
                                           vxe_error *error);

/* Gives the floor heights, (rows, columns) in m, which are copied; instead of those it had. */
VXE_API vxe_status vxe_design_set_heights(vxe_design *design, const vxe_heightfield *field,
                                          vxe_error *error);

/* What a formula says, such as "force field along x"; null if there is no such. */
VXE_API const char *vxe_formula_name(vxe_formula which);
/* Sets a formula, which is copied; null takes it away. */
VXE_API vxe_status vxe_design_set_formula(vxe_design *design, vxe_formula which,
                                          const char *formula, vxe_error *error);

/* Where the floor is at x, y (m, design frame): z in m; minus infinity where it has ended. */
VXE_API double vxe_floor_level(const vxe_floor *floor, double x, double y);

/* Repeats a design that is one voxel deep along y: depth layers of it, with their numbers and in
   the regions that list voxels. Totals of regions stay. */
VXE_API vxe_status vxe_design_extrude(vxe_design *design, uint32_t depth, vxe_error *error);

/* Everything that can be wrong with the numbers of a design; materials included, lattice not. */
VXE_API vxe_status vxe_design_check(const vxe_design *design, vxe_error *error);

/* A hash of all that the design says, its notes apart: equal for equal designs, on every machine.
 */
VXE_API uint64_t vxe_design_hash(const vxe_design *design);

/* Likewise of its affine bodies and walls alone. */
VXE_API uint64_t vxe_design_affine_hash(const vxe_design *design);

/* Tells what b says otherwise than a, a line each: what is lost where b is a as a format carries
   it. The design's name and notes apart; numbers but for rounding, voxels in whatever order. Fails
   where two voxels of one design share a cell. */
typedef void vxe_design_difference(void *user, const char *text);
VXE_API vxe_status vxe_design_differences(const vxe_design *a, const vxe_design *b,
                                          vxe_design_difference *told, void *user,
                                          vxe_error *error);

/* Notes of a design: what was ignored or assumed. */
VXE_API uint32_t vxe_design_note_count(const vxe_design *design);
VXE_API const char *vxe_design_note(const vxe_design *design, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
