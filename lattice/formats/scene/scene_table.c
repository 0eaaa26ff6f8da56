/* SPDX-License-Identifier: MIT */
/* Keys of a scene: the world, materials, voxels and boundary conditions. The keys of contacts,
   magnets and affine bodies are in scene_table_bodies.c. The texts are printed in
   docs/scene-reference.md. */
#include "common/assert_internal.h"
#include "lattice/formats/scene/scene_keys_internal.h"

static const vxe_scene_key root_keys[] = {
    BY_HAND(VXE_SCENE_ANY, "format", "\"voxelastic scene\"", "none",
            "says what the file is; not needed"),
    {.key = "version",
     .type = VXE_SCENE_NUMBER,
     .offset = VXE_SCENE_BY_HAND,
     .standard = "1",
     .also = "1",
     .meaning = "version of this format"},
    {.key = "name",
     .type = VXE_SCENE_TEXT,
     .count = sizeof((vxe_design *)0)->name,
     .offset = offsetof(vxe_design, name),
     .standard = "the file's name",
     .meaning = "name of the design in results and pages"},
    {.key = "conventions",
     .type = VXE_SCENE_TEXT,
     .count = sizeof((vxe_design *)0)->written_for,
     .offset = offsetof(vxe_design, written_for),
     .standard = "\"native\"",
     .meaning = "compatibility preset, with switches or without, that the scene runs under where "
                "the caller chooses none: \"native+floor_pulls\"",
     .old = "written_for"},
    NUMBER(vxe_design, voxel_size, "voxel_size_m", "m", 0, 0, "above 1e-12, below 1e12",
           "edge of a voxel at rest"),
    NUMBERS(vxe_design, file_origin, 3, "file_origin_m", "m", NULL,
            "our coordinates minus this are those of the file that the scene was converted from"),
    NUMBERS(vxe_design, gravity, 3, "gravity_m_per_s2", "m/s^2", NULL, "gravity, in any direction"),
    BY_HAND(VXE_SCENE_OBJECT, "floor", NULL, "the plane z = 0", "the floor"),
    BY_HAND(VXE_SCENE_OBJECT, "fluid", NULL, "none", "a fluid around the bodies"),
    BY_HAND(VXE_SCENE_OBJECT, "force_field", NULL, "none", "a force on each voxel, by formula"),
    BY_HAND(VXE_SCENE_OBJECT, "magnetics", NULL, "none", "magnets and the external field"),
    BY_HAND(VXE_SCENE_LIST, "contacts", "rules", "none",
            "contact models for pairs of materials, or for a material and the floor"),
    BY_HAND(VXE_SCENE_LIST, "affine_bodies", "bodies", "none",
            "bodies with twelve degrees of freedom, besides voxels or instead of them"),
    BY_HAND(VXE_SCENE_LIST, "walls", "walls", "none",
            "half spaces that affine bodies cannot enter"),
    BY_HAND(VXE_SCENE_LIST, "observations", "observations", "none",
            "what a result reports of affine bodies"),
    FLAG(vxe_design, self_collision, "self_collision",
         "voxels push each other apart, except those that touch at rest and that at most three "
         "bonds join"),
    FLAG(vxe_design, volume_effects, "volume_effects",
         "Poisson's ratio couples axial and lateral strains; else it acts on torsion only"),
    BY_HAND(VXE_SCENE_OBJECT, "actuation", NULL, "off", "the temperature that drives muscles"),
    {.key = "schedules",
     .type = VXE_SCENE_LIST,
     .offset = VXE_SCENE_BY_HAND,
     .form = "schedules",
     .standard = "none",
     .meaning = "how the size of groups of voxels changes in time",
     .old = "programmes"},
    BY_HAND(VXE_SCENE_OBJECT, "controller", NULL, "none",
            "a network that moves groups of voxels by what the robot senses"),
    BY_HAND(VXE_SCENE_LIST, "stiffening", "[time s, part]", "none",
            "how far the stiffness has changed towards the layer `FinalStiffness`, from 0 to 1: "
            "linear between the rows, constant outside; times increase"),
    BY_HAND(VXE_SCENE_OBJECT, "stop", NULL, "the caller says", "when a run ends"),
    FORMULA(VXE_FORMULA_FITNESS, "fitness", NULL, "none",
            "fitness of a run, a function of the variables of a run"),
    NUMBER(vxe_design, pair_distance, "pair_distance", "edges", 0, 0, "0 or above",
           "two targets that are closer than this count as a pair (`numClosePairs`) in formulas; "
           "0: none"),
    BY_HAND(VXE_SCENE_OBJECT, "time_step", NULL, "see below",
            "the time step of the simulator that the design is from"),
    BY_HAND(VXE_SCENE_LIST, "materials", "materials", "needed, unless there are affine bodies",
            "materials of the voxels"),
    BY_HAND(VXE_SCENE_LIST, "voxels", "[i, j, k, material]",
            "needed, unless there are affine bodies",
            "cells of the lattice, of any sign, and the number of the material, from 0. Voxel (i, "
            "j, k) has its centre at ((i + 1/2) a, (j + 1/2) a, (k + 1/2) a), a being the edge"),
    BY_HAND(VXE_SCENE_OBJECT, "layers", NULL, "none", "numbers of each voxel"),
    BY_HAND(VXE_SCENE_LIST, "regions", "regions", "none",
            "boundary conditions: fixed voxels, prescribed motion, forces"),
    BY_HAND(VXE_SCENE_LIST, "initial_velocities", "velocities", "at rest",
            "velocities of voxels at the start")};

