// SPDX-License-Identifier: MIT
// The deformed surface of voxels: quads with a colour and a normal each, and their edges. Replay pages and the studio draw it.
"use strict";

const FREE_RISE = 0.15; // part of a robot's size by which it may rise and fall before the camera goes with it

// Up and down a camera follows only as far as a robot leaves the heights of the start: one that bobs with each stride makes strides hard to see.
function followedRise(rise, size) {
  return Math.sign(rise) * Math.max(0, Math.abs(rise) - FREE_RISE * size);
}

// Four corners of three numbers for each quad. Who has written `positions.array` calls update().
class QuadSurface {
  // hidden: for each quad, bit k where side k is not outlined; null: none.
  constructor(quads, hidden) {
    const numbers = () => new THREE.BufferAttribute(new Float32Array(12 * quads), 3);
    this.quads = quads;
    this.positions = numbers();
    this.normals = numbers();
    this.colors = numbers();
    const faces = new Uint32Array(6 * quads);
    const lines = new Uint32Array(8 * quads);
    for (let i = 0; i < quads; i++) {
      faces.set([4 * i, 4 * i + 1, 4 * i + 2, 4 * i, 4 * i + 2, 4 * i + 3], 6 * i);
      for (let k = 0; k < 4; k++) {
        const end = hidden && (hidden[i] >> k) & 1 ? k : (k + 1) % 4; // a hidden side has no length
        lines.set([4 * i + k, 4 * i + end], 8 * i + 2 * k);
      }
    }
    const surface = new THREE.BufferGeometry();
    surface.setAttribute("position", this.positions);
    surface.setAttribute("normal", this.normals);
    surface.setAttribute("color", this.colors);
    surface.setIndex(new THREE.BufferAttribute(faces, 1));
    const outline = new THREE.BufferGeometry();
    outline.setAttribute("position", this.positions);
    outline.setIndex(new THREE.BufferAttribute(lines, 1));
    this.mesh = new THREE.Mesh(surface, new THREE.MeshLambertMaterial({
      vertexColors: THREE.VertexColors, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }));
    this.edges = new THREE.LineSegments(outline, new THREE.LineBasicMaterial({ transparent: true, opacity: 0.35 }));
    this.mesh.frustumCulled = false;
    this.edges.frustumCulled = false;
  }

  // Computes the normals of the present corners, by the diagonals.
  update() {
    const p = this.positions.array;
    const n = this.normals.array;
    for (let a = 0; a < p.length; a += 12) {
      const ux = p[a + 6] - p[a], uy = p[a + 7] - p[a + 1], uz = p[a + 8] - p[a + 2];
      const vx = p[a + 9] - p[a + 3], vy = p[a + 10] - p[a + 4], vz = p[a + 11] - p[a + 5];
      const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
      const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
      for (let k = a; k < a + 12; k += 3) {
        n[k] = nx / length;
        n[k + 1] = ny / length;
        n[k + 2] = nz / length;
      }
    }
    this.positions.needsUpdate = true;
    this.normals.needsUpdate = true;
  }

  // Colours each quad: voxelOf gives the voxel of each, colorOf the red, green and blue of a voxel. Quads of a voxel stand one behind another.
  paint(voxelOf, colorOf) {
    const c = this.colors.array;
    let last = -1;
    let rgb = [0, 0, 0];
    for (let i = 0; i < this.quads; i++) {
      if (voxelOf[i] !== last) {
        last = voxelOf[i];
        rgb = colorOf(last);
      }
      for (let k = 12 * i; k < 12 * i + 12; k += 3) {
        c[k] = rgb[0];
        c[k + 1] = rgb[1];
        c[k + 2] = rgb[2];
      }
    }
    this.colors.needsUpdate = true;
  }

  dispose() {
    for (const object of [this.mesh, this.edges]) {
      object.geometry.dispose();
      object.material.dispose();
    }
  }
}
