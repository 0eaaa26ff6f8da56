/* SPDX-License-Identifier: MIT */
/* A recursive descent parser turns a formula into instructions for a stack machine, which runs
   them for a block of values at a time. Functions come from common/trig_internal.h and not from
   the C library, so that results have the same bits everywhere. */
#include "common/expression_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "common/assert_internal.h"
#include "common/expression_operations_internal.h"
#include "common/memory.h"
#include "common/number_internal.h"
#include "common/status_internal.h"
#include "common/trig_internal.h"

/* Maximum depth of brackets, signs and powers inside each other. */
#define MAX_NESTED 2048
#define MAX_CODE 4096u
/* Values that a formula is computed with at once: the main thread may find no memory to make its
   stack larger. */
#define STACK 1024u
_Static_assert(STACK >= VXE_EXPRESSION_DEPTH && STACK >= VXE_EXPRESSION_BLOCK,
               "the deepest formula is computed for one place at least");

static const struct {
    const char *name;
    uint32_t operation;
    int values;
} functions[] = {
    {"sin", SIN, 1},     {"cos", COS, 1},     {"tan", TAN, 1},         {"atan", ATAN, 1},
    {"exp", EXP, 1},     {"log", LOG, 1},     {"sqrt", SQRT, 1},       {"abs", ABS, 1},
    {"floor", FLOOR, 1}, {"round", ROUND, 1}, {"normcdf", NORMCDF, 1}, {"not", NOT, 1},
    {"min", MIN, 2},     {"max", MAX, 2},     {"and", AND, 2},         {"or", OR, 2}};

typedef struct parser {
    const char *text;
    const char *at;
    const char *const *names;
    uint32_t name_count;
    vxe_expression *into;
    uint32_t capacity;
    uint32_t depth; /* values that are on the stack at this point of the code */
    int nested;
    vxe_error *error;
    vxe_status status;
} parser;

static void parse_sum(parser *p);
static void parse_unary(parser *p);

/* Stores the first mistake with its place in the text; later ones are ignored. */
static void fail(parser *p, const char *what)
{
    if (!p->status) {
        p->status =
            vxe_error_fill(p->error, VXE_ERROR_INPUT, "formula \"%.80s\", character %zu: %s",
                           p->text, (size_t)(p->at - p->text) + 1, what);
    }
}

/* Appends an instruction and keeps track of the depth of the stack. After a mistake the depth means
   nothing, since operands are missing. */
static void emit(parser *p, vxe_instruction instruction)
{
    vxe_expression *into = p->into;
    VXE_ASSERT(instruction.operation <= NOT);
    VXE_ASSERT(instruction.operation != VARIABLE || instruction.variable < p->name_count);
    VXE_ASSERT(p->status || instruction.operation <= VARIABLE ||
               p->depth >= (instruction.operation < FIRST_OF_ONE ? 2u : 1u));
    p->depth += instruction.operation <= VARIABLE;
    into->depth = p->depth > into->depth ? p->depth : into->depth;
    p->depth -= instruction.operation > VARIABLE && instruction.operation < FIRST_OF_ONE;
    if (p->depth > VXE_EXPRESSION_DEPTH || into->count >= MAX_CODE) {
        fail(p, "the formula is too long");
        return;
    }
    if (into->count == p->capacity) {
        const uint32_t larger = p->capacity ? 2 * p->capacity : 16;
        vxe_instruction *code =
            vxe_memory_grow(into->code, into->count, larger, sizeof *into->code);
        if (!code) {
            p->status = vxe_error_memory(p->error, larger * sizeof *into->code);
            return;
        }
        into->code = code;
        p->capacity = larger;
    }
    VXE_ASSERT(into->count < p->capacity);
    into->code[into->count++] = instruction;
}

static void skip_blanks(parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r') {
        p->at++;
    }
}

/* If the next character is this one, moves behind it and returns true. */
static bool takes(parser *p, char what)
{
    skip_blanks(p);
    const bool found = !p->status && *p->at == what;
    p->at += found;
    return found;
}

static void expect(parser *p, char what, const char *message)
{
    if (!takes(p, what)) {
        fail(p, message);
    }
}

/* Parses sums that may be compared: the whole grammar. */
static void parse_all(parser *p)
{
    if (++p->nested > MAX_NESTED) {
        fail(p, "brackets, signs or powers are nested too deeply");
        return;
    }
    parse_sum(p);
    for (bool more = true; more && !p->status;) {
        more = false;
        if (takes(p, '<')) {
            parse_sum(p);
            emit(p, (vxe_instruction){.operation = LESS});
            more = true;
        } else if (takes(p, '>')) {
            parse_sum(p);
            emit(p, (vxe_instruction){.operation = GREATER});
            more = true;
        }
    }
    p->nested--;
}

