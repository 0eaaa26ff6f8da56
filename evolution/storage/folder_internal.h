/* SPDX-License-Identifier: MIT */
/* The folder of a search; what is in it is in docs/evolving.md. Rows are added to its tables,
   everything else appears whole or not at all. */
#ifndef VXE_EVOLUTION_STORAGE_FOLDER_INTERNAL_H
#define VXE_EVOLUTION_STORAGE_FOLDER_INTERNAL_H

#include <stdio.h>

#include "evolution/algorithms/population_internal.h"

enum { VXE_TABLE_INDIVIDUALS, VXE_TABLE_GENERATIONS, VXE_TABLES };

typedef struct vxe_folder {
    char path[900];
    FILE *table[VXE_TABLES];
    int lock; /* above 0: a descriptor that holds the folder for this process */
} vxe_folder;

/* A row of generations.csv. */
typedef struct vxe_generation_row {
    uint32_t generation;
    uint64_t evaluations; /* in all generations so far */
    const vxe_individual *champion;
    const vxe_population *living;
    uint32_t failed;
    double at_half;  /* the champion's fitness at half the step; NaN: none */
    uint32_t filled; /* cells of the archive; 0 without one */
} vxe_generation_row;

/* The name of something in it; returns text. */
char *vxe_folder_name(const vxe_folder *folder, const char *name, char *text, size_t size);

/* Makes it with config.json, manifest.json and tables of no rows. */
vxe_status vxe_folder_create(vxe_folder *folder, const char *path, const vxe_experiment *experiment,
                             vxe_error *error);

/* Finds one, without opening its tables. */
vxe_status vxe_folder_find(vxe_folder *folder, const char *path, vxe_error *error);

/* Whether a folder without a checkpoint never had one: it may hold fewer generations than there are
   between two. Fails otherwise. */
vxe_status vxe_folder_is_new(const vxe_folder *folder, uint64_t interval, vxe_error *error);

/* Takes it for this process alone, opens its tables and cuts them to so many bytes; 0: to no rows.
 */
vxe_status vxe_folder_open(vxe_folder *folder, const uint64_t bytes[VXE_TABLES], vxe_error *error);
void vxe_folder_close(vxe_folder *folder);

/* Rows of all members, and of a generation. */
void vxe_folder_add_individuals(const vxe_folder *folder, const vxe_population *members,
                                uint32_t generation);
vxe_status vxe_folder_add_generation(const vxe_folder *folder, const vxe_generation_row *row,
                                     vxe_error *error);

/* Puts all rows on the disk; bytes: how long the tables are now. */
vxe_status vxe_folder_settle(const vxe_folder *folder, uint64_t bytes[VXE_TABLES],
                             vxe_error *error);

/* Writes the design of an individual as FOLDER/where/name.json, or by its id where name is null. */
vxe_status vxe_folder_put_design(const vxe_folder *folder, const char *where, const char *name,
                                 const vxe_experiment *experiment, const vxe_individual *individual,
                                 vxe_error *error);

/* Makes FOLDER/name if it is missing. */
vxe_status vxe_folder_make(const vxe_folder *folder, const char *name, vxe_error *error);

#endif
