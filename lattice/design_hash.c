/* SPDX-License-Identifier: MIT */
/* Hashes of designs: equal designs have equal hashes on every machine. Batches and searches use
   them to recognise designs that they have computed already. */
#include "common/hash_internal.h"
#include "lattice/design.h"

static void add_numbers(vxe_hash *hash, const double *values, uint64_t count)
{
    vxe_hash_word(hash, count);
    for (uint64_t i = 0; i < count; i++) {
        vxe_hash_double(hash, values[i]);
    }
}

static void add_indices(vxe_hash *hash, const uint32_t *values, uint64_t count)
{
    vxe_hash_word(hash, count);
    for (uint64_t i = 0; i < count; i++) {
        vxe_hash_word(hash, values[i]);
    }
}

static void add_text(vxe_hash *hash, const char *text)
{
    vxe_hash_word(hash, text ? strlen(text) : UINT64_MAX);
    for (; text && *text; text++) {
        vxe_hash_word(hash, (unsigned char)*text);
    }
}

static void add_material(vxe_hash *hash, const vxe_material *m)
{
    const double numbers[] = {m->youngs_modulus,    m->density,
                              m->poissons_ratio,    m->static_friction,
                              m->dynamic_friction,  m->bond_damping,
                              m->collision_damping, m->global_damping,
                              m->thermal_expansion, m->phase,
                              m->plastic_modulus,   m->yield_stress,
                              m->fail_stress,       m->fail_strain,
                              m->detach_stress,     m->susceptibility,
                              m->magnetization[0],  m->magnetization[1],
                              m->magnetization[2],  (double)m->color[0],
                              (double)m->color[1],  (double)m->color[2],
                              (double)m->color[3]};
    add_text(hash, m->name);
    add_numbers(hash, numbers, sizeof numbers / sizeof numbers[0]);
    vxe_hash_word(hash, (uint64_t)m->model);
    vxe_hash_word(hash, (uint64_t)m->sticky | (uint64_t)m->target << 1 |
                            (uint64_t)m->unmeasured << 2 | (uint64_t)m->sphere << 3);
    add_numbers(hash, m->curve_strain, m->curve_count);
    add_numbers(hash, m->curve_stress, m->curve_count);
}

static void add_region(vxe_hash *hash, const vxe_region *region)
{
    vxe_hash_word(hash, (uint64_t)region->shape);
    vxe_hash_word(hash, region->fixed);
    if (region->shape == VXE_REGION_VOXELS) {
        add_indices(hash, region->voxels, region->voxel_count);
    } else {
        add_numbers(hash, region->low, 3);
        add_numbers(hash, region->high, 3);
        add_numbers(hash, &region->radius, 1);
    }
    add_numbers(hash, region->force, 3);
    add_numbers(hash, region->moment, 3);
    add_numbers(hash, region->displacement, 3);
    add_numbers(hash, region->rotation, 3);
    add_numbers(hash, region->table, 2 * (uint64_t)region->table_count);
}

static void add_floor(vxe_hash *hash, const vxe_floor *floor)
{
    const double numbers[] = {floor->height, floor->slope[0],  floor->slope[1],
                              floor->radius, floor->center[0], floor->center[1]};
    const vxe_heightfield *heights = &floor->heights;
    const uint64_t points = (uint64_t)heights->columns * heights->rows;
    vxe_hash_word(hash, floor->enabled);
    vxe_hash_word(hash, floor->sticky);
    add_numbers(hash, numbers, sizeof numbers / sizeof numbers[0]);
    vxe_hash_word(hash, heights->columns);
    add_numbers(hash, heights->heights, points);
    if (points > 0) {
        add_numbers(hash, &heights->spacing, 1);
        add_numbers(hash, heights->origin, 2);
    }
}

