# SPDX-License-Identifier: Apache-2.0
"""arch: what arch/ declares, for the checks: its generations, its operations, its entry points."""

import re

from reader import Problem, matches, without_comments


def rows(tree, path, macro):
    """(line, macro, cells) of the rows of a table of macros."""
    for line, found in matches(rf"^({macro})\s*\(([^()]*)\)", without_comments(tree.read(path))):
        yield line, found[1], [cell.strip() for cell in found[2].split(",")]


def generations(tree):
    """The generation of each SM: {"89": "sm_80", "90a": "sm_90a"}."""
    found = {cells[0]: cells[1] for _, _, cells in rows(tree, "arch/generations.def", r"CUDAX_SM(?:_VARIANT)?")}
    if len(found) < 10:
        raise Problem(f"arch/generations.def: understood only {len(found)} rows; correct tests/house/arch.py, which reads them")
    return found


def number_of(generation):
    """80 for sm_80, 90 for sm_90a."""
    return int(re.search(r"\d+", generation)[0])


def operations(tree):
    """(line, entry, instruction, from) of each row of operations.def."""
    kinds = r"CUDAX_(?:LOAD|STORE|EXCHANGE|COMPARE|FETCH|REDUCE)(?:_WIDE)?"
    found = [(line, f"cudax_{cells[0]}_{cells[1]}", cells[3], cells[-1]) for line, _, cells in rows(tree, "arch/operations.def", kinds)]
    if len(found) < 60:
        raise Problem(f"arch/operations.def: understood only {len(found)} rows; correct tests/house/arch.py, which reads them")
    return found


def entries(tree):
    """The entry points that arch/abi.hpp declares: {name: line}, with line 0 for the rows of operations.def."""
    found = {entry: 0 for _, entry, _, _ in operations(tree)}
    text = re.sub(r"^#[^\n]*(\\\n[^\n]*)*", lambda directive: "\n" * directive[0].count("\n"), without_comments(tree.read("arch/abi.hpp")), flags=re.M)
    found.update({match[1]: line for line, match in matches(r"^CUDAX_ENTRY [^;]*?\b(cudax_\w+)\(", text)})
    return found
