/* SPDX-License-Identifier: MIT */
/* Shared by the tests: checks in double precision that print their residual, and small designs of
 * the standard material of docs/accuracy.md: a = 10 mm, E = 1 MPa, nu = 0.3, rho = 1000 kg/m^3, so
 * m = 1 g, I = 1.6667e-8 kg m^2, k_a = k_s = 1e4 N/m, w0 = 3162.28 rad/s. */
#ifndef VXE_TESTS_SUPPORT_H
#define VXE_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/world.h"
#include "lattice/design.h"

#define PI 3.14159265358979323846
#define EDGE 0.01
#define MASS 1e-3
#define INERTIA (MASS * EDGE * EDGE / 6)
#define STIFFNESS 1e4
#define W0 3162.2776601683795
#define SOUND (W0 * EDGE)

/* Checks |got - want| <= tolerance, and prints the residual. */
void check_near(const char *what, double got, double want, double tolerance);

/* Checks |got - want| <= tolerance * |want|. */
void check_relative(const char *what, double got, double want, double tolerance);

void check_below(const char *what, double got, double bound);

/* The standard material, without damping and friction. */
vxe_material standard_material(void);

/* A full block of nx x ny x nz voxels of the material: no gravity, no floor. */
vxe_design *block_design(const vxe_material *material, int nx, int ny, int nz);

/* Adds a block of voxels of a material, whose lowest cell is low. */
void add_block(vxe_design *design, const int low[3], const int size[3], uint32_t material);

/* A walker without voxels: two materials, of which the second is so much stiffer and has another
 * Poisson's ratio, muscles, gravity and a floor. */
vxe_design *bare_walker(double damping, double stiffer, double second_ratio);

/* A walker whose voxels fill a part of the cells of a cube, in several pieces, of two materials,
 * one three times as stiff. */
vxe_design *holed_walker(int edge, double part, double second_ratio, double damping);

/* Fixes the given freedoms of the voxels of the lattice plane coordinate[axis] == at, and loads
 * these voxels with force and moment in total. */
void hold_plane(vxe_design *design, int axis, int at, uint32_t fixed, const double force[3],
                const double moment[3]);

/* The precision that this run of a test uses: VXE_TEST_PRECISION of the environment, or double. */
vxe_precision test_precision(void);

/* A tolerance for each precision. Mixed precision keeps 24 bits of velocities, orientations and
 * forces and 48 of positions. */
double by_precision(double in_double, double in_mixed);

/* A world in the test's precision. */
vxe_world *make_world(const vxe_design *design, const vxe_world_def *def);

/* A world in a given precision, independent of the test's. */
vxe_world *make_world_in(const vxe_design *design, const vxe_world_def *def,
                         vxe_precision precision);

/* Runs the designs in one batch in lanes, in the test's precision, so many steps each. All must run
 * in lanes and end with these hashes. */
void check_in_lanes(vxe_design *const *designs, uint32_t count, uint64_t steps,
                    const uint64_t *hashes);

/* Makes designs 0 to count - 1 and runs each so many steps: the same bits alone with 1 thread, with
 * 2, with 3 and the energy audit, and with the others in lanes. */
void check_same_bits(vxe_design *(*make)(int index), uint32_t count, uint64_t steps);

/* A design that only the single-body solver can run has the same bits for 1 to 3 threads, with the
 * energy audit, and in a batch. */
void check_single_body(const vxe_design *design, uint64_t steps);

/* Checks that momentum and angular momentum equal earlier ones, within a tolerance of scales. */
void check_momentum(const vxe_world *world, double before[2][3], const double scale[2],
                    double tolerance);

/* Making a world of the design fails, and the message contains these words. */
void check_refused(const vxe_design *design, const char *says);

/* Whether a note of a design contains these words. */
bool is_noted(const vxe_design *design, const char *what);

void set_formula(vxe_design *design, vxe_formula which, const char *text);

/* The differences that were reported between two designs. */
typedef struct differences {
    char lines[40][240];
    int count;
} differences;

/* Writes a design under a name, reads it back and removes the file. */
vxe_design *write_and_read(const vxe_design *design, const char *path, differences *told);

/* The design of a VXA's text, or an error. */
vxe_design *read_vxa_text(const char *text, vxe_error *error);

/* The same for a text that must be readable. */
vxe_design *readable_vxa(const char *text);

/* The quadruped of assets/, whose voxels swell by parts of their own, so that it has no symmetry;
 * part: of its amplitude, for all. */
vxe_design *lopsided_quadruped(double part);

/* A design of assets/benchmark. */
vxe_design *benchmark_design(const char *name);

/* Memory use seen by the library's hooks from count_memory on, until vxe_memory_use(NULL). */
typedef struct memory_count {
    uint64_t taken; /* number of blocks taken */
    uint64_t bytes; /* bytes in use */
    uint64_t max;   /* largest number of bytes in use */
} memory_count;

void count_memory(memory_count *count);

/* Random velocities of rms speed (m/s) and spins of the same energy; total momentum removed. */
void shake(vxe_world *world, double speed, uint64_t seed);

/* Advances until no voxel has moved by more than tolerance (m) within the span (s). Fails after 200
 * spans. */
void settle(vxe_world *world, double span, double tolerance);

/* Position of a voxel. */
void position_of(const vxe_world *world, uint32_t voxel, double position[3]);

/* Component c of a voxel's velocity, m/s. */
double velocity_of(const vxe_world *world, uint32_t voxel, int c);

/* Advances and checks the energy balance: its mean over the last 200 steps equals its mean over the
 * first 200, within tolerance of the largest energy exchanged. The world needs the energy audit. */
void check_audit(const char *what, vxe_world *world, uint64_t steps, double tolerance);

/* Quaternions are w x y z. quaternion_product: c = a b. rotate_vector: v rotated by the unit
 * quaternion q. */
void quaternion_product(const double a[4], const double b[4], double c[4]);
void rotate_vector(const double q[4], const double v[3], double out[3]);

double random_unit(uint64_t *seed); /* Random number in [-1, 1]. */

/* Root folder of the sources. */
#define SOURCE_FOLDER VXE_SOURCE_FOLDER

/* Makes worlds use the kernels of an instruction set, until choose_isa_of_before is called. Returns
 * false, with a message, if the machine or the build lacks the set. */
bool choose_isa(const char *name, vxe_precision precision);
void choose_isa_of_before(void);

/* Makes a folder for files of this process, or makes it empty, and returns its name, which begins
   with that name; and removes it with all that is in it. */
const char *make_folder(const char *name);
void remove_folder(void);

/* The hash after so many steps of a world of the design with so many threads. */
uint64_t hash_after(const vxe_design *design, uint32_t threads, uint64_t steps, bool audit);

#endif
