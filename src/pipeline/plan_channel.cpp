// Plans the channel readout: the state weighed under candidates. Entry: plan_channel.
// Tested by tests/pipeline/mix_test.cpp.
#include "pipeline/planning.h"

namespace logit::pipeline {
namespace {

// Adds the prompt that opens with one candidate and the reads of every token of the state.
Result<Spelling> weigh_state(Planning& planning, const Asked& asked, const Candidate& candidate) {
  Result<Tokens> root =
      assemble_channel(planning.backend, planning.backend.frames().front(), asked.text, candidate);
  if (!root) return root.error();
  // The state's first token is read behind the prompt's last, which therefore stands below the
  // root: a root's own reads would be lost when it comes from the prefix cache.
  Tokens stem{root->back()};
  root->pop_back();
  const Tokens& state = asked.scope.state;
  stem.insert(stem.end(), state.begin(), state.end() - 1);
  const std::size_t needed = root->size() + stem.size();
  if (needed > planning.backend.info().n_context) return too_long(planning, asked.question, needed);
  const std::uint32_t node =
      planning.forest.add_prompt(*root, stem, Purpose::kInput, asked.scope.cost);
  return planning.forest.add_token_reads(node, state);
}

}  // namespace

Result<ChannelReading> plan_channel(Planning& planning, const Asked& asked,
                                    std::vector<std::size_t> candidates, bool decline) {
  ChannelReading reading;
  reading.candidates = std::move(candidates);
  for (const std::size_t candidate : reading.candidates) {
    Result<Spelling> outputs = weigh_state(planning, asked, asked.text.candidates[candidate]);
    if (!outputs) return outputs.error();
    reading.outputs.push_back(std::move(*outputs));
  }
  if (!decline) return reading;
  Result<Spelling> outputs = weigh_state(planning, asked, {decline_text(asked.question), ""});
  if (!outputs) return outputs.error();
  reading.decline = std::move(*outputs);
  return reading;
}

}  // namespace logit::pipeline
