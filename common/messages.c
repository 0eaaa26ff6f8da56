/* SPDX-License-Identifier: MIT */
/* Collects warnings without repetition: a file with a million equal mistakes gives one line. */
#include "common/messages_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/memory.h"

#define MAX_MESSAGES 1000u

static void add_text(vxe_messages *messages, const char *text, bool mistake)
{
    VXE_ASSERT(messages->count <= messages->capacity && messages->count <= MAX_MESSAGES);
    if (messages->count == MAX_MESSAGES) { /* full: only the last text is counted on */
        messages->items[MAX_MESSAGES - 1].times++;
        messages->items[MAX_MESSAGES - 1].mistake |= mistake;
        return;
    }
    text = messages->count + 1 == MAX_MESSAGES ? "and more, not listed" : text;
    for (uint32_t i = 0; i < messages->count; i++) {
        if (strcmp(messages->items[i].text, text) == 0) {
            messages->items[i].times++;
            messages->items[i].mistake |= mistake;
            return;
        }
    }
    if (messages->count == messages->capacity) {
        uint32_t capacity = messages->capacity ? 2 * messages->capacity : 8;
        vxe_message *items =
            vxe_memory_grow(messages->items, messages->count, capacity, sizeof *items);
        if (!items) {
            return;
        }
        messages->items = items;
        messages->capacity = capacity;
    }
    VXE_ASSERT(messages->count < messages->capacity);
    vxe_message *message = &messages->items[messages->count++];
    snprintf(message->text, sizeof message->text, "%s", text);
    message->times = 1;
    message->mistake = mistake;
}

void vxe_messages_add(vxe_messages *messages, const char *format, ...)
{
    char text[sizeof messages->items[0].text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_text(messages, text, false);
}

void vxe_messages_add_mistake(vxe_messages *messages, const char *format, ...)
{
    char text[sizeof messages->items[0].text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_text(messages, text, true);
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
    *messages = (vxe_messages){0};
}
