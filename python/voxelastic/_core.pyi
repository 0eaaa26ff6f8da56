# SPDX-License-Identifier: MIT
# Types of the module in C. The attributes between `members of` and `end of members` are written by make_fields.py from the headers.
import os
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypedDict, TypeVar, Unpack, overload

import numpy as np
from numpy.typing import NDArray

Path = str | bytes | os.PathLike[str]
Vector = Sequence[float] | NDArray[np.float64]
Floats = NDArray[np.float64]
Sensor = Literal["edge", "strain", "stress", "energy", "floor", "contact", "touched"]

__version__: str
_Design = TypeVar("_Design", bound=Design)

def instruction_set() -> str: ...
def layer_acts(name: str) -> bool: ...
def conventions() -> list[tuple[str, str]]: ...
def picture(design: Design, frames: tuple[Frame, ...], path: Path, **choices: Unpack[_PictureChoices]) -> None: ...
def draw(design: Design, frame: Frame, /, **choices: Unpack[_PictureChoices]) -> NDArray[np.uint8]: ...
def read_record(kind: type[_Design], path: Path, /) -> tuple[_Design, list[Frame], bool]: ...

class _WorldChoices(TypedDict, total=False):
    # members of vxe_world_def
    conventions: str  # compatibility preset and switches (engine/conventions.h); "auto", the default: what the design says of itself
    precision: str  # mixed by default [mixed, double]
    threads: int  # 0: chosen by the size of the body and the machine; one thread where a preset of the Voxelyze family runs with packed bonds
    step_rule: str  # auto: as the preset says [auto, source, seconds]
    step_seconds: float  # s, with seconds
    step_scale: float  # factor on the step of the rules; 1 by default
    accuracy: str  # of the rule auto; other rules refuse all but normal [normal, fast, fine]
    damping: str  # auto: as the preset says [auto, explicit, sweep]
    torsion: str  # auto: as the preset says [auto, stvenant, polar]
    composite: str  # bonds of two materials [harmonic, condensed]
    shear: str  # shear springs of bonds [beam, bulk]
    damping_form: str  # how dashpots follow from the damping ratio [source, pair, voxelyze]
    bond_kind: str  # beams or bars [beam, bar]
    audit: bool  # energy audit: account for dissipation and work in each step (much slower), see World.energy
    # end of members

class _BatchChoices(_WorldChoices, total=False):
    # members of vxe_batch_def
    duration: float  # s for every robot; 0: by steps, or as its design says
    steps: int  # largest number of steps of every robot; 0: by time
    max_duration: float  # s: a robot whose run would be longer is refused; 0: no bound
    max_steps: int  # the same for its steps (those before any retry); 0: no bound
    schedule: str  # robots in lanes or alone [auto, lanes, alone]
    samples: int  # of each robot's centre of mass, at equal times from its start to its end; 0: none; only of robots whose end is known
    retries: int  # how often a robot that diverges is run again from its start, each time with half the step, and with twice as many steps where these are limited; 0 by default, at most 20
    # end of members

class _TeamChoices(_WorldChoices, total=False):
    # members of vxe_team_def
    interval: float  # s: length of a tick, 1/60 by default. Each robot's own step is shortened so that a whole number of steps makes it
    min_target: float  # smallest factor on the edges of a group, 0.6 by default
    max_target: float  # largest one, 1.6 by default; the step is planned for both, and never changes
    settle: float  # s at targets of 1 before the start state is taken, to which resets lead; rounded up to whole ticks; 0 by default
    schedule: str  # robots in lanes or alone [auto, lanes, alone]
    # end of members

class _GradientChoices(_WorldChoices, total=False):
    by: str | Sequence[str]  # of Gradient.names
    # members of vxe_gradient_def
    steps: int  # of every robot
    sample_every: int  # steps between samples; 0: at the start and the end alone
    forget: float  # s: adjoints fall by e in that time, so that the gradient looks back so far; 0: never. Then ask for velocities and not for places: of a place at the end, what came long before is true
    memory: int  # bytes for the states of each group of robots that fill a vector; 0: 1 GiB. Where more would be kept, fewer are, with the same bits; a run of N steps keeps 2 sqrt(N) at least. What pairs of voxels in contact remember comes on top: 100 to 200 bytes a pair in each of them
    # end of members

