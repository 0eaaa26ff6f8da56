// SPDX-License-Identifier: MIT
// The panel of play: buttons, sliders, the ball that turns gravity, the colour bar, sliders and keys of groups.
"use strict";

const GRAVITY = 9.81; // m/s^2 of 1 g
const LEAST_SPEED = 0.05;
const MOST_SPEED = 4;
const MOST_DRAG = 20; // 1/s: motion is gone in a twentieth of a second
const TARGET_KEYS = "qwer"; // of the first groups
const TARGET_OF_KEY = [1.4, 0.7]; // while a key is held, and with shift
const MOST_GROUPS = 10;
const BALL = 72; // pixels
const BALL_STEP = Math.PI / 18;

// Sliders of what is tuned while it plays. value: of a place of the slider; place: of a value.
const TUNED = [
  { name: "friction", min: 0, max: 3, start: 1, unit: "×", value: (place) => place, place: (value) => value },
  { name: "frequency", min: 0, max: 4, start: 1, unit: "×", value: (place) => place, place: (value) => value },
  { name: "amplitude", min: 0, max: 2, start: 1, unit: "×", value: (place) => place, place: (value) => value },
  { name: "drag", min: 0, max: 1, start: 0, unit: "/s", value: (place) => MOST_DRAG * place ** 3, place: (value) => Math.cbrt(value / MOST_DRAG) },
];

// A slider with its name before it and its value behind it. A double click on the name takes it back to the start.
class Slider {
  constructor(name, { min, max, start, unit = "", value = (place) => place, place = (given) => given }, changed) {
    Object.assign(this, { name, start, unit, value, place, changed });
    this.input = build("input", { type: "range", min: String(min), max: String(max), step: String((max - min) / 200), "aria-label": name });
    this.output = build("output");
    this.title = build("span", { textContent: name, title: "double click: back to the start" });
    this.element = build("label", { className: "play-slider" }, this.title, this.input, this.output);
    this.input.addEventListener("input", () => this.took());
    this.title.addEventListener("dblclick", () => { this.set(this.start); this.changed(); });
    this.set(start);
  }

  took() {
    const place = Number(this.input.value);
    const home = this.place(this.start);
    const isNearStart = Math.abs(place - home) < 0.75 * Number(this.input.step);
    this.now = isNearStart ? this.start : this.value(place); // the start is met exactly, so that nothing changes there
    this.say();
    this.changed();
  }

  set(value) {
    this.now = value;
    this.input.value = String(this.place(value));
    this.say();
  }

  say() {
    this.output.textContent = (this.now === 0 ? "0" : String(Number(this.now.toPrecision(2)))) + (this.unit ? " " + this.unit : "");
    this.input.setAttribute("aria-valuetext", this.output.textContent);
  }
}

// The direction of gravity: a ball that is turned by dragging it, as the camera sees it.
class GravityBall {
  constructor(camera, changed) {
    this.camera = camera;
    this.changed = changed;
    this.direction = new THREE.Vector3(0, 0, -1);
    this.drawnFrom = new THREE.Quaternion(0, 0, 0, 0); // how the camera stood then
    this.canvas = build("canvas", {
      className: "play-ball", width: 2 * BALL, height: 2 * BALL, tabIndex: 0, role: "slider", "aria-label": "direction of gravity",
      "aria-valuemin": "0", "aria-valuemax": "180", title: "drag: direction of gravity; double click: down" });
    this.canvas.addEventListener("pointerdown", (event) => this.take(event));
    this.canvas.addEventListener("pointermove", (event) => this.drag(event));
    this.canvas.addEventListener("pointerup", () => { this.from = null; });
    this.canvas.addEventListener("pointercancel", () => { this.from = null; });
    this.canvas.addEventListener("dblclick", () => this.turnTo(this.home || new THREE.Vector3(0, 0, -1)));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
  }

