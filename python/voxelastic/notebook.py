# SPDX-License-Identifier: MIT
"""What notebooks show of designs and replays. A replay is its page in an <iframe>. The page's library, three.js, has 0.9 MB: the first replay of a notebook brings it,
in an element that is not seen, and each page takes it from the document around it."""
from __future__ import annotations

import base64
import hashlib
import html
import re
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

from voxelastic import _core
from voxelastic.errors import Error

__all__ = ["Shown", "repeat_library"]

MAX_VOXELS = 200_000  # what a page shows, and a picture draws in about a second
SCRIPT = re.compile(r"<script>\n(.*?)\n</script>\n", re.DOTALL)  # of a page: two of the library, then four of the page itself
LIBRARY_SCRIPTS = 2

# Stands where the library stood: waits for it, then runs the page's own scripts. A library that was found is kept by the window around it, since its cell may be run again
# without it. Outputs may come in another order than their cells.
LOADER = """<script>
"use strict";
(() => {
  const name = "LIBRARY";
  const kept = name + "-kept"; // another name: windows have elements as members, by their id
  const run = (text) => { const script = document.createElement("script"); script.textContent = text; document.head.append(script); };
  const find = () => {
    try {
      parent[kept] ??= parent.document.getElementById(name)?.textContent;
      return parent[kept];
    } catch {
      return undefined; // a front end that keeps outputs from each other
    }
  };
  const begun = Date.now();
  const wait = () => {
    const library = find();
    const message = document.getElementById("message");
    if (library) {
      run(library);
      document.querySelectorAll("script.later").forEach((script) => run(script.textContent));
    } else {
      if (Date.now() - begun > 3000) {
        message.style.display = "grid";
        message.textContent = "The library of this page came with the first replay of the notebook, which is not here. Run voxelastic.notebook.repeat_library() " +
          "and this cell again; or show the replay by replay.show(alone=True).";
      }
      setTimeout(wait, 200);
    }
  };
  document.addEventListener("DOMContentLoaded", wait);
})();
</script>
"""


class Library:
    """Which cell has brought the library to the notebook, in which of its runs."""

    brought = False
    cell: object = None
    run: object = None


def repeat_library() -> None:
    """Lets the next replay bring the page's library again. It is needed where the output of the first replay of a notebook was cleared or its cell deleted, and the notebook
    was opened anew since; a cell that is run again brings again what it had brought."""
    Library.brought = False


class Shown:
    """A replay as a notebook shows it: see Replay.show."""

    def __init__(self, markup: str) -> None:
        self._markup = markup

    def _repr_html_(self) -> str:
        return self._markup


def _present_cell() -> tuple[object, object]:
    """What the notebook calls the cell that runs, and this run of it; None where it does not say."""
    interactive = sys.modules.get("IPython")
    shell = interactive.get_ipython() if interactive else None
    request = shell.get_parent() if hasattr(shell, "get_parent") else {}
    return (request.get("metadata") or {}).get("cellId"), (request.get("header") or {}).get("msg_id")


def _brings_library() -> bool:
    """Whether what is shown now is to bring the library: the first one of a notebook is, and the first one of each later run of its cell."""
    cell, run = _present_cell()
    brings = not Library.brought or (cell is not None and cell == Library.cell and run != Library.run)
    if brings:
        Library.brought, Library.cell, Library.run = True, cell, run
    return brings


def _write(write: Any, name: str) -> bytes:
    """The bytes of a file that a function writes."""
    with tempfile.TemporaryDirectory(prefix="voxelastic-") as folder:
        path = Path(folder, name)
        write(path)
        return path.read_bytes()


def picture_of(design: _core.Design, width: int = 480, height: int = 320) -> str:
    """A still picture of a design as HTML, and what it is; of one that can not run, why."""
    what = html.escape(repr(design))
    if design.voxels > MAX_VOXELS:
        return f"<pre>{what}</pre>"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with _core.World(design) as world:
                frame = _core.Frame(world)
        content = _write(lambda path: _core.picture(design, (frame,), path, width=width, height=height, caption=False), "design.png")
    except Error as failure:
        return f"<pre>{what}\n{html.escape(str(failure))}</pre>"
    data = base64.b64encode(content).decode()
    return f'<figure style="margin: 0"><img src="data:image/png;base64,{data}" alt="{what}" width="{width}" height="{height}"><figcaption>{what}</figcaption></figure>'


def page_of(replay: Any, height: int, alone: bool) -> str:
    """The page of a replay in an <iframe> of a height (pixels), as HTML. alone: with its library in it."""
    if not height >= 100:
        raise ValueError(f"height (pixels) must be 100 or more, not {height!r}")
    page = _write(replay.save, "replay.html").decode()
    before = ""
    if not alone:
        scripts = SCRIPT.findall(page)
        library = "\n;\n".join(scripts[:LIBRARY_SCRIPTS])  # neither needs to end its last statement
        name = "voxelastic-library-" + hashlib.sha256(library.encode()).hexdigest()[:16]
        page = _defer(page, LOADER.replace("LIBRARY", name))
        if _brings_library():
            before = f'<script type="text/plain" id="{name}">{library}</script>\n'
    inside = page.replace("&", "&amp;").replace('"', "&quot;")
    return f'{before}<iframe srcdoc="{inside}" title="{html.escape(repr(replay))}" style="width: 100%; height: {height}px; border: 0"></iframe>'


def _defer(page: str, loader: str) -> str:
    """A page whose own scripts wait for a loader, which stands in the place of the library."""
    number = 0

    def put(script: re.Match[str]) -> str:
        nonlocal number
        number += 1
        if number <= LIBRARY_SCRIPTS:
            return loader if number == 1 else ""
        return f'<script type="text/plain" class="later">\n{script.group(1)}\n</script>\n'

    return SCRIPT.sub(put, page)
