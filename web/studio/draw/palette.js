// SPDX-License-Identifier: MIT
// The palette: the materials of the body, and the numbers of the one that is chosen.
"use strict";

const READY_MATERIALS = [
  { name: "soft", color: [0.62, 0.67, 0.76, 1], youngs_modulus_Pa: 5e5, density_kg_per_m3: 1000, bond_damping: 0.6, global_damping: 0.001 },
  { name: "stiff", color: [0.24, 0.3, 0.45, 1], youngs_modulus_Pa: 5e6, density_kg_per_m3: 1200, bond_damping: 0.6, global_damping: 0.001 },
  { name: "muscle +", color: [0.88, 0.32, 0.26, 1], youngs_modulus_Pa: 5e5, density_kg_per_m3: 1000, bond_damping: 0.6, global_damping: 0.001,
    thermal_expansion_per_K: 0.01 },
  { name: "muscle −", color: [0.2, 0.62, 0.45, 1], youngs_modulus_Pa: 5e5, density_kg_per_m3: 1000, bond_damping: 0.6, global_damping: 0.001,
    thermal_expansion_per_K: -0.01 },
  { name: "sticky", color: [0.93, 0.68, 0.2, 1], youngs_modulus_Pa: 5e5, density_kg_per_m3: 1000, bond_damping: 0.6, global_damping: 0.001,
    static_friction: 2, dynamic_friction: 1.5, sticky: true, detach_stress_Pa: 2e4 },
];

// Numbers of a material: key, label, unit, what it is without, what it means.
const MATERIAL_FIELDS = [
  ["youngs_modulus_Pa", "Stiffness E", "Pa", 1e6, "Young's modulus"],
  ["density_kg_per_m3", "Density", "kg/m³", 1000, ""],
  ["bond_damping", "Damping", "", 1, "of vibrations of bonds; 1 is strong"],
  ["static_friction", "Friction, at rest", "", 1, "Coulomb's coefficient until it slides"],
  ["dynamic_friction", "Friction, sliding", "", 0.5, "Coulomb's coefficient while it slides"],
  ["thermal_expansion_per_K", "Expansion", "1/K", 0,
    "change of the edge for each kelvin of the actuation; not 0: a muscle; negative: it shortens when others lengthen"],
];
const MORE_FIELDS = [
  ["poissons_ratio", "Poisson's ratio", "", 0.3, "up to 0.5"],
  ["global_damping", "Drag", "", 0, "against all motion; 0.001 is weak, 0.1 very strong"],
  ["yield_stress_Pa", "Yield stress", "Pa", 0, "stress from which it stays deformed; 0: never"],
  ["plastic_modulus_Pa", "Plastic modulus", "Pa", 0, "slope beyond the yield stress, below E"],
  ["fail_stress_Pa", "Failure stress", "Pa", 0, "tension at which a bond breaks; 0: never"],
  ["detach_stress_Pa", "Detach stress", "Pa", 0, "stress at which sticky voxels part; 0: never"],
];

// The law of a material that follows from its numbers: linear, with failure, or with yield; a measured curve stays.
function lawOf(material) {
  const { model = 0, yield_stress_Pa: yields = 0, fail_stress_Pa: fails = 0, fail_strain: strain = 0 } = material;
  return model === 3 ? 3 : yields > 0 ? 2 : fails > 0 || strain > 0 ? 1 : 0;
}

class Palette {
  // check: resolves if the library takes changes of the scene, else rejects with its sentence.
  constructor(element, body, tools, check) {
    Object.assign(this, { body, tools, check });
    this.list = build("div", { class: "swatches", role: "listbox", "aria-label": "materials" });
    this.list.addEventListener("keydown", (event) => this.keyDown(event));
    this.add = build("select", { class: "add", title: "Add a material", "aria-label": "add a material" });
    this.add.addEventListener("change", () => this.addReady());
    this.fields = new Map();
    element.append(build("div", { class: "head" }, build("h2", { textContent: "Materials" }), this.add), this.list, this.form());
    tools.on("change", () => this.show());
    body.on("change", () => this.show());
    this.show();
  }

  get number() {
    return Math.min(this.tools.material, this.body.materials.length - 1);
  }

  form() {
    const wide = (label, input) => build("div", { class: "field" }, build("label", { for: input.id, textContent: label }), input);
    this.name = build("input", { id: "material-name", type: "text", maxLength: 60, autocomplete: "off", spellcheck: false });
    this.name.addEventListener("change", () => this.set({ name: this.name.value }).catch((error) => this.tools.say(error.message, true)));
    this.color = build("input", { id: "material-color", type: "color" });
    this.color.addEventListener("input", () => this.set({ color: [...rgbOf(this.color.value), 1] }, "color " + this.number));
    this.color.addEventListener("change", () => (this.body.done.length ? (this.body.done[this.body.done.length - 1].merge = null) : 0));
    const row = ([key, label, unit, , title]) => {
      const field = new NumberField({ label, unit, title, name: key, commit: (value) => this.set({ [key]: value }) });
      this.fields.set(key, field);
      return field.element;
    };
    this.magnet = [0, 1, 2].map((axis) => new NumberField({
      label: "Magnetisation " + "xyz"[axis], unit: "A/m", title: "permanent, along the axes of the voxel",
      commit: (value) => this.setMagnet(axis, value) }));
    this.sticky = tickBox({ label: "sticky", title: "with self-collision, two voxels of this material stick where they touch",
      commit: (on) => this.set({ sticky: on }) });
    this.remove = build("button", { type: "button", textContent: "Remove material" });
    this.remove.addEventListener("click", () => this.removeChosen());
    this.error = build("p", { class: "error", role: "alert" });
    return build("div", { class: "form" }, wide("Name", this.name), wide("Colour", this.color), ...MATERIAL_FIELDS.map(row),
      build("details", {}, build("summary", { textContent: "More" }), ...MORE_FIELDS.map(row), this.sticky.element,
        ...this.magnet.map(({ element }) => element)),
      this.remove, this.error);
  }