class _PictureChoices(TypedDict, total=False):
    # members of vxe_picture_def
    width: int  # pixels of each panel; 960 x 720, 16 to 8192
    height: int  # pixels of each panel; 960 x 720, 16 to 8192
    coloring: str  # default material [material, strain, phase, contact, energy]
    range: float  # end of the colour scale of strain, contact (N) or energy (J); 0: the largest value in the frames
    azimuth: float  # degrees about z of the camera's place; 0 is on +x; default -50
    elevation: float  # degrees above the horizon, -90 to 90; default 25
    middle: tuple[float, float, float]  # m: the place in the middle of the picture, where reach is above 0
    reach: float  # m: half the height of what is shown there; 0: the whole body, default
    edges: bool  # outlines voxels; default true
    caption: bool  # writes the time into each panel, and a legend below them; not in pictures that are too small for it; default true
    # end of members

class Material:
    # members of vxe_material
    name: str
    """free text"""
    color: tuple[float, float, float, float]
    """red, green, blue, alpha, 0..1; for display"""
    youngs_modulus: float
    """Pa, >= 0; 0: no stiffness"""
    density: float
    """kg/m^3, > 0"""
    poissons_ratio: float
    """-1 < nu <= 0.5; acts on torsion, on shear with bulk, and on all strains if the design has volume effects"""
    static_friction: float
    """coefficient, >= 0"""
    dynamic_friction: float
    """coefficient, >= 0"""
    bond_damping: float
    """xi in c = xi sqrt(m k), >= 0; 1 is 0.707 of the critical damping of a pair"""
    collision_damping: float
    """ratio, >= 0, of the normal dashpot at the floor and in contacts"""
    global_damping: float
    """ratio, >= 0, of the drag against the frame of the world"""
    thermal_expansion: float
    """1/K, relative change of the edge; negative: a muscle that is opposite in phase"""
    phase: float
    """rad, added to the phase of the temperature"""
    model: str
    """ [linear, linear_failing, bilinear, measured]"""
    plastic_modulus: float
    """Pa: slope beyond the yield stress; bilinear only"""
    yield_stress: float
    """Pa; bilinear only"""
    fail_stress: float
    """Pa in tension, of all models but linear; 0: none"""
    fail_strain: float
    """in tension, of all models but linear; 0: none"""
    sticky: bool
    """two voxels of it stick where they touch, with self-collision"""
    detach_stress: float
    """Pa: normal or shear stress at which sticky voxels let go; 0: never"""
    magnetization: tuple[float, float, float]
    """A/m, along the axes of the voxel, which rotate with it; its moment is this times the volume of a lattice cell"""
    susceptibility: float
    """chi, >= 0: fields magnetise the voxel too, if the design allows induction, by chi times the field inside a sphere"""
    sphere: bool
    """its voxels are spheres whose diameter is the edge: never bonded, with the mass and inertia of a sphere"""
    target: bool
    """its voxels are the targets of fitness and stop formulas"""
    unmeasured: bool
    """formulas leave its voxels out where they measure the body"""
    # end of members
    curve: tuple[tuple[float, float], ...]
    """((strain, stress Pa), ...): the measured curve, from (0, 0) on; empty without one"""
    def __init__(self, **numbers: Any) -> None: ...
    def numbers(self) -> dict[str, Any]: ...

class Floor:
    # members of vxe_floor
    enabled: bool
    """whether it acts"""
    sticky: bool
    """voxels that touch it do not slide"""
    height: float
    """m, at x = y = 0 of the design's frame"""
    slope: tuple[float, float]
    """rise over run along x and y"""
    radius: float
    """m: the floor ends at this distance from its centre; 0: it has no end"""
    center: tuple[float, float]
    """m: x and y of its centre"""
    # end of members
    def __call__(self, **numbers: Any) -> None: ...
    def numbers(self) -> dict[str, Any]: ...

class Fluid:
    # members of vxe_fluid
    enabled: bool
    """whether it acts"""
    buoyancy: bool
    """the weight of the fluid that a voxel displaces lifts it"""
    density: float
    """rho, kg/m^3"""
    drag_coefficient: float
    """C_d"""
    # end of members
    def __call__(self, **numbers: Any) -> None: ...
    def numbers(self) -> dict[str, Any]: ...

