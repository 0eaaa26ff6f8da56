/* SPDX-License-Identifier: MIT */
/* Data and kernels of contacts between voxels. The two voxels of a pair may be anywhere in memory,
   so pairs are gathered and computed in batches, by the same code for a body alone and for robots
   in lanes, with the same bits. README.md of this folder has drawings. */
#ifndef VXE_ENGINE_CONTACT_CONTACT_KERNELS_H
#define VXE_ENGINE_CONTACT_CONTACT_KERNELS_H

#include <math.h>
#include <stddef.h>

#include "common/assert_internal.h"
#include "engine/model/workspace.h"

/* Voxels, or pairs of them, that are computed together. */
#define VXE_NEIGHBOR_BATCH 16u

/* Surfaces of at most so many voxels are searched without a grid, in batches. */
#define VXE_MAX_WITHOUT_GRID 512u

/* Listed neighbours of a voxel, at most. Voxels of uncrushed bodies have fewer than 20, not
   counting those two cells away. A multiple of VXE_BUNDLE. */
#define VXE_MAX_NEIGHBORS 64u

/* Diameter of the Voxelyze family's spheres, in edges. */
#define VXE_SPHERE 1.25f
/* Voxels that move by so many edges against each other in a step may miss each other's contacts:
   the lists hold pairs that are up to 2.4 edges apart. */
#define VXE_MISSED_EDGES 3
/* Diameter of a cube from corner to corner, in edges: root of 3. */
#define VXE_CORNERS 1.7320508f

/* m: an upper bound of how far any voxel went in h seconds, by the components of all velocities. */
static inline double vxe_motion_bound_travel(const vxe_motion_bound *motion, double h)
{
    double square = 0;
    for (int c = 0; c < 3; c++) {
        const double max = fmax(fabs(motion->slowest[c]), fabs(motion->fastest[c]));
        square += max * max;
    }
    return h * sqrt(square);
}

/* m: the centres of voxels whose faces do not touch are farther apart: by an edge at least, less
   what a list may round. */
static inline double vxe_contact_apart(const vxe_model *model)
{
    return 0.99 * model->narrowest * model->edge;
}

/* m: above this the floor reaches no voxel; half an edge more than those at rest. */
static inline double vxe_contact_ground(const vxe_kernel_arrays *s)
{
    const double level =
        s->terrain ? s->terrain->top + s->terrain->max_lift * s->edge : s->floor_height + s->edge;
    return s->floor_stiffness ? level : -(double)INFINITY;
}

/* The bit that contacts set in `loaded`. */
#define VXE_LOADED_BY_CONTACTS 1u

/* Where kernels find the numbers of a body's voxels: those of a field at place * stride, those of
   loads at place * load_stride. With it one body and one lane of robots look alike. */
typedef struct vxe_body_view {
    vxe_reals *x[3];
    vxe_reals *x_low[3]; /* with mixed precision */
    vxe_reals *q[4];
    vxe_reals *v[3];
    vxe_reals *w[3];
    vxe_reals *edge_growth;
    vxe_reals *load[6];    /* N and N m of contacts */
    uint8_t *loaded;       /* entry n has VXE_LOADED_BY_CONTACTS where a voxel of places
                              [n << shift, (n + 1) << shift) has a load */
    const uint32_t *place; /* by slot; null: the slot itself */
    size_t stride;
    size_t load_stride;
    uint32_t shift;
} vxe_body_view;

/* Poses of the voxels of a surface when lists were made, for the broad phase. */
typedef struct vxe_surface_snapshot {
    float *x[3];      /* (3, N) m, relative to the first voxel */
    float *q[4];      /* (4, N) w x y z */
    float *size;      /* (N) m: edges */
    int32_t *cell[3]; /* (3, N) of the lattice */
    int32_t *open;    /* (N) 1 where a face is free now */
} vxe_surface_snapshot;

/* Numbers in a row of a voxel: what a pair needs of a voxel is stored side by side. */
#define VXE_ROW 8

/* Places in a row of a pose: of position, orientation and edge growth. */
enum { VXE_POSE_X = 0, VXE_POSE_Q = 3, VXE_POSE_EDGE_GROWTH = VXE_ROW - 1 };

/* Places in a row of the constant properties of a voxel. */
enum {
    VXE_REST_INVERSE,  /* 1/kg, of its most mobile direction; 0 if all are fixed */
    VXE_REST_SOFTNESS, /* m/N: 1/stiffness of a face */
    VXE_REST_DASHPOT,  /* N s/m */
    VXE_REST_STATIC_FRICTION,
    VXE_REST_DYNAMIC_FRICTION = VXE_ROW - 1
};

/* Pairs in a bundle: consecutive pairs of a list that are checked and wait together. */
#define VXE_BUNDLE VXE_NEIGHBOR_BATCH

