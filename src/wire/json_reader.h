// JSON text to Content, strictly and without recursion.
#pragma once

#include <string_view>

#include "logit/content.h"
#include "logit/result.h"

namespace logit::wire {

// Parses one JSON value. Numbers keep their spelling; objects keep every member, repeated keys
// included, in document order: what a repeated key means is for the schema check to say.
// Errors: kSchema with one fault, its place and its byte (the first byte is 0), for anything that
// is not JSON in UTF-8, nesting above kMaxDepth (also in parts that nobody will use), numbers
// beyond a double. A byte-order mark is accepted. The messages are ASCII.
Result<Content> read_json(std::string_view text);

}  // namespace logit::wire
