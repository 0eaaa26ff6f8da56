# SPDX-License-Identifier: MIT
"""Arrays in and out: axes, order, shapes, units, layers."""
import os
import tempfile
import unittest

from common import QUADRUPED, main, np, vx, walker


class Arrays(unittest.TestCase):
    def test_axes_of_a_body_of_three_lengths(self):
        cells = np.zeros((2, 3, 4), int)
        cells[1, 0, 0] = cells[0, 2, 0] = cells[0, 0, 3] = 1
        cells[1, 2, 3] = 2
        design = vx.Design.from_array(cells, [vx.Material(), vx.Material(density=2000)], origin=(5, -6, 7), voxel_size=0.02)
        self.assertEqual(design.positions.tolist(), [[6, -6, 7], [5, -4, 7], [5, -6, 10], [6, -4, 10]])  # x fastest, z slowest
        self.assertEqual(design.material.tolist(), [0, 0, 0, 1])
        self.assertEqual(design.origin, (5, -6, 7))
        self.assertEqual(design.to_array().tolist(), cells.tolist())
        world = vx.World(design)
        np.testing.assert_allclose(world.positions(), (design.positions + 0.5) * 0.02, rtol=1e-12)
        masses = np.array([1, 1, 1, 2])
        np.testing.assert_allclose(world.center, masses @ world.positions() / 5, rtol=1e-6)
        self.assertAlmostEqual(world.facts.mass, 5 * 1000 * 0.02**3, places=12)

    def test_a_file_has_the_same_axes(self):
        design = vx.Design.read(QUADRUPED)
        again = vx.Design.from_array(design.to_array(), design.materials, origin=design.origin, voxel_size=design.voxel_size)
        self.assertEqual(again.positions.tolist(), design.positions.tolist())
        self.assertEqual(again.material.tolist(), design.material.tolist())

    def test_orders_and_types_of_cells(self):
        cells = np.random.default_rng(1).integers(0, 2, (3, 4, 5))
        designs = [vx.Design.from_array(array, vx.Material()) for array in
                   (cells, np.asfortranarray(cells), cells.astype(np.int8), cells.astype(np.uint64), cells.astype(bool), cells[::-1][::-1], cells.tolist())]
        self.assertEqual(len({design.hash for design in designs}), 1)

    def test_layers_of_from_array(self):
        cells = np.ones((2, 2, 2), int)
        cells[0, 0, 0] = 0
        phase = np.arange(8.0).reshape(2, 2, 2)
        design = vx.Design.from_array(cells, [vx.Material()], phase=phase, group=1, stiffness=np.full((2, 2, 2), 2e6))
        x, y, z = design.positions.T
        np.testing.assert_array_equal(design.layer("PhaseOffset"), phase[x, y, z])
        np.testing.assert_array_equal(design.layer("Group")[:], np.ones(7))
        self.assertEqual(sorted(design.layers), ["Group", "PhaseOffset", "Stiffness"])
        self.assertEqual(vx.World(design).groups, 2)

    def test_layers_are_written_as_arrays(self):
        design = walker()
        layer = design.layer("Amplitude")
        np.testing.assert_array_equal(layer, np.ones(design.voxels))  # as if there were none
        self.assertNotIn("Amplitude", design.layers)
        layer[design.material == 1] = 0.5
        layer[0] += 1
        self.assertEqual((layer[0], layer[-1]), (1.5, 1))
        np.testing.assert_array_equal(2 * design.layer("Amplitude"), 2 * layer.values)
        np.testing.assert_array_equal(design.layers["Amplitude"], layer.values)
        design.layer("BodyForce")[:] = (0, 0, 1e-3)
        self.assertEqual(design.layer("BodyForce").shape, (design.voxels, 3))
        design.layer("Stiffness")[:2] = 5e5
        self.assertEqual(design.layer("Stiffness")[2], design.materials[design.material[2]].youngs_modulus)

    def test_densities_weigh(self):
        cells = np.ones((2, 1, 1), int)
        design = vx.Design.from_array(cells, vx.Material(density=500), density=[[[1000.0]], [[3000.0]]])
        np.testing.assert_array_equal(design.layer("Density"), [1000, 3000])
        design.name = "heavy"
        world = vx.World(design)
        self.assertAlmostEqual(world.facts.mass, 4e-3, places=12)
        self.assertAlmostEqual(world.center[0], 0.0125, places=9)
        again = vx.Design.from_bytes(design.to_bytes("heavy.json"), "heavy.json")
        np.testing.assert_array_equal(again.layer("Density"), [1000, 3000])
        self.assertEqual(again.hash, design.hash)
        self.assertEqual(vx.Design.from_array(cells, vx.Material(), density=700).layer("Density")[:].tolist(), [700, 700])

    def test_a_density_stands_for_the_materials(self):
        design = vx.Design.from_array(np.array([[[1, 2]]]), [vx.Material(density=500), vx.Material(density=800)])
        layer = design.layer("Density")
        np.testing.assert_array_equal(layer, [500, 800])  # as if there were none
        layer[1] *= 2
        np.testing.assert_array_equal(design.layers["Density"], [500, 1600])
        self.assertAlmostEqual(vx.World(design).facts.mass, 2.1e-3, places=12)

    def test_a_group_takes_its_target(self):
        design = walker()
        design.actuation.enabled = False
        design.layer("Group")[:] = design.material
        world = vx.World(design, precision="double")
        world.advance(10)
        before = world.sense("edge")
        world.target(np.int64(1), np.float32(1.25))
        world.advance(until=0.2)
        after = world.sense("edge")
        np.testing.assert_allclose(after[design.material == 1] / before[design.material == 1], 1.25, rtol=1e-6)
        np.testing.assert_allclose(after[design.material == 0], before[design.material == 0], rtol=1e-6)

    def test_numbers_of_voxels(self):
        world = vx.World(walker(), precision="double")
        world.advance(np.int32(10))
        world.advance(until=np.float64(0.1))
        n = world.facts.voxels
        out = np.empty((n, 3))
        self.assertIs(world.positions(out=out), out)
        np.testing.assert_array_equal(out, world.positions())
        np.testing.assert_allclose(np.linalg.norm(world.orientations(), axis=1), 1, rtol=1e-12)
        self.assertEqual(world.velocities().shape, world.spins().shape)
        edge, strain, touched = world.sense("edge", "strain", "touched")
        self.assertEqual((edge.shape, strain.shape, touched.shape, touched.dtype), ((n,), (n, 3), (n,), np.uint8))
        outs = np.empty(n), np.empty((n, 3))
        for mine, theirs in zip(world.sense("floor", "stress", out=outs), outs):
            self.assertIs(mine, theirs)
        self.assertGreater(outs[0].sum(), 0)
        forces, moments = world.elastic_forces()
        np.testing.assert_allclose(forces.sum(0), 0, atol=1e-9)
        self.assertEqual(moments.shape, (n, 3))
        self.assertGreater(world.hull_volume(), n * 1e-6)
        self.assertGreater(world.energy().elastic, 0)

    def test_a_voxel_is_placed(self):
        design = vx.Design.from_array(np.ones((1, 1, 1), int), vx.Material())
        design.gravity, design.floor.enabled = (0, 0, 0), False
        world = vx.World(design)
        world.place(np.uint8(0), position=np.array([1, 2, 3]), velocity=(0.5, 0, 0), orientation=(0, 1, 0, 0), spin=(0, 0, 1))
        np.testing.assert_allclose(world.center, (1, 2, 3))
        np.testing.assert_allclose(world.velocity, (0.5, 0, 0))
        np.testing.assert_allclose(world.orientations()[0], (0, 1, 0, 0))

    def test_empty_designs(self):
        design = vx.Design()
        self.assertEqual(design.to_array().shape, (0, 0, 0))
        self.assertEqual(design.positions.shape, (0, 3))
        with self.assertRaises(vx.InvalidInput):
            vx.World(design)


