// A request made of flags: --choice, --noul, --score and --instructions, in the order given.
//
//   --choice "a|b: use when ...|c"   options, each with what follows the first ": " as description
//   --score "low|mid|high"           levels, low to high
//   --noul "The customer is angry."  one yes/no question
//   --instructions "..."             of the choice or score before it; when it comes first, of the
//                                    only one
//
// A backslash takes the meaning of | : and \ away. Blanks around parts are dropped. Questions are
// named q1, q2, ... in their order.
#pragma once

#include <span>
#include <string>

#include "logit/result.h"
#include "logit/types.h"

namespace logit::cli {

enum class AskFlag : unsigned char { kChoice, kNoul, kScore, kInstructions };

struct AskItem {
  AskFlag flag = AskFlag::kChoice;
  std::string text;
};

// Errors: kConfig, Error::where is the flag.
Result<Request> build_request(const std::string& state, std::span<const AskItem> items);

}  // namespace logit::cli
