// SPDX-License-Identifier: MIT
// Sessions: what was done to a body while it played, to be played again with the same bits.
"use strict";

const SESSION_FORMAT = "voxelastic session";

const isHand = (hand) => Number.isSafeInteger(hand) && hand >= 0 && hand < HANDS;
const isIndex = (index, count) => Number.isSafeInteger(index) && index >= 0 && index < count;

// What each input has behind its step and its name.
const INPUTS = {
  pull: (words, voxels) => words.length === 5 && isHand(words[0]) && isIndex(words[1], voxels) && words.slice(2).every(Number.isFinite),
  let_go: (words) => words.length === 1 && isHand(words[0]),
  tune: (words) => words.length === 1 && typeof words[0] === "object" && words[0] !== null,
  target: (words) => words.length === 2 && isIndex(words[0], Infinity) && Number.isFinite(words[1]),
};

// What a file holds if it is a session, else null. A damaged session is refused with a sentence.
function readSession(text) {
  let session;
  try {
    session = JSON.parse(text);
  } catch (error) {
    return null;
  }
  if (typeof session !== "object" || session === null || session.format !== SESSION_FORMAT) {
    return null;
  }
  const isScene = typeof session.scene === "object" && session.scene !== null && !Array.isArray(session.scene);
  if (session.version !== 1) {
    throw new Error(`This session is of version ${session.version}; the studio reads version 1.`);
  }
  if (!isScene || !Array.isArray(session.inputs) || !Number.isSafeInteger(session.steps) || session.steps < 0) {
    throw new Error("This session is damaged: it needs a scene, inputs and its number of steps.");
  }
  const voxels = Array.isArray(session.scene.voxels) ? session.scene.voxels.length : 0;
  const isInput = (input) => Array.isArray(input) && Number.isSafeInteger(input[0]) && input[0] >= 0 && input[0] % LiveWorld.INPUT_STEPS === 0 &&
    Object.hasOwn(INPUTS, input[1]) && INPUTS[input[1]](input.slice(2), voxels);
  const isLate = (input, number) => input[0] > session.steps || (number > 0 && input[0] < session.inputs[number - 1][0]);
  const wrong = session.inputs.findIndex((input, number) => !isInput(input) || isLate(input, number));
  if (wrong >= 0) {
    throw new Error(`This session is damaged: input ${wrong + 1} must be [step, "pull", "let_go", "tune" or "target", ...], ` +
      `at multiples of ${LiveWorld.INPUT_STEPS} steps in their order, up to ${session.steps}.`);
  }
  if (typeof session.hash !== "string" || !/^[0-9a-f]{16}$/i.test(session.hash)) {
    throw new Error("This session is damaged: its hash must have 16 hexadecimal digits.");
  }
  return session;
}

class Sessions {
  constructor(host) {
    this.host = host;
  }

  // The session so far, as text.
  async text() {
    if (!this.host.play.started) {
      throw new Error("Press play first: a session is what is done to a body while it plays.");
    }
    return JSON.stringify(await this.host.engine.session());
  }

  // Shows the scene of a session and plays all of it, as fast as the machine can; says whether it is equal.
  async replay(session) {
    const { play } = this.host;
    const scene = JSON.stringify(session.scene);
    await this.host.engine.read("session.json", new TextEncoder().encode(scene)); // what is refused must not take the drawing's place
    this.host.say(`Replaying ${session.steps} steps ...`);
    this.host.take(scene);
    if (!await play.start(scene, session.step_scale || 1, false)) {
      return null;
    }
    this.host.showPlay();
    const { run } = play;
    let outcome;
    try {
      outcome = await play.watch(this.host.engine.replay(session));
    } catch (error) {
      if (run !== play.run) {
        return null; // the user went on to something else
      }
      throw error;
    }
    const same = outcome.equal ? `equal to the last bit (hash ${outcome.hash}).`
      : `not equal: its hash is ${outcome.hash}, the session's is ${session.hash}` +
        (session.release ? `; the session was made by release ${session.release}.` : ".");
    this.host.say(`Replayed ${session.steps} steps: ${same}`, !outcome.equal);
    return outcome;
  }
}
