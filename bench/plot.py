#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""plot.py [-o OUT.svg] FILE.json...: bond updates per second against voxels, from what bond_throughput --json wrote.

The cubes of one precision and number of threads are a line; the other cases are points, one mark each, labelled once.
Needs nothing but Python 3. Where a case was measured twice alike, the larger figure counts."""
import argparse
import json
import math
import sys
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 1000, 632
LEFT, RIGHT, TOP, BOTTOM = 84, 214, 104, 72  # margins; the legend stands in the right one
FONT = "'DejaVu Sans', 'Segoe UI', Helvetica, Arial, sans-serif"
INK, FAINT, GRID = "#222222", "#666666", "#e4e4e4"
# Okabe and Ito's colours, told apart by the colour-blind too.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31")
MARKS = ("square", "diamond", "triangle", "wedge", "cross")
LOG_Y_SPREAD = 25  # ratio of largest to smallest rate from which the y axis is logarithmic too
LABEL_SIZE = 13


class PlotError(Exception):
    """Input that can not be plotted."""


def read_runs(paths):
    runs = []
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                run = json.load(file)
            for case in run["cases"]:
                if not (case["voxels"] > 0 and case["bond_updates_per_s"] > 0):
                    raise PlotError(f"{path}: case {case['case']} has no voxels or no rate")
        except (OSError, ValueError, KeyError, TypeError) as fault:
            raise PlotError(f"{path}: not a file of bond_throughput --json ({fault})") from fault
        runs.append(run)
    return runs


def machine_of(run):
    machine = run.get("machine", {})
    return f"{machine.get('processor', 'unknown')}, {machine.get('logical_processors', '?')} logical processors"


def collect(runs):
    """{series key: {case name: case}}; key (machine, precision, threads, damping), each named in the legend where it differs."""
    series = {}
    for run in runs:
        for case in run["cases"]:
            key = (machine_of(run), case["precision"], case["threads"], case["damping_scheme"])
            cases = series.setdefault(key, {})
            known = cases.get(case["case"])
            if known is None or known["bond_updates_per_s"] < case["bond_updates_per_s"]:
                cases[case["case"]] = case
    if not series:
        raise PlotError("no cases in these files")
    return dict(sorted(series.items(), key=lambda item: (item[0][0], item[0][1] != "mixed", item[0][2], item[0][3])))


def series_names(keys):
    """Legend text per key: precision and threads, and damping or machine where they differ."""
    names = {}
    for key in keys:
        machine, precision, threads, damping = key
        name = f"{precision}, {threads} thread{'' if threads == 1 else 's'}"
        if len({other[3] for other in keys}) > 1:
            name += f", {damping}"
        if len({other[0] for other in keys}) > 1:
            name += f", {machine.split(',')[0]}"
        names[key] = name
    return names


class Axis:
    """Maps values to pixels, linear or logarithmic, between ends that fit the ticks."""

    def __init__(self, values, first_pixel, last_pixel, logarithmic):
        self.logarithmic = logarithmic
        self.pixels = (first_pixel, last_pixel)
        if logarithmic:
            low, high = math.log10(min(values)), math.log10(max(values))
            margin = max(0.06 * (high - low), 0.1)
            self.ends = (low - margin, high + margin)
        else:
            self.step = nice_step(1.08 * max(values))
            self.ends = (0.0, self.step * math.ceil(1.08 * max(values) / self.step))

    def at(self, value):
        place = math.log10(value) if self.logarithmic else value
        first, last = self.pixels
        return first + (last - first) * (place - self.ends[0]) / (self.ends[1] - self.ends[0])

    def ticks(self):
        """[(value, whether it is labelled)]"""
        if not self.logarithmic:
            return [(i * self.step, True) for i in range(round(self.ends[1] / self.step) + 1)]
        decades = range(math.floor(self.ends[0]), math.ceil(self.ends[1]) + 1)
        span = self.ends[1] - self.ends[0]
        named_digits = (1,) if span > 2.5 else (1, 2, 5) if span > 1 else range(1, 10)
        values = [(digit * 10.0**decade, digit in named_digits) for decade in decades for digit in range(1, 10)]
        return [(value, named) for value, named in values if self.ends[0] <= math.log10(value) <= self.ends[1]]


def nice_step(largest):
    """1, 2 or 5 times a power of ten, so that about six steps reach the largest value."""
    rough = largest / 6
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)


def short(value):
    for unit, name in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= unit:
            return f"{value / unit:g}{name}"
    return f"{value:g}"


def text(x, y, content, size=LABEL_SIZE, anchor="start", colour=INK, extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}"{extra}>{escape(content)}</text>'


def mark(kind, x, y, colour):
    """A mark about 11 pixels wide, edged in white to stand off lines."""
    r = 6.0
    style = f'fill="{colour}" stroke="#ffffff" stroke-width="1.2"'
    corners = {
        "square": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
        "diamond": [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)],
        "triangle": [(0, -1.25), (1.2, 0.9), (-1.2, 0.9)],
        "wedge": [(0, 1.25), (1.2, -0.9), (-1.2, -0.9)],
        "cross": [(-1.2, -0.4), (-0.4, -0.4), (-0.4, -1.2), (0.4, -1.2), (0.4, -0.4), (1.2, -0.4),
                  (1.2, 0.4), (0.4, 0.4), (0.4, 1.2), (-0.4, 1.2), (-0.4, 0.4), (-1.2, 0.4)],
    }
    if kind == "dot":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" {style}/>'
    points = " ".join(f"{x + r * dx:.1f},{y + r * dy:.1f}" for dx, dy in corners[kind])
    return f'<polygon points="{points}" {style}/>'


def draw_axes(x_axis, y_axis):
    left, right, top, bottom = LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM
    out = []
    for value, named in x_axis.ticks():
        x = x_axis.at(value)
        out.append(f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{bottom}" stroke="{GRID if named else "#f3f3f3"}"/>')
        if named:
            out.append(text(x, bottom + 20, short(value), anchor="middle"))
    for value, named in y_axis.ticks():
        y = y_axis.at(value)
        out.append(f'<line x1="{left}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="{GRID if named else "#f3f3f3"}"/>')
        if named:
            out.append(text(left - 9, y + 4.5, f"{value / 1e6:,g}".replace(",", "\u2009"), anchor="end"))
    out.append(f'<path d="M{left},{top} V{bottom} H{right}" fill="none" stroke="{FAINT}"/>')
    out.append(text((left + right) / 2, bottom + 48, "voxels of a robot", 14, "middle"))
    turn = f' transform="rotate(-90 26 {(top + bottom) / 2:.0f})"'
    out.append(text(26, (top + bottom) / 2, "bond updates, millions per second", 14, "middle", extra=turn))
    return out


def overlap(a, b):
    """Of two boxes (x0, y0, x1, y1), in square pixels."""
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def place_label(x, y, content, taken):
    """Where a point's label covers least of what is taken already: its box, and the end of it that the point is at."""
    width, height = 0.55 * LABEL_SIZE * len(content), 1.25 * LABEL_SIZE
    best = None
    for distance in (11, 20, 32, 46, 62):
        for dx, dy in ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1)):
            x0 = x + dx * distance - (width if dx < 0 else width / 2 if dx == 0 else 0)
            y0 = y + dy * distance - (height if dy < 0 else height / 2 if dy == 0 else 0)
            box = (x0, y0, x0 + width, y0 + height)
            inside = x0 > LEFT + 2 and box[2] < WIDTH - RIGHT and y0 > TOP and box[3] < HEIGHT - BOTTOM - 2
            cost = sum(overlap(box, other) for other in taken) + distance + (0 if inside else 1e6)
            if best is None or cost < best[0]:
                best = (cost, box, ("end", "middle", "start")[dx + 1])
    return best[1:]


