# SPDX-License-Identifier: MIT
"""The faults that mutants.py makes in the laws, file by file: each must be found by an assert or a test.

MUTANTS is a list of (file, finders, faults). finders: what most likely finds the file's faults and is run first, names of tests, or
"run DESIGN OPTIONS" for an assert in a short run. A fault is (name, text, replacement) and, where other finders fit better, those. The text
occurs exactly once in its file. Factors are small: a test that finds 0.95 finds 0.5 as well.
"""

ASSERTS = [
    ("engine/core/chunks.c", "run quadruped.vxa", [
        ("a chunk ends one slot too late", "chunk_first[chunks->chunk_count] = voxels;", "chunk_first[chunks->chunk_count] = voxels + 1;")]),
    ("engine/voxels/rotation_law.h", "physics_free_body", [
        ("two kernel arrays swapped",
         "qw = from(s->q[0], first);\n    vxe_real *restrict qx = from(s->q[1], first);\n    vxe_real *restrict qy = from(s->q[2], first);\n"
         "    vxe_real *restrict qz = from(s->q[3], first);\n    const vxe_real *restrict wx = from(s->w[0], first);",
         "qw = from(s->w[0], first);\n    vxe_real *restrict qx = from(s->q[1], first);\n    vxe_real *restrict qy = from(s->q[2], first);\n"
         "    vxe_real *restrict qz = from(s->q[3], first);\n    const vxe_real *restrict wx = from(s->q[0], first);")]),
    ("engine/solver/step.c", "run quadruped.vxa --damping explicit", [
        ("a bond law without a kernel", "return VXE_BOND_SPRINGS | VXE_BOND_DASHPOTS | by_rows(model);",
         "return (vxe_bond_parts)(VXE_BOND_LAWS - 1);")]),
]

MATERIALS = [
    ("materials/bond_constants.c", "unit_materials physics_statics physics_vibration", [
        ("torsion constant of a square x 0.99", "STVENANT_SQUARE * a4;", "STVENANT_SQUARE * 0.99 * a4;"),
        ("polar torsion constant x 0.98", "a4 / 6 :", "0.98 * a4 / 6 :"),
        ("second moment x 0.99", "section * section / 12;", "0.99 * section * section / 12;"),
        ("shear modulus without Poisson's ratio", "(2 * (1 + poissons_ratio))", "(2 * (1 + 0 * poissons_ratio))"),
        ("springs in series x 0.98", "2 / (1 / first + 1 / second)", "1.96 / (1 / first + 1 / second)"),
        ("condensed pair: determinant", "difference * difference / 64)", "difference * difference / 66)"),
        ("condensed pair: coupling x 0.95", "k->couple = l2 / 8", "k->couple = 0.95 * l2 / 8"),
        ("condensed pair: bending x 0.98", "k->bending = l2 * edge / 24", "k->bending = 0.98 * l2 * edge / 24"),
        ("shear spring of a bulk x 0.95", "series(e1 * edge / (1 + first", "series(0.95 * e1 * edge / (1 + first", "engine_actuation unit_materials"),
        ("dashpots of a pair x 0.98", "2 * ratio : ratio * sqrt(2.0)", "1.96 * ratio : ratio * sqrt(2.0)", "unit_materials physics_damping"),
        ("published dashpots x 0.98", "2 * ratio : ratio * sqrt(2.0)", "2 * ratio : 0.98 * ratio * sqrt(2.0)", "unit_materials physics_damping"),
        ("reduced inertia x 0.95", "reduced * edge * edge / 6", "0.95 * reduced * edge * edge / 6", "unit_materials physics_damping"),
        ("bending dashpot of Voxelyze x 0.96", "edge * edge / 24;", "edge * edge / 25;", "unit_materials")]),
    ("materials/poisson_law.c", "physics_poisson reference_k_poisson", [
        ("Lame's constant", "(1 - 2 * nu))", "(1 - 1.9 * nu))"),
        ("bulk without its shear", "lambda + youngs_modulus / (1 + nu)", "lambda + 0.98 * youngs_modulus / (1 + nu)"),
        ("modulus of a plate x 0.98", "youngs_modulus / (1 - nu * nu)", "0.98 * youngs_modulus / (1 - nu * nu)"),
        ("open faces along one axis only", "(f[b] * g[c] + f[c] * g[b])", "(f[b] * g[c] + 0.9 * f[c] * g[b])"),
        ("coupling of open faces x 0.95", "g[a] * nu * plate", "0.95 * g[a] * nu * plate")]),
    ("materials/yield_break_law.c", "physics_yield reference_h_plastic reference_i_fracture", [
        ("plastic modulus: elastic part kept", "1 / plastic - 1 / modulus", "1 / plastic - 0.9 / modulus"),
        ("permanent strain of a measured curve", "m->curve_stress[i] / modulus;", "0.95 * m->curve_stress[i] / modulus;"),
        ("a bond's plastic strain: one half only", "plastic_strain_at(first, stress) + plastic_strain_at(second, stress)",
         "plastic_strain_at(first, stress) + plastic_strain_at(first, stress)"),
        ("hardening: one half only", "(b.count > 0 ? b.softness : 0)", "(a.count > 0 ? a.softness : 0)"),
        ("modulus of two halves", "2 * first_modulus * second_modulus / sum", "1.96 * first_modulus * second_modulus / sum"),
        ("return to the curve: slope left out", "(e + slope)", "(e + 0.9 * slope)"),
        ("return to the last slope", "(e + law->hardening)", "(e + 0.9 * law->hardening)"),
        ("permanent strain in compression", ": state->plastic_strain - plastic_strain;", ": 0.9 * (state->plastic_strain - plastic_strain);"),
        ("breaking stress x 0.98", ">= law->fail_stress ||", ">= 0.98 * law->fail_stress ||"),
        ("breaking strain x 1.02", "strain >= law->fail_strain)", "strain >= 1.02 * law->fail_strain)"),
        ("elastic range x 1.05", "range > 0 ? range : 0", "range > 0 ? 1.05 * range : 0")]),
    ("materials/contact_law.c", "physics_spheres physics_particles", [
        ("damping by a restitution x 0.98", "sqrt(10) / 3", "0.98 * sqrt(10) / 3"),
        ("springs of particles in series x 0.95", "one * two / (one + two) : 0", "0.95 * one * two / (one + two) : 0"),
        ("section of a contact by its modulus x 0.95", "0.5 * VXE_TAU * min * min", "0.475 * VXE_TAU * min * min")]),
]

BONDS = [
    ("engine/bonds/bond_law.h", "unit_bond_law physics_statics physics_free_body", [
        ("a bond may shrink to 0.09 lengths", "r2 > R(0.1) * R(0.1) * l2", "r2 > R(0.09) * R(0.09) * l2"),
        ("a bond may stretch to 3.8 lengths", "r2 < R(4.0) * R(4.0) * l2", "r2 < R(3.8) * R(3.8) * l2"),
        ("ends may turn by less", "cosine > R(0.05)", "cosine > R(0.06)"),
        ("sign of a term of the mid frame", "vxe_fma(sz, x, -(sy * w))", "vxe_fma(sz, x, sy * w)"),
        ("relative rotation without a cross product", "vxe_fma(-q2.w, v1.y, turn.y)", "vxe_fma(-q2.w, v1.y, R(0.9) * turn.y)"),
        ("weight along the axis x 0.99", "(along - across) * vec_dot(a, e)", "R(0.99) * (along - across) * vec_dot(a, e)"),
        ("first term of the angle", "-0.3333333333327035", "-0.3332"),
        ("deformation across without the rotation", "vec_add_scaled(chord->r, -chord->length, frame->axis)",
         "vec_add_scaled(chord->r, R(-0.99) * chord->length, frame->axis)"),
        ("elongation of the turned axis left out", "vxe_fma(chord->length, frame->one_minus_axis, chord->excess)",
         "vxe_fma(R(0.9) * chord->length, frame->one_minus_axis, chord->excess)"),
        ("Poisson tension x 0.98", "R(0.5) * vxe_fma(with_b", "R(0.49) * vxe_fma(with_b", "physics_poisson"),
        ("Poisson tension of the upper voxel x 0.95", "(2 - lower_part) * upper", "R(0.95) * (2 - lower_part) * upper", "physics_poisson"),
        ("rotation vector x 0.99", "const vxe_real two_g = g + g;", "const vxe_real two_g = R(1.98) * g;"),
        ("force of the coupling x 0.95", "two_g * k.couple, vec_cross(v, e)", "R(0.95) * two_g * k.couple, vec_cross(v, e)"),
        ("moment of the coupling x 0.95", "vec_add_scaled(m, k.couple,", "vec_add_scaled(m, R(0.95) * k.couple,"),
        ("moment of the mid frame x 0.98", "half = R(0.5) * frame->inverse", "half = R(0.49) * frame->inverse"),
        ("moment along the rotation x 0.95", "vm = h * vec_dot(v, m)", "vm = R(0.95) * h * vec_dot(v, m)"),
        ("elastic energy x 0.98", "R(0.5) * (vec_dot(weigh(e, k.axial, k.shear, d), d)", "R(0.49) * (vec_dot(weigh(e, k.axial, k.shear, d), d)"),
        ("energy of the coupling x 0.9", "k.couple * vec_dot(e, vec_cross(d, phi))", "R(0.9) * k.couple * vec_dot(e, vec_cross(d, phi))"),
        ("rate of a dashpot: spin of one end x 0.95", "w1.z + w2.z}", "w1.z + R(0.95) * w2.z}", "physics_free_body physics_damping")]),
    ("engine/bonds/bond_force_law.h", "unit_bond_law physics_damping physics_free_body engine_actuation", [
        ("ratio of the shear dashpot x 0.95", "by->dash_shear * axial", "R(0.95) * by->dash_shear * axial"),
        ("ratio of the bending spring x 0.98", "by->bending * axial, 0, 0}", "R(0.98) * by->bending * axial, 0, 0}", "physics_statics"),
        ("torsion dashpot x 0.9", "weigh(e, c.torsion, c.bending, spin)", "weigh(e, R(0.9) * c.torsion, c.bending, spin)"),
        ("lever of a dashpot x 0.95", "vec_cross(geometry->half_r, dash.force), dash.moment",
         "vec_cross(vec_scaled(R(0.95), geometry->half_r), dash.force), dash.moment"),
        ("halved moment of a dashpot x 0.9", "vec_add_scaled(spring.force, R(0.5), dash.force)", "vec_add_scaled(spring.force, R(0.45), dash.force)"),
        ("tension of a bar x 0.98", "springs.axial * (1 - ends", "R(0.98) * springs.axial * (1 - ends"),
        ("dashpot of a bar x 0.95", "c.axial * (vec_dot(ends->chord.r, ends->dv) / r2)",
         "R(0.95) * c.axial * (vec_dot(ends->chord.r, ends->dv) / r2)")]),
    ("engine/bonds/linearized_kernels.c", "physics_stability", [
        ("lever of the linearised law x 0.95", "const vxe_vec3 lever = axis_cross(axis, R(0.5), sum);",
         "const vxe_vec3 lever = axis_cross(axis, R(0.475), sum);"),
        ("moment of the linearised law x 0.95", "const vxe_vec3 turn = axis_cross(axis, R(0.5), f);",
         "const vxe_vec3 turn = axis_cross(axis, R(0.475), f);")]),
    ("engine/bonds/damping_polynomial.c", "physics_damping unit_damping_polynomial", [
        ("recurrence of the polynomial x 0.95", "2 * x0 * newer[i]", "1.9 * x0 * newer[i]"),
        ("scale of the polynomial x 0.98", "const double a = 2 / (1 + top);", "const double a = 1.96 / (1 + top);"),
        ("lowest mode may creep 1.5 times as fast", "<= 1 + 6 * y / max)", "<= 1.5 + 6 * y / max)"),
        ("highest mode may keep its speed", "q * (1 + far) >= 0.25", "q * (1 + far) >= 0.1"),
        ("shorter steps may damp as badly", "usual->part * worst + ALWAYS_WRONG", "worst + ALWAYS_WRONG")]),
    ("engine/model/bond_model.c", "physics_stiffness physics_poisson physics_statics", [
        ("damping ratio of the first end counts more", "0.5 * (first->bond_damping + second->bond_damping);\n        vxe_bond_stiffness",
         "(0.55 * first->bond_damping + 0.45 * second->bond_damping);\n        vxe_bond_stiffness", "physics_damping unit_materials"),
        ("spring of a half bond x 0.95", "spring.stiffness += half_edge", "spring.stiffness += 0.95 * half_edge", "physics_poisson"),
        ("part of the lower half x 0.95", "2 * moduli[1] / sum", "1.9 * moduli[1] / sum", "physics_poisson"),
        ("dashpots by the material's density", "ends[1].density = vxe_voxel_density(&b->densities, v2);", ";", "physics_density"),
        ("densities do not tell pairs apart", "&& one->d1 == two->d1 && one->d2 == two->d2", "", "physics_density")]),
    ("engine/model/density.h", "physics_density", [
        ("the layer is not looked at", "return densities->layer ?", "return densities->layer && !design ?")]),
    ("engine/model/poisson_model.c", "physics_poisson", [
        ("section of Poisson's coupling x 0.95", "0.5 * model->edge * model->edge", "0.475 * model->edge * model->edge"),
        ("held planes count as free", "bonds[axis] = is_plane ? 2 : 2 - missing;", "bonds[axis] = is_plane ? 1 : 2 - missing;")]),
    ("engine/solver/yield_break_step.c", "physics_yield physics_contact_friction", [
        ("a bond that breaks gives less of its kick", "#define BREAKING 0.5", "#define BREAKING 0.6"),
        ("a bond far beyond its range still holds", "#define FAR_BEYOND 2", "#define FAR_BEYOND 20")]),
    ("engine/model/stiffness_schedule.c", "physics_stiffening", [
        ("dashpots proportional to the modulus", "(which == 0 ? part : sqrt(part))", "(which == 0 ? part : part)")]),
    ("engine/solver/stiffness_step.c", "physics_stiffening", [
        ("stiffness in time: last value x 0.98", "(1 - part) * first + part * last", "(1 - part) * first + 0.98 * part * last")]),
]

