/* SPDX-License-Identifier: MIT */
/* Contact models that act over the faces of a cube at the floor. They grow so steep that a step of
   the lattice may hold thousands of theirs. So the cube substeps by itself through each step, under
   its weight, the model, and an estimate of everything else, in parts that resolve the model
   (docs/contact-models.md, Time step). The lattice receives the mean force; everything else acts in
   the step's own kick. */
#include <string.h>

#include "common/assert_internal.h"
#include "common/parallel_internal.h"
#include "common/rotation_internal.h"
#include "engine/contact_models/contact_models.h"
#include "engine/core/state_vec.h"
#include "engine/model/workspace.h"

/* Maximum part as a fraction of 2/w, with w from the stiffness of the model. */
#define OF_PERIOD 0.3
/* Likewise, of the time in which the nearest point would reach the floor. */
#define OF_WAY 0.1
/* Likewise, of m/c with c from damping. */
#define OF_DECAY 0.05
/* Weight of the last step in the running mean of the acceleration by everything else. */
#define OF_OTHERS 0.1
/* Maximum number of parts of a step. */
#define MAX_PARTS 100000
/* Maximum number of halvings of a part that ends in the floor. */
#define MAX_HALVINGS 60

/* A cube, the floor below it, and what accelerates it. */
typedef struct body {
    vxe_cube cube;
    vxe_plane plane;
    double mass;
    double inverse[6]; /* 1/kg and 1/(kg m^2); 0 where motion is prescribed */
    double slow[6];    /* m/s^2, rad/s^2: by gravity and everything else, constant in a step */
} body;

/* The cube of a particle at the state's pose and velocity. */
static body body_of(const vxe_workspace *workspace, uint32_t particle)
{
    const vxe_particles *particles = workspace->model->particles;
    const vxe_kernel_arrays *arrays = &workspace->arrays;
    const vxe_precision precision = workspace->model->precision;
    const uint32_t slot = particles->slot[particle];
    const vxe_floor_contact floor_contact = vxe_floor_contact_of(workspace, slot);
    body b = {.mass = vxe_real_at(precision, arrays->mass, slot)};
    b.cube.half = vxe_particle_pose(workspace, particle, b.cube.place);
    b.cube.faces = particles->faces[particle];
    for (int c = 0; c < 3; c++) {
        b.plane.n[c] = floor_contact.normal[c];
        b.cube.v[c] = vxe_state_velocity(workspace->state, c, slot);
        b.cube.w[c] = vxe_state_spin(workspace->state, c, slot);
        b.inverse[c] = vxe_real_at(precision, arrays->inverse_mass[c], slot);
        b.inverse[c + 3] = vxe_real_at(precision, arrays->inverse_inertia[c], slot);
        b.slow[c] = b.inverse[c] > 0 ? arrays->gravity[c] : 0;
    }
    double square = 0;
    for (int c = 0; c < 4; c++) {
        b.cube.turn[c] = vxe_state_orientation(workspace->state, c, slot);
        square += b.cube.turn[c] * b.cube.turn[c];
    }
    VXE_ASSERT(vxe_vec_is_unit(workspace->state, slot, workspace->state->time_step));
    for (int c = 0; c < 4; c++) { /* so that rounding does not grow from step to step */
        b.cube.turn[c] /= sqrt(square);
    }
    b.plane.level = vxe_dot3(b.cube.place, b.plane.n) + floor_contact.depth - b.cube.half;
    return b;
}

/* Rotates a by a spin for h seconds, to the third order of the angle. */
static void spin_by(double a[4], const double w[3], double h)
{
    const double half[3] = {0.5 * h * w[0], 0.5 * h * w[1], 0.5 * h * w[2]};
    const double square = vxe_dot3(half, half);
    const double sine = 1 - square / 6;
    const double by[4] = {1 - square / 2, sine * half[0], sine * half[1], sine * half[2]};
    const double scale = 1 / sqrt(by[0] * by[0] + by[1] * by[1] + by[2] * by[2] + by[3] * by[3]);
    const double unit[4] = {scale * by[0], scale * by[1], scale * by[2], scale * by[3]};
    double turned[4];
    vxe_quaternion_times(unit, a, turned);
    memcpy(a, turned, sizeof turned);
}

/* Ratio by which rotation increases the acceleration of a corner by a force there. */
static double corner_gain(const body *b)
{
    return 1 + 3 * b->cube.half * b->cube.half * b->mass * b->inverse[3];
}

