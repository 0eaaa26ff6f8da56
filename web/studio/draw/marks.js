// SPDX-License-Identifier: MIT
// What the picture is made of while drawing: the cubes of the body, and marks: ghost of the edit, cursor, selection, planes, regions.
"use strict";

const PALE = 0.75; // how far colours of values go to grey where the material is no muscle, so that they have no effect

// A white square with a darker rim: edges of cubes at the price of a texture.
function rimTexture() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#ffffff";
  pen.fillRect(0, 0, 64, 64);
  pen.strokeStyle = "rgba(0, 0, 0, 0.42)";
  pen.lineWidth = 4;
  pen.strokeRect(0, 0, 64, 64);
  return Object.assign(new THREE.CanvasTexture(canvas), { anisotropy: 4 });
}

// The colour of a voxel by a layer: phases around the circle of hues, others from a scale.
function layerColor(name, value) {
  if (name === "PhaseOffset") {
    return hue(value);
  }
  if (name === "Group") {
    return rgbOf(MATERIAL_COLORS[Math.abs(value) % MATERIAL_COLORS.length]);
  }
  return ramp(VIRIDIS, (value - PAINTS[name].least) / (PAINTS[name].most - PAINTS[name].least));
}

function pale(color) {
  return color.map((part) => part + PALE * (0.62 - part));
}

// Voxels that can be seen, each a cube of one mesh.
class Cubes {
  constructor(group) {
    this.group = group;
    this.isOld = true;
    this.room = 0;
    this.material = new THREE.MeshLambertMaterial({ vertexColors: THREE.VertexColors, map: rimTexture() });
  }

  // Makes room for cubes; what was there is written anew.
  reserve(count) {
    if (this.mesh && count <= this.room) {
      return;
    }
    if (this.mesh) {
      this.group.remove(this.mesh);
      this.mesh.geometry.dispose();
    }
    this.room = Math.max(1024, 2 * count);
    const geometry = new THREE.BoxBufferGeometry(1, 1, 1);
    this.colors = new THREE.InstancedBufferAttribute(new Float32Array(3 * this.room), 3);
    geometry.setAttribute("color", this.colors);
    this.mesh = new THREE.InstancedMesh(geometry, this.material, this.room);
    this.mesh.frustumCulled = false;
    const { array } = this.mesh.instanceMatrix;
    for (let i = 0; i < this.room; i++) {
      array[16 * i] = array[16 * i + 5] = array[16 * i + 10] = array[16 * i + 15] = 1;
    }
    this.group.add(this.mesh);
  }

  // Cells that have a face in the open, below the plane of layers.
  visible(body, { axis, level }) {
    const cells = [];
    const top = axis === null ? null : "ijk"[axis];
    const steps = [1, -1, KEY_ROOM, -KEY_ROOM, KEY_ROOM * KEY_ROOM, -KEY_ROOM * KEY_ROOM];
    for (const [key, cell] of body.cells) {
      if (top && cell[top] >= level) {
        if (cell[top] === level) {
          cells.push(cell);
        }
      } else if (steps.some((step) => !body.cells.has(key + step))) {
        cells.push(cell);
      }
    }
    return cells;
  }

  show(body, plane, layer) {
    this.isOld = false;
    const cells = this.visible(body, plane);
    this.reserve(cells.length);
    const places = this.mesh.instanceMatrix.array;
    const colors = this.colors.array;
    const palette = body.materials.map(materialColor);
    const acts = body.materials.map((material) => (material.thermal_expansion_per_K ?? 0) !== 0);
    cells.forEach((cell, number) => {
      places[16 * number + 12] = cell.i + 0.5;
      places[16 * number + 13] = cell.j + 0.5;
      places[16 * number + 14] = cell.k + 0.5;
      const value = layer && body.value(cell, layer);
      const color = layer ? (layer === "Group" || acts[cell.material] ? layerColor(layer, value) : pale(layerColor(layer, value)))
        : palette[cell.material];
      colors[3 * number] = color[0];
      colors[3 * number + 1] = color[1];
      colors[3 * number + 2] = color[2];
    });
    this.mesh.count = cells.length;
    this.mesh.visible = cells.length > 0;
    if (cells.length) {
      this.mesh.instanceMatrix.updateRange.count = 16 * cells.length;
      this.colors.updateRange.count = 3 * cells.length;
      this.mesh.instanceMatrix.needsUpdate = true;
      this.colors.needsUpdate = true;
    }
  }
}

class Marks {
  constructor(group) {
    this.group = group;
    this.rim = rimTexture();
    this.parts = {}; // groups by name
    this.shown = {}; // what was asked for last, to draw it again in other colours
  }

  // Takes what is shown under a name away; returns an empty group for it.
  clear(name) {
    const old = this.parts[name];
    if (old) {
      this.group.remove(old);
      old.traverse((part) => {
        if (part.geometry) {
          part.geometry.dispose();
          part.material.dispose();
        }
      });
    }
    this.parts[name] = new THREE.Group();
    this.group.add(this.parts[name]);
    return this.parts[name];
  }

  restyle() {
    for (const [name, words] of Object.entries(this.shown)) {
      this[name](...words);
    }
  }