#define RATIO(MEMBER, KEY, MEANING) NUMBER(vxe_material, MEMBER, KEY, NULL, 0, 1e6, NULL, MEANING)
/* Limits of materials that yield or break. */
#define LIMIT(MEMBER, KEY, UNIT, ALSO, MEANING)                                                    \
    NUMBER(vxe_material, MEMBER, KEY, UNIT, -VXE_STIFFEST, VXE_STIFFEST,                           \
           ALSO "; checked for models 1 to 3", MEANING)

static const vxe_scene_key material_keys[] = {
    TEXT(vxe_material, name, "name", "name"),
    BY_HAND(VXE_SCENE_LIST, "color", "numbers: red, green, blue, alpha, 0 to 1",
            "[0.5, 0.5, 0.5, 1]",
            "colour in pages and pictures; materials without one, or with this grey, are shown in "
            "different colours of a fixed list"),
    {.key = "youngs_modulus_Pa",
     .type = VXE_SCENE_NUMBER,
     .offset = offsetof(vxe_material, youngs_modulus),
     .unit = "Pa",
     .high = VXE_STIFFEST,
     .also = "with a `curve`, its first slope (within 1e-6), which is the default then",
     .meaning = "Young's modulus E"},
    NUMBER(vxe_material, density, "density_kg_per_m3", "kg/m^3", VXE_THINNEST, VXE_DENSEST, NULL,
           "density"),
    NUMBER(vxe_material, poissons_ratio, "poissons_ratio", NULL, -0.999999, 0.5,
           "with `volume_effects` at most 0.499999", "Poisson's ratio"),
    RATIO(static_friction, "static_friction", "coefficient of static friction (Coulomb)"),
    RATIO(dynamic_friction, "dynamic_friction", "coefficient of sliding friction (Coulomb)"),
    RATIO(bond_damping, "bond_damping",
          "xi in c = xi sqrt(m k) of each of a bond's four springs; 1 is strong: 0.7 of critical "
          "for a pair of voxels"),
    RATIO(collision_damping, "collision_damping",
          "zeta in c = 2 zeta sqrt(m E a) of contacts, along their normal"),
    RATIO(global_damping, "global_damping",
          "zeta in a drag c = 2 zeta sqrt(m E a) against the frame of the world: all motion decays "
          "at the rate 2 zeta sqrt(E/rho)/a; 0.001 is weak, 0.1 is very strong"),
    NUMBER(vxe_material, thermal_expansion, "thermal_expansion_per_K", "1/K", -1e6, 1e6, NULL,
           "relative change of the edge for each kelvin of actuation; not 0: a muscle; negative: "
           "it shortens when others lengthen"),
    NUMBER(vxe_material, phase, "phase_rad", "rad", -1e6, 1e6, NULL,
           "added to the phase of the actuation"),
    BY_HAND(VXE_SCENE_ANY, "model", "number", "0",
            "0: linear; 1: linear until it breaks; 2: bilinear, with permanent strain; 3: along a "
            "measured `curve`. Yielding in tension or compression hardens both; unloading is "
            "elastic, with E. Only the axial spring of a bond yields"),
    LIMIT(plastic_modulus, "plastic_modulus_Pa", "Pa",
          "of model 2, if it yields: from 0 to below E",
          "slope beyond the yield stress, of model 2"),
    LIMIT(yield_stress, "yield_stress_Pa", "Pa", "not above the failure",
          "stress at which model 2 yields; 0 or below: it does not"),
    LIMIT(fail_stress, "fail_stress_Pa", "Pa", "not below the yield stress",
          "tension at which a bond breaks; 0 or below: none"),
    LIMIT(fail_strain, "fail_strain", NULL, "not below the strain at which it yields",
          "strain at which a bond breaks; 0 or below: none, but model 3 breaks at the end of its "
          "curve if neither is given"),
    BY_HAND(VXE_SCENE_LIST, "curve", "[strain, stress Pa]", "none",
            "measured curve of model 3: 2 to 32 points, the first [0, 0], increasing except for a "
            "flat end, nowhere steeper than at first"),
    FLAG(vxe_material, sticky, "sticky",
         "with self-collision, two voxels of this material stick where they touch: a sticky link "
         "as stiff as a bond, times the part of the face that they share"),
    NUMBER(vxe_material, detach_stress, "detach_stress_Pa", "Pa", 0, VXE_STIFFEST, NULL,
           "tension or shear stress at which a sticky link breaks; 0: never"),
    NUMBERS(vxe_material, magnetization, 3, "magnetization_A_per_m", "A/m", "each within 1e9 of 0",
            "permanent magnetisation along the axes of the voxel; its magnetic moment is this "
            "times the volume of the cell (a remanence of 1.2 T is 955 000 A/m)"),
    RATIO(susceptibility, "susceptibility",
          "chi: with `magnetics` that induce, the voxel is magnetised by chi/(1 + chi/3) times "
          "B/mu0"),
    FLAG(vxe_material, sphere, "sphere",
         "its voxels are free spheres whose diameter d is the edge, never bonded: mass rho pi "
         "d^3/6, moment of inertia m d^2/10"),
    FLAG(vxe_material, target, "target", "its voxels are the targets of formulas"),
    BY_HAND(VXE_SCENE_FLAG, "measured", NULL, "true",
            "its voxels count in the centre of mass and in the other quantities of formulas")};

