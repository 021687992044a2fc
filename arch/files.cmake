# SPDX-License-Identifier: Apache-2.0
# The device code: LLVM bitcode for every SM, in the offload section of ordinary objects of the archive.
if(NOT CUDAX_SYNC_CUDA_FOUND)
  return()
endif()

# The ladder: for each SM the folder of its generation, by the table generations.def.
set(CUDAX_TARGET_LADDER "")
set(_if "#if")
set(_variants_first ${CUDAX_SYNC_GENERATIONS})
list(FILTER _variants_first INCLUDE REGEX "a$")
set(_others ${CUDAX_SYNC_GENERATIONS})
list(FILTER _others EXCLUDE REGEX "a$")
foreach(_generation IN LISTS _variants_first _others)
  set(_condition "")
  foreach(_sm IN LISTS CUDAX_SYNC_KNOWN_SM)
    if(NOT _generation STREQUAL CUDAX_SYNC_FOLDER_${_sm})
      continue()
    elseif(_sm MATCHES "^([0-9]+)a$")
      list(APPEND _condition "defined(__CUDA_ARCH_FEAT_SM${CMAKE_MATCH_1}_ALL)") # for 90a, __CUDA_ARCH__ is that of 90
    else()
      list(APPEND _condition "__CUDA_ARCH__ == ${_sm}0")
    endif()
  endforeach()
  list(JOIN _condition " || " _condition)
  string(APPEND CUDAX_TARGET_LADDER
    "${_if} ${_condition}\n"
    "#include \"${_generation}/target.hpp\"\n"
    "namespace cudax::arch {\nnamespace target = ${_generation};\n}\n")
  set(_if "#elif")
endforeach()
string(APPEND CUDAX_TARGET_LADDER "#else\n#error \"cudax.sync: this SM has no row in arch/generations.def\"\n#endif")
configure_file(arch/target.hpp.in arch/target.hpp @ONLY)

# The atomic loads and stores, as bitcode that clang inlines into the units. LLVM has other names for the scopes than PTX.
set(_ld_st "${CMAKE_CURRENT_BINARY_DIR}/arch/ld_st")
block()
  set(template "${CMAKE_CURRENT_LIST_DIR}/sm_70/ld_st.ll.in")
  set(shared "${CMAKE_CURRENT_LIST_DIR}/sm_70/hold_convergence.ll")
  set(additions "${CMAKE_CURRENT_LIST_DIR}/sm_70/atom_add.ll")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${template}" "${shared}" "${additions}")
  file(READ "${template}" template)
  file(READ "${shared}" functions)
  file(READ "${additions}" text)
  string(APPEND functions "${text}")
  foreach(bits IN ITEMS 8 16 32 64)
    math(EXPR bytes "${bits} / 8")
    foreach(names IN ITEMS sys: gpu:device cluster:cluster cta:block)
      string(REGEX MATCH "^(.*):(.*)$" names "${names}")
      set(scope "${CMAKE_MATCH_1}")
      set(syncscope "${CMAKE_MATCH_2}")
      string(CONFIGURE "${template}" text)
      string(APPEND functions "${text}")
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT "${_ld_st}.ll" CONTENT "${functions}" @ONLY)
endblock()
add_custom_command(OUTPUT "${_ld_st}.bc"
  COMMAND "${CMAKE_CXX_COMPILER}" --target=nvptx64-nvidia-cuda -Wno-override-module -x ir -emit-llvm -c "${_ld_st}.ll" -o "${_ld_st}.bc"
  DEPENDS "${_ld_st}.ll"
  COMMENT "cudax.sync: the device code's loads and stores"
  VERBATIM)

file(GLOB_RECURSE _headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.hpp" "${CMAKE_CURRENT_LIST_DIR}/*.def")
list(TRANSFORM CUDAX_SYNC_ARCHIVE_SM PREPEND --cuda-gpu-arch=sm_ OUTPUT_VARIABLE _architectures)
separate_arguments(_flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS}")
# -O2 in every build type: whether a call folds to its instruction must not depend on the archive's. -g0: ptxas rejects code
# that is optimised and has more than line numbers for a debugger. Whether the compiler knows the state space of a pointer
# is decided in the device link; here it would decide that it knows none (README.md, "The state space of all else").
list(APPEND _flags -x cuda -std=c++20 -fPIC ${CUDAX_SYNC_CUDA_FLAGS} -nocudainc ${_architectures} -O2 -Xarch_device -g0
     -mllvm -opt-disable=lower-constant-intrinsics
     "-I${CMAKE_CURRENT_LIST_DIR}" "-I${CMAKE_CURRENT_BINARY_DIR}/arch" -Qunused-arguments
     # For the host, too: -Xarch_device does not take such options. There the linker says that targets differ, and takes nothing.
     -Xclang -mlink-builtin-bitcode -Xclang "${_ld_st}.bc" -Xarch_host -Wno-linker-warnings)
# clang marks every asm of a device unit as convergent: LLVM then neither unrolls a loop with a run-time count around it nor
# moves or duplicates it. That is right only where other lanes take part in the instruction, which is so in these units
# (README.md, "What the optimiser may duplicate").
set(_convergent_units group registers)
# Commands of their own, since clang writes the path of the source, as the command line has it, into the bitcode of every SM
# (-ffile-prefix-map does not reach it). CMake's path is absolute; with this one the archive does not depend on where the
# checkout lies.
foreach(_unit entry wide barrier copy tensor tensor_map group launch_control registers tensor_core tuning hang)
  set(_object "${CMAKE_CURRENT_BINARY_DIR}/arch/${_unit}.cu.o")
  set(_convergence -Xarch_device -fno-convergent-functions)
  if(_unit IN_LIST _convergent_units)
    set(_convergence "")
  endif()
  add_custom_command(OUTPUT "${_object}"
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} "${CMAKE_CXX_COMPILER}" ${_flags} ${_convergence} -c ${_unit}.cu -o "${_object}"
    WORKING_DIRECTORY "${CMAKE_CURRENT_LIST_DIR}"
    DEPENDS "${CMAKE_CURRENT_LIST_DIR}/${_unit}.cu" ${_headers}
            "${PROJECT_SOURCE_DIR}/runtime/interface/hang_mailbox.hpp"
            "${CMAKE_CURRENT_BINARY_DIR}/arch/target.hpp" "${_ld_st}.bc"
    COMMENT "cudax.sync: device code of arch/${_unit}.cu"
    VERBATIM)
  target_sources(cudax_sync PRIVATE "${_object}")
endforeach()