VOXELS = [
    ("engine/voxels/rotation_law.h", "unit_bond_law physics_free_body", [
        ("sine of the half angle", "s = vxe_fma(-s, z, R(1.0 / 6.0));", "s = vxe_fma(-s, z, R(1.0 / 6.2));"),
        ("cosine of the half angle", "c = vxe_fma(-c, z, R(0.5));", "c = vxe_fma(-c, z, R(0.49));"),
        ("sign in the product of rotations", "vxe_fma(ey, q.z, vxe_fma(-ez, q.y,", "vxe_fma(ey, q.z, vxe_fma(ez, q.y,"),
        ("length brought back x 0", "R(-0.5) * more", "R(-0.0) * more")]),
    ("engine/voxels/dither_law.h", "unit_dither_law physics_precision", [
        ("dither of half an ulp x 0.5", "- 0.5) * 0x1p-23", "- 0.5) * 0x1p-24"),
        ("dither that is the same at each step", "(place << 18 | within)", "(0 * (place << 18 | within))"),
        ("ulp below powers of two", "phase < 0 ? 1 - 0x1p-24 : 1", "phase < 0 ? 1 : 1")]),
    ("engine/voxels/actuation_law.h", "unit_actuation_law engine_actuation engine_sizes", [
        ("wave: third-order term", "s = s * z - 1.0 / 6.0;", "s = s * z - 1.0 / 6.1;"),
        ("growth x 0.98", "(double)law[VXE_SIZE_GROWTH][i] * age", "0.98 * (double)law[VXE_SIZE_GROWTH][i] * age"),
        ("sizes add up instead of multiplying", "(parts.grown * factor * parts.expansion - 1)", "(parts.grown * factor + parts.expansion - 2)"),
        ("sign of the wave's cosine", "vxe_fma(by_sine, sine, by_cosine * cosine)", "vxe_fma(by_sine, sine, -by_cosine * cosine)"),
        ("no upper bound of the expansion", "return above < max ? above : max;", "return above < max ? above : above;"),
        ("initial size x 0.95", "((double)law[VXE_SIZE_INITIAL][i] +", "(0.95 * (double)law[VXE_SIZE_INITIAL][i] +")]),
    ("engine/model/actuation_model.c", "engine_actuation engine_sizes", [
        ("steps of growth x 0.9", "#define STEPS_OF_GROWTH 50.0", "#define STEPS_OF_GROWTH 45.0", "physics_stability"),
        ("layer of phases x 0.95", "m->phase / VXE_TAU + value_of(layers->phase, voxel, 0)",
         "m->phase / VXE_TAU + 0.95 * value_of(layers->phase, voxel, 0)"),
        ("layer of amplitudes left out", "heat->amplitude * value_of(layers->amplitude, voxel, 1)",
         "heat->amplitude * fmax(value_of(layers->amplitude, voxel, 1), 1)"),
        ("fading in takes a third of a period", "4 * (time - start) / heat->period", "3 * (time - start) / heat->period"),
        ("sizes are reached late in settling", "time < 0.5 * settle ? 2 * time / settle : 1", "time < 0.5 * settle ? 1.9 * time / settle : 1")]),
    ("engine/voxels/voxel_law.h", "physics_fluid physics_damping", [
        ("middle velocity", "R(0.5) * (before + behind)", "vxe_fma(R(0.45), before, R(0.55) * behind)", "physics_damping physics_free_body"),
        ("drag of a face x 0.98", "by_area * (speed * speed)", "R(0.98) * by_area * (speed * speed)"),
        ("drag may turn a voxel back", "(push < stop ? push : stop)", "push"),
        ("drag on the face behind", "ahead = u < 0 ? faces >> 1 : faces;", "ahead = u < 0 ? faces : faces >> 1;"),
        ("buoyancy x 0.98", "-(law.lift * (area * size))", "-(R(0.98) * law.lift * (area * size))")]),
    ("engine/external/fluid.c", "physics_fluid", [
        ("density of the fluid x 0.98", "0.5 * design->fluid.density", "0.49 * design->fluid.density")]),
    ("engine/external/force_field.c", "physics_field", [
        ("rotation of a voxel's own force x 0.95", "2 * (q[0] * u[c] + r[c])", "1.9 * (q[0] * u[c] + r[c])"),
        ("formulas see places about the origin", "+ model->origin[c];", "+ 0.9 * model->origin[c];")]),
    ("engine/model/voxel_model.c", "physics_floor physics_damping", [
        ("way of a start x 1.1", "#define START_WAY 0.1", "#define START_WAY 0.11", "physics_stability"),
        ("turn of a start x 1.1", "#define START_TURN 0.1", "#define START_TURN 0.11", "physics_stability"),
        ("drift over a floor", "v < design->voxel_count && !design->floor.enabled", "v < design->voxel_count", "physics_stability"),
        ("face dashpot x 0.98", ".dashpot = 2 * material", ".dashpot = 1.96 * material", "physics_floor physics_contact physics_contact_friction"),
        ("static friction below dynamic", "fmax(material->static_friction, material->dynamic_friction)",
         "material->static_friction", "physics_affine_voxels"),
        ("mass of a sphere x 0.98", "(VXE_TAU / 12)", "0.98 * (VXE_TAU / 12)", "physics_spheres"),
        ("inertia of a sphere x 0.98", "mass[i] * d * d / 10", "0.98 * mass[i] * d * d / 10", "physics_spheres"),
        ("inertia of a voxel x 0.98", "density * a * a * a * a * a / 6",
         "0.98 * density * a * a * a * a * a / 6", "physics_free_body physics_vibration"),
        ("mass by the material's density", ": density * a * a * a;", ": m->density * a * a * a;", "physics_density"),
        ("mass of a sphere by the material's density", "? density * (VXE_TAU / 12)", "? m->density * (VXE_TAU / 12)", "physics_density"),
        ("global damping x 0.98", "drag[i] = 2 * m->global_damping * sqrt(mass", "drag[i] = 1.96 * m->global_damping * sqrt(mass"),
        ("global damping of spin x 0.98", "spin_drag[i] = spin * 2 * m->global_damping", "spin_drag[i] = spin * 1.96 * m->global_damping")]),
    ("engine/model/boundary_conditions.c", "physics_statics engine_actuation", [
        ("loads of regions x 0.98", "region->moment[c - 3]) / count", "region->moment[c - 3]) / (1.02 * count)")]),
    ("engine/model/driven_law.h", "engine_actuation", [
        ("prescribed places x 0.98", "driven->rest + after - place", "driven->rest + 0.98 * after - place"),
        ("prescribed rotation x 0.98", ": after - before)", ": 0.98 * (after - before))")]),
    ("engine/model/time_table.c", "engine_actuation engine_sizes", [
        ("between the rows of a table", "(next[1] - last[1]) * (time - last[0])", "0.95 * (next[1] - last[1]) * (time - last[0])")]),
]

FLOOR = [
    ("engine/floor/impact_law.h", "unit_floor_law physics_restitution unit_contact_law", [
        ("part of a way in contact", "1 / length, R(0.5));", "1 / length, R(0.45));"),
        ("dashpot of a changing speed: without damping", "#define IMPACT_UNDAMPED R(0.15)", "#define IMPACT_UNDAMPED R(0.12)"),
        ("dashpot of a changing speed: with damping", "#define IMPACT_DAMPED R(0.1)", "#define IMPACT_DAMPED R(0.05)"),
        ("spring over a way: mean depth", "vxe_fma(R(0.5) * (1 - within), length, middle)", "vxe_fma(R(0.4) * (1 - within), length, middle)",
         "unit_contact_law physics_audit"),
        ("mean speed with the force", "vxe_fma(R(-0.5) * of->give, force, of->u)", "vxe_fma(R(-0.45) * of->give, force, of->u)"),
        ("middle of the way with the force", "vxe_fma(R(-0.25) * of->give * of->h, force, of->middle)",
         "vxe_fma(R(-0.2) * of->give * of->h, force, of->middle)"),
        ("contact ends where the spring does", "ends = u < 0 ? -u * of->dashpot * of->by_k : R(0)", "ends = u < 0 ? R(0) : R(0)"),
        ("part of a way: its own half", "half_way = R(0.5) * of->h", "half_way = R(0.4) * of->h"),
        ("the way goes in on the way out", "< 0 ? -half_way : half_way)", "< 0 ? half_way : half_way)"),
        ("force solved: what gives way", "vxe_fma(R(0.25) * of->h, of->k, R(0.5) * rate)", "vxe_fma(R(0.2) * of->h, of->k, R(0.5) * rate)"),
        ("force solved: dashpot that gives way", "vxe_fma(R(0.25) * of->h, of->k, R(0.5) * rate)", "vxe_fma(R(0.25) * of->h, of->k, R(0.4) * rate)"),
        ("other forces in the middle of the way", "vxe_fma(R(0.25) * h, others, depth)", "vxe_fma(R(0.2) * h, others, depth)"),
        ("other forces in the mean speed", "vxe_fma(R(0.5), others, v)", "vxe_fma(R(0.4), others, v)"),
        ("an unsure force is taken", "first.none > both ? first.none : both", "R(1)"),
        ("known way: its middle", "vxe_fma(R(0.25) * h, after - v, depth)", "vxe_fma(R(0.2) * h, after - v, depth)"),
        ("known way: its dashpot x 0.95", "force = part * vxe_fma(k, mean, dashpot * u)", "force = part * vxe_fma(k, mean, R(0.95) * dashpot * u)",
         "physics_floor physics_audit")]),
    ("engine/floor/floor_law.h", "unit_floor_law physics_restitution physics_floor physics_terrain", [
        ("grown edges reach less deep", "vxe_fma(R(0.5), edge_growth, above)", "vxe_fma(R(0.45), edge_growth, above)"),
        ("spring of the floor at the start x 0.98", "of.depth > 0 ? stiffness * of.depth : R(0);", "of.depth > 0 ? R(0.98) * stiffness * of.depth : R(0);"),
        ("dashpot of the family's floor x 0.95", "of.depth > 0 ? dashpot * of.off : R(0)", "of.depth > 0 ? R(0.95) * dashpot * of.off : R(0)"),
        ("what the kick took is taken twice", "vxe_fma(-impulse, of.inverse, of.others)", "of.others - 0 * impulse"),
        ("behind iterations x 0.9", "return h * force - impulse;", "return R(0.9) * (h * force - impulse);"),
        ("friction feels less", "(vxe_floor_push){pushed, h * pushed}", "(vxe_floor_push){pushed, R(0.95) * h * pushed}"),
        ("a floor that pushes alone pulls", "rule == R(VXE_FLOOR_SPRING_FRICTION) ? pushes : force", "force", "engine_conventions"),
        ("friction by the spring where it is by the whole", "rule == R(VXE_FLOOR_PULLS_WHOLE) ? pushes : spring", "spring", "engine_conventions")]),
    ("engine/floor/friction_law.h", "unit_floor_law physics_floor physics_terrain", [
        ("static friction x 0.97", "? mu_s * normal : slides", "? R(0.97) * mu_s * normal : slides"),
        ("dynamic friction x 0.98", "slides = mu_d * normal;\n    const vxe_real p =", "slides = R(0.98) * mu_d * normal;\n    const vxe_real p ="),
        ("what slides stops by static friction", "? mu_s * normal : slides", "? mu_s * normal : mu_s * normal"),
        ("what is at rest slides", "> 0 ? stuck : R(1);", "> 0 ? stuck : stuck;"),
        ("what lets go starts too fast", "left / (1 + bond_pull)", "left"),
        ("predicted friction x 0.95", "slides = mu_d * normal;\n    const vxe_real slows =", "slides = R(0.95) * mu_d * normal;\n    const vxe_real slows ="),
        ("a voxel is stopped by less", "vxe_fma(2, bond_pull, 1)", "vxe_fma(1, bond_pull, 1)"),
        ("what holds is pushed", "return stuck > 0 ? R(0) : pushed;", "return pushed;")]),
    ("engine/floor/level_kernels.c", "physics_floor", [
        ("what holds moves in iterations", "held = stuck[i] > 0 ? R(0) : v[i];", "held = stuck[i] > 1 ? R(0) : v[i];")]),
    ("engine/floor/terrain_law.h", "physics_balance", [
        ("what a floor that bends takes x 0.9", ".by_mass = 0.5 * h * (double)", ".by_mass = 0.45 * h * (double)"),
        ("the energy before a bend x 0.98", "of->by_mass * missing", "of->by_mass * (missing + 0.02 * of->held)"),
        ("the way to a bend x 0.9", "terrain_moved(at, before, -0.5 * h)", "terrain_moved(at, before, -0.45 * h)"),
        ("way of the change x 0.9", "less * of->way2 * (1 - 0.5 * of->h * less)", "less * of->way2 * (1 - 0.1 * of->h * less)")]),
    ("engine/floor/terrain_law.h", "unit_floor_law physics_terrain", [
        ("thrown back as 1/h is rounded", "thrown_back = found >= 1 / h;", "thrown_back = found * h >= 1;"),
        ("lift of a voxel over a slope x 0.98", "low[0] + r * low[1]", "low[0] + R(0.98) * r * low[1]"),
        ("slope of the weight left out", "floor.deep * (floor.per_x * floor.weight.along_x)", "0 * floor.deep * (floor.per_x * floor.weight.along_x)"),
        ("stiffness over a slope", "weight * weight + grow_x * grow_x", "weight * weight + 0.9 * grow_x * grow_x"),
        ("sign of a tangent", "{{vxe_fma(-c, n.x * n.x, 1), xy, -n.x}", "{{vxe_fma(-c, n.x * n.x, 1), xy, n.x}"),
        ("the floor's end is deeper", "(floor.deep <= g[VXE_TERRAIN_DEEPEST * stride])", "(floor.deep <= 2 * g[VXE_TERRAIN_DEEPEST * stride])"),
        ("radius of the floor x 1.05", "(away2 <= g[VXE_TERRAIN_RADIUS2 * stride])", "(away2 <= 1.1 * g[VXE_TERRAIN_RADIUS2 * stride])"),
        ("heights along y x 0.95", "{low + y * across,", "{low + 0.95 * y * across,")]),
    ("engine/model/terrain_model.c", "unit_floor_law physics_terrain", [
        ("largest lift x 0.95", "#define STEEPEST_LIFT 1.4142135623730951", "#define STEEPEST_LIFT 1.34"),
        ("weight of a slope", "point[2] = 1 / lift;", "point[2] = 1 / (1.02 * lift);"),
        ("slope at a point x 0.95", "(double)(before + behind) * field->spacing", "1.05 * (double)(before + behind) * field->spacing")]),
]

