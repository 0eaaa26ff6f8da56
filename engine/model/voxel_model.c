/* SPDX-License-Identifier: MIT */
/* The arrays of voxels: mass, inertia, faces for floor and contacts, drag; the origin of
   coordinates; and the state at the start. */
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/model/density.h"
#include "engine/model/model.h"
#include "engine/model/modulus.h"

/* Cells between a small body and the origin of its positions, in mixed precision. */
#define MIN_OFFSET 256.0
/* Coefficient of friction of a sticky floor: larger than any push along it needs, and small
   enough that its square is a float. */
#define STICKY 1e15

/* Edges and radians that a voxel may go in the first step: contacts that begin deeper, and turns
   that are wider, are resolved so badly that energy is gained. */
#define START_WAY 0.1
#define START_TURN 0.1

double *vxe_model_array(vxe_model *model)
{
    VXE_ASSERT(model->precision == VXE_PRECISION_DOUBLE);
    if (model->voxel_arrays == sizeof model->voxel / sizeof model->voxel[0]) {
        return NULL;
    }
    double *array = vxe_memory_take(model->slots, sizeof *array);
    model->voxel[model->voxel_arrays] = vxe_reals_of_doubles(model->precision, array);
    model->voxel_arrays += array != NULL;
    return array;
}

/* Takes count arrays; false if memory runs out. */
static bool take_arrays(vxe_model *model, double **arrays[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        *arrays[i] = vxe_model_array(model);
        if (!*arrays[i]) {
            return false;
        }
    }
    return true;
}

/* Arrays of the contact properties of voxels' faces. */
typedef struct face_law {
    double *stiffness, *dashpot, *static_friction, *dynamic_friction;
} face_law;

/* A voxel's face has the same properties towards other voxels and the floor, except that a floor
   may be sticky. */
static vxe_status share_floor(vxe_model *model, const vxe_design *design, const face_law *face,
                              vxe_error *error)
{
    const vxe_precision precision = model->precision;
    vxe_kernel_arrays *arrays = &model->arrays;
    double *friction[2] = {face->static_friction, face->dynamic_friction};
    if (design->floor.sticky && design->floor.enabled) {
        double *sticky = vxe_model_array(model);
        if (!sticky) {
            return vxe_error_memory(error, 8ull * model->slots);
        }
        for (uint32_t i = 0; i < model->slots; i++) {
            sticky[i] = STICKY;
        }
        friction[0] = friction[1] = sticky;
    }
    if (design->floor.enabled) {
        arrays->floor_stiffness = vxe_reals_of_doubles(precision, face->stiffness);
        arrays->floor_dashpot = vxe_reals_of_doubles(precision, face->dashpot);
        arrays->floor_friction[0] = vxe_reals_of_doubles(precision, friction[0]);
        arrays->floor_friction[1] = vxe_reals_of_doubles(precision, friction[1]);
    }
    if (design->self_collision) {
        arrays->contact_stiffness = vxe_reals_of_doubles(precision, face->stiffness);
        arrays->contact_dashpot = vxe_reals_of_doubles(precision, face->dashpot);
        arrays->static_friction = vxe_reals_of_doubles(precision, face->static_friction);
        arrays->dynamic_friction = vxe_reals_of_doubles(precision, face->dynamic_friction);
    }
    return VXE_OK;
}

vxe_voxel_face vxe_voxel_face_of(const vxe_material *material, double mass, double modulus,
                                 double edge)
{
    VXE_ASSERT(mass > 0 && modulus >= 0 && edge > 0);
    return (vxe_voxel_face){
        .stiffness = modulus * edge,
        .dashpot = 2 * material->collision_damping * sqrt(mass * modulus * edge),
        .static_friction = fmax(material->static_friction, material->dynamic_friction),
        .dynamic_friction = material->dynamic_friction};
}

/* Contact properties of one voxel's face; no stiffness where a contact model applies at the
   floor. */
static void fill_face(vxe_model *model, const vxe_material *m, double mass, double modulus,
                      bool free_of_floor, const face_law *face, uint32_t slot)
{
    const vxe_voxel_face own = vxe_voxel_face_of(m, mass, free_of_floor ? 0 : modulus, model->edge);
    face->stiffness[slot] = model->conventions.floor_stiffness * own.stiffness;
    face->dashpot[slot] = own.dashpot;
    face->static_friction[slot] = own.static_friction;
    face->dynamic_friction[slot] = own.dynamic_friction;
    model->voxel_w0 = fmax(model->voxel_w0, sqrt(face->stiffness[slot] / mass));
}

