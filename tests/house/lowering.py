# SPDX-License-Identifier: Apache-2.0
"""lowering: the tables of arch/lowering.md are what the compiler emits.

Inputs: listings=FOLDER of the families' PTX (tests/ptx), FAMILY.sm_SM.ptx; sms=SM;SM... The tables stand between the two
comments "lowering tables". The SMs of a column must agree, and so must the scopes of a row.
"""

import difflib
import re

from arch import entries, generations, number_of
from reader import Finding, Problem

DOCUMENT = "arch/lowering.md"
FAMILIES = "load store exchange compare_exchange fetch floating reduce subword half wide wide_compare fence wait"
PLAIN = "mbarrier group copy tensor im2col tensor_publish launch_control"
LETTERS = {"90a": "registers tensor_updates", "100a": "registers tensor_updates launch_control tensor_core"}
LOADS = "relaxed consume acquire seq_cst"
STORES = "relaxed release seq_cst"
MODIFIES = "relaxed consume acquire release acq_rel seq_cst"
COMPARES = MODIFIES + " relaxed/acquire relaxed/seq_cst release/acquire acq_rel/seq_cst"
ORDERS = (  # the rows of the first table: label, kernel, orders
    ("load", "load_u32", LOADS),
    ("store", "store_u32", STORES),
    ("fetch_add", "fetch_add_u32", MODIFIES),
    ("exchange", "exchange_u32", MODIFIES),
    ("compare_exchange", "compare_exchange_u32", COMPARES),
    ("store_add", "store_add_u32", STORES),
    ("atomic_thread_fence", "fence_between", MODIFIES),
    ("wait", "wait_u32", LOADS),
    ("fetch_or, 8 bits", "fetch_or_u8", MODIFIES),
    ("fetch_add, 8 bits", "fetch_add_u8", MODIFIES),
    ("exchange, 8 bits", "exchange_u8", MODIFIES),
    ("compare_exchange, 8 bits", "compare_exchange_u8", MODIFIES),
    ("fetch_max, float", "fetch_max_f32", MODIFIES),
    ("store_max, float", "store_max_f32", STORES),
    ("fetch_fmaximum, float", "fetch_fmaximum_f32", MODIFIES),
    ("fetch_add, bfloat16", "fetch_add_bf16", MODIFIES),
    ("store_add, bfloat16", "store_add_bf16", STORES),
    ("exchange, 16 bytes", "exchange_b128", MODIFIES),
    ("compare_exchange, 16 bytes", "compare_exchange_b128", MODIFIES),
)
MEMBER = re.compile(r"((?:load|store|exchange|compare_exchange|fetch)|(?:store|fetch)_.*)_"
                    r"(bool|[us](?:8|16|32|64)|b?f16|f32|f64|b128|pointer)")


def code(text, without="none"):
    return f"`{text}`" if text else without


def row(label, cells):
    """A row whose cells are "the same" where the cell before is equal."""
    shown = ["the same" if place and cell == cells[place - 1] else cell for place, cell in enumerate(cells)]
    return f"| {label} | {' | '.join(shown)} |"


