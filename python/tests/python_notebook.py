# SPDX-License-Identifier: MIT
"""What notebooks show: a picture of a design, and replays as pages in frames that share one library. Where Chromium is, a page of two replays and a picture is opened, and
both must play."""
import base64
import contextlib
import html
import json
import os
import re
import sys
import tempfile
import types
import unittest
from pathlib import Path

from common import ASSETS, QUADRUPED, ROOT, main, np, vx, walker
from voxelastic import notebook

sys.path.append(str(ROOT / "tests/cli"))
from browser import Browser, missing  # noqa: E402

os.environ.pop("LD_PRELOAD", None)  # of a build with sanitizers, which browsers do not bear
CAN_BROWSE = not missing()
PLAY = 'for (const frame of document.querySelectorAll("iframe")) { frame.contentDocument.getElementById("play").click(); }'
# What became of each frame, and the widths of pictures.
LOOK = """return [[...document.querySelectorAll("iframe")].map((frame) => {
  const { replay, document } = frame.contentWindow;
  return { played: !!replay && replay.time > 0 && replay.time === replay.end, drawn: replay ? replay.drawn : 0, frames: replay ? replay.robots[0].count : 0,
    message: document.getElementById("message")?.textContent };
}), [...document.images].map((image) => image.naturalWidth)]"""
EVERY = '[...document.querySelectorAll("iframe")].every((frame) => frame.contentWindow.replay && frame.contentWindow.replay.'


def library_in(markup):
    return re.findall(r'<script type="text/plain" id="(voxelastic-library-\w+)">', markup)


def page_in(markup):
    return html.unescape(re.search(r'srcdoc="([^"]*)"', markup).group(1))


