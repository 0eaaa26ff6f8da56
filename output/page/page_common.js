// SPDX-License-Identifier: MIT
// What replay pages and the studio both use: elements, numbers as text, colours of the style, the floor.
"use strict";

const LINES = ["#2563c9", "#d9480f", "#2b8a3e", "#862e9c", "#0b7285", "#a61e4d"];
const element = (id) => document.getElementById(id);
const short = (number) => (number === 0 ? "0" : Math.abs(number) >= 1e4 || Math.abs(number) < 1e-3 ? number.toExponential(2)
  : number.toPrecision(3));

function fillSelect(select, entries, chosen) {
  for (const [value, text] of entries) {
    const option = document.createElement("option");
    option.value = value;
    option.textContent = text;
    option.selected = value === chosen;
    select.append(option);
  }
}

function colorSetting(stylesheetName) {
  return getComputedStyle(document.documentElement).getPropertyValue(stylesheetName).trim();
}

// Height of the floor at a place, by the rule of the engine: a slope plus heights that are bilinear between grid points; NaN outside its radius.
function floorLevel(floor, x, y) {
  if (floor.radius_m > 0 && Math.hypot(x - floor.center_m[0], y - floor.center_m[1]) > floor.radius_m) {
    return NaN;
  }
  let level = floor.height_m + floor.slope[0] * x + floor.slope[1] * y;
  if (floor.heights_m) {
    const rows = floor.heights_m.length;
    const columns = floor.heights_m[0].length;
    const clamp = (value, max) => Math.min(Math.max(value, 0), max);
    const u = clamp((x - floor.origin_m[0]) / floor.spacing_m, columns - 1);
    const v = clamp((y - floor.origin_m[1]) / floor.spacing_m, rows - 1);
    const i = Math.min(Math.floor(u), columns - 2);
    const j = Math.min(Math.floor(v), rows - 2);
    const at = (row, column) => floor.heights_m[row][column];
    level += (1 - v + j) * ((1 - u + i) * at(j, i) + (u - i) * at(j, i + 1)) +
      (v - j) * ((1 - u + i) * at(j + 1, i) + (u - i) * at(j + 1, i + 1));
  }
  return level;
}

// Rounds up to 1, 2 or 5 times a power of ten.
function roundUp(number) {
  const power = 10 ** Math.floor(Math.log10(number));
  return [1, 2, 5, 10].map((digit) => digit * power).find((value) => value >= number * (1 - 1e-9));
}

// True where no graphics processor draws: smooth edges would then take most of the time.
function isDrawnByProcessor() {
  const context = document.createElement("canvas").getContext("webgl");
  const told = context && context.getExtension("WEBGL_debug_renderer_info");
  const name = told ? context.getParameter(told.UNMASKED_RENDERER_WEBGL) : "";
  return /swiftshader|llvmpipe|software/i.test(name);
}
