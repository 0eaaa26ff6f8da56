/* SPDX-License-Identifier: MIT */
/* Compiles the particles of a design: the contact model of each pair of materials, the list of
   particles, and bounds for the time step (Weyl1912; docs/contact-models.md, Time step). */
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"
#include "engine/contact_models/contact_models.h"
#include "engine/model/model.h"

/* Minimum number of steps in a collision of two particles. */
#define STEPS_PER_COLLISION 50.0
/* Factor on w of a model over faces at rest, so that its maximum step becomes 1/(2 w): its cubes
   substep by themselves. */
#define OVER_FACES (VXE_TAU / STEPS_PER_COLLISION)
/* Maximum number of neighbours that press a sphere at once. */
#define MAX_NEIGHBOURS 12.0

void vxe_particles_release(vxe_particles *particles)
{
    if (particles) {
        vxe_memory_release(particles->slot);
        vxe_memory_release(particles->material);
        vxe_memory_release(particles->cell);
        vxe_memory_release(particles->faces);
        vxe_memory_release(particles->round);
        vxe_memory_release(particles->body);
        vxe_memory_release(particles->pair_of);
        vxe_memory_release(particles->pairs);
    }
    vxe_memory_release(particles);
}

/* Effective moduli E* and G* of two elastic spheres, or of one at a rigid wall (two null);
   Hertz1882, Mindlin1949. A modulus of 0 gives 0. */
static void find_moduli(const vxe_material *one, const vxe_material *two, vxe_particle_pair *pair)
{
    const vxe_material *both[2] = {one, two};
    double softness = 0;
    double shear_softness = 0;
    for (int i = 0; i < 2 && both[i]; i++) {
        const double nu = both[i]->poissons_ratio;
        const double e = both[i]->youngs_modulus;
        softness += (1 - nu * nu) / e;
        shear_softness += (2 - nu) * 2 * (1 + nu) / e;
    }
    pair->modulus = softness < HUGE_VAL ? 1 / softness : 0;
    pair->shear = shear_softness < HUGE_VAL ? 1 / shear_softness : 0;
}

static const vxe_contact_force_model *const laws[VXE_CONTACT_KINDS] = {
    [VXE_CONTACT_LINEAR] = &vxe_contact_model_linear,
    [VXE_CONTACT_HERTZ] = &vxe_contact_model_hertz,
    [VXE_CONTACT_POWER] = &vxe_contact_model_power};

/* Fills the contact models of all pairs of sides. */
static vxe_status fill_pairs(vxe_particles *particles, const vxe_design *design, vxe_error *error)
{
    const uint32_t sides = particles->sides = design->material_count + 1;
    particles->pair_of = vxe_memory_take((uint64_t)sides * sides, sizeof *particles->pair_of);
    particles->pairs = vxe_memory_take((uint64_t)sides * sides, sizeof *particles->pairs);
    if (!particles->pair_of || !particles->pairs) {
        return vxe_error_memory(error, (uint64_t)sides * sides * sizeof *particles->pairs);
    }
    memset(particles->pair_of, 0xff, (size_t)sides * sides * sizeof *particles->pair_of);
    for (uint32_t a = 0; a + 1 < sides; a++) {
        for (uint32_t b = a; b < sides; b++) {
            const bool floor = b + 1 == sides;
            vxe_particle_pair *pair = &particles->pairs[particles->pair_count];
            if ((floor && !design->floor.enabled) ||
                !vxe_design_contact_law(design, a, floor ? VXE_CONTACT_FLOOR : b, &pair->numbers)) {
                continue;
            }
            VXE_ASSERT(pair->numbers.kind < VXE_CONTACT_KINDS && laws[pair->numbers.kind]);
            pair->law = laws[pair->numbers.kind];
            find_moduli(&design->materials[a], floor ? NULL : &design->materials[b], pair);
            if (pair->numbers.kind == VXE_CONTACT_HERTZ && !(pair->modulus > 0)) {
                return vxe_error_fill(error, VXE_ERROR_INPUT,
                                      "law hertz between '%s' and %s%s%s: Young's moduli must be "
                                      "above 0",
                                      design->materials[a].name, floor ? "the floor" : "'",
                                      floor ? "" : design->materials[b].name, floor ? "" : "'");
            }
            if (pair->numbers.kind == VXE_CONTACT_HERTZ &&
                pair->numbers.number[VXE_HERTZ_RESTITUTION] > 0) {
                pair->numbers.number[VXE_HERTZ_C_N] =
                    vxe_hertz_damping(pair->numbers.number[VXE_HERTZ_RESTITUTION]);
            }
            if (pair->numbers.kind == VXE_CONTACT_LINEAR) {
                particles->reach = fmax(particles->reach, pair->numbers.number[VXE_LINEAR_RGAP]);
                particles->boxes = particles->boxes || pair->numbers.number[VXE_LINEAR_BOX] > 0;
            }
            particles->over_faces = particles->over_faces || pair->law->over_faces;
            particles->pair_of[(size_t)a * sides + b] = particles->pair_of[(size_t)b * sides + a] =
                particles->pair_count++;
        }
    }
    return VXE_OK;
}

