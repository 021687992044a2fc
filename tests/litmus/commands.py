# SPDX-License-Identifier: Apache-2.0
"""commands: litmus_model reports each mistake in a program with its place and an advice, and its commands do what they say.

    commands.py LITMUS_MODEL FOLDER
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = FOLDER = None

GOOD = """litmus MP
"A sentence."
{
  x;
  y : 8;
  mutex m;
}
P0              | P1                  ;
store.weak x 1  | r0 = load.acquire y ;
store.release y 1 | if r0 == 1 then r1 = load.weak x ;
placements same_block, same_device@block;
exists (P1:r0=1 /\\ P1:r1=0)
"""

# What replaces what in GOOD; the line of the error; what the message says.
MISTAKES = [
    ("litmus MP", "MP", 1, "the program does not begin with its name; write litmus NAME"),
    ('"A sentence."', "{", 2, "'{' follows the name; write a sentence in quotes"),
    ('"A sentence."', '"A sentence.', 2, "the quoted sentence does not end on its line"),
    ("  x;", "  x; x;", 4, "'x' is declared twice; use another name"),
    ("  x;", "  load;", 4, "'load' is a word of the format"),
    ("y : 8", "y : 3", 5, "a location has 1, 2, 4, 8 or 16 bytes; change the size"),
    ("  x;", "  x : 1 = 256;", 4, "the initial value of x has more than 1 bytes"),
    ("mutex m;", "latch m;", 6, "';' follows the name of the object; write '(' there"),
    ("mutex m;", "part p of y at 2 : 4;", 6, "the part p is not an aligned range of the bytes of y"),
    ("mutex m;", "part p of z at 0 : 4;", 6, "'z' is no location that can have parts"),
    ("P0  ", "P1  ", 8, "the column after 0 others is called P1; call the columns P0, P1, ..."),
    ("store.weak x 1", "stroe.weak x 1", 9, "'stroe' is neither an operation nor an object"),
    ("store.weak x 1", "store x 1", 9, "store has 0 orders; write one"),
    ("store.weak x 1", "store.acquire x 1", 9, "store cannot be acquire; use one of: weak, relaxed, release, seq_cst"),
    ("store.weak x 1", "store.weak.block x 1", 9, "a weak store has no scope"),
    ("store.weak x 1", "store.weak z 1", 9, "'z' is no location; declare it between { and }"),
    ("store.weak x 1", "store.weak x r0", 9, "P0 reads register r0, which no instruction above writes"),
    ("store.weak x 1", "store.weak x", 9, "'|' stands where the value of store must be"),
    ("store.weak x 1", "store.grid x 1", 9, "'grid' is no qualifier of store"),
    ("store.weak x 1", "store.weak.v4 x 1", 9, "a vector of 4 elements cannot access x"),
    ("store.weak x 1", "r0 = store.weak x 1", 9, "store returns nothing; remove the register r0"),
    ("store.weak x 1", "load.weak x", 9, "the value of the load goes nowhere; write r0 = load"),
    ("store.weak x 1", "compare_exchange.acquire x 0 1", 9, "compare_exchange has 1 orders; write those of success and of failure"),
    ("store.weak x 1", "compare_exchange.acquire.release x 0 1", 9, "the failure of compare_exchange cannot be release"),
    ("store.weak x 1", "fence.relaxed", 9, "fence cannot be relaxed"),
    ("store.weak x 1", "sync.lane", 9, "sync.lane does not exist; use sync.warp, block, cluster or grid"),
    ("store.weak x 1", "m.acquire", 9, "a mutex has no member acquire; use one of: lock, unlock, try_lock"),
    ("store.weak x 1", "r0 = m.lock", 9, "m.lock returns nothing"),
    ("store.weak x 1", "m.lock 1", 9, "m.lock has 1 arguments; write 0"),
    ("store.weak x 1", "m.lock.release", 9, "m.lock has other qualifiers; remove them"),
    ("store.weak x 1", "await store.weak x 1 until == 1", 9, "only an operation that reads a location can be awaited"),
    ("store.weak x 1", "await r0 = load.relaxed x == 1", 9, "'==' follows the operation that is awaited; write 'until' there"),
    ("store.weak x 1", "if r0 == 1 then store.weak x 1", 9, "P0 reads register r0"),
    ("store.weak x 1", "store.weak x 1 ~", 9, "'~' follows the instruction of P0; write '|' there"),
    ("store.weak x 1", "store.weak x 1z", 9, "'1z' is no number"),
    ("store.weak x 1", "store.weak x 1 $", 9, "the character '$' has no meaning here"),
    ("r0 = load.acquire y ;", "r0 = load.acquire y | ;", 9, "the row has more columns than the 2 threads"),
    ("store.release y 1 |", "store.release y 1 ;", 10, "the row has 1 columns, and there are 2 threads"),
    ("placements same_block,", "placements somewhere,", 11, "'somewhere' is no placement of 2 threads"),
    ("placements same_block,", "placements same_block, same_block,", 11, "placement same_block is listed twice"),
    ("same_device@block", "same_device@thread", 11, "'thread' is no scope; use block, cluster, device or system"),
    ("same_device@block", "same_device:texture", 11, "'texture' is no kind of memory; use global, shared, mapped or managed"),
    ("same_device@block", "same_device:shared", 11, "P1 cannot access x: the location is in shared memory of the cluster of P0"),
    ("same_device@block", "host_first:global", 11, "P0 cannot access x: the thread is on the host"),
    ("same_device@block", "mine = device(P0)", 11, "placement mine leaves out P1"),
    ("same_device@block", "mine = device(P0 P0 P1)", 11, "the placement names P0 twice"),
    ("same_device@block", "mine = device(P0 P2)", 11, "the placement names P2, which is no thread"),
    ("same_device@block", "mine = block(device(P0 P1))", 11, "'device' stands in a level that it cannot be in"),
    ("same_device@block", "mine = grid(P0 P1)", 11, "'grid' is no level"),
    ("same_device@block", "same_warp = block(P0 P1)", 11, "'same_warp' names a placement that has a meaning of its own"),
    ("same_device@block;", "same_device@block", 12, "'exists' follows the placements; write ';' there"),
    ("P1:r0=1", "P1:r9=1", 12, "P1 has no register r9"),
    ("P1:r0=1", "P2:r0=1", 12, "'P2' is no thread"),
    ("P1:r0=1", "z=1", 12, "'z' is no location"),
    ("P1:r1=0)", "P1:r1=0", 13, "the end of the file follows the condition; write ')' there"),
    ("P1:r1=0)", "P1:r1=0))", 12, "')' follows the condition; remove it"),
]


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)


class Commands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text, name="a.litmus"):
        (self.folder / name).write_text(text, encoding="utf-8")
        return self.folder / name

    def test_mistakes(self):
        self.assertEqual(run("print", self.write(GOOD)).returncode, 0)
        for old, new, line, message in MISTAKES:
            with self.subTest(new=new):
                self.assertEqual(GOOD.count(old) >= 1, True)
                file = self.write(GOOD.replace(old, new, 1))
                result = run("verdict", file)
                self.assertEqual(result.returncode, 2, result.stderr + result.stdout)
                self.assertIn(f"{file}:{line}: ", result.stderr)
                self.assertIn(message, result.stderr)
                self.assertIn("; ", result.stderr)  # what to do

    def test_once_flag_encloses_a_function(self):
        text = GOOD.replace("mutex m", "once_flag m")
        for instruction, message in [("m.leave", "do not alternate"), ("m.enter", "the function of m has no end")]:
            result = run("verdict", self.write(text.replace("store.weak x 1", instruction)))
            self.assertEqual(result.returncode, 2)
            self.assertIn(message, result.stderr)

    def test_missing_file(self):
        result = run("verdict", self.folder / "none.litmus")
        self.assertEqual(result.returncode, 2)
        self.assertIn("none.litmus:1: the file cannot be read", result.stderr)

    def test_options(self):
        file = self.write(GOOD)
        for arguments, message in [(["verdict"], "no FILE"), (["judge", file], "use verdict, mutants or print"),
                                   (["verdict", file, "--model", "sc"], "use ptx, rc11 or both"),
                                   (["verdict", file, "--model"], "--model needs an argument"),
                                   (["verdict", file, "--check", "--model", "ptx"], "leave out --model and --placement"),
                                   (["verdict", file, "--fast"], "unknown option '--fast'"),
                                   (["verdict", file, "--placement", "here"], "use one of: same_block, same_device@block"),
                                   (["verdict", self.folder / "nothing"], "cannot be read")]:
            result = run(*arguments)
            self.assertEqual(result.returncode, 2)
            self.assertIn(message, result.stderr)

    def test_print_is_read_again(self):
        first = run("print", FOLDER)
        self.assertEqual(first.returncode, 0, first.stderr)
        texts = ["litmus " + one for one in first.stdout.split("\nlitmus ")]
        texts[0] = texts[0].removeprefix("litmus ")
        self.assertEqual(len(texts), len(list(pathlib.Path(FOLDER).rglob("*.litmus"))))
        for number, text in enumerate(texts):
            self.write(text, f"{number:04}.litmus")
        self.assertEqual(run("print", self.folder).stdout.split("\n"), "\n".join(texts).split("\n"))

    def test_verdict_shows_an_execution(self):
        text = run("verdict", self.write(GOOD), "--model", "ptx").stdout
        self.assertIn("MP same_block ptx: forbidden", text)
        self.assertIn("Rejected by Causality: 1", text)
        self.assertIn("MP same_device@block ptx: allowed", text)
        self.assertIn("r0 = load.acquire.S y: reads 1", text)
        self.assertIn("reads from the initial value of x", text)

    def test_json_and_graphs(self):
        lines = run("verdict", self.write(GOOD), "--json", "--dot", self.folder / "graphs").stdout.splitlines()
        found = {(one["placement"], one["model"]): one["verdict"] for one in map(json.loads, lines)}
        self.assertEqual(found, {("same_block", "ptx"): "forbidden", ("same_block", "rc11"): "forbidden",
                                 ("same_device@block", "ptx"): "allowed", ("same_device@block", "rc11"): "undefined"})
        graph = (self.folder / "graphs" / "MP.same_device@block.ptx.dot").read_text(encoding="utf-8")
        self.assertTrue(graph.startswith("digraph ") and "label=rf" in graph and graph.count("{") == graph.count("}"))

    def test_check_finds_a_difference(self):
        file = self.write(GOOD)
        self.assertIn("does not exist", run("verdict", file, "--check").stdout)
        self.assertEqual(run("verdict", file, "--accept").returncode, 0)
        self.assertEqual(run("verdict", file, "--check").returncode, 0)
        expected = file.with_suffix(".expected")
        expected.write_text(expected.read_text(encoding="utf-8").replace("ptx=allowed", "ptx=forbidden"), encoding="utf-8")
        result = run("verdict", file, "--check")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"{expected}:2: expected", result.stdout)

    def test_too_large(self):
        rows = "\n".join("store.relaxed x 1 | ;" for _ in range(70))
        file = self.write(GOOD.replace("store.weak x 1  | r0", rows + "\nstore.weak x 1  | r0"))
        result = run("verdict", file)
        self.assertEqual(result.returncode, 2)
        self.assertIn(f"{file}: placement same_block: a thread has more than 64 events; make the program smaller", result.stderr)

    def test_mutants(self):
        file = self.write(GOOD.replace("same_block, same_device@block", "same_device"))
        lines = run("mutants", file, "--model", "ptx").stdout.split("\n")
        self.assertEqual([line for line in lines if line],
                         ["MP same_device P0.2.relaxed ptx=allowed", "MP same_device P0.2.cluster ptx=allowed",
                          "MP same_device P1.1.relaxed ptx=allowed", "MP same_device P1.1.cluster ptx=allowed"])


if __name__ == "__main__":
    PROGRAM, FOLDER = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
