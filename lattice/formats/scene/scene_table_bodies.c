/* SPDX-License-Identifier: MIT */
/* Keys of a scene: contact models, magnets, affine bodies and observations. The texts are printed
   in docs/scene-reference.md. */
#include "common/assert_internal.h"
#include "lattice/formats/scene/scene_keys_internal.h"

static const vxe_scene_key contact_keys[] = {
    BY_HAND(VXE_SCENE_LIST, "between", "two sides", "none",
            "two materials by name or number (from 0), `any` (all materials) or, as one of the "
            "two, `floor`"),
    BY_HAND(VXE_SCENE_ANY, "of", "a side", "none",
            "instead of `between`, with the law linear: a material or the floor, with numbers of "
            "its own. If no rule names a pair of two such pieces, their contact has kn and ks in "
            "series and the smaller fric, dp_nratio and dp_sratio"),
    {.key = "law",
     .type = VXE_SCENE_CHOICE,
     .offset = VXE_SCENE_BY_HAND,
     .form = "linear|hertz|powerlaw",
     .needed = true,
     .also = "`powerlaw` between a material and the floor",
     .meaning = "the contact model; its numbers are in the same object"}};

#define MODEL(INDEX, KEY, MEANING) LAW(vxe_contact_law, number, INDEX, KEY, MEANING)
#define DASHPOTS                                                                                   \
    "0: dashpots always act; 1: the normal one never pulls more than the spring pushes; 2: the "   \
    "tangential one does not act in slip; 3: both"

static const vxe_scene_key linear_keys[] = {
    MODEL(VXE_LINEAR_KN, "kn", "normal stiffness"),
    MODEL(VXE_LINEAR_KS, "ks", "tangential stiffness"),
    MODEL(VXE_LINEAR_FRIC, "fric", "Coulomb's coefficient of friction"),
    MODEL(VXE_LINEAR_RGAP, "rgap", "gap at which the springs are at rest"),
    MODEL(VXE_LINEAR_MODE, "lin_mode", "0: force from the overlap; 1: from its increments"),
    MODEL(VXE_LINEAR_DP_NRATIO, "dp_nratio", "ratio of the normal dashpot; 1 is critical"),
    MODEL(VXE_LINEAR_DP_SRATIO, "dp_sratio", "ratio of the tangential dashpot; 1 is critical"),
    MODEL(VXE_LINEAR_DP_MODE, "dp_mode", DASHPOTS),
    MODEL(VXE_LINEAR_EMOD, "emod",
          "modulus E, instead of kn and ks: kn = A E/L of a cylinder between the spheres"),
    MODEL(VXE_LINEAR_KRATIO, "kratio", "kn/ks with `emod`; 0: no ks"),
    MODEL(VXE_LINEAR_USER_AREA, "user_area",
          "area A with `emod`; 0: that of the smaller sphere's cross-section"),
    MODEL(VXE_LINEAR_BOX, "box",
          "1: cubes touch by their faces, as in self-collision, and the floor pushes at their "
          "centres, so that they do not roll; needs lin_mode 0 and rgap 0")};

static const vxe_scene_key hertz_keys[] = {
    MODEL(VXE_HERTZ_FRIC, "fric", "Coulomb's coefficient of friction"),
    MODEL(VXE_HERTZ_C_N, "c_n", "coefficient of the normal dashpot"),
    MODEL(VXE_HERTZ_RESTITUTION, "restitution",
          "coefficient of restitution, from which c_n follows; 0: c_n is given"),
    MODEL(VXE_HERTZ_DP_SRATIO, "dp_sratio", "ratio of the tangential dashpot"),
    MODEL(VXE_HERTZ_DP_MODE, "dp_mode", DASHPOTS)};

