// SPDX-License-Identifier: MIT
// Playing: a body moves by the engine, is pulled by hands and tuned by sliders, and the view follows it.
"use strict";

const PHYSICS_BUDGET = 12; // ms of physics for a picture, at most
const MAX_LIVE_VOXELS = 20000;
const STATUS_EVERY = 250; // ms
const PLOT_EVERY = 66; // ms
const CATCH_UP = 0.35; // s in which a camera that stood still while hands pulled comes near again
const FLOOR_STEP = 16; // edges that a body goes until the floor is laid anew below it
const SLOW = 0.93; // of the speed that was asked for: below it the status says so

// "1 voxel", "2 voxels".
function counted(number, noun) {
  return number + " " + noun + (number === 1 ? "" : "s");
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
    Object.assign(this, { info, scene, sceneText, stepScale, started: true, waiting: false, wanted: true, frame: null, failure: null, turned: true });
    this.live = new LiveBody(info, scene);
    this.pulls = !(scene.affine_bodies || []).length;
    this.sent = new Map();
    this.size = this.live.reach();
    this.laid = this.live.middle();
    this.view.live.add(...this.live.objects());
    this.view.live.visible = true;
    this.paint();
    this.choose();
    this.plots.clear();
    this.begin();
    this.engine.onFrame = (frame) => this.show(frame);
    this.controls.showTrouble("");
    this.controls.begin(scene, Array.isArray(info.groups) ? info.groups.length : info.groups || 0);
    this.look(this.controls.color.value);
    (info.warnings || []).slice(0, 1).forEach((warning) => this.say(warning));
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
    this.started = false;
    this.engine.onFrame = null;
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
      this.wanted = true;
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
    this.wanted = true;
    this.setPlaying(this.playing);
  }

  // The same design again, with half the time step of now.
  halfStep() {
    return this.start(this.sceneText, this.stepScale / 2);
  }

  // A frame of now, whatever the engine has done meanwhile.
  showNow() {
    this.begin();
    this.plots.clear();
    this.wanted = true;
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
    this.otherMode = this.waiting; // a frame on its way has values of the mode before
    this.wanted = true;
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

  // A picture: hands and sliders tell the engine what they do, then it is asked for a frame. There is one on its way at most.
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
    if (!this.waiting && (this.playing || this.wanted)) {
      this.waiting = true;
      this.wanted = false;
      this.engine.frame();
    }
    if (this.follow(spent) || this.hands.any || this.turned) {
      this.turned = false;
      this.controls.ball.draw();
      this.view.draw();
    }
    if (this.frame && now - (this.plottedAt || 0) > PLOT_EVERY && this.plotted !== this.frame) {
      this.plottedAt = now;
      this.plotted = this.frame;
      this.plots.draw();
      this.controls.showLegend(this.live);
    }
    if (now - (this.saidAt || 0) > STATUS_EVERY) {
      this.saidAt = now;
      this.report();
    }
  }

  show(frame) {
    this.waiting = false;
    if (!this.started || frame.corners.length !== this.live.surface.positions.array.length) {
      return;
    }
    this.frame = frame;
    this.live.show(frame, !this.otherMode);
    this.otherMode = false;
    this.plots.add(frame);
    this.recorder.add(frame);
    this.turned = true;
    if (frame.failure && !this.failure) {
      this.fail(frame.failure);
    }
  }

  // A body that is broken stops, and shows where.
  fail(failure) {
    const voxels = Array.from(failure.voxels || []).filter((voxel) => voxel >= 0 && voxel < this.info.voxels);
    const cells = voxels.map((voxel) => "(" + this.scene.voxels[voxel].slice(0, 3).join(", ") + ")");
    this.failure = failure;
    this.hands.letAllGo();
    this.setPlaying(false);
    this.live.fail(voxels);
    const where = cells.length ? ` ${cells.length > 1 ? "The voxels" : "The voxel"} in ${cells.join(" and ")} ${cells.length > 1 ? "are" : "is"} painted.` : "";
    const sentence = failure.message.trim().replace(/([^.!?])$/, "$1.");
    this.controls.showTrouble(sentence.charAt(0).toUpperCase() + sentence.slice(1) + where,
      [["half the step", () => this.halfStep()], ["back to rest", () => this.rest()]]);
  }

  // Moves camera and target as the centre moved. While hands pull, the camera stands still, or the pointer would run away from the body; then it catches up.
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
    this.layFloor();
    return true;
  }

  // Lays the floor anew where the body has gone far from its middle.
  layFloor() {
    const { center } = this.frame;
    if (Math.hypot(center[0] - this.laid[0], center[1] - this.laid[1]) > FLOOR_STEP * this.live.edge) {
      this.laid = Array.from(center);
      this.view.showFloor(this.laid);
    }
  }

  // The status line: how large, how far, how fast.
  report() {
    const { info, frame } = this;
    const pace = frame ? frame.pace : 0;
    const ratio = (part) => (part < 0.095 ? part.toPrecision(1) : part.toFixed(1));
    const isSlow = pace < SLOW * this.speed;
    const speed = Math.abs(this.speed - 1) < 0.02 && !isSlow ? "real time" : ratio(isSlow ? pace : this.speed) + " of real time";
    const parts = [counted(info.voxels, "voxel"), "step " + short(1000 * info.step) + " ms", frame ? frame.time.toFixed(2) + " s" : "at rest"];
    if (this.failure) {
      parts.push("stopped");
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
