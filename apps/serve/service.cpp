// Routes and answers requests; entries: check_head, handle, finish_work. Tested by
// tests/serve/service_test.cpp.
#include "service.h"

#include <array>
#include <string_view>
#include <utility>

#include "encoding.h"
#include "json.h"

namespace logit::serve {

extern const std::string_view kPage;        // page.html, embedded by CMake
extern const std::string_view kPagePolicy;  // made from it by CMake

namespace {

enum class Route : unsigned char {
  kPage,
  kHealth,
  kReady,
  kMetrics,
  kModels,
  kSystemOne,
  kDecisions,
  kUnknown
};

enum class Needs : unsigned char { kNothing, kKey };

struct RouteSpec {
  const char* path;
  Route route;
  std::string_view method;  // GET (HEAD, too) or POST
  Needs needs;
};

constexpr std::array kRoutes = {
    RouteSpec{"/", Route::kPage, "GET", Needs::kNothing},
    RouteSpec{"/healthz", Route::kHealth, "GET", Needs::kNothing},
    RouteSpec{"/readyz", Route::kReady, "GET", Needs::kNothing},
    RouteSpec{"/metrics", Route::kMetrics, "GET", Needs::kKey},
    RouteSpec{"/v1/models", Route::kModels, "GET", Needs::kKey},
    RouteSpec{"/v1/systemone", Route::kSystemOne, "POST", Needs::kKey},
    RouteSpec{"/v1/decisions", Route::kDecisions, "POST", Needs::kKey},
};
constexpr RouteSpec kNoRoute{"other", Route::kUnknown, "", Needs::kKey};

const RouteSpec& find_route(std::string_view path) {
  for (const RouteSpec& spec : kRoutes) {
    if (path == spec.path) return spec;
  }
  return kNoRoute;
}

std::string allowed_methods(const RouteSpec& spec) {
  return spec.method == "POST" ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
}

bool has_method(const RouteSpec& spec, std::string_view method) {
  return method == spec.method || (method == "HEAD" && spec.method == "GET");
}

Response json_response(int status, std::string body) {
  return {status, {{"Content-Type", "application/json"}}, std::move(body)};
}

// ---- Before the body ----

std::optional<Response> check_host(const Access& access, const Head& head, const Target& target) {
  const std::size_t n_hosts = count_headers(head, "Host");
  if (n_hosts == 0 && head.version == 10) return std::nullopt;  // older than the header
  if (n_hosts != 1) {
    return error_response(400, "api_usage_error", "exactly one Host header is needed");
  }
  std::string_view host = trimmed(*find_header(head, "Host"));
  if (!target.authority.empty()) host = target.authority;
  if (may_use_host(access, host)) return std::nullopt;
  return error_response(403, "api_usage_error",
                        "this server answers on this machine's loopback names only; the Host "
                        "header has another");
}

// A preflight asks before a page of another origin may call.
Response options_response(const RouteSpec& spec, const Access& access, const Head& head) {
  Response response{204, {{"Allow", allowed_methods(spec)}}, {}};
  const Origin origin = classify_origin(access, head);
  if (origin == Origin::kForeign) {
    return error_response(403, "api_usage_error", "this origin may not call; see --allow-origin");
  }
  if (origin == Origin::kNone) return response;
  response.headers.push_back({"Access-Control-Allow-Methods", allowed_methods(spec)});
  if (const auto wanted = find_header(head, "Access-Control-Request-Headers")) {
    response.headers.push_back({"Access-Control-Allow-Headers", std::string(*wanted)});
  }
  if (find_header(head, "Access-Control-Request-Private-Network")) {
    response.headers.push_back({"Access-Control-Allow-Private-Network", "true"});
  }
  response.headers.push_back({"Access-Control-Max-Age", "600"});
  return response;
}

Response unauthorised() {
  Response response = error_response(401, "authentication_error",
                                     "a valid key is needed: Authorization: Bearer KEY");
  response.headers.push_back({"WWW-Authenticate", "Bearer"});
  return response;
}

// JSON, and what clients say of JSON when nobody told them: curl's default, and nothing.
bool is_read_as_json(std::string_view type) {
  return type.empty() || type == "application/json" || type == "text/json" ||
         type == "text/plain" || type == "application/x-www-form-urlencoded" ||
         (type.starts_with("application/") && type.ends_with("+json"));
}

std::optional<Response> check_body_headers(const Head& head) {
  const std::string type = media_type(find_header(head, "Content-Type").value_or(""));
  if (type == "multipart/form-data") {
    return error_response(415, "unsupported_media_type",
                          "pictures are not supported by this version; send the request as "
                          "application/json, without assets");
  }
  if (!is_read_as_json(type)) {
    return error_response(415, "unsupported_media_type", "the body must be application/json");
  }
  if (!parse_encoding(find_header(head, "Content-Encoding").value_or(""))) {
    return error_response(415, "unsupported_media_type",
                          "Content-Encoding must be gzip, deflate, zstd or identity");
  }
  return std::nullopt;
}

// ---- After the body ----

Response page_response() {
  return {200,
          {{"Content-Type", "text/html; charset=utf-8"},
           {"Cache-Control", "no-cache"},
           {"Referrer-Policy", "no-referrer"},
           {"Content-Security-Policy", std::string(kPagePolicy)}},
          std::string(kPage)};
}

Response not_ready(Phase phase) {
  if (phase == Phase::kStopping) return unavailable("overloaded", "the service is stopping");
  return unavailable("loading", "the model is loading");
}

Response readiness(const Status& status) {
  Response response = json_response(status.phase == Phase::kReady ? 200 : 503, health_json(status));
  if (response.status != 200) response.headers.push_back({"Retry-After", "1"});
  return response;
}

std::variant<Response, std::string> decode_body(const ServiceOptions& options, const Head& head,
                                                std::string body) {
  const auto encoding = parse_encoding(find_header(head, "Content-Encoding").value_or(""));
  Decoded decoded =
      decode(encoding.value_or(Encoding::kIdentity), std::move(body), options.max_body);
  switch (decoded.fault) {
    case DecodeFault::kNone:
      return std::move(decoded.body);
    case DecodeFault::kTooLarge:
      return body_too_large(options.max_body);
    case DecodeFault::kCut:
      return error_response(400, "api_usage_error", "the compressed body ends too early");
    case DecodeFault::kDamaged:
      break;
  }
  return error_response(400, "api_usage_error", "the compressed body is damaged");
}

Result<Work> parse_work(Route route, const std::string& body) {
  if (route == Route::kDecisions) {
    Result<Content> content = parse_content(body);
    if (content && is_decisions_body(*content)) {
      Result<Decisions> decisions = parse_decisions(*content);
      if (!decisions) return std::move(decisions).error();
      return Work{std::move(decisions->request), std::move(decisions->labels), {}, body.size()};
    }
  }
  Result<Request> request = parse_request(body);
  if (!request) return std::move(request).error();
  return Work{*std::move(request), std::nullopt, {}, body.size()};
}

std::variant<Response, Work> accept_work(const ServiceOptions& options, const Status& status,
                                         const Head& head, std::string body) {
  if (status.phase != Phase::kReady) return not_ready(status.phase);
  std::variant<Response, std::string> decoded = decode_body(options, head, std::move(body));
  if (auto* fault = std::get_if<Response>(&decoded)) return std::move(*fault);
  const Target target = split_target(head.target);
  const std::string& text = std::get<std::string>(decoded);
  Result<Work> work = parse_work(find_route(target.path).route, text);
  if (!work) return error_response(work.error());
  if (options.model_names == ModelNames::kKnown && !is_known_model(status, work->request.model)) {
    return error_response({ErrorCode::kConfig,
                           "'" + work->request.model + "' is not served here; " + status.model.id +
                               " is, also as logit-latest",
                           "model",
                           {}});
  }
  work->render.extension_prefix = options.extension_prefix;
  work->render.diagnostics = is_switched_on(target.query, "diagnostics") ? DiagnosticsDetail::kFull
                                                                         : DiagnosticsDetail::kNone;
  return *std::move(work);
}

// The one place where a kind of failure becomes a status.
int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kSchema:
      return 422;
    case ErrorCode::kConfig:
    case ErrorCode::kVisionUnsupported:
    case ErrorCode::kImage:
      return 400;
    case ErrorCode::kTooLong:
      return 413;
    case ErrorCode::kBusy:
    case ErrorCode::kCancelled:
      return 503;
    case ErrorCode::kLabelBoundary:
    case ErrorCode::kBackendContract:
    case ErrorCode::kMissingDependency:
    case ErrorCode::kModelLoad:
    case ErrorCode::kModelRun:
    case ErrorCode::kFile:
    case ErrorCode::kInternal:
      break;
  }
  return 500;
}

}  // namespace

