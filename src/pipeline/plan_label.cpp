// Plans the label readout. Entry: plan_label. Tested by tests/pipeline/plan_test.cpp.
#include <span>

#include "pipeline/orders.h"
#include "pipeline/planning.h"

namespace logit::pipeline {
namespace {

// One list: which candidate stands behind which label, and what is listed behind the last.
struct List {
  std::span<const std::size_t> candidates;
  std::string decline;  // empty: nothing
};

std::vector<std::string> lines_of(const QuestionText& text, const List& list) {
  std::vector<std::string> lines;
  for (const std::size_t candidate : list.candidates) {
    lines.push_back(listed_text(text.candidates[candidate]));
  }
  if (!list.decline.empty()) lines.push_back(list.decline);
  return lines;
}

// Adds one list to the tree; the outputs of its lines' labels.
Result<std::vector<std::uint32_t>> add_list(Planning& planning, const Asked& asked, Way way,
                                            const List& list) {
  const std::vector<std::string> lines = lines_of(asked.text, list);
  Result<PromptParts> parts =
      assemble_label(planning.backend, frame_of(planning.backend, way.frame), asked.text, lines);
  if (!parts) return parts.error();
  Result<std::uint32_t> stem =
      add_prompt(planning, asked, *parts, asked.scope.state, Purpose::kInput);
  if (!stem) return stem.error();
  Tokens ids;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    ids.push_back(planning.backend.info().labels[i].id);
  }
  return planning.forest.add_read(*stem, ids);
}

// One list of all candidates.
Result<Done> add_whole(Planning& planning, const Asked& asked, const List& list, Reading& reading) {
  Result<std::vector<std::uint32_t>> outputs = add_list(planning, asked, reading.way, list);
  if (!outputs) return outputs.error();
  Weighing weighing;
  weighing.candidates.resize(list.candidates.size());
  for (std::size_t place = 0; place < list.candidates.size(); ++place) {
    weighing.candidates[list.candidates[place]] = {{{(*outputs)[place]}}};
  }
  reading.lists.push_back(std::move(weighing));
  if (!list.decline.empty()) reading.declines.push_back({{Weight{{{outputs->back()}}}}});
  return Done{};
}

// Lists of neighbours, about equally long. Each has a "none of these", against which its candidates
// are weighed, as probabilities of different lists cannot be compared.
Result<Done> add_groups(Planning& planning, const Asked& asked, const Order& order,
                        std::size_t n_groups, Reading& reading) {
  const std::string decline = decline_text(asked.question);
  Weighing weighing;
  weighing.candidates.resize(order.size());
  for (std::size_t group = 0; group < n_groups; ++group) {
    const std::size_t begin = group * order.size() / n_groups;
    const std::size_t end = (group + 1) * order.size() / n_groups;
    const List list{std::span(order).subspan(begin, end - begin), decline};
    Result<std::vector<std::uint32_t>> outputs = add_list(planning, asked, reading.way, list);
    if (!outputs) return outputs.error();
    const Spelling none{outputs->back()};
    for (std::size_t place = begin; place < end; ++place) {
      weighing.candidates[order[place]] = {{{(*outputs)[place - begin]}}, 1, none};
    }
    reading.declines.push_back({{Weight{{none}, 1, none}}});
  }
  reading.lists.push_back(std::move(weighing));
  return Done{};
}

}  // namespace

Result<Reading> plan_label(Planning& planning, const Asked& asked, Way way, std::size_t n_orders,
                           bool decline) {
  Reading reading;
  reading.way = way;
  const std::size_t n_labels = planning.backend.info().labels.size();
  const std::size_t n = asked.text.candidates.size();
  const std::string declining = decline ? decline_text(asked.question) : "";
  for (const Order& order : list_orders(asked.text, asked.question.type, n_orders)) {
    Result<Done> added = n <= n_labels ? add_whole(planning, asked, {order, declining}, reading)
                                       : add_groups(planning, asked, order,
                                                    (n + n_labels - 2) / (n_labels - 1), reading);
    if (!added) return added.error();
  }
  return reading;
}

}  // namespace logit::pipeline
