# SPDX-License-Identifier: Apache-2.0
"""units: the texts that the sweep changes, each with the test that reads it.

A unit is the PTX of a family of tests/ptx, or of a body of tests/std, for sm_90. tests/sweep/CMakeLists.txt makes the IR;
here it becomes PTX, without line information, and the place of each line.
"""
import hashlib
import json
import re
import subprocess
from pathlib import Path

import locations
import sites

SM = "90"


class Failure(Exception):
    """A sentence: where, what, what to do."""


def run(*command, **options) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode:
        raise Failure(f"{' '.join(str(word) for word in command)[:300]} failed ({done.returncode}):\n"
                      f"{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


class Tree:
    """The project and its build."""

    def __init__(self, root: Path, build: Path):
        self.root, self.build, self.out = root, build, build.parent / "sweep"
        self.out.mkdir(parents=True, exist_ok=True)
        if not (build / "build.ninja").exists():
            raise Failure(f"{build} has no build.ninja; configure it first: cmake --preset release")
        self.tests = None

    def is_library(self, file: str) -> str | None:
        for folder in ("modules/", "arch/"):
            prefix = f"{self.root}/{folder}"
            if file.startswith(prefix):
                return file.removeprefix(f"{self.root}/")
        return None

    def ctest(self) -> dict[str, dict]:
        """The tests of the build by name: command, environment."""
        if self.tests is None:
            listed = json.loads(run("ctest", "--test-dir", self.build, "--show-only=json-v1"))
            self.tests = {}
            for test in listed["tests"]:
                properties = {one["name"]: one["value"] for one in test.get("properties", [])}
                self.tests[test["name"]] = {"command": test.get("command", []),
                                            "environment": dict(line.split("=", 1)
                                                                for line in properties.get("ENVIRONMENT", []))}
        return self.tests

    def unit_names(self) -> list[str]:
        """All units: families and bodies with a test for sm_90."""
        names = []
        for name in self.ctest():
            if found := re.fullmatch(rf"(ptx\..+)\.sm_{SM}|emulated\.sm_{SM}\.(std\..+)", name):
                names.append(found[1] or found[2])
        return sorted(name for name in names if f"tests/sweep/{name}.bc" in self._ninja)

    @property
    def _ninja(self) -> str:
        if not hasattr(self, "_ninja_text"):
            self._ninja_text = (self.build / "build.ninja").read_text()
        return self._ninja_text


class Unit:
    def __init__(self, tree: Tree, name: str, library=None):
        self.tree, self.name = tree, name
        self.is_family = name.startswith("ptx.")
        self.test = tree.ctest()[f"{name}.sm_{SM}" if self.is_family else f"emulated.sm_{SM}.{name}"]
        bitcode = tree.build / "tests/sweep" / f"{name}.bc"
        if not bitcode.exists():
            raise Failure(f"{bitcode} does not exist; build it with: ninja -C {tree.build} tests/sweep/{name}.bc")
        cache = tree.out / "units" / f"{name}.{self._input(bitcode)}.json"
        if library is None and cache.exists():
            known = json.loads(cache.read_text())
            self.lines = known["lines"]
            self.found = [sites.Occurrence(*one[:4], sites.Site(*one[4]) if one[4] else None, one[5]) for one in known["found"]]
        else:
            self._read(bitcode, library or tree.is_library)
            if library is None:
                cache.parent.mkdir(exist_ok=True)
                cache.write_text(json.dumps({"lines": self.lines, "found": self.found}))
        self.digest = hashlib.sha256("\n".join(self.lines).encode()).hexdigest()[:16]

    def _input(self, bitcode: Path) -> str:
        """What the text follows from: the IR, the program for its names, and the code that reads them."""
        digest = hashlib.sha256(bitcode.read_bytes())
        if not self.is_family:
            digest.update(self._program().read_bytes())
        for file in ("locations.py", "instructions.py", "sites.py", "units.py"):
            digest.update((Path(__file__).parent / file).read_bytes())
        return digest.hexdigest()[:16]

    def _program(self) -> Path:
        return Path(self.test["command"][self.test["command"].index("--sm") + 2])

    def _read(self, bitcode: Path, is_library):
        ir, places = locations.number_places(run("llvm-dis-22", bitcode, "-o", "-"))
        features = re.search(r'"target-features"="([^"]*)"', ir)
        ptx = run("llc-22", "-O3", f"-mcpu=sm_{SM}", *([f"-mattr={features[1]}"] if features else []), "-o", "-", "-",
                  input=ir)
        self.lines, numbers = locations.split_places(ptx)
        self.found = sites.occurrences(self.lines, numbers, places, is_library, f"merged/{self.name}")
        if not self.is_family:
            self._rename()

    def _rename(self):
        """Gives kernels without linkage the names that they have in the program: their last part is a number that clang
        derives from the compilation, options included."""
        mine = set(re.findall(r"([\w$]+?)(__(?:intern|static)__[0-9a-f]+)", "\n".join(
            line for line in self.lines if ".entry" in line or line.lstrip().startswith((".visible", ".weak", ".global")))))
        suffixes = {suffix.rpartition("_")[2] for _, suffix in mine}
        if not suffixes:
            return
        if len(suffixes) > 1:
            raise Failure(f"{self.name}: kernels of {len(suffixes)} files; a body is one file")
        # The host registers each kernel by name.
        program = self._program()
        theirs: dict[str, set[str]] = {}
        for text in re.findall(rb"[\w$]{8,}__(?:intern|static)__[0-9a-f]+\0", program.read_bytes()):
            name, _, number = text.rstrip(b"\0").decode().rpartition("_")
            theirs.setdefault(number, set()).add(name)
        wanted = {name + suffix.rpartition("_")[0] for name, suffix in mine if self._is_kernel(name)}
        fits = [number for number, names in theirs.items() if wanted and wanted <= names]
        exact = [number for number in fits if theirs[number] == wanted]  # names are lines, which another file may have, too
        fits = exact if len(exact) == 1 else fits
        if len(fits) != 1:
            raise Failure(f"{self.name}: {len(fits)} files of {program} have its {len(wanted)} kernels; build both again")
        old, new = suffixes.pop(), fits[0]
        self.lines = [line.replace(old, new) for line in self.lines]

    def _is_kernel(self, name: str) -> bool:
        return any(name in line and ".entry" in line for line in self.lines)

    def text(self, mutant: sites.Mutant | None = None, changes=()) -> str:
        lines = sites.apply(self.lines, list(changes), mutant.notch) if mutant else self.lines
        return "\n".join(lines) + "\n"
