// SPDX-License-Identifier: MIT
// Tools: each turns places of the pointer, or of the cursor of the keyboard, into edits of the body.
// A hit is where the pointer meets the body: {cell: the cell hit, or null on the floor; face: its normal; next: the cell before it}.
"use strict";

// The layers that are painted: least and most of the slider, its step, what a voxel has without.
const PAINTS = {
  PhaseOffset: { label: "phase", unit: "cycles", least: 0, most: 1, step: 0.01, normal: 0, start: 0.25, key: "p" },
  Amplitude: { label: "amplitude", unit: "times", least: 0, most: 2, step: 0.05, normal: 1, start: 0.5, key: "a" },
  Frequency: { label: "frequency", unit: "times", least: 0, most: 4, step: 0.05, normal: 1, start: 2, key: "q" },
  Group: { label: "group", unit: "", least: 0, most: 9, step: 1, normal: 0, start: 1, key: "u" },
};

// Of each tool: its kind, its key, what it is called, what it does in a sentence.
const TOOLS = {
  brush: { kind: "stroke", key: "b", label: "Brush", hint: "adds voxels on the faces that you touch" },
  repaint: { kind: "stroke", key: "r", label: "Repaint", hint: "gives voxels the material that is chosen" },
  erase: { kind: "stroke", key: "x", label: "Erase", hint: "takes voxels away" },
  box: { kind: "box", key: "v", label: "Box", hint: "drag from corner to corner, then give the height" },
  line: { kind: "line", key: "l", label: "Line", hint: "drag from the first cell to the last" },
  fill: { kind: "click", key: "f", label: "Fill", hint: "gives connected voxels of one material another" },
  pick: { kind: "click", key: "i", label: "Pick", hint: "takes the material, or the value, of a voxel" },
  select: { kind: "box", key: "s", label: "Select", hint: "drag a box: copy, cut, move, turn or mirror what is in it" },
  move: { kind: "move", key: "d", label: "Move", hint: "drags what is selected, or the whole body" },
  paste: { kind: "click", key: "", label: "Paste", hint: "click where the copy shall be" },
  paint: { kind: "stroke", key: "p", label: "Paint values", hint: "phase, amplitude, frequency or group of voxels" },
  gradient: { kind: "line", key: "g", label: "Gradient", hint: "drag: values rise along the way, for waves" },
  fix: { kind: "box", key: "k", label: "Hold", hint: "drag a box: voxels in it do not move" },
  push: { kind: "box", key: "n", label: "Push", hint: "drag a box: a force acts on the voxels in it" },
};

class Tools {
  constructor(body, view, say) {
    Object.assign(this, { body, view, say });
    this.name = "brush";
    this.material = 0;
    this.size = 1;
    this.layer = "PhaseOffset";
    this.values = Object.fromEntries(Object.entries(PAINTS).map(([name, paint]) => [name, paint.start]));
    this.from = 0; // of a gradient
    this.to = 1;
    this.through = false; // repaint and values: also what is behind
    this.force = [0, 0, 0.1]; // N, of push
    this.mirror = [null, null]; // see mirrored()
    this.plane = { axis: null, level: 0 }; // of layers
    this.selection = null; // {low, high}
    this.clipboard = null; // {cells, low, high}
    this.stroke = null; // what is being drawn
    this.strokes = 0; // so far: each has a number of its own
    this.hover = null;
    this.listeners = [];
  }

  on(name, listener) {
    this.listeners.push(listener);
  }

  changed() {
    this.listeners.forEach((listener) => listener());
  }

  get tool() {
    return TOOLS[this.name];
  }

  choose(name) {
    this.cancel();
    this.name = name;
    this.changed();
    this.showGhost();
  }

  set(options) {
    Object.assign(this, options);
    this.material = Math.min(this.material, Math.max(this.body.materials.length - 1, 0));
    this.changed();
    this.showGhost();
  }

  // Whether tools may act on a cell: with a plane of layers, only on what is below.
  allows(cell) {
    return this.plane.axis === null || cell[this.plane.axis] <= this.plane.level;
  }

  // Makes an edit; what is refused is told. Returns whether it was made. Voxels in a scene without materials (one of affine bodies) bring one along.
  edit(changes, options) {
    if (!this.body.materials.length && changes.some(([, , , cell]) => cell)) {
      options = { ...options, scene: { ...options?.scene, materials: [READY_MATERIALS[0]] } };
    }
    try {
      return this.body.edit(changes, options) > 0 || Boolean(options?.scene);
    } catch (error) {
      if (!(error instanceof SceneError)) {
        throw error;
      }
      this.say(error.message, true);
      return false;
    }
  }

