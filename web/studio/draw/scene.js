// SPDX-License-Identifier: MIT
// Scenes as texts: what the studio reads of one, with a sentence for whatever it can not draw. Keys it does not know stay as they are.
"use strict";

const MAX_EXTENT = 64; // cells along each axis
const MAX_MATERIALS = 254; // a cell of .vxa and .vxc files is a byte
const KEY_ROOM = 1024; // cells along each axis that keys tell apart: ten bits each, so that a key is a small integer

// Numbers of each voxel: how many, and what a voxel without one has.
const LAYERS = {
  PhaseOffset: { size: 1, of: () => 0 },
  Amplitude: { size: 1, of: () => 1 },
  Frequency: { size: 1, of: () => 1 },
  Stiffness: { size: 1, of: (cell, material) => material.youngs_modulus_Pa ?? 1e6 },
  FinalStiffness: { size: 1, of: (cell, material) => cell.Stiffness ?? material.youngs_modulus_Pa ?? 1e6 },
  Density: { size: 1, of: (cell, material) => material.density_kg_per_m3 ?? 1000 },
  Group: { size: 1, of: () => 0 },
  Part: { size: 1, of: () => 0 },
  BodyForce: { size: 3, of: () => [0, 0, 0] },
  Magnetization: { size: 3, of: (cell, material) => material.magnetization_A_per_m ?? [0, 0, 0] },
  InitialSize: { size: 1, of: () => 1 },
  FinalSize: { size: 1, of: () => 1 },
};
const OWN_NAMES = ["i", "j", "k", "material", "rank"]; // of a cell: no layer can have these

// What the studio can not read or draw, in a sentence.
class SceneError extends Error {}

function refuse(sentence) {
  throw new SceneError(sentence);
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isVector(value) {
  return Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);
}

function parseJson(text) {
  let scene;
  try {
    scene = JSON.parse(text);
  } catch (error) {
    refuse("This is no scene: " + (error instanceof SyntaxError ? error.message : "its JSON is nested too deeply") + ".");
  }
  if (!isObject(scene)) {
    refuse("This is no scene: a scene is one JSON object, with materials and voxels.");
  }
  return scene;
}

function checkMaterials(scene) {
  const { materials = [] } = scene;
  if (!Array.isArray(materials) || !materials.every(isObject)) {
    refuse("The key “materials” must be a list of objects.");
  }
  if (materials.length > MAX_MATERIALS) {
    refuse(`The design has ${materials.length} materials; the studio holds ${MAX_MATERIALS} at most.`);
  }
  materials.forEach((material, number) => {
    for (const [name, value] of Object.entries(material)) {
      const isNumber = /_(Pa|kg_per_m3|per_K|rad)$|_ratio$|_friction$|_damping$/.test(name);
      if (isNumber && typeof value !== "number") {
        refuse(`Material ${number}: “${name}” must be a number.`);
      }
    }
    const { color, name, magnetization_A_per_m: magnet = [0, 0, 0] } = material;
    if (!isVector(magnet)) {
      refuse(`Material ${number}: “magnetization_A_per_m” must be three numbers.`);
    }
    if (color !== undefined && !(Array.isArray(color) && color.length >= 3 && color.every((part) => typeof part === "number"))) {
      refuse(`Material ${number}: “color” must be a list of red, green, blue and alpha.`);
    }
    if (name !== undefined && typeof name !== "string") {
      refuse(`Material ${number}: “name” must be a text.`);
    }
  });
  return materials.length;
}

function checkVoxels(scene, materials) {
  const { voxels = [] } = scene;
  if (!Array.isArray(voxels)) {
    refuse("The key “voxels” must be a list of [i, j, k, material].");
  }
  if (voxels.length > MAX_EXTENT ** 3) {
    refuse(`The design has ${voxels.length} voxels; the studio draws at most ${MAX_EXTENT} cells along each axis.`);
  }
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  voxels.forEach((voxel, number) => {
    if (!Array.isArray(voxel) || voxel.length !== 4 || !voxel.every(Number.isSafeInteger)) {
      refuse(`Voxel ${number} must be four whole numbers: [i, j, k, material].`);
    }
    if (voxel[3] < 0 || voxel[3] >= materials) {
      refuse(`Voxel ${number} is of material ${voxel[3]}, but there are ${materials} materials, numbered from 0.`);
    }
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis], voxel[axis]);
      high[axis] = Math.max(high[axis], voxel[axis]);
    }
  });
  low.forEach((least, axis) => checkExtent(high[axis] - least + 1, axis));
  return { voxels, low, high };
}

