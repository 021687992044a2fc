# SPDX-License-Identifier: Apache-2.0
"""generate: writes the programs of this folder. The test litmus.generated requires that they are what it writes.

    generate.py [--check] [FOLDER]

Writes FAMILY/NAME.litmus below FOLDER (default: this folder), and removes programs that it does not write. With --check it
compares, and exits with 1 if a file differs.

A program is one call of program(): its name, a sentence, the declarations, the columns, the condition, the placements.
`known` are verdicts for PTX that do not come from the oracle: (where the scope includes all threads, where it does not). For
the names in FORMAL they come from an exhaustive checker of the formal model, for others from an argument by hand. `row` is the
row of tests/emulator/check/litmus with the same program. known.py compares all with the .expected files.
"""

import pathlib
import sys

PROGRAMS = {}

# Programs whose verdict the Alloy model of "A Formal Analysis of the NVIDIA PTX Memory Consistency Model" gave.
FORMAL = set("""
MP+rlx MP+rel+acq MP+rel+rlx MP+rlx+acq MP+Frel+rlx MP+rlx+Facq MP+weak+rel+acq MP+weak+Frel+Facq MP+weak+rmw
MP+weak+rel+poll+Facq MP+sc+sc MP+sc+Fsc-before SB+rlx SB+rel+acq SB+Far SB+Fsc SB+sc SB+rmw-acq_rel LB+rlx LB+acq+rlx LB+acq+rel LB+data S+rlx
S+rel+acq R+rlx R+rel+acq R+Fsc 2+2W+rlx 2+2W+rel 2+2W+Fsc CoRR CoWR CoRW CoWW CoRR+weak IRIW+rlx IRIW+acq IRIW+Fsc WRC+rlx
WRC+rel+acq ISA2+rel+acq WWC+rel+acq RWC+rel+acq RWC+Fsc Z6.1+rel+acq Z6.3+rel+acq Z6.3+Fsc 3.2W+rel RMW+RMW RMW+store RS+rmw
RS+own RS+broken counter+rel+acq hierarchical
""".split())

# Where two threads are, and where their scope is too narrow.
TWO = ["same_warp", "same_block", "same_block:shared", "same_cluster", "same_device", "two_devices", "host_first"]
UNDER = ["same_cluster@block", "same_device@block", "two_devices@device", "host_first@device"]
MANY = ["same_warp", "same_block", "same_cluster", "same_device", "two_devices"]
MANY_UNDER = ["same_device@block", "two_devices@device"]
BOTH, BOTH_MANY = TWO + UNDER, MANY + MANY_UNDER
DEVICE = ["same_warp", "same_block", "same_block:shared", "same_cluster", "same_cluster:shared", "same_device"]


def program(family, name, sentence, declarations, columns, exists, placements, known=None, row=None):
    height = max(len(column) for column in columns)
    cells = [[f"P{i}"] + column + [""] * (height - len(column)) for i, column in enumerate(columns)]
    widths = [max(len(cell) for cell in column) for column in cells]
    rows = [" | ".join(cell.ljust(width) for cell, width in zip(row_cells, widths)) + " ;" for row_cells in zip(*cells)]
    notes = []
    if known:
        source = "known" if name in FORMAL else "argued"
        notes.append(f"# {source}: {known[0]}" + (f"; under: {known[1]}" if known[1] else ""))
    if row:
        notes.append(f"# emulator: {row}")
    text = [f"litmus {name}", f'"{sentence}"', *notes, "{"] + [f"  {one};" for one in declarations] + ["}", *rows,
            f"placements {', '.join(placements)};", f"exists ({exists})", ""]
    path = f"{family}/{name}.litmus"
    if path in PROGRAMS:
        raise SystemExit(f"generate.py: two programs are called {path}; rename one")
    PROGRAMS[path] = "\n".join(text)


def fence(order):
    return [f"fence.{order}"] if order else []


ALLOWED, FORBIDDEN, BROKEN = ("allowed", "allowed"), ("forbidden", "allowed"), ("forbidden", "forbidden")
XY = ["x", "y"]


def message_passing():
    stale = r"P1:r0=1 /\ P1:r1=0"
    # name, order of the flag's write, of its read, fence before, fence after, verdict, row
    for name, write, read, before, after, known, row in [
            ("rlx", "relaxed", "relaxed", "", "", ALLOWED, "MP rlx"),
            ("rel+acq", "release", "acquire", "", "", FORBIDDEN, "MP rel/acq"),
            ("rel+rlx", "release", "relaxed", "", "", ALLOWED, "MP rel/rlx"),
            ("rlx+acq", "relaxed", "acquire", "", "", ALLOWED, "MP rlx/acq"),
            ("Frel+rlx", "relaxed", "relaxed", "release", "", ALLOWED, "MP F.rel only"),
            ("rlx+Facq", "relaxed", "relaxed", "", "acquire", ALLOWED, "MP F.acq only"),
            ("Frel+Facq", "relaxed", "relaxed", "release", "acquire", FORBIDDEN, "MP F.rel F.acq"),
            ("Far+Far", "relaxed", "relaxed", "acq_rel", "acq_rel", FORBIDDEN, "MP F.acq_rel"),
            ("Fsc+Fsc", "relaxed", "relaxed", "seq_cst", "seq_cst", FORBIDDEN, None),
            ("Facq+Frel", "relaxed", "relaxed", "acquire", "release", ALLOWED, None),
            ("rel+Facq", "release", "relaxed", "", "acquire", FORBIDDEN, "MP rel/F.acq"),
            ("Frel+acq", "relaxed", "acquire", "release", "", FORBIDDEN, "MP F.rel/acq"),
            ("sc+sc", "seq_cst", "seq_cst", "", "", FORBIDDEN, "MP sc"),
            ("sc+acq", "seq_cst", "acquire", "", "", FORBIDDEN, None),
            ("rel+sc", "release", "seq_cst", "", "", FORBIDDEN, None)]:
        program("mp", f"MP+{name}", "Message passing: a thread that reads the flag may, or may not, miss the data before it.",
                XY, [["store.relaxed x 1", *fence(before), f"store.{write} y 1"],
                     [f"r0 = load.{read} y", *fence(after), "r1 = load.relaxed x"]],
                stale, BOTH + ["host_last", "same_cluster:shared"], known, row)
    guarded = "if r0 == 1 then r1 = load.weak x"
    for name, column, reader, known, row in [
            ("rel+acq", ["store.release y 1"], ["r0 = load.acquire y"], FORBIDDEN, "MP weak data"),
            ("Frel+Facq", ["fence.release", "store.relaxed y 1"], ["r0 = load.relaxed y", "fence.acquire"], FORBIDDEN,
             "MP weak data, fences"),
            ("rel+poll+Facq", ["store.release y 1"], ["await r0 = load.relaxed y until == 1", "fence.acquire"], FORBIDDEN,
             "MP weak data, relaxed poll, F.acq"),
            ("rel+wait", ["store.release y 1", "notify y"], ["r0 = wait.acquire y 0"], FORBIDDEN, None),
            ("rlx+wait", ["store.relaxed y 1", "notify y"], ["r0 = wait.relaxed y 0"], ALLOWED, None),
            ("rmw", ["fetch_add.release y 1"], ["r0 = fetch_add.acquire y 1"], FORBIDDEN, "MP rmw"),
            ("store_add", ["store_add.release y 1"], ["r0 = load.acquire y"], FORBIDDEN, None),
            ("exchange", ["exchange.release y 1"], ["r0 = exchange.acquire y 2"], FORBIDDEN, None),
            ("exchange-rlx", ["exchange.relaxed y 1"], ["r0 = exchange.relaxed y 2"], ALLOWED, None),
            ("cas", ["compare_exchange.release.relaxed y 0 1"], ["r0 = compare_exchange.acquire.relaxed y 1 2"], FORBIDDEN,
             None),
            ("cas-fails", ["compare_exchange.release.relaxed y 0 1"], ["r0 = compare_exchange.acquire.acquire y 3 4"],
             FORBIDDEN, None),
            ("rlx", ["store.relaxed y 1"], ["r0 = load.relaxed y"], ALLOWED, None)]:
        program("mp", f"MP+weak+{name}", "Message passing with plain data, which the reader reads only if the flag is set.",
                XY, [["store.weak x 1", *column], [*reader, guarded]], stale, BOTH + ["host_last"], known, row)
    for size in (1, 2, 8, 16):
        places = ["same_warp", "same_block", "same_block:shared", "same_device", "host_first:managed", "same_device@block"]
        program("mp", f"MP+flag{8 * size}", f"Message passing by a flag of {size} bytes.", ["x", f"y : {size}"],
                [["store.weak x 1", "store.release y 1"], ["r0 = load.acquire y", guarded]], stale, places, FORBIDDEN)
    program("mp", "MP+sc+Fsc-before", "A seq_cst load needs its acquire: a fence.sc before a relaxed load orders nothing after it.", XY,
            [["store.relaxed x 1", "store.seq_cst y 1"], ["fence.seq_cst", "r0 = load.relaxed y", "r1 = load.relaxed x"]],
            stale, BOTH, ALLOWED)
    program("mp", "MP+store_add+reads", "The read of an operation that returns nothing acquires nothing.",
            XY, [["store.relaxed x 1", "store.release y 1"],
                 ["store_add.relaxed y 1", "fence.acquire", "r0 = load.relaxed y", "r1 = load.relaxed x"]],
            r"P1:r0=2 /\ P1:r1=0", ["same_block", "same_device"], ("allowed", None))


