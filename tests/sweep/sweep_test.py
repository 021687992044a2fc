# SPDX-License-Identifier: Apache-2.0
"""sweep_test: the test of tools/sweep.

    sweep_test.py ROOT BUILD

The parts on small texts; then the sweep of a library of four lines (planted.hpp), of which some orders are needed and some
are not: the mutants of the first must be noticed, the others must survive. At last the mutants of a family of tests/ptx.
"""
import importlib.util
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT, BUILD = Path(sys.argv[1]), Path(sys.argv[2])
sys.path.insert(0, str(ROOT / "tools/sweeping"))
import instructions
import instruments
import locations
import package
import report
import rows
import sites
import units
from locations import Frame

# The mutants of planted.hpp whose machine code of sm_90 is that of the text without a change: gpu to cluster, for which an
# H200 has the same instructions.
SAME = {"needed st: scope narrower", "alone ld: scope narrower", "first ld: scope narrower", "second fence: scope narrower"}

IR = """define void @kernel() !dbg !5 {
  call void asm "fence.acquire.gpu;", ""(), !dbg !8
  call void asm "ret;", ""(), !dbg !9
}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.cu", directory: "/root")
!2 = !DIFile(filename: "modules/wait/../thread/latch.cppm", directory: "/root")
!5 = distinct !DISubprogram(name: "kernel", scope: !1, file: !1, line: 3, unit: !0)
!6 = distinct !DISubprogram(name: "wait", scope: !2, file: !2, line: 7, unit: !0)
!7 = distinct !DILocation(line: 4, column: 2, scope: !5)
!8 = !DILocation(line: 70, column: 5, scope: !10, inlinedAt: !7)
!9 = !DILocation(line: 0, scope: !5)
!10 = distinct !DILexicalBlock(scope: !6, file: !2, line: 69, column: 3)
"""

PTX = """.visible .entry kernel(
)
{
.loc 1 1000001 0
// begin inline asm
@%p1 fence.acquire.gpu;
// end inline asm
.loc 1 3 0
{ .reg .pred p; mbarrier.try_wait.acquire.cta.shared::cta.b64 p, [%r1]; ld.relaxed.sys.global.b32 %r2, [%rd1]; }
$L__tmp1:
.loc 1 1000000 0
st.shared.b32 [%r1], %r2;
.loc 1 1000002 0
red.release.gpu.add.u32 [%rd1], %r2;
.loc 1 1000000 0
barrier.cluster.arrive.release.aligned;
ret;
}
"""


