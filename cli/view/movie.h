/* SPDX-License-Identifier: MIT */
/* Movies of records: pictures that ffmpeg, a program of its own, turns into .mp4, .webm or .gif. */
#ifndef VXE_CLI_VIEW_MOVIE_H
#define VXE_CLI_VIEW_MOVIE_H

#include <voxelastic/voxelastic.h>

#include "cli/shared/frame_source.h"

typedef struct movie_def {
    vxe_picture_def picture;
    bool follows; /* the camera goes with the body; else it stands still and sees all of the way */
    double speed; /* of the movie, over that of the motion */
} movie_def;

/* True where the name ends in .mp4, .webm or .gif. */
bool movie_is_one(const char *path);

/* Writes all frames of a record. The file appears whole or not at all. */
vxe_status movie_write(const char *path, frame_source *input, const movie_def *def,
                       vxe_error *error);

#endif
