# SPDX-License-Identifier: Apache-2.0
#
# cudax_sync_cuda_sources(<target> <source>... [SM <sm>...])
#
# Adds CUDA sources that `import cudax.sync;` to <target>: compiles them with clang in CUDA mode for each SM (90, 100a,
# ...; default: one of each major generation that the archive holds), and links cudax::sync and the CUDA runtime with
# device LTO, so that calls of the library fold to their instructions.
#
# CMake builds the plain C++ flavour of the modules itself (FILE_SET CXX_MODULES); it knows none for -x cuda. So the CUDA
# flavour is built here, once for each target, by one command per interface unit and side (host, device), with the
# options of the target: a BMI and its importer must agree on the standard, on exceptions and the like. The options of
# <target> may be set before or after the call.
#
# The linked program holds a cubin for each SM and the PTX that it was made of, for newer GPUs and the emulator
# (cuda_tool.in). Without the PTX: set CUDAX_SYNC_EMBED_PTX to OFF before the call.

if(CUDAToolkit_BIN_DIR)
  cmake_path(GET CUDAToolkit_BIN_DIR PARENT_PATH CUDAX_SYNC_CUDA_PATH)
endif()

option(CUDAX_SYNC_EMBED_PTX "Put PTX beside the cubins of programs, for newer GPUs and the emulator" ON)

# The flags of every CUDA compilation. clang 22 calls CUDA 13 newer than known, and works with it.
set(CUDAX_SYNC_CUDA_FLAGS -fgpu-rdc -foffload-lto "--cuda-path=${CUDAX_SYNC_CUDA_PATH}" -Wno-unknown-cuda-version)

# The -std flag of `target`, a generator expression: an option of the target, as for CMake; else CXX_STANDARD; else what
# CMAKE_CXX_FLAGS (behind `target`) says; else what the features ask for.
function(_cudax_sync_standard result target)
  set(std 20)
  foreach(version 23 26)
    set(std "$<IF:$<IN_LIST:cxx_std_${version},$<TARGET_PROPERTY:${target},COMPILE_FEATURES>>,${version},${std}>")
  endforeach()
  set(chosen "$<TARGET_PROPERTY:${target},CXX_STANDARD>")
  set(std "$<IF:$<AND:$<VERSION_GREATER:${chosen},20>,$<VERSION_LESS:${chosen},98>>,${chosen},${std}>")
  # CXX_EXTENSIONS that nobody set means ON, as for CMake.
  set(extensions "$<TARGET_PROPERTY:${target},CXX_EXTENSIONS>")
  set(dialect "$<IF:$<OR:$<STREQUAL:${extensions},>,$<BOOL:${extensions}>>,gnu++,c++>")
  set(std "-std=${dialect}${std}")
  set(flags ${ARGN})
  list(FILTER flags INCLUDE REGEX "^-std=")
  if(flags)
    list(POP_BACK flags flag)
    set(std "$<IF:$<BOOL:${chosen}>,${std},${flag}>")
  endif()
  set(options "$<FILTER:$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>,INCLUDE,^-std=>")
  set(${result} "$<IF:$<BOOL:${options}>,$<JOIN:${options}, >,${std}>" PARENT_SCOPE)
endfunction()

# What the device side of `target` needs where it is compiled with -g, a generator expression. Device LTO optimises, and
# ptxas refuses to optimise code that has more than line numbers for the debugger.
function(_cudax_sync_device_debug result target)
  set(flags ${ARGN})
  list(FILTER flags INCLUDE REGEX "^-g")
  set(options "$<FILTER:$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>,INCLUDE,^-g>")
  set(${result} "$<$<BOOL:${flags}${options}>:-Xarch_device -gline-directives-only>" PARENT_SCOPE)
endfunction()

# Adds one command per unit and side, which leave the BMIs in directory/host and directory/device, compiled with the
# options behind `directory`. `name` is for the progress line. Sets `result` to the BMIs.
function(_cudax_sync_build_bmis result name directory)
  set(option_files ${ARGN})
  list(FILTER option_files INCLUDE REGEX "^@")
  list(TRANSFORM option_files REPLACE "^@" "")
  list(TRANSFORM CUDAX_SYNC_UNIT_HEADERS PREPEND "${CUDAX_SYNC_ROOT}/" OUTPUT_VARIABLE headers)
  set(bmis "")
  foreach(side host device)
    set(out "${directory}/${side}")
    file(MAKE_DIRECTORY "${out}")
    foreach(unit IN LISTS CUDAX_SYNC_UNITS)
      set(source "${CUDAX_SYNC_ROOT}/modules/${unit}.cppm")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
      # MODULE is MODULE.pcm, its partition :PART is MODULE-PART.pcm: where clang looks for them.
      file(STRINGS "${source}" bmi REGEX "^export module ")
      string(REGEX MATCH "(cudax[a-z_.]*)(:[a-z_]+)?" module "${bmi}")
      set(primary "${CMAKE_MATCH_1}")
      string(REPLACE ":" "-" bmi "${module}")
      set(bmi "${out}/${bmi}.pcm")
      file(STRINGS "${source}" imports REGEX "^(export )?import :")
      list(TRANSFORM imports REPLACE "^.*import :([a-z_]+);.*$" "${out}/${primary}-\\1.pcm")
      # -S, or the driver goes on to ptxas. Any SM will do: the interface has no test for one. -w: the units' warnings
      # are not the importer's business.
      add_custom_command(OUTPUT "${bmi}"
        COMMAND "${CMAKE_CXX_COMPILER}" -x cuda ${CUDAX_SYNC_CUDA_FLAGS} ${ARGN} -w -nocudainc
                --cuda-${side}-only --cuda-gpu-arch=sm_90 "-fprebuilt-module-path=${out}"
                -S -Xclang -emit-module-interface "${source}" -o "${bmi}"
        DEPENDS "${source}" ${headers} ${imports} ${option_files}
        COMMENT "cudax.sync: ${side} BMI of ${module} for ${name}"
        COMMAND_EXPAND_LISTS VERBATIM)
      list(APPEND bmis "${bmi}")
    endforeach()
  endforeach()
  set(${result} "${bmis}" PARENT_SCOPE)
