# SPDX-License-Identifier: Apache-2.0
"""promises: what the library's primitives promise."""
from families.program import MANY, XY, program

PLACES = ["same_warp", "same_block", "same_block:shared", "same_cluster", "same_device", "two_devices", "host_first:managed",
          "same_device@block"]
BLOCK = ["same_warp", "same_block", "same_block:shared", "same_cluster:shared"]  # of a pipeline
DEVICE = ["same_warp", "same_block", "same_cluster", "same_device"]  # of a work queue


def latches():
    program("promises", "latch+count_down", "What precedes count_down is visible after wait.", ["x", "latch l(1)"],
            [["store.weak x 1", "l.count_down"], ["l.wait", "r0 = load.weak x"]], "P1:r0=0", PLACES)
    program("promises", "latch+arrive_and_wait", "What precedes an arrival is visible to all that waited.", [*XY, "latch l(2)"],
            [["store.weak x 1", "l.arrive_and_wait", "r0 = load.weak y"], ["store.weak y 1", "l.arrive_and_wait", "r0 = load.weak x"]],
            r"P0:r0=0 \/ P1:r0=0", PLACES)
    program("promises", "latch+two", "A waiter sees what every count_down published.", [*XY, "latch l(2)"],
            [["store.weak x 1", "l.count_down"], ["store.weak y 1", "l.count_down"], ["l.wait", "r0 = load.weak x", "r1 = load.weak y"]],
            r"P2:r0=0 \/ P2:r1=0", MANY)
    program("promises", "latch+try_wait", "A try_wait that returns true acquires.", ["x", "latch l(1)"],
            [["store.weak x 1", "l.count_down"], ["r0 = l.try_wait", "if r0 == 1 then r1 = load.weak x"]], r"P1:r0=1 /\ P1:r1=0", PLACES)


def barriers():
    program("promises", "barrier+phase", "What precedes the arrival of a phase is visible after it.", [*XY, "barrier b(2)"],
            [["store.weak x 1", "b.arrive_and_wait", "r0 = load.weak y"], ["store.weak y 1", "b.arrive_and_wait", "r0 = load.weak x"]],
            r"P0:r0=0 \/ P1:r0=0", PLACES)
    program("promises", "barrier+two-phases", "A write of the second phase is not read in the first one.", ["x", "barrier b(2)"],
            [["store.weak x 1", "b.arrive_and_wait", "b.arrive_and_wait", "store.weak x 2"],
             ["b.arrive_and_wait", "r0 = load.weak x", "b.arrive_and_wait"]], "~P1:r0=1", PLACES)
    program("promises", "barrier+split", "Between arrive and wait a thread is ordered with nothing.", [*XY, "barrier b(2)"],
            [["b.arrive", "store.relaxed x 1", "b.wait"], ["b.arrive", "r0 = load.relaxed x", "b.wait", "r1 = load.relaxed x"]],
            r"P1:r0=0 /\ P1:r1=0", PLACES)


def semaphores():
    for kind in ("semaphore", "fair_semaphore"):
        program("promises", f"{kind}+signal", "What precedes a release is visible after the acquire that takes the permit.",
                ["x", f"{kind} s(0)"], [["store.weak x 1", "s.release"], ["s.acquire", "r0 = load.weak x"]], "P1:r0=0", PLACES)
        program("promises", f"{kind}+lock", "A semaphore with one permit is a lock.", ["x", f"{kind} s(1)"],
                [["s.acquire", "r0 = load.weak x", "store.weak x r0 + 1", "s.release"]] * 2, "x=1", PLACES)
        program("promises", f"{kind}+two-permits", "With two permits it is none.", ["x", f"{kind} s(2)"],
                [["s.acquire", "r0 = load.relaxed x", "store.relaxed x r0 + 1", "s.release"]] * 2, "x=1", PLACES)


def locks():
    for kind in ("mutex", "ticket_mutex", "cohort_mutex", "shared_mutex"):
        program("promises", f"{kind}+increment", "What precedes unlock is visible to the thread that locks next.", ["x", f"{kind} m"],
                [["m.lock", "r0 = load.weak x", "store.weak x r0 + 1", "m.unlock"]] * 2, "x=1", PLACES)
        program("promises", f"{kind}+try_lock", "A try_lock that returns true acquires.", [*XY, f"{kind} m"],
                [["m.lock", "store.weak x 1", "store.weak y 1", "m.unlock"],
                 ["r0 = m.try_lock", "if r0 == 1 then r1 = load.weak x", "if r0 == 1 then r2 = load.weak y", "if r0 == 1 then m.unlock"]],
                r"P1:r0=1 /\ ((P1:r1=1 /\ P1:r2=0) \/ (P1:r1=0 /\ P1:r2=1))", PLACES)
    program("promises", "mutex+pair", "Under the lock no thread sees half of an update.", [*XY, "mutex m"],
            [["m.lock", "store.weak x 1", "store.weak y 1", "m.unlock"],
             ["m.lock", "r0 = load.weak x", "r1 = load.weak y", "m.unlock"]],
            r"(P1:r0=1 /\ P1:r1=0) \/ (P1:r0=0 /\ P1:r1=1)", PLACES)
    program("promises", "mutex+outside", "A thread that has seen what the holder wrote after unlock, even relaxed, locks after it.", [*XY, "mutex m"],
            [["m.lock", "store.weak x 1", "m.unlock", "store.relaxed y 1"],
             ["r0 = load.relaxed y", "m.lock", "r1 = load.weak x", "m.unlock"]], r"P1:r0=1 /\ P1:r1=0", PLACES)
    program("promises", "shared_mutex+readers", "A reader sees the whole update of a writer.", [*XY, "shared_mutex m"],
            [["m.lock", "store.weak x 1", "store.weak y 1", "m.unlock"],
             ["m.lock_shared", "r0 = load.weak x", "r1 = load.weak y", "m.unlock_shared"]],
            r"(P1:r0=1 /\ P1:r1=0) \/ (P1:r0=0 /\ P1:r1=1)", PLACES)
    program("promises", "shared_mutex+writer-after", "A writer that has seen what a reader wrote after its unlock locks after it.",
            [*XY, "shared_mutex m"],
            [["m.lock_shared", "r0 = load.weak x", "m.unlock_shared", "store.relaxed y 1"],
             ["r0 = load.relaxed y", "m.lock", "store.weak x 1", "m.unlock"]], r"P0:r0=1 /\ P1:r0=1", PLACES)


