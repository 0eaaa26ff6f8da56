# SPDX-License-Identifier: MIT
"""Exceptions and the warning of the package. What the library refuses is an Error, with what it knows of the place."""

from __future__ import annotations

__all__ = ["Error", "InvalidInput", "Unsupported", "Diverged", "Unphysical", "SystemFailure", "VoxelasticWarning"]


class Error(RuntimeError):
    """What the library could not do, and why. Where memory runs out, MemoryError is raised instead."""

    status: str | None = None
    """str: one word for the kind of failure, such as "diverged" or "invalid"; or None"""
    file: str | None = None
    """str: the file that is wrong, or None"""
    line: int | None = None
    """int: its line, from 1, or None"""
    column: int | None = None
    """int: the column of that line, from 1, or None"""


class InvalidInput(Error, ValueError):
    """A design, a file or an argument is wrong."""


class Unsupported(Error):
    """It was understood, but this build, this machine or this format can not do it."""


class Diverged(Error):
    """The simulation diverged: a bond left its bounds, or a number is not finite. The world stays at the end of that step."""

    step: int | None = None
    """int: the step in which it failed, from 0"""
    time: float | None = None
    """s: start of that step"""
    voxels: tuple[int, ...] = ()
    """(int, ...): voxels where it was seen, in design order; may be empty"""


class Unphysical(Diverged):
    """Energy rose by more than was put in. The world stays at the end of the step in which it was seen."""


class SystemFailure(Error, OSError):
    """The operating system refused: a file is not there, a disk is full."""


class VoxelasticWarning(UserWarning):
    """What of a design does not act, what was assumed, and what a file says that no reader knows."""
