// SPDX-License-Identifier: MIT
// The studio: one body in two states. Drawing shows it as cubes at rest; playing hands its scene to the engine.
"use strict";

const MESSAGE_TIME = 7000; // ms that a message stays
const PLACES = ["view", "view-buttons", "tools", "strip", "materials", "world", "play-panel", "plots", "status", "message", "welcome", "start",
  "start-cards", "help", "help-list", "play-button", "top-buttons", "side-toggle", "file-buttons", "share"]; // ids of elements
const NO_ENGINE = "The engine cannot start here, so that bodies can be drawn and kept as scenes but not played: ";

// In the place of an engine that cannot start: scenes are read and written as they are, all else is refused with the reason.
class NoEngine {
  constructor(reason) {
    this.reason = NO_ENGINE + reason;
  }

  async read(name, bytes) {
    const scene = new TextDecoder().decode(bytes);
    if (!/^\s*\{/.test(scene)) {
      throw new Error(this.reason);
    }
    return { scene, notes: [] };
  }

  async write(scene, name) {
    if (!name.endsWith(".json")) {
      throw new Error(this.reason);
    }
    return { bytes: new TextEncoder().encode(scene), notes: [] };
  }

  async open() {
    throw new Error(this.reason);
  }
}

class Studio {
  constructor() {
    this.state = "draw";
    this.engine = null;
    this.body = new Body(JSON.stringify(empty()));
    this.places = Object.fromEntries(PLACES.map((id) => [id, document.getElementById(id)]));
    this.view = new View(this.places.view);
    this.tools = new Tools(this.body, this.view, (text, isError) => this.say(text, isError));
    this.pointer = new Pointer(this.view, this.tools);
    const check = (changes) => this.check(changes);
    this.palette = new Palette(this.places.materials, this.body, this.tools, check);
    this.environment = new Environment(this.places.world, this.body, this.tools, check);
    this.toolbar = new Toolbar(this.places.tools, this.places.strip, this);
    this.keys = new Keys(this);
    this.buttons();
    this.tabs();
    this.tools.on("change", () => this.showLayer());
    this.body.on("change", (what) => this.changed(what));
    this.changed({ cells: true, scene: true, design: true });
    this.goHome();
    this.ready = this.begin();
  }

  buttons() {
    const { places } = this;
    this.undo = iconButton("undo", "Undo", "ctrl z", "", () => this.body.undo());
    this.redo = iconButton("redo", "Redo", "ctrl y", "", () => this.body.redo());
    this.turns = iconButton("turns", "Turn instead of draw or pull", "", "one finger, or the left button, turns the picture", () => {
      this.pointer.turns = !this.pointer.turns;
      this.turns.setAttribute("aria-pressed", String(this.pointer.turns));
    });
    this.turns.setAttribute("aria-pressed", "false");
    places["top-buttons"].append(this.undo, this.redo, iconButton("help", "Help", "?", "all keys", () => this.help()));
    places["view-buttons"].append(this.turns, iconButton("nearer", "Nearer", "", "", () => this.view.orbit(0, 0, 1.25)),
      iconButton("farther", "Farther", "", "", () => this.view.orbit(0, 0, 0.8)),
      iconButton("home", "Home", "h", "the whole body", () => this.home()));
    places["play-button"].addEventListener("click", () => this.toggle());
    document.getElementById("new-button").addEventListener("click", () => this.showStart());
    places["side-toggle"].addEventListener("click", () => this.showSide(document.body.classList.contains("no-side")));
    this.giveFocusBack();
    for (const dialog of [places.start, places.help]) {
      dialog.querySelector(".close").addEventListener("click", () => dialog.close());
      dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    }
    fillHelp(places["help-list"]);
    fillCards(document.getElementById("welcome-cards"), PRESETS.filter(({ name }) => ["Quadruped", "Worm", "Hopper", "Random body"].includes(name)),
      (preset) => this.takePreset(preset));
  }

  // What a pointer has pressed or set gives the keyboard back to the picture, so that space plays, and does not press the button again.
  giveFocusBack() {
    let isPointer = false;
    document.addEventListener("pointerdown", () => (isPointer = true), true);
    document.addEventListener("keydown", () => (isPointer = false), true);
    const after = { click: "button, [role=option]", change: "select, [type=range], [type=checkbox]" };
    for (const [name, controls] of Object.entries(after)) {
      document.addEventListener(name, ({ target }) => {
        const control = isPointer && target.closest?.(controls);
        if (control && !control.closest("dialog")) {
          setTimeout(() => this.places.view.focus({ preventScroll: true })); // a label gives its box the focus after this
        }
      });
    }
  }