/* 1/s^2: w^2 of the model's stiffness, at most. */
static double steepness(const body *b, const vxe_face_load *load)
{
    return load->stiffness * corner_gain(b) / b->mass;
}

/* 1/s: c/m of the model's losses, at most. */
static double decay(const body *b, const vxe_face_load *load)
{
    return load->dashpot * corner_gain(b) / b->mass;
}

/* Maximum part (s) that resolves a load. */
static double part_for(const body *b, const vxe_face_load *load)
{
    const double steep = steepness(b, load);
    const double damping = decay(b, load);
    double part = steep > 0 ? OF_PERIOD * 2 / sqrt(steep) : HUGE_VAL;
    part = damping > 0 ? fmin(part, OF_DECAY / damping) : part;
    return load->fastest > 0 ? fmin(part, OF_WAY * load->nearest / load->fastest) : part;
}

/* Accelerates the cube by a load and everything else for h seconds. */
static void kick(body *b, const vxe_face_load *load, double h)
{
    for (int c = 0; c < 3; c++) {
        b->cube.v[c] += h * ((load->push[c] + load->loss[c]) * b->inverse[c] + b->slow[c]);
        b->cube.w[c] +=
            h * ((load->push[c + 3] + load->loss[c + 3]) * b->inverse[c + 3] + b->slow[c + 3]);
    }
}

/* The lattice's velocities lag half a step behind positions; parts have both at the same time. To
   synchronise, half of the model's impulse of the last step is added, which the contact remembers,
   and after the parts half of this step's is subtracted (h below 0). Then a cube at rest rests in
   both schemes, and of a cube that bounces within a step the lattice sees the mean velocity. */
static void extra_lag(body *b, const double mean[6], double h)
{
    for (int c = 0; c < 3; c++) {
        b->cube.v[c] += 0.5 * h * (mean[c] + b->slow[c]);
        b->cube.w[c] += 0.5 * h * (mean[c + 3] + b->slow[c + 3]);
    }
}

/* Estimates the acceleration by everything else, which is not known before the step's kick, by its
   running mean over recent steps. The mean keeps the fastest waves of the lattice from being fed
   back. */
static void expect_others(body *b, const vxe_contact_memory *before, double h, double others[6])
{
    for (int c = 0; c < 6; c++) {
        const double now = c < 3 ? b->cube.v[c] : b->cube.w[c - 3];
        const double last = before && b->inverse[c] > 0 ? (now - before->left[c]) / h : 0;
        const double mean = before ? before->others[c] : 0;
        others[c] = mean + OF_OTHERS * (last - mean);
        b->slow[c] += others[c];
    }
}

/* Moves and rotates the cube for h seconds. */
static void drift(body *b, double h)
{
    for (int c = 0; c < 3; c++) {
        b->cube.place[c] += h * b->cube.v[c];
    }
    spin_by(b->cube.turn, b->cube.w, h);
}

/* Advances the cube by h seconds part by part; false if it ends in the floor, where the model has
   no value, or needs too many parts. */
static bool run_parts(body *b, const vxe_power_kernels *kernels, const vxe_particle_pair *pair,
                      vxe_face_load *load, double h, vxe_particle_contact *contact)
{
    const double *numbers = pair->numbers.number;
    double left = h;
    VXE_ASSERT(h > 0);
    for (uint32_t parts = 0; left > 0 && parts < MAX_PARTS; parts++) {
        double part = fmin(left, part_for(b, load));
        for (int halved = 0;; halved++) {
            body next = *b;
            kick(&next, load, 0.5 * part);
            drift(&next, part);
            const vxe_face_load after =
                pair->law->over_faces(kernels, numbers, &next.cube, &next.plane);
            if (after.nearest > 0) {
                kick(&next, &after, 0.5 * part);
                contact->damped += part * 0.5 * (load->damped + after.damped);
                contact->lost += part * 0.5 * (load->rubbed + after.rubbed);
                *b = next;
                *load = after;
                break;
            }
            if (halved == MAX_HALVINGS) {
                return false;
            }
            part *= 0.5;
        }
        left -= part;
    }
    return !(left > 0);
}

/* Accelerations by a load of the model. */
static void accelerations(const body *b, const vxe_face_load *load, double by[6])
{
    for (int c = 0; c < 6; c++) {
        by[c] = (load->push[c] + load->loss[c]) * b->inverse[c];
    }
}

