/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200112L /* for setenv and getpid */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/memory.h"
#include "engine/batch.h"
#include "engine/core/dispatch.h"
#include "lattice/formats/format.h"
#include "lattice/formats/vxa/vxc_internal.h"

void check_near(const char *what, double got, double want, double tolerance)
{
    const double error = fabs(got - want);
    print_message("  %-52s got %.9g want %.9g error %.2e of %.2e\n", what, got, want, error,
                  tolerance);
    if (!(error <= tolerance)) {
        fail_msg("%s: got %.12g, want %.12g within %.3g", what, got, want, tolerance);
    }
}

void check_relative(const char *what, double got, double want, double tolerance)
{
    check_near(what, got, want, tolerance * fabs(want));
}

void check_below(const char *what, double got, double bound)
{
    print_message("  %-52s got %.4g, at most %.4g\n", what, got, bound);
    if (!(got <= bound)) {
        fail_msg("%s: got %.6g, at most %.6g", what, got, bound);
    }
}

vxe_material standard_material(void)
{
    vxe_material material = vxe_material_default();
    material.bond_damping = 0;
    material.collision_damping = 0;
    material.static_friction = 0;
    material.dynamic_friction = 0;
    return material;
}

vxe_design *block_design(const vxe_material *material, int nx, int ny, int nz)
{
    vxe_design *design = vxe_design_create();
    assert_non_null(design);
    design->floor.enabled = false;
    design->gravity[2] = 0;
    assert_int_equal(vxe_design_add_material(design, material, NULL, NULL), VXE_OK);
    for (int z = 0; z < nz; z++) {
        for (int y = 0; y < ny; y++) {
            for (int x = 0; x < nx; x++) {
                assert_int_equal(vxe_design_add_voxel(design, x, y, z, 0, NULL), VXE_OK);
            }
        }
    }
    return design;
}

vxe_design *bare_walker(double damping, double stiffer, double second_ratio)
{
    vxe_design *design = vxe_design_create();
    vxe_error error;
    vxe_material soft = standard_material();
    soft.bond_damping = damping;
    soft.thermal_expansion = 0.01;
    vxe_material stiff = soft;
    stiff.youngs_modulus *= stiffer;
    stiff.poissons_ratio = second_ratio;
    assert_int_equal(vxe_design_add_material(design, &soft, NULL, &error), VXE_OK);
    assert_int_equal(vxe_design_add_material(design, &stiff, NULL, &error), VXE_OK);
    design->gravity[2] = -9.81;
    design->floor.enabled = true;
    design->actuation =
        (vxe_actuation){.enabled = true, .base = 0, .amplitude = 10, .period = 0.05};
    return design;
}

static bool chance(uint64_t *seed, double part)
{
    return 0.5 * (random_unit(seed) + 1) < part;
}

vxe_design *holed_walker(int edge, double part, double second_ratio, double damping)
{
    vxe_design *design = bare_walker(damping, 3, second_ratio);
    vxe_error error;
    uint64_t seed = 7;
    for (int i = 0; i < edge * edge * edge; i++) {
        const uint32_t material = chance(&seed, 0.4);
        if (chance(&seed, part)) {
            assert_int_equal(vxe_design_add_voxel(design, i % edge, i / edge % edge,
                                                  i / (edge * edge), material, &error),
                             VXE_OK);
        }
    }
    return design;
}

void add_block(vxe_design *design, const int low[3], const int size[3], uint32_t material)
{
    vxe_error error;
    for (int z = 0; z < size[2]; z++) {
        for (int y = 0; y < size[1]; y++) {
            for (int x = 0; x < size[0]; x++) {
                assert_int_equal(vxe_design_add_voxel(design, low[0] + x, low[1] + y, low[2] + z,
                                                      material, &error),
                                 VXE_OK);
            }
        }
    }
}

