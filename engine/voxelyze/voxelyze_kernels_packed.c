/* SPDX-License-Identifier: MIT */
/* Packed bonds of the Voxelyze family (bonds/bond_packing.h). Robots with gaps leave half of the
   lanes of vectors in rows empty, which cost as much as full lanes; packed vectors have full lanes.
   This file is compiled once per instruction set, in double. AVX-512 gathers voxels into lanes by a
   permutation and scatters forces by an expansion; other instruction sets use loops. */
#include "common/assert_internal.h"
#include "engine/voxelyze/voxelyze_bond.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#define WIDTH ((ptrdiff_t)VXE_VOXELYZE_WIDTH)

/* Indices of a bond's forces and moments on its lower and upper voxel. */
enum { LOWER = 0, UPPER = 6, ACTIONS = 12 };
/* Capacity for the bonds of a chunk, with the lanes after the last bond. */
enum { CAPACITY = VXE_CHUNK_SLOTS + VXE_VOXELYZE_WIDTH };

/* One number of the lower voxels of a vector's bonds, then of the upper voxels. */
typedef vxe_real ends[2 * VXE_VOXELYZE_WIDTH];
enum { FIELDS = 8 };

#ifndef __AVX512F__
/* Four lanes: loads and shuffles; a loop over lanes would become gather instructions, which are
   slower. */
typedef vxe_real quad __attribute__((vector_size(32), aligned(8), may_alias));
#endif

/* Gathers numbers of a window of slots by the indices of a vector's lanes. */
VXE_INLINE void bring(const vxe_real *window, const uint8_t *at, vxe_real *into)
{
#ifdef __AVX512F__
    const __m512i places = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(const void *)at));
    _mm512_storeu_pd(into, _mm512_permutex2var_pd(_mm512_loadu_pd(window), places,
                                                  _mm512_loadu_pd(window + WIDTH)));
#else
    for (ptrdiff_t lane = 0; lane < WIDTH; lane += 4) {
        *(quad *)(void *)(into + lane) = (quad){window[at[lane]], window[at[lane + 1]],
                                                window[at[lane + 2]], window[at[lane + 3]]};
    }
#endif
}

/* Adds (sign 1) or subtracts (sign -1) the numbers of consecutive bonds to the slots from `to` on
   that are set in a mask. */
VXE_INLINE void add_spread(vxe_real *to, int sign, uint32_t mask, const vxe_real *bonds)
{
#ifdef __AVX512F__
    for (ptrdiff_t half = 0; half < 2; half++) {
        const __mmask8 lower_force = (__mmask8)(mask >> (half * WIDTH));
        __m512d numbers = _mm512_loadu_pd(bonds);
        /* loaded first: expanding from memory, which compilers make of it, takes longer (Zen 4) */
        __asm__("" : "+v"(numbers));
        const __m512d more = _mm512_maskz_expand_pd(lower_force, numbers);
        const __m512d before = _mm512_loadu_pd(to);
        _mm512_storeu_pd(to, sign < 0 ? _mm512_sub_pd(before, more) : _mm512_add_pd(before, more));
        bonds += __builtin_popcount(lower_force);
        to += WIDTH;
    }
#else
    for (; mask; mask &= mask - 1) {
        const vxe_real more = *bonds++;
        to[__builtin_ctz(mask)] += sign < 0 ? -more : more;
    }
#endif
}

/* Gathers the voxels of a vector's bonds into brought, and returns fields that point there. */
VXE_INLINE fields bring_fields(const fields *from, const vxe_packed_bonds *bonds, ptrdiff_t v,
                               ends brought[FIELDS])
{
    fields f = *from;
    const vxe_real **field[FIELDS] = {&f.x[0], &f.x[1], &f.x[2], &f.q[0],
                                      &f.q[1], &f.q[2], &f.q[3], &f.edge_growth};
    for (int c = 0; c < FIELDS; c++) {
        bring(*field[c] + bonds->lower[v], bonds->lower_at + v * WIDTH, brought[c]);
        bring(*field[c] + bonds->upper[v], bonds->upper_at + v * WIDTH, brought[c] + WIDTH);
        *field[c] = brought[c];
    }
    return f;
}

/* Computes forces and moments of the bonds of vectors [first, last) of a chunk, bond by bond.
   Returns the lanes that failed. */
