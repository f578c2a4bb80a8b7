// Compares two runs on the same rows: paired bootstrap, and which rows changed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "eval/bootstrap.h"
#include "logit/content.h"
#include "logit/result.h"

namespace logit::eval {

// A row with a label that was answered. Labels as rows spell them, in JSON.
struct ComparableRow {
  std::string task;
  std::string id;
  std::string state_hash;
  std::string label;
  std::string predicted;
  double p_label = 0;

  bool is_right() const { return label == predicted; }
};

// A row whose prediction differs.
struct ChangedRow {
  std::string task;
  std::string id;
  std::string label;
  std::string before;
  std::string after;
  double p_before = 0;  // of the label
  double p_after = 0;
};

struct Comparison {
  PairedDifference accuracy;  // second run minus first: above 0, the second is better
  PairedDifference log_loss;  // below 0, the second is better
  std::size_t n_gained = 0;   // wrong before, right after
  std::size_t n_lost = 0;
  std::vector<ChangedRow> changed;  // all, what lost most probability of its label first
};

// Errors: kConfig when a row is in one run only, or has another label or state there: the first
// such rows are named.
Result<Comparison> compare(const std::vector<ComparableRow>& before,
                           const std::vector<ComparableRow>& after);

// Rows of a report (one object, or {"reports": [...]}) or of a predictions file (JSON lines).
// `source` names the text in errors. Errors: kSchema; kConfig when it has several variants, or no
// row with a label.
Result<std::vector<ComparableRow>> parse_comparable_rows(std::string_view text,
                                                         const std::string& source);

Content comparison_json(const Comparison& comparison);

// For people; at most `n_listed` changed rows.
std::string comparison_text(const Comparison& comparison, std::size_t n_listed = 20);

}  // namespace logit::eval