CONTACT = [
    ("engine/contact/penalty_law.h", "unit_contact_law", [
        ("fading of one-sided faces x 0.95", "const vxe_real t = 2 * above * by_length;", "const vxe_real t = R(1.9) * above * by_length;"),
        ("slope of the fading x 0.95", "R(12) * by_length * (t * (1 - t))", "R(11.4) * by_length * (t * (1 - t))"),
        ("fading by one axis alone", "(faces ^ (faces >> 1)) & VXE_FIRST_FACES", "(faces ^ (faces >> 1)) & 1"),
        ("no fading", "const bool fades = (int)(t < 1) & (int)(sided > 0);", "const bool fades = (int)(t < 1) & (int)(sided > 1);")]),
    ("engine/contact/penalty_law.h", "unit_contact_law physics_contact physics_contact_friction", [
        ("spring of a pair x 0.98", "return 2 / (softness1 + softness2);", "return R(1.96) / (softness1 + softness2);"),
        ("dashpot of a pair x 0.98", "#define ROOT_OF_2 R(1.41421356237309505)", "#define ROOT_OF_2 R(1.386)"),
        ("share of a face: power", "rest * rest * vxe_fma(2, t, 1)", "rest * rest * vxe_fma(R(1.9), t, 1)"),
        ("slope of the share x 0.95", "slope = R(6) * by_length", "slope = R(5.7) * by_length"),
        ("push of faces sideways x 0.95", "-(square * at->by_b.value * at->by_c.slope)", "R(-0.95) * (square * at->by_b.value * at->by_c.slope)"),
        ("energy of faces x 0.98", "R(0.5) * depth * depth * share, force", "R(0.49) * depth * depth * share, force"),
        ("mean force of loose voxels: as long as an impact lasts", "#define IMPACT_LASTS R(22.2)", "#define IMPACT_LASTS R(20)"),
        ("mean force of loose voxels: its dashpot", "stiffness, c * share, inverse", "stiffness, R(0.95) * c * share, inverse"),
        ("mean force of loose voxels: spin of the first", "vec_sub(apart, vec_cross(one.w, r))", "vec_sub(apart, vec_scaled(R(0.9), vec_cross(one.w, r)))"),
        ("mean force of loose voxels: spin of the second", "vec_sub(vec_cross(two.w, r), apart)", "vec_sub(vec_scaled(R(0.9), vec_cross(two.w, r)), apart)"),
        ("friction of loose voxels does not feel the dashpot", "pressed + vec_dot(of_mean, normal)", "pressed"),
        ("bonded voxels have mean forces too", "((end.faces == VXE_ALL_FACES) & (end.z > ground))", "(end.z > ground)"),
        ("energy of a pair x 0.98", "R(0.5) * k * (first.energy + second.energy)", "R(0.49) * k * (first.energy + second.energy)"),
        ("spin in the rate between voxels x 0.9", "R(-0.5), vec_cross(spin, r)", "R(-0.45), vec_cross(spin, r)"),
        ("dashpot of a long step", "vxe_fma(h * c, inverse, 1)", "vxe_fma(R(0.5) * h * c, inverse, 1)"),
        ("dashpots pull", "limited = dash < pressed ? dash : pressed", "limited = dash"),
        ("friction does not feel the dashpot", ": pressed - limited;", ": pressed;"),
        ("static friction x 0.97", "const vxe_real holding = mu_s > mu_d ? mu_s : mu_d;", "const vxe_real holding = mu_s > mu_d ? R(0.97) * mu_s : mu_d;"),
        ("dynamic friction x 0.97", "? holding : mu_d;\n}", "? holding : R(0.97) * mu_d;\n}"),
        ("friction of the rougher voxel", "mu_d = smaller(one", "mu_d = larger(one"),
        ("static friction of the rougher voxel", "mu_s = smaller(one", "mu_s = larger(one"),
        ("spring of friction x 0.95", "#define SHEAR_STIFFNESS R(0.4)", "#define SHEAR_STIFFNESS R(0.38)"),
        ("dashpot of friction x 0.9", "slows = 2 * share * swing", "slows = R(1.8) * share * swing"),
        ("mobility at the surface x 0.9", "#define AT_SURFACE R(2.5)", "#define AT_SURFACE R(2.25)"),
        ("stopping part x 0.8", "#define STOPPING_PART R(0.25)", "#define STOPPING_PART R(0.2)"),
        ("holding band x 0.8", "#define HOLDING_BAND R(2)", "#define HOLDING_BAND R(1.6)"),
        ("friction: the spring is not shortened", "shorter = length > longest ? longest / length : R(1)", "shorter = R(1) + 0 * longest"),
        ("friction: the spring does not turn", "R(0.5) * h, vec_cross(spin, before.shear)", "0 * h, vec_cross(spin, before.shear)"),
        ("friction: more shared face, more force", "before.share / share : R(1)", "R(1) : R(1)"),
        ("friction: the way of a step x 0.95", "before.known * when.step, along", "R(0.95) * before.known * when.step, along"),
        ("new contacts push at once", "return before.known > 0 ? rest : depth;", "return before.known > 0 ? rest : R(0);"),
        ("begin of a push does not shrink", "kept = smaller(before.rest, depth)", "kept = before.rest"),
        ("nor where no pair opens", ": smaller(before.rest, larger(at_first.depth, at_second.depth));", ": before.rest;"),
        ("other faces open: no new begin", "rest = gains ? larger(no_more, kept) : kept;", "rest = gains ? kept : kept;"),
        ("other faces open: energy x 0.98", "share > 0 ? 2 * was / share : R(0)", "share > 0 ? R(1.96) * was / share : R(0)"),
        ("the mean of a step on the floor", "(end.z > ground)", "(end.z > ground || ground < HUGE_VAL)"),
        ("moment of friction x 0.9", "push.first, R(0.5), loss", "push.first, R(0.45), loss"),
        ("moment of friction on the second x 0.9", "push.second, R(0.5), loss", "push.second, R(0.45), loss"),
        ("dashpot of spheres x 0.95", "R(-0.5) * (one.dashpot", "R(-0.475) * (one.dashpot", "unit_contact_law"),
        ("spring of spheres x 0.98", "vec_scaled(R(0.5) * (k * overlap), normal)",
         "vec_scaled(R(0.49) * (k * overlap), normal)", "unit_contact_law")]),
    ("engine/contact/contact_kernels.h", "physics_contact physics_contact_friction reference_j_collide", [
        ("radius of spheres x 0.98", "#define VXE_SPHERE 1.25f", "#define VXE_SPHERE 1.225f")]),
    ("engine/contact/surface.c", "physics_contact physics_contact_friction engine_contacts", [
        ("neighbours across an edge never collide", "joined ? 0 : 1u << bit", "joined ? 0 : 0u << bit")]),
    ("engine/contact/sticky_links.c", "unit_contact_models physics_stick", [
        ("bending x 1.05", "bending = BENDING * a2", "bending = 1.05 * BENDING * a2"),
        ("dashpot x 0.9", "now.dashpot = pair_dashpot(", "now.dashpot = 0.9 * pair_dashpot("),
        ("dashpot of bending x 0.9", "vec_scaled(-BENDING * a2 * turning", "vec_scaled(-0.9 * BENDING * a2 * turning"),
        ("dashpot of a long step x 0.8", "#define STEADY 12", "#define STEADY 9.6"),
        ("renewed too early", "#define RENEWED 1.25", "#define RENEWED 1.1"),
        ("energy of stretching x 0.95", ".energy = 0.5 * now.spring", ".energy = 0.475 * now.spring"),
        ("energy of bending x 0.95", "2 * bending * vec_dot(u, u)", "1.9 * bending * vec_dot(u, u)"),
        ("moment of bending x 0.95", "vec_scaled(-2 * bending * now.turned.w, u)", "vec_scaled(-1.9 * bending * now.turned.w, u)"),
        ("a link that ends gives less of its kick", "add_share(workspace, link, &sample->spring, 0.5);",
         "add_share(workspace, link, &sample->spring, 0.4);"),
        ("pressure parts voxels", "vec_add_scaled(f, -pressed, r)", "vec_add_scaled(f, 0 * pressed, r)"),
        ("detach stress x 0.95", "holds * link->share *", "0.95 * holds * link->share *"),
        ("voxels touch nearer to the first", "vec_scaled(0.5, vec_sub(vxe_vec_position(workspace->state, pair->slot[1])",
         "vec_scaled(0.45, vec_sub(vxe_vec_position(workspace->state, pair->slot[1])"),
        ("energy of links that end is not counted", "released += sample->energy", "released += 0.9 * sample->energy")]),
]

