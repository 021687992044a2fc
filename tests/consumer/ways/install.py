# SPDX-License-Identifier: Apache-2.0
"""install: find_package of an install."""

import re

from user import needs_cuda, require, words


def standard_and_extensions(user):
    """The BMIs are built with the importer's standard and extensions; the device code of a Debug build links; default SMs."""
    user.configure("build", f"-DCMAKE_PREFIX_PATH={user.prefix}", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_STANDARD=23",
                   "-DCMAKE_CXX_EXTENSIONS=OFF", "-DBUILD_SHARED_LIBS=ON")
    user.make_and_run("build", "plain", "counter_user")


def shared_library(user):
    """A program with the shared library."""
    user.make("build", "waits")
    user.run_with_shared_library(user.work / "build/waits")


@needs_cuda
def passes_of_the_device_link(user):
    """A program, and one that links a static library with kernels, are linked with the passes of the device link."""
    rules = (user.work / "build/build.ninja").read_text()
    programs = re.findall(r"LINK_FLAGS = .*-Xoffload-linker .*--lto-newpm-passes=", rules)
    require(len(programs) >= 2, f"{len(programs)} programs are linked with the passes of the device link, and not two or more")


def flags_and_configurations(user):
    """The standard only in the flags; the configuration chosen at build time; a static library with kernels; a unity build, which
    joins no source that imports modules. No step warns. All imports of a line are found, and a comment declares no module."""
    unit = user.project / "scale.cppm"
    text = unit.read_text()
    one_line = text.replace("export import :factor;\nimport cudax.sync;", "import cudax.sync; export import :factor;")
    require(one_line != text, "scale.cppm does not import what the test moves to one line")
    unit.write_text(one_line)
    importer = user.project / "scale_user.cu"
    importer.write_text("/* Not one of the\nmodule units; it imports.\n*/\n" + importer.read_text())
    user.configure("flags", f"-DCMAKE_PREFIX_PATH={user.prefix}", "-DCMAKE_CXX_FLAGS=-std=c++23 -Werror", "-DCONSUMER_SM=90",
                   "-DCMAKE_UNITY_BUILD=ON", generator="Ninja Multi-Config")
    user.make_and_run("flags", "plain", "device", "counter_user", "outer_user", "scale_user", config="Debug")


@needs_cuda
def changed_header(user):
    """The sources that import a module are compiled again after a change of a header of it, and nothing else is."""
    (user.project / "scale.hpp").touch()
    steps = user.run(user.cmake, "--build", user.work / "flags", "--config", "Debug", "--target", "scale_user", "--", "-n", "-v")
    for source in ("scale_user.cu", "scale_function.cu", "scale.cppm"):
        require(re.search(rf" -c [^ ]*/{re.escape(source)}[^a-z]", steps), f"{source} is not compiled again after a change of a module's header: {steps}")
    require(not re.search(r"/scale_factor\.cppm[ \n]", steps), f"scale_factor.cppm is compiled again, although nothing of it has changed: {steps}")


def makefiles(user):
    """Unix Makefiles are rejected with advice."""
    user.rejects_makefiles(f"-DCMAKE_PREFIX_PATH={user.prefix}")


@needs_cuda
def another_major_version(user):
    """A toolkit of another major version is rejected: the same toolkit with another version number."""
    other = user.other_toolkit("cuda-99.0")
    for folder in ("include", "lib", "lib64", "nvvm"):
        (other / folder).symlink_to(user.cuda_root / folder)
    nvcc = other / "bin/nvcc"  # CMake runs nvcc to get the version
    nvcc.unlink(missing_ok=True)
    nvcc.write_text(f"#!/bin/sh\n[ \"$1\" != --version ] || {{ echo 'release 99.0, V99.0.1'; exit; }}\nexec '{user.cuda_root}/bin/nvcc' \"$@\"\n")
    nvcc.chmod(0o700)
    user.fails_with("built with CUDA [0-9.]+, but .* is CUDA 99.0.1: set CUDAToolkit_ROOT",
                    *user.configuring("other_cuda", f"-DCMAKE_PREFIX_PATH={user.prefix}", root=other))


@needs_cuda
def no_toolkit(user):
    """A project that wants CUDA is told that there is no toolkit."""
    user.fails_with("no CUDA toolkit 12.8 or later was found: set CUDAToolkit_ROOT", user.cmake, "-S", user.project, "-B", user.work / "no_cuda",
                    "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={user.prefix}", f"-DCMAKE_CXX_COMPILER={user.compiler}", "-DCUDAX_SYNC_CUDA=on",
                    "-DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON")


@needs_cuda
def several_folders(user):
    """The package is found in one folder and used in others. The BMIs of a target are built once for sources of several folders. A
    source in two targets has the options of each. A warning names SMs whose image lacks kernels."""
    user.write("several/CMakeLists.txt",
               "cmake_minimum_required(VERSION 3.28)\nproject(several CXX)\nadd_subdirectory(found)\nadd_executable(program)\n"
               "cudax_sync_cuda_sources(program first.cu SM 80)\nadd_subdirectory(more)\n"
               "add_executable(other)\ncudax_sync_cuda_sources(other first.cu SM 90)\n")
    user.write("several/found/CMakeLists.txt", "find_package(cudax_sync REQUIRED GLOBAL)\n")
    user.write("several/more/CMakeLists.txt", "cudax_sync_cuda_sources(program second.cu SM 80 90)\n")
    user.write("several/first.cu", "")
    user.write("several/more/second.cu", "")
    output = user.configure("several/build", f"-DCMAKE_PREFIX_PATH={user.prefix}", source=user.work / "several")
    rules = (user.work / "several/build/build.ninja").read_text()
    require("more/program.cudax_sync/" not in rules and "/program.cudax_sync/options" in rules,
            "the BMIs of a target are not the same ones from each folder")
    for target, sm in (("program", 80), ("other", 90)):
        step = re.search(rf"^build CMakeFiles/{target}\.dir/first\.cu\.o\b.*\n(?:.+\n)*? *FLAGS = (.*)", rules, re.M)
        require(step and f"arch=sm_{sm} " in step[1] and re.search(rf"@\S*/{target}\.cudax_sync/options", step[1]),
                f"first.cu, a source of two targets, does not have the options of '{target}': {step and step[1]}")
    require("compiled for SM 80, others" in words(output), f"no warning of kernels that the image for SM 90 lacks: {output}")