/* Layers may have any name; those of these names have an effect. */
#define LAYER(KEY, UNIT, LOW, HIGH, ALSO, MEANING)                                                 \
    {                                                                                              \
        .key = KEY, .type = VXE_SCENE_LIST, .count = 1, .offset = VXE_SCENE_BY_HAND,               \
        .form = "numbers", .unit = UNIT, .low = LOW, .high = HIGH, .standard = "none",             \
        .also = ALSO, .meaning = MEANING                                                           \
    }
#define LAYER_OF_3(KEY, UNIT, LOW, HIGH, MEANING)                                                  \
    {                                                                                              \
        .key = KEY, .type = VXE_SCENE_LIST, .count = 3, .offset = VXE_SCENE_BY_HAND,               \
        .form = "numbers, three for each voxel", .unit = UNIT, .low = LOW, .high = HIGH,           \
        .standard = "none", .meaning = MEANING                                                     \
    }
#define LAST_GROUP ((1 << 20) - 1)

static const vxe_scene_key layer_keys[] = {
    LAYER("PhaseOffset", "cycles", -1e6, 1e6, NULL, "added to the phase of the actuation"),
    LAYER("Amplitude", NULL, -1e6, 1e6, NULL, "factor on the amplitude of the actuation"),
    LAYER("Frequency", NULL, 0, 1e6, NULL, "factor on the frequency of the actuation"),
    LAYER("Stiffness", "Pa", 0, VXE_STIFFEST, NULL,
          "Young's modulus of the voxel, instead of the material's"),
    LAYER("FinalStiffness", "Pa", 0, VXE_STIFFEST, NULL,
          "Young's modulus at the end of `stiffening`"),
    LAYER("Density", "kg/m^3", VXE_THINNEST, VXE_DENSEST, NULL,
          "density of the voxel, instead of the material's"),
    LAYER("Group", NULL, 0, LAST_GROUP, "whole", "actuator that the voxel belongs to"),
    LAYER("Part", NULL, 0, LAST_GROUP, "whole",
          "voxels of different parts are not bonded, however close"),
    LAYER_OF_3("BodyForce", "N", -1e100, 1e100,
               "force along the axes of the voxel, which rotate with it"),
    LAYER_OF_3("Magnetization", "A/m", -1e9, 1e9, "magnetisation, instead of the material's"),
    LAYER("InitialSize", NULL, VXE_SMALLEST_SIZE, VXE_LARGEST_SIZE, NULL,
          "growth: factor on the edge, reached half way through settling; a sphere has the mass "
          "of this size"),
    LAYER("FinalSize", NULL, VXE_SMALLEST_SIZE, VXE_LARGEST_SIZE, NULL,
          "growth: final factor on the edge"),
    LAYER("GrowthStart", "s", 0, 1e300, NULL, "when growth to the final size begins"),
    LAYER("GrowthTime", "s", 0, 1e300, NULL, "how long growth takes; 0: at once")};

