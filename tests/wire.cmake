# Bytes to values and back: no model, no engine.
file(GLOB wire_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/wire/*.cpp)
add_executable(logit_wire_tests ${wire_tests})
target_link_libraries(logit_wire_tests PRIVATE
  logit_test_support nlohmann_json::nlohmann_json GTest::gtest_main)
gtest_discover_tests(logit_wire_tests)
