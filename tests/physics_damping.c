/* SPDX-License-Identifier: MIT */
/* Dashpots: the pair's closed forms (cases pair-* of docs/accuracy.md), and the polynomial damping
 * iteration on lattices (case damping-iteration). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/solver/step.h"
#include "support.h"

/* Two voxels, stretched by x0 and let go; x(t) is the stretch. w = sqrt(2 k/m) = 4472.136 rad/s. At
   a tenth of the step dt = 0.02/w: starting with velocities half a step behind shifts the overshoot
   by 4 % at dt = 0.02/w. */
static vxe_world *stretched_pair(double ratio, vxe_damping_form form, vxe_damping_scheme scheme,
                                 bool audit)
{
    vxe_material m = standard_material();
    m.bond_damping = ratio;
    vxe_design *design = block_design(&m, 2, 1, 1);
    vxe_world_def def = vxe_world_def_default();
    def.damping = scheme;
    def.damping_form = form;
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = 0.002 / sqrt(2 * STIFFNESS / MASS);
    def.audit = audit;
    vxe_world *world = make_world(design, &def);
    vxe_design_destroy(design);
    const double at[3] = {1.5 * EDGE + 1e-5, 0.5 * EDGE, 0.5 * EDGE};
    assert_int_equal(vxe_world_place(world, 1, at, NULL, NULL, NULL, NULL), VXE_OK);
    return world;
}

static double stretch_of(const vxe_world *world)
{
    double a[3];
    double b[3];
    position_of(world, 0, a);
    position_of(world, 1, b);
    return (b[0] - a[0] - EDGE) / 1e-5;
}

static const double pair_frequency = 4472.13595499958;
static const vxe_damping_scheme both_schemes[2] = {VXE_DAMPING_EXPLICIT, VXE_DAMPING_SWEEP};

static void audit_pair(double ratio, vxe_damping_form form, vxe_damping_scheme scheme)
{
    vxe_world *world = stretched_pair(ratio, form, scheme, true);
    check_audit(scheme == VXE_DAMPING_SWEEP ? "pair, polynomial" : "pair, explicit", world, 6000,
                1e-3);
    vxe_world_destroy(world);
}

/* Global damping of a free voxel: dashpots 2 zeta sqrt(m E a) and 2 zeta sqrt(I E a^3), so that
 * velocity falls by exp(-2 zeta sqrt(E a/m) t) and spin by exp(-2 zeta sqrt(E a^3/I) t), I = m
 * a^2/6. Explicit dashpots are of first order: h times the rate, 1e-3 here. */
static void global_damping_slows_and_stops_spin(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        vxe_material m = standard_material();
        m.global_damping = 0.01;
        vxe_design *design = block_design(&m, 1, 1, 1);
        const double velocity[3] = {0.1, 0, 0};
        const double spin[3] = {0, 0, 2};
        vxe_error error;
        assert_int_equal(vxe_design_set_velocity(design, 0, velocity, spin, &error), VXE_OK);
        const double rate = 2 * m.global_damping * sqrt(STIFFNESS / MASS);
        const double turning = rate * sqrt(6);
        vxe_world_def def = vxe_world_def_default();
        def.damping = both_schemes[i];
        def.step_rule = VXE_STEP_SECONDS;
        def.step_seconds = 1e-3 / turning;
        vxe_world *world = make_world(design, &def);
        double v[3];
        double w[3];
        assert_int_equal(vxe_world_advance_to(world, 1 / turning, &error), VXE_OK);
        vxe_world_velocities(world, v, w);
        const double time = vxe_world_time(world);
        check_relative("velocity, m/s", v[0], 0.1 * exp(-rate * time), 2e-3);
        check_relative("spin, rad/s", w[2], 2 * exp(-turning * time), 2e-3);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Case pair-critical: (1 + wt) e^-wt, 0.735759 at wt = 1. */
static void pair_critical_dashpot_is_critical(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        vxe_world *world = stretched_pair(1, VXE_DAMPING_PAIR, both_schemes[i], false);
        vxe_error error;
        assert_int_equal(vxe_world_advance_to(world, 1 / pair_frequency, &error), VXE_OK);
        check_relative("x/x0 at wt = 1", stretch_of(world), 0.735759, 0.01);
        vxe_world_destroy(world);
        audit_pair(1, VXE_DAMPING_PAIR, both_schemes[i]);
    }
}

