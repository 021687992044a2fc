# SPDX-License-Identifier: Apache-2.0
"""user: what the ways share: running commands as a user would, and looking at what they have made."""

import os
import re
import shutil
import subprocess
from pathlib import Path


class Failure(Exception):
    """What is not as it should be. The text says which command, what it did, and what was expected."""


def needs_cuda(case):
    """Marks a case that a build without CUDA leaves out."""
    case.needs_cuda = True
    return case


def words(text):
    """The text with single spaces: CMake wraps its lines."""
    return re.sub(r"\s+", " ", text)


def require(condition, failure):
    if not condition:
        raise Failure(failure)


class User:
    """A user with an empty folder `work`, which holds a copy of the project in project/."""

    def __init__(self, way, settings):
        self.way = way
        self.source = Path(settings["SOURCE"])  # the checkout
        self.build = Path(settings["BUILD"])  # its build folder
        self.work = Path(settings["WORK"]) / way
        self.prefix = Path(settings["WORK"]) / "prefix"  # an install that ways share (ways/installed.py)
        # Ways share the cache of cudax++, as they do on a user's machine. Its name must not be interpreted by a shell.
        self.cache = Path(settings["WORK"]) / "it's $(touch executed)'s"
        self.cmake = settings["CMAKE"]
        self.compiler = settings["COMPILER"]
        self.build_type = settings["BUILD_TYPE"]
        self.cxx_flags = settings["CXX_FLAGS"]
        self.checked = settings["CHECKED"]
        self.ar = settings["AR"]
        self.offload_binary = Path(settings["OFFLOAD_BINARY"])
        self.emulate = settings["EMULATE"]  # the command, if programs run on the emulator
        self.nvdisasm = settings["NVDISASM"] if "NOTFOUND" not in settings["NVDISASM"] else ""
        self.cuda = settings["CUDA"] in ("TRUE", "ON", "1")
        self.cuda_root = Path(settings["CUDA_ROOT"])
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.cache)}
        self.project = self.work / "project"
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.source / "tests/consumer/project", self.project)

    # --- commands -----------------------------------------------------------------------------------------------------

    def call(self, command, cwd=None, unset=(), **environment):
        """Runs a command; its output, both streams together, is in the result."""
        variables = {name: value for name, value in self.environment.items() if name not in unset}
        return subprocess.run([str(word) for word in command], cwd=cwd or self.work, text=True, errors="replace", stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**variables, **environment})

    def run(self, *command, exits=(0,), **options):
        """Runs a command that must succeed, and returns its output."""
        result = self.call(command, **options)
        print(result.stdout, end="", flush=True)
        require(result.returncode in exits, f"'{' '.join(map(str, command))}' ended with {result.returncode}")
        return result.stdout

    def fails_with(self, pattern, *command, **options):
        """The command must fail with an output that matches the pattern."""
        result = self.call(command, **options)
        require(result.returncode != 0 and re.search(pattern, words(result.stdout)),
                f"'{' '.join(map(str, command))}' ended with {result.returncode} and not with '{pattern}': {result.stdout}")

    def with_umask(self, mask, *command):
        """Runs a command with this umask."""
        self.run("bash", "-c", f'umask {mask} && exec "$@"', "umask", *command)

    def run_device(self, program):
        """Runs a program that needs a device: on the emulator if there is one. Without a device the program exits with 77."""
        if self.emulate:
            self.run(self.emulate, "--build", self.build, "--sm", "90", program)
        else:
            self.run(program, exits=(0, 77))

    def run_with_shared_library(self, program):
        """The program needs the shared library, and runs."""
        require(b"libcudax_sync_process.so.1" in Path(program).read_bytes(), f"{program} does not need the shared library")
        self.run(program)

    # --- files --------------------------------------------------------------------------------------------------------

    def write(self, name, text):
        """Writes a file in the work folder, and returns its path."""
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def plant_headers(self):
        """Headers of the names that cudax.sync includes, of which no command with this working directory may include one."""
        for name in ("cuda", "cuda_keywords"):
            self.write(f"cudax/{name}.hpp", "#error from the working directory\n")

    # --- CMake --------------------------------------------------------------------------------------------------------

    def configuring(self, folder, *arguments, source=None, generator="Ninja", root=None):
        """The command that configures the project, or another source, in a folder of the work folder."""
        command = [self.cmake, "-S", source or self.project, "-B", self.work / folder, "-G", generator, f"-DCMAKE_CXX_COMPILER={self.compiler}"]
        if self.cuda:
            command.append(f"-DCUDAToolkit_ROOT={root or self.cuda_root}")
        return command + list(arguments)

    def configure(self, folder, *arguments, **options):
        return self.run(*self.configuring(folder, *arguments, **options))

    def make(self, folder, *targets, config=None):
        command = [self.cmake, "--build", self.work / folder]
        command += ["--config", config] if config else []
        self.run(*command, *(["--target", *targets] if targets else []))

    def make_and_run(self, folder, *programs, config=None):
        """Builds and runs these programs; without CUDA only `plain`."""
        programs = programs if self.cuda else ("plain",)
        self.make(folder, *programs, config=config)
        for program in programs:
            self.run_device(self.work / folder / (config or "") / program)

    def rejects_makefiles(self, *arguments):
        """CMake with Unix Makefiles must fail with advice."""
        self.fails_with("the generator is Unix Makefiles, .* with -G Ninja", self.cmake, "-S", self.project, "-B", self.work / "makefiles",
                        "-G", "Unix Makefiles", *arguments, f"-DCMAKE_MAKE_PROGRAM={self.cmake}",
                        f"-DCMAKE_CXX_COMPILER={self.compiler}", "-DCMAKE_CXX_COMPILER_FORCED=ON")

    # --- device code --------------------------------------------------------------------------------------------------

    def links_device_code(self, *command):
        """This command, for sm_90, links device.cu to PTX that names the state space of the kernel's parameter, because it
        passes the passes of the device link; and it uses the tools of the device link. Only the link keeps its temporary files:
        to compile with them, clang preprocesses first, and then rejects make_unsigned.h of CUDA 13.5."""
        folder = self.work / "temporaries"
        folder.mkdir()
        self.run(*command, "-c", self.project / "device.cu", "-o", "device.o", cwd=folder)
        self.run(*command, "device.o", "-save-temps", "-o", "device", cwd=folder)
        ptx = next(folder.glob("*.nvptx64.sm_90.s")).read_text()
        atomics = re.findall(r"^.*[ \t](?:atom|red|isspacep)[.].*$", ptx, re.M)
        require(len(atomics) == 1 and re.fullmatch(r"[ \t]*atom\.acq_rel\.gpu\.global\.add\.u32 .*", atomics[0]),
                f"'{command}' does not know the state space of a kernel's parameter: {atomics}")
        self.is_whole_program(folder)

    def is_whole_program(self, folder):
        """The machine code for sm_90 that a link with -save-temps has left in the folder is that of a whole program: a release
        has no instructions for code that ptxas does not see (tools/cmake/cuda_tool.in)."""
        if not self.nvdisasm:
            print("the machine code is not checked: nvdisasm was not found")
            return
        image = next(Path(folder).glob("*.nvptx64.sm_90.img"))
        code = self.call((self.nvdisasm, "-c", image)).stdout
        require(re.search(r"MEMBAR\.ALL\.(GPU|SYS)", code) and "MEMBAR.ALL.CTA" not in code,
                f"{image} has no release, or is not compiled as a whole program: {code}")

    def other_toolkit(self, folder):
        """A folder with links to the tools of the toolkit."""
        tools = self.work / folder / "bin"
        tools.mkdir(parents=True)
        for tool in (self.cuda_root / "bin").iterdir():
            (tools / tool.name).symlink_to(tool)
        return tools.parent
