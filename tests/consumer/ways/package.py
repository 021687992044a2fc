# SPDX-License-Identifier: Apache-2.0
"""package: the .deb packages and the .tar.gz, with a toolkit and without.

The installed cudax++ has BMIs of its own, so here are the cases of cudax++ with other flags of the language: LANGUAGE.
"""

import filecmp
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from user import needs_cuda, require

# Kernels stay in the program if names are hidden; shared libraries with kernels; other BMIs.
LANGUAGE = ("-std=c++23", "-ffast-math", "-DCUDAX_NO_AUTOMATIC_ATOMICS", "-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden")
NO_TOOLKIT = ("CUDAToolkit_ROOT", "CUDA_PATH")


def _root(user):
    return user.work / "root/usr"


def _command(user):
    return _root(user) / "bin/cudax++"


def reproducible(user):
    """The same packages with another umask, at another time, in another file system where there is one."""
    cpack = Path(user.cmake).with_name("cpack")
    packing = [cpack, "--config", user.build / "CPackConfig.cmake", "-B"]
    user.environment["SOURCE_DATE_EPOCH"] = "1735689600"
    with tempfile.TemporaryDirectory(prefix="cudax_sync.", dir="/dev/shm" if os.path.isdir("/dev/shm") else user.work) as other:
        user.run(*packing, user.work / "packages")
        user.run("bash", "-c", 'sleep 1 && umask 077 && exec "$@"', "umask", *packing, other)
        for file in [file for suffix in ("*.deb", "*.tar.gz") for file in (user.work / "packages").glob(suffix)]:
            require(filecmp.cmp(file, Path(other) / file.name, shallow=False), f"two packages of the same build differ: {file}, {other}/{file.name}")
    names = sorted(file.name for file in (user.work / "packages").iterdir() if file.name.endswith((".deb", ".tar.gz")))
    for pattern in (r"libcudax-sync-dev_.*_[a-z0-9]+\.deb", r"libcudax-sync-process1_.*_[a-z0-9]+\.deb", r"cudax_sync-.*\.tar\.gz"):
        require(any(re.fullmatch(pattern, name) for name in names), f"CPack made {names}, and not two .deb and a .tar.gz")


def one_folder(user):
    """The .tar.gz is one folder."""
    archive = next((user.work / "packages").glob("*.tar.gz"))
    folder = archive.name.removesuffix(".tar.gz")
    others = [name for name in user.run(user.cmake, "-E", "tar", "tzf", archive).split("\n") if name and not name.startswith(f"{folder}/")]
    require(not others, f"the .tar.gz is not the one folder {folder}; it also has: {others}")


def unpacked(user):
    """The .deb packages install into usr, if this system has dpkg; otherwise the .tar.gz stands for them."""
    packages = user.work / "packages"
    if dpkg := shutil.which("dpkg-deb"):
        for package in packages.glob("*.deb"):
            user.run(dpkg, "-x", package, user.work / "root")
        process = next(packages.glob("libcudax-sync-process*.deb"))
        control = user.run(dpkg, "--info", process, "shlibs", "triggers")
        require(re.fullmatch(r"libcudax_sync_process 1 libcudax-sync-process1 \(>= [0-9.]+\)\nactivate-noawait ldconfig\n", control),
                f"shlibs and triggers of {process} are '{control}'")
        names = [path.name for path in (user.work / "root").iterdir()]
        require(names == ["usr"], f"the .deb packages install into {names}, and not into usr")
    else:
        shutil.unpack_archive(next(packages.glob("*.tar.gz")), user.work / "unpacked")
        _root(user).parent.mkdir()
        next((user.work / "unpacked").iterdir()).rename(_root(user))


def names_no_checkout(user):
    """Nothing in a package names the machine that built it."""
    if user.build_type == "Release" and user.source not in user.cuda_root.parents:  # a toolkit of tools/setup lies in the checkout
        named = user.call(("grep", "-rlaF", "-e", user.source, "-e", user.build, user.work / "root")).stdout
        require(not named, f"these files hold a path of the checkout: {named}")


def without_a_toolkit(user):
    """Plain C++ by cudax++. The commands search for a toolkit where there is none. If two commands build the same BMIs at the same
    time, the later one leaves no files. Another installation of the same content has its own BMIs: BMIs name their source files."""
    kept = user.work / "as_installed"
    kept.mkdir()
    for file in [*(_root(user) / "bin").iterdir(), *(_root(user) / "lib/cudax_sync/bin").iterdir()]:
        if not file.is_symlink() and file.is_file():
            shutil.copy(file, kept)
            text = file.read_text()
            if user.cuda:
                text = text.replace(str(user.cuda_root), f"{user.work}/none")
            file.write_text(text.replace("/usr/local/cuda", f"{user.work}/none"))
    # consumer.command, which comes before, has the BMIs of the other installation in the same cache.
    cache = user.cache / "cudax_sync"
    plain = lambda: set(cache.glob("plain-*"))
    before = plain()
    environment = {name: value for name, value in user.environment.items() if name not in NO_TOOLKIT}
    both = [subprocess.Popen([_command(user), "-O2", "-c", user.project / "plain.cpp", "-o", user.work / name], env=environment)
            for name in ("plain.o", "second.o")]
    results = [process.wait() for process in both]
    made = plain() - before
    require(results == [0, 0] and len(made) == 1 and "." not in next(iter(made)).name,  # BMIs' folders have no dot
            f"two cudax++ at the same time ended with {results} and left {made} in {cache}")
    user.run(_command(user), "plain.o", "-o", "plain", unset=NO_TOOLKIT)
    user.run(user.work / "plain")
    user.run(_command(user), "-O2", user.project / "plain.cpp", "-o", "plain", unset=NO_TOOLKIT)
    user.run(user.work / "plain")
    require(plain() - before == made, "the same command does not use the same BMIs")


