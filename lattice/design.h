/* SPDX-License-Identifier: MIT */
/* A design: the description of what is simulated, as plain data. Readers of files and evolution
   create designs, writers write them, and vxe_world_create compiles them. Voxel (i, j, k) has its
   centre at ((i+1/2)a, (j+1/2)a, (k+1/2)a) with a = voxel_size; the floor is z = 0 unless its
   height says otherwise. A design owns its arrays, which are allocated by vxe_memory_take; the
   vxe_design_add functions do so. */
#ifndef VXE_LATTICE_DESIGN_H
#define VXE_LATTICE_DESIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "common/status.h"
#include "lattice/affine.h"
#include "lattice/controller.h"
#include "materials/contact_law.h"
#include "materials/material.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vxe_voxel {
    int32_t position[3]; /* lattice coordinates, of any sign and distance */
    uint32_t material;   /* index into materials, from 0 */
} vxe_voxel;

/* Actuation by temperature: T(t) = base + amplitude sin(2 pi t / period + phase). The expansion of
 * a voxel is its coefficient of expansion times T - base. The length of its edge is the lattice's
 * edge times (1 + expansion), times its growth, times the factor of its group. */
typedef struct vxe_actuation {
    bool enabled;
    double base;      /* degrees Celsius; only T - base matters */
    double amplitude; /* K */
    double period;    /* s; 0: the temperature stays at base */
    double start;     /* s: actuation begins at this time */
    double min;       /* minimum of 1 + expansion */
    double max;       /* maximum of 1 + expansion; 0: none */
    double room;      /* with compatibility presets in which voxels only contract, the maximum of
                         1 + expansion is 1 + room (GrowthAmplitude) */
} vxe_actuation;

/* Range of a voxel's edge, relative to the lattice's edge: much smaller voxels have almost no
 * stiffness, and much larger ones do not keep their shape. */
#define VXE_SMALLEST_SIZE 0.1
#define VXE_LARGEST_SIZE 10.0

/* Factor on the edges of the voxels of a group (layer Group) as a function of time: linear between
 * the rows of a table, constant before the first and behind the last. */
typedef struct vxe_group_schedule {
    uint32_t group;
    double *table; /* (table_count, 2): time s, factor; times increase */
    uint32_t table_count;
} vxe_group_schedule;

/* Heights on a grid of points, bilinear between them. Outside the grid, the heights of its edge are
 * extended. */
typedef struct vxe_heightfield {
    uint32_t columns; /* points along x, at least 2; 0: there is no heightfield */
    uint32_t rows;    /* points along y, at least 2 */
    double spacing;   /* m between neighbouring points */
    double origin[2]; /* m: x and y of the first point */
    double *heights;  /* (rows, columns) m */
} vxe_heightfield;

/* The floor is z = height + slope[0] x + slope[1] y + heights(x, y). It pushes along its normal. */
typedef struct vxe_floor {
    bool enabled;
    bool sticky;      /* voxels that touch it do not slide */
    double height;    /* m, at x = y = 0 of the design's frame */
    double slope[2];  /* rise over run along x and y */
    double radius;    /* m: the floor ends at this distance from its centre; 0: it has no end */
    double center[2]; /* m: x and y of its centre */
    vxe_heightfield heights;
} vxe_floor;

/* A fluid at rest around the bodies. The drag on a free face that moves along its outward normal is
 * rho C_d A v_n^2/2 against the normal, where A and v_n are its area and its speed along the
 * normal. Buoyancy is the weight of the fluid that a voxel displaces. */
typedef struct vxe_fluid {
    bool enabled;
    bool buoyancy;
    double density;          /* rho, kg/m^3 */
    double drag_coefficient; /* C_d */
} vxe_fluid;

/* Magnets: voxels with a magnetic moment are dipoles at their centres. Dipoles act on each other
   (docs/magnets.md; Thomaszewski2008), and the external field B(x, t) = B0(t) + G(t) (x -
   reference) acts on all of them by the force G m and the torque m x B. B0 and G are formulas
   (VXE_FORMULA_FIELD_X and the following). */