static const vxe_scene_key power_keys[] = {
    MODEL(VXE_POWER_ALPHA_R, "alpha_r", "repulsion: alpha_r D^-nu_r"),
    MODEL(VXE_POWER_BETA_D, "beta_d", "damping: beta_d D^-nu_d times the speed along the normal"),
    MODEL(VXE_POWER_BETA_F, "beta_f", "friction: beta_f D^-nu_f times the speed along the floor"),
    MODEL(VXE_POWER_BETA_A, "beta_a", "adhesion: beta_a (D^-nu_aa - D^-nu_ar)"),
    MODEL(VXE_POWER_NU_R, "nu_r", "power of the repulsion"),
    MODEL(VXE_POWER_NU_D, "nu_d", "power of the damping"),
    MODEL(VXE_POWER_NU_F, "nu_f", "power of the friction"),
    MODEL(VXE_POWER_NU_AA, "nu_aa", "power of the attraction"),
    MODEL(VXE_POWER_NU_AR, "nu_ar", "power at which adhesion ends; above nu_aa"),
    MODEL(VXE_POWER_D0, "d0", "distance at which D is 1"),
    MODEL(VXE_POWER_FRIC, "fric",
          "Coulomb's coefficient: friction is at most this times the repulsion; 0: no limit"),
    MODEL(VXE_POWER_FACING, "facing",
          "1: only faces that point towards the floor; 0: all free faces")};

static const vxe_scene_key magnetics_keys[] = {
    {.key = "enabled",
     .type = VXE_SCENE_FLAG,
     .offset = offsetof(vxe_magnetics, enabled),
     .standard = "true, if the object is there",
     .meaning = "whether magnets act"},
    FLAG(vxe_magnetics, alone, "alone", "only the external field acts on them"),
    FLAG(vxe_magnetics, induces, "induces",
         "materials with a `susceptibility` are magnetised by all fields; not with `every_steps` "
         "above 1"),
    NUMBER(vxe_magnetics, dipole_cap, "dipole_cap_m", "m", 0, 0, "0 or above, below 1e6",
           "closer pairs act as at this distance; then neither energy nor angular momentum is "
           "conserved; 0: no limit"),
    NUMBER(vxe_magnetics, dipole_soften, "dipole_soften_m", "m", 0, 0, "0 or above, below 1e6",
           "e: distances are (r^2 + e^2)^1/2, which conserves both; 0: r"),
    NUMBER(vxe_magnetics, dipole_d, "dipole_d_m", "m", 0, 0, "0 or above, below 1e6",
           "pairs with a wider gap do not act on each other; 0: all pairs act"),
    WHOLE(vxe_magnetics, divisions, "divisions", VXE_MAX_DIVISIONS,
          "n: the moment of each voxel is divided over n^3 dipoles; 0 means 1. One dipole is 27 % "
          "too strong for cubes a tenth of an edge apart, 4^3 are within 6 %"),
    WHOLE(vxe_magnetics, every, "every_steps", VXE_MAX_BLOCK_STEPS,
          "k: forces between dipoles act in every k-th step, k times as large, which is accurate "
          "enough for bodies with strong damping; 0 means 1"),
    NUMBERS(vxe_magnetics, reference, 3, "reference_m", "m", NULL,
            "point where the gradient adds nothing"),
    BY_HAND(VXE_SCENE_OBJECT, "field_T", NULL, "0", "the external field B0(t)"),
    BY_HAND(VXE_SCENE_OBJECT, "gradient_T_per_m", NULL, "0", "its gradient G(t)")};

static const vxe_scene_key field_keys[] = {FORMULA(VXE_FORMULA_FIELD_X, "x", "T", "0", "along x"),
                                           FORMULA(VXE_FORMULA_FIELD_Y, "y", "T", "0", "along y"),
                                           FORMULA(VXE_FORMULA_FIELD_Z, "z", "T", "0", "along z")};

static const vxe_scene_key gradient_keys[] = {
    FORMULA(VXE_FORMULA_GRADIENT_XX, "xx", "T/m", "0", "dBx/dx"),
    FORMULA(VXE_FORMULA_GRADIENT_YY, "yy", "T/m", "0", "dBy/dy; dBz/dz is -xx - yy"),
    FORMULA(VXE_FORMULA_GRADIENT_XY, "xy", "T/m", "0", "dBx/dy and dBy/dx"),
    FORMULA(VXE_FORMULA_GRADIENT_XZ, "xz", "T/m", "0", "dBx/dz and dBz/dx"),
    FORMULA(VXE_FORMULA_GRADIENT_YZ, "yz", "T/m", "0", "dBy/dz and dBz/dy")};

#define BODY(INDEX, KEY, MEANING) LAW(vxe_affine_body, number, INDEX, KEY, MEANING)
#define NINE "nine formulas of t, numbers or null"