class Tables:
    """The tables that the listings give, and what does not fit into them."""

    def __init__(self, tree):
        import listing

        self.tree, self.listing = tree, listing
        self.folder, sms = tree.inputs["listings"], tree.inputs["sms"].split(";")
        self.letters = [sm for sm in sms if sm.endswith("a")]
        self.sms = [sm for sm in sms if not sm.endswith("a")]
        self.generation = generations(tree)
        self.entries = set(entries(tree))
        self.findings = []

    def complain(self, path, what, advice="see tests/house/README.md"):
        self.findings.append(Finding(path, 0, what, advice))

    def number(self, sm):
        return number_of(self.generation[sm])

    def read(self, family, sm):
        path = f"{self.folder}/{family}.sm_{sm}.ptx"
        try:
            return path, self.tree.read(path)
        except FileNotFoundError:
            return path, None

    # --- operations with an order: the columns are those before sm_90 and from sm_90 on -----------------------------------

    def with_orders(self):
        emitted = {}  # (kernel, order) -> {column: instructions}
        for sm in self.sms:
            column = "new" if self.number(sm) >= 90 else "old"
            for family in FAMILIES.split():
                path, text = self.read(family, sm)
                if text is None:
                    if not family.startswith("wide") and self.number(sm) != 80:  # AS_BEFORE in tests/ptx/CMakeLists.txt
                        self.complain(path, "is missing", "build the target ptx")
                    continue
                for kernel, order, scope, instructions in self.listing.ordered(text, column == "new"):
                    if scope == "thread":
                        if instructions:
                            self.complain(path, f"{kernel} {order} at thread scope is not plain: {instructions}", "see arch/select.hpp")
                        continue
                    before = emitted.setdefault((kernel, order), {}).setdefault(column, instructions)
                    if before != instructions:
                        self.complain(path, f"{kernel} {order} at {scope} scope is '{instructions}', but elsewhere '{before}'",
                                      "kernels of two families may not have one name, and the SMs of a column must agree")

        def cells(kernel, order):
            columns = emitted.get((kernel, order), {})
            return [code(columns[column]) if column in columns else "not there" for column in ("old", "new")]

        columns = " sm_70, sm_80 | sm_90, sm_100 |"
        lines = [f"| operation | order |{columns}", "|---|---|---|---|"]
        for label, kernel, orders in ORDERS:
            for order in orders.split():
                lines.append(row(f"{label} | {order.replace('/', ', failure ')}", cells(kernel, order.replace("/", "_"))))

        types = {}  # member -> {cells: types}
        for kernel, order in emitted:
            found = MEMBER.fullmatch(kernel)
            if order == "relaxed" and found:
                types.setdefault(found[1], {}).setdefault(tuple(cells(kernel, order)), []).append(found[2])
        lines += ["", f"| operation | types |{columns}", "|---|---|---|---|"]
        for member, kinds in types.items():
            lines += [row(f"{member} | {' '.join(names)}", list(both)) for both, names in kinds.items()]
        return lines

    # --- barriers, copies, groups and launch control: no orders, a column for each generation ------------------------------

    def label(self, kernel):
        """What a row says of a kernel whose name is that of an entry, or that and a variant; None of others. cp_async_16 is
        cudax_cp_async with 16. Of two entries with which the name begins, the longer one is meant."""
        words = kernel.split("_")
        for count in range(len(words), 0, -1):
            entry = f"cudax_{'_'.join(words[:count])}"
            if entry in self.entries:
                return ", ".join([f"`{entry}`", *filter(None, [" ".join(words[count:])])])
        return None

    def cases(self, sms, families):
        """(column, kernel, instructions) of the kernels of these families."""
        for sm in sms:
            for family in families(sm).split():
                path, text = self.read(family, sm)
                if text is None:
                    self.complain(path, "is missing", "build the target ptx")
                    continue
                for kernel, instructions in self.listing.plain(text):
                    yield path, self.generation[sm].removeprefix("sm_"), kernel, instructions

    def of_entries(self):
        plain, emitted, rows = {}, {}, {}
        for path, column, kernel, instructions in self.cases(self.sms, lambda sm: PLAIN):
            plain[column, kernel] = instructions
            if label := self.label(kernel):
                if emitted.setdefault((column, kernel), instructions) != instructions:
                    self.complain(path, f"{kernel} is '{instructions}', but '{emitted[column, kernel]}' elsewhere in its generation",
                                  "the SMs of a generation must agree")
                rows[kernel] = label
        lines = ["", "| entry | sm_70 | sm_80 | sm_90 | sm_100 |", "|---|---|---|---|---|"]
        show = lambda text: "stops" if text == "stops" else code(text)
        for kernel, label in rows.items():
            lines.append(row(label, [show(emitted.get((column, kernel), "")) for column in ("70", "80", "90", "100")]))
        return plain, lines

    def of_letters(self, plain):
        """The entries of these families that become something else than without the letter, or do not link there."""
        emitted, rows = {}, {}
        for _, column, kernel, instructions in self.cases(self.letters, lambda sm: LETTERS[sm if sm == "90a" else "100a"]):
            label = self.label(kernel)
            if label and plain.get((column.removesuffix("a"), kernel)) != instructions:
                emitted[column, kernel] = instructions
                rows[kernel] = label
        lines = ["", f"| entry, with a letter |{''.join(f' sm_{sm} |' for sm in self.letters)}", "|---|" + "---|" * len(self.letters)]
        for kernel, label in rows.items():
            lines.append(row(label, [code(emitted.get((column, kernel), ""), "no") for column in self.letters]))
        return lines


