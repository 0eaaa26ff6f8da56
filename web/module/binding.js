"use strict";
// SPDX-License-Identifier: MIT
// The exports of the module as functions of JavaScript: texts and arrays go in and out by its memory. Views of memory are made anew for each use,
// since it moves when it grows.

class EngineError extends Error {}

class Binding {
  static VALUES = ["none", "strain", "stress", "contact", "energy", "phase"]; // vxw_values
  static FACTS = ["voxels", "bonds", "bodies", "mass", "step", "size", "groups", "quads", "native"]; // vxw_fact
  static NUMBERS = ["time", "step", "x", "y", "z", "lowest", "kinetic", "elastic", "fitness"]; // vxw_number
  static TUNED = ["amplitude", "frequency", "friction", "drag"]; // behind gravity
  static NO_VOXEL = 0xffffffff;

  constructor(exports) {
    this.exports = exports;
  }

  bytes(address, size) {
    return new Uint8Array(this.exports.memory.buffer, address, size);
  }

  doubles(address, count) {
    return new Float64Array(this.exports.memory.buffer, address, count);
  }

  floats(address, count) {
    return new Float32Array(this.exports.memory.buffer, address, count);
  }

  text(address) {
    const all = new Uint8Array(this.exports.memory.buffer);
    return new TextDecoder().decode(all.slice(address, all.indexOf(0, address)));
  }

  lines() {
    return this.text(this.exports.vxw_lines()).split("\n").filter((line) => line);
  }

  // Calls work with the addresses of copies, and their sizes: (address, size, address, size, ...). A zero byte follows each.
  withCopies(parts, work) {
    const addresses = [];
    try {
      for (const part of parts) {
        const address = this.exports.vxw_take(part.length + 1);
        if (!address) {
          throw new EngineError("out of memory");
        }
        addresses.push(address);
        this.bytes(address, part.length).set(part);
      }
      return work(...parts.flatMap((part, i) => [addresses[i], part.length]));
    } finally {
      addresses.forEach((address) => this.exports.vxw_release(address));
    }
  }

  check(status) {
    if (status) {
      throw new EngineError(this.text(this.exports.vxw_message()));
    }
  }

  result() {
    return this.bytes(this.exports.vxw_result(), this.exports.vxw_result_size()).slice();
  }

  read(name, bytes) {
    this.withCopies([new TextEncoder().encode(name), bytes], (a, n, at, size) => this.check(this.exports.vxw_read(a, at, size)));
    return { scene: new TextDecoder().decode(this.result()), notes: this.lines() };
  }

  write(scene, name) {
    const parts = [new TextEncoder().encode(name), new TextEncoder().encode(scene)];
    this.withCopies(parts, (a, n, at, size) => this.check(this.exports.vxw_write(a, at, size)));
    return { bytes: this.result(), notes: this.lines() };
  }

  open(scene, stepScale) {
    this.withCopies([new TextEncoder().encode(scene)], (at, size) => this.check(this.exports.vxw_open(at, size, stepScale)));
    const facts = this.facts();
    const voxelOf = new Uint32Array(this.exports.memory.buffer, this.exports.vxw_quad_voxels(), facts.quads).slice();
    return { ...facts, native: facts.native === 1, warnings: this.lines(), voxelOf };
  }

  rest() {
    this.check(this.exports.vxw_rest());
  }

  facts() {
    const numbers = this.doubles(this.exports.vxw_facts(), Binding.FACTS.length);
    return Object.fromEntries(Binding.FACTS.map((name, i) => [name, numbers[i]]));
  }

  advance(steps) {
    this.check(this.exports.vxw_advance(steps));
  }

  // The voxels that failed: none, one or two.
  failed() {
    return [...new Uint32Array(this.exports.memory.buffer, this.exports.vxw_failed(), 2)].filter((voxel) => voxel !== Binding.NO_VOXEL);
  }

  frame(values, facts) {
    const at = this.exports.vxw_frame(Binding.VALUES.indexOf(values));
    const numbers = Object.fromEntries(Binding.NUMBERS.map((name, i) => [name, this.doubles(at, Binding.NUMBERS.length)[i]]));
    return {
      time: numbers.time, step: numbers.step, center: [numbers.x, numbers.y, numbers.z], lowest: numbers.lowest,
      kinetic: numbers.kinetic, elastic: numbers.elastic, fitness: Number.isNaN(numbers.fitness) ? null : numbers.fitness,
      corners: this.floats(this.exports.vxw_corners(), 12 * facts.quads).slice(),
      values: values === "none" ? null : this.floats(this.exports.vxw_voxel_values(), facts.voxels).slice(),
    };
  }

  pull(hand, voxel, x, y, z) {
    this.check(this.exports.vxw_pull(hand, voxel, x, y, z));
  }

  letGo(hand) {
    this.check(this.exports.vxw_let_go(hand));
  }

  tuning() {
    const numbers = [...this.doubles(this.exports.vxw_tuning(), 3 + Binding.TUNED.length)];
    return { gravity: numbers.slice(0, 3), ...Object.fromEntries(Binding.TUNED.map((name, i) => [name, numbers[3 + i]])) };
  }

  // Changes some numbers of the tuning. Returns all of them.
  tune(changes) {
    const next = { ...this.tuning(), ...changes };
    const at = this.exports.vxw_tuning();
    this.doubles(at, 3 + Binding.TUNED.length).set([...next.gravity, ...Binding.TUNED.map((name) => next[name])]);
    this.check(this.exports.vxw_tune(at));
    return next;
  }

  target(group, factor) {
    this.check(this.exports.vxw_target(group, factor));
  }

  version() {
    return this.text(this.exports.vxw_version());
  }

  hash() {
    return [1, 0].map((half) => (this.exports.vxw_hash(half) >>> 0).toString(16).padStart(8, "0")).join("");
  }
}
