# The engine adapter. Fast: what needs no model. Model: tiny models made in the test, and the
# embedded default (LOGIT_TEST_MODEL, or where scripts/setup puts it), skipped where it is missing.
add_executable(logit_backend_tests
  llama/contract_double.cpp
  llama/contract_test.cpp
  llama/label_names_test.cpp
  llama/layout_test.cpp
  llama/log_softmax_test.cpp
  llama/machine_test.cpp
  llama/prefix_cache_test.cpp
  llama/token_tree_test.cpp
  llama/verify_test.cpp)
target_link_libraries(logit_backend_tests PRIVATE logit_test_support GTest::gtest_main)
gtest_discover_tests(logit_backend_tests)

if(LOGIT_HAS_LLAMA)
  add_library(logit_vocabulary_checks STATIC
    support/tiny_vocabulary.cpp
    support/vocabulary_checks.cpp)
  target_link_libraries(logit_vocabulary_checks PUBLIC logit_test_support llama)

  # The table of docs/models.md; scripts/models-table runs it.
  add_executable(logit-vocabulary-report llama/vocabulary_report.cpp)
  target_link_libraries(logit-vocabulary-report PRIVATE logit_vocabulary_checks)

  add_executable(logit_model_tests
    llama/agreement_test.cpp
    llama/chat_frame_test.cpp
    llama/chat_template_test.cpp
    llama/contract_models.cpp
    llama/contract_test.cpp
    llama/cut_text_test.cpp
    llama/injection_test.cpp
    llama/load_test.cpp
    llama/memory_plan_test.cpp
    llama/session_test.cpp
    llama/trace_test.cpp
    llama/vocabulary_test.cpp
    support/tiny_model.cpp
    support/tiny_shapes.cpp)
  target_link_libraries(logit_model_tests PRIVATE logit_vocabulary_checks GTest::gtest_main)
  target_compile_definitions(logit_model_tests PRIVATE LOGIT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_executable(logit_write_tiny_models
    support/tiny_model.cpp
    support/tiny_shapes.cpp
    support/write_tiny_models.cpp)
  target_link_libraries(logit_write_tiny_models PRIVATE logit_test_support llama)
  # One ctest entry a suite: models are opened once, and never two at a time (two engines on the
  # same cores wait for each other's threads).
  foreach(suite IN ITEMS
      Tiny/BackendContract Shapes/BackendContract Embedded/BackendContract
      Tiny/Agreement Shapes/Agreement Embedded/Agreement SessionTest
      Shapes/SessionOfShape MemoryPlans Vocabularies/VocabularyTest
      Tiny/Injection Default/Injection Named/Injection NamedVocabularies PromptTails
      RenderTurn FindFrames OpenVocabulary UserTokens CutText CutLongRuns
      DesignTrace OpenLlamaBackend Fingerprint ConvertModel Processor)
    string(REPLACE "/" "." name ${suite})
    add_test(NAME model.${name} COMMAND logit_model_tests --gtest_filter=${suite}.*)
    set_tests_properties(model.${name} PROPERTIES LABELS model RUN_SERIAL ON)
  endforeach()
  # Minutes of arithmetic inside llama.cpp: the sanitizer presets leave them out.
  set_tests_properties(model.Embedded.BackendContract model.Embedded.Agreement PROPERTIES
    LABELS "model;long")
endif()
