# SPDX-License-Identifier: Apache-2.0
"""sweep: tries orders, scopes and fences of the library one notch weaker; tools/sweep calls it.

    sweep.py ROOT BUILD [options]; see tools/sweep --help

Results are lines of JSON in build/sweep/results.jsonl. A mutant whose instructions and places are as in a line there is
not run again.
"""
import argparse
import concurrent.futures
import datetime
import hashlib
import json
import re
import sys
import threading
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import instructions
import instruments
import machine_code
import package
import report
import rows
import sites
from progress import say, try_all
from units import Failure, Tree, Unit, run

# The units that concern a room of modules/. A site is looked for in these only: `*` stands for the room's bodies.
FAMILIES = {
    "thread": ["arriving", "barrier_shared", "barrier_shared_wait", "group", "locking"],
    "wait": ["wait", "arriving", "locking"],
    "copy": ["barrier_shared", "copy", "copying", "im2col", "mbarrier", "tensor", "tensor_copying", "tensor_publish"],
    "grid": ["reduction", "stealing", "launch_control"],
    "container": ["mapping", "mapping_wide"],
    "contended": ["contended", "contended_store"],
    "atomic": ["load", "store", "exchange", "compare_exchange", "fetch", "floating", "reduce", "subword", "half", "wide",
               "wide_compare", "fence", "local", "locked", "space", "defaults", "run_time", "loops", "wait"],
}
# Folders and bodies of tests/std. Of atomic/ those in which threads pass data; the others compute values.
WAITING = ["atomic.order", "atomic.wait", "atomic.wait_for", "atomic.wait_until", "atomic.locked"]
BODIES = {"wait": [*WAITING, "wait"], "atomic": [*WAITING, "atomic.atomic_flag", "atomic.fences", "atomic.wide"]}


def units_of(room: str, known: list[str]) -> list[str]:
    wanted = [f"ptx.{family}" for family in FAMILIES[room]]
    for part in BODIES.get(room, [room]):
        wanted += [name for name in known if f"{name}.".startswith(f"std.{part}.")]
    return [name for name in wanted if name in known]


