#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Attacks the physics: a search whose fitness is the energy that comes from nothing.

    bench/harvest.py [--seconds 600] [--seed 1] [--program PROGRAM] [--keep FOLDER]

A design is a list of genes: its voxels, two materials and a world, over everything that a scene can
hold: brittle and plastic materials, magnets, growth, sticky voxels, fluid, slopes, height fields,
affine bodies, initial velocities, extreme ratios. Each design runs with the energy audit. What it
gained is the audit's imbalance, divided by the energy that was put in: its start, and the work of
muscles, weight and fields. Half of the new designs are mutants of the best, one from each kind, half
are random. A run that the energy guard ends has no fitness; one that the audit calls unphysical at
its end has, since a run without the audit would have ended well.

Prints one line for each design that gained more than 1 %, when it is the best of its kind, and a
table of kinds at the end. Its exit status is 1 where any of them ended as ok."""
import argparse
import concurrent.futures
import json
import os
import random
import subprocess
import sys
import tempfile
import time

LIMIT = 0.01  # gain that counts
CELLS = 3     # edge of the box that bodies are drawn in

# name: (kind, arguments): "log" low high; "lin" low high; "pick" values; "some" p kind arguments: the
# value 0 but with probability p
GENES = {
    "edge": ("log", 1e-3, 1e-1),
    "gravity": ("pick", 0, 0, 9.81),
    "gravity_x": ("some", 0.1, "lin", -20, 20),
    "floor": ("pick", False, True),
    "slope": ("some", 0.2, "lin", -1, 1),
    "terrain": ("some", 0.15, "log", 0.1, 2),
    "terrain_spacing": ("log", 0.1, 3),
    "self_collision": ("pick", True, True, False),
    "volume_effects": ("some", 0.2, "pick", True),
    "fluid": ("some", 0.15, "log", 1, 3000),
    "buoyancy": ("pick", False, True),
    "amplitude": ("some", 0.7, "log", 0.01, 0.8),
    "period": ("log", 3, 3000),  # times the edge over the speed of sound
    "extension": ("some", 0.2, "lin", 1.5, 4),
    "speed": ("some", 0.2, "log", 1e-3, 1),  # of the speed of sound
    "spin": ("some", 0.1, "log", 1e-3, 1),
    "second_body": ("some", 0.4, "pick", 1, 2, 3),
    "affine": ("some", 0.1, "log", 0.3, 3),
    "growth": ("some", 0.15, "lin", 0.5, 2),
    "growth_time": ("some", 0.7, "log", 1, 1000),
    "settle": ("some", 0.2, "log", 10, 1000),
    "soften": ("some", 0.3, "log", 0.1, 1),
    "cap": ("some", 0.3, "log", 0.1, 1),
    "every": ("some", 0.2, "pick", 2, 5, 20),
    "field": ("some", 0.2, "log", 1e-3, 1),
    "field_period": ("log", 10, 3000),
    "duration": ("log", 50, 1000),  # times the edge over the speed of sound
}
MATERIAL = {
    "modulus": ("log", 1e3, 1e9),
    "density": ("log", 30, 1e4),
    "poisson": ("pick", 0, 0.3, 0.45, 0.49),
    "static_friction": ("some", 0.8, "log", 0.05, 10),
    "dynamic_friction": ("some", 0.8, "log", 0.05, 10),
    "bond_damping": ("some", 0.6, "log", 1e-3, 2),
    "collision_damping": ("some", 0.6, "log", 1e-2, 2),
    "global_damping": ("some", 0.1, "log", 1e-4, 0.1),
    "muscle": ("some", 0.7, "pick", -1, 1),
    "phase": ("lin", 0, 6.28),
    "model": ("pick", 0, 0, 0, 1, 2),
    "yield_strain": ("some", 0.8, "log", 1e-3, 0.3),
    "plastic_part": ("lin", 0, 0.9),
    "fail": ("some", 0.6, "log", 1.05, 10),
    "sticky": ("some", 0.15, "pick", True),
    "detach": ("some", 0.7, "log", 1e-3, 1),  # of the modulus
    "magnet": ("some", 0.15, "log", 0.01, 3),  # mu0 M^2/E
    "magnet_axis": ("pick", 0, 1, 2),
    "sphere": ("some", 0.05, "pick", True),
}


def draw(rng, rule):
    kind, *rest = rule
    if kind == "some":
        return draw(rng, rest[1:]) if rng.random() < rest[0] else 0
    if kind == "pick":
        return rng.choice(rest)
    if kind == "lin":
        return rng.uniform(*rest)
    return rest[0] * (rest[1] / rest[0]) ** rng.random()


def random_body(rng):
    """Cells of a connected body, each with a material."""
    cells = [(rng.randrange(CELLS), rng.randrange(CELLS), rng.randrange(CELLS))]
    for _ in range(rng.randrange(12)):
        x, y, z = rng.choice(cells)
        step = rng.choice([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)])
        cell = (x + step[0], y + step[1], z + step[2])
        if cell not in cells and all(0 <= c < CELLS for c in cell):
            cells.append(cell)
    return [[*cell, rng.randrange(2)] for cell in cells]


def random_genes(rng):
    return {
        "world": {name: draw(rng, rule) for name, rule in GENES.items()},
        "materials": [{name: draw(rng, rule) for name, rule in MATERIAL.items()} for _ in range(2)],
        "body": random_body(rng),
        "phases": [rng.random() for _ in range(CELLS ** 3 * 2)],
    }


def mutant(rng, parent):
    genes = json.loads(json.dumps(parent))
    for _ in range(rng.choice([1, 1, 2, 4])):
        which = rng.randrange(4)
        if which == 0:
            genes["body"] = random_body(rng)
        elif which == 1:
            genes["phases"] = [rng.random() for _ in genes["phases"]]
        else:
            part, rules = [(genes["world"], GENES), (rng.choice(genes["materials"]), MATERIAL)][which - 2]
            name = rng.choice(list(rules))
            number = isinstance(part[name], float) and part[name] != 0 and rules[name][0] != "pick"
            part[name] = part[name] * rng.uniform(0.6, 1.6) if number and rng.random() < 0.7 else draw(rng, rules[name])
    return genes


def material_of(genes, index):
    m = genes["materials"][index]
    modulus = m["modulus"]
    made = {"name": f"m{index}", "youngs_modulus_Pa": modulus, "density_kg_per_m3": m["density"],
            "poissons_ratio": m["poisson"], "static_friction": max(m["static_friction"], m["dynamic_friction"]),
            "dynamic_friction": m["dynamic_friction"], "bond_damping": m["bond_damping"],
            "collision_damping": m["collision_damping"], "global_damping": m["global_damping"],
            "thermal_expansion_per_K": 0.01 * m["muscle"], "phase_rad": m["phase"], "model": m["model"]}
    stress = m["yield_strain"] * modulus
    if m["model"] == 1:
        made["fail_stress_Pa"] = stress
    elif m["model"] == 2:
        made.update(yield_stress_Pa=stress, plastic_modulus_Pa=m["plastic_part"] * modulus,
                    fail_stress_Pa=stress * m["fail"] if m["fail"] and stress else 0)
    if m["sticky"]:
        made.update(sticky=True, detach_stress_Pa=min(m["detach"] * modulus, 1e15))
    if m["magnet"]:
        strength = (m["magnet"] * modulus / 1.25663706e-6) ** 0.5
        made["magnetization_A_per_m"] = [strength if c == m["magnet_axis"] else 0 for c in range(3)]
    if m["sphere"]:
        made["sphere"] = True
    return made


def scene_of(genes):
    w = genes["world"]
    edge = w["edge"]
    used = sorted({cell[3] for cell in genes["body"]})
    fastest = max((genes["materials"][i]["modulus"] / genes["materials"][i]["density"]) ** 0.5 for i in used)
    moment = edge / fastest  # s: a wave crosses a voxel
    voxels = [list(cell) for cell in genes["body"]]
    if w["second_body"]:
        voxels += [[x + CELLS - 1 + w["second_body"], y, z, 1 - m] for x, y, z, m in genes["body"]]
    scene = {
        "version": 1, "name": "harvest", "voxel_size_m": edge,
        "gravity_m_per_s2": [w["gravity_x"], 0, -w["gravity"]], "floor": {"enabled": w["floor"], "slope": [w["slope"], 0]},
        "self_collision": w["self_collision"], "volume_effects": bool(w["volume_effects"]),
        "materials": [material_of(genes, i) for i in range(2)], "voxels": voxels,
        "layers": {"PhaseOffset": [genes["phases"][i] for i in range(len(voxels))]},
        "stop": {"duration_s": w["duration"] * moment, "settle_time_s": w["settle"] * moment if w["settle"] else 0},
    }
    if w["terrain"] and w["floor"]:
        heights = [[edge * w["terrain"] * ((3 * i + 5 * j) % 4 - 4) / 4 for i in range(8)] for j in range(8)]
        scene["floor"].update(heights_m=heights, spacing_m=edge * w["terrain_spacing"], origin_m=[0, 0])
    if w["amplitude"]:
        scene["actuation"] = {"enabled": True, "amplitude_K": 100 * w["amplitude"], "period_s": max(w["period"] * moment, 1e-9)}
        if w["extension"]:
            scene["actuation"]["most_size"] = w["extension"]
    if w["fluid"]:
        scene["fluid"] = {"density_kg_per_m3": w["fluid"], "drag_coefficient": 1, "buoyancy": w["buoyancy"]}
    if w["speed"] or w["spin"]:
        scene["initial_velocities"] = [{"voxels": list(range(len(genes["body"]))),
                                        "velocity_m_per_s": [w["speed"] * fastest, 0, -0.3 * w["speed"] * fastest],
                                        "spin_rad_per_s": [0, w["spin"] / moment, 0]}]
    if w["growth"]:
        scene["layers"]["FinalSize"] = [w["growth"]] * len(voxels)
        scene["layers"]["GrowthTime"] = [w["growth_time"] * moment] * len(voxels)
        scene["layers"]["GrowthStart"] = [moment * 10] * len(voxels)
    if any(m["magnet"] for m in genes["materials"]):
        scene["magnetics"] = {"dipole_soften_m": w["soften"] * edge, "dipole_cap_m": 0 if w["soften"] else w["cap"] * edge,
                              "every_steps": w["every"]}
        if w["field"]:
            scene["magnetics"]["field_T"] = {"x": f"{w['field']}*sin(2*pi*t/{w['field_period'] * moment})"}
    return scene


def kind_of(genes, scene):
    """The parts of a design that a fault is likely to sit in."""
    w = genes["world"]
    parts = [name for name in ("growth", "fluid", "volume_effects", "terrain", "every", "cap", "soften")
             if w[name] and ("magnetics" in scene or name not in ("every", "cap", "soften"))]
    materials = [genes["materials"][i] for i in {v[3] for v in scene["voxels"]}]
    parts += ["magnets"] if any(m["magnet"] for m in materials) else []
    parts += ["brittle"] if any(m["model"] == 1 and m["yield_strain"] for m in materials) else []
    parts += ["plastic"] if any(m["model"] == 2 and m["yield_strain"] for m in materials) else []
    parts += ["sticky"] if any(m["sticky"] for m in materials) and w["self_collision"] else []
    parts += ["contact"] if w["self_collision"] else []
    parts += ["floor"] if w["floor"] else []
    parts += ["muscles"] if w["amplitude"] else []
    return "+".join(parts) or "plain"


def gain_of(result):
    """The energy that came from nothing, as a part of what was put in. A rise within what the engine
    states as rounding is none."""
    energy = result["energy_J"]
    if any(value is None for value in energy.values()):
        return 1e3  # not a number, and the run ended well
    rises = energy.get("balance_drift", 0) > energy.get("rounding", 0)
    return min(energy.get("balance_gain", 0), 1e3) if rises else 0


def run(program, folder, number, genes):
    """Status, gain, and the scene."""
    scene = scene_of(genes)
    path = os.path.join(folder, f"{number}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scene, file)
    try:
        done = subprocess.run([program, "run", path, "--ledger", "--quiet", "--threads", "1", "--result", path + ".r"],
                              capture_output=True, text=True, timeout=60, check=False)
        with open(path + ".r", encoding="utf-8") as file:
            result = json.load(file)
        os.remove(path + ".r")
    except subprocess.TimeoutExpired:
        return "slow", 0, scene
    except (OSError, ValueError):
        return "refused: " + done.stderr.strip()[-100:], 0, scene
    finally:
        os.remove(path)
    status = "told by the audit" if "by the energy audit" in result["message"] else result["status"]
    return status, gain_of(result) if status in ("ok", "told by the audit") else 0, scene


def save(folder, name, scene):
    if folder:
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, f"{name}.json"), "w", encoding="utf-8") as file:
            json.dump(scene, file, indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", default="build/release/bin/voxelastic")
    parser.add_argument("--keep", help="folder for the best design of each kind that gained")
    choice = parser.parse_args()
    rng = random.Random(choice.seed)
    champions, counts, tried, escaped = {}, {}, 0, 0
    end = time.monotonic() + choice.seconds
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        while time.monotonic() < end:
            batch = [mutant(rng, rng.choice(list(champions.values()))[1]) if champions and rng.random() < 0.5 else random_genes(rng)
                     for _ in range(16)]
            runs = [pool.submit(run, choice.program, folder, i, genes) for i, genes in enumerate(batch)]
            for genes, one in zip(batch, runs):
                status, gain, scene = one.result()
                tried += 1
                counts[status] = counts.get(status, 0) + 1
                kind = kind_of(genes, scene)
                if gain > champions.get(kind, (0,))[0]:
                    champions[kind] = (gain, genes, scene)
                    if gain > LIMIT:
                        print(f"{tried:6} {kind:50} gained {gain:.3g} of what was put in: {status}", flush=True)
                escaped += status == "ok" and gain > LIMIT
    gained = sorted(((g, k, s) for k, (g, _, s) in champions.items() if g > LIMIT), key=lambda row: -row[0])
    print(f"{tried} designs: " + ", ".join(f"{n} {status}" for status, n in sorted(counts.items(), key=lambda row: -row[1])[:12]))
    print(f"{len(gained)} kinds gained more than {LIMIT:.0%}; the most of any kind: {max((c[0] for c in champions.values()), default=0):.2g}; "
          f"{escaped} designs that did ended as ok")
    for i, (gain, kind, scene) in enumerate(gained):
        print(f"  {gain:8.3g}  {kind}")
        save(choice.keep, f"{i:02}", scene)
    return 1 if escaped else 0


if __name__ == "__main__":
    sys.exit(main())
