// SPDX-License-Identifier: MIT
// The bar of tools, and the strip of what can be set for the tool that is chosen.
"use strict";

// Drawings of 24 by 24, as paths of lines.
const ICONS = {
  brush: "M4 20c0-3 1-5 4-5s4 3 2 4.500c-1.500 1.200-4 .5-6 .5zM9 14 18 4l2.500 2.500L11 16",
  repaint: "M4 5h13v5H4zM17 7h3v6h-9v3M9.500 16h3v5h-3z",
  erase: "M8 20h12M5 15l8.500-8.500 5.500 5.500-8 8H8zM9.500 10.500l5.500 5.500",
  box: "M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8",
  line: "M5 19 19 5M3.500 17.500h3v3h-3zM17.500 3.500h3v3h-3z",
  fill: "M5 11l7-7 7 7-7 7zM4 11h14M9 4l3 3M20 15c1.500 2 1.500 4 0 4s-1.500-2 0-4z",
  pick: "M4 20l1-4 8-8 3 3-8 8zM12 7l1.500-1.500M14 4l6 6M16 8l3-3",
  select: "M4 4h3M10 4h4M17 4h3v3M20 10v4M20 17v3h-3M14 20h-4M7 20H4v-3M4 14v-4M4 7V4",
  move: "M12 3v18M3 12h18M9.500 5.500 12 3l2.500 2.500M9.500 18.500 12 21l2.500-2.500M5.500 9.500 3 12l2.500 2.500M18.500 9.500 21 12l-2.500 2.500",
  paint: "M3 12c2-7 4-7 6 0s4 7 6 0 4-7 6 0",
  gradient: "M4 18h3v-3H4zM10 18h4v-7h-4zM17 18h3V6h-3zM4 21h16",
  fix: "M8 11V8a4 4 0 0 1 8 0v3M6 11h12v9H6zM12 14v3",
  push: "M3 12h11M10 8l4 4-4 4M17 5v14M20 5v14",
  undo: "M8 5 4 9l4 4M4 9h9a6 6 0 0 1 0 12h-3",
  redo: "M16 5l4 4-4 4M20 9h-9a6 6 0 0 0 0 12h3",
  home: "M4 11l8-7 8 7M6 10v10h12V10M10 20v-6h4v6",
  nearer: "M12 5v14M5 12h14",
  farther: "M5 12h14",
  help: "M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 17.500v.5M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  turns: "M4 12a8 4 0 1 0 8-4M12 8l3-3M12 8l3 3M12 12v.5",
};
const TOOL_GROUPS = [["brush", "erase", "box", "line"], ["repaint", "fill", "pick"], ["select", "move"], ["paint", "gradient"], ["fix", "push"]];

function icon(name) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  picture.append(path);
  return picture;
}

// A button with a picture; the tooltip tells its key.
function iconButton(name, label, key, hint, act) {
  const title = label + (key ? ` (${key})` : "") + (hint ? ": " + hint : "");
  const button = build("button", { type: "button", class: "icon", title, "aria-label": label }, icon(name));
  if (key) {
    button.setAttribute("aria-keyshortcuts", key);
  }
  button.addEventListener("click", act);
  return button;
}

class Toolbar {
  constructor(bar, strip, studio) {
    Object.assign(this, { studio, tools: studio.tools });
    this.buttons = new Map();
    for (const names of TOOL_GROUPS) {
      const group = build("div", { class: "tool-group" });
      for (const name of names) {
        const { label, key, hint } = TOOLS[name];
        const button = iconButton(name, label, key, hint, () => studio.draw(name));
        this.buttons.set(name, button);
        group.append(button);
      }
      bar.append(group);
    }
    bar.addEventListener("keydown", (event) => this.keyDown(event, bar));
    this.strip(strip);
    this.tools.on("change", () => this.show());
    studio.body.on("change", () => this.showPlane());
    this.show();
  }

  // Arrows go from tool to tool, as in any tool bar.
  keyDown(event, bar) {
    const buttons = [...bar.querySelectorAll("button")];
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const at = buttons.indexOf(event.target);
    if (by && at >= 0) {
      event.preventDefault();
      const next = buttons[(at + by + buttons.length) % buttons.length];
      buttons.forEach((button) => (button.tabIndex = button === next ? 0 : -1));
      next.focus();
    }
  }

  strip(strip) {
    const { tools } = this;
    this.title = build("strong", {});
    this.size = this.slider("size", 1, 8, 1, "+ and −", (value) => tools.set({ size: value }));
    this.through = tickBox({ label: "through", title: "also what is behind", commit: (on) => tools.set({ through: on }) });
    this.layer = this.choice("of", Object.entries(PAINTS).map(([name, { label, key }]) => [name, label, key]), (name) => tools.set({ layer: name }));
    this.value = this.slider("value", 0, 1, 0.01, "", (value) => tools.set({ values: { ...tools.values, [tools.layer]: value } }));
    this.from = this.number("from", (value) => tools.set({ from: value }));
    this.to = this.number("to", (value) => tools.set({ to: value }));
    this.force = [0, 1, 2].map((axis) => this.number("xyz"[axis],
      (value) => tools.set({ force: tools.force.map((part, other) => (other === axis ? value : part)) }), "N"));
    this.acts = this.actions();
    this.mirror = this.choice("mirror", [["none", "none"], ["x", "x"], ["y", "y"], ["xy", "x and y"]],
      (name) => tools.setMirror(name.includes("x"), name.includes("y")), "m");
    this.axis = this.choice("layers", [["off", "off"], ["0", "x"], ["1", "y"], ["2", "z"]],
      (name) => tools.setPlane(name === "off" ? null : Number(name)), "[ and ]");
    this.level = this.slider("up to", 0, 7, 1, "[ and ]", (value) => tools.setPlane(tools.plane.axis, value));
    strip.append(this.title, this.size.element, this.layer.element, this.value.element, this.from.element, this.to.element, this.through.element,
      ...this.force.map(({ element }) => element), this.acts, build("span", { class: "gap" }), this.mirror.element, this.axis.element,
      this.level.element);
  }

