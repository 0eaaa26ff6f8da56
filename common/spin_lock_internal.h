/* SPDX-License-Identifier: MIT */
/* A lock of what threads use for some microseconds: who waits keeps asking. Never within a step. */
#ifndef VXE_COMMON_SPIN_LOCK_INTERNAL_H
#define VXE_COMMON_SPIN_LOCK_INTERNAL_H

#include <stdatomic.h>

typedef struct vxe_spin_lock {
    atomic_flag taken; /* clear it with vxe_spin_lock_release before use */
} vxe_spin_lock;

static inline void vxe_spin_lock_take(vxe_spin_lock *lock)
{
    while (atomic_flag_test_and_set_explicit(&lock->taken, memory_order_acquire)) {
    }
}

static inline void vxe_spin_lock_release(vxe_spin_lock *lock)
{
    atomic_flag_clear_explicit(&lock->taken, memory_order_release);
}

#endif
