/* SPDX-License-Identifier: MIT */
/* The instructions of formulas, for what goes through their code. */
#ifndef VXE_COMMON_EXPRESSION_OPERATIONS_INTERNAL_H
#define VXE_COMMON_EXPRESSION_OPERATIONS_INTERNAL_H

/* Operations: first those that push a value, then those of two values, then those of one. */
enum {
    NUMBER,
    VARIABLE,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    POWER,
    LESS,
    GREATER,
    MIN,
    MAX,
    AND,
    OR,
    FIRST_OF_ONE, /* this one and those behind it take one value */
    NEGATE = FIRST_OF_ONE,
    SIN,
    COS,
    TAN,
    EXP,
    LOG,
    SQRT,
    ABS,
    FLOOR,
    ROUND,
    ATAN,
    NORMCDF,
    NOT
};

#endif
