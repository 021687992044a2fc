# SPDX-License-Identifier: Apache-2.0
#
# cudax_litmus_program(<target> FILES <file>... SM <sm>... [PARTS <number>] [OPTIONS <option of litmus_generate>...])
# cudax_litmus_program(<target> WRITTEN SM <sm>... [OPTIONS <option of litmus_generate>...])
# A program that runs litmus tests. With several PARTS the kernels are in as many shared libraries beside the program: the
# device link of each takes long, and they are linked side by side. WRITTEN: a command runs litmus_generate for the folder
# <target>.litmus, with the options in the file `options` there, before it builds the target. Other FILES need no other
# configuration then.
function(cudax_litmus_program target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WRITTEN" "PARTS" "FILES;SM;OPTIONS")
  if(NOT arg_PARTS)
    set(arg_PARTS 1)
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.litmus")
  set(sources "")
  math(EXPR last "${arg_PARTS} - 1")
  foreach(part RANGE ${last})
    list(APPEND sources "${folder}/kernels_${part}.cu")
  endforeach()
  # The machine code of tests can be compared where there will be some.
  if(NOT CUDAX_SYNC_TESTS_EMULATED OR CUDAX_SYNC_TEST_CUBIN)
    list(APPEND arg_OPTIONS --code)
  endif()
  if(arg_WRITTEN)
    list(JOIN arg_OPTIONS "\n" options)
    file(CONFIGURE OUTPUT "${folder}/options" CONTENT "${options}\n" @ONLY)
    foreach(source IN ITEMS "${folder}/table.cpp" ${sources})
      if(NOT EXISTS "${source}")
        file(WRITE "${source}" "// tools/litmus run writes the tests.\n")
      endif()
    endforeach()
  else()
    # The names are many: they are in a file.
    list(JOIN arg_FILES "\n" files)
    file(CONFIGURE OUTPUT "${folder}/files" CONTENT "${files}\n" @ONLY)
    add_custom_command(OUTPUT "${folder}/table.cpp" ${sources}
      COMMAND litmus_generate "${folder}" ${arg_PARTS} ${arg_OPTIONS} --files "${folder}/files"
      COMMAND "${CMAKE_COMMAND}" -E touch_nocreate "${folder}/table.cpp" # the kernels keep their time if they are the same
      DEPENDS litmus_generate "${folder}/files" ${arg_FILES}
      COMMENT "litmus tests of ${target}" VERBATIM)
  endif()
  # One long list of constants, over which the optimiser takes minutes.
  set_source_files_properties("${folder}/table.cpp" PROPERTIES COMPILE_OPTIONS -O0)
  add_executable(${target} EXCLUDE_FROM_ALL "${folder}/table.cpp" $<TARGET_OBJECTS:litmus_runner>)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tools/litmus_runner")
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  target_link_libraries(${target} PRIVATE CUDA::cudart)
  set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON BUILD_RPATH "$ORIGIN")
  if(arg_PARTS EQUAL 1)
    cudax_sync_cuda_sources(${target} ${sources} SM ${arg_SM})
    return()
  endif()
  foreach(part RANGE ${last})
    set(library ${target}_${part})
    add_library(${library} SHARED EXCLUDE_FROM_ALL)
    target_include_directories(${library} PRIVATE "${PROJECT_SOURCE_DIR}/tools/litmus_runner")
    target_compile_options(${library} PRIVATE -Wall -Wextra)
    set_target_properties(${library} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    cudax_sync_cuda_sources(${library} "${folder}/kernels_${part}.cu" SM ${arg_SM})
    target_link_libraries(${target} PRIVATE -Wl,--no-as-needed ${library}) # no symbol of it is used: its kernels register themselves
  endforeach()
endfunction()
