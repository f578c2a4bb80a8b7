// A reply as people read it: aligned bars, numbers, warnings in plain words.
#pragma once

#include <string>

#include "logit/types.h"
#include "terminal.h"

namespace logit::cli {

// Many options are cut to the most likely, and the text says so.
// REQUIRES: reply.answers match request.questions.
std::string draw_reply(const Request& request, const Reply& reply, const Terminal& terminal);

}  // namespace logit::cli
