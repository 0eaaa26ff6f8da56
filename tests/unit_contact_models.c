/* SPDX-License-Identifier: MIT */
/* Single contacts of particles and single sticky links against their formulas
 * (docs/contact-models.md; docs/physics.md, Sticky links), which are written out here once more.
 * Bounds are for rounding, where nothing else is said. */
#include <math.h>
#include <string.h>

#include "engine/contact_models/model_interface.h"
#include "engine/world/world_data.h"
#include "support.h"

#define ROUNDING 1e-12
/* s */
#define STEP 1e-4
/* Pieces of 5 and 20 mm and of 2 g, 0.1 mm deep in each other, with n along x. */
#define DEPTH 1e-4
#define REDUCED_MASS 2e-3
#define REDUCED_RADIUS (0.005 * 0.02 / 0.025)
#define FRICTION 0.5

static vxe_contact_geometry geometry(void)
{
    return (vxe_contact_geometry){
        .gap = -DEPTH, .n = {1, 0, 0}, .radius = {0.005, 0.02}, .mass = REDUCED_MASS, .h = STEP};
}

/* A contact of the linear model, with springs of 1e4 and 8e3 N/m. */
static vxe_particle_pair linear_pair(void)
{
    vxe_particle_pair pair = {.law = &vxe_contact_model_linear,
                              .numbers = vxe_contact_law_default(VXE_CONTACT_LINEAR)};
    pair.numbers.number[VXE_LINEAR_KN] = 1e4;
    pair.numbers.number[VXE_LINEAR_KS] = 8e3;
    pair.numbers.number[VXE_LINEAR_FRIC] = FRICTION;
    pair.numbers.number[VXE_LINEAR_DP_NRATIO] = 0.3;
    pair.numbers.number[VXE_LINEAR_DP_SRATIO] = 0.2;
    return pair;
}

/* A contact of the model hertz, with E* and G* of 1e8 and 2e7 Pa. */
static vxe_particle_pair hertz_pair(void)
{
    vxe_particle_pair pair = {.law = &vxe_contact_model_hertz,
                              .numbers = vxe_contact_law_default(VXE_CONTACT_HERTZ),
                              .modulus = 1e8,
                              .shear = 2e7};
    pair.numbers.number[VXE_HERTZ_FRIC] = FRICTION;
    pair.numbers.number[VXE_HERTZ_C_N] = 0.1;
    pair.numbers.number[VXE_HERTZ_DP_SRATIO] = 0.2;
    return pair;
}

static vxe_contact_force force_of(const vxe_particle_pair *pair, const vxe_contact_geometry *m,
                                  const vxe_contact_memory *before)
{
    vxe_contact_force force;
    pair->law->act(pair, m, before, &force);
    return force;
}

/* F_n = kn (g - rgap), or by increments; dashpots 2 ratio sqrt(m k); energy F_n^2/2 kn. A contact
 * that closes within the step moves only for the part in which it is closed. */
