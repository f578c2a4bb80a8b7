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

// Adds the candidates in `n_groups` lists of neighbours, about equally long, and what their labels
// mean to the reading. Probabilities of different lists cannot be compared, so the candidates of
// several are weighed against each list's own "none of these". REQUIRES: a decline for several.
Result<Done> add_order(Planning& planning, const Asked& asked, const Order& order,
                       std::size_t n_groups, const std::string& decline, Reading& reading) {
  Weighing weighing;
  weighing.candidates.resize(order.size());
  for (std::size_t group = 0; group < n_groups; ++group) {
    const std::size_t begin = group * order.size() / n_groups;
    const std::size_t end = (group + 1) * order.size() / n_groups;
    const List list{std::span(order).subspan(begin, end - begin), decline};
    Result<std::vector<std::uint32_t>> outputs = add_list(planning, asked, reading.way, list);
    if (!outputs) return outputs.error();
    const Spelling last{outputs->back()};
    const Spelling reference = n_groups > 1 ? last : Spelling{};
    for (std::size_t place = begin; place < end; ++place) {
      weighing.candidates[order[place]] = {{{(*outputs)[place - begin]}}, 1, reference};
    }
    if (!decline.empty()) reading.declines.push_back({{Weight{{last}, 1, reference}}});
  }
  reading.lists.push_back(std::move(weighing));
  return Done{};
}

}  // namespace

Result<Reading> plan_label(Planning& planning, const Asked& asked, Way way,
                           std::span<const Order> orders, bool decline) {
  Reading reading;
  reading.way = way;
  const std::size_t n = asked.text.candidates.size();
  const std::size_t n_labels = planning.backend.info().labels.size();
  const std::size_t n_groups = n <= n_labels ? 1 : (n + n_labels - 2) / (n_labels - 1);
  const std::string declining = decline || n_groups > 1 ? decline_text(asked.question) : "";
  for (const Order& order : orders) {
    Result<Done> added = add_order(planning, asked, order, n_groups, declining, reading);
    if (!added) return added.error();
  }
  return reading;
}

}  // namespace logit::pipeline
