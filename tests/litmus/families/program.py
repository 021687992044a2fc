# SPDX-License-Identifier: Apache-2.0
"""program: one litmus program as text, and the words that the families share."""

PROGRAMS = {}  # FAMILY/NAME.litmus -> text

# Programs whose verdict the Alloy model of "A Formal Analysis of the NVIDIA PTX Memory Consistency Model" gave.
FORMAL = set("""
MP+rlx MP+rel+acq MP+rel+rlx MP+rlx+acq MP+Frel+rlx MP+rlx+Facq MP+weak+rel+acq MP+weak+Frel+Facq MP+weak+rmw
MP+weak+rel+poll+Facq MP+sc+sc MP+sc+Fsc-before SB+rlx SB+rel+acq SB+Far SB+Fsc SB+sc SB+rmw-acq_rel LB+rlx LB+acq+rlx LB+acq+rel LB+data S+rlx
S+rel+acq R+rlx R+rel+acq R+Fsc 2+2W+rlx 2+2W+rel 2+2W+Fsc CoRR CoWR CoRW CoWW CoRR+weak IRIW+rlx IRIW+acq IRIW+Fsc WRC+rlx
WRC+rel+acq ISA2+rel+acq WWC+rel+acq RWC+rel+acq RWC+Fsc Z6.1+rel+acq Z6.3+rel+acq Z6.3+Fsc 3.2W+rel RMW+RMW RMW+store RS+rmw
RS+own RS+broken counter+rel+acq hierarchical
""".split())

# Where two threads are, and where their scope is too narrow.
TWO = ["same_warp", "same_block", "same_block:shared", "same_cluster", "same_device", "two_devices", "host_first"]
UNDER = ["same_cluster@block", "same_device@block", "two_devices@device", "host_first@device"]
MANY = ["same_warp", "same_block", "same_cluster", "same_device", "two_devices"]
MANY_UNDER = ["same_device@block", "two_devices@device"]
BOTH, BOTH_MANY = TWO + UNDER, MANY + MANY_UNDER
# Three and four threads, some of them on the host.
CHAIN_HOST = ["host_middle = host(P1) device(P0 P2)", "host_ends = host(P0 P2) device(P1)"]
FOUR_HOST = ["host_writes = host(P0 P1) device(P2 P3)", "host_reads = device(P0 P1) host(P2 P3)",
             "host_both = host(P0 P2) device(P1 P3)"]

# Verdicts for PTX: where the scope includes all threads, and where it does not.
ALLOWED, FORBIDDEN, BROKEN = ("allowed", "allowed"), ("forbidden", "allowed"), ("forbidden", "forbidden")
XY = ["x", "y"]


def program(family, name, sentence, declarations, columns, exists, placements, known=None, row=None):
    """Adds FAMILY/NAME.litmus: a sentence, the declarations, a column of instructions for each thread, the condition, the
    placements. `known` are verdicts for PTX that do not come from the oracle: (where the scope includes all threads, where it
    does not). For the names in FORMAL they come from an exhaustive checker of the formal model, for others from an argument by
    hand. `row` is the row of tests/emulator/check/litmus with the same program. known.py compares all with the .expected files.
    """
    height = max(len(column) for column in columns)
    cells = [[f"P{i}"] + column + [""] * (height - len(column)) for i, column in enumerate(columns)]
    widths = [max(len(cell) for cell in column) for column in cells]
    rows = [" | ".join(cell.ljust(width) for cell, width in zip(row_cells, widths)) + " ;" for row_cells in zip(*cells)]
    notes = []
    if known:
        source = "known" if name in FORMAL else "argued"
        notes.append(f"# {source}: {known[0]}" + (f"; under: {known[1]}" if known[1] else ""))
    if row:
        notes.append(f"# emulator: {row}")
    text = [f"litmus {name}", f'"{sentence}"', *notes, "{"] + [f"  {one};" for one in declarations] + ["}", *rows,
            f"placements {', '.join(placements)};", f"exists ({exists})", ""]
    path = f"{family}/{name}.litmus"
    if path in PROGRAMS:
        raise SystemExit(f"generate.py: two programs are called {path}; rename one")
    PROGRAMS[path] = "\n".join(text)


def fence(order):
    return [f"fence.{order}"] if order else []