static const vxe_scene_key body_keys[] = {
    TEXT(vxe_affine_body, name, "name", "name"),
    BY_HAND(VXE_SCENE_CHOICE, "kind", "rigid|elastic|contractile", "elastic",
            "rigid: only rotates; elastic: Mooney-Rivlin; contractile: elastic, and grows"),
    BY_HAND(VXE_SCENE_CHOICE, "hold", "nothing|center|deformation|both", "nothing",
            "what does not change: x0, P or both; it can have no velocity, spin or rate then"),
    {.key = "box_m",
     .type = VXE_SCENE_NUMBERS,
     .count = 3,
     .offset = offsetof(vxe_affine_body, shape) + offsetof(vxe_affine_shape, size),
     .unit = "m",
     .standard = "none",
     .also = "each above 1e-9, below 1e6",
     .meaning = "shape: edges of a box. One of `box_m`, `cylinder_m` and `polyhedron` is needed"},
    BY_HAND(VXE_SCENE_OBJECT, "cylinder_m", NULL, "none", "shape: a cylinder along z"),
    BY_HAND(VXE_SCENE_OBJECT, "polyhedron", NULL, "none", "shape: a convex polyhedron"),
    BODY(VXE_AFFINE_DENSITY, "density_kg_per_m3", "density"),
    BODY(VXE_AFFINE_C1, "c1_Pa",
         "energy c1 (i1 - 3) + c2 (i2 - 3) per volume: E = 6 (c1 + c2); one of them is above 0, "
         "except in rigid bodies"),
    BODY(VXE_AFFINE_C2, "c2_Pa", "see c1_Pa"),
    BODY(VXE_AFFINE_VISCOSITY, "viscosity_Pa_s", "mu, which dissipates mu D:D per volume"),
    BODY(VXE_AFFINE_BULK, "bulk_Pa",
         "kappa of kappa/2 (det F - 1)^2; 0: the volume is exactly constant"),
    BODY(VXE_AFFINE_GROWTH_VISCOSITY, "growth_viscosity_Pa_s",
         "mu_gamma of driven growth, mu_gamma G' G^-1 = F^T S G^T - det G phi + Q; instead of "
         "`growth`"),
    NUMBERS(vxe_affine_body, center, 3, "center_m", "m", NULL, "position x0 of the centroid"),
    NUMBERS(vxe_affine_body, orientation, 4, "orientation", NULL, "of length 1, within 1e-6",
            "quaternion w, x, y, z"),
    NUMBERS(vxe_affine_body, deformation, 9, "deformation", NULL,
            "determinant above 1e-6, below 1e6; an orthogonal matrix for rigid bodies",
            "P before the rotation `orientation`, by rows"),
    NUMBERS(vxe_affine_body, velocity, 3, "velocity_m_per_s", "m/s", NULL, "velocity of x0"),
    NUMBERS(vxe_affine_body, spin, 3, "spin_rad_per_s", "rad/s", NULL,
            "angular velocity, world axes"),
    NUMBERS(vxe_affine_body, rate, 9, "rate_1_per_s", "1/s", "0 for rigid bodies",
            "rate of P in addition to the spin, by rows; if the volume is constant, the part that "
            "changes it is removed with a note"),
    FLAG(vxe_affine_body, isochoric, "isochoric",
         "driven growth keeps the volume, as it must if `bulk_Pa` is 0"),
    {.key = "pin_m",
     .type = VXE_SCENE_NUMBERS,
     .count = 3,
     .offset = offsetof(vxe_affine_body, pin),
     .unit = "m",
     .standard = "none",
     .also = "rigid bodies",
     .meaning = "point that does not move, from the centroid along the axes of the body"},
    BY_HAND(VXE_SCENE_LIST, "growth", NINE, "none",
            "G of a contractile body, by rows (null: the identity); its elastic energy depends on "
            "F = P G^-1"),
    BY_HAND(VXE_SCENE_LIST, "drive_Pa", NINE, "0",
            "Q that drives growth, with `growth_viscosity_Pa_s` (null: 0)"),
    BY_HAND(VXE_SCENE_LIST, "force_N", "three formulas of t, numbers or null", "0",
            "force at the centroid"),
    BY_HAND(
        VXE_SCENE_OBJECT, "contact", NULL, "none",
        "with it the body has contact with the floor, walls, voxels, and other bodies that have "
        "it; without it, with nothing")};

