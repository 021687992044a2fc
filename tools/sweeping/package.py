# SPDX-License-Identifier: Apache-2.0
"""package: writes what a machine with a GPU needs to run the mutants: on_gpu/run.py runs them there.

A folder with the PTX of the bodies, the lines that each mutant changes, the cases that reach them, the programs, the shared
CUDA runtime, and image.so, which replaces a program's device code.
"""
import json
import re
import shutil
from pathlib import Path

from units import Failure, run

ON_GPU = Path(__file__).parent / "on_gpu"


def write(folder: Path, mutants: dict, units: dict, emulator_of) -> str:
    """`mutants` has the occurrences of each mutant in each unit. `emulator_of(name)` knows the cases of a body."""
    if folder.exists() and any(folder.iterdir()):
        raise Failure(f"--package is '{folder}', which is not empty; name a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {name for found in mutants.values() for name in found if not units[name].is_family}
    emulators = {name: emulator_of(name) for name in sorted(wanted)}
    listed = []
    for number, (mutant, found) in enumerate(sorted(mutants.items(), key=lambda one: str(one[0]))):
        here = {}
        for name in found:
            if units[name].is_family:
                continue
            before, after = units[name].lines, units[name].text(mutant, found[name]).split("\n")
            changes = [(i, after[i]) for i in range(len(before)) if before[i] != after[i]]
            if cases := emulators[name].reaching({i for i, _ in changes}):
                here[name] = {"changes": changes, "cases": [one.name for one in cases]}
        listed.append({"number": str(number), "mutant": str(mutant), "units": here})
    programs = {emulator.program for emulator in emulators.values()}
    for name, emulator in emulators.items():
        (folder / f"{name}.ptx").write_text(units[name].text().removesuffix("\n"))
    (folder / "package.json").write_text(json.dumps({
        "units": {name: {"program": Path(emulator.program).name, "cases": [one.name for one in emulator.cases]}
                  for name, emulator in emulators.items()},
        "mutants": listed}))
    for program in programs:
        shutil.copy(program, folder)
        _copy_runtime(program, folder)
    shutil.copy(ON_GPU / "run.py", folder)
    run(_compiler(next(iter(units.values())).tree.build), "-std=c++20", "-O1", "-fPIC", "-shared", ON_GPU / "image.cpp", "-o", folder / "image.so")
    return f"{folder}: {len(listed)} mutants, {len(emulators)} bodies, {len(programs)} programs; run run.py there"


def _compiler(build: Path) -> str:
    return re.search(r"^CMAKE_CXX_COMPILER:\w+=(.+)$", (build / "CMakeCache.txt").read_text(), re.M)[1]


def _copy_runtime(program, folder: Path):
    """The shared libraries of the program that a machine with a driver may lack: CUDA's runtime and Boost.Test."""
    for library in re.findall(r"=> (/\S*lib(?:cudart|boost)\S*)", run("ldd", program)):
        shutil.copy(library, folder)
