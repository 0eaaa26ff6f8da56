/* SPDX-License-Identifier: MIT */
/* A list of short texts (warnings, ignored tags), each stored once with the number of times that it
   was added. */
#ifndef VXE_COMMON_MESSAGES_INTERNAL_H
#define VXE_COMMON_MESSAGES_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/export.h"
#include "common/status_internal.h"

typedef struct vxe_message {
    char text[240];
    uint32_t times;
    bool mistake; /* of whoever wrote the file, most likely: a strict check refuses it */
} vxe_message;

typedef struct vxe_messages {
    vxe_message *items; /* (count) */
    uint32_t count;
    uint32_t capacity;
    uint16_t *found; /* (2048) by hash of the text: 1 + the number of a message, 0: none */
} vxe_messages;

/* Adds a text, or increases the count of an equal one. A list stops growing at 1000 texts or when
 * there is no memory. */
void vxe_messages_add(vxe_messages *messages, const char *format, ...) VXE_PRINTF(2, 3);

/* The same for a mistake. */
void vxe_messages_add_mistake(vxe_messages *messages, const char *format, ...) VXE_PRINTF(2, 3);

/* Whether a list has stopped growing, so that what is added is counted only. */
bool vxe_messages_are_full(const vxe_messages *messages);

/* Adds the texts of another list. */
void vxe_messages_join(vxe_messages *messages, const vxe_messages *others);

/* Releases the list. */
void vxe_messages_clear(vxe_messages *messages);

#endif
