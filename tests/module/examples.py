#!/usr/bin/env -S python3 -I
# SPDX-License-Identifier: Apache-2.0
"""examples: the usage examples in the docstrings compile without a warning.

    examples.py ROOT DIRECTORY COMMAND...

DIRECTORY receives the generated source, COMMAND is the compiler's command line for one flavour. tests/house/examples.py says
what an example is, and how they become one source.
"""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../house"))
import examples
import reader

root, directory, *command = sys.argv[1:]
os.makedirs(directory, exist_ok=True)
text = examples.source(reader.Tree(root))
with open(os.path.join(directory, "examples.cpp"), "w", encoding="utf-8") as file:
    file.write(text)
ignored = [f"-Wno-unused-{what}" for what in ("variable", "but-set-variable", "function")]
result = subprocess.run([*command, "-fsyntax-only", "-ferror-limit=0", "-Wall", "-Wextra", "-Werror", *ignored, "examples.cpp"], cwd=directory)
if result.returncode == 0:
    print(f"{text.count('namespace example_')} examples compile")
sys.exit(result.returncode)