class Magnetics:
    # members of vxe_magnetics
    enabled: bool
    """whether it acts"""
    alone: bool
    """only the external field acts on dipoles, not other dipoles"""
    induces: bool
    """fields magnetise voxels by their susceptibility"""
    dipole_cap: float
    """m: the force of closer pairs is that at this distance; 0: no limit"""
    dipole_soften: float
    """m: e; forces of a pair are those at the distance (r^2 + e^2)^1/2, which limits them and keeps a potential; 0: at r"""
    dipole_d: float
    """m: pairs with a wider gap (distance minus an edge) do not act on each other; 0: all pairs act"""
    divisions: int
    """n: the moment of a voxel is divided over n^3 dipoles; 0 means 1"""
    every: int
    """n: the force between dipoles acts in every n-th step, n times as large; 0 means 1"""
    reference: tuple[float, float, float]
    """m, design frame: the point where the gradient adds nothing"""
    # end of members
    def __call__(self, **numbers: Any) -> None: ...
    def numbers(self) -> dict[str, Any]: ...

class Actuation:
    # members of vxe_actuation
    enabled: bool
    """whether it acts"""
    base: float
    """degrees Celsius; only T - base matters"""
    amplitude: float
    """K"""
    period: float
    """s; 0: the temperature stays at base"""
    start: float
    """s: actuation begins at this time"""
    min: float
    """minimum of 1 + expansion"""
    max: float
    """maximum of 1 + expansion; 0: none"""
    room: float
    """with compatibility presets in which voxels only contract, the maximum of 1 + expansion is 1 + room"""
    # end of members
    def __call__(self, **numbers: Any) -> None: ...
    def numbers(self) -> dict[str, Any]: ...

class Stop:
    # members of vxe_stop
    duration: float
    """s; 0: not set; a formula may end a run too"""
    steps: int
    """0: not set"""
    periods: float
    """actuation periods; 0: not set"""
    settle_time: float
    """s without actuation at the start"""
    reference_time: float
    """s: displacement counts from this time, or from the end of settling if that is later"""
    # end of members
    def __call__(self, **numbers: Any) -> None: ...
    def numbers(self) -> dict[str, Any]: ...

class TimeStep:
    # members of vxe_time_step
    fraction: float
    """of the step 1/(2 pi w0) of Hiller2014, for the rule `source`"""
    seconds: float
    """s: the step that the file asks for; 0: none"""
    # end of members
    def __call__(self, **numbers: Any) -> None: ...
    def numbers(self) -> dict[str, Any]: ...

class WorldFacts(NamedTuple):
    # members of vxe_world_facts
    voxels: int
    """number of voxels"""
    bonds: int
    """number of bonds"""
    bodies: int
    """number of bodies"""
    surface_voxels: int
    """voxels on the surface"""
    materials: int
    """number of materials"""
    particles: int
    """voxels on the surface that have contact models"""
    magnets: int
    """voxels that have a magnetic moment, or may get one by induction"""
    affine: int
    """affine bodies"""
    threads: int
    """number of threads"""
    mass: float
    """kg"""
    voxel_size: float
    """m"""
    extent: tuple[float, float, float]
    """m, at the start"""
    time_step: float
    """s"""
    highest_frequency: float
    """rad/s: w_max of the rest state, estimated from below within about 1 %, for large bodies within 3 %"""
    source_frequency: float
    """rad/s: w0 = max sqrt(k_a/m)"""
    actuation_full: float
    """s: time from which the actuation's wave acts in full; 0: no wave"""
    damping_sweeps: int
    """damping iterations of a step; 0 with explicit damping"""
    damping: str
    """how dashpots enter a step [auto, explicit, sweep]"""
    step_rule: str
    """how the time step is chosen [auto, source, seconds]"""
    conventions: str
    """preset and switches"""
    precision: str
    """"mixed" or "double"."""
    isa: str
    """instruction set, such as "x86-64-v4"."""
    # end of members

class Settled(NamedTuple):
    # members of vxe_settled
    steps: int
    """of Newton's method, those that were taken back included"""
    iterations: int
    """of conjugate gradients, in all of them"""
    residual: float
    """forces that are left, as tolerance counts them; of a linear solution those of its equations"""
    largest_move: float
    """m: of a voxel from where it was"""
    largest_voxel: int
    """which one, in design order"""
    # end of members

