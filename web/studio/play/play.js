// SPDX-License-Identifier: MIT
// Playing: a body moves by the engine, is pulled by hands and tuned by sliders, and the view follows it.
"use strict";

const PHYSICS_BUDGET = 12; // ms of physics for a picture, at most
const MAX_LIVE_VOXELS = 20000;
const STATUS_EVERY = 250; // ms
const PLOT_EVERY = 66; // ms
const CATCH_UP = 0.35; // s in which a camera that stood still while hands pulled comes near again
const SPREAD = 1.3; // times its first size that a body has until the camera goes farther away,
const MAX_RETREAT_LIVE = 8; // and how much farther at most
const SLOW = 0.93; // of the speed that was asked for: below it the status says so

// "1 voxel", "2 voxels".
function counted(number, noun) {
  return number + " " + noun + (number === 1 ? "" : "s");
}

// What the library says, with a capital letter and a full stop.
function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1).trim().replace(/([^.!?])$/, "$1.");
}

class Play {
  // plots, status: elements. say(sentence, isError) shows a message ("": none). turns(): whether pointers turn the view instead of pulling.
  constructor(engine, view, panel, { plots, status, say, turns = () => false }) {
    Object.assign(this, { engine, view, status, say, turns });
    this.started = false;
    this.playing = false;
    this.speed = 1;
    this.live = null;
    this.recorder = new Recorder(this);
    this.controls = new PlayControls(this, panel);
    this.plots = new Plots(plots);
    this.hands = new Hands(this);
    this.run = 0; // counts starts: what was awaited for an earlier one is dropped
    view.controls.addEventListener("change", () => { this.turned = true; });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
    window.addEventListener("blur", () => { // what is let go then is not seen
      this.hands.letAllGo();
      this.controls.letKeysGo();
    });
  }

  // Opens a scene at rest and plays it; false where that can not be, after saying why.
  async start(sceneText, stepScale = 1, plays = true) {
    this.stop();
    const run = ++this.run;
    try {
      const scene = JSON.parse(sceneText);
      const voxels = (scene.voxels || []).length;
      if (voxels > MAX_LIVE_VOXELS) {
        throw new Error(`Live play takes at most ${MAX_LIVE_VOXELS} voxels; this body has ${voxels}. Save it, and run it by the program.`);
      }
      const info = await this.engine.open(sceneText, { stepScale });
      if (run !== this.run) {
        return false;
      }
      this.take(info, scene, sceneText, stepScale);
      this.setPlaying(plays);
      return true;
    } catch (error) {
      if (run === this.run) {
        this.say(error.message, true);
      }
      return false;
    }
  }

  take(info, scene, sceneText, stepScale) {
    Object.assign(this, { info, scene, sceneText, stepScale, started: true, wanted: 2, frame: null, failure: null, turned: true });
    this.live = new LiveBody(info, scene);
    this.pulls = !(scene.affine_bodies || []).length;
    this.sent = new Map();
    this.size = this.reach = this.live.reach();
    this.retreat = 1;
    this.view.live.add(...this.live.objects());
    this.view.live.visible = true;
    this.paint();
    this.choose();
    this.plots.clear();
    this.begin();
    this.engine.onFrame = (frame) => this.show(frame);
    this.engine.onLost = (message) => this.lose(message);
    this.controls.showTrouble("");
    this.controls.begin(scene, (scene.layers || {}).Group ? info.groups : 0);
    this.look(this.controls.color.value);
    if (info.warnings.length) {
      this.say(sentence(toldNotes(info.warnings)));
    }
    requestAnimationFrame((now) => this.tick(now, this.run));
  }

  // What begins with each run from rest.
  begin() {
    this.centre = null; // where the camera has followed the body to
    this.lag = new THREE.Vector3();
    this.live.trace.clear();
    this.live.fail([]);
    this.failure = null;
    this.controls.showTrouble("");
  }

  stop() {
    if (!this.started) {
      return;
    }
    this.run++;
    this.hands.letAllGo();
    this.recorder.end();
    this.setPlaying(false);
    if (this.watching) {
      this.engine.rest().catch(() => {}); // which ends the replay
    }
    this.started = false;
    this.engine.onFrame = null;
    this.engine.onLost = null;
    this.view.live.remove(...this.live.objects());
    this.live.dispose();
    this.live = null;
    this.view.showFloor();
    this.controls.showTrouble("");
  }

  setPlaying(on) {
    this.playing = on;
    this.controls.setPlaying(on);
    if (on) {
      this.engine.play(this.speed);
    } else {
      this.engine.pause();
    }
    this.saidAt = 0;
  }

