# SPDX-License-Identifier: Apache-2.0
"""installed: the install, and the empty cache of cudax++, that other ways share."""

import shutil


def install(user):
    """`cmake --install` into a folder; an earlier install and its cache are removed."""
    for folder in (user.prefix, user.cache):
        shutil.rmtree(folder, ignore_errors=True)
    user.run(user.cmake, "--install", user.build, "--prefix", user.prefix)
