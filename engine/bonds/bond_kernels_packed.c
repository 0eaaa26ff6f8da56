/* SPDX-License-Identifier: MIT */
/* Kernels of packed bonds (arrays.h): a shuffle brings the numbers of 16 bonds' voxels from a
   window of 32 slots into lanes, and the forces are expanded back to slots. AVX-512 has such
   shuffles for floats; elsewhere bonds are not packed. This file is compiled once per
   instruction set and precision. */
#include "engine/bonds/bond_gather.h"

extern const vxe_packed_kernels VXE_VARIANT(vxe_packed_kernels);

#if defined(__AVX512F__) && defined(VXE_MIXED)
#include <immintrin.h>

/* Rows of a bond's results: the force on the lower voxel, and the moments on both. */
enum { FORCE, LOWER_MOMENT = 3, UPPER_MOMENT = 6, ACTIONS = 9 };
/* Capacity for the bonds of a chunk and the unused lanes after the last one. */
enum { CAPACITY = VXE_CHUNK_SLOTS + VXE_VECTOR };

/* One field of the lower voxels of a vector's bonds, then of the upper ones. */
typedef vxe_real ends[2 * VXE_VECTOR];
enum { FIELDS = 17 };

/* The windows of a vector, and the place in them of each lane's voxels. */
typedef struct windows {
    ptrdiff_t lower, upper;
    __m512i lower_at, upper_at;
} windows;

VXE_INLINE __m512i places(const uint8_t *at)
{
    return _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)at));
}

VXE_INLINE __m512 pick(const vxe_real *window, __m512i at)
{
    return _mm512_permutex2var_ps(_mm512_loadu_ps(window), at,
                                  _mm512_loadu_ps(window + VXE_VECTOR));
}

/* Gathers fields of the voxels of a vector's bonds into `into`, and makes field point there. The
   compiler keeps these arrays in registers. */
VXE_INLINE void bring(const windows *w, const vxe_real **field, int count, ends *into)
{
    for (int c = 0; c < count; c++) {
        _mm512_storeu_ps(into[c], pick(field[c] + w->lower, w->lower_at));
        _mm512_storeu_ps(into[c] + VXE_VECTOR, pick(field[c] + w->upper, w->upper_at));
        field[c] = into[c];
    }
}

VXE_INLINE fields bring_fields(int law, const fields *from, const windows *w, ends into[FIELDS])
{
    fields f = *from;
    if (law & VXE_BOND_SPRINGS) {
        bring(w, f.x, 3, into);
        bring(w, f.x_low, 3, into + 3);
        bring(w, f.q, 4, into + 6);
        bring(w, &f.edge_growth, 1, into + 10);
    }
    if (law & VXE_BOND_DASHPOTS) {
        bring(w, f.v, 3, into + 11);
        bring(w, f.w, 3, into + 14);
    }
    return f;
}

/* Forces and moments of the chunk's bonds, bond by bond; returns the lanes that failed. */
VXE_INLINE uint32_t find_actions(int axis, int law, const vxe_kernel_arrays *s, uint32_t chunk,
                                 vxe_real (*into)[CAPACITY])
{
    const vxe_packed_bonds *bonds = &s->packed[axis];
    const fields all = load_fields(s);
    const vxe_multiples by = load_multiples(s);
    const uint32_t last = bonds->first[chunk + 1];
    vxe_real failures[VXE_VECTOR] = {0};
    for (uint32_t v = bonds->first[chunk]; v < last; v++) {
        const vxe_real *k = row_at(law, s, bonds->row[v]);
        vxe_real *kept = geometry_at(axis, law, s, v);
        const windows w = {bonds->lower[v], bonds->upper[v],
                           places(bonds->lower_at + (ptrdiff_t)v * LANES),
                           places(bonds->upper_at + (ptrdiff_t)v * LANES)};
        ends brought[FIELDS];
        const fields f = bring_fields(law, &all, &w, brought);
        const ptrdiff_t to = bonds->bond[v]; /* the next vector overwrites what lies behind the
                                                last used lane */
#pragma omp simd
        for (ptrdiff_t lane = 0; lane < LANES; lane++) {
            vxe_real failed = 0;
            const vxe_bond_force act =
                one_bond(axis, law, &f, &by, k + lane, kept, lane, lane, LANES + lane, &failed);
            failures[lane] += failed;
            into[FORCE][to + lane] = act.force.x;
            into[FORCE + 1][to + lane] = act.force.y;
            into[FORCE + 2][to + lane] = act.force.z;
            into[LOWER_MOMENT][to + lane] = act.a.x + act.b.x;
            into[LOWER_MOMENT + 1][to + lane] = act.a.y + act.b.y;
            into[LOWER_MOMENT + 2][to + lane] = act.a.z + act.b.z;
            into[UPPER_MOMENT][to + lane] = act.a.x - act.b.x;
            into[UPPER_MOMENT + 1][to + lane] = act.a.y - act.b.y;
            into[UPPER_MOMENT + 2][to + lane] = act.a.z - act.b.z;
        }
    }
    return failed_lanes(failures, VXE_VECTOR);
}

