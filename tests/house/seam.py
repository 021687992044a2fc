# SPDX-License-Identifier: Apache-2.0
"""seam: host and device differ only where modules/README.md says so.

Only modules/machine/device/ includes arch/abi.hpp. Only the files that the table `| file | why |` lists test
CUDAX_ON_DEVICE or CUDAX_HERE, and each of them does.
"""

import fnmatch
import re

from reader import Finding, Problem, includes, matches, tables, without_comments

README = "modules/README.md"
MACROS = r"\bCUDAX_(ON_DEVICE|HERE)\b"


def check(tree):
    findings = []
    table = next((table for table in tables(tree.read(README)) if table.head == ("file", "why")), None)
    if table is None:
        raise Problem(f"{README}: there is no table | file | why | of the files that test CUDAX_ON_DEVICE; write one")
    listed = [(row, name) for row in table.rows for name in row.names(0)]
    needed = set()
    files = [path for path in tree.files("modules", (".cppm", ".hpp")) if not path.startswith("modules/include/")]
    for path in files:
        name, text = path[len("modules/") :], tree.read(path)
        for line, header in includes(text):
            if header.endswith("arch/abi.hpp") and not name.startswith("machine/device/"):
                findings.append(Finding(path, line, "includes arch/abi.hpp", "call a function of modules/machine/device, or add one there"))
        for line, found in matches(MACROS, without_comments(text)):
            rows = [row for row, pattern in listed if fnmatch.fnmatch(name, pattern)]
            needed.update(rows)
            if not rows:
                findings.append(Finding(path, line, f"tests the side ({found[0]})",
                                        f"call modules/machine/device, or list the file in {README} with its reason"))
                break
    for row, name in listed:
        if row not in needed:
            findings.append(Finding(README, row.line, f"lists {name}, which does not test the side", "remove the row"))
    return findings, f"{len(files)} files, {len(listed)} entries of the table"


def plants(tree):
    include = r'\g<0>\n#include "../../arch/abi.hpp"'
    yield "an include of the boundary", tree.replaced("modules/copy/copy_ways.cppm", r"^module;", include), "includes arch/abi.hpp"
    latch = "modules/thread/latch.cppm"
    for macro in ("CUDAX_ON_DEVICE", "CUDAX_HERE"):
        changed = tree.replaced(latch, r"^CUDAX_EVERYWHERE_END", rf"#if {macro}\n#endif\n\g<0>")
        yield f"a test of the side by {macro}", changed, rf"latch.cppm:\d+: tests the side \({macro}\)"
    row = r"| `atomic/fence.cppm` | nothing |\n\g<0>"
    yield "a row that nothing needs", tree.replaced(README, r"^\| `wait/wait.cppm`", row), "lists atomic/fence.cppm, which does not test"
