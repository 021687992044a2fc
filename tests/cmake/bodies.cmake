# SPDX-License-Identifier: Apache-2.0
#
# Bodies: the sources of tests/std, each compiled as plain C++ and as CUDA (support/test.hpp), or compiled only (static/). The
# CMakeLists.txt of each room says which program has which bodies. None can be forgotten: they are found by their suffixes, and
# a body without a program is an error. cudax_link_bodies() makes the programs.

# Headers of the standard library that bodies include.
set(CUDAX_TEST_STANDARD_HEADERS atomic chrono cstdio cstdlib cstring functional memory mutex new thread vector)

# cudax_device_program(<name> GENERATIONS <generation>... [OLDEST <sm>] [STANDARD_HEADERS] [MANY_CALLS])
# cudax_device_program(<name> SM <sm with a letter>)
# A program of bodies as CUDA, and what it is built for: the SMs of these generations (cudax_sms_of), or one SM with a letter.
# With OLDEST it exists only if it is tested for that SM or a later one. With STANDARD_HEADERS those are precompiled, which is
# worth it where several bodies include <chrono>. With MANY_CALLS functions keep external linkage in the link: clang
# 22 visits, for each argument of a call to an internal function, all calls of that function (Function::hasAddressTaken), which
# took 87 % of a link of thread/. The code is then less optimised, and takes the emulator up to a fifth longer. Several
# programs, because linking device code takes one processor, and each SM costs a link.
function(cudax_device_program name)
  if(NOT CUDAX_SYNC_CUDA_FOUND)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "STANDARD_HEADERS;MANY_CALLS" "SM;OLDEST" "GENERATIONS")
  set(newest 0)
  foreach(sm IN LISTS CUDAX_SYNC_TEST_SM)
    if(sm GREATER newest)
      set(newest ${sm})
    endif()
  endforeach()
  string(REPLACE "a" "" number "${arg_SM}")
  if(DEFINED arg_OLDEST AND newest LESS arg_OLDEST)
    message(STATUS "cudax.sync: no device tests of ${name}, which needs SM ${arg_OLDEST} (CUDAX_SYNC_TEST_SM: "
                   "${CUDAX_SYNC_TEST_SM})")
    return()
  elseif(NOT DEFINED arg_SM)
    cudax_sms_of(sms ${arg_GENERATIONS})
  elseif(arg_SM IN_LIST CUDAX_SYNC_ARCHIVE_SM AND number IN_LIST CUDAX_SYNC_TEST_SM)
    set(sms ${arg_SM})
  else()
    message(STATUS "cudax.sync: no device tests of ${name}, which needs SM ${arg_SM} (archive: ${CUDAX_SYNC_ARCHIVE_SM}; "
                   "CUDAX_SYNC_TEST_SM: ${CUDAX_SYNC_TEST_SM})")
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY CUDAX_TEST_PROGRAMS ${name})
  set_property(GLOBAL PROPERTY CUDAX_TEST_SM_OF_${name} "${sms}")
  set_property(GLOBAL PROPERTY CUDAX_TEST_MANY_CALLS_OF_${name} ${arg_MANY_CALLS})
  if(arg_STANDARD_HEADERS)
    set_property(GLOBAL PROPERTY CUDAX_TEST_HEADERS_OF_${name} ${CUDAX_TEST_STANDARD_HEADERS})
  endif()
endfunction()

