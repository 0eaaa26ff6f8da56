# SPDX-License-Identifier: MIT
"""The module and the engine in headless Chromium: the studio's page, of which only its parts in web/module/ are used."""
import base64
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from browser import Browser, missing  # noqa: E402
from checks import check, counted_end  # noqa: E402

ASSETS = pathlib.Path(__file__).resolve().parent.parent.parent / "assets"
SKIPPED = 77
# what scripts of tests begin with: bytes of base 64, and the module in the page itself, where calls are answered at once
TOOLS = """const unpack = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const bind = async () => new Binding(await startModule(await WebAssembly.compile(await studioModule())));
"""


def packed(path):
    return base64.b64encode(pathlib.Path(path).read_bytes()).decode()


def lacks_baseline(program):
    """Why a program cannot be compared with a browser, or None: its build may lack the instruction set whose bits are those of a browser."""
    ran = subprocess.run([program, "run", str(ASSETS / "worm.vxa"), "--steps", "1", "--quiet"], capture_output=True, check=False,
                         env={**os.environ, "VOXELASTIC_ISA": "x86-64"})
    return None if ran.returncode == 0 else "this build of the program lacks the instruction set x86-64"


class ModulePage(Browser):
    """The page, opened from disk, when its scripts are there."""

    def __init__(self, page, flags=()):
        super().__init__(flags=flags)
        self.open(pathlib.Path(page).resolve().as_uri())
        if not self.wait("typeof Engine !== 'undefined' && typeof studioModule !== 'undefined'"):
            raise SystemExit("the page has no engine: " + "; ".join(self.console()))

    def run(self, text, *words):
        """What a script comes to that has TOOLS and awaits promises."""
        return self.wait_for(TOOLS + text, *words)


def drive(test, flags=(), compares=False):
    """Runs a test on the page that is the first argument; further ones are given to it. compares: the second is the program, whose bits are compared.
    Returns the exit status."""
    lacks = missing() or (None if len(sys.argv) > 1 and pathlib.Path(sys.argv[1]).exists() else "the studio's page is not built")
    lacks = lacks or (lacks_baseline(sys.argv[2]) if compares else None)
    if lacks:
        print("skipped: " + lacks)
        return SKIPPED
    page = ModulePage(sys.argv[1], flags)
    try:
        test(page, *sys.argv[2:])
        said = page.console()
        check(not said, "nothing on the console" + "".join("\n     " + text for text in said))
    finally:
        page.end()
    return counted_end()
