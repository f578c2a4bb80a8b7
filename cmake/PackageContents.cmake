# Read by cpack for each kind of package: which components of Install.cmake go into it.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(components program model service)  # the libraries of `bundle` are dependencies
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
else()
  set(components program model bundle)
endif()
list(GET CPACK_INSTALL_CMAKE_PROJECTS 0 build_dir)
set(CPACK_INSTALL_CMAKE_PROJECTS "")
foreach(component IN LISTS components)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS "${build_dir}" logit "${component}" /)
endforeach()