# Appends the names NAME of the files NAME.<suffix>.cpp that match patterns, below tests/, to a list, without those that the list
# has. Sets `result` to them.
function(_cudax_find_bodies result suffix list)
  file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}/tests" "${CMAKE_CURRENT_SOURCE_DIR}")
  get_property(known GLOBAL PROPERTY ${list})
  set(names "")
  foreach(pattern IN LISTS ARGN)
    file(GLOB found CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${pattern}.${suffix}.cpp")
    if(NOT found)
      message(FATAL_ERROR "cudax.sync: tests/${folder} has no ${pattern}.${suffix}.cpp; correct its CMakeLists.txt")
    endif()
    foreach(file IN LISTS found)
      file(RELATIVE_PATH name "${PROJECT_SOURCE_DIR}/tests" "${file}")
      string(REGEX REPLACE "\\.${suffix}\\.cpp$" "" name "${name}")
      list(APPEND names "${name}")
    endforeach()
  endforeach()
  if(known)
    list(REMOVE_ITEM names ${known})
  endif()
  set_property(GLOBAL APPEND PROPERTY ${list} ${names})
  set(${result} "${names}" PARENT_SCOPE)
endfunction()

# cudax_bodies(<program> [CUDA_ONLY|DEVICE_ONLY] <pattern>...): each NAME.run.cpp of this folder that matches is in run_plain,
# unless it is CUDA_ONLY or DEVICE_ONLY, and in a program as CUDA. All cases of a DEVICE_ONLY body are DEVICE_TESTs: it has no test
# of the host side, and another case is an error. A pattern with a star leaves out what an earlier call names.
function(cudax_bodies program)
  set(patterns ${ARGN})
  list(REMOVE_ITEM patterns CUDA_ONLY DEVICE_ONLY)
  set(list CUDAX_TEST_BODIES_OF_${program})
  if(patterns MATCHES "\\*")
    set(list CUDAX_TEST_BODIES_WITH_PROGRAM)
  endif()
  _cudax_find_bodies(names run ${list} ${patterns})
  if(patterns MATCHES "\\*")
    set_property(GLOBAL APPEND PROPERTY CUDAX_TEST_BODIES_OF_${program} ${names})
  else()
    set_property(GLOBAL APPEND PROPERTY CUDAX_TEST_BODIES_WITH_PROGRAM ${names})
  endif()
  if(DEVICE_ONLY IN_LIST ARGN)
    set_property(GLOBAL APPEND PROPERTY CUDAX_TEST_DEVICE_ONLY_BODIES ${names})
  elseif(NOT CUDA_ONLY IN_LIST ARGN)
    set_property(GLOBAL APPEND PROPERTY CUDAX_TEST_BODIES ${names})
  endif()
endfunction()

# cudax_spinning_bodies(<name>...): their threads spin for each other, so that CTest gives them three processors. 1.4 s on two
# processors is more than a minute where they share one, and tools/test runs three tests on two processors.
function(cudax_spinning_bodies)
  _cudax_find_bodies(names run CUDAX_TEST_SPINNING_BODIES ${ARGN})
endfunction()

# cudax_death_bodies(HOST_ONLY|VARIANT <name>...): how the cases of NAME.death.cpp, which stop their programs, are compiled, if not
# on every side (static/CMakeLists.txt). VARIANT: they link only for SM 90a.
function(cudax_death_bodies kind)
  _cudax_find_bodies(names death CUDAX_TEST_DEATHS_${kind} ${ARGN})
endfunction()

# cudax_room(<folder>): the bodies of a folder: what its CMakeLists.txt says of .run.cpp and of some .death.cpp, and all others.
# NAME.fail.cpp and NAME.compile.cpp are compiled in each flavour (static/CMakeLists.txt).
function(cudax_room folder)
  add_subdirectory(${folder})
  foreach(list IN ITEMS CUDAX_TEST_BODIES_WITH_PROGRAM CUDAX_TEST_DEATHS_HOST_ONLY CUDAX_TEST_DEATHS_VARIANT)
    get_property(${list} GLOBAL PROPERTY ${list})
  endforeach()
  file(GLOB bodies CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/tests" "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp")
  foreach(body IN LISTS bodies)
    string(REGEX REPLACE "\\.cpp$" "" name "${body}")
    string(REGEX REPLACE "\\.[a-z]+$" "" stem "${name}")
    if(name MATCHES "\\.(fail|compile)$")
      set_property(GLOBAL APPEND PROPERTY CUDAX_TEST_STATIC_BODIES "${name}")
    elseif(name MATCHES "\\.death$" AND NOT stem IN_LIST CUDAX_TEST_DEATHS_HOST_ONLY AND NOT stem IN_LIST CUDAX_TEST_DEATHS_VARIANT)
      set_property(GLOBAL APPEND PROPERTY CUDAX_TEST_DEATHS "${name}")
    elseif(name MATCHES "\\.run$" AND NOT stem IN_LIST CUDAX_TEST_BODIES_WITH_PROGRAM)
      message(FATAL_ERROR "cudax.sync: no program runs tests/${body}; add it to a cudax_bodies() in the CMakeLists.txt of its folder")
    elseif(NOT name MATCHES "\\.(run|death)$")
      message(FATAL_ERROR "cudax.sync: tests/${body} is no body; end its name in .run.cpp, .fail.cpp, .compile.cpp or .death.cpp")
    endif()
  endforeach()
endfunction()

# Adds one test for each body of a program's host side.
function(_cudax_host_tests name prefix)
  get_property(spinning GLOBAL PROPERTY CUDAX_TEST_SPINNING_BODIES)
  foreach(body IN LISTS ARGN)
    string(REPLACE "/" "." suite "${body}")
    if(TEST "${prefix}.${suite}") # of another program
      continue()
    endif()
    add_test(NAME "${prefix}.${suite}" COMMAND ${name} --run_test=${suite} -- --side=host)
    set_tests_properties("${prefix}.${suite}" PROPERTIES TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} LABELS "${prefix}")
    if(body IN_LIST spinning)
      set_tests_properties("${prefix}.${suite}" PROPERTIES PROCESSORS 3)
    endif()
  endforeach()
endfunction()

# The same files as CUDA: CMake gives a source one set of options in a directory, so they are compiled through .cu files that include
# them.
function(_cudax_cuda_program name)
  get_property(sms GLOBAL PROPERTY CUDAX_TEST_SM_OF_${name})
  get_property(bodies GLOBAL PROPERTY CUDAX_TEST_BODIES_OF_${name})
  get_property(headers GLOBAL PROPERTY CUDAX_TEST_HEADERS_OF_${name})
  get_property(device_only GLOBAL PROPERTY CUDAX_TEST_DEVICE_ONLY_BODIES)
  set(sources "")
  set(host_bodies "")
  foreach(body IN LISTS bodies)
    set(wrapper "${CMAKE_CURRENT_BINARY_DIR}/cuda/${name}/${body}.cu")
    set(includes "#include \"${PROJECT_SOURCE_DIR}/tests/${body}.run.cpp\"\n")
    if(body IN_LIST device_only)
      string(PREPEND includes "#include \"${PROJECT_SOURCE_DIR}/tests/support/device_only.hpp\"\n")
    else()
      list(APPEND host_bodies "${body}")
    endif()
    file(CONFIGURE OUTPUT "${wrapper}" CONTENT "${includes}")
    list(APPEND sources "${wrapper}")
  endforeach()
  add_executable(${name} support/main.cpp)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${name} PRIVATE test_device Boost::unit_test_framework)
  # run_plain has the same host code, optimised.
  target_compile_options(${name} PRIVATE -Wall -Wextra -O1 "SHELL:-Xarch_host -O0" "${CUDAX_TEST_DEVICE_COMPILE}")
  target_link_options(${name} PRIVATE ${CUDAX_TEST_DEVICE_LINK})
  cudax_test_cuda_sources(${name} ${sources} SM ${sms} HEADERS ${headers})
  target_link_options(${name} PRIVATE ${CUDAX_TEST_DEVICE_PASSES})
  get_property(many_calls GLOBAL PROPERTY CUDAX_TEST_MANY_CALLS_OF_${name})
  if(many_calls)
    target_link_options(${name} PRIVATE ${CUDAX_TEST_DEVICE_EXTERNAL})
  endif()
  _cudax_host_tests(${name} cuda-host ${host_bodies})
  foreach(body IN LISTS bodies)
    string(REPLACE "/" "." suite "${body}")
    cudax_device_test(${suite} ${name} SM ${sms} TIMEOUT ${CUDAX_SYNC_TEST_TIMEOUT} COMMAND --run_test=${suite} -- --side=device)
  endforeach()
