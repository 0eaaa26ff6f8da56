// SPDX-License-Identifier: MIT
// The pointer on the picture: the left button or one finger draws, or turns the camera beside the body or by the switch;
// the right button or two fingers turn, the wheel zooms, a long press picks.
"use strict";

const LONG_PRESS = 550; // ms
const STILL = 8; // pixels that a finger may wander in a tap

class Pointer {
  constructor(view, tools) {
    Object.assign(this, { view, tools });
    this.isEnabled = true;
    this.turns = false; // the switch: one finger, or the left button, turns
    this.fingers = new Map();
    this.tap = null; // a finger that has not moved yet
    this.finger = null; // the one that draws
    const { canvas } = view;
    const always = (name, act) => canvas.addEventListener(name, (event) => act.call(this, event)); // what went down may go up while all else is off
    const on = (name, act) => always(name, (event) => this.enabled && act.call(this, event));
    on("pointerdown", (event) => (event.pointerType === "touch" ? this.fingerDown(event) : this.buttonDown(event)));
    on("pointermove", (event) => (event.pointerType === "touch" ? this.fingerMove(event) : this.mouseMove(event)));
    always("pointerup", (event) => (event.pointerType === "touch" ? this.fingerUp(event) : this.buttonUp(event)));
    always("pointercancel", this.lost);
    on("pointerleave", (event) => event.pointerType === "touch" || event.buttons || this.leave());
  }

  get enabled() {
    return this.isEnabled;
  }

  // Fingers that are down begin nothing more.
  set enabled(on) {
    this.isEnabled = on;
    this.fingers.clear();
    this.giveUp();
  }

  // Who gets what follows: the camera, or the tool.
  camera(isTurned) {
    const { controls } = this.view;
    controls.mouseButtons.LEFT = isTurned ? THREE.MOUSE.ROTATE : -1;
    controls.touches.ONE = isTurned ? THREE.TOUCH.ROTATE : -1;
  }

  buttonDown(event) {
    const { clientX: x, clientY: y } = event;
    const draws = event.button === 0 && !event.altKey && !this.turns && this.tools.down(this.view.pick(x, y), x, y, false);
    this.camera(!draws);
    if (draws) {
      try {
        this.view.canvas.setPointerCapture(event.pointerId);
      } catch (error) {
        // a pointer made by a script can not be captured; it needs not be
      }
    }
  }

  mouseMove({ clientX: x, clientY: y, buttons }) {
    if (this.tools.stroke && !this.tools.stroke.byKeys || !buttons) {
      this.tools.moveTo(x, y);
    }
  }

  buttonUp({ clientX: x, clientY: y, button }) {
    if (button === 0 && this.tools.stroke && !this.tools.stroke.byKeys) {
      this.tools.up(x, y, false);
    }
  }

  leave() {
    this.tools.hover = null;
    this.tools.showGhost();
  }

  fingerDown(event) {
    const { clientX: x, clientY: y, pointerId } = event;
    this.fingers.set(pointerId, true);
    if (this.fingers.size > 1) {
      this.giveUp();
      return;
    }
    const hit = this.turns ? null : this.view.pick(x, y);
    const isRaising = Boolean(this.tools.stroke?.base);
    this.camera(!hit && !isRaising);
    if (hit || isRaising) {
      this.tap = { x, y, hit, pointerId, timer: setTimeout(() => this.longPress(), LONG_PRESS) };
    }
  }

  fingerMove({ clientX: x, clientY: y, pointerId }) {
    const { tap } = this;
    if (tap?.pointerId === pointerId && Math.hypot(x - tap.x, y - tap.y) > STILL) {
      this.begin();
    }
    if (!this.tap && this.finger === pointerId) {
      this.tools.moveTo(x, y);
    }
  }

  // The tap becomes a stroke.
  begin() {
    const { x, y, hit, pointerId, timer } = this.tap;
    clearTimeout(timer);
    this.tap = null;
    this.finger = this.tools.down(hit, x, y, true) ? pointerId : null;
  }

  fingerUp({ clientX: x, clientY: y, pointerId }) {
    this.fingers.delete(pointerId);
    if (this.tap?.pointerId === pointerId) {
      this.begin();
    }
    if (this.finger === pointerId) {
      this.finger = null;
      this.tools.up(x, y, true);
      this.leave();
    }
  }

  longPress() {
    const { hit } = this.tap;
    this.tap = null;
    if (hit?.voxel) {
      this.tools.pick(hit.cell, this.tools.name);
    }
  }

  // A second finger: what the first one began is taken back, and the camera turns.
  giveUp() {
    clearTimeout(this.tap?.timer);
    this.tap = null;
    if (this.finger !== null && this.tools.stroke && !this.tools.stroke.base) {
      this.tools.cancel();
    }
    this.finger = null;
  }

  lost({ pointerId }) {
    this.fingers.delete(pointerId);
    this.giveUp();
  }
}
