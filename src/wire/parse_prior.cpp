// Reads a running prior that prior_json wrote. A file that is no such thing is refused as a whole;
// in one that is, a bucket that makes no sense is left out and the others are kept. Its entry is
// parse_prior. Tested by tests/calibration/prior_json_test.cpp.
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include "logit/running_prior.h"
#include "wire/file_reader.h"
#include "wire/json_reader.h"
#include "wire/repeated_keys.h"

namespace logit {
namespace {

using wire::Node;

constexpr double kRounding = 1e-6;  // of a mean's sum, which must be 1

// "choice:4". Decimal ASCII digits as prior_json writes them: no sign, no zero in front.
std::optional<RunningPrior::Key> parse_key(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(colon + 1);
  std::size_t width = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), width);
  if (fault != std::errc() || end != digits.data() + digits.size() || digits.starts_with('0')) {
    return std::nullopt;
  }
  for (const auto type : {QuestionType::kNoul, QuestionType::kChoice, QuestionType::kScore}) {
    if (text.substr(0, colon) != question_type_name(type)) continue;
    const std::size_t most = type == QuestionType::kNoul    ? 2
                             : type == QuestionType::kScore ? kMaxLevels
                                                            : kMaxOptions;
    if (width >= 2 && width <= most) return RunningPrior::Key{type, width};
  }
  return std::nullopt;
}

RunningPrior::Bucket parse_bucket(wire::FileReader& reader, const Node& node, std::size_t width) {
  RunningPrior::Bucket bucket;
  bucket.count = reader.count(reader.member(node, "count"));
  if (bucket.count == 0 || bucket.count > RunningPrior::kMostCount) {
    reader.fail(node, "its count is out of range");
  }
  const Node mean = reader.member(node, "mean");
  bucket.sum = reader.numbers(mean, 0, 1);
  if (bucket.sum.size() != width) reader.fail(mean, "its width is not that of its name");
  double total = 0;
  for (double& share : bucket.sum) {
    total += share;
    share *= static_cast<double>(bucket.count);
  }
  if (!(std::abs(total - 1) <= kRounding)) reader.fail(mean, "its shares do not add up to 1");
  return bucket;
}

std::string without_kind(const Error& error) {
  const std::size_t colon = error.message.find(": ");
  return colon == std::string::npos ? error.message : error.message.substr(colon + 2);
}

void take_bucket(const std::string& name, const Content& value, PriorFile& file) {
  const std::optional<RunningPrior::Key> key = parse_key(name);
  if (!key) {
    file.dropped.push_back(name + ": no kind of question has this name");
    return;
  }
  wire::FileReader reader("bucket");
  RunningPrior::Bucket bucket = parse_bucket(reader, {&value, ""}, key->second);
  if (reader.error()) {
    file.dropped.push_back(name + ": " + without_kind(*reader.error()));
  } else {
    file.prior.put(*key, std::move(bucket));
  }
}

}  // namespace

Result<PriorFile> parse_prior(std::string_view json) {
  wire::FileReader reader("running prior");
  auto content = wire::read_json(json);
  if (!content) {
    reader.fail({nullptr, content.error().where}, content.error().message);
    return *reader.error();
  }
  wire::keep_last_members(*content);
  const Node root{&*content, ""};
  PriorFile file;
  const std::size_t version = reader.count(reader.member(root, "version"));
  if (!reader.error() && version != std::size_t{PriorFile::kVersion}) {
    const char* age = version > std::size_t{PriorFile::kVersion} ? "a newer" : "an older";
    return Error{
        ErrorCode::kConfig, std::string("it was written by ") + age + " version", "version", {}};
  }
  file.fingerprint = reader.text(reader.member(root, "fingerprint"));
  const std::size_t prompts = reader.count(reader.member(root, "prompts"));
  const Node buckets = reader.member(root, "buckets");
  const auto* members =
      buckets.value == nullptr ? nullptr : std::get_if<Content::Object>(&buckets.value->value);
  if (members == nullptr) reader.fail(buckets, "an object is needed");
  if (prompts > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    reader.fail(root, "its prompts are out of range");
  }
  if (reader.error()) return *reader.error();
  file.prompts = static_cast<int>(prompts);
  for (const auto& [name, value] : *members) take_bucket(name, value, file);
  return file;
}

}  // namespace logit
