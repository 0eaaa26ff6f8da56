/* SPDX-License-Identifier: MIT */
/* Contacts between voxels, for a body of either schedule: pairs near each other lie anywhere, so
   they are gathered and computed batch by batch, with the same bits in both. */
#ifndef VXE_ENGINE_CONTACT_CONTACT_KERNELS_H
#define VXE_ENGINE_CONTACT_CONTACT_KERNELS_H

#include <math.h>
#include <stddef.h>

#include "engine/model/workspace.h"

/* Voxels that are looked at together. */
#define VXE_NEIGHBOR_BATCH 16u

/* Surfaces of no more voxels are searched without a grid, in batches. */
#define VXE_MAX_WITHOUT_GRID 512u

/* Most voxels near one: those of uncrushed bodies are fewer than 20,
   without those two cells away. A multiple of VXE_BUNDLE. */
#define VXE_MAX_NEIGHBORS 64u

/* The Voxelyze family's spheres: their diameter in edges. */
#define VXE_SPHERE 1.25f
/* The cells' diameter in edges: root of 3. */
#define VXE_CORNERS 1.7320508f

/* How far some voxel went in h seconds at most, by the components of all velocities. */
static inline double vxe_motion_bound_travel(const vxe_motion_bound *motion, double h)
{
    double square = 0;
    for (int c = 0; c < 3; c++) {
        const double max = fmax(fabs(motion->slowest[c]), fabs(motion->fastest[c]));
        square += max * max;
    }
    return h * sqrt(square);
}

/* The bit of those that contacts load. */
#define VXE_LOADED_BY_CONTACTS 1u

/* Where the numbers of a body's voxels are: a field's at place * stride, its loads at place *
 * load_stride. */
typedef struct vxe_body_view {
    vxe_reals *x[3];
    vxe_reals *x_low[3]; /* with mixed precision */
    vxe_reals *q[4];
    vxe_reals *v[3];
    vxe_reals *w[3];
    vxe_reals *edge_growth;
    vxe_reals *load[6];    /* N and N m of contacts */
    uint8_t *loaded;       /* VXE_LOADED_BY_CONTACTS is set where a voxel of places [n << shift,
                              (n + 1) << shift) has a load */
    const uint32_t *place; /* by slot; null: the slot itself */
    size_t stride;
    size_t load_stride;
    uint32_t shift;
} vxe_body_view;

/* How the voxels of a surface stood at some time, in some order. */
typedef struct vxe_surface_snapshot {
    float *x[3];      /* (3, N) m about the first of them */
    float *q[4];      /* (4, N) */
    float *size;      /* (N) m: edges */
    int32_t *cell[3]; /* (3, N) of the lattice */
    int32_t *open;    /* (N) 1 where a face is free now */
} vxe_surface_snapshot;

/* Numbers of a voxel that stand side by side. */
#define VXE_ROW 8

/* Pairs that follow each other in a list: they sleep, wake and are looked at together. */
#define VXE_BUNDLE VXE_NEIGHBOR_BATCH

/* Pairs of voxels, and what orders their bundles by when one of them may touch. */
typedef struct vxe_pairs {
    uint32_t *of[2];   /* (2, pairs) places in the surface's list, the lower one first */
    uint32_t *next;    /* (bundles) the next one that wakes with it, or VXE_NONE */
    uint16_t *touch;   /* (bundles) a bit for each pair that may touch before its bundle wakes */
    uint64_t *touched; /* by ranges, a bit for each bundle that has such pairs */
} vxe_pairs;

/* Bundles of a word of touched. */
#define VXE_TOUCHED_BITS 64u
/* Cells of the lattice between voxels whose pairs are in the constant lists; nearer ones never
   collide, but for those of different parts, which are in the lists too. */
#define VXE_CELLS_APART 2

/* Lists of pairs, in the order in which a voxel's loads are added. The constant ones are those of
 * VXE_CELLS_APART: bundles are alike where what keeps their pairs apart is. */
