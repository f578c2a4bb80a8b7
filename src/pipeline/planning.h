// What the planners of the readouts share; for plan.cpp and plan_*.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/assemble.h"
#include "pipeline/baseline_cache.h"
#include "pipeline/forest.h"
#include "pipeline/orders.h"
#include "pipeline/prompt.h"
#include "pipeline/stages.h"

namespace logit::pipeline {

// A baseline that the plan evaluates, and the first node it added.
struct PendingBaseline {
  std::vector<Weighing> weighings;
  std::size_t node = 0;
};

struct Planning {
  const Backend& backend;
  const ClassifierOptions& options;
  BaselineCache& cache;
  Forest forest{};
  std::map<std::string, PendingBaseline> pending{};
};

// One request while its questions are planned.
struct Scope {
  Tokens state;
  Cost cost;
  bool state_asks = false;  // it ends in a question mark
};

// A question on its way into the tree.
struct Asked {
  const Question& question;
  QuestionText text;
  Scope& scope;
};

// Whether an answer should also say how likely it is that no candidate is right.
bool may_abstain(const ClassifierOptions& options, const Question& question);

const Frame& frame_of(const Backend& backend, FrameKind kind);

// Adds the prompt with `state` in its gap and returns the node at whose end an answer begins.
// Errors: kTooLong for the context.
Result<std::uint32_t> add_prompt(Planning& planning, const Asked& asked, const PromptParts& parts,
                                 const Tokens& state, Purpose purpose);

Error over_budget(const Planning& planning, const Question& question, const Scope& scope);

Error too_long(const Planning& planning, const Question& question, std::size_t needed);

// Lists the candidates behind labels in these orders; with `decline`, "none of these" behind one
// label more. More candidates than the model has labels are listed in groups, each with its
// "none of these".
Result<Reading> plan_label(Planning& planning, const Asked& asked, Way way,
                           std::span<const Order> orders, bool decline);

// plan_label in the orders that the options ask for, with "none of these" where it may stand.
Result<Reading> plan_lists(Planning& planning, const Asked& asked, Way way);

// Whether candidates are so many that `label+text` lists the leaders by their texts alone.
bool lists_leaders_only(const Backend& backend, Way way, std::size_t n_candidates);

// Weighs each candidate's own text; a noul's yes and no in all their spellings.
Result<Reading> plan_text(Planning& planning, const Asked& asked, Way way);

// Weighs the state under the candidates; with `decline`, also under "none of these".
// REQUIRES: the scope's state is not empty.
Result<ChannelReading> plan_channel(Planning& planning, const Asked& asked,
                                    std::vector<std::size_t> candidates, bool decline);

// The leaders are known after the first round only, so whichever they are, their list must fit.
// Errors: kTooLong.
Result<Done> check_leaders_fit(const Planning& planning, const Asked& asked, Way way);

}  // namespace logit::pipeline
