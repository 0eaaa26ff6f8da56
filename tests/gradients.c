/* SPDX-License-Identifier: MIT */
#include "gradients.h"

#include <math.h>
#include <string.h>

#include "engine/batch.h"

const double ask_place[3] = {0.9, -0.7, 0.4};
const double ask_velocity[3] = {0.01, 0.02, -0.03};

double objective(void *user, uint32_t robot, const vxe_gradient_sample *samples, uint32_t count,
                 vxe_gradient_sample *weights)
{
    double value = 0;
    (void)user;
    (void)robot;
    for (int c = 0; c < 3; c++) {
        value += ask_place[c] * samples[count - 1].center[c] +
                 ask_velocity[c] * samples[count - 1].velocity[c];
        weights[count - 1].center[c] = ask_place[c];
        weights[count - 1].velocity[c] = ask_velocity[c];
    }
    return value;
}

vxe_gradient_def definition(uint64_t steps, double h)
{
    vxe_gradient_def def = vxe_gradient_def_default();
    def.world.precision = VXE_PRECISION_DOUBLE;
    def.world.step_seconds = h;
    def.steps = steps;
    def.by = (1u << VXE_GRADIENT_BYS) - 1;
    return def;
}

vxe_gradient *gradient_of(const vxe_design *design, const vxe_gradient_def *def)
{
    vxe_error error = {0};
    uint32_t robot;
    vxe_gradient *gradient = vxe_gradient_create(def, &error);
    if (!gradient || vxe_gradient_add(gradient, design, &robot, &error) ||
        vxe_gradient_run(gradient, objective, NULL, &error)) {
        fail_msg("%s", error.message);
    }
    return gradient;
}

vxe_design *crawler(double speed)
{
    vxe_material m = standard_material();
    m.thermal_expansion = 0.01;
    m.bond_damping = 0.3;
    m.collision_damping = 0.3;
    m.global_damping = 0.02;
    m.static_friction = m.dynamic_friction = 0.5;
    vxe_design *design = block_design(&m, 4, 2, 2);
    (void)vxe_design_layer(design, "PhaseOffset", 1); /* a new layer moves those before it */
    vxe_layer *amplitude = vxe_design_layer(design, "Amplitude", 1);
    vxe_layer *phase = vxe_design_layer(design, "PhaseOffset", 1);
    uint64_t seed = 7;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        phase->values[v] = 0.5 * random_unit(&seed);
        amplitude->values[v] = 1 + 0.3 * random_unit(&seed);
    }
    design->actuation =
        (vxe_actuation){.enabled = true, .base = 0, .amplitude = 12, .period = 0.05};
    design->floor.enabled = true;
    design->gravity[2] = -9.81;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const double rate[3] = {speed, 0.4 * speed, 0.02};
        const double spin[3] = {0, 0, 0};
        assert_false(vxe_design_set_velocity(design, v, rate, spin, NULL));
    }
    return design;
}

enum { GROUPS = 4, HIDDEN = 5 };

