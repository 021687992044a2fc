# SPDX-License-Identifier: Apache-2.0
"""instruments: the tests that a mutant is run through: the patterns of tests/ptx, and the emulator.

Each returns who noticed the mutant, or None. What the tests say of the text without a change is known first: a test that
fails then is an error of the sweep, and a case that the emulator does not pass takes no part.
"""
import json
import os
import re
import resource
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

from units import SM, Failure, Unit

SEEDS = 4           # schedules that a mutant is checked with; odd ones let lanes meet early
CHECK_SECONDS = 60  # of a processor that one mutant takes at most in checked runs


class Run:
    """A command that has ended."""

    def __init__(self, command, environment=None, cpu_seconds=300, wall_seconds=900):
        with tempfile.TemporaryFile("w+") as output:
            process = subprocess.Popen(
                [str(word) for word in command], stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                stdin=subprocess.DEVNULL, env={**os.environ, **(environment or {})},
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_seconds), int(cpu_seconds) + 5)))
            self.late = False

            def end():
                self.late = True
                os.killpg(process.pid, 9)

            timer = threading.Timer(wall_seconds, end)
            timer.start()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = self.status = os.waitstatus_to_exitcode(status)
            self.seconds = usage.ru_utime + usage.ru_stime
            output.seek(0)
            self.output = output.read()


class Patterns:
    """The test of a family of tests/ptx, with changed PTX."""

    def __init__(self, unit: Unit):
        self.unit = unit
        command = unit.test["command"]
        at = next((i for i, word in enumerate(command) if word.endswith(f"/{unit.name.removeprefix('ptx.')}.sm_{SM}.ptx")), None)
        if at is None or not command[2].endswith(".check"):
            raise Failure(f"{unit.name}: its test is {command}, whose third word should be the folder of the check, and "
                          f"one word the PTX")
        self.at = at
        if noticed := self.run(unit.text()):
            raise Failure(f"{unit.name}: the test fails without a change:\n{noticed}")

    def run(self, text: str) -> str | None:
        with tempfile.TemporaryDirectory(dir=self.unit.tree.out) as folder:
            ptx = Path(folder) / f"{self.unit.name}.ptx"
            ptx.write_text(text)
            command = list(self.unit.test["command"])
            command[2], command[self.at] = str(Path(folder) / "check"), str(ptx)
            done = Run(command, self.unit.test["environment"])
        if done.status == 0 and not done.late:
            return None
        if "ptxas rejects" in done.output:
            raise Failure(f"{self.unit.name}: ptxas rejects the changed text:\n{done.output[-2000:]}")
        return f"{self.unit.name}: {_first_line(done.output, self.unit)}"


def _first_line(output: str, unit: Unit) -> str:
    lines = [line for line in output.splitlines() if line.startswith(f"{unit.name.removeprefix('ptx.')}.ptx.cu on")]
    return (lines or output.splitlines() or ["no output"])[0][:160]


class Case:
    """A test of a body on the device."""

    def __init__(self, name: str, seconds: float, lines: set[int]):
        self.name, self.seconds, self.lines = name, seconds, lines


