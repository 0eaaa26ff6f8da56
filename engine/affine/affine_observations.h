/* SPDX-License-Identifier: MIT */
/* Observers of affine bodies: each collects one vxe_observation over a run (lattice/affine.h). */
#ifndef VXE_ENGINE_AFFINE_AFFINE_OBSERVATIONS_H
#define VXE_ENGINE_AFFINE_AFFINE_OBSERVATIONS_H

#include "engine/affine/affine_group.h"
#include "engine/world.h"

typedef struct vxe_observer {
    char name[64];
    vxe_observation_kind gives;
    uint32_t body;
    vxe_expression of, when;
    bool reads_load; /* the formulas read the contact force, which is expensive to compute */
    double azimuth;  /* rad: of the last sample, counted on beyond a full turn */
    uint64_t samples;
    double first, last, max, min, sum;
    double first_time, last_time; /* s */
    bool falling;                 /* from a maximum that counts */
    double top, top_time;         /* maximum since the last minimum, and its time (s) */
    double turning;               /* minimum since the last maximum */
    double first_peak, last_peak; /* s */
    uint32_t peak_count;
    double peaks[VXE_MAX_PEAKS];
} vxe_observer;

typedef struct vxe_observers {
    vxe_observer *items; /* (count) */
    uint32_t count;
} vxe_observers;

vxe_status vxe_observers_init(vxe_observers *observers, const vxe_design *design, vxe_error *error);
void vxe_observers_clear(vxe_observers *observers);

/* Samples the bodies at a time (s). */
void vxe_observers_take(vxe_observers *observers, const vxe_affine_group *group, double time);

/* The value of an observer so far; NaN if it has no samples, or too few. Not of peaks. */
double vxe_observer_value(const vxe_observer *observer);

#endif
