// SPDX-License-Identifier: MIT
// The player: time, controls, legend and plot.
"use strict";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];

class Player {
  constructor(robots) {
    this.drawn = 0;
    this.stage = new Stage(element("view"));
    this.door = new StudioDoor();
    fillSelect(element("speed"), SPEEDS.map((speed) => [String(speed), speed + "×"]), "1");
    fillSelect(element("color"), Object.keys(COLOR_MODES).map((color) => [color, color]), "material");
    fillSelect(element("quantity"), Object.entries(QUANTITIES), "way");
    this.take(robots);
    this.connect();
    requestAnimationFrame((now) => this.tick(now));
  }

  // Shows these robots in place of those shown before.
  take(robots) {
    this.robots = robots;
    this.begin = Math.min(...robots.map((robot) => robot.times[0]));
    this.end = Math.max(...robots.map((robot) => robot.times[robot.count - 1]));
    this.time = this.begin;
    this.stage.clear();
    this.stage.addRobots(robots);
    this.centre = this.stage.aim(() => [0, 0]);
    const shown = robots.filter((robot) => !robot.isGhost);
    element("title").textContent = (shown.length === 1 ? shown[0].name : document.title) +
      robots.filter((robot) => robot.note).map((robot) => " \u2013 " + (shown.length > 1 ? robot.name + " " : "") + robot.note).join("");
    element("scale").textContent = this.stage.views.some((view) => view.grid) ? "grid: " + short(this.stage.spacing) + " m" : "";
    element("ghosts").parentElement.hidden = shown.length === robots.length;
    this.door.offer(shown);
    this.choose();
    this.play(false);
    this.legend();
  }

  // Draws what the boxes of the panel choose.
  choose() {
    for (const view of this.stage.views) {
      view.edges.visible = element("edges").checked;
      view.trace.visible = element("trace").checked;
      view.group.visible = element("ghosts").checked || !view.robot.isGhost;
    }
  }

