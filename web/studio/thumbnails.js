// SPDX-License-Identifier: MIT
// Small pictures of designs, for cards to choose from.
"use strict";

const SEEN_FROM = [1.5, -2.2, 1.35]; // as the camera at first
const SHADES = [0.82, 0.68, 1]; // of the faces towards +x, -y and +z

// Draws a scene into a canvas: cubes from the back to the front, three faces each.
function drawThumbnail(canvas, scene) {
  const pen = canvas.getContext("2d");
  const length = Math.hypot(...SEEN_FROM);
  const to = SEEN_FROM.map((part) => part / length);
  const flat = Math.hypot(to[0], to[1]);
  const right = [-to[1] / flat, to[0] / flat, 0];
  const up = [-to[2] * to[0] / flat, -to[2] * to[1] / flat, flat];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cells = scene.voxels.slice().sort((a, b) => dot(a, to) - dot(b, to));
  const outermost = ([i, j, k]) => [[i, j, k], [i + 1, j + 1, k + 1], [i + 1, j, k], [i, j + 1, k + 1]]; // corners, as seen from there
  const places = cells.flatMap(outermost).map((at) => [dot(at, right), dot(at, up)]);
  const low = [0, 1].map((axis) => places.reduce((least, at) => Math.min(least, at[axis]), Infinity));
  const high = [0, 1].map((axis) => places.reduce((most, at) => Math.max(most, at[axis]), -Infinity));
  const scale = Math.min((canvas.width - 24) / (high[0] - low[0]), (canvas.height - 20) / (high[1] - low[1]), 26);
  const place = (at) => [canvas.width / 2 + scale * (dot(at, right) - (low[0] + high[0]) / 2),
    canvas.height / 2 - scale * (dot(at, up) - (low[1] + high[1]) / 2)];
  pen.lineWidth = 0.6;
  pen.strokeStyle = "rgba(0, 0, 0, 0.3)";
  for (const [i, j, k, material] of cells) {
    const color = materialColor(scene.materials[material], material);
    const faces = [[[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]], [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]],
      [[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]];
    faces.forEach((face, number) => {
      pen.fillStyle = hexOf(color.map((part) => part * SHADES[number]));
      pen.beginPath();
      face.forEach((corner) => pen.lineTo(...place(plus(corner, [i, j, k]))));
      pen.closePath();
      pen.fill();
      pen.stroke();
    });
  }
}

// Cards of what one can begin with; `take` gets the preset that is chosen.
function fillCards(list, presets, take) {
  for (const preset of presets) {
    const picture = build("canvas", { width: 200, height: 120 });
    picture.setAttribute("aria-hidden", "true");
    const scene = preset.make();
    if (scene.voxels.length) {
      drawThumbnail(picture, scene);
    } else {
      drawPalette(picture, scene);
    }
    const card = build("button", { type: "button", class: "card" }, picture, build("strong", { textContent: preset.name }),
      build("span", { textContent: preset.says }));
    card.addEventListener("click", () => take(preset));
    list.append(card);
  }
}

// The materials of a scene without voxels, as a row of squares.
function drawPalette(canvas, { materials }) {
  const pen = canvas.getContext("2d");
  const side = 26;
  materials.forEach((material, number) => {
    pen.fillStyle = hexOf(materialColor(material, number));
    pen.fillRect(canvas.width / 2 + (number - materials.length / 2) * (side + 6) + 3, canvas.height / 2 - side / 2, side, side);
  });
}
