/* SPDX-License-Identifier: MIT */
/* The folder of a search; docs/evolving.md describes its files. Rows are appended to its tables;
   all other files appear whole or not at all. */
#ifndef VXE_EVOLUTION_STORAGE_SEARCH_FOLDER_INTERNAL_H
#define VXE_EVOLUTION_STORAGE_SEARCH_FOLDER_INTERNAL_H

#include <stdio.h>

#include "common/hash_internal.h"
#include "evolution/algorithms/population_internal.h"

enum { VXE_TABLE_INDIVIDUALS, VXE_TABLE_GENERATIONS, VXE_TABLES };

/* Where a table stands at a checkpoint. */
typedef struct vxe_table_mark {
    uint64_t bytes; /* its length */
    vxe_hash hash;  /* of these bytes, each a word */
    bool unhashed;  /* the hash is not known: an earlier build wrote the checkpoint */
} vxe_table_mark;

typedef struct vxe_folder {
    char path[900];
    FILE *table[VXE_TABLES];
    vxe_table_mark marks[VXE_TABLES]; /* as of the last checkpoint */
    int lock;     /* descriptor of config.json, which locks the folder for this process; 0: none */
    bool spreads; /* individuals have a spread: they run as several copies */
    bool learns;  /* individuals learn */
} vxe_folder;

/* A row of generations.csv. */
typedef struct vxe_generation_row {
    uint32_t generation;
    uint64_t evaluations; /* of all generations so far */
    const vxe_individual *champion;
    const vxe_population *living;
    uint32_t failed;
    double at_half;  /* fitness of the champion at half the time step; NaN: none */
    uint32_t filled; /* filled cells of the archive; 0 without an archive */
} vxe_generation_row;

/* Writes the path of a file in the folder to text, and returns text. */
char *vxe_folder_name(const vxe_folder *folder, const char *name, char *text, size_t size);

/* Notes which columns the tables of an experiment have. */
void vxe_folder_expect(vxe_folder *folder, const vxe_experiment *experiment);

/* Makes the folder with config.json, manifest.json and empty tables, and locks it for this process.
   Of several that make one folder at once, one succeeds. */
vxe_status vxe_folder_create(vxe_folder *folder, const char *path, const vxe_experiment *experiment,
                             vxe_error *error);

/* Finds an existing folder, locks it for this process, and removes what killed ones left in the
   making, without opening its tables. Fails where another process has it. */
vxe_status vxe_folder_find(vxe_folder *folder, const char *path, vxe_error *error);

/* Writes config.json anew, and keeps the folder locked. */
vxe_status vxe_folder_put_config(vxe_folder *folder, const vxe_experiment *experiment,
                                 vxe_error *error);

/* Fails unless a folder without a checkpoint can be one that never had any: it must have no more
   generations than there are between two checkpoints. */
vxe_status vxe_folder_is_new(const vxe_folder *folder, uint64_t interval, vxe_error *error);

/* Opens the tables of a locked folder and cuts them to where its marks are; 0 bytes: to no rows.
   Fails where what is before a mark is not what it was. */
vxe_status vxe_folder_open(vxe_folder *folder, vxe_error *error);

/* Closes the tables and lets go of the folder; also after a failure. */
void vxe_folder_close(vxe_folder *folder);

/* Append the rows of all members, and of a generation. */
void vxe_folder_add_individuals(const vxe_folder *folder, const vxe_population *members,
                                uint32_t generation);
vxe_status vxe_folder_add_generation(const vxe_folder *folder, const vxe_generation_row *row,
                                     vxe_error *error);

/* Syncs all rows to the disk, and sets the marks behind them. */
vxe_status vxe_folder_settle(vxe_folder *folder, vxe_error *error);

/* Develops an individual into a design named after it; null where the constraints reject it. */
vxe_status vxe_individual_design(const vxe_experiment *experiment, const vxe_individual *individual,
                                 vxe_design **design, vxe_error *error);

/* Writes the design of an individual as FOLDER/where/name.json, or under its id where name is
   null. */
vxe_status vxe_folder_put_design(const vxe_folder *folder, const char *where, const char *name,
                                 const vxe_experiment *experiment, const vxe_individual *individual,
                                 vxe_error *error);

/* Makes FOLDER/name where it is missing; and removes the individuals in it. */
vxe_status vxe_folder_make(const vxe_folder *folder, const char *name, vxe_error *error);
vxe_status vxe_folder_empty(const vxe_folder *folder, const char *name, vxe_error *error);

#endif