class Notebook(unittest.TestCase):
    def setUp(self):
        notebook.Library.brought = False

    def test_a_design_is_a_picture(self):
        design = vx.Design.read(QUADRUPED)
        markup = design._repr_html_()
        data = base64.b64decode(re.search(r'src="data:image/png;base64,([^"]+)"', markup).group(1))
        self.assertTrue(data.startswith(b"\x89PNG"))
        self.assertIn(html.escape(repr(design)), markup)
        self.assertEqual(int.from_bytes(data[16:20], "big"), 480)
        design.gravity = (0, 0, 0)  # it is not held
        self.assertIn("data:image/png", vx.Design.read(ASSETS / "affine_crawler.json")._repr_html_())

    def test_a_design_that_can_not_run_says_why(self):
        self.assertRegex(vx.Design()._repr_html_(), r"<pre>&lt;voxelastic.Design.*\n.*it has no voxels")
        big = vx.Design.from_array(np.ones((60, 60, 60), int), vx.Material())
        self.assertEqual(big._repr_html_(), f"<pre>{html.escape(repr(big))}</pre>")

    def test_names_do_not_leave_their_place(self):
        design = walker()
        design.name = 'a "robot" </script><b>&amp;'
        markup = vx.record(design, 0.1)._repr_html_() + design._repr_html_()
        self.assertNotIn("<b>", re.sub(r'srcdoc="[^"]*"', "", markup))
        facts = json.loads(re.search(r'id="robots">(.*?)</script>', page_in(markup)).group(1))
        self.assertEqual(facts[0]["name"], design.name)

    def test_the_library_comes_once(self):
        replay = vx.record(walker(), 0.1)
        first, second = replay._repr_html_(), replay._repr_html_()
        name, = library_in(first)
        self.assertEqual(library_in(second), [])
        self.assertGreater(len(first), len(second) + 500_000)
        self.assertLess(len(second), 150_000)
        self.assertEqual(page_in(first), page_in(second))
        self.assertIn(name, page_in(second))
        self.assertNotIn("OrbitControls.js", page_in(second))
        self.assertEqual(page_in(first).count('class="later"'), 7)
        notebook.repeat_library()
        self.assertEqual(library_in(replay._repr_html_()), [name])
        alone = replay.show(alone=True)._repr_html_()
        self.assertEqual(library_in(alone), [])
        with tempfile.TemporaryDirectory() as folder:
            replay.save(Path(folder, "replay.html"))
            self.assertEqual(page_in(alone), Path(folder, "replay.html").read_text())

    def test_a_cell_that_is_run_again_brings_it_again(self):
        cell = {}
        sys.modules["IPython"] = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(get_parent=lambda: cell))
        self.addCleanup(sys.modules.pop, "IPython")
        replay, brought = vx.record(walker(), 0.1), []
        for run, name in enumerate(("one", "two", "one", "two", None)):
            cell.update(metadata={"cellId": name} if name else {}, header={"msg_id": run})
            brought.append([len(library_in(replay._repr_html_())) for _ in range(2)])  # two outputs of a cell
        self.assertEqual(brought, [[1, 0], [0, 0], [1, 0], [0, 0], [0, 0]])

    def test_frames_are_few_unless_more_are_wanted(self):
        def times(**choices):
            return json.loads(re.search(r'id="robots">(.*?)</script>', page_in(replay.show(**choices)._repr_html_())).group(1))[0]["times"]

        replay = vx.record(walker(), 1, rate=90)
        self.assertEqual(len(replay), 91)
        shown = times()
        self.assertEqual((len(shown), shown[0]), (32, 0))  # the 31 of 30 frames a second, and one for a last frame between them
        self.assertAlmostEqual(shown[-1], replay[-1].time, places=8)
        self.assertLess(max(np.diff(shown)), 1.5 / 30)
        self.assertEqual([len(times(rate=1000)), len(times(rate=1000, frames=40)), len(times(frames=1))], [91, 40, 1])
        with self.assertRaisesRegex(ValueError, "no frames"):
            vx.Replay(walker()).show()
        self.assertIsNone(vx.Replay(walker())._repr_html_())
        for choices in ({"rate": 0}, {"frames": 0}, {"height": 3}, {"rate": float("nan")}):
            with self.assertRaisesRegex(ValueError, "must be"):
                replay.show(**choices)

    @unittest.skipUnless(CAN_BROWSE, "no chromium and chromedriver")
    def test_two_replays_play_in_one_page(self):
        walk, crawl = vx.record(walker(), 0.5), vx.record(vx.Design.read(ASSETS / "worm.vxa"), 0.5)
        outputs = [walker()._repr_html_(), walk._repr_html_(), crawl._repr_html_()]
        with self.browser() as browser:
            for order in (outputs, [outputs[2], outputs[0], outputs[1]]):  # a front end may draw the second one first
                self.open(browser, order)
                self.assertTrue(browser.wait(EVERY + "drawn > 0)"), browser.script(LOOK))
                browser.script(PLAY)
                self.assertTrue(browser.wait(EVERY + "time === frame.contentWindow.replay.end)"), browser.script(LOOK))
                frames, pictures = browser.script(LOOK)
                self.assertEqual(pictures, [480])
                self.assertEqual([(frame["message"], frame["played"], frame["frames"]) for frame in frames], 2 * [("", True, 16)])
            self.assertEqual(browser.console(), [])

    @unittest.skipUnless(CAN_BROWSE, "no chromium and chromedriver")
    def test_a_page_without_the_library_says_so(self):
        replay = vx.record(walker(), 0.1)
        replay._repr_html_()
        with self.browser() as browser:
            self.open(browser, [replay._repr_html_()])
            self.assertTrue(browser.wait('document.querySelector("iframe").contentDocument.getElementById("message").textContent'))
            self.assertRegex(browser.script(LOOK)[0][0]["message"], r"Run voxelastic.notebook.repeat_library\(\)")

    @contextlib.contextmanager
    def browser(self):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as self.folder:
            browser = Browser("900,1600")
            try:
                yield browser
            finally:
                browser.end()

    def open(self, browser, outputs):
        page = Path(self.folder, "notebook.html")
        page.write_text("<!doctype html><meta charset=utf-8><body>" + "".join(f"<div>{output}</div>" for output in outputs))
        browser.open(page.as_uri())


if __name__ == "__main__":
    main()