/* A list of pairs, and the links of its bundles on the timing wheels. */
typedef struct vxe_pairs {
    uint32_t *of[2];   /* (2, pairs) places in the surface's list, the lower one first */
    uint32_t *next;    /* (bundles) the next bundle in the same slot of a wheel, or VXE_NONE */
    uint16_t *touch;   /* (bundles) a bit for each pair that may touch before the bundle's next
                          wake-up check */
    uint64_t *touched; /* for each range, a bit for each bundle that has such pairs */
} vxe_pairs;

/* Bundles in a word of touched. */
#define VXE_TOUCHED_BITS 64u
/* Distance in cells of the pairs in the constant lists. Closer voxels never collide, except those
   of different parts, which are in the lists too. */
#define VXE_CELLS_APART 2

/* Lists of pairs, in the order in which a voxel's loads are added. The first three are constant, of
   voxels VXE_CELLS_APART, sorted by direction so that the pairs of a bundle approach alike. */
typedef enum vxe_pairs_kind {
    VXE_PAIRS_FACING,   /* two cells apart along one axis and at most one along another; or closer,
                           and of different parts */
    VXE_PAIRS_SLANTING, /* two cells apart along one axis and one along both others */
    VXE_PAIRS_DIAGONAL, /* two cells apart along more than one axis */
    VXE_PAIRS_LISTED,   /* all others that were within reach when the lists were made */
    VXE_PAIRS_KINDS
} vxe_pairs_kind;

/* A bundle whose wake-up check is due. */
typedef struct vxe_woken {
    uint32_t bundle;
    uint32_t kind; /* vxe_pairs_kind */
} vxe_woken;

/* Two bounds on the approach of a pair, each with a clock and a timing wheel. A pair touches only
   if both its faces and its centres have come close enough, so a bundle may wait by whichever clock
   keeps its pairs apart for longer. The clock of faces is never the slower one. */
typedef enum vxe_approach {
    VXE_APPROACH_FACES,    /* height of a centre above the other's face: by moving, growing, turning
                            */
    VXE_APPROACH_DISTANCE, /* distance of the centres: by moving and growing */
    VXE_APPROACHES
} vxe_approach;

/* Slots of a timing wheel. A wheel advances by one tick whenever pairs may have approached each
   other by `tick` metres; a bundle waits in the slot of the tick at which one of its pairs could
   touch. A power of two. */
#define VXE_WHEEL_TICKS 128u

/* A surface of N voxels: the snapshot for the search, the rows for the narrow phase, the lists of
   pairs and the state of the timing wheels. */
typedef struct vxe_neighbor_list {
    const vxe_surface *surface;    /* N voxels */
    uint8_t *faces;                /* (N) free faces now, a bit each */
    uint32_t stood;                /* M: voxels in the snapshot, those that can collide */
    vxe_surface_snapshot snapshot; /* (M) in the order of the surface's list; sorted where there is
                                      no grid */
    vxe_surface_snapshot sorted;   /* (M) box by box; the same arrays where there is no grid */
    int32_t *state_index;          /* (N) where the body has the state of a voxel of the list */
    int32_t *stands;               /* (M) the same in the order of the snapshot */
    vxe_reals *pose;               /* (N, VXE_ROW) place, orientation and edge growth of voxels
                                      when bundles were last due */
    vxe_reals *rest;               /* (N, VXE_ROW) their constant properties: see settle */
    vxe_reals *load;               /* (N, VXE_ROW) N and N m; valid where is_pushed */
    float reach;                   /* m: pairs with centres farther apart are not listed */
    float face_reach;              /* m: nor pairs whose faces could not touch after approaching
                                      by this */
    float slack;                   /* m: bound of what floats round away of a distance */
    float arm;       /* m: the clock of faces counts turning with this arm; it bounds pairs that are
                        no farther apart */
    int32_t *box[3]; /* (3, N) box of each sorted voxel, in a grid whose boxes are reach wide */
    float *low[3];   /* (3, batches) m: lower bounds of each VXE_NEIGHBOR_BATCH of voxels; where
                        there is no grid */
    float *high[3];  /* (3, batches) m: upper bounds */
    uint32_t *from;  /* (N) place in the surface's list of each sorted voxel */
    uint32_t *place; /* (N) place among the sorted of each voxel of the list; with a grid only */
    uint32_t side;   /* boxes along each side of the grid, a power of two; boxes beyond wrap
                        round. 1: there is no grid */
    uint32_t *first_of;               /* (side^3 + 1) first sorted voxel of a box */
    vxe_pairs pairs[VXE_PAIRS_KINDS]; /* the last of capacity N * VXE_MAX_NEIGHBORS */
    vxe_woken *woken;                 /* (bundles of all kinds) bundles whose check is due */
    uint32_t *found[2]; /* (2, N * VXE_MAX_NEIGHBORS) pairs in the order found; without a grid only
                         */
    uint8_t *count;     /* (N) listed pairs of each voxel of the list */
    float tick;         /* m: approach of a pair from one tick of the wheels to the next */
    float rate_ratio;   /* approach by the clock of faces over that by the clock of distance, in the
                           last step. It selects the wheel that a bundle waits on; both are right */
    float close; /* m: pairs closer to touching are computed in every step. At least a tick, so that
                    all others can wait for one */
    float per_meter;               /* 1/m: 1/tick */
    float since[VXE_APPROACHES];   /* m: beyond less slack */
    double beyond[VXE_APPROACHES]; /* m: possible approach since the last tick */
    uint64_t turn[VXE_APPROACHES]; /* ticks so far */
    bool due;                      /* a tick has come, or lists are new: bundles must be checked */
    bool waits; /* bundles of constant pairs are on the wheels; else all must be checked */
    uint32_t *kept_pair[2]; /* (by parity of the step; N * VXE_MAX_KEPT_CONTACTS) which pair of the
                               lists a kept contact is, for contacts of a part in rising order */
    uint32_t *pushed;       /* (N) voxels that have loads, see vxe_neighbor_part */
    uint8_t *is_pushed;     /* (N) 1 for those */
} vxe_neighbor_list;