static const vxe_scene_key cylinder_keys[] = {
    {.key = "diameter",
     .type = VXE_SCENE_NUMBER,
     .offset = offsetof(vxe_affine_shape, size),
     .unit = "m",
     .also = "above 1e-9, below 1e6",
     .meaning = "diameter"},
    {.key = "height",
     .type = VXE_SCENE_NUMBER,
     .offset = offsetof(vxe_affine_shape, size) + 2 * sizeof(double),
     .unit = "m",
     .also = "above 1e-9, below 1e6",
     .meaning = "height along z"},
    {.key = "sides",
     .type = VXE_SCENE_WHOLE,
     .offset = offsetof(vxe_affine_shape, sides),
     .low = 3,
     .high = VXE_MAX_SIDES,
     .meaning = "sides of the prism that stands for the cylinder in contact"}};

static const vxe_scene_key polyhedron_keys[] = {
    BY_HAND(VXE_SCENE_LIST, "vertices_m", "[x, y, z]", "needed",
            "corners, relative to any point: the centroid is moved to `center_m`"),
    BY_HAND(VXE_SCENE_LIST, "faces", "[vertex, vertex, vertex, ...]", "needed",
            "numbers of vertices, from 0, in order around each face: closed and convex, 4 faces or "
            "more, at most 4096 corners in all")};

static const vxe_scene_key wall_keys[] = {{.key = "point_m",
                                           .type = VXE_SCENE_NUMBERS,
                                           .count = 3,
                                           .offset = offsetof(vxe_wall, point),
                                           .unit = "m",
                                           .standard = "0",
                                           .meaning = "a point on its surface"},
                                          {.key = "normal",
                                           .type = VXE_SCENE_NUMBERS,
                                           .count = 3,
                                           .offset = offsetof(vxe_wall, normal),
                                           .standard = "[0, 0, 1]",
                                           .also = "of length 1, within 5e-10",
                                           .meaning = "its outward normal"}};

static const vxe_scene_key observation_keys[] = {
    {.key = "name",
     .type = VXE_SCENE_TEXT,
     .count = sizeof((vxe_observation *)0)->name,
     .offset = offsetof(vxe_observation, name),
     .standard = "none",
     .meaning = "name in the result"},
    {.key = "gives",
     .type = VXE_SCENE_CHOICE,
     .offset = VXE_SCENE_BY_HAND,
     .form = "last|most|least|mean|rate|period|peaks|first",
     .needed = true,
     .meaning = "of the formula: its last, largest, least or mean value, its change per second "
                "(rate), the mean time between its maxima (period), its maxima (peaks), or its "
                "value in the first step in which `when` is not 0 (first)"},
    BY_HAND(VXE_SCENE_ANY, "body", "name or number", "0", "which body, numbers from 0"),
    BY_HAND(VXE_SCENE_TEXT, "of", "formula", "needed", "formula computed after each step"),
    BY_HAND(VXE_SCENE_TEXT, "when", "formula", "always; `first` needs one",
            "only steps count in which it is not 0")};

enum { FIRST = VXE_SCENE_CONTACT };
#define CONTACT_SECTION &vxe_scene_body_sections[0]