static const vxe_scene_key floor_keys[] = {
    FLAG(vxe_floor, enabled, "enabled", "whether there is a floor"),
    NUMBER(vxe_floor, height, "height_m", "m", 0, 0, NULL, "height at x = y = 0"),
    NUMBERS(vxe_floor, slope, 2, "slope", NULL, "each within 1000 of 0",
            "rise over run along x and y"),
    FLAG(vxe_floor, sticky, "sticky", "voxels that touch the floor do not slide"),
    NUMBER(vxe_floor, radius, "radius_m", "m", 0, 0, "0 or above",
           "the floor ends at this distance from `center_m`; 0: it has no end"),
    NUMBERS(vxe_floor, center, 2, "center_m", "m", NULL, "centre of a floor that ends")};

static const vxe_scene_key height_keys[] = {
    BY_HAND(VXE_SCENE_LIST, "heights_m", "rows of heights", "none",
            "heights (m) on a grid of points, added to the plane: bilinear between points; outside "
            "the grid, the heights of its edge are extended. 2 or more rows of 2 or more numbers "
            "each, at most 2^28 points in all; no steeper than 1000 to 1"),
    {.key = "spacing_m",
     .type = VXE_SCENE_NUMBER,
     .offset = offsetof(vxe_heightfield, spacing),
     .unit = "m",
     .standard = "the voxel's edge",
     .also = "above 1e-12, below 1e12",
     .meaning = "distance between points, along x and along y"},
    {.key = "origin_m",
     .type = VXE_SCENE_NUMBERS,
     .count = 2,
     .offset = offsetof(vxe_heightfield, origin),
     .unit = "m",
     .standard = "0",
     .meaning = "x and y of the first point: number i of row j is at x = origin[0] + i spacing, y "
                "= origin[1] + j spacing"}};

#define ACTS                                                                                       \
    {                                                                                              \
        .key = "enabled", .type = VXE_SCENE_FLAG, .offset = 0,                                     \
        .standard = "true, if the object is there", .meaning = "whether it acts"                   \
    }
_Static_assert(offsetof(vxe_fluid, enabled) == 0, "the first member of a fluid");
_Static_assert(offsetof(vxe_magnetics, enabled) == 0, "the first member of magnetics");

static const vxe_scene_key fluid_keys[] = {
    ACTS,
    FLAG(vxe_fluid, buoyancy, "buoyancy",
         "the weight of the fluid that a voxel displaces lifts it"),
    NUMBER(vxe_fluid, density, "density_kg_per_m3", "kg/m^3", 0, VXE_DENSEST, "above 0",
           "density rho"),
    NUMBER(vxe_fluid, drag_coefficient, "drag_coefficient", NULL, 0, 1e6, NULL,
           "C_d of the drag rho C_d A v^2/2 on each free face that moves along its outward normal: "
           "A is its area, v its speed along the normal")};

static const vxe_scene_key force_keys[] = {
    FORMULA(VXE_FORMULA_FORCE_X, "x", "N", "0", "force along x"),
    FORMULA(VXE_FORMULA_FORCE_Y, "y", "N", "0", "force along y"),
    FORMULA(VXE_FORMULA_FORCE_Z, "z", "N", "0", "force along z")};

