# SPDX-License-Identifier: MIT
"""Designs: what is simulated, read from files or made from arrays."""
from __future__ import annotations

import copyreg
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import ArrayLike, NDArray

from voxelastic import _core, notebook
from voxelastic.control import Controller

__all__ = ["Design", "Layer"]

MAX_CELLS = 1 << 26
WIDTHS = {"BodyForce": 3, "Magnetization": 3}
# layers that take the place of a material's number, and its name
OF_MATERIAL = {"Stiffness": "youngs_modulus", "FinalStiffness": "youngs_modulus", "Density": "density", "Magnetization": "magnetization"}
NO_CHANGE = ("Amplitude", "Frequency", "InitialSize", "FinalSize")  # layers whose 1 says the same as no layer


class Layer(NDArrayOperatorsMixin):
    """One number or several for each voxel of a design, in its order: (voxels,) or (voxels, width) float64. It is read and written as an array, `layer[:] = x`,
    `layer[design.material == 1] *= 2`; what is read is a copy. A layer that the design does not have yet is made when it is written, from numbers that do nothing."""

    def __init__(self, design: Design, name: str, width: int) -> None:
        self._design, self._name, self._width = design, name, width

    @property
    def name(self) -> str:
        """str: such as "PhaseOffset"."""
        return self._name

    @property
    def values(self) -> NDArray[np.float64]:
        """A copy: (voxels,) or (voxels, width) float64."""
        try:
            return self._design.layer_values(self._name)
        except KeyError:
            return self._neutral()

    def _neutral(self) -> NDArray[np.float64]:
        design, shape = self._design, (self._design.voxels,) if self._width == 1 else (self._design.voxels, self._width)
        of_material = OF_MATERIAL.get(self._name)
        if of_material and design.voxels:
            return np.asarray([getattr(material, of_material) for material in design.materials], np.float64)[design.material]
        return np.full(shape, 1.0 if self._name in NO_CHANGE else 0.0)

    @property
    def shape(self) -> tuple[int, ...]:
        """(voxels,) or (voxels, width)."""
        return self.values.shape

    def __len__(self) -> int:
        return self._design.voxels

    def __getitem__(self, key: Any) -> Any:
        return self.values[key]

    def __setitem__(self, key: Any, value: ArrayLike) -> None:
        values = self.values
        values[key] = value
        self._design.put_layer(self._name, values, self._width)

    def __array__(self, dtype: Any = None) -> NDArray[Any]:
        return np.asarray(self.values, dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **keywords: Any) -> Any:
        inputs = tuple(item.values if isinstance(item, Layer) else item for item in inputs)
        return getattr(ufunc, method)(*inputs, **keywords)

    def __repr__(self) -> str:
        return f"<voxelastic.Layer {self._name} {self.shape}>"