/* Case pair-overshoot: xi = 1 in c = xi sqrt(m k) is a ratio of 0.70711, first overshoot e^-pi. */
static void published_dashpot_overshoots(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        vxe_world *world = stretched_pair(1, VXE_DAMPING_SOURCE, both_schemes[i], false);
        double min = 0;
        while (vxe_world_time(world) * pair_frequency < 10) {
            vxe_error error;
            assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
            min = fmin(min, stretch_of(world));
        }
        check_relative("first overshoot", -min, 0.0432139, 0.01);
        vxe_world_destroy(world);
        audit_pair(1, VXE_DAMPING_SOURCE, both_schemes[i]);
    }
}

/* Case pair-decrement: logarithmic decrement at xi = 0.1 from two successive maxima. */
static void published_dashpot_has_its_decrement(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        vxe_world *world = stretched_pair(0.1, VXE_DAMPING_SOURCE, both_schemes[i], false);
        double peaks[2] = {0};
        double older = 1;
        double old = 1;
        for (int count = 0; count < 2;) {
            vxe_error error;
            assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
            const double now = stretch_of(world);
            if (old > older && old >= now && old > 0) {
                peaks[count++] = old;
            }
            older = old;
            old = now;
        }
        check_relative("log decrement", log(peaks[0] / peaks[1]), 0.445403, 0.01);
        vxe_world_destroy(world);
        audit_pair(0.1, VXE_DAMPING_SOURCE, both_schemes[i]);
    }
}

/* The damping ratio of a bond is the mean of its materials': 1/4 and 3/4 are as 1/2 and 1/2, to the
 * bit, since these numbers are exact. */
static void damping_ratio_of_a_bond_is_the_mean(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        vxe_material m = standard_material();
        m.bond_damping = i ? 0.25 : 0.5;
        vxe_design *design = block_design(&m, 2, 1, 1);
        m.bond_damping = i ? 0.75 : 0.5;
        uint32_t second = 0;
        assert_int_equal(vxe_design_add_material(design, &m, &second, NULL), VXE_OK);
        design->voxels[1].material = second;
        hold_plane(design, 0, 0, VXE_FIX_ALL, NULL, NULL);
        hold_plane(design, 0, 1, 0, (const double[3]){1, 1, 0}, (const double[3]){1e-3, 0, 0});
        hash[i] = hash_after(design, 1, 100, false);
        vxe_design_destroy(design);
    }
    assert_true(hash[0] == hash[1]);
}

typedef enum variant { PLAIN, CLAMPED, MIXED_STIFFNESS, ON_FLOOR, VARIANTS } variant;

static vxe_design *lattice_design(int nx, int ny, int nz, double ratio, variant kind)
{
    vxe_material m = standard_material();
    m.bond_damping = ratio;
    m.collision_damping = kind == ON_FLOOR ? 1 : 0;
    vxe_design *design = block_design(&m, nx, ny, nz);
    if (kind == CLAMPED) {
        hold_plane(design, 0, 0, VXE_FIX_ALL, NULL, NULL);
    } else if (kind == MIXED_STIFFNESS) {
        m.youngs_modulus *= 100;
        m.density *= 10;
        assert_int_equal(vxe_design_add_material(design, &m, NULL, NULL), VXE_OK);
        for (uint32_t v = 0; v < design->voxel_count; v++) {
            design->voxels[v].material =
                (uint32_t)(design->voxels[v].position[0] + design->voxels[v].position[1]) % 2;
        }
    } else if (kind == ON_FLOOR) {
        design->floor.enabled = true;
        design->gravity[2] = -9.81;
    }
    return design;
}

static vxe_world *damped_world(const vxe_design *design)
{
    vxe_world_def def = vxe_world_def_default();
    def.damping = VXE_DAMPING_SWEEP;
    return make_world(design, &def);
}

static double total_energy(const vxe_world *world)
{
    const vxe_energy e = vxe_world_energy(world);
    return e.kinetic + e.elastic + e.floor;
}

/* Case damping-iteration: no growth over 6000 steps at the rule's step, for each body, ratio and
 * amplitude. Damped bodies: the remaining energy is far below the initial one (rigid motion of free
 * bodies is conserved, so only their internal part counts). */
