# The program and the evaluation library. The fast suite links both without main(); the program
# itself is run by a script, with a model (label `model`).
if(NOT TARGET logit_cli)  # LOGIT_LLAMA=none: the program is not built, its parts are still tested
  add_subdirectory(${PROJECT_SOURCE_DIR}/apps/cli ${PROJECT_BINARY_DIR}/apps/cli)
endif()

add_executable(logit_cli_tests
  cli/ask_request_test.cpp
  cli/bootstrap_test.cpp
  cli/calibration_test.cpp
  cli/check_outputs_test.cpp
  cli/compare_test.cpp
  cli/csv_test.cpp
  cli/dataset_test.cpp
  cli/describe_findings_test.cpp
  cli/describe_model_test.cpp
  cli/draw_reply_test.cpp
  cli/eval_plan_test.cpp
  cli/html_report_test.cpp
  cli/metrics_test.cpp
  cli/model_path_test.cpp
  cli/predictions_test.cpp
  cli/profile_store_test.cpp
  cli/report_test.cpp
  cli/run_test.cpp
  cli/selftest_test.cpp
  cli/selective_test.cpp
  cli/settings_test.cpp
  cli/terminal_test.cpp
  lint/lint_test.cpp)
target_link_libraries(logit_cli_tests PRIVATE
  logit_cli logit_eval logit_test_support GTest::gtest_main)
gtest_discover_tests(logit_cli_tests)

if(LOGIT_HAS_LLAMA)
  add_test(NAME cli.program
    COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/cli/program_test.sh
      $<TARGET_FILE:logit-classifier> ${PROJECT_SOURCE_DIR})
  set_tests_properties(cli.program PROPERTIES
    LABELS model RUN_SERIAL ON SKIP_RETURN_CODE 77 TIMEOUT 1800)
endif()
