// What the tests of the service share: a classifier without a model, heads, small bodies.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "logit/classifier.h"
#include "pipeline/sample_questions.h"
#include "serve/service.h"
#include "serve/worker.h"
#include "support/scripted_backend.h"

namespace logit::serve {

inline constexpr const char* kAsk =
    R"({"state":"The app broke.","questions":{"q":{"type":"noul","instructions":"Is it bad?"}}})";

inline std::shared_ptr<Classifier> classifier_of(std::unique_ptr<testing::ScriptedBackend> backend,
                                                 std::size_t max_tokens = 196608) {
  ClassifierOptions options;
  options.max_request_tokens = max_tokens;
  options.profile =
      testing::profile_of({Readout::kText, FrameKind::kPlain}, backend->info().fingerprint);
  return std::make_shared<Classifier>(*Classifier::create(std::move(backend), std::move(options)));
}

inline std::shared_ptr<Classifier> scripted_classifier(std::size_t max_tokens = 196608) {
  return classifier_of(std::make_unique<testing::ScriptedBackend>(), max_tokens);
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

// The service without a socket, asked as the server does it: head, body, model.
class ServiceTest : public ::testing::Test {
 protected:
  Response ask(const Head& head, std::string body = "") {
    if (std::optional<Response> refused = check_head(options_, head)) return *refused;
    std::variant<Response, Work> handled =
        handle(options_, {status_, "metrics"}, head, std::move(body));
    if (auto* response = std::get_if<Response>(&handled)) return std::move(*response);
    const Work& work = std::get<Work>(handled);
    return finish_work(work, classifier_->classify(work.request));
  }

  Response post(std::string body, std::initializer_list<Header> headers = {}) {
    return ask(head_of("POST", "/v1/systemone", headers), std::move(body));
  }

  testing::ScriptedBackend* model_ = new testing::ScriptedBackend;  // the classifier's
  std::shared_ptr<Classifier> classifier_ =
      classifier_of(std::unique_ptr<testing::ScriptedBackend>(model_));
  ServiceOptions options_;
  Status status_ = ready_status(*classifier_);
};

}  // namespace logit::serve
