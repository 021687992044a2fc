# SPDX-License-Identifier: Apache-2.0
"""own_names: each test body of tests/std, and each header there, has names of its own.

The bodies are linked to one program, where two templates, inlined functions or classes of one name and one set of arguments are
one: the tests of one file would run the other's code. A name in an unnamed namespace is a file's own.
"""

import re

from reader import Finding, Problem

SKIPPED = re.compile(r"static|using|namespace|import|typedef|extern|return|TEST|DEVICE_TEST|CONCURRENT_TEST|#|//|[ }]|$")
TEMPLATE = re.compile(r"template <.*> *(?:requires [^ ]+ )?(?=(?:struct|class|enum) )|template <.*> ")
TYPE = re.compile(r"(?:struct|class|union|enum(?: class)?) (?:alignas\([^)]*\) )?([a-z_0-9]+) *(?:[:{].*)?")
FUNCTION = re.compile(r"[a-zA-Z_\[][\w:<>,*&\[\] ]* [*&]?(\w+)\([^;{]*(?:\{.*)?")
CONSTANT = re.compile(r"(?:inline )?constexpr [\w:<>,*& ]* [*&]?(\w+)(?: =.*|\(\w.*\)|\{.*);.*")


def names_of(text):
    """(line, name) of the types and functions at namespace scope, as clang-format writes them."""
    unnamed = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("namespace {"):
            unnamed = True
        elif line == "} // namespace":
            unnamed = False
        if unnamed or SKIPPED.match(line):
            continue
        line = TEMPLATE.sub("", line, count=1)
        found = TYPE.fullmatch(line) or CONSTANT.fullmatch(line) or FUNCTION.fullmatch(line)
        if found:
            yield number, found[1]


def check(tree):
    first, findings = {}, []
    for path in tree.files("tests/std", (".run.cpp", ".hpp")):
        for line, name in names_of(tree.read(path)):
            other = first.setdefault(name, path)
            if other != path:
                findings.append(Finding(path, line, f"the name {name} is also in {other}", "rename it, or put it in an unnamed namespace"))
    if len(first) <= 200:
        raise Problem(f"own_names: found only {len(first)} names in tests/std; correct tests/house/own_names.py, which reads them")
    return findings, f"{len(first)} names, each of one file"


def plants(tree):
    one, other = tree.files("tests/std", ".run.cpp")[:2]
    for text in ("struct planted {\n};", "template <class T>\nstruct planted {\n};", "template <class T> void planted(T value) {\n}",
                 "enum class planted { one };", "int* planted(int first, int second) {\n}", "class alignas(16) planted {\n};",
                 "inline u64 planted(int i) { return i; }", "template <class T> T planted(int i) {\n}", "[[nodiscard]] bool planted() {\n}",
                 "__device__ void planted(int i) { use(i); }", "inline constexpr unsigned planted = 3; // most"):
        changed = tree.with_file(one, tree.read(one) + f"\n{text}\n")
        changed = changed.with_file(other, tree.read(other) + f"\n{text}\n")
        yield f"a name in two files: {text}", changed, f"the name planted is also in {re.escape(one)}"
