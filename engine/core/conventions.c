/* SPDX-License-Identifier: MIT */
/* The table of compatibility presets: which rules another simulator scored its robots by; and the
   switches that make one of its choices alone. Source: those simulators as they were measured to
   behave (docs/accuracy.md, Compatibility presets). */
#include "engine/conventions.h"

#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/closest_name.h"
#include "common/status_internal.h"

/* What all simulators of the Voxelyze family share. */
#define VOXELYZE                                                                                   \
    .torsion = VXE_TORSION_POLAR, .step_rule = VXE_STEP_SOURCE, .damping = VXE_DAMPING_EXPLICIT,   \
    .voxelyze_dashpots = true, .floor_stiffness = 2, .floor_pulls = true, .spring_friction = true, \
    .contact_spheres = true

/* Voxelyze and voxcraft share a bond law; so do evosoro, its land-water fork and
   reconfigurable_organisms. */
#define VOXELYZE_BONDS                                                                             \
    VOXELYZE, .law = VXE_LAW_NODE_FRAME, .yields_in_tension = true, .spin_drag = 1,                \
              .cost = "in double precision, some 3 times the time of a native run"
#define EVOSORO_BONDS                                                                              \
    VOXELYZE, .law = VXE_LAW_EVOSORO, .pi = 3.1415926, .fixed_unbonded = true, .spin_drag = 10,    \
              .contact_bonds = 3,                                                                  \
              .cost = "in double precision, some 3 times the time of a native run"

static const vxe_conventions table[] = {
    {.name = "native",
     .summary = "Voxelastic's own",
     .cost = "",
     .torsion = VXE_TORSION_STVENANT,
     .floor_stiffness = 1,
     .spin_drag = 1,
     .actuation_fades_in = true},
    {.name = "voxelyze",
     .summary = "Voxelyze library: bond law, floor, damping and actuation",
     VOXELYZE_BONDS,
     .contact_bonds = 5},
    {.name = "evosoro",
     .summary = "evosoro _voxcad: its bond law, floor, contact and actuation, contraction only",
     EVOSORO_BONDS,
     .widest = 1,
     .grows = true,
     .floor_sticks = true,
     .floor_ends = true,
     .fluid = VXE_FLUID_IGNORED},
    {.name = "land-water",
     .summary =
         "evosoro _voxcad_land_water: as evosoro, both ways; swims without gravity and floor",
     EVOSORO_BONDS,
     .layer_stiffens_bonds = true,
     .fluid = VXE_FLUID_FLOATS},
    {.name = "recorg",
     .summary = "reconfigurable_organisms _voxcad: as evosoro, both ways; floors slope",
     EVOSORO_BONDS,
     .widest = 3,
     .grows = true,
     .starts_later = true,
     .bounded = true,
     .layer_stiffens_bonds = true,
     .floor_slopes = true,
     .fluid = VXE_FLUID_DRAGS},
    {.name = "voxcraft",
     .summary =
         "voxcraft-sim: as Voxelyze; muscles only contract where a file does not let them expand",
     VOXELYZE_BONDS,
     .contact_bonds = 1,
     .stop_by_cycle = true,
     .cold_only = true},
};

const vxe_conventions *vxe_conventions_at(unsigned index)
{
    return index < sizeof table / sizeof table[0] ? &table[index] : NULL;
}