MODELS = [
    ("engine/contact_models/spring_dashpot.c", "unit_contact_models physics_spheres physics_particles", [
        ("dashpot along the normal x 0.98", "2 * numbers[VXE_LINEAR_DP_NRATIO]", "1.96 * numbers[VXE_LINEAR_DP_NRATIO]"),
        ("dashpot along the surface x 0.98", "2 * numbers[VXE_LINEAR_DP_SRATIO]", "1.96 * numbers[VXE_LINEAR_DP_SRATIO]"),
        ("reference gap left out", "m->gap - numbers[VXE_LINEAR_RGAP]", "m->gap - 0.9 * numbers[VXE_LINEAR_RGAP]"),
        ("force by increments x 0.98", "before_now + stiffness[0] * part", "before_now + 0.98 * stiffness[0] * part"),
        ("energy x 0.95", "0.5 * force->normal * force->normal / stiffness[0]", "0.475 * force->normal * force->normal / stiffness[0]"),
        ("friction x 0.98", "-numbers[VXE_LINEAR_FRIC] * force->normal", "-0.98 * numbers[VXE_LINEAR_FRIC] * force->normal")]),
    ("engine/contact_models/shear_spring.c", "unit_contact_models physics_spheres physics_particles", [
        ("spin about the normal left out", "angle * across[c]", "0 * angle * across[c]"),
        ("length of the old force is not kept", "length / sqrt(square) : 0", "1 + 0 * length : 0"),
        ("stretched by less than the way", "part * m->h * (m->rate[c] - opening * m->n[c])", "0.95 * part * m->h * (m->rate[c] - opening * m->n[c])"),
        ("loss by slipping x 0.95", "force->lost -= 0.5 *", "force->lost -= 0.475 *"),
        ("energy of the shear spring x 0.95", "force->energy += 0.5 *", "force->energy += 0.475 *")]),
    ("engine/contact_models/model_interface.h", "unit_contact_models physics_spheres physics_particles", [
        ("motion before a contact closes counts", "return met ? fmin(-gap / closed, 1) : 1;", "return met ? 1 : 1;"),
        ("dashpots pull in spite of their mode", "fmin(normal, -force->normal) : normal", "fmin(normal, -1.1 * force->normal) : normal"),
        ("dashpots act along sliding surfaces", "force->slips ? 0 : dashpot[1]", "force->slips ? 0.1 * dashpot[1] : dashpot[1]")]),
    ("engine/contact_models/hertz_mindlin.c", "unit_contact_models physics_spheres physics_particles", [
        ("Hertz' force x 0.98", "-(4.0 / 3) * pair", "-0.98 * (4.0 / 3) * pair"),
        ("Hertz' energy x 0.98", "(8.0 / 15) * pair", "0.98 * (8.0 / 15) * pair"),
        ("Mindlin's stiffness x 0.98", "8 * pair->shear", "7.84 * pair->shear"),
        ("normal stiffness x 0.95", "2 * pair->modulus * width", "1.9 * pair->modulus * width"),
        ("normal dashpot x 0.98", "sqrt(3 * mass * now.stiffness[0])", "sqrt(2.88 * mass * now.stiffness[0])"),
        ("shear dashpot x 0.95", "2 * numbers[VXE_HERTZ_DP_SRATIO]", "1.9 * numbers[VXE_HERTZ_DP_SRATIO]"),
        ("effective radius x 0.98", "radius[0] * radius[1] / (radius[0] + radius[1]) : radius[0]",
         "0.98 * radius[0] * radius[1] / (radius[0] + radius[1]) : radius[0]"),
        ("friction x 0.98", "-numbers[VXE_HERTZ_FRIC] * force->normal", "-0.98 * numbers[VXE_HERTZ_FRIC] * force->normal"),
        ("shear force does not scale back", "now.stiffness[1] / k : 1;", "1 : 1;"),
        ("loss by a softer spring x 0.9", "force->lost = 0.5 * square", "force->lost = 0.45 * square")]),
    ("engine/contact_models/face_contact.c", "physics_particles", [
        ("energy of faces x 0.95", "0.5 * (first.energy + second.energy)", "0.475 * (first.energy + second.energy)"),
        ("couple of faces x 0.9", "vec_add_scaled(part[end], -0.5, whole)", "vec_add_scaled(part[end], -0.45, whole)")]),
    ("engine/contact_models/particles_step.c", "physics_particles physics_spheres", [
        ("arm at the floor", "m->arm[0][c] = box ? 0 : (m->radius[0] + 0.5 * m->gap)", "m->arm[0][c] = box ? 0 : (m->radius[0] + 0.0 * m->gap)"),
        ("arm of a pair", "m->arm[0][c] = (m->radius[0] + 0.5 * m->gap)", "m->arm[0][c] = (m->radius[0] + 0.0 * m->gap)"),
        ("reduced mass x 0.95", "mass[0] * mass[1] / (mass[0] + mass[1])", "0.95 * mass[0] * mass[1] / (mass[0] + mass[1])"),
        ("spin of the first piece only", "0.5 * (vxe_dot3(w[0], m->n) + vxe_dot3(w[1], m->n))", "vxe_dot3(w[0], m->n)")]),
    ("engine/contact_models/particles_model.c", "physics_spheres physics_particles", [
        ("25 steps in a collision", "#define STEPS_PER_COLLISION 50.0", "#define STEPS_PER_COLLISION 25.0")]),
    ("engine/contact_models/power_law_point.h", "unit_power_law physics_powerlaw physics_affine", [
        ("potential x 0.98", "(1 / (nu - 1))", "(0.98 / (nu - 1))"),
        ("repulsion x 0.98", "p.repels = numbers[VXE_POWER_ALPHA_R] * of_known;", "p.repels = 0.98 * numbers[VXE_POWER_ALPHA_R] * of_known;"),
        ("adhesion near x 0.95", "p.push += parts - pulls", "p.push += 0.95 * parts - pulls"),
        ("energy of adhesion x 0.95", "p.energy -= numbers[VXE_POWER_BETA_A] * d0", "p.energy -= 0.95 * numbers[VXE_POWER_BETA_A] * d0"),
        ("damping x 0.98", "p.damping = numbers[VXE_POWER_BETA_D]", "p.damping = 0.98 * numbers[VXE_POWER_BETA_D]"),
        ("friction x 0.98", "p.friction = numbers[VXE_POWER_BETA_F]", "p.friction = 0.98 * numbers[VXE_POWER_BETA_F]")]),
    ("engine/contact_models/power_law_kernels.c", "unit_power_law physics_powerlaw physics_affine", [
        ("Coulomb's bound x 0.95", "mu * p->repels / slide", "0.95 * mu * p->repels / slide"),
        ("power of damping x 0.95", "sum->damped += area * p->damping", "sum->damped += 0.95 * area * p->damping"),
        ("power of friction x 0.95", "sum->rubbed += area * friction", "sum->rubbed += 0.95 * area * friction"),
        ("rise without rotation", "rise += of->rises[c] * arm[c]", "rise += 0.9 * of->rises[c] * arm[c]")]),
    ("engine/contact_models/quadrature.c", "unit_power_law physics_powerlaw", [
        ("weight of two of four points", "0.65214515486254609", "0.6520"),
        ("place of two of sixteen points", "0.095012509837637441", "0.0952")]),
    ("engine/contact_models/substepping.c", "physics_powerlaw", [
        ("half of the last impulse x 0.9", "b->cube.v[c] += 0.5 * h * (mean[c] + b->slow[c])", "b->cube.v[c] += 0.45 * h * (mean[c] + b->slow[c])"),
        ("loss by damping in a part x 0.95", "part * 0.5 * (load->damped + after.damped)", "part * 0.475 * (load->damped + after.damped)"),
        ("loss by friction in a part x 0.95", "part * 0.5 * (load->rubbed + after.rubbed)", "part * 0.475 * (load->rubbed + after.rubbed)"),
        ("pose correction x 0.9", "after->cube.place[c] - before->cube.place[c] - h * after->cube.v[c]",
         "0.9 * (after->cube.place[c] - before->cube.place[c] - h * after->cube.v[c])")]),
]

MAGNETS = [
    ("engine/magnets/dipole_law.h", "unit_dipole_law physics_dipoles physics_magnets", [
        ("term of both angles x 0.98", "R(-5) * along1", "R(-4.9) * along1"),
        ("field along the line x 0.98", "R(3) * by3 * along2", "R(2.94) * by3 * along2"),
        ("term of the other moment x 0.95", "by4 * along1, m2)", "R(0.95) * by4 * along1, m2)"),
        ("no cap", "r2 > cap2 ? by_r : by_cap", "r2 > R(0.9) * cap2 ? by_r : by_cap"),
        ("softening x 0.98", "vec_dot(r, r) + soft2", "vec_dot(r, r) + R(0.96) * soft2"),
        ("steepness x 0.9", "(by5 * by5) * (vec_dot(m1, m1)", "R(0.81) * (by5 * by5) * (vec_dot(m1, m1)")]),
    ("engine/magnets/dipole_kernels.c", "physics_dipoles physics_magnets", [
        ("places of divided dipoles", "middle = R(0.5) * (vxe_real)(divisions - 1)", "middle = R(0.49) * (vxe_real)(divisions - 1)"),
        ("moment of divided dipoles left out", "vec_cross(arm, f)", "vec_cross(vec_scaled(R(0.9), arm), f)"),
        ("moment in a field x 0.98", "vec_cross(m, b)", "vec_cross(vec_scaled(R(0.98), m), b)"),
        ("reach x 0.95", "vec_dot(centers, centers) <= reach2", "vec_dot(centers, centers) <= R(0.9) * reach2")]),
    ("engine/magnets/magnets_step.c", "physics_dipoles physics_magnets", [
        ("unit of forces x 0.98", ".force_unit = 3 * k", ".force_unit = 2.94 * k"),
        ("unit of fields x 0.98", ".field_unit = k *", ".field_unit = 0.98 * k *"),
        ("loads of some steps", "acts ? magnets->every : 0", "acts ? 0.95 * magnets->every : 0")]),
    ("engine/magnets/magnets_model.c", "physics_dipoles physics_magnets", [
        ("compasses are never thrown over", "#define TUMBLING 16.0", "#define TUMBLING 8.0"),
        ("reference point of a gradient x 0.9", "field.reference[c] = magnets->reference[c];", "field.reference[c] = 0.9 * magnets->reference[c];"),
        ("gradient with a divergence", "-g[0] - g[1]}", "-g[0] - 0.9 * g[1]}"),
        ("demagnetisation of a sphere", "(1 + chi / 3)", "(1 + chi / 3.1)"),
        ("nearest distance that a step resolves", "#define NEAREST 0.7", "#define NEAREST 0.8"),
        ("bound of the step: places", "2 * 24 * k * sum_5", "0.1 * 24 * k * sum_5"),
        ("bound of the step: field", "outside->field / inertia", "0.1 * outside->field / inertia")]),
    ("engine/magnets/magnets_energy.c", "physics_dipoles physics_magnets", [
        ("energy of pairs x 0.98", "0.5 * own * by_pairs", "0.49 * own * by_pairs"),
        ("energy in the field x 0.98", "0.5 * (own + whole)", "0.49 * (own + whole)")]),
]

AFFINE = [
    ("engine/affine/affine_law.h", "unit_affine_law physics_affine engine_affine_lanes", [
        ("Mooney-Rivlin: second constant x 0.98", "against = 2.0 * c2", "against = 1.96 * c2"),
        ("Mooney-Rivlin: logarithm x 0.98", "bulk = -2.0 * (c1 + 2.0 * c2)", "bulk = -1.96 * (c1 + 2.0 * c2)"),
        ("stress of the volume x 0.98", "body->number[VXE_AFFINE_BULK] * (determinant - 1.0)",
         "0.98 * body->number[VXE_AFFINE_BULK] * (determinant - 1.0)"),
        ("energy of the volume x 0.98", "0.5 * body->number[VXE_AFFINE_BULK]", "0.49 * body->number[VXE_AFFINE_BULK]"),
        ("energy of the second constant x 0.95", "c2 * (i2 - 3.0)", "0.95 * c2 * (i2 - 3.0)"),
        ("viscosity x 0.98", "stress->still[i] + mu * part[i]", "stress->still[i] + 0.98 * mu * part[i]"),
        ("loss by viscosity x 0.95", "stress->viscous = mu *", "stress->viscous = 0.95 * mu *"),
        ("energy in the drive of growth x 0.95", "stress->drive[4 * c] -= energy", "stress->drive[4 * c] -= 0.95 * energy"),
        ("growth: flow left out of the gradient", "gradient[i] = part[i] - gradient[i]", "gradient[i] = part[i] - 0.9 * gradient[i]"),
        ("slowness of growth x 0.98", "drive[i] - slow * flow[i]", "drive[i] - 0.98 * slow * flow[i]")]),
    ("engine/affine/affine_motion.h", "physics_affine physics_rigid engine_affine_lanes", [
        ("stress of a body x 0.98", "body->volume * stress->stress[i]", "0.98 * body->volume * stress->stress[i]"),
        ("weight of a body x 0.98", "(body->gravity[c] + load->force[c]", "(0.98 * body->gravity[c] + load->force[c]"),
        ("work of growth x 0.95", "vxe_m3_dot(drive, at->flow)", "0.95 * vxe_m3_dot(drive, at->flow)"),
        ("loss of growth x 0.95", "slow * vxe_m3_dot(at->flow, at->flow)", "0.95 * slow * vxe_m3_dot(at->flow, at->flow)"),
        ("work of formulas x 0.95", "half * vxe_dot3(at->load.given", "0.95 * half * vxe_dot3(at->load.given")]),
    ("engine/affine/affine_spin.h", "physics_rigid engine_affine_lanes", [
        ("rotation about the first axes x 0.98", "(i == 2 ? full : 0.5 * full)", "(i == 2 ? full : 0.49 * full)"),
        ("lever of a pinned body x 0.95", "body->is.pinned ? lever[c]", "body->is.pinned ? 0.95 * lever[c]"),
        ("spin of a rigid body x 0.98", "own[c] *= body->inverse_moments[c];", "own[c] *= 0.98 * body->inverse_moments[c];")]),
    ("engine/affine/affine_contact.c", "physics_affine physics_collisions", [
        ("work of widening faces", "vxe_m3_trace(gradient) -", "0.9 * vxe_m3_trace(gradient) -", "unit_affine_law"),
        ("push by arm x 0.95", "sum->push_by_arm[i] + sum->loss_by_arm[i]", "0.95 * sum->push_by_arm[i] + sum->loss_by_arm[i]")]),
    ("engine/affine/affine_pairs.c", "physics_collisions", [
        ("half of a pair's load x 0.98", "add(&on_own->sum, 0.5, &s.sum)", "add(&on_own->sum, 0.49, &s.sum)"),
        ("reaction at the foot", "one->push[c] * foot[d] +", "0.95 * one->push[c] * foot[d] +")]),
    ("engine/affine/affine_voxels.c", "physics_affine_voxels", [
        ("spring x 0.98", "m->spring = voxel->face.stiffness", "m->spring = 0.98 * voxel->face.stiffness"),
        ("dashpot x 0.9", "fmin(voxel->face.dashpot, STOPPING_PART", "fmin(0.9 * voxel->face.dashpot, STOPPING_PART"),
        ("static friction x 0.9", "voxel->face.static_friction) * normal;", "0.9 * voxel->face.static_friction) * normal;"),
        ("dynamic friction x 0.95", "*= voxel->face.dynamic_friction * normal / size", "*= 0.95 * voxel->face.dynamic_friction * normal / size"),
        ("dashpot of friction x 0.8", "fmin(2 * sqrt(voxel->face.stiffness / m->inverse), max)",
         "fmin(1.6 * sqrt(voxel->face.stiffness / m->inverse), max)"),
        ("spring of friction x 0.95", "voxel->face.stiffness * h * along", "0.95 * voxel->face.stiffness * h * along"),
        ("dashpots pull", "fmin(dashpot * rise, m->spring)", "fmin(dashpot * rise, 1.5 * m->spring)"),
        ("foot of a push", "arm - (m->radius - m->depth) * m->n[d]", "arm - 0.9 * (m->radius - m->depth) * m->n[d]"),
        ("work on prescribed voxels x 0.9", "0.5 * h * force * v[c]", "0.45 * h * force * v[c]"),
        ("work of growing voxels x 0.9", "0.5 * m->spring * widened", "0.45 * m->spring * widened")]),
]

