# SPDX-License-Identifier: MIT
"""Counts of what a test script checks."""

passed = 0
failed = 0


def check(good, what):
    global passed, failed
    passed += bool(good)
    failed += not good
    print(("ok   " if good else "FAIL ") + what, flush=True)


def counted_end():
    """Prints the counts. Returns the exit status."""
    print(f"{passed} passed, {failed} failed")
    return failed != 0