def once_flags():
    program("promises", "once+initialized", "After the call, each thread sees what the function wrote.", ["x", "once_flag o"],
            [["o.enter", "store.weak x 1", "o.leave", "r0 = load.weak x"]] * 2, r"P0:r0=0 \/ P1:r0=0", PLACES)
    program("promises", "once+one", "One thread calls the function.", ["x", "once_flag o"],
            [["o.enter", "r0 = load.weak x", "store.weak x r0 + 1", "o.leave"]] * 2, "~x=1", PLACES)


def stop_states():
    program("promises", "stop+requested", "A thread that sees the request sees what preceded it.", ["x", "stop_state s"],
            [["store.weak x 1", "s.request_stop"], ["r0 = s.stop_requested", "if r0 == 1 then r1 = load.weak x"]],
            r"P1:r0=1 /\ P1:r1=0", PLACES)
    program("promises", "stop+second", "A request that is not the first sees what preceded the first one.", ["x", "stop_state s"],
            [["store.weak x 1", "s.request_stop"], ["r0 = s.request_stop", "if r0 == 0 then r1 = load.weak x"]],
            r"P1:r0=0 /\ P1:r1=0", PLACES)
    program("promises", "stop+one-first", "One of two requests is the first.", ["stop_state s"],
            [["r0 = s.request_stop"]] * 2, r"(P0:r0=1 /\ P1:r0=1) \/ (P0:r0=0 /\ P1:r0=0)", PLACES)


def pipelines():
    program("promises", "pipeline+filled", "A consumer sees what the producer has written to the stage.", ["x", "pipeline p(1)"],
            [["p.producer_acquire", "store.weak x 1", "p.producer_commit"], ["p.consumer_wait", "r0 = load.weak x", "p.consumer_release"]],
            "P1:r0=0", BLOCK)
    program("promises", "pipeline+reused", "A stage is filled again only after its consumer has released it.", ["x", "pipeline p(1)"],
            [["p.producer_acquire", "store.weak x 1", "p.producer_commit", "p.producer_acquire", "store.weak x 2", "p.producer_commit"],
             ["p.consumer_wait", "r0 = load.weak x", "p.consumer_release", "p.consumer_wait", "r1 = load.weak x", "p.consumer_release"]],
            r"~P1:r0=1 \/ ~P1:r1=2", BLOCK)
    program("promises", "pipeline+too-few", "One item for two stages: the producer overwrites what the consumer may still read.",
            ["x", "pipeline p(2)"],
            [["p.producer_acquire", "store.relaxed x 1", "p.producer_commit", "p.producer_acquire", "store.relaxed x 2", "p.producer_commit"],
             ["p.consumer_wait", "r0 = load.relaxed x", "p.consumer_release"]], "P1:r0=2", BLOCK)


def maps():
    program("promises", "map+find", "A thread that finds the key sees what preceded the insertion.", ["x", "map m"],
            [["store.weak x 1", "r0 = m.insert 5 7"], ["r0 = m.find 5", "if r0 == 7 then r1 = load.weak x"]], r"P1:r0=7 /\ P1:r1=0", PLACES)
    program("promises", "map+relaxed", "A relaxed insertion publishes nothing but the value.", ["x", "map m"],
            [["store.relaxed x 1", "r0 = m.insert.relaxed 5 7"], ["r0 = m.find.acquire 5", "r1 = load.relaxed x"]],
            r"P1:r0=7 /\ P1:r1=0", PLACES)
    program("promises", "map+one", "Of two insertions of a key one inserts.", ["map m"],
            [["r0 = m.insert 5 7", "r1 = m.find 5"], ["r0 = m.insert 5 8", "r1 = m.find 5"]],
            r"(P0:r0=1 /\ P1:r0=1) \/ (P0:r0=0 /\ P1:r0=0) \/ (P0:r1=7 /\ P1:r1=8)", PLACES)


def work_queues():
    program("promises", "queue+once", "Each index is taken once.", ["work_queue q(2)"],
            [["r0 = q.take"]] * 2, r"(P0:r0=1 /\ P1:r0=1) \/ (P0:r0=2 /\ P1:r0=2) \/ P0:r0=0 \/ P1:r0=0", DEVICE)
    program("promises", "queue+unordered", "A work queue orders nothing but its indices.", ["x", "work_queue q(2)"],
            [["store.relaxed x 1", "r0 = q.take"], ["r0 = q.take", "r1 = load.relaxed x"]], r"P0:r0=1 /\ P1:r0=2 /\ P1:r1=0", DEVICE)


def make():
    for programs_of in (latches, barriers, semaphores, locks, once_flags, stop_states, pipelines, maps, work_queues):
        programs_of()
