/* SPDX-License-Identifier: MIT */
/* The model: everything about a design that does not change while it runs, compiled into arrays
   by slot (the index of a voxel in scan order). */
#ifndef VXE_ENGINE_MODEL_MODEL_H
#define VXE_ENGINE_MODEL_MODEL_H

#include "common/expression_internal.h"
#include "common/messages_internal.h"
#include "engine/conventions.h"
#include "engine/core/chunks.h"
#include "engine/core/dispatch.h"
#include "engine/core/state.h"
#include "engine/floor/floor.h"
#include "engine/model/density.h"
#include "engine/model/driven_law.h"
#include "engine/model/modulus.h"
#include "engine/model/stiffness_schedule.h"
#include "engine/world.h"
#include "materials/poisson_law.h"
#include "materials/yield_break_law.h"

struct vxe_particles;      /* contact_models.h */
struct vxe_magnets;        /* magnets.h */
struct vxe_voxelyze_model; /* voxelyze.h */

/* Voxels that touch at rest make no contact if bonds join them over at most so many bonds. */
#define VXE_TOUCHING_BONDS 3

/* All six faces of a voxel: it has no bonds. */
#define VXE_ALL_FACES 63
/* The first bit of each axis. */
#define VXE_FIRST_FACES 21

/* The voxels of a body that can collide: those with a free face, or with one once a bond breaks.
   Where the others are few they are included too. */
typedef struct vxe_surface {
    uint32_t count;  /* N; 0 where nothing collides */
    bool spheres;    /* voxels collide as spheres, as in the Voxelyze family */
    bool breaks;     /* bonds may break and open faces */
    bool loose;      /* some voxel has no bonds, and no magnet pulls at it */
    uint32_t *slot;  /* (N) ascending */
    int32_t *cell;   /* (N, 3) cell of the lattice */
    uint8_t axes[3]; /* axes of the scan, the slowest first */
    uint8_t *faces;  /* (N) faces that are free at rest, one bit each: +x -x +y -y +z -z */
    uint32_t *apart; /* (N) a bit for each of the 27 cells around a voxel and its own, x first: what
                        is there is not within VXE_TOUCHING_BONDS bonds; null with spheres and where
                        bonds may break */
} vxe_surface;

/* Largest eigenvalues of M^-1 K (rad^2/s^2, springs of floor and contacts included), of M^-1 C
   of the bonds' dashpots (1/s), and of the same with floor, contacts and drag. They are
   estimated from below, within about 1 %. */
typedef struct vxe_spectrum {
    double lambda_k;
    double lambda_c;
    double lambda_c_all;
} vxe_spectrum;

/* Bonds that can yield or break. */
typedef struct vxe_yield {
    vxe_yield_law *laws; /* (law_count) */
    uint32_t law_count;  /* 0: all bonds stay elastic */
    uint32_t *law_of[3]; /* (3, S) by lower voxel: index in laws, or VXE_NONE */
} vxe_yield;

/* Variables of the formulas of a force field: x, y, z (m, design frame) and t (s). */
#define VXE_FIELD_VARIABLES 4

typedef struct vxe_field {
    vxe_expression force[3]; /* N on a voxel */
    bool acts;
    double *own; /* (voxels, 3) N: body force of each slot's voxel, along its own axes; null
                    where there is none */
} vxe_field;

/* Smallest and largest factor on an edge, over all times. */
typedef struct vxe_size_bounds {
    double min, max;
} vxe_size_bounds;

/* What a caller has made of the actuation's wave since a time (vxe_world_tune). */
typedef struct vxe_wave_tuning {
    double amplitude, frequency;   /* factors, 1 */
    double base_time, base_cycles; /* s; cycles of the wave then */
} vxe_wave_tuning;

