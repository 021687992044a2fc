# SPDX-License-Identifier: Apache-2.0
"""host_sweep_test: the test of tools/sweep --host.

    host_sweep_test.py ROOT BUILD

The parts on small texts; then the sweep of a library of a few lines (host/planted.hpp), of which some orders are needed and
some are not; at last mutants of the library that the test of its wake-ups must notice.
"""
import re
import sys
import unittest
from pathlib import Path

ROOT, BUILD = Path(sys.argv[1]), Path(sys.argv[2])
sys.path.insert(0, str(ROOT / "tools/sweeping"))
import host_programs
import host_sites
import host_sweep
import sites
from host_sites import Chain, Change
from locations import Frame

PROGRAMS, OUT = BUILD / "tests/sweep/host", BUILD.parent / "sweep/host"


class Parts(unittest.TestCase):
    def test_recording(self):
        cases = host_sites.parse_recording("case 0.0000 -\n0 5 0 10\ncase 1.5000 std.a/b  c [host]\n0 2 0 10 2f\n3 4 2 11\n"
                                           "case 0.0000 -\n")
        self.assertEqual(cases["std.a/b  c [host]"], (1.5, {Chain("load", 2, 0, (0x10, 0x2F)), Chain("compare", 4, 2, (0x11,))}))
        self.assertEqual(cases["-"], (0.0, {Chain("load", 5, 0, (0x10,))}))

    def test_notches(self):
        rows = {  # operation, success, failure: the mutants, and the orders that they have
            ("load", 5, 0): {"no total order": (2, 0), "no acquire": (0, 0)}, ("load", 2, 0): {"no acquire": (0, 0)},
            ("load", 1, 0): {"no acquire": (0, 0)}, ("load", 0, 0): {},
            ("store", 5, 0): {"no total order": (3, 0), "no release": (0, 0)}, ("store", 3, 0): {"no release": (0, 0)},
            ("modify", 5, 0): {"no total order": (4, 0), "no acquire": (3, 0), "no release": (2, 0)},
            ("modify", 4, 0): {"no acquire": (3, 0), "no release": (2, 0)}, ("modify", 3, 0): {"no release": (0, 0)},
            ("compare", 3, 2): {"no release": (0, 2), "no acquire if it fails": (3, 0)},
            ("compare", 5, 5): {"no total order": (4, 5), "no acquire": (3, 5), "no release": (2, 5),
                                "no total order if it fails": (5, 2), "no acquire if it fails": (5, 0)},
            ("fence", 5, 0): {"no total order": (4, 0)}, ("fence", 2, 0): {"no acquire": (-1, 0)},
            ("fence", 4, 0): {"no acquire": (3, 0), "no release": (2, 0)},
        }
        for (operation, success, failure), wanted in rows.items():
            self.assertEqual(dict(host_sites.weaker(Chain(operation, success, failure, ()))), wanted, (operation, success, failure))
        for operation, notch, by_race in (("load", "no acquire", True), ("modify", "no total order", False), ("fence", "no acquire", False),
                                          ("compare", "no total order if it fails", False)):
            self.assertEqual(host_sites.is_seen_as_race(operation, notch), by_race, (operation, notch))

    def test_sites(self):
        def frame(file, line):
            return Frame(file, line, 1)
        frames = {1: [frame("/usr/include/atomic", 7), frame("/root/runtime/a.cpp", 5)],
                  2: [frame("/root/modules/machine/host.cppm", 1), frame("/root/modules/machine/machine.cppm", 2)],
                  3: [frame("/root/modules/wait/wait.cppm", 3)], 4: [frame("/root/modules/thread/latch.cppm", 4)],
                  5: [frame("/root/tests/a.cpp", 6)], 6: [frame("/root/modules/atomic/atomic_locked.cppm", 8)]}
        places = host_sites.Places(frames, host_sweep.is_library(Path("/root")))
        rows = {  # addresses, outwards: the site
            (1, 4): "runtime/a.cpp:5:1", (2, 3, 4, 5): "thread/latch.cppm:4:1 > wait/wait.cppm:3:1", (2, 4, 3): "thread/latch.cppm:4:1",
            (2, 3, 5, 4): "wait/wait.cppm:3:1", (2, 5, 4): "machine/host.cppm:1:1", (5, 4): "", (2, 9, 4): "machine/host.cppm:1:1",
            (2, 6): "atomic/atomic_locked.cppm:8:1",
        }
        for addresses, wanted in rows.items():
            self.assertEqual(places.name(places.site(Chain("load", 5, 0, addresses))), wanted, addresses)
        self.assertEqual(places.text().splitlines()[1:3], ["at 2 i2 i3", "at 3 b4"])
        made = host_sites.mutants([Chain("load", 2, 0, (2, 4))], places)
        change = Change("load", (2, 0), (0, 0), (5,))
        self.assertEqual(made, {host_sites.Mutant(sites.Site("thread/latch.cppm:4:1", "load"), "no acquire"): {change}})
        self.assertEqual(str(change), "weaker 0 2 0 0 0 5")


class Planted(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        file = ROOT / "tests/sweep/host/planted.hpp"
        text = file.read_text().splitlines()
        cls.lines = {text.index(f"  // {name}") + 2: name
                     for name in ("needed", "alone", "first", "second", "write", "read", "before the fence", "fence")}
        cls.programs = [host_programs.Program(host_programs.Way("sweep_planted", late), PROGRAMS / "sweep_planted", OUT,
                                              lambda other: "planted.hpp" if other == str(file) else None)
                        for late in (False, True)]

    def test_planted(self):
        noticed, survivors = set(), set()
        for mutant in self.programs[0].mutants:
            late = not host_sites.is_seen_as_race(mutant.site.kind, mutant.notch)
            result = self.programs[late].try_mutant(self.programs[late].mutants[mutant], 60)
            self.assertGreater(result["cases"], 0, mutant)
            name = self.lines[int(mutant.site.where.split(":")[1])]
            (noticed if result["by"] else survivors).add(f"{name}: {mutant.notch}")
        self.assertEqual(noticed, {"needed: no release", "alone: no acquire", "write: no total order", "read: no total order",
                                   "fence: no total order"})
        self.assertEqual(survivors, {"first: no acquire", "second: no acquire", "write: no acquire", "write: no release",
                                     "read: no acquire", "before the fence: no total order", "before the fence: no release"})


class WakeUps(unittest.TestCase):
    def test_the_protocol_is_noticed(self):
        program = host_programs.Program(host_programs.Way("run_late", True), PROGRAMS / "run_late", OUT, host_sweep.is_library(ROOT))
        for pattern in (r"thread/latch\.cppm:\d+:\d+ modify: no total order", r"runtime/waiting/parking\.cpp:\d+:\d+ fence: ",
                        r"runtime/interface/boundary\.hpp:\d+:\d+ load: no total order"):
            found = [mutant for mutant in program.mutants if re.match(pattern, str(mutant))]
            self.assertEqual(len(found), 1, pattern)
            self.assertIn("wake_ups/", program.try_mutant(program.mutants[found[0]], 60)["by"] or "", pattern)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
