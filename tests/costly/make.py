#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make.py FOLDER: writes small files that stand for much, or take long to read: what readers must bound or refuse. Each is below 1 MB."""
import base64
import io
import json
import struct
import sys
import zipfile
import zlib
from pathlib import Path

MATERIAL = "<Material><Name>m</Name><Mechanical><Elastic_Mod>1e6</Elastic_Mod><Density>1000</Density></Mechanical></Material>"


def vxa(size, layers, structure="", beside="", palette=MATERIAL):
    """A VXA of zlib layers with these texts in the structure, and beside the object."""
    data = "".join(f"<Layer><![CDATA[{text}]]></Layer>" for text in layers)
    axes = "".join(f"<{axis}_Voxels>{n}</{axis}_Voxels>" for axis, n in zip("XYZ", size))
    return (f'<VXA Version="1.1"><VXC Version="0.94"><Lattice><Lattice_Dim>0.01</Lattice_Dim></Lattice><Palette>{palette}</Palette>'
            f'<Structure Compression="ZLIB">{axes}<Data>{data}</Data>{structure}</Structure></VXC>{beside}</VXA>')


def base():
    """What the .vxd below lie over."""
    return vxa((1, 1, 1), [full(1)])


def replacements():
    """Each element makes another one in the base, behind those that were made before it."""
    return "<VXD>" + "".join(f'<a replace="VXA.b{i}"/>' for i in range(35000)) + "</VXD>"


def full(cells):
    """A layer of so many cells of material 1."""
    return base64.b64encode(zlib.compress(b"\1" * cells, 9)).decode()


def empty(cells, last=1):
    """A layer whose last cell alone is not empty."""
    return base64.b64encode(zlib.compress(b"\0" * (cells - 1) + bytes([last]), 9)).decode()


def zlib_layers():
    return vxa((1000, 1000, 14), [full(10 ** 6)] * 14)


def zlib_most():
    """As many voxels as are read of a small file."""
    return vxa((64, 128, 64), [full(2 ** 13)] * 64)


def zlib_cells():
    """As many cells as are read of a small file, one voxel among them."""
    return vxa((2 ** 13, 2 ** 13, 1), [empty(2 ** 26)])


def zlib_sparse():
    """Planes of empty cells, one voxel each."""
    return vxa((1024, 1024, 64), [empty(2 ** 20)] * 64)


def zlib_plane():
    return vxa((2 ** 14, 2 ** 14, 1), [empty(2 ** 28)])


def zlib_many_layers():
    """Planes of a million empty cells, one voxel each."""
    return vxa((1024, 1024, 200), [empty(2 ** 20)] * 200)


def wide_layer():
    """Planes of 100 voxels, and 4000 numbers for each voxel of the first plane alone."""
    plane, layers, width = 100, 3900, 4000
    numbers = "<Layer>" + "0," * (plane * width) + "</Layer>" + "<Layer/>" * (layers - 1)
    return vxa((10, 10, layers), [full(plane)] * layers, f"<Wide>{numbers}</Wide>")


def cilia_layers():
    """Layers that may be short, so that a tag stands for three numbers of each voxel."""
    names = "".join(f"<a{i}CiliaForce><Layer>0,0,0,0,0,0</Layer></a{i}CiliaForce>" for i in range(1000))
    return vxa((64, 64, 64), [full(64 * 64)] * 64, names)


def regions():
    region = "<FRegion><Fixed>1</Fixed><X>0</X><Y>0</Y><Z>0</Z><dX>1</dX><dY>1</dY><dZ>1</dZ></FRegion>"
    many = region * 10000
    return vxa((64, 64, 64), [full(64 * 64)] * 64,
               beside=f"<Environment><Boundary_Conditions><NumBCs>10000</NumBCs>{many}</Boundary_Conditions></Environment>")


