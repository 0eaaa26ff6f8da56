// SPDX-License-Identifier: MIT
// Records the motion while it plays, and saves it as a page that shows it anywhere: put together from parts of the studio's own page.
"use strict";

const RECORD_EVERY = 1 / 30; // s of simulated time
const MAX_RECORDED = 96 << 20; // bytes in memory; then every second frame is dropped
const REPLAY_PARTS = ["three.min.js", "OrbitControls.js", "page_common.js", "page_colors.js", "page_surface.js", "replay.js"];

const REPLAY_STYLE = `
:root { color-scheme: light dark; --ground: #f4f5f7; --panel: #ffffff; --ink: #1d2330; --faint: #667085; --line: #d5d9e0; --accent: #2563c9;
  --sky: #eef1f5; --grid: #b9c0cc; --edge: #20242c; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171c; --panel: #1c2027; --ink: #e6e9ef; --faint: #98a2b3; --line: #343b47;
  --accent: #6ea8fe; --sky: #1a1e25; --grid: #465061; --edge: #05070a; } }
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; background: var(--ground); color: var(--ink); font: 15px/1.4 system-ui, sans-serif; }
#stage { position: relative; flex: 1 1 0; min-height: 120px; }
#view { position: absolute; inset: 0; width: 100%; height: 100%; display: block; touch-action: none; }
#title { position: absolute; left: 12px; top: 8px; margin: 0; font-size: 16px; pointer-events: none; }
#legend { position: absolute; right: 12px; top: 10px; max-width: 45%; font-size: 13px; pointer-events: none; }
#legend .swatch { display: inline-block; width: 12px; height: 12px; border-radius: 3px; margin-right: 6px; }
#legend .bar { width: 180px; max-width: 100%; height: 12px; border-radius: 3px; }
#legend .ends { display: flex; justify-content: space-between; color: var(--faint); }
#message { position: absolute; inset: 0; display: none; place-items: center; padding: 2em; text-align: center; background: var(--ground); }
#panel { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; padding: 8px 12px; background: var(--panel);
  border-top: 1px solid var(--line); }
#panel label { display: inline-flex; gap: 6px; align-items: center; color: var(--faint); min-height: 44px; }
button, select { font: inherit; color: var(--ink); background: var(--ground); border: 1px solid var(--line); border-radius: 6px;
  padding: 5px 9px; min-height: 44px; min-width: 44px; }
#scrub { flex: 1 1 140px; accent-color: var(--accent); min-height: 44px; }
#time { font-variant-numeric: tabular-nums; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }`;

const REPLAY_BODY = `<main id="stage"><canvas id="view" tabindex="0" aria-label="the robot, in three dimensions"></canvas>
<h1 id="title"></h1><div id="legend"></div><div id="message" role="alert"></div></main>
<section id="panel"><button id="play" aria-label="play">▶</button>
<input id="scrub" type="range" min="0" max="1" step="any" value="0" aria-label="time"><output id="time"></output>
<label>speed <select id="speed"></select></label><label><input id="follow" type="checkbox" checked> follow</label>
<label><input id="edges" type="checkbox" checked> edges</label><label><input id="trace" type="checkbox" checked> trace</label>
<button id="home" aria-label="view from the start">view</button></section>`;

async function deflated(array) {
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  const small = await packed(bytes, "deflate");
  const pieces = [];
  for (let at = 0; at < small.length; at += 32768) {
    pieces.push(String.fromCharCode(...small.subarray(at, at + 32768)));
  }
  return btoa(pieces.join(""));
}

// The text of a script of this page.
function partOf(name) {
  const part = document.querySelector(`script[data-file="${name}"]`);
  if (!part) {
    throw new Error("This page lacks the part " + name + " that a replay needs.");
  }
  return part.textContent;
}

// Corners that are one vertex: those that are in the same place in the frames that are looked at.
function joinCorners(frames) {
  const corners = frames[0].corners.length / 3;
  const looked = [0, Math.floor(frames.length / 2), frames.length - 1].map((at) => new Uint32Array(frames[at].corners.buffer));
  const known = new Map();
  const corner = new Uint32Array(corners);
  const owner = []; // of each vertex, one of its corners
  for (let i = 0; i < corners; i++) {
    const key = looked.map((bits) => bits[3 * i] + "," + bits[3 * i + 1] + "," + bits[3 * i + 2]).join(";");
    if (!known.has(key)) {
      known.set(key, owner.length);
      owner.push(i);
    }
    corner[i] = known.get(key);
  }
  return { corner, owner };
}

class Recorder {
  constructor(play) {
    this.play = play;
    this.on = false;
    this.frames = [];
  }

  toggle() {
    if (this.on) {
      this.end();
    } else if (this.play.started) {
      this.frames = [];
      this.every = RECORD_EVERY;
      this.coloured = this.play.info.voxelOf.reduce((most, voxel) => Math.max(most, voxel), 0) + 1;
      this.on = true;
      this.told();
    }
  }

  // Ends the recording; what else its page needs is taken along, since another body may play when it is saved.
  end() {
    if (this.on) {
      const { info, live, scene } = this.play;
      this.of = { info, edge: live.edge, scene, legend: this.legend() };
    }
    this.on = false;
    this.told();
  }

  told() {
    if (this.play.controls) {
      this.play.controls.setRecording(this.on, this.frames.length);
    }
  }

