"use strict";
// SPDX-License-Identifier: MIT
// A world that plays: as many steps as the wall clock asks for and a budget allows, inputs at multiples of 16 steps, and the session that plays
// them again. Runs in the worker, or in the page.

class LiveWorld {
  static INPUT_STEPS = 16; // inputs act at multiples of this
  static LONGEST_WAIT = 0.1; // s: a longer time between two frames counts as this
  static PACE_WINDOW = 500; // ms

  constructor(binding) {
    this.binding = binding;
    this.values = "none";
    this.budget = 12; // ms of physics a frame
    this.facts = null;
  }

  // Compiles a scene, as a session would hold it.
  open(scene, stepScale) {
    this.facts = null;
    try {
      this.scene = JSON.parse(scene);
    } catch {
      this.scene = null; // the library says where it is wrong
    }
    const opened = this.binding.open(this.scene ? JSON.stringify(this.scene) : scene, stepScale);
    this.stepScale = stepScale;
    this.facts = opened;
    this.begin();
    return { ...opened, corners: this.binding.frame("none", opened).corners };
  }

  rest() {
    this.need();
    const { facts } = this;
    this.facts = null; // there is no world where the next line fails
    this.binding.rest();
    this.facts = facts;
    this.begin();
  }

  need() {
    if (!this.facts) {
      throw new EngineError("there is no world: open a scene first");
    }
  }

  begin() {
    Object.assign(this, {
      playing: false, speed: 1, steps: 0, owed: 0, chunk: 16, // owed: simulated seconds that the wall clock is ahead
      waiting: [], // inputs for the next multiple of 16 steps
      script: null, // inputs of a session that is played again; null: none is
      inputs: [], // those that have acted, with their steps
      held: new Set(), failure: null, refused: null, pace: 0, marks: [], last: performance.now(),
    });
  }

  play(speed) {
    this.need();
    this.speed = speed;
    if (!this.playing) {
      Object.assign(this, { playing: true, owed: 0, marks: [], last: performance.now() });
    }
  }

  pause() {
    this.playing = false;
  }

  // An input: ["pull", hand, voxel, x, y, z], ["let_go", hand], ["tune", changes] or ["target", group, factor]. One that waits is replaced by a later
  // one about the same thing. A session that is played again takes none.
  add(input) {
    this.need();
    if (this.script) {
      return;
    }
    const about = ([name, first]) => (name === "tune" ? name : `${name === "target" ? name : "hand"} ${first}`);
    const before = this.waiting.find((other) => about(other) === about(input));
    this.waiting = this.waiting.filter((other) => other !== before);
    this.waiting.push(before && input[0] === "tune" ? ["tune", { ...before[1], ...input[1] }] : input);
  }

  // Lets an input act, and notes it. What the library refuses is told by the next frame.
  act([name, ...words]) {
    try {
      if (name === "pull") {
        this.binding.pull(...words);
        this.held.add(words[0]);
      } else if (name === "let_go") {
        if (!this.held.delete(words[0])) {
          return;
        }
        this.binding.letGo(words[0]);
      } else if (name === "tune") {
        words = [this.binding.tune(words[0])];
      } else {
        this.binding.target(...words);
      }
      this.inputs.push([this.steps, name, ...words]);
    } catch (error) {
      if (!(error instanceof EngineError)) {
        throw error;
      }
      this.refused = error.message;
    }
    this.facts.step = this.binding.facts().step; // tuning and targets may shorten it
  }

  // Lets what is due now act. Returns the step at which something may be due again.
  actAll() {
    if (this.script) {
      while (this.script.length && this.script[0][0] <= this.steps) {
        this.act(this.script.shift().slice(1));
      }
      return this.script.length ? this.script[0][0] : Infinity;
    }
    const before = this.steps % LiveWorld.INPUT_STEPS;
    if (before === 0) {
      const due = this.waiting;
      this.waiting = [];
      due.forEach((input) => this.act(input));
    }
    return this.waiting.length ? this.steps - before + LiveWorld.INPUT_STEPS : Infinity;
  }

