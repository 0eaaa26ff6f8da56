// SPDX-License-Identifier: MIT
// The picture: cubes while drawing, what is hung into `live` while playing, the floor, and rays from the pointer. z is up.
// The scene is in cells; `live` is scaled so that its children are in metres.
"use strict";

const HOME_WAY = new THREE.Vector3(-1.5, 2.2, -1.35).normalize(); // from the camera to the body at first
const FLOOR_REACH = 48; // cells to which the floor is drawn, and drawn upon, around the body

// A colour of the style sheet.
function styleColor(name) {
  return new THREE.Color(colorSetting(name));
}

// Height of the floor (cells) at a place (cells); NaN beyond the rim of one that ends.
function groundHeight(floor, edge, x, y) {
  const whole = { height_m: 0, slope: [0, 0], radius_m: 0, center_m: [0, 0], spacing_m: edge, origin_m: [0, 0], ...floor };
  return floorLevel(whole, x * edge, y * edge) / edge;
}

class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !isDrawnByProcessor() });
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.1, 4000);
    this.camera.up.set(0, 0, 1);
    this.controls = new THREE.OrbitControls(this.camera, canvas);
    Object.assign(this.controls, { enableKeys: false, screenSpacePanning: true, minDistance: 1.5, maxDistance: 1500, rotateSpeed: 0.8 });
    this.controls.mouseButtons = { LEFT: -1, MIDDLE: THREE.MOUSE.PAN, RIGHT: THREE.MOUSE.ROTATE };
    this.controls.touches = { ONE: -1, TWO: THREE.TOUCH.DOLLY_ROTATE };
    this.controls.addEventListener("change", () => this.later());
    this.controls.addEventListener("start", () => (this.isHome = false));
    const sky = new THREE.HemisphereLight("#ffffff", "#8d95a3", 0.72);
    sky.position.set(0, 0, 1);
    const lamp = new THREE.DirectionalLight("#ffffff", 0.42);
    lamp.position.set(0.3, 0.35, 1); // over the shoulder of who looks
    this.camera.add(lamp);
    this.scene.add(sky, this.camera);
    this.live = new THREE.Group();
    this.drawing = new THREE.Group(); // what is shown while drawing only
    this.scene.add(this.live, this.drawing);
    this.cubes = new Cubes(this.drawing);
    this.marks = new Marks(this.drawing);
    this.floor = new THREE.Group();
    this.scene.add(this.floor);
    this.body = null;
    this.plane = { axis: null, level: 0 };
    this.raycaster = new THREE.Raycaster();
    this.isDirty = true;
    this.drawn = 0; // pictures so far
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.restyle());
    this.restyle();
    const loop = () => {
      requestAnimationFrame(loop);
      if (this.isDirty) {
        this.draw();
      }
    };
    loop();
  }

  later() {
    this.isDirty = true;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (width && height) {
      this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
      this.renderer.setSize(width, height, false);
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
      if (this.isHome && this.drawing.visible) {
        this.home(this.covered); // nobody has looked elsewhere
      }
      this.draw();
    }
  }

  restyle() {
    this.scene.background = styleColor("--sky");
    this.scene.fog = new THREE.Fog(this.scene.background, 100, 700);
    this.marks.restyle();
    if (this.body) {
      this.showFloor();
    }
    this.later();
  }

  // Draws now. What changed since is put into the cubes first.
  draw() {
    this.isDirty = false;
    this.keepFloor();
    if (this.body && this.cubes.isOld) {
      this.cubes.show(this.body, this.plane, this.layer);
    }
    const away = this.camera.position.distanceTo(this.controls.target);
    Object.assign(this.camera, { near: Math.max(away / 200, 0.05), far: away * 12 + 400 });
    Object.assign(this.scene.fog, { near: away + 60, far: away * 5 + 260 });
    this.camera.updateProjectionMatrix();
    this.renderer.render(this.scene, this.camera);
    this.drawn++;
  }

  // The floor goes with a body that walks away.
  keepFloor() {
    const { x, y } = this.controls.target;
    if (this.live.visible && this.floorMiddle && Math.hypot(x - this.floorMiddle[0], y - this.floorMiddle[1]) > FLOOR_REACH / 3) {
      this.showFloor([x, y]);
    }
  }

  // The body as cubes; `layer`: the layer that gives the colours, null: materials do.
  showCells(body, layer = null) {
    Object.assign(this, { body, layer });
    this.live.scale.setScalar(1 / body.edge);
    this.cubes.isOld = true;
    this.later();
  }

  // The first ground on which something can stand: below the body if that reaches lower than 0.
  ground() {
    return Math.min(0, this.body.bounds()?.low[2] ?? 0);
  }

  middle() {
    const { low, high } = this.body?.bounds() ?? { low: [0, 0, 0], high: [7, 7, 7] };
    return { center: low.map((least, axis) => (least + high[axis] + 1) / 2),
      reach: Math.max(6, Math.hypot(...low.map((least, axis) => high[axis] + 1 - least))) };
  }

  // The whole body, or the floor for a first one, above what covers so many pixels at the bottom.
  home(covered = 0) {
    Object.assign(this, { isHome: true, covered });
    const { center, reach } = this.middle();
    const narrow = Math.min(1, this.camera.aspect);
    const away = (0.78 * reach) / Math.tan((this.camera.fov / 2) * (Math.PI / 180)) / narrow;
    this.controls.target.set(center[0], center[1], this.body?.size ? center[2] : 1);
    this.camera.position.copy(this.controls.target).addScaledVector(HOME_WAY, -away);
    this.controls.update();
    this.camera.updateMatrixWorld();
    const up = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    const part = covered / (this.canvas.clientHeight || 1); // of the height of the picture
    up.multiplyScalar(-part * away * Math.tan((this.camera.fov / 2) * (Math.PI / 180)));
    this.controls.target.add(up);
    this.camera.position.add(up);
    this.controls.update();
    this.camera.updateMatrixWorld();
    this.showFloor();
    this.later();
  }

  // Turns the camera by angles (rad), or goes nearer by a factor: for the keyboard and for buttons.
  orbit(around, up, nearer = 1) {
    this.isHome = false;
    const way = this.camera.position.clone().sub(this.controls.target);
    const place = new THREE.Spherical().setFromVector3(new THREE.Vector3(way.x, way.z, -way.y));
    place.theta += around;
    place.phi = Math.min(Math.max(place.phi - up, 0.05), 3.1);
    place.radius = Math.min(Math.max(place.radius / nearer, this.controls.minDistance), this.controls.maxDistance);
    const turned = new THREE.Vector3().setFromSpherical(place);
    this.camera.position.copy(this.controls.target).add(new THREE.Vector3(turned.x, -turned.z, turned.y));
    this.controls.update();
    this.later();
  }

  // The horizontal axis, and its sign, along which something moves to the right (or away) in the picture.
  screenAxes() {
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const snap = (x, y) => (Math.abs(x) >= Math.abs(y) ? [Math.sign(x) || 1, 0, 0] : [0, Math.sign(y) || 1, 0]);
    const [x, y] = snap(right.x, right.y);
    return { right: [x, y, 0], away: [-y, x, 0] };
  }

  ray(x, y) {
    const box = this.canvas.getBoundingClientRect();
    const place = new THREE.Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height);
    this.camera.updateMatrixWorld();
    this.raycaster.setFromCamera(place, this.camera);
    return this.raycaster.ray;
  }

  // Where the ray through a place of the window meets the plane across an axis at a height, or null.
  onPlane(x, y, axis, height) {
    const { origin, direction } = this.ray(x, y);
    const way = direction.getComponent(axis);
    const along = (height - origin.getComponent(axis)) / way;
    if (!(along > 0) || along > 5000) {
      return null;
    }
    const point = direction.clone().multiplyScalar(along).add(origin).toArray();
    point[axis] = height;
    return point;
  }

  // How far along an axis from a point the pointer is: the place on the axis that is nearest to its ray.
  along(x, y, from, axis) {
    const { origin, direction } = this.ray(x, y);
    const way = origin.clone().sub(new THREE.Vector3(...from));
    const b = direction.getComponent(axis);
    const c = direction.dot(way);
    const e = way.getComponent(axis);
    return Math.abs(1 - b * b) < 1e-6 ? 0 : (e - b * c) / (1 - b * b);
  }

  // What the pointer meets: {voxel, cell, next, face, point}, or null. On the floor and beside voxels, cell and voxel are null.
  pick(x, y) {
    const { body, plane } = this;
    if (!body) {
      return null;
    }
    if (plane.axis !== null) {
      return this.pickPlane(x, y);
    }
    const ray = this.ray(x, y);
    const hit = body.size ? walk(body, ray.origin.toArray(), ray.direction.toArray()) : null;
    return hit ?? this.pickFloor(x, y);
  }

  pickPlane(x, y) {
    const { axis, level } = this.plane;
    const point = this.onPlane(x, y, axis, level + 1);
    if (!point || !this.isNear(point)) {
      return null;
    }
    const cell = point.map(Math.floor);
    cell[axis] = level;
    const face = [0, 0, 0];
    face[axis] = 1;
    return { voxel: this.body.cell(...cell) ?? null, cell, next: cell, face, point, free: true };
  }

  pickFloor(x, y) {
    const ground = this.ground();
    const point = this.onPlane(x, y, 2, ground);
    if (!point || !this.isNear(point) || this.camera.position.z < ground) {
      return null;
    }
    return { voxel: null, cell: null, next: [Math.floor(point[0]), Math.floor(point[1]), ground], face: [0, 0, 1], point };
  }

  isNear(point) {
    const { center } = this.middle();
    return Math.hypot(point[0] - center[0], point[1] - center[1]) < FLOOR_REACH;
  }

  // The floor of the scene as a grid of cells, with the directions of the axes. `about`: what it lies under.
  showFloor(about = this.middle().center) {
    const { body } = this;
    const middle = [Math.round(about[0] / 8) * 8, Math.round(about[1] / 8) * 8];
    this.floor.children.slice().forEach((child) => {
      this.floor.remove(child);
      child.geometry.dispose();
      child.material.dispose();
    });
    const floor = body.scene.floor ?? {};
    const enabled = floor.enabled !== false;
    const isPlane = !enabled || !(floor.heights_m || floor.radius_m > 0);
    const level = (x, y) => (enabled ? groundHeight(floor, body.edge, x, y) : this.ground());
    this.floor.add(...floorLines(middle, level, { enabled, isPlane }), ...axisLines(this.ground()));
    this.floorMiddle = middle;
    this.later();
  }

  // What belongs to drawing is out of sight while the body plays.
  // Afterwards the camera is where it was.
  play(isPlaying) {
    if (isPlaying) {
      this.before = [this.camera.position.clone(), this.controls.target.clone(), this.isHome];
    } else if (this.before) {
      this.camera.position.copy(this.before[0]);
      this.controls.target.copy(this.before[1]);
      this.controls.update();
      this.isHome = this.before[2];
    }
    this.drawing.visible = !isPlaying;
    this.live.visible = isPlaying;
    this.controls.mouseButtons.LEFT = isPlaying ? THREE.MOUSE.ROTATE : -1;
    this.controls.touches.ONE = isPlaying ? THREE.TOUCH.ROTATE : -1;
    this.later();
  }

  showGhost(boxes, color) {
    this.marks.ghost(boxes, color);
    this.later();
  }

  showSelection(box) {
    this.marks.select(box);
    this.later();
  }

  showCursor(cell) {
    this.marks.cursor(cell);
    this.later();
  }

  showMirror(mirror) {
    this.marks.mirror(mirror, this.middle());
    this.later();
  }

  showPlane(plane) {
    this.plane = plane;
    this.cubes.isOld = true;
    this.marks.plane(plane, this.middle());
    this.later();
  }

  showRegions() {
    this.marks.regions(this.body);
    this.later();
  }
}