class Emulator:
    """The device side of a body, with changed PTX."""

    def __init__(self, unit: Unit):
        self.unit = unit
        command = unit.test["command"]
        self.emulate = command[0]
        self.build = command[command.index("--build") + 1]
        self.program = command[command.index("--sm") + 2]
        self.cases: list[Case] = []
        self.unclean: list[str] = []
        cache = unit.tree.out / "cases" / f"{unit.name}.{unit.digest}.json"
        if cache.exists():
            known = json.loads(cache.read_text())
            self.unclean = known["unclean"]
            self.cases = [Case(one["name"], one["seconds"], set(one["lines"])) for one in known["cases"]]
            return
        self._measure()
        cache.parent.mkdir(exist_ok=True)
        cache.write_text(json.dumps({"unclean": self.unclean, "cases": [
            {"name": one.name, "seconds": one.seconds, "lines": sorted(one.lines)} for one in self.cases]}))

    def _run(self, ptx: Path, names: list[str], *options, environment=None, cpu_seconds=300.0) -> Run:
        suite = self.unit.name
        tests = ",".join(names)
        return Run([self.emulate, "--build", self.build, "--sm", SM, *options, self.program,
                    f"--run_test={suite}" + (f"/{tests}" if tests else ""), "--log_level=test_suite", "--color_output=no", "--",
                    "--side=device"],
                   {"CUDAX_EMULATOR_PTX": str(ptx), "CUDAX_TEST_SECONDS": "120", **(environment or {})},
                   cpu_seconds=cpu_seconds)

    def _measure(self):
        """The cases, how long each takes in a checked run, and the lines of PTX that each reaches."""
        with tempfile.TemporaryDirectory(dir=self.unit.tree.out) as folder:
            ptx = Path(folder) / f"{self.unit.name}.ptx"
            ptx.write_text(self.unit.text())
            plain = self._run(ptx, [])
            names = re.findall(r'Entering test case "(.*)"', plain.output)
            if plain.status or not names:
                raise Failure(f"{self.unit.name}: the emulator does not pass it without a change "
                              f"({plain.status}):\n{plain.output[-3000:]}")
            for name in names:
                reached = Path(folder) / "reached"
                done = self._run(ptx, [name], "--check", "--seed", "0", environment={"CUDAX_EMULATOR_REACHED": str(reached)})
                lines = {int(line) - 1 for line in reached.read_text().split()} if reached.exists() else set()
                reached.unlink(missing_ok=True)
                if done.status or f'Entering test case "{name}"' not in done.output:
                    self.unclean.append(name)
                elif lines:
                    self.cases.append(Case(name, done.seconds, lines))
        self.cases.sort(key=lambda one: one.seconds)

    def reaching(self, lines: set[int]) -> list[Case]:
        return [one for one in self.cases if one.lines & lines]

    def run(self, text: str, cases: list[Case], *options, budget: float) -> str | None:
        """The cases in one process."""
        with tempfile.TemporaryDirectory(dir=self.unit.tree.out) as folder:
            ptx, findings = Path(folder) / f"{self.unit.name}.ptx", Path(folder) / "findings"
            ptx.write_text(text)
            if "--check" in options:
                options = (*options, "--json", findings)
            done = self._run(ptx, [one.name for one in cases], *options, cpu_seconds=budget)
            kinds = [json.loads(line) for line in findings.read_text().splitlines()] if findings.exists() else []
        if done.status == 0 and not done.late:
            return None
        if any(words in done.output for words in ("is not in the PTX of", "the emulator does not know", "nothing was checked")):
            raise Failure(f"{self.unit.name}: the emulator rejects the changed text:\n{done.output[-2000:]}")
        what = kinds[0].get("kind", "a finding") if kinds else self._what(done)
        return f"{self.unit.name}: {what}"

    @staticmethod
    def _what(done: Run) -> str:
        if done.late or done.status in (-9, -24, 137, 152):
            return "does not end"
        errors = [line for line in done.output.splitlines() if ": error" in line or "fatal" in line]
        return re.sub(r"^.*?: ", "", errors[0])[:120] if errors else f"status {done.status}"


def batches(cases: list[Case], seconds: float) -> list[list[Case]]:
    """The cases in groups that take so long in all, the shortest ones first."""
    result: list[list[Case]] = []
    total = 0.0
    for one in cases:
        if not result or total + one.seconds > seconds:
            result.append([])
            total = 0.0
        result[-1].append(one)
        total += one.seconds
    return result


def check(emulators: list[Emulator], changed: dict[str, tuple[str, set[int]]], seeds: int, limit: float) -> dict:
    """Checked runs of the cases that reach a changed line: {"by": ..., "cases": ..., "seeds": ..., "seconds": ...}."""
    spent, runs, used = 0.0, 0, set()
    total = sum(len(one.reaching(changed[one.unit.name][1])) for one in emulators)
    for seed in range(seeds):
        for one in emulators:
            text, lines = changed[one.unit.name]
            for group in batches(one.reaching(lines), 3.0):
                expected = sum(case.seconds for case in group)
                if runs and spent + expected > limit:
                    return {"by": None, "cases": total, "runs": runs, "seeds": sorted(used), "cut": True}
                noticed = one.run(text, group, "--check", "--seed", seed, budget=30 + 10 * expected)
                runs, spent = runs + 1, spent + expected
                used.add(seed)
                if noticed:
                    return {"by": f"{noticed} (seed {seed})", "cases": total, "runs": runs, "seeds": sorted(used)}
    return {"by": None, "cases": total, "runs": runs, "seeds": sorted(used)}


def fast(emulators: list[Emulator], changed: dict[str, tuple[str, set[int]]]) -> str | None:
    for one in emulators:
        text, lines = changed[one.unit.name]
        cases = one.reaching(lines)
        if cases and (noticed := one.run(text, cases, budget=120)):
            return noticed
    return None


def has_tools(*tools: str) -> None:
    for tool in tools or ("llvm-dis-22", "llc-22"):
        if not shutil.which(tool):
            raise Failure(f"{tool} was not found; install Debian's package llvm-22")
