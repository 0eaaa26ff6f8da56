/* SPDX-License-Identifier: MIT */
/* The bond law against its own potential (case bond-potential of docs/accuracy.md), and the vector
 * kernels against the scalar measurements. */
#include <math.h>
#include <string.h>

#include "common/messages_internal.h"
#include "engine/bonds/bond_force_law.h"
#include "engine/bonds/bond_law.h"
#include "engine/solver/measure.h"
#include "engine/voxels/rotation_law.h"
#include "support.h"

/* of a bond that exists */
#define ALL_BITS ((vxe_real_mask)-1)

/* A bond's two ends: positions and rotation vectors, as twelve numbers. */
typedef struct ends {
    double x[12];
} ends;

static vxe_quat orientation(const double *rotation)
{
    const vxe_vec3 v = {rotation[0], rotation[1], rotation[2]};
    const double angle = sqrt(vec_dot(v, v));
    const double s = sin(0.5 * angle) / angle;
    return (vxe_quat){cos(0.5 * angle), s * v.x, s * v.y, s * v.z};
}

static double energy_of(const ends *e, int axis, const vxe_springs *k, vxe_quat q1, vxe_quat q2)
{
    const vxe_mid_frame frame = mid_frame(axis, q1, q2, ALL_BITS);
    const vxe_vec3 r = {e->x[6] - e->x[0], e->x[7] - e->x[1], e->x[8] - e->x[2]};
    const vxe_chord chord = {r, EDGE, component(axis, r) - EDGE};
    return elastic_energy(axis, &frame, &chord, *k);
}

static vxe_quat turned_about(vxe_quat q, int c, double angle)
{
    double d[4] = {cos(angle / 2)};
    double p[4];
    d[1 + c] = sin(angle / 2);
    quaternion_product(d, (const double[4]){q.w, q.x, q.y, q.z}, p);
    return (vxe_quat){p[0], p[1], p[2], p[3]};
}

/* Case bond-potential: F and M are minus the derivatives of U by position and by rotation about the
 * world axes (central difference, h = 1e-6), for random poses with rotations up to 1.2 rad between
 * the ends, all axes, with and without the condensed coupling. Bound: 1e-7 relative. */
static void bond_force_is_the_gradient_of_its_energy(void **state)
{
    (void)state;
    uint64_t seed = 21;
    double worst = 0;
    double imbalance = 0;
    for (int trial = 0; trial < 60; trial++) {
        const int axis = trial % 3;
        const vxe_springs k = {1e4, 1.3e4, 0.054, 0.083, trial % 2 ? 7.0 : 0, 0};
        ends e;
        for (int i = 0; i < 12; i++) {
            e.x[i] = random_unit(&seed) * (i % 6 < 3 ? 0.2 * EDGE : 0.34);
        }
        e.x[6 + axis] += EDGE;
        const vxe_quat q1 = orientation(e.x + 3);
        const vxe_quat q2 = orientation(e.x + 9);
        const vxe_mid_frame frame = mid_frame(axis, q1, q2, ALL_BITS);
        const vxe_vec3 r = {e.x[6] - e.x[0], e.x[7] - e.x[1], e.x[8] - e.x[2]};
        const vxe_chord chord = {r, EDGE, component(axis, r) - EDGE};
        const vxe_elastic elastic = elastic_response(axis, 0, 1, &frame, &chord, k);
        const vxe_vec3 f = elastic.force;
        const vxe_vec3 b = elastic.moment;
        const vxe_vec3 turn = vec_cross(r, f);
        const double action[12] = {
            f.x,  f.y,  f.z,  0.5 * turn.x + b.x, 0.5 * turn.y + b.y, 0.5 * turn.z + b.z,
            -f.x, -f.y, -f.z, 0.5 * turn.x - b.x, 0.5 * turn.y - b.y, 0.5 * turn.z - b.z};
        const double force_scale = sqrt(vec_dot(f, f));
        for (int i = 0; i < 12; i++) {
            const double h = i % 6 < 3 ? 1e-6 * EDGE : 1e-6;
            double energy[2];
            for (int s = 0; s < 2; s++) {
                ends moved = e;
                const double d = s ? -h : h;
                moved.x[i] += i % 6 < 3 ? d : 0;
                energy[s] =
                    energy_of(&moved, axis, &k, i >= 3 && i < 6 ? turned_about(q1, i - 3, d) : q1,
                              i >= 9 ? turned_about(q2, i - 9, d) : q2);
            }
            const double scale = i % 6 < 3 ? force_scale : force_scale * EDGE;
            worst = fmax(worst, fabs(action[i] + (energy[0] - energy[1]) / (2 * h)) / scale);
        }
        /* M1 + M2 + r x F2 = 0 */
        imbalance = fmax(imbalance, fabs(action[3] + action[9] - turn.x) / (force_scale * EDGE));
    }
    check_below("force against the energy's gradient, relative", worst, 1e-7);
    check_below("moments out of balance, relative", imbalance, 1e-14);
}

