/* SPDX-License-Identifier: MIT */
/* There is one thread, and wasi-libc has no header of threads: what the library asks of one. */
#ifndef VXE_WEB_PTHREAD_H
#define VXE_WEB_PTHREAD_H

typedef int pthread_once_t;
#define PTHREAD_ONCE_INIT 0

static inline int pthread_once(pthread_once_t *once, void (*begin)(void))
{
    if (!*once) {
        *once = 1;
        begin();
    }
    return 0;
}

#endif