typedef struct vxe_magnetics {
    bool enabled;
    bool alone;           /* only the external field acts on dipoles, not other dipoles */
    bool induces;         /* fields magnetise voxels by their susceptibility */
    double dipole_cap;    /* m: the force of closer pairs is that at this distance; 0: no limit */
    double dipole_soften; /* m: e; forces of a pair are those at the distance (r^2 + e^2)^1/2, which
                             limits them and keeps a potential; 0: at r */
    double dipole_d;      /* m: pairs with a wider gap (distance minus an edge) do not act on each
                             other; 0: all pairs act */
    uint32_t divisions;   /* n: the moment of a voxel is divided over n^3 dipoles; 0 means 1 */
    uint32_t every;       /* n: the force between dipoles acts in every n-th step, n times as
                             large; 0 means 1 */
    double reference[3];  /* m, design frame: the point where the gradient adds nothing */
} vxe_magnetics;

/* Maximum of divisions. */
#define VXE_MAX_DIVISIONS 16u
/* Maximum of every. */
#define VXE_MAX_BLOCK_STEPS 20u

/* Values that stand for a material in a contact rule: all materials, the floor, or any other piece
 * with such a rule (see vxe_linear_inherited). */
#define VXE_CONTACT_ANY UINT32_MAX
#define VXE_CONTACT_FLOOR (UINT32_MAX - 1)
#define VXE_CONTACT_PIECE (UINT32_MAX - 2)

/* The contact model between voxels of two materials, or between a material and the floor: as
   spheres whose diameter is the edge, or by faces. If several rules fit a pair, the last one
   counts, but rules for a pair come before rules for pieces. Voxels of a material with rules have
   no other contact: no self-collision, and no springs of the floor if there is a rule for it. */
typedef struct vxe_contact_rule {
    uint32_t first, second; /* materials from 0, or one of the values above */
    vxe_contact_law law;
} vxe_contact_rule;

typedef enum vxe_region_shape {
    VXE_REGION_BOX = 0,      /* voxels whose cube overlaps [low, high] (open) */
    VXE_REGION_CYLINDER = 1, /* voxels whose centre is within radius of the axis from low to high,
                                which is parallel to x, y or z */
    VXE_REGION_SPHERE = 2,   /* voxels whose centre is within radius + half a voxel's diagonal of
                                low */
    VXE_REGION_VOXELS = 3    /* a list of voxels */
} vxe_region_shape;

/* Degrees of freedom, combined by or: translations along and rotations about the world axes. */
enum {
    VXE_FIX_X = 1,
    VXE_FIX_Y = 2,
    VXE_FIX_Z = 4,
    VXE_FIX_RX = 8,
    VXE_FIX_RY = 16,
    VXE_FIX_RZ = 32,
    VXE_FIX_ALL = 63
};

/* A boundary condition for all voxels in a region. If a voxel is in several regions, all of them
   act. The motion of a fixed degree of freedom is prescribed: its displacement at time t is
   factor(t) * displacement. The factor comes from the table (linear between points, constant
   outside) and is 1 from the start without one. */
typedef struct vxe_region {
    vxe_region_shape shape;
    double low[3],
        high[3];      /* m, design frame; cylinder: ends of the axis, sphere: low is the centre */
    double radius;    /* m */
    uint32_t *voxels; /* (voxel_count) indices in design order */
    uint32_t voxel_count;
    uint32_t fixed;         /* VXE_FIX_ bits */
    double force[3];        /* N in all, divided equally among the voxels; world axes */
    double moment[3];       /* N m in all, divided equally among the voxels; world axes */
    double displacement[3]; /* m, along fixed translations */
    double rotation[3];     /* rad, along fixed rotations (a rotation vector) */
    double *table;          /* (table_count, 2): time s, factor; times increase */
    uint32_t table_count;
} vxe_region;

/* Numbers for each voxel, under the name that files use (PhaseOffset, Stiffness, ...). */
typedef struct vxe_layer {
    char name[48];
    uint32_t width; /* numbers per voxel */
    double *values; /* (voxel_count, width) in design order */
} vxe_layer;

