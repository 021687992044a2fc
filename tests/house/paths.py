# SPDX-License-Identifier: Apache-2.0
"""paths: every path exists that a README.md, or another .md in the root, names.

Checks the relative links, and the words in backticks that have the form of a path of this repository: a file name with one of
the repository's suffixes, or a path whose first folder exists. A path may be relative to the README.md, to the root, or to any
folder on the way (`README.md` rows often shorten `std/atomic/load.run.cpp`). `*` and `{a,b}` stand for several names, and a
name may lack its suffix. In the first column of a table `name.*` stands for files; elsewhere it may be a pattern of test names.
"""

import fnmatch
import os
import re

from reader import Finding, Problem, spelled_out

SUFFIXES = "cpp|hpp|cppm|cu|inc|ptx|sh|cmake|md|in|litmus|expected|json|txt|py|csv|svg|def"
# What is not in the repository: files that tools, builds and users make, and files of other projects.
ELSEWHERE = re.compile(r"(/|~|build/|bin/|lib/|lib64/|include/|proc/)|(answer|program|kernels|main)\.(cu|cpp|o)$|"
                       r"(environment|result|compile_time)\.")
PLACEHOLDER = re.compile(r"NAME|KIND|NN|MEMBER|SECTION|PROGRAM|FOLDER")
WORD = re.compile(r"(?!\.)[A-Za-z0-9_.+*{},/-]+")
FILE = re.compile(rf"[A-Za-z0-9_.+*{{}},/-]*[A-Za-z0-9_*}}+-]\.({SUFFIXES})")
ADVICE = f"correct the name, or add what users make to ELSEWHERE in tests/house/{os.path.basename(__file__)}"


def ends_of(paths):
    """Every path by each end: modules/x/y.cppm is known as that, as x/y.cppm and as y.cppm."""
    known = set()
    for path in paths:
        while path not in known:
            known.add(path)
            path = path.partition("/")[2] or path
    return known


def lines_without_code(text):
    code = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            code = not code
        elif not code and not line.startswith("    "):
            yield number, line


def named(line):
    """The words of a line that name paths, and whether each must be one: otherwise its first folder decides."""
    for word in re.findall(r"`([^` ]+)`", line):
        if WORD.fullmatch(word) and "..." not in word and not PLACEHOLDER.search(word) and not ELSEWHERE.match(word):
            yield word, bool(FILE.fullmatch(word))
    if line.startswith("|"):
        for word in re.findall(r"`([a-z_/]+\.\*)`", line.split("|")[1]):
            yield word, True


def check(tree):
    folders = tree.folders()
    every = tree.paths | folders
    known = ends_of(every)
    stems = {path.rsplit(".", 1)[0] for path in every} | {path.split(".")[0] for path in every}

    def exists(folder, word):
        word = word.rstrip("/")
        beside = os.path.normpath(os.path.join(folder, word))
        if beside in every or word in known or beside in stems or word in stems:
            return True
        return "*" in word and any(fnmatch.fnmatchcase(path, word) or fnmatch.fnmatchcase(path, beside) for path in known)

    checked, findings = 0, []
    for readme in sorted(path for path in tree.paths if os.path.basename(path) == "README.md" or re.fullmatch(r"[^/]*\.md", path)):
        folder = os.path.dirname(readme)
        for number, line in lines_without_code(tree.read(readme)):
            for link in re.findall(r"\]\(([^) ]+)\)", line):
                link = link.partition("#")[0]
                if link and ":" not in link:
                    checked += 1
                    target = os.path.normpath(os.path.join(folder, link))
                    if target not in every and target != ".":
                        findings.append(Finding(readme, number, f"links to '{link}', which does not exist", ADVICE))
            for word, certain in named(line):
                first = word.split("/")[0]
                if certain or ("/" in word and not re.search(r"[.*{]", first) and
                               (os.path.normpath(os.path.join(folder, first)) in folders or first in folders)):
                    for name in spelled_out(word):
                        checked += 1
                        if not exists(folder, name):
                            findings.append(Finding(readme, number, f"names '{name}', which does not exist", ADVICE))
    if checked < 100:
        raise Problem(f"paths: found only {checked} paths in the README.md files; correct tests/house/paths.py, which reads them")
    return findings, f"{checked} paths exist"


def plants(tree):
    for text, name in (("`arch/no_such.hpp`", "arch/no_such.hpp"), ("`no_such.cpp`", "no_such.cpp"), ("`arch/no_such/`", "arch/no_such/"),
                       ("`arch/{abi,no_such}.hpp`", "arch/no_such.hpp"), ("`arch/no_such*.hpp`", "arch/no_such*.hpp"),
                       ("| `no_such.*` | |", "no_such.*")):
        yield f"a name: {text}", tree.with_file("README.md", tree.read("README.md") + f"\n{text}\n"), re.escape(f"names '{name}'")
    link = tree.with_file("README.md", tree.read("README.md") + "\n[page](no_such.md#part)\n")
    yield "a link", link, "links to 'no_such.md'"
    yield "a file that a README names, removed", tree.with_file("arch/generations.def", None), "generations.def', which does not exist"
    in_folder = tree.with_file("arch/README.md", tree.read("arch/README.md") + "\n[page](no_such.md)\n")
    yield "a link in a folder", in_folder, "arch/README.md:.*links to 'no_such.md'"