static void linear_contacts_follow_their_formulas(void **state)
{
    (void)state;
    vxe_particle_pair pair = linear_pair();
    vxe_contact_geometry m = geometry();
    const vxe_contact_memory before = {.normal = -2};
    m.rate[0] = 0.01;
    m.rate[1] = 1e-3;
    const vxe_contact_force plain = force_of(&pair, &m, &before);
    check_relative("normal force, N", plain.normal, -1e4 * DEPTH, ROUNDING);
    check_relative("its energy, J", plain.energy - 0.5 * 8e3 * STEP * 1e-3 * STEP * 1e-3,
                   0.5 * 1e4 * DEPTH * DEPTH, ROUNDING);
    check_relative("normal dashpot, N", plain.dash_normal,
                   0.01 * 2 * 0.3 * sqrt(REDUCED_MASS * 1e4), ROUNDING);
    check_relative("shear spring, N", plain.shear[1], -8e3 * STEP * 1e-3, ROUNDING);
    check_relative("shear dashpot, N", plain.dash_shear[1],
                   -1e-3 * 2 * 0.2 * sqrt(REDUCED_MASS * 8e3), ROUNDING);
    pair.numbers.number[VXE_LINEAR_RGAP] = 2e-5;
    check_relative("normal force with a reference gap, N", force_of(&pair, &m, &before).normal,
                   -1e4 * 1.2e-4, ROUNDING);
    pair.numbers.number[VXE_LINEAR_RGAP] = 0;
    pair.numbers.number[VXE_LINEAR_MODE] = 1;
    check_relative("normal force by increments, N", force_of(&pair, &m, &before).normal,
                   -2 + 1e4 * STEP * 0.01, ROUNDING);
    m.rate[0] = -4; /* 4e-4 m in the step, 1e-4 of them closed */
    const vxe_contact_force new = force_of(&pair, &m, NULL);
    check_relative("normal force of a new contact, N", new.normal, -1e4 * DEPTH, ROUNDING);
    check_relative("shear spring of a new contact, N", new.shear[1], -0.25 * 8e3 * STEP * 1e-3,
                   ROUNDING);
    pair.numbers.number[VXE_LINEAR_MODE] = 0;
    pair.numbers.number[VXE_LINEAR_DP_MODE] = VXE_DASHPOT_NO_PULL;
    m.rate[0] = 100;
    check_relative("dashpot that must not pull, N", force_of(&pair, &m, &before).dash_normal,
                   1e4 * DEPTH, ROUNDING);
}

/* The force along the surfaces keeps its length where it is laid into the present plane, and turns
 * with the pieces about n. */
static void shear_forces_turn_with_their_pieces(void **state)
{
    (void)state;
    const vxe_particle_pair pair = linear_pair();
    vxe_contact_geometry m = geometry();
    const vxe_contact_memory before = {.normal = -1, .shear = {0.03, 0.04, 0}};
    const vxe_contact_force tilted = force_of(&pair, &m, &before);
    check_near("force out of its plane, N", tilted.shear[0], 0, 0);
    check_relative("force laid into its plane, N", tilted.shear[1], 0.05, ROUNDING);
    m.spin = 200; /* 0.02 rad in the step, of which the law takes the tangent */
    const vxe_contact_force turned = force_of(&pair, &m, &before);
    check_relative("angle by which it turns, rad", atan2(turned.shear[2], turned.shear[1]), 0.02,
                   0.02 * 0.02);
    check_relative("force that has turned, N", hypot(turned.shear[1], turned.shear[2]), 0.05,
                   ROUNDING);
}

/* Beyond mu N the force is cut to that, and the way that its spring does not take is slip: the loss
 * is the mean force times that way. */
static void shear_forces_slip_as_coulomb_says(void **state)
{
    (void)state;
    vxe_particle_pair pair = linear_pair();
    vxe_contact_geometry m = geometry();
    const vxe_contact_memory before = {.normal = -1, .shear = {0, -0.3, 0}};
    const double way = 1e-4;
    m.rate[1] = way / STEP;
    const vxe_contact_force force = force_of(&pair, &m, &before);
    const double limit = FRICTION * 1e4 * DEPTH;
    assert_true(force.slips);
    check_relative("friction, N", force.shear[1], -limit, ROUNDING);
    check_relative("its dashpot, N", force.dash_shear[1],
                   -m.rate[1] * 2 * 0.2 * sqrt(REDUCED_MASS * 8e3), ROUNDING);
    check_relative("loss by slipping, J", force.lost,
                   0.5 * (0.3 + limit) * (way - (limit - 0.3) / 8e3), ROUNDING);
    check_relative("energy, J", force.energy - 0.5 * 1e4 * DEPTH * DEPTH, 0.5 * limit * limit / 8e3,
                   ROUNDING);
    pair.numbers.number[VXE_LINEAR_DP_MODE] = VXE_DASHPOT_NO_SLIP;
    check_near("dashpot of what slips, N", force_of(&pair, &m, &before).dash_shear[1], 0, 0);
}