typedef enum vxe_pairs_kind {
    VXE_PAIRS_FACING,   /* two cells apart along one axis and one along another at most; or nearer,
                           and of two parts */
    VXE_PAIRS_SLANTING, /* two along one and one along both others */
    VXE_PAIRS_DIAGONAL, /* two along more than one */
    VXE_PAIRS_LISTED,   /* the others that were near when the lists were made */
    VXE_PAIRS_KINDS
} vxe_pairs_kind;

/* A bundle of some kind that is looked at. */
typedef struct vxe_woken {
    uint32_t bundle;
    uint32_t kind; /* vxe_pairs_kind */
} vxe_woken;

/* What may bring two voxels closer to touching. Both must have: a bundle sleeps by the clock that
 * keeps its pairs apart for longer. That of faces is never the slower one. */
typedef enum vxe_approach {
    VXE_APPROACH_FACES,    /* the faces' heights above each other: moving, growing and turning */
    VXE_APPROACH_DISTANCE, /* the distance of their centres: moving and growing */
    VXE_APPROACHES
} vxe_approach;

/* Ticks of a wheel, one for each clock. It turns as voxels may approach each other; a bundle
 * sleeps until the tick comes to which it was put for what kept its pairs apart. A power of two.
 */
#define VXE_WHEEL_TICKS 128u

/* A surface as it stood at some time, sorted into a grid or along a curve, and its pairs. */
typedef struct vxe_neighbor_list {
    const vxe_surface *surface;    /* N voxels */
    uint8_t *faces;                /* (N) free ones now */
    uint32_t stood;                /* voxels that can collide, M: those that stand */
    vxe_surface_snapshot snapshot; /* in the order of the surface's list, or sorted already */
    vxe_surface_snapshot sorted;   /* box by box; the same arrays where there is no grid */
    int32_t *state_index;          /* (N) of the surface's list: where a body has a voxel's state */
    int32_t *stands;               /* (N) likewise, in the order of the standing */
    vxe_reals *pose;               /* (N, VXE_ROW) of the surface's list, as it stood when
                                      bundles were last due: place, orientation, how much the edge
                                      has grown */
    vxe_reals *rest;               /* (N, VXE_ROW) likewise, what they are: see settle */
    vxe_reals *load;               /* (N, VXE_ROW) N and N m of those that have loads */
    float reach;                   /* m: voxels farther apart than that are not listed */
    float face_reach;              /* m: nor such as would not touch if they came closer by that */
    float slack;                   /* m: what floats may round away of a distance */
    float arm;       /* m: while voxels are no farther apart, the clock of faces counts their
                        turning in */
    int32_t *box[3]; /* (3, N) of a grid whose boxes are reach wide */
    float *low[3];   /* (3, batches) m: bounds of each VXE_NEIGHBOR_BATCH of them; where there
                        is no grid */
    float *high[3];
    uint32_t *from;  /* (N) places in the surface's list of those that are sorted */
    uint32_t *place; /* (N) where a voxel of that list is sorted to; where there is a grid */
    uint32_t side;   /* boxes along each side of the grid, a power of two; boxes beyond wind round
                        it. 1: there is no grid */
    uint32_t *first_of;               /* (side^3 + 1) first sorted voxel of a box */
    vxe_pairs pairs[VXE_PAIRS_KINDS]; /* (N * VXE_MAX_NEIGHBORS) of those listed */
    vxe_woken *woken; /* (bundles of all kinds) those that are looked at, for a moment */
    uint32_t
        *found[2];  /* (2, N * VXE_MAX_NEIGHBORS) pairs as they are found, where there is no grid */
    uint8_t *count; /* (N) listed pairs in which a voxel of the surface's list is */
    float tick;     /* m that a pair may come closer by from one tick of the wheels to the next */
    float rate_ratio; /* how many times as fast the clock of faces went as that of distance in the
                    last step: chooses the one that a bundle sleeps by, either of which is right */
    float close; /* m: pairs closer to touching are computed in every step: a tick or more, so that
                    all others sleep until one comes */
    float per_meter;               /* 1/m */
    float since[VXE_APPROACHES];   /* m: beyond, less the slack */
    double beyond[VXE_APPROACHES]; /* m: what it may have come closer by since the last tick */
    uint64_t turn[VXE_APPROACHES]; /* ticks that have come since the beginning */
    bool due;                      /* a tick has come, or lists are new: bundles are looked at */
    bool waits;         /* constant pairs are on the wheels; else all must be looked at */
    uint32_t *pushed;   /* (N) voxels that have loads, see vxe_neighbor_part */
    uint8_t *is_pushed; /* (N) 1 for those */
} vxe_neighbor_list;

