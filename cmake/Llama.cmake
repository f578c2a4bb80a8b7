# The one place that decides where llama.cpp comes from. Defines target `llama` and LOGIT_HAS_LLAMA.
#
#   LOGIT_LLAMA=package  find_package(llama): an installed copy (default); scripts/setup makes one
#   LOGIT_LLAMA=source   add_subdirectory(LOGIT_LLAMA_SOURCE_DIR): a checkout beside this one
#   LOGIT_LLAMA=none     no adapter: the library and its tests build without llama.cpp
set(LOGIT_LLAMA "package" CACHE STRING "Where llama.cpp comes from: package, source or none")
set_property(CACHE LOGIT_LLAMA PROPERTY STRINGS package source none)
set(LOGIT_LLAMA_SOURCE_DIR "" CACHE PATH "llama.cpp checkout, for LOGIT_LLAMA=source")

set(LOGIT_HAS_LLAMA ON)
if(LOGIT_LLAMA STREQUAL "none")
  set(LOGIT_HAS_LLAMA OFF)
elseif(TARGET llama)
  message(STATUS "logit: using the llama target of the enclosing project")
elseif(LOGIT_LLAMA STREQUAL "package")
  # No version here: llama.cpp 0.x accepts any request of the same major, although 0.x breaks;
  # docs/design.md records the versions that were tested.
  find_package(llama CONFIG REQUIRED)
elseif(LOGIT_LLAMA STREQUAL "source")
  add_subdirectory("${LOGIT_LLAMA_SOURCE_DIR}" llama.cpp EXCLUDE_FROM_ALL SYSTEM)
else()
  message(FATAL_ERROR "LOGIT_LLAMA must be package, source or none, not '${LOGIT_LLAMA}'")
endif()
