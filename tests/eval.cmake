# `eval` and `lint` end to end, the measures against scikit-learn, and what the shipped defaults
# reach on labelled rows with the embedded default model.
if(LOGIT_HAS_LLAMA)
  add_test(NAME eval.program
    COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/eval/eval_test.sh
      $<TARGET_FILE:logit-classifier> ${PROJECT_SOURCE_DIR})
  set_tests_properties(eval.program PROPERTIES
    LABELS model RUN_SERIAL ON SKIP_RETURN_CODE 77 TIMEOUT 1800)
  add_test(NAME eval.oracle
    COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/eval/oracle_test.sh
      $<TARGET_FILE:logit-classifier> ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR})
  set_tests_properties(eval.oracle PROPERTIES
    LABELS "model;long" RUN_SERIAL ON SKIP_RETURN_CODE 77 TIMEOUT 1800)
  add_test(NAME eval.floors
    COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/eval/floors_test.sh
      $<TARGET_FILE:logit-classifier> ${PROJECT_SOURCE_DIR})
  set_tests_properties(eval.floors PROPERTIES
    LABELS "model;long" RUN_SERIAL ON SKIP_RETURN_CODE 77 TIMEOUT 1800)
endif()
