/* SPDX-License-Identifier: MIT */
/* A flag that SIGINT and SIGTERM set. */
#define _POSIX_C_SOURCE 200809L
#include "cli/shared/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t signalled;

static void on_signal(int number)
{
    (void)number;
    signalled = 1;
}

void interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupted(void)
{
    return signalled;
}

vxe_status interrupted_status(vxe_error *error)
{
    if (signalled) {
        *error = (vxe_error){.status = VXE_ERROR_SYSTEM, .message = "interrupted"};
    }
    return signalled ? VXE_ERROR_SYSTEM : VXE_OK;
}
