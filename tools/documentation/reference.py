#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""reference: the pages of the reference, made from the docstrings of the exported units.

    reference.py ROOT [FOLDER]

Writes the pages to FOLDER. Without FOLDER it only checks that every exported entity is documented.

It reads the declarations between `export namespace cudax {` and its closing brace, as clang-format leaves them. It does
not need a compiler. tests/module/names.inc and names_host.inc list the entities: each of them needs an entry here, and
an entry needs a docstring. An entity has one of these:
  - a docstring above its declaration;
  - a place directly below a documented declaration, without a blank line between them;
  - a name that `forwarded` maps to a documented member.
The table "Status" of modules/README.md says which units make a page.
"""

import glob
import os
import re
import sys
from dataclasses import dataclass, field

FIELDS = ("Source", "Order", "Scope", "Units", "Requires", "Errors")
# Headers whose declarations units of cudax.sync.host export by using-declarations.
HEADERS = ("runtime/error.hpp", "runtime/host_boundary.hpp", "runtime/resources.hpp")
# Classes whose members forward to the members of another class, and are documented there.
FORWARDS_TO = {"atomic": "atomic_ref", "contended": "contended_ref", "contended_ref": "atomic_ref"}

# Where the guide explains what a section is for.
GUIDE_PAGES = {
    "scopes and orders": ["scopes", "memory_model"],
    "atomics": ["scopes", "memory_model"],
    "contended atomics": ["performance"],
    "latch, barrier, thread groups": ["memory_model", "execution_model"],
    "semaphores, locks": ["execution_model"],
    "stop tokens": ["persistent_kernel"],
    "asynchronous copies, pipelines": ["porting"],
    "work stealing": ["work_stealing"],
    "containers": ["execution_model"],
    "host runtime": ["host_and_device", "waiting"],
}


class Problem(Exception):
    """What is wrong with the units. The text says where, what, and what to do."""


@dataclass
class Doc:
    text: list = field(default_factory=list)  # lines
    fields: dict = field(default_factory=dict)  # name -> lines
    example: list = field(default_factory=list)  # lines


@dataclass
class Declaration:
    name: str
    kind: str  # class, enum, concept, alias, function, variable, guide
    signature: str
    line: int
    doc: Doc = None
    joined: bool = False  # directly below another declaration, without a blank line
    members: list = field(default_factory=list)


@dataclass
class Unit:
    path: str
    namespace: str = ""
    exported: bool = True
    declarations: list = field(default_factory=list)


# --- reading the units ------------------------------------------------------------------------------------------------


def parse_doc(lines):
    """Splits the lines of a docstring, without their slashes, into text, fields and example."""
    doc, into = Doc(), None
    into = doc.text
    for line in lines:
        found = re.match(r"([A-Z][a-z]+):(?:\s+(.*))?$", line)
        if found and found[1] == "Example":
            into = doc.example
        elif found and found[1] in FIELDS:
            into = doc.fields.setdefault(found[1], [])
            into.append(found[2] or "")
        elif into is doc.example:
            into.append(line[4:])
        else:
            into.append(line if into is doc.text else line.strip())
    return doc


def closing(text, at):
    """Returns the position after the bracket that closes the one at `at`. Skips strings, characters and comments."""
    depth, i = 0, at
    while i < len(text):
        c = text[i]
        if c in "\"'" and not (c == "'" and text[i - 1 : i].isalnum()):
            i = end_of_string(text, i)
            continue
        if text.startswith("//", i):
            i = text.find("\n", i)
            continue
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    raise ValueError("a bracket is not closed")


def end_of_string(text, at):
    i = at + 1
    while text[i] != text[at]:
        i += 2 if text[i] == "\\" else 1
    return i + 1


def end_of_declaration(text, at):
    """Returns the end of the declaration that begins at `at`, and where its last pair of braces begins, or None."""
    i, body = at, None
    while i < len(text):
        c = text[i]
        if c == ";":
            return i + 1, body
        if c in "\"'" and not (c == "'" and text[i - 1 : i].isalnum()):
            i = end_of_string(text, i)
        elif text.startswith("//", i):
            i = text.find("\n", i)
        elif c in "([":
            i = closing(text, i)
        elif c == "{":
            body, i = i, closing(text, i)
            rest = text[i:].lstrip()
            if rest.startswith(";"):
                return text.index(";", i) + 1, body
            if not re.match(r"\{|,|:|&&|\|\||=|noexcept", rest):
                return i, body
        else:
            i += 1
    raise ValueError("a declaration does not end")


def without_macros(text):
    """Removes CUDAX_...(...) from a signature: checks of the compiler that say nothing about the interface."""
    while found := re.search(r"\s*\bCUDAX_[A-Z_]+\b", text):
        end = found.end()
        if text[end : end + 1] == "(":
            end = closing(text, end)
        text = text[: found.start()] + text[end:]
    return text


def after_template(text):
    """Returns `text` without its template header and the requires-clause of the header."""
    while found := re.match(r"template\s*<", text):
        depth, i = 0, found.end() - 1
        while True:
            if text[i] == "(":
                i = closing(text, i)
                continue
            depth += (text[i] == "<") - (text[i] == ">" and text[i - 1] != "-")
            i += 1
            if depth == 0:
                break
        text = text[i:].lstrip()
        if re.match(r"requires\b", text):
            text = text[len("requires") :].lstrip()
            while True:
                if text.startswith("requires"):
                    text = text[text.index("{") :]
                if text[0] in "({":
                    text = text[closing(text, 0) :].lstrip()
                else:
                    text = re.sub(r"^!?[\w:]+(<[^()]*?>)?(?=\s)", "", text).lstrip()
                if not re.match(r"&&|\|\|", text):
                    break
                text = text[2:].lstrip()
    return text


def kind_and_name(declaration):
    text = after_template(declaration)
    text = re.sub(r"\[\[[^\]]*\]\]\s*|alignas\([^)]*\)\s*|__attribute__\(\(.*?\)\)\s*", "", text)
    if found := re.match(r"using\s+(\w+)\s*=", text):
        return "alias", found[1]
    if found := re.match(r"using\s+(?:\w+::)*(\w+)\s*;", text):
        return "alias", found[1]
    if found := re.match(r"concept\s+(\w+)", text):
        return "concept", found[1]
    if re.match(r"friend\b", text) and not re.search(r"\boperator|\{", text):
        return "", ""
    if re.match(r"(static_assert|namespace|using|friend\s+(class|struct))\b", text):
        return "", ""
    if found := re.match(
        r"(class|struct|enum(?: class| struct)?)\s+(\w+)\s*(<[^{;]*?>)?\s*(?:final\s*)?(:[^:]|\{|;|$)", text
    ):
        kind = "enum" if found[1].startswith("enum") else "class"
        return ("forward" if found[4] == ";" else kind), found[2]
    if found := re.match(r"(\w+)\([^{]*\)\s*->", text):
        return "guide", found[1]
    if found := re.search(r"\boperator\s*(\(\)|[^\s(\w]+|[\w:<>]+(?=\())", text):
        return "function", "operator" + (" " if found[1][0].isalpha() else "") + found[1]
    head = re.split(r"=(?!=)|\{", text)[0]
    found = re.search(r"(~?\w+)\s*\(", re.sub(r"\b(noexcept|requires|explicit|decltype)\s*\(", "", head))
    if found:
        return "function", found[1]
    found = re.search(r"(\w+)\s*(\[[^\]]*\])?\s*(=|\{|;)", text)
    return ("variable", found[1]) if found else ("", "")


def signature_of(text, body, kind):
    """The declaration without its body and without what says nothing about the interface."""
    if kind == "enum":
        return text.replace("///<", "//")
    cut = body is not None and kind in ("class", "function")
    signature = without_macros(text[:body] if cut else text)
    if cut and kind == "function":  # cut the initializers of a constructor
        depth = 0
        for i, c in enumerate(signature):
            depth += (c in "([{") - (c in ")]}")
            if c == ":" and depth == 0 and "::" not in signature[max(i - 1, 0) : i + 2] and ")" in signature[:i]:
                signature = signature[:i]
                break
    if cut:
        signature = signature.rstrip() + ";"
    signature = re.sub(r"\s*//.*", "", signature)
    signature = re.sub(r"\binline (?!constexpr)", "", signature)
    return re.sub(r"\bu32\b", "unsigned", re.sub(r"\bu64\b", "unsigned long long", signature))


def dedent(text, column):
    return "\n".join(line[column:] if line[:column].isspace() else line for line in text.split("\n")).strip()


def parse_level(text, at, end, path, public=True):
    """Returns the declarations between `at` and `end`, which lie in a namespace or in a class."""
    found, doc, i, blank = [], None, at, True
    while i < end:
        if text[i].isspace():
            if text[i] == "\n" and re.match(r"\n[ \t]*\n", text[i:]):
                blank = True
                doc = None
            i += 1
            continue
        if text[i] == "#":  # a directive, with its continued lines
            while text[(line_end := text.index("\n", i)) - 1] == "\\":
                i = line_end + 1
            i = line_end
            continue
        if text.startswith("///", i) and not text.startswith("///<", i):
            lines = []
            while text.startswith("///", i):
                line_end = text.index("\n", i)
                lines.append(re.sub(r"^/// ?", "", text[i:line_end]))
                i = line_end + 1
                while text[i] in " \t":
                    i += 1
            doc = parse_doc(lines)
            blank = True
            continue
        if text.startswith("//", i):
            i = text.index("\n", i)
            continue
        if access := re.match(r"(public|private|protected)\s*:", text[i:end]):
            public, i, blank = access[1] == "public", i + access.end(), True
            continue
        if macro := re.match(r"CUDAX_[A-Z_]+(?=[\s(])", text[i:end]):
            i += macro.end()
            if text[i] == "(":
                i = closing(text, i)
            if text[i] == ";":
                i += 1
            continue
        if text[i] == ";":
            i += 1
            continue
        line = text.count("\n", 0, i) + 1
        try:
            stop, body = end_of_declaration(text, i)
        except ValueError as error:
            raise Problem(f"{path}:{line}: {error}; reference.py reads what clang-format writes") from error
        whole = text[i:stop]
        relative = body - i if body is not None else None
        kind, name = kind_and_name(without_macros(whole))
        column = i - text.rfind("\n", 0, i) - 1
        if kind == "forward":  # it is an entry if it has the docstring, as the template of specializations
            kind = "class" if doc else ""
        trailing = []  # ///< after the declaration, perhaps on several lines
        while comment := re.match(r"[ \t]*///< ?(.*)" if not trailing else r"\n[ \t]*///(?:<)? {3,}(.*)", text[stop:]):
            trailing.append(comment[1].strip())
            stop += comment.end()
        signature = dedent(signature_of(whole, relative, kind), column) if kind else ""
        if kind and public and (kind != "function" or not re.search(r"=\s*delete\b", signature)):
            signature += " // " + " ".join(trailing) if trailing else ""
            entry = Declaration(name, kind, signature, line, doc, joined=not blank)
            if kind == "class" and relative is not None:
                first = whole.index("{", 0) if "requires" not in whole[:relative] else relative
                entry.members = parse_level(
                    text, i + first + 1, stop - 1, path, public=bool(re.search(r"\bstruct\b", whole[:first]))
                )
            found.append(entry)
        doc, blank, i = None, False, stop
    return found


BASES = re.compile(r"\s*(?<!:):\s*([\w][^;{]*)(?=;)")


def inherit(units):
    """Adds the public members of classes that are not exported to the exported classes and objects that have them."""
    hidden = {}
    for declaration in (d for unit in units if not unit.exported for d in unit.declarations if d.kind == "class"):
        # With specializations, the members depend on the arguments.
        hidden[declaration.name] = None if declaration.name in hidden else declaration
    for unit in units:
        for declaration in unit.declarations if unit.exported else []:
            if declaration.kind == "class":
                bases = BASES.search(declaration.signature)
                names = re.findall(r"public (?:\w+::)*(\w+)", bases[1]) if bases else []
            elif declaration.kind == "variable" and declaration.doc:
                names = re.findall(r"^inline constexpr (?:\w+::)*(\w+)<", declaration.signature)
            else:
                continue
            for base in names:
                if hidden.get(base):
                    declaration.members = declaration.members + [
                        member for member in hidden[base].members if member.name not in (base, f"~{base}")
                    ]


def resolve(units, headers):
    """Replaces using-declarations of names that a header declares by the header's declarations."""
    declared = {}
    for declaration in (d for unit in headers for d in unit.declarations):
        declared.setdefault(declaration.name, []).append(declaration)
    for unit in units:
        result = []
        for group in grouped(unit.declarations):
            replaced = [r for d in group for r in (declared.get(d.name, [d]) if d.kind == "alias" else [d])]
            doc = group[0].doc
            if replaced != group and doc:
                if not any(r.doc for r in replaced):
                    replaced[0].doc = doc
                elif doc.example:
                    replaced[-1].doc.example = doc.example
            result += replaced
        unit.declarations = result