/* Pairs [first, first + count): ahead those with a voxel below a part, which another part has too,
   then those with voxels above, by the lower one and then the other. first is a multiple of
   VXE_BUNDLE. */
typedef struct vxe_pair_range {
    size_t first;
    size_t touched; /* its first word there */
    uint32_t count;
    uint32_t wheel[VXE_APPROACHES * VXE_WHEEL_TICKS]; /* the first bundle of each tick, or
                                                 VXE_NONE; bundles count from `first` on */
    uint64_t done[VXE_APPROACHES]; /* the last tick whose bundles were looked at */
} vxe_pair_range;

/* Voxels [first, last) of the surface and the pairs in which they are. */
typedef struct vxe_neighbor_part {
    uint32_t first, last;
    vxe_pair_range pairs[VXE_PAIRS_KINDS];
    uint32_t
        pushed; /* so many of its voxels have loads; they are noted from near->pushed + first */
    uint32_t crowded; /* the first of its voxels that has too many others near it, or VXE_NONE */
} vxe_neighbor_part;

/* How many ticks ahead of a clock's last one something is that must come closer by that (m),
 * which is a tick or more: at least one, since the last has been seen, and not so far that it
 * would come round to those that have been. */
static inline uint32_t vxe_ticks_ahead(const vxe_neighbor_list *neighbors, vxe_approach approach,
                                       float capacity)
{
    const float ahead = (capacity + neighbors->since[approach]) * neighbors->per_meter;
    const float max = (float)(VXE_WHEEL_TICKS - 1);
    const float to_come = ahead > 1 ? ahead : 1; /* also what is not a number */
    return (uint32_t)(to_come < max ? to_come : max);
}

/* The bundles of a range. */
static inline uint32_t vxe_bundles_of(const vxe_pair_range *range)
{
    return (range->count + VXE_BUNDLE - 1) / VXE_BUNDLE;
}

/* Puts a bundle of a range onto a wheel, so many ticks ahead of the one that has come. */
static inline void vxe_bundle_to_tick(const vxe_neighbor_list *neighbors, const vxe_pairs *pairs,
                                      vxe_pair_range *range, uint32_t bundle, vxe_approach approach,
                                      uint32_t ahead)
{
    const uint32_t tick = (uint32_t)(neighbors->turn[approach] + ahead) % VXE_WHEEL_TICKS;
    uint32_t *head = &range->wheel[approach * VXE_WHEEL_TICKS + tick];
    pairs->next[range->first / VXE_BUNDLE + bundle] = *head;
    *head = bundle;
}

/* Words of touched that a range of so many pairs has at most. */
static inline uint64_t vxe_words_of_touched(uint64_t pairs)
{
    return pairs / (VXE_BUNDLE * VXE_TOUCHED_BITS) + 1;
}

/* Notes which pairs of a bundle of a range may touch, a bit each. */
static inline void vxe_bundle_touches(const vxe_pairs *pairs, const vxe_pair_range *range,
                                      uint32_t bundle, uint32_t bits)
{
    uint64_t *word = &pairs->touched[range->touched + bundle / VXE_TOUCHED_BITS];
    const uint64_t bit = (uint64_t)1 << bundle % VXE_TOUCHED_BITS;
    pairs->touch[range->first / VXE_BUNDLE + bundle] = (uint16_t)bits;
    *word = bits ? *word | bit : *word & ~bit;
}

