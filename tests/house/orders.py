# SPDX-License-Identifier: Apache-2.0
"""orders: each room with primitives has a page, orders.md, that argues the memory orders of its units. modules/README.md, "Orders",
says what a page holds.

A unit of such a room is named by a section of the page if it uses an order other than relaxed, a fence, or a barrier of threads.
Each section has the parts of the form. Functions that it names occur in its units; tests that it names exist. The README.md of the
room links the page.
"""

import os
import re

from reader import Finding, Problem, matches, tables, without_comments

PAGES = tuple(f"modules/{room}" for room in ("machine", "wait", "atomic", "thread", "contended", "copy", "grid", "container", "host")) + (
    "runtime/waiting", "runtime/kernels")
UNITS = (".cppm", ".hpp", ".cpp")
ORDERING = (r"\bmemory_order(?:::|_)(?:acquire|release|acq_rel|seq_cst|consume)\b|\b__ATOMIC_(?:ACQUIRE|RELEASE|ACQ_REL|SEQ_CST)\b|"
            r"\bbefore_wake\b|\bupgrade_to\w*|\bfence(?:_\w+)?(?:<[^<>()]*>)?\(|\b(?:sync|arrive)_(?:block|warp|cluster|grid|named)\w*\(")
TRANSITIONS = ("operation", "from -> to", "instruction")
PROMISES = ("before -> after", "released by", "acquired by", "chain", "guarded by", "mutants")
PARAGRAPHS = ("State", "No order", "Not promised")
ADVICE = 'see "Orders" in modules/README.md'


def sections(text):
    """(line, name, text) of each section that begins with `## `. Lines before a section are blank, so that lines keep their numbers."""
    heads = list(matches(r"^## (.+)$", text))
    for place, (line, head) in enumerate(heads):
        end = heads[place + 1][1].start() if place + 1 < len(heads) else len(text)
        yield line, head[1].strip(), "\n" * (line - 1) + text[head.start() : end]


def units_of(section):
    """The paths after `Units:`, as they are written."""
    found = re.search(r"^Units: (.*(?:\n.+)*)", section, re.M)
    return re.findall(r"`([^`]+)`", found[1]) if found else []


class Tests:
    """What a page may cite."""

    def __init__(self, tree):
        self.paths = tree.paths
        self.kernels, self.programs, self.litmus, self.checked = set(), set(), set(), set()
        for path in tree.files("tests/ptx", (".ptx.cu",)):
            family = os.path.basename(path).removesuffix(".ptx.cu")
            self.kernels.update(f"{family}:{found[1]}" for _, found in matches(r"^KERNEL\((\w+)\)", tree.read(path)))
        for path in tree.files("tests/emulator/check/programs", (".cu",)):
            self.programs.update(found[1] for _, found in matches(r'"(\w+)", "[a-z ]+", ', tree.read(path)))
        for path in tree.files("tests/emulator/check/litmus", (".cu",)):
            self.litmus.update(found[1] for _, found in matches(r'\("([^"]+)"', tree.read(path)))
        self.litmus.update(os.path.basename(path).removesuffix(".litmus") for path in tree.files("tests", (".litmus",)))
        for path in tree.files("tests/std", ("CMakeLists.txt",)):
            self.checked.update(found[1] for _, found in matches(r"^cudax_checked_test\((\S+)", tree.read(path)))
        if len(self.kernels) < 300 or len(self.programs) < 60 or len(self.litmus) < 40 or len(self.checked) < 3:
            raise Problem(f"orders: understood only {len(self.kernels)} kernels, {len(self.programs)} programs, {len(self.litmus)} litmus "
                          f"rows and {len(self.checked)} checked tests; correct tests/house/orders.py, which reads them")

    def has(self, word):
        kind, _, name = word.partition(":")
        known = {"check": self.programs, "litmus": self.litmus, "checked": self.checked}.get(kind)
        if known is not None and name:
            return name in known
        return word in self.kernels or f"tests/{word}" in self.paths


