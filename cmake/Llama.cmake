# The one place that decides where llama.cpp comes from. Defines target `llama` and LOGIT_HAS_LLAMA.
#
#   LOGIT_LLAMA=package  find_package(llama): an installed copy (default). scripts/setup makes one
#                        for this machine's CPU, scripts/package one for any.
#   LOGIT_LLAMA=source   add_subdirectory(LOGIT_LLAMA_SOURCE_DIR): a checkout of llama.cpp, compiled
#                        with this project and linked into it, so that the program is one file. The
#                        sources that were tested are in the pip package of requirements.txt:
#                        pip download --no-deps --no-binary :all: llama-cpp-python==0.3.36, below
#                        vendor/llama.cpp. BUILD_SHARED_LIBS=ON keeps them shared; GGML_NATIVE=OFF
#                        and the like are llama.cpp's own options and are passed on.
#   LOGIT_LLAMA=none     no adapter: the library and its tests build without llama.cpp
#
# A target `llama` that is there already, an enclosing project's, is used as it is:
#
#   add_subdirectory(llama.cpp)
#   add_subdirectory(logit-classifier)   # LOGIT_BUILD_APPS and LOGIT_INSTALL are OFF then
#   target_link_libraries(mine PRIVATE logit::logit)
set(LOGIT_LLAMA "package" CACHE STRING "Where llama.cpp comes from: package, source or none")
set_property(CACHE LOGIT_LLAMA PROPERTY STRINGS package source none)
set(LOGIT_LLAMA_SOURCE_DIR "" CACHE PATH "llama.cpp checkout, for LOGIT_LLAMA=source")

# In a function, so that the default for BUILD_SHARED_LIBS is llama.cpp's alone: its own would make
# every library of this build shared.
function(logit_add_llama_sources)
  if(NOT EXISTS "${LOGIT_LLAMA_SOURCE_DIR}/include/llama.h")
    message(FATAL_ERROR "LOGIT_LLAMA_SOURCE_DIR is no checkout of llama.cpp: '${LOGIT_LLAMA_SOURCE_DIR}'")
  endif()
  if(NOT DEFINED BUILD_SHARED_LIBS)
    set(BUILD_SHARED_LIBS OFF)
  endif()
  add_subdirectory("${LOGIT_LLAMA_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/llama.cpp"
    EXCLUDE_FROM_ALL SYSTEM)
  foreach(name IN ITEMS LLAMA_VERSION LLAMA_BUILD_COMMIT)
    get_directory_property(value DIRECTORY "${LOGIT_LLAMA_SOURCE_DIR}" DEFINITION ${name})
    set(${name} "${value}" PARENT_SCOPE)
  endforeach()
endfunction()

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
  logit_add_llama_sources()
else()
  message(FATAL_ERROR "LOGIT_LLAMA must be package, source or none, not '${LOGIT_LLAMA}'")
endif()
