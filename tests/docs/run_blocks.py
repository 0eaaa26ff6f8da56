#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run_blocks.py VOXELASTIC SOURCE BUILD [PAGE...]: runs the code blocks of README.md and docs/*.md as CONTRIBUTING.md says, in their order, each page in a fresh
folder that holds links to the clone's assets and tests and to the build. Of running.md and results.md it also compares the tables with what the program has:
every option of --help, every column and key of its files. PAGE: names such as getting-started; all pages where none is given. Prints a line per page, and exits
with 1 where a block fails."""
import csv, json, os, re, signal, subprocess, sys, tempfile, time
from pathlib import Path

sys.dont_write_bytecode = True  # the sources stay as they are
from check_docs import read_page  # noqa: E402

LIMIT = 300  # s for one block
SLOW = 10  # s: is told
TAIL = 20  # lines of output that a failure shows
SCENE_KEYS = ("affine_bodies", "grid_width", "voxelSize", "voxels_ijk_mat")


class Failure(Exception):
    """What went wrong: line in the page, the command, its output."""

    def __init__(self, line, command, output):
        super().__init__(command)
        self.line, self.command, self.output = line, command, output


class Runner:
    def __init__(self, program, source, build):
        self.program, self.source, self.build = program, source, build
        self.environment = dict(os.environ, PATH=f"{program.parent}{os.pathsep}{os.environ['PATH']}", PYTHONDONTWRITEBYTECODE="1")

    def prepare(self, folder):
        (folder / "build").mkdir()
        (folder / "assets").symlink_to(self.source / "assets")
        (folder / "tests").symlink_to(self.source / "tests")
        (folder / "build" / "release").symlink_to(self.build)

    def call(self, words, folder, line, what=None, **extra):
        """Runs a command and returns its output; Failure where it fails."""
        done = subprocess.Popen(words, cwd=folder, env=dict(self.environment, **extra), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, errors="replace", start_new_session=True)
        try:
            output = done.communicate(timeout=LIMIT)[0]
        except subprocess.TimeoutExpired:
            os.killpg(done.pid, signal.SIGKILL)
            raise Failure(line, what or " ".join(map(str, words)), done.communicate()[0] + f"\n(killed after {LIMIT} s)")
        if done.returncode:
            raise Failure(line, what or " ".join(map(str, words)), f"{output}\n(exit status {done.returncode})")
        return output

    def run_sh(self, block, folder, hidden):
        report = hidden / "failed"
        report.write_text("")
        trap = f"trap 'printf \"%s %s\" \"$LINENO\" \"$BASH_COMMAND\" >\"$DOCS_FAILED\"' ERR\n"
        script = hidden / "block.sh"
        script.write_text(trap + block.text)
        try:
            self.call(["bash", "-eE", script], folder, block.line, DOCS_FAILED=str(report))
        except Failure as failure:
            at, _, command = report.read_text().partition(" ")
            if at.isdigit():
                failure.line, failure.command = block.line + int(at) - 1, command  # the trap is the script's first line
            raise

    def run_c(self, block, folder, hidden):
        library = next(iter(sorted(self.build.rglob("libvoxelastic.so*"))), None)
        if not library:
            raise Failure(block.line, "find libvoxelastic.so", f"no shared library in {self.build}")
        (hidden / "block.c").write_text(block.text)
        compiler = os.environ.get("CC", "cc").split()
        self.call([*compiler, "-std=c17", "-Wall", "-Wextra", "-Werror", "-I", self.source, "-I", self.build / "include", hidden / "block.c", "-o", hidden / "block",
                   "-L", library.parent, "-lvoxelastic", "-lm"], folder, block.line, "compiling the C block")
        self.call([hidden / "block"], folder, block.line, "running the C block", LD_LIBRARY_PATH=str(library.parent))

    def run_json(self, block, folder, hidden):
        try:
            value = json.loads(block.text)
        except ValueError as error:
            raise Failure(block.line, "parsing the JSON block", str(error))
        keys = value if isinstance(value, dict) else {}
        file = hidden / block.marks.get("file", "block.json")
        file.write_text(block.text)
        if "world" in keys:
            self.begin_search(block, file, hidden / f"search-{block.line}")
        elif ("voxels" in keys and "materials" in keys) or any(key in keys for key in SCENE_KEYS):
            self.call([self.program, "check", file], folder, block.line, "voxelastic check")

    def begin_search(self, block, file, out):
        """Whether an experiment is accepted: its folder appears, or the search is over. It is stopped then."""
        search = subprocess.Popen([self.program, "evolve", file, "--out", out, "--quiet"], env=self.environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        end = time.monotonic() + LIMIT
        while search.poll() is None and not out.exists() and time.monotonic() < end:
            time.sleep(0.01)
        search.terminate()
        output = search.communicate()[0]
        if not out.exists():
            raise Failure(block.line, "voxelastic evolve", output)

    def run_python(self, block, folder, hidden):
        """With the package of the build, by the Python that it was built for; without one, blocks that import it are left out, and without matplotlib those that draw."""
        package, python = self.build / "python", sys.executable
        if re.search(r"^(import|from) voxelastic\b", block.text, re.M):
            if not (package / "voxelastic/_core.abi3.so").exists():
                print(f"line {block.line}: skipped: this build has no Python package")
                return
            python = re.search(r"^_Python_EXECUTABLE:\w+=(.*)$", (self.build / "CMakeCache.txt").read_text(), re.M).group(1)
        if re.search(r"^(import|from) matplotlib\b|\bvx\.plot\b", block.text, re.M) and subprocess.run([python, "-c", "import matplotlib"], stderr=subprocess.DEVNULL).returncode:
            print(f"line {block.line}: skipped: there is no matplotlib")
            return
        (hidden / "block.py").write_text(block.text)
        self.call([python, hidden / "block.py"], folder, block.line, "running the Python block", PYTHONPATH=str(package))

    def run_block(self, block, folder, hidden):
        if "file" in block.marks:
            (folder / block.marks["file"]).write_text(block.text)
        if block.runs:
            getattr(self, f"run_{block.kind}")(block, folder, hidden)

    def run_page(self, path):
        """Runs a page; whether all went well."""
        page = read_page(path)
        name = path.relative_to(self.source)
        started, ran = time.monotonic(), 0
        commands = [block for block in page.blocks if block.kind == "sh"][:2] if name.name == "README.md" else []
        with tempfile.TemporaryDirectory(prefix="voxelastic-docs-") as folder, tempfile.TemporaryDirectory() as hidden:
            self.prepare(Path(folder))
            for block in page.blocks:
                if block in commands:
                    print(f"{name}:{block.line}: skipped: it installs, builds or tests Voxelastic itself, which continuous integration does")
                    continue
                before = time.monotonic()
                try:
                    self.run_block(block, Path(folder), Path(hidden))
                except Failure as failure:
                    last = "\n".join(failure.output.strip().splitlines()[-TAIL:])
                    print(f"{name}:{failure.line}: FAILED: {failure.command}\n{last}")
                    return False
                ran += block.runs
                if time.monotonic() - before > SLOW:
                    print(f"{name}:{block.line}: slow: {time.monotonic() - before:.0f} s")
            problems = REFERENCES.get(path.name, lambda *_: [])(self, page, Path(hidden))
        for problem in problems:
            print(f"{name}: FAILED: {problem}")
        print(f"{name}: {ran} blocks, {time.monotonic() - started:.1f} s")
        return not problems


def first_cells(page):
    """{heading: the names in `code` that the first cells of the tables below it hold}."""
    cells, heading = {}, ""
    for _, line in page.prose:
        if line.startswith("#"):
            heading = line.strip("# ")
        elif line.startswith("|"):
            cells.setdefault(heading, set()).update(re.findall(r"`([^`]+)`", line.split("|")[1]))
    return cells


def differences(what, told, there):
    """Complaints about what a page does not tell, and what it tells beside that."""
    return [f"{what}: {name} is missing" for name in sorted(there - told)] + [f"{what}: there is no {name}" for name in sorted(told - there)]


def compare_options(runner, page, hidden):
    """The tables of running.md against --help."""
    def options_of(texts):
        return {option for text in texts for option in re.findall(r"(?<![\w-])--[a-z-]+", text)}

    cells, problems = first_cells(page), []
    shared = options_of(cells["Options of a simulation"])
    for command in ("run", "batch", "view", "info", "check", "convert", "surrogate"):
        text = runner.call([runner.program, command, "--help"], hidden, 1)
        there = options_of(line for line in text.splitlines() if re.match(r"  (-\w, )?--[a-z]", line))
        told = options_of(cells.get(command, ())) | (shared if command in ("run", "batch", "info") else set())
        problems += differences(f"options of {command}", told - {"--output"}, there - {"--output"})
    return problems


EXPERIMENT = {"format": "voxelastic experiment", "version": 1, "size": [2, 2, 2], "world": {"materials": [{"thermal_expansion_per_K": 0.01}]},
              "task": {"name": "walk", "duration_s": 0.1, "settle_time_s": 0}, "algorithm": {"population": 2, "generations": 1}}
SCENE = {"materials": [{}], "voxels": [[0, 0, 0, 0], [1, 0, 0, 0]], "fitness": "x"}


def header(path):
    """The names of a table's columns. Of a fitness they end with its unit, which is m here."""
    with open(path, newline="") as table:
        return {re.sub(r"^((?:best_|median_)?(?:fitness|low|high)|best_at_half_step)_m$", r"\1", name) for name in next(csv.reader(table))}