static void add_magnetics(vxe_hash *hash, const vxe_magnetics *m)
{
    vxe_hash_word(hash, (uint64_t)m->enabled | (uint64_t)m->alone << 1 | (uint64_t)m->induces << 2);
    vxe_hash_word(hash, m->divisions);
    vxe_hash_word(hash, m->every);
    vxe_hash_double(hash, m->dipole_cap);
    vxe_hash_double(hash, m->dipole_soften);
    vxe_hash_double(hash, m->dipole_d);
    add_numbers(hash, m->reference, 3);
}

static void add_affine(vxe_hash *hash, const vxe_affine_body *body)
{
    const vxe_affine_shape *shape = &body->shape;
    uint32_t count = 0;
    (void)vxe_contact_law_numbers(body->contact.kind, &count);
    add_text(hash, body->name);
    vxe_hash_word(hash, (uint64_t)body->kind | (uint64_t)shape->kind << 8 |
                            (uint64_t)body->isochoric << 16 | (uint64_t)body->pinned << 17 |
                            (uint64_t)body->hold_center << 18 |
                            (uint64_t)body->hold_deformation << 19 | (uint64_t)body->touches << 20 |
                            (uint64_t)shape->sides << 32);
    add_numbers(hash, shape->size, 3);
    add_numbers(hash, shape->vertices, 3ull * shape->vertex_count);
    for (uint32_t i = 0; i < shape->corner_count; i++) {
        vxe_hash_word(hash, shape->corners[i]);
    }
    for (uint32_t i = 0; i < shape->face_count; i++) {
        vxe_hash_word(hash, shape->face_sizes[i]);
    }
    add_numbers(hash, body->number, VXE_AFFINE_NUMBERS);
    add_numbers(hash, body->center, 3);
    add_numbers(hash, body->orientation, 4);
    add_numbers(hash, body->deformation, 9);
    add_numbers(hash, body->velocity, 3);
    add_numbers(hash, body->spin, 3);
    add_numbers(hash, body->rate, 9);
    add_numbers(hash, body->pin, 3);
    for (int i = 0; i < VXE_AFFINE_FORMULAS; i++) {
        add_text(hash, body->formulas[i]);
    }
    add_numbers(hash, body->contact.number, count);
}

/* Adds affine bodies, observations and walls. A design without them adds no words, so that its hash
   is that of versions that had no such bodies. */
static void add_all_affine(vxe_hash *hash, const vxe_design *d)
{
    for (uint32_t i = 0; i < d->affine_count; i++) {
        add_affine(hash, &d->affine[i]);
    }
    for (uint32_t i = 0; i < d->observation_count; i++) {
        add_text(hash, d->observations[i].name);
        add_text(hash, d->observations[i].of);
        add_text(hash, d->observations[i].when);
        vxe_hash_word(hash, (uint64_t)d->observations[i].gives << 32 | d->observations[i].body);
    }
    for (uint32_t i = 0; i < d->wall_count; i++) {
        add_numbers(hash, d->walls[i].point, 3);
        add_numbers(hash, d->walls[i].normal, 3);
    }
}

uint64_t vxe_design_affine_hash(const vxe_design *design)
{
    vxe_hash hash = {0};
    add_all_affine(&hash, design);
    return vxe_hash_end(&hash);
}

/* Adds the controller. A design without one adds no words. */
static void add_controller(vxe_hash *hash, const vxe_controller *c)
{
    const uint64_t weights = c->interval > 0 ? vxe_network_weights(&c->network) : 0;
    if (c->interval > 0) {
        const double numbers[] = {c->interval, c->min_target, c->max_target};
        add_numbers(hash, numbers, sizeof numbers / sizeof numbers[0]);
        vxe_hash_word(hash, c->sensor_count);
        for (uint32_t i = 0; i < c->sensor_count; i++) {
            vxe_hash_word(hash, (uint64_t)c->sensors[i]);
        }
        add_indices(hash, c->network.width, c->network.layers);
        vxe_hash_word(hash, (uint64_t)c->network.activation);
    }
    for (uint64_t i = 0; i < weights; i++) {
        vxe_hash_double(hash, (double)c->weights[i]);
    }
}