SOLVER = [
    ("engine/contact/narrow_phase.c", "physics_contact physics_contact_friction", [
        ("only pairs that touch can have crossed", "find_crossed_among(job->spread > job->apart,", "find_crossed_among(false,", "engine_contacts physics_contact"),
        ("short steps see no crossing", "fmin(SLOW_EDGES * job->model->edge, SLOW_SOUND * job->sound * job->step)", "SLOW_EDGES * job->model->edge")]),
    ("engine/guard/guard.h", "engine_energy_guard", [
        ("no look in the last step", "step + 1 == guard->end", "step == guard->end")]),
    ("engine/world/world_energy.c", "engine_energy_guard", [
        ("twice the gain passes", "#define MAX_GAIN 0.01", "#define MAX_GAIN 0.02"),
        ("weight puts nothing in", "e->work_gravity,", "0,", "physics_audit")]),
    ("engine/timestep/time_step.c", "physics_stability physics_damping", [
        ("margin of the spectrum", "#define SPECTRUM_MARGIN 1.05", "#define SPECTRUM_MARGIN 1.25"),
        ("steps per period x 0.9", "#define STEPS_PER_PERIOD 100.0", "#define STEPS_PER_PERIOD 90.0"),
        ("limit of explicit dashpots x 0.98", "sqrt(lambda_c * lambda_c + 4 * lambda_k)", "sqrt(lambda_c * lambda_c + 3.84 * lambda_k)"),
        ("part of contacts' dashpots left out", "#define CONTACT_PART 1.0", "#define CONTACT_PART 0.5"),
        ("part of sticky links' dashpots left out", "#define STICKY_LINK_PART 0.5", "#define STICKY_LINK_PART 0.25"),
        ("step with explicit dashpots x 1.05", "(model->min_ratio >= 0.02 ? 0.9 :", "(model->min_ratio >= 0.02 ? 0.945 :"),
        ("undamped bodies of one Poisson's ratio as others", "model->poisson ? 0.5 : 0.7", "model->poisson ? 0.7 : 0.7"),
        ("shorter steps take the fewest iterations", "base.part < 0.999", "base.part < 0"),
        ("steps over starts", "impact_step(model)), longest)", "impact_step(model)), HUGE_VAL)"),
        ("the published rule x 0.98", "model->source_fraction / (turn * w0)", "model->source_fraction / (1.02 * turn * w0)"),
        ("grown edges are not counted", "return wide * wide;", "return wide;")]),
    ("engine/timestep/spectrum.c", "physics_stability", [
        ("coupling of the tridiagonal matrix x 0.95", "beta[i - 1] * beta[i - 1] / pivot", "0.95 * beta[i - 1] * beta[i - 1] / pivot"),
        ("bound of contacts x 0.9", "return 2 * body->contact_stiffness[i];", "return 1.8 * body->contact_stiffness[i];"),
        ("bound of sticky links x 0.67", "#define STICKY_LINK_WEIGHT 3", "#define STICKY_LINK_WEIGHT 2")]),
    ("engine/audit/audit.c", "physics_audit physics_free_body engine_actuation physics_floor", [
        ("work of actuation x 0.98", "0.5 * work;", "0.49 * work;", "engine_actuation engine_sizes"),
        ("work of a changing field x 0.98", "0.5 * field_work", "0.49 * field_work", "physics_magnets"),
        ("loss by yielding x 0.95", "half = audit->started ? 0.5 * h : 0", "half = audit->started ? 0.475 * h : 0", "physics_yield"),
        ("what half of a kick of a bond that breaks gives x 0.9", "0.5 * passes[0].h * (power_of_breaking", "0.45 * passes[0].h * (power_of_breaking", "physics_balance"),
        ("floor against moving faces x 0.95", "floor = ends ? 2 * vxe_audit", "floor = ends ? 1.9 * vxe_audit", "physics_balance")]),
    ("engine/audit/audit_losses.c", "physics_audit physics_free_body engine_actuation physics_floor", [
        ("work of loads x 0.98", "audit->energy.work_external += at(workspace, s->load[c], i) * way",
         "audit->energy.work_external += 0.98 * at(workspace, s->load[c], i) * way"),
        ("work of fields x 0.98", "audit->energy.work_external += at(workspace, s->field[c], i) * way",
         "audit->energy.work_external += 0.98 * at(workspace, s->field[c], i) * way", "physics_field"),
        ("loss by the fluid x 0.98", "push[c] * mean_rate(audit, c, i) * pass->h : 0", "0.98 * push[c] * mean_rate(audit, c, i) * pass->h : 0", "physics_fluid"),
        ("loss by explicit drag x 0.95", "rate(old, c, i) * way;", "0.95 * rate(old, c, i) * way;", "physics_damping engine_actuation"),
        ("loss by decaying drag x 0.95", "        taken_between(audit, workspace, VXE_MARK_KICK, VXE_MARK_DECAY) +",
         "        0.9 * taken_between(audit, workspace, VXE_MARK_KICK, VXE_MARK_DECAY) +", "physics_damping engine_actuation"),
        ("loss by dashpots of bonds x 0.98", "h * vxe_audit_bond_power(audit, workspace, &place, &start, true)",
         "0.98 * h * vxe_audit_bond_power(audit, workspace, &place, &start, true)"),
        ("work on dashpots by prescribed motion x 0.95", "audit->energy.work_external += given;\n}", "audit->energy.work_external += 0.95 * given;\n}", "physics_audit"),
        ("loss by friction of contacts x 0.95", "given - h * share_power(audit, workspace, &pair, shares[i], true)",
         "given - 0.95 * h * share_power(audit, workspace, &pair, shares[i], true)", "physics_contact physics_contact_friction"),
        ("energy released by links x 0.9", "workspace->state->released - audit", "0.9 * workspace->state->released - audit", "physics_stick"),
        ("energy of slipping particles x 0.95", "workspace->state->slipped - audit", "0.95 * workspace->state->slipped - audit", "physics_particles")]),
    ("engine/audit/audit_floor.c", "physics_audit physics_free_body engine_actuation physics_floor", [
        ("loss by the floor's dashpot x 0.95", "(force - spring) * (way[0] + way[1])", "0.95 * (force - spring) * (way[0] + way[1])", "physics_floor physics_balance"),
        ("ends of ways on the floor x 0.9", "back = workspace->arrays.floor_rule ? 0 : -0.5 * h", "back = workspace->arrays.floor_rule ? 0 : -0.45 * h", "physics_balance"),
        ("work of prescribed motion against the floor x 0.9", "work_external -= force * way[0]",
         "work_external -= 0.9 * force * way[0]", "physics_terrain physics_floor engine_actuation")]),
    ("engine/audit/audit_driven.c", "physics_audit physics_free_body engine_actuation physics_floor", [
        ("work against contacts x 0.95", "load_of(&sample.spring, end, c) * rate(now, c, slot) * h",
         "0.95 * load_of(&sample.spring, end, c) * rate(now, c, slot) * h", "physics_contact physics_contact_friction"),
        ("work against weight x 0.95", "force[c] * rate(now, c, i) * h", "0.95 * force[c] * rate(now, c, i) * h", "engine_actuation physics_terrain"),
        ("work against magnets x 0.95", "at(workspace, workspace->magnets->load[c], i) * rate(now, c, i) * h",
         "0.95 * at(workspace, workspace->magnets->load[c], i) * rate(now, c, i) * h", "physics_audit"),
        ("work against bonds x 0.98", "upper * rate(now, c, place.upper) * h", "0.98 * upper * rate(now, c, place.upper) * h", "engine_actuation")]),
    ("engine/audit/audit_kinetic.c", "physics_audit physics_free_body engine_actuation physics_floor", [
        ("half a kick of the kinetic energy x 0.95", "kinetic += 0.5 * h * force * speed", "kinetic += 0.475 * h * force * speed"),
        ("second order of the kinetic energy x 0.9", "0.125 * h * h * force", "0.1125 * h * h * force"),
        ("kinetic energy that a step keeps x 0.95", "kept += 0.5 * h * other * speed", "kept += 0.475 * h * other * speed", "physics_balance")]),
    ("engine/audit/audit_reads.h", "physics_audit physics_free_body engine_actuation physics_floor", [
        ("mean velocity of a step", "return 0.5 * (rate(&audit->mark[VXE_MARK_START], c, slot) +", "return 0.49 * (rate(&audit->mark[VXE_MARK_START], c, slot) +")]),
    ("engine/solver/measure.c", "physics_audit engine_actuation physics_poisson physics_floor", [
        ("energy of a bar x 0.95", "0.5 * axial * stretch * stretch", "0.475 * axial * stretch * stretch"),
        ("energy across x 0.95", "energy += 2 * arrays->edge", "energy += 1.9 * arrays->edge", "physics_poisson"),
        ("energy of the floor x 0.98", "0.5 * floor_contact.stiffness * depth * depth", "0.49 * floor_contact.stiffness * depth * depth"),
        ("energy of weight x 0.98", "mass * s->gravity[c] *", "0.98 * mass * s->gravity[c] *"),
        ("strain of a bond x 0.98", "along / rest - 1", "0.98 * (along / rest - 1)"),
        ("tension of a bond x 0.98", "springs.axial * (along - length)", "0.98 * springs.axial * (along - length)")]),
]

