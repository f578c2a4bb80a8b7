# Makes the Content-Security-Policy of a page that has one <style> and one <script> element: both
# are allowed by their hashes, so nothing else on the page can run. Called by logit_page_policy():
#   cmake -DINPUT=page.html -DOUTPUT=policy.cpp -DNAMESPACE=... -DSYMBOL=... -P PagePolicy.cmake

# What stands between <TAG> and </TAG>; there must be one such element.
function(element_text page tag out)
  string(FIND "${page}" "<${tag}>" begin)
  string(FIND "${page}" "<${tag}>" last REVERSE)
  string(FIND "${page}" "</${tag}>" end)
  if(begin EQUAL -1 OR NOT begin EQUAL last OR end LESS begin)
    message(FATAL_ERROR "${INPUT} must have one <${tag}> element without attributes")
  endif()
  string(LENGTH "<${tag}>" skip)
  math(EXPR begin "${begin} + ${skip}")
  math(EXPR length "${end} - ${begin}")
  string(SUBSTRING "${page}" ${begin} ${length} text)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# 32 bytes in hexadecimal to base64: 30 of them in tens of three, then two and a pad.
function(base64_of_hash hex out)
  set(digits "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(text "")
  foreach(at RANGE 0 60 6)
    string(SUBSTRING "${hex}00" ${at} 6 group)
    foreach(shift IN ITEMS 18 12 6 0)
      math(EXPR index "(0x${group} >> ${shift}) & 63")
      string(SUBSTRING "${digits}" ${index} 1 digit)
      string(APPEND text "${digit}")
    endforeach()
  endforeach()
  string(SUBSTRING "${text}" 0 43 text)
  set(${out} "${text}=" PARENT_SCOPE)
endfunction()

function(hash_of page tag out)
  element_text("${page}" "${tag}" text)
  string(SHA256 hex "${text}")
  base64_of_hash("${hex}" base64)
  set(${out} "'sha256-${base64}'" PARENT_SCOPE)
endfunction()

file(READ "${INPUT}" page)
hash_of("${page}" style style)
hash_of("${page}" script script)
file(WRITE "${OUTPUT}" "#include <string_view>
namespace ${NAMESPACE} {
extern const std::string_view ${SYMBOL};
const std::string_view ${SYMBOL} =
    \"default-src 'none'; style-src ${style}; script-src ${script}; connect-src 'self'; \"
    \"img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\";
}
")
