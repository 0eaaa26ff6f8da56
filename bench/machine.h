/* SPDX-License-Identifier: MIT */
/* Processor, compiler and date of a measurement. */
#ifndef VXE_BENCH_MACHINE_H
#define VXE_BENCH_MACHINE_H

/* Name of the processor, or "unknown". */
const char *machine_processor(void);

/* Number of logical processors; 0 if unknown. */
unsigned machine_logical_processors(void);

/* Name and version of the compiler that built this program. */
const char *machine_compiler(void);

/* The present time in UTC, ISO 8601. */
const char *machine_date(void);

#endif
