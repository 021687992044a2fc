# SPDX-License-Identifier: Apache-2.0
"""page_test: the page of tools/litmus run shows the numbers of its results.

    page_test.py ROOT FOLDER [RESULTS]

Makes pages in FOLDER, of results that the test writes or, with RESULTS, of what litmus_run --json wrote.
"""
import collections
import html.parser
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT, FOLDER = Path(sys.argv[1]), Path(sys.argv[2])
sys.path.insert(0, str(ROOT / "tools/litmus_runner"))
import condition
import results


def result(test, placement, form, verdict, histogram, **other):
    seen = sum(count for state, count in histogram.items() if state == "P1:r0=1; P1:r1=0;")
    return {"test": test, "placement": placement, "form": form, "kernel": "group_0", "verdict": verdict, "observable": True,
            "raced": False, "mutant_of": "", "exists": "P1:r0=1 /\\ P1:r1=0", "machine": "a <GPU>", "seen": seen,
            "instances": sum(histogram.values()), "seconds": 0.5, "launches": 1, "others": 0, "missing": 0, "failed": False,
            "histogram": histogram, **other}


FRESH, STALE = "P1:r0=1; P1:r1=1;", "P1:r0=1; P1:r1=0;"
RUN = [
    result("MP", "same_device", "ptx", "forbidden", {FRESH: 1000}, observable=False),
    result("MP", "same_device", "library", "forbidden", {FRESH: 999, STALE: 1}, observable=False, failed=True),
    result("MP", "same_block", "ptx", "allowed", {FRESH: 500}),
    result("MP", "same_block", "library", "undefined", {FRESH: 400, STALE: 100}, raced=True),
    result("SB", "same_device", "ptx", "allowed", {FRESH: 2000, STALE: 1234}),
    result("MP~P0.1.relaxed", "same_device", "ptx", "allowed", {FRESH: 900, STALE: 100}, mutant_of="MP"),
    result("MP~P1.0.relaxed", "same_device", "ptx", "allowed", {FRESH: 1000}, mutant_of="MP"),
    result("MP~P0.1.block", "same_device", "ptx", "allowed", {FRESH: 7}, mutant_of="MP", raced=True),
]
MORE = [  # with what not each file has
    result("MP~P0.1.device", "same_device", "ptx", "allowed", {FRESH: 9}, mutant_of="MP", mutation="scope", hidden="same code", endless=0),
    result("MP~P1.0.device", "same_device", "ptx", "allowed", {FRESH: 9}, mutant_of="MP", mutation="scope", hidden="", endless=3),
]


class Reader(html.parser.HTMLParser):
    """The tables of a page, its data, and all that it could load."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.table, self.loads, self.open = {}, None, [], []
        self.texts = collections.defaultdict(str)  # by the id of an element
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.loads += [value for name, value in attributes.items() if name in ("src", "href", "action", "data", "srcset")]
        if tag == "table":
            self.table = self.tables.setdefault(attributes["id"], [])
        elif tag == "tr":
            self.table.append([])
        elif tag in ("td", "th"):
            self.table[-1].append({"text": "", "class": attributes.get("class", ""), "test": None})
        elif tag == "button" and "data-test" in attributes:
            self.table[-1][-1]["test"] = int(attributes["data-test"])
        if tag not in ("meta", "input", "link"):
            self.open.append((tag, attributes.get("id")))

    def handle_endtag(self, tag):
        opened, _ = self.open.pop()
        if opened != tag:
            raise AssertionError(f"</{tag}> ends <{opened}>, at {self.getpos()}")

    def handle_data(self, data):
        tags = [tag for tag, _ in self.open]
        if "table" in tags and ("td" in tags or "th" in tags):
            self.table[-1][-1]["text"] += data
        if self.open and self.open[-1][1]:
            self.texts[self.open[-1][1]] += data

    def row(self, table, name):
        """The cells of a row by their columns' names."""
        head = [cell["text"] for cell in self.tables[table][0]]
        (row,) = [row for row in self.tables[table][1:] if row[0]["text"] == name]
        return dict(zip(head, row))


def page_of(lines, name):
    """The page of results as the command makes it."""
    source, page = FOLDER / f"{name}.json", FOLDER / f"{name}.html"
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    subprocess.run([sys.executable, "-I", "-B", ROOT / "tools/litmus_runner/page.py", source, page], check=True)
    return page.read_text(encoding="utf-8")


