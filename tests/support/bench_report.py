#!/usr/bin/env -S python3 -I
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
HOST = {"host": "CPU Z", "cores": 2, "load": 0.5}


def row(name, cudax, libcuxx=None, unit="Gop/s", problem="fetch_add", spread=0.0, **more):
    fields = {"problem": problem, "section": "atomics", "row": name, "unit": unit}
    for side, median in (("cudax", cudax), ("libcuxx", libcuxx)):
        if median is not None:
            samples = [median * (1 + spread * step) for step in (-2, -1, 0, 1, 2)]
            fields |= {side: median, side + "_min": samples[0], side + "_max": samples[-1], side + "_samples": samples}
    return fields | ({} if cudax is not None else {"cudax": None}) | more


def host_row(name, cudax, std, threads=4, unit="ns", **more):
    return row(f"{name}, {threads} threads on 2 cores, against std::{name}", cudax, unit=unit, problem="host_locks", std=std,
               std_samples=[std], against=f"std::{name}", threads=threads, cores=2, curve=name, axis="threads", at=threads,
               **more) | {"section": "host"}


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
        return subprocess.run([sys.executable, "-I", os.path.join(FOLDER, "report"), *arguments], capture_output=True,
                              text=True, check=False)

    def printed(self, function, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            function(*arguments)
        return out.getvalue()

    def compared(self, old, new, **machine):
        return compare.Comparison(results.load(self.file(*old, name="old.json")),
                                  results.load(self.file(*new, name="new.json", machine=MACHINE | machine)))

    def compared_hosts(self, old, new, **machines):
        return compare.Comparison(results.load(self.file(*old, name="old.json", machine=None)),
                                  results.load(self.file(*new, name="new.json", machine=None) if not machines else
                                               self.file(*new, name="new.json", **machines)))


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

    def test_both_loops(self):
        """A row as compiled is below the one whose loop is not unrolled; alone it has its whole name."""
        text = self.printed(table.show, results.load(self.file(
            row("add", 63, 63), row("add, as compiled", 80, 40), row("or, as compiled", 7, 7))))
        self.assertRegex(text, r"\n  add +Gop/s +63 .*\n      as compiled +Gop/s +80 \(80-80\) +40  2\.00x\n")
        self.assertRegex(text, r"\n  or, as compiled +Gop/s +7 ")

    def test_the_newest_libcuxx(self):
        text = self.printed(table.show, results.load(self.file(
            row("add", 30, 10, promised=33, newest=15, newest_nvcc=20), machine=MACHINE | {"newest_libcuxx_version": "3.5.0"})))
        self.assertIn("libcu++ 3.0.1, newest libcu++ 3.5.0\n", text)
        self.assertRegex(text, r"add +Gop/s +30 \(30-30\) +33  0\.91x +10  3\.00x +15  2\.00x +20  1\.50x")
        text = self.printed(table.show, results.load(self.file(row("add", 30, 10), build=BUILD | {"without_newest": "none"})))
        self.assertIn("No column of the newest libcu++: none.", text)

    def test_rows_of_the_host(self):
        """They need no device; a share of a processor is not a speed."""
        text = self.printed(table.show, results.load(self.file(
            HOST, host_row("mutex", 10, 25), host_row("wait", 2.5, 0.01, threads=400, unit="%"), machine=None,
            build={key: value for key, value in BUILD.items() if key != "built_sm"})))
        self.assertIn("host CPU Z, 2 cores, load average 0.5 when the measurement began", text)
        self.assertRegex(text, r"mutex, 4 threads on 2 cores, against std::mutex +ns +10 \(10-10\) +25  2\.50x")
        self.assertRegex(text, r"wait, 400 threads on 2 cores, against std::wait +% +2\.5 \(2\.5-2\.5\) +0\.01\n")
        for other in ("SM", "libcu++", "PTX", "built for"):
            self.assertNotIn(other, text)

    def test_rows_without_a_number(self):
        text = self.printed(table.show, results.load(self.file(
            row("add", None, 10, cudax_trouble="wrong answer: object 0 holds 1, expected 2"),
            row("wide", None, cudax_lacks="needs sm_90, the device has sm_80"),
            row("product", 600, unit="TFLOP/s", cuda=None, cuda_lacks="needs cuBLAS"),
            row("small product", 500, unit="TFLOP/s", cuda=None, cuda_lacks="needs cuBLAS"),
            {"problem": "flag", "trouble": "the program ended with exit code 124"})))
        self.assertIn("add: cudax.sync: wrong answer: object 0 holds 1, expected 2", text)
        self.assertIn("flag: the program ended with exit code 124", text)
        self.assertIn("cudax.sync: 1 rows without a number: needs sm_90, the device has sm_80\n", text)
        self.assertIn("CUDA's own: 2 rows without a number: needs cuBLAS\n", text)
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

    def test_other_hosts(self):
        old, new = [HOST, host_row("mutex", 10, 25)], [HOST, host_row("mutex", 12, 30)]
        found = self.compared_hosts(old, new)
        self.assertEqual(([change.name[:5] for change in found.slower], found.warnings), (["mutex"], []))
        self.assertIn("std -16.7 %", str(found.slower[0]))  # the machine was slower
        with self.assertRaisesRegex(results.Trouble, "is of CPU Z with 2 cores, .* of CPU Z with 8 cores; compare two files of "
                                                     "one machine"):
            self.compared_hosts(old, [HOST | {"cores": 8}, host_row("mutex", 12, 30)])
        # One of the files has rows of a device, too.
        found = self.compared_hosts(old, new + [row("add", 1)], machine=MACHINE)
        self.assertEqual(len(found.slower), 1)
        self.assertEqual(found.added, [])
        self.assertRegex(found.warnings[0], "^the rows of the GPU are not compared: .*old.json: was written without a device")
        # Both are of one GPU, but of different hosts.
        found = self.compared([HOST | {"cores": 8}, row("add", 1), host_row("mutex", 10, 25)], [row("add", 2)] + new)
        self.assertEqual(([change.name for change in found.faster], found.slower, found.gone), (["add"], [], []))
        self.assertRegex(found.warnings[0], "^the rows of the host are not compared: ")

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

    def test_host(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("there is no matplotlib (Debian's package python3-matplotlib)")
        folder = os.path.join(self.folder, "plots")
        found = results.load(self.file(HOST, host_row("mutex", 10, 25), host_row("mutex", 20, 25, threads=8), machine=None))
        self.assertEqual(plots._curves_of(found.rows, lambda row, side: row.value(side))["mutex"]["std"], [(4, 25), (8, 25)])
        self.assertEqual(sorted(map(os.path.basename, plots.draw(found, folder))), ["host_locks.png", "speed.png"])
        self.assertEqual(plots._machine(found), "CPU Z with 2 cores")

    def test_no_numbers(self):
        folder = os.path.join(self.folder, "plots")
        path = self.file(row("a", None, cudax_trouble="x"))
        done = self.report(path, "--plots", folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(os.path.exists(folder) and os.listdir(folder))

    def test_without_matplotlib(self):
        """The table comes, and a sentence says what is missing."""
        blocked = "import runpy, sys; sys.modules['matplotlib'] = None; runpy.run_path(sys.argv.pop(1), run_name='__main__')"
        done = subprocess.run([sys.executable, "-I", "-c", blocked, os.path.join(FOLDER, "report"), self.file(row("a", 3, 1)),
                               "--plots", os.path.join(self.folder, "plots")], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("3.00x", done.stdout)
        self.assertIn("No plots: Python has no matplotlib here; install Debian's package python3-matplotlib", done.stdout)


DEVICE_PROGRAM = """#!/bin/bash
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
HOST_PROGRAM = """#!/bin/bash
case "$*" in
--list | "--list --quick") echo "host_locks         host           1 rows    0.8 s" ;;
--machine)
  [[ ! $BROKEN ]] || { echo 'bench_host: a library is missing' >&2; exit 127; }
  echo '%s' ;;
"--problem host_locks"*) echo '%s' ;;
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
        self.program("benchmarks", DEVICE_PROGRAM, MACHINE, row("add", 100, 50), row("mutex", 9, problem="lock"))
        with open(os.path.join(self.folder, "build.json"), "w", encoding="utf-8") as file:
            json.dump(BUILD, file)

    def program(self, name, text, *answers):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text % tuple(map(json.dumps, answers)))
        os.chmod(path, 0o755)

    def host_program(self):
        self.program("bench_host", HOST_PROGRAM, HOST, host_row("mutex", 10, 25))

    def calls(self, name):
        with open(os.path.join(self.folder, name + ".calls"), encoding="utf-8") as file:
            return file.read()

    def run_it(self, *arguments, **environment):
        return subprocess.run([os.path.join(self.folder, "run"), *arguments], capture_output=True, text=True, check=False,
                              env=os.environ | environment)

    def result(self):
        return results.load(os.path.join(self.folder, "result.json"))

    def test_all(self):
        done = self.run_it()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("3 rows, an estimated 2 s\n", done.stderr)
        self.assertRegex(done.stdout, r"add +Gop/s .* 2\.00x")
        self.assertEqual([each.name for each in self.result().rows], ["add", "mutex"])

    def test_sections(self):
        done = self.run_it("--section", "locks", "--quick")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([each.name for each in self.result().rows], ["mutex"])
        self.assertIn("--problem lock --quick", self.calls("benchmarks"))
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

    def test_host_with_a_device(self):
        self.host_program()
        done = self.run_it()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([each.section for each in self.result().rows], ["atomics", "atomics", "host"])
        self.assertRegex(done.stdout, r"mutex, 4 threads on 2 cores, against std::mutex +ns .* 2\.50x")
        self.assertEqual(self.run_it("--list").stdout.split()[0::6], ["fetch_add", "lock", "host_locks"])

    def test_host_without_a_device(self):
        """All sections: the status says that devices' rows are missing. Section host: no row is missing."""
        self.host_program()
        self.assertEqual(self.run_it(NO_DEVICE="1").returncode, 3)
        self.assertEqual([each.section for each in self.result().rows], ["host"])
        self.assertEqual(self.result().no_device, "none")
        done = self.run_it("--section", "host", NO_DEVICE="1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIsNone(self.result().no_device)

    def test_host_alone(self):
        os.remove(os.path.join(self.folder, "benchmarks"))
        self.assertIn("there is no program 'benchmarks' or 'bench_host'", self.run_it().stderr)
        self.host_program()
        done = self.run_it("--quick")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--problem host_locks --quick", self.calls("bench_host"))
        self.assertEqual([each.fields["against"] for each in self.result().rows], ["std::mutex"])
        self.assertEqual(self.run_it(BROKEN="1").returncode, 1)
        self.assertEqual(self.result().troubles, ["bench_host: exit code 127: bench_host: a library is missing"])

    def test_compare(self):
        old = self.file(row("add", 120, 50), name="old.json")
        done = self.run_it("--compare", old)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("-16.7 %  add: 120 -> 100", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