typedef struct vxe_model {
    vxe_topology topology;
    vxe_chunks chunks;
    const vxe_kernels *kernels;
    vxe_conventions conventions; /* with the caller's choices applied */
    vxe_damping_form damping_form;
    vxe_composite composite;
    vxe_shear shear;
    bool bars;
    uint32_t slots;    /* voxels and padding */
    double edge;       /* m: lattice spacing and nominal edge */
    double origin[3];  /* m: origin of the slots' coordinates in the design frame */
    double offset;     /* cells from the origin to the body's lowest corner, in each coordinate */
    double extent[3];  /* m: size of the body at rest */
    double total_mass; /* kg */
    vxe_reals *voxel[32]; /* (voxel_arrays, S) the arrays below point at these */
    uint32_t voxel_arrays;
    vxe_reals *rows; /* (row_count, row_values, VXE_VECTOR) the bonds' coefficients */
    uint32_t row_count;
    vxe_precision precision;   /* of voxel and rows: double while the model is made */
    vxe_surface surface;       /* voxels that can collide */
    double external_lambda;    /* 1/s^2: what contact with affine bodies adds to the largest
                                  eigenvalue */
    uint32_t *sticky_material; /* (S) material of a sticky voxel, which sticks to voxels of the
                                  same one, or VXE_NONE; null where nothing sticks */
    double *detach_stress;     /* (S) Pa: stress that sticky links of a voxel hold, infinite where
                                  they never let go, 0 where it is not sticky; null where nothing
                                  sticks */
    vxe_field field;
    struct vxe_particles *particles;     /* null where no voxel has a contact model */
    struct vxe_magnets *magnets;         /* null where there are none */
    struct vxe_voxelyze_model *voxelyze; /* null under the native law */
    vxe_stiffening *stiffening;          /* null where stiffness does not change */
    vxe_terrain *terrain;                /* the floor that is not level; null where there is none
                                            or it is level */
    vxe_yield yield;
    bool poisson;               /* Poisson's ratio acts: strains across a bond add to its tension */
    uint8_t *clamped_faces;     /* (voxels) by slot, null unless poisson: bits 0 to 2 where a clamp
                                   cuts the voxel along an axis, VXE_CLAMPED_PLANE << axis where it
                                   is held along an axis on which it has no bond */
    vxe_kernel_arrays arrays;   /* its model part; state and workspace are bound per run */
    vxe_driven_freedom *driven; /* (driven_count) by slot */
    uint32_t *driven_first;     /* (chunk_count + 1); null if none */
    uint32_t driven_count;
    vxe_time_table *tables; /* (table_count), by region */
    uint32_t table_count;
    vxe_actuation actuation;
    vxe_wave_tuning tuned;
    vxe_stop stop;
    double w0;       /* rad/s: highest frequency of a single bond, sqrt(k_a / m_min) (Hiller2014) */
    double voxel_w0; /* rad/s: largest frequency of a voxel on its floor spring */
    double source_fraction;
    double min_ratio; /* smallest and largest dashpot ratio over bonds */
    double max_ratio;
    double widest;             /* largest factor on an edge */
    double narrowest;          /* smallest factor on an edge; a bound of it where that may change */
    double shortest_period;    /* s: shortest period of the actuation, over voxels; 0: none moves */
    double longest_step;       /* s: that resolves how fast voxels start, and how fast they grow */
    vxe_time_table *schedules; /* (group_count) schedule of each group; without rows the factor
                                  is 1 */
    vxe_size_bounds *bounds;   /* (group_count) bounds of the edges of a group's voxels, with
                                  targets at 1 */
    uint32_t group_count;
    bool has_schedules;
    vxe_spectrum spectrum;
} vxe_model;

/* An array of S doubles that the model owns; null if memory runs out. For the functions that
   fill a model. */
double *vxe_model_array(vxe_model *model);

/* Whether some bond can break: then any voxel may come to the surface, or be alone. */
bool vxe_model_breaks(const vxe_model *model);

/* Capacity for sticky links per voxel of the surface: a voxel in a heap touches 12 others. */
#define VXE_MAX_STICKY_LINKS 12u

/* Coefficients of the bond vectors. */
vxe_status vxe_model_fill_bonds(vxe_model *model, const vxe_design *design, vxe_error *error);

/* Coefficients at both ends of a stiffness that changes in time; called after bonds and voxels
   are filled. */
vxe_status vxe_model_fill_stiffening(vxe_model *model, const vxe_design *design, vxe_error *error);

/* A copy in float of an array in double; null if memory runs out. */
vxe_reals *vxe_model_narrowed(const vxe_reals *from, uint64_t count);

/* Turns the model's arrays from double into those of a precision. */
vxe_status vxe_model_narrow(vxe_model *model, vxe_precision precision, vxe_error *error);

/* A voxel's coordinate at the start, m about the body's origin. */
double vxe_model_rest(const vxe_model *model, const vxe_design *design, int c, uint32_t slot);

/* Boundary conditions: fixed degrees of freedom, loads, prescribed motion. */
vxe_status vxe_model_apply_boundary_conditions(vxe_model *model, const vxe_design *design,
                                               vxe_messages *warnings, vxe_error *error);

/* The topology of a design, for a model that has nothing else yet. */
vxe_status vxe_model_scan(vxe_model *model, const vxe_design *design, vxe_error *error);

/* The numbers of a floor that is not level. */
vxe_status vxe_model_fill_terrain(vxe_model *model, const vxe_design *design, vxe_error *error);
void vxe_terrain_release(vxe_terrain *terrain);