class Parts(unittest.TestCase):
    def test_places(self):
        text, places = locations.number_places(IR)
        latch, call = Frame("/root/modules/thread/latch.cppm", 70, 5), Frame("/root/a.cu", 4, 2)
        self.assertCountEqual(places, [(latch, call), (Frame("/root/a.cu", 0, 0),)])
        number = locations.FIRST + places.index((latch, call))
        self.assertIn(f"!8 = !DILocation(line: {number}, scope: !5)\n", text)
        self.assertIn("!7 = distinct !DILocation(line: 4, column: 2, scope: !5)\n", text)
        self.assertIn("emissionKind: DebugDirectivesOnly", text)

    def test_occurrences(self):
        lines, numbers = locations.split_places(PTX)
        latch = Frame("/root/modules/thread/latch.cppm", 70, 5)
        inner = Frame("/root/modules/machine/machine.cppm", 9, 1)
        places = [(Frame("/root/a.cu", 1, 1),), (inner, latch, Frame("/root/a.cu", 4, 2)), (Frame("/root/a.cu", 0, 0),)]
        found = sites.occurrences(lines, numbers, places, lambda file: file.removeprefix("/root/") if "modules" in file else None,
                                  "merged/a")
        self.assertEqual([one.text for one in found],
                         ["fence.acquire.gpu", "mbarrier.try_wait.acquire.cta.shared::cta.b64", "ld.relaxed.sys.global.b32",
                          "red.release.gpu.add.u32", "barrier.cluster.arrive.release.aligned"])
        # .loc 1 3 0 is the line of a function, before a location of the sweep: no line is known either.
        self.assertEqual([one.site and str(one.site) for one in found],
                         ["thread/latch.cppm:70:5 fence", "merged/a mbarrier.try_wait", "merged/a ld", "merged/a red.add", None])
        self.assertEqual({one.function for one in found}, {"kernel"})
        changed = sites.apply(lines, found[:1], "dropped")
        self.assertEqual([line for line in changed if line not in lines], [" "])
        changed = sites.apply(lines, found[1:2], "acquire to relaxed")
        self.assertIn("mbarrier.try_wait.relaxed.cta.shared::cta.b64 p, [%r1]; ld.relaxed.sys", "\n".join(changed))
        with self.assertRaises(AssertionError):
            sites.apply(changed, found[1:2], "acquire to relaxed")
        with self.assertRaises(AssertionError):
            sites.apply(lines, found[2:3], "dropped")

    def test_where(self):
        def frame(file, line):
            return Frame(file, line, 1)
        inner, wait = frame("modules/machine/device/words.cppm", 1), frame("modules/wait/wait.cppm", 2)
        latch, outer = frame("modules/thread/latch.cppm", 3), frame("modules/thread/group.cppm", 4)
        self.assertEqual(sites.where([inner, wait, inner, latch, outer]), "thread/latch.cppm:3:1 > wait/wait.cppm:2:1")
        self.assertEqual(sites.where([inner, latch, wait, outer]), "thread/latch.cppm:3:1")
        self.assertEqual(sites.where([inner, wait, inner]), "wait/wait.cppm:2:1")
        self.assertEqual(sites.where([inner, frame("modules/atomic/atomic_ref.cppm", 5)]), "atomic/atomic_ref.cppm:5:1")
        self.assertEqual(sites.where([inner, inner]), "machine/device/words.cppm:1:1")
        locked, outer = frame("modules/atomic/atomic_locked.cppm", 6), frame("modules/atomic/atomic_functions.cppm", 7)
        self.assertEqual(sites.where([inner, wait, locked, outer]), "atomic/atomic_locked.cppm:6:1 > wait/wait.cppm:2:1")
        use, again = frame("modules/grid/stealing.cppm", 6), frame("modules/grid/work_queue.cppm", 7)
        self.assertEqual(sites.uses([inner, wait, inner, latch, outer]), [])
        used = sites.uses([inner, wait, latch, outer, inner, use, again])
        self.assertEqual(used, ["grid/stealing.cppm:6:1 > thread/latch.cppm:3:1 > wait/wait.cppm:2:1"])
        self.assertTrue(sites.is_use(used[0]))
        self.assertFalse(sites.is_use("thread/latch.cppm:3:1 > wait/wait.cppm:2:1"))

    def test_a_line_that_performs_any_modification_is_one_site(self):
        lines = ["atom.relaxed.gpu.global.or.b32 %r1, [%rd1], 1;", "red.release.gpu.global.max.u32 [%rd1], 1;",
                 "atom.acquire.gpu.global.cas.b32 %r1, [%rd1], 1, 2;"]
        inside = lambda file: file.removeprefix("/root/") if "modules" in file else None
        for file, kinds in (("machine/combined.cppm", ["atom", "red", "atom.cas"]),
                            ("thread/latch.cppm", ["atom.or", "red.max", "atom.cas"])):
            found = sites.occurrences(lines, [0, 0, 0], [(Frame(f"/root/modules/{file}", 1, 1),)], inside)
            self.assertEqual([one.site.kind for one in found], kinds)

    def test_a_predicate_of_the_program_is_not_of_the_library(self):
        inner, user = Frame("/root/modules/machine/machine.cppm", 9, 1), Frame("/root/a.cu", 4, 2)
        condition = Frame("/root/modules/thread/condition.cppm", 83, 13)
        inside = lambda file: file.removeprefix("/root/") if "modules" in file else None
        self.assertEqual(sites.of_library((inner, user, condition), inside), [Frame("modules/machine/machine.cppm", 9, 1)])
        self.assertEqual(len(sites.of_library((inner, condition, user), inside)), 2)
        self.assertEqual(sites.of_library((user, condition), inside), [])

    def test_notches(self):
        rows = {  # instruction: its mutants
            "ld.acquire.gpu.b32": {"acquire to relaxed": "ld.relaxed.gpu.b32", "scope narrower": "ld.acquire.cluster.b32"},
            "st.release.sys.global.b64": {"release to relaxed": "st.relaxed.sys.global.b64",
                                          "scope narrower": "st.release.gpu.global.b64"},
            "atom.acq_rel.cta.shared.cas.b32": {"acq_rel to acquire": "atom.acquire.cta.shared.cas.b32",
                                                "acq_rel to release": "atom.release.cta.shared.cas.b32"},
            "red.relaxed.cluster.add.u32": {"scope narrower": "red.relaxed.cta.add.u32"},
            "atom.global.add.u32": {"scope narrower": "atom.relaxed.cluster.global.add.u32"}, # PTX's defaults
            "fence.sc.gpu": {"seq_cst to acq_rel": "fence.acq_rel.gpu", "scope narrower": "fence.sc.cluster"},
            "fence.acq_rel.cta": {"acq_rel to acquire": "fence.acquire.cta", "acq_rel to release": "fence.release.cta"},
            "fence.release.cta": {"dropped": ""},
            "fence.proxy.async.global": {"dropped": ""},
            "fence.mbarrier_init.release.cluster": {"dropped": ""},
            "fence.acquire.sync_restrict::shared::cluster.cluster": {"dropped": ""},
            "mbarrier.arrive.release.cluster.shared::cluster.b64": {
                "release to relaxed": "mbarrier.arrive.relaxed.cluster.shared::cluster.b64",
                "scope narrower": "mbarrier.arrive.release.cta.shared::cluster.b64"},
            "barrier.cluster.arrive.release.aligned": {"release to relaxed": "barrier.cluster.arrive.relaxed.aligned"},
            "barrier.cluster.wait.acquire.aligned": {},
            "ld.global.b32": {}, "st.shared::cluster.b32": {}, "mbarrier.init.shared::cta.b64": {},
        }
        for text, wanted in rows.items():
            made = {notch: new for notch in instructions.WEAKER if (new := instructions.changed(text, notch)) is not None}
            self.assertEqual(made, wanted, text)
        self.assertEqual(instructions.kind("atom.acq_rel.gpu.global.cas.b32"), "atom.cas")
        self.assertEqual(instructions.kind("fence.sc.sys"), "fence")


