# SPDX-License-Identifier: Apache-2.0
"""instructions: the order and the scope of an instruction of PTX for sm_90, and the same instruction one notch weaker or
stronger.

A notch is a name; `changed(text, notch)` returns the instruction with it, "" where it is dropped, and None where the
notch does not apply.
"""
import re

SCOPES = ["cta", "cluster", "gpu", "sys"]
ORDERS = ["relaxed", "acquire", "release", "acq_rel", "sc"]

# Instructions that can have an order or a scope, up to the first character that is no part of the name.
NAMES = re.compile(r"(?<![\w.$%])(?:(?:ld|st|atom|red|fence|membar|mbarrier|tensormap)\.[\w.:]+"
                   r"|barrier\.cluster\.[\w.:]+)")

# What else the PTX of this project orders memory with, without a choice of order: see README.md, "What is not tried".

WEAKER = ["seq_cst to acq_rel", "acq_rel to acquire", "acq_rel to release", "acquire to relaxed", "release to relaxed",
          "dropped", "scope narrower"]
STRONGER = ["relaxed to acquire", "relaxed to release", "acquire to acq_rel", "release to acq_rel",
            "acq_rel to seq_cst", "scope wider"]


def is_ordered(text: str) -> bool:
    """Whether the instruction has an order or a scope, or is a fence."""
    return any(changed(text, notch) is not None for notch in WEAKER) or order(text) == "relaxed"


def parts(text: str) -> list[str]:
    """The name and the modifiers; an atom or a red that names neither order nor scope has PTX's defaults."""
    words = text.split(".")
    if words[0] in ("atom", "red") and not {*ORDERS, *SCOPES, "async", "noinc"} & set(words):
        return [words[0], "relaxed", "gpu", *words[1:]]
    return words


def order(text: str) -> str | None:
    return next((one for one in ORDERS if one in parts(text)[1:]), None)


def scope(text: str) -> int | None:
    """The position in the text of the scope."""
    words = parts(text)
    if words[0] == "barrier":
        return None
    return next((i for i, word in enumerate(words) if i and word in SCOPES), None)


def kind(text: str) -> str:
    """What an instruction does, without its order, scope, type and state space: `atom.cas`, `ld`, `fence`."""
    words = parts(text)
    if words[0] in ("atom", "red"):
        operations = ("add", "exch", "cas", "min", "max", "and", "or", "xor", "inc", "dec")
        return ".".join([words[0]] + [word for word in words if word in operations])
    if words[0] == "mbarrier":
        return ".".join(words[:2])
    if words[0] == "barrier":
        return ".".join(words[:3])
    if words[0] == "fence":
        return ".".join(["fence"] + [word for word in words[1:]
                                     if word.startswith(("proxy", "async", "tensormap", "mbarrier_init"))])
    if words[0] == "tensormap":
        return ".".join(words[:2])
    return words[0]


def _with(text: str, old: str, new: str) -> str | None:
    words = parts(text)
    if old not in words[1:]:
        return None
    words[words.index(old, 1)] = new
    return ".".join(words)


def _is_restricted(text: str) -> bool:
    """Whether it is a fence that exists in one form only."""
    return text.startswith("fence.") and any(
        word.startswith(("proxy", "mbarrier_init", "sync_restrict")) for word in parts(text))


def changed(text: str, notch: str) -> str | None:
    name, fence, has = parts(text)[0], text.startswith("fence."), order(text)
    if notch == "dropped":
        return "" if _is_restricted(text) or fence and has in ("acquire", "release") else None
    if notch in ("scope narrower", "scope wider"):
        at = scope(text)
        fixed = ("sync_restrict", "mbarrier_init", "async")  # cluster scope only
        if at is None or any(word.startswith(fixed) for word in parts(text)):
            return None
        words = parts(text)
        to = SCOPES.index(words[at]) + (1 if notch == "scope wider" else -1)
        if not 0 <= to < len(SCOPES) or name == "mbarrier" and to > SCOPES.index("cluster"):
            return None
        words[at] = SCOPES[to]
        return ".".join(words)
    if _is_restricted(text) or name in ("tensormap",):
        return None
    if notch == "seq_cst to acq_rel":
        return _with(text, "sc", "acq_rel") if fence else None
    if notch == "acq_rel to seq_cst":
        return _with(text, "acq_rel", "sc") if fence else None
    old, new = notch.split(" to ")
    if new == "relaxed" and fence:
        return None  # dropped
    if name == "barrier" and old == "acquire":
        return None  # a wait has no other order
    if notch in STRONGER and not _can_have(name, parts(text), new):
        return None
    if notch in WEAKER and old == "acq_rel" and name not in ("atom", "red", "fence"):
        return None
    return _with(text, old, new)


def _can_have(name: str, words: list[str], new: str) -> bool:
    if name == "ld":
        return new == "acquire"
    if name in ("st", "red"):
        return new == "release"
    if name == "mbarrier":
        return new == ("release" if words[1].startswith("arrive") else "acquire")
    return name in ("atom", "fence")
