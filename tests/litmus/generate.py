# SPDX-License-Identifier: Apache-2.0
"""generate: writes the programs of this folder. The test litmus.generated requires that they are what it writes.

    generate.py [--check] [FOLDER]

Writes FAMILY/NAME.litmus below FOLDER (default: this folder), and removes programs that it does not write. With --check it
compares, and exits with 1 if a file differs. The programs are in families/: each is one call of program().
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))  # an isolated Python (-I) does not search it
from families import FAMILIES
from families.program import PROGRAMS


def main(arguments):
    check = "--check" in arguments
    folders = [one for one in arguments if not one.startswith("--")]
    folder = pathlib.Path(folders[0]) if folders else pathlib.Path(__file__).resolve().parent
    for family in FAMILIES:
        family.make()
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.litmus")}
    wrong = []
    for path, text in sorted(PROGRAMS.items()):
        file = folder / path
        if check:
            if not file.exists() or file.read_text(encoding="utf-8") != text:
                wrong.append(f"{file}:1: is not what generate.py writes; run generate.py, or change families/ instead of the file")
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    for path in sorted(found - PROGRAMS.keys()):
        if check:
            wrong.append(f"{folder / path}:1: generate.py does not write it; add the program to families/, or remove the file")
        else:
            (folder / path).unlink()
            (folder / path).with_suffix(".expected").unlink(missing_ok=True)
    print("\n".join(wrong) if wrong else f"{len(PROGRAMS)} programs")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
