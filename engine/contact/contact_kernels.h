/* SPDX-License-Identifier: MIT */
/* Data of contacts between voxels, for single bodies and robots in lanes. Pairs of near voxels lie
   anywhere in memory, so they are gathered and computed in batches of 16, with the same bits in
   both. */
#ifndef VXE_ENGINE_CONTACT_CONTACT_KERNELS_H
#define VXE_ENGINE_CONTACT_CONTACT_KERNELS_H

#include <math.h>
#include <stddef.h>

#include "engine/model/workspace.h"

/* Voxels that are tested together. */
#define VXE_NEIGHBOR_BATCH 16u

/* Surfaces of no more voxels are searched without a grid, in batches. */
#define VXE_MAX_WITHOUT_GRID 512u

/* Most neighbours of a voxel, without those two cells away: bodies that are not crushed have fewer
 * than 20. A multiple of VXE_BUNDLE. */
#define VXE_MAX_NEIGHBORS 64u

/* The Voxelyze family's spheres: their diameter in edges. */
#define VXE_SPHERE 1.25f
/* Diagonal of a voxel in edges: the root of 3. */
#define VXE_CORNERS 1.7320508f

/* Upper bound of how far any voxel went in h seconds, from the bounds of the velocity components.
 */
static inline double vxe_motion_bound_travel(const vxe_motion_bound *motion, double h)
{
    double square = 0;
    for (int c = 0; c < 3; c++) {
        const double max = fmax(fabs(motion->slowest[c]), fabs(motion->fastest[c]));
        square += max * max;
    }
    return h * sqrt(square);
}

/* The bit in `loaded` of chunks with voxels that contacts load. */
#define VXE_LOADED_BY_CONTACTS 1u

/* Where the numbers of a body's voxels are in memory: a field at place * stride, loads at place *
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

/* Poses of the voxels of a surface at one time, in some order. */
typedef struct vxe_surface_snapshot {
    float *x[3];      /* (3, N) m about the first of them */
    float *q[4];      /* (4, N) */
    float *size;      /* (N) m: edges */
    int32_t *cell[3]; /* (3, N) of the lattice */
    int32_t *open;    /* (N) 1 where a face is free now */
} vxe_surface_snapshot;

/* Numbers of a voxel in one row, side by side. */
#define VXE_ROW 8

/* A bundle: pairs that follow each other in a list, and wait and are checked together. */
#define VXE_BUNDLE VXE_NEIGHBOR_BATCH

/* Pairs of voxels, with their bundles chained into the slots of a timing wheel. */
typedef struct vxe_pairs {
    uint32_t *of[2]; /* (2, pairs) places in the surface's list, the lower one first */
    uint32_t *next;  /* (bundles) the next bundle of the same tick, or VXE_NONE */
    uint16_t *
        touch; /* (bundles) a bit for each pair that may touch before its bundle is checked again */
    uint64_t *touched; /* for each range of pairs, a bit for each bundle with such pairs */
} vxe_pairs;

/* Bundles in a word of `touched`. */
#define VXE_TOUCHED_BITS 64u
/* Distance in lattice cells of the pairs in the constant lists. Nearer voxels never collide, except
 * those of different parts, which are in these lists too. */
#define VXE_CELLS_APART 2

/* Kinds of lists of pairs, in the order in which a voxel's loads are added. The first three are
 * constant and hold pairs VXE_CELLS_APART cells apart, sorted by direction so that pairs of a
 * bundle approach alike. */
typedef enum vxe_pairs_kind {
    VXE_PAIRS_FACING,   /* two cells apart along one axis and one along another at most; or nearer,
                           and of two parts */
    VXE_PAIRS_SLANTING, /* two cells apart along one axis and one along both others */
    VXE_PAIRS_DIAGONAL, /* two cells apart along more than one axis */
    VXE_PAIRS_LISTED,   /* all other pairs that were near when the lists were made */
    VXE_PAIRS_KINDS
} vxe_pairs_kind;

/* A bundle that is checked now. */
typedef struct vxe_woken {
    uint32_t bundle;
    uint32_t kind; /* vxe_pairs_kind */
} vxe_woken;

/* What brings two voxels closer to touching. Both distances must close before they touch, so a
 * bundle waits by the one that keeps its pairs apart for longer. That of faces is never the slower.
 */
typedef enum vxe_approach {
    VXE_APPROACH_FACES,    /* the faces' heights above each other: moving, growing and turning */
    VXE_APPROACH_DISTANCE, /* the distance of their centres: moving and growing */
    VXE_APPROACHES
} vxe_approach;

/* Ticks of a timing wheel; there is a wheel for each approach. It advances as voxels may have come
 * closer; a bundle waits in the tick before which none of its pairs can touch. A power of two. */
#define VXE_WHEEL_TICKS 128u

/* Neighbour lists: a surface at one time, sorted into a grid or along a curve, and its near pairs.
 */
