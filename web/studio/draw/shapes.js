// SPDX-License-Identifier: MIT
// Shapes of cells: boxes, lines, brushes, fills, and how cells turn and mirror. Nothing here knows of pages or pictures.
"use strict";

const STEPS = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];

function plus(a, b) {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

// The axis along which a face points.
function axisOf(face) {
  return face.findIndex((part) => part !== 0);
}

// Lowest and highest corner of two cells.
function cornersOf(a, b) {
  return { low: a.map((at, axis) => Math.min(at, b[axis])), high: a.map((at, axis) => Math.max(at, b[axis])) };
}

function boxCells(a, b) {
  const { low, high } = cornersOf(a, b);
  const cells = [];
  for (let k = low[2]; k <= high[2]; k++) {
    for (let j = low[1]; j <= high[1]; j++) {
      for (let i = low[0]; i <= high[0]; i++) {
        cells.push([i, j, k]);
      }
    }
  }
  return cells;
}

// A line whose cells share faces, since only such voxels are bonded: each step goes along the axis that lags most.
function lineCells(a, b) {
  const length = a.map((at, axis) => Math.abs(b[axis] - at));
  const sign = a.map((at, axis) => Math.sign(b[axis] - at));
  const done = [0, 0, 0];
  const at = a.slice();
  const cells = [at.slice()];
  for (let left = length[0] + length[1] + length[2]; left > 0; left--) {
    const lag = [0, 1, 2].map((axis) => (length[axis] > done[axis] ? (done[axis] + 0.5) / length[axis] : Infinity));
    const axis = lag.indexOf(Math.min(...lag));
    at[axis] += sign[axis];
    done[axis]++;
    cells.push(at.slice());
  }
  return cells;
}

// A square of cells across an axis, around a cell.
function brushCells(cell, axis, size) {
  const low = cell.map((at, other) => (other === axis ? at : at - Math.floor((size - 1) / 2)));
  return boxCells(low, low.map((at, other) => (other === axis ? at : at + size - 1)));
}

// Cells of the material of the first that hang together by faces; only those that `allows`.
function fillCells(body, cell, allows) {
  const first = body.cell(...cell);
  const seen = new Set([body.key(...cell)]);
  const found = [first];
  for (let at = 0; at < found.length; at++) {
    for (const step of STEPS) {
      const next = plus([found[at].i, found[at].j, found[at].k], step);
      const key = body.key(...next);
      const other = body.cells.get(key);
      if (other && other.material === first.material && !seen.has(key) && allows(next)) {
        seen.add(key);
        found.push(other);
      }
    }
  }
  return found.map(({ i, j, k }) => [i, j, k]);
}

// With their mirror images. `mirror`: for x and y, the sum of the numbers of a cell and of its image, or null.
function mirrored(cells, mirror) {
  let all = cells;
  for (const axis of [0, 1]) {
    if (mirror[axis] !== null) {
      all = all.concat(all.map((cell) => cell.map((at, other) => (other === axis ? mirror[axis] - at : at))));
    }
  }
  if (all.length === cells.length) {
    return cells;
  }
  const seen = new Set();
  return all.filter(([i, j, k]) => {
    const id = (k * 4096 + j) * 4096 + i;
    return !seen.has(id) && seen.add(id);
  });
}

// A quarter turn about an axis, against the clock as seen from its end: (u, v) -> (-v, u).
function turnVector(vector, axis) {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const turned = vector.slice();
  turned[u] = -vector[v];
  turned[v] = vector[u];
  return turned;
}

// Vectors of a voxel's own axes are turned with it; magnetisation is an axial vector, which a mirror turns the other way round.
function turnLayers(cell, axis) {
  const turned = { ...cell };
  for (const name of ["BodyForce", "Magnetization"]) {
    if (cell[name]) {
      turned[name] = turnVector(cell[name], axis);
    }
  }
  return turned;
}

function flipLayers(cell, axis) {
  const flipped = { ...cell };
  if (cell.BodyForce) {
    flipped.BodyForce = cell.BodyForce.map((part, other) => (other === axis ? -part : part));
  }
  if (cell.Magnetization) {
    flipped.Magnetization = cell.Magnetization.map((part, other) => (other === axis ? part : -part));
  }
  return flipped;
}

function placed(cell, place) {
  return { ...cell, i: place[0], j: place[1], k: place[2] };
}

// Cells turned within their box, whose lowest corner stays.
function turnCells(cells, { low, high }, axis) {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  return cells.map((cell) => {
    const from = [cell.i, cell.j, cell.k];
    const to = from.slice();
    to[u] = low[u] + (high[v] - from[v]);
    to[v] = low[v] + (from[u] - low[u]);
    return placed(turnLayers(cell, axis), to);
  });
}

function flipCells(cells, { low, high }, axis) {
  return cells.map((cell) => {
    const place = [cell.i, cell.j, cell.k];
    place[axis] = low[axis] + high[axis] - place[axis];
    return placed(flipLayers(cell, axis), place);
  });
}