class Sweep:
    def __init__(self, tree: Tree, arguments):
        self.tree, self.arguments = tree, arguments
        self.results = tree.out / "results.jsonl"
        self.known = {"patterns": {}, "check": {}}
        if self.results.exists():
            for line in self.results.read_text().splitlines():
                one = json.loads(line)
                for part, known in self.known.items():
                    known[one["keys"][part]] = one
        self.lock = threading.Lock()
        self.instruments, self.making = {}, {}

    def load(self):
        names = self.tree.unit_names()
        chosen = [name for name in units_of(self.arguments.room, names)
                  if (name.startswith("ptx.") or not self.arguments.stronger) and re.search(self.arguments.units, name)]
        say(f"building the IR of {len(chosen)} units")
        run("ninja", "-C", self.tree.build, f"-j{self.arguments.jobs}", "cudax_emulator",
            *(f"tests/sweep/{name}.bc" for name in chosen))
        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            self.units = dict(zip(chosen, pool.map(lambda name: Unit(self.tree, name), chosen)))
        self.mutants: dict[sites.Mutant, dict[str, list[sites.Occurrence]]] = defaultdict(dict)
        pattern = re.compile(self.arguments.site) if self.arguments.site else None
        for name, unit in self.units.items():
            notches = instructions.STRONGER if self.arguments.stronger else instructions.WEAKER
            for mutant, found in sites.mutants(unit.found, notches).items():
                if (mutant.site.where.startswith((f"{self.arguments.room}/", "merged/"))
                        and sites.is_use(mutant.site.where) <= self.arguments.uses and (not pattern or pattern.search(str(mutant)))):
                    self.mutants[mutant][name] = found
        say(f"{len({mutant.site for mutant in self.mutants})} sites, {len(self.mutants)} mutants in "
            f"{len(self.units)} units")

    def keys(self, mutant: sites.Mutant) -> dict[str, str]:
        """What the mutant is and where, for each kind of instrument: site, notch, and the texts that it changes."""
        result = {}
        for part in self.known:
            digest = hashlib.sha256()
            for name, found in sorted(self.mutants[mutant].items()):
                if name.startswith("ptx.") == (part == "patterns"):
                    digest.update(f"{name} {self.units[name].digest} {len(found)} ".encode())
            result[part] = f"{mutant} {digest.hexdigest()[:16]}" + (f" {self.arguments.seeds}" if part == "check" else "")
        return result

    def instrument(self, name: str):
        """The instrument of a unit, after the unit has passed without a change."""
        with self.lock:
            own = self.making.setdefault(name, threading.Lock())
        with own:
            if name not in self.instruments:
                made = (instruments.Patterns if name.startswith("ptx.") else instruments.Emulator)(self.units[name])
                if unclean := getattr(made, "unclean", None):
                    say(f"{name}: {len(unclean)} cases take no part, since they fail in a checked run without a change: "
                        f"{'; '.join(unclean)}")
                self.instruments[name] = made
        return self.instruments[name]

    def try_one(self, mutant: sites.Mutant) -> dict:
        """Runs what is not known."""
        found, keys = self.mutants[mutant], self.keys(mutant)
        result = {"keys": keys, "site": mutant.site.where, "kind": mutant.site.kind, "notch": mutant.notch,
                  "instruction": next(iter(found.values()))[0].text,
                  "units": {name: len(ones) for name, ones in found.items()}}
        if known := self.known["patterns"].get(keys["patterns"]):
            result |= {name: known[name] for name in ("patterns", "pattern_units")}
        else:
            result |= self.try_patterns(mutant)
        if known := self.known["check"].get(keys["check"]):
            result |= {name: known[name] for name in ("check", "fast")}
        else:
            result |= self.try_emulator(mutant)
        result["at"] = datetime.datetime.now().isoformat(timespec="seconds")
        with self.lock, self.results.open("a") as file:
            file.write(json.dumps(result) + "\n")
        return result

    def try_patterns(self, mutant: sites.Mutant) -> dict:
        families = {name: ones for name, ones in self.mutants[mutant].items() if name.startswith("ptx.")}
        for name, ones in families.items():
            if noticed := self.instrument(name).run(self.units[name].text(mutant, ones)):
                return {"patterns": noticed, "pattern_units": len(families)}
        return {"patterns": None, "pattern_units": len(families)}

    def try_emulator(self, mutant: sites.Mutant) -> dict:
        changed = {name: (self.units[name].text(mutant, ones), {one.line for one in ones})
                   for name, ones in self.mutants[mutant].items() if not name.startswith("ptx.")}
        emulators = sorted((self.instrument(name) for name in changed),
                           key=lambda one: min((case.seconds for case in one.reaching(changed[one.unit.name][1])), default=1e9))
        check = instruments.check(emulators, changed, self.arguments.seeds, self.arguments.seconds)
        return {"check": check, "fast": None if check["by"] else instruments.fast(emulators, changed)}

    def costs(self) -> list[dict]:
        """What each notch changes in the machine code."""
        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            plain = dict(zip(self.units, pool.map(lambda unit: machine_code.kernels(unit, unit.text()), self.units.values())))

            def cost(mutant: sites.Mutant) -> dict:
                total = {"site": mutant.site.where, "notch": mutant.notch, "kernels": 0, "changed": 0, "gains": ""}
                for name, found in self.mutants[mutant].items():
                    unit = self.units[name]
                    one = machine_code.difference(plain[name], machine_code.kernels(unit, unit.text(mutant, found)),
                                                  {each.function for each in found})
                    total["instruction"] = found[0].text
                    total["kernels"] += one["kernels"]
                    total["changed"] += one["changed"]
                    total["gains"] = total["gains"] or one["gains"]
                return total

            return list(pool.map(cost, sorted(self.mutants, key=str)))

    def run(self) -> list[dict]:
        todo, done = [], {}
        for mutant in sorted(self.mutants, key=str):
            keys = self.keys(mutant)
            if all(keys[part] in known for part, known in self.known.items()):
                one = self.known["check"][keys["check"]]
                done[mutant] = one | {name: self.known["patterns"][keys["patterns"]][name] for name in ("patterns", "pattern_units")}
            else:
                todo.append(mutant)
        todo = todo[:self.arguments.limit] if self.arguments.limit else todo
        say(f"{len(done)} mutants are known, {len(todo)} to run")
        if todo:
            say("each unit runs without a change first")
            done |= try_all(todo, self.try_one, self.arguments.jobs, report.verdict)
        return [done[mutant] for mutant in sorted(done, key=str)]


def try_rows(tree: Tree, arguments) -> int:
    names = [name for name in units_of(arguments.room, tree.unit_names())
             if name.startswith("ptx.") and re.search(arguments.units, name)]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda name: (name, *rows.Family(tree, name).survivors(instructions.WEAKER)), names))
    print("\n".join(rows.report(*one) for one in results))
    return 1 if any(survivors for _, _, survivors in results) else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools/sweep", add_help=False)
    parser.add_argument("root", type=Path)
    parser.add_argument("build", type=Path)
    parser.add_argument("--room", default="thread", choices=sorted(FAMILIES))
    parser.add_argument("--site", default="")
    parser.add_argument("--units", default="")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=instruments.SEEDS)
    parser.add_argument("--seconds", type=float, default=instruments.CHECK_SECONDS)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--stronger", action="store_true")
    parser.add_argument("--package", type=Path)
    parser.add_argument("--uses", action="store_true")
    parser.add_argument("--rows", action="store_true")
    arguments = parser.parse_args()
    try:
        instruments.has_tools()
        if arguments.rows:
            return try_rows(Tree(arguments.root, arguments.build), arguments)
        sweep = Sweep(Tree(arguments.root, arguments.build), arguments)
        sweep.load()
        if arguments.list:
            for mutant, found in sorted(sweep.mutants.items(), key=lambda one: str(one[0])):
                print(f"{mutant}  ({', '.join(f'{name} {len(ones)}' for name, ones in found.items())})")
            return 0
        if arguments.stronger:
            print(report.costs(sweep.costs()))
            return 0
        if arguments.package:
            say(package.write(arguments.package, sweep.mutants, sweep.units, sweep.instrument))
            return 0
        results = sweep.run()
    except Failure as failure:
        say(f"tools/sweep: {failure}")
        return 2
    print(report.table(results) if arguments.table else report.text(results))
    return 1 if any(report.survives(one) for one in results) else 0


if __name__ == "__main__":
    sys.exit(main())
