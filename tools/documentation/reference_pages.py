# SPDX-License-Identifier: Apache-2.0
"""reference_pages: writes the pages of a Reference as Markdown."""

import os
import re

from declarations import BASES, FIELDS, full_name, grouped
from reference import FORWARDS_TO, forwarded, module_of, slug

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

# The phrases that guide/terms.md explains, one in each heading.
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "guide/terms.md"), encoding="utf-8") as terms:
    TERMS = re.findall(r"^## (.+)$", terms.read(), re.M)


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
        """Marks names of the program as code, links exported entities and terms, and escapes Markdown."""

        def code(name):
            bare = re.sub(r"^(cudax::)|(<.*|\(.*\))$", "", name)
            place = self.reference.places.get(bare)
            return f"[`{name}`]({self.link(place)})" if place else f"`{name}`"

        pattern = (
            rf"`(?P<code>[^`]+)`|\b(?P<term>{'|'.join(TERMS)})\b"
            r"|(?P<name>(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*(?:<[A-Z][\w, \[\]]*>)?(?:::\w+)*(?:\(\))?)"
            r"|(?P<other>[<>*\[\]\\&])"
        )

        def one(found):
            if found["code"]:
                return code(found["code"])
            if found["term"]:
                return f"[{found['term']}](../terms.md#{found['term'].replace(' ', '-')})"
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
        parts, rest = grouped(owner.members), []
        for part in parts:
            doc = part[0].doc
            if not doc or self.reference.is_described_elsewhere(owner.name, doc):
                rest += part
                continue
            if doc.text[0].startswith("For the library"):
                continue
            names = list(dict.fromkeys(m.name for m in part))
            anchor = self.anchor(f"{owner.name}.{slug(part[0].name)}")
            self.put("", f"### {', '.join(f'`{n}`' for n in names)} {{: #{anchor} .member }}", "")
            self.code(part)
            self.doc(doc)
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