  // What cells become under this tool: changes for Body.edit.
  changes(cells, name = this.name) {
    const { body } = this;
    const changes = [];
    const covers = name !== "brush" || this.plane.axis !== null; // other materials; a brush on faces does not
    const adds = name !== "repaint" && name !== "fill";
    for (const cell of mirrored(cells, this.mirror)) {
      const before = body.cell(...cell);
      if (!this.allows(cell)) {
        continue;
      }
      if (name === "erase") {
        changes.push([...cell, null]);
      } else if (name === "paint") {
        const value = this.values[this.layer];
        if (before && body.value(before, this.layer) !== value) {
          changes.push([...cell, { ...before, [this.layer]: value }]);
        }
      } else if (before ? before.material !== this.material && covers : adds) {
        changes.push([...cell, before ? { ...before, material: this.material } : { i: cell[0], j: cell[1], k: cell[2], material: this.material }]);
      }
    }
    return changes;
  }

  // Cells under the brush at a hit.
  brush(hit) {
    const axis = axisOf(hit.face);
    const place = this.placeOf(hit);
    if (!place) {
      return [];
    }
    const cells = brushCells(place, axis, this.size);
    return this.through && ["repaint", "paint"].includes(this.name) ? this.behind(cells, axis) : cells;
  }

  behind(cells, axis) {
    const bounds = this.body.bounds();
    return !bounds ? [] : [].concat(...cells.map((cell) => {
      const [low, high] = [cell.slice(), cell.slice()];
      [low[axis], high[axis]] = [bounds.low[axis], bounds.high[axis]];
      return boxCells(low, high);
    }));
  }

  // The cell that a tool is about at a hit: the one before the face where something is added, else the one hit.
  placeOf(hit) {
    const starts = ["box", "line", "move"].includes(this.tool.kind); // also beside the body
    return this.adds || hit.free ? hit.next : hit.cell ?? (starts ? hit.next : null);
  }

  get adds() {
    return ["brush", "box", "line", "paste"].includes(this.name);
  }

  // Where a stroke goes on: in the plane of its first face, so that it does not climb on what it draws.
  follow(x, y) {
    const { axis, level, face, height } = this.stroke;
    const point = this.view.onPlane(x, y, axis, height);
    if (!point) {
      return null;
    }
    const place = point.map(Math.floor);
    place[axis] = level;
    return { cell: place, next: place, face, free: true };
  }

  // A pointer goes down. Returns whether there is something to do here.
  down(hit, x, y, touch) {
    if (this.stroke?.base) {
      return touch || this.finishBox(x, y); // a finger gives the height by another drag
    }
    const place = hit && this.placeOf(hit);
    if (!place) {
      return false;
    }
    const axis = axisOf(hit.face);
    this.stroke = { merge: ++this.strokes, axis, level: place[axis], height: hit.point?.[axis] ?? place[axis], face: hit.face, first: place,
      last: place };
    this[this.tool.kind + "Down"](hit, place);
    this.showGhost();
    return true;
  }

  moveTo(x, y) {
    const { stroke } = this;
    if (!stroke) {
      this.hover = this.view.pick(x, y);
    } else if (stroke.base) {
      stroke.last = this.raised(x, y);
    } else {
      const hit = this.follow(x, y);
      if (hit) {
        this[this.tool.kind + "Move"](hit, hit.cell, x, y);
      }
    }
    this.showGhost();
  }

  up(x, y, touch) {
    if (this.stroke && !this.stroke.base) {
      this[this.tool.kind + "Up"](x, y, touch);
    } else if (this.stroke?.base && touch) {
      this.finishBox(x, y);
    }
    this.showGhost();
  }

  // Gives up what is being drawn.
  cancel() {
    if (this.stroke) {
      const { merge, selection } = this.stroke;
      this.body.forget(merge);
      this.stroke = null;
      if (selection) {
        this.mark(selection);
      }
    }
    this.showGhost();
  }

  strokeDown(hit) {
    this.edit(this.changes(this.brush(hit)), { merge: this.stroke.merge });
  }

  // Between two places of the pointer all cells count, however fast it is.
  strokeMove(hit, place) {
    const cells = new Map();
    for (const cell of lineCells(this.stroke.last, place)) {
      this.brush({ ...hit, cell, next: cell, free: true }).forEach((other) => cells.set(other.join(), other));
    }
    this.stroke.last = place;
    this.edit(this.changes([...cells.values()]), { merge: this.stroke.merge });
  }

  strokeUp() {
    this.stroke = null;
  }

  lineDown() {}

  // A line may end at another part of the body; else it stays in the plane of its first face.
  lineMove(hit, place, x, y) {
    const other = this.view.pick(x, y);
    this.stroke.last = other?.cell ? this.placeOf(other) : place;
  }

  lineUp() {
    const { first, last, merge } = this.stroke;
    this.stroke = null;
    if (this.name === "gradient") {
      this.edit(this.gradient(first, last), { merge });
    } else {
      this.edit(this.changes(lineCells(first, last)), { merge });
    }
  }

