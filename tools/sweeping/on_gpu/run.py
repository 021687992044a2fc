# SPDX-License-Identifier: Apache-2.0
"""run.py [--seconds N] [--jobs N] [--times N]: runs the mutants of a package of `tools/sweep --package` on this machine's GPU.

ptxas makes machine code of each changed text. A mutant whose machine code is that of the text without a change cannot be
noticed by any GPU of this kind. The others run through the cases that reach a changed line. Prints a line of JSON for each
mutant, and the sums. Needs ptxas and fatbinary of the toolkit, and nothing else of the project.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def tool(name: str) -> str:
    for folder in (os.environ.get("CUDA_PATH"), "/usr/local/cuda"):
        if folder and (path := Path(folder) / "bin" / name).exists():
            return str(path)
    return name


def run(*command, **options) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"run.py: {' '.join(str(word) for word in command)} failed ({done.returncode}):\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def code_of(cubin: bytes) -> str:
    """A digest of the sections of machine code of an ELF file: their names and bytes."""
    offset, = struct.unpack_from("<Q", cubin, 40)
    size, count, names_at = struct.unpack_from("<HHH", cubin, 58)
    sections = [struct.unpack_from("<IIQQQQ", cubin, offset + i * size) for i in range(count)]
    names = sections[names_at][4]
    digest = hashlib.sha256()
    for name, _, _, _, at, length in sorted(sections):
        label = cubin[names + name:cubin.index(b"\0", names + name)]
        if label.startswith(b".text."):
            digest.update(label + b"\0" + cubin[at:at + length])
    return digest.hexdigest()


class Unit:
    """A body: its text, the program that runs it, its cases."""

    def __init__(self, name: str, known: dict, folder: Path):
        self.name, self.folder, self.program = name, folder, known["program"]
        self.text = (HERE / f"{name}.ptx").read_text().split("\n")

    def build(self, label: str, changes: list) -> tuple[Path, str]:
        """The fat binary of the text with changed lines, and the digest of its machine code."""
        lines = list(self.text)
        for number, line in changes:
            lines[number] = line
        stem = self.folder / f"{self.name}.{label}"
        ptx, cubin, fatbin = (stem.with_name(f"{stem.name}{suffix}") for suffix in (".ptx", ".cubin", ".fatbin"))
        ptx.write_text("\n".join(lines))
        run(tool("ptxas"), "-arch=sm_90", ptx, "-o", cubin)
        run(tool("fatbinary"), "-64", f"--create={fatbin}", f"--image3=kind=elf,sm=90,file={cubin}")
        digest = code_of(cubin.read_bytes())
        ptx.unlink()
        cubin.unlink()
        return fatbin, digest

    def fails(self, image: Path, cases: list[str], times: int) -> str | None:
        """What a run of the cases says, if it fails in one of so many runs."""
        environment = {**os.environ, "LD_LIBRARY_PATH": str(HERE), "LD_PRELOAD": str(HERE / "image.so"),
                       "CUDAX_SWEEP_IMAGE": str(image), "CUDAX_TEST_SECONDS": "10"}
        command = [str(HERE / self.program), f"--run_test={self.name}" + (f"/{','.join(cases)}" if cases else ""),
                   "--color_output=no", "--", "--side=device"]
        for _ in range(times):
            try:
                done = subprocess.run(["timeout", "-k", "2", "60", *command], env=environment, capture_output=True, text=True)
            except OSError as error:
                sys.exit(f"run.py: {command[0]}: {error}")
            if done.returncode == 97:
                sys.exit(f"run.py: {done.stderr.strip()}")
            if done.returncode:
                lines = [line for line in (done.stdout + done.stderr).splitlines() if "error" in line or "fatal" in line]
                return "does not end" if done.returncode == 124 else re.sub(r"^.*?: ", "", (lines or [f"status {done.returncode}"])[0])[:140]
        return None


def main():
    parser = argparse.ArgumentParser(prog="run.py")
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--times", type=int, default=3)
    arguments = parser.parse_args()
    package = json.loads((HERE / "package.json").read_text())
    deadline = time.monotonic() + arguments.seconds
    lock = threading.Lock()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as compiling, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as running:
        units = {name: Unit(name, known, Path(folder)) for name, known in package["units"].items()}
        plain = dict(zip(units, compiling.map(lambda unit: unit.build("plain", []), units.values())))

        def passes(name: str) -> str | None:
            return units[name].fails(plain[name][0], package["units"][name]["cases"], 1)

        broken = {name: what for name, what in zip(units, running.map(passes, units)) if what}
        for name, what in broken.items():
            print(f"run.py: {name} takes no part: without a change: {what}", file=sys.stderr)

        def try_one(one: dict) -> dict:
            result = {"mutant": one["mutant"], "by": None, "runs": 0}
            late = time.monotonic() > deadline
            here = {} if late else {name: each for name, each in one["units"].items() if name not in broken}
            made = dict(zip(here, compiling.map(lambda name: units[name].build(one["number"], here[name]["changes"]), here)))
            differ = [name for name in here if made[name][1] != plain[name][1]]
            result["verdict"] = "survives" if differ else "same machine code" if here else "not run"
            for name in differ:
                if time.monotonic() > deadline:
                    result["verdict"] = result["verdict"] if result["runs"] else "not run"
                    break
                result["runs"] += 1
                if what := units[name].fails(made[name][0], here[name]["cases"], arguments.times):
                    result["verdict"], result["by"] = "noticed", f"{name}: {what}"
                    break
            for image, _ in made.values():
                image.unlink()
            with lock:
                print(json.dumps(result), flush=True)
            return result

        results = list(running.map(try_one, package["mutants"]))
    for verdict in ("noticed", "survives", "same machine code", "not run"):
        print(f"{verdict}: {sum(one['verdict'] == verdict for one in results)}")


if __name__ == "__main__":
    main()