VOXELYZE = [
    ("engine/voxelyze/voxelyze_law.h", "unit_voxelyze_law engine_voxelyze reference_a_cantilever reference_b_vibration engine_voxelyze_packed", [
        ("shear by rotation x 0.98", "b2 = R(0.5) * edge * a1", "b2 = R(0.49) * edge * a1"),
        ("bending x 0.98", "b3 = edge * edge * a1 * R(1.0 / 6.0)", "b3 = edge * edge * a1 * R(0.98 / 6.0)"),
        ("torsion x 0.95", "twist = a2 * (t.x - s.x)", "twist = R(0.95) * a2 * (t.x - s.x)"),
        ("rotation of the chord", "R(0.5) * (g * hi))", "R(0.49) * (g * hi))")]),
    ("engine/voxelyze/voxelyze_bond.h", "unit_voxelyze_law engine_voxelyze reference_b2_vibration_damped", [
        ("half moment of dashpots x 0.9", "vxe_fma(R(0.5) * dash, rate.z, moment.z)", "vxe_fma(R(0.45) * dash, rate.z, moment.z)"),
        ("torsion of dashpots x 0.9", "vxe_fma(R(0.5) * twist, rate.x, moment.x)", "vxe_fma(R(0.45) * twist, rate.x, moment.x)")]),
    ("engine/voxelyze/voxelyze_model.c", "unit_voxelyze_law engine_voxelyze reference_b2_vibration_damped", [
        ("bound of the stretch in the small-angle mode", "#define STRETCH 1.3", "#define STRETCH 1.2"),
        ("bound of the deflection in the small-angle mode", "#define ACROSS 0.05", "#define ACROSS 0.045"),
        ("torsion spring x 0.95", "spring * a * a / (12 * (1 + nu))", "0.95 * spring * a * a / (12 * (1 + nu))"),
        ("dashpots x 0.95", "own->bond_damping * sqrt(mass * spring)", "0.95 * own->bond_damping * sqrt(mass * spring)"),
        ("dashpots by the material's density", "density[end] = vxe_voxel_density(densities, voxel);",
         "density[end] = densities->layer ? m[end]->density : vxe_voxel_density(densities, voxel);", "physics_density"),
        ("step of loose voxels by the material's density", "= vxe_voxel_density(&densities, v);",
         "= vxe_voxel_density(&densities, v) > 0 ? m->density : 0;", "physics_density")]),
    ("engine/voxelyze/voxelyze_kernels.c", "engine_voxelyze reference_d_slide reference_c_drop", [
        ("static friction x 0.95", "force < mu_s * push", "force < R(0.95) * mu_s * push"),
        ("dynamic friction x 0.98", "friction = mu_d * push", "friction = R(0.98) * mu_d * push"),
        ("drag of spin x 0.9", "factor * h * drag[i]", "R(0.9) * factor * h * drag[i]"),
        ("dashpot of the floor x 0.95", "vxe_fma(-damp, vz[i], push)", "vxe_fma(R(-0.95) * damp, vz[i], push)"),
        ("a floor that pushes alone pulls", "(pulls > 0 ? whole : clamped)", "whole", "engine_conventions"),
        ("friction by the spring where it is by the whole", "by_spring > 0 ? push : clamped", "push", "engine_conventions")]),
    ("engine/voxelyze/fluid_mesh_kernels.c", "engine_voxelyze", [
        ("drag of a triangle x 0.98", "R(-0.5) * drag * (ahead * ahead)", "R(-0.49) * drag * (ahead * ahead)")]),
    ("engine/core/conventions.c", "engine_voxelyze", [
        ("bonds of fixed voxels kept", ".fixed_unbonded = true", ".fixed_unbonded = false"),
        ("spin drag of the family x 0.9", ".spin_drag = 10", ".spin_drag = 9"),
        ("tenfold spin drag x 0.9", "r->spin_drag = 10", "r->spin_drag = 9", "engine_conventions")]),
    ("engine/timestep/start_vector.c", "engine_orientation", [
        ("all bodies from one side", "views[b].hash[n] < views[b].hash[best] ? n : best", "best"),
        ("mirror images turn spins the wrong way", "(x * y * (swaps ? -1 : 1))", "(1)"),
        ("places of the box, not of the body", "2 * (int64_t)at[0] - view->low[0] - view->high[0]", "2 * (int64_t)at[0]"),
        ("what voxels are made of is not looked at", "vxe_hash_double(&hash, vxe_voxel_density(densities, voxel));",
         "vxe_hash_double(&hash, vxe_voxel_density(densities, 0));"),
        ("the side is chosen by the material's density", "vxe_hash_double(&hash, vxe_voxel_density(densities, voxel));",
         "vxe_hash_double(&hash, densities->layer ? m->density : vxe_voxel_density(densities, voxel));", "physics_density")]),
    ("engine/world/fitness_variables.h", "physics_density", [
        ("what is measured has the material's density", "vxe_voxel_density(densities, voxel) * volume", "m->density * volume")]),
    ("engine/world/surrogate_experiments.c", "physics_density", [
        ("mass by the material's density", "const double mass = vxe_voxel_density(&densities, v) * a * a * a;\n        bulk.mass",
         "const double mass = material->density * a * a * a;\n        bulk.mass"),
        ("spread by one density", "vxe_voxel_density(&densities, v) * design->voxel_size",
         "(densities.layer ? 1000 : vxe_voxel_density(&densities, v)) * design->voxel_size")]),
    ("lattice/design_check.c", "physics_density", [
        ("a density may be 0", '{"Density", VXE_THINNEST', '{"Density", 0')]),
    ("lattice/design_append.c", "unit_lattice", [
        ("a modulus where there was no density", '{"Density", DENSITY}', '{"Density", MODULUS}')]),
    ("engine/timestep/model_spectrum.c", "engine_orientation physics_stability", [
        ("estimates are not rounded up", "found->lambda_k = rounded_up(found->lambda_k);", "found->lambda_k *= 0.999;")]),
    ("engine/bonds/bond_tangent_law.h", "unit_adjoint_laws", [
        ("turns commute: no M x y", "vec_cross(vec_add(a, b), vec_sub(y->y1, t))", "vec_cross(vec_add(a, b), vec_sub((vxe_vec3){0, 0, 0}, t))"),
        ("the frame does not turn with the bending", "R(-0.5) * frame->inverse,\n                          vec_cross(frame->vector", "R(0) * frame->inverse,\n                          vec_cross(frame->vector"),
        ("the tail's slope x 0.99", "p0 = vxe_fma(2 * -0.1428571232262197, u, 0.19999999972809948)", "p0 = vxe_fma(2 * -0.1428571232262197, u, 0.198)"),
        ("1/(1 + w) does not change", "R(0.25) * c.p, vec_cross(rf, v)", "0, vec_cross(rf, v)"),
        ("dashpots' arms do not turn", "vec_cross(f_y, of_u.sum)", "vec_cross(f_y, of_y.sum)"),
        ("dashpots' frame turns with the sum alone", "(vxe_bond_adjoint){vec_scaled(-1, lever), vec_add(half, apart), vec_sub(half, apart), 0}", "(vxe_bond_adjoint){vec_scaled(-1, lever), half, half, 0}")]),
    ("engine/voxels/drift_adjoint_law.h", "unit_adjoint_laws", [
        ("turns are not turned back", "vxe_fma(-c2, vec_dot(p, p), 1)", "0"),
        ("a spin turns a voxel as if it had not turned yet", "vec_add_scaled(behind.turn, -c1, once)", "behind.turn")]),
    ("engine/floor/floor_adjoint_law.h", "unit_adjoint_laws", [
        ("the part in contact is given", "const vxe_real within = part < 1 ? above : R(0);", "const vxe_real within = 0 * above;"),
        ("the dashpot's correction is given", "sums.dashpot * c * (IMPACT_UNDAMPED + by_step)", "0 * (IMPACT_UNDAMPED + by_step)"),
        ("one iteration fewer", "half + impact_solved_adjoint(&of, part3, second, third, by_third, &sums)", "half"),
        ("friction's direction is given", "vxe_fma(turns, vxe_fma(along, ex, -nx), nx)", "nx"),
        ("what lets go takes all of its momentum", "const vxe_real part = stuck > 0 ? 1 / (1 + bond_pull) : R(1);", "const vxe_real part = 1;")]),
    ("engine/gradient/reverse_kernels.c", "physics_gradient", [
        ("the floor does not feel what others push", "from.v.z + from.gains}", "from.v.z}"),
        ("the floor's dashpot is not reversed", "from.v.z += from.off;", ";"),
        ("drag is not reversed", "-at->property[VXE_LANE_DRAG * LANES + lane], y_v", "0, y_v"),
        ("edges' growth stands on the floor with all of it", "R(0.5) * from.depth", "from.depth"),
        ("dashpots do not act on velocities", "adjoint2[VXE_ADJOINT_V * LANES + i] -= got[6 * LANES + i];", ";"),
        ("weight slows what is heavy", "vec_add_scaled(gained, -h, field3(numbers, VXE_LANE_GRAVITY, lane))", "gained"),
        ("the floor's push does not follow the mass", "vxe_fma(by, slope.inverse, lv.z * impulse)", "lv.z * impulse")]),
    ("engine/gradient/gradient_group.c", "engine_gradient", [
        ("weights that are no numbers are taken", "} else if (!finite) {", "} else if (false) {")]),
    ("engine/gradient/gradient_backwards.c", "physics_gradient", [
        ("adjoints of the end are forgotten early", "set_sources(run, step + 1);", "set_sources(run, step);"),
        ("the clock is that of the step's end", "set_clock(run, step);", "set_clock(run, step + 1);"),
        ("the first step has the sizes of none", "            vxe_lanes_resize(run->lanes);\n", "", "physics_gradient_contact"),
        ("segments begin where the last one did", "run->kept + first / run->segment * run->state_bytes", "run->kept"),
        ("growth towards the end", "(g->t * g->l - g->count * g->tl) / spread", "(g->count * g->tl - g->t * g->l) / spread"),
        ("sums end with segments", "if (step % SUMMED_STEPS == 0 && run->by_bond) {", "if (step == first && run->by_bond) {", "engine_gradient"),
        ("gradients that are no numbers are taken", "    if (!finite) {", "    if (false) {", "engine_gradient")]),
    ("engine/gradient/reverse_lanes.h", "physics_gradient", [
        ("a slipping voxel had the velocity behind", "vxe_fma(slowed, 1 / speed, part)", "part"),
        ("prescribed motion does not lead to a place", "chosen3(moves, behind.v, none)", "none", "physics_gradient_held"),
        ("prescribed spin is free", "chosen3(turns, none, behind.w)", "behind.w", "physics_gradient_held"),
        ("friction slows what is held", "return bound ? chosen3(gives, of, (vxe_vec3){0, 0, 0}) : of;", "return of;", "physics_gradient_held"),
        ("what is held has no past", "return bound ? returned + kept : returned;", "return returned;", "physics_gradient_held")]),
    ("engine/gradient/reverse_iterations.c", "physics_gradient", [
        ("the floor behind iterations does not follow the dashpots", "const vxe_real by_others = -by * slope.others;", "const vxe_real by_others = 0 * slope.others;"),
        ("friction ahead of iterations is not taken back", "-gives.x * slid.vx,", "0 * slid.vx,"),
        ("iterations start from rest", "within[BY_BASE * LANES + i] += within[BY_MIDDLE * LANES + i];", ";"),
        ("what the floor holds is damped", "{rests > 0 ? R(0) : v.x, rests", "{v.x, rests"),
        ("dashpots' frames are given", "adjoint1[i] += got[i];\n        by1[i]", "by1[i]"),
        ("middle velocities of the first iteration alone", "number <= step->iterations; number++", "number <= 0; number++"),
        ("iterations move what is held", "        const reverse_voxel at = with_bounds(*of, group, index);\n        gain_lanes(true,", "        const reverse_voxel at = *of;\n        gain_lanes(false,", "physics_gradient_held"),
        ("the kick moves what is held", "passed = before_driven(at, h, passed, lane);", ";", "physics_gradient_held"),
        ("drag slows what is held", "bound ? chosen3(gives.v, v, all) : v", "v", "physics_gradient_held")]),
    ("engine/voxels/fluid_adjoint_law.h", "physics_gradient", [
        ("drag does not turn with the voxel", "vec_sub(vec_cross(drag, y), vec_cross(v, by_v))", "vec_scaled(-1, vec_cross(v, by_v))"),
        ("buoyancy does not follow the volume", "3 * size * size * by_volume", "0 * by_volume"),
        ("what stops a voxel has any mass", "by_h * by_max};", "0 * by_max};"),
        ("drag is linear", "2 * pushes * by_area", "pushes * by_area")]),
    ("engine/gradient/gradient_control.c", "physics_gradient_control", [
        ("targets of the last tick stay in force", "put_tick(run, lane, tick > 0 ? tick - 1 : VXE_NONE);", ";"),
        ("what later ticks sense of targets is lost", "memcpy(of->by_targets, of->adjoints.by_target,", "memset(of->by_targets, 0,"),
        ("sensors give nothing back", "    add_sensed(run, lane);\n", ""),
        ("growth is counted in all ticks", "        *sum = 0;\n", ""),
        ("edges follow targets a step late", "    if (changed) {", "    if (false) {"),
        ("segments begin with the targets of the last one", "(all || vxe_gradient_tick_at(of, step) != VXE_NONE)", "(vxe_gradient_tick_at(of, step) != VXE_NONE)"),
        ("ticks begin anew with each run of the gradient", "of->control.next = of->first;", ";")]),
    ("engine/gradient/gradient_policy.c", "physics_gradient_policy", [
        ("robots of all shapes in one call", "rows->count > 0 && (of->inputs", "false && (of->inputs"),
        ("robots that left have no rows", "goes_back ? tick < of->asked", "false ? tick < of->asked"),
        ("what left gives back", "run->lanes->robot[rows.lanes[i]] ? of->by_outputs[g] : 0;", "of->by_outputs[g];"),
        ("what policies say is taken as it is", "            if (!finite) {", "            if (false) {"),
        ("adjoints of sensed numbers stay from the last call", "memset(by_sensed, 0,", "memset(by_sensed, 0, 0 *"),
        ("a policy can not give up", "atomic_store(&run->gradient->stopped, true);", ";"),
        ("all ticks sense the same", "(size_t)rows->ticks[i] * rows->inputs,", "0,")]),
    ("engine/gradient/gradient_rounds.c", "physics_gradient_policy", [
        ("a policy is asked on any thread", "gradient->policy.act ? 1 : gradient->threads;", "gradient->threads;")]),
    ("engine/gradient/gradient_control.c", "physics_gradient_policy", [
        ("outputs beyond pass back", "const bool within = target > c->min_target && target < c->max_target;", "const bool within = true;")]),
    ("engine/control/sensor_adjoints.c", "physics_gradient_control", [
        ("directions have any length", "by[c] = by_length * (by[c] - along * sum[c]);", "by[c] = by_length * by[c];"),
        ("places count from the origin", "robot[c] -= table[kind].relative ? by[3 * i + c] : 0;", ";"),
        ("groups weigh by mass", "into->weight[of[i]] += i < 2 ? mass : 1;", "into->weight[of[i]] += mass;"),
        ("turns to the other side", "vxe_cross3(directions + 3 * d, unit + UP + 3 * d, turns);", "vxe_cross3(unit + UP + 3 * d, directions + 3 * d, turns);")]),
    ("engine/contact/penalty_adjoint_law.h", "unit_contact_adjoint", [
        ("faces push as if their ramp were straight", "p * r.slope + square * r.curve", "p * r.slope"),
        ("shares have straight sides", "const vxe_real curve = by_length * by_length * vxe_fma(12, t, -6);", "const vxe_real curve = 0 * by_length;"),
        ("the ramp's share is given", "const vxe_vec3 share = {up * r.slope * both,", "const vxe_vec3 share = {0,"),
        ("contacts know no edges' length", "by_scale * by_length,", "0 * by_scale,"),
        ("the overlap at the start is given", "first.length + second.length + by_depth, by_rest", "first.length + second.length, by_rest"),
        ("pairs forget where they began", "by_rest - by_depth};", "0};"),
        ("the deeper face is any", "at_first->depth > at_second->depth ? R(1) : R(0)", "R(0.5)"),
        ("what slides does not follow the normal force", "of.mu * friction.max : R(0)", "0 * friction.max : R(0)"),
        ("friction's spring gives way where it likes", "vec_add_scaled(by_shear, -by_longest, tip));", "by_shear);"),
        ("friction that may carry nothing holds", "of.max > 0 ? R(1) : R(0)", "R(1)"),
        ("a spring that may not stretch does", "longest > 0 ? R(1) : R(0)", "R(1)"),
        ("friction's spring is not laid into the face", "vec_add_scaled(by_flat, -into, normal);", "by_flat;"),
        ("friction's spring turns longer", "vec_add_scaled(vec_scaled(part, by), -by_size, to)", "vec_scaled(part, by)"),
        ("what shares more forgets its share", "by_part / share : R(0);", "0 * by_part : R(0);"),
        ("friction's spring does not turn with the pair", "vec_scaled(R(0.5) * h, vec_cross(before.shear, by_turned)),", "vec_scaled(0, by_turned),"),
        ("the dashpot is limited by a given force", "by_pushed + (by_limited - by_dash),", "by_pushed,"),
        ("the dashpot does not follow the mobility", "-by_dash * of.opening * h * (of.damped * of.damped),", "0 * by_dash,"),
        ("friction's dashpot is given", "vxe_fma(loss.slow, slow.inverse, loss.inverse),", "loss.inverse,"),
        ("static friction counts", "mu > mu_d ? R(0) : R(1)", "R(1)"),
        ("moments have no arms", "vec_add(vec_cross(of.lost, turns), vec_cross(loss.rate, spin));", "vec_cross(loss.rate, spin);"),
        ("normals do not turn", "vec_add_scaled(loss.normal, -off, of.normal);", "vec_scaled(0, of.normal);"),
        ("springs do not turn with the first voxel", "vec_sub(vec_cross(of.on_first, by_first), vec_cross(r, faces.first)),", "vec_scaled(-1, vec_cross(r, faces.first)),")]),
    ("engine/gradient/reverse_contacts.c", "physics_gradient_contact", [
        ("the lower voxel is pushed the same way", "const vxe_real side = end ? R(1) : R(-1);", "const vxe_real side = R(1);"),
        ("edges' growth is all of a voxel's", "R(0.5) * got.length", "got.length"),
        ("pairs forget at once", "step->touched[touch->before].by[c] = (double)batch", "step->touched[touch->before].by[c] = 0 * (double)batch"),
        ("pairs of the start have come by moving", "step->opens ? ANY_OVERLAP : (vxe_real)before->rest", "(vxe_real)before->rest"),
        ("contacts know no mass", "-by.inverse * one.inverse * one.inverse", "0 * by.inverse"),
        ("no stiffness is no number", "k1 + k2 > 0 ? 2 * k2 / (k1 + k2) : R(0)", "2 / (1 / k1 + 1 / k2) / k1"),
        ("springs in series are one", "k1 + k2 > 0 ? 2 * k2 / (k1 + k2) : R(0)", "R(1)"),
        ("dashpots in series are one", "by.c * ROOT_OF_2 * in_series * in_series", "by.c * ROOT_OF_2 * in_series"),
        ("friction is that of the rougher", "one.dynamic_friction > other.dynamic_friction ? R(0)", "one.dynamic_friction < other.dynamic_friction ? R(0)"),
        ("the last batch is whole", "for (int i = 0; i < count; i++) {\n        const vxe_reverse_touch *touch", "for (int i = 0; i < 1; i++) {\n        const vxe_reverse_touch *touch"),
        ("what pairs remember is never forgotten", "f->keeps[touch->lane] * (vxe_real)touch->by[c]", "(vxe_real)touch->by[c]")]),
    ("engine/gradient/gradient_contacts.c", "physics_gradient_contact", [
        ("segments begin without contacts", "            kept->first[touch->place[0]] = count++;\n", "            count++;\n", "engine_gradient"),
        ("segments end without adjoints of contacts", "copy_adjoints(&run->kept_touches, segment, &run->touches, run->segment);", ";", "engine_gradient"),
        ("all contacts are new", "lists->touch[i].before = number_in(lists, at - 1, &from, &lists->touch[i]);", ";"),
        ("contacts of the first lane", "                .lane = lane,", "                .lane = 0,"),
        ("properties are those of the first robot", "lanes->contacts[i].neighbors.rest;", "lanes->contacts[0].neighbors.rest;")]),
    ("engine/lanes/lanes_contacts.c", "engine_gradient", [
        ("lists stay when a state goes back", "lanes->contacts[lane].made = false;", ";")]),
    ("engine/gradient/gradient_rounds.c", "physics_gradient", [
        ("numbers that were put are not compiled", "robot->changed = vxe_gradient_compile(round->gradient, robot, &robot->error);", "robot->changed = false;"),
        ("a run begins where the last one ended", "vxe_state_copy(&simulation->state, &robot->start);", "simulation->state.step = 0;", "engine_gradient"),
        ("a run that is given up keeps its numbers", "(status || atomic_load(&gradient->stopped))", "status", "engine_gradient"),
        ("what the watch says is not heard", "atomic_store(&gradient->stopped, true);", ";", "engine_gradient")]),
    ("engine/gradient/gradient.c", "physics_gradient", [
        ("what was refused stays", "        memcpy(layer->values, before, width * sizeof *before);\n", "")]),
    ("engine/gradient/design_chain.c", "physics_gradient", [
        ("phases in radians", "TURN * whole * part * (sums", "whole * part * (sums"),
        ("the centre does not follow masses", "sum += weight->center[c]", "sum += 0 * weight->center[c]"),
        ("bonds do not follow masses", "by[1].mass[end] = volume;", ";"),
        ("coupled pairs are alike", "of[VXE_SLOPE_COUPLE] * k->couple", "0 * k->couple"),
        ("the floor's dashpot does not follow the modulus", "modulus > 0 ? dashes / modulus : 0", "0"),
        ("inertia of what is held", "mass * a * a / 6;", "1 / vxe_real_at(model->precision, model->arrays.inverse_inertia[0], slot);", "physics_gradient_held")]),
    ("materials/bond_variation.c", "unit_materials", [
        ("pairs in series follow one half", "x * x * times2 * change->modulus[1]", "0 * times2"),
        ("the coupling of condensed pairs stays", "change->couple = l2 / 8 * of_difference;", ";"),
        ("all of a change of mass", "(spring_change / spring + relative) / 2", "(spring_change / spring / 2 + relative)")]),
    ("evolution/tuning/adam.c", "evolution_tuning", [
        ("means are not corrected for their start", "1 / (1 - power_of(kept[0], moments))", "1 / (1 - kept[0])"),
        ("squares weigh as much as means", "(1 - kept[1]) * g * g", "(1 - kept[0]) * g * g"),
        ("rates are no parts of ranges", "].rate * numbers->unit[i] * part", "].rate * part")]),
    ("evolution/tuning/tuning_step.c", "evolution_tuning", [
        ("the copy with the longest gradient rules", "length > 0 ? 1 / length : 0", "1"),
        ("diverged copies count in the mean", "tuner->def.copies - row->diverged;", "tuner->def.copies;"),
        ("copies differ with how often a tuner was restored", "tuner->def.seed, tuner->iterations, copy, 0)", "tuner->def.seed, tuner->row_capacity, copy, 0)"),
        ("the worst are kept", "score > tuner->best[rank - 1].score", "score < tuner->best[rank - 1].score"),
        ("Adam remembers what diverged", "    tuner->moments = 0;\n", "")]),
    ("evolution/tuning/tuning_objective.c", "evolution_tuning", [
        ("half of the time between samples", "0.5 * (samples[i + 1].time", "0.25 * (samples[i + 1].time"),
        ("ways count from the start", "samples[first].center[c]", "samples[0].center[c]")]),
    ("evolution/tuning/tuning_numbers.c", "evolution_tuning", [
        ("phases grow", "value[i] - floor(value[i])", "value[i]"),
        ("amplitudes do not follow occupancy", "field[VXE_FIELD_AMPLITUDE][v] *= occupancy[v];", ";"),
        ("stiffness falls by the square", "(1 - EMPTY_STIFFNESS) * s * s * s", "(1 - EMPTY_STIFFNESS) * s * s"),
        ("derivatives by stiffness, not by its logarithm", "by_number[i] += by_stiffness * (occupancy", "by_number[i] += by_field[VXE_FIELD_STIFFNESS][v] * (occupancy"),
        ("masses do not follow occupancy", "whole[VXE_FIELD_DENSITY][v] * (1 - EMPTY_DENSITY);", "0;")]),
    ("evolution/tuning/tuning_body.c", "evolution_tuning", [
        ("the last of equal pieces", "sizes[body] > sizes[largest]", "sizes[body] >= sizes[largest]"),
        ("half is not there", "occupancy[v] >= 0.5", "occupancy[v] > 0.5"),
        ("layers stay where they were", "&layer->values[(size_t)v * layer->width], layer->width * sizeof(double));", "&layer->values[(size_t)to * layer->width], layer->width * sizeof(double));")]),
    ("evolution/learning/learning.c", "evolution_learning", [
        ("who has diverged goes on learning", "one->lost = one->lost || status == VXE_ERROR_DIVERGED;", ""),
        ("one iteration too few", "for (uint64_t i = 0; i < iterations &&", "for (uint64_t i = 1; i < iterations &&"),
        ("learners of all clocks in one class", "vxe_tuner_same_clock(first, one->tuner)", "first")]),
    ("evolution/learning/learning_evaluation.c", "evolution_learning", [
        ("learning may hurt", "after->fitness > before->fitness", "after->fitness != before->fitness"),
        ("the runs after learning cost nothing", "lessons[i].runs += copies * bodies;", "lessons[i].runs += 0 * copies * bodies;"),
        ("who could not learn is not counted", "effort->unable += bodies == 0;", ";")]),
    ("evolution/learning/learned_numbers.c", "evolution_learning", [
        ("stiffness is inherited linearly", "(vxe_logarithm(stiffness) - min) / (max - min)", "(stiffness - encoding->min_stiffness) / (encoding->max_stiffness - encoding->min_stiffness)"),
        ("phases go to cells below", "(uint32_t)at[2] + phenotype->lowest", "(uint32_t)at[2]")]),
    ("evolution/storage/checkpoint.c", "evolution_learning", [
        ("what was learned is not kept", "        put_genes(t, &member->learned);\n", "        put_genes(t, &(vxe_genome){0});\n")]),
    ("evolution/tuning/tuning_state.c", "evolution_tuning", [
        ("squares are not saved", "at = put(at, n->square, n->count);", "at = put(at, n->mean, n->count);")]),
    ("engine/timestep/known_spectra.c", "physics_stability", [
        ("bodies of one size are taken for equal", "memcmp(known->key[i].data, key->data, key->size) == 0", "true"),
        ("the spectrum of another body", "*found = is_known ? known->found[i] : *found;", "*found = is_known ? known->found[0] : *found;"),
        ("nothing is remembered", "known->next = (at + 1) % KNOWN;", "known->key[at].size = 0;")]),
    ("engine/contact/pair_lists.c", "engine_contacts", [
        ("pairs of a voxel's own row are lost", "(int[2]){OWN_ROW, ROWS}", "(int[2]){OWN_ROW + 1, ROWS}"),
        ("pairs across the border of parts are lost", "(int[2]){0, OWN_ROW + 1}", "(int[2]){OWN_ROW, OWN_ROW + 1}")]),
    ("engine/world/step_shadow.c", "engine_step_error", [
        ("the shadow forgets what contacts remember", "vxe_state_copy(state, &run->simulation.state);",
         "vxe_state_copy_slots(state, &run->simulation.state, 0, state->slots);\n    state->step = run->simulation.state.step;"),
        ("the shadow's lists are of another state", "    vxe_world_restate(shadow);\n", ""),
        ("a clock that goes on with the old step", "state->base_step = state->step;", "state->base_step = 0;"),
        ("the second order", "#define FIRST_ORDER 2.0", "#define FIRST_ORDER 1.3333")]),
    ("engine/team/team_vectors.c", "engine_team", [
        ("targets do not reach the lanes", "                vxe_lanes_put_targets(&vector->lanes, lane);\n", ""),
        ("a vector without a robot that runs keeps the old ones", "        vxe_lanes_release(&vector->lanes, member->robot);\n        if", "        if"),
        ("one that failed stays in its lane", "                leave(vector, lane, &team->members[number]);\n", "                vxe_team_halt(&team->members[number], VXE_ERROR_DIVERGED);\n"),
        ("robots of other steps share lanes", "one->steps == two->steps && ", "")]),
    ("engine/team/team_states.c", "engine_team", [
        ("a reset robot stays as it is in the lanes", "            team->vectors[vector]->loaded = false;", "            team->vectors[vector]->loaded = true;"),
        ("damaged states are taken", "if (sum_of(at, bytes - sizeof head) != head.checksum)", "if (false)")]),
    ("engine/control/robot_sensors.c", "engine_team_sensors", [
        ("velocities of groups are those of the world", "put_groups(r, VELOCITY, 3, r->all + VELOCITY, into);", "put_groups(r, VELOCITY, 3, NULL, into);"),
        ("directions are not of unit length", "d[c] = length > 0 ? d[c] / length : 0;", "d[c] = length > 0 ? d[c] / (2 * length) : 0;")]),
    ("engine/control/control.c", "engine_control", [
        ("ticks begin before settling ends", "ceil(settled - SLACK)", "ceil(0 * settled - SLACK)"),
        ("groups that do not move shrink", "control->targets[g] = 1;", "control->targets[g] = 0.9f;"),
        ("ticks come twice as often", "control->next += control->steps;", "control->next += control->steps / 2;")]),
    ("engine/solver/simulation.c", "engine_control", [
        ("rules of a controlled robot do not come back", "    model->conventions = rules;\n", "")]),
    ("engine/team/team.c", "engine_control", [
        ("a team is moved by controllers of designs", "vxe_world_make(member->design, &def->world, false, error)", "vxe_world_make(member->design, &def->world, true, error)")]),
    ("engine/batch/batch_control.c", "engine_control", [
        ("targets of a tick do not reach the lane", "        vxe_lanes_put_targets(lanes, lane);", "        (void)0;"),
        ("a tick by what was stored before", "    vxe_lanes_store_one(lanes, lane);\n", ""),
        ("a tick at the end", "step < run->last_step &&", "true &&")]),
    ("engine/lanes/lane_kernels.c", "engine_batch", [
        ("voxels wait longer than the ring keeps their forces", "index - waiting.index[0] == VXE_LANE_TURN", "index - waiting.index[0] == 4096"),
        ("geometry of another bond", "load_geometry(at->geometry + axis *", "load_geometry(at->geometry + (axis + 1) % 3 *"),
        ("forces of the floor go to another voxel", "push[queue->into[first + lane]] = force[lane];", "push[queue->into[first]] = force[lane];"),
        ("poses of another voxel", "rows[lane].at[VXE_POSE_X + c] = voxel[(VXE_LANE_X + c) * LANES + lane];", "rows[lane].at[VXE_POSE_X + c] = voxel[(VXE_LANE_X + c) * LANES];")]),
    ("engine/lanes/lanes_contacts.c", "engine_batch", [
        ("surface by slot", "lanes->place[lane][surface->slot[k]];", "surface->slot[k];")]),
    ("engine/lanes/grouping.c", "engine_batch", [
        ("threads without a group do not count", "? 1 : (double)(groups - in_rounds) / threads;", "? 1 : 1;")]),
    ("engine/lanes/lane_forces.h", "engine_lanes_driven", [
        ("loads of bound voxels are left out", "sum.v = vec_add(sum.v, field3(at->bound, VXE_BOUND_LOAD, lane));", ""),
        ("the floor changes what is held", "return flags & BOUND ? chosen3(gives, changed, before) : changed;", "return changed;"),
        ("bound voxels have one inverse mass", "return (rates){field3(bound, VXE_BOUND_INVERSE, lane),", "return (rates){gives_in(property, NULL, lane).v,")]),
    ("engine/lanes/lane_voxels.h", "engine_lanes_driven", [
        ("turns are not prescribed", "field3(at->bound, VXE_BOUND_RATE + 3, lane), rate.w);", "rate.w, rate.w);"),
        ("drag slows what is held", "where_free(flags, gives.v, v, rate.v)", "v")]),
    ("engine/lanes/lanes_boundary.c", "engine_lanes_driven", [
        ("factors of the step before", "simulation->state.step + ahead;", "simulation->state.step + ahead - (ahead > 0);", "engine_lane_wavefront"),
        ("tables of another robot", "lanes->table_first[lane] = all.tables;", "lanes->table_first[lane] = 0;")]),
    ("engine/lanes/lanes_run.c", "engine_lanes_driven", [
        ("looks close at the poses of before", "            vxe_lanes_store_one(lanes, lane);\n            vxe_workspace_resize", "            vxe_workspace_resize"),
        ("looks close with the edges of before", "            vxe_workspace_resize(robot->look, vxe_state_time(&robot->simulation->state));\n", ""),
        ("looks close with other loads of magnets", "            vxe_lanes_show_magnets(lanes, lane, robot->look);\n", "")]),
    ("engine/guard/guard_work.c", "engine_energy_guard", [
        ("motion that begins with a jump is no work", "(jump + variation_of(", "(0 * jump + variation_of(")]),
    ("engine/world/world_pull.c", "physics_pull", [
        ("each voxel gets the whole force", "hand->force[c] / hand->count", "hand->force[c] / (hand->count > 0)"),
        ("the force is not bounded", "spring > pull->max_force ?", "spring > 1e9 * pull->max_force ?"),
        ("loads of a hand that let go stay", "    unload(world, hand);\n    world->hand_count", "    world->hand_count"),
        ("places of hands are not in the hash", "vxe_hash_double(&hash, hand->pull.place[c]);", "vxe_hash_double(&hash, 0);")]),
    ("engine/world/world_tune.c", "physics_tune", [
        ("friction is scaled again and again", "const vxe_reals *design = world->tuned->design[i];", "const vxe_reals *design = into[i];"),
        ("drag does not reach the decay", "        vxe_workspace_set_decay(&world->workspace, world->simulation.plan.time_step);\n    }\n    for (int c", "    }\n    for (int c"),
        ("the clock jumps", "model->tuned.base_time = time;", "model->tuned.base_time = 0;"),
        ("what was tuned is not in the hash", "vxe_hash_double(&hash, numbers[i]);", "vxe_hash_double(&hash, 0);"),
        ("the workspace stays where iterations change", "        status = rebuild(world, error);", "        (void)rebuild;"),
        ("a refusal changes the hash", "!world->tuned->acts", "false"),
        ("a change of gravity is no work", "audit.freed[0] -=", "audit.freed[0] += 0 *")]),
    ("engine/world/world_control.c", "engine_control", [
                ("a tick is no work", "vxe_energy_audit_held(&world->audit, &world->workspace, h) - before;", "0 * before;")]),
    ("evolution/genomes/network.c", "evolution_network", [
        ("weights count in metres", "genes[at] / unit)", "genes[at] / (0 * unit + 1))"),
        ("tissue moves", "moves ? group_at(e, voxel->position) : e->network.moved;", "group_at(e, voxel->position);"),
        ("mutations change both", "if (vxe_stream_unit(stream) < BODY) {\n", "if (vxe_stream_unit(stream) < 2 * BODY) {\n")]),
    ("evolution/algorithms/mirrored_es.c", "evolution_network", [
        ("pairs on one side", "number % 2 ? -deviation : deviation;", "deviation;"),
        ("the deviation never changes", "memory[DEVIATION] = fmax(next,", "memory[DEVIATION] = fmax(0 * next + memory[DEVIATION],"),
        ("worse children count as success", "child->outcome.fitness > bar;", "child->outcome.fitness < bar;")]),
    ("engine/network/network.c", "unit_network", [
        ("outputs are straight backwards", "const bool tanh = layer == last || network->activation", "const bool tanh = layer != last && network->activation"),
        ("biases get nothing", "        by_weights[i] += by[i];\n", ""),
        ("no biases", "memcpy(sums, weights, width * sizeof *sums);", "memset(sums, 0, width * sizeof *sums);"),
        ("outputs bend like hidden layers", "last || network->activation == VXE_ACTIVATION_TANH);", "network->activation == VXE_ACTIVATION_TANH);")]),
    ("engine/ensemble/ensemble.c", "engine_ensemble", [
        ("deviation of the count", "* (values[i] - s.mean) / (count - 1)", "* (values[i] - s.mean) / count"),
        ("the first copy differs too", "c < 3 && copy > 0", "c < 3", "engine_ensemble"),
        ("all copies differ in their steps", "copy < e->starts ? 1 :", "copy < 1 ? 1 :")]),
    ("evolution/experiment/variation.c", "evolution_copies", [
        ("static friction alone varies", "m->dynamic_friction *= grips;", ";"),
        ("weight varies with the tilt", "tilted[c] * size / now", "tilted[c]")]),
    ("evolution/generation.c", "evolution_ask", [
        ("a generation is asked for twice", "    return search->is_asked\n               ? vxe_error_fill(", "    return false\n               ? vxe_error_fill("),
        ("an infinite fitness is told", "if (isinf(fitness[i])) {", "if (false) {"),
        ("more numbers than bodies", "if (count != ev->count) {", "if (count < ev->count) {"),
        ("a told generation stays open", "    vxe_evaluation_clear(&search->evaluation);\n    search->is_asked = false;\n    if (!status && search", "    if (!status && search")]),
    ("evolution/experiment/evaluation.c", "evolution_ask", [
        ("equal bodies are asked for twice", "            if (first == k) {\n", "            if (first <= k) {\n"),
        ("answers are of other bodies", "verdict = ev->outcomes[ev->answer[k]].verdict;\n            member->outcome.fitness = ev->outcomes[ev->answer[k]].fitness;",
         "verdict = ev->outcomes[ev->answer[k]].verdict;\n            member->outcome.fitness = ev->outcomes[0].fitness;")]),
    ("evolution/external/program.c", "evolution_external", [
        ("answers are of the body that was asked last", "w->outcomes[worker->body] = ", "w->outcomes[w->next - 1] = "),
        ("a late answer is of the next body", "            vxe_worker_kill(&program->workers[i]);\n", "            vxe_memory_release(program->workers[i].line), program->workers[i].line = NULL;\n"),
        ("no limit of time", "if (!status && worker->line && limit > 0 &&", "if (!status && worker->line && limit > 1 &&"),
        ("words that begin with nan", "&& word[3 + strspn(word + 3, VXE_BLANKS)] == '\\0') {", ") {")]),
    ("evolution/external/worker.c", "evolution_external", [
        ("a broken pipe ends us", "    pthread_sigmask(SIG_BLOCK, &broken, &before);\n", "    pthread_sigmask(SIG_BLOCK, &waiting, &before);\n"),
        ("a worker is not waited for", "        waited = waitpid(worker->pid, &status, 0);\n", "        waited = 0;\n"),
        ("more than a line is taken", "*end = is_last ? '\\0' : *end;\n            return is_last ? VXE_WORKER_ANSWERED", "*end = '\\0';\n            return end ? VXE_WORKER_ANSWERED")]),
    ("evolution/statistics.c", "evolution_copies", [
        ("quantiles by the count", "part * (count - 1)", "part * count - 1")]),
]