/* Hertz1882, Mindlin1949 and Tsuji1992 as docs/contact-models.md has them. */
static void hertzian_contacts_follow_their_formulas(void **state)
{
    (void)state;
    const vxe_particle_pair pair = hertz_pair();
    vxe_contact_geometry m = geometry();
    const double width = sqrt(REDUCED_RADIUS * DEPTH);
    const double shear_stiffness = 8 * 2e7 * width;
    const vxe_contact_memory before = {.shear = {0, -0.3, 0}, .stiffness = shear_stiffness};
    m.rate[0] = 0.01;
    m.rate[1] = 1e-4;
    const vxe_contact_force force = force_of(&pair, &m, &before);
    const double shear = 0.3 + shear_stiffness * STEP * 1e-4;
    check_relative("Hertz' force, N", force.normal, -4.0 / 3 * 1e8 * width * DEPTH, ROUNDING);
    check_relative("Mindlin's force, N", force.shear[1], -shear, ROUNDING);
    check_relative("their energy, J", force.energy,
                   8.0 / 15 * 1e8 * width * DEPTH * DEPTH + 0.5 * shear * shear / shear_stiffness,
                   ROUNDING);
    check_relative("normal dashpot, N", force.dash_normal,
                   0.01 * 0.1 * sqrt(6 * REDUCED_MASS * 1e8 * width), ROUNDING);
    check_relative("shear dashpot, N", force.dash_shear[1],
                   -1e-4 * 2 * 0.2 * sqrt(REDUCED_MASS * shear_stiffness), ROUNDING);
    check_relative("tangent stiffness, N/m", force.tangent, 2 * 1e8 * width, ROUNDING);
    m.rate[1] = 100;
    check_relative("friction, N", force_of(&pair, &m, &before).shear[1], FRICTION * force.normal,
                   ROUNDING);
    m.radius[1] = 0; /* the floor */
    check_relative("Hertz' force of the floor, N", force_of(&pair, &m, &before).normal,
                   -4.0 / 3 * 1e8 * sqrt(0.005 * DEPTH) * DEPTH, ROUNDING);
}

/* Thornton2015: a stiffness that falls to a part takes the shear force to that part; the energy of
 * its spring that goes is lost. One that rises keeps the force. */
static void shear_forces_fall_with_their_stiffness(void **state)
{
    (void)state;
    const vxe_particle_pair pair = hertz_pair();
    const vxe_contact_geometry m = geometry();
    const double now = 8 * 2e7 * sqrt(REDUCED_RADIUS * DEPTH);
    const vxe_contact_memory stiffer = {.shear = {0, -0.3, 0}, .stiffness = now / 0.8};
    const vxe_contact_force fallen = force_of(&pair, &m, &stiffer);
    check_relative("force of a spring that has softened, N", fallen.shear[1], -0.8 * 0.3, ROUNDING);
    check_relative("its loss, J", fallen.lost, 0.5 * 0.3 * 0.3 * (0.8 - 0.64) / now, ROUNDING);
    const vxe_contact_memory softer = {.shear = {0, -0.3, 0}, .stiffness = 0.8 * now};
    check_relative("force of a spring that has stiffened, N", force_of(&pair, &m, &softer).shear[1],
                   -0.3, ROUNDING);
}

/* Part of a face that two linked voxels share. */
#define SHARE 0.7
#define LINK_SPRING (SHARE * STIFFNESS)
/* N s/m: of a damping ratio of 0.5 */
#define VOXEL_DASHPOT (2 * 0.5 * sqrt(MASS * STIFFNESS))
#define LINK_DASHPOT (SHARE * sqrt(2) * VOXEL_DASHPOT / 2)

/* Two sticky voxels, two cells apart along x. */
static vxe_world *sticky_pair(void)
{
    vxe_material m = standard_material();
    m.sticky = true;
    m.collision_damping = 0.5;
    vxe_design *design = block_design(&m, 1, 1, 1);
    design->self_collision = true;
    add_block(design, (const int[3]){2, 0, 0}, (const int[3]){1, 1, 1}, 0);
    vxe_world_def def = vxe_world_def_default();
    def.step_rule = VXE_STEP_SECONDS;
    def.step_seconds = 1e-7;
    vxe_world *world = make_world_in(design, &def, VXE_PRECISION_DOUBLE);
    vxe_design_destroy(design);
    return world;
}

