// Any bytes as a request body. Invariants: a fault list or a request, never both nor a crash; the
// error is JSON in ASCII; a made-up reply to whatever parses is JSON that this parser takes, too;
// Content -> compact_json -> Content is the identity.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "fuzz_check.h"
#include "logit/wire.h"
#include "wire/made_up.h"

namespace {

void check_error(const logit::Error& error) {
  FUZZ_CHECK(error.code == logit::ErrorCode::kSchema && !error.faults.empty());
  const std::string body = logit::render_error(error);
  FUZZ_CHECK(nlohmann::json::accept(body));
  FUZZ_CHECK(std::all_of(body.begin(), body.end(), [](char c) { return c >= ' ' && c <= '~'; }));
}

void check_round_trip(const logit::Content& content) {
  const auto back = logit::parse_content(logit::compact_json(content));
  FUZZ_CHECK(back && *back == content);
  if (content.text() != nullptr || content.is_null()) return;
  FUZZ_CHECK(logit::parse_content(logit::prompt_text(content)));
}

void check_question(const logit::Question& question) {
  const std::size_t n = logit::candidate_count(question);
  FUZZ_CHECK(n >= 1 && n <= logit::kMaxOptions);
  check_round_trip(question.instructions);
  check_round_trip(question.when_true);
  check_round_trip(question.when_false);
  for (const auto& option : question.options) check_round_trip(option.description);
  for (const auto& level : question.levels) FUZZ_CHECK(!level.is_null());
}

void check_reply(const logit::Request& request) {
  const auto reply = logit::test::made_up_reply(
      request, [](std::size_t i) { return 1.0 / static_cast<double>(i * i + 1); });
  for (const char* prefix : {"x_", ""}) {
    const std::string body = logit::render_reply(
        request, reply,
        {.extension_prefix = prefix, .diagnostics = logit::DiagnosticsDetail::kFull});
    FUZZ_CHECK(nlohmann::json::accept(body));
    FUZZ_CHECK(logit::parse_content(body));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  if (const auto content = logit::parse_content(body)) {
    check_round_trip(*content);
    FUZZ_CHECK(nlohmann::json::accept(body));
  } else {
    check_error(content.error());
  }
  const auto request = logit::parse_request(body);
  if (!request) {
    check_error(request.error());
    return 0;
  }
  FUZZ_CHECK(!request->questions.empty() && request->questions.size() <= logit::kMaxQuestions);
  check_round_trip(request->state);
  for (const auto& question : request->questions) check_question(question);
  check_reply(*request);
  return 0;
}
