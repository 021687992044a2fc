# SPDX-License-Identifier: Apache-2.0
"""wrc, isa2, wwc, rwc, z6, 3.2w: three threads."""
from families.program import ALLOWED, BOTH_MANY, CHAIN_HOST, FORBIDDEN, XY, fence, program

PASSED_ON = r"P1:r0=1 /\ P2:r0=1 /\ P2:r1=0"
PAIR = ["pair_first = device(block(P0 P1) P2)", "pair_last = device(P0 block(P1 P2))"]
PLACES = BOTH_MANY + PAIR + CHAIN_HOST
XYZ = ["x", "y", "z"]


def wrc():
    for name, write, read, known, row in [("rlx", "relaxed", "relaxed", ALLOWED, "WRC rlx"),
                                          ("rel+acq", "release", "acquire", FORBIDDEN, "WRC rel/acq"),
                                          ("sc", "seq_cst", "seq_cst", FORBIDDEN, None)]:
        program("wrc", f"WRC+{name}", "What a thread has read, it passes on.", XY,
                [["store.relaxed x 1"], [f"r0 = load.{read} x", f"store.{write} y 1"],
                 [f"r0 = load.{read} y", "r1 = load.relaxed x"]], PASSED_ON, PLACES, known, row)
    program("wrc", "WRC+F", "The same by fences.", XY,
            [["store.relaxed x 1"], ["r0 = load.relaxed x", "fence.acq_rel", "store.relaxed y 1"],
             ["r0 = load.relaxed y", "fence.acquire", "r1 = load.relaxed x"]], PASSED_ON, PLACES, FORBIDDEN)
    program("wrc", "WRC+rmw", "The same by read-modify-writes.", XY,
            [["fetch_add.relaxed x 1"], ["r0 = fetch_add.acquire x 0", "fetch_add.release y 1"],
             ["r0 = fetch_add.acquire y 0", "r1 = fetch_add.relaxed x 0"]], PASSED_ON, BOTH_MANY + PAIR, ("forbidden", None))
    program("wrc", "WRC+data", "A dependency in the middle orders nothing.", XY,
            [["store.relaxed x 1"], ["r0 = load.relaxed x", "store.relaxed y r0"],
             ["r0 = load.acquire y", "r1 = load.relaxed x"]], PASSED_ON, BOTH_MANY + PAIR)


def isa2():
    columns = [["store.relaxed x 1", "store.{0} y 1"], ["r0 = load.{1} y", "store.{0} z 1"], ["r0 = load.{1} z", "r1 = load.relaxed x"]]
    for name, write, read, known, row in [("rlx", "relaxed", "relaxed", ALLOWED, None),
                                          ("rel+acq", "release", "acquire", FORBIDDEN, "ISA2 rel/acq"),
                                          ("sc", "seq_cst", "seq_cst", FORBIDDEN, None)]:
        program("isa2", f"ISA2+{name}", "Three threads pass a message on.", XYZ,
                [[line.format(write, read) for line in column] for column in columns], PASSED_ON, PLACES, known, row)
    program("isa2", "ISA2+scopes", "The first hop at block scope, the second at device scope: what happens before passes on.", XYZ,
            [["store.weak x 1", "store.release.block y 1"],
             ["await r0 = load.acquire.block y until == 1", "store.release.device z 1"],
             ["await r0 = load.acquire.device z until == 1", "r1 = load.weak x"]], r"P2:r1=0",
            ["same_block", "same_cluster", "same_device", *PAIR])
    program("isa2", "ISA2+scopes-last", "The first hop at device scope, the second at block scope.", XYZ,
            [["store.weak x 1", "store.release.device y 1"],
             ["await r0 = load.acquire.device y until == 1", "store.release.block z 1"],
             ["await r0 = load.acquire.block z until == 1", "r1 = load.weak x"]], r"P2:r1=0",
            ["same_block", "same_cluster", "same_device", *PAIR])
    program("isa2", "ISA2+narrow-fence", "A fence of block scope in the middle releases to no other block.", XYZ,
            [["store.weak x 1", "store.release.device y 1"],
             ["await r0 = load.relaxed.device y until == 1", "fence.acq_rel.block", "store.relaxed.device z 1"],
             ["await r0 = load.acquire.device z until == 1", "r1 = load.weak x"]], r"P2:r1=0", ["same_block", "same_device", *PAIR])


