// The built-in probe's questions: easy for any model that can do the job at all.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "logit/types.h"

namespace logit::probe_items {

struct Item {
  std::string_view state;
  std::size_t right;  // index of the right candidate
};

// One question and the states it is asked of; right answers are balanced over its candidates.
struct Series {
  Question question;
  std::span<const Item> items;
};

// All series of one type.
std::vector<Series> series_of(QuestionType type);

}  // namespace logit::probe_items