  // A place on the ball, as a vector of the camera's axes.
  on(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = (2 * (event.clientX - box.left)) / box.width - 1;
    const y = 1 - (2 * (event.clientY - box.top)) / box.height;
    return new THREE.Vector3(x, y, Math.sqrt(Math.max(0, 1 - x * x - y * y))).normalize();
  }

  take(event) {
    event.preventDefault();
    this.canvas.focus();
    this.from = this.on(event);
    try {
      this.canvas.setPointerCapture(event.pointerId);
    } catch (error) {
      // a pointer made by a script can not be captured; it needs not be
    }
  }

  drag(event) {
    if (!this.from) {
      return;
    }
    const to = this.on(event);
    this.turn(new THREE.Quaternion().setFromUnitVectors(this.from, to));
    this.from = to;
  }

  key(event) {
    const axes = { ArrowLeft: [0, -1, 0], ArrowRight: [0, 1, 0], ArrowUp: [-1, 0, 0], ArrowDown: [1, 0, 0] };
    if (axes[event.key]) {
      event.preventDefault();
      event.stopPropagation();
      this.turn(new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(...axes[event.key]), BALL_STEP));
    }
  }

  // Turns the direction about axes of the camera.
  turn(by) {
    const seen = this.direction.clone().applyQuaternion(this.camera.quaternion.clone().inverse());
    this.turnTo(seen.applyQuaternion(by).applyQuaternion(this.camera.quaternion));
  }

  turnTo(direction) {
    this.direction.copy(direction).normalize();
    this.draw();
    this.changed();
  }

  drawIfTurned() {
    if (!this.camera.quaternion.equals(this.drawnFrom)) {
      this.draw();
    }
  }

  draw() {
    const pen = this.canvas.getContext("2d");
    this.drawnFrom.copy(this.camera.quaternion);
    const seen = this.direction.clone().applyQuaternion(this.camera.quaternion.clone().inverse());
    const degrees = Math.round((Math.acos(Math.min(Math.max(-this.direction.z, -1), 1)) * 180) / Math.PI);
    this.canvas.setAttribute("aria-valuenow", String(degrees));
    this.canvas.setAttribute("aria-valuetext", `${degrees} degrees from straight down`);
    pen.clearRect(0, 0, 2 * BALL, 2 * BALL);
    const light = pen.createRadialGradient(0.7 * BALL, 0.6 * BALL, 0, BALL, BALL, BALL);
    light.addColorStop(0, colorSetting("--panel"));
    light.addColorStop(1, colorSetting("--line"));
    pen.fillStyle = light;
    pen.beginPath();
    pen.arc(BALL, BALL, BALL - 2, 0, 2 * Math.PI);
    pen.fill();
    pen.strokeStyle = colorSetting("--faint");
    pen.lineWidth = 2;
    pen.stroke();
    const [x, y] = [BALL + 0.86 * BALL * seen.x, BALL - 0.86 * BALL * seen.y];
    pen.globalAlpha = seen.z < -0.05 ? 0.45 : 1; // it points away
    pen.strokeStyle = pen.fillStyle = colorSetting("--accent");
    pen.lineWidth = 5;
    pen.beginPath();
    pen.moveTo(BALL, BALL);
    pen.lineTo(x, y);
    pen.stroke();
    pen.beginPath();
    pen.arc(x, y, 11 + 4 * seen.z, 0, 2 * Math.PI);
    pen.fill();
    pen.globalAlpha = 1;
  }
}

