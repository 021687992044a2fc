# SPDX-License-Identifier: Apache-2.0
"""lb: load buffering."""
from families.program import ALLOWED, BOTH, BROKEN, FORBIDDEN, XY, program


def make():
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
