# SPDX-License-Identifier: Apache-2.0
"""locks: locks, a sequence lock, Dekker's algorithm."""
from families.program import ALLOWED, BOTH, FORBIDDEN, program


def make():
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
    # A turn that is taken by a relaxed load, as by cohort_mutex::try_lock, and the lock o that its holder unlocked before.
    holder = ["store.weak x 1", "store.release o 0", "store.release n 1"]
    taker = ["r0 = load.relaxed n", "unless r0 == 1 exit"]
    lock_other = "await r1 = exchange.acquire o 1 until == 0"
    program("locks", "turn+data", "The other lock acquires the data of a turn that was seen relaxed.", ["x", "o = 1", "n"],
            [holder, [*taker, lock_other, "r2 = load.weak x"]], r"P1:r0=1 /\ P1:r2=0", BOTH, FORBIDDEN)
    for name, fences, sentence in [
            ("turn+reuse", ["fence.acquire"], "The thread that took a turn may use the word of the turn for something else."),
            ("turn+reuse+no-fence", [], "Without an acquire that is a race in C++. In PTX it is enough to have observed the turn.")]:
        program("locks", name, sentence, ["x", "o = 1", "n"], [holder, [*taker, *fences, lock_other, "store.weak n 2"]],
                r"P1:r0=1 /\ n=1", BOTH, FORBIDDEN)
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
