"use strict";
// SPDX-License-Identifier: MIT
// What the module asks of a system (wasi_snapshot_preview1), and how it is started. There are no files, no clock and no environment: equal calls
// give equal bits. What it prints goes to nobody; its messages come as results (web.h).

function wasiImports(memory) {
  const noFile = () => 8; // EBADF
  const zeros = (...addresses) => {
    const view = new DataView(memory().buffer);
    addresses.forEach((address) => view.setUint32(address, 0, true));
    return 0;
  };
  return {
    environ_get: () => 0,
    environ_sizes_get: (count, size) => zeros(count, size),
    clock_time_get: (clock, precision, time) => zeros(time, time + 4),
    sched_yield: () => 0,
    fd_close: noFile,
    fd_seek: noFile,
    fd_write(descriptor, parts, count, written) {
      const view = new DataView(memory().buffer);
      let size = 0;
      for (let i = 0; i < count; i++) {
        size += view.getUint32(parts + 8 * i + 4, true);
      }
      view.setUint32(written, size, true);
      return 0;
    },
    proc_exit(status) {
      throw new WebAssembly.RuntimeError(`the module ended with status ${status}`);
    },
  };
}

// Why this browser can not run the module, or "".
function whyNoModule() {
  if (typeof WebAssembly !== "object") {
    return "This browser has no WebAssembly, which the physics needs; Chrome 103, Firefox 113, Safari 16.4 and later have it.";
  }
  // (module (func (result v128) i32.const 0 i8x16.splat))
  const probe = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11];
  return WebAssembly.validate(new Uint8Array(probe))
    ? ""
    : "This browser has no vectors in WebAssembly (SIMD), which the physics needs; Chrome 103, Firefox 113, Safari 16.4 and later have them.";
}

// Starts a compiled module. Returns its exports.
async function startModule(compiled) {
  let memory = null;
  const instance = await WebAssembly.instantiate(compiled, { wasi_snapshot_preview1: wasiImports(() => memory) });
  memory = instance.exports.memory;
  instance.exports._initialize();
  return instance.exports;
}
