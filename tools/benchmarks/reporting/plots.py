# SPDX-License-Identifier: Apache-2.0
"""plots: draws a result file by matplotlib.

`speed.png` is the main plot: for each section the ratios of its rows, against libcu++ and against PTX by hand; for the
host's section, against the C++ standard library.
`PROBLEM.png` shows the curves of a problem; `PROBLEM_fairness.png` the longest wait over the median.
"""
import os

from .results import PEERS, SIDES

COLOURS = {"cudax": "#1b6ca8", "libcuxx": "#d1495b", "nvcc": "#edae49", "cuda": "#66a182", "cucollections": "#8c6d31",
           "ptx": "#2e2e2e", "promised": "#3fa7d6", "newest": "#f49097", "newest_nvcc": "#b8860b", "std": "#8f5aa8"}


def _figure(width, height):
    import matplotlib  # here, so that the other reports do not need it

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot.subplots(figsize=(width, height), constrained_layout=True)


def _machine(results):
    names = [results.machine["gpu"]] if results.machine else []
    if results.host:
        names.append(f"{results.host['host']} with {results.host.get('cores', '?')} cores")
    return ", ".join(names) or "no device"


def _title(results, what):
    return f"{what}\n{_machine(results)}, commit {results.build['commit']}"


def _save(figure, folder, name):
    from matplotlib import pyplot

    path = os.path.join(folder, name)
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
    return path


def speed(results, folder):
    """Draws the main plot; returns its path, or None if no row has a ratio."""
    peers = [peer for peer in ("libcuxx", "newest", "ptx", "std") if any(row.ratio(peer) for row in results.rows)]
    sections = list(results.sections().items())
    if not peers:
        return None
    figure, axes = _figure(9, 1.5 + 0.45 * len(sections))
    for at, (_, rows) in enumerate(sections):
        here = [peer for peer in peers if any(row.ratio(peer) for row in rows)]
        for number, peer in enumerate(here):
            offset = 0.3 * (number - (len(here) - 1) / 2)
            ratios = [row.ratio(peer) for row in rows if row.ratio(peer)]
            axes.scatter(ratios, [at + offset] * len(ratios), s=14, alpha=0.6, color=COLOURS[peer])
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}x")
    low, high = axes.get_xlim()  # over many powers of ten the numbers between them would overlap
    axes.xaxis.set_minor_formatter(lambda value, _: f"{value:g}x" if high < 30 * low else "")
    axes.set_yticks(range(len(sections)), [name for name, _ in sections])
    axes.invert_yaxis()
    axes.set_xlabel("how many times as fast cudax.sync is; each dot is a row")
    axes.set_title(_title(results, "Speed by section"))
    axes.legend(*_all_labels(peers), loc="best", fontsize="small")
    return _save(figure, folder, "speed.png")


def _all_labels(peers):
    from matplotlib.lines import Line2D

    return ([Line2D([], [], marker="o", linestyle="", color=COLOURS[peer]) for peer in peers],
            [f"against {SIDES[peer]}" for peer in peers])


def _curves_of(rows, value):
    """{curve: {side: [(at, value)]}} of the rows on curves for which value(row, side) is not None."""
    curves = {}
    for row in rows:
        if "curve" not in row.fields:
            continue
        for side in ["cudax"] + PEERS:
            if value(row, side) is not None:
                curves.setdefault(row.fields["curve"], {}).setdefault(side, []).append(
                    (row.fields["at"], value(row, side)))
    return curves


def _draw_curves(results, problem, rows, value, label, name, folder):
    curves = _curves_of(rows, value)
    if not curves:
        return None
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    columns = min(3, len(curves))
    lines = -(-len(curves) // columns)
    figure, panels = pyplot.subplots(lines, columns, figsize=(4.5 * columns, 3.4 * lines), squeeze=False,
                                     constrained_layout=True)
    axis_of = {row.fields["curve"]: row.fields.get("axis", "") for row in rows if "curve" in row.fields}
    for panel in panels.flat[len(curves):]:
        panel.axis("off")
    for panel, (curve, sides) in zip(panels.flat, curves.items()):
        for side, points in sides.items():
            at, values = zip(*sorted(points))
            panel.plot(at, values, marker="o", markersize=3, color=COLOURS[side], label=SIDES[side])
        panel.set_xscale("log", base=2)
        panel.set_yscale("log")
        panel.set_title(curve, fontsize="small")
        panel.set_xlabel(axis_of[curve])
        panel.set_ylabel(label)
        panel.legend(fontsize="x-small")
    figure.suptitle(_title(results, problem), fontsize="medium")
    return _save(figure, folder, name)


def draw(results, folder):
    """Draws all plots into `folder` and returns their paths. Raises ImportError if there is no matplotlib."""
    import matplotlib  # noqa: F401  # before the folder is made

    os.makedirs(folder, exist_ok=True)
    paths = [speed(results, folder)]
    problems = {}
    for row in results.rows:
        problems.setdefault(row.problem, []).append(row)
    for problem, rows in problems.items():
        paths.append(_draw_curves(results, problem, rows, lambda row, side: row.value(side), rows[0].unit,
                                  f"{problem}.png", folder))
        paths.append(_draw_curves(results, problem, rows, lambda row, side: row.fields.get(side + "_fairness"),
                                  "longest wait / median wait", f"{problem}_fairness.png", folder))
    return [path for path in paths if path]