def store_buffering():
    zero = r"P0:r0=0 /\ P1:r0=0"
    for name, write, read, between, known, row in [
            ("rlx", "store.relaxed", "load.relaxed", "", ALLOWED, "SB rlx"),
            ("rel+acq", "store.release", "load.acquire", "", ALLOWED, "SB rel/acq"),
            ("Far", "store.relaxed", "load.relaxed", "acq_rel", ALLOWED, "SB F.acq_rel"),
            ("Fsc", "store.relaxed", "load.relaxed", "seq_cst", FORBIDDEN, "SB F.sc"),
            ("sc", "store.seq_cst", "load.seq_cst", "", FORBIDDEN, "SB sc"),
            ("sc+acq", "store.seq_cst", "load.acquire", "", ALLOWED, None),
            ("xchg-sc", "exchange.seq_cst", "load.seq_cst", "", FORBIDDEN, None)]:
        columns = [[f"{write} {mine} 1", *fence(between), f"r0 = {read} {other}"] for mine, other in ("xy", "yx")]
        program("sb", f"SB+{name}", "Store buffering: may both threads miss each other's write?", XY, columns, zero, BOTH, known,
                row)
    for order, known, row in [("acq_rel", FORBIDDEN, "SB rmw acq_rel"), ("relaxed", ALLOWED, None), ("seq_cst", FORBIDDEN, None)]:
        columns = [[f"fetch_add.{order} {mine} 1", f"r0 = fetch_add.{order} {other} 1"] for mine, other in ("xy", "yx")]
        program("sb", f"SB+rmw-{order}", "Store buffering by read-modify-writes, which read the newest value.", XY, columns,
                zero, BOTH, known, row)
    program("sb", "SB+Fsc+Far", "One fence that is seq_cst does not suffice.", XY,
            [["store.relaxed x 1", "fence.seq_cst", "r0 = load.relaxed y"],
             ["store.relaxed y 1", "fence.acq_rel", "r0 = load.relaxed x"]], zero, BOTH, ALLOWED)
    program("sb", "SB+sc+Fsc", "A seq_cst store and load against a fence.", XY,
            [["store.seq_cst x 1", "r0 = load.seq_cst y"], ["store.relaxed y 1", "fence.seq_cst", "r0 = load.relaxed x"]], zero,
            BOTH, FORBIDDEN)
    program("sb", "SB+weak+Fsc", "Plain accesses race, fence or not: undefined in C++, ordered in PTX.", XY,
            [["store.weak x 1", "fence.seq_cst", "r0 = load.weak y"], ["store.weak y 1", "fence.seq_cst", "r0 = load.weak x"]],
            zero, ["same_block", "same_device"], ("forbidden", None))


def load_buffering():
    ones = r"P0:r0=1 /\ P1:r0=1"
    for name, first, second, write, known, row in [
            ("rlx", "relaxed", "relaxed", "relaxed", ALLOWED, "LB rlx"),
            ("acq+rlx", "acquire", "relaxed", "relaxed", ALLOWED, "LB acq on one side"),
            ("acq+rel", "acquire", "acquire", "release", FORBIDDEN, "LB acq/rel"),
            ("rel", "relaxed", "relaxed", "release", None, None)]:
        program("lb", f"LB+{name}", "Load buffering: may both threads read what the other one writes later?", XY,
                [[f"r0 = load.{first} x", f"store.{write} y 1"], [f"r0 = load.{second} y", f"store.{write} x 1"]], ones, BOTH,
                known, row)
    program("lb", "LB+data", "A value that only depends on itself comes from nowhere.", XY,
            [["r0 = load.relaxed x", "store.relaxed y r0"], ["r0 = load.relaxed y", "store.relaxed x r0"]], ones, BOTH, BROKEN,
            "LB data")
    program("lb", "LB+ctrl", "Each store is executed only if the load has returned what the other store writes.", XY,
            [["r0 = load.relaxed x", "if r0 == 1 then store.relaxed y 1"],
             ["r0 = load.relaxed y", "if r0 == 1 then store.relaxed x 1"]], ones, BOTH)
    program("lb", "LB+data+rlx", "With a dependency on one side alone, the other side may be reordered.", XY,
            [["r0 = load.relaxed x", "store.relaxed y r0"], ["r0 = load.relaxed y", "store.relaxed x 1"]], ones, BOTH)
    program("lb", "LB+Far", "A fence on both sides.", XY,
            [["r0 = load.relaxed x", "fence.acq_rel", "store.relaxed y 1"],
             ["r0 = load.relaxed y", "fence.acq_rel", "store.relaxed x 1"]], ones, BOTH, FORBIDDEN)


def modifications_after_reads():
    """The data is read, and written, by a read-modify-write, whose place in coherence order the flag does not decide."""
    for name, write, read, known in [("rlx", "relaxed", "relaxed", ALLOWED), ("rel+acq", "release", "acquire", FORBIDDEN)]:
        orders = "rlx" if name == "rlx" else "rel/acq"
        columns = [[f"store.{write} y 1"], [f"r0 = load.{read} y", "r1 = fetch_add.relaxed x 1"]]
        program("mp", f"MP+read-rmw+{name}", "Message passing whose data is read by a read-modify-write.", XY,
                [["store.relaxed x 1", *columns[0]], columns[1]], r"P1:r0=1 /\ P1:r1=0", BOTH, known, f"MP {orders}, read by RMW")
        program("s", f"S+rmw+{name}", "A read-modify-write after a read of the flag comes before the write before the flag.", XY,
                [["store.relaxed x 2", *columns[0]], columns[1]], r"P1:r0=1 /\ x=2", BOTH, known, f"S {orders}, RMW")


