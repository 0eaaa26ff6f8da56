/* SPDX-License-Identifier: MIT */
/* Each reader of files, for tests that give it damaged ones. True where bytes are read as what they
   are said to be; size of them, behind which a zero stands. A design that is read has a hash, and
   differs from itself in nothing. */
#ifndef VXE_TESTS_READERS_H
#define VXE_TESTS_READERS_H

#include <stdbool.h>
#include <stdint.h>

typedef bool file_reader(const char *bytes, uint64_t size);

bool read_as_vxa(const char *bytes, uint64_t size);        /* and .vxc */
bool read_as_vxd(const char *bytes, uint64_t size);        /* over a body of its own */
bool read_as_json(const char *bytes, uint64_t size);       /* scenes, VXL, EvoGym */
bool read_as_vox(const char *bytes, uint64_t size);        /* MagicaVoxel */
bool read_as_history(const char *bytes, uint64_t size);    /* of a run */
bool read_as_scores(const char *bytes, uint64_t size);     /* results, reports */
bool read_as_experiment(const char *bytes, uint64_t size); /* of a search */
bool read_as_vxr(const char *bytes, uint64_t size);        /* our record */
bool read_as_job(const char *bytes, uint64_t size);        /* of voxcraft's worker */

#endif
