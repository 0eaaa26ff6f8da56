// SPDX-License-Identifier: MIT
// What one can begin with: the example designs, palettes like those of other simulators, an empty space, a body by chance.
"use strict";

const PRESET_SOFT = { name: "soft", color: [0.6, 0.6, 0.65, 1], youngs_modulus_Pa: 5e5, density_kg_per_m3: 1000, bond_damping: 0.6,
  global_damping: 0.001 };
const PRESET_MUSCLE = { ...PRESET_SOFT, name: "muscle", color: [0.9, 0.3, 0.25, 1], thermal_expansion_per_K: 0.01 };
const HELD = ["x", "y", "z", "rx", "ry", "rz"];

// Voxels of boxes, in the order of files: [[low], [high], material].
function voxelsOf(...boxes) {
  const voxels = boxes.flatMap(([low, high, material]) => boxCells(low, high).map((cell) => [...cell, material]));
  return voxels.sort((a, b) => a[2] - b[2] || a[1] - b[1] || a[0] - b[0]);
}

function sceneOf(name, rest) {
  return { format: "voxelastic scene", version: 1, name, voxel_size_m: 0.01, gravity_m_per_s2: [0, 0, -9.81], floor: { enabled: true }, ...rest };
}

function swing(amplitude, period) {
  return { enabled: true, base_C: 25, amplitude_K: amplitude, period_s: period };
}

// A walker on four legs whose two columns are a quarter of a period apart; diagonal legs go together.
function quadruped() {
  const legs = [[0, 0], [7, 0], [0, 4], [7, 4]];
  const voxels = voxelsOf(...legs.map(([i, j]) => [[i, j, 0], [i + 1, j + 1, 3], 1]), [[0, 0, 4], [8, 5, 6], 0]);
  const phase = ([i, j, , material]) => (material ? ((i < 4) === (j < 2) ? 0.25 : 0.75) - (i % 7 ? 0.25 : 0) : 0);
  return sceneOf("quadruped", {
    materials: [PRESET_SOFT, PRESET_MUSCLE], voxels, layers: { PhaseOffset: voxels.map(phase) }, actuation: swing(10, 0.25),
    stop: { duration_s: 5, settle_time_s: 0.25 } });
}

// A wave of muscles along a strip, the upper row against the lower.
function worm() {
  const voxels = voxelsOf([[0, 0, 0], [15, 2, 1], 1]);
  return sceneOf("worm", {
    materials: [PRESET_SOFT, PRESET_MUSCLE], voxels, layers: { PhaseOffset: voxels.map(([i, , k]) => ((i + 4 * k) % 8) / 8) },
    actuation: swing(20, 0.5), stop: { duration_s: 5, settle_time_s: 0.25 } });
}

function hopper() {
  const voxels = voxelsOf([[1, 1, 0], [3, 3, 3], 1], [[0, 0, 4], [4, 4, 5], 0]);
  return sceneOf("hopper", {
    materials: [PRESET_SOFT, PRESET_MUSCLE], voxels, layers: { PhaseOffset: voxels.map(([i]) => Math.round(4 * i) / 100) },
    actuation: swing(30, 0.16), stop: { duration_s: 5, settle_time_s: 0.25 } });
}

function gripper() {
  const soft = { ...PRESET_SOFT, bond_damping: 1, global_damping: 0.01 };
  const hard = { ...soft, name: "hard", color: [0.3, 0.35, 0.5, 1], youngs_modulus_Pa: 5e6, density_kg_per_m3: 1200 };
  return sceneOf("gripper", {
    materials: [soft, { ...soft, name: "muscle", color: [0.9, 0.3, 0.25, 1], thermal_expansion_per_K: 0.01 }, hard], floor: { enabled: false },
    voxels: voxelsOf([[0, 0, 0], [0, 2, 7], 1], [[1, 0, 0], [1, 2, 7], 0], [[9, 0, 0], [9, 2, 7], 0], [[10, 0, 0], [10, 2, 7], 1],
      [[0, 0, 8], [10, 2, 9], 2]),
    actuation: swing(20, 1), regions: [{ shape: "box", low_m: [0, 0, 0.0925], high_m: [0.11, 0.03, 0.0975], fixed: HELD }],
    stop: { duration_s: 4 } });
}

function cantilever() {
  return sceneOf("cantilever", {
    materials: [{ name: "rubber", youngs_modulus_Pa: 1e6, density_kg_per_m3: 1000, global_damping: 0.01 }], gravity_m_per_s2: [0, 0, 0],
    floor: { enabled: false },
    voxels: voxelsOf([[0, 0, 0], [19, 1, 1], 0]), actuation: { enabled: false },
    regions: [{ shape: "box", low_m: [0, 0, 0], high_m: [0.0075, 0.02, 0.02], fixed: HELD },
      { shape: "box", low_m: [0.1925, 0, 0], high_m: [0.2, 0.02, 0.02], force_N: [0, 0, -0.002] }], stop: { duration_s: 4 } });
}

