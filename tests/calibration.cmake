# Calibration: fitting, applying, the files. Needs no model.
add_executable(logit_calibration_tests
  calibration/apply_test.cpp
  calibration/ask_scores_test.cpp
  calibration/calibration_json_test.cpp
  calibration/describe_calibration_test.cpp
  calibration/drop_repeats_test.cpp
  calibration/durable_file_test.cpp
  calibration/fit_abstain_test.cpp
  calibration/fit_kinds_test.cpp
  calibration/fit_map_test.cpp
  calibration/fit_prior_test.cpp
  calibration/fit_question_test.cpp
  calibration/guarantees_test.cpp
  calibration/ladder_test.cpp
  calibration/load_calibration_test.cpp
  calibration/look_up_test.cpp
  calibration/make_folds_test.cpp
  calibration/measure_test.cpp
  calibration/minimise_test.cpp
  calibration/prior_json_test.cpp
  calibration/prior_store_test.cpp
  calibration/question_key_test.cpp
  calibration/running_prior_test.cpp
  calibration/score_cache_test.cpp
  calibration/published_test.cpp
  calibration/shipped_test.cpp)
target_link_libraries(logit_calibration_tests PRIVATE
  logit_cli logit_eval logit_test_support GTest::gtest_main)
target_compile_definitions(logit_calibration_tests PRIVATE LOGIT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
gtest_discover_tests(logit_calibration_tests)

if(LOGIT_HAS_LLAMA)
  add_test(NAME cli.calibrate
    COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/calibration/calibrate_test.sh
      $<TARGET_FILE:logit-classifier> ${PROJECT_SOURCE_DIR})
  set_tests_properties(cli.calibrate PROPERTIES
    LABELS model RUN_SERIAL ON SKIP_RETURN_CODE 77 TIMEOUT 1500)
endif()