class Energy(NamedTuple):
    # members of vxe_energy
    kinetic: float
    """J: translation and rotation, by the present velocities (half a step behind positions)"""
    kinetic_sync: float
    """J: after half of the last kick, by the forces that have a potential: belongs to the potentials at `time`"""
    ripple: float
    """J: part of kinetic_sync that comes and goes with the phase of vibrations against the step: F^2 h^2/(8 m) (energy audit only)"""
    elastic: float
    """J: bonds"""
    floor: float
    """J: floor springs"""
    contact: float
    """J: springs between voxels that touch, and contact models"""
    gravity: float
    """J: -m g.x"""
    magnetic: float
    """J: dipoles in each other's fields and in the external one"""
    time: float
    """s: time of the potentials `_sync` (energy audit only)"""
    elastic_sync: float
    """J: bonds"""
    floor_sync: float
    """J: floor springs"""
    contact_sync: float
    """J: contacts"""
    gravity_sync: float
    """J: weight"""
    magnetic_sync: float
    """J: magnets"""
    dissipated_bonds: float
    """J: dashpots of bonds"""
    dissipated_plastic: float
    """J: bonds that yield and break"""
    dissipated_global: float
    """J: global damping"""
    dissipated_contact: float
    """J: dashpots of contacts"""
    dissipated_friction: float
    """J: friction"""
    dissipated_viscous: float
    """J: viscosity of affine bodies"""
    dissipated_growth: float
    """J: growth of affine bodies"""
    given_to_fluid: float
    """J: by drag and buoyancy"""
    work_actuation: float
    """J: work of actuation"""
    work_external: float
    """J: loads, prescribed motion, external fields that change"""
    work_gravity: float
    """J: what `gravity_sync` has fallen by since the first step"""
    work_magnetic: float
    """J: what `magnetic_sync` has fallen by; 0 where the magnets' law has no potential, and their work is external"""
    balance: float
    """J: kinetic_sync - ripple + potentials `_sync` + dissipation - work: constant, whatever the step, where all springs are linear (energy audit only)"""
    balance_start: float
    """J: balance of the first step: the difference is the integrator's error"""
    rounding: float
    """J: a rise of the balance within this is not judged: the energy of the whole body at a strain of 1e-5"""
    # end of members

class RobotResult(NamedTuple):
    # members of vxe_batch_result
    status: int
    """what became of it, see Status"""
    reason: int
    """ok, diverged, unphysical, or why it was refused"""
    message: str
    """where and when it diverged or became unphysical, or why it was refused; else empty"""
    conventions: str
    """preset and switches that it ran under"""
    in_lanes: bool
    """all or most of its steps ran in lanes"""
    retries: int
    """earlier runs, with longer steps, that diverged"""
    voxels: int
    """number of voxels"""
    bonds: int
    """number of bonds"""
    mass: float
    """kg"""
    steps: int
    """number of steps"""
    time: float
    """s"""
    time_step: float
    """s"""
    damping_sweeps: int
    """damping iterations of a step"""
    start_time: float
    """s: displacement counts from here (end of settling)"""
    start_center: tuple[float, float, float]
    """m: centre of mass then, design coordinates"""
    center: tuple[float, float, float]
    """m: centre of mass at the end"""
    displacement: float
    """m, horizontal"""
    body_lengths_per_second: float
    """horizontal speed over the larger horizontal extent"""
    fitness: float
    """by the design's formula, with the bits of trial_fitness; NaN: no formula"""
    hash: int
    """of the state: equal to that of a world that took as many steps"""
    # end of members

class BatchFacts(NamedTuple):
    # members of vxe_batch_facts
    threads: int
    """number of threads"""
    precision: str
    """"mixed" or "double"; robots under another bond law than the native one run in double"""
    isa: str
    """instruction set, such as "x86-64-v4"."""
    bond_updates: float
    """so far"""
    robots_in_lanes: int
    """robots whose result has in_lanes"""
    # end of members

class Progress(NamedTuple):
    # members of vxe_batch_progress
    finished: int
    """robots that are at their ends"""
    robots: int
    """all robots"""
    bond_updates: float
    """so far"""
    bond_updates_expected: float
    """in all; robots that are not compiled yet count as the mean of the others"""
    # end of members

class TeamFacts(NamedTuple):
    # members of vxe_team_facts
    robots: int
    """number of robots"""
    groups: int
    """most groups of a robot"""
    parts: int
    """most parts of a robot"""
    voxels: int
    """most voxels of a robot"""
    width: int
    """of a row of observations"""
    threads: int
    """number of threads"""
    robots_in_lanes: int
    """robots that run side by side in lanes"""
    lanes: int
    """robots of a vector"""
    interval: float
    """s"""
    precision: str
    """"mixed" or "double"."""
    isa: str
    """instruction set, such as "x86-64-v4"."""
    # end of members

