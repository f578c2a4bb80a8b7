// What the tests of the service share: a classifier without a model, heads, small bodies.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "logit/classifier.h"
#include "pipeline/sample_questions.h"
#include "serve/service.h"
#include "serve/worker.h"
#include "support/scripted_backend.h"

namespace logit::serve {

inline constexpr const char* kAsk =
    R"({"state":"The app broke.","questions":{"q":{"type":"noul","instructions":"Is it bad?"}}})";

inline std::shared_ptr<Classifier> scripted_classifier(std::size_t max_tokens = 65536) {
  auto backend = std::make_unique<testing::ScriptedBackend>();
  ClassifierOptions options;
  options.max_request_tokens = max_tokens;
  options.profile =
      testing::profile_of({Readout::kText, FrameKind::kPlain}, backend->info().fingerprint);
  return std::make_shared<Classifier>(*Classifier::create(std::move(backend), std::move(options)));
}

inline Head head_of(std::string method, std::string target,
                    std::initializer_list<Header> headers = {}) {
  Head head{std::move(method), std::move(target), {{"Host", "localhost:8077"}}, 11};
  head.headers.insert(head.headers.end(), headers);
  return head;
}

inline std::string header_of(const Response& response, std::string_view name) {
  std::string all;
  for (const Header& header : response.headers) {
    if (equal_in_any_case(header.name, name)) all += (all.empty() ? "" : ", ") + header.value;
  }
  return all;
}

inline bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace logit::serve