static const vxe_scene_key actuation_keys[] = {
    FLAG(vxe_actuation, enabled, "enabled", "whether muscles move"),
    NUMBER(vxe_actuation, base, "base_C", "degrees C", 0, 0, NULL,
           "mean temperature; only the difference from it has an effect"),
    NUMBER(vxe_actuation, amplitude, "amplitude_K", "K", 0, 0, NULL,
           "amplitude of the temperature, which is a sine"),
    NUMBER(vxe_actuation, period, "period_s", "s", 0, 0, "0 or at least 1e-9",
           "period of the sine; 0: none"),
    NUMBER(vxe_actuation, start, "start_s", "s", 0, 0, "0 or above",
           "actuation begins at this time"),
    NUMBER(vxe_actuation, min, "least_size", NULL, 0, 1, NULL, "minimum of 1 + expansion; 0: none"),
    NUMBER(vxe_actuation, max, "most_size", NULL, 0, 0, "0 or from 1 to 10",
           "maximum of 1 + expansion; 0: none"),
    NUMBER(vxe_actuation, room, "growth_room", NULL, 0, VXE_LARGEST_SIZE, NULL,
           "in compatibility presets where voxels only contract, the maximum of 1 + expansion is "
           "1 plus this")};

static const vxe_scene_key schedule_keys[] = {
    {.key = "group",
     .type = VXE_SCENE_WHOLE,
     .offset = offsetof(vxe_group_schedule, group),
     .high = LAST_GROUP,
     .needed = true,
     .meaning = "number in the layer `Group` of the voxels; at most one schedule for each group"},
    {.key = "table",
     .type = VXE_SCENE_LIST,
     .offset = VXE_SCENE_BY_HAND,
     .form = "[time, value]",
     .needed = true,
     .also = "times increase, factors from 0.1 to 10",
     .meaning = "[time s, factor on the edge]: linear between the rows, constant outside"}};

static const vxe_scene_key controller_keys[] = {
    {.key = "interval_s",
     .type = VXE_SCENE_NUMBER,
     .offset = offsetof(vxe_controller, interval),
     .unit = "s",
     .standard = "1/60",
     .also = "1e-9 to below 1e6",
     .meaning = "from one tick to the next; the time step is shortened so that it divides this"},
    {.key = "least_target",
     .type = VXE_SCENE_NUMBER,
     .offset = offsetof(vxe_controller, min_target),
     .standard = "0.6",
     .also = "above 0, at most 1",
     .meaning = "factor on the edges of a group at an output of -1"},
    {.key = "most_target",
     .type = VXE_SCENE_NUMBER,
     .offset = offsetof(vxe_controller, max_target),
     .standard = "1.6",
     .also = "1 to 10",
     .meaning = "factor at an output of 1"},
    {.key = "sensors",
     .type = VXE_SCENE_LIST,
     .offset = VXE_SCENE_BY_HAND,
     .form = "names of sensors",
     .needed = true,
     .meaning = "whose numbers are the inputs, one sensor behind another"},
    {.key = "layers",
     .type = VXE_SCENE_LIST,
     .offset = VXE_SCENE_BY_HAND,
     .form = "whole numbers",
     .needed = true,
     .also = "2 to 8 numbers from 1 to 4096",
     .meaning = "width of each layer, from the inputs, as many as the sensors have numbers, to the "
                "outputs: so many groups move"},
    BY_HAND(VXE_SCENE_CHOICE, "activation", "tanh|relu", "tanh", "of hidden layers"),
    {.key = "weights",
     .type = VXE_SCENE_LIST,
     .offset = VXE_SCENE_BY_HAND,
     .form = "numbers",
     .needed = true,
     .also = "each below 1e9",
     .meaning = "layer by layer: the biases, then the weights of the first number of the layer "
                "before, of the second, and so on; kept with the precision of a float"}};

static const vxe_scene_key stop_keys[] = {
    NUMBER(vxe_stop, duration, "duration_s", "s", 0, 0, "0 or above",
           "end after this time; 0: not set"),
    BY_HAND(VXE_SCENE_ANY, "steps", "number", "0",
            "end after this number of steps, below 1e18; 0: not set"),
    NUMBER(vxe_stop, periods, "periods", NULL, 0, 0, "0 or above",
           "end after this number of periods of the actuation; 0: not set"),
    NUMBER(vxe_stop, settle_time, "settle_time_s", "s", 0, 0, "0 or above",
           "time without actuation at the start; displacement counts from its end"),
    NUMBER(vxe_stop, reference_time, "reference_time_s", "s", 0, 0, "0 or above",
           "displacement counts from this time, if it is later than the end of settling"),
    FORMULA(VXE_FORMULA_STOP, "when", NULL, "none",
            "end after the first step in which this function of the variables of a run is above "
            "0")};

