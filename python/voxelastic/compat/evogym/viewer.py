# SPDX-License-Identifier: MIT
"""EvoGym's viewer: pictures as arrays, and in the place of a window a page that replays what was rendered."""
from __future__ import annotations

import atexit
import os
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voxelastic import _core
from voxelastic.compat.evogym.sim import EvoSim
from voxelastic.compat.evogym.utils import Timer

__all__ = ["EvoViewer"]

SCREEN, PICTURE = ("screen", "human"), ("img", "rgb_array")


class EvoViewer:
    """Looks at a simulation.

    sim_to_view: EvoSim. target_rps: how many times a second render returns at most; None: as often as it is called. pos (x, y): what is in the middle of pictures, and
    view_size (w, h) how much they show, edges. resolution (w, h): pixels. page: the file that "screen" writes."""

    def __init__(self, sim_to_view: EvoSim, target_rps: float | None = 50, pos: tuple[float, float] = (12, 4), view_size: tuple[float, float] = (40, 20),
                 resolution: tuple[int, int] = (1200, 600), page: str | os.PathLike[str] = "evogym.html") -> None:
        self._sim, self._page = sim_to_view, page
        self._recorder: _core.Recorder | None = None
        self._tracked: tuple[str, ...] = ()
        self._settings: dict[str, Any] = {"padding": (5, 3), "scale": (0.2, 0.2), "lock_x": False, "lock_y": False, "lock_width": False, "lock_height": False}
        self.set_target_rps(target_rps)
        self.set_pos(pos)
        self.set_view_size(view_size)
        self.set_resolution(resolution)

    def set_pos(self, pos: tuple[float, float]) -> None:
        """Sets what is in the middle, (x, y) edges."""
        self.pos = _two(pos, "pos")

    def set_view_size(self, view_size: tuple[float, float]) -> None:
        """Sets how much is shown, (w, h) edges; more where the resolution has another ratio."""
        self.view_size = _two(view_size, "view_size", above=0)

    def set_resolution(self, resolution: tuple[int, int]) -> None:
        """Sets the size of pictures, (w, h) pixels."""
        width, height = _two(resolution, "resolution", above=15)
        self.resolution = int(width), int(height)

    def set_target_rps(self, target_rps: float | None) -> None:
        """Sets how many times a second render returns at most; None: as often as it is called."""
        if target_rps is not None and not target_rps > 1:
            raise ValueError(f"target_rps must be above 1 or None, not {target_rps!r}")
        self._timer = Timer(target_rps)

    def track_objects(self, *objects: str) -> None:
        """Pictures show these objects, wherever they go."""
        for name in objects:
            self._sim.object_pos_at_time(0, name)  # an error where there is none of that name
        self._tracked = objects

    def set_tracking_settings(self, **settings: Any) -> None:
        """How pictures show what is tracked. padding (x, y): edges around it; scale (x, y): parts of its size, in addition; lock_x, lock_y, lock_width, lock_height: edges,
        to which a number of the view is held, or False."""
        for name, value in settings.items():
            if name not in self._settings:
                raise ValueError(f"no setting {name!r}; there are {', '.join(self._settings)}")
            if name in ("padding", "scale"):
                value = _two(value, name)
            elif value is True or not isinstance(value, (int, float)):
                raise ValueError(f"{name}: expected a number of edges or False, not {value!r}")
            self._settings[name] = value

    def show_debug_window(self) -> None:
        """There is no window: see render."""

    def hide_debug_window(self) -> None:
        """There is no window: see render."""

    def render(self, mode: str = "screen", verbose: bool = False, hide_background: bool = False, hide_grid: bool = False, hide_edges: bool = False,
               hide_voxels: bool = False) -> NDArray[np.uint8] | None:
        """Draws the present state. mode: "img" or "rgb_array" returns a picture, (height, width, 3), seen from the front; "screen" or "human" adds a frame to the page, which
        is written by close, or at the program's end. verbose: how often that is done a second goes to standard output. hide_edges: of pictures. hide_background, hide_grid and hide_voxels do
        nothing: pictures have one background, and nothing else to hide."""
        if mode not in SCREEN + PICTURE:
            raise ValueError(f"mode: expected {', '.join(SCREEN + PICTURE)}, not {mode!r}")
        picture = None
        frame = self._sim.frame()
        if mode in PICTURE:
            picture = self._draw(frame, not hide_edges)
        else:
            if self._recorder is None:
                self._recorder = _core.Recorder(self._sim.team.design(0), self._page)
                atexit.register(self.close)  # programs for EvoGym end in the middle of their loop
            self._recorder.add(frame)
        self._timer.step(verbose)
        while not self._timer.should_step():
            time.sleep(0.001)
        return picture

    def _draw(self, frame: _core.Frame, edges: bool) -> NDArray[np.uint8]:
        if self._tracked:
            self._track()
        (x, y), (width, height), (wide, high), edge = self.pos, self.view_size, self.resolution, self._sim.VOXEL_SIZE
        reach = max(height, width * high / wide) / 2 * edge
        middle = x * edge, self._sim.depth / 2 * edge, y * edge
        return _core.draw(self._sim.team.design(0), frame, width=wide, height=high, azimuth=-90, elevation=0, edges=edges, caption=False, middle=middle, reach=reach)

    def _track(self) -> None:
        """Sets the view to what is tracked."""
        now = self._sim.get_time()
        places = np.concatenate([self._sim.object_pos_at_time(now, name) for name in self._tracked], axis=1)[[0, -1]]
        low, high = places.min(1), places.max(1)
        size = (high - low + 2 * np.array(self._settings["padding"])) * (1 + np.array(self._settings["scale"]))
        view = [*(low + high) / 2, *size]
        for i, name in enumerate(("lock_x", "lock_y", "lock_width", "lock_height")):
            view[i] = view[i] if self._settings[name] is False else self._settings[name]
        self.set_pos((float(view[0]), float(view[1])))
        self.set_view_size((float(view[2]), float(view[3])))

    def close(self) -> None:
        """Writes the page, if "screen" was rendered."""
        if self._recorder is not None:
            atexit.unregister(self.close)
            self._recorder.close()
            self._recorder = None


def _two(pair: Any, name: str, above: float = -np.inf) -> tuple[float, float]:
    """Two numbers, as a tuple."""
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise TypeError(f"{name}: expected a tuple of two numbers, not {pair!r}")
    if not all(np.isfinite(value) and value > above for value in pair):
        raise ValueError(f"{name}: expected numbers{f' above {above:g}' if np.isfinite(above) else ''}, not {pair!r}")
    return pair[0], pair[1]