  // Takes a frame if its time has come. Where time goes back, the recording starts again.
  add(frame) {
    const last = this.frames[this.frames.length - 1];
    if (!this.on || (last && frame.time < last.time + 0.999 * this.every && frame.time >= last.time)) {
      return;
    }
    if (last && frame.time < last.time) {
      this.frames = [];
    }
    const { live } = this.play;
    this.frames.push({
      time: frame.time, center: Array.from(frame.center), corners: live.surface.positions.array.slice(), colors: this.colorsOf(live) });
    if (this.frames.length * live.surface.positions.array.byteLength > MAX_RECORDED) {
      this.frames = this.frames.filter((_, number) => number % 2 === 0);
      this.every *= 2;
    }
  }

  // Red, green and blue of each voxel (or affine body) that has a face, as it is shown.
  colorsOf({ info, surface }) {
    const colors = new Uint8Array(3 * this.coloured);
    for (let quad = 0; quad < info.quads; quad++) {
      for (let c = 0; c < 3; c++) {
        colors[3 * info.voxelOf[quad] + c] = Math.round(255 * surface.colors.array[12 * quad + c]);
      }
    }
    return colors;
  }

  async save() {
    try {
      const page = await this.page();
      offer(page, fileName(this.of.scene.name || "robot") + ".replay.html", "text/html");
      this.play.say("Saved: the replay opens in any browser, without a network.");
    } catch (error) {
      this.play.say(error.message);
    }
  }

  // The page of the recording.
  async page() {
    if (this.on || this.frames.length < 2) {
      throw new Error("There is no recording: press record while it plays, and stop after a while.");
    }
    const scripts = REPLAY_PARTS.map(partOf);
    const facts = JSON.stringify(await this.pack()).replace(/</g, "\\u003c"); // a name must not end the element
    const title = facts.match(/"name":"((?:[^"\\]|\\.)*)"/)[1].replace(/\\u003c|[&>]/g, "");
    return `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n` +
      `<meta name="viewport" content="width=device-width, initial-scale=1">\n` +
      `<title>${title}</title>\n<style>${REPLAY_STYLE}</style>\n</head>\n<body>\n${REPLAY_BODY}\n` +
      `<script type="application/json" id="recording">${facts}<${"/"}script>\n` +
      scripts.map((text) => `<script>${text}<${"/"}script>\n`).join("") + "</body>\n</html>\n";
  }

  // See replay.js for the format.
  async pack() {
    const { frames } = this;
    const { info, scene, edge, legend } = this.of;
    const { corner, owner } = joinCorners(frames);
    const { places, scale, reach } = this.placesOf(frames, owner);
    const colors = new Uint8Array(3 * this.coloured * frames.length);
    frames.forEach((frame, number) => frame.colors.forEach((value, i) => {
      colors[3 * this.coloured * number + i] = value ^ (number > 0 ? frames[number - 1].colors[i] : 0);
    }));
    const floor = scene.floor ?? {};
    return {
      name: scene.name || "robot", edge, voxels: this.coloured, quads: info.quads, vertices: owner.length, scale, reach,
      times: frames.map((frame) => Number(frame.time.toPrecision(9))),
      centers: frames.map((frame) => frame.center.map((at) => Number(at.toPrecision(7)))),
      floor: { enabled: true, height_m: 0, slope: [0, 0], radius_m: 0, center_m: [0, 0], spacing_m: edge, origin_m: [0, 0], ...floor },
      legend, corner: await deflated(corner), voxelOf: await deflated(Uint32Array.from(info.voxelOf.subarray(0, info.quads))),
      places: await deflated(places), colors: await deflated(colors),
    };
  }

  // Places of vertices about the centre, in 16 bits, as differences between frames.
  placesOf(frames, owner) {
    let reach = 0;
    const about = (frame, vertex, c) => frame.corners[3 * owner[vertex] + c] - Number(frame.center[c].toPrecision(7));
    frames.forEach((frame) => owner.forEach((_, vertex) => {
      reach = Math.max(reach, Math.abs(about(frame, vertex, 0)), Math.abs(about(frame, vertex, 1)), Math.abs(about(frame, vertex, 2)));
    }));
    const scale = (reach || 1) / 32767;
    const size = 3 * owner.length;
    const places = new Uint8Array(2 * size * frames.length);
    let before = new Int16Array(size);
    frames.forEach((frame, number) => {
      const now = new Int16Array(size);
      for (let c = 0; c < 3; c++) {
        for (let vertex = 0; vertex < owner.length; vertex++) {
          const at = c * owner.length + vertex;
          now[at] = Math.round(about(frame, vertex, c) / scale);
          const difference = (now[at] - before[at]) & 0xffff;
          places[2 * size * number + at] = difference & 255;
          places[2 * size * number + size + at] = difference >> 8;
        }
      }
      before = now;
    });
    return { places, scale, reach: Math.sqrt(3) * reach };
  }

  legend() {
    const { live } = this.play;
    const css = (rgb) => "rgb(" + rgb.slice(0, 3).map((part) => Math.round(255 * part)).join(",") + ")";
    const scale = live.scale();
    return scale ? { label: scale.label, ends: scale.ends, colors: scale.stops.map(css) }
      : live.legend().map(({ name, color }) => ({ text: name, color: css(color) }));
  }
}
