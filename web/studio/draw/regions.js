// SPDX-License-Identifier: MIT
// Regions of a scene are places in metres: they go with the voxels that are moved, turned, mirrored or made larger. Each of these is a way: what
// becomes of a point (in cells), of a force, of a moment, and of the name of an axis.
"use strict";

function shiftWay(by) {
  const stays = (what) => what;
  return { point: (point) => plus(point, by), force: stays, moment: stays, axis: stays };
}

// As turnCells.
function turnWay({ low, high }, axis) {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const others = { ["xyz"[u]]: "xyz"[v], ["xyz"[v]]: "xyz"[u] };
  const turned = (vector) => turnVector(vector, axis);
  const point = (from) => {
    const to = from.slice();
    to[u] = low[u] + high[v] + 1 - from[v];
    to[v] = low[v] + from[u] - low[u];
    return to;
  };
  return { point, force: turned, moment: turned, axis: (name) => name.replace(/[xyz]$/, (letter) => others[letter] ?? letter) };
}

// As flipCells. A moment is an axial vector, which a mirror turns the other way round.
function flipWay({ low, high }, axis) {
  const change = (vector, isChanged) => vector.map((part, other) => (isChanged(other) ? -part : part));
  return {
    point: (point) => point.map((at, other) => (other === axis ? low[axis] + high[axis] + 1 - at : at)),
    force: (vector) => change(vector, (other) => other === axis), moment: (vector) => change(vector, (other) => other !== axis),
    axis: (name) => name,
  };
}

// A length without the last bits that products and quotients leave behind.
function tidy(length) {
  return Number(length.toPrecision(12));
}

// Whether a region is of some cells alone: those of a box, or all where there is none.
function isRegionOf(region, { cells, box }, edge) {
  if (!box) {
    return true;
  }
  if (Array.isArray(region.voxels) && region.voxels.length) {
    const ranks = new Set(cells.map(({ rank }) => rank));
    return region.voxels.every((rank) => ranks.has(rank));
  }
  const { low_m: low = [0, 0, 0], high_m: high = region.shape === "sphere" ? low : [0, 0, 0] } = region;
  return [low, high].every((corner) => corner.every((at, axis) => at / edge > box.low[axis] - 1e-6 && at / edge < box.high[axis] + 1 + 1e-6));
}

function movedRegion(region, way, edge) {
  const moved = { ...region };
  const corners = ["low_m", "high_m"].filter((key) => region[key]).map((key) => way.point(region[key].map((at) => at / edge)));
  if (corners.length === 2 && (region.shape ?? "box") === "box") {
    const { low, high } = cornersOf(...corners);
    corners.splice(0, 2, low, high);
  }
  ["low_m", "high_m"].filter((key) => region[key]).forEach((key, at) => (moved[key] = corners[at].map((part) => tidy(part * edge))));
  for (const [keys, turn] of [[["force_N", "displacement_m"], way.force], [["moment_Nm", "rotation_rad"], way.moment]]) {
    keys.filter((key) => region[key]).forEach((key) => (moved[key] = turn(region[key])));
  }
  if (region.fixed) {
    moved.fixed = region.fixed.map(way.axis);
  }
  return moved;
}

// What an edit that moves cells has to change in the scene: {regions}, or null where none is of them alone. `box`: what was chosen; null: all was.
function regionsAlong(body, cells, box, way) {
  const { regions = [] } = body.scene;
  const isAlong = regions.map((region) => isRegionOf(region, { cells, box }, body.edge));
  return isAlong.some((along) => along)
    ? { regions: regions.map((region, number) => (isAlong[number] ? movedRegion(region, way, body.edge) : region)) } : null;
}

// A part of a scene with all its lengths, whose keys end with _m, times a factor.
function scaledLengths(part, factor) {
  const scaled = (value) => (Array.isArray(value) ? value.map(scaled) : typeof value === "number" ? tidy(value * factor) : value);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, key.endsWith("_m") ? scaled(value) : value]));
}