/* J: U of bond_law.h, with the mid frame and the rotation vector by other formulas: Q is q1 + q2
 * normalised, and phi twice the angle of q2 conj(q1) along its vector part. */
static double potential_of(const ends *e, int axis, const vxe_springs *k, vxe_quat q1, vxe_quat q2)
{
    const double sum[4] = {q1.w + q2.w, q1.x + q2.x, q1.y + q2.y, q1.z + q2.z};
    const double size = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3]);
    const double frame[4] = {sum[0] / size, sum[1] / size, sum[2] / size, sum[3] / size};
    const double lattice[3] = {axis == 0, axis == 1, axis == 2};
    double turn[4];
    double a[3];
    rotate_vector(frame, lattice, a);
    quaternion_product((const double[4]){q2.w, q2.x, q2.y, q2.z},
                       (const double[4]){q1.w, -q1.x, -q1.y, -q1.z}, turn);
    const vxe_vec3 v = {turn[1], turn[2], turn[3]};
    const double sine = sqrt(vec_dot(v, v));
    const vxe_vec3 axis_now = {a[0], a[1], a[2]};
    const vxe_vec3 phi = vec_scaled(2 * atan2(sine, turn[0]) / sine, v);
    const vxe_vec3 r = {e->x[6] - e->x[0], e->x[7] - e->x[1], e->x[8] - e->x[2]};
    const vxe_vec3 d = vec_add_scaled(r, -EDGE, axis_now);
    const double along = vec_dot(d, axis_now);
    const double twist = vec_dot(phi, axis_now);
    return 0.5 * (k->shear * vec_dot(d, d) + (k->axial - k->shear) * along * along +
                  k->bending * vec_dot(phi, phi) + (k->torsion - k->bending) * twist * twist) +
           k->couple * vec_dot(axis_now, vec_cross(d, phi));
}

/* The energy is that of its formula, for poses as above. The angle's polynomial is good to 4e-13;
 * the coupling, of either sign, leaves an energy of some tenths of its terms. */
static void bond_energy_follows_its_formula(void **state)
{
    (void)state;
    uint64_t seed = 4;
    double worst = 0;
    for (int trial = 0; trial < 60; trial++) {
        const int axis = trial % 3;
        const vxe_springs k = {1e4, 1.3e4, 0.054, 0.083, trial % 2 ? 7.0 : 0, 0};
        ends e;
        for (int i = 0; i < 12; i++) {
            e.x[i] = random_unit(&seed) * (i % 6 < 3 ? 0.2 * EDGE : 0.34);
        }
        e.x[6 + axis] += EDGE;
        const vxe_quat q1 = orientation(e.x + 3);
        const vxe_quat q2 = orientation(e.x + 9);
        const double want = potential_of(&e, axis, &k, q1, q2);
        worst = fmax(worst, fabs(energy_of(&e, axis, &k, q1, q2) / want - 1));
    }
    check_below("energy of a bond against its formula, relative", worst, 1e-11);
}

/* A bond has diverged unless it is 0.1 to 4 times as long as at rest and turned by less than the
 * angle whose half has the cosine 0.05. A number that is not finite is none of this. */
static void bonds_diverge_at_their_bounds(void **state)
{
    (void)state;
    const double inside[4][2] = {{0.1001, 1}, {3.999, 1}, {1, 0.0501}, {1, 1}};
    const double outside[5][2] = {
        {0.0999, 1}, {4.001, 1}, {1, 0.0499}, {(double)NAN, 1}, {1, (double)NAN}};
    for (int i = 0; i < 5; i++) {
        const vxe_vec3 r = {0.6 * EDGE, 0, 0.8 * EDGE};
        assert_true(beyond_bounds(vec_scaled(outside[i][0], r), EDGE, outside[i][1]) > 0);
        if (i < 4) {
            assert_true(beyond_bounds(vec_scaled(inside[i][0], r), EDGE, inside[i][1]) <= 0);
        }
    }
}