/* Bounds the floor's stiffness for voxels of half edges up to half (m). */
void vxe_terrain_bound(vxe_terrain *terrain, double half);

/* Number of voxels that start deeper in the floor than a hundredth of an edge. */
uint32_t vxe_model_sunk(const vxe_model *model, const vxe_design *design);

/* Under presets without them, removes the bonds between voxels that are fixed in all freedoms. The
   frame must be filled. */
vxe_status vxe_model_unbond_fixed(vxe_model *model, const vxe_design *design, vxe_error *error);

/* Clamped faces for Poisson's ratio: a grip is a set of open faces, side by side, that regions
   hold along their normal. */
enum { VXE_CLAMPED_PLANE = 8 };
vxe_status vxe_model_find_clamped_faces(vxe_model *model, const vxe_design *design,
                                        vxe_error *error);

/* Whether Poisson's ratio acts in a design. */
bool vxe_design_has_poisson(const vxe_design *design);

/* The Poisson law of a voxel, and the coupling of strains of all voxels. */
vxe_poisson_law vxe_model_poisson_law(const vxe_model *model, const vxe_design *design,
                                      uint32_t slot);
vxe_status vxe_model_fill_poisson(vxe_model *model, const vxe_design *design, vxe_error *error);

/* Factor on the global damping of rotation; the evosoro family's step has it in its kernel. */
static inline double vxe_spin_factor_of(const vxe_conventions *conventions)
{
    return conventions->law == VXE_LAW_EVOSORO ? 1 : conventions->spin_drag;
}

/* Contact properties of a voxel's face: k = E a, 2 zeta sqrt(m E a), and friction. */
typedef struct vxe_voxel_face {
    double stiffness; /* N/m */
    double dashpot;   /* N s/m */
    double static_friction, dynamic_friction;
} vxe_voxel_face;

vxe_voxel_face vxe_voxel_face_of(const vxe_material *material, double mass, double modulus,
                                 double edge);

/* The arrays of voxels (mass, floor, drag), and the origin of coordinates for a precision. */
vxe_status vxe_model_fill_voxels(vxe_model *model, const vxe_design *design, vxe_error *error);

/* Begins the longest step by the velocities at the start; the actuation may shorten it. */
void vxe_model_fill_longest_step(vxe_model *model, const vxe_design *design);
void vxe_model_fill_frame(vxe_model *model, const vxe_design *design, vxe_precision precision);

/* Which voxels stick and up to what stress, where a design has sticky materials. */
vxe_status vxe_model_fill_stickiness(vxe_model *model, const vxe_design *design, vxe_error *error);

/* The contact model between two materials, the second of which may be VXE_CONTACT_FLOOR; false
   if no rule gives one. */
bool vxe_design_contact_law(const vxe_design *design, uint32_t one, uint32_t other,
                            vxe_contact_law *law);

/* Whether a material has a contact model with another one or itself, or with the floor. */
bool vxe_design_is_particle(const vxe_design *design, uint32_t material);
bool vxe_design_is_particle_on_floor(const vxe_design *design, uint32_t material);

/* Diameter (m) of a free sphere at the start. */
double vxe_sphere_diameter(const vxe_design *design, uint32_t voxel);

/* With fewer voxels a thread's work is shorter than two barriers of the team. */
#define VXE_VOXELS_PER_THREAD 2000u

/* The initial state. */
void vxe_model_rest_state(const vxe_model *model, const vxe_design *design, vxe_state *state);

/* Numbers from which the edges of voxels follow over time. */
vxe_status vxe_model_fill_actuation(vxe_model *model, const vxe_design *design,
                                    vxe_messages *warnings, vxe_error *error);

/* Whether edges change over time. */
bool vxe_model_resizes(const vxe_model *model);

/* Time (s) from which the actuation's wave acts in full: after settling, its start and its fade-in;
   0 without a wave. */
double vxe_model_actuation_full(const vxe_model *model);

/* Cycles of the actuation's wave at a time (s). */
double vxe_model_cycles(const vxe_model *model, double time);

/* Finds the bounds of all edges, and those of each group with its target at 1, where the wave has
   so many times its amplitude. of_groups: (group_count). Returns the bounds over all voxels. */
vxe_size_bounds vxe_model_bounds_at(const vxe_model *model, double amplitude,
                                    vxe_size_bounds *of_groups);

/* The numbers of a time (s), VXE_CLOCK_, from which edges follow. */
void vxe_model_clock(const vxe_model *model, double time, double clock[VXE_CLOCK_NUMBERS]);

#endif
