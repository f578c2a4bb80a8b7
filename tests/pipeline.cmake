add_executable(logit_pipeline_tests
  pipeline/apply_test.cpp
  pipeline/baseline_cache_test.cpp
  pipeline/choose_way_test.cpp
  pipeline/classifier_test.cpp
  pipeline/conclude_test.cpp
  pipeline/judge_test.cpp
  pipeline/mix_test.cpp
  pipeline/normalise_test.cpp
  pipeline/orders_read_test.cpp
  pipeline/orders_test.cpp
  pipeline/plan_test.cpp
  pipeline/probe_test.cpp
  pipeline/prompt_test.cpp
  pipeline/read_scores_test.cpp
  pipeline/second_round_test.cpp
  pipeline/traffic_test.cpp
  pipeline/trie_test.cpp
  pipeline/wide_lists_test.cpp)
target_link_libraries(logit_pipeline_tests PRIVATE logit_test_support GTest::gtest_main)
target_compile_definitions(logit_pipeline_tests PRIVATE LOGIT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
gtest_discover_tests(logit_pipeline_tests)