function checkExtent(extent, axis) {
  if (extent > MAX_EXTENT) {
    refuse(`The body would be ${extent} cells long along ${"xyz"[axis]}; the studio draws at most ${MAX_EXTENT} along each axis.`);
  }
}

function checkLayers(scene, voxels) {
  const { layers = {} } = scene;
  if (!isObject(layers)) {
    refuse("The key “layers” must be an object of lists.");
  }
  const sizes = new Map();
  for (const [name, values] of Object.entries(layers)) {
    if (!Array.isArray(values) || !values.every(Number.isFinite)) {
      refuse(`The layer “${name}” must be a list of numbers.`);
    }
    const size = voxels ? values.length / voxels : LAYERS[name]?.size ?? 1;
    if (!Number.isInteger(size) || size < 1 && voxels || (Object.hasOwn(LAYERS, name) && size !== LAYERS[name].size)) {
      refuse(`The layer “${name}” has ${values.length} numbers for ${voxels} voxels.`);
    }
    if (OWN_NAMES.includes(name) || name === "__proto__") {
      refuse(`A layer can not be called “${name}”.`);
    }
    sizes.set(name, size);
  }
  return sizes;
}

// Of what the studio shows and edits besides voxels: the kinds of values only. Ranges are the library's business.
function checkRest(scene) {
  const { voxel_size_m: edge = 0.01, gravity_m_per_s2: gravity = [0, 0, -9.81], name = "" } = scene;
  if (!(typeof edge === "number" && edge > 0 && edge < Infinity)) {
    refuse("The key “voxel_size_m” must be a number above 0.");
  }
  if (!isVector(gravity)) {
    refuse("The key “gravity_m_per_s2” must be three numbers.");
  }
  if (typeof name !== "string") {
    refuse("The key “name” must be a text.");
  }
  for (const key of ["floor", "actuation", "fluid", "stop", "magnetics"]) {
    if (scene[key] !== undefined && !isObject(scene[key])) {
      refuse(`The key “${key}” must be an object.`);
    }
  }
  for (const key of ["regions", "contacts", "initial_velocities"]) {
    if (scene[key] !== undefined && !(Array.isArray(scene[key]) && scene[key].every(isObject))) {
      refuse(`The key “${key}” must be a list of objects.`);
    }
  }
  for (const key of ["amplitude_K", "period_s"]) {
    if (scene.actuation?.[key] !== undefined && !Number.isFinite(scene.actuation[key])) {
      refuse(`The actuation's “${key}” must be a number.`);
    }
  }
  checkFloor(scene.floor ?? {});
  (scene.regions ?? []).forEach((region, number) => {
    for (const key of ["low_m", "high_m", "force_N", "moment_Nm", "displacement_m", "rotation_rad"]) {
      if (region[key] !== undefined && !isVector(region[key])) {
        refuse(`Region ${number}: “${key}” must be three numbers.`);
      }
    }
    if (region.fixed !== undefined && !Array.isArray(region.fixed)) {
      refuse(`Region ${number}: “fixed” must be a list.`);
    }
  });
}

function checkFloor(floor) {
  const { slope = [0, 0], origin_m: origin = [0, 0], center_m: center = [0, 0] } = floor;
  const { heights_m: rows, spacing_m: spacing = 1, height_m: height = 0, radius_m: radius = 0 } = floor;
  const pair = (value) => Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);
  if (![slope, origin, center].every(pair) || ![height, radius, spacing].every(Number.isFinite) || spacing <= 0) {
    refuse("The floor's “height_m” and “radius_m” must be numbers, “spacing_m” one above 0, “slope”, “origin_m” and “center_m” two numbers each.");
  }
  const isRow = (row) => Array.isArray(row) && row.length >= 2 && row.length === rows[0].length && row.every(Number.isFinite);
  if (rows !== undefined && !(Array.isArray(rows) && rows.length >= 2 && rows.every(isRow))) {
    refuse("The floor's “heights_m” must be two rows or more of two heights or more, all of the same length.");
  }
}