def entities():
    doctype = '<!DOCTYPE VXA [<!ENTITY a "' + "x" * 1000 + '">' + "".join(
        f'<!ENTITY {chr(98 + i)} "{("&" + chr(97 + i) + ";") * 10}">' for i in range(8)) + "]>"
    return doctype + vxa((1, 1, 1), [full(1)], beside="<RawPrint>&i;</RawPrint>")


def entity_repeated():
    doctype = '<!DOCTYPE VXA [<!ENTITY a "' + "x" * 10000 + '">]>'
    return doctype + vxa((1, 1, 1), [full(1)], beside=f"<RawPrint>{'&a;' * 300000}</RawPrint>")


def tags():
    """Tags that no reader knows, of 999 names in turn."""
    return vxa((1, 1, 1), [full(1)], beside="<Q>" + "".join(f"<a{i % 995}/>" for i in range(140000)) + "</Q>")


def materials_of_vxa():
    return vxa((1, 1, 1), [full(1)], palette=MATERIAL + "<Material/>" * 80000)


def chunk(name, content):
    return name + struct.pack("<ii", len(content), 0) + content


def text(value):
    return struct.pack("<i", len(value)) + value


def vox(models, translations, shapes_of=None):
    """Models, (size, voxels), placed at translations: of the first model, or of shapes_of(i)."""
    chunks = b""
    for size, voxels in models:
        chunks += chunk(b"SIZE", struct.pack("<iii", *size)) + chunk(b"XYZI", struct.pack("<i", len(voxels) // 4) + voxels)
    chunks += chunk(b"nTRN", struct.pack("<iiiiiii", 0, 0, 1, -1, 0, 1, 0))
    groups, children = b"", []
    for i, at in enumerate(translations):
        node = 2 + 2 * i
        children.append(node)
        frame = struct.pack("<i", 1) + text(b"_t") + text(b"%d %d %d" % at)
        groups += chunk(b"nTRN", struct.pack("<iiiiii", node, 0, 1 if not shapes_of else node + 1, -1, 0, 1) + frame) if shapes_of else b""
        groups += chunk(b"nSHP", struct.pack("<iiiii", node + 1, 0, 1, shapes_of(i), 0)) if shapes_of else b""
    chunks += chunk(b"nGRP", struct.pack("<iii", 1, 0, len(children)) + struct.pack(f"<{len(children)}i", *children)) + groups
    return b"VOX " + struct.pack("<i", 150) + b"MAIN" + struct.pack("<ii", 0, len(chunks)) + chunks


def cube(side, color):
    return bytes(b for z in range(side) for y in range(side) for x in range(side) for b in (x, y, z, color))


def vox_same_node(voxels, size, references, placed=b"0 0 0"):
    """A group that lists one shape so many times."""
    chunks = chunk(b"SIZE", struct.pack("<iii", *size)) + chunk(b"XYZI", struct.pack("<i", len(voxels) // 4) + voxels)
    chunks += chunk(b"nTRN", struct.pack("<iiiiiii", 0, 0, 1, -1, 0, 1, 0))
    chunks += chunk(b"nGRP", struct.pack("<iii", 1, 0, references) + struct.pack("<i", 2) * references)
    chunks += chunk(b"nSHP", struct.pack("<iiiii", 2, 0, 1, 0, 0))
    return b"VOX " + struct.pack("<i", 150) + b"MAIN" + struct.pack("<ii", 0, len(chunks)) + chunks


def colorless():
    return vox_same_node(cube(31, 0), (31, 31, 31), 65000)


def references():
    """A group that lists a shape more often than nodes are visited."""
    return vox_same_node(cube(1, 1), (1, 1, 1), 200000)


def almost_colorless():
    return vox_same_node(cube(10, 0)[:-1] + bytes([1]), (10, 10, 10), 65000)


def copies():
    """Copies of one model, each at a place of its own: 4096 voxels for each 90 bytes."""
    side = 16
    places = [(side * (i % 8), side * (i // 8 % 8), side * (i // 64)) for i in range(160)]
    return vox([((side, side, side), cube(side, 1))], places, lambda i: 0)


def result_of_angles():
    return "<report><detail>" + "<" * 999900


def result_of_tags():
    return "<report><detail><r>" + "<x>1</x>" * 120000 + "</r></detail></report>"


def scene(**keys):
    base = {"materials": [{"youngs_modulus_Pa": 1e6}], "voxels": [[0, 0, 0, 0]]}
    base.update(keys)
    return json.dumps(base, separators=(",", ":"))


def layers():
    return scene(layers={f"{i:x}": [0] for i in range(88000)})


def materials():
    return '{"materials":[' + "{}," * 330000 + '{}],"voxels":[[0,0,0,0]]}'


def materials_used():
    n = 40000
    return '{"materials":[' + "{}," * (n - 1) + '{}],"voxels":[' + ",".join(f"[{i},0,0,{i}]" for i in range(n)) + "]}"


def schedules():
    return scene(schedules=[{"group": i, "table": [[0, 1]]} for i in range(28000)])


def unknown_keys():
    return scene(**{f"k{i}": 0 for i in range(80000)})


def materials_most():
    n = 16384
    return '{"materials":[' + "{}," * (n - 1) + '{}],"voxels":[' + ",".join(f"[{i},0,0,{i}]" for i in range(n)) + "]}"


def layers_most():
    return scene(voxels=[[0, 0, 0, 0], [1, 0, 0, 0]], layers={f"{i:x}": [0] * 400 for i in range(1000)})


def region_lists():
    voxels = ",".join(f"[{i % 200},{i // 200},0,0]" for i in range(30000))
    return '{"materials":[{}],"voxels":[' + voxels + '],"regions":[' + '{"shape":"voxels","voxels":[7]},' * 4400 + "{}]}"


def regions_most():
    """As many voxels times regions as are read."""
    voxels = ",".join(f"[{i % 200},{i // 200},0,0]" for i in range(40000))
    return '{"materials":[{}],"voxels":[' + voxels + '],"regions":[' + '{"low_m":[0,0,0],"high_m":[1,1,1],"force_N":[1,0,0]},' * 3300 + "{}]}"


def scene_regions():
    voxels = ",".join(f"[{i % 200},{i // 200},0,0]" for i in range(40000))
    return '{"materials":[{}],"voxels":[' + voxels + '],"regions":[' + "{}," * 150000 + "{}]}"


def contacts():
    rule = {"between": [0, "floor"], "law": "linear", "kn": 1000}
    return scene(contacts=[rule] * 15000)


def contact_materials(count=2000, rules=10):
    rule = {"between": ["any", "any"], "law": "linear", "kn": 1000}
    return scene(materials=[{} for _ in range(count)], contacts=[rule] * rules)


def contact_most():
    return contact_materials(900, 80)


def bodies():
    body = {"box_m": [1, 1, 1]}
    return json.dumps({"affine_bodies": [body] * 20000})


def bodies_most():
    """As many affine bodies as are read, side by side."""
    return json.dumps({"affine_bodies": [{"box_m": [1, 1, 1], "center_m": [2 * (i % 45), 2 * (i // 45), 1]} for i in range(2048)]})


def nested():
    return "[" * 500000 + "]" * 499999


def arrays():
    return '{"voxels":[' + "[]," * 330000 + "[]]}"


def evogym(width=65536, height=256):
    world = {"grid_width": width, "grid_height": height, "objects": {"a": {"indices": [width * height - 1], "types": [1], "neighbors": {str(width * height - 1): []}}}}
    return json.dumps(world)


def evogym_objects():
    n = 14000
    objects = {f"{i:x}": {"indices": [i], "types": [1], "neighbors": {str(i): []}} for i in range(n)}
    return json.dumps({"grid_width": n, "grid_height": 1, "objects": objects}, separators=(",", ":"))


def npy(shape, data, kind="|i1"):
    head = str({"descr": kind, "fortran_order": False, "shape": shape})
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode() + data


def npz(shape, kind, count, value):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("structure.npy"), npy(shape, value * count, kind), zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


def npz_full():
    return npz((4096, 4096), "|i1", 2 ** 24, b"\1")


def npz_wide_numbers():
    return npz((4096, 4096), "<i8", 2 ** 24, b"\0" * 8)


def npy_shape():
    return npy((2 ** 29, 2 ** 29), b"\1")


def npy_most():
    return npy((990, 1000), b"\1" * 990000)


def vxl():
    n = 40000
    voxels = ",".join(f"{i},0,0,{i}" for i in range(n))
    return '{"voxelSize":0.01,"materials":[' + "{}," * (n - 1) + '{}],"voxels":[' + voxels + "]}"


def history():
    return "<<<Step0 Time:0.0>>>" + "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,;" * 30000 + "<<<>>>\n"


def history_frames():
    return "<<<Step0 Time:0.0>>><<<>>>\n" * 35000


def history_angles():
    return "<" * 999900


def far():
    return scene(voxels=[[0, 0, 0, 0], [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1, 0], [-2 ** 31, 0, 0, 0]])


def divisions():
    voxels = [[i % 100, i // 100, 0, 0] for i in range(30000)]
    return json.dumps({"materials": [{"magnetization_A_per_m": [0, 0, 1]}], "voxels": voxels, "magnetics": {"divisions": 16}}, separators=(",", ":"))


def header():
    """A record whose header stands for 96 MB of JSON."""
    scene_text = b'{"version":1,"scene":{"voxels":[' + b"[]," * 32000000 + b"[]]}}"
    packed = zlib.compress(scene_text, 9)
    head = struct.pack("<IIQQ", 0x44414548, 1, len(scene_text), len(packed))
    return b"VXELREC1" + head + packed + struct.pack("<I", zlib.crc32(head + packed))


FILES = {
    "base.vxa": base, "replacements.vxd": replacements, "references.vox": references, "header.vxr": header,
    "zlib_layers.vxa": zlib_layers, "zlib_most.vxa": zlib_most, "zlib_cells.vxa": zlib_cells, "zlib_sparse.vxa": zlib_sparse, "zlib_plane.vxa": zlib_plane, "zlib_many_layers.vxa": zlib_many_layers,
    "wide_layer.vxa": wide_layer, "cilia_layers.vxa": cilia_layers, "regions.vxa": regions, "entities.vxa": entities,
    "entity_repeated.vxa": entity_repeated, "tags.vxa": tags, "materials_of_vxa.vxa": materials_of_vxa,
    "colorless.vox": colorless, "almost_colorless.vox": almost_colorless, "copies.vox": copies,
    "result_of_angles.xml": result_of_angles, "result_of_tags.xml": result_of_tags,
    "layers.json": layers, "materials.json": materials, "materials_used.json": materials_used, "schedules.json": schedules,
    "unknown_keys.json": unknown_keys, "scene_regions.json": scene_regions, "region_lists.json": region_lists, "regions_most.json": regions_most, "materials_most.json": materials_most,
    "layers_most.json": layers_most, "contacts.json": contacts, "contact_materials.json": contact_materials, "contact_most.json": contact_most, "bodies.json": bodies, "bodies_most.json": bodies_most,
    "nested.json": nested, "arrays.json": arrays, "evogym.evogym.json": evogym, "evogym_objects.json": evogym_objects,
    "npz_full.npz": npz_full, "npz_wide_numbers.npz": npz_wide_numbers, "npy_shape.npy": npy_shape, "npy_most.npy": npy_most, "vxl.vxl.json": vxl,
    "history.history": history, "history_frames.history": history_frames, "history_angles.history": history_angles,
    "far.json": far, "divisions.json": divisions,
}


def main():
    folder = Path(sys.argv[1])
    wanted = sys.argv[2:] or FILES
    for name in wanted:
        made = FILES[name]()
        (folder / name).write_bytes(made if isinstance(made, bytes) else made.encode())


if __name__ == "__main__":
    main()
