# SPDX-License-Identifier: Apache-2.0
"""readme: the program and the CMakeLists.txt in README.md, by CMake and by cudax++ of an install. Only with a toolkit."""

import re

from user import Failure, require


def _block(user, language):
    found = re.search(rf"\n```{language}\n([^`]*)\n```\n", (user.source / "README.md").read_text())
    if not found:
        raise Failure(f"README.md holds no block of {language}: it begins after a line ```{language}")
    return found[1] + "\n"


def with_cmake(user):
    """Its CMakeLists.txt builds its program, with PTX beside the machine code."""
    user.write("answer.cu", _block(user, "cpp"))
    (user.project / "answer.cu").write_text(_block(user, "cpp"))
    (user.project / "CMakeLists.txt").write_text(_block(user, "cmake"))
    user.configure("build", f"-DCMAKE_PREFIX_PATH={user.prefix}", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_EXE_LINKER_FLAGS=-save-temps")
    user.make("build")
    user.is_whole_program(user.work / "build")


def without_ptx(user):
    """Without PTX the program has less device code."""
    fatbin = user.work / "build/answer.fatbin"
    with_ptx = fatbin.stat().st_size
    user.run(user.cmake, "-DCUDAX_SYNC_EMBED_PTX=OFF", user.work / "build")
    user.make("build")
    user.is_whole_program(user.work / "build")
    without = fatbin.stat().st_size
    require(without < with_ptx, f"{without} bytes of device code without PTX, but {with_ptx} with it")


def with_the_command(user):
    """cudax++ builds it. If the program cannot run, it reports what is missing."""
    user.run(user.prefix / "bin/cudax++", "-O2", "answer.cu", "-o", "answer")
    result = user.call((user.work / "answer",))
    print(result.stdout)
    answers = result.returncode == 0 and result.stdout == "the GPU says 42\n"
    reports = result.returncode == 1 and re.match(r"cudax\.sync: make_mapped: .*driver", result.stdout, re.S)
    require(answers or reports, f"the program in README.md ended with {result.returncode}: {result.stdout}")
