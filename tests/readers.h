/* SPDX-License-Identifier: MIT */
/* Each reader of files, for tests with damaged files. Returns true if the bytes can be read in the
 * reader's format; size is their number, and a zero follows them. A design that is read has a hash
 * and equals itself. */
#ifndef VXE_TESTS_READERS_H
#define VXE_TESTS_READERS_H

#include <stdbool.h>
#include <stdint.h>

typedef bool file_reader(const char *bytes, uint64_t size);

bool read_as_vxa(const char *bytes, uint64_t size);  /* VXA and VXC */
bool read_as_vxd(const char *bytes, uint64_t size);  /* an overlay, over a base design made here */
bool read_as_json(const char *bytes, uint64_t size); /* scenes, VXL and EvoGym worlds */
bool read_as_vox(const char *bytes, uint64_t size);  /* MagicaVoxel */
bool read_as_npy(const char *bytes, uint64_t size);  /* a body of EvoGym, an array of numpy */
bool read_as_npz(const char *bytes, uint64_t size);  /* the same in an archive */
bool read_as_history(const char *bytes, uint64_t size); /* history of a run */
bool read_as_scores(const char *bytes,
                    uint64_t size); /* result files and reports of other simulators */
bool read_as_experiment(const char *bytes, uint64_t size); /* experiment of a search */
bool read_as_vxr(const char *bytes, uint64_t size);        /* records, .vxr */
bool read_as_job(const char *bytes, uint64_t size);        /* job of voxcraft's worker */

#endif
