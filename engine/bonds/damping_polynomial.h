/* SPDX-License-Identifier: MIT */
/* clang-format off */
/* Polynomial damping iteration: dashpots are applied implicitly after the springs, with a polynomial
   in the place of an inverse, so that they do not limit the time step (docs/physics.md, Polynomial
   damping iteration; derived there).

   With Y = dt M^-1 C / 2 and g = dt M^-1 K x, a step is the trapezoidal rule for dashpots in its
   midpoint form,
       w = v - g/2,   v' = 2 Q(Y) w - v,   x' = x + dt v',
   where Q(Y) stands for (1 + Y)^-1: Q(0) = 1, Q'(0) = -1. In the nested form
       Q(Y) w = w - n1 Y (w - n2 Y (w - ...))
   each of the s iterations is one evaluation of the dashpots, so that momentum and angular momentum are
   exact, with no colours and no order of bonds; and v' = (v - g) - 2 n1 Y (w - n2 Y (...)).

   Stability for any dashpots, masses and fixed freedoms (linearised, mass-weighted coordinates,
   A = M^-1/2 K M^-1/2): a mode mu with velocity v, v*v = 1, satisfies
       e mu^2 - (2 - dt^2 a) mu + (2 - e) = 0,   e = v*Q^-1 v,   a = v*A v,
   all real. |mu| <= 1 where |2 - e| <= e, which 0 < Q <= 1 ensures, and 0 <= dt^2 a <= 4, which
   dt <= 2/w_max ensures. Nothing else is asked of Q.

   Accuracy: Q^-1 - 1 = y + (1 - q2) y^2 + ..., with Q = 1 - y + q2 y^2 - ..., stands for y in the
   damping of slow modes and in creep, where K x and C v balance. Where damping grows as stiffness
   does, the mode of y has (w dt)^2 = 4 y/max at the largest step: of twenty steps a period it is
   damped by 1, 7 and 18 % too much at max = 0.4, 4 and 12 (xi = 0.1, 1 and 3 in a full body), of
   ten by 4, 35 and 100 %. Faster modes are damped away, by much too much or too little.

   Two families, with T_m the Chebyshev polynomial:
   close  Q = (1 - R)/(1 + y), R = A (1 + T_m(x0 - k y))/2, m = s + 1, x0 = cos(pi/m) its outermost
          minimum, k = (1 + x0)/reach, R(-1) = 1: below the inverse by at most the part A of it;
   quick  Q = b + (1 - b)(1 + T_s(w0 - k y))/(1 + T_s(w0)), k = (1 + w0)/reach, w0 >= 1 such that
          Q'(0) = -1: reaches farthest, up to (1 - b) s^2, with b the smallest Q. */
/* clang-format on */
#ifndef VXE_ENGINE_BONDS_DAMPING_POLYNOMIAL_H
#define VXE_ENGINE_BONDS_DAMPING_POLYNOMIAL_H

#include <stdint.h>

#define VXE_MAX_DAMPING_ITERATIONS 8u /* with more, the powers of y lose their digits */

/* The polynomial of a step, and the part of it that a shorter step is. */
typedef struct vxe_damping_usual {
    const double *coefficient;
    uint32_t iterations;
    double part; /* 0 to 1 */
} vxe_damping_usual;

/* The fewest iterations that serve dashpots whose largest y is max and may grow to reach, and
   their nested coefficients n1, n2, ...; 0 where no number of them does. Up to reach it holds
   that 1/(4 (1 + y)) <= Q <= 1/(1 + y/8), and up to max that Q^-1 - 1 differs from y by at most
   y (1 + 6 y/max). usual: null, or what serves at a longer step. Then no more iterations are taken
   than there, and as many that the damping of each slow mode (y <= max/4) is wrong by less in
   proportion to the step, and by a thousandth more at most: the fewest that are stable would damp
   some modes worse than at the longer step. */
uint32_t vxe_damping_fewest_iterations(double max, double reach, const vxe_damping_usual *usual,
                                       double coefficient[VXE_MAX_DAMPING_ITERATIONS]);

/* Q(y) with this many iterations. */
double vxe_damping_factor(const double *coefficient, uint32_t damping_iterations, double y);

#endif
