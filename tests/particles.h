/* SPDX-License-Identifier: MIT */
/* Designs of spheres with contact models, shared by the tests of particles. */
#ifndef VXE_TESTS_PARTICLES_H
#define VXE_TESTS_PARTICLES_H

#include "support.h"

/* Radius of the spheres, m. */
#define RADIUS 0.01

/* Material of case hertz-collision of docs/accuracy.md: spheres of 20 mm, E = 10 MPa, nu = 0.3,
 * 1200 kg/m^3. */
vxe_material ball_material(void);

/* Spheres in a block of cells two radii wide, without gravity. The floor is so far (m) below them,
 * or absent. */
vxe_design *balls(const vxe_material *material, int nx, int ny, int nz, double above);

void add_rule(vxe_design *design, uint32_t first, uint32_t second, vxe_contact_law law);

vxe_contact_law linear(double kn, double ks, double fric);
vxe_contact_law hertz(double c_n, double fric);

void throw_voxel(vxe_design *design, uint32_t voxel, double vx, double vz);

/* A world with a step (s) and the energy audit. */
vxe_world *world_of_step(const vxe_design *design, double step);

#endif
