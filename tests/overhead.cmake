# What a request costs beside the model, as an instruction count: the same on every run.
add_executable(logit_overhead overhead/overhead.cpp)
target_link_libraries(logit_overhead PRIVATE logit_test_support)
# Twice what it was when written; a sixth of a millisecond at 3 GHz, where one is the promise.
if(NOT LOGIT_SANITIZE)
  add_test(NAME overhead.instructions
    COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/overhead/overhead_test.sh
      $<TARGET_FILE:logit_overhead> 500000)
  set_tests_properties(overhead.instructions PROPERTIES SKIP_RETURN_CODE 77)
endif()
