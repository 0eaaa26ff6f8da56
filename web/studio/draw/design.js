// SPDX-License-Identifier: MIT
// The body being drawn: cells, materials and the rest of its scene, changed by edits that can be undone.
"use strict";

const MAX_UNDO_CELLS = 1e6; // cells that all edits together may hold; the oldest are forgotten then
const EMPTY_SCENE = {
  format: "voxelastic scene", version: 1, name: "my robot", voxel_size_m: 0.01, gravity_m_per_s2: [0, 0, -9.81],
  floor: { enabled: true }, actuation: { enabled: true, amplitude_K: 20, period_s: 0.5 },
};
// Colours of materials without one (or with the format's grey), as in replay pages: those of Okabe and Ito, which the colour-blind tell apart.
const MATERIAL_COLORS = ["#e69e00", "#57b5e8", "#009e73", "#f0e342", "#0073b3", "#d65e00", "#cc78a6"]; // output/view/colors.c

// A colour of the page's own, "#rrggbb", as three parts from 0 to 1.
function rgbOf(color) {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255);
}

function hexOf(rgb) {
  return "#" + rgb.slice(0, 3).map((part) => Math.round(255 * Math.min(Math.max(part, 0), 1)).toString(16).padStart(2, "0")).join("");
}

// The colour in which a material is shown.
function materialColor(material, number) {
  const { color } = material;
  const isGrey = !color || color.slice(0, 3).every((part) => Math.abs(part - 0.5) < 1e-3);
  return isGrey ? rgbOf(MATERIAL_COLORS[number % MATERIAL_COLORS.length]) : color.slice(0, 3);
}

class Body {
  constructor(text) {
    this.listeners = [];
    this.done = []; // edits, the latest last
    this.undone = [];
    this.dropped = []; // what could be done again before the latest edit
    this.version = 0; // another one after each change
    this.take(readScene(text));
  }

  take({ scene, cells, base, sizes }) {
    Object.assign(this, { scene, cells, base, sizes });
    this.counts = [0, 1, 2].map(() => new Int32Array(KEY_ROOM)); // cells in each plane, along each axis
    for (const key of cells.keys()) {
      this.count(key, 1);
    }
  }

  count(key, change) {
    this.counts[0][key & 1023] += change;
    this.counts[1][(key >> 10) & 1023] += change;
    this.counts[2][key >> 20] += change;
  }

  on(name, listener) {
    this.listeners.push(listener);
    return () => this.listeners.splice(this.listeners.indexOf(listener), 1);
  }

  changed(what) {
    this.version++;
    this.listeners.slice().forEach((listener) => listener(what));
  }

  get materials() {
    return this.scene.materials ?? [];
  }

  get edge() {
    return this.scene.voxel_size_m ?? 0.01;
  }

  get name() {
    return this.scene.name ?? "";
  }

  get size() {
    return this.cells.size;
  }

  key(i, j, k) {
    return cellKey(this.base, i, j, k);
  }

  cell(i, j, k) {
    return this.cells.get(this.key(i, j, k));
  }

  // Lowest and highest cell of the body, or null.
  bounds() {
    if (!this.cells.size) {
      return null;
    }
    const low = this.counts.map((counts, axis) => counts.findIndex((count) => count > 0) - KEY_ROOM / 2 + this.base[axis]);
    const high = this.counts.map((counts, axis) => {
      let last = KEY_ROOM - 1;
      while (!counts[last]) {
        last--;
      }
      return last - KEY_ROOM / 2 + this.base[axis];
    });
    return { low, high };
  }

  // Changes cells, each as [i, j, k, cell or null], and keys of the scene. Edits with the same `merge` are undone together.
  // Returns the number of cells that changed; nothing is changed where the body would become too large.
  edit(changes, { scene = null, merge = null } = {}) {
    const records = [];
    const materials = (scene?.materials ?? this.materials).length;
    for (const [i, j, k, after] of changes) {
      const key = this.key(i, j, k);
      if (key < 0 || after?.material >= materials) {
        this.swap(records, 1);
        refuse(key < 0 ? `The cell (${i}, ${j}, ${k}) is too far from the body.` : `There is no material ${after.material} to draw with.`);
      }
      const before = this.cells.get(key) ?? null;
      if (before !== after) {
        records.push([key, before, after]);
        this.put(key, after);
      }
    }
    try {
      this.checkBounds();
    } catch (error) {
      this.swap(records, 1);
      throw error;
    }
    this.noteLayers(records);
    const keys = Object.keys(scene ?? {}).filter((name) => scene[name] !== this.scene[name]).map((name) => [name, this.scene[name], scene[name]]);
    if (!records.length && !keys.length) {
      return 0;
    }
    this.swapScene(keys, 2);
    this.remember({ records, keys, merge });
    this.changed({ cells: records.length > 0 || keys.length > 0, scene: keys.length > 0 });
    return records.length;
  }

  checkBounds() {
    const bounds = this.bounds();
    if (bounds) {
      bounds.low.forEach((least, axis) => checkExtent(bounds.high[axis] - least + 1, axis));
    }
  }

  noteLayers(records) {
    for (const [, , after] of records) {
      for (const name in after) {
        if (!OWN_NAMES.includes(name) && !this.sizes.has(name)) {
          this.sizes.set(name, Array.isArray(after[name]) ? after[name].length : 1);
        }
      }
    }
  }

  put(key, cell) {
    const had = this.cells.has(key);
    if (cell) {
      this.cells.set(key, cell);
    } else {
      this.cells.delete(key);
    }
    if (had !== Boolean(cell)) {
      this.count(key, cell ? 1 : -1);
    }
  }

