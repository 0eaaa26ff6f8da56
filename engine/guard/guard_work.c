/* SPDX-License-Identifier: MIT */
/* Upper bounds of the work that is done on a body between two looks of the energy guard by what is
   no spring: fields, loads that turn, prescribed motion, stiffness that changes; and how far edges
   go that do not go one way. Each bound errs towards more work (docs/physics.md, Energy guard). */
#include <math.h>

#include "common/assert_internal.h"
#include "engine/external/external.h"
#include "engine/guard/guard.h"

/* Where a period of edges is shorter than so many looks, their ways count instead of the difference
   of two looks. */
#define SLOW_LOOKS 8
/* Times between two looks at which a force field is sampled. */
#define FIELD_TIMES 8
/* Parts of the magnets' energy: pairs that cross the reach of dipoles change it at once; and in
   mixed precision it is rounded. */
#define CUT_PART 0.02
#define ROUNDED_PART 1e-4
#define TURN 6.28318530717958647693

/* Sum of the changes of a table's factor between two times (s). */
static double variation_of(const vxe_time_table *table, double from, double to)
{
    double at = vxe_time_table_at(table, from);
    double sum = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        const double *row = table->rows + 2 * (size_t)i;
        if (row[0] > from && row[0] < to) {
            sum += fabs(row[1] - at);
            at = row[1];
        }
    }
    return sum + fabs(vxe_time_table_at(table, to) - at);
}

static double number_at(const vxe_workspace *workspace, const vxe_reals *array, uint32_t slot)
{
    return array ? vxe_real_at(workspace->model->precision, array, slot) : 0;
}

/* m/s: mean speed of a voxel's edge in its wave, and its amplitude (m). */
static double wave_speed(const vxe_workspace *workspace, uint32_t slot, double *amplitude)
{
    const vxe_model *model = workspace->model;
    const vxe_kernel_arrays *s = &workspace->arrays;
    const double per =
        model->actuation.period > 0 ? 4 * model->tuned.frequency / model->actuation.period : 0;
    double often = 1;
    const double sine = number_at(workspace, s->edge_growth_sine, slot);
    const double cosine = number_at(workspace, s->edge_growth_cosine, slot);
    *amplitude = sqrt(sine * sine + cosine * cosine);
    if (s->size[0]) {
        *amplitude = fabs(number_at(workspace, s->size[VXE_SIZE_STRAIN], slot)) * s->edge;
        often = fabs(number_at(workspace, s->size[VXE_SIZE_FREQUENCY], slot));
    }
    *amplitude *= model->widest * model->tuned.amplitude;
    return per * often * *amplitude;
}

void vxe_guard_ways(vxe_energy_guard *guard, const vxe_workspace *workspace)
{
    const vxe_model *model = guard->model;
    const vxe_kernel_arrays *s = &workspace->arrays;
    const double look = VXE_GUARD_STEPS * workspace->state->time_step;
    const bool fast = model->shortest_period > 0 && model->shortest_period < SLOW_LOOKS * look;
    const double time = guard->now.time - guard->before.time;
    for (uint32_t i = 0; i < model->topology.voxel_count && guard->swelled; i++) {
        double amplitude = 0;
        const double path = wave_speed(workspace, i, &amplitude) * time;
        const double grown =
            number_at(workspace, s->edge_growth, i) - number_at(workspace, guard->past.growth, i);
        guard->swelled[i] = 0.5 * fmax(fabs(grown), fmin(path, fast ? path : 2 * amplitude));
    }
    guard->past.way = guard->way && (fast || model->group_count > 0) ? guard->way : NULL;
    guard->past.reach = guard->reach;
    for (uint32_t i = 0; i < model->topology.voxel_count && guard->past.way; i++) {
        double amplitude = 0;
        const double waved = wave_speed(workspace, i, &amplitude) * (fast ? time : 0);
        const double grown =
            number_at(workspace, s->edge_growth, i) - number_at(workspace, guard->past.growth, i);
        double jumped = 0;
        if (model->group_count > 0) {
            const uint32_t group = (uint32_t)number_at(workspace, s->size[VXE_SIZE_GROUP], i);
            jumped = guard->target_way[group] +
                     variation_of(&model->schedules[group], guard->before.time, guard->now.time);
            jumped *= s->edge * model->bounds[group].max;
        }
        guard->way[i] = fmax(fabs(grown), waved + jumped);
        guard->swelled[i] = 0.5 * guard->way[i];
        guard->reach[i] = (fast ? amplitude : 0) + fmax(fabs(grown), jumped);
    }
}

/* N^2/kg: sum of F^2/m over voxels, and of M^2/I, of forces that may change in any way between two
   looks: the field, at the sizes of several times, buoyancy, and moments of loads. */
