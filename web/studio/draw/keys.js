// SPDX-License-Identifier: MIT
// The keyboard: keys of tools, the cursor by which all can be drawn without a pointer, and the page of help, which lists them.
"use strict";

// What the help says, by heading. Keys of tools are added from TOOLS.
const HELP = {
  "The cursor": [
    ["arrows", "move the cursor of cells; with shift they turn the camera"],
    ["page up, down", "the cursor up and down; with shift nearer and farther"],
    ["enter", "draw at the cursor, or set a corner, an end"], ["escape", "give up, or take the selection away"]],
  "Drawing": [
    ["1 to 9", "material; 0 to 9 the group while groups are painted"], ["+ and −", "size of the brush"],
    ["a, q, u", "paint amplitude, frequency, group"],
    ["m", "mirror: x, y, both, none"], ["[ and ]", "plane of layers down and up"],
    ["t", "quarter turn about z; with shift about x, with alt about y"],
    ["ctrl z, ctrl y", "undo, redo"], ["ctrl c, x, v, a", "copy, cut, paste, select all"], ["delete", "take away what is selected"]],
  "Playing": [["space", "play, or back to drawing"], ["p", "pause, or go on"], [".", "one step"], ["0", "back to rest"],
    ["q w e r", "drive groups 0 to 3; with shift the other way"],
    ["enter", "hold the voxel in the middle; arrows pull it, enter or escape lets it go"]],
  "The picture": [
    ["h", "home: the whole body"], ["right button", "turn; so do two fingers"], ["wheel, pinch", "nearer and farther"], ["middle button", "move"],
    ["left button", "beside the floor: turn"], ["long press", "pick the material"]],
};

class Keys {
  constructor(studio) {
    this.studio = studio;
    this.cursor = null;
    document.addEventListener("keydown", (event) => this.down(event));
  }

  // Where keys are text, or belong to a control that has the focus.
  isTaken(event) {
    const { target } = event;
    const isControl = target.closest?.("select, textarea, summary, dialog, [contenteditable], input:not([type=range]):not([type=checkbox])");
    const isSet = target.type === "range" ? /^(Arrow|Home|End|Page)/.test(event.key) : target.type === "checkbox" && event.key === " ";
    const isPressed = target.closest?.("button, a, [role=option], [role=tab]") && [" ", "Enter"].includes(event.key);
    const moves = target.closest?.("[role=listbox], [role=tablist], [role=toolbar]") && /^(Arrow|Home|End|Page)/.test(event.key);
    return Boolean(isControl || isSet || isPressed || moves);
  }

  down(event) {
    if (event.defaultPrevented || this.isTaken(event)) {
      return;
    }
    const { studio } = this;
    const isAltGraph = event.getModifierState("AltGraph"); // by which many keyboards type brackets; Windows tells it as ctrl and alt
    const isAlt = event.altKey && !isAltGraph;
    const letter = isAlt && /^Key[A-Z]$/.exec(event.code) ? event.code[3] : event.key; // with alt a Mac writes other letters
    const key = letter.length === 1 ? letter.toLowerCase() : letter;
    const name = ((event.ctrlKey || event.metaKey) && !isAltGraph ? "ctrl " : "") + (event.shiftKey && (event.key.length > 1 || /[a-z]/.test(key)) ? "shift " : "") +
      key;
    const general = { " ": () => studio.toggle(), h: () => studio.home(), "?": () => studio.help() };
    const playing = { p: () => studio.play.toggle(), ".": () => studio.play.step(), 0: () => studio.play.rest() };
    const act = general[name] ?? (studio.state === "draw" ? this.ofDrawing(name, event) : playing[name]);
    if (act && !(isAlt && name !== "t")) {
      event.preventDefault();
      act();
    }
  }