def collect_keys(runner, folder):
    """{heading of results.md: the names that the program's files have}."""
    def run(*words):
        return runner.call([runner.program, *words], folder, 1)

    assets = runner.source / "assets"
    (folder / "scene.json").write_text(json.dumps(SCENE))
    (folder / "experiment.json").write_text(json.dumps(EXPERIMENT))
    results = []
    for design, *more in ((folder / "scene.json", "--ledger"), (assets / "bouncing_spheres.json",), (assets / "affine_crawler.json",)):
        run("run", design, "--steps", "2", "--trace", "trace.csv", "--result", "result.json", *more)
        results.append(json.loads((folder / "result.json").read_text()))
    for what in ("bodies", "voxels"):
        run("run", "scene.json", "--steps", "2", "--trace", f"{what}.csv", "--trace-of", what)
    run("batch", "scene.json", "--steps", "2", "-o", "rows.csv")
    run("batch", "scene.json", "--steps", "2", "-o", "rows.json")
    run("evolve", "experiment.json", "--out", "search", "--quiet")
    run("analyze", "search", "-o", "curves.csv")
    run("compare", "scene.json", "--steps", "2", "--copies", "1", "--quiet", "-o", "compare.csv")
    run("statics", assets / "cantilever.vxa", "--modes", "1", "--quiet", "--result", "statics.json")
    rows = json.loads((folder / "rows.json").read_text())
    spheres, crawler = results[1:]
    return {"Trace": set().union(*(header(folder / f"{name}.csv") for name in ("trace", "bodies", "voxels"))), "Result": set().union(*results), "Bodies": set(spheres["bodies"][0]),
            "Affine bodies and observations": set(crawler["affine_bodies"][0]), "Energy": set(results[0]["energy_J"]), "Contacts": set(spheres["contacts"]),
            "Batch rows": header(folder / "rows.csv") | set(rows["robots"][0]) | set(rows["summary"]), "individuals.csv": header(folder / "search/individuals.csv"),
            "generations.csv": header(folder / "search/generations.csv"), "Curves": header(folder / "curves.csv"),
            "Statics": set(json.loads((folder / "statics.json").read_text())), "Comparison": header(folder / "compare.csv"),
            "Info as JSON": set(json.loads(run("info", "scene.json", "--json")))}


def compare_keys(runner, page, hidden):
    """The tables of results.md against files that the program has written."""
    folder = hidden / "keys"
    folder.mkdir()
    cells, problems = first_cells(page), []
    for heading, there in collect_keys(runner, folder).items():
        told = cells.get(heading, set()) - {"energy_J" if heading == "Energy" else "", "summary" if heading == "Batch rows" else ""}
        problems += differences(heading, told, there)
    return problems


REFERENCES = {"running.md": compare_options, "results.md": compare_keys}


def main(words):
    if len(words) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    runner = Runner(*(Path(word).resolve() for word in words[:3]))
    pages = [runner.source / "README.md", *sorted((runner.source / "docs").glob("*.md"))]
    if words[3:]:
        wanted = {Path(word).name.removesuffix(".md") for word in words[3:]}
        unknown = wanted - {page.stem for page in pages}
        if unknown:
            print(f"no such page: {', '.join(sorted(unknown))}", file=sys.stderr)
            return 2
        pages = [page for page in pages if page.stem in wanted]
    failed = [page for page in pages if not runner.run_page(page)]
    print(f"{len(pages) - len(failed)} of {len(pages)} pages run")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
