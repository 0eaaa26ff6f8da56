// SPDX-License-Identifier: MIT
// The body while it plays: its surface, coloured by what the engine tells of each voxel, and the way of its centre.
"use strict";

const FAILED = [0.93, 0.05, 0.35]; // of voxels whose bond has broken its bounds
const BODY_COLORS = [ // of affine bodies
  [0.40, 0.76, 0.65], [0.99, 0.55, 0.38], [0.55, 0.63, 0.80], [0.91, 0.54, 0.76], [0.65, 0.85, 0.33], [0.90, 0.77, 0.58]];
const MAX_TRACE = 4096; // points; then every second one is dropped
const SCALE_RISE = 0.3; // parts of the way to a larger end of the scale in a frame,
const SCALE_FALL = 0.01; // and to a smaller one: a scale that jumps can not be read

// The modes of replay pages, and what only a live engine tells. The menu has this order.
const LIVE_MODES = {
  material: COLOR_MODES.material,
  strain: COLOR_MODES.strain,
  stress: {
    stops: COOL_WARM, negative: true, label: "axial stress (Pa)",
    of: ({ robot, ranges }, frame, voxel) => ramp(COOL_WARM, 0.5 + (0.5 * robot.value(frame, "stress", voxel)) / ranges.stress),
  },
  contact: COLOR_MODES.contact,
  energy: COLOR_MODES.energy,
  phase: COLOR_MODES.phase,
};

// Rounds the end of a scale up to two digits.
function roundScale(value) {
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Number((Math.ceil(value / unit - 1e-9) * unit).toPrecision(2));
}

// The way of a centre: a line that grows. Where it is full, it gets coarser.
class Trace {
  constructor() {
    this.places = new THREE.BufferAttribute(new Float32Array(3 * MAX_TRACE), 3);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", this.places);
    this.line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: LINES[0], depthTest: false }));
    this.line.frustumCulled = false;
    this.clear();
  }

  clear() {
    this.count = 0;
    this.line.geometry.setDrawRange(0, 0);
  }

  // The last point follows the centre; it stays where that has gone on by `spacing`.
  add(place, spacing) {
    const { array } = this.places;
    if (this.count === MAX_TRACE) {
      for (let i = 0; i < MAX_TRACE / 2; i++) {
        array.copyWithin(3 * i, 6 * i, 6 * i + 3);
      }
      this.count = MAX_TRACE / 2;
    }
    const last = 3 * (this.count - 2);
    const isNear = this.count > 1 && Math.hypot(place[0] - array[last], place[1] - array[last + 1], place[2] - array[last + 2]) < spacing;
    this.count += isNear ? 0 : 1;
    array.set(place, 3 * (this.count - 1));
    this.places.needsUpdate = true;
    this.line.geometry.setDrawRange(0, this.count);
  }
}

class LiveBody {
  // info: what engine.open tells; scene: the scene that was opened.
  constructor(info, scene) {
    this.info = info;
    this.scene = scene;
    this.edge = scene.voxel_size_m ?? 0.01;
    this.surface = new QuadSurface(info.quads, null);
    this.trace = new Trace();
    this.failed = new Set();
    this.ranges = {};
    this.values = new Float32Array(info.voxels);
    this.robot = this.lookUp(scene);
    this.mode = "material";
    this.place(info.corners);
    this.paint();
  }

  // What colour modes ask of a robot: the values are those of the mode that the engine was told.
  lookUp({ materials = [], voxels = [], affine_bodies: bodies }) {
    const value = (frame, name, voxel) => this.values[voxel];
    return {
      materials: materials.map((material, number) => ({
        name: material.name, color: materialColor(material, number), acts: (material.thermal_expansion_per_K ?? 0) !== 0 })),
      material: Int32Array.from(voxels, (voxel) => voxel[3]),
      phase: this.values,
      strain: (frame, voxel) => this.values[voxel],
      value,
      bodies: (bodies || []).map((body, number) => ({ name: body.name || "body", color: BODY_COLORS[number % BODY_COLORS.length] })),
    };
  }

  objects() {
    return [this.surface.mesh, this.surface.edges, this.trace.line];
  }

  place(corners) {
    this.surface.positions.array.set(corners.subarray(0, this.surface.positions.array.length));
    this.surface.update();
  }

  // Shows a frame. isOfMode: its values are of the present mode.
  show(frame, isOfMode) {
    this.place(frame.corners);
    this.trace.add(frame.center, this.edge / 4);
    if (frame.values && isOfMode && LIVE_MODES[this.mode].stops) {
      this.values.set(frame.values.subarray(0, this.values.length));
      this.follow();
      this.paint();
    }
  }

