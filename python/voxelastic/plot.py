# SPDX-License-Identifier: MIT
"""Diagrams of runs and searches, drawn by matplotlib into axes of the caller's or of their own, which every function returns.

    ax = vx.plot.path(vx.read_trace("run.csv"))
    ax.figure.savefig("path.pdf")"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from voxelastic.readers import SearchTables, frames_as_array
from voxelastic.replay import Replay

__all__ = ["archive", "curves", "energy", "gait", "path"]

SIZE = (6, 4)  # inches of a figure
MAX_ROWS = 8  # of a gait diagram whose feet were not named
STORES = ("kinetic", "elastic", "floor", "contact", "magnetic")  # of an Energy; that of gravity has no zero


def path(what: Any, ax: Any = None, *, label: str | Sequence[str] | None = None, **line: Any) -> Any:
    """The way of a robot seen from above, from a circle to a square: x and y (m), in one scale.

    what: a trace (read_trace), a Replay or a record (read_record; of these the mean of the voxels' centres, or of affine bodies where there are no voxels), an array (moments, 2 or more) of places, such as a row of the
    column path of evaluate, or a list of any of these. label: of the way, or a list of those of ways. line: what matplotlib takes of lines, such as color.
    Returns the axes."""
    ways = [_way(one) for one in (what if isinstance(what, (list, tuple)) else [what])]
    if not ways:
        raise ValueError("there is nothing to draw")
    labels = [label] if label is None or isinstance(label, str) else list(label)
    if len(labels) != len(ways) and label is not None:
        raise ValueError(f"label: {len(ways)} ways are drawn, with {len(labels)} labels")
    ax = _axes(ax)
    for k, way in enumerate(ways):
        drawn, = ax.plot(way[:, 0], way[:, 1], label=labels[k] if label is not None else None, **line)
        ends = {"color": drawn.get_color(), "linestyle": "none", "markersize": 5}
        ax.plot(*way[0, :2], marker="o", markerfacecolor="white", **ends)
        ax.plot(*way[-1, :2], marker="s", **ends)
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.08)
    ax.set_xlabel("x (m)")
    ax.set_ylabel("y (m)")
    if label is not None:
        _put_legend(ax)
    return ax


def gait(what: Any, ax: Any = None, *, feet: Mapping[str, ArrayLike] | None = None, force: float = 0.0, **bars: Any) -> Any:
    """Which foot touches something when: a bar for as long as the contact force on its voxels is above `force` (N), and at the right the part of the time that it is.

    what: a Replay, or a record (read_record) with time, positions, edges and contacts; of 100 frames or more a second, since a frame stands for the time to the next. feet:
    {name: indices of voxels}; without it, the patches that the lowest layer of voxels has at the start, or slices of it along its longer side where it is one
    patch, named by where they are. bars: what matplotlib takes of bars, such as color. Returns the axes."""
    rows = _record(what, ("time", "positions", "edges", "contacts"))
    if len(rows) < 2 or not rows["contacts"].shape[1]:
        raise ValueError("a gait diagram needs voxels, and two frames or more")
    named = _find_feet(rows) if feet is None else {name: _indices(name, of, rows["contacts"].shape[1]) for name, of in feet.items()}
    ax = _axes(ax)
    time, ends = rows["time"], np.append(rows["time"][1:], rows["time"][-1])
    style = {"height": 0.7, "linewidth": 0} | bars
    height = style.pop("height")
    for k, voxels in enumerate(named.values()):
        touches = rows["contacts"][:, voxels].sum(1) > force
        borders = np.flatnonzero(np.diff(np.concatenate(([0], touches[:-1].astype(int), [0]))))
        spans = [(time[a], ends[b - 1] - time[a]) for a, b in borders.reshape(-1, 2)]
        ax.broken_barh(spans, (k - height / 2, height), **style)
        share = sum(length for _, length in spans) / (time[-1] - time[0])
        ax.annotate(f"{100 * share:.0f} %", (1.01, k), xycoords=("axes fraction", "data"), va="center")
    ax.annotate("touches", (1.01, 1.01), xycoords="axes fraction")
    ax.set_yticks(range(len(named)), list(named))
    ax.set_ylim(len(named) - 0.5, -0.5)
    ax.set_xlim(time[0], time[-1])
    ax.set_xlabel("time (s)")
    return ax


def energy(what: Any, ax: Any = None, **line: Any) -> Any:
    """Energy over time (J and s).

    what: a trace (read_trace): kinetic and elastic energy; a Replay or a record (read_record): elastic energy, that of all voxels; or pairs of time and Energy, taken
    from a World as it runs, `[(world.time, world.energy()), ...]`: all kinds that are there, but that of gravity, which has no zero. line: what matplotlib takes of
    lines. Returns the axes."""
    time, curves_ = _energies(what)
    ax = _axes(ax)
    from matplotlib.ticker import EngFormatter
    for name, values in curves_.items():
        ax.plot(time, values, **{"label": name, **line})
    ax.yaxis.set_major_formatter(EngFormatter("J"))
    ax.set_xlim(time[0], time[-1] if time[-1] > time[0] else None)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("time (s)")
    ax.set_ylabel("energy")
    _put_legend(ax)
    return ax


def archive(search: SearchTables, ax: Any = None, **mesh: Any) -> Any:
    """The map of a search (read_search): the best fitness of each pair of bins of its two descriptors, and a star at the best of all.

    mesh: what matplotlib's pcolormesh takes, such as cmap, vmin and vmax. Returns the axes, which have a bar of colours beside them."""
    _expect_searches([search])
    cells = search.elites()
    ax = _axes(ax)
    first, second = cells.shape
    drawn = ax.pcolormesh(np.linspace(0, 1, first + 1), np.linspace(0, 1, second + 1), np.ma.masked_invalid(cells["fitness"].T), **mesh)
    if np.isfinite(cells["fitness"]).any():
        x, y = np.unravel_index(np.nanargmax(cells["fitness"]), cells.shape)
        ax.plot((x + 0.5) / first, (y + 0.5) / second, marker="*", markersize=13, markerfacecolor="white", markeredgecolor="black")
    words = {"voxels": "voxels / cells of the box", "actuated": "muscles / voxels", "length": "length / that of the box", "width": "width / that of the box",
             "height": "height / that of the box"}
    ax.set_xlabel(words[search.descriptors[0]])
    ax.set_ylabel(words[search.descriptors[1]])
    ax.set_facecolor("0.92")
    ax.figure.colorbar(drawn, ax=ax, label=_fitness_label(search))
    return ax


def curves(searches: SearchTables | Iterable[Any], ax: Any = None, *, label: str | None = None, **line: Any) -> Any:
    """Fitness over generations: the best so far, and dashed the median of those that live on. Of several searches the medians over them, in a band from the lowest
    best one to the highest.

    searches: one (read_search) or several, which are drawn as far as the shortest goes. label: put before the names of the curves. line: what matplotlib takes of lines,
    such as color. Returns the axes."""
    several = [searches] if isinstance(searches, SearchTables) else list(searches)
    _expect_searches(several)
    count = min(len(search.generations) for search in several)
    if not count:
        raise ValueError("a search has no generation yet")
    ax = _axes(ax)
    x = several[0].generations["generation"][:count]
    best, median = (np.array([search.generations[_column(search, stem)][:count] for search in several]) for stem in ("best_fitness", "median_fitness"))
    before = f"{label}, " if label else ""
    drawn, = ax.plot(x, np.median(best, 0), **{"label": before + "best so far", **line})
    ax.plot(x, np.median(median, 0), **{"label": before + "median", **line, "color": drawn.get_color(), "linestyle": "--"})
    if len(several) > 1:
        ax.fill_between(x, best.min(0), best.max(0), color=drawn.get_color(), alpha=0.2, linewidth=0)
    ax.set_xlabel("generation")
    ax.set_ylabel(_fitness_label(several[0]))
    ax.xaxis.get_major_locator().set_params(integer=True)
    _put_legend(ax)
    return ax


def _axes(ax: Any) -> Any:
    """The axes to draw into: those that were given, or those of a figure of their own."""
    if ax is not None:
        if not hasattr(ax, "plot"):
            raise TypeError(f"ax: expected axes of matplotlib, not {ax!r}")
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("voxelastic.plot draws by matplotlib, which can not be imported: install it by pip, or Debian's python3-matplotlib", name="matplotlib") from error
    return pyplot.subplots(figsize=SIZE, layout="constrained")[1]


def _put_legend(ax: Any) -> None:
    """Above the axes, where it covers no curve."""
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncol=3, frameon=False)


