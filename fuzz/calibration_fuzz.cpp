// Any bytes as a calibration file and as the state file of a running prior. Invariants: refused
// with a file's error or read; what was read is written and read back the same, and its values are
// in range. The checksum is set right first, because no fuzzer would guess it.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz_check.h"
#include "logit/calibration.h"
#include "logit/running_prior.h"
#include "wire/calibration_file.h"
#include "wire/json_reader.h"
#include "wire/repeated_keys.h"

namespace {

void check_map(const logit::ScoreMap& map, std::size_t n_candidates) {
  FUZZ_CHECK(map.temperature >= logit::ScoreMap::kLeastTemperature &&
             map.temperature <= logit::ScoreMap::kMostTemperature);
  FUZZ_CHECK(map.bias.empty() || map.bias.size() == n_candidates);
}

void check_calibration(std::string_view text) {
  const auto direct = logit::parse_calibration(text);
  FUZZ_CHECK(direct || direct.error().code == logit::ErrorCode::kFile);
  auto content = logit::wire::read_json(text);
  if (!content) return;
  logit::wire::keep_last_members(*content);
  const auto calibration = logit::wire::read_calibration(*content);
  if (!calibration) {
    FUZZ_CHECK(calibration.error().code == logit::ErrorCode::kFile);
    return;
  }
  for (const auto& kind : calibration->kinds) check_map(kind.map, 0);
  for (const auto& known : calibration->questions) {
    check_map(known.map, logit::candidate_count(known.question));
    FUZZ_CHECK(calibration->find(known.question, known.source) != nullptr);
  }
  const std::string json = logit::calibration_json(*calibration);
  const auto back = logit::parse_calibration(json);
  FUZZ_CHECK(back && logit::calibration_json(*back) == json);
}

void check_prior(std::string_view text) {
  const auto file = logit::parse_prior(text);
  if (!file) {
    FUZZ_CHECK(file.error().code == logit::ErrorCode::kFile ||
               file.error().code == logit::ErrorCode::kConfig);
    return;
  }
  for (const auto& [key, bucket] : file->prior.buckets()) {
    FUZZ_CHECK(bucket.sum.size() == key.second && bucket.count > 0);
    for (const double nats : file->prior.correction(key.first, key.second)) {
      FUZZ_CHECK(std::abs(nats) <= logit::RunningPrior::kMostNats);
    }
  }
  const auto back = logit::parse_prior(logit::prior_json(*file));
  FUZZ_CHECK(back && back->dropped.empty());
  FUZZ_CHECK(back->prior.buckets().size() == file->prior.buckets().size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_calibration(text);
  check_prior(text);
  return 0;
}