vxe_design *controlled(double speed, int number)
{
    static const vxe_sensor_kind sensors[3][7] = {
        {VXE_SENSOR_CENTER, VXE_SENSOR_VELOCITY, VXE_SENSOR_SPIN, VXE_SENSOR_UP, VXE_SENSOR_HEADING,
         VXE_SENSOR_CLOCK, VXE_SENSOR_TARGETS},
        {VXE_SENSOR_GROUP_PLACE, VXE_SENSOR_GROUP_VELOCITY, VXE_SENSOR_VOXEL_PLACE,
         VXE_SENSOR_FLOOR_AHEAD, VXE_SENSOR_TARGETS, VXE_SENSOR_CLOCK, VXE_SENSOR_UP},
        {VXE_SENSOR_PART_CENTER, VXE_SENSOR_PART_VELOCITY, VXE_SENSOR_PART_UP,
         VXE_SENSOR_PART_HEADING, VXE_SENSOR_VOXEL_VELOCITY, VXE_SENSOR_CLOCK, VXE_SENSOR_TARGETS}};
    vxe_design *design = crawler(speed);
    (void)vxe_design_layer(design, "Group", 1); /* a new layer moves those before it */
    (void)vxe_design_layer(design, "Part", 1);
    vxe_layer *group = vxe_design_layer(design, "Group", 1);
    vxe_layer *part = vxe_design_layer(design, "Part", 1);
    uint32_t inputs = 0;
    uint64_t seed = 9;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        group->values[v] = design->voxels[v].position[0];
        part->values[v] = design->voxels[v].position[1];
    }
    for (uint32_t i = 0; i < 7; i++) {
        inputs += vxe_sensor_width(sensors[number][i], GROUPS, 2, 16);
    }
    vxe_controller settings = {.interval = 2e-3,
                               .min_target = 0.9,
                               .max_target = 1.2,
                               .sensor_count = 7,
                               .network = {3, {inputs, HIDDEN, GROUPS}, VXE_ACTIVATION_TANH}};
    float weights[MAX_WEIGHTS];
    memcpy(settings.sensors, sensors[number], sizeof sensors[number]);
    settings.weights = weights;
    for (uint64_t i = 0; i < vxe_network_weights(&settings.network); i++) {
        weights[i] = (float)(0.5 * random_unit(&seed));
    }
    assert_true(vxe_network_weights(&settings.network) <= MAX_WEIGHTS);
    assert_false(vxe_design_set_controller(design, &settings, NULL));
    return design;
}

void central_differences(const vxe_design *design, const moved_number *moved, uint32_t count,
                         const vxe_gradient_def *def, double *slopes)
{
    vxe_error error = {0};
    vxe_gradient_def forwards = *def;
    forwards.by = 1u << VXE_BY_PHASE;
    vxe_gradient *gradient = vxe_gradient_create(&forwards, &error);
    for (uint32_t i = 0; i < 2 * count; i++) {
        const moved_number *m = &moved[i / 2];
        uint32_t robot;
        double before[2] = {0, 0};
        for (int n = 0; n < 2 && m->number[n]; n++) {
            before[n] = *m->number[n];
            *m->number[n] += i % 2 ? -m->step : m->step;
        }
        assert_false(vxe_gradient_add(gradient, design, &robot, &error));
        for (int n = 0; n < 2 && m->number[n]; n++) {
            *m->number[n] = before[n];
        }
    }
    assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
    for (uint32_t i = 0; i < count; i++) {
        double above;
        double below;
        assert_false(vxe_gradient_value(gradient, 2 * i, &above, &error));
        assert_false(vxe_gradient_value(gradient, 2 * i + 1, &below, &error));
        slopes[i] = (above - below) / (2 * moved[i].step);
    }
    vxe_gradient_destroy(gradient);
}

double worst_of(const double *got, const double *slopes, uint32_t count)
{
    double scale = 0;
    double worst = 0;
    for (uint32_t i = 0; i < count; i++) {
        scale = fmax(scale, fabs(slopes[i]));
        worst = fmax(worst, fabs(got[i] - slopes[i]));
    }
    return scale > 0 ? worst / scale : worst;
}

static double largest_of(const vxe_layer *layer, uint32_t count)
{
    double largest = layer->values[0];
    for (uint32_t v = 1; v < count; v++) {
        largest = fmax(largest, layer->values[v]);
    }
    return largest;
}