/* Inertia divided by mass, where some voxels are spheres; null also if memory runs out. */
static double *take_gyration(vxe_model *model, const vxe_design *design)
{
    bool any = false;
    for (uint32_t i = 0; i < design->material_count; i++) {
        any = any || design->materials[i].sphere;
    }
    return any ? vxe_model_array(model) : NULL;
}

/* Mass, floor and drag of every voxel (Hiller2014; docs/physics.md, Degrees of freedom and
   Floor): m = rho a^3, I = m a^2/6; floor spring E a times the factor of the compatibility
   preset; dashpots 2 zeta sqrt(m E a), for spin 2 zeta sqrt(I E a^3). Spheres: m = rho pi d^3/6,
   I = m d^2/10. */
vxe_status vxe_model_fill_voxels(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    double *mass = NULL;
    double *im = NULL;
    double *ii = NULL;
    face_law face = {0};
    double *drag = NULL;
    double *spin_drag = NULL;
    double **base[] = {&mass, &im, &ii};
    double **faces[] = {&face.stiffness, &face.dashpot, &face.static_friction,
                        &face.dynamic_friction};
    double **drags[] = {&drag, &spin_drag};
    bool dragged = false;
    for (uint32_t i = 0; i < design->material_count; i++) {
        dragged = dragged || design->materials[i].global_damping > 0;
    }
    const bool touches = design->floor.enabled || design->self_collision;
    if (!take_arrays(model, base, 3) || (touches && !take_arrays(model, faces, 4)) ||
        (dragged && !take_arrays(model, drags, 2))) {
        return vxe_error_memory(error, 8ull * model->slots);
    }
    const double a = model->edge;
    double *gyration = take_gyration(model, design);
    const vxe_moduli moduli = vxe_moduli_of(design);
    const vxe_densities densities = vxe_densities_of(design);
    const double spin = vxe_spin_factor_of(&model->conventions);
    for (uint32_t i = 0; i < model->slots; i++) {
        const uint32_t voxel =
            i < design->voxel_count ? model->topology.order[i] : model->topology.order[0];
        const vxe_material *m = &design->materials[design->voxels[voxel].material];
        const double modulus = vxe_voxel_modulus(&moduli, voxel);
        const double d = m->sphere ? vxe_sphere_diameter(design, voxel) : a;
        const double density = vxe_voxel_density(&densities, voxel);
        mass[i] = m->sphere ? density * (VXE_TAU / 12) * d * d * d : density * a * a * a;
        const double inertia = m->sphere ? mass[i] * d * d / 10 : density * a * a * a * a * a / 6;
        if (gyration) {
            gyration[i] = inertia / mass[i];
        }
        im[i] = i < design->voxel_count ? 1 / mass[i] : 0;
        ii[i] = i < design->voxel_count ? 1 / inertia : 0;
        model->total_mass += i < design->voxel_count ? mass[i] : 0;
        if (touches) {
            const uint32_t material = design->voxels[voxel].material;
            fill_face(model, m, mass[i], modulus, vxe_design_is_particle_on_floor(design, material),
                      &face, i);
        }
        if (drag) {
            drag[i] = 2 * m->global_damping * sqrt(mass[i] * modulus * a);
            spin_drag[i] = spin * 2 * m->global_damping * sqrt(inertia * modulus * a * a * a);
        }
    }
    const vxe_precision precision = model->precision;
    vxe_kernel_arrays *arrays = &model->arrays;
    arrays->mass = vxe_reals_of_doubles(precision, mass);
    arrays->gyration = vxe_reals_of_doubles(precision, gyration);
    for (int c = 0; c < 3; c++) {
        arrays->inverse_mass[c] = vxe_reals_of_doubles(precision, im);
        arrays->inverse_inertia[c] = vxe_reals_of_doubles(precision, ii);
    }
    arrays->drag = vxe_reals_of_doubles(precision, drag);
    arrays->spin_drag = vxe_reals_of_doubles(precision, spin_drag);
    return share_floor(model, design, &face, error);
}

/* The mean velocity (m/s) at the start; 0 where there is a floor, which does not go along. */
static void find_drift(const vxe_design *design, double drift[3])
{
    drift[0] = drift[1] = drift[2] = 0;
    for (size_t v = 0; v < design->voxel_count && !design->floor.enabled; v++) {
        for (int c = 0; c < 3; c++) {
            drift[c] += design->velocity[6 * v + (size_t)c] / design->voxel_count;
        }
    }
}

