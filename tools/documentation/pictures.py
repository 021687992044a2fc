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


NUMBERS = [5, 2, 8, 1, 3, 9, 4, 6]


def pair_sum(title, steps):
    """A sum of eight numbers in place. A step is a list of (thread, where it adds to, the element that it adds)."""
    values, parts = list(NUMBERS), []
    x_of, row_height, width = (lambda i: 96 + 46 * i), 64, 38

    def row(y, words, changed):
        parts.append(text(4, y + 19, words, size=12))
        for i, value in enumerate(values):
            parts.append(box(x_of(i), y, width, 28, FILLS[4] if i in changed else "none"))
            parts.append(text(x_of(i) + width / 2, y + 19, str(value), anchor="middle"))

    row(4, "elements", [])
    for number, step in enumerate(steps):
        top, y = 4 + row_height * number + 28, 4 + row_height * (number + 1)
        for thread, to, other in step:
            values[to] += values[other]
            for source in (to, other):
                parts.append(
                    f'<path d="M{x_of(source) + width / 2} {top} L{x_of(to) + width / 2} {y}" stroke="{LINE}" '
                    'fill="none"/>'
                )
            parts.append(text(x_of(to) + width / 2 - 5, y - 9, f"t{thread}", size=11, anchor="end"))
        row(y, f"step {number + 1}", [to for _, to, _ in step])
    return svg(470, 4 + row_height * len(steps) + 32, parts, title)


def neighbored_pairs():
    """The thread of the same index adds: the working threads are ever further apart."""
    steps = [[(t, t, t + stride) for t in range(0, 8, 2 * stride)] for stride in (1, 2, 4)]
    return pair_sum("Neighbored pairs: threads 0, 2, 4, 6 add, then 0 and 4, then 0", steps)


def first_threads():
    """The same additions by the first threads."""
    steps = [[(i // (2 * stride), i, i + stride) for i in range(0, 8, 2 * stride)] for stride in (1, 2, 4)]
    return pair_sum("Neighbored pairs, added by threads 0 to 3, then 0 and 1, then 0", steps)


def interleaved_pairs():
    """Each working thread adds the element that is a stride away; working threads and elements are next to each other."""
    steps = [[(t, t, t + stride) for t in range(stride)] for stride in (4, 2, 1)]
    return pair_sum("Interleaved pairs: the upper half is added to the lower half, three times", steps)


def partition():
    """The resources of an SM, and the shares of two blocks of 512 threads with 64 registers and 16 KiB each."""
    rows = [  # what, share of a block, all of it
        ("threads", 512 / 2048, "2,048"),
        ("blocks", 1 / 32, "32"),
        ("registers", 512 * 64 / 65536, "65,536"),
        ("shared memory", 17 / 228, "228 KiB"),
    ]
    parts, left, width = [], 112, 300
    for number, (name, share, most) in enumerate(rows):
        y = 26 + 34 * number
        parts.append(text(4, y + 16, name))
        parts.append(box(left, y, width, 22, "none"))
        for block in range(2):
            parts.append(box(left + width * share * block, y, max(width * share, 4), 22, FILLS[4 if block else 2]))
        parts.append(text(left + width + 10, y + 16, most, weight="bold" if 2 * share == 1 else "normal"))
    parts.append(text(left, 16, "used by block 0 and block 1", size=12))
    parts.append(text(left + width + 10, 16, "all", size=12))
    return svg(490, 166, parts, "Two blocks use all registers of an SM and half of its threads")


def hiding():
    """The instructions of one warp and of four warps on one scheduler."""
    parts, left, slot, latency = [], 96, 24, 4

    def warps(count, y, words):
        parts.append(text(4, y - 8, words, size=12, weight="bold"))
        for warp in range(count):
            top = y + 26 * warp
            parts.append(text(4, top + 15, f"warp {warp}", size=12))
            for start in range(warp, 15, latency):
                end = min(start + latency, 15)
                parts.append(box(left + slot * start, top, slot * (end - start), 20, "none"))
                parts.append(box(left + slot * start, top, slot, 20, FILLS[4]))

    warps(1, 24, "one warp: each instruction waits for the one before it")
    warps(latency, 82, "four warps: one instruction in each cycle")
    parts.append(text(left, 82 + 26 * latency + 16, "time, in cycles", size=12))
    return svg(left + slot * 15 + 8, 82 + 26 * latency + 24, parts, "One warp waits, four warps hide the latency")


def nested():
    """A parent grid is complete after its child grid."""
    parts = []
    for depth, (start, threads_end, name) in enumerate(
        [(90, 210, "8 threads"), (170, 290, "4 threads"), (250, 370, "2 threads"), (330, 460, "1 thread")]
    ):
        y = 10 + 40 * depth
        parts.append(text(4, y + 19, f"depth {depth}", size=12))
        parts.append(box(start, y, 460 - start, 28, "none"))  # ends with the last child grid
        parts.append(box(start, y, threads_end - start, 28, FILLS[4]))
        parts.append(text((start + threads_end) / 2, y + 19, name, size=12, anchor="middle"))
        if depth != 3:
            parts.append(f'<path d="M{start + 80} {y + 28} V{y + 40}" stroke="{LINE}" stroke-width="2"/>')
    parts.append(text(90, 188, "filled: threads run; empty: the grid waits for its child grids", size=12))
    return svg(470, 198, parts, "Each grid launches a smaller one, and is complete after it")


def write(folder):
    for draw in (
        scopes,
        progress,
        neighbored_pairs,
        first_threads,
        interleaved_pairs,
        partition,
        hiding,
        nested,
    ):
        with open(os.path.join(folder, f"{draw.__name__}.svg"), "w", encoding="utf-8") as file:
            file.write(draw())
