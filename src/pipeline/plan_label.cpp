// Plans the label readout. Entry: plan_label. Tested by tests/pipeline/plan_test.cpp.
#include "pipeline/orders.h"
#include "pipeline/planning.h"

namespace logit::pipeline {
namespace {

// One list: which candidate stands behind which label, and what is listed behind the last.
struct List {
  Order order;
  std::string decline;  // empty: nothing
};

std::vector<std::string> lines_of(const QuestionText& text, const List& list) {
  std::vector<std::string> lines;
  for (const std::size_t candidate : list.order) {
    lines.push_back(listed_text(text.candidates[candidate]));
  }
  if (!list.decline.empty()) lines.push_back(list.decline);
  return lines;
}

// Adds one list to the tree and what its labels mean to the reading.
Result<Done> add_list(Planning& planning, const Asked& asked, const List& list, Reading& reading) {
  const std::vector<std::string> lines = lines_of(asked.text, list);
  Result<PromptParts> parts = assemble_label(
      planning.backend, frame_of(planning.backend, reading.way.frame), asked.text, lines);
  if (!parts) return parts.error();
  Result<std::uint32_t> stem =
      add_prompt(planning, asked, *parts, asked.scope.state, Purpose::kInput);
  if (!stem) return stem.error();
  Tokens ids;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    ids.push_back(planning.backend.info().labels[i].id);
  }
  const std::vector<std::uint32_t> outputs = planning.forest.add_read(*stem, ids);
  Weighing weighing;
  weighing.candidates.resize(list.order.size());
  for (std::size_t place = 0; place < list.order.size(); ++place) {
    weighing.candidates[list.order[place]] = {{{outputs[place]}}};
  }
  reading.lists.push_back(std::move(weighing));
  if (!list.decline.empty()) reading.declines.push_back({{Weight{{{outputs.back()}}}}});
  return Done{};
}

}  // namespace

Result<Reading> plan_label(Planning& planning, const Asked& asked, Way way, std::size_t n_orders,
                           bool decline) {
  Reading reading;
  reading.way = way;
  const std::string declining = decline ? decline_text(asked.question) : "";
  for (Order& order : list_orders(asked.text, asked.question.type, n_orders)) {
    Result<Done> added = add_list(planning, asked, {std::move(order), declining}, reading);
    if (!added) return added.error();
  }
  return reading;
}

}  // namespace logit::pipeline