void hold_plane(vxe_design *design, int axis, int at, uint32_t fixed, const double force[3],
                const double moment[3])
{
    uint32_t *voxels = malloc(design->voxel_count * sizeof *voxels);
    vxe_region region = {.shape = VXE_REGION_VOXELS, .voxels = voxels, .fixed = fixed};
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        if (design->voxels[v].position[axis] == at) {
            voxels[region.voxel_count++] = v;
        }
    }
    for (int c = 0; c < 3; c++) {
        region.force[c] = force ? force[c] : 0;
        region.moment[c] = moment ? moment[c] : 0;
    }
    assert_int_equal(vxe_design_add_region(design, &region, NULL), VXE_OK);
    free(voxels);
}

vxe_precision test_precision(void)
{
    const char *name = getenv("VXE_TEST_PRECISION");
    return name && strcmp(name, "mixed") == 0 ? VXE_PRECISION_MIXED : VXE_PRECISION_DOUBLE;
}

double by_precision(double in_double, double in_mixed)
{
    return test_precision() == VXE_PRECISION_DOUBLE ? in_double : in_mixed;
}

vxe_world *make_world_in(const vxe_design *design, const vxe_world_def *def,
                         vxe_precision precision)
{
    vxe_world_def chosen = def ? *def : vxe_world_def_default();
    vxe_error error = {0};
    chosen.precision = precision;
    vxe_world *world = vxe_world_create(design, &chosen, &error);
    if (!world) {
        fail_msg("no world: %s", error.message);
    }
    return world;
}

vxe_world *make_world(const vxe_design *design, const vxe_world_def *def)
{
    return make_world_in(design, def, test_precision());
}

/* Largest number of designs that run side by side in one batch. */
enum { MAX_DESIGNS = 32 };

void check_in_lanes(vxe_design *const *designs, uint32_t count, uint64_t steps,
                    const uint64_t *hashes)
{
    vxe_batch_def def = vxe_batch_def_default();
    def.world.precision = test_precision();
    def.schedule = VXE_BATCH_LANES;
    def.steps = steps;
    vxe_error error;
    vxe_batch *batch = vxe_batch_create(&def, &error);
    assert_non_null(batch);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(vxe_batch_add(batch, designs[i], &error), VXE_OK);
    }
    assert_int_equal(vxe_batch_run(batch, NULL, NULL, &error), VXE_OK);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(vxe_batch_result_of(batch, i).in_lanes);
        assert_true(vxe_batch_result_of(batch, i).hash == hashes[i]);
    }
    vxe_batch_destroy(batch);
}

void check_same_bits(vxe_design *(*make)(int index), uint32_t count, uint64_t steps)
{
    vxe_design *designs[MAX_DESIGNS] = {NULL};
    uint64_t alone[MAX_DESIGNS] = {0};
    vxe_error error;
    assert_true(count <= MAX_DESIGNS);
    for (uint32_t i = 0; i < count; i++) {
        designs[i] = make((int)i);
        for (uint32_t threads = 1; threads <= 3; threads++) {
            vxe_world_def def = vxe_world_def_default();
            def.threads = threads;
            def.audit = threads == 3;
            vxe_world *world = make_world(designs[i], &def);
            assert_int_equal(vxe_world_advance(world, steps, &error), VXE_OK);
            const uint64_t hash = vxe_world_hash(world);
            assert_true(threads == 1 || hash == alone[i]);
            alone[i] = hash;
            vxe_world_destroy(world);
        }
    }
    check_in_lanes(designs, count, steps, alone);
    for (uint32_t i = 0; i < count; i++) {
        vxe_design_destroy(designs[i]);
    }
}