// The magnetisation turns once round along the strip; a field that rotates sends waves through it.
function magneticCrawler() {
  const voxels = boxCells([0, 0, 0], [19, 3, 0]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const angle = ([i]) => (2 * Math.PI * (i + 0.5)) / 20;
  const round = (value) => Math.round(value * 10) / 10;
  return sceneOf("magnetic crawler", {
    voxel_size_m: 0.001, self_collision: true, voxels: voxels.map((cell) => [...cell, 0]), actuation: { enabled: false },
    materials: [{ name: "magnetised elastomer", color: [0.25, 0.3, 0.45, 1], youngs_modulus_Pa: 1e5, density_kg_per_m3: 1100,
      dynamic_friction: 0.8 }],
    layers: { Magnetization: voxels.flatMap((cell) => [round(5e4 * Math.cos(angle(cell))), 0, round(5e4 * Math.sin(angle(cell)))]) },
    magnetics: { enabled: true, field_T: { x: "0.004*cos(2*pi*4*t)", z: "0.004*sin(2*pi*4*t)" } }, stop: { duration_s: 5 } });
}

// A soft pad that adheres to the floor is peeled off from one end.
function gecko() {
  const law = { law: "powerlaw", alpha_r: 4000, beta_d: 2000, beta_f: 2000, beta_a: 8000, nu_r: 8, nu_d: 8, nu_f: 8, nu_aa: 3, nu_ar: 6, d0: 1e-4,
    facing: 1 };
  const cells = boxCells([0, 0, 0], [15, 3, 0]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return sceneOf("gecko-like pull", {
    voxel_size_m: 0.005, floor: { enabled: true, height_m: -0.00011 }, voxels: cells.map((cell) => [...cell, cell[0] > 13 ? 1 : 0]),
    actuation: { enabled: false },
    materials: [{ name: "pad", color: [0.3, 0.6, 0.4, 1], youngs_modulus_Pa: 1e5, density_kg_per_m3: 1000 },
      { name: "grip", youngs_modulus_Pa: 1e6, density_kg_per_m3: 1000 }],
    contacts: [{ between: [0, "floor"], ...law }], stop: { duration_s: 2.2 },
    regions: [{ shape: "voxels", voxels: [60, 61, 62, 63], fixed: HELD, displacement_m: [0, 0, 0.1], table: [[0, 0], [0.2, 0], [2.2, 1]] }] });
}

function magnets() {
  const magnet = { youngs_modulus_Pa: 1e6, density_kg_per_m3: 2000, static_friction: 0.1, dynamic_friction: 0.05,
    magnetization_A_per_m: [150000, 0, 0] };
  return sceneOf("two magnets", {
    voxel_size_m: 0.005, self_collision: true, magnetics: { enabled: true }, actuation: { enabled: false },
    materials: [{ name: "left", color: [0.8, 0.2, 0.2, 1], ...magnet }, { name: "right", color: [0.2, 0.3, 0.8, 1], ...magnet }],
    voxels: [...voxelsOf([[0, 0, 0], [2, 2, 2], 0]), ...voxelsOf([[7, 0, 0], [9, 2, 2], 1])], stop: { duration_s: 0.5 } });
}

function bouncingSpheres() {
  const ball = (name, color) => ({ name, color, youngs_modulus_Pa: 1e7, density_kg_per_m3: 1200, sphere: true });
  return sceneOf("bouncing spheres", {
    voxel_size_m: 0.02, voxels: [[0, 0, 10, 0], [2, 0, 10, 1], [4, 0, 10, 2]], actuation: { enabled: false },
    materials: [ball("lively", [0.2, 0.6, 0.3, 1]), ball("middling", [0.9, 0.6, 0.2, 1]), ball("dull", [0.6, 0.2, 0.2, 1])],
    contacts: [0.9, 0.7, 0.4].map((restitution, number) => ({ between: [number, "floor"], law: "hertz", fric: 0.3, restitution })),
    stop: { duration_s: 2 } });
}

// A ball that is thrown along the floor slides, rolls, and scatters ten others.
function rollingSpheres() {
  const ball = (name, color, density) => ({ name, color, youngs_modulus_Pa: 1e7, density_kg_per_m3: density, sphere: true });
  const law = { law: "linear", kn: 20000, ks: 20000, fric: 0.3, dp_nratio: 0.1, dp_sratio: 0.1, dp_mode: 2 };
  const pins = [0, 1, 2, 3].flatMap((row) => Array.from({ length: row + 1 }, (_, at) => [20 + row, 2 * at - row, 0, 1]));
  return sceneOf("rolling spheres", {
    voxel_size_m: 0.02, voxels: [[0, 0, 0, 0], ...pins], actuation: { enabled: false }, stop: { duration_s: 2 },
    materials: [ball("bowl", [0.2, 0.3, 0.8, 1], 2500), ball("pin", [0.9, 0.9, 0.85, 1], 600)],
    contacts: [{ between: ["any", "any"], ...law }, { between: ["any", "floor"], ...law }],
    initial_velocities: [{ voxels: [0], velocity_m_per_s: [2, 0.02, 0] }] });
}

function palette(name, materials, period, amplitude) {
  return sceneOf(name, { materials, voxels: [], actuation: swing(amplitude, period), self_collision: true });
}

// The numbers of evosoro's files, with their density, which no matter has.
function evosoroPalette() {
  const like = { density_kg_per_m3: 1e6, poissons_ratio: 0.35, static_friction: 1, dynamic_friction: 0.5, bond_damping: 1, collision_damping: 0.8,
    global_damping: 0.01 };
  return palette("evosoro palette", [
    { name: "Passive_Soft", color: [0, 0.57, 0.44, 1], youngs_modulus_Pa: 5e6, ...like },
    { name: "Passive_Hard", color: [0, 0.08, 0.82, 1], youngs_modulus_Pa: 5e8, ...like },
    { name: "Active_+", color: [1, 0, 0, 1], youngs_modulus_Pa: 5e6, thermal_expansion_per_K: 0.01, ...like },
    { name: "Active_-", color: [0, 0.8, 0, 1], youngs_modulus_Pa: 5e6, thermal_expansion_per_K: -0.01, ...like }], 0.25, 14);
}

// The numbers of voxcraft's base file, passive and as muscles of both signs.
function voxcraftPalette() {
  const like = { youngs_modulus_Pa: 1e5, density_kg_per_m3: 1000, poissons_ratio: 0.35, static_friction: 1, dynamic_friction: 0.8, bond_damping: 0.1,
    collision_damping: 1 };
  return palette("voxcraft palette", [
    { name: "passive", color: [0.25, 0.7, 0.85, 1], ...like },
    { name: "active +", color: [0.9, 0.2, 0.2, 1], thermal_expansion_per_K: 0.01, ...like },
    { name: "active -", color: [0.2, 0.7, 0.3, 1], thermal_expansion_per_K: -0.01, ...like }], 0.2, 14.5);
}

function empty() {
  return { ...EMPTY_SCENE, materials: READY_MATERIALS, voxels: [], self_collision: true };
}

// A connected body by chance: it grows from one cell, each new one beside a chosen old one; muscles in two groups of phase.
function randomBody(size = [6, 5, 4], part = 0.6, chance = Math.random) {
  const cells = new Map();
  const wanted = Math.round(size[0] * size[1] * size[2] * part);
  const some = (list) => list[Math.floor(chance() * list.length)];
  cells.set("2,2,0", [2, 2, 0]);
  while (cells.size < wanted) {
    const cell = plus(some([...cells.values()]), some(STEPS));
    if (cell.every((at, axis) => at >= 0 && at < size[axis])) {
      cells.set(cell.join(), cell);
    }
  }
  const low = Math.min(...[...cells.values()].map((cell) => cell[2]));
  const voxels = [...cells.values()].map(([i, j, k]) => [i, j, k - low, Math.floor(chance() * 4)]);
  return { ...empty(), name: "random body", voxels, layers: { PhaseOffset: voxels.map(() => Math.round(chance() * 8) / 8) },
    actuation: swing(20, 0.4) };
}

const PRESETS = [
  { name: "Empty", says: "8 by 8 cells to begin with", make: empty }, { name: "Random body", says: "another one each time", make: randomBody },
  { name: "Quadruped", says: "a trot", make: quadruped }, { name: "Worm", says: "a wave of muscles", make: worm },
  { name: "Hopper", says: "a leg under a plate", make: hopper }, { name: "Gripper", says: "fingers that bend", make: gripper },
  { name: "Cantilever", says: "a bar, held and pushed", make: cantilever },
  { name: "Magnetic crawler", says: "a field that rotates", make: magneticCrawler },
  { name: "Gecko", says: "a pad that is peeled off", make: gecko }, { name: "Two magnets", says: "they snap together", make: magnets },
  { name: "Bouncing spheres", says: "three restitutions", make: bouncingSpheres },
  { name: "Rolling spheres", says: "one against ten", make: rollingSpheres },
  { name: "evosoro palette", says: "empty, with its materials", make: evosoroPalette },
  { name: "voxcraft palette", says: "empty, with its materials", make: voxcraftPalette },
];