static void parse_call(parser *p, size_t function)
{
    VXE_ASSERT(function < sizeof functions / sizeof functions[0]);
    expect(p, '(', "expected ( behind the function");
    for (int i = 0; i < functions[function].values && !p->status; i++) {
        if (i > 0) {
            expect(p, ',', "expected a comma and a second value");
        }
        parse_all(p);
    }
    expect(p, ')', "expected )");
    emit(p, (vxe_instruction){.operation = functions[function].operation});
}

static bool is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

static void parse_name(parser *p)
{
    const char *name = p->at;
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_') {
        length++;
    }
    for (uint32_t v = 0; v < p->name_count; v++) {
        if (is_name(p->names[v], name, length)) {
            p->at += length;
            emit(p, (vxe_instruction){.operation = VARIABLE, .variable = v});
            return;
        }
    }
    for (size_t f = 0; f < sizeof functions / sizeof functions[0]; f++) {
        if (is_name(functions[f].name, name, length)) {
            p->at += length;
            parse_call(p, f);
            return;
        }
    }
    if (is_name("pi", name, length)) {
        p->at += length;
        emit(p, (vxe_instruction){.operation = NUMBER, .number = VXE_PI});
        return;
    }
    fail(p, "no such variable or function");
}

static void parse_primary(parser *p)
{
    skip_blanks(p);
    if (p->status) {
        return;
    }
    if (takes(p, '(')) {
        parse_all(p);
        expect(p, ')', "expected )");
    } else if (isdigit((unsigned char)*p->at) || *p->at == '.') {
        const char *end = NULL;
        const double number = vxe_number_scan(p->at, &end);
        if (end == p->at) {
            fail(p, "expected a number");
            return;
        }
        p->at = end;
        emit(p, (vxe_instruction){.operation = NUMBER, .number = number});
    } else if (isalpha((unsigned char)*p->at)) {
        parse_name(p);
    } else {
        fail(p, *p->at ? "expected a number, a name or (" : "it ends too early");
    }
}

/* Parses signs and powers. A sign binds less than a power: -x^2 is -(x^2). */
static void parse_unary(parser *p)
{
    if (++p->nested > MAX_NESTED) {
        fail(p, "brackets, signs or powers are nested too deeply");
        return;
    }
    if (takes(p, '-')) {
        parse_unary(p);
        emit(p, (vxe_instruction){.operation = NEGATE});
    } else if (takes(p, '+')) {
        parse_unary(p);
    } else {
        parse_primary(p);
        if (takes(p, '^')) {
            parse_unary(p);
            emit(p, (vxe_instruction){.operation = POWER});
        }
    }
    p->nested--;
}

static void parse_product(parser *p)
{
    parse_unary(p);
    while (!p->status) {
        if (takes(p, '*')) {
            parse_unary(p);
            emit(p, (vxe_instruction){.operation = MULTIPLY});
        } else if (takes(p, '/')) {
            parse_unary(p);
            emit(p, (vxe_instruction){.operation = DIVIDE});
        } else {
            return;
        }
    }
}

static void parse_sum(parser *p)
{
    parse_product(p);
    while (!p->status) {
        if (takes(p, '+')) {
            parse_product(p);
            emit(p, (vxe_instruction){.operation = ADD});
        } else if (takes(p, '-')) {
            parse_product(p);
            emit(p, (vxe_instruction){.operation = SUBTRACT});
        } else {
            return;
        }
    }
}

vxe_status vxe_expression_parse(vxe_expression *expression, const char *text,
                                const char *const *names, uint32_t name_count, vxe_error *error)
{
    VXE_ASSERT(text && (names || name_count == 0));
    *expression = (vxe_expression){0};
    parser p = {.text = text,
                .at = text,
                .names = names,
                .name_count = name_count,
                .into = expression,
                .error = error};
    parse_all(&p);
    skip_blanks(&p);
    if (*p.at) {
        fail(&p, "expected an operator");
    }
    VXE_ASSERT(p.status || (p.depth == 1 && expression->count > 0));
    if (p.status) {
        vxe_expression_clear(expression);
    }
    return p.status;
}

bool vxe_expression_reads(const vxe_expression *expression, uint32_t variable)
{
    for (uint32_t k = 0; k < expression->count; k++) {
        const vxe_instruction *step = &expression->code[k];
        if (step->operation == VARIABLE && step->variable == variable) {
            return true;
        }
    }
    return false;
}

void vxe_expression_clear(vxe_expression *expression)
{
    vxe_memory_release(expression->code);
    *expression = (vxe_expression){0};
}

/* e^x for any result that is a finite number: vxe_exponential ends at |x| = 700, and beyond that
   e^(x/2) is squared. */
static double exponential(double x)
{
    const double root = vxe_exponential(0.5 * x);
    return fabs(x) > 700 ? root * root : vxe_exponential(x);
}