class TeamRobot(NamedTuple):
    # members of vxe_team_robot
    groups: int
    """number of groups"""
    parts: int
    """number of parts"""
    voxels: int
    """number of voxels"""
    steps: int
    """of a tick"""
    time_step: float
    """s"""
    damping: str
    """explicit or sweep [auto, explicit, sweep]"""
    in_lanes: bool
    """whether it runs side by side with others in lanes"""
    alone_because: str
    """why it does not run in lanes, or empty where it does"""
    # end of members

class SearchFacts(NamedTuple):
    # members of vxe_search_facts
    name: str
    """of the experiment"""
    generation: int
    """generations completed"""
    generations: int
    """generations planned"""
    evaluations: int
    """individuals evaluated in all generations"""
    runs: int
    """simulations, or answers of a program or library, since this search was created or resumed; equal bodies share one"""
    bond_updates: float
    """bond updates of these simulations"""
    learning_runs: float
    """cost of inner learning, in runs, beside these since then"""
    unable: int
    """bodies that could not learn, and were evaluated as they are"""
    share: float
    """part of the present generation that is done, 0 to 1"""
    best: int
    """id of the best individual; 0: none yet"""
    best_fitness: float
    """fitness of the best individual"""
    population: int
    """number of survivors"""
    failed: int
    """individuals of the last generation without a fitness"""
    asked: int
    """bodies that were asked for and wait for their fitness"""
    # end of members

class GradientFacts(NamedTuple):
    # members of vxe_gradient_facts
    growth: float
    """1/s: how fast the adjoints of velocities grew from the end to the start, a fit of their logarithm. Above some e-folds in a run, what a small change
    does is chaotic and the gradient of little worth: forget"""
    branch_changes: int
    """how often a voxel began or ceased to stick to the floor; where static friction is above the dynamic one the gradient misses those jumps. What voxels do
    against each other is not counted"""
    # end of members

class Design:
    name: str
    """the name of the design, which does not act"""
    voxel_size: float
    """a, m: the lattice's edge"""
    gravity: tuple[float, float, float]
    """m/s^2"""
    volume_effects: bool
    """whether Poisson's ratio couples the bonds of a voxel; else it acts on torsion only"""
    self_collision: bool
    """whether voxels that are not neighbours at rest push each other apart"""
    pair_distance: float
    """in edges of the lattice: formulas count two targets as a pair if they are closer; 0: none"""
    file_origin: tuple[float, float, float]
    """m: design coordinates minus this are coordinates of the file"""
    conventions: str
    """the rules of the simulator that the design was made for"""
    @property
    def voxels(self) -> int: ...
    @property
    def materials(self) -> tuple[Material, ...]: ...
    @property
    def floor(self) -> Floor: ...
    @property
    def fluid(self) -> Fluid: ...
    @property
    def magnetics(self) -> Magnetics: ...
    @property
    def actuation(self) -> Actuation: ...
    @property
    def stop(self) -> Stop: ...
    @property
    def time_step(self) -> TimeStep: ...
    @property
    def formulas(self) -> dict[str, str]: ...
    @property
    def fitness_unit(self) -> str: ...
    @property
    def hash(self) -> int: ...
    @property
    def notes(self) -> tuple[str, ...]: ...
    def __init__(self, voxel_size: float = ...) -> None: ...
    @classmethod
    def read(cls, path: Path, lenient: bool = False) -> Self: ...
    @classmethod
    def read_text(cls, text: str, name: str = "<text>") -> Self: ...
    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview, name: str, /) -> Self: ...
    def to_bytes(self, name: str, /) -> bytes: ...
    def text(self) -> str: ...
    def write(self, path: Path, /) -> None: ...
    def copy(self) -> Self: ...
    def check(self) -> None: ...
    def formula(self, **formulas: str | None) -> None: ...
    def add_material(self, material: Material, /) -> int: ...
    def add_voxel(self, x: int, y: int, z: int, material: int, /) -> None: ...
    def add_array(self, material: NDArray[np.int64], palette: Sequence[Material], origin: Sequence[int], layers: dict[str, Floats], /) -> None: ...
    def lattice_positions(self, out: NDArray[np.int32] | None, /) -> NDArray[np.int32]: ...
    def voxel_materials(self, out: NDArray[np.uint32] | None, /) -> NDArray[np.uint32]: ...
    def layer_names(self) -> tuple[str, ...]: ...
    def layer_values(self, name: str, /) -> Floats: ...
    def put_layer(self, name: str, values: Floats, width: int = 1, /) -> None: ...
    def add_region(self, low: Vector, high: Vector, fixed: str = "", force: Vector | None = None, moment: Vector | None = None, displacement: Vector | None = None,
                   rotation: Vector | None = None, table: Floats | None = None, shape: int = 0, radius: float = 0) -> None: ...
    def put_controller(self, sensors: tuple[str, ...], layers: tuple[int, ...], weights: NDArray[np.float32], interval: float, least: float, most: float, activation: str, /) -> None: ...
    def drop_controller(self) -> None: ...
    def controller_parts(self) -> tuple[tuple[str, ...], tuple[int, ...], NDArray[np.float32], float, float, float, str] | None: ...
    def add_schedule(self, group: int, table: Floats, /) -> None: ...
    def put_stiffening(self, table: Floats, /) -> None: ...
    def put_heights(self, heights: Floats, spacing: float, x: float, y: float, /) -> None: ...
    def set_velocity(self, voxel: int, linear: Vector | None = None, angular: Vector | None = None) -> None: ...
    def extrude(self, depth: int, /) -> None: ...
    def add(self, other: Design, at: tuple[int, int, int] = (0, 0, 0)) -> None: ...

