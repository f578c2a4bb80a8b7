# Calibration: fitting, applying, the files. Needs no model.
add_executable(logit_calibration_tests
  calibration/apply_test.cpp
  calibration/calibration_json_test.cpp
  calibration/durable_file_test.cpp
  calibration/fit_abstain_test.cpp
  calibration/fit_kinds_test.cpp
  calibration/fit_map_test.cpp
  calibration/fit_prior_test.cpp
  calibration/fit_question_test.cpp
  calibration/guarantees_test.cpp
  calibration/ladder_test.cpp
  calibration/look_up_test.cpp
  calibration/make_folds_test.cpp
  calibration/measure_test.cpp
  calibration/minimise_test.cpp
  calibration/prior_json_test.cpp
  calibration/prior_store_test.cpp
  calibration/question_key_test.cpp
  calibration/running_prior_test.cpp)
target_link_libraries(logit_calibration_tests PRIVATE logit_test_support GTest::gtest_main)
gtest_discover_tests(logit_calibration_tests)