def writes_after_reads():
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
    for name, write, read, between, known, row in [("rlx", "relaxed", "relaxed", "", ALLOWED, "R rlx"),
                                                   ("rel+acq", "release", "acquire", "", ALLOWED, "R rel/acq"),
                                                   ("Fsc", "relaxed", "relaxed", "seq_cst", FORBIDDEN, "R F.sc"),
                                                   ("Far", "relaxed", "relaxed", "acq_rel", None, None)]:
        program("r", f"R+{name}", "Two writes of one flag, of which the later one's thread misses the data.", XY,
                [["store.relaxed x 1", *fence(between), f"store.{write} y 1"],
                 ["store.relaxed y 2", *fence(between), f"r0 = load.{read} x"]], r"y=2 /\ P1:r0=0", BOTH, known, row)
    program("r", "R+sc", "The same with seq_cst operations.", XY,
            [["store.seq_cst x 1", "store.seq_cst y 1"], ["store.seq_cst y 2", "r0 = load.seq_cst x"]], r"y=2 /\ P1:r0=0", BOTH)
    for name, write, between, known, row in [("rlx", "relaxed", "", ALLOWED, "2+2W rlx"), ("rel", "release", "", ALLOWED, "2+2W rel"),
                                             ("Fsc", "relaxed", "seq_cst", FORBIDDEN, "2+2W F.sc"),
                                             ("Far", "relaxed", "acq_rel", None, None)]:
        program("2+2w", f"2+2W+{name}", "May the first write of each thread follow the second one of the other?", XY,
                [[f"store.relaxed {a} 2", *fence(between), f"store.{write} {b} 1"] for a, b in ("xy", "yx")], r"x=2 /\ y=2",
                BOTH, known, row)
    program("2+2w", "2+2W+sc", "The same with seq_cst stores.", XY,
            [[f"store.seq_cst {a} 2", f"store.seq_cst {b} 1"] for a, b in ("xy", "yx")], r"x=2 /\ y=2", BOTH, ("forbidden", None))


def coherence():
    one = ["x"]
    program("coherence", "CoRR", "A thread that has read the new value reads no older one.", one,
            [["store.relaxed x 1"], ["r0 = load.relaxed x", "r1 = load.relaxed x"]], r"P1:r0=1 /\ P1:r1=0", BOTH, FORBIDDEN,
            "CoRR")
    program("coherence", "CoRR+weak", "Plain reads may see the values in another order.", one,
            [["store.weak x 1"], ["r0 = load.weak x", "r1 = load.weak x"]], r"P1:r0=1 /\ P1:r1=0", BOTH, ALLOWED)
    program("coherence", "CoRR+rmw", "Read-modify-writes see one order, too.", one,
            [["fetch_add.relaxed x 1"], ["r0 = load.relaxed x", "r1 = fetch_add.relaxed x 0"]], r"P1:r0=1 /\ P1:r1=0", BOTH,
            FORBIDDEN)
    for size in (1, 2, 8, 16):
        program("coherence", f"CoRR+{8 * size}", f"The same for an object of {size} bytes.", [f"x : {size}"],
                [["store.relaxed x 1"], ["r0 = load.relaxed x", "r1 = load.relaxed x"]], r"P1:r0=1 /\ P1:r1=0",
                ["same_warp", "same_block", "same_block:shared", "same_device", "host_last:managed", "same_device@block"], FORBIDDEN)
    program("coherence", "CoWR", "A thread's read returns its own write or a later one.", one,
            [["store.relaxed x 1", "r0 = load.relaxed x"], ["store.relaxed x 2", "r0 = load.relaxed x"]],
            r"P0:r0=0 \/ P1:r0=0 \/ (P0:r0=2 /\ x=1) \/ (P1:r0=1 /\ x=2)", BOTH, FORBIDDEN, "CoWR")
    program("coherence", "CoRW", "A thread's write follows the value that it read before.", one,
            [["store.relaxed x 1"], ["r0 = load.relaxed x", "store.relaxed x 2"]], r"P1:r0=1 /\ x=1", BOTH, FORBIDDEN, "CoRW")
    program("coherence", "CoRW1", "A thread does not read what it writes later.", one,
            [["r0 = load.relaxed x", "store.relaxed x 1"], []], "P0:r0=1", ["same_block", "same_device"], ("forbidden", None))
    program("coherence", "CoWW", "The writes of one thread stay in order.", one, [["store.relaxed x 1", "store.relaxed x 2"]],
            "x=1", ["same_device"], ("forbidden", None), "CoWW")
    program("coherence", "CoRR+order", "Two threads agree on the order of two writes.", one,
            [["store.relaxed x 1"], ["store.relaxed x 2"], ["r0 = load.relaxed x", "r1 = load.relaxed x"],
             ["r0 = load.relaxed x", "r1 = load.relaxed x"]], r"P2:r0=1 /\ P2:r1=2 /\ P3:r0=2 /\ P3:r1=1", BOTH_MANY, FORBIDDEN)
    program("coherence", "RMW+RMW", "No update is lost.", one, [["fetch_add.relaxed x 1"], ["fetch_add.relaxed x 1"]], "x=1",
            BOTH, FORBIDDEN, "RMW lost update")
    program("coherence", "RMW+store", "A store comes before a read-modify-write, or after it.", one,
            [["fetch_add.relaxed x 1"], ["store.relaxed x 2"]], "x=1", BOTH, FORBIDDEN, "RMW against a store")
    program("coherence", "RMW+three", "Three updates.", one, [["fetch_add.relaxed x 1"]] * 3, r"~x=3", BOTH_MANY, FORBIDDEN)
    program("coherence", "CAS+CAS", "Two threads cannot both exchange the same value.", one,
            [["r0 = compare_exchange.relaxed.relaxed x 0 1"], ["r0 = compare_exchange.relaxed.relaxed x 0 2"]],
            r"P0:r0=0 /\ P1:r0=0", BOTH, FORBIDDEN)
    program("coherence", "xchg+xchg", "Of two exchanges one reads the other one's value.", one,
            [["r0 = exchange.relaxed x 1"], ["r0 = exchange.relaxed x 2"]], r"P0:r0=0 /\ P1:r0=0", BOTH, FORBIDDEN)
    for size in (1, 2, 8, 16):
        program("coherence", f"RMW+{8 * size}", f"No update of an object of {size} bytes is lost.", [f"x : {size}"],
                [["fetch_add.relaxed x 1"], ["fetch_add.relaxed x 1"]], "x=1",
                ["same_warp", "same_block", "same_block:shared", "same_device", "host_first:managed", "same_device@block"], FORBIDDEN)