def _names(rows: Any) -> tuple[str, ...]:
    """Names of the fields of a structured array; of anything else none."""
    return getattr(getattr(rows, "dtype", None), "names", None) or ()


def _record(what: Any, fields: Sequence[str]) -> NDArray[Any]:
    """Fields of a Replay or a record."""
    if isinstance(what, Replay):
        return frames_as_array(what.frames, fields)
    missing = [name for name in fields if name not in _names(what)]
    if missing:
        there = f"a record without {missing[0]}" if "positions" in _names(what) or "contacts" in _names(what) else f"{type(what).__name__}"
        raise TypeError(f"expected a Replay, or a record (read_record) with {', '.join(fields)}, not {there}")
    rows: NDArray[Any] = what
    return rows


def _way(what: Any) -> NDArray[np.float64]:
    """(moments, 2): places seen from above."""
    if {"t", "x", "y"} <= set(_names(what)):
        way = np.stack([what["x"], what["y"]], 1)
    elif isinstance(what, Replay) or "positions" in _names(what):
        rows = _record(what, ("positions", "places") if isinstance(what, Replay) or "places" in _names(what) else ("positions",))
        way = rows["positions" if rows["positions"].shape[1] else "places"].mean(1)[:, :2]
    elif _names(what):
        raise TypeError(f"expected a trace, a Replay, a record or places, not rows of {', '.join(_names(what))}; of evaluate give the column path")
    else:
        way = np.asarray(what, float)
    if way.ndim != 2 or way.shape[1] < 2 or not len(way):
        raise ValueError(f"a way is an array (moments, 2 or more), not of shape {way.shape}")
    return way