void check_differences(vxe_design *design, const vxe_gradient_def *def, double step, double bound)
{
    const bool iterates = def->world.damping == VXE_DAMPING_SWEEP;
    vxe_gradient *gradient = gradient_of(design, def);
    const char *layers[3] = {"Amplitude", "PhaseOffset", "Frequency"};
    const vxe_gradient_by bys[3] = {VXE_BY_AMPLITUDE, VXE_BY_PHASE, VXE_BY_FREQUENCY};
    const int count = vxe_design_find_layer(design, "Frequency") ? 3 : 2;
    for (int i = 0; i < count; i++) {
        double got[16];
        double slopes[32];
        moved_number moved[32];
        double scale = 0;
        uint32_t jumps = 0;
        vxe_layer *layer = vxe_design_layer(design, layers[i], 1);
        assert_false(vxe_gradient_of(gradient, 0, bys[i], got, NULL));
        for (uint32_t v = 0; v < 16; v++) {
            moved[v] = (moved_number){{&layer->values[v], NULL}, step};
            moved[16 + v] = (moved_number){{&layer->values[v], NULL}, 2 * step};
            scale = fmax(scale, fabs(got[v]));
        }
        central_differences(design, moved, 32, def, slopes);
        for (uint32_t v = 0; v < 16; v++) {
            const bool jumps_here = fabs(slopes[v] - slopes[16 + v]) > bound * scale;
            const bool widest = iterates && i == 0 && layer->values[v] == largest_of(layer, 16);
            jumps += jumps_here;
            slopes[v] = jumps_here || widest ? got[v] : slopes[v];
        }
        print_message("  by %s: largest %g, %u jump\n", layers[i], scale, jumps);
        check_below("difference from central differences, relative", worst_of(got, slopes, 16),
                    bound);
        assert_true(jumps <= 2);
    }
    vxe_gradient_destroy(gradient);
}

vxe_design *patchwork(double speed, bool even)
{
    uint64_t seed = 11;
    vxe_design *design = crawler(speed);
    design->gravity[0] = 1;
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        uint32_t index = 0;
        vxe_material m = design->materials[0];
        const double spread = even ? 0 : 0.3;
        m.youngs_modulus *= 1 + spread * random_unit(&seed);
        m.density *= 1 + spread * random_unit(&seed);
        m.dynamic_friction *= 1 + spread * random_unit(&seed);
        m.static_friction = m.dynamic_friction;
        m.bond_damping *= 1 + spread * random_unit(&seed);
        m.collision_damping *= 1 + spread * random_unit(&seed);
        m.global_damping *= 1 + spread * random_unit(&seed);
        assert_false(vxe_design_add_material(design, &m, &index, NULL));
        design->voxels[v].material = index;
    }
    return design;
}

/* A number of a material that a gradient is by. */
static double *number_of(vxe_material *m, vxe_gradient_by by)
{
    switch (by) {
    case VXE_BY_STIFFNESS:
        return &m->youngs_modulus;
    case VXE_BY_DENSITY:
        return &m->density;
    case VXE_BY_FRICTION:
        return &m->dynamic_friction;
    case VXE_BY_BOND_DAMPING:
        return &m->bond_damping;
    default:
        return &m->collision_damping;
    }
}

void check_materials(vxe_design *design, const vxe_gradient_def *def, double step, double bound)
{
    vxe_gradient *gradient = gradient_of(design, def);
    for (vxe_gradient_by by = VXE_BY_STIFFNESS; by <= VXE_BY_FLOOR_DAMPING; by++) {
        double got[16];
        double slopes[16];
        moved_number moved[16];
        assert_false(vxe_gradient_of(gradient, 0, by, got, NULL));
        for (uint32_t v = 0; v < 16; v++) {
            vxe_material *m = &design->materials[design->voxels[v].material];
            double *number = number_of(m, by);
            const double part = by == VXE_BY_BOND_DAMPING ? 10 * step : step;
            moved[v] = (moved_number){{number, by == VXE_BY_FRICTION ? &m->static_friction : NULL},
                                      part * *number};
        }
        central_differences(design, moved, 16, def, slopes);
        print_message("  by %d\n", (int)by);
        check_below("difference from central differences, relative", worst_of(got, slopes, 16),
                    bound);
    }
    vxe_gradient_destroy(gradient);
}

