# SPDX-License-Identifier: Apache-2.0
"""configuration_file: clang++ --config=.../cudax.cfg of an install. Only with a toolkit."""


def _clang(user):
    return user.compiler, f"--config={user.prefix}/lib/cudax_sync/cudax.cfg", "--offload-arch=sm_90"


def program(user):
    """One command, with headers of the library's names in the working directory."""
    user.plant_headers()
    user.run(*_clang(user), "-O2", user.project / "device.cu", "-o", "device")
    user.run_device(user.work / "device")


def size_of_clusters(user):
    """clang 22 ignores the size of a kernel's clusters, and the configuration file warns."""
    clusters = user.write("clusters.cu", "__global__ void __cluster_dims__(2, 1, 1) kernel() {}\n")
    user.fails_with("clusters.cu:1:17: error: .*__cluster_dims__.* clang 22 ignores it", *_clang(user), "-Werror=deprecated-pragma",
                    "-fsyntax-only", clusters)


def device_link(user):
    """The link passes the passes of the device link, and makes a whole program."""
    user.links_device_code(*_clang(user), "-O2")
