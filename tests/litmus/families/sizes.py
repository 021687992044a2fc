# SPDX-License-Identifier: Apache-2.0
"""sizes: accesses of two sizes, of 16 bytes, and of vectors."""
from families.program import program


def make():
    halves = ["x : 8", "part low of x at 0 : 4", "part high of x at 4 : 4", "y"]
    places = ["same_warp", "same_block", "same_block:shared", "same_device", "same_device@block"]
    ordered = ("forbidden", "undefined")
    program("sizes", "MP+halves", "Two halves are written plainly, and read as a whole after the flag.", halves,
            [["store.weak low 1", "store.weak high 1", "store.release y 1"],
             ["r0 = load.acquire y", "if r0 == 1 then r1 = load.weak x"]], r"P1:r0=1 /\ ~(P1:r1=0x100000001)", places, ordered)
    program("sizes", "MP+whole", "A whole is written plainly, and a half is read after the flag.", halves,
            [["store.weak x 0x200000001", "store.release y 1"], ["r0 = load.acquire y", "if r0 == 1 then r1 = load.weak high"]],
            r"P1:r0=1 /\ ~P1:r1=2", places, ordered)
    program("sizes", "race", "Accesses of two sizes that race have no meaning.", halves,
            [["store.relaxed low 1"], ["r0 = load.relaxed x"]], "P1:r0=1", places)
    program("sizes", "neighbours", "Two bytes of one word are two locations.",
            ["x", "part a of x at 0 : 1", "part b of x at 1 : 1"],
            [["store.relaxed a 1"], ["store.relaxed b 1"]], r"~x=0x101", places)
    program("sizes", "rmw-neighbours", "Read-modify-writes of a word and of its byte are performed one after the other.",
            ["x", "part b of x at 3 : 1"], [["fetch_add.relaxed x 1"], ["exchange.relaxed b 1"]], r"~x=0x1000001",
            ["same_block", "same_device"])
    program("sizes", "tear16", "A strong load of 16 bytes returns a whole value.", ["x : 16"],
            [["store.relaxed x 0x10000000000000001"], ["r0 = load.relaxed x"]],
            r"~(P1:r0=0 \/ P1:r0=0x10000000000000001)",
            ["same_warp", "same_block", "same_device", "host_first", "host_last", "host_first:managed", "host_last:managed"])
    torn = r"P1:r0=1 \/ P1:r0=0x10000000000000000"
    for name, sentence, store, load, places, known in [
            ("poll", "The first change that a reader sees is whole.", "store.relaxed", "load.relaxed x",
             ["same_device", "host_first", "host_last", "host_first:managed", "host_last:managed"], ("forbidden", None)),
            ("cas", "The same, read by a compare-and-exchange that fails.", "store.relaxed", "compare_exchange.relaxed.relaxed x 2 3",
             ["same_device", "host_last", "host_last:managed"], ("forbidden", None)),
            ("vector-load", "The same, loaded by a vector load, which is two accesses.", "store.relaxed", "load.weak.v2 x",
             ["host_last", "host_last:managed"], None),
            ("vector-store", "The same, stored by a vector store.", "store.weak.v2", "load.relaxed x",
             ["same_device", "host_first", "host_first:managed"], None)]:
        program("sizes", f"tear16-{name}", sentence, ["x : 16"],
                [[f"{store} x 0x10000000000000001"], [f"await r0 = {load} until != 0"]], torn, places, known)
    program("sizes", "tear16-halves", "The same, where the halves are also written alone, before the threads meet.",
            ["x : 16", "part low of x at 0 : 8", "part high of x at 8 : 8"],
            [["store.weak low 2", "store.weak high 2", "sync.block", "store.relaxed x 0x10000000000000001"],
             ["sync.block", "r0 = load.relaxed x"]],
            r"~(P1:r0=0x20000000000000002 \/ P1:r0=0x10000000000000001)", ["same_warp", "same_block", "same_block:shared"])
    program("sizes", "tear-vector", "The elements of a vector are accesses of their own.", ["x : 16"],
            [["store.weak.v2 x 0x10000000000000001"], ["r0 = load.weak.v2 x"]],
            r"P1:r0=1 \/ P1:r0=0x10000000000000000", ["same_warp", "same_block", "same_device"])
