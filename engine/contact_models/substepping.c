/* SPDX-License-Identifier: MIT */
/* Laws that act over the faces of a cube at the floor. They grow so steep that a step of the
   lattice may hold thousands of theirs: the cube goes through the step by itself, under its weight
   and the law, in parts that follow the law (docs/contact-models.md, Time step), and the lattice
   sees the mean force. What else acts comes in the step's own kick. */
#include <string.h>

#include "common/parallel_internal.h"
#include "common/rotation_internal.h"
#include "engine/contact_models/contact_models.h"
#include "engine/model/workspace.h"

/* Parts of a step: of 2/w, w from the law's steepness; of what the nearest point would take to the
 * floor; of m/c, c from damping. */
#define OF_PERIOD 0.3
#define OF_WAY 0.1
#define OF_DECAY 0.05
/* Of what else moves a cube, how much the last step counts. */
#define OF_OTHERS 0.1
/* Parts that a step may have, and halvings of one that ends in the floor. */
#define MAX_PARTS 100000
#define MAX_HALVINGS 60

/* A cube with what moves it. */
typedef struct body {
    vxe_cube cube;
    vxe_plane plane;
    double mass;
    double inverse[6]; /* 1/kg and 1/(kg m^2), 0 where held */
    double slow[6];    /* m/s^2, rad/s^2: by gravity and what else moves it, taken as constant */
} body;

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
    for (int c = 0; c < 4; c++) { /* rounding must not grow from step to step */
        b.cube.turn[c] /= sqrt(square);
    }
    b.plane.level = vxe_dot3(b.cube.place, b.plane.n) + floor_contact.depth - b.cube.half;
    return b;
}

/* Turned by a spin for h seconds, to the third order of the angle. */
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

/* How much more a push at a corner moves it than its mass alone would have it. */
static double by_turning(const body *b)
{
    return 1 + 3 * b->cube.half * b->cube.half * b->mass * b->inverse[3];
}

/* w^2 of the law's steepness, 1/s^2, */
static double steepness(const body *b, const vxe_face_load *load)
{
    return load->stiffness * by_turning(b) / b->mass;
}

/* and c/m of its losses, 1/s: at most. */
static double decay(const body *b, const vxe_face_load *load)
{
    return load->dashpot * by_turning(b) / b->mass;
}

/* The longest part that follows a load. */
static double part_for(const body *b, const vxe_face_load *load)
{
    const double steep = steepness(b, load);
    const double damping = decay(b, load);
    double part = steep > 0 ? OF_PERIOD * 2 / sqrt(steep) : HUGE_VAL;
    part = damping > 0 ? fmin(part, OF_DECAY / damping) : part;
    return load->fastest > 0 ? fmin(part, OF_WAY * load->nearest / load->fastest) : part;
}

/* By a load and what else moves it over h seconds. */
static void kick(body *b, const vxe_face_load *load, double h)
{
    for (int c = 0; c < 3; c++) {
        b->cube.v[c] += h * ((load->push[c] + load->loss[c]) * b->inverse[c] + b->slow[c]);
        b->cube.w[c] +=
            h * ((load->push[c + 3] + load->loss[c + 3]) * b->inverse[c + 3] + b->slow[c + 3]);
    }
}

/* The step's velocities are half a step behind; parts have theirs at both ends. They catch up by
   half of what the law did in the step before, which the contact remembers, and fall behind by half
   of what it does in this one: then a cube at rest rests in both, and what the lattice sees of one
   that bounces within a step is the mean of its speeds. */
static void extra_lag(body *b, const double mean[6], double h)
{
    for (int c = 0; c < 3; c++) {
        b->cube.v[c] += 0.5 * h * (mean[c] + b->slow[c]);
        b->cube.w[c] += 0.5 * h * (mean[c + 3] + b->slow[c + 3]);
    }
}

/* What else moves a cube is not known before the step's kick: what did of late stands for it, the
   mean of some steps, so that the fastest waves of a lattice are not fed back. */
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

static void drift(body *b, double h)
{
    for (int c = 0; c < 3; c++) {
        b->cube.place[c] += h * b->cube.v[c];
    }
    spin_by(b->cube.turn, b->cube.w, h);
}

/* Goes through h seconds part by part; false where the law has no value. */
static bool go_through(body *b, const vxe_power_kernels *kernels, const vxe_particle_pair *pair,
                       vxe_face_load *load, double h, vxe_particle_contact *contact)
{
    const double *numbers = pair->numbers.number;
    double left = h;
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

/* Accelerations by the law, as it acts now. */
static void accelerations(const body *b, const vxe_face_load *load, double by[6])
{
    for (int c = 0; c < 6; c++) {
        by[c] = (load->push[c] + load->loss[c]) * b->inverse[c];
    }
}

/* Their mean from one end of parts to the other. */
static void mean_of(const body *first, const body *last, double h, double by[6])
{
    for (int c = 0; c < 3; c++) {
        by[c] = (last->cube.v[c] - first->cube.v[c]) / h - first->slow[c];
        by[c + 3] = (last->cube.w[c] - first->cube.w[c]) / h - first->slow[c + 3];
    }
}

/* What parts of a step have done, as the step's kick and drift see it. */
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
        /* others come in the step's own kick */
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
        contact->passed = !go_through(&b, kernels, pair, &load, h, contact);
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
