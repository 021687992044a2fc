# SPDX-License-Identifier: Apache-2.0
"""reader: what all checks read the repository with.

A `Tree` is the repository, perhaps with changes that exist in memory only: so a check runs on the tree as it is, and on the
tree with one planted violation, in one process and without a copy.
"""

import functools
import os
import re
from dataclasses import dataclass

SOURCES = (".cppm", ".hpp", ".cpp", ".cu", ".h", ".inc", ".def")


@dataclass(frozen=True)
class Finding:
    """One violation: where it is, what is wrong, and what to do."""

    path: str
    line: int  # 0: the whole file
    what: str
    advice: str

    def __str__(self):
        return f"{self.path}{f':{self.line}' if self.line else ''}: {self.what}; {self.advice}"


class Problem(Exception):
    """The check cannot read what it is for. The text says where, what, and what to do."""


class Tree:
    """The files of the repository, by their paths from its root."""

    def __init__(self, root, inputs=None):
        self.root = root
        self.inputs = inputs or {}  # what a check reads of a build: name -> value
        self.texts = {}  # path -> text, or None for a file that is not there
        self.paths = set()
        self.listed = {}  # what files() has found
        self.changes = frozenset()  # the paths that with_file() has changed
        for folder, folders, names in os.walk(root):
            here = os.path.relpath(folder, root)
            here = "" if here == "." else here + "/"
            folders[:] = [name for name in folders if name not in (".git", "__pycache__") and not (here == "" and name.startswith("build"))]
            self.paths.update(here + name for name in names)

    def read(self, path):
        """The text of a file; an absolute path is one of a build."""
        if path in self.texts and self.texts[path] is None:
            raise FileNotFoundError(path)
        if path not in self.texts:
            with open(os.path.join(self.root, path), encoding="utf-8") as file:
                self.texts[path] = file.read()
        return self.texts[path]

    def files(self, folder, suffixes=SOURCES):
        """The paths below `folder` that end in one of `suffixes`, sorted."""
        if (folder, suffixes) not in self.listed:
            prefix = folder.rstrip("/") + "/" if folder else ""
            found = sorted(path for path in self.paths if path.startswith(prefix) and path.endswith(suffixes))
            self.listed[folder, suffixes] = found
        return self.listed[folder, suffixes]

    def folders(self):
        """The paths of all folders that hold a file, directly or below."""
        found = set()
        for path in self.paths:
            while (path := os.path.dirname(path)) and path not in found:
                found.add(path)
        return found

    def with_file(self, path, text):
        """This tree with another text in `path`, or without the file if `text` is None."""
        copy = Tree.__new__(Tree)
        copy.root, copy.inputs, copy.changes = self.root, self.inputs, self.changes | {path}
        copy.texts = {**self.texts, path: text}
        copy.paths = self.paths | {path} if text is not None else self.paths - {path}
        copy.listed = self.listed if copy.paths == self.paths else {}
        return copy

    def replaced(self, path, pattern, replacement):
        """This tree with the first match of `pattern` in `path` replaced."""
        text, count = re.subn(pattern, replacement, self.read(path), count=1, flags=re.M)
        if not count:
            raise Problem(f"{path}: the violation to plant finds no '{pattern}'; correct the plant")
        return self.with_file(path, text)

    def with_line(self, path, line, text):
        """This tree with another text in one line; without the line if `text` is None."""
        lines = self.read(path).split("\n")
        lines[line - 1 : line] = [] if text is None else text.split("\n")
        return self.with_file(path, "\n".join(lines))


# --- Markdown ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    line: int
    cells: tuple

    def names(self, column):
        """The words in backticks of a cell."""
        return re.findall(r"`([^`]+)`", self.cells[column]) if column < len(self.cells) else []


@dataclass(frozen=True)
class Table:
    line: int
    head: tuple
    rows: tuple


@functools.cache
def tables(text):
    """The tables of a Markdown text."""
    found, head, rows, begin = [], None, [], 0
    for number, line in enumerate(text.split("\n") + [""], 1):
        if line.startswith("|"):
            cells = tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1])
            if head is None:
                head, begin = cells, number
            elif not re.fullmatch(r"[-:| ]+", line):
                rows.append(Row(number, cells))
        elif head is not None:
            found.append(Table(begin, head, tuple(rows)))
            head, rows = None, []
    return found


def spelled_out(word):
    """The names that a word with lists in braces stands for: `cudax_load_{u8,u16}` names two."""
    found = re.fullmatch(r"([^{]*)\{([^}]*)\}(.*)", word)
    return [name for part in found[2].split(",") for name in spelled_out(found[1] + part + found[3])] if found else [word]


# --- sources ----------------------------------------------------------------------------------------------------------


@functools.cache
def without_comments(text):
    """C++ without comments; the lines keep their numbers. A string that holds `//` loses what follows it."""
    text = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), text, flags=re.S)
    return re.sub(r"//.*", "", text)


def matches(pattern, text):
    """(line, match) of each match of a pattern of one line."""
    line, position = 1, 0
    for match in re.finditer(pattern, text, re.M):
        line += text.count("\n", position, match.start())
        position = match.start()
        yield line, match


@functools.cache
def includes(text):
    """(line, name) of each `#include "name"`."""
    return [(line, found[1]) for line, found in matches(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', text)]


@functools.cache
def module_of(text):
    """The name of the module or the partition that a unit declares, or None."""
    found = re.search(r"^export module ([\w.:]+);", text, re.M)
    return found and found[1]


@functools.cache
def imports(text):
    """(line, name) of each import, with the unit's own module before the name of a partition."""
    own = (module_of(text) or "").split(":")[0]
    return [(line, own + found[1] if found[1].startswith(":") else found[1])
            for line, found in matches(r"^(?:export )?import ([\w.:]+);", text)]


def cmake_list(tree, path, name):
    """The words of `set(NAME ...)` in a file of CMake."""
    found = re.search(rf"^\s*set\({name}\s([^)]*)\)", tree.read(path), re.M)
    if not found:
        raise Problem(f"{path}: there is no set({name} ...); this check reads that list")
    return re.sub(r"#.*", "", found[1]).split()
