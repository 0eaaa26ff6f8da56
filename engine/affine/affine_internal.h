/* SPDX-License-Identifier: MIT */
/* Affine bodies, compiled and moving (physics 4 to 6). A body goes through a step of the world in
   parts that follow its elasticity, growth and contacts, by velocity Verlet: half a kick, the
   drift, half a kick. What keeps its volume does so by impulses along the gradient of the
   constraint at both ends (RATTLE), which give and take no angular momentum; a rigid body drifts by
   turns about its principal axes, which keep it exactly. */
#ifndef VXE_ENGINE_AFFINE_INTERNAL_H
#define VXE_ENGINE_AFFINE_INTERNAL_H

#include "common/expression_internal.h"
#include "common/matrix_internal.h"
#include "common/messages_internal.h"
#include "engine/grains/power_law_internal.h"
#include "lattice/design.h"

/* A body as it does not change. Matrices row after row. */
typedef struct vxe_affine {
    char name[64];
    vxe_affine_kind kind;
    bool isochoric, pinned, hold_center, hold_deformation;
    bool keeps_volume; /* exactly */
    bool grows;        /* by formulas */
    bool driven;
    double mass;     /* kg */
    double volume;   /* m^3: V0 */
    double euler[9]; /* kg m^2: J, of the mass about the centroid */
    double inverse_euler[9];
    double number[VXE_AFFINE_NUMBERS];
    double axes[9];           /* a rigid body's principal axes, in columns, about its pin if it has
                                 one, */
    double moments[3];        /* kg m^2, and moments of inertia about them */
    double arm[3];            /* m: the centroid from there, the body's own axes */
    double pivot[3];          /* m: where the pin is */
    double lever;             /* 1/kg: at most, how a push at a point moves it */
    vxe_power_patch *patches; /* (patch_count) faces, from the centroid */
    double *normals;          /* (patch_count, 3) out of them, of any length */
    uint32_t patch_count;
    const vxe_plane *planes; /* (plane_count) that it meets */
    uint32_t plane_count;
    double contact[VXE_POWER_NUMBERS];
    vxe_expression formulas[VXE_AFFINE_FORMULAS];
    double gravity[3]; /* m/s^2 */
    double part_scale; /* on the parts of steps */
} vxe_affine;

/* As it is now: numbers alone, which are the state's hash. */
typedef struct vxe_affine_state {
    double place[3];       /* m: of the centroid, design coordinates */
    double v[3];           /* m/s */
    double deformation[9]; /* P */
    double rate[9];        /* 1/s: of P */
    double spin[3];    /* kg m^2/s: a rigid body's angular momentum, about its pin if it has one */
    double growth[9];  /* G */
    double pressure;   /* Pa: what kept the volume, in the part before */
    double viscous;    /* J: dissipated within the body, */
    double remodelled; /* by growth, */
    double damped;     /* by contact's damping, */
    double rubbed;     /* and friction, since the start */
    double driven;     /* J: given by what makes it grow, */
    double worked;     /* by its force, and by contact as its faces widen */
} vxe_affine_state;

/* What acts from outside, gravity apart. */
typedef struct vxe_affine_load {
    double force[3];  /* N */
    double by_arm[9]; /* N m: sum of force by reference arm from the centroid */
    double torque[3]; /* N m about the centroid */
    double given[3];  /* N: of the force, what its formula gives */
    double energy, damped, rubbed, stiffness, dashpot, nearest, fastest; /* as vxe_power_sum */
    double widened; /* W: what contact's energy gains as faces widen that it presses on */
} vxe_affine_load;

/* Stresses at a deformation that changes. */
typedef struct vxe_affine_stress {
    double stress[9]; /* Pa: first Piola, conjugate to P, per volume before all */
    double drive[9];  /* Pa: F^T S G^T - det G phi, what it does to growth */
    double energy;    /* J/m^3: det G phi */
    double viscous;   /* W/m^3 */
} vxe_affine_stress;

/* All bodies of a world. */
typedef struct vxe_affine_group {
    vxe_affine *bodies;       /* (count) */
    vxe_affine_state *states; /* (count) */
    uint32_t count;
    vxe_plane *planes; /* (plane_count) */
    uint32_t plane_count;
    double extent[3]; /* m: of all of them at the start */
    double step;      /* s that suits them, where no lattice says another */
} vxe_affine_group;

/* Bodies of a design as they start, none where it has none. part_scale: on the parts of steps. */
vxe_status vxe_affine_group_init(vxe_affine_group *group, const vxe_design *design,
                                 double part_scale, vxe_messages *warnings, vxe_error *error);
void vxe_affine_group_clear(vxe_affine_group *group);

/* Advances a body from a time by h seconds. VXE_ERROR_DIVERGED says why. */
vxe_status vxe_affine_advance(const vxe_affine *body, vxe_affine_state *state, double time,
                              double h, vxe_error *error);

/* Growth at a time, by formulas; and its flow G' G^-1. */
void vxe_affine_growth_at(const vxe_affine *body, double time, double growth[9], double flow[9]);

/* The flow that drives and stresses make. flow: a guess, and the answer. */
void vxe_affine_driven_flow(const vxe_affine *body, const vxe_affine_state *state, double time,
                            double flow[9]);

/* Stresses at a state whose growth has a flow. */
void vxe_affine_stress_of(const vxe_affine *body, const vxe_affine_state *state,
                          const double flow[9], vxe_affine_stress *stress);

/* growth = e^(h flow) growth */
void vxe_affine_grow(double growth[9], const double flow[9], double h);

/* What a body's drive is at a time, Pa. */
void vxe_affine_drive_at(const vxe_affine *body, double time, double drive[9]);

/* What acts on a body from outside; nearest is 0 or less where the law of contact has no value. */
void vxe_affine_load_of(const vxe_affine *body, const vxe_affine_state *state, double time,
                        vxe_affine_load *load);

/* Principal axes (in columns, right-handed) and values of a symmetric matrix, by Jacobi's turns. */
void vxe_principal_axes(const double matrix[9], double axes[9], double values[3]);

/* A rigid body: principal axes of its moments about its pin, */
void vxe_rigid_prepare(vxe_affine *body, const double pin[3]);
/* its spin (rad/s), */
void vxe_rigid_spin(const vxe_affine *body, const vxe_affine_state *state, double spin[3]);
/* what else of the state follows from its turn and angular momentum, */
void vxe_rigid_follow(const vxe_affine *body, vxe_affine_state *state);
/* half kick (h seconds) and drift. */
void vxe_rigid_kick(const vxe_affine *body, vxe_affine_state *state, const vxe_affine_load *load,
                    double h);
void vxe_rigid_drift(const vxe_affine *body, vxe_affine_state *state, double h);

/* The longest part of a step that follows what a deformable body does within it. */
double vxe_affine_inner_part(const vxe_affine *body, const vxe_affine_state *state,
                             const double flow[9]);

/* Energies (J) of a body now. */
typedef struct vxe_affine_energy {
    double kinetic, elastic, contact, gravity;
} vxe_affine_energy;

vxe_affine_energy vxe_affine_energy_of(const vxe_affine *body, const vxe_affine_state *state,
                                       double time);

#endif
