// Ignoring a Result is an error for who asks for it. The bad line is compiled only for the test
// that must fail; see tests/boundaries.cmake.
#include "logit/wire.h"

void use() {
  const auto request = logit::parse_request("{}");
  (void)request;
#ifdef LOGIT_BAD_LINE
  logit::parse_request("{}");
#endif
}
