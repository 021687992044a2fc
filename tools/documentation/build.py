#!/usr/bin/env -S python3 -I
# SPDX-License-Identifier: Apache-2.0
"""build: collects the pages of the site, inserts the code of the guide, and runs MkDocs.

    build.py ROOT OUTPUT [--check]

A line `{{ FILE }}` or `{{ FILE SECTION }}` within a code block of the guide stands for a file of tests/guide, or for
the part of the file between the comments `[SECTION]` and `[/SECTION]`. FILE may begin with `../examples/`. A code block, unless it is of `sh` or `text`,
must consist of such a line: so every code block is compiled by a test. A line `{{ README.md TITLE }}` outside of code
stands for a section of README.md, so that figures have one place. --check collects the pages and inserts the code, and
builds no site.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)  # an isolated Python (-I) has no folder of the program in its path
import pictures  # noqa: E402
import reference  # noqa: E402
import reference_pages  # noqa: E402

PACKAGES = os.path.join(FOLDER, "../../build/setup/docs")  # where tools/setup --docs installs MkDocs
# MkDocs has no option for its packages, and PYTHONPATH does not reach an isolated Python.
MKDOCS = "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); runpy.run_module('mkdocs', run_name='__main__')"


def guide_pages(guide):
    """The names of the guide's pages in the order in which they are read: that of the table of index.md, which has a row for
    each page."""
    with open(os.path.join(guide, "index.md"), encoding="utf-8") as file:
        names = re.findall(r"^\| \[[^\]]+\]\((\w+)\.md\) \|", file.read(), re.M)
    for name in sorted({file[:-3] for file in os.listdir(guide) if file.endswith(".md")} - {"index", *names}):
        raise reference.Problem(
            f"tools/documentation/guide/{name}.md: this page is in no list; add a row to the table of guide/index.md"
        )
    for name in names:
        if not os.path.exists(os.path.join(guide, f"{name}.md")):
            raise reference.Problem(
                f"tools/documentation/guide/index.md: its table names {name}.md, which does not exist; correct the row"
            )
    return names


def section_of(text, name, place):
    """Returns the lines between the comments [name] and [/name], without their common indentation."""
    lines, found, inside = [], False, False
    for line in text.split("\n"):
        mark = re.match(r"\s*// \[(/?)([\w ]+)\]$", line)
        if mark and mark[2] == name:
            inside = not mark[1]
            found = found or inside
        elif inside and not mark and not re.match(r"\s*// expected-", line):  # what clang -verify reads
            lines.append(line)
    if not found or inside:
        raise reference.Problem(
            f"{place}: there is no section '{name}', or it has no end; write the comments // [{name}] "
            f"and // [/{name}]"
        )
    return textwrap.dedent("\n".join(lines)).strip("\n")


def with_code(root, path, pictures_found=None):
    """Returns the text of a page with the code of tests/guide. Adds the paths of pictures of README.md to the list."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    result, block = [], None
    for number, line in enumerate(lines, 1):
        place = f"{os.path.relpath(path, root)}:{number}"
        fence = re.match(r"\s*```(\w*)", line)
        if section := re.fullmatch(r"\{\{ README\.md ([\w ]+) \}\}", line) if block is None else None:
            result += readme_section(root, section[1], place, pictures_found).split("\n")
            continue
        if fence:
            block = None if block is not None else fence[1]
            result.append(line)
            continue
        inserted = re.fullmatch(r"\s*\{\{ ([\w./]+)(?: ([\w ]+))? \}\}", line) if block is not None else None
        if inserted:
            source = os.path.join(root, "tests/guide", inserted[1])
            if not os.path.exists(source):
                raise reference.Problem(f"{place}: there is no file tests/guide/{inserted[1]}; correct the name")
            with open(source, encoding="utf-8") as file:
                text = file.read()
            code = (
                section_of(text, inserted[2], f"{place}, tests/guide/{inserted[1]}")
                if inserted[2]
                else without_header(text)
            )
            result += code.split("\n")
        elif block not in (None, "sh", "text"):
            raise reference.Problem(
                f"{place}: this code is not compiled by any test; move it to a file of tests/guide and "
                "write {{ FILE SECTION }} here"
            )
        else:
            result.append(line)
    return "\n".join(result)