  // Changes the chosen material, if the library takes it.
  async set(changes, merge = null) {
    const { number, body } = this;
    const scene = () => this.changedBy(number, changes);
    if (!("color" in changes)) {
      await this.check(scene());
    }
    if (number < body.materials.length) { // else it was taken away meanwhile
      body.edit([], { scene: scene(), merge });
    }
  }

  // What a change of a material makes of the scene as it is now.
  changedBy(number, changes) {
    const { body } = this;
    const changed = { ...body.materials[number], ...changes };
    if (Object.keys(changes).some((key) => /yield|fail/.test(key))) {
      changed.model = lawOf(changed);
    }
    const scene = { materials: body.materials.map((material, other) => (other === number ? changed : material)) };
    if (changes.magnetization_A_per_m && !body.scene.magnetics?.enabled) {
      scene.magnetics = { ...body.scene.magnetics, enabled: true };
    }
    if (changes.sticky && !body.scene.self_collision) {
      scene.self_collision = true;
    }
    return scene;
  }

  setMagnet(axis, value) {
    const before = this.body.materials[this.number].magnetization_A_per_m ?? [0, 0, 0];
    return this.set({ magnetization_A_per_m: before.map((part, other) => (other === axis ? value : part)) });
  }

  addReady() {
    const { body } = this;
    const chosen = this.add.value;
    this.add.value = "";
    if (body.materials.length >= MAX_MATERIALS) {
      this.error.textContent = `A design has ${MAX_MATERIALS} materials at most.`;
      return;
    }
    const material = chosen === "copy" ? { ...body.materials[this.number], name: (body.materials[this.number].name ?? "material") + " 2" }
      : { ...READY_MATERIALS[Number(chosen)] };
    if (chosen === "copy") {
      material.color = [...rgbOf(MATERIAL_COLORS[body.materials.length % MATERIAL_COLORS.length]), 1];
    }
    body.edit([], { scene: { materials: [...body.materials, material], ...(material.sticky ? { self_collision: true } : {}) } });
    this.tools.set({ material: body.materials.length - 1 });
  }

  removeChosen() {
    try {
      this.body.removeMaterial(this.number);
      this.error.textContent = "";
      this.tools.set({});
    } catch (error) {
      this.error.textContent = error.message;
    }
  }

  keyDown(event) {
    const by = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (by) {
      event.preventDefault();
      const number = (this.number + by + this.body.materials.length) % this.body.materials.length;
      this.tools.set({ material: number });
      this.list.children[number].focus();
    }
  }

  // How many voxels each material has.
  counts() {
    const counts = new Array(this.body.materials.length).fill(0);
    for (const cell of this.body.cells.values()) {
      counts[cell.material]++;
    }
    return counts;
  }

  show() {
    if (!this.isAsked) {
      this.isAsked = true; // a stroke changes the body many times in a picture
      requestAnimationFrame(() => {
        this.isAsked = false;
        this.update();
      });
    }
  }

  update() {
    const { body, number } = this;
    const counts = this.counts();
    while (this.list.children.length > body.materials.length) {
      this.list.lastChild.remove();
    }
    body.materials.forEach((material, at) => this.showRow(at, material, counts[at], at === number));
    this.add.replaceChildren(new Option("+ add", "", true, true), ...READY_MATERIALS.map(({ name }, at) => new Option(name, at)),
      ...(number >= 0 ? [new Option("a copy of this one", "copy")] : []));
    if (number >= 0) {
      this.showFields(body.materials[number], number);
    }
  }

  showRow(at, material, count, isChosen) {
    let row = this.list.children[at];
    if (!row) {
      row = build("div", { class: "swatch", role: "option" }, build("span", { class: "chip" }), build("span", { class: "name" }),
        build("span", { class: "count" }));
      row.addEventListener("click", () => this.tools.set({ material: at }));
      this.list.append(row);
    }
    row.tabIndex = isChosen ? 0 : -1;
    row.setAttribute("aria-selected", String(isChosen));
    row.title = at < 9 ? `key ${at + 1}` : "";
    row.children[0].style.background = hexOf(materialColor(material, at));
    row.children[1].textContent = material.name || "material " + at;
    row.children[2].textContent = count ? String(count) : "";
  }

  showFields(material, number) {
    if (document.activeElement !== this.name) {
      this.name.value = material.name ?? "";
    }
    this.color.value = hexOf(materialColor(material, number));
    const { amplitude_K: amplitude = 0, enabled = false } = this.body.scene.actuation ?? {};
    for (const [key, , , normal] of [...MATERIAL_FIELDS, ...MORE_FIELDS]) {
      const value = material[key] ?? normal;
      const swing = Math.round(1000 * Math.abs(value * amplitude)) / 10;
      this.fields.get(key).show(value, key === "thermal_expansion_per_K" && value && enabled ? `edges ±${swing} %` : "");
    }
    this.sticky.input.checked = material.sticky === true;
    this.magnet.forEach((field, axis) => field.show(material.magnetization_A_per_m?.[axis] ?? 0));
    this.error.textContent = "";
  }
}
