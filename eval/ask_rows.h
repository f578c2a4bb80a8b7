// Blocks of rows to a classifier and back, whatever is asked of them.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "eval/dataset.h"
#include "logit/classifier.h"
#include "logit/profile.h"
#include "logit/result.h"

namespace logit::eval {

// `row` asked `question`; neither is owned.
struct Item {
  const Row* row = nullptr;
  const Question* question = nullptr;
};

struct AskOptions {
  std::size_t block = 16;  // items a call
  std::string what{};      // told beside a row's id in failures: "reversed"
  Progress progress{};
  std::stop_token stop{};
};

struct Asked {
  std::vector<std::string> failed;  // too long for the model
  std::size_t evaluated_tokens = 0;
  std::size_t reused_tokens = 0;
  double seconds = 0;
};

// Calls take(index of the item, its reply) in order for all but those in Asked::failed. Errors:
// those of classify() other than kTooLong, with the row's id.
Result<Asked> ask_rows(Classifier& classifier, std::span<const Item> items,
                       const AskOptions& options,
                       const std::function<void(std::size_t, const Reply&)>& take);

}  // namespace logit::eval
