# SPDX-License-Identifier: Apache-2.0
#
# CUDA's headers, precompiled, and headers of the standard library with them. clang includes CUDA's before the first line of
# every CUDA source, which takes 0.4 seconds for the host and for each SM: more than many a test. <chrono> and what it includes
# take three times as long. A header of a project's own (target_precompile_headers) is plain C++.

# cudax_cuda_headers(<folder> SIDES <host|device>... COMMAND <compiler> <option>... [HEADERS <name>...] [DEPENDS <file>...])
# The options of a compilation that follow from `-include-pch <folder>`. A source that has them depends on <folder>/complete.
# The folder has a file for the host and one for each SM, of which clang takes the one that fits a compilation.
function(cudax_cuda_headers folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SIDES;COMMAND;HEADERS;DEPENDS")
  list(TRANSFORM arg_HEADERS REPLACE "(.+)" "#include <\\1>\n" OUTPUT_VARIABLE includes)
  list(JOIN includes "" includes)
  file(CONFIGURE OUTPUT "${folder}/headers.hpp" CONTENT "${includes}\n")
  set(commands "")
  foreach(side IN LISTS arg_SIDES)
    list(APPEND commands COMMAND ${arg_COMMAND} -Xclang -emit-pch --cuda-${side}-only -c headers.hpp)
    if(side STREQUAL host) # the driver's own name is that of an object
      list(APPEND commands -o host.pch)
    endif()
  endforeach()
  add_custom_command(OUTPUT "${folder}/complete" ${commands} COMMAND "${CMAKE_COMMAND}" -E touch complete
    WORKING_DIRECTORY "${folder}" DEPENDS ${arg_DEPENDS} COMMENT "cudax.sync: CUDA's headers in ${folder}"
    COMMAND_EXPAND_LISTS VERBATIM)
endfunction()

# cudax_test_cuda_sources(<target> <source>... SM <sm>... [HEADERS <name>...]): cudax_sync_cuda_sources with precompiled
# headers, which targets of the same flags, SMs, BMIs and names share. The target has its options, definitions and libraries
# already, since clang takes no file of other ones, and a source belongs to no other target.
function(cudax_test_cuda_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SM;HEADERS")
  cudax_sync_cuda_sources(${target} ${arg_UNPARSED_ARGUMENTS} SM ${arg_SM})
  get_property(several_configs GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(several_configs) # CMAKE_BUILD_TYPE does not say the flags
    return()
  endif()
  set(sources ${arg_UNPARSED_ARGUMENTS})
  get_target_property(target_options ${target} COMPILE_OPTIONS)
  get_target_property(owner ${target} CUDAX_SYNC_BMIS_OF)
  if(NOT owner)
    set(owner ${target})
  endif()
  get_target_property(own_definitions ${target} COMPILE_DEFINITIONS)
  get_target_property(libraries ${target} LINK_LIBRARIES) # their definitions
  string(SHA1 key "${arg_SM} ${arg_HEADERS} ${owner} ${target_options} ${own_definitions} ${libraries}")
  string(SUBSTRING "${key}" 0 8 key)
  set(folder "${PROJECT_BINARY_DIR}/tests/cuda_headers/${key}")
  get_property(known GLOBAL PROPERTY CUDAX_TEST_CUDA_HEADERS)
  if(NOT key IN_LIST known)
    set_property(GLOBAL APPEND PROPERTY CUDAX_TEST_CUDA_HEADERS ${key})
    list(GET sources 0 source)
    get_source_file_property(options "${source}" COMPILE_OPTIONS)
    string(REPLACE "$<TARGET_PROPERTY:" "$<TARGET_PROPERTY:${target}," options "${options}") # a custom command has no target
    get_source_file_property(inputs "${source}" OBJECT_DEPENDS)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
    separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${config}}")
    list(TRANSFORM target_options REPLACE "^SHELL:" "")
    list(TRANSFORM target_options REPLACE " " ";")
    set(definitions "$<LIST:TRANSFORM,$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>,PREPEND,-D>")
    cudax_cuda_headers("${folder}" SIDES device host HEADERS ${arg_HEADERS} DEPENDS ${inputs}
      COMMAND "${CMAKE_CXX_COMPILER}" ${flags} ${target_options} ${options} "${definitions}")
  endif()
  set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS -include-pch "${folder}")
  set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS "${folder}/complete")
endfunction()