static void damping_iteration_is_stable_on_every_lattice(void **state)
{
    (void)state;
    const int bodies[4][3] = {{4, 4, 4}, {6, 6, 1}, {8, 8, 1}, {2, 2, 8}};
    const double ratios[4] = {0.05, 0.3, 0.7, 1};
    for (int b = 0; b < 4; b++) {
        for (int r = 0; r < 4; r++) {
            for (int kind = 0; kind < VARIANTS; kind++) {
                vxe_design *design = lattice_design(bodies[b][0], bodies[b][1], bodies[b][2],
                                                    ratios[r], (variant)kind);
                vxe_world *world = damped_world(design);
                shake(world, 0.1 * SOUND, 5);
                const double before = total_energy(world);
                double max = 0;
                for (int i = 0; i < 60; i++) {
                    vxe_error error;
                    if (vxe_world_advance(world, 100, &error)) {
                        fail_msg("body %d, xi %g, kind %d: %s", b, ratios[r], kind, error.message);
                    }
                    max = i >= 1 ? fmax(max, total_energy(world)) : max;
                }
                if (!(max < before)) {
                    fail_msg("body %d, xi %g, kind %d: energy grew from %g to %g J", b, ratios[r],
                             kind, before, max);
                }
                vxe_world_destroy(world);
                vxe_design_destroy(design);
            }
        }
    }
}