def check_section(tree, page, tests, line, name, section):
    """Findings of one primitive."""
    folder = os.path.dirname(page)
    named = units_of(section)
    if not named:
        yield Finding(page, line, f"{name} names no unit", f"write a line `Units:` with the files; {ADVICE}")
    texts = []
    for unit in named:
        path = os.path.normpath(os.path.join(folder, unit))
        if path in tree.paths:
            texts.append(tree.read(path))
        else:
            yield Finding(page, line, f"{name} names the unit {unit}, which does not exist", "correct the name")
    for paragraph in PARAGRAPHS:
        if not re.search(rf"^\*\*{paragraph}\.\*\* \S", section, re.M):
            yield Finding(page, line, f"{name} has no paragraph **{paragraph}.**", ADVICE)
    found = tables(section)
    for head in (TRANSITIONS, PROMISES):
        rows = [row for table in found if table.head == head for row in table.rows]
        if not rows:
            yield Finding(page, line, f"{name} has no row in a table | {' | '.join(head)} |", ADVICE)
        for row in rows:
            if len(row.cells) != len(head) or not all(row.cells):
                yield Finding(page, row.line, f"{name}: a row has {sum(map(bool, row.cells))} cells with text, not {len(head)}", ADVICE)
                continue
            functions = [word for column, title in enumerate(head) if title in ("operation", "released by", "acquired by")
                         for word in row.names(column)]
            for word in functions:
                last = re.sub(r"\(\)$", "", word).split("::")[-1]
                if not any(re.search(rf"(?<!\w){re.escape(last)}(?!\w)", text) for text in texts):
                    yield Finding(page, row.line, f"{name} names {word}, which is not in {', '.join(named)}",
                                  "correct the name, or add the unit to the line `Units:`")
            if head is PROMISES:
                cited = row.names(PROMISES.index("guarded by"))
                if not cited and not re.match(r"none: \S+ \S+", row.cells[PROMISES.index("guarded by")]):
                    yield Finding(page, row.line, f"{name}: a promise names no test", "name one, or write `none: ` and why")
                for word in cited:
                    if not tests.has(word):
                        yield Finding(page, row.line, f"{name} names the test {word}, which does not exist", f"correct the name; {ADVICE}")


UNCHANGED = {}  # what was found in the tree without changes: most planted violations touch one room, and no test


def tests_of(tree):
    if any(path.startswith("tests/") for path in tree.changes):
        return Tests(tree)
    if "tests" not in UNCHANGED:
        UNCHANGED["tests"] = Tests(tree)
    return UNCHANGED["tests"]


def check_room(tree, folder):
    """The findings in a room, and how many primitives, promises and units it has."""
    page, readme = f"{folder}/orders.md", f"{folder}/README.md"
    if page not in tree.paths:
        return [Finding(page, 0, "does not exist", f"write the page of the room; {ADVICE}")], 0, 0, 0
    findings, primitives, promises, units, covered = [], 0, 0, 0, set()
    if "](orders.md)" not in tree.read(readme):
        findings.append(Finding(readme, 0, "does not link orders.md", "add a link to the page"))
    for line, name, section in sections(tree.read(page)):
        primitives += 1
        promises += sum(len(table.rows) for table in tables(section) if table.head == PROMISES)
        covered.update(os.path.normpath(os.path.join(folder, unit)) for unit in units_of(section))
        findings += check_section(tree, page, tests_of(tree), line, name, section)
    for path in tree.files(folder, UNITS):
        use = next(matches(ORDERING, without_comments(tree.read(path))), None)
        units += use is not None
        if use and path not in covered:
            findings.append(Finding(path, use[0], f"orders memory ({use[1][0].rstrip('(')}), and no section of {page} names it",
                                    f"argue the order there; {ADVICE}"))
    return findings, primitives, promises, units


