# SPDX-License-Identifier: Apache-2.0
# CPack reads this before it writes packages of one kind. The .deb packages are one for each component, and what is in
# them has the path that it is installed to.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_COMPONENTS_GROUPING IGNORE)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY OFF)
endif()
