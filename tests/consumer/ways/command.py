# SPDX-License-Identifier: Apache-2.0
"""command: bin/cudax++ of an install. Other flags of the language, each of which needs BMIs of its own: ways/package.py."""

import os
import re
import shlex
import shutil
import stat

from user import Failure, needs_cuda, require, words


def _command(user):
    return user.prefix / "bin/cudax++"


def _compiling(user):
    return _command(user), "-c", user.project / "plain.cpp", "-o", user.work / "none.o"


def program(user):
    """One command builds a program. With umask 022 other users may read its cache."""
    user.with_umask("022", _command(user), "-O2", user.project / "plain.cpp", "-o", user.work / "plain")
    user.run(user.work / "plain")
    private = user.run("find", user.cache, "-type", "d", "!", "-perm", "-005")
    require(not private, f"with umask 022 other users cannot read {private}")


def rejected_flag(user):
    """The message for a flag that clang rejects comes from the library's units."""
    user.fails_with("does not compile", _command(user), "-fno-such-option", *_compiling(user)[1:])


def _rejects_owner(user, path, pattern):
    """A file or folder of another user is rejected; only root can give one away."""
    if os.geteuid() == 0:
        os.chown(path, 1, 1)
        user.fails_with(pattern, *_compiling(user))
        os.chown(path, 0, 0)


def _used_folder(user):
    """The folder of BMIs that the command uses. Other ways have theirs in the same cache, so all of them are opened to other
    users: the message names the one that is used."""
    folders = {folder: stat.S_IMODE(folder.stat().st_mode) for folder in (user.cache / "cudax_sync").glob("plain-*")}
    for folder, mode in folders.items():
        folder.chmod(mode | stat.S_IWOTH)
    output = words(user.call(_compiling(user)).stdout)
    for folder, mode in folders.items():
        folder.chmod(mode)
    used = [folder for folder in folders if folder.name in output]
    require(len(used) == 1, f"of {[folder.name for folder in folders]} the command names {len(used)}: {output}")
    return used[0]


def changed_bmis(user):
    """BMIs that another user may have changed are not used: of a folder, of a file, of the cache."""
    folder = _used_folder(user)
    bmi = next(folder.rglob("cudax.sync.pcm"))
    others = "could have been changed by another user"
    for path in (folder, bmi, user.cache / "cudax_sync"):
        mode = stat.S_IMODE(path.stat().st_mode)
        path.chmod(mode | stat.S_IWOTH)
        user.fails_with(f"{others}.* delete .*, or set XDG_CACHE_HOME to a folder of your own", *_compiling(user))
        path.chmod(mode)
        _rejects_owner(user, path, f"which belongs to [a-z]+ and has the mode [0-9]+, {others}")


def replaceable_cache(user):
    """No other user can replace the cache, from any folder above it. With the sticky bit every user may write there; a group may."""
    above = user.cache.parent
    mode = stat.S_IMODE(above.stat().st_mode)
    above.chmod(mode | stat.S_IWGRP)
    user.run(*_compiling(user))
    above.chmod(mode)
    for path in (user.cache, above):
        mode = stat.S_IMODE(path.stat().st_mode)
        path.chmod(mode | stat.S_IWOTH)
        user.fails_with("another user can replace what is in .*, which belongs to .* and has the mode .* set XDG_CACHE_HOME to", *_compiling(user))
        path.chmod(mode | stat.S_IWOTH | stat.S_ISVTX)
        user.run(*_compiling(user))
        path.chmod(mode)
        _rejects_owner(user, path, "another user can replace what is in .*, which belongs to [a-z]+ and")


def no_home(user):
    """Without HOME. Nothing has executed what is in the name of the cache."""
    user.run(_command(user), "--help", unset=("HOME", "XDG_CACHE_HOME"))
    for folder in (user.work, user.cache.parent, user.source / "tests/consumer", user.prefix):
        require(not (folder / "executed").exists(), f"the name in XDG_CACHE_HOME was executed: {folder}/executed")


