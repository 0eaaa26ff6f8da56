/* SPDX-License-Identifier: MIT */
/* Edge growth of a voxel at a time, for bodies whose voxels do not all follow one wave
   (docs/physics.md, Actuation and growth): l = a grown f (1 + e), e = A sin(2 pi (nu t + phase))
   within the actuation's bounds, grown the factor of the voxel's growth, f the factor of its group.
   Each function is one lane of a vector loop, shared by the single-body solver and robots in lanes.
   Computed in double, since cycles are counted from the start. */
#ifndef VXE_ENGINE_VOXELS_ACTUATION_LAW_H
#define VXE_ENGINE_VOXELS_ACTUATION_LAW_H

#include <math.h>
#include <stddef.h>

#include "engine/core/arrays.h"

/* sin(2 pi cycles) within 1e-13, by Taylor's series on a quarter turn to each side. */
VXE_INLINE double wave(double cycles)
{
    const double turn = cycles - floor(cycles + 0.5); /* -1/2 to 1/2 */
    const double folded = turn > 0.25 ? 0.5 - turn : (turn < -0.25 ? -0.5 - turn : turn);
    const double x = 6.28318530717958647693 * folded;
    const double z = x * x;
    double s = 1.0 / 355687428096000.0;
    s = s * z - 1.0 / 1307674368000.0;
    s = s * z + 1.0 / 6227020800.0;
    s = s * z - 1.0 / 39916800.0;
    s = s * z + 1.0 / 362880.0;
    s = s * z - 1.0 / 5040.0;
    s = s * z + 1.0 / 120.0;
    s = s * z - 1.0 / 6.0;
    return x + x * (z * s);
}

VXE_INLINE double within(double value, double min, double max)
{
    const double above = value > min ? value : min;
    return above < max ? above : max;
}

/* What an edge is made of at a time. */
typedef struct edge_parts {
    double cycles;    /* of the voxel's wave */
    double warmth;    /* of the wave, up to the warmest */
    double strain;    /* e */
    double expansion; /* 1 + e within its bounds */
    double grown;
} edge_parts;

/* The parts for a voxel whose numbers (VXE_SIZE_) stand stride apart. The clock's numbers
   (VXE_CLOCK_) stand clock_stride apart. */
VXE_INLINE edge_parts edge_parts_at(const vxe_real *const law[VXE_ACTUATION_VALUES], ptrdiff_t i,
                                    const double *clock, ptrdiff_t clock_stride)
{
    const double time = clock[VXE_CLOCK_TIME * clock_stride];
    const double cycles =
        (double)law[VXE_SIZE_FREQUENCY][i] * clock[VXE_CLOCK_CYCLES * clock_stride] +
        (double)law[VXE_SIZE_PHASE][i];
    const double warmth = wave(cycles);
    const double warmest = clock[VXE_CLOCK_WARMEST * clock_stride];
    const double bounded = warmth < warmest ? warmth : warmest;
    const double strain =
        clock[VXE_CLOCK_ENVELOPE * clock_stride] * ((double)law[VXE_SIZE_STRAIN][i] * bounded);
    const double expansion = within(1 + strain, clock[VXE_CLOCK_MIN * clock_stride],
                                    clock[VXE_CLOCK_MAX * clock_stride]);
    const double age =
        within((time - (double)law[VXE_SIZE_START][i]) * (double)law[VXE_SIZE_RATE][i], 0, 1);
    const double grown =
        1 + clock[VXE_CLOCK_BORN * clock_stride] *
                ((double)law[VXE_SIZE_INITIAL][i] + (double)law[VXE_SIZE_GROWTH][i] * age);
    return (edge_parts){cycles, bounded, strain, expansion, grown};
}

/* Edge growth (m) of that voxel, whose group has the factor. */
VXE_INLINE vxe_real edge_growth_at(const vxe_real *const law[VXE_ACTUATION_VALUES], ptrdiff_t i,
                                   const double *clock, ptrdiff_t clock_stride, double factor)
{
    const edge_parts parts = edge_parts_at(law, i, clock, clock_stride);
    return (vxe_real)(clock[VXE_CLOCK_EDGE * clock_stride] *
                      (parts.grown * factor * parts.expansion - 1));
}

/* What edge growth changes with the voxel's strain amplitude, the phase and the frequency of its
   wave (m by 1, cycles, and frequencies of the actuation), and the factor of its group. Bounds that
   act pass nothing. */
typedef struct edge_slopes {
    double strain, phase, frequency, factor;
} edge_slopes;

VXE_INLINE edge_slopes edge_slopes_at(const vxe_real *const law[VXE_ACTUATION_VALUES], ptrdiff_t i,
                                      const double *clock, ptrdiff_t clock_stride, double factor)
{
    const edge_parts parts = edge_parts_at(law, i, clock, clock_stride);
    const double all = clock[VXE_CLOCK_EDGE * clock_stride] * parts.grown;
    const double envelope = clock[VXE_CLOCK_ENVELOPE * clock_stride];
    const double above = 1 + parts.strain > clock[VXE_CLOCK_MIN * clock_stride] ? 1 : 0;
    const double free = 1 + parts.strain < clock[VXE_CLOCK_MAX * clock_stride] ? above : 0;
    const double cools = parts.warmth < clock[VXE_CLOCK_WARMEST * clock_stride] ? free : 0;
    const double by_strain = all * factor * envelope;
    const double by_phase = cools * by_strain * (double)law[VXE_SIZE_STRAIN][i] *
                            (6.28318530717958647693 * wave(parts.cycles + 0.25));
    return (edge_slopes){free * by_strain * parts.warmth, by_phase,
                         by_phase * clock[VXE_CLOCK_CYCLES * clock_stride], all * parts.expansion};
}

/* Edge growth (m) where the sine and cosine of the actuation's phase have these values. */
VXE_INLINE vxe_real edge_growth_of_wave(vxe_real by_sine, vxe_real by_cosine, vxe_real sine,
                                        vxe_real cosine)
{
    return vxe_fma(by_sine, sine, by_cosine * cosine);
}

#endif
