# SPDX-License-Identifier: Apache-2.0
"""rows: whether the patterns of a family name the order and the scope of each instruction.

A mutant of a site (sites.py) changes an order in all types and scopes at once, so one pattern that names it is enough. Here
one instruction of one kernel is changed at a time: a row of the tables of tests/ptx. It takes no IR: tests/ptx/check.sh is
asked, in place of running FileCheck, with which text and which arguments it would. FileCheck goes on after an error at the
next label, so one run tries an instruction of every kernel of a case.
"""
import re
import tempfile
from pathlib import Path
from typing import NamedTuple

import instructions
from instruments import Run
from units import SM, Failure, Tree

# In place of FileCheck, ptxas and llvm-objdump: what check.sh gives to the first is kept, and it is content with the others.
STAND_IN = """#!/bin/sh
case "$*" in *--input-file=*) { printf '%s\\n' "$@"; echo; } >>"$CALLS" ;; esac
echo 'Contents of section .text'
"""


class Row(NamedTuple):
    kernel: str
    at: int      # which of the kernel's instructions that can have the notch
    text: str
    notch: str


class Call(NamedTuple):
    """A run of FileCheck: a case, an order and a scope, against the source."""
    case: str
    text: str
    arguments: list[str]


_ENTRY = re.compile(r"\.entry ([\w$]+)\(")
_LABEL = re.compile(r"^// CHECK-LABEL:\s+\.entry ([\w$]+)\(")


def rows(text: str, notches: list[str]) -> dict[Row, tuple[int, int, int]]:
    """The rows of a case, and where each instruction stands: line, begin, end."""
    found, kernel, counts = {}, None, {}
    for number, line in enumerate(text.splitlines()):
        if entry := _ENTRY.search(line):
            kernel, counts = entry[1], {}
        if kernel is None:
            continue
        for match in instructions.NAMES.finditer(line):
            for notch in notches:
                if instructions.changed(match[0], notch) is not None:
                    at = counts[notch] = counts.get(notch, -1) + 1
                    found[Row(kernel, at, match[0], notch)] = (number, match.start(), match.end())
    return found


def with_changes(text: str, places: dict[Row, tuple[int, int, int]]) -> str:
    lines = text.splitlines()
    for row, (number, begin, end) in places.items():
        new = instructions.changed(row.text, row.notch)
        # A fence that is dropped is a statement of its own.
        lines[number] = lines[number][:begin] + (new or "nothing") + lines[number][end:]
    return "\n".join(lines) + "\n"


def labels(source: str) -> list[tuple[int, str]]:
    """The kernels of a source, and the line of each one's label."""
    return [(number, match[1]) for number, line in enumerate(source.splitlines(), 1) if (match := _LABEL.match(line))]


def complaints(output: str, source: Path, known: list[tuple[int, str]], text: str) -> set[str]:
    """The kernels of which FileCheck complains: by the line of the source, or of the text for what it forbids."""
    kernels = set()
    entries = [(number, match[1]) for number, line in enumerate(text.splitlines(), 1) if (match := _ENTRY.search(line))]
    for file, line in re.findall(r"^(.+?):(\d+):\d+: (?:error|note):", output, re.MULTILINE):
        table = known if Path(file) == source else entries if file.endswith(".ptx") else []
        if above := [kernel for number, kernel in table if number <= int(line)]:
            kernels.add(above[-1])
    return kernels


class Family:
    def __init__(self, tree: Tree, name: str):
        self.tree, self.name = tree, name
        self.test = tree.ctest()[f"{name}.sm_{SM}"]
        self.source = next(Path(word) for word in self.test["command"] if word.endswith(".ptx.cu"))
        self.labels = labels(self.source.read_text())

    def calls(self) -> list[Call]:
        with tempfile.TemporaryDirectory(dir=self.tree.out) as folder:
            stand_in, calls = Path(folder) / "stand_in", Path(folder) / "calls"
            stand_in.write_text(STAND_IN)
            stand_in.chmod(0o755)
            command = list(self.test["command"])
            command[2] = str(Path(folder) / "check")
            done = Run(command, self.test["environment"] | {"CALLS": str(calls)} |
                       {name: str(stand_in) for name in ("FILECHECK", "PTXAS", "OBJDUMP")})
            if done.status or not calls.exists():
                raise Failure(f"{self.name}: its test does not say what FileCheck gets:\n{done.output[-2000:]}")
            result = []
            for block in calls.read_text().strip().split("\n\n"):
                arguments = block.split("\n")
                file = next(word.partition("=")[2] for word in arguments if word.startswith("--input-file="))
                result.append(Call(Path(file).stem, Path(file).read_text(),
                                   [word for word in arguments if not word.startswith("--input-file=")]))
            return result

    def complaints(self, call: Call, text: str) -> set[str]:
        with tempfile.TemporaryDirectory(dir=self.tree.out) as folder:
            file = Path(folder) / f"{call.case}.ptx"
            file.write_text(text)
            done = Run([self.test["environment"]["FILECHECK"], *call.arguments, f"--input-file={file}"], cpu_seconds=60)
        found = complaints(done.output, self.source, self.labels, text)
        if bool(done.status) != bool(found):
            raise Failure(f"{self.name}: FileCheck ended with {done.status}, but complained of {sorted(found)}:\n"
                          f"{done.output[-2000:]}")
        return found

    def survivors(self, notches: list[str]) -> tuple[int, list[tuple[str, Row]]]:
        """The number of rows, and those that the patterns do not notice, with their case."""
        count, result = 0, []
        for call in self.calls():
            if unclean := self.complaints(call, call.text):
                raise Failure(f"{self.name}: the patterns of {sorted(unclean)} fail without a change in case {call.case}")
            places = rows(call.text, notches)
            count += len(places)
            for notch, at in sorted({(row.notch, row.at) for row in places}):
                chosen = {row: place for row, place in places.items() if (row.notch, row.at) == (notch, at)}
                noticed = self.complaints(call, with_changes(call.text, chosen))
                result += [(call.case, row) for row in chosen if row.kernel not in noticed]
        return count, result


def report(name: str, count: int, survivors: list[tuple[str, Row]]) -> str:
    """One line for each instruction of a kernel, with its cases."""
    lines = [f"{name}: {count} rows, {len(survivors)} survive"]
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for case, row in survivors:
        grouped.setdefault((row.kernel, instructions.kind(row.text), row.notch), []).append(case)
    lines += [f"  {kernel} {kind}: {notch} ({', '.join(cases)})" for (kernel, kind, notch), cases in grouped.items()]
    return "\n".join(lines)
