# SPDX-License-Identifier: MIT
"""The studio's page in headless Chromium: what its tests share."""
import base64
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from browser import Browser, missing  # noqa: E402
from checks import check, counted_end  # noqa: E402

ASSETS = pathlib.Path(__file__).resolve().parent.parent.parent / "assets"
SKIPPED = 77


class Studio(Browser):
    """The page, opened from disk, when it is ready."""

    def __init__(self, page, size="1280,860", part=""):
        super().__init__(size)
        self.page = pathlib.Path(page).resolve().as_uri()
        self.load(part)

    def load(self, part=""):
        """Opens the page anew; part: what stands behind its address, from # on."""
        self.open("about:blank")
        self.open(self.page + part)
        if not self.wait("window.studio && studio.ready"):
            raise SystemExit("the page does not get ready: " + "; ".join(self.console()))
        self.wait_for("await studio.ready")

    def take(self, path, name=None):
        """Opens a file as if it was dropped."""
        data = base64.b64encode(pathlib.Path(path).read_bytes()).decode()
        return self.take_bytes(name or pathlib.Path(path).name, data)

    def take_bytes(self, name, data):
        return self.wait_for("const bytes = Uint8Array.from(atob(arguments[1]), (letter) => letter.charCodeAt(0));"
                             "return studio.files.open({name: arguments[0], bytes})", name, data)

    def key(self, *keys):
        """Presses keys, one after the other."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def play(self):
        """From drawing to playing, by the space bar."""
        self.script("document.activeElement.blur()")
        self.key(" ")
        return self.wait("studio.play.started && studio.play.frame", 30)

    def frames(self, count=3):
        """Waits for so many frames more."""
        self.script("studio.awaited = arguments[0]; const before = studio.engine.onFrame;"
                    "studio.engine.onFrame = (frame) => { studio.awaited--; before(frame); }; studio.play.wanted = 2", count)
        return self.wait("studio.awaited <= 0 || (studio.play.wanted = 2, false)", 30)

    def said(self):
        """What the page says at present: in its messages and in the panel of play."""
        return self.script("return [...document.querySelectorAll('#message, .play-trouble')].map((said) => said.textContent).join(' ').trim()")

    def quiet(self):
        said = self.console()
        check(not said, "nothing on the console" + "".join("\n     " + text for text in said))


def drive(test, size="1280,860", kind=Studio):
    """Runs a test on the page that is the first argument, as an object of a class; further ones are given to it. Returns the exit status."""
    lacks = missing() or (None if len(sys.argv) > 1 and pathlib.Path(sys.argv[1]).exists() else "the studio's page is not built")
    if lacks:
        print(lacks)
        return SKIPPED
    studio = kind(sys.argv[1], size)
    try:
        test(studio, *sys.argv[2:])
        studio.quiet()
    finally:
        studio.end()
    return counted_end()
