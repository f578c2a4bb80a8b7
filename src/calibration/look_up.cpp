// What a calibration holds for a question; entries: source_of, describe, Calibration::find,
// check_calibration, why_unused, merge, temperatures_of. Tested by
// tests/calibration/look_up_test.cpp.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "logit/calibration.h"

namespace logit {
namespace {

Error refused(std::string message) { return {ErrorCode::kConfig, std::move(message), {}, {}}; }

std::string orders_text(std::size_t orders) {
  if (orders == 0) return "orders as needed";
  return std::to_string(orders) + (orders == 1 ? " order" : " orders");
}

bool is_for(const KindCalibration& a, const KindCalibration& b) {
  return a.type == b.type && a.source == b.source && a.band == b.band;
}

bool is_for(const QuestionCalibration& a, const QuestionCalibration& b) {
  return a.source == b.source && question_key(a.question) == question_key(b.question);
}

// Replaces what `entries` has for the same, or stands behind the others.
template <class Entry>
void put(std::vector<Entry>& entries, const Entry& entry) {
  const auto same = std::find_if(entries.begin(), entries.end(),
                                 [&](const Entry& other) { return is_for(other, entry); });
  if (same == entries.end()) {
    entries.push_back(entry);
  } else {
    *same = entry;
  }
}

}  // namespace

std::size_t band_of(std::size_t n_candidates) {
  constexpr std::size_t kWidest[] = {2, 5, 10, 25, 77};  // of all bands but the last
  std::size_t band = 0;
  for (const std::size_t widest : kWidest) band += n_candidates > widest ? 1U : 0U;
  return band;
}

ScoreSource source_of(const Answer& answer) {
  return {answer.readout, answer.frame, answer.orders_vary ? 0 : answer.n_orders,
          answer.score_method, uses_labels(answer.readout) && answer.decline_log_odds.has_value()};
}

std::string describe(const ScoreSource& source, QuestionType type) {
  std::string text = std::string(readout_name(source.readout)) + " readout, " + source.frame;
  text += " frame";
  if (uses_labels(source.readout)) {
    text += ", " + orders_text(source.orders);
    text += source.lists_none ? ", none of these listed" : "";
  }
  if (type == QuestionType::kScore) text += ", " + source.score_method + " levels";
  return text;
}

const KindCalibration* Calibration::find(QuestionType type, const ScoreSource& source,
                                         std::size_t n_candidates) const {
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const KindCalibration& kind) {
    return kind.type == type && kind.source == source && kind.band == band_of(n_candidates);
  });
  return found == kinds.end() ? nullptr : &*found;
}

const QuestionCalibration* Calibration::find(const Question& question,
                                             const ScoreSource& source) const {
  if (questions.empty()) return nullptr;
  const std::string key = question_key(question);
  for (const QuestionCalibration& known : questions) {
    if (known.source == source && question_key(known.question) == key) return &known;
  }
  return nullptr;
}

Result<Done> check_calibration(const Calibration& calibration, std::string_view fingerprint,
                               int prompts) {
  if (calibration.fingerprint != fingerprint) {
    return refused("the calibration is of another model (fingerprint " + calibration.fingerprint +
                   ", this model has " + std::string(fingerprint) + "); calibrate this model");
  }
  if (calibration.prompts != prompts) {
    return refused("the calibration is of prompts of version " +
                   std::to_string(calibration.prompts) + ", this program has version " +
                   std::to_string(prompts) + "; calibrate again");
  }
  return Done{};
}

std::optional<std::string> why_unused(const Calibration& calibration, const Question& question,
                                      const ScoreSource& source) {
  if (calibration.questions.empty() || calibration.find(question, source) != nullptr) {
    return std::nullopt;
  }
  const std::string key = question_key(question);
  for (const QuestionCalibration& known : calibration.questions) {
    if (question_key(known.question) != key) continue;
    return "the question was calibrated for another way of reading (" +
           describe(known.source, question.type) + "), now it is read by " +
           describe(source, question.type);
  }
  return std::nullopt;
}

Result<Calibration> merge(const Calibration& a, const Calibration& b) {
  Result<Done> same = check_calibration(b, a.fingerprint, a.prompts);
  if (!same) return refused("these cannot be merged: " + same.error().message);
  const bool is_a_later = a.created > b.created;
  const Calibration& later = is_a_later ? a : b;
  Calibration merged = is_a_later ? b : a;
  merged.created = later.created;
  for (const std::string& set : later.sets) {
    if (std::find(merged.sets.begin(), merged.sets.end(), set) == merged.sets.end()) {
      merged.sets.push_back(set);
    }
  }
  for (const KindCalibration& kind : later.kinds) put(merged.kinds, kind);
  for (const QuestionCalibration& question : later.questions) put(merged.questions, question);
  return merged;
}

Calibration temperatures_of(Calibration calibration) {
  calibration.questions.clear();
  std::erase_if(calibration.kinds, [](const KindCalibration& kind) {
    return kind.map.tilt != 0 || !kind.map.bias.empty();
  });
  for (KindCalibration& kind : calibration.kinds) kind.abstain.reset();
  return calibration;
}

}  // namespace logit
