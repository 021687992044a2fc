# SPDX-License-Identifier: Apache-2.0
"""table.py [--write]: the table of programs in README.md, made of their header comments and of results/*.txt (gpu.py).

Without an argument: fails if README.md has another table. With --write: writes it.
"""

import glob
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # an isolated Python (-I) does not search it
import program as programs  # noqa: E402

README = os.path.join(programs.FOLDER, "README.md")
BEGIN, END = "<!-- table.py writes from here -->\n", "<!-- to here -->\n"


def results():
    """(program, form) -> what a GPU did, of all files; the name of a file is that of the GPU."""
    found = {}
    for path in sorted(glob.glob(os.path.join(programs.FOLDER, "results", "*.txt"))):
        gpu = os.path.splitext(os.path.basename(path))[0]
        with open(path, encoding="utf-8") as file:
            for line in file:
                if not line.startswith("#"):
                    name, form, result = line.strip().split(" ", 2)
                    found.setdefault((name, form), []).append((gpu, result))
    return found


def cell(text):
    return text.replace("|", "\\|")


def table():
    on_gpu = results()
    lines = ["| program | stands for | wrong forms: what checked runs show | on GPUs |\n", "|---|---|---|---|\n"]
    for program in programs.all_programs():
        kinds = {}
        for form in program.forms[1:]:
            why = f" ({' '.join(form.why)})" if form.why else ""
            kinds.setdefault(form.expected, []).append(f"`{form.name}`{why}")
        wrong = "; ".join(f"**{kind}**: {', '.join(names)}" if kind in ("missed", "wrong answer") else f"{kind}: {', '.join(names)}"
                          for kind, names in kinds.items())
        gpus = []
        for form in program.forms:
            shown = [f"{gpu}: {result}" for gpu, result in on_gpu.get((program.name, form.name), []) if form.name == "right" or result != "ok"]
            if shown:
                gpus.append((f"`{form.name}` " if form.name != "right" else "") + ", ".join(shown))
        sources = ", ".join(source.split(": ")[0] for source in program.sources)
        lines.append(f"| `{program.name}` | {cell(program.about)} {cell(sources)} | {cell(wrong)} | {cell('; '.join(gpus)) or '-'} |\n")
    return "".join(lines)


def main():
    with open(README, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(BEGIN)
    written, after = rest.split(END)
    made = table()
    if sys.argv[1:] == ["--write"]:
        with open(README, "w", encoding="utf-8") as file:
            file.write(before + BEGIN + made + END + after)
    elif sys.argv[1:]:
        sys.exit("usage: table.py [--write]")
    elif made != written:
        differ = sorted(set(made.splitlines()) ^ set(written.splitlines()))
        sys.exit(f"{README}: the table is not that of the programs; run tests/foreign/table.py --write. Lines that differ:\n" + "\n".join(differ))
    else:
        print(f"the table has all {made.count(chr(10)) - 2} programs")


if __name__ == "__main__":
    main()
