# SPDX-License-Identifier: Apache-2.0
"""gpu.py FOREIGN [--only PATTERN] [--wrong] [--scale N] [--times N] [--seconds N]: runs the programs on this machine's GPU, one
process for each form.

Prints a line for each form, `TOPIC.NAME FORM RESULT`, where RESULT is `ok`, `wrong in N of M runs`, `hangs` or CUDA's error. With --wrong
the wrong forms run, too. Lines of results/*.txt have this form, and table.py shows them. Exits with 1 if a right form is not ok.
"""

import argparse
import os
import re
import signal
import subprocess
import sys


def run(command, seconds):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    try:
        output = process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "hangs"
    last = output.strip().splitlines()[-1] if output.strip() else f"status {process.returncode}"
    if process.returncode == 77:
        sys.exit(f"gpu.py: {last}")
    if process.returncode == 1 and "wrong answer:" in last:
        return "wrong in " + last.rsplit(": ", 1)[1]
    return "ok" if process.returncode == 0 else last.replace("foreign: ", "")


def main():
    parser = argparse.ArgumentParser(prog="gpu.py")
    parser.add_argument("foreign", help="the program `foreign`, built for this GPU")
    parser.add_argument("--only", default="", help="only programs in whose name this regular expression is found")
    parser.add_argument("--wrong", action="store_true", help="run the wrong forms, too")
    parser.add_argument("--scale", default="200", help="how much work a run has (200)")
    parser.add_argument("--times", default="20", help="how often each form runs (20)")
    parser.add_argument("--seconds", type=float, default=60, help="after how many seconds a right form hangs (60), a wrong one in a third")
    options = parser.parse_args()
    listed = subprocess.run([options.foreign, "list"], stdout=subprocess.PIPE, text=True, check=True).stdout
    failed = 0
    for line in sorted(listed.splitlines()):
        name, *forms = line.split()
        if not re.search(options.only, name):
            continue
        for form in forms if options.wrong else ["right"]:
            seconds = options.seconds if form == "right" else options.seconds / 3
            result = run([options.foreign, name, form, options.scale, options.times], seconds)
            failed |= form == "right" and result != "ok"
            print(name, form, result, flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
