# SPDX-License-Identifier: Apache-2.0
"""layers: files keep to the rooms that the README.md of their folder lists.

A folder has rooms if its README.md has a table whose first column is called `room`, and whose last one `may import` (for units)
or `may include`:

    | room | what it holds | may include |
    |---|---|---|
    | `base/` | messages | |
    | `waiting/` | threads that wait | `base` |
    | `device/` | what calls the device | `base` `waiting` `arch/` |

A room is a folder of that folder, or a folder of a room (`copy/model/`); a file belongs to the innermost room that is listed.
A file uses files of its own room and of the rooms that its row names; a name stands for the rooms inside it, too. A row names
rooms of earlier rows only, so that dependencies have no circle. A name with a slash at its end is a folder from the root:
what the room uses outside. Every name must be needed.

Units of modules/ (`may import`) also keep to the order of files.cmake.
"""

import functools
import os
from dataclasses import dataclass

from reader import Finding, Problem, cmake_list, imports, includes, module_of, tables

ROOMS = (  # these folders have rooms; others may
    "modules",
    "runtime",
    "tests",
    "tests/emulator",
    "tests/runtime",
    "tools/emulator",
    "tools/emulator/check",
    "tools/emulator/instructions/support",
)
UNITS = "modules/files.cmake"


@dataclass(frozen=True)
class Room:
    line: int
    allowed: tuple


@dataclass(frozen=True)
class House:
    folder: str
    readme: str
    units: bool  # its files are units, which import
    inner: bool  # it is a room of another house, which checks what its files use outside
    rooms: dict  # name -> Room, in the order of the table

    def room_of(self, path):
        """The innermost room of a file, or None."""
        inner = os.path.dirname(path[len(self.folder) + 1 :])
        while inner and inner not in self.rooms:
            inner = os.path.dirname(inner)
        return inner or None


def covers(name, room):
    """Whether a name in a table stands for a room."""
    return room == name or room.startswith(name + "/")


def houses(tree):
    found = []
    for readme in sorted(path for path in tree.paths if path.endswith("/README.md")):
        for table in tables(tree.read(readme)):
            if table.head[0] == "room" and table.head[-1] in ("may import", "may include"):
                rooms = {}
                for row in table.rows:
                    names = row.names(0)
                    if len(names) != 1 or not names[0].endswith("/"):
                        raise Problem(f"{readme}:{row.line}: a row names {names or 'no room'}; begin it with one folder, as `room/`")
                    rooms[names[0][:-1]] = Room(row.line, tuple(row.names(len(table.head) - 1)))
                folder = os.path.dirname(readme)
                inner = any(folder.startswith(other.folder + "/") for other in found)  # sorted: the outer one comes first
                found.append(House(folder, readme, table.head[-1] == "may import", inner, rooms))
    for folder in ROOMS:
        if not any(house.folder == folder for house in found):
            raise Problem(f"{folder}/README.md: there is no table of rooms; it has the columns | room | ... | may include |")
    return found


@functools.cache
def candidates(folder, house, name):
    """The paths that an included name may stand for: beside the file, and in the folders that the compiler searches."""
    return [os.path.normpath(os.path.join(base, name)) for base in dict.fromkeys((folder, house, "tests", ""))]


def uses(tree, house, units):
    """(path, line, what the text names, the path of the file that it uses or None) of the files of a house."""
    for path in tree.files(house.folder):
        if house.units and path.startswith("modules/include/"):
            continue  # headers for programs, which import the modules as programs do
        text = tree.read(path)
        for line, name in includes(text):
            tried = candidates(os.path.dirname(path), house.folder, name)
            yield path, line, name, next((other for other in tried if other in tree.paths), None)
        for line, name in imports(text) if house.units else []:
            yield path, line, name, units.get(name)


def check_tables(tree, house, used):
    """Findings of the table itself; `used` holds (room, room or folder outside)."""
    seen, folders = [], tree.folders()
    for name, room in house.rooms.items():
        if f"{house.folder}/{name}" not in folders:
            yield Finding(house.readme, room.line, f"lists the room {name}, which does not exist", "remove the row, or correct the name")
        for allowed in room.allowed:
            if allowed.endswith("/"):
                known = allowed[:-1] in folders
            elif house.units and f"{house.folder}/{allowed}.cppm" in tree.paths:
                known = True  # a unit outside of the rooms, such as sync
            else:
                known = any(covers(allowed, other) for other in seen)
            if not known:
                yield Finding(house.readme, room.line, f"lets the room {name} use {allowed}, which is no room of an earlier row",
                              "put the row of the lower room first, and remove what points up")
            elif not any(user == name and (covers(allowed, other) or (allowed.endswith("/") and (other + "/").startswith(allowed)))
                         for user, other in used):
                yield Finding(house.readme, room.line, f"lets the room {name} use {allowed}, which no file does",
                              f"remove `{allowed}` from the row")
        seen.append(name)