  // The end of the scale goes with the values of most voxels.
  follow() {
    if (this.mode === "phase") {
      return;
    }
    const sorted = Float32Array.from(this.values, Math.abs).sort();
    const usual = sorted[Math.floor(0.98 * (sorted.length - 1))] || sorted[sorted.length - 1];
    const { smooth = usual } = this;
    this.smooth = smooth + (usual > smooth ? SCALE_RISE : SCALE_FALL) * (usual - smooth);
    this.ranges[this.mode] = this.smooth > 0 ? roundScale(this.smooth) : 1;
  }

  look(mode) {
    this.mode = mode;
    this.smooth = undefined;
    this.ranges[mode] = 1;
    this.values.fill(0);
    this.paint();
  }

  fail(voxels) {
    this.failed = new Set(voxels);
    this.paint();
  }

  paint() {
    const mode = LIVE_MODES[this.mode];
    const { voxels, voxelOf } = this.info;
    const ofBody = (body) => (mode.ofBody ? mode.ofBody(this.robot.bodies[body]) : NO_VALUE);
    const ofVoxel = (voxel) => (this.failed.has(voxel) ? FAILED : mode.of(this, null, voxel));
    this.surface.paint(voxelOf, (voxel) => (voxel < voxels ? ofVoxel(voxel) : ofBody(voxel - voxels)));
  }

  // The ends of the scale, or null where colours stand for materials.
  scale() {
    const { stops, negative, label } = LIVE_MODES[this.mode];
    const max = this.ranges[this.mode] || 1;
    const isKnown = this.smooth !== undefined || this.mode === "phase";
    const [name, unit = ""] = (label || "").split(/ \(|\)/); // "contact (N)"
    return stops ? { stops, label: name, ends: isKnown ? [negative ? -max : 0, max].map((end) => quantity(end, unit)) : ["", ""] } : null;
  }

  // Materials that are in use, and bodies: name and colour.
  legend() {
    if (!this.listed) {
      const used = new Set(this.robot.material);
      this.listed = this.robot.materials.map((material, number) => ({ ...material, name: material.name || "material " + (number + 1) }))
        .filter((_, number) => used.has(number)).concat(this.robot.bodies);
    }
    return this.listed;
  }

  // Middle and normal of a quad at present.
  quad(number) {
    const p = this.surface.positions.array;
    const n = this.surface.normals.array;
    const middle = new THREE.Vector3();
    for (let k = 0; k < 4; k++) {
      const at = 12 * number + 3 * k;
      middle.add(new THREE.Vector3(p[at], p[at + 1], p[at + 2]).multiplyScalar(0.25));
    }
    return { middle, normal: new THREE.Vector3().fromArray(n, 12 * number) };
  }

  // The first quad that a ray meets (in the body's coordinates): {quad, voxel, point}, or null.
  hit(ray) {
    const p = this.surface.positions.array;
    const corner = (at) => new THREE.Vector3(p[at], p[at + 1], p[at + 2]);
    const point = new THREE.Vector3();
    let best = null;
    for (let quad = 0; quad < this.info.quads; quad++) {
      const [a, b, c, d] = [0, 3, 6, 9].map((k) => corner(12 * quad + k));
      const isMet = ray.intersectTriangle(a, b, c, true, point) || ray.intersectTriangle(a, c, d, true, point);
      const distance = isMet ? point.distanceTo(ray.origin) : Infinity;
      if (isMet && (!best || distance < best.distance)) {
        best = { quad, voxel: this.info.voxelOf[quad], point: point.clone(), distance };
      }
    }
    return best;
  }

  // The quad whose middle is nearest to a ray.
  nearest(ray) {
    let best = null;
    for (let quad = 0; quad < this.info.quads; quad++) {
      const { middle } = this.quad(quad);
      const distance = ray.distanceToPoint(middle);
      if (!best || distance < best.distance) {
        best = { quad, voxel: this.info.voxelOf[quad], point: middle, distance };
      }
    }
    return best;
  }

  // The box of the body at present: [low, high].
  box() {
    const p = this.surface.positions.array;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < p.length; i++) {
      low[i % 3] = Math.min(low[i % 3], p[i]);
      high[i % 3] = Math.max(high[i % 3], p[i]);
    }
    return [low, high];
  }

  // Half the length of the box.
  reach() {
    const [low, high] = this.box();
    return 0.5 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  }

  dispose() {
    this.surface.dispose();
    this.trace.line.geometry.dispose();
    this.trace.line.material.dispose();
  }
}
