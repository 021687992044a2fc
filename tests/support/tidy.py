#!/usr/bin/env -S python3 -I
# SPDX-License-Identifier: Apache-2.0
"""tidy: the C++ sources of some folders pass the checks of .clang-tidy.

    tidy.py CLANG_TIDY ROOT BUILD FOLDER...

BUILD holds compile_commands.json, whose options are used. Most of the time of clang-tidy is that of the headers, so the sources
of a folder are checked as one translation unit: it includes their headers, and then the sources. Names of unnamed namespaces
that several sources use are renamed there by macros. A source whose names cannot be renamed is in another unit.

Sources that import a module are left out: one unit cannot have the BMIs of several targets.

A planted null pointer of the old kind must be found: a configuration that checks nothing would pass, too.
"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile

UNNAMED = re.compile(r"^namespace \{\n(.*?)^\} // namespace\n", re.M | re.S)
DECLARED = re.compile(
    r"^(?:\[\[.*?\]\] *)?(?:template <.*>\s*)?(?:(?:struct|class|enum class|enum|union) +(?:alignas\([^)]*\) *)?(\w+)(?: final)? *[{:]"
    r"|(?!namespace|using|return|template|case|static_assert|friend|struct|class|enum|union)[A-Za-z_][\w:<>,*& \[\]]*?[ *&](\w+) *[({=;\[]"
    r"|using (\w+) =|\} (\w+);)",
    re.M,
)
OBJECT = re.compile(r"^(?!namespace|using|extern)[A-Za-z_][\w:<>,*& \[\]]*?[ *&](\w+)(?: = |\{|;)", re.M)
TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)", re.M)
IMPORTS = re.compile(r"^\s*import [\w.]+;", re.M)
INCLUDED = re.compile(r'^#include ("[^"]*\.h(?:pp)?"|<.*?>)', re.M)
# A unit includes sources.
FOR_UNITS = "-bugprone-suspicious-include"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Source:
    def __init__(self, path):
        self.path, self.text = path, read(path)
        self.local = {name for match in DECLARED.findall("".join(UNNAMED.findall(self.text))) for name in match if name}
        self.objects = set(OBJECT.findall(UNNAMED.sub("", self.text)))  # with names that no macro may change

    def headers(self):
        """What it includes, as its directives are written; a header beside it with its whole path."""
        for name in INCLUDED.findall(self.text):
            beside = os.path.join(os.path.dirname(self.path), name[1:-1])
            yield f'"{beside}"' if name[0] == '"' and os.path.exists(beside) else name

    def imports(self):
        """Whether it imports a module, or a header beside it does."""
        beside = [name[1:-1] for name in self.headers() if name.startswith('"/')]
        return any(IMPORTS.search(text) for text in [self.text, *map(read, beside)])

    def is_member(self, name):
        """Whether the source uses the name for something else, too."""
        return re.search(rf"(?:\.|->|::){name}\b", self.text)


def units_of(sources, types):
    """Lists of sources, for one unit each, and the names to rename."""
    count = collections.Counter(name for source in sources for name in source.local)
    shared = {name for name in count if count[name] > 1 or name in types}
    units = []  # names that stay as they are; sources
    for source in sources:
        fixed = source.objects | {name for name in source.local & shared if source.is_member(name)}
        alone = fixed & types & source.local
        for names, members in units:
            if not alone and not names & fixed:
                names |= fixed
                members.append(source)
                break
        else:
            units.append((set(fixed) | ({source.path} if alone else set()), [source]))
    return [members for _, members in units], shared


def text_of(unit, shared):
    lines = []
    for source in unit:
        lines += [f"#include {name}" for name in source.headers()]
    lines = list(dict.fromkeys(lines))
    for number, source in enumerate(unit):
        renamed = sorted(source.local & shared)
        lines += [f"#define {name} {name}_{number}" for name in renamed if not source.is_member(name)]
        lines.append(f'#include "{source.path}"')
        lines += [f"#undef {name}" for name in renamed if not source.is_member(name)]
    return "\n".join(lines) + "\n"


def options_of(unit, commands):
    """The options of the sources; those of one that stand for all: -I, -D, -m and the language."""
    found = {}
    for source in unit:
        words = commands[source.path].split()
        for i, word in enumerate(words):
            if word == "-isystem":
                found[word + words[i + 1]] = None
            elif re.match(r"-(I|D|m|std=|isystem.)", word):
                found[word] = None
    return list(found)


def check(clang_tidy, root, path, options, *more):
    command = [clang_tidy, "--quiet", f"--config-file={root}/.clang-tidy", *more, path, "--", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def main(clang_tidy, root, build, *folders):
    root = os.path.realpath(root)
    commands = {command["file"]: command["command"] for command in json.loads(read(os.path.join(build, "compile_commands.json")))}
    units = sources = importing = 0
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "unit.cpp")

        def write(text):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

        write("int* planted() { return 0; }\n")
        if check(clang_tidy, root, path, ["-std=c++20"]).returncode == 0:
            sys.exit(f"tidy: the configuration {root}/.clang-tidy does not report 'return 0' as a pointer; correct its list of checks")
        for folder in folders:
            base = os.path.join(root, folder)
            whole = os.path.join(root, *folder.split("/")[:2])
            headers = [os.path.join(where, name) for where, _, names in os.walk(whole) for name in names if name.endswith(".hpp")]
            types = {name for header in headers for name in TYPE.findall(read(header))}
            for where, _, names in sorted(os.walk(base)):
                paths = sorted(os.path.join(where, name) for name in names if name.endswith(".cpp"))
                found = [Source(each) for each in paths if each in commands]
                for missing in sorted(set(paths) - set(commands)):
                    print(f"{missing}: no target of this build compiles it", file=sys.stderr)
                importing += sum(1 for each in found if each.imports())
                found = [each for each in found if not each.imports()]
                members, shared = units_of(found, types)
                for unit in members:
                    units += 1
                    sources += len(unit)
                    write(text_of(unit, shared))
                    result = check(clang_tidy, root, path, options_of(unit, commands), f"--checks={FOR_UNITS}")
                    if result.returncode != 0:
                        failed = True
                        print(result.stdout + result.stderr, file=sys.stderr)
                        if "[clang-diagnostic-error]" in result.stdout:
                            print(f"tidy: the sources of {os.path.relpath(where, root)}/ do not compile as one translation unit; rename what "
                                  "two of them define", file=sys.stderr)
    if not sources:
        sys.exit(f"tidy: found no source in {', '.join(folders)}; name folders that have .cpp files")
    print(f"{sources} files in {units} units" + (f"; {importing} that import modules are left out" if importing else ""))
    return failed


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit("usage: tidy.py CLANG_TIDY ROOT BUILD FOLDER...")
    sys.exit(main(*sys.argv[1:]))
