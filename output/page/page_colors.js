// SPDX-License-Identifier: MIT
// Color modes of voxels: how each mode colors a voxel, and what the legend shows.
"use strict";

const VIRIDIS = [[0.267, 0.005, 0.329], [0.231, 0.322, 0.546], [0.128, 0.567, 0.551], [0.369, 0.789, 0.383], [0.993, 0.906, 0.144]];
const COOL_WARM = [[0.13, 0.36, 0.75], [0.55, 0.7, 0.93], [0.87, 0.87, 0.87], [0.94, 0.6, 0.48], [0.75, 0.1, 0.15]];
const NO_VALUE = [0.6, 0.6, 0.6]; // of what has no value in a mode

// A color between those of a scale.
function ramp(stops, part) {
  const at = Math.min(Math.max(part, 0), 1) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  return stops[low].map((value, c) => value + (at - low) * (stops[low + 1][c] - value));
}

// A color of the circle, for quantities that repeat.
function hue(cycle) {
  const wave = (shift) => 0.5 + 0.4 * Math.cos(2 * Math.PI * (cycle - shift));
  return [wave(0), wave(1 / 3), wave(2 / 3)];
}

// End of a color scale: the value that one frame in ten exceeds, since a single impact would make all other frames dark.
function usualMax(values) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor(0.9 * (sorted.length - 1))] || sorted[sorted.length - 1] || 1;
}

// The modes, in the order of the menu. To add one, add an entry.
// of(view, frame, voxel): red, green, blue. ofBody(body): the same of an affine body, if these have a color in the mode.
// With a scale: its stops, whether it has negative values too, and its label; maxima names the series (a number per frame) that sets its end,
// which is 1 without. Without a scale the legend lists materials and bodies.
const COLOR_MODES = {
  material: {
    of: ({ robot }, frame, voxel) => robot.materials[robot.material[voxel]].color,
    ofBody: (body) => body.color,
  },
  strain: {
    stops: COOL_WARM, negative: true, label: "axial strain", maxima: "strain",
    of: ({ robot, ranges }, frame, voxel) => ramp(COOL_WARM, 0.5 + (0.5 * robot.strain(frame, voxel)) / ranges.strain),
  },
  phase: {
    stops: [0, 1, 2, 3, 4, 5, 6].map((sixth) => hue(sixth / 6)), label: "phase offset (cycles)",
    of: ({ robot }, frame, voxel) => (robot.materials[robot.material[voxel]].acts ? hue(robot.phase[voxel]) : NO_VALUE),
  },
  contact: {
    stops: VIRIDIS, label: "contact (N)", maxima: "contactMax",
    of: ({ robot, ranges }, frame, voxel) => ramp(VIRIDIS, robot.value(frame, "contact", voxel) / ranges.contact),
  },
  energy: {
    stops: VIRIDIS, label: "elastic energy (J)", maxima: "energyMax",
    of: ({ robot, ranges }, frame, voxel) => ramp(VIRIDIS, robot.value(frame, "energy", voxel) / ranges.energy),
  },
};
