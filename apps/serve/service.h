// The service without a socket: (head, body) in, a response or work for the model out.
//
//   check_head     before the body is read: route, method, key, Host, Origin, content type
//   handle         after it: what needs no model is answered, the rest becomes Work
//   finish_work    the model's reply to a response
//
// Nothing here blocks, and everything is a function of its arguments.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>

#include "access.h"
#include "decisions.h"
#include "logit/result.h"
#include "logit/types.h"
#include "logit/wire.h"
#include "message.h"
#include "status.h"

namespace logit::serve {

enum class ModelNames : unsigned char { kAny, kKnown };

struct ServiceOptions {
  Access access;
  std::size_t max_body = std::size_t{32} << 20;  // bytes, before and after inflating
  ModelNames model_names = ModelNames::kAny;     // kKnown: an unknown `model` is a 400
  std::string extension_prefix = "x_";
};

// A route's name in logs and metrics: "/v1/systemone", or "other".
const char* route_name(const Head& head);

// Nothing when the request may go on. REQUIRES: the body is not needed for an answer given here.
std::optional<Response> check_head(const ServiceOptions& options, const Head& head);

// A parsed request on its way to the model.
struct Work {
  Request request;
  std::optional<std::vector<DecisionLabels>> labels;  // set: answered in the array dialect
  RenderOptions render;
  std::size_t n_body_bytes = 0;  // of the body it was parsed from, inflated
};

// What /metrics and the like show at this moment.
struct Snapshot {
  const Status& status;
  std::string metrics;  // text of /metrics; needed for that route only
};

// REQUIRES: check_head() let the request pass.
std::variant<Response, Work> handle(const ServiceOptions& options, const Snapshot& now,
                                    const Head& head, std::string body);

Response finish_work(const Work& work, const Result<Reply>& reply);

// What every response carries. `id` is the request's.
void add_common_headers(const ServiceOptions& options, const Head& head, const std::string& id,
                        Response& response);

// Errors as the format has them: {"detail": {"error_type", "message"}}.
Response error_response(int status, const char* error_type, const std::string& message);
Response error_response(const Error& error);
Response body_too_large(std::size_t limit);
// 503 with Retry-After; `reason` is "overloaded" or "loading".
Response unavailable(const char* reason, const std::string& message);

}  // namespace logit::serve
