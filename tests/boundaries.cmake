# Rules that the compiler and the linker cannot see, as tests (label `boundary`): which folder may
# know what, what the library must never do, what must not compile; and the install test.
#
# Every rule comes as two tests: boundary.NAME runs it over the source tree, and
# boundary.NAME.bites over a tree of one file that breaks it, which it must refuse.

# logit_boundary(NAME RULE FILES regex [EXCEPT regex] [PATTERN regex] BREAKER path BREAKING text)
# RULE is a function of boundaries/check.sh.
function(logit_boundary name rule)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "FILES;EXCEPT;PATTERN;BREAKER;BREAKING" "")
  if(NOT arg_EXCEPT)
    set(arg_EXCEPT "^$")  # nothing; an empty argument would be lost in a list
  endif()
  set(check bash ${CMAKE_CURRENT_SOURCE_DIR}/boundaries/check.sh)
  set(rule_args ${rule} ${arg_FILES} ${arg_EXCEPT} ${arg_PATTERN})
  add_test(NAME boundary.${name} COMMAND ${check} ${PROJECT_SOURCE_DIR} ${rule_args})
  set(broken_tree ${CMAKE_CURRENT_BINARY_DIR}/broken/${name})
  file(WRITE ${broken_tree}/${arg_BREAKER} "${arg_BREAKING}\n")
  add_test(NAME boundary.${name}.bites
    COMMAND bash -c "\"$@\"; test $? -eq 1" -- ${check} ${broken_tree} ${rule_args})
  set_tests_properties(boundary.${name} boundary.${name}.bites PROPERTIES LABELS boundary)
endfunction()

set(empty "")  # splits words below that this file must not hold itself
set(cpp "\\.(h|cpp)$")
set(include "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]")

# ---- Who may know what ----
logit_boundary(only_src_llama_knows_llama_cpp forbid_code
  FILES "${cpp}" EXCEPT "^(src/llama|tests|bench)/"
  PATTERN "${include}(llama|ggml|gguf|mtmd)[-a-z_]*\\.h"
  BREAKER src/pipeline/plan.cpp BREAKING "#include <llama.h>")
logit_boundary(only_wire_and_eval_know_the_json_library forbid_code
  FILES "${cpp}" EXCEPT "^(src/wire|eval|tests|fuzz)/" PATTERN "${include}nlohmann/"
  BREAKER src/content.cpp BREAKING "#include <nlohmann/json.hpp>")
logit_boundary(only_the_program_knows_cli11 forbid_code
  FILES "${cpp}" EXCEPT "^(apps/cli|tests)/" PATTERN "${include}CLI/"
  BREAKER eval/report.cpp BREAKING "#include <CLI/CLI.hpp>")
logit_boundary(only_the_service_knows_boost forbid_code
  FILES "${cpp}" EXCEPT "^(apps/serve|tests)/" PATTERN "${include}boost/"
  BREAKER apps/cli/serve.cpp BREAKING "#include <boost/asio/io_context.hpp>")
logit_boundary(the_service_handlers_know_no_socket forbid_code
  FILES "^apps/serve/(access|access_log|decisions|encoding|json|message|metrics|service|status|worker)${cpp}"
  PATTERN "${include}boost/" BREAKER apps/serve/service.cpp BREAKING "#include <boost/beast.hpp>")
logit_boundary(public_headers_include_nothing_third_party only_includes
  FILES "^include/.*\\.h$" PATTERN "\"logit/[a-z_]+\\.h\"|<[a-z_0-9]+>"
  BREAKER include/logit/wire.h BREAKING "#include <nlohmann/json.hpp>")
logit_boundary(the_library_includes_no_program forbid_code
  FILES "^(src|include)/.*${cpp}" PATTERN "${include}(\\.\\./)*(apps|eval|tests|bench)/"
  BREAKER src/verify.cpp BREAKING "#include \"../eval/metrics.h\"")
logit_boundary(the_pipeline_knows_no_engine forbid_code
  FILES "^src/(pipeline|wire|probe)/.*${cpp}"
  PATTERN "${include}(\\.\\./)*(llama/|logit/llama_backend\\.h)"
  BREAKER src/pipeline/plan.cpp BREAKING "#include \"llama/vocabulary.h\"")

# ---- What the library never does ----
set(not_in_a_name "(^|[^a-zA-Z_0-9])")
set(prints "v?f?printf|puts|fputs|putchar|perror")
set(exits "exit|_exit|_Exit|quick_exit|system")
set(environment "getenv|secure_getenv|setenv|putenv")
logit_boundary(the_library_neither_prints_nor_exits forbid_code
  FILES "^(src|include)/.*${cpp}"
  PATTERN "std::(cout|cerr|clog)|<iostream>|${not_in_a_name}((${prints}|${exits}|${environment})[[:space:]]*[(]|abort[[:space:]]*[(][)])"
  BREAKER src/verify.cpp BREAKING "void f() { std::abort(); }")

