# SPDX-License-Identifier: Apache-2.0
"""timeline: items that are published, queues, waiters."""
from families.program import ALLOWED, BOTH, BOTH_MANY, FORBIDDEN, program


def make():
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
