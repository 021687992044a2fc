#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_report: what tools/bench makes of its results, tried on small result files, and its command `run`, tried with a
program that stands for the benchmarks.

  bench_report.py FOLDER [Class...]   FOLDER is tools/benchmarks
"""
import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = os.path.realpath(sys.argv.pop(1))
sys.path.insert(0, FOLDER)
sys.dont_write_bytecode = True
from reporting import compare, plots, results, table  # noqa: E402

BUILD = {"commit": "abc", "compiler": "clang", "flags": "-O3", "built_sm": "90", "without_nvcc": ""}
MACHINE = {"gpu": "NVIDIA X", "multiprocessors": 132, "sm": 90, "code_sm": 90, "clock_limit_mhz": 1980,
           "clock_measured_mhz": 1980, "driver": "580", "driver_cuda": "13.0", "runtime_cuda": "13.0",
           "compiler": "clang 22", "libcuxx_version": "3.0.1"}


def row(name, cudax, libcuxx=None, unit="Gop/s", problem="fetch_add", spread=0.0, **more):
    fields = {"problem": problem, "section": "atomics", "row": name, "unit": unit}
    for side, median in (("cudax", cudax), ("libcuxx", libcuxx)):
        if median is not None:
            samples = [median * (1 + spread * step) for step in (-2, -1, 0, 1, 2)]
            fields |= {side: median, side + "_min": samples[0], side + "_max": samples[-1], side + "_samples": samples}
    return fields | ({} if cudax is not None else {"cudax": None}) | more


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def file(self, *objects, name="result.json", build=BUILD, machine=MACHINE):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            json.dump([each for each in (build, machine) if each] + list(objects), file)
        return path

    def text(self, content):
        path = os.path.join(self.folder, "text.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        return path

    def report(self, *arguments):
        return subprocess.run([sys.executable, os.path.join(FOLDER, "report"), *arguments], capture_output=True,
                              text=True, check=False)

    def printed(self, function, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            function(*arguments)
        return out.getvalue()

    def compared(self, old, new, **machine):
        return compare.Comparison(results.load(self.file(*old, name="old.json")),
                                  results.load(self.file(*new, name="new.json", machine=MACHINE | machine)))


class Table(Case):
    def test_ratios_count_speed(self):
        """A rate is better if it is larger, a time if it is smaller."""
        rate = results.Row(row("a", 30, 10))
        time = results.Row(row("b", 10, 30, unit="ns"))
        self.assertEqual((rate.ratio("libcuxx"), time.ratio("libcuxx")), (3, 3))

    def test_rows_and_columns(self):
        text = self.printed(table.show, results.load(self.file(
            row("add, spread", 63.2, 31.6, ptx=63.2, ptx_samples=[63.2]),
            row("barrier", 89, 60, unit="ns", problem="block_barrier", section="barriers"),
            {"seconds": 3})))
        self.assertRegex(text, r"add, spread +Gop/s +63\.2 \(63\.2-63\.2\) +31\.6  2\.00x +63\.2  1\.00x")
        self.assertRegex(text, r"barrier +ns +89 \(89-89\) +60  0\.67x")
        self.assertIn("PTX by hand", text)
        barriers = text[text.index("\nbarriers"):]
        self.assertNotIn("PTX by hand", barriers)  # no row of the section has this side

    def test_rows_without_a_number(self):
        text = self.printed(table.show, results.load(self.file(
            row("add", None, 10, cudax_trouble="wrong answer: object 0 holds 1, expected 2"),
            row("wide", None, cudax_lacks="needs sm_90, the device has sm_80"),
            {"problem": "flag", "trouble": "the program ended with exit code 124"})))
        self.assertIn("add: cudax.sync: wrong answer: object 0 holds 1, expected 2", text)
        self.assertIn("flag: the program ended with exit code 124", text)
        self.assertIn("1 rows need what this device does not have", text)
        self.assertNotIn("wide: cudax.sync", text)

    def test_without_device_and_nvcc(self):
        text = self.printed(table.show, results.load(self.file(
            {"no_device": "no driver"}, {"compile": "clang, compile", "runs": 3, "empty": 0.5, "empty_cpu": 0.4,
                                         "cudax": 0.534, "cudax_cpu": 0.43, "libcuxx": 4.0, "libcuxx_cpu": 3.9},
            {"compile": "nvcc, compile", "runs": 0, "trouble": "nvcc is not installed"},
            build=BUILD | {"without_nvcc": "there is no g++"}, machine=None)))
        self.assertIn("there is none here (no driver)", text)
        self.assertRegex(text, r"clang, compile +0\.500 \(0\.400\) +\+0\.034 \(\+0\.030\) +\+3\.500 \(\+3\.500\)")
        self.assertIn("not measured: nvcc is not installed", text)
        self.assertIn("Nothing is compiled by nvcc (libcu++ and CUDA's own atomics): there is no g++.", text)

    def test_malformed_files(self):
        for content, why in (("", "is not JSON"), ("[1, ", "is not JSON"), ("{}", "is not a list"), ("[3]", "not an object"),
                             ("[]", "no entry with the commit"),
                             ('[{"row": "a", "unit": "s"}]', "has the unit 's'"),
                             ('[{"row": "a", "unit": "ns", "cudax": "fast"}]', "has the value 'fast'"),
                             ('[{"row": "a", "unit": "ns", "cudax": -1}]', "has the value -1"),
                             ('[{"row": "a", "unit": "ns", "cudax": 1, "cudax_samples": [1, null, true]}]', "value True")):
            path = self.text(content)
            with self.assertRaisesRegex(results.Trouble, why):
                results.load(path)
            done = self.report(path)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, f"^report: {path}: .*{why}")
        done = self.report(os.path.join(self.folder, "none.json"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot be read (No such file or directory)", done.stderr)


class Compare(Case):
    def test_changes_beyond_the_noise_count(self):
        quiet, noisy = {"spread": 0.001}, {"spread": 0.03}
        found = self.compared(
            [row("slower", 100, **quiet), row("faster", 100, **quiet), row("little", 100, **quiet), row("noisy", 100, **noisy),
             row("slower time", 100, unit="ns", **quiet), row("faster time", 100, unit="ns", **quiet)],
            [row("slower", 97, **quiet), row("faster", 104, **quiet), row("little", 98.5, **quiet), row("noisy", 90, **noisy),
             row("slower time", 104, unit="ns", **quiet), row("faster time", 97, unit="ns", **quiet)])
        self.assertEqual([change.name for change in found.slower], ["slower time", "slower"])
        self.assertEqual([change.name for change in found.faster], ["faster", "faster time"])
        self.assertEqual(found.same, 2)
        self.assertTrue(found.is_worse)

    def test_noise_is_the_distance_of_the_quartiles(self):
        self.assertAlmostEqual(results.Row(row("a", 100, spread=0.03)).noise("cudax"), 6)
        self.assertAlmostEqual(results.Row(row("a", 100, cudax_samples=[99, 103])).noise("cudax"), 4)
        # The noise is 6 and 0.06 of the new median: a change of 11 is within the noise, one of 12 is not.
        for after, counts in ((89, False), (88, True)):
            change = compare.Change(results.Row(row("a", 100, spread=0.03)), results.Row(row("a", after, spread=0.03)))
            self.assertEqual(change.counts, counts)

    def test_rows_that_are_missing_or_fail(self):
        found = self.compared([row("gone", 1), row("fails", 1), row("failed", None, cudax_trouble="x")],
                              [row("new", 1), row("fails", None, cudax_trouble="wrong answer: y"),
                               row("failed", 1)])
        self.assertEqual((found.gone, found.added), (["gone"], ["new"]))
        self.assertEqual(found.lost, ["fails: wrong answer: y"])
        self.assertTrue(found.is_worse)

    def test_a_missing_row_alone_is_no_error(self):
        found = self.compared([row("gone", 1), row("same", 1)], [row("same", 1)])
        self.assertFalse(found.is_worse)

    def test_other_machines(self):
        with self.assertRaisesRegex(results.Trouble, "is of NVIDIA X, .* of NVIDIA Y; compare two files of one GPU"):
            self.compared([row("a", 1)], [row("a", 1)], gpu="NVIDIA Y")
        found = self.compared([row("a", 1)], [row("a", 1)], driver="590", clock_measured_mhz=1500)
        self.assertEqual(found.warnings, ["the driver differs: 580 and 590", "the SM clock differs: 1980 and 1500 MHz"])
        with self.assertRaisesRegex(results.Trouble, "old.json: was written without a device"):
            compare.Comparison(results.load(self.file(name="old.json", machine=None)), results.load(self.file()))

    def test_command(self):
        old = self.file(row("add", 100, 50, spread=0.001), name="old.json")
        slower = self.file(row("add", 90, 50, spread=0.001))
        done = self.report(slower, "--compare", old)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("-10.0 %  add: 100 -> 90 Gop/s (noise 0.38; libcu++ +0.0 %)", done.stdout)
        self.assertIn("1 slower, 0 faster, 0 within the noise, 0 without a number now", done.stdout)
        self.assertEqual(self.report(old, "--compare", slower).returncode, 0)
        other = self.file(row("add", 100), name="other.json", machine=MACHINE | {"gpu": "NVIDIA Y"})
        done = self.report(other, "--compare", old)
        self.assertEqual(done.returncode, 2)
        self.assertIn("compare two files of one GPU", done.stderr)


class Plots(Case):
    """The files that are drawn; needs matplotlib."""

    def curve_rows(self):
        rows = [row(f"add, {n} threads", n / 10, n / 20, problem="curve", section="curves", curve="add", axis="threads", at=n)
                for n in (1, 32, 1024)]
        return rows + [row(f"lock, {n} threads", 10 * n, 20 * n, unit="ns", problem="lock", section="locks", curve="mutex",
                           axis="threads", at=n, cudax_fairness=2, libcuxx_fairness=8) for n in (1, 4)]

    def test_points_of_curves(self):
        found = results.load(self.file(*self.curve_rows(), row("no curve", 1)))
        curves = plots._curves_of(found.rows, lambda row, side: row.value(side))
        self.assertEqual(curves["add"]["cudax"], [(1, 0.1), (32, 3.2), (1024, 102.4)])
        self.assertEqual(sorted(curves), ["add", "mutex"])

    def test_files(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("there is no matplotlib (Debian's package python3-matplotlib)")
        folder = os.path.join(self.folder, "plots")
        done = self.report(self.file(*self.curve_rows(), row("no curve", 3, 1)), "--plots", folder, "--no-table")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(folder)), ["curve.png", "lock.png", "lock_fairness.png", "speed.png"])
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as file:
                self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_no_numbers(self):
        folder = os.path.join(self.folder, "plots")
        path = self.file(row("a", None, cudax_trouble="x"))
        done = self.report(path, "--plots", folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(os.path.exists(folder) and os.listdir(folder))

    def test_without_matplotlib(self):
        """The table comes, and a sentence says what is missing."""
        blocked = os.path.join(self.folder, "matplotlib.py")
        with open(blocked, "w", encoding="utf-8") as file:
            file.write("raise ImportError('blocked')\n")
        done = subprocess.run([sys.executable, os.path.join(FOLDER, "report"), self.file(row("a", 3, 1)), "--plots",
                               os.path.join(self.folder, "plots")], capture_output=True, text=True, check=False,
                              env=os.environ | {"PYTHONPATH": self.folder})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("3.00x", done.stdout)
        self.assertIn("No plots: Python has no matplotlib here; install Debian's package python3-matplotlib", done.stdout)


PROGRAM = """#!/bin/bash
case "$*" in
--list | "--list --quick")
  echo "fetch_add          atomics        2 rows    1.5 s"
  echo "lock               locks          1 rows    0.7 s" ;;
