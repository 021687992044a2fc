# SPDX-License-Identifier: Apache-2.0
"""condition: whether a state satisfies the condition of `exists`, both as litmus_run writes them.

    condition = term \\/ ...,  term = factor /\\ ...,  factor = ~factor | (condition) | NAME=VALUE | true
"""
import re

TOKEN = re.compile(r"\s*(/\\|\\/|[~()]|[^\s~()/\\]+)")


def values(state):
    """P1:r0=1; x=2; -> {name: value}; a value that litmus_run does not know is a text."""
    return dict(one.strip().split("=", 1) for one in state.split(";") if one.strip())


def holds(condition, state):
    tokens, known = TOKEN.findall(condition), values(state)

    def either():
        result = both()
        while tokens and tokens[0] == "\\/":
            tokens.pop(0)
            result = both() or result
        return result

    def both():
        result = one()
        while tokens and tokens[0] == "/\\":
            tokens.pop(0)
            result = one() and result
        return result

    def one():
        token = tokens.pop(0)
        if token == "~":
            return not one()
        if token == "(":
            result = either()
            tokens.pop(0)
            return result
        if token == "true":
            return True
        name, value = token.split("=", 1)
        return name in known and same(known[name], value)

    return either()


def same(value, wanted):
    try:
        return int(value, 0) == int(wanted, 0)
    except ValueError:
        return value == wanted
