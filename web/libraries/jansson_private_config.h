/* SPDX-License-Identifier: MIT */
/* What jansson is built with: its sources include this. */
#define HAVE_STDINT_H 1
#define HAVE_UNISTD_H 1
#define HAVE_INT32_T 1
#define HAVE_UINT32_T 1
#define HAVE_ATOMIC_BUILTINS 1
#define INITIAL_HASHTABLE_ORDER 3
