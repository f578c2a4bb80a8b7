// A Classifier owns its backend and is moved, never copied. The bad line is compiled only for the
// test that must fail; see tests/boundaries.cmake.
#include <utility>

#include "logit/classifier.h"

void use(logit::Classifier classifier) {
  const logit::Classifier moved = std::move(classifier);
#ifdef LOGIT_BAD_LINE
  const logit::Classifier copied = moved;
#endif
}