--machine)
  [[ ! $NO_DEVICE ]] || { echo 'benchmarks: no device: "none"' >&2; exit 3; }
  echo '%s' ;;
"--problem fetch_add"*) echo '%s'; exit ${STATUS-0} ;;
"--problem lock"*) echo '%s' ;;
*) exit 2 ;;
esac
echo "$*" >>"$0.calls"
"""


class Run(Case):
    def setUp(self):
        super().setUp()
        shutil.copytree(os.path.join(FOLDER, "reporting"), os.path.join(self.folder, "reporting"))
        for name in ("run", "report"):
            shutil.copy(os.path.join(FOLDER, name), self.folder)
        program = os.path.join(self.folder, "benchmarks")
        with open(program, "w", encoding="utf-8") as file:
            file.write(PROGRAM % tuple(map(json.dumps, (MACHINE, row("add", 100, 50), row("mutex", 9, problem="lock")))))
        os.chmod(program, 0o755)
        with open(os.path.join(self.folder, "build.json"), "w", encoding="utf-8") as file:
            json.dump(BUILD, file)

    def run_it(self, *arguments, **environment):
        return subprocess.run([os.path.join(self.folder, "run"), *arguments], capture_output=True, text=True, check=False,
                              env=os.environ | environment)

    def result(self):
        return results.load(os.path.join(self.folder, "result.json"))

    def test_all(self):
        done = self.run_it()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("3 rows, an estimated 2 s of GPU time", done.stderr)
        self.assertRegex(done.stdout, r"add +Gop/s .* 2\.00x")
        self.assertEqual([each.name for each in self.result().rows], ["add", "mutex"])

    def test_sections(self):
        done = self.run_it("--section", "locks", "--quick")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([each.name for each in self.result().rows], ["mutex"])
        with open(os.path.join(self.folder, "benchmarks.calls"), encoding="utf-8") as file:
            self.assertIn("--problem lock --quick", file.read())
        done = self.run_it("--section", "locks,nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no section 'nothing'", done.stderr)
        self.assertEqual(self.run_it("--section", "locks", "--problems", "fetch_add").returncode, 2)
        self.assertIn("fetch_add", self.run_it("--list").stdout)

    def test_failures(self):
        self.assertEqual(self.run_it(STATUS="1").returncode, 1)  # a wrong answer
        done = self.run_it(STATUS="139")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.result().troubles, ["fetch_add: the program ended with exit code 139 (124: after 300 s)"])
        done = self.run_it(NO_DEVICE="1")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(self.result().no_device, "none")

    def test_compare(self):
        old = self.file(row("add", 120, 50), name="old.json")
        done = self.run_it("--compare", old)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("-16.7 %  add: 120 -> 100", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
