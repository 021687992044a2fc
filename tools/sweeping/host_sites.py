# SPDX-License-Identifier: Apache-2.0
"""host_sites: the places of the library that make atomic operations on the host, and the mutants of each.

A program of tests/sweep/host records the chains of its operations: return addresses, the innermost one first. From their
lines follows the site, as on the device (sites.py). A line that is inlined into another one has its address.
"""
import json
import re
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import sites
from locations import Frame
from units import Failure, run

OPERATIONS = ("load", "store", "modify", "compare", "fence")
RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST = range(6)
DROPPED = -1

# What an operation may lose: its place in the total order of seq_cst operations, its acquire, or its release. For each, the
# order before and the order without it.
TOTAL_ORDER, NO_ACQUIRE, NO_RELEASE = "no total order", "no acquire", "no release"
LOSSES = {
    TOTAL_ORDER: {"load": {SEQ_CST: ACQUIRE}, "store": {SEQ_CST: RELEASE}, "modify": {SEQ_CST: ACQ_REL},
                  "fence": {SEQ_CST: ACQ_REL}},
    NO_ACQUIRE: {"load": {CONSUME: RELAXED, ACQUIRE: RELAXED, SEQ_CST: RELAXED},
                 "modify": {CONSUME: RELAXED, ACQUIRE: RELAXED, ACQ_REL: RELEASE, SEQ_CST: RELEASE},
                 "fence": {CONSUME: DROPPED, ACQUIRE: DROPPED, ACQ_REL: RELEASE}},
    NO_RELEASE: {"store": {RELEASE: RELAXED, SEQ_CST: RELAXED},
                 "modify": {RELEASE: RELAXED, ACQ_REL: ACQUIRE, SEQ_CST: ACQUIRE},
                 "fence": {RELEASE: DROPPED, ACQ_REL: ACQUIRE}},
}
IF_IT_FAILS = " if it fails"  # a compare-and-swap


class Chain(NamedTuple):
    """An operation: what it is, its orders, and the return addresses from it outwards."""
    operation: str
    success: int
    failure: int
    addresses: tuple[int, ...]


class Mutant(NamedTuple):
    """All operations of a site lose the same. Where a line is given its order, they have several."""
    site: sites.Site  # its kind is the operation
    notch: str

    def __str__(self) -> str:
        return f"{self.site}: {self.notch}"


class Change(NamedTuple):
    """Orders that become others at a site, which is a sequence of lines."""
    operation: str
    before: tuple[int, int]
    after: tuple[int, int]
    lines: tuple[int, ...]

    def __str__(self) -> str:
        orders = f"{self.before[0]} {self.after[0]} {self.before[1]} {self.after[1]}"
        return f"weaker {OPERATIONS.index(self.operation)} {orders} {' '.join(map(str, self.lines))}"


def weaker(chain: Chain) -> list[tuple[str, tuple[int, int]]]:
    """The notches of an operation: their names, and the orders that it then has."""
    made = []
    for notch, orders in LOSSES.items():
        after = orders.get("modify" if chain.operation == "compare" else chain.operation, {}).get(chain.success)
        if after is not None:
            made.append((notch, (after, chain.failure)))
        if chain.operation == "compare" and (after := orders.get("load", {}).get(chain.failure)) is not None:
            made.append((notch + IF_IT_FAILS, (chain.success, after)))
    return made


def is_seen_as_race(operation: str, notch: str) -> bool:
    """Whether the thread sanitizer may see the notch. It takes seq_cst for acq_rel, and knows no fences."""
    return operation != "fence" and not notch.startswith(TOTAL_ORDER)


def parse_recording(text: str) -> dict[str, tuple[float, set[Chain]]]:
    """The cases of a recording: seconds, and the chains that they reached."""
    cases: dict[str, tuple[float, set[Chain]]] = {}
    reached: set[Chain] = set()
    for line in text.splitlines():
        if found := re.match(r"case ([\d.]+) (.*)", line):
            _, reached = cases.setdefault(found[2], (float(found[1]), set()))
            continue
        operation, success, failure, *addresses = line.split()
        reached.add(Chain(OPERATIONS[int(operation)], int(success), int(failure), tuple(int(one, 16) for one in addresses)))
    return cases


def frames_of(program: Path, addresses) -> dict[int, list[Frame]]:
    """The lines of return addresses."""
    ordered = sorted(set(addresses))
    # The call is before the address to which it returns.
    out = run("llvm-symbolizer-22", f"--obj={program}", "--output-style=JSON", "--no-demangle", input="\n".join(
        f"{one - 1:#x}" for one in ordered) + "\n")
    lines = out.splitlines()
    if len(lines) != len(ordered):
        raise Failure(f"llvm-symbolizer-22 gives {len(lines)} answers for {len(ordered)} addresses of {program}; build it again")
    return {at: [Frame(one.get("FileName", ""), one.get("Line", 0), one.get("Column", 0)) for one in json.loads(line)["Symbol"]]
            for at, line in zip(ordered, lines)}


class Places:
    """What the lines of a program are to the sweep, as places.cpp reads it."""

    def __init__(self, frames: dict[int, list[Frame]], is_library):
        self.tokens: dict[int, list[tuple[str, int]]] = {}
        self.shown = [""]  # by number
        numbers: dict[Frame, int] = {}
        for at, lines in frames.items():
            self.tokens[at] = []
            for line in lines:
                inside = is_library(line.file)
                what = self.kind(line.file, inside)
                number = 0
                if inside is not None:
                    named = line._replace(file=inside)
                    if named not in numbers:
                        numbers[named] = len(self.shown)
                        self.shown.append(sites.shown(named))
                    number = numbers[named]
                self.tokens[at].append((what, number))

    @staticmethod
    def kind(file: str, inside: str | None) -> str:
        if inside is None:
            return "s" if file.startswith("/usr/") else "x"
        return "i" if sites.INNER.match(inside) else "b" if sites.BETWEEN.match(inside) else "p"

    def site(self, chain: Chain) -> tuple[int, ...]:
        """The lines of an operation's site, the innermost one first; none if it is not of the library. As in places.cpp."""
        found: list[int] = []
        innermost: tuple[int, ...] = ()
        for at in chain.addresses:
            for what, line in self.tokens.get(at, [("x", 0)]):
                if what == "x":
                    return tuple(found) or innermost
                if what == "s":
                    continue
                innermost = innermost or (line,)
                if what == "i":
                    continue
                found.append(line)
                if what == "p":
                    return tuple(found)
        return tuple(found) or innermost

    def name(self, lines: tuple[int, ...]) -> str:
        return " > ".join(self.shown[line] for line in reversed(lines))

    def text(self) -> str:
        return "".join(f"at {at:x} {' '.join(f'{what}{line}' for what, line in tokens)}\n"
                       for at, tokens in sorted(self.tokens.items()))


def mutants(chains, places: Places) -> dict[Mutant, set[Change]]:
    """The mutants of the sites of `chains`."""
    result = defaultdict(set)
    for chain in chains:
        lines = places.site(chain)
        if not lines:
            continue
        site = sites.Site(places.name(lines), chain.operation)
        for notch, after in weaker(chain):
            result[Mutant(site, notch)].add(Change(chain.operation, (chain.success, chain.failure), after, lines))
    return dict(result)
