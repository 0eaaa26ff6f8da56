/* SPDX-License-Identifier: MIT */
/* What `info` says of files that are no designs: recordings and results. */
#ifndef VXE_CLI_INFO_RECORDS_H
#define VXE_CLI_INFO_RECORDS_H

#include <stdbool.h>

/* Whether a file begins as our own records (.vxr) do. */
bool is_record(const char *path);

/* Whether the name of a file ends as those of recordings (.history, .hist) and results (.xml, .vxr)
 * do. */
bool is_recording(const char *path);
bool is_result(const char *path);

/* Returns the exit status. */
int info_record(const char *path);
int info_recording(const char *path);

/* other may be null; where it is not, the numbers of both stand side by side. */
int info_results(const char *path, const char *other);

#endif
