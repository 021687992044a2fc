# SPDX-License-Identifier: Apache-2.0
"""source: add_subdirectory of the checkout. One SM: every other test already covers an archive with all of them."""


def _arguments(user):
    arguments = [f"-DCUDAX_SYNC_SOURCE={user.source}", "-DCUDAX_SYNC_SM=90", "-DCMAKE_CXX_FLAGS=-fno-exceptions", "-DCMAKE_BUILD_TYPE=Debug"]
    return arguments if user.cuda else [*arguments, "-DCUDAX_SYNC_CUDA=off"]


def programs(user):
    """Debug, so that the archive's device code links, too; -fno-exceptions, without which the library's sources are compiled."""
    user.configure("build", *_arguments(user))
    user.make_and_run("build", "plain", "device")


def shared_library(user):
    """A program with the shared library."""
    user.make("build", "waits")
    user.run_with_shared_library(user.work / "build/waits")


def makefiles(user):
    """Unix Makefiles are rejected with advice."""
    user.rejects_makefiles(*_arguments(user))
