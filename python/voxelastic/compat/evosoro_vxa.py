# SPDX-License-Identifier: MIT
"""The VXA of an individual of evosoro: what its Sim, its Env and the layers of its genotype say, with evosoro's palette."""
from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable
from typing import Any
from xml.sax.saxutils import escape

__all__ = ["write_vxa", "read_environment", "md5_of"]

Tree = list[tuple[str, Any]]  # elements: a text or a number in each, or a Tree
DENSITY, POISSONS_RATIO, STATIC_FRICTION, DYNAMIC_FRICTION, EXPANSION, OBSTACLE = 1e6, 0.35, 1, 0.5, 0.01, 5e7  # kg/m^3, 1, 1, 1, 1/K, Pa
GRAVITY, TEMPERATURE = -9.81, 25  # m/s^2, degrees Celsius


def read_environment(env: Any, individual: Any) -> None:
    """Sets attributes of env by the layers that say so (env_kws), such as an evolved frequency."""
    for _, details in individual.genotype.to_phenotype_mapping.items():
        for name, function in (details.get("env_kws") or {}).items():
            setattr(env, name, function(details["state"]))


def md5_of(individual: Any) -> str:
    """evosoro's hash of a phenotype: of all layers that are written, one number behind another."""
    return hashlib.md5("".join(state for _, details in _layers(individual) for row in _rows(individual, details) for state in row).encode()).hexdigest()


def write_vxa(sim: Any, env: Any, individual: Any, result: str = "") -> str:
    """The text of an individual's VXA file. result: its FitnessFileName. As in evosoro, each call draws the expansions of three materials from Python's `random`, equal
    ones where env.actuation_variance is 0."""
    tree: Tree = [("Simulator", _simulator(sim, individual, result)), ("Environment", _environment(env))]
    body = [("Lattice", [("Lattice_Dim", env.lattice_dimension)]), ("Voxel", [("Vox_Name", "BOX")])]
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<VXA Version="1.0">\n' + _xml(tree) + '<VXC Version="0.93">\n' + _xml(body) + _palette(env)
            + _structure(individual) + "</VXC>\n</VXA>\n")


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, bool) else escape(str(value))


def _xml(tree: Tree) -> str:
    """Elements, each on a line of its own."""
    parts = []
    for tag, value in tree:
        parts.append(f"<{tag}>\n{_xml(value)}</{tag}>\n" if isinstance(value, list) else f"<{tag}>{_text(value)}</{tag}>\n")
    return "".join(parts)


def _added(params: Any) -> Tree:
    """Parameters that were added by add_param."""
    return [(tag.strip("<>"), getattr(params, name)) for name, tag in getattr(params, "new_param_tag_dict", {}).items()]


def _simulator(sim: Any, individual: Any, result: str) -> Tree:
    tree = _added(sim) + [
        ("Integration", [("Integrator", 0), ("DtFrac", sim.dt_frac)]),
        ("Damping", [("BondDampingZ", 1), ("ColDampingZ", 0.8), ("SlowDampingZ", 0.01)]),
        ("Collisions", [("SelfColEnabled", int(sim.self_collisions_enabled)), ("ColSystem", 3), ("CollisionHorizon", 2)]),
        ("Features", [("FluidDampEnabled", 0), ("PoissonKickBackEnabled", 0), ("EnforceLatticeEnabled", 0)]),
        ("StopCondition", [("StopConditionType", int(sim.stop_condition)), ("StopConditionValue", sim.simulation_time), ("AfterlifeTime", sim.afterlife_time),
                           ("MidLifeFreezeTime", sim.mid_life_freeze_time), ("InitCmTime", sim.fitness_eval_init_time)]),
        ("EquilibriumMode", [("EquilibriumModeEnabled", sim.equilibrium_mode)]),
        ("GA", [("WriteFitnessFile", 1), ("FitnessFileName", result)]),
        ("MinTempFact", sim.min_temp_fact), ("MaxTempFactChange", sim.max_temp_fact_change), ("MaxStiffnessChange", sim.max_stiffness_change),
        ("MinElasticMod", sim.min_elastic_mod), ("MaxElasticMod", sim.max_elastic_mod),
        ("ErrorThreshold", 0), ("ThresholdTime", 0), ("MaxKP", 0), ("MaxKI", 0), ("MaxANTIWINDUP", 0)]
    if hasattr(individual, "parent_lifetime"):
        lifetime = individual.parent_lifetime if individual.parent_lifetime > 0 else individual.lifetime
        tree += [("ParentLifetime", lifetime)] if lifetime > 0 else []
    return tree