void check_single_body(const vxe_design *design, uint64_t steps)
{
    uint64_t alone = 0;
    double end = 0;
    vxe_error error;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        vxe_world_def def = vxe_world_def_default();
        def.threads = threads;
        def.audit = threads == 3;
        vxe_world *world = make_world(design, &def);
        assert_int_equal(vxe_world_advance(world, steps, &error), VXE_OK);
        assert_true(threads == 1 || vxe_world_hash(world) == alone);
        alone = vxe_world_hash(world);
        end = vxe_world_time(world);
        vxe_world_destroy(world);
    }
    vxe_batch_def def = vxe_batch_def_default();
    def.duration = end - 1e-9;
    def.world.precision = test_precision();
    vxe_batch *batch = vxe_batch_create(&def, &error);
    assert_non_null(batch);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(vxe_batch_add(batch, design, &error), VXE_OK);
    }
    assert_int_equal(vxe_batch_run(batch, NULL, NULL, &error), VXE_OK);
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(vxe_batch_result_of(batch, i).hash == alone);
        assert_false(vxe_batch_result_of(batch, i).in_lanes);
    }
    vxe_batch_destroy(batch);
}

void check_momentum(const vxe_world *world, double before[2][3], const double scale[2],
                    double tolerance)
{
    double after[2][3];
    vxe_world_momentum(world, after[0], after[1]);
    for (int k = 0; k < 2; k++) {
        for (int c = 0; c < 3; c++) {
            check_near(k == 0 ? "momentum" : "angular momentum",
                       (after[k][c] - before[k][c]) / scale[k], 0, tolerance);
        }
    }
}

void check_refused(const vxe_design *design, const char *says)
{
    const vxe_world_def def = vxe_world_def_default();
    vxe_error error = {0};
    assert_null(vxe_world_create(design, &def, &error));
    if (!strstr(error.message, says)) {
        fail_msg("'%s' does not say '%s'", error.message, says);
    }
}

bool is_noted(const vxe_design *design, const char *what)
{
    bool found = false;
    for (uint32_t i = 0; i < vxe_design_note_count(design); i++) {
        found = found || strstr(vxe_design_note(design, i), what);
    }
    return found;
}

static void keep_difference(void *user, const char *text)
{
    differences *told = user;
    assert_true(told->count < 40);
    snprintf(told->lines[told->count++], sizeof told->lines[0], "%s", text);
}

vxe_design *write_and_read(const vxe_design *design, const char *path, differences *told)
{
    vxe_error error = {0};
    told->count = 0;
    if (vxe_design_write(design, path, &error)) {
        fail_msg("%s", error.message);
    }
    vxe_design *again = vxe_design_read(path, &error);
    if (!again) {
        fail_msg("%u:%u %s", error.line, error.column, error.message);
    }
    assert_int_equal(vxe_design_differences(design, again, keep_difference, told, &error), VXE_OK);
    remove(path);
    return again;
}

vxe_design *lopsided_quadruped(double part)
{
    vxe_error error;
    vxe_design *design = vxe_design_read(SOURCE_FOLDER "/assets/quadruped.vxa", &error);
    assert_non_null(design);
    vxe_layer *factor = vxe_design_layer(design, "Amplitude", 1);
    assert_non_null(factor);
    for (uint32_t v = 0; v < design->voxel_count; v++) {
        const int32_t *at = design->voxels[v].position;
        factor->values[v] = part * (1 - 0.02 * at[0] - 0.01 * at[1] - 0.006 * at[2]);
    }
    return design;
}

vxe_design *benchmark_design(const char *name)
{
    char path[512];
    vxe_error error = {0};
    snprintf(path, sizeof path, "%s/assets/benchmark/%s", SOURCE_FOLDER, name);
    vxe_design *design = vxe_design_read(path, &error);
    if (!design) {
        fail_msg("%s: %s", path, error.message);
    }
    return design;
}

/* Stores the size of a block before it, aligned to cache lines. */
enum { AHEAD = 64 };

