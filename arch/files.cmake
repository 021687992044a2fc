# SPDX-License-Identifier: Apache-2.0
# The device code: LLVM bitcode for every SM, in the offload section of ordinary objects of the archive.
if(NOT CUDAX_SYNC_CUDA_FOUND)
  return()
endif()

# The ladder: the newest folder arch/sm_NN whose NN does not exceed the SM being compiled for.
file(GLOB _generations CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_LIST_DIR}" "${CMAKE_CURRENT_LIST_DIR}/sm_*")
list(SORT _generations COMPARE NATURAL ORDER DESCENDING)
set(CUDAX_TARGET_LADDER "")
set(_if "#if")
foreach(_generation IN LISTS _generations)
  string(REPLACE "sm_" "" _number "${_generation}")
  string(APPEND CUDAX_TARGET_LADDER
    "${_if} __CUDA_ARCH__ >= ${_number}0\n"
    "#include \"${_generation}/target.hpp\"\n"
    "namespace cudax::arch {\nnamespace target = ${_generation};\n}\n")
  set(_if "#elif")
endforeach()
string(APPEND CUDAX_TARGET_LADDER "#else\n#error \"cudax.sync needs sm_70 or later\"\n#endif")
configure_file(arch/target.hpp.in arch/target.hpp @ONLY)

set(_sources arch/entry.cu arch/wide.cu arch/barrier.cu arch/copy.cu arch/group.cu arch/launch_control.cu)
file(GLOB_RECURSE _headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.hpp")
target_sources(cudax_sync PRIVATE ${_sources})
list(TRANSFORM CUDAX_SYNC_ARCHIVE_SM PREPEND --cuda-gpu-arch=sm_ OUTPUT_VARIABLE _architectures)
set_source_files_properties(${_sources} PROPERTIES
  LANGUAGE CXX
  CXX_SCAN_FOR_MODULES OFF
  OBJECT_DEPENDS "${_headers};${CMAKE_CURRENT_BINARY_DIR}/arch/target.hpp"
  INCLUDE_DIRECTORIES "${CMAKE_CURRENT_LIST_DIR};${CMAKE_CURRENT_BINARY_DIR}/arch"
  # -O2 in every build type: whether a call folds to its instruction must not depend on the archive's.
  COMPILE_OPTIONS "-x;cuda;${CUDAX_SYNC_CUDA_FLAGS};-nocudainc;${_architectures};-O2")