void vxe_model_fill_longest_step(vxe_model *model, const vxe_design *design)
{
    const bool touches = design->floor.enabled || design->self_collision;
    double drift[3];
    model->longest_step = HUGE_VAL;
    if (!design->velocity) {
        return;
    }
    find_drift(design, drift);
    for (size_t v = 0; v < design->voxel_count; v++) {
        const double *rates = design->velocity + 6 * v;
        double speed2 = 0;
        double spin2 = 0;
        for (int c = 0; c < 3; c++) {
            speed2 += (rates[c] - drift[c]) * (rates[c] - drift[c]);
            spin2 += rates[c + 3] * rates[c + 3];
        }
        if (speed2 > 0 && touches) {
            model->longest_step = fmin(model->longest_step, START_WAY * model->edge / sqrt(speed2));
        }
        if (spin2 > 0) {
            model->longest_step = fmin(model->longest_step, START_TURN / sqrt(spin2));
        }
    }
}

double vxe_model_rest(const vxe_model *model, const vxe_design *design, int c, uint32_t slot)
{
    VXE_ASSERT(c >= 0 && c < 3 && slot < model->topology.voxel_count);
    const int32_t at = design->voxels[model->topology.order[slot]].position[c];
    return ((double)at - model->topology.low[c] + model->offset) * model->edge;
}

static vxe_floor_rule floor_rule_of(const vxe_conventions *conventions)
{
    if (conventions->floor_pulls) {
        return conventions->spring_friction ? VXE_FLOOR_PULLS : VXE_FLOOR_PULLS_WHOLE;
    }
    return conventions->spring_friction ? VXE_FLOOR_SPRING_FRICTION : VXE_FLOOR_NATIVE;
}

/* Sets the origin of positions: a corner of the body. In mixed precision that corner is moved
   away from it, by at least four times the body's extent: then the leading floats of neighbours
   are within a factor of two of each other, and their difference is exact (Sterbenz1974). */
void vxe_model_fill_frame(vxe_model *model, const vxe_design *design, vxe_precision precision)
{
    model->arrays.edge = model->edge;
    model->offset = precision == VXE_PRECISION_MIXED ? MIN_OFFSET : 0;
    for (int c = 0; c < 3; c++) {
        const double cells = (double)model->topology.high[c] - model->topology.low[c] + 1;
        while (model->offset > 0 && model->offset < 4 * cells) {
            model->offset *= 2;
        }
    }
    for (int c = 0; c < 3; c++) {
        model->origin[c] = (model->topology.low[c] + 0.5 - model->offset) * model->edge;
        model->extent[c] =
            ((double)model->topology.high[c] - model->topology.low[c] + 1) * model->edge;
        model->arrays.gravity[c] = design->gravity[c];
    }
    model->arrays.floor_height = design->floor.height - model->origin[2];
    model->arrays.floor_rule = floor_rule_of(&model->conventions);
}

/* Stress that sticky links hold, where voxels of the design stick. */
vxe_status vxe_model_fill_stickiness(vxe_model *model, const vxe_design *design, vxe_error *error)
{
    bool sticks = false;
    for (uint32_t v = 0; v < design->voxel_count && design->self_collision; v++) {
        sticks = sticks || design->materials[design->voxels[v].material].sticky;
    }
    if (!sticks) {
        return VXE_OK;
    }
    model->detach_stress = vxe_memory_take(model->slots, sizeof *model->detach_stress);
    model->sticky_material = vxe_memory_take(model->slots, sizeof *model->sticky_material);
    if (!model->detach_stress || !model->sticky_material) {
        return vxe_error_memory(error, 12ull * model->slots);
    }
    for (uint32_t slot = 0; slot < design->voxel_count; slot++) {
        const uint32_t voxel = model->topology.order[slot];
        const vxe_material *m = &design->materials[design->voxels[voxel].material];
        const double holds = m->detach_stress > 0 ? m->detach_stress : (double)INFINITY;
        model->detach_stress[slot] = m->sticky ? holds : 0;
        model->sticky_material[slot] = m->sticky ? design->voxels[voxel].material : VXE_NONE;
    }
    return VXE_OK;
}

void vxe_model_rest_state(const vxe_model *model, const vxe_design *design, vxe_state *state)
{
    VXE_ASSERT(state->precision == model->precision && state->slots == model->slots);
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        const size_t voxel = model->topology.order[i];
        const double *rates = design->velocity ? design->velocity + 6 * voxel : NULL;
        for (int c = 0; c < 3; c++) {
            vxe_state_put_position(state, c, i, vxe_model_rest(model, design, c, i));
            if (rates && vxe_real_at(model->precision, model->arrays.inverse_mass[c], i) > 0) {
                vxe_state_put_velocity(state, c, i, rates[c]);
            }
            if (rates && vxe_real_at(model->precision, model->arrays.inverse_inertia[c], i) > 0) {
                vxe_state_put_spin(state, c, i, rates[c + 3]);
            }
        }
    }
}