class PlayControls {
  // play: what the controls drive (class Play).
  constructor(play, panel) {
    this.play = play;
    this.panel = panel;
    const tuned = () => { play.tuned = true; };
    this.sliders = Object.fromEntries(TUNED.map((tuning) => [tuning.name, new Slider(tuning.name, tuning, tuned)]));
    this.sliders.gravity = new Slider("gravity", { min: -2, max: 2, start: 1, unit: "g" }, tuned);
    this.ball = new GravityBall(play.view.camera, tuned);
    this.speed = new Slider("speed", {
      min: Math.log(LEAST_SPEED), max: Math.log(MOST_SPEED), start: 1, unit: "×", value: Math.exp, place: Math.log,
    }, () => play.setSpeed(this.speed.now));
    this.targets = [];
    this.groups = build("div", { className: "play-groups", hidden: true });
    this.legend = build("div", { className: "play-legend" });
    this.trouble = build("div", { className: "play-trouble", role: "alert", hidden: true });
    panel.append(this.trouble, this.buttons(), this.looks(), this.legend, this.tuning(), this.groups);
    document.addEventListener("keydown", (event) => this.key(event, true), true); // before those of drawing
    document.addEventListener("keyup", (event) => this.key(event, false), true);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.ball.draw());
  }

  button(text, label, action) {
    const made = build("button", { type: "button", textContent: text, title: label, "aria-label": label });
    made.addEventListener("click", action);
    return made;
  }

  buttons() {
    const { play } = this;
    this.playButton = this.button("▶", "play", () => play.toggle());
    this.recordButton = this.button("● record", "record the motion", () => play.recorder.toggle());
    this.saveButton = this.button("save replay", "save the recorded motion as a page", () => play.recorder.save());
    this.recordButton.className = "play-record";
    this.saveButton.hidden = true;
    return build("div", {}, build("div", { className: "play-row" }, this.playButton, this.button("step", "one step", () => play.step()),
      this.button("rest", "back to rest", () => play.rest()), this.recordButton, this.saveButton), this.speed.element);
  }

  looks() {
    const { play } = this;
    this.color = build("select", { "aria-label": "colour" });
    fillSelect(this.color, Object.keys(LIVE_MODES).map((mode) => [mode, mode]), "material");
    this.color.addEventListener("change", () => play.look(this.color.value));
    const box = (name, checked, changed) => {
      const input = build("input", { type: "checkbox", checked });
      input.addEventListener("change", changed);
      this[name] = input;
      return build("label", {}, input, name);
    };
    const show = () => play.choose();
    return build("div", { className: "play-row" }, build("label", {}, "colour", this.color),
      build("span", { className: "play-boxes" }, box("follow", true, show), box("trace", true, show), box("edges", true, show)));
  }

  tuning() {
    const { gravity, friction, frequency, amplitude, drag } = this.sliders;
    const sliders = build("div", { className: "play-sliders" });
    sliders.append(...[gravity, friction, frequency, amplitude, drag].map((slider) => slider.element),
      this.button("as designed", "all sliders back to what the design says", () => this.reset()));
    return build("div", { className: "play-tuning" }, build("div", { className: "play-direction" }, this.ball.canvas), sliders);
  }

  // Takes what a scene says as the start of all sliders.
  begin(scene, groups) {
    const [x, y, z] = scene.gravity_m_per_s2 ?? [0, 0, -GRAVITY];
    const size = Math.hypot(x, y, z);
    this.own = [x, y, z];
    this.ball.home = size > 0 ? new THREE.Vector3(x, y, z).divideScalar(size) : new THREE.Vector3(0, 0, -1);
    const { gravity } = this.sliders;
    gravity.start = size / GRAVITY;
    const most = Math.max(2, Math.ceil(gravity.start));
    gravity.input.min = String(-most);
    gravity.input.max = String(most);
    this.addTargets(groups);
    this.reset();
    this.play.tuned = false; // nothing has been changed
  }

  reset() {
    Object.values(this.sliders).forEach((slider) => slider.set(slider.start));
    this.ball.turnTo(this.ball.home);
    this.targets.forEach((slider) => { slider.set(1); slider.changed(); });
    this.play.tuned = true;
  }

  addTargets(groups) {
    this.targets = Array.from({ length: Math.min(groups, MOST_GROUPS) }, (_, group) => {
      const key = TARGET_KEYS[group];
      const target = new Slider("group " + group + (key ? " · " + key : ""), { min: 0.5, max: 1.7, start: 1, unit: "×" }, () => {
        this.play.target(group, target.now);
      });
      target.sent = 1;
      return target;
    });
    this.groups.textContent = "";
    this.groups.append(...this.targets.map((target) => target.element));
    this.groups.hidden = this.targets.length === 0;
  }

  hasOwnGravity() {
    return this.sliders.gravity.now === this.sliders.gravity.start && this.ball.direction.distanceTo(this.ball.home) < 1e-9;
  }

  isAsDesigned() {
    return this.hasOwnGravity() && Object.values(this.sliders).every((slider) => slider.now === slider.start);
  }

  // What the engine is told: gravity along the ball's direction, and the factors.
  tuningNow() {
    const { gravity, friction, frequency, amplitude, drag } = this.sliders;
    const along = this.ball.direction.toArray().map((part) => part * gravity.now * GRAVITY);
    return {
      gravity: this.hasOwnGravity() ? this.own : along, friction: friction.now, frequency: frequency.now, amplitude: amplitude.now, drag: drag.now };
  }

  // Keys while it plays. Those that are held drive the first groups; let go, these are where their sliders are.
  key(event, isDown) {
    const { play } = this;
    const group = event.key.length === 1 ? TARGET_KEYS.indexOf(event.key.toLowerCase()) : -1;
    const acts = { ".": () => play.step(), 0: () => play.rest(), h: () => play.home() };
    const act = group >= 0 && group < this.targets.length
      ? () => event.repeat || play.target(group, isDown ? TARGET_OF_KEY[event.shiftKey ? 1 : 0] : this.targets[group].now)
      : isDown ? acts[event.key] : null;
    const isText = event.target.closest?.("select, textarea, dialog, [contenteditable], input:not([type=range]):not([type=checkbox])");
    if (!act || !play.started || (isDown && (isText || event.ctrlKey || event.metaKey || event.altKey))) {
      return;
    }
    event.preventDefault();
    act();
  }

  letKeysGo() {
    this.targets.forEach((target, group) => this.play.target(group, target.now));
  }

  // The button tells what it does next.
  setPlaying(on) {
    this.playButton.textContent = on ? "❚❚" : "▶";
    this.playButton.setAttribute("aria-label", on ? "pause" : "play");
    this.playButton.title = on ? "pause" : "play";
  }

  setRecording(on, frames) {
    this.recordButton.textContent = on ? "■ stop" : "● record";
    this.recordButton.setAttribute("aria-label", on ? "stop recording" : "record the motion");
    this.recordButton.classList.toggle("on", on);
    this.saveButton.hidden = on || frames < 2;
  }

  showLegend(live) {
    const css = (rgb) => "rgb(" + rgb.slice(0, 3).map((part) => Math.round(255 * part)).join(",") + ")";
    const scale = live.scale();
    const said = scale ? scale.label + scale.ends.join() : live.legend().map(({ name, color }) => name + color).join();
    if (said === this.said) {
      return;
    }
    this.said = said;
    this.legend.textContent = "";
    if (!scale) {
      this.legend.append(...live.legend().map(({ name, color }) => {
        const swatch = build("span", { className: "play-swatch" });
        swatch.style.background = css(color);
        return build("span", { className: "play-material" }, swatch, name);
      }));
      return;
    }
    const bar = build("div", { className: "play-bar" });
    bar.style.background = "linear-gradient(90deg," + scale.stops.map(css).join(",") + ")";
    this.legend.append(build("span", { textContent: scale.label }), build("span", { textContent: scale.ends[0] }), bar,
      build("span", { textContent: scale.ends[1] }));
  }

  // A sentence, and what can be done: [[text, action]].
  showTrouble(sentence, choices = []) {
    this.trouble.textContent = "";
    this.trouble.hidden = !sentence;
    if (sentence) {
      this.trouble.append(build("p", { textContent: sentence }), ...choices.map(([text, action]) => this.button(text, text, action)));
    }
  }
}