def along(points):
    """Small boxes along a line, which labels keep off."""
    boxes = []
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        steps = max(1, int(math.hypot(x1 - x0, y1 - y0) / 6))
        for i in range(steps + 1):
            x, y = x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps
            boxes.append((x - 4, y - 4, x + 4, y + 4))
    return boxes


def is_cube(name):
    return name.startswith("cube_")


def label_of(case):
    robots = case.get("robots", 1)
    return case["case"] if robots == 1 else f"{case['case']} ({robots} robots)"


def draw_data(series, x_axis, y_axis):
    """Lines, marks and labels; the labels last, where they cover nothing."""
    others = list(dict.fromkeys(name for cases in series.values() for name in cases if not is_cube(name)))
    marks = {name: MARKS[i % len(MARKS)] for i, name in enumerate(others)}
    lines, points, taken, highest = [], [], [], {}
    for colour, cases in zip(colours_of(series), series.values()):
        at = {name: (x_axis.at(case["voxels"]), y_axis.at(case["bond_updates_per_s"])) for name, case in cases.items()}
        line = sorted(at[name] for name in cases if is_cube(name))
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in line)
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.2" stroke-linejoin="round"/>')
        taken += along(line)
        for name, (x, y) in at.items():
            points.append(mark("dot" if is_cube(name) else marks[name], x, y, colour))
            taken.append((x - 9, y - 9, x + 9, y + 9))
            if name in marks and (name not in highest or y < highest[name][1]):
                highest[name] = (x, y, cases[name], colour)
    labels = []
    for x, y, case, colour in sorted(highest.values(), key=lambda row: row[1]):
        box, anchor = place_label(x, y, label_of(case), taken)
        taken.append(box)
        near = (min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3]))
        if math.hypot(near[0] - x, near[1] - y) > 13:
            labels.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{near[0]:.1f}" y2="{near[1]:.1f}" stroke="{colour}" stroke-width="0.8"/>')
        x = {"start": box[0], "middle": (box[0] + box[2]) / 2, "end": box[2]}[anchor]
        labels.append(text(x, box[3] - 0.3 * LABEL_SIZE, label_of(case), anchor=anchor))
    return lines + labels + points, marks