/* When a run ends: at the first condition that is met. If none is set, the caller must say when. */
typedef struct vxe_stop {
    double duration;       /* s; 0: not set; a formula may end a run too */
    uint64_t steps;        /* 0: not set */
    double periods;        /* actuation periods; 0: not set */
    double settle_time;    /* s without actuation at the start (InitCmTime) */
    double reference_time; /* s: displacement counts from this time, or from the end of settling if
                              that is later */
} vxe_stop;

/* Independent components (T/m) of the gradient tensor of the external field. It is symmetric, and
 * its trace is 0 because the divergence of a field is 0: zz is -xx - yy. */
enum { VXE_GRADIENT_PARTS = 5 };

/* Formulas of a design, as text, with numbers, variables, pi, + - * / ^ < > and brackets, sin cos
   tan (rad) atan exp log sqrt abs floor round normcdf min max, not, and, or. */
typedef enum vxe_formula {
    VXE_FORMULA_FORCE_X, /* N on each voxel, a function of its position x, y, z (m, design frame)
                            and the time t (s) */
    VXE_FORMULA_FORCE_Y,
    VXE_FORMULA_FORCE_Z,
    VXE_FORMULA_STOP,    /* a run ends when this is above 0; variables: engine/trial.h */
    VXE_FORMULA_FITNESS, /* the fitness of a run; variables: engine/trial.h */
    VXE_FORMULA_FIELD_X, /* T: external magnetic field, a function of the time t (s) */
    VXE_FORMULA_FIELD_Y,
    VXE_FORMULA_FIELD_Z,
    VXE_FORMULA_GRADIENT_XX, /* T/m: its gradient, a function of the time t (s) */
    VXE_FORMULA_GRADIENT_YY,
    VXE_FORMULA_GRADIENT_XY,
    VXE_FORMULA_GRADIENT_XZ,
    VXE_FORMULA_GRADIENT_YZ,
    VXE_FORMULAS
} vxe_formula;

typedef struct vxe_time_step {
    double fraction; /* of the step 1/(2 pi w0) of Hiller2014, for the rule `source` (DtFrac) */
    double seconds;  /* s: the step that the file asks for; 0: none */
} vxe_time_step;

typedef struct vxe_design {
    char name[128];
    char written_for[192]; /* the compatibility preset of the simulator that the file was made for,
                              with switches or without; "native" for ours; engine/conventions.h */
    char written_for_by[96];  /* what says so, in words; empty: nothing does */
    bool written_for_guessed; /* it is likely only */
    double voxel_size;        /* a, m: the lattice's edge */
    double file_origin[3];    /* m: design coordinates minus this are coordinates of the file */
    vxe_material *materials;  /* (material_count) */
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
    vxe_affine_body *affine; /* (affine_count) bodies that are not of voxels */
    uint32_t affine_count;
    uint32_t affine_capacity;
    vxe_observation *observations; /* (observation_count) what a run reports of affine bodies */
    uint32_t observation_count;
    uint32_t observation_capacity;
    vxe_wall *walls; /* (wall_count) obstacles of affine bodies */
    uint32_t wall_count;
    uint32_t wall_capacity;
    double *velocity;  /* (voxel_count, 6) initial linear m/s and angular rad/s, or null */
    double gravity[3]; /* m/s^2 */
    vxe_floor floor;
    vxe_fluid fluid;
    vxe_magnetics magnetics;
    char *formulas[VXE_FORMULAS]; /* see vxe_formula; null: none */
    bool volume_effects;  /* Poisson's ratio couples the bonds of a voxel; else it acts on torsion
                             only */
    bool self_collision;  /* voxels that are not neighbours at rest push each other apart */
    double pair_distance; /* in edges of the lattice: formulas count two targets as a pair if they
                             are closer than this; 0: none */
    vxe_actuation actuation;
    vxe_controller controller; /* its interval is 0 where there is none */
    double *stiffening; /* (stiffening_count, 2): time s, and how far the stiffness has changed
                           towards the layer FinalStiffness, 0 to 1; times increase */
    uint32_t stiffening_count;
    vxe_group_schedule *schedules; /* (schedule_count), at most one for each group */
    uint32_t schedule_count;
    uint32_t schedule_capacity;
    vxe_stop stop;
    vxe_time_step time_step;
    struct vxe_messages *notes; /* what was ignored in a file, and what was assumed */
} vxe_design;

