/* SPDX-License-Identifier: MIT */
/* What is told of affine bodies, see vxe_observation. */
#ifndef VXE_ENGINE_AFFINE_AFFINE_OBSERVATIONS_H
#define VXE_ENGINE_AFFINE_AFFINE_OBSERVATIONS_H

#include "engine/affine/affine_group.h"
#include "engine/world.h"

typedef struct vxe_observer {
    char name[64];
    vxe_observation_kind gives;
    uint32_t body;
    vxe_expression of, when;
    bool reads_load; /* they read the force of what it touches */
    double azimuth;  /* rad: as it was last, counted on */
    uint64_t samples;
    double first, last, max, min, sum;
    double first_time, last_time; /* s */
    bool falling;                 /* from a maximum that counts */
    double top, top_time;         /* the largest since the last minimum */
    double turning;               /* the least since the last maximum */
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

/* Looks at the bodies at a time. */
void vxe_observers_take(vxe_observers *observers, const vxe_affine_group *group, double time);

/* What an observer tells so far but peaks; NaN where there is nothing to tell yet. */
double vxe_observer_value(const vxe_observer *observer);

#endif