/* Adds what acts on all voxels. */
static void add_world(vxe_hash *hash, const vxe_design *d)
{
    const vxe_actuation *a = &d->actuation;
    const double numbers[] = {d->voxel_size,
                              a->base,
                              a->amplitude,
                              a->period,
                              a->start,
                              a->min,
                              a->max,
                              a->room,
                              d->fluid.density,
                              d->fluid.drag_coefficient,
                              d->stop.duration,
                              d->stop.periods,
                              d->stop.settle_time,
                              d->stop.reference_time,
                              d->pair_distance,
                              d->time_step.fraction,
                              d->time_step.seconds};
    add_text(hash, d->name);
    add_text(hash, d->written_for);
    add_numbers(hash, numbers, sizeof numbers / sizeof numbers[0]);
    add_numbers(hash, d->file_origin, 3);
    add_numbers(hash, d->gravity, 3);
    vxe_hash_word(hash, d->stop.steps);
    vxe_hash_word(hash, (uint64_t)a->enabled | (uint64_t)d->fluid.enabled << 1 |
                            (uint64_t)d->fluid.buoyancy << 2 | (uint64_t)d->volume_effects << 3 |
                            (uint64_t)d->self_collision << 4);
    add_floor(hash, &d->floor);
    add_magnetics(hash, &d->magnetics);
    for (uint32_t i = 0; i < d->contact_rule_count; i++) {
        const vxe_contact_rule *rule = &d->contact_rules[i];
        uint32_t count = 0;
        (void)vxe_contact_law_numbers(rule->law.kind, &count);
        vxe_hash_word(hash, (uint64_t)rule->first << 32 | rule->second);
        vxe_hash_word(hash, (uint64_t)rule->law.kind);
        add_numbers(hash, rule->law.number, count);
    }
    for (int i = 0; i < VXE_FORMULAS; i++) {
        add_text(hash, d->formulas[i]);
    }
    add_numbers(hash, d->stiffening, 2 * (uint64_t)d->stiffening_count);
    vxe_hash_word(hash, d->schedule_count);
    for (uint32_t i = 0; i < d->schedule_count; i++) {
        vxe_hash_word(hash, d->schedules[i].group);
        add_numbers(hash, d->schedules[i].table, 2 * (uint64_t)d->schedules[i].table_count);
    }
}

uint64_t vxe_design_hash(const vxe_design *d)
{
    vxe_hash hash = {0};
    add_world(&hash, d);
    add_all_affine(&hash, d);
    add_controller(&hash, &d->controller);
    vxe_hash_word(&hash, d->material_count);
    for (uint32_t i = 0; i < d->material_count; i++) {
        add_material(&hash, &d->materials[i]);
    }
    vxe_hash_word(&hash, d->voxel_count);
    for (uint32_t v = 0; v < d->voxel_count; v++) {
        for (int c = 0; c < 3; c++) {
            vxe_hash_word(&hash, (uint64_t)(int64_t)d->voxels[v].position[c]);
        }
        vxe_hash_word(&hash, d->voxels[v].material);
    }
    vxe_hash_word(&hash, d->layer_count);
    for (uint32_t i = 0; i < d->layer_count; i++) {
        add_text(&hash, d->layers[i].name);
        vxe_hash_word(&hash, d->layers[i].width);
        add_numbers(&hash, d->layers[i].values, (uint64_t)d->voxel_count * d->layers[i].width);
    }
    vxe_hash_word(&hash, d->region_count);
    for (uint32_t i = 0; i < d->region_count; i++) {
        add_region(&hash, &d->regions[i]);
    }
    for (uint64_t i = 0; i < 6ull * d->voxel_count; i++) { /* without velocities: zeros */
        vxe_hash_double(&hash, d->velocity ? d->velocity[i] : 0);
    }
    return vxe_hash_end(&hash);
}