def _indices(name: str, of: ArrayLike, voxels: int) -> NDArray[np.intp]:
    """Voxels of a foot, checked."""
    indices = np.asarray(of)
    if indices.dtype == np.bool_ and indices.shape == (voxels,):
        indices = np.flatnonzero(indices)
    if indices.ndim != 1 or indices.dtype.kind not in "iu" or not len(indices) or indices.min() < 0 or indices.max() >= voxels:
        raise ValueError(f"feet: {name!r} is no list of voxels, whose indices are 0 to {voxels - 1}")
    return indices.astype(np.intp)


def _find_feet(rows: NDArray[Any]) -> dict[str, NDArray[np.intp]]:
    """Patches of the lowest layer at the start, or slices of a single one, by names that say where they are."""
    start, edge = rows["positions"][0], float(np.median(rows["edges"][0]))
    lowest = np.flatnonzero(start[:, 2] < start[:, 2].min() + edge / 2)
    cells = np.rint((start[lowest, :2] - start[lowest, :2].min(0)) / edge).astype(int)
    patches = _patches(cells)
    if patches.max() == 0:
        axis = int(np.argmax(cells.max(0)))
        wide = int(cells[:, axis].max()) + 1
        patches = cells[:, axis] * min(wide, MAX_ROWS) // wide
    feet = [lowest[patches == k] for k in np.unique(patches)]
    places = [1e3 * start[foot, :2].mean(0) for foot in feet]
    order = sorted(range(len(feet)), key=lambda k: tuple(np.rint(places[k])))
    return {f"x {places[k][0]:.0f}, y {places[k][1]:.0f} mm": feet[k] for k in order}


def _patches(cells: NDArray[np.int_]) -> NDArray[np.int_]:
    """Numbers of the patches that cells (cells, 2) belong to, which share sides."""
    at = {tuple(cell): k for k, cell in enumerate(cells.tolist())}
    number = np.full(len(cells), -1)
    count = 0
    for first in range(len(cells)):
        waiting = [first] if number[first] < 0 else []
        while waiting:
            k = waiting.pop()
            number[k] = count
            x, y = cells[k].tolist()
            near = (at.get(cell) for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)))
            waiting += [other for other in near if other is not None and number[other] < 0]
        count = int(number.max()) + 1
    return number


def _energies(what: Any) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
    """Times, and curves by name."""
    if {"t", "kinetic_J", "elastic_J"} <= set(_names(what)):
        time, found = what["t"], {"kinetic": what["kinetic_J"], "elastic": what["elastic_J"]}
    elif isinstance(what, Replay) or _names(what):
        rows = _record(what, ("time", "energies"))
        time, found = rows["time"], {"elastic": rows["energies"].sum(1)}
    else:
        try:
            pairs = list(what)
            time = np.array([time for time, _ in pairs], float)
            found = {name: np.array([getattr(energy, name) for _, energy in pairs]) for name in STORES}
        except (TypeError, ValueError, AttributeError):
            raise TypeError("expected a trace, a Replay, a record, or pairs (world.time, world.energy())") from None
        found = {name: values for name, values in found.items() if values.any()}
    if not len(time):
        raise ValueError("there is no moment to draw")
    return time, found


def _expect_searches(searches: Sequence[Any]) -> None:
    wrong = [one for one in searches if not isinstance(one, SearchTables)]
    if wrong or not searches:
        raise TypeError(f"expected a SearchTables, which read_search returns, not {wrong[0] if wrong else 'none'!r}")


def _column(search: SearchTables, stem: str) -> str:
    """The column of generations whose name is a stem and the unit of the fitness."""
    return stem + search.fitness.removeprefix("fitness")


def _fitness_label(search: SearchTables) -> str:
    """The fitness and its unit: a column fitness_m_per_s is "fitness (m/s)"."""
    unit = search.fitness.removeprefix("fitness").removeprefix("_").replace("_per_", "/")
    return f"fitness ({unit})" if unit else "fitness"