class Planted(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tree = units.Tree(ROOT, BUILD)
        file = ROOT / "tests/sweep/planted.hpp"
        text = file.read_text().splitlines()
        cls.lines = {text.index(f"  // {name}") + 2: name for name in ("needed", "alone", "first", "second")}
        cls.unit = units.Unit(cls.tree, "sweep.planted",
                              lambda other: "planted.hpp" if other == str(file) else cls.tree.is_library(other))
        cls.mutants = {mutant: found for mutant, found in sites.mutants(cls.unit.found, instructions.WEAKER).items()
                       if mutant.site.where.startswith("planted.hpp:")}

    def test_body(self):
        emulator = instruments.Emulator(self.unit)
        self.assertEqual(emulator.unclean, [])
        survivors, noticed = set(), set()
        for mutant, found in self.mutants.items():
            lines = {one.line for one in found}
            changed = {self.unit.name: (self.unit.text(mutant, found), lines)}
            result = instruments.check([emulator], changed, 2, 60)
            self.assertGreater(result["cases"], 0, f"no case reaches {mutant}")
            name = self.lines[int(mutant.site.where.split(":")[1])]
            (noticed if result["by"] else survivors).add(f"{name}: {mutant.notch}")
        self.assertEqual(noticed, {"needed: release to relaxed", "needed: scope narrower", "alone: acquire to relaxed",
                                   "alone: scope narrower", "first: scope narrower"})
        self.assertEqual(survivors, {"first: acquire to relaxed", "second: dropped", "second: scope narrower"})

    def test_an_unknown_text_is_an_error(self):
        emulator = instruments.Emulator(self.unit)
        case = emulator.cases[:1]
        with self.assertRaises(units.Failure):
            emulator.run("\n".join(line.replace("concurrent_kernel", "another_kernel") for line in self.unit.lines), case,
                         budget=60)

    def test_patterns(self):
        unit = units.Unit(self.tree, "ptx.barrier_shared")
        patterns = instruments.Patterns(unit)
        mutants = sites.mutants(unit.found, instructions.WEAKER)
        self.assertGreater(len(mutants), 4)
        mutant = next(one for one in sorted(mutants, key=str) if one.notch == "release to relaxed")
        self.assertIn("ptx.barrier_shared: barrier_shared.ptx.cu on sm_90", patterns.run(unit.text(mutant, mutants[mutant])))
        self.assertIsNone(patterns.run(unit.text()))
        again = units.Unit(self.tree, "ptx.barrier_shared")  # from what the first one kept
        self.assertEqual((again.lines, again.found, again.digest), (unit.lines, unit.found, unit.digest))

    def test_package(self):
        """What goes to a GPU: run.py makes machine code of it, and sees which mutants change none."""
        emulator = instruments.Emulator(self.unit)
        with tempfile.TemporaryDirectory() as parent:
            folder = Path(parent) / "package"
            chosen = {mutant: {self.unit.name: found} for mutant, found in self.mutants.items()}
            package.write(folder, chosen, {self.unit.name: self.unit}, lambda name: emulator)
            with self.assertRaises(units.Failure):
                package.write(folder, chosen, {self.unit.name: self.unit}, lambda name: emulator)
            written = json.loads((folder / "package.json").read_text())
            self.assertEqual(len(written["mutants"]), len(self.mutants))

            spec = importlib.util.spec_from_file_location("run", folder / "run.py")
            on_gpu = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(on_gpu)
            body = on_gpu.Unit(self.unit.name, written["units"][self.unit.name], Path(parent))
            _, plain = body.build("plain", [])
            self.assertEqual(body.build("again", [])[1], plain)
            same = set()
            for one in written["mutants"]:
                here = one["units"][self.unit.name]
                self.assertTrue(here["cases"])
                if body.build(one["number"], here["changes"])[1] == plain:
                    same.add(re.sub(r"planted.hpp:(\d+).* (\w+: .*)", lambda m: f"{self.lines[int(m[1])]} {m[2]}", one["mutant"]))
            self.assertEqual(same, SAME)

            program = [folder / written["units"][self.unit.name]["program"], "--list_content"]
            for image, message in ((None, "CUDAX_SWEEP_IMAGE is not set"), ("/dev/null", "which holds no fat binary")):
                done = subprocess.run(program, capture_output=True, text=True, env={
                    "LD_PRELOAD": str(folder / "image.so"), "LD_LIBRARY_PATH": str(folder),
                    **({"CUDAX_SWEEP_IMAGE": image} if image else {})})
                self.assertEqual((done.returncode, message in done.stderr), (97, True), done.stderr)


SOURCE = """// CHECK-LABEL: .entry one(
// CHECK: fence.sc.gpu;
// CHECK: ld.acquire.gpu
// CHECK-LABEL: .entry two(
// CHECK: ld.{{acquire|relaxed}}.gpu
// CHECK-LABEL: .entry none(
"""
CASE = """.visible .entry one(
)
{
fence.sc.gpu;
ld.acquire.gpu.b32 %r1, [%rd1];
}
.visible .entry two(
)
{
ld.acquire.gpu.b32 %r1, [%rd1];
}
.visible .entry none(
)
{
ret;
}
"""


class OfPlanted(rows.Family):
    """A family of one case, of which one pattern leaves the order open."""

    def __init__(self, tree: units.Tree, source: Path):
        super().__init__(tree, "ptx.barrier_shared")
        self.source, self.labels = source, rows.labels(SOURCE)

    def calls(self):
        return [rows.Call("acquire_device", CASE, [str(self.source), "--check-prefixes=CHECK",
                                                   "--implicit-check-not={{[[:space:]]fence[.[:space:]]}}"])]


class Rows(unittest.TestCase):
    def test_rows(self):
        found = rows.rows(CASE, instructions.WEAKER)
        self.assertEqual([(row.kernel, row.at, row.notch) for row in found],
                         [("one", 0, "seq_cst to acq_rel"), ("one", 0, "scope narrower"), ("one", 0, "acquire to relaxed"),
                          ("one", 1, "scope narrower"), ("two", 0, "acquire to relaxed"), ("two", 0, "scope narrower")])
        changed = rows.with_changes(CASE, {row: at for row, at in found.items() if row.notch == "acquire to relaxed"})
        self.assertEqual(changed, CASE.replace("acquire", "relaxed"))

    def test_survivors(self):
        tree = units.Tree(ROOT, BUILD)
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "planted.ptx.cu"
            source.write_text(SOURCE)
            planted = OfPlanted(tree, source)
            count, survivors = planted.survivors(instructions.WEAKER)
            self.assertEqual((count, [(row.kernel, row.notch) for _, row in survivors]), (6, [("two", "acquire to relaxed")]))
            # What the implicit patterns forbid is a complaint of the kernel in which it stands.
            self.assertEqual(planted.complaints(planted.calls()[0], CASE.replace("ret;", "fence.sc.gpu;")), {"none"})
            with self.assertRaises(units.Failure):  # a pattern that fails without a change
                source.write_text(SOURCE.replace("fence.sc", "fence.acq_rel"))
                planted.survivors(instructions.WEAKER)
        calls = rows.Family(tree, "ptx.barrier_shared").calls()
        self.assertEqual([call.case for call in calls], ["acquire_block"])  # acquire_thread is the same text
        self.assertTrue(all(".entry" in call.text and "--implicit-check-not" in " ".join(call.arguments) for call in calls))


class Results(unittest.TestCase):
    def test_survivors_are_shown(self):
        one = {"site": "thread/latch.cppm:1:1", "kind": "ld", "notch": "acquire to relaxed", "instruction": "ld.acquire.cta.b32",
               "patterns": None, "pattern_units": 1, "check": {"by": None, "cases": 2, "runs": 8}, "fast": None}
        self.assertTrue(report.survives(one))
        self.assertIn("thread/latch.cppm:1:1 ld: acquire to relaxed (ld.acquire.cta.b32; 1 families, 2 cases in 8 checked runs)",
                      report.text([one]))
        self.assertFalse(report.survives(one | {"patterns": "ptx.arriving: ..."}))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
