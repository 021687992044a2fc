# SPDX-License-Identifier: Apache-2.0
"""machine_code: what a notch costs: the machine code of sm_90 with and without it.

A family of tests/ptx holds each operation as a kernel. ptxas makes machine code of it, nvdisasm text. Where the text of
every kernel stays the same, the notch costs nothing; otherwise the instructions that come and go are counted.
"""
import re
import tempfile
from collections import Counter
from pathlib import Path

from units import SM, Failure, Unit, run

_OPCODE = re.compile(r"^\s*/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)")


def kernels(unit: Unit, text: str) -> dict[str, list[str]]:
    """The instructions of each kernel, without addresses."""
    tools = unit.test["environment"]
    if not Path(tools.get("NVDISASM", "")).exists():
        raise Failure(f"{unit.name}: nvdisasm was not found; install the toolkit's cuda-nvdisasm and configure again")
    with tempfile.TemporaryDirectory(dir=unit.tree.out) as folder:
        ptx, cubin = Path(folder) / "text.ptx", Path(folder) / "text.cubin"
        ptx.write_text(text)
        run(tools["PTXAS"], f"-arch=sm_{SM}", ptx, "-o", cubin)
        listing = run(tools["NVDISASM"], "-c", cubin)
    result: dict[str, list[str]] = {}
    current: list[str] = []
    for line in listing.splitlines():
        if found := re.match(r"^\s*\.section\s+\.text\.([\w$]+)", line):
            current = result.setdefault(found[1], [])
        elif found := _OPCODE.match(line):
            if found[1] != "NOP":  # which pads
                current.append(re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", line)).strip())
    if not any(result.values()):
        raise Failure(f"{unit.name}: nvdisasm printed no instructions")
    return result


def opcodes(instructions: list[str]) -> Counter:
    return Counter(re.sub(r"^@!?U?P\w+ ", "", one).split(" ")[0].rstrip(";") for one in instructions)


def difference(old: dict[str, list[str]], new: dict[str, list[str]], concerned: set[str]) -> dict:
    """In how many of the kernels that have the site the code differs, and what a kernel gains and loses at most."""
    changed = [name for name in sorted(concerned) if old[name] != new[name]]
    gains: Counter = Counter()
    for name in changed:
        before, after = opcodes(old[name]), opcodes(new[name])
        for opcode in before.keys() | after.keys():
            by = after[opcode] - before[opcode]
            if abs(by) > abs(gains[opcode]):
                gains[opcode] = by
    return {"kernels": len(concerned), "changed": len(changed),
            "gains": " ".join(f"{by:+d} {opcode}" for opcode, by in sorted(gains.items()) if by)}
