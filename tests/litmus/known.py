# SPDX-License-Identifier: Apache-2.0
"""known: the verdicts of the oracle agree with other sources.

    known.py FOLDER EMULATOR

FOLDER holds the programs. A program's comment `# known: VERDICT; under: VERDICT` is what an exhaustive checker of the formal
PTX model (Alloy, ASPLOS 2019) says of it, where the scope includes all threads, and where it is too narrow. `# argued:` is the
same, by an argument of the program's author. `# emulator: ROW` names the row of EMULATOR (tests/emulator/check/litmus) with the same program: each row must be
named by one program, except those of lanes that combine their operations, which are no program of this format.

What C++ forbids, PTX must forbid, too: the library's mapping (arch/README.md) has no hole that a program shows.
"""

import pathlib
import re
import sys

ROW = re.compile(r'row_of(?:_two_blocks)?<[^;]*?>\(\s*"([^"]+)",\s*(\w+)', re.S)
SCOPES = ["block", "cluster", "device", "system"]
# The narrowest scope that includes all threads, of the words; a tree is not compared.
NARROWEST = {"same_warp": "block", "same_block": "block", "same_cluster": "cluster", "same_device": "device",
             "two_devices": "system", "host_first": "system", "host_last": "system"}


def holes(expected):
    """The placements in which C++ forbids what PTX allows: the mapping of C++ to PTX would have a hole."""
    for line in expected.splitlines():
        if "rc11=forbidden" in line and "ptx=forbidden" not in line:
            yield line.split()[0]


def placements(expected):
    """(name, whether the scope is too narrow, verdict of PTX); only of placements by a word."""
    for line in expected.splitlines():
        name, ptx, _ = line.split()
        word, _, scope = name.partition(":")[0].partition("@")
        if word in NARROWEST:
            under = bool(scope) and SCOPES.index(scope) < SCOPES.index(NARROWEST[word])
            yield name, under, ptx.removeprefix("ptx=")


def main(folder, emulator):
    rows = {}
    for file in sorted(pathlib.Path(emulator).glob("*.cu")):
        rows.update((name, verdict) for name, verdict in ROW.findall(file.read_text(encoding="utf-8")))
    if len(rows) < 40:
        return [f"{emulator}:1: only {len(rows)} rows were understood; correct ROW"], 0
    wrong, compared, named = [], 0, {}
    for file in sorted(pathlib.Path(folder).rglob("*.litmus")):
        text = file.read_text(encoding="utf-8")
        expected = file.with_suffix(".expected")
        if not expected.exists():
            wrong.append(f"{expected}:1: does not exist; write it by tools/litmus verdict --accept {file}")
            continue
        for name in holes(expected.read_text(encoding="utf-8")):
            wrong.append(f"{file}: {name}: C++ forbids what PTX allows; the mapping, or one of the models, is wrong")
        wanted = {}  # (under, source): verdict
        if note := re.search(r"^# (known|argued): (\w+)(?:; under: (\w+))?$", text, re.M):
            source = "the formal model" if note[1] == "known" else "the author's argument"
            wanted[False, source] = note[2]
            if note[3]:
                wanted[True, source] = note[3]
        if note := re.search(r"^# emulator: (.+)$", text, re.M):
            if note[1] not in rows or note[1] in named:
                wrong.append(f"{file}:1: the row '{note[1]}' does not exist, or {named.get(note[1])} names it, too; correct it")
                continue
            named[note[1]] = file
            wanted[False, "the emulator's row"] = "forbidden" if rows[note[1]] == "forbidden" else "allowed"
        for name, under, verdict in placements(expected.read_text(encoding="utf-8")):
            for (where, source), other in wanted.items():
                if where == under:
                    compared += 1
                    if verdict != other:
                        wrong.append(f"{file}: {name}: the oracle says {verdict}, {source} {other}; find out which is right")
    for name in sorted(rows.keys() - named.keys()):
        if not name.startswith("combined"):
            wrong.append(f"{emulator}: no program names the row '{name}'; add `# emulator: {name}` to one (families/)")
    return wrong, compared


if __name__ == "__main__":
    findings, count = main(*sys.argv[1:])
    print("\n".join(findings) if findings else f"{count} verdicts agree")
    sys.exit(1 if findings else 0)
