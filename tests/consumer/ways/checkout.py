# SPDX-License-Identifier: Apache-2.0
"""checkout: another checkout, built and installed in folders with a different layout."""

import hashlib
import re
import shutil

from user import needs_cuda, require


def _another(user):
    return user.work / "another checkout"


def install(user):
    """Builds and installs it, with absolute and nested installation folders."""
    for part in ("arch", "modules", "runtime", "tools", "CHANGELOG.md", "CMakeLists.txt", "LICENSE"):
        source = user.source / part
        (shutil.copytree if source.is_dir() else shutil.copy)(source, _another(user) / part)
    arguments = [f"-DCMAKE_BUILD_TYPE={user.build_type}", f"-DCMAKE_CXX_FLAGS={user.cxx_flags}", f"-DCUDAX_SYNC_CHECKED={user.checked}"]
    if not user.cuda:
        arguments.append("-DCUDAX_SYNC_CUDA=off")
    user.configure("library", *arguments, "-DCUDAX_SYNC_TESTS=OFF", "-DCUDAX_SYNC_TOOLS=OFF", "-DCUDAX_SYNC_SM=90",
                   f"-DCMAKE_INSTALL_PREFIX={user.work}/prefix", f"-DCMAKE_INSTALL_LIBDIR={user.work}/libraries/here",
                   f"-DCMAKE_INSTALL_DATADIR={user.work}/data", "-DCMAKE_INSTALL_BINDIR=commands/of/mine", source=_another(user))
    user.make("library")
    user.run(user.cmake, "--install", user.work / "library")


def parts_find_each_other(user):
    """The package when a project is configured; the command when it uses the units, the archive and the tools."""
    user.configure("build", f"-Dcudax_sync_DIR={user.work}/libraries/here/cmake/cudax_sync")
    command = user.work / "prefix/commands/of/mine/cudax++"
    user.run(command, "-O2", "-c", user.project / "plain.cpp", "-o", user.work / "plain.o")
    user.run(command, "-O2", user.work / "plain.o", "-o", user.work / "plain")
    user.run(user.work / "plain")


@needs_cuda
def toolkit_with_a_space(user):
    """A toolkit in a folder whose name contains a space, and what a shell would execute."""
    toolkit = user.work / "cuda $(touch executed)"
    toolkit.symlink_to(user.cuda_root)
    user.configure("space", "-DCUDAX_SYNC_TESTS=OFF", "-DCUDAX_SYNC_TOOLS=OFF", source=_another(user), root=toolkit)
    config = (user.work / "space/config_file/cudax.cfg").read_text()
    require(str(toolkit) not in config and str(toolkit).replace(" ", "\\ ") in config,
            f"cudax.cfg does not escape the space in the toolkit's folder: {config}")
    folder = user.work / "space"
    user.run("bin/cudax++", "--help", cwd=folder)
    user.run("config_file/bin/ptxas", "--version", cwd=folder)
    require(not (folder / "executed").exists(), "the commands execute what is in the name of the toolkit's folder")


def _members(user, build):
    """Member -> hash of the archive of a build. The device code for one SM is compared as text, without the numbers that encode the
    source positions of asm statements: they depend on the list of all SMs, which differs here."""
    folder = user.work / f"members_{hashlib.sha256(str(build).encode()).hexdigest()[:8]}"
    device = folder / "device"
    device.mkdir(parents=True)
    archive = build / "libcudax_sync.a"
    user.run(user.ar, "x", archive, cwd=folder)
    hashes = {member.name: hashlib.sha256(member.read_bytes()).hexdigest()
              for member in folder.glob("*.o") if not member.name.endswith(".cu.o")}
    if user.cuda:
        user.run(user.offload_binary, archive, "--archive", f"--image=file={folder}/device.a,triple=nvptx64-nvidia-cuda,arch=sm_90")
        user.run(user.ar, "x", folder / "device.a", cwd=device)
        for member in sorted(device.iterdir()):
            text = user.call((user.offload_binary.with_name("llvm-dis"), member.name, "-o", "-"), cwd=device).stdout
            hashes[f"device code of {member.name}"] = hashlib.sha256(re.sub(r"= !\{i64 [0-9]+\}", "", text).encode()).hexdigest()
    require(len(hashes) >= 30, f"only {len(hashes)} members in {archive}: {sorted(hashes)}")
    return hashes


def same_archive(user):
    """The archive equals that of the build, which is in another folder: each member of host code byte by byte."""
    first, second = _members(user, user.build), _members(user, user.work / "library")
    differ = sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
    require(not differ, f"of {len(first)} members these differ from those of {user.build}: {differ}")