/* Pairs [first, first + count) of a part. First come pairs with a voxel below the part, which the
   other part has too; then pairs with higher voxels, sorted by the lower and then the higher voxel.
   first is a multiple of VXE_BUNDLE; bundles and wheels count from it. */
typedef struct vxe_pair_range {
    size_t first;
    size_t touched; /* first word of the range in touched */
    uint32_t count;
    uint32_t wheel[VXE_APPROACHES * VXE_WHEEL_TICKS]; /* first bundle in each slot of each wheel, or
                                                         VXE_NONE */
    uint64_t done[VXE_APPROACHES];                    /* the last tick whose bundles were checked */
} vxe_pair_range;

/* Voxels [first, last) of the surface, and all pairs that have one of them. */
typedef struct vxe_neighbor_part {
    uint32_t first, last;
    vxe_pair_range pairs[VXE_PAIRS_KINDS];
    uint32_t pushed; /* voxels of the part that have loads; listed from neighbors->pushed + first */
    uint32_t kept[2]; /* by parity of the step: contacts that are kept, at VXE_MAX_KEPT_CONTACTS
                         first and behind */
    uint64_t kept_in; /* the step in which kept_pair tells of the contacts of the step before; since
                         then the lists are the same */
    uint32_t crowded; /* the first voxel of the part with too many neighbours, or VXE_NONE */
    uint32_t crossed[2]; /* two voxels that went through each other in the last step, or VXE_NONE;
                            twice the same where voxels are so fast that pairs are missed */
} vxe_neighbor_part;

_Static_assert((VXE_WHEEL_TICKS & (VXE_WHEEL_TICKS - 1)) == 0, "slots of a wheel are a power of 2");
_Static_assert(VXE_MAX_NEIGHBORS % VXE_BUNDLE == 0, "lists of parts begin with a bundle");
_Static_assert(VXE_BUNDLE <= 16, "a bit of touch for each pair of a bundle");

/* Ticks after which a pair with this gap (m, a tick or more) may touch. At
   least one, because the present tick has been handled, and fewer than a turn of the wheel, so that
   slots that have passed are not reached again. */
static inline uint32_t vxe_ticks_ahead(const vxe_neighbor_list *neighbors, vxe_approach approach,
                                       float gap)
{
    VXE_ASSERT(approach < VXE_APPROACHES && neighbors->tick > 0);
    const float ahead = (gap + neighbors->since[approach]) * neighbors->per_meter;
    const float max = (float)(VXE_WHEEL_TICKS - 1);
    const float to_come = ahead > 1 ? ahead : 1; /* 1 too where `ahead` is not a number */
    return (uint32_t)(to_come < max ? to_come : max);
}

/* The number of bundles of a range. */
static inline uint32_t vxe_bundles_of(const vxe_pair_range *range)
{
    return (range->count + VXE_BUNDLE - 1) / VXE_BUNDLE;
}

