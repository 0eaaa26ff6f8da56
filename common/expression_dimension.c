/* SPDX-License-Identifier: MIT */
/* Units of formulas: the code runs over units in the place of values. */
#include <math.h>

#include "common/assert_internal.h"
#include "common/expression_internal.h"
#include "common/expression_operations_internal.h"

/* Two numbers are equal within this part. */
#define EQUAL 1e-9

/* What is known of a value on the stack. */
typedef struct operand {
    bool known;       /* the unit is known */
    bool number;      /* it comes of numbers alone */
    double value;     /* of such a number, where only + - * / made it; NaN otherwise */
    vxe_dimension in; /* the unit */
} operand;

static const operand pure = {.known = true};
static const operand unknown = {.known = false};

bool vxe_dimension_equal(const vxe_dimension *a, const vxe_dimension *b)
{
    for (int k = 0; k < VXE_POWERS; k++) {
        if (fabs(a->power[k] - b->power[k]) > EQUAL) {
            return false;
        }
    }
    return true;
}

static bool is_pure(const operand *a)
{
    return a->known && vxe_dimension_equal(&a->in, &pure.in);
}

static operand number_of(double value)
{
    return (operand){.known = true, .number = true, .value = value};
}

/* The unit a^x b^y. */
static operand combined(const operand *a, double x, const operand *b, double y)
{
    operand result = {.known = a->known && b->known};
    for (int k = 0; k < VXE_POWERS; k++) {
        result.in.power[k] = x * a->in.power[k] + y * b->in.power[k];
    }
    return result;
}

/* A value times a number. */
static operand scaled(const operand *a, double factor, double edge)
{
    const vxe_dimension meters = {.power = {[VXE_POWER_M] = 1}};
    if (!a->known || is_pure(a) || fabs(fabs(factor) - 1) <= EQUAL) {
        return *a;
    }
    if (fabs(fabs(factor) * edge - 1) <= EQUAL && vxe_dimension_equal(&a->in, &meters)) {
        return (operand){.known = true, .in = {.power = {[VXE_POWER_VOXELS] = 1}}};
    }
    return unknown;
}

static operand of_numbers(uint32_t operation, double a, double b)
{
    switch (operation) {
    case ADD:
        return number_of(a + b);
    case SUBTRACT:
        return number_of(a - b);
    case MULTIPLY:
        return number_of(a * b);
    case DIVIDE:
        return number_of(a / b);
    default:
        return number_of((double)NAN);
    }
}

/* A sum, or the smaller or larger of two. */
static operand alike(const operand *a, const operand *b)
{
    if (a->number || b->number) {
        return a->number ? *b : *a;
    }
    return a->known && b->known && vxe_dimension_equal(&a->in, &b->in) ? *a : unknown;
}

static operand raised(const operand *base, const operand *exponent)
{
    if (is_pure(base) && is_pure(exponent)) {
        return pure;
    }
    return exponent->number && isfinite(exponent->value) ? combined(base, exponent->value, &pure, 0)
                                                         : unknown;
}

static operand of_two(uint32_t operation, const operand *a, const operand *b, double edge)
{
    if (operation >= LESS && operation != MIN && operation != MAX) {
        return pure; /* true or false */
    }
    if (a->number && b->number) {
        return of_numbers(operation, a->value, b->value);
    }
    switch (operation) {
    case MULTIPLY:
        return a->number   ? scaled(b, a->value, edge)
               : b->number ? scaled(a, b->value, edge)
                           : combined(a, 1, b, 1);
    case DIVIDE: {
        const operand inverse = combined(&pure, 1, b, -1);
        return b->number   ? scaled(a, 1 / b->value, edge)
               : a->number ? scaled(&inverse, a->value, 0)
                           : combined(a, 1, b, -1);
    }
    case POWER:
        return raised(a, b);
    default:
        return alike(a, b);
    }
}

static operand of_one(uint32_t operation, const operand *a)
{
    const operand radians = {.known = true, .in = {.power = {[VXE_POWER_RAD] = 1}}};
    if (operation == NOT) {
        return pure;
    }
    if (a->number) {
        return number_of(operation == NEGATE ? -a->value : (double)NAN);
    }
    switch (operation) {
    case NEGATE:
    case ABS:
        return *a;
    case SQRT:
        return combined(a, 0.5, &pure, 0);
    case ATAN:
        return is_pure(a) ? radians : unknown;
    case FLOOR:
    case ROUND: /* of lengths they are counts of the author's */
        return is_pure(a) ? pure : unknown;
    default:
        return pure;
    }
}

bool vxe_expression_dimension(const vxe_expression *expression, const vxe_dimension *variables,
                              double edge, vxe_dimension *result)
{
    operand stack[VXE_EXPRESSION_DEPTH];
    uint32_t top = 0;
    for (uint32_t k = 0; k < expression->count; k++) {
        const vxe_instruction *step = &expression->code[k];
        if (step->operation <= VARIABLE) {
            VXE_ASSERT(top < VXE_EXPRESSION_DEPTH);
            stack[top++] = step->operation == NUMBER
                               ? number_of(step->number)
                               : (operand){.known = true, .in = variables[step->variable]};
        } else if (step->operation >= FIRST_OF_ONE) {
            VXE_ASSERT(top >= 1);
            stack[top - 1] = of_one(step->operation, &stack[top - 1]);
        } else {
            VXE_ASSERT(top >= 2);
            top--;
            stack[top - 1] = of_two(step->operation, &stack[top - 1], &stack[top], edge);
        }
    }
    *result = top > 0 ? stack[0].in : pure.in;
    return top > 0 && stack[0].known;
}
