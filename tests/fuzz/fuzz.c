/* SPDX-License-Identifier: MIT */
/* A fuzz target per reader (libFuzzer): FUZZ_READER takes any bytes. */
#include <stdlib.h>
#include <string.h>

#include "readers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    (void)FUZZ_READER(text, size);
    free(text);
    return 0;
}