/* A link of voxels that touched half way between them with parallel axes. */
static const vxe_sticky_link link_at_rest = {.place = {0, 1},
                                             .share = SHARE,
                                             .anchor = {{0.5 * EDGE, 0, 0}, {-0.5 * EDGE, 0, 0}},
                                             .rest = {1, 0, 0, 0}};

/* Place of the second voxel from the first, m, and orientations. */
typedef struct pose {
    double r[3], q[2][4];
} pose;

static void turn(double q[4], int c, double angle)
{
    double by[4] = {cos(angle / 2), 0, 0, 0};
    double turned[4];
    by[1 + c] = sin(angle / 2);
    quaternion_product(by, q, turned);
    memcpy(q, turned, sizeof turned);
}

/* J: U of docs/physics.md, Sticky links. */
static double link_energy(const pose *at)
{
    const double back[4] = {at->q[0][0], -at->q[0][1], -at->q[0][2], -at->q[0][3]};
    double arm[2][3];
    double between[4];
    double d2 = 0;
    rotate_vector(at->q[0], link_at_rest.anchor[0], arm[0]);
    rotate_vector(at->q[1], link_at_rest.anchor[1], arm[1]);
    quaternion_product(back, at->q[1], between);
    for (int c = 0; c < 3; c++) {
        const double d = at->r[c] + arm[1][c] - arm[0][c];
        d2 += d * d;
    }
    const double phi2 =
        4 * (between[1] * between[1] + between[2] * between[2] + between[3] * between[3]);
    return 0.5 * LINK_SPRING * (d2 + EDGE * EDGE / 12 * phi2);
}

/* Puts the voxels of a world into a pose. */
static void put(vxe_world *world, const pose *at)
{
    double place[3];
    position_of(world, 0, place);
    for (int c = 0; c < 3; c++) {
        place[c] += at->r[c];
    }
    assert_int_equal(vxe_world_place(world, 0, NULL, at->q[0], NULL, NULL, NULL), VXE_OK);
    assert_int_equal(vxe_world_place(world, 1, place, at->q[1], NULL, NULL, NULL), VXE_OK);
}

/* Energy of a link, its force and its moments, by central differences of 1e-6 edges and rad. */
static void sticky_links_follow_their_potential(void **state)
{
    (void)state;
    vxe_world *world = sticky_pair();
    pose at = {{1.02 * EDGE, 0.03 * EDGE, -0.01 * EDGE}, {{1, 0, 0, 0}, {1, 0, 0, 0}}};
    for (int c = 0; c < 3; c++) {
        turn(at.q[0], c, 0.1 * (c + 1));
        turn(at.q[1], c, 0.12 * (c - 2));
    }
    put(world, &at);
    const vxe_contact_sample link =
        vxe_sticky_link_measure(&world->workspace, &link_at_rest, world->workspace.state, STEP);
    check_relative("energy of a link, J", link.energy, link_energy(&at), ROUNDING);
    double off = 0;
    for (int i = 0; i < 9; i++) {
        double energy[2];
        for (int s = 0; s < 2; s++) {
            pose moved = at;
            if (i < 3) {
                moved.r[i] += (s ? -1e-6 : 1e-6) * EDGE;
            } else {
                turn(moved.q[i / 3 - 1], i % 3, s ? -1e-6 : 1e-6);
            }
            energy[s] = link_energy(&moved);
        }
        const double want = (energy[1] - energy[0]) / (i < 3 ? 2e-6 * EDGE : 2e-6);
        const double got = i < 3 ? link.spring.force[i] : link.spring.moment[i / 3 - 1][i % 3];
        off = fmax(off, fabs(got - want) / (LINK_SPRING * 0.02 * EDGE * (i < 3 ? 1 : EDGE)));
    }
    check_below("force and moments of a link against its energy, relative", off, 1e-7);
    vxe_world_destroy(world);
}

/* N s/m: a dashpot of a link in a step of STEP, of which a mobility of so many edges' counts. */
static double in_step(double mobility)
{
    return LINK_DASHPOT / (1 + STEP * LINK_DASHPOT * 12 * mobility * 2 / MASS);
}

