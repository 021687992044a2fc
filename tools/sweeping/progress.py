# SPDX-License-Identifier: Apache-2.0
"""progress: what a sweep says while it tries its mutants."""
import concurrent.futures
import sys


def say(text: str):
    print(text, file=sys.stderr, flush=True)


def try_all(todo: list, try_one, jobs: int, verdict) -> dict:
    """The result of each mutant, so many at a time. Says the verdict of each as it comes."""
    done = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(try_one, mutant): mutant for mutant in todo}
        for i, future in enumerate(concurrent.futures.as_completed(waiting)):
            one = done[waiting[future]] = future.result()
            say(f"{i + 1}/{len(todo)} {waiting[future]}: {verdict(one)}")
    return done
