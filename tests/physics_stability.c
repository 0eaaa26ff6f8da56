/* SPDX-License-Identifier: MIT */
/* Where steps become unstable, whether the rules of the step account for it (the stability cases of
 * docs/accuracy.md), and how large the default step is. */
#include <math.h>
#include <string.h>

#include "common/messages_internal.h"
#include "engine/solver/step.h"
#include "engine/timestep/known_spectra.h"
#include "engine/timestep/spectrum.h"
#include "engine/world/world_data.h"
#include "support.h"

/* True if small random motion (1e-6 voxel) stays small over the steps. */
static bool is_stable(const int size[3], double ratio, double nu, vxe_torsion torsion, double step,
                      uint64_t steps)
{
    vxe_material m = standard_material();
    m.bond_damping = ratio;
    m.poissons_ratio = nu;
    vxe_design *design = block_design(&m, size[0], size[1], size[2]);
    vxe_world_def def = vxe_world_def_default();
    def.torsion = (int)torsion;
    def.damping = VXE_DAMPING_EXPLICIT;
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = step;
    vxe_world *world = make_world(design, &def);
    shake(world, 1e-6 * EDGE * W0, 9);
    const double before = vxe_world_energy(world).kinetic;
    const bool finite = vxe_world_advance(world, steps, NULL) == VXE_OK;
    const vxe_energy after = vxe_world_energy(world);
    const bool stable = finite && after.kinetic + after.elastic < 100 * before;
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return stable;
}

/* Cases stability-undamped and stability-damped (nu = 0, polar): stable at 0.97 of the limit over
 * 20 000 steps, unstable at 1.03.
 */
static void stability_limit_is_where_the_analysis_says(void **state)
{
    (void)state;
    const struct {
        int size[3];
        double ratio;
        double limit; /* dt w0 */
    } rows[] = {{{2, 1, 1}, 0, .8944}, {{10, 1, 1}, 0, .8168}, {{2, 2, 2}, 0, .6325},
                {{3, 3, 3}, 0, .5698}, {{4, 4, 4}, 0, .5531},  {{5, 5, 5}, 0, .5460},
                {{3, 3, 3}, 1, .1431}, {{3, 3, 3}, 0.1, .4736}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const double limit = rows[i].limit / W0;
        print_message("  %d x %d x %d, xi %g: dt w0 = %g\n", rows[i].size[0], rows[i].size[1],
                      rows[i].size[2], rows[i].ratio, rows[i].limit);
        assert_true(
            is_stable(rows[i].size, rows[i].ratio, 0, VXE_TORSION_POLAR, 0.97 * limit, 20000));
        assert_false(
            is_stable(rows[i].size, rows[i].ratio, 0, VXE_TORSION_POLAR, 1.03 * limit, 20000));
    }
    const int cube[3] = {3, 3, 3};
    assert_false(is_stable(cube, 1, 0, VXE_TORSION_POLAR, .1592 / W0, 20000)); /* 1/(2 pi w0) */
}

/* Largest eigenvalues by many Lanczos steps. */
static vxe_spectrum spectrum_of_design(const vxe_design *design, uint32_t threads)
{
    vxe_world_def def = vxe_world_def_default();
    def.precision = VXE_PRECISION_DOUBLE; /* a model whose arrays are in double */
    vxe_model model;
    vxe_spectrum found;
    const vxe_spectrum_effort effort = {.iterations = 300, .tolerance = 1e-12, .threads = threads};
    vxe_messages warnings = {0};
    vxe_error error;
    assert_int_equal(vxe_model_init(&model, design, &def, &warnings, &error), VXE_OK);
    assert_int_equal(vxe_model_spectrum(&model, design, &effort, &found, &error), VXE_OK);
    vxe_model_clear(&model);
    vxe_messages_clear(&warnings);
    return found;
}

static void spectrum_of(const int size[3], double ratio, double nu, double *lambda_k,
                        double *lambda_c)
{
    vxe_material m = standard_material();
    m.bond_damping = ratio;
    m.poissons_ratio = nu;
    vxe_design *design = block_design(&m, size[0], size[1], size[2]);
    const vxe_spectrum found = spectrum_of_design(design, 1);
    *lambda_k = found.lambda_k;
    *lambda_c = found.lambda_c;
    vxe_design_destroy(design);
}