static const vxe_scene_key time_step_keys[] = {
    NUMBER(vxe_time_step, fraction, "fraction", NULL, 0, 0, "above 0, below 1000",
           "part of the customary step 1/(2 pi w0), w0 being the largest natural frequency of a "
           "bond; used by `--timestep source` only"),
    NUMBER(vxe_time_step, seconds, "seconds", "s", 0, 0, "0 or above, below 1e6",
           "step of the simulator that the file is from; for information only: `--timestep` sets "
           "the step")};

static const vxe_scene_key region_keys[] = {
    BY_HAND(VXE_SCENE_CHOICE, "shape", "box|cylinder|sphere|voxels", "box",
            "box: voxels whose cube overlaps `low_m` to `high_m`; cylinder: centres within "
            "`radius_m` of the axis from `low_m` to `high_m`, which lies along x, y or z; sphere: "
            "centres within `radius_m` plus half a voxel's diagonal of `low_m`; voxels: those "
            "listed"),
    NUMBERS(vxe_region, low, 3, "low_m", "m", NULL,
            "corner of a box, end of a cylinder's axis, centre of a sphere"),
    NUMBERS(vxe_region, high, 3, "high_m", "m", NULL, "opposite corner, or other end of the axis"),
    NUMBER(vxe_region, radius, "radius_m", "m", 0, 0, NULL, "of a cylinder or sphere"),
    BY_HAND(VXE_SCENE_LIST, "voxels", "voxel numbers", "none",
            "from 0, in the order of `voxels`; each once"),
    BY_HAND(VXE_SCENE_LIST, "fixed", "\"x\", \"y\", \"z\", \"rx\", \"ry\", \"rz\"", "none",
            "fixed translations along, and rotations about, the world's axes"),
    NUMBERS(vxe_region, force, 3, "force_N", "N", NULL,
            "total force, divided equally among the voxels"),
    NUMBERS(vxe_region, moment, 3, "moment_Nm", "N m", NULL,
            "total moment, divided equally among the voxels"),
    NUMBERS(vxe_region, displacement, 3, "displacement_m", "m", NULL,
            "prescribed displacement along fixed translations, times the factor of the table"),
    NUMBERS(vxe_region, rotation, 3, "rotation_rad", "rad", NULL,
            "prescribed rotation vector along fixed rotations, times the factor of the table"),
    BY_HAND(VXE_SCENE_LIST, "table", "[time, value]", "1 from the start",
            "[time s, factor]: linear between the rows, constant outside; times increase")};

static const vxe_scene_key motion_keys[] = {
    BY_HAND(VXE_SCENE_LIST, "voxels", "voxel numbers", "none", "which voxels, from 0"),
    {.key = "velocity_m_per_s",
     .type = VXE_SCENE_NUMBERS,
     .count = 3,
     .offset = offsetof(vxe_scene_motion, velocity),
     .unit = "m/s",
     .standard = "0",
     .meaning = "velocity of each of them"},
    {.key = "spin_rad_per_s",
     .type = VXE_SCENE_NUMBERS,
     .count = 3,
     .offset = offsetof(vxe_scene_motion, spin),
     .unit = "rad/s",
     .standard = "0",
     .meaning = "angular velocity of each of them about its own centre, world axes"}};

