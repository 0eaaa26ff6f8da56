/* SPDX-License-Identifier: MIT */
/* Where and with what a measurement was made. */
#ifndef VXE_BENCH_MACHINE_H
#define VXE_BENCH_MACHINE_H

/* The processor's name, or "unknown". */
const char *machine_processor(void);

/* Logical processors of the machine; 0 if unknown. */
unsigned machine_logical_processors(void);

/* Name and version of the compiler that built this program. */
const char *machine_compiler(void);

/* Now in UTC, ISO 8601. */
const char *machine_date(void);

#endif