/* Mean accelerations by the model from the first to the last state of the parts. */
static void mean_of(const body *first, const body *last, double h, double by[6])
{
    for (int c = 0; c < 3; c++) {
        by[c] = (last->cube.v[c] - first->cube.v[c]) / h - first->slow[c];
        by[c + 3] = (last->cube.w[c] - first->cube.w[c]) / h - first->slow[c + 3];
    }
}

/* Hands the result of the parts over to the step: the mean load for its kick, and the pose
   correction after its drift. */
static void hand_over(const body *before, const body *after, double h,
                      vxe_particle_contact *contact, vxe_pose_correction *correction)
{
    const double *w = after->cube.w;
    const double *others = contact->memory.others;
    double plain[4];
    double by[6];
    mean_of(before, after, h, by);
    for (int c = 0; c < 6; c++) {
        contact->faces[c] = before->inverse[c] > 0 ? by[c] / before->inverse[c] : 0;
        /* everything else acts in the step's own kick, so it is taken out here */
        contact->memory.left[c] = (c < 3 ? after->cube.v[c] : after->cube.w[c - 3]) - h * others[c];
    }
    memcpy(plain, before->cube.turn, sizeof plain);
    spin_by(plain, w, h);
    const double back[4] = {plain[0], -plain[1], -plain[2], -plain[3]};
    vxe_quaternion_times(after->cube.turn, back, correction->rotation);
    for (int c = 0; c < 3; c++) {
        correction->way[c] = after->cube.place[c] - before->cube.place[c] - h * after->cube.v[c];
    }
    correction->moves = true;
}

void vxe_particle_over_faces(const vxe_workspace *workspace, vxe_particle_contact *contact,
                             const vxe_contact_memory *before, vxe_pose_correction *correction,
                             double h)
{
    VXE_ASSERT(contact->pair->law->over_faces && contact->particle[1] == VXE_NONE);
    const vxe_particle_pair *pair = contact->pair;
    body start = body_of(workspace, contact->particle[0]);
    const vxe_power_kernels *kernels = vxe_power_kernels_of(workspace->model->kernels);
    vxe_face_load load =
        pair->law->over_faces(kernels, pair->numbers.number, &start.cube, &start.plane);
    const bool active = load.nearest < HUGE_VAL && fabs(start.plane.level) < HUGE_VAL;
    contact->active = active;
    contact->passed = active && !(load.nearest > 0);
    contact->energy = load.energy;
    contact->stiff = contact->slips = false;
    contact->events = 0;
    contact->lost = contact->damped = 0;
    memcpy(contact->faces, load.push, sizeof load.push);
    if (!correction) {
        return;
    }
    correction->moves = false;
    if (active && !contact->passed) {
        double mean[6];
        vxe_contact_memory *memory = &contact->memory;
        accelerations(&start, &load, mean);
        expect_others(&start, before, h, memory->others);
        body b = start;
        extra_lag(&b, before ? before->mean : mean, h);
        const body first = b;
        contact->passed = !run_parts(&b, kernels, pair, &load, h, contact);
        mean_of(&first, &b, h, memory->mean);
        extra_lag(&b, memory->mean, -h);
        hand_over(&start, &b, h, contact, correction);
    }
}

void vxe_workspace_particles_correct(const vxe_workspace *workspace, uint32_t thread,
                                     uint32_t threads)
{
    const vxe_particles *particles = workspace->model->particles;
    const vxe_particle_workspace *s = workspace->particles;
    if (!s || !s->correction) {
        return;
    }
    const uint64_t count = s->contact_count;
    for (uint64_t t = count * thread / threads; t < count * (thread + 1) / threads; t++) {
        const vxe_pose_correction *correction = &s->correction[t];
        if (!correction->moves) {
            continue;
        }
        VXE_ASSERT(s->contact[t].particle[0] < particles->count);
        const uint32_t slot = particles->slot[s->contact[t].particle[0]];
        double turn[4];
        double turned[4];
        for (int c = 0; c < 4; c++) {
            turn[c] = vxe_state_orientation(workspace->state, c, slot);
        }
        vxe_quaternion_times(correction->rotation, turn, turned);
        for (int c = 0; c < 4; c++) {
            vxe_state_put_orientation(workspace->state, c, slot, turned[c]);
        }
        for (int c = 0; c < 3; c++) {
            vxe_state_put_position(workspace->state, c, slot,
                                   vxe_state_position(workspace->state, c, slot) +
                                       correction->way[c]);
        }
    }
    vxe_parallel_meet(threads);
}
