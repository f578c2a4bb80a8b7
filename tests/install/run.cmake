# Installs a build below WORK_DIR, moves it, and builds and runs consumer.cpp against the moved
# copy: through find_package(logit) and through pkg-config.
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
set(prefix ${WORK_DIR}/moved)

# run(COMMAND...): stops the test when the command fails. Its output is in `output`.
macro(run)
  execute_process(COMMAND ${ARGV} OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGV}: ${status}\n${output}\n${errors}")
  endif()
endmacro()

function(expect_two_questions program)
  run(${program})
  if(NOT output STREQUAL "questions: 2\n")
    message(FATAL_ERROR "${program} printed '${output}'")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
file(RENAME ${WORK_DIR}/prefix ${prefix})

# llama.cpp's own package is found where it was found for the build.
cmake_path(GET LLAMA_LIBRARY_DIR PARENT_PATH llama_prefix)
set(ENV{CMAKE_PREFIX_PATH} ${prefix}:${llama_prefix})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK_DIR}/cmake -G ${GENERATOR}
  -DCMAKE_CXX_COMPILER=${CXX})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/cmake)
expect_two_questions(${WORK_DIR}/cmake/consumer)

find_program(pkg_config pkg-config REQUIRED)
set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
run(${pkg_config} --static --cflags --libs logit)
separate_arguments(flags UNIX_COMMAND "${output}")
run(${CXX} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/consumer.cpp -o ${WORK_DIR}/pkg-config-consumer ${flags})
expect_two_questions(${WORK_DIR}/pkg-config-consumer)

# The installed program starts from where it was moved to, and finds llama.cpp.
if(EXISTS ${prefix}/bin/logit-classifier)
  run(${prefix}/bin/logit-classifier version)
endif()