// The cells of a scene, by key; `base` is the cell of the key's middle. Each remembers its number in the file as `rank`.
function readScene(text) {
  const scene = parseJson(text);
  const { voxels, low, high } = checkVoxels(scene, checkMaterials(scene));
  const sizes = checkLayers(scene, voxels.length);
  checkRest(scene);
  const base = low.map((least, axis) => (voxels.length ? Math.floor((least + high[axis]) / 2) : 0));
  const cells = new Map();
  voxels.forEach(([i, j, k, material], rank) => {
    const cell = { i, j, k, material, rank };
    for (const [name, size] of sizes) {
      cell[name] = size === 1 ? scene.layers[name][rank] : scene.layers[name].slice(size * rank, size * (rank + 1));
    }
    const key = cellKey(base, i, j, k);
    if (cells.has(key)) {
      refuse(`Two voxels are in the cell (${i}, ${j}, ${k}).`);
    }
    cells.set(key, cell);
  });
  return { scene: { ...scene, voxels: null, layers: null }, cells, base, sizes };
}

// The key of a cell; -1 where it is too far from the base to have one.
function cellKey(base, i, j, k) {
  const [a, b, c] = [i - base[0] + KEY_ROOM / 2, j - base[1] + KEY_ROOM / 2, k - base[2] + KEY_ROOM / 2];
  return a >= 0 && b >= 0 && c >= 0 && a < KEY_ROOM && b < KEY_ROOM && c < KEY_ROOM ? (c * KEY_ROOM + b) * KEY_ROOM + a : -1;
}

// Cells in the order in which they are written: those of the file as there, then what was drawn, by layers from below.
function inOrder(cells) {
  const rank = (cell) => cell.rank ?? Infinity;
  return [...cells].sort((a, b) => (rank(a) === rank(b) ? a.k - b.k || a.j - b.j || a.i - b.i : rank(a) - rank(b)));
}

// Lists of voxel numbers as they are after edits; what has lost all its voxels is left out.
function renumber(list, numbers) {
  return list.filter((entry) => !Array.isArray(entry.voxels) || !entry.voxels.length || entry.voxels.some((rank) => numbers.has(rank)))
    .map((entry) => (Array.isArray(entry.voxels)
      ? { ...entry, voxels: entry.voxels.filter((rank) => numbers.has(rank)).map((rank) => numbers.get(rank)) } : entry));
}

// The text of a scene with these cells.
function writeScene(scene, cells, sizes) {
  const order = inOrder(cells.values());
  const written = { ...scene, voxels: order.map(({ i, j, k, material }) => [i, j, k, material]), layers: {} };
  const numbers = new Map();
  order.forEach((cell, number) => cell.rank === undefined || numbers.set(cell.rank, number));
  for (const key of ["regions", "initial_velocities"]) {
    if (scene[key]) {
      written[key] = renumber(scene[key], numbers);
    }
  }
  for (const [name, size] of sizes) {
    if (order.some((cell) => cell[name] !== undefined)) {
      const values = order.map((cell) => layerValue(cell, name, scene.materials, size));
      written.layers[name] = values.flat();
    }
  }
  if (!Object.keys(written.layers).length) {
    delete written.layers;
  }
  if (!order.length && scene.affine_bodies && !(scene.materials ?? []).length) {
    delete written.voxels;
  }
  return JSON.stringify(written);
}

// A number of a cell, or its three.
function layerValue(cell, name, materials, size = 1) {
  const layer = Object.hasOwn(LAYERS, name) ? LAYERS[name].of(cell, materials[cell.material]) : size === 1 ? 0 : new Array(size).fill(0);
  return cell[name] ?? layer;
}
