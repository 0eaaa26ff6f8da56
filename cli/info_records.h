/* SPDX-License-Identifier: MIT */
/* What `info` prints about files that are not designs: records, histories and results. */
#ifndef VXE_CLI_INFO_RECORDS_H
#define VXE_CLI_INFO_RECORDS_H

#include <stdbool.h>

/* True where the name has the ending of a history (.history, .hist), or of a result (.xml,
   .vxr). */
bool is_history(const char *path);
bool is_result(const char *path);

/* Print what the file holds. Both return an exit status. */
int info_record(const char *path);
int info_history(const char *path);

/* Prints a result; where `other` is not null, the numbers of both, side by side. Returns an exit
   status. */
int info_results(const char *path, const char *other);

#endif
