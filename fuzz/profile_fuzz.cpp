// Any bytes as a profile. Invariants: refused as kFile or read; what was read is written and read
// back the same, and has an entry for every type.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz_check.h"
#include "logit/profile.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto profile =
      logit::parse_profile(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!profile) {
    FUZZ_CHECK(profile.error().code == logit::ErrorCode::kFile);
    return 0;
  }
  for (const auto type :
       {logit::QuestionType::kNoul, logit::QuestionType::kChoice, logit::QuestionType::kScore}) {
    FUZZ_CHECK(profile->of(type).type == type);
  }
  const std::string json = logit::profile_json(*profile);
  const auto back = logit::parse_profile(json);
  FUZZ_CHECK(back && logit::profile_json(*back) == json);
  return 0;
}
