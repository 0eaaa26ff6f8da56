/* SPDX-License-Identifier: MIT */
/* The arrays that kernels take by voxel, each declared once: here (not those with an index of their
   own, in arrays.h, and those of one force alone). These lists drive the members of the state and
   of vxe_kernel_arrays, what a workspace allocates, what is bound, copied, hashed, narrowed to
   floats and prefetched, and what robots in lanes hold. A new array is a line here.

   Arguments of a line:
     name     of the member; arrays of MANY and of a state are name[components], of ONE just name
     reader   which loop reads the array first in a step, so that it is prefetched for that loop
              (vxe_array_reader without VXE_READER_)
     need     what the array is there for (vxe_array_need without VXE_NEED_)
     unit     for the reader; a bond's number stands at its lower voxel */
#ifndef VXE_ENGINE_CORE_ARRAY_LISTS_H
#define VXE_ENGINE_CORE_ARRAY_LISTS_H

typedef enum vxe_array_reader {
    VXE_READER_BONDS,  /* bonds, of lower and of upper voxels */
    VXE_READER_RATES,  /* bonds where dashpots are explicit, else voxels */
    VXE_READER_VOXELS, /* voxels */
    VXE_READER_FLOOR,  /* voxels, where there is a floor */
    VXE_READER_RARELY  /* not worth a prefetch */
} vxe_array_reader;

typedef enum vxe_array_need {
    VXE_NEED_ALWAYS,
    VXE_NEED_FIELD,      /* a force field */
    VXE_NEED_FLOOR,      /* a floor */
    VXE_NEED_TERRAIN,    /* a floor that is not level */
    VXE_NEED_DRAG_DECAY, /* damping iterations, and global damping */
    VXE_NEED_YIELD,      /* bonds that yield or break; zero where there is only the next */
    VXE_NEED_POISSON,    /* Poisson's ratio; zero where there is only the one above */
    VXE_NEEDS
} vxe_array_need;

/* State of a voxel. F(name, NAME, components in double precision, in mixed, reader, unit); lanes
   hold it as VXE_LANE_NAME. */
#define VXE_STATE_FIELDS(F)                                                                        \
    F(x, X, 3, 3, BONDS, "m about the body's origin")                                              \
    F(x_low, X_LOW, 0, 3, BONDS, "m, to be added to x")                                            \
    F(q, Q, 4, 4, BONDS, "quaternion w x y z, body to world")                                      \
    F(v, V, 3, 3, RATES, "m/s, world axes, half a step before x")                                  \
    F(w, W, 3, 3, RATES, "rad/s, world axes")                                                      \
    F(stuck, STUCK, 1, 1, FLOOR, "1 while static friction holds")

/* State of the bonds up from a voxel in x, y, z; only where some bond can yield or break. F(name,
   reader, unit) */
#define VXE_STATE_BOND_FIELDS(F)                                                                   \
    F(permanent_strain, BONDS, "permanent strain")                                                 \
    F(plastic_strain, RARELY, "plastic strain done, both ways added up")                           \
    F(broken, BONDS, "1 of a bond that carries nothing any more, 0.5 in the step it breaks in")

/* Constants of a model. ONE(name, reader, unit), MANY(name, components, reader, unit); null where a
   design does not need them. */
#define VXE_MODEL_ARRAYS(ONE, MANY)                                                                \
    ONE(mass, VOXELS, "kg")                                                                        \
    MANY(inverse_mass, 3, VOXELS, "1/kg, 0 where the freedom is fixed")                            \
    MANY(inverse_inertia, 3, VOXELS, "1/(kg m^2), 0 where the freedom is fixed")                   \
    ONE(gyration, RARELY, "m^2: inertia by mass; null where all are cubes")                        \
    ONE(edge_growth_sine, VOXELS, "m: amplitude of the edge growth times cos of the phase")        \
    ONE(edge_growth_cosine, VOXELS, "m: likewise times sin; both null without one common wave")    \
    MANY(size, VXE_ACTUATION_VALUES, VOXELS, "actuation of each voxel; null with a common wave")   \
    MANY(load, 6, VOXELS, "N and N m: constant force and moment")                                  \
    ONE(drag, VOXELS, "N s/m: global damping")                                                     \
    ONE(spin_drag, VOXELS, "N m s/rad: global damping of rotation")                                \
    ONE(floor_stiffness, RARELY, "N/m; null without a floor")                                      \
    ONE(floor_dashpot, RARELY, "N s/m")                                                            \
    MANY(floor_friction, 2, RARELY, "coefficients of static and dynamic friction on the floor")    \
    MANY(poisson_coupling, 3, RARELY, "N: coupling of the strains of the two other axes")          \
    ONE(contact_stiffness, RARELY, "N/m; null where nothing collides, as the next three")          \
    ONE(contact_dashpot, RARELY, "N s/m")                                                          \
    ONE(static_friction, RARELY, "coefficient between voxels")                                     \
    ONE(dynamic_friction, RARELY, "coefficient between voxels")                                    \
    ONE(faces, VOXELS, "free faces, a bit each: +x -x +y -y +z -z; null without a fluid")

/* What a step computes on its way. ONE(name, need, reader, unit), MANY(name, components, need,
   reader, unit) */
#define VXE_WORKSPACE_ARRAYS(ONE, MANY)                                                            \
    ONE(edge_growth, ALWAYS, BONDS, "m, current edge less the lattice's")                          \
    MANY(field, 3, FIELD, RARELY, "N: force of a field in this step")                              \
    ONE(normal_impulse, FLOOR, RARELY, "N s: impulse of the floor in this step")                   \
    ONE(before_off, FLOOR, RARELY, "m/s: velocity off the floor before the kick")                  \
    MANY(before_along, 2, TERRAIN, RARELY, "m/s: the same along the floor's tangents")             \
    MANY(rubbed, 3, FLOOR, RARELY, "N s: friction's impulse in the kick; its z on terrains alone") \
    ONE(terrain_depth, TERRAIN, RARELY, "m, along the normal")                                     \
    MANY(terrain_normal, 3, TERRAIN, RARELY, "unit vector")                                        \
    ONE(terrain_gain, TERRAIN, RARELY, "factor on the floor's stiffness")                          \
    ONE(drag_decay, DRAG_DECAY, RARELY, "decay factor of half a step, less 1")                     \
    ONE(spin_decay, DRAG_DECAY, RARELY, "decay factor of half a step, less 1")                     \
    MANY(range, 3, YIELD, RARELY, "strain below which a bond neither yields nor breaks")           \
    MANY(strain_up, 3, POISSON, RARELY, "the voxel's part of the strain of the bond up from it")   \
    MANY(strain_down, 3, POISSON, RARELY, "the same for the bond down from it")                    \
    MANY(poisson_tension, 3, POISSON, BONDS, "N: what a voxel adds to the tension of its bonds")

#endif
