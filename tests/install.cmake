# What is installed and packaged, used by others. Not under sanitizers: a user's project would have
# to be built with them, too.
if(LOGIT_SANITIZE OR NOT LOGIT_INSTALL)
  return()
endif()
set(llama_library_dir "")
if(LOGIT_HAS_LLAMA)
  get_target_property(llama_is_imported llama IMPORTED)
  if(NOT llama_is_imported)  # the library is not installed
    return()
  endif()
  get_target_property(llama_library llama LOCATION)
  cmake_path(GET llama_library PARENT_PATH llama_library_dir)
endif()

# A project of its own, through CMake and through pkg-config.
add_test(NAME install.consumer
  COMMAND ${CMAKE_COMMAND} -DBUILD_DIR=${PROJECT_BINARY_DIR}
    -DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/install -DGENERATOR=${CMAKE_GENERATOR}
    -DCXX=${CMAKE_CXX_COMPILER} -DLIBDIR=${CMAKE_INSTALL_LIBDIR}
    -DLLAMA_LIBRARY_DIR=${llama_library_dir}
    -P ${CMAKE_CURRENT_LIST_DIR}/install/run.cmake)
set_tests_properties(install.consumer PROPERTIES LABELS install TIMEOUT 120)

if(LOGIT_HAS_LLAMA)
  # A project around this one; configured only, since it would compile all of it again.
  cmake_path(GET llama_library_dir PARENT_PATH llama_prefix)
  add_test(NAME install.enclosing
    COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/install/enclosing
      -B ${CMAKE_CURRENT_BINARY_DIR}/enclosing -G ${CMAKE_GENERATOR} --fresh
      -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DLOGIT_SOURCE_DIR=${PROJECT_SOURCE_DIR}
      -DCMAKE_PREFIX_PATH=${llama_prefix})
  set_tests_properties(install.enclosing PROPERTIES LABELS install
    FAIL_REGULAR_EXPRESSION "Error"
    PASS_REGULAR_EXPRESSION "using the llama target of the enclosing project")

  # The folder that people unpack.
  add_test(NAME install.package
    COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/install/package_test.sh ${PROJECT_BINARY_DIR}
      ${CMAKE_CURRENT_BINARY_DIR}/package ${CMAKE_CPACK_COMMAND})
  set_tests_properties(install.package PROPERTIES
    LABELS "install;model;long" RUN_SERIAL ON SKIP_RETURN_CODE 77 TIMEOUT 1500)
endif()
