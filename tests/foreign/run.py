# SPDX-License-Identifier: Apache-2.0
"""run.py ROOT BUILD FOREIGN SOURCE SEEDS: runs one program on the emulator, in every form, as the test foreign.TOPIC.NAME.

The right form gives the right answer in an ordinary run and in SEEDS checked runs, without a finding. For a wrong form that is
reported, some seed gives a finding of the kind that the header comment names, at a line that is marked for the form. A form that
is missed gives no finding and the right answer with SEEDS seeds: otherwise the header comment is no longer true.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # an isolated Python (-I) does not search it
import program as programs  # noqa: E402

SEEDS_FOR_A_FINDING = 60  # the most that a wrong form is given; most need one or two
LIMIT = 300  # seconds of a run that does not end
PATIENCE = "1"  # seconds until a livelock is reported: no host writes what these kernels wait for


class Run:
    """A form with some seeds; `seeds` is 0 for an ordinary run."""

    def __init__(self, form, first, seeds, scale):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "findings")
            command = [f"{ROOT}/tools/emulate", "--build", BUILD, "--sm", "90"]
            if seeds:
                command += ["--check", "--seed", str(first), "--seeds", str(seeds), "--json", file]
            environment = os.environ | {"CUDAX_EMULATOR_PATIENCE": PATIENCE}
            done = subprocess.Popen([*command, FOREIGN, PROGRAM.name, form, str(scale)], env=environment, text=True, errors="replace",
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                self.output = done.communicate(timeout=LIMIT)[0]
            except subprocess.TimeoutExpired:
                os.killpg(done.pid, signal.SIGKILL)
                self.output = f"{done.communicate()[0]}{' '.join(command)}: did not end within {LIMIT} s\n"
            self.status, self.findings = done.returncode, []
            if seeds and os.path.exists(file):
                with open(file, encoding="utf-8") as lines:
                    self.findings = [json.loads(line) for line in lines]

    def gives(self, form):
        """Whether it shows what the header comment says of a wrong form."""
        if form.expected == "wrong answer":
            return "wrong answer:" in self.output
        return any(finding["kind"] == form.expected and names_line(finding, form) for finding in self.findings)

    def text(self):
        return "".join(f"    {line}\n" for line in self.output.splitlines()[-12:])


def names_line(finding, form):
    """Whether a finding names a line that is marked for the form. Functions of CUDA are inlined from a header of clang, whose lines
    the PTX has instead of the caller's: a finding that names no line of the program may be of any line."""
    places = " ".join(party["source"] for party in finding["parties"]) + finding["text"]
    lines = {int(line) for line in re.findall(rf"\b{re.escape(os.path.basename(PROGRAM.path))}:(\d+)", places)}
    return bool(lines & form.lines) or (not lines and "__clang_cuda_intrinsics.h" in places)


def wrong(form):
    """What is wrong with a wrong form's findings, and how it went."""
    first = 0
    for seeds in (SEEDS,) if form.expected == "missed" else (1, 1, 6, 16, SEEDS_FOR_A_FINDING - 24):
        run = Run(form.name, first, seeds, 1)
        if form.expected == "missed":
            if run.findings or run.status:
                return f"{form.name}: is listed as missed, but is not; correct its line 'Form:'\n{run.text()}", ""
            return "", f"{form.name}: missed with {SEEDS} seeds"
        if run.gives(form):
            return "", f"{form.name}: {form.expected} within {first + seeds} seeds"
        first += seeds
    return f"{form.name}: no seed of {first} shows '{form.expected}' at the lines {sorted(form.lines)}; the last runs said\n{run.text()}", ""


def main():
    listed = subprocess.run([FOREIGN, "list"], stdout=subprocess.PIPE, text=True, check=True,
                            env=os.environ | {"LD_LIBRARY_PATH": f"{BUILD}/emulator"}).stdout
    compiled = {line.split()[0]: line.split()[1:] for line in listed.splitlines()}.get(PROGRAM.name)
    named = [form.name for form in PROGRAM.forms]
    errors, notes = [], []
    if compiled != named:
        errors.append(f"the program has the forms {compiled}, its header comment {named}; give both the same, in one order")
    for seeds, scale in ((0, 4), (SEEDS, 1)):
        run = Run("right", 1, seeds, scale)
        if run.status or run.findings:
            errors.append(f"right: status {run.status}, with {seeds} checked seeds\n{run.text()}")
    for form in PROGRAM.forms[1:]:
        error, note = wrong(form)
        errors += [error] if error else []
        notes += [note] if note else []
    for error in errors:
        print(f"{PROGRAM.name}: {error}", file=sys.stderr)
    print(f"{PROGRAM.name}: right: {SEEDS} seeds; " + "; ".join(notes))
    return 1 if errors else 0


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit("usage: run.py ROOT BUILD FOREIGN SOURCE SEEDS")
    ROOT, BUILD, FOREIGN = sys.argv[1:4]
    PROGRAM, SEEDS = programs.read(sys.argv[4]), int(os.environ.get("CUDAX_SYNC_FOREIGN_SEEDS", sys.argv[5]))
    sys.exit(main())
