# SPDX-License-Identifier: Apache-2.0
"""report: results as text, and as the table of a README."""


def noticed_by(one: dict) -> list[str]:
    return [name for name, by in (("patterns", one["patterns"]), ("check", one["check"]["by"]), ("fast", one["fast"])) if by]


def survives(one: dict) -> bool:
    return not noticed_by(one)


def ran(one: dict) -> str:
    """What ran without noticing."""
    parts = []
    if one["pattern_units"] and not one["patterns"]:
        parts.append(f"{one['pattern_units']} families")
    if not one["check"]["by"]:
        parts.append(f"{one['check']['cases']} cases in {one['check']['runs']} checked runs" if one["check"]["cases"]
                     else "no case reaches it")
    return ", ".join(parts)


def verdict(one: dict) -> str:
    by = [text for text in (one["patterns"], one["check"]["by"], one["fast"]) if text]
    return "; ".join(by) if by else f"SURVIVES ({ran(one)})"


def counts(results: list[dict]) -> str:
    sites = len({(one["site"], one["kind"]) for one in results})
    both = sum({"patterns", "check"} <= set(noticed_by(one)) for one in results)
    patterns = sum(noticed_by(one) == ["patterns"] for one in results)
    emulator = sum(bool(one["check"]["by"] or one["fast"]) and not one["patterns"] for one in results)
    return (f"{sites} sites, {len(results)} mutants: {both} noticed by patterns and by checked runs, {patterns} by patterns "
            f"alone, {emulator} by the emulator alone, {sum(map(survives, results))} survive")


def text(results: list[dict]) -> str:
    lines = [counts(results)]
    for title, wanted in (("Survivors:", survives), ("Noticed by patterns alone:",
                                                     lambda one: noticed_by(one) == ["patterns"])):
        chosen = [one for one in results if wanted(one)]
        if chosen:
            lines += ["", title]
            lines += [f"  {one['site']} {one['kind']}: {one['notch']} ({one['instruction']}; {ran(one)})" for one in chosen]
    return "\n".join(lines)


def table(results: list[dict]) -> str:
    lines = ["| site | instruction | notch | patterns | checked runs |", "|---|---|---|---|---|"]
    for one in results:
        patterns = one["patterns"].split(":")[0] if one["patterns"] else "-" if not one["pattern_units"] else "pass"
        check = one["check"]["by"] or ("not reached" if not one["check"]["cases"] else f"pass ({one['check']['runs']} runs)")
        if one["fast"]:
            check += f"; fast: {one['fast']}"
        lines.append(f"| `{one['site']}` | `{one['instruction']}` | {one['notch']} | {patterns} | {check} |")
    return "\n".join([counts(results), ""] + lines)


def costs(results: list[dict]) -> str:
    """What a stronger notch changes in the machine code of sm_90."""
    free = [one for one in results if not one["changed"]]
    lines = [f"{len(results)} stronger mutants; {len(free)} leave the machine code as it is", "",
             "| site | instruction | notch | kernels that differ | in one of them, at most |", "|---|---|---|---|---|"]
    for one in results:
        lines.append(f"| `{one['site']}` | `{one['instruction']}` | {one['notch']} | {one['changed']} of {one['kernels']} | "
                     f"{one['gains'] or ('other registers or another order' if one['changed'] else 'nothing')} |")
    return "\n".join(lines)
