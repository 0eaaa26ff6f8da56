// SPDX-License-Identifier: MIT
// Recordings: the corners of a body's surface in each frame, and a page that shows them without the engine. The studio writes them (record.js).
//
// A recording is one JSON object: name, edge (m), times (s), centers (m), quads, vertices, scale (m), legend, and in base 64 of deflated bytes
//   corner   Uint32: the vertex of each corner of each quad
//   voxelOf  Uint32: the voxel of each quad
//   places   of each frame Int16 for each vertex: its distance from the centre, in parts of `scale`; x of all vertices, then y, then z;
//            as differences from the frame before; low bytes first, then high bytes
//   colors   of each frame 3 bytes for each voxel, exclusive-or with the frame before
"use strict";

const REPLAY_SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

async function inflated(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// A recording as its page holds it, made ready to be shown.
class Recording {
  static async read(facts) {
    const recording = Object.assign(new Recording(), facts);
    const words = async (text) => new Uint32Array((await inflated(text)).buffer);
    recording.corner = await words(facts.corner);
    recording.voxelOf = await words(facts.voxelOf);
    recording.places = recording.sum(await inflated(facts.places));
    const colors = await inflated(facts.colors);
    for (let i = 3 * facts.voxels; i < colors.length; i++) {
      colors[i] ^= colors[i - 3 * facts.voxels];
    }
    recording.colors = colors;
    return recording;
  }

  // Adds up the differences between frames.
  sum(bytes) {
    const size = 3 * this.vertices;
    const all = new Int16Array(size * this.times.length);
    for (let frame = 0; frame < this.times.length; frame++) {
      for (let i = 0; i < size; i++) {
        const at = 2 * size * frame + i;
        const difference = bytes[at] | (bytes[at + size] << 8);
        all[size * frame + i] = difference + (frame > 0 ? all[size * (frame - 1) + i] : 0);
      }
    }
    return all;
  }

  // Puts the corners between a frame and the next one into an array, in m.
  place(frame, part, into) {
    const { vertices, places, corner, centers, scale } = this;
    const size = 3 * vertices;
    const next = Math.min(frame + 1, this.times.length - 1);
    for (let i = 0; i < corner.length; i++) {
      for (let c = 0; c < 3; c++) {
        const at = c * vertices + corner[i];
        const here = centers[frame][c] + places[size * frame + at] * scale;
        const there = centers[next][c] + places[size * next + at] * scale;
        into[3 * i + c] = here + part * (there - here);
      }
    }
  }

  color(frame, voxel) {
    const at = 3 * (this.voxels * frame + voxel);
    return [this.colors[at] / 255, this.colors[at + 1] / 255, this.colors[at + 2] / 255];
  }

  // The last frame that is not after a time, and which part of the way to the next one has passed.
  momentOf(time) {
    const { times } = this;
    let frame = 0;
    while (frame < times.length - 2 && times[frame + 1] <= time) {
      frame++;
    }
    const span = times.length > 1 ? times[frame + 1] - times[frame] : 0;
    return [frame, span > 0 ? Math.min(Math.max((time - times[frame]) / span, 0), 1) : 0];
  }
}

// The page of a recording: canvas, controls, time.
class ReplayPage {
  constructor(recording) {
    this.recording = recording;
    this.begin = recording.times[0];
    this.end = recording.times[recording.times.length - 1];
    this.time = this.begin;
    this.canvas = element("view");
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: !isDrawnByProcessor(), preserveDrawingBuffer: true });
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 1e-4, 1e3);
    this.camera.up.set(0, 0, 1);
    this.controls = new THREE.OrbitControls(this.camera, this.canvas);
    this.controls.enableKeys = false;
    this.sun = new THREE.DirectionalLight(0xffffff, 0.4);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xb4b8c0, 0.85), this.sun);
    this.surface = new QuadSurface(recording.quads, null);
    this.trace = this.makeTrace();
    this.grid = this.makeGrid();
    this.scene.add(this.surface.mesh, this.surface.edges, this.trace, this.grid);
    this.paint();
    this.home();
    this.connect();
    requestAnimationFrame((now) => this.tick(now));
  }

  makeTrace() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(Float32Array.from([].concat(...this.recording.centers)), 3));
    const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: LINES[0], depthTest: false }));
    line.frustumCulled = false;
    return line;
  }

  // The floor below the whole way, one line for each edge of a voxel or for a rounder distance.
  makeGrid() {
    const { centers, floor, edge } = this.recording;
    const points = [];
    if (floor.enabled) {
      const ends = [0, 1].map((c) => [Math.min, Math.max].map((bound) => centers.reduce((end, at) => bound(end, at[c]), centers[0][c])));
      const spacing = roundUp(Math.max(edge, (ends[0][1] - ends[0][0]) / 60, (ends[1][1] - ends[1][0]) / 60));
      const range = ends.map(([low, high]) => [Math.floor(low / spacing) - 24, Math.ceil(high / spacing) + 24]);
      const put = (i, j, k, l) => {
        const line = [[i, j], [k, l]].map(([a, b]) => [a * spacing, b * spacing, floorLevel(floor, a * spacing, b * spacing)]);
        points.push(...(line.every((place) => Number.isFinite(place[2])) ? [].concat(...line) : []));
      };
      for (let i = range[0][0]; i <= range[0][1]; i++) {
        for (let j = range[1][0]; j <= range[1][1]; j++) {
          put(i, j, i + 1, j);
          put(i, j, i, j + 1);
        }
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(Float32Array.from(points), 3));
    return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial());
  }

  paint() {
    this.renderer.setClearColor(colorSetting("--sky"));
    this.surface.edges.material.color.set(colorSetting("--edge"));
    this.grid.material.color.set(colorSetting("--grid"));
    this.dirty = true;
  }

  // How far away the whole body is in the picture.
  away() {
    const narrow = Math.min(1, this.canvas.clientWidth / Math.max(this.canvas.clientHeight, 1));
    return this.recording.reach / Math.tan((this.camera.fov * Math.PI) / 360) / narrow;
  }

  home() {
    const { centers } = this.recording;
    const [frame] = this.recording.momentOf(this.time);
    const away = this.away();
    this.controls.target.fromArray(centers[frame]);
    this.camera.position.copy(this.controls.target).add(new THREE.Vector3(1.5, -2.2, 1.35).normalize().multiplyScalar(away));
    this.centre = new THREE.Vector3().fromArray(centers[frame]);
    Object.assign(this.camera, { near: away / 200, far: 200 * away });
    this.camera.updateProjectionMatrix();
    this.fitted = away;
    this.dirty = true;
  }

  connect() {
    const again = () => { this.dirty = true; };
    fillSelect(element("speed"), REPLAY_SPEEDS.map((speed) => [String(speed), speed + "×"]), "1");
    element("play").onclick = () => this.play(!this.playing);
    element("scrub").oninput = () => this.seek(this.begin + Number(element("scrub").value) * (this.end - this.begin));
    element("home").onclick = () => this.home();
    ["follow", "edges", "trace"].forEach((id) => { element(id).onchange = again; });
    this.controls.addEventListener("change", again);
    window.addEventListener("resize", again);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
    document.addEventListener("keydown", (event) => {
      const step = (this.end - this.begin) / Math.max(1, this.recording.times.length - 1);
      const actions = {
        " ": () => this.play(!this.playing), ArrowLeft: () => this.seek(this.time - step), ArrowRight: () => this.seek(this.time + step),
        Home: () => this.seek(this.begin), End: () => this.seek(this.end) };
      const types = event.target.tagName === "SELECT" || (event.key === " " && event.target.tagName === "BUTTON") || event.target.type === "checkbox";
      if (actions[event.key] && !types) {
        event.preventDefault();
        actions[event.key]();
      }
    });
  }

  play(on) {
    if (on && this.time >= this.end) {
      this.seek(this.begin);
    }
    this.playing = on;
    element("play").textContent = on ? "❚❚" : "▶";
    element("play").setAttribute("aria-label", on ? "pause" : "play");
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.begin), this.end);
    this.dirty = true;
  }

  tick(now) {
    requestAnimationFrame((later) => this.tick(later));
    if (this.playing) {
      this.seek(this.time + Math.min((now - (this.before || now)) / 1000, 0.25) * Number(element("speed").value));
      if (this.time >= this.end) {
        this.play(false);
      }
    }
    this.before = now;
    if (this.dirty) {
      this.dirty = false;
      this.show();
    }
  }

  show() {
    const { recording, surface } = this;
    const [frame, part] = recording.momentOf(this.time);
    recording.place(frame, part, surface.positions.array);
    surface.update();
    surface.paint(recording.voxelOf, (voxel) => recording.color(frame, voxel));
    surface.edges.visible = element("edges").checked;
    this.trace.visible = element("trace").checked;
    this.trace.geometry.setDrawRange(0, frame + 1);
    const next = recording.centers[Math.min(frame + 1, recording.times.length - 1)];
    const centre = new THREE.Vector3().fromArray(recording.centers[frame]).lerp(new THREE.Vector3().fromArray(next), part);
    const first = recording.centers[0][2];
    centre.z = first + followedRise(centre.z - first, recording.reach);
    if (element("follow").checked) {
      const way = centre.clone().sub(this.centre);
      this.camera.position.add(way);
      this.controls.target.add(way);
    }
    this.centre = centre;
    element("time").textContent = this.time.toFixed(2) + " / " + this.end.toFixed(2) + " s";
    element("scrub").value = String(this.end > this.begin ? (this.time - this.begin) / (this.end - this.begin) : 0);
    this.draw();
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (this.width !== width || this.height !== height) {
      Object.assign(this, { width, height });
      this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
      this.renderer.setSize(width, height, false);
      this.camera.aspect = width / Math.max(height, 1);
      this.camera.updateProjectionMatrix();
      const away = this.away();
      this.camera.position.sub(this.controls.target).multiplyScalar(away / this.fitted).add(this.controls.target);
      this.fitted = away;
    }
    this.controls.update();
    this.sun.position.copy(this.camera.position).sub(this.controls.target).add(new THREE.Vector3(0, 0, 0.6 * this.recording.reach));
    this.renderer.render(this.scene, this.camera);
  }
}

