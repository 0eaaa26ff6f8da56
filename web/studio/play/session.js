// SPDX-License-Identifier: MIT
// Sessions: what was done to a body while it played, to be played again with the same bits.
"use strict";

const SESSION_FORMAT = "voxelastic session";

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
  const isInput = (input) => Array.isArray(input) && Number.isSafeInteger(input[0]) && input[0] >= 0 && typeof input[1] === "string";
  if (session.version !== 1) {
    throw new Error(`This session is of version ${session.version}; the studio reads version 1.`);
  }
  if (!isScene || !Array.isArray(session.inputs) || !Number.isSafeInteger(session.steps) || session.steps < 0) {
    throw new Error("This session is damaged: it needs a scene, inputs and its number of steps.");
  }
  const wrong = session.inputs.findIndex((input, number) => !isInput(input) || input[0] > session.steps || (number > 0 && input[0] < session.inputs[number - 1][0]));
  if (wrong >= 0) {
    throw new Error(`This session is damaged: input ${wrong + 1} must be [step, what, ...], in the order of steps, the last of which is ${session.steps}.`);
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
    this.host.say(`Replaying ${session.steps} steps ...`);
    this.host.take(scene, scene.name);
    if (!await play.start(scene, 1, false)) {
      return null;
    }
    this.host.showPlay();
    const outcome = await this.host.engine.replay(session);
    play.showNow();
    const same = outcome.equal ? `equal to the last bit (hash ${outcome.hash}).`
      : `not equal: its hash is ${outcome.hash}, the session's is ${session.hash}` +
        (session.release ? `; the session was made by release ${session.release}.` : ".");
    this.host.say(`Replayed ${session.steps} steps: ${same}`, !outcome.equal);
    return outcome;
  }
}
