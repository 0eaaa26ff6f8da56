// SPDX-License-Identifier: MIT
// Files: designs and sessions are opened by a button or dropped, and saved in several formats. The last body is kept by the browser.
"use strict";

const MAX_FILE = 256 << 20; // bytes
const KEPT_BODY = "voxelastic studio: body"; // in localStorage
const KEEP_AFTER = 800; // ms without a change
const OPENED = ".vxa,.vxc,.vxd,.json,.vox,.npy,.npz";

// The surface at present, as binary STL in mm: two triangles for each quad.
function stlOf(corners) {
  const quads = corners.length / 12;
  const bytes = new ArrayBuffer(84 + 100 * quads);
  const view = new DataView(bytes);
  new TextEncoder().encodeInto("surface of voxels, in mm", new Uint8Array(bytes, 0, 80));
  view.setUint32(80, 2 * quads, true);
  const corner = (at) => new THREE.Vector3(corners[at], corners[at + 1], corners[at + 2]).multiplyScalar(1000);
  let at = 84;
  for (let quad = 0; quad < quads; quad++) {
    const [a, b, c, d] = [0, 3, 6, 9].map((k) => corner(12 * quad + k));
    for (const [p, q, r] of [[a, b, c], [a, c, d]]) {
      const normal = new THREE.Vector3().crossVectors(q.clone().sub(p), r.clone().sub(p)).normalize();
      [normal, p, q, r].forEach((vector, i) => vector.toArray().forEach((value, k) => view.setFloat32(at + 12 * i + 4 * k, value, true)));
      at += 50;
    }
  }
  return new Uint8Array(bytes);
}

// What the library noted about a file, in few words: what it ignored by names without their paths, and at most `most` of each kind.
function toldNotes(notes, most = 4) {
  const ignored = notes.filter((note) => note.startsWith("ignored: ")).map((note) => note.split("/").pop().replace("ignored: ", ""));
  const others = notes.filter((note) => !note.startsWith("ignored: "));
  const some = (list, mark) => list.slice(0, most).join(mark) + (list.length > most ? ` and ${list.length - most} more` : "");
  return [others.length ? some(others, "; ") : "", ignored.length ? "ignored: " + some(ignored, ", ") : ""].filter((part) => part).join("; ") + ".";
}

// What may be in the name of a file, on any system.
function fileName(name) {
  return name.replace(/[^\p{L}\p{N}._ -]+/gu, "-").replace(/^[. -]+|[. -]+$/g, "").slice(0, 80) || "robot";
}

