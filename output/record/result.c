/* SPDX-License-Identifier: MIT */
/* Writes the result of a run as JSON. docs/results.md lists the keys. */
#include "output/record/result.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/file_internal.h"
#include "common/memory.h"
#include "common/status_internal.h"
#include "lattice/formats/json_memory.h"

double vxe_result_displacement(const vxe_result *result, const vxe_world *world)
{
    double now[3];
    vxe_world_center_of_mass(world, now, NULL);
    return hypot(now[0] - result->start[0], now[1] - result->start[1]);
}

double vxe_result_body_lengths_per_second(const vxe_result *result, const vxe_world *world)
{
    const double time = vxe_world_time(world) - result->start_time;
    return time > 0 && result->extent > 0
               ? vxe_result_displacement(result, world) / result->extent / time
               : 0;
}

double vxe_result_bond_rate(const vxe_result *result, const vxe_world *world)
{
    const vxe_world_facts facts = vxe_world_describe(world);
    return result->wall_seconds > 0
               ? (double)facts.bonds * (double)vxe_world_steps(world) / result->wall_seconds
               : 0;
}

const char *vxe_step_rule_name(vxe_step_rule rule)
{
    return rule == VXE_STEP_AUTO ? "auto" : rule == VXE_STEP_SOURCE ? "source" : "seconds";
}

const char *vxe_damping_scheme_name(vxe_damping_scheme scheme)
{
    return scheme == VXE_DAMPING_EXPLICIT ? "explicit"
           : scheme == VXE_DAMPING_SWEEP  ? "sweep"
                                          : "auto";
}

/* Names and notes may hold bytes that are not UTF-8, which JSON cannot hold. */
static json_t *text_of(const char *text)
{
    json_t *string = json_string(text);
    return string ? string : json_string("(not UTF-8)");
}

static json_t *vector(const double v[3])
{
    return json_pack("[f, f, f]", v[0], v[1], v[2]);
}

bool vxe_result_failed(const vxe_result *result)
{
    return strcmp(result->status, "diverged") == 0 || strcmp(result->status, "unphysical") == 0;
}

/* Stores a number, or null where it is not finite. */
static void put(json_t *object, const char *key, double value)
{
    json_object_set_new(object, key, isfinite(value) ? json_real(value) : json_null());
}

static void put_motion(json_t *root, const vxe_result *result, const vxe_world *world)
{
    const bool good = !vxe_result_failed(result);
    const vxe_world_facts facts = vxe_world_describe(world);
    const double edge = facts.voxels > 0 ? facts.voxel_size : (double)NAN;
    double now[3];
    vxe_world_center_of_mass(world, now, NULL);
    json_object_set_new(root, "center_of_mass_start_m", vector(result->start));
    json_object_set_new(root, "center_of_mass_m", good ? vector(now) : json_null());
    put(root, "displacement_m", good ? vxe_result_displacement(result, world) : (double)NAN);
    put(root, "displacement_voxels",
        good ? vxe_result_displacement(result, world) / edge : (double)NAN);
    put(root, "speed_body_lengths_per_s",
        good ? vxe_result_body_lengths_per_second(result, world) : (double)NAN);
    if (result->fitness) {
        const char *unit = result->design ? vxe_design_fitness_unit(result->design).name : "";
        put(root, "fitness", good ? *result->fitness : (double)NAN);
        json_object_set_new(root, "fitness_unit", unit[0] ? json_string(unit) : json_null());
    }
}

/* Lists mass, position and velocity of each body where there is more than one. */
static void put_bodies(json_t *root, const vxe_result *result, const vxe_world *world)
{
    const uint32_t count = vxe_world_describe(world).bodies;
    const bool good = !vxe_result_failed(result);
    vxe_body *bodies = count > 1 && good ? vxe_memory_take(count, sizeof *bodies) : NULL;
    if (!bodies) {
        return;
    }
    json_t *list = json_array();
    vxe_world_bodies(world, bodies);
    for (uint32_t b = 0; b < count; b++) {
        json_t *body = json_object();
        json_object_set_new(body, "voxels", json_integer((json_int_t)bodies[b].voxels));
        put(body, "mass_kg", bodies[b].mass);
        json_object_set_new(body, "center_of_mass_m", vector(bodies[b].center));
        json_object_set_new(body, "velocity_m_per_s", vector(bodies[b].velocity));
        json_array_append_new(list, body);
    }
    json_object_set_new(root, "bodies", list);
    vxe_memory_release(bodies);
}