def with_cmake(user):
    """Plain C++ without a toolkit by CMake, with the shared library and without."""
    user.run(user.cmake, "-S", user.project, "-B", user.work / "build", "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={user.compiler}",
             *([f"-DCUDAToolkit_ROOT={user.cuda_root}"] if user.cuda else []), f"-DCMAKE_PREFIX_PATH={_root(user)}",
             "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON")
    user.make("build", "plain", "waits")
    user.run(user.work / "build/plain")
    user.run_with_shared_library(user.work / "build/waits")


def shared_library(user):
    """Plain C++ without a toolkit by cudax++, with the shared library; -static is rejected with it."""
    user.run(_command(user), "-O2", user.project / "waits.cpp", "-lcudax_sync_process", "-o", "waits", unset=NO_TOOLKIT)
    user.run_with_shared_library(user.work / "waits")
    user.run(_command(user), "-O2", "-c", user.project / "waits.cpp", "-o", "waits.o", unset=NO_TOOLKIT)
    user.fails_with("-static: a static program cannot load libcudax_sync_process.so; leave out one of", _command(user), "-static", "waits.o",
                    "-lcudax_sync_process", "-o", "none", unset=NO_TOOLKIT)


def pkg_config(user):
    """pkg-config, with the shared library and without; cudax++ adds the same options once more."""
    program = shutil.which("pkg-config") or shutil.which("pkgconf")
    if not program:
        print("skipped: there is no pkg-config")
        return
    for name, module in (("plain", "cudax_sync_host" if user.cuda else "cudax_sync"), ("waits", "cudax_sync_host_shared" if user.cuda else "cudax_sync_shared")):
        libraries = shlex.split(user.run(program, "--libs", module, PKG_CONFIG_PATH=f"{_root(user)}/lib/pkgconfig"))
        user.run(user.compiler, f"{name}.o", *libraries, "-o", f"{name}_of_pkg_config")
        user.run(_command(user), f"{name}.o", *libraries, "-o", f"{name}_of_both", unset=NO_TOOLKIT)
    user.run(user.work / "plain_of_pkg_config")
    user.run_with_shared_library(user.work / "waits_of_pkg_config")
    user.run_with_shared_library(user.work / "waits_of_both")


@needs_cuda
def missing_toolkit(user):
    """A CUDA source without a toolkit is rejected with advice."""
    user.fails_with("there is no CUDA [0-9]+ toolkit in .*cudax-toolkit.* set CUDAX_CUDA", _command(user), "-O2", user.project / "device.cu",
                    "-o", "none", unset=NO_TOOLKIT)
    for file in (user.work / "as_installed").glob("cudax*"):
        shutil.copy(file, _root(user) / "bin")
    user.environment["CUDAX_CUDA"] = str(user.cuda_root)


@needs_cuda
def with_a_toolkit(user):
    """A program, and the emulator as installed. Kernels stay in the program if names are hidden, and nothing warns."""
    user.run(_command(user), "-O2", "-Werror", *LANGUAGE, "--offload-arch=sm_90", "-c", user.project / "device.cu", "-o", "device.o")
    user.run(_command(user), "-O2", "device.o", "-o", "device")
    emulate = [_root(user) / "bin/cudax-emulate", "--check"] if user.emulate else []
    user.run(*emulate, user.work / "device", exits=(0, 77))


@needs_cuda
def configuration_file(user):
    """clang's own command, with a configuration file for other flags, has nothing to warn of."""
    config = user.run(_command(user), "--config-file", *LANGUAGE).strip()
    user.run(user.compiler, f"--config={config}", "-Wno-unknown-cuda-version", "-Werror", "-Wall", "-Wextra", "--offload-arch=sm_90", "-O2",
             user.project / "device.cu", "-o", "device")
    user.run_device(user.work / "device")


@needs_cuda
def shared_libraries_with_kernels(user):
    """Kernels in a shared library, with the library's own shared library and without; a program without kernels."""
    building = (_command(user), "-O2", *LANGUAGE, "--offload-arch=sm_90", "-DNAME=value", '-DCOUNTER_API=__attribute__((visibility("default")))',
                "-shared", user.project / "counter.cu", "-o", "libcounter.so")
    user.run(*building)
    user.run(_command(user), user.project / "counter_user.cpp", "libcounter.so", f"-Wl,-rpath,{user.work}", "-o", "counter_user")
    user.run_device(user.work / "counter_user")
    user.run(*building, "-lcudax_sync_process")
    require(b"libcudax_sync_process.so.1" in (user.work / "libcounter.so").read_bytes(), "libcounter.so does not need libcudax_sync_process.so")
    user.run_device(user.work / "counter_user")


@needs_cuda
def toolkit_command(user):
    """cudax-toolkit replaces no folder."""
    user.fails_with("exists; remove it", _root(user) / "bin/cudax-toolkit", user.work)


def info(user):
    """cudax-info as installed."""
    if (_root(user) / "bin/cudax-info").exists():
        user.run(_root(user) / "bin/cudax-info", "--json")


def uninstall(user):
    """The target `uninstall` removes what `install` wrote, and nothing else."""
    prefix = user.work / "installed"
    own = user.write("installed/share/own", "")
    user.run(user.cmake, "--install", user.build, "--prefix", prefix)
    user.run(user.cmake, "-P", user.build / "install/uninstall.cmake")
    left = [path for path in prefix.rglob("*") if not path.is_dir()]
    require(left == [own] and not (prefix / "share/cudax_sync").exists(), f"after the uninstallation there are: {left}")
    user.fails_with("nothing was installed from this build folder", user.cmake, "-P", user.build / "install/uninstall.cmake")
