# SPDX-License-Identifier: Apache-2.0
"""entries: every entry point of arch/abi.hpp is called by a PTX test and has its row in one table.

Inputs: nm=PROGRAM, objects=FILE;FILE... (the bitcode of the PTX tests before the device link). The row is in a table of
arch/README.md or in the third one of arch/lowering.md, and these tables name nothing else. Constants of a generation have none.
"""

import functools
import re
import subprocess

import arch
from reader import Finding, Problem, spelled_out, tables

README, LOWERING, ABI = "arch/README.md", "arch/lowering.md", "arch/abi.hpp"


@functools.cache
def called_by(nm, objects):
    """The entry points that these objects call."""
    output = subprocess.run([nm, "--undefined-only", *objects.split(";")], capture_output=True, text=True).stdout
    return frozenset(re.findall(r"\b(cudax_[a-z0-9_]*)$", output, re.M))


def check(tree):
    declared = arch.entries(tree)
    called = called_by(tree.inputs["nm"], tree.inputs["objects"])
    if len(called) < 100:
        raise Problem(f"entries: the objects of the PTX tests call only {len(called)} entry points; build the target ptx")
    explained = {name: row.line for table in tables(tree.read(README)) for row in table.rows for cell in range(len(row.cells))
                 for word in row.names(cell) if re.fullmatch(r"cudax_[a-z0-9_{},]*", word) for name in spelled_out(word)}
    made = {row.names(0)[0]: row.line for table in tables(tree.read(LOWERING)) for row in table.rows
            if row.cells[0].startswith("`cudax_")}
    findings = []
    for name, line in sorted(declared.items()):
        if name not in explained and name not in made and not re.match(r"cudax_(has|tuning)_", name):
            findings.append(Finding(ABI, line, f"declares {name}, which has no row", f"add it to a table of {README}, or to the third one of {LOWERING}"))
        if name not in called:
            findings.append(Finding(ABI, line, f"declares {name}, which no PTX test calls", "add a kernel to a file of tests/ptx"))
    for readme, names in ((README, explained), (LOWERING, made)):
        for name, line in sorted(names.items()):
            if name not in declared:
                findings.append(Finding(readme, line, f"names {name}, which {ABI} does not declare", "correct the name, or remove the row"))
    for name in sorted(explained.keys() & made.keys()):
        findings.append(Finding(README, explained[name], f"has {name}, which {LOWERING} has in line {made[name]}", "keep one of the two"))
    return findings, f"{len(declared)} entry points, each called by a test, {len(explained) + len(made)} of them in the tables"


def plants(tree):
    declaration = tree.with_file(ABI, tree.read(ABI) + "\nCUDAX_ENTRY void cudax_planted(int value);\n")
    yield "an entry without a row", declaration, r"abi.hpp:\d+: declares cudax_planted, which has no row"
    yield "an entry that no test calls", declaration, r"abi.hpp:\d+: declares cudax_planted, which no PTX test calls"
    operation = tree.with_file("arch/operations.def", tree.read("arch/operations.def") + "\nCUDAX_LOAD(planted, u8, u8, ld_u8, 70)\n")
    yield "an operation without a row", operation, "declares cudax_planted_u8, which has no row"
    row = "| planted | `cudax_{planted,planted}_too` | | sm_70 |\n"
    yield "a row of no entry", tree.replaced(README, r"^\| load \| `cudax_load_.*\n", rf"\g<0>{row}"), r"README.md:\d+: names cudax_planted_too"
    twice = next(name for table in tables(tree.read(LOWERING)) for found in table.rows for name in found.names(0) if name.startswith("cudax_"))
    changed = tree.replaced(README, r"^\| load \| `cudax_load_.*\n", rf"\g<0>{row.replace('cudax_{planted,planted}_too', twice)}")
    yield "a row in both tables", changed, f"has {twice}, which arch/lowering.md has"
    document = tree.replaced(LOWERING, rf"^\| `{twice}`", "| `cudax_planted`")
    yield "a row of lowering.md of no entry", document, r"lowering.md:\d+: names cudax_planted"