const char* route_name(const Head& head) { return find_route(split_target(head.target).path).path; }

std::optional<Response> check_head(const ServiceOptions& options, const Head& head) {
  const Target target = split_target(head.target);
  if (std::optional<Response> refused = check_host(options.access, head, target)) return refused;
  const RouteSpec& spec = find_route(target.path);
  if (head.method == "OPTIONS") {
    if (spec.route != Route::kUnknown) return options_response(spec, options.access, head);
    if (head.target == "*") return Response{204, {{"Allow", "GET, HEAD, POST, OPTIONS"}}, {}};
  }
  if (spec.needs == Needs::kKey &&
      !has_key(options.access, find_header(head, "Authorization").value_or(""))) {
    return unauthorised();
  }
  if (spec.route == Route::kUnknown) {
    return error_response(404, "not_found", "there is no such route; see GET /");
  }
  if (!has_method(spec, head.method)) {
    Response response =
        error_response(405, "method_not_allowed", "this route takes " + allowed_methods(spec));
    response.headers.push_back({"Allow", allowed_methods(spec)});
    return response;
  }
  if (spec.method == "GET") return std::nullopt;
  if (classify_origin(options.access, head) == Origin::kForeign) {
    return error_response(403, "api_usage_error", "this origin may not call; see --allow-origin");
  }
  return check_body_headers(head);
}

