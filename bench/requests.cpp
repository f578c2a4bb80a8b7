// Builds the measured requests; everything in them is made here.
#include "requests.h"

#include <array>

namespace logit::bench {
namespace {

constexpr const char* kTicket =
    "Hello, I moved the subscription to the yearly plan on Monday and was charged twice for it. "
    "The app then signed me out on both phones and now shows a blank page after the login. I need "
    "the invoice corrected before Friday because our accountant closes the month, and I would like "
    "to know whether the second payment can be refunded to another card.";

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += (i == 0 ? "" : " ") + text;
  return all;
}

Question choice(const std::string& id, std::size_t n_options) {
  constexpr std::array<const char*, 6> kThings = {"card",   "payment", "refund",
                                                  "parcel", "login",   "invoice"};
  constexpr std::array<const char*, 7> kEvents = {"is late",        "was declined", "is missing",
                                                  "failed",         "is wrong",     "was repeated",
                                                  "is not accepted"};
  Question question;
  question.id = id;
  question.type = QuestionType::kChoice;
  question.instructions = "Which problem does this message report?";
  for (std::size_t i = 0; i < n_options; ++i) {
    const std::size_t round = i / (kThings.size() * kEvents.size());
    std::string name = std::string(kThings[i % kThings.size()]) + " " +
                       kEvents[i / kThings.size() % kEvents.size()];
    if (round > 0) name += " again in case " + std::to_string(round);
    question.options.push_back({std::move(name), {}});
  }
  return question;
}

Question score(const std::string& id) {
  Question question;
  question.id = id;
  question.type = QuestionType::kScore;
  question.instructions = "How urgent is this message?";
  for (const char* level : {"not urgent", "within days", "today", "emergency"}) {
    question.levels.emplace_back(level);
  }
  return question;
}

Question noul(const std::string& id, const std::string& instructions) {
  Question question;
  question.id = id;
  question.instructions = instructions;
  return question;
}

Request ticket(const std::string& state, int rounds) {
  Request request;
  request.state = state;
  for (int i = 0; i < rounds; ++i) {
    const std::string n = std::to_string(i);
    request.questions.push_back(noul("angry" + n, "Is the writer angry? " + n));
    request.questions.push_back(choice("problem" + n, 12));
    request.questions.push_back(score("urgency" + n));
    request.questions.push_back(noul("refund" + n, "Does the writer want money back? " + n));
  }
  return request;
}

Request of_choice(const std::string& state, std::size_t n_options) {
  Request request;
  request.state = state;
  request.questions.push_back(choice("problem", n_options));
  return request;
}

Request many_questions() {
  Request request;
  request.state = "The parcel arrived on Tuesday.";
  for (int i = 0; i < 256; ++i) {
    const std::string n = std::to_string(i);
    request.questions.push_back(noul("q" + n, "Is " + n + " an even number?"));
  }
  return request;
}

}  // namespace

std::vector<Case> all_cases() {
  return {{"ticket, 4 questions", ticket(kTicket, 1)},
          {"long ticket, 8 questions", ticket(repeated(kTicket, 12), 2)},
          {"a question, 12 options", of_choice("Why was my card charged twice?", 12)},
          {"77 options", of_choice(kTicket, 77)},
          {"255 options", of_choice(kTicket, 255)},
          {"256 questions", many_questions()}};
}

}  // namespace logit::bench
