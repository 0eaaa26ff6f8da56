#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""read_shapes.py NAME: what `view` has made of one record, NAME.glb, .obj, .stl and .pvd, read by the formats' own rules and compared: the skin of
the glTF in its last frame is the surface in the OBJ, the STL encloses the volume of the hexahedra in the last VTU. VTK's own reader has its say
where it is installed."""
import json
import pathlib
import struct
import sys
import xml.etree.ElementTree as xml
import zlib

FACES = ((1, 2, 6, 5), (0, 4, 7, 3), (3, 7, 6, 2), (0, 1, 5, 4), (4, 5, 6, 7), (0, 3, 2, 1))  # of VTK's hexahedron
SIZES = {"Float32": "f", "Float64": "d", "Int32": "i", "UInt8": "B"}
passed = failed = 0


def check(good, what):
    global passed, failed
    passed += bool(good)
    failed += not good
    print(("ok   " if good else "FAIL ") + what)


def volume(places, quads):
    """Volume inside quadrilaterals, each the mean of its two divisions into two triangles; faces shared by two hexahedra cancel."""
    total = 0.0
    for a, b, c, d in quads:
        for one, two, three in ((a, b, c), (a, c, d), (a, b, d), (b, c, d)):
            p, q, r = places[one], places[two], places[three]
            total += (p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) + p[2] * (q[0] * r[1] - q[1] * r[0])) / 12
    return total


def read_obj(path):
    lines = [line.split() for line in path.read_text().splitlines()]
    places = [[float(word) for word in line[1:]] for line in lines if line and line[0] == "v"]
    quads = [[int(word) - 1 for word in line[1:]] for line in lines if line and line[0] == "f"]
    library = path.parent / next(line[1] for line in lines if line and line[0] == "mtllib")
    known = {line.split()[1] for line in library.read_text().splitlines() if line.startswith("newmtl")}
    check(known >= {line[1] for line in lines if line and line[0] == "usemtl"}, "the OBJ's materials are in its library")
    return places, quads


def turn(q, v):
    x, y, z, w = q
    t = (2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0]))
    return (v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0])


class Gltf:
    def __init__(self, path):
        data = path.read_bytes()
        magic, version, size, length = struct.unpack_from("<4I", data)
        check(magic == 0x46546C67 and version == 2 and size == len(data) and length % 4 == 0, "the GLB's head")
        self.root = json.loads(data[20:20 + length])
        self.data = data[28 + length:]
        check(struct.unpack_from("<I", data, 20 + length)[0] == len(self.data) == self.root["buffers"][0]["byteLength"], "the GLB's parts")

    def numbers(self, index):
        accessor = self.root["accessors"][index]
        view = self.root["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
        kind = {5126: "f", 5123: "H", 5125: "I"}[accessor["componentType"]]
        size = struct.calcsize(kind) * width
        start = view["byteOffset"] + accessor.get("byteOffset", 0)
        assert start + size * accessor["count"] <= view["byteOffset"] + view["byteLength"] <= len(self.data)
        return [struct.unpack_from(f"<{width}{kind}", self.data, start + size * k) for k in range(accessor["count"])]

    def last_places(self):
        """The skin (GLTF, 3.7.3), in the last frame, before the node that turns z up."""
        attributes = self.root["meshes"][0]["primitives"][0]["attributes"]
        rest = self.numbers(attributes["POSITION"])
        joints = [self.numbers(attributes[f"JOINTS_{k}"]) for k in range(2)]
        weights = [self.numbers(attributes[f"WEIGHTS_{k}"]) for k in range(2)]
        back = self.numbers(self.root["skins"][0]["inverseBindMatrices"])
        animation, moves = self.root["animations"][0], {}
        for channel in animation["channels"]:
            target = channel["target"]
            moves[self.root["skins"][0]["joints"].index(target["node"]), target["path"]] = self.numbers(
                animation["samplers"][channel["sampler"]]["output"])[-1]
        places = []
        for i, place in enumerate(rest):
            total = [0.0, 0.0, 0.0]
            for joint, weight in zip(joints[0][i] + joints[1][i], weights[0][i] + weights[1][i]):
                if weight:
                    arm = [(place[c] + back[joint][12 + c]) * moves[joint, "scale"][c] for c in range(3)]
                    arm = turn(moves[joint, "rotation"], arm)
                    total = [total[c] + weight * (arm[c] + moves[joint, "translation"][c]) for c in range(3)]
            places.append(total)
        return places


def read_stl(path):
    data = path.read_bytes()
    count = struct.unpack_from("<I", data, 80)[0]
    check(len(data) == 84 + 50 * count, "the STL's size")
    total = 0.0
    for k in range(count):
        p, q, r = [struct.unpack_from("<3f", data, 84 + 50 * k + 12 * c) for c in (1, 2, 3)]
        total += (p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) + p[2] * (q[0] * r[1] - q[1] * r[0])) / 6
    return count, total


def read_vtu(path):
    """Arrays by name, as in VTK's XML format: appended, raw, compressed in blocks."""
    data = path.read_bytes()
    at = data.index(b'<AppendedData encoding="raw">')
    start = data.index(b"_", at) + 1
    root = xml.fromstring(data[:at] + b"</VTKFile>")
    check(root.get("compressor") == "vtkZLibDataCompressor" and root.get("header_type") == "UInt64", "the VTU's head")
    arrays = {}
    for array in root.iter("DataArray"):
        offset = start + int(array.get("offset"))
        blocks, full, part = struct.unpack_from("<3Q", data, offset)
        sizes = struct.unpack_from(f"<{blocks}Q", data, offset + 24)
        offset += 24 + 8 * blocks
        raw = b""
        for size in sizes:
            raw += zlib.decompress(data[offset:offset + size])
            offset += size
        assert len(raw) == (blocks - (part > 0)) * full + part
        kind, width = SIZES[array.get("type")], int(array.get("NumberOfComponents"))
        flat = struct.unpack(f"<{len(raw) // struct.calcsize(kind)}{kind}", raw)
        arrays[array.get("Name")] = [flat[k:k + width] for k in range(0, len(flat), width)]
    return arrays


