# SPDX-License-Identifier: Apache-2.0
"""asm: what the PTX of a kernel does not show of the instructions of arch/.

Each asm statement is volatile, has a "memory" clobber, and has above it its PTX syntax, minimum PTX ISA and minimum SM, which
is not newer than the SM of its folder. Builtins and the declarations of functions in LLVM IR (__asm__ gives their names) have
these lines, too. No instruction stands outside of the folders of SMs. A statement is one line.
"""

import re

from reader import Finding, Problem

INSTRUCTION = re.compile(r"(?<![a-z_])asm(?![a-z_])|__nvvm_|__asm__")
NEEDS = re.compile(r" *//.*PTX ISA \d+\.\d+, sm_(\d+a?)")
ADVICE = 'arch/README.md, "How to add an instruction", says what it needs'


def newer(sm, folder):
    number = lambda name: int(name.rstrip("a"))
    return number(sm) > number(folder) or (sm.endswith("a") and not folder.endswith("a"))


def check(tree):
    count, findings = 0, []
    for path in tree.files("arch", (".hpp", ".cu")):
        folder = re.match(r"arch/sm_(\w+)/", path)
        needs = None
        for line, text in enumerate(tree.read(path).split("\n"), 1):
            if text == "" or text.startswith("}"):
                needs = None
            if found := NEEDS.match(text):
                needs = found[1]
            elif re.match(r" *//", text) or not INSTRUCTION.search(text) or (not folder and "//" in text):
                continue
            elif not folder:
                findings.append(Finding(path, line, "an instruction outside of arch/sm_*/", ADVICE))
            else:
                count += 1
                if not re.search(r"__nvvm_|__asm__", text):
                    if "asm volatile(" not in text:
                        findings.append(Finding(path, line, "an asm that is not volatile", ADVICE))
                    if ': "memory");' not in text:
                        findings.append(Finding(path, line, 'an asm without a "memory" clobber', ADVICE))
                if needs is None:
                    findings.append(Finding(path, line, "no line with the PTX syntax, PTX ISA and SM above this instruction", ADVICE))
                elif newer(needs, folder[1]):
                    findings.append(Finding(path, line, f"needs sm_{needs}, but the folder is for sm_{folder[1]}", ADVICE))
    if count < 100:
        raise Problem(f"asm: found only {count} instructions in arch/sm_*/; correct tests/house/asm.py, which reads them")
    return findings, f"{count} instructions say what they need and order memory"


def plants(tree):
    def planted(path, text):
        return tree.with_file(path, tree.read(path) + f"\n{text}\n")

    header = "arch/sm_70/fence.hpp"
    right = 'asm volatile("membar.sys;" ::: "memory");'
    above = "// membar.sys;  PTX ISA 1.4, sm_70\n"
    yield "not volatile", planted(header, above + right.replace(" volatile", "")), f"{header}:.*not volatile"
    yield "no clobber", planted(header, above + right.replace('::: "memory"', "::")), f'{header}:.*without a "memory" clobber'
    yield "no lines above", planted(header, right), f"{header}:.*no line with the PTX syntax"
    yield "lines of another statement", planted(header, above + "\n" + right), f"{header}:.*no line with the PTX syntax"
    yield "no lines above a builtin", planted(header, "__nvvm_planted();"), f"{header}:.*no line with the PTX syntax"
    yield "a newer SM", planted(header, above.replace("sm_70", "sm_80") + right), f"{header}:.*needs sm_80, but"
    letter = planted("arch/sm_90/mbarrier.hpp", above.replace("sm_70", "sm_90a") + right)
    yield "an SM with a letter", letter, "arch/sm_90/mbarrier.hpp:.*needs sm_90a, but"
    for path in ("arch/entry.cu", "arch/ptx.hpp"):
        yield "outside", planted(path, above + right), f"{path}:.*outside of arch/sm_"