STATICS = [
    ("engine/statics/static_law.c", "physics_settle", [
        ("lever of a bond's force x 0.98", "vec_scaled(0.5, vec_cross(pose.chord.r", "vec_scaled(0.49, vec_cross(pose.chord.r"),
        ("the upper voxel gets the lower one's moment", "d < 3 ? act->lower : act->upper", "act->lower"),
        ("the floor's spring x 0.98", "sum[2] += body->push[v] * depth;", "sum[2] += 0.98 * body->push[v] * depth;"),
        ("tension across x 0.98", "body->tension[3 * v + a] = tension_across(", "body->tension[3 * v + a] = 0.98 * tension_across("),
        ("parts of a strain swapped", "(d < 3 ? part : 2 - part)", "(d < 3 ? 2 - part : part)"),
        ("a bond's slope: lower voxel's turn", "slope[3 + c] = by[1];", "slope[3 + c] = -by[1];")]),
    ("engine/statics/static_body.c", "physics_settle", [
        ("weight x 0.98", "(mass * s->gravity[c] + load) * edge", "(0.98 * mass * s->gravity[c] + load) * edge"),
        ("moments of loads in other units", "s->load[3 + c], v) : 0;", "s->load[3 + c], v) * edge : 0;"),
        ("inertia x 0.98", "mass * vxe_gyration(precision, s, v);", "0.98 * mass * vxe_gyration(precision, s, v);", "physics_modes"),
        ("a voxel turns half as far", "const double half = square < 1e-12 ? 0.5 : sine / angle;",
         "const double half = square < 1e-12 ? 0.25 : 0.5 * sine / angle;")]),
    ("engine/world/world_statics.c", "physics_settle", [
        ("reactions with the other sign", "fixed & 1 ? -own[c] / body.edge : 0", "fixed & 1 ? own[c] / body.edge : 0"),
        ("frequencies in rad/s", "sqrt(fabs(square)) / VXE_TAU", "sqrt(fabs(square))", "physics_modes")]),
]

MUTANTS = ASSERTS + MATERIALS + BONDS + VOXELS + FLOOR + CONTACT + MODELS + MAGNETS + AFFINE + SOLVER + STATICS + VOXELYZE
