/* SPDX-License-Identifier: MIT */
/* Files that come with the program. */
#ifndef VXE_CLI_SHARED_INSTALLED_H
#define VXE_CLI_SHARED_INSTALLED_H

#include <stdio.h>

/* Bytes of the longest path of such a file. */
#define INSTALLED_PATH 4608

/* Where a file is looked for. */
typedef struct installed_file {
    const char *variable;     /* an environment variable that names its folder, before all else */
    const char *from_program; /* its folder, from the program's: so that an installed tree may be
                                 moved */
    const char *of_build;     /* its folder where the program was built */
    const char *name;
} installed_file;

/* Opens it, and says where it is. Null where it is in none of its places: errno is ENOMEM where
   memory was lacking. */
FILE *installed_open(const installed_file *file, char path[INSTALLED_PATH]);

#endif
