# SPDX-License-Identifier: Apache-2.0
# CPack runs this before it writes a package and again afterwards. The same files give the same package, byte by byte,
# whenever, wherever and by whichever user it is made: SOURCE_DATE_EPOCH (default: the start of 2025) is the time of all
# files, and no mode depends on an umask. In CPack's packages the order of the files, and the size that a .deb states,
# depend on the file system, so both kinds are packed again.
set(epoch 1735689600)
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  set(epoch "$ENV{SOURCE_DATE_EPOCH}")
endif()
if(NOT CPACK_PACKAGE_FILES) # before
  execute_process(COMMAND chmod -R u=rwX,go=rX "${CPACK_TEMPORARY_INSTALL_DIRECTORY}" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND find "${CPACK_TEMPORARY_INSTALL_DIRECTORY}" -exec touch --no-dereference --date=@${epoch} {} +
                  COMMAND_ERROR_IS_FATAL ANY)
endif()
foreach(file IN LISTS CPACK_PACKAGE_FILES)
  if(file MATCHES "\\.tar\\.gz$")
    file(ARCHIVE_EXTRACT INPUT "${file}" DESTINATION "${file}.unpacked")
    file(GLOB folder RELATIVE "${file}.unpacked" "${file}.unpacked/*")
    execute_process(COMMAND tar --create --sort=name --format=ustar --mtime=@${epoch} --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX
                    --directory "${file}.unpacked" ${folder} COMMAND gzip -9 --no-name OUTPUT_FILE "${file}"
                    COMMAND_ERROR_IS_FATAL ANY)
  elseif(file MATCHES "\\.deb$")
    find_program(dpkg dpkg-deb)
    if(NOT dpkg)
      message(STATUS "there is no dpkg-deb, so the order of files in the .deb is that of the file system")
      continue()
    endif()
    set(sorted [=[umask 022 && dpkg-deb --raw-extract "$1" "$1.unpacked" && cd "$1.unpacked/DEBIAN" &&
      LC_ALL=C sort -k 2 md5sums >sorted && mv sorted md5sums &&
      size=$(find .. -path ../DEBIAN -prune -o -type f -printf "%s\\n" -o -printf "1\\n" | awk '{ kib += int(($1 + 1023) / 1024) } END { print kib }') &&
      sed -i "s/^Installed-Size: .*/Installed-Size: $size/" control && find .. -exec touch --no-dereference --date=@$2 {} + &&
      SOURCE_DATE_EPOCH=$2 dpkg-deb --root-owner-group -Zxz --build .. "$1" >/dev/null]=])
    execute_process(COMMAND bash -c "${sorted}" sorted "${file}" "${epoch}" COMMAND_ERROR_IS_FATAL ANY)
  endif()
  file(REMOVE_RECURSE "${file}.unpacked")
endforeach()
