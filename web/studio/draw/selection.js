// SPDX-License-Identifier: MIT
// What tools do with what is selected, with the cursor of the keyboard, and what they show before they act.
"use strict";

Object.assign(Tools.prototype, {
  // Voxels in a box that tools may act on.
  cellsIn({ low, high }) {
    const inside = ({ i, j, k }) => i >= low[0] && i <= high[0] && j >= low[1] && j <= high[1] && k >= low[2] && k <= high[2];
    return [...this.body.cells.values()].filter((cell) => inside(cell) && this.allows([cell.i, cell.j, cell.k]));
  },

  // What is selected, or all.
  chosen() {
    return this.selection ? this.cellsIn(this.selection) : [...this.body.cells.values()];
  },

  chosenBox() {
    return this.selection ?? this.body.bounds();
  },

  mark(corners) {
    this.selection = corners;
    this.view.showSelection(corners);
  },

  select(corners) {
    this.mark(corners);
    const count = corners ? this.chosen().length : 0;
    this.say(corners ? `${count} ${count === 1 ? "voxel" : "voxels"} selected.` : "");
    this.changed();
  },

  selectAll() {
    this.select(this.body.bounds());
  },

  // Takes some cells away and puts others in, in one edit; regions of them alone go along. `box`: what is selected; null: all is.
  replace(old, cells, { way, box = this.selection, merge = null }) {
    const changes = old.map(({ i, j, k }) => [i, j, k, null]).concat(cells.map((cell) => [cell.i, cell.j, cell.k, cell]));
    return this.edit(changes, { merge, scene: regionsAlong(this.body, old, box, way) });
  },

  // What is turned or mirrored, with a magnetisation of its own where its material has one: that is along axes that change.
  magnetized(cells) {
    return cells.map((cell) => {
      const value = this.body.value(cell, "Magnetization");
      return cell.Magnetization || !value.some((part) => part) ? cell : { ...cell, Magnetization: value };
    });
  },

  copy() {
    const cells = this.chosen();
    if (!cells.length) {
      this.say("There is nothing to copy.", true);
      return false;
    }
    const places = cells.map(({ i, j, k }) => [i, j, k]);
    const low = [0, 1, 2].map((axis) => places.reduce((least, place) => Math.min(least, place[axis]), Infinity));
    const high = [0, 1, 2].map((axis) => places.reduce((most, place) => Math.max(most, place[axis]), -Infinity));
    this.clipboard = { cells, low, high };
    this.say(`${cells.length} ${cells.length === 1 ? "voxel" : "voxels"} copied. Paste puts ${cells.length === 1 ? "it" : "them"} where you click.`);
    this.changed();
    return true;
  },

  cut() {
    if (this.copy()) {
      this.remove();
    }
  },

  remove() {
    if (this.edit(this.chosen().map(({ i, j, k }) => [i, j, k, null]))) {
      this.select(null);
    }
  },

  // Cells of the clipboard with their middle at a place, standing on it.
  pasted(place) {
    const { cells, low, high } = this.clipboard;
    const by = low.map((least, axis) => place[axis] - (axis < 2 ? Math.floor((least + high[axis]) / 2) : least));
    return cells.map((cell) => {
      const copy = placed(cell, plus([cell.i, cell.j, cell.k], by));
      delete copy.rank; // only the original has the number of the file
      return copy;
    });
  },

  paste(place) {
    if (this.clipboard) {
      const allowed = this.pasted(place).filter((cell) => this.allows([cell.i, cell.j, cell.k]));
      const cells = allowed.filter(({ material }) => material < this.body.materials.length);
      const lost = allowed.length - cells.length;
      this.edit(cells.map((cell) => [cell.i, cell.j, cell.k, cell]));
      if (lost) {
        this.say(`${lost} ${lost === 1 ? "voxel is" : "voxels are"} left out: this design has no such material.`, true);
      }
    }
  },

  // A quarter turn of what is selected, or of all.
  turn(axis) {
    const box = this.chosenBox();
    if (box) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      const high = box.high.slice();
      high[u] = box.low[u] + box.high[v] - box.low[v];
      high[v] = box.low[v] + box.high[u] - box.low[u];
      const cells = this.chosen();
      if (this.replace(cells, turnCells(this.magnetized(cells), box, axis), { way: turnWay(box, axis) }) && this.selection) {
        this.select({ low: box.low, high });
      }
    }
  },

  flip(axis) {
    const box = this.chosenBox();
    if (box) {
      const cells = this.chosen();
      this.replace(cells, flipCells(this.magnetized(cells), box, axis), { way: flipWay(box, axis) });
    }
  },

  // Moves what is selected, or all, by cells.
  nudge(by) {
    const { selection } = this;
    const cells = this.chosen();
    if (this.replace(cells, cells.map((cell) => placed(cell, plus([cell.i, cell.j, cell.k], by))), { way: shiftWay(by) }) && selection) {
      this.select({ low: plus(selection.low, by), high: plus(selection.high, by) });
    }
  },

  // Mirror planes through the middle of the body, or of the first eight cells.
  setMirror(x, y) {
    const { low, high } = this.body.bounds() ?? { low: [0, 0, 0], high: [7, 7, 7] };
    this.set({ mirror: [x, y].map((on, axis) => (on ? this.mirror[axis] ?? low[axis] + high[axis] : null)) });
    this.view.showMirror(this.mirror);
  },

  nextMirror() {
    const [x, y] = this.mirror.map((sum) => sum !== null);
    this.setMirror(!x, x !== y); // none, x, y, both
  },

  setPlane(axis, level) {
    const { low, high } = this.body.bounds() ?? { low: [0, 0, 0], high: [7, 7, 7] };
    const most = axis === null ? 0 : Math.max(high[axis], low[axis]) + 1;
    const least = axis === null ? 0 : Math.min(low[axis], 0);
    this.set({ plane: { axis, level: axis === null ? 0 : Math.min(Math.max(level ?? high[axis], least), Math.max(most, least + 7)) } });
    this.view.showPlane(this.plane);
  },

  // The cursor's Enter: draws at the cell, or takes it as a corner.
  enter(cell) {
    const hit = { cell, next: cell, face: [0, 0, 1], free: true };
    const { kind } = this.tool;
    const { stroke } = this;
    if (kind === "box" || kind === "line") {
      if (stroke) {
        stroke.last = cell;
        this.stroke = null;
        if (kind === "box") {
          this.box(stroke.first, cell, stroke.merge);
        } else {
          this.stroke = stroke;
          this.lineUp();
        }
      } else {
        this.stroke = { merge: ++this.strokes, axis: 2, level: cell[2], face: hit.face, first: cell, last: cell, byKeys: true };
        this.say(`${this.tool.label}: now the other end, and Enter again. Escape gives up.`);
      }
    } else if (kind !== "move") {
      this.down(hit);
      this.up();
    }
    this.showGhost();
  },

  // The cursor's place, for what is shown before Enter.
  point(cell) {
    if (this.stroke?.byKeys) {
      this.stroke.last = cell;
    } else {
      this.hover = { cell, next: cell, face: [0, 0, 1], free: true };
    }
    this.showGhost();
  },

  // Boxes of cells that the tool would change.
  ghost() {
    const { stroke, hover, tool: { kind } } = this;
    if (stroke && kind === "box") {
      return this.mirroredBoxes(this.below(cornersOf(stroke.first, stroke.last)));
    }
    if (stroke && kind === "line") {
      const cells = lineCells(stroke.first, stroke.last);
      return this.boxes(this.name === "line" ? mirrored(cells, this.mirror) : cells);
    }
    const place = hover && !stroke && kind !== "move" ? this.placeOf(hover) : null;
    if (!place) {
      return [];
    }
    if (this.name === "paste") {
      return this.clipboard ? this.boxes(this.pasted(place).map(({ i, j, k }) => [i, j, k])) : [];
    }
    return this.boxes(mirrored(kind === "stroke" ? this.brush(hover) : [place], kind === "stroke" || this.adds ? this.mirror : [null, null]));
  },

  boxes(cells) {
    const acts = (cell) => this.allows(cell) && (this.adds || this.tool.kind !== "stroke" || this.body.cell(...cell));
    return cells.filter(acts).map((cell) => ({ low: cell, high: cell }));
  },

  below({ low, high }) {
    const { axis, level } = this.plane;
    return { low, high: high.map((at, other) => (other === axis ? Math.min(at, level) : at)) };
  },

  mirroredBoxes({ low, high }) {
    const corners = this.adds ? mirrored([low], this.mirror).map((_, number) => number) : [0];
    const [x, y] = this.mirror;
    const image = (number) => {
      const [a, b] = [low.slice(), high.slice()];
      const axes = x !== null && y !== null ? [number & 1, number >> 1] : [x !== null && number, y !== null && number];
      [0, 1].filter((axis) => axes[axis]).forEach((axis) => {
        [a[axis], b[axis]] = [this.mirror[axis] - high[axis], this.mirror[axis] - low[axis]];
      });
      return { low: a, high: b };
    };
    return corners.map(image);
  },

  showGhost() {
    const material = this.body.materials[this.material];
    const color = this.adds && material ? materialColor(material, this.material) : this.name === "erase" ? [0.85, 0.2, 0.2] : null;
    this.view.showGhost(this.ghost(), color);
  },
});
