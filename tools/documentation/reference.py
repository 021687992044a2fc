#!/usr/bin/env -S python3 -I
# SPDX-License-Identifier: Apache-2.0
"""reference: what the pages of the reference contain: the exported entities, each with its docstring and its place.

    reference.py ROOT

Checks that every exported entity is documented. tests/module/names.inc and names_host.inc list the entities: each of
them needs an entry here, and an entry needs a docstring. An entity has one of these:
  - a docstring above its declaration;
  - a place directly below a documented declaration, without a blank line between them;
  - a name that `forwarded` maps to a documented member.
The table "Sections" of modules/README.md says which units make a page.
"""

import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # an isolated Python (-I) has not
from declarations import BASES, Problem, enumerators, full_name, grouped, inherit, parse_unit, resolve

# Headers whose declarations units of cudax.sync.host export by using-declarations.
HEADERS = ("runtime/interface/error.hpp", "runtime/interface/host_boundary.hpp", "runtime/interface/resources.hpp")
# Classes whose members forward to the members of another class, and are documented there.
FORWARDS_TO = {"atomic": "atomic_ref", "contended": "contended_ref", "contended_ref": "atomic_ref"}


def forwarded(name):
    """Returns the class and the member that a free function of [atomics.nonmembers] calls, or None."""
    found = re.match(r"atomic_(flag_)?(\w+?)(_explicit)?$", name)
    return ("basic_atomic_flag" if found[1] else "atomic_ref", found[2]) if found else None


def read_names(root, file):
    with open(os.path.join(root, "tests/module", file), encoding="utf-8") as text:
        return re.findall(r"^NAME\(([\w:]+)\)", text.read(), re.M)


def read_sections(root):
    """Returns [(title, [unit])] from the table "Sections" of modules/README.md. A star stands for the units of a room that no row
    names."""
    with open(os.path.join(root, "modules/README.md"), encoding="utf-8") as file:
        text = file.read()
    sections = []
    table = re.search(r"^\| section \| units \|\n(\|.*\n)+", text, re.M)
    for title, units in re.findall(r"^\| ([^|]+) \| ([^|]*`[^|]*) \|$", table[0] if table else "", re.M):
        room, names = "", []
        for name in re.findall(r"`([^`]+)`", units):
            if name.endswith("/"):
                room = name
            else:
                names.append(name if "/" in name else room + name)
        title = re.split(r"[:(]", title)[0].strip()
        if sections and sections[-1][0] == title:  # two rows for one page
            sections[-1][1].extend(names)
        else:
            sections.append((title, names))
    if not sections:
        raise Problem('modules/README.md: the table "Sections" was not found; the reference takes its pages from it')
    named = {unit for _, units in sections for unit in units}
    for _, units in sections:
        for star in [unit for unit in units if unit.endswith("/*")]:
            room = star[:-1]
            found = sorted(file[:-5] for file in os.listdir(os.path.join(root, "modules", room)) if file.endswith(".cppm"))
            place = units.index(star)
            units[place : place + 1] = [room + unit for unit in found if room + unit not in named]
    return sections


def page_name(title):
    return re.sub(r"[^a-z]+", "-", title.lower()).strip("-")


def slug(name):
    words = {
        "operator()": "call",
        "operator==": "equal",
        "operator=": "assign",
        "operator*": "dereference",
        "operator->": "arrow",
    }
    return words.get(name, re.sub(r"[^\w]+", "-", name).strip("-").lower() or "operator")