def wwc():
    program("wwc", "WWC+rel+acq", "A write after what was passed on follows the first write.", XY,
            [["store.release x 2"], ["r0 = load.acquire x", "store.release y 1"], ["r0 = load.acquire y", "store.relaxed x 1"]],
            r"P1:r0=2 /\ P2:r0=1 /\ x=2", PLACES, FORBIDDEN, "WWC rel/acq")
    program("wwc", "WWC+rlx", "Without orders it may come before.", XY,
            [["store.relaxed x 2"], ["r0 = load.relaxed x", "store.relaxed y 1"], ["r0 = load.relaxed y", "store.relaxed x 1"]],
            r"P1:r0=2 /\ P2:r0=1 /\ x=2", PLACES)


def rwc():
    missed = r"P1:r0=1 /\ P1:r1=0 /\ P2:r0=0"
    for name, write, read, between, known, row in [("rel+acq", "release", "acquire", "", ALLOWED, "RWC rel/acq"),
                                                   ("Fsc", "relaxed", "relaxed", "seq_cst", FORBIDDEN, "RWC F.sc"),
                                                   ("sc", "seq_cst", "seq_cst", "", ("forbidden", None), None)]:
        program("rwc", f"RWC+{name}", "A reader of the write and a thread that misses it.", XY,
                [[f"store.{write} x 1"], [f"r0 = load.{read} x", *fence(between), f"r1 = load.{read} y"],
                 [f"store.{write} y 1", *fence(between), f"r0 = load.{read} x"]], missed, PLACES, known, row)


def z6():
    program("z6", "Z6.1+rel+acq", "Coherence orders two of three steps.", XYZ,
            [["store.relaxed x 2", "store.release y 1"], ["store.relaxed y 2", "store.release z 1"],
             ["r0 = load.acquire z", "store.relaxed x 1"]], r"x=2 /\ y=2 /\ P2:r0=1", BOTH_MANY, ALLOWED, "Z6.1 rel/acq")
    program("z6", "Z6.1+Fsc", "The same with seq_cst fences.", XYZ,
            [["store.relaxed x 2", "fence.seq_cst", "store.relaxed y 1"], ["store.relaxed y 2", "fence.seq_cst", "store.relaxed z 1"],
             ["r0 = load.relaxed z", "fence.seq_cst", "store.relaxed x 1"]], r"x=2 /\ y=2 /\ P2:r0=1", BOTH_MANY)
    for name, write, read, between, known, row in [("rel+acq", "release", "acquire", "", ALLOWED, "Z6.3 rel/acq"),
                                                   ("Fsc", "relaxed", "relaxed", "seq_cst", FORBIDDEN, "Z6.3 F.sc")]:
        program("z6", f"Z6.3+{name}", "Coherence orders one of three steps.", XYZ,
                [["store.relaxed x 1", *fence(between), f"store.{write} y 1"],
                 ["store.relaxed y 2", *fence(between), f"store.{write} z 1"],
                 [f"r0 = load.{read} z", *fence(between), "r1 = load.relaxed x"]], r"y=2 /\ P2:r0=1 /\ P2:r1=0", BOTH_MANY, known,
                row)


def three_writers():
    for name, write, between, known, row in [("rel", "release", "", ALLOWED, "3.2W rel"), ("rlx", "relaxed", "", None, None),
                                             ("Fsc", "relaxed", "seq_cst", None, None)]:
        program("3.2w", f"3.2W+{name}", "2+2W with three threads.", XYZ,
                [[f"store.relaxed {a} 2", *fence(between), f"store.{write} {b} 1"] for a, b in ("xy", "yz", "zx")],
                r"x=2 /\ y=2 /\ z=2", BOTH_MANY, known, row)


def make():
    for programs_of in (wrc, isa2, wwc, rwc, z6, three_writers):
        programs_of()
