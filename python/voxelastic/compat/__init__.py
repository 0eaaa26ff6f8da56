# SPDX-License-Identifier: MIT
"""Interfaces of other projects, so that programs that were written for them run here: evogym, evosoro, voxcraft. Each is imported by its name; docs/from-evogym.md,
docs/from-voxelyze.md and docs/from-voxcraft.md show which lines of a program change."""
