# `cpack` in a build folder makes a .tar.gz that runs from any folder, and a .deb. scripts/package
# does so with a llama.cpp that runs on any CPU; one for this CPU only would be packaged as it is.
if(NOT TARGET logit-classifier)
  return()
endif()
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME logit-classifier)
set(CPACK_PACKAGE_VENDOR logit-classifier)
set(CPACK_PACKAGE_CONTACT "logit-classifier <logit-classifier@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
  "Answers questions about a text (one of several options, a score, yes or no) with probabilities\n\
 that are read off a language model. A command, and an HTTP service. With a small model.")
set(CPACK_PACKAGE_FILE_NAME
  "logit-classifier-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/cmake/PackageContents.cmake")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${llama_library_dir}")
# The model's numbers hardly compress, and xz would try for minutes.
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
include(CPack)
