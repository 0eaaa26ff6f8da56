// SPDX-License-Identifier: MIT
// The surroundings of the body: gravity, floor, actuation, what is held and pushed.
"use strict";

const FLOORS = { none: "none", level: "level", slope: "a slope", steps: "steps", other: "as in the file" };

// Steps that rise along x from where the body ends: rows of heights (m) a cell apart.
function stepHeights({ low, high }, edge, rise, depth) {
  const origin = [low[0] - 8, low[1] - 24];
  const columns = high[0] - low[0] + 80;
  const row = Array.from({ length: columns }, (_, i) => {
    const beyond = origin[0] + i - high[0] - 2; // cells behind the edge of the first step
    return beyond > 0 ? Math.ceil(beyond / depth) * rise * edge : 0;
  });
  const rows = high[1] - low[1] + 49;
  return { heights_m: Array.from({ length: rows }, () => row), spacing_m: edge, origin_m: origin.map((at) => at * edge) };
}

// Height and depth (cells) of the first step of such rows, or null where they do not rise.
function stepsOf([row], spacing, edge) {
  const first = row.findIndex((height) => height !== 0);
  if (first < 0) {
    return null;
  }
  const end = row.findIndex((height, at) => at > first && height !== row[first]);
  const inCells = (length) => Number((length / edge).toPrecision(6));
  return { rise: inCells(row[first]), depth: Math.max(1, Math.round(inCells(((end < 0 ? row.length : end) - first) * spacing))) };
}

class Environment {
  constructor(element, body, tools, check) {
    Object.assign(this, { body, tools, check });
    this.steps = { rise: 1, depth: 6 }; // cells
    const set = (key, change) => (value) => this.set(() => ({ [key]: change(value) }));
    this.name = build("input", { id: "design-name", type: "text", maxLength: 80, autocomplete: "off", spellcheck: false });
    this.name.addEventListener("change", () => body.edit([], { scene: { name: this.name.value } }));
    this.edge = new NumberField({ label: "Voxel size", unit: "mm", title: "edge of a voxel at rest",
      commit: (value) => this.set(() => this.resized(value / 1000)) });
    this.gravity = [0, 1, 2].map((axis) => new NumberField({
      label: "Gravity " + "xyz"[axis], unit: "m/s²",
      commit: set("gravity_m_per_s2", (value) => this.now().gravity.map((part, other) => (other === axis ? value : part))) }));
    this.collision = tickBox({ label: "Voxels push each other apart", title: "self-collision", commit: set("self_collision", (on) => on) });
    this.volume = tickBox({ label: "Poisson's ratio couples the axes", title: "volume effects", commit: set("volume_effects", (on) => on) });
    this.regions = build("div", { class: "regions" });
    const group = (heading, ...parts) => build("fieldset", {}, build("legend", { textContent: heading }), ...parts);
    element.append(
      group("Design", build("div", { class: "field" }, build("label", { for: "design-name", textContent: "Name" }), this.name), this.edge.element),
      group("Muscles", ...this.actuation()), group("Gravity", ...this.gravity.map((field) => field.element)), group("Floor", ...this.floor()),
      group("Contact", this.collision.element, this.volume.element), group("Held and pushed", this.regions));
    body.on("change", ({ scene, cells }) => (scene ? this.show() : cells && this.showRegions()));
    this.show();
  }

  // Changes the scene, if the library takes it; made of the scene once more after that answer, since an edit may have come between.
  async set(make) {
    await this.check(make());
    this.body.edit([], { scene: make() });
  }

  // Another voxel size: regions and floor keep their places among the cells.
  resized(edge) {
    const { scene } = this.body;
    const factor = edge / this.body.edge;
    const along = edge > 0 ? Object.entries({ regions: scene.regions, floor: scene.floor }).filter(([, part]) => part) : [];
    const scaled = ([key, part]) => [key, Array.isArray(part) ? part.map((one) => scaledLengths(one, factor)) : scaledLengths(part, factor)];
    return { voxel_size_m: edge, ...Object.fromEntries(along.map(scaled)) };
  }

