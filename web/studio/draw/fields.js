// SPDX-License-Identifier: MIT
// Fields of panels: numbers with units, refused with the reason beside them.
"use strict";

const PREFIXES = { G: 1e9, M: 1e6, k: 1e3, m: 1e-3, "µ": 1e-6, u: 1e-6 };
const PREFIXED_UNITS = /^(Pa|N|A\/m)$/; // units that are shown with them
let fieldCount = 0;

// An element with properties and children; `class` and `aria-` names are attributes.
function build(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "class" || name.startsWith("aria-") || name === "role" || name === "for") {
      element.setAttribute(name, value);
    } else {
      element[name] = value;
    }
  }
  element.append(...children);
  return element;
}

// A number as it is shown: six digits, thousands of units by prefix.
function showNumber(value, unit = "") {
  const short = (number) => String(Number(number.toPrecision(6)));
  if (PREFIXED_UNITS.test(unit) && Math.abs(value) >= 1e3) {
    const [name, size] = Object.entries(PREFIXES).find(([, least]) => Math.abs(value) >= least);
    return short(value / size) + " " + name + unit;
  }
  return short(value) + (unit ? " " + unit : "");
}

// The number that a text says, with a prefix and the unit or without; NaN if none. Without the unit only those have prefixes that are shown with them.
function readNumber(text, unit = "") {
  const match = /^\s*([-+−]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[-+]?\d+)?)\s*(.*?)\s*$/i.exec(text);
  if (!match) {
    return NaN;
  }
  const number = Number(match[1].replace(",", ".").replace("−", "-"));
  const hasUnit = unit !== "" && match[2].endsWith(unit);
  const rest = hasUnit ? match[2].slice(0, match[2].length - unit.length) : match[2];
  const isPrefix = (hasUnit || PREFIXED_UNITS.test(unit)) && Object.hasOwn(PREFIXES, rest);
  return rest === "" ? number : isPrefix ? number * PREFIXES[rest] : NaN;
}

// A number in a row of a panel. `commit` gets it when it was changed, and throws what is wrong with it.
class NumberField {
  constructor({ label, unit = "", title = "", commit, name = "" }) {
    Object.assign(this, { unit, commit, value: NaN });
    const id = "field" + ++fieldCount;
    this.input = build("input", { id, type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false, name });
    this.error = build("span", { class: "error", id: id + "-error", role: "alert" });
    this.input.setAttribute("aria-describedby", this.error.id);
    this.note = build("span", { class: "note" });
    this.element = build("div", { class: "field", title }, build("label", { for: id, textContent: label }), this.input, this.note, this.error);
    this.input.addEventListener("change", () => this.take());
    this.input.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") {
        this.input.value = showNumber(this.value, this.unit); // before the focus goes, which commits what is there
        this.tell("");
        this.input.blur();
      }
    });
  }

  show(value, note = "") {
    this.note.textContent = note;
    if (document.activeElement === this.input && value === this.value) {
      return; // what is being typed stays
    }
    this.value = value;
    this.input.value = showNumber(value, this.unit);
    this.tell("");
  }

  tell(sentence) {
    this.error.textContent = sentence;
    this.input.setAttribute("aria-invalid", String(Boolean(sentence)));
  }

  async take() {
    if (this.input.value === showNumber(this.value, this.unit)) {
      this.tell("");
      return;
    }
    const number = readNumber(this.input.value, this.unit);
    if (!Number.isFinite(number)) {
      this.tell("This is no number" + (this.unit ? `: for example ${showNumber(this.value, this.unit)}.` : "."));
      return;
    }
    try {
      await this.commit(number);
      this.value = number;
      this.input.value = showNumber(number, this.unit);
      this.tell("");
    } catch (error) {
      this.tell(error.message);
    }
  }
}

// A box to tick.
function tickBox({ label, title = "", commit }) {
  const input = build("input", { type: "checkbox" });
  const error = build("span", { class: "error", role: "alert" });
  input.addEventListener("change", async () => {
    try {
      await commit(input.checked);
      error.textContent = "";
    } catch (reason) {
      input.checked = !input.checked;
      error.textContent = reason.message;
    }
  });
  return { input, element: build("div", { class: "field tick", title }, build("label", {}, input, " " + label), error) };
}
