#!/usr/bin/env -S python3 -I
# SPDX-License-Identifier: Apache-2.0
"""house: runs checks of the repository's own rules.

    house.py ROOT CHECK... [INPUT=VALUE...]            # inputs: what a check reads of a build
    house.py --write ROOT CHECK [INPUT=VALUE...]       # replaces a table that a check compares

A check is a module beside this file, with

    check(tree)   the findings, and a sentence about what was checked
    plants(tree)  (what, a tree with one violation, a regular expression): a finding must match the expression
    write(tree)   not in all: the path and the new text of the file that holds what is compared

First the tree must have no finding. Then each planted violation must be found: a check that has gone blind fails.
"""

import importlib
import os
import re
import sys

sys.dont_write_bytecode = True
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


def main(arguments):
    writes = arguments[:1] == ["--write"]
    arguments = arguments[writes:]
    checks = [word for word in arguments[1:] if "=" not in word]
    if not checks or (writes and len(checks) != 1):
        print("usage: house.py [--write] ROOT CHECK... [INPUT=VALUE...]", file=sys.stderr)
        return 2
    tree = reader.Tree(arguments[0], dict(word.split("=", 1) for word in arguments[1:] if "=" in word))
    try:
        if writes:
            path, text = importlib.import_module(checks[0]).write(tree)
            with open(os.path.join(tree.root, path), "w", encoding="utf-8") as file:
                file.write(text)
            print(f"{checks[0]}: has written {path}")
            return 0
        return 0 if all([run(tree, name) for name in checks]) else 1
    except reader.Problem as problem:
        print(problem, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
