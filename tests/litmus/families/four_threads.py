# SPDX-License-Identifier: Apache-2.0
"""iriw: four threads."""
from families.program import ALLOWED, BOTH_MANY, FORBIDDEN, FOUR_HOST, XY, fence, program


def make():
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
                 [f"r0 = load.{read} y", *fence(between), f"r1 = load.{read} x"]], disagree, BOTH_MANY + pairs + FOUR_HOST, known,
                row)