class World:
    @property
    def time(self) -> float: ...
    @property
    def steps(self) -> int: ...
    @property
    def center(self) -> Floats: ...
    @property
    def velocity(self) -> Floats: ...
    @property
    def facts(self) -> WorldFacts: ...
    @property
    def groups(self) -> int: ...
    @property
    def max_strain(self) -> float: ...
    @property
    def hash(self) -> int: ...
    @property
    def closed(self) -> bool: ...
    def __init__(self, design: Design, /, **choices: Unpack[_WorldChoices]) -> None: ...
    def advance(self, steps: int = 1, *, until: float | None = None) -> None: ...
    def target(self, group: int, factor: float, /) -> None: ...
    def pull(self, voxel: int, place: Vector, *, stiffness: float | None = None, damping: float | None = None, max_force: float | None = None, hand: int = 0) -> None: ...
    def tune(self, *, gravity: Vector | None = None, amplitude: float | None = None, frequency: float | None = None, friction: float | None = None, drag: float | None = None) -> None: ...
    def let_go(self, hand: int = 0) -> None: ...
    def place(self, voxel: int, position: Vector | None = None, orientation: Vector | None = None, velocity: Vector | None = None, spin: Vector | None = None) -> None: ...
    def energy(self) -> Energy: ...
    def judge(self) -> None: ...
    def positions(self, out: Floats | None = None) -> Floats: ...
    def orientations(self, out: Floats | None = None) -> Floats: ...
    def velocities(self, out: Floats | None = None) -> Floats: ...
    def spins(self, out: Floats | None = None) -> Floats: ...
    def elastic_forces(self) -> tuple[Floats, Floats]: ...
    def settle(self, *, time: float | None = None, tolerance: float = 1e-12, linear: bool = False, steps: int = 1000) -> Settled: ...
    def reactions(self) -> tuple[Floats, Floats]: ...
    def modes(self, count: int, /) -> tuple[Floats, Floats]: ...
    @overload
    def sense(self, name: Sensor, /, *, out: NDArray[Any] | None = None) -> NDArray[Any]: ...
    @overload
    def sense(self, name: Sensor, other: Sensor, /, *names: Sensor, out: tuple[NDArray[Any], ...] | None = None) -> tuple[NDArray[Any], ...]: ...
    def hull_volume(self, which: Floats | None = None) -> float: ...
    def affine_poses(self) -> tuple[Floats, Floats]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

class Batch:
    @property
    def facts(self) -> BatchFacts: ...
    def __init__(self, **choices: Unpack[_BatchChoices]) -> None: ...
    def __len__(self) -> int: ...
    def add(self, design: Design, step: float = 1, shift: Vector = (0, 0, 0), turn: Vector = (0, 0, 0)) -> int: ...
    def run(self, progress: Callable[[Progress], bool | None] | None = None) -> None: ...
    def result(self, robot: int, /) -> RobotResult: ...
    def path(self, robot: int, /) -> Floats | None: ...
    def world(self, robot: int, /) -> World: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

