// Tells a comparison; entries: comparison_json, comparison_text. Tested by
// tests/cli/compare_test.cpp.
#include <algorithm>
#include <utility>

#include "eval/compare.h"
#include "eval/json_content.h"
#include "eval/spell.h"
#include "logit/wire.h"

namespace logit::eval {
namespace {

Content difference_json(const PairedDifference& difference) {
  Content::Object object;
  object.emplace_back("difference", json_number(difference.mean));
  object.emplace_back("low", json_number(difference.interval.low));
  object.emplace_back("high", json_number(difference.interval.high));
  object.emplace_back("p", json_number(difference.p));
  return Content(std::move(object));
}

// Labels are kept as JSON, so that true and "true" stay apart.
Content label_of(const std::string& json) {
  Result<Content> label = parse_content(json);
  return label ? *std::move(label) : Content();
}

Content changed_json(const ChangedRow& row) {
  Content::Object object;
  object.emplace_back("task", row.task);
  object.emplace_back("id", row.id);
  object.emplace_back("label", label_of(row.label));
  object.emplace_back("before", label_of(row.before));
  object.emplace_back("after", label_of(row.after));
  object.emplace_back("p_label_before", json_number(row.p_before));
  object.emplace_back("p_label_after", json_number(row.p_after));
  return Content(std::move(object));
}

std::string difference_line(const std::string& name, const PairedDifference& difference) {
  return "  " + name + signed_text(difference.mean) + "  95 % [" +
         signed_text(difference.interval.low) + ", " + signed_text(difference.interval.high) +
         "]  p " + fixed_text(difference.p) + "\n";
}

}  // namespace

Content comparison_json(const Comparison& comparison) {
  Content::Object object;
  object.emplace_back("n", json_count(comparison.accuracy.n));
  object.emplace_back("accuracy", difference_json(comparison.accuracy));
  object.emplace_back("log_loss", difference_json(comparison.log_loss));
  object.emplace_back("n_gained", json_count(comparison.n_gained));
  object.emplace_back("n_lost", json_count(comparison.n_lost));
  Content::Array changed;
  for (const ChangedRow& row : comparison.changed) changed.push_back(changed_json(row));
  object.emplace_back("changed", Content(std::move(changed)));
  return Content(std::move(object));
}

std::string comparison_text(const Comparison& comparison, std::size_t n_listed) {
  std::string text =
      "second run minus first, on the same " + std::to_string(comparison.accuracy.n) + " rows\n";
  text += difference_line("accuracy  ", comparison.accuracy);
  text += difference_line("log loss  ", comparison.log_loss);
  text += "  " + std::to_string(comparison.changed.size()) +
          " predictions changed: " + std::to_string(comparison.n_gained) + " became right, " +
          std::to_string(comparison.n_lost) + " became wrong\n";
  const std::size_t n = std::min(n_listed, comparison.changed.size());
  for (std::size_t i = 0; i < n; ++i) {
    const ChangedRow& row = comparison.changed[i];
    text += "  " + one_line(row.task + " " + row.id) + ", label " + row.label + ": " + row.before +
            " -> " + row.after + ", p(label) " + fixed_text(row.p_before) + " -> " +
            fixed_text(row.p_after) + "\n";
  }
  if (n < comparison.changed.size()) {
    text += "  and " + std::to_string(comparison.changed.size() - n) + " more (--json has all)\n";
  }
  return text;
}

}  // namespace logit::eval
