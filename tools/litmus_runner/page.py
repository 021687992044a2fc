# SPDX-License-Identifier: Apache-2.0
"""page.py RESULTS PAGE: makes a self-contained page from the lines that litmus_run --json wrote.

A row of the first table is a program in one form, a column a placement. A cell says how often the outcome in question was seen,
and how many of the program's mutants showed it. The second table has the mutants. page/ holds the style and the script.
"""
import html
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))  # an isolated Python (-I) does not search it
from condition import holds
from results import Failure, counted_mutants, noticed, read, summed

KINDS = {"failed": "a forbidden outcome was seen", "forbidden": "forbidden, not seen",
         "unguarded": "forbidden, nor was a mutant seen", "seen": "allowed, seen",
         "never": "allowed, never seen", "undefined": "a data race: C++ promises nothing"}
DETAILS = ("test", "placement", "form", "kernel", "verdict", "exists", "seen", "instances", "seconds", "launches", "others",
           "missing", "endless", "runs", "raced", "mutant_of", "mutation", "hidden")


def kind(one, seen, mutants):
    """The class of a program's cell, one of KINDS. A test is not passed if none of its mutants shows the outcome."""
    if one["failed"]:
        return "failed"
    if one["verdict"] == "forbidden" and mutants and not seen:
        return "unguarded"
    if one["verdict"] in ("forbidden", "undefined"):
        return one["verdict"]
    return "seen" if one["seen"] else "never"


def mutant_kind(one):
    """The class of a mutant's cell. PTX allows the outcome, whatever C++ says of the race."""
    return "failed" if one["failed"] else "seen" if noticed(one) else "never"


def remark(one):
    """What a reader of a mutant's count must know."""
    return "race" if one["raced"] else one["hidden"] if one["hidden"] and not noticed(one) else "endless" if one["endless"] else ""


def cell(one, index, name, note=""):
    """A cell of a table: `index` is the test's place in the data of the script."""
    if one is None:
        return "<td></td>"
    share = one["seen"] / max(one["instances"], 1)
    note = f" <small>{note}</small>" if note else ""
    return f'<td class="{name}" data-value="{share:.9f}"><button type="button" data-test="{index}">{one["seen"]:,}</button>{note}</td>'


def head(row, form):
    return f'<tr data-form="{html.escape(form)}"><th data-value="{html.escape(row)}">{html.escape(row)} <small>{html.escape(form)}</small></th>'


def table(name, first, columns, rows):
    titles = "".join(f'<th><button type="button">{html.escape(title)}</button></th>' for title in [first, *columns])
    return [f'<h2>{name}</h2><div class="scroll"><table id="{name.lower()}"><thead><tr>{titles}</tr></thead><tbody>', *rows,
            "</tbody></table></div>"]