def check_house(tree, house, units, order):
    """Findings of one house, and at last how many uses there are."""
    used, count = set(), 0
    for path in tree.files(house.folder):
        if house.units and (path.startswith("modules/include/") or os.path.dirname(path) == house.folder):
            continue  # headers for programs; the modules themselves
        if house.room_of(path) is None:
            yield Finding(path, 0, f"is in no room of the table of {house.readme}", "move it into a room, or add a row for its folder")
    for path, line, name, other in uses(tree, house, units):
        count += 1
        room = house.room_of(path)
        if other is None:
            if "/" in name or house.units:
                yield Finding(path, line, f"uses {name}, which does not exist", "correct the name")
            continue  # a header that the build writes
        if house.units and other in order and path in order and order[other] >= order[path]:
            yield Finding(path, line, f"imports {other}, which is later in {UNITS}", "move the unit up, or do not import it")
        if room is None:
            continue
        allowed = house.rooms[room].allowed
        if not other.startswith(house.folder + "/"):
            folder = os.path.dirname(other)
            used.add((room, folder))
            if not house.units and not any(name.endswith("/") and (folder + "/").startswith(name) for name in allowed) and not house.inner:
                yield Finding(path, line, f"uses {other}, which is outside of {house.folder}/",
                              f"do not, or add `{folder}/` to the row of {room} in {house.readme}")
            continue
        target = house.room_of(other)
        if target is None and house.units:
            target = os.path.splitext(other[len(house.folder) + 1 :])[0]
        if target is None or target == room:
            continue
        used.add((room, target))
        if not any(covers(name, target) for name in allowed):
            yield Finding(path, line, f"uses {other}: the room {room} may not use {target}",
                          f"move what is needed down, or, if the arrow is right, add `{target}` to the row of {room} in {house.readme}")
    yield from check_tables(tree, house, used)
    yield count


UNCHANGED = {}  # what was found in a house of the tree without changes: most planted violations touch one house


def check_if_changed(tree, house, units, order):
    touched = any(path.startswith(house.folder + "/") for path in tree.changes)
    if touched or house.folder not in UNCHANGED:
        found = list(check_house(tree, house, units, order))
        if tree.changes:
            return found
        UNCHANGED[house.folder] = found
    return UNCHANGED[house.folder]


def check(tree):
    order = {f"modules/{unit}.cppm": place for place, unit in enumerate(cmake_list(tree, UNITS, "CUDAX_SYNC_UNITS"))}
    units, findings, count = {}, [], 0
    for path in tree.files("modules", ".cppm"):
        units[module_of(tree.read(path))] = path
        if path not in order:
            findings.append(Finding(path, 0, f"is not in {UNITS}", "add it, after the units that it imports"))
    found = houses(tree)
    for house in found:
        *more, uses_here = check_if_changed(tree, house, units, order)
        findings += more
        count += uses_here
    if len(units) < 40 or count < 400:
        raise Problem(f"layers: understood only {len(units)} units and {count} uses; correct reader.py, which reads them")
    return findings, f"{count} uses keep to the rooms of {', '.join(house.folder for house in found)}"


def plants(tree):
    for house in houses(tree):
        rooms = list(house.rooms)
        first, last = rooms[0], rooms[-1]
        with_sources = [room for room in rooms if tree.files(f"{house.folder}/{room}")]
        for lower, upper in zip(with_sources, with_sources[1:]):
            planted = f"{house.folder}/{lower}/planted.hpp"
            include = os.path.relpath(tree.files(f"{house.folder}/{upper}")[0], os.path.dirname(planted))
            changed = tree.with_file(planted, f'  #  include "{include}" // planted\n')
            yield f"{house.folder}: an include that points up", changed, f"planted.hpp:1: .*the room {lower} may not use"
        planted = f"{house.folder}/{first}/planted.hpp"
        yield f"{house.folder}: a folder without a row", tree.with_file(f"{house.folder}/planted/file.hpp", ""), "is in no room"
        yield f"{house.folder}: an include of no file", tree.with_file(planted, '#include "../no/such.hpp"\n'), "does not exist"
        lines = tree.read(house.readme).split("\n")

        def changed(name, change):
            line = house.rooms[name].line
            return tree.with_line(house.readme, line, change(lines[line - 1]))

        yield f"{house.folder}: a room without a row", changed(last, lambda row: None), "is in no room"
        points_up = changed(first, lambda row: f"{row[:-1]} `{last}` |")
        yield f"{house.folder}: a row that points up", points_up, f"use {last}, which is no room of an earlier row"
        no_folder = changed(first, lambda row: f"{row}\n| `planted/` | nothing | |")
        yield f"{house.folder}: a row of no folder", no_folder, "the room planted, which does not exist"
        for place, name in enumerate(rooms):
            free = [other for other in rooms[:place] if not any(covers(allowed, other) for allowed in house.rooms[name].allowed)]
            if free:
                unneeded = changed(name, lambda row: f"{row[:-1]} `{free[0]}` |")
                yield f"{house.folder}: a name that no file needs", unneeded, f"the room {name} use {free[0]}, which no file does"
                break
        if not house.units:
            yield f"{house.folder}: a file beside the rooms", tree.with_file(f"{house.folder}/planted.hpp", ""), "is in no room"
            outside = tree.with_file(planted, f'#include "{os.path.relpath("arch/planted.hpp", os.path.dirname(planted))}"\n')
            if not house.inner:
                yield f"{house.folder}: an include from outside", outside.with_file("arch/planted.hpp", ""), "which is outside of"
    unit = "modules/atomic/fence.cppm"
    yield "an import that points up", tree.replaced(unit, r"^import :machine;", r"\g<0>\nimport :mutex;"), "the room atomic may not use thread"
    unit = "modules/wait/back_off.cppm"
    yield "an import of a later unit", tree.replaced(unit, r"^import :bits;", r"\g<0>\nimport :wait;"), "which is later in"
    unit = "modules/wait/wait.cppm"
    yield "an import of no unit", tree.replaced(unit, r"^import :scope;", "import :no_such;"), "uses cudax.sync:no_such, which does not exist"
    yield "a unit outside of the list", tree.replaced(UNITS, r" copy/copy_ways\b", ""), "modules/copy/copy_ways.cppm: is not in"