const vxe_scene_section vxe_scene_world_sections[VXE_SCENE_CONTACT] = {
    [VXE_SCENE_ROOT] = {.note = "scene",
                        .path = "the scene",
                        KEYS(root_keys),
                        .partial = true,
                        .subject = VXE_SCENE_OF_DESIGN},
    [VXE_SCENE_MATERIAL] = {.note = "materials",
                            .path = "materials[]",
                            KEYS(material_keys),
                            .subject = VXE_SCENE_OF_MATERIAL},
    [VXE_SCENE_LAYERS] = {.note = "layers",
                          .path = "layers",
                          KEYS(layer_keys),
                          .about =
                              "One number or more for each voxel, in the order of `voxels`. "
                              "Layers of other names are kept, and have no effect. The edge of "
                              "a voxel is the lattice's edge, times 1 + expansion, times its "
                              "growth, times the factor of its group."},
    [VXE_SCENE_FLOOR] = {.note = "floor",
                         .path = "floor",
                         KEYS(floor_keys),
                         .also = &vxe_scene_world_sections[VXE_SCENE_HEIGHTS],
                         .subject = VXE_SCENE_OF_FLOOR,
                         .about = "z = `height_m` + `slope`[0] x + `slope`[1] y + heights."},
    [VXE_SCENE_HEIGHTS] = {.note = "floor",
                           .path = "floor, uneven",
                           KEYS(height_keys),
                           .partial = true,
                           .about = "A voxel touches the floor as a ball whose diameter is its "
                                    "edge: only the height at its centre counts for what is "
                                    "narrower than a voxel, and beside slopes of more than 45 "
                                    "degrees a voxel stands up to 0.2 edges off. Walls are better "
                                    "made of fixed voxels, with `self_collision`."},
    [VXE_SCENE_FLUID] = {.note = "fluid",
                         .path = "fluid",
                         KEYS(fluid_keys),
                         .subject = VXE_SCENE_OF_FLUID},
    [VXE_SCENE_FORCE_FIELD] = {.note = "force_field",
                               .path = "force_field",
                               KEYS(force_keys),
                               .about =
                                   "Formulas of the position x, y, z (m) of a voxel and of the "
                                   "time t (s). The choice of the time step does not take the "
                                   "stiffness of a field into account."},
    [VXE_SCENE_ACTUATION] = {.note = "actuation",
                             .path = "actuation",
                             KEYS(actuation_keys),
                             .subject = VXE_SCENE_OF_ACTUATION,
                             .about = "T(t) = base + amplitude sin(2 pi t/period + phase). Values "
                                      "are checked only if it is enabled."},
    [VXE_SCENE_SCHEDULE] = {.note = "schedules", .path = "schedules[]", KEYS(schedule_keys)},
    [VXE_SCENE_CONTROLLER] =
        {.note = "controller",
         .path = "controller",
         KEYS(controller_keys),
         .about = "A small dense network in closed loop. Ticks begin where settling ends. In each, "
                  "the network takes what the sensors say; its outputs, the tanh of sums, become "
                  "targets of the first groups of the layer `Group`, from `least_target` to "
                  "`most_target`, until the next tick; other groups keep their size and are not "
                  "sensed. Sensors and their numbers: `center`, "
                  "`velocity`, `spin`, `up`, `heading`, `clock` (3 each), `floor_ahead` (11); of "
                  "each group `targets`, `group_edge`, `group_load`, `group_touch` (1), "
                  "`group_place`, `group_velocity`, `group_strain` (3); of each voxel "
                  "`voxel_place`, `voxel_velocity` (3); of each part `part_center`, "
                  "`part_velocity`, `part_up`, `part_heading` (3)."},
    [VXE_SCENE_STOP] = {.note = "stop",
                        .path = "stop",
                        KEYS(stop_keys),
                        .subject = VXE_SCENE_OF_STOP,
                        .about = "The first condition that is met counts."},
    [VXE_SCENE_TIME_STEP] = {.note = "time_step",
                             .path = "time_step",
                             KEYS(time_step_keys),
                             .subject = VXE_SCENE_OF_TIME_STEP},
    [VXE_SCENE_REGION] = {.note = "regions",
                          .path = "regions[]",
                          KEYS(region_keys),
                          .subject = VXE_SCENE_OF_REGION,
                          .about = "Boundary conditions. If a voxel is in several regions, all of "
                                   "them act."},
    [VXE_SCENE_MOTION] = {
        .note = "initial_velocities", .path = "initial_velocities[]", KEYS(motion_keys)}};

const vxe_scene_section *vxe_scene_section_of(vxe_scene_part part)
{
    VXE_ASSERT(part < VXE_SCENE_PARTS);
    return part < VXE_SCENE_CONTACT ? &vxe_scene_world_sections[part]
                                    : &vxe_scene_body_sections[part - VXE_SCENE_CONTACT];
}
