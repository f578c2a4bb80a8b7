# Install rules, in components that packages are put together from (cmake/Package.cmake):
#
#   program      the program, llama.cpp beside it in lib/logit-classifier/lib, licences
#   model        the embedded default model, where the program looks for it
#   service      the units of systemd
#   development  the library, its headers, a CMake package and a pkg-config file
#   bundle       what the program needs of the system but for glibc; only when asked for by name
#
# What the first two install may be moved: the program finds its libraries and its model from where
# it is. The library for developers still names the llama.cpp that it was built with.
set(LOGIT_DEFAULT_MODEL "${PROJECT_SOURCE_DIR}/models/SmolLM2-135M-Instruct-F16.gguf" CACHE FILEPATH
  "Model that is installed with the program, if it is there")
# Not in lib/logit-classifier itself: cpack would have every .deb call ldconfig.
set(private_libraries lib/logit-classifier/lib)

set(llama_is_imported OFF)
if(LOGIT_HAS_LLAMA)
  get_target_property(llama_is_imported llama IMPORTED)
endif()

# ---- The program ----
if(TARGET logit-classifier)
  set_target_properties(logit-classifier PROPERTIES INSTALL_RPATH "$ORIGIN/../${private_libraries}")
  install(TARGETS logit-classifier COMPONENT program)
  if(llama_is_imported)
    get_target_property(llama_library llama LOCATION)
    cmake_path(GET llama_library PARENT_PATH llama_library_dir)
    # Under the names that the loader asks for; glibc-hwcaps holds variants for newer CPUs.
    foreach(name IN ITEMS llama ggml ggml-base ${GGML_AVAILABLE_BACKENDS})
      file(GLOB libraries "${llama_library_dir}/lib${name}.so.[0-9]"
        "${llama_library_dir}/glibc-hwcaps/*/lib${name}.so.[0-9]")
      foreach(library IN LISTS libraries)
        cmake_path(GET library PARENT_PATH folder)
        file(RELATIVE_PATH folder "${llama_library_dir}" "${folder}")
        cmake_path(GET library FILENAME soname)
        file(REAL_PATH "${library}" library)
        install(FILES "${library}" RENAME "${soname}" DESTINATION "${private_libraries}/${folder}"
          PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ COMPONENT program)
      endforeach()
    endforeach()
  endif()
  install(FILES LICENSE packaging/copyright docs/serve.md
    DESTINATION share/doc/logit-classifier COMPONENT program)

  # Looked for when it is installed: the program that is built here makes it (scripts/setup).
  install(CODE "
    if(EXISTS \"${LOGIT_DEFAULT_MODEL}\")
      file(REAL_PATH \"${LOGIT_DEFAULT_MODEL}\" model)
      file(INSTALL \"\${model}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/share/logit-classifier/models\")
    else()
      message(STATUS \"No model is installed: there is no ${LOGIT_DEFAULT_MODEL}\")
    endif()" COMPONENT model)

  install(FILES
    packaging/logit-classifier.service
    packaging/logit-classifier.socket
    DESTINATION lib/systemd/system COMPONENT service)

  install(CODE "
    set(PROGRAM \"$<TARGET_FILE:logit-classifier>\")
    set(PRIVATE_LIBRARIES \"${private_libraries}\")
    set(LLAMA_LIBRARY_DIR \"${llama_library_dir}\")
    include(\"${PROJECT_SOURCE_DIR}/cmake/BundleLibraries.cmake\")"
    COMPONENT bundle EXCLUDE_FROM_ALL)
endif()

# ---- The library ----
if(LOGIT_HAS_LLAMA AND NOT llama_is_imported)
  message(STATUS "logit: the library is not installed: llama.cpp is part of this build, not an installed package")
  return()
endif()
include(CMakePackageConfigHelpers)
set(cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/logit")
install(TARGETS logit EXPORT logitTargets COMPONENT development
  FILE_SET HEADERS COMPONENT development)
install(EXPORT logitTargets NAMESPACE logit:: DESTINATION "${cmake_dir}" COMPONENT development)
configure_package_config_file(cmake/logitConfig.cmake.in logitConfig.cmake
  INSTALL_DESTINATION "${cmake_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(logitConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/logitConfig.cmake" "${PROJECT_BINARY_DIR}/logitConfigVersion.cmake"
  DESTINATION "${cmake_dir}" COMPONENT development)

# Relative to the .pc file, so that `cmake --install --prefix` and moves keep working.
file(RELATIVE_PATH PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
cmake_path(APPEND PC_LIBDIR "\${prefix}" "${CMAKE_INSTALL_LIBDIR}")
cmake_path(APPEND PC_INCLUDEDIR "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
if(LOGIT_HAS_LLAMA)
  # Not "Requires.private: llama": a llama.pc that came with pip names a folder of pip's that is
  # gone. What was linked here is named instead, with its place.
  get_target_property(llama_library llama LOCATION)
  cmake_path(GET llama_library PARENT_PATH llama_library_dir)
  set(PC_LIBS_PRIVATE
    "-L${llama_library_dir} -Wl,-rpath,${llama_library_dir} -lllama -lggml -lggml-base ")
  set(PC_REQUIRES_PRIVATE "libxxhash")
endif()
configure_file(cmake/logit.pc.in logit.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/logit.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
  COMPONENT development)