  toggle() {
    if (this.started && !this.failure) {
      this.setPlaying(!this.playing);
    }
  }

  step() {
    if (this.started && !this.failure) {
      this.setPlaying(false);
      this.engine.stepOnce(1);
      this.wanted = 2;
    }
  }

  // A new world of the same scene; what the sliders say goes on.
  async rest() {
    if (!this.started) {
      return;
    }
    const run = this.run;
    this.hands.letAllGo();
    const camera = this.centre ? this.centre.clone() : null;
    try {
      await this.engine.rest();
    } catch (error) {
      this.say(error.message, true);
      return;
    }
    if (run !== this.run) {
      return;
    }
    this.begin();
    if (camera) {
      this.back = camera;
    }
    this.plots.clear();
    this.tuned = !this.controls.isAsDesigned();
    this.sent.clear();
    this.controls.letKeysGo();
    this.wanted = 2;
    this.setPlaying(this.playing);
  }

  // The same design again, with half the time step of now.
  halfStep() {
    return this.start(this.sceneText, this.stepScale / 2);
  }

  // Shows what the engine does by itself, until that ends.
  async watch(work) {
    this.watching = true;
    try {
      return await work;
    } finally {
      this.watching = false;
      this.wanted = 2;
    }
  }

  // Looks at the body from where drawing looks at it first.
  home() {
    this.view.home();
    if (this.frame) {
      const centre = this.view.live.localToWorld(new THREE.Vector3(...this.frame.center));
      const way = centre.clone().sub(this.view.controls.target);
      this.view.camera.position.add(way);
      this.view.controls.target.add(way);
      this.centre = null;
      this.lag.set(0, 0, 0);
    }
    this.turned = true;
  }

  setSpeed(speed) {
    this.speed = speed;
    if (this.playing) {
      this.engine.play(speed);
    }
  }

  target(group, factor) {
    if (this.started && (this.sent.get(group) ?? 1) !== factor) {
      this.sent.set(group, factor);
      this.engine.target(group, factor);
    }
  }

  look(mode) {
    if (!this.started) {
      return;
    }
    this.live.look(mode);
    this.engine.look({ values: mode === "material" ? "none" : mode, budget: PHYSICS_BUDGET });
    this.otherMode = true; // the next frame may be on its way, with values of the mode before
    this.wanted = 2;
    this.controls.showLegend(this.live);
  }

  // Shows what the boxes choose.
  choose() {
    if (this.live) {
      this.live.trace.line.visible = this.controls.trace.checked;
      this.live.surface.edges.visible = this.controls.edges.checked;
      this.turned = true;
    }
  }

  paint() {
    if (this.live) {
      this.live.surface.edges.material.color.set(colorSetting("--edge"));
      this.turned = true;
    }
  }

  // A picture: hands and sliders tell the engine what they do, then it is asked for a frame. It has one on its way at most.
  tick(now, run) {
    if (run !== this.run) {
      return;
    }
    requestAnimationFrame((later) => this.tick(later, run));
    const spent = Math.min((now - (this.before ?? now)) / 1000, 0.25);
    this.before = now;
    this.hands.update();
    if (this.tuned) {
      this.tuned = false;
      this.engine.tune(this.controls.tuningNow());
    }
    if (this.playing || this.watching || this.wanted > 0) {
      this.engine.frame();
    }
    if (this.follow(spent) || this.hands.any || this.turned) {
      this.turned = false;
      this.controls.ball.drawIfTurned();
      this.view.draw();
    }
    if (this.frame && now - (this.plottedAt || 0) > PLOT_EVERY && this.plotted !== this.frame) {
      this.plottedAt = now;
      this.plotted = this.frame;
      this.plots.draw();
      this.reach = this.live.reach();
      this.controls.showLegend(this.live);
    }
    if (now - (this.saidAt || 0) > STATUS_EVERY) {
      this.saidAt = now;
      this.report();
    }
  }

  show(frame) {
    if (!this.started || frame.corners.length !== this.live.surface.positions.array.length) {
      return;
    }
    this.frame = frame;
    this.wanted--;
    this.live.show(frame, !this.otherMode);
    this.otherMode = false;
    this.plots.add(frame);
    this.recorder.add(frame);
    this.turned = true;
    if (frame.refused) {
      this.say(sentence(frame.refused), true);
    }
    if (frame.failure && !this.failure) {
      this.fail(frame.failure);
    }
  }