def parse_unit(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        text = file.read()
    units = []
    for opened in re.finditer(r"^(export )?namespace (cudax[\w:]*) \{", text, re.M):
        begin = opened.end()
        try:
            end = closing(text, begin - 1) - 1
        except ValueError as error:
            raise Problem(f"{path}:{text.count(chr(10), 0, begin) + 1}: {error}; close the namespace") from error
        units.append(Unit(path, opened[2], bool(opened[1]), parse_level(text, begin, end, path)))
    return units


# --- what belongs together --------------------------------------------------------------------------------------------


def grouped(declarations):
    """Joins declarations that stand directly below each other; the first of them has the docstring."""
    groups = []
    for declaration in declarations:
        if declaration.joined and groups and declaration.doc is None:
            groups[-1].append(declaration)
        else:
            groups.append([declaration])
    documented = {plain(d) for group in groups if group[0].doc for d in group}
    return [group for group in groups if group[0].doc or not all(plain(d) in documented for d in group)]


def plain(declaration):
    """The signature of a function without default arguments and spaces: equal for a function that is declared twice."""
    return declaration.name + re.sub(r"\s+|=[^,)]*", "", declaration.signature)


def forwarded(name):
    """Returns the class and the member that a free function of [atomics.nonmembers] calls, or None."""
    found = re.match(r"atomic_(flag_)?(\w+?)(_explicit)?$", name)
    return ("basic_atomic_flag" if found[1] else "atomic_ref", found[2]) if found else None


def read_names(root, file):
    with open(os.path.join(root, "tests/module", file), encoding="utf-8") as text:
        return re.findall(r"^NAME\(([\w:]+)\)", text.read(), re.M)


def read_sections(root):
    """Returns [(title, [unit])] from the table "Status" of modules/README.md."""
    with open(os.path.join(root, "modules/README.md"), encoding="utf-8") as file:
        text = file.read()
    sections = []
    for title, units in re.findall(r"^\| ([^|]+) \| ([^|]*`[^|]*) \| yes ", text, re.M):
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
        raise Problem('modules/README.md: the table "Status" was not found; the reference takes its pages from it')
    return sections


def page_name(title):
    return re.sub(r"[^a-z]+", "-", title.lower()).strip("-")


class Reference:
    def __init__(self, root):
        self.root = root
        self.sections = []  # (title, page, [Unit])
        self.places = {}  # exported name -> page#anchor
        self.members = {}  # (class, member) -> page#anchor
        self.names = {}  # module -> exported names
        problems, listed = [], []
        headers = [
            part for path in HEADERS if os.path.exists(os.path.join(root, path)) for part in parse_unit(root, path)
        ]
        for title, units in read_sections(root):
            for unit in units:
                if not os.path.exists(os.path.join(root, f"modules/{unit}.cppm")):
                    raise Problem(
                        f'modules/README.md: the table "Status" names the unit {unit}, and there is no file '
                        f"modules/{unit}.cppm; correct the table"
                    )
            parsed = [part for unit in units for part in parse_unit(root, f"modules/{unit}.cppm")]
            listed += units
            inherit(parsed)
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
                    f'{path}: this unit exports declarations, and the table "Status" of modules/README.md does '
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

    def member_place(self, owner, member):
        while owner:
            if (owner, member) in self.members:
                return self.members[(owner, member)]
            owner = FORWARDS_TO.get(owner)
        return None


def module_of(title):
    return "cudax.sync.host" if title.startswith("host runtime") else "cudax.sync"


def full_name(unit, declaration):
    """The name within namespace cudax."""
    inner = unit.namespace[len("cudax") :].lstrip(":")
    return f"{inner}::{declaration.name}" if inner else declaration.name


def enumerators(declaration):
    """The names that an unscoped enumeration exports."""
    if declaration.kind != "enum" or re.match(r"enum (class|struct)", declaration.signature):
        return []
    body = declaration.signature[declaration.signature.index("{") + 1 :]
    return re.findall(r"^\s*(\w+)\s*(?=[,=/]|$)", re.sub(r"//.*", "", body), re.M)


# --- writing the pages ------------------------------------------------------------------------------------------------


def slug(name):
    words = {
        "operator()": "call",
        "operator==": "equal",
        "operator=": "assign",
        "operator*": "dereference",
        "operator->": "arrow",
    }
    return words.get(name, re.sub(r"[^\w]+", "-", name).strip("-").lower() or "operator")


class Writer:
    def __init__(self, reference, page):
        self.reference, self.page, self.lines, self.used, self.indented = reference, page, [], {}, False

    def put(self, *lines):
        self.lines += lines

    def link(self, place):
        file, _, anchor = place.partition("#")
        return f"#{anchor}" if file == f"{self.page}.md" else place

    def anchor(self, name):
        """A name for a heading; entries after the first of the same name get a number."""
        self.used[name] = self.used.get(name, 0) + 1
        return name if self.used[name] == 1 else f"{name}-{self.used[name]}"

    def inline(self, text):
        """Marks names of the program as code, links exported entities, and escapes Markdown."""

        def code(name):
            bare = re.sub(r"^(cudax::)|(<.*|\(.*\))$", "", name)
            place = self.reference.places.get(bare)
            return f"[`{name}`]({self.link(place)})" if place else f"`{name}`"

        pattern = (
            r"`(?P<code>[^`]+)`|(?P<name>(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*(?:<[A-Z][\w, \[\]]*>)?(?:::\w+)*(?:\(\))?)"
            r"|(?P<other>[<>*\[\]\\&])"
        )

        def one(found):
            if found["code"]:
                return code(found["code"])
            if found["other"]:
                return {"<": "&lt;", ">": "&gt;", "&": "&amp;"}.get(found["other"], "\\" + found["other"])
            name = found["name"]
            is_code = "_" in name or "::" in name or name.endswith("()") or "<" in name
            return code(name) if is_code else name

        return re.sub(pattern, one, text)

    def paragraph(self, lines):
        """Text: prose, or lists of `- item` and of `name   meaning`."""
        items = []
        for line in lines:
            if found := re.match(r"  (\w+)  +(\S.*)$", line):
                items.append(f"- `{found[1]}`: {self.inline(found[2])}")
            elif found := re.match(r"  - (.*)$", line):
                items.append(f"- {self.inline(found[1])}")
            elif items and re.match(r"    +\S", line):
                items[-1] += " " + self.inline(line.strip())
            else:
                if items:
                    self.put("", *items, "")
                    items = []
                if line.startswith("  "):  # a paragraph of its own
                    line = line.strip() if self.lines and self.indented else "\n" + line.strip()
                    self.indented = True
                else:
                    self.indented = False
                self.put(self.inline(line))
        if items:
            self.put("", *items)
        self.put("")

    def doc(self, doc):
        self.paragraph(doc.text)
        if doc.fields:
            self.put('<dl class="fields" markdown>')
            for name in FIELDS:
                if name in doc.fields:
                    self.put(f"<dt>{name}</dt>", f"<dd markdown>{self.inline(' '.join(doc.fields[name]))}</dd>")
            self.put("</dl>", "")
        if doc.example:
            while not doc.example[-1].strip():
                doc.example.pop()
            self.put("Example:", "", "```cpp", *doc.example, "```", "")

    def code(self, declarations):
        self.put("```cpp", *[self.with_exported_bases(d) for d in declarations], "```", "")

    def with_exported_bases(self, declaration):
        """A base class that is not exported is a detail; what it adds stands among the members."""
        bases = BASES.search(declaration.signature) if declaration.kind == "class" else None
        if not bases or any(
            base.startswith("std::") or base in self.reference.places
            for base in re.findall(r"public ([\w:]+)", bases[1])
        ):
            return declaration.signature
        return declaration.signature[: bases.start()] + declaration.signature[bases.end() :]

    def group(self, unit, group):
        name = group[0].name
        names = list(dict.fromkeys(d.name for d in group if d.kind != "guide"))
        if not names:  # a deduction guide: the class says enough
            return
        if special := re.search(rf"(?:class|struct) ({name}<.*>);$", group[0].signature, re.S):
            names = [" ".join(special[1].split())]
        inner = full_name(unit, group[0])[: -len(name)]
        shown = [inner + each for each in names]
        title = ", ".join(f"`{each}`" for each in shown[:4]) + (", ..." if len(shown) > 4 else "")
        self.put("", f"## {title} {{: #{self.anchor(name)} }}", "")
        self.code(group)
        if group[0].doc:
            self.doc(group[0].doc)
        else:
            target = forwarded(name)
            place = target and self.reference.members.get(target)
            if group[0].kind == "alias" and not place:
                links = ", ".join(f"[`{each}`]({self.link(self.reference.places[each])})" for each in names)
                self.put(f"Described elsewhere: {links}.", "")
            if place:
                self.put(f"Calls the member [`{target[1]}`]({self.link(place)}).", "")
        for declaration in group:
            if declaration.members:
                self.members(declaration)
        self.put(f'<p class="unit">Unit <code>{unit.path}</code></p>', "")

    def members(self, owner):
        parts = grouped(owner.members)
        for part in parts:
            if not part[0].doc or part[0].doc.text[0].startswith("For the library"):
                continue
            names = list(dict.fromkeys(m.name for m in part))
            anchor = self.anchor(f"{owner.name}.{slug(part[0].name)}")
            self.put("", f"### {', '.join(f'`{n}`' for n in names)} {{: #{anchor} .member }}", "")
            self.code(part)
            self.doc(part[0].doc)
        rest = [m for part in parts if not part[0].doc for m in part]
        if not rest:
            return
        forwards = {}
        for member in rest:
            place = self.reference.member_place(FORWARDS_TO.get(owner.name), member.name)
            if place:
                forwards.setdefault(member.name, place)
        self.put(
            "",
            f"### {'Other members' if len(rest) < len(owner.members) else 'Members'} "
            f"{{: #{self.anchor(owner.name + '.members')} .member }}",
            "",
        )
        self.code(rest)
        if forwards:
            other = FORWARDS_TO[owner.name]
            self.put(
                f"As in [`{other}`]({self.link(self.reference.places[other])}): "
                + ", ".join(f"[`{n}`]({self.link(p)})" for n, p in forwards.items())
                + ".",
                "",
            )


def title_of_page(name):
    with open(
        os.path.join(os.path.dirname(os.path.abspath(__file__)), "guide", f"{name}.md"), encoding="utf-8"
    ) as file:
        return file.readline()[2:].strip()


def write(reference, folder):
    os.makedirs(folder, exist_ok=True)
    titles = {name: title_of_page(name) for names in GUIDE_PAGES.values() for name in names}
    for title, page, units in reference.sections:
        writer = Writer(reference, page)
        writer.put(
            f"# {title[0].upper() + title[1:]}",
            "",
            f"`import {module_of(title)};` declares these names in namespace `cudax`."
            + (
                " In the guide: " + ", ".join(f"[{titles[name]}](../{name}.md)" for name in GUIDE_PAGES[title]) + "."
                if title in GUIDE_PAGES
                else ""
            ),
            "",
        )
        for unit in units:
            for group in grouped(unit.declarations):
                writer.group(unit, group)
        with open(os.path.join(folder, page + ".md"), "w", encoding="utf-8") as file:
            file.write("\n".join(writer.lines) + "\n")
    with open(os.path.join(folder, "index.md"), "w", encoding="utf-8") as file:
        file.write(
            "# All names\n\nThe names that `import cudax.sync;` and `import cudax.sync.host;` declare in namespace "
            "`cudax`. The descriptions come from the docstrings of the units.\n"
        )
        for module in sorted(reference.names):
            file.write(f'\n## {module}\n\n<div class="names" markdown>\n\n')
            for name in sorted(reference.names[module]):
                file.write(f"- [`{name}`]({reference.places[name.split('::')[-1]]})\n")
            file.write("\n</div>\n")
        if reference.hidden:
            file.write(
                "\n## Names in signatures\n\nSignatures contain these names, which are not exported: concepts, and "
                "types of parameters and results.\n\n| name | what it is |\n|---|---|\n"
            )
            writer = Writer(reference, "index")
            for name, declaration in sorted(reference.hidden.items()):
                text = writer.inline(" ".join(line.strip() for line in declaration.doc.text)).replace("|", "\\|")
                file.write(f"| `{name}` | {text} |\n")


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        print("usage: reference.py ROOT [FOLDER]", file=sys.stderr)
        return 2
    try:
        reference = Reference(sys.argv[1])
    except Problem as problem:
        print(problem, file=sys.stderr)
        return 1
    if len(sys.argv) == 3:
        write(reference, sys.argv[2])
    print(f"{sum(len(names) for names in reference.names.values())} exported names, {len(reference.sections)} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