// Lines of the floor: every cell, every eighth cell stronger. They follow slopes and steps.
function floorLines(middle, level, { enabled, isPlane }) {
  const lines = [[], []];
  const reach = FLOOR_REACH;
  const step = isPlane ? 2 * reach : 1;
  for (let line = -reach; line <= reach; line++) {
    for (let from = -reach; from < reach; from += step) {
      for (const [a, b] of [[[line, from], [line, from + step]], [[from, line], [from + step, line]]]) {
        const ends = [a, b].flatMap(([u, v]) => [middle[0] + u, middle[1] + v, level(middle[0] + u, middle[1] + v)]);
        if (!ends.some(Number.isNaN)) {
          lines[line % 8 === 0 ? 1 : 0].push(...ends);
        }
      }
    }
  }
  return lines.map((points, number) => {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points), 3));
    const opacity = (number ? 1 : 0.55) * (enabled ? 1 : 0.35);
    return new THREE.LineSegments(geometry,
      new THREE.LineBasicMaterial({ color: styleColor("--grid"), transparent: true, opacity, depthWrite: false }));
  });
}

// The directions of x, y and z at the corner of the first cell, with their letters.
function axisLines(ground) {
  const colors = ["#d6453d", "#2f9e44", "#2f6fde"];
  return colors.flatMap((color, axis) => {
    const end = [0, 1, 2].map((other) => (other === axis ? 3 : 0));
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array([0, 0, ground + 0.02, end[0], end[1], end[2] + ground + 0.02]), 3));
    const letter = new THREE.Sprite(new THREE.SpriteMaterial({ map: letterTexture("xyz"[axis], color), transparent: true, depthWrite: false }));
    letter.position.set(end[0] * 1.2, end[1] * 1.2, end[2] * 1.2 + ground);
    letter.scale.setScalar(0.7);
    return [new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color })), letter];
  });
}

