# Install rules: the library, its headers, a CMake package and a pkg-config file, the program.
if(LOGIT_HAS_LLAMA)
  get_target_property(llama_is_imported llama IMPORTED)
  if(NOT llama_is_imported)
    message(STATUS "logit: no install rules: llama.cpp is part of this build, not an installed package")
    return()
  endif()
  get_target_property(llama_library llama LOCATION)
  cmake_path(GET llama_library PARENT_PATH llama_library_dir)
endif()
include(CMakePackageConfigHelpers)
set(cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/logit")
install(TARGETS logit EXPORT logitTargets FILE_SET HEADERS)
if(TARGET logit-classifier)
  # llama.cpp usually lives outside the loader's path, and scripts/setup puts it below this source
  # tree, where CMake's own INSTALL_RPATH_USE_LINK_PATH leaves it out.
  set_target_properties(logit-classifier PROPERTIES INSTALL_RPATH "${llama_library_dir}")
  install(TARGETS logit-classifier)
endif()
install(EXPORT logitTargets NAMESPACE logit:: DESTINATION "${cmake_dir}")
configure_package_config_file(cmake/logitConfig.cmake.in logitConfig.cmake
  INSTALL_DESTINATION "${cmake_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(logitConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/logitConfig.cmake" "${PROJECT_BINARY_DIR}/logitConfigVersion.cmake"
  DESTINATION "${cmake_dir}")

# Relative to the .pc file, so that `cmake --install --prefix` and moves keep working.
file(RELATIVE_PATH PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
cmake_path(APPEND PC_LIBDIR "\${prefix}" "${CMAKE_INSTALL_LIBDIR}")
cmake_path(APPEND PC_INCLUDEDIR "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
if(LOGIT_HAS_LLAMA)
  # Not "Requires.private: llama": a llama.pc that came with pip names a folder of pip's that is
  # gone. What was linked here is named instead, with its place.
  set(PC_LIBS_PRIVATE
    "-L${llama_library_dir} -Wl,-rpath,${llama_library_dir} -lllama -lggml -lggml-base ")
  set(PC_REQUIRES_PRIVATE "libxxhash")
endif()
configure_file(cmake/logit.pc.in logit.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/logit.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
