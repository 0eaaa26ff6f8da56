#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""program.py PAGE PROGRAM: the page that `voxelastic studio DESIGN` writes opens with the design, whatever is in its texts."""
import json
import pathlib
import subprocess
import sys
import tempfile

from studio import ASSETS, check, drive

TAGGED = {"version": 1, "name": "</script><script>alert(1)</script>", "materials": [{"name": "a < b <!-- <script>"}], "voxels": [[0, 0, 0, 0], [1, 0, 0, 0]]}


def test(studio, program):
    with tempfile.TemporaryDirectory() as folder:
        tagged, page = pathlib.Path(folder, "tagged.json"), pathlib.Path(folder, "page.html")
        tagged.write_text(json.dumps(TAGGED))
        for design, voxels in ((ASSETS / "worm.vxa", None), (tagged, 2)):
            told = subprocess.run([program, "studio", str(design), "-o", str(page)], capture_output=True, text=True, check=False)
            check(told.returncode == 0, f"the program writes it: {told.stdout}{told.stderr}")
            studio.page = page.as_uri()
            studio.load()
            scene = json.loads(studio.script("return studio.text()"))
            check(len(scene["voxels"]) == (voxels or len(scene["voxels"])) and len(scene["voxels"]) > 1, f"the page opens with it: {len(scene['voxels'])} voxels")
        check(scene["materials"][0]["name"] == TAGGED["materials"][0]["name"], "with all its texts")


if __name__ == "__main__":
    sys.exit(drive(test))