/* The dashpot acts on the rate of d and, a^2/12 times that, on the difference of spins; both are
 * weaker than an implicit step would have them, by the mobility at a surface, 2.5/m, or that of a
 * turn, 6/(m a^2). */
static void dashpots_of_sticky_links_follow_their_formula(void **state)
{
    (void)state;
    vxe_world *world = sticky_pair();
    pose at = {{EDGE, 0, 0}, {{1, 0, 0, 0}, {1, 0, 0, 0}}};
    const double v[3] = {0.1, 0.2, 0};
    const double w[3] = {3, 0, 0};
    put(world, &at);
    assert_int_equal(vxe_world_place(world, 1, NULL, NULL, v, w, NULL), VXE_OK);
    const vxe_contact_share dashpot =
        vxe_sticky_link_measure(&world->workspace, &link_at_rest, world->workspace.state, STEP)
            .dashpot;
    check_relative("dashpot of a link along it, N", dashpot.force[0], -0.1 * in_step(2.5),
                   ROUNDING);
    check_relative("dashpot of a link across it, N", dashpot.force[1], -0.2 * in_step(2.5),
                   ROUNDING);
    check_relative("dashpot of a twist, N m", dashpot.moment[1][0],
                   -3 * EDGE * EDGE / 12 * in_step(6.0 / 12), ROUNDING);
    check_relative("its moment on the first, N m", dashpot.moment[0][0],
                   3 * EDGE * EDGE / 12 * in_step(6.0 / 12), ROUNDING);
    check_relative("moment of the force, N m", dashpot.moment[1][2],
                   0.5 * EDGE * 0.2 * in_step(2.5), ROUNDING);
    vxe_world_destroy(world);
}

/* The share of a link after a step at a place `aside` (in edges) across it. */
static double share_after(vxe_world *world, double aside)
{
    const pose at = {{(1 - 1e-4) * EDGE, aside * EDGE, 0}, {{1, 0, 0, 0}, {1, 0, 0, 0}}};
    vxe_error error;
    put(world, &at);
    assert_int_equal(vxe_world_advance(world, 1, &error), VXE_OK);
    assert_int_equal(world->workspace.state->sticky_link_count, 1);
    return world->workspace.state->sticky_links[0].share;
}

/* A link is renewed where the voxels share a quarter more of a face: not from W(0.4) to W(0.3),
 * which is 1.210 times as much, but to W(0.28), which is 1.248 times, neither, and to W(0.27),
 * 1.266 times. It has then the place and the share of that moment. */
static void sticky_links_are_renewed_by_a_quarter_more(void **state)
{
    (void)state;
    vxe_world *world = sticky_pair();
    const double first = 0.6 * 0.6 * 1.8;
    check_relative("share of a new link", share_after(world, 0.4), first, 1e-6);
    check_relative("share at 1.210 times as much", share_after(world, 0.3), first, 1e-6);
    check_relative("share at 1.248 times as much", share_after(world, 0.28), first, 1e-6);
    check_relative("share at 1.266 times as much", share_after(world, 0.27), 0.73 * 0.73 * 1.54,
                   1e-6);
    const vxe_sticky_link *link = &world->workspace.state->sticky_links[0];
    for (int end = 0; end < 2; end++) {
        const double sign = end ? -0.5 : 0.5;
        check_near("place of a renewed link, m", link->anchor[end][0], sign * EDGE, 1e-4 * EDGE);
        check_near("place of a renewed link, m", link->anchor[end][1], sign * 0.27 * EDGE,
                   1e-4 * EDGE);
    }
    vxe_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_contacts_follow_their_formulas),
        cmocka_unit_test(shear_forces_turn_with_their_pieces),
        cmocka_unit_test(shear_forces_slip_as_coulomb_says),
        cmocka_unit_test(hertzian_contacts_follow_their_formulas),
        cmocka_unit_test(shear_forces_fall_with_their_stiffness),
        cmocka_unit_test(sticky_links_follow_their_potential),
        cmocka_unit_test(dashpots_of_sticky_links_follow_their_formula),
        cmocka_unit_test(sticky_links_are_renewed_by_a_quarter_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