std::variant<Response, Work> handle(const ServiceOptions& options, const Snapshot& now,
                                    const Head& head, std::string body) {
  const Status& status = now.status;
  switch (find_route(split_target(head.target).path).route) {
    case Route::kPage:
      return page_response();
    case Route::kHealth:
      return json_response(200, health_json(status));
    case Route::kReady:
      return readiness(status);
    case Route::kMetrics:
      return Response{200, {{"Content-Type", "text/plain; version=0.0.4"}}, now.metrics};
    case Route::kModels:
      if (status.phase == Phase::kLoading) return not_ready(status.phase);
      return json_response(200, models_json(status));
    case Route::kSystemOne:
    case Route::kDecisions:
      return accept_work(options, status, head, std::move(body));
    case Route::kUnknown:
      break;
  }
  return error_response(404, "not_found", "there is no such route; see GET /");
}

Response finish_work(const Work& work, const Result<Reply>& reply) {
  if (!reply) return error_response(reply.error());
  if (work.labels) {
    return json_response(200, render_decisions(work.request, *work.labels, *reply));
  }
  return json_response(200, render_reply(work.request, *reply, work.render));
}

void add_common_headers(const ServiceOptions& options, const Head& head, const std::string& id,
                        Response& response) {
  response.headers.push_back({"x-typesafe-request-id", id});
  response.headers.push_back({"X-Content-Type-Options", "nosniff"});
  if (options.access.origins.empty()) return;
  response.headers.push_back({"Vary", "Origin"});
  if (classify_origin(options.access, head) != Origin::kAllowed) return;
  response.headers.push_back(
      {"Access-Control-Allow-Origin", std::string(*find_header(head, "Origin"))});
  response.headers.push_back(
      {"Access-Control-Expose-Headers", "x-typesafe-request-id, Server-Timing, Retry-After"});
}

Response error_response(int status, const char* error_type, const std::string& message) {
  Content::Object error;
  error.emplace_back("error_type", error_type);
  error.emplace_back("message", message);
  Content::Object body;
  body.emplace_back("detail", Content(std::move(error)));
  return json_response(status, compact_json(Content(std::move(body))));
}

Response error_response(const Error& error) {
  Response response = json_response(status_of(error.code), render_error(error));
  if (response.status == 503) response.headers.push_back({"Retry-After", "1"});
  return response;
}

Response body_too_large(std::size_t limit) {
  return error_response(413, "body_too_large",
                        "the body is larger than " + std::to_string(limit) + " bytes");
}

Response unavailable(const char* reason, const std::string& message) {
  Response response = error_response(503, reason, message);
  response.headers.push_back({"Retry-After", "1"});
  return response;
}

}  // namespace logit::serve
