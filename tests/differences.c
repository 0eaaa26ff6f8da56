/* SPDX-License-Identifier: MIT */
#include "differences.h"

#include <math.h>

double slope_of(double (*f)(const void *context, double x), const void *context, double step)
{
    const double weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    double sum = 0;
    for (int n = 1; n <= 4; n++) {
        sum += weight[n - 1] * (f(context, n * step) - f(context, -n * step));
    }
    return sum / step;
}

vxe_vec3 random_vec(uint64_t *seed, double scale)
{
    const double x = random_unit(seed);
    const double y = random_unit(seed);
    return (vxe_vec3){scale * x, scale * y, scale * random_unit(seed)};
}

vxe_quat turned_quat(vxe_quat q, vxe_vec3 turn)
{
    const double angle = sqrt(vec_dot(turn, turn));
    const double s = angle > 0 ? sin(0.5 * angle) / angle : 0.5;
    const double d[4] = {cos(0.5 * angle), s * turn.x, s * turn.y, s * turn.z};
    double p[4];
    quaternion_product(d, (const double[4]){q.w, q.x, q.y, q.z}, p);
    return (vxe_quat){p[0], p[1], p[2], p[3]};
}
