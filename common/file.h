/* SPDX-License-Identifier: MIT */
/* Files that appear whole or not at all. A file in the making has a name of its own in the folder
   of the file that it becomes: that name with eight random hexadecimal digits and ".partial" behind
   it. It is made exclusively, so that no file or link of that name is touched, and renamed when it
   is complete: a reader sees the old file or the new one, and a full disk leaves the old one. What
   is killed leaves its file in the making. */
#ifndef VXE_COMMON_FILE_H
#define VXE_COMMON_FILE_H

#include <stdio.h>

#include "common/export.h"
#include "common/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the longest path, its end included. */
#define VXE_FILE_PATH 4096

typedef struct vxe_file_writer {
    FILE *stream;               /* what the caller writes to; null: there is nothing to end */
    char path[VXE_FILE_PATH];   /* as it was given, for messages */
    char target[VXE_FILE_PATH]; /* what is replaced: what symbolic links at path lead to */
    char temporary[VXE_FILE_PATH + 32]; /* the file in the making; empty: written in place */
} vxe_file_writer;

/* Begins to write the file at path. Where path is a symbolic link, it stays one, and the file to
   which it leads is replaced. A file that is replaced keeps its mode. Devices, pipes and open
   descriptors (/dev/stdout) are written in place. */
VXE_API vxe_status vxe_file_begin(vxe_file_writer *writer, const char *path, vxe_error *error);

/* The same, but where path names a folder, the file in the making lies in the folder above: for
   readers that take every file of a folder that they see. Fails where that folder can not be
   written to; commit fails where it is on another disk. */
VXE_API vxe_status vxe_file_begin_above(vxe_file_writer *writer, const char *path,
                                        vxe_error *error);

/* Closes the file and gives it its name. After any failure to write, the file in the making is
   removed, and path is as it was before. */
VXE_API vxe_status vxe_file_commit(vxe_file_writer *writer, vxe_error *error);

/* Closes and removes the file in the making. Does nothing after commit, or where begin failed. */
VXE_API void vxe_file_abandon(vxe_file_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
