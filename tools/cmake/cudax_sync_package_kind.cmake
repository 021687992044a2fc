# SPDX-License-Identifier: Apache-2.0
# CPack reads this before it writes packages of one kind: the .deb packages are one for each component.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_COMPONENTS_GROUPING IGNORE)
endif()