/* Rows hold some coefficients, the others are fixed multiples of the axial ones; of even laws
 * torsion as well. */
static void rows_hold_multiples_of_their_axial_values(void **state)
{
    (void)state;
    const vxe_multiples by = {1.2, 0.3, 0.4, 1.5, 0.6, 0.7};
    double row[VXE_FREE_VALUES] = {0};
    row[VXE_AXIAL] = 1e4;
    row[VXE_TORSION] = 0.05;
    row[VXE_DASH_AXIAL] = 2;
    row[VXE_DASH_TORSION] = 3e-6;
    for (int even = 0; even < 2; even++) {
        const int law = even ? VXE_BOND_EVEN : 0;
        const vxe_springs k = springs_of_row(law, row, 1, &by);
        const vxe_dashes c = dashes_of_row(law, row, 1, &by);
        const double got[8] = {k.axial, k.shear, k.torsion, k.bending,
                               c.axial, c.shear, c.torsion, c.bending};
        const double want[8] = {1e4, 1.2e4, even ? 0.3e4 : 0.05, 0.4e4,
                                2,   3,     even ? 1.2 : 3e-6,   1.4};
        for (int n = 0; n < 8; n++) {
            check_relative("coefficient of a row", got[n], want[n], 1e-14);
        }
    }
}

/* Two voxels that move apart without spins; their axes are parallel. */
static vxe_bond_ends moving_ends(void)
{
    return (vxe_bond_ends){.chord = {{1.1 * EDGE, 0.2 * EDGE, -0.1 * EDGE}, EDGE, 0.1 * EDGE},
                           .q1 = {1, 0, 0, 0},
                           .q2 = {1, 0, 0, 0},
                           .dv = {0.3, -0.2, 0.5},
                           .exists = ALL_BITS};
}

/* In the Voxelyze family dashpots have half of their moment: that is the mean of the moments with
 * and without them. */
static void dashpots_of_the_family_have_half_of_their_moment(void **state)
{
    (void)state;
    const vxe_bond_ends pair = moving_ends();
    const int laws[3] = {VXE_BOND_SPRINGS, VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS,
                         VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_HALF_MOMENT};
    vxe_bond_force act[3];
    for (int i = 0; i < 3; i++) {
        vxe_bond_geometry geometry;
        double failed = 0;
        act[i] = beam_action(0, laws[i], &pair, (vxe_springs){1e4, 1.3e4, 0.054, 0.083, 0, 0},
                             (vxe_dashes){2, 3, 1e-5, 2e-5}, &geometry, &failed);
        assert_true(failed <= 0);
    }
    check_relative("moment about y, N m", act[2].a.y, 0.5 * (act[0].a.y + act[1].a.y), 1e-12);
    check_relative("moment about z, N m", act[2].a.z, 0.5 * (act[0].a.z + act[1].a.z), 1e-12);
    check_relative("force along x, N", act[1].force.x, act[0].force.x + 2 * 0.3, 1e-12);
    check_relative("force along y, N", act[1].force.y, act[0].force.y - 3 * 0.2, 1e-12);
}

/* A bar pulls along its chord: k (|r| - l), and c times the rate of its length. */
static void bars_pull_along_their_chords(void **state)
{
    (void)state;
    const vxe_bond_ends pair = moving_ends();
    double failed = 0;
    const vxe_bond_force act =
        bar_action(VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS, &pair, (vxe_springs){.axial = 1e4},
                   (vxe_dashes){2, 0, 0, 0}, &failed);
    const vxe_vec3 r = pair.chord.r;
    const double length = sqrt(vec_dot(r, r));
    const double pull = 1e4 * (length - EDGE) + 2 * vec_dot(r, pair.dv) / length;
    check_relative("pull of a bar, N", vec_dot(act.force, r) / length, pull, 1e-12);
    check_relative("its size, N", sqrt(vec_dot(act.force, act.force)), fabs(pull), 1e-12);
}

/* Polynomial for the half angle: 4e-13 over its whole range, rotations to 174 degrees. */
static void half_angle_polynomial_is_accurate(void **state)
{
    (void)state;
    double worst = 0;
    for (int i = 1; i <= 1000; i++) {
        const double t = i / 1000.0 * sqrt(0.91);
        worst = fmax(worst, fabs(t * (1 + t * t * arctangent_tail(t * t)) / atan(t) - 1));
    }
    check_below("relative error of the angle", worst, 4e-13);
}

