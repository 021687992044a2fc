#!/usr/bin/env -S python3 -I
# SPDX-License-Identifier: Apache-2.0
"""size: the BMIs of cudax.sync have a bounded size, and no unit includes a header from outside the library.

    size.py ROOT BMIS COMMAND...

One standard header in a unit adds some megabytes to its BMI, and breaks programs in CUDA mode that import first and include
afterwards. A small header shows only in the list of included files. BMIS is the folder of a flavour, COMMAND its compiler's
command line.
"""

import glob
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../house"))
import reader

LARGEST, TOTAL = 400_000, 4_500_000  # bytes of one BMI and of all; a standard header takes 5,000,000


def too_large(sizes):
    """What is wrong with the sizes of these BMIs, by their names."""
    for name, size in sizes.items():
        if size > LARGEST:
            yield f"{name} has {size} bytes, more than {LARGEST}; check whether its unit includes a standard header"
    if sum(sizes.values()) > TOTAL:
        yield f"the BMIs of cudax.sync have {sum(sizes.values())} bytes together, more than {TOTAL}; see which one has grown"


def from_outside(root, rule):
    """The headers outside of the library in a rule of make. The ignore list of a sanitizer is an input of the compiler, too, but
    not a header."""
    return [word for word in re.split(r"[\s\\]+", rule)
            if word.startswith("/") and not word.startswith(f"{root}/") and not word.endswith((".pcm", "_ignorelist.txt"))]


def main(root, bmis, *command):
    assert from_outside("/root", "a.o: /root/a.cppm \\\n /usr/include/b.h /root/c.hpp") == ["/usr/include/b.h"]
    assert len(list(too_large({"a": LARGEST + 1, "b": TOTAL}))) == 3
    paths = [*glob.glob(f"{bmis}/cudax.sync.pcm"), *glob.glob(f"{bmis}/cudax.sync-*.pcm")]
    sizes = {os.path.basename(path): os.path.getsize(path) for path in paths}
    wrong = list(too_large(sizes))
    tree = reader.Tree(root)
    units = [path for path in tree.files("modules", ".cppm") if not path.startswith("modules/host/") and path != "modules/sync_host.cppm"]
    language = "cuda" if "cuda" in command else "c++-module"
    for unit in units:  # -nocudainc: as the units are built
        rule = subprocess.run([*command, "-Qunused-arguments", "-nocudainc", "-x", language, "-M", f"{root}/{unit}"], check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        if others := from_outside(root, rule):
            wrong.append(f"{unit} includes files from outside the library: {' '.join(others)}; a unit includes no standard header")
    if len(sizes) < 40 or len(units) < 40:
        wrong.append(f"found only {len(sizes)} BMIs in {bmis}, and {len(units)} units in {root}/modules; build the target static_bmis")
    for what in wrong:
        print(what, file=sys.stderr)
    print(f"{len(units)} units include only headers of the library; their BMIs have {sum(sizes.values())} bytes" if not wrong else "")
    return bool(wrong)


sys.exit(main(*sys.argv[1:]))