  tabs() {
    this.tabButtons = [...document.querySelectorAll("#side [role=tab]")];
    this.tabButtons.forEach((tab, at) => {
      tab.addEventListener("click", () => this.showTab(tab.id));
      tab.addEventListener("keydown", ({ key }) => {
        const by = { ArrowRight: 1, ArrowLeft: -1 }[key];
        if (by) {
          const next = this.tabButtons[(at + by + this.tabButtons.length) % this.tabButtons.length];
          this.showTab(next.id);
          next.focus();
        }
      });
    });
    this.showTab("tab-materials");
  }

  showTab(id) {
    for (const tab of this.tabButtons) {
      const isShown = tab.id === id;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !isShown;
    }
    if (id !== "tab-play") {
      this.lastTab = id;
    }
  }

  showSide(isShown) {
    document.body.classList.toggle("no-side", !isShown);
    this.places["side-toggle"].setAttribute("aria-expanded", String(isShown));
  }

  // What the browser or the page brought along, the engine, and the parts that play. What is drawn before the engine is there stays.
  async begin() {
    const { places } = this;
    if (typeof Files !== "undefined") {
      this.files = new Files(this, places["file-buttons"]);
      const kept = this.files.kept();
      const own = document.getElementById("design")?.textContent.trim();
      if (kept) {
        this.restore(() => this.take(kept));
        this.body.startHistory();
      }
      this.files.watch(this.body);
      if (own) {
        this.restore(() => this.look(own));
      }
    }
    try {
      if (typeof Engine === "undefined" || !document.getElementById("module")) {
        throw new Error("this page was built without it.");
      }
      this.engine = await Engine.start();
      this.isAlive = true;
    } catch (error) {
      this.engine = new NoEngine(error.message);
      this.isAlive = false;
    }
    if (typeof Play !== "undefined") {
      this.play = new Play(this.engine, this.view, places["play-panel"],
        { plots: places.plots, status: places.status, say: (text, isError) => this.say(text, isError),
          turns: () => this.pointer.turns });
      this.link = new Link(this, places.share);
      await this.link.fromHash();
    }
    this.places["play-button"].disabled = false;
    if (!this.isAlive) {
      this.say(this.engine.reason, true);
    }
    return this;
  }

  // A body that was kept must not keep the studio from opening, whatever happened to it.
  restore(take) {
    try {
      take();
    } catch (error) {
      this.say("The design that was kept can not be drawn. " + error.message, true);
    }
  }

  // Asks the library whether it takes changes of the scene; its sentence is thrown if not.
  async check(changes) {
    if (this.isAlive) {
      try {
        await this.engine.read("scene.json", new TextEncoder().encode(this.body.sample(changes)));
      } catch (error) {
        const sentence = error.message.replace(/^scene\.json: /, "").replace(/([^.])$/, "$1.");
        throw new SceneError(sentence[0].toUpperCase() + sentence.slice(1));
      }
    }
  }

  text() {
    return this.body.text();
  }

  name() {
    return this.body.name;
  }

  // Another design in the place of this one; what can not be drawn is thrown as a sentence, and nothing changes.
  take(text) {
    this.tools.cancel(); // what is being drawn belongs to the design before
    this.body.load(text);
    this.tools.set({ material: 0, mirror: [null, null] });
    this.tools.select(null);
    this.tools.setPlane(null);
    this.view.showMirror([null, null]);
    this.goHome();
  }

  // A design of a link or of the page, to be looked at: what was drawn before is one undo away, and stays what the browser keeps until there is an edit.
  look(text) {
    const isOther = this.body.size > 0;
    this.files.keepChanged();
    this.take(text);
    this.files.looked();
    if (isOther) {
      this.say("Undo goes back to what you drew before.");
    }
  }

  takePreset(preset) {
    this.places.start.close();
    this.take(JSON.stringify(preset.make()));
    this.say(this.body.size ? `${preset.name}. Press play (space).` : "");
    this.places.view.focus({ preventScroll: true });
  }

  // A tool was pressed: drawing, whatever was before.
  draw(name) {
    if (this.state === "play") {
      this.stop();
    }
    this.tools.choose(name);
  }

  changed({ cells, scene, design }) {
    if (this.tools.material >= Math.max(this.body.materials.length, 1)) {
      this.tools.set({}); // the chosen one was taken away, or undone
    }
    if (this.state === "play") {
      this.stop();
    }
    this.showLayer();
    if (scene || design) {
      this.view.showFloor();
    }
    if (scene || cells) {
      this.view.showRegions();
    }
    this.undo.disabled = !this.body.done.length;
    this.redo.disabled = !this.body.undone.length;
    if (!this.isAsked) {
      this.isAsked = true;
      requestAnimationFrame(() => {
        this.isAsked = false;
        this.report();
      });
    }
  }

