# SPDX-License-Identifier: Apache-2.0
"""locations: tells from which lines of the library an instruction of PTX comes.

LLVM 22 writes into PTX the line of an instruction, and not where the function with this line was inlined. LLVM's IR has
both. So before PTX is made, each place of the IR, a line with the calls into which it was inlined, gets a number, and
the number takes the place of the line: `.loc 1 1000017 0` stands before the instructions of the place 17.
"""
import os
import re
from typing import NamedTuple

FIRST = 1_000_000  # the lines of functions, which LLVM also writes, are lower

_NODE = re.compile(r"^!(\d+) = (?:distinct )?!(DILocation|DISubprogram|DILexicalBlock|DILexicalBlockFile|DIFile)\((.*)\)$")
_FIELD = re.compile(r'(\w+): (?:!(\d+)|(\d+)|"([^"]*)")')
_USE = re.compile(r", !dbg !(\d+)")


class Frame(NamedTuple):
    """A line of a function: the innermost one of a place, or the call in it."""
    file: str
    line: int
    column: int


def number_places(ir: str) -> tuple[str, list[tuple[Frame, ...]]]:
    """Returns the IR with numbers for lines, and the places by number: frames, the innermost one first."""
    nodes = {}
    for line in ir.splitlines():
        if line.startswith("!") and (found := _NODE.match(line)):
            fields = {name: int(node or number) if node or number else text
                      for name, node, number, text in _FIELD.findall(found[3])}
            nodes[int(found[1])] = (found[2], fields)

    def file_of(scope: int) -> str:
        file = nodes[nodes[scope][1]["file"]][1]
        return os.path.normpath(os.path.join(file["directory"], file["filename"]))

    def chain(location: int) -> tuple[tuple[Frame, ...], int]:
        frames = []
        while True:
            fields = nodes[location][1]
            frames.append(Frame(file_of(fields["scope"]), fields.get("line", 0), fields.get("column", 0)))
            if "inlinedAt" not in fields:
                return tuple(frames), fields["scope"]
            location = fields["inlinedAt"]

    places, numbers, changed = [], {}, {}
    for use in set(_USE.findall(ir)):
        location = int(use)
        if location not in nodes or nodes[location][0] != "DILocation":
            continue  # of a function
        frames, scope = chain(location)
        if frames not in numbers:
            numbers[frames] = len(places)
            places.append(frames)
        changed[location] = f"!{location} = !DILocation(line: {FIRST + numbers[frames]}, scope: !{scope})"

    lines = []
    for line in ir.splitlines():
        found = _NODE.match(line) if line.startswith("!") else None
        lines.append(changed.get(int(found[1]), line) if found else line)
    # No sections with debug information, which nothing here reads.
    text = "\n".join(lines).replace("emissionKind: LineTablesOnly", "emissionKind: DebugDirectivesOnly")
    return text + "\n", places


_LOC = re.compile(r"^\s*\.loc\s+\d+\s+(\d+)")
_NOISE = re.compile(r"^\s*(\.loc\b|\.file\b|\.section\b|\$L__(tmp|func_begin|func_end)\d+:|$)")


def split_places(ptx: str) -> tuple[list[str], list[int | None]]:
    """Returns the lines of PTX without comments and line information, and the number of each line's place."""
    lines, numbers, place = [], [], None
    for line in ptx.splitlines():
        if found := _LOC.match(line):
            place = int(found[1]) - FIRST if int(found[1]) >= FIRST else None
            continue
        line = line.split("//", 1)[0].rstrip() if '"' not in line else line
        if _NOISE.match(line):
            continue
        if line.startswith("}"):
            place = None
        lines.append(line)
        numbers.append(place)
    return lines, numbers