/* An empty design: 10 mm voxels, gravity 9.81 m/s^2 down, floor at 0, no actuation. Null without
 * memory. */
VXE_API vxe_design *vxe_design_create(void);

/* Says which compatibility preset a design was made for (with switches or without, at most 191
   characters), and why: what says so, in words. guessed: it is likely only. A run follows it where
   its caller chooses no conventions. */
VXE_API void vxe_design_mark(vxe_design *design, const char *conventions, const char *why,
                             bool guessed);

/* design may be null. */
VXE_API void vxe_design_destroy(vxe_design *design);

/* A deep copy. Null, and error filled, without memory. */
VXE_API vxe_design *vxe_design_copy(const vxe_design *design, vxe_error *error);

/* Appends a copy of a material; *index, if not null, is its index. */
VXE_API vxe_status vxe_design_add_material(vxe_design *design, const vxe_material *material,
                                           uint32_t *index, vxe_error *error);

/* Appends a voxel. */
VXE_API vxe_status vxe_design_add_voxel(vxe_design *design, int32_t x, int32_t y, int32_t z,
                                        uint32_t material, vxe_error *error);

/* Appends a boundary condition; its arrays are copied. */
VXE_API vxe_status vxe_design_add_region(vxe_design *design, const vxe_region *region,
                                         vxe_error *error);

/* Marks the voxels of a region: inside, (voxel_count) in design order, becomes 1 where a voxel at
   rest is in it, else 0. Returns how many there are. */
VXE_API uint32_t vxe_design_region_voxels(const vxe_design *design, uint32_t region,
                                          uint8_t *inside);

/* Appends a contact rule. */
VXE_API vxe_status vxe_design_add_contact_rule(vxe_design *design, const vxe_contact_rule *rule,
                                               vxe_error *error);

/* Append an affine body, an observation of one, or a wall for affine bodies; each is copied with
 * the arrays and texts that it points to. */
VXE_API vxe_status vxe_design_add_affine(vxe_design *design, const vxe_affine_body *body,
                                         vxe_error *error);
VXE_API vxe_status vxe_design_add_observation(vxe_design *design,
                                              const vxe_observation *observation, vxe_error *error);
VXE_API vxe_status vxe_design_add_wall(vxe_design *design, const vxe_wall *wall, vxe_error *error);

/* Appends a schedule; its table is copied. */
VXE_API vxe_status vxe_design_add_schedule(vxe_design *design, const vxe_group_schedule *schedule,
                                           vxe_error *error);

/* The same, in the place of the group's schedule where it has one. */
VXE_API vxe_status vxe_design_set_schedule(vxe_design *design, const vxe_group_schedule *schedule,
                                           vxe_error *error);

/* Sets the controller, whose weights are copied; null: none. */
VXE_API vxe_status vxe_design_set_controller(vxe_design *design, const vxe_controller *controller,
                                             vxe_error *error);

/* Sets the table of stiffening, (count, 2): time s and part of the change, 0 to 1, linear between
 * the rows. The table is copied and replaces the one before. */
VXE_API vxe_status vxe_design_set_stiffening(vxe_design *design, const double *table,
                                             uint32_t count, vxe_error *error);

/* The layer of that name, which is created with zeros if it is missing. Null without memory, or if
 * it exists with another width. The pointer is valid until another layer is created. Voxels that
 * are added later have zeros, which a layer Density may not have: vxe_design_check tells. */
VXE_API vxe_layer *vxe_design_layer(vxe_design *design, const char *name, uint32_t width);