/* Puts a bundle of a range into the slot of a wheel that comes after `ahead` ticks. */
static inline void vxe_bundle_to_tick(const vxe_neighbor_list *neighbors, const vxe_pairs *pairs,
                                      vxe_pair_range *range, uint32_t bundle, vxe_approach approach,
                                      uint32_t ahead)
{
    VXE_ASSERT(ahead < VXE_WHEEL_TICKS && bundle < vxe_bundles_of(range));
    const uint32_t tick = (uint32_t)(neighbors->turn[approach] + ahead) % VXE_WHEEL_TICKS;
    uint32_t *head = &range->wheel[approach * VXE_WHEEL_TICKS + tick];
    pairs->next[range->first / VXE_BUNDLE + bundle] = *head;
    *head = bundle;
}

/* Words of touched that a range of so many pairs needs. */
static inline uint64_t vxe_words_of_touched(uint64_t pairs)
{
    return pairs / (VXE_BUNDLE * VXE_TOUCHED_BITS) + 1;
}

/* Stores which pairs of a bundle may touch, a bit each. */
static inline void vxe_bundle_touches(const vxe_pairs *pairs, const vxe_pair_range *range,
                                      uint32_t bundle, uint32_t bits)
{
    VXE_ASSERT(bundle < vxe_bundles_of(range) && bits >> VXE_BUNDLE == 0);
    uint64_t *word = &pairs->touched[range->touched + bundle / VXE_TOUCHED_BITS];
    const uint64_t bit = (uint64_t)1 << bundle % VXE_TOUCHED_BITS;
    pairs->touch[range->first / VXE_BUNDLE + bundle] = (uint16_t)bits;
    *word = bits ? *word | bit : *word & ~bit;
}

/* The first pair of a range, from pair `at` on, that may touch now; if there is none, a number that
   is not below the range's count. */
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

/* The kernels of broad_phase.c, for each instruction set. */
typedef struct vxe_broad_phase_kernels {
    /* Fills the bounds of batches, where there is no grid. */
    void (*bound)(const vxe_neighbor_list *neighbors);
    /* Makes the list of a part. */
    void (*search)(const vxe_neighbor_list *neighbors, vxe_neighbor_part *part);
} vxe_broad_phase_kernels;

/* What kernels of contacts work on. */
typedef struct vxe_contact_job {
    const vxe_kernel_arrays *model;     /* properties of the body's voxels, by slot */
    const vxe_neighbor_list *neighbors; /* lists of the body */
    const vxe_body_view *body;
    const vxe_kept_contacts *before; /* contacts that the step before has kept */
    vxe_kept_contacts *after;        /* those that this step keeps */
    uint64_t number;                 /* of this step */
    double h;                        /* s of the kick */
    double step;                     /* s of the step before */
    double spread; /* m: bound of the motion of two voxels against each other in that step */
    double sound;  /* m/s: the largest speed of sound of a voxel */
    double apart;  /* m: centres of pairs that do not touch are farther apart */
    bool opens; /* pairs may come into contact other than by moving: bonds break, or the run begins
                 */
} vxe_contact_job;

/* The kernels of narrow_phase.c, for each instruction set and precision. */
typedef struct vxe_contact_kernels {
    /* Fills the snapshot from a body; gives the largest edge (m), and the largest coordinate (m),
       from which rounding follows. */
    void (*take)(const vxe_neighbor_list *neighbors, const vxe_body_view *body, double edge,
                 double *largest, double *farthest);
    /* Stores the properties of voxels [first, last) of a surface in rows: mobility, stiffness,
       dashpot, friction. Called once, or in every step where stiffness changes in time. */
    void (*settle)(const vxe_neighbor_list *neighbors, const vxe_kernel_arrays *model,
                   uint32_t first, uint32_t last);
    /* Stores the poses of voxels [first, last) of a surface in rows; called when bundles are due.
     */
    void (*stand)(const vxe_neighbor_list *neighbors, const vxe_body_view *body, uint32_t first,
                  uint32_t last);
    /* The wake-up check of all bundles of a part that are due: marks pairs that may touch now. */
    void (*check_bundles)(const vxe_contact_job *job, vxe_neighbor_part *part);
    /* Checks bundles, clears the loads of the last step, writes those of this one and sets loaded.
     */
    void (*push)(const vxe_contact_job *job, vxe_neighbor_part *part);
    /* Adds the sizes (N) of the spring forces of a part's pairs that may touch to pressed, (N) by
       the surface's list. */
    void (*sample)(const vxe_contact_job *job, const vxe_neighbor_part *part, double *pressed);
    /* The motion bound of slots [first, last) for a drift of h seconds, without growth. about: a
       velocity (m/s) that motion is measured against; any is right. */
    vxe_motion_bound (*motion)(const vxe_kernel_arrays *arrays, double h, const double about[3],
                               uint32_t first, uint32_t last);
    /* Adds the loads of slots [first, last) to the upper force accumulators. */
    void (*add)(vxe_reals *const load[6], const vxe_bond_target *sums, uint32_t first,
                uint32_t last);
} vxe_contact_kernels;

#endif
