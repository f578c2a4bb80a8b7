// Where the tests look for the embedded default.
#pragma once

#include <cstdlib>
#include <string>

namespace logit::testing {

// LOGIT_TEST_MODEL, else where scripts/setup puts it. The file may be missing: skip then.
inline std::string default_model_path() {
  const char* named = std::getenv("LOGIT_TEST_MODEL");
  return named != nullptr ? named : LOGIT_SOURCE_DIR "/models/SmolLM2-135M-Instruct-F16.gguf";
}

// Of that file as `optimise` makes it; its content is the same on every machine.
inline constexpr const char* kDefaultFingerprint = "xxh3-e99eb9b555cecaa9afd18bed70dddad9";

}  // namespace logit::testing