  // Advances to a step, or until the time is up (ms). Returns the simulated seconds.
  advance(to, until) {
    let seconds = 0;
    while (this.steps < to && !this.failure && performance.now() < until) {
      const next = this.actAll();
      seconds += this.run(Math.min(to, next, this.steps + this.chunk) - this.steps);
    }
    return seconds;
  }

  // Advances by some steps. The next ones are as many as take a millisecond or two.
  run(count) {
    const began = performance.now();
    try {
      this.binding.advance(count);
      this.steps += count;
    } catch (error) {
      if (!(error instanceof EngineError)) {
        throw error;
      }
      this.failure = { message: error.message, voxels: this.binding.failed() };
      this.steps = this.binding.frame("none", this.facts).step;
      this.playing = false;
    }
    const took = performance.now() - began;
    this.chunk = took > 2 ? Math.max(1, this.chunk >> 1) : took < 1 && count === this.chunk ? Math.min(1024, 2 * this.chunk) : this.chunk;
    return count * this.facts.step;
  }

  // Steps by hand. They do not count for the pace.
  stepOnce(count) {
    this.need();
    this.advance(this.steps + count, performance.now() + 1000);
  }

  // Does the physics that is due, as far as the budget allows; what is not done then is not made up for: time goes slower than the wall.
  frame() {
    if (!this.facts) {
      return null;
    }
    const now = performance.now();
    if (this.playing) {
      this.owed += this.speed * Math.min((now - this.last) / 1000, LiveWorld.LONGEST_WAIT);
      const count = Math.floor(this.owed / this.facts.step);
      const to = this.steps + count;
      this.owed -= this.advance(to, now + this.budget);
      this.owed = this.steps < to ? 0 : this.owed;
    }
    this.last = now;
    const frame = this.binding.frame(this.values, this.facts);
    this.steps = frame.step;
    this.measurePace(now, frame.time);
    const { pace, failure, refused, playing } = this;
    this.refused = null;
    return { ...frame, pace, failure, refused, playing, timeStep: this.facts.step };
  }

  // Simulated seconds a second of the wall, over the last half second.
  measurePace(now, time) {
    if (!this.playing) {
      this.pace = 0;
      return;
    }
    this.marks.push([now, time]);
    while (this.marks.length > 2 && this.marks[1][0] <= now - LiveWorld.PACE_WINDOW) {
      this.marks.shift();
    }
    const [since, from] = this.marks[0];
    this.pace = now - since >= 50 ? (1000 * (time - from)) / (now - since) : this.pace || this.speed;
  }

  // What plays this run again, to the bit (output/record/README.md).
  session() {
    this.need();
    const scene = this.facts.native ? { ...this.scene, conventions: "native" } : this.scene;
    const scale = this.stepScale === 1 ? {} : { step_scale: this.stepScale };
    return {
      format: "voxelastic session", version: 1, release: this.binding.version(), scene, ...scale, inputs: this.inputs, steps: this.steps,
      hash: this.binding.hash(),
    };
  }

  // Begins to play a session again.
  beginReplay(session) {
    if (!session || session.format !== "voxelastic session" || session.version !== 1 || !Array.isArray(session.inputs)) {
      throw new EngineError('this is no session: expected "format": "voxelastic session" and "version": 1');
    }
    const isWhole = (number) => Number.isInteger(number) && number >= 0;
    const counts = { pull: 5, let_go: 1, tune: 1, target: 2 }; // of words behind a name
    const wrong = session.inputs.findIndex((input) => !Array.isArray(input) || !isWhole(input[0]) || counts[input[1]] !== input.length - 2);
    if (wrong >= 0 || !isWhole(session.steps)) {
      throw new EngineError(wrong >= 0 ? `inputs[${wrong}] of the session: expected a step, the name of an input, and its numbers`
        : "the session does not say how many steps it lasts");
    }
    this.open(JSON.stringify(session.scene ?? null), session.step_scale ?? 1);
    this.script = session.inputs.map((input) => [...input]);
  }
}
