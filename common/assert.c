/* SPDX-License-Identifier: MIT */
/* Reports a failed VXE_ASSERT and aborts. A build without asserts compiles none of it. */
#include "common/assert_internal.h"

#ifdef VXE_ASSERTS
#include <stdio.h>
#include <stdlib.h>

void vxe_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}
#else
typedef int vxe_assert_is_off; /* ISO C wants a declaration in each file */
#endif
