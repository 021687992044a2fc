# SPDX-License-Identifier: Apache-2.0
"""coherence: the accesses to one location, and read-modify-writes."""
from families.program import ALLOWED, BOTH, BOTH_MANY, FORBIDDEN, FOUR_HOST, program


def make():
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
                ["same_warp", "same_block", "same_block:shared", "same_device", "host_first", "host_last", "host_last:managed",
                 "same_device@block"], FORBIDDEN)
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
             ["r0 = load.relaxed x", "r1 = load.relaxed x"]], r"P2:r0=1 /\ P2:r1=2 /\ P3:r0=2 /\ P3:r1=1", BOTH_MANY + FOUR_HOST,
            FORBIDDEN)
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