/* The rotation of a step is exp(2 half w) q: sine and cosine are good to 1e-12 up to 1 rad of half
 * an angle, and the product is that of quaternions. */
static void rotations_of_a_step_are_exact(void **state)
{
    (void)state;
    uint64_t seed = 12;
    double series = 0;
    double off = 0;
    for (int i = 1; i <= 100; i++) {
        const double a = i / 100.0;
        double sine;
        double cosine_less;
        half_angle(a * a, &sine, &cosine_less);
        series = fmax(series, fmax(fabs(sine - sin(a) / a), fabs(cosine_less + 1 - cos(a))));
        double q[4] = {random_unit(&seed), random_unit(&seed), random_unit(&seed),
                       random_unit(&seed)};
        const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (int c = 0; c < 4; c++) {
            q[c] /= size;
        }
        const double half = 1e-4;
        const double w[3] = {0.6 * a / half, -0.48 * a / half, 0.64 * a / half};
        const double by[4] = {cos(a), 0.6 * sin(a), -0.48 * sin(a), 0.64 * sin(a)};
        double want[4];
        quaternion_product(by, q, want);
        const vxe_turned got =
            turned((vxe_turned){q[0], q[1], q[2], q[3]}, w[0], w[1], w[2], half, NULL);
        off = fmax(off, fmax(fmax(fabs(got.w - want[0]), fabs(got.x - want[1])),
                             fmax(fabs(got.y - want[2]), fabs(got.z - want[3]))));
    }
    check_below("sine and cosine of a step", series, 1.2e-11);
    check_below("rotation of a step", off, 1.2e-11);
    vxe_turned q = {0.1, 0.5, -0.5, 0.7}; /* steps whose series are too long by 1e-12 each */
    for (int i = 0; i < 100000; i++) {
        q = turned(q, 0.5, -0.4, 0.5, 1, NULL);
    }
    const double size = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    check_near("length of a quaternion after 1e5 steps", size, 1, 1.2e-11);
}

/* A sparse body of 300 voxels with two materials, deformed at random. */
static vxe_design *ragged_design(uint64_t *seed)
{
    vxe_material m = standard_material();
    m.bond_damping = 0.4;
    vxe_design *design = block_design(&m, 1, 1, 1);
    m.youngs_modulus *= 7;
    m.poissons_ratio = 0.1;
    assert_int_equal(vxe_design_add_material(design, &m, NULL, NULL), VXE_OK);
    for (int z = 0; z < 8; z++) {
        for (int y = 0; y < 9; y++) {
            for (int x = 0; x < 11; x++) {
                if ((x || y || z) && random_unit(seed) < -0.2) {
                    assert_int_equal(vxe_design_add_voxel(design, x + x / 4 - 40, y, z - 5,
                                                          random_unit(seed) > 0, NULL),
                                     VXE_OK);
                }
            }
        }
    }
    return design;
}

/* Moves each voxel at random near its lattice place and rotates it by some 10 degrees. */
static void deform(vxe_state *s, uint32_t voxels, uint64_t *seed)
{
    for (uint32_t i = 0; i < voxels; i++) {
        vxe_vec3 v = {0.15 * random_unit(seed), 0.15 * random_unit(seed), 0.15 * random_unit(seed)};
        const double scale = 1 / sqrt(1 + vec_dot(v, v));
        v = vec_scaled(scale, v);
        vxe_state_put_orientation(s, 0, i, scale);
        vxe_state_put_orientation(s, 1, i, v.x);
        vxe_state_put_orientation(s, 2, i, v.y);
        vxe_state_put_orientation(s, 3, i, v.z);
        for (int c = 0; c < 3; c++) {
            vxe_state_put_position(s, c, i,
                                   vxe_state_position(s, c, i) + 0.1 * EDGE * random_unit(seed));
        }
    }
}