/* Bodies of one degree of freedom, where the Lanczos space is exhausted at once: k/m, and c/m with
 * c = xi sqrt(m k) of a bond and 2 zeta sqrt(m k) of the floor. */
static void one_freedom_has_its_own_frequency(void **state)
{
    (void)state;
    const double ratio = 0.3;
    for (int c = 0; c < 3; c++) {
        vxe_material m = standard_material();
        m.bond_damping = ratio;
        vxe_design *design = block_design(&m, c == 0 ? 2 : 1, c == 1 ? 2 : 1, c == 2 ? 2 : 1);
        hold_plane(design, c, 0, VXE_FIX_ALL, NULL, NULL);
        hold_plane(design, c, 1, VXE_FIX_ALL & ~(1u << c), NULL, NULL);
        const vxe_spectrum found = spectrum_of_design(design, 1);
        check_relative("lambda_K of one freedom", found.lambda_k, W0 * W0, 1e-6);
        check_relative("lambda_C of one freedom", found.lambda_c, ratio * W0, 1e-6);
        vxe_design_destroy(design);
    }
    vxe_material m = standard_material();
    m.collision_damping = ratio;
    vxe_design *design = block_design(&m, 1, 1, 1);
    hold_plane(design, 0, 0, VXE_FIX_ALL & ~(uint32_t)VXE_FIX_Z, NULL, NULL);
    design->floor.enabled = true;
    const vxe_spectrum found = spectrum_of_design(design, 1);
    check_relative("lambda_K of a voxel on the floor", found.lambda_k, W0 * W0, 1e-6);
    check_relative("lambda_C of a voxel on the floor", found.lambda_c_all, 2 * ratio * W0, 1e-6);
    vxe_design_destroy(design);
}

/* Frequencies scale with sqrt(E/rho)/a at each size: from cells to stars, where floats with units
 * would overflow. */
