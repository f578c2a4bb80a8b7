# Files that become part of a program. The copies are remade whenever a file changes; no tool but
# CMake is needed.

# logit_embed(TARGET NAMESPACE SYMBOL FILE): compiles FILE into TARGET as
#   namespace NAMESPACE { extern const std::string_view SYMBOL; }
function(logit_embed target namespace symbol file)
  logit_generate(${target} ${namespace} ${symbol} ${file} EmbedFile.cmake)
endfunction()

# logit_page_policy(TARGET NAMESPACE SYMBOL FILE): the same for the Content-Security-Policy under
# which the page FILE can run.
function(logit_page_policy target namespace symbol file)
  logit_generate(${target} ${namespace} ${symbol} ${file} PagePolicy.cmake)
endfunction()

function(logit_generate target namespace symbol file script_name)
  cmake_path(ABSOLUTE_PATH file OUTPUT_VARIABLE input)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cpp")
  set(script "${PROJECT_SOURCE_DIR}/cmake/${script_name}")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" -DINPUT=${input} -DOUTPUT=${output} -DNAMESPACE=${namespace}
            -DSYMBOL=${symbol} -P "${script}"
    DEPENDS "${input}" "${script}"
    COMMENT "Embedding ${file}"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
