/* SPDX-License-Identifier: MIT */
/* The numbers that the sizes of voxels follow from. */
#ifndef VXE_ENGINE_VOXELS_ACTUATION_H
#define VXE_ENGINE_VOXELS_ACTUATION_H

/* Of a voxel. */
enum {
    VXE_SIZE_STRAIN,    /* amplitude of the wave */
    VXE_SIZE_FREQUENCY, /* factor on the actuation's */
    VXE_SIZE_PHASE,     /* cycles */
    VXE_SIZE_INITIAL,   /* factor at birth, less 1 */
    VXE_SIZE_GROWTH,    /* what it grows by beyond that */
    VXE_SIZE_START,     /* s */
    VXE_SIZE_RATE,      /* 1/s */
    VXE_SIZE_GROUP,
    VXE_ACTUATION_VALUES
};

/* Of a time, for all voxels. */
enum {
    VXE_CLOCK_SINE, /* of the wave, times the envelope */
    VXE_CLOCK_COSINE,
    VXE_CLOCK_TIME,     /* s */
    VXE_CLOCK_CYCLES,   /* of the actuation */
    VXE_CLOCK_ENVELOPE, /* of the wave, 0 to 1 */
    VXE_CLOCK_MIN,      /* bounds of 1 + strain */
    VXE_CLOCK_MAX,
    VXE_CLOCK_WARMEST, /* bound of the wave, whatever it does to a voxel */
    VXE_CLOCK_BORN,    /* part of the initial size that is reached */
    VXE_CLOCK_EDGE,    /* m */
    VXE_CLOCK_NUMBERS
};

#endif
