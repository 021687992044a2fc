# SPDX-License-Identifier: Apache-2.0
"""listed: the build names each source of tests, of benchmarks and of the runtime. One that it does not name never runs.

A source is named if a CMakeLists.txt, a .cmake file or a script of its folder, or of a folder above, has its name as a word,
with or without suffixes, or if one of another folder has it with its folder (`support/main.cpp`). The folders in FOUND have
their sources found by a pattern, and PROJECTS are built by their tests.
"""

import functools
import os
import re

from reader import Finding, Problem

FOLDERS = ("tests", "tools/benchmarks", "runtime", "modules")
FOUND = ("tests/std/", "tests/guide/", "tests/foreign/")
PROJECTS = ("tests/consumer/project/",)


LISTS = ("CMakeLists.txt", ".cmake", ".sh", ".py")  # and commands, which have no suffix


@functools.cache
def words(text):
    """The words of a list, and its paths by their last two parts."""
    text = re.sub(r"#.*", "", text)
    return frozenset(re.findall(r"[\w.]+", text)) | {"/".join(word.split("/")[-2:]) for word in re.findall(r"[\w./]+", text)}


def named(lists, path):
    """Whether a list of its folder or of one above has the name, or any list has it with its folder."""
    folder, name = os.path.split(path)
    names = {name, os.path.splitext(name)[0], name.split(".")[0]}
    in_folder = {f"{os.path.basename(folder)}/{each}" for each in names}
    return any((names & found) if f"{folder}/".startswith(of and of + "/") else (in_folder & found) for of, found in lists)


def check(tree):
    lists = [(os.path.dirname(path), words(tree.read(path))) for path in tree.paths
             if path.startswith(FOLDERS) and not path.startswith("tests/house/")
             and (path.endswith(LISTS) or "." not in os.path.basename(path))]
    findings, count = [], 0
    for folder in FOLDERS:
        for path in tree.files(folder, (".cpp", ".cu", ".cppm")):
            if path.startswith(FOUND + PROJECTS):
                continue
            count += 1
            if not named(lists, path):
                findings.append(Finding(path, 0, "no CMakeLists.txt names it, so nothing builds or runs it",
                                        "add its name to the list of its folder, or remove the file"))
    if count < 200:
        raise Problem(f"listed: understood only {count} sources; correct FOLDERS")
    return findings, f"{count} sources are in a list of the build"


def plants(tree):
    for path in ("tests/runtime/base/planted.cpp", "tests/ptx/planted.ptx.cu", "tests/emulator/machine/planted.cpp",
                 "tools/benchmarks/problems/planted.cu", "runtime/base/planted.cpp", "modules/thread/planted.cppm"):
        yield f"a source in no list, {path}", tree.with_file(path, ""), f"{re.escape(path)}: no CMakeLists.txt names it"