  slider(label, min, max, step, keys, act) {
    const input = build("input", { type: "range", min, max, step, "aria-label": label });
    const output = build("output", {});
    input.addEventListener("input", () => act(Number(input.value)));
    return { input, output, element: build("label", { class: "option", title: keys ? `${label} (${keys})` : label }, label + " ", input, output) };
  }

  choice(label, choices, act, keys = "") {
    const options = choices.map(([value, text, key]) => new Option(key ? `${text} (${key})` : text, value));
    const input = build("select", { "aria-label": label }, ...options);
    input.addEventListener("change", () => act(input.value));
    return { input, element: build("label", { class: "option", title: keys ? `${label} (${keys})` : label }, label + " ", input) };
  }

  number(label, act, unit = "") {
    const field = new NumberField({ label, unit, commit: act });
    field.element.classList.add("option");
    return field;
  }

  // What can be done with what is selected, or with the whole body.
  actions() {
    const { tools } = this;
    const button = (text, title, act) => {
      const made = build("button", { type: "button", textContent: text, title });
      made.addEventListener("click", act);
      return made;
    };
    const turn = build("select", { title: "a quarter turn (t)", "aria-label": "turn" }, new Option("turn…", ""),
      ...[2, 0, 1].map((axis) => new Option("about " + "xyz"[axis], axis)));
    const flip = build("select", { title: "mirror image", "aria-label": "flip" }, new Option("flip…", ""),
      ...[0, 1, 2].map((axis) => new Option("along " + "xyz"[axis], axis)));
    turn.addEventListener("change", () => (tools.turn(Number(turn.value)), (turn.value = "")));
    flip.addEventListener("change", () => (tools.flip(Number(flip.value)), (flip.value = "")));
    this.paste = button("paste", "Paste (ctrl v): click where", () => tools.choose("paste"));
    return build("span", { class: "acts" }, button("all", "Select all (ctrl a)", () => tools.selectAll()),
      button("copy", "Copy (ctrl c)", () => tools.copy()),
      button("cut", "Cut (ctrl x)", () => tools.cut()), this.paste, button("delete", "Take away what is selected (delete)", () => tools.remove()),
      turn, flip);
  }

  show() {
    const { tools } = this;
    const { name, layer, plane } = tools;
    for (const [other, button] of this.buttons) {
      button.setAttribute("aria-pressed", String(other === name));
      button.tabIndex = other === name || (name === "paste" && other === "select") ? 0 : -1;
    }
    this.title.textContent = TOOLS[name].label;
    this.title.title = TOOLS[name].hint;
    const isStroke = tools.tool.kind === "stroke";
    const isValue = name === "paint" || name === "gradient";
    const shown = (part, on) => (part.element.hidden = !on);
    shown(this.size, isStroke);
    shown(this.through, name === "repaint" || name === "paint");
    shown(this.layer, isValue);
    shown(this.value, name === "paint");
    shown(this.from, name === "gradient");
    shown(this.to, name === "gradient");
    this.force.forEach((field) => shown(field, name === "push"));
    this.acts.hidden = !["select", "move", "paste"].includes(name);
    this.paste.disabled = !tools.clipboard;
    this.size.input.value = this.size.output.value = tools.size;
    this.through.input.checked = tools.through;
    this.layer.input.value = layer;
    this.showValue(PAINTS[layer], tools.values[layer]);
    this.from.show(tools.from);
    this.to.show(tools.to);
    this.force.forEach((field, axis) => field.show(tools.force[axis]));
    this.mirror.input.value = tools.mirror.map((sum, axis) => (sum === null ? "" : "xy"[axis])).join("") || "none";
    this.axis.input.value = plane.axis === null ? "off" : String(plane.axis);
    this.showPlane();
  }

  showValue({ least, most, step, unit }, value) {
    Object.assign(this.value.input, { min: Math.min(least, value), max: Math.max(most, value), step });
    this.value.input.value = value;
    this.value.output.value = Number(value.toFixed(3)) + (unit ? " " + unit : "");
    this.value.output.style.borderBottom = `4px solid ${hexOf(layerColor(this.tools.layer, value))}`;
  }

  showPlane() {
    const { axis, level } = this.tools.plane;
    this.level.element.hidden = axis === null;
    if (axis !== null) {
      const { low, high } = this.studio.body.bounds() ?? { low: [0, 0, 0], high: [7, 7, 7] };
      Object.assign(this.level.input, { min: Math.min(low[axis], 0, level), max: Math.max(high[axis] + 1, level, 7) });
      this.level.input.value = this.level.output.value = level;
    }
  }
}
