/* SPDX-License-Identifier: MIT */
/* What happens to one voxel in a step once its bonds are summed: floor, friction, fluid, decay,
   drift, turning, resizing. One lane of a vector loop each, shared by the body sweep and the robot
   lanes, which so have the same bits. */
#ifndef VXE_ENGINE_VOXELS_VOXEL_LAW_H
#define VXE_ENGINE_VOXELS_VOXEL_LAW_H

#include "engine/bonds/bond_law.h"

/* A height or position: the sum of two numbers with mixed precision, one with double. */
typedef struct vxe_place {
    vxe_real high;
#ifdef VXE_MIXED
    vxe_real low;
#endif
} vxe_place;

VXE_INLINE vxe_place place_of(double value)
{
    vxe_place place = {.high = (vxe_real)value};
#ifdef VXE_MIXED
    place.low = (vxe_real)(value - (double)place.high);
#endif
    return place;
}

/* place + h v, carrying what the sum of two floats rounds away (Knuth's two-sum). */
VXE_INLINE vxe_place place_moved(vxe_place place, vxe_real h, vxe_real v)
{
#ifdef VXE_MIXED
    const vxe_real step = vxe_fma(h, v, place.low);
    const vxe_real sum = place.high + step;
    const vxe_real part = sum - place.high;
    return (vxe_place){sum, (place.high - (sum - part)) + (step - part)};
#else
    return (vxe_place){vxe_fma(h, v, place.high)};
#endif
}

/* How deep a voxel's lower face is in the floor, m. level: the height of a resting voxel's centre
 * without swell. */
VXE_INLINE vxe_real floor_depth(vxe_place level, vxe_place z, vxe_real edge_growth)
{
    vxe_real above = level.high - z.high;
#ifdef VXE_MIXED
    above += level.low - z.low;
#endif
    return vxe_fma(R(0.5), edge_growth, above);
}

typedef struct vxe_floor_push {
    vxe_real force;   /* N, up */
    vxe_real impulse; /* N s that friction sees */
} vxe_floor_push;

/* The middle velocity that damping sweeps start from, of those before and behind a kick. */
VXE_INLINE vxe_real halfway(vxe_real before, vxe_real behind)
{
    return R(0.5) * (before + behind);
}

/* The floor's spring, and its dashpot with dash_share 1. pulls: the peer's floor. */
VXE_INLINE vxe_floor_push floor_push(vxe_real depth, vxe_real stiffness, vxe_real dashpot,
                                     vxe_real vz, vxe_real dash_share, vxe_real pulls, vxe_real h)
{
    const vxe_real spring = depth > 0 ? stiffness * depth : R(0);
    const vxe_real dash = depth > 0 ? dash_share * (dashpot * vz) : R(0);
    const vxe_real total = spring - dash;
    const vxe_real pushed = total > 0 ? total : R(0);
    return (vxe_floor_push){pulls > 0 ? total : pushed, h * (pulls > 0 ? spring : pushed)};
}

typedef struct vxe_floor_decay {
    vxe_real impulse; /* N s, up */
    vxe_real seen;    /* N s to add to what friction sees */
} vxe_floor_decay;

/* Half a step's exact decay by the floor's dashpot of the speed v off it. The floor never pulls:
   the dashpot may take back half of the spring's impulse at most. */
VXE_INLINE vxe_floor_decay floor_decayed(vxe_real depth, vxe_real stiffness, vxe_real factor,
                                         vxe_real mass, vxe_real v, vxe_real pulls, vxe_real half_h)
{
    const vxe_real wanted = mass * (v * factor - v);
    const vxe_real min = -(half_h * (stiffness * depth));
    const vxe_real limited = wanted > min ? wanted : min;
    const vxe_real impulse = depth > 0 ? (pulls > 0 ? wanted : limited) : R(0);
    return (vxe_floor_decay){impulse, pulls > 0 ? R(0) : impulse};
}

typedef struct vxe_slide {
    vxe_real factor; /* on the tangential velocity */
    vxe_real stuck;
} vxe_slide;

/* Coulomb's law as an impulse. A voxel holds when it held before or was slow enough for dynamic
   friction to stop it within the step (the halting threshold mu_d F_n dt/m), and both its momentum
   and the other tangential forces are within mu_s F_n. before: velocity ahead of the kick. */
VXE_INLINE vxe_slide friction_slide(vxe_real depth, vxe_real impulse, vxe_real mass, vxe_real mu_s,
                                    vxe_real mu_d, vxe_real vx, vxe_real vy, vxe_real before_x,
                                    vxe_real before_y, vxe_real stuck)
{
    /* choices one within the other: vectors take these, and not every mix of conditions */
    const vxe_real push = impulse > 0 ? impulse : R(0);
    const vxe_real normal = depth > 0 ? push : R(0);
    const vxe_real holds = mu_s * normal;
    const vxe_real slides = mu_d * normal;
    const vxe_real px = mass * vx;
    const vxe_real py = mass * vy;
    const vxe_real ox = mass * before_x;
    const vxe_real oy = mass * before_y;
    const vxe_real p2 = vxe_fma(px, px, py * py);
    const vxe_real o2 = vxe_fma(ox, ox, oy * oy);
    const vxe_real jx = px - ox;
    const vxe_real jy = py - oy;
    const vxe_real j2 = vxe_fma(jx, jx, jy * jy);
    const vxe_real slow = o2 <= slides * slides ? R(1) : stuck;
    const vxe_real max = p2 > j2 ? p2 : j2;
    const vxe_real held = max <= holds * holds ? slow : R(0);
    const vxe_real sticks = normal > 0 ? held : R(0);
    const vxe_real p = vxe_root(p2);
    const vxe_real left = slides < p ? 1 - slides / p : R(0);
    const vxe_real sliding = normal > 0 ? left : R(1);
    return (vxe_slide){sticks > 0 ? R(0) : sliding, sticks};
}