/* The first pair of a range from `at` on that may touch now, counted from the range's first one; or
 * something no less than their count. */
static inline uint32_t vxe_pair_touching(const vxe_pairs *pairs, const vxe_pair_range *range,
                                         uint32_t at)
{
    for (uint32_t bundle = at / VXE_BUNDLE; at < range->count; at = bundle * VXE_BUNDLE) {
        const uint32_t bits =
            (uint32_t)pairs->touch[range->first / VXE_BUNDLE + bundle] >> at % VXE_BUNDLE;
        if (bits) {
            return at + (uint32_t)__builtin_ctz(bits);
        }
        uint64_t next = 0;
        for (bundle++; !next && bundle * VXE_BUNDLE < range->count;) {
            next = pairs->touched[range->touched + bundle / VXE_TOUCHED_BITS] >>
                   bundle % VXE_TOUCHED_BITS;
            bundle = next ? bundle + (uint32_t)__builtin_ctzll(next)
                          : (bundle / VXE_TOUCHED_BITS + 1) * VXE_TOUCHED_BITS;
        }
    }
    return range->count;
}

typedef struct vxe_broad_phase_kernels {
    /* Fills the bounds of batches, where there is no grid. */
    void (*bound)(const vxe_neighbor_list *neighbors);
    /* Makes a part's lists. */
    void (*search)(const vxe_neighbor_list *neighbors, vxe_neighbor_part *part);
} vxe_broad_phase_kernels;

typedef struct vxe_contact_job {
    const vxe_kernel_arrays *model;     /* its arrays of the voxels' properties, by slot */
    const vxe_neighbor_list *neighbors; /* its lists */
    const vxe_body_view *body;
    double h; /* s of the kick */
} vxe_contact_job;

typedef struct vxe_contact_kernels {
    /* Takes how a surface stands from a body: the largest edge (m), and how far something is from
     * a place that it counts from (m). */
    void (*take)(const vxe_neighbor_list *neighbors, const vxe_body_view *body, double edge,
                 double *largest, double *farthest);
    /* Takes what voxels [first, last) of a surface are: mobility, stiffness, dashpot, friction.
     * Once, or in every step where stiffness changes in time. */
    void (*settle)(const vxe_neighbor_list *neighbors, const vxe_kernel_arrays *model,
                   uint32_t first, uint32_t last);
    /* Takes the poses of voxels [first, last) of a surface; wherever bundles are due. */
    void (*stand)(const vxe_neighbor_list *neighbors, const vxe_body_view *body, uint32_t first,
                  uint32_t last);
    /* Marks the pairs of a part that may touch as the voxels stand now, where bundles are due. */
    void (*check_bundles)(const vxe_contact_job *job, vxe_neighbor_part *part);
    /* Writes the loads of a part's voxels, clears those of the last time, and sets loaded. */
    void (*push)(const vxe_contact_job *job, vxe_neighbor_part *part);
    /* Adds to pressed (N of the surface's list) how hard the springs of a part's pairs that may
     * touch push, N. */
    void (*sample)(const vxe_contact_job *job, const vxe_neighbor_part *part, double *pressed);
    /* What slots [first, last) did in a drift of h seconds, but for their growth; about: a velocity
     * (m/s), whichever. */
    vxe_motion_bound (*motion)(const vxe_kernel_arrays *arrays, double h, const double about[3],
                               uint32_t first, uint32_t last);
    /* Adds the loads of slots [first, last) to what pulls at them. */
    void (*add)(vxe_reals *const load[6], const vxe_bond_target *sums, uint32_t first,
                uint32_t last);
} vxe_contact_kernels;

#endif