def response_files(user):
    """A response file with a name that contains a space, within another one. 20,000 names take seconds."""
    shutil.copy(user.project / "plain.cpp", user.work / "plain source.cpp")
    user.write("more", f'-o "{user.work}/plain \\"at\\""\n')
    user.write("arguments", f"-O2 '{user.work}/plain source.cpp'\n @{user.work}/more\n")
    user.run(_command(user), f"@{user.work}/arguments")
    user.run(user.work / 'plain "at"')
    user.write("names", " ".join(f"/a/folder/of/objects/name_{number}.o" for number in range(1, 20001)) + " ")
    user.run("timeout", "120", _command(user), f"@{user.work}/names", "--help")


def names_after_two_dashes(user):
    """Names after -- may begin like options and response files."""
    for name in ("-plain.cpp", "@plain.cpp"):
        shutil.copy(user.project / "plain.cpp", user.work / name)
        user.run(_command(user), "-O2", "-o", "named", "--", name)
        user.run(user.work / "named")


def other_standard(user):
    """Other BMIs: no umask lets other users change them; -std and --std are the same flag."""
    compiling = ("-fno-exceptions", "-c", user.project / "plain.cpp", "-o", user.work / "plain.o")
    user.with_umask("000", _command(user), "-std=c++26", *compiling)
    folders = set((user.cache / "cudax_sync").iterdir())
    user.run(_command(user), "--std=c++26", *compiling)
    require(set((user.cache / "cudax_sync").iterdir()) == folders, "-std=c++26 and --std=c++26 do not use the same BMIs")
    user.run(_command(user), user.work / "plain.o", "-o", user.work / "plain26")
    user.run(user.work / "plain26")


OWN = ("export module own;\nimport cudax.sync;\nexport cudax::atomic<int>& own() {\n"
       "  static cudax::atomic<int> own = 0;\n  return own;\n}\n")


def own_module(user):
    """A module of the program: in one command; and by several, which share a folder."""
    user.write("own.cppm", "export module own;\nimport cudax.sync;\nexport cudax::atomic<int>& own();\n")
    user.run(_command(user), "-O2", "-fmodule-output", "-c", "own.cppm", "-o", "own.o")
    user.write("own_user.cpp", "import own;\nint main() { return own().load(); }\n")
    user.write("own.cppm", OWN)
    user.run(_command(user), "-O2", "own_user.cpp", "own.cppm", "-o", "own_user")
    user.run(user.work / "own_user")
    user.run(*_own(user))
    user.run(_command(user), "-O2", f"--bmi-folder={user.work}/bmis", "own_user.cpp", "own.o", "-o", "own_user")
    user.run(user.work / "own_user")


def _own(user):
    return _command(user), "-O2", f"--bmi-folder={user.work}/bmis", "-c", "own.cppm", "-o", "own.o"


def own_bmis(user):
    """The folder holds no BMI that another user may have changed, and cudax++ writes none."""
    for name in ("bmis/plain/own.pcm", "bmis/plain", "bmis"):
        path = user.work / name
        mode = stat.S_IMODE(path.stat().st_mode)
        path.chmod(mode | stat.S_IWOTH)
        user.fails_with("another user.* a folder of your own with --bmi-folder", *_own(user))
        path.chmod(mode)
    shutil.rmtree(user.work / "bmis")
    user.with_umask("000", *_own(user))
    user.run(*_own(user))


def declarations_of_modules(user):
    """All imports of a line, the units in any order, a declaration of two lines. What a comment says, or what follows a
    declaration, declares no module."""
    units = [user.write("a.cppm", '/*\n module widgets;\n*/\nmodule;\n#define A "/*"\nexport\nmodule a; import b; import c;\nexport int a();\n'),
             user.write("b.cppm", "export module b; import cudax.sync; export import c;\nexport int b();\n"),
             user.write("c.cppm", "export module\nc;\nexport int c();\n")]
    user.run(_command(user), "-fsyntax-only", *units)
    user.run(_command(user), "-fsyntax-only", *reversed(units))
    user.write("none.cppm", "// export module none;\nint f();\n")
    user.fails_with("none.cppm declares no module; begin it with", _command(user), "-fsyntax-only", user.work / "none.cppm")