  now() {
    const { scene } = this.body;
    return { gravity: scene.gravity_m_per_s2 ?? [0, 0, -9.81], floor: scene.floor ?? {}, actuation: scene.actuation ?? {} };
  }

  actuation() {
    const set = (key) => (value) => this.set(() => ({ actuation: { ...this.now().actuation, [key]: value } }));
    this.acts = tickBox({ label: "Muscles move", title: "a temperature swings, and muscles follow it", commit: set("enabled") });
    this.period = new NumberField({ label: "Period", unit: "s", title: "of the swing", commit: set("period_s") });
    this.amplitude = new NumberField({ label: "Amplitude", unit: "K", title: "times the expansion of a material: the part by which its edges change",
      commit: set("amplitude_K") });
    return [this.acts.element, this.period.element, this.amplitude.element];
  }

  floor() {
    const options = Object.entries(FLOORS).map(([value, label]) => new Option(label, value));
    this.kind = build("select", { id: "floor-kind" }, ...options);
    this.kind.addEventListener("change", () => this.setFloor(this.kind.value).catch((error) => this.tools.say(error.message, true)));
    const tilt = (axis) => new NumberField({ label: "Rise along " + "xy"[axis], unit: "°", commit: (value) => this.set(() => {
      const slope = (this.now().floor.slope ?? [0, 0]).map((part, other) => (other === axis ? Math.tan((value * Math.PI) / 180) : part));
      return { floor: { ...this.now().floor, slope, height_m: this.heightUnder(slope) } };
    }) });
    const step = (key, label) => new NumberField({ label, unit: "cells", commit: (value) => {
      if (!(value >= (key === "depth" ? 1 : -64) && value <= 64)) {
        throw new SceneError(key === "depth" ? "From 1 to 64 cells." : "From -64 to 64 cells.");
      }
      this.steps[key] = value;
      return this.setFloor("steps");
    } });
    this.height = new NumberField({ label: "Height", unit: "mm", title: "of the floor at the origin",
      commit: (value) => this.set(() => ({ floor: { ...this.now().floor, height_m: value / 1000 } })) });
    this.tilts = [tilt(0), tilt(1)];
    this.stepFields = [step("rise", "Step height"), step("depth", "Step depth")];
    this.stickyFloor = tickBox({ label: "Nothing slides on it", commit: (on) => this.set(() => ({ floor: { ...this.now().floor, sticky: on } })) });
    return [build("div", { class: "field" }, build("label", { for: "floor-kind", textContent: "Floor" }), this.kind),
      this.height.element, ...this.tilts.map(({ element }) => element), ...this.stepFields.map(({ element }) => element), this.stickyFloor.element];
  }

  floorKind() {
    const { enabled = true, slope = [0, 0], heights_m: heights } = this.now().floor;
    if (!enabled) {
      return "none";
    }
    return heights ? (this.isStairs(heights) ? "steps" : "other") : slope.some((part) => part) ? "slope" : "level";
  }

  isStairs(heights) {
    return heights.every((row) => row === heights[0] || row.every((height, at) => height === heights[0][at]));
  }

  // The height (m) at which a slope lies under all of the body.
  heightUnder(slope) {
    const { edge, cells } = this.body;
    const end = (at, part) => at + (part > 0 ? 1 : 0); // the side of a cell where the slope is higher
    let height = 0;
    for (const { i, j, k } of cells.values()) {
      height = Math.min(height, k - slope[0] * end(i, slope[0]) - slope[1] * end(j, slope[1]));
    }
    return height * edge;
  }

  setFloor(kind) {
    return this.set(() => ({ floor: this.floorOf(kind) }));
  }

