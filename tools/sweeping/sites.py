# SPDX-License-Identifier: Apache-2.0
"""sites: the places of the library that make instructions with an order or a scope, and the mutants of each.

A site is a line of a primitive, with the line of a wait or of a combination through which it goes, and what the
instruction does: `thread/latch.cppm:120:9 > wait/wait.cppm:88:3 ld`. The inner lines, which make one instruction for
every primitive, are left out (INNER). A mutant is a site and a notch: every instruction of the site is changed, in all
instantiations, as if the line had another order.
"""
import re
from collections import defaultdict
from typing import NamedTuple

import instructions
from locations import Frame

# Folders and files that carry out an order that they are given: for every caller the same instruction.
INNER = re.compile(r"^(arch/|modules/base/|modules/atomic/(?!atomic_locked)|modules/machine/(machine|side|host|loop)\.cppm|"
                   r"modules/machine/device/)")
# Those of them that are named where no other code is left: each operation on an atomic object has a line there.
MEMBERS = re.compile(r"^modules/atomic/")
# Those whose lines perform any modification, a template parameter: addition, maximum and so on are one site.
ANY_MODIFICATION = re.compile(r"atomic/modifying_ref|contended/|machine/combined")
# Those that stand between a primitive and its instructions, and have orders of their own.
BETWEEN = re.compile(r"^modules/(wait|machine)/")


class Site(NamedTuple):
    where: str  # "thread/latch.cppm:120:9 > wait/wait.cppm:88:3"
    kind: str   # "ld"

    def __str__(self) -> str:
        return f"{self.where} {self.kind}"


class Occurrence(NamedTuple):
    """An instruction in the text of a unit."""
    line: int  # index into the lines
    begin: int
    end: int
    text: str
    site: Site | None  # None: not of the library
    function: str


class Mutant(NamedTuple):
    site: Site
    notch: str

    def __str__(self) -> str:
        return f"{self.site}: {self.notch}"


def shown(frame: Frame) -> str:
    return f"{frame.file.removeprefix('modules/')}:{frame.line}:{frame.column}"


def is_primitive(frame: Frame) -> bool:
    return not INNER.match(frame.file) and not BETWEEN.match(frame.file)


def where(frames: list[Frame]) -> str:
    """`frames` are those of the library, the innermost one first."""
    begin = next((i for i, frame in enumerate(frames) if not INNER.match(frame.file)), None)
    if begin is None:
        return shown(next((frame for frame in frames if MEMBERS.match(frame.file)), frames[0]))
    end = next((i for i in range(begin, len(frames)) if is_primitive(frames[i])), None)
    chosen = frames[begin:] if end is None else frames[begin:end + 1]
    return " > ".join(shown(frame) for frame in reversed(chosen) if not INNER.match(frame.file))


def uses(frames: list[Frame]) -> list[str]:
    """The same instruction as a site of each other room that uses the primitive: its line there stands before."""
    rooms, result = [], []
    for frame in filter(is_primitive, frames):
        room = frame.file.removeprefix("modules/").partition("/")[0]
        if rooms and room not in rooms:
            result.append(f"{shown(frame)} > {where(frames)}")
        rooms.append(room)
    return result


def is_use(where: str) -> bool:
    """Whether the site is the use of a primitive of another room."""
    return re.search(r" > (?!wait/|machine/)", where) is not None


def of_library(place: tuple[Frame, ...], is_library) -> list[Frame]:
    """The inner frames, up to the first one of the program: a predicate of the program that the library calls is not a line
    of the library."""
    frames = []
    for frame in place:
        if (inside := is_library(frame.file)) is None:
            break
        frames.append(frame._replace(file=inside))
    return frames


_FETCH = re.compile(r"^(atom|red)\.(?:add|and|or|xor|min|max)$")


def kind_at(name: str, kind: str) -> str:
    """What an instruction of a site does. A line that performs any modification is one site."""
    return _FETCH.sub(r"\1", kind) if ANY_MODIFICATION.search(name) else kind


_FUNCTION = re.compile(r"^\s*(?:\.(?:visible|weak|extern)\s+)*\.(?:entry|func)\b(?:\s*\([^)]*\))?\s*([\w$.]+)?")


def occurrences(lines: list[str], numbers: list[int | None], places: list[tuple[Frame, ...]], is_library,
                merged: str = "merged") -> list[Occurrence]:
    """The instructions with an order, a scope or a fence. `is_library(file)` returns the file from the root, or None. Where
    the compiler has made one instruction of those of several lines, it has no line: its site is `merged`."""
    found, function = [], ""
    wheres: dict[int, list[str]] = {}
    for i, line in enumerate(lines):
        stripped = line.lstrip()
        if stripped.startswith("."):
            if match := _FUNCTION.match(line):
                function = match[1] or ""
            elif not stripped.startswith(".reg"):
                continue
        for match in instructions.NAMES.finditer(line):
            text = match[0]
            if not instructions.is_ordered(text):
                continue
            number, kind = numbers[i], instructions.kind(text)
            if number is None or places[number][0].line == 0:
                names = [merged]
            else:
                if number not in wheres:
                    frames = of_library(places[number], is_library)
                    wheres[number] = [where(frames), *uses(frames)] if frames else []
                names = wheres[number]
            found += [Occurrence(i, match.start(), match.end(), text, site, function)
                      for site in ([Site(name, kind_at(name, kind)) for name in names] or [None])]
    return found


def mutants(found: list[Occurrence], notches: list[str]) -> dict[Mutant, list[Occurrence]]:
    """The mutants of each site, with the instructions that they change."""
    result = defaultdict(list)
    for one in found:
        if one.site is None:
            continue
        for notch in notches:
            if instructions.changed(one.text, notch) is not None:
                result[Mutant(one.site, notch)].append(one)
    return dict(result)


def apply(lines: list[str], changes: list[Occurrence], notch: str) -> list[str]:
    """The text with the instructions changed. Fails if an instruction is not where it was, or does not change."""
    result = list(lines)
    for one in sorted(changes, key=lambda one: (one.line, -one.begin)):
        line, new = result[one.line], instructions.changed(one.text, notch)
        if line[one.begin:one.end] != one.text or new is None or new == one.text:
            raise AssertionError(f"line {one.line + 1} of the PTX is '{line}', where {one.text} should become {new!r}")
        if new:
            result[one.line] = line[:one.begin] + new + line[one.end:]
            continue
        # A fence is a statement of its own: up to the semicolon, with its guard.
        end = line.index(";", one.end) + 1
        begin = max(line.rfind(mark, 0, one.begin) for mark in ";{}") + 1
        result[one.line] = line[:begin] + " " + line[end:]
    return result
