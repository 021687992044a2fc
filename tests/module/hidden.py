#!/usr/bin/env -S python3 -I
# SPDX-License-Identifier: Apache-2.0
"""hidden: a program that imports a module can use no name except the listed ones.

    hidden.py MODULE NAMES ROOT DIRECTORY COMMAND...

MODULE is cudax.sync or cudax.sync.host, NAMES the list of its exported names (names.inc), COMMAND a compiler's command line for
one flavour. The names that must be hidden are not typed here: the compiler lists the declarations of the module's units. For each
declaration in namespace cudax or in the global namespace that is not in NAMES, naming it must be an error. No macro may be
defined.
"""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../house"))
import reader

HEADERS = {"cudax.sync": "", "cudax.sync.host": "#include <memory_resource>\n#include <string>\n#include <system_error>\n#include <vector>\n"}


def units_of(tree, module):
    host = lambda path: path.startswith("modules/host/") or path == "modules/sync_host.cppm"
    return [path for path in tree.files("modules", ".cppm") if host(path) == (module == "cudax.sync.host") and "/include/" not in path]


def declarations(root, units, command):
    """What the units declare. The list also holds parameters, which look like members of a namespace and are hidden as well."""
    language = "cuda" if "cuda" in command else "c++-module"
    found = set()
    for unit in units:
        output = subprocess.run([*command, "-x", language, "-nocudainc", "-Qunused-arguments", "-w", "-fsyntax-only", "-Xclang", "-ast-list",
                                 f"{root}/{unit}"], check=True, stdout=subprocess.PIPE, text=True).stdout
        found.update(output.split("\n"))
    return found


def source(module, internal, hidden_globals, macros):
    """A program in which naming each of these must be an error (clang -verify)."""
    lines = [f"{HEADERS[module]}import {module};", "namespace hidden {"]
    lines += [f"using cudax::{name}; // expected-error {{{{no member named '{name}' in namespace 'cudax'}}}}" for name in internal]
    lines += [f"using ::{name}; // expected-error {{{{no member named '{name}' in the global namespace}}}}" for name in hidden_globals]
    lines += ["}"] + [f'#if defined({macro})\n#error "macro {macro} is visible"\n#endif' for macro in macros]
    return "\n".join(lines) + "\n"


def main(module, names, root, directory, *command):
    if module not in HEADERS:
        print(f"hidden.py: module '{module}' is unknown; use cudax.sync or cudax.sync.host", file=sys.stderr)
        return 2
    tree = reader.Tree(root)
    declared = declarations(root, units_of(tree, module), command)
    with open(names, encoding="utf-8") as file:
        listed = {name.split("::")[0] for name in re.findall(r"^NAME\((.*)\)$", file.read(), re.M)}
    internal = sorted({name[7:] for name in declared if re.fullmatch(r"cudax::[A-Za-z_]\w*", name)} - listed)
    hidden_globals = sorted(name for name in declared if re.fullmatch(r"cudax_\w+", name))
    headers = [path for path in tree.files("", (".hpp", ".def")) if re.match(r"(modules/(?!include/)|arch/|runtime/)", path)]
    macros = sorted({macro for path in headers for macro in re.findall(r"^#define (CUDAX_[A-Z_0-9]*)", tree.read(path), re.M)})
    if len(internal) < 8 or "runtime" not in internal or len(macros) < 10:  # an incomplete list would check nothing
        print(f"{module}: the compiler's list of declarations lacks what the units declare: {len(internal)} names, {len(macros)} macros; "
              "correct hidden.py, which reads it", file=sys.stderr)
        return 1
    os.makedirs(directory, exist_ok=True)

    with open(os.path.join(directory, "hidden.cpp"), "w", encoding="utf-8") as file:
        file.write(source(module, internal, hidden_globals, macros))
    result = subprocess.run([*command, "-fsyntax-only", "-fno-spell-checking", "-ferror-limit=0", "-Xclang", "-verify", "-Xclang",
                             "-verify-ignore-unexpected=note", "hidden.cpp"], cwd=directory)
    if result.returncode:
        print(f"{module}: a name that is not in {names} is visible; list it there, or do not export it", file=sys.stderr)
        return 1
    print(f"{module}: {len(internal)} names of namespace cudax, {len(hidden_globals)} global ones and {len(macros)} macros are hidden")
    return 0


sys.exit(main(*sys.argv[1:]))
