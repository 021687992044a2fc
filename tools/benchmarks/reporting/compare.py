# SPDX-License-Identifier: Apache-2.0
"""compare: names the rows whose speed differs between two result files.

The rule: cudax.sync's medians differ by more than 2 % of the old one, and by more than the sum of the noise of both
files. The noise of a row is the distance between the first and the third quartile of its samples (with fewer than four
samples: their range). For samples that scatter like a normal distribution, this is five standard errors of the
difference of two medians of eleven samples.

Rows of devices are compared if both files are of one GPU, rows of the host if both are of one processor and number of
cores.
"""
from .results import HOST, Trouble
from .table import number

LEAST = 0.02


class Change:
    """What became of one row. `percent` is the change of its speed, more is faster; `control` that of another side."""

    CONTROLS = {"libcuxx": "libcu++", "std": "std"}

    def __init__(self, old, new):
        self.name, self.unit = new.name, new.unit
        self.before, self.after = old.value("cudax"), new.value("cudax")
        self.percent = self._percent(new, self.before, self.after)
        self.noise = old.noise("cudax") + new.noise("cudax")
        self.counts = abs(self.after - self.before) > max(LEAST * self.before, self.noise)
        self.control = ""
        for side, name in self.CONTROLS.items():
            if old.value(side) and new.value(side):
                self.control = f"; {name} {self._percent(new, old.value(side), new.value(side)):+.1f} %"

    @staticmethod
    def _percent(row, before, after):
        return 100 * ((after / before if row.more_is_better else before / after) - 1)

    def __str__(self):
        return (f"{self.percent:+7.1f} %  {self.name}: {number(self.before)} -> {number(self.after)} {self.unit} "
                f"(noise {number(self.noise)}{self.control})")


class Comparison:
    def __init__(self, old, new):
        self.warnings = []
        why_not = {what: check(old, new) for what, check in (("GPU", self._differing_gpus), ("host", self._differing_hosts))}
        if all(why_not.values()):
            raise Trouble("; ".join(why for what, why in why_not.items() if what == "GPU" or old.host or new.host))
        for what, why in why_not.items():
            if why and any(self._needs(row) == what for row in old.rows + new.rows):
                self.warnings.append(f"the rows of the {what} are not compared: {why}")
        if not why_not["GPU"]:
            self._compare_drivers(old.machine, new.machine)

        before, after = ({key: row for key, row in file.by_key().items() if not why_not[self._needs(row)]}
                         for file in (old, new))
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

    @staticmethod
    def _needs(row):
        return "host" if row.section == HOST else "GPU"

    @staticmethod
    def _differing_gpus(old, new):
        for file in (old, new):
            if not file.machine:
                return f"{file.path}: was written without a device; compare two files of one GPU"
        if old.machine["gpu"] != new.machine["gpu"]:
            return (f"{old.path} is of {old.machine['gpu']}, {new.path} of {new.machine['gpu']}; compare two files of one "
                    "GPU")
        return ""

    @staticmethod
    def _differing_hosts(old, new):
        for file in (old, new):
            if not file.host:
                return f"{file.path}: has no rows of the host"
        ours, theirs = ([file.host["host"], file.host.get("cores")] for file in (old, new))
        if ours != theirs:
            return (f"{old.path} is of {ours[0]} with {ours[1]} cores, {new.path} of {theirs[0]} with {theirs[1]} cores; "
                    "compare two files of one machine")
        return ""

    def _compare_drivers(self, old, new):
        for key, what in (("driver", "driver"), ("runtime_cuda", "CUDA runtime"), ("compiler", "compiler"),
                          ("libcuxx_version", "libcu++"), ("newest_libcuxx_version", "newest libcu++"), ("code_sm", "SM of the code"),
                          ("multiprocessors", "number of SMs")):
            if old.get(key) != new.get(key):
                self.warnings.append(f"the {what} differs: {old.get(key)} and {new.get(key)}")
        clocks = [machine.get("clock_measured_mhz") for machine in (old, new)]
        if all(clocks) and abs(clocks[0] - clocks[1]) > LEAST * clocks[0]:
            self.warnings.append(f"the SM clock differs: {clocks[0]} and {clocks[1]} MHz")

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