def keywords_in_plain(user):
    """In plain C++ CUDA's keywords mean nothing, also where a header of CUDA has defined them."""
    user.write("keywords.cpp", "#define __host__ __attribute__((host))\n#include <cudax/cuda.hpp>\n__host__ __device__ int f() { return 1; }\n"
               "__device__ __forceinline__ int g() { return 1; }\n__managed__ int h;\n__global__ __cluster_dims__(2, 1) __maxnreg__(32) void k() {}\n")
    user.run(user.compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{user.source}/modules/include", "-fsyntax-only", "keywords.cpp")


def rejected_commands(user):
    """Module units that import each other, two of one name, -x c, an option without its value."""
    shutil.copy(user.work / "own.cppm", user.work / "own_twice.cppm")
    user.write("other.cppm", "export module other;\nimport own;\n")
    user.write("own.cppm", "export module own;\nimport other;\n")
    user.fails_with("these module units import each other: .*; move what both need to a third module", _command(user), "-c", "own.cppm", "other.cppm")
    user.fails_with("both .* and .* declare the module own", _command(user), "-c", "own.cppm", "own_twice.cppm")
    user.fails_with("-x c: the suffix says what a source is", _command(user), "-x", "c", "own_user.cpp")
    user.fails_with("the last argument, -D, lacks its value", _command(user), "own_user.cpp", "-D")


@needs_cuda
def device_link(user):
    """The link passes the passes of the device link, and makes a whole program."""
    user.links_device_code(_command(user), "-O2", "--offload-arch=sm_90")


@needs_cuda
def module_units_for_two_sms(user):
    """Module units of the program, for two SMs: one by a command of its own, the others beside a source that imports them."""
    flags = ("-O2", "-Wall", "-Wextra", "-Werror", "--offload-arch=sm_80,sm_90", f"--bmi-folder={user.work}/bmis")
    project = user.project
    user.run(_command(user), *flags, "-x", "cuda", "-c", project / "scale_factor.cppm", "-o", "scale_factor.o")
    user.run(_command(user), *flags, project / "scale_user.cu", project / "scale_function.cu", project / "scale.cppm", "scale_factor.o", "-o", "scale")
    user.run_device(user.work / "scale")
    # A plain C++ source imports a module whose object is CUDA, the only source of its command.
    user.run(_command(user), "-O2", f"--bmi-folder={user.work}/bmis", "-c", "own_user.cpp", "-o", "own_user.o")
    user.run(_command(user), *flags, "-x", "cuda", "own_twice.cppm", "own_user.o", "-o", "own_user")
    user.run(user.work / "own_user")


@needs_cuda
def module_unit_of_the_guide(user):
    """The guide's module unit, by the command of its page, with headers of the library's names in the working directory."""
    shutil.copy(user.source / "tests/guide/counting.cppm", user.work)
    user.write("main.cu", "/* Not one of the\nmodule units; it imports.\n*/\nimport counting;\nint main() { count_threads<<<1, 32>>>(nullptr); }\n")
    page = (user.source / "tools/documentation/guide/building.md").read_text()
    found = re.search(r"\n    cudax\+\+ ([^\n]* counting\.cppm [^\n]*)\n", page)
    if not found:
        raise Failure("guide/building.md holds no command for its module unit counting.cppm")
    user.plant_headers()
    user.run(_command(user), "--offload-arch=sm_90", *shlex.split(found[1]))


@needs_cuda
def size_of_clusters(user):
    """clang 22 ignores the size of a kernel's clusters without a warning; cudax++ warns."""
    user.write("clusters.cu", "__global__ void __cluster_dims__(2, 1, 1) kernel() {}\n")
    user.fails_with(r"clusters.cu:1:17: error: .*__cluster_dims__.* clang 22 ignores it.* cudax::launch_cluster\(\)", _command(user), "-Werror",
                    "-Wno-error=unknown-cuda-version", "--offload-arch=sm_90", "-fsyntax-only", "clusters.cu")


@needs_cuda
def rejected_sms(user):
    """SMs for which clang does not compile, and one that is not in the archive; by cudax++ and when the library is configured."""
    for sm, message in (("100f", "no SM with an f; use sm_100"), ("110", "does not compile for sm_110 .* use sm_100, whose PTX"),
                        ("60", "sm_60 is not in the archive, which holds .* build cudax.sync with it")):
        user.fails_with(message, _command(user), f"--offload-arch=sm_{sm}", "-c", user.project / "device.cu", "-o", "none.o")
    for sm, message in (("110", "choose 100, whose PTX"), ("103f", "no SM with an f; choose 103"), ("60", "supports only")):
        user.fails_with(f"CUDAX_SYNC_SM names sm_{sm}.*{message}", *user.configuring(f"sm_{sm}", f"-DCUDAX_SYNC_SM={sm}", source=user.source))


@needs_cuda
def rejected_toolkits(user):
    """The preset of one toolkit with another; a toolkit of another major version."""
    user.fails_with("CUDAX_SYNC_CUDA_VERSION is 42.1, but the toolkit in .* Run tools/setup --cuda-version 42.1",
                    *user.configuring("version", "-DCUDAX_SYNC_CUDA_VERSION=42.1", source=user.source))
    user.write("cuda-99.0/include/cuda_runtime_api.h", "#define CUDART_VERSION  99000\n")
    (user.work / "cuda-99.0/bin").symlink_to(user.cuda_root / "bin")
    user.fails_with("cuda-99.0 is a CUDA 99 toolkit, but the library was built with CUDA [0-9]+; set CUDAX_CUDA", _command(user), "-O2",
                    user.project / "device.cu", "-o", "none", CUDAX_CUDA=str(user.work / "cuda-99.0"))


@needs_cuda
def debug(user):
    """With -g, compiled and linked by two commands."""
    user.run(_command(user), "-g", "--offload-arch=sm_90", "-c", user.project / "device.cu", "-o", "device.o")
    user.run(_command(user), "-g", "device.o", "-o", "device_debug")
    user.run_device(user.work / "device_debug")


@needs_cuda
def static_library(user):
    """A static library with kernels, and programs without kernels: the source, an object, -L and -l, another name extension."""
    user.run(_command(user), "-O2", "--offload-arch=sm_90", "-c", user.project / "counter.cu", "-o", "counter.o")
    user.run(user.ar, "qc", "libkernels.a", "counter.o")
    user.run(_command(user), "-O2", "-c", user.project / "counter_user.cpp", "-o", "main.o")
    shutil.copy(user.work / "counter.o", user.work / "counter.obj")
    source = user.project / "counter_user.cpp"
    for arguments in (("-O2", source, "libkernels.a"), ("main.o", "libkernels.a"), ("main.o", f"-L{user.work}", "-l:libkernels.a"),
                      (source, "counter.obj")):
        user.run(_command(user), *arguments, "-o", "static_user")
        user.run_device(user.work / "static_user")


@needs_cuda
def objects_of_nvcc(user):
    """Objects of nvcc. With -rdc=true nvcc links their device code; it leaves no PTX, so the emulator cannot run their kernels."""
    nvcc, host_compiler = user.cuda_root / "bin/nvcc", shutil.which("g++")
    if not host_compiler or not nvcc.exists():
        print("skipped: there is no nvcc with a host compiler")
        return
    nvcc, command = (nvcc, "-ccbin", host_compiler), (_command(user), "-O2", "--offload-arch=sm_90", user.project / "nvcc_user.cu")
    user.run(*nvcc, "-arch=compute_90", "-c", user.project / "nvcc.cu", "-o", "nvcc.o")
    user.run(*command, "nvcc.o", "-o", "nvcc_user")
    user.run_device(user.work / "nvcc_user")
    user.run(*nvcc, "-arch=sm_90", "-rdc=true", "-DOTHER_OBJECT", "-c", user.project / "nvcc.cu", "-o", "nvcc_rdc.o")
    user.run(*nvcc, "-arch=sm_90", "-rdc=true", "-c", user.project / "nvcc_other.cu", "-o", "nvcc_other.o")
    user.run(*nvcc, "-arch=sm_90", "-dlink", "nvcc_rdc.o", "nvcc_other.o", "-o", "nvcc_link.o")
    user.run(*command, "nvcc_rdc.o", "nvcc_other.o", "nvcc_link.o", "-lcudadevrt", "-o", "nvcc_rdc_user")
    if not user.emulate:
        user.run_device(user.work / "nvcc_rdc_user")
