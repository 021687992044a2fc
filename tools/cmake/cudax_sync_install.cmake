# SPDX-License-Identifier: Apache-2.0
# The install rules: the archive, the interface units with the headers they include, the CMake package, pkg-config's file,
# the commands, and the target `uninstall`.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(CUDAX_SYNC_INSTALLED_CUDA "${CUDAX_SYNC_CUDA_PATH}" CACHE STRING
    "The CUDA toolkit that the installed commands try first; a package names none of the machine that built it")
set(CUDAX_SYNC_INSTALLED_CXX "${CMAKE_CXX_COMPILER}" CACHE STRING "The compiler that the installed commands call")
set(_source_dir "${CMAKE_INSTALL_DATADIR}/cudax_sync")      # units and headers, in the same layout as here
set(_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/cudax_sync")

install(TARGETS cudax_sync EXPORT cudax_sync_targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  FILE_SET CXX_MODULES DESTINATION "${_source_dir}"
  FILE_SET HEADERS DESTINATION "${_source_dir}/modules/include")
foreach(_header IN LISTS CUDAX_SYNC_UNIT_HEADERS)
  cmake_path(GET _header PARENT_PATH _folder)
  install(FILES "${_header}" DESTINATION "${_source_dir}/${_folder}")
endforeach()

install(EXPORT cudax_sync_targets NAMESPACE cudax:: DESTINATION "${_package_dir}"
  CXX_MODULES_DIRECTORY modules)
configure_package_config_file(tools/cmake/cudax_sync-config.cmake.in cudax_sync-config.cmake
  INSTALL_DESTINATION "${_package_dir}"
  PATH_VARS _source_dir)
write_basic_package_version_file(cudax_sync-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  "${CMAKE_CURRENT_BINARY_DIR}/cudax_sync-config.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/cudax_sync-config-version.cmake"
  tools/cmake/cudax_sync_cuda.cmake
  tools/cmake/cuda_tool.in
  DESTINATION "${_package_dir}")
install(FILES tools/cmake/module_unit.awk DESTINATION "${_source_dir}/tools/cmake") # for CMake and cudax++
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
if(TARGET cudax_sync_host)
  install(TARGETS cudax_sync_host ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()
install(TARGETS cudax_sync_process cudax_sync_forward cudax_sync_shared EXPORT cudax_sync_targets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT process NAMELINK_COMPONENT Unspecified
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")

# For a plain clang command: a configuration file and the BMIs for its flags. They hold only for this machine's compiler and
# toolkit, so they are a component of their own, which is not packaged: `cudax++ --config-file` builds them anywhere.
if(CUDAX_SYNC_CUDA_FOUND)
  set(CUDAX_SYNC_CONFIG_STANDARD c++20)
  set(_config_dir "${CMAKE_CURRENT_BINARY_DIR}/config_file")
  _cudax_sync_build_bmis(_bmis "the configuration file" "${_config_dir}" -std=${CUDAX_SYNC_CONFIG_STANDARD})
  add_custom_target(cudax_sync_config_file ALL DEPENDS ${_bmis})
  get_target_property(CUDAX_SYNC_CUDART CUDA::cudart IMPORTED_LOCATION)
  cmake_path(GET CUDAX_SYNC_CUDART PARENT_PATH CUDAX_SYNC_CUDART_DIR)
  # The headers for programs, as seen from the configuration file; an absolute folder stays absolute.
  set(CUDAX_SYNC_INCLUDE "${_source_dir}/modules/include")
  cmake_path(IS_ABSOLUTE CMAKE_INSTALL_DATADIR _absolute)
  cmake_path(IS_ABSOLUTE CMAKE_INSTALL_LIBDIR _absolute_lib)
  if(_absolute_lib AND NOT _absolute)
    cmake_path(ABSOLUTE_PATH CUDAX_SYNC_INCLUDE BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
  elseif(NOT _absolute)
    cmake_path(RELATIVE_PATH CUDAX_SYNC_INCLUDE BASE_DIRECTORY "${CMAKE_INSTALL_LIBDIR}/cudax_sync")
    string(PREPEND CUDAX_SYNC_INCLUDE "<CFGDIR>/")
  endif()
  # In a configuration file white space separates arguments, and a backslash escapes the next character.
  foreach(_path CUDA_PATH CUDART CUDART_DIR INCLUDE)
    string(REGEX REPLACE "([ \\\"'])" "\\\\\\1" CUDAX_CFG_${_path} "${CUDAX_SYNC_${_path}}")
  endforeach()
  configure_file(tools/cmake/cudax.cfg.in "${_config_dir}/cudax.cfg" @ONLY)
  _cudax_sync_cuda_tools("${_config_dir}" true)
  set(_build_cuda "${CUDAX_SYNC_CUDA_PATH}")
  set(CUDAX_SYNC_CUDA_PATH "${CUDAX_SYNC_INSTALLED_CUDA}")
  _cudax_sync_cuda_tools("${CMAKE_CURRENT_BINARY_DIR}/install" true)
  set(CUDAX_SYNC_CUDA_PATH "${_build_cuda}")
  install(DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/install/bin" DESTINATION "${CMAKE_INSTALL_LIBDIR}/cudax_sync"
    USE_SOURCE_PERMISSIONS)
  install(DIRECTORY "${_config_dir}/host" "${_config_dir}/device" DESTINATION "${CMAKE_INSTALL_LIBDIR}/cudax_sync"
    COMPONENT config_file)
  install(FILES "${_config_dir}/cudax.cfg" DESTINATION "${CMAKE_INSTALL_LIBDIR}/cudax_sync" COMPONENT config_file)
endif()

# The command cudax++: runs from the build tree (bin/) and from an install.
list(JOIN CUDAX_SYNC_UNITS " " CUDAX_WRAPPER_UNITS)
list(TRANSFORM CUDAX_SYNC_DEFAULT_SM PREPEND sm_ OUTPUT_VARIABLE CUDAX_WRAPPER_SM)
list(JOIN CUDAX_WRAPPER_SM " " CUDAX_WRAPPER_SM)
list(TRANSFORM CUDAX_SYNC_ARCHIVE_SM PREPEND sm_ OUTPUT_VARIABLE CUDAX_WRAPPER_ARCHIVE_SM)
list(JOIN CUDAX_WRAPPER_ARCHIVE_SM " " CUDAX_WRAPPER_ARCHIVE_SM)
set(CUDAX_WRAPPER_CUDA_MAJOR "${CUDAToolkit_VERSION_MAJOR}")
# Sets `result` to `path` as seen from the command in the folder `bin`, for double quotes in a shell script: relative to it,
# so that both may be moved together; an absolute path stays absolute.
function(_cudax_sync_from_bin result path bin)
  cmake_path(IS_ABSOLUTE path _absolute)
  cmake_path(IS_ABSOLUTE bin _absolute_bin)
  set(_from "")
  if(_absolute_bin AND NOT _absolute)
    cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
  elseif(NOT _absolute)
    cmake_path(NORMAL_PATH path)
    cmake_path(NORMAL_PATH bin)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${bin}")
    set(_from "$here/")
  endif()
  _cudax_sync_in_quotes(path "${path}")
  string(PREPEND path "${_from}")
  set(${result} "${path}" PARENT_SCOPE)
endfunction()
set(CUDAX_AT "@") # for names in @ that a command replaces
# Writes the command of the current CUDAX_WRAPPER_* variables: one file, of cudax++.in and the parts that it names.
function(_cudax_sync_write_command file)
  foreach(_part IN ITEMS response_files arguments library_bmis config_file compile_flags own_units link_flags)
    set(_source "${CMAKE_CURRENT_SOURCE_DIR}/tools/cmake/command/${_part}.sh")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${_source}")
    file(READ "${_source}" _text)
    string(FIND "${_text}" "# --- " _begin) # after the comment about the file
    string(SUBSTRING "${_text}" ${_begin} -1 _text)
    string(STRIP "${_text}" _text)
    string(CONFIGURE "${_text}" CUDAX_PART_${_part} @ONLY)
  endforeach()
  configure_file(tools/cmake/cudax++.in ${file} @ONLY ${ARGN})
endfunction()
cmake_path(RELATIVE_PATH PROJECT_SOURCE_DIR BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" OUTPUT_VARIABLE _root)
_cudax_sync_from_bin(CUDAX_WRAPPER_ROOT "${_root}" bin)
set(_config "") # of several, the command in the build folder uses Release
get_property(_several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(_several)
  set(_config Release/)
endif()
_cudax_sync_from_bin(CUDAX_WRAPPER_ARCHIVE ${_config}libcudax_sync.a bin)
_cudax_sync_from_bin(CUDAX_WRAPPER_HOST_ARCHIVE ${_config}libcudax_sync_host.a bin)
_cudax_sync_from_bin(CUDAX_WRAPPER_TOOLS config_file bin)
set(CUDAX_WRAPPER_CONFIG "${CUDAX_WRAPPER_ROOT}/tools/cmake/cudax.cfg.in")
_cudax_sync_in_quotes(CUDAX_WRAPPER_CUDA "${CUDAX_SYNC_CUDA_PATH}")
_cudax_sync_in_quotes(CUDAX_WRAPPER_CXX "${CMAKE_CXX_COMPILER}")
set(CUDAX_WRAPPER_ADVICE "run tools/setup, or")
_cudax_sync_write_command(bin/cudax++ FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
  WORLD_EXECUTE)
_cudax_sync_from_bin(CUDAX_WRAPPER_ROOT "${_source_dir}" "${CMAKE_INSTALL_BINDIR}")
_cudax_sync_from_bin(CUDAX_WRAPPER_ARCHIVE "${CMAKE_INSTALL_LIBDIR}/libcudax_sync.a" "${CMAKE_INSTALL_BINDIR}")
_cudax_sync_from_bin(CUDAX_WRAPPER_HOST_ARCHIVE "${CMAKE_INSTALL_LIBDIR}/libcudax_sync_host.a" "${CMAKE_INSTALL_BINDIR}")
_cudax_sync_from_bin(CUDAX_WRAPPER_TOOLS "${CMAKE_INSTALL_LIBDIR}/cudax_sync" "${CMAKE_INSTALL_BINDIR}")
set(CUDAX_WRAPPER_CONFIG "${CUDAX_WRAPPER_TOOLS}/cudax.cfg.in")
_cudax_sync_in_quotes(CUDAX_WRAPPER_CUDA "${CUDAX_SYNC_INSTALLED_CUDA}")
_cudax_sync_in_quotes(CUDAX_WRAPPER_CXX "${CUDAX_SYNC_INSTALLED_CXX}")
set(CUDAX_WRAPPER_ADVICE "install one with cudax-toolkit or from NVIDIA's packages, or")
_cudax_sync_write_command(install/cudax++)
install(PROGRAMS "${CMAKE_CURRENT_BINARY_DIR}/install/cudax++" DESTINATION "${CMAKE_INSTALL_BINDIR}")
if(CUDAX_SYNC_CUDA_FOUND)
  install(FILES tools/cmake/cudax.cfg.in DESTINATION "${CMAKE_INSTALL_LIBDIR}/cudax_sync")
  # The command cudax-toolkit: the toolkit of tools/setup, for machines on which the library was not built.
  file(READ tools/setup _setup)
  if(NOT _setup MATCHES "\ntoolkit_wheels='([^']*)'")
    message(FATAL_ERROR "cudax.sync: tools/setup has no list toolkit_wheels, which cudax-toolkit takes from it")
  endif()
  set(CUDAX_TOOLKIT_WHEELS "${CMAKE_MATCH_1}")
  if(CUDAX_TOOLKIT_WHEELS MATCHES "runtime==${CUDAToolkit_VERSION_MAJOR}\\.([0-9]+)")
    set(CUDAX_TOOLKIT_VERSION "${CUDAToolkit_VERSION_MAJOR}.${CMAKE_MATCH_1}")
    configure_file(tools/cmake/cudax-toolkit.in install/cudax-toolkit @ONLY)
    install(PROGRAMS "${CMAKE_CURRENT_BINARY_DIR}/install/cudax-toolkit" DESTINATION "${CMAKE_INSTALL_BINDIR}")
  endif()
endif()

# pkg-config's files: of the archive, of that without CUDA, and of each with the shared library. The options of the shared
# library's forwarding archive are one word, because pkg-config may remove repeated words.
set(_pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
_cudax_sync_from_bin(CUDAX_PC_LIBDIR "${CMAKE_INSTALL_LIBDIR}" "${_pkgconfig_dir}")
_cudax_sync_from_bin(CUDAX_PC_BINDIR "${CMAKE_INSTALL_BINDIR}" "${_pkgconfig_dir}")
foreach(_dir LIBDIR BINDIR)
  string(REPLACE "$here/" "\${pcfiledir}/" CUDAX_PC_${_dir} "${CUDAX_PC_${_dir}}")
endforeach()
function(_cudax_sync_pkg_config name archive cuda description)
  set(CUDAX_PC_LIBRARIES "-l${archive} -lpthread")
  set(CUDAX_PC_CUDA "")
  set(CUDAX_PC_DESCRIPTION "${description}")
  if(cuda)
    string(APPEND CUDAX_PC_LIBRARIES " -L\${cuda}/lib64 -lcudart -Wl,-rpath,\${cuda}/lib64")
    set(CUDAX_PC_CUDA "cuda=${cuda}\n")
  endif()
  foreach(shared IN ITEMS "" _shared)
    set(CUDAX_PC_NAME "${name}${shared}")
    if(shared)
      string(PREPEND CUDAX_PC_LIBRARIES "-Wl,--undefined=cudax_sync_forward,-lcudax_sync_forward -lcudax_sync_process ")
      string(APPEND CUDAX_PC_LIBRARIES " -Wl,-rpath,\${libdir}")
      string(APPEND CUDAX_PC_DESCRIPTION ", with the shared library")
    endif()
    configure_file(tools/cmake/cudax_sync.pc.in install/${name}${shared}.pc @ONLY)
    install(FILES "${CMAKE_CURRENT_BINARY_DIR}/install/${name}${shared}.pc" DESTINATION "${_pkgconfig_dir}")
  endforeach()
endfunction()
if(CUDAX_SYNC_CUDA_FOUND)
  _cudax_sync_pkg_config(cudax_sync cudax_sync "${CUDAX_SYNC_INSTALLED_CUDA}" "${PROJECT_DESCRIPTION}")
  _cudax_sync_pkg_config(cudax_sync_host cudax_sync_host "" "${PROJECT_DESCRIPTION} (without CUDA)")
else()
  _cudax_sync_pkg_config(cudax_sync cudax_sync "" "${PROJECT_DESCRIPTION} (without CUDA)")
endif()

# The target `uninstall`: removes what the last installation of this build folder wrote.
configure_file(tools/cmake/uninstall.cmake.in install/uninstall.cmake @ONLY)
add_custom_target(uninstall COMMAND "${CMAKE_COMMAND}" -P "${CMAKE_CURRENT_BINARY_DIR}/install/uninstall.cmake" VERBATIM)