/* Integer powers by repeated squaring, so that negative bases have them; other powers by
 * logarithms. Beyond 2^53 all doubles are even integers, so that the sign of the base vanishes. */
static double power(double base, double exponent)
{
    const double size = fabs(exponent);
    if (exponent == floor(exponent) && size <= 0x1p53) {
        double result = 1;
        double square = base;
        for (uint64_t left = (uint64_t)size; left > 0; left /= 2) {
            result = left % 2 ? result * square : result;
            square *= square;
        }
        return exponent < 0 ? 1 / result : result;
    }
    if (base == 0 && size > 0) {
        return exponent > 0 ? 0 : HUGE_VAL;
    }
    const double positive = exponent == floor(exponent) ? fabs(base) : base;
    return positive > 0 ? exponential(exponent * vxe_logarithm(positive)) : (double)NAN;
}

/* Result of an operation of one value. */
static double of_one(uint32_t operation, double a)
{
    double sine = 0;
    double cosine = 1;
    switch (operation) {
    case NEGATE:
        return -a;
    case SIN:
    case COS:
    case TAN:
        if (!(fabs(a) < 1e15)) {
            return (double)NAN;
        }
        vxe_sincos_cycles(a / VXE_TAU, &sine, &cosine);
        return operation == SIN ? sine : operation == COS ? cosine : sine / cosine;
    case EXP:
        return vxe_exponential(a);
    case LOG:
        return vxe_logarithm(a);
    case SQRT:
        return sqrt(a);
    case ABS:
        return fabs(a);
    case FLOOR:
        return floor(a);
    case ROUND:
        return rint(a);
    case ATAN:
        return vxe_arc_tangent(a);
    case NORMCDF:
        return vxe_normal_cdf(a);
    case NOT:
        return a == 0;
    default:
        VXE_ASSERT(false);
        return (double)NAN;
    }
}

/* Result of an operation of two values. */
static double of_two(uint32_t operation, double a, double b)
{
    switch (operation) {
    case ADD:
        return a + b;
    case SUBTRACT:
        return a - b;
    case MULTIPLY:
        return a * b;
    case DIVIDE:
        return a / b;
    case POWER:
        return power(a, b);
    case LESS:
        return a < b;
    case GREATER:
        return a > b;
    case MIN:
        return a < b ? a : b;
    case MAX:
        return a > b ? a : b;
    case AND:
        return a != 0 && b != 0;
    case OR:
        return a != 0 || b != 0;
    default:
        VXE_ASSERT(false);
        return (double)NAN;
    }
}

/* Computes values[i] from variables[v][first + i]. stack: (depth of the formula, count) */
static void run_part(const vxe_expression *expression, const double *const *variables,
                     uint32_t first, uint32_t count, double *stack, double *values)
{
    uint32_t top = 0;
    memset(stack, 0, count * sizeof *stack); /* without a formula the result is 0 */
    for (uint32_t k = 0; k < expression->count; k++) {
        const vxe_instruction *step = &expression->code[k];
        VXE_ASSERT(step->operation <= NOT);
        if (step->operation <= VARIABLE) {
            VXE_ASSERT(top < expression->depth);
            double *into = stack + (size_t)top * count;
            for (uint32_t i = 0; i < count; i++) {
                into[i] =
                    step->operation == NUMBER ? step->number : variables[step->variable][first + i];
            }
            top++;
        } else if (step->operation >= FIRST_OF_ONE) {
            VXE_ASSERT(top >= 1);
            double *last = stack + (size_t)(top - 1) * count;
            for (uint32_t i = 0; i < count; i++) {
                last[i] = of_one(step->operation, last[i]);
            }
        } else {
            VXE_ASSERT(top >= 2);
            top--;
            double *left = stack + (size_t)(top - 1) * count;
            const double *right = stack + (size_t)top * count;
            for (uint32_t i = 0; i < count; i++) {
                left[i] = of_two(step->operation, left[i], right[i]);
            }
        }
    }
    VXE_ASSERT(top == (expression->count > 0)); /* one result */
    memcpy(values, stack, count * sizeof *values);
}

void vxe_expression_run(const vxe_expression *expression, const double *const *variables,
                        uint32_t count, double *values)
{
    double stack[STACK]; /* deep formulas are computed in smaller parts */
    VXE_ASSERT(count <= VXE_EXPRESSION_BLOCK && expression->depth <= VXE_EXPRESSION_DEPTH);
    VXE_ASSERT(expression->code || expression->count == 0);
    const uint32_t max = STACK / (expression->depth > 0 ? expression->depth : 1);
    const uint32_t part = max < VXE_EXPRESSION_BLOCK ? max : VXE_EXPRESSION_BLOCK;
    for (uint32_t first = 0; first < count; first += part) {
        const uint32_t left = count - first;
        run_part(expression, variables, first, left < part ? left : part, stack, values + first);
    }
}