  // The floor as it would be of a kind.
  floorOf(kind) {
    const { heights_m: heights, spacing_m: spacing, origin_m: origin, ...rest } = this.now().floor;
    const wasSloped = (rest.slope ?? [0, 0]).some((part) => part);
    const flat = { ...rest, enabled: kind !== "none", slope: [0, 0], ...(wasSloped ? { height_m: this.heightUnder([0, 0]) } : {}) };
    const incline = [Math.tan(Math.PI / 18), 0];
    const bounds = this.body.bounds() ?? { low: [0, 0, 0], high: [7, 7, 7] };
    const floors = {
      none: () => ({ ...this.now().floor, enabled: false }), level: () => flat,
      slope: () => ({ ...flat, slope: incline, height_m: this.heightUnder(incline) }),
      steps: () => ({ ...flat, ...stepHeights(bounds, this.body.edge, this.steps.rise, this.steps.depth) }), other: () => this.now().floor,
    };
    return floors[kind]();
  }

  show() {
    const { gravity, floor, actuation } = this.now();
    const { scene } = this.body;
    if (document.activeElement !== this.name) {
      this.name.value = this.body.name;
    }
    this.edge.show(this.body.edge * 1000);
    this.gravity.forEach((field, axis) => field.show(gravity[axis]));
    this.acts.input.checked = actuation.enabled === true;
    this.period.show(actuation.period_s ?? 0);
    this.amplitude.show(actuation.amplitude_K ?? 0);
    this.collision.input.checked = scene.self_collision === true;
    this.volume.input.checked = scene.volume_effects === true;
    const kind = this.floorKind();
    this.kind.value = kind;
    this.kind.querySelector("[value=other]").hidden = kind !== "other";
    this.tilts.forEach((field, axis) => {
      field.element.hidden = kind !== "slope";
      field.show(Math.round((Math.atan((floor.slope ?? [0, 0])[axis]) * 180e6) / Math.PI) / 1e6);
    });
    this.height.element.hidden = kind !== "level" && kind !== "slope";
    this.height.show((floor.height_m ?? 0) * 1000);
    if (kind === "steps") {
      this.steps = stepsOf(floor.heights_m, floor.spacing_m ?? this.body.edge, this.body.edge) ?? this.steps;
    }
    this.stepFields.forEach((field, at) => {
      field.element.hidden = kind !== "steps";
      field.show(at ? this.steps.depth : this.steps.rise);
    });
    this.stickyFloor.input.checked = floor.sticky === true;
    this.stickyFloor.element.hidden = kind === "none";
    this.showRegions();
  }

  setRegions(regions) {
    this.body.edit([], { scene: { regions } });
  }

  // What a region does, in words.
  wordsOf(region) {
    const { fixed = [], force_N: force = [0, 0, 0], displacement_m: way = [0, 0, 0] } = region;
    const parts = [];
    if (fixed.length) {
      parts.push(way.some((part) => part) ? "led along a way" : fixed.length === 6 ? "held" : "held in " + fixed.join(", "));
    }
    if (force.some((part) => part)) {
      parts.push("pushed");
    }
    return parts.join(", ") || "no effect";
  }

  showRegions() {
    const regions = this.body.scene.regions ?? [];
    if (regions === this.shown && this.regions.childElementCount) {
      return;
    }
    this.shown = regions;
    const rows = regions.map((region, number) => {
      const remove = build("button", { type: "button", textContent: "×", title: "Remove", "aria-label": `remove region ${number + 1}` });
      remove.addEventListener("click", () => this.setRegions((this.body.scene.regions ?? []).filter((_, other) => other !== number)));
      const row = build("div", { class: "region" }, build("span", { textContent: `${number + 1}: ${this.wordsOf(region)}` }), remove);
      return (region.force_N ?? []).some((part) => part) ? build("div", {}, row, ...this.forceFields(region, number)) : row;
    });
    const hint = build("p", { class: "hint", textContent: "Nothing yet. The tools Hold (k) and Push (n) add boxes." });
    this.regions.replaceChildren(...(rows.length ? rows : [hint]));
  }

  forceFields(region, number) {
    return [0, 1, 2].map((axis) => {
      const field = new NumberField({ label: "Force " + "xyz"[axis], unit: "N", commit: (value) => {
        const regions = (this.body.scene.regions ?? []).slice();
        regions[number] = { ...regions[number], force_N: regions[number].force_N.map((part, other) => (other === axis ? value : part)) };
        this.setRegions(regions);
      } });
      field.show(region.force_N[axis]);
      return field.element;
    });
  }
}