  // Values that rise along the way from one cell to another; all of the body, or what is selected.
  gradient(first, last) {
    const way = last.map((at, axis) => at - first[axis]);
    const length = way[0] ** 2 + way[1] ** 2 + way[2] ** 2;
    if (!length) {
      this.say("Drag further: values rise from where you press to where you let go.", true);
      return [];
    }
    const { least, most, step } = PAINTS[this.layer];
    return this.chosen().filter((cell) => this.allows([cell.i, cell.j, cell.k])).map((cell) => {
      const part = ((cell.i - first[0]) * way[0] + (cell.j - first[1]) * way[1] + (cell.k - first[2]) * way[2]) / length;
      const value = this.from + (this.to - this.from) * part;
      const bounded = this.layer === "PhaseOffset" ? value : Math.min(Math.max(value, Math.min(this.from, this.to), least),
        Math.max(this.from, this.to, most));
      return [cell.i, cell.j, cell.k, { ...cell, [this.layer]: step === 1 ? Math.round(bounded) : Math.round(bounded * 1e4) / 1e4 }];
    });
  }

  boxDown() {}

  boxMove(hit, place) {
    this.stroke.last = place;
  }

  boxUp(x, y, touch) {
    this.stroke.base = this.stroke.last; // corner opposite to the first; the height is still to come
    this.say(`${this.tool.label}: ${touch ? "drag once more for the height." : "move for the height, then click. Escape gives up."}`);
  }

  // The corner of a box at the height of the pointer, along the normal of its first face.
  raised(x, y) {
    const { base, axis, face } = this.stroke;
    const height = this.view.along(x, y, base.map((at) => at + 0.5), axis);
    const corner = base.slice();
    const rise = Math.round(height * face[axis]);
    const inwards = ["select", "fix", "push"].includes(this.name) || this.plane.axis !== null; // there is a body to reach into
    corner[axis] += face[axis] * Math.min(Math.max(rise, inwards ? -MAX_EXTENT : 0), MAX_EXTENT - 1);
    return corner;
  }

  finishBox(x, y) {
    const { first, merge } = this.stroke;
    const last = x === null ? this.stroke.last : this.raised(x, y);
    this.stroke = null;
    this.box(first, last, merge);
    this.showGhost();
    return true;
  }

  box(first, last, merge) {
    this.say("");
    const corners = cornersOf(first, last);
    if (this.name === "select") {
      this.select(corners);
    } else if (this.name === "fix" || this.name === "push") {
      this.addRegion(corners);
    } else {
      this.edit(this.changes(boxCells(first, last)), { merge });
    }
  }

  // A region of the scene by a box: its corners are within the outermost cells, so that cells that only touch it are not in it.
  addRegion({ low, high }) {
    const { edge, scene } = this.body;
    const region = { shape: "box", low_m: low.map((at) => (at + 0.25) * edge), high_m: high.map((at) => (at + 0.75) * edge) };
    if (!this.cellsIn({ low, high }).length) {
      this.say("There are no voxels in this box.", true);
    } else if (this.name === "fix") {
      this.edit([], { scene: { regions: [...(scene.regions ?? []), { ...region, fixed: ["x", "y", "z", "rx", "ry", "rz"] }] } });
    } else {
      this.edit([], { scene: { regions: [...(scene.regions ?? []), { ...region, force_N: this.force.slice() }] } });
    }
  }

  clickDown(hit, place) {
    this.stroke = null;
    if (this.name === "paste") {
      this.paste(place);
    } else if (!this.body.cell(...place)) {
      this.say("There is no voxel here.", true);
    } else if (this.name === "fill") {
      this.edit(this.changes(fillCells(this.body, place, (cell) => this.allows(cell))));
    } else {
      this.pick(place);
    }
  }

  // Takes the material of a voxel, or the value of the layer that is painted.
  pick(place, before = "brush") {
    const cell = this.body.cell(...place);
    if (cell) {
      this.values[this.layer] = this.body.value(cell, this.layer);
      this.set({ material: cell.material, name: this.name === "pick" ? before : this.name });
      this.say(`Picked: ${this.body.materials[cell.material].name ?? "material " + cell.material}.`);
    }
  }

  moveDown() {
    this.stroke.cells = this.chosen();
    this.stroke.selection = this.selection;
    this.stroke.shift = [0, 0, 0];
  }

  moveMove(hit, place) {
    this.shift(place.map((at, axis) => at - this.stroke.first[axis]));
  }

  moveUp() {
    this.stroke = null;
  }

  // Puts what is moved at a distance from where it was; what it covered before comes back.
  shift(by) {
    const { stroke } = this;
    if (by.join() !== stroke.shift.join()) {
      this.body.forget(stroke.merge);
      const isThere = by.every((part) => part === 0) ||
        this.replace(stroke.cells, stroke.cells.map((cell) => placed(cell, plus([cell.i, cell.j, cell.k], by))),
          { way: shiftWay(by), box: stroke.selection, merge: stroke.merge });
      stroke.shift = isThere ? by : [0, 0, 0];
      if (stroke.selection) {
        this.mark({ low: plus(stroke.selection.low, stroke.shift), high: plus(stroke.selection.high, stroke.shift) });
      }
    }
  }
}