class Reference:
    def __init__(self, root):
        self.root = root
        self.sections = []  # (title, page, [Unit])
        self.places = {}  # exported name -> page#anchor
        self.members = {}  # (class, member) -> page#anchor
        self.described = {}  # id of a docstring -> page#anchor of the first class that has the member
        self.names = {}  # module -> exported names
        problems, listed, read = [], [], []
        headers = [
            part for path in HEADERS if os.path.exists(os.path.join(root, path)) for part in parse_unit(root, path)
        ]
        for title, units in read_sections(root):
            for unit in units:
                if not os.path.exists(os.path.join(root, f"modules/{unit}.cppm")):
                    raise Problem(
                        f'modules/README.md: the table "Sections" names the unit {unit}, and there is no file '
                        f"modules/{unit}.cppm; correct the table"
                    )
            parsed = [part for unit in units for part in parse_unit(root, f"modules/{unit}.cppm")]
            listed += units
            inherit(parsed, read)
            read += parsed
            resolve(parsed, headers)
            self.sections.append(
                (title, page_name(title), [unit for unit in parsed if unit.exported and unit.declarations])
            )
        for title, page, unit, group in self.groups():
            self.note(page, group)
        self.hidden = self.read_all(listed, problems)
        for title, page, unit, group in self.groups():
            names = self.names.setdefault(module_of(title), set())
            for declaration in group:
                names.update([full_name(unit, declaration)] + enumerators(declaration))
            self.check(unit, group, problems)
        found = set().union(*self.names.values())
        for file in ("names.inc", "names_host.inc"):
            for name in read_names(root, file):
                if name not in found:
                    problems.append(
                        f"tests/module/{file}: `{name}` is exported, and reference.py finds no declaration of "
                        "it in the units; correct the list, or teach reference.py this form of declaration"
                    )
        if problems:
            raise Problem("\n".join(dict.fromkeys(problems)))

    def groups(self):
        return [
            (title, page, unit, group)
            for title, page, units in self.sections
            for unit in units
            for group in grouped(unit.declarations)
        ]

    def read_all(self, listed, problems):
        """Finds units that no section names, and the names in signatures that are not exported."""
        hidden = []
        for path in sorted(glob.glob(os.path.join(self.root, "modules/*/**/*.cppm"), recursive=True)):
            path = os.path.relpath(path, self.root)
            unit = path[len("modules/") : -len(".cppm")]
            parts = parse_unit(self.root, path)
            if unit not in listed and any(part.exported and part.declarations for part in parts):
                problems.append(
                    f'{path}: this unit exports declarations, and the table "Sections" of modules/README.md does '
                    "not name it; add it to a row"
                )
            hidden += [d for part in parts if not part.exported for d in part.declarations if d.doc]
        signatures = "\n".join(
            re.sub(r"//.*", "", BASES.sub("", each.signature))
            for _, _, _, group in self.groups()
            for d in group
            for each in [d] + d.members
        )

        def is_used(declaration):  # as a type or a concept, and not as the name of a parameter
            return re.search(rf"\b{declaration.name}(<|>|::|&| \w)", signatures)

        return {
            d.name: d
            for d in hidden
            if d.kind in ("concept", "class", "alias") and d.name not in self.places and is_used(d)
        }

    def note(self, page, group):
        for declaration in group:
            anchor = group[0].name
            self.places.setdefault(declaration.name, f"{page}.md#{anchor}")
            for each in enumerators(declaration):
                self.places.setdefault(each, f"{page}.md#{anchor}")
            for part in grouped(declaration.members):
                for member in part:
                    if part[0].doc:
                        place = f"{page}.md#{declaration.name}.{slug(part[0].name)}"
                        if declaration.name in FORWARDS_TO:  # both may have it of one class that is not exported
                            place = self.described.get(id(part[0].doc), place)
                        self.described.setdefault(id(part[0].doc), place)
                        self.members.setdefault((declaration.name, member.name), place)

    def check(self, unit, group, problems):
        if group[0].doc or any(d.kind == "guide" for d in group):
            return
        documented = {
            name
            for _, _, _, other in self.groups()
            if other[0].doc
            for d in other
            for name in [d.name] + enumerators(d)
        }
        for declaration in group:
            if declaration.name not in documented and forwarded(declaration.name) not in self.members:
                problems.append(
                    f"{unit.path}:{declaration.line}: the exported {declaration.kind} `{declaration.name}` has no "
                    'docstring; write one above the declaration (CONTRIBUTING.md, "Text"), or move the '
                    "declaration directly below a documented one"
                )

    def is_described_elsewhere(self, owner, doc):
        """Whether `owner` has a member of a class that is not exported, and another exported class has it, too."""
        return owner in FORWARDS_TO and f"#{owner}." not in self.described[id(doc)]

    def member_place(self, owner, member):
        while owner:
            if (owner, member) in self.members:
                return self.members[(owner, member)]
            owner = FORWARDS_TO.get(owner)
        return None


def module_of(title):
    return "cudax.sync.host" if title.startswith("host runtime") else "cudax.sync"


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print("usage: reference.py ROOT", file=sys.stderr)
        return 2
    try:
        reference = Reference(sys.argv[1])
    except Problem as problem:
        print(problem, file=sys.stderr)
        return 1
    print(f"{sum(len(names) for names in reference.names.values())} exported names, {len(reference.sections)} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
