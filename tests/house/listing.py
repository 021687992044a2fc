# SPDX-License-Identifier: Apache-2.0
"""listing: reads the kernels of a file of PTX, as the tables of arch/lowering.md show them."""

import functools
import re

BREAKS_POLLS = re.compile(r"(^|[ \t])([a-z]*(atom|red|ld|st|fence|membar|bar|barrier|mbarrier|nanosleep|call|shfl|match|vote|activemask)[. ]"
                          r"|bra[.]uni|ret;)|^[.}]")
ORDERED = re.compile(r"(atom|red|fence|ld\.relaxed|ld\.acquire|st\.relaxed|st\.release)\.")


class Polls:
    """Waits begin with polls in a row (modules/wait/wait.cppm), which are listed as one.

    `repeats` returns whether a line is a poll after another: the same relaxed load of the same object, or the same test of the
    same mbarrier, with no memory operation, synchronization or jump in between. If a pause follows each poll, the pauses count
    as one, too. How many polls there are, tests/ptx/sass.sh checks.
    """

    def __init__(self):
        self.polled, self.asleep, self.paused = "", False, 0

    def repeats(self, line):
        if "nanosleep" in line and self.polled and not self.asleep:
            self.asleep = True
            self.paused += 1
            return self.paused > 1
        if "mbarrier.test_wait" in line:
            poll = re.sub(r"(%r[0-9]+; )?selp\.b32 %r[0-9]+", "", line, count=1)  # the parity, the result
        else:
            loads = re.sub(r"^.*ld\.relaxed", "", line, count=1)
            poll = re.sub(r"[ \t].*\[", " ", loads, count=1)
            if loads == line or poll == loads:
                poll = ""
        if poll != self.polled or not self.asleep:
            self.paused = 0
        self.asleep = False
        if poll and poll == self.polled:
            return True
        self.polled = poll
        return False


@functools.cache
def breaks_polls(instruction):
    return bool(BREAKS_POLLS.search(instruction))


def relevant(text):
    """The lines of the text that end a row of polls; by far the most lines do not, and their first word tells."""
    for line in text.split("\n"):
        word = line.lstrip()
        if word.startswith("@"):
            word = word.partition(" ")[2]
        if line[:1] in (".", "}") or breaks_polls(word if word.startswith("{") else word[: word.find(" ") + 1] or word):
            yield line


def name_of(line):
    """The name of the kernel that a line begins, or None."""
    return line.split()[2].split("(")[0] if line.startswith(".visible .entry ") else None


def stripped(line):
    """A line without its predicate."""
    return re.sub(r"^[ \t]*(@!?%p[0-9]+ )?", "", line, count=1)


@functools.cache
def ordered(text, has_clusters):
    """(kernel, order, scope, instructions) of each kernel KERNEL__ORDER_SCOPE; the instructions that have an order, `.S` for the
    scope, and state spaces left out."""
    suffix = {"system": "sys", "device": "gpu", "block": "cta", "cluster": "cluster" if has_clusters else "cta"}
    found, name, polls = [], None, Polls()
    for line in relevant(text):
        if begun := name_of(line):
            name, instructions = begun, []
            order, scope = name[name.rindex("__") + 2 :].rsplit("_", 1)
            continue
        if polls.repeats(line):
            continue
        line = stripped(line)
        if ORDERED.match(line):
            word = line.split()[0].removesuffix(";").replace(".global", "", 1)
            if scope in suffix:
                word = re.sub(rf"\.{suffix[scope]}($|\.)", r".S\g<0>", word, count=1)
            instructions.append(re.sub(r"\.S\.(sys|gpu|cta|cluster)", ".S", word, count=1))
        if line.startswith("}") and name:
            found.append((name.split("__")[0], order, scope, "; ".join(instructions)))
            name = None
    return found


@functools.cache
def plain(text):
    """(kernel, instructions) of each kernel. An instruction is an asm statement, or a builtin or a strong load that is named
    here. Where a kernel has none, special registers are shown; where it has none of these either, plain accesses to shared
    memory and of vectors."""
    found, name, inside = [], None, False
    for line in text.split("\n"):
        if begun := name_of(line):
            name, shown, registers, accesses = begun.split("__")[0], [], [], []
            continue
        if "begin inline asm" in line or "end inline asm" in line:
            inside = "begin inline asm" in line
            continue
        line = stripped(line)
        if line.startswith("}") and name:
            found.append((name, "; ".join(shown or registers or accesses)))
            name = None
        if not name:
            continue
        if inside or re.match(r"(isspacep|mapa|vote|ld\.relaxed|ld\.acquire)\.", line):
            words = re.sub(r"^[{] ((\.reg|or\.b64|setp\.ne\.u32) [^;]*; )*", "", line, count=1).split() + ["", "", ""]
            word = words[0].removesuffix(";")
            shown.append(f"mov {words[2].removesuffix(';')}" if word.startswith("mov.") else word)
        if not inside and re.match(r"(ld|st)\.(shared|global\.v)", line):
            if not any(line.split()[0] in access for access in accesses):
                accesses.append(line.split()[0])
        if not inside and re.match(r"mov\..*, %[a-z][a-z]+[^0-9]*;", line):
            registers.append(f"mov {line.split()[2].removesuffix(';')}")
        if re.match(r"trap;|call.* cudax_", line):
            shown.append("stops")
    return found
