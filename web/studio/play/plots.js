// SPDX-License-Identifier: MIT
// Plots of the last seconds of play: way, height, energy and fitness, one beside the other on a canvas.
"use strict";

const PLOTTED_SECONDS = 20;
const MAX_PLOTTED = 2400; // points of each curve that are kept
const PLOT_HEIGHT = 76; // of a row, in pixels
const LEAST_PLOT = 120; // width of a plot that can be read

// To add one, add an entry: what it is called, its unit, and its value of a frame; the place is that of the first frame. null: not plotted.
const PLOTTED = [
  { name: "way", unit: "m", of: ({ center }, start) => Math.hypot(center[0] - start[0], center[1] - start[1]) },
  { name: "height", unit: "m", of: ({ center }) => center[2] },
  { name: "energy", unit: "J", of: ({ kinetic, elastic }) => kinetic + elastic },
  { name: "fitness", unit: "", of: ({ fitness }) => fitness },
];

const PREFIXED = ["m", "N", "Pa", "J"]; // units that thousands of are written by prefix
const STEPS_OF_PREFIX = { "-4": "p", "-3": "n", "-2": "µ", "-1": "m", 0: "", 1: "k", 2: "M", 3: "G" };

// A number with its unit, three digits: 15.2 kPa, 0.498 mJ.
function quantity(value, unit) {
  const size = Math.abs(value);
  const step = PREFIXED.includes(unit) && size > 0 ? Math.min(Math.max(Math.floor(Math.log10(size) / 3 + 1e-12), -4), 3) : 0;
  const part = value / 1000 ** step;
  const digits = size > 0 && (Math.abs(part) < 1e-3 || Math.abs(part) >= 1e4) ? part.toExponential(1) : String(Number(part.toPrecision(3)));
  return digits.replace("-", "−") + (unit ? " " + STEPS_OF_PREFIX[step] + unit : "");
}

// Half way to white, for lines on a dark ground.
function lighter(color) {
  return "rgb(" + [1, 3, 5].map((at) => Math.round(127 + parseInt(color.slice(at, at + 2), 16) / 2)).join() + ")";
}

class Plots {
  constructor(container) {
    this.isDark = matchMedia("(prefers-color-scheme: dark)");
    this.canvas = document.createElement("canvas");
    this.canvas.className = "play-plots";
    this.canvas.setAttribute("role", "img");
    this.canvas.title = `the last ${PLOTTED_SECONDS} s`;
    container.append(this.canvas);
    this.clear();
  }

  clear() {
    this.times = [];
    this.curves = PLOTTED.map(() => []);
    this.start = null;
    this.draw();
  }

  add(frame) {
    const last = this.times[this.times.length - 1];
    if (last !== undefined && frame.time <= last) {
      return; // paused
    }
    this.start = this.start || Array.from(frame.center);
    this.times.push(frame.time);
    PLOTTED.forEach(({ of }, number) => this.curves[number].push(of(frame, this.start)));
    let old = Math.max(0, this.times.length - MAX_PLOTTED);
    while (this.times[old] < frame.time - PLOTTED_SECONDS) {
      old++;
    }
    if (old > MAX_PLOTTED / 20 || this.times.length > MAX_PLOTTED) {
      this.times.splice(0, old);
      this.curves.forEach((curve) => curve.splice(0, old));
    }
  }

  // The curves that have values.
  shown() {
    return PLOTTED.map((plotted, number) => ({ ...plotted, values: this.curves[number], color: LINES[number] }))
      .filter(({ name, values }) => name !== "fitness" || values.some(Number.isFinite));
  }

  draw() {
    const width = this.canvas.clientWidth;
    const shown = this.shown();
    if (width < 1) {
      return; // not in sight
    }
    const fitting = Math.max(1, Math.min(shown.length, Math.floor(width / LEAST_PLOT)));
    const rows = Math.ceil(shown.length / fitting);
    const columns = Math.ceil(shown.length / rows);
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const size = [Math.round(width * ratio), Math.round(rows * PLOT_HEIGHT * ratio)];
    if (this.canvas.width !== size[0] || this.canvas.height !== size[1]) {
      [this.canvas.width, this.canvas.height] = size;
      this.canvas.style.height = rows * PLOT_HEIGHT + "px";
    }
    const pen = this.canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, rows * PLOT_HEIGHT);
    shown.forEach((curve, number) => {
      const box = { left: (number % columns) * (width / columns), top: Math.floor(number / columns) * PLOT_HEIGHT, width: width / columns - 8 };
      this.curve(pen, curve, box);
    });
  }

  curve(pen, { name, unit, values, color }, { left, top, width }) {
    const finite = values.filter(Number.isFinite);
    const min = finite.reduce((a, b) => Math.min(a, b), Infinity);
    const max = finite.reduce((a, b) => Math.max(a, b), -Infinity);
    const end = this.times.length ? Math.max(this.times[this.times.length - 1], PLOTTED_SECONDS) : PLOTTED_SECONDS;
    const x = (time) => left + ((time - end + PLOTTED_SECONDS) / PLOTTED_SECONDS) * width;
    const span = Math.max(max - min, 1e-9 * Math.abs(max), 1e-30);
    const y = (value) => top + PLOT_HEIGHT - 8 - ((PLOT_HEIGHT - 34) * (value - min)) / span;
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "alphabetic";
    pen.fillStyle = colorSetting("--faint");
    pen.textAlign = "left";
    pen.fillText(name, left + 1, top + 13);
    pen.textAlign = "right";
    const last = finite[finite.length - 1];
    pen.fillText(finite.length ? quantity(last, unit) : "", left + width, top + 13);
    pen.strokeStyle = colorSetting("--line");
    pen.lineWidth = 1;
    pen.strokeRect(left + 0.5, top + 18.5, width - 1, PLOT_HEIGHT - 24);
    pen.save();
    pen.beginPath();
    pen.rect(left, top + 18, width, PLOT_HEIGHT - 23);
    pen.clip();
    pen.strokeStyle = this.isDark.matches ? lighter(color) : color;
    pen.lineWidth = 1.5;
    pen.beginPath();
    values.forEach((value, k) => Number.isFinite(value) && pen.lineTo(x(this.times[k]), y(value)));
    pen.stroke();
    pen.restore();
  }

  // What the plots show, in words.
  describe() {
    const said = this.shown().map(({ name, unit, values }) => `${name} ${values.length ? quantity(values[values.length - 1], unit) : "none"}`);
    this.canvas.setAttribute("aria-label", `plots of the last ${PLOTTED_SECONDS} s: ${said.join(", ")}`);
  }
}