def readme_section(root, title, place, pictures_found):
    """Returns a section of README.md. A link to a file of the tree becomes the name of the file."""
    with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
        found = re.search(rf"^## {title}\n+(.*?)(?=^## )", file.read(), re.M | re.S)
    if not found:
        raise reference.Problem(f"{place}: README.md has no section '{title}'; correct the title")
    if pictures_found is not None:
        pictures_found += re.findall(r"!\[[^\]]*\]\((?!https?:)([^)]*)\)", found[1])
    text = re.sub(r"(!\[[^\]]*\]\()[^)]*/([\w.]+\))", r"\1\2", found[1])
    return re.sub(r"(?<!!)\[([^\]]*)\]\((?!https?:|#)[^)]*\)", r"`\1`", text).rstrip()


def without_header(text):
    """A whole file, without its first comment (licence, purpose) and without the comments of sections."""
    text = re.sub(r"\A(//.*\n)+\n?", "", text)
    return re.sub(r"^[ \t]*// \[/?[\w ]+\]\n", "", text, flags=re.M).rstrip("\n")


def collect(root, pages):
    """Writes all pages to the folder `pages`; returns the navigation."""
    guide = os.path.join(FOLDER, "guide")
    names, pictures_found = guide_pages(guide), []
    for name in ["index", *names]:
        text = with_code(root, os.path.join(guide, f"{name}.md"), pictures_found)
        with open(os.path.join(pages, f"{name}.md"), "w", encoding="utf-8") as file:
            file.write(text)
    shutil.copytree(os.path.join(FOLDER, "assets"), pages, dirs_exist_ok=True)
    pictures.write(pages)
    for picture in pictures_found:
        shutil.copy(os.path.join(root, picture), pages)
    made = reference.Reference(root)
    reference_pages.write(made, os.path.join(pages, "reference"))
    for name in ["index", *names]:
        ensure_links(pages, name)
    return [
        {"Guide": ["index.md"] + [f"{name}.md" for name in names]},
        {"Reference": ["reference/index.md"] + [f"reference/{page}.md" for _, page, _ in made.sections]},
    ]


def ensure_links(pages, name):
    """A page of the guide links to pages that exist. MkDocs says it, too, and knows the sections, but may be missing."""
    with open(os.path.join(pages, f"{name}.md"), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            for target in re.findall(r"\]\((?!https?:)([\w./-]+\.md)", line):
                if not os.path.exists(os.path.join(pages, target)):
                    raise reference.Problem(
                        f"tools/documentation/guide/{name}.md, line {number} of the page: there is no page {target}; "
                        'correct the link, or the title in modules/README.md, "Sections", of which the page has its name'
                    )


def make_site(pages, navigation, output):
    """Runs MkDocs. Returns what it prints, and whether it succeeded: a warning is an error."""
    configuration = os.path.join(os.path.dirname(pages), "mkdocs.yml")
    with open(os.path.join(FOLDER, "mkdocs.yml"), encoding="utf-8") as file:
        text = file.read()
    with open(configuration, "w", encoding="utf-8") as file:  # JSON is YAML
        file.write(
            f"{text}\ndocs_dir: {json.dumps(pages)}\nsite_dir: {json.dumps(output)}\nnav: {json.dumps(navigation)}\n"
        )
    # Without --quiet, which would hide the warnings from --strict.
    made = subprocess.run(
        [sys.executable, "-I", "-B", "-c", MKDOCS, PACKAGES, "build", "--strict", "-f", configuration],
        env=dict(os.environ, NO_MKDOCS_2_WARNING="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return made.stdout, made.returncode == 0


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    if len(arguments) != 2:
        print("usage: build.py ROOT OUTPUT [--check]", file=sys.stderr)
        return 2
    root, output = (os.path.abspath(a) for a in arguments)
    with tempfile.TemporaryDirectory() as folder:
        pages = os.path.join(folder, "pages")
        os.mkdir(pages)
        try:
            navigation = collect(root, pages)
        except reference.Problem as problem:
            print(f"tools/docs: {problem}", file=sys.stderr)
            return 1
        if "--check" in sys.argv:
            return 0
        printed, succeeded = make_site(pages, navigation, output)
        if not succeeded:
            print(f"tools/docs: MkDocs reports:\n{printed}", file=sys.stderr)
        return 0 if succeeded else 1


if __name__ == "__main__":
    sys.exit(main())