# ---- House rules ----
string(REPEAT "// a line\n" 401 lines_401)
logit_boundary(sources_are_ascii only_ascii
  FILES "${cpp}"
  BREAKER src/names.cpp BREAKING "// café")
logit_boundary(no_file_over_400_lines line_limit
  FILES "(\\.(h|cpp|cmake|sh)|CMakeLists\\.txt|^scripts/[a-z]+)$" PATTERN 400
  BREAKER src/plan.cpp BREAKING "${lines_401}")
logit_boundary(every_source_names_its_test names_its_test
  FILES "^src/.*\\.cpp$"
  BREAKER src/plan.cpp BREAKING "// Makes a plan.\nint main() {}\n// Tested by tests/plan_test.cpp.")
logit_boundary(every_test_is_built is_built
  FILES "^tests/.*_test\\.cpp$"
  BREAKER tests/wire/lost_test.cpp BREAKING "int main() {}")
logit_boundary(nothing_is_left_to_do forbid_text
  FILES "." PATTERN "TO[D]O|FIX[M]E"
  BREAKER docs/design.md BREAKING "TO${empty}DO: write this")
logit_boundary(no_machine_paths_or_registry_hosts forbid_text
  FILES "." PATTERN "(^|[^A-Za-z0-9_.~}-])/(work|root|home|Users)/|/tmp/[w]/|py[p]i\\.org|python[h]osted|deb\\.[d]ebian|npm[j]s\\.org|crates\\.[i]o|golang\\.[o]rg|maven\\.[o]rg"
  BREAKER scripts/setup BREAKING "cd /ho${empty}me/someone/project")

# ---- Symbols: the same promise, kept by what the compiler made of the sources ----
get_target_property(logit_type logit TYPE)
if(logit_type STREQUAL "STATIC_LIBRARY")
  set(symbols bash ${CMAKE_CURRENT_SOURCE_DIR}/boundaries/symbols.sh ${CMAKE_NM})
  add_library(logit_breaks_symbols STATIC compile/prints_and_exits.cpp)
  target_compile_features(logit_breaks_symbols PRIVATE cxx_std_20)
  add_test(NAME boundary.symbols COMMAND ${symbols} $<TARGET_FILE:logit>)
  add_test(NAME boundary.symbols.bites
    COMMAND bash -c "\"$@\"; test $? -eq 1" -- ${symbols} $<TARGET_FILE:logit_breaks_symbols>)
  set_tests_properties(boundary.symbols boundary.symbols.bites PROPERTIES LABELS boundary)
endif()

# ---- What must not compile ----
# Each file is compiled twice, without its bad line and with it, so that it cannot come to fail for
# another reason.
function(logit_must_not_compile name message)
  set(compile ${CMAKE_COMMAND} -E env LC_ALL=C ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only
    -Werror=unused-result -I${PROJECT_SOURCE_DIR}/include)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/compile/${name}.cpp)
  add_test(NAME compile.${name}.good COMMAND ${compile} ${source})
  add_test(NAME compile.${name}.bad COMMAND ${compile} -DLOGIT_BAD_LINE ${source})
  set_tests_properties(compile.${name}.bad PROPERTIES PASS_REGULAR_EXPRESSION "error: ${message}")
  set_tests_properties(compile.${name}.good compile.${name}.bad PROPERTIES LABELS boundary)
endfunction()
logit_must_not_compile(ignored_result "ignoring return")
logit_must_not_compile(copied_classifier "(use of deleted|call to implicitly-deleted)")

# ---- The example ----
if(LOGIT_HAS_LLAMA)
  add_executable(example_classify ${PROJECT_SOURCE_DIR}/examples/classify.cpp)
  target_link_libraries(example_classify PRIVATE logit logit_flags)
  set(default_model ${PROJECT_SOURCE_DIR}/models/SmolLM2-135M-Instruct-F16.gguf)
  add_test(NAME example.classify
    COMMAND bash -c "test -f \"$2\" || exit 77; \"$1\" \"$2\"" --
      $<TARGET_FILE:example_classify> ${default_model})
  set_tests_properties(example.classify PROPERTIES
    LABELS model SKIP_RETURN_CODE 77 PASS_REGULAR_EXPRESSION "billing +[01]\\.[0-9]+")
endif()
