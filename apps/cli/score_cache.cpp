// Keeps scores on disk; entry: ScoreCache. Tested by tests/calibration/score_cache_test.cpp.
#include "score_cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <limits>
#include <optional>
#include <system_error>

#include "eval/json_content.h"
#include "eval/read_file.h"
#include "eval/spell.h"
#include "logit/wire.h"
#include "settings.h"

namespace logit::cli {
namespace {

namespace fs = std::filesystem;

// Raised when the same prompts come to be read as other numbers.
constexpr std::string_view kReadingVersion = "5";

void add_part(std::string& text, std::string_view part) {
  text += std::to_string(part.size()) + ":";
  text += part;
}

// What a null among numbers means.
enum class Null : unsigned char { kDamage, kNan };

std::optional<std::vector<double>> numbers_of(const Content* value, Null null) {
  const auto* items = value == nullptr ? nullptr : std::get_if<Content::Array>(&value->value);
  if (items == nullptr) return std::nullopt;
  std::vector<double> numbers;
  for (const Content& item : *items) {
    if (null == Null::kNan && std::holds_alternative<std::monostate>(item.value)) {
      numbers.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const auto* number = std::get_if<Content::Number>(&item.value);
    const std::optional<double> parsed =
        number == nullptr ? std::nullopt : parse_number(number->spelling);
    if (!parsed || !std::isfinite(*parsed)) return std::nullopt;
    numbers.push_back(*parsed);
  }
  return numbers;
}

std::optional<double> number_of(const Content& line, std::string_view key) {
  const Content* value = eval::find_member(line, key);
  const auto* number = value == nullptr ? nullptr : std::get_if<Content::Number>(&value->value);
  return number == nullptr ? std::nullopt : parse_number(number->spelling);
}

std::optional<std::string> text_of(const Content& line, std::string_view key) {
  const Content* value = eval::find_member(line, key);
  if (value == nullptr || value->text() == nullptr) return std::nullopt;
  return *value->text();
}

std::optional<Readout> readout_of(const Content& line) {
  const std::optional<std::string> name = text_of(line, "readout");
  for (const Readout readout : kReadouts) {
    if (name == readout_name(readout)) return readout;
  }
  return std::nullopt;
}

// Nothing when a member is missing or is not what line_of writes.
std::optional<CachedScores> parse_scores(const Content& line) {
  const std::optional<Readout> readout = readout_of(line);
  const std::optional<std::string> frame = text_of(line, "frame");
  const std::optional<double> orders = number_of(line, "orders");
  const std::optional<std::string> score_method = text_of(line, "score_method");
  const Content* lists_none = eval::find_member(line, "lists_none");
  const auto* flag = lists_none == nullptr ? nullptr : std::get_if<bool>(&lists_none->value);
  const std::optional<double> temperature = number_of(line, "temperature");
  const std::optional<double> tilt = number_of(line, "tilt");
  const std::optional<double> decline = number_of(line, "decline");
  std::optional<std::vector<double>> scores =
      numbers_of(eval::find_member(line, "scores"), Null::kDamage);
  std::optional<std::vector<double>> listed =
      numbers_of(eval::find_member(line, "listed"), Null::kNan);
  if (!readout || !frame || !orders || !score_method || flag == nullptr) return std::nullopt;
  if (!temperature || !tilt || !decline || !scores || !listed ||
      !(*orders >= 0 && *orders <= 255)) {
    return std::nullopt;
  }
  const ScoreSource source{*readout, *frame, static_cast<std::size_t>(*orders), *score_method,
                           *flag};
  return CachedScores{source,   *temperature,       *tilt,
                      *decline, *std::move(scores), *std::move(listed)};
}

std::string line_of(const std::string& key, const CachedScores& cached) {
  Content::Object object;
  object.emplace_back("key", key);
  object.emplace_back("readout", readout_name(cached.source.readout));
  object.emplace_back("frame", cached.source.frame);
  object.emplace_back("orders", eval::json_count(cached.source.orders));
  object.emplace_back("score_method", cached.source.score_method);
  object.emplace_back("lists_none", Content(cached.source.lists_none));
  object.emplace_back("temperature", eval::json_number(cached.temperature));
  object.emplace_back("tilt", eval::json_number(cached.tilt));
  object.emplace_back("decline", eval::json_number(cached.decline_log_odds));
  object.emplace_back("scores", eval::json_numbers(cached.scores));
  object.emplace_back("listed", eval::json_numbers(cached.listed));
  return compact_json(Content(std::move(object))) + "\n";
}

// 0, or the errno of what failed.
int append(const fs::path& file, std::string_view text) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor < 0) return errno;
  int fault = 0;
  while (!text.empty() && fault == 0) {
    const ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n >= 0) text.remove_prefix(static_cast<std::size_t>(n));
    if (n < 0 && errno != EINTR) fault = errno;
  }
  if (::close(descriptor) != 0 && fault == 0) fault = errno;
  return fault;
}

}  // namespace