def colours_of(series):
    return [COLOURS[i % len(COLOURS)] for i in range(len(series))]


def draw_legend(series, marks):
    names = series_names(list(series))
    x, y = WIDTH - RIGHT + 22, TOP + 14
    out = [text(x, y, "cubes, one robot", LABEL_SIZE, colour=FAINT)]
    for colour, key in zip(colours_of(series), series):
        y += 23
        out.append(f'<line x1="{x}" y1="{y - 4.5}" x2="{x + 28}" y2="{y - 4.5}" stroke="{colour}" stroke-width="2.2"/>')
        out.append(mark("dot", x + 14, y - 4.5, colour))
        out.append(text(x + 37, y, names[key]))
    if marks:
        y += 36
        out.append(text(x, y, "other cases, same colours", LABEL_SIZE, colour=FAINT))
    for name, kind in marks.items():
        y += 23
        out.append(mark(kind, x + 14, y - 4.5, FAINT))
        out.append(text(x + 37, y, name))
    return out


def draw_title(runs):
    machines = sorted({machine_of(run) for run in runs})
    dates = sorted({run.get("date", "unknown date")[:10] for run in runs})
    builds = sorted({f"version {run.get('version', '?')} ({run.get('commit', '?')}), {run.get('compiler', '?')}" for run in runs})
    day = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    return [text(LEFT, 34, "Voxelastic: bond updates per second", 20, extra=' font-weight="bold"'),
            text(LEFT, 56, f"{'; '.join(machines)}; {day}", 13, colour=FAINT),
            text(LEFT, 75, "; ".join(builds), 13, colour=FAINT)]


def draw(runs):
    series = collect(runs)
    cases = [case for row in series.values() for case in row.values()]
    rates = [case["bond_updates_per_s"] for case in cases]
    x_axis = Axis([case["voxels"] for case in cases], LEFT, WIDTH - RIGHT, True)
    y_axis = Axis(rates, HEIGHT - BOTTOM, TOP, max(rates) > LOG_Y_SPREAD * min(rates))
    data, marks = draw_data(series, x_axis, y_axis)
    parts = draw_axes(x_axis, y_axis) + data + draw_legend(series, marks) + draw_title(runs)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'font-family="{FONT}">\n<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n' + "\n".join(parts) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description="Bond updates per second against voxels, as SVG.")
    parser.add_argument("files", nargs="+", metavar="FILE.json", help="written by bond_throughput --json")
    parser.add_argument("-o", "--output", default="bond_throughput.svg", metavar="OUT.svg", help="default: %(default)s")
    options = parser.parse_args()
    try:
        picture = draw(read_runs(options.files))
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(picture)
    except (PlotError, OSError) as fault:
        print(f"plot.py: {fault}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
