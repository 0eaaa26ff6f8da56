// SPDX-License-Identifier: MIT
// Links that hold a design: "#v=" and its text, deflated and in base 64. VXA where that loses nothing, else the scene.
"use strict";

const LINK_MARK = "#v=";
const MAX_LINK = 8000; // characters
const MAX_LINKED = 4 << 20; // bytes of a design that a link may hold: a few characters can stand for very many
const DAMAGED = "This link is damaged: it holds no design. Ask for it again, or for the file.";

const TOO_OLD = "This browser is too old for that: it lacks streams that compress without a header; Chrome 103, Firefox 113, Safari 16.4 and later have them.";

// A stream of a class and a format, one of which an older browser may lack.
function streamOf(name, format) {
  try {
    return new window[name](format);
  } catch (error) {
    throw new Error(TOO_OLD);
  }
}

async function throughStream(bytes, stream, most = Infinity) {
  const writer = stream.writable.getWriter();
  writer.write(bytes).catch(() => {}); // whatever is wrong, the reader tells as well
  writer.close().catch(() => {});
  const reader = stream.readable.getReader();
  const pieces = [];
  let size = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      break;
    }
    size += value.length;
    if (size > most) {
      reader.cancel().catch(() => {});
      throw new Error("too large");
    }
    pieces.push(value);
  }
  const all = new Uint8Array(size);
  pieces.reduce((at, piece) => (all.set(piece, at), at + piece.length), 0);
  return all;
}

// Bytes deflated; format: "deflate" or "deflate-raw".
async function packed(bytes, format) {
  return throughStream(bytes, streamOf("CompressionStream", format));
}

async function packLink(bytes) {
  const small = await packed(bytes, "deflate-raw");
  let letters = "";
  small.forEach((byte) => { letters += String.fromCharCode(byte); });
  return LINK_MARK + btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

// The bytes that a link holds; throws an error with a sentence.
async function unpackLink(hash) {
  const code = hash.slice(LINK_MARK.length);
  if (hash.length > 4 * MAX_LINK || !/^[A-Za-z0-9_-]+$/.test(code)) {
    throw new Error(DAMAGED);
  }
  const stream = streamOf("DecompressionStream", "deflate-raw");
  try {
    const small = Uint8Array.from(atob(code.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
    return await throughStream(small, stream, MAX_LINKED);
  } catch (error) {
    throw new Error(DAMAGED);
  }
}

class Link {
  constructor(host, container) {
    this.host = host;
    this.button = build("button", { type: "button", textContent: "share", title: "write a link that holds the design" });
    this.field = build("input", { type: "text", readOnly: true, hidden: true, className: "share-link", "aria-label": "link to this design" });
    this.button.addEventListener("click", () => this.share());
    this.field.addEventListener("focus", () => this.field.select());
    container.append(this.button, this.field);
    host.body.on("change", () => this.leave());
    window.addEventListener("hashchange", () => {
      if (location.hash !== this.written) {
        this.fromHash();
      }
    });
  }

  // The hash of a link to a scene.
  async of(scene) {
    const { engine } = this.host;
    let text = new TextEncoder().encode(scene);
    try {
      const vxa = await engine.write(scene, "link.vxa");
      if (vxa.notes.length === 0) {
        text = vxa.bytes;
      }
    } catch (error) {
      // what .vxa can not say, the scene says
    }
    const hash = await packLink(text);
    if (hash.length > MAX_LINK) {
      throw new Error(`This design is too large for a link (${hash.length} characters, at most ${MAX_LINK}): save it instead.`);
    }
    return hash;
  }

  // The scene of a link.
  async read(hash) {
    const bytes = await unpackLink(hash);
    const first = bytes.find((byte) => byte > 32);
    if (first !== 0x3c && first !== 0x7b) {
      throw new Error(DAMAGED);
    }
    try {
      return (await this.host.engine.read(first === 0x3c ? "link.vxa" : "link.json", bytes)).scene;
    } catch (error) {
      throw new Error("The design in this link can not be read: " + error.message);
    }
  }

  // Takes the design of the address, if there is one. True if one was taken; what is wrong is said, and the drawing stays.
  async fromHash(hash = location.hash) {
    if (!hash.startsWith(LINK_MARK)) {
      return false;
    }
    try {
      const scene = await this.read(hash);
      this.isOpening = true;
      this.host.look(scene);
      return true;
    } catch (error) {
      this.host.say(error.message, true);
      return false;
    } finally {
      this.isOpening = false;
    }
  }

  // Writes the link into the address, and copies it where the browser lets that.
  async share() {
    this.field.hidden = true;
    let hash = "";
    try {
      this.host.needVoxel("share");
      hash = await this.of(this.host.text());
    } catch (error) {
      this.host.say(error.message, true);
      return;
    }
    this.written = hash;
    try {
      location.hash = hash.slice(1);
    } catch (error) {
      // the field below has it
    }
    this.field.value = location.href.split("#")[0] + hash;
    this.field.hidden = false;
    this.host.say(await this.copy(this.field.value) ? "The link is copied: it holds the whole design." : "The link holds the whole design: copy it.");
  }

  // The design is another one now than that of the address: opening the page again must not bring the old one back.
  leave() {
    if (this.isOpening) {
      return;
    }
    if (location.hash.startsWith(LINK_MARK)) {
      history.replaceState(null, "", location.href.split("#")[0]);
    }
    this.field.hidden = true;
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (error) {
      this.field.focus();
      return false;
    }
  }
}
