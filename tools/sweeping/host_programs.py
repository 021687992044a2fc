# SPDX-License-Identifier: Apache-2.0
"""host_programs: the programs that the sweep of the host's orders runs, and what each notices.

A program runs under the thread sanitizer, which sees a missing release or acquire as a race; or in the memory of
tests/sweep/host/late_stores.hpp, in which a missing seq_cst shows, too. A mutant is a file that the program reads.
"""
import hashlib
import json
import re
import tempfile
from pathlib import Path
from typing import NamedTuple

import host_sites
from instruments import Run, batches
from units import Failure

BATCH_SECONDS = 2.0


class Way(NamedTuple):
    """A program, and how it runs."""
    program: str
    late: bool  # in the memory with late stores
    filters: tuple[str, ...] = ()  # of Boost.Test: the cases that take part

    def __str__(self) -> str:
        return f"{self.program} with late stores" if self.late else self.program


WAYS = (
    # On the host the scopes differ in nothing but polls for a device at system scope.
    Way("sweep_plain", False, ("!*/* block [host]", "!*/* cluster [host]")),
    # Without those that take minutes where each operation is recorded.
    Way("sweep_runtime", False, ("!registration_storm", "!resources", "!resource_pool/the_number*", "!forking",
                                 "!shared_ranges")),
    Way("run_late", True),
)


class Case(NamedTuple):
    name: str
    seconds: float
    chains: frozenset[host_sites.Chain]


class Program:
    """A program in one way: its cases without a mutant."""

    def __init__(self, way: Way, path: Path, out: Path, is_library):
        self.way, self.path, self.out = way, path, out
        if not path.exists():
            raise Failure(f"{path} does not exist; build it with: ninja -C {path.parents[3]} {path.name}")
        self.digest = hashlib.sha256(path.read_bytes() + str(tuple(way)).encode()).hexdigest()[:16]
        self.out.mkdir(parents=True, exist_ok=True)
        recording = out / f"{way.program}.{'late' if way.late else 'tsan'}.{self.digest}"
        if not recording.exists():
            self._record(recording)
        cases = host_sites.parse_recording(recording.read_text())
        cases.pop("-", None)  # before and between the cases
        self.cases = sorted((Case(name, seconds, frozenset(chains)) for name, (seconds, chains) in cases.items()),
                            key=lambda case: case.seconds)
        addresses = {at for case in self.cases for chain in case.chains for at in chain.addresses}
        lines = out / f"{recording.name}.lines"
        if lines.exists():
            frames = {int(at): [host_sites.Frame(*one) for one in found] for at, found in json.loads(lines.read_text()).items()}
        else:
            frames = host_sites.frames_of(path, addresses)
            lines.write_text(json.dumps(frames))
        self.places = host_sites.Places(frames, is_library)
        self.mutants = host_sites.mutants({chain for case in self.cases for chain in case.chains}, self.places)
        self._reached = {case: {(self.places.site(chain), *chain[:3]) for chain in case.chains} for case in self.cases}
        self.text = self.places.text()

    def _environment(self, **more) -> dict[str, str]:
        late = {"CUDAX_SWEEP_LATE": "1"} if self.way.late else {}
        # The sanitizer does not see what goes through late_stores.
        options = "report_bugs=0" if self.way.late else "halt_on_error=1"
        return {"TSAN_OPTIONS": options, "CUDAX_TEST_SECONDS": "60", **late} | more

    def _run(self, names, seconds: float, **environment) -> Run:
        filters = [f"--run_test={name}" for name in names]
        return Run([self.path, *filters, "--color_output=no"], self._environment(**environment), cpu_seconds=seconds,
                   wall_seconds=3 * seconds)

    def _record(self, recording: Path):
        part = recording.with_suffix(".part")
        # No races are reported: the sanitizer sees the recording, too.
        done = self._run(self.way.filters, 1200, CUDAX_SWEEP_RECORD=str(part), TSAN_OPTIONS="report_bugs=0",
                         CUDAX_TEST_SECONDS="300")
        if done.status or done.late:
            raise Failure(f"{self.way}: fails without a mutant ({done.status}):\n{done.output[-3000:]}")
        part.rename(recording)

    def reaching(self, changes) -> list[Case]:
        keys = {(change.lines, change.operation, *change.before) for change in changes}
        return [case for case in self.cases if keys & self._reached[case]]

    def try_mutant(self, changes, limit: float) -> dict:
        """Runs the cases that reach the site, the shortest ones first, until one notices."""
        cases, spent, runs = self.reaching(changes), 0.0, 0
        with tempfile.TemporaryDirectory(dir=self.out) as folder:
            file = Path(folder) / "orders"
            file.write_text(self.text + "".join(f"{change}\n" for change in sorted(changes)))
            for group in batches(cases, BATCH_SECONDS):
                expected = sum(case.seconds for case in group)
                if runs and spent + expected > limit:
                    return {"by": None, "cases": len(cases), "runs": runs, "cut": True}
                names = [case.name for case in group]
                done = self._run(names, 30 + 10 * expected, CUDAX_SWEEP_ORDERS=str(file))
                runs, spent = runs + 1, spent + done.seconds
                if not done.status and not done.late:
                    continue
                # All but a race may be the machine's fault: then the cases fail without the mutant, too.
                by = what_failed(done)
                if by.startswith("data race") or not (again := self._run(names, 30 + 10 * expected)).status and not again.late:
                    return {"by": f"{self.way}: {by}", "cases": len(cases), "runs": runs}
        return {"by": None, "cases": len(cases), "runs": runs}


def what_failed(done: Run) -> str:
    if "sweep: " in done.output and "write it as places.cpp says" in done.output:
        raise Failure(done.output[-500:])
    if found := re.search(r"SUMMARY: ThreadSanitizer: ([a-z -]+?) ?(?:[(/].*/)?([^/\s]+:\d+|\(|/)", done.output):
        return f"{found[1]} at {found[2]}" if ":" in found[2] else found[1]
    if found := re.search(r'error: in "([^"]+)": (.*)', done.output):
        return f"{found[1]}: {re.sub(r'^.*?: ', '', found[2])[:100]}"
    return "does not end" if done.late or done.status in (-9, -24, 3, 137, 152) else f"status {done.status}"
