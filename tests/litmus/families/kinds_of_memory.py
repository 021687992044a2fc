# SPDX-License-Identifier: Apache-2.0
"""memory: the data is in one kind of memory and the flag in another one."""
from families.program import FORBIDDEN, program


def make():
    stale = r"P1:r0=1 /\ P1:r1=0"
    for data, flag in [("managed", "mapped"), ("mapped", "managed")]:
        program("memory", f"MP+{data}+{flag}", "Message passing between host and device, with data and flag in two kinds of memory.",
                [f"{data} x", f"{flag} y"],
                [["store.weak x 1", "store.release y 1"], ["r0 = load.acquire y", "if r0 == 1 then r1 = load.weak x"]], stale,
                ["host_first", "host_last", "host_first@device"], FORBIDDEN)
        program("memory", f"SB+{data}+{flag}", "Store buffering between host and device, with locations in two kinds of memory.",
                [f"{data} x", f"{flag} y"],
                [["store.relaxed x 1", "fence.seq_cst", "r0 = load.relaxed y"], ["store.relaxed y 1", "fence.seq_cst", "r0 = load.relaxed x"]],
                r"P0:r0=0 /\ P1:r0=0", ["host_first", "host_last"], FORBIDDEN)
    program("memory", "ISA2+from-host", "A message of the host is passed on in memory that the host cannot access.",
            ["x", "y", "global z"],
            [["store.weak x 1", "store.release y 1"], ["await r0 = load.acquire y until == 1", "store.release.device z 1"],
             ["await r0 = load.acquire.device z until == 1", "r1 = load.weak x"]], "P2:r1=0", ["same_device", "host_first"])
    program("memory", "ISA2+to-host", "A message in memory that the host cannot access is passed on to the host.",
            ["x", "y", "global z"],
            [["store.weak x 1", "store.release.device z 1"], ["await r0 = load.acquire.device z until == 1", "store.release y 1"],
             ["await r0 = load.acquire y until == 1", "r1 = load.weak x"]], "P2:r1=0", ["same_device", "host_last"])
