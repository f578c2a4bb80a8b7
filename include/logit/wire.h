// The System One wire format: bytes to requests, replies and errors to bytes.
#pragma once

#include <string>
#include <string_view>

#include "logit/content.h"
#include "logit/result.h"
#include "logit/types.h"

namespace logit {

// Parses a request body. Every fault is listed (kSchema, Error::faults), each with its place;
// nothing is defaulted but what the format says may be absent. UTF-8, a byte-order mark is
// accepted; nesting above kMaxDepth, invalid UTF-8 and numbers beyond a double are faults.
// A picture (assets, images, files, a data URL anywhere) is refused by kSchema: no readout of
// this version sees pictures, and none may be dropped.
Result<Request> parse_request(std::string_view body);

// Parses one JSON value under the same rules; for flags and free text. Of a key that an object
// gives twice the last one stays.
Result<Content> parse_content(std::string_view json);

// The same for an object whose keys have a meaning, as a row's: one given twice is a fault.
// Below the object's own members everything stays as it was written, repeated keys too.
Result<Content> parse_record(std::string_view json);

enum class DiagnosticsDetail : unsigned char { kNone, kFull };

struct RenderOptions {
  std::string extension_prefix = "x_";  // of every field beyond the format
  DiagnosticsDetail diagnostics = DiagnosticsDetail::kNone;
};

// The body of a 200: one line of JSON. Doubles unrounded and always with a point.
// REQUIRES: reply.answers match request.questions.
std::string render_reply(const Request& request, const Reply& reply, const RenderOptions& options);

// The body of an error: {"detail": [...]} for kSchema, {"detail": {"error_type", "message"}} else.
std::string render_error(const Error& error);

// A double as replies spell it: shortest digits that read back as the same value, with a point.
// REQUIRES: finite.
std::string format_double(double value);

}  // namespace logit
