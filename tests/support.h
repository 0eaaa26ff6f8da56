/* SPDX-License-Identifier: MIT */
/* What the tests share: checks in double precision that print their residual, and small designs of
   the standard material of docs/accuracy.md: a = 10 mm, E = 1 MPa, nu = 0.3, rho = 1000 kg/m^3, so
   m = 1 g, I = 1.6667e-8 kg m^2, k_a = k_s = 1e4 N/m, w0 = 3162.28 rad/s. */
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

/* |got - want| <= tolerance, printed either way. */
void check_near(const char *what, double got, double want, double tolerance);

/* |got - want| <= tolerance * |want|. */
void check_relative(const char *what, double got, double want, double tolerance);

void check_below(const char *what, double got, double bound);

/* The standard material, without damping and friction. */
vxe_material standard_material(void);

/* A full block of nx x ny x nz voxels of the material: no gravity, no floor. */
vxe_design *block_design(const vxe_material *material, int nx, int ny, int nz);

/* A walker without voxels yet: two materials, the second so much stiffer and of another Poisson's
 * ratio, muscles, gravity and a floor. */
vxe_design *bare_walker(double damping, double stiffer, double second_ratio);

/* Such a body of which a part of the cells of a cube is there, in several pieces, of two materials,
 * one three times as stiff. */
vxe_design *holed_walker(int edge, double part, double second_ratio, double damping);

/* Fixes the voxels of the lattice plane coordinate[axis] == at with those freedoms; loads them with
 * force and moment in total. */
void hold_plane(vxe_design *design, int axis, int at, uint32_t fixed, const double force[3],
                const double moment[3]);

/* The precision that this run of a test is about: the environment's VXE_TEST_PRECISION, or double.
 */
vxe_precision test_precision(void);

/* A tolerance for each precision. Mixed keeps 24 bits of velocities, orientations and forces and 48
 * of positions. */
double by_precision(double in_double, double in_mixed);

/* A world with the test's precision. */
vxe_world *make_world(const vxe_design *design, const vxe_world_def *def);

/* A world of a precision, whatever the test is about. */
vxe_world *make_world_in(const vxe_design *design, const vxe_world_def *def,
                         vxe_precision precision);

/* Runs the designs in one batch in lanes, in the test's precision, so many steps each; all must run
 * there, and to these hashes. */
void check_in_lanes(vxe_design *const *designs, uint32_t count, uint64_t steps,
                    const uint64_t *hashes);

/* Makes designs 0 to count - 1 and runs each so many steps: the same bits alone with 1 thread, with
   2, with 3 and a ledger, and with the others in lanes. */
void check_company(vxe_design *(*make)(int index), uint32_t count, uint64_t steps);

/* A design that runs by the body sweep alone has the same bits for 1 to 3 threads, with a ledger,
 * and in a batch. */
void check_by_sweep(const vxe_design *design, uint64_t steps);

/* Momentum and angular momentum are what they were, within a tolerance of scales. */
void check_momentum(const vxe_world *world, double before[2][3], const double scale[2],
                    double tolerance);

/* No world is made of a design, and the message holds these words. */
void check_refused(const vxe_design *design, const char *says);

/* Whether a note of a design holds these words. */
bool is_noted(const vxe_design *design, const char *what);

void set_formula(vxe_design *design, vxe_formula which, const char *text);

/* What was told of two designs. */
typedef struct differences {
    char lines[40][240];
    int count;
} differences;

/* Writes a design under a name, reads it back and removes the file. */
vxe_design *write_and_read(const vxe_design *design, const char *path, differences *told);

/* The design of a VXA's text, or an error. */
vxe_design *read_vxa_text(const char *text, vxe_error *error);

/* Likewise; it must be one. */
vxe_design *readable_vxa(const char *text);

/* One of assets/benchmark. */
vxe_design *benchmark_design(const char *name);

/* What the library's memory hooks see from count_memory on, until vxe_memory_use(NULL). */
typedef struct memory_count {
    uint64_t taken; /* blocks */
    uint64_t bytes; /* held */
    uint64_t max;   /* held at any time */
} memory_count;

void count_memory(memory_count *count);

/* Random velocities of rms speed (m/s) and spins of the same energy; total momentum removed. */
void shake(vxe_world *world, double speed, uint64_t seed);

/* Advances until no voxel has moved by more than tolerance (m) within the span (s). Fails after 200
 * spans. */
void settle(vxe_world *world, double span, double tolerance);

/* Position of a voxel. */
void position_of(const vxe_world *world, uint32_t voxel, double position[3]);

/* Energy audit: advances, and checks that the mean of the balance over the last 200 steps is the
   mean over the first 200 within tolerance of the largest energy exchanged. The world needs a
   ledger. */
void check_audit(const char *what, vxe_world *world, uint64_t steps, double tolerance);

/* c = a b, and the vector v turned by the unit quaternion q; quaternions are w x y z. */
void quaternion_product(const double a[4], const double b[4], double c[4]);
void rotate_vector(const double q[4], const double v[3], double out[3]);

double random_unit(uint64_t *seed); /* in [-1, 1] */

/* Folder of the sources. */
#define SOURCE_FOLDER VXE_SOURCE_FOLDER

/* Has worlds made by the kernels of an instruction set, until choose_isa_of_before; false, which is
 * told, where the machine or the build lacks it. */
bool choose_isa(const char *name, vxe_precision precision);
void choose_isa_of_before(void);

/* The hash of a design's world of so many threads behind so many steps. */
uint64_t hash_after(const vxe_design *design, uint32_t threads, uint64_t steps, bool audit);

#endif
