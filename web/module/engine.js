"use strict";
// SPDX-License-Identifier: MIT
// The engine of a page: the module in a Worker made of a Blob, since a page from disk has no other, or in the page itself where a Worker can not
// start. Calls go to an EngineHost by messages; each is answered once, in order.

// Serves the calls, beside the module.
class EngineHost {
  static SLICE = 30; // ms of a replay between two looks at messages

  async start(bytes) {
    const missing = whyNoModule();
    if (missing) {
      throw new EngineError(missing);
    }
    this.compiled = await WebAssembly.compile(bytes);
    await this.begin();
    this.warmUp();
  }

  async begin() {
    this.live = new LiveWorld(new Binding(await startModule(this.compiled)));
  }

  // Browsers compile a function well only after it has run for a while: a small body runs before anyone looks.
  warmUp() {
    const voxels = [];
    for (let i = 0; i < 64; i++) {
      voxels.push([i & 3, (i >> 2) & 3, i >> 4, 0]);
    }
    const scene = {
      format: "voxelastic scene", voxels, materials: [{ youngs_modulus_Pa: 1e6, thermal_expansion_per_K: 0.01 }],
      actuation: { amplitude_K: 10, period_s: 0.25 },
    };
    this.live.open(JSON.stringify(scene), 1);
    this.live.stepOnce(300);
    this.live.frame();
    this.live.facts = null;
  }

  // What a call returns, and the buffers that are handed over with it.
  async answer(name, words) {
    const { live } = this;
    switch (name) {
      case "read": return live.binding.read(...words);
      case "write": return live.binding.write(...words);
      case "open": return live.open(...words);
      case "rest": return live.rest();
      case "play": return live.play(...words);
      case "pause": return live.pause();
      case "stepOnce": return live.stepOnce(...words);
      case "input": return live.add(words);
      case "look": return void Object.assign(live, words[0]);
      case "frame": return live.frame();
      case "session": return live.session();
      case "replay": return this.replay(...words);
      default: return this.start(...words);
    }
  }

  // Answers a call: {answer} or {error: text}.
  async serve(name, words) {
    try {
      return { answer: await this.answer(name, words) };
    } catch (error) {
      // before the module is there, there may be no WebAssembly at all
      if (!this.compiled || !(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) {
        return { error: error.message };
      }
      await this.begin();
      return { error: `the engine stopped (${error.message}), and was started anew; open the scene again` };
    }
  }

  // Plays a session again, in slices, so that frames show it.
  async replay(session) {
    const { live } = this;
    live.beginReplay(session);
    const { inputs } = live;
    while (live.steps < session.steps && !live.failure) {
      live.advance(session.steps, performance.now() + EngineHost.SLICE);
      await new Promise((resolve) => setTimeout(resolve));
      if (live.inputs !== inputs || live.playing) {
        live.script = live.inputs === inputs ? null : live.script;
        throw new EngineError("the replay was interrupted");
      }
    }
    live.script = null;
    const hash = live.binding.hash();
    return { equal: hash === session.hash, hash };
  }
}

class Engine {
  constructor(where, post) {
    Object.assign(this, { where, post, calls: new Map(), count: 0, asked: false, epoch: 0, onFrame: null, onLost: null });
  }

  // bytes: of the module; without, that of the page. Fails with an EngineError.
  static async start(bytes) {
    const module = bytes || (await studioModule());
    const worker = await Engine.startWorker();
    if (worker) {
      const engine = new Engine("worker", (message) => worker.postMessage(message));
      worker.onmessage = (event) => engine.receive(event.data);
      worker.onerror = (event) => {
        event.preventDefault();
        engine.lose(`the engine stopped: ${event.message}`);
      };
      await engine.call("start", module);
      return engine;
    }
    const host = new EngineHost();
    const engine = new Engine("page", ({ id, name, words }) => host.serve(name, words)
      .catch((error) => ({ error: error.message })).then((reply) => engine.receive({ id, ...reply })));
    await engine.call("start", module);
    return engine;
  }

  // A worker that has answered, or null.
  static startWorker() {
    const serve = `const host = new EngineHost();
      onmessage = ({ data: { id, name, words } }) => {
        host.serve(name, words).then((reply) => {
          const { corners, values, voxelOf, bytes } = reply.answer || {};
          postMessage({ id, ...reply }, [corners, values, voxelOf, bytes].filter((array) => array).map((array) => array.buffer));
        }).catch((error) => postMessage({ id, error: error.message }));
      };
      postMessage("ready");`;
    const parts = ['"use strict";', wasiImports, whyNoModule, startModule, EngineError, Binding, LiveWorld, EngineHost, serve];
    return new Promise((resolve) => {
      try {
        const address = URL.createObjectURL(new Blob([parts.map(String).join("\n")], { type: "text/javascript" }));
        const worker = new Worker(address);
        worker.onmessage = () => resolve(worker);
        worker.onerror = (event) => {
          event.preventDefault();
          resolve(null);
        };
      } catch {
        resolve(null);
      }
    });
  }

  call(name, ...words) {
    const id = this.count++;
    return new Promise((resolve, reject) => {
      this.calls.set(id, { resolve, reject });
      this.post({ id, name, words });
    });
  }

  // The worker is gone: nobody answers what was asked.
  lose(message) {
    const { calls } = this;
    this.calls = new Map();
    calls.forEach(({ reject }) => reject(new EngineError(message)));
    this.onLost?.(message);
  }

  receive({ id, answer, error }) {
    const { resolve, reject } = this.calls.get(id);
    this.calls.delete(id);
    if (error === undefined) {
      resolve(answer);
    } else {
      reject(new EngineError(error));
    }
  }

  // A call that nobody waits for. Where there is no world, it does nothing.
  tell(name, ...words) {
    this.call(name, ...words).catch(() => {});
  }

  read(name, bytes) {
    return this.call("read", name, bytes);
  }

  write(scene, name) {
    return this.call("write", scene, name);
  }

  // Frames that were asked for before are of another world, and are dropped.
  open(scene, { stepScale = 1 } = {}) {
    this.epoch++;
    return this.call("open", scene, stepScale);
  }

  rest() {
    this.epoch++;
    return this.call("rest");
  }

  play(speed = 1) {
    this.tell("play", speed);
  }

  pause() {
    this.tell("pause");
  }

  stepOnce(count = 1) {
    this.tell("stepOnce", count);
  }

  pull(hand, voxel, [x, y, z]) {
    this.tell("input", "pull", hand, voxel, x, y, z);
  }

  letGo(hand) {
    this.tell("input", "let_go", hand);
  }

  tune(changes) {
    this.tell("input", "tune", changes);
  }

  target(group, factor) {
    this.tell("input", "target", group, factor);
  }

  look(choices) {
    this.tell("look", choices);
  }

  // Asks for a frame, unless one is on its way: once in each picture.
  frame() {
    if (this.asked) {
      return;
    }
    const { epoch } = this;
    this.asked = true;
    const show = (frame) => {
      this.asked = false;
      if (frame && epoch === this.epoch && this.onFrame) {
        this.onFrame(frame);
      }
    };
    const tellLoss = (error) => {
      this.asked = false;
      if (this.onLost) {
        this.onLost(error.message);
      }
    };
    this.call("frame").then(show, tellLoss);
  }

  session() {
    return this.call("session");
  }

  replay(session) {
    this.epoch++;
    return this.call("replay", session);
  }
}