// Lets the browser save bytes as a file.
function offer(bytes, name, type = "application/octet-stream") {
  const address = URL.createObjectURL(bytes instanceof Blob ? bytes : new Blob([bytes], { type }));
  const link = build("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

// A button that opens a list of actions: [[text, action]].
class Menu {
  constructor(name, actions) {
    this.button = build("button", { type: "button", textContent: name + " \u25be", "aria-haspopup": "menu", "aria-expanded": "false" });
    this.list = build("div", { className: "play-menu", role: "menu", "aria-label": name, hidden: true });
    this.items = actions.map(([text, action]) => {
      const item = build("button", { type: "button", textContent: text, role: "menuitem", tabIndex: -1 });
      item.addEventListener("click", () => { this.show(false); action(); });
      return item;
    });
    this.list.append(...this.items);
    this.button.addEventListener("click", () => this.show(this.list.hidden));
    this.list.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("pointerdown", ({ target }) => this.button.contains(target) || this.list.contains(target) || this.show(false), true);
  }

  show(on) {
    if (on === !this.list.hidden) {
      return;
    }
    const box = this.button.getBoundingClientRect();
    this.list.hidden = !on;
    this.button.setAttribute("aria-expanded", String(on));
    if (on) {
      this.list.style.top = box.bottom + 4 + "px";
      this.list.style.left = Math.max(4, Math.min(box.left, innerWidth - this.list.offsetWidth - 4)) + "px";
      this.items[0].focus();
    }
  }

  key(event) {
    const at = this.items.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    event.stopPropagation();
    if (to !== undefined) {
      event.preventDefault();
      this.items[(to + this.items.length) % this.items.length].focus();
    } else if (event.key === "Escape" || event.key === "Tab") {
      this.show(false);
      this.button.focus();
    }
  }
}

class Files {
  constructor(host, container) {
    this.host = host;
    this.sessions = new Sessions(host);
    this.saved = [
      ["design .vxa", () => this.saveDesign(".vxa")],
      ["scene .json (keeps all)", () => this.saveDesign(".json")],
      ["session", () => this.saveSession()],
      ["picture .png", () => this.savePicture()],
      ["surface .stl", () => this.saveSurface()],
    ];
    this.buildButtons(container);
    this.acceptDrops(document.documentElement);
  }

  buildButtons(container) {
    this.input = build("input", { type: "file", accept: OPENED, hidden: true, "aria-label": "a file to open" });
    this.input.addEventListener("change", () => {
      const [file] = this.input.files;
      this.input.value = "";
      if (file) {
        this.open(file);
      }
    });
    const open = build("button", { type: "button", textContent: "open", title: "open a design or a session" });
    open.addEventListener("click", () => this.input.click());
    this.menu = new Menu("save", this.saved.map(([text, action]) => [text, () => this.attempt(action)]));
    container.append(open, this.input, this.menu.button, this.menu.list);
  }

  acceptDrops(target) {
    target.addEventListener("dragover", (event) => {
      if (event.dataTransfer && Array.from(event.dataTransfer.types).includes("Files")) {
        event.preventDefault();
        target.classList.add("dropping");
      }
    });
    target.addEventListener("dragleave", (event) => event.relatedTarget || target.classList.remove("dropping"));
    target.addEventListener("drop", (event) => {
      const file = event.dataTransfer && event.dataTransfer.files[0];
      target.classList.remove("dropping");
      if (file) {
        event.preventDefault();
        this.open(file);
      }
    });
  }

  // Does something when the engine is there; what goes wrong is said. True if it was done.
  async attempt(action) {
    try {
      await this.host.ready;
      await action();
      return true;
    } catch (error) {
      this.host.say(error.message, true);
      return false;
    }
  }

  // Opens a File, or {name, bytes}. Only what could be read takes the place of the drawing.
  open(file) {
    return this.attempt(async () => {
      if (file.size > MAX_FILE) {
        throw new Error(`${file.name} is too large: the studio reads files up to ${MAX_FILE >> 20} MiB.`);
      }
      const bytes = file.bytes instanceof Uint8Array ? file.bytes : new Uint8Array(await this.bytesOf(file));
      if (bytes.length === 0) {
        throw new Error(`${file.name} is empty.`);
      }
      const session = bytes[0] === 0x7b ? readSession(new TextDecoder().decode(bytes)) : null;
      if (session) {
        await this.sessions.replay(session);
        return;
      }
      const { scene, notes } = await this.host.engine.read(file.name, bytes);
      this.host.take(scene, file.name);
      this.host.say(notes.length ? `${file.name}: ${toldNotes(notes)}` : "");
    });
  }

  async bytesOf(file) {
    try {
      return await file.arrayBuffer();
    } catch (error) {
      throw new Error(`${file.name} can not be read: ${error.message}`);
    }
  }

  name() {
    return fileName((this.host.name && this.host.name()) || "robot");
  }

  async saveDesign(format) {
    this.host.needVoxel("save");
    const scene = this.host.text();
    const name = this.name() + format;
    const { bytes, notes } = await this.host.engine.write(scene, name);
    offer(bytes, name);
    this.host.say(notes.length ? `Saved. In a ${format} file differ: ${toldNotes(notes, 8)} A scene (.json) keeps all.` : `Saved: ${name}.`);
  }

  async saveSession() {
    const text = await this.sessions.text();
    offer(text, this.name() + ".session.json", "application/json");
    this.host.say("Saved: the session can be opened here, or run by voxelastic run --session.");
  }

  async savePicture() {
    const { view } = this.host;
    view.draw(); // what was drawn earlier may be gone
    const blob = await new Promise((done) => view.renderer.domElement.toBlob(done, "image/png"));
    if (!blob) {
      throw new Error("The browser gives no picture of this size: make the window smaller.");
    }
    offer(blob, this.name() + ".png");
  }

  // The surface as it is at present; while drawing, the surface at rest.
  async saveSurface() {
    const { play, engine } = this.host;
    const corners = play.started ? play.live.surface.positions.array : (await engine.open(this.host.text(), { stepScale: 1 })).corners;
    offer(stlOf(corners), this.name() + ".stl", "model/stl");
  }

  // Keeps the body a moment after each change; one that was only looked at takes no other's place.
  watch(body) {
    this.watched = body;
    this.looked();
    body.on("change", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.keepChanged(), KEEP_AFTER);
    });
    window.addEventListener("pagehide", () => this.keepChanged());
  }

  // The body is as the page opened it.
  looked() {
    this.opened = this.watched.version;
  }

  keepChanged() {
    clearTimeout(this.timer);
    if (this.watched.version !== this.opened) {
      this.keep(this.watched.text());
    }
  }

  keep(text) {
    try {
      localStorage.setItem(KEPT_BODY, text);
      return true;
    } catch (error) {
      return false; // refused, or full: the page goes on without
    }
  }

  kept() {
    try {
      return localStorage.getItem(KEPT_BODY);
    } catch (error) {
      return null;
    }
  }
}
