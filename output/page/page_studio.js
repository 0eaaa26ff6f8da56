// SPDX-License-Identifier: MIT
// From a replay to the studio: each robot's design lies within the page, and with it, where the page was made so, the whole studio. Without
// the studio the design can be saved, and dropped into one.
"use strict";

// The scene of a robot as text, or null: large ones and ghosts have none.
async function designOf(index) {
  const part = document.querySelector(".scene-" + index);
  return part ? new TextDecoder().decode(await bytesOf(part)) : null;
}

// The studio with a design in it (web/module/boot.js finds it by its id).
async function studioWith(scene) {
  const html = new TextDecoder().decode(await bytesOf(element("studio")));
  const design = '<script type="application/json" id="design">' + scene.replaceAll("<", "\\u003c") + "</" + "script>";
  return html.replace(/<body[^>]*>/, (body) => body + "\n" + design);
}

class StudioDoor {
  constructor() {
    this.button = element("design");
    this.select = element("which");
    this.button.onclick = () => this.open(Number(this.select.value));
    this.button.textContent = element("studio") ? "open in studio" : "save design";
  }

  // Offers the robots that are shown and have a design.
  offer(robots) {
    const those = robots.filter((robot) => document.querySelector(".scene-" + robot.index));
    this.select.textContent = "";
    fillSelect(this.select, those.map((robot) => [String(robot.index), robot.name]));
    this.select.parentElement.hidden = those.length < 2;
    this.button.hidden = those.length === 0;
  }

  async open(index) {
    // a tab is opened at once: behind a wait browsers take it for an advertisement
    const tab = element("studio") ? window.open("about:blank") : null;
    try {
      const scene = await designOf(index);
      const [text, type] = tab ? [await studioWith(scene), "text/html"] : [scene, "application/json"];
      const address = URL.createObjectURL(new Blob([text], { type }));
      if (tab) {
        tab.location.replace(address);
      } else {
        const link = document.createElement("a");
        link.href = address;
        link.download = robots[index].name.replace(/[^\w.-]+/g, "_") + ".json";
        link.click();
      }
    } catch (error) {
      if (tab) {
        tab.close();
      }
      say("The design cannot be opened: " + error);
    }
  }
}
