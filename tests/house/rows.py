# SPDX-License-Identifier: Apache-2.0
"""rows: the tables of arch/README.md agree with operations.def, generations.def and the folders, and docstrings cite their rows.

The last column of an operation's row is the SM of the rows of operations.def. A docstring of modules/ cites a row as
"(arch/README, row fetch_add)".
"""

import re

from arch import entries, generations, operations
from reader import Finding, Problem, matches, spelled_out, tables

README = "arch/README.md"


def check(tree):
    findings, text = [], tree.read(README)
    every = [row for table in tables(text) for row in table.rows]
    tabled = {(name, row.cells[-1]) for row in every for word in row.names(1) for name in spelled_out(word)}
    listed = operations(tree)
    for line, entry, instruction, since in listed:
        if (entry, f"sm_{since}") not in tabled:
            findings.append(Finding("arch/operations.def", line, f"{entry} ({instruction}) is from sm_{since}",
                                    f"give it a row with this SM in the last column in {README}"))

    in_rows = set(generations(tree).values())
    in_readme = {name[:-1] for table in tables(text) if table.head[0] == "folder" for row in table.rows for name in row.names(0)}
    folders = {path.split("/")[1] for path in tree.paths if re.match(r"arch/sm_\w+/", path)}
    for where, found in (("arch/generations.def", in_rows), (README, in_readme)):
        for generation in sorted(found ^ folders):
            has, lacks = (where, "there is no such folder") if generation in found else ("a folder", f"{where} has no row")
            findings.append(Finding(where, 0, f"the generation {generation}: {has} names it, but {lacks}", "add the row, or remove it"))

    first_column = {name for row in every for name in re.split(r"[, ]+", row.cells[0]) if re.fullmatch(r"[a-z_, ]*[a-z]", row.cells[0])}
    cited = 0
    for path in tree.files("modules"):
        for line, found in matches(r"\(arch/README, row ([^)]*)\)", tree.read(path)):
            cited += 1
            if found[1] not in first_column:
                findings.append(Finding(path, line, f"cites the row {found[1]} of {README}, which does not exist", "correct the name"))
    if cited < 20:
        raise Problem(f"rows: found only {cited} citations in modules/; correct tests/house/rows.py, which reads them")
    return findings, f"{len(listed)} operations, {len(folders)} generations, {cited} citations"


def plants(tree):
    operation = r"^CUDAX_FETCH( *\([^,]*,[^,]*,[^,]*,[^,]*,.*), *70\)"
    yield "another SM in operations.def", tree.replaced("arch/operations.def", operation, r"CUDAX_FETCH\1, 80)"), "is from sm_80"
    row = r"^(\|.*`cudax_fetch_)add(_\{.*)"
    yield "an operation without a row", tree.replaced(README, row, r"\1other\2"), "cudax_fetch_add_u32 .* is from sm_70"
    generation = tree.replaced(README, r"^\| `sm_90a/` \| [A-Z].*\n", "")
    yield "a generation without a row", generation, "sm_90a: a folder names it, but arch/README.md has no row"
    yield "a folder without a row", tree.with_file("arch/sm_999/target.hpp", ""), "sm_999: a folder names it, but arch/generations.def"
    generation = tree.replaced("arch/generations.def", r"^CUDAX_SM +\(80,", "CUDAX_SM (80, sm_999, by_default, 0, 0, 0)\nCUDAX_SM (81,")
    yield "a row without a folder", generation, "sm_999: arch/generations.def names it, but there is no such folder"
    cited = next(path for path in tree.files("modules") if "(arch/README, row " in tree.read(path))
    yield "a citation", tree.replaced(cited, r"\(arch/README, row [^)]*\)", "(arch/README, row planted)"), f"{cited}:.*cites the row planted"