/* What a fluid at rest does to a voxel. */
typedef struct vxe_fluid_law {
    vxe_real drag;    /* rho C_d/2 */
    vxe_real lift;    /* density whose weight is lifted */
    vxe_vec3 gravity; /* m/s^2 */
} vxe_fluid_law;

/* Drag along one axis of the voxel, at speed u along it: on the free face ahead, if it is free.
   faces: bits of the faces towards + and -. At most what stops the voxel within the step, most =
   m/h: drag never turns it round. */
VXE_INLINE vxe_real face_drag(int32_t faces, vxe_real u, vxe_real by_area, vxe_real max)
{
    const vxe_real speed = u < 0 ? -u : u;
    const int32_t ahead = u < 0 ? faces >> 1 : faces;
    const vxe_real push = by_area * (speed * speed);
    const vxe_real stop = max * speed;
    const vxe_real drag = ahead & 1 ? (push < stop ? push : stop) : R(0);
    return u < 0 ? drag : -drag;
}

/* Force on a voxel of edge size that moves at v, turned by q. Source: quadratic drag per exposed
   face, F = -rho C_d A v_n^2/2 n, and Archimedes. */
VXE_INLINE vxe_vec3 fluid_force(vxe_fluid_law law, vxe_real faces, vxe_quat q, vxe_vec3 v,
                                vxe_real size, vxe_real max)
{
    const vxe_vec3 r = {q.x, q.y, q.z};
    const vxe_vec3 back = vec_scaled(2, vec_cross(r, v));
    const vxe_vec3 u = vec_add(vec_add_scaled(v, -q.w, back), vec_cross(r, back));
    const int32_t bits = (int32_t)faces;
    const vxe_real area = size * size;
    const vxe_real by_area = law.drag * area;
    const vxe_vec3 f = {face_drag(bits, u.x, by_area, max), face_drag(bits >> 2, u.y, by_area, max),
                        face_drag(bits >> 4, u.z, by_area, max)};
    const vxe_vec3 forth = vec_scaled(2, vec_cross(r, f));
    const vxe_vec3 drag = vec_add(vec_add_scaled(f, q.w, forth), vec_cross(r, forth));
    return vec_add_scaled(drag, -(law.lift * (area * size)), law.gravity);
}

typedef struct vxe_turned {
    vxe_real w, x, y, z;
} vxe_turned;

/* sin(a)/a and cos(a) of z = a^2 by Taylor series: double good to 1e-12 below 1 rad, float to 3e-8
   below 0.8 rad. */
VXE_INLINE void half_angle(vxe_real z, vxe_real *sine, vxe_real *cosine)
{
    vxe_real s = R(1.0 / 362880.0);
    vxe_real c = R(1.0 / 40320.0);
#ifndef VXE_MIXED
    s = vxe_fma(-vxe_fma(-R(1.0 / 6227020800.0), z, R(1.0 / 39916800.0)), z, s);
    c = vxe_fma(-vxe_fma(-R(1.0 / 479001600.0), z, R(1.0 / 3628800.0)), z, c);
#endif
    s = vxe_fma(-s, z, R(1.0 / 5040.0));
    s = vxe_fma(-s, z, R(1.0 / 120.0));
    s = vxe_fma(-s, z, R(1.0 / 6.0));
    *sine = vxe_fma(-s, z, R(1.0));
    c = vxe_fma(-c, z, R(1.0 / 720.0));
    c = vxe_fma(-c, z, R(1.0 / 24.0));
    c = vxe_fma(-c, z, R(0.5));
    *cosine = vxe_fma(-c, z, R(1.0));
}

/* exp(2 half w) q, normalised. */
VXE_INLINE vxe_turned turned(vxe_turned q, vxe_real wx, vxe_real wy, vxe_real wz, vxe_real half)
{
    const vxe_real ax = half * wx;
    const vxe_real ay = half * wy;
    const vxe_real az = half * wz;
    vxe_real sine;
    vxe_real cosine;
    half_angle(vxe_fma(ax, ax, vxe_fma(ay, ay, az * az)), &sine, &cosine);
    const vxe_real ex = sine * ax;
    const vxe_real ey = sine * ay;
    const vxe_real ez = sine * az;
    const vxe_real w = vxe_fma(cosine, q.w, -vxe_fma(ex, q.x, vxe_fma(ey, q.y, ez * q.z)));
    const vxe_real x = vxe_fma(cosine, q.x, vxe_fma(ex, q.w, vxe_fma(ey, q.z, -(ez * q.y))));
    const vxe_real y = vxe_fma(cosine, q.y, vxe_fma(ey, q.w, vxe_fma(ez, q.x, -(ex * q.z))));
    const vxe_real z = vxe_fma(cosine, q.z, vxe_fma(ez, q.w, vxe_fma(ex, q.y, -(ey * q.x))));
    /* back to unit length by Newton's step for 1/sqrt, from a length that is 1 but for rounding.
       The change is what is added: small components of a voxel at rest stay as they are */
    const vxe_real more = vxe_fma(w, w, -R(1)) + vxe_fma(x, x, vxe_fma(y, y, z * z));
    const vxe_real e = R(-0.5) * more;
    return (vxe_turned){vxe_fma(e, w, w), vxe_fma(e, x, x), vxe_fma(e, y, y), vxe_fma(e, z, z)};
}

/* Swell where the actuation's sine and cosine have these values. */
VXE_INLINE vxe_real swelled(vxe_real by_sine, vxe_real by_cosine, vxe_real sine, vxe_real cosine)
{
    return vxe_fma(by_sine, sine, by_cosine * cosine);
}

#endif