const vxe_conventions *vxe_conventions_find(const char *name)
{
    VXE_ASSERT(name);
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (strcmp(table[i].name, name) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

/* Spheres reach half an edge further than faces, so those of near neighbours must not collide. */
static void collide_as_spheres(vxe_conventions *r)
{
    r->contact_spheres = true;
    r->contact_bonds = r->contact_bonds > 0 ? r->contact_bonds : 3;
}

/* What switches choose; those of one choice exclude each other. */
typedef enum choice {
    CHOICE_BONDS,
    CHOICE_DASHPOTS,
    CHOICE_TORSION,
    CHOICE_STEP,
    CHOICE_DAMPING,
    CHOICE_FLOOR,
    CHOICE_PULL,
    CHOICE_FRICTION,
    CHOICE_SPIN,
    CHOICE_CONTACT,
    CHOICE_START,
    CHOICE_DIRECTION,
    CHOICE_YIELD,
    CHOICE_FIXED,
    CHOICE_FLUID,
    CHOICES
} choice;

/* Choice, name, what it sets, summary. */
#define SWITCHES(X)                                                                                \
    X(BONDS, native_bonds, r->law = VXE_LAW_MID_FRAME,                                             \
      "bonds by one potential, midway between voxels")                                             \
    X(BONDS, voxelyze_bonds, r->law = VXE_LAW_NODE_FRAME, "bonds in the frame of the lower voxel") \
    X(DASHPOTS, native_dashpots, r->voxelyze_dashpots = false,                                     \
      "dashpots of bonds with their whole moments")                                                \
    X(DASHPOTS, voxelyze_dashpots, r->voxelyze_dashpots = true,                                    \
      "dashpots of bonds half on moments, weaker in bending and torsion")                          \
    X(TORSION, stvenant_torsion, r->torsion = VXE_TORSION_STVENANT,                                \
      "St-Venant's torsion constant")                                                              \
    X(TORSION, polar_torsion, r->torsion = VXE_TORSION_POLAR, "the polar moment in its place")     \
    X(STEP, auto_step, r->step_rule = VXE_STEP_AUTO, "time step by the highest natural frequency") \
    X(STEP, source_step, r->step_rule = VXE_STEP_SOURCE,                                           \
      "time step of the file: DtFrac/(2 pi w0)")                                                   \
    X(DAMPING, explicit_damping, r->damping = VXE_DAMPING_EXPLICIT,                                \
      "dashpots as forces of the kick")                                                            \
    X(DAMPING, damping_iteration, r->damping = VXE_DAMPING_SWEEP,                                  \
      "dashpots by the polynomial iteration")                                                      \
    X(FLOOR, soft_floor, r->floor_stiffness = 1, "floor stiffness E a for each voxel")             \
    X(FLOOR, stiff_floor, r->floor_stiffness = 2, "floor stiffness 2 E a for each voxel")          \
    X(PULL, floor_pushes, r->floor_pulls = false, "the floor never pulls")                         \
    X(PULL, floor_pulls, r->floor_pulls = true, "the floor's dashpot may pull")                    \
    X(FRICTION, whole_friction, r->spring_friction = false, "friction by the floor's whole force") \
    X(FRICTION, spring_friction, r->spring_friction = true,                                        \
      "friction by the floor's spring alone")                                                      \
    X(SPIN, plain_spin_drag, r->spin_drag = 1, "global damping of rotation as of translation")     \
    X(SPIN, tenfold_spin_drag, r->spin_drag = 10,                                                  \
      "global damping of rotation ten times as strong")                                            \
    X(CONTACT, face_contact, r->contact_spheres = false, "voxels collide as cubes, with friction") \
    X(CONTACT, sphere_contact, collide_as_spheres(r),                                              \
      "voxels collide as spheres, without friction")                                               \
    X(START, fades_in, r->actuation_fades_in = true, "actuation fades in over a quarter period")   \
    X(START, jumps_in, r->actuation_fades_in = false, "actuation starts with a jump")              \
    X(DIRECTION, both_ways, (r->cold_only = false, r->widest = 0), "muscles expand and contract")  \
    X(DIRECTION, contracts, (r->cold_only = true, r->widest = 1), "muscles contract only")         \
    X(YIELD, yields_both_ways, r->yields_in_tension = false, "plastic bonds yield both ways")      \
    X(YIELD, yields_in_tension, r->yields_in_tension = true,                                       \
      "plastic bonds yield in tension only")                                                       \
    X(FIXED, fixed_bonded, r->fixed_unbonded = false, "voxels that are fixed have bonds")          \
    X(FIXED, fixed_unbonded, r->fixed_unbonded = true, "voxels fixed in all freedoms have none")   \
    X(FLUID, fluid_drags,                                                                          \
      r->fluid = r->law == VXE_LAW_EVOSORO ? VXE_FLUID_DRAGS : VXE_FLUID_FACES,                    \
      "a fluid drags, beside gravity and floor")                                                   \
    X(FLUID, fluid_floats, r->fluid = VXE_FLUID_FLOATS,                                            \
      "in a fluid there is no gravity and no floor")                                               \
    X(FLUID, fluid_ignored, r->fluid = VXE_FLUID_IGNORED, "there is no fluid")

#define SWITCH_INDEX(choice, name, set, summary) SWITCH_##name,
enum { SWITCHES(SWITCH_INDEX) SWITCH_COUNT };

#define SWITCH_ROW(choice, name, set, summary) {#name, summary},
static const vxe_convention_switch switches[SWITCH_COUNT] = {SWITCHES(SWITCH_ROW)};

#define SWITCH_CHOICE(choice, name, set, summary) CHOICE_##choice,
static const choice choices[SWITCH_COUNT] = {SWITCHES(SWITCH_CHOICE)};

#define SWITCH_CASE(choice, name, set, summary)                                                    \
    case SWITCH_##name:                                                                            \
        (set);                                                                                     \
        break;

static void apply(unsigned index, vxe_conventions *r)
{
    switch (index) {
        SWITCHES(SWITCH_CASE)
    default:
        break;
    }
}

static bool only_contracts(const vxe_conventions *r)
{
    return r->cold_only || r->widest == 1;
}

static bool only_drags(const vxe_conventions *r)
{
    return r->fluid == VXE_FLUID_FACES || r->fluid == VXE_FLUID_DRAGS;
}

bool vxe_convention_is_on(const vxe_conventions *rules, unsigned index)
{
    vxe_conventions with = *rules;
    apply(index, &with);
    return with.law == rules->law && with.voxelyze_dashpots == rules->voxelyze_dashpots &&
           with.torsion == rules->torsion && with.step_rule == rules->step_rule &&
           with.damping == rules->damping && with.floor_stiffness == rules->floor_stiffness &&
           with.floor_pulls == rules->floor_pulls &&
           with.spring_friction == rules->spring_friction && with.spin_drag == rules->spin_drag &&
           with.contact_spheres == rules->contact_spheres &&
           with.actuation_fades_in == rules->actuation_fades_in &&
           only_contracts(&with) == only_contracts(rules) &&
           with.yields_in_tension == rules->yields_in_tension &&
           with.fixed_unbonded == rules->fixed_unbonded &&
           (with.fluid == rules->fluid || (only_drags(&with) && only_drags(rules)));
}

const vxe_convention_switch *vxe_convention_switch_at(unsigned index)
{
    return index < SWITCH_COUNT ? &switches[index] : NULL;
}

static const char *preset_name(const void *names, unsigned index)
{
    (void)names;
    return index < sizeof table / sizeof table[0] ? table[index].name : NULL;
}

static const char *switch_name(const void *names, unsigned index)
{
    (void)names;
    return index < SWITCH_COUNT ? switches[index].name : NULL;
}

/* Refuses a word that is none of the names, and suggests one that is. */
static vxe_status refuse(const char *what, const char *word, vxe_name_at *name_at, vxe_error *error)
{
    char names[800] = "there are ";
    size_t used = strlen(names);
    const char *nearest = vxe_closest_name(word, name_at, NULL);
    for (unsigned i = 0; name_at(NULL, i) && used < sizeof names; i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 name_at(NULL, i));
    }
    if (nearest) {
        snprintf(names, sizeof names, "did you mean %s?", nearest);
    }
    return vxe_error_fill(error, VXE_ERROR_ARGUMENT, "unknown %s '%s'; %s", what, word, names);
}

/* Applies the switches of a text, which stand behind its preset. */
static vxe_status apply_switches(const char *text, vxe_conventions *rules, vxe_error *error)
{
    int chosen[CHOICES] = {0}; /* 1 and the index of the switch; 0: none */
    while (*text == '+') {
        char word[64];
        const size_t length = strcspn(text + 1, "+");
        snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), text + 1);
        unsigned index = 0;
        while (index < SWITCH_COUNT && strcmp(switches[index].name, word) != 0) {
            index++;
        }
        if (index == SWITCH_COUNT) {
            return refuse("switch of conventions", word, switch_name, error);
        }
        int *other = &chosen[choices[index]];
        if (*other) {
            return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                                  "conventions '%s': %s and %s exclude each other", rules->name,
                                  switches[*other - 1].name, word);
        }
        *other = (int)index + 1;
        apply(index, rules);
        text += 1 + length;
    }
    return VXE_OK;
}