const vxe_scene_section vxe_scene_body_sections[VXE_SCENE_PARTS - FIRST] = {
    [VXE_SCENE_CONTACT -
     FIRST] = {.note = "contacts",
               .path = "contacts[]",
               KEYS(contact_keys),
               .partial = true,
               .about =
                   "If several rules name a pair, the last one counts. Voxels of a material with "
                   "rules are spheres in contact, whose diameter is the edge, or cubes with `box`; "
                   "this includes voxels of one body that are no neighbours. They have no other "
                   "contact: no self-collision, and no springs of the floor if a rule names the "
                   "floor."},
    [VXE_SCENE_LINEAR - FIRST] = {.note = "contacts",
                                  .path = "contacts[], law linear",
                                  KEYS(linear_keys),
                                  .also = CONTACT_SECTION,
                                  .subject = VXE_SCENE_OF_LAW,
                                  .law = VXE_CONTACT_LINEAR,
                                  .about = "Springs, dashpots and Coulomb friction. One of kn, ks "
                                           "and emod is needed; emod excludes the others."},
    [VXE_SCENE_HERTZ - FIRST] = {.note = "contacts",
                                 .path = "contacts[], law hertz",
                                 KEYS(hertz_keys),
                                 .also = CONTACT_SECTION,
                                 .subject = VXE_SCENE_OF_LAW,
                                 .law = VXE_CONTACT_HERTZ,
                                 .about = "Hertz-Mindlin: elastic spheres with E and nu of their "
                                          "materials. Give either c_n or restitution."},
    [VXE_SCENE_POWER - FIRST] = {.note = "contacts",
                                 .path = "contacts[], law powerlaw",
                                 KEYS(power_keys),
                                 .also = CONTACT_SECTION,
                                 .subject = VXE_SCENE_OF_LAW,
                                 .law = VXE_CONTACT_POWER,
                                 .about = "Pressures over the free faces of a voxel, by powers of "
                                          "D = d/d0, d being the distance from the floor. One of "
                                          "alpha_r and beta_a is needed. The voxel must start "
                                          "above the floor."},
    [VXE_SCENE_MAGNETICS - FIRST] = {.note = "magnetics",
                                     .path = "magnetics",
                                     KEYS(magnetics_keys),
                                     .subject = VXE_SCENE_OF_MAGNETICS,
                                     .about =
                                         "Magnetised voxels act on each other as dipoles. The "
                                         "external field B = B0(t) + G(t) (x - reference) acts "
                                         "on all of them."},
    [VXE_SCENE_FIELD - FIRST] = {.note = "magnetics: field_T",
                                 .path = "magnetics.field_T",
                                 KEYS(field_keys),
                                 .about = "Formulas of the time t (s)."},
    [VXE_SCENE_GRADIENT - FIRST] = {.note = "magnetics: gradient_T_per_m",
                                    .path = "magnetics.gradient_T_per_m",
                                    KEYS(gradient_keys),
                                    .about = "Formulas of the time t (s)."},
    [VXE_SCENE_BODY - FIRST] = {.note = "affine_bodies",
                                .path = "affine_bodies[]",
                                KEYS(body_keys),
                                .subject = VXE_SCENE_OF_BODY,
                                .law = VXE_CONTACT_KINDS,
                                .about = "A body moves as x0 + P (X - X0): x0 is its centroid, P "
                                         "its deformation."},
    [VXE_SCENE_CYLINDER - FIRST] = {.note = "cylinder_m",
                                    .path = "affine_bodies[].cylinder_m",
                                    KEYS(cylinder_keys),
                                    .subject = VXE_SCENE_OF_SHAPE},
    [VXE_SCENE_POLYHEDRON - FIRST] = {.note = "polyhedron",
                                      .path = "affine_bodies[].polyhedron",
                                      KEYS(polyhedron_keys)},
    [VXE_SCENE_BODY_CONTACT - FIRST] =
        {.note = "contact of affine bodies",
         .path = "affine_bodies[].contact",
         KEYS(power_keys),
         .subject = VXE_SCENE_OF_LAW,
         .law = VXE_CONTACT_POWER,
         .about =
             "The numbers of the law `powerlaw`. Between two bodies, half of the law of each acts "
             "on its own faces, at the height above the face plane of the other that is farthest "
             "below. The contact of a voxel with a body is as that with the floor. A body with "
             "contact has at most 258 faces."},
    [VXE_SCENE_WALL - FIRST] = {.note = "walls", .path = "walls[]", KEYS(wall_keys)},
    [VXE_SCENE_OBSERVATION - FIRST] = {
        .note = "observations",
        .path = "observations[]",
        KEYS(observation_keys),
        .about = "Variables of formulas: t; x y z and vx vy vz of the centroid; wx wy wz of the "
                 "spin; ax ay az, the z axis of the body; tilt, its angle from the world's z axis, "
                 "and azimuth (rad, continued beyond pi); lx ly lz, the stretches of its axes; fx "
                 "fy fz, the contact force (N); gap, the height of the lowest corner above the "
                 "first wall (m)."}};

const vxe_law_number *vxe_scene_law_number(const vxe_scene_section *section,
                                           const vxe_scene_key *key)
{
    uint32_t count = VXE_AFFINE_NUMBERS;
    const vxe_law_number *numbers =
        section->law == VXE_CONTACT_KINDS
            ? vxe_affine_numbers()
            : vxe_contact_law_numbers((vxe_contact_kind)section->law, &count);
    VXE_ASSERT(key->law_number <= count || !numbers);
    return key->law_number > 0 && key->law_number <= count ? &numbers[key->law_number - 1] : NULL;
}
