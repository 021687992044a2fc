# SPDX-License-Identifier: Apache-2.0
"""program: what the header comment of a program says.

    // Source: project#number: what the report says      (one or more lines)
    // Form: right
    // Form: NAME: KIND                                   a finding of this kind (tools/emulator/check), in some seed
    // Form: NAME: wrong answer                           no finding; in some seed the host sees the wrong answer
    // Form: NAME: missed                                 neither, in any seed; the next lines say why
    // Why: text
"""

import os
import re
import sys
from dataclasses import dataclass, field

KINDS = ("race", "stale", "misuse", "possible hang", "livelock", "deadlock", "divergence", "out of bounds", "use after free",
         "uninitialised", "trap", "assertion", "wrong answer", "missed")
FOLDER = os.path.dirname(os.path.abspath(__file__))


@dataclass
class Form:
    name: str
    expected: str  # of KINDS; empty: right
    why: list = field(default_factory=list)
    lines: set = field(default_factory=set)  # that a finding has to name, one of them


@dataclass
class Program:
    name: str  # TOPIC.NAME
    path: str
    about: str  # the first sentence
    sources: list
    forms: list


def fail(path, number, what):
    sys.exit(f"{os.path.relpath(path, os.path.dirname(os.path.dirname(FOLDER)))}:{number}: {what}")


def read(path):
    topic, name = os.path.split(os.path.splitext(path)[0])
    program = Program(f"{os.path.basename(topic)}.{name}", path, "", [], [])
    text = []
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for number, line in enumerate(lines, 1):
        if not line.startswith("//"):
            break
        line = line[2:].strip()
        if found := re.fullmatch(r"Source: (.+)", line):
            program.sources.append(found[1])
        elif found := re.fullmatch(r"Form: (\w+)(?:: (.+))?", line):
            form = Form(found[1], found[2] or "")
            if (form.name == "right") != (not form.expected) or (form.expected and form.expected not in KINDS):
                fail(path, number, f"the form {form.name} says '{form.expected}'; 'right' says nothing, others one of {', '.join(KINDS)}")
            program.forms.append(form)
        elif found := re.fullmatch(r"Why: (.+)", line):
            if not program.forms or program.forms[-1].expected != "missed":
                fail(path, number, "'Why:' does not follow a form that is missed; move it, or remove it")
            program.forms[-1].why.append(found[1])
        elif not line.startswith("SPDX"):
            text.append(line)
    program.about = re.split(r"[.:;] ", " ".join(text).strip().rstrip("."))[0] + "."
    names = {form.name: form for form in program.forms}
    for number, line in enumerate(lines, 1):
        if found := re.search(r"// found: ([\w, ]+)$", line):
            if line.lstrip().startswith("//"):
                fail(path, number, "marks a line of comments; move the mark to the end of the line that the finding names")
            for name in found[1].split(", "):
                marked = [form for form in program.forms if name in (form.name, form.expected)]
                if not marked:
                    fail(path, number, f"marks a line for '{name}', which is no form and no kind of a 'Form:' line; correct the mark")
                for form in marked:
                    form.lines.add(number)
    if not program.sources or not program.about:
        fail(path, 1, "the header comment has no text, or no 'Source:' line; add it")
    if len(names) != len(program.forms) or len(names) < 2 or "right" not in names:
        fail(path, 1, f"the forms are {list(names)}; each needs a name of its own, one is 'right', and at least one is wrong")
    for form in program.forms:
        marked = form.expected not in ("", "missed", "wrong answer")
        if marked != bool(form.lines):
            fail(path, 1, f"the form {form.name} " + ("has no line marked '// found: ...'; mark those that the finding names" if marked
                                                     else "has marked lines, but gives no finding; remove the marks"))
        if (form.expected == "missed") != bool(form.why):
            fail(path, 1, f"the form {form.name} is missed without a reason; add a line 'Why: ...'")
    return program


def all_programs():
    """Of every file TOPIC/NAME.cu, in the order of their names."""
    found = []
    for topic, _, files in sorted(os.walk(FOLDER)):
        found += [read(os.path.join(topic, file)) for file in sorted(files) if file.endswith(".cu")]
    return found
