# SPDX-License-Identifier: Apache-2.0
"""results: what litmus_run --json writes: a line for each test and run.

    results.py RESULTS

Prints the sums over all runs of each test, such as those of the schedules of a checked run.
"""
import json
import sys

SUMS = ("seen", "instances", "seconds", "launches", "others", "missing", "endless")
# What not each file has: how often an await did not end, what a mutant changed, and why it cannot be seen (report.hpp).
OPTIONAL = {"endless": 0, "mutation": "", "hidden": ""}


class Failure(Exception):
    """A message for the user."""


def read(path):
    """The results of a file, in order."""
    results = []
    try:
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    results.append(json.loads(line))
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}; name a file that litmus_run --json wrote") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise Failure(f"{path}:{number}: {error}; name a file that litmus_run --json wrote") from error
    if not results:
        raise Failure(f"{path} has no results; name a file that litmus_run --json wrote")
    return results


def summed(results):
    """One result for each test, with the number of its runs."""
    tests = {}
    for one in results:
        one = {**OPTIONAL, **one}
        test = tests.setdefault((one["test"], one["placement"], one["form"]),
                                {**one, **dict.fromkeys(SUMS, 0), "failed": False, "histogram": {}, "runs": 0})
        test["runs"] += 1
        test["failed"] |= one["failed"]
        for name in SUMS:
            test[name] += one[name]
        for state, count in one["histogram"].items():
            test["histogram"][state] = test["histogram"].get(state, 0) + count
    return list(tests.values())


def noticed(one):
    """Whether a mutant showed that it is weaker: by the outcome, or by an await that did not end and is no error."""
    return bool(one["seen"] or one["endless"] and not one["failed"])


def counted_mutants(tests):
    """The mutants of which PTX allows the outcome, but for those that cannot show it. (noticed, all)"""
    mutants = [one for one in tests if one["mutant_of"] and one["observable"] and (noticed(one) or not one["hidden"])]
    return sum(map(noticed, mutants)), len(mutants)


def text(tests):
    """A line for each test, then the sums."""
    lines = []
    for one in tests:
        verdict = one["verdict"] + (", FAILED" if one["failed"] else "")
        lines.append(f"{one['test']} {one['placement']} {one['form']} ({verdict}): {one['seen']:,} of {one['instances']:,}")
    runs = max(one["runs"] for one in tests)
    lines += ["", f"{len(tests)} tests, {runs} runs, {sum(one['instances'] for one in tests):,} instances; "
                  f"{sum(one['failed'] for one in tests)} failed"]
    seen, mutants = counted_mutants(tests)
    if mutants:
        lines.append(f"Mutants: {seen} of {mutants} seen: {100 * seen / mutants:.1f} %")
    return "\n".join(lines)


def main(arguments):
    if len(arguments) != 1:
        raise Failure("usage: results.py RESULTS")
    print(text(summed(read(arguments[0]))))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Failure as failure:
        sys.exit(f"results.py: {failure}")