static void *take_counted(uint64_t size, uint64_t alignment, void *user)
{
    memory_count *count = user;
    assert_true(alignment <= AHEAD);
    char *block = aligned_alloc(AHEAD, (size_t)(size + AHEAD));
    if (!block) {
        return NULL;
    }
    memcpy(block, &size, sizeof size);
    count->taken++;
    count->bytes += size;
    count->max = count->bytes > count->max ? count->bytes : count->max;
    return block + AHEAD;
}

static void release_counted(void *block, void *user)
{
    memory_count *count = user;
    uint64_t size;
    memcpy(&size, (char *)block - AHEAD, sizeof size);
    count->bytes -= size;
    free((char *)block - AHEAD);
}

void count_memory(memory_count *count)
{
    const vxe_memory_hooks hooks = {take_counted, release_counted, count};
    *count = (memory_count){0};
    vxe_memory_use(&hooks);
}

double random_unit(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

void shake(vxe_world *world, double speed, uint64_t seed)
{
    const uint32_t voxels = vxe_world_describe(world).voxels;
    double *v = malloc(3 * voxels * sizeof *v);
    double mean[3] = {0};
    for (uint32_t i = 0; i < 3 * voxels; i++) {
        v[i] =
            speed * random_unit(&seed); /* three components of variance 1/3 give this rms speed */
        mean[i % 3] += v[i] / voxels;
    }
    for (uint32_t i = 0; i < voxels; i++) {
        double linear[3];
        double spin[3];
        for (uint32_t c = 0; c < 3; c++) {
            linear[c] = v[3 * i + c] - mean[c];
            spin[c] = speed * sqrt(6.0) / EDGE * random_unit(&seed);
        }
        assert_int_equal(vxe_world_place(world, i, NULL, NULL, linear, spin, NULL), VXE_OK);
    }
    free(v);
}

void settle(vxe_world *world, double span, double tolerance)
{
    const uint32_t values = 3 * vxe_world_describe(world).voxels;
    double *before = malloc(values * sizeof *before);
    double *after = malloc(values * sizeof *after);
    vxe_world_poses(world, before, NULL);
    double moved = HUGE_VAL;
    /* in floats a body keeps vibrating by rounding */
    tolerance = by_precision(tolerance, fmax(tolerance, 4e-11 * EDGE));
    for (int i = 0; i < 200 && moved > tolerance; i++) {
        vxe_error error;
        if (vxe_world_advance_to(world, vxe_world_time(world) + span, &error)) {
            fail_msg("%s", error.message);
        }
        vxe_world_poses(world, after, NULL);
        moved = 0;
        for (uint32_t k = 0; k < values; k++) {
            moved = fmax(moved, fabs(after[k] - before[k]));
            before[k] = after[k];
        }
    }
    free(before);
    free(after);
    check_below("motion at the end of settling, m", moved, tolerance);
}

void quaternion_product(const double a[4], const double b[4], double c[4])
{
    c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    c[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

void rotate_vector(const double q[4], const double v[3], double out[3])
{
    const double p[4] = {0, v[0], v[1], v[2]};
    const double conjugate[4] = {q[0], -q[1], -q[2], -q[3]};
    double half[4];
    double full[4];
    quaternion_product(q, p, half);
    quaternion_product(half, conjugate, full);
    for (int c = 0; c < 3; c++) {
        out[c] = full[c + 1];
    }
}

void position_of(const vxe_world *world, uint32_t voxel, double position[3])
{
    double *positions = malloc(3 * vxe_world_describe(world).voxels * sizeof *positions);
    vxe_world_poses(world, positions, NULL);
    for (uint32_t c = 0; c < 3; c++) {
        position[c] = positions[3 * voxel + c];
    }
    free(positions);
}

double velocity_of(const vxe_world *world, uint32_t voxel, int c)
{
    double *rates = malloc(3 * vxe_world_describe(world).voxels * sizeof *rates);
    vxe_world_velocities(world, rates, NULL);
    const double v = rates[3 * voxel + (uint32_t)c];
    free(rates);
    return v;
}

void check_audit(const char *what, vxe_world *world, uint64_t steps, double tolerance)
{
    double first = 0;
    double last = 0;
    double min[4] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double max[4] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    assert_true(steps >= 400);
    for (uint64_t n = 0; n < steps; n++) {
        vxe_error error;
        if (vxe_world_advance(world, 1, &error)) {
            fail_msg("%s: %s", what, error.message);
        }
        const vxe_energy e = vxe_world_energy(world);
        const double spent = e.dissipated_plastic + e.dissipated_bonds + e.dissipated_global +
                             e.dissipated_contact + e.dissipated_friction + e.given_to_fluid -
                             e.work_actuation - e.work_external;
        const double stores[4] = {e.kinetic_sync, e.elastic_sync + e.floor_sync, e.gravity_sync,
                                  spent};
        for (int i = 0; i < 4; i++) {
            min[i] = fmin(min[i], stores[i]);
            max[i] = fmax(max[i], stores[i]);
        }
        first += n < 200 ? e.balance / 200 : 0;
        last += n >= steps - 200 ? e.balance / 200 : 0;
    }
    double exchanged = 0;
    for (int i = 0; i < 4; i++) {
        exchanged = fmax(exchanged, max[i] - min[i]);
    }
    char name[100];
    snprintf(name, sizeof name, "audit %s, of the energy exchanged", what);
    check_below(name, fabs(last - first) / exchanged, tolerance);
}

vxe_design *read_vxa_text(const char *text, vxe_error *error)
{
    return vxe_vxa_read(&(vxe_text){"test.vxa", text, strlen(text), false}, error);
}

vxe_design *readable_vxa(const char *text)
{
    vxe_error error = {0};
    vxe_design *design = read_vxa_text(text, &error);
    if (!design) {
        fail_msg("%u:%u %s", error.line, error.column, error.message);
    }
    return design;
}

void set_formula(vxe_design *design, vxe_formula which, const char *text)
{
    vxe_error error;
    assert_int_equal(vxe_design_set_formula(design, which, text, &error), VXE_OK);
}

static char isa_before[64]; /* value of VOXELASTIC_ISA; empty if it is not set */
static bool isa_is_chosen;

bool choose_isa(const char *name, vxe_precision precision)
{
    const char *before = getenv("VOXELASTIC_ISA");
    const char *why = NULL;
    if (!isa_is_chosen) {
        (void)snprintf(isa_before, sizeof isa_before, "%s", before ? before : "");
        isa_is_chosen = true;
    }
    setenv("VOXELASTIC_ISA", name, 1);
    const bool has = vxe_kernels_for_machine(precision, &why) != NULL;
    if (!has) {
        print_message("  %s is not compared: %s\n", name, why);
    }
    return has;
}

void choose_isa_of_before(void)
{
    if (isa_before[0]) {
        setenv("VOXELASTIC_ISA", isa_before, 1);
    } else {
        unsetenv("VOXELASTIC_ISA");
    }
    isa_is_chosen = false;
}

uint64_t hash_after(const vxe_design *design, uint32_t threads, uint64_t steps, bool audit)
{
    vxe_world_def def = vxe_world_def_default();
    def.threads = threads;
    def.audit = audit;
    vxe_world *world = make_world(design, &def);
    vxe_error error;
    if (vxe_world_advance(world, steps, &error)) {
        fail_msg("%s", error.message);
    }
    const uint64_t hash = vxe_world_hash(world);
    vxe_world_destroy(world);
    return hash;
}

static char folder[64];

const char *make_folder(const char *name)
{
    if (folder[0]) {
        remove_folder();
    }
    snprintf(folder, sizeof folder, "%s_%ld", name, (long)getpid());
    assert_int_equal(mkdir(folder, 0700), 0);
    return folder;
}

void remove_folder(void)
{
    char command[80];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
    folder[0] = '\0';
}
