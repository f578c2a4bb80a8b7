// Text as a hurried reader sees it: case, blanks and marks at its ends do not count.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace logit::lint_rules {

// Lower case (ASCII), runs of blanks as one, none at the ends, no full stop at the end.
std::string folded(std::string_view text);

// Bytes that both begin with, never half a character.
std::size_t shared_prefix(std::string_view a, std::string_view b);

// "'a', 'b' and 3 more"; at most `n_named` names.
std::string name_list(const std::vector<std::string>& names, std::size_t n_named = 3);

}  // namespace logit::lint_rules
