# SPDX-License-Identifier: Apache-2.0
"""barriers: barriers of warp, block, cluster and grid, and barriers that count."""
from families.program import ALLOWED, BOTH_MANY, FORBIDDEN, XY, program


def make():
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
