// Predictions: every answered row as one line of JSON.
#pragma once

#include <string>

#include "eval/report.h"

namespace logit::eval {

// {"task", "variant", "id", "state_hash", "label", "predicted", "p_label", "probabilities",
// "scores", "raw", "baseline", "temperature", "readout", "abstain", "label_mass",
// "order_spread", "accept", "reversed", "input_tokens"}, arrays in the order of the task's
// candidates; then one line a removal, with "removed" and without "label". What was not read is
// null or an empty array.
std::string predictions_jsonl(const Report& report);

}  // namespace logit::eval
