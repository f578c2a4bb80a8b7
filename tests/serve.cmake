# The HTTP service. Fast: handlers without a socket, the worker on fakes, HTTP over loopback with
# the scripted backend. Model: the built program against jevcompat and the official clients.
find_package(ZLIB REQUIRED)
add_executable(logit_serve_tests
  serve/access_log_test.cpp
  serve/access_test.cpp
  serve/body_budget_test.cpp
  serve/decisions_test.cpp
  serve/encoding_test.cpp
  serve/http_test.cpp
  serve/lifecycle_test.cpp
  serve/message_test.cpp
  serve/metrics_test.cpp
  serve/notify_test.cpp
  serve/serve_settings_test.cpp
  serve/service_test.cpp
  serve/wire_cases_test.cpp
  serve/worker_test.cpp)
target_link_libraries(logit_serve_tests PRIVATE
  logit_serve logit_cli logit_test_support PkgConfig::zstd ZLIB::ZLIB GTest::gtest_main)
gtest_discover_tests(logit_serve_tests)

# Every test that docs/conformance/cases.md names is there.
add_test(NAME serve.case_table
  COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/serve/case_table_test.sh ${PROJECT_SOURCE_DIR})

if(LOGIT_HAS_LLAMA)
  add_test(NAME serve.conformance
    COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/serve/conformance.sh
      $<TARGET_FILE:logit-classifier> ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  set_tests_properties(serve.conformance PROPERTIES
    LABELS model RUN_SERIAL ON SKIP_RETURN_CODE 77 TIMEOUT 1800)
endif()
