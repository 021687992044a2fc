# SPDX-License-Identifier: Apache-2.0
"""results: reads a result file of tools/bench.

A result file is a JSON list of objects: the build, the device (or why there is none), the host, compile times, rows,
problems that ended early, and the seconds of the run. `run` writes it; support/output.cpp writes the rows.
"""
import json
import statistics

# The sides of a row in the order of the columns: the key in the file, and the name for readers.
SIDES = {
    "cudax": "cudax.sync",
    "promised": "promised",
    "libcuxx": "libcu++",
    "nvcc": "libcu++ by nvcc",
    "newest": "newest libcu++",
    "newest_nvcc": "newest by nvcc",
    "cuda": "CUDA's own",
    "cucollections": "cuCollections",
    "ptx": "PTX by hand",
    "std": "std",
}
UNITS = ("ns", "Gop/s", "TFLOP/s", "%")  # "%": of one processor's time
HOST = "host"  # the section of the rows that need no device
PEERS = [side for side in SIDES if side != "cudax"]
AS_COMPILED = ", as compiled"  # the end of the name of a row's second form (support/loop.hpp)


class Trouble(Exception):
    """A sentence that says which file is wrong, how, and what to do."""


class Row:
    def __init__(self, fields):
        self.fields = fields
        self.problem = fields.get("problem", "")
        self.name = fields["row"]
        self.unit = fields["unit"]
        self.section = fields.get("section", self.problem)

    @property
    def key(self):
        return (self.problem, self.name)

    @property
    def is_as_compiled(self):
        """Whether the compiler decides about the loop around the operation; otherwise it is not unrolled."""
        return self.name.endswith(AS_COMPILED)

    def has(self, side):
        """Whether the side has this row, with or without a number."""
        return side in self.fields

    def value(self, side):
        """The median; None if there is no number."""
        return self.fields.get(side)

    def samples(self, side):
        return self.fields.get(side + "_samples") or [self.value(side)]

    def trouble(self, side):
        return self.fields.get(side + "_trouble")

    def lacks(self, side):
        """What the device, the build or the machine lacks for the side's row, if anything."""
        return self.fields.get(side + "_lacks")

    @property
    def more_is_better(self):
        return self.unit in ("Gop/s", "TFLOP/s")

    def ratio(self, side):
        """How many times as fast cudax.sync is as the side; None if one of them has no number, or the row no speed."""
        ours, theirs = self.value("cudax"), self.value(side)
        if not ours or not theirs or self.unit == "%":
            return None
        return ours / theirs if self.more_is_better else theirs / ours

    def noise(self, side):
        """The distance of the quartiles of the samples, in the row's unit."""
        samples = sorted(self.samples(side))
        if len(samples) < 4:
            return samples[-1] - samples[0]
        first, _, third = statistics.quantiles(samples, n=4, method="inclusive")
        return third - first


class Results:
    def __init__(self, path, objects):
        self.path = path
        self.build = self.machine = self.no_device = self.host = self.seconds = None
        self.compile_times, self.rows, self.troubles = [], [], []
        for fields in objects:
            if "commit" in fields:
                self.build = fields
            elif "gpu" in fields:
                self.machine = fields
            elif "host" in fields:
                self.host = fields
            elif "no_device" in fields:
                self.no_device = fields["no_device"]
            elif "compile" in fields:
                self.compile_times.append(fields)
            elif "row" in fields:
                self.rows.append(Row(fields))
            elif "trouble" in fields:
                self.troubles.append(f"{fields.get('problem', '?')}: {fields['trouble']}")
            elif "seconds" in fields:
                self.seconds = fields["seconds"]

    def by_key(self):
        return {row.key: row for row in self.rows}

    def sections(self):
        """The sections in the order of the file, each with its rows."""
        sections = {}
        for row in self.rows:
            sections.setdefault(row.section, []).append(row)
        return sections


def _check(path, fields):
    if not isinstance(fields, dict):
        raise Trouble(f"{path}: an entry is not an object but {str(fields)[:40]!r}; measure again")
    if "row" not in fields:
        return
    name = fields["row"]
    if not isinstance(name, str) or fields.get("unit") not in UNITS:
        raise Trouble(f"{path}: row {name!r} has the unit {fields.get('unit')!r}, not one of {', '.join(UNITS)}; measure "
                      "again")
    for side in SIDES:
        numbers = [fields.get(side)] + list(fields.get(side + "_samples") or [])
        for number in numbers:
            if number is not None and (isinstance(number, bool) or not isinstance(number, (int, float)) or number <= 0):
                raise Trouble(f"{path}: row {name!r}: {side} has the value {number!r}, not a positive number; measure again")


def load(path):
    """Reads a file. Raises Trouble if it is not a result of tools/bench."""
    advice = "give it the JSON file of a run of tools/bench"
    try:
        with open(path, encoding="utf-8") as file:
            objects = json.load(file)
    except OSError as error:
        raise Trouble(f"{path}: cannot be read ({error.strerror}); {advice}") from error
    except ValueError as error:
        raise Trouble(f"{path}: is not JSON ({error}); {advice}") from error
    if not isinstance(objects, list):
        raise Trouble(f"{path}: is not a list of objects; {advice}")
    for fields in objects:
        _check(path, fields)
    results = Results(path, objects)
    if results.build is None:
        raise Trouble(f"{path}: has no entry with the commit of the build; {advice}")
    return results