  ofDrawing(name, event) {
    const { body, tools, view } = this.studio;
    const commands = {
      "ctrl z": () => body.undo(), "ctrl y": () => body.redo(), "ctrl shift z": () => body.redo(),
      "ctrl c": () => tools.copy(), "ctrl x": () => tools.cut(), "ctrl v": () => tools.clipboard && tools.choose("paste"),
      "ctrl a": () => tools.selectAll(),
      Delete: () => tools.selection && tools.remove(), Backspace: () => tools.selection && tools.remove(),
      m: () => tools.nextMirror(), t: () => tools.turn(event.altKey ? 1 : 2), "shift t": () => tools.turn(0),
      "[": () => this.layer(-1), "]": () => this.layer(1),
      "+": () => tools.set({ size: Math.min(tools.size + 1, 8) }), "=": () => tools.set({ size: Math.min(tools.size + 1, 8) }),
      "-": () => tools.set({ size: Math.max(tools.size - 1, 1) }),
      Escape: () => this.escape(), Enter: () => this.cursor && tools.enter(this.cursor),
      "shift ArrowLeft": () => view.orbit(-0.15, 0), "shift ArrowRight": () => view.orbit(0.15, 0), "shift ArrowUp": () => view.orbit(0, 0.15),
      "shift ArrowDown": () => view.orbit(0, -0.15), "shift PageUp": () => view.orbit(0, 0, 1.2), "shift PageDown": () => view.orbit(0, 0, 1 / 1.2),
    };
    const layer = Object.keys(PAINTS).find((paint) => PAINTS[paint].key === name);
    const tool = Object.keys(TOOLS).find((other) => TOOLS[other].key === name);
    if (layer) {
      return () => this.paint(layer);
    }
    return commands[name] ?? (tool ? () => tools.choose(tool) : /^[0-9]$/.test(name) ? () => this.digit(Number(name)) : this.step(name));
  }

  // A layer to paint: the gradient stays where it is chosen.
  paint(layer) {
    const { tools } = this.studio;
    tools.set({ layer });
    if (tools.name !== "gradient" || layer === "PhaseOffset") {
      tools.choose("paint");
    }
  }

  digit(number) {
    const { tools, body } = this.studio;
    if (["paint", "gradient"].includes(tools.name) && tools.layer === "Group") {
      tools.set({ values: { ...tools.values, Group: number } });
    } else if (number > 0 && number <= body.materials.length) {
      tools.set({ material: number - 1 });
    }
  }

  layer(by) {
    const { tools } = this.studio;
    const { axis, level } = tools.plane;
    tools.setPlane(axis ?? 2, axis === null ? undefined : level + by);
  }

  escape() {
    const { tools } = this.studio;
    if (tools.stroke) {
      tools.cancel();
      tools.say("");
    } else if (tools.selection) {
      tools.select(null);
    } else {
      this.show(null);
    }
  }

  // The cursor, or with the tool move what is selected, goes by a cell.
  step(name) {
    const { view, tools } = this.studio;
    const { right, away } = view.screenAxes();
    const back = (step) => step.map((part) => -part);
    const by = { ArrowRight: right, ArrowLeft: back(right), ArrowUp: away, ArrowDown: back(away), PageUp: [0, 0, 1], PageDown: [0, 0, -1] }[name];
    if (!by) {
      return null;
    }
    return tools.name === "move" ? () => tools.nudge(by) : () => this.show(this.cursor ? plus(this.cursor, by) : this.start());
  }

  start() {
    const { view, tools, body } = this.studio;
    const { center } = view.middle();
    const cell = center.map(Math.floor);
    cell[2] = body.bounds() ? body.bounds().high[2] + 1 : 0;
    return tools.hover ? tools.placeOf(tools.hover) ?? cell : cell;
  }

  show(cell) {
    const { view, tools, body } = this.studio;
    if (cell === null && !this.cursor) {
      return;
    }
    this.cursor = cell;
    view.showCursor(cell);
    if (cell) {
      const voxel = body.cell(...cell);
      const what = voxel ? body.materials[voxel.material].name ?? "material " + voxel.material : "empty";
      document.getElementById("spoken").textContent = `${cell.join(", ")}: ${what}`;
      tools.point(cell);
    } else {
      tools.hover = null;
      tools.showGhost();
    }
  }
}

// The page of help, made of what the keys are.
function fillHelp(list) {
  const tools = Object.values(TOOLS).filter(({ key }) => key).map(({ key, label, hint }) => [key, `${label}: ${hint}`]);
  for (const [heading, rows] of Object.entries({ Tools: tools, ...HELP })) {
    const section = document.createElement("section");
    section.append(Object.assign(document.createElement("h3"), { textContent: heading }));
    const table = document.createElement("dl");
    for (const [key, says] of rows) {
      const keyed = document.createElement("dt");
      keyed.append(Object.assign(document.createElement("kbd"), { textContent: key }));
      table.append(keyed, Object.assign(document.createElement("dd"), { textContent: says }));
    }
    section.append(table);
    list.append(section);
  }
}