// The legend of the colours that were recorded: [{text, color}] or {label, ends, colors}.
function showRecordedLegend(legend) {
  const list = element("legend");
  if (Array.isArray(legend)) {
    legend.forEach(({ text, color }) => {
      const row = document.createElement("div");
      const mark = document.createElement("span");
      mark.className = "swatch";
      mark.style.background = color;
      row.append(mark, text);
      list.append(row);
    });
    return;
  }
  const bar = document.createElement("div");
  bar.className = "bar";
  bar.style.background = "linear-gradient(90deg," + legend.colors.join(",") + ")";
  const ends = document.createElement("div");
  ends.className = "ends";
  ends.append(...legend.ends.map((text) => Object.assign(document.createElement("span"), { textContent: text })));
  list.append(legend.label, bar, ends);
}

// In the page of a recording; the studio's page has none.
async function showRecording() {
  try {
    const facts = JSON.parse(element("recording").textContent);
    element("title").textContent = facts.name;
    showRecordedLegend(facts.legend);
    window.replay = new ReplayPage(await Recording.read(facts));
    window.replay.play(true);
  } catch (error) {
    element("message").textContent = "This replay needs a browser with WebGL and DecompressionStream (of 2023 or later). " + error.message;
    element("message").style.display = "grid";
  }
}

if (document.getElementById("recording")) {
  showRecording();
}