/* Expands the numbers of consecutive bonds to the lanes of a mask; zero in the others. */
VXE_INLINE __m512 spread(__mmask16 mask, const vxe_real *bonds)
{
    __m512 numbers = _mm512_loadu_ps(bonds);
    /* load first: compilers would expand from memory, which takes longer (Zen 4) */
    __asm__("" : "+v"(numbers));
    return _mm512_maskz_expand_ps(mask, numbers);
}

/* Adds sign times the bonds' numbers to the sums of 16 slots, for those of the mask. */
VXE_INLINE void add_spread(vxe_real *sum, int sign, __mmask16 mask, const vxe_real *bonds)
{
    const __m512 more = spread(mask, bonds);
    const __m512 before = _mm512_loadu_ps(sum);
    _mm512_storeu_ps(sum, sign < 0 ? _mm512_sub_ps(before, more) : _mm512_add_ps(before, more));
}

/* Adds the forces of a chunk's bonds to the accumulators of one side, lower or upper; first is
   the slot that its arrays begin with. */
VXE_INLINE void add_actions(const vxe_packed_sums *groups, uint32_t chunk, vxe_reals *const sums[6],
                            uint32_t first, int sign, int moments, vxe_real (*actions)[CAPACITY])
{
    vxe_real *sum[6];
    const uint32_t *slots = groups->slot;
    const uint16_t *bonds = groups->bond;
    const uint16_t *masks = groups->mask;
    const uint32_t last = groups->first[chunk + 1];
    for (int c = 0; c < 6; c++) {
        sum[c] = sums[c];
    }
    for (uint32_t i = groups->first[chunk]; i < last; i++) {
        const ptrdiff_t to = (ptrdiff_t)slots[i] - first;
        const ptrdiff_t at = bonds[i];
        const __mmask16 mask = masks[i];
        for (int c = 0; c < 3; c++) {
            add_spread(sum[c] + to, sign, mask, actions[FORCE + c] + at);
            add_spread(sum[c + 3] + to, 1, mask, actions[moments + c] + at);
        }
    }
}

VXE_INLINE uint32_t run_chunk(int axis, int law, const vxe_kernel_arrays *s,
                              const vxe_bond_target *target, uint32_t chunk)
{
    vxe_real actions[ACTIONS][CAPACITY];
    const vxe_packed_bonds *bonds = &s->packed[axis];
    const uint32_t failed = find_actions(axis, law, s, chunk, actions);
    add_actions(&bonds->lower_force, chunk, target->lower_force, target->lower_first, 1,
                LOWER_MOMENT, actions);
    add_actions(&bonds->upper_force, chunk, target->upper_force, target->upper_first, -1,
                UPPER_MOMENT, actions);
    return failed;
}

#define PACKED_KERNEL(name, law)                                                                   \
    OF_AXES(name, run_chunk, law,                                                                  \
            (const vxe_kernel_arrays *s, const vxe_bond_target *target, uint32_t chunk), s,        \
            target, chunk)

PACKED_KERNEL(elastic, VXE_BOND_SPRINGS)
PACKED_KERNEL(elastic_free, VXE_BOND_SPRINGS | VXE_BOND_FREE)
PACKED_KERNEL(elastic_even, VXE_BOND_SPRINGS | VXE_BOND_EVEN)
PACKED_KERNEL(full, VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS)
PACKED_KERNEL(full_free, VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_FREE)
PACKED_KERNEL(full_even, VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_EVEN)
PACKED_KERNEL(keep, VXE_BOND_SPRINGS | VXE_BOND_KEEP)
PACKED_KERNEL(keep_free, VXE_BOND_SPRINGS | VXE_BOND_FREE | VXE_BOND_KEEP)
PACKED_KERNEL(keep_even, VXE_BOND_SPRINGS | VXE_BOND_EVEN | VXE_BOND_KEEP)
PACKED_KERNEL(damp, VXE_BOND_DASHPOTS)
PACKED_KERNEL(damp_free, VXE_BOND_DASHPOTS | VXE_BOND_FREE)
PACKED_KERNEL(damp_even, VXE_BOND_DASHPOTS | VXE_BOND_EVEN)

const vxe_packed_kernels VXE_VARIANT(vxe_packed_kernels) = {
    .run = {[VXE_BOND_SPRINGS] = THREE(elastic),
            [VXE_BOND_SPRINGS | VXE_BOND_FREE] = THREE(elastic_free),
            [VXE_BOND_SPRINGS | VXE_BOND_EVEN] = THREE(elastic_even),
            [VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS] = THREE(full),
            [VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_FREE] = THREE(full_free),
            [VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | VXE_BOND_EVEN] = THREE(full_even),
            [VXE_BOND_SPRINGS | VXE_BOND_KEEP] = THREE(keep),
            [VXE_BOND_SPRINGS | VXE_BOND_KEEP | VXE_BOND_FREE] = THREE(keep_free),
            [VXE_BOND_SPRINGS | VXE_BOND_KEEP | VXE_BOND_EVEN] = THREE(keep_even),
            [VXE_BOND_DASHPOTS] = THREE(damp),
            [VXE_BOND_DASHPOTS | VXE_BOND_FREE] = THREE(damp_free),
            [VXE_BOND_DASHPOTS | VXE_BOND_EVEN] = THREE(damp_even)}};

#else

const vxe_packed_kernels VXE_VARIANT(vxe_packed_kernels) = {.run = {{NULL}}};

#endif
