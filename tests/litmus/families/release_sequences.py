# SPDX-License-Identifier: Apache-2.0
"""sequence: release sequences."""
from families.program import ALLOWED, BOTH, BOTH_MANY, CHAIN_HOST, FORBIDDEN, XY, program


def make():
    end = ["r0 = load.acquire y", "r1 = load.relaxed x"]
    head = ["store.relaxed x 1", "store.release y 1"]
    places = BOTH_MANY + CHAIN_HOST[:1]
    program("sequence", "RS+rmw", "A read-modify-write of another thread continues the release sequence.", XY,
            [head, ["r0 = fetch_add.relaxed y 1"], end], r"P1:r0=1 /\ P2:r0=2 /\ P2:r1=0", places, FORBIDDEN,
            "release sequence, rmw")
    program("sequence", "RS+rmw+rmw", "Two read-modify-writes do, too.", XY,
            [head, ["r0 = fetch_add.relaxed y 1"], ["r0 = fetch_add.relaxed y 1"], end],
            r"P1:r0=1 /\ P2:r0=2 /\ P3:r0=3 /\ P3:r1=0", BOTH_MANY, FORBIDDEN)
    program("sequence", "RS+xchg", "So does an exchange.", XY, [head, ["r0 = exchange.relaxed y 2"], end],
            r"P1:r0=1 /\ P2:r0=2 /\ P2:r1=0", places, FORBIDDEN)
    program("sequence", "RS+own", "A later store of the releasing thread does in PTX, and since C++20 not in C++.", XY,
            [[*head, "store.relaxed y 2"], end], r"P1:r0=2 /\ P1:r1=0", BOTH, FORBIDDEN, "release sequence, own store")
    program("sequence", "RS+broken", "A store of another thread breaks it.", XY,
            [head, ["r0 = load.relaxed y", "store.relaxed y 2"], end], r"P1:r0=1 /\ P2:r0=2 /\ P2:r1=0", places, ALLOWED,
            "release sequence, another's store")
    program("sequence", "RS+Frel+rmw", "A release fence begins one, too.", XY,
            [["store.relaxed x 1", "fence.release", "store.relaxed y 1"], ["r0 = fetch_add.relaxed y 1"],
             ["r0 = load.relaxed y", "fence.acquire", "r1 = load.relaxed x"]], r"P1:r0=1 /\ P2:r0=2 /\ P2:r1=0", places, FORBIDDEN)
    program("sequence", "RS+narrow-rmw", "A read-modify-write of block scope in another block continues nothing.", XY,
            [["store.relaxed x 1", "store.release.device y 1"], ["r0 = fetch_add.relaxed.block y 1"],
             ["r0 = load.acquire.device y", "r1 = load.relaxed.device x"]], r"P1:r0=1 /\ P2:r0=2 /\ P2:r1=0",
            ["same_block", "same_cluster", "same_device", "split = device(block(P0 P1) P2)"])
