# SPDX-License-Identifier: Apache-2.0
# Reads the rows of generations.def. Sets
#   CUDAX_SYNC_KNOWN_SM           the SMs that the archive may hold
#   CUDAX_SYNC_UNUSUAL_SM         those of them that it holds only if CUDAX_SYNC_SM names them
#   CUDAX_SYNC_PROGRAM_SM         those that programs are compiled for by default
#   CUDAX_SYNC_EMULATED_SM        those that can be emulated
#   CUDAX_SYNC_GENERATIONS        the folders arch/sm_*, oldest first
#   CUDAX_SYNC_GENERATION_<SM>    the folder of an SM without sm_ and without a letter: 80 of 89, 90 of 90a
#   CUDAX_SYNC_FOLDER_<SM>        the folder of an SM: sm_80 of 89, sm_90a of 90a
set(_table "${CMAKE_CURRENT_LIST_DIR}/generations.def")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${_table}")
file(STRINGS "${_table}" _rows REGEX "^CUDAX_SM")
set(CUDAX_SYNC_KNOWN_SM "")
set(CUDAX_SYNC_UNUSUAL_SM "")
set(CUDAX_SYNC_PROGRAM_SM "")
set(CUDAX_SYNC_EMULATED_SM "")
set(CUDAX_SYNC_GENERATIONS "")
foreach(_row IN LISTS _rows)
  if(NOT _row MATCHES
     "^CUDAX_SM(_VARIANT)? *\\(([0-9]+a?), *sm_([0-9]+)(a?), *(by_default|if_named|if_built|never)(, *([0-9]+), *[0-9]+, *[0-9]+)?\\)")
    message(FATAL_ERROR "cudax.sync: arch/generations.def: this row is not understood: ${_row}")
  endif()
  set(CUDAX_SYNC_GENERATION_${CMAKE_MATCH_2} ${CMAKE_MATCH_3})
  set(CUDAX_SYNC_FOLDER_${CMAKE_MATCH_2} sm_${CMAKE_MATCH_3}${CMAKE_MATCH_4})
  list(APPEND CUDAX_SYNC_GENERATIONS sm_${CMAKE_MATCH_3}${CMAKE_MATCH_4})
  if(NOT CMAKE_MATCH_5 STREQUAL never)
    list(APPEND CUDAX_SYNC_KNOWN_SM ${CMAKE_MATCH_2})
  endif()
  if(CMAKE_MATCH_5 STREQUAL if_built)
    list(APPEND CUDAX_SYNC_UNUSUAL_SM ${CMAKE_MATCH_2})
  endif()
  if(CMAKE_MATCH_5 STREQUAL by_default)
    list(APPEND CUDAX_SYNC_PROGRAM_SM ${CMAKE_MATCH_2})
  endif()
  if(CMAKE_MATCH_7)
    list(APPEND CUDAX_SYNC_EMULATED_SM ${CMAKE_MATCH_2})
  endif()
endforeach()
list(REMOVE_DUPLICATES CUDAX_SYNC_GENERATIONS)
