# SPDX-License-Identifier: Apache-2.0
"""s, r, 2+2w: the order of writes of two threads; in s and mp also read-modify-writes."""
from families.program import ALLOWED, BOTH, FORBIDDEN, XY, fence, program


def after_reads():
    for name, write, read, known, row in [("rlx", "relaxed", "relaxed", ALLOWED, "S rlx"),
                                          ("rel+acq", "release", "acquire", FORBIDDEN, "S rel/acq"),
                                          ("rel+rlx", "release", "relaxed", None, None)]:
        program("s", f"S+{name}", "A write after a read of the flag follows the write before the flag.", XY,
                [["store.relaxed x 2", f"store.{write} y 1"], [f"r0 = load.{read} y", "store.relaxed x 1"]],
                r"P1:r0=1 /\ x=2", BOTH, known, row)
    program("s", "S+weak", "The same with plain data, which is written only after the flag.", XY,
            [["store.weak x 2", "store.release y 1"], ["r0 = load.acquire y", "if r0 == 1 then store.weak x 1"]],
            r"P1:r0=1 /\ x=2", BOTH, FORBIDDEN)
    program("s", "S+data", "A store that depends on the flag's value: PTX orders nothing by dependencies.", XY,
            [["store.relaxed x 2", "store.release y 1"], ["r0 = load.relaxed y", "store.relaxed x r0"]], r"P1:r0=1 /\ x=2",
            BOTH)


def against_reads():
    for name, write, read, between, known, row in [("rlx", "relaxed", "relaxed", "", ALLOWED, "R rlx"),
                                                   ("rel+acq", "release", "acquire", "", ALLOWED, "R rel/acq"),
                                                   ("Fsc", "relaxed", "relaxed", "seq_cst", FORBIDDEN, "R F.sc"),
                                                   ("Far", "relaxed", "relaxed", "acq_rel", None, None)]:
        program("r", f"R+{name}", "Two writes of one flag, of which the later one's thread misses the data.", XY,
                [["store.relaxed x 1", *fence(between), f"store.{write} y 1"],
                 ["store.relaxed y 2", *fence(between), f"r0 = load.{read} x"]], r"y=2 /\ P1:r0=0", BOTH, known, row)
    program("r", "R+sc", "The same with seq_cst operations.", XY,
            [["store.seq_cst x 1", "store.seq_cst y 1"], ["store.seq_cst y 2", "r0 = load.seq_cst x"]], r"y=2 /\ P1:r0=0", BOTH)


def against_writes():
    for name, write, between, known, row in [("rlx", "relaxed", "", ALLOWED, "2+2W rlx"), ("rel", "release", "", ALLOWED, "2+2W rel"),
                                             ("Fsc", "relaxed", "seq_cst", FORBIDDEN, "2+2W F.sc"),
                                             ("Far", "relaxed", "acq_rel", None, None)]:
        program("2+2w", f"2+2W+{name}", "May the first write of each thread follow the second one of the other?", XY,
                [[f"store.relaxed {a} 2", *fence(between), f"store.{write} {b} 1"] for a, b in ("xy", "yx")], r"x=2 /\ y=2",
                BOTH, known, row)
    program("2+2w", "2+2W+sc", "The same with seq_cst stores.", XY,
            [[f"store.seq_cst {a} 2", f"store.seq_cst {b} 1"] for a, b in ("xy", "yx")], r"x=2 /\ y=2", BOTH, ("forbidden", None))


def of_read_modify_writes():
    """The data is read, and written, by a read-modify-write, whose place in coherence order the flag does not decide."""
    for name, write, read, known in [("rlx", "relaxed", "relaxed", ALLOWED), ("rel+acq", "release", "acquire", FORBIDDEN)]:
        orders = "rlx" if name == "rlx" else "rel/acq"
        columns = [[f"store.{write} y 1"], [f"r0 = load.{read} y", "r1 = fetch_add.relaxed x 1"]]
        program("mp", f"MP+read-rmw+{name}", "Message passing whose data is read by a read-modify-write.", XY,
                [["store.relaxed x 1", *columns[0]], columns[1]], r"P1:r0=1 /\ P1:r1=0", BOTH, known, f"MP {orders}, read by RMW")
        program("s", f"S+rmw+{name}", "A read-modify-write after a read of the flag comes before the write before the flag.", XY,
                [["store.relaxed x 2", *columns[0]], columns[1]], r"P1:r0=1 /\ x=2", BOTH, known, f"S {orders}, RMW")


def make():
    for programs_of in (after_reads, against_reads, against_writes, of_read_modify_writes):
        programs_of()
