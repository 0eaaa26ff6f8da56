// SPDX-License-Identifier: MIT
// Draws robots: deformed voxels, the floor, the paths of the centres of mass. z is up.
"use strict";

const GHOST = 0.25; // opacity of ghosts
const SPACE = 1.2; // how much farther than it must be the camera is at the start,
const MIN_SPACE = 1.03; // and later: between them it stays where it is
const MAX_RETREAT = 8; // how much farther than at the start the camera goes, where robots part or lose pieces
const DOWN_THE_FIELD = new THREE.Vector3(-1.9, 2.4, -1.5).normalize(); // from the camera to the robots at first

// Rounds up to a multiple of the spacing.
function roundTo(number, spacing) {
  return Math.ceil(number / spacing) * spacing;
}

// One robot: surface, edges and trace, shifted along y so that robots stand side by side.
class RobotView {
  constructor(robot, number) {
    const { series } = robot;
    this.robot = robot;
    this.number = number; // of its color; a ghost has that of its robot
    this.group = new THREE.Group();
    this.places = new Float32Array(3 * robot.vertices); // vertices as shown, between two frames
    this.placed = [0, 1].map(() => ({ index: -1, places: new Float32Array(3 * robot.vertices) })); // vertices of an even and of an odd frame
    this.surface = new QuadSurface(robot.quads, robot.hidden);
    if (robot.isGhost) {
      Object.assign(this.surface.mesh.material, { transparent: true, opacity: GHOST, depthWrite: false });
    }
    this.edges = this.surface.edges;
    this.trace = this.makeTrace(number);
    if (robot.isGhost) {
      Object.assign(this.trace.material, { transparent: true, opacity: 2 * GHOST });
      this.edges.material.opacity *= GHOST;
    }
    this.group.add(this.surface.mesh, this.edges, this.trace);
    this.ranges = {}; // end of the scale of each color mode that has one
    for (const [name, mode] of Object.entries(COLOR_MODES)) {
      if (mode.maxima) {
        this.ranges[name] = usualMax(series[mode.maxima]);
      }
    }
  }

  makeTrace(number) {
    const { robot } = this;
    const { series } = robot;
    const places = new Float32Array(3 * robot.count);
    for (let k = 0; k < robot.count; k++) {
      places.set([series.x[k], series.y[k], series.z[k]], 3 * k);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(places, 3));
    const trace = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: LINES[number % LINES.length], depthTest: false }));
    trace.frustumCulled = false;
    return trace;
  }

  // Shows the robot between frame `index` and the next one.
  async show(index, part, color) {
    const { robot } = this;
    const now = await robot.frame(index);
    const here = await this.placesOf(index);
    if (part > 0) {
      const there = await this.placesOf(index + 1);
      for (let i = 0; i < here.length; i++) {
        this.places[i] = here[i] + part * (there[i] - here[i]);
      }
    } else {
      this.places.set(here);
    }
    this.putQuads();
    this.putColors(now, color);
    this.trace.geometry.setDrawRange(0, index + 1);
  }

  // Vertices in a frame. The last even and the last odd frame are kept, since the next picture usually needs them again.
  async placesOf(index) {
    const kept = this.placed[index % 2];
    if (kept.index !== index) {
      this.robot.place(await this.robot.frame(index), kept.places);
      kept.index = index;
    }
    return kept.places;
  }

  putQuads() {
    const p = this.surface.positions.array;
    const { quad, quads } = this.robot;
    for (let i = 0; i < quads; i++) {
      for (let k = 0; k < 4; k++) {
        const from = 3 * quad[4 * i + k];
        p[12 * i + 3 * k] = this.places[from];
        p[12 * i + 3 * k + 1] = this.places[from + 1];
        p[12 * i + 3 * k + 2] = this.places[from + 2];
      }
    }
    this.surface.update();
  }

  putColors(frame, color) {
    const { robot } = this;
    const mode = COLOR_MODES[color];
    const ofBody = (body) => (mode.ofBody ? mode.ofBody(robot.bodies[body]) : NO_VALUE);
    this.surface.paint(robot.quadVoxel, (voxel) => (voxel < robot.voxels ? mode.of(this, frame, voxel) : ofBody(voxel - robot.voxels)));
  }
}

