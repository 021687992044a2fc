# SPDX-License-Identifier: Apache-2.0
"""compare: names the rows whose speed differs between two result files.

The rule: cudax.sync's medians differ by more than 2 % of the old one, and by more than the sum of the noise of both
files. The noise of a row is the distance between the first and the third quartile of its samples (with fewer than four
samples: their range). For samples that scatter like a normal distribution, this is five standard errors of the
difference of two medians of eleven samples.
"""
from .results import Trouble
from .table import number

LEAST = 0.02


class Change:
    """What became of one row. `percent` is the change of its speed, more is faster."""

    def __init__(self, old, new):
        self.name, self.unit = new.name, new.unit
        self.before, self.after = old.value("cudax"), new.value("cudax")
        speed = self.after / self.before if new.unit == "Gop/s" else self.before / self.after
        self.percent = 100 * (speed - 1)
        self.noise = old.noise("cudax") + new.noise("cudax")
        self.counts = abs(self.after - self.before) > max(LEAST * self.before, self.noise)
        self.control = None
        if old.value("libcuxx") and new.value("libcuxx"):
            ratio = new.value("libcuxx") / old.value("libcuxx")
            self.control = 100 * ((ratio if new.unit == "Gop/s" else 1 / ratio) - 1)

    def __str__(self):
        control = "" if self.control is None else f"; libcu++ {self.control:+.1f} %"
        return (f"{self.percent:+7.1f} %  {self.name}: {number(self.before)} -> {number(self.after)} {self.unit} "
                f"(noise {number(self.noise)}{control})")


class Comparison:
    def __init__(self, old, new):
        if not old.machine or not new.machine:
            without = old if not old.machine else new
            raise Trouble(f"{without.path}: was written without a device; compare two files of one GPU")
        if old.machine["gpu"] != new.machine["gpu"]:
            raise Trouble(f"{old.path} is of {old.machine['gpu']}, {new.path} of {new.machine['gpu']}; compare two files "
                          "of one GPU")
        self.warnings = []
        for key, what in (("driver", "driver"), ("runtime_cuda", "CUDA runtime"), ("compiler", "compiler"),
                          ("libcuxx_version", "libcu++"), ("code_sm", "SM of the code"),
                          ("multiprocessors", "number of SMs")):
            if old.machine.get(key) != new.machine.get(key):
                self.warnings.append(f"the {what} differs: {old.machine.get(key)} and {new.machine.get(key)}")
        clocks = [file.machine.get("clock_measured_mhz") for file in (old, new)]
        if all(clocks) and abs(clocks[0] - clocks[1]) > LEAST * clocks[0]:
            self.warnings.append(f"the SM clock differs: {clocks[0]} and {clocks[1]} MHz")

        before, after = old.by_key(), new.by_key()
        self.slower, self.faster, self.lost = [], [], []
        self.same = 0
        self.gone = [row.name for key, row in before.items() if key not in after]
        self.added = [row.name for key, row in after.items() if key not in before]
        for key, row in after.items():
            if key not in before or before[key].value("cudax") is None:
                continue
            if row.value("cudax") is None:
                self.lost.append(f"{row.name}: {row.trouble('cudax') or 'no number'}")
            elif row.unit != before[key].unit:
                self.warnings.append(f"row {row.name!r} changed its unit and is not compared")
            else:
                change = Change(before[key], row)
                if not change.counts:
                    self.same += 1
                else:
                    (self.slower if change.percent < 0 else self.faster).append(change)
        self.slower.sort(key=lambda change: change.percent)
        self.faster.sort(key=lambda change: -change.percent)

    @property
    def is_worse(self):
        return bool(self.slower or self.lost)

    def show(self):
        def part(title, lines):
            if lines:
                print(f"{title}:")
                for line in lines:
                    print(f"  {line}")

        part("Warnings", self.warnings)
        part("Slower", self.slower)
        part("Without a number now", self.lost)
        part("Faster", self.faster)
        part("Only in the old file", self.gone)
        part("Only in the new file", self.added)
        print(f"{len(self.slower)} slower, {len(self.faster)} faster, {self.same} within the noise, "
              f"{len(self.lost)} without a number now")
