/* SPDX-License-Identifier: MIT */
/* Formulas from text, such as "0.1*sin(2*pi*t) - x^2": parsed once, then computed for many values
   of their variables at a time. The same bits with every C library and machine.

   Numbers, variables, pi, + - * / ^, < > (1 or 0), brackets, and the functions sin cos tan (of
   radians) atan exp log sqrt abs floor round (halves to even) normcdf (of the standard normal
   distribution) min max, and not, and, or of what is not 0 (1 or 0). */
#ifndef VXE_COMMON_EXPRESSION_INTERNAL_H
#define VXE_COMMON_EXPRESSION_INTERNAL_H

#include <stdbool.h>

#include "common/status.h"

/* Most values of a formula that wait for an operation at once. */
#define VXE_EXPRESSION_DEPTH 200u
/* Sets of variables that are computed together, at most. */
#define VXE_EXPRESSION_BLOCK 64u

typedef struct vxe_instruction {
    uint32_t operation;
    uint32_t variable;
    double number;
} vxe_instruction;

typedef struct vxe_expression {
    vxe_instruction *code; /* (count) in the order of a stack */
    uint32_t count;        /* 0: there is none */
} vxe_expression;

/* Parses text; names are those of the variables. A mistake is told with its place in the text. */
vxe_status vxe_expression_parse(vxe_expression *expression, const char *text,
                                const char *const *names, uint32_t name_count, vxe_error *error);
/* Whether it reads that variable. */
bool vxe_expression_reads(const vxe_expression *expression, uint32_t variable);
void vxe_expression_clear(vxe_expression *expression);

/* Values for count sets of variables, variables[v][i]; count to VXE_EXPRESSION_BLOCK. */
void vxe_expression_run(const vxe_expression *expression, const double *const *variables,
                        uint32_t count, double *values);

#endif