/* Strains to 40 %: displaced by a random 0.4 of a voxel and released. */
static void damping_iteration_survives_large_strains(void **state)
{
    (void)state;
    const double ratios[4] = {0.05, 0.3, 0.7, 1};
    for (int r = 0; r < 4; r++) {
        vxe_design *design = lattice_design(4, 4, 4, ratios[r], PLAIN);
        vxe_world *world = damped_world(design);
        uint64_t seed = 17;
        double x[192];
        vxe_world_poses(world, x, NULL);
        for (uint32_t i = 0; i < 64; i++) {
            for (uint32_t c = 0; c < 3; c++) {
                x[3 * i + c] += 0.2 * EDGE * random_unit(&seed);
            }
            assert_int_equal(vxe_world_place(world, i, x + 3 * (size_t)i, NULL, NULL, NULL, NULL),
                             VXE_OK);
        }
        check_below("0.25 less the strain at the start", 0.25 - vxe_world_max_strain(world), 0);
        const double before = total_energy(world);
        vxe_error error;
        if (vxe_world_advance(world, 6000, &error)) {
            fail_msg("xi %g: %s", ratios[r], error.message);
        }
        check_below("energy after 6000 steps, of the start's", total_energy(world) / before, 0.2);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Case damping-iteration: a free 4^3 at xi = 1 spinning at 300 rad/s: energy never rises over 30
 * 000 steps. Compared every 100 steps, with an allowance for the rounding of sums (1e-12). */
static void spinning_block_never_gains_energy(void **state)
{
    (void)state;
    vxe_design *design = lattice_design(4, 4, 4, 1, PLAIN);
    vxe_world *world = damped_world(design);
    const double spin[3] = {100, 200, 250};
    for (uint32_t i = 0; i < 64; i++) {
        double at[3];
        position_of(world, i, at);
        const double r[3] = {at[0] - 0.02, at[1] - 0.02, at[2] - 0.02};
        const double v[3] = {spin[1] * r[2] - spin[2] * r[1], spin[2] * r[0] - spin[0] * r[2],
                             spin[0] * r[1] - spin[1] * r[0]};
        assert_int_equal(vxe_world_place(world, i, NULL, NULL, v, spin, NULL), VXE_OK);
    }
    vxe_error error;
    double p0[3];
    double l0[3];
    vxe_world_momentum(world, p0, l0);
    assert_int_equal(vxe_world_advance(world, 500, &error), VXE_OK); /* stretch by the spin-up */
    const double rounding = by_precision(1e-12, 3e-7);               /* of 100 steps' sums */
    double before = total_energy(world);
    const double first = before;
    for (int i = 0; i < 300; i++) {
        assert_int_equal(vxe_world_advance(world, 100, &error), VXE_OK);
        const double now = total_energy(world);
        if (!(now <= before * (1 + rounding))) {
            fail_msg("energy rose from %.15g to %.15g J at step %d", before, now, 600 + 100 * i);
        }
        before = now;
    }
    print_message("  energy kept: %.9f\n", before / first);
    double p1[3];
    double l1[3];
    vxe_world_momentum(world, p1, l1);
    double dl = 0;
    double l = 0;
    for (int c = 0; c < 3; c++) {
        dl += (l1[c] - l0[c]) * (l1[c] - l0[c]);
        l += l0[c] * l0[c];
    }
    check_below("drift of angular momentum over 30 000 steps", sqrt(dl / l),
                by_precision(1e-12, 1e-5));
    check_below("drift of momentum, of m w a", fabs(p1[0] - p0[0]) / (64 * MASS * 300 * EDGE),
                by_precision(1e-13, 3e-6));
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* A free 4^3 whose motion is a twist about z, run at a very small step until only the slowest mode
 * remains. */
static vxe_world *twisting_block(const vxe_design *design)
{
    vxe_world_def def = vxe_world_def_default();
    def.damping = VXE_DAMPING_EXPLICIT;
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = 0.005 / W0;
    /* double for the reference: floats do not resolve the increments of so small a step */
    vxe_world *world = make_world_in(design, &def, VXE_PRECISION_DOUBLE);
    for (uint32_t i = 0; i < 64; i++) {
        double at[3];
        position_of(world, i, at);
        const double w = 1e-2 * (at[2] - 0.02) / EDGE;
        const double v[3] = {-w * (at[1] - 0.02), w * (at[0] - 0.02), 0};
        const double spin[3] = {0, 0, w};
        assert_int_equal(vxe_world_place(world, i, NULL, NULL, v, spin, NULL), VXE_OK);
    }
    return world;
}

/* The twist: displacement along x of the upper corner relative to the lower one. */
static double twist_of(const vxe_world *world)
{
    double low[3];
    double high[3];
    position_of(world, 0, low);
    position_of(world, 48, high);
    return high[0] - low[0];
}

/* Decay rate (1/s) of c(t) = e^-gt cos(wt + p) sampled every h: c_n+1 = a c_n - e^-2gh c_n-1, least
 * squares over samples. */
static double decay_rate(vxe_world *world, uint64_t stride, int samples)
{
    const double h = (double)stride * vxe_world_describe(world).time_step;
    double c0 = twist_of(world);
    double c1 = 0;
    double s[5] = {0};
    vxe_error error;
    for (int n = 0; n < samples; n++) {
        assert_int_equal(vxe_world_advance(world, stride, &error), VXE_OK);
        const double c2 = twist_of(world);
        if (n > 0) {
            s[0] += c1 * c1;
            s[1] += c1 * c0;
            s[2] += c0 * c0;
            s[3] += c2 * c1;
            s[4] += c2 * c0;
        }
        c0 = n > 0 ? c1 : c0;
        c1 = c2;
    }
    const double b = (s[1] * s[3] - s[0] * s[4]) / (s[0] * s[2] - s[1] * s[1]);
    return -log(b) / (2 * h);
}

/* Case damping-iteration: damping of the lowest mode at the rule's step against the converged one,
   within 1 % (xi
   <= 0.1), 3 % (0.3), 10 % (0.6); 15 % at xi = 1. */
static void damping_iteration_damps_the_lowest_mode(void **state)
{
    (void)state;
    const double ratios[5] = {0.05, 0.1, 0.3, 0.6, 1};
    const double tolerances[5] = {0.01, 0.01, 0.03, 0.10, 0.15};
    for (int i = 0; i < 5; i++) {
        vxe_design *design = lattice_design(4, 4, 4, ratios[i], PLAIN);
        vxe_world *reference = twisting_block(design);
        vxe_world *polynomial = damped_world(design);
        vxe_error error;
        const double period = 2 * PI / (0.5 * W0);
        assert_int_equal(vxe_world_advance_to(reference, 6 * period, &error), VXE_OK);
        double x[192];
        double q[256];
        double v[192];
        double w[192];
        vxe_world_poses(reference, x, q);
        vxe_world_velocities(reference, v, w);
        for (uint32_t k = 0; k < 64; k++) {
            assert_int_equal(vxe_world_place(polynomial, k, x + 3 * (size_t)k, q + 4 * (size_t)k,
                                             v + 3 * (size_t)k, w + 3 * (size_t)k, NULL),
                             VXE_OK);
        }
        const double exact = decay_rate(reference, 100, 100);
        check_relative("decay rate of the twist, 1/s", decay_rate(polynomial, 1, 100), exact,
                       tolerances[i]);
        vxe_world_destroy(reference);
        vxe_world_destroy(polynomial);
        vxe_design_destroy(design);
    }
}

/* Case damping-converges: the error of the twist's decay at xi = 1 falls with the step, at least as
 * fast, and the fit of the rate adds 5e-4. With the fewest iterations that are stable it would
 * be 1.6 times as large at .4 of the step and 3.3 times at a tenth. */
static void damping_iteration_converges(void **state)
{
    (void)state;
    vxe_design *design = lattice_design(4, 4, 4, 1, PLAIN);
    vxe_world *reference = twisting_block(design);
    vxe_error error;
    double x[192];
    double q[256];
    double v[192];
    double w[192];
    double usual = 0;
    assert_int_equal(vxe_world_advance_to(reference, 6 * 2 * PI / (0.5 * W0), &error), VXE_OK);
    vxe_world_poses(reference, x, q);
    vxe_world_velocities(reference, v, w);
    const double exact = decay_rate(reference, 100, 100);
    for (int i = 0; i < 6; i++) {
        const double scale[6] = {1, 0.8, 0.6, 0.4, 0.2, 0.1};
        vxe_world_def def = vxe_world_def_default();
        def.damping = VXE_DAMPING_SWEEP;
        def.step_scale = scale[i];
        vxe_world *world = make_world_in(design, &def, VXE_PRECISION_DOUBLE);
        for (uint32_t k = 0; k < 64; k++) {
            assert_int_equal(vxe_world_place(world, k, x + 3 * (size_t)k, q + 4 * (size_t)k,
                                             v + 3 * (size_t)k, w + 3 * (size_t)k, NULL),
                             VXE_OK);
        }
        const double wrong = fabs(decay_rate(world, 1, 100) / exact - 1);
        usual = i == 0 ? wrong : usual;
        print_message("  %u iterations at %g of the step: decay wrong by %.3g\n",
                      vxe_world_describe(world).damping_sweeps, scale[i], wrong);
        check_below("error of the decay at a shorter step", wrong, scale[i] * usual + 5e-4);
        vxe_world_destroy(world);
    }
    vxe_world_destroy(reference);
    vxe_design_destroy(design);
}

/* The scheme that a world chooses by default. */
static vxe_damping_scheme chosen_scheme(int length, double ratio)
{
    vxe_material m = standard_material();
    m.bond_damping = ratio;
    vxe_design *design = block_design(&m, 40, 40, length);
    vxe_world_def def = vxe_world_def_default();
    def.precision = VXE_PRECISION_MIXED;
    vxe_world *world = make_world(design, &def);
    const vxe_damping_scheme scheme = vxe_world_describe(world).damping;
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return scheme;
}

/* A step with one iteration takes 1.4 explicit ones and one with three 2.4 (bond_throughput,
 * cube_20 and cube_64), whether a body is read from memory in each pass, as one of 65 536 voxels or
 * more is, or stays in a cache. It is 1.6 and 4.6 times as long at xi = 0.1 and 1, and hardly
 * longer at 0.02. */
static void damping_iteration_is_chosen_where_it_pays(void **state)
{
    (void)state;
    assert_int_equal(chosen_scheme(4, 0.02), VXE_DAMPING_EXPLICIT);
    assert_int_equal(chosen_scheme(4, 0.1), VXE_DAMPING_SWEEP);
    assert_int_equal(chosen_scheme(41, 0.02), VXE_DAMPING_EXPLICIT);
    assert_int_equal(chosen_scheme(41, 0.1), VXE_DAMPING_SWEEP);
    assert_int_equal(chosen_scheme(41, 1), VXE_DAMPING_SWEEP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(global_damping_slows_and_stops_spin),
        cmocka_unit_test(pair_critical_dashpot_is_critical),
        cmocka_unit_test(published_dashpot_overshoots),
        cmocka_unit_test(published_dashpot_has_its_decrement),
        cmocka_unit_test(damping_ratio_of_a_bond_is_the_mean),
        cmocka_unit_test(damping_iteration_is_stable_on_every_lattice),
        cmocka_unit_test(damping_iteration_survives_large_strains),
        cmocka_unit_test(spinning_block_never_gains_energy),
        cmocka_unit_test(damping_iteration_damps_the_lowest_mode),
        cmocka_unit_test(damping_iteration_converges),
        cmocka_unit_test(damping_iteration_is_chosen_where_it_pays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
