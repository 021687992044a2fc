#!/usr/bin/env -S python3 -I
# SPDX-License-Identifier: Apache-2.0
"""consumer: builds a user's project in one of the ways that a user may choose, and runs its programs.

    consumer.py WAY NAME=VALUE...

A way is a module of ways/. Its functions are the cases, in the order of the file; each has a docstring and gets a `User`. They
work in one folder, so a later case may use what an earlier one has built. Prints the processor time of each case.
"""

import importlib
import inspect
import os
import resource
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # an isolated Python (-I) does not search it
from user import Failure, User


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cases_of(module):
    """The functions that the module itself defines, in its order."""
    return [function for name, function in vars(module).items()
            if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_")]


def main(way, *settings):
    user = User(way, dict(setting.split("=", 1) for setting in settings))
    module = importlib.import_module(f"ways.{way}")
    for case in cases_of(module):
        if not user.cuda and getattr(case, "needs_cuda", False):
            continue
        before = processor_seconds()
        print(f"consumer.{way}: {case.__name__}: {inspect.cleandoc(case.__doc__).splitlines()[0]}", flush=True)
        try:
            case(user)
        except Failure as failure:
            print(f"consumer.{way}: {case.__name__} failed: {failure}", file=sys.stderr)
            return 1
        print(f"consumer.{way}: {case.__name__}: {processor_seconds() - before:.1f} s of a processor", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
