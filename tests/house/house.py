#!/usr/bin/env -S python3 -I
# SPDX-License-Identifier: Apache-2.0
"""house: runs checks of the repository's own rules.

    house.py ROOT CHECK...

A check is a module beside this file, with

    check(tree)   the findings, and a sentence about what was checked
    plants(tree)  (what, a tree with one violation, a regular expression): a finding must match the expression

First the tree must have no finding. Then each planted violation must be found: a check that has gone blind fails.
"""

import importlib
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # an isolated Python (-I) does not search it
import reader


def run(tree, name):
    """Prints what one check finds, and returns whether it found nothing."""
    module = importlib.import_module(name)
    findings, summary = module.check(tree)
    for finding in findings:
        print(finding, file=sys.stderr)
    if findings:
        print(f"{name}: {len(findings)} findings; tests/house/README.md says what the check is for", file=sys.stderr)
        return False
    planted = 0
    for what, changed, expected in module.plants(tree):
        planted += 1
        try:
            found = [str(finding) for finding in module.check(changed)[0]]
        except reader.Problem as problem:
            found = [str(problem)]
        if not any(re.search(expected, finding) for finding in found):
            print(f"tests/house/{name}.py: does not find a planted violation: {what}; no finding matches '{expected}', of "
                  f"{found or 'none'}", file=sys.stderr)
            return False
    if not planted:
        print(f"tests/house/{name}.py: plants no violation; add one to plants()", file=sys.stderr)
        return False
    print(f"{name}: {summary}; {planted} planted violations were found")
    return True


def main():
    if len(sys.argv) < 3:
        print("usage: house.py ROOT CHECK...", file=sys.stderr)
        return 2
    tree = reader.Tree(sys.argv[1])
    try:
        return 0 if all([run(tree, name) for name in sys.argv[2:]]) else 1
    except reader.Problem as problem:
        print(problem, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