class Page:
    def __init__(self, results):
        self.tests = summed(results)
        self.at = {(one["test"], one["form"], one["placement"]): index for index, one in enumerate(self.tests)}
        self.programs = [one for one in self.tests if not one["mutant_of"]]
        self.mutants = [one for one in self.tests if one["mutant_of"]]
        self.placements = list(dict.fromkeys(one["placement"] for one in self.tests))
        self.mutants_of = {}
        for one in self.mutants:
            if one["observable"]:
                self.mutants_of.setdefault((one["mutant_of"], one["form"], one["placement"]), []).append(one)

    def found(self, *key):
        index = self.at.get(key)
        return (None, None) if index is None else (self.tests[index], index)

    def program_rows(self):
        for test, form in dict.fromkeys((one["test"], one["form"]) for one in self.programs):
            cells = []
            for placement in self.placements:
                one, index = self.found(test, form, placement)
                mutants = self.mutants_of.get((test, form, placement), [])
                seen, count = counted_mutants(mutants)
                cells.append(cell(one, index, one and kind(one, seen, count), f"{seen}/{count}" if count else ""))
            yield f"{head(test, form)}{''.join(cells)}</tr>"

    def mutant_rows(self):
        for test, form in dict.fromkeys((one["test"], one["form"]) for one in self.mutants):
            all_of = [self.found(test, form, placement) for placement in self.placements]
            cells = [cell(one, index, one and mutant_kind(one), one and remark(one)) for one, index in all_of]
            ran = [one for one, _ in all_of if one]
            seen = sum(map(noticed, ran))
            name = "seen" if seen else "never"
            yield (f'{head(test, form)}<td class="{name}" data-value="{seen / len(ran):.9f}">{seen}/{len(ran)}</td>'
                   f"{''.join(cells)}</tr>")

    def facts(self):
        instances, seconds = (sum(one[name] for one in self.tests) for name in ("instances", "seconds"))
        runs = max(one["runs"] for one in self.tests)
        facts = [f"{len(self.programs)} tests and {len(self.mutants)} mutants", f"{runs} runs" if runs > 1 else "",
                 f"{instances:.3g} instances in {seconds:.3g} s", f"{sum(one['failed'] for one in self.tests)} failed"]
        seen, mutants = counted_mutants(self.tests)
        if mutants:
            facts.append(f"{seen} of {mutants} mutants seen ({100 * seen / mutants:.1f} %)")
        return "; ".join(fact for fact in facts if fact)

    def data(self):
        """The tests for the script. In a script element no < may begin a tag."""
        all_tests = []
        for one in self.tests:
            states = [[state, count, holds(one["exists"], state)] for state, count in one["histogram"].items()]
            all_tests.append({**{name: one[name] for name in DETAILS}, "states": sorted(states, key=lambda state: -state[1])})
        return json.dumps(all_tests, separators=(",", ":")).replace("<", "\\u003c")

    def text(self):
        here = Path(__file__).resolve().parent / "page"
        style, script = ((here / name).read_text(encoding="utf-8") for name in ("style.css", "page.js"))
        machines = ", ".join(dict.fromkeys(one["machine"] for one in self.tests))
        kinds = "".join(f'<option value="{name}">{meaning}</option>' for name, meaning in KINDS.items())
        keys = " ".join(f'<span class="key {name}">{meaning}</span>' for name, meaning in KINDS.items())
        parts = [
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Litmus tests</title>',
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'; '
            'script-src \'unsafe-inline\'"><meta name="viewport" content="width=device-width">',
            f"<style>\n{style}</style></head><body>",
            f'<header><h1>Litmus tests on {html.escape(machines)}</h1><p id="facts">{self.facts()}</p><p>{keys}</p>',
            "<p class=\"quiet\">A cell says how often the outcome in question was seen, and how many of the program's mutants showed "
            "it. Choose it for the histogram.</p></header>",
            '<nav><input id="text" type="search" placeholder="program" aria-label="part of a program\'s name">',
            '<select id="form" aria-label="form"><option value="">both forms</option><option>library</option><option>ptx</option></select>',
            f'<select id="kind" aria-label="result"><option value="">all results</option>{kinds}</select>',
            '<span id="count" class="quiet"></span><button id="theme" type="button">dark or light</button></nav><main>',
            *table("Programs", "program", self.placements, self.program_rows())]
        if self.mutants:
            parts += table("Mutants", "mutant", ["seen in", *self.placements], self.mutant_rows())
        return "\n".join([*parts, '</main><dialog id="details"></dialog>', f'<script id="data" type="application/json">{self.data()}</script>',
                          f"<script>\n{script}</script></body></html>\n"])


def main(arguments):
    if len(arguments) != 2:
        raise Failure("usage: page.py RESULTS PAGE")
    text = Page(read(arguments[0])).text()
    try:
        Path(arguments[1]).write_text(text, encoding="utf-8")
    except OSError as error:
        raise Failure(f"{arguments[1]}: {error.strerror}; name another file") from error


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Failure as failure:
        sys.exit(f"page.py: {failure}")