def check(tree):
    findings, counts = [], [0, 0, 0]
    for folder in PAGES:
        if not tree.changes or folder not in UNCHANGED or any(path.startswith((folder + "/", "tests/")) for path in tree.changes):
            found = check_room(tree, folder)
            if not tree.changes:
                UNCHANGED[folder] = found
        else:
            found = UNCHANGED[folder]
        findings += found[0]
        counts = [sum(both) for both in zip(counts, found[1:])]
    primitives, promises, units = counts
    if units < 30:
        raise Problem(f"orders: found only {units} units that order memory; correct tests/house/orders.py, which searches them")
    return findings, f"{promises} promises of {primitives} primitives, in {units} units that order memory"


def plants(tree):
    for folder in PAGES:
        page = f"{folder}/orders.md"
        yield f"{folder}: no page", tree.with_file(page, None), re.escape(f"{page}: does not exist")
        yield (f"{folder}: no link", tree.replaced(f"{folder}/README.md", r"\]\(orders\.md\)", "](no.md)"),
               re.escape(f"{folder}/README.md: does not link"))
        planted = f"{folder}/planted.hpp"
        for text, use in (("x.load(memory_order::acquire);", "memory_order::acquire"), ("fence<S>(order);", "fence<S>"),
                          ("gpu::sync_block();", "sync_block"), ("upgrade_to_acquire<S, u32>(at);", "upgrade_to_acquire")):
            yield (f"{folder}: a unit that no section names: {text}", tree.with_file(planted, f"\n{text}\n"),
                   re.escape(f"{planted}:2: orders memory ({use})"))
    page = "modules/thread/orders.md"
    for paragraph in PARAGRAPHS:
        yield f"no paragraph {paragraph}", tree.replaced(page, rf"^\*\*{paragraph}\.\*\*", "**Other.**"), rf"latch has no paragraph \*\*{paragraph}"
    for head in (TRANSITIONS, PROMISES):
        line = re.escape(f"| {' | '.join(head)} |")
        yield f"no table {head[0]}", tree.replaced(page, f"^{line}", "| other |"), f"latch has no row in a table . {re.escape(head[0])}"
    first = next(number for number, text in enumerate(tree.read(page).split("\n"), 1) if text.startswith("| " + " | ".join(PROMISES)))
    row = "| a before b | `{0}` | `wait` | none | `{1}` | none |"
    for released, test, expected in (("no_such", "arriving:latch_wait", "names no_such, which is not in latch.cppm"),
                                     ("count_down", "arriving:no_such", "names the test arriving:no_such"),
                                     ("count_down", "std/thread/no_such.run.cpp", "names the test std/thread/no_such.run.cpp"),
                                     ("count_down", "check:no_such", "names the test check:no_such"),
                                     ("count_down", "litmus:no such", "names the test litmus:no such"),
                                     ("count_down", "checked:no_such", "names the test checked:no_such")):
        changed = tree.with_line(page, first + 1, f"|---|---|---|---|---|---|\n{row.format(released, test)}")
        yield f"a row with {released} and {test}", changed, re.escape(expected)
    no_test = tree.with_line(page, first + 1, "|---|---|---|---|---|---|\n| a before b | `count_down` | `wait` | none | nothing | none |")
    yield "a row without a test", no_test, "a promise names no test"
    empty = tree.with_line(page, first + 1, "|---|---|---|---|---|---|\n| a before b | `count_down` | | none | none: it is planted | none |")
    yield "a row with an empty cell", empty, "a row has 5 cells with text, not 6"
    kernel = tree.replaced("tests/ptx/arriving.ptx.cu", r"^KERNEL\(latch_count_down\)", "KERNEL(latch_counts_down)")
    yield "a kernel that a page names, renamed", kernel, "names the test arriving:latch_count_down"
    yield "a unit that does not exist", tree.replaced(page, r"^Units: `latch\.cppm`", "Units: `no_such.cppm`"), "names the unit no_such.cppm"
    yield "no unit", tree.replaced(page, r"^Units: `latch\.cppm`.*", "Unit"), "latch names no unit"