  // A body that is broken stops, and shows where.
  fail(failure) {
    const voxels = Array.from(failure.voxels || []).filter((voxel) => voxel >= 0 && voxel < this.info.voxels);
    this.failure = failure;
    this.hands.letAllGo();
    this.setPlaying(false);
    this.live.fail(voxels);
    const told = sentence(failure.message) + this.whereAre(voxels);
    this.say(told, true); // the panel may be out of sight
    this.controls.showTrouble(told,
      [["half the step", () => this.halfStep()], ["back to rest", () => this.rest()]]);
  }

  // The engine has lost its world.
  lose(message) {
    this.setPlaying(false);
    this.failure = { message };
    this.controls.showTrouble(message, [["play again", () => this.start(this.sceneText, this.stepScale)]]);
  }

  // The cells of broken voxels, in a sentence; those without a face can not be seen.
  whereAre(voxels) {
    const seen = new Set(this.info.voxelOf);
    const list = (cells) => cells.map((voxel) => "(" + this.scene.voxels[voxel].slice(0, 3).join(", ") + ")").join(" and ");
    const told = (cells, one, many) => {
      const are = cells.length > 1;
      return cells.length ? ` The voxel${are ? "s" : ""} in ${list(cells)} ${are ? many : one}.` : "";
    };
    return told(voxels.filter((voxel) => seen.has(voxel)), "is painted", "are painted") +
      told(voxels.filter((voxel) => !seen.has(voxel)), "lies inside the body", "lie inside the body");
  }

  // Moves camera and target as the centre moved. While hands pull, the camera stands still, or the pointer would run away from the body; then it
  // catches up.
  follow(spent) {
    if (!this.frame || !this.controls.follow.checked) {
      this.centre = null;
      this.lag.set(0, 0, 0);
      return false;
    }
    const [x, y, z] = this.frame.center;
    const centre = new THREE.Vector3(x, y, z);
    if (!this.centre) {
      this.height = z;
      this.centre = this.back || this.view.live.localToWorld(centre.clone());
      this.back = null;
    }
    centre.z = this.height + followedRise(z - this.height, this.size);
    const way = this.view.live.localToWorld(centre).sub(this.centre);
    this.centre.add(way);
    this.lag.add(way);
    if (this.hands.any || this.lag.lengthSq() === 0) {
      return false;
    }
    const isBehind = this.lag.length() > 4 * way.length() + 1e-3 * this.size;
    const move = this.lag.clone().multiplyScalar(isBehind ? 1 - Math.exp(-spent / CATCH_UP) : 1);
    this.lag.sub(move);
    this.view.camera.position.add(move);
    this.view.controls.target.add(move);
    this.stepBack(spent);
    return true;
  }

  // Goes farther away where a body stretches or its parts leave each other, and comes back; what the user chose stays in proportion.
  stepBack(spent) {
    const needed = Math.min(Math.max(1, this.reach / (SPREAD * this.size)), MAX_RETREAT_LIVE);
    const next = this.retreat + (needed - this.retreat) * (1 - Math.exp(-spent / CATCH_UP));
    const { position } = this.view.camera;
    position.sub(this.view.controls.target).multiplyScalar(next / this.retreat).add(this.view.controls.target);
    this.retreat = next;
  }

  // The status line: how large, how far, how fast.
  report() {
    const { info, frame } = this;
    const pace = frame ? frame.pace : 0;
    const ratio = (part) => (part < 0.095 ? part.toPrecision(1) : part.toFixed(1));
    const isSlow = pace < SLOW * this.speed;
    const speed = Math.abs(this.speed - 1) < 0.02 && !isSlow ? "real time" : ratio(isSlow ? pace : this.speed) + " of real time";
    const step = "step " + short(1000 * (frame ? frame.timeStep : info.step)) + " ms";
    const bodies = (this.scene.affine_bodies || []).length;
    const what = info.voxels || !bodies ? counted(info.voxels, "voxel") : bodies + (bodies === 1 ? " body" : " bodies");
    const parts = [what, step, frame ? frame.time.toFixed(2) + " s" : "at rest"];
    if (this.failure) {
      parts.push("stopped");
    } else if (this.watching) {
      parts.push("replaying");
    } else if (!this.playing) {
      parts.push("paused");
    } else if (frame && frame.pace > 0) {
      parts.push(speed);
    }
    this.status.textContent = parts.join(" · ");
    this.plots.describe();
    if (this.recorder.on) {
      this.controls.setRecording(true, this.recorder.frames.length);
    }
  }
}
