// SPDX-License-Identifier: MIT
// Decodes robots: the parts of the page that hold their bodies and frames, and the quantities that are plotted. See output/record/frame_codec.h for the format of frames.
"use strict";

const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => [bits & 1 ? 1 : -1, bits & 2 ? 1 : -1, bits & 4 ? 1 : -1]);
const COMPONENTS = { position: 3, orientation: 4, edge: 1, strain: 3, stress: 3, energy: 1, contact: 1, place: 3, deformation: 9 };
const OF_BODIES = ["place", "deformation"]; // fields of affine bodies; all others are of voxels
const BLOCKS_KEPT = 4;
const GROUP = 32;

async function bytesOf(element) {
  const text = atob(element.textContent);
  const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Reads signed numbers of seven bits per byte.
class Numbers {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  next() {
    const first = this.bytes[this.at++];
    if (first < 128) {
      return first & 1 ? -(first + 1) / 2 : first / 2;
    }
    let value = first & 127;
    let unit = 128;
    for (let byte = 255; byte > 127; unit *= 128) {
      byte = this.bytes[this.at++];
      value += (byte & 127) * unit;
    }
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
}

// Reads a packed group (common/pack_internal.h): up to 32 numbers with as many bits as the largest needs.
function addGroup(numbers, into, from, at, count) {
  const { bytes } = numbers;
  const width = bytes[numbers.at++];
  let bits = 0;
  let have = 0;
  const take = (wanted) => {
    while (have < wanted) {
      bits += bytes[numbers.at++] * 2 ** have;
      have += 8;
    }
    const unit = 2 ** wanted;
    const value = bits % unit;
    bits = (bits - value) / unit;
    have -= wanted;
    return value;
  };
  const low = Math.min(width, 32);
  for (let i = at; i < at + count; i++) {
    const folded = width > 0 ? take(low) + (width > 32 ? take(width - 32) * 2 ** 32 : 0) : 0;
    into[i] = from[i] + (folded % 2 ? -(folded + 1) / 2 : folded / 2);
  }
}

class Robot {
  constructor(facts, index) {
    Object.assign(this, facts);
    this.index = index; // in the page
    this.isGhost = facts.ghost_of !== undefined; // another run of robot ghost_of
    this.elements = [...document.getElementsByClassName("block-" + index)];
    this.body = document.getElementsByClassName("body-" + index)[0];
    this.blocks = new Map();
    this.starts = [];
    this.frames.reduce((sum, count) => (this.starts.push(sum), sum + count), 0);
    this.count = this.times.length;
    this.layout = {};
    this.values = 0;
    this.rows = []; // of each component of each field: its first value, and its number of values
    for (const name of Object.keys(this.resolution)) {
      const count = OF_BODIES.includes(name) ? this.bodies.length : this.voxels;
      this.layout[name] = this.values;
      for (let c = 0; c < COMPONENTS[name]; c++) {
        this.rows.push([this.values, count]);
        this.values += count;
      }
    }
  }

  // Loads and measures the robot, once.
  ready() {
    this.loaded = this.loaded || this.load();
    return this.loaded;
  }

  // Reads cells, materials, phases and the surface; then goes through all frames once, for the plots.
  async load() {
    const numbers = new Numbers(await bytesOf(this.body));
    const cell = [0, 0, 0];
    this.cells = new Int32Array(3 * this.voxels);
    this.material = new Int32Array(this.voxels);
    this.phase = new Float32Array(this.voxels);
    for (let v = 0; v < this.voxels; v++) {
      for (let c = 0; c < 3; c++) {
        cell[c] += numbers.next();
        this.cells[3 * v + c] = cell[c];
      }
      this.material[v] = numbers.next();
      this.phase[v] = numbers.next() / 1000;
    }
    this.readSurface(numbers);
    this.fillRest();
    this.body.textContent = "";
    this.series = await measure(this);
    return this;
  }

  readSurface(numbers) {
    const corners = [];
    let before = 0;
    this.first = new Int32Array(this.vertices + 1);
    for (let i = 0; i < this.vertices; i++) {
      this.first[i + 1] = this.first[i] + numbers.next();
      while (corners.length < this.first[i + 1]) {
        before += numbers.next();
        corners.push(before);
      }
    }
    this.corners = Int32Array.from(corners);
    this.quad = new Int32Array(4 * this.quads);
    this.quadVoxel = new Int32Array(this.quads);
    this.hidden = new Int32Array(this.quads); // bit k: side k is not outlined
    before = 0;
    let voxel = 0;
    for (let i = 0; i < this.quads; i++) {
      voxel += numbers.next();
      this.quadVoxel[i] = voxel;
      for (let k = 0; k < 4; k++) {
        before += numbers.next();
        this.quad[4 * i + k] = before;
      }
      if (voxel >= this.voxels) {
        this.hidden[i] = numbers.next();
      }
    }
  }

  // Whole numbers of the robot as it is built, from which every block starts.
  fillRest() {
    const unit = this.resolution;
    this.rest = new Int32Array(this.values);
    for (let v = 0; v < this.voxels; v++) {
      for (let c = 0; c < 3; c++) {
        this.rest[this.layout.position + c * this.voxels + v] =
          Math.round(((this.cells[3 * v + c] + 0.5) * this.edge) / unit.position);
      }
      this.rest[this.layout.orientation + v] = Math.round(1 / unit.orientation);
      this.rest[this.layout.edge + v] = Math.round(this.edge / unit.edge);
    }
    const n = this.bodies.length;
    for (let b = 0; b < n; b++) {
      for (let c = 0; c < 3; c++) {
        this.rest[this.layout.place + c * n + b] = Math.round(this.bodies[b].center[c] / unit.place);
        this.rest[this.layout.deformation + 4 * c * n + b] = Math.round(1 / unit.deformation);
      }
    }
  }

  // All frames of a block, one after the other.
  async block(index) {
    if (!this.blocks.has(index)) {
      this.blocks.set(index, this.decode(index));
      if (this.blocks.size > BLOCKS_KEPT) {
        this.blocks.delete(this.blocks.keys().next().value);
      }
    }
    return this.blocks.get(index);
  }

  async decode(index) {
    const numbers = new Numbers(await bytesOf(this.elements[index]));
    const size = this.values;
    const block = new Int32Array(this.frames[index] * size);
    for (let frame = 0; frame < this.frames[index]; frame++) {
      numbers.next(); // step
      numbers.next(); // time; the page has it as text too
      const before = frame > 0 ? block.subarray((frame - 1) * size, frame * size) : this.rest;
      const now = block.subarray(frame * size, (frame + 1) * size);
      for (const [first, count] of this.rows) {
        for (let i = 0; i < count; i += GROUP) {
          addGroup(numbers, now, before, first + i, Math.min(GROUP, count - i));
        }
      }
    }
    return block;
  }

  async frame(index) {
    let block = this.starts.length - 1;
    while (this.starts[block] > index) {
      block--;
    }
    const at = (index - this.starts[block]) * this.values;
    return (await this.block(block)).subarray(at, at + this.values);
  }

  value(frame, name, voxel, component = 0) {
    return frame[this.layout[name] + component * this.voxels + voxel] * this.resolution[name];
  }

  // The same for an affine body.
  bodyValue(frame, name, body, component) {
    return frame[this.layout[name] + component * this.bodies.length + body] * this.resolution[name];
  }

  // Strain of largest magnitude along the voxel's axes, with its sign.
  strain(frame, voxel) {
    let max = 0;
    for (let c = 0; c < 3; c++) {
      const strain = this.value(frame, "strain", voxel, c);
      max = Math.abs(strain) > Math.abs(max) ? strain : max;
    }
    return max;
  }

  // Positions of the surface's vertices in a frame, (vertices, 3).
  place(frame, into) {
    const n = this.voxels;
    const q = this.layout.orientation;
    const at = this.layout.position;
    const unit = this.resolution.position;
    const turned = new Float32Array(9);
    const sums = into.fill(0);
    this.cornerPlaces = this.cornerPlaces || new Float32Array(24 * n);
    const places = this.cornerPlaces;
    for (let v = 0; v < n; v++) {
      rotation(frame[q + v], frame[q + n + v], frame[q + 2 * n + v], frame[q + 3 * n + v], this.value(frame, "edge", v) / 2, turned);
      for (let c = 0; c < 3; c++) {
        const middle = frame[at + c * n + v] * unit;
        for (let k = 0; k < 8; k++) {
          const arm = CORNERS[k];
          places[24 * v + 3 * k + c] = middle + turned[3 * c] * arm[0] + turned[3 * c + 1] * arm[1] + turned[3 * c + 2] * arm[2];
        }
      }
    }
    for (let i = 0; i < this.vertices; i++) {
      const count = this.first[i + 1] - this.first[i];
      for (let k = this.first[i]; k < this.first[i + 1]; k++) {
        for (let c = 0; c < 3; c++) {
          sums[3 * i + c] += places[3 * this.corners[k] + c] / count;
        }
      }
    }
    this.placeBodies(frame, sums);
    return sums;
  }

  // Vertices of affine bodies are behind those of voxels.
  placeBodies(frame, into) {
    let at = into.length - this.bodies.reduce((sum, body) => sum + body.arms.length, 0);
    this.bodies.forEach((body, b) => {
      for (let i = 0; i < body.arms.length; i += 3) {
        for (let c = 0; c < 3; c++) {
          into[at + c] = this.bodyValue(frame, "place", b, c);
          for (let d = 0; d < 3; d++) {
            into[at + c] += this.bodyValue(frame, "deformation", b, 3 * c + d) * body.arms[i + d];
          }
        }
        at += 3;
      }
    });
  }
}

// Rotation matrix of a quaternion of any length, times a factor; by rows.
function rotation(w, x, y, z, factor, into) {
  const s = (2 * factor) / (w * w + x * x + y * y + z * z);
  into[0] = factor - s * (y * y + z * z);
  into[1] = s * (x * y - z * w);
  into[2] = s * (x * z + y * w);
  into[3] = s * (x * y + z * w);
  into[4] = factor - s * (x * x + z * z);
  into[5] = s * (y * z - x * w);
  into[6] = s * (x * z - y * w);
  into[7] = s * (y * z + x * w);
  into[8] = factor - s * (x * x + y * y);
}

// Quantities to plot. They and the ranges of the colors are computed from every frame, once.
const QUANTITIES = {
  x: "x of the centre of mass (m)",
  y: "y of the centre of mass (m)",
  z: "z of the centre of mass (m)",
  way: "horizontal distance from the start (m)",
  speed: "horizontal speed (m/s)",
  top: "height of the highest voxel or body (m)",
  strain: "largest axial strain",
  energy: "elastic energy (J)",
  contact: "forces of contact, summed (N)",
};

// How far a robot reaches from a place: its voxels with half their diagonals, affine bodies with their longest arms.
function spread(robot, frame, from) {
  const away = (place) => Math.hypot(place(0) - from[0], place(1) - from[1], place(2) - from[2]);
  let most = 0;
  for (let v = 0; v < robot.voxels; v++) {
    most = Math.max(most, away((c) => robot.value(frame, "position", v, c)) + (Math.sqrt(3) / 2) * robot.value(frame, "edge", v));
  }
  robot.bodies.forEach((body, b) => {
    let arm = 0;
    for (let i = 0; i < body.arms.length; i += 3) {
      arm = Math.max(arm, Math.hypot(body.arms[i], body.arms[i + 1], body.arms[i + 2]));
    }
    most = Math.max(most, away((c) => robot.bodyValue(frame, "place", b, c)) + arm);
  });
  return most;
}

async function measure(robot) {
  const series = {};
  for (const name of Object.keys(QUANTITIES)) {
    series[name] = new Float64Array(robot.count);
  }
  const cube = robot.edge ** 3;
  const weight = Float64Array.from(robot.material, (m, v) => cube * (robot.densities ? robot.densities[v] : robot.materials[m].density));
  const total = weight.reduce((sum, w) => sum + w, 0) + robot.bodies.reduce((sum, body) => sum + body.mass, 0) || 1;
  series.energyMax = new Float64Array(robot.count);
  series.contactMax = new Float64Array(robot.count);
  series.spread = new Float64Array(robot.count); // m: from the centre of mass to what is farthest from it
  for (let k = 0; k < robot.count; k++) {
    const frame = await robot.frame(k);
    const sum = [0, 0, 0];
    let top = -Infinity;
    for (let v = 0; v < robot.voxels; v++) {
      for (let c = 0; c < 3; c++) {
        sum[c] += weight[v] * robot.value(frame, "position", v, c);
      }
      top = Math.max(top, robot.value(frame, "position", v, 2));
      const energy = robot.value(frame, "energy", v);
      const contact = robot.value(frame, "contact", v);
      series.strain[k] = Math.max(series.strain[k], Math.abs(robot.strain(frame, v)));
      series.energy[k] += energy;
      series.contact[k] += contact;
      series.energyMax[k] = Math.max(series.energyMax[k], energy);
      series.contactMax[k] = Math.max(series.contactMax[k], contact);
    }
    robot.bodies.forEach((body, b) => {
      for (let c = 0; c < 3; c++) {
        sum[c] += body.mass * robot.bodyValue(frame, "place", b, c);
      }
      top = Math.max(top, robot.bodyValue(frame, "place", b, 2));
    });
    series.x[k] = sum[0] / total;
    series.y[k] = sum[1] / total;
    series.z[k] = sum[2] / total;
    series.top[k] = top;
    series.spread[k] = spread(robot, frame, sum.map((value) => value / total));
    series.way[k] = Math.hypot(series.x[k] - series.x[0], series.y[k] - series.y[0]);
    const span = k > 0 ? robot.times[k] - robot.times[k - 1] : 0;
    series.speed[k] = span > 0 ? Math.hypot(series.x[k] - series.x[k - 1], series.y[k] - series.y[k - 1]) / span : 0;
  }
  return series;
}
