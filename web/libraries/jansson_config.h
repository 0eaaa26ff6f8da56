/* SPDX-License-Identifier: MIT */
/* What jansson is built with: its public header includes this. */
#ifndef JANSSON_CONFIG_H
#define JANSSON_CONFIG_H

#include <stdint.h>
#include <stdlib.h>

#define JSON_INLINE inline
#define JSON_INTEGER_IS_LONG_LONG 1
#define JSON_HAVE_LOCALECONV 1
#define JSON_HAVE_ATOMIC_BUILTINS 1
#define JSON_HAVE_SYNC_BUILTINS 1
#define JSON_PARSER_MAX_DEPTH 2048

#endif
