/* SPDX-License-Identifier: MIT */
/* Formulas from text, such as "0.1*sin(2*pi*t) - x^2": a formula is parsed once, and then computed
   for many values of its variables at a time. Results have the same bits with every C library and
   on every machine.

   A formula has numbers, variables, pi, + - * / ^, < > (the result is 1 or 0), brackets, and the
   functions sin cos tan (of radians) atan exp log sqrt abs floor round (halves to even) normcdf
   (cumulative standard normal distribution) min max, and not, and, or, for which every value but 0
   is true (the result is 1 or 0). */
#ifndef VXE_COMMON_EXPRESSION_INTERNAL_H
#define VXE_COMMON_EXPRESSION_INTERNAL_H

#include <stdbool.h>

#include "common/status.h"

/* Maximum of values on the stack of a formula. */
#define VXE_EXPRESSION_DEPTH 200u
/* Maximum of sets of variables that one call computes. */
#define VXE_EXPRESSION_BLOCK 64u

typedef struct vxe_instruction {
    uint32_t operation;
    uint32_t variable; /* of an instruction that pushes a variable */
    double number;     /* of an instruction that pushes a number */
} vxe_instruction;

typedef struct vxe_expression {
    vxe_instruction *code; /* (count) in postfix order, for a stack machine */
    uint32_t count;        /* 0: there is no formula */
    uint32_t depth;        /* values that its stack holds at most */
} vxe_expression;

/* Parses text; names (name_count) are the variables. The error says at which character a mistake
   is. */
vxe_status vxe_expression_parse(vxe_expression *expression, const char *text,
                                const char *const *names, uint32_t name_count, vxe_error *error);
/* Whether the formula reads the variable of that index. */
bool vxe_expression_reads(const vxe_expression *expression, uint32_t variable);

/* Powers of units: 1, -1 of m and s is m/s. */
enum { VXE_POWER_M, VXE_POWER_S, VXE_POWER_RAD, VXE_POWER_VOXELS, VXE_POWERS };
typedef struct vxe_dimension {
    double power[VXE_POWERS];
} vxe_dimension;

/* Finds the unit of a formula's value by those of its variables. Numbers in it may stand for
   anything: one that is added has the unit of the other value, and a value times a number other
   than 1 is in a unit of the author's. The length of an edge (m) is an exception: what is divided
   by it is in voxels. Returns false where the unit is not known. */
bool vxe_expression_dimension(const vxe_expression *expression, const vxe_dimension *variables,
                              double edge, vxe_dimension *result);

bool vxe_dimension_equal(const vxe_dimension *a, const vxe_dimension *b);

/* Releases the code. */
void vxe_expression_clear(vxe_expression *expression);

/* Computes values[i] from variables[v][i], i = 0 ... count - 1, count at most
   VXE_EXPRESSION_BLOCK. */
void vxe_expression_run(const vxe_expression *expression, const double *const *variables,
                        uint32_t count, double *values);

#endif
