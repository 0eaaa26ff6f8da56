"use strict";
// SPDX-License-Identifier: MIT
// Starts a packed page (pack.c): inflates its scripts, and runs them in their order. The module stays packed until the engine asks for it.

// The bytes of a part.
async function inflatePart(part) {
  const packed = Uint8Array.from(atob(part.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The bytes of the module in the page.
function studioModule() {
  return inflatePart(document.getElementById("module"));
}

(async function startPage() {
  const tell = (sentence) => {
    const place = document.getElementById("message") || document.body.appendChild(document.createElement("p"));
    place.textContent = sentence;
    place.hidden = false;
  };
  if (typeof DecompressionStream === "undefined") {
    tell("This page needs a browser that can inflate its parts (DecompressionStream): Chrome 103, Firefox 113, Safari 16.4, or later.");
    return;
  }
  const parts = [...document.querySelectorAll("script.part")];
  try {
    const texts = await Promise.all(parts.map((part) => inflatePart(part).then((bytes) => new TextDecoder().decode(bytes))));
    parts.forEach((part, i) => {
      const script = document.createElement("script");
      script.dataset.file = part.dataset.file;
      script.textContent = texts[i];
      part.replaceWith(script);
    });
  } catch {
    tell("This page is damaged: a part of it can not be inflated. Make it again, or copy it again.");
  }
})();