static void spectrum_has_no_scale(void **state)
{
    (void)state;
    const struct {
        double edge, modulus, density;
    } rows[] = {{1e-2, 1e6, 1e3},  {1e-6, 2e11, 7800}, {1e-9, 1e15, 1e-3},
                {1e6, 1e-3, 1e15}, {1e-4, 1e15, 1e3},  {1e9, 1e12, 1}};
    double k = 0;
    double c = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vxe_material m = standard_material();
        m.bond_damping = 0.3;
        m.youngs_modulus = rows[i].modulus;
        m.density = rows[i].density;
        vxe_design *design = block_design(&m, 4, 4, 4);
        design->voxel_size = rows[i].edge;
        const vxe_spectrum found = spectrum_of_design(design, 1);
        const double w = sqrt(rows[i].modulus / rows[i].density) / rows[i].edge;
        k = i ? k : found.lambda_k / (w * w);
        c = i ? c : found.lambda_c / w;
        check_relative("lambda_K/w0^2", found.lambda_k / (w * w), k, 1e-5);
        check_relative("lambda_C/w0", found.lambda_c / w, c, 1e-5);
        vxe_world *world = make_world(design, NULL);
        assert_true(vxe_world_describe(world).time_step > 0);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Along a bar of n voxels, the pair at (at, at + 1) is a hundred times stiffer. */
static vxe_spectrum spectrum_of_stiff_pair(int n, int axis, int at, uint32_t threads)
{
    vxe_material m = standard_material();
    m.bond_damping = 0.1;
    vxe_design *design = block_design(&m, axis == 0 ? n : 1, axis == 1 ? n : 1, axis == 2 ? n : 1);
    vxe_layer *layer = vxe_design_layer(design, "Stiffness", 1);
    for (int i = 0; i < n; i++) {
        layer->values[i] = i == at || i == at + 1 ? 1e8 : 1e6;
    }
    const vxe_spectrum found = spectrum_of_design(design, threads);
    vxe_design_destroy(design);
    return found;
}

/* A large body is divided into partitions of 65 536 slots. Its highest mode is localised at the
 * stiff pair, wherever that is: across a border the frequency is that of a small body, up to the
 * rounding of floats; and the same bits for any number of threads. */
static void highest_mode_may_lie_across_parts(void **state)
{
    (void)state;
    const int border = 65536;
    for (int axis = 0; axis < 3; axis++) {
        const vxe_spectrum small = spectrum_of_stiff_pair(40, axis, 19, 1);
        const vxe_spectrum large = spectrum_of_stiff_pair(70000, axis, border - 1, 1);
        const vxe_spectrum threads = spectrum_of_stiff_pair(70000, axis, border - 1, 3);
        check_relative("lambda_K across parts", large.lambda_k, small.lambda_k, 1e-5);
        check_relative("lambda_C across parts", large.lambda_c, small.lambda_c, 1e-5);
        assert_true(large.lambda_k == threads.lambda_k && large.lambda_c == threads.lambda_c);
    }
}

/* Case stability-rule: rule (TS) against the true limit, nu = 0.3, St-Venant: below it, and within
 * 0.1 %. */
static void step_rule_is_just_below_the_true_limit(void **state)
{
    (void)state;
    const struct {
        int size[3];
        double ratio;
        double rule;
        double limit;
    } rows[] = {{{10, 1, 1}, .1, .72189, .72251}, {{10, 1, 1}, 1, .28867, .28891},
                {{3, 3, 3}, .1, .48239, .48262},  {{3, 3, 3}, 1, .14678, .14681},
                {{4, 4, 4}, .1, .46733, .46746},  {{4, 4, 4}, 1, .13917, .13919}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double k = 0;
        double c = 0;
        spectrum_of(rows[i].size, rows[i].ratio, 0.3, &k, &c);
        const double rule = vxe_explicit_limit(k, c) * W0;
        check_relative("rule (TS), dt w0", rule, rows[i].rule, 3e-4);
        assert_true(rule <= rows[i].limit);
        assert_true(rule >= rows[i].limit * (1 - 1e-3));
        assert_true(is_stable(rows[i].size, rows[i].ratio, 0.3, VXE_TORSION_STVENANT,
                              0.99 * rule / W0, 20000));
    }
}

/* Case largest-frequency: true values of w_max^2/w0^2 (nu = 0.3, St-Venant), which the Lanczos
 * estimate must approach from below. */
static void highest_frequency_is_found(void **state)
{
    (void)state;
    const struct {
        int size[3];
        double w2;
    } rows[] = {{{2, 1, 1}, 5.000},
                {{10, 1, 1}, 5.99603},
                {{3, 3, 1}, 10.48616},
                {{3, 3, 3}, 11.90267},
                {{5, 5, 5}, 12.81999}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double k = 0;
        double c = 0;
        spectrum_of(rows[i].size, 0.1, 0.3, &k, &c);
        check_relative("w_max^2/w0^2", k / (W0 * W0), rows[i].w2, 1e-3);
        check_below("  of the true one", k / (W0 * W0), rows[i].w2 * (1 + 2e-5));
    }
}

/* The default step of a bulk body: at least 1.9 times 1/(2 pi w0) at xi = 1 and 3.2 times at 0.6
 * and below (from 0.05 down the rule takes 0.9 for weak damping), floor and friction on; and a drop
 * on the floor at that step stays stable. */
static void default_step_exceeds_the_published_rule(void **state)
{
    (void)state;
    const double ratios[6] = {0.05, 0.1, 0.3, 0.5, 0.6, 1};
    for (int i = 0; i < 12; i++) {
        vxe_material m = vxe_material_default();
        m.bond_damping = ratios[i % 6];
        const bool floor = i < 6;
        vxe_design *design = block_design(&m, 8, 8, 8);
        design->floor.enabled = floor;
        design->gravity[2] = floor ? -9.81 : 0;
        for (uint32_t v = 0; v < design->voxel_count; v++) {
            design->voxels[v].position[2] += 1;
        }
        vxe_world *world = make_world(design, NULL);
        const vxe_world_facts facts = vxe_world_describe(world);
        const double gain = facts.time_step * facts.source_frequency * 2 * PI;
        print_message("  xi %g: %.3f times 1/(2 pi w0), %u damping iterations\n", ratios[i % 6],
                      gain, facts.damping_sweeps);
        check_below("gain asked, less the gain", (ratios[i % 6] > 0.6 ? 1.9 : 3.2) - gain, 0);
        vxe_error error;
        if (vxe_world_advance_to(world, 1, &error)) {
            fail_msg("%s", error.message);
        }
        check_below("kinetic energy 1 s after the drop, of m g a",
                    vxe_world_energy(world).kinetic / (512 * MASS * 9.81 * EDGE), 0.02);
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Polynomial damping is asked for, but no bond is damped: the step must still be stable with the
 * floor's dashpots, as the explicit one is. */
static void undamped_bonds_leave_the_floor_its_dashpots(void **state)
{
    (void)state;
    vxe_material m = standard_material();
    m.collision_damping = 1;
    vxe_design *design = block_design(&m, 2, 2, 2);
    design->floor.enabled = true;
    double steps[2];
    for (int i = 0; i < 2; i++) {
        vxe_world_def def = vxe_world_def_default();
        def.damping = i ? VXE_DAMPING_SWEEP : VXE_DAMPING_EXPLICIT;
        vxe_world *world = make_world(design, &def);
        steps[i] = vxe_world_describe(world).time_step;
        vxe_world_destroy(world);
    }
    check_near("step with polynomial damping asked for, s", steps[1], steps[0], 0);
    vxe_design_destroy(design);
}

/* A block whose step is planned. */
typedef struct planned {
    double damping_ratio, growth; /* xi; the largest growth by actuation, of an edge */
    bool collides, sticks;
    vxe_damping_scheme scheme;
    bool poisson; /* volume effects with nu = 0.3 */
} planned;

/* The largest step that the plan of a block allows, and the factor on it that the rule is to have.
 */
static void check_rule(const char *what, const planned *of, double part, double wide, double factor)
{
    vxe_material m = standard_material();
    m.bond_damping = of->damping_ratio;
    m.sticky = of->sticks;
    m.thermal_expansion = of->growth;
    m.poissons_ratio = of->poisson ? 0.3 : 0;
    vxe_design *design = block_design(&m, 3, 3, 3);
    design->volume_effects = of->poisson;
    design->self_collision = of->collides;
    design->actuation = (vxe_actuation){.enabled = of->growth > 0, .amplitude = 1, .period = 1e3};
    vxe_world_def def = vxe_world_def_default();
    def.damping = of->scheme;
    vxe_world *world = make_world(design, &def);
    const vxe_step_plan *plan = &world->simulation.plan;
    const double k = 1.05 * wide * plan->lambda_k;
    const double c = wide * plan->lambda_c_all;
    const double limit =
        of->scheme == VXE_DAMPING_SWEEP ? sqrt((4 - 2 * part) / k) : (sqrt(c * c + 4 * k) - c) / k;
    check_relative(what, plan->time_step, factor * limit, by_precision(1e-12, 1e-6));
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* The rule auto (docs/physics.md, Time step): factors on the limits of linear theory for 1.05 times
 * the eigenvalues that were found. Where voxels collide their dashpots take half of what an
 * iterated step allows, with sticky links three quarters; these make eigenvalues of explicit steps
 * 4/3 as large. Edges that grow by a tenth make them 1.21 times as large. Undamped bodies with
 * volume effects take half of the limit: at .7 a block that was strained by a tenth at once gained
 * .17 of that in a thousand steps. */
static void steps_follow_their_rule(void **state)
{
    (void)state;
    const vxe_damping_scheme all = VXE_DAMPING_EXPLICIT;
    const vxe_damping_scheme swept = VXE_DAMPING_SWEEP;
    check_rule("explicit step, s", &(planned){0.5, 0, false, false, all, false}, 0, 1, 0.9);
    check_rule("hardly damped, s", &(planned){0.01, 0, false, false, all, false}, 0, 1, 0.7);
    check_rule("undamped, s", &(planned){0, 0, false, false, all, false}, 0, 1, 0.7);
    check_rule("and of Poisson's ratio, s", &(planned){0, 0, false, false, all, true}, 0, 1, 0.5);
    check_rule("of growing edges, s", &(planned){0.5, 0.1, false, false, all, false}, 0, 1.21, 0.9);
    check_rule("with sticky links, s", &(planned){0.5, 0, true, true, all, false}, 0, 4.0 / 3, 0.9);
    check_rule("iterated step, s", &(planned){0.5, 0, false, false, swept, false}, 0, 1, 1);
    check_rule("weakly damped, s", &(planned){0.04, 0, false, false, swept, false}, 0, 1, 0.9);
    check_rule("of growing edges, s", &(planned){0.5, 0.1, false, false, swept, false}, 0, 1.21, 1);
    check_rule("where voxels collide, s", &(planned){0.5, 0, true, false, swept, false}, 1, 1, 1);
    check_rule("and stick, s", &(planned){0.5, 0, true, true, swept, false}, 1.5, 1, 1);
}

/* The published rule: 0.9/(2 pi w0), w0^2 the largest k_a/m (Hiller2014). */
static void source_step_is_as_published(void **state)
{
    (void)state;
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 3, 2, 1);
    vxe_world_def def = vxe_world_def_default();
    def.step_rule = VXE_STEP_SOURCE;
    vxe_world *world = make_world(design, &def);
    check_relative("published step, s", vxe_world_describe(world).time_step, 0.9 / (2 * PI * W0),
                   by_precision(1e-12, 1e-6));
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* At most a hundredth of the period of actuation, and 1 ms where nothing acts. */
static void steps_resolve_what_drives_a_body(void **state)
{
    (void)state;
    for (int driven = 0; driven < 2; driven++) {
        vxe_material m = standard_material();
        m.thermal_expansion = 0.1;
        vxe_design *design = block_design(&m, 1, 1, 1);
        design->actuation = (vxe_actuation){.enabled = driven > 0, .amplitude = 1, .period = 0.05};
        vxe_world *world = make_world(design, NULL);
        check_relative(driven ? "step by a period, s" : "idle step, s",
                       vxe_world_describe(world).time_step, driven ? 0.05 / 100 : 1e-3,
                       by_precision(1e-12, 1e-6));
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Two voxels apart that start with opposite speeds along x or spins, beside a common drift. */
static double step_of_start(double speed, double spin, bool floor)
{
    const vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 1, 1, 1);
    design->self_collision = true;
    design->floor.enabled = floor;
    assert_int_equal(vxe_design_add_voxel(design, 4, 0, 0, 0, NULL), VXE_OK);
    for (uint32_t v = 0; v < 2; v++) {
        const double sign = v ? -1 : 1;
        const double velocity[3] = {sign * speed + 3e4, 0, 0};
        const double turn[3] = {0, sign * spin, 0};
        assert_int_equal(vxe_design_set_velocity(design, v, velocity, turn, NULL), VXE_OK);
    }
    vxe_world *world = make_world(design, NULL);
    const double step = vxe_world_describe(world).time_step;
    vxe_world_destroy(world);
    vxe_design_destroy(design);
    return step;
}

/* In a step no voxel starts by more than a tenth of an edge against the others or the floor, or a
 * tenth of a radian, and none grows by more than a fiftieth of its way. */
static void steps_resolve_starts(void **state)
{
    (void)state;
    const double tolerance = by_precision(1e-12, 1e-6);
    check_relative("step of fast voxels, s", step_of_start(4000, 0, false), 0.1 * EDGE / 4000,
                   tolerance);
    check_relative("step over a floor, s", step_of_start(0, 0, true), 0.1 * EDGE / 3e4, tolerance);
    check_relative("step of spinning voxels, s", step_of_start(0, 8000, false), 0.1 / 8000,
                   tolerance);
    assert_true(step_of_start(0, 0, false) > 1e-4);
    vxe_material m = standard_material();
    vxe_design *design = block_design(&m, 1, 1, 1);
    *vxe_design_layer(design, "FinalSize", 1)->values = 1.5;
    *vxe_design_layer(design, "GrowthTime", 1)->values = 0.01;
    vxe_world *world = make_world(design, NULL);
    check_relative("step of growth, s", vxe_world_describe(world).time_step, 0.01 / 50, tolerance);
    vxe_world_destroy(world);
    vxe_design_destroy(design);
}

/* What contacts may add to a single voxel's eigenvalue, in k/m, k = E a: each of its two faces
 * along an axis may meet a voxel, with twice the softer spring at most; the floor may push instead,
 * with one spring; a sticky link on each of six faces counts three times as much as a contact. The
 * iteration has floats. */
static void contacts_have_their_bounds(void **state)
{
    (void)state;
    const double want[4] = {1, 4, 4, 40};
    for (int i = 0; i < 4; i++) {
        vxe_material m = standard_material();
        m.sticky = i == 3;
        vxe_design *design = block_design(&m, 1, 1, 1);
        design->floor.enabled = i % 2 == 0;
        design->self_collision = i > 0;
        vxe_world *world = make_world(design, NULL);
        /* a plan's eigenvalues are rounded up, to 12 binary digits */
        const double got = world->simulation.plan.lambda_k / (W0 * W0);
        check_near("eigenvalue of a voxel, k/m, rounded up", got, want[i] * (1 + 0.5 / 2048),
                   want[i] * (0.5 / 2048 + 1e-5));
        vxe_world_destroy(world);
        vxe_design_destroy(design);
    }
}

/* Bodies that differ in nothing that counts at rest have the spectrum of the one before; whatever
   counts makes a body another one. Either way the bits are those of a body by itself. */
static void spectra_of_equal_bodies_are_computed_once(void **state)
{
    (void)state;
    enum {
        FIRST,
        OTHER_PHASE,
        MOVED,
        STIFFER,
        LIGHTER,
        WITHOUT_FLOOR,
        SMALLER,
        AGAIN,
        ONE_HEAVY,
        BY_LAYER,
        BODIES
    };
    const uint64_t hits[BODIES] = {0, 1, 2, 2, 2, 2, 2, 3, 3, 4};
    vxe_known_spectra *known = vxe_known_spectra_create();
    for (int i = 0; i < BODIES; i++) {
        const int length = i == SMALLER ? 4 : 5;
        vxe_material m = standard_material();
        m.youngs_modulus *= i == STIFFER ? 1.5 : 1;
        m.density *= i == LIGHTER || i == AGAIN ? 0.5 : 1;
        vxe_design *design = block_design(&m, length, 3, 2);
        design->floor.enabled = i != WITHOUT_FLOOR;
        for (uint32_t v = 0; v < design->voxel_count && i == MOVED; v++) {
            design->voxels[v].position[0] += 7;
        }
        if (i == OTHER_PHASE) {
            vxe_design_layer(design, "PhaseOffset", 1)->values[3] = 0.25;
        }
        for (uint32_t v = 0; v < design->voxel_count && i >= ONE_HEAVY; v++) {
            vxe_design_layer(design, "Density", 1)->values[v] = m.density * (i == BY_LAYER ? 0.5
                                                                             : v == 3      ? 2
                                                                                           : 1);
        }
        vxe_world_def def = vxe_world_def_default();
        vxe_model among;
        vxe_model alone;
        vxe_messages warnings = {0};
        assert_false(vxe_model_init_among(&among, design, &def, known, &warnings, NULL));
        assert_false(vxe_model_init(&alone, design, &def, &warnings, NULL));
        assert_int_equal(vxe_known_spectra_hits(known), hits[i]);
        assert_memory_equal(&among.spectrum, &alone.spectrum, sizeof alone.spectrum);
        vxe_model_clear(&among);
        vxe_model_clear(&alone);
        vxe_messages_clear(&warnings);
        vxe_design_destroy(design);
    }
    vxe_known_spectra_destroy(known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spectra_of_equal_bodies_are_computed_once),
        cmocka_unit_test(stability_limit_is_where_the_analysis_says),
        cmocka_unit_test(step_rule_is_just_below_the_true_limit),
        cmocka_unit_test(highest_frequency_is_found),
        cmocka_unit_test(one_freedom_has_its_own_frequency),
        cmocka_unit_test(spectrum_has_no_scale),
        cmocka_unit_test(highest_mode_may_lie_across_parts),
        cmocka_unit_test(default_step_exceeds_the_published_rule),
        cmocka_unit_test(undamped_bonds_leave_the_floor_its_dashpots),
        cmocka_unit_test(steps_follow_their_rule),
        cmocka_unit_test(source_step_is_as_published),
        cmocka_unit_test(steps_resolve_what_drives_a_body),
        cmocka_unit_test(steps_resolve_starts),
        cmocka_unit_test(contacts_have_their_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
