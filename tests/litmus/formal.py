# SPDX-License-Identifier: Apache-2.0
"""formal: a second decision of the same programs, by another formulation of the PTX model and without any shortcut.

    formal.py LITMUS_MODEL FOLDER...

The axioms are those of "A Formal Analysis of the NVIDIA PTX Memory Consistency Model" (ASPLOS 2019), section 3. The oracle
follows the text of PTX ISA. The two differ in form: here a read-modify-write is two events, an initial value is no event, a
coherence order is taken from a permutation of the writes, and causality leaves out program order between locations. Compares
with the .expected files. Programs with primitives, barriers, parts and vectors are left out, and counted.
"""

import itertools
import pathlib
import re
import subprocess
import sys

SCOPES = ["block", "cluster", "device", "system"]
COMPARE = {"==": int.__eq__, "!=": int.__ne__, "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__}
PRESETS = {"same_warp": "warp", "same_block": "block", "same_cluster": "cluster", "same_device": "device"}
LEVELS = ["system", "device", "cluster", "block", "warp"]


class Unsupported(Exception):
    pass


# --- programs ------------------------------------------------------------------------------------------------------------

class Program:
    def __init__(self, text):
        lines = text.splitlines()
        self.name = lines[0].split()[1]
        at = lines.index("}")
        self.initial, self.bits = {}, {}
        for line in lines[3:at]:
            match = re.fullmatch(r"  (?:global |shared |mapped |managed )?(\w+)(?: : (\d+))?(?: = (\w+))?;", line)
            if not match:
                raise Unsupported
            self.initial[match[1]] = int(match[3] or "0", 0)
            self.bits[match[1]] = 8 * int(match[2] or 4)
        rows = [line.rstrip(" ;").split("|") if "|" in line else [line.rstrip(" ;")] for line in lines[at + 1:-2]]
        self.threads = [[row[i].strip() for row in rows[1:] if i < len(row) and row[i].strip()] for i in range(len(rows[0]))]
        self.placements = lines[-2].removeprefix("placements ").rstrip(";").split(", ")
        self.exists = lines[-1].removeprefix("exists ")

    def constants(self):
        return {int(word, 0) for column in self.threads for line in column for word in re.findall(r"(?<![\w.])(?:0x)?\d\w*", line)}


def place(text, count):
    """(name, scope of S, coordinates of each thread), of one entry of the placements."""
    body, _, memory = text.partition(":")
    body, _, scope = body.partition("@")
    name, _, tree = body.partition(" = ")
    names = [f"P{i}" for i in range(count)]
    if not tree:
        if name in PRESETS:
            tree = f"{PRESETS[name]}({' '.join(names)})"
        else:
            first, last = {"two_devices": (1, "device({}) device({})"), "host_first": (1, "host({}) device({})"),
                           "host_last": (count - 1, "device({}) host({})")}[name]
            tree = last.format(" ".join(names[:first]), " ".join(names[first:]))
    where, fresh = {}, itertools.count()
    tokens = re.findall(r"\w+|[()]", tree)

    def node(position, path, host):
        word = tokens[position]
        if position + 1 < len(tokens) and tokens[position + 1] == "(":
            depth = 0 if word == "host" else LEVELS.index(word)
            path = path + [next(fresh) for _ in range(depth + 1 - len(path))]
            position += 2
            while tokens[position] != ")":
                position = node(position, path, word == "host")
            return position + 1
        where[word] = None if host else path + [next(fresh) for _ in range(5 - len(path))]
        return position + 1

    position = 0
    while position < len(tokens):
        position = node(position, [0], False)
    at = [where[one] for one in names]
    narrowest = next(one for one in SCOPES if all(inside(one, a, b) for a in at for b in at))
    full = name + (f"@{scope}" if scope else "") + (f":{memory}" if memory else "")
    return full, scope or narrowest, at


def inside(scope, a, b):
    if scope == "system":
        return True
    if a is None or b is None:
        return a is None and b is None and scope == "device"
    depth = {"block": 3, "cluster": 2, "device": 1}[scope]
    return a[depth] == b[depth]


# --- the traces of a thread ----------------------------------------------------------------------------------------------

class Event:
    def __init__(self, kind, thread, scope, where=None, value=0, release=False, acquire=False, sc=False, depends=()):
        self.kind, self.thread, self.scope, self.where, self.value = kind, thread, scope, where, value  # scope None: weak
        self.release, self.acquire, self.sc, self.depends = release, acquire, sc, frozenset(depends)
        self.rmw = None  # of the read: the index of the write


def traces(program, thread, scope, domain):
    """(events, registers) for each choice of the values that the reads return."""

    def evaluate(text, registers):
        result, op = 0, "+"
        for word in text.split():
            if word in "+-^":
                op = word
                continue
            one = registers[word][0] if word.startswith("r") else int(word, 0)
            result = result + one if op == "+" else result - one if op == "-" else result ^ one
        return result

    def sources(text, registers):
        return frozenset().union(*(registers[word][1] for word in text.split() if word.startswith("r")))

    def values(line):
        """Splits operands: an operator joins its neighbours."""
        words, result = line.split(), []
        for word in words:
            if word in "+-^" or (result and result[-1][-1] in "+-^"):
                result[-1] += " " + word
            else:
                result.append(word)
        return result

    def step(at, events, registers, control):
        column = program.threads[thread]
        if at == len(column):
            yield events, {name: value for name, (value, _) in registers.items()}
            return
        line, guard = column[at], frozenset()
        if match := re.fullmatch(r"unless (\w+) (\S+) (\w+) exit", line):
            read = registers.get(match[1], (0, frozenset()))
            if COMPARE[match[2]](read[0], evaluate(match[3], registers)):
                yield from step(at + 1, events, registers, control | read[1])
            else:
                yield events, {name: value for name, (value, _) in registers.items()}
            return
        if match := re.fullmatch(r"if (\w+) (\S+) (\w+) then (.*)", line):
            read = registers.get(match[1], (0, frozenset()))
            line, guard = match[4], read[1]
            if not COMPARE[match[2]](read[0], evaluate(match[3], registers)):
                assigned = re.match(r"(?:await )?(r\d+) = ", line)
                if assigned:
                    old = registers.get(assigned[1], (0, frozenset()))
                    registers = {**registers, assigned[1]: (old[0], old[1] | guard)}
                yield from step(at + 1, events, registers, control)
                return
        until = None
        if match := re.fullmatch(r"await (.*) until (\S+) (\w+)", line):
            line, until = match[1], (match[2], match[3])
        target = None
        if match := re.fullmatch(r"(r\d+) = (.*)", line):
            target, line = match[1], match[2]
        depends = control | guard

        def assign(value, read):
            return registers if target is None else {**registers, target: (value, read | depends)}

        if re.match(r"[r\d]", line) and not line.startswith("r0.") and re.fullmatch(r"(?:r\d+|\d+)(?: [-+^] (?:r\d+|\d+))*", line):
            yield from step(at + 1, events, assign(evaluate(line, registers), sources(line, registers)), control)
            return
        name, _, rest = line.partition(" ")
        operation, *qualifiers = name.split(".")
        if operation == "notify":
            yield from step(at + 1, events, registers, control)
            return
        if operation not in ("load", "store", "exchange", "fetch_add", "store_add", "compare_exchange", "fence", "wait"):
            raise Unsupported
        orders = [one for one in qualifiers if one not in SCOPES and one != "S"]
        if any(one in ("v2", "v4") for one in orders):
            raise Unsupported
        named = [one for one in qualifiers if one in SCOPES]
        mine = None if orders[0] == "weak" else named[0] if named else scope
        seq_cst, acquires, releases = "seq_cst" in orders, set(orders) & {"acquire", "acq_rel"}, orders[0] in ("release", "acq_rel")
        if operation == "fence":
            kind = Event("F", thread, mine, release=releases or seq_cst, acquire=bool(acquires) or seq_cst, sc=seq_cst)
            yield from step(at + 1, events + [kind], registers, control)
            return
        where, *operands = values(rest)
        before = [Event("F", thread, mine, release=True, acquire=True, sc=True)] if seq_cst else []
        cut = (1 << program.bits[where]) - 1
        if operation == "store":
            value = evaluate(operands[0], registers) & cut
            written = Event("W", thread, mine, where, value, release=releases, depends=sources(operands[0], registers) | depends)
            yield from step(at + 1, events + before + [written], registers, control)
            return
        for value in domain[where]:
            if until and not COMPARE[until[0]](value, evaluate(until[1], registers)):
                continue
            if operation == "wait" and value == evaluate(operands[0], registers):
                continue
            acquire = (bool(acquires) or seq_cst) and operation != "store_add"
            read = Event("R", thread, mine, where, value, acquire=acquire)
            read.silent = operation == "store_add"
            index = len(events) + len(before)
            new, after = [read], control | ({index} if until or operation == "wait" else set())
            made = {"exchange": lambda v: evaluate(operands[0], registers), "fetch_add": lambda v: v + evaluate(operands[0], registers),
                    "store_add": lambda v: v + evaluate(operands[0], registers),
                    "compare_exchange": lambda v: evaluate(operands[1], registers) if v == evaluate(operands[0], registers) else None,
                    }.get(operation, lambda v: None)(value)
            if made is not None:
                read.rmw = index + 1
                needed = frozenset().union(*(sources(one, registers) for one in operands)) | depends | {index}
                new.append(Event("W", thread, mine, where, made & cut, release=releases and not seq_cst, depends=needed))
            yield from step(at + 1, events + before + new, assign(value, frozenset({index})), after)

    return step(0, [], {}, frozenset())


# --- the model -----------------------------------------------------------------------------------------------------------

class Graph:
    """A relation: a list of integers, whose bits are events."""

    @staticmethod
    def closure(rows):
        rows = list(rows)
        for k in range(len(rows)):
            for i in range(len(rows)):
                if rows[i] >> k & 1:
                    rows[i] |= rows[k]
        return rows

    @staticmethod
    def compose(a, b):
        result = []
        for row in a:
            out, k = 0, 0
            while row:
                if row & 1:
                    out |= b[k]
                row, k = row >> 1, k + 1
            result.append(out)
        return result

    @staticmethod
    def join(*all_rows):
        result = [0] * len(all_rows[0])
        for rows in all_rows:
            result = [a | b for a, b in zip(result, rows)]
        return result

    @staticmethod
    def reflexive(rows):
        return [row | 1 << i for i, row in enumerate(rows)]

    @classmethod
    def acyclic(cls, rows):
        return not any(row >> i & 1 for i, row in enumerate(cls.closure(rows)))


def allowed(program, chosen, at, asked):
    """Whether some run of these traces is consistent and ends as asked."""
    events, offsets = [], []
    for trace in chosen:
        offsets.append(len(events))
        events += trace[0]
    n = len(events)
    everything = range(n)

    def rows(pairs):
        result = [0] * n
        for a, b in pairs:
            result[a] |= 1 << b
        return result

    def same_place(a, b):
        return events[a].where is not None and events[a].where == events[b].where

    def strong(a, b):
        x, y = events[a], events[b]
        if x.thread == y.thread:
            return True
        return (x.scope is not None and y.scope is not None and inside(x.scope, at[x.thread], at[y.thread])
                and inside(y.scope, at[y.thread], at[x.thread]))

    def only_strong(all_rows):
        return rows((a, b) for a in everything for b in everything if all_rows[a] >> b & 1 and strong(a, b))

    po = rows((a, b) for a in everything for b in everything if a < b and events[a].thread == events[b].thread)
    po_loc = rows((a, b) for a in everything for b in everything if po[a] >> b & 1 and same_place(a, b))
    rmw = [(i, offsets[events[i].thread] + events[i].rmw) for i in everything if events[i].rmw is not None]
    dep = rows((offsets[e.thread] + r, i) for i, e in enumerate(events) for r in e.depends)
    reads = [i for i in everything if events[i].kind == "R"]
    writes = [i for i in everything if events[i].kind == "W"]
    fences = [i for i in everything if events[i].kind == "F"]
    own = {w: r for r, w in rmw}
    choices = []
    for r in reads:
        options = [w for w in writes if same_place(w, r) and events[w].value == events[r].value and own.get(w) != r]
        if program.initial[events[r].where] == events[r].value:
            options.append(None)
        choices.append(options)
    prefix = rows([(a, w) for a in everything for w in writes if (events[a].kind == "W" and events[a].release
                   and (a == w or po_loc[a] >> w & 1)) or (events[a].kind == "F" and events[a].release and po[a] >> w & 1)])
    suffix = rows([(r, b) for r in reads if not getattr(events[r], "silent", False) for b in everything
                   if (events[b].kind == "R" and events[b].acquire and (r == b or po_loc[r] >> b & 1))
                   or (events[b].kind == "F" and events[b].acquire and po[r] >> b & 1)])
    by_place = {}
    for w in writes:
        by_place.setdefault(events[w].where, []).append(w)
    sc = [f for f in fences if events[f].sc]
    for sources in itertools.product(*choices):
        rf = rows((w, r) for w, r in zip(sources, reads) if w is not None)
        if not Graph.acyclic(Graph.join(rf, dep)):
            continue
        unread = [r for w, r in zip(sources, reads) if w is None]
        observed = only_strong(rf)
        via = rows(rmw)
        while True:
            longer = Graph.join(observed, Graph.compose(Graph.compose(observed, via), observed))
            if longer == observed:
                break
            observed = longer
        patterns = only_strong(Graph.compose(Graph.compose(prefix, observed), suffix))
        seen = set()
        for order in itertools.permutations(sc):
            edges = rows((a, b) for i, a in enumerate(order) for b in order[i + 1:] if strong(a, b))
            if tuple(edges) in seen:
                continue
            seen.add(tuple(edges))
            star = Graph.reflexive(po)
            base = Graph.closure(Graph.compose(Graph.compose(star, Graph.join(edges, patterns)), star))
            cause = Graph.join(base, Graph.compose(observed, Graph.join(po_loc, base)))
            if any(row >> i & 1 for i, row in enumerate(Graph.join(cause, Graph.compose(rf, cause)))):
                continue
            for orders in itertools.product(*(itertools.permutations(all_writes) for all_writes in by_place.values())):
                co = Graph.closure(rows((a, b) for one in orders for i, a in enumerate(one) for b in one[i + 1:]
                                        if strong(a, b) or cause[a] >> b & 1 or cause[b] >> a & 1))
                if any(cause[a] >> b & 1 and not co[a] >> b & 1 for a in writes for b in writes if same_place(a, b)):
                    continue
                inverse = rows((r, w) for w in everything for r in everything if rf[w] >> r & 1)
                fr = Graph.join(Graph.compose(inverse, co), rows((r, w) for r in unread for w in writes if same_place(r, w)))
                if any(row >> i & 1 for i, row in enumerate(Graph.compose(fr, cause))):
                    continue
                if not Graph.acyclic(Graph.join(only_strong(Graph.join(rf, co, fr)), po_loc)):
                    continue
                broken = Graph.compose(only_strong(fr), only_strong(co))
                if any(broken[r] >> w & 1 for r, w in rmw):
                    continue
                finals = {}
                for place_name, first in program.initial.items():
                    last = [w for w in by_place.get(place_name, []) if not any(co[w] >> v & 1 for v in by_place[place_name])]
                    finals[place_name] = {events[w].value for w in last} or {first}
                for combination in itertools.product(*finals.values()):
                    if asked([trace[1] for trace in chosen], dict(zip(finals, combination))):
                        return True
    return False


def condition(text):
    """The condition as a function of registers and final values; where these are None, whether it can hold."""
    python = re.sub(r"P(\d+):(r\d+)=(\w+)", r"(R[\1].get('\2', 0) == \3)", text)
    python = re.sub(r"(?<![\w'\[.])([A-Za-z_]\w*)=(?!=)(\w+)", r"(V['\1'] == \2)", python)
    python = python.replace("/\\", " and ").replace("\\/", " or ").replace("~", " not ").replace("true", " True ")
    code = compile(python.strip(), "exists", "eval")
    return lambda registers, finals: eval(code, {"R": registers, "V": finals})  # pylint: disable=eval-used


def decide(program, scope, at):
    asked = condition(program.exists)
    on_registers_alone = not re.search(r"V\[", re.sub(r"P\d+:", "", program.exists)) and "x=" not in program.exists and \
        not re.search(r"(?<![\w:])[a-z]\w*=", program.exists)
    top = max(program.constants() | set(program.initial.values()) | {1})
    adds = sum(line.count("fetch_add") + line.count("store_add") + line.count(" + ") for column in program.threads for line in column)
    domain = {}
    for name, value in program.initial.items():
        small = set(range(min(top, 8) + adds + 1)) if top < 1000 else set()
        domain[name] = sorted(small | program.constants() | {value})
    options = [list(traces(program, t, scope, domain)) for t in range(len(program.threads))]
    while True:  # a trace whose reads nothing can satisfy is none
        written = {(name, value) for name, value in program.initial.items()}
        written |= {(e.where, e.value) for all_traces in options for trace in all_traces for e in trace[0] if e.kind == "W"}
        fewer = [[trace for trace in all_traces if all(e.kind != "R" or (e.where, e.value) in written for e in trace[0])]
                 for all_traces in options]
        if [len(one) for one in fewer] == [len(one) for one in options]:
            break
        options = fewer
    for chosen in itertools.product(*options):
        if on_registers_alone and not asked([trace[1] for trace in chosen], {}):
            continue
        made = {(name, value) for name, value in program.initial.items()}
        made |= {(e.where, e.value) for trace in chosen for e in trace[0] if e.kind == "W"}
        if all(e.kind != "R" or (e.where, e.value) in made for trace in chosen for e in trace[0]) and allowed(program, chosen, at, asked):
            return "allowed"
    return "forbidden"


def main(binary, *names):
    compared, left_out, wrong = 0, 0, []
    files = [file for name in names for file in (sorted(pathlib.Path(name).rglob("*.litmus")) if pathlib.Path(name).is_dir()
                                                 else [pathlib.Path(name)])]
    for file in files:
        text = subprocess.run([binary, "print", file], capture_output=True, text=True, check=True).stdout
        expected = dict(line.split()[:2] for line in file.with_suffix(".expected").read_text(encoding="utf-8").splitlines())
        decided = {}
        try:
            program = Program(text)
            for one in program.placements:
                name, scope, at = place(one, len(program.threads))
                key = (scope, str(at))
                if key not in decided:
                    decided[key] = decide(program, scope, at)
                compared += 1
                if expected[name] != f"ptx={decided[key]}":
                    wrong.append(f"{file}: {name}: the oracle says {expected[name]}, the formal model {decided[key]}; find out which is right")
        except Unsupported:
            left_out += 1
    print("\n".join(wrong) if wrong else f"{compared} verdicts agree; {left_out} of {len(files)} programs are left out")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