class Design(_core.Design):
    __doc__ = f"""{_core.Design.__doc__}

A design is data that may be changed, except while a batch, a team, a recorder or another thread uses it."""
    __slots__ = ()

    @classmethod
    def from_array(cls, material: ArrayLike, palette: _core.Material | Sequence[_core.Material], *, phase: ArrayLike | None = None, amplitude: ArrayLike | None = None,
                   frequency: ArrayLike | None = None, group: ArrayLike | None = None, stiffness: ArrayLike | None = None,
                   density: ArrayLike | None = None, voxel_size: float = 0.01, origin: Sequence[int] = (0, 0, 0)) -> Design:
        """A body from an array of cells.

        material: (x, y, z) whole numbers, 0 empty, k a voxel of material k - 1 of the palette; z points up. palette: Materials. phase (cycles), amplitude and
        frequency (factors on the actuation), group (whole numbers), stiffness (Pa) and density (kg/m^3): arrays of the same shape, or numbers that hold for all
        voxels. voxel_size: m. origin: lattice coordinates of cell (0, 0, 0); the floor is below z = 0."""
        design = cls(voxel_size=voxel_size)
        layers = {"PhaseOffset": phase, "Amplitude": amplitude, "Frequency": frequency, "Group": group, "Stiffness": stiffness, "Density": density}
        cells = _whole(material)
        given = {name: _spread(name, layer, cells.shape) for name, layer in layers.items() if layer is not None}
        design.add_array(cells, (palette,) if isinstance(palette, _core.Material) else tuple(palette), tuple(int(at) for at in origin), given)
        return design

    def to_array(self) -> NDArray[np.int64]:
        """(x, y, z) int64: 0 empty, k a voxel of materials[k - 1]. Cell (0, 0, 0) is at lattice coordinates `origin`. What from_array takes."""
        at = self.positions.astype(np.int64)
        if not len(at):
            return np.zeros((0, 0, 0), np.int64)
        low, high = at.min(0), at.max(0)
        size = tuple(int(n) for n in high - low + 1)
        if size[0] * size[1] * size[2] > MAX_CELLS:
            raise ValueError(f"an array of {size[0]} x {size[1]} x {size[2]} cells; at most {MAX_CELLS}")
        cells = np.zeros(size, np.int64)
        x, y, z = (at - low).T
        cells[x, y, z] = self.material + np.int64(1)
        return cells

    @property
    def origin(self) -> tuple[int, ...]:
        """(x, y, z): the lowest lattice coordinates of voxels."""
        return tuple(int(at) for at in self.positions.min(0)) if self.voxels else (0, 0, 0)

    @property
    def positions(self) -> NDArray[np.int32]:
        """(voxels, 3) int32: lattice coordinates, a copy. The centre of voxel (i, j, k) is at ((i+1/2)a, (j+1/2)a, (k+1/2)a), a = voxel_size."""
        return self.lattice_positions(None)

    @property
    def material(self) -> NDArray[np.uint32]:
        """(voxels,) uint32: index into materials, a copy."""
        return self.voxel_materials(None)

    def layer(self, name: str, width: int | None = None) -> Layer:
        """The layer of that name, to be read and written as an array; see Layer. PhaseOffset (cycles), Amplitude, Frequency: of the actuation; Group; Part; Stiffness
        (Pa); Density (kg/m^3); InitialSize, FinalSize, GrowthStart, GrowthTime; BodyForce (N, three numbers); Magnetization (A/m, three numbers). width: numbers for
        each voxel, of a layer of another name."""
        if width is None:
            width = WIDTHS.get(name) or (np.atleast_2d(self.layer_values(name).T).shape[0] if name in self.layer_names() else 1)
        return Layer(self, name, width)

    @property
    def layers(self) -> dict[str, Layer]:
        """{name: Layer} of the layers that the design has."""
        return {name: self.layer(name) for name in self.layer_names()}

    def fix(self, box: Sequence[Sequence[float]], freedoms: str = "xyz", *, displacement: Sequence[float] | None = None, rotation: Sequence[float] | None = None,
            table: ArrayLike | None = None) -> None:
        """Fixes all voxels that overlap a box, (low, high) in m. freedoms: translations x, y, z and rotations rx, ry, rz, such as "xyz" or "z rx", or "all".
        displacement (3,) m and rotation (3,) rad move them, by as much as the factor of table says: (rows, 2) time s and factor; at once without one."""
        low, high = box
        self.add_region(low, high, freedoms, None, None, displacement, rotation, None if table is None else _table(table))

    def load(self, box: Sequence[Sequence[float]], force: Sequence[float] | None = None, moment: Sequence[float] | None = None, *, table: ArrayLike | None = None) -> None:
        """Pulls at all voxels that overlap a box, (low, high) in m: force (3,) N and moment (3,) N m in all, divided equally, times the factor of table, (rows, 2)."""
        low, high = box
        self.add_region(low, high, "", force, moment, None, None, None if table is None else _table(table))

    def schedule(self, group: int, table: ArrayLike) -> None:
        """A factor on the edges of the voxels of a group over time: table (rows, 2), s and factor, linear between its rows. One for each group."""
        self.add_schedule(group, _table(table))

    @property
    def controller(self) -> Controller | None:
        """Controller, a copy; None: the design has none, and where it is assigned, loses it."""
        parts = self.controller_parts()
        if parts is None:
            return None
        sensors, layers, weights, interval, least, most, activation = parts
        return Controller(sensors, layers, weights, interval, (least, most), activation)

    @controller.setter
    def controller(self, controller: Controller | None) -> None:
        if controller is None:
            self.drop_controller()
            return
        if not isinstance(controller, Controller):
            raise TypeError(f"expected a Controller or None, not {controller!r}")
        least, most = controller.targets
        weights = np.ascontiguousarray(controller.weights, np.float32)
        self.put_controller(tuple(controller.sensors), tuple(controller.layers), weights, controller.interval, least, most, controller.activation)

    def stiffen(self, table: ArrayLike) -> None:
        """How far the stiffness has changed towards the layer FinalStiffness: table (rows, 2), s and 0 to 1."""
        self.put_stiffening(_table(table))

    def heights(self, heights: ArrayLike, spacing: float | None = None, origin: Sequence[float] = (0, 0)) -> None:
        """Makes the floor uneven: heights (rows, columns) m, rows along y and columns along x, spacing (m; the voxel's edge without) apart; origin: x and y (m) of
        the first one."""
        x, y = origin
        self.put_heights(np.ascontiguousarray(heights, float), self.voxel_size if spacing is None else spacing, x, y)

    def __copy__(self) -> Design:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Design:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _read_again, (type(self), self.text())

    def _repr_html_(self) -> str:
        return notebook.picture_of(self)

    def __repr__(self) -> str:
        return f"<voxelastic.Design {self.name!r}: {self.voxels} voxels, {len(self.materials)} materials, {1e3 * self.voxel_size:g} mm>"


def _whole(cells: Any) -> NDArray[np.int64]:
    """An array of cells as int64 in C order."""
    cells = np.asarray(cells)
    if cells.ndim != 3 or cells.dtype.kind not in "iub":
        raise ValueError(f"material: expected whole numbers of shape (x, y, z), not {cells.dtype} of shape {cells.shape}")
    return np.ascontiguousarray(cells, np.int64)


def _spread(name: str, layer: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """An array of float64 of a shape, in C order, from one of that shape or from a number."""
    array: NDArray[np.float64] = np.ascontiguousarray(layer, float)
    if array.shape == shape:
        return array
    if array.size != 1:
        raise ValueError(f"{name}: expected a number, or an array of the shape of material, {shape}, not of shape {array.shape}")
    return np.full(shape, float(array.reshape(())))


def _table(table: Any) -> NDArray[np.float64]:
    return np.ascontiguousarray(table, float)


def _read_again(kind: Any, text: str) -> Any:
    return kind.read_text(text, "pickled design")


def _make_material(numbers: dict[str, Any]) -> _core.Material:
    return _core.Material(**numbers)


copyreg.pickle(_core.Material, lambda material: (_make_material, (material.numbers(),)))