/* Lists affine bodies: pose, motion and contact force. */
static json_t *affine_bodies(const vxe_world *world)
{
    json_t *list = json_array();
    for (uint32_t b = 0; b < vxe_world_describe(world).affine; b++) {
        vxe_affine_pose pose;
        vxe_world_affine(world, b, &pose);
        json_t *deformation = json_array();
        for (int i = 0; i < 9; i++) {
            json_array_append_new(deformation, json_real(pose.deformation[i]));
        }
        json_t *body = json_object();
        json_object_set_new(body, "name", text_of(pose.name));
        put(body, "mass_kg", pose.mass);
        json_object_set_new(body, "center_m", vector(pose.center));
        json_object_set_new(body, "velocity_m_per_s", vector(pose.velocity));
        json_object_set_new(body, "deformation", deformation);
        json_object_set_new(body, "contact_force_N", vector(pose.contact_force));
        json_array_append_new(list, body);
    }
    return list;
}

/* Lists the observations that the design asks for. */
static json_t *observations(const vxe_world *world)
{
    json_t *told = json_object();
    for (uint32_t i = 0; i < vxe_world_observation_count(world); i++) {
        vxe_observed observed;
        vxe_world_observed(world, i, &observed);
        if (observed.gives != VXE_OBSERVE_PEAKS) {
            put(told, observed.name, observed.value);
            continue;
        }
        json_t *peaks = json_array();
        for (uint32_t k = 0; k < observed.peaks && k < VXE_MAX_PEAKS; k++) {
            json_array_append_new(peaks, json_real(observed.peak[k]));
        }
        json_object_set_new(told, observed.name, peaks);
    }
    return told;
}

static void put_energy(json_t *root, const vxe_world *world)
{
    const vxe_energy energy = vxe_world_energy(world);
    json_t *object = json_object();
    put(object, "kinetic", energy.kinetic);
    put(object, "elastic", energy.elastic);
    put(object, "floor", energy.floor);
    put(object, "contact", energy.contact);
    put(object, "gravity", energy.gravity);
    put(object, "magnetic", energy.magnetic);
    if (energy.time > 0) { /* the energy audit ran */
        put(object, "dissipated_bonds", energy.dissipated_bonds);
        put(object, "dissipated_plastic", energy.dissipated_plastic);
        put(object, "dissipated_global", energy.dissipated_global);
        put(object, "dissipated_contact", energy.dissipated_contact);
        put(object, "dissipated_friction", energy.dissipated_friction);
        put(object, "dissipated_viscous", energy.dissipated_viscous);
        put(object, "dissipated_growth", energy.dissipated_growth);
        put(object, "given_to_fluid", energy.given_to_fluid);
        put(object, "work_actuation", energy.work_actuation);
        put(object, "work_external", energy.work_external);
        put(object, "work_gravity", energy.work_gravity);
        put(object, "work_magnetic", energy.work_magnetic);
        put(object, "balance", energy.balance);
        put(object, "balance_drift", energy.balance - energy.balance_start);
        put(object, "balance_gain", vxe_energy_gain(&energy));
        put(object, "rounding", energy.rounding);
    }
    json_object_set_new(root, "energy_J", object);
}

/* What the shadow says of the step, where there was one. */
static void put_step_error(json_t *root, const vxe_step_error *told)
{
    if (!told || told->periods == 0) {
        return;
    }
    json_t *object = json_object();
    put(object, "part", told->part);
    put(object, "deviation", told->deviation);
    json_object_set_new(object, "periods", json_integer((json_int_t)told->periods));
    put(object, "way_m", told->way);
    json_object_set_new(root, "step_error", object);
}

/* Counts contact events, where the design has contact models. */
static void put_contacts(json_t *root, const vxe_world *world)
{
    uint64_t events[VXE_CONTACT_EVENTS];
    if (vxe_world_describe(world).particles == 0) {
        return;
    }
    json_t *object = json_object();
    vxe_world_contact_events(world, events);
    json_object_set_new(object, "closed", json_integer((json_int_t)vxe_world_contacts(world)));
    json_object_set_new(object, "activated",
                        json_integer((json_int_t)events[VXE_CONTACT_ACTIVATED]));
    json_object_set_new(object, "slip_began",
                        json_integer((json_int_t)events[VXE_CONTACT_SLIP_BEGAN]));
    json_object_set_new(object, "slip_ended",
                        json_integer((json_int_t)events[VXE_CONTACT_SLIP_ENDED]));
    json_object_set_new(root, "contacts", object);
}