def release_sequences():
    end = ["r0 = load.acquire y", "r1 = load.relaxed x"]
    head = ["store.relaxed x 1", "store.release y 1"]
    program("sequence", "RS+rmw", "A read-modify-write of another thread continues the release sequence.", XY,
            [head, ["r0 = fetch_add.relaxed y 1"], end], r"P1:r0=1 /\ P2:r0=2 /\ P2:r1=0", BOTH_MANY, FORBIDDEN,
            "release sequence, rmw")
    program("sequence", "RS+rmw+rmw", "Two read-modify-writes do, too.", XY,
            [head, ["r0 = fetch_add.relaxed y 1"], ["r0 = fetch_add.relaxed y 1"], end],
            r"P1:r0=1 /\ P2:r0=2 /\ P3:r0=3 /\ P3:r1=0", BOTH_MANY, FORBIDDEN)
    program("sequence", "RS+xchg", "So does an exchange.", XY, [head, ["r0 = exchange.relaxed y 2"], end],
            r"P1:r0=1 /\ P2:r0=2 /\ P2:r1=0", BOTH_MANY, FORBIDDEN)
    program("sequence", "RS+own", "A later store of the releasing thread does in PTX, and since C++20 not in C++.", XY,
            [[*head, "store.relaxed y 2"], end], r"P1:r0=2 /\ P1:r1=0", BOTH, FORBIDDEN, "release sequence, own store")
    program("sequence", "RS+broken", "A store of another thread breaks it.", XY,
            [head, ["r0 = load.relaxed y", "store.relaxed y 2"], end], r"P1:r0=1 /\ P2:r0=2 /\ P2:r1=0", BOTH_MANY, ALLOWED,
            "release sequence, another's store")
    program("sequence", "RS+Frel+rmw", "A release fence begins one, too.", XY,
            [["store.relaxed x 1", "fence.release", "store.relaxed y 1"], ["r0 = fetch_add.relaxed y 1"],
             ["r0 = load.relaxed y", "fence.acquire", "r1 = load.relaxed x"]], r"P1:r0=1 /\ P2:r0=2 /\ P2:r1=0", BOTH_MANY,
            FORBIDDEN)
    program("sequence", "RS+narrow-rmw", "A read-modify-write of block scope in another block continues nothing.", XY,
            [["store.relaxed x 1", "store.release.device y 1"], ["r0 = fetch_add.relaxed.block y 1"],
             ["r0 = load.acquire.device y", "r1 = load.relaxed.device x"]], r"P1:r0=1 /\ P2:r0=2 /\ P2:r1=0",
            ["same_block", "same_cluster", "same_device", "split = device(block(P0 P1) P2)"])


def three_threads():
    chain = r"P1:r0=1 /\ P2:r0=1 /\ P2:r1=0"
    pair = ["pair_first = device(block(P0 P1) P2)", "pair_last = device(P0 block(P1 P2))"]
    for name, write, read, known, row in [("rlx", "relaxed", "relaxed", ALLOWED, "WRC rlx"),
                                          ("rel+acq", "release", "acquire", FORBIDDEN, "WRC rel/acq"),
                                          ("sc", "seq_cst", "seq_cst", FORBIDDEN, None)]:
        program("wrc", f"WRC+{name}", "What a thread has read, it passes on.", XY,
                [["store.relaxed x 1"], [f"r0 = load.{read} x", f"store.{write} y 1"],
                 [f"r0 = load.{read} y", "r1 = load.relaxed x"]], chain, BOTH_MANY + pair, known, row)
    program("wrc", "WRC+F", "The same by fences.", XY,
            [["store.relaxed x 1"], ["r0 = load.relaxed x", "fence.acq_rel", "store.relaxed y 1"],
             ["r0 = load.relaxed y", "fence.acquire", "r1 = load.relaxed x"]], chain, BOTH_MANY + pair, FORBIDDEN)
    program("wrc", "WRC+rmw", "The same by read-modify-writes.", XY,
            [["fetch_add.relaxed x 1"], ["r0 = fetch_add.acquire x 0", "fetch_add.release y 1"],
             ["r0 = fetch_add.acquire y 0", "r1 = fetch_add.relaxed x 0"]], chain, BOTH_MANY + pair, ("forbidden", None))
    program("wrc", "WRC+data", "A dependency in the middle orders nothing.", XY,
            [["store.relaxed x 1"], ["r0 = load.relaxed x", "store.relaxed y r0"],
             ["r0 = load.acquire y", "r1 = load.relaxed x"]], chain, BOTH_MANY + pair)
    xyz = ["x", "y", "z"]
    isa2 = [["store.relaxed x 1", "store.{0} y 1"], ["r0 = load.{1} y", "store.{0} z 1"], ["r0 = load.{1} z", "r1 = load.relaxed x"]]
    for name, write, read, known, row in [("rlx", "relaxed", "relaxed", ALLOWED, None),
                                          ("rel+acq", "release", "acquire", FORBIDDEN, "ISA2 rel/acq"),
                                          ("sc", "seq_cst", "seq_cst", FORBIDDEN, None)]:
        program("isa2", f"ISA2+{name}", "Three threads pass a message on.", xyz,
                [[line.format(write, read) for line in column] for column in isa2], chain, BOTH_MANY + pair, known, row)
    program("isa2", "ISA2+scopes", "The first hop at block scope, the second at device scope: what happens before passes on.", xyz,
            [["store.weak x 1", "store.release.block y 1"],
             ["await r0 = load.acquire.block y until == 1", "store.release.device z 1"],
             ["await r0 = load.acquire.device z until == 1", "r1 = load.weak x"]], r"P2:r1=0",
            ["same_block", "same_cluster", "same_device", *pair])
    program("isa2", "ISA2+scopes-last", "The first hop at device scope, the second at block scope.", xyz,
            [["store.weak x 1", "store.release.device y 1"],
             ["await r0 = load.acquire.device y until == 1", "store.release.block z 1"],
             ["await r0 = load.acquire.block z until == 1", "r1 = load.weak x"]], r"P2:r1=0",
            ["same_block", "same_cluster", "same_device", *pair])
    program("isa2", "ISA2+narrow-fence", "A fence of block scope in the middle releases to no other block.", xyz,
            [["store.weak x 1", "store.release.device y 1"],
             ["await r0 = load.relaxed.device y until == 1", "fence.acq_rel.block", "store.relaxed.device z 1"],
             ["await r0 = load.acquire.device z until == 1", "r1 = load.weak x"]], r"P2:r1=0", ["same_block", "same_device", *pair])
    program("wwc", "WWC+rel+acq", "A write after what was passed on follows the first write.", XY,
            [["store.release x 2"], ["r0 = load.acquire x", "store.release y 1"], ["r0 = load.acquire y", "store.relaxed x 1"]],
            r"P1:r0=2 /\ P2:r0=1 /\ x=2", BOTH_MANY + pair, FORBIDDEN, "WWC rel/acq")
    program("wwc", "WWC+rlx", "Without orders it may come before.", XY,
            [["store.relaxed x 2"], ["r0 = load.relaxed x", "store.relaxed y 1"], ["r0 = load.relaxed y", "store.relaxed x 1"]],
            r"P1:r0=2 /\ P2:r0=1 /\ x=2", BOTH_MANY + pair)
    rwc = r"P1:r0=1 /\ P1:r1=0 /\ P2:r0=0"
    for name, write, read, between, known, row in [("rel+acq", "release", "acquire", "", ALLOWED, "RWC rel/acq"),
                                                   ("Fsc", "relaxed", "relaxed", "seq_cst", FORBIDDEN, "RWC F.sc"),
                                                   ("sc", "seq_cst", "seq_cst", "", ("forbidden", None), None)]:
        program("rwc", f"RWC+{name}", "A reader of the write and a thread that misses it.", XY,
                [[f"store.{write} x 1"], [f"r0 = load.{read} x", *fence(between), f"r1 = load.{read} y"],
                 [f"store.{write} y 1", *fence(between), f"r0 = load.{read} x"]], rwc, BOTH_MANY + pair, known, row)
    program("z6", "Z6.1+rel+acq", "Coherence orders two of three steps.", xyz,
            [["store.relaxed x 2", "store.release y 1"], ["store.relaxed y 2", "store.release z 1"],
             ["r0 = load.acquire z", "store.relaxed x 1"]], r"x=2 /\ y=2 /\ P2:r0=1", BOTH_MANY, ALLOWED, "Z6.1 rel/acq")
    program("z6", "Z6.1+Fsc", "The same with seq_cst fences.", xyz,
            [["store.relaxed x 2", "fence.seq_cst", "store.relaxed y 1"], ["store.relaxed y 2", "fence.seq_cst", "store.relaxed z 1"],
             ["r0 = load.relaxed z", "fence.seq_cst", "store.relaxed x 1"]], r"x=2 /\ y=2 /\ P2:r0=1", BOTH_MANY)
    for name, write, read, between, known, row in [("rel+acq", "release", "acquire", "", ALLOWED, "Z6.3 rel/acq"),
                                                   ("Fsc", "relaxed", "relaxed", "seq_cst", FORBIDDEN, "Z6.3 F.sc")]:
        program("z6", f"Z6.3+{name}", "Coherence orders one of three steps.", xyz,
                [["store.relaxed x 1", *fence(between), f"store.{write} y 1"],
                 ["store.relaxed y 2", *fence(between), f"store.{write} z 1"],
                 [f"r0 = load.{read} z", *fence(between), "r1 = load.relaxed x"]], r"y=2 /\ P2:r0=1 /\ P2:r1=0", BOTH_MANY, known,
                row)
    for name, write, between, known, row in [("rel", "release", "", ALLOWED, "3.2W rel"), ("rlx", "relaxed", "", None, None),
                                             ("Fsc", "relaxed", "seq_cst", None, None)]:
        program("3.2w", f"3.2W+{name}", "2+2W with three threads.", xyz,
                [[f"store.relaxed {a} 2", *fence(between), f"store.{write} {b} 1"] for a, b in ("xy", "yz", "zx")],
                r"x=2 /\ y=2 /\ z=2", BOTH_MANY, known, row)


