# SPDX-License-Identifier: Apache-2.0
"""declarations: reads the exported declarations of a unit, with their docstrings.

Reads what stands between `export namespace cudax {` and its closing brace, as clang-format leaves it. Does not need a
compiler.
"""

import os
import re
from dataclasses import dataclass, field, replace

FIELDS = ("Source", "Order", "Scope", "Units", "Requires", "Errors")


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
                if swallowed := re.match(rf".*\S ({'|'.join(FIELDS)}):  ", lines[-1]):  # clang-format joins lines
                    line = text.count("\n", 0, i) + 1
                    raise Problem(f"{path}:{line}: '{swallowed[1]}:' is inside a line; begin a line with it")
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
CONSTRUCTORS = re.compile(r"using [\w:]*\b(\w+)::\1;$")  # of the base


def split_list(text):
    """Splits at the commas that are in no angle brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c == "<") - (c == ">")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def name_and_arguments(text):
    """`public machine::some<A<X>, B>` as ("some", ["A<X>", "B"])."""
    found = re.match(r"(?:public )?(?:\w+::)*(\w+)(?:<(.*)>)?$", text, re.S)
    return (found[1], split_list(found[2] or "")) if found else ("", [])


def bases_of(declaration):
    """The types from which an entity has members: the bases of a class, the type of a constant."""
    if declaration.kind == "class":
        bases = BASES.search(declaration.signature)
        return [base for base in split_list(bases[1]) if base.startswith("public ")] if bases else []
    found = re.match(r"inline constexpr ([\w:]+<.*?>) \w+\b", declaration.signature)
    return [found[1]] if found and declaration.kind == "variable" and declaration.doc else []


def inherited(base, hidden, heir, with_constructors):
    """The members of `base` and of its bases, if these are not exported, the deepest first; and the exported bases."""
    name, arguments = name_and_arguments(base)
    if not hidden.get(name):
        return [], [base]
    parameters = re.findall(r"\w+ (\w+)(?=[,>])", hidden[name].signature.split(f"class {name}")[0])
    given = dict(zip(parameters, arguments))
    copied = re.compile(rf"\(({'|'.join([name] + parameters)}) const&")  # the parameter of a constructor
    own = hidden[name].members
    with_theirs = with_constructors and any(CONSTRUCTORS.match(member.signature) for member in own)
    members, exported = [], []
    for each in bases_of(hidden[name]):  # a base may be a template parameter
        each = each.removeprefix("public ")
        theirs, above = inherited(given.get(each, each), hidden, heir, with_theirs)
        members, exported = members + theirs, exported + above
    for member in own:
        if member.name == name and with_constructors and not copied.search(member.signature):
            renamed = re.sub(rf"\b{name}\b", heir.name, member.signature)
            members.append(replace(member, name=heir.name, signature=renamed))
        elif member.name not in (name, f"~{name}") and not CONSTRUCTORS.match(member.signature):
            if member.kind != "alias" or all(other.name != member.name for other in members):
                members.append(member)
    return members, exported


def inherit(units, others):
    """Adds the public members of classes that are not exported to the exported classes and objects of `units` that have
    them. The classes are in `units` or in `others`."""
    hidden = {}
    for declaration in (d for unit in others if not unit.exported for d in unit.declarations if d.kind == "class"):
        hidden.setdefault(declaration.name, declaration)
    seen = set()
    for declaration in (d for unit in units if not unit.exported for d in unit.declarations if d.kind == "class"):
        # With specializations, the members depend on the arguments.
        hidden[declaration.name] = None if declaration.name in seen else declaration
        seen.add(declaration.name)
    for unit in units:
        for heir in unit.declarations if unit.exported else []:
            constructors = any(CONSTRUCTORS.match(member.signature) for member in heir.members)
            for base in bases_of(heir):
                members, exported = inherited(base, hidden, heir, constructors)
                if not members:
                    continue
                names = [name_and_arguments(each)[0] for each in exported]
                shown = ", ".join(f"public {each.removeprefix('public ')}" for each in exported)
                for member in (m for m in heir.members if CONSTRUCTORS.match(m.signature)):
                    member.signature = "\n".join(f"using {name}::{name};" for name in names)
                heir.members = [m for m in heir.members if m.signature] + members
                heir.signature = heir.signature.replace(base, shown or base)


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
