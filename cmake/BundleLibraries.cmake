# Component `bundle` of Install.cmake, run when it is installed: copies the shared libraries of the
# system that PROGRAM and the llama.cpp in LLAMA_LIBRARY_DIR need into PRIVATE_LIBRARIES, with
# their licences. glibc stays the target machine's: it belongs to the kernel and the loader there.
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES "${PROGRAM}"
  RESOLVED_DEPENDENCIES_VAR libraries
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv)\\.so")
set(destination "${CMAKE_INSTALL_PREFIX}/${PRIVATE_LIBRARIES}")
set(licences "${CMAKE_INSTALL_PREFIX}/share/doc/logit-classifier/licences")
find_program(dpkg_query dpkg-query)
foreach(library IN LISTS libraries)
  cmake_path(GET library PARENT_PATH folder)
  if(LLAMA_LIBRARY_DIR AND folder STREQUAL LLAMA_LIBRARY_DIR)
    continue()
  endif()
  file(INSTALL "${library}" DESTINATION "${destination}" TYPE SHARED_LIBRARY FOLLOW_SYMLINK_CHAIN)
  if(NOT dpkg_query)
    message(WARNING "${library} is bundled without its licence: dpkg-query does not say whose it is")
    continue()
  endif()
  # The package may know the file below /usr or, where /lib is a link, without it.
  file(REAL_PATH "${library}" real)
  string(REGEX REPLACE "^/usr" "" short "${real}")
  execute_process(COMMAND "${dpkg_query}" --search "${real}" "${short}"
    OUTPUT_VARIABLE owner ERROR_QUIET)
  string(REGEX REPLACE "[:,].*" "" package "${owner}")
  file(REAL_PATH "/usr/share/doc/${package}/copyright" licence)
  if(package STREQUAL "" OR NOT EXISTS "${licence}")
    message(FATAL_ERROR "${library} has no licence in /usr/share/doc")
  endif()
  file(MAKE_DIRECTORY "${licences}")
  configure_file("${licence}" "${licences}/${package}" COPYONLY)
endforeach()