class Written(unittest.TestCase):
    def setUp(self):
        self.page = Reader(page_of(RUN, "written"))

    def cell(self, name, placement, table="programs"):
        cell = self.page.row(table, name)[placement]
        return cell["text"], cell["class"]

    def test_a_cell_has_the_count_the_kind_and_the_mutants_that_were_seen(self):
        self.assertEqual(self.cell("MP ptx", "same_device"), ("0 1/3", "forbidden"))
        self.assertEqual(self.cell("MP library", "same_device"), ("1", "failed"))
        self.assertEqual(self.cell("MP ptx", "same_block"), ("0", "never"))
        self.assertEqual(self.cell("MP library", "same_block"), ("100", "undefined"))
        self.assertEqual(self.cell("SB ptx", "same_device"), ("1,234", "seen"))
        self.assertEqual(self.cell("SB ptx", "same_block"), ("", ""))

    def test_a_test_of_which_no_mutant_was_seen_is_marked(self):
        self.page = Reader(page_of([RUN[0], *RUN[6:]], "unguarded"))
        self.assertEqual(self.cell("MP ptx", "same_device"), ("0 0/2", "unguarded"))

    def test_the_table_of_mutants_says_where_each_was_seen(self):
        self.assertEqual(self.cell("MP~P0.1.relaxed ptx", "same_device", "mutants"), ("100", "seen"))
        self.assertEqual(self.cell("MP~P0.1.relaxed ptx", "seen in", "mutants"), ("1/1", "seen"))
        self.assertEqual(self.cell("MP~P1.0.relaxed ptx", "seen in", "mutants"), ("0/1", "never"))
        self.assertEqual(self.cell("MP~P0.1.block ptx", "same_device", "mutants"), ("0 race", "never"))

    def test_a_mutant_with_the_code_of_its_program_does_not_count_and_one_that_does_not_end_is_noticed(self):
        self.page = Reader(page_of(RUN + MORE, "more"))
        self.assertEqual(self.cell("MP ptx", "same_device"), ("0 2/4", "forbidden"))
        self.assertEqual(self.cell("MP~P0.1.device ptx", "same_device", "mutants"), ("0 same code", "never"))
        self.assertEqual(self.cell("MP~P1.0.device ptx", "same_device", "mutants"), ("0 endless", "seen"))
        self.assertIn("2 of 4 mutants seen", self.page.texts["facts"])

    def test_the_facts(self):
        self.assertEqual(self.page.texts["facts"], "5 tests and 3 mutants; 8.24e+03 instances in 4 s; 1 failed; "
                                                   "1 of 3 mutants seen (33.3 %)")

    def test_a_cell_leads_to_its_test_and_to_its_histogram(self):
        data = json.loads(self.page.texts["data"])
        test = data[self.page.row("programs", "SB ptx")["same_device"]["test"]]
        self.assertEqual((test["test"], test["placement"], test["form"]), ("SB", "same_device", "ptx"))
        self.assertEqual(test["states"], [[FRESH, 2000, False], [STALE, 1234, True]])

    def test_nothing_is_loaded_and_names_are_text(self):
        text = (FOLDER / "written.html").read_text(encoding="utf-8")
        self.assertEqual(self.page.loads, [])
        self.assertNotRegex(text, r"https?:|url\(|@import|import\(|fetch\(")
        self.assertIn("Litmus tests on a &lt;GPU&gt;", text)
        self.assertNotIn("<GPU>", page_of([{**RUN[0], "test": "</script><GPU>"}], "names"))

    def test_runs_of_a_test_are_summed(self):
        page = Reader(page_of(RUN + RUN[4:5], "twice"))
        self.assertEqual(page.row("programs", "SB ptx")["same_device"]["text"], "2,468")
        self.assertIn("2 runs", page.texts["facts"])
        data = json.loads(page.texts["data"])
        self.assertEqual(data[4]["states"], [[FRESH, 4000, False], [STALE, 2468, True]])

    def test_the_sums_of_runs_as_text(self):
        lines = results.text(results.summed(RUN + RUN)).split("\n")
        self.assertIn("SB same_device ptx (allowed): 2,468 of 6,468", lines)
        self.assertIn("MP same_device library (forbidden, FAILED): 2 of 2,000", lines)
        self.assertEqual(lines[-2:], ["8 tests, 2 runs, 16,482 instances; 1 failed", "Mutants: 1 of 3 seen: 33.3 %"])

    def test_conditions(self):
        for text, state, answer in [("x=1", "x=1;", True), ("x=1", "x=11;", False), ("~x=1", "x=2;", True), ("x=1", "y=1;", False),
                                    ("x=1 /\\ y=2", "x=1; y=2;", True), ("x=1 /\\ y=2", "x=1; y=1;", False),
                                    ("x=1 \\/ y=2", "x=3; y=2;", True), ("~(x=1 \\/ y=2) /\\ z=3", "x=0; y=1; z=3;", True),
                                    ("x=1 \\/ x=2 /\\ y=1", "x=1; y=0;", True), ("(x=1 \\/ x=2) /\\ y=1", "x=1; y=0;", False),
                                    ("x=0x100000001", "x=4294967297;", True), ("x=1", "x=?;", False), ("true", "x=1;", True)]:
            self.assertEqual(condition.holds(text, state), answer, f"{text} of {state}")

    def test_errors_name_the_file_and_what_to_do(self):
        for text, message in [("", r"has no results; name a file"), ('{"test": 1}\n{', r":2: .*name a file that litmus_run --json")]:
            source = FOLDER / "wrong.json"
            source.write_text(text, encoding="utf-8")
            run = subprocess.run([sys.executable, "-I", "-B", ROOT / "tools/litmus_runner/page.py", source, FOLDER / "wrong.html"],
                                 capture_output=True, text=True)
            self.assertEqual(run.returncode, 1)
            self.assertRegex(run.stderr, re.escape(f"page.py: {source}") + r".*" + message)


class Ran(unittest.TestCase):
    """The results of a run: of each test, the states that satisfy its condition are those that litmus_run has counted."""

    def test_numbers(self):
        lines = results.read(sys.argv[3])
        page = Reader(page_of(lines, "ran"))
        data = json.loads(page.texts["data"])
        self.assertEqual(len(data), len(lines))
        for one, line in zip(data, lines):
            self.assertEqual(sum(count for _, count, asked in one["states"] if asked), line["seen"], line)
            table = "mutants" if line["mutant_of"] else "programs"
            cell = page.row(table, f"{line['test']} {line['form']}")[line["placement"]]
            self.assertEqual(cell["text"].split()[0], f"{line['seen']:,}", line)
        mutants = [line for line in lines if line["mutant_of"] and (line["seen"] or line.get("endless") and not line["failed"])]
        self.assertGreater(len(mutants), 20)
        self.assertRegex(page.texts["facts"], rf"; {len(mutants)} of \d+ mutants seen")


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    cases = unittest.defaultTestLoader.loadTestsFromTestCase(Ran if len(sys.argv) > 3 else Written)
    sys.exit(not unittest.TextTestRunner().run(cases).wasSuccessful())