/* Whether layers of that name have an effect. These have:
     PhaseOffset (cycles): phase of the actuation; Amplitude, Frequency: factors on the actuation;
     InitialSize: factor on the edge, reached half way through settling; a sphere has the mass of
       this size;
     FinalSize: factor on the edge, reached by growth from the time GrowthStart (s) on for
   GrowthTime (s), 0 at once; Group (integer from 0): the actuator that a voxel belongs to; Part
   (integer from 0): voxels of different parts are not bonded; Stiffness (Pa): replaces Young's
   modulus of the material; FinalStiffness (Pa): what it becomes by the table `stiffening`;
     Density (kg/m^3): replaces that of the material;
     BodyForce (3 numbers, N): along the axes of the voxel, which rotate with it;
     Magnetization (3 numbers, A/m): replaces that of the material. */
VXE_API bool vxe_layer_acts(const char *name);

/* The layer of that name, or null. */
VXE_API const vxe_layer *vxe_design_find_layer(const vxe_design *design, const char *name);

/* Sets the initial velocity (m/s) and spin (rad/s) of a voxel. */
VXE_API vxe_status vxe_design_set_velocity(vxe_design *design, uint32_t voxel,
                                           const double linear[3], const double angular[3],
                                           vxe_error *error);

/* Sets the heights of the floor, (rows, columns) in m, which are copied and replace those before.
 */
VXE_API vxe_status vxe_design_set_heights(vxe_design *design, const vxe_heightfield *field,
                                          vxe_error *error);

/* Description of a formula, such as "force field along x"; null for an unknown one. */
VXE_API const char *vxe_formula_name(vxe_formula which);

/* Sets a formula, which is copied; null removes it. */
VXE_API vxe_status vxe_design_set_formula(vxe_design *design, vxe_formula which,
                                          const char *formula, vxe_error *error);

/* Height z (m) of the floor at x, y (m, design frame); minus infinity beyond its end. */
VXE_API double vxe_floor_level(const vxe_floor *floor, double x, double y);

/* Repeats a design that is one voxel deep along y, so that it becomes depth voxels deep. Layers,
   velocities and lists of voxels in regions are repeated too; the total forces of regions stay. */
VXE_API vxe_status vxe_design_extrude(vxe_design *design, uint32_t depth, vxe_error *error);

/* Appends the body of another design, moved by lattice coordinates: materials, voxels, layers
   (where only one design has a layer, the voxels of the other get numbers that do nothing, and in
   the layer Group they are of group 0), initial velocities, regions and contact rules. The rest
   stays that of `design`. Voxels must be of one size; affine bodies are unsupported. */
VXE_API vxe_status vxe_design_add_design(vxe_design *design, const vxe_design *other,
                                         const int32_t at[3], vxe_error *error);

/* Checks all numbers of a design and of its materials. Whether two voxels share a cell is checked
   by vxe_world_create. */
VXE_API vxe_status vxe_design_check(const vxe_design *design, vxe_error *error);

/* Says what of a valid design is unlike any matter: a density above 25 000 kg/m^3. Returns false,
   and leaves text as it is, where there is nothing to say. 240 bytes hold any text. */
VXE_API bool vxe_design_doubt(const vxe_design *design, char *text, uint64_t size);

/* A hash of everything in a design except its notes: equal for equal designs, on every machine. */
VXE_API uint64_t vxe_design_hash(const vxe_design *design);

/* A hash of its affine bodies, observations and walls only. */
VXE_API uint64_t vxe_design_affine_hash(const vxe_design *design);

/* Reports each difference of b from a as a line of text: what is lost if b is a after a file
   format. Names of designs, notes, rounding of numbers and the order of voxels do not count. Fails
   if two voxels of one design share a cell. */
typedef void vxe_design_difference(void *user, const char *text);
VXE_API vxe_status vxe_design_differences(const vxe_design *a, const vxe_design *b,
                                          vxe_design_difference *told, void *user,
                                          vxe_error *error);

/* Notes of a design: what was ignored or assumed when its file was read; "" beyond the count. */
VXE_API uint32_t vxe_design_note_count(const vxe_design *design);
VXE_API const char *vxe_design_note(const vxe_design *design, uint32_t index);

/* Whether a note tells of a likely mistake in a file of ours: a key that no reader knows. */
VXE_API bool vxe_design_note_is_mistake(const vxe_design *design, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
