# SPDX-License-Identifier: Apache-2.0
# CPack: .deb packages and a .tar.gz of what is installed, except what holds for this machine only (the component
# config_file). The shared library is a .deb of its own (the component process): a machine that runs programs needs nothing
# else, and two versions of it can be installed.
# The command tools/package builds both for other machines; `cpack` in a build folder packages that build.
set(CPACK_PACKAGE_NAME cudax_sync)
set(CPACK_PACKAGE_VENDOR cudax.sync)
set(CPACK_PACKAGE_CONTACT "the authors of cudax.sync <cudax-sync@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_COMPONENTS_ALL Unspecified process) # Unspecified: rules without a component
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE) # the .tar.gz
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON) # the .tar.gz is one folder
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_CURRENT_LIST_DIR}/cudax_sync_package_kind.cmake")
set(CPACK_STRIP_FILES ON) # commands and the emulator; archives stay as they are
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/cudax_sync_package_script.cmake")
set(CPACK_POST_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/cudax_sync_package_script.cmake")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)

set(_architecture "${CMAKE_SYSTEM_PROCESSOR}")
if(_architecture STREQUAL "x86_64")
  set(_architecture amd64)
elseif(_architecture STREQUAL "aarch64")
  set(_architecture arm64)
endif()
set(CPACK_SYSTEM_NAME "linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_ARCHIVE_FILE_NAME "cudax_sync-${PROJECT_VERSION}-${CPACK_SYSTEM_NAME}")
set(CPACK_ARCHIVE_UID 0)
set(CPACK_ARCHIVE_GID 0)

set(_process_package libcudax-sync-process${CUDAX_SYNC_PROCESS_VERSION})
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME libcudax-sync-dev)
set(CPACK_DEBIAN_PROCESS_PACKAGE_NAME ${_process_package})
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE "${_architecture}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_UNSPECIFIED_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PROCESS_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PROCESS_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# Debian's shlibs names the package for dpkg-shlibdeps, the trigger runs ldconfig. CPack writes both only with `file`.
file(CONFIGURE OUTPUT install/shlibs CONTENT
     "libcudax_sync_process @CUDAX_SYNC_PROCESS_VERSION@ @_process_package@ (>= @PROJECT_VERSION@)\n" @ONLY)
file(CONFIGURE OUTPUT install/triggers CONTENT "activate-noawait ldconfig\n" @ONLY)
file(CHMOD "${PROJECT_BINARY_DIR}/install/shlibs" "${PROJECT_BINARY_DIR}/install/triggers"
     PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
set(CPACK_DEBIAN_PROCESS_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/install/shlibs"
    "${PROJECT_BINARY_DIR}/install/triggers")
# clang-tools-22: clang-linker-wrapper, which links device code.
set(CPACK_DEBIAN_PROCESS_PACKAGE_DEPENDS "libc6 (>= 2.36)")
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_DEPENDS "${_process_package} (>= ${PROJECT_VERSION}), clang-22, clang-tools-22, libstdc++-12-dev | libstdc++-dev, libc6 (>= 2.36), libstdc++6 (>= 12)")
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_RECOMMENDS "ninja-build (>= 1.11), pkg-config | pkgconf")
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS "cmake (>= 3.28), python3-pip, cuda-toolkit-${CUDAToolkit_VERSION_MAJOR}-${CUDAToolkit_VERSION_MINOR}")
if(NOT CUDAX_SYNC_CUDA_FOUND)
  set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS "cmake (>= 3.28)")
endif()
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_DOCDIR BASE_DIRECTORY /usr OUTPUT_VARIABLE _doc_dir)
set(CPACK_COMPONENT_UNSPECIFIED_DESCRIPTION
"Atomics, waiting, latches, barriers, semaphores, locks, stop tokens, clocks,
asynchronous copies, pipelines, work stealing and reductions for the threads
of CUDA devices and their host, as C++20 modules. Contains the archive, the
modules, the CMake package, and the commands cudax++, cudax-info and
cudax-emulate, which runs CUDA programs without a GPU.

Programs in plain C++ need nothing else. Programs with CUDA sources need a
CUDA toolkit of the same major version, which Debian does not have: the
command cudax-toolkit installs one from NVIDIA's wheels; NVIDIA's packages
work, too. ${_doc_dir}/README.Debian has the steps.")
set(CPACK_COMPONENT_PROCESS_DESCRIPTION
"The shared library that holds the parked host threads of a process, for
programs, plugins and Python extensions that were linked with it. Programs
that were linked with the archive alone do not need it.")

# Beside the licence: Debian's files.
set(CUDAX_DEBIAN_CUDA "12.8 or later")
set(CUDAX_DEBIAN_CUDA_PACKAGE 13-0)
if(CUDAX_SYNC_CUDA_FOUND)
  set(CUDAX_DEBIAN_CUDA "${CUDAToolkit_VERSION_MAJOR}")
  set(CUDAX_DEBIAN_CUDA_PACKAGE "${CUDAToolkit_VERSION_MAJOR}-${CUDAToolkit_VERSION_MINOR}")
endif()
configure_file(tools/cmake/README.Debian.in install/README.Debian @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/install/README.Debian" CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES tools/cmake/copyright DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES tools/cmake/copyright DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${_process_package}" COMPONENT process)
include(CPack)