typedef struct vxe_neighbor_list {
    const vxe_surface *surface;    /* N voxels */
    uint8_t *faces;                /* (N) faces that are free now, a bit each */
    uint32_t stood;                /* M: voxels that can collide now, those in the snapshot */
    vxe_surface_snapshot snapshot; /* in the order of the surface's list, or sorted already */
    vxe_surface_snapshot sorted;   /* box by box; the same arrays where there is no grid */
    int32_t *state_index; /* (N) in the order of the surface's list: where the body has the voxel's
                             state */
    int32_t *stands;      /* (N) likewise, in the order of the snapshot */
    vxe_reals *pose;      /* (N, VXE_ROW) in the order of the surface's list, when bundles were last
                             checked: position, orientation, edge growth */
    vxe_reals *rest;      /* (N, VXE_ROW) likewise, what does not change: see settle */
    vxe_reals *load;      /* (N, VXE_ROW) N and N m: loads */
    float reach;          /* m: voxels farther apart than that are not listed */
    float face_reach;     /* m: voxels whose faces are farther apart than that are not listed */
    float slack;          /* m: bound of the rounding error of a distance in float */
    float arm;            /* m: up to this distance the approach of faces includes rotation */
    int32_t *box[3];      /* (3, N) box of each voxel in a grid whose boxes are `reach` wide */
    float *low[3]; /* (3, batches) m: bounding box of each batch of VXE_NEIGHBOR_BATCH voxels, where
                      there is no grid */
    float *high[3];
    uint32_t *from;  /* (N) place in the surface's list of each sorted voxel */
    uint32_t *place; /* (N) sorted place of each voxel of that list, where there is a grid */
    uint32_t side; /* boxes along each side of the grid, a power of two; it is periodic. 1: there is
                      no grid */
    uint32_t *first_of;               /* (side^3 + 1) first sorted voxel of a box */
    vxe_pairs pairs[VXE_PAIRS_KINDS]; /* (N * VXE_MAX_NEIGHBORS) pairs of the last kind */
    vxe_woken *woken;                 /* (bundles of all kinds) the bundles of the current check */
    uint32_t *found[2]; /* (2, N * VXE_MAX_NEIGHBORS) pairs in the order of the search, where there
                           is no grid */
    uint8_t *count;     /* (N) number of listed pairs of each voxel of the surface's list */
    float tick;         /* m: how much closer a pair may come in one tick */
    float rate_ratio;   /* ratio of the approach of faces to that of centres in the last step. It
                           selects the wheel of a bundle; either is correct */
    float close;     /* m: pairs closer to touching than this are computed in every step. At least a
                        tick, so that all others can wait */
    float per_meter; /* ticks per metre */
    float since[VXE_APPROACHES];   /* m: approach since the last tick, with the slack taken off */
    double beyond[VXE_APPROACHES]; /* m: bound of the approach since the last tick */
    uint64_t turn[VXE_APPROACHES]; /* ticks since the lists were made */
    bool due;                      /* a tick has come, or lists are new: bundles are checked */
    bool waits;         /* constant pairs wait on the wheels; else all are checked in every step */
    uint32_t *pushed;   /* (N) voxels with loads, see vxe_neighbor_part */
    uint8_t *is_pushed; /* (N) 1 for those */
} vxe_neighbor_list;

/* Pairs [first, first + count) of a part of the surface: first those that it shares with an earlier
 * part, then its own, sorted by the lower voxel and then the upper one. `first` is a multiple of
 * VXE_BUNDLE. */
typedef struct vxe_pair_range {
    size_t first;
    size_t touched; /* its first word in `touched` */
    uint32_t count;
    uint32_t wheel[VXE_APPROACHES * VXE_WHEEL_TICKS]; /* the first bundle of each tick, counted from
                                                         `first`, or VXE_NONE */
    uint64_t done[VXE_APPROACHES];                    /* the last tick whose bundles were checked */
} vxe_pair_range;

/* A part of the surface, voxels [first, last), and the pairs with one of them. */
typedef struct vxe_neighbor_part {
    uint32_t first, last;
    vxe_pair_range pairs[VXE_PAIRS_KINDS];
    uint32_t pushed;  /* number of its voxels with loads; their places begin at neighbors->pushed +
                         first */
    uint32_t crowded; /* its first voxel with too many neighbours, or VXE_NONE */
} vxe_neighbor_part;

/* In how many ticks a pair with this gap (m, at least a tick) has to be checked. At least one,
 * since the current tick is done, and fewer than the wheel has, since later ones would come round
 * too early. */
static inline uint32_t vxe_ticks_ahead(const vxe_neighbor_list *neighbors, vxe_approach approach,
                                       float gap)
{
    const float ahead = (gap + neighbors->since[approach]) * neighbors->per_meter;
    const float max = (float)(VXE_WHEEL_TICKS - 1);
    const float to_come = ahead > 1 ? ahead : 1; /* also what is not a number */
    return (uint32_t)(to_come < max ? to_come : max);
}

/* Number of bundles of a range. */
static inline uint32_t vxe_bundles_of(const vxe_pair_range *range)
{
    return (range->count + VXE_BUNDLE - 1) / VXE_BUNDLE;
}

/* Puts a bundle of a range onto a wheel, `ahead` ticks after the current one. */
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