  connect() {
    const again = () => { this.dirty = true; };
    element("play").onclick = () => this.play(!this.playing);
    element("scrub").oninput = () => this.seek(this.begin + Number(element("scrub").value) * (this.end - this.begin));
    element("color").onchange = () => { this.legend(); again(); };
    element("quantity").onchange = again;
    element("home").onclick = () => { this.stage.home(); this.centre = this.stage.aim(() => [0, 0]); again(); };
    element("follow").onchange = () => { this.stage.look(this.centre); again(); };
    for (const id of ["edges", "trace", "ghosts"]) {
      element(id).onchange = () => { this.choose(); again(); };
    }
    this.stage.controls.addEventListener("change", again);
    window.addEventListener("resize", again);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.stage.paint(); again(); });
    document.addEventListener("keydown", (event) => this.key(event));
    const pick = (event) => {
      const box = element("plot").getBoundingClientRect();
      const part = (event.clientX - box.left - this.margin) / (box.width - this.margin);
      this.seek(this.begin + Math.min(Math.max(part, 0), 1) * (this.end - this.begin));
    };
    element("plot").onpointerdown = (event) => { element("plot").setPointerCapture(event.pointerId); pick(event); };
    element("plot").onpointermove = (event) => { if (event.buttons) { pick(event); } };
  }

  key(event) {
    const { tagName, type } = event.target;
    if (document.body.classList.contains("front") || tagName === "SELECT" || event.ctrlKey || event.metaKey ||
        (event.key === " " && (tagName === "BUTTON" || type === "checkbox"))) {
      return;
    }
    const step = (this.end - this.begin) / Math.max(1, ...this.robots.map((robot) => robot.count - 1));
    const select = (id, way) => {
      const list = element(id);
      list.selectedIndex = (list.selectedIndex + way + list.length) % list.length;
      list.dispatchEvent(new Event("change"));
    };
    const flip = (id) => { element(id).checked = !element(id).checked; element(id).dispatchEvent(new Event("change")); };
    const actions = {
      " ": () => this.play(!this.playing), ArrowLeft: () => this.seek(this.time - step), ArrowRight: () => this.seek(this.time + step),
      Home: () => this.seek(this.begin), End: () => this.seek(this.end), "+": () => select("speed", 1), "-": () => select("speed", -1),
      c: () => select("color", 1), f: () => flip("follow"), e: () => flip("edges"), g: () => flip("ghosts"),
    };
    if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  play(on) {
    if (on && this.time >= this.end) {
      this.time = this.begin;
    }
    this.playing = on;
    this.dirty = true;
    element("play").innerHTML = on ? "&#10074;&#10074;" : "&#9654;";
    element("play").setAttribute("aria-label", on ? "pause" : "play");
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.begin), this.end);
    this.dirty = true;
  }

  // The last frame that is not after the present time, and which part of the way to the next frame has passed.
  momentOf(robot) {
    let low = 0;
    let high = robot.count;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      [low, high] = robot.times[middle] <= this.time ? [middle, high] : [low, middle];
    }
    const span = low + 1 < robot.count ? robot.times[low + 1] - robot.times[low] : 0;
    return [low, span > 0 ? Math.max(0, (this.time - robot.times[low]) / span) : 0];
  }

  async tick(now) {
    if (this.playing) {
      const spent = Math.min((now - (this.last || now)) / 1000, 0.25);
      this.seek(this.time + spent * Number(element("speed").value));
      if (this.time >= this.end) {
        this.play(false);
      }
    }
    this.last = now;
    try {
      if (this.dirty) {
        this.dirty = false;
        await this.show();
      }
    } catch (error) {
      this.play(false);
      say(String(error));
    }
    requestAnimationFrame((later) => this.tick(later));
  }

  async show() {
    for (const view of this.stage.views) {
      await view.show(...this.momentOf(view.robot), element("color").value);
    }
    const momentOf = (robot) => this.momentOf(robot);
    const centre = this.stage.aim(momentOf);
    if (element("follow").checked) {
      this.stage.move(centre.clone().sub(this.centre));
      this.stage.fit(momentOf);
    }
    this.centre = centre;
    element("time").textContent = this.time.toFixed(3) + " / " + this.end.toFixed(3) + " s";
    element("scrub").value = this.end > this.begin ? (this.time - this.begin) / (this.end - this.begin) : 0;
    this.stage.draw();
    this.names(momentOf);
    this.plot();
    this.drawn++;
  }

  // Writes the name of each robot above it, where there are several. Names that would cover each other are put one above the other.
  names(momentOf) {
    const list = element("names");
    const shown = this.stage.shown(momentOf);
    const placed = [];
    list.textContent = "";
    for (const { view, place } of shown.length > 1 ? shown : []) {
      const { clientWidth: width, clientHeight: height } = this.stage.canvas;
      const at = this.stage.label(view, place);
      if (!at.inSight) {
        continue;
      }
      const label = document.createElement("span");
      label.textContent = view.robot.name;
      label.style.borderColor = LINES[view.number % LINES.length];
      list.append(label);
      const [wide, high] = [label.offsetWidth, label.offsetHeight];
      const left = Math.min(Math.max(((1 + at.x) * width - wide) / 2, 2), width - wide - 2);
      let upper = Math.max(((1 - at.upper) * height) / 2 - high - 4, 2);
      while (upper > high && placed.some((other) => left < other.left + other.wide && other.left < left + wide && Math.abs(upper - other.upper) < high)) {
        upper -= high / 2;
      }
      placed.push({ left, wide, upper });
      label.style.left = left + "px";
      label.style.top = upper + "px";
    }
  }

  legend() {
    const legend = element("legend");
    const color = element("color").value;
    const line = (swatch, text) => {
      const row = document.createElement("div");
      const mark = document.createElement("span");
      mark.className = "swatch";
      mark.style.background = swatch;
      row.append(mark, text);
      legend.append(row);
    };
    const css = (rgb) => "rgb(" + rgb.slice(0, 3).map((value) => Math.round(255 * value)).join(",") + ")";
    legend.textContent = "";
    const shown = this.robots.filter((robot) => !robot.isGhost);
    if (shown.length > 1) {
      shown.forEach((robot, number) => line(LINES[number % LINES.length], robot.name));
    }
    if (shown.length < this.robots.length) {
      const note = document.createElement("div");
      note.textContent = "transparent: " + (this.robots.length - shown.length) + " other copies";
      legend.append(note);
    }
    const first = this.stage.views[0];
    if (!COLOR_MODES[color].stops) { // the colors of materials and bodies
      const seen = new Set();
      for (const robot of this.robots) {
        const used = new Set(robot.material);
        robot.materials.forEach((material, i) => {
          const text = material.name || "material " + (i + 1);
          if (used.has(i) && !seen.has(text + material.color)) {
            seen.add(text + material.color);
            line(css(material.color), text);
          }
        });
        robot.bodies.forEach((body) => {
          if (!seen.has(body.name + body.color)) {
            seen.add(body.name + body.color);
            line(css(body.color), body.name);
          }
        });
      }
      return;
    }
    const { stops, negative, label } = COLOR_MODES[color];
    const max = first.ranges[color] || 1;
    const min = negative ? -max : 0;
    const bar = document.createElement("div");
    bar.className = "bar";
    bar.style.background = "linear-gradient(90deg," + stops.map(css).join(",") + ")";
    const ends = document.createElement("div");
    ends.className = "ends";
    for (const value of [min, max]) {
      const end = document.createElement("span");
      end.textContent = short(value);
      ends.append(end);
    }
    legend.append(label, bar, ends);
  }

  plot() {
    const canvas = element("plot");
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const name = element("quantity").value;
    const all = this.robots.map((robot) => robot.series[name]);
    const min = Math.min(...all.map((values) => values.reduce((a, b) => Math.min(a, b), Infinity)));
    const max = Math.max(...all.map((values) => values.reduce((a, b) => Math.max(a, b), -Infinity)));
    this.margin = 56;
    const x = (time) => this.margin + ((width - this.margin - 4) * (time - this.begin)) / (this.end - this.begin || 1);
    const y = (value) => height - 16 - ((height - 24) * (value - min)) / (max - min || 1);
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = colorSetting("--faint");
    pen.textAlign = "right";
    pen.fillText(short(max), this.margin - 6, 14);
    pen.fillText(short(min), this.margin - 6, height - 14);
    pen.textAlign = "left";
    pen.fillText(short(this.begin) + " s", this.margin, height - 2);
    pen.textAlign = "right";
    pen.fillText(short(this.end) + " s", width - 4, height - 2);
    pen.strokeStyle = colorSetting("--line");
    pen.strokeRect(this.margin, 6, width - this.margin - 4, height - 22);
    all.forEach((values, number) => {
      pen.strokeStyle = LINES[this.stage.views[number].number % LINES.length];
      pen.globalAlpha = this.robots[number].isGhost ? 2 * GHOST : 1;
      pen.lineWidth = 1.5;
      pen.beginPath();
      values.forEach((value, k) => pen.lineTo(x(this.robots[number].times[k]), y(value)));
      pen.stroke();
    });
    pen.globalAlpha = 1;
    pen.strokeStyle = colorSetting("--ink");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x(this.time), 6);
    pen.lineTo(x(this.time), height - 16);
    pen.stroke();
  }
}