def four_threads():
    disagree = r"P2:r0=1 /\ P2:r1=0 /\ P3:r0=1 /\ P3:r1=0"
    pairs = ["writers_apart = device(block(P0 P2) block(P1 P3))"]
    for name, write, read, between, known, row in [("rlx", "relaxed", "relaxed", "", ALLOWED, "IRIW rlx"),
                                                   ("acq", "relaxed", "acquire", "", ALLOWED, "IRIW acq"),
                                                   ("rel+acq", "release", "acquire", "", None, None),
                                                   ("Far", "relaxed", "relaxed", "acq_rel", None, None),
                                                   ("Fsc", "relaxed", "relaxed", "seq_cst", FORBIDDEN, "IRIW F.sc"),
                                                   ("sc", "seq_cst", "seq_cst", "", ("forbidden", None), None)]:
        program("iriw", f"IRIW+{name}", "Do two readers agree on the order of two independent writes?", XY,
                [[f"store.{write} x 1"], [f"store.{write} y 1"],
                 [f"r0 = load.{read} x", *fence(between), f"r1 = load.{read} y"],
                 [f"r0 = load.{read} y", *fence(between), f"r1 = load.{read} x"]], disagree, BOTH_MANY + pairs, known, row)


def mixed_scopes():
    stale = r"P1:r0=1 /\ P1:r1=0"
    for write, read in [("block", "block"), ("block", "device"), ("device", "block"), ("cluster", "device"), ("device", "system"),
                        ("device", "device"), ("system", "system")]:
        program("scopes", f"MP+{write}+{read}", "Both scopes must include the other thread; the wider one does not help.", XY,
                [["store.weak x 1", f"store.release.{write} y 1"],
                 [f"r0 = load.acquire.{read} y", "if r0 == 1 then r1 = load.weak x"]], stale,
                ["same_warp", "same_block", "same_cluster", "same_device", "two_devices"])
    program("scopes", "MP+flag-wide+fences-narrow", "A fence has a scope of its own: the flag's scope does not widen it.", XY,
            [["store.weak x 1", "fence.release.block", "store.relaxed.device y 1"],
             ["r0 = load.relaxed.device y", "fence.acquire.device", "if r0 == 1 then r1 = load.weak x"]], stale,
            ["same_block", "same_cluster", "same_device"])
    program("scopes", "MP+flag-narrow+fences-wide", "A wide fence does not help a flag whose scope is too narrow.", XY,
            [["store.weak x 1", "fence.release.device", "store.relaxed.block y 1"],
             ["r0 = load.relaxed.device y", "fence.acquire.device", "if r0 == 1 then r1 = load.weak x"]], stale,
            ["same_block", "same_cluster", "same_device"])
    program("scopes", "SB+Fsc-block+Fsc-device", "Two seq_cst fences of which one is too narrow.", XY,
            [["store.relaxed.device x 1", "fence.seq_cst.block", "r0 = load.relaxed.device y"],
             ["store.relaxed.device y 1", "fence.seq_cst.device", "r0 = load.relaxed.device x"]], r"P0:r0=0 /\ P1:r0=0",
            ["same_block", "same_cluster", "same_device"])
    program("scopes", "RMW+block+device", "Updates of which one is atomic only in its block.", ["x"],
            [["fetch_add.relaxed.block x 1"], ["fetch_add.relaxed.device x 1"]], "x=1", ["same_block", "same_cluster", "same_device"])


def mixed_sizes():
    halves = ["x : 8", "part low of x at 0 : 4", "part high of x at 4 : 4", "y"]
    places = ["same_warp", "same_block", "same_block:shared", "same_device", "same_device@block"]
    ordered = ("forbidden", "undefined")
    program("sizes", "MP+halves", "Two halves are written plainly, and read as a whole after the flag.", halves,
            [["store.weak low 1", "store.weak high 1", "store.release y 1"],
             ["r0 = load.acquire y", "if r0 == 1 then r1 = load.weak x"]], r"P1:r0=1 /\ ~(P1:r1=0x100000001)", places, ordered)
    program("sizes", "MP+whole", "A whole is written plainly, and a half is read after the flag.", halves,
            [["store.weak x 0x200000001", "store.release y 1"], ["r0 = load.acquire y", "if r0 == 1 then r1 = load.weak high"]],
            r"P1:r0=1 /\ ~P1:r1=2", places, ordered)
    program("sizes", "race", "Accesses of two sizes that race have no meaning.", halves,
            [["store.relaxed low 1"], ["r0 = load.relaxed x"]], "P1:r0=1", places)
    program("sizes", "neighbours", "Two bytes of one word are two locations.",
            ["x", "part a of x at 0 : 1", "part b of x at 1 : 1"],
            [["store.relaxed a 1"], ["store.relaxed b 1"]], r"~x=0x101", places)
    program("sizes", "rmw-neighbours", "Read-modify-writes of a word and of its byte are performed one after the other.",
            ["x", "part b of x at 3 : 1"], [["fetch_add.relaxed x 1"], ["exchange.relaxed b 1"]], r"~x=0x1000001",
            ["same_block", "same_device"])
    program("sizes", "tear16", "A strong load of 16 bytes returns a whole value.", ["x : 16"],
            [["store.relaxed x 0x10000000000000001"], ["r0 = load.relaxed x"]],
            r"~(P1:r0=0 \/ P1:r0=0x10000000000000001)", ["same_warp", "same_block", "same_device", "host_last:managed"])
    program("sizes", "tear16-halves", "The same, where the halves are also written alone, before the threads meet.",
            ["x : 16", "part low of x at 0 : 8", "part high of x at 8 : 8"],
            [["store.weak low 2", "store.weak high 2", "sync.block", "store.relaxed x 0x10000000000000001"],
             ["sync.block", "r0 = load.relaxed x"]],
            r"~(P1:r0=0x20000000000000002 \/ P1:r0=0x10000000000000001)", ["same_warp", "same_block", "same_block:shared"])
    program("sizes", "tear-vector", "The elements of a vector are accesses of their own.", ["x : 16"],
            [["store.weak.v2 x 0x10000000000000001"], ["r0 = load.weak.v2 x"]],
            r"P1:r0=1 \/ P1:r0=0x10000000000000000", ["same_warp", "same_block", "same_device"])


