# SPDX-License-Identifier: Apache-2.0
"""sb: store buffering."""
from families.program import ALLOWED, BOTH, FORBIDDEN, XY, fence, program


def make():
    zero = r"P0:r0=0 /\ P1:r0=0"
    for name, write, read, between, known, row in [
            ("rlx", "store.relaxed", "load.relaxed", "", ALLOWED, "SB rlx"),
            ("rel+acq", "store.release", "load.acquire", "", ALLOWED, "SB rel/acq"),
            ("Far", "store.relaxed", "load.relaxed", "acq_rel", ALLOWED, "SB F.acq_rel"),
            ("Fsc", "store.relaxed", "load.relaxed", "seq_cst", FORBIDDEN, "SB F.sc"),
            ("sc", "store.seq_cst", "load.seq_cst", "", FORBIDDEN, "SB sc"),
            ("sc+acq", "store.seq_cst", "load.acquire", "", ALLOWED, None),
            ("xchg-sc", "exchange.seq_cst", "load.seq_cst", "", FORBIDDEN, None)]:
        columns = [[f"{write} {mine} 1", *fence(between), f"r0 = {read} {other}"] for mine, other in ("xy", "yx")]
        program("sb", f"SB+{name}", "Store buffering: may both threads miss each other's write?", XY, columns, zero, BOTH, known,
                row)
    for order, known, row in [("acq_rel", FORBIDDEN, "SB rmw acq_rel"), ("relaxed", ALLOWED, None), ("seq_cst", FORBIDDEN, None)]:
        columns = [[f"fetch_add.{order} {mine} 1", f"r0 = fetch_add.{order} {other} 1"] for mine, other in ("xy", "yx")]
        program("sb", f"SB+rmw-{order}", "Store buffering by read-modify-writes, which read the newest value.", XY, columns,
                zero, BOTH, known, row)
    program("sb", "SB+Fsc+reader", "Two threads, which are both on the host in one placement, and a reader.", XY,
            [["store.relaxed x 1", "fence.seq_cst", "r0 = load.relaxed y"], ["store.relaxed y 1", "fence.seq_cst", "r0 = load.relaxed x"],
             ["r0 = load.relaxed x"]], zero, ["same_device", "host_pair = host(P0 P1) device(P2)"], ("forbidden", None))
    program("sb", "SB+Fsc+Far", "One fence that is seq_cst does not suffice.", XY,
            [["store.relaxed x 1", "fence.seq_cst", "r0 = load.relaxed y"],
             ["store.relaxed y 1", "fence.acq_rel", "r0 = load.relaxed x"]], zero, BOTH, ALLOWED)
    program("sb", "SB+sc+Fsc", "A seq_cst store and load against a fence.", XY,
            [["store.seq_cst x 1", "r0 = load.seq_cst y"], ["store.relaxed y 1", "fence.seq_cst", "r0 = load.relaxed x"]], zero,
            BOTH, FORBIDDEN)
    program("sb", "SB+weak+Fsc", "Plain accesses race, fence or not: undefined in C++, ordered in PTX.", XY,
            [["store.weak x 1", "fence.seq_cst", "r0 = load.weak y"], ["store.weak y 1", "fence.seq_cst", "r0 = load.weak x"]],
            zero, ["same_block", "same_device"], ("forbidden", None))