class Team:
    @property
    def facts(self) -> TeamFacts: ...
    @property
    def obs(self) -> NDArray[np.float32]: ...
    @property
    def status(self) -> NDArray[np.uint8]: ...
    @property
    def closed(self) -> bool: ...
    def __new__(cls, designs: tuple[Design, ...], observe: tuple[str, ...], /, **choices: Unpack[_TeamChoices]) -> Self: ...
    def __len__(self) -> int: ...
    def put_networks(self, layers: tuple[int, ...], weights: NDArray[np.float32] | None, activation: str, /) -> None: ...
    def step(self, targets: NDArray[np.float32] | None, /) -> NDArray[np.float32]: ...
    def run(self, targets: NDArray[np.float32] | int, *, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]: ...
    def reset_robots(self, mask: NDArray[np.bool_] | None, shift: Floats | None, turn: Floats | None, push: Floats | None, /) -> NDArray[np.float32]: ...
    def save(self) -> bytes: ...
    def load(self, states: bytes | bytearray | memoryview, /) -> NDArray[np.float32]: ...
    def hash(self, robot: int, /) -> int: ...
    def message(self, robot: int, /) -> str: ...
    def robot(self, robot: int, /) -> TeamRobot: ...
    def design(self, robot: int, /) -> Design: ...
    def frame(self, robot: int, /) -> Frame: ...
    def hull_volumes(self, out: Floats | None, /) -> Floats: ...
    def sensor_widths(self) -> dict[str, int]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

class Search:
    @property
    def facts(self) -> SearchFacts: ...
    @property
    def fitness_unit(self) -> str: ...
    @property
    def closed(self) -> bool: ...
    def __new__(cls, experiment: Path | None, text: str | None, folder: Path, threads: int = 0, resume: bool = False) -> Self: ...
    def ask_bodies(self, kind: type[_Design], /) -> list[_Design]: ...
    def tell_numbers(self, fitness: Floats, /) -> None: ...
    def withdraw(self) -> None: ...
    def advance(self, progress: Callable[[SearchFacts], bool | None] | None = None) -> bool: ...
    def checkpoint(self) -> None: ...
    def extend(self, generations: int) -> None: ...
    def best_design(self, kind: type[_Design], /) -> _Design | None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

class Gradient:
    names: ClassVar[tuple[str, ...]]
    """what a gradient can be by"""
    @property
    def closed(self) -> bool: ...
    def __new__(cls, **choices: Unpack[_GradientChoices]) -> Self: ...
    def __len__(self) -> int: ...
    def add(self, design: Design, /) -> int: ...
    def put_numbers(self, robot: int, by: str, values: Floats, /) -> None: ...
    def put_policy(self, act: Callable[[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float32]], NDArray[np.float32]] | None,
                   back: Callable[[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float32], Floats], Floats | None] | None, /) -> None: ...
    def run_objective(self, objective: Callable[[int, Floats, Floats, Floats], tuple[float, Floats | None, Floats | None]], /) -> Floats: ...
    def value(self, robot: int, /) -> float: ...
    def by(self, robot: int, by: str, *, out: Floats | None = None) -> Floats: ...
    def facts(self, robot: int, /) -> GradientFacts: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

class Frame:
    @property
    def time(self) -> float: ...
    @property
    def step(self) -> int: ...
    @property
    def positions(self) -> Floats: ...
    @property
    def orientations(self) -> Floats: ...
    @property
    def edges(self) -> Floats: ...
    @property
    def strains(self) -> Floats: ...
    @property
    def stresses(self) -> Floats: ...
    @property
    def energies(self) -> Floats: ...
    @property
    def contacts(self) -> Floats: ...
    @property
    def places(self) -> Floats: ...
    @property
    def deformations(self) -> Floats: ...
    def __init__(self, world: World, /) -> None: ...

class Recorder:
    @property
    def frames(self) -> int: ...
    @property
    def closed(self) -> bool: ...
    def __init__(self, design: Design, path: Path) -> None: ...
    def add(self, what: World | Frame, /) -> None: ...
    def note(self, text: str, /) -> None: ...
    def close(self) -> None: ...
    def abandon(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...