class Designs(unittest.TestCase):
    def test_numbers_of_a_design(self):
        design = walker()
        design.name = "räuber"
        design.gravity = (0, 1, -2)
        design.floor(slope=(0.1, 0), height=-0.5)
        design.materials[1].youngs_modulus = 3e5
        design.materials[0].magnetization = (1, 2, 3)
        self.assertEqual((design.name, design.gravity, design.floor.slope), ("räuber", (0, 1, -2), (0.1, 0)))
        self.assertEqual(design.materials[1].youngs_modulus, 3e5)
        self.assertEqual(design.materials[0], vx.Material(youngs_modulus=2e5, magnetization=(1, 2, 3)))
        self.assertNotEqual(design.materials[0], design.materials[1])
        self.assertEqual(repr(vx.Material(density=2)), "Material(density=2.0)")
        self.assertIn("slope=(0.1, 0.0)", repr(design.floor))
        self.assertIn("72 voxels" if design.voxels == 72 else str(design.voxels), repr(design))
        design.conventions = "voxelyze"
        self.assertEqual(vx.World(design).facts.conventions, "voxelyze")

    def test_materials(self):
        import pickle
        curve = ((0, 0), (0.1, 1e4), (0.5, 2e4))
        material = vx.Material(name="gel", model="measured", youngs_modulus=1e5, curve=curve, color=(1, 0, 0, 1))
        self.assertEqual(material.curve, curve)
        self.assertEqual(pickle.loads(pickle.dumps(material)), material)
        design = vx.Design()
        self.assertEqual(design.add_material(material), 0)
        view = design.materials[0]
        for _ in range(100):
            design.add_material(view)  # the list moves
        view.density = 5
        self.assertEqual((design.materials[0].density, design.materials[100].density, design.materials[0].name), (5, 1000, "gel"))
        material.curve = ()
        self.assertEqual(material.curve, ())

    def test_a_beam_bends_as_a_formula_says(self):
        design = vx.Design.from_array(np.ones((10, 1, 1), int), vx.Material(youngs_modulus=1e6, global_damping=0.05), voxel_size=0.01)
        design.gravity, design.floor.enabled = (0, 0, 0), False
        design.fix(((0, 0, 0), (0.005, 0.01, 0.01)), "all")
        design.load(((0.095, 0, 0), (0.1, 0.01, 0.01)), force=(0, 0, 1e-5))
        world = vx.World(design, precision="double")
        world.advance(until=4)
        length, inertia = 0.09, 0.01**4 / 12  # m, between the centres of the ends; m^4
        bent = world.positions()[-1, 2] - 0.005
        self.assertAlmostEqual(bent / (1e-5 * length**3 / (3 * 1e6 * inertia)), 1, delta=0.01)

    def test_bodies_side_by_side(self):
        design, voxels = walker(), walker().voxels
        design.add(walker(), at=(12, 0, 0))
        design.add(design, at=(0, 20, 0))
        self.assertEqual((design.voxels, len(design.materials)), (4 * voxels, 8))
        self.assertEqual(vx.World(design).facts.bodies, 4)
        self.assertEqual(design.to_array().shape, (18, 24, 3))

    def test_formulas_and_notes(self):
        design = walker()
        design.formula(fitness="x + z", stop="t > 0.1", force_x="1e-4 * sin(t)")
        self.assertEqual(design.formulas, {"fitness": "x + z", "stop": "t > 0.1", "force_x": "1e-4 * sin(t)"})
        self.assertEqual(design.fitness_unit, "m")
        row, = vx.evaluate([design])
        self.assertAlmostEqual(row["time"], 0.1, delta=0.01)
        self.assertTrue(np.isfinite(row["fitness"]))
        design.formula(fitness=None)
        self.assertNotIn("fitness", design.formulas)
        self.assertTrue(all(isinstance(note, str) for note in vx.Design.read(QUADRUPED).notes))

    def test_tables(self):
        design = walker()
        design.layer("Group")[:] = design.material
        design.schedule(1, [(0, 1), (0.1, 1.3)])
        design.layer("FinalStiffness")[:] = 1e6
        design.stiffen([(0, 0), (1, 1)])
        design.heights(np.zeros((3, 4)) - 0.01, 0.05, origin=(-0.1, -0.1))
        design.set_velocity(0, linear=(1, 0, 0))
        world = vx.World(design)
        world.advance(until=0.2)
        self.assertGreater(world.sense("edge")[design.material == 1].mean(), 0.0115)
        flat = vx.Design.from_array(np.ones((3, 1, 2), int), vx.Material())
        flat.extrude(4)
        self.assertEqual(flat.to_array().shape, (3, 4, 2))