static double forcing_of(const vxe_energy_guard *guard, vxe_workspace *workspace)
{
    const vxe_model *model = guard->model;
    const vxe_kernel_arrays *s = &workspace->arrays;
    const double since = guard->now.time - guard->before.time;
    double largest = 0;
    for (int t = 0; t < (model->field.acts ? FIELD_TIMES : 1); t++) {
        double sum = 0;
        if (model->field.acts) {
            vxe_field_compute(model, workspace->state, s->field, 0, model->topology.voxel_count,
                              guard->now.time - since * t / FIELD_TIMES);
        }
        for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
            const double edge = s->edge + number_at(workspace, s->edge_growth, i);
            const double mass = number_at(workspace, s->mass, i);
            const double spin = vxe_gyration(model->precision, &model->arrays, i);
            for (int c = 0; c < 3; c++) {
                const double lift =
                    s->faces ? s->fluid_lift * edge * edge * edge * s->gravity[c] : 0;
                const double force = fabs(number_at(workspace, s->field[c], i)) + fabs(lift);
                const double moment = number_at(workspace, s->load[c + 3], i);
                sum += (force * force + moment * moment / spin) / mass;
            }
        }
        largest = fmax(largest, sum);
    }
    return largest;
}

/* J: from d(sqrt E)/dt <= sqrt(forcing/2), where E holds all kinetic energy. */
static double work_of_forcing(const vxe_guard_look *before, const vxe_guard_look *now)
{
    const double stored[2] = {before->energy[VXE_GUARD_KINETIC] + before->energy[VXE_GUARD_ELASTIC],
                              now->energy[VXE_GUARD_KINETIC] + now->energy[VXE_GUARD_ELASTIC]};
    const double root = sqrt(fmax(fmax(stored[0], stored[1]), 0));
    const double gain =
        (now->time - before->time) * sqrt(0.5 * fmax(before->forcing, now->forcing));
    return gain * (2 * root + gain);
}

/* J: of edges against floor, contacts and particles, which may touch between two looks: as for
   forces, d(sqrt E)/dt <= sqrt(sum k u^2/2), where contacts of stiffness k hold a part of E and
   faces move at u. */
static double work_of_faces(const vxe_energy_guard *guard, const vxe_workspace *workspace)
{
    const vxe_model *model = guard->model;
    const vxe_kernel_arrays *s = &workspace->arrays;
    const double stored = fmax(guard->scale, guard->now.energy[VXE_GUARD_KINETIC]);
    double gain2 = 0;
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        const double k =
            number_at(workspace, s->floor_stiffness, i) +
            number_at(workspace, s->contact_stiffness, i) +
            (model->particles ? model->spectrum.lambda_k * number_at(workspace, s->mass, i) : 0);
        const double *carried = guard->carried ? guard->carried + 2 * (size_t)i : NULL;
        const double way = (guard->swelled ? guard->swelled[i] : 0) +
                           (carried ? carried[0] + carried[1] * s->edge : 0);
        gain2 += 0.5 * k * way * way;
    }
    return 2 * sqrt(stored * gain2) + gain2;
}

/* m: how far the farthest magnet is from the point where the field's gradient has no part. */
static double farthest_magnet(const vxe_workspace *workspace, const double reference[3])
{
    const vxe_magnets *magnets = workspace->model->magnets;
    double far2 = 0;
    for (uint32_t k = 0; k < magnets->count; k++) {
        double way2 = 0;
        for (int c = 0; c < 3; c++) {
            const double way =
                vxe_state_position(workspace->state, c, (uint32_t)magnets->slot[k]) - reference[c];
            way2 += way * way;
        }
        far2 = fmax(far2, way2);
    }
    return sqrt(far2);
}

/* T: how far a field goes from one time to another, at most, within a distance (m). */
static double field_way(const vxe_magnet_field *from, const vxe_magnet_field *to, double distance)
{
    double uniform2 = 0;
    double gradient2 = 0;
    for (int c = 0; c < 3; c++) {
        uniform2 += (to->uniform[c] - from->uniform[c]) * (to->uniform[c] - from->uniform[c]);
        for (int e = 0; e < 3; e++) {
            const double change = to->gradient[c][e] - from->gradient[c][e];
            gradient2 += change * change;
        }
    }
    return sqrt(uniform2) + sqrt(gradient2) * distance;
}

/* J: of an external magnetic field that changes: the sizes of all moments, times how far it goes,
   by its values at several times, or at the fastest change of the run, whichever is more. */
static double work_of_magnetic_field(const vxe_energy_guard *guard, const vxe_workspace *workspace)
{
    const vxe_magnets *magnets = workspace->model->magnets;
    const vxe_magnet_field none = {0};
    const double since = guard->now.time - guard->before.time;
    vxe_magnet_field last = vxe_magnets_field_at(magnets, guard->before.time);
    const double distance = farthest_magnet(workspace, last.reference);
    double strongest = fmax(magnets->largest, field_way(&none, &last, distance));
    double way = 0;
    for (int t = 1; t <= FIELD_TIMES; t++) {
        const vxe_magnet_field next =
            vxe_magnets_field_at(magnets, guard->before.time + since * t / FIELD_TIMES);
        way += field_way(&last, &next, distance);
        strongest = fmax(strongest, field_way(&none, &next, distance));
        last = next;
    }
    const double fastest = magnets->shortest > 0 ? TURN * magnets->largest / magnets->shortest : 0;
    double moment = 0;
    for (uint32_t k = 0; k < magnets->count; k++) {
        const double *m = magnets->moment + 3 * (size_t)k;
        moment += sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]) +
                  (magnets->soft ? magnets->soft[k] * strongest : 0);
    }
    return moment * fmax(way, fastest * since);
}