/* Refuses what the step of a preset cannot follow. */
static vxe_status check(vxe_conventions *rules, vxe_error *error)
{
    const bool family = rules->law == VXE_LAW_EVOSORO;
    const char *beyond = !rules->voxelyze_dashpots             ? "native_dashpots"
                         : !rules->contact_spheres             ? "face_contact"
                         : rules->yields_in_tension            ? "yields_in_tension"
                         : rules->damping == VXE_DAMPING_SWEEP ? "damping_iteration"
                                                               : NULL;
    if (family && beyond) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "conventions '%s': the step of that simulator has no %s; with "
                              "native_bonds it can be chosen",
                              rules->name, beyond);
    }
    if (rules->voxelyze_dashpots && rules->damping == VXE_DAMPING_SWEEP) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "conventions '%s': voxelyze_dashpots act explicitly", rules->name);
    }
    if (rules->voxelyze_dashpots && rules->step_rule == VXE_STEP_AUTO &&
        rules->law != VXE_LAW_MID_FRAME) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "conventions '%s': how long a step of that simulator may be is known "
                              "for source_step alone",
                              rules->name);
    }
    if (!family) { /* the bound on sizes is that simulator's; a native one is cold_only */
        rules->cold_only = rules->cold_only || rules->widest == 1;
    }
    return VXE_OK;
}

vxe_status vxe_conventions_parse(const char *text, vxe_conventions *rules, vxe_error *error)
{
    VXE_ASSERT(text && rules);
    char name[VXE_CONVENTIONS_NAME];
    const size_t length = strcspn(text, "+");
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1),
             text);
    const vxe_conventions *row = vxe_conventions_find(name);
    if (!row) {
        return refuse("conventions", name, preset_name, error);
    }
    if (strlen(text) >= sizeof rules->name) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "conventions '%.40s...': at most %d characters", text,
                              VXE_CONVENTIONS_NAME - 1);
    }
    *rules = *row;
    snprintf(rules->name, sizeof rules->name, "%s", text);
    if (text[length] == '+' && text[strlen(text) - 1] == '+') {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "conventions '%s': a switch is missing behind the last +", text);
    }
    const vxe_status status = apply_switches(text + length, rules, error);
    return status ? status : check(rules, error);
}

bool vxe_conventions_left_open(const char *wanted)
{
    return !wanted || strcmp(wanted, "auto") == 0;
}

vxe_status vxe_conventions_choose(const char *wanted, const char *written_for,
                                  vxe_conventions *rules, vxe_error *error)
{
    return vxe_conventions_parse(vxe_conventions_left_open(wanted) ? written_for : wanted, rules,
                                 error);
}
