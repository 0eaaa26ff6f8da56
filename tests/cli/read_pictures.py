#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""read_pictures.py PLAIN.png STRIP.png BARE.png: what pictures tell beside the robot. PLAIN: three materials without a colour, 640 x 480; STRIP: two
panels of 320 x 240 by strain; BARE: the strip without captions."""
import pathlib
import sys

from browser import pixels
from checks import check, counted_end


def colours(rows, wide, top, bottom):
    """The saturated colours of some rows, in tens, and how often each is."""
    found = {}
    for row in rows[top:bottom]:
        for x in range(0, len(row), wide):
            rgb = row[x:x + 3]
            if max(rgb) - min(rgb) > 60:
                key = tuple(part // 10 for part in rgb)
                found[key] = found.get(key, 0) + 1
    return found


def dark(rows, wide, box):
    """Number of dark pixels in a box: letters and lines."""
    left, top, right, bottom = box
    return sum(max(row[wide * x:wide * x + 3]) < 170 for row in rows[top:bottom] for x in range(left, right))


plain, strip, bare = (pixels(pathlib.Path(name).read_bytes()) for name in sys.argv[1:4])
rows, width, wide = plain
check((width, len(rows)) == (640, 480), "the legend is within the size that was asked for")
robot, legend = colours(rows, wide, 0, 440), colours(rows, wide, 450, 480)
swatches = [colour for colour, count in legend.items() if count > 60]
check(len(swatches) == 3, f"three materials have three swatches: {swatches}")
check(len({tuple(part * 3 // 26 for part in colour) for colour in robot}) >= 3, "and three colours on the robot")
check(dark(rows, wide, (0, 0, 120, 30)) > 30, "the time is written")
check(dark(rows, wide, (0, 450, 100, 480)) > 60, "and the bar of lengths")
rows, width, wide = strip
check((width, len(rows)) == (640, 240), "two panels side by side")
legend = colours(rows, wide, 210, 240)
check(sum(r < b for r, g, b in legend) > 3 and sum(r > b for r, g, b in legend) > 3, "strain has a bar from blue to red")
check(dark(rows, wide, (0, 0, 80, 24)) > 20 and dark(rows, wide, (320, 0, 400, 24)) > 20, "each panel has its time")
rows, width, wide = bare
check(dark(rows, wide, (0, 0, 80, 16)) == 0 and not colours(rows, wide, 225, 240), "without captions there is none of it")
sys.exit(counted_end())
