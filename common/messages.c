/* SPDX-License-Identifier: MIT */
/* Collects warnings without repetition: a file with a million equal mistakes gives one line. */
#include "common/messages_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/hash_internal.h"
#include "common/memory.h"

#define MAX_MESSAGES 1000u
/* Places of the table of hashes. */
#define PLACES 2048u

_Static_assert(2 * MAX_MESSAGES < PLACES, "a search of the table soon meets an empty place");

/* The place in the table of hashes at which a text is, or may be put. Places that follow each other
   are tried; a table is less than half full. */
static uint16_t *place_of(const vxe_messages *messages, const char *text)
{
    uint64_t hash = 0;
    for (const char *c = text; *c; c++) {
        hash = vxe_hash_mix(hash + (unsigned char)*c + 1);
    }
    uint16_t *place = &messages->found[hash % PLACES];
    while (*place && strcmp(messages->items[*place - 1].text, text) != 0) {
        place = place + 1 < messages->found + PLACES ? place + 1 : messages->found;
    }
    return place;
}

/* Makes sure that one more message can be added. Returns false without memory. */
static bool has_room(vxe_messages *messages)
{
    if (!messages->found) {
        messages->found = vxe_memory_take(PLACES, sizeof *messages->found);
    }
    if (messages->found && messages->count == messages->capacity) {
        const uint32_t capacity = messages->capacity ? 2 * messages->capacity : 8;
        vxe_message *items =
            vxe_memory_grow(messages->items, messages->count, capacity, sizeof *items);
        messages->items = items ? items : messages->items;
        messages->capacity = items ? capacity : messages->capacity;
    }
    return messages->found && messages->count < messages->capacity;
}

static void add_text(vxe_messages *messages, const char *text, bool mistake)
{
    VXE_ASSERT(messages->count <= messages->capacity && messages->count <= MAX_MESSAGES);
    if (messages->count == MAX_MESSAGES) { /* full: only the last text is counted on */
        messages->items[MAX_MESSAGES - 1].times++;
        messages->items[MAX_MESSAGES - 1].mistake |= mistake;
        return;
    }
    if (!has_room(messages)) {
        return;
    }
    text = messages->count + 1 == MAX_MESSAGES ? "and more, not listed" : text;
    uint16_t *place = place_of(messages, text);
    if (*place) {
        messages->items[*place - 1].times++;
        messages->items[*place - 1].mistake |= mistake;
        return;
    }
    vxe_message *message = &messages->items[messages->count++];
    *place = (uint16_t)messages->count;
    snprintf(message->text, sizeof message->text, "%s", text);
    message->times = 1;
    message->mistake = mistake;
}

VXE_PRINTF(3, 0)
static void add_format(vxe_messages *messages, bool mistake, const char *format, va_list arguments)
{
    char text[sizeof messages->items[0].text];
    vsnprintf(text, sizeof text, format, arguments);
    add_text(messages, text, mistake);
}

void vxe_messages_add(vxe_messages *messages, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_format(messages, false, format, arguments);
    va_end(arguments);
}

void vxe_messages_add_mistake(vxe_messages *messages, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_format(messages, true, format, arguments);
    va_end(arguments);
}

bool vxe_messages_are_full(const vxe_messages *messages)
{
    return messages->count == MAX_MESSAGES;
}

void vxe_messages_join(vxe_messages *messages, const vxe_messages *others)
{
    for (uint32_t i = 0; i < others->count; i++) {
        add_text(messages, others->items[i].text, others->items[i].mistake);
    }
}

void vxe_messages_clear(vxe_messages *messages)
{
    vxe_memory_release(messages->items);
    vxe_memory_release(messages->found);
    *messages = (vxe_messages){0};
}