const letters = {}; // textures, by letter and colour

function letterTexture(text, color) {
  if (!letters[text + color]) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 64;
    const pen = canvas.getContext("2d");
    Object.assign(pen, { font: "bold 52px system-ui, sans-serif", textAlign: "center", textBaseline: "middle", fillStyle: color });
    pen.fillText(text, 32, 32);
    letters[text + color] = new THREE.CanvasTexture(canvas);
  }
  return letters[text + color];
}

// The first voxel on a ray's way through the lattice, from cell to cell.
function walk(body, origin, direction) {
  const { low, high } = body.bounds();
  let [near, far, axis] = [0, Infinity, 2];
  for (let k = 0; k < 3; k++) {
    const [a, b] = [(low[k] - origin[k]) / direction[k], (high[k] + 1 - origin[k]) / direction[k]];
    if (Math.min(a, b) > near) {
      [near, axis] = [Math.min(a, b), k];
    }
    far = Math.min(far, Math.max(a, b));
  }
  if (!(near < far)) {
    return null;
  }
  const cell = origin.map((at, k) => Math.min(Math.max(Math.floor(at + direction[k] * near), low[k]), high[k]));
  for (let at = near; ;) {
    const voxel = body.cell(...cell);
    if (voxel) {
      const face = [0, 0, 0];
      face[axis] = -Math.sign(direction[axis]) || 1;
      return { voxel, cell, next: plus(cell, face), face, point: origin.map((from, k) => from + direction[k] * at) };
    }
    const ends = cell.map((place, k) => (direction[k] ? (place + (direction[k] > 0 ? 1 : 0) - origin[k]) / direction[k] : Infinity));
    at = Math.min(...ends);
    axis = ends.indexOf(at);
    cell[axis] += Math.sign(direction[axis]);
    if (cell[axis] < low[axis] || cell[axis] > high[axis]) {
      return null;
    }
  }
}