void vxe_guard_find_carried(const vxe_energy_guard *guard)
{
    const vxe_model *model = guard->model;
    for (uint32_t i = 0; i < 2 * model->slots; i++) {
        guard->carried[i] = 0;
    }
    for (uint32_t d = 0; d < model->driven_count; d++) {
        const vxe_driven_freedom *freedom = &model->driven[d];
        const vxe_time_table *table = &model->tables[freedom->region];
        const double jump = /* of the first step, where a table does not begin with 0 */
            guard->before.step == 0 ? fabs(vxe_time_table_at(table, guard->before.time)) : 0;
        guard->carried[2 * (size_t)freedom->slot + freedom->freedom / 3] +=
            fabs(freedom->amount) *
            (jump + variation_of(table, guard->before.time, guard->now.time));
    }
}

static double size_of(const double force[3])
{
    return sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
}

/* J: of prescribed motion: twice its ways times the forces against it as they are now, and as they
   are where bonds take up the whole way. */
static double work_of_motion(const vxe_energy_guard *guard, vxe_workspace *workspace)
{
    const vxe_model *model = guard->model;
    const vxe_kernel_arrays *s = &workspace->arrays;
    double work = 0;
    vxe_bond_place place = {.at = UINT64_MAX};
    while (vxe_bond_next(model, &place)) {
        const double *lower = guard->carried + 2 * (size_t)place.lower;
        const double *upper = guard->carried + 2 * (size_t)place.upper;
        const double way = lower[0] + upper[0];
        const double turn = lower[1] + upper[1];
        if (way + turn > 0) {
            const vxe_bond_sample bond = vxe_bond_measure(workspace, &place);
            const double mass = fmax(number_at(workspace, s->mass, place.lower),
                                     number_at(workspace, s->mass, place.upper));
            const double k = model->w0 * model->w0 * mass;
            const double moment = fmax(size_of(bond.moment_lower), size_of(bond.moment_upper));
            const double all = way + turn * s->edge;
            work += 2 * (size_of(bond.force) * way + moment * turn + k * all * all);
        }
    }
    for (uint32_t i = 0; i < model->topology.voxel_count; i++) {
        const double *way = guard->carried + 2 * (size_t)i;
        double load[6] = {0};
        for (int c = 0; c < 6 && workspace->magnets; c++) {
            load[c] = number_at(workspace, workspace->magnets->load[c], i);
        }
        const double weight = number_at(workspace, s->mass, i) * size_of(s->gravity);
        const double depth = s->floor_stiffness ? vxe_floor_contact_measure(workspace, i).depth : 0;
        const double floor =
            number_at(workspace, s->floor_stiffness, i) * (fmax(depth, 0) + way[0]);
        work += 2 * ((weight + floor + size_of(load)) * way[0] + size_of(load + 3) * way[1]);
    }
    return work;
}

double vxe_guard_work_beside(vxe_energy_guard *guard, vxe_workspace *workspace)
{
    const vxe_model *model = guard->model;
    const vxe_guard_look *before = &guard->before;
    vxe_guard_look *now = &guard->now;
    double work = 0;
    if ((guard->swelled || guard->carried) &&
        (model->surface.count > 0 || model->arrays.floor_stiffness || model->particles)) {
        work += work_of_faces(guard, workspace);
    }
    if (now->stiffened != before->stiffened) { /* at most what springs hold then */
        work += now->energy[VXE_GUARD_ELASTIC] + now->energy[VXE_GUARD_FLOOR] +
                now->energy[VXE_GUARD_CONTACT];
    }
    if (model->field.acts || model->arrays.load[3] ||
        (model->arrays.faces && model->arrays.fluid_lift > 0)) {
        now->forcing = forcing_of(guard, workspace);
        work += work_of_forcing(before, now);
    }
    if (model->magnets) {
        work += work_of_magnetic_field(guard, workspace);
    }
    if (model->driven_count > 0) {
        work += work_of_motion(guard, workspace);
    }
    return work;
}

double vxe_guard_uncertain(const vxe_energy_guard *guard, const vxe_workspace *workspace)
{
    const vxe_magnets *magnets = guard->model->magnets;
    if (!magnets) {
        return 0;
    }
    const double part = magnets->reach < HUGE_VAL ? CUT_PART : ROUNDED_PART;
    double power = 0;
    for (uint32_t k = 0; k < magnets->count && magnets->every > 1; k++) {
        const uint32_t i = (uint32_t)magnets->slot[k];
        for (int c = 0; c < 6; c++) {
            const double rate = c < 3 ? vxe_state_velocity(workspace->state, c, i)
                                      : vxe_state_spin(workspace->state, c - 3, i);
            power += fabs(rate * number_at(workspace, workspace->magnets->load[c], i));
        }
    }
    return part * fabs(guard->now.energy[VXE_GUARD_MAGNETIC]) +
           power * magnets->every * workspace->state->time_step;
}
