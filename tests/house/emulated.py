# SPDX-License-Identifier: Apache-2.0
"""emulated: the table of tools/emulator/instructions/README.md is the emulator's own list of its instructions.

Input: list=PROGRAM, which prints the table (cudax_emulator_list).
"""

import functools
import subprocess

from reader import Finding, Problem

README = "tools/emulator/instructions/README.md"
HEAD = "| instruction | forms |"


@functools.cache
def printed_by(program):
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout.rstrip("\n").split("\n")


def split(tree):
    """The lines before the table, and those from it on."""
    lines = tree.read(README).rstrip("\n").split("\n")
    if HEAD not in lines:
        raise Problem(f"{README}: there is no table {HEAD}; it is the last part of the file")
    return lines[: lines.index(HEAD)], lines[lines.index(HEAD) :]


def check(tree):
    before, table = split(tree)
    printed = printed_by(tree.inputs["list"])
    if len(printed) < 50:
        raise Problem(f"emulated: {tree.inputs['list']} prints only {len(printed)} lines; it prints the table of all instructions")
    advice = f"run tests/house/house.py --write . emulated list={tree.inputs['list']}"
    findings = []
    for number in range(max(len(table), len(printed))):
        has, wants = (lines[number] if number < len(lines) else "nothing" for lines in (table, printed))
        if has != wants:
            findings.append(Finding(README, len(before) + number + 1, f"has {has}, but the emulator prints {wants}", advice))
            break  # those after it are shifted
    return findings, f"{len(printed)} lines"


def write(tree):
    return README, "\n".join(split(tree)[0] + printed_by(tree.inputs["list"])) + "\n"


def plants(tree):
    row = r"^\| `?(?:add|ld)`? .*\n"
    yield "a row too few", tree.replaced(README, row, ""), "but the emulator prints"
    yield "a row too many", tree.with_file(README, tree.read(README) + "| planted | |\n"), "has | planted | |, but the emulator prints nothing".replace("|", r"\|")
    yield "another form", tree.replaced(README, r"^(\| `?(?:add|ld)`? .*)\|\n", r"\1 planted |\n"), "planted"
