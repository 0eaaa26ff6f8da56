// SPDX-License-Identifier: MIT
// Hands: a voxel that is pressed is pulled to the pointer, in the plane of the screen. Up to ten pointers, and one hand by keys.
"use strict";

const HANDS = 10;
const HAND_COLOR = "#e0245e";
const HAND_KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const BY_KEYS = "keys"; // the holder of the hand that keys move

// One hand: the voxel it holds, and where it pulls that to.
class Hand {
  constructor(hit, live, camera) {
    const { middle, normal } = live.quad(hit.quad);
    const centre = middle.addScaledVector(normal, -live.edge / 2);
    this.voxel = hit.voxel;
    this.quad = hit.quad;
    this.held = hit.point.clone(); // body coordinates, where it was pressed
    this.toCentre = centre.sub(hit.point);
    this.at = hit.point.clone(); // where the pointer is
    this.forward = camera.getWorldDirection(new THREE.Vector3());
    this.ends = new THREE.BufferAttribute(new Float32Array(6), 3);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", this.ends);
    this.line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: HAND_COLOR, depthTest: false }));
    const knob = new THREE.SphereGeometry(0.18 * live.edge, 12, 8);
    this.knob = new THREE.Mesh(knob, new THREE.MeshBasicMaterial({ color: HAND_COLOR, depthTest: false }));
    for (const object of [this.line, this.knob]) {
      object.frustumCulled = false;
      object.renderOrder = 2;
    }
  }

  // The line goes from the face that was pressed to the pointer.
  draw(live) {
    const { middle } = live.quad(this.quad);
    middle.toArray(this.ends.array, 0);
    this.at.toArray(this.ends.array, 3);
    this.ends.needsUpdate = true;
    this.knob.position.copy(this.at);
  }

  dispose() {
    for (const object of [this.line, this.knob]) {
      object.geometry.dispose();
      object.material.dispose();
    }
  }
}

class Hands {
  constructor(play) {
    this.play = play;
    this.hands = new Array(HANDS).fill(null);
    this.holders = new Map(); // pointer or BY_KEYS -> number of its hand
    this.ray = new THREE.Raycaster();
    this.canvas = play.view.renderer.domElement;
    this.canvas.addEventListener("pointerdown", (event) => this.down(event), true);
    window.addEventListener("pointermove", (event) => this.move(event), true); // a pointer that is not captured may leave the picture
    for (const name of ["pointerup", "pointercancel"]) {
      window.addEventListener(name, (event) => this.letGo(event.pointerId), true);
    }
    this.canvas.addEventListener("keydown", (event) => this.key(event));
  }

  get any() {
    return this.holders.size > 0;
  }

  // The ray through a place of the picture (-1 to 1), in the body's coordinates.
  rayAt(place) {
    const { view } = this.play;
    view.camera.updateMatrixWorld();
    view.live.updateMatrixWorld();
    this.ray.setFromCamera(place, view.camera);
    return this.ray.ray.clone().applyMatrix4(new THREE.Matrix4().getInverse(view.live.matrixWorld));
  }

  placeOf(event) {
    const box = this.canvas.getBoundingClientRect();
    return { x: (2 * (event.clientX - box.left)) / box.width - 1, y: 1 - (2 * (event.clientY - box.top)) / box.height };
  }

  down(event) {
    const { live, pulls } = this.play;
    if (!live || !pulls || event.button !== 0 || this.play.turns()) {
      return;
    }
    const hit = live.hit(this.rayAt(this.placeOf(event)));
    if (!hit || !this.take(event.pointerId, hit)) {
      return;
    }
    event.stopImmediatePropagation();
    try {
      this.canvas.setPointerCapture(event.pointerId);
    } catch (error) {
      // a pointer made by a script can not be captured; it needs not be
    }
  }

  // Gives a free hand to a holder; false if there is none.
  take(holder, hit) {
    const number = this.hands.indexOf(null);
    if (number < 0 || this.holders.has(holder)) {
      return false;
    }
    const hand = new Hand(hit, this.play.live, this.play.view.camera);
    this.hands[number] = hand;
    this.holders.set(holder, number);
    this.play.view.live.add(hand.line, hand.knob);
    this.turned = this.turned ?? this.play.view.controls.enabled;
    this.play.view.controls.enabled = false;
    hand.moved = true;
    this.play.say("");
    return true;
  }

  move(event) {
    const hand = this.hands[this.holders.get(event.pointerId)];
    if (hand && event.buttons === 0) {
      this.letGo(event.pointerId); // it went up where nobody saw it
    } else if (hand) {
      hand.pointer = this.placeOf(event);
    }
  }

  letGo(holder) {
    const number = this.holders.get(holder);
    if (number === undefined) {
      return;
    }
    const hand = this.hands[number];
    this.play.view.live.remove(hand.line, hand.knob);
    hand.dispose();
    this.hands[number] = null;
    this.holders.delete(holder);
    this.play.engine.letGo(number);
    if (!this.any) {
      this.play.view.controls.enabled = this.turned;
      this.turned = undefined;
    }
  }

  letAllGo() {
    [...this.holders.keys()].forEach((holder) => this.letGo(holder));
  }

  // Once a picture: tells the engine where hands have gone, and draws them.
  update() {
    const { live, view, engine } = this.play;
    this.hands.forEach((hand, number) => {
      if (!hand) {
        return;
      }
      if (hand.pointer) {
        const ray = this.rayAt(hand.pointer);
        const normal = hand.forward.clone().transformDirection(new THREE.Matrix4().getInverse(view.live.matrixWorld));
        const met = ray.intersectPlane(new THREE.Plane().setFromNormalAndCoplanarPoint(normal, hand.held), new THREE.Vector3());
        hand.moved = hand.moved || (met !== null && met.distanceTo(hand.at) > 0);
        hand.at.copy(met || hand.at);
        hand.pointer = null;
      }
      if (hand.moved) {
        engine.pull(number, hand.voxel, hand.at.clone().add(hand.toCentre).toArray());
        hand.moved = false;
      }
      hand.draw(live);
    });
  }

  // Enter holds the face in the middle of the picture, arrows move it in the plane of the screen, Enter or Escape lets go.
  key(event) {
    const { live, pulls, view } = this.play;
    const number = this.holders.get(BY_KEYS);
    if (!live || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (number === undefined ? event.key !== "Enter" || !pulls : event.key !== "Enter" && event.key !== "Escape" && !HAND_KEYS[event.key]) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (number === undefined) {
      const ray = this.rayAt({ x: 0, y: 0 });
      this.take(BY_KEYS, live.hit(ray) || live.nearest(ray));
      this.play.say("A voxel is held: arrows pull it, Enter lets it go.");
    } else if (HAND_KEYS[event.key]) {
      const [right, up] = HAND_KEYS[event.key];
      const e = new THREE.Matrix4().getInverse(view.live.matrixWorld).multiply(view.camera.matrixWorld);
      const axis = (column) => new THREE.Vector3().setFromMatrixColumn(e, column).normalize();
      this.hands[number].at.addScaledVector(axis(0), right * live.edge).addScaledVector(axis(1), up * live.edge);
      this.hands[number].moved = true;
    } else {
      this.letGo(BY_KEYS);
      this.play.say("");
    }
  }
}
