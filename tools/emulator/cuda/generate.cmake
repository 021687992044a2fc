# SPDX-License-Identifier: Apache-2.0
# cmake -P script: from the toolkit's libcudart and driver_types.h, in OUTPUT:
#   stubs.cpp        a weak definition of every symbol that libcudart exports; the emulator's definitions override them
#   exports.map      the version node of these symbols
#   error_names.inc  the codes of errors and their names
cmake_minimum_required(VERSION 3.28)

execute_process(COMMAND "${NM}" -D --defined-only "${LIBRARY}" OUTPUT_VARIABLE symbols RESULT_VARIABLE result)
string(REGEX MATCHALL " (__cuda|cuda)[A-Za-z0-9_]+@@libcudart\\.so\\.13" symbols "${symbols}")
if(NOT result EQUAL 0 OR NOT symbols)
  message(FATAL_ERROR "emulator: ${NM} lists no symbols of version libcudart.so.13 in ${LIBRARY} (${result}); the "
                      "emulator stands in for the runtime of CUDA 13: set CUDAToolkit_ROOT to one")
endif()
list(SORT symbols)
set(stubs [=[
extern "C" int cudax_emulator_not_supported(char const*);
#define STUB(name) \
  extern "C" [[gnu::weak]] int name() { return cudax_emulator_not_supported(#name); }
]=])
foreach(symbol IN LISTS symbols)
  string(REGEX REPLACE " (.*)@@.*" "STUB(\\1)\n" stub "${symbol}")
  string(APPEND stubs "${stub}")
endforeach()
file(WRITE "${OUTPUT}/stubs.cpp" "${stubs}")
file(WRITE "${OUTPUT}/exports.map" "libcudart.so.13 {\n  global: cuda[A-Z]*; __cuda*;\n  local: *;\n};\n")

file(STRINGS "${HEADERS}/driver_types.h" codes REGEX "^ *cuda(Success|Error[A-Za-z0-9]+) *= *[0-9]+")
list(TRANSFORM codes REPLACE "^ *(cuda[A-Za-z0-9]+).*$" "{\\1, \"\\1\"},\n")
file(WRITE "${OUTPUT}/error_names.inc" ${codes})