/* Lists the surface voxels whose materials have contact rules. */
static vxe_status fill_list(vxe_particles *particles, const vxe_model *model,
                            const vxe_design *design, vxe_error *error)
{
    const vxe_topology *topology = &model->topology;
    const uint64_t max = topology->voxel_count;
    particles->slot = vxe_memory_take(max, sizeof *particles->slot);
    particles->material = vxe_memory_take(max, sizeof *particles->material);
    particles->cell = vxe_memory_take(3 * max, sizeof *particles->cell);
    particles->body = vxe_memory_take(max, sizeof *particles->body);
    particles->faces = vxe_memory_take(max, sizeof *particles->faces);
    particles->round = vxe_memory_take(max, sizeof *particles->round);
    if (!particles->slot || !particles->material || !particles->cell || !particles->body ||
        !particles->faces || !particles->round) {
        return vxe_error_memory(error, 26 * max);
    }
    for (uint32_t slot = 0; slot < max; slot++) {
        const vxe_voxel *voxel = &design->voxels[topology->order[slot]];
        const uint32_t *row = particles->pair_of + (size_t)voxel->material * particles->sides;
        bool acts = false;
        for (uint32_t k = 0; k < particles->sides; k++) {
            acts = acts || row[k] != VXE_NONE;
        }
        if (acts && topology->faces[slot]) { /* nothing can touch a voxel without a free face */
            const uint32_t at = particles->count++;
            particles->slot[at] = slot;
            particles->material[at] = voxel->material;
            particles->faces[at] = topology->faces[slot];
            particles->round[at] = design->materials[voxel->material].sphere;
            particles->body[at] = topology->body[slot];
            memcpy(particles->cell + 3 * (size_t)at, voxel->position, sizeof voxel->position);
        }
    }
    return VXE_OK;
}

/* Extremes of all particles. */
typedef struct extremes {
    double radius;   /* m: maximum */
    double mass[2];  /* kg: minimum and maximum */
    double total;    /* kg: sum of masses */
    double gyration; /* m^2: minimum of moment of inertia by mass */
    double speed;    /* m/s: estimated maximum speed of a collision */
} extremes;

static extremes find_extremes(const vxe_particles *particles, const vxe_model *model,
                              const vxe_design *design)
{
    extremes found = {0, {HUGE_VAL, 0}, 0, HUGE_VAL, 0};
    double fastest = 0;
    double lift = 0;
    const double g = sqrt(vxe_dot3(design->gravity, design->gravity));
    for (uint32_t i = 0; i < particles->count; i++) {
        const uint32_t slot = particles->slot[i];
        const uint32_t voxel = model->topology.order[slot];
        const double mass = vxe_real_at(VXE_PRECISION_DOUBLE, model->arrays.mass, slot);
        const double radius = 0.5 * vxe_sphere_diameter(design, voxel);
        const double *v = design->velocity ? design->velocity + 6 * (size_t)voxel : NULL;
        found.radius = fmax(found.radius, radius);
        found.mass[0] = fmin(found.mass[0], mass);
        found.mass[1] = fmax(found.mass[1], mass);
        found.total += mass;
        found.gyration =
            fmin(found.gyration, vxe_gyration(VXE_PRECISION_DOUBLE, &model->arrays, slot));
        fastest = v ? fmax(fastest, vxe_dot3(v, v)) : fastest;
        const double high = (design->voxels[voxel].position[2] + 1) * design->voxel_size;
        lift = fmax(lift, design->floor.enabled ? high - design->floor.height : 0);
    }
    const double fall = fmax(lift, model->extent[2]);
    found.speed = 2 * sqrt(fastest) + sqrt(2 * g * fall);
    return found;
}

/* Bounds on what contact models add to the largest eigenvalues (Weyl1912: each contact joins the
   lightest particles, with 12 around each and the floor), and the maximum step that resolves a
   collision. */
