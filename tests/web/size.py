#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""size.py PAGE MODULE: how large the studio is at most, in bytes."""
import pathlib
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from checks import check, counted_end  # noqa: E402

MAX_PAGE = 1_000_000
MAX_MODULE = 400_000  # deflated


def main():
    page, module = (pathlib.Path(word) for word in sys.argv[1:3])
    if not page.exists():
        print("skipped: the studio's page is not built")
        return 77
    size, packed = page.stat().st_size, len(zlib.compress(module.read_bytes(), 9))
    check(size <= MAX_PAGE, f"the page has {size} bytes; at most {MAX_PAGE}")
    check(packed <= MAX_MODULE, f"the module has {packed} bytes deflated; at most {MAX_MODULE}")
    return counted_end()


if __name__ == "__main__":
    sys.exit(main())