  // Voxels in the colours of the layer that is painted, else of their materials.
  showLayer() {
    const { name, layer } = this.tools;
    this.view.showCells(this.body, name === "paint" || name === "gradient" ? layer : null);
  }

  report() {
    this.places.welcome.hidden = this.body.size > 0 || this.state !== "draw";
    document.title = (this.body.name || "design") + " - Voxelastic studio";
    if (this.state === "draw") {
      const { voxels, bonds, mass } = this.body.facts();
      const { low, high } = this.body.bounds() ?? { low: [0, 0, 0], high: [-1, -1, -1] };
      const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
      const digits = (number) => showNumber(Number(number.toPrecision(4)));
      const parts = [plural(voxels, "voxel"), plural(bonds, "bond"), mass < 1 ? digits(1000 * mass) + " g" : digits(mass) + " kg",
        `${low.map((least, axis) => high[axis] - least + 1).join(" × ")} cells`];
      if (this.step?.version === this.body.version) {
        parts.push(`step ${showNumber(Number((this.step.seconds * 1000).toPrecision(3)))} ms`);
      }
      this.places.status.textContent = voxels ? parts.join(" · ") : "empty";
    }
  }

  say(text, isError = false) {
    const { message } = this.places;
    clearTimeout(this.messageTimer);
    message.textContent = text;
    message.classList.toggle("bad", isError);
    message.hidden = !text;
    if (text) {
      this.messageTimer = setTimeout(() => (message.hidden = true), MESSAGE_TIME + 40 * text.length);
    }
  }

  home() {
    if (this.state === "play") {
      this.play.home();
    } else {
      this.goHome();
    }
  }

  // The view of the beginning, beside the card of an empty design.
  goHome() {
    const { welcome } = this.places;
    welcome.hidden = this.body.size > 0 || this.state !== "draw";
    this.view.home(welcome.hidden ? 0 : welcome.offsetHeight);
  }

  help() {
    this.places.help.showModal();
  }

  showStart() {
    const { start } = this.places;
    if (!this.places["start-cards"].childElementCount) {
      fillCards(this.places["start-cards"], PRESETS, (preset) => this.takePreset(preset));
    }
    start.showModal();
  }

  // Refuses what can not be done with an empty design, since the library takes none: `what` the user wants.
  needVoxel(what) {
    if (!this.body.size && !(this.body.scene.affine_bodies ?? []).length) {
      refuse(`There is nothing to ${what} yet: draw a voxel first.`);
    }
  }

  // From drawing to playing and back.
  toggle() {
    return this.state === "draw" ? this.begins() : this.stop();
  }

  async begins() {
    if (!this.isAlive || !this.play) {
      this.say(this.engine?.reason ?? "The engine is still starting.", true);
      return;
    }
    try {
      this.needVoxel("play");
    } catch (error) {
      this.say(error.message, true);
      return;
    }
    this.tools.cancel();
    this.say("");
    const { version } = this.body;
    if (await this.play.start(this.body.text()) && this.state === "draw") {
      if (version !== this.body.version) {
        this.play.stop();
        this.say("The body changed while it was made ready to play: press play again.");
        return;
      }
      this.step = { version, seconds: this.play.info.step };
      this.showPlay();
    }
  }

  // What the page shows while it plays. Also for a session, which starts to play by itself.
  showPlay() {
    this.tools.cancel();
    this.state = "play";
    this.pointer.enabled = false;
    this.keys.show(null);
    this.view.play(true);
    this.showTab("tab-play");
    this.showState();
  }

  stop() {
    this.state = "draw";
    this.play.stop();
    this.pointer.enabled = true;
    this.view.play(false);
    this.showTab(this.lastTab);
    this.showState();
    this.view.showFloor();
    this.report();
  }

  showState() {
    const isPlaying = this.state === "play";
    const button = this.places["play-button"];
    document.body.classList.toggle("playing", isPlaying);
    button.querySelector("span").textContent = isPlaying ? "Draw" : "Play";
    button.querySelector("path").setAttribute("d", isPlaying ? "M5 19l1-4L16 5l3 3L9 18z" : "M8 5v14l11-7z");
    button.title = isPlaying ? "Back to drawing, at rest (space)" : "Play (space)";
    this.places.welcome.hidden = isPlaying || this.body.size > 0;
  }
}

// The page without WebGL: a sentence, and nothing that fails later.
function beginStudio() {
  const test = document.createElement("canvas");
  const context = test.getContext("webgl2") || test.getContext("webgl");
  const isEnough = context && (context instanceof (window.WebGL2RenderingContext ?? Object) || context.getExtension("ANGLE_instanced_arrays"));
  if (!isEnough) {
    document.getElementById("refusal").hidden = false;
    return;
  }
  window.studio = new Studio();
}

beginStudio();