/* Forces and moments per slot, (6, S), by the scalar measurement; returns the largest force. */
static double expect_forces(const vxe_model *model, const vxe_workspace *workspace,
                            double *expected[6])
{
    double largest = 0;
    uint64_t bonds = 0;
    vxe_bond_place place = {.at = UINT64_MAX};
    while (vxe_bond_next(model, &place)) {
        const vxe_bond_sample bond = vxe_bond_measure(workspace, &place);
        bonds++;
        for (int c = 0; c < 3; c++) {
            expected[c][place.upper] += bond.force[c];
            expected[c][place.lower] -= bond.force[c];
            expected[c + 3][place.upper] += bond.moment_upper[c];
            expected[c + 3][place.lower] += bond.moment_lower[c];
            largest = fmax(largest, fabs(bond.force[c]));
        }
    }
    assert_int_equal(bonds, model->topology.bond_count);
    return largest;
}

/* One pass of 1 s from rest gives each voxel its force over its mass. */
static double worst_of_pass(vxe_workspace *workspace, double *expected[6], double largest)
{
    const vxe_model *model = workspace->model;
    const vxe_pass pass = {.law = vxe_spring_law(model, false, false), .h = 1};
    double worst = 0;
    vxe_workspace_pass(workspace, &pass);
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        const double mass = vxe_real_at(model->precision, model->arrays.mass, i);
        for (int c = 0; c < 3; c++) {
            const double force = vxe_state_velocity(workspace->state, c, i) * mass;
            const double moment = vxe_state_spin(workspace->state, c, i) * mass * EDGE * EDGE / 6;
            worst = fmax(worst, fabs(force - expected[c][i]) / largest);
            worst = fmax(worst, fabs(moment - expected[c + 3][i]) / (largest * EDGE));
        }
    }
    return worst;
}

/* The elastic kernels over vectors of lanes against the scalar measurement in double, bond by bond,
 * as forces per voxel. Double: rounding of some 200 operations. Mixed: forces come from strains of
 * 0.1 with float's 6e-8, over six bonds. */
static void kernels_agree_with_the_scalar_measurement(void **state)
{
    (void)state;
    for (int variant = 0; variant < 8; variant++) {
        uint64_t seed = 5;
        vxe_design *design = ragged_design(&seed);
        vxe_world_def def = vxe_world_def_default();
        def.precision = variant % 2 ? VXE_PRECISION_MIXED : VXE_PRECISION_DOUBLE;
        def.composite = variant / 2 == 1 ? VXE_COMPOSITE_CONDENSED : VXE_COMPOSITE_HARMONIC;
        def.bond_kind = variant / 2 == 2 ? VXE_BOND_BAR : VXE_BOND_BEAM;
        def.shear = variant / 2 == 3 ? VXE_SHEAR_BULK : VXE_SHEAR_BEAM;
        vxe_model model;
        vxe_workspace workspace;
        vxe_state s;
        vxe_messages warnings = {0};
        vxe_error error = {0};
        if (vxe_model_init(&model, design, &def, &warnings, &error)) {
            fail_msg("%s", error.message);
        }
        assert_int_equal(
            vxe_workspace_init(&workspace, &model, &(vxe_workspace_def){.partitions = 3}, &error),
            VXE_OK);
        assert_int_equal(vxe_state_init(&s, model.precision, vxe_model_state_size(&model), &error),
                         VXE_OK);
        vxe_model_rest_state(&model, design, &s);
        deform(&s, model.topology.voxel_count, &seed);
        vxe_workspace_bind(&workspace, &s);
        double *expected[6];
        for (int c = 0; c < 6; c++) {
            expected[c] = test_calloc(model.slots, sizeof(double));
        }
        const double largest = expect_forces(&model, &workspace, expected);
        check_below("kernel against scalar, relative", worst_of_pass(&workspace, expected, largest),
                    def.precision == VXE_PRECISION_MIXED ? 4e-6 : 1e-13);
        for (int c = 0; c < 6; c++) {
            test_free(expected[c]);
        }
        vxe_state_clear(&s);
        vxe_workspace_clear(&workspace);
        vxe_model_clear(&model);
        vxe_messages_clear(&warnings);
        vxe_design_destroy(design);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bond_force_is_the_gradient_of_its_energy),
        cmocka_unit_test(bond_energy_follows_its_formula),
        cmocka_unit_test(bonds_diverge_at_their_bounds),
        cmocka_unit_test(rows_hold_multiples_of_their_axial_values),
        cmocka_unit_test(dashpots_of_the_family_have_half_of_their_moment),
        cmocka_unit_test(bars_pull_along_their_chords),
        cmocka_unit_test(half_angle_polynomial_is_accurate),
        cmocka_unit_test(rotations_of_a_step_are_exact),
        cmocka_unit_test(kernels_agree_with_the_scalar_measurement)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