def ask_vtk(path, points, cells):
    try:
        import vtk
    except ImportError:
        print("     VTK is not here")
        return
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    grid = reader.GetOutput()
    names = {grid.GetCellData().GetArrayName(k) for k in range(grid.GetCellData().GetNumberOfArrays())}
    check(grid.GetNumberOfPoints() == points and grid.GetNumberOfCells() == cells, "VTK reads as many points and cells")
    check(names == {"material", "strain", "stress", "energy", "contact", "edge"}, "VTK reads all values of cells")


def main():
    name = pathlib.Path(sys.argv[1])
    places, quads = read_obj(name.with_suffix(".obj"))
    skin = Gltf(name.with_suffix(".glb")).last_places()
    apart = max(abs(a - b) for p, q in zip(places, skin) for a, b in zip(p, q))
    check(len(places) == len(skin) and apart < 1e-6, f"the skin is the surface: {apart:.1e} m apart")
    count, inside = read_stl(name.with_suffix(".stl"))
    check(count == 2 * len(quads), "the STL has two triangles for each face")
    list_ = xml.parse(name.with_suffix(".pvd")).getroot().findall("Collection/DataSet")
    times = [float(entry.get("timestep")) for entry in list_]
    check(times == sorted(times) and len(times) > 1, "the PVD lists moments in order")
    last = name.parent / list_[-1].get("file")
    arrays = read_vtu(last)
    cells = [[index for (index,) in arrays["connectivity"][8 * k:8 * k + 8]] for k in range(len(arrays["types"]))]
    hexahedra = sum(volume(arrays["Points"], [[cell[c] for c in face] for face in FACES]) for cell in cells)
    surface = volume(places, quads)
    check(abs(hexahedra - surface) < 1e-6 * surface, f"hexahedra fill the surface: {hexahedra:.6e} and {surface:.6e} m^3")
    check(abs(inside - surface) < 0.01 * surface, f"and the STL: {inside:.6e} m^3")
    ask_vtk(last, len(arrays["Points"]), len(cells))
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