endfunction()

# Makes run_plain and the programs as CUDA. All later CUDA targets, in the folders below, too, have the BMIs of the first one.
function(cudax_link_bodies)
  get_property(bodies GLOBAL PROPERTY CUDAX_TEST_BODIES)
  list(REMOVE_DUPLICATES bodies) # one may be in several programs as CUDA
  list(TRANSFORM bodies APPEND .run.cpp OUTPUT_VARIABLE sources)
  add_executable(run_plain support/main.cpp support/no_device.cpp ${sources})
  target_include_directories(run_plain PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(run_plain PRIVATE cudax::sync Boost::unit_test_framework)
  target_compile_options(run_plain PRIVATE -Wall -Wextra ${CUDAX_TEST_OPTIMISATION})
  list(TRANSFORM CUDAX_TEST_STANDARD_HEADERS REPLACE "(.+)" "<\\1>" OUTPUT_VARIABLE headers)
  target_precompile_headers(run_plain PRIVATE ${headers}) # else 1 s in each body that includes <chrono>
  _cudax_host_tests(run_plain plain ${bodies})
  get_property(programs GLOBAL PROPERTY CUDAX_TEST_PROGRAMS)
  foreach(program IN LISTS programs)
    _cudax_cuda_program(${program})
    if(NOT CUDAX_SYNC_BMIS_OF)
      set(CUDAX_SYNC_BMIS_OF ${program})
      set(CUDAX_SYNC_BMIS_OF ${program} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()