def barriers():
    for level, places in [("warp", ["same_warp", "same_block"]), ("block", ["same_warp", "same_block", "same_block:shared", "same_device"]),
                          ("cluster", ["same_block", "same_cluster", "same_cluster:shared", "same_device"]),
                          ("grid", ["same_block", "same_cluster", "same_device", "two_devices"])]:
        program("barriers", f"MP+sync-{level}", f"What precedes the barrier of the {level} is visible to those who meet there.",
                ["x"], [["store.weak x 1", f"sync.{level}"], [f"sync.{level}", "r0 = load.weak x"]], "P1:r0=0", places)
        program("barriers", f"SB+sync-{level}", "No thread misses what another one wrote before.", XY,
                [["store.weak x 1", f"sync.{level}", "r0 = load.weak y"], ["store.weak y 1", f"sync.{level}", "r0 = load.weak x"]],
                r"P0:r0=0 \/ P1:r0=0", places)
    program("barriers", "WAR+sync-block", "A write after the barrier is not read before it.", ["x"],
            [["r0 = load.weak x", "sync.block"], ["sync.block", "store.weak x 1"]], "P0:r0=1", ["same_warp", "same_block", "same_block:shared"])
    program("barriers", "relay+sync-block", "A thread acquires from another block, and passes on by the barrier of its block.", XY,
            [["store.weak x 1", "store.release.device y 1"], ["await r0 = load.acquire.device y until == 1", "sync.block"],
             ["sync.block", "r0 = load.weak x"]], "P2:r0=0", ["same_block", "pair_last = device(P0 block(P1 P2))"])
    program("barriers", "relay+sync-warp", "The same by the barrier of a warp: one lane polls for all.", XY,
            [["store.weak x 1", "store.release.device y 1"], ["await r0 = load.acquire.device y until == 1", "sync.warp"],
             ["sync.warp", "r0 = load.weak x"]], "P2:r0=0", ["lanes = device(P0 warp(P1 P2))"])
    program("barriers", "gather+sync-block", "One thread releases for all threads of its block, after their barrier.", XY,
            [["store.weak x 1", "sync.block"], ["sync.block", "store.release.device y 1"],
             ["await r0 = load.acquire.device y until == 1", "r1 = load.weak x"]], "P2:r1=0",
            ["same_block", "pair_first = device(block(P0 P1) P2)"])
    program("barriers", "gather+no-sync", "Without the barrier the release covers its own thread alone.", XY,
            [["store.relaxed.device x 1"], ["store.release.device y 1"],
             ["await r0 = load.acquire.device y until == 1", "r1 = load.relaxed.device x"]], "P2:r1=0",
            ["same_block", "pair_first = device(block(P0 P1) P2)"])
    count = ["x", "y", "z", "n"]
    wait = ["fetch_add.{0} n 1", "await r0 = load.{1} n until == 3"]
    for name, write, read, known, row in [("rel+acq", "release", "acquire", FORBIDDEN, "counter barrier"),
                                          ("rlx", "relaxed", "relaxed", ALLOWED, None)]:
        columns = [[f"store.weak {mine} 1", *(line.format(write, read) for line in wait), f"r1 = load.weak {other}"]
                   for mine, other in ("xy", "yz", "zx")]
        program("barriers", f"counter+{name}", "Three threads count themselves, wait for all, and read each other's data.", count,
                columns, r"P0:r1=0 \/ P1:r1=0 \/ P2:r1=0", BOTH_MANY, known, row)
    columns = [[f"store.weak {mine} 1", f"fetch_add.release.{scope} n 1", "await r0 = load.acquire.device n until == 3",
                f"r1 = load.weak {other}"] for mine, other, scope in [("x", "y", "device"), ("y", "z", "block"), ("z", "x", "device")]]
    program("barriers", "counter+one-narrow", "One arrival of block scope breaks the barrier of a grid.", count, columns,
            r"P0:r1=0 \/ P1:r1=0 \/ P2:r1=0", ["same_block", "same_cluster", "same_device"])
    program("barriers", "hierarchical", "Members report to their leaders at block scope, the leaders to each other at device scope.",
            ["x", "a", "b", "n"],
            [["await r0 = load.acquire.block a until == 1", "fetch_add.release.device n 1"],
             ["store.weak x 1", "fetch_add.release.block a 1"],
             ["await r0 = load.acquire.block b until == 1", "fetch_add.release.device n 1",
              "await r1 = load.acquire.device n until == 2", "r2 = load.weak x"], ["fetch_add.release.block b 1"]],
            "P2:r2=0", ["two_blocks = device(block(P0 P1) block(P2 P3))", "same_block"], ("forbidden", None), "hierarchical barrier")


def locks():
    lock = {"exchange": ("await r0 = exchange.{0} l 1 until == 0", "store.{0} l 0"),
            "cas": ("await r0 = compare_exchange.{0}.relaxed l 0 1 until == 0", "store.{0} l 0"),
            "cas-exchange": ("await r0 = compare_exchange.{0}.relaxed l 0 1 until == 0", "exchange.{0} l 0")}
    body = ["r1 = load.weak x", "store.weak x r1 + 1"]
    for kind, (take, leave) in lock.items():
        for name, acquire, release, known in [("acq+rel", "acquire", "release", FORBIDDEN), ("rlx+rel", "relaxed", "release", ALLOWED),
                                              ("acq+rlx", "acquire", "relaxed", ALLOWED)]:
            column = [take.format(acquire), *body, leave.format(release)]
            program("locks", f"{kind}+{name}", "Two threads increment plain data under a lock.", ["x", "l"], [column, column],
                    "x=1", BOTH, known)
    for name, read, release, known in [("acq+rel", "acquire", "release", FORBIDDEN), ("rlx+rel", "relaxed", "release", ALLOWED),
                                       ("acq+rlx", "acquire", "relaxed", ALLOWED)]:
        column = ["r0 = fetch_add.relaxed t 1", f"await r2 = load.{read} n until == r0", *body, f"store.{release} n r0 + 1"]
        program("locks", f"ticket+{name}", "The same under a ticket lock.", ["x", "t", "n"], [column, column], "x=1", BOTH, known)
    program("locks", "seqlock", "A sequence lock: a reader that saw one even count before and after has read one version.",
            ["x", "y", "n"],
            [["store.relaxed n 1", "fence.release", "store.relaxed x 1", "store.relaxed y 1", "store.release n 2"],
             ["r0 = load.acquire n", "r1 = load.relaxed x", "r2 = load.relaxed y", "fence.acquire", "r3 = load.relaxed n"]],
            r"P1:r0=0 /\ P1:r3=0 /\ (P1:r1=1 \/ P1:r2=1)", BOTH, FORBIDDEN)
    program("locks", "seqlock+no-fence", "Without the writer's fence the data may become visible before the odd count.",
            ["x", "y", "n"],
            [["store.relaxed n 1", "store.relaxed x 1", "store.relaxed y 1", "store.release n 2"],
             ["r0 = load.acquire n", "r1 = load.relaxed x", "r2 = load.relaxed y", "fence.acquire", "r3 = load.relaxed n"]],
            r"P1:r0=0 /\ P1:r3=0 /\ (P1:r1=1 \/ P1:r2=1)", BOTH, ALLOWED)
    dekker = [["store.relaxed x 1", "fence.seq_cst", "r0 = load.relaxed y", "if r0 == 0 then r1 = load.weak d",
               "if r0 == 0 then store.weak d r1 + 1"],
              ["store.relaxed y 1", "fence.seq_cst", "r0 = load.relaxed x", "if r0 == 0 then r1 = load.weak d",
               "if r0 == 0 then store.weak d r1 + 1"]]
    program("locks", "dekker", "Two threads that raise a flag, and enter if the other flag is not raised.", ["x", "y", "d"], dekker,
            r"P0:r0=0 /\ P1:r0=0", BOTH, FORBIDDEN)