// All robots of the page; each is loaded when it is first asked for.
const robots = JSON.parse(element("robots").textContent).map((facts, index) => new Robot(facts, index));
let request = 0;

function say(text) {
  element("message").style.display = text ? "grid" : "none";
  element("message").textContent = text;
}

// Shows robots by number, each with its ghosts. Returns false where the user chose others meanwhile.
async function show(numbers) {
  const mine = ++request;
  try {
    say("loading\u2026");
    const chosen = [];
    for (const number of numbers) {
      for (const robot of [robots[number], ...robots.filter((other) => other.ghost_of === number)]) {
        chosen.push(await robot.ready());
      }
    }
    if (mine !== request) {
      return false;
    }
    say("");
    if (window.replay) {
      window.replay.take(chosen);
    } else {
      window.replay = new Player(chosen);
    }
    return true;
  } catch (error) {
    say("This replay needs a browser with WebGL and DecompressionStream (of 2023 or later). " + error);
    throw error;
  }
}

// A page with a front shows the front first, and then the robot, or the robots side by side, that are chosen there.
function begin() {
  if (!element("front")) {
    show(robots.map((_, number) => number).filter((number) => !robots[number].isGhost));
    return;
  }
  const front = (on) => document.body.classList.toggle("front", on);
  front(true);
  document.body.classList.add("fronted");
  element("back").onclick = () => {
    request++;
    say("");
    if (window.replay) {
      window.replay.play(false);
    }
    front(true);
  };
  for (const card of document.querySelectorAll("[data-robot]")) {
    card.addEventListener("click", async () => {
      front(false);
      if (await show(card.dataset.robot.split(" ").map(Number))) {
        window.replay.play(true);
      }
    });
  }
}

begin();
