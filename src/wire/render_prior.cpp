// Writes a running prior as one line of JSON. Its entry is prior_json; parse_prior.cpp reads it
// back. Tested by tests/calibration/prior_json_test.cpp.
#include <cstddef>
#include <string>
#include <utility>

#include "logit/running_prior.h"
#include "wire/json_line.h"

namespace logit {

std::string prior_json(const PriorFile& file) {
  wire::JsonLine line;
  line.open('{');
  line.count("version", std::size_t{PriorFile::kVersion});
  line.text("fingerprint", file.fingerprint);
  line.count("prompts", static_cast<std::size_t>(file.prompts));
  line.open("buckets", '{');
  for (const auto& [key, bucket] : file.prior.buckets()) {
    line.open(std::string(question_type_name(key.first)) + ":" + std::to_string(key.second), '{');
    line.count("count", bucket.count);
    line.open("mean", '[');
    for (const double sum : bucket.sum) line.number(sum / static_cast<double>(bucket.count));
    line.close(']');
    line.close('}');
  }
  line.close('}');
  line.close('}');
  return std::move(line).take();
}

}  // namespace logit