static void bound(vxe_particles *particles, const vxe_model *model, const vxe_design *design)
{
    const extremes e = find_extremes(particles, model, design);
    const double g = sqrt(vxe_dot3(design->gravity, design->gravity));
    const double around = fmin(MAX_NEIGHBOURS, particles->count > 1 ? particles->count - 1.0 : 0);
    double pairs[2] = {0, 0};
    double floors[2] = {0, 0};
    double fastest = 0;
    for (uint32_t p = 0; p < particles->pair_count; p++) {
        bool floor = false;
        for (uint32_t k = 0; k + 1 < particles->sides; k++) {
            floor = floor || particles->pair_of[(size_t)(k + 1) * particles->sides - 1] == p;
        }
        const double mass = floor ? e.mass[1] : e.mass[1] / 2;
        const double radius[2] = {e.radius, floor ? 0 : e.radius};
        const vxe_contact_bounds b = particles->pairs[p].law->bounds(&particles->pairs[p], radius,
                                                                     mass, e.speed, e.total * g);
        /* a force along the surface rotates the particle as well */
        const double turn = 1 + e.radius * e.radius / e.gyration;
        double *into = floor ? floors : pairs;
        const double steep = b.stiffness[0] / (floor ? e.mass[0] : e.mass[0] / 2);
        if (particles->pairs[p]
                .law->over_faces) { /* substepping: stability asks nothing of the step */
            fastest = fmax(fastest, steep * OVER_FACES * OVER_FACES);
            continue;
        }
        fastest = fmax(fastest, steep);
        into[0] = fmax(into[0], (b.stiffness[0] + turn * b.stiffness[1]) / e.mass[0]);
        into[1] = fmax(into[1], (b.dashpot[0] + turn * b.dashpot[1]) / e.mass[0]);
    }
    particles->lambda_k = 2 * around * pairs[0] + floors[0];
    particles->lambda_c = 2 * around * pairs[1] + floors[1];
    particles->longest =
        fastest > 0 ? 0.5 * VXE_TAU / (sqrt(fastest) * STEPS_PER_COLLISION) : HUGE_VAL;
}

/* Checks that the power law has values at the start: only cubes, all corners above the floor. */
static vxe_status check_gaps(const vxe_particles *particles, const vxe_model *model,
                             const vxe_design *design, vxe_error *error)
{
    for (uint32_t i = 0; i < particles->count; i++) {
        const uint32_t pair =
            particles->pair_of[(size_t)(particles->material[i] + 1) * particles->sides - 1];
        if (pair == VXE_NONE || !particles->pairs[pair].law->over_faces) {
            continue;
        }
        if (design->materials[particles->material[i]].sphere) {
            return vxe_error_fill(error, VXE_ERROR_INPUT,
                                  "material '%s': its voxels are spheres, and the power law acts "
                                  "over faces",
                                  design->materials[particles->material[i]].name);
        }
        const vxe_voxel *voxel = &design->voxels[model->topology.order[particles->slot[i]]];
        for (int corner = 0; corner < 4; corner++) {
            const double a = design->voxel_size;
            const double x = (voxel->position[0] + corner % 2) * a;
            const double y = (voxel->position[1] + (corner > 1)) * a;
            const double gap = voxel->position[2] * a - vxe_floor_level(&design->floor, x, y);
            if (!(gap > 0)) {
                return vxe_error_fill(error, VXE_ERROR_INPUT,
                                      "voxel (%d, %d, %d) starts %g m above the floor: with the "
                                      "power law it must be more than 0",
                                      voxel->position[0], voxel->position[1], voxel->position[2],
                                      gap);
            }
        }
    }
    return VXE_OK;
}

/* Warns of rules without effect. */
static void warn(const vxe_particles *particles, const vxe_model *model, const vxe_design *design,
                 vxe_messages *warnings)
{
    for (uint32_t i = 0; i < design->contact_rule_count; i++) {
        const vxe_contact_rule *rule = &design->contact_rules[i];
        if (rule->second == VXE_CONTACT_FLOOR && !design->floor.enabled) {
            vxe_messages_add(warnings, "a contact rule names the floor, but there is no floor");
        }
    }
    if (design->self_collision && particles->count > 0 &&
        particles->count < model->topology.surface_count) {
        vxe_messages_add(warnings, "voxels with contact rules touch other voxels only where a rule "
                                   "is given: self-collision does not act on them");
    }
}

vxe_status vxe_model_fill_particles(vxe_model *model, const vxe_design *design,
                                    vxe_messages *warnings, vxe_error *error)
{
    if (design->contact_rule_count == 0) {
        return VXE_OK;
    }
    if (model->conventions.law != VXE_LAW_MID_FRAME) {
        return vxe_error_fill(error, VXE_ERROR_ARGUMENT,
                              "contact models need the native bond law; they do not work under "
                              "conventions '%s'",
                              model->conventions.name);
    }
    vxe_particles *particles = vxe_memory_take(1, sizeof *particles);
    if (!particles) {
        return vxe_error_memory(error, sizeof *particles);
    }
    vxe_status status = fill_pairs(particles, design, error);
    status = status ? status : fill_list(particles, model, design, error);
    if (status || particles->count == 0) {
        vxe_particles_release(particles);
        return status;
    }
    status = check_gaps(particles, model, design, error);
    if (status) {
        vxe_particles_release(particles);
        return status;
    }
    VXE_ASSERT(particles->count <= model->topology.voxel_count);
    VXE_ASSERT(particles->pair_count <= particles->sides * particles->sides);
    bound(particles, model, design);
    warn(particles, model, design, warnings);
    model->particles = particles;
    return VXE_OK;
}
