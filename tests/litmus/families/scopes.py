# SPDX-License-Identifier: Apache-2.0
"""scopes: scopes that differ in one program."""
from families.program import XY, program


def make():
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