VXE_INLINE uint32_t find_actions(sort is, const vxe_kernel_arrays *s, bool probe, uint32_t first,
                                 uint32_t last, vxe_real (*into)[CAPACITY])
{
    const vxe_packed_bonds *bonds = &s->packed[is.axis];
    const fields all = load_fields(s);
    vxe_real failures[VXE_VOXELYZE_WIDTH] = {0};
    vxe_real discarded[VXE_VOXELYZE_MEMORY * VXE_VOXELYZE_WIDTH] = {0}; /* history of a probe */
    for (ptrdiff_t v = first; v < (ptrdiff_t)last; v++) {
        const vxe_real *row = s->voxelyze->row[is.axis] + v * (VXE_VOXELYZE_ROW * WIDTH);
        vxe_real *memory =
            probe ? discarded : s->voxelyze->memory[is.axis] + v * (VXE_VOXELYZE_MEMORY * WIDTH);
        ends brought[FIELDS];
        const fields f = bring_fields(&all, bonds, v, brought);
        /* the next vector overwrites what is written after this one's last bond */
        const ptrdiff_t to = bonds->bond[v];
#pragma omp simd
        for (ptrdiff_t lane = 0; lane < WIDTH; lane++) {
            vxe_real failed = 0;
            const both_ends act =
                one_bond(is, &f, row + lane, memory + lane, lane, WIDTH + lane, &failed);
            failures[lane] += failed;
            into[LOWER][to + lane] = act.force[0].x;
            into[LOWER + 1][to + lane] = act.force[0].y;
            into[LOWER + 2][to + lane] = act.force[0].z;
            into[LOWER + 3][to + lane] = act.moment[0].x;
            into[LOWER + 4][to + lane] = act.moment[0].y;
            into[LOWER + 5][to + lane] = act.moment[0].z;
            into[UPPER][to + lane] = act.force[1].x;
            into[UPPER + 1][to + lane] = act.force[1].y;
            into[UPPER + 2][to + lane] = act.force[1].z;
            into[UPPER + 3][to + lane] = act.moment[1].x;
            into[UPPER + 4][to + lane] = act.moment[1].y;
            into[UPPER + 5][to + lane] = act.moment[1].z;
        }
    }
    return failed_lanes(failures, VXE_VOXELYZE_WIDTH);
}

/* Adds the forces on lower or on upper voxels to the sums; first is the slot at which the arrays of
   sums begin. */
VXE_INLINE void add_actions(const vxe_packed_sums *groups, uint32_t chunk, vxe_reals *const sums[6],
                            uint32_t first, int force_sign, vxe_real (*actions)[CAPACITY])
{
    for (uint32_t i = groups->first[chunk]; i < groups->first[chunk + 1]; i++) {
        const ptrdiff_t to = (ptrdiff_t)groups->slot[i] - first;
        for (int c = 0; c < 6; c++) {
            add_spread(reals(sums[c]) + to, c < 3 ? force_sign : 1, groups->mask[i],
                       actions[c] + groups->bond[i]);
        }
    }
}

/* Runs the bonds of a chunk. For a contiguous target only its vector is evaluated and nothing is
   added. */
VXE_INLINE uint32_t run_chunk(sort is, const vxe_kernel_arrays *s, const vxe_bond_target *target,
                              uint32_t chunk)
{
    vxe_real actions[ACTIONS][CAPACITY];
    const vxe_packed_bonds *bonds = &s->packed[is.axis];
    const uint32_t first = target->contiguous ? target->contiguous_first : bonds->first[chunk];
    const uint32_t last = target->contiguous ? first + 1 : bonds->first[chunk + 1];
    VXE_ASSERT(first <= last && last <= bonds->count);
    const uint32_t failed = find_actions(is, s, target->probe, first, last, actions);
    if (!target->contiguous) {
        add_actions(&bonds->lower_force, chunk, target->lower_force, target->lower_first, 1,
                    actions + LOWER);
        add_actions(&bonds->upper_force, chunk, target->upper_force, target->upper_first, -1,
                    actions + UPPER);
    }
    return failed;
}

#define PACKED_KERNELS(name, law)                                                                  \
    VOXELYZE_KERNELS(name, run_chunk, law, false, WIDTH,                                           \
                     (const vxe_kernel_arrays *s, const vxe_bond_target *target, uint32_t chunk),  \
                     s, target, chunk)

PACKED_KERNELS(voxelyze, VXE_VOXELYZE_ORIGINAL)
PACKED_KERNELS(evosoro, VXE_VOXELYZE_EVOSORO)

extern const vxe_voxelyze_packed_kernels VXE_VARIANT(vxe_voxelyze_packed_kernels);

const vxe_voxelyze_packed_kernels VXE_VARIANT(vxe_voxelyze_packed_kernels) = {
    .run = {{voxelyze_x, voxelyze_y, voxelyze_z}, {evosoro_x, evosoro_y, evosoro_z}}};
