# SPDX-License-Identifier: Apache-2.0
"""host_sweep: tries the orders of the host's atomic operations one notch weaker; tools/sweep --host calls it.

    host_sweep.py ROOT BUILD [options]; see tools/sweep --help

Results are lines of JSON in build/sweep/host/results.jsonl, valid as long as the programs are the same.
"""
import argparse
import datetime
import json
import os
import re
import sys
import threading
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import host_programs
import host_sites
import instruments
from progress import say, try_all
from units import Failure, run

SECONDS = 20  # of a processor, for one mutant in one program


def is_library(root: Path):
    def inside(file: str) -> str | None:
        at = os.path.relpath(os.path.normpath(file), root) if file.startswith(f"{root}/") else ""
        return at if at.startswith(("modules/", "runtime/")) else None
    return inside


class Sweep:
    def __init__(self, arguments):
        self.arguments = arguments
        out = arguments.build.parent / "sweep" / "host"
        out.mkdir(parents=True, exist_ok=True)
        self.results, self.lock = out / "results.jsonl", threading.Lock()
        self.known = {}
        if self.results.exists():
            for line in self.results.read_text().splitlines():
                one = json.loads(line)
                self.known[one["key"]] = one
        folder = arguments.build / "tests/sweep/host"
        run("ninja", "-C", arguments.build, f"-j{arguments.jobs}", *sorted({way.program for way in host_programs.WAYS}))
        self.programs = [host_programs.Program(way, folder / way.program, out, is_library(arguments.root))
                         for way in host_programs.WAYS]
        self.mutants = defaultdict(dict)
        pattern = re.compile(arguments.site)
        for program in self.programs:
            for mutant, changes in program.mutants.items():
                if pattern.search(str(mutant)):
                    self.mutants[mutant][program] = changes
        say(f"{len({mutant.site for mutant in self.mutants})} sites, {len(self.mutants)} mutants in {len(self.programs)} programs")

    def key(self, mutant) -> str:
        return f"{mutant} " + " ".join(f"{program.digest}" for program in self.mutants[mutant])

    def try_one(self, mutant) -> dict:
        by_race = host_sites.is_seen_as_race(mutant.site.kind, mutant.notch)
        programs = [program for program in self.mutants[mutant] if program.way.late != by_race]
        tried = []
        for program in programs:
            one = program.try_mutant(self.mutants[mutant][program], self.arguments.seconds)
            tried.append(one)
            if one["by"]:
                break
        result = {"key": self.key(mutant), "site": mutant.site.where, "kind": mutant.site.kind, "notch": mutant.notch,
                  "by": next((one["by"] for one in tried if one["by"]), None),
                  "cases": sum(one["cases"] for one in tried), "runs": sum(one["runs"] for one in tried),
                  "cut": any("cut" in one for one in tried), "at": datetime.datetime.now().isoformat(timespec="seconds")}
        with self.lock, self.results.open("a") as file:
            file.write(json.dumps(result) + "\n")
        return result

    def run(self) -> list[dict]:
        done = {mutant: self.known[key] for mutant in self.mutants if (key := self.key(mutant)) in self.known}
        todo = sorted((mutant for mutant in self.mutants if mutant not in done), key=str)
        todo = todo[:self.arguments.limit] if self.arguments.limit else todo
        say(f"{len(done)} mutants are known, {len(todo)} to run")
        done |= try_all(todo, self.try_one, self.arguments.jobs, lambda one: one["by"] or survival(one))
        return [done[mutant] for mutant in sorted(done, key=str)]


def survival(one: dict) -> str:
    what = f"{one['cases']} cases in {one['runs']} runs" if one["runs"] else "no program runs it with late stores"
    return f"SURVIVES ({what}{', cut' if one['cut'] else ''})"


def counts(results: list[dict]) -> str:
    noticed = [one for one in results if one["by"]]
    late = sum("late stores" in one["by"] for one in noticed)
    sites = len({(one["site"], one["kind"]) for one in results})
    return (f"{sites} sites, {len(results)} mutants: {len(noticed) - late} noticed under the thread sanitizer, {late} with late "
            f"stores, {len(results) - len(noticed)} survive")


def text(results: list[dict]) -> str:
    return "\n".join([counts(results), ""] + [f"  {one['site']} {one['kind']}: {one['notch']} {survival(one)}"
                                              for one in results if not one["by"]])


def table(results: list[dict]) -> str:
    return "\n".join([counts(results), "", "| site | operation | notch | noticed by |", "|---|---|---|---|"] +
                     [f"| `{one['site']}` | {one['kind']} | {one['notch']} | {one['by'] or survival(one)} |" for one in results])


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools/sweep --host", add_help=False)
    parser.add_argument("root", type=Path)
    parser.add_argument("build", type=Path)
    parser.add_argument("--site", default="")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    try:
        instruments.has_tools("llvm-symbolizer-22")
        sweep = Sweep(arguments)
        if arguments.list:
            for mutant, found in sorted(sweep.mutants.items(), key=lambda one: str(one[0])):
                where = ", ".join(f"{program.way} {len(program.reaching(changes))}" for program, changes in found.items())
                print(f"{mutant}  ({where})")
            return 0
        results = sweep.run()
    except Failure as failure:
        say(f"tools/sweep --host: {failure}")
        return 2
    print(table(results) if arguments.table else text(results))
    return 1 if any(not one["by"] for one in results) else 0


if __name__ == "__main__":
    sys.exit(main())
