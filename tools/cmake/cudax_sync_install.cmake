# SPDX-License-Identifier: Apache-2.0
# The install rules: the archive, the interface units with the headers they include, and the CMake package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(_source_dir "${CMAKE_INSTALL_DATADIR}/cudax_sync")      # units and headers, in the same layout as here
set(_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/cudax_sync")

install(TARGETS cudax_sync EXPORT cudax_sync_targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  FILE_SET CXX_MODULES DESTINATION "${_source_dir}")
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
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# For a plain clang command: a configuration file and the BMIs for its flags.
if(CUDAX_SYNC_CUDA_FOUND)
  set(CUDAX_SYNC_CONFIG_STANDARD c++20)
  set(_config_dir "${CMAKE_CURRENT_BINARY_DIR}/config_file")
  _cudax_sync_build_bmis(_bmis "the configuration file" "${_config_dir}" -std=${CUDAX_SYNC_CONFIG_STANDARD})
  add_custom_target(cudax_sync_config_file ALL DEPENDS ${_bmis})
  get_target_property(CUDAX_SYNC_CUDART CUDA::cudart IMPORTED_LOCATION)
  cmake_path(GET CUDAX_SYNC_CUDART PARENT_PATH CUDAX_SYNC_CUDART_DIR)
  # In a configuration file white space separates arguments, and a backslash escapes the next character.
  foreach(_path CUDA_PATH CUDART CUDART_DIR)
    string(REGEX REPLACE "([ \\\"'])" "\\\\\\1" CUDAX_CFG_${_path} "${CUDAX_SYNC_${_path}}")
  endforeach()
  configure_file(tools/cmake/cudax.cfg.in "${_config_dir}/cudax.cfg" @ONLY)
  _cudax_sync_cuda_tools("${_config_dir}")
  install(DIRECTORY "${_config_dir}/bin" DESTINATION "${CMAKE_INSTALL_LIBDIR}/cudax_sync" USE_SOURCE_PERMISSIONS)
  install(DIRECTORY "${_config_dir}/host" "${_config_dir}/device" DESTINATION "${CMAKE_INSTALL_LIBDIR}/cudax_sync")
  install(FILES "${_config_dir}/cudax.cfg" DESTINATION "${CMAKE_INSTALL_LIBDIR}/cudax_sync")
endif()

# The command cudax++: runs from the build tree (bin/) and from an install.
list(JOIN CUDAX_SYNC_UNITS " " CUDAX_WRAPPER_UNITS)
list(TRANSFORM CUDAX_SYNC_DEFAULT_SM PREPEND sm_ OUTPUT_VARIABLE CUDAX_WRAPPER_SM)
list(JOIN CUDAX_WRAPPER_SM " " CUDAX_WRAPPER_SM)
list(TRANSFORM CUDAX_SYNC_ARCHIVE_SM PREPEND sm_ OUTPUT_VARIABLE CUDAX_WRAPPER_ARCHIVE_SM)
list(JOIN CUDAX_WRAPPER_ARCHIVE_SM " " CUDAX_WRAPPER_ARCHIVE_SM)
set(CUDAX_WRAPPER_CUDA_MAJOR "${CUDAToolkit_VERSION_MAJOR}")
# Sets `result` to `path` as seen from the command in the folder `bin`: relative to it, so that both may be moved
# together; an absolute path stays absolute.
function(_cudax_sync_from_bin result path bin)
  cmake_path(IS_ABSOLUTE path _absolute)
  cmake_path(IS_ABSOLUTE bin _absolute_bin)
  if(_absolute_bin AND NOT _absolute)
    cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
  elseif(NOT _absolute)
    cmake_path(NORMAL_PATH path)
    cmake_path(NORMAL_PATH bin)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${bin}")
    string(PREPEND path "$here/")
  endif()
  set(${result} "${path}" PARENT_SCOPE)
endfunction()
cmake_path(RELATIVE_PATH PROJECT_SOURCE_DIR BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" OUTPUT_VARIABLE _root)
_cudax_sync_from_bin(CUDAX_WRAPPER_ROOT "${_root}" bin)
_cudax_sync_from_bin(CUDAX_WRAPPER_ARCHIVE libcudax_sync.a bin)
_cudax_sync_from_bin(CUDAX_WRAPPER_TOOLS config_file bin)
configure_file(tools/cmake/cudax++.in bin/cudax++ @ONLY FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
_cudax_sync_from_bin(CUDAX_WRAPPER_ROOT "${_source_dir}" "${CMAKE_INSTALL_BINDIR}")
_cudax_sync_from_bin(CUDAX_WRAPPER_ARCHIVE "${CMAKE_INSTALL_LIBDIR}/libcudax_sync.a" "${CMAKE_INSTALL_BINDIR}")
_cudax_sync_from_bin(CUDAX_WRAPPER_TOOLS "${CMAKE_INSTALL_LIBDIR}/cudax_sync" "${CMAKE_INSTALL_BINDIR}")
configure_file(tools/cmake/cudax++.in install/cudax++ @ONLY)
install(PROGRAMS "${CMAKE_CURRENT_BINARY_DIR}/install/cudax++" DESTINATION "${CMAKE_INSTALL_BINDIR}")