void check_bits(vxe_design *make(uint32_t i), const vxe_gradient_def *def)
{
    vxe_design *designs[3];
    vxe_error error = {0};
    vxe_gradient_def mixed = *def;
    mixed.world.precision = VXE_PRECISION_MIXED;
    vxe_batch_def batch_def = vxe_batch_def_default();
    batch_def.world = def->world;
    batch_def.steps = def->steps;
    vxe_batch *batch = vxe_batch_create(&batch_def, &error);
    vxe_gradient *together = vxe_gradient_create(def, &error);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t robot;
        designs[i] = make(i);
        assert_false(vxe_batch_add(batch, designs[i], &error));
        assert_false(vxe_gradient_add(together, designs[i], &robot, &error));
        assert_int_equal(robot, i);
    }
    assert_false(vxe_batch_run(batch, NULL, NULL, &error));
    assert_false(vxe_gradient_run(together, objective, NULL, &error));
    for (uint32_t i = 0; i < 3; i++) {
        vxe_gradient *alone = gradient_of(designs[i], def);
        vxe_gradient *in_float = gradient_of(designs[i], &mixed);
        const vxe_batch_result result = vxe_batch_result_of(batch, i);
        assert_memory_equal(together->robots[i].samples[1].center, result.center,
                            sizeof result.center);
        for (uint32_t by = 0; by < VXE_GRADIENT_BYS && def->by >> by & 1; by++) {
            const uint32_t width = vxe_gradient_width(together, i, (vxe_gradient_by)by);
            double scale = 0;
            double worst = 0;
            assert_memory_equal(together->robots[i].by[by], alone->robots[0].by[by],
                                width * sizeof(double));
            for (uint32_t n = 0; n < width; n++) {
                const double want = alone->robots[0].by[by][n];
                scale = fmax(scale, fabs(want));
                worst = fmax(worst, fabs(in_float->robots[0].by[by][n] - want));
            }
            check_below("mixed precision against double, relative",
                        scale > 0 ? worst / scale : worst, 1e-4);
        }
        vxe_gradient_destroy(alone);
        vxe_gradient_destroy(in_float);
        vxe_design_destroy(designs[i]);
    }
    vxe_gradient_destroy(together);
    vxe_batch_destroy(batch);
}

void move_start(vxe_gradient_robot *robot, uint32_t voxel, uint32_t c, double by)
{
    vxe_state *start = &robot->start;
    const vxe_precision precision = VXE_PRECISION_DOUBLE;
    const uint32_t slot = robot->simulation.model.topology.place[voxel];
    if (c >= 3 && c < 6) {
        double turn[4] = {cos(0.5 * by), 0, 0, 0};
        double q[4];
        double turned[4];
        turn[c - 2] = sin(0.5 * by);
        for (int n = 0; n < 4; n++) {
            q[n] = vxe_real_at(precision, start->q[n], slot);
        }
        quaternion_product(turn, q, turned);
        for (int n = 0; n < 4; n++) {
            vxe_real_put(precision, start->q[n], slot, turned[n]);
        }
        return;
    }
    vxe_reals *const fields[12] = {start->x[0], start->x[1], start->x[2], NULL,
                                   NULL,        NULL,        start->v[0], start->v[1],
                                   start->v[2], start->w[0], start->w[1], start->w[2]};
    vxe_real_put(precision, fields[c], slot, vxe_real_at(precision, fields[c], slot) + by);
}

void start_differences(const vxe_design *design, const vxe_gradient_def *def,
                       uint32_t add(vxe_gradient *gradient, const vxe_design *design),
                       const double steps[4], uint32_t voxel, double slopes[12])
{
    vxe_error error = {0};
    vxe_gradient *gradient = vxe_gradient_create(def, &error);
    for (uint32_t i = 0; i < 24; i++) {
        const uint32_t robot = add(gradient, design);
        const double step = steps[i / 6];
        move_start(&gradient->robots[robot], voxel, i / 2, i % 2 ? -step : step);
    }
    assert_false(vxe_gradient_run(gradient, objective, NULL, &error));
    for (uint32_t c = 0; c < 12; c++) {
        double value[2];
        assert_false(vxe_gradient_value(gradient, 2 * c, &value[0], &error));
        assert_false(vxe_gradient_value(gradient, 2 * c + 1, &value[1], &error));
        slopes[c] = (value[0] - value[1]) / (2 * steps[c / 3]);
    }
    vxe_gradient_destroy(gradient);
}