endfunction()

# The SMs where nobody names any: one of each major generation of the archive; its code runs on the whole generation.
function(_cudax_sync_default_sm result)
  set(sms "")
  foreach(sm 70 75 80 90 100 120)
    if(sm IN_LIST CUDAX_SYNC_ARCHIVE_SM)
      list(APPEND sms ${sm})
    endif()
  endforeach()
  if(NOT sms)
    set(sms ${CUDAX_SYNC_ARCHIVE_SM})
  endif()
  set(${result} "${sms}" PARENT_SCOPE)
endfunction()

# Makes directory/bin: the toolkit's tools for the device link as cuda_tool.in has them.
function(_cudax_sync_cuda_tools directory)
  foreach(tool ptxas nvlink fatbinary)
    configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/cuda_tool.in" "${directory}/bin/${tool}" @ONLY FILE_PERMISSIONS
      OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endforeach()
endfunction()

function(cudax_sync_cuda_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" SM)
  set(sources ${arg_UNPARSED_ARGUMENTS})
  if(NOT TARGET ${target})
    message(FATAL_ERROR "cudax_sync_cuda_sources: '${target}' is not a target; call add_executable or add_library first.")
  endif()
  if(NOT sources)
    message(FATAL_ERROR "cudax_sync_cuda_sources: no source for '${target}'; name the CUDA sources behind the target.")
  endif()
  if(NOT CUDAX_SYNC_CUDA_FOUND)
    message(FATAL_ERROR "cudax_sync_cuda_sources: cudax.sync was built without CUDA, so '${target}' cannot have CUDA "
                        "sources; install a CUDA toolkit 12.8 or later and configure again.")
  endif()
  if(NOT arg_SM)
    _cudax_sync_default_sm(arg_SM)
  endif()
  foreach(sm IN LISTS arg_SM)
    if(NOT sm IN_LIST CUDAX_SYNC_ARCHIVE_SM)
      message(FATAL_ERROR "cudax_sync_cuda_sources: SM ${sm} for '${target}' is not in the archive, which holds "
                          "${CUDAX_SYNC_ARCHIVE_SM}; choose one of these, or build cudax.sync with it (CUDAX_SYNC_SM).")
    endif()
  endforeach()

  set(directory "${CMAKE_CURRENT_BINARY_DIR}/${target}.cudax_sync")
  # What depends on the options of the target stands in a file: CMake refuses COMPILE_OPTIONS that refer to themselves.
  set(options_file "${directory}/options")
  get_target_property(bmis ${target} CUDAX_SYNC_BMIS)
  if(NOT bmis)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
    separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${config}}")
    _cudax_sync_standard(standard ${target} ${flags})
    _cudax_sync_device_debug(device_debug ${target} ${flags})
    file(GENERATE OUTPUT "${options_file}" CONTENT "${standard} ${device_debug}\n" TARGET ${target})
    _cudax_sync_build_bmis(bmis ${target} "${directory}"
      ${flags}
      "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>"
      "$<LIST:TRANSFORM,$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>,PREPEND,-D>"
      "@${options_file}")
    set_target_properties(${target} PROPERTIES CUDAX_SYNC_BMIS "${bmis}")
  endif()

  list(TRANSFORM arg_SM PREPEND --cuda-gpu-arch=sm_ OUTPUT_VARIABLE architectures)
  # __visibility__: the device link drops kernels that are hidden and launched from templates, as those of CUB and Thrust
  # are (clang 22.1).
  target_sources(${target} PRIVATE ${sources})
  set_source_files_properties(${sources} TARGET_DIRECTORY ${target} PROPERTIES
    LANGUAGE CXX
    CXX_SCAN_FOR_MODULES OFF
    OBJECT_DEPENDS "${bmis};${options_file}"
    COMPILE_OPTIONS "-x;cuda;${CUDAX_SYNC_CUDA_FLAGS};${architectures};-isystem;${CUDAX_SYNC_CUDA_PATH}/include/cccl;\
-Xarch_device;-D__visibility__(which)=;-Xarch_host;-fprebuilt-module-path=${directory}/host;-Xarch_device;-fprebuilt-module-path=${directory}/device;@${options_file}")
  target_link_libraries(${target} PRIVATE cudax::sync CUDA::cudart)
  # The device link starts another clang, which does not inherit --cuda-path (clang 22.1).
  target_link_options(${target} PRIVATE --offload-link -foffload-lto "--cuda-path=${CUDAX_SYNC_CUDA_PATH}"
    "LINKER:--device-compiler=nvptx64-nvidia-cuda=--cuda-path=${CUDAX_SYNC_CUDA_PATH}")
  if(CUDAX_SYNC_EMBED_PTX)
    set(tools "${CMAKE_BINARY_DIR}/cudax_sync_tools")
    _cudax_sync_cuda_tools("${tools}")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${tools}/bin/fatbinary")
    target_link_options(${target} PRIVATE "LINKER:--cuda-path=${tools}"
      "LINKER:--device-linker=nvptx64-nvidia-cuda=--cuda-path=${tools}")
  endif()
endfunction()