std::string reading_settings(const Classifier& classifier) {
  const ClassifierOptions& options = classifier.options();
  std::string text;
  add_part(text, kReadingVersion);
  add_part(text, readout_name(options.readout));
  add_part(text, options.frame ? frame_kind_name(*options.frame) : "");
  add_part(text, std::to_string(static_cast<int>(options.score_method)));
  add_part(text, std::to_string(static_cast<int>(options.abstain)));
  add_part(text, options.orders ? std::to_string(*options.orders) : "");
  add_part(text, options.more_orders_in_doubt ? "adaptive" : "");
  add_part(text, options.temperature ? format_double(*options.temperature) : "");
  add_part(text, profile_json(classifier.profile()));
  return text;
}

std::string score_key(const Content& state, const Question& question, std::string_view settings) {
  std::string text;
  add_part(text, prompt_text(state));
  add_part(text, question_key(question));
  for (const Option& option : question.options) add_part(text, option.name);
  add_part(text, settings);
  return eval::hash_digits(text);
}

Result<ScoreCache> ScoreCache::open(fs::path file) {
  ScoreCache cache(std::move(file));
  std::error_code fault;
  if (cache.file_.empty() || (!fs::exists(cache.file_, fault) && !fault)) return cache;
  Result<std::string> text = eval::read_file(cache.file_.string());
  if (!text) return std::move(text).error();
  cache.take_lines(*text);
  cache.is_last_line_torn_ = !text->empty() && text->back() != '\n';
  return cache;
}

void ScoreCache::take_lines(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const Result<Content> line = parse_content(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line) continue;
    const Content* key = eval::find_member(*line, "key");
    std::optional<CachedScores> scores = parse_scores(*line);
    if (key == nullptr || key->text() == nullptr || !scores) continue;
    scores_[*key->text()] = *std::move(scores);
  }
}

const CachedScores* ScoreCache::find(const std::string& key, std::size_t n) const {
  const auto found = scores_.find(key);
  return found == scores_.end() || found->second.scores.size() != n ? nullptr : &found->second;
}

Result<Done> ScoreCache::add(std::vector<std::pair<std::string, CachedScores>> scores) {
  std::string lines = is_last_line_torn_ ? "\n" : "";
  for (auto& [key, values] : scores) {
    lines += line_of(key, values);
    scores_[key] = std::move(values);
  }
  if (file_.empty() || scores.empty()) return Done{};
  std::error_code fault;
  fs::create_directories(file_.parent_path(), fault);
  const int failed = fault ? fault.value() : append(file_, lines);
  if (failed != 0) {
    return Error{ErrorCode::kFile,
                 "cannot be written: " + std::generic_category().message(failed),
                 file_.string(),
                 {}};
  }
  is_last_line_torn_ = false;
  return Done{};
}

}  // namespace logit::cli