class Results(unittest.TestCase):
    def test_columns(self):
        rows = vx.evaluate([walker(), walker()], duration=0.3, samples=5)
        self.assertEqual(rows.dtype["path"].shape, (6, 3))
        np.testing.assert_array_equal(rows["path"][:, -1], np.stack([rows["x"], rows["y"], rows["z"]], 1))
        np.testing.assert_allclose(rows["speed"], rows["displacement"] / (rows["time"] - rows["start_time"]))
        self.assertEqual(rows["status"].tolist(), [vx.DONE, vx.DONE])

    def test_threads_are_those_that_the_process_may_use(self):
        before = os.sched_getaffinity(0)
        self.assertEqual(vx.Batch(steps=1).facts.threads, len(before))
        os.sched_setaffinity(0, {min(before)})
        try:
            self.assertEqual(vx.Batch(steps=1).facts.threads, 1)
        finally:
            os.sched_setaffinity(0, before)

    def test_progress(self):
        told = []
        vx.evaluate([walker((8, 8, 8)) for _ in range(6)], duration=1, threads=1, progress=told.append)
        self.assertTrue(all(isinstance(row, vx.Progress) for row in told))
        self.assertGreater(len(told), 2)
        self.assertEqual(told[0].robots, 6)
        rows = vx.evaluate([walker((8, 8, 8)) for _ in range(60)], duration=20, progress=lambda row: False)
        self.assertIn(vx.WAITING, rows["status"])
        self.assertTrue(np.isnan(rows["displacement"][rows["status"] != vx.DONE]).all())


class Bytes(unittest.TestCase):
    def test_bytes_are_files_in_memory(self):
        design = walker()
        for name in ("a.json", "a.vxa", "a.vox"):
            data = design.to_bytes(name)
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, name)
                design.write(path)
                with open(path, "rb") as file:
                    self.assertEqual(file.read(), data)
                self.assertEqual(vx.Design.from_bytes(data, name).hash, vx.Design.read(path).hash)
        with self.assertRaisesRegex(vx.InvalidInput, "a.vxa"):
            vx.Design.from_bytes(b"<VXA>", "a.vxa")
        with self.assertRaises(vx.Error):
            design.to_bytes("a.stl")
        with self.assertRaises(TypeError):
            design.to_bytes(3)
        with self.assertRaises(TypeError):
            vx.Design.from_bytes("text", "a.json")


if __name__ == "__main__":
    main()