  // Puts the cells of records as they were before (1) or after (2) them.
  swap(records, side) {
    const ordered = side === 1 ? records.slice().reverse() : records;
    ordered.forEach((record) => this.put(record[0], record[side]));
  }

  swapScene(keys, side) {
    if (keys.length) {
      this.scene = { ...this.scene };
      for (const key of side === 1 ? keys.slice().reverse() : keys) {
        if (key[side] === undefined) {
          delete this.scene[key[0]];
        } else {
          this.scene[key[0]] = key[side];
        }
      }
    }
  }

  remember(edit) {
    const last = this.done[this.done.length - 1];
    if (edit.merge !== null && last && last.merge === edit.merge) {
      edit.records.forEach((record) => last.records.push(record)); // there may be more than a call takes
      edit.keys.forEach((key) => last.keys.push(key));
      return;
    }
    this.dropped = this.undone; // comes back where the edit is given up
    this.undone = [];
    this.done.push(edit);
    let kept = this.done.reduce((sum, { records, other }) => sum + (other ? other.cells.size : records.length), 0);
    while (kept > MAX_UNDO_CELLS && this.done.length > 1) {
      const { records, other } = this.done.shift();
      kept -= other ? other.cells.size : records.length;
    }
  }

  // Another design in the place of this one: an edit like others.
  load(text) {
    const other = this.whole();
    this.take(readScene(text));
    this.remember({ records: [], keys: [], merge: null, other });
    this.changed({ cells: true, scene: true, design: true });
  }

  whole() {
    const { scene, cells, base, sizes } = this;
    return { scene, cells, base, sizes };
  }

  move(from, to, side) {
    const edit = from.pop();
    if (!edit) {
      return false;
    }
    if (edit.other) {
      const now = this.whole();
      this.take(edit.other);
      edit.other = now;
    } else {
      this.swap(edit.records, side);
      this.swapScene(edit.keys, side);
    }
    edit.merge = null;
    to.push(edit);
    this.changed({ cells: true, scene: edit.keys.length > 0 || Boolean(edit.other), design: Boolean(edit.other) });
    return true;
  }

  undo() {
    return this.move(this.done, this.undone, 1);
  }

  redo() {
    return this.move(this.undone, this.done, 2);
  }

  // What was before can not be undone any more.
  startHistory() {
    this.done = [];
    this.undone = [];
    this.changed({ cells: false, scene: false });
  }

  // Undoes what was done since the edit that was `merge`, as if it had not been: a stroke given up half way.
  forget(merge) {
    const last = this.done[this.done.length - 1];
    if (last && last.merge === merge) {
      this.undo();
      this.undone = this.dropped;
      this.changed({ cells: false, scene: false });
    }
  }

  text() {
    return writeScene(this.scene, this.cells, this.sizes);
  }

  value(cell, name) {
    return layerValue(cell, name, this.materials, this.sizes.get(name));
  }

  // The scene with one voxel of each material, and one material at least: enough to ask the library whether materials and surroundings are in order.
  sample(changes) {
    const scene = { ...this.scene, ...changes };
    scene.materials = scene.materials?.length ? scene.materials : [{}];
    scene.voxels = scene.materials.map((_, number) => [2 * number, 0, 0, number]);
    ["layers", "stiffening", "regions", "initial_velocities", "schedules", "controller", "affine_bodies", "observations"]
      .forEach((key) => delete scene[key]);
    return JSON.stringify(scene);
  }

  // Voxels, bonds and mass (kg), by the rules of the lattice: bonds join neighbours of the same part that are no spheres.
  facts() {
    const materials = this.materials.map(({ density_kg_per_m3: density = 1000, sphere = false }) => ({ density, sphere }));
    let bonds = 0;
    let mass = 0;
    for (const [key, cell] of this.cells) {
      const { density, sphere } = materials[cell.material];
      mass += density * this.edge ** 3 * (sphere ? Math.PI / 6 : 1);
      for (const step of sphere ? [] : [1, KEY_ROOM, KEY_ROOM * KEY_ROOM]) {
        const other = this.cells.get(key + step);
        bonds += other && !materials[other.material].sphere && (other.Part ?? 0) === (cell.Part ?? 0) ? 1 : 0;
      }
    }
    return { voxels: this.cells.size, bonds, mass };
  }

  // Takes a material out of the palette; cells of it must be gone before. Numbers above it go down by one.
  removeMaterial(number) {
    let used = 0;
    const changes = [];
    for (const cell of this.cells.values()) {
      used += cell.material === number ? 1 : 0;
      if (cell.material > number) {
        changes.push([cell.i, cell.j, cell.k, { ...cell, material: cell.material - 1 }]);
      }
    }
    if (used) {
      refuse(`${used} ${used === 1 ? "voxel is" : "voxels are"} of this material: give them another one first.`);
    }
    if (this.materials.length === 1) {
      refuse("A design needs one material at least.");
    }
    const scene = { materials: this.materials.filter((_, other) => other !== number) };
    if (this.scene.contacts) {
      const lower = (side) => (typeof side === "number" && side > number ? side - 1 : side);
      scene.contacts = this.scene.contacts.filter(({ between = [], of }) => of !== number && !between.includes(number)).map((rule) => ({
        ...rule, ...(rule.between ? { between: rule.between.map(lower) } : {}), ...("of" in rule ? { of: lower(rule.of) } : {}) }));
    }
    this.edit(changes, { scene });
  }
}
