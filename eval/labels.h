// Labels as rows spell them: an option's name, a level's index, true or false, null.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logit/content.h"
#include "logit/result.h"
#include "logit/types.h"

namespace logit::eval {

// Of a JSON row. A level may also be named by its text. Errors: kSchema.
Result<std::optional<std::size_t>> parse_label(const Content& label, const Question& question);

// Of a CSV cell, where everything is text: a level's index or text, for a noul true, false, 1, 0,
// yes or no in any case. An empty cell means that no answer is right, unless an option has the
// empty name. A level text that looks like another level's index is refused. Errors: kSchema.
Result<std::optional<std::size_t>> parse_label_text(std::string_view cell,
                                                    const Question& question);

// As a JSON row spells it.
Content label_json(std::optional<std::size_t> label, const Question& question);

// For people, one per candidate: option names, level texts, "true" and "false".
std::vector<std::string> candidate_names(const Question& question);

}  // namespace logit::eval
