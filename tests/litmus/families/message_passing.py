# SPDX-License-Identifier: Apache-2.0
"""mp: message passing."""
from families.program import ALLOWED, BOTH, FORBIDDEN, XY, fence, program


def make():
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
        places = ["same_warp", "same_block", "same_block:shared", "same_device", "host_first", "host_last", "host_first:managed",
                  "same_device@block"]
        program("mp", f"MP+flag{8 * size}", f"Message passing by a flag of {size} bytes.", ["x", f"y : {size}"],
                [["store.weak x 1", "store.release y 1"], ["r0 = load.acquire y", guarded]], stale, places, FORBIDDEN)
    program("mp", "MP+sc+Fsc-before", "A seq_cst load needs its acquire: a fence.sc before a relaxed load orders nothing after it.", XY,
            [["store.relaxed x 1", "store.seq_cst y 1"], ["fence.seq_cst", "r0 = load.relaxed y", "r1 = load.relaxed x"]],
            stale, BOTH, ALLOWED)
    program("mp", "MP+store_add+reads", "The read of an operation that returns nothing acquires nothing.",
            XY, [["store.relaxed x 1", "store.release y 1"],
                 ["store_add.relaxed y 1", "fence.acquire", "r0 = load.relaxed y", "r1 = load.relaxed x"]],
            r"P1:r0=2 /\ P1:r1=0", ["same_block", "same_device"], ("allowed", None))
