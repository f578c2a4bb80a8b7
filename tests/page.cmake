# The web page as people use it, in a browser.
if(LOGIT_HAS_LLAMA)
  add_test(NAME page.browser
    COMMAND bash ${CMAKE_CURRENT_LIST_DIR}/page/page_test.sh
      $<TARGET_FILE:logit-classifier> ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  set_tests_properties(page.browser PROPERTIES
    LABELS "model;long" RUN_SERIAL ON SKIP_RETURN_CODE 77 TIMEOUT 1800)
endif()
