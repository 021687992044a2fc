# SPDX-License-Identifier: Apache-2.0
"""page.py RESULTS PAGE: makes a self-contained page from the lines that litmus_run --json wrote.

A row is a program in one form, a column a placement. A cell says how often the outcome in question was seen, and how many of
the program's mutants showed it.
"""
import html
import json
import sys

STYLE = """
body { font: 14px/1.4 system-ui, sans-serif; margin: 2em; color: #222; background: #fff }
table { border-collapse: collapse } th, td { border: 1px solid #ccc; padding: 2px 8px; text-align: right; white-space: nowrap }
th { position: sticky; top: 0; background: #f4f4f4 } td:first-child, th:first-child { text-align: left }
.failed { background: #d33; color: #fff } .forbidden { background: #e3f1e3 } .seen { background: #fff3c4 }
.never { background: #eee; color: #777 } .undefined { color: #777 } small { color: #555 }
.failed small { color: #fff }
"""
LEGEND = (("failed", "a forbidden outcome was seen"), ("forbidden", "forbidden, not seen"), ("seen", "allowed, seen"),
          ("never", "allowed, never seen"), ("undefined", "a data race: C++ promises nothing"))


def read(path):
    """The results of a file, in order."""
    results = []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                results.append(json.loads(line))
            except json.JSONDecodeError as error:
                raise SystemExit(f"page.py: {path}:{number}: {error}; use a file that litmus_run --json wrote") from error
    if not results:
        raise SystemExit(f"page.py: {path} has no results; use a file that litmus_run --json wrote")
    return results


def kind(result):
    """The class of a cell."""
    if result["failed"]:
        return "failed"
    if result["verdict"] == "allowed":
        return "seen" if result["seen"] else "never"
    return result["verdict"] if result["verdict"] in ("forbidden", "undefined") else "never"


def cell(result, mutants):
    """A cell: how often the outcome was seen, with the histogram as its title."""
    if result is None:
        return "<td></td>"
    states = "\n".join(f"{count}  {state}" for state, count in result["histogram"].items())
    title = html.escape(f"exists {result['exists']}\n{states}\n{result['instances']} instances", quote=True)
    text = f"{result['seen']:,}" if result["seen"] else "0"
    if mutants:
        text += f" <small>{sum(1 for m in mutants if m['seen'])}/{len(mutants)} mutants</small>"
    return f'<td class="{kind(result)}" title="{title}">{text}</td>'


def page(results):
    """The page as text."""
    programs = [r for r in results if not r["mutant_of"]]
    placements = list(dict.fromkeys(r["placement"] for r in programs))
    rows = list(dict.fromkeys((r["test"], r["form"]) for r in programs))
    found = {(r["test"], r["form"], r["placement"]): r for r in programs}
    mutants = {}
    for r in results:
        if r["mutant_of"] and r["observable"]:
            mutants.setdefault((r["mutant_of"], r["form"], r["placement"]), []).append(r)
    everything = [m for group in mutants.values() for m in group]
    instances = sum(r["instances"] for r in results)
    seconds = sum(r["seconds"] for r in results)
    facts = [f"{len(programs)} tests and {len(results) - len(programs)} mutants", f"{instances:.3g} instances in {seconds:.0f} s",
             f"{sum(1 for r in results if r['failed'])} failed"]
    if everything:
        seen = sum(1 for m in everything if m["seen"])
        facts.append(f"{seen} of {len(everything)} mutants seen ({100 * seen / len(everything):.1f} %)")
    text = ["<!DOCTYPE html><html lang=en><meta charset=utf-8><title>litmus tests</title>", f"<style>{STYLE}</style>",
            f"<h1>Litmus tests on {html.escape(results[0]['machine'])}</h1><p>{'; '.join(facts)}.</p><p>"]
    text += [f'<span class="{name}">&nbsp;{html.escape(meaning)}&nbsp;</span> ' for name, meaning in LEGEND]
    text.append("</p><table><tr><th>program</th>" + "".join(f"<th>{html.escape(p)}</th>" for p in placements) + "</tr>")
    for test, form in rows:
        cells = (cell(found.get((test, form, p)), mutants.get((test, form, p))) for p in placements)
        text.append(f"<tr><td>{html.escape(test)} <small>{form}</small></td>{''.join(cells)}</tr>")
    text.append("</table></html>\n")
    return "\n".join(text)


def main(arguments):
    if len(arguments) != 2:
        raise SystemExit("usage: page.py RESULTS PAGE")
    text = page(read(arguments[0]))
    try:
        with open(arguments[1], "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise SystemExit(f"page.py: {arguments[1]}: {error.strerror}; name another file") from error


if __name__ == "__main__":
    main(sys.argv[1:])