def _environment(env: Any) -> Tree:
    return _added(env) + [
        ("Fixed_Regions", [("NumFixed", 0)]), ("Forced_Regions", [("NumForced", 0)]),
        ("Gravity", [("GravEnabled", env.gravity_enabled), ("GravAcc", GRAVITY), ("FloorEnabled", env.floor_enabled), ("FloorSlope", env.floor_slope)]),
        ("Thermal", [("TempEnabled", env.temp_enabled), ("TempAmp", env.temp_amp), ("TempBase", TEMPERATURE), ("VaryTempEnabled", 1), ("TempPeriod", 1.0 / env.frequency)]),
        ("TimeBetweenTraces", env.time_between_traces), ("StickyFloor", env.sticky_floor)]


def _palette(env: Any) -> str:
    def expansion(sign: int) -> float:
        return sign * EXPANSION * (1 + random.uniform(0, env.actuation_variance))
    rows = [("Passive_Soft", (0, 1, 1), env.fat_stiffness, 0), ("Passive_Hard", (0, 0, 1), env.bone_stiffness, 0), ("Active_+", (1, 0, 0), env.muscle_stiffness, expansion(1)),
            ("Active_-", (0, 1, 0), env.muscle_stiffness, expansion(-1)), ("Obstacle", (1, 0.784, 0), OBSTACLE, 0), ("Head_Active_+", (1, 1, 0), env.fat_stiffness, expansion(1)),
            ("Food", (1, 1, 0), env.muscle_stiffness, 0)]
    parts = ["<Palette>\n"]
    for number, (name, color, modulus, expands) in enumerate(rows, 1):
        material: Tree = [("MatType", 0), ("Name", name), ("Display", [*zip(("Red", "Green", "Blue"), color), ("Alpha", 1)]),
                          ("Mechanical", [("MatModel", 0), ("Elastic_Mod", modulus), ("Density", DENSITY), ("Poissons_Ratio", POISSONS_RATIO), ("CTE", expands),
                                          ("uStatic", STATIC_FRICTION), ("uDynamic", DYNAMIC_FRICTION)])]
        parts.append(f'<Material ID="{number}">\n{_xml(material)}</Material>\n')
    return "".join(parts) + "</Palette>\n"


def _layers(individual: Any) -> Iterable[tuple[str, Any]]:
    """Layers that go to the file, by the names of their elements; those that set the environment do not."""
    return [(details["tag"].strip("<>"), details) for _, details in individual.genotype.to_phenotype_mapping.items() if not details.get("env_kws")]


def _rows(individual: Any, details: Any) -> list[list[str]]:
    """Numbers of a layer as texts, a row for each z, x the fastest."""
    sizes, state, kind = individual.genotype.orig_size_xyz, details["state"], details["output_type"]
    if getattr(state, "shape", None) != tuple(sizes):
        raise ValueError(f"individual {individual.id}: layer {details['tag']} has the shape {getattr(state, 'shape', None)}, not orig_size_xyz, {tuple(sizes)}")
    return [[str(kind(state[x, y, z])) for y in range(sizes[1]) for x in range(sizes[0])] for z in range(sizes[2])]


def _structure(individual: Any) -> str:
    sizes = individual.genotype.orig_size_xyz
    parts = ['<Structure Compression="ASCII_READABLE">\n', _xml([(f"{axis}_Voxels", int(size)) for axis, size in zip("XYZ", sizes)])]
    layers = list(_layers(individual))
    if "Data" not in (tag for tag, _ in layers):  # a full block of muscle
        parts.append(_layer("Data", [["3"] * (sizes[0] * sizes[1])] * sizes[2], ""))
    for _, details in individual.genotype.to_phenotype_mapping.items():
        numbers = "".join(f"{tag}{_text(value)}</{tag[1:]}\n" for tag, value in zip(details.get("param_tags") or (), details.get("params") or ()))
        if details.get("env_kws"):
            parts.append(numbers)
        else:
            tag = details["tag"].strip("<>")
            parts.append(_layer(tag, _rows(individual, details), numbers))
    return "".join(parts) + "</Structure>\n"


def _layer(tag: str, rows: list[list[str]], numbers: str) -> str:
    gap = "" if tag == "Data" else ", "
    return f"<{tag}>\n{numbers}" + "".join(f"<Layer><![CDATA[{''.join(state + gap for state in row)}]]></Layer>\n" for row in rows) + f"</{tag}>\n"