def timelines():
    program("timeline", "published", "A producer publishes items by a count; a consumer that has seen the count reads the items.",
            ["a", "b", "n"],
            [["store.weak a 1", "store.release n 1", "store.weak b 1", "store.release n 2"],
             ["await r0 = load.acquire n until >= 1", "r1 = load.weak a", "if r0 == 2 then r2 = load.weak b"]],
            r"P1:r1=0 \/ (P1:r0=2 /\ P1:r2=0)", BOTH + ["host_last"], FORBIDDEN)
    program("timeline", "two-producers", "Two producers count by read-modify-writes; the consumer waits for both.", ["a", "b", "n"],
            [["store.weak a 1", "fetch_add.release n 1"], ["store.weak b 1", "fetch_add.release n 1"],
             ["await r0 = load.acquire n until == 2", "r1 = load.weak a", "r2 = load.weak b"]], r"P2:r1=0 \/ P2:r2=0", BOTH_MANY,
            FORBIDDEN)
    program("timeline", "ping-pong", "A slot is used again after the consumer has handed it back.", ["d", "full", "empty"],
            [["store.weak d 1", "store.release full 1", "await r0 = load.acquire empty until == 1", "store.weak d 2",
              "store.release full 2"],
             ["await r0 = load.acquire full until == 1", "r1 = load.weak d", "store.release empty 1",
              "await r2 = load.acquire full until == 2", "r3 = load.weak d"]], r"~P1:r1=1 \/ ~P1:r3=2", BOTH, FORBIDDEN)
    program("timeline", "ping-pong+rlx", "The slot is handed back without a release: the consumer may read the next item.",
            ["d", "full", "empty"],
            [["store.relaxed d 1", "store.release full 1", "await r0 = load.acquire empty until == 1", "store.relaxed d 2"],
             ["await r0 = load.acquire full until == 1", "r1 = load.relaxed d", "store.relaxed empty 1"]], r"P1:r1=2", BOTH, ALLOWED)
    program("timeline", "tickets", "A queue by tickets: a producer takes a slot and publishes it, a consumer waits for it.",
            ["d", "tail", "ready"],
            [["r0 = fetch_add.relaxed tail 1", "store.weak d 7", "store.release ready r0 + 1"],
             ["await r0 = load.acquire ready until == 1", "r1 = load.weak d"]], r"~P1:r1=7", BOTH, FORBIDDEN)
    program("timeline", "wait-notify", "A waiter acquires the change that it waited for.", ["d", "f"],
            [["store.weak d 1", "store.release f 1", "notify f"], ["wait.acquire f 0", "r0 = load.weak d"]], "P1:r0=0", BOTH + ["host_last"],
            FORBIDDEN)
    program("timeline", "done-count", "The last of three threads, by a count, reads what the others wrote.", ["a", "b", "n"],
            [["store.weak a 1", "fetch_add.acq_rel n 1"], ["store.weak b 1", "fetch_add.acq_rel n 1"],
             ["r0 = fetch_add.acq_rel n 1", "if r0 == 2 then r1 = load.weak a", "if r0 == 2 then r2 = load.weak b"]],
            r"P2:r0=2 /\ (P2:r1=0 \/ P2:r2=0)", BOTH_MANY, FORBIDDEN)