static json_t *warnings_of(const vxe_result *result, const vxe_world *world)
{
    json_t *warnings = json_array();
    for (uint32_t i = 0; i < vxe_world_warning_count(world); i++) {
        json_array_append_new(warnings, text_of(vxe_world_warning(world, i)));
    }
    for (uint32_t i = 0; result->design && i < vxe_design_note_count(result->design); i++) {
        json_array_append_new(warnings, text_of(vxe_design_note(result->design, i)));
    }
    return warnings;
}

static json_t *result_object(const vxe_result *result, const vxe_world *world)
{
    const vxe_world_facts facts = vxe_world_describe(world);
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, vxe_world_hash(world));
    json_t *root = json_object();
    json_object_set_new(root, "status", json_string(result->status));
    json_object_set_new(root, "message", json_string(result->message));
    json_object_set_new(root, "steps", json_integer((json_int_t)vxe_world_steps(world)));
    put(root, "time_s", vxe_world_time(world));
    put(root, "duration_s", vxe_world_time(world));
    put(root, "timestep_s", facts.time_step);
    json_object_set_new(root, "timestep_rule", json_string(vxe_step_rule_name(facts.step_rule)));
    put(root, "highest_frequency_rad_per_s", facts.highest_frequency);
    json_object_set_new(root, "damping_scheme",
                        json_string(vxe_damping_scheme_name(facts.damping)));
    json_object_set_new(root, "damping_sweeps", json_integer((json_int_t)facts.damping_sweeps));
    json_object_set_new(root, "conventions", json_string(facts.conventions));
    if (result->design) {
        json_object_set_new(root, "written_for", text_of(result->design->written_for));
        json_object_set_new(root, "written_for_by", text_of(result->design->written_for_by));
        json_object_set_new(root, "written_for_guessed",
                            json_boolean(result->design->written_for_guessed));
    }
    json_object_set_new(root, "voxels", json_integer((json_int_t)facts.voxels));
    json_object_set_new(root, "bonds", json_integer((json_int_t)facts.bonds));
    put(root, "mass_kg", facts.mass);
    json_object_set_new(root, "precision", json_string(facts.precision));
    json_object_set_new(root, "threads", json_integer((json_int_t)facts.threads));
    json_object_set_new(root, "isa", json_string(facts.isa));
    put_motion(root, result, world);
    put_bodies(root, result, world);
    if (facts.affine > 0) {
        json_object_set_new(root, "affine_bodies", affine_bodies(world));
        json_object_set_new(root, "observations", observations(world));
    }
    put_energy(root, world);
    put_contacts(root, world);
    put_step_error(root, result->step_error);
    put(root, "max_strain", result->max_strain);
    put(root, "wall_s", result->wall_seconds);
    put(root, "bond_updates_per_s", vxe_result_bond_rate(result, world));
    json_object_set_new(root, "state_hash", json_string(hash));
    json_object_set_new(root, "warnings", warnings_of(result, world));
    return root;
}

/* Writes the result; whether the stream took it is for the caller to check. */
static vxe_status put_result(const vxe_result *result, const vxe_world *world, FILE *stream,
                             vxe_error *error)
{
    VXE_ASSERT(result->status && result->message);
    const uint64_t failures = vxe_json_watch();
    json_t *root = result_object(result, world);
    const int failed = json_dumpf(root, stream, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    json_decref(root);
    fputc('\n', stream);
    const vxe_status status = vxe_memory_check(failures, error);
    return !status && failed && !ferror(stream)
               ? vxe_error_fill(error, VXE_ERROR_SYSTEM, "the result is no JSON")
               : status;
}

vxe_status vxe_result_print(const vxe_result *result, const vxe_world *world, FILE *stream,
                            vxe_error *error)
{
    const vxe_status status = put_result(result, world, stream, error);
    return !status && (fflush(stream) || ferror(stream))
               ? vxe_error_fill(error, VXE_ERROR_SYSTEM, "cannot write the result")
               : status;
}

vxe_status vxe_result_write(const vxe_result *result, const vxe_world *world, const char *path,
                            vxe_error *error)
{
    vxe_file_writer writer;
    vxe_status status = vxe_file_begin(&writer, path, error);
    if (status) {
        return status;
    }
    status = put_result(result, world, writer.stream, error);
    if (status) {
        vxe_file_abandon(&writer);
        return status;
    }
    return vxe_file_commit(&writer, error);
}