def tables_of(tree):
    """The tables, what does not fit into them, and which ones the SMs here do not give."""
    tables = Tables(tree)
    lines = tables.with_orders()
    plain, of_entries = tables.of_entries()
    left_out = ""
    if len({column for column, _ in plain}) == 4:
        lines += of_entries
        if tables.letters == ["90a", "100a"]:
            lines += tables.of_letters(plain)
        else:
            left_out = "| entry, with a letter |"
    else:
        left_out = "| entry |"
    return tables, lines, left_out


def document_of(tree, left_out):
    """(line number of the first, lines) of the tables of the document, without those from `left_out` on."""
    lines = tree.read(DOCUMENT).split("\n")
    marks = [number for number, line in enumerate(lines) if line.startswith(("<!-- lowering tables: begin", "<!-- lowering tables: end"))]
    if len(marks) != 2 or marks[1] < marks[0] + 10:
        raise Problem(f"{DOCUMENT}: there are no tables between two comments 'lowering tables: begin' and 'lowering tables: end'")
    lines = lines[marks[0] + 1 : marks[1]]
    if left_out:
        lines = lines[: next((number for number, line in enumerate(lines) if line.startswith(left_out)), len(lines))]
    return marks[0] + 2, lines


def check(tree):
    tables, made, left_out = tables_of(tree)
    findings = tables.findings
    begin, lines = document_of(tree, left_out)
    while lines and not lines[-1]:
        lines.pop()
    for what, first, last, other, end in difflib.SequenceMatcher(None, lines, made, autojunk=False).get_opcodes():
        if what != "equal":
            findings.append(Finding(DOCUMENT, begin + first, f"has {lines[first:last] or 'nothing'}, but the compiler emits {made[other:end] or 'nothing'}",
                                    f"if the change is meant: tests/house/house.py --write . lowering listings={tree.inputs['listings']} 'sms={tree.inputs['sms']}'"))
    rows = sum(1 for line in made if re.match(r"\| [a-z`]", line))
    return findings, f"{rows} rows on {' '.join(tables.sms + tables.letters)}" + (f", without the tables from '{left_out}' on" if left_out else "")


def write(tree):
    """The document with the tables that the compiler gives."""
    tables, made, left_out = tables_of(tree)
    begin, lines = document_of(tree, left_out)
    text = tree.read(DOCUMENT).split("\n")
    text[begin - 1 : begin - 1 + len(lines)] = made + ([""] if left_out else [])
    return DOCUMENT, "\n".join(text)


def plants(tree):
    yield "another instruction", tree.replaced(DOCUMENT, r"^\| load \| acquire \| `[^`]*`", "| load | acquire | `ld.relaxed.S.b32`"), "lowering.md:[0-9]+: has .*ld.relaxed.S.b32"
    yield "a row too few", tree.replaced(DOCUMENT, r"^\| fetch_add \| seq_cst .*\n", ""), "has nothing, but the compiler emits"
    yield "a row too many", tree.replaced(DOCUMENT, r"^\| fetch_add \| seq_cst .*\n", r"\g<0>\g<0>"), "but the compiler emits nothing"
    yield "another type", tree.replaced(DOCUMENT, r"^\| load \| (?=u8 |u16 |bool )", "| load | planted "), "lowering.md:[0-9]+: has .*planted"
    folder, sms = tree.inputs["listings"], tree.inputs["sms"].split(";")
    listing = f"{folder}/load.sm_{sms[0]}.ptx"
    device = r"(load_u32__acquire_device\((?:.|\n)*?)ld\.acquire\.gpu"
    yield "another scope in the PTX", tree.replaced(listing, device, r"\1ld.acquire.cta"), "load_u32 acquire at device scope is "
    thread = r"(load_u32__relaxed_thread\((?:.|\n)*?)ld\.(?=[a-z])"
    yield "an order at thread scope", tree.replaced(listing, thread, r"\1ld.relaxed.cta."), "at thread scope is not plain"
    yield "no listing", tree.with_file(listing, None), "is missing; build"
    if len({generations(tree)[sm] for sm in sms if not sm.endswith("a")}) == 4:
        mbarrier = rf"{folder}/mbarrier.sm_{next(sm for sm in sms if generations(tree)[sm] == 'sm_90')}.ptx"
        yield "another entry", tree.replaced(mbarrier, r"mbarrier\.init\.shared", "mbarrier.planted.shared"), "compiler emits .*mbarrier.planted"