def primitives():
    places = ["same_warp", "same_block", "same_block:shared", "same_cluster", "same_device", "two_devices", "host_first:managed",
              "same_device@block"]
    unprotected = r"x=1"
    program("promises", "latch+count_down", "What precedes count_down is visible after wait.", ["x", "latch l(1)"],
            [["store.weak x 1", "l.count_down"], ["l.wait", "r0 = load.weak x"]], "P1:r0=0", places)
    program("promises", "latch+arrive_and_wait", "What precedes an arrival is visible to all that waited.", [*XY, "latch l(2)"],
            [["store.weak x 1", "l.arrive_and_wait", "r0 = load.weak y"], ["store.weak y 1", "l.arrive_and_wait", "r0 = load.weak x"]],
            r"P0:r0=0 \/ P1:r0=0", places)
    program("promises", "latch+two", "A waiter sees what every count_down published.", [*XY, "latch l(2)"],
            [["store.weak x 1", "l.count_down"], ["store.weak y 1", "l.count_down"], ["l.wait", "r0 = load.weak x", "r1 = load.weak y"]],
            r"P2:r0=0 \/ P2:r1=0", MANY)
    program("promises", "latch+try_wait", "A try_wait that returns true acquires.", ["x", "latch l(1)"],
            [["store.weak x 1", "l.count_down"], ["r0 = l.try_wait", "if r0 == 1 then r1 = load.weak x"]], r"P1:r0=1 /\ P1:r1=0", places)
    program("promises", "barrier+phase", "What precedes the arrival of a phase is visible after it.", [*XY, "barrier b(2)"],
            [["store.weak x 1", "b.arrive_and_wait", "r0 = load.weak y"], ["store.weak y 1", "b.arrive_and_wait", "r0 = load.weak x"]],
            r"P0:r0=0 \/ P1:r0=0", places)
    program("promises", "barrier+two-phases", "A write of the second phase is not read in the first one.", ["x", "barrier b(2)"],
            [["store.weak x 1", "b.arrive_and_wait", "b.arrive_and_wait", "store.weak x 2"],
             ["b.arrive_and_wait", "r0 = load.weak x", "b.arrive_and_wait"]], "~P1:r0=1", places)
    program("promises", "barrier+split", "Between arrive and wait a thread is ordered with nothing.", [*XY, "barrier b(2)"],
            [["b.arrive", "store.relaxed x 1", "b.wait"], ["b.arrive", "r0 = load.relaxed x", "b.wait", "r1 = load.relaxed x"]],
            r"P1:r0=0 /\ P1:r1=0", places)
    for kind in ("semaphore", "fair_semaphore"):
        program("promises", f"{kind}+signal", "What precedes a release is visible after the acquire that takes the permit.",
                ["x", f"{kind} s(0)"], [["store.weak x 1", "s.release"], ["s.acquire", "r0 = load.weak x"]], "P1:r0=0", places)
        program("promises", f"{kind}+lock", "A semaphore with one permit is a lock.", ["x", f"{kind} s(1)"],
                [["s.acquire", "r0 = load.weak x", "store.weak x r0 + 1", "s.release"]] * 2, unprotected, places)
        program("promises", f"{kind}+two-permits", "With two permits it is none.", ["x", f"{kind} s(2)"],
                [["s.acquire", "r0 = load.relaxed x", "store.relaxed x r0 + 1", "s.release"]] * 2, unprotected, places)
    for kind in ("mutex", "ticket_mutex", "cohort_mutex", "shared_mutex"):
        program("promises", f"{kind}+increment", "What precedes unlock is visible to the thread that locks next.", ["x", f"{kind} m"],
                [["m.lock", "r0 = load.weak x", "store.weak x r0 + 1", "m.unlock"]] * 2, unprotected, places)
        program("promises", f"{kind}+try_lock", "A try_lock that returns true acquires.", [*XY, f"{kind} m"],
                [["m.lock", "store.weak x 1", "store.weak y 1", "m.unlock"],
                 ["r0 = m.try_lock", "if r0 == 1 then r1 = load.weak x", "if r0 == 1 then r2 = load.weak y", "if r0 == 1 then m.unlock"]],
                r"P1:r0=1 /\ ((P1:r1=1 /\ P1:r2=0) \/ (P1:r1=0 /\ P1:r2=1))", places)
    program("promises", "mutex+pair", "Under the lock no thread sees half of an update.", [*XY, "mutex m"],
            [["m.lock", "store.weak x 1", "store.weak y 1", "m.unlock"],
             ["m.lock", "r0 = load.weak x", "r1 = load.weak y", "m.unlock"]],
            r"(P1:r0=1 /\ P1:r1=0) \/ (P1:r0=0 /\ P1:r1=1)", places)
    program("promises", "mutex+outside", "A thread that has seen what the holder wrote after unlock, even relaxed, locks after it.", [*XY, "mutex m"],
            [["m.lock", "store.weak x 1", "m.unlock", "store.relaxed y 1"],
             ["r0 = load.relaxed y", "m.lock", "r1 = load.weak x", "m.unlock"]], r"P1:r0=1 /\ P1:r1=0", places)
    program("promises", "shared_mutex+readers", "A reader sees the whole update of a writer.", [*XY, "shared_mutex m"],
            [["m.lock", "store.weak x 1", "store.weak y 1", "m.unlock"],
             ["m.lock_shared", "r0 = load.weak x", "r1 = load.weak y", "m.unlock_shared"]],
            r"(P1:r0=1 /\ P1:r1=0) \/ (P1:r0=0 /\ P1:r1=1)", places)
    program("promises", "shared_mutex+writer-after", "A writer that has seen what a reader wrote after its unlock locks after it.",
            [*XY, "shared_mutex m"],
            [["m.lock_shared", "r0 = load.weak x", "m.unlock_shared", "store.relaxed y 1"],
             ["r0 = load.relaxed y", "m.lock", "store.weak x 1", "m.unlock"]], r"P0:r0=1 /\ P1:r0=1", places)
    program("promises", "once+initialized", "After the call, each thread sees what the function wrote.", ["x", "once_flag o"],
            [["o.enter", "store.weak x 1", "o.leave", "r0 = load.weak x"]] * 2, r"P0:r0=0 \/ P1:r0=0", places)
    program("promises", "once+one", "One thread calls the function.", ["x", "once_flag o"],
            [["o.enter", "r0 = load.weak x", "store.weak x r0 + 1", "o.leave"]] * 2, "~x=1", places)
    program("promises", "stop+requested", "A thread that sees the request sees what preceded it.", ["x", "stop_state s"],
            [["store.weak x 1", "s.request_stop"], ["r0 = s.stop_requested", "if r0 == 1 then r1 = load.weak x"]],
            r"P1:r0=1 /\ P1:r1=0", places)
    program("promises", "stop+second", "A request that is not the first sees what preceded the first one.", ["x", "stop_state s"],
            [["store.weak x 1", "s.request_stop"], ["r0 = s.request_stop", "if r0 == 0 then r1 = load.weak x"]],
            r"P1:r0=0 /\ P1:r1=0", places)
    program("promises", "stop+one-first", "One of two requests is the first.", ["stop_state s"],
            [["r0 = s.request_stop"]] * 2, r"(P0:r0=1 /\ P1:r0=1) \/ (P0:r0=0 /\ P1:r0=0)", places)
    block = ["same_warp", "same_block", "same_block:shared", "same_cluster:shared"]
    program("promises", "pipeline+filled", "A consumer sees what the producer has written to the stage.", ["x", "pipeline p(1)"],
            [["p.producer_acquire", "store.weak x 1", "p.producer_commit"], ["p.consumer_wait", "r0 = load.weak x", "p.consumer_release"]],
            "P1:r0=0", block)
    program("promises", "pipeline+reused", "A stage is filled again only after its consumer has released it.", ["x", "pipeline p(1)"],
            [["p.producer_acquire", "store.weak x 1", "p.producer_commit", "p.producer_acquire", "store.weak x 2", "p.producer_commit"],
             ["p.consumer_wait", "r0 = load.weak x", "p.consumer_release", "p.consumer_wait", "r1 = load.weak x", "p.consumer_release"]],
            r"~P1:r0=1 \/ ~P1:r1=2", block)
    program("promises", "pipeline+too-few", "One item for two stages: the producer overwrites what the consumer may still read.",
            ["x", "pipeline p(2)"],
            [["p.producer_acquire", "store.relaxed x 1", "p.producer_commit", "p.producer_acquire", "store.relaxed x 2", "p.producer_commit"],
             ["p.consumer_wait", "r0 = load.relaxed x", "p.consumer_release"]], "P1:r0=2", block)
    program("promises", "map+find", "A thread that finds the key sees what preceded the insertion.", ["x", "map m"],
            [["store.weak x 1", "r0 = m.insert 5 7"], ["r0 = m.find 5", "if r0 == 7 then r1 = load.weak x"]], r"P1:r0=7 /\ P1:r1=0", places)
    program("promises", "map+relaxed", "A relaxed insertion publishes nothing but the value.", ["x", "map m"],
            [["store.relaxed x 1", "r0 = m.insert.relaxed 5 7"], ["r0 = m.find.acquire 5", "r1 = load.relaxed x"]],
            r"P1:r0=7 /\ P1:r1=0", places)
    program("promises", "map+one", "Of two insertions of a key one inserts.", ["map m"],
            [["r0 = m.insert 5 7", "r1 = m.find 5"], ["r0 = m.insert 5 8", "r1 = m.find 5"]],
            r"(P0:r0=1 /\ P1:r0=1) \/ (P0:r0=0 /\ P1:r0=0) \/ (P0:r1=7 /\ P1:r1=8)", places)
    device = ["same_warp", "same_block", "same_cluster", "same_device"]
    program("promises", "queue+once", "Each index is taken once.", ["work_queue q(2)"],
            [["r0 = q.take"]] * 2, r"(P0:r0=1 /\ P1:r0=1) \/ (P0:r0=2 /\ P1:r0=2) \/ P0:r0=0 \/ P1:r0=0", device)
    program("promises", "queue+unordered", "A work queue orders nothing but its indices.", ["x", "work_queue q(2)"],
            [["store.relaxed x 1", "r0 = q.take"], ["r0 = q.take", "r1 = load.relaxed x"]], r"P0:r0=1 /\ P1:r0=2 /\ P1:r1=0", device)


def main(arguments):
    check = "--check" in arguments
    folders = [one for one in arguments if not one.startswith("--")]
    folder = pathlib.Path(folders[0]) if folders else pathlib.Path(__file__).resolve().parent
    for make in (message_passing, store_buffering, load_buffering, modifications_after_reads, writes_after_reads, coherence,
                 release_sequences, three_threads, four_threads, mixed_scopes, mixed_sizes, barriers, locks, timelines, primitives):
        make()
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.litmus")}
    wrong = []
    for path, text in sorted(PROGRAMS.items()):
        file = folder / path
        if check:
            if not file.exists() or file.read_text(encoding="utf-8") != text:
                wrong.append(f"{file}:1: is not what generate.py writes; run generate.py, or change it instead of the file")
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    for path in sorted(found - PROGRAMS.keys()):
        if check:
            wrong.append(f"{folder / path}:1: generate.py does not write it; add the program to generate.py, or remove the file")
        else:
            (folder / path).unlink()
            (folder / path).with_suffix(".expected").unlink(missing_ok=True)
    print("\n".join(wrong) if wrong else f"{len(PROGRAMS)} programs")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