  // Lines around a box of cells, and its faces if there is an opacity.
  boxOf({ low, high }, color, { margin = 0.02, opacity = 0, through = false } = {}) {
    const size = low.map((least, axis) => high[axis] + 1 - least + 2 * margin);
    const middle = low.map((least, axis) => (least + high[axis] + 1) / 2);
    const geometry = new THREE.BoxBufferGeometry(...size);
    const lines = new THREE.LineSegments(new THREE.EdgesGeometry(geometry),
      new THREE.LineBasicMaterial({ color, depthTest: !through, transparent: true }));
    lines.position.set(...middle);
    if (!opacity) {
      geometry.dispose();
      return [lines];
    }
    const faces = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ color, transparent: true, opacity, depthWrite: false }));
    faces.position.set(...middle);
    return [faces, lines];
  }

  // The ghost of an edit: boxes in a colour, or where there is none, in that of marks. Many single cells share one mesh.
  ghost(boxes, rgb) {
    this.shown.ghost = [boxes, rgb];
    const color = rgb ? new THREE.Color(...rgb) : styleColor("--accent");
    const group = this.clear("ghost");
    if (!boxes.length) {
      return;
    }
    if (boxes.length <= 8) {
      boxes.forEach((box) => group.add(...this.boxOf(box, color, { opacity: 0.4 })));
      return;
    }
    const mesh = new THREE.InstancedMesh(new THREE.BoxBufferGeometry(1.04, 1.04, 1.04),
      new THREE.MeshBasicMaterial({ color, map: this.rim, transparent: true, opacity: 0.55, depthWrite: false }), boxes.length);
    boxes.forEach(({ low }, number) => mesh.setMatrixAt(number, new THREE.Matrix4().makeTranslation(low[0] + 0.5, low[1] + 0.5, low[2] + 0.5)));
    mesh.frustumCulled = false;
    group.add(mesh);
  }

  cursor(cell) {
    this.shown.cursor = [cell];
    const group = this.clear("cursor");
    if (cell) {
      group.add(...this.boxOf({ low: cell, high: cell }, styleColor("--ink"), { margin: 0.06, through: true }));
    }
  }

  select(box) {
    this.shown.select = [box];
    const group = this.clear("select");
    if (box) {
      group.add(...this.boxOf(box, styleColor("--accent"), { margin: 0.08, opacity: 0.16, through: true }));
    }
  }

  // A rectangle across an axis.
  sheet(axis, place, { center, reach }, color, opacity) {
    const size = 2 * Math.ceil(reach / 2) + 6;
    const geometry = new THREE.PlaneBufferGeometry(size, size);
    const faces = new THREE.Mesh(geometry,
      new THREE.MeshBasicMaterial({ color, transparent: true, opacity, side: THREE.DoubleSide, depthWrite: false }));
    const lines = new THREE.LineSegments(new THREE.EdgesGeometry(geometry), new THREE.LineBasicMaterial({ color }));
    for (const part of [faces, lines]) {
      part.position.set(...center.map((at, other) => (other === axis ? place : at)));
      part.rotation.set(axis === 1 ? Math.PI / 2 : 0, axis === 0 ? Math.PI / 2 : 0, 0);
    }
    return [faces, lines];
  }

  mirror(sums, about) {
    this.shown.mirror = [sums, about];
    const group = this.clear("mirror");
    sums.forEach((sum, axis) => sum === null || group.add(...this.sheet(axis, (sum + 1) / 2, about, styleColor("--accent"), 0.07)));
  }

  plane({ axis, level }, about) {
    this.shown.plane = [{ axis, level }, about];
    const group = this.clear("plane");
    if (axis !== null) {
      group.add(...this.sheet(axis, level + 1.02, about, styleColor("--ink"), 0.05));
    }
  }

  // Boxes around what is held and pushed, with an arrow along each force.
  regions(body) {
    this.shown.regions = [body];
    const group = this.clear("regions");
    for (const region of body.scene.regions ?? []) {
      const box = regionCells(body, region);
      if (box) {
        const force = region.force_N ?? [0, 0, 0];
        const strength = Math.hypot(...force);
        const color = new THREE.Color(strength > 0 && !(region.fixed ?? []).length ? "#e8890c" : "#2f9e6e");
        group.add(...this.boxOf(box, color, { margin: 0.05, opacity: 0.25 }));
        if (strength > 0) {
          const middle = new THREE.Vector3(...box.low.map((least, axis) => (least + box.high[axis] + 1) / 2));
          group.add(new THREE.ArrowHelper(new THREE.Vector3(...force).normalize(), middle, 5, "#e8890c", 1.4, 0.8));
        }
      }
    }
  }
}

// The cells that a region reaches, as a box, or null: the box of the region itself, or that of its voxels.
function regionCells(body, { shape = "box", low_m: low = [0, 0, 0], high_m: high = [0, 0, 0], radius_m: radius = 0, voxels = [] }) {
  const { edge } = body;
  if (shape === "voxels") {
    const wanted = new Set(voxels);
    const places = [...body.cells.values()].filter((cell) => wanted.has(cell.rank)).map(({ i, j, k }) => [i, j, k]);
    return places.length ? places.reduce((box, place) => ({ low: cornersOf(box.low, place).low, high: cornersOf(box.high, place).high }),
      { low: places[0], high: places[0] }) : null;
  }
  const bounds = body.bounds();
  const wide = shape === "box" ? 0 : radius;
  const far = shape === "sphere" ? low : high;
  const box = {
    low: low.map((least, axis) => Math.floor((Math.min(least, far[axis]) - wide) / edge + 1e-6)),
    high: low.map((least, axis) => Math.ceil((Math.max(least, far[axis]) + wide) / edge - 1e-6) - 1),
  };
  if (!bounds) {
    return null;
  }
  const within = { low: box.low.map((at, axis) => Math.max(at, bounds.low[axis])),
    high: box.high.map((at, axis) => Math.min(at, bounds.high[axis])) };
  return within.low.every((at, axis) => at <= within.high[axis]) ? within : null;
}