// The scene: all robots, their floors, lights and the camera.
class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !isDrawnByProcessor(), preserveDrawingBuffer: true });
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(40, 1, 1e-4, 1e3);
    this.camera.up.set(0, 0, 1);
    this.controls = new THREE.OrbitControls(this.camera, canvas);
    this.controls.enableKeys = false;
    this.sun = new THREE.DirectionalLight(0xffffff, 0.4);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xb4b8c0, 0.85), this.sun);
    this.views = [];
    this.held = false; // the user turns or moves the view
    this.controls.addEventListener("start", () => { this.held = true; });
    this.controls.addEventListener("end", () => { this.held = false; this.changed = true; });
  }

  clear() {
    for (const view of this.views) {
      this.scene.remove(view.group);
      view.group.traverse((object) => {
        if (object.geometry) {
          object.geometry.dispose();
          object.material.dispose();
        }
      });
    }
    this.views = [];
  }

  // Adds robots side by side along y, each on its own floor, and their ghosts in the same places.
  addRobots(robots) {
    let shift = 0;
    let shown = -1;
    this.views = robots.map((robot) => new RobotView(robot, robot.isGhost ? shown : ++shown));
    for (const view of this.views) {
      [view.low, view.high] = this.reach(view.robot);
      const owner = this.views.find((other) => other.number === view.number);
      for (let c = 0; c < 2; c++) {
        owner.low[c] = Math.min(owner.low[c], view.low[c]);
        owner.high[c] = Math.max(owner.high[c], view.high[c]);
      }
    }
    const widest = Math.max(...this.views.map((view) => Math.max(view.high[0] - view.low[0], view.high[1] - view.low[1])));
    this.spacing = roundUp(widest / 40);
    let owner = null;
    this.views.forEach((view, index) => {
      if (view.robot.isGhost) {
        view.shift = owner.shift;
      } else {
        owner = view;
        view.shift = index === 0 ? 0 : roundTo(shift - view.low[1], this.spacing);
        shift = view.shift + view.high[1] + 4 * this.spacing;
        this.addFloor(view);
      }
      view.group.position.y = view.shift;
      this.scene.add(view.group);
    });
    for (const name of Object.keys(this.views[0].ranges)) { /* one scale for all */
      const max = Math.max(...this.views.map((view) => view.ranges[name]));
      this.views.forEach((view) => { view.ranges[name] = max; });
    }
    this.paint();
    this.home();
  }

  // Box around the whole motion of a robot and half as much again: [[x, y], [x, y]].
  reach(robot) {
    const { series } = robot;
    const edge = (values, side) => values.reduce((most, value, k) => Math.max(most, side * value + 1.5 * series.spread[k]), -Infinity);
    return [[-edge(series.x, -1), -edge(series.y, -1)], [edge(series.x, 1), edge(series.y, 1)]];
  }

  // Adds a grid to a robot's floor.
  addFloor(view) {
    const { floor } = view.robot;
    const { spacing } = this;
    if (!floor.enabled) {
      return;
    }
    const begin = [0, 1].map((c) => Math.floor(view.low[c] / spacing) - 2);
    const end = [0, 1].map((c) => Math.ceil(view.high[c] / spacing) + 2);
    const parts = floor.heights_m ? Math.max(1, Math.min(16, Math.ceil((2 * spacing) / floor.spacing_m))) : floor.radius_m > 0 ? 8 : 1;
    const points = [];
    const put = (x1, y1, x2, y2) => {
      const ends = [x1, y1, floorLevel(floor, x1, y1), x2, y2, floorLevel(floor, x2, y2)];
      if (ends.every(Number.isFinite)) {
        points.push(...ends);
      }
    };
    for (let i = begin[0]; i <= end[0]; i++) {
      for (let k = begin[1] * parts; k < end[1] * parts; k++) {
        put(i * spacing, (k * spacing) / parts, i * spacing, ((k + 1) * spacing) / parts);
      }
    }
    for (let j = begin[1]; j <= end[1]; j++) {
      for (let k = begin[0] * parts; k < end[0] * parts; k++) {
        put((k * spacing) / parts, j * spacing, ((k + 1) * spacing) / parts, j * spacing);
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(Float32Array.from(points), 3));
    view.grid = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial());
    view.group.add(view.grid);
  }

  // Applies the colors of the page, which may be the dark ones.
  paint() {
    this.renderer.setClearColor(colorSetting("--sky"));
    for (const view of this.views) {
      view.edges.material.color.set(colorSetting("--edge"));
      if (view.grid) {
        view.grid.material.color.set(colorSetting("--grid"));
      }
    }
  }

  // Where all robots but ghosts are, and how far they reach. momentOf gives a frame of each robot, and the part of the way to the next.
  shown(momentOf) {
    return this.views.filter((view) => !view.robot.isGhost).map((view) => {
      const { series } = view.robot;
      const [k, part] = momentOf(view.robot);
      const at = (values) => values[k] + (part > 0 ? part * (values[k + 1] - values[k]) : 0);
      return { view, place: new THREE.Vector3(at(series.x), at(series.y) + view.shift, at(series.z)), radius: at(series.spread) };
    });
  }

  // What the camera looks at: the middle of all robots.
  aim(momentOf) {
    const middle = (robots) => robots.reduce((sum, { place }) => sum.addScaledVector(place, 1 / robots.length), new THREE.Vector3());
    const first = this.shown(() => [0, 0]);
    const start = middle(first);
    const now = middle(this.shown(momentOf));
    return now.setZ(start.z + followedRise(now.z - start.z, Math.max(...first.map(({ radius }) => radius))));
  }

  // How far from its target a camera that looks this way must be, to have all robots in the picture.
  distance(momentOf, forward) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const high = Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = high * (width / height || 1);
    const right = new THREE.Vector3().crossVectors(forward, this.camera.up).normalize();
    const up = new THREE.Vector3().crossVectors(right, forward);
    const target = this.aim(momentOf);
    let most = 0;
    for (const { place, radius } of this.shown(momentOf)) {
      const from = place.clone().sub(target);
      for (const [axis, slope] of [[right, wide], [up, high]]) {
        most = Math.max(most, (Math.abs(from.dot(axis)) + radius * Math.hypot(1, slope)) / slope - from.dot(forward));
      }
    }
    return most;
  }

  // The distance for robots now, but not less than for those at the start: robots that come together do not come nearer.
  needed(momentOf) {
    const forward = this.controls.target.clone().sub(this.camera.position).normalize();
    const first = SPACE * this.distance(() => [0, 0], forward);
    return Math.min(Math.max(first, MIN_SPACE * this.distance(momentOf, forward)), MAX_RETREAT * first);
  }

  // Where a robot that is drawn has its middle and its upper edge in the picture, and whether that is in sight; -1 to 1.
  label(view, place) {
    const middle = place.clone().project(this.camera);
    const e = new THREE.Matrix4().multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse).elements;
    const { places } = view;
    let upper = -Infinity;
    for (let i = 0; i < places.length; i += 3) {
      const [x, y, z] = [places[i], places[i + 1] + view.shift, places[i + 2]];
      upper = Math.max(upper, (e[1] * x + e[5] * y + e[9] * z + e[13]) / (e[3] * x + e[7] * y + e[11] * z + e[15]));
    }
    return { x: middle.x, upper, inSight: Math.abs(middle.x) <= 1 && Math.abs(middle.y) <= 1 && Math.abs(middle.z) <= 1 };
  }

  // Moves the view to a place, without turning it.
  look(place) {
    this.move(place.clone().sub(this.controls.target));
  }

  // Looks from the front and slightly from above, so that the first positions of all robots are in view.
  home() {
    const start = () => [0, 0];
    const distance = SPACE * this.distance(start, DOWN_THE_FIELD);
    this.controls.target.copy(this.aim(start));
    this.camera.position.copy(this.controls.target).addScaledVector(DOWN_THE_FIELD, -distance);
    this.camera.near = distance / 300;
    this.camera.far = distance * 300;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.fitted = distance;
  }

  // Moves camera and target by the same vector, as the robots moved.
  move(way) {
    this.camera.position.add(way);
    this.controls.target.add(way);
  }

  // Goes farther away or back as the robots part or meet, or the window changes; what the user chose stays in proportion.
  fit(momentOf) {
    const needed = this.needed(momentOf);
    if (!this.held && !this.changed) {
      this.camera.position.sub(this.controls.target).multiplyScalar(needed / this.fitted).add(this.controls.target);
    }
    this.changed = false;
    this.fitted = needed;
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    if (this.width !== width || this.height !== height || this.ratio !== ratio) {
      Object.assign(this, { width, height, ratio });
      this.renderer.setPixelRatio(ratio);
      this.renderer.setSize(width, height, false);
      this.camera.aspect = width / Math.max(height, 1);
      this.camera.updateProjectionMatrix();
    }
    this.controls.update();
    this.sun.position.copy(this.camera.position).sub(this.controls.target).add(new THREE.Vector3(0, 0, 0.6 * this.camera.position.length()));
    this.renderer.render(this.scene, this.camera);
  }
}
