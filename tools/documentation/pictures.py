# SPDX-License-Identifier: Apache-2.0
"""pictures: the pictures of the guide, as SVG without a background, for the light and the dark theme."""

import os

INK, LINE = "#6f8286", "#8fa3a8"
FILLS = ["#0096880a", "#00968814", "#0096881e", "#00968828", "#00968832"]


def text(x, y, words, size=13, anchor="start", weight="normal"):
    words = words.replace("&", "&amp;").replace("<", "&lt;")
    return (
        f'<text x="{x}" y="{y}" font-family="sans-serif" font-size="{size}" font-weight="{weight}" fill="{INK}" '
        f'text-anchor="{anchor}">{words}</text>'
    )


def box(x, y, width, height, fill):
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}" stroke="{LINE}"/>'


def svg(width, height, parts, title):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>{title}</title>' + "".join(parts) + "</svg>\n"
    )


def scopes():
    """Boxes within boxes: each scope contains the narrower ones."""
    names = ["system: host and all devices", "device", "cluster", "block", "thread"]
    parts = []
    for depth, name in enumerate(names):
        x, y = 4 + 20 * depth, 4 + 30 * depth
        right = 476 if depth == 0 else 384 - 20 * depth
        parts.append(box(x, y, right - x, 196 - 38 * depth, FILLS[depth]))
        parts.append(text(x + 10, y + 20, name, weight="bold" if depth == 0 else "normal"))
    parts.append(box(392, 40, 72, 60, FILLS[1]))
    parts.append(text(428, 66, "host", anchor="middle"))
    parts.append(text(428, 84, "threads", anchor="middle"))
    parts.append(box(392, 116, 72, 60, FILLS[1]))
    parts.append(text(428, 142, "other", anchor="middle"))
    parts.append(text(428, 160, "devices", anchor="middle"))
    return svg(480, 204, parts, "The scopes")


def progress():
    """The six classes of algorithms, and which of them each GPU supports."""
    rows = [["wait-free", "obstruction-free", "starvation-free"], ["lock-free", "clash-free", "deadlock-free"]]
    parts = []
    for row, names in enumerate(rows):
        for column, name in enumerate(names):
            parts.append(box(8 + 156 * column, 34 + 46 * row, 148, 38, FILLS[3 if column < 2 else 1]))
            parts.append(text(82 + 156 * column, 58 + 46 * row, name, anchor="middle"))
    parts.append(text(160, 22, "non-blocking", anchor="middle", weight="bold"))
    parts.append(text(394, 22, "blocking", anchor="middle", weight="bold"))
    for y, end, words in ((142, 312, "before sm_70"), (168, 468, "sm_70 and later: parallel forward progress")):
        parts.append(
            f'<path d="M8 {y} H{end} M8 {y - 5} V{y + 5} M{end} {y - 5} V{y + 5}" stroke="{LINE}" '
            'stroke-width="2" fill="none"/>'
        )
        parts.append(text(160, y - 6, words, size=12, anchor="middle"))
    return svg(476, 180, parts, "Which algorithms each GPU supports")


def write(folder):
    for draw in (scopes, progress):
        with open(os.path.join(folder, f"{draw.__name__}.svg"), "w", encoding="utf-8") as file:
            file.write(draw())
