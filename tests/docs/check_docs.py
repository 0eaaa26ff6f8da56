#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_docs.py: static check of the documentation, without a build. Links and anchors of README.md, CONTRIBUTING.md, docs/ and the folders' README.md lead
somewhere; code blocks are of a kind that run_blocks.py runs, or say above them why they are not; README.md stays short, and its first two commands are one line
each. Prints FILE:LINE: MESSAGE and exits with 1 where something is wrong, else prints `docs: ok`."""
import os, re, sys, unicodedata
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAX_WORDS = 1200  # of README.md, less one
GENERATED = ("api/", "gallery/")  # below docs/ on the site: the C reference, the gallery
RUN_KINDS = {"sh", "json", "python", "text"}
SKIPPED_FOLDERS = {"build", "node_modules"}


@dataclass
class Block:
    """A fenced code block. line: of its fence, from 1; marks: comments directly above it, {"not run": reason, "file": name}."""

    kind: str
    line: int
    indented: bool
    marks: dict
    lines: list = field(default_factory=list)

    @property
    def text(self):
        return "".join(line + "\n" for line in self.lines)

    @property
    def runs(self):
        if "not run" in self.marks:
            return False
        return self.kind in RUN_KINDS - {"text"} or (self.kind == "c" and "int main" in self.text)


@dataclass
class Page:
    """A Markdown file: its blocks, and its other lines as (number, text)."""

    path: Path
    blocks: list
    prose: list
    unclosed: int  # line of a fence without an end, or 0


def read_page(path):
    blocks, prose, above, block, fence = [], [], {}, None, ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        bare = line.strip()
        if block:
            if bare.startswith(fence) and not bare.strip(fence[0]):
                blocks.append(block)
                block = None
            else:
                block.lines.append(line)
            continue
        opening = re.match(r"(\s*)(```+|~~~+)\s*([\w+-]*)", line)
        mark = re.fullmatch(r"<!--\s*(not run|file):\s*(.*?)\s*-->", bare)
        if opening:
            fence = opening.group(2)
            block = Block(opening.group(3), number, bool(opening.group(1)), above)
        else:
            prose.append((number, line))
        above = dict(above, **{mark.group(1): mark.group(2)}) if mark else {}
    return Page(path, blocks, prose, block.line if block else 0)


def plain(text):
    """A heading without its markup."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"<[^>]+>|[`*]", "", text).strip()


def site_anchor(heading):
    """As Python-Markdown, which makes the site, names a heading."""
    text = unicodedata.normalize("NFKD", plain(heading)).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower())


def hub_anchor(heading):
    """As code hosts do."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", plain(heading).lower()))


def anchors(page):
    on_site = is_on_site(page.path)
    found, seen = set(), {}
    for _, line in page.prose:
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if heading:
            name = site_anchor(heading.group(1)) if on_site else hub_anchor(heading.group(1))
            count = seen[name] = seen.get(name, -1) + 1
            found.add(f"{name}{'_' if on_site else '-'}{count}" if count else name)
        found.update(re.findall(r"<a\s+(?:id|name)=\"([^\"]+)\"", line))
    return found


def links(page):
    """(line, target) of each link and picture outside code."""
    for number, line in page.prose:
        line = re.sub(r"<!--.*?-->", "", re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", lambda code: "x" * len(code.group()), line))
        yield from ((number, target) for target in re.findall(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)", line))
        yield from ((number, target) for target in re.findall(r"^\s*\[[^\]]+\]:\s+(\S+)", line))
        yield from ((number, target) for target in re.findall(r"(?:href|src)=\"([^\"]+)\"", line))


def is_on_site(path):
    return (ROOT / "docs") in path.parents


class Checker:
    def __init__(self):
        self.problems = []
        self.pages = {path: read_page(path) for path in self.find_pages()}
        self.known_anchors = {}

    @staticmethod
    def find_pages():
        """In the order in which people read them."""
        pages = [path for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md") if path.exists()]
        for folder, folders, files in os.walk(ROOT):
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED_FOLDERS)
            inside = (ROOT / "docs") == Path(folder) or is_on_site(Path(folder))
            pages += [Path(folder) / name for name in sorted(files) if name.endswith(".md") and (inside or name == "README.md") and Path(folder) != ROOT]
        return pages

    def complain(self, path, line, message):
        self.problems.append(f"{path.relative_to(ROOT)}:{line}: {message}")

    def anchors_of(self, path):
        if path not in self.known_anchors:
            self.known_anchors[path] = anchors(self.pages.get(path) or read_page(path))
        return self.known_anchors[path]

    def check_link(self, page, line, target):
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            return  # other sites are not asked
        name, _, anchor = target.partition("#")
        on_site = is_on_site(page.path)
        if on_site and name.startswith(GENERATED):
            return
        goal = Path(os.path.normpath(page.path.parent / name)) if name else page.path
        if name.startswith("/"):
            self.complain(page.path, line, f"link to {target}: a path from the root of the disk")
        elif not goal.exists():
            self.complain(page.path, line, f"link to {target}: no such file")
        elif on_site and goal != page.path and not is_on_site(goal):
            self.complain(page.path, line, f"link to {target}: leads out of docs/, where the site ends; name the file as `code` instead")
        elif anchor and goal.suffix == ".md" and anchor not in self.anchors_of(goal):
            self.complain(page.path, line, f"link to {target}: no such heading")

    def check_paths(self, page):
        """A path of the tree in `code` exists; NAME in it stands for one to come."""
        for number, line in page.prose:
            for path in re.findall(r"`((?:common|materials|lattice|engine|output|evolution|cli|bench|tests|cmake|docs|assets)/[\w./-]+)`", line):
                if "NAME" not in path and not (ROOT / path.rstrip("/.")).exists():
                    self.complain(page.path, number, f"`{path}`: no such file or folder")

    def check_blocks(self, page):
        is_run = page.path.name == "README.md" or is_on_site(page.path)  # CONTRIBUTING.md is only read
        for block in page.blocks:
            if "not run" in block.marks and not block.marks["not run"]:
                self.complain(page.path, block.line, "not run: without a reason")
            if block.indented and is_on_site(page.path):
                self.complain(page.path, block.line, "an indented code block, which the site does not show as one")
            if block.kind == "text" or "not run" in block.marks or (is_run and (block.runs or "file" in block.marks)):
                continue
            what = f"a block of {block.kind or 'no kind'}" + (" without a main" if block.kind == "c" else "")
            self.complain(page.path, block.line, f"{what} is not run by a test: put <!-- not run: REASON --> above it, or make it ```text if it is output")

    def check_readme(self, page):
        words = len(page.path.read_text(encoding="utf-8").split())
        if words >= MAX_WORDS:
            self.complain(page.path, 1, f"{words} words; fewer than {MAX_WORDS} are wanted")
        commands = [block for block in page.blocks if block.kind == "sh"][:2]
        if len(commands) < 2:
            self.complain(page.path, 1, "its first two sh blocks, the build and the tests, are missing")
        for block in commands:
            if len(block.lines) != 1 or block.lines[0].rstrip().endswith("\\"):
                self.complain(page.path, block.line, "the first two sh blocks are one line each")

    def check_navigation(self):
        """Every page is in the site's navigation."""
        config = ROOT / "mkdocs.yml"
        listed = set(re.findall(r"([\w./-]+\.md)\s*$", config.read_text(encoding="utf-8"), re.M)) if config.exists() else set()
        for path in self.pages:
            if config.exists() and is_on_site(path) and path.relative_to(ROOT / "docs").as_posix() not in listed:
                self.complain(path, 1, "is not in the navigation of mkdocs.yml")

    def run(self):
        for path, page in self.pages.items():
            if page.unclosed:
                self.complain(path, page.unclosed, "a code block without an end")
            for line, target in links(page):
                self.check_link(page, line, target)
            self.check_paths(page)
            if path.parent == ROOT or is_on_site(path):
                self.check_blocks(page)
        if ROOT / "README.md" in self.pages:
            self.check_readme(self.pages[ROOT / "README.md"])
        self.check_navigation()
        return self.problems


if __name__ == "__main__":
    found = Checker().run()
    print("\n".join(found) if found else "docs: ok")
    sys.exit(1 if found else 0)
